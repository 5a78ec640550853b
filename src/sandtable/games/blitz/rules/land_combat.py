"""Step F: land area combat (5.3). Attacks are announced, then defended, then resolved."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import ClassVar, Literal

from msgspec.structs import replace

from sandtable.games.blitz.model import Attack, Combat, State
from sandtable.games.blitz.rules.blitz import blitz_of, check_blitz, motorized, use_blitz
from sandtable.games.blitz.rules.combat import STEPS_OF, fight
from sandtable.games.blitz.rules.consequences import after_action
from sandtable.games.blitz.rules.counters import is_big
from sandtable.games.blitz.rules.factors import land_factors, snow_at, strategic_factors
from sandtable.games.blitz.rules.land_round import more_armour, over_route
from sandtable.games.blitz.rules.movement import air_range, air_reach
from sandtable.games.blitz.rules.rounds import in_port
from sandtable.games.blitz.rules.sides import (
    OTHER,
    acting_side,
    at_war,
    country_of,
    enemies,
    enemy_held,
    introduced,
    may_attack,
    partners,
    powers_of,
    same_player,
    side_of,
)
from sandtable.games.blitz.rules.stacking import Refusal, closed_to, may_enter_china
from sandtable.games.blitz.rules.steps import DeclareWar, Done, StepRequest, Wait, each_in_turn
from sandtable.games.blitz.rules.supply import guarded, in_supply
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.kits import ChooseOne, YesOrNo
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

DISPUTED = "disputed"
"""The kind of an entry in `attacks` that bars a land area over which two powers fell out."""

_BOMBS = ("VWEAPON", "ABOMB")
"""Air units that have Strategic Factors only."""


# --- which units may take part --------------------------------------------------------------------


def unfit(
    s: State, id: str, kind: str, target: str, port: str = "", *, flying: bool = False
) -> Refusal | None:
    """Why a unit cannot get into a combat, whichever side it is on; None if it can.

    Rules: 5.3.commit-b, 5.3.commit-c, 5.3.commit-d, 5.3.commit-e, 5.3.snow-a, 5.3.snow-b,
        5.3.snow-c, 1.4b
    """
    domain = s.domain(id)
    if domain == "land":
        refusal = _unfit_land(s, id, kind, target, flying)
    elif flying:
        return Refusal("Only a PARA can fly in.", "5.3.commit-b")
    elif snow_at(s, target) == "snow":
        return Refusal("Only land units fight in that country's snow.", "5.3.snow-a")
    elif domain == "air":
        refusal = _unfit_air(s, id, kind, target)
    else:
        refusal = _unfit_ship(s, id, kind, target, port)
    if refusal is None and not in_supply(s, id):
        return Refusal(f"{s.facts.names[id]} has no supply line.", "1.7g")
    return refusal


def _unfit_land(s: State, id: str, kind: str, target: str, flying: bool) -> Refusal | None:
    """Rules: 5.3.units-c, 5.3.commit-b, 5.3.commit-d, 9.4a, A.6b, B.5a, B.5c"""
    unit, name, facts = s.units[id], s.facts.names[id], s.facts
    if kind != "ground":
        rule = "5.3.type-a" if kind == "factory" else "5.3.type-c"
        return Refusal(f"{name} is a land unit; those make Ground Attacks only.", rule)
    if s.type(id) == "FORT" or not land_factors(s, id):
        return Refusal(f"{name} can only defend.", "5.3.units-c")
    if unit.at in facts.seas:
        if flying:
            return Refusal(f"{name} is at sea and cannot fly.", "5.3.commit-b")
        if unit.at not in facts.coast[target]:
            return Refusal(f"The sea that {name} is in does not touch the target.", "5.3.commit-d")
        if guarded(s, unit.at, unit.power):
            return Refusal(f"The enemy guards the sea that {name} is in.", "5.3.commit-d")
        return None
    if flying:
        if not introduced(s, "B") or not facts.kinds[id].air_move:
            return Refusal(f"{name} cannot fly.", "5.3.commit-b")
        if target not in air_reach(s, unit.at, air_range(s, id)):
            return Refusal(f"{name} cannot fly that far.", "5.3.commit-b")
        return None
    if target in facts.land_next[unit.at]:
        return None
    if over_route(s, id, target):
        if s.options["land_route_attacks"] and not is_big(unit.size):
            return None
        rule = "9.4a" if s.options["land_route_attacks"] else "5.3.commit-d"
        return Refusal(f"{name} cannot attack across a Land Route.", rule)
    return Refusal(f"{name} is not next to the target.", "5.3.commit-d")


def _unfit_air(s: State, id: str, kind: str, target: str) -> Refusal | None:
    """Rules: 5.3.commit-b, 5.3.commit-c, 5.3.snow-c, 1.2f, A.6b"""
    unit, name = s.units[id], s.facts.names[id]
    if unit.at in s.facts.seas:
        return Refusal(f"{name} is at sea.", "5.3.commit-c")
    if "fought" in unit.done:
        return Refusal(f"{name} fought at sea in this phase.", "5.3.commit-c")
    if kind != "factory" and s.type(id) in _BOMBS:
        return Refusal(f"{name} has Strategic Factors only.", "1.2f")
    if s.type(id) != "ABOMB" and target not in air_reach(s, unit.at, air_range(s, id)):
        return Refusal(f"{name} is out of range.", "5.3.commit-b")
    return None


def _unfit_ship(s: State, id: str, kind: str, target: str, port: str) -> Refusal | None:
    """Rules: 5.3.commit-e, 5.3.type-c, 5.3.def-d, 6.2a, B.5d, D.6d, E.2b"""
    unit, name, facts = s.units[id], s.facts.names[id], s.facts
    if unit.at not in facts.seas:
        return Refusal(f"{name} is in port.", "5.3.commit-e")
    if s.type(id) not in (("BB", "CV") if kind == "ground" else ("CV",)):
        rule = {"ground": "6.2a", "factory": "D.6d", "port": "5.3.type-c"}[kind]
        return Refusal(f"{name} has no part in such a combat.", rule)
    if kind == "port" and unit.at not in facts.ports[target][port].seas:
        return Refusal(f"The port does not touch the sea that {name} is in.", "5.3.type-c")
    if unit.at not in facts.coast[target]:
        return Refusal(f"The sea that {name} is in does not touch the target.", "5.3.commit-e")
    if guarded(s, unit.at, unit.power):
        rule = "5.3.type-c" if kind == "port" else "5.3.commit-e"
        return Refusal(f"The enemy guards the sea that {name} is in.", rule)
    return None


def carrier_of(s: State, bomb: str, units: Iterable[str]) -> str:
    """Which of the units carries an A-Bomb: the one it is aboard, or the first that can take it.

    Rules: 5.3.commit-f
    """
    here = s.units[bomb]
    able = [
        id
        for id in units
        if s.domain(id) == "air"
        and s.type(id) != "ABOMB"
        and (s.units[id].power, s.units[id].at) == (here.power, here.at)
        and strategic_factors(s, id) >= s.facts.numbers.bomb_carrier_strategic
    ]
    return here.aboard if here.aboard in able else next(iter(able), "")


def committed(s: State) -> set[str]:
    """The units that are in an attack already."""
    return {id for attack in s.attacks for id in (*attack.units, *attack.defenders)}


# --- announcing -----------------------------------------------------------------------------------


class AnnounceAttack(Decision, frozen=True, tag="attack"):
    """Announce an attack and commit units to it, or join the attack of a partner."""

    combat: Literal["ground", "factory", "port"]
    target: str
    units: tuple[str, ...]
    port: str = ""
    """The port that a Port Attack is on."""
    flying: tuple[str, ...] = ()
    """The PARAs among the units that use their air movement."""


class GiveWay(Decision, frozen=True, tag="give_way"):
    """Whether to call off one's own attacks so that an ally's can go ahead."""

    yes: bool


class SettleDispute(YesOrNo, frozen=True, tag="settle_dispute"):
    """An ally wants to attack a land area that you attack; unless you give way, nobody does."""

    target: str
    rival: str

    answers: ClassVar[tuple[type[Decision], ...]] = (GiveWay,)


class LandAreaCombat(StepRequest, frozen=True, tag="land_area_combat"):
    """Step F: announce attacks on land areas."""

    answers: ClassVar[tuple[type[Decision], ...]] = (AnnounceAttack, Done, Wait, DeclareWar)

    def refuse(self, state: State, decision: AnnounceAttack) -> None:
        """Rules: 5.3a, 5.3b, 5.3.type-a, 5.3.type-b, 5.3.type-c, A.6a, A.6b, D.6a, E.2b"""
        s, power, target = state, self.power, decision.target
        if target not in s.control:
            raise IllegalDecision("There is no such land area in play.", "5.3b")
        if not enemy_held(s, target, power):
            raise IllegalDecision("Only land areas of the enemy can be attacked.", "5.3b")
        joined = _check_allies(s, power, decision)
        _check_target(s, decision)
        units = decision.units
        if not units or len(set(units)) < len(units):
            raise IllegalDecision("Name the attacking units, each once.", "5.3.commit-a")
        if not set(decision.flying) <= set(units) or len(set(decision.flying)) < len(
            decision.flying
        ):
            raise IllegalDecision("Only attacking units can fly in.", "5.3.commit-b")
        busy = committed(s)
        for id in units:
            if id not in s.units or s.units[id].power != power:
                raise IllegalDecision("You have no such unit on the map.", "5.3.units-a")
            name = s.facts.names[id]
            if id in busy:
                raise IllegalDecision(f"{name} is in another attack.", "5.3.commit-a")
            if not may_attack(s, id, target):
                raise IllegalDecision(
                    f"{name} is not at war with whoever has {s.facts.names[target]}.", "5.3b"
                )
            check_blitz(s, id, "F", attack=decision.combat)
            refusal = unfit(
                s, id, decision.combat, target, decision.port, flying=id in decision.flying
            )
            if refusal is not None:
                raise IllegalDecision(*refusal)
            if s.type(id) == "ABOMB" and not carrier_of(s, id, units):
                raise IllegalDecision(
                    "An A-Bomb has to be carried by an attacking air unit in the same land area "
                    f"with {s.facts.numbers.bomb_carrier_strategic} Strategic Factors or more.",
                    "5.3.commit-f",
                )
        if blitz_of(s, power) == "foot" and sum(motorized(s, id) for id in units) > 1:
            raise IllegalDecision(
                "In a Non-Motorized Land Blitz only one armour, air or naval unit acts.", "9.7a"
            )
        if joined is None:
            _check_core(s, decision)
        _check_sizes(s, decision, joined)

    def actions(self, state: State) -> Iterator[Decision]:
        s, power = state, self.power
        seen: set[AnnounceAttack] = set()
        for decision in _every_attack(s, power):
            if decision in seen:
                continue
            seen.add(decision)
            if passes(self.refuse, s, decision):
                yield decision

    def suggest(self, state: State, rng: random.Random) -> Iterator[Decision]:
        for _ in range(2):
            if (decision := _some_attack(state, self.power, rng)) is not None:
                yield decision


def _check_allies(s: State, power: str, decision: AnnounceAttack) -> Attack | None:
    """The partner's attack that this one joins, if any; IllegalDecision if allies are in the way.

    Rules: 5.3.type-d, 5.3.ally-a, 5.3.units-a
    """
    target, holder = decision.target, s.control[decision.target]
    allies = partners(s, power)
    joined = None
    for attack in s.attacks:
        if attack.target != target:
            continue
        if attack.kind == DISPUTED:
            raise IllegalDecision("Allies fell out over this land area.", "5.3.ally-a")
        if attack.powers[0] not in allies:
            if any(same_player(s, power, other) for other in attack.powers):
                raise IllegalDecision("An ally attacks this land area.", "5.3.ally-a")
        elif attack.kind == decision.combat:
            if power in attack.powers or attack.port != decision.port:
                raise IllegalDecision(
                    "A land area is attacked only once in the same way.", "5.3.type-d"
                )
            joined = attack
    if joined is not None:
        for each in (power, *joined.powers):
            if not at_war(s, each, holder):
                raise IllegalDecision(
                    "Partners attack together only who is at war with both.", "5.3.units-a"
                )
    return joined


def _check_target(s: State, decision: AnnounceAttack) -> None:
    """Raise IllegalDecision if there is nothing to attack in this way.

    Rules: 5.3.type-a, 5.3.type-c, D.6a, E.2b
    """
    target, kind = decision.target, decision.combat
    name = s.facts.names[target]
    if kind != "port" and decision.port:
        raise IllegalDecision("Only a Port Attack names a port.", "5.3.type-c")
    if kind == "factory":
        if not introduced(s, "D"):
            raise IllegalDecision("There are no Factory Attacks in this scenario.", "S.c")
        if not s.facts.lands[target].factory:
            raise IllegalDecision(f"{name} has no Factory.", "5.3.type-a")
    elif kind == "port":
        if not introduced(s, "E"):
            raise IllegalDecision("There are no Port Attacks in this scenario.", "S.c")
        if decision.port not in s.facts.ports[target]:
            raise IllegalDecision(f"{name} has no such port.", "5.3.type-c")
        if not in_port(s, target, decision.port):
            raise IllegalDecision("No ships are there that could be attacked.", "5.3.type-c")


def _check_core(s: State, decision: AnnounceAttack) -> None:
    """Raise IllegalDecision if the units that an attack needs are not among those committed.

    Rules: 5.3.type-a, 5.3.type-b
    """
    units = decision.units
    if decision.combat == "ground" and all(s.domain(id) != "land" for id in units):
        raise IllegalDecision("A Ground Attack needs a land unit.", "5.3.type-b")
    if decision.combat == "factory" and all(s.domain(id) != "air" for id in units):
        raise IllegalDecision("A Factory Attack needs an air unit.", "5.3.type-a")


def _check_sizes(s: State, decision: AnnounceAttack, joined: Attack | None) -> None:
    """Raise IllegalDecision if too many land units attack.

    Rules: 5.3.limit-a, 5.3.limit-b, 5.3.limit-c, 9.4a, D.1a, E.2a
    """
    target, numbers = decision.target, s.facts.numbers
    units, flying = decision.units, decision.flying
    if joined is not None:
        units, flying = (*joined.units, *units), (*joined.flying, *flying)
    land = [id for id in units if s.domain(id) == "land"]
    if country_of(s, target) == "china":
        for id in land:
            if s.facts.kinds[id].home != "china" and not may_enter_china(s, s.units[id].power):
                raise IllegalDecision(
                    f"{s.facts.names[id]} may not attack in China as yet.", "5.3.limit-c"
                )
    total = sum(s.units[id].size for id in land)
    if s.facts.lands[target].island and total > numbers.island_size:
        raise IllegalDecision(
            f"Land units of Size {numbers.island_size} in all may attack an Island.",
            "5.3.limit-a",
        )
    size: dict[str, int] = {}
    routes: set[str] = set()
    for id in land:
        if id in flying:
            continue
        origin = s.units[id].at
        size[origin] = size.get(origin, 0) + s.units[id].size
        if size[origin] > numbers.attack_size_per_area:
            raise IllegalDecision(
                f"Land units of Size {numbers.attack_size_per_area} in all may attack from "
                f"{s.facts.names[origin]}.",
                "5.3.limit-b",
            )
        if origin in s.facts.lands and over_route(s, id, target):
            if origin in routes:
                raise IllegalDecision("Only one unit attacks across a Land Route.", "9.4a")
            routes.add(origin)


# --- attacks to choose from -----------------------------------------------------------------------


def fronts_of(s: State, power: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The land areas next to a power's land units that those could attack, with the units."""
    key = ("fronts", power)
    found: tuple[tuple[str, tuple[str, ...]], ...] | None = s.cached(key)
    if found is None:
        near: dict[str, list[str]] = {}
        routes = s.options["land_route_attacks"]
        for id, unit in s.of(power):
            if s.domain(id) != "land":
                continue
            at = unit.at
            areas = s.facts.coast[at] if at in s.facts.seas else s.facts.land_next[at]
            if routes and at in s.facts.lands:
                areas = (*areas, *s.facts.land_routes[at])
            for area in areas:
                if (
                    enemy_held(s, area, power)
                    and may_attack(s, id, area)
                    and unfit(s, id, "ground", area) is None
                ):
                    near.setdefault(area, []).append(id)
        found = s.keep(key, tuple((area, tuple(ids)) for area, ids in sorted(near.items())))
    return found


