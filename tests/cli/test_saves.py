"""Replaying and verifying saves: good, cut off, edited, and from the future."""

import json
import random
from pathlib import Path

import pytest

import sandtable
from tests.cli.runner import refused, run


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random game of 150 decisions, in a file."""
    game = sandtable.new("aa1942", seed=11)
    rng = random.Random(11)
    for _ in range(150):
        request = game.pending[0]
        game.submit(request.power, game.legal(request).sample(rng))
    path = tmp_path_factory.mktemp("saves") / "game.json"
    game.save(path)
    return path


def edited(path: Path, tmp_path: Path, **fields: object) -> str:
    content = json.loads(path.read_text(encoding="utf-8")) | fields
    copy = tmp_path / "edited.json"
    copy.write_text(json.dumps(content), encoding="utf-8")
    return str(copy)


def test_replay_tells_the_game_and_where_it_stands(saved: Path) -> None:
    result = run("replay", str(saved))
    assert result.exit_code == 0
    assert "The Soviet Union bought" in result.output
    assert "Victory cities" in result.output
    length = len(json.loads(saved.read_text(encoding="utf-8"))["journal"])
    assert f"After {length} decisions and rolls" in result.output


def test_replay_until(saved: Path) -> None:
    result = run("replay", str(saved), "--until", "0")
    assert "bought" not in result.output
    assert "After 0 decisions and rolls" in result.output
    assert "Soviet Union: Purchase units. The Soviet Union has 24 IPCs" in result.output


def test_replay_past_the_end(saved: Path) -> None:
    assert "there is no entry 99999" in refused("replay", str(saved), "--until", "99999")
    assert "there is no entry -1" in refused("replay", str(saved), "--until", "-1")


def test_verify_holds(saved: Path) -> None:
    result = run("verify", str(saved))
    assert result.exit_code == 0
    assert "150 decisions of aa1942 are legal" in result.stdout
    assert "from its seed" in result.stdout


def test_verify_shows_what_the_dice_were_committed_to(tmp_path: Path) -> None:
    game = sandtable.new("aa1942")
    game.save(tmp_path / "fresh.json")
    result = run("verify", str(tmp_path / "fresh.json"))
    assert result.exit_code == 0
    assert f"commitment: {game.dice.commitment}" in result.stdout


def test_verify_finds_a_wrong_die(saved: Path, tmp_path: Path) -> None:
    game = sandtable.load(saved)
    game.dice = sandtable.SeededDice(12)
    game.save(tmp_path / "other.json")
    result = run("verify", str(tmp_path / "other.json"))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "does not hold: Roll 1 " in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", [["replay"], ["verify"], ["play", "--load"]])
def test_a_bad_save_gets_one_sentence(saved: Path, tmp_path: Path, command: list[str]) -> None:
    cut = tmp_path / "cut.json"
    cut.write_bytes(saved.read_bytes()[:-200])
    assert "is not a complete save" in refused(*command, str(cut))
    other = edited(saved, tmp_path, journal=[])
    assert "was changed after it was written" in refused(*command, other)
    future = edited(saved, tmp_path, format_version=99)
    assert "has save format 99" in refused(*command, future)
    alien = edited(saved, tmp_path, format="a letter")
    assert "is not a Sandtable save" in refused(*command, alien)
    assert "played with other data files" in refused(*command, str(saved), "--data", str(tmp_path))


def test_a_save_of_another_game_or_with_options(saved: Path) -> None:
    assert "holds a game of aa1942, not of chess" in refused("play", "chess", "--load", str(saved))
    assert "has its options already" in refused("play", "--load", str(saved), "-o", "cities=13")
