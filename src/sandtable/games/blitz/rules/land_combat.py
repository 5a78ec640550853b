"""Land area combat (5.3)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def land_area_combat(g: Table[State]) -> Procedure[None]:
    """Announce attacks, commit defenders, resolve."""
    return
    yield
