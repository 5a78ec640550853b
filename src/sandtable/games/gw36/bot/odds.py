"""What to expect of a battle, by the square law: strength is numbers times what they hit with."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

STEEP = 2.2
"""How fast the chance of a battle grows with the ratio of the strengths."""


class Outlook(NamedTuple):
    """What to expect of a battle that is fought to its end."""

    ratio: float
    """The attackers' strength to the defenders'."""
    chance: float
    """Of the attackers."""
    lost: float
    """The part of the attackers that is lost."""
    killed: float
    """The part of the defenders that is lost."""


def outlook(hits: float, number: float, against: float, defenders: float) -> Outlook:
    """Attackers with so many values in sum and so many units, against defenders."""
    if not defenders or not against:
        return Outlook(99.0, 1.0 if number else 0.0, 0.0, 1.0)
    ratio = hits * number / (against * defenders)
    if ratio <= 0:
        return Outlook(0.0, 0.0, 1.0, 0.0)
    chance = ratio**STEEP / (1 + ratio**STEEP)
    if ratio >= 1:
        return Outlook(ratio, chance, 1 - sqrt(1 - 1 / ratio), 1.0)
    return Outlook(ratio, chance, 1.0, 1 - sqrt(1 - ratio))
