"""Japan and French Indochina (20.2)."""

from __future__ import annotations

from sandtable.games.gw75.model import News, State
from sandtable.games.gw75.rules.terms import holder
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

COUNTRY = "french_indochina"
EMBARGO = "embargo"
"""Mark: the USA trades with Japan no more."""


def open_to(s: State, nation: str, hex: str) -> bool:
    """Whether a nation may enter a hex because it is Vichy Indochina, which is open to Japan.

    Rules: 20.2a
    """
    return (
        nation == "japan"
        and bool(s.options["indochina"])
        and s.facts.hexes[hex].country == COUNTRY
        and holder(s, hex) == "vichy"
        and s.vichy == "declared"
    )


def embargo(s: State) -> bool:
    """Whether the pipeline from Japan to the USA is closed because Japan occupied Indochina.

    Rules: 20.2b
    """
    return EMBARGO in s.marks


def follow(g: Table[State], news: News) -> Procedure[None]:
    """Japan in Vichy Indochina: the USA places an embargo.

    Rules: 20.2b
    """
    s = g.state
    yield from ()
    vichy = news.who == "japan" and news.whom == "vichy" and s.vichy == "declared"
    if vichy and s.facts.hexes[news.where].country == COUNTRY and not embargo(s):
        s.marks |= {EMBARGO}
        s.changed()
        g.emit("embargo", power="usa", against="japan")
