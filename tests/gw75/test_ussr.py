"""The Soviet Union and the garrison of Manchuria: 19.6, 19.7."""

from __future__ import annotations

import pytest

from sandtable.games.gw75.facts import load_facts
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import neutrals, politics, ussr, weather
from sandtable.games.gw75.rules.declaring import Declare
from sandtable.games.gw75.rules.land_movement import Move
from sandtable.games.gw75.rules.rights import EnterWar, Politics, rights, use
from sandtable.games.gw75.rules.terms import at_war, friends, holder, side
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.kits import Choose
from tests.gw75.happenings import enter, phase, run, told, violate
from tests.gw75.table import Done, Unit, state, table


@pytest.mark.rule("gw75:19.71b")
def test_eastern_poland() -> None:
    """Example poland_partition."""
    facts = load_facts()
    assert facts.places["eastern_poland"] == ("W3023", "W3223")
    assert {facts.hexes[hex].country for hex in ("W3023", "W3223")} == {"poland"}


@pytest.mark.rule("gw75:19.71a")
def test_neutral_soviet_land_units_do_not_move() -> None:
    s = state()
    assert "19.71" in politics.frozen(s, "ussr", Unit("ussr", "inf"), "W3124")
    assert politics.frozen(s, "ussr", Unit("ussr", "ss"), "W3324") == ""
    assert politics.frozen(s, "ussr", Unit("ussr", "lrb"), "W3225") == ""


def _partition() -> State:
    s = state(
        units={
            "W3124": {"ussr": "4 inf, mech"},
            "W3024": {"ussr": "3 inf"},
            "W3023": {"poland": "sd"},
            "W3223": {"poland": "sd"},
        }
    )
    enter(s, "germany", "W3122")
    return s


@pytest.mark.rule("gw75:19.71a", "gw75:19.71b")
def test_the_invasion_of_poland_sets_the_soviet_army_in_motion() -> None:
    s = _partition()
    assert politics.frozen(s, "ussr", Unit("ussr", "inf"), "W3124") == ""
    assert neutrals.barred(s, "ussr", "W3023") == ""
    assert neutrals.violates(s, "ussr", "W3023") == ""
    assert "Only Eastern Poland" in neutrals.barred(s, "ussr", "W3123")
    assert politics.may_attack(s, "ussr", "poland", "W3223") == ""
    assert ussr.to_attack(s) == ("W3023", "W3223")
    assert politics.production_mode(s, "ussr") == 1
    s.turn += 1
    assert politics.frozen(s, "ussr", Unit("ussr", "inf"), "W3124")


@pytest.mark.rule("gw75:19.71b")
def test_the_partition_follows_the_fighting() -> None:
    s = _partition()
    s.destroy("W3223", Unit("poland", "sd"))
    phase(s, "end of allies_strategic_movement")
    assert holder(s, "W3223") == "ussr" and holder(s, "W3023") == "poland"
    assert not at_war(s, "ussr", "poland")
    assert neutrals.violates(s, "germany", "W3223") == "ussr"


@pytest.mark.rule("gw75:19.71b")
def test_the_axis_leaves_eastern_poland_to_the_soviets_in_that_game_turn() -> None:
    s = _partition()
    assert "19.71" in neutrals.barred(s, "germany", "W3023")
    assert neutrals.barred(s, "germany", "W3123") == ""
    s.turn += 1
    assert neutrals.barred(s, "germany", "W3023") == ""


@pytest.mark.rule("gw75:19.71b")
def test_an_empty_hex_of_eastern_poland_has_to_be_entered() -> None:
    s = _partition()
    s.take("W3223", Unit("poland", "sd"))
    assert ussr.to_enter(s) == ("W3223",)
    assert ussr.to_attack(s) == ("W3023",)
    enter(s, "ussr", "W3223")
    assert ussr.to_enter(s) == () and holder(s, "W3223") == "ussr"


