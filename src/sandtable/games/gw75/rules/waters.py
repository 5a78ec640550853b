"""Which hexes ships may enter: past land and Enemies (12.1, 14.1), in the Baltic and the Adriatic
(19.8)."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.games.gw75.facts import AXIS_MINORS
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import (
    GROUND,
    SHIPS,
    SURFACE,
    at_war,
    cited,
    friends,
    holder,
    relations,
    side,
)

DENMARK = "W3220"
"""Copenhagen: whoever holds it has the entrance of the Baltic."""


def closed(s: State, nation: str, type: str, hex: str, start: str = "") -> tuple[str, str]:
    """Why ships of a nation and type may not enter a hex (from `start`), and the rule; empty if
    they may. Submarines pass everything, other ships no Enemy land or ASW unit, and Enemy Surface
    units only if those escort Merchant Ships.

    Rules: 12.12a, 12.12b, 6.13, 12.61, 12.62, 14.0, 14.11, 14.12, 14.13, 14.14, 14.15, 12.43b
    """
    place = s.facts.hexes[hex]
    if not place.wet:
        return f"Ships cannot enter {s.facts.name(hex)}: it is all land.", "12.61"
    if place.water or (start and s.facts.hexes[start].water):
        why = barred(s, nation, type, hex, start)
        if why:
            return why, cited(why)
    if type == "ss":
        return "", ""
    if hex not in s.at:
        return "", ""
    foes = relations(s).enemies[nation]
    enemies = {unit.type for unit in s.at[hex] if unit.nation in foes}
    if not enemies:
        return "", ""
    if enemies & GROUND:
        return f"Enemy land units are in {s.facts.name(hex)}.", "14.14"
    if "asw" in enemies:
        return f"Enemy ASW units are in {s.facts.name(hex)}.", "12.12a"
    if enemies & SURFACE and not _all_escort(s, foes, hex):
        why = f"Enemy Surface units are in {s.facts.name(hex)}"
        return (
            (f"{why}: they have to be attacked.", "14.11")
            if type in SURFACE
            else (f"{why}.", "12.12b")
        )
    return "", ""


def _all_escort(s: State, foes: frozenset[str], hex: str) -> bool:
    """Whether all Surface units of Enemies in a hex escort Merchant Ships of theirs or of a friend.

    Rules: 15.33a
    """
    merchants = [unit.nation for unit in s.at[hex] if unit.type == "ms"]
    return bool(merchants) and all(
        any(friends(s, unit.nation, owner) for owner in merchants)
        for unit in s.at[hex]
        if unit.nation in foes and unit.type in SURFACE
    )


def barred(s: State, nation: str, type: str, hex: str, start: str = "") -> str:
    """Why a ship may not enter a hex; empty if it may. With `start`, the hex that it comes from,
    also why it may not leave the Baltic.

    Rules: 19.81a, 19.81b, 19.82a, 19.82b
    """
    water = s.facts.hexes[hex].water
    if water == "adriatic":
        return _adriatic(s, nation, type)
    if type not in SHIPS or not _shut(s, nation):
        return ""
    inside = bool(start) and s.facts.hexes[start].water == "baltic"
    if water == "baltic" and not inside:
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


def not_from_afar(s: State, nation: str, type: str, start: str, hex: str) -> str:
    """Why naval units of a nation and type may not attack from one hex into another, to which they
    are not adjacent; empty if they may: the Baltic, while it is closed to them, is attacked by ASW
    units and from adjacent hexes only.

    Rules: 19.81c
    """
    hexes = s.facts.hexes
    if type == "asw" or hexes[hex].water != "baltic" or hexes[start].water == "baltic":
        return ""
    if not _shut(s, nation) or s.facts.distance(start, hex) <= 1:
        return ""
    return "While the Baltic is closed to them the Allies attack into it from next to it (19.81c)."


def sheltered(s: State, nation: str, hexes: Iterable[str]) -> bool:
    """Whether Merchant Ships of a nation may not be attacked: they are the Axis' and operate in
    these hexes only, all of them in the Baltic or in the Adriatic.

    Rules: 19.83
    """
    return side(s, nation) == "axis" and all(s.facts.hexes[hex].water for hex in hexes)


def _shut(s: State, nation: str) -> bool:
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
