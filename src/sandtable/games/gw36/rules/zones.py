"""The map in play (section 1): terrain, rivers, straits, canals, crossings, cities, special routes.

What a nation may do somewhere depends on whom it is at war or Aligned with; `side` works that out
once for all nations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.games.gw36.dates import half_year
from sandtable.games.gw36.facts import Crossing, Facts, Passage, UnitType, pair
from sandtable.games.gw36.model import Facility, News, State, Unit
from sandtable.games.gw36.rules.terms import (
    aligned,
    alliance,
    at_war,
    at_war_with_major,
    commander,
    enemies,
    foes,
    on,
    power_of,
)
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

ROUGH = {"mountain": "mountains", "desert": "deserts", "jungle": "jungles", "marsh": "marshes"}
"""Terrain to the switch that brings its rules into play."""

IGNORED = {"mountain": "mountain_move", "desert": "desert"}
"""Terrain to what a unit ignores that it does not slow down."""

OFFSTAGE = frozenset({"convoy", "submerged", "declined"})
"""Duties of units at sea past which Enemies move without a fight (8.9c, 9.11o)."""


class Side(NamedTuple):
    """How all nations stand to one of them."""

    friends: frozenset[str]
    """Itself, and those with whom it is Aligned."""
    foes: frozenset[str]
    """Those with whom it is at war."""


_SIDES: dict[tuple[object, ...], tuple[Facts, Side]] = {}
_MOST_SIDES = 4000


_latest: tuple[object, object, object, object, dict[str, Side]] = (None, None, None, None, {})
"""The facts, wars, pacts and evolved nations that were asked about last, with the sides in them:
most questions are about the same, which is told without comparing whole sets."""


def side(s: State, nation: str) -> Side:
    """Friends and Enemies of a nation. Units and zones of Aligned Minor Powers bear the id of their
    Major Power, so nothing else than wars, pacts and evolution decides; ids of Minor Powers that
    have Aligned are nobody's friends.

    Rules: 0.9.friendly-a, 0.9.enemy-a, 0.5b
    """
    nation = s.aligned.get(nation, nation)
    global _latest
    facts, wars, pacts, evolved, sides = _latest
    if wars is s.wars and pacts is s.pacts and evolved is s.evolved and facts is s.facts:
        found = sides.get(nation)
        if found is not None:
            return found
    else:
        sides = {}
        _latest = (s.facts, s.wars, s.pacts, s.evolved, sides)
    found = sides[nation] = _side(s, nation)
    return found


def _side(s: State, nation: str) -> Side:
    key = (id(s.facts), nation, s.wars, s.pacts, s.evolved)
    known = _SIDES.get(key)
    if known is None:
        # Not `power_of`: what has Aligned in this game may be free in another with these wars.
        nations = s.facts.nations
        powers = {other: known.major or other for other, known in nations.items()}
        friends = {powers[nation]} | {
            power
            for power in set(powers.values())
            if nations[power].alliance and aligned(s, nation, power)
        }
        hated = foes(s, nation)
        made = Side(
            frozenset(other for other, power in powers.items() if power in friends),
            frozenset(other for other, power in powers.items() if power in hated),
        )
        if len(_SIDES) >= _MOST_SIDES:
            _SIDES.clear()
        known = _SIDES[key] = (s.facts, made)
    return known[1]


# --- terrain --------------------------------------------------------------------------------------


def _in_use(s: State, terrain: str) -> str:
    switch = ROUGH.get(terrain)
    return terrain if switch is not None and on(s, switch) else "normal"


def ground(s: State, zone: str) -> str:
    """The terrain to whose rules a whole land zone is subject.

    Rules: 1.7a, 1.8a, 1.9a, 1.10a, 1.11a
    """
    return _in_use(s, s.facts.zones[zone].terrain)


def border(s: State, origin: str, zone: str) -> str:
    """The terrain that whoever enters a zone from another has to cross; from the sea there is none.

    Rules: 1.7b, 1.7c, 1.24dual-a
    """
    return _in_use(s, s.facts.border_terrain.get((origin, zone), "normal"))


def crosses_river(s: State, origin: str, zone: str) -> bool:
    """Whether whoever attacks that way crosses a river.

    Rules: 1.12a, 1.12b, 1.12d
    """
    return (origin, zone) in s.facts.river and on(s, "rivers")


def slows(s: State, kind: UnitType, origin: str, zone: str) -> bool:
    """Whether terrain reduces the movement of a land unit that enters so to 1.

    Rules: 1.8c, 1.9d, 1.10d, 1.11c, 12.2.cavalry-b
    """
    return any(
        terrain != "normal" and IGNORED.get(terrain, "") not in kind.ignores
        for terrain in (ground(s, zone), border(s, origin, zone))
    )


def no_blitz(s: State, origin: str, zone: str) -> str:
    """Why units may not blitz on from one zone into another; empty if they may.

    Rules: 1.8d, 1.9e, 1.10e, 1.11d, 1.16g, 1.23d
    """
    name = s.facts.name
    if s.facts.zones[origin].city:
        return f"{name(origin)} is a city: nobody blitzes out of it."
    if (terrain := ground(s, origin)) != "normal":
        return f"{terrain.capitalize()} stops a blitz out of {name(origin)}."
    return no_blitz_into(s, origin, zone)


def no_blitz_into(s: State, origin: str, zone: str) -> str:
    """Why a zone may not be blitzed into from another, wherever the blitz began; empty if it may.

    Rules: 1.8d, 1.9e, 1.10e, 1.11d, 1.23d
    """
    name = s.facts.name
    for terrain in (ground(s, zone), border(s, origin, zone)):
        if terrain != "normal":
            return f"{terrain.capitalize()} stops a blitz from {name(origin)} to {name(zone)}."
    if fortified(s, origin, zone):
        return f"A fortification protects {name(zone)} against a blitz from {name(origin)}."
    return ""


def covering(s: State, zone: str, origin: str, type_: str) -> list[Facility]:
    """The border facilities of a zone that bear on whoever comes from `origin`; in a special
    fortification zone those of every border do.

    Rules: 12.7a, 12.8a, 12.8b
    """
    everywhere = zone in s.facts.special_fortification
    return [
        facility
        for facility in s.facilities.get(zone, ())
        if facility.type == type_ and (everywhere or facility.at == origin)
    ]


def fortified(s: State, origin: str, zone: str) -> bool:
    """Whether a fortification covers a zone on the border to another; in special zones a single one
    covers all.

    Rules: 12.8a, 12.8b, 1.22a
    """
    return any(covering(s, zone, origin, type_) for type_ in ("fortification", "maginot"))


def coastal_artillery(s: State, sea_zone: str, zone: str) -> int:
    """How many coastal artilleries of a zone fire at ships in a sea zone.

    Rules: 12.8a
    """
    return len(covering(s, zone, sea_zone, "coastal_artillery"))


def barred(s: State, zone: str) -> bool:
    """Whether no land unit may enter a zone and no aircraft end its move there.

    Rules: 1.7d, 1.13a, 1.18a
    """
    known = s.facts.zones[zone]
    return known.impassable or (known.terrain == "tundra" and on(s, "tundra"))


# --- facilities, as far as movement needs them ----------------------------------------------------


def has_base(s: State, zone: str, *types: str) -> bool:
    """Whether an undamaged facility of one of these types is in a land zone.

    Rules: 12.5d
    """
    return any(f.type in types and not f.damage for f in s.facilities.get(zone, ()))


def harbours(s: State, sea_zone: str, friends: frozenset[str]) -> Iterator[str]:
    """The types of the undamaged facilities at a sea zone that stand in zones of these nations.

    Rules: 12.5a, 12.5d
    """
    for land in s.facts.coast[sea_zone]:
        here = s.facilities.get(land)
        if here and s.possession[land] in friends:
            for f in here:
                if not f.damage and f.at in ("", sea_zone):
                    yield f.type


def naval_bases(s: State, sea_zone: str, friends: frozenset[str]) -> bool:
    """Whether a usable Port, Shipyard or Dockyard of these nations is at a sea zone."""
    kinds = s.facts.facilities
    return any(kinds[type_].naval for type_ in harbours(s, sea_zone, friends))


def start_bonus(s: State, nation: str, kind: UnitType, zone: str) -> int:
    """The movement that facilities give to a unit that begins its move there. Several bases give no
    more than the best of them.

    Rules: 12.5a, 12.5c, 12.5d, 12.5.major-port-a, 12.5.major-shipyard-a, 12.5.major-dockyard-a,
        12.5.seaplane-base-a, 12.5.submarine-base-a, 12.5.air-base-b
    """
    if kind.land:
        return 0
    kinds = s.facts.facilities
    friends = side(s, nation).friends
    best = 0
    if kind.naval:
        for type_ in harbours(s, zone, friends):
            facility = kinds[type_]
            gain = facility.ship_bonus
            if kind.submarine:
                gain = max(gain, facility.submarine_bonus)
            best = max(best, gain)
    elif kind.air and zone in s.possession and s.possession[zone] in friends:
        for f in s.facilities.get(zone, ()):
            if not f.damage:
                facility = kinds[f.type]
                gain = facility.air_bonus
                if kind.id == "seaplane":
                    gain = max(gain, facility.seaplane_bonus)
                best = max(best, gain)
    return best


def bombable(s: State, zone: str) -> list[str]:
    """What can be bombed in a land zone: facilities as `type` or `type:where`, `railroad:zone`,
    with the options `canal:passage` and `site:what`.

    Rules: 9.16a, 12.5c, 15.10a, 7.3j, 1.17e
    """
    found = []
    for f in s.facilities.get(zone, ()):
        if s.facts.facilities[f.type].max_damage:
            found.append(f"{f.type}:{f.at}" if f.at else f.type)
    for near in s.facts.land_next[zone]:
        if ((zone, near) if zone < near else (near, zone)) in s.railways:
            found.append(f"railroad:{near}")
    if on(s, "bombing_canals"):
        for passage in s.facts.passages.values():
            if passage.canal and zone in passage.zones:
                found.append(f"canal:{passage.id}")
    if on(s, "damaging_construction"):
        for job in s.track:
            if job.at == zone and job.what in s.facts.facilities:
                found.append(f"site:{job.what}")
    return found


# --- cities ---------------------------------------------------------------------------------------


def blockaded(s: State, sea_zone: str, nation: str) -> bool:
    """Whether Enemies blockade the naval facilities of a nation at a sea zone: three surface
    warships of one power that have been announced.

    Rules: 8.11a, 8.11b, 8.11d
    """
    ships: dict[str, int] = {}
    for unit, count in s.stack(sea_zone).items():
        if unit.duty == "blockade" and at_war(s, unit.nation, nation):
            power = power_of(s, unit.nation)
            ships[power] = ships.get(power, 0) + count
    return any(count >= 3 for count in ships.values())


def surrounded(s: State, zone: str) -> bool:
    """Whether a city is surrounded: all adjacent land zones are Enemy-possessed, and neither an
    undamaged Air Base is in it nor an undamaged naval facility that no Enemy blockades. One that
    borders a neutral is not, nor one without land borders.

    Rules: 1.16e, 1.16f
    """
    facts = s.facts
    if not facts.zones[zone].city:
        return False
    owner = s.possession[zone]
    around = [near for near in facts.neighbours[zone] if not facts.zones[near].sea]
    if not around or not all(enemies(s, owner, s.possession[near]) for near in around):
        return False
    for f in s.facilities.get(zone, ()):
        if f.damage:
            continue
        if f.type == "air_base":
            return False
        if facts.facilities[f.type].naval:
            seas = (f.at,) if f.at else facts.coast[zone]
            if not all(blockaded(s, sea, owner) for sea in seas):
                return False
    return True


# --- straits and canals ---------------------------------------------------------------------------


def passage_owners(s: State, passage: Passage) -> tuple[str, ...]:
    """Who Possesses the land zones that control a passage."""
    return tuple(dict.fromkeys(s.possession[zone] for zone in passage.zones))


_BARRED_FROM_BALTIC = frozenset({"great_britain", "france", "free_france", "usa"})


def passage_closed(s: State, nation: str, kind: UnitType, passage: Passage) -> str:
    """Why a ship may not pass a strait or a canal now; empty if it may. What player nations have
    closed is in the state (`passages`); neutrals close theirs as Tables 1-1 and 1-2 have it.

    Rules: 1.15a, 1.15b, 1.15e, 1.15f, 1.15g, 1.15h, 1.15i, 1.15j, 1.15m, table-1-1a, table-1-1b,
        table-1-1c, table-1-2a, table-1-2b, table-1-2c, table-1-2d, table-1-2e, table-1-2f, 15.10a
    """
    facts = s.facts
    name = passage.name
    if not passage.canal and kind.submarine:
        return ""
    if passage.id == facts.white_sea:
        if kind.id not in ("submarine", "coastal_submarine"):
            return f"{name}: it is too shallow for anything but submarines."
        if s.phase != "noncombat_move":
            return f"{name}: submarines pass it in non-combat movement only."
        if s.done.get(f"white_sea:{power_of(s, nation)}", 0):
            return f"{name}: one submarine a turn may pass."
    if passage.id == facts.seaway and kind.id not in (
        "torpedo_boat_destroyer",
        "coastal_submarine",
    ):
        return f"{name}: only torpedo boat destroyers and coastal submarines may pass."
    if passage.canal and s.canal_damage.get(passage.id, 0) >= 5:
        return f"{name}: it is damaged."
    if passage.canal and not s.captured.isdisjoint(passage.zones):
        return f"{name}: no ship passes a canal in the turn of its capture."
    power = power_of(s, nation)
    if (passage.id, power) in s.closed:
        return f"{name}: it has been closed to {facts.name(nation)}."
    friends = side(s, nation).friends
    for owner in passage_owners(s, passage):
        if owner in friends:
            continue
        if not facts.nations[owner].player:
            if enemies(s, owner, nation):
                return f"{name}: {facts.name(owner)} is an Enemy."
            if owner == "turkey" and at_war_with_major(s, nation):
                return f"{name}: neutral Turkey closes it to nations at war with a Major Power."
            if (
                owner == "denmark"
                and kind.warship
                and power in _BARRED_FROM_BALTIC
                and alliance(s, commander(s, owner) or owner) != "allies"
            ):
                return f"{name}: neutral Denmark lets no warship of {facts.name(nation)} pass."
        if passage.canal and s.phase == "combat_move" and on(s, "canal_combat"):
            return f"{name}: {facts.name(owner)} is not Aligned, so no combat move leads through."
    return ""


def step_closed(s: State, nation: str, kind: UnitType, here: str, there: str) -> str:
    """Why a ship may not sail from one sea zone into the next; empty if it may."""
    known = s.facts.passage.get(pair(here, there))
    return passage_closed(s, nation, kind, s.facts.passages[known]) if known else ""


def forced_owner(s: State, nation: str, here: str, there: str) -> str:
    """The owner of a closed strait that may be forced by sailing through; empty if there is none.

    Rules: 15.6a, 15.6b
    """
    known = s.facts.passage.get(pair(here, there))
    if not known or not on(s, "forcing_straits"):
        return ""
    passage = s.facts.passages[known]
    if passage.canal:
        return ""
    return next(
        (owner for owner in passage_owners(s, passage) if owner not in side(s, nation).friends), ""
    )


# --- special routes -------------------------------------------------------------------------------


def northern_route(s: State, nation: str, here: str, there: str) -> str | None:
    """Why a ship may not take the Northern Sea Route; empty if it may, None if this is another way.

    Rules: 1.19a, 1.19b
    """
    if pair(here, there) != s.facts.northern_route:
        return None
    if nation != "ussr" and ("northern_route", "ussr", nation) not in s.permits:
        return "Only the Soviet Union, and whom it allows, sails the Northern Sea Route."
    if s.done.get(f"northern_route:{power_of(s, nation)}", 0):
        return "One ship a turn sails the Northern Sea Route."
    return ""


def burma_road_conditions(s: State) -> bool:
    """Whether the Burma Road could be open: from July 1938, with Japan and China at war, Yunnan the
    KMT's and Burma in Allied Possession.

    Rules: 1.17a, 1.17b
    """
    burma, yunnan = s.facts.burma_road
    return (
        s.date >= half_year("1938-07")
        and (at_war(s, "japan", "kmt") or at_war(s, "japan", "ccp"))
        and _burma_road_held(s, burma, yunnan)
    )


def _burma_road_held(s: State, burma: str, yunnan: str) -> bool:
    return s.possession[yunnan] == "kmt" and alliance(s, s.possession[burma]) == "allies"


def burma_road_open(s: State) -> bool:
    """Whether the Burma Road can be used now.

    Rules: 1.17b
    """
    return s.burma_road and _burma_road_held(s, *s.facts.burma_road)


def follow(g: Table[State], news: News) -> Procedure[None]:
    """The Burma Road is opened or closed as a calendar turn begins.

    Rules: 1.17a, 1.17b
    """
    s = g.state
    if news.kind != "calendar":
        return
    yield from ()
    now = burma_road_conditions(s) if not s.burma_road else burma_road_open(s)
    if now != s.burma_road:
        s.burma_road = now
        g.emit("burma_road", open=now)


def crossing(facts: Facts, here: str, there: str) -> Crossing | None:
    """The narrow crossing between two land zones.

    Rules: 1.20a
    """
    for known in facts.crossings.values():
        if known.between == (here, there) or known.between == (there, here):
            return known
    return None


def crossing_blocked(s: State, nation: str, known: Crossing) -> bool:
    """Whether Enemy warships, Coastal Artillery or patrolling aircraft prevent a crossing;
    submarines do not.

    Rules: 1.20b
    """
    foes = side(s, nation).foes
    kinds = s.facts.units
    for zone in known.sea_zones:
        for unit in s.stack(zone):
            if unit.nation in foes and (kinds[unit.type].warship or on_patrol(s, unit)):
                return True
        for land in s.facts.coast[zone]:
            if s.possession[land] in foes and coastal_artillery(s, zone, land):
                return True
    return False


# --- who is in the way ----------------------------------------------------------------------------


def foes_at(s: State, nation: str, zone: str) -> frozenset[str]:
    """Whom a nation fights in a sea zone: those with whom it is at war, and those whose units there
    are attacked without war this turn.

    Rules: 0.9.enemy-a, 5.7a
    """
    foes = side(s, nation).foes
    if not s.attacked:
        return foes
    power = power_of(s, nation)
    others = {
        one if other == power else other
        for one, other in s.attacked
        if power in (one, other) and s.done.get(fight_key(zone, one, other))
    }
    if not others:
        return foes
    return foes | {
        each for each, known in s.facts.nations.items() if (known.major or each) in others
    }


def fight_key(zone: str, one: str, other: str) -> str:
    """By what `done` remembers that two powers fight in a sea zone without being at war."""
    return f"fight:{zone}:{':'.join(pair(one, other))}"


def enemies_in(s: State, nation: str, zone: str) -> list[Unit]:
    """The Enemy units in a zone, each kind once."""
    stack = s.at.get(zone)
    if not stack:
        return []
    foes = foes_at(s, nation, zone)
    return [unit for unit in stack if unit.nation in foes]


def enemy_fighters(s: State, nation: str, zone: str) -> bool:
    """Whether an Enemy fighter is in a zone, be it on a carrier or on patrol.

    Rules: 8.3a
    """
    stack = s.at.get(zone)
    if not stack:
        return False
    foes = foes_at(s, nation, zone)
    kinds = s.facts.units
    for unit in stack:
        if unit.nation in foes:
            if kinds[unit.type].air_superiority:
                return True
            for piece in unit.cargo:
                if kinds[piece.type].air_superiority and kinds[unit.type].decks:
                    return True
    return False


def on_patrol(s: State, unit: Unit) -> bool:
    """Whether a unit is, or carries, aircraft that act as on Maritime Air Patrol: those that began
    one, and those aboard an undamaged carrier.

    Rules: 8.7k, 12.2.fleet-carrier-c
    """
    if unit.duty == "patrol" or unit.target == "patrol":
        return True
    return bool(
        unit.cargo and not unit.hits and s.facts.units[unit.type].decks and unit.duty != "repair"
    )


def commanded(s: State, power: str) -> tuple[str, ...]:
    """The nations whose units a player nation moves in its turn: its own and those it Controls.

    Rules: 6.1f
    """
    minors = [minor for minor, by in s.control.items() if by == power]
    return (power, *sorted(minors)) if minors else (power,)
