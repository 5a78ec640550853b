"""Rebasing air and naval units (5.1)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

import msgspec

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.bases import Base
from sandtable.games.blitz.rules.blitz import blitz_of, check_blitz, use_blitz, used_up
from sandtable.games.blitz.rules.factors import printed, strategic_factors
from sandtable.games.blitz.rules.leave import ask_leave, make_room
from sandtable.games.blitz.rules.movement import (
    air_range,
    air_reach,
    capacity,
    may_carry,
    next_seas,
)
from sandtable.games.blitz.rules.sides import (
    areas_of,
    enemies,
    friendly,
    home_of,
    introduced,
    is_neutral,
)
from sandtable.games.blitz.rules.stacking import confined, no_room, open_to, refused
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
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

_DOMAINS = {"free": ("air", "land"), "air": ("air",)}
"""What may rebase in a Blitz, if not everything (2.2)."""


class Stop(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A call on the way: what is put down there, and what is taken on."""

    at: str
    port: str = ""
    land: tuple[str, ...] = ()
    embark: tuple[str, ...] = ()


class Rebase(Decision, frozen=True, tag="rebase"):
    """Rebase a unit to a land area, a naval unit into one of its ports.

    A TRS takes on land units in its starting area (`load`) and at its stops, and puts down
    whatever is left at the end; so does an air unit with A-Bombs.
    """

    unit: str
    to: str
    port: str = ""
    load: tuple[str, ...] = ()
    stops: tuple[Stop, ...] = ()

    @property
    def calls(self) -> tuple[Base, ...]:
        """Where it calls, the end included."""
        return (*((stop.at, stop.port) for stop in self.stops), (self.to, self.port))

    @property
    def cargo(self) -> tuple[str, ...]:
        """Everything that is carried somewhere."""
        taken = (each for stop in self.stops for each in stop.embark)
        return tuple(dict.fromkeys((*self.load, *taken)))


# --- how far --------------------------------------------------------------------------------------


def allowance(s: State, id: str) -> int:
    """The movement that a unit has for a rebase.

    Rules: 5.1.nav-b, 5.1.air-a, 5.1.air-b, A.3a, B.3a, B.3b
    """
    own = s.facts.kinds[id].move if s.domain(id) == "naval" else air_range(s, id)
    return own * s.facts.numbers.rebase_factor


def barred_seas(s: State, id: str) -> frozenset[str]:
    """The seas that a rebasing ship cannot enter because of enemies with Air or Naval Factors.

    Rules: 5.1.nav-c
    """
    key = ("barred_seas", s.units[id].power, s.facts.kinds[id].home)
    found: frozenset[str] | None = s.cached(key)
    if found is None:
        side, sides = s.facts.side[s.units[id].power], s.facts.side
        found = frozenset(
            area
            for area, units in s.at.items()
            if area in s.facts.seas
            and any(
                sides.get(s.units[other].power) != side
                and enemies(s, id, other)
                and (printed(s, other, "air") or printed(s, other, "naval"))
                for other in units
            )
        )
        s.keep(key, found)
    return found


def harbours(s: State, id: str, origin: Base) -> dict[Base, int]:
    """The friendly ports that a ship in the port `origin` can rebase to, with the cost.

    Each sea and each port entered costs 1; ports may be passed through where no ally's leave is
    needed. The origin is among them if there is a way out and back.

    Rules: 5.1.nav-a, 5.1.nav-b, 5.1.nav-c, B.3b, D.1c, errata.norway-arctic
    """
    barred = barred_seas(s, id)
    unit = s.units[id]
    safe = open_to(s, unit.power, s.facts.kinds[id].home)
    key = ("harbours", unit.power, safe, s.type(id) == "SUB", allowance(s, id), origin, barred)
    found: dict[Base, int] | None = s.cached(key)
    if found is not None:
        return found
    found = {}
    power = unit.power
    seen = set(barred)
    seas: list[str] = []
    ports: list[Base] = [origin]
    for cost in range(1, allowance(s, id) + 1):
        near = [sea for area, port in ports for sea in s.facts.ports[area][port].seas]
        near += [other for sea in seas for other in next_seas(s, id, sea)]
        ports = []
        for sea in seas:
            for base in s.facts.havens[sea]:
                if base in found:
                    continue
                area = base[0]
                if area in safe:
                    found[base] = cost
                    ports.append(base)
                elif friendly(s, area, power):
                    found[base] = cost
        seas = [sea for sea in dict.fromkeys(near) if sea not in seen and sea in s.in_play]
        seen.update(seas)
    kept: dict[Base, int] = s.keep(key, found, lasting=True)
    return kept


