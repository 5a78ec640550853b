"""An append-only list that forks in constant time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")

_FLATTEN_AT = 16


class Log(Generic[T]):
    """A journal or event list. `fork()` shares what is there; both sides go on separately.

    Sharing is safe because nothing is ever removed: a shorter log is a new one (`upto`).
    """

    __slots__ = ("_length", "_parts", "_tail")

    def __init__(self) -> None:
        self._parts: tuple[tuple[list[T], int], ...] = ()
        self._tail: list[T] = []
        self._length = 0

    def append(self, item: T) -> None:
        self._tail.append(item)
        self._length += 1

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        for part, count in self._parts:
            yield from islice(part, count)
        yield from self._tail

    def __getitem__(self, index: int) -> T:
        if index < 0:
            index += self._length
        if not 0 <= index < self._length:
            raise IndexError(index)
        for part, count in self._parts:
            if index < count:
                return part[index]
            index -= count
        return self._tail[index]

    def since(self, start: int) -> list[T]:
        """The items from `start` on."""
        items: list[T] = []
        for part, count in (*self._parts, (self._tail, len(self._tail))):
            if start < count:
                items += part[start:count]
            start = max(0, start - count)
        return items

    def fork(self) -> Log[T]:
        """A log with the same items that goes on by itself; O(1) but for a rare tidying."""
        return self.upto(self._length)

    def upto(self, length: int) -> Log[T]:
        """A log of the first `length` items, which it shares; at the cost of `fork`."""
        if len(self._parts) >= _FLATTEN_AT:
            # Here and not in the copy, so that the next copies of this log have it cheap.
            self._tail = list(self)
            self._parts = ()
        copy: Log[T] = Log()
        parts = []
        for part, count in (*self._parts, (self._tail, len(self._tail))):
            taken = min(count, length - copy._length)
            if taken <= 0:
                break
            parts.append((part, taken))
            copy._length += taken
        copy._parts = tuple(parts)
        return copy
