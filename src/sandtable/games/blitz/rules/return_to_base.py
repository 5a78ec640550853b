"""Returning to base (4.1)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def return_to_base(g: Table[State]) -> Procedure[None]:
    """Step A."""
    return
    yield
