"""The database: an SQLite file, or PostgreSQL. Everything is synchronous and runs in threads."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DataError as BadData
from sqlalchemy.exc import DBAPIError, IntegrityError, InternalError, OperationalError
from sqlalchemy.exc import InterfaceError as BadInterface
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session

from sandtable.kernel.errors import SandtableError
from sandtable.server.config import Config
from sandtable.server.errors import Problem, Unavailable

MIGRATIONS = Path(__file__).with_name("migrations")

_WAIT = 10
"""Seconds to wait for somebody else's transaction, or for a connection."""

_LOG_PAGES = 50_000
"""SQLite takes its log over into the file by itself when it has so many pages (200 MB), in the
midst of somebody's transaction. `Database.checkpoint` sees to it long before."""

_MIGRATING = 0x53616E64
"""The key of PostgreSQL's lock under which one process at a time migrates."""


class DatabaseError(SandtableError):
    """A database that this program cannot be started with."""


class Database:
    """Transactions over an SQL database.

    What goes wrong with the database itself (no space, locked, gone) is `Unavailable`: the
    transaction has been rolled back whole. Violated constraints stay SQLAlchemy's IntegrityError.
    """

    def __init__(self, config: Config) -> None:
        self.url = config.database_url
        self.sqlite = config.sqlite
        self.engine = _sqlite(self.url) if self.sqlite else _postgresql(self.url)
        self._writes = self.engine.execution_options(sandtable_writes=True)
        # SQLite has one writer at a time; waiting here is fair, waiting in SQLite is not.
        self._writer = threading.Lock()

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A transaction that may write; committed at the end, rolled back by an exception."""
        with self._turn(), _translated(), Session(self._writes, expire_on_commit=False) as session:
            # At the latest now the transaction begins: a locked database is found before work.
            session.connection()
            yield session
            session.commit()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A consistent look at the database; nothing is written."""
        with _translated(), Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if not self.sqlite:
            yield
            return
        if not self._writer.acquire(timeout=_WAIT):
            raise Unavailable("The server's database is busy. Try again in a few seconds.")
        try:
            yield
        finally:
            self._writer.release()

    def prepare(self) -> None:
        """Bring the tables to this program's version; DatabaseError if that cannot be done.

        Several processes may start together: PostgreSQL lets one of them do it.
        """
        try:
            with self._turn(), self._writes.begin() as connection:
                if not self.sqlite:
                    key = {"key": _MIGRATING}
                    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), key)
                known = revisions()
                there = _revision(connection)
                if there is not None and there not in known:
                    raise DatabaseError(
                        f"This database was made by a newer Sandtable (its version is {there}, "
                        f"this program knows up to {known[-1]}): update Sandtable, or name another "
                        "database."
                    )
                if there is None and _has_strangers(connection):
                    raise DatabaseError(
                        "This database holds tables of another program: name another one with "
                        "SANDTABLE_DATABASE_URL."
                    )
                if there != known[-1]:
                    _migrate(connection, known[-1])
        except (DBAPIError, PoolTimeout) as error:
            raise DatabaseError(f"The database cannot be used: {_words(error)}") from None

    def checkpoint(self) -> None:
        """Take what SQLite's log holds over into the file, so that the log begins anew. While the
        disk writes, others go on; they wait only for what was added meanwhile."""
        if not self.sqlite:
            return
        with _translated(), self.engine.connect() as connection:
            take_over = text("PRAGMA wal_checkpoint(PASSIVE)")
            connection.execute(take_over)
            with self._turn():
                connection.execute(take_over)

    def check(self) -> None:
        """Unavailable unless the database answers and has this program's tables."""
        with _translated(), self.engine.connect() as connection:
            there = _revision(connection)
        if there != revisions()[-1]:
            raise Unavailable("The database has the tables of another version of Sandtable.")

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()


def revisions() -> list[str]:
    """The versions of the tables that this program knows, oldest first."""
    return sorted(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))


def _sqlite(url: str) -> Engine:
    engine = create_engine(
        url,
        connect_args={"timeout": _WAIT},
        pool_size=8,
        max_overflow=64,
        pool_timeout=_WAIT,
        hide_parameters=True,  # errors are logged, and what is stored may be secret
    )

    @event.listens_for(engine, "connect")
    def connected(connection: sqlite3.Connection, record: Any) -> None:
        # We begin transactions ourselves: Python's driver would begin them late.
        connection.isolation_level = None
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            f"wal_autocheckpoint={_LOG_PAGES}",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("sandtable_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgresql(url: str) -> Engine:
    return create_engine(
        url,
        pool_size=8,
        max_overflow=16,
        pool_timeout=_WAIT,
        pool_pre_ping=True,
        connect_args={"connect_timeout": 5},
        hide_parameters=True,
    )


@contextmanager
def _translated() -> Iterator[None]:
    """Turn what the database says into a sentence for the person who waits."""
    try:
        yield
    except IntegrityError:
        raise
    except BadData:
        raise Problem(400, "That contains characters or numbers that cannot be stored.") from None
    except (OperationalError, BadInterface, InternalError, PoolTimeout) as error:
        raise _unavailable(error) from error
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        raise _unavailable(error) from error


def _unavailable(error: Exception) -> Unavailable:
    return Unavailable(
        f"The server's database cannot be used just now: {_words(error)} "
        "Nothing was changed. Try again in a while."
    )


def _words(error: Exception) -> str:
    """What is wrong with the database, without its address, which may hold a password."""
    said = str(getattr(error, "orig", None) or error).lower()
    for sign, words in {
        "disk is full": "the server's disk is full.",
        "no space left": "the server's disk is full.",
        "could not extend": "the server's disk is full.",
        "locked": "it is busy.",
        "readonly": "it is read-only.",
        "read-only": "it is read-only.",
        "unable to open": "the file cannot be opened: does its folder exist, and may it be "
        "written to?",
        "not a database": "the file is something else than an SQLite database.",
        "malformed": "the file is damaged: restore a back-up.",
        "disk i/o": "the disk reports errors.",
        "password": "PostgreSQL refuses the user or the password.",
        "authentication": "PostgreSQL refuses the user or the password.",
        "does not exist": "PostgreSQL does not have that database or user.",
        "no module named": "the driver for PostgreSQL is not installed: sandtable[server] has it.",
    }.items():
        if sign in said:
            return words
    return "it does not answer."


def _revision(connection: Connection) -> str | None:
    """The version of the tables that are there; None if there are none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def _has_strangers(connection: Connection) -> bool:
    return any(not name.startswith("alembic") for name in inspect(connection).get_table_names())


def _migrate(connection: Connection, to: str) -> None:
    # Slow to import, and needed only when the tables change.
    from alembic import command
    from alembic.config import Config as Migration

    migration = Migration()
    migration.set_main_option("script_location", str(MIGRATIONS))
    migration.attributes["connection"] = connection
    command.upgrade(migration, to)


def shown(url: str) -> str:
    """The address of a database without its password, for people."""
    parts = make_url(url)
    return str(parts.database) if parts.drivername == "sqlite" else parts.render_as_string(True)
