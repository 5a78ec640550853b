"""Strategic movement: from the rear to where units are drawn."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw75.bot import air
from sandtable.games.gw75.bot.field import engaged, pull
from sandtable.games.gw75.bot.march import guard
from sandtable.games.gw75.bot.plans import legal
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import pipelines, ports, stacking, strategic
from sandtable.games.gw75.rules.air import reach_of
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.mobility import kinds
from sandtable.games.gw75.rules.strategic import Redeploy, StrategicMovement
from sandtable.games.gw75.rules.terms import nations, side
from sandtable.kernel.decisions import Decision

FARTHER = 3.0
"""How much more a place has to draw."""
VOYAGE = 1.5
"""And how much more if ships carry them."""
USEFUL = 2.0
"""What a place overseas has to draw at least."""
NOWHERE = -20.0
"""What a place is worth from which nothing can be reached."""
TRIES = 10
"""How many places are looked at from each hex, the best first."""


def redeploy(s: State, request: StrategicMovement) -> Decision:
    """An atomic bomb to the bombers, then, nation by nation, the Strength Points that gain most by
    it; done if none do."""
    for chosen in _bombs(s, request.power):
        if legal(request, s, chosen):
            return chosen
    for nation in nations(s, request.power):
        found = _best(s, request, nation)
        if found is not None:
            return found
    return Done()


def _best(s: State, request: StrategicMovement, nation: str) -> Redeploy | None:
    """The move of a nation that gains most; None if none does."""
    best: tuple[float, Redeploy] | None = None
    for most, hex, free in sorted(_sources(s, request.power, nation), reverse=True):
        if best is not None and most <= best[0]:
            break
        for gain, chosen in _moves(s, request.power, nation, hex, free):
            if best is not None and gain <= best[0]:
                break
            if legal(request, s, chosen):
                best = (gain, chosen)
                break
    return best[1] if best is not None else None


def _bombs(s: State, player: str) -> Iterator[Redeploy]:
    """Atomic bombs by sea to where bombers of their nation have something in range."""
    for hex in sorted(s.bombs):
        for nation in nations(s, player):
            far = reach_of(s, nation)
            if hex not in ports.of(s, nation) or air.away(s, nation, hex) <= far:
                continue
            bases = [
                at
                for at, unit, _ in sorted(s.units_of(nation))
                if unit.type == "lrb" and air.away(s, nation, at) <= far
            ]
            ways = strategic.sea_ways(s, nation, hex) if bases else {}
            for base in bases:
                if base in ways:
                    yield Redeploy(((nation, strategic.BOMB, 1),), sea=ways[base], using=nation)


def _sources(
    s: State, player: str, nation: str
) -> Iterator[tuple[float, str, tuple[tuple[str, int], ...]]]:
    """Where points are that could gain, with the most that they could: gain, hex, types."""
    able = strategic.rested(1)
    by = strategic.carriers(s, player, nation)
    draw = pull(s, nation, spare=True) if by and nation in s.presence else {}
    if not draw:
        return
    ashore = pull(s, nation, spare=True, sea=False)
    top = max(draw.values())
    for hex in s.presence[nation]:
        most = top - draw.get(hex, NOWHERE)
        harbour = ports.friendly(s, nation, hex) and not engaged(s, nation, hex)
        if harbour:
            most = max(most, top - ashore.get(hex, NOWHERE))
        if most < (VOYAGE if harbour else FARTHER):
            continue
        if not strategic.points_left(s, by[0]) and not harbour:
            continue
        free = tuple(
            (type, number)
            for (owner, type), number in kinds(s, player, hex, able).items()
            if owner == nation and type != "sd"
        )
        spare = sum(number for _, number in free) - guard(s, nation, hex)
        if spare > 0:
            type, number = max(free)
            yield most, hex, ((type, min(number, spare)),)


def _moves(
    s: State, player: str, nation: str, hex: str, free: tuple[tuple[str, int], ...]
) -> Iterator[tuple[float, Redeploy]]:
    """Moves of points of a hex, what gains most first."""
    draw = pull(s, nation, spare=True)
    ashore = pull(s, nation, spare=True, sea=False)
    here = draw.get(hex, NOWHERE)
    by = strategic.carriers(s, player, nation)[0]
    ((type, number),) = free
    left = strategic.points_left(s, by)
    ways: dict[str, tuple[float, tuple[str, ...], bool]] = {}
    harbour = ports.friendly(s, nation, hex) and not engaged(s, nation, hex)
    if harbour and pipelines.net(s, by).areas(hex):
        net = pipelines.net(s, by)
        least = max(ashore.get(hex, NOWHERE) + VOYAGE, USEFUL)
        for to, path in strategic.sea_ways(s, by, hex).items():
            there = ashore.get(to, NOWHERE)
            if there >= least and ports.there(s, to) and net.areas(to):
                ways[to] = there - ashore.get(hex, NOWHERE), path, True
    if left:
        for to, path in strategic.roads(s, nation, hex).items():
            if to in draw and draw[to] >= here + FARTHER:
                ways[to] = draw[to] - here, path, False
    order = sorted(ways, key=lambda to: (-ways[to][0], to))
    which = side(s, nation)
    for to in [to for to in order if stacking.room(s, to, which) > 0][:TRIES]:
        gain, path, sea = ways[to]
        if sea:
            carried = pipelines.capacity(s, by, hex, to, strategic.shipped(s))
            some = min(number, carried, stacking.room(s, to, which))
            chosen = Redeploy(((nation, type, max(some, 1)),), sea=path, using=by)
        else:
            some = min(number, left, stacking.room(s, to, which))
            chosen = Redeploy(((nation, type, some),), land=path, using=by)
        yield gain, chosen
