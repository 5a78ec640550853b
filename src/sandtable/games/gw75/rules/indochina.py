"""Japan and French Indochina (20.2)."""

from __future__ import annotations

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import holder

COUNTRY = "french_indochina"


def open_to(s: State, nation: str, hex: str) -> bool:
    """Whether a nation may enter a hex because it is Vichy Indochina, which is open to Japan.

    Rules: 20.2a
    """
    return (
        nation == "japan"
        and bool(s.options["indochina"])
        and s.facts.hexes[hex].country == COUNTRY
        and holder(s, hex) == "vichy"
    )
