"""Step F of the greedy bot: which attacks to announce, and whom to commit to the defence."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.blitz.bot.battle import Outcome, ground_outcome
from sandtable.games.blitz.bot.worth import area_worth, boldness, land_units, size_worth, threat
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.factors import air_factors, naval_factors, strategic_factors
from sandtable.games.blitz.rules.land_combat import (
    AnnounceAttack,
    CommitDefence,
    Defend,
    LandAreaCombat,
    committed,
    unfit,
)
from sandtable.games.blitz.rules.movement import air_range, air_reach
from sandtable.games.blitz.rules.rounds import in_port
from sandtable.games.blitz.rules.sides import enemy_held, may_attack
from sandtable.games.blitz.rules.steps import Done
from sandtable.kernel.decisions import Decision, Pass

CAUTION = 0.6
"""What is at stake in an area that an attack leaves without a land unit counts as much."""

LEAST = 0.3
"""An attack has to bring so much to be made."""


def announce(s: State, request: LandAreaCombat) -> Iterator[Decision]:
    """The best attack that is left, or done."""
    power = request.power
    found: list[tuple[float, AnnounceAttack]] = []
    for target in _targets(s, power):
        found += ground_attacks(s, power, target)
    found += _raids(s, power)
    found.sort(key=lambda each: -each[0])
    for gain, decision in found:
        if gain > LEAST:
            yield decision
    yield Done()


def _targets(s: State, power: str) -> list[str]:
    return [
        area
        for area, holder in s.control.items()
        if holder and enemy_held(s, area, power) and not _attacked(s, area)
    ]


def _attacked(s: State, area: str) -> bool:
    return any(attack.target == area and attack.kind == "ground" for attack in s.attacks)


def can_strike(s: State, power: str, target: str) -> list[str]:
    """The land units that could make a Ground Attack on an area from where they are."""
    near = (*s.facts.land_next[target], *s.facts.coast[target])
    busy = committed(s)
    return [
        id
        for area in near
        for id in s.units_at(area)
        if s.units[id].power == power
        and s.domain(id) == "land"
        and id not in busy
        and may_attack(s, id, target)
        and unfit(s, id, "ground", target) is None
    ]


def can_drop(s: State, power: str, target: str) -> list[str]:
    """The PARAs that could fly to a Ground Attack on an area."""
    busy = committed(s)
    return [
        id
        for id, unit in s.of(power)
        if s.facts.kinds[id].air_move
        and s.type(id) == "PARA"
        and id not in busy
        and target not in s.facts.land_next.get(unit.at, ())
        and may_attack(s, id, target)
        and unfit(s, id, "ground", target, flying=True) is None
    ]


def supporters(s: State, power: str, target: str) -> list[str]:
    """The air and naval units that could support a Ground Attack on an area."""
    busy = committed(s)
    return [
        id
        for id, unit in s.of(power)
        if s.domain(id) != "land"
        and id not in busy
        and s.type(id) not in ("ABOMB", "VWEAPON", "TRS", "LL", "SUB")
        and not (unit.at in s.facts.seas and s.domain(id) == "air")
        and may_attack(s, id, target)
        and unfit(s, id, "ground", target) is None
    ]


def within_limits(s: State, target: str, ids: list[str]) -> list[str]:
    """The strongest of the units that may attack together."""
    numbers, island = s.facts.numbers, s.facts.lands[target].island
    size: dict[str, int] = {}
    chosen = []
    for id in sorted(ids, key=lambda each: (-s.profile(each).land / s.units[each].size, each)):
        unit = s.units[id]
        origin = "" if island else unit.at
        most = numbers.island_size if island else numbers.attack_size_per_area
        if size.get(origin, 0) + unit.size <= most:
            size[origin] = size.get(origin, 0) + unit.size
            chosen.append(id)
    return chosen


def ground_attacks(s: State, power: str, target: str) -> Iterator[tuple[float, AnnounceAttack]]:
    """Ground Attacks on an area with what they should bring: with all, and with a garrison left."""
    able = can_strike(s, power, target)
    drops = can_drop(s, power, target)
    if not able and not drops:
        return
    support = supporters(s, power, target)
    every = within_limits(s, target, [*able, *drops])
    cautious = within_limits(s, target, [*_leaving_garrisons(s, power, able), *drops])
    seen: set[tuple[str, ...]] = set()
    for land in (every, cautious, every[:1]):
        units = tuple(land)
        if not units or units in seen:
            continue
        seen.add(units)
        flying = tuple(id for id in units if id in drops)
        helpers = support if land_units(s, target) else []
        outcome = ground_outcome(s, target, [*units, *helpers], flying)
        yield (
            gain_of(s, power, target, units, outcome),
            AnnounceAttack("ground", target, (*units, *helpers), flying=flying),
        )


def gain_of(s: State, power: str, target: str, units: tuple[str, ...], outcome: Outcome) -> float:
    """What an attack should bring, what it leaves open taken off."""
    gain = outcome.taken * area_worth(s, target) + outcome.enemy_loss
    gain -= boldness(s, power) * outcome.own_loss
    return gain - outcome.taken * CAUTION * _exposed(s, power, target, units)


def _exposed(s: State, power: str, target: str, units: tuple[str, ...]) -> float:
    """What the areas are worth that would be left to an enemy who can walk in."""
    open_ = 0.0
    for area in dict.fromkeys(s.units[id].at for id in units):
        if area not in s.control:
            continue
        if all(id in units for id in land_units(s, area)):
            menace = threat(s, area, power)
            if target in s.facts.land_next[area]:
                menace -= sum(s.units[id].size for id in land_units(s, target))
            if menace > 0:
                open_ += area_worth(s, area)
    return open_


def _leaving_garrisons(s: State, power: str, able: list[str]) -> list[str]:
    """The units without the weakest of each area that would be left open."""
    chosen = list(able)
    for area in dict.fromkeys(s.units[id].at for id in able):
        open_ = area in s.control and all(id in chosen for id in land_units(s, area))
        if open_ and threat(s, area, power):
            there = [id for id in chosen if s.units[id].at == area]
            chosen.remove(min(there, key=lambda id: (s.profile(id).land, id)))
    return chosen


def _raids(s: State, power: str) -> Iterator[tuple[float, AnnounceAttack]]:
    """Factory and Port Attacks with air units that bomb best that way."""
    busy = committed(s)
    for id, unit in s.of(power):
        if s.domain(id) != "air" or id in busy or unit.at in s.facts.seas:
            continue
        kind = s.facts.kinds[id].bombing
        for area in air_reach(s, unit.at, air_range(s, id)):
            if area not in s.control or not enemy_held(s, area, power):
                continue
            guard = _air_guard(s, area, power)
            risk = max(0.0, guard - float(air_factors(s, id))) * 0.15 * size_worth(s, id)
            left = s.facts.lands[area].factory - s.factory_damage.get(area, 0)
            if kind == "strategic" and left > 0:
                factors = float(strategic_factors(s, id)) + left
                yield factors * 0.12 - risk, AnnounceAttack("factory", area, (id,))
            if kind == "naval":
                for port in s.facts.ports[area]:
                    if in_port(s, area, port):
                        factors = float(naval_factors(s, id))
                        yield factors * 0.12 - risk, AnnounceAttack("port", area, (id,), port)


def _air_guard(s: State, area: str, power: str) -> float:
    """The Air Factors that the enemy could bring to the defence of an area."""
    total = 0.0
    for id, unit in s.units.items():
        if (unit.power, power) not in s.wars:
            continue
        if s.domain(id) == "air" and unit.at in s.facts.lands:
            if area in air_reach(s, unit.at, air_range(s, id)):
                total += float(air_factors(s, id))
        elif s.type(id) == "AA" and unit.at == area:
            total += s.profile(id).air
    return total


def defend(s: State, request: CommitDefence) -> Iterator[Decision]:
    """Everything where it helps most: to the most valuable area under Ground Attack first."""
    order = sorted(
        request.units,
        key=lambda number: (
            -area_worth(s, s.attacks[int(number)].target)
            * (2.0 if s.attacks[int(number)].kind == "ground" else 1.0)
        ),
    )
    used: set[str] = set()
    joins: dict[str, tuple[str, ...]] = {}
    for number in order:
        attack = s.attacks[int(number)]
        hostile = sum(float(air_factors(s, id)) for id in attack.units if s.domain(id) == "air")
        able = [id for id in request.units[number] if id not in used]
        own = sum(float(air_factors(s, id)) for id in able)
        if able and (own * 1.5 >= hostile or attack.kind == "ground"):
            joins[number] = tuple(able)
            used.update(able)
    yield Defend(joins) if joins else Pass()
