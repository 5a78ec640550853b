"""What the odds engine has to know about this game, and how its battles are put together.

The procedure of a battle is in `sandtable.odds.line` (land) and `sandtable.odds.layers` (sea);
here are the units' names, the orders of loss, antiaircraft fire, bombardment, landings, raids.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

from sandtable.games.aa1942.odds.bombing import raid
from sandtable.games.aa1942.odds.land import answer_land, land_job
from sandtable.games.aa1942.odds.landing import answer_landing
from sandtable.games.aa1942.odds.optimum import best
from sandtable.games.aa1942.odds.questions import Question, fault, question
from sandtable.games.aa1942.odds.sea import answer_sea, sea_job
from sandtable.odds.exact import Job
from sandtable.odds.result import Reals, Result

__all__ = [
    "Question",
    "answer",
    "best",
    "from_head",
    "in_progress",
    "job",
    "part",
    "question",
    "raid",
]


def answer(q: Question) -> Result:
    """The outcome of a question that has been read."""
    if q.landing:
        return answer_landing(q)
    return answer_sea(q) if q.sea else answer_land(q, {})


def job(q: Question) -> Job | None:
    """The battle in a form that many can be fought in one call; None if it is not so simple."""
    rule = q.policy.retreat
    if q.landing or q.sample or rule == "loss" or callable(rule):
        return None
    return sea_job(q) if q.sea else land_job(q)


def from_head(q: Question, head: Reals) -> Result:
    """A result of which only the figures are known; the arrays are found when asked for."""
    return Result(
        attacker=q.attack,
        defender=q.defend,
        attacker_types=tuple(q.attack),
        defender_types=tuple(q.defend),
        cost=q.book.cost,
        expand=lambda: answer(q).distribution,
        head=head,
        territory=q.territory,
        count_rounds=lambda: answer(q).rounds_distribution,
    )


def part(q: Question, force: dict[str, int]) -> Question | None:
    """The question with a part of its attack only; None if the rules do not allow that."""
    if not q.landing and fault(q.book, tuple(force), tuple(q.defend), q.sea):
        return None
    return replace(q, attack=force)


def in_progress(game: Any, **options: Any) -> Result:
    """The odds of the battle in which a game rests: see `progress.in_progress`."""
    progress = import_module("sandtable.games.aa1942.odds.progress")
    result: Result = progress.in_progress(game, **options)
    return result
