"""Neutral entry (7.2)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def progress_to_war(g: Table[State]) -> Procedure[None]:
    """Turn end B: the automatic move of the markers."""
    return
    yield


def start_of_turn(g: Table[State]) -> Procedure[None]:
    """Moves and entries that come as the first thing in a turn (7.2c, 7.2e)."""
    return
    yield
