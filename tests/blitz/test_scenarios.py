"""The scenarios' own rules (A to F)."""

from __future__ import annotations

import pytest

from sandtable.games.blitz.facts import load_facts
from sandtable.games.blitz.rules.retreat import Retreat
from sandtable.games.blitz.rules.rounds import Damage
from sandtable.games.blitz.rules.scenarios import AnnounceJapan, GiveUp, SovietTarget, TakeExtra
from sandtable.games.blitz.rules.steps import Done
from sandtable.games.blitz.rules.victory import final_result
from sandtable.kernel.decisions import Pass
from tests.blitz.table import Play, position

FACTS = load_facts()


def lands(scenario: str) -> set[str]:
    return {area for area in FACTS.areas_in_play[scenario] if area in FACTS.lands}


def seas(scenario: str) -> set[str]:
    return {area for area in FACTS.areas_in_play[scenario] if area in FACTS.seas}


def of(*countries: str) -> set[str]:
    return {area for country in countries for area in FACTS.countries[country].areas}


# --- A ------------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:A.sides")
def test_a_is_germany_against_the_afa_on_turns_1_and_2() -> None:
    scenario = FACTS.scenarios["A"]
    assert scenario.powers == ("germany", "afa")
    assert scenario.turns == (1, 2)
    s = position("A", base="setup")
    assert s.players == (("germany",), ("afa",))
    assert s.control["poland"] == s.units["afa_polish_army"].power == "afa"


@pytest.mark.rule("blitz:A.map-a")
def test_a_is_played_on_land() -> None:
    assert seas("A") == set()
    assert lands("A") == of("belgium_netherlands", "france", "germany", "great_britain", "poland")


@pytest.mark.rule("blitz:A.win-a")
def test_a_ends_when_germany_has_paris_and_poland() -> None:
    given = {"phase": "axis_activities", "step": "E", "units": {"ger_18th_army": "berlin"}}
    play = Play("A", control={"paris": "germany"}, **given)
    play.do("germany", Done())
    assert play.game.result is None
    play = Play("A", control={"paris": "germany", "poland": "germany"}, **given)
    play.do("germany", Done())
    assert play.game.result is not None
    assert play.game.result.winners == ("germany",)


@pytest.mark.rule("blitz:A.win-b")
def test_a_is_the_afas_if_that_does_not_happen() -> None:
    play = Play("A", phase="turn_end", step="reinforce", turn=2, control={"poland": "germany"})
    assert play.game.result is not None
    assert play.game.result.winners == ("afa",)


@pytest.mark.rule("blitz:A.7a")
def test_a_brings_reinforcements_at_the_end_of_turn_1() -> None:
    play = Play("A", base="setup", phase="turn_end", step="reinforce")
    s = play.state
    assert s.turn == 2
    assert s.units["ger_army_group_a"].size == 2
    assert s.units["ger_army_group_a"].at == "western_germany"
    assert s.units["ger_army_group_center"].size == 3
    assert s.units["afa_division_cuirassee"].at == "paris"
    assert s.units["afa_bef"].size == 2
    assert len(play.events("reinforced")) == 7


@pytest.mark.rule("blitz:A.7a")
def test_a_reinforcement_needs_its_place_and_its_unit() -> None:
    play = Play(
        "A",
        base="setup",
        phase="turn_end",
        step="reinforce",
        control={"western_germany": "afa"},
        units={
            "afa_bef": None,
            "ger_18th_army": None,
            "ger_army_group_b": None,
            "ger_stukas": None,
            "ger_westwall": None,
        },
    )
    assert "ger_army_group_a" not in play.state.units
    assert "afa_bef" not in play.state.units


# --- B ------------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:B.sides")
def test_b_is_germany_against_the_western_allies_on_turns_9_to_11() -> None:
    scenario = FACTS.scenarios["B"]
    assert scenario.powers == ("germany", "western_allies")
    assert scenario.turns == (9, 11)
    s = position("B", base="setup")
    assert s.units["afa_2nd_army"].power == s.units["usa_3rd_army"].power == "western_allies"


