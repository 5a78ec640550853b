"""Neutral countries: chapter 11."""

from __future__ import annotations

import pytest

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import neutrals, politics, supply, zones
from sandtable.games.gw75.rules.declaring import Declare
from sandtable.games.gw75.rules.penalties import PayViolation, hexes
from sandtable.games.gw75.rules.terms import at_war, commander, friends, holder, side
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.kits import Choose
from tests.gw75.happenings import enter, phase, told, violate
from tests.gw75.moves import invade, move
from tests.gw75.table import Done, Unit, state, table


@pytest.mark.rule("gw75:11.0a")
def test_who_is_given_to_no_side_is_neutral() -> None:
    s = state()
    assert side(s, "norway") == "neutral"
    assert neutrals.violates(s, "germany", "W3320") == "norway"
    assert neutrals.violates(s, "germany", "W3122") == ""


@pytest.mark.rule("gw75:11.0c", "gw75:11.3a")
def test_the_axis_violates_a_neutral_without_penalty() -> None:
    s = state()
    assert neutrals.barred(s, "germany", "W3119") == ""
    events = violate(s, "germany", "low_countries", "W3119")
    assert s.joined["low_countries"] == "allies"
    assert at_war(s, "germany", "low_countries")
    assert at_war(s, "hungary", "low_countries")
    assert not at_war(s, "japan", "low_countries")
    assert friends(s, "commonwealth", "low_countries")
    assert s.penalties == () and told(events, "violated")


@pytest.mark.rule("gw75:11.0c")
def test_the_whole_nation_joins_with_its_possessions() -> None:
    s = state()
    violate(s, "germany", "denmark", "W3220")
    assert neutrals.violates(s, "commonwealth", "W3414") == ""
    assert neutrals.barred(s, "commonwealth", "W3414") == ""


@pytest.mark.rule("gw75:11.0b")
def test_the_allies_pay_for_a_violation_with_a_hex_of_their_choice() -> None:
    s = state()
    assert neutrals.barred(s, "commonwealth", "W3320") == ""
    violate(s, "commonwealth", "norway", "W3320", answers=[Choose("W2524")])
    assert s.penalties == ("W2524",)
    assert s.joined["norway"] == "axis"
    assert at_war(s, "norway", "commonwealth") and at_war(s, "norway", "france")
    assert not at_war(s, "norway", "usa") and not at_war(s, "norway", "ussr")
    assert friends(s, "germany", "norway")
    assert commander(s, "norway") == "germany"


@pytest.mark.rule("gw75:11.0b")
def test_only_a_hex_of_the_violator_pays() -> None:
    s = state()
    options = hexes(s, "commonwealth")
    assert "W3118" in options and "W2524" in options and "W2805" not in options
    request = PayViolation("commonwealth", "commonwealth", "norway", options)
    with pytest.raises(IllegalDecision, match="is no hex with which Commonwealth can pay"):
        request.check(s, Choose("W2805"))


@pytest.mark.rule("gw75:11.0b")
def test_a_hex_that_the_violation_itself_takes_does_not_pay() -> None:
    units = {"W3019": {"france": "2 inf"}}
    t = table("allies_land_movement", 5, wars=[("france", "germany")], units=units)
    t.do(move("W3019 > W3119", "2 inf", "france"))
    assert t.request.options == ("W3019", "W2920", "W2619", "E2105")
    t.refused(Choose("W3119"), "11.0b")


@pytest.mark.rule("gw75:11.0b")
def test_who_cannot_pay_may_not_violate() -> None:
    s = state(wars=[("france", "germany")], held={"W3019": "germany", "W2920": "germany"})
    assert neutrals.barred(s, "france", "W2817") == ""
    s.penalties = ("E2105", "W2619")
    s.changed()
    assert "no hex to pay" in neutrals.barred(s, "france", "W2817")


def _occupied_norway() -> State:
    s = state(units={"W3320": {"commonwealth": "inf"}}, held={"W3320": "commonwealth"})
    violate(s, "commonwealth", "norway", "W3320", answers=[Choose("W2524")])
    s.turn += 1
    s.changed()
    return s


