"""Declarations of war, their price, and attacks that are none (5.5 to 5.7, 8.1)."""

from __future__ import annotations

import pytest

from sandtable.games.gw36 import RULES, setup
from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.model import News
from sandtable.games.gw36.rules.capture import possess
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.relations import (
    attack_allowed,
    attack_without_war,
    chinese,
    go_to_war,
    may_declare,
    neutral_minor,
    payers,
    penalty,
    refusal,
)
from tests.gw36.procedures import kinds, run
from tests.gw36.table import Done, state, table


def war(s, who, whom, **more):
    return run(s, lambda g: go_to_war(g, who, whom, declared=True), **more)


@pytest.mark.rule("gw36:5.5a", "gw36:0.9.declare-b", "gw36:table-8-1a", "gw36:0.9.income-d")
def test_great_britain_declares_war_once_it_has_its_wartime_income():
    s = state(wars=[], income={"great_britain": 24}, treasury={"great_britain": 20})
    assert "25" in may_declare(s, "great_britain", "germany")
    assert refusal(s, "great_britain", "germany")[1] == "5.5a"
    s.income["great_britain"] = 25
    assert may_declare(s, "great_britain", "germany") == ""


@pytest.mark.rule("gw36:5.5a")
def test_who_is_at_war_with_a_major_power_may_declare_war_whatever_its_income():
    s = state(wars=[("germany", "great_britain")], income={"great_britain": 10})
    assert may_declare(s, "great_britain", "italy") == ""
    s = state(wars=[("kmt", "great_britain")], income={"great_britain": 10})
    assert may_declare(s, "great_britain", "italy") != ""


@pytest.mark.rule("gw36:nrs-usa-d", "gw36:0.9.wartime-a")
def test_the_usa_waits_for_63():
    s = state(wars=[], income={"usa": 62})
    assert refusal(s, "usa", "germany")[1] == "nrs-usa-d"
    s.income["usa"] = 63
    assert may_declare(s, "usa", "germany") == ""


@pytest.mark.rule("gw36:0.9.declare-b")
def test_the_ussr_declares_war_from_january_1939_on():
    assert "January 1939" in may_declare(state(date="1938-07", wars=[]), "ussr", "germany")
    assert may_declare(state(date="1939-01", wars=[]), "ussr", "germany") == ""


@pytest.mark.rule("gw36:0.9.declare-a")
def test_who_is_attacked_needs_no_right_to_declare_war():
    s = state(wars=[], income={"usa": 6})
    war(s, "japan", "usa")
    assert pair("japan", "usa") in s.wars


@pytest.mark.rule("gw36:2.3b")
def test_great_britain_declares_war_for_the_commonwealth():
    s = state(wars=[], income={"great_britain": 25})
    assert refusal(s, "anzac", "japan")[1] == "2.3b"
    war(s, "great_britain", "japan")
    assert pair("great_britain", "japan") in s.wars
    assert attack_allowed(s, "anzac", "japan", "korea").how == "war"
    assert attack_allowed(s, "japan", "fec", "burma").how == "war"


@pytest.mark.rule("gw36:table-4-2b")
def test_no_war_within_an_alliance():
    s = state(wars=[])
    assert refusal(s, "germany", "italy")[1] == "table-4-2b"
    assert refusal(s, "germany", "germany")[1] == "table-4-2b"
    assert may_declare(s, "germany", "ussr") == ""


@pytest.mark.rule("gw36:table-4-2b")
def test_no_war_on_a_minor_power_that_is_part_of_an_alliance_member():
    s = state(wars=[], aligned={"hungary": "germany"})
    assert refusal(s, "italy", "hungary")[1] == "table-4-2b"


@pytest.mark.rule("gw36:table-4-2g", "gw36:table-4-2e")
def test_a_controller_declares_no_war_for_a_minor_power():
    s = state(wars=[("turkey", "ussr")], control={"turkey": "germany"})
    assert refusal(s, "turkey", "iran")[1] == "table-4-2g"
    assert attack_allowed(s, "turkey", "iran", "northern_iran").rule == "table-4-2e"
    assert attack_allowed(s, "turkey", "ussr", "transcaucasia").how == "war"


