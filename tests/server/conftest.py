"""What the tests of the server share: an application on a database of its own, and people."""

from __future__ import annotations

import base64
import random
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from argon2 import PasswordHasher
from fastapi import FastAPI

from sandtable.kernel import registry
from sandtable.server import absence, accounts, lobby, patience, questions, rooms, verifying
from sandtable.server.app import create_app
from sandtable.server.config import Config
from sandtable.server.database import Database
from sandtable.server.routes import socket
from tests.server.postgres import Postgres, running_postgres

with warnings.catch_warnings():
    # It would like a successor of httpx, which few have.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

EITHER = pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)
"""Runs a test on both databases."""


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for all tests of this process."""
    with running_postgres() as server:
        yield server


@pytest.fixture(autouse=True, scope="session")
def _quick() -> None:
    """Cheap passwords, and logs that are short when a test fails."""
    accounts._hasher = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    structlog.configure(
        processors=[structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()]
    )


@pytest.fixture(autouse=True, scope="session")
def _compiled() -> None:
    """On a new machine, compile what bots need now: nothing that waits has to wait for that."""
    for id in registry.game_ids():
        registry.find(id).prepare()


@pytest.fixture(autouse=True)
def _known(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in this process depends on chance or on the speed of the machine: a test has the same
    dice in every run, bots and samples of legal decisions are the same, and nothing is given up or
    held back because of the time."""
    drawn = random.Random(request.node.nodeid)

    def token(size: int) -> str:
        return base64.urlsafe_b64encode(drawn.randbytes(size)).rstrip(b"=").decode()

    known = SimpleNamespace(
        token_hex=lambda size: drawn.randbytes(size).hex(),
        token_urlsafe=token,
        randbits=lambda bits: 7,
    )
    for module in (lobby, absence, rooms):
        monkeypatch.setattr(module, "secrets", known)
    for module in (lobby, absence):
        # The dice depend on the game's id as well.
        monkeypatch.setattr(module, "new_id", lambda: token(16))
    monkeypatch.setattr(questions, "random", SimpleNamespace(Random=lambda: random.Random(7)))
    monkeypatch.setattr(questions, "LEGAL_SECONDS", 60.0)
    monkeypatch.setattr(patience, "QUESTION_SECONDS", 60.0)
    monkeypatch.setattr(patience, "QUICK_SECONDS", 60.0)
    monkeypatch.setattr(patience, "OPENING_SECONDS", 120.0)
    monkeypatch.setattr(verifying, "LOADING_SECONDS", 120.0)
    monkeypatch.setattr(rooms, "_PAUSE", 0.0)
    monkeypatch.setattr(rooms, "_PAUSE_AFTER_DICE", 0.0)


@pytest.fixture
def talkative(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients may send as many messages as they like."""
    monkeypatch.setattr(socket, "BURST", 100_000)


@pytest.fixture(scope="session")
def _prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with empty tables, to be copied."""
    path = tmp_path_factory.mktemp("database") / "prepared.db"
    database = Database(Config(f"sqlite:///{path}"))
    database.prepare()
    database.close()
    return path


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path, _prepared: Path) -> Iterator[str]:
    """The address of an empty database: an SQLite file, unless the test is marked EITHER."""
    if getattr(request, "param", "sqlite") == "sqlite":
        shutil.copyfile(_prepared, tmp_path / "sandtable.db")
        yield f"sqlite:///{tmp_path / 'sandtable.db'}"
        return
    with request.getfixturevalue("postgres").database() as url:
        yield url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A database with its tables and nothing in them."""
    found = Database(Config(database_url))
    found.prepare()
    yield found
    found.close()


@pytest.fixture
def config(database_url: str) -> Config:
    """Settings without rate limits."""
    return Config(database_url, rate=0)


@pytest.fixture
def app(config: Config) -> FastAPI:
    """The application; it runs while the fixture `web` does."""
    return create_app(config)


@pytest.fixture
def web(app: FastAPI) -> Iterator[TestClient]:
    """A browser that nobody has logged in with; the application runs as long as it."""
    with TestClient(app) as client:
        app.state.portal = client.portal
        yield client


class Player:
    """A browser with somebody logged in. Its calls bring the CSRF token."""

    def __init__(self, app: FastAPI) -> None:
        self.http = TestClient(app)
        # The loop in which the application runs: a game's lock belongs to it.
        self.http.portal = app.state.portal
        self.id = ""

    def adopt(self, me: dict[str, Any]) -> None:
        """Go on as the account in an answer of `/api/me`."""
        self.id = me["account"]["id"] if me["account"] else ""
        self.http.headers["X-CSRF-Token"] = me["csrf"]

    def get(self, path: str, status: int = 200, **query: Any) -> Any:
        """The answer to a GET, whose status has to be this."""
        return _checked(self.http.get(path, params=query), status)

    def post(self, path: str, body: Any = None, status: int | None = None) -> Any:
        """The answer to a POST; the status has to be this, or else any that is no error."""
        return _checked(self.http.post(path, json={} if body is None else body), status)

    def patch(self, path: str, body: Any, status: int | None = None) -> Any:
        return _checked(self.http.patch(path, json=body), status)

    def delete(self, path: str, status: int | None = None) -> Any:
        return _checked(self.http.delete(path), status)


def _checked(response: Any, status: int | None) -> Any:
    fits = response.status_code == status if status else response.status_code < 300
    assert fits, f"{response.status_code} {response.text}"
    return response.json() if response.content else None


def guest(app: FastAPI, name: str) -> Player:
    """A new guest at a running application."""
    player = Player(app)
    player.adopt(player.post("/api/guests", {"name": name}))
    return player


@pytest.fixture
def anna(web: TestClient, app: FastAPI) -> Player:
    return guest(app, "Anna")


@pytest.fixture
def ben(web: TestClient, app: FastAPI) -> Player:
    return guest(app, "Ben")
