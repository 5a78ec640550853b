"""Moving to sea areas (4.2) and blocking (4.3)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import ClassVar

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.bases import cannot_base, settle_in
from sandtable.games.blitz.rules.blitz import blitz_of, check_blitz, free_left, use_blitz
from sandtable.games.blitz.rules.convoys import convoy_stands
from sandtable.games.blitz.rules.counters import is_big
from sandtable.games.blitz.rules.forced_passage import force_passage
from sandtable.games.blitz.rules.leave import ask_leave, make_room
from sandtable.games.blitz.rules.movement import (
    air_reach,
    capacity,
    forceable,
    may_carry,
    next_seas,
    port_seas,
)
from sandtable.games.blitz.rules.rounds import convoy_owner
from sandtable.games.blitz.rules.sides import enemies, introduced, is_neutral
from sandtable.games.blitz.rules.stacking import confined
from sandtable.games.blitz.rules.steps import (
    DeclareWar,
    Done,
    StepRequest,
    Wait,
    each_in_turn,
    skip_idle,
    some_units,
)
from sandtable.games.blitz.rules.supply import in_supply
from sandtable.kernel.decisions import Decision, Request, RollLine
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

_NEUTRALS_SAIL = ("TRS", "LL")
"""The naval units of a neutral major power that may move to sea."""


class Sail(Decision, frozen=True, tag="sail"):
    """Move a naval unit from its port through the seas of `path`, which may end in a land area.

    `port` is the port entered there; `load` the land units that a TRS takes along from the start.
    """

    unit: str
    path: tuple[str, ...]
    port: str = ""
    load: tuple[str, ...] = ()


class Fly(Decision, frozen=True, tag="fly"):
    """Move an air unit to a sea area."""

    unit: str
    to: str


class Embark(Decision, frozen=True, tag="embark"):
    """Take land units aboard the transport that has just ended its move; none are fine."""

    units: tuple[str, ...] = ()


class MoveToSea(StepRequest, frozen=True, tag="move_to_sea"):
    """Step B: move air and naval units out to sea, one at a time."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Sail, Fly, Done, Wait, DeclareWar)

    def refuse(self, state: State, decision: Sail | Fly) -> None:
        unit = state.units.get(decision.unit)
        if unit is None or unit.power != self.power:
            raise IllegalDecision("You have no such unit.", "2.1e")
        check_mover(state, decision.unit)
        if isinstance(decision, Sail):
            check_sail(state, decision)
        else:
            check_flight(state, decision)

    def actions(self, state: State) -> Iterator[Decision]:
        for id, unit in state.of(self.power):
            if not _able(state, id):
                continue
            if state.domain(id) == "air":
                if in_supply(state, id):
                    for area in air_reach(state, unit.at, state.facts.kinds[id].move):
                        if area in state.facts.seas and area in state.in_play:
                            yield Fly(id, area)
                continue
            for load in _loads(state, id):
                if passes(check_blitz, state, id, "B", load):
                    yield from _voyages(state, id, load)

    def suggest(self, state: State, rng: random.Random) -> Iterator[Decision]:
        for id in some_units(state, self.power, rng):
            if not _able(state, id):
                continue
            if state.domain(id) == "air":
                reached = air_reach(state, state.units[id].at, state.facts.kinds[id].move)
                seas = [area for area in reached if area in state.facts.seas]
                if seas:
                    yield Fly(id, seas[int(rng.random() * len(seas))])
            else:
                yield _random_voyage(state, id, rng)


# --- what is allowed ------------------------------------------------------------------------------