def wings_of(s: State, power: str) -> tuple[str, ...]:
    """A power's units that could fly to a combat: air units and PARAs on land."""
    key = ("wings", power)
    found: tuple[str, ...] | None = s.cached(key)
    if found is None:
        found = s.keep(
            key,
            tuple(
                id
                for id, unit in sorted(s.of(power))
                if air_range(s, id) and unit.at in s.facts.lands
            ),
        )
    return found


def ships_of(s: State, power: str) -> list[str]:
    """A power's BBs and CVs at sea."""
    return [
        id
        for id, unit in sorted(s.of(power))
        if unit.at in s.facts.seas and s.type(id) in ("BB", "CV")
    ]


def _one_flight(s: State, id: str, target: str) -> Iterator[AnnounceAttack]:
    """What one air unit or PARA could attack in a land area in its range."""
    if s.domain(id) == "land":
        yield AnnounceAttack("ground", target, (id,), flying=(id,))
        return
    if s.facts.lands[target].factory:
        yield AnnounceAttack("factory", target, (id,))
    for port in s.facts.ports[target]:
        if in_port(s, target, port):
            yield AnnounceAttack("port", target, (id,), port)


def targets_of(s: State, id: str) -> list[str]:
    """The land areas of the enemy that an air unit or PARA reaches."""
    power = s.units[id].power
    return [
        area
        for area in air_reach(s, s.units[id].at, air_range(s, id))
        if enemy_held(s, area, power)
    ]


