"""One thing after the other for each person, so that nobody keeps the server from all others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sandtable.server.errors import Problem

MOST = 60
"""Things of one person that may wait or be in work."""


class Turns:
    """A queue for each person: what takes long is done one piece at a time for each of them."""

    def __init__(self) -> None:
        self._queues: dict[str, tuple[asyncio.Lock, list[None]]] = {}

    @asynccontextmanager
    async def of(self, who: str) -> AsyncIterator[None]:
        """Wait for the turn of `who` and have it; Problem 429 if too much of theirs waits."""
        lock, all_of_them = self._queues.setdefault(who, (asyncio.Lock(), []))
        if len(all_of_them) >= MOST:
            raise Problem(
                429,
                "You ask faster than can be answered. Wait for the answers.",
                headers={"Retry-After": "2"},
            )
        all_of_them.append(None)
        try:
            async with lock:
                yield
        finally:
            all_of_them.pop()
            if not all_of_them:
                del self._queues[who]
