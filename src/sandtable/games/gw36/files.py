"""The shapes of the data files: what each may say. The checks across them are in `facts.py`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sandtable.kernel.data import Provenance

Name = Annotated[str, Meta(min_length=1)]
Small = Annotated[int, Meta(ge=0, le=20)]
Count = Annotated[int, Meta(ge=1, le=99)]
Cost = tuple[Annotated[int, Meta(ge=1, le=30)], ...]
Date = Annotated[str, Meta(pattern=r"^19[34][0-9]-0[17]$")]
Point = tuple[
    Annotated[float, Meta(ge=-90, le=90)],
    Annotated[float, Meta(ge=-180, le=180)],
]
Terrain = Literal["normal", "mountain", "desert", "jungle", "marsh", "tundra"]
Rough = Literal["mountain", "desert", "jungle", "marsh"]
Gauge = Literal["regular", "broad", "change"]
Borders = tuple[tuple[str, str], ...]


class LandZone(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    at: Point
    region: str
    owner: str
    ipp: Small = 0
    terrain: Terrain = "normal"
    impassable: bool = False
    city: bool = False
    objective: bool = False
    island: bool = False
    land: tuple[str, ...] = ()
    air: tuple[str, ...] = ()
    sea: tuple[str, ...] = ()


class SeaZone(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    at: Point
    ocean: Literal["atlantic", "mediterranean", "indian", "pacific"]
    sea: tuple[str, ...]


class Passage(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    between: tuple[str, str]
    zones: Annotated[tuple[str, ...], Meta(min_length=1)]


class Crossing(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    between: tuple[str, str]
    units: Count
    sea_zones: Annotated[tuple[str, ...], Meta(min_length=1)]
    channel: bool = False


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    zone: str
    against: str
    variant: Literal["", "maginot"] = ""


class Routes(Struct, frozen=True, forbid_unknown_fields=True):
    burma_road: tuple[str, str]
    northern_route: tuple[str, str]
    white_sea: str
    seaway: str


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """map.yaml"""

    provenance: dict[str, Provenance]
    regions: dict[str, Small]
    land_zones: dict[str, LandZone]
    sea_zones: dict[str, SeaZone]
    railways: dict[Gauge, Borders]
    rivers: dict[str, Borders]
    border_terrain: dict[Rough, dict[str, tuple[str, ...]]]
    himalayas: Borders
    straits: dict[str, Passage]
    canals: dict[str, Passage]
    crossings: dict[str, Crossing]
    facilities: dict[str, tuple[str, ...]]
    fortified_lines: dict[str, Line]
    special_fortification: tuple[str, ...]
    routes: Routes


class PlayerNation(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    alliance: Literal["axis", "allies", "comintern"]
    kind: Literal["major", "part", "minor"]
    colour: str
    major: str = ""
    capital: str = ""
    home: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()


class MinorPower(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    colour: str
    kind: Literal["minor", "warlord", "faction"] = "minor"
    capital: str = ""
    claims: tuple[str, ...] = ()
    colonies: tuple[str, ...] = ()


class Roster(Struct, frozen=True, forbid_unknown_fields=True):
    """nations.yaml"""

    provenance: dict[str, Provenance]
    order: tuple[tuple[str, ...], ...]
    players: dict[str, PlayerNation]
    minors: dict[str, MinorPower]


class Profile(Struct, frozen=True, forbid_unknown_fields=True, rename={"class_": "class"}):
    """A unit; the fields are those of `facts.UnitType`."""

    name: Name
    class_: Literal["infantry", "vehicle", "artillery", "air", "naval"]
    attack: Small | None
    defense: Small | None
    move: Small
    cost: Cost
    hits: Count = 1
    capital: bool = False
    submarine: bool = False
    transport: bool = False
    first_strike: bool = False
    air_superiority: bool = False
    blitz: Literal["", "alone", "pair", "pair2"] = ""
    target_range: Small = 0
    targets: tuple[Literal["vehicle", "land", "naval", "air"], ...] = ()
    hits_only: tuple[Literal["submarine", "transport", "air"], ...] = ()
    bombard: Small = 0
    supports: bool = False
    ignores: tuple[
        Literal["river", "mountain_attack", "mountain_move", "desert", "amphibious"], ...
    ] = ()
    bonuses: dict[
        Literal["mountain_defense", "jungle_attack", "desert_attack", "airborne_attack"], Count
    ] = {}
    anti_air: Small = 0
    interception: Small = 0
    strategic_dice: Small = 0
    carpet_dice: Small = 0
    carpet_at: Small = 0
    attrition: Small = 0
    range: Small = 0
    patrol: Small = 0
    raid: Small | None = None
    mines: bool = False
    decks: Small = 0
    on_deck: bool = False
    airborne: Small = 0
    lift: Small = 0
    tow: bool = False
    last: bool = False
    free: bool = False
    tech: str = ""
    builders: tuple[str, ...] = ()
    per_turn: Small = 0
    upgrade: dict[str, Count] = {}


class Building(Struct, frozen=True, forbid_unknown_fields=True):
    """A facility; the fields are those of `facts.FacilityType`."""

    name: Name
    group: Literal["factory", "port", "shipyard", "dockyard", "base", "border", "rail"]
    cost: Cost
    max_damage: Small = 0
    upgrade: tuple[str, Count] | None = None
    production: Small = 0
    improved: Small = 0
    ships: Small = 0
    capital: bool = False
    repairs: Small = 0
    supply_limit: Count | None = None
    naval: bool = False
    ship_bonus: Small = 0
    submarine_bonus: Small = 0
    seaplane_bonus: Small = 0
    air_bonus: Small = 0
    scramble: Small = 0
    submarines: Small = 0
    anti_air: bool = True
    major: bool = False


class Pieces(Struct, frozen=True, forbid_unknown_fields=True):
    """units.yaml"""

    provenance: dict[str, Provenance]
    units: dict[str, Profile]
    facilities: dict[str, Building]


class Technology(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    stages: Annotated[tuple[Annotated[int, Meta(ge=1, le=12)], ...], Meta(min_length=1)]


class Technologies(Struct, frozen=True, forbid_unknown_fields=True):
    """technology.yaml"""

    provenance: dict[str, Provenance]
    technologies: dict[str, Technology]


class ConvoyLine(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    ends: tuple[str, str]
    path: Annotated[tuple[str, ...], Meta(min_length=1)]
    values: dict[str, Count]


class Convoys(Struct, frozen=True, forbid_unknown_fields=True):
    """convoys.yaml"""

    provenance: dict[str, Provenance]
    lines: dict[str, ConvoyLine]


class Events(Struct, frozen=True, forbid_unknown_fields=True):
    spain: Literal["", "war", "nationalist", "republican"]
    abyssinia: Literal["war", "italy", "abyssinia"]
    china: Literal["war", "kmt", "ccp"]
    vichy: Literal["none", "active", "aligned", "gone", "refused"]


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    first: Date
    turns: Count
    owners: dict[str, tuple[str, ...]]
    wars: Borders
    control: dict[str, str]
    aligned: dict[str, str]
    pacts: tuple[Literal["molotov_ribbentrop", "japanese_soviet", "chinese_truce"], ...]
    annexed: tuple[str, ...]
    defeated: tuple[str, ...]
    gone: tuple[str, ...]
    events: Events
    head_starts: dict[str, dict[str, Count]]
    production: dict[str, dict[str, Small]]
    facilities: dict[str, tuple[str, ...]]
    units: dict[str, dict[str, dict[str, Count]]]


class Arrival(Struct, frozen=True, forbid_unknown_fields=True):
    date: Date
    nation: str
    zone: str
    units: dict[str, Count]


class Scenarios(Struct, frozen=True, forbid_unknown_fields=True):
    """scenarios.yaml"""

    provenance: dict[str, Provenance]
    scenarios: dict[Literal["1936", "1939"], Scenario]
    reinforcements: tuple[Arrival, ...]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """options.yaml"""

    provenance: dict[str, Provenance]
    switches: tuple[str, ...]
    sets: dict[Literal["basic", "recommended", "everything"], tuple[str, ...]]
