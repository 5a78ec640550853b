"""How Minor Powers come under Control and Align (4.4 to 4.12, Tables 4-3 to 4-6)."""

from __future__ import annotations

import pytest

from sandtable.games.gw36.facts import half_year, pair
from sandtable.games.gw36.model import Job, News, Unit
from sandtable.games.gw36.rules.alignment import (
    Influence,
    align,
    check_influence,
    influence,
    influence_options,
    influence_refusal,
    receiver,
)
from sandtable.games.gw36.rules.capture import possess
from sandtable.games.gw36.rules.facilities import may_use
from sandtable.games.gw36.rules.relations import go_to_war
from sandtable.games.gw36.rules.terms import aligned, alliance, commander, is_major
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.kits import Answer, Choose
from tests.gw36.procedures import run
from tests.gw36.table import state, table


def war(s, who, whom, **more):
    return run(s, lambda g: go_to_war(g, who, whom, declared=True), **more)


def news(s, *told, **more):
    return run(s, lambda g: s.tell(*told), **more)


def combat_ends(s, who, **more):
    """The Combat Phase of the nation whose turn it is closes."""
    s.phase = "noncombat_move"
    return news(s, News("phase", who, how="end of combat"), **more)


# --- what Alignment does --------------------------------------------------------------------------


@pytest.mark.rule("gw36:4.4c", "gw36:appB-2a", "gw36:0.9.possession-a", "gw36:4.4e")
def test_an_aligned_minor_power_is_part_of_the_major_power():
    s = state(
        wars=[("germany", "ussr")],
        income={"germany": 20},
        units={
            "romania": {"romania": "2 infantry"},
            "sz_052": {"romania": "destroyer"},
        },
    )
    s.track = (Job("romania", "infantry", 1),)
    run(s, lambda g: align(g, "romania", "germany"))
    assert s.stack("romania") == {Unit("germany", "infantry"): 2}
    assert s.stack("sz_052") == {Unit("germany", "destroyer"): 1}
    assert s.possession["romania"] == "germany"
    assert s.aligned["romania"] == "germany"
    assert [job.nation for job in s.track] == ["germany"]
    assert s.built["germany", "infantry"] == 2 and s.lost["romania", "infantry"] == 2
    assert alliance(s, "romania") == "axis"
    assert aligned(s, "romania", "germany")


@pytest.mark.rule("gw36:appB-2a", "gw36:9.19a")
def test_its_income_goes_over_in_peace_too():
    s = state(wars=[], income={"germany": 20})
    run(s, lambda g: align(g, "romania", "germany"))
    assert s.income["germany"] == 23


@pytest.mark.rule("gw36:4.4a", "gw36:0.9.aligned-a", "gw36:table-4-2d")
def test_members_of_an_alliance_are_aligned_in_a_common_war_with_a_major_power():
    s = state(wars=[("france", "germany"), ("germany", "great_britain")])
    assert aligned(s, "france", "great_britain") and aligned(s, "france", "fec")
    assert not aligned(s, "france", "usa")
    assert may_use(s, "great_britain", "normandy")
    assert not may_use(s, "usa", "normandy")
    s = state(wars=[("kmt", "japan"), ("germany", "kmt")])
    assert not aligned(s, "japan", "germany")  # KMT is no Major Power
    assert not is_major(s, "kmt")


@pytest.mark.rule("gw36:4.4c", "gw36:4.4b")
def test_wars_of_the_minor_power_are_the_major_powers():
    s = state(wars=[("japan", "mongolia")])

    def comes_over(g):
        align(g, "mongolia", "ussr")
        assert News("aligned", "ussr", "mongolia") in s.news

    run(s, comes_over)
    assert s.wars == {pair("japan", "ussr")}


# --- Table 4-3 ------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:table-4-3b", "gw36:4.5a", "gw36:table-4-3f", "gw36:0.9.control-a")
def test_who_is_attacked_by_an_axis_power_at_peace_with_the_allies_comes_under_control():
    s = state(wars=[], units={"belgium": {"belgium": "4 infantry"}})
    war(s, "germany", "belgium")
    assert s.control["belgium"] == "great_britain"
    assert commander(s, "belgium") == "great_britain"
    assert s.possession["belgium"] == "belgium"
    combat_ends(s, "germany")
    assert "belgium" not in s.aligned