def _every_attack(s: State, power: str) -> Iterator[AnnounceAttack]:
    """A basis of all attacks: single units, all that can attack together, and joining partners."""
    busy = committed(s)
    wings = [id for id in wings_of(s, power) if id not in busy]
    bombs = [id for id, _ in sorted(s.of(power)) if s.type(id) == "ABOMB"]
    for target, ids in fronts_of(s, power):
        free = [id for id in ids if id not in busy]
        for id in free:
            yield AnnounceAttack("ground", target, (id,))
        together = within_limits(s, target, free)
        if together:
            support = [
                id for id in (*wings, *ships_of(s, power)) if not unfit(s, id, "ground", target)
            ]
            yield AnnounceAttack("ground", target, together)
            for id in support:
                if id not in busy and id not in together:
                    yield AnnounceAttack("ground", target, (*together, id))
    for id in wings:
        for target in targets_of(s, id):
            yield from _one_flight(s, id, target)
            for bomb in bombs:
                yield AnnounceAttack("factory", target, (id, bomb))
    for id in ships_of(s, power):
        for target in s.facts.coast[s.units[id].at]:
            for port in s.facts.ports[target]:
                yield AnnounceAttack("port", target, (id,), port)
    for attack in s.attacks:
        if attack.kind != DISPUTED and power not in attack.powers:
            for id in (*wings, *ships_of(s, power)):
                flying = (id,) if s.domain(id) == "land" else ()
                yield _joining(attack, (id,), flying)


