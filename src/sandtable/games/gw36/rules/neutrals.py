"""Neutral Minor Powers grow stronger as the years go by (6.1)."""

from __future__ import annotations

from sandtable.games.gw36.model import News, State, Unit
from sandtable.games.gw36.rules.terms import foes
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def follow(g: Table[State], news: News) -> Procedure[None]:
    """At the start of a calendar turn the forces that are listed for it are placed.

    Rules: 6.1g
    """
    s = g.state
    if news.kind == "calendar":
        for arrival in s.facts.reinforcements:
            if arrival.date == news.number and _still_neutral(s, arrival.nation, arrival.zone):
                for type, count in arrival.units:
                    s.build(arrival.zone, Unit(arrival.nation, type), count)
                units = dict(arrival.units)
                g.emit("reinforced", power=arrival.nation, space=arrival.zone, units=units)
    return
    yield


def _still_neutral(s: State, nation: str, zone: str) -> bool:
    """Whether a Minor Power is at peace, belongs to nobody, and holds the zone."""
    return (
        s.possession[zone] == nation
        and nation not in s.aligned
        and nation not in s.control
        and not foes(s, nation)
    )
