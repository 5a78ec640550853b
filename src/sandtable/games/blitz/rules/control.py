"""Taking control of land areas (6.6) and what follows from it (3.4, 7.2, 8, 9.9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.rules import alignment, conquest
from sandtable.games.blitz.rules.counters import destroy, hand_over
from sandtable.games.blitz.rules.factors import land_factors
from sandtable.games.blitz.rules.movement import air_range, air_reach, port_seas, sea_reach
from sandtable.games.blitz.rules.neutral_entry import only_limits_production, shift
from sandtable.games.blitz.rules.opening import opening_control
from sandtable.games.blitz.rules.scenarios import after_action
from sandtable.games.blitz.rules.sides import (
    country_of,
    friendly,
    home_of,
    introduced,
    powers_of,
    side_of,
)
from sandtable.games.blitz.rules.supply import network
from sandtable.games.blitz.rules.victory import open_to, score
from sandtable.kernel.decisions import Decision, Request, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Loot(Decision, frozen=True, tag="loot"):
    """Take goods instead of points: so many points as Oil, the others as Resources."""

    oil: int


class TakePoints(Decision, frozen=True, tag="take_points"):
    """Take the Victory Points of the Factory."""


class LootFactory(Request, frozen=True, tag="loot_factory"):
    """Points for a Factory that was taken, or Oil and Resources instead (9.9)."""

    area: str
    points: int

    answers: ClassVar[tuple[type[Decision], ...]] = (TakePoints, Loot)

    def check(self, state: State, decision: Decision) -> None:
        """Rules: 9.9a"""
        if isinstance(decision, Loot) and not 0 <= decision.oil <= self.points:
            raise IllegalDecision(
                f"Of {self.points} points, 0 to {self.points} can be taken as Oil.", "9.9a"
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        yield TakePoints()
        for oil in range(self.points + 1):
            yield Loot(oil)


def take_control(g: Table[State], area: str, power: str) -> Procedure[None]:
    """Give a land area to a power that took it, and carry out everything that follows.

    Markers of neutral entry move, countries are conquered or liberated, enemy air and naval units
    there are overrun, Factories score, minors align.

    Rules: 6.6.overrun-a, 3.4.conq-a, 3.4.lib-e, 7.2b, 8.industry-a, 9.2j, A.2a
    """
    s = g.state
    old, side, land = s.control[area], s.facts.side[power], s.facts.lands[area]
    if old == power:
        return
    taken = old != NEUTRAL and s.facts.side[old] != side
    conquest.give(g, area, power)
    g.emit("control_taken", area=area, power=power, old=old)
    _send_commanders_back(g, area, side)
    if power == "germany" and land.country == "ussr" and only_limits_production(s, "ussr"):
        s.entry.pop("ussr", None)
    if taken and land.oil + land.resource:
        event = "axis_takes_goods" if side == "axis" else "allies_take_goods"
        yield from shift(g, event, land.oil + land.resource)
    freed = yield from conquest.check(g, country_of(s, area), side)
    if taken and not freed and introduced(s, "F"):
        yield from conquest.liberate_area(g, area, power)
    if area == "vichy_france" and "vichy" in s.flags and side == "axis":
        yield from _roll_for_fleets(g, power)
    for id in s.units_at(area):
        unit = s.units.get(id)
        if unit is None or unit.aboard or s.domain(id) == "land":
            continue
        if side_of(s, unit.power) != side:
            yield from displace(g, id, power)
    if taken and land.factory and s.control[area] == power:
        yield from _score_factory(g, area, power)
    yield from conquest.settle(g, side)
    yield from alignment.settle(g)
    yield from after_action(g)


def _send_commanders_back(g: Table[State], area: str, side: str) -> None:
    """Enemy commanders who were there without a unit return.

    Rules: 9.5i
    """
    s = g.state
    for name, (where, unit) in list(s.commanders.items()):
        if where == area and not unit and side_of(s, s.facts.commanders[name].power) != side:
            del s.commanders[name]
            g.emit("commander_returned", commander=name, at=area)


# --- overrun units ----------------------------------------------------------------------------


def displace(g: Table[State], id: str, chooser: str) -> Procedure[None]:
    """Move an air or naval unit out of its land area to the closest one with room and supply.

    `chooser` decides between equally close ones. If none is within three times its movement the
    unit is destroyed.

    Rules: 6.6.overrun-a, 6.6.overrun-b, 1.3.stack-f
    """
    s = g.state
    cost: dict[tuple[str, str], int] = {}
    supplied = network(s, s.units[id].power, home_of(s, id)) if introduced(s, "D") else None
    for area, distance, seas in _ways(s, id):
        if area == s.units[id].at or not friendly(s, area, s.units[id].power):
            continue
        if supplied is not None and area not in supplied:
            continue
        for port in conquest.berths(s, id, area):
            if not seas or seas in s.facts.ports[area][port].seas:
                cost[area, port] = min(distance, cost.get((area, port), distance))
    if chooser not in s.scenario.powers:
        chooser = powers_of(s, side_of(s, chooser))[0]
    least = min(cost.values(), default=0)
    places = sorted(place for place, distance in cost.items() if distance == least)
    yield from conquest.put_out(g, id, chooser, places)


def _ways(s: State, id: str) -> Iterator[tuple[str, int, str]]:
    """Land areas within three times a unit's movement: each with the moves that it takes, and for
    a ship the last sea on the way."""
    unit, factor = s.units[id], s.facts.numbers.rebase_factor
    if s.domain(id) == "air":
        for area, moves in air_reach(s, unit.at, factor * air_range(s, id)).items():
            if area in s.control:
                yield area, moves, ""
        return
    limit = factor * s.facts.kinds[id].move
    for first in port_seas(s, id):
        for sea, moves in sea_reach(s, id, first, limit - 2).items():
            for area in s.facts.coast[sea]:
                if area in s.control:
                    yield area, moves + 2, sea


def _roll_for_fleets(g: Table[State], power: str) -> Procedure[None]:
    """An Axis power takes Vichy France: each French ship there joins it, escapes or is scuttled.

    Rules: 3.4.vichy-b
    """
    s = g.state
    bonus = int(conquest.allies_hold_north_africa(s))
    for id in s.units_at("vichy_france"):
        if s.domain(id) != "naval" or s.facts.kinds[id].home != "france":
            continue
        if side_of(s, s.units[id].power) == "axis":
            continue
        (die,) = yield from g.roll("french_fleet", (RollLine(s.units[id].power, id, 1, 0),))
        g.emit("fleet_rolled", unit=id, die=die, bonus=bonus)
        if die + bonus == 1:
            hand_over(g, id, power)
        elif die + bonus > 3:
            destroy(g, id)


# --- Factories --------------------------------------------------------------------------------


def at_start(s: State, area: str) -> str:
    """The power that controlled a land area at the start of the game, if any did.

    Rules: 8.industry-a, 9.2m
    """
    if area == "austria_czechoslovakia" and "road_to_war" in s.flags:
        return "germany" if "austria_annexed" in s.flags else NEUTRAL
    return opening_control(s.facts, s.scenario_id).get(area, NEUTRAL)


def _score_factory(g: Table[State], area: str, power: str) -> Procedure[None]:
    """Victory Points for a Factory that was taken, or loot instead.

    Rules: 8.industry-a, 9.9a
    """
    s = g.state
    points = s.facts.lands[area].factory
    playing = power in s.scenario.powers and open_to(s, power, "control_industrial_might")
    if not playing or at_start(s, area) == power:
        return
    answer: Decision = TakePoints()
    if s.options["looting"]:
        answer = yield from g.ask(LootFactory(power, area, points))
    s.factory_points[area] = (power, isinstance(answer, Loot))
    if isinstance(answer, Loot):
        resources = 2 * (points - answer.oil)
        s.oil[power] += answer.oil
        s.resources[power] += resources
        g.emit("looted", area=area, power=power, oil=answer.oil, resources=resources)
    else:
        score(g, power, points, "control_industrial_might")


# --- who takes it -----------------------------------------------------------------------------


def claimant(
    g: Table[State],
    area: str,
    claims: Mapping[str, Sequence[str]],
    moves: Mapping[str, tuple[int, int]] | None = None,
) -> Procedure[str]:
    """Which of several powers takes a land area that all of them enter.

    `claims` has the land units of each. `moves`, for units that move there, has the areas moved
    and the movement left; after a Ground Attack it is None.

    Rules: 6.6.prio-a, 6.6.prio-b
    """
    s = g.state

    def rank(power: str) -> tuple[object, ...]:
        factors = [land_factors(s, id) for id in claims[power]]
        moved, left = moves[power] if moves is not None else (0, 0)
        return (-moved, left, sum(factors), max(factors))

    best = max(rank(power) for power in claims)
    tied = [power for power in claims if rank(power) == best]
    if len(tied) == 1:
        return tied[0]
    (face,) = yield from g.roll("control", (RollLine("", area, 1, 0, sides=len(tied)),))
    return tied[face - 1]