@pytest.mark.rule("gw36:13.1b")
def test_germany_and_the_ussr_keep_out_of_the_spanish_civil_war():
    s = state(date="1939-01")
    assert s.spain == "war"
    for power in ("germany", "ussr"):
        for faction in ("spain_nationalist", "spain_republican"):
            assert refusal(s, power, faction)[1] == "13.1b"
    assert may_declare(s, "italy", "spain_republican") == ""
    assert attack_allowed(s, "spain_nationalist", "ussr", "leningrad").how == ""
    assert attack_allowed(s, "spain_nationalist", "spain_republican", "madrid").how == "war"


@pytest.mark.rule("gw36:14.2b", "gw36:14.2g")
def test_the_pact_protects_romania_and_hungary_but_not_its_partners():
    s = state(date="1940-01", pacts=["molotov_ribbentrop"], wars=[])
    assert refusal(s, "ussr", "romania")[1] == "14.2g"
    assert refusal(s, "ussr", "hungary")[1] == "14.2g"
    assert may_declare(s, "ussr", "bulgaria") == ""
    assert may_declare(s, "ussr", "germany") == may_declare(s, "germany", "ussr") == ""
    s = state(date="1940-01", wars=[])
    assert may_declare(s, "ussr", "romania") == ""


@pytest.mark.rule("gw36:14.3a")
def test_the_japanese_soviet_pact_has_to_be_broken_first():
    s = state(date="1940-01", pacts=["japanese_soviet"], wars=[])
    assert refusal(s, "japan", "ussr")[1] == refusal(s, "ussr", "japan")[1] == "14.3a"
    assert attack_allowed(s, "japan", "ussr", "amur", clash=True).rule == "14.3a"
    s.pacts = frozenset()
    assert attack_allowed(s, "japan", "ussr", "amur", clash=True).how == "clash"
    assert attack_allowed(s, "japan", "ussr", "amur").how == "declare"


@pytest.mark.rule("gw36:14.3a")
def test_border_clashes_are_for_the_ussr_and_japan_in_the_1936_scenario():
    s = state(wars=[])
    assert attack_allowed(s, "germany", "ussr", "east_prussia", clash=True).how == ""
    s = state(date="1940-01", options={"scenario": "1939"}, wars=[])
    assert attack_allowed(s, "japan", "ussr", "amur", clash=True).how == ""


@pytest.mark.rule("gw36:14.4.3e", "gw36:14.4.3c")
def test_the_axis_leaves_vichy_alone_which_attacks_only_free_france():
    s = state(
        date="1941-01",
        wars=[("germany", "great_britain"), ("free_france", "germany")],
        surrendered=["france"],
        vichy="active",
        control={"vichy_france": "germany"},
        possession={"southern_france": "vichy_france", "syria": "free_france"},
        treasury={"great_britain": 20},
    )
    assert refusal(s, "italy", "vichy_france")[1] == "14.4.3e"
    assert attack_allowed(s, "italy", "vichy_france", "southern_france").rule == "14.4.3e"
    assert attack_allowed(s, "vichy_france", "free_france", "syria").how == "declare"
    assert attack_allowed(s, "vichy_france", "great_britain", "london").rule == "14.4.3c"
    assert attack_allowed(s, "great_britain", "vichy_france", "southern_france").how == "declare"


@pytest.mark.rule("gw36:13.3.1a", "gw36:13.3.2a", "gw36:13.3.1c")
def test_a_chinese_faction_fights_at_home_until_it_has_evolved():
    s = state(wars=[("ccp", "kmt"), ("japan", "kmt")])
    assert attack_allowed(s, "kmt", "japan", "korea").rule == "13.3.2a"
    assert attack_allowed(s, "kmt", "japan", "rehe").how == "war"
    assert attack_allowed(s, "ccp", "kmt", "nanking").how == "war"
    assert refusal(s, "ccp", "germany")[1] == "13.3.1a"
    assert may_declare(s, "ccp", "japan") == ""  # it holds Manchuria
    s.evolved = frozenset({"kmt", "ccp"})
    assert attack_allowed(s, "kmt", "japan", "korea").how == "war"
    assert may_declare(s, "ccp", "germany") == ""


@pytest.mark.rule("gw36:13.3e")
def test_no_attack_between_the_factions_in_a_truce():
    s = state(wars=[("japan", "kmt"), ("ccp", "japan")], pacts=["chinese_truce"])
    assert refusal(s, "kmt", "ccp")[1] == "13.3e"
    assert attack_allowed(s, "kmt", "ccp", "shensi").how == ""


