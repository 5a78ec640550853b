"""Slow work: nobody has more than one share of the server, and nobody who decides waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi import FastAPI

from sandtable.server import questions, turns
from sandtable.server.errors import Problem
from sandtable.server.room import Room
from sandtable.server.turns import Turns
from tests.server.conftest import Player, TestClient, guest

SECONDS = 20
"""Long enough for anything that is not held up."""


def test_each_person_has_one_turn_at_a_time_in_order() -> None:
    async def scene() -> None:
        queue, had = Turns(), []

        async def one(who: str, number: int) -> None:
            async with queue.of(who):
                had.append((who, number, "begins"))
                await asyncio.sleep(0)
                had.append((who, number, "ends"))

        async with asyncio.TaskGroup() as tasks:
            for number in range(3):
                for who in ("anna", "ben"):
                    tasks.create_task(one(who, number))
        for who in ("anna", "ben"):
            mine = [(number, what) for each, number, what in had if each == who]
            assert mine == [(n, what) for n in range(3) for what in ("begins", "ends")]
        assert had[:2] == [("anna", 0, "begins"), ("ben", 0, "begins")], "they go side by side"
        assert not queue._queues, "nobody is remembered who has gone"

    asyncio.run(scene())


def test_who_has_too_much_waiting_is_told_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MOST", 2)

    async def scene() -> None:
        queue = Turns()
        async with queue.of("anna"):
            second = asyncio.create_task(queue.of("anna").__aenter__())
            await asyncio.sleep(0)
            with pytest.raises(Problem) as refused:
                await queue.of("anna").__aenter__()
            assert refused.value.status == 429
            async with queue.of("ben"):
                pass
            second.cancel()
            await asyncio.gather(second, return_exceptions=True)

    asyncio.run(scene())


# --- the server ----------------------------------------------------------------------------------


class Gate:
    """Holds whoever comes to it, and says that somebody has."""

    def __init__(self) -> None:
        self.reached = threading.Semaphore(0)
        self.opened = threading.Event()

    def pass_through(self) -> None:
        self.reached.release()
        assert self.opened.wait(SECONDS)


@contextmanager
def meanwhile(*calls: Any) -> Iterator[None]:
    """Make calls in threads; they have ended well when this does."""
    with ThreadPoolExecutor(len(calls)) as threads:
        made = [threads.submit(call) for call in calls]
        yield
        for each in made:
            each.result(SECONDS)


def registered(app: FastAPI, name: str) -> Player:
    player = Player(app)
    player.adopt(player.post("/api/accounts", {"name": name, "password": "correct horse"}))
    return player


def started(player: Player) -> str:
    """A game of one person who plays all sides."""
    seats = [{"powers": ["germany"], "kind": "me"}, {"powers": ["afa"], "kind": "me"}]
    id: str = player.post("/api/games", {"game": "blitz", "seats": seats})["id"]
    player.post(f"/api/games/{id}/start", {})
    return id


def decide(player: Player, id: str) -> None:
    info = player.get(f"/api/games/{id}")
    power = info["waiting"][0]
    # Not by way of `legal`, which is one of the slow questions.
    form = player.get(f"/api/games/{id}/form", power=power)
    decision = form.get("done", {}).get("decision") or form["choices"][0]["decision"]
    body = {"power": power, "decision": decision, "version": info["version"]}
    player.post(f"/api/games/{id}/decisions", body)


def test_one_person_s_slow_questions_leave_threads_to_others(
    app: FastAPI, web: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    mallory, anna = registered(app, "Mallory"), registered(app, "Anna")
    games = {player.id: started(player) for player in (mallory, anna)}
    gate = Gate()
    answer = questions.legal_decisions

    def slowly(game: Any, request: Any, limit: int) -> Any:
        if limit == 13:
            gate.pass_through()
        return answer(game, request, limit)

    monkeypatch.setattr(questions, "legal_decisions", slowly)

    def ask(player: Player, limit: int) -> None:
        id = games[player.id]
        power = player.get(f"/api/games/{id}")["waiting"][0]
        assert player.get(f"/api/games/{id}/legal", power=power, limit=limit)["decisions"]

    with meanwhile(*[lambda: ask(mallory, 13)] * 5):
        assert gate.reached.acquire(timeout=SECONDS)
        ask(anna, 8)
        decide(anna, games[anna.id])
        decide(mallory, games[mallory.id])
        assert not gate.reached.acquire(blocking=False), "one at a time"
        gate.opened.set()


def test_guests_of_one_address_share_their_turn(
    app: FastAPI, web: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    guests = [guest(app, name) for name in ("Mallory", "Mallory too")]
    games = [started(player) for player in guests]
    gate = Gate()
    answer = questions.legal_decisions

    def slowly(*arguments: Any) -> Any:
        gate.pass_through()
        return answer(*arguments)

    monkeypatch.setattr(questions, "legal_decisions", slowly)
    calls = [
        lambda p=player, i=id: p.get(f"/api/games/{i}/legal", power="germany")
        for player, id in zip(guests, games, strict=True)
    ]
    waiting = {guests[0].get(f"/api/games/{id}")["waiting"][0] for id in games}
    assert waiting == {"germany"}
    with meanwhile(*calls):
        assert gate.reached.acquire(timeout=SECONDS)
        decide(guests[0], games[0])
        assert not gate.reached.acquire(blocking=False)
        gate.opened.set()
        assert gate.reached.acquire(timeout=SECONDS), "then the other"


def test_games_that_take_long_to_open_delay_no_decision(
    app: FastAPI, web: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = registered(app, "Anna")
    mine, *long = (started(anna) for _ in range(4))
    gate = Gate()
    open_room = Room.open

    def slowly(database: Any, id: str) -> Room:
        if id in long:
            gate.pass_through()
        return open_room(database, id)

    monkeypatch.setattr(Room, "open", slowly)
    for id in long:
        app.state.rooms._tables.pop(id)
    strangers = [registered(app, f"Stranger {number}") for number in range(3)]
    calls = [
        lambda p=player, i=id: p.get(f"/api/games/{i}/view")
        for player, id in zip(strangers, long, strict=True)
    ]
    with meanwhile(*calls):
        assert gate.reached.acquire(timeout=SECONDS)
        decide(anna, mine)
        gate.opened.set()
