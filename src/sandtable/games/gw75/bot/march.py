"""Moves on land: towards what is worth most, with a guard left behind."""

from __future__ import annotations

from sandtable.games.gw75.bot.field import engaged, pull
from sandtable.games.gw75.bot.landing import danger, landing
from sandtable.games.gw75.bot.plans import (
    hostile,
    legal,
    prizes,
    provokes,
    threat,
    willing,
    worth,
)
from sandtable.games.gw75.facts import AXIS_MINORS
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import axis_minors, land_movement, neutrals, overrun, stacking
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.land_movement import LandMovement, Move
from sandtable.games.gw75.rules.mobility import allowance, fresh, kinds
from sandtable.games.gw75.rules.terms import (
    MOBILE,
    at_war,
    foes,
    friends,
    ground,
    holder,
    nations,
    points,
    side,
)
from sandtable.kernel.decisions import Decision

BETTER = 0.5
"""How much more a hex has to draw than the one in which units are."""


def march(s: State, request: LandMovement) -> Decision:
    """One nation after the other: a garrison to where one is missing, then moves that bring stacks
    closer to what they are drawn to. When all have moved, landings; done if there is none."""
    mine = nations(s, request.power)
    moved = [number for number, nation in enumerate(mine) if _moved(s, nation)]
    for nation in mine[max(moved, default=0) :]:
        relief = _relief(s, request, nation)
        if relief is not None:
            return relief
        for hex in s.presence[nation]:
            move = _move(s, request, nation, hex)
            if move is not None:
                return move
    return landing(s, request) or Done()


def _moved(s: State, nation: str) -> bool:
    """Whether land units of a nation have moved in this phase."""
    return any(unit.left >= 0 and unit.type in MOBILE for _, unit, _ in s.units_of(nation))


def _move(s: State, request: LandMovement, nation: str, hex: str) -> Move | None:
    free = {
        type: number
        for (owner, type), number in kinds(s, request.power, hex, fresh).items()
        if owner == nation and type != "sd"
    }
    if not free:
        return None
    draw = pull(s, nation, spare=not engaged(s, nation, hex))
    here = draw.get(hex, -9.0)
    if not any(draw.get(near, -9.0) > here for near in s.facts.land[hex]):
        return None
    going = sum(free.values()) - guard(s, nation, hex)
    if going <= 0:
        return None
    units = _units(nation, free, going)
    for crowded in (True, False):
        path = _climb(s, units, hex, draw, crowded)
        move = _along(s, request, units, path, draw)
        if move is not None:
            return move
    return _round(s, request, units, hex, draw)


def _round(
    s: State,
    request: LandMovement,
    units: tuple[tuple[str, str, int], ...],
    hex: str,
    draw: dict[str, float],
) -> Move | None:
    """Out of an Enemy Zone of Control and into another: the best that a detour leads to."""
    nation = units[0][0]
    if not engaged(s, nation, hex):
        return None
    which, here = side(s, nation), draw.get(hex, -9.0)
    free = {type: number for _, type, number in units}
    for to, (_, path) in sorted(
        land_movement.reach(s, hex, units).items(),
        key=lambda each: (-draw.get(each[0], -9.0), each[0]),
    ):
        if draw.get(to, -9.0) < here + BETTER:
            return None
        room = stacking.room(s, to, which)
        if not _stays(s, nation, to):
            continue
        if room > 0 and all(_open(s, nation, each) for each in path[1:]):
            chosen = _units(nation, _mixed(s, nation, to, free), min(room, sum(free.values())))
            if chosen:
                move = Move(path, chosen)
                return move if legal(request, s, move) else None
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
        if room > 0 and draw.get(path[-1], -9.0) >= here + BETTER and _stays(s, nation, path[-1]):
            chosen = _units(nation, _mixed(s, nation, path[-1], free), min(going, room))
            if chosen:
                move = Move(tuple(path), chosen)
                return move if legal(request, s, move) else None
        path = path[:-1]
    return None


MANY = 14
"""From so many Mechanized points on a power keeps room for them at the front."""
FOOT = 6
"""Infantry points that go to a hex at the front then."""


def _mixed(s: State, nation: str, to: str, free: dict[str, int]) -> dict[str, int]:
    """What of it goes to a hex: at the front infantry leaves room for the Mechanized points that
    advance."""
    if not engaged(s, nation, to) or _mobile(s, nation) < MANY:
        return free
    there = sum(
        count
        for unit, count in s.stack(to).items()
        if unit.type == "inf" and side(s, unit.nation) == side(s, nation)
    )
    return {**free, "inf": min(free.get("inf", 0), max(0, FOOT - there))}


def _mobile(s: State, nation: str) -> int:
    """The Mechanized points of a nation."""
    key = f"mobile:{nation}"
    found: int | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = sum(n for _, unit, n in s.units_of(nation) if unit.type == "mech")
    return found


