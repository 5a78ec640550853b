"""What follows from what has happened, drawn in one place and in a fixed order.

Whatever changes war, possession, Control, Alignment, pacts or surrender does only that, and notes
it (`State.tell`). `settle` takes the notes one by one and asks every follower in turn what follows;
what they change is noted again, until nothing is left. While a battle is being fought its
consequences wait for its end. A note stays in the state until all that follows from it is drawn, so
that nobody uses a right in between (`rights`).

Order: wars bring Alignment and Control, cash is lost before a nation surrenders, and France has
surrendered before Vichy France is made.
"""

from __future__ import annotations

from collections.abc import Callable

from sandtable.games.gw36.model import News, State
from sandtable.games.gw36.rules import (
    alignment,
    capture,
    civil_wars,
    control,
    income,
    neutrals,
    objectives,
    pacts,
    relations,
    slovakia,
    surrender,
    vichy,
    zones,
)
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

FOLLOWERS: tuple[Callable[[Table[State], News], Procedure[None]], ...] = (
    relations.follow,
    alignment.follow,
    control.follow,
    capture.follow,
    income.follow,
    pacts.follow,
    slovakia.follow,
    civil_wars.follow,
    surrender.follow,
    vichy.follow,
    zones.follow,
    neutrals.follow,
    objectives.follow,
)


def settle(g: Table[State]) -> Procedure[None]:
    """Draw the consequences of all news, in order."""
    s = g.state
    if not s.news or s.battle is not None:
        return
    g.checkpoint(strict=True)
    while s.news:
        for follow in FOLLOWERS:
            yield from follow(g, s.news[0])
        s.news = s.news[1:]
