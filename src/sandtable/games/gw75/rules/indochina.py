"""Japan and French Indochina (20.2)."""

from __future__ import annotations

from sandtable.games.gw75.model import News, State
from sandtable.games.gw75.rules.terms import holder
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

COUNTRY = "french_indochina"
CONTROLS = ("declared", "axis")
"""What has become of Vichy France as long as it controls Indochina: others have not invaded it, or
the Allies have."""
EMBARGO = "embargo"
"""Mark: the USA trades with Japan no more."""


def open_to(s: State, nation: str, hex: str) -> bool:
    """Whether a nation may enter a hex because it is Vichy Indochina, which is open to Japan.

    Rules: 20.2a
    """
    return nation == "japan" and holder(s, hex) == "vichy" and _yields(s, hex)


def beside(s: State, one: str, other: str, hex: str) -> bool:
    """Whether land units of two nations that are no friends are in a hex together in peace: those
    of Japan and of Vichy France in Indochina.

    Rules: 20.2a
    """
    return "vichy" in (one, other) and "japan" in (one, other) and _yields(s, hex)


def _yields(s: State, hex: str) -> bool:
    """Whether a hex is in Indochina, and Vichy France lets Japan into it."""
    country = s.facts.hexes[hex].country
    return country == COUNTRY and bool(s.options["indochina"]) and s.vichy in CONTROLS


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
    vichy = s.options["indochina"] and (news.who, news.whom) == ("japan", "vichy")
    if vichy and s.facts.hexes[news.where].country == COUNTRY and not embargo(s):
        s.marks |= {EMBARGO}
        s.changed()
        g.emit("embargo", power="usa", against="japan")
