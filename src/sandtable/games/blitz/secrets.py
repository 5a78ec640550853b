"""What is hidden from whom: the books in which builds are ordered, until all are done."""

from __future__ import annotations

from typing import Any

from sandtable.games.blitz.model import State


def hiding(s: State) -> tuple[str, ...]:
    """Those who have a secret book."""
    return tuple(s.books)


def observe(s: State, power: str) -> dict[str, Any]:
    """The position as a power sees it: without the others' secret books.

    Rules: 1.9a
    """
    seen = s.plain()
    seen["books"] = {one: book for one, book in seen["books"].items() if one == power}
    return seen
