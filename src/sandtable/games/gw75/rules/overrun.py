"""Overrun attacks (5.6): a form of movement. What happens then is in `land_combat.overrun`."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.games.gw75.model import Force, State
from sandtable.games.gw75.rules import attacks, italy
from sandtable.games.gw75.rules.stacking import Part, room
from sandtable.games.gw75.rules.terms import cited, side


def force_in(here: str, units: Sequence[Part]) -> Force:
    """Units in a hex as a force."""
    return tuple(sorted((here, nation, type, count) for nation, type, count in units))


def why_not(s: State, units: Sequence[Part], here: str, hex: str) -> tuple[str, str]:
    """Why units that move together cannot overrun what is in the next hex, and the rule; empty if
    they can. They count at face value, Self-Defense units and Soviet ones in the first Winter too,
    and need no supply; what they overrun has one point, and its weather and terrain.

    Rules: 5.61a, 5.61b, 5.61d, 5.61e, 5.63, 5.65, 9.34, 10.0b, 19.24a
    """
    name, numbers = s.facts.name, s.facts.numbers
    for nation, _, _ in units:
        why = italy.may_not_attack(s, nation)
        if why:
            return why, cited(why)
    leader = units[0][0]
    face = sum(count for _, count in attacks.defenders(s, hex, leader))
    if face > numbers.overrun_points:
        return (
            f"{face} Strength Points are in {name(hex)}: only {numbers.overrun_points} can be "
            "overrun.",
            "5.61a",
        )
    total = sum(count for _, _, count in units)
    differential = total - attacks.defense(s, (hex,), (here,), leader)
    if differential < numbers.overrun_differential:
        return (
            f"An Overrun takes a differential of +{numbers.overrun_differential}, and that into "
            f"{name(hex)} is {differential:+d}.",
            "5.61a",
        )
    if total > room(s, hex, side(s, leader)):
        return f"{total} Strength Points are too many for {name(hex)}.", "5.61d"
    return "", ""
