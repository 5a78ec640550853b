"""`sandtable data check`: what a folder of data files holds, or what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.cli.data import _tables
from sandtable.games.blitz import Blitz
from sandtable.games.blitz.facts import DATA
from tests.cli.runner import refused, run


@pytest.fixture
def charts(tmp_path: Path) -> Path:
    """A folder with a copy of Blitz!'s charts, a file that no other game has."""
    (tmp_path / "charts.yaml").write_bytes((DATA / "charts.yaml").read_bytes())
    return tmp_path


@pytest.mark.parametrize("game", ["aa1942", "blitz"])
def test_our_own_data_are_well(game: str) -> None:
    result = run("data", "check", game)
    assert result.exit_code == 0, result.output
    assert "map.yaml" in result.stdout
    assert "All is well" in result.stdout
    assert game != "aa1942" or "All is well: 4 set-ups" in result.stdout


def test_a_set_up_that_cannot_be_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Blitz, "audit", lambda rules, state: ["A fleet lies on dry land."])
    said = refused("data", "check", "blitz")
    assert said.endswith("at the start: A fleet lies on dry land.")


def test_tables_are_shown_with_their_provenance(charts: Path) -> None:
    said = run("data", "check", str(charts)).stdout
    assert f"charts.yaml, from {charts / 'charts.yaml'}" in said
    assert "combat_chart          30 rows   reconstructed" in said
    assert "blitz: Blitz! A World in Conflict" in said


def test_a_single_value_is_shown_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "hexes.yaml"
    file.write_text("die: 12\nrows: {a: 1}\nprovenance: {die: rules}\n", encoding="utf-8")
    assert _tables(file) == [
        "die                 12          rules",
        "rows                   1 row",
    ]


def test_an_error_names_file_line_and_field(charts: Path) -> None:
    file = charts / "charts.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("  12: ['1', '1', 1S, 1L, '2', 2S]\n", ""), encoding="utf-8")
    said = refused("data", "check", str(charts))
    assert said.startswith("charts.yaml, line ")
    assert said.endswith("combat_chart[12]: missing")


def test_the_game_is_asked_for_where_names_fit_several(tmp_path: Path) -> None:
    (tmp_path / "units.yaml").write_bytes((DATA / "units.yaml").read_bytes())
    assert "add --game aa1942" in refused("data", "check", str(tmp_path))
    assert run("data", "check", str(tmp_path), "--game", "blitz").exit_code == 0
    assert "units.yaml" in refused("data", "check", str(tmp_path), "--game", "aa1942")


def test_strange_folders_are_refused(tmp_path: Path) -> None:
    assert "neither a game nor a folder" in refused("data", "check", "chess")
    assert "has no files" in refused("data", "check", str(tmp_path))
    (tmp_path / "rules.doc").write_text("")
    assert "rules.doc is no data file" in refused("data", "check", str(tmp_path))


def test_a_data_folder_is_played_with(charts: Path) -> None:
    file = charts / "charts.yaml"
    always = "['-', '-', '-', '-', '-', '-']"
    text = file.read_text(encoding="utf-8")
    rows = [
        f"  {line.split(':')[0].strip()}: {always}"
        if line.strip()[:1].isdigit() and "[" in line
        else line
        for line in text.splitlines()
    ]
    file.write_text("\n".join(rows), encoding="utf-8")
    result = run("simulate", "blitz", "--games", "2", "--bots", "random", "--data", str(charts))
    assert result.exit_code == 0, result.output
