"""What never changes in a game: the map, the nations, the units and the tables, read from `data/`.

Treat them as read-only: all games with the same data share them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from sandtable.board.graphs import numbered
from sandtable.board.hexes import Grid
from sandtable.games.gw75 import files
from sandtable.games.gw75.checks import (
    AXIS_MINORS,
    MAJORS,
    ROWS,
    SECTION,
    check_features,
    check_hexsides,
    check_map,
    check_nations,
    check_numbers,
    check_scenarios,
    check_tables,
    check_turns,
    check_units,
)
from sandtable.kernel.data import DataFolder, Document
from sandtable.kernel.decisions import shown

__all__ = [
    "AXIS_MINORS",
    "DATA",
    "MAJORS",
    "Canal",
    "Facts",
    "Hex",
    "Pair",
    "UnitType",
    "load_facts",
    "number",
    "pair",
    "place",
]

DATA = Path(__file__).parent / "data"

Pair = tuple[str, str]
"""Two ids in alphabetical order."""


def pair(one: str, other: str) -> Pair:
    """The two in alphabetical order."""
    return (one, other) if one < other else (other, one)


Steps = tuple[tuple[int, int], ...]
"""Steps between hexes that are bits: how far a bit goes, and the hexes from which it does."""


def _stepped(bits: int, steps: Steps) -> int:
    """The hexes to which steps lead from some."""
    found = 0
    for shift, which in steps:
        some = bits & which
        if some:
            found |= some << shift if shift > 0 else some >> -shift
    return found


Spreads = dict[str, tuple[int, ...]]
"""Hex to the hexes within each distance of it, as bits."""


_WIDTHS = (1280, 640, 320)
"""Halves of the map, and their halves: hexes."""


def _forget(kept: dict[Any, Any], number: int) -> None:
    """The oldest of what was worked out are forgotten."""
    with suppress(RuntimeError):  # others forget at the same time
        for key in list(islice(kept, number)):
            kept.pop(key, None)


class Hex(Struct, frozen=True):
    """A hex.

    Rules: 3.1a, 3.1b, 19.41
    """

    id: str
    """As in the book: section, row from the south, column from the west (W2821)."""
    at: tuple[int, int]
    """Its place on the grid: column from W01, row from the north."""
    kind: str
    """sea, land (all land), coast or island (a small one, coastal in all else)."""
    name: str = ""
    """Of the place in it; empty for most."""
    country: str = ""
    nation: str = ""
    """Of the country: whose it is before the war."""
    area: str = ""
    """communications, ordinary, undeveloped; empty at sea."""
    weather: bool = False
    """Whether it is in the Weather Area."""
    industry: str = ""
    """The major power whose industrial hex it is."""
    center: str = ""
    """The nation whose supply center it is."""
    port: str = ""
    """The name of its port."""
    water: str = ""
    """baltic, adriatic."""

    @property
    def row(self) -> int:
        """Counted from the south, as in its number."""
        return int(self.id[1:3])

    @property
    def dry(self) -> bool:
        """Whether land units can stand in it."""
        return self.kind != "sea"

    @property
    def wet(self) -> bool:
        """Whether ships can be in it."""
        return self.kind != "land"


class UnitType(Struct, frozen=True, cache_hash=True):
    """A type of unit; strengths are per Strength Point or fleet."""

    id: str
    name: str
    domain: str
    """land, air, naval, marker."""
    attack: int
    defense: int
    upkeep: int = 0
    """Production Points for each two."""
    new: tuple[int, int] | None = None
    """Cost and Game-Turns; None: cannot be built."""
    rebuilt: tuple[int, int] | None = None
    undepletion: tuple[int, int] | None = None


class Canal(Struct, frozen=True):
    """Where ships pass only with the leave of who holds its hex."""

    id: str
    name: str
    control: str
    sides: frozenset[Pair]
    """The hexsides that it opens."""
    ends: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    """If it is the hex itself: those from which ships enter it, on both sides."""


@dataclass(frozen=True, eq=False)
class Facts:
    """The map, the nations, the units, the tables."""

    grid: Grid
    hexes: dict[str, Hex]
    """All 2,574, by number."""
    near: dict[str, tuple[str, ...]]
    """Neighbours on the grid."""
    land: dict[str, dict[str, bool]]
    """Hex to the hexes that land units can enter from it, and whether across a mountain hexside."""
    open_land: dict[str, tuple[str, ...]]
    """The same without those across a mountain hexside: Zones of Control reach no others."""
    sea: dict[str, tuple[str, ...]]
    """Hex to the hexes that ships can enter from it, canals among them."""
    mountains: frozenset[Pair]
    contra_land: frozenset[Pair]
    """Contra-duplex hexsides too."""
    contra_naval: frozenset[Pair]
    """Contra-duplex hexsides too."""
    canals: dict[str, Canal]
    locks: frozenset[str]
    """Hexes from which ships may enter a canal."""
    countries: dict[str, files.Country]
    country_hexes: dict[str, tuple[str, ...]]
    lands: dict[str, tuple[str, ...]]
    """Nation to all hexes of its countries."""
    land_hexes: tuple[str, ...]
    """Hexes that land units can be in."""
    masses: dict[str, int]
    """Each of them to a number, the same for those between which land units can go at all."""
    industry: dict[str, str]
    """Industrial hex to the major power whose it is."""
    centers: dict[str, str]
    """Supply center to the nation whose it is."""
    ports: dict[str, str]
    """Hex with a port to its name."""
    waters: dict[str, frozenset[str]]
    narrows: frozenset[str]
    """All hexes of waters."""
    entrances: dict[str, tuple[str, ...]]
    """Waters to their hexes that have a way out."""
    coasts: frozenset[str]
    """Hexes that both land units and ships can be in."""
    holding_areas: dict[str, str]
    nations: dict[str, files.Nation]
    types: dict[str, UnitType]
    numbers: files.Numbers
    places: dict[str, tuple[str, ...]]
    """Hexes that the rules name, by what they are."""
    turns: dict[int, files.Turn]
    tables: files.Tables
    scenarios: dict[str, files.Scenario]
    victory: files.Victory
    prizes: tuple[str, ...]
    """Industrial hexes and supply centers, as the map has them."""
    bits: dict[str, int]
    """Hex or canal to a bit: a set of them is a number (`set_of`, `members`)."""
    rims: dict[str, int]
    """Hex to those of `open_land` as bits."""
    shoulders: dict[str, int]
    """Hex to those of `land` as bits."""
    lanes: dict[str, int]
    """Hex to those of `sea` as bits."""
    dry: int
    """`land_hexes` as bits."""
    domains: dict[str, int]
    """Nation to the land hexes of its countries as bits."""
    shores: int
    """`coasts` as bits."""
    _distances: dict[str, dict[str, int]] = field(default_factory=dict, repr=False, compare=False)
    _within: dict[tuple[str, int], dict[str, int]] = field(
        default_factory=dict, repr=False, compare=False
    )
    _voyages: dict[tuple[str, int, frozenset[str]], dict[str, int]] = field(
        default_factory=dict, repr=False, compare=False
    )

    _discs: Spreads = field(default_factory=dict, repr=False, compare=False)
    _sailing: Spreads = field(default_factory=dict, repr=False, compare=False)
    _kept: dict[str, dict[Any, Any]] = field(default_factory=dict, repr=False, compare=False)

    def kept(self, what: str, most: int) -> dict[Any, Any]:
        """What was worked out of one kind, by the content of positions that it depends on; of more
        than so many the oldest are forgotten, many at once."""
        found = self._kept.get(what)
        if found is None:
            found = self._kept.setdefault(what, {})
        if len(found) > most:
            _forget(found, most // 4 + 1)
        return found

    def distance(self, one: str, other: str) -> int:
        """Hexes from one to another, the short way round the globe."""
        try:
            return self._distances[one][other]
        except KeyError:
            found = self.grid.distance(self.hexes[one].at, self.hexes[other].at)
            self._distances.setdefault(one, {})[other] = found
            return found

    def port_distances(self, hex: str) -> dict[str, int]:
        """Hexes from one to each printed port, the nearest first; do not change it."""
        kept = self.kept("port distances", len(self.hexes))
        found: dict[str, int] | None = kept.get(hex)
        if found is None:
            at, hexes, far = self.hexes[hex].at, self.hexes, self.grid.distance
            every = sorted((far(at, hexes[port].at), port) for port in self.ports)
            found = kept[hex] = {port: length for length, port in every}
        return found

    def within(self, hex: str, radius: int) -> dict[str, int]:
        """The hexes within a distance, each with it, nearest first; whatever lies between. It is
        worked out once: do not change it."""
        key = (hex, radius)
        if key in self._within:
            return self._within[key]
        found = {hex: 0}
        todo = deque([hex])
        while todo:
            here = todo.popleft()
            far = found[here] + 1
            if far > radius:
                break
            for near in self.near[here]:
                if near not in found:
                    found[near] = far
                    todo.append(near)
        self._within[key] = found
        return found

    def disc(self, hex: str, radius: int) -> int:
        """The hexes within a distance as bits."""
        found = self._discs.get(hex, ())
        if len(found) <= radius:
            found = self._spread(self._discs, hex, radius, self._hops)
        return found[radius]

    def sailing(self, hex: str, radius: int) -> int:
        """The hexes that ships can be in after at most so many, if nothing is closed, as bits."""
        found = self._sailing.get(hex, ())
        if len(found) <= radius:
            found = self._spread(self._sailing, hex, radius, self._steps)
        return found[radius]

    def _spread(self, kept: Spreads, hex: str, radius: int, steps: Steps) -> tuple[int, ...]:
        """The hexes within each distance, up to a radius or further."""
        found = kept.get(hex, ())
        if len(found) <= radius:
            if len(kept) > len(self.hexes) // 2:
                _forget(kept, len(self.hexes) // 8)
            more = [*found] or [self.bits[hex]]
            while len(more) <= radius:
                more.append(more[-1] | _stepped(more[-1], steps))
            found = kept[hex] = tuple(more)  # others may look at the same time
        return found

    def passage(self, start: str, end: str, most: int) -> tuple[str, ...]:
        """A shortest way of ships from a hex to another if nothing is closed; only the start if it
        is longer than that."""
        there, names, lanes = self.bits[start], self._names, self.lanes
        near = self._spread(self._sailing, end, most, self._steps)
        far = next((far for far in range(most + 1) if near[far] & there), 0)
        path = [start]
        for closer in reversed(near[:far]):
            onward = lanes[path[-1]] & closer
            path.append(names[(onward & -onward).bit_length() - 1])
        return tuple(path)

    def voyages(self, hex: str, radius: int, closed: frozenset[str]) -> dict[str, int]:
        """The hexes that ships can be in after at most so many, each with the distance, if they
        enter none of those that are `closed`; a canal that is closed stands there by its id."""
        free = self._sail(hex, radius, _OPEN)
        near = frozenset(free.keys() & closed) | (closed & self.canals.keys())
        return self._sail(hex, radius, near) if near else free

    def set_of(self, hexes: Iterable[str]) -> int:
        """Hexes and canals as bits."""
        bits = self.bits
        found = 0
        for hex in hexes:
            found |= bits[hex]
        return found

    def members(self, bits: int) -> Iterator[str]:
        """The hexes and canals of a set of bits, in the order of the map."""
        every = self._names
        while bits:
            lowest = bits & -bits
            yield every[lowest.bit_length() - 1]
            bits ^= lowest

    def any_of(self, bits: int, rng: Random) -> str:
        """One of the hexes of a set of bits at random; empty if there is none."""
        number = bits.bit_count()
        if not number:
            return ""
        before, at = int(rng.random() * number), 0
        for width in _WIDTHS if before > 2 else ():  # in which part of the map it is
            lower = bits & ((1 << width) - 1)
            count = lower.bit_count()
            if before < count:
                bits = lower
            else:
                bits >>= width
                before -= count
                at += width
        for _ in range(before):
            bits &= bits - 1
        return self._names[at + (bits & -bits).bit_length() - 1]

    def by_sea(self, bits: int) -> int:
        """The hexes that ships can enter from any of some, as bits."""
        return _stepped(bits, self._steps)

    def rings(self, hex: str, radius: int, closed: int = 0) -> list[int]:
        """The hexes that are so far from one for ships, if some hexes and canals are closed; all as
        bits."""
        bits = self.bits
        shut: dict[int, int] = {}
        for id, canal in self.canals.items() if closed else ():
            for one, other in canal.sides if closed & bits[id] else ():
                shut[bits[one]] = shut.get(bits[one], 0) | bits[other]
                shut[bits[other]] = shut.get(bits[other], 0) | bits[one]
        found = [bits[hex]]
        every = closed | bits[hex]
        for _ in range(radius):
            ring = self.by_sea(found[-1]) & ~every
            for end, others in shut.items():
                if ring & end and not self.by_sea(found[-1] & ~others) & end:
                    ring &= ~end
            found.append(ring)
            every |= ring
        return found

    @cached_property
    def _steps(self) -> Steps:
        """The steps of ships."""
        return self._between(self.sea)

    @cached_property
    def _hops(self) -> Steps:
        """The steps from hex to hex, whatever lies between."""
        return self._between(self.near)

    def _between(self, near: Mapping[str, Iterable[str]]) -> Steps:
        found: dict[int, int] = {}
        for here, others in near.items():
            for there in others:
                shift = self.bits[there].bit_length() - self.bits[here].bit_length()
                found[shift] = found.get(shift, 0) | self.bits[here]
        return tuple(found.items())

    @cached_property
    def eased(self) -> int:
        """The hexes of a Communications Area as bits."""
        return self.set_of(id for id, hex in self.hexes.items() if hex.area == "communications")

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(self.bits)

    def _sail(self, hex: str, radius: int, closed: frozenset[str]) -> dict[str, int]:
        found = self._voyages.get((hex, radius, closed))
        if found is not None:
            return found
        if len(self._voyages) > _VOYAGES:
            self._voyages.clear()
        shut = {side for id in closed & self.canals.keys() for side in self.canals[id].sides}
        found = {} if hex in closed else {hex: 0}
        todo = deque(found)
        while todo:
            here = todo.popleft()
            far = found[here] + 1
            if far > radius:
                break
            for near in self.sea[here]:
                if near not in found and near not in closed and pair(here, near) not in shut:
                    found[near] = far
                    todo.append(near)
        self._voyages[hex, radius, closed] = found
        return found

    def name(self, id: str) -> str:
        """The name of a hex, nation, country or type; what is none of them is quoted."""
        if id in self.hexes:
            found = self.hexes[id].name or self.holding_areas.get(id)
            return f"{found} ({id})" if found else id
        for table in (self.nations, self.countries, self.types, self.canals):
            if id in table:
                return str(table[id].name)
        return shown(id)


def place(number: str) -> tuple[int, int]:
    """The place on the grid of a hex number: column from W01, row from the north."""
    column = int(number[3:5]) - 1 + (SECTION if number[0] == "E" else 0)
    return column, ROWS - int(number[1:3])


_OPEN: frozenset[str] = frozenset()
_VOYAGES = 4_000
"""Voyages that are remembered at most."""


def number(column: int, row: int) -> str:
    """The number of a hex at a place on the grid."""
    section, inside = ("W", column) if column < SECTION else ("E", column - SECTION)
    return f"{section}{ROWS - row:02d}{inside + 1:02d}"


@lru_cache(maxsize=8)
def load_facts(data: Path | None = None) -> Facts:
    """Read and check the data folder, with files of `data` in place of its own."""
    folder = DataFolder(DATA, data)
    map_ = folder.read("map.yaml", files.Map)
    nations = folder.read("nations.yaml", files.Nations)
    units = folder.read("units.yaml", files.UnitTypes)
    numbers = folder.read("numbers.yaml", files.NumbersFile)
    turns = folder.read("turns.yaml", files.Turns)
    tables = folder.read("tables.yaml", files.Tables)
    scenarios = folder.read("scenarios.yaml", files.Scenarios)
    for document in (map_, nations, units, numbers, turns, tables, scenarios):
        document.check_provenance()
    check_nations(nations)
    check_units(units)
    check_turns(turns)
    check_tables(tables)
    check_map(map_, nations.value.nations)
    grid = Grid(map_.value.grid.columns, map_.value.grid.rows, "odd", wrap=True)
    hexes = _hexes(grid, map_)
    near = {id: _near(grid, hex) for id, hex in hexes.items()}
    check_hexsides(map_, hexes, near)
    check_features(map_, hexes, near)
    check_numbers(numbers, hexes)
    check_scenarios(scenarios, hexes, nations.value.nations, units.value, turns.value)
    contra_land = _pairs(map_.value.contra_land, map_.value.contra_duplex)
    contra_naval = _pairs(map_.value.contra_naval, map_.value.contra_duplex)
    mountains = _pairs(*map_.value.mountains.values())
    canals = {
        id: Canal(id, each.name, each.control, _pairs(each.sides), _ends(each.between))
        for id, each in map_.value.canals.items()
    }
    opened = frozenset().union(*(canal.sides for canal in canals.values()))
    countries = map_.value.countries
    country_hexes: dict[str, list[str]] = {id: [] for id in countries}
    for hex in hexes.values():
        if hex.country:
            country_hexes[hex.country].append(hex.id)
    land = {
        id: {
            other: pair(id, other) in mountains
            for other in near[id]
            if hex.dry and hexes[other].dry and pair(id, other) not in contra_land
        }
        for id, hex in hexes.items()
    }
    sea = {
        id: tuple(
            other
            for other in near[id]
            if hex.wet
            and hexes[other].wet
            and (pair(id, other) not in contra_naval or pair(id, other) in opened)
        )
        for id, hex in hexes.items()
    }
    waters = {id: frozenset(found) for id, found in map_.value.waters.items()}
    open_land = {
        id: tuple(other for other, mountain in around.items() if not mountain)
        for id, around in land.items()
    }
    coasts = frozenset(id for id, hex in hexes.items() if hex.dry and hex.wet)
    bits = {id: 1 << number for number, id in enumerate((*hexes, *canals))}
    return Facts(
        grid=grid,
        hexes=hexes,
        near=near,
        land=land,
        open_land=open_land,
        sea=sea,
        mountains=mountains,
        contra_land=contra_land,
        contra_naval=contra_naval,
        canals=canals,
        locks=frozenset(
            hex for canal in canals.values() for ends in (*canal.sides, *canal.ends) for hex in ends
        ),
        countries=countries,
        country_hexes={id: tuple(found) for id, found in country_hexes.items()},
        lands={
            nation: tuple(
                hex
                for id, country in countries.items()
                if country.nation == nation
                for hex in country_hexes[id]
            )
            for nation in nations.value.nations
        },
        masses=numbered(land, [id for id, hex in hexes.items() if hex.dry]),
        land_hexes=tuple(id for id, hex in hexes.items() if hex.dry),
        industry=map_.value.industry,
        centers=map_.value.centers,
        ports=map_.value.ports,
        waters=waters,
        narrows=frozenset().union(*waters.values()),
        entrances={
            id: tuple(sorted(hex for hex in inside if not inside.issuperset(sea[hex])))
            for id, inside in waters.items()
        },
        coasts=coasts,
        holding_areas=map_.value.holding_areas,
        nations=nations.value.nations,
        types={
            id: UnitType(
                id,
                each.name,
                each.domain,
                each.attack,
                each.defense,
                each.upkeep,
                units.value.costs[id].new if id in units.value.costs else None,
                units.value.costs[id].rebuilt if id in units.value.costs else None,
                units.value.undepletion.get(id),
            )
            for id, each in units.value.types.items()
        },
        numbers=numbers.value.numbers,
        places=numbers.value.places,
        turns=turns.value.turns,
        tables=tables.value,
        scenarios=scenarios.value.scenarios,
        victory=scenarios.value.victory,
        prizes=tuple(id for id, hex in hexes.items() if hex.industry or hex.center),
        bits=bits,
        rims={id: sum(bits[other] for other in around) for id, around in open_land.items()},
        shoulders={id: sum(bits[other] for other in around) for id, around in land.items()},
        lanes={id: sum(bits[other] for other in around) for id, around in sea.items()},
        dry=sum(bits[id] for id, hex in hexes.items() if hex.dry),
        domains={
            nation: sum(bits[id] for id, hex in hexes.items() if hex.dry and hex.nation == nation)
            for nation in nations.value.nations
        },
        shores=sum(bits[id] for id in coasts),
    )


def _hexes(grid: Grid, map_: Document[files.Map]) -> dict[str, Hex]:
    data = map_.value
    water = {hex: id for id, hexes in data.waters.items() for hex in hexes}
    found = {}
    for row in range(grid.rows):
        for column in range(grid.columns):
            id = number(column, row)
            each = data.hexes.get(id)
            found[id] = Hex(
                id,
                (column, row),
                each.kind if each else "sea",
                each.name if each else "",
                each.country if each else "",
                data.countries[each.country].nation if each else "",
                each.area if each else "",
                ROWS - row > data.grid.weather_above,
                data.industry.get(id, ""),
                data.centers.get(id, ""),
                data.ports.get(id, ""),
                water.get(id, ""),
            )
    return found


def _near(grid: Grid, hex: Hex) -> tuple[str, ...]:
    return tuple(number(*at) for at in grid.neighbours(hex.at))


def _pairs(*lists: tuple[Pair, ...]) -> frozenset[Pair]:
    return frozenset(pair(*both) for each in lists for both in each)


def _ends(between: tuple[tuple[str, ...], ...]) -> tuple[frozenset[str], frozenset[str]]:
    if not between:
        return frozenset(), frozenset()
    one, other = between
    return frozenset(one), frozenset(other)
