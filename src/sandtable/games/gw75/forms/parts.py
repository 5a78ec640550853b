"""Rows and helpers that several forms share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from sandtable.games.gw75.facts import MAJORS
from sandtable.games.gw75.model import State
from sandtable.games.gw75.view import SYMBOLS
from sandtable.games.gw75.words import counted, the
from sandtable.kernel.decisions import Decision, Legal
from sandtable.kernel.display import Mover, NoQuestion, Row
from sandtable.kernel.errors import IllegalDecision

GROUPS = {"land": "Land units", "naval": "Ships", "air": "Air units", "marker": "Markers"}

Part = tuple[str, str, int]
"""Nation, type and number."""


def row(s: State, nation: str, type: str, count: int, *, group: str = "", note: str = "") -> Row:
    """A row for units of a nation and type, under a key that `chosen` reads again."""
    kind = s.facts.types[type]
    return Row(
        key=f"{nation}:{type}",
        label=kind.name,
        path=("units", f"{nation}:{type}"),
        most=count,
        symbol=SYMBOLS[type],
        power=nation,
        group=group or f"{GROUPS[kind.domain]} of {the(s.facts, nation)}",
        note=note,
    )


def part_of(
    s: State, hex: str, nation: str, type: str, most: int, value: int, *, into: str = "force"
) -> Row:
    """So many of a kind in a hex: each goes into a list of the decision."""
    return Row(
        key=f"{hex}:{nation}:{type}",
        label=f"{s.facts.types[type].name} from {s.facts.hexes[hex].name or hex}",
        path=(into,),
        most=most,
        item=[hex, nation, type, 1],
        value=value,
        symbol=SYMBOLS[type],
        power=nation,
        group=s.facts.name(hex),
        space=hex,
    )


def hexes(number: int) -> str:
    """`1 hex`."""
    return f"{number} hex{'' if number == 1 else 'es'}"


def rows(s: State, units: Mapping[tuple[str, str], int]) -> tuple[Row, ...]:
    """A row for each nation and type; all in one group, since they can go together."""
    mixed = len({nation for nation, _ in units}) > 1
    group = "Land units" if mixed else ""
    return tuple(
        row(s, nation, type, count, group=group) for (nation, type), count in units.items()
    )


_ORDER = {nation: at for at, nation in enumerate(MAJORS)}


def in_order(movers: Iterable[Mover]) -> tuple[Mover, ...]:
    """Stacks that can move, by their powers: those of Germany before those of Japan."""

    def key(mover: Mover) -> tuple[int, str]:
        return min(_ORDER.get(row.power, len(_ORDER)) for row in mover.rows), mover.space

    return tuple(sorted(movers, key=key))


def read(chosen: Mapping[str, int], free: Mapping[tuple[str, str], int]) -> tuple[Part, ...]:
    """The chosen units; NoQuestion if they cannot be chosen so."""
    parts = []
    for key, number in chosen.items():
        nation, _, type = key.partition(":")
        if not 0 <= number <= free.get((nation, type), 0):
            raise NoQuestion("Such units are not there to be moved.")
        if number:
            parts.append((nation, type, number))
    if not parts:
        raise NoQuestion("No units are chosen.")
    return tuple(sorted(parts))


def why_not(legal: Legal, decision: Decision) -> IllegalDecision | None:
    """Why a decision is refused; None if it is allowed."""
    try:
        legal.asked.check(legal.state, decision)
    except IllegalDecision as error:
        return error
    return None


def several(s: State, parts: Iterable[Part]) -> str:
    """Units in words: `3 Infantry, 1 Mechanized`; of several nations with their names."""
    total: Counter[tuple[str, str]] = Counter()
    for nation, type, number in parts:
        total[nation, type] += number
    mixed = len({nation for nation, _ in total}) > 1
    return ", ".join(
        counted(s.facts, type, number) + (f" of {the(s.facts, nation)}" if mixed else "")
        for (nation, type), number in total.items()
    )


def told_apart(s: State, rows: Sequence[Row]) -> tuple[Row, ...]:
    """Rows with the names of their nations, if those are several: they would look alike."""
    if len({row.power for row in rows}) < 2:
        return tuple(rows)
    return tuple(replace(row, label=f"{row.label}, {s.facts.name(row.power)}") for row in rows)
