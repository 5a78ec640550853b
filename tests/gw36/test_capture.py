"""Possession of land zones (9.19 to 9.23), annexation, units that change sides."""

from __future__ import annotations

import pytest

from sandtable.games.gw36.model import Facility, Job, News, Unit
from sandtable.games.gw36.rules.capture import (
    annex,
    capture_zone,
    change_flag,
    possess,
    remove_units,
    taker,
)
from sandtable.kernel.kits import Answer, Choose
from tests.gw36.procedures import kinds, run
from tests.gw36.table import state


def take(s, zone, nation, how="captured", **more):
    return run(s, lambda g: possess(g, zone, nation, how), **more)


@pytest.mark.rule("gw36:9.19a", "gw36:0.9.possession-a")
def test_a_captured_zone_moves_its_value_from_one_income_to_the_other():
    s = state(wars=[("germany", "kmt")], income={"germany": 20, "usa": 30})
    value = s.facts.zones["puerto_rico"].ipp + s.facts.zones["hawaiian_islands"].ipp
    take(s, "hawaiian_islands", "germany")
    assert s.possession["hawaiian_islands"] == "germany"
    assert (s.income["germany"], s.income["usa"]) == (20 + value, 30 - value)
    assert "hawaiian_islands" in s.captured


@pytest.mark.rule("gw36:9.19a")
def test_an_income_never_falls_below_nothing_and_a_minor_power_has_none():
    s = state(wars=[], income={"germany": 0, "italy": 7})
    take(s, "bavaria", "poland")
    assert s.income["germany"] == 0 and "poland" not in s.income


@pytest.mark.rule("gw36:14.4.2e")
def test_the_income_of_vichy_is_germanys():
    s = state(
        wars=[],
        control={"vichy_france": "germany"},
        possession={"syria": "vichy_france"},
        income={"germany": 20, "italy": 7},
    )
    take(s, "tunisia", "vichy_france", "surrendered")
    assert s.income["germany"] == 21
    take(s, "tunisia", "germany", "aligned")
    assert s.income["germany"] == 21
    take(s, "syria", "italy")
    assert (s.income["germany"], s.income["italy"]) == (20, 8)


@pytest.mark.rule("gw36:9.19b")
def test_only_land_units_capture():
    s = state(wars=[("france", "germany")])
    s.put("picardy", Unit("germany", "fighter"))
    run(s, lambda g: capture_zone(g, "picardy"))
    assert s.possession["picardy"] == "france"
    s.put("picardy", Unit("germany", "infantry"))
    run(s, lambda g: capture_zone(g, "picardy"))
    assert s.possession["picardy"] == "germany"


@pytest.mark.rule("gw36:9.19b")
def test_of_several_nations_the_one_with_most_land_units_captures():
    s = state("great_britain", wars=[("germany", "great_britain")])
    s.put("denmark", Unit("great_britain", "infantry"))
    s.put("denmark", Unit("anzac", "infantry"), 2)
    s.possession["denmark"] = "germany"
    run(s, lambda g: capture_zone(g, "denmark"))
    assert s.possession["denmark"] == "anzac"


@pytest.mark.rule("gw36:9.22d")
def test_who_comes_first_claims_a_zone_of_the_surrendered():
    s = state(wars=[("great_britain", "italy")], surrendered=["italy"])
    s.possession["rome"] = "great_britain"
    s.put("sicily", Unit("germany", "infantry"))
    run(s, lambda g: capture_zone(g, "sicily"))
    assert s.possession["sicily"] == "germany" and "sicily" not in s.captured
    s.put("sardinia", Unit("great_britain", "infantry"))
    run(s, lambda g: capture_zone(g, "sardinia"))
    assert s.possession["sardinia"] == "great_britain" and "sardinia" in s.captured
    s.put("tobruk", Unit("germany", "fighter"))
    run(s, lambda g: capture_zone(g, "tobruk"))
    assert s.possession["tobruk"] == "italy"


@pytest.mark.rule("gw36:9.20a", "gw36:table-4-2a")
def test_what_is_recaptured_goes_back_to_the_member_of_the_alliance():
    wars = [("germany", "great_britain"), ("france", "germany"), ("germany", "ussr")]
    s = state("great_britain", wars=wars, possession={"syria": "germany", "burma": "germany"})
    assert taker(s, "syria", "great_britain") == ("france", "recaptured")
    assert taker(s, "burma", "great_britain") == ("fec", "recaptured")
    assert taker(s, "syria", "ussr") == ("ussr", "captured")
    assert taker(s, "denmark", "great_britain") == ("great_britain", "captured")
    s.put("syria", Unit("great_britain", "infantry"))
    run(s, lambda g: capture_zone(g, "syria"))
    assert s.possession["syria"] == "france"
    assert s.stack("syria") == {Unit("great_britain", "infantry"): 1}