@pytest.mark.rule("gw75:19.73")
def test_seven_points_stay_on_the_border_of_manchukuo() -> None:
    """Example manchuria_border: the set-up has them."""
    s = state(base="setup")
    there = sum(
        count
        for hex in ussr.border(s)
        for unit, count in s.stack(hex).items()
        if unit.nation == "ussr" and unit.type == "inf"
    )
    assert there >= 7
    assert politics.may_leave(s, "ussr", "E3009", there - 7) == ""
    assert "19.73" in politics.may_leave(s, "ussr", "E3009", there - 6)
    assert politics.may_leave(s, "ussr", "W3124", 5) == ""
    violate(s, "germany", "ussr", "W3124")
    assert politics.may_leave(s, "ussr", "E3009", 3) == ""


@pytest.mark.rule("gw75:19.61a")
def test_manchukuo_is_garrisoned_at_the_start() -> None:
    """Example manchuria_garrison."""
    s = state(base="setup")
    assert ussr.manchuria(s) >= 2
    assert politics.may_attack(s, "ussr", "japan", "E2808")


@pytest.mark.rule("gw75:19.61a", "gw75:19.61b", "gw75:19.77")
def test_a_weak_garrison_lets_the_ussr_go_to_war_with_japan_only() -> None:
    s = state("allies_land_movement", 5, units={"E2808": {"japan": "inf"}})
    assert Politics("commonwealth") in rights(s)
    run(s, lambda g: use(g, "commonwealth", EnterWar("ussr", "japan")))
    assert at_war(s, "ussr", "japan") and not at_war(s, "ussr", "germany")
    assert not at_war(s, "commonwealth", "japan") and not at_war(s, "usa", "japan")
    assert politics.frozen(s, "ussr", Unit("ussr", "inf"), "W3124") == ""
    assert politics.production_mode(s, "ussr") == 2
    assert "19.61" in politics.may_attack(s, "ussr", "germany", "W3123")
    assert "19.61" in politics.may_attack(s, "ussr", "finland", "W3323")
    assert "19.61" in neutrals.barred(s, "ussr", "W2824")


@pytest.mark.rule("gw75:19.61a")
def test_with_two_points_there_is_no_such_right() -> None:
    s = state("allies_land_movement", 5, units={"E2808": {"japan": "2 inf"}})
    assert Politics("commonwealth") not in rights(s)
    with pytest.raises(IllegalDecision, match="Manchukuo is garrisoned"):
        Politics("commonwealth").check(s, EnterWar("ussr", "japan"))


@pytest.mark.rule("gw75:19.61a", "gw75:19.61b")
def test_a_japanese_attack_is_a_war_of_the_two_alone() -> None:
    s = state(turn=5)
    violate(s, "japan", "ussr", "E2810")
    assert at_war(s, "ussr", "japan") and not at_war(s, "ussr", "germany")
    assert not at_war(s, "commonwealth", "japan")
    assert ussr.INVADED not in s.counts and ussr.MILITIA not in s.counts


def _limited(s: State) -> State:
    run(s, lambda g: use(g, "commonwealth", EnterWar("ussr", "germany")))
    return s


@pytest.mark.rule("gw75:19.72a", "gw75:19.72d")
@pytest.mark.parametrize("cause", ["sweden", "turkey", "suez", "britain", "landing"])
def test_what_lets_the_ussr_enter_a_limited_war(cause: str) -> None:
    s = state("allies_land_movement", 5)
    with pytest.raises(IllegalDecision, match="lets the USSR enter"):
        Politics("commonwealth").check(s, EnterWar("ussr", "germany"))
    match cause:
        case "suez":
            enter(s, "italy", "W2525")
        case "britain":
            enter(s, "germany", "W3118")
        case "landing":
            s.put("W3118", Unit("germany", "inf", duty="assault"))
            phase(s, "start of axis_land_combat")
            s.phase = "allies_land_movement"
        case _:
            violate(s, "germany", cause, "")
    _limited(s)
    assert at_war(s, "ussr", "germany") and at_war(s, "ussr", "hungary")
    assert ussr.limited(s)
    assert politics.production_mode(s, "ussr") == 1
    assert politics.frozen(s, "ussr", Unit("ussr", "inf"), "W3124") == ""
    assert not at_war(s, "ussr", "japan")


