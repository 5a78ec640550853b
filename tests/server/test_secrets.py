"""What others may not know never leaves the server."""

from __future__ import annotations

import json
import random
from contextlib import ExitStack
from typing import Any

import pytest
from fastapi import FastAPI

import sandtable
from sandtable.kernel.decisions import plain
from sandtable.kernel.game import Game
from sandtable.kernel.savefile import save_text
from sandtable.kernel.saves import load
from sandtable.server.tables import GameRow
from tests.kernel.toy import ToyRules
from tests.server.conftest import Player, guest
from tests.server.playing import decide, table, watching


def strings(value: Any) -> set[str]:
    """All texts in a message, keys included."""
    match value:
        case str():
            return {value}
        case list():
            return {text for each in value for text in strings(each)}
        case dict():
            return set(value) | {text for each in value.values() for text in strings(each)}
    return set()


def game_of(app: FastAPI, id: str) -> Game:
    """The game as the server has it."""
    game: Game = app.state.rooms._tables[id].room.game
    return game


@pytest.mark.usefixtures("talkative")
def test_nothing_of_the_others_books_is_told_while_they_are_secret(
    anna: Player, app: FastAPI
) -> None:
    """A whole spending phase of the campaign, five players and a spectator with a socket each. Of
    each order only its owner is told anything, until all is revealed: the others not even that it
    was made."""
    options = {"scenario": "campaign"}
    places = [
        seat["powers"]
        for seat in anna.post("/api/catalogue/blitz/seats", {"options": options})["seats"]
    ]
    players = [anna, *(guest(app, f"P{n}") for n in range(1, len(places)))]
    other = guest(app, "Watcher")
    rng = random.Random(7)
    game = sandtable.new("blitz", seed=1, options=options)
    while not any(request.kind == "spend" for request in game.pending):
        game.submit(game.pending[0].power, game.legal(game.pending[0]).sample(rng))
    seats = list(zip(players, places, strict=True))
    id = table(anna, "blitz", seats, save=save_text(game))
    orders = 0
    with ExitStack() as stack:
        sockets = [stack.enter_context(watching(player, id)) for player in (*players, other)]
        eyes = [*(frozenset(powers) for powers in places), frozenset[str]()]
        for socket in sockets:
            socket.meanwhile()
        for _ in range(60):
            game = game_of(app, id)
            secret = [r for r in game.pending if r.kind == "spend"]
            request = rng.choice(secret or game.pending)
            seat = next(n for n, powers in enumerate(places) if request.power in powers)
            decision = game.legal(request).sample(rng)
            body = {
                "power": request.power,
                "decision": plain(decision),
                "version": sockets[seat].mirror.version,
            }
            version = players[seat].post(f"/api/games/{id}/decisions", body)["version"]
            heard = [socket.meanwhile() for socket in sockets]
            assert sockets[seat].mirror.version == version
            writing = [r.power for r in game_of(app, id).pending if r.kind == "spend"]
            if secret and writing == [r.power for r in secret]:
                orders += 1
                assert [bool(told) for told in heard] == [n == seat for n in range(len(heard))]
            for message, powers in _updates(heard, eyes):
                assert {each["power"] for each in message["pending"]} <= powers
                for pool in message["changes"].get("pools", []):
                    if "secret" in pool["title"]:
                        assert pool["power"] in powers
                for space in message["changes"].get("spaces", {}).values():
                    assert "secret" not in json.dumps(space)
            if secret and writing:
                # That somebody is done is seen. Only what is public is in the message.
                for message, powers in _updates(heard, eyes):
                    if request.power not in powers:
                        assert message["log"]["add"] == []
                        assert set(message["changes"]) <= {"moment"}, message["changes"]
        for player, powers in zip(players, places, strict=True):
            seen = player.get(f"/api/games/{id}/observe", power=powers[0])
            assert set(seen["state"]["books"]) <= {powers[0]}
            view = player.get(f"/api/games/{id}/view")
            for pool in view["picture"].get("pools") or []:
                assert "secret" not in pool["title"] or pool["power"] in powers
            for step in player.get(f"/api/games/{id}/history")["steps"]:
                assert "order" not in step["text"] or step["power"] in powers
    assert orders


