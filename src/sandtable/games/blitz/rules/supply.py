"""Supply lines (1.7) and friendly seas (1.5)."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.rules.convoys import convoy_stands
from sandtable.games.blitz.rules.sides import (
    areas_of,
    country_of,
    friendly,
    home_of,
    introduced,
    partners,
)

GUARDS = ("AIR", "VWEAPON", "BB", "CV", "SUB")
"""Types that make a sea unfriendly and bar ships in it from land combat."""


def guarded(s: State, sea: str, power: str) -> bool:
    """Whether a sea holds an enemy air unit, BB, CV or SUB of a power at war with `power`."""
    units, wars, types = s.units, s.wars, s.facts.type_at
    for id in s.at.get(sea, ()):
        unit = units[id]
        if (unit.power, power) in wars and types[id, unit.size] in GUARDS:
            return True
    return False


def friendly_sea(s: State, sea: str, power: str) -> bool:
    """Whether a supply line of `power` may cross a sea area.

    It may unless there is a guard of the enemy's and nothing of one's own side; an intact convoy
    counts as something.

    Rules: 1.5c, 1.5d, D.3b
    """
    if not guarded(s, sea, power):
        return True
    sides, units = s.facts.side, s.units
    side = sides[power]
    for id in s.at[sea]:
        if sides.get(units[id].power) == side:
            return True
    convoy = s.facts.convoys.get(sea)
    return convoy is not None and s.facts.side[convoy.power] == side and convoy_stands(s, sea)


def _closed_seas(s: State, power: str) -> frozenset[str]:
    """The seas in play that supply lines of a power cannot cross."""
    key = ("closed_seas", power)
    found: frozenset[str] | None = s.cached(key)
    if found is None:
        seas = s.facts.seas
        found = frozenset(
            area for area in s.at if area in seas and not friendly_sea(s, area, power)
        )
        s.keep(key, found)
    return found


def network(
    s: State, power: str, country: str = "", *, shared: bool = True, across_neutrals: bool = False
) -> frozenset[str]:
    """The areas to which supply lines of `power` run.

    They start in its major power home countries, in those of its partner too if `shared`, and in
    `country` (a unit's own home). Only builds and lend lease may go `across_neutrals`.

    Rules: 1.7b, 1.7c, 1.7d, 1.7e, D.3a, D.3b
    """
    key = ("supply", power, country, shared, across_neutrals, _closed_seas(s, power))
    found: frozenset[str] | None = s.cached(key)
    if found is not None:
        return found
    if country:
        found = network(s, power, shared=shared, across_neutrals=across_neutrals)
        own = [area for area in areas_of(s, country) if friendly(s, area, power)]
        if not found.issuperset(own):
            found |= lines(s, power, own, across_neutrals=across_neutrals)
    else:
        sources = _sources(s, power, shared)
        found = lines(s, power, sources, across_neutrals=across_neutrals)
    kept: frozenset[str] = s.keep(key, found, lasting=True)
    return kept


def lines(s: State, power: str, areas: Iterable[str], *, across_neutrals: bool) -> frozenset[str]:
    """The areas to which lines that start in some land areas run, as the supply of `power` does."""
    return s.facts.supply.connected(areas, _passable(s, power, across_neutrals))


def _sources(s: State, power: str, shared: bool) -> list[str]:
    """The land areas in which a power's supply lines start: friendly ones only.

    In scenario E the Western Allies' start in countries that are not in play, too.

    Rules: 1.7c, 1.7d, E.supply-a
    """
    found = [
        area
        for each in (partners(s, power) if shared else (power,))
        for home in s.facts.homes[each]
        for area in areas_of(s, home)
        if friendly(s, area, power)
    ]
    for home in _beyond(s, power):
        found += [area for area in s.facts.countries[home].areas if area not in s.control]
    return found


def _beyond(s: State, power: str) -> tuple[str, ...]:
    """The countries out of play in which a power's supply lines may start.

    Rules: E.supply-a
    """
    return s.scenario.own.get("supply_from", ()) if s.facts.side[power] == "allies" else ()


def _passable(s: State, power: str, across_neutrals: bool) -> int:
    """The areas that supply lines of a power can cross.

    Rules: 1.7b, 1.7c, D.3b, E.supply-a
    """
    facts, side = s.facts, s.facts.side
    key = ("passable", side[power], across_neutrals)
    open_: int | None = s.cached(key)
    if open_ is None:
        areas = [
            area
            for area, holder in s.control.items()
            if (side[holder] == side[power] if holder != NEUTRAL else across_neutrals)
        ]
        beyond = bool(_beyond(s, power))
        areas += [sea for sea in facts.seas if beyond or sea in s.in_play]
        if beyond:
            areas += [
                area
                for area, land in facts.lands.items()
                if area not in s.control
                and (land.owner or facts.countries[land.country].owner) in ("afa", "usa")
            ]
        open_ = facts.supply.set_of(areas)
        s.keep(key, open_, lasting=True)
    return open_ & ~facts.supply.set_of(_closed_seas(s, power))


def in_supply(s: State, id: str, *, building: bool = False) -> bool:
    """Whether a unit can trace a supply line; at sea it always can.

    For building, AFA and USA do not start in each other's countries, and neutrals may be crossed.

    Rules: 1.7a, 1.7b, 1.7c, 1.7d, 7.8.build-b
    """
    unit = s.units[id]
    if unit.at in s.facts.seas or not introduced(s, "D"):
        return True
    country = country_of(s, unit.at)
    if country in s.facts.homes[unit.power] and friendly(s, unit.at, unit.power):
        return True
    return unit.at in network(
        s, unit.power, home_of(s, id), shared=not building, across_neutrals=building
    )


def reaches(s: State, power: str, area: str, *, building: bool = False) -> bool:
    """Whether a power can trace a supply line to a land area."""
    if not introduced(s, "D"):
        return True
    return area in network(s, power, shared=not building, across_neutrals=building)
