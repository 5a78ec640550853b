"""What is hidden from whom: what others have ordered. Units lie face-down on the Production Track
until they appear; how many points a power has is known to all, what it spends them on is not."""

from __future__ import annotations

from typing import Any

from sandtable.games.gw75.facts import MAJORS
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import commander

BY_NATION = ("started", "started_before", "dead", "points")
"""Fields by nation and something else, all of which tell about orders: destroyed units are fewer
when they are rebuilt, points when they are spent."""


def hiding(s: State) -> tuple[str, ...]:
    """The players who have something that others do not see."""
    nations = {job.nation for job in (*s.track, *s.due)} | {*s.stock}
    for field in BY_NATION:
        nations |= {nation for nation, _ in getattr(s, field)}
    players = {commander(s, nation) for nation in nations}
    return tuple(power for power in MAJORS if power in players)


def observe(s: State, power: str) -> dict[str, Any]:
    """The position as a player sees it: of the nations of others neither what is on the Production
    Tracks or due and not placed yet, nor what tells about it: whether they are done with their
    orders, what Merchant Ships carry for them.

    Rules: 4.2i, 18.22a
    """
    own = {nation for nation in s.facts.nations if commander(s, nation) == power}
    seen = s.plain()
    for jobs in ("track", "due"):
        seen[jobs] = [job for job in seen[jobs] if job["nation"] in own]
    for field in BY_NATION:
        seen[field] = [entry for entry in seen[field] if entry[0][0] in own]
    if s.phase == "production":
        seen["finished"] = [player for player in seen["finished"] if player == power]
        seen["done"] = {}
    seen["stock"] = {nation: n for nation, n in seen["stock"].items() if nation in own}
    return seen