@pytest.mark.rule("gw75:19.72b")
def test_an_invasion_makes_a_limited_war_a_full_one() -> None:
    s = state("axis_land_movement", 5)
    violate(s, "germany", "sweden", "W3221")
    _limited(s)
    enter(s, "germany", "W3124")
    assert not ussr.limited(s) and politics.production_mode(s, "ussr") == 2
    assert s.counts["invaded_ussr"] == 5
    assert ussr.MILITIA not in s.counts


@pytest.mark.rule("gw75:19.72c")
def test_more_than_twelve_points_lost_give_the_right_to_full_war() -> None:
    units = {
        "W3124": {"ussr": "9 inf, 2 fort"},
        "W3024": {"ussr": "2 mech"},
        "E2808": {"japan": "2 inf"},
    }
    s = state("axis_land_combat", 5, units=units)
    violate(s, "germany", "sweden", "W3221")
    _limited(s)
    s.destroy("W3124", Unit("ussr", "inf"), 8)
    s.destroy("W3124", Unit("ussr", "fort"), 2)
    s.destroy("W3024", Unit("ussr", "mech"), 2)
    phase(s, "start of allies_land_movement")
    full = EnterWar("ussr", "full")
    assert s.counts["lost:ussr"] == 12, "a fortification is two Strength Points"
    assert full not in list(Politics("commonwealth").decisions(s))
    s.destroy("W3124", Unit("ussr", "inf"))
    phase(s, "start of axis_land_movement")
    assert full not in list(Politics("commonwealth").decisions(s))
    phase(s, "start of allies_land_movement")
    assert full in list(Politics("commonwealth").decisions(s))
    run(s, lambda g: use(g, "commonwealth", EnterWar("ussr", "full")))
    assert politics.production_mode(s, "ussr") == 2


@pytest.mark.rule("gw75:19.75a", "gw75:19.77")
def test_a_german_attack_is_war_with_germany_and_italy_but_not_japan() -> None:
    s = state(turn=5, wars=[("commonwealth", "germany"), ("commonwealth", "italy")])
    violate(s, "germany", "ussr", "W3124")
    assert at_war(s, "ussr", "germany") and at_war(s, "ussr", "italy")
    assert at_war(s, "ussr", "finland") and not at_war(s, "ussr", "japan")
    assert friends(s, "ussr", "commonwealth")
    assert politics.production_mode(s, "ussr") == 2


@pytest.mark.rule("gw75:19.75a")
def test_neutral_italy_stays_out_of_it_until_it_enters() -> None:
    s = state(turn=5)
    violate(s, "germany", "ussr", "W3124")
    assert not at_war(s, "ussr", "italy")
    run(s, lambda g: use(g, "germany", EnterWar("italy", "allies")))
    assert at_war(s, "ussr", "italy")


@pytest.mark.rule("gw75:19.75b")
def test_either_side_may_then_start_the_war_with_japan() -> None:
    s = state(turn=5, units={"E2808": {"japan": "5 inf"}})
    violate(s, "germany", "ussr", "W3124")
    assert politics.may_attack(s, "ussr", "japan", "E2808") == ""
    assert neutrals.barred(s, "ussr", "E2808") == ""
    assert politics.may_attack(s, "japan", "ussr", "E2810") == ""
    violate(s, "ussr", "japan", "E2808")
    assert at_war(s, "ussr", "japan")
    assert not at_war(s, "commonwealth", "japan") and not at_war(s, "usa", "japan")
    assert s.penalties == ()


@pytest.mark.rule("gw75:19.76a")
def test_mongolia_is_open_to_a_warring_ussr() -> None:
    s = state(turn=5)
    assert neutrals.barred(s, "ussr", "E2905")
    violate(s, "germany", "ussr", "W3124")
    assert neutrals.barred(s, "ussr", "E2905") == ""
    assert neutrals.violates(s, "ussr", "E2905") == ""
    assert side(s, "mongolia") == "allies"


