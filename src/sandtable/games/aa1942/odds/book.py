"""The game's units as the odds engine sees them: names, costs, orders of loss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from sandtable.games.aa1942.facts import (
    DATA,
    Domain,
    Facts,
    Numbers,
    UnitType,
    load_facts,
)
from sandtable.games.aa1942.odds.policy import Order
from sandtable.kernel.data import load
from sandtable.odds.errors import OddsError
from sandtable.odds.exact import Counts, Layers, Line
from sandtable.odds.force import read_force

SEABORNE = " (seaborne)"
"""What marks land units that come from the sea: they cannot retreat."""
DAMAGE = "damage"
"""In an order of loss: the first hits of battleships."""
AAA = "antiaircraft_artillery"

ABBREVIATIONS = {
    "infantry": "inf infantries i",
    "artillery": "art arty artilleries",
    "tank": "arm armor armour armors tk",
    AAA: "aaa aa aagun flak antiaircraft",
    "fighter": "ftr fig fighters f",
    "bomber": "bmb bom sbr b",
    "battleship": "bb bs",
    "aircraft_carrier": "cv ac carrier carriers",
    "cruiser": "ca cr cc",
    "destroyer": "dd des",
    "submarine": "ss sub subs",
    "transport": "tr trn tt trans ap",
}

Given = str | Mapping[str, int]


class Kind(Struct, frozen=True):
    """What matters here of a unit's profile."""

    name: str
    domain: Domain
    cost: int
    attack: int
    defense: int
    hits: int
    bombard: int = 0
    captures: bool = False
    surface: bool = False


class Roster(Struct):
    """The game's list of units. The whole of its facts would take longer to read than most
    questions take to answer."""

    units: dict[str, Kind]
    numbers: Numbers


@dataclass(frozen=True, eq=False)
class Book:
    """The facts in the shape in which they are needed here."""

    units: Mapping[str, Kind | UnitType]
    kinds: tuple[str, ...]
    """Everything that can be a casualty; land units that come from the sea are kinds apart."""
    place: dict[str, int]
    cost: dict[str, int]
    names: dict[str, str]
    numbers: Numbers
    attacking: Counts
    """The table of `Line`, for the attacker."""
    defending: Counts

    def unit(self, kind: str) -> Kind | UnitType:
        return self.units[kind.removesuffix(SEABORNE)]

    def spare(self, units: Mapping[str, int]) -> int:
        """The hits that units of a fleet take without being lost."""
        return sum((self.units[kind].hits - 1) * n for kind, n in units.items())


Data = str | Path | Book | None
"""Where the units come from: a folder with a user's data files, a book, or the game itself."""


@lru_cache(maxsize=8)
def book(data: Data = None) -> Book:
    """The units as they are there."""
    if isinstance(data, Book):
        return data
    if data is not None:
        return book_of(load_facts(Path(data)))
    roster = load(DATA / "units.yaml", Roster)
    return _book(roster.units, roster.numbers)


@lru_cache(maxsize=8)
def book_of(facts: Facts) -> Book:
    """The units of a game that is played."""
    return _book(facts.units, facts.numbers)


def _book(roster: Mapping[str, Kind | UnitType], numbers: Numbers) -> Book:
    units = {name: unit for name, unit in roster.items() if unit.hits}
    for unit in units.values():
        if unit.hits > 1 and not unit.surface:
            raise OddsError(f"The odds cannot tell how {unit.name} takes more than one hit.")
    landing = tuple(name + SEABORNE for name, unit in units.items() if unit.captures)
    kinds = (*units, *landing)
    names = {name.replace("_", " "): name for name in units}
    for name, short in ABBREVIATIONS.items():
        names.update(dict.fromkeys(short.split(), name))
    return Book(
        units,
        kinds,
        {kind: k for k, kind in enumerate(kinds)},
        {kind: units[kind.removesuffix(SEABORNE)].cost for kind in kinds},
        names,
        numbers,
        _table(kinds, units, True),
        _table(kinds, units, False),
    )


def _table(kinds: tuple[str, ...], units: Mapping[str, Kind | UnitType], attacking: bool) -> Counts:
    role = {"infantry": 1, "artillery": 2} if attacking else {}
    columns = []
    for kind in kinds:
        name = kind.removesuffix(SEABORNE)
        unit = units[name]
        value = unit.attack if attacking else unit.defense
        flies = int(unit.domain == "air")
        columns.append((value, role.get(name, 0), flies, int(unit.captures), unit.cost))
    return np.array(columns, np.int64).T.copy()


def force(b: Book, given: Given, of: str = "attacker") -> dict[str, int]:
    """A force as given by a person; OddsError if it names what is not there."""
    if isinstance(given, str):
        return dict(_force(b, given, of))
    plain = {kind: given[kind] for kind in b.units if kind in given}
    # The usual case, quickly: proper names and small positive numbers.
    if len(plain) == len(given) and all(type(n) is int and 0 < n <= FEW for n in plain.values()):
        return plain
    return dict(_force(b, tuple(given.items()), of))


