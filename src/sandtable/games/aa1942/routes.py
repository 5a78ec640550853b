"""Ways over the board, before any rule is asked about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

Path = tuple[str, ...]


def walks(
    neighbours: Mapping[str, Sequence[str]],
    start: str,
    most: int,
    *,
    back: bool = False,
    crossing: bool = False,
) -> Iterator[Path]:
    """The ways of at most `most` steps, shorter ones first. They touch no space twice, but may end
    where they began with `back`, and cross themselves with `crossing`."""
    edge: list[Path] = [(start,)]
    for _ in range(most):
        edge = [
            (*way, there)
            for way in edge
            for there in neighbours.get(way[-1], ())
            if crossing or there not in way or (back and there == start)
        ]
        yield from edge
        if back and not crossing:
            edge = [way for way in edge if way[-1] != start]
