"""Ready requests: one of several options, yes or no, how many, numbers by key.

A subclass gives its tag, its fields and the `rule` that refuses everything else, and is checked,
listed, sampled and drawn without a line of its own:

    class ChooseRetreat(ChooseOne, frozen=True, tag="choose_retreat"):
        options: tuple[str, ...]
        rule: ClassVar[str] = "6.3"

Where a game has fields and decisions of its own, it names them: `among` is the field that holds the
options, `answers` the type of decision. A decision of one field holds an option; one of several
fields is an option that is a tuple.

A `refusal` is a sentence that names what was asked for: fields of the request and of the decision
stand in it in braces, and `{asked}` is what the decision names. Ids become the names that the facts
of the game have for them (`name` of its facts).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

import msgspec

from sandtable.kernel.decisions import Decision, Request, shown
from sandtable.kernel.errors import IllegalDecision


class Choose(Decision, frozen=True, tag="choose"):
    """One of the options."""

    option: str


class Answer(Decision, frozen=True, tag="answer"):
    """Yes or no."""

    yes: bool


class Number(Decision, frozen=True, tag="number"):
    """So many."""

    number: int


class Numbers(Decision, frozen=True, tag="numbers"):
    """So many of each; what is not named gets none."""

    numbers: dict[str, int]


_LONGEST = 100
_HIGHEST = 10**9
"""No id is longer and no number of a game higher: that stands in no sentence."""


def _refused(
    request: Request, state: Any, decision: Decision, refusal: str, **more: object
) -> IllegalDecision:
    """The refusal of a decision, in names."""
    decided = msgspec.structs.asdict(decision)
    fields = {**msgspec.structs.asdict(request), **decided, **more}
    asked = (_named(state, value) for value in decided.values() if value not in ("", ()))
    words = {name: _named(state, value) for name, value in fields.items()}
    reason = refusal.format_map({"asked": ", ".join(asked) or "Nothing", **words})
    return IllegalDecision(f"{reason[0].upper()}{reason[1:]}", getattr(request, "rule"))  # noqa: B009


def _named(state: Any, value: object) -> str:
    if isinstance(value, str):
        name = getattr(getattr(state, "facts", None), "name", shown)
        return str(name(value) if len(value) <= _LONGEST else shown(value))
    if isinstance(value, tuple | list | dict):
        return ", ".join(_named(state, each) for each in value)
    if isinstance(value, int) and abs(value) > _HIGHEST:
        return "so much"
    return str(value)


class ChooseOne(Request, frozen=True):
    """One of the options in the field `among`."""

    among: ClassVar[str] = "options"
    answers: ClassVar[tuple[type[Decision], ...]] = (Choose,)
    rule: ClassVar[str] = ""
    refusal: ClassVar[str] = "{asked} is not one of the options."

    def allowed(self, state: Any) -> Sequence[Any]:
        """The options, for games in which they are not in a field but follow from the position."""
        options: Sequence[Any] = getattr(self, self.among)
        return options

    def check(self, state: Any, decision: Decision) -> None:
        chosen = msgspec.structs.astuple(decision)
        if (chosen if len(chosen) > 1 else chosen[0]) not in self.allowed(state):
            raise _refused(self, state, decision, self.refusal)

    def decisions(self, state: Any) -> Iterator[Decision]:
        (answer,) = self.answers
        for option in self.allowed(state):
            yield answer(*option) if isinstance(option, tuple) else answer(option)


class YesOrNo(ChooseOne, frozen=True):
    """Yes or no; both are allowed."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Answer,)

    def allowed(self, state: Any) -> Sequence[bool]:
        return (True, False)


class HowMany(ChooseOne, frozen=True):
    """A number, from the field `least` (0 if there is none) to the field `among`."""

    among: ClassVar[str] = "most"
    answers: ClassVar[tuple[type[Decision], ...]] = (Number,)
    refusal: ClassVar[str] = "It is a number from {least} to {most}, not {asked}."

    def allowed(self, state: Any) -> range:
        return range(getattr(self, "least", 0), getattr(self, self.among) + 1)

    def check(self, state: Any, decision: Decision) -> None:
        (chosen,) = msgspec.structs.astuple(decision)
        if chosen not in self.allowed(state):
            ends = {"least": getattr(self, "least", 0), "most": getattr(self, self.among)}
            raise _refused(self, state, decision, self.refusal, **ends)


class Assign(Request, frozen=True):
    """Numbers by key: of each at most what the field `among` has for it, `total` together."""

    among: ClassVar[str] = "most"
    answers: ClassVar[tuple[type[Decision], ...]] = (Numbers,)
    rule: ClassVar[str] = ""
    refusal: ClassVar[str] = "{key} gets a number from 1 to {limit}, not {number}."
    """Of a number by itself."""
    wrong_total: ClassVar[str] = "The numbers add up to {sum}, not to {least} to {most}."

    def limits(self, state: Any) -> Mapping[str, int]:
        """The most of each."""
        most: Mapping[str, int] = getattr(self, self.among)
        return most

    def totals(self, state: Any) -> range:
        """What the numbers may add up to."""
        total: int = getattr(self, "total")  # noqa: B009 (a field of the subclass)
        return range(total, total + 1)

    def check(self, state: Any, decision: Any) -> None:
        (numbers,) = msgspec.structs.astuple(decision)
        limits, totals, total = self.limits(state), self.totals(state), sum(numbers.values())
        for key, number in numbers.items():
            limit = limits.get(key, 0)
            if not 1 <= number <= limit:
                more = {"key": key, "number": number, "limit": limit}
                raise _refused(self, state, decision, self.refusal, **more)
        if total not in totals:
            more = {"sum": total, "least": totals.start, "most": totals.stop - 1}
            raise _refused(self, state, decision, self.wrong_total, **more)

    def decisions(self, state: Any) -> Iterator[Decision]:
        limits, totals = sorted(self.limits(state).items()), self.totals(state)
        (answer,) = self.answers

        def parts(at: int, used: int, rest: int) -> Iterator[dict[str, int]]:
            """What the keys from `at` on, which can have `rest`, may get after the others."""
            if at == len(limits):
                yield {}
                return
            key, most = limits[at]
            rest -= most
            for number in range(max(0, totals[0] - used - rest), min(most, totals[-1] - used) + 1):
                for others in parts(at + 1, used + number, rest):
                    yield {key: number, **others} if number else others

        possible = sum(most for _, most in limits)
        for numbers in parts(0, 0, possible) if totals and totals[0] <= possible else ():
            decision = answer(numbers)
            with suppress(IllegalDecision):  # a subclass may have added to the check
                self.check(state, decision)
                yield decision

    def propose(self, state: Any, rng: random.Random) -> Iterator[Decision]:
        (answer,) = self.answers
        every = [key for key, most in sorted(self.limits(state).items()) for _ in range(most)]
        totals = [total for total in self.totals(state) if total <= len(every)]
        for _ in range(100) if totals else ():
            numbers: dict[str, int] = {}
            for key in rng.sample(every, rng.choice(totals)):
                numbers[key] = numbers.get(key, 0) + 1
            yield answer(numbers)
        yield from self.decisions(state)
