"""What never changes in a game: map, units, charts and scenarios, read from `data/`.

The tables are plain dicts and tuples of ids, in the order of the data files. Treat them as
read-only: all games with the same data share them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from sandtable.board.graphs import Net, reach
from sandtable.games.blitz import checks
from sandtable.games.blitz.tables import (
    Award,
    Chart,
    ChartsFile,
    Commander,
    Convoy,
    Country,
    Domain,
    EntryEffect,
    InPlay,
    Land,
    MapFile,
    MinorUnit,
    Numbers,
    PartisanRow,
    Passage,
    Port,
    Power,
    Profile,
    RoadFile,
    RoadOption,
    RoadStep,
    Route,
    Scenario,
    ScenariosFile,
    Sea,
    TerrainEffect,
    Trade,
    Turn,
    UnitKind,
    UnitsFile,
    UnitType,
    VictoryFile,
    WeaponsFile,
)
from sandtable.kernel.data import DataFolder

DATA = Path(__file__).parent / "data"


BIG = ".big"
"""What the name of a Big counter ends in; without it, it is the Small one's."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that the rules look up."""

    powers: dict[str, Power]
    side: dict[str, str]
    """Of every power, the combined one included."""
    homes: dict[str, tuple[str, ...]]
    """Power to its major power home countries; the combined power has those of its members."""
    countries: dict[str, Country]
    lands: dict[str, Land]
    seas: dict[str, Sea]
    names: dict[str, str]
    """Areas, countries, powers and units by id."""
    land_next: dict[str, tuple[str, ...]]
    """Land areas that share a border (routes are not borders)."""
    land_routes: dict[str, tuple[str, ...]]
    air_routes: dict[str, tuple[str, ...]]
    sea_next: dict[str, tuple[str, ...]]
    """Seas a ship can go to: those that touch, and those that only a passage joins."""
    passages: dict[tuple[str, str], Passage]
    """The two seas, in either order, to the passage between them."""
    coast: dict[str, tuple[str, ...]]
    """A land area's seas, and a sea area's lands."""
    supply: Net
    """Where supply lines can go: over borders, land routes, coasts, and between seas that touch."""
    air_steps: dict[str, tuple[tuple[str, int], ...]]
    """Where an air unit can go from an area, with the movement that it takes."""
    ports: dict[str, dict[str, Port]]
    """Land area to its ports by id."""
    havens: dict[str, tuple[tuple[str, str], ...]]
    """Sea area to the ports that open on it: land area and port."""
    convoys: dict[str, Convoy]
    trade: dict[str, Trade]
    kinds: dict[str, UnitKind]
    profiles: dict[tuple[str, int], Profile]
    """Unit and Size to its profile."""
    type_at: dict[tuple[str, int], str]
    """Unit and Size to its type there."""
    domain: dict[str, Domain]
    """Of every unit."""
    commanders: dict[str, Commander]
    types: dict[str, UnitType]
    chart: tuple[tuple[str, ...], ...]
    """Factors to the results by die; both from 1, so index 0 is empty. The last row is `30+`."""
    terrain: dict[str, TerrainEffect]
    snow_exempt: tuple[str, ...]
    blockade: dict[str, tuple[int, int]]
    partisans: dict[int, PartisanRow]
    neutral_entry: dict[str, EntryEffect]
    turns: dict[int, Turn]
    numbers: Numbers
    weapons: dict[str, Chart]
    minors: tuple[MinorUnit, ...]
    awards: dict[str, dict[str, Award]]
    """Power to its Victory Card; `every_power` to the awards of all."""
    scenarios: dict[str, Scenario]
    areas_in_play: dict[str, frozenset[str]]
    """Scenario to its land and sea areas in play."""
    flights: dict[tuple[str, int, frozenset[str]], dict[str, int]]
    """What `movement.air_reach` has found: by origin, limit and the land in its reach that is
    closed to aircraft. Games share it."""
    road: dict[int, RoadStep]
    """The steps of Blitzing the Road to War."""
    road_options: dict[str, RoadOption]
    """All options of the Road to War, the Standard ones first."""

    def name(self, id: str) -> str:
        """Whatever an id stands for within a sentence: an area, a unit, a counter, a country, a
        power (`the AFA`, `Germany`), a commander."""
        if id in self.powers:
            return f"the {self.short_name(id)}" if id in _WITH_ARTICLE else self.short_name(id)
        if id.endswith(BIG):
            return f"{self.name(id.removesuffix(BIG))} (Big)"
        if id in self.commanders:
            return self.commanders[id].name
        return self.names.get(id) or id.replace("_", " ")

    def short_name(self, power: str) -> str:
        """A power as a table names it."""
        return "AFA" if power == "afa" else self.powers[power].name


