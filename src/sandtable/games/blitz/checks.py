"""Whether the data files fit together; every complaint names file, line and field."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.board.borders import check_borders, check_connected
from sandtable.games.blitz.tables import (
    Award,
    ChartsFile,
    MapFile,
    MinorUnit,
    Placement,
    RoadFile,
    Scenario,
    ScenariosFile,
    UnitsFile,
    VictoryFile,
    WeaponsFile,
)
from sandtable.kernel.data import Document, Key
from sandtable.kernel.vocabulary import WORDS

if TYPE_CHECKING:
    from sandtable.games.blitz.facts import Facts

POWERS = ("germany", "japan", "afa", "usa", "ussr", "western_allies")

# What the rules ask for by name.
_NAMED = {
    "countries": (
        "argentina",
        "australia",
        "austria_czechoslovakia",
        "balkans",
        "belgium_netherlands",
        "brazil",
        "burma",
        "canada",
        "central_america",
        "central_europe",
        "chile",
        "china",
        "finland",
        "formosa",
        "france",
        "french_north_africa",
        "french_west_africa",
        "germany",
        "gibraltar",
        "great_britain",
        "iberia",
        "india",
        "italy",
        "japan",
        "latin_america",
        "madagascar",
        "mexico",
        "near_east",
        "netherlands_east_indies",
        "norway",
        "paraguay_uruguay",
        "poland",
        "south_africa",
        "south_east_asia",
        "sweden",
        "turkey",
        "usa",
        "ussr",
        "venezuela",
        "vichy_france",
    ),
    "land_areas": (
        "burma",
        "caucasus_mountains",
        "chungking",
        "formosa",
        "gibraltar",
        "harbin",
        "manila",
        "paris",
        "peking",
        "poland",
        "port_arthur",
        "rome",
        "south_east_asia",
        "vichy_france",
        "western_germany",
    ),
    "sea_areas": ("mediterranean_sea",),
    "units": ("afa_maginot_line", "min_vichy_army", "usa_corregidor"),
}
_TYPES = {
    "GAR": "land",
    "INF": "land",
    "ARM": "land",
    "MAR": "land",
    "PARA": "land",
    "FORT": "land",
    "AA": "land",
    "BB": "naval",
    "CV": "naval",
    "SUB": "naval",
    "TRS": "naval",
    "LL": "naval",
    "AIR": "air",
    "VWEAPON": "air",
    "ABOMB": "air",
}
_TERRAIN = ("clear", "forest", "jungle", "swamp", "mountain")
_BLITZES = ("free", "air", "land", "naval", "total")
_BLOCKADE = ("air_naval", "air_other", "BB", "CV", "SUB", "TRS", "LL", "convoy")
_ENTRY = (
    "each_turn",
    "axis_takes_goods",
    "allies_take_goods",
    "axis_declares_on_minor",
    "axis_declares_beside_ussr",
    "allies_declare_on_minor",
    "japan_declares_on_afa_or_dutch",
    "after_that_each_turn",
    "germany_conquers_france_or_britain",
    "ussr_declares_on_japan",
    "japan_declares_on_ussr",
    "germany_gains_turkey_or_near_east",
)
_TRADES = ("sweden", "usa_oil", "ussr_oil", "venezuela")
_EVERY_POWER = ("control_industrial_might", "join_atomic_club")
_CARDS = {
    "germany": (
        "battle_of_the_atlantic",
        "fortress_europa",
        "lebensraum",
        "long_war",
        "super_weapons",
    ),
    "japan": (
        "co_prosperity_sphere",
        "decisive_battle",
        "long_war",
        "tenno_zan",
        "victory_in_the_cbi",
    ),
    "afa": (
        "maintain_the_empire",
        "mediterranean_influence",
        "no_casualties",
        "rule_the_waves",
        "strategic_bombing",
    ),
    "ussr": ("annihilate_the_wehrmacht", "buffer_zone", "five_year_plan", "mother_russia"),
    "usa": (
        "arsenal_of_democracy",
        "bring_democracy_to_asia",
        "no_casualties",
        "pacific_domination",
        "second_front",
    ),
}
_STANDARD_OPTIONS = (
    "trade_agreement",
    "alliance",
    "rearmament",
    "mobilization",
    "stockpile",
    "propaganda",
)
_SCENARIOS = ("A", "B", "C", "D", "E", "F", "campaign")
_OWN: dict[str, tuple[str, ...]] = {
    "A": ("overseas_move", "winning_areas", "reinforcements"),
    "B": ("extra_resources", "late_pool", "arrival"),
    "C": (
        "destroyed_convoys",
        "income",
        "italy_falls_on",
        "less_after_italy",
        "points",
        "adds",
        "double_pick",
    ),
    "D": (
        "adds",
        "income",
        "own_account",
        "arrival",
        "second_front",
        "awards",
        "gone_when_destroyed",
    ),
    "E": (
        "reinforcements",
        "adds",
        "supply_from",
        "soviets",
        "extra_resources_for_points",
        "growing_resources",
        "awards",
        "arsenal_of_democracy",
    ),
    "F": ("extra_until_japan", "japan_before_turn", "harbin", "awards"),
}
"""The numbers that a scenario's own rules look up."""
_RESULT = re.compile(r"-|[1-9]|[1-9]?[SLB]")
_BIG = ".big"


