"""Finland, Hungary, Rumania and Bulgaria (19.9)."""

from __future__ import annotations

from sandtable.games.gw75.facts import AXIS_MINORS
from sandtable.games.gw75.model import Job, News, State
from sandtable.games.gw75.rules.terms import GROUND
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

FINNS = "leningrad_entered"
"""Count: the Game-Turn in which a major Axis land unit first entered Leningrad."""
ENTERED = "finland:entered"
"""Mark: a German or Italian land unit has entered Finland."""
PATRONS = ("germany", "italy")


def reaches(s: State, nation: str, hex: str) -> bool:
    """Whether an Axis minor ally may attack into a hex: as Germany, but Finland not across its
    border until the Game-Turn after a major Axis land unit has entered Leningrad.

    Rules: 19.92a, 19.92b, 19.97
    """
    if nation != "finland" or s.facts.hexes[hex].country == "finland":
        return True
    return s.counts.get(FINNS, s.turn) < s.turn


def follow(g: Table[State], news: News) -> Procedure[None]:
    """Reinforcements for what the Axis does, and the end of units that are where they may not be.

    Rules: 19.92b, 19.93, 19.95, 19.96, 19.98a, 19.98b
    """
    s, numbers = g.state, g.state.facts.numbers
    yield from ()
    match news.kind:
        case "entered":
            if news.who in (*PATRONS, "japan") and news.where in s.facts.places["leningrad"]:
                s.counts.setdefault(FINNS, s.turn)
            finland = s.facts.hexes[news.where].country == "finland"
            if news.who in PATRONS and finland and ENTERED not in s.marks:
                s.marks |= {ENTERED}
                _reinforce(g, "finland", numbers.finns_entered)
        case "violated":
            if news.who in PATRONS and news.whom == "ussr":
                _reinforce(g, "finland", numbers.finns_invasion)
                _reinforce(g, "hungary", numbers.minors_invasion)
                _reinforce(g, "rumania", numbers.minors_invasion)
            elif news.who in PATRONS and news.whom == "yugoslavia":
                for nation in ("hungary", "rumania", "bulgaria"):
                    _reinforce(g, nation, numbers.minors_yugoslavia)
        case "phase":
            if news.how == "end of axis_land_movement":
                _eliminate_strays(g)


def _reinforce(g: Table[State], nation: str, number: int) -> None:
    """So much infantry appears in a country in the Reinforcement Phase of this Game-Turn.

    Rules: 19.9a, 19.93, 19.98a, 19.98b
    """
    s = g.state
    s.track = tuple(sorted([*s.track, Job(nation, "inf", s.turn, number, nation)]))
    g.emit("mobilised", power=nation, units={"inf": number})


def _eliminate_strays(g: Table[State]) -> None:
    """Rules: 19.95, 19.96"""
    s = g.state
    for nation in AXIS_MINORS:
        for hex, unit, count in list(s.units_of(nation)):
            if unit.type in GROUND and not may_end(s, nation, hex):
                s.destroy(hex, unit, count)
                g.emit("strayed", power=nation, space=hex, losses={nation: {unit.type: count}})


def may_end(s: State, nation: str, hex: str) -> bool:
    """Whether units of an Axis minor ally may end a Land Movement Phase in a hex. The partitioned
    hexes of Poland are in the Soviet Union.

    Rules: 19.92a, 19.95, 19.96
    """
    country = s.facts.hexes[hex].country
    if country == nation:
        return True
    if nation in ("hungary", "rumania"):
        shared = hex in s.facts.places["eastern_poland"]
        return country == "ussr" or (shared and "ussr:partition" in s.counts)
    if nation == "bulgaria":
        return country in ("yugoslavia", "greece") and s.joined.get(country) == "allies"
    return False
