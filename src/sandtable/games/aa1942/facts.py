"""What never changes in a game: the board, the units and the set-ups, read from `data/`.

The tables are plain dicts and tuples of ids, in the order of the data files. Treat them as
read-only: all games with the same data share them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from sandtable.board.borders import check_borders, check_connected
from sandtable.board.graphs import Distances
from sandtable.kernel.data import DataFolder, Document, Key, Provenance
from sandtable.kernel.vocabulary import WORDS

DATA = Path(__file__).parent / "data"

Side = Literal["axis", "allies"]
Domain = Literal["land", "air", "sea", "facility"]

_Name = Annotated[str, Meta(min_length=1)]
_Small = Annotated[int, Meta(ge=0, le=20)]
_Positive = Annotated[int, Meta(ge=1, le=20)]
_Ipcs = Annotated[int, Meta(ge=0, le=999)]
_Count = Annotated[int, Meta(ge=1, le=99)]
_Change = Annotated[int, Meta(ge=-99, le=99)]
_Point = tuple[
    Annotated[float, Meta(ge=-90, le=90)],
    Annotated[float, Meta(ge=-180, le=180)],
]


class UnitType(Struct, frozen=True, cache_hash=True):
    """One kind of unit. An attack, defense or bombard of 0 rolls no die; 0 hits cannot be hit.

    Rules: unit.infantry.stats, unit.artillery.stats, unit.tank.stats, unit.aaa.stats,
        unit.ic.stats, unit.fighter.stats, unit.bomber.stats, unit.battleship.stats,
        unit.carrier.stats, unit.cruiser.stats, unit.destroyer.stats, unit.sub.stats,
        unit.transport.stats
    """

    id: str
    name: str
    domain: Domain
    cost: int
    attack: int
    defense: int
    move: int
    hits: int
    bombard: int
    captures: bool
    blitzes: bool
    warship: bool
    surface: bool


class Space(Struct, frozen=True):
    """A territory or a sea zone; `owner` is the controller at the start and the original one."""

    id: str
    name: str
    label: str
    sea: bool
    ipc: int
    owner: str | None
    neutral: bool
    island: bool
    at: tuple[float, float]


class Numbers(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of the rules that belong to no single unit's profile."""

    die: Annotated[int, Meta(ge=2, le=20)]
    supported_attack: _Small
    infantry_per_artillery: _Small
    aaa_dice_per_gun: _Small
    aaa_hits_on: _Small
    raid_defense_hits_on: _Small
    raid_dice_per_bomber: _Small
    damage_cap_factor: _Small
    repair_cost: _Positive
    complex_min_ipc: _Small
    air_battle_attack: _Small
    air_battle_defense: _Small
    fighters_per_carrier: _Small
    transport_any: _Small
    transport_infantry: _Small
    stranded_move: _Small


Setup = dict[str, dict[str, dict[str, int]]]
"""Space to power to unit type to count."""


@dataclass(frozen=True, slots=True, eq=False)  # by identity: a key of caches, too large to be read
class Facts:
    """Everything that the rules look up. Neutral territories are in `spaces` and nowhere else."""

    powers: tuple[str, ...]
    """In turn order."""
    names: dict[str, str]
    colours: dict[str, str]
    side: dict[str, str]
    allies: dict[str, frozenset[str]]
    """The powers of the same side, the power itself included."""
    enemies: dict[str, frozenset[str]]
    capital: dict[str, str]
    capital_city: dict[str, str]
    units: dict[str, UnitType]
    air: frozenset[str]
    """The types of air units."""
    surface: frozenset[str]
    """The types of surface warships."""
    attacking: frozenset[str]
    defending: frozenset[str]
    """The types of units that have a value to roll against."""
    unit_order: dict[str, int]
    """Type to its place in the unit list."""
    numbers: Numbers
    spaces: dict[str, Space]
    territories: tuple[str, ...]
    sea_zones: tuple[str, ...]
    neighbours: dict[str, tuple[str, ...]]
    """Every border that some unit can cross: by land, by sea (canals included) and at a coast."""
    land_next: dict[str, tuple[str, ...]]
    sea_next: dict[str, tuple[str, ...]]
    coast: dict[str, tuple[str, ...]]
    """A territory's sea zones, and a sea zone's territories."""
    canals: dict[tuple[str, str], tuple[str, ...]]
    """The two zones, in either order, to the territories that control the passage."""
    straits: frozenset[str]
    """Sea zones that the optional rule closes."""
    wrap: tuple[tuple[str, str], ...]
    """Neighbours across the left and right edges of the board."""
    air_distance: Distances
    """Borders to cross from one space to another; only neutral territories are in the way."""
    cities: dict[str, str]
    """The printed victory cities, each with its territory."""
    cities_faq: dict[str, str]
    """The printed cities and those that the FAQ adds."""
    thresholds: dict[str, dict[str, dict[str, int]]]
    """`printed` or `faq`, then `standard` or `total`, then side: the cities needed to win."""
    setups: dict[str, Setup]
    """`boxed` and `tournament`."""
    treasury: dict[str, dict[str, int]]
    """`corrected` and `printed`, then power: the IPCs in hand at the start."""

    def name(self, id: str) -> str:
        """A space or a type of unit within a sentence: `Egypt`, `tank`; what is no id is quoted."""
        if id in self.spaces:
            return self.spaces[id].name
        if id in self.units:
            return self.units[id].name.lower()
        return self.power_name(id) if id in self.names else repr(id)

    def power_name(self, id: str) -> str:
        """A power within a sentence: `the Soviet Union`, `Germany`. Some territories have the same
        id."""
        name = self.names.get(id)
        if name is None:
            return self.name(id)
        return f"the {name}" if " " in name else name


