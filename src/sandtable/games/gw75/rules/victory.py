"""How a game ends and who has won it (4.3, chapter 23)."""

from __future__ import annotations

from sandtable.games.gw75.facts import MAJORS
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import OTHER, holder, points, side
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table

NAMES = {"axis": "the Axis", "allies": "the Allies"}


def over(g: Table[State]) -> Procedure[Result | None]:
    """At the end of a Game-Turn: the result, if the game ends with it.

    Rules: 4.3, 21.14, 23.0
    """
    s = g.state
    yield from ()
    scores = score(s)
    winner, reason = _automatic(s), "it has all that the other side could go on with"
    level = "decisive"
    if not winner:
        if s.turn < s.facts.scenarios[s.options["scenario"]].last:
            return None
        winner, level = reached(s, scores["axis"])
        reason = f"the Axis has {scores['axis']} Victory Points, the Allies {scores['allies']}"
    s.scores = scores
    g.emit("game_ended", side=winner, scores=scores, level=level)
    powers = tuple(power for power in MAJORS if s.facts.nations[power].side == winner)
    name = NAMES[winner]
    return Result(powers, f"A {level} victory of {name}: {reason}.")


def reached(s: State, axis: int) -> tuple[str, str]:
    """The side that wins with so many Victory Points of the Axis, and the level of its victory.

    Rules: 23.0
    """
    levels = s.facts.victory.levels[s.options["scenario"]]
    winner, level = levels[max(least for least in levels if least <= max(axis, 0))].split()
    return winner, level


def score(s: State) -> dict[str, int]:
    """The Victory Points of each side: Industrial Hexes and Supply Centers by who holds them.

    Rules: 11.0b, 18.41a, 21.14, 23.0
    """
    found = {"axis": 0, "allies": 0}
    for id in s.facts.prizes:
        which = counts_for(s, id)
        if which:
            industry = s.facts.hexes[id].industry
            found[which] += s.facts.victory.industry if industry else s.facts.victory.center
    return found


def counts_for(s: State, hex: str) -> str:
    """The side for which an Industrial Hex or Supply Center counts; empty for neither: one that was
    destroyed, a neutral's, or captured industry without a garrison.

    Rules: 11.0b, 17.62, 18.41a, 23.0
    """
    if hex in s.destroyed:
        return ""
    which = "axis" if hex in s.penalties else side(s, holder(s, hex))
    if which not in OTHER:
        return ""
    if hex in s.captured and hex not in s.penalties and not points(s, hex, which):
        return ""
    return which


def _automatic(s: State) -> str:
    """The side that wins at once; empty if none: the other one has lost all its home industry that
    counts.

    Rules: 23.0
    """
    for which, lost in s.facts.victory.automatic.items():
        if not any(
            side(s, holder(s, id)) == OTHER[which]
            for id, whose in s.facts.industry.items()
            if whose in lost.powers and s.facts.hexes[id].country not in lost.spared
        ):
            return which
    return ""
