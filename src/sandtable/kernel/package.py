"""A game as a package: its parts stand in modules that all games name alike."""

from __future__ import annotations

import importlib
import importlib.util
import random
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec

from sandtable.kernel.decisions import Decision, Legal, Request
from sandtable.kernel.display import About, Form, Line, Odds, Picture, Reach, Verbs
from sandtable.kernel.errors import PositionError
from sandtable.kernel.ruleset import Event, Procedure, Result, RuleSet, S
from sandtable.kernel.table import Table
from sandtable.kernel.welcome import guide_of

if TYPE_CHECKING:
    from sandtable.kernel.game import Game


class GamePackage(RuleSet[S]):
    """A rule set in the `__init__` of a game's package; the parts are imported when they are
    needed, so that whoever only wants to know about a game does not wait for them.

    They are `setup.start`, `rules.order.play`, `audit.broken_invariants`, `words.sentence`,
    `bot.decide`, and for clients `view.about`, `view.picture`, `view.secrets`, `view.figures`,
    `view.line`, `forms.form`, `forms.reach`, `forms.odds` and, if there is one, `verbs.VERBS`.
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
        return str(self._part("words").sentence(state.facts, event))

    def about(self, state: S) -> About:
        about: About = self._part("view").about(state)
        guide = guide_of(self.folder, getattr(state, "options", {}))
        return msgspec.structs.replace(about, guide=guide) if guide else about

    def picture(self, state: S, powers: Collection[str]) -> Picture:
        picture: Picture = self._part("view").picture(state, powers)
        return picture

    def secrets(self, state: S) -> Collection[str]:
        powers: Collection[str] = self._part("view").secrets(state)
        return powers

    def figures(self, state: S) -> dict[str, dict[str, float]]:
        figures: dict[str, dict[str, float]] = self._part("view").figures(state)
        return figures

    def line(self, state: Any, event: Event) -> Line:
        line: Line = self._part("view").line(state.facts, event)
        return line

    def form(self, legal: Legal) -> Form:
        form: Form = self._part("forms").form(legal)
        return form

    def reach(self, legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
        reach: Reach = self._part("forms").reach(legal, space, chosen)
        return reach

    def odds(self, game: Game, space: str, decision: Decision | None, power: str) -> Odds:
        odds: Odds = self._part("forms").odds(game, space, decision, power)
        return odds

    def verbs(self) -> Verbs:
        if importlib.util.find_spec(f"{type(self).__module__}.verbs") is None:
            return Verbs()
        verbs: Verbs = self._part("verbs").VERBS
        return verbs

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
