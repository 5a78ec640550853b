"""A game that nobody needs any more goes at once: simulations do not wait for the collector."""

from __future__ import annotations

import gc
import random
import weakref

from tests.conformance.driver import advance, new


def test_a_game_is_no_circle_of_references(game_id: str) -> None:
    gc.collect()
    gc.disable()
    try:
        game = new(game_id, seed=4)
        advance(game, random.Random(4), 60)
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
