"""A game is its journal: replay, clone, undo and save all lead to the same game."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.kernel import registry
from sandtable.kernel.decisions import CHANCE, Roll
from sandtable.kernel.game import Decided, Entry, Rolled
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table
from tests.conformance.driver import (
    advance,
    new,
    picture,
    seeds_of,
    step,
    steps_of,
    stride_of,
    walk,
)
from tests.kernel.toy import ToyRules, ToyState

chances = pytest.mark.parametrize("chance", ["drawn", "explicit"])


def take(game: sandtable.Game, entry: Entry) -> None:
    """Play a journal entry; drawn dice come of themselves."""
    if isinstance(entry, Decided):
        game.submit(entry.power, entry.decision)
    elif game.dice is None:
        game.submit(CHANCE, Roll(entry.faces))


@chances
def test_the_same_journal_is_the_same_game(game_id: str, chance: Any) -> None:
    for seed in seeds_of(game_id):
        game = new(game_id, seed=seed, chance=chance)
        hashes = {}
        for _ in walk(game, random.Random(seed), steps_of(game_id)):
            hashes[game.version] = game.hash
        again = new(game_id, seed=seed, chance=chance)
        for entry in game.journal:
            take(again, entry)
            if again.version in hashes:
                assert again.hash == hashes.pop(again.version)
        assert len(hashes) <= 1  # The start, before the first decision.
        assert picture(again) == picture(game)


@chances
def test_a_clone_goes_on_like_its_original(game_id: str, chance: Any) -> None:
    """Clones made at many points, and clones of them, take the decisions of the original."""
    for seed in seeds_of(game_id):
        game = new(game_id, seed=seed, chance=chance)
        rng = random.Random(seed)
        followers: list[list[Any]] = []
        for number in range(steps_of(game_id)):
            if not game.pending:
                break
            if number % stride_of(game_id) == 0:
                followers += [[game.clone(), 6], [game.clone().clone(), 6]]
            power, decision = step(game, rng)
            for follower in followers:
                clone, left = follower
                clone.submit(power, decision)
                assert clone.hash == game.hash
                assert clone.pending == game.pending
                if left % 2:
                    follower[0] = clone.clone()  # Also one that is copied between decisions.
                follower[1] -= 1
                if not follower[1]:
                    assert list(clone.journal) == list(game.journal)
                    assert list(clone.events) == list(game.events)
            followers = [follower for follower in followers if follower[1]]


@chances
def test_the_original_is_not_touched_by_its_clones(game_id: str, chance: Any) -> None:
    alone = new(game_id, seed=23, chance=chance)
    watched = new(game_id, seed=23, chance=chance)
    luck, same_luck = random.Random(23), random.Random(23)
    for number in range(steps_of(game_id)):
        if not alone.pending:
            break
        if number % 9 == 0:
            clone = watched.clone()
            for _ in walk(clone, random.Random(number), 4):
                pass
            clone.undo()
        step(alone, luck)
        step(watched, same_luck)
    assert picture(watched) == picture(alone)


@chances
def test_a_clone_equals_a_replay(game_id: str, chance: Any) -> None:
    game = new(game_id, seed=24, chance=chance)
    steps = steps_of(game_id)
    for number in walk(game, random.Random(24), steps):
        if number % max(1, steps // 5):
            continue
        clone = game.clone()
        replay = new(game_id, seed=24, chance=chance)
        for entry in game.journal:
            take(replay, entry)
        for _ in range(8):
            if not replay.pending:
                break
            power, decision = step(replay, random.Random(number))
            clone.submit(power, decision)
        assert picture(clone) == picture(replay)


@chances
def test_undo_leads_back_to_the_start(game_id: str, chance: Any) -> None:
    for seed in seeds_of(game_id):
        game = new(game_id, seed=seed, chance=chance)
        hashes = []
        for _ in walk(game, random.Random(seed), steps_of(game_id) // 2):
            hashes.append((game.version, game.hash, len(game.events)))
        journal = list(game.journal)
        end = picture(game)
        while len(hashes) > 1:
            hashes.pop()
            game.undo()
            version, expected, events = hashes[-1]
            assert (game.version, len(game.events)) == (version, events)
            assert game.hash == expected
        assert picture(game) == picture(new(game_id, seed=seed, chance=chance))
        with pytest.raises(sandtable.IllegalDecision):
            game.undo()
        for entry in journal:
            take(game, entry)
        assert picture(game) == end


@chances
def test_a_saved_game_goes_on_where_it_was(game_id: str, chance: Any, tmp_path: Path) -> None:
    game = new(game_id, seed=26, chance=chance)
    steps = steps_of(game_id)
    path = tmp_path / "game.json"
    for number in walk(game, random.Random(26), steps):
        if number % max(1, steps // 4):
            continue
        game.save(path)
        loaded = sandtable.load(path)
        assert picture(loaded) == picture(game)
        copy = game.clone()
        for either in (copy, loaded):
            advance(either, random.Random(number), 10)
        assert picture(loaded) == picture(copy)


def test_a_save_is_verified_and_replayed(game_id: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    game = advance(new(game_id), random.Random(27), steps_of(game_id))
    game.save(path)
    assert sandtable.verify(path).problem == ""
    journal = list(game.journal)
    for until in (0, 1, len(journal) // 2, len(journal)):
        replay = sandtable.replay(path, until)
        assert list(replay.journal) == journal[: replay.version]
        assert replay.version >= until
        assert all(isinstance(entry, Rolled) for entry in journal[until : replay.version])


# --- the tests above can fail --------------------------------------------------------------


class Forgetful(ToyRules):
    """Counts something that matters in the rule set itself instead of the state."""

    counted = 0

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        type(self).counted += 1
        g.state.coins["white"] += self.counted % 2
        return (yield from super().play(g))


@pytest.mark.parametrize(
    "check",
    [
        test_the_same_journal_is_the_same_game,
        test_a_clone_goes_on_like_its_original,
        test_a_clone_equals_a_replay,
        test_undo_leads_back_to_the_start,
    ],
)
def test_a_rule_with_a_memory_of_its_own_is_found(check: Any) -> None:
    Forgetful.counted = 0
    registry.add(Forgetful())
    with pytest.raises((AssertionError, sandtable.SandtableError)):
        check("toy", "drawn")


class HalfAtRest(ToyRules):
    """Says in the middle of a duel that everything is in the state."""

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        inner = super().play(g)
        asked = next(inner)
        while True:
            g.checkpoint()
            answers = yield asked
            try:
                asked = inner.send(answers)
            except StopIteration as stop:
                return stop.value


def test_a_checkpoint_in_the_wrong_place_is_found() -> None:
    registry.add(HalfAtRest())
    with pytest.raises((AssertionError, sandtable.SandtableError)):
        test_a_clone_goes_on_like_its_original("toy", "drawn")
