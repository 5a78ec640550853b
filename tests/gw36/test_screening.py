"""Screening forces (8.10)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.combat_move import phase
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.transports import Load, Sail
from tests.gw36.hand import Hand, allowed, of, refused, state, way

WAR = [("germany", "great_britain")]


def fleet(*theirs: Any, screening: bool = True, **fields: Any) -> State:
    units = {
        "sz_027": [
            of("germany", "battleship"),
            of("germany", "destroyer", 3),
            of("germany", "naval_transport"),
            of("germany", "torpedo_boat_destroyer"),
        ],
        "western_germany": [of("germany", "infantry", 2)],
        "sz_026": list(theirs),
        "sz_025": [of("great_britain", "destroyer")],
    }
    return state("germany", units=units, wars=WAR, switches={"screening": screening}, **fields)


SCREEN = Move({"destroyer": 1}, way("sz_027 > sz_026"), "screen")
FOLLOW = Move({"destroyer": 2}, way("sz_027 > sz_026"), "follow", "sz_025")
BLOCKER = of("great_britain", "destroyer")


@pytest.mark.rule("gw36:8.10a")
def test_part_of_a_fleet_fights_and_the_rest_waits_to_go_on() -> None:
    s = fleet(BLOCKER)
    refused(s, FOLLOW, "8.10a")  # without a screen
    Hand(s).run(phase, SCREEN, FOLLOW, Done())
    duties = {u.duty: n for u, n in s.stack("sz_026").items() if u.nation == "germany"}
    assert duties == {"screen": 1, "follow": 2}
    assert s.planned == (("sz_026", "naval"),)


@pytest.mark.rule("gw36:8.10a")
def test_screening_can_be_switched_off() -> None:
    refused(fleet(BLOCKER, screening=False), SCREEN, "8.10a")


@pytest.mark.rule("gw36:8.10a")
def test_a_screen_needs_enemies_and_guns() -> None:
    refused(fleet(), SCREEN, "8.10a")
    refused(fleet(of("great_britain", "destroyer", duty="convoy")), SCREEN, "8.10a")
    refused(fleet(BLOCKER), Move({"naval_transport": 1}, way("sz_027 > sz_026"), "screen"), "8.10a")


@pytest.mark.rule("gw36:9.7b")
@pytest.mark.rule("gw36:9.7c")
def test_who_follows_goes_to_the_next_zone_and_has_movement_left() -> None:
    s = fleet(BLOCKER)
    Hand(s).run(phase, SCREEN, Done())
    refused(s, Move({"destroyer": 1}, way("sz_027 > sz_026"), "follow", "sz_038"), "9.7b")
    allowed(s, Move({"battleship": 1}, way("sz_027 > sz_026"), "follow", "sz_025"))
    far = fleet(BLOCKER)
    far.put("sz_026", Unit("germany", "destroyer", duty="screen"))
    far.put("sz_012", Unit("germany", "battleship"))
    refused(
        far, Move({"battleship": 1}, way("sz_012 > sz_027 > sz_026"), "follow", "sz_025"), "9.7c"
    )


@pytest.mark.rule("gw36:8.10a")
@pytest.mark.rule("gw36:9.7b")
def test_a_transport_follows_to_land_beyond_the_screen() -> None:
    s = fleet(BLOCKER)
    s.take("sz_025", Unit("great_britain", "destroyer"))
    go = Sail(
        way("sz_027 > sz_026"),
        (Load("western_germany", {"infantry": 2}),),
        "scotland",
        follow="sz_025",
    )
    Hand(s).run(phase, SCREEN, go, Done())
    (ship,) = (u for u in s.stack("sz_026") if u.type == "naval_transport")
    assert (ship.duty, ship.target) == ("follow", "sz_025")
    assert {(p.duty, p.target) for p in ship.cargo} == {("assault", "scotland")}


@pytest.mark.rule("gw36:8.9h")
@pytest.mark.rule("gw36:9.7b")
def test_where_the_enemy_declines_the_force_goes_on_at_once() -> None:
    s = fleet(of("great_britain", "submarine"))
    Hand(s).run(phase, SCREEN, FOLLOW, Done(), None)
    assert s.planned == (("sz_025", "naval"),)
    assert {u.duty for u in s.stack("sz_025") if u.nation == "germany"} == {"attack"}
    assert {u.duty for u in s.stack("sz_026") if u.nation == "germany"} == {"moved"}
