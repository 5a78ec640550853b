"""Commanders (9.5)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def move_commanders(g: Table[State]) -> Procedure[None]:
    """Return, flip, move and assign commanders as the first action of a phase."""
    return
    yield
