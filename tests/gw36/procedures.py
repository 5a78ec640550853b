"""Run a procedure of the rules on a state, with answers and dice in the order of asking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.consequences import settle
from sandtable.kernel.decisions import Decision
from sandtable.kernel.ruleset import Event, Procedure
from sandtable.kernel.table import Table


def run(
    s: State,
    does: Callable[[Table[State]], Procedure[Any] | None],
    *,
    answers: Sequence[Decision] = (),
    dice: Sequence[int] = (),
) -> list[Event]:
    """Let `does` change the state, draw what follows, and return the events.

    Every answer is checked as the game would; answers and dice have to be used up. Increases of
    incomes roll ones where no dice are given.
    """
    faces, given = list(dice), list(answers)
    events: list[Event] = []

    def draw(kind: str, lines: object, count: int, sides: int) -> tuple[int, ...]:
        if kind == "income" and not faces:
            return (1,) * count
        assert len(faces) >= count, f"{count} dice are wanted for {kind}"
        shown, faces[:count] = tuple(faces[:count]), []
        return shown

    g: Table[State] = Table(s, draw, events.append, lambda strict: None)

    def all_of_it() -> Procedure[None]:
        procedure = does(g)
        if procedure is not None:
            yield from procedure
        yield from settle(g)

    running = all_of_it()
    try:
        asked = next(running)
        while True:
            replies = {}
            for request in asked.requests:
                assert given, f"{request} is asked"
                answer = given.pop(0)
                assert isinstance(answer, request.answers), f"{answer} is no answer to {request}"
                request.check(s, answer)
                replies[request.power] = answer
            asked = running.send(replies)
    except StopIteration:
        pass
    assert not given, f"nobody asked for {given}"
    assert not faces, f"nobody rolled {faces}"
    return events


def kinds(events: Sequence[Event]) -> list[str]:
    return [event.kind for event in events]
