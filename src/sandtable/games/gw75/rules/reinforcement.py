"""To be written."""

from __future__ import annotations

from sandtable.games.gw75.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def phase(g: Table[State]) -> Procedure[None]:
    """To be written."""
    yield from ()
