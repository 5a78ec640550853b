"""Tables before the game: making, joining, leaving, starting."""

from __future__ import annotations

import json
import random
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import sandtable
from sandtable.kernel.dice import VerifiedDice, commitment_to
from sandtable.kernel.game import Rolled
from sandtable.kernel.savefile import save_text
from sandtable.kernel.saves import verify
from sandtable.server import security
from tests.server.conftest import EITHER, Player, guest
from tests.server.playing import places, watching

SAVES = Path(__file__).parent.parent / "saves"
AXIS = ["germany", "japan"]
ALLIES = ["soviet_union", "united_kingdom", "united_states"]


def seats(*kinds: str) -> list[dict[str, Any]]:
    """A seat for the Axis and one for the Allies."""
    return [
        {"powers": powers, "kind": kind, **({"bot": "random"} if kind == "bot" else {})}
        for powers, kind in zip((AXIS, ALLIES), kinds, strict=True)
    ]


def make(player: Player, *kinds: str, status: int = 201, **more: Any) -> Any:
    body = {"game": "aa1942", "seats": seats(*kinds), **more}
    return player.post("/api/games", body, status)


def test_a_new_table_shows_the_commitment_and_not_the_secret(anna: Player, ben: Player) -> None:
    info = make(anna, "me", "invited", title="  Sunday\n evening ")
    assert info["status"] == "lobby"
    assert info["title"] == "Sunday evening"
    assert info["creator"] == "Anna" and info["mine"] and info["you"] == ["Anna"]
    assert len(info["commitment"]) == 64
    assert info["secret"] is None
    path = f"/api/games/{info['id']}"
    hers, his = "a1" * 16, "be" * 16
    invite = info["seats"][1]["invite"]
    ben.post(f"{path}/join", {"invite": invite, "commitment": commitment_to(his)})
    starting = anna.post(f"{path}/start", {"commitment": commitment_to(hers)})
    assert starting["status"] == "lobby" and starting["entropy"] == []
    assert starting["commitments"] == [commitment_to(hers), commitment_to(his)]
    ben.post(f"{path}/reveal", {"entropy": his})
    started = anna.post(f"{path}/reveal", {"entropy": hers})
    assert started["status"] == "running"
    assert started["commitment"] == info["commitment"]
    assert started["entropy"] == [hers, his]
    assert started["waiting"] == ["soviet_union"]
    ben.post(f"{path}/resign", {"power": "soviet_union"})
    over = ben.get(path)
    assert over["status"] == "over"
    dice = VerifiedDice(over["secret"], tuple(over["entropy"]), info["id"])
    assert dice.commitment == info["commitment"]
    assert verify(ben.http.get(f"{path}/save").content).ok


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"game": "chess"}, "game"),
        ({"options": {"victory": "never"}}, "options"),
        ({"options": {"colour": "red"}}, "options"),
        ({"seats": [{"powers": AXIS, "kind": "me"}]}, "seats"),
        ({"seats": [{"powers": [*AXIS, *ALLIES, "germany"], "kind": "me"}]}, "seats"),
        ({"seats": [*seats("me", "me"), {"powers": ["france"], "kind": "me"}]}, "seats"),
        ({"seats": seats("me", "here")}, "player"),
        ({"seats": [*seats("me", "bot")[:1], {**seats("me", "bot")[1], "bot": "hal"}]}, "bot"),
        (
            {"seats": [{**seats("me", "me")[0], "player": "\u202eAnna"}, seats("me", "me")[1]]},
            "player",
        ),
        ({"save": "{}", "game": None}, "save"),
        ({"save": "{}", "game": "aa1942"}, "save"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_field(
    anna: Player, wrong: dict[str, Any], field: str
) -> None:
    body = {"game": "aa1942", "seats": seats("me", "me"), **wrong}
    answer = anna.post("/api/games", body, 422)
    assert answer["field"] == field
    assert answer["error"]


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"", 400),
        (b'{"seats', 400),
        (b'{"options": {"x":' + b"[" * 100_000, 400),
        (b"\xff\xfe", 400),
        (b'{"seats": []}', 422),
        (b'{"seats": 5}', 422),
        (b'{"seats": [{"powers": ["germany"], "kind": "king"}]}', 422),
        (b'{"game": "aa1942", "seats": [{"powers": ["germany"], "kind": "me"}], "x": 1}', 422),
    ],
)
def test_malformed_tables_are_refused(anna: Player, content: bytes, status: int) -> None:
    answer = anna.http.post("/api/games", content=content)
    assert answer.status_code == status
    assert answer.json()["error"]


