"""What clients are told: words that can be drawn, places and powers that there are, and offers that
the rules accept."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

import sandtable
from sandtable.kernel import registry
from sandtable.kernel.decisions import Legal
from sandtable.kernel.display import (
    About,
    Battle,
    Choice,
    Combatant,
    Form,
    Moment,
    NoQuestion,
    Picture,
    Plan,
    Power,
    Reach,
    Reading,
    Space,
)
from sandtable.kernel.vocabulary import unknown_words
from sandtable.maps.sheet import sheet_of
from tests.conformance.driver import new, step, steps_of
from tests.kernel.toy import ToyRules, ToyState

POINTS = 12
"""At how many points a game is looked at."""

POWERS = {"power", "owner", "holder"}
SPACES = {"space", "spaces", "path", "pair", "focus", "landings", "refused", "ways", "names"}
"""Fields of records that name powers and spaces, alone, in lists or as keys."""


@cache
def spaces_of(map: str) -> set[str]:
    """The spaces of a map."""
    return set(sheet_of(map).spaces)


class Told:
    """What a game has told about itself, to hold everything else against."""

    def __init__(self, about: About) -> None:
        self.powers = {power.id for power in (*about.powers, *about.others)}
        self.sides = {power.side for power in about.powers}
        self.layers = {layer.id for layer in about.layers}
        self.charts = {chart.id: chart for chart in about.charts}
        self.spaces = spaces_of(about.map) if about.map else set()

    def faults(self, record: object) -> list[str]:
        """What is wrong with the words, powers, spaces and layers that a record names."""
        found = [*unknown_words(record)]
        found += [f"{each} cannot be read" for each in readings(record) if not self.read(each)]
        for name, value in named(record):
            if name in POWERS and value not in self.powers:
                found.append(f"{name} {value!r} is no power")
            elif name in SPACES and value not in self.spaces:
                found.append(f"{name} {value!r} is not on the map")
            elif name == "layer" and value not in self.layers:
                found.append(f"{value!r} is no layer")
        return found

    def read(self, reading: Reading) -> bool:
        """Whether a reading stands in its chart."""
        chart = self.charts.get(reading.chart)
        return (
            chart is not None
            and reading.row in chart.rows
            and reading.column in ("", *chart.columns)
        )


def readings(record: object) -> Iterator[Reading]:
    """Every reading in a record."""
    if isinstance(record, Reading):
        yield record
    elif isinstance(record, Struct):
        for name in record.__struct_fields__:
            yield from readings(getattr(record, name))
    elif isinstance(record, tuple):
        for value in record:
            yield from readings(value)


def named(record: object) -> Iterator[tuple[str, str]]:
    """Every text in the fields of a record that name powers, spaces and layers."""
    if isinstance(record, Struct):
        for name in record.__struct_fields__:
            value = getattr(record, name)
            # The path of a row leads into its decision, a track has rows for sides as well; another
            # game that is offered has powers of its own (`test_welcome.py` looks at those).
            kind = type(record).__name__
            apart = kind == "QuickStart" or (kind == "Row" and name == "path")
            if name in POWERS | SPACES | {"layer"} and not apart:
                texts = (value,) if isinstance(value, str) else value or ()
                yield from ((name, text) for text in texts if text and isinstance(text, str))
            yield from named(value)
    elif isinstance(record, dict):
        for value in record.values():
            yield from named(value)
    elif isinstance(record, tuple):
        for value in record:
            yield from named(value)


def offered(form: Form) -> Iterator[Any]:
    """The complete decisions that a form offers."""
    yield from complete(form.choices)
    if form.done is not None and not form.done_problem:
        yield form.done
    if form.auto is not None:
        yield form.auto


def alike(form: Form) -> Iterator[str]:
    """Choices of a form that nobody can tell apart."""
    seen = set()
    for choice in form.choices:
        shown = (choice.group, choice.label, choice.detail, choice.power, choice.symbol)
        if shown in seen:
            yield f"{form.kind} offers {choice.label!r} twice"
        seen.add(shown)


def complete(choices: tuple[Choice, ...]) -> Iterator[Any]:
    return (choice.decision for choice in choices if not choice.rows)


def reaches(game: sandtable.Game, legal: Legal, form: Form, rng: random.Random) -> Iterator[Reach]:
    """Where one of the movers can go, by itself or with what it may take along."""
    for mover in rng.sample(form.movers, min(2, len(form.movers))):
        row = rng.choice(mover.rows)
        try:
            yield game.rules.reach(legal, mover.space, {row.key: 1})
        except NoQuestion:
            assert row.cargo, f"{row.label} in {mover.space} is offered and cannot be chosen"


def plans(game: sandtable.Game, legal: Legal, form: Form, rng: random.Random) -> Iterator[Plan]:
    """What it takes to give one of the courses another capacity, where they can be changed."""
    if form.network is not None and form.network.ends and form.network.courses:
        course = rng.choice(form.network.courses)
        yield game.rules.plan(legal, {course.ends: course.capacity + 1})


def faults(game: sandtable.Game, rng: random.Random) -> list[str]:
    """What is wrong with everything that clients are told now."""
    rules = game.rules
    about = rules.about(game.state)
    told = Told(about)
    found = told.faults(about)
    colours = [power.colour for power in about.powers if power.colour]
    if len(set(colours)) < len(colours):
        found.append(f"two powers have one colour: {colours}")
    seen: Picture | None = None
    for eyes in ((), *((power,) for power in rules.powers)):
        picture = rules.picture(game.state, eyes)
        found += told.faults(picture if seen is None else what_is_new(picture, seen))
        seen = seen or picture
        found += [f"{id} is not on the map" for id in picture.spaces if id not in told.spaces]
        for track in picture.tracks:
            known = told.powers | told.sides
            found += [f"{id!r} is no power or side" for id in track.rows if id not in known]
    for event in list(game.events)[-60:]:
        line = rules.line(game.state, event)
        found += [f"{each} cannot be read" for each in readings(line) if not told.read(each)]
    for request in (*game.pending, *game.may):
        legal = game.legal(request)
        form = rules.form(legal)
        found += told.faults(form)
        if (form.kind, form.power) != (request.kind, request.power):
            found.append(f"a form of {form.kind} for {request.kind}")
        found += alike(form)
        answers = list(offered(form))
        for reach in reaches(game, legal, form, rng):
            found += told.faults(reach)
            for way in reach.ways.values():
                answers += complete(way.decisions)
        for plan in plans(game, legal, form, rng):
            found += told.faults(plan)
            answers += complete(plan.moves[:1])
        for answer in rng.sample(answers, min(12, len(answers))):
            if answer not in legal:
                found.append(f"{form.kind} offers {answer}, which is illegal")
    return found


def what_is_new(picture: Picture, seen: Picture) -> Picture:
    """A picture without what is the same in one that was looked at."""
    same: dict[str, Any] = {
        each: type(value)()
        for each in picture.__struct_fields__
        if isinstance(value := getattr(picture, each), tuple | dict)
        and value == getattr(seen, each)
    }
    spaces = {id: space for id, space in picture.spaces.items() if seen.spaces.get(id) != space}
    return replace(picture, **{**same, "spaces": spaces})


def points(game_id: str) -> Iterator[tuple[sandtable.Game, random.Random]]:
    """A game at some points; each takes its time."""
    game, rng = new(game_id, seed=41), random.Random(41)
    steps = steps_of(game_id)
    for number in range(steps):
        if not game.pending:
            return
        if number % (steps // POINTS) == 0:
            yield game, random.Random(number)
        step(game, rng)


def test_what_clients_are_told_can_be_drawn_and_done(game_id: str) -> None:
    for game, rng in points(game_id):
        assert faults(game, rng) == []


# --- the test above can fail -----------------------------------------------------------------


class Loose(ToyRules):
    """Tells clients of what there is not."""

    def about(self, state: ToyState) -> About:
        powers = tuple(Power(id, id, id, "red") for id in self.powers)
        return About(self.id, self.title, "", powers)

    def picture(self, state: ToyState, powers: Any) -> Picture:
        return Picture(
            Moment("", "", power="nobody"),
            {"atlantis": Space(owner="mu", tags=("sunk",))},
            battle=Battle(
                "", "", 0, "", (Combatant("", "", (), reading=Reading("odds", "3", "3")),)
            ),
        )

    def form(self, legal: Legal) -> Form:
        plain = super().form(legal)
        return Form(
            plain.kind,
            plain.power,
            "choose",
            "",
            "",
            choices=(Choice("", {"kind": "place", "field": "moon"}, spaces=("moon",)),) * 2,
        )


def test_every_mistake_is_found() -> None:
    registry.add(Loose())
    found = " ".join(faults(new("toy", seed=1), random.Random(1)))
    for mistake in (
        "two powers have one colour",
        "power 'nobody' is no power",
        "owner 'mu' is no power",
        'no "sunk" among its tags',
        "atlantis is not on the map",
        "cannot be read",
        "spaces 'moon' is not on the map",
        "'field': 'moon'}, which is illegal",
        "offers '' twice",
    ):
        assert mistake in found, mistake


class LooseRights(ToyRules):
    """Draws its questions well, and its rights badly."""

    def form(self, legal: Legal) -> Form:
        plain = super().form(legal)
        if legal.asked.kind != "make_gift":
            return plain
        gift = {"kind": "gift", "to": "nobody", "coins": 99}
        return Form("gift", plain.power, "choose", "", "", choices=(Choice("", gift),))


def test_rights_are_drawn_and_done_like_questions() -> None:
    registry.add(LooseRights())
    found = " ".join(faults(new("toy", seed=1), random.Random(1)))
    assert "a form of gift for make_gift" in found
    assert "'coins': 99}, which is illegal" in found


def test_a_mover_that_cannot_be_chosen_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = new("aa1942", seed=3)
    game.submit("soviet_union", {"kind": "buy"})

    def none(*_: Any) -> Reach:
        raise NoQuestion("No.")

    monkeypatch.setattr(type(game.rules), "reach", none)
    with pytest.raises(AssertionError, match="cannot be chosen"):
        faults(game, random.Random(1))
