"""Random play over the public face, the same for every game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import sandtable
from sandtable.kernel.decisions import plain

VARIANTS: dict[str, dict[str, Any]] = {
    "aa1942-bid": {"bid": 9, "bid_side": "axis", "luck": "low"},
    **{
        f"blitz-{scenario}": {"scenario": scenario}
        for scenario in ("B", "C", "D", "E", "F", "campaign")
    },
    "gw36-1939": {"scenario": "1939", "rules": "everything"},
    "gw75-watermark": {"scenario": "watermark"},
    "gw75-five": {"players": 5, "vichy": True, "indochina": True},
}
"""Games that the suite runs for once more with other options; the name begins with the id."""

STEPS = {"toy": 200, "aa1942": 800}
"""How many random decisions a game is played for, at most, in one test: a few seconds' worth."""

DEFAULT_STEPS = 300

STRIDE = {"aa1942": 4, "blitz": 10, "gw36": 25, "gw75": 25}
"""Something costly is done after every so many decisions."""

DEFAULT_STRIDE = 1

SEEDS = {"toy": 8, "aa1942": 2}
"""A short game is played with several seeds."""

DEFAULT_SEEDS = 1


def cases() -> list[str]:
    """Every installed game, and its variants."""
    ids = sandtable.game_ids()
    return sorted({*ids, *(name for name in VARIANTS if id_of(name) in ids)})


def id_of(case: str) -> str:
    """The id of the game of a case."""
    return case.partition("-")[0]


def new(case: str, *, options: dict[str, Any] | None = None, **arguments: Any) -> sandtable.Game:
    """A new game of a case, with the options of its variant."""
    chosen = {**VARIANTS.get(case, {}), **(options or {})}
    return sandtable.new(id_of(case), options=chosen, **arguments)


def steps_of(game_id: str) -> int:
    """The step budget of a game."""
    return STEPS.get(game_id, DEFAULT_STEPS)


def stride_of(game_id: str) -> int:
    """How many decisions of a game lie between two costly checks."""
    return STRIDE.get(id_of(game_id), DEFAULT_STRIDE)


def seeds_of(game_id: str) -> range:
    """The seeds with which a game is played."""
    return range(1, 1 + SEEDS.get(game_id, DEFAULT_SEEDS))


def choose(
    game: sandtable.Game, rng: random.Random
) -> tuple[sandtable.Request, sandtable.Decision]:
    """One of the pending requests, now and then a right, and a legal decision for it."""
    request = rng.choice(game.pending)
    if (rights := game.may) and rng.random() < 0.1:
        request = rng.choice(rights)
    return request, game.legal(request).sample(rng)


def step(game: sandtable.Game, rng: random.Random) -> tuple[str, sandtable.Decision]:
    """Submit a random decision; who decided what."""
    request, decision = choose(game, rng)
    game.submit(request.power, decision)
    return request.power, decision


def walk(game: sandtable.Game, rng: random.Random, steps: int) -> Iterator[int]:
    """Play up to `steps` random decisions; the number of those made, before and after each."""
    yield 0
    for number in range(1, steps + 1):
        if not game.pending:
            return
        step(game, rng)
        yield number


def advance(game: sandtable.Game, rng: random.Random, steps: int) -> sandtable.Game:
    """The same game, up to `steps` random decisions later."""
    for _ in walk(game, rng, steps):
        pass
    return game


def picture(game: sandtable.Game) -> dict[str, Any]:
    """Everything about a game that can be seen from outside, as plain data."""
    return {
        "hash": game.hash,
        "version": game.version,
        "state": game.state.plain(),
        "pending": [plain(request) for request in game.pending],
        "journal": [plain(entry) for entry in game.journal],
        "events": [plain(event) for event in game.events],
        "result": plain(game.result),
        "seen": {power: game.observe(power) for power in game.rules.powers},
    }


def first(legal: sandtable.Legal, count: int) -> list[sandtable.Decision]:
    """The first `count` legal decisions."""
    return list(islice(legal, count))
