"""Blitz! positions and games for tests: dice are chosen, refusals are caught."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

import sandtable
from sandtable.games.blitz.model import State
from sandtable.kernel.decisions import CHANCE, Decision, Pass, Request
from sandtable.kernel.events import Event
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


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


class Play:
    """A game with explicit chance, so that tests choose the dice."""

    def __init__(
        self, scenario: str = "campaign", options: dict[str, Any] | None = None, **given: Any
    ) -> None:
        self.game = sandtable.new(
            "blitz",
            options={"scenario": scenario, **(options or {})},
            position=_position(given),
            chance="explicit",
        )

    @property
    def state(self) -> State:
        state: State = self.game.state
        return state

    def asked(self, power: str) -> Request:
        """The request that waits for a power."""
        return next(request for request in self.game.pending if request.power == power)

    def do(self, power: str, *decisions: Decision) -> Play:
        """Submit decisions one after the other."""
        for decision in decisions:
            self.game.submit(power, decision)
        return self

    def roll(self, *faces: int) -> Play:
        """Let the dice that are asked for show these faces."""
        self.game.submit(CHANCE, {"kind": "dice", "faces": list(faces)})
        return self

    def refused(self, power: str, decision: Decision) -> str:
        """Assert that a decision is refused and changes nothing; the rule that refuses it."""
        before = self.game.hash
        with pytest.raises(sandtable.IllegalDecision) as refusal:
            self.game.submit(power, decision)
        assert self.game.hash == before
        return refusal.value.rule

    def events(self, kind: str) -> list[dict[str, Any]]:
        """What has been told of a kind."""
        return [event.data for event in self.game.events if event.kind == kind]


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
