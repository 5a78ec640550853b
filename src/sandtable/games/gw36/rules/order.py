"""The order of play (chapter 6): calendar turns, national turns, phases."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.games.gw36.model import PHASES, News, State, Unit
from sandtable.games.gw36.rules import (
    combat,
    combat_move,
    noncombat_move,
    placement,
    production,
)
from sandtable.games.gw36.rules.consequences import settle
from sandtable.games.gw36.rules.sea_duties import RAIDER
from sandtable.games.gw36.rules.terms import acting
from sandtable.games.gw36.rules.victory import over
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table

LASTING = frozenset({"patrol", "convoy", "blockade"})
"""Duties that last until their nation changes them."""

RESTED = Unit("", "")[3:]
"""All that can be different about a unit which has acted."""

OVER = "over"
"""The step of a phase that has ended and whose consequences are drawn."""

PHASE: dict[str, Callable[[Table[State]], Procedure[None]]] = {
    "production": production.phase,
    "combat_move": combat_move.phase,
    "combat": combat.phase,
    "noncombat_move": noncombat_move.phase,
    "place_units": placement.phase,
}


def play(g: Table[State]) -> Procedure[Result]:
    """Phase after phase, national turn after national turn, calendar turn after calendar turn.

    Rules: 6.1a, 6.1b, 6.2a
    """
    s = g.state
    while True:
        yield from settle(g)
        if s.step != OVER:
            yield from PHASE[s.phase](g)
            s.step = OVER
            s.tell(News("phase", s.facts.order[s.slot][0], how=f"end of {s.phase}"))
            continue
        if s.phase == PHASES[-1] and s.slot == len(s.facts.order) - 1:
            result = yield from over(g)
            if result is not None:
                return result
        next_phase(g)


def next_phase(g: Table[State]) -> None:
    """Begin the next phase.

    Rules: 6.2a
    """
    s = g.state
    s.step, s.mover, s.finished = "", "", frozenset()
    at = PHASES.index(s.phase) + 1
    if at < len(PHASES):
        s.phase = PHASES[at]
    else:
        next_turn(g)
    s.tell(News("phase", s.facts.order[s.slot][0], how=f"start of {s.phase}"))


def next_turn(g: Table[State]) -> None:
    """The next nations have their turn; after the last ones a calendar turn begins.

    Rules: 6.1a, 6.1b, 11.7a
    """
    s = g.state
    rest(s)
    s.phase = PHASES[0]
    s.slot += 1
    if s.slot == len(s.facts.order):
        s.slot = 0
        s.date += 1
        begin_calendar_turn(g)
    begin_turn(g)


def begin_calendar_turn(g: Table[State]) -> None:
    """Raid markers are removed as a calendar turn begins.

    Rules: 6.1b, 9.11j
    """
    s = g.state
    s.raided.clear()
    for key in [key for key in s.counts if key.startswith(RAIDER)]:
        del s.counts[key]
    s.tell(News("calendar", number=s.date))


def begin_turn(g: Table[State]) -> None:
    """What a national turn starts from: possessions are remembered, limits are whole again, the
    submarines of the nations that act have come up."""
    s = g.state
    s.start_possession = dict(s.possession)
    s.done.clear()
    s.fought = s.captured = frozenset()
    s.attacked = frozenset()
    nations = acting(s)
    for zone, unit, count in s.worn_units():
        if unit.duty == "submerged" and unit.nation in nations:
            s.change(zone, unit, count, duty="")
    g.emit("turn_began", power=s.facts.order[s.slot][0], date=s.date)


def rest(s: State) -> None:
    """The units that acted are as fresh as ever when their turn is over."""
    for zone, unit, count in s.worn_units():
        fresh = _fresh(unit)
        if fresh != unit:
            s.take(zone, unit, count)
            s.put(zone, fresh, count)


def _fresh(unit: Unit) -> Unit:
    cargo = tuple(sorted(map(_fresh, unit.cargo))) if unit.cargo else ()
    if unit.duty in LASTING:
        return unit._replace(used=0, origin="", cargo=cargo)
    duty = "submerged" if unit.duty == "submerged" else ""
    return Unit(unit.nation, unit.type, unit.hits, 0, "", duty, "", cargo)
