"""Sockets: several at once, nonsense, slowness, presence and chat."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from typing import Any

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from sandtable.server import metrics, sockets
from sandtable.server import room as room_module
from sandtable.server.room import Room
from sandtable.server.routes import socket as route
from sandtable.server.sockets import AGAIN, UNWANTED, Connection
from tests.server.conftest import EITHER, Player, guest
from tests.server.playing import decide, table, watching


@pytest.fixture
def game(anna: Player, ben: Player) -> str:
    return table(anna, "blitz", [(anna, ["germany"]), (ben, ["afa"])])


def test_two_tabs_of_one_player_are_told_the_same_and_only_one_decides(
    anna: Player, game: str
) -> None:
    with watching(anna, game) as one, watching(anna, game) as two:
        legal = anna.get(f"/api/games/{game}/legal", power="germany")["decisions"]
        body = {"power": "germany", "decision": legal[0], "version": 0}
        assert anna.post(f"/api/games/{game}/decisions", body) == {"version": 1}
        twice = anna.post(f"/api/games/{game}/decisions", body, 409)
        assert "moved on" in twice["error"]
        assert one.until(1).seen() == two.until(1).seen()
        body = {"power": "germany", "version": 1}
        anna.post(f"/api/games/{game}/undo", body)
        anna.post(f"/api/games/{game}/undo", body, 409)
        assert one.until(2).seen() == two.until(2).seen()
        assert [line["text"] for line in one.mirror.log] == ["Turn 1 began."]


def test_who_goes_away_before_the_door_is_opened_leaves_no_trace(
    app: FastAPI, anna: Player, game: str
) -> None:
    cookie = "; ".join(f"{name}={value}" for name, value in anna.http.cookies.items())
    scope = {
        "type": "websocket",
        "scheme": "ws",
        "path": f"/api/games/{game}/socket",
        "query_string": b"",
        "headers": [(b"host", b"testserver"), (b"cookie", cookie.encode())],
        "client": ("127.0.0.1", 1),
        "subprotocols": [],
    }
    told = []

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, Any]) -> None:
        told.append(message["type"])
        raise OSError("gone")

    # Nothing comes out of it: what does is logged as a defect.
    anna.http.portal.call(app, scope, receive, send)  # type: ignore[union-attr]
    assert told == ["websocket.accept"]


def test_decisions_for_others_and_out_of_turn_are_refused(
    anna: Player, ben: Player, game: str
) -> None:
    legal = anna.get(f"/api/games/{game}/legal", power="germany")["decisions"]
    body = {"power": "germany", "decision": legal[0], "version": 0}
    ben.post(f"/api/games/{game}/decisions", body, 403)
    answer = ben.post(f"/api/games/{game}/decisions", {**body, "power": "afa"}, 422)
    assert answer["error"]
    ben.get(f"/api/games/{game}/form", 409, power="afa")
    wrong = anna.post(f"/api/games/{game}/decisions", {**body, "decision": {"kind": "fly"}}, 422)
    assert "fly" in wrong["error"]
    assert anna.get(f"/api/games/{game}")["version"] == 0


def test_asking_changes_nothing(anna: Player, game: str) -> None:
    path = f"/api/games/{game}"
    before = anna.get(f"{path}/observe", power="germany")
    form = anna.get(f"{path}/form", power="germany")
    assert form["power"] == "germany" and form["title"]
    few = anna.get(f"{path}/legal", power="germany", limit=1)
    assert len(few["decisions"]) == 1 and not few["complete"]
    every = anna.get(f"{path}/legal", power="germany", limit=1000)
    for decision in every["decisions"][:10]:
        body = {"power": "germany", "decision": decision}
        assert anna.post(f"{path}/check", body) == {"ok": True, "reason": "", "rule": ""}
    verdict = anna.post(f"{path}/check", {"power": "germany", "decision": {"kind": "no"}})
    assert not verdict["ok"] and verdict["reason"]
    anna.post(f"{path}/reach", {"power": "germany", "space": "moon", "chosen": {}}, 422)
    none = anna.post(f"{path}/odds", {"power": "germany", "space": "moon"})
    assert none["odds"] is None and none["reason"] == "There is no such area in play."
    # Here nothing is drafted: orders that cannot wait are refused, and the form is as it is.
    orders = {"power": "germany", "first": [every["decisions"][0], {"kind": "no"}]}
    draft = anna.post(f"{path}/draft", orders)
    assert draft["refused"] == [0, 1] and draft["reason"] and draft["form"] == form
    assert anna.get(f"{path}/observe", power="germany") == before


def test_a_refusal_says_names(anna: Player) -> None:
    powers = ["soviet_union", "germany", "united_kingdom", "japan", "united_states"]
    path = f"/api/games/{table(anna, 'aa1942', [(anna, powers)])}"
    body = {"power": "soviet_union", "decision": {"kind": "buy", "units": {"tank": 100}}}
    said = "The order costs 600 IPCs, but the Soviet Union has 24."
    verdict = {"ok": False, "reason": said, "rule": "purchase.afford"}
    assert anna.post(f"{path}/check", body) == verdict
    assert anna.post(f"{path}/decisions", {**body, "version": 0}, 422)["error"] == said


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "[]",
        "{}",
        "null",
        '{"type": "decide"}',
        '{"type": "update", "version": 5}',
        '{"type": "sync", "version": -1}',
        '{"type": "sync", "version": "new"}',
        '{"type": "sync", "log": 1e99}',
        "[" * 5000,
        "\x00\x01",
    ],
)
def test_nonsense_is_answered_with_an_error_and_the_game_stays(
    anna: Player, game: str, text: str
) -> None:
    with watching(anna, game) as hers:
        hers.socket.send_text(text)
        assert hers.until_type("error")["error"]
        hers.socket.send_text('{"type": "ping"}')
        hers.until_type("pong")
        assert hers.mirror.version == 0


@given(st.one_of(st.text(), st.binary(), st.recursive(st.none(), st.lists, max_leaves=5)))
@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_fuzzed_messages_never_crash_or_advance_a_game(
    anna: Player, game: str, monkeypatch: pytest.MonkeyPatch, message: Any
) -> None:
    with watching(anna, game) as hers:
        for variant in (message, {"type": "sync", "version": message}, {"type": message}):
            if isinstance(variant, bytes):
                hers.socket.send_bytes(variant)
            else:
                hers.socket.send_text(json.dumps(variant, default=repr))
        hers.socket.send_text('{"type": "ping"}')
        hers.until_type("pong")
    assert anna.get(f"/api/games/{game}")["version"] == 0


def test_a_client_that_asks_for_it_is_greeted_again(anna: Player, ben: Player, game: str) -> None:
    with watching(anna, game) as hers:
        version = decide(anna, game, "germany", 0, random.Random(1))
        hers.until(version)
        log = list(hers.mirror.log)
        hers.socket.send_json({"type": "sync", "version": version, "log": len(log)})
        hello = hers.until_type("hello")
        assert hello["log"] == {"keep": len(log), "add": []}
        hers.socket.send_json({"type": "sync", "version": 77, "log": 5})
        assert hers.until_type("hello")["log"] == {"keep": 0, "add": log}


def test_too_many_and_too_large_messages_close_the_socket(
    anna: Player, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Otherwise a slow machine would not be too fast.
    monkeypatch.setattr(route, "PER_SECOND", 0)
    with watching(anna, game) as hers:
        for _ in range(route.BURST + 5):
            hers.socket.send_text('{"type": "ping"}')
        with pytest.raises(WebSocketDisconnect) as closed:
            while True:
                hers.next()
        assert closed.value.code == 1008
    with watching(anna, game) as hers:
        hers.socket.send_text('"' + "x" * route.LONGEST + '"')
        with pytest.raises(WebSocketDisconnect) as closed:
            while True:
                hers.next()
        assert closed.value.code == 1009


def test_a_client_that_is_too_slow_is_cut_off_and_nobody_waits_for_it() -> None:
    async def main() -> list[Any]:
        connection = Connection(None, None)
        sent: list[Any] = []

        class Slow:
            async def send_text(self, text: str) -> None:
                await asyncio.sleep(0.01)
                sent.append(text)

            async def close(self, code: int, reason: str) -> None:
                sent.append(code)

        pump = asyncio.create_task(connection.pump(Slow()))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        for number in range(sockets.MOST_MESSAGES + 50):
            connection.send(str(number))
        await asyncio.wait_for(pump, 60)
        return sent

    sent = asyncio.run(main())
    assert sent[-1] == AGAIN
    assert len(sent) < 5


@EITHER
def test_presence_is_by_connections(anna: Player, ben: Player, app: FastAPI) -> None:
    game = table(anna, "blitz", [(anna, ["germany"]), (ben, ["afa"])])
    carl = guest(app, "Carl")

    def shown(message: dict[str, Any]) -> tuple[list[int], int]:
        return message["online"], message["spectators"]

    with watching(anna, game) as hers:
        assert shown(hers.until_type("presence")) == ([0], 0)
        with watching(ben, game), watching(ben, game):
            assert shown(hers.until_type("presence")) == ([0, 1], 0)
            with watching(carl, game):
                assert shown(hers.until_type("presence")) == ([0, 1], 1)
                info = carl.get(f"/api/games/{game}")
                assert [seat["online"] for seat in info["seats"]] == [True, True]
                assert info["spectators"] == 1
            assert shown(hers.until_type("presence")) == ([0, 1], 0)
        assert shown(hers.until_type("presence")) == ([0], 0)
        away = anna.get(f"/api/games/{game}")["seats"][1]
        assert not away["online"] and away["away"]


@EITHER
def test_chat_is_told_to_all_and_shown_to_those_who_come_later(anna: Player, ben: Player) -> None:
    game = table(anna, "blitz", [(anna, ["germany"]), (ben, ["afa"])])
    with watching(ben, game) as his:
        said = anna.post(f"/api/games/{game}/chat", {"text": " Hello\x07,\n<b>Ben</b>! \u202e"})
        assert said["text"] == "Hello,\n<b>Ben</b>!"
        assert his.until_type("chat")["remark"] == said
        assert said["name"] == "Anna"
    for wrong in ("", " \n ", "\x00", "x" * 2001):
        anna.post(f"/api/games/{game}/chat", {"text": wrong}, 422)
    with watching(anna, game) as hers:
        assert hers.mirror.chat == ["Hello,\n<b>Ben</b>!"]


def test_a_game_survives_leaving_the_memory(
    anna: Player, game: str, app: FastAPI, web: TestClient
) -> None:
    version = decide(anna, game, "germany", 0, random.Random(1))
    rooms = app.state.rooms
    rooms._tables[game].used = float("-inf")
    rooms.tidy()
    assert game not in rooms._tables
    with watching(anna, game) as hers:
        assert hers.mirror.version == version
        rooms._tables[game].used = float("-inf")
        rooms.tidy()
        assert game in rooms._tables, "somebody is connected"
        rooms._tables[game].room = None
        if hers.mirror.pending:
            version = decide(anna, game, "germany", version, random.Random(1))
            hers.until(version)
        with watching(anna, game) as fresh:
            assert fresh.mirror.seen() == hers.mirror.seen()


def test_whose_session_has_ended_is_sent_away(
    anna: Player, ben: Player, game: str, app: FastAPI, web: TestClient
) -> None:
    assert web.portal is not None
    with watching(anna, game) as hers, watching(ben, game) as his:
        web.portal.call(app.state.rooms.pulse)
        anna.delete("/api/session")
        web.portal.call(app.state.rooms.pulse)
        with pytest.raises(WebSocketDisconnect) as ended:
            while True:
                hers.next()
        assert ended.value.code == AGAIN
        ben.post(f"/api/games/{game}/chat", {"text": "Still here"})
        assert his.until_type("chat")


def test_a_remark_is_not_missed_by_whoever_is_just_being_greeted(
    anna: Player, ben: Player, game: str, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = app.state.rooms
    saying, greeted, said = threading.Event(), threading.Event(), threading.Event()
    hello = rooms._hello

    def slowly_told(*_: Any) -> None:
        saying.set()
        greeted.wait(0.3)

    def slowly_greeted(*arguments: Any) -> Any:
        text = hello(*arguments)
        greeted.set()
        said.wait(0.3)
        return text

    def say() -> None:
        anna.post(f"/api/games/{game}/chat", {"text": "Hello"})
        said.set()

    monkeypatch.setattr(rooms._live, "tell", slowly_told)
    monkeypatch.setattr(rooms, "_hello", slowly_greeted)
    speaker = threading.Thread(target=say)
    speaker.start()
    assert saying.wait(60)
    with watching(ben, game) as his:
        speaker.join()
        ben.post(f"/api/games/{game}/chat", {"text": "and welcome"})
        while "and welcome" not in his.mirror.chat:
            his.next()
        assert his.mirror.chat == ["Hello", "and welcome"]


def test_who_becomes_a_spectator_as_the_game_moves_takes_nothing_from_other_spectators(
    anna: Player, ben: Player, app: FastAPI
) -> None:
    """Both at once, as when another process has moved the game and Ben has resigned there."""
    id = table(anna, "blitz", [(anna, ["germany"]), (ben, ["afa"])], access="link")
    carl = guest(app, "Carl")
    legal = anna.get(f"/api/games/{id}/legal", power="germany", limit=1000)["decisions"]
    # It changes the board.
    decision = next(each for each in legal if each["kind"] == "declare_war")

    def work(room: Room) -> None:
        room.decide(anna.id, "germany", decision, 0)
        room.seats[1].account = None
        app.state.rooms._tables[id].changed = True

    with watching(ben, id) as his, watching(carl, id) as other:
        before = other.mirror.picture
        assert anna.http.portal is not None
        anna.http.portal.call(app.state.rooms.run, id, work)
        assert other.until(1).picture != before
        assert his.until(1).seen() == other.mirror.seen()
        with watching(carl, id) as anew:
            assert anew.mirror.seen() == other.mirror.seen()


def test_who_has_lost_access_is_told_nothing_more(anna: Player, ben: Player, app: FastAPI) -> None:
    """A private game, and a seat that is Ben's no longer: the move that comes with it is not for
    him, though his socket is still open."""
    id = table(anna, "blitz", [(anna, ["germany"]), (ben, ["afa"])], access="private")
    legal = anna.get(f"/api/games/{id}/legal", power="germany", limit=1000)["decisions"]
    decision = next(each for each in legal if each["kind"] == "declare_war")

    def work(room: Room) -> None:
        room.decide(anna.id, "germany", decision, 0)
        room.seats[1].account = None
        app.state.rooms._tables[id].changed = True

    with watching(anna, id) as hers, watching(ben, id) as his:
        assert anna.http.portal is not None
        anna.http.portal.call(app.state.rooms.run, id, work)
        hers.until(1)
        with pytest.raises(WebSocketDisconnect) as ended:
            while True:
                his.next()
        assert ended.value.code == UNWANTED
        assert his.mirror.version == 0
        assert not any('"update"' in told for told in his.told)


def test_a_decision_that_cannot_be_stored_is_told_to_nobody(
    anna: Player, ben: Player, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    legal = anna.get(f"/api/games/{game}/legal", power="germany")["decisions"]
    body = {"power": "germany", "decision": legal[0], "version": 0}
    with watching(anna, game) as hers, watching(ben, game) as his:
        with monkeypatch.context() as broken:
            # The last statement of the transaction.
            broken.setattr(room_module, "_ADD", text("INSERT INTO nowhere VALUES (:game)"))
            failed = anna.http.post(f"/api/games/{game}/decisions", json=body)
        assert failed.status_code >= 500
        assert anna.get(f"/api/games/{game}")["version"] == 0
        anna.post(f"/api/games/{game}/chat", {"text": "Did you see that?"})
        for watcher in (hers, his):
            while "Did you see that?" not in watcher.mirror.chat:
                assert watcher.next()["type"] != "update"
            assert watcher.mirror.version == 0
        assert anna.post(f"/api/games/{game}/decisions", body) == {"version": 1}
        assert hers.until(1).version == his.until(1).version == 1


def test_sockets_are_counted_also_when_their_table_is_given_up(anna: Player, ben: Player) -> None:
    seats = [{"powers": ["germany"], "kind": "me"}, {"powers": ["afa"], "kind": "open"}]
    id = anna.post("/api/games", {"game": "blitz", "seats": seats})["id"]
    before = metrics.SOCKETS._value.get()
    with watching(ben, id) as his:
        assert metrics.SOCKETS._value.get() == before + 1
        anna.delete(f"/api/games/{id}")
        with pytest.raises(WebSocketDisconnect):
            while True:
                his.next()
    assert metrics.SOCKETS._value.get() == before


def test_connections_are_ended_in_the_loop_that_they_belong_to(
    anna: Player, ben: Player, game: str, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops: list[bool] = []
    end = Connection.end

    def noted(connection: Connection, code: int, reason: str) -> None:
        if code == AGAIN:
            loops.append(threading.current_thread() is loop_thread)
        end(connection, code, reason)

    async def here() -> threading.Thread:
        return threading.current_thread()

    assert ben.http.portal is not None
    loop_thread = ben.http.portal.call(here)
    monkeypatch.setattr(Connection, "end", noted)
    with watching(ben, game) as his:

        def broken(*_: Any) -> Any:
            raise ZeroDivisionError

        monkeypatch.setattr(app.state.rooms, "_unknown", broken)
        decide(anna, game, "germany", 0, random.Random(1))
        with pytest.raises(WebSocketDisconnect):
            while True:
                his.next()
    assert loops and all(loops)
