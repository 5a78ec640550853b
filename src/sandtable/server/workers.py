"""Bots think in processes of their own, so that the server answers meanwhile.

A worker is `python -m sandtable.server.workers`: a question a line on its standard input, the
answer a line on its standard output. It follows the games it is asked about by what was decided and
rolled; the secret of the dice never gets to it. It ends when the server does, however that ends.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import traceback
import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec
import structlog

from sandtable.bots import make_bot
from sandtable.kernel.decisions import Request, plain
from sandtable.kernel.errors import SandtableError
from sandtable.kernel.game import Entry, Game
from sandtable.kernel.saves import entry_from_plain, resume
from sandtable.kernel.snapshots import Past, Snapshot
from sandtable.server.patience import limited
from sandtable.server.shares import Shares

if TYPE_CHECKING:
    # Not for the workers, which start faster without.
    from fastapi import FastAPI

FOLLOWED = 64
"""Games that a worker keeps in memory; the longest unasked one goes first."""

TRIES = 3
"""How often a question is asked before it is given up: a worker may crash."""

THINK_SECONDS = 2.0
"""Of the processor, for a decision. A bot that takes longer decides at random, for which it has as
long."""
FOLLOW_SECONDS = 20.0
"""To follow what has happened in a game since it was last asked about."""
HANGS = 60.0
"""A worker that has not answered for so long is ended: it hangs, or the machine is far too slow."""

_LONGEST = 16 * 2**20
"""The longest answer that is read."""

_log = structlog.get_logger("sandtable.workers")


class BotFailed(SandtableError):
    """No decision came from any of the workers that were asked."""


class Question(msgspec.Struct):
    """What a power should decide in the game `key`. `entries` follow the first `known` of its
    journal, or the snapshot, or begin with the first of all."""

    key: str
    game: str
    options: dict[str, Any]
    position: Any
    known: int
    entries: list[Any]
    power: str
    bot: str
    seed: int
    snapshot: Snapshot | None = None


class Answer(msgspec.Struct, omit_defaults=True):
    """The decision; or that the worker has to be told the whole journal; or what went wrong."""

    decision: Any = None
    forgotten: bool = False
    problem: str = ""


# --- in the server ---------------------------------------------------------------------------


class Workers:
    """The processes in which bots think. A game always asks the same one, which so has to be told
    only what is new; it is started at the first question and replaced when it dies or hangs."""

    def __init__(self, count: int, seconds: float = HANGS) -> None:
        self._workers = [_Worker(seconds) for _ in range(max(1, count))]

    async def think(
        self, key: str, game: Game, power: str, bot: str, seed: int, owner: str = ""
    ) -> dict[str, Any]:
        """The decision of `bot` for `power`, as plain data; BotFailed if there is none.

        `key` names the game among all on this server, `owner` who has made its table: next comes
        the game of whoever has made the workers think least lately. What `game` is at the call
        counts, even if it goes on meanwhile.
        """
        worker = self._workers[zlib.crc32(key.encode()) % len(self._workers)]
        question = Question(
            key, game.rules.id, game.options, game.position, 0, [], power, bot, seed
        )
        return await worker.think(question, game.clone(), owner or key)

    async def close(self) -> None:
        """End the processes; what they are thinking about is dropped."""
        await asyncio.gather(*(worker.close() for worker in self._workers))


class _Worker:
    """One process, asked one question at a time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._turn = Shares(1, most=1000)
        self._process: asyncio.subprocess.Process | None = None
        self._closed = False
        self._told: OrderedDict[str, tuple[int, Entry | None]] = OrderedDict()
        """How much of each game's journal the process knows, and the last entry of that. Entries
        are made once: where the same object stands, everything before it is the same as well."""

    async def think(self, question: Question, game: Game, owner: str) -> dict[str, Any]:
        problem = ""
        async with self._turn.of(owner):
            for _ in range(TRIES):
                if self._closed:
                    raise BotFailed("The server is stopping.")
                try:
                    async with asyncio.timeout(self._seconds):
                        answer = await self._ask(question, game)
                except TimeoutError:
                    await self._end()
                    raise BotFailed(
                        f"The bot {question.bot} gave no answer in {self._seconds:g} seconds."
                    ) from None
                except (OSError, EOFError, ValueError) as error:
                    problem = f"the bot's process failed: {error!r}"
                    await self._end()
                except BaseException:
                    # Given up in the middle of a question: the next one must not get its answer.
                    await self._end()
                    raise
                else:
                    if answer.decision is not None:
                        decision: dict[str, Any] = answer.decision
                        return decision
                    if not answer.forgotten:
                        raise BotFailed(
                            f"The bot {question.bot} does not know what to do: {answer.problem}"
                        )
                _log.warning("bot asked again", game=question.key, problem=problem)
        raise BotFailed(f"The bot {question.bot} gave no answer: {problem}.")

    async def _ask(self, question: Question, game: Game) -> Answer:
        process = await self._running()
        journal = game.journal
        known, last = self._told.pop(question.key, (0, None))
        if not journal.at_hand < known <= len(journal) or journal[known - 1] is not last:
            known = 0
        question.known = known
        question.snapshot = game.snapshot() if not known else None
        start = known if question.snapshot is None else question.snapshot.length
        question.entries = [entry.plain() for entry in journal.since(start)]
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(question) + b"\n")
        await process.stdin.drain()
        line = await process.stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError("it ended")
        answer = msgspec.json.decode(line, type=Answer)
        if not answer.forgotten and not answer.problem:
            self._told[question.key] = len(journal), journal[-1] if len(journal) else None
            while len(self._told) > FOLLOWED:
                self._told.popitem(last=False)
        return answer

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._told.clear()
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "sandtable.server.workers",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LONGEST,
            )
        return self._process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def close(self) -> None:
        self._closed = True
        await self._end()


@asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[None]:
    """`app.state.workers` as long as the application runs."""
    app.state.workers = workers = Workers(app.state.config.workers)
    try:
        yield
    finally:
        await workers.close()


# --- in the worker ---------------------------------------------------------------------------


class Thinker:
    """Answers questions, and keeps the games that they were about."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._prepared: set[str] = set()

    def answer(self, question: Question) -> Answer:
        """The answer to one question; a problem is part of it, never an exception."""
        game = self._games.pop(question.key, None)
        if question.known and (game is None or game.version != question.known):
            return Answer(forgotten=True)
        try:
            known = game if question.known else None
            game = limited(FOLLOW_SECONDS, self._follow, known, question)
            decision = self._decide(game, question)
        except Exception as error:
            return Answer(problem=f"{type(error).__name__}: {error}")
        self._games[question.key] = game
        while len(self._games) > FOLLOWED:
            self._games.popitem(last=False)
        return Answer(decision)

    def _follow(self, game: Game | None, question: Question) -> Game:
        entries = [entry_from_plain(entry, question.key) for entry in question.entries]
        if game is None:
            # Without dice: every roll is told. A bot that rolled for itself would know the future.
            taken = question.snapshot
            past = None if taken is None else Past(taken, _nothing_before)
            begun = question.game, question.options, question.position
            return resume(*begun, None, entries, past=past)
        game.follow(entries)
        return game

    def _decide(self, game: Game, question: Question) -> Any:
        request = next((r for r in game.pending if r.power == question.power), None)
        if request is None:
            raise SandtableError(f"Nothing waits for {question.power}.")
        if game.rules.id not in self._prepared:
            game.rules.prepare()
            self._prepared.add(game.rules.id)
        try:
            return limited(THINK_SECONDS, _decided, game, request, question.bot, question.seed)
        except Exception:
            # Our mistake, or an absurd position, and no reason for the people at the table to wait
            # for ever.
            traceback.print_exc()
            return limited(THINK_SECONDS, _decided, game, request, "random", question.seed)


def _decided(game: Game, request: Request, bot: str, seed: int) -> Any:
    """The decision of a bot, which the rules have let pass, as plain data."""
    decision = make_bot(bot, seed).decide(game, request)
    asked = game.request_for(request.power, decision)
    return plain(game.legal(asked).read(decision))


def _nothing_before(length: int) -> Game:
    raise SandtableError("What came before the snapshot is not known here.")


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer questions until there are no more."""
    thinker = Thinker()
    for line in questions:
        answer = thinker.answer(msgspec.json.decode(line, type=Question))
        answers.write(msgspec.json.encode(answer) + b"\n")
        answers.flush()


def main() -> None:
    """A worker process. It gives way to the server, and leaves Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):
        os.nice(5)
    # What a game or a library prints must not get between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with suppress(BrokenPipeError):
        serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
