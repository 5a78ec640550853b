"""Pacts (14.1 to 14.3) and the truce of the Chinese factions (13.3)."""

from __future__ import annotations

import pytest

from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.model import Facility, News, Unit
from sandtable.games.gw36.rules.facilities import movement_bonus
from sandtable.games.gw36.rules.income import bonus
from sandtable.games.gw36.rules.lend_lease import check_receiver
from sandtable.games.gw36.rules.pacts import (
    break_pact,
    continental_china,
    end_refusal,
    lend_lease_barred,
    sign,
    sign_refusal,
    uses_basis_nord,
)
from sandtable.games.gw36.rules.relations import go_to_war
from sandtable.games.gw36.rules.research import dice
from sandtable.games.gw36.rules.terms import aligned
from sandtable.kernel.errors import IllegalDecision
from tests.gw36.procedures import run
from tests.gw36.table import state

MOLOTOV = "molotov_ribbentrop"


@pytest.mark.rule("gw36:14.2a")
def test_the_pact_can_be_signed_from_july_1939_on_by_its_partners():
    assert sign_refusal(state(date="1939-01", wars=[]), "germany", MOLOTOV)[1] == "14.2a"
    s = state(date="1939-07", wars=[])
    assert sign_refusal(s, "germany", MOLOTOV) == sign_refusal(s, "ussr", MOLOTOV) == ("", "")
    assert sign_refusal(s, "italy", MOLOTOV)[0]
    assert sign_refusal(s, "germany", "munich")[1] == "14.1a"
    s.wars = frozenset({pair("germany", "ussr")})
    assert sign_refusal(s, "germany", MOLOTOV)[0]


@pytest.mark.rule("gw36:14.2j", "gw36:14.2k", "gw36:14.2l")
def test_the_pact_gives_germany_a_base_and_ways_in_the_north():
    s = state(date="1939-07", wars=[], closed=[("baltic_white_sea_canal", "germany")])
    before = s.facilities.get("murmansk", ())
    run(s, lambda g: sign(g, MOLOTOV))
    (base,) = set(s.facilities["murmansk"]) - set(before)
    assert base.type == "submarine_base"
    assert uses_basis_nord(s, "germany", base) and not uses_basis_nord(s, "italy", base)
    assert not uses_basis_nord(s, "germany", Facility("submarine_base"))
    submarine, destroyer = s.facts.units["submarine"], s.facts.units["destroyer"]
    assert movement_bonus(s, "germany", submarine, base.at) == 1
    assert movement_bonus(s, "germany", destroyer, base.at) == 0
    assert movement_bonus(s, "italy", submarine, base.at) == 0
    assert ("northern_route", "ussr", "germany") in s.permits
    assert ("baltic_white_sea_canal", "germany") not in s.closed
    run(s, lambda g: break_pact(g, "ussr", MOLOTOV))
    assert s.facilities.get("murmansk", ()) == before
    assert ("northern_route", "ussr", "germany") not in s.permits


@pytest.mark.rule("gw36:14.2m")
def test_a_pact_that_was_voided_is_never_signed_again():
    s = state(date="1940-01", wars=[], pacts=[MOLOTOV])
    assert end_refusal(s, "germany", MOLOTOV) == ("", "")
    assert end_refusal(s, "ussr", "japanese_soviet")[1] == "14.1a"  # it is not in force
    assert end_refusal(s, "italy", MOLOTOV)[0]
    run(s, lambda g: break_pact(g, "germany", MOLOTOV))
    assert s.pacts == frozenset()
    assert sign_refusal(s, "germany", MOLOTOV)[1] == "14.2m"


@pytest.mark.rule("gw36:14.2m", "gw36:14.2j")
def test_war_of_its_partners_ends_it_and_removes_basis_nord():
    s = state(date="1941-01", wars=[])
    run(s, lambda g: sign(g, MOLOTOV))
    run(s, lambda g: go_to_war(g, "germany", "ussr", declared=True))
    assert s.pacts == frozenset() and s.pacts_ended == {MOLOTOV}
    assert not any(f.was for f in s.facilities.get("murmansk", ()))


@pytest.mark.rule("gw36:14.2m")
def test_other_wars_do_not():
    s = state(date="1941-01", wars=[], pacts=[MOLOTOV])
    run(s, lambda g: go_to_war(g, "germany", "france", declared=True))
    assert s.pacts == {MOLOTOV}


@pytest.mark.rule("gw36:14.3a", "gw36:14.3c")
def test_the_japanese_soviet_pact_can_be_signed_early_and_broken_for_5():
    s = state(date="1936-07", wars=[], treasury={"japan": 5, "ussr": 4})
    assert sign_refusal(s, "japan", "japanese_soviet") == ("", "")
    run(s, lambda g: sign(g, "japanese_soviet"))
    assert end_refusal(s, "ussr", "japanese_soviet")[1] == "14.3c"
    run(s, lambda g: break_pact(g, "japan", "japanese_soviet"))
    assert s.treasury["japan"] == 0 and s.pacts == frozenset()
    assert sign_refusal(s, "japan", "japanese_soviet") == ("", "")


