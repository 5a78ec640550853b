"""The odds of combats in Blitz!: every end with its exact probability.

>>> from sandtable import odds
>>> result = odds.battle("blitz", "army group north, luftwaffe", scenario="A", target="poland")
>>> round(sum(float(end.probability) for end in result.ends), 9)
1.0
"""

from __future__ import annotations

import time
from typing import Any

from sandtable.games.blitz.odds.question import Question, policy, question
from sandtable.games.blitz.odds.result import End, Result, collect
from sandtable.games.blitz.odds.text import show
from sandtable.games.blitz.odds.tree import MOST, Tree, in_combat
from sandtable.kernel.decisions import Decision
from sandtable.kernel.game import Game
from sandtable.odds.errors import OddsError
from sandtable.odds.walk import TooMany

__all__ = ["End", "Question", "Result", "answer", "in_progress", "question", "show"]


_BETWEEN = (
    "land_area_combat",
    "settle_dispute",
    "commit_defence",
    "choose_next_attack",
    "choose_sea",
)
"""What is asked between the combats of a step."""


def answer(q: Question) -> Result:
    """The outcome of a question that has been read. If it takes more than `q.most` runs of the
    rules it is refused or, with `q.sample`, estimated by so many combats at random."""
    tree = Tree(q.state, q.policy.decide, most=q.most)
    return _collect(tree, q.sample, territory=q.territory, notes=q.notes)


def _collect(tree: Tree, sample: int, **about: Any) -> Result:
    try:
        return collect(tree, **about)
    except TooMany:
        if not sample:
            raise
        return collect(tree, samples=sample, **about)


def in_progress(
    game: Game,
    *,
    territory: float = 0.0,
    most: int = MOST,
    sample: int = 0,
    then: tuple[str, Decision] | None = None,
    **options: Any,
) -> Result:
    """The odds of the combat in which a game rests, from here on: the dice that have fallen and
    the choices that have been made count, and `then`, what a player would decide next.
    `options` are `attack_order`, `defend_order` and `defend_subs`, as for `question`; `most` and
    `sample` as for `answer`."""
    began = time.perf_counter()
    if game.result is not None:
        raise OddsError("The game is over; it does not rest in a combat.")
    request = game.pending[0]
    if game.state.step not in ("C", "F") or request.kind in _BETWEEN:
        what = request.kind.replace("_", " ")
        raise OddsError(f"The game waits for {what}; it does not rest in a combat.")
    play = policy(game.state, **options)
    result = _collect(in_combat(game, play.decide, most, then), sample, territory=territory)
    result.elapsed_ms = 1000 * (time.perf_counter() - began)
    return result
