"""Weather (chapter 10): what it does to strength. For movement see `land_movement`."""

from __future__ import annotations

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import season

YEAR = 4
"""Game-Turns."""


def defense(s: State, hex: str, points: int) -> int:
    """The defense of Strength Points in a hex before any other adjustment: doubled in Spring in the
    Weather Area, wherever the attacker stands.

    Rules: 10.0a, 10.0b, 10.13a
    """
    if s.facts.hexes[hex].weather and season(s) == "spring":
        return points * s.facts.numbers.spring_defense
    return points


def strength(s: State, nation: str, points: int) -> int:
    """What land Strength Points of a nation count for in attack and defense: those of the USSR
    double in the first Winter after the Game-Turn of the German invasion.

    Rules: 10.14
    """
    if nation != "ussr" or season(s) != "winter":
        return points
    invaded = s.counts.get("invaded_ussr", 0)
    if invaded and 0 < s.turn - invaded <= YEAR:
        return points * s.facts.numbers.winter_strength
    return points
