"""What must hold in every position, whatever has been played."""

from __future__ import annotations

from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.noncombat_move import free_decks
from sandtable.games.aa1942.rules.spaces import production


def broken_invariants(s: State) -> list[str]:
    """The invariants that a position breaks, a sentence each.

    Rules: map.spaces, unit.land.scope, unit.sea.scope, unit.sea.carry, unit.transport.capacity,
        unit.carrier.capacity, def.bank, island.no-split
    """
    problems: list[str] = []
    present: dict[tuple[str, str], int] = {}
    for space, unit, count in s.units():
        if count < 1:
            problems.append(f"{space} holds {count} {unit.type}.")
        for piece in (unit, *unit.cargo):
            key = (piece.power, piece.type)
            present[key] = present.get(key, 0) + count
        problems.extend(_misplaced(s, space, unit))
    problems.extend(_unconserved(s, present))
    for power, money in s.treasury.items():
        if money < 0:
            problems.append(f"{power} has a treasury of {money}.")
    total = sum(s.facts.spaces[territory].ipc for territory in s.facts.territories)
    if sum(production(s, power) for power in s.facts.powers) != total:
        problems.append("The production levels do not add up to the map.")
    for territory, damage in s.complexes.items():
        if not 0 <= damage <= s.facts.numbers.damage_cap_factor * s.facts.spaces[territory].ipc:
            problems.append(f"The complex in {territory} has {damage} damage.")
    if s.phase == "purchase":
        problems.extend(_between_turns(s))
    return problems


def _misplaced(s: State, space: str, unit: Unit) -> list[str]:
    kind, sea = s.facts.units[unit.type], s.facts.spaces[space].sea
    problems = []
    if s.facts.spaces[space].neutral or (kind.domain == "land" if sea else kind.domain == "sea"):
        problems.append(f"A {unit.type} of {unit.power} is in {space}.")
    if not 0 <= unit.used <= kind.move:
        problems.append(f"A {unit.type} in {space} has moved {unit.used} spaces.")
    numbers = s.facts.numbers
    types = [piece.type for piece in unit.cargo]
    if unit.type == "transport":
        bulky = sum(type_ != "infantry" for type_ in types)
        if bulky > numbers.transport_any or len(types) > 1 + numbers.transport_infantry:
            problems.append(f"A transport in {space} carries {types}.")
    elif types and (
        unit.type != "aircraft_carrier"
        or set(types) != {"fighter"}
        or len(types) > numbers.fighters_per_carrier
    ):
        problems.append(f"A {unit.type} in {space} carries {types}.")
    return problems


def _unconserved(s: State, present: dict[tuple[str, str], int]) -> list[str]:
    keys = {*present, *s.opening, *s.built, *s.lost}
    return [
        f"{power} has {present.get((power, type_), 0)} {type_}, which does not add up."
        for power, type_ in sorted(keys)
        if present.get((power, type_), 0)
        != s.opening.get((power, type_), 0)
        + s.built.get((power, type_), 0)
        - s.lost.get((power, type_), 0)
    ]


def _between_turns(s: State) -> list[str]:
    """At the start of a turn nobody is in flight, and no territory holds both sides."""
    problems: list[str] = []
    for space, stack in s.at.items():
        if s.facts.spaces[space].sea:
            problems.extend(
                f"More fighters than decks of {power} are in {space}."
                for power in s.facts.powers
                if free_decks(s, space, power) < 0
            )
            continue
        problems.extend(
            f"{unit.power} has units in {space}, which is {s.control[space]}'s."
            for unit in stack
            if s.control[space] in s.facts.enemies[unit.power]
        )
    return problems
