"""The National Reference Sheets (2.4): what each player nation may build, earns and may do.

Conditions are records of a small vocabulary, explained at the head of `data/sheets.yaml`; what they
mean on the board is in `rules/income.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from sandtable.games.gw36.dates import half_year
from sandtable.kernel.data import DataFolder, Document, Key, Provenance

GROUPS = frozenset({"axis", "allies", "comintern", "china", "commonwealth"})
"""Names in conditions that stand for several nations."""
RECEIVERS = frozenset({"at_war", "minors_at_war"})
"""Names in the conditions of lend-lease: any nation (any Minor Power) at war with a Major Power."""

_Date = Annotated[str, Meta(pattern=r"^19[34][0-9]-0[17]$")]
_Ipp = Annotated[int, Meta(ge=0, le=99)]


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """What a nation has as a scenario begins."""

    ipp: _Ipp
    income: _Ipp
    """Its place on the income track."""
    wartime: _Ipp
    """The value of the zones that it starts with."""
    provenance: Provenance


class Increase(Struct, frozen=True, forbid_unknown_fields=True):
    """A cause that changes a peacetime income, by points, by dice, or up to wartime income."""

    provenance: Provenance
    news: tuple[str, ...] = ()
    """Kinds of news; none: as the nation's Production Phase begins."""
    who: tuple[str, ...] = ()
    whom: tuple[str, ...] = ()
    not_whom: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    next_to_home: bool = False
    how: tuple[str, ...] = ()
    dates: tuple[_Date, ...] = ()
    since: _Date = "1936-07"
    once: Literal["", "game", "zone"] = ""
    ipp: _Ipp = 0
    dice: tuple[int, int] | None = None
    """Number and sides."""
    wartime: bool = False

    def falls_on(self, date: int) -> bool:
        """Whether an increase without news comes in this turn."""
        if self.dates:
            return date in map(half_year, self.dates)
        return date >= half_year(self.since)


class Bonus(Struct, frozen=True, forbid_unknown_fields=True):
    """Income of a turn in which all that is named holds."""

    ipp: _Ipp
    provenance: Provenance
    peace: bool = False
    """Collected even if the nation is not at war with a Major Power."""
    pact: str = ""
    scenario: str = ""
    at_war: tuple[str, ...] = ()
    """With one of these."""
    at_peace: tuple[str, ...] = ()
    """With all of these."""
    possesses: tuple[str, ...] = ()
    """Each of these zones is possessed (by the nation, or by one of `by`)."""
    each: tuple[str, ...] = ()
    """The points are for each of these zones that is possessed."""
    open: tuple[str, ...] = ()
    """Each of these zones is neutral, or possessed."""
    by: tuple[str, ...] = ()
    home: bool = False
    """All of the Home Country is possessed."""
    intact: bool = False
    """No zone with the nation's printed roundel is Enemy-possessed."""
    next_to: str = ""
    """A possessed zone borders on a zone of this nation."""
    free_of: tuple[str, ...] = ()
    """No Enemy surface warship (or none of `ships_of`) is in these sea zones."""
    ocean: str = ""
    """The same for all sea zones of an ocean."""
    ships_of: tuple[str, ...] = ()
    line: str = ""
    """The convoy line is open, and nobody denies the bonus."""
    burma_road: bool = False
    less: str = ""
    """Reduced by a number that the state remembers under this name."""


class Lending(Struct, frozen=True, forbid_unknown_fields=True):
    """To whom a nation may send lend-lease."""

    to: tuple[str, ...]
    provenance: Provenance
    not_to: tuple[str, ...] = ()


class Sheet(Struct, frozen=True):
    """A National Reference Sheet.

    Rules: 2.4a, 7.1a, nrs-usa-h
    """

    nation: str
    income: dict[str, Start]
    """By scenario."""
    units: tuple[str, ...]
    facilities: tuple[str, ...]
    available: dict[str, int]
    """Unit to the date from which it can be bought; others always can."""
    increases: tuple[Increase, ...]
    bonuses: tuple[Bonus, ...]
    lend_lease: Lending | None
    actions: dict[str, int]
    """What the nation may do only from an income on (US Income-Determined Actions)."""
    naval_moves: int
    """Strategic naval moves per turn."""
    naval_moves_of: str
    """The nation with which it shares those."""
    evolved: str
    """The nation whose build table it uses after its evolution."""


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    units: tuple[str, ...]
    facilities: tuple[str, ...]


