"""Deleting an account."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from sandtable.server.leaving import NAME
from sandtable.server.tables import Account, GameRow, Seat, Session
from tests.server.conftest import EITHER, Player, TestClient
from tests.server.playing import table, watching

SECRET = "correct horse"
AXIS = ["germany", "japan"]
ALLIES = ["soviet_union", "united_kingdom", "united_states"]


@pytest.fixture
def dora(app: FastAPI, web: TestClient) -> Player:
    """A registered player."""
    player = Player(app)
    mine = {"name": "Dora", "password": SECRET, "email": "dora@example.org"}
    player.adopt(player.post("/api/accounts", mine))
    return player


@EITHER
def test_an_account_is_deleted_with_what_is_its_alone(
    app: FastAPI, anna: Player, dora: Player
) -> None:
    alone = table(dora, "aa1942", [(dora, AXIS), ("random", ALLIES)])
    shared = table(dora, "aa1942", [(dora, AXIS), (anna, ALLIES)])
    dora.post(f"/api/games/{shared}/chat", {"text": "Hello"})
    mine = {"powers": AXIS, "kind": "me"}
    lobby = {"game": "aa1942", "seats": [mine, {"powers": ALLIES, "kind": "open"}]}
    own = dora.post("/api/games", lobby)["id"]
    theirs = anna.post("/api/games", {**lobby, "access": "public"})["id"]
    dora.post(f"/api/games/{theirs}/join", {"seat": 1})
    token = dora.post("/api/tokens", {"label": "bot"})["token"]

    assert dora.post("/api/me/delete", {}, 403)["field"] == "current"
    dora.post("/api/me/delete", {"password": "a guess"}, 403)
    with watching(anna, shared) as watcher:
        dora.post("/api/me/delete", {"password": SECRET}, 204)
        while (told := watcher.until_type("info")["info"])["creator"] != NAME:
            pass
        assert (told["status"], told["seats"][0]["player"]) == ("over", NAME)

    assert dora.get("/api/me")["account"] is None
    assert anna.http.get("/api/me", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    Player(app).post("/api/session", {"name": "Dora", "password": SECRET}, 401)
    for gone in (alone, own):
        anna.get(f"/api/games/{gone}", 404)
    free = anna.get(f"/api/games/{theirs}")["seats"][1]
    assert (free["kind"], free["player"]) == ("open", "")
    assert sorted(anna.get(f"/api/games/{shared}")["result"]["winners"]) == sorted(ALLIES)
    left = "resigned for Germany, Japan"
    with watching(anna, shared) as watcher:
        assert watcher.mirror.chat == ["Hello", f"{NAME} {left}: the game is over."]
        assert "Dora" not in watcher.told[0]
    assert "Dora" not in anna.http.get(f"/api/games/{shared}/save").text
    with app.state.database.reading() as session:
        left = session.get_one(Account, dora.id)
        assert (left.name, left.login, left.password, left.email) == (NAME, None, None, None)
        assert dora.id not in set(session.scalars(select(Session.account)))
        assert {row.id for row in session.scalars(select(GameRow))} == {shared, theirs}
    # The name is free again.
    Player(app).post("/api/accounts", {"name": "Dora", "password": SECRET}, 201)


def test_others_play_on_with_a_bot(app: FastAPI, anna: Player, ben: Player, dora: Player) -> None:
    powers = [(anna, AXIS), (ben, ALLIES[:1]), (dora, ALLIES[1:])]
    id = table(anna, "aa1942", powers)
    dora.post("/api/me/delete", {"password": SECRET}, 204)
    info = anna.get(f"/api/games/{id}")
    assert info["status"] == "running"
    assert (info["seats"][2]["kind"], info["seats"][2]["bot"]) == ("bot", "greedy")
    with app.state.database.reading() as session:
        names = session.scalars(select(Seat.player).where(Seat.game == id).order_by(Seat.number))
        assert list(names) == ["Anna", "Ben", NAME]


def test_a_guest_needs_no_password(anna: Player) -> None:
    anna.post("/api/me/delete", {}, 204)
    assert anna.get("/api/me")["account"] is None


def test_a_program_does_not_delete_its_person(dora: Player, web: TestClient) -> None:
    token = dora.post("/api/tokens", {"label": "bot"})["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    answer = web.post("/api/me/delete", headers=bearer, json={"password": SECRET})
    assert answer.status_code == 403
    assert dora.get("/api/me")["account"]["name"] == "Dora"
