"""Every save ever written by a release replays to the same position."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sandtable

FOLDER = Path(__file__).parent / "saves"
SAVES = sorted(FOLDER.glob("*.json"))


def test_there_are_saves() -> None:
    assert SAVES


@pytest.mark.parametrize("path", SAVES, ids=lambda path: path.stem)
def test_a_save_leads_to_the_position_it_was_written_in(path: Path) -> None:
    written = json.loads(path.read_text(encoding="utf-8"))
    game = sandtable.load(path)
    assert game.hash == written["hash"]
    assert game.version == len(written["journal"])
    assert game.rules.audit(game.state) == []


@pytest.mark.parametrize("path", SAVES, ids=lambda path: path.stem)
def test_a_save_is_verified(path: Path) -> None:
    found = sandtable.verify(path)
    assert found.ok, found.problem


@pytest.mark.parametrize("path", SAVES, ids=lambda path: path.stem)
def test_a_save_is_written_again_to_the_letter(path: Path, tmp_path: Path) -> None:
    sandtable.load(path).save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == path.read_text()