def _joining(attack: Attack, units: tuple[str, ...], flying: tuple[str, ...]) -> AnnounceAttack:
    """The decision that adds units to a partner's attack."""
    kind: Literal["ground", "factory", "port"] = (
        "ground" if attack.kind == "ground" else "factory" if attack.kind == "factory" else "port"
    )
    return AnnounceAttack(kind, attack.target, units, attack.port, flying)


def within_limits(s: State, target: str, ids: Iterable[str]) -> tuple[str, ...]:
    """As many of the units, in their order, as may attack together."""
    numbers = s.facts.numbers
    island = s.facts.lands[target].island
    size: dict[str, int] = {}
    chosen: list[str] = []
    for id in ids:
        unit = s.units[id]
        if unit.at in s.facts.lands and over_route(s, id, target):
            continue
        origin = "" if island else unit.at
        total = size.get(origin, 0) + unit.size
        if total <= (numbers.island_size if island else numbers.attack_size_per_area):
            size[origin] = total
            chosen.append(id)
    return tuple(chosen)


def _some_attack(s: State, power: str, rng: random.Random) -> AnnounceAttack | None:
    """An attack at random that is likely to be legal."""
    busy = committed(s)
    wings = wings_of(s, power)
    if s.attacks and rng.random() < 0.2:
        attack = s.attacks[int(rng.random() * len(s.attacks))]
        if attack.kind != DISPUTED and power not in attack.powers and wings:
            id = wings[int(rng.random() * len(wings))]
            return _joining(attack, (id,), (id,) if s.domain(id) == "land" else ())
    if wings and rng.random() < 0.25:
        id = wings[int(rng.random() * len(wings))]
        areas = targets_of(s, id)
        if areas and id not in busy:
            target = areas[int(rng.random() * len(areas))]
            flights = list(_one_flight(s, id, target))
            return flights[int(rng.random() * len(flights))] if flights else None
    fronts = fronts_of(s, power)
    if not fronts:
        return None
    target, ids = fronts[int(rng.random() * len(fronts))]
    free = [id for id in ids if id not in busy]
    rng.shuffle(free)
    units = within_limits(s, target, free[: 1 + int(rng.random() * len(free))])
    if not units:
        return None
    support: list[str] = []
    for _ in range(min(3, len(wings))):
        id = wings[int(rng.random() * len(wings))]
        if id in busy or id in units or id in support or s.domain(id) != "air":
            continue
        if unfit(s, id, "ground", target) is None:
            support.append(id)
    return AnnounceAttack("ground", target, (*units, *support))


