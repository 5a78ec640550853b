"""Questions about several battles: all of them, a plan's worth, the smallest force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from sandtable.odds import adapter, battles
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
    game_odds = adapter(game)
    have: dict[str, int] = game_odds.force(pool)
    costs: dict[str, int] = game_odds.cost()
    kinds = list(have)
    size = int(np.prod([n + 1 for n in have.values()], dtype=np.float64))
    if not have:
        raise OddsError("The pool is empty.")
    if size > MOST_FORCES:
        raise OddsError(f"The pool has {size:,} parts; more than {MOST_FORCES:,} are refused.")

    def value(force: Sequence[int]) -> int:
        return sum(costs[kind] * n for kind, n in zip(kinds, force, strict=True))

    whole = tuple(have.values())
    sea = options.pop("sea", None)
    if sea is None:
        sea = game_odds.question(have, defend, **options).sea
    options["sea"] = sea
    whole_chance = chance_of(game_odds.battle(have, defend, **options), goal)
    levels: dict[int, list[tuple[int, ...]]] = {}
    for force in product(*(range(n + 1) for n in whole)):
        if any(force):
            levels.setdefault(value(force) if by == "value" else sum(force), []).append(force)
    tried = 1
    if whole_chance >= chance:
        for level in sorted(levels):
            able = [dict(zip(kinds, force, strict=True)) for force in levels[level]]
            able = [force for force in able if _allowed(game_odds, force, defend, options)]
            found = battles(game, [{"attack": f, "defend": defend, **options} for f in able])
            tried += len(found)
            best = max(
                zip(found, able, strict=True), key=lambda t: chance_of(t[0], goal), default=None
            )
            if best is not None and chance_of(best[0], goal) >= chance:
                force_left = {kind: n for kind, n in best[1].items() if n}
                cost = sum(costs[kind] * n for kind, n in force_left.items())
                return Smallest(force_left, chance_of(best[0], goal), True, cost, tried)
    return Smallest(have, whole_chance, False, value(whole), tried)


def _allowed(game_odds: Any, force: Mapping[str, int], defend: Any, options: Any) -> bool:
    try:
        game_odds.question(force, defend, **options)
    except OddsError:
        return False
    return True
