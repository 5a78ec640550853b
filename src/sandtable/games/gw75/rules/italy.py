"""Italy: its entry into the war, its retreat from Africa, its surrender (19.2)."""

from __future__ import annotations

from sandtable.games.gw75.facts import pair
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import foes
from sandtable.games.gw75.rules.wars import at_peace, declare
from sandtable.kernel.table import Table

FIRST, LAST = 3, 10
"""The Game-Turns in which Italy may enter the war (19.21)."""
DRIVEN_OUT = "italy:driven_out"
"""The mark of the Axis having been driven out of Africa."""


def only_defends(s: State) -> bool:
    """Whether Italian units may no longer attack.

    Rules: 19.24a
    """
    return DRIVEN_OUT in s.marks


def may_be_drawn_in(s: State) -> str:
    """Why Germany or Japan may not bring Italy into the war now; empty if they may.

    Rules: 11.3e, 19.21a, 19.21b
    """
    if not at_peace(s, "italy") or "italy" in s.fallen:
        return "Italy is not neutral any more (19.21)."
    if s.turn < FIRST:
        return "Italy may not enter the war before the second quarter of 1940 (19.21)."
    if s.turn > LAST:
        return "After the first quarter of 1942 Italy may not enter the war at all (19.21)."
    return ""


def enter(g: Table[State]) -> None:
    """Italy enters the war: Germany's Enemies are its own.

    Rules: 11.3e, 19.21a
    """
    s = g.state
    g.emit("entered_war", power="italy")
    for foe in sorted(foes(s, "germany")):
        declare(g, "italy", foe, limited=pair("germany", foe) in s.limited)
