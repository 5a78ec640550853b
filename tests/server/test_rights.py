"""Rights: what somebody may do while others have to decide, over the network."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from sandtable.server.room import Room, Stale
from sandtable.server.tables import Seat
from tests.kernel.toy import ToyRules
from tests.server.conftest import Player, guest
from tests.server.playing import Watcher, table, watching

GIFT = {"kind": "gift", "to": "red", "coins": 2}


@pytest.fixture
def players(toy: ToyRules, anna: Player, app: FastAPI) -> dict[str, Player]:
    return {"red": anna, **{power: guest(app, power) for power in ("green", "blue", "white")}}


def begin(players: dict[str, Player]) -> str:
    return table(players["red"], "toy", [(player, [power]) for power, player in players.items()])


def decide(player: Player, id: str, power: str, decision: dict[str, Any], version: int) -> int:
    body = {"power": power, "decision": decision, "version": version}
    told: int = player.post(f"/api/games/{id}/decisions", body)["version"]
    return told


def update_to(socket: Watcher, version: int) -> Any:
    """What a socket was told when the game came to a version."""
    socket.until(version)
    return json.loads(socket.told[-1])


def room_of(app: FastAPI, id: str) -> Room:
    room: Room = app.state.rooms._tables[id].room
    return room


def test_a_right_is_shown_to_who_has_it_and_nobody_waits_for_it(
    players: dict[str, Player], app: FastAPI
) -> None:
    id = begin(players)
    with watching(players["white"], id) as whites, watching(players["red"], id) as reds:
        hello = json.loads(whites.told[0])
        assert hello["pending"] == []
        assert [(r["power"], r["kind"]) for r in hello["may"]] == [("white", "make_gift")]
        assert hello["info"]["waiting"] == ["red"]
        decide(players["white"], id, "white", GIFT, 0)
        told = update_to(whites, 1)
        assert (told["pending"], told["waiting"]) == ([], ["red"])
        told = update_to(reds, 1)
        assert [r["kind"] for r in told["pending"]] == ["accept_gift"]
        assert [r["power"] for r in told["may"]] == ["red"]
        version = decide(players["red"], id, "red", {"kind": "accept"}, 1)
        assert [r["kind"] for r in update_to(reds, version)["pending"]] == ["place_stones"]
    with watching(guest(app, "Watcher"), id) as others:
        assert json.loads(others.told[0])["may"] == []
    assert room_of(app, id).bots_turn() is None


def test_its_form_and_its_decisions_are_asked_for_by_its_kind(players: dict[str, Player]) -> None:
    id = begin(players)
    white = players["white"]
    path = f"/api/games/{id}"
    assert white.get(f"{path}/form", power="white", kind="make_gift")["kind"] == "make_gift"
    legal = white.get(f"{path}/legal", power="white", kind="make_gift")
    assert (len(legal["decisions"]), legal["complete"]) == (3 * 4, True)
    white.get(f"{path}/form", 409, power="white")
    white.get(f"{path}/form", 409, power="white", kind="place_stones")
    white.get(f"{path}/form", 403, power="green", kind="make_gift")
    body = {"power": "white", "decision": GIFT}
    assert white.post(f"{path}/check", body)["ok"]
    poor = white.post(f"{path}/check", {**body, "decision": {**GIFT, "coins": 5}})
    assert (poor["ok"], poor["rule"]) == (False, "toy:gift.coins")
    white.post(f"{path}/check", {**body, "decision": {"kind": "done"}}, 409)
    reach = {"power": "white", "space": "north", "chosen": {}, "kind": "make_gift"}
    white.post(f"{path}/reach", reach, 422)
    seen = white.get(f"{path}/observe", power="white")
    assert [right["kind"] for right in seen["may"]] == ["make_gift"]


def test_a_used_right_is_stored_and_can_be_taken_back(
    players: dict[str, Player], app: FastAPI
) -> None:
    id = begin(players)
    decide(players["white"], id, "white", GIFT, 0)
    again = Room.open(app.state.database, id)
    assert again.game.hash == room_of(app, id).game.hash
    assert again.waiting == ["red"]
    body = {"power": "white", "version": 1}
    players["white"].post(f"/api/games/{id}/undo", body)
    assert room_of(app, id).game.version == 0
    again.catch_up()
    assert again.game.hash == room_of(app, id).game.hash


def test_who_decided_for_the_position_before_it_decides_again(
    players: dict[str, Player], app: FastAPI
) -> None:
    """In a strict procedure too, where the same is asked again."""
    id = begin(players)
    version = 0
    for power in players:
        for decision in ({"kind": "place", "field": "north"}, {"kind": "done"}):
            version = decide(players[power], id, power, decision, version)
    for power, player in players.items():
        bid = {"kind": "bid", "coins": 1 if power == "red" else 0}
        version = decide(player, id, power, bid, version)
    version = decide(players["red"], id, "red", {"kind": "challenge", "rival": "green"}, version)
    assert [r.kind for r in room_of(app, id).game.pending] == ["offer_help"] * 2
    decide(players["red"], id, "red", {**GIFT, "to": "green", "coins": 1}, version)
    decide(players["green"], id, "green", {"kind": "accept"}, version + 1)
    assert [r.kind for r in room_of(app, id).game.pending] == ["offer_help"] * 2
    room = room_of(app, id)
    with pytest.raises(Stale):
        room.decide(players["blue"].id, "blue", {"kind": "pass"}, version)
    room.decide(players["blue"].id, "blue", {"kind": "pass"}, version + 2)


def test_using_a_right_does_not_lengthen_the_time_to_decide(
    players: dict[str, Player], app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    def at_once(rules: ToyRules, g: Any, power: str, decision: Any) -> Any:
        g.state.coins[power] -= decision.coins
        return
        yield

    monkeypatch.setattr(ToyRules, "use", at_once)
    id = begin(players)
    database = app.state.database
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)

    def since() -> list[Any]:
        with database.reading() as session:
            return list(
                session.scalars(select(Seat.since).where(Seat.game == id).order_by("number"))
            )

    with database.transaction() as session:
        session.execute(
            update(Seat).where(Seat.game == id, Seat.number == 0).values(since=long_ago)
        )
    before = since()
    assert [one is not None for one in before] == [True, False, False, False]
    room = Room.open(database, id)
    room.decide(players["red"].id, "red", {**GIFT, "to": "white"}, 0)
    room.decide(players["white"].id, "white", GIFT, 1)
    assert since() == before
    room.decide(players["red"].id, "red", {"kind": "place", "field": "north"}, 2)
    assert since()[0] > before[0]
