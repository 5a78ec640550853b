"""While several write orders in secret, each at its own pace, nobody else finds out that an order
was written, taken back or written anew: neither when nor how many there are."""

from __future__ import annotations

import json
import random
from contextlib import ExitStack
from typing import Any

import msgspec
import pytest
from fastapi import FastAPI

import sandtable
from sandtable.games.blitz.rules.spend import Build, Research, Sabotage
from sandtable.games.blitz.rules.steps import Done
from sandtable.kernel.decisions import Decision, plain
from sandtable.kernel.game import Game, Rolled
from sandtable.kernel.savefile import save_text
from sandtable.server import accounts, lobby, snapshots
from sandtable.server.accounts import Person
from sandtable.server.database import Database
from sandtable.server.live import Live
from sandtable.server.past import history, told_of, view
from sandtable.server.room import Room, Stale
from sandtable.server.schemas import NewGame, NewSeat
from sandtable.server.tables import Seat
from sandtable.server.verifying import take_apart
from tests.gw75.table import position
from tests.server.conftest import Player, guest
from tests.server.playing import Watcher, table, watching
from tests.server.test_paces import OTHERS, POWERS, spending

pytestmark = pytest.mark.usefixtures("talkative")

NOBODY: frozenset[str] = frozenset()


# --- over the network ----------------------------------------------------------------------------

GETS = (
    "",
    "/view",
    "/view?at=0",
    "/history",
    "/report",
    "/replay?after=0",
    "/save",
    *(f"/view?at={at}" for at in range(1, 9)),
    *(f"/replay?after={after}" for after in range(1, 9)),
)
OWN = ("form", "legal", "observe")


class Spending:
    """A table at which five people spend, and one looks on; each has a socket."""

    def __init__(self, anna: Player, app: FastAPI, stack: ExitStack) -> None:
        players = [anna, *(guest(app, name.title()) for name in (*POWERS[1:], "watcher"))]
        seats = [(player, [power]) for player, power in zip(players, POWERS, strict=False)]
        clock = {"hours": 24, "then": "wait"}
        more = {"save": save_text(spending()), "clock": clock, "access": "public"}
        self.id = table(anna, "blitz", seats, **more)
        self.path = f"/api/games/{self.id}"
        self.players = dict(zip((*POWERS, ""), players, strict=True))
        self.sockets: dict[str, Watcher] = {
            power: stack.enter_context(watching(player, self.id))
            for power, player in self.players.items()
        }
        for socket in self.sockets.values():
            socket.meanwhile()

    def decide(self, power: str, decision: Decision) -> int:
        version = self.sockets[power].mirror.version
        body = {"power": power, "decision": plain(decision), "version": version}
        reached = self.players[power].post(f"{self.path}/decisions", body)["version"]
        self.sockets[power].until(reached)
        self.sockets[power].meanwhile()
        return int(reached)

    def take_back(self, power: str, *of: int) -> None:
        version = self.sockets[power].mirror.version
        body = {"power": power, "version": version, "of": of}
        reached = self.players[power].post(f"{self.path}/undo", body)["version"]
        self.sockets[power].until(reached)
        self.sockets[power].meanwhile()

    def answers(self, power: str) -> dict[str, str]:
        """Whatever the player of a power can ask for, and what a new socket is told."""
        player = self.players[power]
        own = [f"/{what}?power={power}" for what in OWN if power]
        found = {path: player.http.get(self.path + path).text for path in (*GETS, *own)}
        for which in ("mine", "open", "public"):
            found[which] = player.http.get(f"/api/games?list={which}").text
        for known in (0, 1, 2, 9):
            with watching(player, self.id, version=known, log=known) as anew:
                found[f"hello {known}"] = anew.told[0]
        # Those who come and go are told of; nothing else is.
        for socket in self.sockets.values():
            assert {each["type"] for each in socket.meanwhile()} <= {"presence"}
        return found


