"""Moving to sea areas: who, how far, through which passages (4.2, 1.3)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.rules.bases import Return
from sandtable.games.blitz.rules.leave import Admit
from sandtable.games.blitz.rules.move_to_sea import Fly, Sail
from sandtable.games.blitz.rules.movement import air_reach, next_seas, port_seas
from sandtable.games.blitz.rules.steps import Done
from tests.blitz.table import Play, position

WAR = [("germany", "afa"), ("germany", "usa"), ("japan", "usa"), ("japan", "afa")]


def step_b(scenario: str = "campaign", side: str = "axis", **given: Any) -> Play:
    return Play(scenario, phase=f"{side}_activities", step="B", **given)


@pytest.mark.rule("blitz:4.2c")
@pytest.mark.rule("blitz:B.2a")
def test_only_a_fleet_in_port_moves_to_sea() -> None:
    play = step_b("B", units={"ger_bb_fleet": "north_sea", "ger_u_boat_i": "western_germany"})
    assert play.refused("germany", Sail("ger_bb_fleet", ("western_approaches",))) == "4.2c"
    play.do("germany", Sail("ger_u_boat_i", ("north_sea",)))
    assert play.state.units["ger_u_boat_i"].at == "north_sea"


@pytest.mark.rule("blitz:4.2c")
def test_an_air_unit_at_sea_does_not_fly_to_another_sea() -> None:
    play = step_b(units={"ger_condors": "north_sea", "ger_u_boat_i": "western_germany"})
    assert play.refused("germany", Fly("ger_condors", "baltic_sea")) == "4.2c"


@pytest.mark.rule("blitz:4.2d")
@pytest.mark.rule("blitz:B.2b")
def test_every_sea_entered_costs_one() -> None:
    """The fleet has movement 2."""
    play = step_b(units={"ger_bb_fleet": "western_germany", "ger_u_boat_i": "western_germany"})
    long = ("north_sea", "north_atlantic", "usa_east_coast")
    assert play.refused("germany", Sail("ger_bb_fleet", long)) == "4.2d"
    assert play.refused("germany", Sail("ger_bb_fleet", ("baltic_sea",))) == "4.2d"
    jump = ("north_sea", "usa_east_coast")
    assert play.refused("germany", Sail("ger_bb_fleet", jump)) == "4.2d"
    assert play.refused("germany", Sail("ger_bb_fleet", ())) == "4.2d"
    play.do("germany", Sail("ger_bb_fleet", ("north_sea", "north_atlantic")))
    play.do("germany", Sail("ger_u_boat_i", long))
    assert play.state.units["ger_bb_fleet"].at == "north_atlantic"
    assert play.state.units["ger_u_boat_i"].at == "usa_east_coast"


@pytest.mark.rule("blitz:4.2d")
def test_a_port_at_the_end_costs_one_too() -> None:
    given: dict[str, Any] = {
        "units": {"ger_bb_fleet": "western_germany"},
        "control": {"paris": "germany", "norway": "germany"},
    }
    play = step_b(**given)
    far = Sail("ger_bb_fleet", ("north_sea", "western_approaches", "paris"), "western_approaches")
    assert play.refused("germany", far) == "4.2d"
    play.do("germany", Sail("ger_bb_fleet", ("north_sea", "norway"), "north_sea"))
    fleet = play.state.units["ger_bb_fleet"]
    assert (fleet.at, fleet.port) == ("norway", "north_sea")
    other = step_b(**given)
    wrong = Sail("ger_bb_fleet", ("north_sea", "norway"), "arctic_ocean")
    assert other.refused("germany", wrong) == "1.3.port-a"


@pytest.mark.rule("blitz:4.2b")
def test_a_unit_moves_once() -> None:
    play = step_b(
        units={
            "ger_bb_fleet": "western_germany",
            "ger_u_boat_i": "western_germany",
        },
        control={"norway": "germany"},
    )
    play.do("germany", Sail("ger_bb_fleet", ("north_sea", "norway"), "north_sea"))
    assert play.refused("germany", Sail("ger_bb_fleet", ("north_sea",))) == "4.2b"


@pytest.mark.rule("blitz:4.2h")
def test_a_unit_that_returned_may_sail_again() -> None:
    play = Play(phase="axis_activities", step="A", units={"ger_bb_fleet": "north_sea"})
    play.do("germany", Return("ger_bb_fleet", "western_germany", "north_sea"))
    play.do("germany", Sail("ger_bb_fleet", ("north_sea", "north_atlantic")))
    assert play.state.units["ger_bb_fleet"].at == "north_atlantic"


@pytest.mark.rule("blitz:4.2e")
@pytest.mark.rule("blitz:C.2a")
def test_a_sea_costs_an_air_unit_two() -> None:
    """The Luftwaffe has movement 1, He 111s have 2, Condors 3."""
    play = step_b(
        "C",
        units={
            "ger_luftwaffe": "western_germany",
            "ger_he_111s": "western_germany",
            "ger_condors": "western_germany",
        },
    )
    assert play.refused("germany", Fly("ger_luftwaffe", "north_sea")) == "4.2e"
    assert play.refused("germany", Fly("ger_he_111s", "western_approaches")) == "4.2e"
    assert play.refused("germany", Fly("ger_he_111s", "paris")) == "4.2c"
    play.do("germany", Fly("ger_he_111s", "north_sea"))
    # Paris and the Western Approaches are 3.
    play.do("germany", Fly("ger_condors", "western_approaches"))
    assert play.state.units["ger_condors"].at == "western_approaches"
    # Through a sea it may rebase, with triple its movement of 1.
    assert "norway" in air_reach(play.state, "western_germany", 3)


@pytest.mark.rule("blitz:4.2e")
def test_air_routes_are_borders_for_air_units() -> None:
    s = position(control={"samarkand": "ussr", "caucasus_mountains": "ussr"})
    assert air_reach(s, "samarkand", 1)["caucasus_mountains"] == 1


@pytest.mark.rule("blitz:4.2f")
@pytest.mark.rule("blitz:data.naval-restrictions")
def test_ex_4_2_italy() -> None:
    """With Gibraltar and Egypt the AFA's, only submarines pass into or out of the
    Mediterranean."""
    play = step_b(
        units={
            "ger_regia_marina": "rome",
            "ger_sommergibili": "rome",
            "ger_u_boat_i": "western_germany",
            "ger_bb_fleet": "western_germany",
        },
        control={"gibraltar": "afa", "egypt": "afa"},
    )
    out = ("mediterranean_sea", "western_approaches")
    assert play.refused("germany", Sail("ger_regia_marina", out)) == "4.2f"
    assert (
        play.refused("germany", Sail("ger_regia_marina", ("mediterranean_sea", "arabian_sea")))
        == "4.2f"
    )
    assert (
        play.refused("germany", Sail("ger_sommergibili", ("mediterranean_sea", "arabian_sea")))
        == "4.2f"
    )
    play.do("germany", Sail("ger_sommergibili", out))
    play.do(
        "germany",
        Sail("ger_u_boat_i", ("north_sea", "western_approaches", "mediterranean_sea")),
    )
    assert play.state.units["ger_sommergibili"].at == "western_approaches"
    assert play.state.units["ger_u_boat_i"].at == "mediterranean_sea"


@pytest.mark.rule("blitz:data.naval-restrictions")
def test_the_passages() -> None:
    """Gibraltar, Suez, the Bosporus and the Danish straits need a friend; Malacca closes when both
    of its shores are the enemy's."""

    def passes(unit: str, here: str, there: str, **control: str) -> bool:
        s = position(units={unit: here}, control=control)
        return there in next_seas(s, unit, here)

    fleet = "ger_regia_marina"
    assert passes(fleet, "mediterranean_sea", "western_approaches", gibraltar="germany")
    assert not passes(fleet, "mediterranean_sea", "arabian_sea", egypt="afa")
    assert passes(fleet, "mediterranean_sea", "arabian_sea", egypt="germany")
    assert not passes(fleet, "mediterranean_sea", "black_sea", istanbul="afa")
    assert passes(fleet, "mediterranean_sea", "black_sea", istanbul="germany")
    assert not passes("sov_baltic_sea_fleet", "baltic_sea", "north_sea")
    assert passes("sov_baltic_sea_fleet", "baltic_sea", "north_sea", western_germany="afa")
    strait = ("afa_far_east_fleet", "bay_of_bengal", "south_china_sea")
    assert passes(*strait, singapore="japan", south_east_asia="afa")
    assert passes(*strait, singapore="afa", south_east_asia="japan")
    assert not passes(*strait, singapore="japan", south_east_asia="japan")
    assert passes("afa_british_submarines", *strait[1:], singapore="japan", south_east_asia="japan")


