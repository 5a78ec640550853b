"""Friendly seas and supply lines (1.5, 1.7, D.3)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.games.blitz.rules.land_round import attack_strength
from sandtable.games.blitz.rules.move_land import March
from sandtable.games.blitz.rules.move_to_sea import Sail
from sandtable.games.blitz.rules.rebase import Rebase
from sandtable.games.blitz.rules.sides import friendly
from sandtable.games.blitz.rules.spend import Build, Scrap
from sandtable.games.blitz.rules.steps import Done
from sandtable.games.blitz.rules.supply import friendly_sea, in_supply, network, reaches
from tests.blitz.table import Play, position


def _malta(**units: Any) -> Any:
    """A British unit on Malta, whose supply has to come over the Mediterranean."""
    return position(units={"afa_malta": "malta", **units})


# --- control and friendly areas (1.5) ----------------------------------------------------------


@pytest.mark.rule("blitz:1.5a")
def test_an_area_is_friendly_if_any_power_of_the_side_controls_it() -> None:
    s = position(control={"persia": "ussr"})
    assert friendly(s, "persia", "afa") and friendly(s, "persia", "usa")
    assert not friendly(s, "persia", "germany")
    assert not friendly(s, "spain", "afa") and not friendly(s, "spain", "germany")


@pytest.mark.rule("blitz:1.5b")
def test_flags_give_control_of_whole_countries_but_peking_is_japanese() -> None:
    s = position()
    assert {s.control[area] for area in s.facts.countries["ussr"].areas} == {"ussr"}
    assert s.control["peking"] == "japan"
    assert {s.control[area] for area in ("canton", "chungking", "lan_chow")} == {"usa"}


@pytest.mark.rule("blitz:1.5e")
def test_countries_with_a_question_mark_or_no_flag_start_neutral() -> None:
    s = position()
    assert s.control["mexico"] == "" and s.facts.countries["mexico"].claimed_by == "usa"
    assert s.control["sweden"] == "" and s.facts.countries["sweden"].claimed_by == ""


@pytest.mark.rule("blitz:1.5c")
def test_an_enemy_guard_closes_a_sea_that_is_empty_of_friends() -> None:
    assert friendly_sea(_malta(), "mediterranean_sea", "afa")
    for guard in ("ger_regia_marina", "ger_sommergibili", "ger_he_111s", "ger_graf_zeppelin"):
        s = _malta(**{guard: "mediterranean_sea"})
        assert not friendly_sea(s, "mediterranean_sea", "afa"), guard
        assert friendly_sea(s, "mediterranean_sea", "germany")
        assert friendly_sea(s, "mediterranean_sea", "usa"), "it is not at war with Germany"
    s = _malta(ger_italian_trs="mediterranean_sea")
    assert friendly_sea(s, "mediterranean_sea", "afa")
    s = _malta(ger_regia_marina="mediterranean_sea", usa_3rd_fleet="mediterranean_sea")
    assert friendly_sea(s, "mediterranean_sea", "afa"), "any unit of the side will do"


@pytest.mark.rule("blitz:1.5d")
@pytest.mark.parametrize(("damage", "open_"), [(0, True), (1, True), (2, False)])
def test_a_convoy_keeps_a_sea_friendly_until_it_has_all_its_damage(
    damage: int, open_: bool
) -> None:
    s = position(units={"ger_u_boat_i": "north_atlantic"}, convoy_damage={"north_atlantic": damage})
    assert friendly_sea(s, "north_atlantic", "afa") is open_


@pytest.mark.rule("blitz:1.5d")
def test_a_destroyed_convoy_does_not_keep_a_sea_friendly() -> None:
    s = position(units={"ger_u_boat_i": "north_atlantic"}, conquered={"canada": "axis"})
    assert not friendly_sea(s, "north_atlantic", "afa")


@pytest.mark.rule("blitz:1.5f")
def test_moving_through_friendly_land_changes_no_control_and_taking_enemy_land_does() -> None:
    play = Play(
        "D",
        phase="axis_activities",
        step="E",
        turn=5,
        units={"ger_army_group_b": "berlin", "sov_western_front": "moscow"},
    )
    before = dict(play.state.control)
    play.do("germany", March("ger_army_group_b", ("poland", "ukraine")))
    changed = {a: p for a, p in play.state.control.items() if before[a] != p}
    assert changed == {"ukraine": "germany"}


# --- tracing (1.7) ------------------------------------------------------------------------------


@pytest.mark.rule("blitz:1.7a")
def test_units_at_sea_are_in_supply_and_units_on_land_need_a_line() -> None:
    s = position(
        units={
            "afa_africa_trs": "mediterranean_sea",
            "afa_bef": {"at": "mediterranean_sea", "aboard": "afa_africa_trs"},
            "ger_regia_marina": "western_approaches",
            "ger_sommergibili": "arabian_sea",
        },
        control={area: "germany" for area in ("gibraltar", "algeria", "egypt", "vichy_france")},
        convoy_damage={"western_approaches": 1},
    )
    assert "mediterranean_sea" not in network(s, "afa")
    assert in_supply(s, "afa_africa_trs") and in_supply(s, "afa_bef")
    s.take("ger_sommergibili")
    s = _malta(ger_regia_marina="mediterranean_sea")
    assert not in_supply(s, "afa_malta")


@pytest.mark.rule("blitz:1.7b")
def test_only_lines_for_building_cross_neutral_countries() -> None:
    s = position(
        units={"ger_army_group_a": "portugal"}, control={"portugal": "germany", "paris": "germany"}
    )
    for sea in ("western_approaches", "cape_verde_basin"):
        s.put(
            {"western_approaches": "afa_home_fleet", "cape_verde_basin": "afa_north_sea_fleet"}[
                sea
            ],
            replace(s.units["ger_army_group_a"], power="afa", at=sea),
        )
    assert s.control["spain"] == ""
    assert not in_supply(s, "ger_army_group_a")
    assert in_supply(s, "ger_army_group_a", building=True)
    assert "portugal" not in network(s, "germany")
    assert reaches(s, "germany", "portugal", building=True)


@pytest.mark.rule("blitz:1.7c")
@pytest.mark.rule("blitz:D.3a")
def test_a_line_starts_at_home_and_runs_through_friendly_areas_and_land_routes() -> None:
    units = {"sov_western_front": "samarkand"}
    assert in_supply(position(units=units), "sov_western_front")
    # Lan Chow hangs on the USSR by two Land Routes; its air routes are no help.
    s = position(units={"sov_western_front": "lan_chow"}, control={"lan_chow": "ussr"})
    assert in_supply(s, "sov_western_front")
    others = {
        area: "japan" for area in s.facts.countries["ussr"].areas if area != "caucasus_mountains"
    }
    s = position(
        units={"sov_western_front": "samarkand", "ger_u_boat_i": "black_sea"},
        control={**others, "samarkand": "ussr", "caucasus_mountains": "japan"},
    )
    assert in_supply(s, "sov_western_front"), "Samarkand is in the USSR itself"


@pytest.mark.rule("blitz:1.7c")
def test_air_routes_carry_no_supply() -> None:
    # Chungking is joined to India by an Air Route and to Burma by a Land Route.
    held = {"chungking": "afa", "burma": "japan", "canton": "japan", "lan_chow": "japan"}
    s = position(units={"afa_indian_army": "chungking"}, control=held)
    assert not in_supply(s, "afa_indian_army")
    s = position(units={"afa_indian_army": "chungking"}, control={**held, "burma": "afa"})
    assert in_supply(s, "afa_indian_army")


@pytest.mark.rule("blitz:1.7c")
def test_a_line_does_not_start_in_an_area_that_the_enemy_holds() -> None:
    homes = [a for c in ("germany", "italy") for a in position().facts.countries[c].areas]
    s = position(
        units={"ger_luftwaffe": "poland"},
        control={**dict.fromkeys(homes, "ussr"), "poland": "germany"},
    )
    assert not in_supply(s, "ger_luftwaffe")
    s.set_control("berlin", "germany")
    assert in_supply(s, "ger_luftwaffe")


@pytest.mark.rule("blitz:1.7c")
def test_seas_that_only_a_passage_joins_are_not_adjacent_for_supply() -> None:
    s = position(
        units={"ger_6th_army": "caucasus_mountains"}, control={"caucasus_mountains": "germany"}
    )
    assert s.control["istanbul"] == s.control["central_europe"] == ""
    assert friendly_sea(s, "mediterranean_sea", "germany")
    assert friendly_sea(s, "black_sea", "germany")
    assert not in_supply(s, "ger_6th_army")
    s.set_control("istanbul", "germany")
    assert in_supply(s, "ger_6th_army"), "over the land of Istanbul"


@pytest.mark.rule("blitz:1.7d")
@pytest.mark.rule("blitz:D.3a")
def test_afa_and_usa_share_their_homes_while_the_usa_is_at_war_but_not_for_building() -> None:
    s = position(
        units={
            "usa_1st_us_army": "scotland",
            "ger_u_boat_iii": "western_approaches",
            "ger_high_seas_fleet": "north_sea",
            "ger_u_boat_ii": "north_atlantic",
        },
        convoy_damage={"north_atlantic": 2, "western_approaches": 1},
        wars=[("germany", "afa"), ("germany", "usa")],
    )
    assert in_supply(s, "usa_1st_us_army")
    assert not in_supply(s, "usa_1st_us_army", building=True)


@pytest.mark.rule("blitz:1.7d")
def test_before_the_usa_is_at_war_nothing_is_shared() -> None:
    enclosed = {"atlantic_seaboard", "central_plains", "west_coast", "alaska"}
    s = position(units={"usa_1st_us_army": "london"}, control=dict.fromkeys(enclosed, "japan"))
    assert not in_supply(s, "usa_1st_us_army")
    s.set_wars(s.wars | {("usa", "japan"), ("japan", "usa")})
    assert in_supply(s, "usa_1st_us_army")


@pytest.mark.rule("blitz:1.7e")
@pytest.mark.rule("blitz:1.7c")
def test_ex_1_7() -> None:
    """The Near East supplies its own units and no others of Germany's."""
    s = position(
        units={
            "min_persian_army": {"at": "iraq", "power": "germany"},
            "ger_army_group_center": "iraq",
            "afa_mediterranean_fleet": "mediterranean_sea",
            "afa_far_east_fleet": "arabian_sea",
        },
        control=dict.fromkeys(("levant", "iraq", "persia"), "germany"),
        allied={"near_east": "germany"},
    )
    # Nothing joins it to Germany or Italy while the British hold the seas.
    assert in_supply(s, "min_persian_army")
    assert not in_supply(s, "ger_army_group_center")
    for start in ("berlin", "rome", "levant", "iraq", "persia"):
        assert start in network(s, "germany", "near_east")
    s.take("afa_mediterranean_fleet")
    assert in_supply(s, "ger_army_group_center")


