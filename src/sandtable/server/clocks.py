"""What time alone brings about: deadlines, notices to the absent, and tidying up.

Every server process sweeps for itself; each step is one conditional change of the database, so that
it does not matter if two do it together.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial

import structlog
from fastapi import FastAPI
from sqlalchemy import delete, select

from sandtable.server import absence, lobby
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.limits import forget_full_buckets
from sandtable.server.live import News
from sandtable.server.lobby import deadline
from sandtable.server.room import Stale
from sandtable.server.tables import Device, GameRow, Letter, Seat, Session

SWEEP_EVERY = 15.0
CLEAR_EVERY = 3600.0
SILENCE = 60.0
"""In seconds: a process that has not been heard for so long has gone. Each tells at every sweep who
is connected to it."""

FORGOTTEN = timedelta(days=30)
"""A table at which nobody has begun to play for so long is cleared."""

SETTLE_EVERY = 2.0

COLLECT_AT = (10_000, 20, 50)
"""The garbage collector's thresholds: next to nothing here is a circle of references, and a full
collection in the midst of play would keep everybody waiting. `collect` sees to it."""

STUCK = timedelta(seconds=10)
"""A bot that has had its turn for so long is driven by nobody."""

_log = structlog.get_logger("sandtable.clocks")


_PLAYED = Seat.kind == "person", Seat.bot == ""


def overdue(database: Database) -> list[tuple[str, int, datetime]]:
    """Where the clock says that a bot is to stand in, whoever has not decided in time: the game,
    the number of the seat, and since when it has had to decide."""
    now = datetime.now(UTC)
    with database.reading() as session:
        found = session.execute(
            select(GameRow, Seat)
            .join(Seat, Seat.game == GameRow.id)
            .where(GameRow.status == "running")
            .where(GameRow.clock["then"].as_string() == "bot")
            .where(Seat.kind == "person", Seat.bot == "", Seat.since < now)
        ).all()
    return [
        (game.id, seat.number, seat.since)
        for game, seat in found
        if (due := deadline(game, seat)) is not None and due <= now and seat.since is not None
    ]


def stuck_bots(database: Database) -> list[str]:
    """The games in which a bot has to decide and nobody lets it: the server that did is gone."""
    before = datetime.now(UTC) - STUCK
    with database.reading() as session:
        return list(
            session.scalars(
                select(GameRow.id)
                .join(Seat, Seat.game == GameRow.id)
                .where(GameRow.status == "running", GameRow.updated < before)
                .where(Seat.bot != "", Seat.since < before)
                # Bots that nobody plays with wait until somebody looks.
                .where(GameRow.id.in_(select(Seat.game).where(*_PLAYED)))
                .distinct()
                .limit(100)
            )
        )


def tidy(database: Database) -> None:
    """Remove sessions and letters that have expired, limits that nobody has touched, and tables at
    which nobody has begun to play."""
    now = datetime.now(UTC)
    with database.transaction() as session:
        forget_full_buckets(session)
        session.execute(delete(Session).where(Session.expires < now))
        session.execute(delete(Letter).where(Letter.expires < now))
        session.execute(delete(Device).where(Device.expires < now))
        old = list(
            session.scalars(
                select(GameRow.id)
                .where(GameRow.status == "lobby", GameRow.updated < now - FORGOTTEN)
                .limit(100)
                .with_for_update()  # nobody sits down meanwhile
            )
        )
        for id in old:
            lobby.remove(session, id)


# --- the sweep -----------------------------------------------------------------------------------


@asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[None]:
    """Sweep every now and then as long as the application runs."""
    before = gc.get_threshold()
    gc.set_threshold(*COLLECT_AT)
    tasks = [
        asyncio.create_task(_again(sweep, app, SWEEP_EVERY)),
        asyncio.create_task(_again(settle, app, SETTLE_EVERY)),
        asyncio.create_task(_again(clear, app, CLEAR_EVERY)),
    ]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        gc.set_threshold(*before)


async def _again(work: Callable[[FastAPI], Awaitable[None]], app: FastAPI, every: float) -> None:
    while True:
        try:
            await work(app)
        except Problem as problem:
            _log.warning(f"{work.__name__} failed", problem=str(problem))
        except Exception:
            # A defect; but without sweeps games would stand still, and the next may go better.
            _log.exception(f"{work.__name__} failed")
        await asyncio.sleep(every)


async def clear(app: FastAPI) -> None:
    """Remove what nobody needs any more, from the database and from memory."""
    await asyncio.to_thread(tidy, app.state.database)
    collect(everything=True)


async def settle(app: FastAPI) -> None:
    """See to memory and disk in small steps: left to themselves they take large ones, for which
    everybody waits."""
    collect(everything=False)
    await asyncio.to_thread(app.state.database.checkpoint)


def collect(*, everything: bool) -> None:
    """Collect what is garbage of what is new, and spare the garbage collector the rest from now on.
    With `everything` it looks at every object of every game, and everybody waits for that (a
    quarter of a second with 200 games): once in a while."""
    if everything:
        gc.unfreeze()
    gc.collect(2 if everything else 1)
    gc.freeze()


_ARENA_MAX = -8
"""The number that glibc has for the setting."""


def one_heap() -> None:
    """Let all threads take memory from one heap, where each would have its own (glibc): what a game
    keeps would lie among what other threads have freed, and none of that could be given back. Only
    threads that begin later heed it."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


def give_back() -> None:
    """Give memory that is free back to the system, where that has to be asked for (glibc): it would
    stay with the process, up to a third of all that it has."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


async def sweep(app: FastAPI) -> None:
    """Everything that is due now."""
    database, live, rooms = app.state.database, app.state.live, app.state.rooms
    await rooms.pulse()
    for process in live.silent(SILENCE):
        await rooms.heard(News("stopped", process=process))
    for id, number, since in await asyncio.to_thread(overdue, database):
        late = partial(absence.stand_in, live, number=number, since=since, why="player_late")
        # Unless the person has decided, or another process has seen to it.
        with suppress(Stale):
            said = await rooms.run(id, late)
            await rooms.refresh(id)
            await rooms.heard(News("chat", id, number=said))
    for id in await asyncio.to_thread(stuck_bots, database):
        await rooms.drive(id)
    rooms.tidy()
    await asyncio.to_thread(give_back)
