"""Phase 2: Combat Move (p.11-13).

Every decision leaves a position in which the phase could end: attacks can be carried out, assaults
are complete, and all aircraft could land. So nothing is ever left to be mended later.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import ClassVar

from msgspec.structs import replace

from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.conquest import capture
from sandtable.games.aa1942.rules.landing import (
    deficit,
    landing_territory,
    nearest_land,
    relies_on_carriers,
)
from sandtable.games.aa1942.rules.movement import (
    Done,
    Group,
    Move,
    air_route,
    check_path,
    check_sea_path,
    domain_of,
    fresh,
    movers,
    pick,
    random_units,
    sea_paths,
)
from sandtable.games.aa1942.rules.spaces import (
    aim_of_attack,
    enemies_in,
    friendly_territory,
    hostile_territory,
    hostile_zone,
)
from sandtable.games.aa1942.rules.transports import (
    Load,
    Sail,
    check_escort,
    plan_voyage,
    sail_away,
)
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class CombatMove(Request, frozen=True, tag="combat_move"):
    """Move units to attack, announce assaults and raids, or be done."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Move, Sail, Done)

    def check(self, state: State, decision: Move | Sail | Done) -> None:
        if isinstance(decision, Move):
            check_combat_move(state, decision)
        elif isinstance(decision, Sail):
            check_assault(state, decision)

    def decisions(self, state: State) -> Iterator[Decision]:
        """Done, every single-type move (a path per destination), every loading for an assault."""
        yield Done()
        for space in sorted(state.at):
            for decision in chain(_candidate_moves(state, space), candidate_voyages(state, space)):
                if passes(self.check, state, decision):
                    yield decision

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        if rng.random() >= 0.05:
            for space, unit, count in random_units(state, rng, 6):
                decision = _random_attack(state, space, unit, count, rng)
                if decision is not None:
                    yield decision
        yield Done()


def combat_move(g: Table[State]) -> Procedure[None]:
    """Any number of combat moves in any order; nothing is fought before all are made.

    Rules: combat-move.simultaneous, combat-move.multiple-origins, combat-move.no-late-entry,
        combat-move.vacated-territory, order.voluntary, game.players.separate-powers,
        multi.no-joint-attack
    """
    s = g.state
    while True:
        g.checkpoint()
        decision: Move | Sail | Done = yield from g.ask(CombatMove(s.turn))
        if isinstance(decision, Done):
            return
        if isinstance(decision, Sail):
            voyage = sail_away(s, decision)
            g.emit(
                "assault_announced",
                power=s.turn,
                path=decision.path,
                space=decision.offload,
                units=dict(Counter(piece.type for piece in voyage.landed)),
            )
        else:
            apply_combat_move(g, decision)


# --- legality ---------------------------------------------------------------------------------


def check_combat_move(s: State, move: Move) -> None:
    """Whether the acting power may make this move now.

    Rules: combat-move.purpose, combat-move.hostile-territory, combat-move.transit-friendly,
        combat.same-side, purchase.hold
    """
    domain = domain_of(s, move)
    check_path(s, move.path)
    if move.raid and domain != "air":
        raise IllegalDecision("Only bombers can raid an industrial complex.", "sbr.target")
    if domain == "land":
        _check_land_attack(s, move)
    elif domain == "sea":
        _check_sea_attack(s, move)
    else:
        _check_air_attack(s, move)


