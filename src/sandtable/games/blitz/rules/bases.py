"""Bases of air and naval units, and going back to them (4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, TypeAlias

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.counters import destroy
from sandtable.games.blitz.rules.forced_passage import force_passages
from sandtable.games.blitz.rules.leave import ask_leave, make_room
from sandtable.games.blitz.rules.movement import air_reach, sea_reach, sea_route
from sandtable.games.blitz.rules.sides import friendly, home_of, introduced
from sandtable.games.blitz.rules.stacking import Refusal, full, no_room, open_to, refused
from sandtable.games.blitz.rules.supply import network
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

Base: TypeAlias = tuple[str, str]
"""A land area and, for a naval unit, the port there."""


ANY_DISTANCE = 60


class Return(Decision, frozen=True, tag="return"):
    """Bring a unit home: to a land area, a naval unit into one of its ports."""

    unit: str
    to: str
    port: str = ""


class ChooseBase(Request, frozen=True, tag="choose_base"):
    """A unit has to return to base now: to which."""

    unit: str
    places: tuple[Base, ...]
    """Land areas with a port, or with none."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Return,)

    def check(self, state: State, decision: Return) -> None:
        if decision.unit != self.unit or (decision.to, decision.port) not in self.places:
            raise IllegalDecision("The unit cannot return to base there.", "4.1a")

    def decisions(self, state: State) -> Iterator[Decision]:
        for area, port in self.places:
            yield Return(self.unit, area, port)


def bases(s: State, id: str, origin: str, limit: int) -> list[Base]:
    """The bases that a unit can return to from an area with so much movement.

    Rules: 4.1e, 4.1f, 4.1g, 1.3.port-a, 1.3.port-b, B.1a, B.1b, C.1a
    """
    return list(_base_costs(s, id, origin, limit))


def _base_costs(s: State, id: str, origin: str, limit: int) -> dict[Base, int]:
    """The bases in reach with the movement that each takes, in a fixed order."""
    key = ("bases", id, origin, limit)
    found: dict[Base, int] | None = s.cached(key)
    if found is None:
        found = {}
        for base, cost in _find_bases(s, id, origin, limit):
            if cost < found.get(base, limit + 1):
                found[base] = cost
        s.keep(key, found)
    return found


def _find_bases(s: State, id: str, origin: str, limit: int) -> Iterator[tuple[Base, int]]:
    """The bases in reach with their costs, lazily; a port on two seas may come twice."""
    cargo, facts, power = s.cargo(id), s.facts, s.units[id].power
    # Where nothing has to be asked: own land without a limit to what fits.
    safe = () if cargo else open_to(s, power, facts.kinds[id].home)
    if s.domain(id) == "air":
        for area, cost in air_reach(s, origin, limit).items():
            if area not in s.control or not friendly(s, area, power):
                continue
            roomy = area in safe and not facts.lands[area].island
            if roomy or cannot_base(s, id, area, "", cargo) is None:
                yield (area, ""), cost
    elif limit > 0:
        for sea, cost in sea_reach(s, id, origin, limit - 1, force=True).items():
            for area, port in facts.havens[sea]:
                if not friendly(s, area, power):
                    continue
                roomy = area in safe and facts.ports[area][port].size == "big"
                if roomy or cannot_base(s, id, area, port, cargo) is None:
                    yield (area, port), cost + 1


def cannot_base(
    s: State, id: str, area: str, port: str, cargo: Iterable[str] = ()
) -> Refusal | None:
    """Why a base cannot take a unit and the land units that come with it; None if it can.

    Rules: 4.1g, 1.3.port-a, 1.3.port-b
    """
    refusal = refused(s, id, area) or no_room(s, id, area, port)
    if refusal is not None:
        return refusal
    landing = [each for each in cargo if s.domain(each) == "land"]
    for each in landing:
        if (refusal := refused(s, each, area)) is not None:
            return refusal
    return full(s, area, "land", sum(s.units[each].size for each in landing)) if landing else None


def choices(s: State, id: str, origin: str) -> list[Base]:
    """Where a unit may return to: a base in its range, else the closest one at any distance.

    Rules: 4.1a, 4.1c
    """
    near = bases(s, id, origin, s.facts.kinds[id].move)
    if near:
        return near
    costs = _base_costs(s, id, origin, ANY_DISTANCE)
    least = min(costs.values(), default=0)
    return [base for base, cost in costs.items() if cost == least]


