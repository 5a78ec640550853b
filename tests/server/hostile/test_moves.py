"""What moves games: however dear the decisions of somebody are, and at however many tables, others
do not wait for them; and no game grows without end."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import pytest
from fastapi import FastAPI

import sandtable
from sandtable.kernel.game import Game
from sandtable.kernel.savefile import save_text
from sandtable.server import lobby, openings, patience, room, verifying
from sandtable.server.app import create_app
from sandtable.server.config import Config
from sandtable.server.limits import EDITS
from sandtable.server.patience import OutOfTime
from sandtable.server.room import Room
from tests.server.conftest import Player, TestClient
from tests.server.playing import places, soon, table

WORDS = "This takes too long to work out here"


@pytest.fixture
def powers(anna: Player) -> list[str]:
    return [power for place in places(anna, "aa1942") for power in place]


def burn(seconds: float) -> None:
    """Use the processor for so long, however fast or busy it is."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_many_dear_decisions_are_not_made_again_one_by_one(
    anna: Player, app: FastAPI, powers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """To take the first of a hundred back could keep a thread of two for a minute, and then the
    slow one for ten: each that was made again could take as long as a decision may."""
    path = f"/api/games/{table(anna, 'aa1942', [(anna, powers)])}"
    power = anna.get(path)["waiting"][0]
    for version in range(6):
        treasury = {"treasury": {"germany": 50 + version}}
        anna.post(f"{path}/edit", {"power": power, "patch": treasury, "version": version})
    edit = Game.edit
    app.state.rooms._tables.clear()
    monkeypatch.setattr(patience, "QUICK_SECONDS", 0.2)
    monkeypatch.setattr(patience, "DECISION_SECONDS", 0.3)
    body = {"power": power, "version": 6, "of": [1]}
    with monkeypatch.context() as patch:
        patch.setattr(Game, "edit", lambda *given: (burn(0.15), edit(*given)))
        assert anna.post(f"{path}/undo", body, 503)["error"].startswith(WORDS)
    monkeypatch.setattr(patience, "QUICK_SECONDS", 60.0)
    app.state.rooms._tables.clear()
    assert anna.get(path)["version"] == 6
    assert anna.post(f"{path}/undo", body) == {"version": 17, "lost": 0}


