"""Strategic movement: from the rear to where units are drawn."""

from __future__ import annotations

from sandtable.games.gw75.bot.field import pull
from sandtable.games.gw75.bot.march import guard
from sandtable.games.gw75.bot.plans import legal
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import ports, stacking, strategic
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.mobility import kinds
from sandtable.games.gw75.rules.strategic import Redeploy, StrategicMovement
from sandtable.games.gw75.rules.terms import nations, side
from sandtable.kernel.decisions import Decision

FARTHER = 3.0
"""How much more a place has to draw."""


def redeploy(s: State, request: StrategicMovement) -> Decision:
    """The Strength Points that gain most by it; done if none do."""
    best: tuple[float, Redeploy] | None = None
    for nation in nations(s, request.power):
        draw = pull(s, nation)
        for hex in s.presence[nation]:
            free = [
                (type, number)
                for (owner, type), number in kinds(
                    s, request.power, hex, strategic.rested(1)
                ).items()
                if owner == nation and type != "sd"
            ]
            if not free or sum(number for _, number in free) <= guard(s, nation, hex):
                continue
            here = draw.get(hex, -20.0)
            for path, by, sea in _ways(s, request.power, nation, hex):
                gain = draw.get(path[-1], -20.0) - here
                if gain < FARTHER or (best is not None and gain <= best[0]):
                    continue
                if stacking.room(s, path[-1], side(s, nation)) < 1:
                    continue
                units = ((nation, free[0][0], 1),)
                legs = {"sea": path} if sea else {"land": path}
                chosen = Redeploy(units, using=by, **legs)
                if legal(request, s, chosen):
                    best = (gain, chosen)
    return best[1] if best is not None else Done()


def _ways(s: State, player: str, nation: str, hex: str) -> list[tuple[tuple[str, ...], str, bool]]:
    found = []
    for by in strategic.carriers(s, player, nation):
        if strategic.points_left(s, by):
            found += [(path, by, False) for path in strategic.roads(s, nation, hex).values()]
        if ports.friendly(s, nation, hex):
            found += [(path, by, True) for path in strategic.sea_ways(s, by, hex).values()]
        break
    return found
