"""Positions from games that bots play, and forms filled in as a client does it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sandtable
from sandtable.bots.playing import seat
from sandtable.kernel.display import Limit, Row


def played(
    bot: str, seed: int, rounds: int, options: Mapping[str, Any] | None = None
) -> Iterator[sandtable.Game]:
    """A game that bots play, each time that somebody has to decide."""
    game = sandtable.new("aa1942", options=options, seed=seed)
    bots = seat(game, bot, seed)
    while game.pending and game.rules.rounds(game.state) <= rounds:
        yield game
        request = game.pending[0]
        game.submit(request.power, bots[request.power].decide(game, request))


def filled(
    base: Mapping[str, Any], rows: Sequence[Row], numbers: Mapping[str, int]
) -> dict[str, Any]:
    """The decision with the numbers of the rows put in at their paths; zeros are left out."""
    decision: dict[str, Any] = {**base}
    for row in rows:
        if numbers.get(row.key):
            at = decision
            for step in row.path[:-1]:
                at = at.setdefault(step, {})
            at[row.path[-1]] = numbers[row.key]
    return decision


def within(limits: Sequence[Limit], rows: Sequence[Row], numbers: Mapping[str, int]) -> bool:
    """Whether the numbers satisfy all limits."""
    for limit in limits:
        total = 0
        for row in rows:
            each = 1 if limit.weights is None else limit.weights.get(row.key, 0)
            total += numbers.get(row.key, 0) * (row.cost if limit.by_cost else each)
        if not limit.least <= total <= limit.most:
            return False
    return True


def proposed(rows: Sequence[Row]) -> dict[str, int]:
    """The numbers that are filled in already."""
    return {row.key: row.value for row in rows}
