"""What time alone brings about."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from sandtable.server import clocks
from sandtable.server.config import Config
from sandtable.server.database import Database
from sandtable.server.tables import GameRow, Seat, Session
from tests.server.absent import change, waiting_game


@pytest.fixture
def database(config: Config) -> Iterator[Database]:
    database = waiting_game(config)
    yield database
    database.close()


def test_who_has_not_decided_in_time_is_found(database: Database) -> None:
    change(database, GameRow, clock={"hours": 2, "then": "bot"})
    assert clocks.overdue(database) == []
    change(database, GameRow, clock={"hours": 1, "then": "bot"})
    ((game, number, since),) = clocks.overdue(database)
    assert (game, number) == ("g", 0) and since < datetime.now(UTC)
    change(database, Seat, bot="greedy")
    assert clocks.overdue(database) == []


@pytest.mark.parametrize("clock", [None, {"hours": 1, "then": "wait"}])
def test_without_such_a_clock_the_game_waits(database: Database, clock: object) -> None:
    change(database, GameRow, clock=clock)
    assert clocks.overdue(database) == []


def test_in_a_game_that_is_over_no_deadline_passes(database: Database) -> None:
    change(database, GameRow, clock={"hours": 1, "then": "bot"}, status="over")
    assert clocks.overdue(database) == []


def test_a_bot_that_nobody_lets_decide_is_found(database: Database) -> None:
    assert clocks.stuck_bots(database) == []
    change(database, Seat, bot="greedy")
    assert clocks.stuck_bots(database) == [], "nobody plays with it"
    with database.transaction() as session:
        session.execute(update(Seat).where(Seat.number == 1).values(bot=""))
    assert clocks.stuck_bots(database) == ["g"]
    change(database, GameRow, updated=datetime.now(UTC))
    assert clocks.stuck_bots(database) == []


def test_expired_sessions_and_forgotten_tables_are_removed(database: Database) -> None:
    now = datetime.now(UTC)
    with database.transaction() as session:
        for name, expires in {"old": -1, "new": 1}.items():
            session.add(
                Session(
                    hash=name,
                    account="anna",
                    csrf="",
                    created=now,
                    expires=now + timedelta(days=expires),
                )
            )
    clocks.tidy(database)
    with database.reading() as session:
        assert list(session.scalars(select(Session.hash))) == ["new"]
        assert session.get(GameRow, "g") is not None
    change(database, GameRow, status="lobby")
    clocks.tidy(database)
    with database.reading() as session:
        assert session.get(GameRow, "g") is not None
    change(database, GameRow, updated=now - timedelta(days=31))
    clocks.tidy(database)
    with database.reading() as session:
        assert session.get(GameRow, "g") is None
        assert list(session.scalars(select(Seat.number))) == []