def leg(s: State, id: str, origin: Base, to: Base) -> int | None:
    """What it costs a unit to go from one base to another; None if it is too far for any rebase.

    Rules: 5.1.air-c, 5.1.air-d, A.3b, A.3c, A.3d
    """
    if s.domain(id) == "naval":
        return harbours(s, id, origin).get(to)
    return air_reach(s, origin[0], allowance(s, id)).get(to[0]) if not to[1] else None


# --- what is allowed ------------------------------------------------------------------------------


def may_rebase(s: State, id: str) -> IllegalDecision | None:
    """Why a unit may not rebase at all now; None if it may. Supply does not matter.

    Rules: 5.1.nav-a, 5.1.air-a, 5.1.air-b, 5.1.neutral-a, 1.7f, D.3c
    """
    unit, domain = s.units[id], s.domain(id)
    name, rule = s.facts.names[id], "5.1.nav-a" if domain == "naval" else "5.1.air-a"
    if domain == "land":
        if s.type(id) != "PARA":
            return IllegalDecision("Of land units only a PARA rebases.", "5.1.air-b")
        if not introduced(s, "B"):
            return IllegalDecision("In this scenario only air units rebase.", "S.c")
        rule = "5.1.air-b"
        if not {"carried", "landed", "moved"}.isdisjoint(unit.done):
            return IllegalDecision(f"{name} has moved already.", rule)
    if unit.at not in s.facts.lands:
        return IllegalDecision(f"{name} is at sea.", rule)
    if "sailed" in unit.done:
        return IllegalDecision(f"{name} moved to sea in this phase.", rule)
    if "rebased" in unit.done:
        return IllegalDecision(f"{name} has rebased already.", rule)
    if not allowance(s, id) or unit.aboard:
        return IllegalDecision(f"{name} does not move on its own.", rule)
    if is_neutral(s, unit.power) and unit.at not in areas_of(s, home_of(s, id)):
        return IllegalDecision(
            "A neutral power's units rebase only from and to their home country.", "5.1.neutral-a"
        )
    return None


def check_rebase(s: State, power: str, rebase: Rebase) -> None:
    """Raise IllegalDecision if a power may not rebase a unit like this.

    Rules: 5.1.nav-a, 5.1.nav-b, 5.1.nav-c, 5.1.air-a, 5.1.air-b, 5.1.neutral-a, A.3c, B.3b
    """
    id = rebase.unit
    unit = s.units.get(id)
    if unit is None or unit.power != power:
        raise IllegalDecision("You have no such unit.")
    if (bar := may_rebase(s, id)) is not None:
        raise IllegalDecision(bar.reason, bar.rule)
    rule = "5.1.nav-b" if s.domain(id) == "naval" else "5.1.air-a"
    here, left = (unit.at, unit.port), allowance(s, id)
    if not rebase.stops and (rebase.to, rebase.port) == here:
        raise IllegalDecision("It is there already.", rule)
    for call in rebase.calls:
        area = call[0]
        if area not in s.facts.lands:
            raise IllegalDecision("A rebase ends in a land area, and calls at land areas.", rule)
        if (refusal := refused(s, id, area)) is not None:
            raise IllegalDecision(*refusal)
        cost = leg(s, id, here, call)
        if cost is None or cost > left:
            raise IllegalDecision(
                f"{s.facts.names[id]} cannot get to {s.facts.names[area]} with the {left} movement "
                "it has.",
                rule,
            )
        here, left = call, left - cost
    if is_neutral(s, power) and rebase.to not in areas_of(s, home_of(s, id)):
        raise IllegalDecision(
            "A neutral power's units rebase only from and to their home country.", "5.1.neutral-a"
        )
    full = no_room(s, id, rebase.to, rebase.port)
    if full is None and s.domain(id) == "land":
        full = confined(s, id, rebase.to)
    if full is not None:
        raise IllegalDecision(*full)
    if rebase.load or rebase.stops:
        _check_cargo(s, rebase)
    check_blitz(s, id, "D", rebase.cargo)


