"""The scenarios' own rules (A to F)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def begin_turn(g: Table[State]) -> Procedure[None]:
    """What happens as a turn begins."""
    return
    yield


def reinforce(g: Table[State]) -> Procedure[None]:
    """Reinforcements that a scenario brings at the end of a turn."""
    return
    yield