@pytest.mark.rule("blitz:B.map-a")
def test_b_map() -> None:
    assert seas("B") == {"north_sea", "western_approaches"}
    assert lands("B") == of("belgium_netherlands", "france", "germany", "great_britain")
    s = position("B")
    assert s.control["paris"] == s.control["vichy_france"] == "germany"
    assert s.control["belgium_netherlands"] == "germany"


@pytest.mark.rule("blitz:B.win-a")
def test_b_ends_with_the_conquest_of_germany() -> None:
    given = {"phase": "allied_activities", "step": "E", "units": {"afa_2nd_army": "london"}}
    play = Play("B", conquered={"germany": "allies"}, **given)
    play.do("western_allies", Done())
    assert play.game.result is not None
    assert play.game.result.winners == ("western_allies",)
    play = Play("B", **given)
    play.do("western_allies", Done())
    assert play.game.result is None
    assert final_result(play.state).winners == ("germany",)
    ended = Play("B", phase="turn_end", step="victory", turn=11)
    assert ended.game.result is not None
    assert ended.game.result.winners == ("germany",)


def test_b_has_more_counters_from_turn_10_on() -> None:
    play = Play("B", phase="turn_end", step="victory", turn=9)
    assert play.state.turn == 10
    assert "usa_9th_army" in play.state.pool["western_allies"]
    assert "ger_v_1" in play.state.pool["germany"]
    assert "usa_9th_army" not in position("B").pool["western_allies"]


# --- C ------------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:C.sides")
def test_c_is_germany_against_the_western_allies_on_turns_3_to_9() -> None:
    assert FACTS.scenarios["C"].powers == ("germany", "western_allies")
    assert FACTS.scenarios["C"].turns == (3, 9)


@pytest.mark.rule("blitz:C.map-a")
def test_c_is_played_within_two_moves_of_london() -> None:
    assert seas("C") == {
        "north_sea",
        "western_approaches",
        "arctic_ocean",
        "north_atlantic",
        "mediterranean_sea",
        "usa_east_coast",
        "cape_verde_basin",
    }
    touching = {area for sea in seas("C") for area in FACTS.coast[sea]}
    assert lands("C") == touching - {"vichy_france"}


@pytest.mark.rule("blitz:C.map-b")
def test_c_control_at_the_start() -> None:
    s = position("C")
    for area in ("belgium_netherlands", "norway", "paris", "western_germany"):
        assert s.control[area] == "germany"
    assert s.control["gibraltar"] == s.control["iceland"] == "western_allies"
    assert s.control["spain"] == ""


@pytest.mark.rule("blitz:C.map-b")
def test_c_control_never_changes() -> None:
    """There are no steps in which land units move or fight."""
    play = Play("C", base="setup")
    steps = set()
    before = dict(play.state.control)
    for _ in range(40):
        request = play.game.pending[0]
        steps.add(play.state.step)
        play.do(request.power, next(iter(play.game.legal(request))))
    assert not steps & {"E", "F"}
    assert play.state.control == before


@pytest.mark.rule("blitz:C.map-c")
def test_c_the_convoy_of_the_western_approaches_is_destroyed() -> None:
    from sandtable.games.blitz.rules.convoys import convoy_left

    s = position("C", control={"paris": "western_allies"})
    assert convoy_left(s, "western_approaches") == 0
    assert convoy_left(s, "north_atlantic") == 2


def atlantic(**given: object) -> dict[str, int]:
    play = Play("C", phase="turn_end", step="victory", **given)
    return {each["award"]: each["points"] for each in play.events("scored")}


@pytest.mark.rule("blitz:C.win-b")
def test_c_lend_lease_counts_in_its_own_sea() -> None:
    assert atlantic(units={"afa_arctic_ocean_ll": "arctic_ocean"})["lend_lease_at_sea"] == 1
    assert "lend_lease_at_sea" not in atlantic(units={"afa_arctic_ocean_ll": "north_sea"})
    # No supply line is needed: an enemy alone stands between it and its home.
    guarded = {"afa_arctic_ocean_ll": "arctic_ocean", "ger_u_boat_i": "north_sea"}
    assert atlantic(units=guarded)["lend_lease_at_sea"] == 1