@pytest.mark.rule("blitz:D.3b")
def test_a_line_enters_land_of_its_side_only() -> None:
    s = position("D", units={"ger_6th_army": "ukraine"}, control={"ukraine": "germany"})
    assert in_supply(s, "ger_6th_army")
    for area in ("poland", "central_europe"):
        s.set_control(area, "ussr")
    assert in_supply(s, "ger_6th_army") is False


@pytest.mark.rule("blitz:D.3b")
def test_a_sea_with_an_enemy_guard_stops_a_line_unless_there_is_a_friend() -> None:
    guard = {"ger_regia_marina": "mediterranean_sea"}
    assert in_supply(_malta(), "afa_malta")
    assert not in_supply(_malta(**guard), "afa_malta")
    assert in_supply(_malta(**guard, afa_mediterranean_fleet="mediterranean_sea"), "afa_malta")


def test_lines_are_traced_anew_when_a_guard_sails_or_a_convoy_is_lost() -> None:
    s = _malta()
    assert in_supply(s, "afa_malta")
    s.put(
        "ger_regia_marina", replace(s.units["afa_malta"], power="germany", at="mediterranean_sea")
    )
    assert not in_supply(s, "afa_malta")
    s.change("ger_regia_marina", at="rome", port="mediterranean_sea")
    assert in_supply(s, "afa_malta")
    s.put("ger_u_boat_i", replace(s.units["afa_malta"], power="germany", at="north_atlantic"))
    assert "north_atlantic" in network(s, "afa")
    s.set_convoy_damage({"north_atlantic": 2})
    assert "north_atlantic" not in network(s, "afa")


