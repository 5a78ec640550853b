"""Answers to other questions than for the outcome of a battle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sandtable.odds.errors import OddsError
from sandtable.odds.result import Reals


@dataclass(frozen=True)
class Best:
    """The best play of one side against the other's stated policy.

    `value` and `default` are what the goal is worth to the attacker with best and with default
    play (a chance, or a swing); `gain` is what best play is worth to the side that plays it.
    Where `optimal` is False, the state space was out of reach, `note` says so, and the play is
    the best order of loss (and retreat rule) that a bounded search has found: `order`.
    """

    side: str
    goal: str
    value: float
    default: float
    optimal: bool
    note: str
    order: tuple[str, ...] | None
    keep_land: bool
    retreat: str
    elapsed_ms: float
    table: Values | None = None

    @property
    def gain(self) -> float:
        return self.value - self.default if self.side == "attacker" else self.default - self.value


@dataclass(frozen=True)
class Values:
    """The value of every state of a battle, to look up what to do."""

    chooser: dict[tuple[int, ...], int]
    kinds: tuple[str, ...]
    other: dict[tuple[tuple[str, int], ...], int]
    value: Reals
    """At the start of a round, to the chooser."""
    fight: Reals
    """If a round is fought now."""

    def retreat(self, mine: Mapping[str, int], theirs: Mapping[str, int]) -> bool:
        """Whether the attacker does better to break off."""
        i, j = self._find(mine, theirs)
        return bool(self.value[i, j] > self.fight[i, j])

    def worth(self, mine: Mapping[str, int], theirs: Mapping[str, int]) -> float:
        """The value of a state to the chooser at the end of a round."""
        return float(self.value[self._find(mine, theirs)])

    def choose(
        self, options: Sequence[Mapping[str, int]], theirs: Mapping[str, int]
    ) -> Mapping[str, int]:
        """Of several forces that may be left of the chooser's, the one worth most."""
        return max(options, key=lambda mine: self.worth(mine, theirs))

    def __repr__(self) -> str:
        return f"<Values of {self.value.shape[0]} by {self.value.shape[1]} states>"

    def _find(self, mine: Mapping[str, int], theirs: Mapping[str, int]) -> tuple[int, int]:
        key = tuple(mine.get(kind, 0) for kind in self.kinds)
        other = tuple(sorted((kind, n) for kind, n in theirs.items() if n))
        if key not in self.chooser or other not in self.other:
            raise OddsError("That state does not occur in this battle.")
        return self.chooser[key], self.other[other]