def check_mover(s: State, id: str) -> None:
    """Raise IllegalDecision if a unit may not move to sea, wherever that is.

    Rules: 4.2b, 4.2c, 4.2g, 4.2h, B.2a, 9.8b
    """
    unit = s.units[id]
    if s.domain(id) == "land":
        raise IllegalDecision("Land units go to sea only aboard a transport.", "4.2.trs-a")
    if "sailed" in unit.done or "repelled" in unit.done:
        raise IllegalDecision("It has moved to sea in this phase already.", "4.2b")
    if unit.at in s.facts.seas:
        raise IllegalDecision("It is at sea, and would have to return to base first.", "4.2c")
    if s.type(id) not in _NEUTRALS_SAIL and is_neutral(s, unit.power):
        raise IllegalDecision(
            "Of a neutral power only transports and lend lease units move to sea.", "4.2g"
        )


def check_flight(s: State, move: Fly) -> None:
    """Raise IllegalDecision if an air unit may not fly to a sea area.

    Rules: 4.2a, 4.2e, 1.7g, C.2a, D.3d
    """
    id = move.unit
    if s.domain(id) != "air":
        raise IllegalDecision("It is not an air unit.", "4.2e")
    if not introduced(s, "C"):
        raise IllegalDecision("In this scenario air units do not move to sea.", "S.c")
    if move.to not in s.facts.seas or move.to not in s.in_play:
        raise IllegalDecision("It moves to a sea area in play.", "4.2c")
    check_blitz(s, id, "B")
    if move.to not in air_reach(s, s.units[id].at, s.facts.kinds[id].move):
        raise IllegalDecision(f"{s.facts.names[move.to]} is out of its range.", "4.2e")
    if not in_supply(s, id):
        raise IllegalDecision("It is out of supply.", "1.7g")


def check_sail(s: State, move: Sail) -> None:
    """Raise IllegalDecision if a naval unit may not make a voyage.

    Rules: 4.2a, 4.2c, 4.2d, 4.2f, 1.3.port-a, 1.3.port-c, 1.3.port-d, 1.7f, B.2b, D.3c, 9.8a, 9.8c
    """
    id, facts = move.unit, s.facts
    unit = s.units[id]
    if facts.domain[id] != "naval":
        raise IllegalDecision("It is not a naval unit.", "4.2d")
    if not move.path or move.path[0] not in port_seas(s, id):
        raise IllegalDecision("It first enters a sea area that its port touches.", "4.2d")
    seas = move.path
    if move.path[-1] in facts.lands:
        seas = move.path[:-1]
        if move.path[-1] == unit.at:
            raise IllegalDecision("It cannot change ports within its land area.", "1.3.port-d")
    elif move.port:
        raise IllegalDecision("A voyage that ends at sea ends in no port.", "4.2d")
    if len(move.path) > facts.kinds[id].move:
        raise IllegalDecision(f"Its movement is {facts.kinds[id].move}.", "4.2d")
    if len(move.path) > 1 and not in_supply(s, id):
        raise IllegalDecision("It is out of supply, so its movement is 1.", "1.7f")
    for here, there in pairwise(seas):
        if there in next_seas(s, id, here):
            continue
        closed = facts.passages.get((here, there))
        if closed is None or there not in s.in_play:
            raise IllegalDecision("There is no way by sea from each area to the next.", "4.2d")
        if not forceable(s, closed):
            rule = "9.8c" if s.options["forced_passage"] else "4.2f"
            raise IllegalDecision(
                f"The passage from {facts.names[here]} to {facts.names[there]} is closed to it.",
                rule,
            )
    check_load(s, id, move.load, move.path[-1])
    check_blitz(s, id, "B", move.load)
    if seas != move.path:
        area = move.path[-1]
        if (area, move.port) not in facts.havens[seas[-1]]:
            raise IllegalDecision("The port has to touch the last sea.", "1.3.port-a")
        refusal = cannot_base(s, id, area, move.port, move.load)
        if refusal is not None:
            raise IllegalDecision(refusal.reason, refusal.rule)


def check_load(s: State, id: str, load: Sequence[str], end: str) -> None:
    """Raise IllegalDecision if a transport cannot take land units along from where it starts.

    `end` is the area where the voyage is to end.

    Rules: 4.2.trs-a, 4.2.trs-c, 4.2.trs-d, 1.7f, B.2c, B.2d
    """
    if not load:
        return
    if not in_supply(s, id):
        raise IllegalDecision("A transport out of supply carries nothing.", "4.2.trs-c")
    _check_cargo(s, id, load, (s.units[id].at,), end, capacity(s, id))