@lru_cache(maxsize=8)
def load_facts(override: Path | None = None) -> Facts:
    """The facts, checked; files in `override` take the place of ours. Raises DataError.

    Cached: the same folder is read once.
    """
    folder = DataFolder(DATA, override)
    board = folder.read("map.yaml", _Board)
    roster = folder.read("units.yaml", _Roster)
    start = folder.read("setup.yaml", _Start)
    for document in (board, roster, start):
        document.check_provenance()
    _check_spaces(board)
    _check_powers(board)
    _check_passages(board)
    _check_victory(board)
    _check_units(roster)
    _check_treasury(start, board.value)

    spaces = _spaces(board.value)
    territories = tuple(id for id, space in spaces.items() if not space.sea and not space.neutral)
    sea_zones = tuple(board.value.sea_zones)
    land_next = {
        id: tuple(other for other in board.value.territories[id].land if other in territories)
        for id in territories
    }
    sea_next = {id: zone.sea for id, zone in board.value.sea_zones.items()}
    coast = {id: board.value.territories[id].sea for id in territories}
    coast |= {
        zone: tuple(id for id in territories if zone in board.value.territories[id].sea)
        for zone in sea_zones
    }
    neighbours = {id: (land_next | sea_next)[id] + coast[id] for id in (*territories, *sea_zones)}
    tables = {id: "sea_zones" if spaces[id].sea else "territories" for id in neighbours}
    check_connected(board, neighbours, tables)

    powers = board.value.powers
    return Facts(
        powers=board.value.turn_order,
        names={id: power.name for id, power in powers.items()},
        colours={id: power.colour for id, power in powers.items()},
        side={id: power.side for id, power in powers.items()},
        allies={
            id: frozenset(o for o in powers if powers[o].side == power.side)
            for id, power in powers.items()
        },
        enemies={
            id: frozenset(o for o in powers if powers[o].side != power.side)
            for id, power in powers.items()
        },
        capital={id: power.capital for id, power in powers.items()},
        capital_city={id: power.capital_city for id, power in powers.items()},
        units={
            id: UnitType(id=id, **msgspec.structs.asdict(profile))
            for id, profile in roster.value.units.items()
        },
        air=frozenset(id for id, profile in roster.value.units.items() if profile.domain == "air"),
        surface=frozenset(id for id, profile in roster.value.units.items() if profile.surface),
        attacking=frozenset(id for id, profile in roster.value.units.items() if profile.attack > 0),
        defending=frozenset(
            id for id, profile in roster.value.units.items() if profile.defense > 0
        ),
        unit_order={id: place for place, id in enumerate(roster.value.units)},
        numbers=roster.value.numbers,
        spaces=spaces,
        territories=territories,
        sea_zones=sea_zones,
        neighbours=neighbours,
        land_next=land_next,
        sea_next=sea_next,
        coast=coast,
        canals={
            pair: canal.controllers
            for canal in board.value.canals.values()
            for pair in (canal.zones, canal.zones[::-1])
        },
        straits=frozenset(board.value.straits),
        wrap=board.value.wrap,
        air_distance=Distances(neighbours),
        cities=board.value.victory_cities,
        cities_faq=board.value.victory_cities | board.value.victory_cities_faq,
        thresholds=msgspec.to_builtins(board.value.victory),
        setups={
            name: _setup(name, start, board.value, roster.value) for name in ("boxed", "tournament")
        },
        treasury=msgspec.to_builtins(start.value.treasury),
    )


