"""Vichy and Free France (20.1). Vichy France is a nation of its own; what is Free French is
France's."""

from __future__ import annotations

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import holder

DECLARED = "vichy:declared"
"""Count: the Game-Turn in which Vichy France was declared."""


def grace(s: State, nation: str, hex: str) -> bool:
    """Whether units of a nation may still be in a hex of Vichy France: in the Game-Turn after its
    declaration, if they were in its territory.

    Rules: 20.18
    """
    return (
        s.vichy == "declared"
        and s.turn <= s.counts.get(DECLARED, 0) + 1
        and f"vichy:leaves:{nation}" in s.marks
        and holder(s, hex) == "vichy"
    )
