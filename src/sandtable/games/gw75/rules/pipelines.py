"""Merchant Ship Pipelines (18.6): lines of Holding Areas from port to port, and what they carry.

Who uses them is a nation (with the ships of its friends), two nations that trade ("usa+france"), or
a whole side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from sandtable.board.graphs import numbered
from sandtable.games.gw75.facts import Facts
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import waters, zones
from sandtable.games.gw75.rules.terms import OTHER, holder, relations

Used = Mapping[str, int]
"""Holding Area to the points that it carries already for one purpose."""

_NOTHING: Used = {}
_OPEN: frozenset[str] = frozenset()
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
    """The Holding Areas round a hex by sea, whatever is closed."""

    def __init__(self, facts: Facts, hex: str) -> None:
        self.facts, self.hex = facts, hex
        self.far = facts.voyages(hex, facts.numbers.pipeline_step, _OPEN)
        """Hex to its distance if nothing is closed."""
        self.within = facts.set_of((*self.far, *facts.canals))
        self.lanes: dict[tuple[int, int, int], tuple[tuple[str, ...], int]] = {}
        """Holding Areas, and distances from and to, to those of them that are there and to all that
        is on a way to one of them."""
        self.found: dict[tuple[int, int, int, int], dict[str, int]] = {}

    def near(self, shape: Shape, least: int, most: int) -> dict[str, int]:
        """The Holding Areas of a net that are so far away, with the distance; do not change it."""
        areas = shape.spots & self.within
        lanes = self.lanes.get((areas, least, most))
        if lanes is None:
            if len(self.lanes) > _ROADS:
                self.lanes.clear()
                self.found.clear()
            lanes = self.lanes[areas, least, most] = self._lanes(shape.areas, least, most)
        closed = shape.shut & self.within if shape.shut & lanes[1] else 0
        found = self.found.get((areas, least, most, closed))
        if found is None:
            # Kept when it is whole: others look at it too, and the work may be given up.
            found = {}
            for area in lanes[0]:
                far = self._distance(area, closed)
                if far <= most:
                    found[area] = far
            if len(self.found) > _ROADS:
                self.found.clear()
            self.found[areas, least, most, closed] = found
        return found

    def _lanes(self, areas: tuple[str, ...], least: int, most: int) -> tuple[tuple[str, ...], int]:
        far, step = self.far, self.facts.numbers.pipeline_step
        found = tuple(area for area in areas if least <= far.get(area, _MOST) <= most)
        every = 0
        for area in found:
            every |= self.facts.lane(area, self.hex, step)
        return found, every

    def _distance(self, area: str, closed: int) -> int:
        """How far it is to a Holding Area if something near is closed."""
        facts, step = self.facts, self.facts.numbers.pipeline_step
        if closed & facts.lane(area, self.hex, step):
            round_about = facts.voyages(self.hex, step, frozenset(facts.members(closed)))
            return round_about.get(area, _MOST)
        return self.far[area]


_ROADS = 300
"""Sets of Holding Areas round a hex that are remembered at most."""


class Shape:
    """How Holding Areas hang together, whatever they carry."""

    def __init__(
        self, facts: Facts, areas: tuple[str, ...], shut: int, before: Shape | None
    ) -> None:
        self.number = next(_numbers)
        """No two of them have the same."""
        self.facts, self.areas, self.spots = facts, areas, facts.set_of(areas)
        """The Holding Areas, sorted, and as bits (`Facts.bits`)."""
        self.shut = shut
        """Hexes and canals that no line goes through, as bits."""
        self.links: dict[str, dict[str, int]] = {}
        """Holding Area to those that can be next to it in a line, with their distances by sea."""
        self.known: dict[str, dict[str, int]] = {}
        """Port to the Holding Areas near it, as far as it was asked for."""
        self.docks: dict[str, frozenset[int]] = {}
        """Port to their numbers, as far as it was asked for."""
        self.moored: dict[tuple[str, ...], dict[str, frozenset[int]]] = {}
        """Ports to those of them that have any, with their numbers, as it was asked for."""
        kept: dict[str, dict[str, int]] = {}
        if before is not None:  # what lies far from any change holds
            changed = (self.spots ^ before.spots) | (shut ^ before.shut)
            kept, self.known = (
                {hex: near for hex, near in each.items() if not changed & _roads(facts, hex).within}
                for each in (before.links, before.known)
            )
        step = facts.numbers.pipeline_step
        for area in areas:
            near = kept.get(area)
            self.links[area] = _roads(facts, area).near(self, 1, step) if near is None else near
        self.groups = numbered(self.links, self.links)
        """Holding Area to a number: lines lead between those that have the same."""

    @cached_property
    def closed(self) -> frozenset[str]:
        """Hexes and canals that no line goes through."""
        return frozenset(self.facts.members(self.shut))


class Net(NamedTuple):
    """The Holding Areas that somebody can use, and how they hang together."""

    shape: Shape
    ships: dict[str, int]
    """Holding Area to its Merchant Ships."""
    links: dict[str, dict[str, int]]
    """Holding Area to those that can be next to it in a line, with their distances by sea."""

    @property
    def closed(self) -> frozenset[str]:
        """Hexes and canals that no line goes through."""
        return self.shape.closed

    def areas(self, port: str) -> dict[str, int]:
        """The Holding Areas with which a line can end at a port, with their distances by sea."""
        shape = self.shape
        found = shape.known.get(port)
        if found is None:
            end = shape.facts.numbers.pipeline_end
            found = shape.known[port] = _roads(shape.facts, port).near(shape, 0, end)
        return found

    def groups(self, port: str) -> frozenset[int]:
        """The groups of Holding Areas with which a line can end at a port."""
        shape = self.shape
        found = shape.docks.get(port)
        if found is None:
            found = frozenset(shape.groups[area] for area in self.areas(port))
            shape.docks[port] = found
        return found

    def moored(self, ports: tuple[str, ...]) -> dict[str, frozenset[int]]:
        """Those of some ports at which a line can end, each with its groups; do not change it."""
        found = self.shape.moored.get(ports)
        if found is None:
            found = {port: groups for port in ports if (groups := self.groups(port))}
            self.shape.moored[ports] = found
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
    ships, spots = _shipping(s, who)
    closed, bits = _closed(s, who), s.facts.bits
    if closed & spots:
        ships = {hex: number for hex, number in ships.items() if not bits[hex] & closed}
    kept = s.facts.kept("shapes", 200)
    key = (tuple(ships), closed)
    shape: Shape | None = kept.get(key)
    if shape is None:
        latest = s.facts.kept("latest shapes", 60)
        shape = kept[key] = latest[who] = Shape(s.facts, *key, latest.get(who))
    return Net(shape, ships, shape.links)


def _shipping(s: State, who: str) -> tuple[dict[str, int], int]:
    """Hex to the Merchant Ships that somebody can use, sorted; with the hexes as bits."""
    known: dict[str, tuple[dict[str, int], int]] = s.convoys.setdefault("all", {})
    found = known.get(who)
    if found is None:
        ships: dict[str, int] = {}
        for nation in _partners(s, who):
            for hex, number in _convoys(s, nation).items():
                ships[hex] = ships.get(hex, 0) + number
        found = known[who] = dict(sorted(ships.items())), s.facts.set_of(ships)
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
        for hex, unit, number in s.units_of(nation):
            if unit.type == "ms":
                found[hex] = found.get(hex, 0) + number
        s.convoys[nation] = found
    return found


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
    s: State, who: str, ports: Iterable[str], others: Iterable[str], used: Used = _NOTHING
) -> Line:
    """The line from one of these ports to one of the others that carries most, the shortest of
    those.

    Rules: 18.63a, 18.64b
    """
    found = net(s, who)
    return widest(found, _ends(found, ports), _ends(found, others), used)


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

    def reach(before: int, areas: tuple[str, ...], length: int) -> None:
        room = min(before, net.ships[areas[-1]] - used.get(areas[-1], 0))
        if room > 0:
            heappush(heap, (-room, length, areas, False))

    for area, far in starts.items():
        reach(_MOST, (area,), far)
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
                reach(-less, (*areas, there), length + far)
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
