"""Transactions, migrations, and databases that cannot be used."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from fastapi import FastAPI
from sqlalchemy import event, func, select, text
from sqlalchemy.exc import IntegrityError

import sandtable
from sandtable.server import database as database_module
from sandtable.server.accounts import new_id, now
from sandtable.server.config import Config
from sandtable.server.database import Database, DatabaseError, revisions, shown
from sandtable.server.errors import Problem, Unavailable
from sandtable.server.tables import Account, Table
from tests.server.conftest import EITHER, Player, TestClient
from tests.server.postgres import Postgres


@pytest.fixture
def database(config: Config) -> Database:
    made = Database(config)
    made.prepare()
    return made


def person(name: str = "Anna", login: str | None = None) -> Account:
    return Account(id=new_id(), name=name, login=login, created=now())


def people(database: Database) -> int:
    with database.reading() as session:
        return session.scalar(select(func.count()).select_from(Account)) or 0


@EITHER
def test_a_transaction_is_whole_or_not_at_all(database: Database) -> None:
    with database.transaction() as session:
        session.add(person())
    with pytest.raises(ZeroDivisionError), database.transaction() as session:
        session.add(person())
        session.flush()
        raise ZeroDivisionError
    assert people(database) == 1


@EITHER
def test_a_violated_constraint_stays_one(database: Database) -> None:
    with database.transaction() as session:
        session.add(person(login="anna"))
    with pytest.raises(IntegrityError), database.transaction() as session:
        session.add(person(login="anna"))
    assert people(database) == 1


@EITHER
def test_times_keep_their_zone(database: Database) -> None:
    with database.transaction() as session:
        session.add(made := person())
    with database.reading() as session:
        assert session.get_one(Account, made.id).created == made.created


@EITHER
def test_the_migrations_make_the_tables_of_the_program(database: Database) -> None:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Table.metadata) == []


@EITHER
def test_servers_that_start_together_prepare_the_database_once(
    config: Config, tmp_path: Path
) -> None:
    (tmp_path / "sandtable.db").unlink(missing_ok=True)
    failures: list[Exception] = []

    def start() -> None:
        database = Database(config)
        try:
            database.prepare()
            database.check()
        except Exception as error:
            failures.append(error)
        finally:
            database.close()

    threads = [threading.Thread(target=start, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive(), "one waits for ever"
    assert failures == []


@EITHER
def test_a_database_of_a_newer_version_is_left_alone(database: Database, config: Config) -> None:
    with database.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DatabaseError, match="made by a newer Sandtable"):
        Database(config).prepare()
    with pytest.raises(Unavailable, match="another version"):
        database.check()


@EITHER
def test_a_database_of_another_program_is_left_alone(config: Config, tmp_path: Path) -> None:
    (tmp_path / "sandtable.db").unlink(missing_ok=True)
    database = Database(config)
    with database.transaction() as session:
        session.execute(text("CREATE TABLE recipes (name TEXT)"))
    with pytest.raises(DatabaseError, match="tables of another program"):
        database.prepare()
    with database.reading() as session:
        assert session.execute(text("SELECT count(*) FROM recipes")).scalar() == 0


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("Dear diary, " * 500)
    with pytest.raises(DatabaseError, match="something else than an SQLite database"):
        Database(Config(f"sqlite:///{tmp_path}/x.db")).prepare()


def test_a_postgresql_that_is_not_there_is_reported_without_its_password() -> None:
    database = Database(Config("postgresql+psycopg://ann:secret@127.0.0.1:1/games"))
    with pytest.raises(DatabaseError) as caught:
        database.prepare()
    assert str(caught.value) == "The database cannot be used: it does not answer."


def test_the_address_of_a_database_is_shown_without_its_password() -> None:
    assert shown("postgresql+psycopg://ann:secret@db/games").count("secret") == 0
    assert shown("sqlite:////data/sandtable.db") == "/data/sandtable.db"


@EITHER
def test_a_database_of_the_first_version_is_upgraded_with_its_rows(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sandtable.db").unlink(missing_ok=True)
    with monkeypatch.context() as patch:
        patch.setattr(database_module, "revisions", lambda: ["0001"])
        old = Database(config)
        old.prepare()
        with old.transaction() as session:
            session.execute(
                text(
                    "INSERT INTO accounts (id, name, login, password, email, created) VALUES "
                    "('a', 'Anna', 'anna', 'hash', 'anna@example.org', '2026-01-02 03:04:05')"
                )
            )
        old.close()
    database = Database(config)
    database.prepare()
    database.check()
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Table.metadata) == []
    with database.reading() as session:
        anna = session.get_one(Account, "a")
        assert (anna.name, anna.login, anna.password) == ("Anna", "anna", "hash")
        assert (anna.email, anna.confirmed) == ("anna@example.org", False)
    database.close()


def test_revisions_are_numbered_in_order() -> None:
    assert revisions() == [f"{n:04}" for n in range(1, len(revisions()) + 1)]


def test_sqlite_is_set_to_lose_nothing(database: Database) -> None:
    with database.engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_the_log_begins_anew_after_a_checkpoint(database: Database, tmp_path: Path) -> None:
    def write() -> int:
        for _ in range(50):
            with database.transaction() as session:
                session.execute(text("UPDATE accounts SET name = name || 'a'"))
        return (tmp_path / "sandtable.db-wal").stat().st_size

    with database.transaction() as session:
        session.add(person())
    sizes = []
    for _ in range(4):
        sizes.append(write())
        database.checkpoint()
    assert sizes[1:] == [sizes[0]] * 3
    with database.reading() as session:
        [name] = session.scalars(text("SELECT name FROM accounts"))
    assert name.endswith("a" * 200)


@EITHER
def test_a_foreign_key_holds(database: Database) -> None:
    with pytest.raises(IntegrityError), database.transaction() as session:
        session.execute(
            text("INSERT INTO sessions VALUES ('h', 'nobody', '', '', :now, :now)"), {"now": now()}
        )


def test_a_database_that_somebody_else_holds_is_unavailable(
    database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(tmp_path / "sandtable.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="it is busy"), database.transaction() as session:
        session.add(person())
    other.execute("ROLLBACK")
    with database.transaction() as session:
        session.add(person())
    assert people(database) == 1


def test_a_writer_that_waits_too_long_is_told(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "_WAIT", 0.05)
    with (
        database.transaction(),
        pytest.raises(Unavailable, match="busy"),
        database.transaction(),
    ):
        pytest.fail("two transactions write at once")


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_what_cannot_be_stored_is_the_senders_problem(database: Database) -> None:
    with pytest.raises(Problem) as caught, database.transaction() as session:
        session.add(person("a\0b"))
    assert caught.value.status == 400
    assert people(database) == 0


# --- through the server --------------------------------------------------------------------------


@contextmanager
def full_disk(database: Database) -> Iterator[None]:
    """The database cannot grow, as on a disk that is full."""
    most = 1

    def limit(connection: sqlite3.Connection, record: object, proxy: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {most}")

    event.listen(database.engine, "checkout", limit)
    yield
    # Less than there is means: no more than there is.
    most = 2**30


def test_without_space_on_the_disk_people_are_told_and_nothing_is_lost(
    app: FastAPI, anna: Player
) -> None:
    database = app.state.database
    there = people(database)
    with full_disk(database):
        for number in range(200):
            answer = anna.http.post("/api/guests", json={"name": f"Guest {number}"})
            if answer.status_code != 201:
                break
            there += 1
        assert answer.status_code == 503
        assert "disk is full" in answer.json()["error"]
        assert answer.headers["Retry-After"] == "5"
        assert people(database) == there
        assert Player(app).get("/healthz") == {"status": "ok", "version": sandtable.__version__}
    assert anna.post("/api/guests", {"name": "Late"}, 201)["account"]["name"] == "Late"


def test_a_lost_database_is_503_and_comes_back(
    app: FastAPI, web: TestClient, anna: Player, tmp_path: Path
) -> None:
    file, away = tmp_path / "sandtable.db", tmp_path / "away.db"
    file.rename(away)
    file.mkdir()
    # Afterwards: a sweep might open another connection before.
    app.state.database.engine.dispose()
    answer = web.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["error"].startswith("The server's database cannot be used just now")
    assert anna.get("/api/me", 503)["error"]
    file.rmdir()
    away.rename(file)
    assert web.get("/healthz").json()["status"] == "ok"
    assert anna.get("/api/me")["account"]["name"] == "Anna"


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_postgresql_that_is_away_is_503_and_comes_back(
    postgres: Postgres, web: TestClient, anna: Player
) -> None:
    postgres.stop("immediate")
    try:
        answer = web.get("/healthz")
        assert answer.status_code == 503
        assert "it does not answer" in answer.json()["error"]
        assert anna.patch("/api/me", {"name": "Anne"}, 503)["error"]
    finally:
        postgres.start()
    assert web.get("/healthz").json()["status"] == "ok"
    assert anna.get("/api/me")["account"]["name"] == "Anna"


@EITHER
def test_errors_that_are_logged_do_not_hold_what_was_to_be_stored(database: Database) -> None:
    with database.transaction() as session:
        session.add(person(login="anna"))
    with pytest.raises(IntegrityError) as caught, database.transaction() as session:
        session.add(person("A secret", login="anna"))
    assert "INSERT" in str(caught.value)
    assert "A secret" not in str(caught.value)