@pytest.mark.rule("blitz:1.3.sea-a")
@pytest.mark.rule("blitz:1.3.port-c")
def test_istanbul_opens_on_two_seas_that_only_a_note_joins() -> None:
    given: dict[str, Any] = {"units": {"ger_regia_marina": "istanbul"}}
    for sea in ("black_sea", "mediterranean_sea"):
        play = step_b(**given, control={"istanbul": "germany"})
        play.do("germany", Sail("ger_regia_marina", (sea,)))
        assert play.state.units["ger_regia_marina"].at == sea
    s = position(units={"ger_regia_marina": "black_sea"})
    assert list(next_seas(s, "ger_regia_marina", "black_sea")) == []


@pytest.mark.rule("blitz:1.3.port-d")
def test_ports_of_one_land_area_are_not_connected() -> None:
    """Spain has two ports; a fleet is in one of them, and leaves by that."""
    play = step_b(
        units={"ger_regia_marina": {"at": "spain", "port": "mediterranean_sea"}},
        control={"spain": "germany", "gibraltar": "germany"},
    )
    assert port_seas(play.state, "ger_regia_marina") == ("mediterranean_sea",)
    assert play.refused("germany", Sail("ger_regia_marina", ("western_approaches",))) == "4.2d"
    around = Sail("ger_regia_marina", ("mediterranean_sea", "western_approaches", "spain"), "")
    assert play.refused("germany", around) == "1.3.port-d"


