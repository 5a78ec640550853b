"""Simulations: many games, the same whatever the number of processes, and their summary."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable import Decision, Game, Request, SeededDice
from sandtable.bots import (
    MOST_ROUNDS,
    GameReport,
    GreedyBot,
    SimulationError,
    Summary,
    UnknownBot,
    play_one,
    seed_of_game,
    simulate,
    simulation,
)
from sandtable.games.aa1942 import RULES
from sandtable.kernel.errors import OptionError, SandtableError, UnknownGame
from tests.kernel.toy import ToyRules

TIMES = ("seconds", "decisions_per_second", "games_per_minute")


def without_times(summary: Summary) -> dict[str, object]:
    return {key: v for key, v in msgspec.to_builtins(summary).items() if key not in TIMES}


def test_results_do_not_depend_on_the_number_of_processes() -> None:
    alone: list[GameReport] = []
    together: list[GameReport] = []
    first = simulate("aa1942", 5, "random", 11, 1, 2, on_game=alone.append)
    second = simulate("aa1942", 5, "random", 11, 2, 2, on_game=together.append)
    assert without_times(first) == without_times(second)
    assert alone == sorted(together, key=lambda report: report.number)
    assert len({report.hash for report in alone}) == 5


def test_a_game_depends_on_its_number_only() -> None:
    few: list[GameReport] = []
    simulate("aa1942", 2, "random", 5, max_rounds=1, on_game=few.append)
    again = play_one("aa1942", seed_of_game(5, 1), "random", max_rounds=1, number=1)
    assert few[1] == again
    assert seed_of_game(5, 1) != seed_of_game(6, 1)


def test_data_files_of_ones_own_reach_every_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rules").mkdir()
    units = (RULES.folder / "data" / "units.yaml").read_text()
    (tmp_path / "rules" / "units.yaml").write_text(units.replace("cost: 3,", "cost: 2,"))
    monkeypatch.chdir(tmp_path)
    alone: list[GameReport] = []
    together: list[GameReport] = []
    as_printed: list[GameReport] = []
    for jobs, data, reports in (
        (1, Path("rules"), alone),
        (2, Path("rules"), together),
        (1, None, as_printed),
    ):
        simulate("aa1942", 2, "greedy", 3, jobs, 1, on_game=reports.append, data=data)
    assert alone == sorted(together, key=lambda report: report.number)
    assert alone != as_printed
    again = play_one("aa1942", seed_of_game(3, 1), max_rounds=1, number=1, data=Path("rules"))
    assert again == alone[1]


def test_a_folder_that_is_not_there_is_refused_before_the_first_game(tmp_path: Path) -> None:
    with pytest.raises(SandtableError, match="nowhere"):
        simulate("aa1942", 1, "random", data=tmp_path / "nowhere")


def test_the_sides_are_the_game_s_own(toy: ToyRules) -> None:
    state = sandtable.new("toy", seed=1).state
    assert toy.sides(state) == {power: power for power in toy.powers}
    sides = RULES.sides(sandtable.new("aa1942", seed=1).state)
    assert tuple(sides) == RULES.powers
    assert {power for power in sides if sides[power] == "axis"} == {"germany", "japan"}


def test_the_summary_counts() -> None:
    reports: list[GameReport] = []
    bots = {"axis": "greedy", "allies": "random"}
    summary = simulate("aa1942", 3, bots, 1, max_rounds=3, on_game=reports.append)
    assert summary.games == 3 == summary.finished + summary.unfinished
    assert summary.draws == 0
    assert sum(summary.wins.values()) == summary.finished
    assert set(summary.wins) == {"axis", "allies"}
    assert summary.shares["axis"] == pytest.approx(summary.wins["axis"] / 3)
    assert summary.bots["germany"] == "greedy"
    assert summary.bots["united_states"] == "random"
    lengths = [report.rounds for report in reports]
    assert (summary.rounds.min, summary.rounds.max) == (min(lengths), max(lengths))
    assert summary.rounds.mean == pytest.approx(sum(lengths) / 3)
    assert summary.decisions == sum(report.decisions for report in reports) > 0
    assert summary.decisions_per_second == pytest.approx(summary.decisions / summary.seconds)


def test_a_game_without_end_is_given_up_as_not_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random play need not end: without a limit of one's own there is one all the same."""
    seen: list[int | None] = []

    def play_out(*arguments: Any) -> None:
        seen.append(arguments[2])

    monkeypatch.setattr(simulation, "play_out", play_out)
    summary = simulate("aa1942", 1, "random", 1)
    assert seen == [MOST_ROUNDS] == [summary.max_rounds]
    assert (summary.finished, summary.unfinished) == (0, 1)


