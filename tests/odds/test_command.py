"""The command line, and what it shows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from sandtable import odds
from sandtable.cli.app import app
from sandtable.odds import compiled
from sandtable.odds.chart import compare, plot
from sandtable.odds.text import bar, draw, percent

run = CliRunner()

ODDS = ["odds", "aa1942"]
LAND = [*ODDS, "--attack", "3 inf, 1 art, 2 tank, 1 ftr", "--defend", "4 inf, 1 art, 1 aaa"]


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
        [*ODDS, "--attack", "2 ss, 1 dd", "--defend", "1 dd, 1 ss", "--sea", "--retreat",
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
        [*ODDS, "--attack", "1 fighter", "--defend", "2 infantry", "--landing",
         "2 infantry, 1 tank", "--fleet", "1 battleship", "--best", "--json"],
    )  # fmt: skip
    assert shown.exit_code == 0, shown.output
    assert json.loads(shown.stdout)["takes_territory"] > 0.5


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            [*ODDS, "--attack", "2 elves", "--defend", "1 infantry"],
            "There is no unit 'elves'.",
        ),
        ([*ODDS, "--attack", "2 inf"], "The defender has no units."),
        (["odds", "chess", "--attack", "2 inf", "--defend", "1 inf"], "There is no game 'chess'"),
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
    draw(result, ["An advice."], console)
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
        [sys.executable, "-c", code, *LAND], capture_output=True, text=True, check=True
    )
    assert "The attacker wins" in shown.stdout
    assert shown.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("kernel", ["line", "layers", "many", "sample", "choice"])
def test_compiled_code_is_kept_by_all_that_it_was_made_from(kernel: str, tmp_path: Path) -> None:
    """Every module of ours that a kernel brings along is part of its key."""
    code = (
        f"import sys; before = set(sys.modules); import sandtable.odds.{kernel}\n"
        "print(*(m for m in set(sys.modules) - before if m.startswith('sandtable.odds.')))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    made_from = set(shown.stdout.split()) - {"sandtable.odds.asking", "sandtable.odds.errors"}
    assert made_from <= set(compiled.sources(f"sandtable.odds.{kernel}"))


def test_another_source_or_version_is_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    first = compiled._object_path("sandtable.odds.line")
    assert compiled._object_path("sandtable.odds.line") == first
    read = Path.read_bytes
    changed = {"hits.py": b"# changed\n"}
    monkeypatch.setattr(Path, "read_bytes", lambda p: read(p) + changed.get(p.name, b""))
    second = compiled._object_path("sandtable.odds.line")
    monkeypatch.setattr(Path, "read_bytes", read)
    monkeypatch.setattr("numpy.__version__", "0")
    third = compiled._object_path("sandtable.odds.line")
    monkeypatch.undo()
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_name", lambda: "another")
    assert len({first, second, third, compiled._object_path("sandtable.odds.line")}) == 4
