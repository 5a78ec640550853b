"""An append-only list that forks in constant time."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, takewhile
from typing import Generic, TypeVar, cast, overload

T = TypeVar("T")

_FLATTEN_AT = 16
_CHUNK = 64
"""Items that are packed together, and unpacked to look at one of them."""


class _Packed(Sequence[T]):
    """Items that are seldom looked at, in a twentieth of the memory."""

    __slots__ = ("chunks",)

    def __init__(self, chunks: tuple[bytes, ...]) -> None:
        self.chunks = chunks

    def __len__(self) -> int:
        return len(self.chunks) * _CHUNK

    def __iter__(self) -> Iterator[T]:
        for chunk in self.chunks:
            yield from _unpacked(chunk)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, int):
            return cast(T, _unpacked(self.chunks[index // _CHUNK])[index % _CHUNK])
        start, stop, _ = index.indices(len(self))
        first = start // _CHUNK
        items: list[T] = []
        for chunk in self.chunks[first : -(-stop // _CHUNK)]:
            items += _unpacked(chunk)
        return items[start - first * _CHUNK : stop - first * _CHUNK]


class _Later(Sequence[T]):
    """Items that are fetched when somebody first asks for one."""

    __slots__ = ("_count", "_fetch")

    def __init__(self, count: int, fetch: Callable[[], Log[T]]) -> None:
        self._count = count
        self._fetch = fetch

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[T]:
        return iter(self._fetch())

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, int):
            return self._fetch()[index]
        start, stop, _ = index.indices(self._count)
        return self._fetch().since(start)[: stop - start]


def _pack(items: list[T]) -> bytes:
    return zlib.compress(pickle.dumps(items, pickle.HIGHEST_PROTOCOL), 3)


def _unpacked(chunk: bytes) -> list[T]:
    # Only ever what `_pack` has made in this process.
    items: list[T] = pickle.loads(zlib.decompress(chunk))
    return items


class Log(Generic[T]):
    """A journal or event list. `fork()` shares what is there; both sides go on separately.

    Sharing is safe because nothing is ever removed: a shorter log is a new one (`upto`).
    """

    __slots__ = ("_parts", "_tail", "length")

    def __init__(self) -> None:
        self._parts: tuple[tuple[Sequence[T], int], ...] = ()
        self._tail: list[T] = []
        self.length = 0
        """What `len` gives, for whoever asks at every step."""

    @classmethod
    def later(cls, count: int, fetch: Callable[[], Log[T]]) -> Log[T]:
        """A log that goes on after the first `count` items of another, which is fetched when
        somebody asks for one of them."""
        log: Log[T] = cls()
        if count:
            log._parts = ((_Later(count, fetch), count),)
            log.length = count
        return log

    @property
    def at_hand(self) -> int:
        """The number of the first item for which nothing has to be fetched."""
        return sum(count for part, count in self._parts[:1] if isinstance(part, _Later))

    def append(self, item: T) -> None:
        self._tail.append(item)
        self.length += 1

    def __len__(self) -> int:
        return self.length

    def __iter__(self) -> Iterator[T]:
        for part, count in self._parts:
            yield from islice(part, count)
        yield from self._tail

    def __getitem__(self, index: int) -> T:
        if index < 0:
            index += self.length
        if not 0 <= index < self.length:
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
        return self.upto(self.length)

    def upto(self, length: int) -> Log[T]:
        """A log of the first `length` items, which it shares; at the cost of `fork`."""
        if len(self._parts) >= _FLATTEN_AT:
            # Here and not in the copy, so that the next copies of this log have it cheap. In one
            # step, as others may be reading it.
            far = tuple(takewhile(lambda part: not isinstance(part[0], list), self._parts))
            flat = [item for part, count in self._parts[len(far) :] for item in part[:count]]
            self._parts = (*far, (flat, len(flat)))
        copy: Log[T] = Log()
        parts = []
        for part, count in (*self._parts, (self._tail, len(self._tail))):
            taken = min(count, length - copy.length)
            if taken <= 0:
                break
            parts.append((part, taken))
            copy.length += taken
        copy._parts = tuple(parts)
        return copy

    def pack(self, keep: int) -> None:
        """Let all but the last `keep` items or some more take little memory; to look at them takes
        longer then. What comes out again is equal, not the same. Nobody else may use the log
        meanwhile; its forks go on as they are."""
        first = self.at_hand
        later = self._parts[:1] if first else ()
        chunks: tuple[bytes, ...] = ()
        for part, count in self._parts[len(later) : len(later) + 1]:
            if isinstance(part, _Packed):
                chunks = part.chunks[: count // _CHUNK]
        more = (self.length - first - keep) // _CHUNK - len(chunks)
        if more <= 0:
            return
        items = self.since(first + len(chunks) * _CHUNK)
        starts = range(0, more * _CHUNK, _CHUNK)
        chunks += tuple(_pack(items[start : start + _CHUNK]) for start in starts)
        self._parts = (*later, (_Packed(chunks), len(chunks) * _CHUNK))
        self._tail = items[more * _CHUNK :]
