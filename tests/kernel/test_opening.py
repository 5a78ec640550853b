"""Opening a game: its id, options, seed and position; each mistake has one clear error."""

from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import sandtable
from sandtable import OptionError, PositionError, UnknownGame
from sandtable.kernel import registry
from tests.conformance.driver import picture
from tests.kernel.toy import Done, Place, ToyRules

pytestmark = pytest.mark.usefixtures("toy")


def test_the_toy_is_among_the_games() -> None:
    assert "toy" in sandtable.game_ids()
    assert sandtable.game_ids() == sorted(sandtable.game_ids())


def test_an_added_game_is_found(toy: ToyRules) -> None:
    assert registry.find("toy") is toy


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("toi", r"no game 'toi'; there are: .*toy.*Did you mean toy\?"),
        ("aa1941", r"Did you mean aa1942\?"),
        ("zzzzzz", "no game 'zzzzzz'; there are"),
        ("", "no game ''"),
        ("sandtable.kernel", "no game"),
        ("../toy", "no game"),
        (None, "not by NoneType"),
        (["toy"], "not by list"),
    ],
)
def test_an_unknown_game(name: Any, reason: str) -> None:
    with pytest.raises(UnknownGame, match=reason):
        sandtable.new(name)


def test_a_far_name_has_no_hint() -> None:
    with pytest.raises(UnknownGame) as caught:
        sandtable.new("zzzzzz")
    assert "Did you mean" not in str(caught.value)


def test_options_have_defaults() -> None:
    assert sandtable.new("toy").options == {"rounds": 3, "cursed": False, "note": ""}
    game = sandtable.new("toy", options={"rounds": 1, "note": "x"})
    assert game.options == {"rounds": 1, "cursed": False, "note": "x"}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"round": 3}, r"no option 'round'; it has: cursed, note, rounds\."),
        ({"rounds": 4}, "rounds takes 1, 2, 3, 5, 40, not 4"),
        ({"rounds": "3"}, "not '3'"),
        ({"rounds": 3.0}, "not 3.0"),
        ({"rounds": True}, "not True"),
        ({"cursed": 1}, "cursed takes False, True, not 1"),
        ({"cursed": None}, "not None"),
        ({3: 3}, "no option 3"),
        (["rounds"], "mapping"),
        ("rounds", "mapping"),
    ],
)
def test_a_wrong_option(options: Any, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        sandtable.new("toy", options=options)


@pytest.mark.parametrize("seed", ["7", 7.0, True, [7], -1, 2**64])
def test_a_wrong_seed(seed: Any) -> None:
    with pytest.raises(OptionError, match="A seed is a whole number"):
        sandtable.new("toy", seed=seed)


def test_a_seed_of_numpy_is_a_seed(tmp_path: Path) -> None:
    game = sandtable.new("toy", seed=np.uint32(7))  # type: ignore[arg-type]
    assert game.dice == sandtable.SeededDice(7)
    game.save(tmp_path / "game.json")


@pytest.mark.parametrize("chance", ["random", None, True, "Explicit"])
def test_a_wrong_kind_of_chance(chance: Any) -> None:
    with pytest.raises(OptionError, match="'drawn' or 'explicit'"):
        sandtable.new("toy", chance=chance)


@pytest.mark.parametrize("entropy", ["ann", (1,), (None,), (b"ann",)])
def test_wrong_entropy(entropy: Any) -> None:
    with pytest.raises(OptionError, match="entropy"):
        sandtable.new("toy", entropy=entropy)


def test_without_a_seed_the_dice_are_committed() -> None:
    one, two = sandtable.new("toy", entropy=("ann",)), sandtable.new("toy", entropy=("ann",))
    assert isinstance(one.dice, sandtable.VerifiedDice)
    assert isinstance(two.dice, sandtable.VerifiedDice)
    assert one.dice.entropy == ("ann",)
    assert one.dice.commitment != two.dice.commitment
    assert one.hash == two.hash


# --- positions -----------------------------------------------------------------------------

POSITION = {"coins": {"red": 9}, "stones": {"north": {"red": 2, "blue": 1}}}


def test_a_position_from_a_mapping_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps(POSITION))
    (tmp_path / "p.yaml").write_text("coins: {red: 9}\nstones:\n  north: {red: 2, blue: 1}\n")
    games = [
        sandtable.new("toy", seed=1, position=position)
        for position in (
            POSITION,
            MappingProxyType(POSITION),
            tmp_path / "p.json",
            tmp_path / "p.yaml",
            str(tmp_path / "p.yaml"),
        )
    ]
    assert games[0].state.coins["red"] == 9
    assert games[0].state.stones["north"]["blue"] == 1
    assert all(picture(game) == picture(games[0]) for game in games)
    assert games[0].position == POSITION


def test_the_caller_keeps_its_position() -> None:
    position = {"coins": {"red": 9}}
    game = sandtable.new("toy", seed=1, position=position)
    game.submit("red", Place("north"))
    game.submit("red", Done())
    position["coins"]["red"] = 1
    assert game.position == {"coins": {"red": 9}}
    while game.version:
        game.undo()
    assert game.state.coins["red"] == 9


def test_a_missing_position_file(tmp_path: Path) -> None:
    with pytest.raises(PositionError, match="cannot be read: No such file"):
        sandtable.new("toy", position=tmp_path / "none.yaml")
    with pytest.raises(PositionError, match="cannot be read"):
        sandtable.new("toy", position=tmp_path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"coins: {red: 9\nstones: [", "line 2 is neither YAML nor JSON"),
        (b"a: b: c", "line 1 is neither"),
        (b"\xff\xfe\xfa\x00\x01", "neither YAML nor JSON"),
        (b"!!python/object:os.system {}", "neither YAML nor JSON"),
        (b"when: 2026-13-45", "neither YAML nor JSON"),
        (b"- red\n- blue\n", "A position is a mapping"),
        (b"red", "A position is a mapping"),
        (b"", "A position is a mapping"),
        (b"&a {coins: *a}", "only what JSON can"),
        (b"? [1, 2]\n: 3\n", "line 1 is neither"),
        (b"moon: 1", "no field 'moon'"),
        (b"coins: {red: many}", "does not fit"),
        (b"3: 4", "no field '3'"),
    ],
)
def test_a_bad_position_file(tmp_path: Path, text: bytes, reason: str) -> None:
    path = tmp_path / "position.yaml"
    path.write_bytes(text)
    with pytest.raises(PositionError, match=reason):
        sandtable.new("toy", position=path)


@pytest.mark.parametrize("position", [[], ["coins"], 7, True])
def test_a_position_is_a_mapping(position: Any) -> None:
    with pytest.raises(PositionError, match="mapping"):
        sandtable.new("toy", position=position)


@pytest.mark.parametrize("value", [object(), {(1, 2): 3}, print])
def test_a_position_holds_only_what_json_can(value: Any) -> None:
    with pytest.raises(PositionError, match="only what JSON can"):
        sandtable.new("toy", position={"coins": value})
