"""Random play: no illegal state, and everything that a client may look at is there."""

from __future__ import annotations

import json
import random
from collections.abc import Collection
from typing import Any

import pytest

import sandtable
from sandtable.kernel import registry
from sandtable.kernel.decisions import CHANCE, ChanceRequest, Roll, plain
from sandtable.kernel.errors import OptionError
from sandtable.kernel.game import Decided, Rolled
from sandtable.kernel.ruleset import Result
from tests.conformance.driver import advance, id_of, new, picture, step, steps_of, walk
from tests.kernel.toy import Place, ToyRules, ToyState


def test_the_rule_set_describes_itself(game_id: str) -> None:
    rules = registry.find(id_of(game_id))
    assert rules.id == id_of(game_id)
    assert rules.title
    assert all(part.isdigit() for part in rules.version.split("."))
    assert len(rules.powers) > 1
    assert len(set(rules.powers)) == len(rules.powers)
    assert CHANCE not in rules.powers
    assert rules.folder.is_dir()
    for name, option in rules.options.items():
        assert name.isidentifier()
        assert option.help
        if option.choices is not None:
            assert option.default in option.choices
        assert json.loads(json.dumps(option.default)) == option.default


def assert_sound(game: sandtable.Game) -> None:
    rules = game.rules
    assert rules.audit(game.state) == []
    assert bool(game.pending) == (game.result is None)
    powers = [request.power for request in game.pending]
    assert len(set(powers)) == len(powers)
    assert set(powers) <= {*rules.powers, CHANCE}
    for request in game.pending:
        assert request.kind
        assert request.prompt.strip().endswith((".", "?", "!"))
        assert request.answers


@pytest.mark.parametrize("chance", ["drawn", "explicit"])
def test_random_play_comes_to_no_illegal_state(game_id: str, chance: Any) -> None:
    for seed in (1, 2):
        game = new(game_id, seed=seed, chance=chance)
        rounds = game.rules.rounds(game.state)
        for _ in walk(game, random.Random(seed), steps_of(game_id)):
            assert_sound(game)
            assert game.rules.rounds(game.state) >= rounds
            rounds = game.rules.rounds(game.state)
        if game.result is not None:
            assert isinstance(game.result, Result)
            assert set(game.result.winners) <= set(game.rules.powers)
            assert game.result.reason.endswith(".")