_WITH_ARTICLE = ("afa", "usa", "ussr", "western_allies")


@lru_cache(maxsize=8)
def load_facts(folder: Path | None = None) -> Facts:
    """Read the data files, those in `folder` instead of ours; DataError if they are unsound."""
    files = DataFolder(DATA, folder)
    map_ = files.read("map.yaml", MapFile)
    roster = files.read("units.yaml", UnitsFile)
    charts = files.read("charts.yaml", ChartsFile)
    weapons = files.read("weapons.yaml", WeaponsFile)
    victory = files.read("victory.yaml", VictoryFile)
    scenarios = files.read("scenarios.yaml", ScenariosFile)
    road = files.read("road_to_war.yaml", RoadFile)
    checks.check_map(map_)
    checks.check_charts(charts, map_.value)
    checks.check_units(roster, map_.value, charts.value)
    checks.check_weapons(weapons, map_.value, roster.value, charts.value)
    checks.check_victory(victory, map_.value)
    checks.check_scenarios(scenarios, map_.value, weapons.value, charts.value)
    facts = _facts(
        map_.value,
        roster.value,
        charts.value,
        weapons.value,
        victory.value,
        scenarios.value,
        road.value,
    )
    checks.check_road(road, map_.value, roster.value, charts.value, facts)
    checks.check_setups(scenarios, map_.value, roster.value, charts.value, facts)
    return facts


def _facts(
    map_: MapFile,
    roster: UnitsFile,
    charts: ChartsFile,
    weapons: WeaponsFile,
    victory: VictoryFile,
    scenarios: ScenariosFile,
    road: RoadFile,
) -> Facts:
    lands, seas = map_.land_areas, map_.sea_areas
    countries = {
        id: _with_areas(country, tuple(a for a, land in lands.items() if land.country == id))
        for id, country in map_.countries.items()
    }
    passages: dict[tuple[str, str], Passage] = {}
    sea_next = {id: list(sea.adjacent) for id, sea in seas.items()}
    for passage in map_.passages.values():
        one, two = passage.seas
        passages[one, two] = passages[two, one] = passage
        if two not in sea_next[one]:
            sea_next[one].append(two)
            sea_next[two].append(one)
    homes = {id: power.homes for id, power in map_.powers.items()}
    for id, power in map_.powers.items():
        for member in power.members:
            homes[id] += map_.powers[member].homes
    coast = {id: land.seas for id, land in lands.items()}
    for id in seas:
        coast[id] = tuple(a for a, land in lands.items() if id in land.seas)
    land_routes = _routes(map_.land_routes, lands)
    air_routes = _routes(map_.air_routes, lands)
    to_sea = charts.numbers.air_cost_of_sea
    air_steps: dict[str, tuple[tuple[str, int], ...]] = {}
    for id, land in lands.items():
        near = dict.fromkeys((*land.adjacent, *land_routes[id], *air_routes[id]))
        air_steps[id] = (*((a, 1) for a in near), *((s, to_sea) for s in land.seas))
    for id, sea in seas.items():
        air_steps[id] = (*((a, 1) for a in coast[id]), *((s, to_sea) for s in sea.adjacent))
    profiles: dict[tuple[str, int], Profile] = {}
    type_at: dict[tuple[str, int], str] = {}
    for id, kind in roster.units.items():
        for size, profile in enumerate(kind.sizes, 1):
            profiles[id, size] = profile
            type_at[id, size] = profile.type or kind.type
    facts_names = {
        id: thing.name
        for table in (map_.powers, countries, lands, seas, roster.units)
        for id, thing in table.items()
    }
    return Facts(
        powers=map_.powers,
        side={id: power.side for id, power in map_.powers.items()},
        homes=homes,
        countries=countries,
        lands=lands,
        seas=seas,
        names=facts_names,
        land_next={id: land.adjacent for id, land in lands.items()},
        land_routes=land_routes,
        air_routes=air_routes,
        sea_next={id: tuple(near) for id, near in sea_next.items()},
        passages=passages,
        coast=coast,
        supply=Net(
            {
                **{
                    id: (*land.adjacent, *land_routes[id], *land.seas) for id, land in lands.items()
                },
                **{id: (*sea.adjacent, *coast[id]) for id, sea in seas.items()},
            }
        ),
        air_steps=air_steps,
        ports={id: {port.id: port for port in land.ports} for id, land in lands.items()},
        havens={
            sea: tuple(
                (area, port.id)
                for area in coast[sea]
                for port in lands[area].ports
                if sea in port.seas
            )
            for sea in seas
        },
        convoys=map_.convoys,
        trade={**map_.trade, **_trades(map_, road)},
        kinds=roster.units,
        profiles=profiles,
        type_at=type_at,
        domain={id: charts.types[kind.type].domain for id, kind in roster.units.items()},
        commanders=roster.commanders,
        types=charts.types,
        chart=((), *((("", *row)) for _, row in sorted(charts.combat_chart.items()))),
        terrain={name: effect for name, effect in charts.terrain.items()},
        snow_exempt=charts.snow.exempt,
        blockade=charts.blockade,
        partisans=charts.partisans,
        neutral_entry=charts.neutral_entry,
        turns=charts.turns,
        numbers=charts.numbers,
        weapons=weapons.powers,
        minors=weapons.minors,
        awards={**victory.cards, "every_power": victory.every_power},
        scenarios=scenarios.scenarios,
        flights={},
        areas_in_play={
            id: _in_play(scenario.in_play, map_, countries, coast, sea_next, passages)
            for id, scenario in scenarios.scenarios.items()
        },
        road=road.steps,
        road_options={
            **road.standard,
            **{id: option for step in road.steps.values() for id, option in step.options.items()},
        },
    )


