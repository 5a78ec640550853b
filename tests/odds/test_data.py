"""Odds follow the game's data: the user's files, and those that a game is played with."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import sandtable
from sandtable import odds
from sandtable.cli.app import app
from sandtable.games.aa1942 import RULES
from sandtable.games.aa1942.facts import DATA, load_facts
from sandtable.games.aa1942.odds.book import book, book_of
from sandtable.kernel.data import DataError
from sandtable.odds import OddsError

LAND = {
    "base": "empty",
    "turn": "germany",
    "phase": "conduct_combat",
    "units": {
        "karelia_ssr": {
            "germany": {"infantry": [{"count": 3, "used": 1, "origin": "baltic_states"}]},
            "soviet_union": {"infantry": 2},
        }
    },
    "control": {"karelia_ssr": "soviet_union", "baltic_states": "germany"},
}


def changed(folder: Path, *changes: tuple[str, str]) -> Path:
    """A folder with the game's units, in which something is put in place of something else."""
    text = (DATA / "units.yaml").read_text(encoding="utf-8")
    for old, new in changes:
        text, count = re.subn(old, new, text)
        assert count == 1, old
    (folder / "units.yaml").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def hard(tmp_path: Path) -> Path:
    """Infantry that always hits in defence."""
    return changed(tmp_path, (r"cost: 3, attack: 1, defense: 2", "cost: 3, attack: 1, defense: 6"))


def test_a_users_values_count_in_python(hard: Path) -> None:
    result = odds.battle("aa1942", "1 infantry", "1 infantry", data=hard)
    assert result.attacker_wins == 0
    assert result.draw == pytest.approx(1 / 6)
    assert odds.battle("aa1942", "1 infantry", "1 infantry").attacker_wins > 0.2
    many = odds.battles("aa1942", [{"attack": "1 infantry", "defend": "1 infantry", "data": hard}])
    assert many[0].draw == pytest.approx(1 / 6)
    best = odds.best("aa1942", "2 infantry", "1 infantry", goal="win", data=hard)
    assert best.default == pytest.approx(
        odds.battle("aa1942", "2 infantry", "1 infantry", data=hard).attacker_wins
    )


def test_a_users_values_count_on_the_command_line(hard: Path) -> None:
    asked = ["odds", "aa1942", "--attack", "1 inf", "--defend", "1 inf", "--json"]
    shown = CliRunner().invoke(app, [*asked, "--data", str(hard)])
    assert shown.exit_code == 0, shown.output
    assert json.loads(shown.stdout)["draw"] == pytest.approx(1 / 6)
    changed(hard, (r"attack: 1, defense: 2, move: 1", "attack: 1, defense: 7, move: 1"))
    odds.adapter("aa1942").questions.book.cache_clear()
    load_facts.cache_clear()
    shown = CliRunner().invoke(app, [*asked, "--data", str(hard)])
    assert shown.exit_code == 2
    assert len(shown.stderr.strip().splitlines()) == 1


def test_a_users_values_count_in_a_game_that_is_played(hard: Path) -> None:
    """The browser's odds and those in progress are those of the data the game is played with."""
    game = sandtable.new("aa1942", seed=1, position=LAND, data=hard)
    shown = RULES.odds(game, "karelia_ssr", None, "germany")
    said = odds.battle("aa1942", "3 infantry", "2 infantry", data=hard)
    plain = odds.battle("aa1942", "3 infantry", "2 infantry")
    while game.pending and game.pending[0].kind not in ("press_or_retreat", "choose_casualties"):
        request = game.pending[0]
        game.submit(request.power, next(iter(game.legal(request))))
    assert shown.win != pytest.approx(plain.attacker_wins)
    fresh = sandtable.new("aa1942", chance="explicit", position=LAND, data=hard)
    assert RULES.odds(fresh, "karelia_ssr", None, "germany").win == pytest.approx(
        said.attacker_wins
    )


def test_other_dice_are_rolled(tmp_path: Path) -> None:
    twelve = changed(tmp_path, (r"die: 6", "die: 12"))
    one = odds.battle("aa1942", "1 infantry", "1 infantry", retreat=1, data=twelve)
    assert one.defender_loss == pytest.approx(3 / 12)
    assert one.attacker_loss == pytest.approx(3 * 2 / 12)
    raid = odds.raid("aa1942", 1, ipc=10, data=twelve)
    assert raid.expected_damage == pytest.approx(11 / 12 * 6.5)


@pytest.mark.parametrize("rule", [1, "air"])
def test_artillery_supports_as_many_as_the_data_say(tmp_path: Path, rule: object) -> None:
    two = changed(tmp_path, (r"infantry_per_artillery: 1", "infantry_per_artillery: 2"))
    forces = "3 infantry, 1 artillery", "1 tank"
    both = odds.battle("aa1942", *forces, retreat=1, data=two)
    assert both.defender_loss == pytest.approx(6 * (1 - 5 / 6 * (4 / 6) ** 3))
    drawn = odds.adapter("aa1942")
    assert drawn.answer(drawn.question(*forces, retreat=1, data=two)).swing == both.swing
    for order in (["infantry", "artillery"], ["artillery", "infantry"]):
        asked = {"attack_order": order, "retreat": rule, "data": two}
        told = odds.battle("aa1942", *forces, **asked)
        assert told.probability.sum() == pytest.approx(1)


def test_ships_take_as_many_hits_as_the_data_say(tmp_path: Path) -> None:
    harder = changed(
        tmp_path,
        (r"(cost: 12, attack: 3, defense: 3, move: 2), hits: 1", r"\1, hits: 2"),
        (r"(cost: 20, attack: 4, defense: 4, move: 2), hits: 2", r"\1, hits: 1"),
    )
    one = odds.battle("aa1942", "1 cruiser", "1 battleship", retreat=1, data=harder)
    assert one.attacker_loss == 0
    assert one.defender_loss == pytest.approx(20 * 3 / 6)
    best = odds.best("aa1942", "1 cruiser", "1 battleship", data=harder)
    assert not best.optimal


def test_the_book_of_a_game_is_that_of_its_files() -> None:
    game = sandtable.new("aa1942", seed=1)
    ours, played = book(), book_of(game.state.facts)
    assert played.kinds == ours.kinds
    assert played.cost == ours.cost
    assert (played.attacking == ours.attacking).all()
    assert (played.defending == ours.defending).all()
    assert book_of(game.state.facts) is played


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises((DataError, OddsError)):
        odds.battle("aa1942", "1 infantry", "1 infantry", data=tmp_path / "nowhere")