def check_map(map_: Document[MapFile]) -> None:
    """Powers, countries, areas, routes, passages, convoys and trade agreements."""
    map_.check_provenance()
    _check_powers(map_)
    _check_areas(map_)
    _check_countries(map_)
    _check_ways(map_)
    seas, lands = map_.value.sea_areas, map_.value.land_areas
    powers, countries = map_.value.powers, map_.value.countries
    for id, convoy in map_.value.convoys.items():
        here = ("convoys", id)
        map_.check_known(id, seas, "sea area", *here)
        map_.check_known(convoy.power, powers, "power", *here, "power")
        if convoy.destroyed in ("conquered", "no_coast"):
            map_.check_known(convoy.country, countries, "country", *here, "country")
        if convoy.destroyed == "lost":
            map_.check_known(convoy.area, lands, "land area", *here, "area")
    map_.check_complete(map_.value.trade, _TRADES, "trade")
    for id, trade in map_.value.trade.items():
        here = ("trade", id)
        map_.check_known(trade.to, powers, "power", *here, "to")
        if bool(trade.country) == bool(trade.power):
            raise map_.error("expected either a country or a power that gives", *here)
        if trade.country:
            map_.check_known(trade.country, countries, "country", *here, "country")
        else:
            map_.check_known(trade.power, powers, "power", *here, "power")


def _check_powers(map_: Document[MapFile]) -> None:
    powers, countries = map_.value.powers, map_.value.countries
    map_.check_complete(powers, POWERS, "powers")
    for id, power in powers.items():
        here = ("powers", id)
        map_.check_known(power.colour, WORDS.colours, "colour", *here, "colour")
        map_.check_all_known(power.homes, countries, "country", *here, "homes")
        map_.check_all_known(power.members, powers, "power", *here, "members")
        if bool(power.homes) == bool(power.members):
            raise map_.error("expected either home countries or members", *here)
        for index, home in enumerate(power.homes):
            if countries[home].owner != id or not countries[home].major:
                problem = f"{home} is not a major country of {id} at the start"
                raise map_.error(problem, *here, "homes", index)