def _check_land_attack(s: State, move: Move) -> None:
    """Land units attack a hostile territory, through friendly ones; tanks may blitz.

    Rules: combat-move.range, combat-move.stop-hostile, combat-move.blitz.basic,
        combat-move.blitz.blocked-by-units, combat-move.blitz.blocked-by-aaa,
        combat-move.blitz.return, combat-move.end-friendly.blitz, unit.aaa.move,
        unit.aaa.never-attack, unit.transport.land-move-used
    """
    facts, power, path = s.facts, s.turn, move.path
    if "antiaircraft_artillery" in move.units:
        raise IllegalDecision(
            "Antiaircraft artillery moves only in noncombat movement.", "unit.aaa.move"
        )
    for space in path:
        if facts.spaces[space].sea:
            raise IllegalDecision(
                f"Land units cannot enter {facts.name(space)}: it is sea.", "unit.land.scope"
            )
    reach = min(facts.units[type_].move for type_ in move.units)
    if len(path) - 1 > reach:
        raise IllegalDecision(
            f"{len(path) - 1} spaces are too far; these units move {reach}.", "combat-move.range"
        )
    blitzed = False
    for space in path[1:-1]:
        if not aim_of_attack(s, space):
            continue
        if not all(facts.units[type_].blitzes for type_ in move.units):
            raise IllegalDecision(
                f"{s.facts.name(space)} is hostile: only tanks may blitz through.",
                "combat-move.stop-hostile",
            )
        if space in s.complexes or enemies_in(s, space, power):
            raise IllegalDecision(
                f"{s.facts.name(space)} is not empty: a tank has to stop there.",
                "combat-move.blitz.blocked-by-units"
                if enemies_in(s, space, power)
                else "combat-move.blitz.blocked-by-aaa",
            )
        blitzed = True
    if not blitzed and not aim_of_attack(s, path[-1]):
        raise IllegalDecision(
            f"{s.facts.name(path[-1])} is friendly: a combat move has to lead to combat.",
            "combat-move.purpose",
        )
    pick(s, path[0], move.units, fresh, rule="combat-move.simultaneous")


def _check_sea_attack(s: State, move: Move) -> None:
    """Ships attack, escape from a hostile zone, or join an announced assault.

    Rules: combat-move.end-friendly.amphibious, combat-move.end-friendly.escape,
        combat-move.end-friendly.sub-transport-attack, combat-move.start-hostile.trigger,
        combat-move.start-hostile.options, combat-move.transport-sink.stop,
        combat-move.split-force, amphib.move-is-combat-move, unit.sub.end-hostile,
        unit.transport.escort-needed
    """
    path = move.path
    check_sea_path(s, path, move.units)
    if not _escaping(s, path):
        _check_sea_purpose(s, move)
    groups = movers(s, move, "is free to move", "combat-move.simultaneous")
    _check_left_behind(s, path[0], move.units)
    moves_decks = "aircraft_carrier" in move.units or hostile_zone(s, path[0], s.turn)
    if moves_decks and relies_on_carriers(s):
        _check_landings(s, path, groups)


def _check_sea_purpose(s: State, move: Move) -> None:
    """Ships go where enemies are, or to bombard in an assault that has been announced.

    Rules: combat-move.purpose, combat-move.end-friendly.amphibious, unit.transport.escort-needed,
        amphib.move-is-combat-move
    """
    goal, kinds = move.path[-1], s.facts.units
    if enemies_in(s, goal, s.turn):
        if not any(kinds[type_].attack for type_ in move.units) and not _can_fight(s, goal):
            raise IllegalDecision(
                f"Transports cannot attack in {s.facts.name(goal)} by themselves.",
                "unit.transport.escort-needed",
            )
    elif not (
        all(kinds[type_].bombard for type_ in move.units)
        and any(u.duty == "landing" for u in s.stack(goal))
    ):
        raise IllegalDecision(
            f"No enemy is in {s.facts.name(goal)}: a combat move has to lead to combat.",
            "combat-move.purpose",
        )
    elif sum(move.units.values()) > (wanted := ships_wanted(s, goal)):
        raise IllegalDecision(
            f"One ship for each unit that lands can bombard: {max(0, wanted)} more may join the "
            f"landing from {s.facts.name(goal)}.",
            "combat-move.end-friendly.amphibious",
        )


def ships_wanted(s: State, zone: str) -> int:
    """How many ships may still come to a zone to bombard: in all one for each unit that is to land
    where its transports do, from whichever zone.

    Rules: combat-move.end-friendly.amphibious, amphib.bombard.limit
    """
    facts = s.facts
    targets = sorted({u.target for u in s.stack(zone) if u.duty == "landing"})
    landing = sum(
        count * sum(piece.duty == "assault" for piece in unit.cargo)
        for target in targets
        for coast in facts.coast[target]
        for unit, count in s.stack(coast).items()
        if unit.target == target
    )
    return landing - sum(
        count
        for unit, count in s.stack(zone).items()
        if unit.power == s.turn and unit.used and facts.units[unit.type].bombard
    )