def _units(nation: str, free: dict[str, int], number: int) -> tuple[tuple[str, str, int], ...]:
    """So many of what is free, mixed: infantry takes the losses of Mechanized units."""
    mech = min(free.get("mech", 0), (number + 1) // 2)
    inf = min(free.get("inf", 0), number - mech)
    mech = min(free.get("mech", 0), number - inf)
    return tuple((nation, type, n) for type, n in (("inf", inf), ("mech", mech)) if n)


RELIEF = 3
"""How many stacks are looked at for a garrison."""


def _relief(s: State, request: LandMovement, nation: str) -> Move | None:
    """A garrison of a nation that can walk to where one is missing."""
    which = side(s, request.power)
    for hex, number in missing(s, which):
        if not friends(s, nation, holder(s, hex)) or not _stays(s, nation, hex):
            continue
        near = sorted(
            (s.facts.distance(at, hex), at)
            for at in s.presence[nation]
            if at != hex and s.facts.distance(at, hex) <= allowance(s, at)
        )
        tried = 0
        for _, at in near:
            free = kinds(s, request.power, at, fresh).get((nation, "inf"), 0)
            if free <= guard(s, nation, at) or engaged(s, nation, at):
                continue
            some = min(free - guard(s, nation, at), number)
            units = ((nation, "inf", some),)
            ways = land_movement.reach(s, at, units)
            if hex in ways:
                move = Move(ways[hex][1], units)
                if legal(request, s, move):
                    return move
            tried += 1
            if tried >= RELIEF:
                break
    return None


def missing(s: State, which: str) -> list[tuple[str, int]]:
    """The hexes of a side that Enemies could land in and that have too small a garrison, with the
    points that they lack; what is worth most first."""
    key = f"missing:{which}"
    found: list[tuple[str, int]] | None = s.memo.get(key)
    if found is None:
        lacking = []
        for hex in prizes(s):
            owner = holder(s, hex)
            if side(s, owner) == which and foes(s, owner):
                need = coastal(s, owner, hex) - points(s, hex, which)
                if need > 0:
                    lacking.append((worth(s, hex), hex, need))
        found = s.memo[key] = [(hex, need) for _, hex, need in sorted(lacking, reverse=True)]
    return found


def coastal(s: State, nation: str, hex: str) -> int:
    """Points that a hex needs against landings."""
    most = danger(s, nation, hex)
    if not most:
        return 0
    found = s.facts.hexes[hex]
    return min(most, 4 if found.industry else 2 if found.center else 1)


def guard(s: State, nation: str, hex: str) -> int:
    """Points that stay: where industry was taken, and where Enemies are near something of worth, or
    could land."""
    found = s.facts.hexes[hex]
    need = 0
    if found.industry or found.center or found.port:
        if found.industry and holder(s, hex) != found.nation:
            need = 1
        near = threat(s, nation, hex)
        if near:
            need = max(need, min(4, (near + 1) // 2) if found.industry else 1)
        need = max(need, coastal(s, nation, hex))
        if nation == found.industry == "japan" and s.facts.land[hex]:
            need = max(need, s.facts.numbers.manchukuo_garrison + 1)
    standing = sum(count for unit, count in s.stack(hex).items() if unit.type in ("sd", "fort"))
    return max(0, need - standing)


def _climb(
    s: State,
    units: tuple[tuple[str, str, int], ...],
    hex: str,
    draw: dict[str, float],
    crowded: bool,
) -> list[str]:
    """The way to where units are drawn, as long as they can go; unless `crowded`, through hexes
    only in which there is room. What stands in it alone is overrun."""
    nation = units[0][0]
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
                and (_open(s, nation, near) or _weak(s, units, here, near))
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


def _stays(s: State, nation: str, hex: str) -> bool:
    """Whether units of a nation may end their move in a hex."""
    return nation not in AXIS_MINORS or axis_minors.may_end(s, nation, hex)


def _weak(s: State, units: tuple[tuple[str, str, int], ...], here: str, hex: str) -> bool:
    """Whether units overrun Enemies in the next hex."""
    nation = units[0][0]
    return (
        sum(count for _, _, count in units) > s.facts.numbers.overrun_differential
        and any(at_war(s, nation, unit.nation) for unit, _ in ground(s, hex))
        and not provokes(s, nation, hex)
        and not overrun.why_not(s, units, here, hex)[0]
    )


def _open(s: State, nation: str, hex: str) -> bool:
    if provokes(s, nation, hex):
        return False
    if any(
        unit.type in ("inf", "mech", "sd", "fort") and hostile(s, nation, unit.nation)
        for unit in s.stack(hex)
    ):
        return False
    victim = neutrals.violates(s, nation, hex)
    return not victim or (willing(s, nation, victim) and not neutrals.barred(s, nation, hex))