def _updates(
    heard: list[list[dict[str, Any]]], eyes: list[frozenset[str]]
) -> list[tuple[dict[str, Any], frozenset[str]]]:
    """Each update that was heard, and the powers of whoever heard it."""
    return [
        (message, powers)
        for told, powers in zip(heard, eyes, strict=True)
        for message in told
        if message["type"] == "update"
    ]


def test_bids_are_secret_until_all_are_in(toy: ToyRules, anna: Player, app: FastAPI) -> None:
    players = {power: guest(app, power.title()) for power in ("green", "blue", "white")}
    players["red"] = anna
    id = table(anna, "toy", [(players[power], [power]) for power in sorted(players)])
    rng = random.Random(2)
    version = 0
    with ExitStack() as stack:
        sockets = {p: stack.enter_context(watching(who, id)) for p, who in players.items()}
        while len(game_of(app, id).pending) < 4:
            request = game_of(app, id).pending[0]
            decision = plain(game_of(app, id).legal(request).sample(rng))
            body = {"power": request.power, "decision": decision, "version": version}
            version = players[request.power].post(f"/api/games/{id}/decisions", body)["version"]
        for socket in sockets.values():
            socket.until(version)
            socket.told.clear()
        for power, player in players.items():
            if power != "red":
                body = {"power": power, "decision": {"kind": "bid", "coins": 2}, "version": version}
                player.post(f"/api/games/{id}/decisions", body)
        hers = sockets["red"]
        hers.until(version + 3)
        updates = [told for told in map(json.loads, hers.told) if told["type"] == "update"]
        assert len(updates) == 3
        for message in updates:
            assert message["log"]["add"] == [] and message["changes"] == {}
            assert "coins" not in strings(message["changes"])
        steps = anna.get(f"/api/games/{id}/history")["steps"][-3:]
        assert all(step["text"].endswith("has decided.") for step in steps)


def test_the_secret_of_the_dice_is_in_no_message_before_the_end(
    anna: Player, ben: Player, app: FastAPI
) -> None:
    id = table(anna, "blitz", [(anna, ["germany"]), (ben, ["afa"])])
    with app.state.database.reading() as session:
        secret = session.get_one(GameRow, id).secret
    assert len(secret) == 64
    rng = random.Random(5)
    answers: list[str] = []
    path = f"/api/games/{id}"
    version = 0
    with watching(anna, id) as hers, watching(ben, id) as his:
        players = {"germany": (anna, hers), "afa": (ben, his)}
        while waiting := game_of(app, id).pending:
            power = waiting[0].power
            player, watcher = players[power]
            watcher.until(version)
            if version % 8 == 0:
                for query in (f"form?power={power}", f"observe?power={power}", "view", "history"):
                    answers.append(player.http.get(f"{path}/{query}").text)
                answers.append(player.http.get(path).text)
                answers.append(player.http.get(f"{path}/save").text)
            version = decide(player, id, power, version, rng)
        his.until(version)
        hers.until_type("info")
        told = [*hers.told[:-1], *his.told, *answers]
        assert not any(secret in text for text in told)
        assert secret in hers.told[-1]
    assert load(anna.http.get(f"{path}/save").content).result is not None


@pytest.mark.parametrize("access", ["link", "public"])
def test_a_running_game_between_people_is_saved_for_nobody(
    anna: Player, ben: Player, app: FastAPI, access: str
) -> None:
    id = table(anna, "blitz", [(anna, ["germany"]), (ben, ["afa"])], access=access)
    for player in (anna, ben, guest(app, "Carl")):
        player.get(f"/api/games/{id}/save", 403)
    alone = table(anna, "blitz", [(anna, ["afa"]), ("random", ["germany"])], access=access)
    guest(app, "Dora").get(f"/api/games/{alone}/save", 403)
    anna.get(f"/api/games/{alone}/save")
