"""Telling the other server processes on the same database what happened, and hearing it from them.

PostgreSQL carries it (LISTEN/NOTIFY): what is told inside a transaction is heard when that is
committed, and never if it is not. With SQLite there is one process, and nobody to tell.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec
import structlog
from fastapi import FastAPI
from sqlalchemy import Connection, make_url, text
from sqlalchemy.orm import Session

CHANNEL = "sandtable"

_LONGEST = 7000
"""PostgreSQL carries a little under 8,000 bytes."""

_log = structlog.get_logger("sandtable.live")


class News(msgspec.Struct, frozen=True, omit_defaults=True):
    """What happened to a game.

    `what`: "moved" (its journal has grown to `version`), "info" (seats, status or result have
    changed), "chat" (the remark of id `number` is there), "presence" (`seats` and `spectators` are
    connected to that process), "stopped" (the process has gone, and all who were connected to it).
    """

    what: str
    game: str = ""
    version: int = 0
    number: int = 0
    seats: tuple[int, ...] = ()
    spectators: int = 0
    process: str = ""
    """Who tells it; filled in by `Live.tell`."""


class Live:
    """One process's ear and voice."""

    def __init__(self, url: str) -> None:
        address = make_url(url)
        self.process = secrets.token_hex(8)
        self.several = address.get_backend_name() == "postgresql"
        """Whether there may be other processes on this database."""
        self._address = address.set(drivername="postgresql").render_as_string(hide_password=False)
        self._heard: Callable[[News], Awaitable[None]] | None = None
        self._missed: Callable[[], Awaitable[None]] | None = None
        self._task: asyncio.Task[None] | None = None
        self._handling: dict[str, asyncio.Task[None]] = {}
        """By game, what handles its latest news."""
        self._others: dict[str, float] = {}
        """When each of the other processes was last heard."""
        self.listening = asyncio.Event()
        """Set while other processes are heard."""

    def call(
        self, heard: Callable[[News], Awaitable[None]], missed: Callable[[], Awaitable[None]]
    ) -> None:
        """Call `heard` with what other processes tell, about each game in its order, and `missed`
        whenever the connection is there again after it was not: anything may have happened
        meanwhile."""
        self._heard = heard
        self._missed = missed

    def tell(self, session: Session | Connection, news: News) -> None:
        """Tell the other processes once the transaction of `session` is committed."""
        if not self.several:
            return
        content = msgspec.json.encode(msgspec.structs.replace(news, process=self.process))
        assert len(content) < _LONGEST
        session.execute(
            text("SELECT pg_notify(:channel, :content)"),
            {"channel": CHANNEL, "content": content.decode()},
        )

    async def start(self, seconds: float = 10.0) -> None:
        """Begin to listen; returns when other processes are heard, or after some time without."""
        if self.several:
            self._task = asyncio.create_task(self._listen())
            with suppress(TimeoutError):
                await asyncio.wait_for(self.listening.wait(), seconds)

    async def stop(self) -> None:
        """Listen no more."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None
        for task in list(self._handling.values()):
            task.cancel()

    async def _listen(self) -> None:
        """Listen for ever, and connect again when the connection breaks."""
        import psycopg  # an SQLite server starts without it

        first = True
        pause = 0.1
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    self._address,
                    autocommit=True,
                    # A server that has vanished without a word is noticed within half a minute.
                    keepalives_idle=15,
                    keepalives_interval=5,
                    keepalives_count=3,
                ) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}".encode())
                    self.listening.set()
                    pause = 0.1
                    if not first and self._missed is not None:
                        await self._safely(self._missed)
                    first = False
                    async for notice in connection.notifies():
                        news = self._read(notice.payload)
                        if news is not None:
                            self._handle(news)
            except (OSError, psycopg.Error) as error:
                _log.warning("database connection lost", problem=str(error).strip())
            self.listening.clear()
            await asyncio.sleep(pause)
            pause = min(2 * pause, 5.0)

    def silent(self, seconds: float) -> list[str]:
        """The processes that have not told anything for so long, each once. One to which anybody is
        connected tells so every now and then: it has nobody left, or was killed."""
        before = time.monotonic() - seconds
        gone = [process for process, heard in self._others.items() if heard < before]
        for process in gone:
            del self._others[process]
        return gone

    def _handle(self, news: News) -> None:
        """Games do not wait for each other."""
        if self._heard is None:
            return
        self._others[news.process] = time.monotonic()
        earlier = self._handling.get(news.game)
        task = asyncio.create_task(self._after(earlier, news))
        self._handling[news.game] = task
        task.add_done_callback(lambda done: self._handled(news.game, done))

    async def _after(self, earlier: asyncio.Task[None] | None, news: News) -> None:
        if earlier is not None:
            await asyncio.wait([earlier])
        assert self._heard is not None
        await self._safely(self._heard, news)

    def _handled(self, game: str, task: asyncio.Task[None]) -> None:
        if self._handling.get(game) is task:
            del self._handling[game]

    def _read(self, payload: str) -> News | None:
        """What was told, unless we told it ourselves or a version of this program that we do not
        understand did."""
        try:
            news = msgspec.json.decode(payload, type=News)
        except msgspec.MsgspecError:
            _log.warning("news not understood", payload=payload[:200])
            return None
        return None if news.process == self.process else news

    async def _safely(self, told: Callable[..., Awaitable[None]], *arguments: Any) -> None:
        try:
            await told(*arguments)
        except Exception:
            # One game's trouble must not make us deaf for all others.
            _log.exception("news not handled")


@asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[None]:
    """`app.state.live` as long as the application runs."""
    app.state.live = live = Live(app.state.config.database_url)
    await live.start()
    try:
        yield
    finally:
        await live.stop()
