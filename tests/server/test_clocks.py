"""What time alone brings about."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from sandtable.server import clocks
from sandtable.server.config import Config
from sandtable.server.database import Database
from sandtable.server.live import Live
from sandtable.server.tables import GameRow, Notice, Remark, Seat, Session
from tests.server.absent import change, waiting_game


@pytest.fixture
def database(config: Config) -> Iterator[Database]:
    database = waiting_game(config)
    yield database
    database.close()


def bots(database: Database) -> list[str]:
    with database.reading() as session:
        return list(session.scalars(select(Seat.bot).order_by(Seat.number)))


def test_a_bot_stands_in_for_whoever_does_not_decide_in_time(database: Database) -> None:
    change(database, GameRow, clock={"hours": 2, "then": "bot"})
    assert clocks.pass_deadlines(database, Live(database.url)) == []
    change(database, GameRow, clock={"hours": 1, "then": "bot"})
    ((game, number),) = clocks.pass_deadlines(database, Live(database.url))
    with database.reading() as session:
        said = session.get_one(Remark, number)
    assert (game, said.game, said.name) == ("g", "g", "")
    assert said.text == "Anna has not decided in time: a bot plays on meanwhile."
    assert bots(database) == ["greedy", ""]
    assert clocks.pass_deadlines(database, Live(database.url)) == []
    with database.reading() as session:
        assert [(n.account, n.kind) for n in session.scalars(select(Notice))] == [
            ("anna", "takeover")
        ]


@pytest.mark.parametrize("clock", [None, {"hours": 1, "then": "wait"}])
def test_without_such_a_clock_the_game_waits(database: Database, clock: object) -> None:
    change(database, GameRow, clock=clock)
    assert clocks.pass_deadlines(database, Live(database.url)) == []
    assert bots(database) == ["", ""]


def test_in_a_game_that_is_over_no_deadline_passes(database: Database) -> None:
    change(database, GameRow, clock={"hours": 1, "then": "bot"}, status="over")
    assert clocks.pass_deadlines(database, Live(database.url)) == []


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
