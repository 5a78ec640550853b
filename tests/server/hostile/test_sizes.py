"""Opening games, and the sizes of what is kept: fair, bounded, seats before spectators."""

from __future__ import annotations

import json
import threading
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import inspect, select
from starlette.websockets import WebSocketDisconnect

import sandtable
from sandtable.server import lobby, notices, openings, rooms, snapshots
from sandtable.server.accounts import Person
from sandtable.server.app import create_app
from sandtable.server.config import Config
from sandtable.server.database import Database
from sandtable.server.limits import Limit
from sandtable.server.room import Room
from sandtable.server.routes import games
from sandtable.server.tables import Account, GameRow, Notice, SnapshotRow
from tests.server.conftest import Player, TestClient, guest
from tests.server.playing import places, table, watching


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that were taken into memory."""
    found: list[str] = []
    open_room = Room.open

    def opening(database: Database, id: str, **more: Any) -> Room:
        found.append(id)
        return open_room(database, id, **more)

    monkeypatch.setattr(Room, "open", opening)
    return found


def save(decisions: int) -> str:
    import random

    from sandtable.kernel.savefile import save_text

    game = sandtable.new("aa1942", seed=4)
    rng = random.Random(4)
    for _ in range(decisions):
        request = game.pending[0]
        game.submit(request.power, game.legal(request).sample(rng))
    return save_text(game)


def lobby_of_a_save(anna: Player, decisions: int = 40) -> dict[str, Any]:
    first, *others = places(anna, "aa1942")
    rest = [power for place in others for power in place]
    seats = [{"powers": first, "kind": "me"}, {"powers": rest, "kind": "open"}]
    made: dict[str, Any] = anna.post("/api/games", {"save": save(decisions), "seats": seats}, 201)
    return made


def test_changes_of_the_lobby_open_nothing(
    anna: Player, ben: Player, app: FastAPI, opened: list[str]
) -> None:
    id = lobby_of_a_save(anna)["id"]
    for _ in range(5):
        ben.post(f"/api/games/{id}/join", {"seat": 1})
        ben.post(f"/api/games/{id}/leave")
    assert opened == []
    with watching(anna, id) as watcher:
        assert opened == [id], "to be looked at"
        for _ in range(5):
            ben.post(f"/api/games/{id}/join", {"seat": 1})
            assert watcher.until_type("info")["info"]["seats"][1]["kind"] == "person"
            ben.post(f"/api/games/{id}/leave")
            assert watcher.until_type("info")["info"]["seats"][1]["kind"] == "open"
        assert opened == [id]
        ben.post(f"/api/games/{id}/join", {"seat": 1})
        anna.post(f"/api/games/{id}/start")
        hello = watcher.until_type("hello")
        assert hello["info"]["status"] == "running" and hello["pending"] is not None
        assert opened == [id, id], "the start fixes the dice"


def test_a_long_game_is_made_ready_elsewhere(
    anna: Player, app: FastAPI, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its decisions are run in another process, which leaves a snapshot."""
    monkeypatch.setattr(openings, "LONG", 300)
    id = lobby_of_a_save(anna, 600)["id"]
    state = anna.get(f"/api/games/{id}/view")
    assert opened == [id] and state["version"] == 600
    with app.state.database.reading() as session:
        noted = session.get(SnapshotRow, id)
        assert noted is not None and noted.version >= 250
    room = app.state.rooms._tables[id].room
    assert room.game.past is not None, "opened from it"
    with app.state.database.transaction() as session:
        # As a start does it: the snapshot still fits.
        session.get_one(GameRow, id).entropy = ["aa"]
    with app.state.database.reading() as session:
        assert snapshots.read(session, session.get_one(GameRow, id)) is not None


def test_seats_go_before_spectators(
    anna: Player, ben: Player, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "MOST_SPECTATORS", 4)
    powers = [power for place in places(anna, "aa1942") for power in place]
    id = table(anna, "aa1942", [(anna, powers)])
    with ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(watching(ben, id))
        assert refused(ben, id) == "Too many people watch this game just now. Try again later."
        with watching(anna, id) as watcher:
            assert watcher.mirror.pending, "a player gets in"