def test_to_come_back_behind_many_decisions_is_done_once(
    anna: Player, app: FastAPI, powers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    id = table(anna, "aa1942", [(anna, powers)])
    path = f"/api/games/{id}"
    power = anna.get(path)["waiting"][0]
    for version in range(8):
        treasury = {"treasury": {"germany": 50 + version}}
        anna.post(f"{path}/edit", {"power": power, "patch": treasury, "version": version})
    came: list[int] = []
    at = Game.at

    def counted(self: Game, length: int) -> Game:
        came.append(length)
        return at(self, length)

    monkeypatch.setattr(Game, "at", counted)
    anna.post(f"{path}/undo", {"power": power, "version": 8, "of": [3]})
    assert came == [2]
    known = anna.get(f"{path}/view")
    app.state.rooms._tables.clear()
    came.clear()
    assert anna.get(f"{path}/view") == known
    assert came == [2], "nor when the game is opened"


def test_one_person_moves_one_game_at_a_time(
    anna: Player, ben: Player, powers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At however many tables: a friend does not wait for all of them."""
    tables = [table(anna, "aa1942", [(anna, powers)]) for _ in range(4)]
    other = table(ben, "aa1942", [(ben, powers)])
    power = anna.get(f"/api/games/{other}")["waiting"][0]
    go_on = threading.Event()
    inside: list[str] = []

    def wait(self: Room, account: str, *_: Any) -> None:
        inside.append(account)
        if account == anna.id:
            assert go_on.wait(60)
        raise lobby.Problem(409, "Not now.")

    monkeypatch.setattr(Room, "decide", wait)
    body = {"power": power, "decision": {"kind": "x"}, "version": 0}
    threads = [
        threading.Thread(target=anna.post, args=(f"/api/games/{id}/decisions", body, 409))
        for id in tables
    ]
    for each in threads:
        each.start()
    soon(lambda: inside)
    ben.post(f"/api/games/{other}/decisions", body, 409)
    assert inside == [anna.id, ben.id]
    go_on.set()
    for each in threads:
        each.join()
    assert len(inside) == 5


def test_a_game_that_is_slow_to_draw_gives_way(
    anna: Player, app: FastAPI, powers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is told after a decision has no limit, as the decision stands: whatever comes next is
    done apart from what moves other games."""
    id, other = (table(anna, "aa1942", [(anna, powers)]) for _ in range(2))
    rooms = app.state.rooms
    used: list[Any] = []
    thread = rooms._thread

    async def noted(work: Any, *arguments: Any, limiter: Any = None) -> Any:
        if work == rooms._work:
            used.append(limiter)
        return await thread(work, *arguments, limiter=limiter)

    monkeypatch.setattr(rooms, "_thread", noted)
    monkeypatch.setattr(patience, "QUICK_SECONDS", 0.1)
    run = anna.http.portal.call
    run(rooms.run, id, lambda _: burn(0.2))
    monkeypatch.setattr(patience, "QUICK_SECONDS", 60.0)
    run(rooms.run, id, lambda _: None)
    run(rooms.run, other, lambda _: None)
    assert used == [None, rooms._slow_threads, None]
    rooms._tables[id].slow_until = time.monotonic()
    run(rooms.run, id, lambda _: None)
    assert used[-1] is None, "not for ever"


def test_a_game_that_takes_long_to_open_is_made_ready_elsewhere(
    anna: Player, app: FastAPI, powers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few decisions may take as long as many: two such games kept everybody else from theirs."""
    id = table(anna, "aa1942", [(anna, powers)])
    app.state.rooms._tables.clear()
    done: list[str] = []
    open_room = Room.open

    def opening(*arguments: Any, **more: Any) -> Room:
        burn(0.0 if "prepared" in done else 60.0)
        done.append("opened")
        return open_room(*arguments, **more)

    async def prepare(*_: Any) -> None:
        done.append("prepared")

    monkeypatch.setattr(Room, "open", opening)
    monkeypatch.setattr(openings.Openings, "prepare", prepare)
    monkeypatch.setattr(patience, "OPENING_SECONDS", 0.3)
    anna.get(f"/api/games/{id}/view")
    assert done == ["prepared", "opened"]


def test_standing_orders_have_the_time_of_a_decision(
    anna: Player, app: FastAPI, powers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    id = table(anna, "aa1942", [(anna, powers)])
    anna.get(f"/api/games/{id}/view")
    held: Room = app.state.rooms._tables[id].room
    held.seats[0].standing = ["window"]
    held.seconds = 0.2
    monkeypatch.setattr(Game, "standing_order", lambda *_: burn(60.0))
    with pytest.raises(OutOfTime):
        held.use_standing_orders()
    assert not held.sound


# --- what grows ----------------------------------------------------------------------------------


def everywhere(count: int) -> dict[str, Any]:
    """An edit of a hundred territories and more, well within the size of one."""
    units = {f"sz{number}": {"germany": {"submarine": count}} for number in range(1, 61)}
    return {
        "units": {zone: {"germany": {"submarine": count, "destroyer": count}} for zone in units}
    }


def test_an_edit_is_not_a_thousand_lines_of_the_log(anna: Player, powers: list[str]) -> None:
    """Twenty thousand characters were 190 kB of the log, which everybody who comes is told."""
    path = f"/api/games/{table(anna, 'aa1942', [(anna, powers)])}"
    power = anna.get(path)["waiting"][0]
    body = {"power": power, "patch": everywhere(1), "version": 0}
    assert "make several" in anna.post(f"{path}/edit", body, 422)["error"]
    half = {"units": dict(list(everywhere(1)["units"].items())[:40])}
    anna.post(f"{path}/edit", {**body, "patch": half})


def test_edits_have_a_rate(database_url: str) -> None:
    with TestClient(create_app(Config(database_url))) as web:
        csrf = web.post("/api/guests", json={"name": "Mallory"}).json()["csrf"]
        body = {"power": "germany", "patch": {"treasury": {"germany": 1}}, "version": 0}
        said = [
            web.post("/api/games/none/edit", json=body, headers={"X-CSRF-Token": csrf}).status_code
            for _ in range(int(EDITS.burst) + 2)
        ]
        assert said[: int(EDITS.burst)] == [404] * int(EDITS.burst)
        assert said[-1] == 429


def test_no_game_grows_without_end(
    anna: Player, powers: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "MOST_VERSIONS", 2)
    path = f"/api/games/{table(anna, 'aa1942', [(anna, powers)])}"
    power = anna.get(path)["waiting"][0]
    body = {"power": power, "patch": {"treasury": {"germany": 1}}, "version": 0}
    anna.post(f"{path}/edit", body)
    anna.post(f"{path}/undo", {"power": power, "version": 1})
    body["version"] = 2
    assert "too long" in anna.post(f"{path}/edit", body, 409)["error"]
    legal = anna.get(f"{path}/legal", power=power)["decisions"][0]
    anna.post(f"{path}/decisions", {"power": power, "decision": legal, "version": 2}, 409)
    assert anna.http.get(f"{path}/save").status_code == 200


def test_a_save_full_of_edits_has_a_short_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    game = sandtable.new("aa1942")
    for number in range(5):
        game.edit({"treasury": {"germany": 50 + number}})
    monkeypatch.setattr(verifying, "MOST_EDITS", 2)
    found = verifying.look_at(save_text(game).encode())
    assert found.ok and len(found.edits) == 3
    assert found.edits[-1] == "So it was 3 times more."


def test_a_list_of_tables_makes_no_positions(
    anna: Player, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever looked at the list of public games made the positions of fifty of them."""
    game = sandtable.new("aa1942", position={"turn": "germany"})
    seats = [{"powers": [power], "kind": "me"} for power in game.rules.powers]
    made = anna.post("/api/games", {"save": save_text(game), "seats": seats, "access": "public"})
    anna.post(f"/api/games/{made['id']}/start")
    lobby._subtitles.clear()
    asked: list[Any] = []
    start = type(game.rules).start

    def noted(self: Any, options: Any, position: Any, data: Any) -> Any:
        asked.append(position)
        return start(self, options, position, data)

    monkeypatch.setattr(type(game.rules), "start", noted)
    (found,) = anna.get("/api/games", list="public")["games"]
    assert found["id"] == made["id"] and found["subtitle"] == made["subtitle"]
    assert asked == [None], json.dumps(asked)