def _check_areas(map_: Document[MapFile]) -> None:
    lands, seas = map_.value.land_areas, map_.value.sea_areas
    by_land = {id: land.adjacent for id, land in lands.items()}
    by_sea = {id: sea.adjacent for id, sea in seas.items()}
    for id in seas:
        check_borders(map_, id, by_sea, "sea_areas", id, "adjacent")
    for id, land in lands.items():
        here = ("land_areas", id)
        if id in seas:
            raise map_.error("is a sea area as well", *here)
        map_.check_known(land.country, map_.value.countries, "country", *here, "country")
        if land.owner:
            map_.check_known(land.owner, map_.value.powers, "power", *here, "owner")
        check_borders(map_, id, by_land, *here, "adjacent")
        map_.check_all_known(land.seas, seas, "sea area", *here, "seas")
        for index, port in enumerate(land.ports):
            map_.check_distinct(port.seas, *here, "ports", index, "seas")
            for each in port.seas:
                if each not in land.seas:
                    problem = f"{id} does not touch {each}"
                    raise map_.error(problem, *here, "ports", index, "seas")
        map_.check_distinct([port.id for port in land.ports], *here, "ports")
    near = {id: (*land.adjacent, *land.seas) for id, land in lands.items()}
    near |= {
        id: (*sea.adjacent, *(a for a, land in lands.items() if id in land.seas))
        for id, sea in seas.items()
    }
    tables = dict.fromkeys(lands, "land_areas") | dict.fromkeys(seas, "sea_areas")
    check_connected(map_, near, tables)


def _check_countries(map_: Document[MapFile]) -> None:
    countries, lands = map_.value.countries, map_.value.land_areas
    for table in ("countries", "land_areas", "sea_areas"):
        _check_named(map_, table)
    peopled = {land.country for land in lands.values()}
    for id, country in countries.items():
        here = ("countries", id)
        for field in ("owner", "claimed_by"):
            power = getattr(country, field)
            if power:
                map_.check_known(power, map_.value.powers, "power", *here, field)
        if country.follows:
            map_.check_known(country.follows, countries, "country", *here, "follows")
        map_.check_all_known(country.areas, lands, "land area", *here, "areas")
        if not country.areas and id not in peopled:
            raise map_.error("has no land area", *here)
        if country.areas and id in peopled:
            raise map_.error("land areas name it, so it cannot list others", *here, "areas")


def _check_named(document: Document[Any], table: str) -> None:
    """Whatever the rules ask for by name is in a table."""
    for id in _NAMED[table]:
        if id not in getattr(document.value, table):
            raise document.error("missing", table, id)


def _check_ways(map_: Document[MapFile]) -> None:
    lands, seas = map_.value.land_areas, map_.value.sea_areas
    for table in ("land_routes", "air_routes"):
        seen: set[frozenset[str]] = set()
        for index, route in enumerate(getattr(map_.value, table)):
            here = (table, index, "areas")
            map_.check_all_known(route.areas, lands, "land area", *here)
            ends = frozenset(route.areas)
            if ends in seen:
                raise map_.error(f"{' and '.join(route.areas)} are joined twice", *here)
            seen.add(ends)
            if route.areas[1] in lands[route.areas[0]].adjacent:
                raise map_.error(f"{' and '.join(route.areas)} share a border", *here)
    joined: set[frozenset[str]] = set()
    for id, passage in map_.value.passages.items():
        path = ("passages", id)
        map_.check_all_known(passage.seas, seas, "sea area", *path, "seas")
        map_.check_all_known(passage.areas, lands, "land area", *path, "areas")
        if frozenset(passage.seas) in joined:
            raise map_.error("another passage joins these seas", *path, "seas")
        joined.add(frozenset(passage.seas))


