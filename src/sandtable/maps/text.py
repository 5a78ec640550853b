"""The room that names take on a map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

LETTER = 0.6
"""The mean width of a letter, in parts of its size."""
LINE = 1.08
"""The distance of two lines, in parts of their size."""


def extent(lines: Sequence[str], size: float) -> tuple[float, float]:
    """The width and height of some lines."""
    return max(map(len, lines)) * LETTER * size, len(lines) * LINE * size


def broken(name: str) -> Iterator[list[str]]:
    """A name on one line, and broken at its spaces and hyphens into two or three."""
    words = name.replace("-", "- ").split()
    for count in range(min(3, len(words))):
        for at in combinations(range(1, len(words)), count):
            edges = [0, *at, len(words)]
            yield [" ".join(words[a:b]).replace("- ", "-") for a, b in pairwise(edges)]
