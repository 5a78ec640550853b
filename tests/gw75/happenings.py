"""What follows from news, without the phases in which it comes about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandtable.games.gw75.model import News, State
from sandtable.games.gw75.rules.consequences import settle
from sandtable.games.gw75.rules.terms import enters
from sandtable.kernel.decisions import Decision
from sandtable.kernel.events import Event
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def run(
    s: State, make: Any, answers: Iterable[Decision] = (), dice: tuple[int, ...] = ()
) -> list[Event]:
    """Run a procedure that `make` makes from a table, with these answers and faces; the events."""
    events: list[Event] = []
    g = Table(s, lambda kind, lines, count, sides: dice or None, events.append, lambda strict: None)
    todo = list(answers)
    procedure: Procedure[None] = make(g)
    try:
        asked = next(procedure)
        while True:
            (request,) = asked.requests
            assert todo, f"there is no answer for {request}"
            decision = todo.pop(0)
            request.check(s, decision)
            asked = procedure.send({request.power: decision})
    except StopIteration:
        pass
    assert not todo, "not all answers were asked for"
    return events


def happen(
    s: State, *news: News, answers: Iterable[Decision] = (), dice: tuple[int, ...] = ()
) -> list[Event]:
    """Let news be told and draw what follows from it."""
    s.tell(*news)
    return run(s, settle, answers, dice)


def enter(s: State, nation: str, hex: str, answers: Iterable[Decision] = ()) -> list[Event]:
    """Land units of a nation enter a hex."""
    enters(s, hex, nation)
    return run(s, settle, answers)


def violate(
    s: State, who: str, whom: str, hex: str = "", answers: Iterable[Decision] = ()
) -> list[Event]:
    """A nation violates another."""
    return happen(s, News("violated", who, whom, hex), answers=answers)


def phase(
    s: State, how: str, answers: Iterable[Decision] = (), dice: tuple[int, ...] = ()
) -> list[Event]:
    """A phase begins (`start of …`) or ends (`end of …`)."""
    s.phase = how.split(" of ")[1]
    return happen(s, News("phase", how=how), answers=answers, dice=dice)


def told(events: list[Event], kind: str) -> list[dict[str, Any]]:
    """What the events of a kind say."""
    return [event.data for event in events if event.kind == kind]
