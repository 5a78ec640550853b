"""Blitz phases (2.2): who chose what, and which units may act in which step."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.errors import IllegalDecision

STEPS = {
    "free": "ABDE",
    "air": "ABCDEF",
    "land": "EF",
    "naval": "ABC",
    "total": "ABCDEF",
}
"""The steps in which a power with this Blitz acts; a Free Blitz causes sea combat only if the
enemy wants it (2.2.free-c)."""


def in_blitz(s: State) -> bool:
    """Whether this is a Blitz phase."""
    return s.phase.endswith("blitzes")


def takes_part(s: State, power: str, step: str) -> bool:
    """Whether a power of the acting side acts in a step of the present phase.

    Rules: 2.2d, 2.2.air-a, 2.2.land-a, 2.2.naval-a, 2.2.total-a
    """
    if not in_blitz(s):
        return True
    return step in STEPS[s.blitz.get(power, "free")]


def check_blitz(s: State, id: str, step: str, size: int) -> None:
    """Raise IllegalDecision if the Blitz does not let a unit act in this step.

    `size` is what the action adds to the Sizes moved in a Free Blitz.

    Rules: 2.2.free-a, 2.2.free-b, 2.2.free-d, 2.2.air-a
    """
    if not in_blitz(s):
        return
    power = s.units[id].power
    kind = s.blitz.get(power, "free")
    if kind == "air" and s.domain(id) != "air":
        raise IllegalDecision("In an Air Blitz only air units act.", "2.2.air-a")
    if kind == "free":
        if step == "D" and s.domain(id) != "air":
            raise IllegalDecision(
                "In a Free Blitz only air units rebase; naval units do not.", "2.2.free-d"
            )
        limit = s.facts.numbers.free_blitz_size
        used = s.free_used.get(power, 0)
        if used + size > limit:
            raise IllegalDecision(
                f"A Free Blitz moves units of total Size {limit}; {used} are used, and this "
                f"takes {size}.",
                "2.2.free-a",
            )


def use_blitz(s: State, power: str, size: int) -> None:
    """Count Sizes that a power moved in a Free Blitz."""
    if in_blitz(s) and s.blitz.get(power, "free") == "free":
        s.free_used[power] = s.free_used.get(power, 0) + size