def test_c_the_other_points() -> None:
    assert atlantic()["clear_atlantic"] == 1
    assert atlantic(units={"ger_u_boat_i": "north_sea"})["clear_atlantic"] == 1
    assert "clear_atlantic" not in atlantic(units={"ger_u_boat_i": "north_atlantic"})
    deeds = {
        "destroyed:SUB:germany:western_allies": 2,
        "destroyed:BB:germany:western_allies": 1,
        "destroyed:TRS:western_allies:germany": 1,
        "destroyed:CV:western_allies:germany": 1,
        "destroyed:BB:western_allies:germany": 5,
    }
    got = atlantic(deeds=deeds)
    assert got["submarines_destroyed"] == 2
    assert got["ships_destroyed"] == 2 * 3


@pytest.mark.rule("blitz:C.win-c")
def test_c_damage_on_convoys_counts_and_is_removed() -> None:
    play = Play(
        "C",
        phase="turn_end",
        step="victory",
        convoy_damage={"north_atlantic": 2, "usa_east_coast": 1},
    )
    points = [each for each in play.events("scored") if each["award"] == "convoys_damaged"]
    assert [each["points"] for each in points] == [1]
    assert play.state.convoy_damage == {}
    assert play.state.turn == 4


@pytest.mark.rule("blitz:C.win-a")
def test_c_most_points_win_and_equal_ones_are_a_draw() -> None:
    assert final_result(position("C", vp={"germany": 20, "western_allies": 18})).winners == (
        "germany",
    )
    assert final_result(position("C", vp={"germany": 9, "western_allies": 9})).winners == ()
    going = Play("C", phase="turn_end", step="victory", turn=8, vp={"germany": 16})
    assert going.game.result is None, "all turns are played"


# --- D ------------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:D.sides")
def test_d_has_two_or_three_players() -> None:
    assert FACTS.scenarios["D"].powers == ("germany", "ussr", "western_allies")
    two = position("D", {"players": 2})
    assert two.players == (("germany",), ("ussr", "western_allies"))
    three = position("D", {"players": 3})
    assert three.players == (("germany",), ("ussr",), ("western_allies",))


@pytest.mark.rule("blitz:D.map-a")
@pytest.mark.rule("blitz:D.map-b")
def test_d_map() -> None:
    assert seas("D") == {
        "arabian_sea",
        "arctic_ocean",
        "baltic_sea",
        "bering_sea",
        "black_sea",
        "gulf_of_alaska",
        "mediterranean_sea",
        "north_sea",
        "north_atlantic",
        "usa_east_coast",
        "western_approaches",
    }
    assert lands("D") == of(
        "balkans",
        "belgium_netherlands",
        "central_europe",
        "egypt",
        "finland",
        "germany",
        "great_britain",
        "near_east",
        "poland",
        "usa",
        "ussr",
    )


@pytest.mark.rule("blitz:D.pol-a")
@pytest.mark.rule("blitz:D.pol-b")
def test_d_politics() -> None:
    s = position("D")
    assert s.conquered == {"poland": "axis", "belgium_netherlands": "axis"}
    assert s.control["poland"] == s.control["belgium_netherlands"] == "germany"
    assert s.allied["finland"] == s.allied["central_europe"] == "germany"
    assert s.allied["balkans"] == "western_allies"
    assert s.control["finland"] == "germany"
    assert s.control["balkans"] == "western_allies"
    assert s.trades == ("sweden",)
    assert ("germany", "ussr") in s.wars
    assert ("germany", "western_allies") in s.wars