@pytest.mark.rule("gw36:4.7b", "gw36:table-4-3a")
def test_it_aligns_when_its_controller_and_the_attacker_come_to_be_at_war():
    s = state(
        "germany",
        "noncombat_move",
        wars=[("belgium", "germany")],
        control={"belgium": "great_britain"},
        income={"great_britain": 25},
        possession={"belgium": "germany"},
        units={"belgian_congo": {"belgium": "militia"}},
    )
    war(s, "great_britain", "germany")
    assert s.aligned["belgium"] == "great_britain"
    assert s.possession["belgian_congo"] == "great_britain"
    assert s.possession["belgium"] == "germany"
    assert s.stack("belgian_congo") == {Unit("great_britain", "militia"): 1}


@pytest.mark.rule("gw36:4.7b")
def test_war_with_one_of_several_enemies_is_enough():
    s = state(
        "germany",
        "noncombat_move",
        wars=[("belgium", "germany"), ("belgium", "italy")],
        control={"belgium": "great_britain"},
        income={"great_britain": 25},
    )
    war(s, "great_britain", "japan")
    assert "belgium" not in s.aligned
    war(s, "great_britain", "italy")
    assert s.aligned["belgium"] == "great_britain"


@pytest.mark.rule("gw36:table-4-3a", "gw36:5.6e", "gw36:table-8-1c")
def test_attacked_by_an_axis_power_at_war_with_britain_it_aligns_after_the_battles():
    s = state(
        wars=[("germany", "great_britain")],
        units={"southern_norway": {"norway": "2 infantry"}},
    )
    war(s, "germany", "norway")
    assert s.control["norway"] == "great_britain" and "norway" not in s.aligned
    combat_ends(s, "germany")
    assert s.aligned["norway"] == "great_britain"
    assert s.stack("southern_norway") == {Unit("great_britain", "infantry"): 2}


@pytest.mark.rule("gw36:table-4-3a")
def test_without_a_battle_it_aligns_at_once():
    s = state("japan", "production", wars=[("germany", "great_britain")])
    war(s, "germany", "norway")
    assert s.aligned["norway"] == "great_britain"


@pytest.mark.rule("gw36:table-4-3c", "gw36:table-4-3h", "gw36:5.6e")
def test_portugal_attacked_by_britain_becomes_german_with_its_colonies_and_ships():
    s = state(
        "great_britain",
        wars=[("germany", "great_britain")],
        treasury={"great_britain": 10},
        units={"portugal": {"portugal": "infantry"}, "sz_048": {"portugal": "destroyer"}},
    )
    war(s, "great_britain", "portugal")
    assert s.control["portugal"] == "germany"
    assert s.possession["angola"] == "portugal"
    combat_ends(s, "great_britain")
    assert s.possession["portugal"] == s.possession["angola"] == "germany"
    assert s.stack("sz_048") == {Unit("germany", "destroyer"): 1}


@pytest.mark.rule("gw36:table-4-3d")
def test_turkey_attacked_by_a_ussr_at_peace_comes_under_german_control():
    s = state("ussr", date="1939-01", wars=[], units={"ankara": {"turkey": "2 infantry"}})
    war(s, "ussr", "turkey")
    combat_ends(s, "ussr")
    assert s.control["turkey"] == "germany" and "turkey" not in s.aligned
    s.phase = "production"
    war(s, "germany", "ussr")
    assert s.aligned["turkey"] == "germany"
    assert s.stack("ankara") == {Unit("germany", "infantry"): 2}


@pytest.mark.rule("gw36:table-4-3e", "gw36:table-4-6a", "gw36:13.1r", "gw36:table-4-3i")
def test_mongolia_and_republican_spain_align_with_the_ussr_at_once():
    s = state("japan", wars=[], units={"kerulen": {"mongolia": "infantry"}})
    war(s, "japan", "mongolia")
    assert s.aligned["mongolia"] == "ussr"
    assert s.stack("kerulen") == {Unit("ussr", "infantry"): 1}
    assert pair("japan", "ussr") in s.wars
    s = state("italy", wars=[], spain="republican")
    s.control.clear()
    war(s, "italy", "spain_republican")
    assert s.aligned["spain_republican"] == "ussr"


