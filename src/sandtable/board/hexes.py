"""Grids of hexes: neighbours, distances and straight lines, round the globe too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Hex = tuple[int, int]
"""Column and row, counted from 0 at the upper left corner."""

_STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""To the six neighbours: along a straight row or column, and across."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Columns and rows of hexes. With pointed tops the rows are straight and every second one
    stands half a hex farther right; with flat tops the columns are, and stand farther down."""

    columns: int
    rows: int
    shifted: Literal["odd", "even"] = "odd"
    """Which rows (columns, if flat) stand half a hex farther on."""
    flat: bool = False
    wrap: bool = False
    """The last column is next to the first."""

    def __post_init__(self) -> None:
        if self.columns < 1 or self.rows < 1:
            raise ValueError("A grid needs a column and a row.")
        if self.wrap and self.flat and self.columns % 2:
            raise ValueError("Flat hexes go round only with an even number of columns.")

    def __contains__(self, hex: object) -> bool:
        match hex:
            case (int() as column, int() as row):
                return 0 <= column < self.columns and 0 <= row < self.rows
        return False

    def neighbours(self, hex: Hex) -> list[Hex]:
        """The hexes next to one, in order round it."""
        q, r = self._skew(hex)
        return [near for dq, dr in _STEPS if (near := self._hex(q + dq, r + dr)) is not None]

    def distance(self, a: Hex, b: Hex) -> int:
        """How many steps lead from one hex to another, the short way round."""
        if self.flat:
            return min(_length(self._skew(a), self._skew(each)) for each in self._copies(b))
        one, row = a
        other, r = b
        odd = self.shifted == "odd"
        q = (
            other - one - (r >> 1) + (row >> 1)
            if odd
            else other - one - (r + 1 >> 1) + (row + 1 >> 1)
        )
        r -= row
        if self.wrap:
            if 2 * q + r > self.columns:
                q -= self.columns
            elif 2 * q + r < -self.columns:
                q += self.columns
        if (q < 0) == (r < 0):
            return abs(q + r)
        return max(abs(q), abs(r))

    def line(self, a: Hex, b: Hex) -> list[Hex]:
        """The hexes on the straight line from one to another, both included, the short way round.
        Where it runs along the edge of two hexes it takes the same one of them always, but on the
        edge of the grid the one that is there."""
        start = self._skew(a)
        end = min(map(self._skew, self._copies(b)), key=lambda each: _length(start, each))
        steps = _length(start, end)
        found = []
        for i in range(steps + 1):
            part = i / steps if steps else 0.0
            q = start[0] + (end[0] - start[0]) * part
            r = start[1] + (end[1] - start[1]) * part
            # A little off the line, so that no hex is hit on its edge.
            beside = (self._hex(*_rounded(q + off, r + 2 * off)) for off in (1e-6, -1e-6))
            found.append(next(hex for hex in beside if hex is not None))
        return found

    def shift(self, hex: Hex) -> int:
        """1 if a hex stands half a hex farther on, else 0."""
        column, row = hex
        along = column if self.flat else row
        return int(along % 2 == (1 if self.shifted == "odd" else 0))

    def _copies(self, hex: Hex) -> list[Hex]:
        column, row = hex
        if not self.wrap:
            return [hex]
        return [(column + turn * self.columns, row) for turn in (0, -1, 1)]

    def _skew(self, hex: Hex) -> Hex:
        """Skewed axes, on which the six steps are the same everywhere."""
        column, row = hex
        across, along = (row, column) if self.flat else (column, row)
        return across - self._slip(along), along

    def _hex(self, q: int, r: int) -> Hex | None:
        across = q + self._slip(r)
        column, row = (r, across) if self.flat else (across, r)
        if self.wrap:
            column %= self.columns
        return (column, row) if (column, row) in self else None

    def _slip(self, along: int) -> int:
        """How far the skewed axis has gone after so many rows."""
        return along // 2 if self.shifted == "odd" else (along + 1) // 2


def _length(a: Hex, b: Hex) -> int:
    q, r = b[0] - a[0], b[1] - a[1]
    return max(abs(q), abs(r), abs(q + r))


def _rounded(q: float, r: float) -> Hex:
    """The hex that a point of the skewed axes lies in."""
    s = -q - r
    whole = [round(q), round(r), round(s)]
    off = [abs(whole[0] - q), abs(whole[1] - r), abs(whole[2] - s)]
    if off[0] > off[1] and off[0] > off[2]:
        return -whole[1] - whole[2], whole[1]
    if off[1] > off[2]:
        return whole[0], -whole[0] - whole[2]
    return whole[0], whole[1]