@pytest.mark.rule("blitz:D.italy-a")
def test_d_the_alpini_army_does_not_come_back() -> None:
    from sandtable.games.blitz.rules.counters import retire

    s = position("D", base="setup")
    assert s.units["ger_alpini_army"].power == "germany"
    s.take("ger_alpini_army")
    retire(s, "germany", "ger_alpini_army")
    assert "ger_alpini_army" in s.removed
    assert "ger_alpini_army" not in s.pool["germany"]


@pytest.mark.rule("blitz:D.win-a")
def test_d_ends_at_15_points_or_after_turn_12() -> None:
    early = Play("D", phase="turn_end", step="victory", turn=5, vp={"ussr": 15})
    assert early.game.result is not None
    assert early.game.result.winners == ("ussr", "western_allies")
    late = Play("D", phase="turn_end", step="victory", turn=12, vp={"germany": 9})
    assert late.game.result is not None
    assert late.game.result.winners == ("germany",)
    going = Play("D", phase="turn_end", step="victory", turn=11, vp={"germany": 9})
    assert going.game.result is None


@pytest.mark.rule("blitz:D.win-b")
def test_d_the_western_allies_win_only_with_the_ussr() -> None:
    play = Play(
        "D",
        phase="turn_end",
        step="victory",
        atomic=[("western_allies", 5), ("germany", 5)],
        turn=5,
    )
    points = {(each["power"], each["award"]) for each in play.events("scored")}
    assert ("germany", "join_atomic_club") in points
    assert not any(power == "western_allies" for power, _ in points)
    assert ("germany", "fortress_europa") not in points
    assert "western_allies" not in final_result(position("D", vp={"germany": 3})).winners
    assert final_result(position("D", vp={"ussr": 3})).winners == ("ussr", "western_allies")


@pytest.mark.rule("blitz:D.front-b")
def test_d_the_landing_on_turn_9() -> None:
    play = Play(
        "D",
        phase="turn_end",
        step="victory",
        turn=8,
        units={
            "ger_army_group_b": {"at": "belgium_netherlands", "size": 2},
            "ger_me_109s": {"at": "belgium_netherlands"},
            "ger_berlin_flak": "berlin",
        },
    )
    s = play.state
    assert s.turn == 9
    assert s.control["belgium_netherlands"] == "western_allies"
    assert s.units["ger_army_group_b"].at == "western_germany"
    assert s.units["ger_me_109s"].at == "western_germany"
    before = Play("D", phase="turn_end", step="victory", turn=7)
    assert before.state.control["belgium_netherlands"] == "germany"


@pytest.mark.rule("blitz:D.front-c")
def test_d_armour_leaves_on_turn_9() -> None:
    given = {"phase": "turn_end", "step": "income", "turn": 9}
    units = {
        "ger_army_group_center": {"at": "poland", "size": 4},
        "ger_army_group_north": {"at": "poland", "size": 3},
        "ger_army_group_south": {"at": "poland", "size": 1},
        "ger_18th_army": {"at": "poland", "size": 2},
    }
    play = Play("D", units=units, **given)
    assert play.request_of("germany").kind == "withdraw_armour"
    assert play.refused("germany", GiveUp({"ger_army_group_center": 3})) == "D.front-c"
    assert play.refused("germany", GiveUp({"ger_18th_army": 2})) == "D.front-c"
    assert play.refused("germany", GiveUp({"ger_army_group_center": 5})) == "D.front-c"
    split = {"ger_army_group_center": 2, "ger_army_group_north": 2}
    assert play.refused("germany", GiveUp(split)) == "D.front-c", "only one goes in part"
    play.do("germany", GiveUp({"ger_army_group_center": 3, "ger_army_group_south": 1}))
    s = play.state
    assert s.units["ger_army_group_center"].size == 1
    assert "ger_army_group_south" not in s.units
    assert {
        "ger_army_group_center.big",
        "ger_army_group_south",
        "ger_army_group_south.big",
    } <= s.removed
    assert not any("ger_army_group_south" in counter for counter in s.pool["germany"])


