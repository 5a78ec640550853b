"""What players see of each other's production: the points, and nothing of the orders."""

from __future__ import annotations

import pytest

from sandtable.games.gw75 import secrets, view
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.production import Undeplete
from sandtable.games.gw75.seats import PLAYERS
from tests.gw75.table import Done, state, table


@pytest.fixture
def s() -> State:
    return state(
        "production",
        5,
        track=[
            {"nation": "germany", "type": "ss", "due": 8},
            {"nation": "italy", "type": "surf_b", "due": 9},
            {"nation": "usa", "type": "abomb", "due": 15},
        ],
        started={"germany": {"ss": 1}, "usa": {"abomb": 1}},
        dead={"commonwealth": {"inf": 2}},
        stock={"japan": 1},
        points={"germany": {"": 7}, "usa": {"": 3}},
    )


@pytest.mark.rule("gw75:4.2i")
def test_the_production_tracks_of_others_lie_face_down(s: State) -> None:
    axis, allies = secrets.observe(s, "germany"), secrets.observe(s, "commonwealth")
    assert [job["type"] for job in axis["track"]] == ["ss", "surf_b"]
    assert [job["type"] for job in allies["track"]] == ["abomb"]
    assert axis["started"] == [[("germany", "ss"), 1]]
    assert allies["points"] == [[("usa", ""), 3]]
    assert allies["dead"] == [[("commonwealth", "inf"), 2]]
    assert (axis["stock"], allies["stock"]) == ({"japan": 1}, {})
    assert secrets.observe(s, "")["track"] == []
    assert secrets.hiding(s) == ("germany", "commonwealth")


@pytest.mark.rule("gw75:4.2i")
def test_the_picture_shows_ones_own_track_only(s: State) -> None:
    def tracks(*powers: str) -> dict[str, list[str]]:
        pools = view.picture(s, powers).pools
        return {pool.power: [piece.symbol for piece in pool.pieces] for pool in pools}

    assert tracks("germany", "italy", "japan") == {
        "germany": ["submarine"],
        "italy": ["battleship"],
    }
    assert tracks("commonwealth") == {"usa": ["atomic_bomb"]}
    assert tracks() == {}
    for powers, shown in ((("commonwealth",), True), (("germany",), False)):
        rows = [
            row.label
            for sheet in view.picture(s, powers).sheets
            for row in sheet.rows
            if row.group == "Can be rebuilt"
        ]
        assert bool(rows) == shown


@pytest.mark.rule("gw75:4.2i", "gw75:18.32a")
def test_others_do_not_see_that_a_ship_is_to_be_restored_until_all_have_ordered() -> None:
    carrier = {"surf_a": [{"depleted": True, "idle": True}]}
    t = table("production", 5, units={"E2610": {"japan": carrier}}, track=[])

    def seen() -> tuple[object, ...]:
        picture = view.picture(t.s, ("commonwealth",))
        state = secrets.observe(t.s, "commonwealth")
        drawn = (picture.spaces, picture.tracks, picture.sheets, picture.pools)
        return state, *drawn, view.figures(t.s), view.derived(t.s)

    before = seen()
    t.do(Undeplete("japan", "surf_a", "E2610", 1, "japan"), by="germany")
    assert t.s.track[0].hex == "E2610"
    assert seen() == before
    assert secrets.observe(t.s, "germany")["track"]
    t.do(Done(), by="germany").do(Done(), by="commonwealth")
    assert not view.picture(t.s, ("commonwealth",)).spaces["E2610"].stacks
    assert view.figures(t.s)["Fleets"]["japan"] == 0


@pytest.mark.rule("gw75:4.2i", "gw75:18.21")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_others_do_not_see_what_is_due_until_it_is_placed(players: int) -> None:
    powers = ("germany", "japan", "commonwealth", "usa", "ussr")
    due = [{"nation": power, "type": "inf", "due": 5} for power in powers]
    t = table("reinforcement", 5, track=[], due=due, options={"players": players})
    for power in powers:
        if PLAYERS[players][power] != power:
            continue
        own = {nation for nation in powers if PLAYERS[players][nation] == power}
        seen = t.game.observe(power)["state"]["due"]
        assert {job["nation"] for job in seen} == own
        pools = view.picture(t.s, (power,)).pools
        assert {pool.power for pool in pools} == own
    assert set(secrets.hiding(t.s)) == {PLAYERS[players][power] for power in powers}