def test_places_that_belong_together_stay_together(anna: Player) -> None:
    options = {"scenario": "campaign", "players": 2}
    places = anna.post("/api/catalogue/blitz/seats", {"options": options})["seats"]
    assert max(len(place["powers"]) for place in places) > 1
    torn = [{"powers": [power], "kind": "me"} for place in places for power in place["powers"]]
    answer = anna.post("/api/games", {"game": "blitz", "options": options, "seats": torn}, 422)
    assert "together" in answer["error"]
    whole = [{"powers": [p for place in places for p in place["powers"]], "kind": "me"}]
    anna.post("/api/games", {"game": "blitz", "options": options, "seats": whole}, 201)


def test_only_one_can_take_a_seat(anna: Player, ben: Player, app: FastAPI) -> None:
    carl = guest(app, "Carl")
    info = make(anna, "me", "open", access="public")
    path = f"/api/games/{info['id']}"
    assert [game["id"] for game in carl.get("/api/games", list="open")["games"]] == [info["id"]]
    anna.post(f"{path}/start", {}, 409)
    carl.post(f"{path}/join", {}, 422)
    carl.post(f"{path}/join", {"seat": 0}, 409)
    carl.post(f"{path}/join", {"seat": 7}, 403)
    carl.post(f"{path}/join", {"seat": 1, "commitment": "xyz"}, 422)
    carl.post(f"{path}/join", {"seat": 1, "commitment": "0" * 65}, 422)
    assert ben.post(f"{path}/join", {"seat": 1, "player": "Anna"})["you"] == ["Anna (2)"]
    carl.post(f"{path}/join", {"seat": 1}, 409)
    assert carl.get("/api/games", list="open")["games"] == []
    assert ben.post(f"{path}/leave")["seats"][1]["kind"] == "open"
    carl.post(f"{path}/join", {"seat": 1})
    carl.post(f"{path}/start", {}, 403)
    anna.post(f"{path}/start", {})
    anna.post(f"{path}/start", {}, 409)
    carl.post(f"{path}/leave", {}, 409)
    anna.delete(path, 409)


def test_who_has_left_a_private_table_does_not_see_it_any_more(anna: Player, ben: Player) -> None:
    info = make(anna, "me", "invited", access="private")
    path = f"/api/games/{info['id']}"
    invite = {"invite": info["seats"][1]["invite"]}
    ben.post(f"{path}/join", invite)
    ben.post(f"{path}/leave")
    ben.get(path, 404)
    ben.post(f"{path}/join", invite)
    ben.get(path)


@pytest.mark.parametrize("connected", [False, True])
def test_an_invitation_shows_its_seat_to_whoever_has_it_and_nobody_else(
    anna: Player, ben: Player, connected: bool
) -> None:
    invited = [
        {"powers": AXIS, "kind": "me"},
        {"powers": ALLIES, "kind": "invited", "player": " Ben  B. "},
    ]
    info = anna.post("/api/games", {"game": "aa1942", "seats": invited, "access": "link"}, 201)
    invite = info["seats"][1]["invite"]
    assert info["seats"][1]["player"] == "Ben B."
    path = f"/api/games/{info['id']}"
    with watching(anna, info["id"]) if connected else nullcontext():
        assert ben.get(path, invite=invite)["seats"][1]["invite"] == invite
        assert ben.get(path, invite=f"{invite}x")["seats"][1]["invite"] is None
        assert ben.get(path)["seats"][1]["invite"] is None
        assert ben.post(f"{path}/join", {"invite": invite})["seats"][1]["player"] == "Ben"
        assert ben.get(path, invite=invite)["seats"][1]["invite"] is None


