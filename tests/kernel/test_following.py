"""A game that was decided elsewhere: following its journal, going back to any entry of it, and what
every game can show without a view of its own."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable import IllegalDecision, SandtableError, SaveError
from sandtable.kernel import saves
from sandtable.kernel.decisions import Pass, plain
from sandtable.kernel.display import NoQuestion
from sandtable.kernel.game import Game, JournalMismatch, Rolled
from sandtable.kernel.ruleset import in_words, plain_form
from sandtable.kernel.savefile import save_text
from tests.conformance.driver import advance, picture

pytestmark = pytest.mark.usefixtures("toy")

chances = pytest.mark.parametrize("chance", ["drawn", "explicit"])


def played(steps: int = 45, **arguments: Any) -> Game:
    game = sandtable.new("toy", **{"seed": 3, "options": {"rounds": 5}, **arguments})
    return advance(game, random.Random(9), steps)


def entries(game: Game) -> list[Any]:
    return [saves.entry_from_plain(e.plain(), "") for e in game.journal]


def bounds(game: Game) -> list[int]:
    """The lengths of the journal at which the game has rested."""
    rolled = [isinstance(entry, Rolled) for entry in game.journal]
    return [n for n in range(len(rolled) + 1) if n == len(rolled) or not rolled[n]]


@chances
def test_a_game_can_be_looked_at_after_any_decision(chance: str) -> None:
    game = played(chance=chance)
    before = picture(game)
    for length in bounds(game):
        there = game.at(length)
        assert there.version == length
        replayed = sandtable.new("toy", seed=3, options={"rounds": 5}, chance=chance)
        replayed.follow(entries(game)[:length])
        assert picture(there) == picture(replayed)
    assert picture(game) == before


def test_an_earlier_position_goes_on_by_itself() -> None:
    game = played()
    before = picture(game)
    earlier = game.at(bounds(game)[10])
    advance(earlier, random.Random(1), 20)
    assert picture(game) == before


@pytest.mark.parametrize("length", [-1, 10_000])
def test_there_is_no_position_beyond_the_journal(length: int) -> None:
    with pytest.raises(SandtableError, match="journal entries"):
        played().at(length)


@chances
def test_a_game_follows_another_step_by_step(chance: str) -> None:
    game = played(chance=chance)
    follower = sandtable.new("toy", seed=99, options={"rounds": 5}, chance=chance)
    told = entries(game)
    ends = bounds(game)
    for start, end in pairwise(ends):
        follower.follow(told[start:end])
        assert follower.version == end
    assert picture(follower) == picture(game)


def test_a_follower_with_standing_orders_does_as_the_journal_says() -> None:
    game = played(200)
    follower = sandtable.new("toy", seed=3, options={"rounds": 5})
    for power in game.rules.powers:
        follower.standing[power, "offer_help"] = Pass()
    follower.follow(entries(game))
    assert picture(follower) == picture(game)
    assert len(follower.standing) == len(game.rules.powers)


def test_a_wrong_roll_is_refused_and_what_came_before_it_is_there() -> None:
    game = played()
    told = entries(game)
    first = next(n for n, entry in enumerate(told) if isinstance(entry, Rolled))
    told[first] = msgspec.structs.replace(told[first], kind="something else")
    follower = sandtable.new("toy", seed=3, options={"rounds": 5})
    with pytest.raises(JournalMismatch):
        follower.follow(told)
    assert follower.version == first - 1
    assert picture(follower) == picture(game.at(first - 1))


def test_a_roll_where_none_is_made_is_refused() -> None:
    follower = sandtable.new("toy", seed=3)
    with pytest.raises(JournalMismatch):
        follower.follow([Rolled((3,), 6, "nothing")])
    assert follower.version == 0


def test_a_decision_that_is_not_allowed_is_refused() -> None:
    follower = sandtable.new("toy", seed=3)
    with pytest.raises(IllegalDecision):
        follower.follow([(follower.pending[0].power, {"kind": "place", "field": "nowhere"})])
    assert follower.version == 0


def test_a_game_is_taken_up_from_its_journal_and_goes_on_with_its_dice() -> None:
    game = played()
    again = saves.resume("toy", game.options, None, game.dice, entries(game))
    assert picture(again) == picture(game)
    advance(again, random.Random(4), 30)
    advance(game, random.Random(4), 30)
    assert picture(again) == picture(game)


def test_a_journal_that_does_not_fit_names_its_entry() -> None:
    game = played()
    told = entries(game)
    told[7] = ("red", {"kind": "nonsense"})
    with pytest.raises(SaveError, match=r"Journal entry 7 "):
        saves.resume("toy", game.options, None, game.dice, told)


def test_a_save_is_loaded_and_verified_from_its_bytes() -> None:
    game = played()
    text = save_text(game).encode()
    assert picture(sandtable.load(text)) == picture(game)
    assert sandtable.verify(text).ok
    with pytest.raises(SaveError, match=r"^The save is not a complete save"):
        sandtable.load(text[:-20])


def test_where_decisions_are_many_the_plain_form_has_fields_beside_examples() -> None:
    game = sandtable.new("aa1942", seed=1)
    legal = game.legal(game.pending[0])
    form = plain_form(legal)
    assert form.component == "schema" and "units" in str(form.schema)
    assert 0 < len(form.choices) <= 10
    assert all(choice.decision in legal for choice in form.choices)


def test_a_game_without_a_view_can_still_be_shown_and_played() -> None:
    game = played(0)
    rules, state = game.rules, game.state
    assert [power.id for power in rules.about(state).powers] == list(rules.powers)
    assert rules.picture(state, ()).moment.round == 1
    assert rules.seats(game.options) == tuple((power,) for power in rules.powers)
    form = rules.form(game.legal(game.pending[0]))
    assert form.component == "choose" and form.prompt == game.pending[0].prompt
    legal = game.legal(game.pending[0])
    assert [choice.decision for choice in form.choices] == [plain(each) for each in legal]
    assert form.choices[0].label == in_words(form.choices[0].decision)
    assert rules.picture(state, ()).text == rules.board(state, ())
    assert rules.figures(state) == {}
    assert rules.seated(game.options, {}) == game.options
    with pytest.raises(NoQuestion):
        rules.reach(game.legal(game.pending[0]), "north", {})
    with pytest.raises(NoQuestion):
        rules.odds(game, "north", None, "red")
    advance(game, random.Random(2), 5)
    line = rules.line(game.state, game.events[0])
    assert line.text == rules.sentence(game.state, game.events[0])
