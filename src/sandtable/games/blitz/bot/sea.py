"""Steps A to D of the greedy bot: ships and aircraft, at sea and between bases."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.board.graphs import route
from sandtable.games.blitz.bot.attack import ground_attacks, within_limits
from sandtable.games.blitz.bot.worth import area_worth, best_first, distance_to_enemy, land_units
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.bases import Return, choices
from sandtable.games.blitz.rules.convoys import convoy_left
from sandtable.games.blitz.rules.factors import air_factors, naval_factors
from sandtable.games.blitz.rules.move_to_sea import Embark, EmbarkUnits, Fly, MoveToSea, Sail
from sandtable.games.blitz.rules.movement import (
    air_range,
    air_reach,
    capacity,
    may_carry,
    next_seas,
    port_seas,
    sea_reach,
)
from sandtable.games.blitz.rules.rebase import Rebase, RebaseUnits, harbours, may_rebase
from sandtable.games.blitz.rules.return_to_base import ReturnToBase
from sandtable.games.blitz.rules.sea_combat import (
    AvoidSeaCombat,
    CallCombat,
    ChooseSea,
    Engage,
    Evade,
    FightAt,
    FlyIn,
    JoinSeaCombat,
)
from sandtable.games.blitz.rules.sides import enemy_held, friendly, may_attack
from sandtable.games.blitz.rules.steps import Done
from sandtable.games.blitz.rules.supply import guarded, in_supply
from sandtable.kernel.decisions import Decision, Pass

FAR = 99


# --- how good it is to be somewhere ---------------------------------------------------------------


def strength(s: State, sea: str, power: str, *, own: bool) -> float:
    """The Naval Factors in a sea area of one's own side, or of its enemies at war."""
    side = s.facts.side[power]
    total = 0.0
    for id in s.units_at(sea):
        unit = s.units[id]
        if unit.aboard or not unit.power or s.domain(id) == "land":
            continue
        if (s.facts.side[unit.power] == side) if own else ((unit.power, power) in s.wars):
            total += float(naval_factors(s, id)) + 0.5 * float(air_factors(s, id))
    return total


def sea_worth(s: State, power: str, sea: str, id: str) -> float:
    """How much good a warship or an air unit would do in a sea area."""
    side = s.facts.side[power]
    own = strength(s, sea, power, own=True) + float(naval_factors(s, id))
    if s.units[id].at == sea:
        own -= float(naval_factors(s, id))
    enemy = strength(s, sea, power, own=False)
    worth = 0.0
    convoy = s.facts.convoys.get(sea)
    if convoy is not None:
        left = convoy_left(s, sea)
        if s.facts.side[convoy.power] != side and left and _at_war_with(s, power, convoy.power):
            worth += 1.5 * left
        elif s.facts.side[convoy.power] == side and enemy:
            worth += 1.0
    if enemy:
        worth += 1.5 if own > 1.2 * enemy else -2.5
    for other in s.units_at(sea):
        own_ship = s.facts.side.get(s.units[other].power) == side
        if own_ship and (s.type(other) == "LL" or s.cargo(other)):
            worth += 1.0
    for area in s.facts.coast[sea]:
        if area in s.control and enemy_held(s, area, power) and s.type(id) in ("BB", "CV"):
            worth += 0.1
    return worth


def _at_war_with(s: State, power: str, owner: str) -> bool:
    """Whether a power is at war with the owner of a convoy, as the scenario has him."""
    if (power, owner) in s.wars:
        return True
    return any(
        owner in s.facts.powers[each].members and (power, each) in s.wars
        for each in s.scenario.powers
    )


def closeness(s: State, power: str) -> dict[str, int]:
    """For every sea in play, how many moves lie between it and a coast of the enemy."""
    key = ("bot closeness", power)
    found: dict[str, int] | None = s.cached(key)
    if found is None:
        ring = [
            sea
            for sea in s.facts.seas
            if sea in s.in_play
            and any((s.control.get(area, ""), power) in s.wars for area in s.facts.coast[sea])
        ]
        found = dict.fromkeys(ring, 0)
        while ring:
            after = []
            for sea in ring:
                for other in s.facts.sea_next[sea]:
                    if other in s.in_play and other not in found:
                        found[other] = found[sea] + 1
                        after.append(other)
            ring = after
        s.keep(key, found)
    return found