# The shapes of the data files.


class _Power(Struct, frozen=True, forbid_unknown_fields=True):
    name: _Name
    side: Side
    colour: _Name
    capital: str
    capital_city: _Name


class _Territory(Struct, frozen=True, forbid_unknown_fields=True):
    name: _Name
    at: _Point
    ipc: Annotated[int, Meta(ge=0, le=99)] = 0
    owner: str | None = None
    neutral: bool = False
    island: bool = False
    land: tuple[str, ...] = ()
    sea: tuple[str, ...] = ()


class _SeaZone(Struct, frozen=True, forbid_unknown_fields=True):
    label: _Name
    sea: tuple[str, ...]
    at: _Point


class _Canal(Struct, frozen=True, forbid_unknown_fields=True):
    zones: tuple[str, str]
    controllers: Annotated[tuple[str, ...], Meta(min_length=1)]


class _Needed(Struct, frozen=True, forbid_unknown_fields=True):
    axis: _Count
    allies: _Count


class _Conditions(Struct, frozen=True, forbid_unknown_fields=True):
    standard: _Needed
    total: _Needed


class _Victory(Struct, frozen=True, forbid_unknown_fields=True):
    printed: _Conditions
    faq: _Conditions


class _Board(Struct, frozen=True, forbid_unknown_fields=True):
    provenance: dict[str, Provenance]
    powers: dict[str, _Power]
    turn_order: tuple[str, ...]
    victory_cities: dict[str, str]
    victory_cities_faq: dict[str, str]
    victory: _Victory
    canals: dict[str, _Canal]
    straits: tuple[str, ...]
    wrap: tuple[tuple[str, str], ...]
    territories: dict[str, _Territory]
    sea_zones: dict[str, _SeaZone]


class _Profile(Struct, frozen=True, forbid_unknown_fields=True):
    name: _Name
    domain: Domain
    cost: Annotated[int, Meta(ge=1, le=99)]
    attack: _Small
    defense: _Small
    move: _Small
    hits: _Small
    bombard: _Small = 0
    captures: bool = False
    blitzes: bool = False
    warship: bool = False
    surface: bool = False


class _Roster(Struct, frozen=True, forbid_unknown_fields=True):
    provenance: dict[str, Provenance]
    units: dict[str, _Profile]
    numbers: Numbers


class _Treasury(Struct, frozen=True, forbid_unknown_fields=True):
    corrected: dict[str, _Ipcs]
    printed: dict[str, _Ipcs]


class _Start(Struct, frozen=True, forbid_unknown_fields=True):
    provenance: dict[str, Provenance]
    treasury: _Treasury
    boxed: dict[str, dict[str, dict[str, _Count]]]
    tournament: dict[str, dict[str, dict[str, _Change]]]


# The units that the rules name, and where these move.
_RULED: dict[str, Domain] = {
    "infantry": "land",
    "artillery": "land",
    "tank": "land",
    "antiaircraft_artillery": "land",
    "industrial_complex": "facility",
    "fighter": "air",
    "bomber": "air",
    "battleship": "sea",
    "aircraft_carrier": "sea",
    "cruiser": "sea",
    "destroyer": "sea",
    "submarine": "sea",
    "transport": "sea",
}


def _check_powers(board: Document[_Board]) -> None:
    powers, territories = board.value.powers, board.value.territories
    for index, id in enumerate(board.value.turn_order):
        board.check_known(id, powers, "power", "turn_order", index)
    if sorted(board.value.turn_order) != sorted(powers):
        raise board.error("expected every power exactly once", "turn_order")
    for id, power in powers.items():
        board.check_known(power.colour, WORDS.colours, "colour", "powers", id, "colour")
        board.check_known(power.capital, territories, "territory", "powers", id, "capital")
        if territories[power.capital].owner != id:
            problem = f"{power.capital} does not belong to {id}"
            raise board.error(problem, "powers", id, "capital")