@pytest.mark.rule("gw36:14.3b")
def test_it_forbids_lend_lease_to_enemies_of_the_other():
    s = state(wars=[("japan", "kmt"), ("germany", "great_britain")], pacts=["japanese_soviet"])
    assert lend_lease_barred(s, "ussr", "kmt")
    assert not lend_lease_barred(s, "ussr", "great_britain")
    assert not lend_lease_barred(s, "usa", "kmt")
    with pytest.raises(IllegalDecision, match="pact"):
        check_receiver(s, "ussr", "kmt")
    s.pacts = frozenset()
    assert not lend_lease_barred(s, "ussr", "kmt")


# --- China ----------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:13.3d", "gw36:13.3a")
def test_a_truce_needs_a_foreign_major_power_at_war_with_china():
    s = state()
    assert pair("ccp", "kmt") in s.wars
    assert sign_refusal(s, "kmt", "chinese_truce")[1] == "13.3d"
    s.wars |= {pair("japan", "kmt")}
    assert sign_refusal(s, "kmt", "chinese_truce") == ("", "")
    s.china = "kmt"
    assert sign_refusal(s, "kmt", "chinese_truce")[0]


@pytest.mark.rule("gw36:13.3a")
def test_in_1939_they_start_in_a_truce():
    s = state(base="setup", options={"scenario": "1939"})
    assert "chinese_truce" in s.pacts and pair("ccp", "kmt") not in s.wars


@pytest.mark.rule("gw36:13.3e", "gw36:13.3g", "gw36:13.3h")
def test_a_truce_makes_them_as_if_aligned_until_one_breaks_it():
    s = state(wars=[("ccp", "kmt"), ("japan", "kmt")])
    run(s, lambda g: sign(g, "chinese_truce"))
    assert pair("ccp", "kmt") not in s.wars and aligned(s, "kmt", "ccp")
    run(s, lambda g: break_pact(g, "ccp", "chinese_truce"))
    assert pair("ccp", "kmt") in s.wars and not aligned(s, "kmt", "ccp")
    assert sign_refusal(s, "ccp", "chinese_truce") == ("", "")


@pytest.mark.rule("gw36:13.3h")
def test_after_a_truce_units_leave_the_zones_of_the_other():
    s = state(wars=[("ccp", "japan"), ("japan", "kmt")], pacts=["chinese_truce"])
    s.put("szechwan", Unit("ccp", "infantry"))
    s.put("szechwan", Unit("kmt", "infantry"))
    run(s, lambda g: break_pact(g, "kmt", "chinese_truce"))
    assert s.stack("szechwan") == {Unit("kmt", "infantry"): 1}
    assert s.stack("shensi") == {Unit("ccp", "infantry"): 1}


def phase_ends(s):
    run(s, lambda g: s.tell(News("phase", "japan", how="end of noncombat_move")))


@pytest.mark.rule("gw36:13.3h", "gw36:appB-42b")
def test_the_truce_ends_when_the_last_foreigner_has_left_continental_china():
    s = state("japan", wars=[("ccp", "japan"), ("japan", "kmt")], pacts=["chinese_truce"])
    s.put("nanking", Unit("kmt", "infantry"))
    s.put("shensi", Unit("ccp", "infantry"))
    phase_ends(s)
    assert "chinese_truce" in s.pacts  # none has come yet
    s.put("peking", Unit("japan", "infantry"))
    phase_ends(s)
    s.take("peking", Unit("japan", "infantry"))
    s.put("hainan", Unit("japan", "infantry"))
    s.put("rehe", Unit("japan", "infantry"))
    phase_ends(s)
    assert "chinese_truce" not in s.pacts  # Hainan and Manchuria are no part of it
    assert {"hainan", "rehe"}.isdisjoint(continental_china(s.facts))
    assert {"shensi", "nanking", "yunnan", "peking"} <= continental_china(s.facts)


@pytest.mark.rule("gw36:14.2h", "gw36:14.2i")
def test_trade_under_the_pact():
    s = state(date="1940-01", wars=[])
    before = bonus(s, "germany"), bonus(s, "ussr"), dice(s, "ussr"), dice(s, "germany")
    s.pacts = frozenset({MOLOTOV})
    after = bonus(s, "germany"), bonus(s, "ussr"), dice(s, "ussr"), dice(s, "germany")
    assert tuple(b - a for a, b in zip(before, after, strict=True)) == (5, 3, 1, 0)