def _check_air_attack(s: State, move: Move) -> None:
    """Air units attack where an enemy unit is, or raid a complex, and could land afterwards.

    Fighters may also leave a hostile zone with their carriers.

    Rules: combat-move.air-pass, unit.air.count, unit.air.scope, sbr.target,
        unit.bomber.role, option.air-battle.escort, carrier.launch-first, carrier.fighters-wait,
        unit.fighter.launch, multi.fighter-ally-carrier, amphib.air.assign
    """
    facts, path = s.facts, move.path
    goal = path[-1]
    reach = min(facts.units[type_].move for type_ in move.units)
    if len(path) - 1 > reach:
        raise IllegalDecision(
            f"{len(path) - 1} spaces are too far; these units fly {reach}.",
            "combat-move.air.budget",
        )
    escaping = _escaping(s, path)
    if move.raid:
        _check_raid(s, move)
    elif not escaping:
        _check_air_purpose(s, goal)
    groups = pick(s, path[0], move.units, fresh, rule="combat-move.simultaneous")
    if facts.spaces[path[0]].sea:
        _check_left_behind(s, path[0], move.units)
    left = reach - (len(path) - 1)
    if nearest_land(s)[goal] > left or (escaping and relies_on_carriers(s)):
        _check_landings(s, path, groups)


def _check_air_purpose(s: State, goal: str) -> None:
    """Aircraft go where enemy units are.

    Rules: combat-move.purpose
    """
    if not s.facts.spaces[goal].sea and not aim_of_attack(s, goal):
        raise IllegalDecision(
            f"{s.facts.name(goal)} is friendly: a combat move has to lead to combat.",
            "combat-move.purpose",
        )
    if not enemies_in(s, goal, s.turn):
        raise IllegalDecision(
            f"No enemy unit is in {s.facts.name(goal)}: aircraft have nothing to attack there.",
            "combat-move.purpose",
        )


def _escaping(s: State, path: tuple[str, ...]) -> bool:
    """Whether a path leads out of a hostile sea zone into a friendly space.

    Rules: combat-move.end-friendly.escape, combat-move.start-hostile.options,
        combat-move.start-hostile.trigger
    """
    if path[0] not in s.facts.sea_next or not hostile_zone(s, path[0], s.turn):
        return False
    if s.facts.spaces[path[-1]].sea:
        return not hostile_zone(s, path[-1], s.turn)
    return landing_territory(s, path[-1])


def _check_raid(s: State, move: Move) -> None:
    """A raid goes against an enemy industrial complex; fighters only escort, and only by option.

    Rules: sbr.target, option.air-battle.escort
    """
    goal = move.path[-1]
    if goal not in s.complexes or not aim_of_attack(s, goal):
        raise IllegalDecision(
            f"{s.facts.name(goal)} has no enemy industrial complex to raid.", "sbr.target"
        )
    if "fighter" in move.units:
        if not s.options["interceptors"]:
            raise IllegalDecision(
                "Fighters take part in raids only with the optional rule.",
                "option.air-battle.escort",
            )
        if "bomber" not in move.units and not any(u.duty == "raid" for u in s.stack(goal)):
            raise IllegalDecision("Escorts need bombers to escort.", "option.air-battle.escort")


def _can_fight(s: State, zone: str) -> bool:
    """Whether the acting power has a unit with an attack value in the zone."""
    kinds = s.facts.units
    return any(u.power == s.turn and kinds[u.type].attack for u in s.stack(zone))


def _check_left_behind(s: State, zone: str, leaving: dict[str, int]) -> None:
    """Transports that are to attack or land in a zone keep the escort they rely on."""
    attacked = hostile_zone(s, zone, s.turn)
    if any(
        unit.type == "transport"
        and (unit.duty == "landing" or (attacked and unit.used and unit.power == s.turn))
        for unit in s.stack(zone)
    ):
        check_escort(s, zone, leaving)


