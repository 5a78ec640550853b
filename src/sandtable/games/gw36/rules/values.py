"""What a unit hits with: printed values, bonuses and penalties (0.3), terrain, cities, pairing."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.games.gw36.facts import UnitType
from sandtable.games.gw36.model import Stack, State, Unit
from sandtable.games.gw36.rules.battle import attackers, defenders, running
from sandtable.games.gw36.rules.terms import has_tech
from sandtable.games.gw36.rules.zones import border, covering, crosses_river, ground, surrounded

SIDES = 12
"""Battles are rolled with twelve-sided dice."""

CITY_TARGET = 1
ANTI_AIR = 3


class Fort(NamedTuple):
    """What fortifications do in the first round."""

    dice: int = 0
    value: int = 0
    bonus: int = 0
    double: bool = False


FORTS = {"fortification": Fort(2, 5, 2), "maginot": Fort(2, 6, 3, double=True)}


class Shots(NamedTuple):
    """Dice of one type of unit that hit alike."""

    nation: str
    count: int  # type: ignore[assignment]  # not the method of tuples
    value: int
    target: int
    """The highest face with which the roller chooses what is hit; 0: none."""


def printed_attack(kind: UnitType, unit: Unit) -> int | None:
    """The Attack of a unit, damage included: each hit costs a battleship 2. That is a change of its
    values, no modifier.

    Rules: 0.3e, 12.2.battleship-b, 7.8.heavy-battleship-b
    """
    return None if kind.attack is None else max(kind.attack - _worn(kind, unit), 0)


def printed_defense(kind: UnitType, unit: Unit) -> int | None:
    """The Defense of a unit, damage included."""
    return None if kind.defense is None else max(kind.defense - _worn(kind, unit), 0)


def _worn(kind: UnitType, unit: Unit) -> int:
    return 2 * unit.hits if kind.bombard else 0


def fort(s: State) -> Fort:
    """The strongest fortification that an attacking land unit has to cross.

    Rules: 12.7a, 12.7b, 12.7d, 1.22a, 1.23b, 1.23c
    """
    battle = running(s)
    best = Fort()
    if battle.kind != "land":
        return best
    origins = {unit.origin for unit in attackers(s) if s.facts.units[unit.type].land}
    for type_, effect in FORTS.items():
        if effect.bonus > best.bonus and any(
            covering(s, battle.at, origin, type_) for origin in origins if origin
        ):
            best = effect
    return best


def city(s: State, zone: str) -> str:
    """What a city gives its defenders: "city", "surrounded", or nothing.

    Rules: 1.16a, 1.16d, 1.16e
    """
    if not s.facts.zones[zone].city:
        return ""
    return "surrounded" if surrounded(s, zone) else "city"


def attack_modifiers(s: State, unit: Unit, round_: int) -> tuple[int, int]:
    """The best bonus and the worst penalty of an attacking unit in this round, without pairing.

    Rules: 0.3b, 0.3c, 0.3d, 1.8a, 1.8b, 1.9a, 1.9b, 1.10a, 1.10b, 1.11a, 1.11b, 1.12c, 1.24dual-a,
        1.24dual-c, 1.24dual-d, 12.2.mountain-c, 12.2.marine-b, 12.2.airborne-b
    """
    battle = running(s)
    kind = s.facts.units[unit.type]
    if battle.kind != "land" or not kind.land:
        return 0, 0
    here = {ground(s, battle.at)}
    river = False
    if round_ == 1 and unit.duty != "assault":
        here.add(border(s, unit.origin, battle.at))
        river = crosses_river(s, unit.origin, battle.at)
    bonus = penalty = 0
    more = dict(kind.bonuses)
    if "mountain" in here and "mountain_attack" not in kind.ignores:
        penalty = -1
    if "desert" in here:
        bonus = max(bonus, more.get("desert_attack", 0))
        if "desert" not in kind.ignores:
            penalty = -1
    if "jungle" in here:
        bonus = max(bonus, more.get("jungle_attack", 0))
    if kind.class_ == "vehicle" and here & {"jungle", "marsh"}:
        penalty = -2
    if river and kind.class_ != "artillery" and "river" not in kind.ignores:
        penalty = min(penalty, -1)
    if round_ == 1 and unit.duty == "assault" and unit.target == "airborne":
        bonus = max(bonus, more.get("airborne_attack", 0))
    return bonus, penalty


def defense_modifiers(
    s: State, unit: Unit, round_: int, works: Fort, walls: str
) -> tuple[int, int]:
    """The best bonus and the worst penalty of a defending unit in this round.

    Rules: 0.3b, 0.3c, 0.3d, 1.10b, 1.11b, 1.16b, 1.16d, 1.24dual-b, 12.2.mountain-b, 12.7d, 12.7e
    """
    battle = running(s)
    kind = s.facts.units[unit.type]
    bonus = 0
    penalty = -1 if round_ == 1 and battle.surprise else 0
    if battle.kind != "land":
        return bonus, penalty
    if kind.land:
        land = ground(s, battle.at)
        if land == "mountain":
            bonus = dict(kind.bonuses).get("mountain_defense", 0)
        if kind.class_ == "vehicle" and land in ("jungle", "marsh"):
            penalty = -2
        if walls == "city" and kind.class_ == "infantry":
            bonus = max(bonus, 1)
        if round_ == 1:
            bonus = max(bonus, works.bonus)
    if walls == "surrounded":
        penalty = min(penalty, -1)
    return bonus, penalty


def attack_of(base: int, bonus: int, penalty: int) -> int:
    """An Attack value with its modifiers; penalties never bring it under 1.

    Rules: 0.3a, 0.3f
    """
    return max(base + bonus + penalty, min(base, 1))


def opposing_aircraft(s: State, side: str) -> int:
    """The aircraft that anti-aircraft artillery of a side can fire at."""
    units = defenders(s) if side == "attack" else attackers(s)
    return sum(count for unit, count in units.items() if s.facts.units[unit.type].air)


def attack_shots(s: State, units: Stack) -> dict[str, list[Shots]]:
    """The dice of attacking units by type, with the bonus of artillery where it does most.

    Rules: 9.1b, 12.2.artillery-c, 12.2.aa-b, 0.3g, 7.8.rockets-a
    """
    battle = running(s)
    round_ = battle.round
    support = 0
    if battle.kind == "land":
        support = sum(n for unit, n in attackers(s).items() if s.facts.units[unit.type].supports)
    shots: dict[str, list[Shots]] = {}
    supported: list[tuple[int, Unit, int, int, int]] = []
    for unit, count in sorted(units.items()):
        kind = s.facts.units[unit.type]
        if kind.anti_air:
            _anti_air(s, "attack", unit, count, shots)
            continue
        base = printed_attack(kind, unit)
        if base is None or unit.type == "strategic_rocket":
            continue
        bonus, penalty = attack_modifiers(s, unit, round_)
        plain = attack_of(base, bonus, penalty)
        if support and kind.class_ == "infantry":
            gain = attack_of(base, max(bonus, 1), penalty) - plain
            supported.append((-gain, unit, count, plain, kind.target_range))
        else:
            shots.setdefault(unit.type, []).append(
                Shots(unit.nation, count, plain, kind.target_range)
            )
    for loss, unit, count, plain, target in sorted(supported):
        helped = min(count, support) if loss else 0
        support -= helped
        rows = shots.setdefault(unit.type, [])
        if helped:
            rows.append(Shots(unit.nation, helped, plain - loss, target))
        if count > helped:
            rows.append(Shots(unit.nation, count - helped, plain, target))
    return {type_: _joined(rows) for type_, rows in sorted(shots.items())}


def defense_shots(s: State, units: Stack) -> dict[str, list[Shots]]:
    """The dice of defending units by type.

    Rules: 9.1b, 1.16c, 12.2.aa-b, 7.8.asw-c
    """
    battle = running(s)
    works, walls = fort(s), city(s, battle.at) if battle.kind == "land" else ""
    shots: dict[str, list[Shots]] = {}
    for unit, count in sorted(units.items()):
        kind = s.facts.units[unit.type]
        if kind.anti_air:
            _anti_air(s, "defense", unit, count, shots)
            continue
        base = printed_defense(kind, unit)
        if kind.transport and has_tech(s, unit.nation, "advanced_asw"):
            base = 1
        if base is None or unit.type == "strategic_rocket":
            continue
        bonus, penalty = defense_modifiers(s, unit, battle.round, works, walls)
        target = kind.target_range
        if walls == "city" and kind.class_ == "infantry":
            target = max(target, CITY_TARGET)
        shots.setdefault(unit.type, []).append(
            Shots(unit.nation, count, max(base + bonus + penalty, 0), target)
        )
    return {type_: _joined(rows) for type_, rows in sorted(shots.items())}


def _anti_air(s: State, side: str, unit: Unit, count: int, shots: dict[str, list[Shots]]) -> None:
    """Anti-aircraft artillery fires in the first round, a die for each aircraft, three at most.

    Rules: 12.2.aa-b, 12.2.aa-d
    """
    kind = s.facts.units[unit.type]
    dice = min(kind.anti_air, opposing_aircraft(s, side)) * count
    if running(s).round == 1 and dice:
        shots.setdefault(unit.type, []).append(Shots(unit.nation, dice, ANTI_AIR, 0))


def _joined(rows: list[Shots]) -> list[Shots]:
    """Dice that hit alike are one line."""
    merged: dict[tuple[str, int, int], int] = {}
    for row in rows:
        key = (row.nation, row.value, row.target)
        merged[key] = merged.get(key, 0) + row.count
    return [Shots(nation, n, value, target) for (nation, value, target), n in merged.items()]


def strikes_first(s: State, unit: Unit, side: str) -> bool:
    """Whether a unit has first strike in this battle: submarines lose it to an Enemy destroyer,
    aircraft have it in a surprise attack.

    Rules: table-9-1a, 9.10b, 12.2.destroyer-b, 12.2.artillery-b
    """
    kind = s.facts.units[unit.type]
    if kind.submarine:
        others = defenders(s) if side == "attack" else attackers(s)
        return not any(other.type == "destroyer" for other in others)
    if kind.air and side == "attack" and running(s).surprise:
        return True
    return kind.first_strike
