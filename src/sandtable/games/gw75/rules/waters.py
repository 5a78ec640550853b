"""The Baltic and the Adriatic: waters that are closed to some ships (19.8)."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.games.gw75.facts import AXIS_MINORS
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import SHIPS, at_war, holder, side

DENMARK = "W3220"
"""Copenhagen: whoever holds it has the entrance of the Baltic."""


def barred(s: State, nation: str, type: str, hex: str, start: str = "") -> str:
    """Why a ship may not enter a hex; empty if it may. With `start`, the hex that it comes from,
    also why it may not leave the Baltic.

    Rules: 19.81a, 19.81b, 19.82a, 19.82b
    """
    water = s.facts.hexes[hex].water
    if water == "adriatic":
        return _adriatic(s, nation, type)
    if type not in SHIPS or not _closed(s, nation):
        return ""
    inside = bool(start) and s.facts.hexes[start].water == "baltic"
    if water == "baltic" and not (inside and nation == "ussr"):
        return "The Axis holds the entrance of the Baltic, or Denmark is neutral (19.81a)."
    if water != "baltic" and inside and nation == "ussr":
        return "Soviet ships may not leave the Baltic in war with Germany (19.81b)."
    return ""


def no_attack(s: State, nation: str, hex: str) -> str:
    """Why naval units of a nation may not attack into a hex, nor those that leave it.

    Rules: 19.81c, 19.82b
    """
    adriatic = s.facts.hexes[hex].water == "adriatic" and "italy" not in s.fallen
    if adriatic and side(s, nation) == "allies":
        return "The Allies may not attack into the Adriatic before Italy surrenders (19.82b)."
    return ""


def sheltered(s: State, nation: str, hexes: Iterable[str]) -> bool:
    """Whether Merchant Ships of a nation may not be attacked: they are the Axis' and operate in
    these hexes only, all of them in the Baltic or in the Adriatic.

    Rules: 19.83
    """
    return side(s, nation) == "axis" and all(s.facts.hexes[hex].water for hex in hexes)


def _closed(s: State, nation: str) -> bool:
    """Whether the Baltic is closed to a nation."""
    if side(s, nation) != "allies" or not at_war(s, nation, "germany"):
        return False
    return side(s, holder(s, DENMARK)) != "allies"


def _adriatic(s: State, nation: str, type: str) -> str:
    if nation == "italy" or "italy" in s.fallen:
        return ""
    axis = side(s, nation) == "axis" and nation not in AXIS_MINORS
    if axis and type in ("amph", "ms"):
        return ""
    return "Only Italian ships may enter the Adriatic until Italy surrenders (19.82a)."