def _announce(g: Table[State], power: str, decision: AnnounceAttack) -> Procedure[None]:
    """Record an attack; if an ally attacks the same land area, see who gives way.

    Rules: 5.3a, 5.3c, 5.3.ally-a, 5.3.units-a, 5.3.commit-f
    """
    s, target = g.state, decision.target
    allies = partners(s, power)
    standing = [a for a in s.attacks if a.target == target and a.powers[0] not in allies]
    if standing:
        rivals = dict.fromkeys(each for attack in standing for each in attack.powers)
        answers = yield from g.ask_all(SettleDispute(each, target, power) for each in rivals)
        s.attacks = tuple(attack for attack in s.attacks if attack not in standing)
        g.emit("attacks_called_off", space=target, powers=tuple(rivals))
        if not all(answer.yes for answer in answers.values()):
            s.attacks += (Attack(DISPUTED, target, (*rivals, power), (), resolved=True),)
            g.emit("attack_disputed", space=target, powers=(*rivals, power))
            return
    carriers = {
        id: carrier_of(s, id, decision.units) for id in decision.units if s.type(id) == "ABOMB"
    }
    for id in decision.units:
        use_blitz(s, id, "F")
        for bomb in s.cargo(id):
            s.change(bomb, aboard="")
    for bomb, carrier in carriers.items():
        s.change(bomb, aboard=carrier)
    for index, attack in enumerate(s.attacks):
        if attack.target == target and attack.kind == decision.combat:
            joint = replace(
                attack,
                powers=(*attack.powers, power),
                units=(*attack.units, *decision.units),
                flying=(*attack.flying, *decision.flying),
            )
            s.attacks = (*s.attacks[:index], joint, *s.attacks[index + 1 :])
            break
    else:
        s.attacks += (
            Attack(
                decision.combat,
                target,
                (power,),
                decision.units,
                decision.port,
                decision.flying,
            ),
        )
    g.emit(
        "attack_announced",
        power=power,
        combat=decision.combat,
        space=target,
        units=decision.units,
        port=decision.port,
        flying=decision.flying,
    )