@pytest.mark.rule("gw75:11.0d")
def test_while_a_point_stays_nothing_more_is_paid() -> None:
    s = _occupied_norway()
    assert neutrals.violates(s, "commonwealth", "W3420") == ""
    phase(s, "end of allies_land_movement")
    assert holder(s, "W3320") == "commonwealth"


@pytest.mark.rule("gw75:11.0d")
def test_a_country_that_the_allies_leave_is_pro_axis_and_costs_again() -> None:
    s = _occupied_norway()
    s.take("W3320", Unit("commonwealth", "inf"))
    assert told(phase(s, "end of allies_land_movement"), "forsaken")
    assert holder(s, "W3320") == "norway" and side(s, "norway") == "axis"
    assert neutrals.violates(s, "commonwealth", "W3320") == "norway"
    violate(s, "commonwealth", "norway", "W3320", answers=[Choose("W2132")])
    assert s.penalties == ("W2524", "W2132")
    assert neutrals.violates(s, "commonwealth", "W3320") == ""


@pytest.mark.rule("gw75:11.0d")
def test_who_enters_a_country_again_that_was_left_pays_again() -> None:
    """Once for the entry, and no more in that Game-Turn."""
    t = table(
        "allies_land_movement",
        7,
        wars=[("france", "germany"), ("france", "low_countries")],
        joined={"low_countries": "axis"},
        violated={"low_countries": 5},
        penalties=["W2619"],
        units={"W3019": {"france": "3 inf"}},
    )
    t.do(move("W3019 > W3119", "inf", "france"))
    assert t.asked == "commonwealth pay_violation" and "W2619" not in t.request.options
    t.do(Choose("E2105"))
    assert t.s.penalties == ("W2619", "E2105")
    t.do(move("W3019 > W3119", "inf", "france"))
    assert t.asked == "commonwealth land_movement"


@pytest.mark.rule("gw75:11.11a")
def test_neutral_units_neither_move_nor_fight() -> None:
    s = state(units={"W3320": {"norway": "sd"}})
    assert politics.frozen(s, "norway", Unit("norway", "sd"), "W3320")
    assert politics.may_attack(s, "norway", "germany", "W3220")
    violate(s, "germany", "norway", "W3420")
    assert politics.frozen(s, "norway", Unit("norway", "sd"), "W3320") == ""
    assert politics.may_attack(s, "norway", "germany", "W3420") == ""


@pytest.mark.rule("gw75:11.11b")
def test_neutral_units_have_no_zone_of_control() -> None:
    s = state(units={"W3320": {"norway": "sd"}})
    assert not zones.controlled(s, "germany", "W3420")
    violate(s, "germany", "norway", "W3420")
    assert zones.controlled(s, "germany", "W3420")


@pytest.mark.rule("gw75:11.3c", "gw75:19.33a")
def test_an_attack_on_units_at_peace_is_allowed_and_violates() -> None:
    s = state()
    assert politics.may_attack(s, "germany", "sweden", "W3322") == ""
    assert politics.may_attack(s, "japan", "usa", "E2222") == ""
    violate(s, "germany", "sweden", "W3322")
    assert at_war(s, "germany", "sweden")


@pytest.mark.rule("gw75:11.3d")
def test_surf_a_attacks_through_a_contra_naval_hexside_violate() -> None:
    s = state()
    assert neutrals.shot_through(s, "germany", "W3320", "W3420") == "norway"
    assert neutrals.shot_through(s, "germany", "W3320", "W3219") == ""
    assert neutrals.shot_through(s, "germany", "W3120", "W3121") == ""


@pytest.mark.rule("gw75:11.3e")
@pytest.mark.parametrize(("turn", "may"), [(2, False), (3, True), (10, True), (11, False)])
def test_the_axis_may_violate_italy_in_game_turns_3_to_10(turn: int, may: bool) -> None:
    s = state(turn=turn)
    assert neutrals.violates(s, "germany", "W2921") == "italy"
    assert (neutrals.barred(s, "germany", "W2921") == "") == may
    if may:
        violate(s, "germany", "italy", "W2921")
        assert at_war(s, "italy", "commonwealth") and friends(s, "italy", "germany")
        assert side(s, "italy") == "axis" and s.penalties == ()


