"""What a scenario looks at after everything that is done (A, B, E)."""

from __future__ import annotations

from sandtable.games.blitz.model import State, Strike
from sandtable.games.blitz.rules.over import GameOver
from sandtable.games.blitz.rules.retreat import evacuate
from sandtable.games.blitz.rules.rounds import suffer
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table


def look(g: Table[State]) -> Procedure[str]:
    """See whether the game ends at once, or Japan gives way for want of a garrison; the land area
    that the USSR takes then.

    Rules: A.win-a, B.win-a, E.ussr-a
    """
    s = g.state
    own = s.scenario.own
    if "winning_areas" in own and all(s.control[a] == "germany" for a in own["winning_areas"]):
        raise GameOver(Result(("germany",), "Germany controls Paris and Poland."))
    if s.scenario_id == "B" and "germany" in s.conquered:
        raise GameOver(Result(("western_allies",), "The Western Allies have conquered Germany."))
    if "soviets" in own:
        area: str = own["soviets"]["area"]
        if s.control[area] == "japan" and garrison(s, area) < own["soviets"]["garrison"]:
            g.emit("garrison_missing", space=area, power="japan")
            yield from give_way(g, area)
            return area
    return ""


def garrison(s: State, area: str) -> int:
    """The total Size of the Japanese land units in an area."""
    return sum(
        s.units[id].size
        for id in s.units_at(area)
        if s.domain(id) == "land" and s.units[id].power == "japan"
    )


def give_way(g: Table[State], area: str) -> Procedure[None]:
    """Japan loses an area to the USSR: 2 points of damage, and the survivors retreat.

    Rules: E.ussr-c, E.ussr-e
    """
    s = g.state
    s.count("lost_to_ussr")
    units = tuple(id for id in s.units_at(area) if s.domain(id) == "land")
    loss: int = s.scenario.own["soviets"]["loss"]
    yield from suffer(g, Strike(area, units, "western_allies", loss))
    yield from evacuate(g, area, "western_allies")
