"""What people and clients see: events as sentences, the board as text, and what is secret."""

from __future__ import annotations

from typing import Any

from sandtable.games.blitz.facts import Facts
from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Event


def observe(s: State, power: str) -> dict[str, Any]:
    """The position as a power sees it: without the others' secret books.

    Rules: 1.9a
    """
    seen = s.plain()
    seen["books"] = {one: book for one, book in seen["books"].items() if one == power}
    return seen


def sentence(facts: Facts, event: Event) -> str:
    """An event as a sentence."""
    return f"{event.kind}: {event.data}"


def board(s: State) -> str:
    """The position in Rich markup."""
    return f"Turn {s.turn}"
