"""Strategic movement: from the rear to where units are drawn."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw75.bot.field import engaged, pull
from sandtable.games.gw75.bot.march import guard
from sandtable.games.gw75.bot.plans import legal
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import pipelines, ports, stacking, strategic
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.mobility import kinds
from sandtable.games.gw75.rules.strategic import Redeploy, StrategicMovement
from sandtable.games.gw75.rules.terms import nations, side
from sandtable.kernel.decisions import Decision

FARTHER = 3.0
"""How much more a place has to draw."""
VOYAGE = 1.5
"""And how much more if ships carry them."""
NOWHERE = -20.0
"""What a place is worth from which nothing can be reached."""
TRIES = 10
"""How many places are looked at from each hex, the best first."""


def redeploy(s: State, request: StrategicMovement) -> Decision:
    """The Strength Points that gain most by it; done if none do."""
    best: tuple[float, Redeploy] | None = None
    for most, nation, hex, free in sorted(_sources(s, request.power), reverse=True):
        if best is not None and most <= best[0]:
            break
        for gain, chosen in _moves(s, request.power, nation, hex, free):
            if best is not None and gain <= best[0]:
                break
            if legal(request, s, chosen):
                best = (gain, chosen)
                break
    return best[1] if best is not None else Done()


def _sources(
    s: State, player: str
) -> Iterator[tuple[float, str, str, tuple[tuple[str, int], ...]]]:
    """Where points are that could gain, with the most that they could: gain, nation, hex, types."""
    able = strategic.rested(1)
    for nation in nations(s, player):
        by = strategic.carriers(s, player, nation)
        draw = pull(s, nation, spare=True)
        if not by or not draw:
            continue
        top = max(draw.values())
        for hex in s.presence[nation]:
            most = top - draw.get(hex, NOWHERE)
            harbour = ports.friendly(s, nation, hex) and not engaged(s, nation, hex)
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
                yield most, nation, hex, ((free[0][0], min(free[0][1], spare)),)


def _moves(
    s: State, player: str, nation: str, hex: str, free: tuple[tuple[str, int], ...]
) -> Iterator[tuple[float, Redeploy]]:
    """Moves of points of a hex, what gains most first."""
    draw = pull(s, nation, spare=True)
    here = draw.get(hex, NOWHERE)
    by = strategic.carriers(s, player, nation)[0]
    ((type, number),) = free
    left = strategic.points_left(s, by)
    ways: dict[str, tuple[tuple[str, ...], bool]] = {}
    harbour = ports.friendly(s, nation, hex) and not engaged(s, nation, hex)
    if harbour and pipelines.net(s, by).areas(hex):
        net = pipelines.net(s, by)
        for to, path in strategic.sea_ways(s, by, hex).items():
            if to in draw and draw[to] >= here + VOYAGE and (ports.there(s, to) and net.areas(to)):
                ways[to] = path, True
    if left:
        for to, path in strategic.roads(s, nation, hex).items():
            if to in draw and draw[to] >= here + FARTHER:
                ways[to] = path, False
    order = sorted(ways, key=lambda to: (-draw[to], to))
    which = side(s, nation)
    for to in [to for to in order if stacking.room(s, to, which) > 0][:TRIES]:
        path, sea = ways[to]
        if sea:
            carried = pipelines.capacity(s, by, hex, to, strategic.shipped(s))
            some = min(number, carried, stacking.room(s, to, which))
            chosen = Redeploy(((nation, type, max(some, 1)),), sea=path, using=by)
        else:
            some = min(number, left, stacking.room(s, to, which))
            chosen = Redeploy(((nation, type, some),), land=path, using=by)
        yield draw[to] - here, chosen
