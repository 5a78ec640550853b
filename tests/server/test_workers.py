"""Bots in worker processes: what they are told, and what happens when one dies."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest

import sandtable
from sandtable.bots import make_bot
from sandtable.kernel.decisions import plain
from sandtable.server.workers import FOLLOWED, BotFailed, Question, Thinker, Workers


def play(game: sandtable.Game, decisions: int, seed: int = 1) -> None:
    rng = random.Random(seed)
    for _ in range(decisions):
        request = game.pending[0]
        game.submit(request.power, game.legal(request).sample(rng))


def question(game: sandtable.Game, known: int = 0, bot: str = "random", key: str = "g") -> Question:
    entries = [entry.plain() for entry in game.journal.since(known)]
    power = game.pending[0].power
    return Question(key, game.rules.id, game.options, None, known, entries, power, bot, 7)


@asynccontextmanager
async def open_workers(count: int = 1, seconds: float = 60) -> AsyncIterator[Workers]:
    workers = Workers(count, seconds)
    try:
        yield workers
    finally:
        await workers.close()


@pytest.mark.parametrize("game_id", ["aa1942", "blitz"])
def test_a_worker_decides_as_the_bot_does_here(game_id: str) -> None:
    game = sandtable.new(game_id)
    thinker = Thinker()
    known = 0
    for _ in range(30):
        request = game.pending[0]
        expected = plain(make_bot("random", 7).decide(game, request))
        answer = thinker.answer(question(game, known))
        assert answer.decision == expected
        known = game.version
        game.submit(request.power, expected)


def test_a_worker_that_has_forgotten_a_game_says_so() -> None:
    game = sandtable.new("aa1942", seed=1)
    play(game, 5)
    thinker = Thinker()
    assert thinker.answer(question(game, known=3)).forgotten
    assert thinker.answer(question(game)).decision
    assert thinker.answer(question(game, known=game.version)).decision
    for number in range(FOLLOWED):
        assert thinker.answer(question(game, key=f"other {number}")).decision
    assert thinker.answer(question(game, known=game.version)).forgotten


def test_a_question_holds_nothing_of_the_dice() -> None:
    game = sandtable.new("aa1942")
    play(game, 20)
    secret = game.dice.secret  # type: ignore[union-attr]
    assert secret not in msgspec.json.encode(question(game)).decode()


def test_a_bot_that_fails_is_replaced_by_one_that_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    game = sandtable.new("aa1942", seed=1)
    asked = question(game, bot="greedy")

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(game.rules), "greedy", fail)
    decision = Thinker().answer(asked).decision
    game.submit(asked.power, decision)


def test_what_cannot_be_answered_is_a_problem_and_the_worker_lives() -> None:
    game = sandtable.new("aa1942", seed=1)
    thinker = Thinker()
    wrong = question(game)
    wrong.power = "japan"
    assert "Nothing waits for japan" in thinker.answer(wrong).problem
    wrong = question(game)
    wrong.entries = [{"nonsense": True}]
    assert thinker.answer(wrong).problem
    assert thinker.answer(question(game)).decision


def test_bots_play_in_processes_and_are_told_only_what_is_new() -> None:
    async def scene() -> None:
        async with open_workers(2) as workers:
            games = {key: sandtable.new("blitz") for key in ("one", "two", "three")}
            for _ in range(4):
                for key, game in games.items():
                    power = game.pending[0].power
                    decision = await workers.think(key, game, power, "greedy", 7)
                    game.submit(power, decision)
            assert all(game.version >= 4 for game in games.values())
            told = {k: v for worker in workers._workers for k, v in worker._told.items()}
            assert set(told) == set(games)
            assert all(length < games[key].version for key, (length, _) in told.items())

    asyncio.run(scene())


def test_after_an_undo_the_worker_knows_the_game_as_it_is() -> None:
    async def scene() -> None:
        async with open_workers() as workers:
            game = sandtable.new("aa1942", seed=4)
            play(game, 6)
            await workers.think("g", game, game.pending[0].power, "random", 7)
            game.undo()
            play(game, 3, seed=2)
            request = game.pending[0]
            decision = await workers.think("g", game, request.power, "random", 7)
            assert decision == plain(make_bot("random", 7).decide(game, request))

    asyncio.run(scene())


def test_a_worker_that_is_killed_is_replaced_and_asked_again() -> None:
    async def scene() -> None:
        async with open_workers() as workers:
            game = sandtable.new("aa1942", seed=1)
            power = game.pending[0].power
            first = await workers.think("g", game, power, "random", 7)
            process = workers._workers[0]._process
            assert process is not None
            os.kill(process.pid, signal.SIGKILL)
            assert await workers.think("g", game, power, "random", 7) == first
            # And in the middle of a question: stopped, so that it cannot have answered before.
            process = workers._workers[0]._process
            assert process is not None
            os.kill(process.pid, signal.SIGSTOP)
            asked = asyncio.create_task(workers.think("g", game, power, "random", 7))
            await asyncio.sleep(0.05)
            os.kill(process.pid, signal.SIGKILL)
            assert await asked == first

    asyncio.run(scene())


def test_a_worker_that_hangs_is_given_up_in_the_end() -> None:
    async def scene() -> None:
        async with open_workers(seconds=0.001) as workers:
            game = sandtable.new("aa1942", seed=1)
            with pytest.raises(BotFailed, match="gave no answer"):
                await workers.think("g", game, game.pending[0].power, "random", 7)

    asyncio.run(scene())


def test_closing_ends_the_processes() -> None:
    async def scene() -> None:
        workers = Workers(1)
        game = sandtable.new("aa1942", seed=1)
        power = game.pending[0].power
        await workers.think("g", game, power, "random", 7)
        process = workers._workers[0]._process
        assert process is not None
        await workers.close()
        assert process.returncode is not None
        with pytest.raises(BotFailed, match="stopping"):
            await workers.think("g", game, power, "random", 7)

    asyncio.run(scene())
