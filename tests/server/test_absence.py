"""Players who resign, stay away, come back, give standing orders, or play again."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import update

import sandtable
from sandtable.kernel.savefile import save_text
from sandtable.server import clocks, questions
from sandtable.server.tables import GameRow, Seat
from tests.server.conftest import EITHER, Player, guest
from tests.server.playing import soon, table, watching

AXIS = ["germany", "japan"]
ALLIES = ["soviet_union", "united_kingdom", "united_states"]


@pytest.fixture
def cleo(anna: Player, app: FastAPI) -> Player:
    return guest(app, "Cleo")


def duel(anna: Player, ben: Player, **more: Any) -> str:
    """Anna (Axis) against Ben (Allies), whose turn it is."""
    return table(anna, "aa1942", [(anna, AXIS), (ben, ALLIES)], **more)


def make_away(app: FastAPI, id: str, number: int) -> None:
    """Nobody has been in that seat for an hour, nor has it decided what was asked."""
    hour = datetime.now(UTC) - timedelta(hours=1)
    its = Seat.game == id, Seat.number == number
    with app.state.database.transaction() as session:
        session.execute(update(Seat).where(*its).values(seen=hour))
        session.execute(update(Seat).where(*its, Seat.since.is_not(None)).values(since=hour))


@EITHER
def test_whoever_resigns_alone_on_a_side_has_lost(anna: Player, ben: Player) -> None:
    id = duel(anna, ben)
    with watching(anna, id) as watcher:
        info = ben.post(f"/api/games/{id}/resign", {"power": "soviet_union"})
        assert info["status"] == "over"
        assert sorted(info["result"]["winners"]) == sorted(AXIS)
        assert info["result"]["reason"] == ("Soviet Union, United Kingdom, United States resigned.")
        told = watcher.until_type("info")["info"]
        assert (told["status"], told["result"]) == ("over", info["result"])
    assert info["waiting"] == []
    assert info["secret"]
    # Nothing can be decided any more, but everything can be looked at.
    body = {"power": "soviet_union", "decision": {"kind": "purchase", "units": {}}, "version": 0}
    ben.post(f"/api/games/{id}/decisions", body, 409)
    ben.get(f"/api/games/{id}/history")
    ben.get(f"/api/games/{id}/save")
    anna.post(f"/api/games/{id}/resign", {"power": "germany"}, 409)


def test_a_bot_plays_on_for_one_of_several_on_a_side(
    anna: Player, ben: Player, cleo: Player
) -> None:
    seats = [(anna, AXIS), (ben, ["soviet_union"]), (cleo, ["united_kingdom", "united_states"])]
    id = table(anna, "aa1942", seats)
    with watching(anna, id) as watcher:
        info = ben.post(f"/api/games/{id}/resign", {"power": "soviet_union"})
        assert info["status"] == "running"
        assert (info["seats"][1]["kind"], info["seats"][1]["bot"]) == ("bot", "greedy")
        # The bot plays the turn of the Soviet Union to its end; then it is for Germany.
        while "germany" not in [each["power"] for each in watcher.mirror.pending]:
            watcher.next()
    ben.post(f"/api/games/{id}/return", status=409)
    ben.post(f"/api/games/{id}/resign", {"power": "soviet_union"}, 403)
    info = cleo.post(f"/api/games/{id}/resign", {"power": "united_states"})
    assert info["status"] == "over"


@EITHER
def test_resigning_is_foretold_for_one_power_or_all_stands_in_the_log_and_names_stay(
    anna: Player, ben: Player, cleo: Player, app: FastAPI
) -> None:
    seats = [(anna, AXIS), (ben, ALLIES[:1]), (cleo, ALLIES[1:])]
    id = table(anna, "aa1942", seats)
    path = f"/api/games/{id}"
    one, all_of_it = {"power": "united_states", "whole": False}, {"power": "united_states"}
    foretold = cleo.post(f"{path}/resign/consequence", one)
    assert foretold == {"powers": ["united_states"], "ends": False, "winners": []}
    assert cleo.post(f"{path}/resign/consequence", all_of_it)["powers"] == ALLIES[1:]
    foretold = anna.post(f"{path}/resign/consequence", {"power": "japan"})
    assert (foretold["ends"], sorted(foretold["winners"])) == (True, sorted(ALLIES))
    # As long as she keeps Germany she still plays.
    assert not anna.post(f"{path}/resign/consequence", {**one, "power": "japan"})["ends"]
    ben.post(f"{path}/resign/consequence", one, 403)
    assert anna.get(path)["version"] == 0, "nothing has happened yet"

    with watching(ben, id) as watcher:
        info = cleo.post(f"{path}/resign", one)
        said = watcher.until_type("chat")["remark"]["text"]
    assert said == "Cleo resigned for United States: a bot plays on."
    assert [(s["powers"], s["kind"], s["player"]) for s in info["seats"][2:]] == [
        (["united_kingdom"], "person", "Cleo"),
        (["united_states"], "bot", "Cleo"),
    ]
    assert watcher.mirror.log[-1]["text"] == "United States resigned: a bot plays on."
    cleo.post(f"{path}/resign", one, 403)
    # The game can be opened with the note, which is a step of its own.
    app.state.rooms._tables.clear()
    steps = ben.get(f"{path}/history")["steps"]
    assert [step["text"] for step in steps] == ["United States resigned: a bot plays on."]
    cleo.post(f"{path}/resign", {"power": "united_kingdom"})
    assert ben.post(f"{path}/resign", {"power": "soviet_union"})["status"] == "over"
    assert ben.get(f"{path}/history")["steps"][-1]["text"] == (
        "Soviet Union resigned: the game is over."
    )
    save = anna.get(f"{path}/save")
    assert {"note": "player_resigned", "powers": ["united_states"]} in save["journal"]
    assert sandtable.verify(json.dumps(save).encode()).ok
    again = anna.post(
        "/api/games",
        {"save": json.dumps(save), "seats": [{"powers": [*AXIS, *ALLIES], "kind": "me"}]},
        201,
    )
    assert again["version"] == len(save["journal"])


def test_only_its_own_seat_can_be_resigned(anna: Player, ben: Player, cleo: Player) -> None:
    id = duel(anna, ben)
    anna.post(f"/api/games/{id}/resign", {"power": "soviet_union"}, 403)
    anna.post(f"/api/games/{id}/resign", {"power": "narnia"}, 403)
    cleo.post(f"/api/games/{id}/resign", {"power": "germany"}, 403)
    private = duel(anna, ben, access="private")
    cleo.post(f"/api/games/{private}/resign", {"power": "germany"}, 404)
    cleo.post(f"/api/games/{private}/takeover", {"seat": 0}, 404)
    cleo.post(f"/api/games/{private}/return", status=404)
    cleo.post(f"/api/games/{private}/rematch", status=404)


@EITHER
def test_a_bot_takes_over_when_all_on_its_side_agree_until_the_person_returns(
    anna: Player, ben: Player, cleo: Player, app: FastAPI
) -> None:
    seats = [(anna, AXIS), (ben, ["soviet_union"]), (cleo, ["united_kingdom", "united_states"])]
    id = table(anna, "aa1942", seats)
    path = f"/api/games/{id}"
    with watching(ben, id):
        make_away(app, id, 1)
        error = cleo.post(f"{path}/takeover", {"seat": 1}, 409)["error"]
        assert error == "Ben has not been away for 10 minutes yet."
    # The server notes that he has gone.
    soon(lambda: not (his := anna.get(path)["seats"][1])["online"] and his["away"])
    cleo.post(f"{path}/takeover", {"seat": 1}, 409)
    make_away(app, id, 1)
    error = anna.post(f"{path}/takeover", {"seat": 1}, 403)["error"]
    assert error == "Only those on the side of Ben can agree to that."
    ben.post(f"{path}/takeover", {"seat": 1}, 422)
    cleo.post(f"{path}/takeover", {"seat": 1, "bot": "random"}, 422)
    with watching(anna, id) as watcher:
        info = cleo.post(f"{path}/takeover", {"seat": 1})
        assert (info["seats"][1]["bot"], info["seats"][1]["kind"]) == ("greedy", "person")
        said = watcher.until_type("chat")["remark"]
        assert said["text"] == "Ben is away: a bot plays on meanwhile." and said["name"] == ""
        assert "Soviet Union: the player is away. A bot plays on meanwhile." in [
            line["text"] for line in watcher.mirror.log
        ]
    cleo.post(f"{path}/takeover", {"seat": 1}, 409)
    body = {"power": "soviet_union", "decision": {"kind": "done"}, "version": info["version"]}
    assert "bot" in ben.post(f"{path}/decisions", body, 409)["error"]
    info = ben.post(f"{path}/return")
    assert (info["seats"][1]["bot"], info["seats"][1]["votes"]) == ("", 0)
    steps = [step["text"] for step in ben.get(f"{path}/history")["steps"]]
    assert "Soviet Union: the player is back." in steps


def test_all_on_the_same_side_have_to_agree(
    anna: Player, ben: Player, cleo: Player, app: FastAPI
) -> None:
    dora = guest(app, "Dora")
    seats = [(anna, AXIS), (ben, ALLIES[:1]), (cleo, ALLIES[1:2]), (dora, ALLIES[2:])]
    id = table(anna, "aa1942", seats)
    path = f"/api/games/{id}/takeover"
    make_away(app, id, 1)
    for _ in range(2):
        info = cleo.post(path, {"seat": 1})
        assert (info["seats"][1]["votes"], info["seats"][1]["bot"]) == (1, "")
    assert dora.post(path, {"seat": 1})["seats"][1]["bot"] == "greedy"


def test_takeover_is_refused_where_it_makes_no_sense(
    anna: Player, ben: Player, cleo: Player, app: FastAPI
) -> None:
    id = table(anna, "aa1942", [(anna, ALLIES[:1]), (ben, ALLIES[1:]), ("random", AXIS)])
    path = f"/api/games/{id}/takeover"
    make_away(app, id, 0)
    make_away(app, id, 1)
    cleo.post(path, {"seat": 0}, 403)
    ben.post(path, {"seat": 7}, 422)
    ben.post(path, {"seat": 2}, 422)
    ben.post(path, {"seat": "first"}, 422)
    ben.post(path, {"seat": 0, "extra": 1}, 422)
    assert anna.post(path, {"seat": 1}, 409)["error"] == "The game does not wait for Ben."
    assert ben.post(path, {"seat": 0})["seats"][0]["bot"] == "greedy"


def test_an_opponent_never_hands_a_seat_over(anna: Player, ben: Player, app: FastAPI) -> None:
    """Neither right after the start, nor after an hour, nor after the deadline."""
    for clock in (None, {"hours": 2, "then": "wait"}):
        id = duel(anna, ben, clock=clock)
        anna.post(f"/api/games/{id}/takeover", {"seat": 1}, 403)
        make_away(app, id, 1)
        anna.post(f"/api/games/{id}/takeover", {"seat": 1}, 403)


def test_while_a_clock_runs_nobody_is_replaced_before_the_deadline(
    anna: Player, ben: Player, cleo: Player, app: FastAPI
) -> None:
    seats = [(anna, AXIS), (ben, ALLIES[:1]), (cleo, ALLIES[1:])]
    id = table(anna, "aa1942", seats, clock={"hours": 48, "then": "wait"})
    path = f"/api/games/{id}"
    make_away(app, id, 1)
    error = cleo.post(f"{path}/takeover", {"seat": 1}, 409)["error"]
    assert error == "Ben still has time to decide."
    his = cleo.get(path)["seats"][1]
    begun, due = (datetime.fromisoformat(his[name]) for name in ("since", "deadline"))
    assert due - begun == timedelta(hours=48), "the panel says how much time is left"
    long_ago = datetime.now(UTC) - timedelta(hours=49)
    with watching(ben, id):
        with app.state.database.transaction() as session:
            session.execute(update(Seat).where(Seat.number == 1).values(since=long_ago))
        assert cleo.post(f"{path}/takeover", {"seat": 1})["seats"][1]["bot"] == "greedy"


@EITHER
def test_the_sweep_lets_a_bot_play_for_whoever_is_late_and_tells_everybody(
    anna: Player, ben: Player, app: FastAPI
) -> None:
    id = duel(anna, ben, clock={"hours": 1, "then": "bot"})
    with watching(anna, id) as watcher:
        long_ago = datetime.now(UTC) - timedelta(hours=2)
        with app.state.database.transaction() as session:
            session.execute(update(Seat).where(Seat.number == 1).values(since=long_ago))
        app.state.portal.call(clocks.sweep, app)
        told = watcher.until_type("info")["info"]
        assert told["seats"][1]["bot"] == "greedy"
        said = watcher.until_type("chat")["remark"]["text"]
        assert said == "Ben has not decided in time: a bot plays on meanwhile."
        allies = "Soviet Union, United Kingdom and United States"
        assert f"{allies}: the time is up. A bot plays on meanwhile." in [
            line["text"] for line in watcher.mirror.log
        ]
        while not watcher.mirror.pending:
            watcher.next()
        assert watcher.mirror.pending[0]["power"] == "germany"


def test_the_sweep_wakes_bots_that_nobody_drives(anna: Player, app: FastAPI) -> None:
    id = table(anna, "aa1942", [(anna, AXIS), ("random", ALLIES)])
    rooms = app.state.rooms
    # As after a restart: nothing is in memory, and it has been the bot's turn for a while.
    app.state.portal.call(rooms.close)
    rooms._closed = False
    rooms._tables.clear()
    long_ago = datetime.now(UTC) - timedelta(minutes=1)
    with app.state.database.transaction() as session:
        session.execute(update(GameRow).values(updated=long_ago, version=GameRow.version))
        session.execute(update(Seat).where(Seat.number == 1).values(since=long_ago))
    version = anna.get(f"/api/games/{id}")["version"]
    app.state.portal.call(clocks.sweep, app)
    soon(lambda: anna.get(f"/api/games/{id}")["version"] > version)


def test_standing_orders_pass_offers_without_asking(anna: Player, ben: Player) -> None:
    game = sandtable.new("blitz", seed=5, options={"scenario": "campaign"})
    rng = random.Random(5)
    while not (offers := [r for r in game.pending if questions.form(game, r).optional]):
        asked = game.pending[0]
        game.submit(asked.power, game.legal(asked).sample(rng))
    kind, power = offers[0].kind, offers[0].power
    seats = [(anna, ["germany", "japan"]), (ben, ["afa", "usa", "ussr"])]
    id = table(anna, "blitz", seats, save=save_text(game))
    player, other = (anna, ben) if power in ("germany", "japan") else (ben, anna)
    with watching(player, id) as watcher:
        version = watcher.mirror.version
        assert (kind, power) in {(r["kind"], r["power"]) for r in watcher.mirror.pending}
        body = {"power": power, "windows": [kind]}
        info = player.post(f"/api/games/{id}/standing", body)
        mine = next(seat for seat in info["seats"] if power in seat["powers"])
        assert mine["standing"] == [kind]
        # It has been passed at once, and the others do not see the order.
        watcher.until(version + 1)
        assert (kind, power) not in {(r["kind"], r["power"]) for r in watcher.mirror.pending}
        seen = other.get(f"/api/games/{id}")["seats"]
        assert not any(seat["standing"] for seat in seen)


def test_standing_orders_are_given_for_ones_own_seat(anna: Player, ben: Player) -> None:
    id = duel(anna, ben)
    path = f"/api/games/{id}/standing"
    anna.post(path, {"power": "soviet_union", "windows": []}, 403)
    anna.post(path, {"power": "germany", "windows": "all"}, 422)
    anna.post(path, {"power": "germany", "windows": ["x"] * 51}, 422)
    info = anna.post(path, {"power": "germany", "windows": ["retreat", "retreat"]})
    assert info["seats"][0]["standing"] == ["retreat"]


@EITHER
def test_a_rematch_is_one_table_with_the_same_seats(anna: Player, ben: Player) -> None:
    seats = [(anna, AXIS), (ben, ALLIES[:2]), ("random", ALLIES[2:])]
    options = {"victory": "total"}
    id = table(anna, "aa1942", seats, options=options, access="private", title="Sunday")
    anna.post(f"/api/games/{id}/rematch", status=409)
    ben.post(f"/api/games/{id}/resign", {"power": "soviet_union"})
    with watching(anna, id) as watcher:
        again = ben.post(f"/api/games/{id}/rematch")
        assert watcher.until_type("info")["info"]["rematch"] == again["id"]
        said = watcher.until_type("chat")["remark"]["text"]
        assert said == "Ben has set the same table up once more."
    assert anna.post(f"/api/games/{id}/rematch")["id"] == again["id"]
    assert (again["status"], again["title"], again["access"]) == ("lobby", "Sunday", "private")
    assert again["creator"] == "Ben"
    kinds = [(seat["kind"], seat["powers"], seat["bot"]) for seat in again["seats"]]
    assert kinds == [
        ("invited", AXIS, ""),
        ("person", ALLIES[:2], ""),
        ("bot", ALLIES[2:], "random"),
    ]
    assert again["commitment"] != anna.get(f"/api/games/{id}")["commitment"]
    # Anna can take the seat she is invited to, and nobody else without the link.
    seen = anna.get(f"/api/games/{again['id']}")
    assert (seen["you"], [seat["mine"] for seat in seen["seats"]]) == ([], [True, False, False])
    anna.post(f"/api/games/{again['id']}/join", {"seat": 0})
    info = ben.post(f"/api/games/{again['id']}/start")
    assert info["status"] == "running"
    assert anna.get(f"/api/games/{again['id']}")["you"] == ["Anna"]


def test_a_rematch_is_played_by_who_sits_there_now(
    app: FastAPI, anna: Player, ben: Player, cleo: Player
) -> None:
    id = table(anna, "aa1942", [(anna, AXIS), (ben, ALLIES[:1]), (ben, ALLIES[1:])])
    anna.post(f"/api/games/{id}/resign", {"power": AXIS[0]})
    again = anna.post(f"/api/games/{id}/rematch")
    for player, seat in zip((ben, cleo), again["seats"][1:], strict=True):
        join = {"invite": seat["invite"]}
        player.post(f"/api/games/{again['id']}/join", join)
    anna.post(f"/api/games/{again['id']}/start")
    with app.state.database.reading() as session:
        before, now = (session.get_one(GameRow, each).options for each in (id, again["id"]))
    assert before["players"] == {"place 1": AXIS, "place 2": ALLIES}
    three = {"place 1": AXIS, "place 2": ALLIES[:1], "place 3": ALLIES[1:]}
    assert now == {**before, "players": three}


def test_only_who_played_can_ask_for_a_rematch(anna: Player, ben: Player, cleo: Player) -> None:
    id = duel(anna, ben, access="public")
    ben.post(f"/api/games/{id}/resign", {"power": "soviet_union"})
    cleo.post(f"/api/games/{id}/rematch", status=403)
    again = anna.post(f"/api/games/{id}/rematch")
    cleo.post(f"/api/games/{again['id']}/join", {"seat": 1}, 403)