def _check_landings(s: State, path: tuple[str, ...], groups: list[Group]) -> None:
    """All air units can still land after the move, if all battles go well.

    Rules: combat-move.air.reserve, unit.air.landing-proof
    """
    before = deficit(s)
    after = s.copy()
    _relocate(after, path, groups)
    lost = deficit(after)
    if lost.may_exceed(before):
        raise IllegalDecision(
            "After this move an aircraft would have no place to land that it could reach."
            if lost.exceeds(before)
            else "With so many carriers and fighters it cannot be shown that all could still land "
            "after this move.",
            "unit.air.landing-proof",
        )


def check_assault(s: State, sail: Sail) -> None:
    """Whether a transport may load and sail to this assault.

    Rules: amphib.declare, transport.load.combat-must-assault, combat-move.end-friendly.amphibious
    """
    if not sail.offload and not sail.load:
        raise IllegalDecision(
            "In combat movement a transport sails to an assault; use a move otherwise.",
            "amphib.declare",
        )
    plan_voyage(s, sail)


# --- carrying out -----------------------------------------------------------------------------


def _relocate(s: State, path: tuple[str, ...], groups: list[Group], duty: str = "") -> None:
    """Put the units at the end of the path, remembering how they came.

    Rules: carrier.guest.cargo, carrier.launch-first, unit.fighter.own-carrier-attacks
    """
    for unit, count in groups:
        s.take(path[0], unit, count)
        role = "escort" if duty == "raid" and unit.type == "fighter" else duty
        there = replace(unit, used=unit.used + len(path) - 1, origin=path[-2], duty=role)
        s.put(path[-1], there, count)


def apply_combat_move(g: Table[State], move: Move) -> None:
    """Carry out a checked move; a blitz takes the territory it passes at once.

    Rules: combat-move.blitz.control
    """
    s = g.state
    groups = movers(s, move, "is free to move", "combat-move.simultaneous")
    _relocate(s, move.path, groups, "raid" if move.raid else "")
    g.emit("attack_move", power=s.turn, units=move.units, path=move.path, raid=move.raid)
    if not s.facts.spaces[move.path[0]].sea and all(
        s.facts.units[type_].domain == "land" for type_ in move.units
    ):
        for space in move.path[1:-1]:
            if hostile_territory(s, space, s.turn):
                capture(g, space, s.turn)


# --- listing and sampling ---------------------------------------------------------------------


def _movable(s: State, space: str) -> list[tuple[Unit, int]]:
    return [
        (unit, count)
        for unit, count in s.stack(space).items()
        if unit.power == s.turn and fresh(unit)
    ]


def _candidate_moves(s: State, space: str) -> Iterator[Move]:
    """Moves of one type of unit from a space that could be legal attacks."""
    facts = s.facts
    counts: dict[str, int] = {}
    for unit, count in _movable(s, space):
        counts[unit.type] = counts.get(unit.type, 0) + count
    for type_, most in counts.items():
        kind = facts.units[type_]
        paths: list[tuple[str, ...]] = []
        if kind.domain == "land":
            paths = [(space, there) for there in facts.land_next[space]]
            if kind.move > 1:
                paths += [
                    (space, via, there) for _, via in paths[:] for there in facts.land_next[via]
                ]
        elif kind.domain == "sea":
            seen: set[str] = set()
            for path in sea_paths(s, space, (type_,)):
                if path[-1] not in seen:
                    seen.add(path[-1])
                    paths.append(path)
        else:
            fleeing = space in facts.sea_next and hostile_zone(s, space, s.turn)
            paths = [
                air_route(facts, space, there)
                for there in sorted(facts.neighbours if fleeing else s.at)
                if 0 < facts.air_distance[space].get(there, 99) <= kind.move
            ]
            for path in [p for p in paths if p[-1] in s.complexes]:
                for count in range(1, most + 1):
                    yield Move({type_: count}, path, raid=True)
        for path in paths:
            for count in range(1, most + 1):
                yield Move({type_: count}, path)


