"""Copies and steps back: at rest, inside a strict procedure, with answers still missing."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import sandtable
from sandtable import IllegalDecision, RuleError
from sandtable.kernel.decisions import CHANCE, Roll, RollLine
from sandtable.kernel.dice import SeededDice
from sandtable.kernel.game import _KEEP_EVERY, _MOST_KEPT, Game, Rolled
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table
from tests.conformance.driver import advance, picture, step
from tests.kernel.toy import (
    POWERS,
    Bid,
    Done,
    MakeBid,
    Place,
    PlaceStones,
    Stance,
    ToyRules,
    ToyState,
)

pytestmark = pytest.mark.usefixtures("toy")


def resting(game: Game) -> bool:
    return game.pending[0].kind == "place_stones" and game.version > 10


def in_duel(game: Game) -> bool:
    return game.pending[0].kind in ("choose_losses", "press_or_retreat")


def half_answered_at_rest(game: Game) -> bool:
    return game.pending[0].kind == "make_bid" and len(game.pending) == 2


def half_answered_in_duel(game: Game) -> bool:
    return game.pending[0].kind == "take_stance" and len(game.pending) == 1


def half_answered_offer(game: Game) -> bool:
    return game.pending[0].kind == "offer_help" and len(game.pending) == 1


def at_the_start(game: Game) -> bool:
    return game.version == 0


SITUATIONS = [
    at_the_start,
    resting,
    in_duel,
    half_answered_at_rest,
    half_answered_in_duel,
    half_answered_offer,
]

situations = pytest.mark.parametrize("situation", SITUATIONS)
chances = pytest.mark.parametrize("chance", ["drawn", "explicit"])


def found(situation: Callable[[Game], bool], chance: Any = "drawn") -> Game:
    """A game by random play in the situation."""
    for seed in range(100):
        rng = random.Random(seed)
        arguments: dict[str, Any] = {"seed": seed, "chance": chance, "options": {"rounds": 5}}
        game = sandtable.new("toy", **arguments)
        while game.pending:
            if situation(game):
                return game
            step(game, rng)
    raise AssertionError("No game comes to this situation.")


@situations
@chances
def test_a_clone_is_the_same_game(situation: Any, chance: Any) -> None:
    game = found(situation, chance)
    assert picture(game.clone()) == picture(game)
    assert picture(game.clone().clone()) == picture(game)


@situations
@chances
def test_a_clone_goes_on_alike(situation: Any, chance: Any) -> None:
    game = found(situation, chance)
    copies = [game.clone(), game.clone().clone()]
    for copy in (game, *copies):
        advance(copy, random.Random(5), 30)
    assert picture(copies[0]) == picture(copies[1]) == picture(game)


@situations
@chances
def test_clones_diverge_without_touching_each_other(situation: Any, chance: Any) -> None:
    game = found(situation, chance)
    before = picture(game)
    one = game.clone()
    two = one.clone()
    advance(one, random.Random(1), 15)
    after_one = picture(one)
    three = one.clone()
    advance(two, random.Random(2), 25)
    assert picture(game) == before
    assert picture(one) == after_one == picture(three)
    advance(three, random.Random(3), 10)
    assert picture(one) == after_one
    assert picture(game) == before
    game.submit(game.pending[0].power, game.legal(game.pending[0]).sample(random.Random(0)))
    assert picture(one) == after_one


@situations
def test_the_original_goes_on_after_its_clone_has_finished(situation: Any) -> None:
    game = found(situation)
    expected = picture(advance(game.clone(), random.Random(8), 20))
    advance(game.clone(), random.Random(9), 1000)
    assert picture(advance(game, random.Random(8), 20)) == expected


@situations
@chances
def test_undo_goes_back_to_the_very_start(situation: Any, chance: Any) -> None:
    game = found(situation, chance)
    if at_the_start(game):
        advance(game, random.Random(0), 40)
    target = game.clone()
    start = sandtable.new("toy", seed=0, chance=chance, options={"rounds": 5})
    while game.version:
        length = game.version
        game.undo()
        assert game.version < length
    assert picture(game) == picture(start)
    with pytest.raises(IllegalDecision, match="nothing to undo"):
        game.undo()
    assert picture(game) == picture(start)
    for entry in target.journal:
        if isinstance(entry, Rolled):
            if chance == "explicit":
                game.submit("chance", {"kind": "dice", "faces": entry.faces})
        else:
            game.submit(entry.power, entry.decision)
    assert picture(game) == picture(target)


@pytest.mark.parametrize("cloned", [False, True])
def test_undo_finds_every_position_again(cloned: bool) -> None:
    rng = random.Random(11)
    game = sandtable.new("toy", seed=11, options={"rounds": 40})
    pictures = [picture(game)]
    while len(pictures) < 2 * _KEEP_EVERY:
        step(game, rng)
        pictures.append(picture(game))
    while len(pictures) > 1:
        assert picture(game) == pictures.pop()
        if cloned:
            game = game.clone()
        game.undo()
    assert picture(game) == pictures[0]


def test_undo_across_dice_brings_the_same_dice_again() -> None:
    game = found(half_answered_in_duel)
    request = game.pending[0]
    before = picture(game)
    game.submit(request.power, Stance(True))
    assert isinstance(game.journal[-1], Rolled)
    after = picture(game)
    game.undo()
    assert picture(game) == before
    game.submit(request.power, Stance(True))
    assert picture(game) == after


def test_another_decision_does_not_change_the_dice() -> None:
    game = found(half_answered_in_duel)
    bold, careful = game.clone(), game.clone()
    bold.submit(game.pending[0].power, Stance(True))
    careful.submit(game.pending[0].power, Stance(False))
    assert bold.journal[-1] == careful.journal[-1]


def test_undo_of_the_end_reopens_the_game() -> None:
    game = sandtable.new("toy", seed=2)
    rng = random.Random(2)
    while game.pending:
        before = picture(game)
        last = step(game, rng)
    assert game.result is not None
    end = picture(game)
    game.undo()
    assert game.result is None
    assert picture(game) == before
    game.submit(*last)
    assert picture(game) == end


def test_a_clone_can_be_undone_beyond_its_birth() -> None:
    game = found(in_duel)
    before = picture(game)
    copy = game.clone()
    while copy.version:
        copy.undo()
    assert picture(game) == before
    advance(copy, random.Random(77), 50)
    assert picture(game) == before


class Counting(ToyRules):
    """The toy, which counts how often a decision was taken by the rules."""

    runs = 0

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        while g.state.coins["red"] < 1000:
            g.checkpoint()
            yield from g.ask(PlaceStones("red", 2))
            type(self).runs += 1
            g.state.coins["red"] += 1
        return Result((), "over")


def test_undo_in_a_long_free_loop_runs_little_again() -> None:
    rules = Counting()
    game = Game(rules, {}, rules.start(rules.read_options({}), None, None), SeededDice(1))
    for _ in range(500):
        game.submit("red", Done())
    Counting.runs = 0
    game.undo()
    assert game.version == 499
    assert Counting.runs <= 2 * _KEEP_EVERY


def test_a_long_game_keeps_few_positions_and_finds_all_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sandtable.kernel.game._KEEP_EVERY", 8)
    rules = Counting()
    state = rules.start(rules.read_options({}), None, None)
    game = Game(rules, {}, state, SeededDice(1))
    before = state.coins["red"]
    for _ in range(500):
        game.submit("red", Done())
        assert len(game._kept) <= _MOST_KEPT
    assert len(game._kept) > _MOST_KEPT / 2
    for at in range(0, 500, 37):
        assert game.at(at).state.coins["red"] == before + at


def test_a_clone_at_rest_runs_nothing_again() -> None:
    rules = Counting()
    game = Game(rules, {}, rules.start(rules.read_options({}), None, None), SeededDice(1))
    for _ in range(50):
        game.submit("red", Done())
    Counting.runs = 0
    game.clone().submit("red", Done())
    assert Counting.runs == 1


class Fencing(ToyRules):
    """One strict procedure after the other, each with a few decisions after a roll."""

    runs = 0

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        while g.state.placed < 20:
            g.checkpoint(strict=True)
            faces = yield from g.roll("parade", (RollLine("red", "steps", 2, 0),))
            for bout in range(3):
                yield from g.ask(PlaceStones("red", bout + 10 * sum(faces)))
                type(self).runs += 1
            g.state.placed += 1
        return Result((), "over")


def test_a_clone_in_a_strict_procedure_runs_only_that_again() -> None:
    rules = Fencing()
    game = Game(rules, {}, rules.start(rules.read_options({}), None, None), SeededDice(1))
    for _ in range(44):
        game.submit("red", Done())
    assert game.version < _KEEP_EVERY  # So that only the strict procedure can have been kept.
    Fencing.runs = 0
    game.clone().submit("red", Done())
    assert Fencing.runs <= 3


class Dicing(ToyRules):
    """Rolls between a checkpoint of a free loop and its request."""

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        while g.state.placed < 9:
            g.checkpoint()
            faces = yield from g.roll("mood", (RollLine("red", "mood", 2, 0),))
            yield from g.ask(PlaceStones("red", sum(faces)))
            g.state.placed += 1
        return Result((), "over")


@chances
@pytest.mark.parametrize("rules", [Fencing(), Dicing()])
def test_a_roll_after_a_checkpoint_is_not_rolled_again(rules: ToyRules, chance: Any) -> None:
    dice = SeededDice(1) if chance == "drawn" else None
    game = Game(rules, {}, rules.start(rules.read_options({}), None, None), dice)
    rng = random.Random(1)
    while game.pending:
        copies = [game.clone(), game.clone().clone()]
        decision = step(game, rng)
        for copy in copies:
            copy.submit(*decision)
            assert picture(copy) == picture(game)


class Ceremonious(ToyRules):
    """Does and tells something between the beginning of a strict procedure and its request."""

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        while g.state.placed < 9:
            g.checkpoint(strict=True)
            g.state.coins["red"] += 1
            g.emit("bowed")
            yield from g.ask(PlaceStones("red", g.state.coins["red"]))
            g.state.placed += 1
        return Result((), "over")


def test_what_follows_a_strict_checkpoint_is_done_once() -> None:
    rules = Ceremonious()
    game = Game(rules, {}, rules.start(rules.read_options({}), None, None), SeededDice(1))
    while game.pending:
        copy = game.clone().clone()
        for either in (copy, game):
            either.submit("red", Done())
        assert picture(copy) == picture(game)
    assert [event.kind for event in game.events] == ["bowed"] * 9


# --- rules that are wrong about being at rest ----------------------------------------------


class Forgetful(ToyRules):
    """Says that everything is in the state while a local variable still counts."""

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        asked = 2
        while asked < 9:
            g.checkpoint()
            yield from g.ask(PlaceStones("red", asked))
            asked += 1
        return Result((), "over")


class Restless(ToyRules):
    """Rolls on the way from a checkpoint to the request it had come to."""

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        yield from g.roll("impatience", (RollLine("red", "mood", 1, 0),))
        while True:
            g.checkpoint()
            yield from g.ask(PlaceStones("red", 1))


class Noisy(ToyRules):
    """Tells again what it has told when it came to this request."""

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        while True:
            g.emit("waiting")
            g.checkpoint()
            yield from g.ask(PlaceStones("red", 1))


class Crashing(ToyRules):
    """Cannot be taken up again at all."""

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        if g.state.placed:
            g.state.placed = 99
            raise KeyError("no way back")
        while True:
            g.state.placed += 1
            g.checkpoint()
            yield from g.ask(PlaceStones("red", 1))


@pytest.mark.parametrize("rules", [Forgetful(), Restless(), Noisy(), Crashing()])
def test_rules_that_cannot_be_taken_up_again_are_reported(rules: ToyRules) -> None:
    game = Game(rules, {}, rules.start(rules.read_options({}), None, None), SeededDice(1))
    game.submit("red", Done())
    copy = game.clone()
    before = picture(game)
    with pytest.raises(RuleError, match="as it was before"):
        copy.submit("red", Done())
    assert picture(copy) == before
    assert picture(game) == before
    game.submit("red", Done())


class Tidy(ToyRules):
    """Uses the table when it is closed, as a `finally` may."""

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        try:
            for _ in range(5):
                yield from g.ask(PlaceStones("red", 1))
                g.emit("went_on")
        finally:
            g.emit("closed")
        return Result((), "over")


def test_a_closed_procedure_leaves_no_trace() -> None:
    rules = Tidy()
    game = Game(rules, {}, rules.start(rules.read_options({}), None, None), SeededDice(1))
    game.submit("red", Done())
    before = [event.kind for event in game.events]
    game.submit("red", Done())
    game.undo()
    assert [event.kind for event in game.events] == before == ["went_on"]


def test_simultaneous_answers_survive_a_clone_of_a_clone() -> None:
    game = sandtable.new("toy", seed=1)
    for power in POWERS:
        game.submit(power, Done())
    game.submit("white", Bid(2))
    copy = game.clone().clone()
    copy.submit("red", Bid(1))
    assert game.pending == tuple(MakeBid(p, 5) for p in ("red", "green", "blue"))
    assert copy.pending == tuple(MakeBid(p, 5) for p in ("green", "blue"))
    copy.undo()
    copy.undo()
    assert [request.power for request in copy.pending] == list(POWERS)


def test_half_answered_clones_far_from_the_last_kept_position() -> None:
    """What a waking clone passes must not be kept as if the answers were in the state."""
    game = sandtable.new("toy", seed=1, options={"rounds": 40})
    while game.pending:
        request = game.pending[-1]
        if 1 < len(game.pending) < len(POWERS):
            copy = game.clone()
            copy.submit(request.power, Bid(0))
            copy.undo()
            assert picture(copy) == picture(game)
        game.submit(request.power, Bid(0) if request.kind == "make_bid" else Done())


def test_equal_positions_have_equal_hashes_and_others_do_not() -> None:
    one, two = sandtable.new("toy", seed=1), sandtable.new("toy", seed=2)
    assert one.hash == two.hash
    for game, field in ((one, "north"), (two, "north")):
        game.submit("red", Place(field))
    assert one.hash == two.hash
    three = sandtable.new("toy", seed=1)
    three.submit("red", Place("east"))
    assert three.hash != one.hash
    assert sandtable.new("toy", options={"rounds": 2}).hash != sandtable.new("toy").hash


class Whispering(ToyRules):
    """A strict procedure in which only a local variable knows what was decided and rolled."""

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        while g.state.placed < 9:
            g.checkpoint(strict=True)
            first = yield from g.ask(PlaceStones("red", 2))
            faces = yield from g.roll("mood", (RollLine("red", "mood", 1, 0),))
            second = yield from g.ask(PlaceStones("red", 1))
            if first == second and faces[0] > 3:
                g.state.coins["red"] += 1
            g.checkpoint(strict=True)
            yield from g.ask(PlaceStones("red", 0))
            g.state.placed += 1
        return Result((), "over")


def test_equal_hashes_mean_equal_futures_inside_a_strict_procedure() -> None:
    def game(field: str, face: int) -> Game:
        rules = Whispering()
        game = Game(rules, {}, rules.start(rules.read_options({}), None, None), None)
        game.submit("red", Place(field))
        game.submit(CHANCE, Roll((face,)))
        return game

    one, other, lower = game("north", 5), game("east", 5), game("north", 2)
    assert one.state.plain() == other.state.plain()
    assert one.pending == other.pending
    assert len({one.hash, other.hash, lower.hash}) == 3
    assert one.hash == game("north", 5).hash == one.clone().hash
    for each in (one, other, lower):
        each.submit("red", Place("north"))
    # What the procedure knew is in the state again, and no more than that counts.
    assert one.hash != other.hash == lower.hash