@pytest.mark.rule("gw36:13.1n")
def test_a_neutral_nationalist_spain_aligns_with_germany_though_that_is_at_peace():
    s = state(
        "great_britain",
        wars=[("great_britain", "japan")],
        spain="nationalist",
        treasury={"great_britain": 10},
        units={"galicia_and_leon": {"spain_nationalist": "infantry"}},
    )
    s.control.clear()
    war(s, "great_britain", "spain_nationalist")
    assert s.control["spain_nationalist"] == "germany"
    combat_ends(s, "great_britain")
    assert s.aligned["spain_nationalist"] == "germany"
    assert pair("germany", "great_britain") in s.wars


@pytest.mark.rule("gw36:13.1n", "gw36:13.1r", "gw36:table-4-3a")
def test_attacked_by_its_own_side_it_turns_to_the_other():
    s = state("japan", "production", wars=[], spain="nationalist")
    s.control.clear()
    war(s, "japan", "spain_nationalist")
    assert s.control["spain_nationalist"] == "great_britain"
    war(s, "japan", "portugal")
    assert s.control["portugal"] == "great_britain"


@pytest.mark.rule("gw36:table-4-3f")
def test_the_nearest_part_of_the_commonwealth():
    s = state(wars=[])
    assert receiver(s, "allies", "belgium") == ("great_britain",)
    assert receiver(s, "allies", "siam") == ("fec",)
    assert receiver(s, "allies", "nepal") == ("fec",)
    s.surrendered = frozenset({"fec"})
    assert receiver(s, "allies", "siam") == ("great_britain",)
    # By its Home Country, not by its colonies.
    assert receiver(s, "allies", "netherlands") == ("great_britain",)


@pytest.mark.rule("gw36:table-4-3f")
def test_great_britain_decides_between_parts_that_are_equally_near():
    s = state("germany", "production", wars=[("germany", "great_britain")])
    around = s.facts.neighbours["belgium"]
    s.possession["netherlands"] = "fec"
    s.possession["picardy"] = "great_britain"
    assert {"netherlands", "picardy"} <= set(around)
    assert receiver(s, "allies", "belgium") == ("great_britain", "fec")
    war(s, "germany", "belgium", answers=[Choose("fec")])
    assert s.aligned["belgium"] == "fec"


@pytest.mark.rule("gw36:table-4-3g")
def test_minor_powers_of_the_americas_go_to_the_usa():
    s = state("germany", "production", wars=[])
    war(s, "germany", "chile")
    assert s.control["chile"] == "usa"


@pytest.mark.rule("gw36:table-4-3h")
def test_siam_goes_to_japan():
    s = state("ussr", "production", date="1939-01", wars=[])
    war(s, "ussr", "siam")
    assert s.control["siam"] == "japan"


@pytest.mark.rule("gw36:15.11a")
def test_the_option_gives_them_to_france_and_italy():
    options = {"minors_to_italy_and_france": True}
    s = state(wars=[], options=options)
    assert receiver(s, "allies", "belgium") == ("france",)
    assert receiver(s, "axis", "turkey") == ("italy",)
    s.surrendered = frozenset({"france", "italy"})
    assert receiver(s, "allies", "belgium") == ("free_france",)
    assert receiver(s, "axis", "turkey") == ("germany",)
    s = state(date="1941-01", wars=[("germany", "great_britain")], options=options)
    war(s, "germany", "ussr")
    assert s.aligned["hungary"] == "italy"


@pytest.mark.rule("gw36:table-4-3h")
def test_who_has_surrendered_gets_nobody():
    s = state(wars=[], surrendered=["germany"])
    assert receiver(s, "axis", "turkey") == ("italy",)


# --- China ----------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:4.9c")
def test_a_warlord_attacked_by_a_faction_joins_the_other_if_unconquered():
    s = state("usa", wars=[("ccp", "kmt")], units={"yunnan": {"yunnan_clique": "2 infantry"}})
    war(s, "kmt", "yunnan_clique")
    assert s.possession["yunnan"] == "yunnan_clique"
    combat_ends(s, "usa")
    assert s.possession["yunnan"] == "ccp"
    assert s.stack("yunnan") == {Unit("ccp", "infantry"): 2}