def _check_cargo(s: State, rebase: Rebase) -> None:
    """Raise IllegalDecision if a unit cannot carry what it is to carry, there and that far.

    Rules: 5.1.nav-d, B.3c, 1.7g, 4.2.trs-a, 4.2.trs-c, 4.2.trs-d, 7.8.abomb-f
    """
    id, trs = rebase.unit, s.type(rebase.unit) == "TRS"
    bomber = s.domain(id) == "air" and strategic_factors(s, id) >= (
        s.facts.numbers.bomb_carrier_strategic
    )
    if not trs and not bomber:
        raise IllegalDecision("Only a transport takes on units and calls on the way.", "5.1.nav-d")
    if trs and rebase.cargo and not in_supply(s, id):
        raise IllegalDecision("Out of supply, a transport rebases empty.", "5.1.nav-d")
    where: dict[str, str] = {}
    """Of everything carried: the area where it is now, or nothing while aboard."""
    calls = [Stop(s.units[id].at, embark=rebase.load), *rebase.stops]
    for call in calls:
        for each in call.land:
            if where.get(each) != "":
                raise IllegalDecision("Only what is aboard can be put down.", "5.1.nav-d")
            where[each] = call.at
        for each in call.embark:
            if each not in s.units or where.get(each, s.units[each].at) != call.at:
                raise IllegalDecision(
                    f"There is no such unit in {s.facts.names[call.at]} to be taken on.",
                    "5.1.nav-d",
                )
            _check_passenger(s, id, each)
            where[each] = ""
        aboard = sum(s.units[each].size for each, at in where.items() if not at)
        if trs and aboard > capacity(s, id):
            raise IllegalDecision(
                f"{s.facts.names[id]} carries Size {capacity(s, id)}, not {aboard}.", "4.2.trs-a"
            )
        _check_ashore(s, call.at, where)
    for each, at in where.items():
        where[each] = at or rebase.to
    _check_ashore(s, rebase.to, where)


def _check_passenger(s: State, id: str, passenger: str) -> None:
    """Raise IllegalDecision if a unit may not carry another one."""
    if s.type(id) == "TRS":
        if not may_carry(s, id, passenger):
            raise IllegalDecision(
                f"{s.facts.names[id]} may not carry {s.facts.names[passenger]}.", "4.2.trs-d"
            )
        return
    bomb = s.units[passenger]
    if s.type(passenger) != "ABOMB" or bomb.power != s.units[id].power or bomb.aboard:
        raise IllegalDecision("An air unit carries its power's A-Bombs only.", "7.8.abomb-f")


def _check_ashore(s: State, area: str, where: dict[str, str]) -> None:
    """Raise IllegalDecision if units that were carried cannot stay in a land area together.

    Rules: 1.3.island-a, 5.2.neutral-a
    """
    put = [each for each, at in where.items() if at == area and s.domain(each) == "land"]
    for each in put:
        refusal = refused(s, each, area) or confined(s, each, area)
        if refusal is not None:
            raise IllegalDecision(*refusal)
    if put and s.facts.lands[area].island:
        there = [
            each
            for each in s.units_at(area)
            if s.domain(each) == "land" and where.get(each, area) == area and each not in put
        ]
        size = sum(s.units[each].size for each in (*put, *there))
        if size > s.facts.numbers.island_size:
            raise IllegalDecision(
                f"The island {s.facts.names[area]} has no room for Size {size}.", "1.3.island-a"
            )


# --- step D ---------------------------------------------------------------------------------------


def _able(s: State, power: str) -> Iterator[str]:
    """The units of a power that may rebase in this step."""
    domains = _DOMAINS.get(blitz_of(s, power), ("air", "land", "naval"))
    kinds = s.facts.domain
    for id in s.owned.get(power, ()):
        if kinds[id] in domains and _ready(s, id) and not used_up(s, id):
            yield id


def _ready(s: State, id: str) -> bool:
    """Whether `may_rebase` lets a unit rebase, the plain cases first."""
    unit = s.units[id]
    if unit.at not in s.control or "rebased" in unit.done or "sailed" in unit.done:
        return False
    if s.facts.domain[id] == "land" and s.type(id) != "PARA":
        return False
    return may_rebase(s, id) is None


