"""Rate limits: token buckets, and how the server uses them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count, cycle

import pytest
from sqlalchemy import select
from starlette.testclient import WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from sandtable.server import accounts
from sandtable.server import limits as limits_module
from sandtable.server.app import create_app
from sandtable.server.config import Config
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.limits import (
    ACCOUNT,
    ADDRESS,
    GUESSES,
    LOGIN,
    NEWCOMER,
    REMARKS,
    SOCKETS,
    UPLOAD,
    Limit,
    Limits,
    Room,
    forget_full_buckets,
    neighbourhood,
)
from sandtable.server.routes import accounts as routes
from sandtable.server.routes import socket
from sandtable.server.sockets import AGAIN
from sandtable.server.tables import Bucket
from tests.server.conftest import EITHER, TestClient


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def allowed(limits: Limits, limit: Limit, who: str = "anna") -> int:
    """How many may be taken until one is refused."""
    for number in range(10_000):
        try:
            limits.take(limit, who)
        except Problem as problem:
            assert problem.status == 429
            return number
    raise AssertionError("there is no limit")


def test_a_bucket_empties_and_refills() -> None:
    clock = Clock()
    limits = Limits(1.0, clock)
    limit = Limit(10, 2)
    assert allowed(limits, limit) == 10
    clock.now += 3
    assert allowed(limits, limit) == 6
    clock.now += 1000
    assert allowed(limits, limit) == 10


def test_everybody_and_every_limit_has_a_bucket_of_its_own() -> None:
    limits = Limits(1.0, Clock())
    assert allowed(limits, Limit(3, 1), "anna") == 3
    assert allowed(limits, Limit(3, 1), "ben") == 3
    assert allowed(limits, Limit(4, 1), "anna") == 4


def test_who_is_refused_is_told_for_how_long() -> None:
    clock = Clock()
    limits = Limits(1.0, clock)
    limit = Limit(1, 0.1)
    limits.take(limit, "anna")
    with pytest.raises(Problem) as caught:
        limits.take(limit, "anna")
    wait = int(caught.value.headers["Retry-After"])
    assert wait == 10 and "10 seconds" in caught.value.error
    clock.now += wait
    limits.take(limit, "anna")


def test_the_rate_multiplies_and_zero_is_no_limit() -> None:
    assert allowed(Limits(3.0, Clock()), Limit(10, 1)) == 30
    with pytest.raises(AssertionError, match="no limit"):
        allowed(Limits(0, Clock()), Limit(1, 1))


@EITHER
def test_processes_on_one_database_allow_together_what_one_would(config: Config) -> None:
    database = Database(config)
    database.prepare()
    processes = [Limits(1.0, Clock()) for _ in range(3)]
    limit = Limit(5, 1e-6)
    taken = 0
    for limits in processes:
        try:
            for _ in range(3):
                limits.take_everywhere(database, limit, "192.0.2.7")
                taken += 1
        except Problem as problem:
            assert problem.status == 429
    assert taken == 5
    processes[0].take_everywhere(database, limit, "192.0.2.8")
    Limits(0).take_everywhere(database, limit, "192.0.2.7")
    with database.transaction() as session:
        buckets = session.scalars(select(Bucket)).all()
        assert len(buckets) == 2
        assert not any("192" in bucket.key for bucket in buckets), "addresses are not kept"
        buckets[0].at -= 100_000
        session.flush()
        forget_full_buckets(session)
        assert len(session.scalars(select(Bucket)).all()) == 1
    database.close()


def test_a_bucket_in_the_database_refills(database_url: str) -> None:
    database = Database(Config(database_url))
    limits, limit = Limits(1.0, Clock()), Limit(2, 1 / 1000)
    for _ in range(2):
        limits.take_everywhere(database, limit, "anna")
    limits = Limits(1.0, Clock())
    with pytest.raises(Problem):
        limits.take_everywhere(database, limit, "anna")
    with database.transaction() as session:
        session.scalars(select(Bucket)).one().at -= 1000
    limits.take_everywhere(database, limit, "anna")
    with pytest.raises(Problem):
        limits.take_everywhere(database, limit, "anna")
    database.close()


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "_KEPT", 100)
    limits = Limits(1.0, Clock())
    for number in range(1000):
        limits.take(ADDRESS, str(number))
    assert len(limits._buckets) == 100


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("testclient", "testclient"),
    ],
)
def test_a_household_counts_as_one(address: str, counted: str) -> None:
    assert neighbourhood(address) == counted


# --- the server ----------------------------------------------------------------------------------


@pytest.fixture
def strict(database_url: str) -> Iterator[TestClient]:
    """A server with the limits of a real one, and time standing still."""
    app = create_app(Config(database_url))
    app.state.limits._clock = Clock()
    with TestClient(app) as web:
        yield web


def refused_at(web: TestClient, path: str, body: object, most: float) -> int:
    for number in range(int(most) + 50):
        answer = web.post(path, json=body)
        if answer.status_code == 429:
            assert int(answer.headers["Retry-After"]) >= 1
            assert answer.json()["error"].startswith("That was too fast.")
            return number
    raise AssertionError("there is no limit")


def test_guessing_passwords_is_slow(strict: TestClient) -> None:
    body = {"name": "Anna", "password": "guess number 1"}
    assert refused_at(strict, "/api/session", body, LOGIN.burst) == LOGIN.burst


def test_one_account_is_guessed_at_slowly_from_wherever(
    strict: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many addresses the guesses come from, and however the name is written."""
    addresses = count()
    monkeypatch.setattr(routes, "address_of", lambda scope: f"192.0.2.{next(addresses)}")

    def guess(name: str) -> int:
        answer = strict.post("/api/session", json={"name": name, "password": "guess number 1"})
        return answer.status_code

    spellings = cycle(["Anna", " anna ", "ANNA"])
    assert [guess(next(spellings)) for _ in range(int(GUESSES.burst))] == [401] * int(GUESSES.burst)
    assert guess("Anna") == 429
    assert guess("Ben") == 401, "another account is not locked by that"