@pytest.mark.rule("blitz:D.front-c")
def test_d_all_armour_goes_if_there_is_no_more() -> None:
    play = Play(
        "D",
        phase="turn_end",
        step="income",
        turn=9,
        units={"ger_army_group_center": {"at": "poland", "size": 2}},
    )
    assert "ger_army_group_center" in play.state.removed


# --- E ------------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:E.sides")
def test_e_is_japan_against_the_western_allies_from_turn_4() -> None:
    assert FACTS.scenarios["E"].powers == ("japan", "western_allies")
    assert FACTS.scenarios["E"].turns[0] == 4


@pytest.mark.rule("blitz:E.map-a")
def test_e_map() -> None:
    assert {"arabian_sea", "gulf_of_alaska", "cape_naturaliste", "tasman_sea"} <= seas("E")
    assert "north_sea" not in seas("E")
    out = of("ussr", "aden_kuwait", "egypt", "italian_east_africa", "near_east")
    touching = {area for sea in seas("E") for area in FACTS.coast[sea]} - out
    assert touching <= lands("E")
    assert not out & lands("E")
    assert lands("E") - touching == {"harbin", "chungking", "lan_chow"}


@pytest.mark.rule("blitz:E.setup-a")
@pytest.mark.rule("blitz:E.setup-c")
def test_e_set_up() -> None:
    s = position("E", base="setup")
    assert s.units["jap_southern_army"].at == "peking"
    assert s.oil == {"japan": 2, "western_allies": 2}
    assert s.allied["south_east_asia"] == "japan"
    for area in ("borneo", "hollandia", "java"):
        assert s.control[area] == "western_allies"


@pytest.mark.rule("blitz:E.setup-b")
def test_e_the_far_east_fleet_arrives_in_canada() -> None:
    play = Play(
        "E",
        phase="turn_end",
        step="reinforce",
        turn=5,
        units={"jap_kwantung_army": {"at": "harbin", "size": 2}},
    )
    fleet = play.state.units["afa_far_east_fleet"]
    assert FACTS.lands[fleet.at].country == "canada"
    before = Play("E", phase="turn_end", step="reinforce", turn=4)
    assert "afa_far_east_fleet" not in before.state.units


@pytest.mark.rule("blitz:E.win-a")
def test_e_the_western_allies_have_part_of_the_american_card() -> None:
    from sandtable.games.blitz.rules.victory import open_to

    s = position("E")
    for award in ("bring_democracy_to_asia", "no_casualties", "pacific_domination"):
        assert open_to(s, "western_allies", award)
    assert open_to(s, "western_allies", "join_atomic_club")
    assert not open_to(s, "western_allies", "second_front")
    play = Play(
        "E",
        phase="turn_end",
        step="victory",
        turn=6,
        vp={"western_allies": 15},
        units={"jap_kwantung_army": {"at": "harbin", "size": 2}},
    )
    assert play.game.result is not None
    assert play.game.result.winners == ("western_allies",)


@pytest.mark.rule("blitz:E.win-b")
def test_e_arsenal_of_democracy() -> None:
    def got(**given: object) -> bool:
        play = Play("E", phase="turn_end", step="victory", **given)
        return any(each["award"] == "arsenal_of_democracy" for each in play.events("scored"))

    lent = {"lend_lease_to:china": 1}
    assert got(deeds=lent)
    assert not got()
    assert not got(deeds={"lend_lease:western_allies": 5})
    assert not got(deeds=lent, units={"jap_i_boats": "bering_sea"})


HARBIN = {
    "jap_17th_area": "harbin",
    "jap_kwantung_army": {"at": "harbin", "size": 2},
    "jap_zeroes": "port_arthur",
}


