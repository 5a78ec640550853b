"""A game in the database whose players are away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import update

from sandtable.server.config import Config
from sandtable.server.database import Database
from sandtable.server.tables import Account, GameRow, Seat


def waiting_game(config: Config) -> Database:
    """A game in which it is the turn of Anna (Germany); she and Ben (Japan) went an hour ago."""
    database = Database(config)
    database.prepare()
    ago = datetime.now(UTC) - timedelta(hours=1)
    with database.transaction() as session:
        session.add_all(
            Account(id=id, name=id.title(), email=f"{id}@example.org", confirmed=True, created=ago)
            for id in ("anna", "ben")
        )
        session.flush()
        session.add(
            GameRow(
                id="g",
                game="aa1942",
                rules_version="1.0",
                title="Sunday",
                options={},
                secret="",
                commitment="",
                creator="anna",
                access="private",
                status="running",
                version=3,
                waiting=["germany"],
                created=ago,
                updated=ago,
            )
        )
        session.flush()
        for number, (id, powers) in enumerate({"anna": ["germany"], "ben": ["japan"]}.items()):
            session.add(
                Seat(
                    game="g",
                    number=number,
                    powers=powers,
                    kind="person",
                    account=id,
                    player=id.title(),
                    since=ago if id == "anna" else None,
                    seen=ago,
                )
            )
    return database


def change(database: Database, table: type, **values: object) -> None:
    """Set these values in every row of a table."""
    with database.transaction() as session:
        session.execute(update(table).values(**values))
