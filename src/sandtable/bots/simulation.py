"""Simulating many games, in several processes, with one summary of how they went."""

from __future__ import annotations

import gc
import hashlib
import multiprocessing
import signal
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import msgspec

from sandtable.bots.playing import play_out, seat
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import SandtableError
from sandtable.kernel.game import Game
from sandtable.kernel.start import new

MOST_ROUNDS = 100
"""A simulated game is given up as not finished after so many rounds, unless one says otherwise:
random play need not end, and grows slower as units pile up."""


class SimulationError(SandtableError):
    """A game of a simulation failed. `number` and `seed` say which: `play_one` with that seed
    fails in the same way."""

    def __init__(self, message: str, number: int, seed: int) -> None:
        super().__init__(message)
        self.number = number
        self.seed = seed


class GameReport(msgspec.Struct, frozen=True):
    """How one simulated game went."""

    number: int
    seed: int
    winners: tuple[str, ...] | None
    """The winning powers; none of them is a draw; None: not finished within the limit."""
    side: str
    """The side that won; "" if none did."""
    reason: str
    rounds: int
    """Rounds completed, or begun if the game was decided in the last one."""
    decisions: int
    hash: str


class Rounds(msgspec.Struct, frozen=True):
    """The length of games in rounds."""

    min: int
    mean: float
    max: int


class Summary(msgspec.Struct, frozen=True):
    """How the games of a simulation went. Only the times depend on the machine and on `jobs`."""

    game: str
    bots: dict[str, str]
    """Power to the name of its bot."""
    seed: int
    max_rounds: int
    games: int
    finished: int
    draws: int
    unfinished: int
    wins: dict[str, int]
    """Side to games won."""
    shares: dict[str, float]
    """Side to its share of all games, those without a winner included."""
    rounds: Rounds
    decisions: int
    seconds: float
    decisions_per_second: float
    games_per_minute: float

    def to_json(self) -> str:
        """The summary as indented JSON."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2).decode()


class _Task(msgspec.Struct, frozen=True):
    """All that a worker has to know about one game."""

    number: int
    seed: int
    game_id: str
    bots: str | dict[str, str]
    max_rounds: int
    options: dict[str, Any]
    data: str | None


class _Failure(msgspec.Struct, frozen=True):
    """A game that could not be played on; sent as text, since not every exception can travel."""

    number: int
    seed: int
    text: str


def seed_of_game(seed: int, number: int) -> int:
    """The seed of a simulation's game: of its dice and of its bots. It depends on nothing else."""
    digest = hashlib.sha256(f"{seed} {number}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def simulate(
    game_id: str,
    games: int,
    bots: str | Mapping[str, str] = "greedy",
    seed: int = 0,
    jobs: int = 1,
    max_rounds: int = MOST_ROUNDS,
    options: Mapping[str, Any] | None = None,
    on_game: Callable[[GameReport], None] | None = None,
    data: Path | None = None,
) -> Summary:
    """Play `games` games between bots in `jobs` processes and sum them up.

    `bots` is one name for all, or names by power or side. Game number i is the same whatever
    `jobs` and `games` are; after `max_rounds` rounds it counts as not finished. `on_game` is called
    with each game as it ends, in no fixed order. `data` is a folder whose files replace the game's
    own. Wrong arguments raise before the first game; a game that fails ends the simulation with
    SimulationError. Ctrl-C stops the workers and comes through as KeyboardInterrupt.
    """
    for name, value in (("games", games), ("jobs", jobs), ("max_rounds", max_rounds)):
        if value < 1:
            raise ValueError(f"{name} is a number from 1, not {value}.")
    chosen = bots if isinstance(bots, str) else dict(bots)
    opening = new(game_id, seed=0, options=options, data=data)
    seated = {power: bot.name for power, bot in seat(opening, chosen, 0).items()}
    folder = None if data is None else str(Path(data).absolute())
    tasks = [
        _Task(i, seed_of_game(seed, i), game_id, chosen, max_rounds, dict(options or {}), folder)
        for i in range(games)
    ]
    began = time.perf_counter()
    reports: list[GameReport] = []
    outcomes = map(_attempt, tasks) if jobs == 1 else _in_processes(tasks, min(jobs, games))
    for outcome in outcomes:
        if isinstance(outcome, _Failure):
            raise SimulationError(
                f"Game {outcome.number} failed; play_one({game_id!r}, {outcome.seed}, "
                f"{chosen!r}, ...) shows it again.\n{outcome.text}",
                outcome.number,
                outcome.seed,
            )
        reports.append(outcome)
        if on_game is not None:
            on_game(outcome)
    seconds = time.perf_counter() - began
    sides = opening.rules.sides(opening.state)
    reports.sort(key=lambda report: report.number)
    return _sum_up(reports, seated, sides, game_id, seed, max_rounds, seconds)


