"""CSRF, headers, foreign pages, sizes; and the form of every error."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts

from sandtable.server import security
from sandtable.server.accounts import anybody
from sandtable.server.app import create_app
from sandtable.server.config import Config
from sandtable.server.errors import Problem
from sandtable.server.schemas import UPLOAD
from sandtable.server.security import BODY
from tests.server.conftest import Player, TestClient

OPEN = {"/api/guests", "/api/catalogue/{game}/seats", "/api/email", "/api/password"}
"""What changes nothing for whoever is logged in, or needs a secret that came by mail."""


def api_routes(app: FastAPI) -> list[Any]:
    return [
        route
        for route in iter_route_contexts(app.routes)
        if isinstance(route.original_route, APIRoute)
    ]


def test_every_path_that_changes_something_asks_who_it_is(app: FastAPI) -> None:
    checked = set()
    for route in api_routes(app):
        if route.methods - {"GET", "HEAD"} and route.path not in OPEN:
            asked = [route.original_route.dependant]
            for dependant in asked:
                asked += dependant.dependencies
            assert anybody in [dependant.call for dependant in asked], route.path
            checked.add(route.path)
    assert {"/api/me", "/api/session", "/api/tokens"} <= checked


@pytest.mark.parametrize("token", [None, "", "wrong", "\u00e4"])
def test_without_its_csrf_token_a_cookie_changes_nothing(anna: Player, token: str | None) -> None:
    del anna.http.headers["X-CSRF-Token"]
    headers = {} if token is None else {"X-CSRF-Token": token.encode()}
    answer = anna.http.patch("/api/me", json={"name": "Mallory"}, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["field"] == "X-CSRF-Token"
    assert anna.get("/api/me")["account"]["name"] == "Anna"


def test_the_csrf_token_of_another_session_is_wrong(anna: Player, ben: Player) -> None:
    anna.http.headers["X-CSRF-Token"] = ben.http.headers["X-CSRF-Token"]
    anna.patch("/api/me", {"name": "Mallory"}, 403)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://testserver.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://other.testserver"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
    ],
)
@pytest.mark.parametrize("path", ["/api/guests", "/api/session", "/api/verify"])
def test_foreign_pages_change_nothing(web: TestClient, path: str, headers: dict[str, str]) -> None:
    answer = web.post(path, json={"name": "Mallory"}, headers=headers)
    assert answer.status_code == 403
    assert answer.json() == {"error": "That came from a page of another site.", "field": "Origin"}


@pytest.mark.parametrize(
    "headers",
    [{}, {"Origin": "http://testserver"}, {"Sec-Fetch-Site": "same-origin"}],
)
def test_our_own_page_and_programs_may(web: TestClient, headers: dict[str, str]) -> None:
    assert web.post("/api/guests", json={"name": "A"}, headers=headers).status_code == 201


def test_behind_a_proxy_the_public_address_is_ours(database_url: str) -> None:
    config = Config(database_url, rate=0, public_url="http://sand.example:8080")
    with TestClient(create_app(config), base_url="http://inside") as web:
        for origin, status in (("http://sand.example:8080", 201), ("http://sand.example", 403)):
            answer = web.post("/api/guests", json={"name": "A"}, headers={"Origin": origin})
            assert answer.status_code == status


PAGES = ["/", "/docs", "/openapi.json", "/healthz", "/metrics", "/games/x", "/assets/none.js"]
PATHS = ["/api/me", "/api/nothing", "/api/catalogue", "/api/maps/aa1942", "/api/maps/none"]


@pytest.mark.parametrize("path", PAGES + PATHS)
def test_every_answer_has_the_headers(web: TestClient, path: str) -> None:
    headers = web.get(path).headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert "script-src" not in policy, "scripts are those of default-src: none inline, none foreign"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert re.fullmatch("[0-9a-f]{16}", headers["X-Request-ID"])
    assert "server" not in headers


def test_a_defect_is_answered_with_the_headers_and_without_details(app: FastAPI) -> None:
    @app.get("/api/broken")
    def broken() -> None:
        raise RuntimeError("the secret is 1234")

    with TestClient(app, raise_server_exceptions=False) as web:
        answer = web.get("/api/broken")
    assert answer.status_code == 500
    assert set(answer.json()) == {"error"}
    assert "1234" not in answer.text
    assert "Content-Security-Policy" in answer.headers


def test_private_answers_are_not_kept_by_caches(web: TestClient) -> None:
    assert web.get("/api/me").headers["Cache-Control"] == "no-store"


# --- sizes and forms -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "most"), [("/api/guests", BODY), ("/api/verify", UPLOAD), ("/api/games", UPLOAD)]
)
@pytest.mark.parametrize("chunked", [False, True])
def test_what_is_too_large_is_refused(anna: Player, path: str, most: int, chunked: bool) -> None:
    body = b" " * (most + 1)
    content: Any = (body[n : n + 65536] for n in range(0, len(body), 65536)) if chunked else body
    answer = anna.http.post(path, content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert answer.json() == {"error": f"That is too large: at most {most / 1_000_000:g} MB."}


def test_a_false_length_does_not_help(web: TestClient) -> None:
    def body() -> Any:
        for _ in range(20):
            yield b" " * 100_000

    headers = {"Content-Type": "application/json", "Content-Length": "10"}
    assert web.post("/api/guests", content=body(), headers=headers).status_code == 413


def test_a_body_that_trickles_in_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "BODY_SECONDS", 0.05)

    async def read() -> None:
        async def receive() -> dict[str, Any]:
            await asyncio.sleep(0.01)
            return {"type": "http.request", "body": b" ", "more_body": True}

        scope = {"type": "http", "method": "POST", "path": "/api/x", "headers": []}
        await security._with_body(scope, receive)

    with pytest.raises(Problem) as caught:
        asyncio.run(read())
    assert caught.value.status == 408


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/api", None, 404),
        ("GET", "/api/nothing", None, 404),
        ("GET", "/api/catalogue/", None, 404),
        ("DELETE", "/api/catalogue", None, 405),
        ("GET", "/api/guests", None, 405),
        ("POST", "/", None, 405),
        ("POST", "/api/guests", b"", 400),
        ("POST", "/api/guests", b"{", 400),
        ("POST", "/api/guests", b"[]", 400),
        ("POST", "/api/guests", b'"x"', 400),
        ("POST", "/api/guests", b"\xff\xfe", 400),
        ("POST", "/api/guests", b"[" * 100_000, 400),
        ("POST", "/api/guests", b'{"name": "\\ud800"}', 400),
        ("POST", "/api/guests", b'{"name": 7}', 400),
        ("POST", "/api/guests", b'{"name": "A", "admin": true}', 400),
        ("POST", "/api/guests", b'{"name": NaN}', 400),
        ("GET", "/api/maps/%00", None, 404),
        ("GET", "/api/maps/..%2f..%2fsecret", None, 404),
        ("GET", "/api/rules/none", None, 404),
        ("GET", "/../pyproject.toml", None, 404),
    ],
)
def test_every_error_has_the_one_form(
    web: TestClient, method: str, path: str, body: bytes | None, status: int
) -> None:
    headers = {"Content-Type": "application/json"}
    answer = web.request(method, path, content=body, headers=headers)
    if path.startswith("/..") and answer.status_code == 503:
        pytest.skip("the client has not been built")
    assert answer.status_code == status, answer.text
    said = answer.json()
    assert set(said) <= {"error", "rule", "field"}
    assert said["error"][0].isupper() or said["error"].split(":")[0] == said["field"]
    assert said["error"].endswith(".")
    assert (answer.headers.get("allow") is not None) == (status == 405)


def test_a_foreign_page_opens_no_socket(web: TestClient) -> None:
    from starlette.testclient import WebSocketDenialResponse

    with (
        pytest.raises(WebSocketDenialResponse) as caught,
        web.websocket_connect("/api/games/x/socket", headers={"Origin": "https://evil.example"}),
    ):
        pass
    assert isinstance(caught.value, httpx.Response)
    assert caught.value.status_code == 403


def test_a_socket_where_there_is_none_is_not_opened(web: TestClient) -> None:
    from starlette.testclient import WebSocketDenialResponse
    from starlette.websockets import WebSocketDisconnect

    with (
        pytest.raises((WebSocketDenialResponse, WebSocketDisconnect)),
        web.websocket_connect("/api/nothing"),
    ):
        pass