def _check_cargo(
    s: State, id: str, load: Sequence[str], areas: Sequence[str], end: str, room: int
) -> None:
    """Raise IllegalDecision if a transport cannot take units from these land areas to `end`."""
    if len(set(load)) < len(load):
        raise IllegalDecision("A unit is named twice.", "4.2.trs-a")
    for each in load:
        if each not in s.units or s.units[each].at not in areas:
            raise IllegalDecision("A unit to be carried is not there.", "4.2.trs-b")
        if not may_carry(s, id, each):
            raise IllegalDecision(
                f"{s.facts.names[id]} does not carry {s.facts.names[each]}.", "4.2.trs-d"
            )
        if "carried" in s.units[each].done:
            raise IllegalDecision(f"{s.facts.names[each]} was carried already.", "4.2b")
        if (refusal := confined(s, each, end)) is not None:
            raise IllegalDecision(refusal.reason, refusal.rule)
    size = sum(s.units[each].size for each in load)
    if size > room:
        raise IllegalDecision(f"There is room for Size {room}, and this is {size}.", "4.2.trs-a")


def _able(s: State, id: str) -> bool:
    """Whether a unit may move to sea, as far as can be told without looking where to."""
    unit = s.units[id]
    domain = s.facts.domain[id]
    if domain == "land" or unit.at in s.facts.seas or unit.aboard:
        return False
    if "sailed" in unit.done or "repelled" in unit.done:
        return False
    if s.type(id) not in _NEUTRALS_SAIL and is_neutral(s, unit.power):
        return False
    if domain == "air" and (s.facts.kinds[id].move < 2 or not introduced(s, "C")):
        return False
    kind = blitz_of(s, unit.power)
    if kind == "free":
        return unit.size <= free_left(s, unit.power)
    return kind != "air" or domain == "air"


# --- the voyages there are ------------------------------------------------------------------------


def _loads(s: State, id: str) -> Iterator[tuple[str, ...]]:
    """What a unit can take along: nothing, single units, and what fits of two or more."""
    yield ()
    room = capacity(s, id)
    if room and in_supply(s, id):
        there = [each for each in s.units_at(s.units[id].at) if embarks(s, id, each)]
        yield from _fitting(s, there, room)


def _fitting(s: State, units: Sequence[str], room: int) -> Iterator[tuple[str, ...]]:
    """The sets of units, but the empty one, whose Sizes fit."""
    for number in range(1, room + 1):
        for some in combinations(units, number):
            if sum(s.units[each].size for each in some) <= room:
                yield some


def embarks(s: State, transport: str, id: str) -> bool:
    """Whether a transport may take a unit aboard, if it has room."""
    return may_carry(s, transport, id) and "carried" not in s.units[id].done


def _voyages(s: State, id: str, load: tuple[str, ...]) -> Iterator[Sail]:
    """Every voyage of a ship with a load that enters no sea twice."""
    limit = s.facts.kinds[id].move if in_supply(s, id) else 1
    start = s.units[id].at
    ways: list[tuple[str, ...]] = [(sea,) for sea in port_seas(s, id)] if limit else []
    for way in ways:
        if all(confined(s, each, way[-1]) is None for each in load):
            yield Sail(id, way, load=load)
        if len(way) == limit:
            continue
        for area, port in s.facts.havens[way[-1]]:
            if area == start or cannot_base(s, id, area, port, load) is not None:
                continue
            if all(confined(s, each, area) is None for each in load):
                yield Sail(id, (*way, area), port, load)
        # The list grows while it is gone through.
        ways += [(*way, sea) for sea in next_seas(s, id, way[-1], force=True) if sea not in way]