@pytest.mark.rule("gw36:4.9c")
def test_a_conquered_warlord_joins_nobody():
    s = state("usa", wars=[("ccp", "kmt")])
    war(s, "kmt", "yunnan_clique")
    run(s, lambda g: possess(g, "yunnan", "kmt", "captured"))
    combat_ends(s, "usa")
    assert s.possession["yunnan"] == "kmt"
    assert "yunnan_clique" not in s.aligned


@pytest.mark.rule("gw36:4.9a")
def test_the_warlord_factions():
    s = state(wars=[])
    warlords = {
        frozenset(nation.zones) for nation in s.facts.nations.values() if nation.kind == "warlord"
    }
    assert frozenset({"suiyuan", "hopeh", "peking"}) in warlords
    assert {frozenset({z}) for z in ("yunnan", "tibet", "tsinghai", "sinkiang")} <= warlords


# --- colonies -------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:4.12a", "gw36:9.24b")
def test_the_colonies_of_a_defeated_minor_power_stay_controlled_and_align_later():
    s = state(
        wars=[("belgium", "germany")],
        control={"belgium": "great_britain"},
        units={"belgian_congo": {"belgium": "militia"}},
    )
    s.put("belgium", Unit("germany", "infantry"))
    run(s, lambda g: possess(g, "belgium", "germany", "captured"))
    assert "belgium" in s.defeated
    combat_ends(s, "germany")
    assert s.control["belgium"] == "great_britain"
    s.income["great_britain"] = 25
    war(s, "great_britain", "germany")
    assert s.possession["belgian_congo"] == "great_britain"
    assert s.possession["belgium"] == "germany"


@pytest.mark.rule("gw36:4.4c", "gw36:4.12a")
def test_what_nobody_has_taken_at_home_comes_over_with_the_colonies():
    s = state(
        wars=[("norway", "germany")],
        control={"norway": "great_britain"},
        defeated=["norway"],
        possession={"southern_norway": "germany"},
        income={"great_britain": 25},
    )
    war(s, "great_britain", "germany")
    assert s.possession["northern_norway"] == "great_britain"
    assert s.possession["southern_norway"] == "germany"
    assert "norway" not in s.possession.values()


@pytest.mark.rule("gw36:4.4c", "gw36:4.7b")
def test_units_that_are_attacking_abroad_come_over_too():
    s = state(
        "germany",
        wars=[("turkey", "ussr")],
        control={"turkey": "germany"},
        units={"kars": {"turkey": "infantry"}},
    )
    s.put("transcaucasia", Unit("turkey", "infantry", duty="attack", origin="kars"))
    war(s, "germany", "ussr")
    assert s.stack("transcaucasia") == {
        Unit("germany", "infantry", duty="attack", origin="kars"): 1
    }


# --- Table 4-4 ------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:table-4-4a")
@pytest.mark.parametrize("ally", ["great_britain", "france"])
def test_britain_may_align_poland_as_its_turn_opens(ally):
    s = state("great_britain", "production", wars=[(ally, "germany")])
    start = News("phase", "great_britain", how="start of production")
    news(s, start, answers=[Answer(False)])
    assert s.possession["warsaw"] == "poland"
    news(s, start, answers=[Answer(True)])
    assert s.possession["warsaw"] == "great_britain"


@pytest.mark.rule("gw36:table-4-4a")
def test_no_poland_without_war_with_germany_nor_in_another_turn():
    s = state("great_britain", "production", wars=[("great_britain", "italy")])
    news(s, News("phase", "great_britain", how="start of production"))
    s = state("france", "production", wars=[("france", "germany")])
    news(s, News("phase", "france", how="start of production"))
    assert s.possession["warsaw"] == "poland"


def american(**fields):
    return state("usa", "production", wars=[("japan", "usa")], treasury={"usa": 10}, **fields)


@pytest.mark.rule("gw36:table-4-4c", "gw36:table-4-4d", "gw36:table-4-4f")
def test_the_usa_pays_and_rolls_for_a_pan_american_nation():
    s = american(income={"usa": 63})
    run(s, lambda g: influence(g, "usa", Influence("cuba", 3)), dice=[4])
    assert s.treasury["usa"] == 7 and "cuba" not in s.aligned
    with pytest.raises(IllegalDecision, match="attempt"):
        check_influence(s, "usa", Influence("cuba", 1))
    run(s, lambda g: influence(g, "usa", Influence("mexico", 3)), dice=[3])
    assert s.possession["eastern_mexico"] == "usa"
    assert s.treasury["usa"] == 4