@pytest.mark.rule("gw75:19.76b")
@pytest.mark.parametrize("german_war", [False, True])
def test_japan_in_mongolia_is_at_war_with_the_ussr(german_war: bool) -> None:
    s = state(turn=5)
    if german_war:
        violate(s, "germany", "ussr", "W3124")
    assert neutrals.violates(s, "japan", "E2905") == "mongolia"
    violate(s, "japan", "mongolia", "E2905")
    assert at_war(s, "japan", "ussr") and at_war(s, "japan", "mongolia")


@pytest.mark.rule("gw75:19.78a", "gw75:19.78b")
def test_six_points_of_militia_one_in_each_industrial_hex() -> None:
    """Example militia."""
    s = state("axis_land_movement", 5, units={"W3124": {"germany": "inf"}})
    violate(s, "germany", "ussr", "W3124")
    assert s.counts[ussr.MILITIA] == 6
    s.put("W3224", Unit("germany", "inf"))
    answers = [Choose(hex) for hex in ("W3026", "W3227", "W3229", "W3129", "E3101", "E3010")]
    events = told(phase(s, "start of allies_land_movement", answers), "militia")
    places = [event["space"] for event in events]
    assert len(places) == 6 == len(set(places))
    assert "W3324" not in places and "W3225" not in places and "W3025" not in places
    assert all(s.stack(hex)[Unit("ussr", "inf")] == 1 for hex in places)
    assert all(unit.left == -1 for hex in places for unit in s.stack(hex))
    assert ussr.MILITIA not in s.counts


@pytest.mark.rule("gw75:19.78b")
def test_militia_that_finds_no_place_is_lost() -> None:
    s = state("axis_land_movement", 5)
    violate(s, "germany", "ussr", "W3124")
    for hex, found in s.facts.hexes.items():
        if found.industry == "ussr" and hex not in ("W3227", "W3229"):
            s.hold(hex, "germany")
    phase(s, "start of allies_land_movement")
    assert sum(count for _, _, count in s.units_of("ussr")) == 2
    assert ussr.MILITIA not in s.counts


@pytest.mark.rule("gw75:19.79")
def test_the_first_winter_after_a_german_invasion_doubles_soviet_points() -> None:
    s = state(turn=8)
    violate(s, "germany", "ussr", "W3324")
    assert at_war(s, "germany", "ussr") and ussr.INVADED not in s.counts, "by ships in a port"
    enter(s, "germany", "W3124")
    assert s.counts["invaded_ussr"] == 8
    s.turn = 10
    assert weather.strength(s, "ussr", 3) == 6
    s.turn = 14
    assert weather.strength(s, "ussr", 3) == 3


@pytest.mark.rule("gw75:19.71b")
def test_the_soviet_army_may_not_sit_still() -> None:
    units = {
        "W3124": {"ussr": "4 inf, mech"},
        "W3023": {"poland": "sd"},
        "W3122": {"germany": "inf"},
    }
    given = {"wars": [("germany", "poland"), ("poland", "ussr")], "counts": {ussr.POLAND: 1}}
    t = table("allies_land_movement", 1, units=units, held={"W3122": "germany"}, **given)
    t.refused(Done(), "19.71b")
    t.do(Move(("W3124", "W3223"), (("ussr", "inf", 1),)), Done())
    assert holder(t.s, "W3223") == "ussr"
    assert t.asked == "commonwealth land_attacks"
    t.refused(Done(), "19.71b")
    t.do(Declare(("W3023",), (("W3124", "ussr", "inf", 3), ("W3124", "ussr", "mech", 1))), Done())


@pytest.mark.rule("gw75:19.61b")
def test_the_commonwealth_may_not_open_the_war_with_japan() -> None:
    s = state(turn=5)
    assert "19.33" in politics.may_attack(s, "commonwealth", "japan", "E2507")


@pytest.mark.rule("gw75:18.13", "gw75:19.78b")
def test_militia_does_not_appear_where_there_is_no_room() -> None:
    s = state("allies_land_movement")
    full, *others = (hex for hex, whose in s.facts.industry.items() if whose == "ussr")
    t = table(
        "allies_land_movement",
        8,
        wars=[("germany", "ussr")],
        counts={"ussr:militia": 6},
        units={full: {"ussr": "10 inf"}},
    )
    assert t.asked == "commonwealth place_militia"
    assert set(t.request.options) == set(others)