class RebaseUnits(StepRequest, frozen=True, tag="rebase_units"):
    """Step D: rebase air and naval units."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Rebase, Done, Wait, DeclareWar)

    def refuse(self, state: State, decision: Rebase) -> None:
        check_rebase(state, self.power, decision)

    def actions(self, state: State) -> Iterator[Decision]:
        for id in _able(state, self.power):
            for decision in _ways(state, id):
                if passes(check_rebase, state, self.power, decision):
                    yield decision

    def suggest(self, state: State, rng: random.Random) -> Iterator[Decision]:
        for id in some_units(state, self.power, rng):
            if not _ready(state, id):
                continue
            goals = bases_in_reach(state, id)
            if goals:
                area, port = goals[int(rng.random() * len(goals))]
                waiting = passengers(state, id)
                if waiting and rng.random() < 0.7:
                    yield Rebase(id, area, port, (waiting[int(rng.random() * len(waiting))],))
                else:
                    yield Rebase(id, area, port)


def bases_in_reach(s: State, id: str) -> list[Base]:
    """The bases in reach of a unit, whether or not they can take it."""
    unit = s.units[id]
    if s.domain(id) == "naval":
        return list(harbours(s, id, (unit.at, unit.port)))
    key = ("air_goals", unit.power, unit.at, allowance(s, id))
    found: list[Base] | None = s.cached(key)
    if found is None:
        found = [
            (area, "")
            for area in air_reach(s, unit.at, allowance(s, id))
            if area in s.control and friendly(s, area, unit.power)
        ]
        s.keep(key, found, lasting=True)
    return found


def passengers(s: State, id: str, area: str = "") -> list[str]:
    """What a unit could take on in a land area, by default where it is."""
    there = s.units_at(area or s.units[id].at)
    if s.type(id) == "TRS":
        return [each for each in there if s.domain(each) == "land" and may_carry(s, id, each)]
    if s.domain(id) == "air":
        return [each for each in there if s.type(each) == "ABOMB" and not s.units[each].aboard]
    return []


def _ways(s: State, id: str) -> Iterator[Rebase]:
    """The rebases of a unit that may be legal: of those with passengers, one by one and all that
    fit; and those with a call to fetch one, or to bring one and come back."""
    unit, goals = s.units[id], bases_in_reach(s, id)
    own, waiting = (unit.at, unit.port), passengers(s, id)
    fitting: list[str] = []
    for each in waiting:
        if sum(s.units[other].size for other in (*fitting, each)) <= capacity(s, id):
            fitting.append(each)
    for area, port in goals:
        yield Rebase(id, area, port)
        for each in waiting:
            yield Rebase(id, area, port, (each,))
            if (area, port) != own:
                yield Rebase(id, *own, (each,), (Stop(area, port, land=(each,)),))
        if len(fitting) > 1:
            yield Rebase(id, area, port, tuple(fitting))
    for area, port in goals:
        if area != unit.at:
            for each in passengers(s, id, area):
                for to, harbour in goals:
                    yield Rebase(id, to, harbour, (), (Stop(area, port, embark=(each,)),))


def rebase_units(g: Table[State]) -> Procedure[None]:
    """Step D: the powers of the side rebase their units; who has none to rebase is not asked.

    Rules: 5.1.nav-a, 5.1.air-a
    """
    yield from each_in_turn(g, lambda s, power: RebaseUnits(power), _act, _prepare)


def _prepare(g: Table[State]) -> None:
    s = g.state
    skip_idle(s, lambda power: next(_able(s, power), "") != "")


def _act(g: Table[State], power: str, rebase: Rebase) -> Procedure[None]:
    """Carry out a rebase, unless an ally refuses to let the unit in.

    Rules: 5.1.nav-d, 1.3.stack-e, 1.3.stack-f, B.3c, B.4b
    """
    s, id = g.state, rebase.unit
    for area in dict.fromkeys(area for area, _ in rebase.calls):
        if not (yield from ask_leave(g, id, area)):
            return
    use_blitz(s, id, "D", rebase.cargo)
    s.mark(id, "rebased")
    for each in rebase.cargo:
        if s.domain(each) == "land":
            s.mark(each, "carried")
    for each in rebase.load:
        s.change(each, aboard=id)
    for stop in (*rebase.stops, Stop(rebase.to, rebase.port)):
        origin, carried = s.units[id].at, s.cargo(id)
        s.change(id, at=stop.at, port=stop.port)
        for each in carried:
            s.change(each, at=stop.at)
        g.emit("rebased", unit=id, path=(origin, stop.at), port=stop.port, cargo=carried)
        for each in stop.land:
            s.change(each, aboard="")
        for each in stop.embark:
            s.change(each, aboard=id)
        yield from make_room(g, id, stop.at)
    if s.domain(id) == "naval":
        for each in s.cargo(id):
            s.change(each, aboard="")
