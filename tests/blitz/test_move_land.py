"""Step E: moving land units (5.2, A.4, A.5, B.4)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sandtable.games.blitz.rules.move_land import (
    Claim,
    ContestArea,
    Land,
    March,
    MoveLand,
    entry_cost,
    paths,
)
from sandtable.kernel.decisions import Pass
from tests.blitz.table import Play, position


def _play(scenario: str = "campaign", phase: str = "axis_activities", **given: Any) -> Play:
    return Play(scenario, phase=phase, step="E", **given)


def _at(play: Play, id: str) -> str:
    return play.state.units[id].at


# --- moving -------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:5.2e")
@pytest.mark.rule("blitz:5.2f")
def test_ex_5_2() -> None:
    friendly = {
        "paris": "germany",
        "poland": "germany",
        "spain": "germany",
        "portugal": "germany",
    }
    play = _play(units={"ger_army_group_b": "paris"}, control=friendly)
    play.do("germany", March("ger_army_group_b", ("western_germany", "berlin", "poland")))
    assert _at(play, "ger_army_group_b") == "poland"
    route = _play(units={"ger_army_group_b": "paris"}, control=friendly)
    assert entry_cost(route.state, "spain") == 2
    assert route.refused("germany", March("ger_army_group_b", ("spain", "portugal"))) == "5.2f"
    route.do("germany", March("ger_army_group_b", ("spain",)))
    assert _at(route, "ger_army_group_b") == "spain"


@pytest.mark.rule("blitz:A.4a")
@pytest.mark.rule("blitz:5.2e")
def test_a_land_unit_moves_as_far_as_its_movement_or_less() -> None:
    play = _play(
        "A",
        units={"ger_18th_army": "western_germany", "ger_army_group_a": "berlin"},
        control={"paris": "germany", "vichy_france": "germany"},
    )
    assert (
        play.refused(
            "germany",
            March("ger_army_group_a", ("western_germany", "paris", "vichy_france", "paris")),
        )
        == "5.2e"
    )
    assert play.refused("germany", March("ger_army_group_a", ("paris",))) == "5.2e"
    assert play.refused("germany", March("ger_army_group_a", ())) == "5.2e"
    play.do("germany", March("ger_army_group_a", ("western_germany", "paris", "vichy_france")))
    play.do("germany", March("ger_18th_army", ("berlin",)))
    assert _at(play, "ger_army_group_a") == "vichy_france"
    assert _at(play, "ger_18th_army") == "berlin"


@pytest.mark.rule("blitz:A.4b")
@pytest.mark.rule("blitz:5.2e")
@pytest.mark.parametrize(
    ("area", "cost"),
    [
        ("burma", 2),  # jungle
        ("spain", 2),  # mountain
        ("byelorussia", 2),  # swamp
        ("poland", 1),  # forest
        ("berlin", 1),
        ("gibraltar", 1),  # an island
    ],
)
def test_what_terrain_costs(area: str, cost: int) -> None:
    assert entry_cost(position(), area) == cost


@pytest.mark.rule("blitz:A.4b")
def test_a_unit_with_too_little_movement_does_not_enter() -> None:
    play = _play("D", turn=5, units={"ger_wehrkreis_iii": "poland", "ger_alpini_army": "berlin"})
    assert play.refused("germany", March("ger_wehrkreis_iii", ("byelorussia",))) == "5.2e"
    assert play.refused("germany", March("ger_alpini_army", ("poland", "byelorussia"))) == "5.2e"


@pytest.mark.rule("blitz:A.4c")
@pytest.mark.rule("blitz:5.2d")
def test_no_unit_moves_into_an_area_with_an_enemy_land_unit() -> None:
    play = _play("A", units={"ger_army_group_b": "western_germany", "afa_maginot_line": "paris"})
    assert play.refused("germany", March("ger_army_group_b", ("paris",))) == "5.2d"
    assert play.refused("germany", March("ger_army_group_b", ("paris", "vichy_france"))) == "5.2d"


@pytest.mark.rule("blitz:A.4d")
@pytest.mark.rule("blitz:5.2c")
def test_an_empty_enemy_area_is_taken_and_the_unit_goes_on() -> None:
    play = _play(
        "D",
        turn=5,
        units={"ger_army_group_center": "poland", "sov_western_front": "urals"},
    )
    play.do("germany", March("ger_army_group_center", ("ukraine", "don_basin", "stalingrad")))
    assert _at(play, "ger_army_group_center") == "stalingrad"
    for area in ("ukraine", "don_basin", "stalingrad"):
        assert play.state.control[area] == "germany"
    assert [event["space"] for event in play.events("control_taken")] == [
        "ukraine",
        "don_basin",
        "stalingrad",
    ]


@pytest.mark.rule("blitz:5.2c")
def test_it_may_come_back_from_an_area_that_it_took() -> None:
    play = _play("D", turn=5, units={"ger_6th_army": "poland", "sov_western_front": "urals"})
    march = March("ger_6th_army", ("ukraine", "poland"))
    assert march in list(play.game.legal(play.request_of("germany")))
    play.do("germany", march)
    assert _at(play, "ger_6th_army") == "poland" and play.state.control["ukraine"] == "germany"


@pytest.mark.rule("blitz:5.2c")
def test_air_and_naval_units_do_not_hold_an_area_and_are_overrun() -> None:
    play = _play(
        "D",
        turn=5,
        units={"ger_6th_army": "poland", "sov_vvs": "ukraine", "sov_western_front": "moscow"},
    )
    play.do("germany", March("ger_6th_army", ("ukraine",)))
    assert play.state.control["ukraine"] == "germany"
    assert _at(play, "sov_vvs") != "ukraine" or play.game.pending[0].power == "germany"


@pytest.mark.rule("blitz:5.2c")
def test_peace_closes_an_enemys_land() -> None:
    play = _play(units={"ger_6th_army": "poland"}, control={"poland": "germany"})
    assert play.refused("germany", March("ger_6th_army", ("ukraine",))) == "5.2c"


def test_a_march_ends_where_its_consequences_close_the_way() -> None:
    # Paris falls, France with it, and Vichy France is neutral.
    play = _play(units={"ger_army_group_b": "western_germany", "afa_bef": "london"}, control={})
    play.do("germany", March("ger_army_group_b", ("paris", "vichy_france")))
    assert play.state.control["paris"] == "germany"
    assert _at(play, "ger_army_group_b") == "paris"
    assert play.state.control["vichy_france"] == ""


@pytest.mark.rule("blitz:A.4e")
@pytest.mark.rule("blitz:5.2a")
def test_a_fort_never_moves_and_others_move_once() -> None:
    play = _play(
        "A",
        units={
            "ger_westwall": "western_germany",
            "ger_18th_army": "berlin",
            "ger_army_group_a": "berlin",
        },
    )
    assert play.refused("germany", March("ger_westwall", ("berlin",))) == "5.2a"
    play.do("germany", March("ger_18th_army", ("western_germany",)))
    assert play.refused("germany", March("ger_18th_army", ("berlin",))) == "5.2a"


@pytest.mark.rule("blitz:5.2a")
def test_supply_is_judged_as_each_unit_starts() -> None:
    play = _play(
        "D",
        turn=5,
        units={"ger_6th_army": "moscow", "ger_18th_army": "poland", "sov_western_front": "urals"},
        control={"moscow": "germany"},
    )
    out = March("ger_6th_army", ("stalingrad",))
    assert play.refused("germany", out) == "1.7g"
    play.do("germany", March("ger_18th_army", ("ukraine",)))
    play.do("germany", out)
    assert _at(play, "ger_6th_army") == "stalingrad"


def test_garbage_is_refused() -> None:
    play = _play(units={"ger_6th_army": "berlin", "ger_luftwaffe": "berlin", "afa_bef": "paris"})
    for decision in (
        March("nobody", ("berlin",)),
        March("afa_bef", ("vichy_france",)),
        March("ger_luftwaffe", ("western_germany",)),
        March("ger_6th_army", ("berlin",)),
        March("ger_6th_army", ("",)),
        March("ger_6th_army", ("western_germany", "berlin", "western_germany", "berlin")),
        Land("ger_6th_army", "berlin"),
        Land("nobody", "berlin"),
    ):
        play.refused("germany", decision)


def test_everything_listed_and_proposed_is_legal() -> None:
    play = _play("D", turn=5, base="setup")
    request = play.request_of("germany")
    listed = list(play.game.legal(request))
    assert len(listed) > 20
    for decision in listed:
        request.check(play.state, decision)
    rng = random.Random(5)
    for _ in range(50):
        request.check(play.state, request.sample(play.state, rng))


def test_who_has_no_land_unit_left_to_move_is_not_asked() -> None:
    play = _play(units={"ger_6th_army": "berlin", "jap_zeroes": "tokyo", "ger_westwall": "berlin"})
    assert [request.power for request in play.game.pending] == ["germany"]
    play.do("germany", March("ger_6th_army", ("western_germany",)))
    assert not isinstance(play.game.pending[0], MoveLand)


# --- scenario A ---------------------------------------------------------------------------------


@pytest.mark.rule("blitz:A.5a")
def test_an_afa_unit_in_london_crosses_to_paris_and_stops() -> None:
    def play() -> Play:
        return _play(
            "A",
            "allied_activities",
            units={"afa_bef": "london", "afa_home_guard": "london", "afa_2nd_army_group": "paris"},
        )

    game = play()
    assert game.refused("afa", March("afa_bef", ("paris", "vichy_france"))) == "5.2f"
    game.do("afa", March("afa_bef", ("paris",)))
    assert _at(game, "afa_bef") == "paris"
    back = play()
    assert back.refused("afa", March("afa_2nd_army_group", ("london",))) == "5.2e"
    campaign = _play(phase="allied_activities", units={"afa_bef": "london", "afa_malta": "london"})
    assert campaign.refused("afa", March("afa_bef", ("paris",))) == "5.2e"


@pytest.mark.rule("blitz:A.5a")
def test_it_does_not_cross_into_an_enemy_land_unit() -> None:
    play = _play(
        "A",
        "allied_activities",
        units={"afa_bef": "london", "afa_home_guard": "london", "ger_18th_army": "paris"},
        control={"paris": "germany"},
    )
    assert play.refused("afa", March("afa_bef", ("paris",))) == "5.2d"


@pytest.mark.rule("blitz:A.5b")
def test_a_land_unit_stays_in_london() -> None:
    play = _play(
        "A",
        "allied_activities",
        units={"afa_bef": "london", "afa_home_guard": "london", "afa_2nd_army_group": "paris"},
    )
    play.do("afa", March("afa_bef", ("scotland",)))
    assert play.refused("afa", March("afa_home_guard", ("paris",))) == "A.5b"
    assert play.refused("afa", March("afa_home_guard", ("scotland",))) == "A.5b"


# --- from the sea -------------------------------------------------------------------------------


def _afloat(**given: Any) -> Play:
    return _play(
        given.pop("scenario", "B"),
        "allied_activities",
        turn=9,
        units={
            "afa_europe_trs": {"at": "north_sea", "size": 2},
            "afa_2nd_army": {"at": "north_sea", "size": 2, "aboard": "afa_europe_trs"},
            **given.pop("units", {}),
        },
        **given,
    )


@pytest.mark.rule("blitz:B.4a")
@pytest.mark.rule("blitz:5.2b")
def test_a_unit_lands_on_a_friendly_coast_and_stops() -> None:
    play = _afloat(control={"belgium_netherlands": "western_allies"})
    play.do("western_allies", Land("afa_2nd_army", "belgium_netherlands"))
    assert _at(play, "afa_2nd_army") == "belgium_netherlands"
    assert not play.state.units["afa_2nd_army"].aboard
    assert not isinstance(play.game.pending[0], MoveLand), "it has moved"
    assert play.events("landed") == [
        {"unit": "afa_2nd_army", "path": ("north_sea", "belgium_netherlands")}
    ]


@pytest.mark.rule("blitz:5.2b")
@pytest.mark.rule("blitz:B.4a")
def test_an_enemy_coast_or_another_sea_is_out_of_the_question() -> None:
    play = _afloat(control={"vichy_france": "western_allies"})
    # Empty though it is.
    assert play.refused("western_allies", Land("afa_2nd_army", "belgium_netherlands")) == "5.2b"
    assert play.refused("western_allies", Land("afa_2nd_army", "vichy_france")) == "5.2b"
    assert play.refused("western_allies", March("afa_2nd_army", ("london",))) == "5.2b"


def test_landing_needs_room_on_an_island() -> None:
    play = Play(
        phase="allied_activities",
        step="E",
        units={
            "afa_africa_trs": {"at": "mediterranean_sea", "size": 2},
            "afa_bef": {"at": "mediterranean_sea", "size": 2, "aboard": "afa_africa_trs"},
            "afa_malta": "malta",
        },
    )
    assert play.refused("afa", Land("afa_bef", "malta")) == "1.3.island-a"
    play.do("afa", Land("afa_bef", "egypt"))


# --- Blitzes, neutral powers, allies ------------------------------------------------------------


def test_a_free_blitz_enters_no_enemy_land() -> None:
    play = Play(
        "D",
        phase="axis_blitzes",
        step="E",
        turn=5,
        units={"ger_6th_army": "poland", "sov_western_front": "urals"},
    )
    assert play.refused("germany", March("ger_6th_army", ("ukraine",))) == "2.2.free-e"
    play.do("germany", March("ger_6th_army", ("berlin",)))


@pytest.mark.rule("blitz:5.2.neutral-a")
def test_only_garrisons_of_a_neutral_power_leave_home() -> None:
    def play(**given: Any) -> Play:
        return _play(
            phase="allied_activities",
            units={"sov_cavalry": "samarkand", "sov_siberian_militia": "samarkand"},
            control={"persia": "ussr"},
            **given,
        )

    out = March("sov_cavalry", ("persia",))
    peace = play()
    assert peace.refused("ussr", out) == "5.2.neutral-a"
    peace.do("ussr", March("sov_cavalry", ("novosibirsk",)))
    # A minor country will do.
    at_war = play(minor_wars=[("china", "japan"), ("turkey", "ussr")])
    at_war.do("ussr", out)
    assert _at(at_war, "sov_cavalry") == "persia"


@pytest.mark.rule("blitz:5.2.neutral-a")
def test_a_garrison_of_a_neutral_power_leaves_home() -> None:
    play = _play(
        phase="allied_activities",
        units={"sov_leningrad_militia": "leningrad", "sov_leningrad_front": "leningrad"},
        control={"finland": "ussr"},
    )
    assert play.refused("ussr", March("sov_leningrad_front", ("finland",))) == "5.2.neutral-a"
    play.do("ussr", March("sov_leningrad_militia", ("finland",)))
    assert _at(play, "sov_leningrad_militia") == "finland"


@pytest.mark.rule("blitz:5.2.china-a")
def test_foreign_allies_do_not_enter_japanese_china_either() -> None:
    play = _play(
        phase="allied_activities",
        units={"sov_transbaikal_front": "irkutsk"},
        control={"harbin": "ussr"},
        wars=[("ussr", "japan")],
    )
    into_china = March("sov_transbaikal_front", ("harbin", "peking"))
    assert play.refused("ussr", into_china) == "5.2.china-a"
    chinese = _play(phase="allied_activities", units={"usa_communist_army": "lan_chow"})
    chinese.do("usa", March("usa_communist_army", ("peking",)))
    assert chinese.state.control["peking"] == "usa"


def _rivals(**units: Any) -> Play:
    return _play(
        phase="allied_activities",
        turn=9,
        options={"players": 5},
        wars=[("germany", "afa"), ("germany", "usa")],
        units={"ger_6th_army": "poland", **units},
        control={
            "poland": "germany",
            "belgium_netherlands": "afa",
            "western_germany": "germany",
        },
    )


@pytest.mark.rule("blitz:5.2g")
def test_an_ally_may_dispute_an_empty_enemy_area() -> None:
    play = _rivals(
        usa_3rd_army={"at": "paris", "size": 2},
        afa_21st_army_group={"at": "belgium_netherlands", "size": 2},
    )
    play.do("afa", March("afa_21st_army_group", ("western_germany", "berlin")))
    assert play.request_of("usa") == ContestArea("usa", "western_germany", "afa_21st_army_group")
    # Both moved one area; the American has movement 4, the British 3.
    claim = Claim("usa_3rd_army", ("western_germany",))
    assert claim in list(play.game.legal(play.request_of("usa")))
    assert play.refused("usa", Claim("usa_3rd_army", ("berlin",))) == "5.2g"
    play.do("usa", claim)
    assert play.state.control["western_germany"] == "usa"
    assert _at(play, "usa_3rd_army") == "western_germany"
    assert _at(play, "afa_21st_army_group") == "belgium_netherlands"
    play.do("afa", March("afa_21st_army_group", ("western_germany", "berlin")))


@pytest.mark.rule("blitz:5.2g")
def test_who_moved_fewer_areas_takes_it() -> None:
    play = _rivals(
        usa_3rd_army={"at": "vichy_france", "size": 2},
        afa_21st_army_group={"at": "belgium_netherlands", "size": 2},
    )
    play.do("afa", March("afa_21st_army_group", ("western_germany",)))
    play.do("usa", Claim("usa_3rd_army", ("paris", "western_germany")))
    assert play.state.control["western_germany"] == "afa"
    assert _at(play, "usa_3rd_army") == "vichy_france"


@pytest.mark.rule("blitz:5.2g")
def test_an_ally_who_passes_or_cannot_get_there_has_no_say() -> None:
    play = _rivals(
        usa_3rd_army={"at": "paris", "size": 2},
        afa_21st_army_group={"at": "belgium_netherlands", "size": 2},
    )
    play.do("afa", March("afa_21st_army_group", ("western_germany",)))
    play.do("usa", Pass())
    assert play.state.control["western_germany"] == "afa"
    far = _rivals(
        usa_1st_us_army="atlantic_seaboard",
        afa_21st_army_group={"at": "belgium_netherlands", "size": 2},
    )
    far.do("afa", March("afa_21st_army_group", ("western_germany",)))
    assert far.state.control["western_germany"] == "afa"


def test_paths_end_at_routes_and_enter_no_closed_area() -> None:
    s = position(
        units={"ger_army_group_b": "paris", "afa_bef": "vichy_france"},
        control={"paris": "germany", "spain": "germany"},
    )
    found = list(paths(s, "ger_army_group_b"))
    assert ("spain",) in found
    assert not any(len(path) > 1 and path[0] == "spain" for path in found)
    assert not any("vichy_france" in path for path in found)