@pytest.mark.rule("gw36:table-4-4b", "gw36:table-4-4c", "gw36:table-4-4d")
def test_what_the_usa_cannot_try():
    s = american()
    for attempt, rule in (
        (Influence("chile", 1), "table-4-4b"),
        (Influence("cuba", 4), "table-4-4d"),
        (Influence("cuba", 0), "table-4-4d"),
    ):
        assert influence_refusal(s, "usa", attempt)[1] == rule
    assert influence_refusal(s, "great_britain", Influence("cuba", 1))[0]
    tries = list(influence_options(s, "usa"))
    assert {attempt.nation for attempt in tries} == set(s.facts.politics.pan_american)
    assert len(tries) == 33
    s.treasury["usa"] = 1
    assert len(list(influence_options(s, "usa"))) == 11
    s.wars = frozenset({pair("kmt", "usa")})
    assert influence_refusal(s, "usa", Influence("cuba", 1))[1] == "table-4-4c"
    assert list(influence_options(s, "usa")) == []


@pytest.mark.rule("gw36:table-4-4e")
@pytest.mark.parametrize(
    "fields",
    [
        {"units": {"sz_134": {"japan": "submarine"}}},
        {"raided": {"new_york_rio": {"usa": 2}}},
        {"units": {"sz_134": {"japan": "submarine"}}, "raided": {"new_york_rio": {"usa": 2}}},
    ],
)
def test_enemies_near_by_make_it_easier_by_one(fields):
    s = american(**fields)
    assert "sz_134" in s.facts.coast["eastern_mexico"]
    run(s, lambda g: influence(g, "usa", Influence("mexico", 1)), dice=[3])
    assert "mexico" not in s.aligned
    s = american(**fields)
    run(s, lambda g: influence(g, "usa", Influence("mexico", 1)), dice=[2])
    assert s.aligned["mexico"] == "usa"


@pytest.mark.rule("gw36:table-4-4e")
def test_a_ship_of_somebody_else_makes_no_difference():
    s = american(units={"sz_134": {"germany": "submarine"}})
    run(s, lambda g: influence(g, "usa", Influence("mexico", 1)), dice=[2])
    assert "mexico" not in s.aligned


# --- Table 4-5 ------------------------------------------------------------------------------------


def in_balkans(s, *answers):
    news(s, News("phase", "germany", how="start of place_units"), answers=answers)


@pytest.mark.rule("gw36:table-4-5a")
def test_germany_aligns_one_balkan_nation_in_each_of_three_phases_after_the_fall_of_france():
    s = state("germany", "place_units", wars=[("germany", "great_britain")], date="1940-07")
    in_balkans(s)
    s.counts["balkans"] = 3
    in_balkans(s, Choose("romania"))
    with pytest.raises(IllegalDecision):
        in_balkans(s, Choose("romania"))
    s.counts["balkans"], s.news = 2, ()
    in_balkans(s, Choose("none"))
    in_balkans(s, Choose("bulgaria"))
    in_balkans(s)
    assert set(s.aligned) >= {"romania", "bulgaria"} and "hungary" not in s.aligned


@pytest.mark.rule("gw36:table-4-5a")
def test_the_fall_of_france_begins_the_count():
    s = state("italy", "combat", wars=[("france", "italy")], surrendered=["france"])
    news(s, News("surrendered", "ussr", "japan"))
    assert not s.counts.get("balkans")
    news(s, News("surrendered", "italy", "france"))
    assert s.counts["balkans"] == 3
    s.phase = "place_units"
    news(s, News("phase", "italy", how="start of place_units"))
    assert s.counts["balkans"] == 3  # it is Germany's to use


@pytest.mark.rule("gw36:table-4-5b", "gw36:table-4-5c")
def test_war_of_germany_and_the_ussr_brings_the_rest_and_finland_after_the_pact():
    s = state(wars=[], date="1941-01", aligned={"romania": "germany"})
    war(s, "germany", "ussr")
    assert s.possession["hungary"] == s.possession["bulgaria"] == "germany"
    assert s.possession["helsinki"] == "finland"
    s = state("ussr", wars=[], date="1941-01", pacts=["molotov_ribbentrop"])
    war(s, "ussr", "germany")
    assert s.possession["helsinki"] == "germany"
    s = state(wars=[], date="1941-01", pacts_ended=["molotov_ribbentrop"])
    war(s, "germany", "ussr")
    assert s.possession["helsinki"] == "germany"


