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
from functools import cache

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

Follower = Callable[[Table[State], News], Procedure[None]]

FOLLOWERS: tuple[tuple[Follower, str], ...] = (
    (relations.follow, "war joined possession"),
    (alignment.follow, "war joined possession surrendered phase"),
    (control.follow, "possession"),
    (capture.follow, "possession"),
    (income.follow, ""),
    (pacts.follow, "war joined phase"),
    (slovakia.follow, "phase"),
    (civil_wars.follow, "possession phase"),
    (surrender.follow, "possession phase"),
    (vichy.follow, "possession surrendered liberated aligned"),
    (zones.follow, "calendar"),
    (neutrals.follow, "calendar"),
    (objectives.follow, "possession"),
)
"""Who draws consequences, in their order, and the kinds of news that each listens to; without any,
it listens to all."""


ROUTINE = frozenset({"phase", "calendar"})
"""News that seldom lead to a question: a copy of the state for each of them would cost more than
to come back to a question from a checkpoint before."""


@cache
def followers(kind: str) -> tuple[Follower, ...]:
    """Those who listen to a kind of news, in their order."""
    return tuple(follow for follow, kinds in FOLLOWERS if not kinds or kind in kinds.split())


def settle(g: Table[State]) -> Procedure[None]:
    """Draw the consequences of all news, in order."""
    s = g.state
    if not s.news or s.battle is not None:
        return
    if any(news.kind not in ROUTINE for news in s.news):
        g.checkpoint(strict=True)
    while s.news:
        news = s.news[0]
        for follow in followers(news.kind):
            yield from follow(g, news)
        s.news = s.news[1:]