# --- defending ------------------------------------------------------------------------------------


class Defend(Decision, frozen=True, tag="defend"):
    """Commit air and naval units to the defence, by the number of the attack."""

    units: dict[str, tuple[str, ...]]


class CommitDefence(Request, frozen=True, tag="commit_defence"):
    """Which of your air and naval units join in the defence against the attacks announced; or
    pass."""

    units: dict[str, tuple[str, ...]]
    """The number of an attack to the units that can join in the defence there."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Defend,)

    def check(self, state: State, decision: Defend) -> None:
        """Rules: 5.3.def-a, 5.3.commit-a"""
        if not any(decision.units.values()):
            raise IllegalDecision("Name the units, or pass.", "5.3.def-a")
        used: set[str] = set()
        for number, units in decision.units.items():
            for id in units:
                if id not in self.units.get(number, ()):
                    raise IllegalDecision(
                        "A unit that is named cannot join in that defence.", "5.3.def-a"
                    )
                if id in used:
                    raise IllegalDecision("A unit fights in one combat only.", "5.3.commit-a")
                used.add(id)

    def decisions(self, state: State) -> Iterator[Decision]:
        for number, units in self.units.items():
            for id in units:
                yield Defend({number: (id,)})
            if len(units) > 1:
                yield Defend({number: units})

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        joins: dict[str, tuple[str, ...]] = {}
        used: set[str] = set()
        for number, units in self.units.items():
            chosen = tuple(id for id in units if id not in used and rng.random() < 0.5)
            if chosen:
                used.update(chosen)
                joins[number] = chosen
        yield Defend(joins)
        yield from self.decisions(state)


def can_defend(s: State, id: str, attack: Attack) -> bool:
    """Whether an air or naval unit may join in the defence against an attack.

    It does not matter whose land it is, unless the unit's power may not set foot there.

    Rules: 5.3.def-a, 5.3.units-b, 5.3.snow-a, A.6c, D.6a, D.6d, E.2b
    """
    if s.type(id) in _BOMBS or not any(enemies(s, id, other) for other in attack.units):
        return False
    if unfit(s, id, attack.kind, attack.target, attack.port) is not None:
        return False
    barred = closed_to(s, id, attack.target)
    return barred is None or barred.rule != "3.2.align-e"


def defence_choices(s: State, power: str) -> dict[str, tuple[str, ...]]:
    """The attacks that a power's units can join in the defence against, with the units."""
    units = (*(id for id in wings_of(s, power) if s.domain(id) == "air"), *ships_of(s, power))
    found: dict[str, tuple[str, ...]] = {}
    for index, attack in enumerate(s.attacks):
        if not attack.resolved:
            able = tuple(id for id in units if can_defend(s, id, attack))
            if able:
                found[str(index)] = able
    return found


