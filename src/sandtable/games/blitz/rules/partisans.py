"""Partisans (7.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.sides import OTHER, areas_of, country_of, out_of_game, powers_of
from sandtable.kernel.decisions import Decision, Request, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class PlacePartisan(Decision, frozen=True, tag="place_partisan"):
    """Put a Partisan into a land area."""

    area: str


class PartisanRequest(Request, frozen=True, tag="partisan"):
    """Choose where a Partisan appears; or pass, if it is optional."""

    areas: tuple[str, ...]
    optional: bool

    answers: ClassVar[tuple[type[Decision], ...]] = (PlacePartisan,)

    def check(self, state: State, decision: PlacePartisan) -> None:
        if decision.area not in self.areas:
            rule = "7.1d" if self.optional else "7.1b"
            raise IllegalDecision("No Partisan can appear there.", rule)

    def decisions(self, state: State) -> Iterator[Decision]:
        return (PlacePartisan(area) for area in self.areas)


def place_partisans(g: Table[State]) -> Procedure[None]:
    """Roll on the Partisan Table; whoever it gives a Partisan to places it.

    A country's Partisan is placed by the power that first had it, in China one by each side. Where
    a side has the choice, its first power speaks for it.

    Rules: data.partisan-table, 7.1a, 7.1b, 7.1c, 7.1d, 7.1e, F.4a
    """
    s = g.state
    g.checkpoint(strict=True)
    lines = (RollLine("", "partisans", 1, 0),)
    (die,) = yield from g.roll("partisans", lines)
    row = s.facts.partisans[die]
    g.emit("partisans_rolled", lines=lines, dice=(die,), country=row.country, side=row.choice)
    requests = []
    if row.choice:
        requests.append(PartisanRequest(_speaker(s, row.choice), _choices(s, row.choice), True))
    elif row.both_sides:
        for side in ("axis", "allies"):
            areas = rising(s, row.country, side)
            requests.append(PartisanRequest(_speaker(s, side, row.country), areas, True))
    elif s.original.get(row.country):
        first = s.original[row.country]
        side = s.facts.side[first]
        areas = rising(s, row.country, side)
        requests.append(PartisanRequest(_speaker(s, side, row.country), areas, False))
    requests = [request for request in requests if request.power and request.areas]
    forced = [request for request in requests if not request.optional]
    if forced and len(forced[0].areas) == 1:
        add_partisan(g, forced[0].areas[0], forced[0].power)
        return
    answers = yield from (g.ask_all(forced) if forced else g.offer(requests))
    for power, answer in answers.items():
        add_partisan(g, answer.area, power)


def add_partisan(g: Table[State], area: str, power: str) -> None:
    """Put a Partisan of a power's side into a land area."""
    s = g.state
    s.partisans = tuple(sorted((*s.partisans, area)))
    g.emit("partisan_placed", space=area, power=power)


def rising(s: State, country: str, side: str) -> tuple[str, ...]:
    """The areas of a country, held by the enemy of `side`, with goods that a Partisan can block.

    Rules: 7.1b
    """
    if country not in s.allied:
        return ()
    return tuple(area for area in areas_of(s, country) if _blockable(s, area, side))


def _blockable(s: State, area: str, side: str) -> bool:
    land, holder = s.facts.lands[area], s.control[area]
    return s.facts.side.get(holder) == OTHER[side] and land.oil + land.resource > s.partisans.count(
        area
    )


def _choices(s: State, side: str) -> tuple[str, ...]:
    """Where a side may have a Partisan that it can place freely: in lost land, and in China.

    Rules: 7.1d
    """
    return tuple(
        area
        for area in s.facts.lands
        if area in s.control
        and _blockable(s, area, side)
        and (country_of(s, area) == "china" or s.facts.side.get(_first_holder(s, area)) == side)
    )


def _first_holder(s: State, area: str) -> str:
    return s.facts.lands[area].owner or s.original.get(country_of(s, area), "")


def _speaker(s: State, side: str, country: str = "") -> str:
    """Who places a side's Partisan: who first had the country, or is in it, or its first power."""
    powers = [power for power in powers_of(s, side) if not out_of_game(s, power)]
    there = [s.control[area] for area in areas_of(s, country)] if country else []
    known = (s.original.get(country, ""), *there, *powers)
    return next((power for power in known if power in powers), "")
