"""Games that are taken into memory from a snapshot: the same, and never against the journal."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select, update

import sandtable
from sandtable.kernel.errors import SaveError
from sandtable.kernel.game import Game
from sandtable.kernel.savefile import save_text
from sandtable.server import accounts, lobby, snapshots
from sandtable.server.accounts import Person
from sandtable.server.config import Config
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.past import history, view
from sandtable.server.room import Room
from sandtable.server.tables import GameRow, Row, SnapshotRow
from sandtable.server.verifying import take_apart
from sandtable.server.workers import Question, Thinker
from tests.conformance.driver import advance, picture
from tests.kernel.test_snapshots import forged
from tests.kernel.toy import ToyRules
from tests.server.conftest import EITHER, guest
from tests.server.test_room import EVERYBODY, content, opened, play

LONG = {"rounds": 40}


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 20)


@pytest.fixture
def database(toy: ToyRules, database_url: str) -> Iterator[Database]:
    found = Database(Config(database_url))
    found.prepare()
    yield found
    found.close()


@pytest.fixture
def anna(database: Database) -> Person:
    return accounts.be_guest(database, "Anna").person


def noted(database: Database, room: Room) -> bool:
    """Store a snapshot, if it is time for one."""
    note = room.note()
    if note is not None:
        snapshots.write(database, room.id, *note)
    return note is not None


def played(database: Database, who: Person, seed: int, most: int = 120) -> Room:
    """A game that was played and taken back at random, noted now and then, and then played on."""
    rng = random.Random(seed)
    room = opened(database, who, **LONG)
    for _ in range(most):
        play(room, who, rng, 1, undo=0.1)
        noted(database, room)
    while not noted(database, room):
        play(room, who, rng, 1)
    play(room, who, rng, 9)
    return room


def stored(database: Database) -> list[tuple[str, int]]:
    with database.reading() as session:
        return [(each.game, each.version) for each in session.scalars(select(SnapshotRow))]


def whole(database: Database, room: Room) -> Room:
    """The same game run from its start."""
    return Room.open(database, room.id, upto=room.version)


def not_run(game: Game) -> bool:
    return game.past is not None and game.past._game is None


@EITHER
def test_a_room_is_opened_from_its_last_snapshot_and_is_the_same(
    database: Database, anna: Person
) -> None:
    for seed in range(3):
        room = played(database, anna, seed)
        again = Room.open(database, room.id)
        assert not_run(again.game)
        assert content(again) == content(room) == content(whole(database, room))
        assert history(again.past(EVERYBODY)) == history(room.past(EVERYBODY))
        for versions in (0, 7, room.version - 3):
            hello = again.hello(frozenset(("red",)), versions, 9)
            assert hello["log"] == room.hello(frozenset(("red",)), versions, 9)["log"]
        assert not_run(again.game)
        play(again, anna, random.Random(seed), 30, undo=0.1)
        room.catch_up()
        assert content(again) == content(room)
    games = stored(database)
    assert len(games) == 3
    assert len({game for game, _ in games}) == 3


def test_there_is_none_while_not_all_of_the_position_is_in_the_state(
    database: Database, anna: Person
) -> None:
    room = opened(database, anna, **LONG)
    rng = random.Random(1)
    taken = []
    while len(taken) < 8:
        play(room, anna, rng, 1)
        kinds = {request.kind for request in room.game.pending}
        if noted(database, room):
            taken.append(room.version)
            assert kinds <= {"place_stones", "make_bid", "choose_rival"}
    assert all(20 <= two - one < 60 for one, two in zip([0, *taken], taken, strict=False))
    assert stored(database) == [(room.id, taken[-1])]


@EITHER
def test_the_past_is_run_when_somebody_looks_at_it(database: Database, anna: Person) -> None:
    room = played(database, anna, 5)
    again = Room.open(database, room.id)
    standing = [0, *room.stands]
    for version in (standing[0], standing[len(standing) // 2]):
        assert view(again.moment(EVERYBODY, version)) == view(room.moment(EVERYBODY, version))
    assert not not_run(again.game)
    assert save_text(Room.open(database, room.id).game)[:80] == save_text(room.game)[:80]
    assert picture(Room.open(database, room.id).game) == picture(room.game)


def test_what_was_decided_before_the_snapshot_can_be_taken_back(
    database: Database, anna: Person
) -> None:
    rng = random.Random(2)
    room = opened(database, anna, **LONG)
    while not (room.version >= 20 and room.undoable(EVERYBODY) and noted(database, room)):
        play(room, anna, rng, 1)
    again = Room.open(database, room.id)
    assert again.version == room.version
    assert again._asked_at == room._asked_at > 0
    assert not_run(again.game)
    power = again.undoable(EVERYBODY)
    again.undo(anna.id, power, again.version)
    assert again.game.version < room.game.version
    room.catch_up()
    assert content(again) == content(room) == content(Room.open(database, room.id))
    back = again.version
    while not noted(database, again):
        play(again, anna, rng, 1)
    assert again.version < back + 10, "the next one is made soon: this one helps no more"
    assert not_run(Room.open(database, room.id).game)
    play(again, anna, rng, 50, undo=0.2)
    assert content(again) == content(whole(database, again))


def test_a_server_that_stops_before_the_snapshot_is_stored_loses_nothing(
    database: Database, anna: Person
) -> None:
    room = played(database, anna, 3, 60)
    before = stored(database)
    while room.note() is None:  # Taken, and never written.
        play(room, anna, random.Random(4), 1)
    play(room, anna, random.Random(4), 7)
    assert stored(database) == before
    again = Room.open(database, room.id)
    assert not_run(again.game)
    assert content(again) == content(room)
    assert noted(database, again)  # The next one is due at once.


# --- snapshots that do not fit ---------------------------------------------------------------


def tampered(database: Database, id: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Change what is stored of a snapshot."""
    with database.transaction() as session:
        row = session.get_one(SnapshotRow, id)
        note = json.loads(zlib.decompress(row.content))
        change(note)
        row.content = zlib.compress(json.dumps(note).encode())


