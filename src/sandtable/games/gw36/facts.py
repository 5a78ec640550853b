"""What never changes in a game: the board, the nations, the units, the set-ups, read from `data/`.

The tables are plain dicts and tuples of ids, in the order of the data files. Treat them as
read-only: all games with the same data share them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, force_setattr

from sandtable.board.borders import check_borders, check_connected
from sandtable.games.gw36 import files
from sandtable.games.gw36.dates import half_year as half_year
from sandtable.games.gw36.politics import Politics, load_politics
from sandtable.games.gw36.sheets import Sheet, load_sheets
from sandtable.kernel.data import DataFolder, Document, Key
from sandtable.kernel.decisions import shown
from sandtable.kernel.vocabulary import WORDS

DATA = Path(__file__).parent / "data"

Pair = tuple[str, str]
"""Two ids in alphabetical order."""


def pair(one: str, other: str) -> Pair:
    """The two in alphabetical order."""
    return (one, other) if one < other else (other, one)


class Zone(Struct, frozen=True):
    """A land or a sea zone.

    Rules: 0.7a, 1.1a, 1.1b, 1.2a, 1.3a, 3.2a, appB-41a
    """

    id: str
    name: str
    sea: bool
    at: tuple[float, float]
    """Latitude and longitude."""
    number: int = 0
    """Of a sea zone."""
    ocean: str = ""
    """Of a sea zone: atlantic, mediterranean, indian, pacific."""
    region: str = ""
    """Of a land zone: north_america, south_america, europe, middle_east, africa, ussr, asia."""
    ipp: int = 0
    terrain: str = "normal"
    """normal, mountain, desert, jungle, marsh, tundra."""
    impassable: bool = False
    city: bool = False
    objective: bool = False
    """An Objective City."""
    island: bool = False
    owner: str = ""
    """The nation whose roundel is printed on a land zone."""


class UnitType(Struct, frozen=True, cache_hash=True):
    """One kind of unit. An attack or defense of None rolls no die; of 0, one that cannot hit.

    Rules: 12.2.militia-a, 12.2.infantry-a, 12.2.marine-a, 12.2.airborne-a, 12.2.mountain-a,
        12.2.colonial-a, 12.2.cavalry-a, 12.2.motorized-a, 12.2.mechanized-a, 12.2.light-armor-a,
        12.2.medium-armor-a, 12.2.tank-destroyer-a, 12.2.artillery-a, 12.2.sp-artillery-a,
        12.2.aa-a, 12.2.fighter-a, 12.2.tactical-bomber-a, 12.2.medium-bomber-a,
        12.2.strategic-bomber-a, 12.2.air-transport-a, 12.2.seaplane-a, 12.2.battleship-a,
        12.2.fast-battleship-a, 12.2.coastal-defense-ship-a, 12.2.fleet-carrier-a,
        12.2.light-carrier-a, 12.2.battlecruiser-a, 12.2.heavy-cruiser-a, 12.2.light-cruiser-a,
        12.2.destroyer-a, 12.2.tbd-a, 12.2.submarine-a, 12.2.coastal-submarine-a,
        12.2.naval-transport-a, table-12-1a, table-12-1b, table-12-1c, table-12-1d,
        table-9-6a, table-9-6b, table-9-6c, table-9-6d, table-9-6e, table-9-6f, 0.9.unitclass-a,
        0.9.capital-a, 0.9.capital-b, 0.9.surface-a, 0.9.warship-a, 0.9.stratbomb-a, appB-36a,
        7.8.advanced-artillery-a, 7.8.advanced-artillery-b, 7.8.advanced-mech-a,
        7.8.heavy-armor-a, 7.8.heavy-armor-b, 7.8.jet-fighter-a, 7.8.heavy-bomber-a,
        7.8.advanced-sub-a, 7.8.rockets-a, 7.8.heavy-battleship-a, 7.8.heavy-carrier-a,
        7.8.heavy-carrier-b, 7.8.attack-transport-a
    """

    id: str
    name: str
    class_: str
    """infantry, vehicle, artillery, air, naval."""
    attack: int | None
    defense: int | None
    move: int
    cost: tuple[int, ...]
    """The instalments; empty: cannot be built."""
    hits: int = 1
    capital: bool = False
    """A Capital Ship."""
    submarine: bool = False
    transport: bool = False
    first_strike: bool = False
    air_superiority: bool = False
    blitz: str = ""
    """alone (may lead a blitz), pair (1:1 with armor), pair2 (2:1), or empty."""
    target_range: int = 0
    """The highest face with which it selects its target; 0: never."""
    targets: tuple[str, ...] = ()
    """What it may select: vehicle, land, naval, air."""
    hits_only: tuple[str, ...] = ()
    """What alone it can hit (seaplane: submarine, transport; anti-aircraft: air)."""
    bombard: int = 0
    supports: bool = False
    """Artillery that gives one infantry-class unit +1 Attack."""
    ignores: tuple[str, ...] = ()
    """river, mountain_attack, mountain_move, desert, amphibious (no double casualties)."""
    bonuses: tuple[tuple[str, int], ...] = ()
    """mountain_defense, jungle_attack, desert_attack, airborne_attack, and by how much."""
    anti_air: int = 0
    """Shots of anti-aircraft artillery in the first round."""
    interception: int = 0
    strategic_dice: int = 0
    carpet_dice: int = 0
    carpet_at: int = 0
    attrition: int = 0
    range: int = 0
    """Of a rocket."""
    patrol: int = 0
    """The range of Maritime Air Patrol; 0: none."""
    raid: int | None = None
    """The raiding modifier of submarines and aircraft; None: does not raid (but see 9.12)."""
    mines: bool = False
    decks: int = 0
    """Aircraft that a carrier holds."""
    on_deck: bool = False
    """May land on a carrier."""
    airborne: int = 0
    """Airborne infantry that an aircraft carries into an assault."""
    lift: int = 0
    """Infantry-class units that an air transport carries in non-combat movement."""
    tow: bool = False
    """Motorized infantry: lets artillery and anti-aircraft artillery move 2."""
    last: bool = False
    """Taken last as a casualty."""
    free: bool = False
    """Needs no factory to be placed."""
    tech: str = ""
    """The technology without which it cannot be built."""
    builders: tuple[str, ...] = ()
    """Who alone may build it; empty: whoever has it on the sheet."""
    per_turn: int = 0
    """At most so many may be bought in a turn; 0: no limit."""
    upgrade: tuple[tuple[str, int], ...] = ()
    """What it can be upgraded to, at what cost."""

    # These follow from the others, and are asked for all the time.
    land: bool = False
    air: bool = False
    naval: bool = False
    surface: bool = False
    """A surface ship: any naval vessel that is not a submarine (0.9)."""
    warship: bool = False
    """A surface ship that has an Attack value, be it 0 (0.9)."""

    def __post_init__(self) -> None:
        naval = self.class_ == "naval"
        surface = naval and not self.submarine
        force_setattr(self, "land", self.class_ in ("infantry", "vehicle", "artillery"))
        force_setattr(self, "air", self.class_ == "air")
        force_setattr(self, "naval", naval)
        force_setattr(self, "surface", surface)
        force_setattr(self, "warship", surface and self.attack is not None)


class FacilityType(Struct, frozen=True):
    """One kind of facility.

    Rules: 12.3b, 12.7c, 12.10c, table-12-2a, table-12-2c, table-12-2e, table-12-2h
    """

    id: str
    name: str
    group: str
    """factory, port, shipyard, dockyard, base, border (fortification, coastal artillery), rail."""
    cost: tuple[int, ...]
    max_damage: int = 0
    """0: cannot be damaged."""
    upgrade: tuple[str, int] | None = None
    production: int = 0
    improved: int = 0
    """What Improved Factories or Improved Construction adds."""
    ships: int = 0
    capital: bool = False
    repairs: int = 0
    supply_limit: int | None = None
    """The most IPPs that lend-lease can carry through it; None: no limit."""
    naval: bool = False
    """A naval facility: Port, Shipyard or Dockyard."""
    ship_bonus: int = 0
    submarine_bonus: int = 0
    seaplane_bonus: int = 0
    air_bonus: int = 0
    scramble: int = 0
    submarines: int = 0
    """Submarines that can be placed at it in a turn."""
    anti_air: bool = True
    major: bool = False


class Technology(Struct, frozen=True):
    id: str
    name: str
    stages: tuple[int, ...]
    """The lowest face that passes each stage."""


class Nation(Struct, frozen=True):
    """A player nation or a Minor Power."""

    id: str
    name: str
    player: bool
    alliance: str = ""
    """axis, allies, comintern; of a Minor Power: empty."""
    kind: str = "minor"
    """major, part (of the Commonwealth), minor, warlord, faction (Spanish)."""
    major: str = ""
    """The Major Power that it is (part of): great_britain for FEC and ANZAC; empty for minors."""
    colour: str = ""
    capital: str = ""
    home: frozenset[str] = frozenset()
    """Its Home Country."""
    zones: tuple[str, ...] = ()
    """The land zones with its printed roundel."""
    colonies: frozenset[str] = frozenset()
    """Those of a Minor Power outside its Home Country."""


class Passage(Struct, frozen=True):
    """A strait or a canal (Tables 1-1 and 1-2).

    Rules: 1.15p
    """

    id: str
    name: str
    canal: bool
    between: Pair
    """Two sea zones. A strait lies on their border; a canal is the only way between them."""
    zones: tuple[str, ...]
    """The controlling land zones."""


class Crossing(Struct, frozen=True):
    """A narrow crossing (1.20).

    Rules: 1.21a
    """

    id: str
    name: str
    between: Pair
    units: int
    sea_zones: tuple[str, ...]
    channel: bool = False
    """A Channel Port (1.21)."""


class ConvoyLine(Struct, frozen=True):
    """A convoy line.

    Rules: 1.6a
    """

    id: str
    name: str
    ends: tuple[str, str]
    path: tuple[str, ...]
    """Sea zones in order."""
    values: tuple[tuple[str, int], ...]
    """What each nation can lose on it in a calendar turn."""


class Placement(Struct, frozen=True):
    """Units of a set-up."""

    nation: str
    zone: str
    units: tuple[tuple[str, int], ...]


class Scenario(Struct, frozen=True):
    """A scenario as it starts.

    Rules: 2.1a, 2.1b, 2.1c, 2.1d, 2.1e, table-4-1a, table-4-1b, table-4-1c, table-4-6b
    """

    id: str
    first: int
    """Date of the first turn (half-years)."""
    turns: int
    owners: dict[str, str]
    """Land zone to its possessor at the start."""
    units: tuple[Placement, ...]
    """Player nations and minors; ships stand in sea zones."""
    facilities: tuple[tuple[str, str, str], ...]
    """Zone, type, where (sea zone or neighbouring zone)."""
    production: tuple[tuple[str, str, int], ...]
    """Nation, unit, instalments left."""
    wars: tuple[Pair, ...]
    control: dict[str, str]
    aligned: dict[str, str]
    pacts: tuple[str, ...]
    head_starts: dict[tuple[str, str], int]
    annexed: tuple[str, ...]
    """Zones."""
    defeated: tuple[str, ...]
    gone: tuple[str, ...]
    """Minors that are not in this scenario."""
    spain: str
    abyssinia: str
    china: str
    vichy: str
    """How the events stand, in the words of `model.State`."""


class Reinforcement(Struct, frozen=True):
    """Neutral forces that appear at the start of a calendar turn (6.1)."""

    date: int
    nation: str
    zone: str
    units: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """Everything that the rules look up.

    Rules: 0.8b, 1.1c, 1.14a, 6.1a
    """

    powers: tuple[str, ...]
    """The twelve player nations, in the order of play."""
    order: tuple[tuple[str, ...], ...]
    """Table 6-1: the nations that share each national turn."""
    nations: dict[str, Nation]
    names: dict[str, str]
    """Of everything that has an id: zones, nations, units, facilities, technologies, passages,
    crossings, convoy lines."""
    zones: dict[str, Zone]
    land: tuple[str, ...]
    sea: tuple[str, ...]
    neighbours: dict[str, tuple[str, ...]]
    """Every border that aircraft can cross; canals are none."""
    land_next: dict[str, tuple[str, ...]]
    """Land borders that land units can cross, into zones that are not impassable."""
    sea_next: dict[str, tuple[str, ...]]
    """Sea borders, straits included, and the two ends of each canal."""
    coast: dict[str, tuple[str, ...]]
    """A land zone's sea zones, and a sea zone's land zones."""
    himalayas: frozenset[Pair]
    """Borders that lie in the Himalayas: aircraft only."""
    river: frozenset[tuple[str, str]]
    """(from, into): whoever attacks that way crosses a river."""
    rivers: dict[Pair, str]
    """Borders along or across which a river leads, with its name: ways for supply and rail."""
    border_terrain: dict[tuple[str, str], str]
    """(from, into): terrain that whoever enters that way crosses."""
    railways: dict[Pair, str]
    """At the start: regular, broad, change."""
    passages: dict[str, Passage]
    passage: dict[Pair, str]
    """Two sea zones to the passage between them."""
    crossings: dict[str, Crossing]
    lines: dict[str, ConvoyLine]
    lines_at: dict[str, tuple[str, ...]]
    """Sea zone to the convoy lines that run through it."""
    burma_road: Pair
    northern_route: Pair
    white_sea: str
    """The passage that is the Baltic-White Sea Canal."""
    seaway: str
    """The passage that is the St. Lawrence Seaway."""
    special_fortification: frozenset[str]
    """Zones that a single fortification or coastal artillery covers on all sides (12.8)."""
    units: dict[str, UnitType]
    facilities: dict[str, FacilityType]
    technologies: dict[str, Technology]
    scenarios: dict[str, Scenario]
    reinforcements: tuple[Reinforcement, ...]
    rail_capacity: dict[str, int]
    """Region to units per nation and turn."""

    sheets: dict[str, Sheet]
    """The National Reference Sheet of each player nation."""
    politics: Politics
    sets: dict[str, frozenset[str]]
    """The sets of optional rules (basic, recommended, everything) to what they turn on."""

    def name(self, id: str) -> str:
        """The name of whatever has that id; what is no id is quoted."""
        return self.names.get(id) or (shown(id) if id else "")


@lru_cache(maxsize=8)
def load_facts(override: Path | None = None) -> Facts:
    """The facts, checked; files in `override` take the place of ours. Raises DataError.

    Cached: the same folder is read once.
    """
    folder = DataFolder(DATA, override)
    board = folder.read("map.yaml", files.Board)
    roster = folder.read("nations.yaml", files.Roster)
    pieces = folder.read("units.yaml", files.Pieces)
    research = folder.read("technology.yaml", files.Technologies)
    convoys = folder.read("convoys.yaml", files.Convoys)
    start = folder.read("scenarios.yaml", files.Scenarios)
    optional = folder.read("options.yaml", files.Options)
    documents: tuple[Document[Any], ...] = (
        board,
        roster,
        pieces,
        research,
        convoys,
        start,
        optional,
    )
    for document in documents:
        document.check_provenance()
    nations = {**roster.value.players, **roster.value.minors}
    _check_zones(board, nations)
    _check_features(board)
    _check_nations(roster, board.value)
    _check_pieces(pieces, research.value, nations)
    _check_options(optional)
    neighbours = {
        **{id: zone.land + zone.air + zone.sea for id, zone in board.value.land_zones.items()},
        **{id: zone.sea + _coast(board.value, id) for id, zone in board.value.sea_zones.items()},
    }
    tables = dict.fromkeys(board.value.land_zones, "land_zones")
    tables |= dict.fromkeys(board.value.sea_zones, "sea_zones")
    check_connected(board, neighbours, tables)
    passages = _passages(board.value)
    passage = {pair(*one.between): id for id, one in passages.items()}
    sea_next = {
        id: zone.sea
        + tuple(
            one.between[one.between[0] == id]
            for one in passages.values()
            if one.canal and id in one.between
        )
        for id, zone in board.value.sea_zones.items()
    }
    _check_lines(convoys, board.value, sea_next, nations)
    special = _special_fortification(board.value, roster.value)
    _check_printed(board, pieces.value, special)
    scenarios = {
        str(id): _scenario(str(id), start, board.value, roster.value, pieces.value, special)
        for id in start.value.scenarios
    }
    _check_head_starts(start, research.value, roster.value)
    lines = {
        id: ConvoyLine(id, line.name, line.ends, line.path, tuple(line.values.items()))
        for id, line in convoys.value.lines.items()
    }
    facts = Facts(
        powers=tuple(nation for group in roster.value.order for nation in group),
        order=roster.value.order,
        nations=_nations(board.value, roster.value),
        names={},
        zones=_zones(board.value),
        land=tuple(board.value.land_zones),
        sea=tuple(board.value.sea_zones),
        neighbours=neighbours,
        land_next={
            id: ()
            if zone.impassable
            else tuple(other for other in zone.land if not board.value.land_zones[other].impassable)
            for id, zone in board.value.land_zones.items()
        },
        sea_next=sea_next,
        coast={
            **{id: zone.sea for id, zone in board.value.land_zones.items()},
            **{id: _coast(board.value, id) for id in board.value.sea_zones},
        },
        himalayas=frozenset(pair(*border) for border in board.value.himalayas),
        river=frozenset(
            way
            for borders in board.value.rivers.values()
            for one, other in borders
            for way in ((one, other), (other, one))
        ),
        rivers={
            pair(*border): name
            for name, borders in board.value.rivers.items()
            for border in borders
        },
        border_terrain={
            (origin, into): terrain
            for terrain, zones in board.value.border_terrain.items()
            for into, origins in zones.items()
            for origin in origins
        },
        railways={
            pair(*border): gauge
            for gauge, borders in board.value.railways.items()
            for border in borders
        },
        passages=passages,
        passage=passage,
        crossings={
            id: Crossing(id, one.name, pair(*one.between), one.units, one.sea_zones, one.channel)
            for id, one in board.value.crossings.items()
        },
        lines=lines,
        lines_at={
            zone: tuple(id for id, line in lines.items() if zone in line.path)
            for zone in board.value.sea_zones
        },
        burma_road=pair(*board.value.routes.burma_road),
        northern_route=pair(*board.value.routes.northern_route),
        white_sea=board.value.routes.white_sea,
        seaway=board.value.routes.seaway,
        special_fortification=special,
        units={id: _unit(id, unit) for id, unit in pieces.value.units.items()},
        facilities={
            id: FacilityType(id=id, **asdict(facility))
            for id, facility in pieces.value.facilities.items()
        },
        technologies={
            id: Technology(id, one.name, one.stages)
            for id, one in research.value.technologies.items()
        },
        scenarios=scenarios,
        reinforcements=tuple(_reinforcements(start, board.value, roster.value, pieces.value)),
        rail_capacity=board.value.regions,
        sheets=load_sheets(
            folder,
            powers=roster.value.players,
            nations=nations,
            zones=neighbours,
            units=pieces.value.units,
            facilities=pieces.value.facilities,
            lines=lines,
        ),
        politics=load_politics(
            folder,
            powers=roster.value.players,
            nations=nations,
            zones=neighbours,
            units=pieces.value.units,
            lines=lines,
            passages=passages,
        ),
        sets={str(id): frozenset(switches) for id, switches in optional.value.sets.items()},
    )
    for table in (
        facts.zones,
        facts.nations,
        facts.technologies,
        facts.units,
        facts.facilities,
        facts.passages,
        facts.crossings,
        facts.lines,
    ):
        facts.names.update((id, thing.name) for id, thing in table.items())
    return facts


# The checks.


def _check_zones(board: Document[files.Board], nations: Mapping[str, Any]) -> None:
    """Zones have regions and owners that exist, and borders that both sides know."""
    land, sea = board.value.land_zones, board.value.sea_zones
    by_land = {id: zone.land for id, zone in land.items()}
    by_air = {id: zone.air for id, zone in land.items()}
    by_sea = {id: zone.sea for id, zone in sea.items()}
    for id, zone in land.items():
        here = ("land_zones", id)
        if id in sea:
            raise board.error("is a sea zone as well", *here)
        board.check_known(zone.region, board.value.regions, "region", *here, "region")
        board.check_known(zone.owner, nations, "nation", *here, "owner")
        board.check_all_known(zone.sea, sea, "sea zone", *here, "sea")
        check_borders(board, id, by_land, *here, "land")
        check_borders(board, id, by_air, *here, "air")
        for index, other in enumerate(zone.air):
            if other in zone.land:
                raise board.error(f"{other} is a neighbour by land as well", *here, "air", index)
    for id in sea:
        if not re.fullmatch(r"sz_\d{3}", id):
            raise board.error("a sea zone's id is sz_ and three digits", "sea_zones", id)
        check_borders(board, id, by_sea, "sea_zones", id, "sea")


def _check_features(board: Document[files.Board]) -> None:
    """Railways, rivers, terrain, passages and routes lie where there is a border for them."""
    value = board.value
    land, sea = value.land_zones, value.sea_zones
    for table, features in (("railways", value.railways), ("rivers", value.rivers)):
        seen: dict[Pair, str] = {}
        for name, borders in features.items():
            for index, border in enumerate(borders):
                _check_border(board, border, table, name, index)
                if pair(*border) in seen:
                    problem = f"stands under {seen[pair(*border)]} as well"
                    raise board.error(problem, table, name, index)
                seen[pair(*border)] = name
    for terrain, zones in value.border_terrain.items():
        for into, origins in zones.items():
            for index, origin in enumerate(origins):
                _check_border(
                    board, (origin, into), "border_terrain", terrain, into, index, key=into
                )
    for index, (one, other) in enumerate(value.himalayas):
        board.check_known(one, land, "land zone", "himalayas", index, 0)
        if other not in land[one].air:
            raise board.error(f"no air border between {one} and {other}", "himalayas", index)
    for table, passages in (("straits", value.straits), ("canals", value.canals)):
        for id, passage in passages.items():
            here = (table, id)
            for index, zone in enumerate(passage.between):
                board.check_known(zone, sea, "sea zone", *here, "between", index)
            one, other = passage.between
            if (other in sea[one].sea) != (table == "straits"):
                problem = "are no neighbours" if table == "straits" else "are neighbours as it is"
                raise board.error(f"{one} and {other} {problem}", *here, "between")
            board.check_all_known(passage.zones, land, "land zone", *here, "zones")
    for id, crossing in value.crossings.items():
        here = ("crossings", id)
        for index, zone in enumerate(crossing.between):
            board.check_known(zone, land, "land zone", *here, "between", index)
        one, other = crossing.between
        if other in land[one].land:
            raise board.error(f"{one} and {other} are neighbours by land", *here, "between")
        board.check_all_known(crossing.sea_zones, sea, "sea zone", *here, "sea_zones")
    board.check_all_known(value.special_fortification, land, "land zone", "special_fortification")
    for id, line in value.fortified_lines.items():
        _check_border(board, (line.against, line.zone), "fortified_lines", id)
    one, other = value.routes.burma_road
    board.check_known(one, land, "land zone", "routes", "burma_road", 0)
    if other not in land[one].air:
        raise board.error(f"no air border between {one} and {other}", "routes", "burma_road")
    for index, zone in enumerate(value.routes.northern_route):
        board.check_known(zone, sea, "sea zone", "routes", "northern_route", index)
    for field in ("white_sea", "seaway"):
        board.check_known(getattr(value.routes, field), value.canals, "canal", "routes", field)


def _check_border(
    board: Document[files.Board], border: tuple[str, str], *path: Key, key: str = ""
) -> None:
    """The two zones exist and are neighbours by land; `key` stands as a key in the file."""
    land = board.value.land_zones
    for zone in border:
        board.check_known(zone, land, "land zone", *(path[:-1] if zone == key else path))
    if border[1] not in land[border[0]].land:
        raise board.error(f"{border[0]} and {border[1]} are not neighbours by land", *path)


def _check_nations(roster: Document[files.Roster], board: files.Board) -> None:
    """The order names every player nation once, and what nations call their own is theirs."""
    players, minors = roster.value.players, roster.value.minors
    land = board.land_zones
    for index, group in enumerate(roster.value.order):
        roster.check_all_known(group, players, "player nation", "order", index)
    if sorted(nation for group in roster.value.order for nation in group) != sorted(players):
        raise roster.error("expected every player nation exactly once", "order")
    for id, player in players.items():
        here = ("players", id)
        if (player.kind == "minor") != (not player.major):
            raise roster.error("only for a Major Power or a part of one", *here, "major")
        if player.major:
            roster.check_known(player.major, players, "nation", *here, "major")
    for id, minor in minors.items():
        if id in players:
            raise roster.error("is a player nation as well", "minors", id)
        _check_own(roster, board, id, minor.colonies, "minors", id, "colonies")
    for table, nations in (("players", players), ("minors", minors)):
        for id, nation in nations.items():
            here = (table, id)
            roster.check_known(nation.colour, WORDS.colours, "colour", *here, "colour")
            _check_own(roster, board, id, getattr(nation, "home", ()), *here, "home")
            roster.check_all_known(nation.claims, land, "land zone", *here, "claims")
            if nation.capital:
                roster.check_known(nation.capital, land, "land zone", *here, "capital")


def _check_own(
    roster: Document[files.Roster],
    board: files.Board,
    nation: str,
    zones: tuple[str, ...],
    *path: Key,
) -> None:
    roster.check_all_known(zones, board.land_zones, "land zone", *path)
    for index, zone in enumerate(zones):
        owner = board.land_zones[zone].owner
        if owner != nation:
            raise roster.error(f"{zone} is a zone of {owner}", *path, index)


def _check_pieces(
    pieces: Document[files.Pieces], research: files.Technologies, nations: Mapping[str, Any]
) -> None:
    units, facilities = pieces.value.units, pieces.value.facilities
    for id, unit in units.items():
        here = ("units", id)
        if unit.tech:
            pieces.check_known(unit.tech, research.technologies, "technology", *here, "tech")
        pieces.check_all_known(unit.builders, nations, "nation", *here, "builders")
        for other in unit.upgrade:
            pieces.check_known(other, units, "unit", *here, "upgrade", other)
        for field in ("capital", "submarine", "transport", "bombard", "decks"):
            if getattr(unit, field) and unit.class_ != "naval":
                raise pieces.error("only for ships", *here, field)
        for field in ("on_deck", "airborne", "lift", "patrol", "air_superiority"):
            if getattr(unit, field) and unit.class_ != "air":
                raise pieces.error("only for aircraft", *here, field)
    for id, facility in facilities.items():
        if id in units:
            raise pieces.error("is a unit as well", "facilities", id)
        if facility.upgrade:
            other = facility.upgrade[0]
            pieces.check_known(other, facilities, "facility", "facilities", id, "upgrade", 0)


def _check_options(optional: Document[files.Options]) -> None:
    switches = optional.value.switches
    optional.check_distinct(switches, "switches")
    for name in ("basic", "recommended", "everything"):
        if name not in optional.value.sets:
            raise optional.error("missing", "sets", name)
    for name, chosen in optional.value.sets.items():
        optional.check_all_known(chosen, switches, "optional rule", "sets", name)


def _check_lines(
    convoys: Document[files.Convoys],
    board: files.Board,
    sea_next: Mapping[str, tuple[str, ...]],
    nations: Mapping[str, Any],
) -> None:
    """Each line runs from sea zone to neighbouring sea zone, and ends where it says."""
    for id, line in convoys.value.lines.items():
        here = ("lines", id)
        convoys.check_all_known(line.path, board.sea_zones, "sea zone", *here, "path")
        for index, (one, other) in enumerate(pairwise(line.path)):
            if other not in sea_next[one]:
                problem = f"{one} and {other} are not neighbours"
                raise convoys.error(problem, *here, "path", index + 1)
        for index, (end, zone) in enumerate(
            zip(line.ends, (line.path[0], line.path[-1]), strict=True)
        ):
            convoys.check_known(end, {**board.land_zones, **sea_next}, "zone", *here, "ends", index)
            if end != zone and zone not in (
                board.land_zones[end].sea if end in board.land_zones else ()
            ):
                raise convoys.error(f"{end} is not at {zone}", *here, "ends", index)
        for nation in line.values:
            convoys.check_known(nation, nations, "nation", *here, "values", nation)


def _check_printed(
    board: Document[files.Board], pieces: files.Pieces, special: frozenset[str]
) -> None:
    for zone, entries in board.value.facilities.items():
        board.check_known(zone, board.value.land_zones, "land zone", "facilities", zone)
        board.check_distinct(entries, "facilities", zone)
        for index, entry in enumerate(entries):
            _check_facility(
                board, board.value, pieces, special, zone, entry, "facilities", zone, index
            )


def _check_facility(
    document: Document[Any],
    board: files.Board,
    pieces: files.Pieces,
    special: frozenset[str],
    zone: str,
    entry: str,
    *path: Key,
) -> None:
    """A facility is of a known type and stands at a sea zone or border that its zone has."""
    type, _, at = entry.partition(" ")
    document.check_known(type, pieces.facilities, "facility", *path)
    facility, place = pieces.facilities[type], board.land_zones[zone]
    if facility.group == "rail":
        raise document.error("railways have a table of their own", *path)
    if facility.naval:
        allowed: tuple[str, ...] = place.sea
    elif facility.group == "border":
        allowed = ("",) if zone in special else place.sea + place.land
    else:
        allowed = ("", *(place.sea if type in ("seaplane_base", "submarine_base") else ()))
    if at not in allowed:
        problem = f"{at} is not beside {zone}" if at else "does not say at which border or sea zone"
        raise document.error(problem, *path)


def _check_head_starts(
    start: Document[files.Scenarios], research: files.Technologies, roster: files.Roster
) -> None:
    for id, scenario in start.value.scenarios.items():
        for nation, stages in scenario.head_starts.items():
            here = ("scenarios", id, "head_starts", nation)
            start.check_known(nation, roster.players, "player nation", *here)
            for tech, reached in stages.items():
                start.check_known(tech, research.technologies, "technology", *here, tech)
                if reached > len(research.technologies[tech].stages):
                    raise start.error("has not so many stages", *here, tech)


# The tables.


def _coast(board: files.Board, sea: str) -> tuple[str, ...]:
    return tuple(id for id, zone in board.land_zones.items() if sea in zone.sea)


def _zones(board: files.Board) -> dict[str, Zone]:
    zones = {
        id: Zone(
            id=id,
            name=zone.name,
            sea=False,
            at=zone.at,
            region=zone.region,
            ipp=zone.ipp,
            terrain=zone.terrain,
            impassable=zone.impassable,
            city=zone.city,
            objective=zone.objective,
            island=zone.island,
            owner=zone.owner,
        )
        for id, zone in board.land_zones.items()
    }
    for id, zone in board.sea_zones.items():
        number = int(id.removeprefix("sz_"))
        zones[id] = Zone(
            id=id, name=zone.name, sea=True, at=zone.at, number=number, ocean=zone.ocean
        )
    return zones


def _nations(board: files.Board, roster: files.Roster) -> dict[str, Nation]:
    """All nations; the Home Country of a Minor Power is its zones without colonies and islands.

    Rules: 0.9.home-a, 0.9.home-b, 0.9.nation-a, 0.9.commonwealth-a, nrs-usa-c, appB-42a
    """
    zones: dict[str, list[str]] = {}
    for id, zone in board.land_zones.items():
        zones.setdefault(zone.owner, []).append(id)
    nations = {
        id: Nation(
            id=id,
            name=player.name,
            player=True,
            alliance=player.alliance,
            kind=player.kind,
            major=player.major,
            colour=player.colour,
            capital=player.capital,
            home=frozenset(player.home + player.claims),
            zones=tuple(zones.get(id, ())),
        )
        for id, player in roster.players.items()
    }
    islands = {id for id, zone in board.land_zones.items() if zone.island}
    for id, minor in roster.minors.items():
        own = tuple(zones.get(id, ()))
        away = {*minor.colonies, *islands} - {minor.capital}
        nations[id] = Nation(
            id=id,
            name=minor.name,
            player=False,
            kind=minor.kind,
            colour=minor.colour,
            capital=minor.capital,
            home=frozenset((*own, *minor.claims)) - away,
            zones=own,
            colonies=frozenset(minor.colonies),
        )
    return nations


def _passages(board: files.Board) -> dict[str, Passage]:
    return {
        id: Passage(id, one.name, canal, pair(*one.between), one.zones)
        for canal, table in ((False, board.straits), (True, board.canals))
        for id, one in table.items()
    }


def _special_fortification(board: files.Board, roster: files.Roster) -> frozenset[str]:
    """Cities, islands outside the Home Country of a Major Power, and the zones that are named.

    Rules: 12.8b
    """
    homes = {zone for one in roster.players.values() if one.major for zone in one.home}
    return frozenset(board.special_fortification) | {
        id
        for id, zone in board.land_zones.items()
        if zone.city or (zone.island and id not in homes)
    }


def _unit(id: str, profile: files.Profile) -> UnitType:
    fields = asdict(profile)
    fields["bonuses"] = tuple(profile.bonuses.items())
    fields["upgrade"] = tuple(profile.upgrade.items())
    return UnitType(id=id, **fields)


def _scenario(
    id: str,
    start: Document[files.Scenarios],
    board: files.Board,
    roster: files.Roster,
    pieces: files.Pieces,
    special: frozenset[str],
) -> Scenario:
    """A scenario, every placement checked."""
    here: tuple[Key, ...] = ("scenarios", id)
    scenario = start.value.scenarios[id]  # type: ignore[index]
    nations: dict[str, Any] = {**roster.players, **roster.minors}
    owners = {zone: place.owner for zone, place in board.land_zones.items()}
    for owner, zones in scenario.owners.items():
        start.check_known(owner, nations, "nation", *here, "owners", owner)
        start.check_all_known(zones, owners, "land zone", *here, "owners", owner)
        owners.update(dict.fromkeys(zones, owner))
    for index, war in enumerate(scenario.wars):
        for side, nation in enumerate(war):
            start.check_known(nation, nations, "nation", *here, "wars", index, side)
    for table in ("control", "aligned"):
        for minor, power in getattr(scenario, table).items():
            start.check_known(minor, roster.minors, "Minor Power", *here, table, minor)
            start.check_known(power, roster.players, "player nation", *here, table, minor)
    start.check_all_known(scenario.annexed, board.land_zones, "land zone", *here, "annexed")
    for table in ("defeated", "gone"):
        start.check_all_known(getattr(scenario, table), roster.minors, "Minor Power", *here, table)
    for nation, jobs in scenario.production.items():
        start.check_known(nation, roster.players, "player nation", *here, "production", nation)
        for unit, left in jobs.items():
            where = (*here, "production", nation, unit)
            start.check_known(unit, pieces.units, "unit", *where)
            if left > len(pieces.units[unit].cost):
                raise start.error("has not so many instalments", *where)
    facilities: list[tuple[str, str, str]] = []
    for table_at, table_of in (((), board.facilities), (here, scenario.facilities)):
        for zone, entries in table_of.items():
            if table_at:
                start.check_known(zone, board.land_zones, "land zone", *here, "facilities", zone)
            for index, entry in enumerate(entries):
                if table_at:
                    where = (*here, "facilities", zone, index)
                    _check_facility(start, board, pieces, special, zone, entry, *where)
                type, _, at = entry.partition(" ")
                facilities.append((zone, type, at))
    for line in board.fortified_lines.values():
        facilities.append((line.zone, line.variant or "fortification", line.against))
    units = []
    for nation, placements in scenario.units.items():
        start.check_known(nation, nations, "nation", *here, "units", nation)
        if nation in scenario.gone:
            raise start.error("is not in this scenario", *here, "units", nation)
        for zone, force in placements.items():
            where = (*here, "units", nation, zone)
            _check_force(start, board, roster, pieces, owners, nation, zone, force, *where)
            units.append(Placement(nation, zone, tuple(force.items())))
    return Scenario(
        id=id,
        first=half_year(scenario.first),
        turns=scenario.turns,
        owners=owners,
        units=tuple(units),
        facilities=tuple(facilities),
        production=tuple(
            (nation, unit, left)
            for nation, jobs in scenario.production.items()
            for unit, left in jobs.items()
        ),
        wars=tuple(sorted(pair(*war) for war in scenario.wars)),
        control=scenario.control,
        aligned=scenario.aligned,
        pacts=scenario.pacts,
        head_starts={
            (nation, tech): stages
            for nation, techs in scenario.head_starts.items()
            for tech, stages in techs.items()
        },
        annexed=scenario.annexed,
        defeated=scenario.defeated,
        gone=scenario.gone,
        spain=scenario.events.spain,
        abyssinia=scenario.events.abyssinia,
        china=scenario.events.china,
        vichy=scenario.events.vichy,
    )


def _check_force(
    start: Document[files.Scenarios],
    board: files.Board,
    roster: files.Roster,
    pieces: files.Pieces,
    owners: Mapping[str, str],
    nation: str,
    zone: str,
    force: Mapping[str, int],
    *path: Key,
) -> None:
    """Ships and carrier aircraft stand at sea, all else on land that is the nation's own."""
    zones = {**board.land_zones, **board.sea_zones}
    start.check_known(zone, zones, "zone", *path)
    at_sea = zone in board.sea_zones
    for unit in force:
        start.check_known(unit, pieces.units, "unit", *path, unit)
        profile = pieces.units[unit]
        if at_sea and profile.class_ != "naval" and not profile.on_deck:
            raise start.error(f"{unit} cannot be at sea", *path, unit)
        if not at_sea and profile.class_ == "naval":
            raise start.error(f"{unit} cannot be on land", *path, unit)
    if at_sea:
        aircraft = sum(n for unit, n in force.items() if pieces.units[unit].class_ == "air")
        decks = sum(n * pieces.units[unit].decks for unit, n in force.items())
        if aircraft > decks:
            raise start.error(f"{aircraft} aircraft at sea, and room for {decks}", *path)
        return
    if board.land_zones[zone].impassable:
        raise start.error(f"{zone} is impassable", *path)
    owner = owners[zone]
    majors = {
        getattr({**roster.players, **roster.minors}[id], "major", "") or id
        for id in (owner, nation)
    }
    if len(majors) > 1:
        raise start.error(f"{zone} belongs to {owner}, not to {nation}", *path)


def _reinforcements(
    start: Document[files.Scenarios],
    board: files.Board,
    roster: files.Roster,
    pieces: files.Pieces,
) -> Iterator[Reinforcement]:
    for index, arrival in enumerate(start.value.reinforcements):
        here = ("reinforcements", index)
        start.check_known(arrival.nation, roster.minors, "Minor Power", *here, "nation")
        start.check_known(arrival.zone, board.land_zones, "land zone", *here, "zone")
        for unit in arrival.units:
            start.check_known(unit, pieces.units, "unit", *here, "units", unit)
            if pieces.units[unit].class_ == "naval":
                raise start.error(f"{unit} cannot be on land", *here, "units", unit)
        yield Reinforcement(
            half_year(arrival.date), arrival.nation, arrival.zone, tuple(arrival.units.items())
        )
