"""A smooth, monotone stretch of one axis of the map: where much happens, a degree is longer.

A declaration gives weights at some degrees; between them the weight is linear, so that the place on
the sheet, its integral, is smooth and can be inverted in closed form.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import floor, sqrt


class Stretch:
    """Degrees to sheet units, one direction of the map. `period` repeats it without end."""

    def __init__(
        self, knots: Sequence[tuple[float, float]], scale: float = 1.0, period: float | None = None
    ) -> None:
        """`knots` are degrees and weights; sheet 0 is at the first, `scale` units per degree of
        weight 1."""
        if len(knots) < 2:
            raise ValueError("a stretch needs two knots or more")
        degrees = [float(degree) for degree, _ in knots]
        weights = [float(weight) for _, weight in knots]
        if any(a >= b for a, b in pairwise(degrees)):
            raise ValueError("the degrees of a stretch have to rise")
        if min(weights) <= 0:
            raise ValueError("the weights of a stretch have to be positive")
        if period is not None and (degrees[-1] - degrees[0] != period or weights[0] != weights[-1]):
            raise ValueError(f"a stretch that repeats has to span {period} and end as it begins")
        self.degrees = degrees
        self.weights = [weight * scale for weight in weights]
        self.period = period
        self.places = [0.0]
        for i in range(len(degrees) - 1):
            mean = (self.weights[i] + self.weights[i + 1]) / 2
            self.places.append(self.places[-1] + mean * (degrees[i + 1] - degrees[i]))

    @property
    def length(self) -> float:
        """The length of the axis on the sheet, of one turn if it repeats."""
        return self.places[-1]

    def place(self, degree: float) -> float:
        """Where a degree is on the sheet. Beyond the ends the outer weights go on."""
        turns = 0
        if self.period is not None:
            turns = floor((degree - self.degrees[0]) / self.period)
            degree -= turns * self.period
        i = self._piece(self.degrees, degree)
        at = degree - self.degrees[i]
        if degree < self.degrees[0]:
            inside = self.places[0] + self.weights[0] * at
        elif degree > self.degrees[-1]:
            inside = self.places[-1] + self.weights[-1] * (degree - self.degrees[-1])
        else:
            inside = self.places[i] + self.weights[i] * at + self._slope(i) * at * at / 2
        return turns * self.length + inside

    def degree(self, place: float) -> float:
        """The degree at a place of the sheet: the inverse of `place`."""
        turns = 0
        if self.period is not None:
            turns = floor(place / self.length)
            place -= turns * self.length
        if place < 0:
            return self.degrees[0] + place / self.weights[0]
        if place > self.places[-1]:
            return self.degrees[-1] + (place - self.places[-1]) / self.weights[-1]
        i = self._piece(self.places, place)
        rest, weight = place - self.places[i], self.weights[i]
        # The stable form of the quadratic's root: it holds where the slope is 0 as well.
        root = sqrt(max(weight * weight + 2 * self._slope(i) * rest, 0.0))
        return self.degrees[i] + 2 * rest / (weight + root) + turns * (self.period or 0.0)

    def _slope(self, i: int) -> float:
        return (self.weights[i + 1] - self.weights[i]) / (self.degrees[i + 1] - self.degrees[i])

    @staticmethod
    def _piece(marks: list[float], value: float) -> int:
        return min(max(bisect_right(marks, value) - 1, 0), len(marks) - 2)
