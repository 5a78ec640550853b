"""Phase 4: Noncombat Move (p.21)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import ClassVar

from msgspec.structs import replace

from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.casualties import player_of
from sandtable.games.aa1942.rules.combat_move import candidate_voyages, random_voyage
from sandtable.games.aa1942.rules.landing import (
    crash,
    deck_room,
    decks_in,
    deficit,
    landing_territory,
    range_left,
    relies_on_carriers,
    room_at_sea,
    unlanded,
)
from sandtable.games.aa1942.rules.mobilize import own_decks
from sandtable.games.aa1942.rules.movement import (
    Done,
    Group,
    Move,
    air_route,
    check_path,
    check_sea_goal,
    check_sea_path,
    domain_of,
    fresh,
    movers,
    pick,
    random_units,
    sea_paths,
)
from sandtable.games.aa1942.rules.spaces import friendly_territory
from sandtable.games.aa1942.rules.transports import Sail, plan_voyage, sail_away
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.kits import ChooseOne, YesOrNo
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class NoncombatMove(Request, frozen=True, tag="noncombat_move"):
    """Move what has not moved or fought, land aircraft, or be done."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Move, Sail, Done)

    def check(self, state: State, decision: Move | Sail | Done) -> None:
        if isinstance(decision, Move):
            check_noncombat_move(state, decision)
        elif isinstance(decision, Sail):
            plan_voyage(state, decision)
        else:
            _check_all_landed(state)

    def decisions(self, state: State) -> Iterator[Decision]:
        """Done where that is allowed, every single-type move, every voyage with one loading."""
        if passes(_check_all_landed, state):
            yield Done()
        for space in sorted(state.at):
            for decision in chain(_candidate_moves(state, space), candidate_voyages(state, space)):
                if passes(self.check, state, decision):
                    yield decision

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        if rng.random() >= 0.03:
            for space, unit, count in random_units(state, rng, 8):
                decision = _random_move(state, space, unit, count, rng)
                if decision is not None:
                    yield decision
        yield Done()  # refused as long as an aircraft can still be brought to land
        yield from _random_rescues(state, unlanded(state), rng)
        yield from self.decisions(state)


class Divert(Decision, frozen=True, tag="divert"):
    """Land one stranded fighter in a neighbouring space."""

    to: str