def test_one_person_does_not_take_all_places(
    anna: Player, ben: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "MOST_OF_ONE", 2)
    powers = [power for place in places(anna, "aa1942") for power in place]
    id = table(anna, "aa1942", [(anna, powers)])
    for player in (anna, ben):
        with ExitStack() as stack:
            stack.enter_context(watching(player, id))
            stack.enter_context(watching(player, id))
            assert refused(player, id)
        with watching(player, id):
            pass


def refused(player: Player, id: str) -> str:
    """What somebody is told for whom there is no place."""
    with (
        player.http.websocket_connect(f"/api/games/{id}/socket") as socket,
        pytest.raises(WebSocketDisconnect),
    ):
        while True:
            told = json.loads(socket.receive_text())
            assert told["type"] == "error"
            words = told["error"]
    return str(words)


def test_a_tarpit_delays_nobody_else_s_notices(
    web: object, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tarpit answers only when the friend has been told."""
    config = Config(app.state.config.database_url, local_webhooks=True)
    database = app.state.database
    people = {name: guest(app, name) for name in ("Mallory", "Anna")}
    powers = [power for place in places(people["Anna"], "aa1942") for power in place]
    id = table(people["Anna"], "aa1942", [(people["Anna"], powers)])
    with database.transaction() as session:
        for name, player in people.items():
            session.get_one(Account, player.id).webhook = f"http://{name.lower()}.example/hook"
            for number in range(3 if name == "Mallory" else 1):
                session.add(
                    Notice(
                        game=id,
                        account=player.id,
                        version=number,
                        kind="over",
                        due=datetime.now(UTC),
                        tries=0,
                    )
                )
    told = threading.Event()
    order: list[str] = []

    def post(url: str, content: bytes, *, local: bool = False) -> None:
        if "mallory" in url:
            assert told.wait(60), "the friend has to wait for the tarpit"
        order.append(url)
        told.set()

    monkeypatch.setattr(notices, "post", post)
    assert notices.send_due(database, config) == 4
    assert "anna" in order[0]
    with database.reading() as session:
        assert session.scalars(select(Notice)).all() == []


def test_lists_of_tables_do_not_read_what_is_large(anna: Player, app: FastAPI) -> None:
    id = lobby_of_a_save(anna)["id"]
    assert [game["id"] for game in anna.get("/api/games", list="mine")["games"]] == [id]
    who = Person(anna.id, "Anna", True, None, False, None, "", "", datetime.now(UTC))
    ((head, seats, title),) = lobby.listed(app.state.database, who, "mine")
    assert inspect(head).unloaded >= {"position", "dice"}
    assert len(seats) == 2 and title == anna.get(f"/api/games/{id}")["subtitle"]


def test_a_guest_has_so_many_tables_and_an_address_so_many_saves(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "MOST_OF_A_GUEST", 2)
    monkeypatch.setattr(games, "SAVES", Limit(1, 1e-6))
    strict = create_app(Config(database_url))
    with TestClient(strict) as web:
        csrf = web.post("/api/guests", json={"name": "Mallory"}).json()["csrf"]
        headers = {"X-CSRF-Token": csrf}
        powers = ["germany", "japan", "soviet_union", "united_kingdom", "united_states"]
        seats = [{"powers": powers, "kind": "me"}]

        def make(**more: Any) -> int:
            body = {"seats": seats, **more}
            return web.post("/api/games", json=body, headers=headers).status_code

        assert make(save=save(3)) == 201
        assert make(save=save(3)) == 429
        assert [make(game="aa1942"), make(game="aa1942")] == [201, 409]


def test_long_games_that_nobody_uses_leave_the_memory_first(
    anna: Player, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [lobby_of_a_save(anna, 30)["id"] for _ in range(3)]
    for id in ids:
        anna.get(f"/api/games/{id}/view")
    all_rooms = app.state.rooms
    assert set(ids) <= set(all_rooms._tables)
    monkeypatch.setattr(rooms, "MOST_VERSIONS", 70)
    all_rooms.tidy()
    assert set(all_rooms._tables) == set(ids[1:])
