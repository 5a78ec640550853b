"""What a game package gives to the kernel."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Generator, Mapping
from functools import reduce
from itertools import cycle, islice
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import msgspec

from sandtable.kernel.decisions import (
    CHANCE,
    ChanceRequest,
    Decision,
    Legal,
    Request,
    RollLine,
    caption,
    plain,
)
from sandtable.kernel.display import (
    About,
    Battle,
    Calculator,
    Change,
    Choice,
    Editor,
    Form,
    Limit,
    Line,
    Moment,
    NoQuestion,
    Odds,
    Picture,
    Plan,
    Power,
    Reach,
    Reckoning,
    Row,
    Verbs,
)
from sandtable.kernel.errors import OptionError, PositionError
from sandtable.kernel.events import Event, line
from sandtable.kernel.kits import Assign, ChooseOne, HowMany
from sandtable.kernel.state import State
from sandtable.kernel.vocabulary import WORDS

if TYPE_CHECKING:
    from sandtable.kernel.game import Game
    from sandtable.kernel.table import Table

T = TypeVar("T")


S = TypeVar("S", bound=State)


class Asked(msgspec.Struct, frozen=True, gc=False):
    """What a procedure yields: requests that must all be answered before it goes on, or (`any`)
    one of which must."""

    requests: tuple[Request, ...]
    offer: bool = False
    any: bool = False


Procedure = Generator[Asked, dict[str, Decision], T]
"""A rule procedure: asks and rolls on the way, returns T."""


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
    later: bool = False
    """It came when there were saves already: as long as it has its default, saves and hashes leave
    it out."""


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

    def rights(self, state: S) -> tuple[Request, ...]:
        """What powers may do now though nobody has asked them. It must be cheap, and for each power
        of other kinds than what it is asked and than its other rights."""
        return ()

    def use(self, g: Table[S], power: str, decision: Decision) -> Procedure[None]:
        """Carry out a right that a power has used: a strict procedure of its own, wherever the game
        stands. In a free loop `play` starts afresh after it; elsewhere what was asked is asked
        again."""
        raise NotImplementedError

    @abstractmethod
    def audit(self, state: S) -> list[str]:
        """The broken invariants of a position, a sentence each; empty for a sound one."""

    def edit(self, state: S, patch: Mapping[str, Any]) -> tuple[Change, ...]:
        """Change `state`, which is a copy, as somebody says who edits the position by hand; what
        has changed, in words. PositionError if it cannot be so. Of what is secret nothing can be
        changed, as the words are for everybody."""
        raise PositionError("The positions of this game cannot be edited yet.")

    @abstractmethod
    def rounds(self, state: S) -> int:
        """How many rounds have begun."""

    def sentence(self, state: S, event: Event) -> str:
        """An event as a sentence for a person."""
        data = ", ".join(f"{name} {in_words(value)}" for name, value in event.data.items())
        return f"{_title(event.kind)}{': ' if data else ''}{data}."

    def board(self, state: S, powers: Collection[str]) -> str:
        """The position in words, for whoever runs `powers`; only where `picture` shows no spaces.
        By default the fields of what may be observed."""
        if not self.secrets(state):
            seen = state.plain()
        elif powers:
            seen = self.observe(state, min(powers))
        else:
            views = [self.observe(state, power) for power in self.powers]
            seen = {
                name: value
                for name, value in views[0].items()
                if all(view.get(name) == value for view in views)
            }
        return "\n".join(f"{_title(name)}: {in_words(value)}" for name, value in seen.items())

    def caption(self, state: S, kind: str, lines: tuple[RollLine, ...]) -> str:
        """A roll that is made in this position, in words for a person; no rule, save or hash
        depends on them."""
        return caption(kind, lines)

    def prompt(self, state: S, request: Request) -> str:
        """What a request asks, in a sentence for a person."""
        if isinstance(request, ChanceRequest):
            roll = self.caption(state, request.roll, request.lines)
            return f"Roll {request.dice}d{request.sides} for {roll}."
        return request.prompt

    def sides(self, state: S) -> dict[str, str]:
        """The side of each power; by default every power is a side of its own."""
        return {power: power for power in self.powers}

    def observe(self, state: S, power: str) -> dict[str, Any]:
        """What `power` may see of the position; everything, unless a game hides something."""
        return state.plain()

    def derived(self, state: S) -> dict[str, Any]:
        """What the rules derive from the position, as plain data that everybody may see."""
        return {}

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
            Power(power, _title(power), _title(power), colour, sides[power], _title(sides[power]))
            for power, colour in zip(self.powers, cycle(WORDS.colours), strict=False)
        )
        return About(self.id, self.title, "", powers)

    def picture(self, state: S, powers: Collection[str]) -> Picture:
        """The position as somebody sees it who runs `powers` (a spectator runs none)."""
        moment = Moment(f"Round {self.rounds(state)}", "", round=self.rounds(state))
        return Picture(moment, {}, text=self.board(state, powers))

    def battle(self, state: S) -> Battle | None:
        """The battle that is being fought, as everybody may see it; also in the midst of a
        procedure, as events are told. The picture shows the same one."""
        return None

    def secrets(self, state: S) -> Collection[str]:
        """The powers that hide something just now: `picture` shows more to those who run them, and
        the same to all others. By default all powers may."""
        return self.powers

    def figures(self, state: S) -> dict[str, dict[str, float]]:
        """Numbers for the charts: figure to power to value, of what everybody may see."""
        return {}

    def line(self, state: S, event: Event) -> Line:
        """An event as a line of the log."""
        return line(event, self.sentence(state, event))

    def form(self, legal: Legal) -> Form:
        """A request as a client shows it; by default a plain form from its answers' schema."""
        return msgspec.structs.replace(
            plain_form(legal), prompt=self.prompt(legal.state, legal.asked)
        )

    def reach(self, legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
        """Where the units that are chosen in `space` can go: row key to number, as in the form.

        NoQuestion if they cannot be chosen so.
        """
        raise NoQuestion("There is nothing to move here.")

    def plan(self, legal: Legal, wanted: Mapping[tuple[str, str], int]) -> Plan:
        """What it takes to give courses of the form's network another capacity, or to lay them:
        ends to capacity. NoQuestion if nothing of that kind can be changed now."""
        raise NoQuestion("There are no lines to lay here.")

    def draft(self, legal: Legal, decision: Decision) -> None:
        """Enter a decision of an order sheet, which `legal` has read, into the position of `legal`,
        which is a copy: as far as it is only noted, without dice and without what comes when the
        step ends. NoQuestion if it cannot be entered so."""
        raise NoQuestion("Decisions of this kind are given at once.")

    def odds(self, game: Game, space: str, decision: Decision | None, power: str) -> Odds:
        """The odds of the battle in `space` as it stands, or as it would be if `power` made
        `decision` first. NoQuestion if there is none; `game` is not changed."""
        raise NoQuestion("There are no odds for this game yet.")

    def calculator(self, game: Game, space: str, power: str) -> Calculator:
        """A battle in `space` (empty: anywhere) as `power` might think of it; NoQuestion if the
        game has none for that place."""
        raise NoQuestion("There is no battle calculator for this game yet.")

    def reckon(self, game: Game, asked: Calculator, reckoning: Reckoning) -> Odds:
        """The odds of a battle that somebody thinks of; what is asked fits the calculator.
        NoQuestion if there is no such battle; `game` is not changed."""
        raise NoQuestion("There is no battle calculator for this game yet.")

    def editor(self, state: S, space: str, power: str) -> Editor:
        """What `edit` can change in `space` (empty: in none) about the units of `power` (empty: of
        whoever is there) and in the whole position; NoQuestion if there is no such space or
        power. It shows nothing that is secret."""
        raise NoQuestion("The positions of this game cannot be edited yet.")

    def verbs(self) -> Verbs:
        """What people type in a terminal beside the words of the forms."""
        return Verbs()

    def lighten(self, state: S) -> None:
        """Drop what a position holds beside itself, derived from it: it is put away for long."""

    def prepare(self, *, wait: bool = True) -> None:
        """Get ready for `greedy`. On a new machine this may take a while, afterwards nothing;
        without `wait` only what is quick is done now, and the rest goes on behind."""

    def greedy(self, state: S, request: Request, rng: random.Random) -> Decision:
        """A sensible decision by this game's own knowledge; by default a random one."""
        return request.sample(state, rng)

    def greedy_right(self, state: S, right: Request, rng: random.Random) -> Decision | None:
        """How to use a right now by this game's own knowledge; None to leave it, as by default."""
        return None

    def written_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options as saves and hashes have them."""
        return {
            name: value
            for name, value in options.items()
            if not (known := self.options[name]).later or value != known.default
        }

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


_LISTED = 40
"""So many legal decisions are listed to choose from; where there are more, the form has a field for
each part of a decision."""


def plain_form(legal: Legal) -> Form:
    """The form that every request has: rows for numbers, the list of legal decisions or, if they
    are many, a few of them beside the schema of its answers."""
    request = legal.asked
    # Faces are typed, not looked up in a list; options are listed, however many.
    most = None if isinstance(request, ChooseOne) else 0 if request.power == CHANCE else _LISTED + 1
    # A row has no number below 0.
    if isinstance(request, Assign) or (
        isinstance(request, HowMany) and request.allowed(legal.state).start >= 0
    ):
        return _numbers_form(request, legal.state)
    found = list(islice(legal, most))
    choices = tuple(
        Choice(in_words(decision := plain(each)), decision)
        for each in (found if most is None else found[:_LISTED])
    )
    form = Form(
        kind=request.kind,
        power=request.power,
        component="choose",
        title=_title(request.kind),
        prompt=request.prompt,
        choices=choices,
    )
    if most is None or 0 < len(found) <= _LISTED:
        return form
    schema = msgspec.json.schema(reduce(or_, request.answers))
    return msgspec.structs.replace(form, component="schema", schema=schema, choices=choices[:10])


def _numbers_form(request: HowMany | Assign, state: Any) -> Form:
    """A row for each number, and what they have to add up to."""
    (answer,) = request.answers
    (field,) = answer.__struct_fields__
    if isinstance(request, HowMany):
        totals = request.allowed(state)
        rows: tuple[Row, ...] = (Row(field, _title(field), (field,), totals[-1], value=totals[0]),)
        base: Any = 0
    else:
        totals = request.totals(state)
        limits = request.limits(state).items()
        rows = tuple(Row(key, _title(key), (field, key), most) for key, most in limits)
        base = {}
    return Form(
        kind=request.kind,
        power=request.power,
        component="assign",
        title=_title(request.kind),
        prompt=request.prompt,
        base={"kind": str(answer.__struct_config__.tag), field: base},
        rows=rows,
        limits=(Limit("Together", totals[-1], totals[0]),),
    )


def in_words(value: Any) -> str:
    """Plain data for a person who has nothing better: `Retreat, to: libya`."""
    if isinstance(value, dict):
        named = dict(value)
        kind = named.pop("kind", None)
        fields = [f"{_words(str(name))}: {in_words(each)}" for name, each in named.items()]
        return ", ".join(([_title(kind)] if isinstance(kind, str) else []) + fields) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(in_words(each) for each in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _words(value) if isinstance(value, str) else "none" if value is None else str(value)


def _title(id: str) -> str:
    words = _words(id)
    return words[:1].upper() + words[1:]


def _words(id: str) -> str:
    return id.replace("_", " ")