@pytest.mark.rule("blitz:errata.manila-seas")
def test_manilas_port_opens_on_the_south_china_sea_only() -> None:
    play = step_b(side="allied", units={"usa_asiatic_fleet": "manila"}, wars=WAR, turn=8)
    assert play.refused("usa", Sail("usa_asiatic_fleet", ("east_china_sea",))) == "4.2d"
    assert "manila" in play.state.facts.coast["east_china_sea"]
    assert "manila" in play.state.facts.coast["south_china_sea"]
    play.do("usa", Sail("usa_asiatic_fleet", ("south_china_sea",)))
    assert play.state.units["usa_asiatic_fleet"].at == "south_china_sea"


@pytest.mark.rule("blitz:1.3.stack-a")
def test_units_of_all_powers_share_a_sea() -> None:
    play = step_b(
        units={
            "ger_bb_fleet": "western_germany",
            "afa_home_fleet": {"at": "north_sea", "size": 4},
            "usa_atlantic_fleet": {"at": "north_sea", "size": 4},
            "ger_high_seas_fleet": {"at": "north_sea", "size": 4},
        }
    )
    play.do("germany", Sail("ger_bb_fleet", ("north_sea",)))
    assert len(play.state.units_at("north_sea")) == 4


@pytest.mark.rule("blitz:4.2g")
def test_of_a_neutral_power_only_transports_and_lend_lease_go_to_sea() -> None:
    play = step_b(
        side="allied",
        units={
            "usa_atlantic_fleet": "atlantic_seaboard",
            "usa_pacific_subs": "atlantic_seaboard",
            "usa_5th_fleet": "atlantic_seaboard",
            "usa_naval_patrol": "atlantic_seaboard",
            "usa_atlantic_trs": "atlantic_seaboard",
            "usa_north_atlantic_ll": "atlantic_seaboard",
            "afa_home_fleet": "london",
        },
    )
    play.do("afa", Done())
    sea = ("usa_east_coast",)
    for id in ("usa_atlantic_fleet", "usa_pacific_subs", "usa_5th_fleet"):
        assert play.refused("usa", Sail(id, sea)) == "4.2g"
    assert play.refused("usa", Fly("usa_naval_patrol", "usa_east_coast")) == "4.2g"
    play.do("usa", Sail("usa_atlantic_trs", sea), Sail("usa_north_atlantic_ll", sea))
    assert play.state.units["usa_north_atlantic_ll"].at == "usa_east_coast"
    war = step_b(side="allied", units={"usa_5th_fleet": "atlantic_seaboard"}, wars=WAR)
    war.do("usa", Sail("usa_5th_fleet", sea))


