"""Wars, rights and garrisons where several cases of chapters 11 and 19 to 21 meet."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.facts import load_facts
from sandtable.games.gw75.rules import industry, politics, ussr
from sandtable.games.gw75.rules.declaring import Declare
from sandtable.games.gw75.rules.merchant_shipping import LendShips
from sandtable.games.gw75.rules.production import Build
from sandtable.games.gw75.rules.rights import EnterWar, refusal
from sandtable.games.gw75.rules.stand_fast import StandFast
from sandtable.games.gw75.rules.terms import at_war, commander, friends, holder, side
from sandtable.games.gw75.rules.wars import at_peace
from sandtable.kernel.kits import Choose
from tests.gw75.happenings import enter, phase, told, violate
from tests.gw75.moves import move
from tests.gw75.table import Done, Table, Unit, state, table

WAR = [("commonwealth", "germany"), ("commonwealth", "italy")]
FIVE = {"players": 5}


def options(t: Table) -> set[EnterWar]:
    """The wars that may be entered unasked."""
    found = {each for right in t.game.may for each in t.game.legal(right)}
    return {each for each in found if isinstance(each, EnterWar)}


# --- the USSR -------------------------------------------------------------------------------------


@pytest.mark.rule("gw75:19.75a", "gw75:19.77", "gw75:19.78a", "gw75:19.93", "gw75:19.98b")
def test_an_italian_attack_on_the_ussr_is_a_war_with_germany_too() -> None:
    units = {"W2922": {"italy": "9 inf"}, "W2924": {"rumania": "inf"}, "W2923": {"italy": "9 inf"}}
    t = table("axis_land_movement", 5, wars=WAR, units=units, held={"W2922": "italy"})
    hex = next(h for h in t.s.facts.land["W2924"] if t.s.facts.hexes[h].country == "ussr")
    t.do(move(f"W2923 > W2924 > {hex}", "9 inf", "italy"))
    assert at_war(t.s, "germany", "ussr") and at_war(t.s, "italy", "ussr")
    assert politics.production_mode(t.s, "ussr") == 2
    assert t.s.counts[ussr.MILITIA] == 6
    assert {job.nation for job in t.s.track if job.due == 5} >= {"finland", "hungary", "rumania"}
    assert not at_war(t.s, "japan", "ussr")


@pytest.mark.rule("gw75:19.72b", "gw75:19.72d", "gw75:19.61a")
def test_japan_in_soviet_territory_makes_a_limited_war_with_germany_a_full_one() -> None:
    wars = [*WAR, ("germany", "ussr"), ("italy", "ussr"), ("china", "japan")]
    units = {"E2808": {"japan": "5 inf"}, "W3124": {"ussr": "inf"}}
    t = table("axis_land_movement", 5, wars=wars, limited=wars[2:4], units=units)
    assert ussr.limited(t.s) and politics.production_mode(t.s, "ussr") == 1
    hex = next(h for h in t.s.facts.land["E2809"] if t.s.facts.hexes[h].country == "ussr")
    t.do(move(f"E2808 > E2809 > {hex}", "2 inf", "japan"))
    assert not ussr.limited(t.s)
    assert politics.production_mode(t.s, "ussr") == 2


def _across_the_border(**more: Any) -> Table:
    """Germans attack a Soviet hex in a limited war, and lose nothing and win nothing."""
    wars = [*WAR, ("germany", "ussr"), ("italy", "ussr")]
    units = {"W3122": {"germany": "6 inf"}, "W3124": {"ussr": "inf"}, "W3123": {"germany": "6 inf"}}
    held = {"W3122": "germany", "W3123": "germany"}
    t = table("axis_land_combat", 5, wars=wars, limited=wars[2:4], units=units, held=held, **more)
    return t.do(Declare(("W3124",), (("W3123", "germany", "inf", 1),)), Done())


@pytest.mark.rule("gw75:19.72b", "gw75:19.79")
def test_an_attack_across_the_border_makes_a_limited_war_a_full_one() -> None:
    t = _across_the_border()
    assert ussr.limited(t.s), "it is only declared"
    t.dice(1)
    while t.asked.endswith("roll"):
        t.dice(1)
    assert not ussr.limited(t.s)
    assert t.s.counts[ussr.INVADED] == 5 and ussr.MILITIA not in t.s.counts


@pytest.mark.rule("gw75:19.37c")
def test_a_japanese_attack_into_siberia_is_an_invasion_though_nobody_enters() -> None:
    """The USSR has opened the war with Japan itself."""
    wars = [*WAR, ("china", "japan"), ("japan", "ussr")]
    units = {"E2809": {"japan": "3 inf"}, "E2810": {"ussr": "3 inf"}}
    t = table("axis_land_combat", 5, wars=wars, units=units)
    t.do(Declare(("E2810",), (("E2809", "japan", "inf", 3),)), Done())
    while t.asked.endswith("roll"):
        t.dice(1)
    assert holder(t.s, "E2810") == "ussr"
    assert ("japan", "usa") in t.s.limited
    assert not at_war(t.s, "usa", "germany")


@pytest.mark.rule("gw75:11.0b", "gw75:19.75b")
def test_a_warring_ussr_may_violate_a_neutral_italy_and_pays_for_it() -> None:
    s = state("allies_land_movement", 8, wars=[("germany", "ussr")])
    assert politics.may_violate(s, "ussr", "italy") == ""
    assert "11.0a" in politics.may_violate(s, "ussr", "bulgaria")
    events = violate(s, "ussr", "italy", "W2921", [Choose("E3101")])
    assert at_war(s, "italy", "ussr") and s.penalties == ("E3101",)
    assert told(events, "entered_war")


@pytest.mark.rule("gw75:19.73")
def test_soviet_units_may_move_along_the_border_of_manchukuo() -> None:
    """In the Game-Turn of the partition, when they may move at all."""
    units = {"E3009": {"ussr": "4 inf"}, "E2910": {"ussr": "3 inf"}, "E2808": {"japan": "2 inf"}}
    t = table(
        "allies_land_movement",
        1,
        wars=[("germany", "poland"), ("poland", "ussr")],
        counts={"ussr:partition": 1},
        held={"W3023": "ussr", "W3223": "ussr"},
        units=units,
    )
    assert "E2910" in t.s.facts.land["E3009"] or "E3010" in t.s.facts.land["E3009"]
    inland = next(
        hex
        for hex in t.s.facts.land["E3009"]
        if t.s.facts.hexes[hex].country == "ussr" and hex not in ussr.border(t.s)
    )
    along = next(hex for hex in t.s.facts.land["E3009"] if hex in ussr.border(t.s))
    t.refused(move(f"E3009 > {inland}", "inf", "ussr"), "19.73")
    listed = {each.path[-1] for each in t.game.legal(t.request) if hasattr(each, "path")}
    assert inland not in listed and along in listed
    t.do(move(f"E3009 > {along}", "inf", "ussr"))


@pytest.mark.rule("gw75:19.61a", "gw75:18.94", "gw75:19.73", "gw75:19.76a")
def test_at_war_with_japan_alone_the_ussr_builds_no_forts_and_guards_no_border() -> None:
    wars = [*WAR, ("china", "japan"), ("japan", "ussr"), ("japan", "mongolia")]
    t = table("production", 5, wars=wars, units={"E3009": {"ussr": "inf"}})
    assert politics.production_mode(t.s, "ussr") == 2
    t.refused(Build("ussr", "fort"), "18.94", by="commonwealth")
    assert politics.may_leave(t.s, "ussr", "E3009", 1) == ""
    assert "19.61b" in politics.may_violate(t.s, "ussr", "persia")
    assert friends(t.s, "ussr", "mongolia")


@pytest.mark.rule("gw75:19.72a", "gw75:19.72c")
def test_twelve_points_lost_in_a_full_war_give_no_right() -> None:
    t = table(
        "allies_land_movement",
        9,
        wars=[("germany", "ussr")],
        counts={"lost:ussr": 40, "invaded_ussr": 8},
        units={"W3225": {"ussr": "inf"}},
    )
    assert {each for each in options(t) if each.nation == "ussr"} == {EnterWar("ussr", "japan")}
    t.refused(EnterWar("ussr", "full"), "19.72c", by="commonwealth")
    t.refused(EnterWar("ussr", "germany"), "19.72a", by="commonwealth")


@pytest.mark.rule("gw75:19.78b", "gw75:18.13")
def test_militia_goes_to_soviet_industry_in_soviet_hands_only() -> None:
    held = {"W3025": "germany", "W3324": "germany"}
    units = {"W3025": {"germany": "inf"}, "W3324": {"germany": "inf"}}
    t = table(
        "allies_land_movement",
        8,
        wars=[("germany", "ussr")],
        counts={"ussr:militia": 6},
        held=held,
        units=units,
    )
    while "place_militia" in t.asked:
        t.do(Choose(t.request.options[0]))
    spots = {hex: count for hex, unit, count in t.s.units_of("ussr") if unit.type == "inf"}
    assert 1 <= len(spots) <= 6 and set(spots.values()) == {1}
    assert not {"W3025", "W3324", "W3026"} & spots.keys(), "Germans are there or near"


# --- the USA --------------------------------------------------------------------------------------


@pytest.mark.rule("gw75:19.33c", "gw75:19.37c", "gw75:19.34")
def test_a_limited_war_with_japan_becomes_a_whole_one_with_both_in_1942() -> None:
    wars = [*WAR, ("china", "japan"), ("japan", "ussr"), ("japan", "usa")]
    t = table(
        "turn_record", 9, wars=wars, limited=[("japan", "usa")], units={"E2222": {"usa": "inf"}}
    )
    assert t.s.turn == 10 and not t.s.limited
    assert at_war(t.s, "usa", "germany") and at_war(t.s, "usa", "japan")
    assert politics.production_mode(t.s, "usa") == 4
    assert "us_surprise" not in t.s.counts


@pytest.mark.rule("gw75:19.37b", "gw75:18.94", "gw75:19.37d")
def test_in_a_limited_war_the_usa_builds_forts_at_peace_time_production() -> None:
    wars = [*WAR, ("germany", "usa"), ("italy", "usa")]
    fields: dict[str, Any] = {"wars": wars, "limited": wars[2:], "units": {}}
    t = table("production", 6, **fields, counts={"lost:usa": 9})
    assert politics.production_mode(t.s, "usa") == 1
    t.do(Build("usa", "fort"), by="commonwealth")
    t = table("production", 6, **fields, counts={"lost:usa": 10})
    assert politics.production_mode(t.s, "usa") == 4


@pytest.mark.rule("gw75:19.37d")
def test_units_lost_in_peace_do_not_count() -> None:
    s = state(units={"E2007": {"usa": "sd, ss"}})
    s.destroy("E2007", Unit("usa", "ss"))
    phase(s, "end of axis_land_movement")
    assert "lost:usa" not in s.counts


@pytest.mark.rule("gw75:19.12a", "gw75:19.11")
def test_at_war_the_usa_hands_no_ships_over() -> None:
    units = {"W3014": {"usa": "9 ms"}, "E2222": {"usa": "inf"}}
    t = table("allies_land_movement", 5, units=units)
    t.refused(LendShips("W3014", "germany", 1), "19.12a", by="commonwealth")
    t.refused(LendShips("W3014", "commonwealth", 7), "19.12a", by="commonwealth")
    t.do(LendShips("W3014", "china", 6), by="commonwealth")
    assert t.units("W3014", "china") == {"ms": 6}
    t = table("allies_land_movement", 11, units=units)
    assert at_war(t.s, "usa", "germany")
    assert not [right for right in t.game.may if right.kind == "shipping"]


# --- Italy ----------------------------------------------------------------------------------------


@pytest.mark.rule("gw75:19.21a")
def test_italy_enters_no_war_when_germany_wages_none() -> None:
    units = {"W2921": {"italy": "inf"}, "W3121": {"germany": "inf"}}
    t = table("axis_land_movement", 4, wars=[("china", "japan")], units=units)
    assert EnterWar("italy", "allies") not in options(t)
    assert refusal(t.s, "germany", EnterWar("italy", "allies"))[1] == "19.21a"


@pytest.mark.rule("gw75:19.24a", "gw75:19.24b")
def test_allies_who_stand_in_italy_when_africa_is_lost_have_invaded_it() -> None:
    units = {
        "W2523": {"italy": "inf"},
        "W2820": {"commonwealth": "inf"},
        "W2921": {"italy": "3 inf"},
    }
    s = state("allies_land_combat", 12, wars=WAR, units=units)
    phase(s, "end of axis_land_combat")
    phase(s, "start of allies_land_combat")
    assert "italy" not in s.fallen
    s.destroy("W2523", Unit("italy", "inf"))
    phase(s, "end of allies_land_combat")
    assert "italy" in s.fallen and not list(s.units_of("italy"))


@pytest.mark.rule("gw75:19.24d", "gw75:18.21")
def test_what_italy_has_ordered_is_gone_with_it() -> None:
    s = state(
        "allies_land_combat",
        12,
        wars=WAR,
        units={"W2820": {"italy": "inf, surf_b"}},
        counts={"italy:driven_out": 11},
        track=[{"nation": "italy", "type": "inf", "due": 12}],
        dead={"italy": {"ss": 2}},
        points={"italy": {"": 3}},
        bombs={"W2721": 1},
    )
    s.phase = "allies_land_movement"
    s.put("W2921", Unit("commonwealth", "inf"))
    enter(s, "commonwealth", "W2921")
    assert "italy" in s.fallen
    assert not s.track and not s.dead and not s.points and not s.bombs
    assert industry.production(s, "italy") == {"": 0}
    assert s.captured["W2921"] == 12 and holder(s, "W2921") == "commonwealth"


@pytest.mark.rule("gw75:19.24c")
def test_a_neutral_italy_does_not_surrender_with_germany() -> None:
    held = {hex: "commonwealth" for hex in ("W3120", "W3121", "W3021", "W2923")}
    s = state("allies_land_movement", 8, wars=WAR[:1], held=held, units={"W2921": {"italy": "inf"}})
    phase(s, "end of allies_land_movement")
    assert "italy" not in s.fallen and s.stack("W2921")


# --- China, penalties, players --------------------------------------------------------------------


@pytest.mark.rule("gw75:19.51b", "gw75:8.8g")
def test_chinese_who_stood_fast_do_not_reappear() -> None:
    units = {"E2606": {"japan": "10 inf"}, "E2605": {"china": "inf"}}
    for order, comes_back in ((StandFast(("E2605",)), False), (StandFast(), True)):
        t = table(
            "axis_land_combat",
            5,
            units=units,
            held={"E2606": "japan"},
            counts={"first_battle:china": 1, "first_battle:japan": 1},
        )
        target, start = "E2605", "E2606"
        assert target in t.s.facts.land[start]
        t.do(Declare((target,), ((start, "japan", "inf", 10),)), Done(), order).dice(1)
        while t.asked.endswith("roll"):
            t.dice(1)
        assert not t.units(target, "china")
        assert ("china:destroyed" in t.s.counts) == comes_back


@pytest.mark.rule("gw75:11.0b", "gw75:21.12")
def test_the_player_of_the_violator_pays_and_the_victim_is_germanys() -> None:
    facts = load_facts()
    start, end = next(
        (hex, near)
        for near in facts.country_hexes["mexico"]
        for hex in facts.land[near]
        if facts.hexes[hex].country == "usa"
    )
    wars = [*WAR, ("germany", "usa"), ("japan", "usa")]
    t = table("allies_land_movement", 12, wars=wars, units={start: {"usa": "9 inf"}}, options=FIVE)
    t.do(move(f"{start} > {end}", "9 inf", "usa"), by="usa")
    assert t.asked == "usa pay_violation"
    assert "W2805" in t.request.options and "W3118" not in t.request.options
    t.refused(Choose("W3118"), "11.0b", by="usa")
    t.do(Choose("E2007"))
    assert t.s.penalties == ("E2007",)
    assert side(t.s, "mexico") == "axis" and commander(t.s, "mexico") == "germany"


@pytest.mark.rule("gw75:21.11c", "gw75:21.12")
def test_players_enter_wars_for_their_own_nations_only() -> None:
    units = {"W3121": {"germany": "inf"}, "W3014": {"usa": "ms"}}
    t = table(
        "allies_naval_3",
        5,
        wars=[*WAR, ("germany", "turkey")],
        units=units,
        options=FIVE,
    )
    assert options(t) == {
        EnterWar("usa", "germany"),
        EnterWar("ussr", "germany"),
        EnterWar("ussr", "japan"),
    }
    t.refused(EnterWar("usa", "germany"), by="commonwealth")
    t.refused(EnterWar("ussr", "germany"), "21.12", by="usa")
    t.do(EnterWar("ussr", "germany"), by="ussr")
    assert at_war(t.s, "ussr", "germany") and not at_war(t.s, "usa", "germany")


@pytest.mark.rule("gw75:11.0b", "gw75:11.0d")
def test_a_country_on_the_side_of_the_axis_that_nobody_violated_costs_nothing() -> None:
    s = state("allies_land_movement", 12, wars=[*WAR, ("commonwealth", "siam")])
    assert side(s, "siam") == "axis" and not s.violated
    enter(s, "commonwealth", "E2104")
    assert not s.penalties


@pytest.mark.rule("gw75:19.33b", "gw75:19.61b")
def test_a_soviet_attack_on_japan_brings_nobody_else_in() -> None:
    t = table(
        "allies_land_movement",
        5,
        wars=[*WAR, ("china", "japan")],
        units={"E3009": {"ussr": "9 inf"}, "E2808": {"japan": "inf"}},
    )
    t.do(EnterWar("ussr", "japan"), by="commonwealth")
    assert at_peace(t.s, "usa") and not at_peace(t.s, "ussr")
    assert not friends(t.s, "ussr", "commonwealth")
