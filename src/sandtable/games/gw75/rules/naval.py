"""The Naval Stage: three Movement and Combat Phases of each side (chapters 12 to 16)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, ClassVar

from sandtable.games.gw75.facts import Facts
from sandtable.games.gw75.model import State, Unit, worn
from sandtable.games.gw75.rules import merchant_shipping, naval_combat, ports
from sandtable.games.gw75.rules.common import Done, in_turn, refuse
from sandtable.games.gw75.rules.consequences import settle
from sandtable.games.gw75.rules.naval_combat import Engage, check_engage
from sandtable.games.gw75.rules.naval_movement import (
    Sail,
    Snort,
    Transfer,
    check_sail,
    check_snort,
    check_transfer,
    homeless,
    left,
    number_of,
    pick,
    pick_asw,
    reach,
    snort,
    unspent,
    way,
    way_home,
)
from sandtable.games.gw75.rules.naval_results import forces
from sandtable.games.gw75.rules.naval_supply import escorting
from sandtable.games.gw75.rules.naval_zones import (
    Part,
    enemies,
    fleet,
    fleets,
    flies,
    radius,
    strikers,
    strong,
    watched,
)
from sandtable.games.gw75.rules.terms import (
    FLEET,
    NAVAL,
    SHIPS,
    SURFACE,
    nations,
    phase_side,
    relations,
    side,
)
from sandtable.games.gw75.rules.transit import Standing, leave
from sandtable.games.gw75.rules.zones import front
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class NavalPhase(Request, frozen=True, tag="naval"):
    """Move ships, fly ASW units to other bases, attack: in any order, or be done."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Sail, Transfer, Snort, Engage, Done)

    def check(self, state: State, decision: Any) -> None:
        match decision:
            case Sail():
                check_sail(state, self.power, decision)
            case Transfer():
                check_transfer(state, self.power, decision)
            case Snort():
                check_snort(state, self.power, decision)
            case Engage():
                check_engage(state, self.power, decision)
            case _:
                check_done(state, self.power)

    def decisions(self, state: State) -> Iterator[Decision]:
        """Moves of all ships of a kind along shortest ways, transfers, attacks by all that can."""
        deeds = (Done(), *_attacks(state, self.power), *_snorts(state, self.power))
        for decision in dict.fromkeys(deeds):
            if _legal(self, state, decision):
                yield decision
        for nation in nations(state, self.power):
            for hex, unit, count in list(state.units_of(nation)):
                if unit.type == "ms":
                    count = min(count, merchant_shipping.surplus(state, nation, hex))
                if unit.type in SHIPS and left(state, hex, unit):
                    found = reach(state, hex, (unit,))
                    for to in found:
                        if to != hex:
                            yield _sail(unit, count, way(found, to))
                elif unit.type == "asw" and left(state, hex, unit):
                    for to in state.facts.within(hex, left(state, hex, unit)):
                        flight = Transfer(nation, hex, to, count, unit.depleted)
                        if to != hex and _legal(self, state, flight):
                            yield flight

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        """Mostly short trips, from port to port for ships that have to be in one; before the end
        whoever has to go to a port goes there."""
        every = fleets(state, self.power)
        number = len(every)
        # Seldom: after each move of Merchant Ships all pipelines are traced anew.
        merchants = number_of(state) == 3 and rng.random() < 0.02
        for _ in range(40) if rng.random() >= 0.05 else ():
            hex, unit, most = every[int(rng.random() * number)]
            if not unit.idle and (unit.type == "ms") == merchants:
                yield from _whim(state, rng, hex, unit, 1 + int(rng.random() * most))
        owed = _first_owed(state, self.power)
        if owed is not None:
            part, _, path = owed
            yield _sail(part.unit, part.count, path)
        yield Done()
        for part, _, path in _owed(state, self.power):
            yield _sail(part.unit, part.count, path)


def _legal(request: Request, s: State, decision: Decision) -> bool:
    try:
        request.check(s, decision)
    except IllegalDecision:
        return False
    return True


def _sail(unit: Unit, count: int, path: tuple[str, ...]) -> Sail:
    units = {unit.type: count}
    if unit.depleted:
        return Sail(unit.nation, path, depleted=units)
    return Sail(unit.nation, path, units)


# --- proposals ------------------------------------------------------------------------------------


