"""Before the first turn: bidding (9.1) and Blitzing the Road to War (9.2)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def before_the_game(g: Table[State]) -> Procedure[None]:
    """Settle what the options ask for before the first turn."""
    return
    yield
