"""Which units may attack what on land, and how strong both sides are (8.1 to 8.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from sandtable.games.gw75.model import Attack, Force, State, Unit
from sandtable.games.gw75.rules import indochina, neutrals, politics, supply, weather
from sandtable.games.gw75.rules.terms import (
    DRIVEN,
    GROUND,
    MOBILE,
    at_war,
    cited,
    commander,
    ground,
    side,
    strength_points,
    tally,
)
from sandtable.kernel.errors import IllegalDecision

Key = tuple[str, str, str]
"""Hex, nation and type."""


def ready(s: State, player: str) -> dict[Key, int]:
    """The points of a player that can attack and are not in an attack yet: mobile, activated, in
    Attack Supply, not attacking elsewhere.

    Rules: 8.0a, 8.15, 18.10d, 9.31, 9.32, 9.33a
    """
    key = f"ready:{player}"
    known: tuple[tuple[Attack, ...], dict[Key, int]] | None = s.memo.get(key)
    if known is not None and known[0] == s.attacks:
        return known[1]
    found = Counter(_able(s, player))
    for kind, count in _taken(s).items():
        found[kind] -= count
    left = {kind: count for kind, count in sorted(found.items()) if count > 0}
    s.memo[key] = s.attacks, left
    return left


def _taken(s: State) -> Counter[Key]:
    """The points that are in declared attacks; do not change it."""
    known: tuple[tuple[Attack, ...], Counter[Key]] | None = s.memo.get("taken")
    if known is None or known[0] != s.attacks:
        found = summed(part for attack in s.attacks for part in attack.force)
        known = s.memo["taken"] = s.attacks, found
    return known[1]


def summed(force: Iterable[tuple[str, str, str, int]]) -> Counter[Key]:
    """Each kind of a force once."""
    return tally(((hex, nation, type), count) for hex, nation, type, count in force)


def free(s: State, player: str, kind: Key) -> int:
    """How many of one kind a player has `ready`."""
    hex, nation, type = kind
    if nation not in s.presence or commander(s, nation) != player:
        return 0
    able = sum(
        supply.split(s, hex, unit)["attack"]
        for unit in s.stack(hex)
        if unit.nation == nation and unit.type == type and can_attack(s, hex, unit)
    )
    return max(0, able - _taken(s)[kind]) if able else 0


def _able(s: State, player: str) -> dict[Key, int]:
    """The points of a player that can attack at all, in their attacks or not."""
    key = f"able:{player}"
    known: dict[Key, int] | None = s.memo.get(key)
    if known is None:
        known = {}
        for nation in sorted(s.presence):
            if commander(s, nation) != player:
                continue
            for hex, unit, _ in s.units_of(nation):
                if can_attack(s, hex, unit):
                    kind = (hex, nation, unit.type)
                    known[kind] = known.get(kind, 0) + supply.split(s, hex, unit)["attack"]
        s.memo[key] = known
    return known


def can_attack(s: State, hex: str, unit: Unit) -> bool:
    """Whether a unit, or some of those alike, can attack at all."""
    return (
        unit.type in MOBILE
        and not unit.idle
        and unit.duty != "attacked"
        and unit.duty not in DRIVEN
        and "attack" in supply.split(s, hex, unit)
    )


def assaulting(s: State, hex: str, nation: str) -> bool:
    """Whether units of a nation are in a hex to attack the Enemies in it (5.57)."""
    return any(unit.duty == "assault" and unit.nation == nation for unit in s.stack(hex))


def defenders(s: State, hex: str, attacker: str) -> Iterator[tuple[Unit, int]]:
    """The land units in a hex that defend against a nation, those that have retreated into it too:
    its Enemies, and whoever is not of its side.

    Rules: 7.11, 7.32, 8.21, 8.24
    """
    for unit, count in ground(s, hex):
        if opposed(s, attacker, unit.nation, hex):
            yield unit, count


def decider(s: State, targets: Iterable[str], attacker: str) -> str:
    """Who decides for the defenders of hexes: the player with the most points there, of several
    with as many the first by name."""
    held = tally(
        (commander(s, unit.nation), count)
        for hex in targets
        for unit, count in defenders(s, hex, attacker)
    )
    return min(held, key=lambda player: (-held[player], player))


def opposed(s: State, attacker: str, other: str, hex: str) -> bool:
    """Whether units of `other` in a hex would defend: Enemies, and those of another side."""
    if at_war(s, attacker, other):
        return True
    return side(s, other) != side(s, attacker) and not indochina.beside(s, attacker, other, hex)


def attackable(s: State, nation: str, hex: str, *, led: bool = False) -> bool:
    """Whether land units stand in a hex that a nation may attack, at war or by violating peace (or
    as others who lead it do)."""
    return any(
        unit.type in GROUND
        and (at_war(s, nation, unit.nation) or bool(neutrals.violates(s, nation, hex)))
        for unit in s.stack(hex)
        if opposed(s, nation, unit.nation, hex)
    ) and not neutrals.closed(s, nation, hex, led=led)


def strength(s: State, force: Force) -> int:
    """The attackers' Strength Points.

    Rules: 8.31, 10.14, 7.34
    """
    return sum(weather.strength(s, nation, count) for _, nation, _, count in force)


def defense(s: State, targets: Iterable[str], origins: Iterable[str], attacker: str) -> int:
    """The adjusted defense of hexes against a nation's attack from hexes: doubled in Spring,
    doubled again behind mountains if all attackers come across them; units that have retreated
    into a hex add nothing.

    Rules: 8.25, 8.32, 7.12a, 10.13a
    """
    origins = tuple(origins)
    total = 0
    for hex in targets:
        standing = sum(
            weather.strength(s, unit.nation, count)
            for unit, count in defenders(s, hex, attacker)
            if unit.duty not in DRIVEN
        )
        standing = weather.defense(s, hex, standing)
        behind = all(s.facts.land[origin].get(hex, False) for origin in origins)
        total += standing * (s.facts.numbers.mountain_defense if behind and origins else 1)
    return total


def differential(s: State, attack: Attack) -> int:
    """Attackers' Strength Points minus the defenders' adjusted ones.

    Rules: 8.31
    """
    origins = sorted({hex for hex, _, _, _ in attack.force})
    return strength(s, attack.force) - defense(s, attack.targets, origins, attack.force[0][1])


def terms(s: State, attack: Attack, differential: int) -> tuple[tuple[str, str, int], ...]:
    """The sum behind a differential, for events and clients."""
    total = strength(s, attack.force)
    return (("", "attack", total), ("", "defense", differential - total))


def check(s: State, player: str, attack: Attack) -> None:
    """IllegalDecision if an attack cannot be declared.

    Rules: 8.0a, 8.0b, 8.13, 8.14, 8.15, 8.23, 8.31, 7.13, 5.57b
    """
    name = s.facts.name
    if not attack.targets or len(set(attack.targets)) < len(attack.targets):
        raise IllegalDecision("An attack names each hex that it is made on once.", "8.23")
    if not attack.force:
        raise IllegalDecision("An attack needs attackers.", "8.0a")
    taken = {hex for each in s.attacks for hex in each.targets}
    if any(count < 1 for *_, count in attack.force):
        raise IllegalDecision("Attackers are counted from 1.", "8.0a")
    asked = summed(attack.force)
    for (hex, nation, type), count in asked.items():
        have = free(s, player, (hex, nation, type))
        if count > have:
            raise IllegalDecision(*_why_not(s, player, (hex, nation, type), count, have))
    for target in attack.targets:
        if target in taken or target in s.fought:
            raise IllegalDecision(f"{name(target)} is attacked already.", "8.14")
        check_target(s, target, asked)
        _check_landed(s, player, target, asked)
    if differential(s, attack) < 0:
        raise IllegalDecision(
            f"An attack with {strength_points(strength(s, attack.force))} has too few: the defense "
            f"is {strength(s, attack.force) - differential(s, attack)}.",
            "8.0b",
        )


def _why_not(s: State, player: str, kind: Key, count: int, have: int) -> tuple[str, str]:
    """Why so many of a kind cannot be in an attack when only `have` of them can, and the rule."""
    name = s.facts.name
    hex, nation, type = kind
    if type in GROUND - MOBILE:
        return f"{name(type)} units never attack.", "8.15"
    if nation in s.facts.nations and commander(s, nation) != player:
        return f"{name(nation)} is not yours to command.", "8.0a"
    there = [(unit, number) for unit, number in ground(s, hex) if unit[:2] == (nation, type)]
    where = f"of {name(type)} in {name(hex)}"
    number = sum(number for _, number in there)
    if count > number:
        return f"{name(nation)} has {strength_points(number)} {where}, not {count}.", "8.0a"
    found = f"{name(nation)} has {strength_points(have)} {where}"
    taken = _taken(s)[kind]
    if count > sum(n for unit, n in there if unit.duty not in DRIVEN | {"attacked"}) - taken:
        return f"{found} in no other attack, not {count}.", "8.14"
    if count > sum(number for unit, number in there if not unit.idle) - taken:
        return f"{found} activated and free, not {count}.", "18.10d"
    unsupplied = any("none" in supply.split(s, hex, unit) for unit, _ in there)
    rule = "9.33a" if unsupplied else "9.32"
    return f"{found} in Attack Supply and free, not {count}.", rule


def _check_landed(s: State, player: str, target: str, asked: Counter[Key]) -> None:
    """IllegalDecision if units that landed in a hex are left out of the attack on it.

    Rules: 5.57b
    """
    for unit in s.stack(target):
        kind = (target, unit.nation, unit.type)
        if unit.duty == "assault" and asked[kind] < free(s, player, kind):
            raise IllegalDecision(
                f"All units that landed in {s.facts.name(target)} attack the Enemies there.",
                "5.57b",
            )


def check_target(s: State, target: str, asked: Collection[Key]) -> None:
    """Raise IllegalDecision unless all of these, together, may attack a hex from where they are."""
    name = s.facts.name
    if target not in s.facts.hexes:
        raise IllegalDecision(f"There is no hex {name(target)}.", "8.0a")
    led = neutrals.led({nation for _, nation, _ in asked})
    for hex, nation, _ in asked:
        if assaulting(s, hex, nation):
            if hex != target:
                raise IllegalDecision(
                    f"Units that landed in {name(hex)} attack the Enemies there and nothing else.",
                    "5.57b",
                )
        elif target not in s.facts.land[hex]:
            raise IllegalDecision(
                f"{name(hex)} is not next to {name(target)}, or land units cannot cross between.",
                "8.23",
            )
        closed = neutrals.closed(s, nation, target, led=nation in led)
        if closed:
            raise IllegalDecision(closed, cited(closed))
        if not attackable(s, nation, target, led=nation in led):
            raise IllegalDecision(f"There is nobody to attack in {name(target)}.", "8.0a")
        for unit, _ in ground(s, target):
            if opposed(s, nation, unit.nation, target):
                reason = politics.may_attack(s, nation, unit.nation, target, led=nation in led)
                if reason:
                    raise IllegalDecision(reason, cited(reason))