def candidate_voyages(s: State, space: str) -> Iterator[Sail]:
    """Voyages of one transport from a zone: loading in one place, then landing."""
    if space not in s.facts.sea_next:
        return
    owners = {
        unit.power
        for unit in s.stack(space)
        if unit.type == "transport" and unit.power in s.facts.allies[s.turn] and fresh(unit)
    }
    for owner in sorted(owners):
        name = "" if owner == s.turn else owner
        paths: list[tuple[str, ...]] = [(space,)]
        if not name:
            paths += list(sea_paths(s, space, ("transport",)))
        for path in paths:
            shores = [""] if s.phase == "noncombat_move" else []
            shores += s.facts.coast[path[-1]]
            for shore in shores:
                if shore:
                    yield Sail(path, offload=shore, owner=name)
                for zone in path:
                    for land in s.facts.coast[zone]:
                        for units in _shiploads(s, land):
                            yield Sail(path, (Load(land, zone, units),), shore, owner=name)


def _shiploads(s: State, land: str) -> list[dict[str, int]]:
    """What one transport could load in a territory."""
    free: dict[str, int] = {}
    for unit, count in _movable(s, land):
        if s.facts.units[unit.type].domain == "land":
            free[unit.type] = free.get(unit.type, 0) + count
    loads: list[dict[str, int]] = [{type_: 1} for type_ in sorted(free)]
    if free.get("infantry"):
        loads += [{type_: 1, "infantry": 1} for type_ in sorted(free) if type_ != "infantry"]
        if free["infantry"] > 1:
            loads.append({"infantry": 2})
    return loads


def _random_attack(
    s: State, space: str, unit: Unit, most: int, rng: random.Random
) -> Move | Sail | None:
    """A plausible combat move of such units in a space; None if nothing comes to mind."""
    facts = s.facts
    kind = facts.units[unit.type]
    count = 1 + int(rng.random() * most)
    if kind.domain == "land":
        enemies = facts.enemies[s.turn]
        if kind.move > 1 and rng.random() < 0.4:
            near = facts.land_next[space]
            via = (near[int(rng.random() * len(near))],) if near else ()
        else:
            via = ()
        goals = [t for t in facts.land_next[via[0] if via else space] if s.control[t] in enemies]
        if not goals or not kind.attack:
            return None
        return Move({unit.type: count}, (space, *via, goals[int(rng.random() * len(goals))]))
    if kind.domain == "air":
        foes = [p for p in facts.powers if p in facts.enemies[s.turn] and s.presence[p]]
        if not foes:
            return None
        far = facts.air_distance[space]
        prey = list(s.presence[foes[int(rng.random() * len(foes))]])
        there = prey[int(rng.random() * len(prey))]
        # Seldom one from which the aircraft could only land on a carrier.
        home = nearest_land(s)[there] if rng.random() < 0.9 else 0
        if 0 < far[there] <= kind.move - home:
            raid = unit.type == "bomber" and there in s.complexes and rng.random() < 0.5
            return Move({unit.type: count}, air_route(facts, space, there), raid)
        return None
    if unit.type == "transport":
        return random_voyage(s, space, rng)
    near = facts.sea_next[space]
    path: tuple[str, ...] = (space, near[int(rng.random() * len(near))])
    if rng.random() < 0.5:
        on = facts.sea_next[path[-1]]
        path = (*path, on[int(rng.random() * len(on))])
    if not enemies_in(s, path[-1], s.turn) and not hostile_zone(s, space, s.turn):
        return None
    return Move({unit.type: count}, path)


def random_voyage(s: State, space: str, rng: random.Random) -> Sail | None:
    """A plausible voyage of a transport in a zone, for either movement phase."""
    facts = s.facts
    path: tuple[str, ...] = (space,)
    for _ in range(int(rng.random() * 3)):
        via = facts.sea_next[path[-1]]
        path = (*path, via[int(rng.random() * len(via))])
    attack = s.phase == "combat_move"
    shores = [
        t
        for t in facts.coast[path[-1]]
        if (aim_of_attack(s, t) if attack else friendly_territory(s, t, s.turn))
    ]
    shore = shores[int(rng.random() * len(shores))] if shores else ""
    if attack and not shore:
        return None
    load: tuple[Load, ...] = ()
    if rng.random() < 0.8:
        zone = path[int(rng.random() * len(path))]
        lands = facts.coast[zone]
        if lands:
            land = lands[int(rng.random() * len(lands))]
            choices = _shiploads(s, land)
            if choices:
                load = (Load(land, zone, choices[int(rng.random() * len(choices))]),)
    if not load and not shore:
        return None
    return Sail(path, load, shore)
