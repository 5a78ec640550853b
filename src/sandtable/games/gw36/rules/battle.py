"""Who fights in a battle, and how units are named in it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from sandtable.games.gw36.model import Battle, Force, Stack, State, Unit
from sandtable.games.gw36.rules.terms import commander, power_of
from sandtable.games.gw36.rules.zones import side

ATTACKING = frozenset({"attack", "assault", "screen"})
"""The duties of units that attack in a battle; who waits behind a screen or lies off a coast to
land or bombard does not fight at sea."""

ABSENT = frozenset({"submerged", "declined"})


def running(s: State) -> Battle:
    """The battle that is being fought."""
    assert s.battle is not None
    return s.battle


def update(s: State, **fields: object) -> Battle:
    """Replace parts of the record of the battle."""
    s.battle = msgspec.structs.replace(running(s), **fields)
    return s.battle


def attackers(s: State) -> Stack:
    """The attacking units of the battle, with their numbers: those that take part in the attack and
    no others, whoever shares their zone. Do not change it.

    Rules: 0.5j, 9.1a
    """
    global _latest
    battle = running(s)
    stack, nations = s.stack(battle.at), battle.attackers
    known = _latest
    if known[0] is stack and known[1] == nations:
        return known[2]
    found = {
        unit: count
        for unit, count in stack.items()
        if unit.duty in ATTACKING and unit.nation in nations
    }
    _latest = (stack, nations, found)
    return found


_latest: tuple[Stack | None, tuple[str, ...], Stack] = (None, (), {})
"""The stack and the nations for which `attackers` was asked last: a round asks a dozen times."""


def defenders(s: State) -> Stack:
    """The defending units: of every nation that is attacked or at war with an attacker, whatever
    its Alliance; submarines and patrols that declined stay out of it. The condemned are among them.

    Rules: 0.5g, 0.5i, 8.9c
    """
    battle = running(s)
    found = {}
    for unit, count in s.stack(battle.at).items():
        if unit.duty in ABSENT or unit.nation in battle.attackers:
            continue
        if defends(s, unit.nation):
            found[unit] = count
    return found


def defends(s: State, nation: str) -> bool:
    """Whether a nation's units defend in this battle."""
    battle = running(s)
    return nation in battle.defenders or any(
        nation in side(s, attacker).foes for attacker in battle.attackers
    )


def standing(s: State) -> Stack:
    """The defenders that have not been hit: those behind the line only fire once more.

    Rules: 9.1d
    """
    left = dict(defenders(s))
    for unit, count in running(s).condemned:
        if unit in left:
            left[unit] -= count
            if left[unit] <= 0:
                del left[unit]
    return left


def total(units: Stack | Force) -> int:
    """How many they are."""
    return sum(units.values()) if isinstance(units, dict) else sum(count for _, count in units)


def label(s: State, unit: Unit) -> str:
    """How casualties name a unit: nation and type, and what tells it from others of the type."""
    kind = s.facts.units[unit.type]
    name = f"{unit.nation}:{unit.type}"
    if unit.hits:
        name += f":{unit.hits}"
    if kind.air and unit.used:
        name += f"@{unit.used}"
    if unit.duty == "assault":
        name += "~"
    if unit.origin and _worse_off(s, unit):
        name += "!"
    if unit.cargo:
        name += "+" + "+".join(piece.type for piece in unit.cargo)
    return name


def suffers_double(s: State, unit: Unit) -> bool:
    """Whether a hit on this attacker costs two in the first round: it lands from the sea, and is no
    Marine and not from an Attack Transport, or it crosses the Maginot Line.

    Rules: 9.8d, 1.23a, 12.2.marine-b, 7.8.attack-transport-b
    """
    kind = s.facts.units[unit.type]
    if s.battle is None or s.battle.kind != "land" or not kind.land:
        return False
    if unit.duty == "assault":
        return (
            unit.target not in ("airborne", "attack_transport") and "amphibious" not in kind.ignores
        )
    return unit.duty == "attack" and any(
        facility.type == "maginot" and facility.at == unit.origin
        for facility in s.facilities.get(s.battle.at, ())
    )


def _worse_off(s: State, unit: Unit) -> bool:
    """Whether a unit suffers double casualties and others that would be named alike do not."""
    return suffers_double(s, unit) and any(
        (other.nation, other.type, other.duty) == (unit.nation, unit.type, unit.duty)
        and not suffers_double(s, other)
        for other in s.stack(running(s).at)
    )


def type_of(name: str) -> str:
    """The type of unit that a label names."""
    rest = name.partition(":")[2].partition("+")[0]
    return rest.partition(":")[0].partition("@")[0].rstrip("~!")


def labelled(s: State, units: Stack) -> dict[str, list[tuple[Unit, int]]]:
    """The units by their labels."""
    found: dict[str, list[tuple[Unit, int]]] = {}
    for unit, count in units.items():
        found.setdefault(label(s, unit), []).append((unit, count))
    return found


def conclude(s: State, zone: str, kind: str) -> None:
    """A combat is over and done with."""
    s.battle = None
    s.step = ""
    s.fought |= {zone}
    s.planned = tuple(each for each in s.planned if each != (zone, kind))


def forces(units: Iterable[tuple[Unit, int]]) -> dict[str, dict[str, int]]:
    """Units as events tell of them: nation to type to number."""
    found: dict[str, dict[str, int]] = {}
    for unit, count in units:
        types = found.setdefault(unit.nation, {})
        types[unit.type] = types.get(unit.type, 0) + count
    return found


def choosers(s: State, units: Iterable[Unit]) -> tuple[str, ...]:
    """The player nations that decide for these units, in the order of play. A nation whose parts
    attack and defend as one decides by its first.

    Rules: 0.5g, 6.1c
    """
    found = {commander(s, unit.nation) for unit in units}
    by_power: dict[str, str] = {}
    for nation in s.facts.powers:
        if nation in found:
            by_power.setdefault(power_of(s, nation), nation)
    return tuple(by_power.values())


def lead(s: State, nations: Iterable[str]) -> str:
    """The player nation that decides for nations that act as one."""
    found = {commander(s, nation) for nation in nations}
    for nation in s.facts.powers:
        if nation in found:
            return nation
    return ""