@pytest.mark.rule("gw75:11.3e")
def test_germans_who_march_into_italy_bring_it_in_and_stand_beside_its_army() -> None:
    units = {"W3020": {"germany": "2 inf"}, "W2921": {"italy": "2 inf"}}
    wars = [("commonwealth", "germany")]
    t = table("axis_land_movement", 4, wars=wars, units=units)
    t.do(move("W3020 > W2921", "2 inf"))
    assert ("commonwealth", "italy") in t.s.wars
    assert t.units("W2921", "germany") == t.units("W2921", "italy") == {"inf": 2}
    t = table("axis_land_movement", 11, wars=wars, units=units)
    t.refused(move("W3020 > W2921", "2 inf"), "19.21b")


@pytest.mark.rule("gw75:11.0b")
def test_the_allies_pay_for_violating_italy_too() -> None:
    s = state()
    violate(s, "commonwealth", "italy", "W2521", answers=[Choose("W2524")])
    assert at_war(s, "italy", "france") and s.penalties == ("W2524",)


@pytest.mark.rule("gw75:11.0a")
def test_nations_of_a_side_that_fight_no_common_war_are_closed_to_each_other() -> None:
    s = state()
    assert neutrals.barred(s, "germany", "E2611")
    assert neutrals.barred(s, "commonwealth", "W3225")
    assert neutrals.barred(s, "commonwealth", "E2611")
    assert neutrals.barred(s, "germany", "W3022") == ""


def test_entering_a_hex_of_the_sea_needs_no_leave() -> None:
    s = state()
    assert neutrals.barred(s, "germany", "W3219") == ""
    assert neutrals.violates(s, "germany", "W3219") == ""


@pytest.mark.rule("gw75:11.0c")
def test_victims_fight_the_friends_of_the_violator() -> None:
    s = state(wars=[("commonwealth", "germany"), ("commonwealth", "japan"), ("china", "japan")])
    violate(s, "japan", "siam", "E2104")
    assert at_war(s, "siam", "germany")
    enter(s, "japan", "E2104")
    assert holder(s, "E2104") == "japan"


@pytest.mark.rule("gw75:11.22")
def test_units_of_an_invaded_neutral_with_a_center_join_the_allied_net() -> None:
    s = state(base="setup")
    assert supply.sources(s, "yugoslavia").attack == ()
    violate(s, "germany", "yugoslavia", "W2922")
    assert "W3118" in supply.sources(s, "yugoslavia").attack
    assert supply.sources(s, "yugoslavia").defense
    violate(s, "commonwealth", "norway", "W3320", answers=[Choose("W2524")])
    assert supply.sources(s, "norway").attack == ()


@pytest.mark.rule("gw75:11.3c", "gw75:5.57d")
def test_who_is_at_peace_in_a_hex_of_an_enemy_is_drawn_into_the_war_by_an_attack():
    """Soviet infantry in Basra, which is British: Japan, at war with the Commonwealth only, can
    neither slip in beside it nor overrun it in peace."""
    wars = [("commonwealth", "japan"), ("germany", "ussr"), ("commonwealth", "germany")]
    port, basra = "E2103", "W2527"
    way = f"{port} > E2002 > E1902 > E1901 > W1933 > W1932 > W2031 > W2131 > W2230 > W2330 > W2329"
    units = {port: {"japan": "2 inf, 2 amph"}, basra: {"ussr": "inf"}}
    t = table("axis_land_movement", 16, wars=wars, held={port: "japan"}, units=units)
    t.do(invade(f"{way} > W2328 > W2427 > {basra}", "2 inf", "japan"))
    assert ("japan", "ussr") in t.s.wars
    assert [event["against"] for event in t.events("violated")] == ["ussr"]
    assert t.asked == "germany land_attacks"
    t.refused(Done(), "5.57b")
    t.do(Declare((basra,), ((basra, "japan", "inf", 2),)))
    units = {"W2528": {"japan": "9 inf"}, basra: {"ussr": "inf"}}
    t = table("axis_land_movement", 16, wars=wars, held={"W2528": "japan"}, units=units)
    t.do(move(f"W2528 > {basra}", "9 inf", "japan"))
    assert ("japan", "ussr") in t.s.wars and t.events("overrun")
