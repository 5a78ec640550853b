"""Editing a position by hand: what the games share."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

from sandtable.kernel.decisions import shown
from sandtable.kernel.display import Change, Row
from sandtable.kernel.errors import PositionError

U = TypeVar("U")

Units = Mapping[tuple[str, str, str], int]
"""Space, power and type to number."""


def known(name: str, names: Collection[str] | Mapping[str, Any], what: str) -> str:
    """The name; PositionError if there is no such thing."""
    if name not in names:
        raise PositionError(f"There is no {what} {shown(name)} here.")
    return name


class Names(NamedTuple):
    """How a game calls things."""

    units: Callable[[str, int], str]
    """So many of a type: `2 infantry`."""
    power: Callable[[str], str]
    space: Callable[[str], str]


class Kind(NamedTuple):
    """A type of units that can be in a space."""

    id: str
    name: str
    symbol: str


def unit_rows(
    space: str,
    here: Mapping[tuple[str, str], int],
    owners: Iterable[str],
    kinds: Iterable[Kind],
    name: Callable[[str], str],
    most: int,
) -> list[Row]:
    """A row for each type that the first of the owners may have in a space, and for each that
    another has there. `here` counts them by owner and type."""
    first, *others = owners
    kinds = list(kinds)
    return [
        Row(
            f"units:{space}:{owner}:{kind.id}",
            kind.name,
            ("units", space, owner, kind.id),
            most,
            value=here.get((owner, kind.id), 0),
            symbol=kind.symbol,
            power=owner,
            group=name(owner),
            space=space,
        )
        for owner in (first, *others)
        for kind in kinds
        if owner == first or here.get((owner, kind.id))
    ]


def units_changed(before: Units, after: Units, names: Names) -> Iterator[Change]:
    """What has become of units: moved where as many came to one space as left another, else added
    or removed."""
    gone: dict[tuple[str, str], dict[str, int]] = {}
    come: dict[tuple[str, str], dict[str, int]] = {}
    for space, power, type in sorted({*before, *after}):
        key = space, power, type
        more = after.get(key, 0) - before.get(key, 0)
        if more:
            (come if more > 0 else gone).setdefault((power, type), {})[space] = abs(more)
    for power, type in sorted({*gone, *come}):
        left, new = gone.get((power, type), {}), come.get((power, type), {})
        for there in list(new):
            for here in list(left):
                count = min(left.get(here, 0), new.get(there, 0))
                if not count:
                    continue
                for table, space in ((left, here), (new, there)):
                    table[space] -= count
                way = f"moved from {names.space(here)} to {names.space(there)}"
                yield _change(names, power, type, count, way, there)
        for table, what in ((left, "removed from"), (new, "added to")):
            for space, count in table.items():
                if count:
                    yield _change(names, power, type, count, f"{what} {names.space(space)}", space)


def _change(names: Names, power: str, type: str, count: int, what: str, space: str) -> Change:
    return Change(f"{names.units(type, count)} of {names.power(power)} {what}", power, space)


class _Board(Protocol[U]):
    """A state whose spaces hold units that are alike, with their numbers."""

    def stack(self, space: str, /) -> Mapping[U, int]: ...
    def put(self, space: str, unit: U, count: int, /) -> None: ...
    def take(self, space: str, unit: U, count: int, /) -> None: ...


def adjust(state: _Board[U], space: str, fresh: U, count: int, alike: Callable[[U], bool]) -> None:
    """Let so many of the units that are `alike` be in a space. Those that are there stay as they
    are, those that come are `fresh`; such go first, and those that carry something last."""
    there = [(unit, number) for unit, number in state.stack(space).items() if alike(unit)]
    spare = sum(number for _, number in there) - count
    if spare < 0:
        state.put(space, fresh, -spare)
    for unit, number in sorted(
        there, key=lambda each: (each[0] != fresh, bool(getattr(each[0], "cargo", ())), each)
    ):
        if spare > 0:
            state.take(space, unit, min(spare, number))
            spare -= number


def opening(
    present: Mapping[tuple[str, str], int],
    built: Mapping[tuple[str, str], int],
    lost: Mapping[tuple[str, str], int],
) -> dict[tuple[str, str], int]:
    """With how many units, by power and type, a game would have begun that has come to what is
    present by what was built and lost."""
    return {
        key: begun
        for key in sorted({*present, *built, *lost})
        if (begun := present.get(key, 0) - built.get(key, 0) + lost.get(key, 0))
    }


def refuse(before: Collection[str], after: Iterable[str], names: Mapping[str, str]) -> None:
    """PositionError with the first fault of an edited position that was not there before. `names`
    are those of the ids in it."""
    for fault in after:
        if fault not in before:
            # Of a field that custom positions have only the place is said.
            sentence = re.sub(r"^\w+\.(\w+)[\w.]*(?=:)", r"\1", fault)
            sentence = re.sub(r"\w+", lambda word: names.get(word[0], word[0]), sentence)
            raise PositionError(sentence[:1].upper() + sentence[1:])
