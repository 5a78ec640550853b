"""What never changes in a game: map, units, charts and scenarios, read from `data/`.

The tables are plain dicts and tuples of ids, in the order of the data files. Treat them as
read-only: all games with the same data share them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from sandtable.board.graphs import Net, reach
from sandtable.games.blitz import checks
from sandtable.kernel.data import DataFolder, Provenance

DATA = Path(__file__).parent / "data"

Side = Literal["axis", "allies"]
Domain = Literal["land", "air", "naval"]
Terrain = Literal["clear", "forest", "jungle", "swamp", "mountain"]
Bombing = Literal["land", "naval", "strategic"]
BlitzKind = Literal["free", "air", "land", "naval", "total"]

_Name = Annotated[str, Meta(min_length=1)]
_Small = Annotated[int, Meta(ge=0, le=60)]
_Point = tuple[Annotated[float, Meta(ge=-90, le=90)], Annotated[float, Meta(ge=-180, le=180)]]


class Power(Struct, frozen=True, forbid_unknown_fields=True):
    """A major power; one with `members` is several of them played as one."""

    name: _Name
    adjective: _Name
    side: Side
    colour: _Name
    homes: tuple[str, ...] = ()
    members: tuple[str, ...] = ()


class Country(Struct, frozen=True, forbid_unknown_fields=True):
    """A country; `owner` has it at the start, `areas` are filled in from the map.

    Rules: 1.2i
    """

    name: _Name
    code: str = ""
    major: bool = False
    owner: str = ""
    claimed_by: str = ""
    snow: bool = False
    follows: str = ""
    areas: tuple[str, ...] = ()
    provenance: Provenance | None = None


class Port(Struct, frozen=True, forbid_unknown_fields=True):
    """A port of a land area, known by the first of the seas that it opens on."""

    size: Literal["big", "small"]
    seas: Annotated[tuple[str, ...], Meta(min_length=1)]

    @property
    def id(self) -> str:
        return self.seas[0]


class Land(Struct, frozen=True, forbid_unknown_fields=True):
    """A land area. `owner` is set where it differs from its country's.

    Rules: errata.west-coast-factory
    """

    name: _Name
    country: str
    at: _Point
    adjacent: tuple[str, ...]
    terrain: Terrain = "clear"
    island: bool = False
    oil: _Small = 0
    resource: _Small = 0
    factory: _Small = 0
    snow: Literal["", "snow", "snowflake"] = ""
    owner: str = ""
    ports: tuple[Port, ...] = ()
    seas: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    provenance: Provenance | None = None


class Sea(Struct, frozen=True, forbid_unknown_fields=True):
    """A sea area."""

    name: _Name
    at: _Point
    adjacent: tuple[str, ...]
    snow: bool = False
    provenance: Provenance | None = None


class Route(Struct, frozen=True, forbid_unknown_fields=True):
    """A land route or an air route between two land areas."""

    areas: tuple[str, str]
    name: str = ""
    provenance: Provenance | None = None


class Passage(Struct, frozen=True, forbid_unknown_fields=True):
    """Two seas between which ships pass under a condition."""

    seas: tuple[str, str]
    areas: Annotated[tuple[str, ...], Meta(min_length=1)]
    open: Literal["all_friendly", "not_all_enemy"]
    submarines_pass: bool
    can_be_forced: bool
    provenance: Provenance | None = None


class Convoy(Struct, frozen=True, forbid_unknown_fields=True):
    """A convoy printed in a sea area, and when it is Destroyed."""

    name: _Name
    power: str
    factor: Annotated[int, Meta(ge=1, le=9)]
    destroyed: Literal["conquered", "no_coast", "lost", "no_swedish_trade", "no_goods"]
    country: str = ""
    area: str = ""


class Trade(Struct, frozen=True, forbid_unknown_fields=True):
    """A trade agreement: who gives one Oil or Resource a turn to whom."""

    to: str
    gives: Literal["oil", "resource"]
    country: str = ""
    power: str = ""
    until_box: int = 99


class Profile(Struct, frozen=True, forbid_unknown_fields=True):
    """What a unit is at one Size: factors, and white and red triangles in their boxes.

    Rules: 1.2g, errata.polish-army
    """

    type: str = ""
    land: _Small = 0
    land_w: _Small = 0
    land_r: _Small = 0
    air: _Small = 0
    air_w: _Small = 0
    air_r: _Small = 0
    naval: _Small = 0
    naval_w: _Small = 0
    naval_r: _Small = 0
    bomb: _Small = 0


class UnitKind(Struct, frozen=True, forbid_unknown_fields=True):
    """A counter. Its Small side has Sizes 1 and 2, its Big one, if any, 3 and 4."""

    name: _Name
    home: str
    type: str
    move: _Small
    sizes: Annotated[tuple[Profile, ...], Meta(min_length=1, max_length=4)]
    power: str = ""
    air_move: _Small = 0
    bombing: Bombing | None = None
    one_use: bool = False
    super_weapon: bool = False
    sea: str = ""
    recipient: str = ""
    provenance: Provenance | None = None


class Commander(Struct, frozen=True, forbid_unknown_fields=True):
    """One side of a commander's counter: what he adds to the unit that he commands."""

    name: _Name
    power: str
    counter: Annotated[int, Meta(ge=1, le=2)]
    commands: Domain
    land: _Small = 0
    air: _Small = 0
    naval: _Small = 0
    strategic: _Small = 0
    red: _Small = 0
    provenance: Provenance | None = None


