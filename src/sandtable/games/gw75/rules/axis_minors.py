"""Finland, Hungary, Rumania and Bulgaria (19.9)."""

from __future__ import annotations

from sandtable.games.gw75.model import State

LENINGRAD = "W3324"
FINNS = "finland:border"
"""Count: the Game-Turn in which a major Axis land unit first entered Leningrad."""


def reaches(s: State, nation: str, hex: str) -> bool:
    """Whether the Zones of Control of an Axis minor ally extend into a hex, and it may attack into
    it: as a German one's, but Finland's not across its border until the Game-Turn after a major
    Axis land unit has entered Leningrad.

    Rules: 19.92a, 19.92b, 19.97
    """
    if nation != "finland" or s.facts.hexes[hex].country == "finland":
        return True
    return s.counts.get(FINNS, s.turn) < s.turn
