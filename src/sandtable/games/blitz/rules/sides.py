"""Sides, war and control: who is whose friend (1.1, 1.5, 3.1)."""

from __future__ import annotations

from sandtable.games.blitz.model import NEUTRAL, State

OTHER = {"axis": "allies", "allies": "axis"}

WESTERN = ("afa", "usa")
"""The two powers that share more than others do once the USA is at war."""


def introduced(s: State, letter: str) -> bool:
    """Whether a mechanism that scenario `letter` introduces is in use in this scenario.

    Rules: S.a, S.b, S.c
    """
    return s.scenario_id == "campaign" or s.scenario_id >= letter


def side_of(s: State, power: str) -> str:
    """The side of a power; of NEUTRAL, none."""
    return s.facts.side.get(power, "")


def powers_of(s: State, side: str) -> tuple[str, ...]:
    """The powers in play of a side, in the order of the scenario.

    Rules: 1.1a, 1.1b
    """
    return tuple(power for power in s.scenario.powers if s.facts.side[power] == side)


def acting_side(s: State) -> str:
    """The side whose activities or blitzes these are."""
    return "axis" if s.phase.startswith("axis") else "allies"


def friendly(s: State, area: str, power: str) -> bool:
    """Whether a power of the same side controls a land area.

    Rules: 1.5a
    """
    holder = s.control.get(area, NEUTRAL)
    return holder != NEUTRAL and s.facts.side[holder] == s.facts.side[power]


def enemy_held(s: State, area: str, power: str) -> bool:
    """Whether a power of the other side controls a land area, at war with this one or not."""
    holder = s.control.get(area, NEUTRAL)
    return holder != NEUTRAL and s.facts.side[holder] != s.facts.side[power]


def country_of(s: State, area: str) -> str:
    """The country of a land area: what the map says, but Vichy France once that is one."""
    if area == "vichy_france" and "vichy" in s.flags:
        return "vichy_france"
    return s.facts.lands[area].country


def areas_of(s: State, country: str) -> tuple[str, ...]:
    """The land areas of a country that are in play."""
    key = ("areas", country)
    found: tuple[str, ...] | None = s.cached(key)
    if found is None:
        areas = s.facts.countries[country].areas
        if country == "france" and "vichy" in s.flags:
            areas = tuple(area for area in areas if area != "vichy_france")
        found = tuple(area for area in areas if area in s.control)
        s.keep(key, found, lasting=True)
    return found


def home_of(s: State, id: str) -> str:
    """A unit's home country: its own, or what took its place after a conquest (3.4)."""
    home = s.facts.kinds[id].home
    if not s.new_home:
        return home
    return s.new_home.get(country_of(s, s.facts.countries[home].areas[0]), home)


def at_war(s: State, power: str, other: str) -> bool:
    """Whether two powers are at war."""
    return (power, other) in s.wars


def is_neutral(s: State, power: str) -> bool:
    """Whether a major power is a neutral one: the USA or the USSR, at war with no enemy power.

    Rules: 3.2i
    """
    if power not in s.scenario.neutral:
        return False
    key = ("at_war",)
    fighting: frozenset[str] | None = s.cached(key)
    if fighting is None:
        fighting = s.keep(key, frozenset(one for one, _ in s.wars), lasting=True)
    return power not in fighting


def fights(s: State, id: str, power: str) -> bool:
    """Whether a unit is at war with a power, through its own power or through its country.

    Rules: 3.2.align-e, 3.1b
    """
    own = s.units[id].power
    return (own, power) in s.wars or (s.facts.kinds[id].home, power) in s.minor_wars


def enemies(s: State, one: str, two: str) -> bool:
    """Whether two units are at war with each other."""
    return fights(s, one, s.units[two].power) or fights(s, two, s.units[one].power)


def may_attack(s: State, id: str, area: str) -> bool:
    """Whether a unit is at war with whoever holds a land area, or with the area's country.

    Rules: 5.3b, 3.2c
    """
    holder = s.control.get(area, NEUTRAL)
    if holder == NEUTRAL:
        return False
    own = s.units[id].power
    if fights(s, id, holder):
        return True
    country = country_of(s, area)
    return (country, own) in s.minor_wars and s.allied.get(country) == holder


def usa_at_war(s: State) -> bool:
    """Whether the USA is at war with an Axis power."""
    return any(pair[0] == "usa" for pair in s.wars)


def partners(s: State, power: str) -> tuple[str, ...]:
    """The powers whose units act as one with this power's: AFA and USA once the USA is at war.

    Rules: 1.3.stack-d, 1.3.stack-f
    """
    if power in WESTERN and usa_at_war(s) and "afa" in s.scenario.powers:
        return WESTERN
    return (power,)


def same_player(s: State, power: str, other: str) -> bool:
    """Whether one person runs both powers."""
    return any(power in group and other in group for group in s.players)


def out_of_game(s: State, power: str) -> bool:
    """Whether a power is completely conquered: it controls no unconquered country.

    Rules: 3.4.conq-c, F.3a
    """
    key = ("out_of_game", power)
    found: bool | None = s.cached(key)
    if found is None:
        found = s.keep(
            key,
            not any(
                owner == power and country not in s.conquered for country, owner in s.allied.items()
            ),
            lasting=True,
        )
    return found


def is_country(s: State, country: str) -> bool:
    """Whether something is a country in play now, and not just the home of a unit."""
    areas = areas_of(s, country)
    return bool(areas) and country_of(s, areas[0]) == country


def allies_hold_north_africa(s: State) -> bool:
    """Whether the Allies control all of French North Africa."""
    areas = areas_of(s, "french_north_africa")
    return bool(areas) and all(side_of(s, s.control[area]) == "allies" for area in areas)


FRENCH = ("french_north_africa", "french_west_africa", "madagascar", "vichy_france")
"""What becomes neutral when France falls."""