# --- the penalty (5.6) ----------------------------------------------------------------------------


@pytest.mark.rule("gw36:5.6a", "gw36:5.6d")
def test_britain_pays_for_war_on_a_neutral_minor_power_and_the_usa_loses_income():
    s = state(
        wars=[("germany", "great_britain")],
        treasury={"great_britain": 12},
        income={"usa": 34},
    )
    war(s, "great_britain", "portugal")
    assert s.treasury["great_britain"] == 2
    assert s.income["usa"] == 26


@pytest.mark.rule("gw36:5.6a")
def test_without_the_cash_there_is_no_declaration():
    s = state(wars=[("germany", "great_britain")], treasury={"great_britain": 9})
    assert refusal(s, "great_britain", "portugal")[1] == "5.6a"
    assert may_declare(s, "great_britain", "italy") == ""  # no neutral Minor Power


@pytest.mark.rule("gw36:5.6a")
def test_the_others_pay_nothing():
    s = state(wars=[], treasury={"germany": 0})
    assert penalty(s, "germany", "portugal") == penalty(s, "ussr", "iran") == 0


@pytest.mark.rule("gw36:5.6b", "gw36:5.6d")
def test_the_usa_pays_at_wartime_income():
    s = state(wars=[], income={"usa": 63}, treasury={"usa": 10})
    assert penalty(s, "usa", "mexico") == 10
    war(s, "usa", "mexico")
    assert s.treasury["usa"] == 0
    assert s.income["usa"] == 55  # it is not at war with a Major Power
    assert penalty(s, "usa", "brazil") == 0


@pytest.mark.rule("gw36:5.6d")
def test_no_drop_of_a_usa_at_war_and_none_below_zero():
    s = state(wars=[("germany", "usa"), ("france", "germany")], income={"usa": 63})
    s.treasury["france"] = 10
    war(s, "france", "belgium")
    assert s.income["usa"] == 63
    s = state(wars=[("france", "germany")], income={"usa": 6}, treasury={"france": 10})
    war(s, "france", "belgium")
    assert s.income["usa"] == 0


@pytest.mark.rule("gw36:5.6c")
def test_the_penalty_is_shared_by_those_who_agreed_and_are_able_to_declare_war():
    s = state(
        wars=[("germany", "great_britain"), ("france", "germany")],
        treasury={"great_britain": 7, "france": 9, "usa": 50},
        income={"usa": 40},
        permits=[("share_penalty", "france", "great_britain")],
    )
    assert payers(s, "great_britain") == ("great_britain", "france")
    s.income["usa"] = 63
    assert payers(s, "great_britain") == ("great_britain", "france")  # the USA has not agreed
    s.income["usa"] = 40
    s.permits |= {("share_penalty", "usa", "great_britain")}
    assert payers(s, "great_britain") == ("great_britain", "france")  # the USA is not able to
    assert may_declare(s, "great_britain", "portugal") == ""
    war(s, "great_britain", "portugal")
    assert (s.treasury["great_britain"], s.treasury["france"], s.treasury["usa"]) == (2, 4, 50)


@pytest.mark.rule("gw36:5.6c")
def test_one_who_has_less_pays_less():
    s = state(
        wars=[("germany", "great_britain"), ("france", "germany")],
        treasury={"great_britain": 20, "france": 2},
        permits=[("share_penalty", "france", "great_britain")],
    )
    war(s, "great_britain", "portugal")
    assert (s.treasury["great_britain"], s.treasury["france"]) == (12, 0)


@pytest.mark.rule("gw36:4.6b")
def test_a_controlled_minor_power_is_still_neutral_and_an_aligned_one_is_not():
    s = state(wars=[("turkey", "ussr")], control={"turkey": "germany"})
    assert neutral_minor(s, "turkey")
    s = state(wars=[("germany", "ussr")], aligned={"turkey": "germany"})
    assert not neutral_minor(s, "turkey")
    assert not neutral_minor(s, "france")
    s = state(wars=[("ccp", "japan"), ("japan", "ussr"), ("great_britain", "italy")])
    assert not neutral_minor(s, "ccp")  # Aligned with the USSR against Japan
    assert neutral_minor(s, "kmt")
    s = state(wars=[("japan", "kmt"), ("japan", "ussr")])
    assert neutral_minor(s, "kmt")


