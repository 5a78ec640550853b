"""The Land Movement Phase (5.0 to 5.3, 6.1, 6.52, 7.37)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sandtable.games.gw75.model import Unit
from sandtable.games.gw75.rules import mobility
from sandtable.games.gw75.rules.land_movement import Move, reach, why_not
from sandtable.games.gw75.rules.stacking import Remove
from tests.gw75.moves import move, parts, remove
from tests.gw75.table import Done, Table, state, table

BERLIN, DANZIG, WARSAW, SILESIA, BAVARIA, RUHR = (
    "W3121",
    "W3122",
    "W3123",
    "W3021",
    "W3020",
    "W3120",
)
PARIS, BUDAPEST, BELGRADE, MILAN = "W3019", "W3022", "W2922", "W2921"
WINTER, SPRING, SUMMER, FALL = 2, 3, 4, 5
WAR = [("germany", "poland"), ("france", "germany"), ("commonwealth", "germany")]


def phase(turn: int = SUMMER, which: str = "axis_land_movement", **fields: Any) -> Table:
    fields.setdefault("wars", WAR)
    return table(which, turn, **fields)


def left(t: Table, hex: str, nation: str = "germany") -> set[int]:
    return {unit.left for unit in t.s.stack(hex) if unit.nation == nation}


# --- moves and allowances -------------------------------------------------------------------------


@pytest.mark.rule("gw75:5.0a", "gw75:5.12", "gw75:5.42")
def test_units_move_hex_by_hex_and_take_what_they_pass_through() -> None:
    t = phase(units={SILESIA: {"germany": "3 inf, mech"}})
    t.do(move(f"{SILESIA} > {DANZIG} > {WARSAW}", "2 inf, mech"))
    assert t.units(WARSAW, "germany") == {"inf": 2, "mech": 1}
    assert t.units(SILESIA, "germany") == {"inf": 1}
    assert left(t, WARSAW) == {3}
    assert t.s.held[DANZIG] == t.s.held[WARSAW] == "germany"
    (told,) = t.events("land_move")
    assert told["path"] == [SILESIA, DANZIG, WARSAW]
    assert told["units"] == {"inf": 2, "mech": 1}


@pytest.mark.rule("gw75:5.31", "gw75:5.13", "gw75:5.14b", "gw75:3.22b", "gw75:10.0a")
@pytest.mark.parametrize(
    ("turn", "north"), [(WINTER, 3), (SPRING, 2), (SUMMER, 5), (FALL, 4), (1, 4)]
)
def test_the_allowance_depends_on_the_season_in_the_weather_area_only(turn: int, north: int):
    s = state(turn=turn)
    assert mobility.allowance(s, BERLIN) == north
    assert mobility.allowance(s, "W2524") == 5
    assert mobility.allowance(s, "W2822") == 5  # row 28 is outside


@pytest.mark.rule("gw75:5.14c", "gw75:5.31")
def test_where_a_unit_begins_counts_not_where_it_goes() -> None:
    """In spring: two hexes from the Weather Area, five into it."""
    t = phase(SPRING, units={SILESIA: {"germany": "2 inf"}, "W2820": {"germany": "inf"}})
    t.s.hold("W2820", "germany")
    t.s.hold(MILAN, "germany")
    t.refused(move(f"{SILESIA} > {BAVARIA} > {RUHR} > {BERLIN}", "inf"), "5.12")
    t.do(move(f"{SILESIA} > {BAVARIA} > {RUHR}", "inf"))
    assert left(t, RUHR) == {0}
    t.do(move(f"W2820 > {MILAN} > {BAVARIA} > {RUHR} > {BERLIN}", "inf"))
    assert t.units(BERLIN, "germany") == {"inf": 1}


@pytest.mark.rule("gw75:5.12")
def test_no_unit_spends_more_than_it_has() -> None:
    t = phase(WINTER, units={BERLIN: {"germany": "inf"}})
    why = t.refused(move(f"{BERLIN} > {RUHR} > {BAVARIA} > {SILESIA} > {BERLIN}", "inf"), "5.12")
    assert "0 are left" in why
    t.do(move(f"{BERLIN} > {RUHR} > {BAVARIA} > {SILESIA}", "inf"))


@pytest.mark.rule("gw75:5.21")
def test_undeveloped_hexes_and_mountains_cost_more() -> None:
    s = state()
    assert mobility.cost(s, "W2423", False) == 2
    assert mobility.cost(s, "W2424", False) == 2
    assert mobility.cost(s, BERLIN, False) == 1
    assert mobility.cost(s, BERLIN, True) == 2
    assert mobility.cost(s, "W2423", True) == 3
    t = phase(WINTER, units={SILESIA: {"germany": "inf"}}, held={MILAN: "germany"})
    t.do(move(f"{SILESIA} > {MILAN}", "inf"))
    assert left(t, MILAN) == {1}


@pytest.mark.rule("gw75:5.25")
def test_a_unit_can_always_move_one_hex() -> None:
    """Spring allows two points, and the hex behind the mountains costs three."""
    s = state(turn=SPRING, base="empty")
    here, there = next(
        (one, other)
        for one, others in s.facts.land.items()
        for other, mountain in others.items()
        if mountain
        and s.facts.hexes[one].weather
        and s.facts.hexes[other].area == "undeveloped"
        and s.facts.hexes[one].country == s.facts.hexes[other].country == "ussr"
    )
    t = phase(
        SPRING, "allies_land_movement", units={here: {"ussr": "2 inf"}}, wars=[("germany", "ussr")]
    )
    assert mobility.cost(t.s, there, True) == 3
    onward = next(hex for hex in t.s.facts.land[there] if hex != here)
    t.refused(move(f"{here} > {there} > {onward}", "inf", "ussr"), "5.12")
    t.do(move(f"{here} > {there}", "inf", "ussr"))
    assert left(t, there, "ussr") == {0}


@pytest.mark.rule("gw75:5.25")
def test_the_one_hex_does_not_lead_from_zone_to_zone_nor_over_closed_hexsides() -> None:
    t = phase(
        SPRING,
        units={BAVARIA: {"germany": "inf"}, PARIS: {"france": "inf"}, BERLIN: {"germany": "inf"}},
    )
    t.refused(move(f"{BAVARIA} > {RUHR}", "inf"), "5.22")
    t.refused(move(f"{BERLIN} > W3221", "inf"), "3.1b")
    t.refused(move(f"{BERLIN} > {PARIS}", "inf"), "5.0c")


@pytest.mark.rule("gw75:5.0c")
def test_a_unit_that_has_moved_does_not_move_again() -> None:
    t = phase(
        units={BERLIN: {"germany": "inf"}, RUHR: {"germany": "inf"}, SILESIA: {"germany": "inf"}}
    )
    t.do(move(f"{BERLIN} > {RUHR}", "inf"))
    t.do(move(f"{RUHR} > {BAVARIA}", "inf"))  # the one that was there
    assert "moved already" in t.refused(move(f"{RUHR} > {BAVARIA}", "inf"), "5.0c")


@pytest.mark.rule("gw75:5.0c")
@pytest.mark.parametrize("left", [0, 1, 4])
def test_nor_does_one_with_points_left(left: int) -> None:
    t = phase(units={BERLIN: {"germany": {"inf": [{"left": left}], "mech": 1}}})
    t.refused(move(f"{BERLIN} > {RUHR}", "inf"), "5.0c")
    t.do(move(f"{BERLIN} > {RUHR}", "mech"))


@pytest.mark.rule("gw75:5.11", "gw75:5.0c")
def test_only_own_units_that_are_there_move() -> None:
    t = phase(units={BERLIN: {"germany": "2 inf"}, PARIS: {"france": "inf"}})
    t.refused(move(f"{PARIS} > W3018", "inf", "france"), "5.11")
    t.refused(move(f"{BERLIN} > {RUHR}", "3 inf"), "5.0c")
    t.refused(move(f"{BERLIN} > {RUHR}", "mech"), "5.0c")
    t.refused(Move((BERLIN, RUHR), ()), "5.0c")
    t.refused(Move((BERLIN,), parts("inf")), "5.0c")
    t.refused(Move((BERLIN, RUHR), (("germany", "inf", 1), ("germany", "inf", 1))), "5.0c")
    t.refused(Move((BERLIN, RUHR), (("germany", "inf", 0),)), "5.0c")
    t.refused(Move(("nowhere", RUHR), parts("inf")), "5.0c")
    t.refused(Move((BERLIN, "nowhere"), parts("inf")), "5.0c")
    t.refused(Move((BERLIN, RUHR), (("atlantis", "inf", 1),)), "5.0c")
    t.refused(Move((BERLIN, RUHR), (("germany", "ss", 1),)), "5.0c")


@pytest.mark.rule("gw75:5.26")
def test_fortifications_never_move() -> None:
    t = phase(units={BERLIN: {"germany": "2 fort, inf"}})
    t.refused(move(f"{BERLIN} > {RUHR}", "2 fort"), "5.26")
    t.refused(move(f"{BERLIN} > {RUHR}", "2 fort, inf"), "5.26")


@pytest.mark.rule("gw75:5.0b", "gw75:5.0a")
def test_all_some_or_none_move_and_points_are_not_saved() -> None:
    t = phase(units={BERLIN: {"germany": "2 inf"}})
    t.do(move(f"{BERLIN} > {RUHR}", "inf"))
    t.do(Done())
    assert t.s.phase != "axis_land_movement"
    assert {unit.left for unit in t.s.stack(BERLIN)} == {-1}


@pytest.mark.rule("gw75:18.10d")
def test_units_that_are_not_activated_do_not_move() -> None:
    t = phase(units={BERLIN: {"germany": {"mech": [{"idle": True, "count": 2}], "inf": 1}}})
    t.refused(move(f"{BERLIN} > {RUHR}", "mech"), "18.10d")
    t.do(move(f"{BERLIN} > {RUHR}", "inf"))


@pytest.mark.rule("gw75:18.10d")
def test_of_a_stack_that_is_activated_in_part_the_rest_is_named() -> None:
    t = table(units={"W3021": {"germany": {"mech": [{"count": 2, "idle": True}, {"count": 1}]}}})
    reason = t.refused(move("W3021 > W3020", "3 mech"), rule="18.10d")
    assert reason.startswith("Germany has 1 Strength Point of Mechanized in Bohemia-Silesia")
    assert reason.endswith("not 3: the rest is not activated.")
    t.do(move("W3021 > W3020", "1 mech"))


@pytest.mark.rule("gw75:5.23", "gw75:7.31")
def test_friends_never_hinder_a_move_whatever_their_number() -> None:
    t = phase(units={BERLIN: {"germany": "inf"}, RUHR: {"germany": "10 inf, 5 ss, 2 lrb"}})
    t.do(move(f"{BERLIN} > {RUHR} > {BAVARIA}", "inf"))
    assert left(t, BAVARIA) == {3}


@pytest.mark.rule("gw75:5.57d", "gw75:5.61a")
def test_no_unit_enters_a_hex_with_enemies() -> None:
    t = phase(units={BERLIN: {"germany": "3 inf"}, DANZIG: {"poland": "inf"}})
    t.refused(move(f"{BERLIN} > {DANZIG}", "3 inf"), "5.61a")


@pytest.mark.rule("gw75:7.21", "gw75:7.0b")
def test_stacks_split_and_merge_freely() -> None:
    t = phase(units={BERLIN: {"germany": "5 inf"}, RUHR: {"germany": "2 inf"}})
    t.do(move(f"{BERLIN} > {RUHR}", "2 inf"), move(f"{BERLIN} > {SILESIA}", "3 inf"))
    assert t.units(RUHR, "germany") == {"inf": 4}
    assert t.units(SILESIA, "germany") == {"inf": 3}


@pytest.mark.rule("gw75:6.51")
def test_self_defense_units_stay_at_home() -> None:
    t = phase(
        units={"W3118": {"commonwealth": "sd"}, "W3023": {"poland": "sd"}},
        which="allies_land_movement",
    )
    t.do(move("W3118 > W3217", "sd", "commonwealth"))
    outside = next(
        hex for hex in t.s.facts.land["W3023"] if t.s.facts.hexes[hex].country != "poland"
    )
    t.refused(move(f"W3023 > {outside}", "sd", "poland"), "6.51")
    t.do(move(f"W3023 > {WARSAW}", "sd", "poland"))


@pytest.mark.rule("gw75:5.0c")
def test_those_who_are_without_supply_go_first() -> None:
    t = phase(
        units={"W2518": {"germany": {"inf": [{"count": 1}, {"count": 1, "cut": 1}]}}},
        held={"W2518": "germany", "W2519": "germany"},
    )
    t.do(move("W2518 > W2519", "inf"))
    assert {unit.cut for unit in t.s.stack("W2519")} == {1}


@pytest.mark.rule("gw75:5.0a", "gw75:7.34")
def test_allies_move_together() -> None:
    t = phase(units={BERLIN: {"germany": "2 inf", "hungary": "inf"}})
    t.do(move(f"{BERLIN} > {SILESIA}", "inf", hungary="inf"))
    assert t.units(SILESIA, "hungary") == {"inf": 1}
    assert len(t.events("land_move")) == 2


# --- Zones of Control -----------------------------------------------------------------------------


@pytest.mark.rule("gw75:5.24", "gw75:6.11")
def test_units_stop_in_a_zone() -> None:
    t = phase(units={SILESIA: {"germany": "inf"}, WARSAW: {"poland": "inf"}})
    t.refused(move(f"{SILESIA} > {DANZIG} > {BERLIN}", "inf"), "5.24")
    t.do(move(f"{SILESIA} > {DANZIG}", "inf"))
    assert left(t, DANZIG) == {4}  # no more than the hex costs


@pytest.mark.rule("gw75:5.22", "gw75:6.0c")
def test_no_unit_goes_from_zone_to_zone_but_it_may_leave() -> None:
    t = phase(units={RUHR: {"germany": "2 inf"}, PARIS: {"france": "inf"}})
    t.refused(move(f"{RUHR} > {BAVARIA}", "inf"), "5.22")
    t.do(move(f"{RUHR} > {BERLIN} > {BAVARIA}", "inf"))
    assert t.units(BAVARIA, "germany") == {"inf": 1}


@pytest.mark.rule("gw75:5.22", "gw75:6.0d")
def test_friends_in_a_zone_change_nothing() -> None:
    t = phase(
        units={RUHR: {"germany": "2 inf"}, BAVARIA: {"germany": "5 inf"}, PARIS: {"france": "inf"}}
    )
    t.refused(move(f"{RUHR} > {BAVARIA}", "inf"), "5.22")


@pytest.mark.rule("gw75:5.24", "gw75:6.54")
def test_a_fortification_stops_nobody() -> None:
    t = phase(units={RUHR: {"germany": "inf"}, PARIS: {"france": "2 fort"}})
    t.do(move(f"{RUHR} > {BAVARIA} > {SILESIA}", "inf"))


@pytest.mark.rule("gw75:5.24")
def test_zones_do_not_matter_to_who_is_at_peace() -> None:
    t = phase(
        units={RUHR: {"germany": "inf"}, PARIS: {"france": "inf"}}, wars=[("germany", "poland")]
    )
    t.do(move(f"{RUHR} > {BAVARIA} > {SILESIA}", "inf"))


# --- neutrals -------------------------------------------------------------------------------------


@pytest.mark.rule("gw75:6.52", "gw75:11.3a")
def test_the_first_hex_of_an_invasion_is_entered_free_of_zones() -> None:
    """Yugoslavia: the hex on the border is next to a stack that comes alive; the unit need not stop
    there, but cannot go on into another hex of its zone."""
    units = {SILESIA: {"germany": "3 inf"}, "W2822": {"yugoslavia": "2 inf"}}
    t = phase(units=units)
    assert BELGRADE in t.s.facts.land["W2822"]
    t.do(move(f"{SILESIA} > {BELGRADE} > {BUDAPEST}", "inf"))
    assert t.s.joined["yugoslavia"] == "allies"
    assert t.units(BUDAPEST, "germany") == {"inf": 1}
    assert t.s.held[BELGRADE] == "germany"
    t.refused(move(f"{SILESIA} > {BELGRADE} > {BUDAPEST}", "inf"), "5.24")  # now they are alive


@pytest.mark.rule("gw75:6.52")
def test_behind_the_border_the_zones_count() -> None:
    """From France to Barcelona, and on to Madrid: both are next to the garrison of Cadiz."""
    france = {"W2819": "germany", "W2919": "germany"}
    units = {"W2819": {"germany": "inf"}}
    t = phase(units={**units, "W2718": {"spain": "sd"}}, held=france)
    t.refused(move("W2819 > W2818 > W2817", "inf"), "5.22")
    t.do(move("W2819 > W2818", "inf"))
    assert t.s.joined["spain"] == "allies"
    t = phase(units={**units, RUHR: {"germany": "inf"}}, held=france)
    t.do(move("W2819 > W2818 > W2817", "inf"))
    assert t.units("W2817", "germany") == {"inf": 1}


@pytest.mark.rule("gw75:6.52")
def test_a_neutral_is_violated_once_and_before_its_hex_is_held() -> None:
    t = phase(units={"W2819": {"germany": "3 inf"}}, held={"W2819": "germany"})
    t.do(move("W2819 > W2818 > W2718", "inf"), move("W2819 > W2818", "inf"))
    assert len(t.events("violated")) == 1
    kinds = [event.kind for event in t.game.events if event.kind in ("violated", "land_move")]
    assert kinds == ["land_move", "violated", "land_move", "land_move"]
    assert t.s.held["W2718"] == "germany"


@pytest.mark.rule("gw75:5.0a", "gw75:11.0c")
def test_closed_countries_are_not_entered() -> None:
    t = phase(units={BERLIN: {"germany": "inf"}}, turn=2, wars=WAR)
    assert t.refused(move(f"{BERLIN} > {SILESIA} > {MILAN}", "inf"), "19.21a")


@pytest.mark.rule("gw75:5.0a", "gw75:19.71a")
def test_units_that_politics_holds_do_not_move() -> None:
    t = table(
        "allies_land_movement",
        4,
        units={"W3324": {"ussr": "3 inf"}, PARIS: {"france": "inf"}},
        wars=[("france", "germany")],
    )
    assert t.refused(move("W3324 > W3424", "inf", "ussr"), "19.71a")


# --- overstacking ---------------------------------------------------------------------------------


@pytest.mark.rule("gw75:7.37", "gw75:7.12b")
def test_what_is_too_much_at_the_end_of_the_phase_is_removed() -> None:
    t = phase(units={BERLIN: {"germany": "8 inf, 2 fort"}, RUHR: {"germany": "3 mech"}})
    t.do(move(f"{RUHR} > {BERLIN}", "3 mech"), Done())
    assert t.asked == "germany remove_overstack"
    assert (t.request.space, t.request.number) == (BERLIN, 3)
    t.refused(remove("2 inf"), "7.37")
    t.refused(remove("4 inf"), "7.37")
    t.refused(remove("fort, 2 inf"), "7.22")
    t.refused(remove("3 ss"), "7.37")
    t.refused(remove("2 inf, sd"), "7.37")
    t.refused(Remove((*remove("2 inf").units, *remove("2 inf").units)), "7.37")
    t.refused(Remove((*remove("4 inf").units, ("germany", "inf", -1))), "7.37")
    t.do(remove("inf, 2 fort"))
    assert t.units(BERLIN, "germany") == {"inf": 7, "mech": 3}
    assert t.s.lost["germany", "fort"] == 2


@pytest.mark.rule("gw75:7.37", "gw75:7.22")
def test_a_fortification_goes_as_a_whole() -> None:
    t = phase(units={BERLIN: {"germany": "8 inf, 2 fort, mech"}, RUHR: {"germany": "inf"}})
    t.do(Done())
    assert t.request.number == 1
    t.refused(remove("fort"), "7.22")
    t.do(remove("2 fort"))
    assert t.units(BERLIN, "germany") == {"inf": 8, "mech": 1}


@pytest.mark.rule("gw75:7.37")
def test_the_other_side_removes_nothing() -> None:
    t = phase(units={BERLIN: {"germany": "inf"}, PARIS: {"france": "12 inf"}})
    t.do(Done())
    assert t.units(PARIS, "france") == {"inf": 12}
    assert "remove_overstack" not in t.asked


@pytest.mark.rule("gw75:7.37")
def test_every_choice_of_what_to_remove_is_listed() -> None:
    t = phase(units={BERLIN: {"germany": "9 inf, 2 fort, mech"}})
    t.do(Done())
    listed = set(t.game.legal(t.request))
    assert listed == {remove("2 inf"), remove("inf, mech"), remove("2 fort")}
    drawn = {t.request.sample(t.s, random.Random(seed)) for seed in range(9)}
    assert drawn <= listed


@pytest.mark.rule("gw75:7.37", "gw75:21.11a")
def test_with_several_players_the_one_with_the_most_points_removes_his() -> None:
    t = table(
        "allies_land_movement",
        4,
        options={"players": 5},
        units={"W3118": {"commonwealth": "4 inf", "usa": "8 inf"}},
        wars=[("commonwealth", "germany"), ("germany", "usa")],
    )
    t.do(Done(), by="commonwealth").do(Done(), by="usa")
    assert t.asked == "usa remove_overstack"
    assert t.request.number == 2
    t.do(remove("2 inf", "usa"))


# --- reach ----------------------------------------------------------------------------------------


@pytest.mark.rule("gw75:5.0a")
def test_reach_gives_cheapest_ways_that_are_legal() -> None:
    t = phase(
        units={SILESIA: {"germany": "4 inf"}, WARSAW: {"poland": "inf"}, PARIS: {"france": "inf"}}
    )
    found = reach(t.s, SILESIA, parts("inf"))
    assert found[DANZIG] == (1, (SILESIA, DANZIG))
    assert found[BERLIN] == (1, (SILESIA, BERLIN))
    assert found[RUHR][0] == 2
    assert WARSAW not in found
    assert SILESIA not in found
    for _, way in found.values():
        t.request.check(t.s, Move(way, parts("inf")))


@pytest.mark.rule("gw75:5.0a")
def test_why_not_tells_what_is_in_the_way() -> None:
    s = state(
        turn=SUMMER, units={SILESIA: {"germany": "inf"}, WARSAW: {"poland": "2 inf"}}, wars=WAR
    )
    reason, rule = why_not(s, SILESIA, parts("inf"), WARSAW)
    assert ("overrun" in reason, rule) == (True, "5.61a")
    assert why_not(s, SILESIA, parts("inf"), BERLIN) == ("", "")


@pytest.mark.rule("gw75:5.0a")
def test_what_is_listed_and_drawn_is_legal() -> None:
    t = table("axis_land_movement", base="setup")
    listed = list(t.game.legal(t.request))
    assert Done() in listed
    assert len(listed) > 300
    for decision in listed[::25]:
        t.request.check(t.s, decision)
    rng = random.Random(5)
    kinds = set()
    for _ in range(300):
        drawn = t.request.sample(t.s, rng)
        t.request.check(t.s, drawn)
        kinds.add(type(drawn).__name__)
    assert {"Move", "Done"} <= kinds


@pytest.mark.rule("gw75:5.0a")
def test_nobody_is_asked_who_has_nobody_to_move() -> None:
    t = phase(units={BERLIN: {"germany": "2 fort"}, PARIS: {"france": "inf"}})
    assert t.s.phase == "allies_land_movement"
    assert t.asked == "commonwealth land_movement"


@pytest.mark.rule("gw75:5.0c")
def test_a_move_is_the_same_after_a_copy() -> None:
    t = phase(units={SILESIA: {"germany": "3 inf"}})
    t.do(move(f"{SILESIA} > {DANZIG}", "2 inf"))
    assert t.game.clone().hash == t.game.hash
    assert t.s.stack(DANZIG) == {Unit("germany", "inf", left=4): 2}
