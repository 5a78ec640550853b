"""What follows from what has happened, drawn in one place and in a fixed order.

Whatever moves units, changes who holds a hex or destroys something does only that, and notes it
(`State.tell`). `settle` takes the notes one by one and asks every follower in turn what follows;
what they change is noted again, until nothing is left. Kinds of news:

    entered     land units of `who` have entered hex `where`
    attacked    land units of `who` have attacked into hex `where`, which `whom` holds
    lost        `number` units of type `how` of `who` were destroyed in `where`
    violated    `who` has violated the neutrality of `whom` (in `where`)
    war         `who` and `whom` are at war
    fallen      `who` has surrendered or was conquered
    phase       the phase `how` begins or ends (`start of …`, `end of …`)
    turn        Game-Turn `number` begins
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from sandtable.games.gw75.model import News, State
from sandtable.games.gw75.rules import (
    axis_minors,
    china,
    indochina,
    italy,
    naval_supply,
    neutrals,
    occupation,
    supply,
    united_states,
    ussr,
    vichy,
    zones,
)
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

Follower = Callable[[Table[State], News], Procedure[None]]

FOLLOWERS: tuple[tuple[Follower, str], ...] = (
    (zones.settle_ashore, "turn land_combat"),
    (supply.clock, "land_movement land_combat"),
    (naval_supply.follow, "naval_1 naval_3 air_movement air_combat"),
    (occupation.follow, "entered"),
    (neutrals.follow, "violated phase"),
    (vichy.follow, "violated turn_record"),
    (indochina.follow, "entered"),
    (italy.follow, "entered phase"),
    (
        ussr.follow,
        "entered attacked violated war lost land_movement land_combat strategic_movement",
    ),
    (united_states.follow, "entered attacked violated war lost turn"),
    (axis_minors.follow, "entered violated land_movement"),
    (china.follow, "lost reinforcement"),
)
"""Who draws consequences, in their order, and the kinds of news that each listens to, or the phases
that begin and end (of either side) if it does not listen to all."""

ROUTINE = frozenset({"phase", "turn", "entered", "attacked"})
"""News that seldom lead to a question: a copy of the state for each of them would cost more than
to come back to a question from a checkpoint before."""


@cache
def followers(kind: str, phase: str) -> tuple[Follower, ...]:
    """Those who listen to a kind of news, in their order; `phase` is the one that it is about."""
    heard = {kind, phase.removeprefix("axis_").removeprefix("allies_")}
    return tuple(follow for follow, kinds in FOLLOWERS if not heard.isdisjoint(kinds.split()))


def settle(g: Table[State]) -> Procedure[None]:
    """Draw the consequences of all news, in order; but first of all to whom a war spreads."""
    s = g.state
    if not s.news:
        return
    if any(news.kind not in ROUTINE for news in s.news):
        g.checkpoint(strict=True)
    while s.news:
        at = 0
        if len(s.news) > 1:
            at = next((at for at, news in enumerate(s.news) if news.kind == "war"), 0)
        news = s.news[at]
        phase = news.how.rpartition(" ")[2] if news.kind == "phase" else ""
        for follow in followers(news.kind, phase):
            yield from follow(g, news)
        s.news = (*s.news[:at], *s.news[at + 1 :])
