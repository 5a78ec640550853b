"""Phase 5: where new units appear."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.aa1942.bot.board import Board
from sandtable.games.aa1942.bot.buying import harbours, site
from sandtable.games.aa1942.bot.weights import CAPITAL_RISK, CITY_RISK, FAR_ENOUGH, LOST, Counts
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.mobilize import Mobilize, Place
from sandtable.games.aa1942.rules.movement import Done
from sandtable.games.aa1942.rules.production import complexes
from sandtable.kernel.decisions import Decision


def mobilize(s: State, request: Mobilize) -> Iterator[Decision]:
    """Troops and aircraft to the capital or a city in danger, else where the enemy is near; ships
    to the own fleet."""
    b = Board(s, request.power)

    def remoteness(land: str) -> tuple[bool, bool, float, str]:
        danger = b.risk(land)
        calls = CITY_RISK < danger < LOST
        far = 2 * FAR_ENOUGH + b.ports()[land] if b.overseas(land) else b.march()[land]
        return (not (land == b.home and danger > CAPITAL_RISK), not calls, far, land)

    lands = sorted(complexes(s), key=remoteness)
    zones = harbours(b) + [zone for land in lands for zone in b.facts.coast[land]]
    for type_, number in request.units.items():
        places = {"sea": zones, "facility": [site(b)]}.get(b.kinds[type_].domain, [])
        for place in places:
            for most in range(number, 0, -1):
                yield Place(place, {type_: most})
    others = {t: n for t, n in request.units.items() if b.kinds[t].domain in ("land", "air")}
    for land in lands:
        for most in range(complexes(s)[land], 0, -1):
            yield Place(land, _mixed(others, most))
    yield Done()


def _mixed(units: Counts, most: int) -> Counts:
    """So many of these units, of each type its share."""
    taken: Counts = {}
    left = min(most, sum(units.values()))
    while left:
        for type_ in sorted(units, key=lambda t: (taken.get(t, 0) / units[t], t)):
            if left and taken.get(type_, 0) < units[type_]:
                taken[type_] = taken.get(type_, 0) + 1
                left -= 1
                break
    return taken