def test_of_a_secret_order_nobody_else_is_told_anything(anna: Player, app: FastAPI) -> None:
    """Every answer to the others and every message to them, byte for byte, before and after: with
    and without a die, and when it is taken back. One of them has orders of its own."""
    with ExitStack() as stack:
        at = Spending(anna, app, stack)
        at.decide("afa", Build("afa_bef", 2))
        others = [power for power in (*POWERS, "") if power != "germany"]
        before = {power: at.answers(power) for power in others}
        assert json.loads(before["afa"]["hello 0"])["undo"] == "afa"

        def nothing_new() -> None:
            for power in others:
                assert at.sockets[power].meanwhile() == []
            assert {power: at.answers(power) for power in others} == before

        for decision in (OTHERS[0], Research(), Sabotage("afa", 0), OTHERS[1]):
            at.decide("germany", decision)
            nothing_new()
        at.take_back("germany")
        nothing_new()
        # That somebody has done all that it wanted is seen, as the game waits for it no more.
        at.decide("germany", Done())
        assert [told["type"] for told in at.sockets[""].meanwhile()] == ["update", "info"]
        assert "germany" not in at.sockets[""].mirror.info["waiting"]


def test_ones_own_orders_can_be_taken_back_though_others_have_gone_on(
    anna: Player, app: FastAPI
) -> None:
    with ExitStack() as stack:
        at = Spending(anna, app, stack)
        first = at.decide("germany", OTHERS[0])
        at.decide("afa", Build("afa_bef", 2))
        second = at.decide("germany", OTHERS[1])
        assert (first, second) == (1, 2)
        at.decide("japan", Research())
        known = at.answers("japan")
        mine = at.sockets["germany"].mirror
        assert mine.undo == "germany"
        at.take_back("germany", first)
        assert at.answers("japan") == known
        room = app.state.rooms._tables[at.id].room
        assert [each.unit for each in room.game.state.books["germany"].orders] == ["ger_6th_army"]
        assert [each.unit for each in room.game.state.books["afa"].orders] == ["afa_bef"]
        steps = at.players["germany"].get(f"{at.path}/history")["steps"]
        assert [step["power"] for step in steps] == ["germany"]
        assert steps[0]["version"] == mine.version
        # A die has fallen for this one.
        body = {"power": "japan", "version": at.sockets["japan"].mirror.version}
        at.players["japan"].post(f"{at.path}/undo", body, 409)
        again = Room.open(app.state.database, at.id)
        assert again.game.hash == room.game.hash
        assert sandtable.verify(save_text(again.game).encode()).ok


def test_after_the_reveal_numbers_do_not_tell_how_often_anybody_decided(
    anna: Player, app: FastAPI
) -> None:
    """Two tables: at one of them Germany changes its mind again and again."""
    found = []
    for often in (0, 3):
        with ExitStack() as stack:
            at = Spending(anna, app, stack)
            for _ in range(often):
                at.decide("germany", OTHERS[0])
                at.take_back("germany")
            at.decide("germany", OTHERS[0])
            for power in POWERS:
                at.decide(power, Done())
            socket = at.sockets[""]
            socket.meanwhile()
            info = at.players[""].get(at.path)
            steps = at.players["afa"].get(f"{at.path}/history")["steps"]
            assert not app.state.rooms._tables[at.id].room.game.asked.any
            found.append((socket.mirror.version, info["version"], steps))
    assert found[0] == found[1]


def test_at_one_screen_numbers_are_the_same_and_each_has_a_timeline_of_its_own(
    anna: Player, app: FastAPI
) -> None:
    """Anna and Ben share an account: whoever decides next names the version that both know."""
    seats = [
        {"powers": ["germany"], "kind": "me", "player": "Anna"},
        {"powers": ["japan"], "kind": "here", "player": "Ben"},
        *({"powers": [power], "kind": "here", "player": "Carl"} for power in POWERS[2:]),
    ]
    body = {"seats": seats, "save": save_text(spending())}
    id = anna.post("/api/games", body, 201)["id"]
    anna.post(f"/api/games/{id}/start", {})
    path = f"/api/games/{id}"
    with watching(anna, id, **{"as": "Anna"}) as hers, watching(anna, id, **{"as": "Ben"}) as his:
        order = {"power": "germany", "decision": plain(OTHERS[0]), "version": 0}
        assert anna.post(f"{path}/decisions", order) == {"version": 1}
        research = {"power": "japan", "decision": plain(Research()), "version": 1}
        assert anna.post(f"{path}/decisions", research) == {"version": 2}
        for watcher in (hers, his):
            watcher.until(2)
        assert len(hers.mirror.log) + 1 == len(his.mirror.log)
        for player, power in (("Anna", "germany"), ("Ben", "japan")):
            steps = anna.get(f"{path}/history", **{"as": player})["steps"]
            assert [step["power"] for step in steps] == [power]
            scenes = anna.get(f"{path}/replay", **{"as": player, "after": 0})["steps"]
            assert [each["version"] for each in scenes] == [step["version"] for step in steps]
        assert len(anna.get(f"{path}/history")["steps"]) == 2
        assert anna.post(f"{path}/undo", {"power": "germany", "version": 2})["version"] == 3