def harbour_worth(s: State, power: str, id: str, area: str, port: str) -> float:
    """How good a port is as a base: near the enemy, for a lend lease unit near its own sea."""
    seas = [sea for sea in s.facts.ports[area][port].seas if sea in s.in_play]
    kind = s.facts.kinds[id]
    if kind.sea:
        return 10.0 - 2.0 * min((_voyage(s, id, sea, kind.sea) for sea in seas), default=FAR)
    near = closeness(s, power)
    return 3.0 - min((near.get(sea, FAR) for sea in seas), default=FAR) + 0.1 * len(seas)


def _voyage(s: State, id: str, origin: str, goal: str) -> int:
    return sea_reach(s, id, origin, 8).get(goal, FAR)


# --- step A ---------------------------------------------------------------------------------------


def return_home(s: State, request: ReturnToBase) -> Iterator[Decision]:
    """Bring home whoever does no good where he is."""
    power = request.power
    for id, unit in sorted(s.of(power)):
        if unit.at not in s.facts.seas or unit.aboard or s.domain(id) == "land":
            continue
        if _stays(s, power, id):
            continue
        open_ = choices(s, id, unit.at)
        if open_:
            area, port = max(open_, key=lambda base: (_base_worth(s, power, id, *base), base))
            yield Return(id, area, port)
    yield Done()
    yield from request.actions(s)


def _stays(s: State, power: str, id: str) -> bool:
    unit, kind = s.units[id], s.facts.kinds[id]
    if kind.sea:
        return unit.at == kind.sea
    if s.type(id) == "TRS":
        return bool(s.cargo(id)) and any(
            area in s.control and enemy_held(s, area, power) for area in s.facts.coast[unit.at]
        )
    return sea_worth(s, power, unit.at, id) > 0.9


def _base_worth(s: State, power: str, id: str, area: str, port: str) -> float:
    if s.domain(id) == "naval":
        return harbour_worth(s, power, id, area, port)
    return air_base_worth(s, power, id, area)


# --- step B ---------------------------------------------------------------------------------------


def put_to_sea(s: State, request: MoveToSea) -> Iterator[Decision]:
    """The best voyage or flight that is left, or done."""
    power = request.power
    found: list[tuple[float, str, Decision]] = []
    for id, unit in s.of(power):
        if unit.at in s.facts.seas or s.domain(id) == "land" or "sailed" in unit.done:
            continue
        if s.domain(id) == "air":
            found += _flights(s, power, id)
        elif s.type(id) == "TRS":
            found += _invasions(s, power, id)
        else:
            found += _cruises(s, power, id)
    yield from best_first(found, 0.9)
    yield Done()


