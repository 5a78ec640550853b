"""Land Zones of Control (chapter 6)."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw75.model import News, State, Unit
from sandtable.games.gw75.rules import axis_minors
from sandtable.games.gw75.rules.terms import OTHER, at_war, side
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

ZONED = frozenset({"inf", "mech", "sd"})
"""Land units that have a Zone of Control."""
SHORE = frozenset({"landed", "ashore"})
"""Duties of units that have come by Amphibious Assault."""


def controlled(s: State, nation: str, hex: str) -> bool:
    """Whether an Enemy of a nation exerts a land Zone of Control on a hex. One is as good as
    several, and Friendly ones change nothing. It matters to the movement, retreat and supply of
    land units: it compels nobody to attack, and ships, aircraft and pipelines do not ask for it.

    Rules: 6.0a, 6.0b, 6.0d, 6.13
    """
    return any(True for _ in sources(s, nation, hex))


def sources(s: State, nation: str, hex: str, also: frozenset[str] = frozenset()) -> Iterator[str]:
    """The hexes from which Enemies of a nation exert a Zone of Control on a hex, with those of
    nations that are about to become Enemies: never across a mountain or a prohibited hexside, nor
    into all-sea hexes.

    Rules: 6.0a, 6.52, 6.53, 11.11b
    """
    at = s.at
    for near, mountain in s.facts.land[hex].items():
        if not mountain and near in at:
            for unit in at[near]:
                if (
                    unit.type in ZONED
                    and (at_war(s, nation, unit.nation) or unit.nation in also)
                    and exerts(s, unit, near, hex)
                ):
                    yield near
                    break


def exerts(s: State, unit: Unit, near: str, hex: str) -> bool:
    """Whether a unit that has a Zone of Control exerts it on a hex next to its own. Self-Defense
    units do so in their Home Country only, Finns at first too. Who is landing in a hex with Enemies
    in it has none; who has landed has none in the Enemy's next Land Movement and Land Combat
    Phases.

    Rules: 6.51, 6.54, 5.56a, 19.92b
    """
    if unit.type == "sd":
        return at_home(s, near, hex)
    if unit.duty == "assault":
        return False
    if unit.duty in SHORE:
        which = OTHER.get(side(s, unit.nation), "")
        return s.phase not in (f"{which}_land_movement", f"{which}_land_combat")
    return axis_minors.reaches(s, unit.nation, hex)


def at_home(s: State, here: str, hex: str) -> bool:
    """Whether a hex is in the Home Country of a Self-Defense unit: the country in which it stands.

    Rules: 6.51
    """
    return s.facts.hexes[hex].country == s.facts.hexes[here].country


def settle_ashore(g: Table[State], news: News) -> Procedure[None]:
    """Who has landed is no longer supplied for it when the Game-Turn is over, and has a Zone of
    Control again when the Enemy's next Land Combat Phase is.

    Rules: 5.53a, 5.53b, 5.56a
    """
    s = g.state
    if news.kind == "turn":
        for hex, unit, count in list(s.units()):
            if unit.duty == "landed":
                s.change(hex, unit, count, duty="ashore")
    elif news.how.startswith("end of ") and news.how.endswith("_land_combat"):
        which = news.how.removeprefix("end of ").removesuffix("_land_combat")
        for hex, unit, count in list(s.units()):
            if unit.duty in SHORE and side(s, unit.nation) == OTHER[which]:
                s.change(hex, unit, count, duty="")
    yield from ()
