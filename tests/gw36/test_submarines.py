"""Submarines and patrols that fight or let pass (8.7, 8.9), and the order of it (8.10)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.combat_move import phase
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.patrol import resume
from sandtable.games.gw36.rules.submarines import Engage, Intercept
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision
from tests.gw36.hand import Hand, of, refused, state, way

WAR = [("germany", "great_britain")]


def move(type_: str, path: str, duty: str = "", count: int = 1) -> Move:
    return Move({type_: count}, way(path), duty)


def play(s: State, *answers: Decision | None) -> Hand:
    hand = Hand(s)
    hand.run(phase, *answers)
    return hand


def asked(hand: Hand) -> list[tuple[str, str, dict[str, int]]]:
    return [(r.power, r.zone, r.most) for r in hand.asked if isinstance(r, Intercept)]


def meeting(mine: dict[str, list[Any]], theirs: dict[str, list[Any]]) -> State:
    """Germany's turn: its units, and British ones."""
    units: dict[str, list[Any]] = {}
    for some in (mine, theirs):
        for zone, pieces in some.items():
            units.setdefault(zone, []).extend(pieces)
    return state("germany", units=units, wars=WAR)


BOAT = [of("germany", "submarine")]
FLEET = [
    of("great_britain", "battleship"),
    of("great_britain", "destroyer"),
    of("great_britain", "naval_transport"),
]
PATROL = [of("great_britain", "medium_bomber", duty="patrol")]


@pytest.mark.rule("gw36:8.9a")
@pytest.mark.rule("gw36:8.9c")
@pytest.mark.rule("gw36:8.9e")
@pytest.mark.rule("gw36:8.6c")
def test_example_a_a_submarine_ignores_a_fleet_and_goes_on() -> None:
    s = meeting({"sz_027": BOAT}, {"sz_026": FLEET, "sz_025": FLEET})
    hand = play(s, move("submarine", "sz_027 > sz_026 > sz_025", "declined"), Done())
    assert asked(hand) == []
    assert s.planned == ()
    assert s.stack("sz_025")[Unit("germany", "submarine", 0, 2, "sz_026", "declined")] == 1
    resume(s)
    assert [u.duty for u in s.stack("sz_025") if u.nation == "germany"] == ["moved"]


@pytest.mark.rule("gw36:8.9a")
@pytest.mark.rule("gw36:8.9e")
def test_a_submarine_may_attack_what_it_meets() -> None:
    s = meeting({"sz_027": BOAT}, {"sz_026": FLEET})
    hand = play(s, move("submarine", "sz_027 > sz_026"), Done())
    assert asked(hand) == []
    assert s.planned == (("sz_026", "naval"),)


@pytest.mark.rule("gw36:8.9a")
def test_only_submarines_decline() -> None:
    s = meeting({"sz_027": [of("germany", "destroyer")]}, {"sz_026": FLEET})
    refused(s, move("destroyer", "sz_027 > sz_026", "declined"), "8.9a")
    empty = meeting({"sz_027": BOAT}, {})
    refused(empty, move("submarine", "sz_027 > sz_026", "declined"), "8.9e")


@pytest.mark.rule("gw36:8.9i")
@pytest.mark.rule("gw36:8.9c")
def test_example_b_a_raider_is_not_drawn_into_battle() -> None:
    escort = [of("great_britain", "light_cruiser", duty="convoy")]
    s = meeting({"sz_027": BOAT}, {"sz_026": [*escort, *PATROL]})
    hand = play(s, move("submarine", "sz_027 > sz_026", "raid"), Done())
    assert asked(hand) == []
    assert s.planned == (("sz_026", "raid"),)
    s = meeting({"sz_027": BOAT}, {"sz_026": [*escort, *PATROL]})
    play(s, move("submarine", "sz_027 > sz_026"), Done(), Engage({"medium_bomber": 1}))
    assert s.planned == (("sz_026", "naval"),)


@pytest.mark.rule("gw36:8.7d")
@pytest.mark.rule("gw36:8.9b")
@pytest.mark.rule("gw36:8.9f")
@pytest.mark.rule("gw36:8.7l")
def test_example_c_a_patrol_stops_a_submarine_that_passes() -> None:
    s = meeting({"sz_027": BOAT}, {"sz_026": PATROL, "sz_025": FLEET})
    through = move("submarine", "sz_027 > sz_026 > sz_025", "declined")
    hand = play(s, through, Engage({"medium_bomber": 1}), Done())
    assert asked(hand) == [("great_britain", "sz_026", {"medium_bomber": 1})]
    stopped = Unit("germany", "submarine", 0, 1, "sz_027", "attack", "forced")
    assert s.stack("sz_026")[stopped] == 1
    assert s.planned == (("sz_026", "naval"),)


