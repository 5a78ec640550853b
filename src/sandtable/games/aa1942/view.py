"""What a person sees: the board in words, events as sentences."""

from __future__ import annotations

from sandtable.games.aa1942.facts import Facts
from sandtable.games.aa1942.model import State
from sandtable.kernel.ruleset import Event


def sentence(facts: Facts, event: Event) -> str:
    """An event as a sentence."""
    return f"{event.kind}: {event.data}"


def board(s: State) -> str:
    """A readable summary of the position."""
    return ""