def _random_voyage(s: State, id: str, rng: random.Random) -> Sail:
    """A voyage at random, perhaps with a load, that may well be legal."""
    limit = s.facts.kinds[id].move
    near = port_seas(s, id)
    way: tuple[str, ...] = ()
    port = ""
    load: tuple[str, ...] = ()
    while near and len(way) < limit:
        sea = near[int(rng.random() * len(near))]
        way = (*way, sea)
        luck = rng.random()
        if luck < 0.4:
            break
        if luck < 0.45 and len(way) < limit:
            landing = s.facts.havens[sea]
            if landing:
                area, port = landing[int(rng.random() * len(landing))]
                way = (*way, area)
                break
        near = tuple(other for other in next_seas(s, id, sea, force=True) if other not in way)
    room = capacity(s, id)
    if room and rng.random() < 0.6:
        load = _random_cargo(s, id, s.units_at(s.units[id].at), room, rng)
    return Sail(id, way, port, load)


def _random_cargo(
    s: State, id: str, units: Sequence[str], room: int, rng: random.Random
) -> tuple[str, ...]:
    taken: list[str] = []
    for _ in range(room):
        if not units:
            break
        each = units[int(rng.random() * len(units))]
        size = s.units[each].size
        if size <= room and each not in taken and embarks(s, id, each):
            taken.append(each)
            room -= size
    return tuple(taken)


# --- step B ---------------------------------------------------------------------------------------


def move_to_sea(g: Table[State]) -> Procedure[None]:
    """Step B: the powers move units to sea, each in full before the next.

    Rules: 4.2a, 1.3.stack-a, B.2b
    """
    yield from each_in_turn(g, lambda s, power: MoveToSea(power), _act, _prepare)


def _prepare(g: Table[State]) -> None:
    """Leave out the powers without a unit that could go to sea."""
    s = g.state
    skip_idle(s, lambda power: any(_able(s, id) for id in s.owned.get(power, ())))


def _act(g: Table[State], power: str, decision: Sail | Fly) -> Procedure[None]:
    if isinstance(decision, Sail):
        yield from _sail(g, decision)
    else:
        _fly(g, decision)


def _fly(g: Table[State], move: Fly) -> None:
    s = g.state
    origin = s.units[move.unit].at
    use_blitz(s, move.unit, "B")
    _shift(s, move.unit, move.to)
    s.mark(move.unit, "sailed")
    g.emit("flew", unit=move.unit, path=(origin, move.to))


def _shift(s: State, id: str, sea: str) -> None:
    """Bring a unit into a sea area, with whatever is aboard."""
    cargo = s.cargo(id)
    s.change(id, at=sea, port="")
    for each in cargo:
        s.change(each, at=sea)


def _sail(g: Table[State], move: Sail) -> Procedure[None]:
    """Make a voyage until it ends, is blocked, or is thrown back by a passage it has to force.

    Rules: 4.2d, 4.2.trs-b, 4.2.trs-c, 4.3a, 4.3c, 9.8a, 9.8b
    """
    s, id = g.state, move.unit
    start = s.units[id]
    embarks = s.type(id) == "TRS" and in_supply(s, id)
    end = move.path[-1]
    if end in s.facts.lands and not (yield from ask_leave(g, id, end)):
        return
    use_blitz(s, id, "B", move.load)
    for each in move.load:
        s.change(each, aboard=id)
        s.mark(each, "carried")
    here = ""
    entered: list[str] = []
    for area in move.path:
        if here and (yield from _blocked(g, id, here)):
            break
        if area in s.facts.lands:
            settle_in(s, id, area, move.port)
        else:
            if here and not (yield from force_passage(g, id, here, area)):
                if id in s.units:
                    settle_in(s, id, start.at, start.port)
                    s.mark(id, "repelled")
                    g.emit("repelled", unit=id, space=start.at, port=start.port)
                return
            _shift(s, id, area)
        here = area
        entered.append(area)
    s.mark(id, "sailed")
    g.emit(
        "sailed",
        unit=id,
        path=(start.at, *entered),
        port=s.units[id].port,
        cargo=s.cargo(id) if here in s.facts.seas else move.load,
    )
    if here in s.facts.lands:
        yield from make_room(g, id, here)
    elif embarks:
        yield from _embark(g, id)