class UnitType(Struct, frozen=True, forbid_unknown_fields=True):
    """A type of unit."""

    name: _Name
    domain: Domain


class TerrainEffect(Struct, frozen=True, forbid_unknown_fields=True):
    """What terrain does: movement to enter, factors halved, white triangles, bonus armour."""

    move: Annotated[int, Meta(ge=1, le=4)]
    halves: Literal["", "support", "attackers"] = ""
    white: _Small = 0
    armour: _Small = 0


class Snow(Struct, frozen=True, forbid_unknown_fields=True):
    """Home countries whose attacking units snow does not halve."""

    exempt: tuple[str, ...]


class PartisanRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the partisan table: a country, or a side that chooses."""

    country: str = ""
    both_sides: bool = False
    choice: Literal["", "axis", "allies"] = ""
    provenance: Provenance | None = None


class EntryEffect(Struct, frozen=True, forbid_unknown_fields=True):
    """By how many boxes an event moves each marker."""

    usa: int = 0
    ussr: int = 0
    provenance: Provenance | None = None


class Turn(
    Struct, frozen=True, forbid_unknown_fields=True, rename={"begins": "from", "ends": "to"}
):
    """A box of the Victory Track."""

    begins: _Name
    ends: _Name
    snow: bool = False


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of the rules that belong to no chart."""

    blitz_oil: dict[BlitzKind, _Small]
    free_blitz_size: _Small
    island_size: _Small
    small_port_size: _Small
    attack_size_per_area: _Small
    transport_size_factor: _Small
    rebase_factor: _Small
    air_cost_of_sea: Annotated[int, Meta(ge=1, le=9)]
    small_naval_support: _Small
    big_naval_support: _Small
    unsupplied_white: _Small
    entry_box: _Small
    entry_turn: _Small
    pact_turn: _Small
    last_box: _Small
    last_turn: _Small
    research_success: _Small
    bomb_box: _Small
    bomb_lowest_box: _Small
    bomb_carrier_strategic: _Small
    argentina_moves: _Small
    forced_passage_factors: _Small
    sabotage_oil_factors: _Small
    sabotage_resource_factors: _Small
    commander_lost_on: _Small


class Placement(Struct, frozen=True, forbid_unknown_fields=True):
    """A unit that starts, or arrives, on the map; with `add`, one that grows."""

    unit: str
    size: Annotated[int, Meta(ge=0, le=4)] = 0
    at: str = ""
    port: str = ""
    add: _Small = 0
    provenance: Provenance | None = None


class MinorUnit(Struct, frozen=True, forbid_unknown_fields=True):
    """A unit of a minor country, set up when the country becomes an ally."""

    unit: str
    country: str
    size: Annotated[int, Meta(ge=1, le=4)]
    at: str
    port: str = ""
    only_if_attacked: bool = False


class Saved(Struct, frozen=True, forbid_unknown_fields=True):
    """Saved Oil and Resources."""

    oil: _Small = 0
    resources: _Small = 0


class Chart(Struct, frozen=True, forbid_unknown_fields=True):
    """A power's Weapons Development Chart."""

    adds: _Small
    adds_late: _Small
    setup: tuple[Placement, ...]
    pool: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    saved: Saved = Saved()


class Award(Struct, frozen=True, forbid_unknown_fields=True):
    """An award of a Victory Card, with the numbers that its condition looks at."""

    name: _Name
    option: _Small = 0
    points: _Small = 0
    places: tuple[_Small, ...] = ()
    by_turn: dict[int, _Small] = {}
    from_turn: _Small = 0
    damage: _Small = 0
    most: _Small = 0
    areas_held: _Small = 0
    own: _Small = 0
    goods: _Small = 0
    size: _Small = 0
    delivered: _Small = 0
    moves: _Small = 0
    port: str = ""
    sea: str = ""
    country: str = ""
    all_of: str = ""
    seas: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    europe: tuple[str, ...] = ()
    provenance: Provenance | None = None