def check_charts(charts: Document[ChartsFile], map_: MapFile) -> None:
    """The combat chart without a gap, and every table that the rules look into complete."""
    charts.check_provenance()
    value = charts.value
    columns = sorted(value.combat_chart)
    if not columns:
        raise charts.error("has no column", "combat_chart")
    charts.check_complete(value.combat_chart, range(1, columns[-1] + 1), "combat_chart")
    for factors, row in value.combat_chart.items():
        for index, result in enumerate(row):
            if not _RESULT.fullmatch(result):
                problem = f'"{result}" is no result: expected points, then S, L or B, or "-"'
                raise charts.error(problem, "combat_chart", factors, index)
    charts.check_complete(value.types, _TYPES, "types")
    for id, type_ in value.types.items():
        if type_.domain != _TYPES[id]:
            raise charts.error(f"the rules need {_TYPES[id]} here", "types", id, "domain")
    charts.check_complete(value.terrain, _TERRAIN, "terrain")
    charts.check_all_known(value.snow.exempt, map_.countries, "country", "snow", "exempt")
    charts.check_complete(value.blockade, _BLOCKADE, "blockade")
    charts.check_complete(value.partisans, range(1, 7), "partisans")
    for die, row_ in value.partisans.items():
        here = ("partisans", die)
        if bool(row_.country) == bool(row_.choice):
            raise charts.error("expected either a country or a side that chooses", *here)
        if row_.country:
            charts.check_known(row_.country, map_.countries, "country", *here, "country")
    charts.check_complete(value.neutral_entry, _ENTRY, "neutral_entry")
    numbers = value.numbers
    charts.check_complete(value.turns, range(1, numbers.last_turn + 1), "turns")
    charts.check_complete(numbers.blitz_oil, _BLITZES, "numbers", "blitz_oil")
    if numbers.entry_box > numbers.last_box:
        raise charts.error(f"the track ends at {numbers.last_box}", "numbers", "entry_box")


def check_units(units: Document[UnitsFile], map_: MapFile, charts: ChartsFile) -> None:
    """Units of known types, powers and countries, with the factors that their types have."""
    units.check_provenance()
    _check_named(units, "units")
    for id, kind in units.value.units.items():
        here = ("units", id)
        if id.endswith(_BIG):
            raise units.error(f"only the name of a Big counter ends in {_BIG}", *here)
        units.check_known(kind.type, charts.types, "type of unit", *here, "type")
        domain = charts.types[kind.type].domain
        units.check_known(kind.home, map_.countries, "country", *here, "home")
        if kind.power:
            units.check_known(kind.power, map_.powers, "power", *here, "power")
            if map_.powers[kind.power].members:
                raise units.error("expected one of its members", *here, "power")
        if (kind.type == "LL") != bool(kind.sea) or bool(kind.sea) != bool(kind.recipient):
            raise units.error("a Lend Lease unit, and no other, has a sea and a recipient", *here)
        if kind.sea:
            known = (*map_.powers, *map_.countries)
            units.check_known(kind.sea, map_.sea_areas, "sea area", *here, "sea")
            units.check_known(kind.recipient, known, "recipient", *here, "recipient")
        if bool(kind.air_move) != (kind.type == "PARA"):
            raise units.error("expected for a PARA and for no other unit", *here, "air_move")
        if (kind.bombing is None) != (domain != "air"):
            raise units.error("expected for an air unit and for no other", *here, "bombing")
        if len(kind.sizes) == 3:
            raise units.error("a Big counter has the Sizes 3 and 4", *here, "sizes")
        for index, profile in enumerate(kind.sizes):
            if profile.type:
                path = (*here, "sizes", index, "type")
                units.check_known(profile.type, charts.types, "type of unit", *path)
                if charts.types[profile.type].domain != domain:
                    raise units.error(f"expected another {domain} unit", *path)
    for id, commander in units.value.commanders.items():
        units.check_known(commander.power, map_.powers, "power", "commanders", id, "power")


def check_weapons(
    weapons: Document[WeaponsFile], map_: MapFile, units: UnitsFile, charts: ChartsFile
) -> None:
    """Every counter stands once: a power's in its own chart, the others among the minors."""
    weapons.check_provenance()
    value = weapons.value
    single = [id for id, power in map_.powers.items() if not power.members]
    weapons.check_complete(value.powers, single, "powers")
    for power, chart in value.powers.items():
        counters = _counters(units, [id for id, kind in units.units.items() if kind.power == power])
        seen: dict[str, tuple[Key, ...]] = {}
        for index, placement in enumerate(chart.setup):
            path: tuple[Key, ...] = ("powers", power, "setup", index)
            _check_placement(weapons, placement, map_, units, charts, *path)
            _once(weapons, placement.unit, counters, seen, *path, "unit")
            if placement.size > 2:
                _once(weapons, placement.unit + _BIG, counters, seen, *path, "size")
        for path, counter in _listed(chart.pool, chart.groups):
            _once(weapons, counter, counters, seen, "powers", power, *path)
        for counter in counters:
            if counter not in seen:
                raise weapons.error(f"{counter} is nowhere in it", "powers", power)
    minors = _counters(units, [id for id, kind in units.units.items() if not kind.power])
    found: dict[str, tuple[Key, ...]] = {}
    for index, minor in enumerate(value.minors):
        path = ("minors", index)
        weapons.check_known(minor.country, map_.countries, "country", *path, "country")
        _once(weapons, minor.unit, minors, found, *path, "unit")
        _check_placement(weapons, minor, map_, units, charts, *path)
    for counter in minors:
        if counter not in found:
            raise weapons.error(f"{counter} is nowhere in it", "minors")