# --- blocking -------------------------------------------------------------------------------------


def blockade_value(s: State, id: str, sea: str) -> int:
    """The sum of the Blockade Values against a naval unit that would leave a sea area.

    Rules: 4.3a, 4.3b, C.3a, C.3b, data.blockade-table
    """
    if s.type(id) == "SUB" or not introduced(s, "C"):
        return 0
    table = s.facts.blockade
    total = 0
    for other in s.units_at(sea):
        if s.domain(other) != "land" and not s.units[other].aboard and enemies(s, id, other):
            kind = s.type(other)
            if s.domain(other) == "air":
                kind = "air_naval" if s.facts.kinds[other].bombing == "naval" else "air_other"
            total += table[kind][is_big(s.units[other].size)]
    if (
        sea in s.facts.convoys
        and convoy_stands(s, sea)
        and (s.units[id].power, convoy_owner(s, sea)) in s.wars
    ):
        total += table["convoy"][0]
    return total


def _blocked(g: Table[State], id: str, sea: str) -> Procedure[bool]:
    """Whether the enemy in a sea area keeps a naval unit from leaving it.

    Rules: 4.3a, 4.3c
    """
    value = blockade_value(g.state, id, sea)
    if value == 0:
        return False
    lines = (RollLine(g.state.units[id].power, id, 1, value),)
    (die,) = yield from g.roll("blockade", lines)
    g.emit(
        "blockaded", unit=id, space=sea, value=value, lines=lines, dice=(die,), passed=die > value
    )
    return die <= value


# --- embarking ------------------------------------------------------------------------------------


class EmbarkUnits(Request, frozen=True, tag="embark_units"):
    """A transport has ended its move at sea: which land units on the coast go aboard; or pass."""

    transport: str
    room: int

    answers: ClassVar[tuple[type[Decision], ...]] = (Embark,)

    def check(self, state: State, decision: Embark) -> None:
        if not decision.units:
            raise IllegalDecision("Name the units, or pass.", "4.2.trs-b")
        sea = state.units[self.transport].at
        coast = state.facts.coast[sea]
        _check_cargo(state, self.transport, decision.units, coast, sea, self.room)
        check_blitz(state, decision.units[0], "B", decision.units[1:])

    def decisions(self, state: State) -> Iterator[Decision]:
        units = on_the_coast(state, self.transport)
        for some in _fitting(state, units, self.room):
            if passes(check_blitz, state, some[0], "B", some[1:]):
                yield Embark(some)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        units = on_the_coast(state, self.transport)
        yield Embark(_random_cargo(state, self.transport, units, self.room, rng))
        yield from self.decisions(state)


def on_the_coast(s: State, id: str) -> list[str]:
    """The land units that a transport at sea could take aboard."""
    return [
        each
        for area in s.facts.coast[s.units[id].at]
        for each in s.units_at(area)
        if embarks(s, id, each) and confined(s, each, s.units[id].at) is None
    ]


def _embark(g: Table[State], id: str) -> Procedure[None]:
    """Let a transport that has ended its move at sea take land units aboard.

    Rules: 4.2.trs-b, B.2d
    """
    s = g.state
    room = capacity(s, id) - sum(s.units[each].size for each in s.cargo(id))
    if not any(
        s.units[each].size <= room and passes(check_blitz, s, each, "B", ())
        for each in on_the_coast(s, id)
    ):
        return
    answers = yield from g.offer([EmbarkUnits(s.units[id].power, id, room)])
    for embark in answers.values():
        use_blitz(s, embark.units[0], "B", embark.units[1:])
        for each in embark.units:
            s.change(each, at=s.units[id].at, aboard=id)
            s.mark(each, "carried")
        g.emit("embarked", unit=id, cargo=embark.units, space=s.units[id].at)
