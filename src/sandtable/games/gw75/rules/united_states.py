"""The United States: peace, entry into the war, limited war (19.3)."""

from __future__ import annotations

from sandtable.games.gw75.facts import pair
from sandtable.games.gw75.model import State, Unit
from sandtable.games.gw75.rules.terms import FLEET, GROUND, at_war
from sandtable.games.gw75.rules.wars import at_peace

MANILA = "E2007"
FULL = "usa:full_production"
"""The mark of war production in limited war."""


def pacific(hex: str) -> bool:
    """Whether a hex is in the Pacific portion of the map: the East section."""
    return hex.startswith("E")


def fully_at_war(s: State) -> bool:
    """Whether the USA has entered the war, not only on a limited basis.

    Rules: 19.33a, 19.37a
    """
    return any(
        at_war(s, "usa", power) and pair("usa", power) not in s.limited
        for power in ("germany", "japan")
    )


def frozen(s: State, unit: Unit, hex: str) -> str:
    """Why an American unit may not move.

    Rules: 19.32a, 19.32b, 19.37a
    """
    if at_peace(s, "usa"):
        if unit.type in FLEET and unit.duty != "new":
            return "American naval units do not move until the USA is at war (19.32)."
        return ""
    if pacific(hex) and not at_war(s, "usa", "japan"):
        return "In a limited war with Germany American units in the Pacific are inactive (19.37)."
    return ""


def keeps(s: State, hex: str, number: int) -> str:
    """Why so many land Strength Points may not leave a hex.

    Rules: 19.31
    """
    if hex != MANILA or not at_peace(s, "usa"):
        return ""
    there = sum(
        count
        for unit, count in s.stack(hex).items()
        if unit.nation == "usa" and unit.type in GROUND
    )
    if there - number >= 1:
        return ""
    return f"In peace-time the USA keeps a Strength Point in {s.facts.name(hex)} (19.31)."


def mode(s: State) -> int:
    """The Production Mode line of the USA: 4 from the Game-Turn of its entry, or once ten of its
    units were destroyed in a limited war; 1 before.

    Rules: 19.34, 19.37b, 19.37d
    """
    return 4 if fully_at_war(s) or FULL in s.marks else 1
