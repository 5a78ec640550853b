"""Which land units can move, how far, and what a step costs (5.1 to 5.3)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from sandtable.games.gw75.model import State, Unit
from sandtable.games.gw75.rules import politics
from sandtable.games.gw75.rules.stacking import Part, alike
from sandtable.games.gw75.rules.terms import (
    LANDED,
    MOBILE,
    cited,
    commander,
    nations,
    season,
    strength_points,
)
from sandtable.games.gw75.seats import PLAYERS
from sandtable.kernel.errors import IllegalDecision

MOVERS = MOBILE | {"sd"}
"""Land units that move."""

Able = Callable[[State, str, Unit], bool]
"""Whether a unit in a hex can take part in a kind of move."""


def allowance(s: State, hex: str) -> int:
    """Movement Points of land units that begin a Land Movement Phase in a hex, wherever they go.

    Rules: 3.22b, 5.13, 5.14a, 5.14b, 5.14c, 5.31, 10.0a
    """
    numbers = s.facts.numbers
    return numbers.seasons[season(s)] if s.facts.hexes[hex].weather else numbers.fair_allowance


def remaining(s: State, hex: str, unit: Unit) -> int:
    """Movement Points that a unit in a hex has; all of them if it has not moved."""
    return allowance(s, hex) if unit.left < 0 else unit.left


def cost(s: State, hex: str, mountain: bool) -> int:
    """Movement Points for entering a hex, across a mountain hexside or not. Zones of Control and
    Friendly units cost nothing.

    Rules: 5.12, 5.21, 5.23, 6.11
    """
    numbers = s.facts.numbers
    price = numbers.hex_cost
    if s.facts.hexes[hex].area == "undeveloped":
        price = numbers.undeveloped_cost
    return price + numbers.mountain_cost if mountain else price


def fresh(s: State, hex: str, unit: Unit) -> bool:
    """Whether a unit can begin a move in the Land Movement Phase: no fortification, activated, not
    moved yet (by sea neither), not held back by its politics.

    Rules: 5.0c, 5.26, 5.58, 18.10d
    """
    return (
        unit.type in MOVERS
        and unit.left < 0
        and unit.duty not in LANDED
        and not unit.idle
        and not politics.frozen(s, unit.nation, unit, hex)
    )


def kinds(s: State, player: str, hex: str, able: Able) -> dict[tuple[str, str], int]:
    """Nation and type to the units in a hex that a player can move so."""
    found: dict[tuple[str, str], int] = {}
    for unit, count in s.stack(hex).items():
        if unit.type in MOVERS and commander(s, unit.nation) == player and able(s, hex, unit):
            key = (unit.nation, unit.type)
            found[key] = found.get(key, 0) + count
    return found


def somewhere(
    s: State, player: str, rng: random.Random, able: Able
) -> tuple[str, dict[tuple[str, str], int]]:
    """A hex at random in which a player has units that can move so, and these; nothing if a few
    tries find none. Most often it is one of the player's Major Powers that is tried."""
    table = PLAYERS[s.options["players"]]
    majors: Sequence[str] = [nation for nation, who in table.items() if who == player]
    for _ in range(8):
        some = majors if rng.random() < 0.8 else nations(s, player) or majors
        hexes = s.presence.get(some[int(rng.random() * len(some))])
        if hexes:
            hex = hexes[int(rng.random() * len(hexes))]
            found = kinds(s, player, hex, able)
            if found:
                return hex, found
    return "", {}


def check_units(
    s: State, player: str, hex: str, to: str, units: Sequence[Part], able: Able, rule: str
) -> None:
    """IllegalDecision if a player cannot move such units from a hex to another."""
    if not units:
        raise IllegalDecision("A move needs units.", rule)
    if len({(nation, type) for nation, type, _ in units}) < len(units):
        raise IllegalDecision("Each kind of units is named once.", rule)
    free = kinds(s, player, hex, able)
    for nation, type, count in units:
        have = free.get((nation, type), 0)
        if not 0 < count <= have:
            raise IllegalDecision(*_why_not(s, player, hex, (nation, type, count), have, rule))
    for nation, types in by_nation(units).items():
        why = politics.may_leave(s, nation, hex, sum(types.values()), to)
        if why:
            raise IllegalDecision(why, cited(why))


def _why_not(s: State, player: str, hex: str, part: Part, have: int, rule: str) -> tuple[str, str]:
    """Why a part of a force cannot move, and by which rule."""
    name = s.facts.name
    nation, type, count = part
    if type == "fort":
        return "Fortifications stay where they are.", "5.26"
    if nation in s.facts.nations and commander(s, nation) != player:
        return f"{name(nation)} is not yours to move.", "5.11"
    if have == 0:
        for unit, _ in alike(s, hex, nation, type):
            if unit.idle:
                return f"{name(type)} of {name(nation)} is not activated.", "18.10d"
            why = politics.frozen(s, nation, unit, hex)
            if why:
                return why, cited(why)
            if unit.duty in LANDED and s.phase.endswith("land_movement"):
                return f"Who has landed in {name(hex)} does not move on in this phase.", "5.58"
            if unit.left >= 0:
                return _spent(s, hex, unit, rule)
    idle = sum(number for unit, number in alike(s, hex, nation, type) if unit.idle)
    found = f"{name(nation)} has {strength_points(have)} of {name(type)} in {name(hex)}"
    if 0 < have < count <= have + idle:
        return f"{found} that can move, not {count}: the rest is not activated.", "18.10d"
    return f"{found} that can move, not {count}.", rule


def _spent(s: State, hex: str, unit: Unit, rule: str) -> tuple[str, str]:
    """Why a unit that has moved cannot make such a move any more, and the rule."""
    name = s.facts.name
    who = f"{name(unit.type)} of {name(unit.nation)} in {name(hex)}"
    if rule == "5.0c":
        return f"{who} has moved already.", rule
    if rule == "5.51b" and unit.left >= s.facts.numbers.assault_cost:
        return f"{who} has been stopped there by an Enemy Zone of Control.", rule
    points = "Movement Point" if unit.left == 1 else "Movement Points"
    return f"{who} has {unit.left} {points} left, which is too few.", rule


def pick(s: State, hex: str, units: Sequence[Part], able: Able) -> Iterator[tuple[Unit, int]]:
    """The very units that are meant: those that have been longest without supply first."""
    for nation, type, count in units:
        there = [each for each in alike(s, hex, nation, type) if able(s, hex, each[0])]
        for unit, number in sorted(there, key=lambda each: (-each[0].cut, each[0])):
            some = min(number, count)
            if some:
                yield unit, some
                count -= some


def by_nation(units: Sequence[Part]) -> dict[str, dict[str, int]]:
    """Nation to type to number."""
    found: dict[str, dict[str, int]] = {}
    for nation, type, count in units:
        found.setdefault(nation, {})[type] = found.get(nation, {}).get(type, 0) + count
    return found
