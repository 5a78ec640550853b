"""The command line, and what it shows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from sandtable import odds
from sandtable.odds.chart import compare, plot
from sandtable.odds.command import odds as command
from sandtable.odds.text import bar, percent, show

app = typer.Typer()
app.command()(command)
run = CliRunner()

LAND = ["aa1942", "--attack", "3 inf, 1 art, 2 tank, 1 ftr", "--defend", "4 inf, 1 art, 1 aaa"]


def test_the_answer_is_a_table_bars_and_advice() -> None:
    shown = run.invoke(app, LAND, env={"COLUMNS": "100"})
    assert shown.exit_code == 0, shown.output
    for part in ("The attacker wins", "85.1 %", "takes the territory", "Expected swing", "+4.8",
                 "Units left", "█", "By the value of the units", "exact"):  # fmt: skip
        assert part in shown.output, part


def test_json_has_the_promised_keys() -> None:
    shown = run.invoke(app, [*LAND, "--json"])
    data = json.loads(shown.stdout)
    for key in ("attacker_wins", "defender_wins", "draw", "takes_territory", "rounds",
                "attacker_left", "defender_left", "swing", "exact", "elapsed_ms"):  # fmt: skip
        assert key in data, key
    assert data["exact"] is True
    total = data["attacker_wins"] + data["defender_wins"] + data["draw"]
    assert total == pytest.approx(1)
    assert data["attacker_left"]["likeliest"][0]["probability"] > 0


def test_options_reach_the_engine() -> None:
    shown = run.invoke(
        app,
        ["aa1942", "--attack", "2 ss, 1 dd", "--defend", "1 dd, 1 ss", "--sea", "--retreat",
         "rounds:1", "--attack-order", "dd, ss", "--defend-subs", "submerge", "--json"],
    )  # fmt: skip
    data = json.loads(shown.stdout)
    same = odds.battle(
        "aa1942", "2 ss, 1 dd", "1 dd, 1 ss", sea=True, retreat=1, attack_order=["dd", "ss"],
        defend_subs="submerge",
    )  # fmt: skip
    assert data["retreats"] == pytest.approx(same.retreats)
    assert data["swing"] == pytest.approx(same.swing)


def test_a_landing_can_be_asked_for() -> None:
    shown = run.invoke(
        app,
        ["aa1942", "--attack", "1 fighter", "--defend", "2 infantry", "--landing",
         "2 infantry, 1 tank", "--fleet", "1 battleship", "--best", "--json"],
    )  # fmt: skip
    assert shown.exit_code == 0, shown.output
    assert json.loads(shown.stdout)["takes_territory"] > 0.5


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["aa1942", "--attack", "2 elves", "--defend", "1 infantry"], "There is no unit 'elves'."),
        (["aa1942", "--attack", "2 inf"], "The defender has no units."),
        (["chess", "--attack", "2 inf", "--defend", "1 inf"], "There is no game 'chess'"),
        ([*LAND, "--plot", "picture.doc"], "A picture is a .png, .svg or .pdf file"),
    ],
)
def test_errors_are_one_sentence(arguments: list[str], sentence: str) -> None:
    shown = run.invoke(app, arguments)
    assert shown.exit_code == 2
    assert sentence in shown.stderr
    assert len(shown.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_a_picture_is_written(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"odds.{suffix}"
    plot(odds.battle("aa1942", "3 infantry, 2 tank", "3 infantry"), path)
    begin = path.read_bytes()[:8]
    assert begin.startswith(b"\x89PNG" if suffix == "png" else b"<?xml")
    both = {
        order: odds.battle("aa1942", "2 infantry, 1 fighter", "2 infantry", attack_order=order)
        for order in ("cheapest", "weakest")
    }
    compare(both, path, "Two orders of loss")
    assert path.stat().st_size > 5000


def test_large_battles_are_shown_in_few_lines() -> None:
    console = Console(width=100, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    result = odds.battle("aa1942", "40 infantry, 20 tank", "45 infantry, 5 tank")
    show(result, ["An advice."], console)
    text = console.export_text()
    assert len(text.splitlines()) < 60
    assert "An advice." in text


def test_bars_and_percentages() -> None:
    assert bar(1, 4) == "████"
    assert bar(0.5, 4) == "██"
    assert bar(1 / 32, 4) == "▏"
    assert percent(0) == "0.0 %"
    assert percent(1) == "100.0 %"
    assert percent(1e-6) == "<0.1 %"
    assert percent(1 - 1e-6) == ">99.9 %"


def test_numba_is_imported_only_to_compile(tmp_path: Path) -> None:
    """Once the code is on disk, a start needs no Numba."""
    script = (
        "import sys; from sandtable import odds;"
        "r = odds.battle('aa1942', '2 infantry', '1 infantry');"
        "print(round(r.attacker_wins, 6), 'numba' in sys.modules)"
    )
    odds.battle("aa1942", "2 infantry", "1 infantry")
    shown = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert shown.stdout.split()[1] == "False"


def test_the_command_does_not_wait_for_what_it_does_not_need() -> None:
    """Neither for the game's rules nor, inside Typer, for pydantic: a start within half a second
    leaves no room for them."""
    code = (
        "import sys; from sandtable.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "wanted = 'pydantic', 'sandtable.games.aa1942.rules'\n"
        "print([name for name in wanted if name in sys.modules])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code, "odds", *LAND], capture_output=True, text=True, check=True
    )
    assert "The attacker wins" in shown.stdout
    assert shown.stdout.splitlines()[-1] == "[]"
