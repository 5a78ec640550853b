"""Step D: rebasing air and naval units (5.1, A.3, B.3)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import astuple

from sandtable.games.blitz.rules.move_land import March, MoveLand
from sandtable.games.blitz.rules.move_to_sea import Fly
from sandtable.games.blitz.rules.movement import air_reach
from sandtable.games.blitz.rules.rebase import Rebase, RebaseUnits, Stop, allowance, harbours
from sandtable.games.blitz.rules.steps import Done
from tests.blitz.table import Play, position


def _play(scenario: str = "campaign", phase: str = "axis_activities", **given: Any) -> Play:
    return Play(scenario, phase=phase, step="D", **given)


# --- air ----------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:A.3a")
@pytest.mark.rule("blitz:A.3b")
@pytest.mark.rule("blitz:A.3d")
def test_ex_a_3() -> None:
    s = position("campaign", units={"afa_royal_air_force": {"at": "london", "size": 2}})
    assert allowance(s, "afa_royal_air_force") == 3
    steps = dict(s.facts.air_steps["london"])
    assert steps["north_sea"] == 2 and dict(s.facts.air_steps["north_sea"])["paris"] == 1
    assert air_reach(s, "london", 3)["paris"] == 1
    assert air_reach(s, "london", 3)["vichy_france"] == 2
    play = _play(
        "A", "allied_activities", units={"afa_royal_air_force": {"at": "london", "size": 2}}
    )
    play.do("afa", Rebase("afa_royal_air_force", "vichy_france"))
    assert play.state.units["afa_royal_air_force"].at == "vichy_france"


@pytest.mark.rule("blitz:A.3a")
@pytest.mark.rule("blitz:5.1.air-a")
def test_an_air_unit_has_three_times_its_movement_and_no_more() -> None:
    play = _play(
        units={"ger_luftwaffe": "berlin"}, control={"paris": "germany", "vichy_france": "germany"}
    )
    far = air_reach(play.state, "berlin", 6)
    assert far["vichy_france"] == 3
    play.do("germany", Rebase("ger_luftwaffe", "vichy_france"))
    other = _play(
        units={"ger_luftwaffe": "poland"},
        control={"poland": "germany", "spain": "germany", "vichy_france": "germany"},
    )
    assert air_reach(other.state, "poland", 6)["spain"] == 4
    assert other.refused("germany", Rebase("ger_luftwaffe", "spain")) == "5.1.air-a"


@pytest.mark.rule("blitz:A.3b")
@pytest.mark.rule("blitz:5.1.air-c")
def test_a_sea_costs_two_and_land_one() -> None:
    s = position(units={"ger_he_111s": "milan"}, control={"libya": "germany"})
    # The Mediterranean 2, Libya 1; by Malta's Air Routes: Rome 1, Malta 1, Libya 1.
    assert air_reach(s, "milan", 9)["libya"] == 3
    assert air_reach(s, "milan", 9)["mediterranean_sea"] == 2
    assert air_reach(s, "milan", 9)["egypt"] == 3


@pytest.mark.rule("blitz:A.3c")
@pytest.mark.rule("blitz:5.1.air-d")
def test_an_air_unit_crosses_enemies_but_no_neutrals_and_ends_on_friendly_land() -> None:
    play = _play(
        units={
            "ger_luftwaffe": "western_germany",
            "afa_1st_army_group": "paris",
            "afa_royal_air_force": "paris",
        },
        control={"vichy_france": "germany"},
    )
    assert play.refused("germany", Rebase("ger_luftwaffe", "paris")) == "1.3.stack-b"
    assert play.refused("germany", Rebase("ger_luftwaffe", "north_sea")) == "5.1.air-a"
    assert play.refused("germany", Rebase("ger_luftwaffe", "belgium_netherlands")) == "1.6a"
    play.do("germany", Rebase("ger_luftwaffe", "vichy_france"))
    assert play.state.units["ger_luftwaffe"].at == "vichy_france"


@pytest.mark.rule("blitz:5.1.air-d")
def test_it_crosses_seas_with_enemies() -> None:
    play = _play(
        units={
            "ger_he_111s": {"at": "rome", "size": 1},
            "afa_mediterranean_fleet": {"at": "mediterranean_sea", "size": 4},
        }
    )
    play.do("germany", Rebase("ger_he_111s", "libya"))
    neutral = position(control={"norway": "germany"})
    # Without Sweden and Finland the way to Norway leads over two seas.
    assert air_reach(neutral, "berlin", 9)["norway"] == 4


@pytest.mark.rule("blitz:A.3c")
def test_in_scenario_a_seas_are_flown_over_though_not_in_play() -> None:
    play = _play("A", "allied_activities", units={"afa_royal_air_force": "scotland"})
    play.do("afa", Rebase("afa_royal_air_force", "paris"))
    assert play.state.units["afa_royal_air_force"].at == "paris"


@pytest.mark.rule("blitz:5.1.air-a")
def test_an_air_unit_at_sea_or_back_from_moving_to_sea_does_not_rebase() -> None:
    play = _play(units={"ger_he_111s": "north_sea", "ger_luftwaffe": "berlin"})
    assert play.refused("germany", Rebase("ger_he_111s", "western_germany")) == "5.1.air-a"
    s = play.state
    s.mark("ger_luftwaffe", "sailed")
    assert play.refused("germany", Rebase("ger_luftwaffe", "poland")) == "5.1.air-a"


@pytest.mark.rule("blitz:5.1.air-a")
def test_a_rebase_is_three_times_the_units_own_movement_to_friendly_land_with_room() -> None:
    """The Luftwaffe moves 1, so it rebases by 3; the He 111s move 2, so they rebase by 6."""
    units = {"ger_luftwaffe": "milan", "ger_he_111s": "milan"}
    played = _play(units=units, control={"egypt": "germany", "french_west_africa": "germany"})
    reach = air_reach(played.state, "milan", 9)
    assert (reach["libya"], reach["egypt"]) == (3, 3)
    far = next(
        area
        for area, cost in reach.items()
        if cost in (4, 5, 6) and played.state.control.get(area) == "germany"
    )
    assert played.refused("germany", Rebase("ger_luftwaffe", far)) == "5.1.air-a"
    played.do("germany", Rebase("ger_he_111s", far), Rebase("ger_luftwaffe", "libya"))
    # An Island has no room for more than it has.
    full = _play(
        units={"ger_luftwaffe": "rome", "ger_he_111s": {"at": "malta", "size": 2}},
        control={"malta": "germany"},
    )
    assert full.refused("germany", Rebase("ger_luftwaffe", "malta")).startswith("1.3.")
    assert full.refused("germany", Rebase("ger_luftwaffe", "paris")) == "1.3.stack-b"


@pytest.mark.rule("blitz:5.1.air-a")
def test_an_air_unit_that_was_at_sea_in_this_phase_is_not_among_those_that_rebase() -> None:
    play = Play(
        phase="axis_activities",
        step="B",
        units={"ger_he_111s": "western_germany", "ger_stukas": "western_germany"},
    )
    while play.request_of(play.game.pending[0].power).kind == "move_to_sea":
        if play.game.pending[0].power == "germany" and "sailed" not in (
            play.state.units["ger_he_111s"].done
        ):
            play.do("germany", Fly("ger_he_111s", "north_sea"))
        else:
            play.do(play.game.pending[0].power, Done())
    request = play.request_of("germany")
    assert request.kind == "rebase_units"
    listed = {each.unit for each in play.game.legal(request) if isinstance(each, Rebase)}
    assert listed == {"ger_stukas"}
    assert play.refused("germany", Rebase("ger_he_111s", "berlin")) == "5.1.air-a"


def test_a_unit_rebases_once_and_goes_somewhere() -> None:
    play = _play(units={"ger_luftwaffe": "berlin", "ger_stukas": "berlin"})
    assert play.refused("germany", Rebase("ger_luftwaffe", "berlin")) == "5.1.air-a"
    play.do("germany", Rebase("ger_luftwaffe", "western_germany"))
    assert play.refused("germany", Rebase("ger_luftwaffe", "berlin")) == "5.1.air-a"


def test_garbage_is_refused() -> None:
    play = _play(
        units={"ger_luftwaffe": "berlin", "ger_baltic_trs": "berlin", "ger_6th_army": "berlin"},
        control={"poland": "germany"},
    )
    for decision in (
        Rebase("nobody", "berlin"),
        Rebase("afa_home_fleet", "london"),
        Rebase("ger_luftwaffe", "atlantis"),
        Rebase("ger_luftwaffe", "western_germany", "north_sea"),
        Rebase("ger_luftwaffe", "western_germany", "", ("ger_6th_army",)),
        Rebase("ger_6th_army", "western_germany"),
        Rebase("ger_baltic_trs", "poland", "nowhere"),
        Rebase("ger_baltic_trs", "poland", "baltic_sea", ("nobody",)),
        Rebase("ger_baltic_trs", "poland", "baltic_sea", ("ger_6th_army", "ger_6th_army")),
        Rebase("ger_baltic_trs", "poland", "baltic_sea", ("ger_luftwaffe",)),
        Rebase("ger_baltic_trs", "poland", "baltic_sea", (), (Stop("atlantis"),)),
        Rebase(
            "ger_baltic_trs",
            "berlin",
            "baltic_sea",
            (),
            (Stop("poland", "baltic_sea", land=("ger_6th_army",)),),
        ),
        Rebase(
            "ger_baltic_trs",
            "berlin",
            "baltic_sea",
            (),
            (Stop("poland", "baltic_sea", embark=("ger_6th_army",)),),
        ),
    ):
        play.refused("germany", decision)


@pytest.mark.rule("blitz:5.1.air-b")
@pytest.mark.rule("blitz:B.3a")
def test_a_para_rebases_with_three_times_its_air_movement_unless_it_was_moved() -> None:
    play = _play(
        "B",
        turn=9,
        units={"ger_1st_para": "berlin", "ger_2nd_para": "berlin", "ger_6th_army": "berlin"},
    )
    assert allowance(play.state, "ger_1st_para") == 6
    assert play.refused("germany", Rebase("ger_6th_army", "paris")) == "5.1.air-b"
    play.state.mark("ger_2nd_para", "carried")
    assert play.refused("germany", Rebase("ger_2nd_para", "paris")) == "5.1.air-b"
    play.do("germany", Rebase("ger_1st_para", "vichy_france"))
    assert play.state.units["ger_1st_para"].at == "vichy_france"


@pytest.mark.rule("blitz:S.c")
@pytest.mark.rule("blitz:B.3a")
def test_scenario_a_does_not_know_rebasing_paras() -> None:
    play = _play("A", units={"ger_1st_para": "berlin", "ger_luftwaffe": "berlin"})
    assert play.refused("germany", Rebase("ger_1st_para", "western_germany")) == "S.c"
    play.do("germany", Rebase("ger_luftwaffe", "western_germany"))


@pytest.mark.rule("blitz:B.4b")
def test_a_land_unit_that_rebased_may_still_move() -> None:
    play = _play(
        "B",
        turn=9,
        units={"ger_1st_para": "berlin", "ger_6th_army": "paris"},
    )
    play.do("germany", Rebase("ger_1st_para", "vichy_france"))
    play.do("germany", *([Done()] if isinstance(play.game.pending[0], RebaseUnits) else []))
    assert isinstance(play.request_of("germany"), MoveLand)
    play.do("germany", March("ger_1st_para", ("paris",)))
    assert play.state.units["ger_1st_para"].at == "paris"


# --- naval --------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:5.1.nav-a")
@pytest.mark.rule("blitz:5.1.nav-b")
@pytest.mark.rule("blitz:B.3b")
def test_a_ship_has_three_times_its_movement_and_ends_in_a_port() -> None:
    play = _play(
        phase="allied_activities",
        units={"afa_home_fleet": {"at": "scotland", "size": 4}},
    )
    s = play.state
    assert allowance(s, "afa_home_fleet") == 6
    # North Sea, Western Approaches, Mediterranean, port.
    assert (
        harbours(s, "afa_home_fleet", ("scotland", "north_sea"))["egypt", "mediterranean_sea"] == 4
    )
    assert play.refused("afa", Rebase("afa_home_fleet", "north_sea")) == "5.1.nav-b"
    assert (
        play.refused("afa", Rebase("afa_home_fleet", "malta", "mediterranean_sea")) == "1.3.port-b"
    )
    play.do("afa", Rebase("afa_home_fleet", "egypt", "mediterranean_sea"))
    assert astuple(play.state.units["afa_home_fleet"])[2:4] == ("egypt", "mediterranean_sea")


@pytest.mark.rule("blitz:5.1.nav-b")
def test_it_goes_no_further_than_that() -> None:
    s = position(units={"afa_home_fleet": "scotland"})
    reached = harbours(s, "afa_home_fleet", ("scotland", "north_sea"))
    assert max(reached.values()) == 6
    # North Sea, Western Approaches, Mediterranean, Arabian Sea, Bay of Bengal, port.
    assert reached["calcutta", "bay_of_bengal"] == 6
    # The Indian Ocean and Cape Naturaliste make it one more.
    assert ("perth", "cape_naturaliste") not in reached


@pytest.mark.rule("blitz:B.3b")
def test_ports_may_be_passed_through_at_one_movement_each() -> None:
    # The port of Egypt opens on both seas: it is as good as the canal, at one more.
    s = position(units={"afa_mediterranean_fleet": "egypt"})
    reached = harbours(s, "afa_mediterranean_fleet", ("egypt", "mediterranean_sea"))
    assert reached["hyderabad", "arabian_sea"] == 2
    assert reached["malta", "mediterranean_sea"] == 2
    assert reached["egypt", "mediterranean_sea"] == 2, "out and back"


@pytest.mark.rule("blitz:5.1.nav-a")
def test_a_ship_at_sea_or_that_moved_to_sea_does_not_rebase() -> None:
    play = _play(
        phase="allied_activities",
        units={
            "afa_home_fleet": "scotland",
            "afa_north_sea_fleet": "north_sea",
            "afa_brest_fleet": "paris",
        },
    )
    assert play.refused("afa", Rebase("afa_north_sea_fleet", "london", "north_sea")) == "5.1.nav-a"
    play.state.mark("afa_home_fleet", "sailed")
    assert play.refused("afa", Rebase("afa_home_fleet", "london", "north_sea")) == "5.1.nav-a"
    play.state.mark("afa_brest_fleet", "returned")
    play.do("afa", Rebase("afa_brest_fleet", "london", "north_sea"))


@pytest.mark.rule("blitz:5.1.nav-a")
def test_it_rebases_to_friendly_ports_only() -> None:
    play = _play(phase="allied_activities", units={"afa_home_fleet": "scotland"})
    assert play.refused("afa", Rebase("afa_home_fleet", "western_germany", "north_sea")) == (
        "1.3.stack-b"
    )
    assert play.refused("afa", Rebase("afa_home_fleet", "norway", "north_sea")) == "1.6a"


@pytest.mark.rule("blitz:5.1.nav-c")
@pytest.mark.parametrize(
    ("enemy", "barred"),
    [
        ("ger_high_seas_fleet", True),
        ("ger_u_boat_i", True),
        ("ger_he_111s", True),
        ("ger_seelowe_trs", False),
        ("jap_combined_fleet", False),
    ],
)
def test_an_enemy_with_air_or_naval_factors_bars_a_sea(enemy: str, barred: bool) -> None:
    play = _play(
        phase="allied_activities",
        units={"afa_home_fleet": "scotland", enemy: "north_sea", "afa_europe_trs": "paris"},
    )
    rebase = Rebase("afa_home_fleet", "london", "north_sea")
    if barred:
        assert play.refused("afa", rebase) == "5.1.nav-b"
    else:
        play.do("afa", rebase)


def _shuttle(**units: Any) -> Play:
    return _play(
        phase="allied_activities",
        turn=9,
        wars=[("germany", "afa"), ("germany", "usa")],
        units={
            "usa_3rd_fleet": "london",
            "usa_9th_army": {"at": "london", "size": 2},
            "afa_home_guard": "london",
            "afa_malta": "london",
            **units,
        },
    )


_SHUTTLE = Rebase(
    "usa_3rd_fleet",
    "paris",
    "western_approaches",
    load=("usa_9th_army",),
    stops=(
        Stop("paris", "western_approaches", land=("usa_9th_army",)),
        Stop("london", "north_sea", embark=("afa_home_guard", "afa_malta")),
    ),
)


@pytest.mark.rule("blitz:5.1.nav-d")
@pytest.mark.rule("blitz:B.3c")
def test_ex_5_1() -> None:
    play = _shuttle()
    s = play.state
    assert allowance(s, "usa_3rd_fleet") == 6
    assert harbours(s, "usa_3rd_fleet", ("london", "north_sea"))["paris", "western_approaches"] == 2
    play.do("usa", _SHUTTLE)
    for id in ("usa_3rd_fleet", "usa_9th_army", "afa_home_guard", "afa_malta"):
        assert play.state.units[id].at == "paris", id
        assert not play.state.units[id].aboard
    assert [event["path"][-1] for event in play.events("rebased")] == ["paris", "london", "paris"]
    assert "carried" in play.state.units["afa_malta"].done


@pytest.mark.rule("blitz:5.1.nav-c")
def test_ex_5_1_is_prevented_by_an_axis_fleet() -> None:
    assert _shuttle(ger_u_boat_i="western_approaches").refused("usa", _SHUTTLE) == "5.1.nav-b"


@pytest.mark.rule("blitz:5.1.nav-b")
def test_the_shuttle_has_no_seventh_movement() -> None:
    longer = Rebase(
        "usa_3rd_fleet",
        "london",
        "north_sea",
        load=("usa_9th_army",),
        stops=(*_SHUTTLE.stops, Stop("paris", "western_approaches", land=("afa_malta",))),
    )
    assert _shuttle().refused("usa", longer) == "5.1.nav-b"


@pytest.mark.rule("blitz:5.1.nav-d")
@pytest.mark.rule("blitz:B.3c")
def test_a_transport_takes_on_units_in_ports_only() -> None:
    play = _play(
        "B",
        "allied_activities",
        turn=9,
        units={"afa_europe_trs": "scotland", "afa_2nd_army": "london", "afa_8th_army": "scotland"},
    )
    # London is a coast that it passes by, unless it calls there.
    assert (
        play.refused(
            "western_allies", Rebase("afa_europe_trs", "london", "north_sea", ("afa_2nd_army",))
        )
        == "5.1.nav-d"
    )
    assert (
        play.refused(
            "western_allies",
            Rebase(
                "afa_europe_trs",
                "scotland",
                "north_sea",
                (),
                (Stop("north_sea", embark=("afa_2nd_army",)),),
            ),
        )
        == "5.1.nav-b"
    )
    play.do(
        "western_allies",
        Rebase(
            "afa_europe_trs",
            "scotland",
            "north_sea",
            (),
            (Stop("london", "north_sea", embark=("afa_2nd_army",)),),
        ),
    )
    assert play.state.units["afa_2nd_army"].at == "scotland"


@pytest.mark.rule("blitz:5.1.nav-d")
def test_a_transport_carries_twice_its_size() -> None:
    play = _play(
        "B",
        "allied_activities",
        turn=9,
        units={
            "afa_europe_trs": "scotland",
            "afa_2nd_army": {"at": "scotland", "size": 2},
            "afa_8th_army": "scotland",
        },
    )
    both = Rebase("afa_europe_trs", "london", "north_sea", ("afa_2nd_army", "afa_8th_army"))
    assert play.refused("western_allies", both) == "4.2.trs-a"


@pytest.mark.rule("blitz:5.1.nav-d")
@pytest.mark.rule("blitz:1.7f")
@pytest.mark.rule("blitz:1.7g")
def test_out_of_supply_a_transport_rebases_empty() -> None:
    play = _play(
        phase="allied_activities",
        units={
            "afa_africa_trs": "malta",
            "afa_malta": "malta",
            "ger_regia_marina": "western_approaches",
            "ger_sommergibili": "arabian_sea",
        },
        control={
            "egypt": "germany",
            "libya": "germany",
            "algeria": "germany",
            "vichy_france": "germany",
            "gibraltar": "germany",
            "balkans": "afa",
        },
        convoy_damage={"western_approaches": 1},
    )
    loaded = Rebase("afa_africa_trs", "balkans", "mediterranean_sea", ("afa_malta",))
    assert play.refused("afa", loaded) == "5.1.nav-d"
    play.do("afa", Rebase("afa_africa_trs", "balkans", "mediterranean_sea"))
    assert play.state.units["afa_africa_trs"].at == "balkans"


def test_cargo_must_find_room_where_it_is_put_down() -> None:
    play = _play(
        phase="allied_activities",
        units={
            "afa_africa_trs": "gibraltar",
            "afa_gibraltar_garrison": "gibraltar",
            "afa_malta": {"at": "malta"},
            "afa_bef": {"at": "malta"},
        },
    )
    full = Rebase("afa_africa_trs", "malta", "mediterranean_sea", ("afa_gibraltar_garrison",))
    assert play.refused("afa", full) == "1.3.island-a"
    # But it may take one off and come back.
    play.do(
        "afa",
        Rebase(
            "afa_africa_trs",
            "gibraltar",
            "western_approaches",
            (),
            (Stop("malta", "mediterranean_sea", embark=("afa_bef",)),),
        ),
    )
    assert play.state.units["afa_bef"].at == "gibraltar"


@pytest.mark.rule("blitz:5.1.neutral-a")
def test_a_neutral_powers_units_rebase_within_their_home_country() -> None:
    play = _play(
        phase="allied_activities",
        units={
            "usa_8th_fleet": "west_coast",
            "usa_atlantic_fleet": "atlantic_seaboard",
            "usa_5th_air_force": "west_coast",
            "usa_naval_patrol": "hawaii",
        },
    )
    hawaii = Rebase("usa_8th_fleet", "hawaii", "hawaiian_islands")
    assert play.refused("usa", hawaii) == "5.1.neutral-a"
    assert play.refused("usa", Rebase("usa_naval_patrol", "west_coast")) == "5.1.neutral-a"
    play.do("usa", Rebase("usa_5th_air_force", "central_plains"))
    war = _play(
        phase="allied_activities",
        units={"usa_8th_fleet": "west_coast"},
        wars=[("germany", "afa"), ("japan", "usa")],
    )
    war.do("usa", hawaii)


# --- A-Bombs, Blitzes, the queue ----------------------------------------------------------------


def test_a_bomber_picks_up_an_a_bomb_on_the_way() -> None:
    play = _play(
        phase="allied_activities",
        turn=12,
        wars=[("japan", "usa")],
        units={
            "usa_20th_air_force": {"at": "west_coast", "size": 2},
            "usa_5th_air_force": "west_coast",
            "usa_a_bomb_usa": "central_plains",
        },
    )
    play.do(
        "usa",
        Rebase(
            "usa_20th_air_force",
            "atlantic_seaboard",
            stops=(Stop("central_plains", embark=("usa_a_bomb_usa",)),),
        ),
    )
    bomb = play.state.units["usa_a_bomb_usa"]
    assert bomb.at == "atlantic_seaboard" and bomb.aboard == "usa_20th_air_force"


def test_who_has_nothing_to_rebase_is_not_asked() -> None:
    play = _play(units={"ger_6th_army": "berlin", "jap_zeroes": "tokyo"})
    assert play.request_of("japan") and len(play.game.pending) == 1
    play.do("japan", Rebase("jap_zeroes", "kyushu"))
    assert not isinstance(play.game.pending[0], RebaseUnits)


def test_everything_listed_is_legal() -> None:
    play = _play(
        units={"ger_luftwaffe": "milan", "ger_baltic_trs": "berlin", "ger_6th_army": "berlin"},
        control={"poland": "germany"},
    )
    request = play.game.pending[0]
    listed = list(play.game.legal(request))
    assert len(listed) > 10
    for decision in listed:
        request.check(play.state, decision)


def test_an_island_on_the_way_needs_room_as_well() -> None:
    play = _play(
        phase="allied_activities",
        units={
            "afa_africa_trs": "egypt",
            "afa_egyptian_army": "egypt",
            "afa_malta": "malta",
            "afa_bef": "malta",
        },
    )
    stop = Stop("malta", "mediterranean_sea", land=("afa_egyptian_army",))
    home = ("egypt", "mediterranean_sea")
    crowd = Rebase("afa_africa_trs", *home, ("afa_egyptian_army",), (stop,))
    assert play.refused("afa", crowd) == "1.3.island-a"
    swap = Stop("malta", "mediterranean_sea", ("afa_egyptian_army",), ("afa_bef",))
    play.do("afa", Rebase("afa_africa_trs", *home, ("afa_egyptian_army",), (swap,)))
    assert play.state.units["afa_egyptian_army"].at == "malta"
    assert play.state.units["afa_bef"].at == "egypt"
