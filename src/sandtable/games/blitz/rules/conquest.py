"""Conquest and liberation (3.4)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def start_of_turn(g: Table[State]) -> Procedure[None]:
    """Liberated countries get back one set-aside unit each (3.4.lib-g)."""
    return
    yield