def _counters(units: UnitsFile, ids: Sequence[str]) -> tuple[str, ...]:
    """The counters of these units: the Small ones, and the Big ones that there are."""
    return (*ids, *(id + _BIG for id in ids if len(units.units[id].sizes) > 2))


def _listed(
    pool: Sequence[str], groups: Sequence[Sequence[str]]
) -> Iterator[tuple[tuple[Key, ...], str]]:
    """The counters of a pool and its Groups, each with where it stands."""
    for index, counter in enumerate(pool):
        yield ("pool", index), counter
    for number, group in enumerate(groups):
        for index, counter in enumerate(group):
            yield ("groups", number, index), counter


def _once(
    document: Document[Any],
    counter: str,
    known: Collection[str],
    seen: dict[str, tuple[Key, ...]],
    *path: Key,
) -> None:
    document.check_known(counter, known, "counter", *path)
    if counter in seen:
        line = document.line_of(*seen[counter])
        raise document.error(f"{counter} stands twice, first on line {line}", *path)
    seen[counter] = path


def _check_placement(
    document: Document[Any],
    placement: Placement | MinorUnit,
    map_: MapFile,
    units: UnitsFile,
    charts: ChartsFile,
    *path: Key,
) -> None:
    document.check_known(placement.unit, units.units, "unit", *path, "unit")
    kind = units.units[placement.unit]
    if not 1 <= placement.size <= len(kind.sizes):
        problem = f"{placement.unit} has the Sizes 1 to {len(kind.sizes)}"
        raise document.error(problem, *path, "size")
    document.check_known(placement.at, map_.land_areas, "land area", *path, "at")
    ports = [port.id for port in map_.land_areas[placement.at].ports]
    if charts.types[kind.type].domain == "naval":
        document.check_known(placement.port, ports, f"port of {placement.at}", *path, "port")
    elif placement.port:
        raise document.error("only for naval units", *path, "port")


def check_victory(victory: Document[VictoryFile], map_: MapFile) -> None:
    """The awards whose conditions the rules know, and the areas that they look at."""
    victory.check_provenance()
    victory.check_complete(victory.value.every_power, _EVERY_POWER, "every_power")
    victory.check_complete(victory.value.cards, _CARDS, "cards")
    for id, award in victory.value.every_power.items():
        _check_award(victory, award, map_, "every_power", id)
    for power, card in victory.value.cards.items():
        victory.check_complete(card, _CARDS[power], "cards", power)
        for id, award in card.items():
            _check_award(victory, award, map_, "cards", power, id)


def _check_award(victory: Document[VictoryFile], award: Award, map_: MapFile, *path: Key) -> None:
    known: Mapping[str, Collection[str]] = {
        "port": map_.land_areas,
        "areas": map_.land_areas,
        "any_of": map_.land_areas,
        "sea": map_.sea_areas,
        "seas": map_.sea_areas,
        "country": map_.countries,
        "all_of": map_.countries,
        "countries": map_.countries,
        "europe": map_.countries,
    }
    for field, table in known.items():
        value = getattr(award, field)
        what = "sea area" if table is map_.sea_areas else "land area"
        what = "country" if table is map_.countries else what
        if isinstance(value, tuple):
            victory.check_all_known(value, table, what, *path, field)
        elif value:
            victory.check_known(value, table, what, *path, field)


