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
from sandtable.games.gw75.facts import Facts
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import waters, zones
from sandtable.games.gw75.rules.terms import OTHER, at_war, friends, holder, side

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


class Charts:
    """What is round Holding Areas by sea if nothing is closed."""

    def __init__(self, facts: Facts, areas: Iterable[str], others: Iterable[Charts]) -> None:
        """With other charts, of which those that are most alike are taken over."""
        self.facts, self.areas = facts, frozenset(areas)
        self.lanes: dict[str, list[tuple[str, int, frozenset[str]]]] = {}
        """Hex to the Holding Areas round it, each with its distance and a way there."""
        alike = min(others, key=lambda other: len(other.areas ^ self.areas), default=None)
        if alike is not None:
            step = facts.numbers.pipeline_step
            new = [facts.voyages(area, step, _OPEN) for area in alike.areas ^ self.areas]
            for hex, lanes in alike.lanes.items():
                if not any(hex in around for around in new):
                    self.lanes[hex] = lanes

    def near(self, hex: str, most: int, closed: frozenset[str]) -> dict[str, int]:
        """The Holding Areas within a distance of a hex, with it, if some hexes are closed."""
        step = self.facts.numbers.pipeline_step
        known = self.lanes.get(hex)
        if known is None:
            around = self.facts.voyages(hex, step, _OPEN)
            known = self.lanes[hex] = [
                (area, around[area], self.facts.lane(area, hex, step))
                for area in sorted(self.areas & around.keys())
            ]
        found = {}
        for area, far, lane in known:
            if far <= most:
                if not closed.isdisjoint(lane):
                    far = self.facts.voyages(area, step, closed).get(hex, _MOST)
                if far <= most:
                    found[area] = far
        return found


class Net(NamedTuple):
    """The Holding Areas that somebody can use, and how they hang together."""

    number: int
    """No two of them have the same."""
    charts: Charts
    closed: frozenset[str]
    """Hexes and canals that no line goes through."""
    ships: dict[str, int]
    """Holding Area to its Merchant Ships."""
    links: dict[str, dict[str, int]]
    """Holding Area to those that can be next to it in a line, with their distances by sea."""
    groups: dict[str, int]
    """Holding Area to a number: lines lead between those that have the same."""
    known: dict[str, dict[str, int]]
    """Port to the Holding Areas near it, as far as it was asked for."""

    def areas(self, port: str) -> dict[str, int]:
        """The Holding Areas with which a line can end at a port, with their distances by sea."""
        found = self.known.get(port)
        if found is None:
            end = self.charts.facts.numbers.pipeline_end
            found = self.known[port] = self.charts.near(port, end, self.closed)
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
    ships: dict[str, int] = {}
    parties = who.split("+")
    for nation in s.presence:
        if side(s, nation) == who or (
            who not in OTHER and any(friends(s, party, nation) for party in parties)
        ):
            for hex, number in _convoys(s, nation).items():
                ships[hex] = ships.get(hex, 0) + number
    closed = _closed(s, who)
    ships = {hex: number for hex, number in sorted(ships.items()) if hex not in closed}
    kept = s.facts.kept("nets", 200)
    key = (tuple(ships.items()), closed)
    found: Net | None = kept.get(key)
    if found is None:
        charts = _charts(s.facts, ships)
        step = s.facts.numbers.pipeline_step
        links = {hex: charts.near(hex, step, closed) for hex in ships}
        for hex, others in links.items():
            del others[hex]
        groups = numbered(links, links)
        found = kept[key] = Net(next(_numbers), charts, closed, ships, links, groups, {})
    return found


def _charts(facts: Facts, areas: Iterable[str]) -> Charts:
    kept = facts.kept("charts", 50)
    key = tuple(areas)
    found: Charts | None = kept.get(key)
    if found is None:
        found = kept[key] = Charts(facts, key, [*kept.values()][-8:])
    return found


def _convoys(s: State, nation: str) -> dict[str, int]:
    """Hex to the Merchant Ships of a nation."""
    found: dict[str, int] | None = s.convoys.get(nation)
    if found is None:
        found = s.convoys[nation] = {}
        for hex, unit, number in s.units_of(nation):
            if unit.type == "ms":
                found[hex] = found.get(hex, 0) + number
    return found


def enemies(s: State, who: str) -> frozenset[str]:
    """The hexes with land units of the Enemies of a nation, or of anybody on a side, but for those
    who are only landing there."""
    key = f"enemies:{who}"
    found: frozenset[str] | None = s.paths.get(key)
    if found is None:
        hostile = [zones.army(s, nation) for nation in s.presence if _hostile(s, who, nation)]
        found = s.paths[key] = frozenset().union(*(each.hexes - each.landing for each in hostile))
    return found


def _hostile(s: State, who: str, nation: str) -> bool:
    if who not in OTHER:
        return any(at_war(s, party, nation) for party in who.split("+"))
    return any(side(s, one) == who and at_war(s, one, nation) for one in s.presence)


def _closed(s: State, who: str) -> frozenset[str]:
    """Hexes that no line goes through: with Enemy land units, and at the entrance of waters that
    are closed to its Merchant Ships; canals that Enemies hold.

    Rules: 18.63b, 19.81a
    """
    closed = {*(enemies(s, who) & s.facts.coasts)}
    for canal in s.facts.canals.values():
        if _hostile(s, who, holder(s, canal.control)):
            closed.add(canal.id if canal.sides else canal.control)
    nations = _LEADERS.get(who, who).split("+")
    for entrance in s.facts.entrances.values():
        for hex in entrance:
            if any(waters.barred(s, nation, "ms", hex) for nation in nations):
                closed.add(hex)
    return frozenset(closed)


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
