"""One game in memory and in the database: storing, overtaking, taking back, opening anew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
from sqlalchemy import select, update

import sandtable
from sandtable.kernel import registry
from sandtable.kernel.decisions import Pass, plain
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.game import Decided
from sandtable.kernel.savefile import save_text
from sandtable.server import accounts, lobby
from sandtable.server.accounts import Person
from sandtable.server.database import Database
from sandtable.server.errors import Problem, Unavailable
from sandtable.server.live import Live
from sandtable.server.past import history, view
from sandtable.server.room import Overtaken, Room, Stale
from sandtable.server.schemas import NewGame, NewSeat
from sandtable.server.tables import GameRow, Row, Seat
from sandtable.server.verifying import take_apart
from tests.kernel.toy import ToyRules

EVERYBODY = frozenset(("red", "green", "blue", "white"))


@pytest.fixture
def anna(database: Database) -> Person:
    return accounts.be_guest(database, "Anna").person


def opened(database: Database, who: Person, game: str = "toy", **options: Any) -> Room:
    """A started game in which Anna runs everything."""
    rules = registry.find(game)
    seats = [NewSeat(list(p), "me") for p in rules.seats(rules.read_options(options))]
    id = lobby.create(database, who, NewGame(seats, game, options))
    lobby.start(database, Live("sqlite://"), who, id, "")
    return Room.open(database, id)


def sampled(room: Room, rng: random.Random) -> tuple[str, Any]:
    request = rng.choice(room.game.pending)
    return request.power, plain(room.game.legal(request).sample(rng))


def play(
    room: Room,
    who: Person,
    rng: random.Random,
    most: int,
    undo: float = 0.0,
    *,
    old: bool = False,
) -> None:
    """Decide, and take back, at random: the last decision, or any `old` one that can be."""
    for _ in range(most):
        if not room.running:
            return
        power = room.undoable(EVERYBODY)
        if power and rng.random() < undo:
            open_to = room.hello(EVERYBODY, 0, 0)["back"] if old else []
            of = [each["version"] for each in open_to if rng.random() < 0.4]
            room.undo(who.id, power, room.version, of=of)
        else:
            power, decision = sampled(room, rng)
            room.decide(who.id, power, decision, room.version)


def content(room: Room) -> tuple[Any, ...]:
    """Everything that has to be the same in a room that was opened anew."""
    return (
        room.game.hash,
        room.version,
        room.waiting,
        room.head.status,
        # What was taken back may be one row by now, which does not say who did it.
        [room.marks[version] for version in room.stands],
        room.marks[-1].length,
        list(room.stands),
        [sample.version for sample in room.samples],
        room.hello(frozenset(("red",)), 0, 0)["log"],
        room.undoable(EVERYBODY),
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_room_opened_anew_is_the_same(
    toy: ToyRules, database: Database, anna: Person, seed: int
) -> None:
    rng = random.Random(seed)
    room = opened(database, anna)
    while room.running:
        play(room, anna, rng, rng.randrange(1, 12), undo=0.25, old=True)
        assert content(Room.open(database, room.id)) == content(room)
    assert room.head.status == "over"
    assert room.head.result is not None


def test_a_room_that_catches_up_is_the_same(
    toy: ToyRules, database: Database, anna: Person
) -> None:
    rng = random.Random(3)
    room = opened(database, anna)
    other = Room.open(database, room.id)
    while room.running:
        play(room, anna, rng, rng.randrange(1, 9), undo=0.25, old=True)
        other.catch_up()
        assert content(other) == content(room)


def test_what_is_acknowledged_is_stored_with_its_rolls(
    toy: ToyRules, database: Database, anna: Person
) -> None:
    room = opened(database, anna)
    play(room, anna, random.Random(1), 1000)
    with database.reading() as session:
        rows = session.scalars(select(Row).order_by(Row.version)).all()
        head = session.get_one(GameRow, room.id)
        assert [row.version for row in rows] == list(range(1, room.version + 1))
        assert any(b'"roll"' in row.entries for row in rows)
        assert (head.version, head.status, head.waiting) == (room.version, "over", [])


def test_stale_out_of_turn_and_illegal_decisions_change_nothing(
    toy: ToyRules, database: Database, anna: Person
) -> None:
    room = opened(database, anna)
    power, decision = sampled(room, random.Random(1))
    room.decide(anna.id, power, decision, 0)
    before = content(room)
    other = next(each for each in EVERYBODY if each != room.game.pending[0].power)
    with pytest.raises(Stale):
        room.decide(anna.id, power, decision, 0)
    with pytest.raises(Stale):
        room.decide(anna.id, power, decision, 7)
    with pytest.raises(IllegalDecision):
        room.decide(anna.id, other, decision, 1)
    for wrong in ({}, {"kind": "place", "field": "moon"}, {"kind": 3}, {"kind": "pass"}):
        with pytest.raises(IllegalDecision):
            room.decide(anna.id, room.game.pending[0].power, wrong, 1)
    for who, whose in (("nobody", power), (anna.id, "pink"), (anna.id, "chance")):
        with pytest.raises(Problem) as refused:
            room.decide(who, whose, decision, 1)
        assert refused.value.status == 403
    assert room.sound
    assert content(room) == before == content(Room.open(database, room.id))


def test_of_two_processes_only_the_first_is_stored(
    toy: ToyRules, database: Database, anna: Person
) -> None:
    one = opened(database, anna)
    two = Room.open(database, one.id)
    power, decision = sampled(one, random.Random(1))
    one.decide(anna.id, power, decision, 0)
    with pytest.raises(Overtaken):
        two.decide(anna.id, power, decision, 0)
    assert not two.sound
    assert content(Room.open(database, one.id)) == content(one)


def test_a_decision_that_cannot_be_stored_has_not_happened(
    toy: ToyRules, database: Database, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = opened(database, anna)
    before = content(room)
    transaction = database.transaction

    @contextmanager
    def broken() -> Iterator[Any]:
        with transaction() as session:
            yield session
            session.rollback()
            raise Unavailable("The disk is full.")

    monkeypatch.setattr(database, "transaction", broken)
    power, decision = sampled(room, random.Random(1))
    with pytest.raises(Unavailable):
        room.decide(anna.id, power, decision, 0)
    assert not room.sound
    assert content(Room.open(database, room.id)) == before


def test_a_decision_after_a_roll_cannot_be_taken_back(database: Database, anna: Person) -> None:
    rng = random.Random(2)
    room = opened(database, anna, "aa1942")
    rolled = False
    powers = frozenset(room.rules.powers)
    while not rolled:
        length = room.game.version
        power, decision = sampled(room, rng)
        room.decide(anna.id, power, decision, room.version)
        rolled = room.game.version - length > 1
        assert room.undoable(powers) == ("" if rolled else power)
    with pytest.raises(Problem) as refused:
        room.undo(anna.id, power, room.version)
    assert refused.value.status == 409


def attacks(room: Room, who: Person) -> list[int]:
    """Germany sends six attacks; the versions at which it did."""
    for power, decision in (
        *((("soviet_union", kind)) for kind in ("buy", "done", "done")),
        ("germany", "buy"),
    ):
        room.decide(who.id, power, {"kind": decision}, room.version)
    sent = []
    for units, path in (
        ({"infantry": 1}, ["ukraine_ssr", "caucasus"]),
        ({"tank": 1}, ["ukraine_ssr", "caucasus"]),
        ({"artillery": 1}, ["ukraine_ssr", "caucasus"]),
        ({"submarine": 1}, ["sz9", "sz10"]),
        ({"infantry": 1}, ["west_russia", "archangel"]),
        ({"infantry": 1}, ["ukraine_ssr", "caucasus"]),
    ):
        decision = {"kind": "move", "units": units, "path": path}
        room.decide(who.id, "germany", decision, room.version)
        sent.append(room.version)
    return sent


def test_an_old_decision_is_taken_back_in_one_step_and_those_after_it_stay(
    database: Database, anna: Person
) -> None:
    room = opened(database, anna, "aa1942")
    sent = attacks(room, anna)
    powers = frozenset(("germany",))
    hello = room.hello(powers, 0, 0)
    # Each line of the log that can be taken back says by what.
    told = {each["version"]: each["lines"] for each in hello["back"]}
    assert [version for version in told if version in sent] == sent
    lines = [msgspec.json.decode(line)["text"] for line in hello["log"]["add"]]
    assert [lines[slice(*told[version])] for version in sent[3:5]] == [
        ["Germany sent 1 submarine from Sea Zone 9 to Sea Zone 10."],
        ["Germany sent 1 infantry from West Russia to Archangel."],
    ]
    before = lines
    stored = []
    lost = room.undo(
        anna.id, "germany", room.version, lambda *_: stored.append(room.version), of=sent[:1]
    )
    assert (lost, len(stored)) == (0, 1), "one change for everybody"
    assert content(Room.open(database, room.id)) == content(room)
    update = room.update(powers, sent[-1])
    after = [msgspec.json.decode(line)["text"] for line in update["log"]["add"]]
    assert [*before[: update["log"]["keep"]], *after] == [
        *before[: told[sent[0]][0]],
        *before[told[sent[0]][1] :],
    ]
    assert len(update["back"]) == len(hello["back"]) - 1
    # The middle one of those that are left.
    submarine = update["back"][-3]["version"]
    assert room.undo(anna.id, "germany", room.version, of=[submarine]) == 0
    assert "submarine" not in str(room.hello(powers, 0, 0)["log"]["add"][-4:])
    with pytest.raises(Problem) as refused:
        room.undo(anna.id, "germany", room.version, of=[submarine])
    assert refused.value.status == 409


def test_what_needs_a_decision_that_is_taken_back_goes_with_it(
    database: Database, anna: Person
) -> None:
    room = opened(database, anna, "aa1942")
    sent = attacks(room, anna)
    done = room.version
    # Nothing is bought any more when the purchase is taken back: no move can be made before it.
    bought = room.hello(frozenset(("germany",)), 0, 0)["back"][0]["version"]
    assert bought == sent[0] - 1
    assert room.undo(anna.id, "germany", done, of=[bought]) == len(sent)
    assert room.game.pending[0].kind == "purchase"
    assert content(Room.open(database, room.id)) == content(room)


def at_the_bids(room: Room, who: Person) -> None:
    """Play until all four are asked at once."""
    rng = random.Random(1)
    while len(room.game.pending) < 4:
        play(room, who, rng, 1)


def test_what_all_decide_at_once_can_be_decided_in_any_order_and_at_one_version(
    toy: ToyRules, database: Database, anna: Person
) -> None:
    room = opened(database, anna)
    at_the_bids(room, anna)
    version = room.version
    bid = {"kind": "bid", "coins": 0}
    for power in ("white", "red", "blue"):
        room.decide(anna.id, power, bid, version)
    with pytest.raises(Stale):
        room.decide(anna.id, "red", bid, version)
    with pytest.raises(Stale):
        room.decide(anna.id, "green", bid, version - 1)
    room.decide(anna.id, "green", bid, version)
    assert room.version == version + 4


def test_nobody_takes_a_secret_decision_back_after_seeing_the_others(
    toy: ToyRules, database: Database, anna: Person
) -> None:
    room = opened(database, anna)
    at_the_bids(room, anna)
    bid = {"kind": "bid", "coins": 0}
    room.decide(anna.id, "red", bid, room.version)
    assert room.undoable(EVERYBODY) == "red"
    room.undo(anna.id, "red", room.version)
    assert len(room.game.pending) == 4
    for coins, power in enumerate(("red", "green", "blue", "white")):
        room.decide(anna.id, power, {"kind": "bid", "coins": coins}, room.version)
    assert isinstance(room.game.journal[-1], Decided), "no die has fallen"
    assert room.undoable(EVERYBODY) == ""


def test_where_each_goes_at_its_own_pace_nobody_waits_and_nothing_is_shown(
    database: Database, anna: Person
) -> None:
    rng = random.Random(2)
    game = sandtable.new("blitz", seed=2, options={"scenario": "campaign"})
    while not (game.asked.any and len(game.pending) > 1):
        request = rng.choice(game.pending)
        game.submit(request.power, game.legal(request).sample(rng))
    seats = [NewSeat(list(powers), "me") for powers in game.rules.seats(game.options)]
    id = lobby.create(database, anna, NewGame(seats), take_apart(save_text(game).encode()))
    lobby.start(database, Live("sqlite://"), anna, id, "")
    room = Room.open(database, id)
    one, two = (request.power for request in room.game.pending[:2])
    done = {"kind": "done"}
    everybody = frozenset(game.rules.powers)
    before = room.version

    def order(power: str) -> Any:
        """One that rolls no die, and leaves more to decide."""
        legal = room.game.legal(room.request_of(power))
        return next(plain(d) for d in legal if d.kind in ("build", "scrap"))

    room.decide(anna.id, one, order(one), before)
    room.decide(anna.id, one, order(one), room.version)
    assert room.undoable(everybody) == one
    # Made before the other had decided, and as good as new; the other's would not be.
    room.decide(anna.id, two, order(two), before)
    with pytest.raises(Stale):
        room.decide(anna.id, one, done, before)
    room.undo(anna.id, two, room.version)
    assert room.undoable(everybody) == one
    for power in [request.power for request in room.game.pending]:
        room.decide(anna.id, power, done, room.version)
    assert not room.game.asked.any
    assert room.undoable(everybody) == "", "the builds have been shown"


def test_each_has_the_lines_that_it_may_see(database: Database, anna: Person) -> None:
    rng = random.Random(6)
    game = sandtable.new("blitz", seed=6, options={"scenario": "campaign"})
    while len({event.to for event in game.events}) < 3:
        request = rng.choice(game.pending)
        game.submit(request.power, game.legal(request).sample(rng))
    assert {event.to for event in game.events} > {None}
    seats = [NewSeat(list(powers), "me") for powers in game.rules.seats(game.options)]
    id = lobby.create(database, anna, NewGame(seats), take_apart(save_text(game).encode()))
    lobby.start(database, Live("sqlite://"), anna, id, "")
    room = Room.open(database, id)
    public = sum(event.to is None for event in game.events)
    assert len(room.hello(frozenset(), 0, 0)["log"]["add"]) == public
    for power in game.rules.powers:
        mine = len(game.observe(power)["events"])
        known = room.hello(frozenset((power,)), 0, 0)["log"]
        assert len(known["add"]) == mine
        # Whoever was there from the first version on was told as much by updates.
        later = room.update(frozenset((power,)), 1)["log"]
        assert later["keep"] + len(later["add"]) == mine


def test_standing_orders_answer_and_are_stored(
    toy: ToyRules, database: Database, anna: Person
) -> None:
    room = opened(database, anna)
    with database.transaction() as session:
        session.execute(update(Seat).values(standing=["offer_help"]))
    room = Room.open(database, room.id)
    rng = random.Random(4)
    while room.running:
        assert not any(request.kind == "offer_help" for request in room.game.pending)
        play(room, anna, rng, 1)
    assert any(
        isinstance(entry, Decided) and entry.decision == Pass() for entry in room.game.journal
    )
    assert content(Room.open(database, room.id)) == content(room)


def test_a_game_that_is_packed_away_tells_the_same(
    toy: ToyRules, database: Database, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(room: Room) -> tuple[Any, ...]:
        past = [view(room.moment(EVERYBODY, each)) for each in room.stands]
        return content(room), history(room.past(EVERYBODY)), past, list(room.game.journal)

    rng = random.Random(8)
    room = opened(database, anna)
    while room.running:
        with monkeypatch.context() as patch:
            patch.setattr("sandtable.server.room._AT_HAND", 3)
            patch.setattr("sandtable.kernel.log._CHUNK", 4)
            play(room, anna, rng, 10, undo=0.25)
            packed = told(room)
        assert told(Room.open(database, room.id)) == packed
    assert len(room.game.journal._tail) < len(room.game.journal) / 2, "it has been packed"


def test_there_is_no_room_for_a_game_that_is_not_there(database: Database) -> None:
    with pytest.raises(Problem) as refused:
        Room.open(database, "nothing")
    assert refused.value.status == 404


def test_a_bot_decides_nothing_for_somebody_who_has_come_back(
    toy: ToyRules, database: Database, anna: Person
) -> None:
    room = opened(database, anna)
    power, decision = sampled(room, random.Random(1))
    seat = room.seat_of(power)
    assert seat is not None
    seat.bot = "greedy"
    turn = room.bots_turn()
    assert turn is not None
    seat.bot = ""
    with pytest.raises(Stale):
        room.decide(None, power, decision, turn.version)
    assert room.version == 0 and room.sound
    seat.bot = "greedy"
    room.decide(None, power, decision, turn.version)
    assert room.version == 1


@pytest.mark.parametrize("game", ["aa1942", "blitz"])
def test_those_who_see_the_same_are_shown_one_picture(
    database: Database, anna: Person, game: str
) -> None:
    room = opened(database, anna, game, **({"scenario": "D"} if game == "blitz" else {}))
    powers = [frozenset((power,)) for power in room.rules.powers] + [frozenset[str]()]
    for each in powers:
        room.hello(each, 0, 0)
    rng = random.Random(5)
    secret = 0
    while room.running and room.version < 150:
        power, decision = sampled(room, rng)
        room.decide(anna.id, power, decision, room.version)
        for each in powers:
            room.update(each, room.version - 1)
            assert room._pictures[each] == room.rules.picture(room.game.state, each)
        hiding = len(set(room.rules.secrets(room.game.state)))
        secret = max(secret, hiding)
        assert len({id(room._pictures[each]) for each in powers}) == hiding + 1
    assert bool(secret) == (game == "blitz")
    for each in powers:
        room.forget(each)
    assert not room._drawn.pictures, "a game that nobody watches keeps no pictures"
