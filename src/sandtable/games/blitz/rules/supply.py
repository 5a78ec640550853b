"""Supply lines (1.7) and friendly seas (1.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sandtable.board.graphs import connected
from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.rules.convoys import convoy_stands
from sandtable.games.blitz.rules.sides import (
    areas_of,
    friendly,
    home_of,
    introduced,
    partners,
)

GUARDS = ("AIR", "VWEAPON", "BB", "CV", "SUB")
"""Types that make a sea unfriendly and bar ships in it from land combat."""


def guarded(s: State, sea: str, power: str) -> bool:
    """Whether a sea holds an enemy air unit, BB, CV or SUB of a power at war with `power`."""
    return any(
        (s.units[id].power, power) in s.wars and s.type(id) in GUARDS for id in s.units_at(sea)
    )


def friendly_sea(s: State, sea: str, power: str) -> bool:
    """Whether a supply line of `power` may cross a sea area.

    It may unless there is a guard of the enemy's and nothing of one's own side; an intact convoy
    counts as something.

    Rules: 1.5c, 1.5d, D.3b
    """
    if not guarded(s, sea, power):
        return True
    side = s.facts.side[power]
    if any(s.facts.side.get(s.units[id].power) == side for id in s.units_at(sea)):
        return True
    convoy = s.facts.convoys.get(sea)
    return convoy is not None and s.facts.side[convoy.power] == side and convoy_stands(s, sea)


def network(
    s: State, power: str, country: str = "", *, shared: bool = True, across_neutrals: bool = False
) -> frozenset[str]:
    """The areas to which supply lines of `power` run.

    They start in its major power home countries, in those of its partner too if `shared`, and in
    `country` (a unit's own home). Only builds and lend lease may go `across_neutrals`.

    Rules: 1.7b, 1.7c, 1.7d, 1.7e, D.3a, D.3b
    """
    key = ("supply", power, country, shared, across_neutrals)
    found: frozenset[str] | None = s.cached(key)
    if found is None:
        found = s.keep(
            key, connected(_sources(s, power, country, shared), _steps(s, power, across_neutrals))
        )
    return found


def _sources(s: State, power: str, country: str, shared: bool) -> Iterator[str]:
    """The land areas in which supply lines start: friendly ones only.

    Rules: E.supply-a
    """
    extra = s.scenario.own.get("supply_from", ()) if s.facts.side[power] == "allies" else ()
    countries = dict.fromkeys(
        home
        for each in (partners(s, power) if shared else (power,))
        for home in s.facts.homes[each]
        if s.conquered.get(home) is None or areas_of(s, home)
    )
    if country:
        countries[country] = None
    for home in countries:
        for area in areas_of(s, home):
            if friendly(s, area, power):
                yield area
    for home in extra:
        for area in s.facts.countries[home].areas:
            if area not in s.control:
                yield area


def _steps(s: State, power: str, across_neutrals: bool) -> Callable[[str], Iterator[str]]:
    """Where a supply line goes on from an area: its neighbours, as far as they are open to it."""
    facts = s.facts
    beyond = bool(s.scenario.own.get("supply_from")) and facts.side[power] == "allies"

    def open_(area: str) -> bool:
        if area in facts.seas:
            if area in s.in_play:
                return friendly_sea(s, area, power)
            return beyond
        holder = s.control.get(area)
        if holder is None:
            owner = facts.lands[area].owner or facts.countries[facts.lands[area].country].owner
            return beyond and owner in ("afa", "usa")
        if holder == NEUTRAL:
            return across_neutrals
        return facts.side[holder] == facts.side[power]

    def steps(area: str) -> Iterator[str]:
        near = (
            (*facts.sea_next[area], *facts.coast[area])
            if area in facts.seas
            else (*facts.land_next[area], *facts.land_routes[area], *facts.coast[area])
        )
        return (other for other in near if open_(other))

    return steps


def in_supply(s: State, id: str, *, building: bool = False) -> bool:
    """Whether a unit can trace a supply line; at sea it always can.

    For building, AFA and USA do not start in each other's countries, and neutrals may be crossed.

    Rules: 1.7a, 1.7c, 7.8.build-b
    """
    unit = s.units[id]
    if unit.at in s.facts.seas or not introduced(s, "D"):
        return True
    return unit.at in network(
        s, unit.power, home_of(s, id), shared=not building, across_neutrals=building
    )


def reaches(s: State, power: str, area: str, *, building: bool = False) -> bool:
    """Whether a power can trace a supply line to a land area."""
    if not introduced(s, "D"):
        return True
    return area in network(s, power, shared=not building, across_neutrals=building)
