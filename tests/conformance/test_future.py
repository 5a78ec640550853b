"""Equal hashes mean equal futures, wherever a game stands and however it came there."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.kernel.decisions import CHANCE, plain
from tests.conformance.driver import choose, new, step, steps_of

FANS, GAMES = 12, 6
"""How often a game is looked at from all sides, where dice are about to fall, and in how many games
at most."""
PLIES, WIDTH, BEAM = 9, 3, 14
"""How far ways are followed from there, how many branch off each, and how many are kept."""
FOLLOWED = 6
"""Decisions and rolls for which two games with the same hash are compared."""

Key = Callable[[sandtable.Game], Any]


def by_hash(game: sandtable.Game) -> Any:
    """What all games promise: the position, and what was decided in a strict procedure."""
    return game.hash


def by_position(game: sandtable.Game) -> Any:
    """What a game promises whose strict procedures keep nothing but their place to themselves."""
    answers = {power: plain(answer) for power, answer in game._answers.items()}
    content = (game.state.plain(), [plain(request) for request in game.pending], answers)
    return msgspec.json.encode(content, order="deterministic")


def branches(game: sandtable.Game, rng: random.Random) -> list[sandtable.Game]:
    """The game after some of the decisions or rolls that can come next, no two alike."""
    request = rng.choice(game.pending)
    legal = game.legal(request)
    decisions = [] if request.power == CHANCE else list(islice(legal, WIDTH))
    decisions += [legal.sample(rng) for _ in range(WIDTH)]
    found = []
    for decision in {repr(each): each for each in decisions}.values():
        branch = game.clone()
        branch.submit(request.power, decision)
        found.append(branch)
    return rng.sample(found, min(WIDTH, len(found)))


def fan(game: sandtable.Game, rng: random.Random) -> list[sandtable.Game]:
    """Many games that have gone on from this one, each after one decision more than another."""
    found, edge = [], [game.clone()]
    for _ in range(PLIES):
        edge = [branch for each in edge if each.pending for branch in branches(each, rng)]
        edge = rng.sample(edge, min(BEAM, len(edge)))
        found += edge
    return found


def follow(one: sandtable.Game, other: sandtable.Game, key: Key, rng: random.Random) -> None:
    """Two games that are the same take the same decisions and rolls, and stay the same."""
    one, other = one.clone(), other.clone()
    first, second = len(one.events), len(other.events)
    for _ in range(FOLLOWED):
        assert one.pending == other.pending
        if not one.pending:
            return
        request, decision = choose(one, rng)
        one.submit(request.power, decision)
        other.submit(request.power, decision)
        assert key(one) == key(other)
    assert one.events.since(first) == other.events.since(second)


def futures(game_id: str, key: Key) -> int:
    """Compare games that come to the same on different ways; how many pairs there were."""
    pairs = fans = 0
    for seed in range(31, 31 + GAMES):
        rng = random.Random(seed)
        game = new(game_id, seed=seed, chance="explicit")
        for _ in range(steps_of(game_id)):
            if not game.pending or fans == FANS:
                break
            # Every other roll: the ways go on from the dice, and from what follows them.
            if game.pending[0].power == CHANCE and rng.random() < 0.5:
                fans += 1
                seen: dict[Any, sandtable.Game] = {}
                for each in fan(game, rng):
                    twin = seen.setdefault(key(each), each)
                    if list(twin.journal) != list(each.journal):
                        pairs += 1
                        follow(twin, each, key, rng)
            step(game, rng)
    return pairs


def test_games_with_the_same_hash_go_on_alike(game_id: str) -> None:
    assert futures(game_id, by_hash)


def test_games_in_the_same_position_go_on_alike() -> None:
    """In the middle of battles too: who is condemned and who has fired is in the state."""
    assert futures("aa1942", by_position)


def test_what_a_strict_procedure_keeps_in_local_variables_is_found() -> None:
    with pytest.raises(AssertionError):
        futures("toy", by_position)