@pytest.mark.rule("blitz:E.ussr-a")
def test_e_harbin_is_lost_without_its_garrison() -> None:
    given = {"phase": "axis_activities", "step": "E", "turn": 5}
    kept = Play("E", units={"jap_kwantung_army": {"at": "harbin", "size": 2}}, **given)
    kept.do("japan", Done())
    assert kept.state.control["harbin"] == "japan"
    garrison = {"jap_17th_area": "harbin", "jap_kwantung_army": {"at": "harbin", "size": 1}}
    kept = Play("E", units=garrison, **given).do("japan", Done())
    assert kept.state.control["harbin"] == "japan"
    lost = Play("E", units={"jap_kwantung_army": {"at": "harbin", "size": 1}}, **given)
    lost.do("japan", Done())
    assert lost.state.control["harbin"] == "ussr"
    assert lost.events("garrison_missing")
    assert "jap_kwantung_army" not in lost.state.units, "2 points of damage"


@pytest.mark.rule("blitz:E.ussr-b")
@pytest.mark.rule("blitz:E.ussr-e")
def test_ex_e_ussr() -> None:
    """A 3 is not above 3; a 5 is: Japan loses the GAR, the enemy picks the Kwantung Army."""
    given = {"phase": "allied_activities", "step": "soviets", "units": HARBIN}
    play = Play("E", turn=11, **given).dice(3)
    assert [each["taken"] for each in play.events("soviets_attacked")] == [False]
    assert play.state.step != "soviets"
    assert play.state.control["harbin"] == "japan"
    play = Play("E", turn=12, **given).dice(5)
    play.do("japan", Damage("jap_17th_area"))
    assert "jap_17th_area" not in play.state.units
    assert play.request_of("japan").kind == "choose_retreat"
    play.do("japan", Retreat("port_arthur"))
    army = play.state.units["jap_kwantung_army"]
    assert (army.size, army.at) == (1, "port_arthur")
    assert play.state.control["harbin"] == "ussr"


@pytest.mark.rule("blitz:E.ussr-b")
def test_e_the_ussr_does_not_attack_before_turn_11() -> None:
    play = Play("E", phase="allied_activities", step="soviets", turn=10, units=HARBIN)
    assert not play.events("soviets_attacked")
    assert all(request.kind != "roll" for request in play.game.pending)


@pytest.mark.rule("blitz:E.ussr-c")
def test_e_what_the_ussr_has_is_out_of_play() -> None:
    from sandtable.games.blitz.rules.sides import may_attack
    from sandtable.games.blitz.rules.stacking import refused

    s = position(
        "E",
        control={"harbin": "ussr"},
        units={"jap_kwantung_army": "port_arthur", "usa_1st_war_area": "lan_chow"},
    )
    assert not may_attack(s, "jap_kwantung_army", "harbin")
    assert refused(s, "jap_kwantung_army", "harbin") is not None
    assert refused(s, "usa_1st_war_area", "harbin") is not None


@pytest.mark.rule("blitz:E.ussr-d")
def test_e_the_ussr_goes_on_next_to_what_it_has() -> None:
    given = {
        "phase": "allied_activities",
        "step": "soviets",
        "turn": 12,
        "control": {"harbin": "ussr"},
        "units": {"jap_kwantung_army": "peking"},
    }
    play = Play("E", **given)
    request = play.request_of("western_allies")
    targets = set(request.targets)  # type: ignore[attr-defined]
    assert "port_arthur" in targets
    assert "tokyo" not in targets
    assert play.refused("western_allies", SovietTarget("tokyo")) == "E.ussr-d"
    play.do("western_allies", SovietTarget("port_arthur")).dice(1)
    assert play.state.control["port_arthur"] == "ussr"
    idle = Play("E", **given)
    idle.do("western_allies", Pass())
    assert idle.state.control["port_arthur"] == "japan"


def test_ex_e_extra() -> None:
    """2 extra Resources on Turn 9, 4 on Turn 10."""
    base = {}
    for turn in (8, 9, 10):
        play = Play(
            "E",
            phase="turn_end",
            step="income",
            turn=turn,
            units={"jap_kwantung_army": {"at": "harbin", "size": 2}, "usa_marines": "west_coast"},
        )
        if turn == 8:
            play.do("western_allies", Pass())
        base[turn] = play.state.books["western_allies"].resources
    assert base[9] - base[8] == 2
    assert base[10] - base[8] == 4