def _whim(s: State, rng: random.Random, hex: str, unit: Unit, count: int) -> Iterator[Decision]:
    """Something that units might do."""
    if not (unit.left or strong(unit)):
        return
    nation, type = unit.nation, unit.type
    if rng.random() < 0.5 and strong(unit):
        target = _prey(s, rng, hex, unit)
        if target and target not in unit.met and not escorting(s, hex, unit):
            yield Engage(target, ((hex, nation, type, count),))
    if type == "asw":
        if rng.random() < 0.15:
            yield from _flight(s, rng, hex, unit, count)
        return
    far = left(s, hex, unit)
    if not far:
        return
    facts = s.facts
    if type == "ss" and nation == "germany" and s.turn >= facts.numbers.snort_from:
        yield Snort(hex, count)
    homing = type in SURFACE or (type == "ss" and number_of(s) == 3)
    if homing and (rng.random() < 0.8 or ports.friendly(s, nation, hex)):
        seen = facts.sailing(hex, far) & ports.havens(s, nation)
        if seen & facts.bits[hex]:
            seen ^= facts.bits[hex]
        port = facts.any_of(seen, rng)
        if port:
            path, past = _route(facts, hex, port)
            if type == "ss" or not past & front(s, nation).strangers:
                yield _sail(unit, count, path)
        return
    walk, sea = [hex], facts.sea
    for _ in range(1 + int(rng.random() * min(far, 8)) if sea[hex] else 0):
        onward = sea[hex]
        hex = onward[int(rng.random() * len(onward))]
        if hex in walk:
            break
        walk.append(hex)
    if len(walk) > 1:
        yield _sail(unit, count, tuple(walk))


def _flight(s: State, rng: random.Random, hex: str, unit: Unit, count: int) -> Iterator[Transfer]:
    """A flight of ASW units to a port."""
    facts, nation = s.facts, unit.nation
    far = facts.disc(hex, left(s, hex, unit))
    to = facts.any_of(far & ports.havens(s, nation) & ~facts.bits[hex], rng)
    if to:
        yield Transfer(nation, hex, to, count, unit.depleted)


def _prey(s: State, rng: random.Random, hex: str, unit: Unit) -> str:
    """A hex with Enemy naval units that a unit might attack; empty if none is seen."""
    facts, sea = s.facts, enemies(s, unit.nation)
    if unit.type == "asw":
        seen = facts.disc(hex, radius(s, unit.nation)) & (sea.others | sea.convoys)
    else:
        afar = facts.sailing(hex, facts.numbers.merchant_range) & sea.convoys
        seen = facts.disc(hex, 1) & sea.others | afar
    return facts.any_of(seen, rng)


def _route(facts: Facts, start: str, end: str) -> tuple[tuple[str, ...], int]:
    """A shortest way by sea on an empty map, and the hexes that it enters as bits."""
    kept = facts.kept("routes", 10000)
    found: tuple[tuple[str, ...], int] | None = kept.get((start, end))
    if found is None:
        path = facts.passage(start, end, facts.numbers.surface_move)
        found = kept[start, end] = path, facts.set_of(path[1:])
    return found


def _in_reach(s: State, hex: str, unit: Unit) -> dict[str, None]:
    """The hexes in which a unit could find somebody to attack."""
    if unit.type == "asw":
        return dict.fromkeys(s.facts.within(hex, radius(s, unit.nation)))
    convoys = s.facts.voyages(hex, s.facts.numbers.merchant_range, frozenset())
    return dict.fromkeys((*convoys, *s.facts.near[hex]))


def _attacks(s: State, player: str) -> Iterator[Engage]:
    """Attacks by all units of a player that can reach a hex, and by each of their hexes."""
    force: dict[str, list[tuple[str, str, str, int]]] = {}
    for nation in nations(s, player):
        for hex, unit, count in s.units_of(nation):
            if unit.type not in FLEET or not strong(unit) or escorting(s, hex, unit):
                continue
            for at in _in_reach(s, hex, unit):
                if at in s.at and any(
                    each.type in NAVAL and side(s, each.nation) != side(s, nation)
                    for each in s.stack(at)
                ):
                    force.setdefault(at, []).append((hex, nation, unit.type, count))
    for target, parts in sorted(force.items()):
        merged: dict[tuple[str, str, str], int] = {}
        for hex, nation, type, count in parts:
            merged[hex, nation, type] = merged.get((hex, nation, type), 0) + count
        every = tuple(sorted((*part, count) for part, count in merged.items()))
        yield Engage(target, every)
        near = tuple(part for part in every if s.facts.distance(part[0], target) <= 1)
        if near and near != every:
            yield Engage(target, near)
        for part in every if len(every) > 1 else ():
            yield Engage(target, (part,))


def _snorts(s: State, player: str) -> Iterator[Snort]:
    if "germany" in nations(s, player) and s.turn >= s.facts.numbers.snort_from:
        for hex, unit, count in s.units_of("germany"):
            if unit.type == "ss":
                yield Snort(hex, count)


# --- the phase ------------------------------------------------------------------------------------


def check_done(s: State, player: str) -> None:
    """A phase does not end while a unit that has to be in port still can reach one, or ships that
    Enemy land or ASW units are with can still leave.

    Rules: 12.0b, 12.14a, 12.14b, 12.14c, 12.22, 12.62, 16.11, 16.12a
    """
    owed = _first_owed(s, player)
    if owed is not None:
        (hex, unit, _), rule, _ = owed
        name = s.facts.name
        who = f"{name(unit.type)} units of {name(unit.nation)}"
        if rule == "12.62":
            raise refuse(f"Enemies are in {name(hex)}: {who} have to leave it first.", rule)
        raise refuse(f"{who} in {name(hex)} have to go to a port first.", rule)