def _paths(s: State, id: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every sea that a ship in port can reach, with a way to it."""
    limit = s.facts.kinds[id].move if in_supply(s, id) else 1
    seen: set[str] = set()
    for first in port_seas(s, id):
        for sea in sea_reach(s, id, first, limit - 1):
            if sea in seen:
                continue
            way = route(
                first, sea, lambda at: ((other, 1) for other in next_seas(s, id, at)), limit - 1
            )
            if way is not None:
                seen.add(sea)
                yield sea, (first, *way)


def _cruises(s: State, power: str, id: str) -> Iterator[tuple[float, str, Decision]]:
    kind = s.facts.kinds[id]
    for sea, path in _paths(s, id):
        if kind.sea:
            if sea == kind.sea and not guarded(s, sea, power):
                yield 5.0, id, Sail(id, path)
        else:
            yield sea_worth(s, power, sea, id) - 0.1 * len(path), id, Sail(id, path)


def _flights(s: State, power: str, id: str) -> Iterator[tuple[float, str, Decision]]:
    if s.facts.kinds[id].bombing != "naval" or not in_supply(s, id):
        return
    for sea in air_reach(s, s.units[id].at, air_range(s, id)):
        if sea in s.facts.seas and sea in s.in_play:
            yield sea_worth(s, power, sea, id) - 0.2, id, Fly(id, sea)


def _invasions(s: State, power: str, id: str) -> Iterator[tuple[float, str, Decision]]:
    """Carry land units to a sea from which they, with all who can come, can take something."""
    if not in_supply(s, id):
        return
    for sea, path in _paths(s, id):
        if guarded(s, sea, power):
            continue
        for target in s.facts.coast[sea]:
            if target in s.control and enemy_held(s, target, power):
                gain, loads = _landing(s, power, sea, target)
                if loads.get(id):
                    yield gain, id, Sail(id, path, "", loads[id])


def _landing(
    s: State, power: str, sea: str, target: str
) -> tuple[float, dict[str, tuple[str, ...]]]:
    """What a landing from a sea should bring if every transport that can comes to it, and what
    each of them would carry."""
    key = ("bot landing", power, sea, target)
    found: tuple[float, dict[str, tuple[str, ...]]] | None = s.cached(key)
    if found is not None:
        return found
    loads: dict[str, tuple[str, ...]] = {}
    taken: set[str] = set()
    after = s.copy()
    for id, unit in sorted(s.of(power)):
        if s.type(id) != "TRS" or unit.at in s.facts.seas or "sailed" in unit.done:
            continue
        if not in_supply(s, id) or all(sea != each for each, _ in _paths(s, id)):
            continue
        able = [
            each
            for each in s.units_at(unit.at)
            if each not in taken and _can_land(s, id, each) and may_attack(s, each, target)
        ]
        load = _fitting(s, id, target, able)
        if load:
            loads[id] = tuple(load)
            taken.update(load)
            after.change(id, at=sea, port="")
            for each in load:
                after.change(each, at=sea, aboard=id)
    best = max((gain for gain, _ in ground_attacks(after, power, target)), default=0.0)
    return s.keep(key, (best, loads))  # type: ignore[no-any-return]


def _can_land(s: State, id: str, each: str) -> bool:
    """Whether a transport could carry a land unit that is worth landing."""
    return (
        s.domain(each) == "land"
        and s.type(each) not in ("FORT", "GAR", "AA")
        and bool(s.profile(each).land)
        and may_carry(s, id, each)
        and "carried" not in s.units[each].done
    )


def _fitting(s: State, id: str, target: str, units: list[str]) -> list[str]:
    """The strongest land units that a transport can carry against an area."""
    room, chosen = capacity(s, id), []
    ranked = sorted(units, key=lambda e: (s.type(e) != "MAR", -s.profile(e).land, e))
    for each in ranked:
        size = s.units[each].size
        if size <= room:
            room -= size
            chosen.append(each)
    return within_limits(s, target, chosen)


def embark(s: State, request: EmbarkUnits) -> Iterator[Decision]:
    """Take aboard whatever is allowed, if there is something to attack from here."""
    power = request.power
    sea = s.units[request.transport].at
    targets = [
        area for area in s.facts.coast[sea] if area in s.control and enemy_held(s, area, power)
    ]
    if targets:
        legal = [d for d in request.decisions(s) if isinstance(d, Embark)]
        legal.sort(key=lambda d: -sum(s.profile(each).land for each in d.units))
        for decision in legal:
            if all(len(land_units(s, s.units[each].at)) > 1 for each in decision.units):
                yield decision
    yield Pass()


# --- step C ---------------------------------------------------------------------------------------


def choose_sea(s: State, request: ChooseSea) -> Iterator[Decision]:
    """The sea with the greatest superiority first."""
    yield FightAt(
        max(
            request.seas,
            key=lambda sea: (
                strength(s, sea, request.power, own=True)
                - strength(s, sea, request.power, own=False),
                sea,
            ),
        )
    )


def call_combat(s: State, request: CallCombat) -> Iterator[Decision]:
    """Fight if stronger."""
    own = strength(s, request.sea, request.power, own=True)
    yield Engage() if own > strength(s, request.sea, request.power, own=False) else Pass()


def join_sea_combat(s: State, request: JoinSeaCombat) -> Iterator[Decision]:
    """Fly in if that makes a fight of it."""
    sea, power = request.sea, request.power
    own = strength(s, sea, power, own=True) + sum(
        float(naval_factors(s, id)) for id in request.units
    )
    if own >= 0.7 * strength(s, sea, power, own=False):
        yield FlyIn(request.units)
    yield Pass()


def avoid_sea_combat(s: State, request: AvoidSeaCombat) -> Iterator[Decision]:
    """Submarines leave before a superior enemy."""
    sea, power = request.sea, request.power
    if strength(s, sea, power, own=False) > 1.3 * strength(s, sea, power, own=True):
        yield Evade(request.units)
    yield Pass()


# --- step D ---------------------------------------------------------------------------------------


def rebase(s: State, request: RebaseUnits) -> Iterator[Decision]:
    """The rebase that helps most, or done."""
    power = request.power
    found: list[tuple[float, str, Decision]] = []
    for id, _ in s.of(power):
        if may_rebase(s, id) is not None or s.domain(id) == "land":
            continue
        if s.domain(id) == "air":
            found += _air_rebases(s, power, id)
        else:
            found += _naval_rebases(s, power, id)
    yield from best_first(found, 0.5)
    yield Done()


def _air_rebases(s: State, power: str, id: str) -> Iterator[tuple[float, str, Decision]]:
    here = s.units[id].at
    stay = air_base_worth(s, power, id, here)
    limit = s.facts.numbers.rebase_factor * air_range(s, id)
    for area in air_reach(s, here, limit):
        if area != here and area in s.control and friendly(s, area, power):
            gain = air_base_worth(s, power, id, area) - stay
            if gain > 0.5:
                yield gain, id, Rebase(id, area)


def air_base_worth(s: State, power: str, id: str, area: str) -> float:
    """How good an area is as a base of an air unit: what it reaches, and how safe it is."""
    key = ("bot air base", power, s.facts.kinds[id].bombing, air_range(s, id), area)
    found: float | None = s.cached(key)
    if found is None:
        found = 0.0
        for other in air_reach(s, area, air_range(s, id)):
            if other in s.control:
                if enemy_held(s, other, power):
                    found += 0.4 + 0.1 * area_worth(s, other)
                elif distance_to_enemy(s, power).get(other, FAR) <= 1:
                    found += 0.3
            elif s.facts.kinds[id].bombing == "naval" and other in s.facts.seas:
                convoy = s.facts.convoys.get(other)
                if convoy is not None and s.facts.side[convoy.power] != s.facts.side[power]:
                    found += 1.0
        if not land_units(s, area):
            found -= 2.0
        s.keep(key, found)
    return found


def _naval_rebases(s: State, power: str, id: str) -> Iterator[tuple[float, str, Decision]]:
    unit = s.units[id]
    stay = harbour_worth(s, power, id, unit.at, unit.port)
    load: tuple[str, ...] = ()
    if s.type(id) == "TRS" and distance_to_enemy(s, power).get(unit.at, FAR) > 3:
        able = [
            each
            for each in s.units_at(unit.at)
            if s.domain(each) == "land"
            and s.type(each) not in ("FORT", "GAR", "AA")
            and may_carry(s, id, each)
        ]
        load = tuple(_fitting(s, id, unit.at, able))
    for area, port in harbours(s, id, (unit.at, unit.port)):
        gain = harbour_worth(s, power, id, area, port) - stay
        if gain > 0.5:
            yield gain + 0.2 * len(load), id, Rebase(id, area, port, load)
            if load:
                yield gain, id, Rebase(id, area, port)
