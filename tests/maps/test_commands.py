"""`sandtable map`."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sandtable.cli.app import app


@pytest.mark.parametrize("game", ["aa1942", "blitz", "gw36"])
def test_map_check_says_how_the_borders_were_proven(game: str) -> None:
    result = CliRunner().invoke(app, ["map", "check", game])
    assert result.exit_code == 0
    assert "proven by a shared border" in result.output
    assert result.output.endswith("All is well.\n")


def test_map_draw_writes_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    result = CliRunner().invoke(app, ["map", "draw", "blitz", str(file), "--view", "europe"])
    assert result.exit_code == 0
    assert file.read_text(encoding="utf-8").startswith("<svg")


def test_an_unknown_view_is_named(tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    result = CliRunner().invoke(app, ["map", "draw", "blitz", str(file), "--view", "mars"])
    assert result.exit_code == 2
    assert "no view mars; there are: europe" in result.output
