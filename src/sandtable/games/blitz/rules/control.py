"""Taking control of land areas (6.6) and what follows from it (3.4, 7.2, 8)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def take_control(g: Table[State], area: str, power: str) -> Procedure[None]:
    """Give a land area to a power that took it, and carry out everything that follows.

    Enemy air and naval units there are overrun, Factories score, markers of neutral entry move,
    countries are conquered or liberated, minors align.
    """
    return
    yield
