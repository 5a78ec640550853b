"""The records of the data files: what each table in `data/` holds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from sandtable.kernel.data import Provenance

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