def play_one(
    game_id: str,
    seed: int,
    bots: str | Mapping[str, str] = "greedy",
    max_rounds: int = MOST_ROUNDS,
    options: Mapping[str, Any] | None = None,
    number: int = 0,
    data: Path | None = None,
) -> GameReport:
    """Play one game of a simulation in this process; `seed` is the game's own seed."""
    decisions = 0

    def count(game: Game, request: Request, decision: Decision) -> None:
        nonlocal decisions
        decisions += 1

    game = new(game_id, seed=seed, options=options, data=data)
    play_out(game, seat(game, bots, seed), max_rounds, count)
    rounds = game.rules.rounds(game.state)
    if game.result is None:
        return GameReport(number, seed, None, "", "", rounds - 1, decisions, game.hash)
    sides = game.rules.sides(game.state)
    won = {sides[power] for power in game.result.winners}
    return GameReport(
        number,
        seed,
        game.result.winners,
        " and ".join(sorted(won)),
        game.result.reason,
        rounds,
        decisions,
        game.hash,
    )


def _attempt(task: _Task) -> GameReport | _Failure:
    """Play a task's game; a failure is an outcome, too, and names the seed."""
    try:
        return play_one(
            task.game_id,
            task.seed,
            task.bots,
            task.max_rounds,
            task.options,
            task.number,
            None if task.data is None else Path(task.data),
        )
    except Exception:
        return _Failure(task.number, task.seed, traceback.format_exc())


def _in_processes(tasks: list[_Task], jobs: int) -> Iterator[GameReport | _Failure]:
    """The outcomes of the tasks as they come in, from fresh processes on every platform."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_worker)
    waiting = list(reversed(tasks))
    running: dict[Future[GameReport | _Failure], _Task] = {}
    try:
        while waiting or running:
            # A few tasks ahead of the workers, so that stopping has little to wait for.
            while waiting and len(running) < 2 * jobs:
                task = waiting.pop()
                running[pool.submit(_attempt, task)] = task
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=lambda future: running[future].number):
                task = running.pop(future)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    yield _Failure(task.number, task.seed, "Its process, or another's, was killed.")
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _start_worker() -> None:
    _end_on_interrupt()
    spare_the_collector()


def spare_the_collector() -> None:
    """Let the garbage collector look seldom, and never at what is loaded already.

    For processes that play games and nothing else: games make no cycles worth looking for.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _end_on_interrupt() -> None:
    """Workers end at once and silently on Ctrl-C; the main process tells the user."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _sum_up(
    reports: list[GameReport],
    bots: dict[str, str],
    sides: dict[str, str],
    game_id: str,
    seed: int,
    max_rounds: int,
    seconds: float,
) -> Summary:
    games = len(reports)
    wins = dict.fromkeys(dict.fromkeys(sides.values()), 0)
    for report in reports:
        if report.side:
            wins[report.side] = wins.get(report.side, 0) + 1
    lengths = [report.rounds for report in reports]
    decisions = sum(report.decisions for report in reports)
    finished = sum(report.winners is not None for report in reports)
    return Summary(
        game=game_id,
        bots=bots,
        seed=seed,
        max_rounds=max_rounds,
        games=games,
        finished=finished,
        draws=sum(report.winners == () for report in reports),
        unfinished=games - finished,
        wins=wins,
        shares={side: won / games for side, won in wins.items()},
        rounds=Rounds(min(lengths), sum(lengths) / games, max(lengths)),
        decisions=decisions,
        seconds=seconds,
        decisions_per_second=decisions / seconds,
        games_per_minute=60 * games / seconds,
    )
