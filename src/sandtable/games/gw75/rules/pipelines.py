"""Merchant Ship Pipelines (18.6): lines of Holding Areas from port to port, and what they carry.

Who uses them is a nation (with the ships of its friends), two nations that trade ("usa+france"), or
a whole side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from sandtable.board.graphs import numbered
from sandtable.games.gw75.facts import Facts, pair
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import waters, zones
from sandtable.games.gw75.rules.terms import OTHER, holder, relations

Used = Mapping[str, int]
"""Holding Area to the points that it carries already for one purpose."""

_NOTHING: Used = {}
_numbers = count(1)


class Line(NamedTuple):
    """A Merchant Ship Pipeline between two ports."""

    areas: tuple[str, ...]
    """Its Holding Areas in order; empty if there is none."""
    capacity: int
    length: int
    """In hexes, from port to port."""


class Link(NamedTuple):
    """A part of a net: two Holding Areas next to each other, or a port and one near it."""

    one: str
    other: str
    capacity: int


class Roadstead:
    """The waters round a Holding Area."""

    def __init__(self, facts: Facts, hex: str) -> None:
        self.facts, self.hex = facts, hex
        self.rings = facts.rings(hex, facts.numbers.pipeline_step)
        """The hexes that are so far away by sea if nothing is closed, as bits."""
        self.hexes = sum(self.rings)
        """All of them."""
        self.within = self.hexes | facts.set_of(facts.canals)
        self.far = {hex: far for far, ring in enumerate(self.rings) for hex in facts.members(ring)}
        """These hexes with their distances."""
        self.lanes: dict[str, int] = {}
        """Hex to what is on a shortest way there if nothing is closed, as it was asked for."""
        self.detours: dict[int, list[int]] = {}
        """Hexes and canals that were closed to the rings then, as it was asked for."""
        self.fairways: dict[tuple[int, frozenset[str]], Fairway] = {}
        """Holding Areas near and ports that were built to where lines lead, as it was asked for."""
        self.harbours: dict[frozenset[str], Harbours] = {}
        """Ports that were built to all that are near, as it was asked for."""

    def lane(self, other: str) -> int:
        """All that is on a shortest way to a hex near, if nothing is closed: one that keeps off the
        coasts."""
        found = self.lanes.get(other)
        if found is None:
            facts, here = self.facts, other
            bits, coasts = facts.bits, facts.coasts
            found = bits[here]
            for ring in reversed(self.rings[: self.far[other]]):
                nearer = [near for near in facts.sea[here] if bits[near] & ring]
                before = next((near for near in nearer if near not in coasts), nearer[0])
                found |= bits[before]
                if here in facts.locks:
                    side = pair(before, here)
                    for id, canal in facts.canals.items():
                        if side in canal.sides:
                            found |= bits[id]
                here = before
            self.lanes[other] = found
        return found

    def open(self, hexes: Iterable[str], closed: int) -> dict[str, int]:
        """Those of some hexes near to which a way leads if some are closed, with the distance."""
        found = {}
        rings: list[int] | None = None
        for hex in hexes:
            if not closed & self.lane(hex):
                found[hex] = self.far[hex]
                continue
            if rings is None:
                rings = self._detours(closed & self.within)
            far = _far(self.facts, hex, rings)
            if far < _MOST:
                found[hex] = far
        return found

    def _detours(self, closed: int) -> list[int]:
        """The same as `rings` if some hexes and canals near are closed."""
        found = self.detours.get(closed)
        if found is None:
            if len(self.detours) > _DETOURS:
                self.detours.clear()
            step = self.facts.numbers.pipeline_step
            found = self.detours[closed] = self.facts.rings(self.hex, step, closed)
        return found

    def fairway(self, spots: int, built: frozenset[str]) -> Fairway:
        """The waters through which lines lead from here to others of these Holding Areas (as bits),
        and to ports."""
        spots &= self.hexes
        found = self.fairways.get((spots, built))
        if found is None:
            if len(self.fairways) > _FAIRWAYS:
                self.fairways.clear()
            facts = self.facts
            ports, lanes = self.moor(built)
            links = {}
            for other in sorted(facts.members(spots & ~facts.bits[self.hex])):
                links[other] = self.far[other]
                lanes |= self.lane(other)
            found = self.fairways[spots, built] = Fairway(self, links, ports, lanes, {})
        return found

    def moor(self, built: frozenset[str]) -> Harbours:
        """The ports so near that a line can end there, printed on the map and built ones."""
        found = self.harbours.get(built)
        if found is None:
            if len(self.harbours) > _BUILT:
                self.harbours.clear()
            facts, lanes = self.facts, 0
            ends = {hex for waters in facts.entrances.values() for hex in waters}
            every = facts.set_of((*facts.ports, *built))
            end = facts.numbers.pipeline_end
            near = {
                hex: self.far[hex]
                for hex in facts.members(self.hexes & every)
                if self.far[hex] <= end
            }
            for port in near:
                lane = self.lane(port)
                lanes |= lane if port in ends else lane & ~facts.bits[port]
            found = self.harbours[built] = Harbours(near, lanes)
        return found


def _far(facts: Facts, hex: str, rings: list[int]) -> int:
    """In which of some rings a hex is."""
    bit = facts.bits[hex]
    for far, ring in enumerate(rings):
        if ring & bit:
            return far
    return _MOST


class Harbours(NamedTuple):
    """The ports near a Holding Area."""

    near: dict[str, int]
    """Each with its distance if nothing is closed."""
    lanes: int
    """What is on the ways there, but for the ports themselves: at one with Enemies ends no line
    anyway. One at the entrance of waters can be closed to those whose it is."""


_BUILT = 30
"""Sets of ports that were built that are remembered at most."""
_FAIRWAYS = 30
"""Sets of Holding Areas near one that are remembered at most."""
_DETOURS = 30
"""Sets of what was closed near a Holding Area that are remembered at most."""


class Fairway(NamedTuple):
    """The waters through which shortest lines lead from a Holding Area to others, and to ports."""

    road: Roadstead
    links: dict[str, int]
    """The Holding Areas that can be next to it in a line if nothing is closed, with distances."""
    ports: dict[str, int]
    lanes: int
    """What is on the ways."""
    opened: dict[int, tuple[dict[str, int], dict[str, int]]]
    """What was closed near to the links and ports that were left then, as it was asked for."""

    def open(self, shut: int) -> tuple[dict[str, int], dict[str, int]]:
        """The links and ports that are left if some hexes and canals are closed."""
        road = self.road
        if not shut & self.lanes:
            return self.links, self.ports
        shut &= road.within
        found = self.opened.get(shut)
        if found is None:
            if len(self.opened) > _DETOURS:
                self.opened.clear()
            end = road.facts.numbers.pipeline_end
            ports = {hex: far for hex, far in road.open(self.ports, shut).items() if far <= end}
            found = self.opened[shut] = road.open(self.links, shut), ports
        return found


class Fairways:
    """The waters through which shortest lines lead between some Holding Areas, and to ports."""

    def __init__(self, facts: Facts, areas: tuple[str, ...], built: frozenset[str]) -> None:
        self.facts, self.areas = facts, areas
        spots = facts.set_of(areas)
        self.shapes: dict[int, Shape] = {}
        """What bears on the lines to how they hang together then, as it was asked for."""
        self.every: dict[str, Fairway] = {}
        self.lanes = 0
        for area in areas:
            way = self.every[area] = _roads(facts, area).fairway(spots, built)
            self.lanes |= way.lanes

    def shape(self, closed: int) -> Shape:
        """How the Holding Areas hang together if some hexes and canals are closed."""
        bearing = self._bearing(closed)
        found = self.shapes.get(bearing)
        if found is None:
            if len(self.shapes) > _SHAPES:
                self.shapes.clear()
            found = self.shapes[bearing] = Shape(self, bearing)
        return found

    def _bearing(self, closed: int) -> int:
        """Those of closed hexes and canals that bear on the lines: which lie on one, and what else
        is near where they are, so that it bears on the way round them."""
        found = 0
        if closed & self.lanes:
            for way in self.every.values():
                if closed & way.lanes:
                    found |= closed & way.road.within
        return found


_SHAPES = 30
"""Shapes of the same fairways that are remembered at most."""


class Shape:
    """How Holding Areas hang together, whatever they carry."""

    def __init__(self, fairways: Fairways, shut: int) -> None:
        """`shut`: the hexes and canals that no line goes through, as far as they bear on it."""
        self.number = next(_numbers)
        """No two of them have the same."""
        self.facts, self.areas = fairways.facts, fairways.areas
        self.links: dict[str, dict[str, int]] = {}
        """Holding Area to those that can be next to it in a line, with their distances by sea."""
        self.docks: dict[str, dict[str, int]] = {}
        """Port to the Holding Areas with which a line can end there, if no Enemies are in it."""
        self.moored: dict[tuple[str, ...], dict[str, frozenset[int]]] = {}
        """Ports to those of them that have any, with their groups, as it was asked for."""
        for area, way in fairways.every.items():
            self.links[area], ports = way.open(shut)
            for port, far in ports.items():
                self.docks.setdefault(port, {})[area] = far
        self.groups = numbered(self.links, self.links)
        """Holding Area to a number: lines lead between those that have the same."""


class Net(NamedTuple):
    """The Holding Areas that somebody can use, and how they hang together."""

    shape: Shape
    ships: dict[str, int]
    """Holding Area to its Merchant Ships."""
    links: dict[str, dict[str, int]]
    """Holding Area to those that can be next to it in a line, with their distances by sea."""
    shut: int
    """Hexes and canals that no line goes through, as bits."""
    built: frozenset[str]
    """Ports beside those that are printed on the map."""

    @property
    def closed(self) -> frozenset[str]:
        """Hexes and canals that no line goes through."""
        return frozenset(self.shape.facts.members(self.shut))

    def areas(self, port: str) -> dict[str, int]:
        """The Holding Areas with which a line can end at a port, with their distances by sea; do
        not change it."""
        facts = self.shape.facts
        if self.shut & facts.bits[port]:
            return {}
        if port in facts.ports or port in self.built:
            return self.shape.docks.get(port, {})
        found, end = {}, facts.numbers.pipeline_end  # to a coast without a port
        for area in self.ships:
            road = _roads(facts, area)
            if road.hexes & facts.bits[port]:
                far = road.open((port,), self.shut).get(port, _MOST)
                if far <= end:
                    found[area] = far
        return found

    def moored(self, ports: tuple[str, ...]) -> dict[str, frozenset[int]]:
        """Those of some Friendly ports at which a line can end, each with the groups of Holding
        Areas that it can lead to; do not change it."""
        shape = self.shape
        found = shape.moored.get(ports)
        if found is None:
            groups = shape.groups
            found = shape.moored[ports] = {
                port: frozenset([groups[area] for area in areas])
                for port in ports
                if (areas := shape.docks.get(port))
            }
        return found


def net(s: State, who: str) -> Net:
    """The Holding Areas of a nation and its friends (or of a whole side). An intact line has at
    most ten hexes between neighbours, counted along hexes that ships can pass. Enemy land units
    block the hex that they are in; Enemy ships and Zones of Control do not matter.

    Rules: 18.63a, 18.63b, 18.64a, 18.65, 9.42a, 9.42b, 12.43a
    """
    key = f"net:{who}"
    found: Net | None = s.lines.get(key)
    if found is None:
        found = s.lines[key] = _net(s, who)
    return found


def _net(s: State, who: str) -> Net:
    ships, spots, fairways = _shipping(s, who)
    closed, bits = _closed(s, who), s.facts.bits
    if closed & spots:
        ships = {hex: number for hex, number in ships.items() if not bits[hex] & closed}
        fairways = _fairways(s, tuple(ships))
    shape = fairways.shape(closed)
    return Net(shape, ships, shape.links, closed, s.ports)


def _fairways(s: State, areas: tuple[str, ...]) -> Fairways:
    """The waters between some Holding Areas, sorted."""
    kept = s.facts.kept("fairways", 60)
    key = (areas, s.ports)
    found: Fairways | None = kept.get(key)
    if found is None:
        found = kept[key] = Fairways(s.facts, *key)
    return found


class Merchantmen(NamedTuple):
    """The Merchant Ships that somebody can use."""

    ships: dict[str, int]
    """Hex to their number, sorted."""
    spots: int
    """These hexes as bits."""
    fairways: Fairways
    """The waters between them."""


def _shipping(s: State, who: str) -> Merchantmen:
    """The Merchant Ships that somebody can use, where Enemies are there too."""
    known: dict[str, Merchantmen] = s.convoys.setdefault("all", {})
    found = known.get(who)
    if found is None:
        ships: dict[str, int] = {}
        for nation in _partners(s, who):
            for hex, number in _convoys(s, nation).items():
                ships[hex] = ships.get(hex, 0) + number
        ships = dict(sorted(ships.items()))
        found = known[who] = Merchantmen(ships, s.facts.set_of(ships), _fairways(s, tuple(ships)))
    return found


def _partners(s: State, who: str) -> list[str]:
    """The nations whose Merchant Ships somebody can use."""
    known = relations(s)
    if who in OTHER:
        return [nation for nation in s.presence if known.side[nation] == who]
    friends = frozenset().union(*(known.friends[party] for party in who.split("+")))
    return [nation for nation in s.presence if nation in friends]


def _roads(facts: Facts, hex: str) -> Roadstead:
    kept = facts.kept("roads", len(facts.hexes))
    found: Roadstead | None = kept.get(hex)
    if found is None:
        found = kept[hex] = Roadstead(facts, hex)
    return found


def _convoys(s: State, nation: str) -> dict[str, int]:
    """Hex to the Merchant Ships of a nation."""
    found: dict[str, int] | None = s.convoys.get(nation)
    if found is None:
        found = {}
        for hex, _, number in s.units_of(nation, _MERCHANTS):
            found[hex] = found.get(hex, 0) + number
        s.convoys[nation] = found
    return found


_MERCHANTS = frozenset({"ms"})


def _foes(s: State, who: str) -> frozenset[str]:
    """The Enemies of a nation, or of anybody on a side who has units."""
    known = relations(s)
    parties = who.split("+")
    if who in OTHER:
        parties = [nation for nation in s.presence if known.side[nation] == who]
    return frozenset().union(*(known.enemies[party] for party in parties))


def _closed(s: State, who: str) -> int:
    """Hexes that no line goes through: with Enemy land units, but for those who are only landing
    there, and at the entrance of waters that are closed to its Merchant Ships; canals that Enemies
    hold; as bits.

    Rules: 18.63b, 19.81a
    """
    key = f"closed:{who}"
    found: int | None = s.paths.get(key)
    if found is None:
        found, bits, foes = 0, s.facts.bits, _foes(s, who)
        for nation in s.presence:
            if nation in foes:
                army = zones.army(s, nation)
                found |= army.at & ~army.landing
        found &= s.facts.shores
        for canal in s.facts.canals.values():
            if holder(s, canal.control) in foes:
                found |= bits[canal.id if canal.sides else canal.control]
        nations = _LEADERS.get(who, who).split("+")
        for entrance in s.facts.entrances.values():
            for hex in entrance:
                if any(waters.barred(s, nation, "ms", hex) for nation in nations):
                    found |= bits[hex]
        s.paths[key] = found
    return found


_LEADERS = {"axis": "germany", "allies": "commonwealth"}


def capacity(s: State, who: str, port: str, other: str, used: Used = _NOTHING) -> int:
    """What a pipeline between two ports carries for each of its purposes: the smallest of its
    Holding Areas on the best line. The ships of `used` are taken: each serves a purpose once.

    Rules: 18.6, 18.61, 18.64b, 9.24, 5.45a
    """
    return line(s, who, port, other, used).capacity


def route(s: State, who: str, port: str, other: str, used: Used = _NOTHING) -> tuple[str, ...]:
    """The Holding Areas of the best line between two ports; empty if there is none."""
    return line(s, who, port, other, used).areas


def line(s: State, who: str, port: str, other: str, used: Used = _NOTHING) -> Line:
    """The line between two ports that carries most, the shortest of those.

    Rules: 18.63a, 18.64b
    """
    return between(s, who, (port,), (other,), used)


def between(
    s: State,
    who: str,
    ports: Iterable[str],
    others: Iterable[str],
    used: Used = _NOTHING,
    inland: Iterable[Iterable[str]] = (),
) -> Line:
    """The line from one of these ports to one of the others that carries most, the shortest of
    those. It may lead overland between ports that stand together in `inland`.

    Rules: 18.61, 18.63a, 18.64b
    """
    found = net(s, who)
    if inland:
        found = found._replace(links=_leaps(found, inland))
    return widest(found, _ends(found, ports), _ends(found, others), used)


def _leaps(net: Net, inland: Iterable[Iterable[str]]) -> dict[str, dict[str, int]]:
    """The links of a net, and those between Holding Areas near ports that are joined overland."""
    links = {area: others.copy() for area, others in net.links.items()}
    for ports in inland:
        near = _ends(net, ports)
        for one, far in near.items():
            for other, beyond in near.items():
                if one != other:
                    links[one].setdefault(other, far + beyond)
    return links


def _ends(net: Net, ports: Iterable[str]) -> dict[str, int]:
    """The Holding Areas near ports, with the distance to the nearest."""
    found: dict[str, int] = {}
    for port in ports:
        for area, far in net.areas(port).items():
            found[area] = min(far, found.get(area, far))
    return found


def widest(
    net: Net, starts: Mapping[str, int], goals: Mapping[str, int], used: Used = _NOTHING
) -> Line:
    """The line from one of the first Holding Areas to one of the last (each with the distance to
    its port) that carries most, the shortest of those."""
    heap: list[tuple[int, int, tuple[str, ...], bool]] = []
    best: dict[str, tuple[int, int]] = {}

    def reach(before: int, areas: tuple[str, ...], there: str, length: int) -> None:
        room = min(before, net.ships[there] - used.get(there, 0))
        rank = (-room, length)
        if room > 0 and rank <= best.get(there, rank):
            best[there] = rank
            heappush(heap, (-room, length, (*areas, there), False))

    for area, far in starts.items() if goals else ():
        reach(_MOST, (), area, far)
    seen: set[str] = set()
    while heap:
        less, length, areas, whole = heappop(heap)
        if whole:
            return Line(areas, -less, length)
        here = areas[-1]
        if here in seen:
            continue
        seen.add(here)
        if here in goals:
            heappush(heap, (less, length + goals[here], areas, True))
        for there, far in net.links[here].items():
            if there not in seen:
                reach(-less, areas, there, length + far)
    return Line((), 0, 0)


_MOST = 10**6


def lines(s: State, which: str, ports: Iterable[str] = ()) -> tuple[Link, ...]:
    """All lines of a side: what each link between two Holding Areas carries, and each between one
    of these ports and a Holding Area near it."""
    found = net(s, which)
    ships = found.ships
    links = [
        Link(one, other, min(ships[one], ships[other]))
        for one, others in found.links.items()
        for other in others
        if one < other
    ]
    links += [Link(port, area, ships[area]) for port in ports for area in found.areas(port)]
    return tuple(links)
