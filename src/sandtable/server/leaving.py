"""Deleting an account. What belongs to one person alone goes; games with others stay, without the
name."""

from __future__ import annotations

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session as Transaction
from starlette.concurrency import run_in_threadpool

from sandtable.server import absence, lobby
from sandtable.server.accounts import Person
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.live import Live, News
from sandtable.server.room import Room
from sandtable.server.rooms import Rooms
from sandtable.server.tables import (
    Account,
    Device,
    GameRow,
    Letter,
    Notice,
    Remark,
    Seat,
    Session,
)

NAME = "Former player"


async def resign_everywhere(database: Database, live: Live, rooms: Rooms, who: Person) -> None:
    """Give up all seats in running games in which others play; the name is gone before, so that
    nobody reads that it resigned."""
    for seat in await run_in_threadpool(_nameless, database, who):

        def resign(room: Room, power: str = seat.powers[0]) -> None:
            try:
                absence.resign(live, who, room, power)
            except Problem as problem:
                # Another seat of the same person has ended the game, or it has ended by itself.
                if problem.status != 409:
                    raise

        await rooms.run(seat.game, resign)
        await rooms.refresh(seat.game)


def _nameless(database: Database, who: Person) -> list[Seat]:
    """Take the name off all seats and remarks; those seats that are to be given up."""
    with database.transaction() as session:
        _clear_results(session, who)
        named = update(Seat).where(Seat.account == who.id, Seat.player != "")
        session.execute(named.values(player=NAME, registered=False))
        said = update(Remark).where(Remark.account == who.id, Remark.name != "")
        session.execute(said.values(name=NAME, registered=False))
        seats = session.scalars(
            select(Seat)
            .join(GameRow, GameRow.id == Seat.game)
            .where(Seat.account == who.id, Seat.kind == "person", GameRow.status == "running")
        ).all()
        return [seat for seat in seats if _others(session, seat.game, who)]


def _clear_results(session: Transaction, who: Person) -> None:
    """Take the name out of results, which named who resigned, and out of what was said of seats."""
    sat = session.execute(
        select(GameRow, Seat.player)
        .join(Seat, Seat.game == GameRow.id)
        .where(Seat.account == who.id, Seat.player != "")
    ).all()
    for head, player in sat:
        if head.result and player in head.result.get("reason", ""):
            reason = head.result["reason"].replace(player, NAME)
            head.result = {**head.result, "reason": reason}
        told = select(Remark).where(Remark.game == head.id, Remark.name == "")
        for remark in session.scalars(told):
            remark.text = remark.text.replace(player, NAME)


def remove(database: Database, live: Live, who: Person) -> list[str]:
    """Delete an account and all that is its alone; the tables that have changed or gone. Its row
    stays as a name for what it did in games with others."""
    with database.transaction() as session:
        touched = list(
            session.scalars(
                select(GameRow.id)
                .outerjoin(Seat, Seat.game == GameRow.id)
                .where((GameRow.creator == who.id) | (Seat.account == who.id))
                .distinct()
            )
        )
        for id in touched:
            head = session.get_one(GameRow, id, with_for_update=True)
            gone = head.status == "lobby" and head.creator == who.id
            if gone or not _others(session, id, who):
                lobby.remove(session, id)
            elif head.status == "lobby":
                seats = session.scalars(select(Seat).where(Seat.game == id)).all()
                lobby.stop_starting(head, seats)
                for seat in seats:
                    if seat.account == who.id:
                        lobby.vacate(seat)
            live.tell(session, News("info", id))
        for table in (Session, Letter, Notice, Device):
            session.execute(delete(table).where(table.account == who.id))
        account = session.get_one(Account, who.id)
        account.name, account.login, account.password = NAME, None, None
        account.email, account.confirmed, account.webhook = None, False, None
    return touched


def _others(session: Transaction, id: str, who: Person) -> bool:
    accounts = session.scalars(select(Seat.account).where(Seat.game == id))
    return any(account not in (None, who.id) for account in accounts)
