"""Long games are made ready in a process of their own: it runs what was decided and stores a
snapshot, from which the server opens the game in no time. Of each person one at a time."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress

import msgspec
from msgspec import Struct

from sandtable.server import snapshots
from sandtable.server.config import Config
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.room import Room
from sandtable.server.shares import Shares

LONG = 1500
"""Rows that the server runs itself, at most: a second or two."""
AT_ONCE = 2
SECONDS = 120.0


class Wish(Struct):
    """Which game of which database."""

    database_url: str
    game: str


class Openings:
    """The processes that make games ready."""

    def __init__(self) -> None:
        self._shares = Shares(AT_ONCE)

    async def prepare(self, database_url: str, game: str, owner: str) -> None:
        """Have the snapshot of a game made; Problem 503 if that takes too long."""
        async with self._shares.of(owner):
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "sandtable.server.openings",
                stdin=asyncio.subprocess.PIPE,
            )
            try:
                async with asyncio.timeout(SECONDS):
                    await process.communicate(msgspec.json.encode(Wish(database_url, game)))
            except TimeoutError:
                raise Problem(503, "This game is too long to be opened here.") from None
            finally:
                if process.returncode is None:
                    with suppress(ProcessLookupError):
                        process.kill()
                    await process.wait()


def main() -> None:
    """The process: what it shall do comes by stdin."""
    if hasattr(os, "nice"):
        os.nice(10)
    wish = msgspec.json.decode(sys.stdin.buffer.read(), type=Wish)
    database = Database(Config(wish.database_url))
    try:
        if found := Room.last_note(database, wish.game):
            snapshots.write(database, wish.game, *found)
    finally:
        database.close()


if __name__ == "__main__":
    main()
