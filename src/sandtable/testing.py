"""For tests of rules: a position in words, decisions, chosen dice.

>>> from sandtable.testing import Driver
>>> d = Driver("aa1942", position={"base": "empty", "turn": "germany", "phase": "purchase"})
>>> d.asked
'germany purchase'

Every roll waits for its faces, every refusal is checked to have changed nothing. Our own tests use
it, and whoever adds a game may.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Self

from sandtable.kernel.decisions import CHANCE, ChanceRequest, Decision, Request, Roll
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.game import Game
from sandtable.kernel.start import new


def counts(text: str) -> dict[str, int]:
    """Units in words, `"2 infantry, tank"`, as numbers by type."""
    numbers: dict[str, int] = {}
    for part in text.split(", ") if text else ():
        first, _, rest = part.partition(" ")
        numbers[rest if first.isdigit() else part] = int(first) if first.isdigit() else 1
    return numbers


class Driver:
    """A game in a test, with explicit chance: a new one by its id, or one that is there.

    With `ask="needed"` a request that leaves no choice is answered by itself, so that a test names
    only what matters; with `ask="always"` a test answers everything.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        position: Mapping[str, Any] | str | Path | None = None,
        options: Mapping[str, Any] | None = None,
        data: Path | None = None,
        ask: Literal["needed", "always"] = "needed",
    ) -> None:
        self.game = (
            game
            if isinstance(game, Game)
            else new(game, position=position, options=options, data=data, chance="explicit")
        )
        self._ask = ask
        self._answer_forced()

    @property
    def state(self) -> Any:
        """The position. Look at it; only decisions change it."""
        return self.game.state

    @property
    def asked(self) -> str:
        """Who has to decide what: `germany combat_move`; several are joined by commas."""
        return ", ".join(f"{request.power} {request.kind}" for request in self.game.pending)

    @property
    def request(self) -> Any:
        """The pending request, where there is one."""
        assert len(self.game.pending) == 1, f"not one request is pending, but: {self.asked}"
        return self.game.pending[0]

    def request_of(self, power: str) -> Request:
        """The request that waits for a power."""
        for request in self.game.pending:
            if request.power == power:
                return request
        raise AssertionError(f"nothing waits for {power}, but: {self.asked}")

    def do(self, *decisions: Decision | dict[str, Any], by: str = "") -> Self:
        """Submit decisions, by the power that is asked first (or `by`)."""
        for decision in decisions:
            self.game.submit(by or self.game.pending[0].power, decision)
            self._answer_forced()
        return self

    def dice(self, *faces: int, kind: str = "") -> Self:
        """Let the pending roll (of that kind, if named) show these faces."""
        assert self.asked == f"{CHANCE} roll", f"no roll is pending, but: {self.asked}"
        if kind:
            assert self.request.roll == kind, f"the roll is one of {self.request.roll}"
        self.game.submit(CHANCE, Roll(faces))
        self._answer_forced()
        return self

    @property
    def rolling(self) -> str:
        """The pending roll in words: `attack: 2 cruiser at 3, 1 destroyer at 2`."""
        assert self.asked == f"{CHANCE} roll", f"no roll is pending, but: {self.asked}"
        groups: dict[tuple[str, int], int] = {}
        for line in self.request.lines:
            groups[line.type, line.value] = groups.get((line.type, line.value), 0) + line.count
        lines = (f"{count} {type_} at {value}" for (type_, value), count in groups.items())
        return f"{self.request.roll}: {', '.join(lines)}"

    def refused(self, decision: Decision | dict[str, Any], rule: str = "", by: str = "") -> str:
        """The reason for which the decision is illegal (by that rule, if named). It is an error of
        the test if it is not, or if anything has changed."""
        refusal = self.refusal(decision, by)
        if rule:
            assert refusal.rule == rule, f"refused by {refusal.rule!r}: {refusal.reason}"
        return refusal.reason

    def refusal(self, decision: Decision | dict[str, Any], by: str = "") -> IllegalDecision:
        """The same with its reason and its rule."""
        before, version = self.game.hash, self.game.version
        try:
            self.game.submit(by or self.game.pending[0].power, decision)
        except IllegalDecision as refusal:
            assert (self.game.hash, self.game.version) == (before, version), "it changed something"
            return refusal
        raise AssertionError(f"{decision} is allowed")

    def events(self, kind: str) -> list[dict[str, Any]]:
        """What has happened so far, of one kind."""
        return [event.data for event in self.game.events if event.kind == kind]

    def _answer_forced(self) -> None:
        while self._ask == "needed":
            for request in self.game.pending:
                if not isinstance(request, ChanceRequest):
                    legal = self.game.legal(request)
                    few = list(islice(legal, 2))
                    if len(few) == 1:
                        self.game.submit(request.power, few[0])
                        break
            else:
                return
