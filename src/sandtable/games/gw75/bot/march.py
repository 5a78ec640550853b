"""Moves on land: towards what is worth most, with a guard left behind."""

from __future__ import annotations

from sandtable.games.gw75.bot.field import pull
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
    return Done()


def _move(s: State, request: LandMovement, nation: str, hex: str) -> Move | None:
    free = {
        type: number
        for (owner, type), number in kinds(s, request.power, hex, fresh).items()
        if owner == nation and type != "sd"
    }
    if not free:
        return None
    draw = pull(s, nation)
    here = draw.get(hex, 0.0)
    if not any(draw.get(near, 0.0) > here for near in s.facts.land[hex]):
        return None
    going = sum(free.values()) - guard(s, nation, hex)
    if going <= 0:
        return None
    path = _climb(s, nation, hex, draw)
    units = _units(nation, free, going)
    while len(path) > 1:
        steps = land_movement.walk(s, units, path, allowance(s, hex), first=True).steps
        path = path[: steps + 1]
        if len(path) < 2:
            return None
        room = stacking.room(s, path[-1], side(s, nation))
        if room > 0 and draw.get(path[-1], 0.0) >= here + BETTER:
            move = Move(tuple(path), _units(nation, free, min(going, room)))
            return move if legal(request, s, move) else None
        path = path[:-1]
    return None


def _units(nation: str, free: dict[str, int], number: int) -> tuple[tuple[str, str, int], ...]:
    """So many of what is free, Mechanized first."""
    found = []
    for type in sorted(free, key=lambda each: each != "mech"):
        some = min(free[type], number)
        if some:
            found.append((nation, type, some))
            number -= some
    return tuple(sorted(found))


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


def _climb(s: State, nation: str, hex: str, draw: dict[str, float]) -> list[str]:
    """The way to where units are drawn, as long as they can go."""
    path = [hex]
    left = allowance(s, hex)
    while left > 0:
        here = path[-1]
        best = max(
            (near for near in s.facts.land[here] if near not in path and _open(s, nation, near)),
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
