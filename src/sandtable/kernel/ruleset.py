"""What a game package gives to the kernel."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Generator, Mapping
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import msgspec

from sandtable.kernel.decisions import Decision, Legal, Request
from sandtable.kernel.display import (
    About,
    Form,
    Line,
    Moment,
    NoQuestion,
    Odds,
    Picture,
    Power,
    Reach,
    Verbs,
)
from sandtable.kernel.errors import OptionError
from sandtable.kernel.state import State

if TYPE_CHECKING:
    from sandtable.kernel.game import Game
    from sandtable.kernel.table import Table

T = TypeVar("T")


S = TypeVar("S", bound=State)


class Asked(msgspec.Struct, frozen=True):
    """What a procedure yields: requests that must all be answered before it goes on, or (`any`)
    one of which must."""

    requests: tuple[Request, ...]
    offer: bool = False
    any: bool = False


Procedure = Generator[Asked, dict[str, Decision], T]
"""A rule procedure: asks and rolls on the way, returns T."""


class Event(msgspec.Struct, frozen=True, gc=False):
    """Something that happened. `to` limits who may see it (None: everybody)."""

    kind: str
    data: dict[str, Any]
    to: tuple[str, ...] | None = None


class Result(msgspec.Struct, frozen=True):
    """How a game ended: the winning powers (none: a draw) and why, in a sentence."""

    winners: tuple[str, ...]
    reason: str


class Option(msgspec.Struct, frozen=True):
    """A switch of a game. `choices` lists the values it takes (None: the game checks them);
    `words` says for people what a value is, in a name and perhaps a few words more."""

    default: Any
    help: str
    choices: tuple[Any, ...] | None = None
    words: Mapping[Any, tuple[str, str]] = {}


class RuleSet(ABC, Generic[S]):
    """A game: its powers, options, set-up and the procedure that plays it."""

    id: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[str]
    powers: ClassVar[tuple[str, ...]]
    options: ClassVar[Mapping[str, Option]]
    folder: ClassVar[Path]

    @abstractmethod
    def start(
        self, options: Mapping[str, Any], position: Mapping[str, Any] | None, data: Path | None
    ) -> S:
        """The position at the start: the set-up, or `position` on top of its base."""

    @abstractmethod
    def play(self, g: Table[S]) -> Procedure[Result]:
        """Play from `g.state` to the end. Started afresh at any checkpoint, it must come to the
        same request without an event or a change of state."""

    @abstractmethod
    def audit(self, state: S) -> list[str]:
        """The broken invariants of a position, a sentence each; empty for a sound one."""

    @abstractmethod
    def rounds(self, state: S) -> int:
        """How many rounds have begun."""

    @abstractmethod
    def sentence(self, state: S, event: Event) -> str:
        """An event as a sentence for a person."""

    def board(self, state: S) -> str:
        """The position in words, in Rich markup; needed only where `picture` shows no spaces."""
        return ""

    def sides(self, state: S) -> dict[str, str]:
        """The side of each power; by default every power is a side of its own."""
        return {power: power for power in self.powers}

    def observe(self, state: S, power: str) -> dict[str, Any]:
        """What `power` may see of the position; everything, unless a game hides something."""
        return state.plain()

    def seats(self, options: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
        """The places at the table with these options: the powers that one person has to run
        together. By default every power is a seat of its own."""
        return tuple((power,) for power in self.powers)

    def seated(
        self, options: Mapping[str, Any], people: Mapping[str, tuple[str, ...]]
    ) -> dict[str, Any]:
        """The options once it is known who runs which powers, where a game has rules about that."""
        return dict(options)

    def unseated(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options without what `seated` has put into them: others may play next time."""
        return dict(options)

    # --- what clients draw -------------------------------------------------------------------

    def about(self, state: S) -> About:
        """What does not change in the game that `state` belongs to."""
        sides = self.sides(state)
        powers = tuple(
            Power(power, _title(power), _title(power), "", sides[power], _title(sides[power]))
            for power in self.powers
        )
        return About(self.id, self.title, "", powers)

    def picture(self, state: S, powers: Collection[str]) -> Picture:
        """The position as somebody sees it who runs `powers` (a spectator runs none)."""
        return Picture(Moment(f"Round {self.rounds(state)}", "", round=self.rounds(state)), {})

    def secrets(self, state: S) -> Collection[str]:
        """The powers that hide something just now: `picture` shows more to those who run them, and
        the same to all others. By default all powers may."""
        return self.powers

    def figures(self, state: S) -> dict[str, dict[str, float]]:
        """Numbers for the charts: figure to power to value, of what everybody may see."""
        return {}

    def line(self, state: S, event: Event) -> Line:
        """An event as a line of the log."""
        return Line(event.kind, self.sentence(state, event))

    def form(self, legal: Legal) -> Form:
        """A request as a client shows it; by default a plain form from its answers' schema."""
        return plain_form(legal)

    def reach(self, legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
        """Where the units that are chosen in `space` can go: row key to number, as in the form.

        NoQuestion if they cannot be chosen so.
        """
        raise NoQuestion("There is nothing to move here.")

    def odds(self, game: Game, space: str, decision: Decision | None, power: str) -> Odds:
        """The odds of the battle in `space` as it stands, or as it would be if `power` made
        `decision` first. NoQuestion if there is none; `game` is not changed."""
        raise NoQuestion("There are no odds for this game yet.")

    def verbs(self) -> Verbs:
        """What people type in a terminal beside the words of the forms."""
        return Verbs()

    def lighten(self, state: S) -> None:
        """Drop what a position holds beside itself, derived from it: it is put away for long."""

    def prepare(self) -> None:
        """Get ready for `greedy`. On a new machine this may take a while, afterwards nothing."""

    def greedy(self, state: S, request: Request, rng: random.Random) -> Decision:
        """A sensible decision by this game's own knowledge; by default a random one."""
        return request.sample(state, rng)

    def read_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their values; OptionError for an unknown name or value."""
        if not isinstance(given, Mapping):
            raise OptionError(f"Options are a mapping of names to values, not {given!r}.")
        for name, value in given.items():
            if name not in self.options:
                known = ", ".join(sorted(self.options))
                raise OptionError(f"{self.id} has no option {name!r}; it has: {known}.")
            choices = self.options[name].choices
            if choices is not None and not any(
                value == choice and type(value) is type(choice) for choice in choices
            ):
                listed = ", ".join(repr(choice) for choice in choices)
                raise OptionError(f"Option {name} takes {listed}, not {value!r}.")
        return {name: given.get(name, option.default) for name, option in self.options.items()}


def plain_form(legal: Legal) -> Form:
    """The form that every request has: the schema of its answers."""
    request = legal.asked
    schema = msgspec.json.schema(reduce(or_, request.answers))
    return Form(
        kind=request.kind,
        power=request.power,
        component="schema",
        title=_title(request.kind),
        prompt=request.prompt,
        schema=schema,
    )


def _title(id: str) -> str:
    return id.replace("_", " ").capitalize()
