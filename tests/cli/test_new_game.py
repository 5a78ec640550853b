"""`sandtable game new`: what it writes can be played, is tested, and keeps to our style."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.runner import refused

ROOT = Path(__file__).resolve().parents[2]
FULL = os.environ.get("SANDTABLE_FULL") == "1"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source checkout with a new game."""
    folder = tmp_path_factory.mktemp("checkout")
    leave = shutil.ignore_patterns("__pycache__", "static", "*.db")
    for part in ("src", "tests/conformance", "tests/kernel"):
        shutil.copytree(ROOT / part, folder / part, ignore=leave)
    for file in ("pyproject.toml", "tests/conftest.py"):
        shutil.copyfile(ROOT / file, folder / file)
    done = run(folder, "sandtable", "game", "new", "border_war", "--title", "Border War")
    assert "Border War is there" in done
    return folder


def run(folder: Path, *command: str) -> str:
    """What a module's command says in the checkout; it has to end well."""
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_every_rule_of_it_is_under_test(checkout: Path) -> None:
    said = run(checkout, "sandtable", "rules", "border_war")
    count = said.rsplit("rules under test: ", 1)[1].split()
    assert count[0] == count[2]
    assert "test: none" not in said and "code: none" not in said


def test_its_tests_and_the_suite_of_all_games_pass(checkout: Path) -> None:
    """The whole suite with SANDTABLE_FULL=1; else its golden playthrough, counts and pictures."""
    suite = ["tests/conformance"]
    if not FULL:
        suite = [f"tests/conformance/test_{name}.py" for name in ("golden", "counts", "journal")]
    run(checkout, "pytest", "-q", "-p", "no:cacheprovider", "tests/border_war")
    run(checkout, "pytest", "-q", "-p", "no:cacheprovider", "-k", "border_war", *suite)


def test_it_is_played_simulated_and_drawn(checkout: Path) -> None:
    assert "games of border_war" in run(checkout, "sandtable", "simulate", "border_war")
    assert "All is well." in run(checkout, "sandtable", "map", "check", "border_war")
    assert "Border War" in run(checkout, "sandtable", "games")


def test_it_is_in_our_style(checkout: Path) -> None:
    places = ("src/sandtable/games/border_war", "tests/border_war")
    run(checkout, "ruff", "check", *places)
    run(checkout, "ruff", "format", "--check", *places)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("Border War",), "'Border War' is no id"),
        (("a",), "'a' is no id"),
        (("aa1942", "--in", str(ROOT)), "aa1942 is there already"),
        (("border_war", "--in", "/"), "is no source checkout"),
    ],
)
def test_what_cannot_be_written_is_refused(arguments: tuple[str, ...], reason: str) -> None:
    assert reason in refused("game", "new", *arguments)
