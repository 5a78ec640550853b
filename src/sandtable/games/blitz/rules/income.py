"""Oil and Resources of the turn (7.5-7.7)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def determine_income(g: Table[State]) -> Procedure[None]:
    """Open the books of all powers with what they have this turn."""
    return
    yield