def test_supply_is_not_in_use_before_scenario_d() -> None:
    s = position("B", units={"ger_6th_army": "paris"}, control={"paris": "germany"})
    for area in ("western_germany", "belgium_netherlands", "vichy_france"):
        s.set_control(area, "western_allies")
    assert in_supply(s, "ger_6th_army")


@pytest.mark.rule("blitz:E.supply-a")
def test_western_allied_lines_start_beyond_the_map_of_scenario_e() -> None:
    s = position("E", units={"afa_indian_army": "calcutta", "usa_marines": "hawaii"})
    assert "london" not in s.control and "atlantic_seaboard" not in s.control
    assert "london" in network(s, "western_allies")
    assert "cape_basin" in network(s, "western_allies"), "a sea out of play is crossed"
    assert "eastern_canada" in network(s, "western_allies"), "AFA land out of play is crossed"
    assert "berlin" not in network(s, "western_allies")
    assert "moscow" not in network(s, "western_allies")
    assert in_supply(s, "usa_marines")
    assert "london" not in network(s, "japan")


# --- what a unit without supply can do ----------------------------------------------------------


@pytest.mark.rule("blitz:1.7f")
@pytest.mark.rule("blitz:D.3c")
def test_an_air_unit_out_of_supply_may_rebase() -> None:
    play = Play(
        phase="allied_activities",
        step="D",
        units={"ger_regia_marina": "mediterranean_sea", "afa_desert_air_force": "malta"},
    )
    assert not in_supply(play.state, "afa_desert_air_force")
    play.do("afa", Rebase("afa_desert_air_force", "algeria"))
    assert play.state.units["afa_desert_air_force"].at == "algeria"


