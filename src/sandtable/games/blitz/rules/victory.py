"""Victory points and the end of the game (8)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table


def count_victory(g: Table[State]) -> Procedure[None]:
    """Count the turn's victory points and see whether the game is over."""
    return
    yield


def final_result(s: State) -> Result:
    """Who has won when the last turn is over."""
    raise NotImplementedError
