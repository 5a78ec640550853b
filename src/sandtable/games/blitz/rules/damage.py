"""The Combat Chart (6.5), and damage to a unit and to what it carries."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.counters import damage
from sandtable.games.blitz.rules.movement import capacity
from sandtable.kernel.decisions import Decision, RollLine
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class LoseCargo(Decision, frozen=True, tag="lose_cargo"):
    """Take a point of Size from a land unit aboard."""

    unit: str


class OneOf(ChooseOne, frozen=True):
    """One of several units, or the convoy among them, has to be chosen."""

    area: str
    units: tuple[str, ...]

    among: ClassVar[str] = "units"
    refusal: ClassVar[str] = "{asked} is not one of the units in question."


class ReduceCargo(OneOf, frozen=True, tag="reduce_cargo"):
    """Which of the land units aboard a damaged transport loses Size."""

    transport: str

    answers: ClassVar[tuple[type[Decision], ...]] = (LoseCargo,)
    rule: ClassVar[str] = "6.5.trs-b"


def chart_result(s: State, factors: int, die: int) -> tuple[int, str]:
    """What the Combat Chart shows: points of damage, and S, L, B or no letter.

    Rules: data.combat-chart, 6.5a
    """
    chart = s.facts.chart
    result = chart[min(factors, len(chart) - 1)][die]
    letter = result[-1] if result[-1] in "SLB" else ""
    number = result.removesuffix(letter)
    return (int(number) if number.isdigit() else 0), letter


def hurt(g: Table[State], area: str, id: str, enemy: str) -> Procedure[None]:
    """A point of damage on a unit in a combat in `area`, with what follows from it.

    Rules: 6.5.dmg-a, 6.5.dmg-c, 6.5.dmg-d, 6.5.trs-a, 6.5.trs-b, 9.5h, C.4f
    """
    s = g.state
    damage(g, id, by=enemy)
    if id not in s.units:
        return
    for commander, (at, commanded) in sorted(s.commanders.items()):
        if commanded == id:
            lost_on = s.facts.numbers.commander_lost_on
            line = RollLine(s.units[id].power, commander, 1, lost_on - 1)
            (die,) = yield from g.roll("commander_loss", (line,))
            if die >= lost_on:
                del s.commanders[commander]
                g.emit("commander_returned", commander=commander, space=at)
    if s.type(id) == "TRS":
        yield from _unload(g, area, id, enemy)


def _unload(g: Table[State], area: str, id: str, enemy: str) -> Procedure[None]:
    """Land units aboard lose Size until the transport can carry them.

    Rules: 6.5.trs-b
    """
    s = g.state
    room = capacity(s, id)
    while True:
        cargo = s.cargo(id)
        if sum(s.units[each].size for each in cargo) <= room:
            return
        unit = cargo[0]
        if len(cargo) > 1:
            answer: LoseCargo = yield from g.ask(
                ReduceCargo(s.units[id].power, area, cargo, transport=id)
            )
            unit = answer.unit
        yield from hurt(g, area, unit, enemy)