@pytest.mark.rule("gw36:9.20a", "gw36:4.4c")
def test_the_zones_of_an_aligned_minor_power_are_its_major_powers():
    s = state(wars=[("germany", "great_britain")], aligned={"belgium": "great_britain"})
    assert taker(s, "belgium", "france") == ("great_britain", "recaptured")


@pytest.mark.rule("gw36:14.4.1b")
def test_free_france_gets_french_zones_back():
    s = state(wars=[("germany", "great_britain")], surrendered=["france"])
    assert taker(s, "syria", "great_britain") == ("free_france", "recaptured")
    assert taker(s, "burma", "great_britain") == ("fec", "recaptured")


@pytest.mark.rule("gw36:13.3f")
def test_in_a_truce_a_faction_keeps_what_it_retakes_of_china():
    s = state(wars=[("ccp", "japan"), ("japan", "kmt")], possession={"nanking": "japan"})
    s.pacts = frozenset({"chinese_truce"})
    assert taker(s, "nanking", "ccp") == ("ccp", "captured")
    assert taker(s, "peking", "kmt") == ("kmt", "captured")
    assert taker(s, "burma", "kmt") == ("fec", "recaptured")
    s = state(wars=[("great_britain", "japan")], possession={"nanking": "japan"})
    assert taker(s, "nanking", "great_britain") == ("kmt", "recaptured")


@pytest.mark.rule("gw36:12.4c")
def test_a_captured_factory_is_a_minor_one_until_its_liberation():
    s = state(wars=[("germany", "ussr")], date="1941-07")
    s.facilities["moscow"] = (Facility("major_factory", damage=2),)
    seat = [Choose("leningrad")]
    take(s, "moscow", "germany", answers=seat)
    assert s.facilities["moscow"] == (Facility("minor_factory", damage=2, was="major_factory"),)
    s.date += 1
    take(s, "moscow", "ussr", "recaptured")
    (factory,) = s.facilities["moscow"]
    assert factory.type == "major_factory" and factory.was == ""


@pytest.mark.rule("gw36:12.4c")
def test_a_factory_that_comes_with_an_alignment_stays_what_it_is():
    s = state(wars=[])
    s.facilities["rio_de_janeiro"] = (Facility("medium_factory"),)
    take(s, "rio_de_janeiro", "usa", "aligned")
    assert s.facilities["rio_de_janeiro"] == (Facility("medium_factory"),)


@pytest.mark.rule("gw36:12.7g", "gw36:12.9b")
def test_fortifications_and_coastal_artillery_go_with_a_conquest_only():
    built = (
        Facility("air_base"),
        Facility("coastal_artillery", "sz_027"),
        Facility("fortification", "germany"),
    )
    s = state(wars=[("france", "germany")])
    s.facilities["alsace_lorraine"] = built
    take(s, "alsace_lorraine", "germany")
    assert [f.type for f in s.facilities["alsace_lorraine"]] == ["air_base"]
    s.facilities["corsica"] = built[1:]
    take(s, "corsica", "free_france", "returned")
    assert len(s.facilities["corsica"]) == 2
    take(s, "corsica", "germany", "captured")
    assert "corsica" not in s.facilities


@pytest.mark.rule("gw36:7.3f")
def test_facilities_under_construction_are_completed_by_the_captor():
    s = state(wars=[("france", "germany")])
    s.track = (
        Job("france", "air_base", 1, at="picardy"),
        Job("france", "battleship", 2, at="picardy"),
        Job("france", "minor_factory", 1, at="normandy"),
    )
    take(s, "picardy", "germany")
    assert [(job.nation, job.what) for job in s.track] == [
        ("france", "battleship"),
        ("france", "minor_factory"),
        ("germany", "air_base"),
    ]


@pytest.mark.rule("gw36:15.8b")
def test_capital_ships_at_their_yard_go_with_it_where_that_option_is_used():
    s = state(wars=[("france", "germany")], options={"ships_under_construction": True})
    s.track = (
        Job("france", "battleship", 2, at="picardy"),
        Job("france", "destroyer", 1, at="picardy"),
    )
    take(s, "picardy", "germany")
    assert {(job.nation, job.what) for job in s.track} == {
        ("germany", "battleship"),
        ("france", "destroyer"),
    }


@pytest.mark.rule("gw36:9.23a")
def test_a_lost_capital_costs_the_cash():
    s = state(wars=[("germany", "ussr")], treasury={"ussr": 9, "germany": 1})
    events = take(s, "moscow", "germany", answers=[Choose("leningrad")])
    assert (s.treasury["ussr"], s.treasury["germany"]) == (0, 1)
    assert "treasury_lost" in kinds(events)