# --- attacks --------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:8.1a", "gw36:0.9.enemy-a")
def test_an_attack_declares_war_and_has_to_be_allowed_to():
    s = state(wars=[], income={"france": 5})
    assert attack_allowed(s, "germany", "poland", "warsaw").how == "declare"
    refused = attack_allowed(s, "france", "germany", "bavaria")
    assert refused.how == "" and refused.rule == "5.5a"
    s = state(wars=[("france", "germany")])
    assert attack_allowed(s, "france", "germany", "bavaria").how == "war"


@pytest.mark.rule("gw36:0.9.annexation-b")
def test_germany_annexes_one_zone_a_turn_and_italy_albania():
    s = state(wars=[])
    assert attack_allowed(s, "germany", "austria", "austria").how == "annex"
    assert attack_allowed(s, "germany", "czechoslovakia", "bohemia").how == "annex"
    assert attack_allowed(s, "italy", "albania", "albania").how == "annex"
    assert attack_allowed(s, "italy", "austria", "austria").how == "declare"
    s.done["annex:germany"] = 1
    assert attack_allowed(s, "germany", "austria", "austria").how == "declare"


@pytest.mark.rule("gw36:14.2c")
def test_the_ussr_annexes_the_baltic_states_under_the_pact_only():
    s = state(date="1940-01", wars=[], pacts=["molotov_ribbentrop"])
    for zone in ("lithuania", "latvia", "estonia"):
        assert attack_allowed(s, "ussr", zone, zone).how == "annex"
    s.pacts = frozenset()
    assert attack_allowed(s, "ussr", "latvia", "latvia").how == "declare"


@pytest.mark.rule("gw36:14.2d", "gw36:14.2e")
def test_the_ussr_takes_the_east_of_poland_once_germany_holds_warsaw():
    s = state(
        date="1939-07",
        wars=[("germany", "great_britain")],
        pacts=["molotov_ribbentrop"],
        aligned={"poland": "great_britain"},
        possession={"warsaw": "germany"},
    )
    assert s.possession["east_poland"] == "great_britain"
    for zone in ("east_poland", "lubelskie"):
        assert attack_allowed(s, "ussr", "great_britain", zone).how == "pact"
    assert attack_allowed(s, "ussr", "great_britain", "west_poland").how == "declare"
    s.possession["lubelskie"] = "romania"
    assert attack_allowed(s, "ussr", "romania", "lubelskie").rule == "14.2g"
    assert attack_allowed(s, "italy", "great_britain", "east_poland").how == "declare"
    s.possession["warsaw"] = "great_britain"
    assert attack_allowed(s, "ussr", "great_britain", "east_poland").how == "declare"


@pytest.mark.rule("gw36:14.2e")
def test_the_attack_on_poland_is_no_war():
    s = state(date="1939-07", wars=[])

    def attack(g):
        attack_without_war(g, "ussr", "great_britain", "east_poland", "pact")
        assert s.news == (News("attack", "ussr", "great_britain", "east_poland", "pact"),)

    run(s, attack)
    assert s.wars == frozenset()
    assert pair("great_britain", "ussr") in s.attacked


@pytest.mark.rule("gw36:14.2f")
def test_karjala_is_the_one_finnish_zone_that_the_pact_opens():
    s = state(date="1940-01", wars=[], pacts=["molotov_ribbentrop"])
    assert attack_allowed(s, "ussr", "finland", "karjala").how == "pact"
    assert attack_allowed(s, "ussr", "finland", "helsinki").rule == "14.2f"
    s.pacts = frozenset()
    assert attack_allowed(s, "ussr", "finland", "karjala").how == "declare"


@pytest.mark.rule("gw36:5.7a")
def test_monroe_doctrine_at_sea():
    s = state(wars=[], income={"usa": 6}, units={"sz_046": {"germany": "submarine"}})
    assert attack_allowed(s, "usa", "germany", "sz_046").how == "monroe"  # off the east coast
    assert attack_allowed(s, "usa", "germany", "sz_014").rule == "nrs-usa-d"  # the Baltic
    assert attack_allowed(s, "usa", "great_britain", "sz_046").how == ""  # the same Alliance
    assert attack_allowed(s, "usa", "kmt", "sz_046").how == ""  # no Major Power, and an ally
    assert attack_allowed(s, "germany", "usa", "sz_046").how == "declare"


