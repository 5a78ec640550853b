"""The combat results tables (22): one die, and the highest listed column not above a number."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeVar

import msgspec

from sandtable.games.gw75.model import State
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

T = TypeVar("T")


class Die(msgspec.Struct, frozen=True):
    """A die that has fallen: its face, the differential at which it is read, and what is subtracted
    from it. Who has to choose what it calls for is told of it."""

    face: int
    differential: int
    less: int = 0


def column(table: Mapping[int, T], number: int) -> T:
    """The highest listed column not above a number; the lowest one if all are above it."""
    return table[listed(table, number)]


def listed(table: Mapping[int, T], number: int) -> int:
    """The number of the column that is read for a number."""
    return _column(tuple(table), number)


@lru_cache(maxsize=4096)
def _column(columns: tuple[int, ...], number: int) -> int:
    below = [each for each in columns if each <= number]
    return max(below) if below else min(columns)


def die(g: Table[State], kind: str, nation: str, type: str = "") -> Procedure[int]:
    """One die, for a nation."""
    (face,) = yield from g.roll(kind, (RollLine(nation, type, 1, 0),))
    return face
