"""Data folders of the user, and the announced wait before greedy bots play for the first time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sandtable.cli.bots import make_ready
from sandtable.games.aa1942 import RULES
from sandtable.games.aa1942.facts import DATA
from sandtable.odds import compiled
from tests.cli.runner import refused, run


def test_simulate_takes_a_data_folder(tmp_path: Path) -> None:
    text = (DATA / "setup.yaml").read_text(encoding="utf-8")
    assert text.count("soviet_union: 24") == 2
    (tmp_path / "setup.yaml").write_text(text.replace("soviet_union: 24", "soviet_union: 0"))
    arguments = ("simulate", "aa1942", "--games", "1", "--bots", "random", "--max-rounds", "1")
    plain, poor = (
        json.loads(run(*arguments, "--json", *more).stdout)
        for more in ((), ("--data", str(tmp_path)))
    )
    assert plain["decisions"] != poor["decisions"]


def test_simulate_refuses_a_folder_that_is_not_there(tmp_path: Path) -> None:
    said = refused("simulate", "aa1942", "--games", "1", "--data", str(tmp_path / "nowhere"))
    assert "nowhere" in said


def test_the_wait_is_announced_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compiling: list[str] = []

    def kernel(name: str) -> None:
        for tell in compiled.on_compile:
            tell()
        compiling.append(name)

    monkeypatch.setattr(compiled, "kernel", kernel)
    make_ready(RULES, "random")
    assert compiling == []
    make_ready(RULES, "axis=greedy,allies=random")
    assert compiling == ["sandtable.odds.line", "sandtable.odds.layers"]
    assert capsys.readouterr().err.count("Compiling") == 1
