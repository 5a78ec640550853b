"""The invariants of a position."""

from __future__ import annotations

from sandtable.games.blitz.model import State


def broken_invariants(s: State) -> list[str]:
    """A sentence for each invariant that does not hold."""
    return []
