"""Blitz! positions and games for tests: dice are chosen, refusals are caught."""

from __future__ import annotations

from typing import Any

import pytest

import sandtable
from sandtable.games.blitz.model import State
from sandtable.kernel.decisions import CHANCE, Decision, Request


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


def _position(given: dict[str, Any]) -> dict[str, Any]:
    units = {
        id: {"at": where} if isinstance(where, str) else where
        for id, where in given.pop("units", {}).items()
    }
    return {"base": "empty", **given, "units": units}
