"""Where each version of a game stands in its journal, and what made it."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator

from msgspec import Struct

Known = tuple[str, ...] | None
"""Powers; None are all, and whoever looks on."""


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
    known: Known = None
    """Who may know that there was this version; None if everybody may."""


class Columns(Struct):
    """The marks of all versions as plain data."""

    lengths: list[int]
    events: list[int]
    powers: list[str]
    accounts: list[str | None]
    final: list[bool]
    gone: list[bool]
    known: list[Known]


class Marks:
    """The marks of all versions. In columns: a long game has thousands, and waits in memory.

    Each viewer counts only those versions that it may know of: `number` and `version` lead from the
    count of all to a viewer's and back. A viewer is the powers that one person runs.
    """

    __slots__ = ("_events", "_final", "_gone", "_known", "_lengths", "_makers", "_secret", "_who")

    def __init__(self) -> None:
        self._lengths = array("i")
        self._events = array("i")
        self._who = array("H")
        """Which of `_makers` made the version."""
        self._makers: dict[tuple[str, str | None], int] = {}
        """The powers and accounts that have made versions, numbered."""
        self._known: dict[int, tuple[str, ...]] = {}
        """The versions that not everybody may know of: who may."""
        self._secret: dict[tuple[str, ...], array[int]] = {}
        """The same the other way round."""
        self._final = bytearray()
        self._gone = bytearray()

    def __len__(self) -> int:
        return len(self._lengths)

    def __getitem__(self, version: int) -> Mark:
        return Mark(
            self._lengths[version],
            self._events[version],
            *list(self._makers)[self._who[version]],
            bool(self._final[version]),
            bool(self._gone[version]),
            self._known.get(version),
        )

    def __iter__(self) -> Iterator[Mark]:
        return (self[version] for version in range(len(self)))

    def append(self, mark: Mark) -> None:
        self._lengths.append(mark.length)
        self._events.append(mark.events)
        self._who.append(self._makers.setdefault((mark.power, mark.account), len(self._makers)))
        self._final.append(mark.final)
        self._gone.append(mark.gone)
        if mark.known is not None:
            version = len(self) - 1
            self._known[version] = mark.known
            self._secret.setdefault(mark.known, array("i")).append(version)

    def take_back(self, length: int) -> None:
        """The newest versions, whose journals are longer than this, are gone."""
        for version in range(len(self) - 1, -1, -1):
            if self._lengths[version] <= length:
                break
            self._gone[version] = True

    def take_out(self, version: int, length: int, events: int) -> None:
        """A version that brought so many entries and events is gone, and all after it stand without
        it."""
        self._gone[version] = True
        for later in range(version, len(self)):
            self._lengths[later] -= length
            self._events[later] -= events

    @property
    def secret(self) -> Collection[int]:
        """The versions that not everybody may know of."""
        return self._known.keys()

    def counts(self) -> dict[str, int]:
        """How many there are of them, by the powers that may know."""
        return {" ".join(known): len(versions) for known, versions in self._secret.items()}

    def knows(self, powers: Collection[str], version: int) -> bool:
        """Whether a viewer may know of a version."""
        known = self._known.get(version)
        return known is None or any(power in powers for power in known)

    def number(self, powers: Collection[str], version: int) -> int:
        """How many versions up to this one a viewer knows of: its own number for it."""
        return version - sum(
            bisect_right(versions, version)
            for known, versions in self._secret.items()
            if not any(power in powers for power in known)
        )

    def version(self, powers: Collection[str], number: int) -> int:
        """The first version that has this number for a viewer; one that is not there if none
        has."""
        every = range(len(self))
        return bisect_left(every, number, key=lambda version: self.number(powers, version))

    def events_since(self, version: int) -> int:
        """How many of the events that there were at a version still are the first of all."""
        return min(self._events[version:])

    def decided_since(self, version: int) -> list[str]:
        """The powers that have decided after a version."""
        makers = list(self._makers)
        return [makers[who][0] for who in self._who[version + 1 :]]

    def columns(self) -> Columns:
        """As plain data."""
        makers = list(self._makers)
        return Columns(
            self._lengths.tolist(),
            self._events.tolist(),
            [makers[who][0] for who in self._who],
            [makers[who][1] for who in self._who],
            [bool(each) for each in self._final],
            [bool(each) for each in self._gone],
            [self._known.get(version) for version in range(len(self))],
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
            columns.known,
            strict=True,
        ):
            marks.append(Mark(*each))
        return marks

    def copy(self) -> Marks:
        """As they are now; the game may go on."""
        copy = Marks()
        copy._lengths, copy._events = self._lengths[:], self._events[:]
        copy._who, copy._makers = self._who[:], self._makers.copy()
        copy._final, copy._gone = self._final[:], self._gone[:]
        copy._known = self._known.copy()
        copy._secret = {known: versions[:] for known, versions in self._secret.items()}
        return copy
