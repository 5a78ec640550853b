"""What people are told of what they have not seen: replays and reports."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from sandtable.kernel.display import Picture
from sandtable.server import accounts, snapshots
from sandtable.server.accounts import Person
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.past import history, replay, told_of, view
from sandtable.server.room import Room
from tests.server.test_room import opened, sampled

GERMANY = frozenset(("germany",))


@pytest.fixture
def anna(database: Database) -> Person:
    return accounts.be_guest(database, "Anna").person


def drawn(content: Any) -> Any:
    """As a client has it."""
    return msgspec.json.decode(msgspec.json.encode(content))


def changed(picture: Any, changes: Any) -> Any:
    """As a client takes changes in."""
    return {
        **picture,
        **changes,
        "spaces": {**picture["spaces"], **changes.get("spaces", {})},
    }


def test_a_replay_shows_the_positions_that_there_were(database: Database, anna: Person) -> None:
    room = opened(database, anna, "aa1942")
    rng = random.Random(3)
    for _ in range(60):
        power = room.undoable(frozenset(room.rules.powers))
        if power and rng.random() < 0.3:
            room.undo(anna.id, power, room.version)
        else:
            room.decide(anna.id, *sampled(room, rng), room.version)
    powers = frozenset(room.seats[0].powers)
    steps = history(room.past(powers))["steps"]
    assert 20 < len(steps) == len(room.stands) < room.version
    shown = replay(room.scenes(powers, 0, 20))
    picture = drawn(shown["picture"])
    assert [step["version"] for step in shown["steps"]] == [step["version"] for step in steps[:20]]
    for step in shown["steps"]:
        picture = changed(picture, drawn(step["changes"]))
        then = drawn(view(room.moment(powers, step["version"]))["picture"])
        assert picture == then
    last = shown["steps"][-1]["version"]
    assert replay(room.scenes(powers, last, 3))["steps"][0]["version"] > last
    gone = next(version for version, mark in enumerate(room.marks) if mark.gone)
    with pytest.raises(Problem):
        room.scenes(powers, gone, 3)


def test_undone_decisions_are_no_steps(database: Database, anna: Person) -> None:
    room = opened(database, anna, "aa1942")
    room.decide(anna.id, *sampled(room, random.Random(1)), room.version)
    before = room.version
    assert room.hello(GERMANY, 0, 0)["steps"] == 1
    power = room.undoable(frozenset(room.rules.powers))
    room.undo(anna.id, power, room.version)
    told = room.update(GERMANY, before)
    assert (told["version"], told["steps"]) == (before + 1, 0)
    assert history(room.past(GERMANY))["steps"] == []


def to_turn_of(room: Room, who: Person, power: str, rng: random.Random) -> None:
    """Decide at random until it is the turn of a power, from its start."""
    while room.game.state.turn != power or room.game.state.phase != "purchase":
        room.decide(who.id, *sampled(room, rng), room.version)


def test_a_report_begins_where_the_last_turn_ended(database: Database, anna: Person) -> None:
    room = opened(database, anna, "aa1942")
    rng = random.Random(8)
    assert told_of(room.since(frozenset()))["report"] is None
    to_turn_of(room, anna, "germany", rng)
    # Since the start, as there was no turn before.
    assert room.since(GERMANY).first == 0  # type: ignore[union-attr]
    while room.game.state.turn == "germany":
        room.decide(anna.id, *sampled(room, rng), room.version)
    ended = len(room.game.events)
    owners = dict(room.game.state.control)
    power = room.undoable(frozenset(room.rules.powers))
    if power:
        room.undo(anna.id, power, room.version)
        while room.game.state.turn == "germany":
            room.decide(anna.id, *sampled(room, rng), room.version)
    to_turn_of(room, anna, "germany", rng)
    since = room.since(GERMANY)
    assert since is not None and since.first == ended
    told = told_of(since)["report"]
    lost = {
        space
        for space, owner in owners.items()
        if owner == "germany" != room.game.state.control[space]
    }
    assert {item.spaces[0] for item in told.items if item.kind == "lost"} == lost
    # It needs nothing that a room opened from a snapshot would have to run again.
    room._snapshot_at = -10_000
    note = room.note()
    assert note is not None
    snapshots.write(database, room.id, *note)
    again = Room.open(database, room.id)
    assert again.game.past is not None
    found = again.since(GERMANY)
    assert found is not None and found.before == since.before
    # Whoever has decided has read it; and others get theirs when it is their turn.
    assert room.since(frozenset(("japan",))) is None
    room.decide(anna.id, *sampled(room, rng), room.version)
    assert room.since(GERMANY) is None


def test_the_income_is_that_of_the_figures(database: Database, anna: Person) -> None:
    for game in ("aa1942", "gw36", "gw75"):
        room = opened(database, anna, game)
        known = room._left(room._ended[0]).standing
        assert known.income, game
        assert isinstance(room.rules.picture(room.game.state, ()), Picture)