@EITHER
def test_everybody_at_the_table_hears_of_changes(anna: Player, ben: Player) -> None:
    info = make(anna, "me", "open")
    path = f"/api/games/{info['id']}"
    with watching(anna, info["id"]) as hers, watching(ben, info["id"]) as his:
        assert his.mirror.log == [] and his.mirror.pending == []
        ben.post(f"{path}/join", {"seat": 1})
        assert his.until_type("hello")["info"]["you"] == ["Ben"]
        assert hers.until_type("info")["info"]["seats"][1]["player"] == "Ben"
        anna.post(f"{path}/start", {})
        hello = his.until_type("hello")
        assert hello["info"]["status"] == "running"
        assert [request["power"] for request in hello["pending"]] == ["soviet_union"]
        assert hers.until_type("hello")["pending"] == []


def test_a_table_that_is_given_up_is_gone(anna: Player, ben: Player) -> None:
    info = make(anna, "me", "open")
    path = f"/api/games/{info['id']}"
    ben.post(f"{path}/chat", {"text": "Hello"})
    ben.delete(path, 403)
    anna.delete(path, 204)
    anna.get(path, 404)
    assert anna.get("/api/games", list="mine")["games"] == []


def test_two_people_at_one_screen_look_as_themselves(anna: Player) -> None:
    both = [
        {"powers": AXIS, "kind": "me"},
        {"powers": ALLIES, "kind": "here", "player": "Ben"},
    ]
    info = anna.post("/api/games", {"game": "aa1942", "seats": both}, 201)
    assert info["you"] == ["Anna", "Ben"]
    anna.post(f"/api/games/{info['id']}/start", {})
    with watching(anna, info["id"], **{"as": "Anna"}) as hers:
        assert hers.mirror.pending == []
    with watching(anna, info["id"], **{"as": "Ben"}) as his:
        assert [request["power"] for request in his.mirror.pending] == ["soviet_union"]
    text = anna.http.get(f"/api/games/{info['id']}/save").text
    assert verify(text.encode()).ok, "a game without others can be saved at any time"


def test_foreign_saves_are_refused_with_a_reason(anna: Player) -> None:
    text = save_text(sandtable.new("aa1942", seed=1))
    by_hand = save_text(sandtable.new("aa1942", chance="explicit"))
    newer = text.replace('"format_version": 2', '"format_version": 9')
    changed = text.replace('"seed": 1', '"seed": 2')
    for save, words in {
        "": "not JSON",
        "hello": "not JSON",
        "[1, 2]": "not a Sandtable save",
        text[:-40]: "cut off",
        changed: "changed after it was written",
        newer: "update",
        by_hand: "by hand",
    }.items():
        answer = anna.post("/api/games", {"save": save, "seats": seats("me", "me")}, 422)
        assert words in answer["error"], answer
    anna.post("/api/games", {"save": text, "seats": seats("me", "me")}, 201)


def test_lists_are_of_those_who_ask(web: TestClient, anna: Player, ben: Player) -> None:
    first = make(anna, "me", "bot")
    second = make(anna, "me", "invited")
    ben.post(f"/api/games/{second['id']}/join", {"invite": second["seats"][1]["invite"]})
    mine = anna.get("/api/games", list="mine")["games"]
    assert {game["id"] for game in mine} == {first["id"], second["id"]}
    assert [game["id"] for game in ben.get("/api/games", list="mine")["games"]] == [second["id"]]
    assert web.get("/api/games?list=mine").json() == {"games": []}
    assert web.get("/api/games?list=all").status_code == 400


