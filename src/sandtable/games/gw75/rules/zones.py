"""Land Zones of Control (chapter 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sandtable.games.gw75.facts import AXIS_MINORS
from sandtable.games.gw75.model import News, State, Unit
from sandtable.games.gw75.rules import axis_minors
from sandtable.games.gw75.rules.terms import (
    GROUND,
    OTHER,
    Relations,
    relations,
    side,
)
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

ZONED = frozenset({"inf", "mech", "sd"})
"""Land units that have a Zone of Control."""
SHORE = frozenset({"landed", "ashore"})
"""Duties of units that have come by Amphibious Assault."""


class Post(NamedTuple):
    """The land units of a nation in a hex."""

    zones: int
    """The hexes on which they exert Zones of Control, as bits (`Facts.bits`)."""
    landing: bool
    """Whether some of them are landing among Enemies."""
    ashore: bool
    """Whether some of them have come by Amphibious Assault: their zones go by the phase."""


class Army(NamedTuple):
    """Where a nation has land units, and the hexes on which they exert Zones of Control."""

    posts: dict[str, Post]
    hexes: frozenset[str]
    at: int
    """The same as bits."""
    landing: int
    """Those of them in which they are landing among Enemies, as bits."""
    zones: int
    """As bits."""
    ashore: bool
    """Whether that is so anywhere."""


class Front(NamedTuple):
    """How land units stand, for nations with the same friends and Enemies: hexes as bits."""

    enemies: int
    """Hexes with Enemy land units, but for those who are only landing there (5.57): until they are
    ashore the hex is not theirs."""
    strangers: int
    """The same with those who are."""
    zones: int
    """Hexes on which they exert Zones of Control."""
    friends: int
    """Hexes with Friendly land units."""


def army(s: State, nation: str) -> Army:
    """The land units of a nation."""
    known: tuple[Army, tuple[str, ...]] | None = s.armies.get(nation)
    if known is None:
        known = s.armies[nation] = _army(s, nation, {}, s.presence.get(nation, ())), ()
    elif known[1]:
        known = s.armies[nation] = _army(s, nation, known[0].posts.copy(), known[1]), ()
    return known[0]


def _army(s: State, nation: str, posts: dict[str, Post], changed: Iterable[str]) -> Army:
    """An army of which these posts are known, but for those that have changed."""
    for hex in dict.fromkeys(changed):
        post = _post(s, nation, hex)
        if post is None:
            posts.pop(hex, None)
        else:
            posts[hex] = post
    at = landing = zones = 0
    ashore = False
    bits = s.facts.bits
    for hex, post in posts.items():
        at |= bits[hex]
        zones |= post.zones
        if post.landing:
            landing |= bits[hex]
        ashore = ashore or post.ashore
    return Army(posts, frozenset(posts), at, landing, zones, ashore)


def _post(s: State, nation: str, hex: str) -> Post | None:
    """The land units of a nation in a hex; None if there are none."""
    found = landing = ashore = False
    zones, facts = 0, s.facts
    for unit in s.stack(hex):
        if unit.nation == nation and unit.type in GROUND:
            found = True
            landing = landing or unit.duty == "assault"
            ashore = ashore or unit.duty in SHORE
            if unit.type not in ZONED:
                continue
            if unit.type == "sd" or unit.duty or nation in AXIS_MINORS:
                near = facts.open_land[hex]
                zones |= facts.set_of(each for each in near if exerts(s, unit, hex, each))
            else:
                zones |= facts.rims[hex]
    return Post(zones, landing, ashore) if found else None


def front(s: State, nation: str) -> Front:
    """How land units stand for a nation."""
    bonds: Relations = s.bonds or relations(s)
    nation = bonds.camp[nation]
    key = f"front:{nation}"
    found: Front | None = s.paths.get(key)
    if found is None:
        enemies, friends = bonds.enemies[nation], bonds.friends[nation]
        hostile = strangers = zones = friendly = 0
        armies: dict[str, Army] | None = s.paths.get("armies")
        if armies is None:
            armies = s.paths["armies"] = {each: army(s, each) for each in s.presence}
        for each, known in armies.items():
            if each in enemies:
                hostile |= known.at & ~known.landing if known.landing else known.at
                strangers |= known.at
                zones |= known.zones
            elif each in friends:
                friendly |= known.at
        found = s.paths[key] = Front(hostile, strangers, zones, friendly)
    return found


def controlled(s: State, nation: str, hex: str) -> bool:
    """Whether an Enemy of a nation exerts a land Zone of Control on a hex. One is as good as
    several, and Friendly ones change nothing. It matters to the movement, retreat and supply of
    land units: it compels nobody to attack, and ships, aircraft and pipelines do not ask for it.

    Rules: 6.0a, 6.0b, 6.0d, 6.13
    """
    return bool(front(s, nation).zones & s.facts.bits[hex])


def sources(s: State, nation: str, hex: str, also: frozenset[str] = frozenset()) -> Iterator[str]:
    """The hexes from which Enemies of a nation exert a Zone of Control on a hex, with those of
    nations that are about to become Enemies: never across a mountain or a prohibited hexside, nor
    into all-sea hexes.

    Rules: 6.0a, 6.52, 6.53, 11.11b
    """
    at = s.at
    enemies = relations(s).enemies[nation]
    for near in s.facts.open_land[hex]:
        if near in at:
            for unit in at[near]:
                if (
                    unit.type in ZONED
                    and (unit.nation in enemies or unit.nation in also)
                    and exerts(s, unit, near, hex)
                ):
                    yield near
                    break


def exerts(s: State, unit: Unit, near: str, hex: str) -> bool:
    """Whether a unit that has a Zone of Control exerts it on a hex next to its own. Self-Defense
    units do so in their Home Country only, Finns at first too. Who is landing in a hex with Enemies
    in it has none; who has landed has none in the Enemy's next Land Movement and Land Combat
    Phases, even if it has to retreat in them.

    Rules: 6.51, 6.54, 5.56a, 19.92b
    """
    if unit.type == "sd":
        return at_home(s, near, hex)
    if unit.duty in ("assault", "repelled"):
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
        for hex, unit, count in s.on_duty("landed"):
            s.change(hex, unit, count, duty="ashore")
    elif news.how.startswith("end of ") and news.how.endswith("_land_combat"):
        which = news.how.removeprefix("end of ").removesuffix("_land_combat")
        for hex, unit, count in s.on_duty(*SHORE):
            if side(s, unit.nation) == OTHER[which]:
                s.change(hex, unit, count, duty="")
    yield from ()
