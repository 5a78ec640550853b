"""Saves: readable, whole or not at all, and refused with one clear sentence when they are bad."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable import SaveError, VerifiedDice
from sandtable.kernel import saves
from sandtable.kernel.game import Game, Rolled
from sandtable.kernel.savefile import checksum, written
from tests.conformance.driver import advance, picture
from tests.kernel.toy import POWERS, Bid, Curse, Done, Place, ToyRules

pytestmark = pytest.mark.usefixtures("toy")


def played(steps: int = 45, **arguments: Any) -> Game:
    """A game of some decisions, with rolls and a duel."""
    game = sandtable.new("toy", **{"seed": 3, "options": {"rounds": 5}, **arguments})
    return advance(game, random.Random(9), steps)


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    played().save(path)
    return path


def content(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def rewrite(path: Path, change: Callable[[dict[str, Any]], Any], *, sealed: bool) -> None:
    """Edit a save; `sealed` also makes the checksum fit, as somebody who cheats would."""
    raw = content(path)
    change(raw)
    if sealed:
        head = {
            k: v for k, v in raw.items() if k not in ("journal", "hash", "checksum", "snapshot")
        }
        journal = raw["journal"] if isinstance(raw["journal"], list) else []
        sealed = [head, raw["hash"]]
        raw["checksum"] = checksum(sealed, map(written, journal))
    path.write_text(json.dumps(raw), encoding="utf-8")


def rolls_in(raw: dict[str, Any]) -> list[dict[str, Any]]:
    return [entry for entry in raw["journal"] if "roll" in entry]


# --- round trip ----------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [0, 1, 13, 20, 45, 1000])
@pytest.mark.parametrize("chance", ["drawn", "explicit"])
def test_a_loaded_game_is_the_saved_one(tmp_path: Path, steps: int, chance: str) -> None:
    game = played(steps, chance=chance)
    game.save(tmp_path / "game.json")
    loaded = sandtable.load(tmp_path / "game.json")
    assert picture(loaded) == picture(game)
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == (tmp_path / "game.json").read_text()


@pytest.mark.parametrize("arguments", [{"seed": 3}, {"seed": None}, {"seed": 2**64 - 1}])
def test_a_loaded_game_goes_on_with_the_same_dice(tmp_path: Path, arguments: Any) -> None:
    game = played(25, **arguments)
    game.save(tmp_path / "game.json")
    loaded = sandtable.load(tmp_path / "game.json")
    for either in (game, loaded):
        advance(either, random.Random(1), 40)
    assert picture(loaded) == picture(game)


def test_a_loaded_game_can_be_undone_and_cloned(tmp_path: Path) -> None:
    game = played(40)
    game.save(str(tmp_path / "game.json"))
    loaded = sandtable.load(str(tmp_path / "game.json"))
    assert picture(advance(loaded.clone(), random.Random(1), 20)) == picture(
        advance(game.clone(), random.Random(1), 20)
    )
    while game.version:
        game.undo()
        loaded.undo()
        assert loaded.hash == game.hash
    assert picture(loaded) == picture(game)


@pytest.mark.parametrize("chance", ["drawn", "explicit"])
def test_replay_stops_after_any_number_of_entries(tmp_path: Path, chance: str) -> None:
    path = tmp_path / "game.json"
    game = played(60, chance=chance)
    game.save(path)
    journal = list(game.journal)
    for until in range(len(journal) + 1):
        shown = sandtable.replay(path, until)
        # Drawn dice belong to the decision before them.
        end = until
        while chance == "drawn" and end < len(journal) and isinstance(journal[end], Rolled):
            end += 1
        assert list(shown.journal) == journal[:end]
        assert shown.pending or shown.result
    assert picture(sandtable.replay(path)) == picture(game)


def test_a_replay_can_be_played_on(save: Path) -> None:
    game = sandtable.replay(save, 10)
    advance(game, random.Random(0), 1000)
    assert game.result is not None


@pytest.mark.parametrize("until", [-1, 10_000, "3", 1.5])
def test_replay_refuses_an_entry_that_is_not_there(save: Path, until: Any) -> None:
    with pytest.raises(SaveError, match="journal entries"):
        sandtable.replay(save, until)


def test_a_save_keeps_position_and_options(tmp_path: Path) -> None:
    position = {"coins": {"red": 9}, "stones": {"north": {"blue": 4}}}
    game = sandtable.new("toy", position=position, options={"rounds": 1, "note": "né"}, seed=1)
    position["coins"]["red"] = 0
    game.submit("red", Place("north"))
    game.save(tmp_path / "game.json")
    loaded = sandtable.load(tmp_path / "game.json")
    assert loaded.state.coins["red"] == 9
    assert loaded.options == {"rounds": 1, "cursed": False, "note": "né"}
    assert picture(loaded) == picture(game)


def test_a_save_of_half_answered_requests_goes_on(tmp_path: Path) -> None:
    game = sandtable.new("toy", seed=1)
    for power in POWERS:
        game.submit(power, Done())
    game.submit("white", Bid(2))
    game.save(tmp_path / "game.json")
    loaded = sandtable.load(tmp_path / "game.json")
    assert [request.power for request in loaded.pending] == ["red", "green", "blue"]
    for power in ("red", "green", "blue"):
        loaded.submit(power, Bid(0))
    assert loaded.state.leader == "white"


# --- the file ------------------------------------------------------------------------------


def test_a_save_is_readable(save: Path) -> None:
    lines = save.read_text(encoding="utf-8").splitlines()
    raw = content(save)
    assert lines[1] == '  "format": "sandtable save",'
    assert '  "game": "toy",' in lines
    at = lines.index('  "journal": [')
    assert at < 15
    for line, entry in zip(lines[at + 1 :], raw["journal"], strict=False):
        assert json.loads(line.rstrip(",")) == entry
    assert lines[at + 1].startswith('    {"by": "red", "kind": ')
    assert lines[at + 1 + len(raw["journal"])] == "  ],"


def test_a_failed_write_leaves_the_old_save_and_nothing_else(
    save: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = save.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SaveError, match="No space left on device"):
        played(50).save(save)
    assert save.read_bytes() == before
    assert list(save.parent.iterdir()) == [save]


def test_a_save_appears_whole_or_not_at_all(save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = save.read_bytes()
    seen = []
    replace = Path.replace

    def watched(self: Path, target: Path) -> Path:
        seen.append(save.read_bytes())
        assert content(self)["format"] == "sandtable save"
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", watched)
    played(50).save(save)
    assert seen == [before]
    assert save.read_bytes() != before
    assert list(save.parent.iterdir()) == [save]


def test_a_save_needs_a_place(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="No such file"):
        played(1).save(tmp_path / "nowhere" / "game.json")
    with pytest.raises(SaveError, match="name"):
        played(1).save("")
    with pytest.raises(SaveError, match="directory"):
        played(1).save(tmp_path)


# --- bad saves -----------------------------------------------------------------------------


READERS: list[Callable[[Path], object]] = [sandtable.load, sandtable.replay, sandtable.verify]
readers = pytest.mark.parametrize("read", READERS)


@readers
def test_a_missing_file(tmp_path: Path, read: Any) -> None:
    with pytest.raises(SaveError, match="cannot be read"):
        read(tmp_path / "none.json")
    with pytest.raises(SaveError, match="cannot be read"):
        read(tmp_path)


@readers
@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"dear diary",
        b"\xff\xfe\x00",
        b'{"format": "\xff"}',
        b'{"a": ' + b"[" * 100_000,
        b"{}}",
    ],
)
def test_a_file_that_is_not_json(tmp_path: Path, read: Any, text: bytes) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(text)
    with pytest.raises(SaveError, match="cut off or is not JSON"):
        read(path)


@readers
@pytest.mark.parametrize(
    "text", ["{}", "[]", "null", "3", '"sandtable save"', '{"format": "chess"}']
)
def test_json_that_is_not_a_save(tmp_path: Path, read: Any, text: str) -> None:
    path = tmp_path / "game.json"
    path.write_text(text)
    with pytest.raises(SaveError, match="not a Sandtable save"):
        read(path)


def test_a_truncated_save(save: Path) -> None:
    whole = save.read_bytes().rstrip()
    for length in range(0, len(whole), 101):
        save.write_bytes(whole[:length])
        with pytest.raises(SaveError, match="cut off"):
            sandtable.load(save)


@pytest.mark.parametrize("key", sorted(saves._FIELDS))
def test_a_missing_field(save: Path, key: str) -> None:
    rewrite(save, lambda raw: raw.pop(key), sealed=False)
    with pytest.raises(SaveError, match=f"no field '{key}'"):
        sandtable.load(save)


@readers
@pytest.mark.parametrize(
    ("key", "value"),
    [
        (key, value)
        for key, forms in sorted(saves._FIELDS.items())
        for value in (7, True, 1.5, [], {}, "x", None)
        if not isinstance(value, forms)
    ],
)
def test_a_field_of_the_wrong_form(save: Path, read: Any, key: str, value: object) -> None:
    rewrite(save, lambda raw: raw.update({key: value}), sealed=key != "checksum")
    with pytest.raises(SaveError, match=f"'{key}' has the wrong form"):
        read(save)


def test_a_later_format(save: Path) -> None:
    rewrite(save, lambda raw: raw.update(format_version=3), sealed=True)
    with pytest.raises(SaveError, match=r"save format 3.*update"):
        sandtable.load(save)


def test_an_earlier_format_that_was_never_released(save: Path) -> None:
    rewrite(save, lambda raw: raw.update(format_version=1), sealed=True)
    with pytest.raises(SaveError, match=r"save format 1.*reads 2.*no released version"):
        sandtable.load(save)


@pytest.mark.parametrize("version", [None, 0, -1, "1", 1.5])
def test_no_proper_format_version(save: Path, version: object) -> None:
    rewrite(save, lambda raw: raw.update(format_version=version), sealed=True)
    with pytest.raises(SaveError, match="which save format"):
        sandtable.load(save)


@pytest.mark.parametrize("version", ["1.3", "1.10", "2.0", "1.2.1"])
def test_later_rules(save: Path, version: str) -> None:
    rewrite(save, lambda raw: raw.update(rules_version=version), sealed=True)
    with pytest.raises(SaveError, match=rf"rules {version}.*update"):
        sandtable.load(save)


def test_rules_of_no_known_version(save: Path) -> None:
    rewrite(save, lambda raw: raw.update(rules_version="latest"), sealed=True)
    with pytest.raises(SaveError, match="not a version"):
        sandtable.load(save)


def test_a_save_of_earlier_rules_is_read(save: Path) -> None:
    rewrite(save, lambda raw: raw.update(rules_version="1.1"), sealed=True)
    assert sandtable.load(save).hash == played().hash


def test_a_game_that_is_not_installed(save: Path) -> None:
    rewrite(save, lambda raw: raw.update(game="tox"), sealed=True)
    with pytest.raises(SaveError, match=r"no game 'tox'.*Did you mean toy\?"):
        sandtable.load(save)


@pytest.mark.parametrize("key", sorted({*saves._FIELDS} - {"checksum", "journal", "rules_version"}))
def test_an_edit_breaks_the_checksum(save: Path, key: str) -> None:
    def change(raw: dict[str, Any]) -> None:
        if isinstance(raw[key], dict):
            raw[key]["edited"] = 1
        elif isinstance(raw[key], str):
            raw[key] += "x"
        else:
            raw[key] = {} if key == "position" else "x"

    rewrite(save, change, sealed=False)
    with pytest.raises(SaveError, match="was changed after it was written"):
        sandtable.load(save)


def test_every_edited_journal_entry_breaks_the_checksum(save: Path) -> None:
    original = save.read_text()
    for number in range(len(content(save)["journal"])):
        rewrite(save, lambda raw, number=number: raw["journal"].pop(number), sealed=False)
        with pytest.raises(SaveError, match="checksum"):
            sandtable.load(save)
        save.write_text(original)


@pytest.mark.parametrize(
    "entry",
    [None, 3, "x", [], {}, {"by": 3}, {"roll": [1]}, {"roll": "1", "sides": 6, "for": "x"}]
    + [{"roll": [1], "sides": sides, "for": "x"} for sides in (0, 1, -6, 257, 6.5, None)],
)
@readers
def test_an_entry_that_is_neither_decision_nor_roll(save: Path, read: Any, entry: object) -> None:
    rewrite(save, lambda raw: raw["journal"].insert(5, entry), sealed=True)
    with pytest.raises(SaveError, match=r"Journal entry 5 .* neither .* nor an edit"):
        read(save)


@pytest.mark.parametrize(
    "entry",
    [
        {"by": "red"},
        {"by": "red", "kind": "place", "field": "moon"},
        {"by": "purple", "kind": "done"},
        {"by": "red", "kind": "bid", "coins": 1},
        {"roll": [1], "sides": 6, "for": "luck"},
    ],
)
def test_a_cheating_entry_cannot_be_played(save: Path, entry: object) -> None:
    rewrite(save, lambda raw: raw["journal"].insert(0, entry), sealed=True)
    with pytest.raises(SaveError, match="Journal entry 0 cannot be played again"):
        sandtable.load(save)
    assert sandtable.verify(save).problem


def test_a_roll_that_the_rules_did_not_make(save: Path) -> None:
    extra = {"roll": [1], "sides": 6, "for": "luck"}
    rewrite(save, lambda raw: raw["journal"].append(extra), sealed=True)
    with pytest.raises(SaveError, match="do not make this roll"):
        sandtable.load(save)


@pytest.mark.parametrize("chance", ["drawn", "explicit"])
@pytest.mark.parametrize(("key", "value"), [("sides", 30), ("for", "luck"), ("roll", [1] * 9)])
def test_a_roll_for_something_else(tmp_path: Path, chance: str, key: str, value: Any) -> None:
    path = tmp_path / "game.json"
    played(60, chance=chance).save(path)
    rewrite(path, lambda raw: rolls_in(raw)[0].update({key: value}), sealed=True)
    with pytest.raises(SaveError, match="cannot be played again"):
        sandtable.load(path)


@pytest.mark.parametrize("shift", [-1, 1])
def test_a_roll_in_another_place(save: Path, shift: int) -> None:
    def change(raw: dict[str, Any]) -> None:
        journal = raw["journal"]
        at = next(n for n, entry in enumerate(journal) if "roll" in entry)
        journal.insert(at + shift, journal.pop(at))

    rewrite(save, change, sealed=True)
    with pytest.raises(SaveError, match="cannot be played again"):
        sandtable.load(save)


def test_a_missing_roll(save: Path) -> None:
    rewrite(save, lambda raw: raw["journal"].remove(rolls_in(raw)[-1]), sealed=True)
    with pytest.raises(SaveError, match="cannot be played again"):
        sandtable.load(save)


def test_an_option_that_is_not_there(save: Path) -> None:
    rewrite(save, lambda raw: raw["options"].update(moon=1), sealed=True)
    with pytest.raises(SaveError, match="no option 'moon'"):
        sandtable.load(save)


def test_a_position_that_cannot_be_set_up(save: Path) -> None:
    rewrite(save, lambda raw: raw.update(position={"moon": 1}), sealed=True)
    with pytest.raises(SaveError, match="no field 'moon'"):
        sandtable.load(save)


def test_a_journal_that_leads_elsewhere(save: Path) -> None:
    def change(raw: dict[str, Any]) -> None:
        entry = next(e for e in raw["journal"] if e.get("kind") == "place")
        entry["field"] = "east" if entry["field"] == "north" else "north"

    rewrite(save, change, sealed=True)
    with pytest.raises(SaveError):
        sandtable.load(save)


def test_a_position_other_than_it_was_saved_in(save: Path) -> None:
    rewrite(save, lambda raw: raw.update(hash="0" * 64), sealed=True)
    with pytest.raises(SaveError, match="does not lead to the position it was saved in"):
        sandtable.load(save)
    assert sandtable.replay(save).hash == played().hash


def test_a_game_whose_rules_fail_on_the_way(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    game = sandtable.new("toy", seed=1, options={"cursed": True})
    game.save(path)
    cursed = {"by": "red", "kind": Curse().kind}
    rewrite(path, lambda raw: raw["journal"].append(cursed), sealed=True)
    with pytest.raises(SaveError, match=r"Journal entry 0 .*"):
        sandtable.load(path)


# --- data files ----------------------------------------------------------------------------


def test_a_game_with_own_data_files_needs_them_again(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    (folder / "maps").mkdir(parents=True)
    (folder / "units.yaml").write_text("a: 1")
    path = tmp_path / "game.json"
    sandtable.new("toy", seed=1, data=folder).save(path)
    assert sandtable.load(path, data=folder).data == folder
    with pytest.raises(SaveError, match="data"):
        sandtable.load(path)
    (folder / "units.yaml").write_text("a: 2")
    with pytest.raises(SaveError, match="other data files"):
        sandtable.load(path, data=folder)
    with pytest.raises(SaveError, match="cannot be read"):
        sandtable.load(path, data=tmp_path / "nowhere")


# --- verify --------------------------------------------------------------------------------


@pytest.fixture
def verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "verified.json"
    with monkeypatch.context() as fixed:
        fixed.setattr("secrets.token_hex", lambda size: "5e" * size)
        game = sandtable.new("toy", options={"rounds": 5}, entropy=("ann", "bob"))
    advance(game, random.Random(1), 60).save(path)
    return path


def test_an_honest_game_is_verified(verified: Path) -> None:
    game = sandtable.load(verified)
    found = sandtable.verify(verified)
    assert found.ok
    assert found.problem == ""
    assert (found.game, found.dice) == ("toy", "verified")
    assert found.rolls == sum(isinstance(entry, Rolled) for entry in game.journal) > 3
    assert found.decisions == 60
    assert isinstance(game.dice, VerifiedDice)
    assert found.commitment == game.dice.commitment
    assert game.dice.entropy == ("ann", "bob")


def test_seeded_and_explicit_games_say_so(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    played(60).save(path)
    assert (sandtable.verify(path).ok, sandtable.verify(path).dice) == (True, "seeded")
    played(60, chance="explicit").save(path)
    assert (sandtable.verify(path).ok, sandtable.verify(path).dice) == (True, "explicit")


def test_verify_catches_every_edited_roll(verified: Path) -> None:
    original = verified.read_text()
    for number in range(len(rolls_in(content(verified)))):

        def change(raw: dict[str, Any], number: int = number) -> None:
            roll = rolls_in(raw)[number]
            roll["roll"][0] = roll["roll"][0] % roll["sides"] + 1

        rewrite(verified, change, sealed=False)
        with pytest.raises(SaveError, match="checksum"):
            sandtable.verify(verified)
        verified.write_text(original)
        rewrite(verified, change, sealed=True)
        assert sandtable.verify(verified).problem.startswith(f"Roll {number + 1} (")
        verified.write_text(original)


def test_verify_catches_an_edited_decision(verified: Path) -> None:
    def change(raw: dict[str, Any]) -> None:
        entry = next(e for e in raw["journal"] if e.get("kind") == "place")
        entry["field"] = "east" if entry["field"] == "north" else "north"

    rewrite(verified, change, sealed=True)
    found = sandtable.verify(verified)
    assert not found.ok


def test_verify_catches_a_wrong_hash(verified: Path) -> None:
    rewrite(verified, lambda raw: raw.update(hash="0" * 64), sealed=True)
    assert "do not lead to the position" in sandtable.verify(verified).problem


@pytest.mark.parametrize("change", [{"secret": "0" * 64}, {"game": "another"}, {"commitment": ""}])
def test_verify_catches_a_secret_that_was_not_committed_to(verified: Path, change: Any) -> None:
    rewrite(verified, lambda raw: raw["dice"].update(change), sealed=True)
    assert "commitment" in sandtable.verify(verified).problem
    with pytest.raises(SaveError, match="commitment"):
        sandtable.load(verified)


def test_verify_catches_other_entropy(verified: Path) -> None:
    rewrite(verified, lambda raw: raw["dice"].update(entropy=["ann", "eve"]), sealed=True)
    assert sandtable.verify(verified).problem.startswith("Roll 1 ")


def test_another_secret_has_another_commitment(verified: Path) -> None:
    """Whoever rewrites everything, the commitment included, has published another one before."""
    published = sandtable.verify(verified).commitment
    other = VerifiedDice.fresh(("ann", "bob"))
    rewrite(verified, lambda raw: raw.update(dice=other.header()), sealed=True)
    assert sandtable.verify(verified).commitment != published


def test_the_toy_has_a_version_to_compare(toy: ToyRules) -> None:
    assert saves._version_number(toy.version) == (1, 2)
