"""The order of play (chapter 4): twenty Phases in five Stages, Game-Turn after Game-Turn."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.games.gw75.model import PHASES, News, State
from sandtable.games.gw75.rules import (
    air,
    land_combat,
    land_movement,
    maintenance,
    naval,
    production,
    reinforcement,
    strategic,
    victory,
)
from sandtable.games.gw75.rules.axis_minors import FINNS
from sandtable.games.gw75.rules.consequences import settle
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table

OVER = "over"
"""The step of a phase that has ended and whose consequences are drawn."""

KINDS: dict[str, Callable[[Table[State]], Procedure[None]]] = {
    "maintenance": maintenance.phase,
    "naval_1": naval.phase,
    "naval_2": naval.phase,
    "naval_3": naval.phase,
    "air_movement": air.movement,
    "air_combat": air.combat,
    "land_movement": land_movement.phase,
    "land_combat": land_combat.phase,
    "strategic_movement": strategic.phase,
    "reinforcement": reinforcement.phase,
    "production": production.phase,
}


def play(g: Table[State]) -> Procedure[Result]:
    """Phase after phase, Game-Turn after Game-Turn, until the scenario's last one has ended.

    Rules: 4.1, 4.2a, 4.2b, 4.2c, 4.2d, 4.2e, 4.2f, 4.2g, 4.2h, 4.3
    """
    s = g.state
    while True:
        yield from settle(g)
        if s.step != OVER:
            procedure = KINDS.get(s.phase.removeprefix("axis_").removeprefix("allies_"))
            if procedure is not None:
                yield from procedure(g)
            s.step = OVER
            s.tell(News("phase", how=f"end of {s.phase}"))
            continue
        if s.phase == PHASES[-1]:
            result = yield from victory.over(g)
            if result is not None:
                return result
        next_phase(g)


def next_phase(g: Table[State]) -> None:
    """Begin the next phase, or the next Game-Turn.

    Rules: 4.2a, 18.91a
    """
    s = g.state
    s.step, s.mover, s.finished = "", "", frozenset()
    s.done.clear()
    s.memo = {}
    at = PHASES.index(s.phase) + 1
    for nation, (army, _) in list(s.armies.items()):
        if army.ashore:  # their zones go by the phase
            del s.armies[nation]
            s.paths, s.lines = {}, {}
    if at < len(PHASES):
        s.phase = PHASES[at]
    else:
        s.phase = PHASES[0]
        s.turn += 1
        s.started_before, s.started = dict(s.started), {}
        latest = (*s.captured.values(), *s.violated.values(), s.counts.get(FINNS))
        if s.turn - 1 in latest:  # what is captured or violated, and Finns, go by the Game-Turn
            s.changed()
        else:
            s.fleets, s.seas = {}, {}  # so do zones of ASW units
        s.tell(News("turn", number=s.turn))
        g.emit("turn_began", turn=s.turn)
    s.tell(News("phase", how=f"start of {s.phase}"))