class _Sheet(Struct, frozen=True, forbid_unknown_fields=True):
    table: str
    income: dict[Literal["1936", "1939"], Start]
    also: tuple[str, ...] = ()
    increases: tuple[Increase, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    lend_lease: Lending | None = None
    actions: dict[str, _Ipp] = {}
    naval_moves: Annotated[int, Meta(ge=0, le=9)] = 0
    naval_moves_of: str = ""
    evolved: str = ""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    provenance: dict[str, Provenance]
    build_tables: dict[str, _Table]
    dates: dict[str, dict[str, _Date]]
    sheets: dict[str, _Sheet]


def load_sheets(
    folder: DataFolder,
    *,
    powers: Collection[str],
    nations: Collection[str],
    zones: Collection[str],
    units: Collection[str],
    facilities: Collection[str],
    lines: Collection[str],
) -> dict[str, Sheet]:
    """Read the sheets of all player nations; DataError if one names what does not exist."""
    document = folder.read("sheets.yaml", _File)
    document.check_provenance()
    file = document.value
    document.check_complete(file.sheets, powers, "sheets")
    for name, table in file.build_tables.items():
        document.check_all_known(table.units, units, "unit", "build_tables", name, "units")
        document.check_all_known(
            table.facilities, facilities, "facility", "build_tables", name, "facilities"
        )
    for name, dates in file.dates.items():
        document.check_known(name, {"all", *powers}, "nation", "dates", name)
        for unit in dates:
            document.check_known(unit, units, "unit", "dates", name, unit)
    for nation, sheet in file.sheets.items():
        at = ("sheets", nation)
        document.check_known(sheet.table, file.build_tables, "build table", *at, "table")
        document.check_all_known(sheet.also, units, "unit", *at, "also")
        document.check_complete(sheet.income, ("1936", "1939"), *at, "income")
        for other in (sheet.evolved, sheet.naval_moves_of):
            document.check_known(other, {"", *powers}, "nation", *at)
        _check_conditions(document, nation, {*nations, *GROUPS}, zones, lines)
    return {nation: _sheet(file, nation) for nation in powers}


def _check_conditions(
    document: Document[_File],
    nation: str,
    names: Collection[str],
    zones: Collection[str],
    lines: Collection[str],
) -> None:
    """Whatever the conditions of a sheet name exists."""
    sheet = document.value.sheets[nation]
    for field, known, path in _named(sheet, nation):
        if known == "zone":
            document.check_all_known(field, zones, "zone", *path)
        elif known == "line":
            document.check_all_known(field, lines, "convoy line", *path)
        else:
            extra = RECEIVERS if known == "receiver" else ()
            document.check_all_known(field, {*names, *extra}, "nation", *path)


def _named(sheet: _Sheet, nation: str) -> Iterator[tuple[tuple[str, ...], str, tuple[Key, ...]]]:
    """All lists of ids in the conditions of a sheet, with what they are and where they stand."""
    for index, cause in enumerate(sheet.increases):
        at = ("sheets", nation, "increases", index)
        yield cause.zones, "zone", (*at, "zones")
        for key, people in (
            ("who", cause.who),
            ("whom", cause.whom),
            ("not_whom", cause.not_whom),
        ):
            yield people, "nation", (*at, key)
    for index, bonus in enumerate(sheet.bonuses):
        at = ("sheets", nation, "bonuses", index)
        for key, places in (
            ("possesses", bonus.possesses),
            ("each", bonus.each),
            ("open", bonus.open),
            ("free_of", bonus.free_of),
        ):
            yield places, "zone", (*at, key)
        for key, people in (
            ("by", bonus.by),
            ("at_war", bonus.at_war),
            ("at_peace", bonus.at_peace),
            ("ships_of", bonus.ships_of),
            ("next_to", (bonus.next_to,) if bonus.next_to else ()),
        ):
            yield people, "nation", (*at, key)
        yield (bonus.line,) if bonus.line else (), "line", (*at, "line")
    if sheet.lend_lease:
        for key, people, what in (
            ("to", sheet.lend_lease.to, "receiver"),
            ("not_to", sheet.lend_lease.not_to, "nation"),
        ):
            yield people, what, ("sheets", nation, "lend_lease", key)


def _sheet(file: _File, nation: str) -> Sheet:
    own = file.sheets[nation]
    table = file.build_tables[own.table]
    dates = {**file.dates["all"], **file.dates.get(nation, {})}
    units = (*table.units, *own.also)
    return Sheet(
        nation=nation,
        income={str(scenario): start for scenario, start in own.income.items()},
        units=units,
        facilities=table.facilities,
        available={unit: half_year(date) for unit, date in dates.items() if unit in units},
        increases=own.increases,
        bonuses=own.bonuses,
        lend_lease=own.lend_lease,
        actions=own.actions,
        naval_moves=own.naval_moves,
        naval_moves_of=own.naval_moves_of,
        evolved=own.evolved,
    )
