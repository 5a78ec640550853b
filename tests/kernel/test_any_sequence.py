"""Whatever is done with a game, and in whatever order, it stays the game of its journal."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import sandtable
from sandtable import IllegalDecision, RuleError
from sandtable.kernel import registry
from sandtable.kernel.game import Game, Rolled
from tests.conformance.driver import advance, picture, step
from tests.kernel.toy import Curse, ToyRules

STONES = {"stones": {"north": {"red": 3, "green": 3, "blue": 3, "white": 3}}}


def replayed(game: Game, seed: int, chance: Any) -> Game:
    """The journal of `game`, played afresh."""
    again = sandtable.new(
        "toy", seed=seed, chance=chance, position=STONES, options=dict(game.options)
    )
    for entry in game.journal:
        if not isinstance(entry, Rolled):
            again.submit(entry.power, entry.decision)
        elif chance == "explicit":
            again.submit("chance", {"kind": "dice", "faces": list(entry.faces)})
    return again


class Anything(RuleBasedStateMachine):
    """Several games in hand; each step does something with one of them."""

    def __init__(self) -> None:
        super().__init__()
        registry.add(ToyRules())
        self.games: list[Game] = []
        self.folder = tempfile.TemporaryDirectory()

    def teardown(self) -> None:
        registry._added.pop("toy", None)
        self.folder.cleanup()

    @initialize(seed=st.integers(0, 2**64 - 1), chance=st.sampled_from(["drawn", "explicit"]))
    def open(self, seed: int, chance: Any) -> None:
        self.seed, self.chance = seed, chance
        options = {"cursed": True, "rounds": 3}
        game = sandtable.new("toy", seed=seed, chance=chance, position=STONES, options=options)
        self.games.append(game)

    def pick(self, which: int) -> Game:
        return self.games[which % len(self.games)]

    @rule(which=st.integers(0, 7), luck=st.integers(0, 1000), steps=st.integers(1, 12))
    def submit(self, which: int, luck: int, steps: int) -> None:
        advance(self.pick(which), random.Random(luck), steps)

    @rule(which=st.integers(0, 7))
    def fail(self, which: int) -> None:
        game = self.pick(which)
        before = picture(game)
        for request in game.pending:
            if self.chance == "drawn" and Curse in request.answers:
                with pytest.raises(RuleError):
                    game.submit(request.power, Curse())
            else:
                with pytest.raises(IllegalDecision):
                    game.submit(request.power, {"kind": "nonsense"})
        assert picture(game) == before

    @rule(which=st.integers(0, 7), times=st.integers(1, 12))
    def undo(self, which: int, times: int) -> None:
        game = self.pick(which)
        for _ in range(times):
            if not any(not isinstance(entry, Rolled) for entry in game.journal):
                break
            game.undo()

    @precondition(lambda self: len(self.games) < 6)
    @rule(which=st.integers(0, 7))
    def clone(self, which: int) -> None:
        self.games.append(self.pick(which).clone())

    @rule(which=st.integers(0, 7))
    def save_and_load(self, which: int) -> None:
        path = Path(self.folder.name) / "game.json"
        game = self.pick(which)
        game.save(path)
        loaded = sandtable.load(path)
        assert picture(loaded) == picture(game)
        self.games[which % len(self.games)] = loaded

    @invariant()
    def games_are_their_journals(self) -> None:
        for game in self.games:
            assert picture(replayed(game, self.seed, self.chance)) == picture(game)
            assert game.rules.audit(game.state) == []


Anything.TestCase.settings = settings(
    max_examples=20,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestAnything = Anything.TestCase


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), luck=st.integers(0, 2**32), depth=st.integers(0, 80))
def test_a_clone_of_any_position_goes_on_alike(seed: int, luck: int, depth: int) -> None:
    registry.add(ToyRules())
    try:
        game = sandtable.new("toy", seed=seed)
        rng = random.Random(luck)
        advance(game, rng, depth)
        copy = game.clone()
        while game.pending:
            copy.submit(*step(game, rng))
            assert copy.hash == game.hash
        assert picture(copy) == picture(game)
    finally:
        registry._added.pop("toy")
