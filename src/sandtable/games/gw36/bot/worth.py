"""What things are worth to the greedy bot, in IPPs: zones, units, forces, places to be."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from sandtable.games.gw36.bot.aims import AIMS, GOALS, Aim
from sandtable.games.gw36.facts import Facts, UnitType
from sandtable.games.gw36.model import Stack, State, Unit
from sandtable.games.gw36.rules.relations import attack_allowed, may_annex
from sandtable.games.gw36.rules.terms import alliance, at_war, power_of
from sandtable.games.gw36.rules.zones import side

OBJECTIVE = 14.0
CAPITAL = 8.0
CITY = 2.0
FACTORY = 3.0
PER_IPP = 3.0
"""What a zone brings for the rest of the game, for each IPP of its value."""
POINT = 5.0
"""A Victory Point."""
LATER = 0.4
"""How much the zones of an Enemy count whose turn has not come."""
RIVAL = 0.6
"""How much of the strength of a nation counts with which one could come to be at war."""
ANY = 1.0
"""What every zone is worth."""


@lru_cache(maxsize=8)
def _printed(facts: Facts) -> dict[str, float]:
    """Land zone to what it is worth by itself."""
    capitals = {nation.capital for nation in facts.nations.values() if nation.player}
    homes = {zone for nation in facts.nations.values() if nation.player for zone in nation.home}
    return {
        zone: ANY
        + PER_IPP * known.ipp
        + OBJECTIVE * known.objective
        + CAPITAL * (zone in capitals)
        + CITY * known.city
        + POINT * (known.ipp >= 1 and zone in homes)
        for zone in facts.land
        for known in (facts.zones[zone],)
    }


def worth(s: State, zone: str) -> float:
    """What the possession of a land zone is worth."""
    value = _printed(s.facts)[zone]
    for facility in s.facilities.get(zone, ()):
        if s.facts.facilities[facility.type].group == "factory":
            value += FACTORY
    return value


def prize(s: State, nation: str, zone: str) -> float:
    """What it is worth to a nation to take a zone: more if its own objectives name it, less as long
    as it is not the turn of the owner."""
    power = power_of(s, nation)
    victim = _victim(s, zone)
    value = worth(s, zone) + POINT * GOALS.get(power, {}).get(zone, 0.0)
    for aim in AIMS.get(power, ()):
        if aim.whom == victim:
            return value * (aim.eager if ripe(s, power, aim, 1) else LATER)
    return value


def price(kind: UnitType) -> float:
    """What a type of unit costs; what cannot be built counts as a destroyer."""
    return float(sum(kind.cost)) if kind.cost else 7.0


# --- whom to attack -------------------------------------------------------------------------------


def aims(s: State, nation: str) -> tuple[Aim, ...]:
    """What a nation is after now."""
    return tuple(aim for aim in AIMS.get(nation, ()) if ripe(s, nation, aim))


def ripe(s: State, nation: str, aim: Aim, ahead: int = 0) -> bool:
    """Whether the time for an aim has come, or comes within so many turns."""
    if s.date + ahead < aim.since:
        return False
    if not aim.after or aim.after in s.surrendered:
        return True
    return s.date + ahead >= aim.since + aim.wait and at_war(s, nation, aim.after)


def _victim(s: State, zone: str) -> str:
    """Whose zone it is in the tables of aims: of a Minor Power even if others fight on for it."""
    printed = s.facts.zones[zone].owner
    if printed and not s.facts.nations[printed].player:
        return printed
    return s.possession[zone]


def fair_game(s: State, nation: str, zone: str, ahead: int = 0) -> bool:
    """Whether a nation wants to attack a zone: it is at war with its owner, may annex it, or is
    after it. Whether it may is another matter."""
    owner = s.possession[zone]
    power = power_of(s, nation)
    if owner in side(s, nation).foes:
        return all(aim.eager for aim in AIMS.get(power, ()) if aim.whom == owner)
    if owner in side(s, nation).friends:
        return False
    if may_annex(s, power, zone):
        return True
    if power == "ussr" and attack_allowed(s, power, owner, zone).how == "pact":
        return True
    if owner in s.surrendered and alliance(s, owner) != alliance(s, nation):
        return True
    return any(aim.whom == owner and ripe(s, power, aim, ahead) for aim in AIMS.get(power, ()))


# --- forces ---------------------------------------------------------------------------------------


def foes_in(s: State, nation: str, zone: str) -> Stack:
    """The units in a zone that would defend it against a nation."""
    friends = side(s, nation).friends
    return {
        unit: count
        for unit, count in s.stack(zone).items()
        if unit.nation not in friends and unit.duty not in ("submerged", "declined")
    }


def defence(s: State, zone: str, units: Stack) -> tuple[float, float, float]:
    """What defenders of a land zone hit with (sum of values), their number and their price."""
    kinds = s.facts.units
    walls = 1 if s.facts.zones[zone].city else 0
    hits = number = cost = 0.0
    for unit, count in units.items():
        kind = kinds[unit.type]
        if kind.naval:
            continue
        if kind.anti_air or kind.defense is None:
            hits += count * 1.5
        else:
            hits += count * (kind.defense + (walls if kind.class_ == "infantry" else 0))
        number += count
        cost += count * price(kind)
    return hits, number, cost


def threat(s: State, nation: str, zone: str, without: str = "", *, by_sea: bool = True) -> float:
    """The attack values that land units next to a zone could bring into it (but for one of those
    zones), or transports near its coast: those of Enemies, and in part those of rivals that could
    become Enemies."""
    foes = side(s, nation).foes
    rivals = _rivals(s, nation)
    kinds = s.facts.units
    total = 0.0
    for near in s.facts.land_next[zone]:
        if near not in s.at or near == without:
            continue
        for unit, count in s.at[near].items():
            if unit.nation in foes:
                weight = 1.0
            elif unit.nation in rivals:
                weight = RIVAL
            else:
                continue
            if kinds[unit.type].land:
                total += weight * count * (kinds[unit.type].attack or 0)
    for sea in _waters(s.facts)[zone] if by_sea and foes else ():
        if sea in s.at:
            for unit, count in s.at[sea].items():
                if unit.nation in foes and kinds[unit.type].transport:
                    total += count * _landing_force(kinds, unit)
    return total


EMPTY = 2.0
"""What an Enemy transport without cargo counts as a threat to the coasts that it can reach."""


def _landing_force(kinds: Mapping[str, UnitType], ship: Unit) -> float:
    """The Attack values that a transport could land."""
    return sum((kinds[piece.type].attack or 0) for piece in ship.cargo) or EMPTY


@lru_cache(maxsize=8)
def _waters(facts: Facts) -> dict[str, tuple[str, ...]]:
    """Land zone to the sea zones from which transports reach it within a turn or so."""
    found: dict[str, tuple[str, ...]] = {}
    for zone in facts.land:
        coast = facts.coast.get(zone, ())
        near = dict.fromkeys((*coast, *(there for sea in coast for there in facts.sea_next[sea])))
        found[zone] = tuple(near)
    return found


@lru_cache(maxsize=64)
def _others(facts: Facts, own: str) -> frozenset[str]:
    return frozenset(
        id for id, known in facts.nations.items() if known.player and known.alliance != own
    )


def _rivals(s: State, nation: str) -> frozenset[str]:
    """The player nations of other Alliances, but those with which a pact is in force."""
    found = _others(s.facts, alliance(s, nation))
    for pact in s.pacts:
        partners = s.facts.politics.pacts[pact].partners
        if power_of(s, nation) in partners:
            found -= {*partners}
    return found


def guard(s: State, nation: str, zone: str) -> float:
    """The defense values of Friendly land units in a zone."""
    friends = side(s, nation).friends
    kinds = s.facts.units
    return sum(
        count * (kinds[unit.type].defense or 0)
        for unit, count in s.stack(zone).items()
        if unit.nation in friends and kinds[unit.type].land
    )


def name_of(s: State, nation: str) -> str:
    """How a decision names whose units it moves: empty for the acting nation's own."""
    return "" if nation == s.mover else nation


def ready_units(stack: Stack, nation: str) -> dict[str, int]:
    """A nation's units in a stack that are free to act, by type."""
    found: dict[str, int] = {}
    for unit, count in stack.items():
        if unit.nation == nation and can_act(unit):
            found[unit.type] = found.get(unit.type, 0) + count
    return found


def can_act(unit: Unit) -> bool:
    """Whether a unit has neither moved nor taken up anything this turn."""
    return not unit.used and unit.duty in ("", "convoy", "blockade")
