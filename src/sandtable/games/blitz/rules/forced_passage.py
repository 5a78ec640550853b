"""Forcing passages that are closed to a ship (9.8)."""

from __future__ import annotations

from itertools import pairwise

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.damage import chart_result, hurt
from sandtable.games.blitz.rules.movement import closed_between
from sandtable.games.blitz.rules.sides import enemy_held
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def force_passage(g: Table[State], id: str, sea: str, other: str) -> Procedure[bool]:
    """Run the fire of a closed passage between two seas; whether the ship gets through.

    Rules: 9.8a, 9.8b
    """
    s = g.state
    passage = closed_between(s, id, sea, other)
    if passage is None:
        return True
    power = s.units[id].power
    enemy = next((s.control[area] for area in passage.areas if enemy_held(s, area, power)), "")
    lines = (RollLine(power, id, 1, 0),)
    (die,) = yield from g.roll("forced_passage", lines)
    points, letter = chart_result(s, s.facts.numbers.forced_passage_factors, die)
    through = letter not in ("L", "B")
    g.emit(
        "forced", unit=id, path=(sea, other), lines=lines, dice=(die,), damage=points, letter=letter
    )
    for _ in range(points):
        if id in s.units:
            yield from hurt(g, sea, id, enemy)
    return through and id in s.units


def force_passages(g: Table[State], id: str, way: tuple[str, ...]) -> Procedure[bool]:
    """Force every closed passage on a way of a ship, seas in order; whether it gets through.

    One that is repelled stays where it was, and does not try again in this phase.

    Rules: 9.8a, 9.8b
    """
    for sea, other in pairwise(way):
        if not (yield from force_passage(g, id, sea, other)):
            if id in g.state.units:
                g.state.mark(id, "repelled")
            return False
    return True
