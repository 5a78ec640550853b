"""A game that nobody needs any more goes at once: simulations do not wait for the collector. What
is past can be packed, and comes out again as it was."""

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


def test_what_is_packed_comes_out_as_it_was(game_id: str) -> None:
    game = new(game_id, seed=11)
    rng = random.Random(11)
    hashes = {}
    for _ in range(40):
        hashes[game.version] = game.hash
        advance(game, rng, 15)
        game.pack(16)
    for version in sorted(hashes, reverse=True)[::6]:
        assert game.at(version).hash == hashes[version]
    middle = sorted(hashes)[len(hashes) // 2]
    snapshot = game.at(middle).snapshot()
    assert snapshot is None or snapshot.length <= middle
    advance(game, rng, 5)
    game.undo()
    game.since_checkpoint()
