"""Slots for what takes long, shared fairly: of each person one piece at a time, of each address
never all of them, and next comes whoever has had least of them lately."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from sandtable.server.errors import Problem

MOST = 60
"""Things of one person that may wait, unless it is said otherwise."""
HALF_LIFE = 60.0
"""After so many seconds what somebody has used counts half."""
_KEPT = 10_000
"""Persons and addresses whose use is remembered."""


class Shares:
    """So many slots. A person waits for its own earlier work, and for nobody who has used more."""

    def __init__(
        self, at_once: int, most: int = MOST, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._free = at_once
        self._most = most
        self._of_an_address = max(1, at_once - 1)
        self._clock = clock
        self._waiting: list[_Waiting] = []
        self._working: Counter[str] = Counter()
        self._used: dict[str, tuple[float, float]] = {}

    @asynccontextmanager
    async def of(self, who: str, where: str = "") -> AsyncIterator[None]:
        """Wait for a slot for `who`, at the address `where`, and have it; Problem 429 if too much
        of theirs waits."""
        mine = _Waiting(who, where)
        if sum(each.who == who for each in self._waiting) >= self._most:
            raise Problem(
                429,
                "You ask faster than can be answered. Wait for the answers.",
                headers={"Retry-After": "2"},
            )
        self._waiting.append(mine)
        self._give()
        try:
            await mine.turn
        except asyncio.CancelledError:
            if mine.turn.done() and not mine.turn.cancelled():
                self._end(mine, 0.0)
            else:
                self._waiting.remove(mine)
            raise
        began = self._clock()
        try:
            yield
        finally:
            self._end(mine, self._clock() - began)

    def _give(self) -> None:
        """Give free slots to those who wait."""
        while self._free:
            # Who has given up is still in the row until told so.
            able = [e for e in self._waiting if not e.turn.cancelled() and self._may(e)]
            if not able:
                return
            # The first of those who have used least.
            chosen = min(able, key=lambda each: max(self.used(each.who), self.used(each.where)))
            self._waiting.remove(chosen)
            self._free -= 1
            self._working.update(_keys(chosen))
            chosen.turn.set_result(None)

    def _may(self, each: _Waiting) -> bool:
        who, where = _keys(each)
        return not self._working[who] and self._working[where] < self._of_an_address

    def _end(self, done: _Waiting, seconds: float) -> None:
        self._free += 1
        self._working.subtract(_keys(done))
        self._working += Counter()  # without those who have nothing in work
        now = self._clock()
        for name in {done.who, done.where} - {""}:
            self._used[name] = self.used(name) + seconds, now
        if len(self._used) > _KEPT:
            least = sorted(self._used, key=self.used)
            for name in least[: _KEPT // 2]:
                del self._used[name]
        self._give()

    def used(self, name: str) -> float:
        """The seconds that a person or an address has used lately."""
        seconds, at = self._used.get(name, (0.0, 0.0))
        return float(seconds * 0.5 ** ((self._clock() - at) / HALF_LIFE))


class _Waiting:
    def __init__(self, who: str, where: str) -> None:
        self.who = who
        self.where = where
        self.turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()


def _keys(each: _Waiting) -> tuple[str, str]:
    """Under which names work is counted: an account and an address may have the same."""
    return f"who {each.who}", f"where {each.where or each.who}"
