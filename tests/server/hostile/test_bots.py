"""Bots: a decision has a hard limit, and each person a fair share of them."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from fastapi import FastAPI

import sandtable
from sandtable.bots import make_bot
from sandtable.games.aa1942.facts import load_facts
from sandtable.games.aa1942.rules.movement import Done
from sandtable.server import clocks, patience, rooms, workers
from sandtable.server.shares import Shares
from sandtable.server.workers import BotFailed, Question, Thinker, Workers
from tests.server.conftest import Player
from tests.server.hostile.kit import FULL
from tests.server.playing import places, soon, table, watching

LAND = ("infantry", "artillery", "tank", "fighter", "bomber")
SEA = ("transport", "submarine", "destroyer", "cruiser", "aircraft_carrier", "battleship")


def crowded(phase: str, turn: str = "germany") -> sandtable.Game:
    """A thousand units of each type in each territory and sea zone."""
    facts = load_facts(None)
    powers = facts.powers
    units: dict[str, Any] = {}
    for territory in facts.territories:
        owner = facts.spaces[territory].owner
        if owner in powers:
            units[territory] = {owner: dict.fromkeys(LAND, 999)}
    for number, zone in enumerate(facts.sea_zones):
        units[zone] = {powers[number % len(powers)]: dict.fromkeys(SEA, 999)}
    position = {
        "base": "empty",
        "units": units,
        "turn": turn,
        "phase": phase,
        "treasury": dict.fromkeys(powers, 10**15),
    }
    return sandtable.new("aa1942", seed=1, position=position)


@pytest.mark.parametrize("phase", ["purchase", "combat_move", "noncombat_move", "mobilize"])
def test_greedy_answers_a_position_with_a_thousand_units_everywhere(phase: str) -> None:
    """It took minutes; now it takes a fraction of a second, and here at most some seconds of the
    processor whatever else runs."""
    game = crowded(phase)
    bot = make_bot("greedy", 7)
    for _ in range(300 if FULL else 40):
        request = game.pending[0]
        began = time.thread_time()
        decision = bot.decide(game, request)
        assert time.thread_time() - began < 8, request.kind
        game.submit(request.power, decision)


def test_greedy_decides_the_battles_of_such_a_position() -> None:
    game = crowded("combat_move")
    bot = make_bot("greedy", 7)
    asked = set()
    for _ in range(120):
        request = game.pending[0]
        if request.kind == "combat_move" and game.version > 10:
            game.submit(request.power, Done())
            continue
        began = time.thread_time()
        decision = bot.decide(game, request)
        assert time.thread_time() - began < 8, request.kind
        asked.add(request.kind)
        game.submit(request.power, decision)
    assert {"combat_move", "choose_casualties"} <= asked


def endless(*_: object, **__: object) -> None:
    while True:
        pass


def question(game: sandtable.Game, bot: str = "greedy") -> Question:
    power = game.pending[0].power
    return Question("g", game.rules.id, game.options, None, 0, [], power, bot, 7)


def test_a_bot_that_thinks_for_ever_decides_quickly_instead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = sandtable.new("aa1942", seed=1)
    monkeypatch.setattr(workers, "THINK_SECONDS", 0.2)
    monkeypatch.setattr(type(game.rules), "greedy", endless)
    answer = Thinker().answer(question(game))
    game.submit(game.pending[0].power, answer.decision)


def test_where_even_that_takes_for_ever_the_worker_says_so_and_lives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = sandtable.new("aa1942", seed=1)
    monkeypatch.setattr(workers, "THINK_SECONDS", 0.1)
    thinker = Thinker()
    with monkeypatch.context() as patch:
        patch.setattr(workers, "_decided", endless)
        assert "takes too long" in thinker.answer(question(game)).problem
    monkeypatch.setattr(workers, "THINK_SECONDS", 60.0)
    assert thinker.answer(question(game)).decision


def test_a_worker_that_hangs_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        made = Workers(1, seconds=0.001)
        game = sandtable.new("aa1942", seed=1)
        with pytest.raises(BotFailed, match=r"no answer in 0\.001 seconds"):
            await made.think("g", game, game.pending[0].power, "random", 7)
        await made.close()

    asyncio.run(scene())


# --- shares --------------------------------------------------------------------------------------


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_next_comes_who_has_used_least() -> None:
    async def scene() -> list[str]:
        clock = Clock()
        shares = Shares(1, clock=clock)
        order: list[str] = []

        async def work(who: str, seconds: float) -> None:
            async with shares.of(who):
                order.append(who)
                clock.now += seconds
                await asyncio.sleep(0)

        async with asyncio.TaskGroup() as tasks:
            for _ in range(10):
                tasks.create_task(work("mallory", 3.0))
            tasks.create_task(work("anna", 0.1))
            tasks.create_task(work("anna", 0.1))
        return order

    order = asyncio.run(scene())
    assert order[:3] == ["mallory", "anna", "anna"]
    assert len(order) == 12


def test_one_address_never_has_all_and_one_person_only_one() -> None:
    async def scene() -> None:
        shares = Shares(3)
        inside: list[str] = []
        go_on = asyncio.Event()

        async def work(who: str, where: str) -> None:
            async with shares.of(who, where):
                inside.append(who)
                await go_on.wait()

        async with asyncio.TaskGroup() as tasks:
            for number in range(20):
                tasks.create_task(work(f"mallory {number % 5}", "192.0.2.66"))
            await asyncio.sleep(0)
            tasks.create_task(work("anna", "192.0.2.1"))
            for _ in range(5):
                await asyncio.sleep(0)
            assert sorted(inside) == ["anna", "mallory 0", "mallory 1"]
            go_on.set()
        assert len(inside) == 21

    asyncio.run(scene())


def test_who_goes_away_leaves_nothing_behind() -> None:
    async def scene() -> None:
        shares = Shares(1)
        async with shares.of("anna"):
            waiting = asyncio.create_task(_enter(shares, "ben"))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            # Gone, and not told of it yet when the slot becomes free.
            waiting = asyncio.create_task(_enter(shares, "ben"))
            await asyncio.sleep(0)
            waiting.cancel()
        async with asyncio.timeout(10):
            await _enter(shares, "carla")
        await asyncio.gather(waiting, return_exceptions=True)
        assert not shares._waiting and not shares._working

    asyncio.run(scene())


async def _enter(shares: Shares, who: str) -> None:
    async with shares.of(who):
        pass


# --- tables --------------------------------------------------------------------------------------


def bots_only(anna: Player) -> str:
    powers = [power for place in places(anna, "aa1942") for power in place]
    seats = [{"powers": powers, "kind": "bot", "bot": "random"}]
    id = anna.post("/api/games", {"game": "aa1942", "seats": seats}, 201)["id"]
    anna.post(f"/api/games/{id}/start")
    return str(id)


def version(anna: Player, id: str) -> int:
    return int(anna.get(f"/api/games/{id}")["version"])


def test_bots_alone_play_only_while_somebody_watches(anna: Player, app: FastAPI) -> None:
    tables = [bots_only(anna) for _ in range(3)]
    time.sleep(1)
    assert [version(anna, id) for id in tables] == [0, 0, 0]
    assert clocks.stuck_bots(app.state.database) == []
    with watching(anna, tables[0]) as watcher:
        watcher.until(5)
    soon(lambda: app.state.rooms._tables[tables[0]].bots is None)
    reached = version(anna, tables[0])
    time.sleep(0.5)
    assert version(anna, tables[0]) == reached
    assert version(anna, tables[1]) == 0


def test_bots_that_have_failed_rest_for_a_while(
    anna: Player, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    async def fail(*arguments: Any) -> None:
        asked.append(arguments)
        raise BotFailed("no idea")

    monkeypatch.setattr(app.state.workers, "think", fail)
    first, *others = places(anna, "aa1942")
    rest = [power for place in others for power in place]
    id = table(anna, "aa1942", [("greedy", first), (anna, rest)])
    soon(lambda: asked)
    soon(lambda: app.state.rooms._tables[id].bots is None)
    for _ in range(5):
        anna.http.portal.call(app.state.rooms.drive, id)
    assert len(asked) == 1
    app.state.rooms._tables[id].bots_rest = 0.0
    anna.http.portal.call(app.state.rooms.drive, id)
    soon(lambda: len(asked) == 2)
    assert app.state.rooms._tables[id].bots_rest > time.monotonic() + rooms.BOTS_REST


def test_time_is_that_of_the_processor() -> None:
    """Who waits uses none."""
    assert patience.limited(0.2, lambda: time.sleep(0.6) or "done") == "done"
    with pytest.raises(patience.OutOfTime):
        patience.limited(0.1, endless)
    assert patience.limited(5.0, sum, (1, 2)) == 3