def test_e_extra_resources_for_a_point() -> None:
    units = {"jap_kwantung_army": {"at": "harbin", "size": 2}, "usa_marines": "west_coast"}
    given = {"phase": "turn_end", "step": "income", "turn": 5, "units": units}
    without = Play("E", **given).do("western_allies", Pass())
    play = Play("E", vp={"western_allies": 2}, **given).do("western_allies", TakeExtra())
    had, have = (each.state.books["western_allies"].resources for each in (without, play))
    assert have == had + 3
    assert play.state.vp == {"japan": 0, "western_allies": 1}
    poor = Play("E", **given).do("western_allies", TakeExtra())
    assert poor.state.vp == {"japan": 1, "western_allies": 0}


# --- F ------------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:F.sides")
def test_f_has_two_three_or_four_players() -> None:
    assert FACTS.scenarios["F"].seats == {
        2: (("germany",), ("afa", "usa", "ussr")),
        3: (("germany",), ("afa", "usa"), ("ussr",)),
        4: (("germany",), ("afa",), ("usa",), ("ussr",)),
    }


@pytest.mark.rule("blitz:F.map-a")
@pytest.mark.rule("blitz:F.map-b")
def test_f_map() -> None:
    assert seas("F") == seas("C") | {
        "arabian_sea",
        "azanian_sea",
        "baltic_sea",
        "black_sea",
        "bering_sea",
        "brazilian_coast",
        "cape_basin",
        "gulf_of_alaska",
        "gulf_of_guinea",
        "mozambique_channel",
        "south_atlantic",
    }
    out = {"mexico", "panama", "western_canada", "west_coast"} | of("india")
    assert not out & lands("F")
    assert {area for sea in seas("F") for area in FACTS.coast[sea]} - out <= lands("F")
    assert of("germany", "ussr") <= lands("F")
    assert "harbin" not in lands("F")


@pytest.mark.rule("blitz:F.setup-a")
def test_f_charts() -> None:
    s = position("F", base="setup")
    for placement in FACTS.weapons["germany"].setup:
        assert s.units[placement.unit].at == placement.at
    assert s.groups["germany"] == FACTS.weapons["germany"].groups
    soviets = {p.unit for p in FACTS.weapons["ussr"].setup}
    assert {id for id, _ in s.of("ussr")} == soviets - {
        "sov_far_eastern_front",
        "sov_pacific_ocean_fleet",
    }
    assert "afa_indian_army" not in s.units
    assert {id for id, _ in s.of("usa")} == {
        "usa_atlantic_fleet",
        "usa_1st_us_army",
        "usa_atlantic_trs",
    }


@pytest.mark.rule("blitz:F.setup-b")
def test_f_trade_at_the_start() -> None:
    assert {"sweden", "ussr_oil"} <= set(position("F").trades)


@pytest.mark.rule("blitz:F.win-a")
def test_f_the_usa_lacks_the_asian_awards() -> None:
    play = Play("F", phase="turn_end", step="victory", turn=5)
    awards = {each["award"] for each in play.events("scored") if each["power"] == "usa"}
    assert "pacific_domination" not in awards
    assert "bring_democracy_to_asia" not in awards
    over = Play("F", phase="turn_end", step="victory", turn=5, vp={"germany": 15})
    assert over.game.result is not None
    assert FACTS.scenarios["F"].turns[0] == 1


@pytest.mark.rule("blitz:F.japan-a")
@pytest.mark.rule("blitz:F.japan-c")
@pytest.mark.parametrize(("turn", "points"), [(1, 3), (2, 2), (3, 1), (4, 0), (5, 0)])
def test_f_germany_announces_japan(turn: int, points: int) -> None:
    from sandtable.games.blitz.rules.sides import is_neutral

    play = Play("F", turn=turn, phase="axis_activities", step="begin")
    assert play.request_of("germany").kind == "japans_entry"
    play.do("germany", AnnounceJapan())
    s = play.state
    assert s.vp["usa"] == points
    assert "usa" not in s.entry
    assert not is_neutral(s, "usa")
    assert ("germany", "usa") not in s.wars
    assert "japan_at_war" in s.flags


