"""Pipelines as a player looks at them and changes them: from port to port, with what they carry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.games.gw75 import words
from sandtable.games.gw75.facts import MAJORS, pair
from sandtable.games.gw75.forms.parts import hexes
from sandtable.games.gw75.model import State, Unit
from sandtable.games.gw75.rules import (
    industry,
    lend_lease,
    merchant_shipping,
    naval,
    naval_movement,
    pipelines,
    ports,
    strategic,
    supply,
    waters,
)
from sandtable.games.gw75.rules.naval_movement import Sail
from sandtable.games.gw75.rules.pipelines import Net
from sandtable.games.gw75.rules.terms import (
    MOBILE,
    at_war,
    commander,
    enemy_ground,
    friends,
    holder,
    nations,
    side,
)
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Course, Network, NoQuestion, Plan
from sandtable.kernel.table import Table

HOMES = {"commonwealth": "united_kingdom"}
"""The country from which the pipelines of a power lead, where that has another name."""
FAR = 10**4

Ends = tuple[str, str]


class Goal(NamedTuple):
    """What a power wants a pipeline for."""

    note: str
    enough: int = FAR
    nations: tuple[str, ...] = ()
    """Whose ships and Communications Areas it may use, where that is not the power alone."""
    wanted: bool = True
    """It is told of even if there is none."""


class Pipeline(NamedTuple):
    """A pipeline that matters to a power: from one of these ports to one of those."""

    nation: str
    here: tuple[str, ...]
    there: tuple[str, ...]
    label: str
    note: str = ""
    enough: int = FAR
    """Ships that it does not need beyond this capacity are to spare."""


# --- as they are ----------------------------------------------------------------------------------


def network(s: State, player: str, more: tuple[Pipeline, ...] = ()) -> Network:
    """The pipelines of a player's powers, and some more; they can be changed where Merchant Ships
    move."""
    found = [(each, _course(s, each)) for each in (*more, *_pipelines(s, player))]
    courses = tuple(course for _, course in found)
    if naval_movement.number_of(s) != 3:
        return Network("Pipelines", courses)
    ends = {port for nation in _powers(s, player) for port in ports.of(s, nation)}
    fleet = _Fleet(s, player)
    for pipeline, course in found:
        fleet.keep(pipeline.nation, course.stations, min(course.capacity, pipeline.enough))
    return Network("Pipelines", courses, tuple(sorted(ends)), _spare(fleet.spare()))


def _spare(number: int) -> str:
    """How many Merchant Ships no pipeline needs."""
    return f"{number or 'No'} Merchant Ship{'' if number == 1 else 's'} to spare"


def _powers(s: State, player: str) -> list[str]:
    return [
        nation for nation in MAJORS if commander(s, nation) == player and nation not in s.fallen
    ]


def _pipelines(s: State, player: str) -> Iterator[Pipeline]:
    """Those on which industry depends, that carry Production Points, and that lead to units
    overseas; none that a Communications Area makes needless."""
    told = set()
    for nation in _powers(s, player):
        home = HOMES.get(nation, nation)
        here = _moorings(s, nation, home)
        for to, goal in _goals(s, nation).items():
            hex = s.facts.hexes.get(to)
            both = frozenset({home, hex.country if hex else to})
            there = (to,) if hex else _moorings(s, nation, to)
            if len(both) < 2 or both in told or not here or not there:
                continue
            link = industry.link(s, goal.nations or (nation,), here, there, {})
            if link.capacity == industry.UNLIMITED or not (link.capacity or goal.wanted):
                continue
            told.add(both)
            where = hex.name if hex else s.facts.name(to)
            label = f"{s.facts.name(home)} to {where}"
            yield Pipeline(nation, here, there, label, goal.note, goal.enough)


def _goals(s: State, nation: str) -> dict[str, Goal]:
    """The countries (or ports) to which a power wants pipelines."""
    goals = {
        need.to: Goal(
            "Industry depends on it." if need.met else "Without it an Industrial Hex is idle."
        )
        for need in industry.needs(s, nation)
        if need.to
    }
    for country in industry.pots(s, nation):
        if country:
            goals.setdefault(country, Goal("For Production Points."))
    for other in MAJORS:
        if other != nation and not lend_lease.barred(s, nation, other):
            goal = Goal("For Lend-Lease.", nations=(nation, other), wanted=False)
            goals.setdefault(HOMES.get(other, other), goal)
    overseas: dict[str, int] = {}
    for hex, unit, count in s.units_of(nation):
        country = s.facts.hexes[hex].country
        if unit.type in MOBILE and country:
            overseas[country] = overseas.get(country, 0) + count
    for country, points in overseas.items():
        told = f"For {points} Strength Point{'' if points == 1 else 's'} there."
        goals.setdefault(country, Goal(told, points))
    return goals


def _moorings(s: State, nation: str, country: str) -> tuple[str, ...]:
    """The ports of a country in which a pipeline of a nation can end."""
    return tuple(
        hex
        for hex in s.facts.country_hexes[country]
        if ports.there(s, hex)
        and not at_war(s, nation, holder(s, hex))
        and not enemy_ground(s, nation, hex)
    )


def _course(s: State, pipeline: Pipeline) -> Course:
    """A pipeline as it is. What is left of it is what supply has not used, or in its phase
    Strategic Movement."""
    nation, here, there, label, note, _ = pipeline
    line = pipelines.between(s, nation, here, there)
    if not line.areas:
        pairs = ((one, other) for one in here for other in there)
        return Course(min(pairs, key=lambda ends: s.facts.distance(*ends)), label, note=note)
    net = pipelines.net(s, nation)
    first, last = line.areas[0], line.areas[-1]
    one = min(here, key=lambda port: net.areas(port).get(first, FAR))
    other = min(there, key=lambda port: net.areas(port).get(last, FAR))
    moving = s.phase.endswith("strategic_movement")
    used = strategic.shipped(s) if moving else supply.urgent(s, side(s, nation)).used
    return Course(
        (one, other),
        label,
        line.capacity,
        pipelines.between(s, nation, here, there, used).capacity,
        _way(s, net, (one, *line.areas, other)),
        {area: net.ships[area] for area in line.areas},
        note,
    )


def _way(s: State, net: Net, stops: tuple[str, ...]) -> tuple[str, ...]:
    """The hexes from stop to stop by sea."""
    facts, path = s.facts, [stops[0]]
    shut = {side for id in net.closed & facts.canals.keys() for side in facts.canals[id].sides}
    for stop in stops[1:]:
        far = facts.voyages(stop, facts.numbers.pipeline_step, net.closed)
        while path[-1] != stop:
            here = path[-1]
            path.append(
                next(
                    near
                    for near in facts.sea[here]
                    if far.get(near, FAR) < far[here] and pair(here, near) not in shut
                )
            )
    return tuple(path)


# --- changing them --------------------------------------------------------------------------------


class Impossible(Exception):
    """Why a pipeline cannot be as it should, in a sentence."""


class _Ship(NamedTuple):
    """Merchant Ships of a player in a hex that are alike."""

    hex: str
    unit: Unit
    number: int


class _Fleet:
    """The Merchant Ships of a player, what pipelines need of them, and where they are to go."""

    def __init__(self, s: State, player: str) -> None:
        self.s = s
        self.nets = {nation: pipelines.net(s, nation) for nation in _powers(s, player)}
        self.needed: dict[str, dict[str, int]] = {nation: {} for nation in self.nets}
        self.gone: dict[tuple[str, str], int] = {}
        """Nation and hex to the ships that are to leave, less those that are to come."""
        self.ships = [
            _Ship(hex, unit, number)
            for nation in nations(s, player)
            for hex, unit, number in s.units_of(nation)
            if unit.type == "ms" and naval_movement.left(s, hex, unit)
        ]
        self.moves: list[Sail] = []

    def keep(self, nation: str, areas: Mapping[str, int], number: int) -> None:
        """So many ships have to be in each of these hexes."""
        needed = self.needed[nation]
        for hex in areas:
            needed[hex] = max(number, needed.get(hex, 0))

    def have(self, nation: str, hex: str) -> int:
        """The ships in a hex that a nation can use, after the moves so far."""
        gone = sum(
            number
            for (other, at), number in self.gone.items()
            if at == hex and friends(self.s, nation, other)
        )
        return self.nets[nation].ships.get(hex, 0) - gone

    def free(self, ship: _Ship) -> int:
        """How many of some ships no pipeline needs."""
        s, nation = self.s, ship.unit.nation
        spare = merchant_shipping.surplus(s, nation, ship.hex) - max(
            self.gone.get((nation, ship.hex), 0), 0
        )
        for power, needed in self.needed.items():
            if friends(s, power, nation):
                spare = min(spare, self.have(power, ship.hex) - needed.get(ship.hex, 0))
        return max(0, min(spare, ship.number))

    def spare(self, nation: str = "") -> int:
        """How many ships no pipeline needs, of those that a nation can use."""
        return sum(
            self.free(ship)
            for ship in self.ships
            if not nation or friends(self.s, nation, ship.unit.nation)
        )

    def gather(self) -> None:
        """Send ships to where they are needed, the nearest first."""
        s = self.s
        for nation, needed in self.needed.items():
            lack = sum(max(0, n - self.have(nation, hex)) for hex, n in needed.items())
            spare = self.spare(nation)
            if lack > spare:
                raise Impossible(
                    f"That takes {lack} Merchant Ship{'' if lack == 1 else 's'} more, and "
                    f"{words.the(s.facts, nation)} has {spare or 'none'} to spare. Take capacity "
                    "from another pipeline first."
                )
            for hex, number in needed.items():
                for ship in sorted(self.ships, key=lambda ship: s.facts.distance(ship.hex, hex)):
                    lack = number - self.have(nation, hex)
                    if lack > 0 and friends(s, nation, ship.unit.nation):
                        self._send(ship, hex, lack)
                if number > self.have(nation, hex):
                    raise Impossible(
                        f"No Merchant Ship that is to spare can get to {s.facts.name(hex)}."
                    )

    def _send(self, ship: _Ship, hex: str, most: int) -> None:
        number = min(most, self.free(ship))
        if not number:
            return
        found = naval_movement.reach(self.s, ship.hex, (ship.unit,), ends={hex})
        if hex not in found:
            return
        nation = ship.unit.nation
        self.moves.append(Sail(nation, naval_movement.way(found, hex), {"ms": number}))
        for at, gone in ((ship.hex, number), (hex, -number)):
            self.gone[nation, at] = self.gone.get((nation, at), 0) + gone
        self.ships.remove(ship)
        self.ships.append(ship._replace(number=ship.number - number))


def plan(legal: Legal, wanted: Mapping[Ends, int]) -> Plan:
    """The moves of Merchant Ships that give pipelines another capacity or lay new ones, with the
    fewest ships. Those that no pipeline needs are taken, the nearest first.

    Rules: 18.63a, 18.64a, 12.41a
    """
    s: State = legal.state
    player = legal.asked.power
    if naval_movement.number_of(s) != 3:
        raise NoQuestion("Merchant Ships move only in the third Naval Phase.")
    known = {_course(s, each).ends: each for each in _pipelines(s, player)}
    try:
        more = tuple(_new(s, player, ends) for ends in wanted if ends not in known)
        fleet = _Fleet(s, player)
        raised = []
        for pipeline in (*known.values(), *more):
            course = _course(s, pipeline)
            enough = min(course.capacity, pipeline.enough)
            capacity = wanted.get(course.ends, enough)
            if capacity > course.capacity:
                raised.append((pipeline, course.ends, capacity))
            else:
                fleet.keep(pipeline.nation, course.stations, capacity)
        for pipeline, ends, capacity in raised:
            areas = _laid(s, fleet, pipeline.nation, ends, capacity)
            fleet.keep(pipeline.nation, dict.fromkeys(areas, 0), capacity)
        fleet.gather()
    except Impossible as problem:
        return Plan(network(s, player), problem=str(problem))
    after = s.copy()
    table: Table[State] = Table(after, lambda *_: None, lambda event: None, lambda strict: None)
    for sail in fleet.moves:
        for _ in naval._carry_out(table, sail):
            raise AssertionError("Merchant Ships are never attacked on their way.")
    found = network(after, player, more)
    # Who has asked about a pipeline knows it by the ends that it had.
    asked = {each.label: ends for ends, each in known.items()}
    courses = tuple(replace(each, ends=asked.get(each.label, each.ends)) for each in found.courses)
    return Plan(
        replace(found, courses=courses, note=_spare(fleet.spare())),
        tuple(_move(s, sail) for sail in fleet.moves),
    )


def _move(s: State, sail: Sail) -> Choice:
    start, goal = s.facts.name(sail.path[0]), s.facts.name(sail.path[-1])
    return Choice(
        f"{sail.units['ms']} from {start} to {goal}",
        plain(sail),
        detail=hexes(len(sail.path) - 1),
        spaces=sail.path,
        power=sail.nation,
    )


def _new(s: State, player: str, ends: Ends) -> Pipeline:
    """A pipeline between two Friendly ports."""
    one, other = ends
    if one == other:
        raise Impossible("A pipeline has two ends.")
    for port in ends:
        if port not in s.facts.hexes:
            raise NoQuestion("There is no such hex.")
    for nation in sorted(_powers(s, player), key=lambda nation: nation != holder(s, one)):
        if all(ports.friendly(s, nation, port) for port in ends):
            names = [s.facts.hexes[port].name or port for port in ends]
            return Pipeline(nation, (one,), (other,), " to ".join(names))
    raise Impossible("A pipeline leads from one Friendly port to another.")


def _laid(s: State, fleet: _Fleet, nation: str, ends: Ends, capacity: int) -> tuple[str, ...]:
    """The Holding Areas of a line of this capacity that needs the fewest ships more, the fewest
    areas and the shortest of those. They are where ships are, where the map has them, or on the
    direct way.

    Rules: 18.63a, 18.63b, 12.43b
    """
    facts, name = s.facts, s.facts.name
    step, end = facts.numbers.pipeline_step, facts.numbers.pipeline_end
    net = fleet.nets[nation]
    far = facts.voyages(ends[1], FAR, net.closed)
    if ends[0] not in far:
        raise Impossible(
            f"No way by sea leads from {name(ends[0])} to {name(ends[1])} past Enemy land units "
            "and closed waters."
        )
    direct = [ends[0]]
    while direct[-1] != ends[1]:
        direct.append(min(facts.sea[direct[-1]], key=lambda near: far.get(near, FAR)))
    lack = {}
    for hex in (*net.ships, *facts.holding_areas, *direct):
        here = max(net.ships.get(hex, 0), fleet.needed[nation].get(hex, 0))
        lack[hex] = max(0, capacity - here)
    able = {
        hex
        for hex, number in lack.items()
        if hex not in net.closed and not (number and waters.closed(s, nation, "ms", hex)[0])
    }
    goals = facts.voyages(ends[1], end, net.closed)
    heap: list[tuple[int, int, int, tuple[str, ...]]] = []
    for hex, length in facts.voyages(ends[0], end, net.closed).items():
        if hex in able:
            heappush(heap, (lack[hex], 1, length, (hex,)))
    seen = set()
    while heap:
        ships, number, length, areas = heappop(heap)
        if areas[-1] in goals:
            return areas
        if areas[-1] in seen:
            continue
        seen.add(areas[-1])
        for hex, more in facts.voyages(areas[-1], step, net.closed).items():
            if hex in able and hex not in seen:
                heappush(heap, (ships + lack[hex], number + 1, length + more, (*areas, hex)))
    raise Impossible(
        f"Enemy units are where Holding Areas between {name(ends[0])} and {name(ends[1])} would "
        "have to be."
    )