def _trades(map_: MapFile, road: RoadFile) -> dict[str, Trade]:
    """The agreements that the Road to War can bring, but for those that the map has already.

    Rules: 9.2q
    """
    known = {(trade.country, trade.to) for trade in map_.trade.values()}
    return {
        f"{country}_to_{power}": Trade(to=power, gives=gives, country=country)
        for country, gives in road.partners.items()
        for power in map_.powers
        if not map_.powers[power].members and (country, power) not in known
    }


def _with_areas(country: Country, areas: tuple[str, ...]) -> Country:
    if country.areas:
        return country
    fields = {name: getattr(country, name) for name in country.__struct_fields__}
    return Country(**{**fields, "areas": areas})


def _routes(routes: tuple[Route, ...], lands: dict[str, Land]) -> dict[str, tuple[str, ...]]:
    return {
        id: tuple(
            other for route in routes if id in route.areas for other in route.areas if other != id
        )
        for id in lands
    }


def _in_play(
    rule: InPlay,
    map_: MapFile,
    countries: dict[str, Country],
    coast: dict[str, tuple[str, ...]],
    sea_next: dict[str, list[str]],
    passages: dict[tuple[str, str], Passage],
) -> frozenset[str]:
    """The areas that a scenario plays on.

    Rules: A.map-a, B.map-a, C.map-a, D.map-a, D.map-b, E.map-a, F.map-a, F.map-b
    """
    lands = map_.land_areas
    if rule == InPlay():
        return frozenset((*lands, *map_.sea_areas))
    found = set(rule.seas)
    if rule.within is not None:
        start = rule.within.port
        for port in lands[start].ports:
            for sea in port.seas:
                steps = partial(_open_seas, map_, countries, sea_next, passages, start)
                found |= set(reach(sea, steps, rule.within.moves - 1))
    areas = set(found)
    if rule.coasts:
        areas |= {land for sea in found for land in coast[sea]}
    areas |= {area for country in rule.countries for area in countries[country].areas}
    areas |= set(rule.lands)
    areas -= set(rule.without)
    areas -= {area for country in rule.without_countries for area in countries[country].areas}
    return frozenset(areas)


def _open_seas(
    map_: MapFile,
    countries: dict[str, Country],
    sea_next: dict[str, list[str]],
    passages: dict[tuple[str, str], Passage],
    port: str,
    sea: str,
) -> Iterator[tuple[str, int]]:
    """The seas that a ship of whoever has `port` at the start can sail to from `sea`."""

    def side(area: str) -> str:
        land = map_.land_areas[area]
        owner = land.owner or countries[land.country].owner
        return map_.powers[owner].side if owner else ""

    own = side(port)
    for other in sea_next[sea]:
        passage = passages.get((sea, other))
        if passage is not None:
            friendly = [side(area) == own for area in passage.areas]
            hostile = [side(area) not in ("", own) for area in passage.areas]
            if not all(friendly) if passage.open == "all_friendly" else all(hostile):
                continue
        yield other, 1
