"""Who may do what: every path of a game for nobody, for strangers, and for those at the table."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient, WebSocketDenialResponse

from tests.server.conftest import Player, guest
from tests.server.playing import table

GERMAN = {"power": "germany", "version": 999}
DECISION = {"power": "germany", "decision": {"kind": "done"}}

# Method, path and body; then the status for nobody, for somebody else, for the other player, and
# for the creator, who runs Germany. A game that is private is not there for those who may not see.
PATHS: list[tuple[str, str, Any, tuple[int, int, int, int]]] = [
    ("GET", "", None, (404, 404, 200, 200)),
    ("GET", "/view", None, (404, 404, 200, 200)),
    ("GET", "/view?at=0", None, (404, 404, 200, 200)),
    ("GET", "/view?as=Anna", None, (404, 404, 403, 200)),
    ("GET", "/history", None, (404, 404, 200, 200)),
    ("GET", "/history?as=Anna", None, (404, 404, 403, 200)),
    ("GET", "/report", None, (404, 404, 200, 200)),
    ("GET", "/report?as=Anna", None, (404, 404, 403, 200)),
    ("GET", "/replay?after=0", None, (404, 404, 200, 200)),
    ("GET", "/replay?after=0&as=Anna", None, (404, 404, 403, 200)),
    ("GET", "/save", None, (404, 404, 403, 403)),
    ("GET", "/form?power=germany", None, (401, 404, 403, 200)),
    ("GET", "/legal?power=germany", None, (401, 404, 403, 200)),
    ("GET", "/observe?power=germany", None, (401, 404, 403, 200)),
    ("POST", "/check", DECISION, (401, 404, 403, 200)),
    (
        "POST",
        "/reach",
        {"power": "germany", "space": "germany", "chosen": {}},
        (401, 404, 403, 422),
    ),
    ("GET", "/editor?power=germany", None, (401, 404, 403, 403)),
    ("POST", "/edit", {"power": "germany", "patch": {}, "version": 0}, (401, 404, 403, 403)),
    ("POST", "/draft", {"power": "germany", "first": []}, (401, 404, 403, 200)),
    ("POST", "/plan", {"power": "germany", "wanted": []}, (401, 404, 403, 422)),
    ("POST", "/odds", {"power": "germany", "space": "germany"}, (401, 404, 403, 200)),
    ("POST", "/what-if", {"power": "germany"}, (401, 404, 403, 200)),
    ("POST", "/decisions", {**DECISION, "version": 999}, (401, 404, 403, 409)),
    ("POST", "/undo", GERMAN, (401, 404, 403, 409)),
    ("POST", "/chat", {"text": "Hello"}, (401, 404, 201, 201)),
    ("POST", "/join", {"seat": 0}, (401, 404, 409, 200)),
    ("POST", "/join", {"invite": "0" * 32}, (401, 404, 404, 404)),
    ("POST", "/leave", {}, (401, 404, 409, 409)),
    ("POST", "/seats/0", {"kind": "open"}, (401, 404, 403, 409)),
    ("POST", "/branch", {"at": 0}, (401, 404, 403, 403)),
    ("POST", "/resign/consequence", {"power": "germany"}, (401, 404, 403, 200)),
    ("POST", "/start", {}, (401, 404, 403, 409)),
    ("POST", "/reveal", {"entropy": "a0" * 16}, (401, 404, 409, 409)),
    ("DELETE", "", None, (401, 404, 403, 409)),
    ("POST", "/takeover", {"seat": 7}, (401, 404, 422, 422)),
    ("POST", "/return", {}, (401, 404, 200, 200)),
    ("POST", "/standing", {"power": "germany", "windows": []}, (401, 404, 403, 200)),
    ("POST", "/rematch", {}, (401, 404, 409, 409)),
    ("POST", "/resign", {"power": "germany"}, (401, 404, 403, 200)),
]


@pytest.fixture
def game(anna: Player, ben: Player) -> str:
    seats = [
        (anna, ["germany", "japan"]),
        (ben, ["soviet_union", "united_kingdom", "united_states"]),
    ]
    # Germany first: what its player may ask can be answered.
    return table(anna, "aa1942", seats, access="private")


def test_every_path_is_in_the_table(app: FastAPI) -> None:
    named = ((method, path.split("?")[0]) for method, path, _, _ in PATHS)
    known = {(method, path.replace("/seats/0", "/seats/{number}")) for method, path in named}
    there = {
        (method.upper(), path.removeprefix("/api/games/{id}"))
        for path, methods in app.openapi()["paths"].items()
        for method in methods
        if path.startswith("/api/games/{id}")
    }
    assert there == known


def test_nobody_gets_further_than_they_may(
    web: TestClient, app: FastAPI, anna: Player, ben: Player, game: str
) -> None:
    # It is Germany's turn, once the Soviet Union has had its own.
    carl = guest(app, "Carl")
    while anna.get(f"/api/games/{game}")["waiting"] != ["germany"]:
        version = anna.get(f"/api/games/{game}")["version"]
        waiting = anna.get(f"/api/games/{game}")["waiting"][0]
        legal = ben.get(f"/api/games/{game}/legal", power=waiting)
        body = {"power": waiting, "decision": legal["decisions"][0], "version": version}
        ben.post(f"/api/games/{game}/decisions", body)
    for method, path, body, expected in PATHS:
        for http, status in zip((web, carl.http, ben.http, anna.http), expected, strict=True):
            answer = http.request(method, f"/api/games/{game}{path}", json=body)
            assert answer.status_code == status, (method, path, status, answer.text)
            if status >= 400:
                assert answer.json()["error"]


def test_a_private_game_has_no_socket_for_strangers(
    web: TestClient, app: FastAPI, anna: Player, ben: Player, game: str
) -> None:
    carl = guest(app, "Carl")
    for http in (web, carl.http):
        with (
            pytest.raises(WebSocketDenialResponse) as refused,
            http.websocket_connect(f"/api/games/{game}/socket"),
        ):
            pass
        assert refused.value.status_code == 404
    with (
        pytest.raises(WebSocketDenialResponse) as refused,
        ben.http.websocket_connect(f"/api/games/{game}/socket?as=Anna"),
    ):
        pass
    assert refused.value.status_code == 403
    assert carl.get("/api/games", list="public")["games"] == []


def test_whoever_knows_the_address_may_watch_a_game_by_link(
    web: TestClient, anna: Player, ben: Player
) -> None:
    seats = [
        (anna, ["germany", "japan"]),
        (ben, ["soviet_union", "united_kingdom", "united_states"]),
    ]
    id = table(anna, "aa1942", seats, access="link")
    info = web.get(f"/api/games/{id}").json()
    assert info["you"] == [] and info["secret"] is None and not info["mine"]
    assert web.get(f"/api/games/{id}/view").status_code == 200
    assert web.get(f"/api/games/{id}/save").status_code == 403
    with web.websocket_connect(f"/api/games/{id}/socket") as socket:
        hello = socket.receive_json()
        assert hello["pending"] == [] and hello["undo"] == ""
    assert web.get("/api/games?list=public").json()["games"] == []
    public = table(anna, "aa1942", seats, access="public")
    listed = web.get("/api/games?list=public").json()["games"]
    assert [game["id"] for game in listed] == [public]


def test_invitations_are_shown_to_the_creator_and_to_whoever_has_them(
    anna: Player, ben: Player
) -> None:
    seats = [
        {"powers": ["germany", "japan"], "kind": "me"},
        {"powers": ["soviet_union"], "kind": "invited"},
        {"powers": ["united_kingdom", "united_states"], "kind": "bot", "bot": "random"},
    ]
    made = anna.post("/api/games", {"game": "aa1942", "access": "private", "seats": seats}, 201)
    invite = made["seats"][1]["invite"]
    path = f"/api/games/{made['id']}"
    assert made["seats"][0]["invite"] is None and len(invite) >= 32
    ben.get(path, 404)
    ben.get(path, 404, invite="wrong")
    shown = ben.get(path, invite=invite)
    assert [seat["invite"] for seat in shown["seats"]] == [None, invite, None]
    ben.post(f"{path}/join", {"invite": invite})
    assert anna.get(path)["seats"][1]["invite"] is None
    assert ben.get(path)["seats"][1]["mine"]