@pytest.mark.rule("gw36:table-4-5b")
def test_one_that_is_at_war_with_germany_does_not_join_it():
    s = state(wars=[("germany", "hungary")], date="1941-01", control={"hungary": "great_britain"})
    war(s, "germany", "ussr")
    assert s.possession["hungary"] == "hungary"


@pytest.mark.rule("gw36:table-4-5d")
def test_turkey_joins_at_the_close_of_the_german_combat_phase():
    s = state(wars=[("germany", "ussr")], possession={"transcaucasia": "germany"})
    s.phase = "noncombat_move"
    news(s, News("phase", "germany", how="end of combat_move"))
    assert "turkey" not in s.aligned
    combat_ends(s, "germany")
    assert s.aligned["turkey"] == "germany"
    for holder in ("italy", "germany"):
        s = state("italy", wars=[("italy", "ussr")], possession={"transcaucasia": holder})
        combat_ends(s, "italy")
        assert "turkey" not in s.aligned


@pytest.mark.rule("gw36:table-4-5e", "gw36:4.8a")
def test_nationalist_spain_joins_a_victorious_axis():
    def after(zones, **fields):
        s = state(wars=[("germany", "great_britain")], date="1941-01", **fields)
        s.control.clear()
        for zone in zones:
            run(
                s,
                lambda g, zone=zone: possess(g, zone, "italy", "captured"),
                answers=[Choose("ottawa")] if zone == "london" else [],
            )
        return s

    s = after(["gibraltar"], options={"scenario": "1939"})
    assert "spain" not in s.aligned
    s = after(["gibraltar", "eastern_egypt"], options={"scenario": "1939"})
    assert s.aligned["spain"] == "germany" and s.possession["madrid"] == "germany"
    s = after(["gibraltar", "eastern_egypt"], spain="nationalist")
    assert s.aligned["spain_nationalist"] == "germany"
    s = after(["gibraltar", "eastern_egypt"], spain="republican")
    assert "spain_republican" not in s.aligned


@pytest.mark.rule("gw36:table-4-5e")
def test_a_position_in_which_spain_has_what_it_waits_for():
    for keys, joined in (({"gibraltar"}, False), ({"gibraltar", "eastern_egypt"}, True)):
        t = table(
            wars=[("germany", "great_britain")],
            date="1941-01",
            spain="nationalist",
            possession=dict.fromkeys(keys, "italy"),
            units={"berlin": {"germany": "infantry"}},
        )
        assert ("spain_nationalist" in t.s.aligned) == joined


@pytest.mark.rule("gw36:table-4-5f")
def test_iraq_joins_the_power_whose_combat_phase_ends_at_its_border():
    at_border = {"syria": {"germany": "infantry"}}
    s = state(wars=[], units=at_border)
    combat_ends(s, "germany")
    assert s.aligned["iraq"] == "germany"
    s = state("italy", wars=[], units=at_border)
    combat_ends(s, "italy")
    assert "iraq" not in s.aligned  # no Italian unit there
    s = state(wars=[], units={"syria": {"germany": "fighter"}})
    combat_ends(s, "germany")
    assert "iraq" not in s.aligned  # no land unit
    s = state("italy", wars=[], units={"syria": {"germany": "infantry", "italy": "infantry"}})
    combat_ends(s, "italy", answers=[Choose("germany")])
    assert s.aligned["iraq"] == "germany"


@pytest.mark.rule("gw36:table-4-5g")
@pytest.mark.parametrize("victim", ["norway", "denmark"])
def test_sweden_joins_germany_when_the_ussr_attacks_its_neighbours(victim):
    s = state("ussr", wars=[], date="1939-01")
    war(s, "ussr", victim)
    assert "sweden" not in s.aligned
    combat_ends(s, "ussr")
    assert s.aligned["sweden"] == "germany"


@pytest.mark.rule("gw36:table-4-5g")
def test_without_a_soviet_attack_sweden_stays_where_it_is():
    s = state("ussr", wars=[], date="1939-01")
    combat_ends(s, "ussr")
    assert "sweden" not in s.aligned
    s = state("ussr", wars=[], date="1939-01")
    war(s, "ussr", "finland")
    combat_ends(s, "ussr")
    assert "sweden" not in s.aligned


