"""The answer to a question about a battle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]

ATTACKER, DEFENDER, DRAW, RETREAT, DEADLOCK = range(5)
"""How a battle ends: one side has fighting units left, or neither; the attacker breaks off; or
both are left and cannot hit each other."""


class Distribution(NamedTuple):
    """Every possible end of a battle, one per row."""

    probability: Reals
    attacker: Counts
    """Units left, a column for each of the result's `attacker_types`."""
    defender: Counts
    ending: Counts
    takes: npt.NDArray[np.bool_]


class Result:
    """The exact outcome of a battle, or an estimate (`exact` is False, `error` its standard error).

    The plain figures are there at once; the arrays are made when first asked for.
    """

    def __init__(
        self,
        *,
        attacker: Mapping[str, int],
        defender: Mapping[str, int],
        attacker_types: tuple[str, ...],
        defender_types: tuple[str, ...],
        cost: Mapping[str, float],
        expand: Callable[[], Distribution],
        head: Reals | None = None,
        territory: float = 0.0,
        count_rounds: Callable[[], Reals] | None = None,
        rounds: float | None = None,
        runs: int = 0,
        notes: tuple[str, ...] = (),
        elapsed_ms: float = 0.0,
    ) -> None:
        self.attacker_start = attacker
        self.defender_start = defender
        self.attacker_types = attacker_types
        self.defender_types = defender_types
        self.cost = cost
        self.territory = territory
        self.exact = runs == 0
        self.runs = runs
        self.notes = notes
        self.elapsed_ms = elapsed_ms
        self.stages: dict[str, Result] = {}
        self._expand = expand
        self._head = head
        self._count_rounds = count_rounds
        self._rounds = rounds

    # --- the plain figures ----------------------------------------------------------------

    @property
    def attacker_wins(self) -> float:
        """The chance that only the attacker has fighting units left."""
        return self._of(2, ATTACKER)

    @property
    def defender_wins(self) -> float:
        """The chance that the defender holds out: the attacker is destroyed or breaks off."""
        return self._of(3, DEFENDER) + self.retreats

    @property
    def draw(self) -> float:
        """The chance that nobody is left to fight, or that neither can hit the other."""
        return self._of(4, DRAW, DEADLOCK)

    @property
    def retreats(self) -> float:
        """The chance that the attacker breaks off (part of `defender_wins`)."""
        return self._of(6, RETREAT)

    @property
    def takes_territory(self) -> float:
        """The chance that the attacker wins with a unit that can take the territory."""
        if self._head is not None:
            return float(self._head[5])
        return float(self.probability[self.distribution.takes].sum())

    @property
    def rounds(self) -> float:
        """The mean number of combat rounds."""
        if self._head is not None:
            return float(self._head[0])
        return float(self._rounds or 0.0)

    @property
    def attacker_loss(self) -> float:
        """The mean cost of the attacker's lost units."""
        if self._head is not None:
            return float(self._head[7])
        return self._loss(self.attacker_start, self.attacker_types, self.attacker)

    @property
    def defender_loss(self) -> float:
        """The mean cost of the defender's lost units."""
        if self._head is not None:
            return float(self._head[8])
        return self._loss(self.defender_start, self.defender_types, self.defender)

    @property
    def swing(self) -> float:
        """What the battle is worth to the attacker: the defender's loss less its own, and the
        value of the territory as often as it is taken."""
        return self.defender_loss - self.attacker_loss + self.territory * self.takes_territory

    @property
    def error(self) -> float:
        """The standard error of `attacker_wins`; 0 for an exact answer."""
        p = self.attacker_wins
        return float(np.sqrt(max(0.0, p * (1 - p)) / self.runs)) if self.runs else 0.0

    # --- the distribution ------------------------------------------------------------------

    @cached_property
    def distribution(self) -> Distribution:
        """All ends, the likeliest first."""
        return self._expand()

    @property
    def probability(self) -> Reals:
        return self.distribution.probability

    @property
    def attacker(self) -> Counts:
        return self.distribution.attacker

    @property
    def defender(self) -> Counts:
        return self.distribution.defender

    @cached_property
    def rounds_distribution(self) -> Reals:
        """The chances that the battle lasts 0, 1, 2 … rounds; fought again to count them."""
        if self._count_rounds is None:
            return np.array([1.0])
        counted = self._count_rounds()
        end = int(np.flatnonzero(counted > 0).max(initial=0)) + 1
        return counted[:end]

    def expected_left(self, side: str = "attacker") -> dict[str, float]:
        """The mean number of each type left."""
        types, counts = self._side(side)
        means = self.probability @ counts
        return {name: float(mean) for name, mean in zip(types, means, strict=True)}

    def expectation(self, value: Callable[[dict[str, int], dict[str, int]], float]) -> float:
        """The mean of any function of the two sides' survivors; one call per possible end."""
        total = 0.0
        for p, ours, theirs in zip(self.probability, self.attacker, self.defender, strict=True):
            left_a = dict(zip(self.attacker_types, map(int, ours), strict=True))
            left_d = dict(zip(self.defender_types, map(int, theirs), strict=True))
            total += float(p) * value(left_a, left_d)
        return total

    def to_dict(self, most: int = 12) -> dict[str, Any]:
        """The answer as plain data, with the `most` likeliest survivors of each side."""
        return {
            "attacker_wins": self.attacker_wins,
            "defender_wins": self.defender_wins,
            "draw": self.draw,
            "retreats": self.retreats,
            "takes_territory": self.takes_territory,
            "rounds": self.rounds,
            "attacker_left": self._likely("attacker", most),
            "defender_left": self._likely("defender", most),
            "attacker_loss": self.attacker_loss,
            "defender_loss": self.defender_loss,
            "swing": self.swing,
            "exact": self.exact,
            "standard_error": self.error,
            "notes": list(self.notes),
            "elapsed_ms": self.elapsed_ms,
        }

    def likeliest(self, side: str) -> list[tuple[float, dict[str, int]]]:
        """What is left of a side, with its chance, the likeliest first."""
        types, counts = self._side(side)
        rows, where = np.unique(counts, axis=0, return_inverse=True)
        weight = np.bincount(where.ravel(), weights=self.probability, minlength=len(rows))
        return [
            (
                float(weight[k]),
                {name: int(n) for name, n in zip(types, rows[k], strict=True) if n},
            )
            for k in np.argsort(-weight, kind="stable")
        ]

    def _likely(self, side: str, most: int) -> dict[str, Any]:
        return {
            "expected": {k: round(v, 6) for k, v in self.expected_left(side).items()},
            "likeliest": [
                {"probability": p, "units": units} for p, units in self.likeliest(side)[:most]
            ],
        }

    def _side(self, side: str) -> tuple[tuple[str, ...], Counts]:
        if side == "attacker":
            return self.attacker_types, self.attacker
        return self.defender_types, self.defender

    def _of(self, place: int, *endings: int) -> float:
        if self._head is not None:
            return float(self._head[place])
        return float(self.probability[np.isin(self.distribution.ending, endings)].sum())

    def _loss(self, start: Mapping[str, int], types: tuple[str, ...], left: Counts) -> float:
        before = sum(self.cost[kind] * n for kind, n in start.items())
        value = np.array([self.cost[kind] for kind in types], np.float64)
        return float(before - self.probability @ (left @ value))

    def __repr__(self) -> str:
        return (
            f"<Result attacker {self.attacker_wins:.1%}, defender {self.defender_wins:.1%}, "
            f"draw {self.draw:.1%}, swing {self.swing:+.1f}>"
        )


def likeliest_first(
    probability: Reals, attacker: Counts, defender: Counts, ending: Counts, takes: Any
) -> Distribution:
    """A distribution in order."""
    order = np.argsort(-probability, kind="stable")
    return Distribution(
        probability[order], attacker[order], defender[order], ending[order], takes[order]
    )
