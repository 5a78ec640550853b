"""What the calculators of all games share: a result as players are shown it."""

from __future__ import annotations

from typing import Any

from sandtable.kernel.display import Odds, Setting
from sandtable.odds.text import percent

ORDERS = {"cheapest": "the cheapest first", "weakest": "the weakest first"}
SUBS = {
    "strike": "fight on",
    "submerge": "submerge as soon as they can",
    "last": "submerge when nobody else is left",
}


def orders() -> tuple[Setting, Setting]:
    """In what order both sides lose their units."""
    return (
        Setting("attack_order", "The attacker loses", ORDERS),
        Setting("defend_order", "The defender loses", ORDERS),
    )


def submarines() -> tuple[Setting, Setting]:
    """What the submarines of both sides do."""
    return (
        Setting("attack_subs", "Attacking submarines", SUBS),
        Setting("defend_subs", "Defending submarines", SUBS),
    )


RARE = 0.001
"""Victories that are less likely do not happen, and it is said why."""
HARMLESS = "The attackers can do the defenders no harm at all."


def shown(result: Any, unit: str, *, land: bool, outcome: str = "", why: str = "") -> Odds:
    """A result of any game's odds; `unit` is that of the losses, `why` the reason for which these
    attackers never win, if the game knows one."""
    if result.attacker_wins < RARE and not result.defender_loss:
        why = why or HARMLESS
    lines = [why] if why and result.attacker_wins < RARE else []
    lines += [f"Takes the place: {percent(result.takes_territory)}."] if land else []
    lines.append(
        f"The attacker loses {result.attacker_loss:.1f} {unit} on average, the defender "
        f"{result.defender_loss:.1f}."
    )
    if result.rounds > 1:
        lines.append(f"It lasts {result.rounds:.1f} rounds on average.")
    return Odds(
        "The odds",
        result.attacker_wins,
        1 - result.attacker_wins if outcome else result.defender_wins,
        0.0 if outcome else result.draw,
        tuple(lines),
        outcome=outcome,
        exact=result.exact,
        given="both sides play as set here",
        note=" ".join(result.notes),
    )