@pytest.mark.rule("blitz:4.2a")
def test_supply_is_judged_as_each_unit_starts() -> None:
    """Malta is cut off: its fleet has movement 1 and its air unit stays, until the fleet's own
    move opens the sea again."""
    given: dict[str, Any] = {
        "units": {
            "afa_mediterranean_fleet": "malta",
            "afa_raaf": "malta",
            "ger_regia_marina": "mediterranean_sea",
        },
        "control": {"gibraltar": "afa"},
        "turn": 4,
    }
    play = step_b(side="allied", **given)
    out = ("mediterranean_sea", "western_approaches")
    assert play.refused("afa", Sail("afa_mediterranean_fleet", out)) == "1.7f"
    assert play.refused("afa", Fly("afa_raaf", "mediterranean_sea")) == "1.7g"
    play.do("afa", Sail("afa_mediterranean_fleet", out[:1]))
    play.do("afa", Fly("afa_raaf", "mediterranean_sea"))
    assert play.state.units["afa_raaf"].at == "mediterranean_sea"


@pytest.mark.rule("blitz:4.2a")
def test_who_has_nothing_to_move_is_not_asked() -> None:
    play = step_b(units={"ger_6th_army": "berlin", "jap_combined_fleet": "tokyo"})
    assert [request.power for request in play.game.pending] == ["japan"]
    play.do("japan", Sail("jap_combined_fleet", ("japanese_coast",)))
    assert play.state.step != "B"


def test_air_units_go_to_sea_only_from_scenario_c_on() -> None:
    play = step_b("B", units={"ger_he_111s": "berlin", "ger_u_boat_i": "western_germany"})
    assert play.refused("germany", Fly("ger_he_111s", "north_sea")) == "S.c"


def test_an_allys_port_needs_the_allys_leave() -> None:
    given: dict[str, Any] = {
        "options": {"players": 5},
        "units": {"ger_u_boat_i": {"at": "singapore", "port": "south_china_sea"}},
    }
    control = {"singapore": "germany", "borneo": "japan"}
    voyage = Sail("ger_u_boat_i", ("south_china_sea", "borneo"), "south_china_sea")
    yes = step_b(**given, control=control, wars=WAR, turn=8)
    yes.do("germany", voyage).do("japan", Admit(True))
    assert yes.state.units["ger_u_boat_i"].at == "borneo"
    no = step_b(**given, control=control, wars=WAR, turn=8)
    no.do("germany", voyage).do("japan", Admit(False))
    assert no.state.units["ger_u_boat_i"].at == "singapore"
    assert no.refused("germany", voyage) == "1.3.stack-e"
    no.do("germany", Sail("ger_u_boat_i", ("south_china_sea",)))


def test_garbage_is_refused() -> None:
    play = step_b(
        units={"ger_bb_fleet": "western_germany", "ger_he_111s": "berlin", "ger_6th_army": "berlin"}
    )
    for decision in (
        Sail("nobody", ("north_sea",)),
        Sail("ger_6th_army", ("north_sea",)),
        Sail("ger_he_111s", ("north_sea",)),
        Sail("ger_bb_fleet", ("nowhere",)),
        Sail("ger_bb_fleet", ("north_sea", "nowhere")),
        Sail("ger_bb_fleet", ("north_sea", "london"), "north_sea"),
        Sail("ger_bb_fleet", ("north_sea", "berlin"), "nowhere"),
        Sail("ger_bb_fleet", ("western_germany",), "north_sea"),
        Sail("ger_bb_fleet", ("north_sea",), "north_sea"),
        Sail("ger_bb_fleet", ("north_sea",), load=("ger_6th_army",)),
        Sail("ger_bb_fleet", ("north_sea",), load=("nobody",)),
        Fly("ger_bb_fleet", "north_sea"),
        Fly("ger_he_111s", "nowhere"),
        Fly("ger_6th_army", "north_sea"),
    ):
        play.refused("germany", decision)


def test_everything_listed_passes_the_check() -> None:
    play = step_b(
        base="setup",
        wars=WAR,
        units={"ger_baltic_trs": {"at": "western_germany", "size": 2}, "ger_condors": "berlin"},
        control={"norway": "germany"},
    )
    request = play.request_of("germany")
    listed = list(request.decisions(play.state))
    assert len(listed) > 30
    for decision in listed:
        request.check(play.state, decision)
