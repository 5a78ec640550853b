"""What never changes in a game: the board, the nations, the units, the set-ups, read from `data/`.

The tables are plain dicts and tuples of ids, in the order of the data files. Treat them as
read-only: all games with the same data share them.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct

from sandtable.games.gw36.dates import half_year as half_year
from sandtable.games.gw36.sheets import Sheet

Pair = tuple[str, str]
"""Two ids in alphabetical order."""


def pair(one: str, other: str) -> Pair:
    """The two in alphabetical order."""
    return (one, other) if one < other else (other, one)


class Zone(Struct, frozen=True):
    """A land or a sea zone."""

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
    """One kind of unit. An attack or defense of None rolls no die; of 0, one that cannot hit."""

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

    @property
    def land(self) -> bool:
        return self.class_ in ("infantry", "vehicle", "artillery")

    @property
    def air(self) -> bool:
        return self.class_ == "air"

    @property
    def naval(self) -> bool:
        return self.class_ == "naval"

    @property
    def surface(self) -> bool:
        """A surface ship: any naval vessel that is not a submarine (0.9)."""
        return self.class_ == "naval" and not self.submarine

    @property
    def warship(self) -> bool:
        """A surface ship that has an Attack value, be it 0 (0.9)."""
        return self.surface and self.attack is not None


class FacilityType(Struct, frozen=True):
    """One kind of facility."""

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
    """A strait or a canal (Tables 1-1 and 1-2)."""

    id: str
    name: str
    canal: bool
    between: Pair
    """Two sea zones. A strait lies on their border; a canal is the only way between them."""
    zones: tuple[str, ...]
    """The controlling land zones."""


class Crossing(Struct, frozen=True):
    """A narrow crossing (1.20)."""

    id: str
    name: str
    between: Pair
    units: int
    sea_zones: tuple[str, ...]
    channel: bool = False
    """A Channel Port (1.21)."""


class ConvoyLine(Struct, frozen=True):
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
    id: str
    first: int
    """Date of the first turn (half-years)."""
    turns: int
    owners: dict[str, str]
    """Land zone to its possessor at the start."""
    units: tuple[Placement, ...]
    """Player nations and minors; ships stand in sea zones."""
    facilities: tuple[tuple[str, str, str, str], ...]
    """Zone, type, where (sea zone or neighbouring zone), variant (maginot)."""
    production: tuple[tuple[str, str, int], ...]
    """Nation, unit, instalments left."""
    wars: tuple[Pair, ...]
    control: dict[str, str]
    aligned: dict[str, str]
    pacts: tuple[str, ...]
    head_starts: dict[tuple[str, str], int]
    gone: tuple[str, ...]
    """Minors that are not in this scenario."""


class Reinforcement(Struct, frozen=True):
    """Neutral forces that appear at the start of a calendar turn (6.1)."""

    date: int
    nation: str
    zone: str
    units: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that the rules look up."""

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
    sets: dict[str, frozenset[str]]
    """The sets of optional rules (basic, recommended, everything) to what they turn on."""

    def name(self, id: str) -> str:
        """The name of whatever has that id."""
        return self.names.get(id, id)