Owed = tuple[Part, str, tuple[str, ...]]
"""Units that have to go elsewhere, with the rule and a way."""


def _first_owed(s: State, player: str) -> Owed | None:
    key = f"owed by {player}"
    if key not in s.memo:
        s.memo[key] = next(_owed(s, player), None)
    found: Owed | None = s.memo[key]
    return found


def _owed(s: State, player: str) -> Iterator[Owed]:
    """The units of a player that have to go elsewhere before the phase ends. In the last phase the
    stage ends too: then it has to be a supplied one, if they reach it.
    """
    for stage in (False, True) if number_of(s) == 3 else (False,):
        for part, rule in homeless(s, nations(s, player), stage=stage, able=True):
            path = way_home(s, part, stage=stage)
            if path:
                yield part, rule, path


def phase(g: Table[State]) -> Procedure[None]:
    """A Naval Movement and Combat Phase: the players of a side move and attack as they like; who is
    neither in port nor may stay at sea is eliminated at its end.

    Rules: 4.2b, 12.0a
    """
    s = g.state
    which = phase_side(s.phase)
    if s.sea is not None:
        yield from naval_combat.fight(g)
        yield from settle(g)
    yield from in_turn(g, which, _request, _act)
    finish(g, which)


def _request(s: State, player: str) -> Request | None:
    return NavalPhase(player) if fleets(s, player) else None


def _act(g: Table[State], player: str, decision: Any) -> Procedure[None]:
    match decision:
        case Sail():
            yield from _carry_out(g, decision)
        case Transfer():
            _transfer(g, decision)
        case Snort():
            snort(g.state, decision)
            g.emit("snort", power="germany", space=decision.hex, units={"ss": decision.number})
        case Engage():
            yield from naval_combat.begin(g, decision)


def _carry_out(g: Table[State], decision: Sail) -> Procedure[None]:
    """Ships go along their path. Each time they leave a hex in an Enemy zone they may be attacked.

    Rules: 12.0d, 13.0d
    """
    s = g.state
    path = decision.path
    nation = decision.nation
    group = pick(s, decision)
    kind = group[0][0].type
    standing: Standing = {}
    at = 0
    danger = watched(s, nation, path)
    for i in range(len(path) - 1 if danger else 0):
        if (
            path[i] in danger
            and any(unit.type != "ms" for unit, _ in group)
            and strikers(s, nation, path[i], kind)
        ):
            group = _go(s, path[at], path[i], i - at, group)
            at = i
            group, _ = yield from leave(g, path[i], group, standing)
            if not group:
                return
    group = _go(s, path[at], path[-1], len(path) - 1 - at, group)
    units: dict[str, int] = {}
    for unit, count in group:
        units[unit.type] = units.get(unit.type, 0) + count
    g.emit("sailed", power=nation, path=path, space=path[-1], units=units)


def _go(
    s: State, start: str, to: str, steps: int, group: list[tuple[Unit, int]]
) -> list[tuple[Unit, int]]:
    if not steps:
        return group
    moved = []
    for unit, count in group:
        gone = unit.moved(unspent(s, unit) - steps)
        s.sail(start, to, unit, gone, count)
        moved.append((gone, count))
    return moved


def _transfer(g: Table[State], decision: Transfer) -> None:
    """ASW units fly to another base, round neutral countries.

    Rules: 12.31b, 12.33
    """
    s = g.state
    far = s.facts.distance(decision.start, decision.to)
    while not flies(s, decision.nation, decision.start, decision.to, far):
        far += 1
    for unit, count in pick_asw(s, decision):
        gone = unit.moved(unspent(s, unit) - far)
        s.sail(decision.start, decision.to, unit, gone, count)
    g.emit(
        "transferred",
        power=decision.nation,
        path=(decision.start, decision.to),
        space=decision.to,
        units={"asw": decision.number},
    )


def finish(g: Table[State], which: str) -> None:
    """The phase ends: units of the side that have to be in port and are not are eliminated, as are
    ships that could not leave Enemy land or ASW units. Those without supply go after the first
    phase and at the end of the stage (`naval_supply`).

    Rules: 12.14b, 12.14c, 12.62, 16.11
    """
    s = g.state
    sides = relations(s).side
    mine = tuple(sorted([nation for nation in s.presence if sides[nation] == which]))
    doomed = list(homeless(s, mine, stage=False))
    for part, _ in doomed:
        s.destroy(part.hex, part.unit, part.count)
        g.emit(
            "stranded",
            power=part.unit.nation,
            space=part.hex,
            losses=forces([part]),
        )
    rested: dict[str, dict[Unit, Unit]] = {}
    for nation in s.presence:
        for hex, unit, _ in fleet(s, nation).units:
            if worn(unit):
                # A new US ship keeps its leave to move for the first phase of its own side.
                new = unit.duty == "new" and sides[nation] != which
                rested.setdefault(hex, {})[unit] = unit.rested("new" if new else "")
    for hex, fresh in rested.items():
        s.renew(hex, fresh)
