"""Putting units where a question has them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sandtable.games.blitz.model import State
from sandtable.games.blitz.odds.names import Named, clause
from sandtable.games.blitz.rules.move_to_sea import Fly, MoveToSea, Sail
from sandtable.games.blitz.rules.movement import (
    capacity,
    may_carry,
    port_seas,
    sea_reach,
    sea_route,
)
from sandtable.games.blitz.rules.sides import side_of
from sandtable.games.blitz.rules.supply import guarded
from sandtable.games.blitz.setup import Piece, place
from sandtable.kernel.errors import IllegalDecision
from sandtable.odds.errors import OddsError


def put(s: State, unit: Named, at: str = "", port: str = "", aboard: str = "") -> None:
    """Give a unit its Size and its place; what is aboard goes with it."""
    here = s.units.get(unit.id)
    name = s.facts.names[unit.id]
    if here is None and not at:
        raise OddsError(f"{name} is not on the map: say where, '{name} @ area'.")
    power = here.power if here else ""
    size = unit.size or (here.size if here else 1)
    where = at or (here.at if here else "")
    if here is not None and not at:
        port, aboard = here.port, here.aboard
    if here is not None and (here.size, here.at, here.port, here.aboard) == (
        size,
        where,
        port or (here.port if here.at == where else ""),
        aboard,
    ):
        return
    cargo = s.cargo(unit.id) if here else ()
    place(s, unit.id, Piece(where, size, power, port, aboard))
    for each in cargo:
        s.change(each, at=where)


def clear(s: State, area: str, side: str, but: Collection[str], domain: str = "") -> None:
    """Take the units of a side (of one domain) in an area off the map, but those named."""
    for id in s.units_at(area):
        if id not in s.units or id in but or side_of(s, s.units[id].power) != side:
            continue
        if s.units[id].aboard in but or (domain and s.domain(id) != domain):
            continue
        for cargo in s.cargo(id):
            place(s, cargo, None)
        place(s, id, None)


def bring_to_sea(s: State, unit: Named, sea: str) -> None:
    """Move an air or naval unit to a sea area as in step B, if it is not there; OddsError if it
    cannot get there. Where the question says that it is there, it is."""
    names = s.facts.names
    if unit.id not in s.units or unit.size or unit.at:
        put(s, unit, unit.at)
    here = s.units[unit.id]
    if here.at == sea:
        return
    request = MoveToSea(here.power)
    try:
        if s.domain(unit.id) == "air":
            request.refuse(s, Fly(unit.id, sea))
        else:
            request.refuse(s, Sail(unit.id, _way(s, unit.id, sea) or (sea,)))
    except IllegalDecision as error:
        why = clause(error.reason)
        raise OddsError(f"{names[unit.id]} cannot get to {names[sea]}: {why}") from None
    _sail(s, unit.id, sea)


def put_to_sea(s: State, unit: Named) -> None:
    """Put a unit into a sea area: a land unit aboard a transport with room, which is there or is
    put there."""
    if s.facts.domain[unit.id] != "land":
        put(s, unit, unit.at)
        return
    if unit.id not in s.units:
        raise OddsError(f"{s.facts.names[unit.id]} is not on the map.")
    put(s, Named(unit.id, unit.size))
    if s.units[unit.id].aboard and s.units[unit.id].at == unit.at:
        return
    for transport in _transports(s, unit.id):
        if s.units[transport].at != unit.at:
            _sail(s, transport, unit.at)
        put(s, unit, unit.at, aboard=transport)
        return
    raise OddsError(f"No transport has room for {s.facts.names[unit.id]}.")


def embark(s: State, id: str, kind: str, target: str, port: str) -> list[str]:
    """Bring a land unit or a ship that cannot attack from where it is to a sea next to the target,
    if that can be done in step B; a sentence that says so."""
    names = s.facts.names
    for sea in _attack_seas(s, id, target, port):
        if s.domain(id) == "naval":
            if _way(s, id, sea):
                _sail(s, id, sea)
                return [f"{names[id]} puts to sea: {names[sea]}."]
            continue
        if kind != "ground":
            return []
        for transport in _transports(s, id):
            if _passes(s, transport, s.units[id].at, sea):
                if s.units[transport].at != sea:
                    _sail(s, transport, sea)
                put(s, Named(id), sea, aboard=transport)
                return [f"{names[id]} comes from {names[sea]} aboard {names[transport]}."]
    return []


def _attack_seas(s: State, id: str, target: str, port: str) -> Iterator[str]:
    """The seas from which the target can be attacked, those without enemies first."""
    seas = s.facts.ports[target][port].seas if port else s.facts.coast[target]
    power = s.units[id].power
    yield from sorted((sea for sea in seas if sea in s.in_play), key=lambda x: guarded(s, x, power))


def _transports(s: State, id: str) -> list[str]:
    """The transports with room for a land unit, those that carry something first."""
    found = []
    for each in sorted(s.units):
        if s.type(each) == "TRS" and may_carry(s, each, id):
            cargo = s.cargo(each)
            load = sum(s.units[other].size for other in cargo)
            if load + s.units[id].size <= capacity(s, each):
                found.append((not cargo, each))
    return [each for _, each in sorted(found)]


def _passes(s: State, transport: str, area: str, sea: str) -> bool:
    """Whether a transport can take a unit from a land area to a sea area."""
    unit = s.units[transport]
    if unit.at == sea:
        # It took the unit aboard when it came here.
        return area in s.facts.coast[sea]
    return bool(_way(s, transport, sea)) and (
        unit.at == area or any(area in s.facts.coast[x] for x in _way(s, transport, sea))
    )


def _way(s: State, id: str, sea: str) -> tuple[str, ...]:
    """The seas that a ship in port sails through to a sea area; none if it is out of reach."""
    unit, limit = s.units[id], s.facts.kinds[id].move
    if unit.at not in s.facts.lands:
        return ()
    ways = []
    for first in port_seas(s, id):
        if sea in sea_reach(s, id, first, limit - 1):
            ways.append((first, *(sea_route(s, id, first, sea, limit - 1) or ())))
    return min(ways, key=len, default=())


def _sail(s: State, id: str, sea: str) -> None:
    """Put a unit out to sea, with what is aboard."""
    cargo = s.cargo(id)
    s.change(id, at=sea, port="")
    for each in cargo:
        s.change(each, at=sea)
    s.mark(id, "sailed")