@pytest.mark.rule("gw36:8.7e")
def test_a_patrol_may_let_pass() -> None:
    s = meeting({"sz_027": BOAT}, {"sz_026": PATROL, "sz_025": FLEET})
    hand = play(s, move("submarine", "sz_027 > sz_026 > sz_025", "declined"), None, Done())
    assert len(asked(hand)) == 1
    assert s.planned == ()
    assert any(u.nation == "germany" for u in s.stack("sz_025"))
    assert [u.duty for u in s.stack("sz_026")] == ["patrol"]


@pytest.mark.rule("gw36:8.9b")
@pytest.mark.rule("gw36:8.9f")
@pytest.mark.rule("gw36:8.10c")
def test_a_submarine_that_ends_its_move_under_a_patrol_may_have_to_fight() -> None:
    def slip(answer: Decision | None) -> State:
        s = meeting({"sz_027": BOAT}, {"sz_026": PATROL})
        play(s, move("submarine", "sz_027 > sz_026", "declined"), Done(), answer)
        return s

    s = slip(Engage({"medium_bomber": 1}))
    assert s.planned == (("sz_026", "naval"),)
    forced = Unit("germany", "submarine", 0, 1, "sz_027", "attack", "forced")
    assert s.stack("sz_026")[forced] == 1
    s = slip(None)
    assert s.planned == ()
    declined = Unit("great_britain", "medium_bomber", duty="declined", target="patrol")
    assert s.stack("sz_026")[declined] == 1
    resume(s)
    assert s.stack("sz_026")[Unit("great_britain", "medium_bomber", duty="patrol")] == 1


@pytest.mark.rule("gw36:8.7k")
@pytest.mark.rule("gw36:8.7l")
def test_aircraft_on_a_carrier_force_a_submarine_to_fight_unless_it_is_damaged() -> None:
    planes = (Unit("great_britain", "fighter"), Unit("great_britain", "tactical_bomber"))
    for hits in (0, 1):
        deck = [of("great_britain", "fleet_carrier", hits=hits, cargo=planes)]
        s = meeting({"sz_027": BOAT}, {"sz_026": deck, "sz_025": FLEET})
        through = move("submarine", "sz_027 > sz_026 > sz_025", "declined")
        if hits:
            assert asked(play(s, through, Done())) == []
        else:
            hand = play(s, through, Engage({"fighter": 1}), Done())
            assert asked(hand) == [
                ("great_britain", "sz_026", {"fighter": 1, "tactical_bomber": 1})
            ]
            assert s.planned == (("sz_026", "naval"),)


@pytest.mark.rule("gw36:8.9g")
@pytest.mark.rule("gw36:8.9h")
@pytest.mark.rule("gw36:8.9d")
@pytest.mark.rule("gw36:9.10a")
def test_a_fleet_meets_submarines_which_choose_unless_aircraft_patrol_over_them() -> None:
    ships = [of("germany", "destroyer", 2)]
    lurking = {"sz_026": [of("great_britain", "submarine", 2)]}
    s = meeting({"sz_027": ships}, lurking)
    hand = play(s, move("destroyer", "sz_027 > sz_026", count=2), Done(), None)
    assert asked(hand) == [("great_britain", "sz_026", {"submarine": 2})]
    assert s.planned == ()
    assert {u.duty for u in s.stack("sz_026") if u.nation == "germany"} == {"moved"}
    s = meeting({"sz_027": ships}, lurking)
    play(s, move("destroyer", "sz_027 > sz_026", count=2), Done(), Engage({"submarine": 1}))
    assert s.planned == (("sz_026", "naval"),)
    assert s.stack("sz_026")[Unit("great_britain", "submarine", duty="declined")] == 1
    hunted = {"sz_027": ships, "sz_026": [of("germany", "seaplane", duty="patrol")]}
    s = meeting(hunted, lurking)
    hand = play(s, move("destroyer", "sz_027 > sz_026", count=2), Done())
    assert asked(hand) == []
    assert s.planned == (("sz_026", "naval"),)


@pytest.mark.rule("gw36:8.9h")
def test_submarines_stop_a_fleet_that_passes_if_they_want_to() -> None:
    ships = [of("germany", "destroyer")]
    theirs = {"sz_026": [of("great_britain", "submarine")], "sz_025": FLEET}
    for answer in (None, Engage({"submarine": 1})):
        s = meeting({"sz_027": ships}, theirs)
        hand = play(s, move("destroyer", "sz_027 > sz_026 > sz_025"), answer, Done())
        assert len(asked(hand)) == 1
        zone = "sz_026" if answer else "sz_025"
        assert s.planned == ((zone, "naval"),)


