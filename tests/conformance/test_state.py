"""A position is its plain data: made again from it, it is the same and has the same future."""

from __future__ import annotations

import random
from typing import Any, Literal

import msgspec
import pytest

import sandtable
from sandtable.kernel import registry
from sandtable.kernel.game import Decided
from sandtable.kernel.state import State, declared, shared
from tests.conformance.driver import new, seeds_of, step, steps_of, stride_of, walk
from tests.conformance.test_journal import take
from tests.kernel.toy import ToyRules, ToyState

FOLLOWED = 8
"""How many decisions a position made again is played on for, beside the one that it was made of."""


def through_json(state: State, order: Literal["deterministic"] | None) -> State:
    """The same position made of its plain data; if "deterministic", all dicts are in another
    order."""
    plain = msgspec.json.decode(msgspec.json.encode(state.plain(), order=order))
    again = type(state).from_plain(plain, state.facts, state.options)
    assert again.plain() == state.plain()
    return again


def made_again(
    game: sandtable.Game, order: Literal["deterministic"] | None = "deterministic"
) -> sandtable.Game:
    """The game taken up from plain data: of now, or of where its strict procedure began."""
    state, since, _ = game.since_checkpoint()
    if game._table.at_rest:
        state, since = game.state, tuple(Decided(*each) for each in game._answers.items())
    again = sandtable.Game(game.rules, game.options, through_json(state, order), None)
    for entry in since:
        take(again, entry)
    return again


def assert_same(again: sandtable.Game, game: sandtable.Game) -> None:
    assert again.pending == game.pending
    assert again.state.plain() == game.state.plain()
    assert again.hash == game.hash


def test_a_position_made_again_of_its_plain_data_goes_on_like_the_first(game_id: str) -> None:
    for seed in seeds_of(game_id):
        game = new(game_id, seed=seed, chance="explicit")
        rng = random.Random(seed)
        followers: list[tuple[sandtable.Game, int, int, int]] = []
        for number in range(steps_of(game_id)):
            if not game.pending:
                break
            if number % stride_of(game_id) == 0:
                again = made_again(game)
                assert_same(again, game)
                assert game.rules.audit(again.state) == game.rules.audit(game.state)
                followers.append((again, len(again.events), len(game.events), number + FOLLOWED))
            power, decision = step(game, rng)
            for again, before, events, until in followers:
                again.submit(power, decision)
                assert_same(again, game)
                if until == number:
                    assert again.events.since(before) == game.events.since(events)
            followers = [each for each in followers if each[3] > number]


def test_a_position_made_again_gives_the_same_decisions_to_the_same_luck(game_id: str) -> None:
    """As a save has it, with the dicts in their order: so a loaded game is sampled like the one
    that was saved."""
    game = new(game_id, seed=31)
    for number in walk(game, random.Random(31), steps_of(game_id)):
        if number % (3 * stride_of(game_id)) == 0:
            again = made_again(game, order=None)
            for request in game.pending:
                sampled = game.legal(request).sample(random.Random(number))
                assert again.legal(request).sample(random.Random(number)) == sampled


# --- the tests above can fail ---------------------------------------------------------------


@declared
class Hidden(ToyState):
    """Does not count the stones placed this turn as part of the position."""

    placed: int = shared(0, plain=False)


class Hiding(ToyRules):
    def start(self, *arguments: Any) -> ToyState:
        state = super().start(*arguments)
        return Hidden(None, state.options, stones=state.stones, coins=state.coins)


def test_a_field_that_is_missing_in_the_plain_data_is_found() -> None:
    registry.add(Hiding())
    with pytest.raises(AssertionError):
        test_a_position_made_again_of_its_plain_data_goes_on_like_the_first("toy")


class Orderly(ToyRules):
    """Lets the order of a dict decide."""

    def play(self, g: Any) -> Any:
        first = next(iter(g.state.coins))
        g.state.leader = g.state.leader or first
        return (yield from super().play(g))


def test_a_rule_that_goes_by_the_order_of_a_dict_is_found() -> None:
    registry.add(Orderly())
    with pytest.raises(AssertionError):
        test_a_position_made_again_of_its_plain_data_goes_on_like_the_first("toy")
