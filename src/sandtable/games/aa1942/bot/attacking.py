"""Phase 2: which attacks to make, and with what."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from sandtable.games.aa1942.bot.board import Board, can_capture, shipload, total
from sandtable.games.aa1942.bot.odds import Outlook, outlook, win_chance
from sandtable.games.aa1942.bot.weights import (
    AAA,
    ATTACK_FROM,
    CONVOY_REACH,
    ENOUGH,
    HOLD_RISK,
    MOST_STEPS,
    MOST_TRIES,
    Counts,
    loss_rank,
)
from sandtable.games.aa1942.model import Stack, State, Unit
from sandtable.games.aa1942.rules.combat_move import CombatMove, ships_wanted
from sandtable.games.aa1942.rules.landing import nearest_land
from sandtable.games.aa1942.rules.movement import Done, Move, air_route
from sandtable.games.aa1942.rules.spaces import hostile_zone
from sandtable.games.aa1942.rules.transports import Load, Sail
from sandtable.kernel.decisions import Decision


class Step(NamedTuple):
    """A move or voyage that an attack could use, and the units that it adds."""

    units: Counts
    decision: Move | Sail


class Attack(NamedTuple):
    """A planned attack: what is still to be sent, what then fights, and what to expect."""

    target: str
    steps: list[Step]
    units: Counts
    outlook: Outlook
    score: float


Nearby = tuple[list[tuple[bool, str, str]], list[str]]
"""The aircraft that can attack in a space and land afterwards, the zones with ships that could."""


class Plan(NamedTuple):
    """What was thought of an attack, with what that rests on beside the theatre."""

    committed: Counts
    attack: Attack | None
    ready: Nearby
    """All aircraft and ships that could still attack somewhere; if they are the same, so are those
    nearby."""
    near: Nearby
    seen: tuple[tuple[str, Stack], ...]
    """The spaces that were looked at, with what was there."""


def combat_move(s: State, request: CombatMove) -> Iterator[Decision]:
    """Complete what has been begun, else begin the best attack, else raid, else be done."""
    b = Board(s, request.power)
    begun: list[Attack] = []
    others: list[str] = []
    for target in _targets(b):
        committed = _committed(b, target)
        if not committed:
            others.append(target)
            continue
        attack = _planned(b, target, committed)
        if attack is not None:
            if s.facts.spaces[target].sea and attack.outlook.chance < ATTACK_FROM:
                yield from _escapes(b, target)
            else:
                begun.append(attack)
    for attack in begun:
        yield from _moves(attack.steps)
    # Only now: as long as something is to be completed, nothing new has to be thought of.
    plans = [attack for target in others if (attack := _planned(b, target, {})) is not None]
    plans.sort(key=lambda attack: (-attack.score, attack.target))
    for attack in plans:
        if attack.score > 0:
            yield from _moves(attack.steps)
    yield from _bombarding_ships(b)
    yield from _raids(b)
    yield Done()


def _targets(b: Board) -> list[str]:
    """Hostile territories, and sea zones with enemy ships."""
    lands = [t for t in b.facts.territories if b.hostile(t)]
    zones = [z for z in b.facts.sea_zones if b.enemies(z)]
    return lands + zones


def _planned(b: Board, target: str, committed: Counts) -> Attack | None:
    """The best attack on a space: as it was planned for an earlier decision, if nothing has changed
    on which that plan rests."""
    plan: Plan | None = b.thoughts.plans.get(target)
    if plan is not None and (plan.committed != committed or b.differs(plan.seen)):
        plan = None
    if plan is not None and plan.ready == b.ready:
        return plan.attack
    near = _nearby(b, target)
    if plan is not None and plan.near == near:
        plan = b.thoughts.plans[target] = plan._replace(ready=b.ready)
    else:
        b.read = set()
        attack = _plan_attack(b, target, committed, near)
        seen = tuple([(space, b.s.stack(space)) for space in b.read])
        plan = b.thoughts.plans[target] = Plan(committed, attack, b.ready, near, seen)
    return plan.attack


def _nearby(b: Board, target: str) -> Nearby:
    home, far = nearest_land(b.s)[target], b.facts.air_distance[target]
    planes = []
    for plane in b.planes:
        _, space, type_ = plane
        distance = far[space]
        back = min(home, distance) if b.facts.spaces[space].sea else home
        if distance and b.kinds[type_].move - distance >= back:
            planes.append(plane)
    return planes, [zone for zone in b.ships if far[zone] <= CONVOY_REACH]


def _committed(b: Board, target: str) -> Counts:
    """Own units that are going to fight in a space."""
    if target not in b.s.presence[b.me] and target not in b.landings:
        return {}
    kinds = b.kinds
    if b.facts.spaces[target].sea:
        stays = hostile_zone(b.s, target, b.me)
        there = b.count(
            target, lambda u: u.power == b.me and bool(kinds[u.type].attack) and not u.duty
        )
        moved = any(u.power == b.me and u.used for u in b.stack(target))
        return there if stays or moved else {}
    units = b.count(target, lambda u: u.power == b.me and u.duty not in ("raid", "escort"))
    for zone in b.facts.coast[target]:
        for unit, number in b.stack(zone).items():
            if unit.duty == "landing" and unit.target == target:
                for piece in unit.cargo:
                    if piece.duty == "assault":
                        units[piece.type] = units.get(piece.type, 0) + number
    return units


def _plan_attack(b: Board, target: str, committed: Counts, near: Nearby) -> Attack | None:
    """The best way to attack a space: with what makes the battle safe, or with what also holds
    the place afterwards. If nothing makes it safe: with everything. None if nothing can go."""
    foe = b.force(b.enemies(target))
    sea = b.facts.spaces[target].sea
    steps = (_sea_steps if sea else _land_steps)(b, target, near)
    if not steps and not committed:
        return None
    if not sea and not any(can_capture(b, u) for u in (committed, *(s.units for s in steps))):
        return None
    guns = _shore_guns(b, target)
    everything = total(committed, *(step.units for step in steps))
    expected = outlook(b.facts.numbers, b.force(total(everything, guns)), foe)
    if expected.chance < ATTACK_FROM:
        return Attack(target, steps, everything, expected, 0.0) if committed else None

    def attack(number: int) -> Attack:
        units = total(committed, *(step.units for step in steps[:number]))
        expected = outlook(b.facts.numbers, b.force(total(units, guns)), foe)
        score = _score(b, target, units, expected)
        return Attack(target, steps[:number], units, expected, score)

    number = 0
    # One more at a time, unless there are very many.
    stride = 1 + len(steps) // MOST_TRIES
    units = committed
    while number < len(steps) and not (
        (sea or can_capture(b, units))
        and win_chance(b.facts.numbers, b.force(total(units, guns)), foe) >= ENOUGH
    ):
        units = total(units, *(step.units for step in steps[number : number + stride]))
        number = min(len(steps), number + stride)
    light = attack(number)
    if sea or number == len(steps) or attack(len(steps)).score <= light.score:
        return light
    while number < len(steps) and _holding(b, attack(number)) > HOLD_RISK:
        number = min(len(steps), number + stride)
    heavy = attack(number)
    return heavy if heavy.score > light.score else light


def _holding(b: Board, attack: Attack) -> float:
    """The chance that the enemy takes a territory back from those who have taken it."""
    return b.danger(attack.target, _occupiers(b, attack.units, attack.outlook))


def _occupiers(b: Board, units: Counts, expected: Outlook) -> Counts:
    """The land units that are left after a battle."""
    land = {type_: n for type_, n in units.items() if b.kinds[type_].domain == "land"}
    return _after_losses(b, land, expected.toll)


def _shore_guns(b: Board, target: str) -> Counts:
    """Ships that stand ready to bombard a coast."""
    ships: Counts = {}
    if not b.facts.spaces[target].sea:
        for zone in b.facts.coast[target]:
            if not b.enemies(zone):
                ready = b.count(
                    zone,
                    lambda u: u.power == b.me and bool(b.kinds[u.type].bombard) and not u.duty,
                )
                ships = total(ships, ready)
    return ships


def _land_steps(b: Board, target: str, near: Nearby) -> list[Step]:
    """What could attack a territory: by land, cheap and strong units in turns, by sea, by air."""
    fodder: list[Step] = []
    punch: list[Step] = []
    for here in b.facts.land_next[target]:
        if b.friendly(here) and not _kept_for_home(b, here, target):
            for type_, number in _sent(b, here, target).items():
                if b.kinds[type_].domain == "land":
                    steps = _in_steps(type_, number, (here, target))
                    (fodder if type_ == "infantry" else punch).extend(steps)
    for start, path in _tank_paths(b, target):
        number = _sent(b, start, target).get("tank", 0)
        punch.extend(_in_steps("tank", number, path))
    steps = []
    for at in range(max(len(fodder), len(punch))):
        steps.extend(fodder[at : at + 1] + punch[at : at + 1])
    steps.extend(_landings(b, target, near))
    if steps and b.enemies(target):
        steps.extend(_air_steps(b, target, near))
    return steps


def _in_steps(type_: str, number: int, path: tuple[str, ...]) -> list[Step]:
    """Units that go one way, one by one; very many in parts, so that no search takes long."""
    size = max(1, -(-number // MOST_STEPS))
    sizes = [size] * (number // size) + ([number % size] if number % size else [])
    return [Step({type_: each}, Move({type_: each}, path)) for each in sizes]


def _sent(b: Board, here: str, target: str) -> Counts:
    """What a territory can spare for an attack: all, for something that is worth more than it."""
    if here == b.home or b.worth(target) <= b.worth(here):
        return b.spare(here)
    able = b.fresh(here, "land")
    able.pop(AAA, None)
    return able


def _kept_for_home(b: Board, here: str, target: str) -> bool:
    """Whether neighbours of a capital in danger stay to help it, instead of attacking elsewhere."""
    near = b.facts.land_next[b.home]
    return here in near and target not in (b.home, *near) and b.alarm()


def _tank_paths(b: Board, target: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """From where tanks can drive two spaces to a target, and how."""
    seen = {target, *b.facts.land_next[target]}
    for via in b.facts.land_next[target]:
        open_ = b.friendly(via) or not (b.enemies(via) or via in b.s.complexes)
        if open_:
            for start in b.facts.land_next[via]:
                if start not in seen and b.friendly(start):
                    seen.add(start)
                    if _kept_for_home(b, start, target):
                        continue
                    yield start, (start, via, target)


def _air_steps(b: Board, target: str, near: Nearby) -> list[Step]:
    """Aircraft that can attack in a space and land afterwards."""
    steps: list[Step] = []
    for _, space, type_ in near[0]:
        able = b.fresh(space, "air") if b.facts.spaces[space].sea else b.spare(space)
        if number := able.get(type_, 0):
            steps.extend(_in_steps(type_, number, air_route(b.facts, space, target)))
    return steps


def _ships(b: Board, zone: str, near: Nearby) -> Iterator[tuple[str, Unit, int]]:
    """Own ships that are two zones away at most, with their zone and number."""
    for start in near[1]:
        if b.facts.air_distance[start][zone] <= 2:
            b.read.add(start)
            for unit, number in b.ships[start]:
                yield start, unit, number


def _sea_steps(b: Board, zone: str, near: Nearby) -> list[Step]:
    """Warships and aircraft that could attack in a zone."""
    steps: list[Step] = []
    for start, unit, number in sorted(
        _ships(b, zone, near), key=lambda ship: loss_rank(ship[1].type)
    ):
        if b.kinds[unit.type].warship and unit.type != "aircraft_carrier" and start != zone:
            path = b.reach(start).get(zone)
            if path:
                steps.extend(_in_steps(unit.type, number, path))
    return steps + _air_steps(b, zone, near)


def _landings(b: Board, target: str, near: Nearby) -> list[Step]:
    """Voyages of single transports to a coast, with cargo aboard or to be loaded on the way."""
    steps: list[Step] = []
    loaded: dict[str, Counts] = {}
    for zone in b.facts.coast[target] if near[1] else ():
        if not _clear(b, zone):
            continue
        for start, unit, number in _ships(b, zone, near):
            if unit.type != "transport":
                continue
            path = b.reach(start).get(zone)
            for _ in range(min(number, MOST_STEPS) if path else 0):
                step = _landing(b, unit, path or (), target, loaded)
                if step is not None:
                    steps.append(step)
    return steps


def _clear(b: Board, zone: str) -> bool:
    """Whether transports may count on landing from a zone: no warships, or a battle all but won."""
    if not hostile_zone(b.s, zone, b.me):
        return True
    b.read.add(zone)
    fleet = _committed(b, zone)
    return win_chance(b.facts.numbers, b.force(fleet), b.force(b.enemies(zone))) >= ENOUGH


def _landing(
    b: Board, transport: Unit, path: tuple[str, ...], target: str, loaded: dict[str, Counts]
) -> Step | None:
    """What a transport could land; takes what it loads from what is free, in `loaded`."""
    aboard: Counts = {}
    for piece in transport.cargo:
        if piece.power != b.me:
            return None
        aboard[piece.type] = aboard.get(piece.type, 0) + 1
    if aboard:
        if not can_capture(b, aboard):
            return None
        return Step(aboard, Sail(path, offload=target, cargo=aboard))
    for zone in path:
        if hostile_zone(b.s, zone, b.me):
            continue
        for land in b.facts.coast[zone]:
            if not b.friendly(land) or target in b.facts.land_next[land]:
                continue
            used = loaded.setdefault(land, {})
            load = shipload({t: n - used.get(t, 0) for t, n in b.spare(land).items()})
            if load:
                loaded[land] = total(used, load)
                sail = Sail(path, (Load(land, zone, load),), target, cargo={})
                return Step(load, sail)
    return None


def _moves(steps: list[Step]) -> Iterator[Decision]:
    """The steps as decisions; what goes the same way goes together."""
    together: dict[tuple[str, ...], Counts] = {}
    voyages: list[Decision] = []
    for step in steps:
        if isinstance(step.decision, Move):
            path = step.decision.path
            together[path] = total(together.get(path, {}), step.units)
        else:
            voyages.append(step.decision)
    for path, units in together.items():
        yield Move(units, path)
    yield from voyages


def _score(b: Board, target: str, units: Counts, expected: Outlook) -> float:
    """What an attack can be expected to bring, the enemy's answer included."""
    chance, lost, killed, _ = expected
    if b.facts.spaces[target].sea:
        return killed - lost
    stays = _occupiers(b, units, expected)
    risk = b.danger(target, stays)
    worth = (1 - risk) * b.worth(target) + risk * b.prize(target)
    return chance * (worth - risk * b.price(stays)) + killed - lost