def test_every_option_can_be_played(game_id: str) -> None:
    """Each value of each option that lists its values: sound, and the same by its journal."""
    for name, option in registry.find(id_of(game_id)).options.items():
        for value in option.choices or ():
            if value == option.default:
                continue
            try:
                games = [new(game_id, seed=4, options={name: value}) for _ in range(2)]
            except OptionError:
                continue  # It does not go with the other options of this case.
            rng = random.Random(4)
            for number in walk(games[0], rng, steps_of(game_id) // 2):
                if number % 5 == 0:
                    assert_sound(games[0])
            for entry in games[0].journal:
                if isinstance(entry, Decided):
                    games[1].clone().submit(entry.power, entry.decision)
                    games[1].submit(entry.power, entry.decision)
            assert picture(games[1]) == picture(games[0])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_toy_is_played_to_its_end(seed: int) -> None:
    """So that the suite sees results at all."""
    assert advance(sandtable.new("toy", seed=seed), random.Random(seed), 200).result is not None


def test_events_can_be_told_and_stay_what_they_were(game_id: str) -> None:
    game = new(game_id, seed=5)
    told: list[str] = []
    for _ in walk(game, random.Random(5), steps_of(game_id)):
        for event in game.events.since(len(told)):
            sentence = game.rules.sentence(game.state, event)
            assert sentence.strip(), event
            told.append(json.dumps(plain(event)))
    assert told
    assert told == [json.dumps(plain(event)) for event in game.events]


def test_the_position_can_be_shown(game_id: str) -> None:
    game = new(game_id, seed=6)
    for number in walk(game, random.Random(6), steps_of(game_id)):
        if number % 25 == 0:
            rules, state = game.rules, game.state
            shown = rules.picture(state, ())
            assert shown.spaces or shown.text
            for power in game.rules.powers:
                seen = game.observe(power)
                assert json.loads(json.dumps(seen))["power"] == power


def test_looking_changes_nothing(game_id: str) -> None:
    """Nothing that may be called without deciding has an effect on the game."""
    game = new(game_id, seed=7)
    rng = random.Random(7)
    for number in walk(game, rng, steps_of(game_id)):
        if number % 10 or not game.pending:
            continue
        before = game.state.plain()
        for request in game.pending:
            legal = game.legal(request)
            for decision, _ in zip(legal, range(5), strict=False):
                assert decision in legal
            legal.sample(random.Random(number))
            assert request.prompt
            if request.power != CHANCE:
                game.rules.greedy(game.state, request, random.Random(number))
        game.rules.picture(game.state, ())
        game.rules.audit(game.state)
        game.observe(game.rules.powers[0])
        assert game.state.plain() == before


def test_sampling_is_a_function_of_position_and_luck(game_id: str) -> None:
    """The same position and the same random numbers give the same decision, on any day."""
    one = advance(new(game_id, seed=8), random.Random(8), steps_of(game_id) // 2)
    two = advance(new(game_id, seed=8), random.Random(8), steps_of(game_id) // 2)
    assert list(one.journal) == list(two.journal)
    assert picture(one) == picture(two)


def test_greedy_decisions_are_legal(game_id: str) -> None:
    game = new(game_id, seed=9)
    rng = random.Random(9)
    for _ in range(steps_of(game_id) // 2):
        if not game.pending:
            break
        request = rng.choice(game.pending)
        decision = game.rules.greedy(game.state, request, rng)
        game.submit(request.power, decision)


def test_a_drawn_and_an_explicit_game_with_the_same_faces_are_the_same(game_id: str) -> None:
    drawn = advance(new(game_id, seed=10), random.Random(10), steps_of(game_id))
    explicit = new(game_id, chance="explicit")
    for entry in drawn.journal:
        if isinstance(entry, Rolled):
            request = explicit.pending[0]
            assert isinstance(request, ChanceRequest)
            assert (request.dice, request.sides) == (len(entry.faces), entry.sides)
            assert request.roll == entry.kind
            prompt = explicit.rules.prompt(explicit.state, request)
            assert prompt.startswith(f"Roll {request.dice}d{request.sides} for ")
            assert "_" not in prompt
            explicit.submit(CHANCE, Roll(entry.faces))
        else:
            explicit.submit(entry.power, entry.decision)
    assert picture(explicit) == picture(drawn)


# --- the tests above can fail --------------------------------------------------------------


class Sloppy(ToyRules):
    """Lets coins become debts."""

    def start(self, *arguments: Any) -> ToyState:
        state = super().start(*arguments)
        state.coins["blue"] = -1
        return state


def test_an_illegal_state_is_found() -> None:
    registry.add(Sloppy())
    with pytest.raises(AssertionError, match="blue has -1 coins"):
        test_random_play_comes_to_no_illegal_state("toy", "drawn")


class Meddling(ToyRules):
    """Changes the state while it only should look at it."""

    def board(self, state: ToyState, powers: Collection[str]) -> str:
        state.coins["blue"] += 1
        return super().board(state, powers)


def test_a_look_that_changes_something_is_found() -> None:
    registry.add(Meddling())
    with pytest.raises(AssertionError):
        test_looking_changes_nothing("toy")


class Cheating(ToyRules):
    """Its own knowledge makes it place where nobody may."""

    def greedy(self, state: ToyState, request: Any, rng: random.Random) -> Any:
        if request.kind == "place_stones":
            return Place("moon")
        return super().greedy(state, request, rng)


def test_an_illegal_greedy_decision_is_found() -> None:
    registry.add(Cheating())
    with pytest.raises(sandtable.IllegalDecision, match="moon"):
        test_greedy_decisions_are_legal("toy")


def test_a_step_decides_for_a_power_that_is_asked() -> None:
    game = sandtable.new("toy", seed=1)
    assert step(game, random.Random(1))[0] == "red"
