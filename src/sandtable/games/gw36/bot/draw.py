"""Where to be: how much zones draw a nation's units, by the prizes beyond them."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.games.gw36.bot.worth import fair_game, prize
from sandtable.games.gw36.facts import Facts
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.zones import barred, covering, ground, side, step_closed

FADING = 0.75
"""How much less a prize draws units for each land zone that they are away from it."""
AFLOAT = 0.88
"""The same at sea."""
ASHORE = 0.5
"""A coast draws as much of what the waters before it do."""
REMOTE = 0.5
"""Where the draw over land is less, units look for a port."""
BEHIND_WALLS = 0.55
"""How much of that is left of a prize beyond the Maginot Line."""
HOME = 6.0
"""What a zone of one's own Home Country is worth more."""


class Draw(NamedTuple):
    """How much zones draw a nation's land units."""

    land: dict[str, float]
    """Land zones, by the prizes that can be reached on foot, and as ports."""
    sea: dict[str, float]
    """Sea zones, by the coasts where land units are wanted."""


_DRAWS: dict[tuple[object, ...], tuple[Facts, Draw]] = {}
_MOST = 64


def draw(s: State, nation: str) -> Draw:
    """How much zones draw a nation's land units: prizes do beyond the frontier, less with every
    zone on the way."""
    facts = s.facts
    holders = tuple(map(s.possession.__getitem__, facts.land))
    done = s.done.get(f"annex:{nation}", 0)
    key = (id(facts), nation, s.date, s.wars, s.pacts, s.evolved, s.surrendered, holders, done)
    known = _DRAWS.get(key)
    if known is None:
        if len(_DRAWS) >= _MOST:
            _DRAWS.clear()
        known = _DRAWS[key] = facts, _draw(s, nation)
    return known[1]


def pull(s: State, nation: str) -> dict[str, float]:
    """Land zone to how much it draws a nation's land units."""
    return draw(s, nation).land


def _draw(s: State, nation: str) -> Draw:
    facts = s.facts
    sides = side(s, nation)
    home = facts.nations[nation].home
    confined = nation in ("kmt", "ccp") and nation not in s.evolved
    prizes = {
        zone: prize(s, nation, zone) + (HOME if zone in home else 0.0)
        for zone in facts.land
        if (zone in home or not confined)
        and not barred(s, zone)
        and fair_game(s, nation, zone, ahead=1)
    }
    land = _spread(s, sides.friends, prizes, prizes)
    sea = dict.fromkeys(facts.sea, 0.0)
    if confined or not (prizes and sides.foes):
        return Draw(land, sea)
    for zone in facts.sea:
        for shore in facts.coast[zone]:
            if s.possession[shore] in sides.foes or s.possession[shore] in sides.friends:
                sea[zone] = max(sea[zone], land.get(shore, 0.0))
    _flow(s, nation, sea)
    ports = {
        shore: ASHORE * best
        for shore in facts.land
        if s.possession[shore] in sides.friends
        and land.get(shore, 0.0) < REMOTE
        and (best := max((sea[zone] for zone in facts.coast.get(shore, ())), default=0.0))
    }
    return Draw(_spread(s, sides.friends, {**ports, **_greater(land, ports)}, prizes), sea)


def _greater(one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    return {zone: value for zone, value in one.items() if value > other.get(zone, 0.0)}


def _spread(
    s: State, friends: frozenset[str], start: dict[str, float], prizes: dict[str, float]
) -> dict[str, float]:
    """Let the draw of some zones fade out over the land that is open, or in the way."""
    facts = s.facts
    found = dict(start)
    edge = sorted(start, key=lambda zone: (-start[zone], zone))
    while edge:
        after: dict[str, None] = {}
        for zone in edge:
            value = found[zone] * FADING
            for near in facts.land_next[zone]:
                if s.possession[near] not in friends and near not in prizes:
                    continue
                fainter = value if ground(s, near) == "normal" else value * 0.9
                if zone in prizes and covering(s, zone, near, "maginot"):
                    fainter *= BEHIND_WALLS
                if fainter > max(found.get(near, 0.0), 0.05):
                    found[near] = fainter
                    after[near] = None
        edge = list(after)
    return found


def _flow(s: State, nation: str, sea: dict[str, float]) -> None:
    """Let the draw of coasts fade out over the sea, as far as transports can sail."""
    facts = s.facts
    ship = facts.units["naval_transport"]
    edge = [zone for zone in facts.sea if sea[zone]]
    while edge:
        after: dict[str, None] = {}
        for zone in edge:
            value = sea[zone] * AFLOAT
            for near in facts.sea_next[zone]:
                if value > max(sea[near], 0.1) and not step_closed(s, nation, ship, near, zone):
                    sea[near] = value
                    after[near] = None
        edge = list(after)
