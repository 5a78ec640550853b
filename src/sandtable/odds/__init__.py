"""Exact odds of battles: distributions of survivors, best play, plans of several battles.

>>> from sandtable import odds
>>> result = odds.battle("aa1942", attack="2 infantry, 1 tank", defend="2 infantry")
>>> print(f"{result.takes_territory:.3f}")
0.811

What a game's battles are like is told by the module `odds` of its package.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from sandtable.odds.errors import OddsError

if TYPE_CHECKING:
    from sandtable.kernel.game import Game
    from sandtable.odds.answers import Best
    from sandtable.odds.result import Result
    from sandtable.odds.several import Plan, Smallest

__all__ = ["OddsError", "battle", "battles", "best", "in_progress", "plan", "raid", "smallest"]

CHUNK = 128
"""Battles that are handed over to a thread at a time."""


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
    options are those of `sandtable.games.aa1942.odds.questions.question`: `sea`, for a landing
    `landing`, `fleet`, `fleet_defend`; how both sides play, as in its `odds.policy.Policy`;
    `territory`, what the territory is worth; and `sample`, the number of battles to be fought at
    random if the exact answer is out of reach (without it, that raises OddsError).

    For `blitz` forces are units by name, and options and result are those of
    `sandtable.games.blitz.odds.question.question` and `sandtable.games.blitz.odds.result.Result`.
    """
    result: Result = adapter(game).battle(attack, defend, **options)
    return result


def battles(
    game: str, questions: Sequence[Mapping[str, Any]], workers: int | None = None
) -> list[Result]:
    """The outcomes of many battles, on all cores (or that many `workers`).

    Each question has the keyword arguments of `battle`.
    """
    from concurrent.futures import ThreadPoolExecutor

    from sandtable.odds.exact import fight_many

    game_odds = adapter(game)
    workers = workers or os.cpu_count() or 1
    results: list[Result | None] = [None] * len(questions)
    with ThreadPoolExecutor(workers) as pool:
        waiting = []
        for first in range(0, len(questions), CHUNK):
            read = [game_odds.question(**q) for q in questions[first : first + CHUNK]]
            jobs = [game_odds.job(q) for q in read]
            plain = [job for job in jobs if job is not None]
            for k, (q, job) in enumerate(zip(read, jobs, strict=True)):
                if job is None:
                    results[first + k] = game_odds.answer(q)
            if plain:
                # The kernel runs without the interpreter's lock while the next ones are read.
                waiting.append((first, read, jobs, pool.submit(fight_many, plain)))
        for first, read, jobs, heads in waiting:
            rows = iter(heads.result())
            for k, (q, job) in enumerate(zip(read, jobs, strict=True)):
                if job is not None:
                    results[first + k] = game_odds.from_head(q, next(rows))
    return [result for result in results if result is not None]


def best(game: str, attack: Any = "", defend: Any = "", **options: Any) -> Best:
    """The best play of one `side` ("attacker", "defender") for a `goal` ("win", "take", "swing"
    or a function of what is left), against the stated policy of the other; and its gain over the
    default. Other options as for `battle`. See `sandtable.games.aa1942.odds.optimum`.
    """
    found: Best = adapter(game).best(attack, defend, **options)
    return found


def raid(game: str, *args: Any, **options: Any) -> Any:
    """The exact outcome of a bombing raid: see `sandtable.games.aa1942.odds.bombing.raid`."""
    return adapter(game).raid(*args, **options)


def in_progress(game: Game, **options: Any) -> Result:
    """The odds of the battle in which a game rests, between two of its rounds or where casualties
    have to be chosen, if the attacker fights on; the options say how both sides play (see
    `sandtable.games.aa1942.odds.policy.Policy`; for `blitz` its `odds.in_progress`)."""
    result: Result = adapter(game.rules.id).in_progress(game, **options)
    return result


def plan(game: str, questions: Sequence[Mapping[str, Any]], goal: str = "win") -> Plan:
    """Several battles: the chance to win all, the number won, the expected swing."""
    from sandtable.odds import several

    return several.plan(game, questions, goal)


def smallest(game: str, pool: Any, defend: Any, *, chance: float, **options: Any) -> Smallest:
    """The smallest part of a pool that reaches a chance: see `sandtable.odds.several.smallest`."""
    from sandtable.odds import several

    return several.smallest(game, pool, defend, chance=chance, **options)