def another_program(note: dict[str, Any]) -> None:
    note["made_by"] = "0" * 64


def another_version(note: dict[str, Any]) -> None:
    note["version"] -= 1


def another_state(note: dict[str, Any]) -> None:
    note["game"]["state"]["coins"]["red"] += 1


def no_state(note: dict[str, Any]) -> None:
    note["game"]["state"] = {}


def another_length(note: dict[str, Any]) -> None:
    note["game"]["length"] += 1


def fewer_lines(note: dict[str, Any]) -> None:
    note["lines"].pop()


def fewer_marks(note: dict[str, Any]) -> None:
    for column in note["marks"].values():
        column.pop()


def nothing(note: dict[str, Any]) -> None:
    note.clear()


@pytest.mark.parametrize(
    "change",
    [
        another_program,
        another_version,
        another_state,
        no_state,
        another_length,
        fewer_lines,
        fewer_marks,
        nothing,
    ],
)
def test_a_snapshot_that_does_not_fit_is_ignored(
    database: Database, anna: Person, change: Callable[[dict[str, Any]], None]
) -> None:
    room = played(database, anna, 6, 60)
    tampered(database, room.id, change)
    again = Room.open(database, room.id)
    assert again.game.past is None
    assert content(again) == content(room)
    assert noted(database, again) or again.note() is None
    while not noted(database, again):
        play(again, anna, random.Random(1), 1)
    assert not_run(Room.open(database, room.id).game)  # A new one has taken its place.


def test_a_snapshot_that_is_no_data_is_ignored(database: Database, anna: Person) -> None:
    room = played(database, anna, 6, 60)
    for garbage in (b"", b"garbage", zlib.compress(b"garbage"), zlib.compress(b"[]")):
        with database.transaction() as session:
            session.get_one(SnapshotRow, room.id).content = garbage
        again = Room.open(database, room.id)
        assert again.game.past is None
        assert content(again) == content(room)


def test_a_snapshot_is_ignored_if_its_row_or_the_set_up_is_another(
    database: Database, anna: Person
) -> None:
    room = played(database, anna, 6, 60)
    ((_, version),) = stored(database)
    for changed in (
        update(Row).where(Row.version == version).values(kind="undone"),
        update(GameRow).values(options={"scenario": "another"}),
        update(GameRow).values(version=version - 1),
    ):
        with database.reading() as session:
            head = session.get_one(GameRow, room.id)
            assert snapshots.read(session, head) is not None
            session.connection().execute(changed)
            session.expire_all()
            assert snapshots.read(session, session.get_one(GameRow, room.id)) is None
            session.rollback()


def test_a_snapshot_that_the_rows_before_it_do_not_lead_to_is_found_out_by_who_looks(
    database: Database, anna: Person
) -> None:
    """Rows were changed by hand, long before the last: it is noticed when they are run."""
    room = played(database, anna, 6, 60)
    with database.transaction() as session:
        rows = session.scalars(select(Row).order_by(Row.version)).all()
        row = next(row for row in rows if b'"field":"north"' in row.entries)
        row.entries = row.entries.replace(b'"north"', b'"south"')
    again = Room.open(database, room.id)
    assert not_run(again.game)
    moment = again.moment(EVERYBODY, 0)
    with pytest.raises(Problem) as refused:
        view(moment)
    assert refused.value.status == 503
    assert not again.sound
    assert stored(database) == []


def test_a_game_is_removed_with_its_snapshot(database: Database, anna: Person) -> None:
    room = played(database, anna, 7, 40)
    play(room, anna, random.Random(7), 40)
    late = room.note()
    assert late is not None
    with database.transaction() as session:
        lobby.remove(session, room.id)
    assert stored(database) == []
    snapshots.write(database, room.id, *late)  # Nobody is told: it is not needed any more.
    assert stored(database) == []


