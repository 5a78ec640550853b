"""Choosing a Blitz (2.2)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def choose_blitz(g: Table[State]) -> Procedure[None]:
    """Every power of the side announces its Blitz, all at once."""
    return
    yield