def check_scenarios(
    scenarios: Document[ScenariosFile], map_: MapFile, weapons: WeaponsFile, charts: ChartsFile
) -> None:
    """The scenarios, but for their units: turns, seats, areas in play, politics."""
    scenarios.check_provenance()
    scenarios.check_complete(scenarios.value.scenarios, _SCENARIOS, "scenarios")
    for id, scenario in scenarios.value.scenarios.items():
        here = ("scenarios", id)
        first, last = scenario.turns
        if not 1 <= first <= last <= charts.numbers.last_turn:
            problem = f"expected two turns from 1 to {charts.numbers.last_turn}"
            raise scenarios.error(problem, *here, "turns")
        scenarios.check_all_known(scenario.powers, map_.powers, "power", *here, "powers")
        for number, seats in scenario.seats.items():
            seated = [power for seat in seats for power in seat]
            if len(seats) != number or sorted(seated) != sorted(scenario.powers):
                problem = f"expected {number} players who share the powers of the scenario"
                raise scenarios.error(problem, *here, "seats", number)
        _check_in_play(scenarios, scenario, map_, *here, "in_play")
        _check_politics(scenarios, scenario, map_, *here)
        for power in scenario.charts:
            path = (*here, "charts", power)
            scenarios.check_known(power, scenario.powers, "power", *path)
            scenarios.check_known(power, weapons.powers, "chart", *path)


def _check_in_play(
    scenarios: Document[ScenariosFile], scenario: Scenario, map_: MapFile, *path: Key
) -> None:
    rule = scenario.in_play
    for field in ("lands", "without"):
        scenarios.check_all_known(getattr(rule, field), map_.land_areas, "land area", *path, field)
    for field in ("countries", "without_countries"):
        scenarios.check_all_known(getattr(rule, field), map_.countries, "country", *path, field)
    scenarios.check_all_known(rule.seas, map_.sea_areas, "sea area", *path, "seas")
    if rule.within is not None:
        here = (*path, "within", "port")
        scenarios.check_known(rule.within.port, map_.land_areas, "land area", *here)
        if not map_.land_areas[rule.within.port].ports:
            raise scenarios.error(f"{rule.within.port} has no port", *here)


def _check_politics(
    scenarios: Document[ScenariosFile], scenario: Scenario, map_: MapFile, *here: Key
) -> None:
    powers, countries = scenario.powers, map_.countries
    for index, pair in enumerate(scenario.wars):
        scenarios.check_all_known(pair, powers, "power", *here, "wars", index)
    for index, (country, power) in enumerate(scenario.minor_wars):
        scenarios.check_known(country, countries, "country", *here, "minor_wars", index, 0)
        scenarios.check_known(power, powers, "power", *here, "minor_wars", index, 1)
    scenarios.check_all_known(scenario.neutral, powers, "power", *here, "neutral")
    declarable = scenario.declarable or ()
    scenarios.check_all_known(declarable, countries, "country", *here, "declarable")
    for power, areas in scenario.control.items():
        scenarios.check_known(power, powers, "power", *here, "control", power)
        scenarios.check_all_known(areas, map_.land_areas, "land area", *here, "control", power)
    for field in ("conquered", "allied"):
        for country, power in getattr(scenario, field).items():
            scenarios.check_known(country, countries, "country", *here, field, country)
            scenarios.check_known(power, powers, "power", *here, field, country)
    scenarios.check_all_known(scenario.trades, map_.trade, "trade agreement", *here, "trades")
    for power in scenario.saved:
        scenarios.check_known(power, powers, "power", *here, "saved", power)