FEW = 50


@lru_cache(maxsize=4096)
def _force(
    b: Book, given: str | tuple[tuple[str, int], ...], of: str
) -> tuple[tuple[str, int], ...]:
    what = given if isinstance(given, str) else dict(given)
    read = read_force(what, b.names, of)
    return tuple((kind, read[kind]) for kind in b.units if kind in read)


@lru_cache(maxsize=256)
def loss_order(b: Book, order: str | tuple[str, ...], attacking: bool) -> tuple[str, ...]:
    """All kinds, and a battleship's first hit, in the order in which they are lost."""

    def value(kind: str) -> int:
        unit = b.unit(kind)
        return unit.attack if attacking else unit.defense

    def cheapest(kind: str) -> tuple[Any, ...]:
        return value(kind) > 0, b.cost[kind], value(kind), SEABORNE not in kind

    def weakest(kind: str) -> tuple[Any, ...]:
        return value(kind), b.cost[kind], SEABORNE not in kind

    if isinstance(order, str):
        if order not in ("cheapest", "weakest"):
            raise OddsError(
                f"An order of loss is 'cheapest', 'weakest' or a list of units; not {order!r}."
            )
        return (DAMAGE, *sorted(b.kinds, key=cheapest if order == "cheapest" else weakest))
    named: list[str] = []
    for entry in order:
        text = str(entry).strip().lower()
        if text in (DAMAGE, "battleship damage"):
            kinds = [DAMAGE]
        elif text.endswith(SEABORNE):
            (kind,) = read_force({text.removesuffix(SEABORNE): 1}, b.names, "order")
            kinds = [kind + SEABORNE]
        else:
            (kind,) = read_force({text: 1}, b.names, "order")
            kinds = [k for k in (kind + SEABORNE, kind) if k in b.place]
        named += [kind for kind in kinds if kind not in named]
    rest = [kind for kind in loss_order(b, "cheapest", attacking) if kind not in named]
    large = [k for k, kind in enumerate(named) if kind != DAMAGE and b.unit(kind).hits > 1]
    if DAMAGE in named and large:
        if named.index(DAMAGE) > large[0]:
            name = b.unit(named[large[0]]).name.lower()
            raise OddsError(f"A {name} is damaged before it sinks; put 'damage' earlier.")
    elif DAMAGE in rest:
        rest.remove(DAMAGE)
        named.insert(0, DAMAGE)
    return (*named, *rest)


def order_key(order: Order) -> str | tuple[str, ...]:
    if isinstance(order, str) and "," in order:
        order = order.split(",")
    return order if isinstance(order, str) else tuple(order)


@lru_cache(maxsize=8192)
def line(
    b: Book,
    units: tuple[tuple[str, int], ...],
    order: tuple[str, ...],
    attacking: bool,
    keep_land: bool,
) -> Line:
    """A force on land as the queue in which it is lost."""
    have = dict(units)
    places: list[int] = []
    for kind in order:
        if kind in have:
            places += [b.place[kind]] * have[kind]
    queue = np.array(places, np.int64)
    table = b.attacking if attacking else b.defending
    if keep_land:
        able = np.flatnonzero(table[3, queue])
        if len(able):
            queue = np.append(np.delete(queue, able[-1]), queue[able[-1]])
    return Line(queue, table)


@lru_cache(maxsize=8192)
def fleet(
    b: Book,
    units: tuple[tuple[str, int], ...],
    order: tuple[str, ...],
    attacking: bool,
    damaged: int = 0,
) -> Layers:
    """A force at sea in its layers; so many of its ships have been hit already."""
    have = dict(units)
    whole = b.spare(have) - damaged
    air: list[tuple[int, int, int, int]] = []
    subs: list[tuple[int, int, int, int]] = []
    ships: list[tuple[int, int, int, int, int]] = []
    carried: list[tuple[int, int]] = []
    place = 0
    for kind in order:
        for _ in range(whole if kind == DAMAGE else have.get(kind, 0)):
            place += 1
            if kind == DAMAGE:
                ships.append((-1, 0, place, 0, 0))
                continue
            unit, number = b.unit(kind), b.place[kind]
            value = unit.attack if attacking else unit.defense
            if unit.domain == "air":
                air.append((number, value, place, unit.cost))
            elif kind == "submarine":
                subs.append((number, value, place, unit.cost))
            elif kind == "transport":
                carried.append((number, unit.cost))
            else:
                ships.append((number, value, place, unit.cost, int(kind == "destroyer")))
    return Layers(tuple(air), tuple(subs), tuple(ships), tuple(carried))


def apart(units: Mapping[str, int], gone: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Units without those that are gone."""
    return tuple((k, n - gone.get(k, 0)) for k, n in units.items() if n > gone.get(k, 0))


def types_of(b: Book, *forces: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(kind for kind in b.kinds if any(kind in f for f in forces))