def test_a_save_that_takes_too_long_is_refused(
    anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = save_text(sandtable.new("aa1942", seed=1))
    monkeypatch.setattr("sandtable.server.verifying.LOADING_SECONDS", 0.0)
    answer = anna.post("/api/games", {"save": text, "seats": seats("me", "me")}, 422)
    assert "too long" in answer["error"] and answer["field"] == "save"


def test_a_save_with_other_rolls_than_its_dice_give_is_refused(anna: Player) -> None:
    game = sandtable.new("blitz", seed=3)
    rng = random.Random(1)
    while not any(isinstance(entry, Rolled) for entry in game.journal):
        request = game.pending[0]
        game.submit(request.power, game.legal(request).sample(rng))
    game.dice = VerifiedDice("00", (), "other")
    first = next(entry for entry in game.journal if isinstance(entry, Rolled))
    assert game.dice.roll(0, len(first.faces), first.sides) != first.faces
    places = [{"powers": ["germany"], "kind": "me"}, {"powers": ["afa"], "kind": "me"}]
    answer = anna.post("/api/games", {"save": save_text(game), "seats": places}, 422)
    assert "not what the dice give" in answer["error"]


def test_endless_options_are_refused(anna: Player) -> None:
    sides = [["germany", "japan"], ["soviet_union", "united_kingdom", "united_states"]]
    players = dict(zip(("x" * 20_000, "y"), sides, strict=True))
    answer = make(anna, "me", "me", status=422, options={"players": players})
    assert answer["field"] == "options"


def test_the_creator_changes_seats_before_the_start(
    anna: Player, ben: Player, app: FastAPI
) -> None:
    info = make(anna, "me", "invited", access="private")
    path = f"/api/games/{info['id']}"
    old = info["seats"][1]["invite"]
    ben.post(f"{path}/seats/1", {"kind": "bot", "bot": "casual"}, 404)
    # Invited again: the old link is dead.
    invite = anna.post(f"{path}/seats/1", {"kind": "invited", "player": "Ben"})["seats"][1][
        "invite"
    ]
    assert invite and invite != old
    ben.post(f"{path}/join", {"invite": old}, 404)
    ben.post(f"{path}/join", {"invite": invite, "commitment": commitment_to("b0" * 16)})
    ben.post(f"{path}/seats/0", {"kind": "open"}, 403)
    # Whoever sat there is out, and may not look any more.
    seat = anna.post(f"{path}/seats/1", {"kind": "bot", "bot": "casual"})["seats"][1]
    assert (seat["kind"], seat["bot"], seat["level"], seat["player"]) == (
        "bot",
        "casual",
        "Normal",
        "",
    )
    ben.get(path, 404)
    seat = anna.post(f"{path}/seats/1", {"kind": "here", "player": "Anna"})["seats"][1]
    assert (seat["kind"], seat["mine"]) == ("person", True)
    assert anna.post(f"{path}/seats/1", {"kind": "open"})["seats"][1]["kind"] == "open"
    for wrong, status in (
        ({"kind": "bot", "bot": "hal"}, 422),
        ({"kind": "here"}, 422),
        ({"kind": "king"}, 422),
        ({"kind": "me", "player": "x" * 201}, 422),
        ({"kind": "open", "powers": ["germany"]}, 422),
    ):
        anna.post(f"{path}/seats/1", wrong, status)
    anna.post(f"{path}/seats/7", {"kind": "open"}, 404)
    anna.post(f"{path}/seats/-1", {"kind": "open"}, 400)
    anna.post(f"{path}/seats/1", {"kind": "bot", "bot": "random"})
    anna.post(f"{path}/start", {})
    anna.post(f"{path}/seats/1", {"kind": "open"}, 409)


def test_a_table_says_which_game_with_which_options_and_clock(anna: Player) -> None:
    options = {"victory": "total", "dardanelles": True, "cities": 12}
    clock = {"hours": 5 / 60, "then": "wait"}
    info = make(anna, "me", "open", title="Sunday", options=options, clock=clock)
    assert (info["name"], info["title"]) == ("Axis & Allies 1942, 2nd Edition", "Sunday")
    assert info["options"] == [["Victory", "All cities"], ["Dardanelles", "Yes"]]
    assert info["clock"] == clock
    make(anna, "me", "open", clock={"hours": 0.001, "then": "wait"}, status=422)


def test_a_save_is_looked_at_before_a_table_is_made_and_a_finished_one_opens(
    anna: Player, app: FastAPI
) -> None:
    game = sandtable.new("aa1942", seed=1)
    game.submit("soviet_union", {"kind": "buy", "units": {}})
    text = save_text(game)
    found = anna.post("/api/games/saves", json.loads(text))
    assert (found["game"], found["decisions"], found["result"]) == ("aa1942", 1, None)
    broken = text.replace('"hash": "', '"hash": "0')
    assert "checksum" in anna.post("/api/games/saves", json.loads(broken), 422)["error"]
    Player(app).post("/api/games/saves", json.loads(text), 401)
    # A long game is no smaller than other bodies may be.
    long = sandtable.new("gw36", seed=1)
    rng = random.Random(1)
    while long.version < 700:
        request = long.pending[0]
        long.submit(request.power, long.legal(request).sample(rng))
    text = save_text(long)
    assert len(text) > security.BODY
    assert anna.post("/api/games/saves", json.loads(text))["game"] == "gw36"
    # One that is over is over at once, and can be looked at.
    finished = SAVES.joinpath("blitz-0.1.0-finished-verified.json").read_text()
    found = anna.post("/api/games/saves", json.loads(finished))
    assert found["title"] == "Blitz! A World in Conflict" and found["result"]["winners"]
    powers = [p for place in places(anna, "blitz", found["options"]) for p in place]
    mine = [{"powers": powers, "kind": "me"}]
    id = anna.post("/api/games", {"save": finished, "seats": mine}, 201)["id"]
    info = anna.post(f"/api/games/{id}/start", {})
    assert (info["status"], info["result"]["winners"]) == ("over", found["result"]["winners"])
    assert anna.get(f"/api/games/{id}/history")["steps"]


def test_another_game_goes_on_from_a_past_moment(anna: Player, ben: Player) -> None:
    id = make(anna, "me", "me", title="Sunday")["id"]
    path = f"/api/games/{id}"
    anna.post(f"{path}/branch", {"at": 0}, 409)
    anna.post(f"{path}/start", {})
    for version, units in enumerate(({"infantry": 8}, {})):
        decision = {"kind": "buy", "units": units} if not version else {"kind": "done"}
        body = {"power": "soviet_union", "decision": decision, "version": version}
        anna.post(f"{path}/decisions", body)
    made = anna.post(f"{path}/branch", {"at": 1}, 201)
    assert (made["title"], made["status"], made["version"]) == ("Sunday (branch)", "lobby", 1)
    assert [(s["powers"], s["kind"]) for s in made["seats"]] == [
        (AXIS, "person"),
        (ALLIES, "person"),
    ]
    started = anna.post(f"/api/games/{made['id']}/start", {})
    assert (started["status"], started["waiting"]) == ("running", ["soviet_union"])
    body = {"power": "soviet_union", "decision": {"kind": "done"}, "version": 1}
    anna.post(f"/api/games/{made['id']}/decisions", body)
    assert anna.get(path)["version"] == 2, "the first one stays as it is"
    assert verify(anna.http.get(f"/api/games/{made['id']}/save").content).ok
    anna.post(f"{path}/branch", {"at": 99}, 404)
    anna.post(f"{path}/branch", {"at": -1}, 422)
    ben.post(f"{path}/branch", {"at": 0}, 403)
    # With others only when it is over.
    shared = make(anna, "me", "open")["id"]
    ben.post(f"/api/games/{shared}/join", {"seat": 1})
    anna.post(f"/api/games/{shared}/start", {})
    anna.post(f"/api/games/{shared}/branch", {"at": 0}, 403)
    ben.post(f"/api/games/{shared}/resign", {"power": "soviet_union"})
    made = anna.post(f"/api/games/{shared}/branch", {"at": 0}, 201)
    assert [(s["kind"], s["level"]) for s in made["seats"]] == [("person", ""), ("bot", "Hard")]