def check_setups(
    scenarios: Document[ScenariosFile],
    map_: MapFile,
    units: UnitsFile,
    charts: ChartsFile,
    facts: Facts,
) -> None:
    """The units of each scenario: each counter once, on the map in an area in play."""
    for id, scenario in scenarios.value.scenarios.items():
        placed: dict[str, tuple[Key, ...]] = {}
        listed: dict[str, tuple[Key, ...]] = {}
        here = ("scenarios", id)
        for field in ("setup", "pool", "groups"):
            for power in getattr(scenario, field):
                scenarios.check_known(power, scenario.powers, "power", *here, field, power)
        for power in scenario.powers:
            own = (power, *map_.powers[power].members, "")
            known = _counters(units, [u for u, kind in units.units.items() if kind.power in own])
            for index, placement in enumerate(scenario.setup.get(power, ())):
                path = (*here, "setup", power, index)
                _check_placement(scenarios, placement, map_, units, charts, *path)
                _once(scenarios, placement.unit, known, placed, *path, "unit")
                if placement.at not in facts.areas_in_play[id]:
                    raise scenarios.error(f"{placement.at} is not in play", *path, "at")
            lists = _listed(scenario.pool.get(power, ()), scenario.groups.get(power, ()))
            for (table, *rest), counter in lists:
                _once(scenarios, counter, known, listed, *here, table, power, *rest)
        every = _counters(units, list(units.units))
        known_in_own = {*every, *facts.names, *facts.seas, *facts.types}
        known_in_own |= {award for card in facts.awards.values() for award in card}
        for key in _OWN.get(id, ()):
            if key not in scenario.own:
                raise scenarios.error("missing", *here, "own", key)
        _check_own(scenarios, scenario.own, known_in_own, *here, "own")
        for turn, rows in scenario.own.get("reinforcements", {}).items():
            for index, row in enumerate(rows):
                arrival = (*here, "own", "reinforcements", turn, index)
                try:
                    placement = msgspec.convert(row, Placement)
                except msgspec.ValidationError as error:
                    raise scenarios.error(str(error), *arrival) from None
                if not placement.add:
                    _check_placement(scenarios, placement, map_, units, charts, *arrival)
        for power, standard in scenario.charts.items():
            for index, counter in enumerate(standard.less):
                less = (*here, "charts", power, "less", index)
                scenarios.check_known(counter, every, "counter", *less)


def check_road(
    road: Document[RoadFile], map_: MapFile, units: UnitsFile, charts: ChartsFile, facts: Facts
) -> None:
    """The steps and options of the Road to War; ids of options are unique."""
    road.check_provenance()
    value = road.value
    road.check_complete(value.standard, _STANDARD_OPTIONS, "standard")
    for country in value.partners:
        road.check_known(country, map_.countries, "country", "partners", country)
    if sorted(value.steps) != list(range(1, len(value.steps) + 1)):
        raise road.error("expected steps numbered from 1", "steps")
    seen = set(value.standard)
    for number, step in value.steps.items():
        here: tuple[Key, ...] = ("steps", number)
        road.check_known(step.power, map_.powers, "power", *here, "power")
        for id, option in step.options.items():
            path = (*here, "options", id)
            if id in seen:
                raise road.error(f"{id} is another option already", *path)
            seen.add(id)
            if option.trade:
                road.check_known(option.trade, facts.trade, "trade agreement", *path, "trade")
            if option.allies:
                road.check_known(option.allies, map_.countries, "country", *path, "allies")
            for power in option.entry:
                road.check_known(power, map_.powers, "power", *path, "entry", power)
            for index, counter in enumerate(option.develops):
                small = counter.removesuffix(_BIG)
                road.check_known(small, units.units, "unit", *path, "develops", index)
            for index, placement in enumerate(option.sets_up):
                if placement.add:
                    road.check_known(
                        placement.unit, units.units, "unit", *path, "sets_up", index, "unit"
                    )
                else:
                    _check_placement(road, placement, map_, units, charts, *path, "sets_up", index)


def _check_own(
    scenarios: Document[ScenariosFile], value: object, known: Collection[str], *path: Key
) -> None:
    """Whatever the numbers of a scenario's own rules name is known."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            _check_own(scenarios, part, known, *path, key)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            _check_own(scenarios, part, known, *path, index)
    elif isinstance(value, str):
        scenarios.check_known(value, known, "name", *path)
