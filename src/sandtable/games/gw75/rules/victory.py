"""To be written."""

from __future__ import annotations

from sandtable.games.gw75.model import State
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table


def over(g: Table[State]) -> Procedure[Result | None]:
    """To be written."""
    s = g.state
    yield from ()
    if s.turn >= s.facts.scenarios[s.options["scenario"]].last:
        return Result((), "The last Game-Turn is over.")
    return None
