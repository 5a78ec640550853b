"""Odd paths, headers and bodies: each gets a sentence and a status, and none finds a defect."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from tests.server.hostile.kit import Guest, answering, connection, read_all, status
from tests.server.network import Server

ADDRESS = "127.0.0.75"

PATHS = [
    "GET *",
    "OPTIONS *",
    "CONNECT x:1",
    "GET http://other.example/api/me",
    "GET /api%2fme",
    "GET /api/games/%00",
    "GET /api/games/%ff%fe/view",
    "GET /api/games/..%2f..%2fetc%2fpasswd",
    "GET /..%2f..%2f..%2fetc/passwd.txt",
    "GET /%00.js",
    "GET /a%0d%0ab.js",
    "GET /api/maps/..%2faa1942",
    "GET /api/rules/" + "a" * 5000,
    "GET {game}/view?at=99999999999999999999",
    "GET {game}/view?as=%00",
    "GET {game}/replay?after=0&most=99999",
    "GET {game}/replay?after=9",
    "GET {game}/history?as=x",
    "GET {game}/report?as=%ff",
    "TRACE {game}",
    "PUT {game}/edit",
    "GET {game}?invite=%00%ff",
    "GET {game}/editor?power=germany&space=%00",
    "GET {game}/editor?power=germany&space=&of=%F0%9F%92%A9",
    "GET {game}/editor?power=%00",
    "GET {game}/observe?power=germany&since=99999999999999999999999",
    "GET {game}/legal?power=germany&limit=NaN",
]
HEADERS = [
    "Content-Type: text/plain",
    "Content-Type: application/json; charset=utf-16",
    "Content-Encoding: gzip",
    "Authorization: Bearer \xff\xfe",
    "Cookie: sandtable=\xff; sandtable=%00",
    "X-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Host: other.example",
    "If-None-Match: " + ",".join(['W/"x"'] * 3000),
    "Range: bytes=" + ",".join(["0-1"] * 1000),
    "Origin: null",
    "Sec-Fetch-Site: cross-site",
    "Expect: 100-continue",
    "Upgrade: h2c\r\nConnection: Upgrade",
]
RAW = [
    b"\xff" * 100,
    b"[" * 50_000,
    b'{"a":' * 15_000,
    gzip.compress(b'{"a":1}' * 1000),
    b'{"power":"germany","power":"japan","patch":{"bombs":{"W2325":NaN}},"version":0}',
    b'{"power":"germany","patch":{"bombs":{"W2325":1e5}},"version":0}',
    b'{"power":"germany","patch":{"bombs":{"\\u0000":1}},"version":0}',
    b'{"power":"germany","patch":{"held":{"W2325":"\\ud83d\\ude00"}},"version":0}',
    b'{"power":"germany","patch":{"wars":{"germany":{"germany":"war"}}},"version":0}',
    b'{"power":"germany","patch":{"units":{"W2325":{"germany":{"inf":true}}}},"version":0}',
]
BODIES: list[tuple[str, Any]] = [
    ("plan", {"power": "germany", "wanted": [{"ends": ["W2325", "W2325"], "capacity": 9}] * 100}),
    ("plan", {"power": "germany", "wanted": [{"ends": ["x", "\0"], "capacity": 1}]}),
    ("what-if", {"power": "germany", "space": "\0"}),
    ("what-if", {"power": "germany", "attack": {"inf": 1000}, "defend": {"": 0}}),
    ("what-if", {"power": "germany", "settings": {"attack_order": "\u202e"}}),
    ("branch", {"at": 2**31 - 1}),
    ("draft", {"power": "germany", "first": [{}] * 200}),
    ("draft", {"power": "germany", "first": [{"kind": "x" * 400}]}),
    ("reach", {"power": "germany", "space": "W2325", "chosen": {"\0": 10_000}}),
    ("odds", {"power": "germany", "space": "x", "first": [{"kind": []}]}),
    ("check", {"power": "germany", "decision": {"kind": {"a": 1}}}),
    ("decisions", {"power": "germany", "decision": {"kind": ["x"]}, "version": 0}),
]


@pytest.fixture(scope="module")
def owner(server: Server) -> Guest:
    return Guest(server, "Mallory", ADDRESS)


@pytest.fixture(scope="module")
def game(owner: Guest) -> str:
    """The path of a game that somebody plays alone."""
    places = owner.post("/api/catalogue/gw75/seats", {}).json()["seats"]
    powers = [power for place in places for power in place["powers"]]
    made = owner.post("/api/games", {"game": "gw75", "seats": [{"powers": powers, "kind": "me"}]})
    path = f"/api/games/{made.json()['id']}"
    assert owner.post(f"{path}/start", {}).status_code == 200
    return path


def answered(server: Server, owner: Guest, line: str, more: str = "", body: bytes = b"") -> int:
    """The status of the answer to a request as it stands here; 0 for none."""
    cookie = f"Cookie: {owner.cookie}\r\nX-CSRF-Token: {owner.http.headers['X-CSRF-Token']}\r\n"
    head = f"{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{cookie}{more}"
    size = f"Content-Length: {len(body)}\r\n" if body else ""
    with connection(server, ADDRESS) as raw:
        raw.sendall(f"{head}{size}\r\n".encode("latin-1") + body)
        return status(read_all(raw))


def test_odd_requests_find_no_defect(server: Server, owner: Guest, game: str) -> None:
    found: dict[str, int] = {}
    with answering(server):
        for line in PATHS:
            found[line] = answered(server, owner, line.format(game=game))
        for more in HEADERS:
            for line in ("GET /api/me", "GET /api/maps/gw75", f"POST {game}/edit"):
                body = b"{}" if line.startswith("POST") else b""
                found[f"{line} {more}"] = answered(server, owner, line, f"{more}\r\n", body)
        for content in RAW:
            found[str(content[:60])] = answered(server, owner, f"POST {game}/edit", "", content)
        for route, asked in BODIES:
            content = json.dumps(asked).encode()
            found[f"{route} {asked}"] = answered(server, owner, f"POST {game}/{route}", "", content)
    assert {said: code for said, code in found.items() if not 100 <= code < 500} == {}
    assert "Traceback" not in server.log()
    assert owner.http.get(game).json()["version"] == 0, "nothing was changed"
