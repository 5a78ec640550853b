"""Moving to sea areas (4.2) and blocking (4.3)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def move_to_sea(g: Table[State]) -> Procedure[None]:
    """Step B."""
    return
    yield
