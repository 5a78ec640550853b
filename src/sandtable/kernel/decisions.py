"""Requests and the decisions that answer them.

A request says which power has to decide what; it also holds the one legality check for its
answers, and can list or sample the legal ones. Both are plain structured data with a `kind`, and
survive JSON in both directions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

from sandtable.kernel.errors import IllegalDecision, RuleError, passes

_ENCODER = msgspec.json.Encoder()

CHANCE = "chance"
"""The power that answers for the dice when chance is explicit."""


class Decision(
    msgspec.Struct,
    frozen=True,
    tag_field="kind",
    forbid_unknown_fields=True,
    omit_defaults=True,
    gc=False,  # plain data has no circles for the collector to find, and journals are long
):
    """An answer to a request: immutable by convention, equal by value."""

    @property
    def kind(self) -> str:
        return str(self.__struct_config__.tag)


class Pass(Decision, frozen=True, tag="pass"):
    """Let an opportunity go by."""


class Request(msgspec.Struct, frozen=True, tag_field="kind", gc=False):
    """What one power has to decide now.

    Subclasses name the decision types they accept in `answers`, and implement `check` (raise
    IllegalDecision if the rules forbid the answer; change nothing), `decisions` (all legal
    answers, lazily) and, where those are many, `propose` (some at random).
    """

    power: str

    answers: ClassVar[tuple[type[Decision], ...]] = ()

    @property
    def kind(self) -> str:
        return str(self.__struct_config__.tag)

    @property
    def prompt(self) -> str:
        """What is asked, in a sentence for a person."""
        return self.kind.replace("_", " ").capitalize() + "."

    def check(self, state: Any, decision: Any) -> None:
        """Raise IllegalDecision, naming the rule, if `decision` is not allowed in `state`."""

    def decisions(self, state: Any) -> Iterator[Decision]:
        """Every legal decision (of combinatorial ones a complete basis), lazily."""
        return iter(())

    def propose(self, state: Any, rng: random.Random) -> Iterator[Decision]:
        """Decisions at random that may be legal; sooner or later one that is."""
        every = list(self.decisions(state))
        rng.shuffle(every)
        return iter(every)

    def sample(self, state: Any, rng: random.Random) -> Decision:
        """One legal decision at random: the first of those proposed that passes the check."""
        for decision in self.propose(state, rng):
            try:
                self.check(state, decision)
            except IllegalDecision:
                continue
            return decision
        raise RuleError(f"No legal decision is known for {self.kind}.")


class RollLine(NamedTuple):
    """A part of a roll: `count` dice of the same kind."""

    power: str
    """The power or the side that rolls; "" if nobody does."""
    type: str
    """What rolls, or what is rolled for: a type of unit, a counter, a place."""
    count: int  # type: ignore[assignment]  # not the method of tuples
    value: int
    """The highest face that hits; 0 where the faces are read off a table or added up."""
    sides: int = 6


class Roll(Decision, frozen=True, tag="dice"):
    """The faces that chance shows, in order."""

    faces: tuple[int, ...]


class ChanceRequest(Request, frozen=True, tag="roll"):
    """A roll that waits for its outcome (explicit chance): its kind and its lines."""

    roll: str
    lines: tuple[RollLine, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (Roll,)

    @property
    def dice(self) -> int:
        """How many dice are rolled."""
        return sum(line.count for line in self.lines)

    @property
    def sides(self) -> int:
        """How many sides they have: in one roll all the same."""
        return self.lines[0].sides

    @property
    def prompt(self) -> str:
        return f"Roll {self.dice}d{self.sides} for {caption(self.roll, self.lines)}."

    def check(self, state: Any, decision: Roll) -> None:
        if len(decision.faces) != self.dice:
            raise IllegalDecision(
                f"This roll takes {self.dice} dice, but {len(decision.faces)} faces were given."
            )
        for face in decision.faces:
            if not 1 <= face <= self.sides:
                raise IllegalDecision(f"A die with {self.sides} sides cannot show {face}.")

    def decisions(self, state: Any) -> Iterator[Decision]:
        return (decision for decision, _ in self.outcomes())

    def propose(self, state: Any, rng: random.Random) -> Iterator[Decision]:
        yield Roll(tuple(rng.randint(1, self.sides) for _ in range(self.dice)))

    def outcomes(self) -> Iterator[tuple[Roll, float]]:
        """Every outcome with its probability, lazily, in lexical order."""
        probability = float(self.sides) ** -self.dice
        for faces in product(range(1, self.sides + 1), repeat=self.dice):
            yield Roll(faces), probability

    def merged_outcomes(self) -> Iterator[tuple[Roll, float]]:
        """One outcome, with its probability, for each number of hits of each line, lazily: dice of
        a line that hit are alike. Where a line is read off a table, for each combination of faces.
        """
        for roll, ways in self.merged_ways():
            yield roll, ways / self.sides**self.dice

    def merged_ways(self) -> Iterator[tuple[Roll, int]]:
        """The same, with the number of outcomes that each of them stands for."""
        for parts in product(*(_cases(line) for line in self.lines)):
            faces: tuple[int, ...] = ()
            number = 1
            for some, ways in parts:
                faces += some
                number *= ways
            yield Roll(faces), number


def _cases(line: RollLine) -> Iterator[tuple[tuple[int, ...], int]]:
    """The faces of a line that are one case, in order, and in how many ways they come about."""
    _, _, count, value, sides = line
    if value <= 0:
        for faces in combinations_with_replacement(range(1, sides + 1), count):
            ways = factorial(count)
            for face in set(faces):
                ways //= factorial(faces.count(face))
            yield faces, ways
        return
    for hits in range(count, -1, -1) if value < sides else (count,):
        faces = (1,) * hits + (sides,) * (count - hits)
        hit = min(value, sides)
        yield faces, comb(count, hits) * hit**hits * (sides - hit) ** (count - hits)


def caption(kind: str, lines: tuple[RollLine, ...]) -> str:
    """A roll in words, where a game has none of its own: `attack: 2 infantry at 1, 1 tank at 3`."""
    parts = [
        " ".join([str(line.count), line.type.replace("_", " ") or "dice"])
        + (f" at {line.value}" if line.value else "")
        for line in lines
    ]
    return f"{kind.replace('_', ' ')}: {', '.join(parts)}"


class Legal:
    """The decisions that a request allows in a position: iterate, sample, or test one.

    It looks at the position as it is when it is asked: use it before the game goes on.
    """

    __slots__ = ("_sampled", "asked", "request", "state")

    def __init__(self, request: Request, state: Any, *, may_pass: bool = False) -> None:
        self.asked = request
        self.request: Request | _Passable = _Passable(request) if may_pass else request
        self.state = state
        self._sampled: tuple[Decision, Decision] | None = None
        """What was sampled last, and so checked already; with a copy, because the caller may still
        change what it sampled."""

    def __iter__(self) -> Iterator[Decision]:
        return self.request.decisions(self.state)

    def sample(self, rng: random.Random) -> Decision:
        """One legal decision at random."""
        decision = self.request.sample(self.state, rng)
        self._sampled = decision, _copied(decision)
        return decision

    def read(self, decision: object) -> Decision:
        """`decision`, typed or plain, as a typed one; IllegalDecision if it is not allowed."""
        sampled = self._sampled
        if sampled is not None and sampled[0] is decision and sampled[1] == decision:
            return sampled[1]
        answer = read_decision(decision, self.request.answers)
        try:
            self.request.check(self.state, answer)
        except IllegalDecision:
            raise
        except Exception as error:
            raise RuleError(f"The check of {answer.kind} failed: {error!r}.") from error
        return answer

    def __contains__(self, decision: object) -> bool:
        return passes(self.read, decision)

    def why_not(self, decision: object) -> str:
        """Why a decision is not allowed; "" if it is."""
        try:
            self.read(decision)
        except IllegalDecision as error:
            return error.reason
        return ""


class _Passable:
    """A request as it stands in an offer: the same, or pass."""

    __slots__ = ("_request", "answers")

    def __init__(self, request: Request) -> None:
        self._request = request
        self.answers: tuple[type[Decision], ...] = (*request.answers, Pass)

    def check(self, state: Any, decision: Decision) -> None:
        if not isinstance(decision, Pass):
            self._request.check(state, decision)

    def decisions(self, state: Any) -> Iterator[Decision]:
        yield Pass()
        yield from self._request.decisions(state)

    def sample(self, state: Any, rng: random.Random) -> Decision:
        return Pass() if rng.random() < 0.5 else self._request.sample(state, rng)


def _copied(decision: Any) -> Decision:
    """An equal decision that shares nothing with it that could be changed."""
    kind: type[Decision] = type(decision)
    dicts = _dicts(kind)
    if dicts is None:
        decoded: Decision = _decoder(kind).decode(_ENCODER.encode(decision))
        return decoded
    apart: Decision = decision.__copy__() if dicts else decision
    for name in dicts:
        value = getattr(decision, name)
        if value is not None:
            msgspec.structs.force_setattr(apart, name, value.copy())
    return apart


@cache
def _dicts(kind: type[Decision]) -> tuple[str, ...] | None:
    """The fields of a kind of decision that hold a dict of what cannot be changed; None if there is
    something else in it that can."""
    found: list[str] = []
    for each in msgspec.structs.fields(kind):
        held = [part for part in _parts(each.type) if not _fixed(part)]
        if any(
            get_origin(part) is not dict or not all(map(_fixed, get_args(part))) for part in held
        ):
            return None
        if held:
            found.append(each.name)
    return tuple(found)


def _fixed(hint: Any) -> bool:
    """Whether no value of a declared type can be changed."""
    if get_origin(hint) is tuple:
        return all(part is ... or all(map(_fixed, _parts(part))) for part in get_args(hint))
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return hint.__struct_config__.frozen and all(
            _fixed(part) for each in msgspec.structs.fields(hint) for part in _parts(each.type)
        )
    return get_origin(hint) is Literal or hint in (str, int, bool, NoneType)


def _parts(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


@cache
def _decoder(kind: type[Decision]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


@cache
def _by_kind(answers: tuple[type[Decision], ...]) -> dict[object, type[Decision]]:
    return {answer.__struct_config__.tag: answer for answer in answers}


def is_one_of(value: object, answers: tuple[type[Decision], ...]) -> bool:
    """Whether a decision, typed or plain, is of a kind in `answers`."""
    if isinstance(value, dict):
        kind = value.get("kind")
        return isinstance(kind, str) and kind in _by_kind(answers)
    return isinstance(value, answers)


def read_decision(value: object, answers: tuple[type[Decision], ...]) -> Decision:
    """`value` as one of the decision types in `answers`; IllegalDecision if it is none.

    Plain dictionaries (from JSON) are converted. Typed decisions go the same way: Python does not
    hold anybody to the declared types of their fields.
    """
    try:
        if isinstance(value, Decision):
            value = plain(value)
        if not isinstance(value, dict):
            raise IllegalDecision(
                f"A decision is an object with a kind ({_expected(answers)}), "
                f"not {type(value).__name__}."
            )
        kind = value.get("kind")
        shape = _by_kind(answers).get(kind)
        if shape is None:
            raise IllegalDecision(
                f"A decision of kind {_expected(answers)} is asked for, not {shown(kind)}."
            )
        return msgspec.convert(value, shape, str_keys=True)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        raise IllegalDecision(f"The decision is malformed: {error}.") from None


def _expected(answers: tuple[type[Decision], ...]) -> str:
    return " or ".join(sorted(str(kind) for kind in _by_kind(answers)))


def plain(value: Any) -> Any:
    """`value` (decisions, requests, records) as plain JSON data."""
    return msgspec.to_builtins(value, str_keys=True)


def shown(value: object) -> str:
    """Anything that somebody sent instead of a name, short enough for an error message."""
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:39] + "…")
    return type(value).__name__