def _commit_defence(g: Table[State]) -> Procedure[None]:
    """The other side's powers commit air and naval units, once all attacks are announced.

    Rules: 5.3a, 5.3.def-a, 5.3.def-b
    """
    s = g.state
    requests = []
    for power in powers_of(s, OTHER[acting_side(s)]):
        choices = defence_choices(s, power)
        if choices:
            requests.append(CommitDefence(power, choices))
    if requests:
        g.checkpoint()
    answers = yield from g.offer(requests)
    attacks = [replace(attack, defended=True) for attack in s.attacks]
    for power, answer in answers.items():
        for number, units in answer.units.items():
            if units:
                index = int(number)
                attack = attacks[index]
                attacks[index] = replace(attack, defenders=(*attack.defenders, *units))
                g.emit(
                    "defence_committed",
                    power=power,
                    combat=attack.kind,
                    space=attack.target,
                    units=units,
                )
    s.attacks = tuple(attacks)


# --- resolving ------------------------------------------------------------------------------------


class ResolveAttack(Decision, frozen=True, tag="resolve"):
    """Fight this attack next, by its number."""

    attack: int


class ChooseNextAttack(ChooseOne, frozen=True, tag="choose_next_attack"):
    """Which of the announced attacks is fought next.

    Rules: 5.3a
    """

    attacks: tuple[int, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (ResolveAttack,)
    among: ClassVar[str] = "attacks"
    rule: ClassVar[str] = "5.3a"
    refusal: ClassVar[str] = "There is no attack {asked} left to fight."


def land_area_combat(g: Table[State]) -> Procedure[None]:
    """Step F: announce all attacks, commit the defenders, resolve in the order wished for.

    Rules: 5.3a, 5.3c, A.6a
    """
    s = g.state
    yield from each_in_turn(g, lambda _, power: LandAreaCombat(power), _announce)
    if not all(attack.defended for attack in s.attacks):
        yield from _commit_defence(g)
    while True:
        if s.combat is None:
            left = tuple(i for i, attack in enumerate(s.attacks) if not attack.resolved)
            if not left:
                return
            index = left[0]
            if len(left) > 1:
                g.checkpoint()
                answer: ResolveAttack = yield from g.ask(
                    ChooseNextAttack(s.attacks[index].powers[0], left)
                )
                index = answer.attack
            else:
                g.checkpoint(strict=True)
            _begin(g, index)
        yield from fight(g)
        yield from after_action(g)


def _begin(g: Table[State], index: int) -> None:
    """Begin the combat of an attack.

    Units that are gone take no part, and an attack on what is no longer the enemy's is off.

    Rules: 5.3.resolve-a, 5.3.resolve-b, 5.3.resolve-c, 5.3.def-d, D.6a, D.6b, D.6c, D.6d
    """
    s, attack = g.state, g.state.attacks[index]
    s.attacks = (*s.attacks[:index], replace(attack, resolved=True), *s.attacks[index + 1 :])
    combat = combat_of(s, attack)
    if combat is None:
        g.emit("attack_cancelled", combat=attack.kind, space=attack.target, powers=attack.powers)
        return
    s.combat = combat
    g.emit(
        "attack_began",
        combat=attack.kind,
        space=attack.target,
        powers=attack.powers,
        attackers=s.by_power([id for id, _, _ in combat.attackers]),
        defenders=s.by_power(combat.guards),
    )


def combat_of(s: State, attack: Attack) -> Combat | None:
    """The combat that comes of an attack now; None if it is off."""
    target, side = attack.target, acting_side(s)
    units = [
        id
        for id in attack.units
        if id in s.units and side_of(s, s.units[id].power) == side and may_attack(s, id, target)
    ]
    guards = tuple(
        id
        for id in attack.defenders
        if id in s.units and side_of(s, s.units[id].power) == OTHER[side]
    )
    if not units or not enemy_held(s, target, s.units[units[0]].power):
        return None
    standing = _standing(s, attack)
    land = [id for id in units if s.domain(id) == "land"]
    return Combat(
        attack.kind,
        target,
        s.sized(units),
        s.sized((*guards, *standing)),
        STEPS_OF[attack.kind],
        guards,
        attack.powers,
        port=attack.port,
        flying=attack.flying,
        based=tuple(id for id in guards if s.units[id].at == target),
        armour=attack.kind == "ground" and more_armour(s, target, land, standing),
    )


def _standing(s: State, attack: Attack) -> list[str]:
    """Those in a land area that are in its combat without having been committed."""
    if attack.kind == "port":
        return in_port(s, attack.target, attack.port)
    there = s.units_at(attack.target)
    if attack.kind == "factory":
        return [id for id in there if s.type(id) == "AA"]
    return [id for id in there if s.domain(id) == "land"]
