"""A game as a package: its parts stand in modules that all games name alike."""

from __future__ import annotations

import importlib
import importlib.util
import random
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec

from sandtable.kernel.decisions import ChanceRequest, Decision, Legal, Request, RollLine
from sandtable.kernel.display import (
    About,
    Battle,
    Calculator,
    Change,
    Editor,
    Form,
    Line,
    Odds,
    Picture,
    Plan,
    Reach,
    Reckoning,
    Verbs,
)
from sandtable.kernel.errors import PositionError
from sandtable.kernel.events import EDITED, NOTES, Event, edited, noted
from sandtable.kernel.ruleset import Procedure, Result, RuleSet, S
from sandtable.kernel.table import Table
from sandtable.kernel.welcome import guide_of

if TYPE_CHECKING:
    from sandtable.kernel.game import Game


@cache
def _module(name: str) -> ModuleType | None:
    """A part of a package; None if there is none. Looked for once: that takes longer than most of
    what is asked of it."""
    if importlib.util.find_spec(name) is None:
        return None
    return importlib.import_module(name)


class GamePackage(RuleSet[S]):
    """A rule set in the `__init__` of a game's package; the parts are imported when they are
    needed, so that whoever only wants to know about a game does not wait for them.

    A game has to have `setup.start` and `rules.order.play`. Whatever else it has is used, and
    where it has none the kernel's own stands in, with which the game can be played all the same:
    `audit.broken_invariants`; `editing.edit` and `editor`; `words.sentence` and `caption`;
    `secrets.observe` and `hiding`, where a game hides anything; `view.about`, `picture`, `figures`,
    `derived` and `line`; `forms.form`, `reach`, `plan`, `draft` and `odds`; `verbs.VERBS`;
    `bot.decide` and `use`; `rules.rights` with `rights` and `use`, where powers may act unasked.
    """

    def _own(self, part: str, name: str) -> Any:
        """What a module of the package has under that name; None if it does not have it."""
        return getattr(_module(f"{type(self).__module__}.{part}"), name, None)

    def start(
        self, options: Mapping[str, Any], position: Mapping[str, Any] | None, data: Path | None
    ) -> S:
        state: S = self._own("setup", "start")(options, position, data)
        return state

    def play(self, g: Table[S]) -> Procedure[Result]:
        procedure: Procedure[Result] = self._own("rules.order", "play")(g)
        return procedure

    def rights(self, state: S) -> tuple[Request, ...]:
        own = self._own("rules.rights", "rights")
        return own(state) if own else ()

    def use(self, g: Table[S], power: str, decision: Decision) -> Procedure[None]:
        procedure: Procedure[None] = self._own("rules.rights", "use")(g, power, decision)
        return procedure

    def audit(self, state: S) -> list[str]:
        own = self._own("audit", "broken_invariants")
        return own(state) if own else []

    def edit(self, state: S, patch: Mapping[str, Any]) -> tuple[Change, ...]:
        own = self._own("editing", "edit")
        changes: tuple[Change, ...] = (own or super().edit)(state, patch)
        return changes

    def editor(self, state: S, space: str, power: str) -> Editor:
        own = self._own("editing", "editor")
        editor: Editor = (own or super().editor)(state, space, power)
        return editor

    def sentence(self, state: Any, event: Event) -> str:
        if event.kind in NOTES or event.kind == EDITED:
            return self.line(state, event).text
        own = self._own("words", "sentence")
        return str(own(state.facts, event)) if own else super().sentence(state, event)

    def observe(self, state: S, power: str) -> dict[str, Any]:
        own = self._own("secrets", "observe")
        return own(state, power) if own else super().observe(state, power)

    def secrets(self, state: S) -> Collection[str]:
        own = self._own("secrets", "hiding")
        return own(state) if own else ()

    def caption(self, state: S, kind: str, lines: tuple[RollLine, ...]) -> str:
        own = self._own("words", "caption")
        return str(own(state, kind, lines)) if own else super().caption(state, kind, lines)

    def about(self, state: S) -> About:
        own = self._own("view", "about")
        about: About = own(state) if own else super().about(state)
        guide = guide_of(self.folder, getattr(state, "options", {}))
        return msgspec.structs.replace(about, guide=guide) if guide else about

    def picture(self, state: S, powers: Collection[str]) -> Picture:
        own = self._own("view", "picture")
        return own(state, powers) if own else super().picture(state, powers)

    def battle(self, state: S) -> Battle | None:
        own = self._own("view", "battle")
        return own(state) if own else super().battle(state)

    def figures(self, state: S) -> dict[str, dict[str, float]]:
        own = self._own("view", "figures")
        return own(state) if own else super().figures(state)

    def derived(self, state: S) -> dict[str, Any]:
        own = self._own("view", "derived")
        return own(state) if own else super().derived(state)

    def line(self, state: Any, event: Event) -> Line:
        if event.kind in NOTES:
            return noted(event, {power.id: power.name for power in self.about(state).powers})
        if event.kind == EDITED:
            return edited(event)
        own = self._own("view", "line")
        return own(state.facts, event) if own else super().line(state, event)

    def form(self, legal: Legal) -> Form:
        own = self._own("forms", "form")
        if own is None or isinstance(legal.asked, ChanceRequest):
            return super().form(legal)
        form: Form = own(legal)
        return form

    def reach(self, legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
        own = self._own("forms", "reach")
        return own(legal, space, chosen) if own else super().reach(legal, space, chosen)

    def plan(self, legal: Legal, wanted: Mapping[tuple[str, str], int]) -> Plan:
        own = self._own("forms", "plan")
        return own(legal, wanted) if own else super().plan(legal, wanted)

    def draft(self, legal: Legal, decision: Decision) -> None:
        (self._own("forms", "draft") or super().draft)(legal, decision)

    def odds(self, game: Game, space: str, decision: Decision | None, power: str) -> Odds:
        own = self._own("forms", "odds")
        return (own or super().odds)(game, space, decision, power)

    def calculator(self, game: Game, space: str, power: str) -> Calculator:
        own = self._own("forms.calculator", "calculator")
        return (own or super().calculator)(game, space, power)

    def reckon(self, game: Game, asked: Calculator, reckoning: Reckoning) -> Odds:
        own = self._own("forms.calculator", "reckon")
        return (own or super().reckon)(game, asked, reckoning)

    def verbs(self) -> Verbs:
        return self._own("verbs", "VERBS") or super().verbs()

    def greedy(self, state: S, request: Request, rng: random.Random) -> Decision:
        own = self._own("bot", "decide")
        return own(state, request, rng) if own else super().greedy(state, request, rng)

    def greedy_right(self, state: S, right: Request, rng: random.Random) -> Decision | None:
        own = self._own("bot", "use")
        return own(state, right, rng) if own else None


E = TypeVar("E")


def read_edit(given: Mapping[str, Any], shape: type[E]) -> E:
    """What is edited, as a record of the game's own shape; PositionError if it does not fit."""
    try:
        return msgspec.convert(given, shape)
    except msgspec.ValidationError as error:
        raise PositionError(f"The edit is malformed: {error}.") from None


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
