"""Questions about several battles: all of them, a plan's worth, the smallest force."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from sandtable.odds.asking import adapter, answer_all, asked, battles, knows
from sandtable.odds.errors import OddsError
from sandtable.odds.result import Reals, Result

MOST_FORCES = 50_000


@dataclass(frozen=True)
class Plan:
    """Several battles, fought independently of each other."""

    results: tuple[Result, ...]
    goal: str

    @property
    def chances(self) -> Reals:
        """The chance of each battle to reach the goal."""
        return np.array([chance_of(result, self.goal) for result in self.results])

    @property
    def all(self) -> float:
        """The chance that every battle reaches it."""
        return float(np.prod(self.chances))

    @property
    def number(self) -> Reals:
        """The chances that 0, 1, 2 … battles reach it."""
        chances = np.ones(1)
        for p in self.chances:
            chances = np.convolve(chances, [1 - p, p])
        return chances

    @property
    def swing(self) -> float:
        """The expected swing of all battles together."""
        return sum(result.swing for result in self.results)

    @property
    def swing_deviation(self) -> float:
        """The standard deviation of that swing."""
        return float(np.sqrt(sum(_swing_variance(result) for result in self.results)))


def chance_of(result: Result, goal: str) -> float:
    """The chance to "win" the battle or to "take" the territory."""
    if goal not in ("win", "take"):
        raise OddsError(f"A plan's goal is 'win' or 'take', not {goal!r}.")
    return result.attacker_wins if goal == "win" else result.takes_territory


def _swing_variance(result: Result) -> float:
    ours = np.array([result.cost[kind] for kind in result.attacker_types], np.float64)
    theirs = np.array([result.cost[kind] for kind in result.defender_types], np.float64)
    swing = result.attacker @ ours - result.defender @ theirs
    swing = swing + result.territory * result.distribution.takes
    mean = float(result.probability @ swing)
    return float(result.probability @ (swing - mean) ** 2)


def plan(game: str, questions: Sequence[Mapping[str, Any]], goal: str = "win") -> Plan:
    """The outcome of several battles; each question has the arguments of `battle`."""
    if not questions:
        raise OddsError("A plan needs at least one battle.")
    made = Plan(tuple(battles(game, questions)), goal)
    chance_of(made.results[0], goal)
    return made


@dataclass(frozen=True)
class Smallest:
    """The smallest force that reaches a chance; without one, the best that the pool can do."""

    force: dict[str, int]
    chance: float
    reached: bool
    cost: int
    tried: int


def smallest(
    game: str,
    pool: Any,
    defend: Any,
    *,
    chance: float,
    goal: str = "take",
    by: str = "value",
    **options: Any,
) -> Smallest:
    """The part of a pool that is enough, of least cost (`by` "value") or fewest units ("number").

    Among equally small forces the one with the best chance. Every smaller force is tried, in
    ascending order, so the cost grows with the product of the pool's numbers.
    """
    if not 0 < chance <= 1:
        raise OddsError(f"A chance is above 0 and at most 1, not {chance}.")
    if by not in ("value", "number"):
        raise OddsError(f"The smallest force is 'value' or 'number', not {by!r}.")
    part = knows(game, "part")
    game_odds = adapter(game)
    question = asked(game_odds.question, pool, defend, **options)
    have: dict[str, int] = question.attack
    kinds = list(have)
    size = math.prod(n + 1 for n in have.values())
    if size > MOST_FORCES:
        raise OddsError(f"The pool has {size:,} parts; more than {MOST_FORCES:,} are refused.")
    whole = game_odds.answer(question)
    costs = whole.cost

    def value(force: Mapping[str, int]) -> int:
        return sum(costs[kind] * n for kind, n in force.items())

    levels: dict[int, list[dict[str, int]]] = {}
    for numbers in product(*(range(n + 1) for n in have.values())):
        force = {kind: n for kind, n in zip(kinds, numbers, strict=True) if n}
        if force:
            level = value(force) if by == "value" else sum(numbers)
            levels.setdefault(level, []).append(force)
    tried = 1
    if chance_of(whole, goal) >= chance:
        for level in sorted(levels):
            able = [(f, q) for f in levels[level] if (q := part(question, f)) is not None]
            found = answer_all(game_odds, [q for _, q in able], lambda q: q)
            tried += len(found)
            chances = [chance_of(result, goal) for result in found]
            top = max(chances, default=0.0)
            if chances and top >= chance:
                force = able[chances.index(top)][0]
                return Smallest(force, top, True, value(force), tried)
    return Smallest(have, chance_of(whole, goal), False, value(have), tried)
