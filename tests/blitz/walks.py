"""Games played through for tests that look at every position: half by the bot, half at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import sandtable
from sandtable.games.blitz import RULES
from sandtable.kernel.decisions import Request

SCENARIOS = ("A", "B", "C", "D", "E", "F", "campaign")

OPTIONS = {
    "scenario": "campaign",
    "players": 5,
    "bidding": True,
    "road_to_war": True,
    "minor_ally_builds": True,
    "land_route_attacks": True,
    "commanders": True,
    "sabotage": True,
    "non_motorized_blitz": True,
    "forced_passage": True,
    "looting": True,
}
"""The campaign with everything."""


def walk(
    options: dict[str, Any], seed: int, most: int, every: int = 1
) -> Iterator[tuple[sandtable.Game, Request]]:
    """A game of so many decisions at most, with the requests of every so many positions."""
    game = sandtable.new("blitz", options=options, seed=seed)
    rng = random.Random(seed)
    for number in range(most):
        if not game.pending:
            return
        if number % every == 0:
            for request in game.pending:
                yield game, request
        request = rng.choice(game.pending)
        if rng.random() < 0.6:
            game.submit(request.power, RULES.greedy(game.state, request, rng))
        else:
            game.submit(request.power, game.legal(request).sample(rng))
