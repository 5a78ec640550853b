"""Sea area combat (4.4), in Activities and in Blitz phases (2.2)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.rounds import Damage, Withdraw
from sandtable.games.blitz.rules.sea_combat import (
    AvoidSeaCombat,
    CallCombat,
    ChooseSea,
    Engage,
    Evade,
    FightAt,
    FlyIn,
    JoinSeaCombat,
    combats,
    flyers,
    forces,
    sea_area_combat,
)
from sandtable.kernel.decisions import Decision, Pass, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.events import Event
from sandtable.kernel.table import Table
from tests.blitz.table import Play, position, run

WARS = [["germany", "afa"], ["germany", "usa"], ["japan", "usa"], ["japan", "afa"]]


def state(units: dict[str, tuple[int, str] | str], **given: Any) -> State:
    """A position in step C of the Axis Activities; units as (Size, place) or place."""
    placed = {
        id: {"size": where[0], "at": where[1]} if isinstance(where, tuple) else {"at": where}
        for id, where in units.items()
    }
    s: State = position(
        given.pop("scenario", "campaign"),
        None,
        **{"phase": "axis_activities", "step": "C", "wars": WARS, "turn": 5, **given},
        units=placed,
    )
    return s


def fight(
    s: State, dice: list[int], answers: list[tuple[str, Decision]] | None = None
) -> list[Event]:
    """The whole step C."""
    return run(s, sea_area_combat, dice, answers or [], let=("choose_base",))


def fired(events: list[Event]) -> list[tuple[str, str, str, int]]:
    """Where, in which Round, which side and with what, in order."""
    return [
        (e.data["space"], e.data["round"], e.data["side"], e.data["factors"])
        for e in events
        if e.kind == "fired"
    ]


def asked(s: State) -> Request:
    """The first question of step C."""
    playing = sea_area_combat(Table(s, lambda *_: (1,), lambda _: None, lambda strict: None))
    (request,) = next(playing).requests
    return request


# --- where there is a combat ----------------------------------------------------------------------


@pytest.mark.rule("blitz:4.4a")
@pytest.mark.rule("blitz:C.4a")
def test_every_contested_sea_has_a_combat_in_the_order_that_the_acting_side_likes() -> None:
    s = state(
        {
            "ger_bb_fleet": (2, "north_sea"),
            "afa_home_fleet": (2, "north_sea"),
            "ger_u_boat_ii": (2, "cape_verde_basin"),
            "ger_u_boat_iii": (1, "baltic_sea"),
            "afa_brest_fleet": (1, "arctic_ocean"),
        }
    )
    assert combats(s) == ["cape_verde_basin", "north_sea"]
    events = fight(s, [1, 1, 1], [("germany", FightAt("north_sea"))])
    # One is finished before the next; a lone convoy is enough, and does not fire.
    assert fired(events) == [
        ("north_sea", "naval", "axis", 5),
        ("north_sea", "naval", "allies", 3),
        ("cape_verde_basin", "naval", "axis", 4),
    ]
    assert s.fought == {"north_sea", "cape_verde_basin"}
    assert combats(s) == []


@pytest.mark.rule("blitz:4.4a")
def test_only_a_sea_that_is_due_can_be_chosen() -> None:
    s = state({})
    request = ChooseSea("germany", ("baltic_sea", "north_sea"))
    for sea in ("black_sea", "berlin", ""):
        with pytest.raises(IllegalDecision) as refusal:
            request.check(s, FightAt(sea))
        assert refusal.value.rule == "4.4a"
    assert list(request.decisions(s)) == [FightAt("baltic_sea"), FightAt("north_sea")]


@pytest.mark.rule("blitz:4.4a")
def test_the_convoy_of_the_acting_side_has_to_fight_too() -> None:
    s = state({"ger_u_boat_ii": (2, "north_atlantic")}, phase="allied_activities")
    events = fight(s, [6], [("germany", Pass())])
    assert fired(events) == [("north_atlantic", "naval", "axis", 5)]
    assert s.convoy_damage == {"north_atlantic": 1}


@pytest.mark.rule("blitz:4.4a")
def test_the_first_power_with_something_in_such_a_sea_chooses() -> None:
    units: dict[str, tuple[int, str] | str] = {
        "jap_combined_fleet": (2, "timor_sea"),
        "usa_7th_fleet": (2, "timor_sea"),
        "jap_2nd_fleet": (2, "polynesia"),
        "usa_8th_fleet": (2, "polynesia"),
    }
    events = fight(state(units), [1] * 4, [("japan", FightAt("timor_sea"))])
    assert [event[0] for event in fired(events)] == ["timor_sea"] * 2 + ["polynesia"] * 2


@pytest.mark.rule("blitz:4.4d")
def test_only_those_at_war_with_somebody_there_take_part() -> None:
    units: dict[str, tuple[int, str] | str] = {
        "jap_combined_fleet": (2, "bay_of_bengal"),
        "ger_u_boat_ii": (2, "bay_of_bengal"),
        "usa_7th_fleet": (2, "bay_of_bengal"),
        "afa_far_east_fleet": (2, "bay_of_bengal"),
    }
    s = state(units, wars=[["germany", "afa"]])
    assert forces(s, "bay_of_bengal") == (("ger_u_boat_ii",), ("afa_far_east_fleet",), "afa")
    # The USA is at war with Japan: its ships fight the Germans as well, as do the Japanese the
    # AFA's.
    s = state(units, wars=[["germany", "afa"], ["japan", "usa"]])
    assert forces(s, "bay_of_bengal") == (
        ("ger_u_boat_ii", "jap_combined_fleet"),
        ("afa_far_east_fleet", "usa_7th_fleet"),
        "afa",
    )


@pytest.mark.rule("blitz:4.4d")
@pytest.mark.rule("blitz:E.3a")
def test_neutral_powers_and_their_convoys_stay_out() -> None:
    units: dict[str, tuple[int, str] | str] = {
        "ger_u_boat_ii": (2, "usa_east_coast"),
        "usa_7th_fleet": (2, "usa_east_coast"),
        "afa_home_fleet": (2, "usa_east_coast"),
    }
    s = state(units, wars=[["germany", "afa"]])
    assert forces(s, "usa_east_coast") == (("ger_u_boat_ii",), ("afa_home_fleet",), "")
    s = state({"ger_u_boat_ii": (2, "usa_east_coast")}, wars=[["germany", "afa"]])
    assert combats(s) == []
    # Not even a minor country's war brings them in.
    minor = {
        "min_swedish_fleet": {"at": "usa_east_coast", "power": "germany"},
        "usa_7th_fleet": {"at": "usa_east_coast"},
        "usa_naval_patrol": {"at": "atlantic_seaboard"},
    }
    s = position(
        phase="axis_activities",
        step="C",
        wars=[["germany", "afa"]],
        minor_wars=[["sweden", "usa"]],
        units=minor,
    )
    assert forces(s, "usa_east_coast") == ((), (), "")
    assert flyers(s, "usa_east_coast") == {}
    s = state({"ger_u_boat_ii": (2, "usa_east_coast")})
    assert combats(s) == ["usa_east_coast"]


def test_ships_that_cannot_hurt_each_other_need_no_combat() -> None:
    s = state({"ger_seelowe_trs": (2, "north_sea"), "afa_europe_trs": (2, "north_sea")})
    assert combats(s) == []
    # Unless somebody can still fly in.
    s = state(
        {
            "ger_seelowe_trs": (2, "north_sea"),
            "afa_europe_trs": (2, "north_sea"),
            "afa_coastal_command": (1, "london"),
        }
    )
    assert combats(s) == ["north_sea"]


# --- before the Rounds ----------------------------------------------------------------------------


@pytest.mark.rule("blitz:4.4b")
@pytest.mark.rule("blitz:C.4b")
def test_land_based_naval_air_units_in_range_may_fly_in() -> None:
    s = state(
        {
            "ger_bb_fleet": (2, "north_sea"),
            "afa_home_fleet": (2, "north_sea"),
            "afa_coastal_command": (1, "london"),
            "afa_bomber_command": (2, "london"),
            "afa_raaf": (1, "egypt"),
        }
    )
    # Bomber Command's primary factor is not Naval, and Egypt is far away.
    assert flyers(s, "north_sea") == {"afa": ["afa_coastal_command"]}
    events = fight(s, [1, 1], [("afa", FlyIn(("afa_coastal_command",)))])
    assert ("north_sea", "naval", "allies", 4 + 2 - 1) in fired(events)
    # After the combat they stay there.
    assert s.units["afa_coastal_command"].at == "north_sea"
    assert "fought" in s.units["afa_coastal_command"].done


@pytest.mark.rule("blitz:4.4b")
def test_fly_in_takes_only_what_is_offered() -> None:
    s = state({})
    request = JoinSeaCombat("afa", "north_sea", ("afa_coastal_command", "afa_raaf"))
    for units in ((), ("afa_raaf", "afa_raaf"), ("afa_royal_air_force",), ("nothing",)):
        with pytest.raises(IllegalDecision) as refusal:
            request.check(s, FlyIn(units))
        assert refusal.value.rule == "4.4b"
    assert FlyIn(("afa_coastal_command", "afa_raaf")) in list(request.decisions(s))


@pytest.mark.rule("blitz:4.4b")
def test_neither_neutrals_nor_the_acting_side_nor_those_without_supply_fly_in() -> None:
    units: dict[str, tuple[int, str] | str] = {
        "ger_bb_fleet": (2, "usa_east_coast"),
        "afa_home_fleet": (2, "usa_east_coast"),
        "usa_naval_patrol": (1, "atlantic_seaboard"),
    }
    s = state(units)
    assert flyers(s, "usa_east_coast") == {"usa": ["usa_naval_patrol"]}
    s = state(units, wars=[["germany", "afa"]])
    assert flyers(s, "usa_east_coast") == {}
    # At war, but with nobody there.
    s = state(units, wars=[["germany", "afa"], ["japan", "usa"]])
    assert flyers(s, "usa_east_coast") == {}
    cut_off: dict[str, tuple[int, str] | str] = {
        "ger_regia_marina": (2, "mediterranean_sea"),
        "ger_regia_aeronautica": (1, "rome"),
        "ger_bb_fleet": (2, "western_approaches"),
        "afa_mediterranean_fleet": (2, "mediterranean_sea"),
        "afa_coastal_command": (1, "gibraltar"),
    }
    s = state(cut_off)
    assert flyers(s, "mediterranean_sea") == {"afa": ["afa_coastal_command"]}
    del cut_off["afa_mediterranean_fleet"]
    s = state(cut_off | {"afa_brest_fleet": (1, "black_sea")})
    s.convoy_damage["western_approaches"] = 1
    s.forget()
    assert flyers(s, "mediterranean_sea") == {}


@pytest.mark.rule("blitz:4.4b")
def test_several_powers_are_asked_at_once() -> None:
    s = state(
        {
            "jap_combined_fleet": (2, "south_china_sea"),
            "usa_asiatic_fleet": (1, "south_china_sea"),
            "usa_naval_patrol": (1, "manila"),
            "afa_raaf": (1, "singapore"),
        }
    )
    events = fight(
        s, [1, 1], [("afa", FlyIn(("afa_raaf",))), ("usa", FlyIn(("usa_naval_patrol",)))]
    )
    assert fired(events)[1] == ("south_china_sea", "naval", "allies", 1 + 1 + 2)


@pytest.mark.rule("blitz:4.4c")
@pytest.mark.rule("blitz:C.4b")
def test_submarines_of_the_side_that_does_not_act_may_leave_one_by_one() -> None:
    s = state(
        {
            "ger_u_boat_i": (1, "north_sea"),
            "ger_u_boat_ii": (2, "north_sea"),
            "afa_british_submarines": (1, "north_sea"),
            "afa_home_fleet": (2, "north_sea"),
        },
        phase="allied_activities",
    )
    request = AvoidSeaCombat("germany", "north_sea", ("ger_u_boat_i", "ger_u_boat_ii"))
    with pytest.raises(IllegalDecision) as refusal:
        request.check(s, Evade(("afa_british_submarines",)))
    assert refusal.value.rule == "4.4c"
    # Only the Germans are asked.
    events = fight(s, [1, 1], [("germany", Evade(("ger_u_boat_ii",)))])
    assert s.units["ger_u_boat_ii"].at in s.facts.lands
    assert s.units["ger_u_boat_i"].at == "north_sea"
    assert fired(events)[0] == ("north_sea", "naval", "allies", 5 - 2)


@pytest.mark.rule("blitz:4.4c")
def test_there_is_no_combat_if_all_have_left() -> None:
    s = state(
        {"ger_u_boat_ii": (2, "north_sea"), "afa_home_fleet": (2, "north_sea")},
        phase="allied_activities",
    )
    events = fight(s, [], [("germany", Evade(("ger_u_boat_ii",)))])
    assert fired(events) == []
    assert "fought" not in s.units["afa_home_fleet"].done


# --- the Rounds -----------------------------------------------------------------------------------


@pytest.mark.rule("blitz:4.4e")
@pytest.mark.rule("blitz:4.4f")
@pytest.mark.rule("blitz:C.4c")
def test_ex_4_4() -> None:
    s = state({"jap_naval_air": (2, "east_china_sea"), "usa_12th_fleet": (2, "east_china_sea")})
    events = fight(s, [1, 1, 2, 6])
    # Naval Air and the 12th Fleet fight in the air; then the fleet fires at the convoy, and Naval
    # Air at the fleet.
    assert fired(events) == [
        ("east_china_sea", "air", "axis", 2 + 1),
        ("east_china_sea", "air", "allies", 2 + 1),
        ("east_china_sea", "naval", "axis", 3 + 1),
        ("east_china_sea", "naval", "allies", 3 + 2),
    ]
    # 1S: a point of damage, and a third of the convoy alone is nothing.
    assert s.convoy_damage == {"east_china_sea": 1}
    assert s.units["jap_naval_air"].size == 2


@pytest.mark.rule("blitz:C.4c")
@pytest.mark.rule("blitz:4.4f")
def test_no_naval_round_if_the_air_round_leaves_nobody() -> None:
    s = state({"jap_naval_air": (4, "polynesia"), "usa_12th_fleet": (1, "polynesia")})
    # 4 + 1 Air Factors; a 6 is 1S, which sinks the fleet.
    events = fight(s, [6, 1])
    assert fired(events) == [
        ("polynesia", "air", "axis", 5),
        ("polynesia", "air", "allies", 2),
    ]
    assert "usa_12th_fleet" not in s.units
    assert s.deeds["sunk:usa"] == 1


@pytest.mark.rule("blitz:4.4e")
def test_no_air_round_without_air_units_or_carriers_on_both_sides() -> None:
    s = state({"jap_combined_fleet": (2, "polynesia"), "usa_12th_fleet": (2, "polynesia")})
    assert {event[1] for event in fired(fight(s, [1, 1]))} == {"naval"}


@pytest.mark.rule("blitz:4.4e")
@pytest.mark.parametrize("phase", ["axis_activities", "allied_activities"])
@pytest.mark.parametrize(
    ("axis", "allied", "both"),
    [
        ("jap_zeroes", "usa_pacific_fleet", True),
        ("jap_zeroes", "afa_home_fleet", False),
        ("jap_combined_fleet", "afa_home_fleet", False),
        ("jap_naval_air", "afa_home_fleet", False),
        ("jap_combined_fleet", "usa_naval_patrol", False),
        ("jap_naval_air", "usa_naval_patrol", True),
    ],
)
def test_an_air_round_needs_an_air_unit_or_carrier_on_each_side(
    axis: str, allied: str, both: bool, phase: str
) -> None:
    s = state({axis: (2, "polynesia"), allied: (2, "polynesia")}, phase=phase)
    events: list[Event] = []
    playing = sea_area_combat(Table(s, lambda *_: (1,), events.append, lambda strict: None))
    assert next(playing, None) is None
    rounds = [event[1] for event in fired(events)]
    assert ("air" in rounds) == both
    assert rounds == sorted(rounds)  # the Air Round first


@pytest.mark.rule("blitz:4.4f")
def test_no_naval_round_between_air_units() -> None:
    s = state({"jap_naval_air": (2, "polynesia"), "usa_naval_patrol": (2, "polynesia")})
    assert {event[1] for event in fired(fight(s, [1, 1]))} == {"air"}


@pytest.mark.rule("blitz:4.4g")
def test_snow_at_sea_matters() -> None:
    units: dict[str, tuple[int, str] | str] = {
        "afa_coastal_command": (2, "baltic_sea"),
        "ger_bb_fleet": (1, "baltic_sea"),
    }
    allied = {"phase": "allied_activities"}
    assert fired(fight(state(units, turn=5, **allied), [1]))[0][3] == 3 + 1
    # Half of the 3, and the convoy: 2.5 is 3.
    assert fired(fight(state(units, turn=4, **allied), [1]))[0][3] == 3


@pytest.mark.rule("blitz:6.5.after-a")
def test_survivors_stay_together_in_the_sea() -> None:
    s = state({"ger_bb_fleet": (2, "north_sea"), "afa_home_fleet": (2, "north_sea")})
    fight(s, [1, 1])
    assert s.units_at("north_sea") == ("afa_home_fleet", "ger_bb_fleet")
    assert all("fought" in s.units[id].done for id in s.units_at("north_sea"))


@pytest.mark.rule("blitz:6.5b")
def test_kamikazes_are_used_up_in_the_last_round_that_there_is() -> None:
    s = state({"jap_kamikazes": "polynesia", "usa_12th_fleet": (2, "polynesia")})
    events = fight(s, [1, 1, 1])
    # They fight in the air, then fire at the fleet, which has nothing to fire at.
    assert [event[1:3] for event in fired(events)] == [
        ("air", "axis"),
        ("air", "allies"),
        ("naval", "axis"),
    ]
    assert "jap_kamikazes" not in s.units
    s = state(
        {
            "jap_kamikazes": "polynesia",
            "jap_zeroes": (4, "polynesia"),
            "usa_naval_patrol": (2, "polynesia"),
        }
    )
    events = fight(s, [1, 6])
    order = [e.kind for e in events if e.kind in ("fired", "destroyed", "damaged")]
    assert order == ["fired", "fired", "destroyed", "damaged"]
    # They are gone before the results: the patrol's hit can only strike the Zeroes.
    assert "jap_kamikazes" not in s.units
    assert s.units["jap_zeroes"].size == 3


@pytest.mark.rule("blitz:C.4d")
@pytest.mark.rule("blitz:C.4e")
@pytest.mark.rule("blitz:C.4a")
def test_scenario_c_convoy_battle() -> None:
    s = state(
        {"ger_u_boat_ii": (2, "north_atlantic"), "afa_north_sea_fleet": (2, "north_atlantic")},
        scenario="C",
        wars=[["germany", "western_allies"]],
    )
    events = fight(
        s,
        [6, 1],
        [
            ("western_allies", Damage("convoy")),
            ("western_allies", Withdraw("convoy")),
        ],
    )
    # 3 + 1 + 2 is 6: 1L, two thirds of fleet and convoy are one of them.
    assert fired(events)[0] == ("north_atlantic", "naval", "axis", 6)
    assert s.convoy_damage == {"north_atlantic": 2}
    assert s.units["afa_north_sea_fleet"].size == 2


# --- Blitz phases ---------------------------------------------------------------------------------


def blitz_phase(blitz: dict[str, str], units: dict[str, tuple[int, str] | str]) -> State:
    return state(units, phase="axis_blitzes", blitz=blitz)


@pytest.mark.rule("blitz:2.2e")
@pytest.mark.rule("blitz:2.2f")
def test_in_a_blitz_phase_only_some_blitzes_cause_combats() -> None:
    units: dict[str, tuple[int, str] | str] = {
        "jap_combined_fleet": (2, "polynesia"),
        "usa_7th_fleet": (2, "polynesia"),
    }
    for blitz, due in (("naval", True), ("total", True), ("air", True), ("land", False)):
        assert (combats(blitz_phase({"japan": blitz}, units)) == ["polynesia"]) == due
    # Units lying there without having entered call for nothing.
    assert combats(blitz_phase({"japan": "free"}, units)) == []
    # An ally's Blitz elsewhere does not help; one there makes all fight.
    assert combats(blitz_phase({"japan": "free", "germany": "total"}, units)) == []
    both = units | {"ger_u_boat_ii": (2, "polynesia")}
    s = blitz_phase({"japan": "land", "germany": "naval"}, both)
    assert combats(s) == ["polynesia"]
    assert fired(fight(s, [1, 1]))[0] == ("polynesia", "naval", "axis", 4 + 3 + 1)


@pytest.mark.rule("blitz:2.2.free-c")
def test_the_enemy_decides_on_combat_with_units_of_a_free_blitz() -> None:
    units: dict[str, tuple[int, str] | str] = {
        "jap_kamikazes": "timor_sea",
        "usa_3rd_fleet": (2, "timor_sea"),
        "jap_zeroes": (2, "bismarck_sea"),
        "jap_combined_fleet": (2, "bismarck_sea"),
        "usa_8th_fleet": (2, "bismarck_sea"),
    }
    s = blitz_phase({"japan": "free"}, units)
    s.mark("jap_kamikazes", "sailed")
    s.mark("jap_zeroes", "sailed")
    events = fight(
        s,
        [1],
        [("japan", FightAt("bismarck_sea")), ("usa", Pass()), ("usa", Engage())],
    )
    assert fired(events) == [("timor_sea", "naval", "axis", 5 + 1)]
    assert list(CallCombat("usa", "timor_sea").decisions(s)) == [Engage()]


def test_choosing_a_sea_rests_and_a_combat_can_be_taken_up_again() -> None:
    play = Play(
        "campaign",
        phase="axis_activities",
        step="C",
        wars=WARS,
        turn=5,
        units={
            "ger_bb_fleet": {"at": "north_sea", "size": 2},
            "afa_home_fleet": {"at": "north_sea", "size": 2},
            "ger_u_boat_ii": {"at": "cape_verde_basin", "size": 2},
        },
    )
    play.do("germany", FightAt("north_sea"))
    copy = play.game.clone()
    assert copy.hash == play.game.hash
    assert [r.kind for r in copy.pending] == [r.kind for r in play.game.pending] == ["roll"]
    play.dice(1).dice(1)
    for _ in range(2):
        copy.submit("chance", {"kind": "dice", "faces": [1]})
    assert copy.hash == play.game.hash
    assert play.state.fought == {"north_sea"}


@pytest.mark.rule("blitz:4.4c")
def test_only_submarines_may_leave() -> None:
    s = state(
        {
            "ger_u_boat_ii": (2, "north_sea"),
            "ger_bb_fleet": (2, "north_sea"),
            "afa_home_fleet": (2, "north_sea"),
        },
        phase="allied_activities",
    )
    assert asked(s) == AvoidSeaCombat("germany", "north_sea", ("ger_u_boat_ii",))


@pytest.mark.rule("blitz:4.1c")
@pytest.mark.rule("blitz:6.5.letter-b")
def test_a_fleet_that_has_to_return_and_has_no_base_is_destroyed() -> None:
    """L strikes one of fleet and convoy; no port that it could reach is left to Germany."""
    s = state(
        {"ger_bb_fleet": (2, "baltic_sea"), "afa_home_fleet": (4, "baltic_sea")},
        control={"berlin": "afa", "western_germany": "afa"},
    )
    events = fight(s, [1, 2], [("germany", Withdraw("ger_bb_fleet"))])
    assert [e.data["letter"] for e in events if e.kind == "fired"][1] == "L"
    assert "ger_bb_fleet" not in s.units
    assert s.units["afa_home_fleet"].at == "baltic_sea"