def _check_spaces(board: Document[_Board]) -> None:
    territories, zones = board.value.territories, board.value.sea_zones
    by_land = {id: territory.land for id, territory in territories.items()}
    by_sea = {id: zone.sea for id, zone in zones.items()}
    for id, territory in territories.items():
        here = ("territories", id)
        if id in zones:
            raise board.error("is a sea zone as well", *here)
        if territory.neutral and (territory.owner is not None or territory.ipc):
            raise board.error("a neutral territory has neither owner nor ipc", *here)
        if not territory.neutral:
            if territory.owner is None:
                raise board.error("missing (or neutral: true)", *here, "owner")
            board.check_known(territory.owner, board.value.powers, "power", *here, "owner")
        board.check_all_known(territory.sea, zones, "sea zone", *here, "sea")
        check_borders(board, id, by_land, *here, "land")
    for id in zones:
        if not re.fullmatch(r"sz[1-9]\d*", id):
            raise board.error("a sea zone's id is sz and its number", "sea_zones", id)
        check_borders(board, id, by_sea, "sea_zones", id, "sea")


def _check_passages(board: Document[_Board]) -> None:
    """Canals, straits and the joined edges are made of borders and spaces that exist."""
    zones, territories = board.value.sea_zones, board.value.territories
    for id, canal in board.value.canals.items():
        here = ("canals", id)
        for index, zone in enumerate(canal.zones):
            board.check_known(zone, zones, "sea zone", *here, "zones", index)
        if canal.zones[1] not in zones[canal.zones[0]].sea:
            raise board.error("the two sea zones are not neighbours", *here, "zones")
        for index, territory in enumerate(canal.controllers):
            _check_playable(board, territory, *here, "controllers", index)
    for index, zone in enumerate(board.value.straits):
        board.check_known(zone, zones, "sea zone", "straits", index)
    borders = {id: t.land for id, t in territories.items()} | {id: z.sea for id, z in zones.items()}
    for index, (left, right) in enumerate(board.value.wrap):
        board.check_known(left, borders, "space", "wrap", index, 0)
        board.check_known(right, borders, "space", "wrap", index, 1)
        if right not in borders[left]:
            raise board.error(f"{left} and {right} are not neighbours", "wrap", index)


def _check_victory(board: Document[_Board]) -> None:
    printed, added = board.value.victory_cities, board.value.victory_cities_faq
    for table, cities in (("victory_cities", printed), ("victory_cities_faq", added)):
        for city, territory in cities.items():
            _check_playable(board, territory, table, city)
    for city in added:
        if city in printed:
            raise board.error("is a printed city as well", "victory_cities_faq", city)
    totals = {"printed": len(printed), "faq": len(printed) + len(added)}
    for cities_in_play, conditions in msgspec.to_builtins(board.value.victory).items():
        for condition, sides in conditions.items():
            for side, needed in sides.items():
                if needed > totals[cities_in_play]:
                    problem = f"there are only {totals[cities_in_play]} cities"
                    raise board.error(problem, "victory", cities_in_play, condition, side)


def _check_units(roster: Document[_Roster]) -> None:
    units, die = roster.value.units, roster.value.numbers.die
    for id, domain in _RULED.items():
        if id not in units:
            raise roster.error("missing", "units", id)
        if units[id].domain != domain:
            raise roster.error(f"the rules need {domain} here", "units", id, "domain")
    for id, unit in units.items():
        here = ("units", id)
        for field in ("attack", "defense", "bombard"):
            if getattr(unit, field) > die:
                raise roster.error(f"the die has only {die} sides", *here, field)
        for field in ("move", "hits"):
            if (getattr(unit, field) == 0) != (unit.domain == "facility"):
                raise roster.error("expected 0 for a facility and more for a unit", *here, field)
        for field, domain in (
            ("captures", "land"),
            ("blitzes", "land"),
            ("bombard", "sea"),
            ("warship", "sea"),
            ("surface", "sea"),
        ):
            if getattr(unit, field) and unit.domain != domain:
                raise roster.error(f"only for {domain} units", *here, field)
        if unit.surface and not unit.warship:
            raise roster.error("only for warships", *here, "surface")
    for field in ("supported_attack", "aaa_hits_on", "raid_defense_hits_on"):
        if getattr(roster.value.numbers, field) > die:
            raise roster.error(f"the die has only {die} sides", "numbers", field)


def _check_treasury(start: Document[_Start], board: _Board) -> None:
    for name, treasury in msgspec.to_builtins(start.value.treasury).items():
        for power in treasury:
            start.check_known(power, board.powers, "power", "treasury", name, power)
        for power in board.powers:
            if power not in treasury:
                raise start.error("missing", "treasury", name, power)


