"""Spending Resources (7.8)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def spend_resources(g: Table[State]) -> Procedure[None]:
    """All powers build, research and develop in secret, until all are done."""
    return
    yield