# --- one room -------------------------------------------------------------------------------------


def producing() -> Game:
    """Both players of gw75 order units."""
    return sandtable.new("gw75", seed=1, position=position("production", 2, base="setup"))


def seated(database: Database, game: Game) -> tuple[Room, dict[str, Person]]:
    """A game with a person for each place; who runs which power."""
    places = game.rules.seats(game.options)
    persons = [accounts.be_guest(database, f"P{number}").person for number in range(len(places))]
    seats = [NewSeat(list(powers), "open") for powers in places]
    saved = take_apart(save_text(game).encode())
    id = lobby.create(database, persons[0], NewGame(seats), saved)
    with database.transaction() as session:
        for number, person in enumerate(persons):
            seat = session.get_one(Seat, (id, number))
            seat.kind, seat.account, seat.player = "person", person.id, person.name
    lobby.start(database, Live("sqlite://"), persons[0], id, "")
    run = {p: person for powers, person in zip(places, persons, strict=True) for p in powers}
    return Room.open(database, id), run


def known(room: Room, powers: frozenset[str]) -> bytes:
    """All that a viewer is told."""
    told = [room.hello(powers, 0, 0), history(room.past(powers)), told_of(room.since(powers))]
    told += [room.waiting, [(seat.since, seat.number) for seat in room.seats], room.head.updated]
    viewer = room.viewer(powers)
    versions = [room.marks.version(viewer, n) for n in range(room.number(powers) + 1)]
    gone = [room.marks[version].gone for version in versions]
    told.append(gone)
    for number in range(0, len(versions), 7):
        if not gone[number]:
            told.append(view(room.moment(powers, number))["picture"])
    return msgspec.json.encode(told)


@pytest.mark.parametrize("begin", [spending, producing])
@pytest.mark.parametrize("seed", range(2))
def test_whatever_one_does_all_others_see_the_same_and_it_is_stored(
    database: Database, begin: Any, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At random: orders, some with a die, and orders taken back, the last or some of those before.
    Another process follows, and a room that is opened anew, from a snapshot as well, is the
    same."""
    monkeypatch.setattr(snapshots, "EVERY", 10)
    rng = random.Random(seed)
    room, run = seated(database, begin())
    other = Room.open(database, room.id)
    viewers = {person.id: room.powers_of(person.id) for person in run.values()}
    undone = rolls = secret = 0
    while room.game.asked.any and secret < 40:
        request = rng.choice(room.game.pending)
        power, person = request.power, run[request.power]
        mine = viewers[person.id]
        others = [powers for who, powers in viewers.items() if who != person.id] + [NOBODY]
        before, asked = [known(room, powers) for powers in others], room.waiting
        own = room.number(mine)
        back = room.hello(mine, 0, 0)["back"]
        length = room.game.version
        if back and rng.random() < 0.3:
            of = [each["version"] for each in back if rng.random() < 0.5]
            room.undo(person.id, room.undoable(mine), own, of=of)
            undone += 1
        else:
            decision = room.game.legal(request).sample(rng)
            if decision == Done() and rng.random() < 0.8:
                continue
            room.decide(person.id, power, decision, own)
            rolls += any(isinstance(each, Rolled) for each in room.game.journal.since(length))
        assert room.number(mine) > own
        with pytest.raises(Stale):
            room.decide(person.id, power, Done(), own)
        if room.game.asked.any and room.waiting == asked:
            secret += 1
            assert [known(room, powers) for powers in others] == before
        other.catch_up()
        if note := room.note():
            snapshots.write(database, room.id, *note)
        for powers in (*viewers.values(), NOBODY):
            assert known(other, powers) == known(room, powers)
        if rng.random() < 0.2:
            anew = Room.open(database, room.id)
            assert anew.game.hash == room.game.hash == other.game.hash
            for powers in (*viewers.values(), NOBODY):
                assert known(anew, powers) == known(room, powers)
                assert anew.undoable(powers) == room.undoable(powers)
    assert secret > 10 and undone
    assert sandtable.verify(save_text(room.game).encode()).ok
    assert begin is not spending or rolls