@pytest.mark.rule("gw36:5.7b", "gw36:5.7a")
def test_monroe_doctrine_on_land_that_was_taken():
    s = state(wars=[], income={"usa": 6}, aligned={"argentina": "germany"})
    assert s.possession["buenos_aires"] == "germany"
    assert attack_allowed(s, "usa", "germany", "buenos_aires").how == "monroe"
    assert attack_allowed(s, "usa", "germany", "berlin").how == ""
    s.possession["paris"] = "germany"
    assert attack_allowed(s, "usa", "germany", "paris").how == ""
    assert attack_allowed(s, "usa", "turkey", "sz_046").how == ""  # no Major Power
    run(s, lambda g: attack_without_war(g, "usa", "germany", "buenos_aires", "monroe"))
    assert pair("germany", "usa") not in s.wars


@pytest.mark.rule("gw36:9.22d")
def test_zones_of_the_surrendered_are_there_to_be_claimed():
    s = state(wars=[], surrendered=["italy"], units={"rome": {"italy": "infantry"}})
    assert attack_allowed(s, "ussr", "italy", "tripolitania").how == "claim"
    assert attack_allowed(s, "germany", "italy", "tripolitania").how == "claim"


@pytest.mark.rule("gw36:9.21c")
def test_a_refused_return_is_a_reason_for_war_as_long_as_the_zone_is_held():
    s = state(
        wars=[],
        income={"france": 5},
        possession={"syria": "ussr"},
        refused=[("return:syria", "ussr", "france")],
    )
    assert may_declare(s, "france", "ussr") == ""
    assert may_declare(s, "france", "germany") != ""
    s.possession["syria"] = "france"
    assert may_declare(s, "france", "ussr") != ""


# --- what follows ---------------------------------------------------------------------------------


@pytest.mark.rule("gw36:4.9b")
def test_a_foreign_attack_on_one_chinese_nation_is_one_on_all():
    s = state("japan", units={"peking": {"peking_clique": "2 infantry"}})
    events = war(s, "japan", "peking_clique")
    assert pair("japan", "kmt") in s.wars and pair("ccp", "japan") in s.wars
    assert s.possession["yunnan"] == s.possession["tibet"] == s.possession["peking"] == "kmt"
    assert [unit.nation for unit in s.stack("peking")] == ["kmt"]
    assert kinds(events).count("war_declared") == 1


@pytest.mark.rule("gw36:4.9b", "gw36:table-4-2b")
def test_the_friends_of_a_faction_do_not_come_to_be_at_war_with_it():
    s = state("ussr", date="1939-01", wars=[("ccp", "kmt")], income={"great_britain": 25})
    war(s, "ussr", "kmt")
    assert pair("ccp", "ussr") not in s.wars and s.possession["yunnan"] == "kmt"
    s = state(wars=[("germany", "great_britain")], treasury={"great_britain": 30})
    assert refusal(s, "great_britain", "yunnan_clique")[1] == "4.9b"
    assert may_declare(s, "japan", "yunnan_clique") == ""
    assert may_declare(s, "kmt", "yunnan_clique") == ""


@pytest.mark.rule("gw36:8.1a", "gw36:5.5b")
def test_war_takes_effect_at_once_and_is_told_once():
    s = state(wars=[])
    run(s, lambda g: go_to_war(g, "germany", "france", declared=True))
    before = s.wars
    assert run(s, lambda g: go_to_war(g, "france", "germany", declared=True)) == []
    assert s.wars == before


@pytest.mark.rule("gw36:8.1a")
def test_the_news_say_who_declared_and_who_only_joined():
    s = state(wars=[])

    def both(g):
        go_to_war(g, "germany", "france", declared=True)
        go_to_war(g, "italy", "france", declared=False)
        assert s.news == (News("war", "germany", "france"), News("joined", "italy", "france"))

    run(s, both)


@pytest.mark.rule("gw36:1.15b", "gw36:table-1-2b", "gw36:table-1-1c")
def test_passages_close_to_new_enemies():
    s = state(wars=[], income={"great_britain": 25})
    war(s, "great_britain", "italy")
    assert ("suez_canal", "italy") in s.closed
    assert ("strait_of_gibraltar", "italy") in s.closed
    assert ("suez_canal", "germany") not in s.closed


