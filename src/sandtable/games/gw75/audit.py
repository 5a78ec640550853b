"""What holds in every position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sandtable.games.gw75.model import State


def broken_invariants(s: State) -> list[str]:
    """What is wrong with a position, a sentence each; empty for a sound one."""
    return [*_conservation(s)]


def _conservation(s: State) -> Iterator[str]:
    """Opening, built and lost units add up to what is on the map."""
    found: Counter[tuple[str, str]] = Counter()
    for hex, unit, count in s.units():
        if count < 1:
            yield f"There are {count} of {unit.nation} {unit.type} in {hex}."
        found[unit.nation, unit.type] += count
    for key in sorted({*found, *s.opening, *s.built, *s.lost}):
        due = s.opening.get(key, 0) + s.built.get(key, 0) - s.lost.get(key, 0)
        if s.opening and due != found[key]:
            yield f"{' '.join(key)}: {found[key]} are on the map, and {due} should be."