@pytest.mark.rule("blitz:F.japan-a")
def test_f_japan_is_announced_once_and_may_wait() -> None:
    play = Play("F", phase="axis_activities", step="begin").do("germany", Pass())
    assert play.state.step != "begin"
    assert play.state.vp["usa"] == 0
    again = Play("F", phase="axis_activities", step="begin", flags=["japan_at_war"])
    assert all(request.kind != "japans_entry" for request in again.game.pending)


@pytest.mark.rule("blitz:F.japan-d")
def test_f_harbin_goes_to_the_ussr_on_turn_7() -> None:
    given = {"phase": "axis_activities", "step": "begin", "flags": ["japan_at_war"]}
    play = Play("F", turn=7, **given)
    assert play.state.control["harbin"] == "ussr"
    war = [["germany", "afa"], ["germany", "ussr"]]
    assert "harbin" not in Play("F", turn=7, wars=war, **given).state.control
    assert "harbin" not in Play("F", turn=6, **given).state.control
    assert play.game.rules.audit(play.state) == []
    assert position("F", control={"harbin": "ussr"}).control["harbin"] == "ussr"


@pytest.mark.rule("blitz:E.ussr-d")
def test_e_the_ussr_goes_on_only_in_the_turn_after_harbin_fell() -> None:
    units = {"jap_kwantung_army": {"at": "harbin", "size": 1}, "jap_25th_army": "tokyo"}
    play = Play("E", phase="axis_activities", step="E", turn=6, units=units)
    play.do("japan", Done())
    assert play.state.control["harbin"] == "ussr"
    while play.state.turn == 6:
        request = play.game.pending[0]
        assert request.kind != "choose_soviet_target"
        play.do(request.power, next(iter(play.game.legal(request))))
    while play.game.pending[0].kind != "choose_soviet_target":
        request = play.game.pending[0]
        play.do(request.power, next(iter(play.game.legal(request))))
    assert (play.state.turn, play.state.phase) == (7, "allied_activities")


@pytest.mark.rule("blitz:E.ussr-b")
def test_e_the_ussr_leaves_harbin_to_the_western_allies_who_took_it() -> None:
    given = {"control": {"harbin": "western_allies"}, "units": {"usa_1st_war_area": "harbin"}}
    play = Play("E", phase="allied_activities", step="soviets", turn=11, **given)
    assert not play.events("soviets_attacked")
    assert all(request.kind != "roll" for request in play.game.pending)
    assert play.state.control["harbin"] == "western_allies"


@pytest.mark.rule("blitz:D.front-c")
@pytest.mark.rule("blitz:9.5i")
def test_d_the_commander_of_withdrawn_armour_returns() -> None:
    play = Play(
        "D",
        {"commanders": True},
        phase="turn_end",
        step="spend",
        turn=9,
        units={"ger_1st_panzer_army": {"at": "poland", "size": 2}},
        commanders={"manstein": ("poland", "ger_1st_panzer_army")},
    )
    assert "ger_1st_panzer_army" in play.state.removed
    assert play.state.commanders == {}
    assert [each["space"] for each in play.events("commander_returned")] == ["poland"]


@pytest.mark.rule("blitz:7.2c")
@pytest.mark.rule("blitz:3.4.lib-g")
def test_the_marker_of_the_usa_moves_before_anything_else_in_a_turn() -> None:
    play = Play(
        phase="turn_end",
        step="victory",
        turn=3,
        entry={"usa": 4, "ussr": 4},
        flags=["japan_struck", "france_fell", "france_freed"],
        aside={"afa_1st_army_group": "france"},
    )
    told = [e.kind for e in play.game.events]
    assert told.index("entry_moved") < told.index("called_up")
