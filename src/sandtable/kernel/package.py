"""A game as a package: its parts stand in modules that all games name alike."""

from __future__ import annotations

import importlib
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import PositionError
from sandtable.kernel.ruleset import Event, Procedure, Result, RuleSet, S
from sandtable.kernel.table import Table


class GamePackage(RuleSet[S]):
    """A rule set in the `__init__` of a game's package; the parts are imported when they are
    needed, so that whoever only wants to know about a game does not wait for them.

    They are `setup.start`, `rules.order.play`, `audit.broken_invariants`, `view.sentence`,
    `view.board` and `bot.decide`.
    """

    def _part(self, name: str) -> Any:
        return importlib.import_module(f"{type(self).__module__}.{name}")

    def start(
        self, options: Mapping[str, Any], position: Mapping[str, Any] | None, data: Path | None
    ) -> S:
        state: S = self._part("setup").start(options, position, data)
        return state

    def play(self, g: Table[S]) -> Procedure[Result]:
        procedure: Procedure[Result] = self._part("rules.order").play(g)
        return procedure

    def audit(self, state: S) -> list[str]:
        broken: list[str] = self._part("audit").broken_invariants(state)
        return broken

    def sentence(self, state: Any, event: Event) -> str:
        return str(self._part("view").sentence(state.facts, event))

    def board(self, state: S) -> str:
        return str(self._part("view").board(state))

    def greedy(self, state: S, request: Request, rng: random.Random) -> Decision:
        decision: Decision = self._part("bot").decide(state, request, rng)
        return decision


class _Position(Protocol):
    base: str


P = TypeVar("P", bound=_Position)


def read_position(given: Mapping[str, Any], shape: type[P]) -> P:
    """A custom position as a record of the game's own shape; PositionError if it does not fit."""
    try:
        position = msgspec.convert(given, shape)
    except msgspec.ValidationError as error:
        raise PositionError(f"The position is malformed: {error}.") from None
    if position.base not in ("setup", "empty"):
        raise PositionError(f"base is 'setup' or 'empty', not {position.base!r}.")
    return position
