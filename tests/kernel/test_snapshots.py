"""Opening a long game from the snapshot in its save, and what a snapshot cannot do."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sandtable
from sandtable.kernel import saves
from sandtable.kernel.game import _KEEP_EVERY, Game
from sandtable.kernel.savefile import checksum, written
from sandtable.kernel.snapshots import Misfit, Snapshot
from tests.conformance.driver import advance, picture
from tests.kernel.toy import POWERS, ToyRules

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture(params=["drawn", "explicit"])
def game(toy: ToyRules, request: pytest.FixtureRequest) -> Game:
    """A game of some hundred entries, in the middle of a duel."""
    chance = request.param
    game = sandtable.new("toy", seed=5, options={"rounds": 40}, chance=chance)
    advance(game, random.Random(5), 500)
    while game.pending[0].kind != "choose_losses":
        advance(game, random.Random(5), 1)
    assert game.version > 3 * _KEEP_EVERY
    return game


@pytest.fixture
def path(game: Game, tmp_path: Path) -> Path:
    game.save(tmp_path / "game.json")
    return tmp_path / "game.json"


def not_run(game: Game) -> bool:
    """Whether a game was opened from a snapshot, and what came before has not been run."""
    return game.past is not None and game.past._game is None


def changed(path: Path, change: Callable[[dict[str, Any]], None], *, sign: bool = True) -> Path:
    """The save with a change, and with checksums to fit, as somebody would write it who means to
    deceive."""
    save = json.loads(path.read_text())
    change(save)
    if sign:
        body = ("journal", "hash", "checksum", "snapshot")
        head = {key: value for key, value in save.items() if key not in body}
        save["checksum"] = checksum([head, save["hash"]], map(written, save["journal"]))
        content = {key: value for key, value in save["snapshot"].items() if key != "checksum"}
        snapshot = msgspec.convert(content, Snapshot)
        save["snapshot"]["checksum"] = checksum([save["checksum"], snapshot])
    path.write_text(json.dumps(save))
    return path


def test_a_long_game_is_taken_up_from_its_snapshot(game: Game, path: Path) -> None:
    loaded = sandtable.load(path)
    assert not_run(loaded)
    assert game.version - 2 * _KEEP_EVERY <= loaded.journal.at_hand < game.version
    assert (loaded.hash, loaded.version, loaded.pending) == (game.hash, game.version, game.pending)
    assert len(loaded.events) == len(game.events)
    for either in (loaded, game):
        advance(either, random.Random(1), 30)
    assert not_run(loaded)
    assert loaded.hash == game.hash
    assert loaded.events.since(len(loaded.events) - 9) == game.events.since(len(game.events) - 9)
    assert not_run(loaded)
    assert picture(loaded) == picture(game)


def test_a_short_game_has_no_snapshot(tmp_path: Path) -> None:
    game = advance(sandtable.new("toy", seed=1), random.Random(1), 30)
    game.save(tmp_path / "game.json")
    assert "snapshot" not in json.loads((tmp_path / "game.json").read_text())
    assert sandtable.load(tmp_path / "game.json").past is None


def test_what_came_before_the_snapshot_is_there_when_it_is_asked_for(
    game: Game, path: Path
) -> None:
    assert list(sandtable.load(path).events) == list(game.events)
    assert list(sandtable.load(path).journal) == list(game.journal)
    assert sandtable.load(path).journal[3] == game.journal[3]
    assert sandtable.load(path).events[-len(game.events)] == game.events[0]
    assert sandtable.load(path).journal.since(7) == game.journal.since(7)
    assert sandtable.load(path).events.upto(9).since(2) == game.events.upto(9).since(2)
    assert picture(sandtable.load(path).at(0)) == picture(game.at(0))
    loaded = sandtable.load(path)
    assert picture(loaded.at(loaded.journal.at_hand // 2)) == picture(
        game.at(loaded.journal.at_hand // 2)
    )
    assert not_run(loaded) is False
    assert sandtable.replay(path, 40).hash == game.at(sandtable.replay(path, 40).version).hash


def test_undo_leads_across_the_snapshot_to_the_start(game: Game, path: Path) -> None:
    loaded = sandtable.load(path)
    clone = loaded.clone()
    while game.version:
        ahead = game.version > loaded.journal.at_hand
        game.undo()
        loaded.undo()
        if game.version % 10 == 0:
            assert (loaded.hash, len(loaded.events)) == (game.hash, len(game.events))
            assert not ahead or loaded.past is None or loaded.version >= loaded.journal.at_hand
    assert picture(loaded) == picture(game)
    with pytest.raises(sandtable.IllegalDecision):
        loaded.undo()
    entries = clone.version
    for _ in range(300):
        clone.undo()
    assert clone.version < entries
    assert picture(clone) == picture(sandtable.load(path).at(clone.version))


def test_a_loaded_game_is_saved_without_running_what_came_before(path: Path) -> None:
    text = path.read_text()
    loaded = sandtable.load(path)
    loaded.save(path)
    assert not_run(loaded)
    assert path.read_text() == text


def test_a_save_may_be_laid_out_otherwise(game: Game, path: Path) -> None:
    text = path.read_text()
    path.write_text(json.dumps(json.loads(text), indent=3))
    loaded = sandtable.load(path)
    assert not_run(loaded)
    loaded.save(path)
    assert path.read_text() == text
    assert picture(loaded) == picture(game)


def test_a_snapshot_can_be_dropped(game: Game, path: Path) -> None:
    save = json.loads(path.read_text())
    del save["snapshot"]
    path.write_text(json.dumps(save))
    assert sandtable.verify(path).ok
    loaded = sandtable.load(path)
    assert loaded.past is None
    assert picture(loaded) == picture(game)


def test_the_whole_journal_is_run_for_who_does_not_trust_the_file(game: Game, path: Path) -> None:
    loaded = sandtable.load(path, whole=True)
    assert loaded.past is None
    assert picture(loaded) == picture(game)


def richer(save: dict[str, Any]) -> None:
    save["snapshot"]["state"]["coins"]["red"] += 1


def cut(save: dict[str, Any]) -> None:
    save["snapshot"]["length"] -= 1


def luckier(save: dict[str, Any]) -> None:
    save["snapshot"]["rolls"] += 1


def strange(save: dict[str, Any]) -> None:
    save["snapshot"]["state"]["colour"] = 1


def mistaken(save: dict[str, Any]) -> None:
    save["snapshot"]["state"]["stones"]["north"] = []


def elsewhere(save: dict[str, Any]) -> None:
    save["snapshot"]["state"]["phase"] = "bid"


def nowhere(save: dict[str, Any]) -> None:
    save["snapshot"]["state"]["stones"] = {}


def quieter(save: dict[str, Any]) -> None:
    save["snapshot"]["events"] -= 1


def endless(save: dict[str, Any]) -> None:
    save["snapshot"]["length"] = 10**6


@pytest.mark.parametrize("sign", [False, True])
@pytest.mark.parametrize("change", [richer, cut, strange, mistaken, elsewhere, nowhere, endless])
def test_a_snapshot_that_does_not_fit_is_ignored(
    change: Callable[[dict[str, Any]], None], sign: bool, game: Game, path: Path
) -> None:
    changed(path, change, sign=sign)
    loaded = sandtable.load(path)
    assert loaded.past is None
    assert picture(loaded) == picture(game)
    assert "snapshot" in sandtable.verify(path).problem


def test_a_snapshot_that_was_changed_is_ignored_whatever_was_changed(
    game: Game, path: Path
) -> None:
    changed(path, quieter, sign=False)
    loaded = sandtable.load(path)
    assert loaded.past is None
    assert picture(loaded) == picture(game)


@pytest.mark.parametrize("given", [None, [], {}, "state", 7, {"checksum": "", "length": 1}])
def test_a_snapshot_that_is_none_is_ignored(given: Any, game: Game, path: Path) -> None:
    save = json.loads(path.read_text())
    path.write_text(json.dumps({**save, "snapshot": given}))
    assert sandtable.load(path).hash == game.hash
    assert "snapshot" in sandtable.verify(path).problem


def test_a_snapshot_of_another_game_is_ignored(game: Game, path: Path, tmp_path: Path) -> None:
    other = sandtable.new("toy", seed=6, options={"rounds": 40})
    advance(other, random.Random(6), 500).save(tmp_path / "other.json")
    stolen = json.loads((tmp_path / "other.json").read_text())["snapshot"]
    path.write_text(json.dumps({**json.loads(path.read_text()), "snapshot": stolen}))
    assert sandtable.load(path).past is None
    assert not sandtable.verify(path).ok


class Whatever(str):
    """A hash that is equal to all."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


