"""Moves on land: towards what is worth most, with a guard left behind."""

from __future__ import annotations

from sandtable.games.gw75.bot.field import engaged, pull
from sandtable.games.gw75.bot.landing import landing
from sandtable.games.gw75.bot.plans import hostile, legal, threat, willing
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import land_movement, neutrals, stacking
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.land_movement import LandMovement, Move
from sandtable.games.gw75.rules.mobility import allowance, fresh, kinds
from sandtable.games.gw75.rules.terms import holder, nations, side
from sandtable.kernel.decisions import Decision

BETTER = 0.5
"""How much more a hex has to draw than the one in which units are."""


def march(s: State, request: LandMovement) -> Decision:
    """A move that brings a stack closer to what it is drawn to; done if there is none."""
    for nation in nations(s, request.power):
        for hex in s.presence[nation]:
            move = _move(s, request, nation, hex)
            if move is not None:
                return move
    return landing(s, request) or Done()


def _move(s: State, request: LandMovement, nation: str, hex: str) -> Move | None:
    draw = pull(s, nation, spare=not engaged(s, nation, hex))
    here = draw.get(hex, -9.0)
    if not any(draw.get(near, -9.0) > here for near in s.facts.land[hex]):
        return None
    free = {
        type: number
        for (owner, type), number in kinds(s, request.power, hex, fresh).items()
        if owner == nation and type != "sd"
    }
    if not free:
        return None
    going = sum(free.values()) - guard(s, nation, hex)
    if going <= 0:
        return None
    units = _units(nation, free, going)
    for crowded in (True, False):
        path = _climb(s, nation, hex, draw, crowded)
        move = _along(s, request, units, path, draw)
        if move is not None:
            return move
    return None


def _along(
    s: State,
    request: LandMovement,
    units: tuple[tuple[str, str, int], ...],
    path: list[str],
    draw: dict[str, float],
) -> Move | None:
    """As far along a path as units can go and find room; None if that leads nowhere."""
    hex, nation = path[0], units[0][0]
    free = {type: number for _, type, number in units}
    going = sum(free.values())
    here = draw.get(hex, -9.0)
    while len(path) > 1:
        steps = land_movement.walk(s, units, path, allowance(s, hex), first=True).steps
        path = path[: steps + 1]
        if len(path) < 2:
            return None
        room = stacking.room(s, path[-1], side(s, nation))
        if room > 0 and draw.get(path[-1], -9.0) >= here + BETTER:
            move = Move(tuple(path), _units(nation, free, min(going, room)))
            return move if legal(request, s, move) else None
        path = path[:-1]
    return None


def _units(nation: str, free: dict[str, int], number: int) -> tuple[tuple[str, str, int], ...]:
    """So many of what is free, mixed: infantry takes the losses of Mechanized units."""
    mech = min(free.get("mech", 0), (number + 1) // 2)
    inf = min(free.get("inf", 0), number - mech)
    mech = min(free.get("mech", 0), number - inf)
    return tuple((nation, type, n) for type, n in (("inf", inf), ("mech", mech)) if n)


def guard(s: State, nation: str, hex: str) -> int:
    """Points that stay: where industry was taken, and where Enemies are near something of worth."""
    found = s.facts.hexes[hex]
    need = 0
    if found.industry or found.center or found.port:
        if found.industry and holder(s, hex) != found.nation:
            need = 1
        near = threat(s, nation, hex)
        if near:
            need = max(need, min(4, (near + 1) // 2) if found.industry else 1)
    standing = sum(count for unit, count in s.stack(hex).items() if unit.type in ("sd", "fort"))
    return max(0, need - standing)


def _climb(s: State, nation: str, hex: str, draw: dict[str, float], crowded: bool) -> list[str]:
    """The way to where units are drawn, as long as they can go; unless `crowded`, through hexes
    only in which there is room."""
    which = side(s, nation)
    path = [hex]
    left = allowance(s, hex)
    while left > 0:
        here = path[-1]
        best = max(
            (
                near
                for near in s.facts.land[here]
                if near not in path
                and _open(s, nation, near)
                and (crowded or stacking.room(s, near, which) > 0)
            ),
            key=lambda near: (draw.get(near, -99.0), near),
            default="",
        )
        if not best or draw.get(best, -99.0) <= draw.get(here, -99.0):
            break
        path.append(best)
        left -= 1
    return path


def _open(s: State, nation: str, hex: str) -> bool:
    if any(
        unit.type in ("inf", "mech", "sd", "fort") and hostile(s, nation, unit.nation)
        for unit in s.stack(hex)
    ):
        return False
    victim = neutrals.violates(s, nation, hex)
    return not victim or (willing(s, nation, victim) and not neutrals.barred(s, nation, hex))
