"""The Non-Combat and Strategic Movement Phase (chapter 10)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import ClassVar

from sandtable.games.gw36.facts import UnitType
from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.advanced_carriers import check_ashore, headings
from sandtable.games.gw36.rules.air import (
    check_flight,
    crash,
    flying,
    free_decks,
    hump,
    land_on_deck,
    landing_land,
    landing_places,
    range_left,
    relocate,
    route,
    savable,
    stranded,
    survivors,
)
from sandtable.games.gw36.rules.capture import capture_zone
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.consequences import settle
from sandtable.games.gw36.rules.land_combat import home
from sandtable.games.gw36.rules.movement import (
    Group,
    Move,
    base_points,
    carries,
    check_area,
    check_march,
    check_reach,
    check_single_passage,
    check_voyage,
    check_zones,
    distances,
    free,
    kinds_of,
    lift,
    mover_of,
    note_crossing,
    one_of,
    pick,
    random_units,
    sea_paths,
)
from sandtable.games.gw36.rules.narrows import run_the_guns, sunk_at
from sandtable.games.gw36.rules.patrol import eliminate, resume
from sandtable.games.gw36.rules.rail import Rail, check_rail, journeys, random_journey, travel
from sandtable.games.gw36.rules.sharing import hostile_sea
from sandtable.games.gw36.rules.strategic_naval import (
    FARTHEST,
    SHIPS,
    StrategicMove,
    allowance,
    check_strategic,
    sail_strategically,
)
from sandtable.games.gw36.rules.transports import (
    Airlift,
    Load,
    Sail,
    drown,
    fly_home,
    plan_airlift,
    plan_voyage,
    sail_home,
    shiploads,
)
from sandtable.games.gw36.rules.zones import commanded, naval_bases, side
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class NoncombatMove(Request, frozen=True, tag="noncombat_move"):
    """Move what has not moved or fought, bring aircraft home, or be done."""

    answers: ClassVar[tuple[type[Decision], ...]] = (
        Move,
        Sail,
        Airlift,
        Rail,
        StrategicMove,
        Done,
    )

    def check(self, state: State, decision: Decision) -> None:
        if isinstance(decision, Move):
            check_move(state, decision)
        elif isinstance(decision, Sail):
            plan_voyage(state, decision)
        elif isinstance(decision, Airlift):
            plan_airlift(state, decision)
        elif isinstance(decision, Rail):
            check_rail(state, decision)
        elif isinstance(decision, StrategicMove):
            check_strategic(state, decision)
        else:
            _check_done(state)

    def _allows(self, state: State, decision: Decision) -> bool:
        try:
            self.check(state, decision)
        except IllegalDecision:
            return False
        return True

    def decisions(self, state: State) -> Iterator[Decision]:
        """Done where that is allowed, the moves of one type of unit, voyages with one loading."""
        if self._allows(state, Done()):
            yield Done()
        for decision in _candidates(state):
            if self._allows(state, decision):
                yield decision

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        if rng.random() >= 0.05:
            for zone, unit, count in random_units(state, rng, 6, able):
                decision = _random(state, zone, unit, count, rng)
                if decision is not None:
                    yield decision
        yield Done()  # refused as long as an aircraft can be landed
        for nation in commanded(state, state.mover):
            yield from _rescues(state, nation, rng)
            yield from headings(state, nation)


def able(unit: Unit) -> bool:
    return free(unit) or unit.duty in ("attack", "fought", "patrol", "bomb", "carpet", "retreated")


def phase(g: Table[State]) -> Procedure[None]:
    """Every nation of the turn moves; aircraft that cannot land are lost.

    Rules: 10.1a, 8.6d, 8.7h, 6.2f
    """
    s = g.state
    if s.step != "moves":
        for zone in dict.fromkeys(
            zone for zone, unit, _ in s.worn_units() if unit.duty == "scrambled"
        ):
            home(g, zone)
        resume(s)
        eliminate(g)
        s.step = "moves"
    for nation in s.facts.order[s.slot]:
        if nation in s.finished:
            continue
        s.mover = nation
        while any(s.presence.get(each) for each in commanded(s, nation)):
            g.checkpoint()
            decision = yield from g.ask(NoncombatMove(nation))
            if isinstance(decision, Done):
                break
            yield from _carry_out(g, decision)
            _claim(g, decision)
            yield from settle(g)
        for each in commanded(s, nation):
            crash(g, each)
        s.finished |= {nation}
    eliminate(g)


def _claim(g: Table[State], decision: Decision) -> None:
    """A land unit that moves into a zone of a partner that has surrendered claims it.

    Rules: 9.22d
    """
    s = g.state
    for zone in (*getattr(decision, "path", ())[-1:], getattr(decision, "offload", "")):
        if s.possession.get(zone) in s.surrendered:
            capture_zone(g, zone)


# --- legality -------------------------------------------------------------------------------------


def check_move(s: State, move: Move) -> None:
    """Whether the acting nation may make this move in non-combat movement.

    Rules: 10.1a, 8.2a
    """
    nation = mover_of(s, move.nation)
    kinds = kinds_of(s, move.units)
    if move.duty or move.target or move.against:
        raise IllegalDecision("That is announced in combat movement.", "8.2b")
    if move.used and not kinds[0].air:
        raise IllegalDecision("Only aircraft move again after they have moved.", "10.1a")
    if not move.path:
        raise IllegalDecision("A path names at least the zone in which the units are.", "0.8a")
    check_zones(s, move.path)
    check_area(s, nation, move.path[1:])
    if kinds[0].land:
        _check_land(s, nation, move, kinds)
    elif kinds[0].air:
        _check_landing(s, nation, move, kinds)
    else:
        _check_sea(s, nation, move, kinds)


def _check_land(s: State, nation: str, move: Move, kinds: list[UnitType]) -> None:
    """Land units move through Friendly zones that were not captured this turn.

    Rules: 10.1a, 10.1b, 0.5a, 0.5b
    """
    if len(move.path) < 2:
        raise IllegalDecision("A move leads into another zone.", "0.8a")
    check_march(s, nation, move, kinds)
    friends = side(s, nation).friends
    for zone in move.path[1:]:
        if s.possession[zone] not in friends:
            raise IllegalDecision(f"{s.facts.name(zone)} is not Friendly.", "0.5a")
        if zone in s.captured:
            raise IllegalDecision(f"{s.facts.name(zone)} was captured this turn.", "10.1b")


def _check_sea(s: State, nation: str, move: Move, kinds: list[UnitType]) -> None:
    """Ships move where no Enemy is that would have to be met in combat movement.

    Rules: 10.1a, 8.2a, 8.2c, 0.5f
    """
    path = move.path
    if len(path) < 2:
        raise IllegalDecision("A move leads into another zone.", "0.8a")
    groups = _ships(s, nation, move)
    check_voyage(s, nation, kinds, path)
    check_reach(s, groups, path)
    check_single_passage(s, nation, path, sum(move.units.values()))
    for zone in path[1:]:
        if hostile_sea(s, nation, zone):
            raise IllegalDecision(
                f"Enemies are in {s.facts.name(zone)}: that takes a combat move.", "8.2a"
            )
    if any(kind.decks for kind in kinds) and any(flying(s, nation)):
        _check_still_landing(s, nation, path, groups)


def _ships(s: State, nation: str, move: Move) -> list[Group]:
    return pick(s, nation, move.path[0], move.units, lambda u: free(u) and carries(u, move.cargo))


def _planes(s: State, nation: str, move: Move) -> list[Group]:
    """The aircraft that make a move: of those that can fly so far, the ones with the least left."""
    steps = len(move.path) - 1
    zone = move.path[0]
    return pick(
        s,
        nation,
        zone,
        move.units,
        lambda unit: (
            unit.duty != "moved"
            and move.used in (None, unit.used)
            and range_left(s, unit, zone) >= steps
        ),
        lambda unit: (range_left(s, unit, zone), unit),
        rule="10.3a",
        why_not=f"can still fly {steps} zones",
    )


def _check_landing(s: State, nation: str, move: Move, kinds: list[UnitType]) -> None:
    """Aircraft land on Friendly land, or on a deck.

    Rules: 8.7g, 10.3a, 10.3b, 10.3c, 10.2b, 12.2.seaplane-e
    """
    path = move.path
    goal = path[-1]
    friends = side(s, nation).friends
    groups = _planes(s, nation, move)
    if len(path) > 1:
        check_flight(s, nation, path)
    elif goal not in s.facts.sea_next:
        raise IllegalDecision("A move leads into another zone.", "0.8a")
    if goal not in s.facts.sea_next:
        for kind in kinds:
            if not landing_land(s, friends, kind, goal):
                raise IllegalDecision(f"{kind.name} cannot land in {s.facts.name(goal)}.", "10.3b")
        check_ashore(s, nation, groups)
        return
    if any(not kind.on_deck for kind in kinds):
        raise IllegalDecision("Only carrier aircraft land at sea.", "12.2.fleet-carrier-b")
    if len(path) == 1 and any(group.aboard for group in groups):
        raise IllegalDecision("They are on a deck already.", "10.3a")
    if free_decks(s, friends, goal) < sum(move.units.values()):
        raise IllegalDecision(f"No deck is free in {s.facts.name(goal)}.", "12.2.fleet-carrier-b")
    _check_still_landing(s, nation, path, groups)


def _check_still_landing(s: State, nation: str, path: tuple[str, ...], groups: list[Group]) -> None:
    """No more aircraft are without a landing place after the move than before.

    Rules: 8.3c, 10.3a
    """
    before = stranded(s, nation)
    after = s.copy()
    _bring(after, path, groups)
    if stranded(after, nation) > before:
        raise IllegalDecision(
            "Another aircraft relies on that deck: it could not land any more.", "10.3a"
        )


def _check_done(s: State) -> None:
    """The phase ends only when all aircraft have landed that can be landed now, and carriers
    without aircraft have turned for home, with that option.

    Rules: 10.3a, 15.3d
    """
    for nation in commanded(s, s.mover):
        for move in islice(_landings(s, nation), _TRIES):
            if _possible(s, move):
                raise IllegalDecision(
                    f"A {s.facts.name(next(iter(move.units)))} in {s.facts.name(move.path[0])} can "
                    "still be landed.",
                    "10.3a",
                )
        for move in headings(s, nation):
            if _possible(s, move):
                raise IllegalDecision(
                    f"The empty {s.facts.name(next(iter(move.units)))} in "
                    f"{s.facts.name(move.path[0])} has to move towards the nearest factory.",
                    "15.3d",
                )


def _possible(s: State, move: Move) -> bool:
    try:
        check_move(s, move)
    except IllegalDecision:
        return False
    return True


_TRIES = 8
"""So many landings are tried before a flying aircraft is given up: on land the first is possible,
and on decks another aircraft may need the room."""


def _landings(s: State, nation: str) -> Iterator[Move]:
    """A move to each place where a flying aircraft could land, first those on land."""
    name = "" if nation == s.mover else nation
    found = savable(s, nation)
    for at_sea in (False, True):
        for zone, unit, places in found:
            left = range_left(s, unit, zone)
            for place in places:
                if (place in s.facts.sea_next) == at_sea:
                    path = route(s, nation, zone, place, left) if place != zone else (zone,)
                    if path is not None:
                        yield Move({unit.type: 1}, path, nation=name)


# --- carrying out ---------------------------------------------------------------------------------


def _bring(s: State, path: tuple[str, ...], groups: list[Group]) -> None:
    """Bring units to the end of a path, aircraft at sea onto decks."""
    goal = path[-1]
    if goal in s.facts.sea_next and s.facts.units[groups[0].unit.type].air:
        for group in groups:
            lift(s, path[0], group)
            land_on_deck(s, goal, group.unit, group.count)
        return
    relocate(s, path, groups, "moved")


def _carry_out(g: Table[State], decision: Decision) -> Procedure[None]:
    """Carry out a checked decision.

    Rules: 10.1a, 1.15i, 1.19a, 1.24hump-a
    """
    s = g.state
    if isinstance(decision, Move):
        yield from _move(g, decision)
    elif isinstance(decision, Sail):
        voyage = plan_voyage(s, decision)
        if sea := (yield from sunk_at(g, voyage.nation, decision.path)):
            s.destroy(decision.path[0], voyage.transport)
            drown(s, decision.path, decision.load, voyage.taken, sea)
            return
        sail_home(s, decision, voyage)
        g.emit(
            "sailed",
            power=voyage.nation,
            path=(*decision.path, decision.offload) if decision.offload else decision.path,
            loaded=sum(group.count for _, group in voyage.taken),
            cargo=[piece.type for piece in voyage.landed],
        )
    elif isinstance(decision, Airlift):
        yield from _airlift(g, decision)
    elif isinstance(decision, Rail):
        nation = travel(s, decision)
        g.emit("railed", power=nation, units=decision.units, path=decision.path)
    elif isinstance(decision, StrategicMove):
        nation = yield from sail_strategically(g, decision)
        way = (*decision.path, decision.offload) if decision.offload else decision.path
        g.emit("strategic_move", power=nation, path=way)


def _move(g: Table[State], move: Move) -> Procedure[None]:
    s = g.state
    nation = mover_of(s, move.nation)
    kind = kinds_of(s, move.units)[0]
    path = move.path
    if kind.air:
        groups = _planes(s, nation, move)
        through = yield from hump(g, nation, path, move.units)
        groups = survivors(s, path[0], groups, through)
    elif kind.naval:
        groups = _ships(s, nation, move)
        key = check_single_passage(s, nation, path, sum(move.units.values()))
        if key:
            s.done[key] = 1
        groups = yield from run_the_guns(g, nation, groups, path)
    else:
        groups = pick(s, nation, path[0], move.units, free)
        note_crossing(s, nation, path, sum(move.units.values()))
    if groups:
        _bring(s, path, groups)
    g.emit("moved", power=nation, units=move.units, path=path)


def _airlift(g: Table[State], decision: Airlift) -> Procedure[None]:
    s = g.state
    nation, plane, cargo = plan_airlift(s, decision)
    through = yield from hump(g, nation, decision.path, {decision.aircraft: 1})
    g.emit("airlifted", power=nation, path=decision.path, units={cargo.unit.type: 1})
    if through[decision.aircraft]:
        fly_home(s, decision, plane, cargo)
    else:
        s.destroy(decision.path[0], plane.unit)
        s.destroy(decision.load.zone, cargo.unit)


# --- listing and sampling -------------------------------------------------------------------------


def _candidates(s: State) -> Iterator[Decision]:
    for nation in commanded(s, s.mover):
        name = "" if nation == s.mover else nation
        for zone in list(s.presence.get(nation, ())):
            counts: dict[str, int] = {}
            for unit, count in s.at[zone].items():
                if unit.nation == nation and able(unit):
                    counts[unit.type] = counts.get(unit.type, 0) + count
                if s.facts.units[unit.type].decks:
                    for piece in unit.cargo:
                        if piece.nation == nation and able(piece):
                            counts[piece.type] = counts.get(piece.type, 0) + count
            for type_, most in counts.items():
                kind = s.facts.units[type_]
                for path in ways(s, nation, zone, kind):
                    for count in range(1, most + 1):
                        yield Move({type_: count}, path, nation=name)
                if not kind.naval:
                    for path in journeys(s, nation, zone):
                        for count in range(1, min(most, 4) + 1):
                            yield Rail({type_: count}, path, name)
                if kind.transport:
                    yield from _voyages(s, nation, zone, type_, name)
                if kind.lift:
                    yield from _lifts(s, nation, zone, kind, name)


def ways(s: State, nation: str, zone: str, kind: UnitType) -> Iterator[tuple[str, ...]]:
    facts = s.facts
    friends = side(s, nation).friends
    reach = base_points(s, nation, kind) + 1
    if kind.land:
        near = [there for there in facts.land_next[zone] if s.possession[there] in friends]
        for known in facts.crossings.values():
            if zone in known.between:
                yield zone, known.between[known.between[0] == zone]
        seen = {zone, *near}
        for there in near:
            yield zone, there
        if kind.move > 1 or kind.class_ == "artillery":
            for via in near:
                for there in facts.land_next[via]:
                    if there not in seen and s.possession[there] in friends:
                        seen.add(there)
                        yield zone, via, there
    elif kind.air:
        yield (zone,)
        for there in landing_places(s, Unit(nation, kind.id), zone, reach):
            if there != zone:
                path = route(s, nation, zone, there, reach)
                if path is not None:
                    yield path
    else:
        yield from sea_paths(s, zone, reach)
        if zone in facts.northern_route:
            yield zone, facts.northern_route[facts.northern_route[0] == zone]


def _voyages(s: State, nation: str, zone: str, type_: str, name: str) -> Iterator[Decision]:
    kind = s.facts.units[type_]
    for path in sea_paths(s, zone, base_points(s, nation, kind) + 1):
        for shore in ("", *s.facts.coast[path[-1]]):
            if shore:
                yield Sail(path, offload=shore, ship=type_, nation=name)
            for at in path:
                for land in s.facts.coast[at]:
                    for units in shiploads(s, nation, land, Unit(nation, type_)):
                        yield Sail(
                            path, (Load(land, units, at, name),), shore, ship=type_, nation=name
                        )
    if type_ in SHIPS and allowance(s, nation)[1]:
        for path in sea_paths(s, zone, FARTHEST):
            if len(path) > 1:
                yield StrategicMove(path, ship=type_, nation=name)


def _lifts(s: State, nation: str, zone: str, kind: UnitType, name: str) -> Iterator[Airlift]:
    reach = base_points(s, nation, kind) + 1
    for there in landing_places(s, Unit(nation, kind.id), zone, reach):
        path = route(s, nation, zone, there, reach)
        for stop in path or ():
            for unit in s.stack(stop):
                if unit.nation == nation and s.facts.units[unit.type].class_ == "infantry":
                    assert path is not None
                    yield Airlift(path, Load(stop, {unit.type: 1}), kind.id, name)


def _random(s: State, zone: str, unit: Unit, most: int, rng: random.Random) -> Decision | None:
    """A plausible move of such units; None if nothing comes to mind."""
    facts, nation = s.facts, unit.nation
    kind = facts.units[unit.type]
    name = "" if nation == s.mover else nation
    count = 1 + int(rng.random() * most)
    friends = side(s, nation).friends
    if kind.land or (kind.air and rng.random() < 0.1):
        if rng.random() < 0.15:
            way = random_journey(s, nation, zone, rng) if zone in s.possession else None
            return Rail({unit.type: 1}, way, name) if way else None
        if kind.land:
            near = [t for t in facts.land_next[zone] if s.possession[t] in friends]
            if not near:
                return None
            return Move({unit.type: count}, (zone, one_of(near, rng)), nation=name)
    if kind.air:
        there = one_of(facts.land, rng)
        if unit.duty == "patrol":
            near = [t for t in facts.neighbours[zone] if s.possession.get(t) in friends]
            if not near:
                return None
            return Move({unit.type: count}, (zone, one_of(near, rng)), nation=name)
        if s.possession[there] not in friends or distances(facts)[zone][there] > kind.move:
            return None
        path = route(s, nation, zone, there, kind.move) if there != zone else None
        if path is None:
            return None
        return Move({unit.type: count}, path, nation=name)
    if kind.transport and rng.random() < 0.6:
        return _random_voyage(s, zone, unit, rng)
    path = (zone,)
    for _ in range(1 + int(rng.random() * kind.move)):
        path = (*path, one_of(facts.sea_next[path[-1]], rng))
    return Move({unit.type: count}, path, nation=name)


def _random_voyage(s: State, zone: str, unit: Unit, rng: random.Random) -> Decision | None:
    facts, nation = s.facts, unit.nation
    name = "" if nation == s.mover else nation
    friends = side(s, nation).friends
    path: tuple[str, ...] = (zone,)
    strategic = unit.cargo and rng.random() < 0.3
    for _ in range(int(rng.random() * (6 if strategic else 3))):
        path = (*path, one_of(facts.sea_next[path[-1]], rng))
    if strategic and naval_bases(s, path[-1], friends):
        return StrategicMove(path, ship=unit.type, nation=name)
    shores = [t for t in facts.coast[path[-1]] if s.possession[t] in friends]
    shore = one_of(shores, rng) if shores and rng.random() < 0.7 else ""
    load: tuple[Load, ...] = ()
    if rng.random() < 0.7:
        at = one_of(path, rng)
        lands = [t for t in facts.coast[at] if t in s.presence.get(nation, ())]
        loads = list(shiploads(s, nation, land := one_of(lands, rng), unit)) if lands else []
        if loads:
            load = (Load(land, one_of(loads, rng), at, name),)
    if not load and not (shore and unit.cargo):
        return None
    return Sail(path, load, shore, ship=unit.type, nation=name)


def _rescues(s: State, nation: str, rng: random.Random) -> Iterator[Move]:
    """Moves that land an aircraft that has to land."""
    moves = list(islice(_landings(s, nation), 8 * _TRIES))
    first = moves[:_TRIES]
    rng.shuffle(first)
    yield from first
    yield from moves[_TRIES:]
