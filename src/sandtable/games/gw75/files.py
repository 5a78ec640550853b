"""The shapes of the data files: what each may say. The checks across them are in `checks.py`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sandtable.kernel.data import Provenance

Name = Annotated[str, Meta(min_length=1)]
Few = Annotated[int, Meta(ge=0, le=99)]
Count = Annotated[int, Meta(ge=1, le=99)]
Die6 = Annotated[tuple[Few, ...], Meta(min_length=6, max_length=6)]
Fleets = Annotated[str, Meta(pattern="^[0-9]+D?$")]
"""Fleets lost, with D if an attacker is depleted."""
Pairs = tuple[tuple[str, str], ...]
Units = dict[str, Count]


class Hex(Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["land", "coast", "island"]
    country: str
    area: Literal["communications", "ordinary", "undeveloped"]
    name: str = ""


class Grid(Struct, frozen=True, forbid_unknown_fields=True):
    columns: Count
    rows: Count
    weather_above: Few


class Country(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    nation: str


class Canal(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    control: str
    sides: Pairs = ()
    """Hexsides that ships pass only with its leave."""
    between: tuple[tuple[str, ...], ...] = ()
    """If its hex is the canal: the hexes on one side of it, and those on the other."""


class Map(Struct, frozen=True, forbid_unknown_fields=True):
    """map.yaml"""

    provenance: dict[str, Provenance]
    grid: Grid
    hexes: dict[str, Hex]
    mountains: dict[str, Pairs]
    contra_land: Pairs
    contra_naval: Pairs
    contra_duplex: Pairs
    countries: dict[str, Country]
    industry: dict[str, str]
    centers: dict[str, str]
    ports: dict[str, Name]
    waters: dict[str, tuple[str, ...]]
    canals: dict[str, Canal]
    holding_areas: dict[str, Name]


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of the rules by name; the file says what each is."""

    seasons: dict[str, Few]
    fair_allowance: Count
    hex_cost: Count
    undeveloped_cost: Count
    mountain_cost: Count
    strategic_points: Count
    strategic_move: Count
    strategic_move_with_sea: Count
    strategic_left: Count
    strategic_left_with_sea: Count
    sea_transport: Count
    assault_move: Count
    assault_cost: Count
    overrun_differential: Count
    overrun_points: Count
    stack: Count
    fort_points: Count
    fort_stack: Count
    air_defense_stack: Count
    mountain_defense: Count
    spring_defense: Count
    winter_strength: Count
    stand_fast_loss: Count
    stand_fast_turns: Count
    supply_hexes: Count
    supply_undeveloped: Count
    supply_mountains: Count
    unsupplied_phases: Count
    surface_move: Count
    submarine_move: Count
    snort_move: Count
    merchant_move: Count
    amphibious_move: Count
    submarine_range: Count
    snort_from: Count
    snort_defense: Count
    asw_transfer: Count
    lrb_transfer: Count
    carrier_zone: Count
    merchant_range: Count
    submarine_die: tuple[tuple[Few, Few], ...]
    pipeline_step: Count
    pipeline_end: Count
    captured_points: Count
    captured_garrison: Count
    build_more: Count
    build_first_turn: Count
    mode_peace: Count
    mode_ussr: Count
    mode_usa: Count
    italy_from: Count
    italy_until: Count
    usa_enters: Count
    usa_losses: Count
    ussr_losses: Count
    manila_garrison: Count
    manchukuo_garrison: Count
    border_garrison: Count
    violated_garrison: Count
    militia: Count
    militia_per_hex: Count
    finns_entered: Count
    finns_invasion: Count
    minors_yugoslavia: Count
    minors_invasion: Count
    china_per_center: Count
    french_navy_gone: Count
    french_navy_allies: Count


class NumbersFile(Struct, frozen=True, forbid_unknown_fields=True):
    """numbers.yaml"""

    provenance: dict[str, Provenance]
    numbers: Numbers
    places: dict[str, tuple[str, ...]]


class Nation(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    side: Literal["axis", "allies", "neutral"]
    kind: Literal["major", "minor"]
    colour: str = "nobody"


class Nations(Struct, frozen=True, forbid_unknown_fields=True):
    """nations.yaml"""

    provenance: dict[str, Provenance]
    nations: dict[str, Nation]


class UnitType(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    domain: Literal["land", "air", "naval", "marker"]
    attack: Few
    defense: Few
    upkeep: Few = 0


class Cost(Struct, frozen=True, forbid_unknown_fields=True):
    new: tuple[Count, Count]
    rebuilt: tuple[Count, Count] | None = None


class UnitTypes(Struct, frozen=True, forbid_unknown_fields=True):
    """units.yaml"""

    provenance: dict[str, Provenance]
    types: dict[str, UnitType]
    costs: dict[str, Cost]
    undepletion: dict[str, tuple[Count, Count]]


class Turn(Struct, frozen=True, forbid_unknown_fields=True):
    year: Annotated[int, Meta(ge=1939, le=1950)]
    season: Literal["winter", "spring", "summer", "fall"]
    multiples: dict[str, Few]
    modes: dict[int, Few]
    asw: dict[str, Few]
    lrb: dict[str, Few]


class Turns(Struct, frozen=True, forbid_unknown_fields=True):
    """turns.yaml"""

    provenance: dict[str, Provenance]
    turns: dict[int, Turn]


class Tables(Struct, frozen=True, forbid_unknown_fields=True):
    """tables.yaml"""

    provenance: dict[str, Provenance]
    land: dict[int, Die6]
    naval: dict[int, tuple[Fleets, Fleets, Fleets, Fleets, Fleets, Fleets]]
    air_defense: dict[
        int, Annotated[tuple[tuple[Few, Few, Few], ...], Meta(min_length=6, max_length=6)]
    ]
    bombing: dict[int, Die6]


class Due(Struct, frozen=True, forbid_unknown_fields=True):
    nation: str
    due: Count
    units: Units


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    first: Count
    last: Count
    wars: tuple[tuple[str, tuple[str, ...]], ...]
    track: tuple[Due, ...]
    held: dict[str, tuple[str, ...]]
    units: dict[str, dict[str, Units]]
    joined: dict[str, Literal["axis", "allies"]] = {}
    fallen: tuple[str, ...] = ()
    counts: dict[str, Few] = {}
    """What rules remember of the turns before."""


class Automatic(Struct, frozen=True, forbid_unknown_fields=True):
    """A side wins at once when these powers hold none of their home industry any more."""

    powers: tuple[str, ...]
    spared: tuple[str, ...] = ()
    """Countries whose industry does not matter for it."""


class Victory(Struct, frozen=True, forbid_unknown_fields=True):
    industry: Few
    center: Few
    levels: dict[str, dict[int, str]]
    automatic: dict[str, Automatic]


class Scenarios(Struct, frozen=True, forbid_unknown_fields=True):
    """scenarios.yaml"""

    provenance: dict[str, Provenance]
    scenarios: dict[str, Scenario]
    victory: Victory