@pytest.mark.rule("blitz:1.7f")
@pytest.mark.rule("blitz:D.3c")
def test_a_fleet_out_of_supply_has_movement_1() -> None:
    """The Italian fleet cuts Malta off."""
    play = Play(
        phase="allied_activities",
        step="B",
        units={"ger_regia_marina": "mediterranean_sea", "afa_mediterranean_fleet": "malta"},
    )
    assert not in_supply(play.state, "afa_mediterranean_fleet")
    fleet, near = "afa_mediterranean_fleet", "mediterranean_sea"
    for path, port in (((near, "western_approaches"), ""), ((near, "egypt"), near)):
        assert play.refused("afa", Sail(fleet, path, port)) == "1.7f"
    play.do("afa", Sail(fleet, (near,)))
    assert play.state.units[fleet].at == near


@pytest.mark.rule("blitz:1.7g")
@pytest.mark.rule("blitz:D.3c")
def test_a_land_unit_out_of_supply_does_not_move() -> None:
    play = Play(
        "D",
        phase="axis_activities",
        step="E",
        turn=5,
        units={"ger_6th_army": "moscow", "sov_western_front": "urals"},
        control={"moscow": "germany", "stalingrad": "germany"},
    )
    assert play.refused("germany", March("ger_6th_army", ("stalingrad",))) == "1.7g"


@pytest.mark.rule("blitz:1.7h")
@pytest.mark.rule("blitz:D.3d")
def test_each_defender_out_of_supply_counts_two_more_white_triangles() -> None:
    def strength(**control: str) -> int | None:
        s = position(
            "D",
            turn=5,
            units={
                "ger_6th_army": {"at": "moscow", "size": 2},
                "ger_18th_army": {"at": "moscow", "size": 2},
                "sov_western_front": {"at": "stalingrad", "size": 2},
            },
            control={"moscow": "germany", **control},
        )
        assert in_supply(s, "ger_6th_army") is bool(control)
        defenders = ["ger_6th_army", "ger_18th_army"]
        return attack_strength(s, "moscow", ["sov_western_front"], [], defenders)

    supplied, cut_off = strength(ukraine="germany"), strength()
    assert supplied is not None and cut_off == supplied + 2 * 2


@pytest.mark.rule("blitz:1.7g")
@pytest.mark.rule("blitz:D.3c")
@pytest.mark.rule("blitz:D.10a")
@pytest.mark.rule("blitz:D.10c")
def test_a_unit_out_of_supply_is_not_built_but_may_be_destroyed() -> None:
    play = Play(
        "D",
        phase="turn_end",
        step="income",
        turn=5,
        units={"ger_6th_army": "moscow", "ger_18th_army": "berlin"},
        control={"moscow": "germany"},
        resources={"germany": 5},
    )
    assert play.refused("germany", Build("ger_6th_army", 2)) == "7.8.build-b"
    play.do("germany", Scrap("ger_6th_army"))
    while play.state.step == "spend":
        play.do(play.game.pending[0].power, Done())
    assert "ger_6th_army" not in play.state.units and "ger_18th_army" in play.state.units


@pytest.mark.rule("blitz:D.10b")
def test_a_fort_is_built_where_a_line_leads() -> None:
    play = Play(
        "D",
        phase="turn_end",
        step="income",
        turn=5,
        units={"ger_6th_army": "poland"},
        control={"moscow": "germany", "ukraine": "germany", "vladivostok": "germany"},
        resources={"germany": 5},
        pool={"germany": ["ger_ostwall"]},
    )
    assert play.refused("germany", Build("ger_ostwall", 1, "vladivostok")) == "7.8.build-f"
    request = play.request_of("germany")
    request.check(play.state, Build("ger_ostwall", 1, "moscow"))
