"""Rebasing air and naval units (5.1)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def rebase_units(g: Table[State]) -> Procedure[None]:
    """Step D."""
    return
    yield
