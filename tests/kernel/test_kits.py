"""Ready requests: what is listed, sampled, checked and drawn agrees."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from string import Formatter
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sandtable
from sandtable.kernel.decisions import Decision, Legal, Request, plain
from sandtable.kernel.display import filled
from sandtable.kernel.kits import (
    Answer,
    Assign,
    Choose,
    ChooseOne,
    HowMany,
    Number,
    Numbers,
    YesOrNo,
)
from sandtable.kernel.ruleset import plain_form


class Target(ChooseOne, frozen=True, tag="target"):
    options: tuple[str, ...]
    rule: ClassVar[str] = "4.2"


class Go(Decision, frozen=True, tag="go"):
    to: str
    port: str = ""


class Home(ChooseOne, frozen=True, tag="home"):
    bases: tuple[tuple[str, str], ...]
    among: ClassVar[str] = "bases"
    answers: ClassVar[tuple[type[Decision], ...]] = (Go,)
    rule: ClassVar[str] = "4.3"
    refusal: ClassVar[str] = "There is no base {asked}."


class Agree(YesOrNo, frozen=True, tag="agree"):
    pass


class Fleet(HowMany, frozen=True, tag="fleet"):
    least: int
    most: int
    rule: ClassVar[str] = "4.4"


class Losses(Assign, frozen=True, tag="losses"):
    most: dict[str, int]
    total: int
    rule: ClassVar[str] = "4.5"


class Some(Losses, frozen=True, tag="some"):
    def totals(self, state: Any) -> range:
        return range(1, self.total + 1)

    def check(self, state: Any, decision: Numbers) -> None:
        super().check(state, decision)
        if len(decision.numbers) > 2:
            raise sandtable.IllegalDecision("Of two kinds at most.", self.rule)


names = st.sampled_from("abcd")
requests = st.one_of(
    st.builds(Target, st.just("red"), st.lists(names, min_size=1, unique=True).map(tuple)),
    st.builds(
        Home, st.just("red"), st.lists(st.tuples(names, names), min_size=1, unique=True).map(tuple)
    ),
    st.builds(Agree, st.just("red")),
    st.integers(-2, 3).flatmap(
        lambda least: st.builds(
            Fleet, st.just("red"), st.just(least), st.integers(least, least + 4)
        )
    ),
    *(
        st.builds(
            kind,
            st.just("red"),
            st.dictionaries(names, st.integers(1, 3), min_size=1, max_size=4),
            st.integers(1, 3),
        ).filter(lambda request: request.total <= sum(request.most.values()))
        for kind in (Losses, Some)
    ),
)


def every(request: Request) -> list[Decision]:
    """Every decision of the right type, within the limits or just beyond them."""
    if isinstance(request, Target):
        return [Choose(name) for name in "abcdefg"]
    if isinstance(request, Home):
        return [Go(to, port) for to in "abcdef" for port in ("", *"abcdef")]
    if isinstance(request, Agree):
        return [Answer(True), Answer(False)]
    if isinstance(request, Fleet):
        return [Number(number) for number in range(-5, 10)]
    return [
        Numbers({key: number for key, number in zip("abcd", numbers, strict=True) if number})
        for numbers in product(range(-1, 5), repeat=4)
    ]


@given(requests, st.integers())
def test_what_is_legal_is_listed_once_and_everything_else_refused(
    request: Request, seed: int
) -> None:
    legal = Legal(request, None)
    listed = list(legal)
    assert listed
    assert all(listed.count(decision) == 1 for decision in listed)
    assert [decision for decision in every(request) if decision in legal] == sorted(
        listed, key=every(request).index
    )
    assert legal.sample(random.Random(seed)) in listed


@given(requests)
def test_its_form_offers_what_is_legal(request: Request) -> None:
    legal = Legal(request, None)
    form = plain_form(legal)
    if isinstance(request, Assign) or (isinstance(request, Fleet) and request.least >= 0):
        assert form.component == "assign"
        (limit,) = form.limits
        answers = [
            filled(form.base, form.rows, dict(zip((r.key for r in form.rows), n, strict=True)))
            for n in product(*(range(row.most + 1) for row in form.rows))
            if limit.least <= sum(n) <= limit.most
        ]
        if not isinstance(request, Some):
            assert all(answer in legal for answer in answers)
        assert all(plain(decision) in answers for decision in legal)
    else:
        assert form.component == "choose"
        assert [choice.decision for choice in form.choices] == [plain(each) for each in legal]


def test_many_options_are_all_listed() -> None:
    request = Target("red", tuple(f"area_{number}" for number in range(100)))
    form = plain_form(Legal(request, None))
    assert (form.component, len(form.choices)) == ("choose", 100)


class Facts:
    def name(self, id: str) -> str:
        return {"a": "the Alps", "b": "Bern"}.get(id, repr(id))


class Board:
    facts = Facts()


@pytest.mark.parametrize(
    ("request_", "decision", "rule", "reason"),
    [
        (Target("red", ("a",)), Choose("b"), "4.2", "Bern is not one of the options."),
        (Target("red", ("b",)), Choose("a"), "4.2", "The Alps is not one of the options."),
        (Target("red", ("a",)), Choose(""), "4.2", "Nothing is not one of the options."),
        (Home("red", (("a", "b"),)), Go("a"), "4.3", "There is no base the Alps."),
        (Home("red", (("a", "b"),)), Go("b", "a"), "4.3", "There is no base Bern, the Alps."),
        (Fleet("red", 1, 3), Number(0), "4.4", "It is a number from 1 to 3, not 0."),
        (Fleet("red", 1, 3), Number(10**5000), "4.4", "It is a number from 1 to 3, not so much."),
        (Losses("red", {"a": 2}, 1), Numbers({}), "4.5", "The numbers add up to 0, not to 1 to 1."),
        (
            Losses("red", {"a": 2}, 1),
            Numbers({"a": 1, "b": 0}),
            "4.5",
            "Bern gets a number from 1 to 0, not 0.",
        ),
        (
            Losses("red", {"a": 2}, 1),
            Numbers({"a": 3}),
            "4.5",
            "The Alps gets a number from 1 to 2, not 3.",
        ),
    ],
)
def test_a_refusal_names_what_was_asked_and_the_rule_of_the_subclass(
    request_: Request, decision: Decision, rule: str, reason: str
) -> None:
    with pytest.raises(sandtable.IllegalDecision) as refusal:
        Legal(request_, Board()).read(decision)
    assert (refusal.value.reason, refusal.value.rule) == (reason, rule)


@pytest.mark.parametrize("state", [None, Board()])
def test_a_refusal_stays_short(state: object) -> None:
    """Whatever was sent, and in a game that has no names."""
    with pytest.raises(sandtable.IllegalDecision, match=r"^'zzz.*…' is not one") as refusal:
        Legal(Target("red", ("a",)), state).read(Choose("z" * 100_000))
    assert len(refusal.value.reason) < 200


def test_only_what_fits_the_total_is_looked_at() -> None:
    """Twenty kinds, all of them lost: one way, found at once."""
    most = {f"type_{number:02}": 5 for number in range(20)}
    assert list(Losses("red", most, 100).decisions(None)) == [Numbers(most)]


def kinds(of: type[Request]) -> Iterator[type[Request]]:
    """The requests of games that are of a ready kind."""
    for kind in of.__subclasses__():
        if kind.__struct_config__.tag and kind.__module__.startswith("sandtable.games."):
            yield kind
        yield from kinds(kind)


def test_every_refusal_of_a_game_can_be_said() -> None:
    for id in sandtable.game_ids():
        sandtable.new(id, seed=1)  # which imports its rules
    found = {*kinds(ChooseOne), *kinds(Assign)}
    assert len(found) > 15
    for kind in found:
        assert issubclass(kind, ChooseOne | Assign)
        (answer,) = kind.answers
        known = {"asked", *kind.__struct_fields__, *answer.__struct_fields__}
        sentences = [kind.refusal]
        if issubclass(kind, Assign):
            sentences.append(kind.wrong_total)
            known |= {"key", "number", "limit", "sum", "least", "most"}
        if issubclass(kind, HowMany):
            known |= {"least", "most"}
        for sentence in sentences:
            used = {field for _, field, _, _ in Formatter().parse(sentence) if field}
            assert used <= known, (kind, sentence)
            assert used or kind.wrong_total == sentence, (kind, sentence)  # type: ignore[union-attr]
