"""Words that the games share."""

from __future__ import annotations

from collections.abc import Iterable


def listed(parts: Iterable[str]) -> str:
    """`a, b and c`."""
    items = list(parts)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
