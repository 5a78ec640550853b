"""Control of land areas: who takes one (6.6), and what that does (3.4, 7.2, 8, 9.9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.rules import conquest
from sandtable.games.blitz.rules.counters import destroy, hand_over
from sandtable.games.blitz.rules.displaced import displace
from sandtable.games.blitz.rules.factors import land_factors
from sandtable.games.blitz.rules.neutral_entry import only_limits_production, shift
from sandtable.games.blitz.rules.opening import opening_control
from sandtable.games.blitz.rules.sides import (
    allies_hold_north_africa,
    country_of,
    introduced,
    side_of,
)
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


class Taken(NamedTuple):
    """A land area that a power has taken."""

    area: str
    power: str
    side: str
    old: str
    """Who had it."""
    hostile: bool
    """Whether that was an enemy."""


def change_hands(g: Table[State], t: Taken) -> Procedure[None]:
    """Give a land area to the power that took it; enemy commanders there without a unit return.

    Germany in the USSR ends limits of Soviet production.

    Rules: 8.industry-a, 9.2j, 9.5i
    """
    s = g.state
    conquest.give(g, t.area, t.power)
    g.emit("control_taken", space=t.area, power=t.power, against=t.old)
    for name, (where, unit) in list(s.commanders.items()):
        if where == t.area and not unit and side_of(s, s.facts.commanders[name].power) != t.side:
            del s.commanders[name]
            g.emit("commander_returned", commander=name, space=t.area)
    in_ussr = s.facts.lands[t.area].country == "ussr"
    if t.power == "germany" and in_ussr and only_limits_production(s, "ussr"):
        s.entry.pop("ussr", None)
    return
    yield


def alarm(g: Table[State], t: Taken) -> Procedure[None]:
    """Oil and Resources taken from the enemy move the markers of neutral entry.

    Rules: 7.2b
    """
    land = g.state.facts.lands[t.area]
    if t.hostile and land.oil + land.resource:
        event = "axis_takes_goods" if t.side == "axis" else "allies_take_goods"
        yield from shift(g, event, land.oil + land.resource)


def decide_country(g: Table[State], t: Taken) -> Procedure[None]:
    """The area's country is conquered or liberated, or else the area by itself.

    Rules: 3.4.conq-a, 3.4.lib-e, A.2a
    """
    s = g.state
    freed = yield from conquest.check(g, country_of(s, t.area), t.side)
    if t.hostile and not freed and introduced(s, "F"):
        yield from conquest.liberate_area(g, t.area, t.power)


def overrun(g: Table[State], t: Taken) -> Procedure[None]:
    """Enemy air and naval units in the area leave it.

    Rules: 6.6.overrun-a
    """
    s = g.state
    for id in s.units_at(t.area):
        unit = s.units.get(id)
        if unit is None or unit.aboard or s.domain(id) == "land":
            continue
        if side_of(s, unit.power) != t.side:
            yield from displace(g, id, t.power)


def roll_for_fleets(g: Table[State], t: Taken) -> Procedure[None]:
    """An Axis power takes Vichy France: each French ship there joins it, escapes or is scuttled.

    Rules: 3.4.vichy-b
    """
    s = g.state
    if t.area != "vichy_france" or "vichy" not in s.flags or t.side != "axis":
        return
    bonus = int(allies_hold_north_africa(s))
    for id in s.units_at("vichy_france"):
        if s.domain(id) != "naval" or s.facts.kinds[id].home != "france":
            continue
        if side_of(s, s.units[id].power) == "axis":
            continue
        lines = (RollLine(s.units[id].power, id, 1, 0),)
        (die,) = yield from g.roll("french_fleet", lines)
        g.emit("fleet_rolled", unit=id, lines=lines, dice=(die,), bonus=bonus)
        if die + bonus == 1:
            hand_over(g, id, t.power)
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


def score_factory(g: Table[State], t: Taken) -> Procedure[None]:
    """Victory Points for a Factory that was taken, or loot instead.

    Rules: 8.industry-a, 9.9a
    """
    s, area, power = g.state, t.area, t.power
    points = s.facts.lands[area].factory
    if not t.hostile or not points or s.control[area] != power:
        return
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
        g.emit("looted", space=area, power=power, oil=answer.oil, resources=resources)
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