# --- around ----------------------------------------------------------------------------------


def test_the_server_stores_snapshots_as_a_game_is_played(
    toy: ToyRules, app: FastAPI, web: TestClient
) -> None:
    anna = guest(app, "Anna")
    seats = [{"powers": [power], "kind": "me"} for power in toy.powers]
    id = anna.post("/api/games", {"game": "toy", "options": LONG, "seats": seats})["id"]
    anna.post(f"/api/games/{id}/start")
    rng = random.Random(1)
    for version in range(60):
        room = app.state.rooms._tables[id].room
        ask = rng.choice(room.game.pending)
        decision = msgspec.to_builtins(room.game.legal(ask).sample(rng))
        body = {"power": ask.power, "decision": decision, "version": version}
        anna.post(f"/api/games/{id}/decisions", body)
    app.state.portal.call(app.state.rooms.close)
    ((found, version),) = stored(app.state.database)
    assert found == id
    assert 40 <= version <= 60
    assert not_run(Room.open(app.state.database, id).game)


def test_a_snapshot_that_somebody_sends_is_not_trusted(toy: ToyRules, tmp_path: Path) -> None:
    game = sandtable.new("toy", seed=5, options=LONG)
    advance(game, random.Random(5), 500).save(tmp_path / "game.json")
    assert take_apart((tmp_path / "game.json").read_bytes()).waiting
    forged(tmp_path / "game.json")
    sandtable.load(tmp_path / "game.json")
    with pytest.raises(SaveError, match="does not lead to the position"):
        take_apart((tmp_path / "game.json").read_bytes())


def test_a_worker_takes_a_long_game_up_from_its_snapshot(toy: ToyRules) -> None:
    game = advance(sandtable.new("toy", seed=5, options=LONG), random.Random(5), 500)
    taken = game.snapshot()
    assert taken is not None
    entries = [e.plain() for e in game.journal.since(taken.length)]
    power = game.pending[0].power
    question = Question("g", "toy", game.options, None, 0, entries, power, "random", 7, taken)
    thinker = Thinker()
    answer = thinker.answer(msgspec.json.decode(msgspec.json.encode(question), type=Question))
    assert not answer.problem
    assert thinker._games["g"].hash == game.hash
    assert not_run(thinker._games["g"])
    question.known, question.snapshot, question.entries = game.version, None, []
    assert thinker.answer(question).decision == answer.decision


# --- what was taken back -------------------------------------------------------------------------


def rows(database: Database, room: Room) -> list[tuple[int, str]]:
    with database.reading() as session:
        chosen = select(Row.version, Row.kind).where(Row.game == room.id).order_by(Row.version)
        return [(version, kind) for version, kind in session.execute(chosen)]


@EITHER
def test_what_was_taken_back_again_and_again_takes_no_room(
    database: Database, anna: Person
) -> None:
    """Somebody decides and takes it back a hundred times: a few rows are left, and the game is the
    same."""
    rng = random.Random(3)
    room = opened(database, anna, **LONG)
    play(room, anna, rng, 5)
    for _ in range(100):
        while not room.undoable(EVERYBODY):
            play(room, anna, rng, 1)
        room.undo(anna.id, room.undoable(EVERYBODY), room.version)
        play(room, anna, rng, 1)
        noted(database, room)
    while not noted(database, room):
        play(room, anna, rng, 1)
    left = rows(database, room)
    assert room.version > 200
    assert len(left) <= 2 * len(room.stands) + 2
    assert "gone" in {kind for _, kind in left}
    run = whole(database, room)
    assert content(run) == content(room) == content(Room.open(database, room.id))
    play(run, anna, rng, 10, undo=0.2)
    assert content(Room.open(database, room.id)) == content(run)


def test_who_stands_in_the_midst_of_what_is_gone_opens_the_game_anew(
    database: Database, anna: Person
) -> None:
    rng = random.Random(3)
    room = opened(database, anna, **LONG)
    while not room.undoable(EVERYBODY):
        play(room, anna, rng, 1)
    elsewhere = Room.open(database, room.id)
    room.undo(anna.id, room.undoable(EVERYBODY), room.version)
    play(room, anna, rng, 2)
    with database.transaction() as session:
        snapshots.compact(session, room.id, room.version)
    assert "gone" in {kind for _, kind in rows(database, room)}
    with pytest.raises(Problem):
        elsewhere.catch_up()
    assert not elsewhere.sound
    assert content(Room.open(database, room.id)) == content(room)


@EITHER
def test_a_long_game_without_a_snapshot_gets_one_in_a_process_of_its_own(
    database: Database, anna: Person
) -> None:
    room = played(database, anna, 4)
    snapshots.drop(database, room.id)
    found = Room.last_note(database, room.id)
    assert found is not None
    snapshots.write(database, room.id, *found)
    again = Room.open(database, room.id)
    assert not_run(again.game)
    assert content(again) == content(room)
