"""Escort duty, convoy raiding and blockade (8.8, 8.11)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw36.model import Facility, State, Unit
from sandtable.games.gw36.rules.combat_move import phase
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.movement import Move
from tests.gw36.hand import Hand, allowed, of, refused, state, way

WAR = [("germany", "great_britain")]


def move(type_: str, path: str, duty: str, count: int = 1) -> Move:
    return Move({type_: count}, way(path), duty)


def sea(nation: str, zone: str, *types: str, **fields: Any) -> State:
    others = fields.pop("others", {})
    units: dict[str, list[Any]] = {zone: [of(nation, type_, 4) for type_ in types]}
    for where, pieces in others.items():
        units.setdefault(where, []).extend(pieces)
    return state(nation, units=units, wars=WAR, **fields)


@pytest.mark.rule("gw36:9.11m")
@pytest.mark.rule("gw36:8.8a")
@pytest.mark.rule("gw36:8.2b")
def test_surface_warships_escort_where_a_convoy_line_runs() -> None:
    s = sea("great_britain", "sz_027", "destroyer", "light_carrier", "naval_transport", "submarine")
    allowed(s, move("destroyer", "sz_027 > sz_026", "convoy"))
    refused(s, move("destroyer", "sz_027", "convoy"), "9.11m")
    for type_ in ("light_carrier", "naval_transport", "submarine"):
        refused(s, move(type_, "sz_027 > sz_026", "convoy"), "9.11m")
    Hand(s).run(phase, move("destroyer", "sz_027 > sz_026", "convoy"), Done())
    assert s.stack("sz_026") == {
        Unit("great_britain", "destroyer", used=1, origin="sz_027", duty="convoy"): 1
    }
    assert s.planned == ()


@pytest.mark.rule("gw36:15.7a")
@pytest.mark.parametrize(
    "type_",
    ["heavy_cruiser", "battlecruiser", "coastal_defense_ship", "battleship", "fast_battleship"],
)
def test_big_ships_do_not_escort_with_the_advanced_rule(type_: str) -> None:
    allowed(sea("great_britain", "sz_026", type_), move(type_, "sz_026", "convoy"))
    s = sea("great_britain", "sz_026", type_, "light_cruiser", switches={"advanced_escort": True})
    refused(s, move(type_, "sz_026", "convoy"), "15.7a")
    allowed(s, move("light_cruiser", "sz_026", "convoy"))


@pytest.mark.rule("gw36:8.8b")
def test_a_ship_does_one_thing_at_a_time_and_once() -> None:
    s = sea("great_britain", "sz_026")
    s.put("sz_026", Unit("great_britain", "destroyer", duty="convoy"))
    refused(s, move("destroyer", "sz_026", "convoy"), "8.8b")
    allowed(s, move("destroyer", "sz_026 > sz_025", "convoy"))


@pytest.mark.rule("gw36:8.8a")
def test_no_duty_is_taken_up_among_enemy_ships() -> None:
    there = {"sz_026": [of("germany", "destroyer")]}
    s = sea("great_britain", "sz_026", "destroyer", others=there)
    refused(s, move("destroyer", "sz_026", "convoy"), "8.8a")
    under = {"sz_026": [of("germany", "submarine")]}
    allowed(
        sea("great_britain", "sz_026", "destroyer", others=under),
        move("destroyer", "sz_026", "convoy"),
    )


@pytest.mark.rule("gw36:9.11a")
@pytest.mark.rule("gw36:9.11d")
@pytest.mark.rule("gw36:9.11i")
def test_submarines_raid_what_an_enemy_can_lose_on_an_open_line() -> None:
    s = sea("germany", "sz_027", "submarine", "destroyer")
    raid = move("submarine", "sz_027 > sz_026", "raid")
    allowed(s, raid)
    refused(s, move("submarine", "sz_027", "raid"), "9.11a")
    refused(s, move("destroyer", "sz_027 > sz_026", "raid"), "9.12a")
    taken = sea("germany", "sz_027", "submarine", owners={"london": "germany"})
    refused(taken, raid, "9.11a")
    emptied = sea(
        "germany", "sz_027", "submarine", raided={("new_york_london", "great_britain"): 4}
    )
    refused(emptied, raid, "9.11a")
    peace = state("germany", units={"sz_026": [of("germany", "submarine")]})
    refused(peace, move("submarine", "sz_026", "raid"), "9.11a")
    Hand(s).run(phase, raid, Done())
    assert s.planned == (("sz_026", "raid"),)


@pytest.mark.rule("gw36:9.12a")
@pytest.mark.rule("gw36:9.12b")
def test_fast_surface_ships_raid_with_the_option_unless_escorts_are_there() -> None:
    option = {"surface_raiders": True}
    s = sea("germany", "sz_026", "heavy_cruiser", "battleship", "light_carrier", switches=option)
    allowed(s, move("heavy_cruiser", "sz_026", "raid"))
    refused(s, move("battleship", "sz_026", "raid"), "9.12a")
    refused(s, move("light_carrier", "sz_026", "raid"), "9.12a")
    escorts = {"sz_026": [of("great_britain", "destroyer", duty="convoy")]}
    s = sea("germany", "sz_026", "heavy_cruiser", "submarine", switches=option, others=escorts)
    refused(s, move("heavy_cruiser", "sz_026", "raid"), "9.12b")
    allowed(s, move("submarine", "sz_026", "raid"))


@pytest.mark.rule("gw36:9.13a")
@pytest.mark.rule("gw36:12.2.heavy-cruiser-a")
def test_mines_are_laid_with_the_option_by_those_who_can() -> None:
    refused(sea("germany", "sz_026", "submarine"), move("submarine", "sz_026", "mine"), "9.13a")
    s = sea(
        "germany",
        "sz_026",
        "submarine",
        "coastal_submarine",
        "heavy_cruiser",
        "destroyer",
        switches={"mines": True},
    )
    for type_ in ("submarine", "coastal_submarine", "heavy_cruiser"):
        allowed(s, move(type_, "sz_026", "mine"))
    refused(s, move("destroyer", "sz_026", "mine"), "9.13a")


@pytest.mark.rule("gw36:8.11a")
@pytest.mark.rule("gw36:8.11d")
@pytest.mark.rule("gw36:8.2b")
def test_warships_blockade_harbours_of_enemies() -> None:
    port = {"western_germany": [Facility("major_port", "sz_027")]}
    s = sea("great_britain", "sz_027", "destroyer", "submarine", facilities=port)
    allowed(s, move("destroyer", "sz_027", "blockade", 3))
    refused(s, move("submarine", "sz_027", "blockade"), "8.11a")
    refused(
        sea("great_britain", "sz_027", "destroyer"),
        move("destroyer", "sz_027", "blockade"),
        "8.11d",
    )
    other = {"western_germany": [Facility("major_port", "sz_014")]}
    s = sea("great_britain", "sz_027", "destroyer", facilities=other)
    refused(s, move("destroyer", "sz_027", "blockade"), "8.11d")
    neutral = {"netherlands": [Facility("major_port", "sz_027")]}
    s = sea("great_britain", "sz_027", "destroyer", facilities=neutral)
    refused(s, move("destroyer", "sz_027", "blockade"), "8.11d")
    base = {"western_germany": [Facility("submarine_base", "sz_027")]}
    s = sea("great_britain", "sz_027", "destroyer", facilities=base)
    refused(s, move("destroyer", "sz_027", "blockade"), "8.11d")


@pytest.mark.rule("gw36:9.13a")
@pytest.mark.rule("gw36:9.11a")
def test_mines_need_a_convoy_to_hurt() -> None:
    s = sea("germany", "sz_027", "submarine", switches={"mines": True})
    refused(s, move("submarine", "sz_027", "mine"), "9.11a")


@pytest.mark.rule("gw36:9.11n")
def test_ships_on_escort_that_move_are_no_longer_escorts() -> None:
    s = sea("great_britain", "sz_027", others={"sz_012": [of("germany", "destroyer")]})
    s.put("sz_027", Unit("great_britain", "destroyer", duty="convoy"))
    Hand(s).run(phase, Move({"destroyer": 1}, way("sz_027 > sz_012")), Done())
    assert [u.duty for u in s.stack("sz_012") if u.nation == "great_britain"] == ["attack"]
