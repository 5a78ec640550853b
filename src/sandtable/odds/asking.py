"""Asking a game's odds: one question, or many at once."""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from sandtable.kernel.registry import game_ids
from sandtable.odds.errors import OddsError

CHUNK = 128
"""Battles that are handed over to a thread at a time."""


@cache
def adapter(game: str) -> Any:
    """The package of a game that knows its battles."""
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