def _spaces(board: _Board) -> dict[str, Space]:
    spaces = {
        id: Space(
            id=id,
            name=territory.name,
            label="",
            sea=False,
            ipc=territory.ipc,
            owner=territory.owner,
            neutral=territory.neutral,
            island=territory.island,
            at=territory.at,
        )
        for id, territory in board.territories.items()
    }
    for id, zone in board.sea_zones.items():
        spaces[id] = Space(
            id=id,
            name=f"Sea Zone {id.removeprefix('sz')}",
            label=zone.label,
            sea=True,
            ipc=0,
            owner=None,
            neutral=False,
            island=False,
            at=zone.at,
        )
    return spaces


def _setup(name: str, start: Document[_Start], board: _Board, roster: _Roster) -> Setup:
    """The named set-up, the tournament's changes applied, every placement checked."""
    for table in ("boxed", "tournament"):
        for power, space, unit, _ in _entries(getattr(start.value, table)):
            start.check_known(power, board.powers, "power", table, power)
            spaces = board.territories | board.sea_zones
            start.check_known(space, spaces, "space", table, power, space)
            start.check_known(unit, roster.units, "unit", table, power, space, unit)
    # Where each count is written, for errors: the change where there is one.
    written: dict[tuple[str, str, str], tuple[str, ...]] = {}
    counts: Counter[tuple[str, str, str]] = Counter()
    for table in ("boxed", "tournament")[: 2 if name == "tournament" else 1]:
        for power, space, unit, count in _entries(getattr(start.value, table)):
            counts[space, power, unit] += count
            written[space, power, unit] = (table, power, space, unit)
            if counts[space, power, unit] < 0:
                problem = "takes away more than the boxed set-up has"
                raise start.error(problem, table, power, space, unit)
    setup: Setup = {}
    for (space, power, unit), count in counts.items():
        if count:
            setup.setdefault(space, {}).setdefault(power, {})[unit] = count
    for space, forces in setup.items():
        for power, units in forces.items():
            for unit, count in units.items():
                fault = _misplaced(space, power, unit, count, board, roster)
                if fault:
                    raise start.error(fault, *written[space, power, unit])
        first = next(iter(forces))
        for power, units in forces.items():
            if board.powers[power].side != board.powers[first].side:
                problem = f"{space} holds units of {first} too, an enemy of {power}"
                raise start.error(problem, *written[space, power, next(iter(units))][:3])
        if space in board.sea_zones:
            fighters = sum(units.get("fighter", 0) for units in forces.values())
            carriers = sum(units.get("aircraft_carrier", 0) for units in forces.values())
            room = carriers * roster.numbers.fighters_per_carrier
            if fighters > room:
                power = next(power for power, units in forces.items() if "fighter" in units)
                problem = f"{fighters} fighters at sea, and room for {room} on carriers there"
                raise start.error(problem, *written[space, power, "fighter"])
    return setup


def _entries(
    table: Mapping[str, Mapping[str, Mapping[str, int]]],
) -> Iterator[tuple[str, str, str, int]]:
    for power, spaces in table.items():
        for space, units in spaces.items():
            for unit, count in units.items():
                yield power, space, unit, count


def _misplaced(
    space: str, power: str, unit: str, count: int, board: _Board, roster: _Roster
) -> str | None:
    """Why these units cannot start in this space, or None."""
    domain = roster.units[unit].domain
    if space in board.sea_zones:
        if domain == "sea" or unit == "fighter":
            return None
        return f"{unit} cannot be at sea"
    territory = board.territories[space]
    if domain == "sea":
        return f"{unit} cannot be on land"
    if territory.owner is None:
        return "nothing can be in a neutral territory"
    if board.powers[territory.owner].side != board.powers[power].side:
        return f"{space} belongs to {territory.owner}, an enemy of {power}"
    if domain == "facility":
        if territory.owner != power:
            return f"{space} belongs to {territory.owner}, not to {power}"
        if count > 1:
            return "more than one in a territory"
        if territory.ipc < roster.numbers.complex_min_ipc:
            return f"{space} has no income for it"
    return None


def _check_playable(board: Document[_Board], id: str, *path: Key) -> None:
    board.check_known(id, board.value.territories, "territory", *path)
    if board.value.territories[id].neutral:
        raise board.error(f"{id} is neutral", *path)