class LandStranded(ChooseOne, frozen=True, tag="land_stranded"):
    """Where a fighter goes whose carrier was sunk or whose base was captured.

    Rules: noncombat.stranded
    """

    space: str
    to: tuple[str, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (Divert,)
    among: ClassVar[str] = "to"
    rule: ClassVar[str] = "noncombat.stranded"
    refusal: ClassVar[str] = "The fighter cannot land in {asked}."


class Consent(Decision, frozen=True, tag="consent"):
    """Whether an ally's units may come aboard."""

    agree: bool


class ShareSpace(YesOrNo, frozen=True, tag="share_space"):
    """An ally run by another player asks for room on a transport or carrier."""

    guest: str
    zone: str
    units: dict[str, int]

    answers: ClassVar[tuple[type[Decision], ...]] = (Consent,)


def noncombat_move(g: Table[State]) -> Procedure[None]:
    """Stranded defenders land first; then the acting power moves; then what flies is lost.

    Rules: noncombat.stranded, noncombat.eligible, unit.fighter.defend-return,
        combat-move.share-spaces
    """
    s = g.state
    if s.step != "moves":
        yield from land_stranded_fighters(g)
        s.step = "moves"
    while True:
        g.checkpoint()
        decision: Move | Sail | Done = yield from g.ask(NoncombatMove(s.turn))
        if isinstance(decision, Done):
            break
        permission = _permission(s, decision)
        if permission is not None:
            consent: Consent = yield from g.ask(permission)
            if not consent.agree:
                if "fighter" in permission.units:
                    s.refused |= {permission.zone}
                g.emit("refused", power=permission.power, against=s.turn, space=permission.zone)
                continue
        if isinstance(decision, Sail):
            voyage = sail_away(s, decision)
            g.emit(
                "sailed",
                power=s.turn,
                path=decision.path,
                loaded=sum(count for _, (_, count) in voyage.taken),
                space=decision.offload,
                units=dict(Counter(piece.type for piece in voyage.landed)),
            )
        else:
            _relocate(s, decision.path, _movers(s, decision))
            g.emit("moved", power=s.turn, units=decision.units, path=decision.path)
    crash(g)


def _permission(s: State, decision: Move | Sail) -> ShareSpace | None:
    """The request for room on an ally's ship that another player runs, if the move needs one.

    Rules: combat-move.share-spaces
    """
    if s.options["players"] is None:
        return None
    host = ""
    units: dict[str, int] = {}
    zone = decision.path[-1]
    if isinstance(decision, Sail):
        if decision.owner and decision.load:
            host = decision.owner
            for load in decision.load:
                for type_, count in load.units.items():
                    units[type_] = units.get(type_, 0) + count
    elif "fighter" in decision.units and s.facts.spaces[zone].sea:
        guests = decision.units["fighter"] - max(0, own_decks(s, zone))
        hosts = sorted(
            u.power
            for u in s.stack(zone)
            if u.type == "aircraft_carrier" and u.power in s.facts.allies[s.turn] - {s.turn}
        )
        if guests > 0 and hosts:
            host, units = hosts[0], {"fighter": guests}
    players = player_of(s)
    if not host or players[host] == players[s.turn]:
        return None
    return ShareSpace(host, s.turn, zone, units)


# --- stranded defenders -------------------------------------------------------------------------


def land_stranded_fighters(g: Table[State]) -> Procedure[None]:
    """Defending fighters without a deck or base move one space, before anybody else moves.

    Rules: noncombat.stranded, unit.fighter.defend-return, option.air-battle.interceptor-return
    """
    s = g.state
    for space in sorted(s.fought):
        seat_guests(s, space, s.facts.enemies[s.turn])
    while True:
        stranded = _first_stranded(s)
        if stranded is None:
            return
        space, unit = stranded
        places = _refuges(s, space, unit.power)
        if not places:
            s.destroy(space, unit)
            g.emit("crashed", losses={unit.power: {unit.type: 1}}, space=space)
            continue
        goal = places[0]
        if len(places) > 1:
            g.checkpoint()
            answer: Divert = yield from g.ask(LandStranded(unit.power, space, tuple(places)))
            goal = answer.to
        s.take(space, unit)
        s.put(goal, Unit(unit.power, unit.type))
        seat_guests(s, goal, s.facts.enemies[s.turn])
        g.emit("diverted", power=unit.power, path=(space, goal))


def _first_stranded(s: State) -> tuple[str, Unit] | None:
    """A defending fighter that has no place to stay, in a space where combat was fought."""
    enemies = s.facts.enemies[s.turn]
    for space in sorted(s.fought):
        stack = s.stack(space)
        fighters = [u for u in sorted(stack) if u.type == "fighter" and u.power in enemies]
        if not fighters:
            continue
        if not s.facts.spaces[space].sea:
            if not friendly_territory(s, space, fighters[0].power):
                return space, fighters[0]
        elif free_decks(s, space, fighters[0].power) < 0:
            # The one that its own power's carriers can hold the least.
            return space, max(fighters, key=lambda u: stack[u] - _decks_of(s, space, u.power))
    return None


def _decks_of(s: State, zone: str, power: str) -> int:
    return sum(
        count * deck_room(s, unit)
        for unit, count in s.stack(zone).items()
        if unit.type == "aircraft_carrier" and unit.power == power
    )


def free_decks(s: State, zone: str, power: str) -> int:
    """Places on the carriers of a power's side less the fighters that need one."""
    allies = s.facts.allies[power]
    room = 0
    for unit, count in s.stack(zone).items():
        if unit.power in allies:
            if unit.type == "aircraft_carrier":
                room += count * deck_room(s, unit)
            elif unit.type == "fighter":
                room -= count
    return room


def _refuges(s: State, space: str, power: str) -> list[str]:
    """Where a stranded fighter can land: friendly territory or a free deck one space away."""
    return [
        there
        for there in sorted(s.facts.neighbours[space])
        if (
            free_decks(s, there, power) > 0
            if s.facts.spaces[there].sea
            else friendly_territory(s, there, power)
        )
    ]


def seat_guests(s: State, zone: str, powers: Iterable[str], flying: str = "") -> None:
    """Fighters of these powers that their own carriers cannot hold board those of allies.

    Fighters of the power `flying` are in the air: its carriers have room for guests.

    Rules: unit.carrier.capacity, carrier.guest.cargo, unit.carrier.guest-turn
    """
    stack = s.at.get(zone)
    if not stack or not s.facts.spaces[zone].sea:
        return
    guests = {unit.power for unit in stack if unit.type == "fighter" and unit.power in powers}
    for power in sorted(guests, key=s.facts.powers.index):
        planes = sum(
            n for u, n in s.stack(zone).items() if u.power == power and u.type == "fighter"
        )
        over = planes - _decks_of(s, zone, power)
        for host in s.facts.powers:
            if over <= 0:
                break
            if host == power or host not in s.facts.allies[power]:
                continue
            own = sum(
                n
                for u, n in s.stack(zone).items()
                if u.power == host != flying and u.type == "fighter"
            )
            room = _decks_of(s, zone, host) - own
            while over > 0 and room > 0:
                _board(s, zone, power, host)
                over -= 1
                room -= 1


def _board(s: State, zone: str, power: str, host: str) -> None:
    """One fighter of a power goes aboard a carrier of its host."""
    fighter = max(u for u in s.stack(zone) if u.type == "fighter" and u.power == power)
    carrier = next(
        u
        for u in sorted(s.stack(zone), key=lambda u: (len(u.cargo), u))
        if u.type == "aircraft_carrier" and u.power == host and deck_room(s, u) > 0
    )
    s.take(zone, fighter)
    s.change(zone, carrier, 1, cargo=tuple(sorted([*carrier.cargo, Unit(power, "fighter")])))


# --- legality -----------------------------------------------------------------------------------


def check_noncombat_move(s: State, move: Move) -> None:
    """Whether the acting power may make this move in noncombat movement.

    Rules: noncombat.land, noncombat.aaa, noncombat.sea, noncombat.sub, noncombat.air-remaining,
        noncombat.hostile-pass, combat-move.start-hostile.no-noncombat
    """
    domain = domain_of(s, move)
    check_path(s, move.path)
    if move.raid:
        raise IllegalDecision("Raids are announced in combat movement.", "sbr.target")
    if domain == "land":
        _check_land_move(s, move)
    elif domain == "sea":
        _check_sea_move(s, move)
    else:
        _check_landing(s, move)


def _movers(s: State, move: Move) -> list[Group]:
    """The units that make the move: of aircraft those with the least range that suffices."""
    if next(iter(move.units)) in s.facts.air:
        steps = len(move.path) - 1
        return pick(
            s,
            move.path[0],
            move.units,
            lambda unit: range_left(s, unit) >= steps,
            lambda unit: (-unit.used, unit),
            why_not=f"can still fly {steps} spaces",
            rule="noncombat.air-remaining",
        )
    return movers(s, move, "neither moved nor fought this turn", "noncombat.eligible")


def _check_land_move(s: State, move: Move) -> None:
    """Land units move through friendly territories, those captured this turn included.

    Rules: noncombat.land, noncombat.aaa, combat-move.range, combat-move.blitz.basic
    """
    allies = s.facts.allies[s.turn]
    for space in move.path:
        if s.control.get(space) not in allies:
            if s.facts.spaces[space].sea:
                raise IllegalDecision(
                    f"Land units cannot enter {s.facts.name(space)}: it is sea.", "unit.land.scope"
                )
            raise IllegalDecision(
                f"{s.facts.name(space)} is hostile: land units cannot enter it in noncombat "
                "movement.",
                "noncombat.land",
            )
    steps, kinds = len(move.path) - 1, s.facts.units
    for type_ in move.units:
        if kinds[type_].move < steps:
            raise IllegalDecision(
                f"{steps} spaces are too far; {s.facts.name(type_)} moves {kinds[type_].move}.",
                "combat-move.range",
            )
    _movers(s, move)


def _check_sea_move(s: State, move: Move) -> None:
    """Ships move through and into friendly zones; submarines also into hostile ones.

    Rules: noncombat.sea, noncombat.sub, noncombat.carrier.must-move
    """
    check_sea_path(s, move.path, move.units)
    check_sea_goal(s, move.path[-1], move.units)
    groups = _movers(s, move)
    if "aircraft_carrier" in move.units and relies_on_carriers(s):
        _check_still_landing(s, move, groups)


def _check_landing(s: State, move: Move) -> None:
    """Air units land: on territory friendly since the turn began, or fighters on a deck.

    Rules: noncombat.air.landing-territory, noncombat.air.no-captured, noncombat.air.carrier,
        noncombat.air.new-carrier, noncombat.air.carrier-required, noncombat.air.same-zone,
        unit.carrier.guest-turn
    """
    goal = move.path[-1]
    groups = _movers(s, move)
    if not s.facts.spaces[goal].sea:
        if not landing_territory(s, goal):
            raise IllegalDecision(
                f"{s.facts.name(goal)} was not friendly at the start of the turn: no aircraft "
                "lands there.",
                "noncombat.air.no-captured",
            )
        return
    if any(type_ != "fighter" for type_ in move.units):
        raise IllegalDecision("Only fighters can land at sea.", "noncombat.air.carrier")
    _check_still_landing(s, move, groups)


def _check_still_landing(s: State, move: Move, groups: list[Group]) -> None:
    """No more aircraft are without a landing place after the move than before.

    Where fighters land, those already there count: whoever is to leave the deck leaves first.

    Rules: unit.air.landing-duty, noncombat.air.carrier-required, noncombat.carrier.must-move,
        unit.air.landing-proof.commit-move
    """
    goal = move.path[-1]
    before = deficit(s)
    after = s.copy()
    _relocate(after, move.path, groups)
    if deficit(after).exceeds(before) or ("fighter" in move.units and not room_at_sea(after, goal)):
        reason = "Fighters rely on this carrier: it has to be where they can land on it."
        if "fighter" in move.units:
            reason = (
                f"No carrier would have room in {s.facts.name(goal)}, or another fighter "
                "needs that room."
            )
        raise IllegalDecision(reason, "noncombat.air.carrier-required")


def _check_all_landed(s: State) -> None:
    """The phase ends only when as many air units have landed as possibly can.

    Rules: unit.air.landing-duty, noncombat.carrier.must-move
    """
    flying = unlanded(s)
    if flying and sum(count for _, _, count in flying) > deficit(s).most:
        space, unit, _ = flying[0]
        raise IllegalDecision(
            f"A {s.facts.name(unit.type)} in {s.facts.name(space)} can still be brought to a "
            "landing place.",
            "unit.air.landing-duty",
        )


def relocated(s: State, move: Move) -> State:
    """The position after a move that is legal; `s` stays as it is."""
    after = s.copy()
    _relocate(after, move.path, _movers(s, move))
    return after


def _relocate(s: State, path: tuple[str, ...], groups: list[Group]) -> None:
    for unit, count in groups:
        s.take(path[0], unit, count)
        duty = "landed" if unit.type in s.facts.air else "moved"
        s.put(path[-1], replace(unit, used=unit.used + len(path) - 1, duty=duty), count)


# --- listing and sampling -----------------------------------------------------------------------


def _movable(s: State, space: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for unit, count in s.stack(space).items():
        if unit.power == s.turn and (
            fresh(unit) or (s.facts.units[unit.type].domain == "air" and range_left(s, unit) > 0)
        ):
            counts[unit.type] = counts.get(unit.type, 0) + count
    return counts


def _candidate_moves(s: State, space: str) -> Iterator[Move]:
    facts = s.facts
    for type_, most in _movable(s, space).items():
        kind = facts.units[type_]
        paths: list[tuple[str, ...]] = []
        if kind.domain == "land":
            near = [t for t in facts.land_next[space] if friendly_territory(s, t, s.turn)]
            paths = [(space, there) for there in near]
            if kind.move > 1:
                seen = {space, *near}
                for via in near:
                    for there in facts.land_next[via]:
                        if there not in seen and friendly_territory(s, there, s.turn):
                            seen.add(there)
                            paths.append((space, via, there))
        elif kind.domain == "sea":
            found: set[str] = {space}
            for path in sea_paths(s, space, (type_,)):
                if path[-1] not in found:
                    found.add(path[-1])
                    paths.append(path)
        else:
            paths = [
                air_route(facts, space, there)
                for there in (*facts.territories, *facts.sea_zones)
                if 0 < facts.air_distance[space].get(there, 99) <= kind.move
                and (
                    landing_territory(s, there) or (type_ == "fighter" and there in facts.sea_next)
                )
            ]
        for path in paths:
            for count in range(1, most + 1):
                yield Move({type_: count}, path)


def _random_move(
    s: State, space: str, unit: Unit, most: int, rng: random.Random
) -> Move | Sail | None:
    """A plausible noncombat move of such units in a space; None if nothing comes to mind."""
    facts, type_ = s.facts, unit.type
    kind = facts.units[type_]
    count = 1 + int(rng.random() * most)
    if type_ == "transport" and rng.random() < 0.7:
        return random_voyage(s, space, rng)
    if kind.domain == "air":
        there = facts.territories[int(rng.random() * len(facts.territories))]
        if 0 < facts.air_distance[space][there] <= kind.move and landing_territory(s, there):
            return Move({type_: count}, air_route(facts, space, there))
        return None
    if kind.domain == "land":
        allies = facts.allies[s.turn]
        goals = [t for t in facts.land_next[space] if s.control[t] in allies]
        if not goals:
            return None
        return Move({type_: count}, (space, goals[int(rng.random() * len(goals))]))
    path: tuple[str, ...] = (space,)
    for _ in range(1 + int(rng.random() * kind.move)):
        via = facts.sea_next[path[-1]]
        path = (*path, via[int(rng.random() * len(via))])
    return Move({type_: count}, path)


def _random_rescues(
    s: State, flying: list[tuple[str, Unit, int]], rng: random.Random
) -> Iterator[Move]:
    """Moves that bring an air unit to a landing place, or a carrier to an air unit."""
    if not flying:
        return
    facts = s.facts
    space, unit, _ = flying[int(rng.random() * len(flying))]
    left = range_left(s, unit)
    near = facts.air_distance[space]
    lands = [t for t in facts.territories if near[t] <= left and landing_territory(s, t)]
    if lands:
        yield Move({unit.type: 1}, air_route(facts, space, lands[int(rng.random() * len(lands))]))
    if unit.type != "fighter":
        return
    zones = [zone for zone in facts.sea_zones if near[zone] <= left]
    rng.shuffle(zones)
    for zone in zones:
        waiting = sum(
            n for u, n in s.stack(zone).items() if u.type == "fighter" and u.power == s.turn
        )
        if zone != space and decks_in(s, zone) > waiting:
            yield Move({"fighter": 1}, air_route(facts, space, zone))
    for start, carrier, _ in list(s.units_of(s.turn)):
        if carrier.type == "aircraft_carrier" and fresh(carrier):
            for path in sea_paths(s, start, ("aircraft_carrier",)):
                if path[-1] in zones and path[-1] != start:
                    yield Move({"aircraft_carrier": 1}, path)