def _after_losses(b: Board, units: Counts, lost: float) -> Counts:
    """Units that are left after losses of a price, the cheapest being lost first."""
    left = dict(units)
    for type_ in sorted(units, key=loss_rank):
        gone = min(left[type_], round(lost / b.kinds[type_].cost))
        if gone > 0:
            left[type_] -= gone
            lost -= gone * b.kinds[type_].cost
    return {t: n for t, n in left.items() if n}


def _escapes(b: Board, zone: str) -> Iterator[Decision]:
    """Leave a zone in which enemy warships have appeared that would win."""
    ships = b.fresh(zone, "sea")
    refuges = [
        (b.danger(z, b.count(z, lambda u: u.power in b.friends)), z)
        for z in b.reach(zone)
        if z != zone and not b.enemies(z)
    ]
    for _, refuge in sorted(refuges):
        if ships:
            yield Move(ships, b.reach(zone)[refuge])


def _bombarding_ships(b: Board) -> Iterator[Decision]:
    """Battleships and cruisers join landings that somebody resists."""
    for zone in b.facts.sea_zones:
        targets = {u.target for u in b.s.stack(zone) if u.duty == "landing"}
        if not any(b.enemies(target) for target in targets) or b.enemies(zone):
            continue
        for start in b.spaces:
            if start in b.facts.sea_next and zone in b.reach(start) and start != zone:
                guns = {t: n for t, n in b.fresh(start, "sea").items() if b.kinds[t].bombard}
                ships: Counts = {}
                wanted = ships_wanted(b.s, zone)
                for type_ in sorted(guns, key=lambda t: -b.kinds[t].bombard):
                    if wanted > 0:
                        ships[type_] = min(wanted, guns[type_])
                        wanted -= ships[type_]
                if ships:
                    yield Move(ships, b.reach(start)[zone])


def _raids(b: Board) -> Iterator[Decision]:
    """Bombers with nothing better to do bomb the complex that can still be damaged most."""
    home, numbers = nearest_land(b.s), b.facts.numbers
    expected = math.ceil(numbers.raid_dice_per_bomber * (numbers.die + 1) / 2)
    for space in b.spaces:
        number = b.fresh(space, "air").get("bomber", 0)
        if not number or b.facts.spaces[space].sea:
            continue
        options = []
        for target, damage in sorted(b.s.complexes.items()):
            distance = b.facts.air_distance[space][target]
            cap = numbers.damage_cap_factor * b.facts.spaces[target].ipc
            raiding = sum(n for u, n in b.s.stack(target).items() if u.duty == "raid")
            room = cap - damage - expected * raiding
            back = distance + home[target] <= b.kinds["bomber"].move
            if b.hostile(target) and back and room >= expected:
                options.append((-room, target))
        for room, target in sorted(options):
            yield Move(
                {"bomber": min(number, max(1, -room // expected))},
                air_route(b.facts, space, target),
                raid=True,
            )
