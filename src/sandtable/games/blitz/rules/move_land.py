"""Moving land units (5.2)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def move_land_units(g: Table[State]) -> Procedure[None]:
    """Step E."""
    return
    yield
