"""What nations do unasked: enter wars, lend ships, place ports."""

from __future__ import annotations

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.merchant_shipping import LendShips, Shipping, spare, surplus
from sandtable.games.gw75.rules.ports import Harbours, PlacePort, unplaceable
from sandtable.games.gw75.rules.rights import EnterWar, Politics
from sandtable.games.gw75.rules.terms import MOBILE, commander, holder, side
from sandtable.games.gw75.rules.vichy import DeclareVichy
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.kits import Answer

ITALY = 5
"""The Game-Turn from which Italy enters the war though France still stands."""


def use(s: State, right: Request) -> Decision | None:
    """What a nation does unasked now; None if nothing."""
    if isinstance(right, Politics):
        for option in right.decisions(s):
            assert isinstance(option, EnterWar)
            if _enters(s, option):
                return option
    elif isinstance(right, Shipping):
        for hex in spare(s):
            return LendShips(hex, "commonwealth", surplus(s, "usa", hex))
    elif isinstance(right, Harbours):
        return _harbour(s, right)
    return None


def _enters(s: State, option: EnterWar) -> bool:
    if option.nation == "italy":
        paris = any(
            hex.industry == "france" and side(s, holder(s, id)) == "axis"
            for id, hex in s.facts.hexes.items()
        )
        return paris or s.turn >= ITALY
    if option == EnterWar("ussr", "japan"):
        berlin = all(
            side(s, holder(s, hex)) != "axis"
            for hex, whose in s.facts.industry.items()
            if whose == "germany"
        )
        return berlin or (s.turn >= AUGUST and _outnumbered(s, "ussr", "japan"))
    return True


AUGUST = 20
"""The Game-Turn from which the Soviet Union is willing to attack Japan though Germany stands."""
EAST = 5
"""How far from industry units count."""
ODDS = 1.5


def _outnumbered(s: State, nation: str, other: str) -> bool:
    """Whether a nation is much stronger than another round its own industry nearest to that one."""
    theirs = [hex for hex, whose in s.facts.industry.items() if whose == other]
    mine = [hex for hex, whose in s.facts.industry.items() if whose == nation]
    if not theirs or not mine:
        return False
    _, hex = min((s.facts.distance(one, two), one) for one in mine for two in theirs)
    points = {nation: 0, other: 0}
    for who in points:
        for at, unit, count in s.units_of(who):
            if unit.type in MOBILE and s.facts.distance(at, hex) <= EAST:
                points[who] += count
    return points[nation] > ODDS * points[other]


def _harbour(s: State, right: Harbours) -> PlacePort | None:
    """Where land units of the player's own nations stand without a port."""
    for nation in sorted(s.stock):
        if commander(s, nation) != right.power:
            continue
        for hex, unit, _ in s.units_of(nation):
            if unit.type in ("inf", "mech") and not unplaceable(s, nation, hex)[0]:
                return PlacePort(nation, hex)
    return None


def declare_vichy(s: State, request: DeclareVichy) -> Answer:
    """A France that fights no longer is worth more than what is left of it."""
    return Answer(True)
