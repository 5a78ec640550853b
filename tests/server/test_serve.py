"""`sandtable serve` as a newcomer meets it: a real process, its words, its end."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from sandtable.server.config import Config
from sandtable.server.database import Database
from tests.server.network import SECONDS
from tests.server.playing import soon
from tests.server.postgres import Postgres


@contextmanager
def serving(
    home: Path, *arguments: str, **environment: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server on a free port, once it has said where it is."""
    command = [sys.executable, "-m", "sandtable", "serve", "--port", "0", *arguments]
    process = subprocess.Popen(
        command,
        env={**os.environ, "SANDTABLE_HOME": str(home), "SANDTABLE_LOG": "json", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # Then its output ends, and whoever waits for it.
    late = threading.Timer(SECONDS, process.kill)
    late.start()
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"http://127.0.0.1:\d+", line):
                break
        else:
            assert process.stderr is not None
            pytest.fail(f"The server did not start: {process.stderr.read()}")
        late.cancel()
        yield process, found.group()
    finally:
        late.cancel()
        if process.poll() is None:
            process.kill()
        process.communicate()


def asked(address: str, **more: Any) -> httpx.Response:
    """The answer to a GET."""
    return httpx.get(address, timeout=SECONDS, **more)


def refused(home: Path, *arguments: str, **environment: str) -> str:
    """What `sandtable serve` says when it does not start."""
    done = subprocess.run(
        [sys.executable, "-m", "sandtable", "serve", "--port", "0", *arguments],
        env={**os.environ, "SANDTABLE_HOME": str(home), **environment},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("sandtable: ") and done.stderr.count("\n") == 1
    return done.stderr.removeprefix("sandtable: ").strip()


def in_a_terminal(home: Path, **environment: str) -> tuple[str, list[str]]:
    """What stands on the screen when `sandtable serve --open` has answered some requests, and which
    pages were opened."""
    opened = home / "opened"
    browser = home / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n')
    browser.chmod(0o755)
    variables = {**os.environ, "SANDTABLE_HOME": str(home), "DISPLAY": ":0", "TERM": "dumb"}
    for name in ("CI", "SSH_CONNECTION", "SANDTABLE_LOG", "SANDTABLE_LOG_LEVEL"):
        variables.pop(name, None)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "sandtable", "serve", "--open", "--port", "0"],
        env={**variables, "BROWSER": f"{browser} %s", **environment},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    late = threading.Timer(SECONDS, process.kill)
    late.start()
    screen = ""
    try:
        while not (found := re.search(r"Sandtable is at (http://127.0.0.1:\d+) ", screen)):
            screen += os.read(ours, 1000).decode()
        for path in ("/healthz", "/api/catalogue", "/nothing/here"):
            asked(found.group(1) + path)
        if "CI" not in environment:
            soon(opened.is_file)
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == 0
        # Linux ends reading from a terminal that nobody has open any more with an error.
        with suppress(OSError):
            while more := os.read(ours, 1000):
                screen += more.decode()
    finally:
        late.cancel()
        process.kill()
        process.wait()
        os.close(ours)
    assert found.group(1) in screen
    return screen, opened.read_text().split() if opened.is_file() else []


def test_in_a_terminal_the_address_stays_the_last_line_and_the_page_opens(tmp_path: Path) -> None:
    screen, opened = in_a_terminal(tmp_path)
    last = screen.strip().splitlines()[-1]
    assert last.startswith("Sandtable is at http://127.0.0.1:"), screen
    assert opened == [last.split()[3]]


def test_no_page_is_opened_where_nobody_sits(tmp_path: Path) -> None:
    _, opened = in_a_terminal(tmp_path, CI="1")
    assert opened == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_is_and_ends_in_peace(tmp_path: Path, number: int) -> None:
    with serving(tmp_path) as (process, address):
        answer = asked(f"{address}/healthz")
        assert answer.json()["status"] == "ok"
        assert "server" not in answer.headers
        process.send_signal(number)
        assert process.wait(SECONDS) == 0
        assert process.stderr is not None
        lines = [json.loads(line) for line in process.stderr if line.startswith("{")]
    assert all(line["level"] == "info" for line in lines), lines
    assert (tmp_path / "sandtable.db").is_file()
    with pytest.raises(httpx.ConnectError):
        asked(f"{address}/healthz")


def test_a_socket_is_told_that_the_server_goes(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, address):
        with httpx.Client(base_url=address, timeout=SECONDS) as web:
            me = web.post("/api/guests", json={"name": "Anna"}).json()
            web.headers["X-CSRF-Token"] = me["csrf"]
            places = web.post("/api/catalogue/aa1942/seats", json={}).json()["seats"]
            powers = [power for place in places for power in place["powers"]]
            allies = ["soviet_union", "united_kingdom", "united_states"]
            axis = [power for power in powers if power not in allies]
            table = {
                "game": "aa1942",
                "seats": [
                    {"powers": allies, "kind": "me"},
                    {"powers": axis, "kind": "here", "player": "Ben"},
                ],
            }
            made = web.post("/api/games", json=table)
            assert made.status_code < 300, made.text
            id = made.json()["id"]
            started = web.post(f"/api/games/{id}/start", json={})
            assert started.status_code < 300, started.text
            cookie = f"sandtable={web.cookies['sandtable']}"
        url = address.replace("http", "ws", 1) + f"/api/games/{id}/socket"
        headers = {"Cookie": cookie}
        with connect(url, additional_headers=headers, open_timeout=SECONDS) as live:
            assert json.loads(live.recv(SECONDS))["type"] == "hello"
            process.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed):
                while True:
                    live.recv(SECONDS)
            assert live.protocol.close_code in (1001, 1012)
        assert process.wait(SECONDS) == 0