@pytest.mark.rule("gw36:table-4-5g")
def test_a_german_attack_on_norway_does_not_move_sweden():
    s = state(wars=[])
    war(s, "germany", "norway")
    combat_ends(s, "germany")
    assert "sweden" not in s.aligned


@pytest.mark.rule("gw36:table-4-5h", "gw36:table-4-5i")
def test_germany_has_one_try_for_argentina():
    def german():
        return state(
            "germany",
            "production",
            wars=[("france", "germany")],
            treasury={"germany": 5},
            income={"usa": 20},
        )

    s = german()
    assert list(influence_options(s, "germany")) == [Influence("argentina", 2)]
    run(s, lambda g: influence(g, "germany", Influence("argentina", 2)), dice=[3])
    assert s.treasury["germany"] == 3 and "argentina" not in s.aligned
    assert s.income["usa"] == 20
    assert influence_refusal(s, "germany", Influence("argentina", 2))[1] == "table-4-5h"
    s = german()
    run(s, lambda g: influence(g, "germany", Influence("argentina", 2)), dice=[2, 9])
    assert s.possession["buenos_aires"] == "germany"
    assert s.income["usa"] == 29
    s = german()
    s.wars = frozenset()
    assert influence_refusal(s, "germany", Influence("argentina", 2))[0]
    assert influence_refusal(german(), "germany", Influence("argentina", 3))[0]


@pytest.mark.rule("gw36:table-4-5j")
def test_siam_joins_japan_in_its_production_phase_of_july_1939():
    start = News("phase", "japan", how="start of production")
    s = state("japan", "production", date="1939-01", wars=[])
    news(s, start)
    assert "siam" not in s.aligned
    s.date = half_year("1939-07")
    s.phase = "combat_move"
    news(s, News("phase", "japan", how="start of combat_move"))
    assert "siam" not in s.aligned
    s.phase = "production"
    news(s, start)
    assert s.aligned["siam"] == "japan"


@pytest.mark.rule("gw36:table-4-6b", "gw36:table-4-1a", "gw36:table-4-1b", "gw36:table-4-1c")
@pytest.mark.parametrize("scenario", ["1936", "1939"])
def test_who_is_with_whom_at_the_start(scenario):
    s = state(base="setup", options={"scenario": scenario})
    assert s.aligned["tannu_tuva"] == "ussr" and s.possession["tannu_tuva"] == "ussr"
    for nation, side in (
        ("great_britain", "allies"),
        ("france", "allies"),
        ("usa", "allies"),
        ("kmt", "allies"),
        ("germany", "axis"),
        ("italy", "axis"),
        ("japan", "axis"),
        ("ussr", "comintern"),
        ("ccp", "comintern"),
    ):
        assert alliance(s, nation) == side
    early = {"spain_nationalist": "germany", "spain_republican": "ussr", "abyssinia": "france"}
    assert {n: s.control.get(n) for n in early} == (
        early if scenario == "1936" else dict.fromkeys(early)
    )


@pytest.mark.rule("gw36:4.4d")
def test_kmt_and_ccp_are_never_absorbed():
    s = state("germany", "production", wars=[])
    war(s, "germany", "kmt")
    assert "kmt" not in s.control and "kmt" not in s.aligned
    assert s.possession["nanking"] == "kmt"


@pytest.mark.rule("gw36:table-4-5i")
def test_argentina_raises_no_income_of_a_usa_at_war():
    s = state(
        "germany", "production", wars=[("germany", "usa")], treasury={"germany": 5}, date="1942-01"
    )
    before = s.income["usa"]
    run(s, lambda g: influence(g, "germany", Influence("argentina", 2)), dice=[1])
    assert s.possession["buenos_aires"] == "germany" and s.income["usa"] == before


@pytest.mark.rule("gw36:4.8a", "gw36:table-4-5b")
def test_a_minor_power_that_was_defeated_comes_over_to_nobody():
    s = state(wars=[], date="1941-01", defeated=["bulgaria"])
    war(s, "germany", "ussr")
    assert s.possession["hungary"] == "germany"
    assert s.possession["bulgaria"] == "bulgaria"