def test_guests_are_not_made_in_masses(strict: TestClient) -> None:
    assert refused_at(strict, "/api/guests", {"name": ""}, NEWCOMER.burst) == NEWCOMER.burst


def test_uploads_are_few(strict: TestClient) -> None:
    app = strict.app
    for _ in range(int(UPLOAD.burst)):
        app.state.limits.take(UPLOAD, "testclient")  # type: ignore[attr-defined]
    assert refused_at(strict, "/api/verify", {}, UPLOAD.burst) == 0


def test_an_address_and_an_account_have_limits(strict: TestClient) -> None:
    strict.post("/api/guests", json={"name": "Anna"})
    limits: Limits = strict.app.state.limits  # type: ignore[attr-defined]
    mine = 0
    while strict.get("/api/me").status_code == 200:
        mine += 1
    assert mine == ACCOUNT.burst
    assert strict.get("/api/catalogue").status_code == 200, "others at this address go on"
    assert allowed(limits, ADDRESS, "testclient") == ADDRESS.burst - mine - 3
    assert strict.get("/api/catalogue").status_code == 429
    assert strict.get("/").status_code != 429
    assert strict.get("/healthz").status_code == 200


def test_one_name_is_guessed_at_however_it_is_written() -> None:
    names = ["Anna", " anna ", "ANNA", "\uff21nna", "An\uff4ea"]
    assert {accounts.login_of(name) for name in names} == {"anna"}


def table(strict: TestClient) -> tuple[str, dict[str, str]]:
    """The path of a table that a new guest has made, and what its requests have to carry."""
    me = strict.post("/api/guests", json={"name": "Anna"}).json()
    headers = {"X-CSRF-Token": me["csrf"]}
    seats = [{"powers": ["germany"], "kind": "me"}, {"powers": ["afa"], "kind": "open"}]
    made = strict.post("/api/games", json={"game": "blitz", "seats": seats}, headers=headers)
    return f"/api/games/{made.json()['id']}", headers


def test_a_chat_cannot_be_flooded(strict: TestClient) -> None:
    path, headers = table(strict)
    said = [
        strict.post(f"{path}/chat", json={"text": "x"}, headers=headers).status_code
        for _ in range(25)
    ]
    assert said.count(201) == REMARKS.burst
    assert said[-1] == 429


def test_greetings_count_as_requests_from_however_many_sockets(
    strict: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{table(strict)[0]}/socket"
    monkeypatch.setattr(socket, "BURST", 10_000)
    with strict.websocket_connect(path) as watching:
        for _ in range(int(ADDRESS.burst) + 100):
            watching.send_text('{"type": "sync"}')
        with pytest.raises(WebSocketDisconnect) as ended:
            while True:
                watching.receive_text()
    assert ended.value.code == AGAIN


def test_so_many_sockets_are_open_at_the_same_time() -> None:
    limits = Limits(1.0, Clock())
    with ExitStack() as stack:
        for _ in range(SOCKETS.most):
            stack.enter_context(limits.hold(SOCKETS, "here"))
        stack.enter_context(limits.hold(SOCKETS, "there"))
        with pytest.raises(Problem), limits.hold(SOCKETS, "here"):
            pass
    with limits.hold(SOCKETS, "here"):
        pass
    assert len(limits._held) == 0, "nobody is remembered who has gone"


def test_a_socket_too_many_is_not_opened(
    strict: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{table(strict)[0]}/socket"
    monkeypatch.setattr(socket, "SOCKETS", Room(1, "full"))
    with strict.websocket_connect(path) as first:
        first.receive_text()
        with pytest.raises(WebSocketDenialResponse) as denied, strict.websocket_connect(path):
            pass
        assert denied.value.status_code == 429
    with strict.websocket_connect(path) as again:
        again.receive_text()