@pytest.mark.rule("gw36:1.15b", "gw36:2.5a")
def test_passages_are_closed_to_enemies_from_the_start():
    s = setup.start(RULES.read_options({"scenario": "1939"}), None, None)
    assert ("suez_canal", "germany") in s.closed and ("suez_canal", "italy") not in s.closed


@pytest.mark.rule("gw36:table-8-1b", "gw36:5.3a", "gw36:5.5a")
def test_a_declaration_raises_incomes_at_once_and_gives_the_rights_that_come_with_them():
    s = state(wars=[], income={"great_britain": 23}, treasury={"great_britain": 20})
    assert may_declare(s, "great_britain", "germany")
    war(s, "germany", "norway")  # two dice for Great Britain, both ones
    assert s.income["great_britain"] == 25
    assert may_declare(s, "great_britain", "germany") == ""


@pytest.mark.rule("gw36:5.7c")
def test_the_monroe_doctrine_raises_no_american_income():
    s = state("usa", wars=[], income={"usa": 20}, aligned={"argentina": "germany"})
    run(s, lambda g: attack_without_war(g, "usa", "germany", "buenos_aires", "monroe"))
    run(s, lambda g: possess(g, "buenos_aires", "usa", "captured"))
    assert s.income["usa"] == 20 + s.facts.zones["buenos_aires"].ipp


@pytest.mark.rule("gw36:table-8-1d")
def test_the_forces_of_minor_powers_stand_on_the_map():
    s = state(base="setup", wars=[])
    assert any(unit.nation == "belgium" for unit in s.stack("belgium"))
    assert any(unit.nation == "belgium" for unit in s.stack("belgian_congo"))


@pytest.mark.rule("gw36:0.9.china-a", "gw36:4.9b")
def test_china_is_both_factions_and_the_warlords():
    s = state(wars=[])
    assert {n for n in s.facts.nations if chinese(s, n)} == {
        *("kmt", "ccp", "peking_clique", "guangxi_clique", "yunnan_clique"),
        *("ma_clique", "sinkiang_clique", "tibet"),
    }


@pytest.mark.rule("gw36:14.3a")
@pytest.mark.parametrize("faces", [(1, 1, 1, 1, 12, 12), (12, 12, 12, 12, 12, 12)])
def test_a_border_clash_lasts_one_round_and_captures_nothing(faces):
    t = table(
        "japan",
        date="1938-01",
        wars=[],
        units={
            "eastern_manchuria": {"japan": "4 infantry"},
            "primorsky_krai": {"ussr": "2 infantry"},
        },
    )
    t.do(Move({"infantry": 4}, ("eastern_manchuria", "primorsky_krai"), duty="clash"), Done())
    rolled = 0
    while t.asked == "chance roll":
        number = t.request.dice
        t.dice(*faces[rolled : rolled + number])
        rolled += number
    assert rolled == 6  # one round
    assert t.s.possession["primorsky_krai"] == "ussr"
    assert t.units("eastern_manchuria", "japan") == {"infantry": 4}
    assert t.units("primorsky_krai", "ussr") == ({} if faces[0] == 1 else {"infantry": 2})
    assert t.s.wars == frozenset()


@pytest.mark.rule("gw36:5.6b")
def test_a_usa_at_war_pays_though_it_has_lost_zones():
    s = state(wars=[("japan", "usa")], income={"usa": 40}, treasury={"usa": 30})
    assert penalty(s, "usa", "portugal") == 10
    assert penalty(state(wars=[], income={"usa": 62}), "usa", "portugal") == 0


@pytest.mark.rule("gw36:9.21c")
def test_free_france_may_fight_the_ussr_for_what_it_is_refused():
    fields = {
        "wars": [("free_france", "italy"), ("great_britain", "italy")],
        "surrendered": ["france"],
        "possession": {"syria": "ussr", "dahomey": "free_france"},
        "date": "1942-01",
    }
    assert refusal(state(**fields), "free_france", "ussr")[1] == "0.9.declare-b"
    s = state(**fields, refused=[("return:syria", "ussr", "free_france")])
    assert may_declare(s, "free_france", "ussr") == ""
    s = state(
        date="1942-01",
        wars=[],
        pacts=["japanese_soviet"],
        possession={"korea": "ussr"},
        refused=[("return:korea", "ussr", "japan")],
    )
    assert refusal(s, "japan", "ussr")[1] == "14.3a"  # the pact has to be broken all the same
