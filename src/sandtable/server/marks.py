"""Where each version of a game stands in its journal, and what made it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from msgspec import Struct


class Mark(Struct, frozen=True, gc=False):
    """Where a version of the game stands in its journal, and what made it."""

    length: int
    events: int
    power: str = ""
    account: str | None = None
    final: bool = False
    """It cannot be taken back: a die has fallen, or others have shown what they had decided."""
    gone: bool = False
    """It has been taken back since."""


class Columns(Struct):
    """The marks of all versions as plain data."""

    lengths: list[int]
    events: list[int]
    powers: list[str]
    accounts: list[str | None]
    final: list[bool]
    gone: list[bool]


class Marks:
    """The marks of all versions. In columns: a long game has thousands, and waits in memory."""

    __slots__ = ("_events", "_final", "_gone", "_known", "_lengths", "_who")

    def __init__(self) -> None:
        self._lengths = array("i")
        self._events = array("i")
        self._who = array("H")
        """Which of `_known` made the version."""
        self._known: dict[tuple[str, str | None], int] = {}
        """The powers and accounts that have made versions, numbered."""
        self._final = bytearray()
        self._gone = bytearray()

    def __len__(self) -> int:
        return len(self._lengths)

    def __getitem__(self, version: int) -> Mark:
        return Mark(
            self._lengths[version],
            self._events[version],
            *self._makers()[self._who[version]],
            bool(self._final[version]),
            bool(self._gone[version]),
        )

    def __iter__(self) -> Iterator[Mark]:
        return (self[version] for version in range(len(self)))

    def append(self, mark: Mark) -> None:
        self._lengths.append(mark.length)
        self._events.append(mark.events)
        self._who.append(self._known.setdefault((mark.power, mark.account), len(self._known)))
        self._final.append(mark.final)
        self._gone.append(mark.gone)

    def take_back(self, length: int) -> None:
        """The newest versions, whose journals are longer than this, are gone."""
        for version in range(len(self) - 1, -1, -1):
            if self._lengths[version] <= length:
                break
            self._gone[version] = True

    def events_since(self, version: int) -> int:
        """How many of the events that there were at a version still are the first of all."""
        return min(self._events[version:])

    def decided_since(self, version: int) -> list[str]:
        """The powers that have decided after a version."""
        makers = self._makers()
        return [makers[who][0] for who in self._who[version + 1 :]]

    def columns(self) -> Columns:
        """As plain data."""
        makers = self._makers()
        return Columns(
            self._lengths.tolist(),
            self._events.tolist(),
            [makers[who][0] for who in self._who],
            [makers[who][1] for who in self._who],
            [bool(each) for each in self._final],
            [bool(each) for each in self._gone],
        )

    @classmethod
    def of(cls, columns: Columns) -> Marks:
        """The marks with this plain data."""
        marks = cls()
        for each in zip(
            columns.lengths,
            columns.events,
            columns.powers,
            columns.accounts,
            columns.final,
            columns.gone,
            strict=True,
        ):
            marks.append(Mark(*each))
        return marks

    def copy(self) -> Marks:
        """As they are now; the game may go on."""
        copy = Marks()
        copy._lengths, copy._events = self._lengths[:], self._events[:]
        copy._who, copy._known = self._who[:], self._known.copy()
        copy._final, copy._gone = self._final[:], self._gone[:]
        return copy

    def _makers(self) -> list[tuple[str, str | None]]:
        return list(self._known)
