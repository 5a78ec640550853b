"""Lend lease (7.4)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def deliver_lend_lease(g: Table[State]) -> Procedure[None]:
    """Deliver what lend lease units bring."""
    return
    yield