@pytest.mark.rule("gw36:9.23a", "gw36:14.4.1a")
def test_france_loses_it_to_the_conqueror():
    s = state("italy", wars=[("france", "italy")], treasury={"france": 9, "italy": 1})
    take(s, "paris", "italy")
    assert (s.treasury["france"], s.treasury["italy"]) == (0, 10)


# --- annexation -----------------------------------------------------------------------------------


@pytest.mark.rule("gw36:0.9.annexation-a", "gw36:0.9.annexation-b")
def test_germany_annexes_without_war_and_the_garrison_joins():
    s = state(wars=[], units={"austria": {"austria": "2 infantry"}})
    s.put("austria", Unit("germany", "infantry"))
    run(s, lambda g: annex(g, "germany", "austria"))
    assert s.stack("austria") == {Unit("germany", "infantry"): 3}
    assert s.possession["austria"] == "germany"
    assert s.wars == frozenset() and "austria" in s.annexed
    assert "austria" not in s.control


@pytest.mark.rule("gw36:0.9.annexation-a", "gw36:14.2c")
def test_other_garrisons_leave():
    s = state("ussr", wars=[], units={"latvia": {"latvia": "infantry"}}, date="1940-01")
    s.put("latvia", Unit("ussr", "infantry"))
    run(s, lambda g: annex(g, "ussr", "latvia"))
    assert s.stack("latvia") == {Unit("ussr", "infantry"): 1}
    assert s.possession["latvia"] == "ussr"
    s = state("italy", wars=[], units={"albania": {"albania": "militia"}})
    run(s, lambda g: annex(g, "italy", "albania"))
    assert s.stack("albania") == {} and s.possession["albania"] == "italy"


def slovakia(**more):
    s = state(
        wars=[],
        units={"slovakia": {"czechoslovakia": "2 infantry"}},
        options={"slovakian_resistance": True},
        income={"great_britain": 11, "france": 5},
    )
    s.put("slovakia", Unit("germany", "infantry"), 3)
    run(s, lambda g: annex(g, "germany", "slovakia"))
    assert s.possession["slovakia"] == "czechoslovakia"
    s.phase = "combat"
    run(s, lambda g: s.tell(News("phase", "germany", how="end of combat_move")), **more)
    return s


@pytest.mark.rule("gw36:15.4a", "gw36:15.4b")
@pytest.mark.parametrize("answers", [(False, False), (True, False), (False, True)])
def test_slovakia_is_annexed_unless_britain_and_france_contest_it(answers):
    s = slovakia(answers=[Answer(yes) for yes in answers])
    assert s.possession["slovakia"] == "germany" and s.planned == ()
    assert s.stack("slovakia") == {Unit("germany", "infantry"): 5}


@pytest.mark.rule("gw36:15.4b", "gw36:15.4c", "gw36:15.4d")
@pytest.mark.parametrize("won", [True, False])
def test_a_contested_slovakia_fights_and_incomes_follow(won):
    s = slovakia(answers=[Answer(True), Answer(True)])
    assert s.planned == (("slovakia", "land"),)
    assert Unit("germany", "infantry", duty="attack") in s.stack("slovakia")
    assert s.wars == frozenset()
    if won:
        take(s, "slovakia", "germany")
    before = dict(s.income)
    s.phase = "noncombat_move"
    run(s, lambda g: s.tell(News("phase", "germany", how="end of combat")))
    sign = -1 if won else 1
    assert s.income["great_britain"] == before["great_britain"] + 3 * sign
    assert s.income["france"] == before["france"] + sign


# --- flags ----------------------------------------------------------------------------------------


def test_units_change_sides_with_what_they_carry():
    s = state(wars=[])
    cargo = (Unit("france", "infantry"), Unit("great_britain", "infantry"))
    s.put("sz_049", Unit("france", "naval_transport", cargo=cargo))
    (ship,) = s.stack("sz_049")
    change_flag(s, "sz_049", ship, 1, "germany")
    assert s.stack("sz_049") == {
        Unit(
            "germany",
            "naval_transport",
            cargo=(Unit("germany", "infantry"), Unit("great_britain", "infantry")),
        ): 1
    }
    assert s.built["germany", "infantry"] == s.lost["france", "naval_transport"] == 1


@pytest.mark.rule("gw36:9.22d")
def test_removed_units_leave_others_ships_too():
    s = state(wars=[])
    s.put("rome", Unit("italy", "infantry"), 2)
    s.put("sz_049", Unit("germany", "naval_transport", cargo=(Unit("italy", "infantry"),)))
    run(s, lambda g: remove_units(g, "italy"))
    assert s.stack("rome") == {}
    assert s.stack("sz_049") == {Unit("germany", "naval_transport"): 1}
    assert s.lost["italy", "infantry"] == 3
