"""Who plays alone may change the position by hand, and everybody can see it; nobody else may."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from sandtable.server.verifying import look_at
from tests.server.conftest import Player
from tests.server.playing import table, watching

ALL = ["soviet_union", "germany", "united_kingdom", "japan", "united_states"]
MORE = {"treasury": {"germany": 77}}


def edited(player: Player, id: str, patch: Any, version: int, status: int = 200) -> Any:
    body = {"power": "soviet_union", "patch": patch, "version": version}
    return player.post(f"/api/games/{id}/edit", body, status)


def test_an_edit_is_told_taken_back_stored_and_verified(anna: Player) -> None:
    id = table(anna, "aa1942", [(anna, ALL)])
    with watching(anna, id) as watcher:
        found = anna.get(f"/api/games/{id}/editor", power="soviet_union", space="caucasus")
        rows = {tuple(row["path"]): row.get("value", 0) for row in found["editor"]["rows"]}
        assert rows["treasury", "germany"] != 77
        at = ("units", "caucasus", "soviet_union", "infantry")
        patch = {"units": {"caucasus": {"soviet_union": {"infantry": rows[at] + 2}}}}
        assert edited(anna, id, patch, 0) == {"version": 1}
        mirror = watcher.until(1)
        assert mirror.log[-1]["text"] == "Edited: 2 infantry of the Soviet Union added to Caucasus."
        assert mirror.log[-1]["kind"] == "edited"
        assert watcher.until_type("info")["info"]["edited"] is True
    assert anna.get(f"/api/games/{id}")["edited"] is True
    (step,) = anna.get(f"/api/games/{id}/history")["steps"]
    assert step["text"].startswith("Edited: ")
    (again,) = anna.get(f"/api/games/{id}/replay", after=0)["steps"]
    assert "caucasus" in again["changes"]["spaces"]

    anna.post(f"/api/games/{id}/undo", {"power": "soviet_union", "version": 1})
    assert anna.get(f"/api/games/{id}")["edited"] is False
    edited(anna, id, MORE, 2)
    edited(anna, id, patch, 3)
    # The first of the two goes, and the other stays.
    body = {"power": "soviet_union", "version": 4, "of": [3]}
    assert anna.post(f"/api/games/{id}/undo", body)["lost"] == 0
    save = anna.http.get(f"/api/games/{id}/save").text
    assert json.loads(save)["edited"] == [0]
    found = look_at(save.encode())
    assert found.ok and len(found.edits) == 1
    assert "2 infantry of the Soviet Union added to Caucasus" in found.edits[0]
    # A game that goes on from there says so.
    branch = anna.post(f"/api/games/{id}/branch", {"at": 7}, 201)
    assert branch["edited"] is True
    before = anna.post(f"/api/games/{id}/branch", {"at": 0}, 201)
    assert before["edited"] is False


@pytest.mark.parametrize(
    "patch",
    [
        {},
        {"units": {"nowhere": {"germany": {"infantry": 1}}}},
        {"units": {"germany": {"germany": {"elephant": 1}}}},
        {"units": {"germany": {"germany": {"infantry": 100}}}},
        {"units": {"sz5": {"germany": {"infantry": 1}}}},
        {"units": {"germany": {"japan": {"battleship": 1}}}},
        {"treasury": {"germany": -1}},
        {"treasury": {"germany": 10**15}},
        {"treasury": {"germany": "much"}},
        {"control": {"germany": "soviet_union"}},
        {"control": {"germany": "nobody"}},
        {"round": 5},
        {"units": {f"x{n}": {} for n in range(600)}},
        {"units": {"germany": [[[[[[[[[[[[1]]]]]]]]]]]]}},
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(solo: tuple[Player, str], patch: Any) -> None:
    anna, id = solo
    refusal = edited(anna, id, patch, 0, 422)
    assert refusal["error"].endswith(".")
    info = anna.get(f"/api/games/{id}")
    assert (info["version"], info["edited"]) == (0, False)


@pytest.fixture
def solo(anna: Player) -> tuple[Player, str]:
    """A game against a bot, whose turn comes second."""
    return anna, table(anna, "aa1942", [(anna, ALL[:1]), ("greedy", ALL[1:])])


def test_never_where_others_play_or_a_clock_runs(
    anna: Player, ben: Player, solo: tuple[Player, str]
) -> None:
    shared = table(anna, "aa1942", [(anna, ALL[::2]), (ben, ALL[1::2])])
    left = table(anna, "aa1942", [(anna, ALL[::4]), (ben, ALL[2:3]), ("greedy", ALL[1:4:2])])
    clock = {"hours": 24, "then": "wait"}
    timed = table(anna, "aa1942", [(anna, ALL)], clock=clock)
    for id in (shared, timed):
        assert "one person" in edited(anna, id, MORE, 0, 403)["error"]
        anna.get(f"/api/games/{id}/editor", status=403, power="soviet_union")
        assert anna.get(f"/api/games/{id}")["version"] == 0
    # One who has resigned was a person as well.
    ben.post(f"/api/games/{left}/resign", {"power": "united_kingdom"})
    version = anna.get(f"/api/games/{left}")["version"]
    edited(anna, left, MORE, version, 403)
    edited(ben, left, MORE, version, 403)
    _, id = solo
    # Nor by a stranger, nor by way of a bot's power, nor for another version.
    edited(ben, id, MORE, 0, 403)
    body = {"power": "germany", "patch": MORE, "version": 0}
    anna.post(f"/api/games/{id}/edit", body, 403)
    edited(anna, id, MORE, 7, 409)
    edited(anna, id, MORE, 0)


def test_nobody_comes_in_without_a_session(web: TestClient, solo: tuple[Player, str]) -> None:
    body = {"power": "soviet_union", "patch": MORE, "version": 0}
    assert web.post(f"/api/games/{solo[1]}/edit", json=body).status_code in (401, 403)


def test_a_room_that_is_opened_anew_knows(app: FastAPI, solo: tuple[Player, str]) -> None:
    anna, id = solo
    edited(anna, id, MORE, 0)
    app.state.rooms._tables.clear()
    assert anna.get(f"/api/games/{id}")["edited"] is True
    view = anna.get(f"/api/games/{id}/view")
    assert view["version"] == 1
    assert edited(anna, id, {"treasury": {"germany": 78}}, 1) == {"version": 2}