def plausible(path: Path) -> tuple[str, str]:
    """Write a position into the save that nobody came to, but from which all that was decided since
    could have been; who has more stones in the north, and the hash in the end."""
    true = path.read_text()
    for power in POWERS:

        def more(save: dict[str, Any], power: str = power) -> None:
            save["snapshot"]["state"]["stones"]["north"][power] += 1

        path.write_text(true)
        changed(path, more)
        _, save = saves._read(path, None)
        game = saves._taken_up({**save, "hash": Whatever()}, None)
        if game is not None:  # The decisions since are still legal.
            return power, game.hash
    raise AssertionError("nobody can have more")


def forged(path: Path) -> str:
    """The same, with everything else so that it fits; who has more stones."""
    power, hash = plausible(path)
    changed(path, lambda save: save.update(hash=hash))
    return power


def test_a_snapshot_that_does_not_lead_to_the_hash_is_ignored(game: Game, path: Path) -> None:
    plausible(path)
    loaded = sandtable.load(path)
    assert loaded.past is None
    assert picture(loaded) == picture(game)


def test_a_forged_position_is_found_out_by_all_who_look_at_the_journal(
    game: Game, path: Path
) -> None:
    power = forged(path)
    loaded = sandtable.load(path)
    assert loaded.state.stones["north"][power] == game.state.stones["north"][power] + 1
    assert not sandtable.verify(path).ok
    with pytest.raises(sandtable.SaveError, match="does not lead to the position"):
        sandtable.load(path, whole=True)
    before = loaded.hash, loaded.version
    with pytest.raises(Misfit):
        list(loaded.events)
    with pytest.raises(Misfit):
        loaded.at(0)
    with pytest.raises(Misfit):
        for _ in range(300):
            before = loaded.hash, loaded.version
            loaded.undo()
    assert (loaded.hash, loaded.version) == before
    advance(loaded, random.Random(2), 3)  # It goes on as it was.
    assert sandtable.replay(path).hash == game.hash


@pytest.mark.parametrize("change", [quieter, luckier])
def test_a_forged_number_of_events_or_rolls_is_found_out(
    change: Callable[[dict[str, Any]], None], game: Game, path: Path
) -> None:
    changed(path, change)
    assert "snapshot" in sandtable.verify(path).problem
    with pytest.raises(Misfit):
        list(sandtable.load(path).events)


def test_the_present_position_is_a_snapshot_only_where_it_is_complete() -> None:
    game = sandtable.new("toy", seed=3, options={"rounds": 40})
    rng = random.Random(3)
    kinds: dict[bool, set[str]] = {True: set(), False: set()}
    for _ in range(300):
        taken = game.snapshot_now()
        kinds[taken is not None] |= {request.kind for request in game.pending}
        if taken is not None:
            assert (taken.length, taken.events) == (game.version, len(game.events))
            assert taken.state == game.state.plain()
        advance(game, rng, 1)
    assert kinds[True] == {"place_stones", "make_bid", "choose_rival"}
    # While some have bid and others not, the bids are not in the state.
    assert kinds[False] >= {"make_bid", "choose_losses", "take_stance", "press_or_retreat"}