@pytest.mark.rule("gw36:8.7e")
@pytest.mark.rule("gw36:8.7f")
def test_a_patrol_may_decline_ships_without_aircraft_only() -> None:
    def enter(*mine: Any, answer: Any = "none") -> tuple[State, Hand]:
        s = meeting({"sz_027": list(mine)}, {"sz_026": PATROL})
        types = {unit.type: count for unit, count in mine}
        answers = () if answer == "none" else (answer,)
        return s, play(s, Move(types, way("sz_027 > sz_026")), Done(), *answers)

    s, _ = enter(of("germany", "heavy_cruiser", 2), answer=None)
    assert s.planned == ()
    s, _ = enter(of("germany", "heavy_cruiser", 2), answer=Engage({"medium_bomber": 1}))
    assert s.planned == (("sz_026", "naval"),)
    deck = of("germany", "light_carrier", cargo=(Unit("germany", "fighter"),))
    s, hand = enter(of("germany", "heavy_cruiser", 2), deck)
    assert asked(hand) == []
    assert s.planned == (("sz_026", "naval"),)


@pytest.mark.rule("gw36:8.10c")
def test_nobody_engages_with_what_is_not_there() -> None:
    s = meeting({"sz_027": [of("germany", "destroyer")]}, {"sz_026": PATROL})
    with pytest.raises(IllegalDecision):
        play(s, move("destroyer", "sz_027 > sz_026"), Done(), Engage({"medium_bomber": 2}))


@pytest.mark.rule("gw36:8.8a")
@pytest.mark.rule("gw36:8.9h")
def test_ships_that_come_to_escort_can_be_drawn_into_battle() -> None:
    s = meeting(
        {"sz_027": [of("germany", "destroyer")]}, {"sz_014": [of("great_britain", "submarine")]}
    )
    escort = move("destroyer", "sz_027 > sz_014", "convoy")
    play(s, escort, Done(), Engage({"submarine": 1}))
    assert s.planned == (("sz_014", "naval"),)
    assert [u.duty for u in s.stack("sz_014") if u.nation == "germany"] == ["attack"]


@pytest.mark.rule("gw36:8.9d")
@pytest.mark.rule("gw36:12.2.destroyer-c")
@pytest.mark.rule("gw36:7.8.advanced-sub-c")
def test_submarines_are_hunted_by_patrols_with_one_destroyer_each() -> None:
    def hunt(prey: str) -> dict[str, dict[str, int]]:
        mine = {
            "sz_027": [of("germany", "destroyer", 3), of("germany", "battleship")],
            "sz_026": [of("germany", "seaplane", 2, duty="patrol")],
        }
        s = meeting(mine, {"sz_026": [of("great_britain", prey)]})
        types = {"destroyer": 3, "battleship": 1}
        play(s, Move(types, way("sz_027 > sz_026")), Done())
        assert s.planned == (("sz_026", "naval"),)
        found: dict[str, dict[str, int]] = {}
        for unit, count in s.stack("sz_026").items():
            if unit.nation == "germany":
                found.setdefault(unit.duty, {})[unit.type] = count
        return found

    assert hunt("submarine") == {
        "attack": {"seaplane": 2, "destroyer": 2},
        "moved": {"battleship": 1, "destroyer": 1},
    }
    assert hunt("advanced_submarine") == {
        "attack": {"seaplane": 2},
        "moved": {"battleship": 1, "destroyer": 3},
    }


@pytest.mark.rule("gw36:8.9d")
@pytest.mark.rule("gw36:8.9i")
@pytest.mark.rule("gw36:12.2.destroyer-c")
def test_a_submarine_that_is_stopped_meets_the_patrol_and_its_destroyers_only() -> None:
    theirs = [
        of("great_britain", "medium_bomber", duty="patrol"),
        of("great_britain", "destroyer", 2),
        of("great_britain", "light_cruiser", duty="convoy"),
    ]
    s = meeting({"sz_027": BOAT}, {"sz_026": theirs, "sz_025": FLEET})
    through = move("submarine", "sz_027 > sz_026 > sz_025", "declined")
    play(s, through, Engage({"medium_bomber": 1}), Done())
    duties = {
        (unit.type, unit.duty): count
        for unit, count in s.stack("sz_026").items()
        if unit.nation == "great_britain"
    }
    assert duties == {
        ("medium_bomber", "patrol"): 1,
        ("destroyer", ""): 1,
        ("destroyer", "declined"): 1,
        ("light_cruiser", "declined"): 1,
    }
    resume(s)
    assert s.stack("sz_026")[Unit("great_britain", "light_cruiser", duty="convoy")] == 1
    assert s.stack("sz_026")[Unit("great_britain", "destroyer")] == 2
