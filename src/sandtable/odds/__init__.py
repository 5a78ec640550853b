"""Exact odds of battles: distributions of survivors, best play, plans of several battles.

>>> from sandtable import odds
>>> result = odds.battle("aa1942", attack="2 infantry, 1 tank", defend="2 infantry")
>>> print(f"{result.takes_territory:.3f}")
0.637

What a game's battles are like is told by the module `odds` of its package.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any

from sandtable.odds.errors import OddsError

if TYPE_CHECKING:
    from sandtable.odds.result import Result

__all__ = ["OddsError", "battle", "battles"]


@cache
def adapter(game: str) -> Any:
    """The module of a game that knows its battles."""
    from sandtable.kernel.registry import game_ids

    if game not in game_ids():
        raise OddsError(f"There is no game {game!r}; there are: {', '.join(game_ids())}.")
    try:
        return importlib.import_module(f"sandtable.games.{game}.odds")
    except ModuleNotFoundError as error:
        if error.name != f"sandtable.games.{game}.odds":
            raise
        raise OddsError(f"There are no odds for {game} yet.") from None


def battle(game: str, attack: Any = "", defend: Any = "", **options: Any) -> Result:
    """The exact outcome of a battle.

    Forces are text ("3 infantry, 1 art") or mappings from unit types to numbers. For `aa1942` the
    options are those of `sandtable.games.aa1942.odds.question.question`: `sea`, for a landing
    `landing`, `fleet`, `fleet_defend`; how both sides play, as in `sandtable.odds.policy.Policy`;
    `territory`, what the territory is worth; and `sample`, the number of battles to be fought at
    random if the exact answer is out of reach (without it, that raises OddsError).
    """
    result: Result = adapter(game).battle(attack, defend, **options)
    return result


def battles(
    game: str, questions: Sequence[Mapping[str, Any]], workers: int | None = None
) -> list[Result]:
    """The outcomes of many battles, on all cores (or that many `workers`).

    Each question has the keyword arguments of `battle`.
    """
    solve = adapter(game).battle
    workers = workers or os.cpu_count() or 1

    def some(first: int) -> list[Result]:
        return [solve(**q) for q in questions[first : first + size]]

    # The kernels run without the interpreter's lock, so threads do; chunks, to hand over seldom.
    size = max(1, min(256, -(-len(questions) // workers)))
    if workers == 1 or len(questions) <= size:
        return [solve(**q) for q in questions]
    with ThreadPoolExecutor(workers) as pool:
        parts = pool.map(some, range(0, len(questions), size))
        return [result for part in parts for result in part]
