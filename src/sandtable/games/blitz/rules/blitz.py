"""Blitz phases (2.2): who chose what, and which units may act in which step."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.games.blitz.model import State
from sandtable.kernel.errors import IllegalDecision

STEPS = {
    "free": "ABDE",
    "air": "ABCDEF",
    "land": "EF",
    "foot": "EF",
    "naval": "ABC",
    "total": "ABCDEF",
}
"""The steps in which a power with this Blitz acts. `foot` is the Land Blitz without motors (9.7).
A Free Blitz causes sea combat only if the enemy wants it (2.2.free-c)."""


def in_blitz(s: State) -> bool:
    """Whether this is a Blitz phase."""
    return s.phase.endswith("blitzes")


def blitz_of(s: State, power: str) -> str:
    """The Blitz that a power has in this phase; nothing outside of Blitz phases."""
    return s.blitz.get(power, "free") if s.phase.endswith("blitzes") else ""


def takes_part(s: State, power: str, step: str) -> bool:
    """Whether a power of the acting side acts in a step of the present phase.

    In step C these are the powers that cause sea area combats.

    Rules: 2.2d, 2.2f, 2.2.air-a, 2.2.land-a, 2.2.naval-a, 2.2.total-a, 9.7a, A.chart-a, A.8b,
        B.6a, C.5b, D.4a
    """
    kind = blitz_of(s, power)
    return not kind or step in STEPS[kind]


def check_blitz(
    s: State, id: str, step: str, carried: Iterable[str] = (), *, attack: str = ""
) -> None:
    """Raise IllegalDecision if the Blitz of its power does not let a unit act in a step.

    `carried` are the land units that go with it; `attack` is the kind of land area combat that it
    is to join. Whether an action of a Free Blitz enters enemy land is for that action to check.

    Rules: 2.2.free-a, 2.2.free-b, 2.2.free-d, 2.2.free-e, 2.2.air-a, 2.2.land-a, 9.7a, A.8b, A.8c,
        D.4a, D.4b
    """
    if not in_blitz(s):
        return
    power = s.units[id].power
    own, others = _by_power(s, power, carried)
    if others:
        check_blitz(s, others[0], step, others[1:])
    kind = blitz_of(s, power)
    if step not in STEPS[kind]:
        raise IllegalDecision(
            f"{s.facts.names[power]} does not act in this step: its Blitz is {kind}.", "2.2d"
        )
    domain = s.domain(id)
    if kind == "air" and domain != "air":
        # Of a Port Attack's fleets, the carriers at sea fight alongside the air units.
        carrier = attack == "port" and s.type(id) == "CV" and s.units[id].at in s.facts.seas
        if not carrier:
            raise IllegalDecision(
                "In an Air Blitz only air units act, and in a Port Attack carriers at sea.",
                "2.2.air-a",
            )
    if kind in ("land", "foot") and attack not in ("", "ground"):
        raise IllegalDecision("In a Land Blitz the only combat is a Ground Attack.", "2.2.land-a")
    if kind == "foot" and motorized(s, id):
        for other, unit in s.of(power):
            if other != id and "drove" in unit.done:
                raise IllegalDecision(
                    "In a Non-Motorized Land Blitz only one armour, air or naval unit acts, and "
                    f"{s.facts.names[other]} did.",
                    "9.7a",
                )
    if kind == "free":
        if step == "D" and domain == "naval":
            raise IllegalDecision("In a Free Blitz naval units do not rebase.", "2.2.free-d")
        size, left = _free_size(s, id, step, own), free_left(s, power)
        if size > left:
            raise IllegalDecision(
                f"A Free Blitz moves units of total Size {s.facts.numbers.free_blitz_size}: "
                f"{left} is left, and this takes {size}.",
                "2.2.free-a",
            )


def use_blitz(s: State, id: str, step: str, carried: Iterable[str] = ()) -> None:
    """Note that a unit acts in a step, with what it carries; before anything else about them.

    Rules: 2.2.free-a, 2.2.free-b, 2.2.free-e, 9.7a
    """
    power = s.units[id].power
    own, others = _by_power(s, power, carried)
    if others:
        use_blitz(s, others[0], step, others[1:])
    kind = blitz_of(s, power)
    if kind == "free":
        s.free_used[power] = s.free_used.get(power, 0) + _free_size(s, id, step, own)
        for each in (id, *own):
            s.mark(each, "counted")
    elif kind == "foot" and motorized(s, id):
        s.mark(id, "drove")


def motorized(s: State, id: str) -> bool:
    """Whether a Non-Motorized Land Blitz lets only one such unit act: ARM, air or naval."""
    return s.type(id) == "ARM" or s.domain(id) != "land"


def free_left(s: State, power: str) -> int:
    """The Size that a power may still move if it has a Free Blitz."""
    return s.facts.numbers.free_blitz_size - s.free_used.get(power, 0)


def used_up(s: State, id: str) -> bool:
    """Whether a Free Blitz has no Size left for a unit that it has not counted yet."""
    unit = s.units[id]
    return (
        blitz_of(s, unit.power) == "free"
        and "counted" not in unit.done
        and unit.size > free_left(s, unit.power)
    )


def _by_power(s: State, power: str, ids: Iterable[str]) -> tuple[list[str], list[str]]:
    """Those of the units that are a power's own, and its partner's, who has a Blitz of its own."""
    own: list[str] = []
    others: list[str] = []
    for id in ids:
        (own if s.units[id].power == power else others).append(id)
    return own, others


def _free_size(s: State, id: str, step: str, carried: Iterable[str]) -> int:
    """What an action adds to the Sizes moved in a Free Blitz.

    Each unit counts once, whatever it does, but air and naval units that move to sea after they
    returned to base count again.

    Rules: 2.2.free-b, 2.2.free-e
    """
    sizes = sum(s.units[each].size for each in carried if "counted" not in s.units[each].done)
    again = step == "B" and s.domain(id) != "land"
    return sizes + (s.units[id].size if again or "counted" not in s.units[id].done else 0)
