"""Sea area combat (4.4)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def sea_area_combat(g: Table[State]) -> Procedure[None]:
    """Step C."""
    return
    yield