def test_a_running_request_is_finished_first(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, address):
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=SECONDS) as slow:
            slow.sendall(
                b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b"Content-Length: 15\r\nExpect: 100-continue\r\n\r\n"
            )
            assert slow.recv(1000).startswith(b"HTTP/1.1 100"), "the request has begun"
            process.send_signal(signal.SIGTERM)
            time.sleep(0.5)
            slow.sendall(b'{"name":"Anna"}')
            assert slow.recv(1000).startswith(b"HTTP/1.1 201")
        assert process.wait(SECONDS) == 0


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        said = refused(tmp_path, "--port", str(port))
    assert said.startswith(f"Port {port} is in use, perhaps by another Sandtable")


def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path):
        said = refused(tmp_path)
    assert said.startswith("Another Sandtable server uses the database")
    assert str(tmp_path / "sandtable.db") in said


def test_a_newer_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    database = Database(Config(f"sqlite:///{path}"))
    database.prepare()
    database.close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0999'")
    said = refused(tmp_path, "--database", str(path))
    assert said.startswith("This database was made by a newer Sandtable (its version is 0999")


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        (("--processes", "2"), {}, "Several server processes need a PostgreSQL database"),
        (("--host", "192.0.2.1"), {}, "This machine does not have the address 192.0.2.1."),
        (("--host", "no such host"), {}, "There is no address 'no such host' to serve at."),
        (("--port", "70000"), {}, "'--port'"),
        (("--database", "/dev/null/x.db"), {}, "The folder /dev/null of the database"),
        ((), {"SANDTABLE_PORT": "x", "SANDTABLE_RATE": "fast"}, "SANDTABLE_RATE"),
        ((), {"SANDTABLE_HOME": "/dev/null/x"}, "name another one with SANDTABLE_HOME"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], environment: dict[str, str], words: str
) -> None:
    given = {"SANDTABLE_HOME": str(tmp_path), **environment}
    home = Path(given.pop("SANDTABLE_HOME"))
    assert words in refused(home, *arguments, **given)


def test_starting_is_quick_because_the_odds_are_not_loaded(tmp_path: Path) -> None:
    code = (
        "import sys, sandtable.server.app as app, sandtable.server.config as config\n"
        f"app.create_app(config.Config('sqlite:///{tmp_path}/x.db'))\n"
        "print([name for name in ('numba', 'numpy', 'alembic') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=SECONDS
    )
    assert done.stdout.strip() == "[]"


def test_several_processes_on_postgresql(tmp_path: Path, postgres: Postgres) -> None:
    with postgres.database() as url:
        environment = {"SANDTABLE_DATABASE_URL": url, "SANDTABLE_METRICS_TOKEN": "t"}
        with serving(tmp_path, "--processes", "2", **environment) as (process, address):
            with httpx.Client(base_url=address, timeout=SECONDS) as web:
                web.post("/api/guests", json={"name": "Anna"})
            # A new connection each time, so that both processes get some.
            for _ in range(20):
                asked(f"{address}/api/catalogue")

            def counted() -> int:
                metrics = asked(f"{address}/metrics", headers={"Authorization": "Bearer t"}).text
                found = re.search(r'path="/api/catalogue",status="200"} (\d+)', metrics)
                return int(found.group(1)) if found else 0

            # The processes are counted together; a request when its answer has been sent.
            soon(lambda: counted() >= 20)
            assert counted() == 20
            process.send_signal(signal.SIGTERM)
            assert process.wait(SECONDS) == 0