def test_the_summary_survives_json() -> None:
    summary = simulate("aa1942", 1, "random", 1, max_rounds=1)
    content = json.loads(summary.to_json())
    assert content["unfinished"] == 1
    assert content["rounds"] == {"min": 1, "mean": 1.0, "max": 1}
    assert msgspec.json.decode(summary.to_json(), type=Summary) == summary


def test_a_failing_game_names_the_seed_that_shows_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = seed_of_game(3, 1)

    def decide(
        bot: GreedyBot, game: Game, request: Request, budget: float | None = None
    ) -> Decision:
        assert isinstance(game.dice, SeededDice)
        if game.dice.seed == bad:
            raise ZeroDivisionError("no idea")
        return game.legal(request).sample(random.Random(1))

    monkeypatch.setattr(GreedyBot, "decide", decide)
    bots = {"germany": "greedy", "*": "random"}
    with pytest.raises(SimulationError, match="no idea") as error:
        simulate("aa1942", 3, bots, 3, max_rounds=1)
    assert (error.value.number, error.value.seed) == (1, bad)
    assert str(bad) in str(error.value)
    with pytest.raises(ZeroDivisionError):
        play_one("aa1942", bad, bots, max_rounds=1)


def test_a_failure_in_another_process_is_reported_alike(toy: ToyRules) -> None:
    """A game that only this process knows cannot be played by a worker."""
    with pytest.raises(SimulationError, match="There is no game 'toy'") as error:
        simulate("toy", 2, "random", 1, jobs=2, max_rounds=1)
    assert error.value.seed == seed_of_game(1, error.value.number)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"games": 0}, ValueError),
        ({"jobs": 0}, ValueError),
        ({"max_rounds": 0}, ValueError),
        ({"bots": "clever"}, UnknownBot),
        ({"bots": {"axis": "greedy"}}, UnknownBot),
        ({"game_id": "chess"}, UnknownGame),
        ({"options": {"cities": 14}}, OptionError),
    ],
)
def test_wrong_arguments_are_refused_before_the_first_game(
    changes: dict[str, object], error: type[Exception]
) -> None:
    arguments = {"game_id": "aa1942", "games": 1, "bots": "random", "jobs": 2, **changes}
    with pytest.raises(error):
        simulate(**arguments)  # type: ignore[arg-type]


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_ends_the_workers_too() -> None:
    script = (
        "import signal\n"
        "from sandtable.bots import simulate\n"
        "if __name__ == '__main__':\n"
        # Who is started in the background of a shell ignores Ctrl-C, and so would this process.
        "    signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "    try:\n"
        "        simulate('aa1942', 1000, 'random', jobs=2, max_rounds=20,\n"
        "                 on_game=lambda game: print('game', flush=True))\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted')\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    # Then its output ends, and we do not wait for it any more.
    late = threading.Timer(120, os.killpg, (process.pid, signal.SIGKILL))
    late.start()
    assert process.stdout is not None
    assert process.stdout.readline() == "game\n"
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate()
    late.cancel()
    assert out.endswith("interrupted\n")
    assert "Traceback" not in err
    until = time.monotonic() + 60
    with suppress(ProcessLookupError):
        while True:
            os.killpg(process.pid, 0)
            assert time.monotonic() < until, "a worker is still there"
            time.sleep(0.1)
