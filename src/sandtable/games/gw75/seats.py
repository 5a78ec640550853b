"""Who runs which nations, by the number of players (21.11)."""

from __future__ import annotations

SEATS: dict[int, tuple[tuple[str, ...], ...]] = {
    2: (("germany", "italy", "japan"), ("commonwealth", "france", "usa", "ussr")),
    3: (("germany", "italy"), ("japan",), ("commonwealth", "france", "usa", "ussr")),
    4: (("germany", "italy"), ("japan",), ("commonwealth", "france", "usa"), ("ussr",)),
    5: (("germany", "italy"), ("japan",), ("commonwealth", "france"), ("usa",), ("ussr",)),
}
"""The first nation of a seat is the one that is asked, for all of them."""

PLAYERS: dict[int, dict[str, str]] = {
    number: {nation: seat[0] for seat in seats for nation in seat}
    for number, seats in SEATS.items()
}
"""Number of players to nation to the nation that is asked for it."""
