"""New weapons development (7.3)."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def develop_weapons(g: Table[State]) -> Procedure[None]:
    """Every power adds units of its Groups to its Force Pool."""
    return
    yield
