"""What time alone brings about: deadlines, notices to the absent, and tidying up.

Every server process sweeps for itself; each step is one conditional change of the database, so that
it does not matter if two do it together.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta

import structlog
from fastapi import FastAPI
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session as Transaction

from sandtable.server import lobby, notices
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.limits import forget_full_buckets
from sandtable.server.live import Live, News
from sandtable.server.lobby import deadline
from sandtable.server.tables import Device, GameRow, Letter, Remark, Seat, Session

SWEEP_EVERY = 15.0
TIDY_EVERY = 3600.0
SILENCE = 60.0
"""In seconds: a process that has not been heard for so long has gone. Each tells at every sweep who
is connected to it."""

STAND_IN = "greedy"
"""The bot that plays for whoever does not decide in time."""

FORGOTTEN = timedelta(days=30)
"""A table at which nobody has begun to play for so long is cleared."""

COLLECT_AT = (10_000, 20, 50)
"""The garbage collector's thresholds: next to nothing here is a circle of references, and a full
collection in the midst of play would keep everybody waiting. The sweep sees to it (`settle`)."""

STUCK = timedelta(seconds=10)
"""A bot that has had its turn for so long is driven by nobody."""

_log = structlog.get_logger("sandtable.clocks")


_PLAYED = Seat.kind == "person", Seat.bot == ""


def remark(session: Transaction, live: Live, game: GameRow, text: str) -> int:
    """Say in a game's chat what has become of a seat; the remark's number."""
    said = Remark(game=game.id, account=game.creator, name="", text=text, at=datetime.now(UTC))
    session.add(said)
    session.flush()
    live.tell(session, News("chat", game.id, number=said.id))
    return said.id


def pass_deadlines(database: Database, live: Live) -> list[tuple[str, int]]:
    """Where the clock says so, let a bot stand in for whoever has not decided in time. The games
    whose seats have changed, each with the remark that says so."""
    now = datetime.now(UTC)
    with database.reading() as session:
        found = session.execute(
            select(GameRow, Seat)
            .join(Seat, Seat.game == GameRow.id)
            .where(GameRow.status == "running")
            .where(Seat.kind == "person", Seat.bot == "", Seat.since < now)
        ).all()
    changed: list[tuple[str, int]] = []
    for game, seat in found:
        due = deadline(game, seat)
        if due is None or due > now or (game.clock or {}).get("then") != "bot":
            continue
        with database.transaction() as session:
            taken = session.execute(
                update(Seat)
                .where(Seat.game == seat.game, Seat.number == seat.number)
                # Unless the person has decided, or somebody else has seen to it.
                .where(Seat.bot == "", Seat.since == seat.since)
                .values(bot=STAND_IN, votes=[])
            )
            if taken.rowcount == 1:  # type: ignore[attr-defined]
                words = f"{seat.player} has not decided in time: a bot plays on meanwhile."
                changed.append((game.id, remark(session, live, game, words)))
                if seat.account is not None:
                    notices.add(session, game.id, seat.account, game.version, "takeover")
                live.tell(session, News("info", game.id))
    return changed


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
    sweeping = asyncio.create_task(_sweep(app))
    try:
        yield
    finally:
        sweeping.cancel()
        with suppress(asyncio.CancelledError):
            await sweeping
        gc.set_threshold(*before)


async def _sweep(app: FastAPI) -> None:
    tidied = float("-inf")
    while True:
        try:
            await sweep(app)
            hourly = time.monotonic() > tidied + TIDY_EVERY
            if hourly:
                await asyncio.to_thread(tidy, app.state.database)
                tidied = time.monotonic()
            settle(everything=hourly)
        except Problem as problem:
            _log.warning("sweep failed", problem=str(problem))
        except Exception:
            # A defect; but without sweeps games would stand still, and the next may go better.
            _log.exception("sweep failed")
        await asyncio.sleep(SWEEP_EVERY)


def settle(*, everything: bool) -> None:
    """Spare the garbage collector what is in memory for long. A full collection looks at every
    object of every game, and everybody waits for that: a quarter of a second with 200 games. It is
    made once in a while, with `everything`."""
    if everything:
        gc.unfreeze()
    gc.collect(2 if everything else 1)
    gc.freeze()


async def sweep(app: FastAPI) -> None:
    """Everything that is due now."""
    database, live, rooms = app.state.database, app.state.live, app.state.rooms
    await rooms.pulse()
    for process in live.silent(SILENCE):
        await rooms.heard(News("stopped", process=process))
    for id, number in await asyncio.to_thread(pass_deadlines, database, live):
        await rooms.refresh(id)
        await rooms.heard(News("chat", id, number=number))
    for id in await asyncio.to_thread(stuck_bots, database):
        await rooms.drive(id)
    rooms.tidy()
