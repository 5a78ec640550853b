"""Allying with neutral minor countries (3.2, 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sandtable.board.graphs import reach
from sandtable.games.blitz.model import NEUTRAL, State, Unit
from sandtable.games.blitz.rules.counters import small_name, to_pool
from sandtable.games.blitz.rules.set_aside import release
from sandtable.games.blitz.rules.sides import (
    FRENCH,
    OTHER,
    acting_side,
    allies_hold_north_africa,
    areas_of,
    at_war,
    introduced,
    out_of_game,
    powers_of,
    side_of,
    usa_at_war,
)
from sandtable.games.blitz.rules.supply import reaches
from sandtable.games.blitz.rules.trade import end_by_war
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

AMERICAN = ("mexico", "central_america", "brazil", "latin_america", "chile", "paraguay_uruguay")
"""Minors that the USA allies for the Allies."""


def settle(g: Table[State]) -> Procedure[None]:
    """Carry out the automatic alliances of the acting side; at the end of a turn there are none.

    Rules: 3.3a, 3.0b, F.2a, 7.2d
    """
    s = g.state
    if not introduced(s, "F") or s.phase in ("", "turn_end"):
        return
    while (found := next(_due(s), None)) is not None:
        yield from ally(g, *found)


def _due(s: State) -> Iterator[tuple[str, str]]:
    """Neutral countries that now join a power of the acting side, with that power."""
    side = acting_side(s)
    for country, rule in _RULES.items():
        if s.allied.get(country) == NEUTRAL and _in_force(s, country):
            power = rule(s, country)
            if power and s.facts.side[power] == side and not out_of_game(s, power):
                yield country, power


def _in_force(s: State, country: str) -> bool:
    """Whether a country's rule of 3.3 is used: after the Road to War some depend on its options.

    Rules: 9.2n, 9.2o, 9.2p
    """
    option = {
        "brazil": "monroe_doctrine",
        "mexico": "monroe_doctrine",
        "central_europe": "anti_comintern_expanded",
        "finland": "anti_comintern_expanded",
    }.get(country)
    return option is None or "road_to_war" not in s.flags or option in s.flags


def _south_america(s: State, country: str) -> str:
    """An Axis power with a land unit of a major power in an area of its own, near by air.

    Rules: 3.3.argentina-a, 3.3.paraguay-a
    """
    for area in _near(s, country):
        power = s.control.get(area, NEUTRAL)
        if power != NEUTRAL and s.facts.side[power] == "axis":
            for id in s.units_at(area):
                home = s.facts.countries[s.facts.kinds[id].home]
                if s.domain(id) == "land" and home.major and s.units[id].power == power:
                    return power
    return ""


def _near(s: State, country: str) -> list[str]:
    """The land areas from which a country is so many aircraft moves away, on the bare map."""
    key = ("near", country)
    found: list[str] | None = s.cached(key)
    if found is None:
        areas, steps = areas_of(s, country), s.facts.air_steps.__getitem__
        limit = s.facts.numbers.argentina_moves
        reached = {other: None for area in areas for other in reach(area, steps, limit)}
        found = [area for area in reached if area in s.control and area not in areas]
        s.keep(key, found, lasting=True)
    return found


def _balkans(s: State, country: str) -> str:
    """Rules: 3.3.balkans-a"""
    sides = {
        s.facts.side[s.control[area]]
        for area in s.facts.coast["mediterranean_sea"]
        if s.control.get(area, NEUTRAL) != NEUTRAL
    }
    if "allies" not in sides and acting_side(s) == "axis":
        return "germany"
    return "afa" if "axis" not in sides else ""


def _americans(s: State, country: str) -> str:
    """Rules: 3.3.brazil-a, 3.3.mexico-a"""
    return "usa" if usa_at_war(s) else ""


def _eastern(s: State, country: str) -> str:
    """Rules: 3.3.centraleurope-a, 3.3.finland-a"""
    return "germany" if at_war(s, "germany", "ussr") else ""


def _iberia(s: State, country: str) -> str:
    """Rules: 3.3.iberia-a"""
    return "germany" if s.control.get("gibraltar") == "germany" else ""


def _turkey(s: State, country: str) -> str:
    """Rules: 3.3.turkey-a"""
    return "germany" if s.control.get("caucasus_mountains") == "germany" else ""


def _near_east(s: State, country: str) -> str:
    """Germany with two areas in supply that are adjacent to the Near East.

    Rules: 3.3.neareast-a
    """
    facts, areas = s.facts, areas_of(s, country)
    beside = {
        other
        for area in areas
        for other in (*facts.land_next[area], *facts.land_routes[area])
        if s.control.get(other) == "germany"
    }
    supplied = sum(reaches(s, "germany", area) for area in sorted(beside))
    return "germany" if supplied >= 2 else ""


def _south_east_asia(s: State, country: str) -> str:
    """Rules: 3.3.seasia-a"""
    paris = s.control.get("paris", NEUTRAL)
    axis_paris = paris != NEUTRAL and s.facts.side[paris] == "axis"
    if "japan" not in s.scenario.powers:
        return ""
    return "japan" if axis_paris or at_war(s, "japan", "afa") else ""


_RULES: dict[str, Callable[[State, str], str]] = {
    "argentina": _south_america,
    "balkans": _balkans,
    "brazil": _americans,
    "central_europe": _eastern,
    "finland": _eastern,
    "iberia": _iberia,
    "mexico": _americans,
    "near_east": _near_east,
    "paraguay_uruguay": _south_america,
    "south_east_asia": _south_east_asia,
    "turkey": _turkey,
}


def taker(s: State, declarer: str, country: str) -> str:
    """The power that allies with a country when war is declared on it; nobody if all are out.

    Rules: 3.2.align-a, 3.2.align-b, 3.2.align-c, 3.2.align-d, A.1b, F.1b, 9.2d, 9.2e
    """
    side = OTHER[s.facts.side[declarer]]
    if side == "axis":
        asian = country in ("south_east_asia", "netherlands_east_indies", "china")
        first = "japan" if asian else "germany"
    else:
        first = "usa" if country in AMERICAN or country == "china" else "afa"
    able = [power for power in powers_of(s, side) if not out_of_game(s, power)]
    return first if first in able else next(iter(able), "")


def ally(g: Table[State], country: str, power: str, attacker: str = "") -> Procedure[None]:
    """A neutral country joins a power: with its areas, its units, and its war if it has one.

    Attacks that are announced already go on without its units.

    Rules: 3.3b, 3.3c, 3.2.align-a, A.1b, F.1b, F.1c
    """
    s = g.state
    s.set_ally(country, power)
    s.original.setdefault(country, power)
    for area in areas_of(s, country):
        if s.control[area] == NEUTRAL:
            s.set_control(area, power)
    if attacker and not at_war(s, power, attacker):
        s.minor_wars |= {(country, attacker)}
    s.forget()
    g.emit("allied", country=country, power=power, against=attacker)
    _set_up(g, country, power, attacker)
    end_by_war(s)
    if country in FRENCH:
        yield from release(g, country)
    else:
        _call_up(s, country, power)


def _set_up(g: Table[State], country: str, power: str, attacker: str) -> None:
    """Place a new ally's units as the Minor Countries chart says.

    The armies of Brazil and Mexico stay in the Force Pool unless their country was attacked; the
    Vichy army stays away if the Allies have all of French North Africa when the Axis attacks.

    Rules: 3.3b, 3.3.brazil-a, 3.3.mexico-a, 3.4.france-f, 3.4.vichy-a, F.1b
    """
    s = g.state
    for area in areas_of(s, country):
        for id in s.units_at(area):
            if s.units[id].power == NEUTRAL:
                s.change(id, power=power)
    north_africa = allies_hold_north_africa(s)
    for minor in s.facts.minors:
        if minor.country != country or minor.at not in s.control:
            continue
        if minor.unit in s.removed or minor.unit in s.units:
            continue
        if country == "vichy_france" and side_of(s, attacker) == "axis" and north_africa:
            s.removed |= {minor.unit}
            continue
        if minor.only_if_attacked and not attacker:
            to_pool(s, power, minor.unit)
            continue
        s.put(minor.unit, Unit(power, minor.size, minor.at, minor.port))
        g.emit("set_up", unit=minor.unit, power=power, size=minor.size, space=minor.at)
    muster(g, country, power)


def _call_up(s: State, country: str, power: str) -> None:
    """Developed counters that were set aside for want of this alliance enter the Force Pool.

    Rules: 7.3f
    """
    for counter, home in sorted(s.aside.items()):
        chart = s.facts.kinds[small_name(counter)].power
        if home == country and (not chart or s.facts.side[chart] == s.facts.side[power]):
            del s.aside[counter]
            to_pool(s, power, counter)


def muster(g: Table[State], country: str, power: str) -> None:
    """Poland or China, neutral until now, has an ally: its units set up as on their own chart.

    Rules: 9.2b, 9.2d, 9.2e
    """
    s = g.state
    if "road_to_war" not in s.flags or country not in ("poland", "china"):
        return
    for chart in s.facts.weapons.values():
        for placement in chart.setup:
            if s.aside.get(placement.unit) == country:
                del s.aside[placement.unit]
                s.put(placement.unit, Unit(power, placement.size, placement.at, placement.port))
                g.emit(
                    "set_up",
                    unit=placement.unit,
                    power=power,
                    size=placement.size,
                    space=placement.at,
                )
