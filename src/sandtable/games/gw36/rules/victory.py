"""How a game ends and who has won it (2.1, chapter 3)."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.games.gw36.dates import half_year
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.objectives import scored
from sandtable.games.gw36.rules.terms import alliance, enemies, on
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table

ALLIANCES = {"axis": "the Axis", "allies": "the Allies", "comintern": "the Comintern"}

RANGES = {
    half_year("1944-07"): 1,
    half_year("1945-01"): 2,
    half_year("1945-07"): 3,
    half_year("1946-01"): 5,
}
"""Option `variable_end`: the faces of a D12 with which the game ends after a turn."""
LATER = 6
"""After every turn later than those."""


def over(g: Table[State]) -> Procedure[Result | None]:
    """At the end of a calendar turn: the result, if the game ends with it. While the first place is
    shared it goes on for another turn.

    Rules: 3.1a, 3.5a, 3.5b, 3.5c
    """
    s = g.state
    if not (yield from _ends(g)):
        return None
    points = score(s)
    best = max(points.values())
    winners = [side for side in ALLIANCES if points[side] == best]
    if len(winners) > 1:
        g.emit("tied", scores=points, sides=winners)
        return None
    s.scores = points
    g.emit("game_ended", scores=points)
    others = ", ".join(
        f"{ALLIANCES[side]} have {points[side]}" for side in ALLIANCES if side != winners[0]
    )
    name = ALLIANCES[winners[0]]
    reason = f"{name[:1].upper()}{name[1:]} have {best} Victory Points; {others}."
    powers = tuple(power for power in s.facts.powers if alliance(s, power) == winners[0])
    return Result(powers, reason)


def _ends(g: Table[State]) -> Procedure[bool]:
    """Whether the scenario is at its end: by the calendar, or by a die.

    Rules: 2.1b, 2.1c, 2.1f
    """
    s = g.state
    if not on(s, "variable_end"):
        scenario = s.facts.scenarios[s.options["scenario"]]
        return s.date + 1 >= scenario.first + scenario.turns
    reach = end_range(s)
    if not reach:
        return False
    g.checkpoint(strict=True)
    lines = (RollLine("usa", "end", 1, reach, 12),)
    (face,) = yield from g.roll("end", lines)
    g.emit("end_rolled", power="usa", lines=lines, dice=[face])
    return face <= reach


def end_range(s: State) -> int:
    """The highest face with which the game ends after this calendar turn; 0: it goes on. Each Major
    Power's capital in Enemy hands adds one; KMT's never does, and the Commonwealth has one capital.

    Rules: 2.1f, 2.1g, 2.1h, 2.1i, 2.1j, 2.1k, 2.1l, 2.1m
    """
    if s.date < min(RANGES):
        return 0
    lost = sum(
        enemies(s, id, s.possession[nation.capital])
        for id, nation in s.facts.nations.items()
        if nation.kind == "major"
    )
    return RANGES.get(s.date, LATER) + lost


def score(s: State) -> dict[str, int]:
    """The Victory Points of each Alliance: Objective Cities (but those of nations that have
    surrendered), what was lost, and (option) national objectives.

    Rules: 3.1a, 3.2a, 3.3b, 3.4a, 3.5b
    """
    return total(s, achieved(s))


def achieved(s: State) -> dict[str, dict[str, int]]:
    """What each nation scores for each of its objectives, if they are in use.

    Rules: 3.4a
    """
    if not on(s, "national_objectives"):
        return {}
    return {power: scored(s, power) for power in s.facts.powers}


def total(s: State, objectives: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """The Victory Points of each Alliance, with what its nations score for their objectives."""
    points = dict.fromkeys(ALLIANCES, 0)
    for zone in s.facts.land:
        owner = s.possession[zone]
        side = alliance(s, owner)
        if s.facts.zones[zone].objective and side and owner not in s.surrendered:
            points[side] += 1
    for power in s.facts.powers:
        points[alliance(s, power)] += sum(objectives.get(power, {}).values()) - losses(s, power)
    return points


def losses(s: State, power: str) -> int:
    """The zones of a nation's Home Country with a value that are in Enemy hands. Whoever has
    surrendered has lost what another Alliance holds.

    Rules: 3.3a, 3.3b
    """
    return sum(
        s.facts.zones[zone].ipp >= 1 and _in_enemy_hands(s, power, s.possession[zone])
        for zone in s.facts.nations[power].home
    )


def _in_enemy_hands(s: State, power: str, owner: str) -> bool:
    if power in s.surrendered:
        return alliance(s, owner) not in ("", alliance(s, power))
    return enemies(s, power, owner)