class Within(Struct, frozen=True, forbid_unknown_fields=True):
    """The seas that a ship from a port can enter with so many moves."""

    port: str
    moves: Annotated[int, Meta(ge=1, le=20)]


class InPlay(Struct, frozen=True, forbid_unknown_fields=True):
    """Which areas are in play; nothing named: all."""

    seas: tuple[str, ...] = ()
    within: Within | None = None
    countries: tuple[str, ...] = ()
    coasts: bool = False
    lands: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    without_countries: tuple[str, ...] = ()


class StandardChart(Struct, frozen=True, forbid_unknown_fields=True):
    """A power's chart from weapons.yaml, less some counters; `setup: false` takes no units."""

    less: tuple[str, ...] = ()
    setup: bool = True


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario, or the campaign."""

    title: _Name
    turns: tuple[int, int]
    powers: tuple[str, ...]
    seats: dict[int, tuple[tuple[str, ...], ...]]
    in_play: InPlay = InPlay()
    ends_at: _Small = 0
    wars: tuple[tuple[str, str], ...] = ()
    minor_wars: tuple[tuple[str, str], ...] = ()
    neutral: tuple[str, ...] = ()
    declarable: tuple[str, ...] | None = None
    control: dict[str, tuple[str, ...]] = {}
    conquered: dict[str, str] = {}
    allied: dict[str, str] = {}
    trades: tuple[str, ...] = ()
    saved: dict[str, Saved] = {}
    charts: dict[str, StandardChart] = {}
    setup: dict[str, tuple[Placement, ...]] = {}
    pool: dict[str, tuple[str, ...]] = {}
    groups: dict[str, tuple[tuple[str, ...], ...]] = {}
    own: dict[str, Any] = {}


class RoadOption(Struct, frozen=True, forbid_unknown_fields=True):
    """An option of Blitzing the Road to War, with what it does; the Standard Options are code."""

    name: _Name
    effect: _Name
    flag: str = ""
    trade: str = ""
    allies: str = ""
    sets_up: tuple[Placement, ...] = ()
    develops: tuple[str, ...] = ()
    resources: _Small = 0
    entry: dict[str, _Small] = {}
    provenance: Provenance | None = None


class RoadStep(Struct, frozen=True, forbid_unknown_fields=True):
    """A step of Blitzing the Road to War: a power and the options of its own."""

    power: str
    options: dict[str, RoadOption]


class RoadFile(Struct, frozen=True, forbid_unknown_fields=True):
    provenance: dict[str, Provenance]
    partners: dict[str, Literal["oil", "resource"]]
    standard: dict[str, RoadOption]
    steps: dict[int, RoadStep]


class MapFile(Struct, frozen=True, forbid_unknown_fields=True):
    provenance: dict[str, Provenance]
    powers: dict[str, Power]
    countries: dict[str, Country]
    sea_areas: dict[str, Sea]
    land_areas: dict[str, Land]
    land_routes: tuple[Route, ...]
    air_routes: tuple[Route, ...]
    passages: dict[str, Passage]
    convoys: dict[str, Convoy]
    trade: dict[str, Trade]


class UnitsFile(Struct, frozen=True, forbid_unknown_fields=True):
    provenance: dict[str, Provenance]
    units: dict[str, UnitKind]
    commanders: dict[str, Commander]


class ChartsFile(Struct, frozen=True, forbid_unknown_fields=True):
    provenance: dict[str, Provenance]
    combat_chart: dict[int, tuple[str, str, str, str, str, str]]
    types: dict[str, UnitType]
    terrain: dict[Terrain, TerrainEffect]
    snow: Snow
    blockade: dict[str, tuple[_Small, _Small]]
    partisans: dict[int, PartisanRow]
    neutral_entry: dict[str, EntryEffect]
    turns: dict[int, Turn]
    numbers: Numbers


class WeaponsFile(Struct, frozen=True, forbid_unknown_fields=True):
    provenance: dict[str, Provenance]
    powers: dict[str, Chart]
    minors: tuple[MinorUnit, ...]


class VictoryFile(Struct, frozen=True, forbid_unknown_fields=True):
    provenance: dict[str, Provenance]
    every_power: dict[str, Award]
    cards: dict[str, dict[str, Award]]


class ScenariosFile(Struct, frozen=True, forbid_unknown_fields=True):
    provenance: dict[str, Provenance]
    scenarios: dict[str, Scenario]


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
