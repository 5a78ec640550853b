"""Blitz! positions and games for tests: dice are chosen, refusals are caught."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self

from sandtable.games.blitz.model import State
from sandtable.kernel.decisions import Decision, Pass
from sandtable.kernel.events import Event
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table
from sandtable.testing import Driver


def position(
    scenario: str = "campaign", options: dict[str, Any] | None = None, **given: Any
) -> Any:
    """A state without units but those given (`base="setup"` for the scenario's), not yet played.

    `units` maps ids to a place, or to a dict with at, size, power, port, aboard.
    """
    from sandtable.games.blitz import RULES

    return RULES.start(
        RULES.read_options({"scenario": scenario, **(options or {})}), _position(given), None
    )


class Play(Driver):
    """A game of a scenario. Every request is answered by the test, and every decision is said to be
    whose: several powers are often asked at once."""

    def __init__(
        self, scenario: str = "campaign", options: dict[str, Any] | None = None, **given: Any
    ) -> None:
        options = {"scenario": scenario, **(options or {})}
        super().__init__("blitz", options=options, position=_position(given), ask="always")

    def do(self, power: str, *decisions: Decision) -> Self:  # type: ignore[override]
        """Submit decisions of a power one after the other."""
        return super().do(*decisions, by=power)

    def refused(self, power: str, decision: Decision) -> str:  # type: ignore[override]
        """The rule by which a power's decision is illegal; it has changed nothing."""
        return self.refusal(decision, power).rule


def run(
    state: State,
    procedure: Callable[[Table[State]], Procedure[Any]],
    dice: Iterable[int] = (),
    answers: Iterable[tuple[str, Decision]] = (),
    let: tuple[str, ...] = (),
) -> list[Event]:
    """Play one procedure on a state, with these faces and these answers; what it told.

    All of both have to be used up, in their order. Requests of the kinds in `let` get the first
    decision that they list.
    """
    faces, given = list(dice), list(answers)
    events: list[Event] = []

    def draw(kind: str, lines: object, number: int, sides: int) -> tuple[int, ...]:
        assert len(faces) >= number, f"no face is left for {kind}"
        return tuple(faces.pop(0) for _ in range(number))

    playing = procedure(Table(state, draw, events.append, lambda strict: None))
    try:
        asked = next(playing)
        while True:
            replies = {}
            for request in asked.requests:
                if request.kind in let:
                    replies[request.power] = next(request.decisions(state))
                    continue
                assert given, f"no answer is left for {request}"
                power, decision = given.pop(0)
                assert power == request.power, f"{request.power} is asked: {request}"
                assert isinstance(decision, (*request.answers, Pass))
                if not isinstance(decision, Pass):
                    request.check(state, decision)
                replies[power] = decision
            asked = playing.send(replies)
    except StopIteration:
        pass
    assert not faces and not given, f"left over: {faces} {given}"
    return events


def _position(given: dict[str, Any]) -> dict[str, Any]:
    units = {
        id: {"at": where} if isinstance(where, str) else where
        for id, where in given.pop("units", {}).items()
    }
    return {"base": "empty", **given, "units": units}
