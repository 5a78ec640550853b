"""Exact odds of battles: distributions of survivors, best play, plans of several battles.

>>> from sandtable import odds
>>> result = odds.battle("aa1942", attack="2 infantry, 1 tank", defend="2 infantry")
>>> print(f"{result.takes_territory:.3f}")
0.811

What a game's battles are like is told by the package `odds` of the game. It has `question`, which
reads what is asked, and `answer`; and where the game has such a thing `best`, `raid`,
`in_progress`, `part` (of a question's attack), `job` and `from_head` (many battles in one call).
Its module `command` has the function `odds`, which is `sandtable odds GAME`.
"""

from __future__ import annotations

import importlib
import inspect
import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from sandtable.odds.errors import OddsError

if TYPE_CHECKING:
    from sandtable.kernel.game import Game
    from sandtable.odds.several import Plan, Smallest

__all__ = ["OddsError", "battle", "battles", "best", "in_progress", "plan", "raid", "smallest"]

CHUNK = 128
"""Battles that are handed over to a thread at a time."""


@cache
def adapter(game: str) -> Any:
    """The package of a game that knows its battles."""
    from sandtable.kernel.registry import game_ids

    if game not in game_ids():
        raise OddsError(f"There is no game {game!r}; there are: {', '.join(game_ids())}.")
    try:
        return importlib.import_module(f"sandtable.games.{game}.odds")
    except ModuleNotFoundError as error:
        if error.name != f"sandtable.games.{game}.odds":
            raise
        raise OddsError(f"There are no odds for {game} yet.") from None


def knows(game: str, what: str) -> Callable[..., Any]:
    """What a game's odds can be asked for; OddsError if they cannot."""
    function: Callable[..., Any] | None = getattr(adapter(game), what, None)
    if function is None:
        raise OddsError(f"The odds of {game} have no {what.replace('_', ' ')}.")
    return function


def asked(question: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """The answer to a question; OddsError if an option is missing or is not known."""
    try:
        return question(*args, **options)
    except TypeError:
        try:
            inspect.signature(question).bind(*args, **options)
        except TypeError as error:
            raise OddsError(f"That cannot be asked: {error}.") from None
        raise


@cache
def _loading() -> list[float]:
    """What `compiled` counts; found once, because an import takes its time each time."""
    from sandtable.odds.compiled import loading

    return loading


def battle(game: str, /, attack: Any = "", defend: Any = "", **options: Any) -> Any:
    """The exact outcome of a battle.

    For `aa1942` forces are text ("3 infantry, 1 art") or mappings from unit types to numbers; the
    options are those of `sandtable.games.aa1942.odds.questions.question` and of its
    `odds.policy.Policy`, and the result is a `sandtable.odds.result.Result`. For `blitz` forces are
    units by name, and options and result are those of
    `sandtable.games.blitz.odds.question.question` and `sandtable.games.blitz.odds.result.Result`.
    """
    game_odds, loading = adapter(game), _loading()
    try:
        q = game_odds.question(attack, defend, **options)
    except TypeError:
        q = asked(game_odds.question, attack, defend, **options)  # says what is wrong
    # Loading compiled code is no part of the time that an answer takes.
    began = time.perf_counter() - loading[0]
    result = game_odds.answer(q)
    result.elapsed_ms = 1000 * (time.perf_counter() - loading[0] - began)
    return result


def battles(
    game: str, questions: Sequence[Mapping[str, Any]], workers: int | None = None
) -> list[Any]:
    """The outcomes of many battles, on all cores (or that many `workers`).

    Each question has the keyword arguments of `battle`.
    """
    game_odds = adapter(game)
    return answer_all(game_odds, questions, lambda q: asked(game_odds.question, **q), workers)


def answer_all(
    game_odds: Any, questions: Sequence[Any], read: Callable[[Any], Any], workers: int | None = None
) -> list[Any]:
    """The answers to many questions, each of which has still to be `read`."""
    from concurrent.futures import ThreadPoolExecutor

    make_job = getattr(game_odds, "job", None)
    if make_job is None:
        return [game_odds.answer(read(q)) for q in questions]
    from sandtable.odds.exact import fight_many

    workers = workers or os.cpu_count() or 1
    results: list[Any] = [None] * len(questions)
    with ThreadPoolExecutor(workers) as pool:
        waiting = []
        for first in range(0, len(questions), CHUNK):
            known = [read(q) for q in questions[first : first + CHUNK]]
            jobs = [make_job(q) for q in known]
            plain = [job for job in jobs if job is not None]
            for k, (q, job) in enumerate(zip(known, jobs, strict=True)):
                if job is None:
                    results[first + k] = game_odds.answer(q)
            if plain:
                # The kernel runs without the interpreter's lock while the next ones are read.
                waiting.append((first, known, jobs, pool.submit(fight_many, plain)))
        for first, known, jobs, heads in waiting:
            rows = iter(heads.result())
            for k, (q, job) in enumerate(zip(known, jobs, strict=True)):
                if job is not None:
                    results[first + k] = game_odds.from_head(q, next(rows))
    return results


def best(game: str, /, attack: Any = "", defend: Any = "", **options: Any) -> Any:
    """The best play of one `side` ("attacker", "defender") for a `goal` ("win", "take", "swing"
    or a function of what is left), against the stated policy of the other; and its gain over the
    default. Other options as for `battle`. See `sandtable.games.aa1942.odds.optimum`.
    """
    return asked(knows(game, "best"), attack, defend, **options)


def raid(game: str, /, *args: Any, **options: Any) -> Any:
    """The exact outcome of a bombing raid: see `sandtable.games.aa1942.odds.bombing.raid`."""
    return asked(knows(game, "raid"), *args, **options)


def in_progress(game: Game, /, **options: Any) -> Any:
    """The odds of the battle in which a game rests, from here on; the options say how both sides
    play, as for `battle`."""
    return asked(knows(game.rules.id, "in_progress"), game, **options)


def plan(game: str, questions: Sequence[Mapping[str, Any]], goal: str = "win") -> Plan:
    """Several battles: the chance to win all, the number won, the expected swing."""
    from sandtable.odds import several

    return several.plan(game, questions, goal)


def smallest(game: str, pool: Any, defend: Any, *, chance: float, **options: Any) -> Smallest:
    """The smallest part of a pool that reaches a chance: see `sandtable.odds.several.smallest`."""
    from sandtable.odds import several

    return several.smallest(game, pool, defend, chance=chance, **options)
