"""A game that nobody needs any more goes at once: simulations do not wait for the collector."""

from __future__ import annotations

import gc
import random
import weakref

import pytest

from tests.conformance.driver import advance, new


@pytest.mark.parametrize("seed", [4, 9])
def test_a_game_is_no_circle_of_references(game_id: str, seed: int) -> None:
    gc.collect()
    gc.disable()
    try:
        game = new(game_id, seed=seed)
        advance(game, random.Random(seed), 60)
        undone = game.clone()
        undone.undo()
        played = game.clone()
        advance(played, random.Random(5), 3)
        if played.pending:
            played.legal(played.pending[0]).sample(random.Random(1))
        known = [weakref.ref(each) for each in (game, undone, played)]
        del game, undone, played
        assert [ref() for ref in known] == [None] * 3
    finally:
        gc.enable()
