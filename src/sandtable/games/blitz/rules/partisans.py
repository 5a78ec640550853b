"""Partisans (7.1)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def place_partisans(g: Table[State]) -> Procedure[None]:
    """Turn end A."""
    return
    yield
