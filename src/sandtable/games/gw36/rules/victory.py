"""How a game ends and who has won it (2.1, chapter 3)."""

from __future__ import annotations

from sandtable.games.gw36.dates import half_year
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.terms import alliance, enemies, on
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table

ALLIANCES = ("axis", "allies", "comintern")
RANGES = {half_year("1944-07"): 1, half_year("1945-01"): 2, half_year("1945-07"): 3}
RANGES[half_year("1946-01")] = 5
LATER = 6


def over(g: Table[State]) -> Procedure[Result | None]:
    """At the end of a calendar turn: the result, if the game ends with it.

    Rules: 2.1b, 2.1c, 2.1f, 3.1a, 3.5a, 3.5b, 3.5c
    """
    s = g.state
    if not (yield from _ends(g)):
        return None
    points = score(s)
    best = max(points.values())
    winners = [side for side in ALLIANCES if points[side] == best]
    if len(winners) > 1:
        g.emit("tied", scores=points)
        return None
    s.scores = points
    g.emit("game_ended", scores=points)
    powers = tuple(power for power in s.facts.powers if alliance(s, power) == winners[0])
    return Result(powers, "")


def _ends(g: Table[State]) -> Procedure[bool]:
    s = g.state
    if not on(s, "variable_end"):
        scenario = s.facts.scenarios[s.options["scenario"]]
        return s.date + 1 >= scenario.first + scenario.turns
    reach = end_range(s)
    if not reach:
        return False
    g.checkpoint(strict=True)
    (face,) = yield from g.roll("end", (RollLine("usa", "end", 1, reach, 12),))
    g.emit("end_rolled", power="usa", dice=[face], value=reach)
    return face <= reach


def end_range(s: State) -> int:
    """The faces of a D12 with which the game ends after this calendar turn; 0: it does not."""
    if s.date < min(RANGES):
        return 0
    lost = sum(
        nation.kind == "major"
        and bool(capital := s.capital.get(id, nation.capital))
        and enemies(s, id, s.possession[capital])
        for id, nation in s.facts.nations.items()
    )
    return RANGES.get(s.date, LATER) + lost


def score(s: State) -> dict[str, int]:
    """The Victory Points of each Alliance."""
    points = dict.fromkeys(ALLIANCES, 0)
    for zone in s.facts.land:
        side = alliance(s, s.possession[zone])
        if s.facts.zones[zone].objective and side:
            points[side] += 1
    return points
