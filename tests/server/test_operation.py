"""Health, metrics, logs, the reference page and the client's files."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
import structlog
from fastapi import FastAPI

from sandtable.server import client, logs
from sandtable.server.app import create_app
from sandtable.server.config import Config
from tests.server.conftest import TestClient


def test_health(web: TestClient) -> None:
    assert web.get("/healthz").json()["status"] == "ok"


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("192.0.2.1", {}, 403),
        ("127.0.0.1", {"X-Forwarded-For": "192.0.2.1"}, 403),
        ("127.0.0.1", {"Forwarded": "for=192.0.2.1"}, 403),
    ],
)
def test_metrics_are_for_this_machine(
    app: FastAPI, web: TestClient, address: str, headers: dict[str, str], status: int
) -> None:
    asking = TestClient(app, client=(address, 1))
    assert asking.get("/metrics", headers=headers).status_code == status


@pytest.mark.parametrize(
    ("sent", "status"), [("Bearer right", 200), ("Bearer wrong", 401), ("", 401), ("ä", 401)]
)
def test_metrics_by_token(database_url: str, sent: str, status: int) -> None:
    app = create_app(Config(database_url, rate=0, metrics_token="right"))
    with TestClient(app, client=("127.0.0.1", 1)) as web:
        answer = web.get("/metrics", headers={"Authorization": sent.encode()})
        assert answer.status_code == status


def test_metrics_count_requests_by_their_template(app: FastAPI, web: TestClient) -> None:
    web.get("/api/maps/none")
    web.get("/api/nothing/secret-value")
    text = TestClient(app, client=("127.0.0.1", 1)).get("/metrics").text
    assert 'sandtable_requests_total{method="GET",path="/api/maps/{game}",status="404"}' in text
    assert "secret-value" not in text
    for name in ("decisions", "sockets", "games_in_memory", "bot_seconds", "request_seconds"):
        assert f"# HELP sandtable_{name}" in text


# --- logs ----------------------------------------------------------------------------------------


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What is logged, with the settings of a server."""
    said = io.StringIO()
    root = logging.getLogger()
    before, level = root.handlers, root.level
    monkeypatch.setattr("sys.stderr", said)
    monkeypatch.setattr(logging.getLogger("httpx"), "disabled", True)
    configured = structlog.get_config()
    logs.set_up(Config("sqlite://", log_format="json", log_level="info"))
    monkeypatch.setattr(logs, "_log", structlog.get_logger("sandtable.requests"))
    yield said
    root.handlers, root.level = before, level
    structlog.configure(**configured)


def test_every_request_is_a_line_without_secrets(
    app: FastAPI, web: TestClient, lines: io.StringIO
) -> None:
    body = {"name": "Anna", "password": "correct horse"}
    me = web.post("/api/accounts", json=body).json()
    csrf = {"X-CSRF-Token": me["csrf"]}
    token = web.post("/api/tokens", json={"label": "bot"}, headers=csrf).json()["token"]
    web.get("/api/games?invite=very-secret", headers={"Authorization": f"Bearer {token}"})
    found = [json.loads(line) for line in lines.getvalue().splitlines()]
    requests = [line for line in found if line["event"] == "request"]
    assert [line["path"] for line in requests[:2]] == ["/api/accounts", "/api/tokens"]
    for line in requests:
        assert {"method", "path", "status", "ms", "account", "request", "timestamp"} <= set(line)
    assert requests[1]["account"] == me["account"]["id"]
    text = lines.getvalue()
    for secret in ("correct horse", me["csrf"], token, web.cookies["sandtable"], "very-secret"):
        assert secret not in text


def test_a_defect_is_logged_with_its_place_but_no_values(
    app: FastAPI, lines: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    @app.get("/api/broken")
    def broken() -> None:
        password = "correct horse"
        raise RuntimeError("broken" + password[:0])

    monkeypatch.setattr("sandtable.server.security._log", structlog.get_logger("sandtable"))
    with TestClient(app) as web:
        web.get("/api/broken")
    defect = next(json.loads(line) for line in lines.getvalue().splitlines() if "defect" in line)
    assert "RuntimeError: broken" in defect["exception"]
    assert 'password = "correct horse"' not in defect["exception"]


# --- pages ---------------------------------------------------------------------------------------


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id" and value:
                self.ids.add(value)


def test_the_reference_shows_every_path_and_needs_nothing_from_elsewhere(
    app: FastAPI, web: TestClient
) -> None:
    text = web.get("/docs").text
    page = _Page(text)
    for path in web.get("/openapi.json").json()["paths"]:
        assert f"<code>{path}</code>" in text
    assert "script" not in page.tags
    for link in page.links:
        assert link.startswith(("/", "#"))
        assert not link.startswith("#") or link[1:] in page.ids


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A client, as a build leaves it."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<title>the page</title>")
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "assets" / "index-1a2b.js").write_text("let x = 1\n" * 1000)
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(client, "FOLDER", folder)
    return folder


@pytest.mark.parametrize("path", ["/", "/games/abc", "/join/x-y_z", "/nothing/at/all"])
def test_every_address_of_the_client_is_its_page(
    built: Path, app: FastAPI, web: TestClient, path: str
) -> None:
    answer = web.get(path)
    assert (answer.status_code, answer.text) == (200, "<title>the page</title>")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert web.get(path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_files_with_a_hash_in_their_name_are_kept_for_ever(built: Path, web: TestClient) -> None:
    answer = web.get("/assets/index-1a2b.js")
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "javascript" in answer.headers["Content-Type"]
    assert web.get("/icon.svg").headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    ["/assets/other.js", "/favicon.ico", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/a%00.js"],
)
def test_other_files_are_not_there(built: Path, web: TestClient, path: str) -> None:
    answer = web.get(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text
    assert "immutable" not in answer.headers.get("Cache-Control", "")


def test_a_missing_client_is_said_to_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: Config
) -> None:
    monkeypatch.setattr(client, "FOLDER", tmp_path / "nothing")
    with TestClient(create_app(config)) as web:
        answer = web.get("/")
    assert answer.status_code == 503
    assert "has not been built" in answer.text