def compelled(s: State, id: str) -> bool:
    """Whether a unit at sea has to return: no base is in range, or just one and without supply.

    Rules: 4.1a, 4.1b, 4.1d
    """
    unit = s.units[id]
    only = ""
    for (area, _), _ in _find_bases(s, id, unit.at, s.facts.kinds[id].move):
        if only not in ("", area):
            return False
        only = area
    if not only or not introduced(s, "D"):
        return not only
    return only not in network(s, unit.power, home_of(s, id))


def stranded(s: State, id: str) -> bool:
    """Whether a unit at sea has no base at all that it could return to.

    Rules: 4.1c
    """
    origin = s.units[id].at
    if _has_roomy_base(s, id, origin) and not s.cargo(id):
        return False
    return not any(
        True
        for limit in (s.facts.kinds[id].move, ANY_DISTANCE)
        for _ in _find_bases(s, id, origin, limit)
    )


def _has_roomy_base(s: State, id: str, origin: str) -> bool:
    """Whether a unit at sea has a base on its coast that takes whatever comes."""
    facts, power, home = s.facts, s.units[id].power, s.facts.kinds[id].home
    key = ("roomy", power, home, s.type(id), origin)
    found: bool | None = s.cached(key)
    if found is None:
        safe = open_to(s, power, home)
        if s.domain(id) == "air":
            near = facts.coast[origin]
            found = any(area in safe and not facts.lands[area].island for area in near)
        else:
            found = any(
                area in safe and facts.ports[area][port].size == "big"
                for area, port in facts.havens[origin]
            )
        s.keep(key, found, lasting=True)
    return found


def settle_in(s: State, id: str, area: str, port: str = "") -> None:
    """Put a unit into a land area; land units that it carried stand on land there."""
    cargo = s.cargo(id)
    s.change(id, at=area, port=port)
    for each in cargo:
        s.change(each, at=area, aboard="" if s.domain(each) == "land" else id)


def go_home(g: Table[State], id: str, origin: str, to: str, port: str) -> Procedure[bool]:
    """Bring a unit to a base that it may return to; whether it went.

    An ally may refuse to have it; then it does not. A passage that it has to force may repel it,
    so that it stays where it is, or sink it.

    Rules: 4.1e, 4.1f, 4.1g, 4.3b, C.3b, 9.8a, 9.8b
    """
    s = g.state
    if not (yield from ask_leave(g, id, to)):
        return False
    if s.domain(id) == "naval" and s.options["forced_passage"]:
        way = _way_home(s, id, origin, to, port)
        if not (yield from force_passages(g, id, (origin, *way))):
            return True
    settle_in(s, id, to, port)
    g.emit("returned", unit=id, port=port, path=(origin, to))
    yield from make_room(g, id, to)
    return True


def _way_home(s: State, id: str, origin: str, to: str, port: str) -> tuple[str, ...]:
    """The seas on the way to a port: as short as need be, and without force if that is enough."""
    limit = s.facts.kinds[id].move
    if (to, port) not in bases(s, id, origin, limit):
        limit = ANY_DISTANCE
    for force in (False, True):
        ways = [
            way
            for sea in s.facts.ports[to][port].seas
            if sea in s.in_play
            and (way := sea_route(s, id, origin, sea, limit - 1, force=force)) is not None
        ]
        if ways:
            return min(ways, key=len)
    return ()


def send_home(g: Table[State], id: str, origin: str, enemy: str = "") -> Procedure[None]:
    """A unit has to return to base now, from the area where it fought; its owner chooses where.

    Without a base in range it goes to the closest; without any it is destroyed, by the enemy who
    drove it away if there is one.

    Rules: 4.1a, 4.1c, 4.1g
    """
    s = g.state
    while True:
        open_ = choices(s, id, origin)
        if not open_:
            destroy(g, id, enemy)
            return
        area, port = open_[0]
        if len(open_) > 1:
            chosen: Return = yield from g.ask(ChooseBase(s.units[id].power, id, tuple(open_)))
            area, port = chosen.to, chosen.port
        if (yield from go_home(g, id, origin, area, port)):
            return
