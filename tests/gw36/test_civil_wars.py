"""Spain, Abyssinia and China (chapter 13)."""

from __future__ import annotations

import pytest

from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.model import Facility, News, Unit
from sandtable.games.gw36.rules.capture import possess
from sandtable.games.gw36.rules.chart import build_table
from sandtable.games.gw36.rules.civil_wars import (
    ArrangeSpain,
    Redeploy,
    aid_refusal,
    may_use_spanish_ports,
    note_aid,
    volunteers,
)
from sandtable.games.gw36.rules.facilities import movement_bonus
from sandtable.games.gw36.rules.lend_lease import check_receiver
from sandtable.games.gw36.rules.objectives import OBJECTIVES, scored
from sandtable.games.gw36.rules.relations import attack_allowed, go_to_war
from sandtable.games.gw36.rules.terms import at_war, is_major
from sandtable.kernel.errors import IllegalDecision
from tests.gw36.procedures import run
from tests.gw36.table import Done, state

NATIONALISTS, REPUBLICANS = "spain_nationalist", "spain_republican"


@pytest.mark.rule("gw36:13.1a", "gw36:13.2a", "gw36:13.3a")
def test_how_1936_begins():
    s = state(base="setup")
    assert (s.spain, s.abyssinia, s.china) == ("war", "war", "war")
    assert s.wars == {
        pair(NATIONALISTS, REPUBLICANS),
        pair("abyssinia", "italy"),
        pair("ccp", "kmt"),
    }
    assert s.control == {NATIONALISTS: "germany", REPUBLICANS: "ussr", "abyssinia": "france"}


def win(side=NATIONALISTS, answers=(), **fields):
    s = state("germany" if side == NATIONALISTS else "ussr", **fields)
    for zone in s.facts.politics.spain.continental:
        s.possession[zone] = side
    s.possession["madrid"] = REPUBLICANS if side == NATIONALISTS else NATIONALISTS
    s.put("canary_islands", Unit(REPUBLICANS, "militia"))
    s.put("sz_049", Unit(REPUBLICANS, "destroyer"))
    s.put("sz_064", Unit(NATIONALISTS, "destroyer"))
    s.put("western_andalucia", Unit(side, "infantry"), 2)
    s.facilities["catalonia"] = (Facility("minor_port", "sz_049", damage=2),)
    s.facilities["rio_de_oro"] = (Facility("air_base", damage=1),)
    run(s, lambda g: possess(g, "madrid", side, "captured"), answers=[*answers, Done()])
    return s


@pytest.mark.rule("gw36:13.1j", "gw36:13.1s")
def test_the_nationalists_win_with_all_six_zones_and_the_losers_are_gone():
    s = win()
    assert s.spain == "nationalist"
    assert not s.presence.get(REPUBLICANS)
    assert s.possession["canary_islands"] == s.possession["rio_de_oro"] == NATIONALISTS
    assert pair(NATIONALISTS, REPUBLICANS) not in s.wars
    assert NATIONALISTS not in s.control and REPUBLICANS not in s.control


@pytest.mark.rule("gw36:13.1j")
def test_the_end_in_spain_does_not_end_a_war_of_the_patrons():
    both = {NATIONALISTS: "germany", REPUBLICANS: "ussr"}
    s = state("ussr", wars=[("germany", "ussr")], aligned=both)
    for zone in s.facts.politics.spain.continental:
        s.possession[zone] = "ussr"
    s.possession["madrid"] = "germany"
    run(s, lambda g: possess(g, "madrid", "ussr", "captured"))
    assert s.spain == "republican"
    assert pair("germany", "ussr") in s.wars


@pytest.mark.rule("gw36:13.1j")
def test_five_zones_are_not_enough():
    s = state()
    for zone in s.facts.politics.spain.continental[2:]:
        s.possession[zone] = NATIONALISTS
    s.possession[s.facts.politics.spain.continental[0]] = REPUBLICANS
    run(s, lambda g: possess(g, "galicia_and_leon", REPUBLICANS, "captured"))
    assert s.spain == "war"


@pytest.mark.rule("gw36:13.1t")
def test_all_is_repaired_and_the_winners_forces_are_redistributed():
    s = win(
        answers=[
            Redeploy("infantry", 1, "western_andalucia", "canary_islands"),
            Redeploy("destroyer", 1, "sz_064", "sz_049"),
        ]
    )
    assert s.facilities["catalonia"] == (Facility("minor_port", "sz_049"),)
    assert s.facilities["rio_de_oro"] == (Facility("air_base"),)
    assert s.stack("canary_islands") == {Unit(NATIONALISTS, "infantry"): 1}
    assert s.stack("sz_049") == {Unit(NATIONALISTS, "destroyer"): 1}


@pytest.mark.rule("gw36:13.1t")
def test_ships_end_at_a_spanish_port():
    s = state()
    for zone in s.facts.politics.spain.continental:
        s.possession[zone] = NATIONALISTS
    s.possession["madrid"] = REPUBLICANS
    s.put("sz_001", Unit(NATIONALISTS, "destroyer"))
    run(s, lambda g: possess(g, "madrid", NATIONALISTS, "captured"), answers=[Done()])
    (place,) = s.presence[NATIONALISTS]
    ports = {f.at for zone in s.facts.politics.spain.continental for f in s.facilities[zone]}
    assert place in ports


@pytest.mark.rule("gw36:13.1t")
def test_aircraft_over_the_sea_land_when_the_war_is_won():
    s = state()
    for zone in s.facts.politics.spain.continental:
        s.possession[zone] = NATIONALISTS
    s.possession["madrid"] = REPUBLICANS
    s.put("sz_039", Unit(NATIONALISTS, "medium_bomber", used=2, duty="attack"))
    run(s, lambda g: possess(g, "madrid", NATIONALISTS, "captured"), answers=[Done()])
    (place,) = s.presence[NATIONALISTS]
    assert place in s.facts.politics.spain.continental


@pytest.mark.rule("gw36:13.1t")
def test_spanish_units_go_to_spanish_zones_only():
    s = state(units={"western_andalucia": {NATIONALISTS: "2 infantry"}})
    s.put("western_andalucia", Unit("italy", "infantry"))
    s.put("western_andalucia", Unit(NATIONALISTS, "militia"))
    asked = ArrangeSpain("germany", NATIONALISTS)
    asked.check(s, Redeploy("infantry", 2, "western_andalucia", "galicia_and_leon"))
    for wrong in (
        Redeploy("infantry", 3, "western_andalucia", "galicia_and_leon"),
        Redeploy("infantry", 1, "western_andalucia", "portugal"),
        Redeploy("infantry", 1, "western_andalucia", "madrid"),  # still the Republicans'
        Redeploy("infantry", 1, "galicia_and_leon", "western_andalucia"),
    ):
        with pytest.raises(IllegalDecision):
            asked.check(s, wrong)


@pytest.mark.rule("gw36:13.1l")
def test_the_blue_division_comes_until_spain_aligns():
    s = state()
    assert volunteers(s, "germany") == ""
    s.spain = "nationalist"
    assert volunteers(s, "germany") == "berlin"
    assert volunteers(s, "ussr") == volunteers(s, "italy") == ""
    s.aligned[NATIONALISTS] = "germany"
    assert volunteers(s, "germany") == ""
    s = state(spain="nationalist", possession={"berlin": "ussr"})
    assert volunteers(s, "germany") == ""


@pytest.mark.rule("gw36:13.1p")
def test_the_international_brigade_comes_to_the_end():
    s = state(spain="republican")
    assert volunteers(s, "ussr") == "moscow" and volunteers(s, "germany") == ""
    s.aligned[REPUBLICANS] = "ussr"
    assert volunteers(s, "ussr") == "moscow"


@pytest.mark.rule("gw36:13.1m", "gw36:13.1q")
@pytest.mark.parametrize(
    ("side", "faction", "patron", "other"),
    [
        ("nationalist", NATIONALISTS, "germany", "ussr"),
        ("republican", REPUBLICANS, "ussr", "germany"),
    ],
)
def test_the_patron_of_the_winners_uses_spanish_ports(side, faction, patron, other):
    s = state(spain=side, possession={"catalonia": faction})
    assert may_use_spanish_ports(s, patron, "catalonia")
    assert not may_use_spanish_ports(s, other, "catalonia")
    assert not may_use_spanish_ports(s, patron, "portugal")
    destroyer = s.facts.units["destroyer"]
    s.facilities["catalonia"] = (Facility("major_port", "sz_049"),)
    assert movement_bonus(s, patron, destroyer, "sz_049") == 1
    assert movement_bonus(s, other, destroyer, "sz_049") == 0
    s.spain = "war"
    assert not may_use_spanish_ports(s, patron, "catalonia")
    assert movement_bonus(s, patron, destroyer, "sz_049") == 0


@pytest.mark.rule("gw36:13.1c", "gw36:13.1d")
def test_one_unit_or_repairs_a_turn_for_ones_own_side():
    s = state()
    for sender, ours, theirs, rule in (
        ("germany", NATIONALISTS, REPUBLICANS, "13.1c"),
        ("italy", NATIONALISTS, REPUBLICANS, "13.1c"),
        ("ussr", REPUBLICANS, NATIONALISTS, "13.1d"),
    ):
        assert aid_refusal(s, sender, ours, "unit") == aid_refusal(s, sender, ours, "repair")
        assert aid_refusal(s, sender, ours, "unit") == ("", "")
        assert aid_refusal(s, sender, theirs, "unit")[1] == rule
        assert aid_refusal(s, sender, ours, "upgrade")[1] == rule
        note_aid(s, sender)
        assert aid_refusal(s, sender, ours, "repair")[1] == rule
    assert aid_refusal(s, "japan", NATIONALISTS, "unit")[0]
    assert aid_refusal(s, "ccp", REPUBLICANS, "unit")[0]


@pytest.mark.rule("gw36:13.1e")
def test_one_allied_power_a_turn_upgrades_one_militia_of_either_side():
    s = state()
    for faction in (NATIONALISTS, REPUBLICANS):
        assert aid_refusal(s, "france", faction, "upgrade") == ("", "")
    assert aid_refusal(s, "france", REPUBLICANS, "unit")[1] == "13.1e"
    note_aid(s, "france")
    assert aid_refusal(s, "great_britain", NATIONALISTS, "upgrade")[1] == "13.1e"
    s.done.clear()  # another national turn of the same calendar turn
    assert aid_refusal(s, "great_britain", NATIONALISTS, "upgrade")[1] == "13.1e"
    s.date += 1
    assert aid_refusal(s, "great_britain", NATIONALISTS, "upgrade") == ("", "")


# --- Abyssinia ------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:13.2e", "gw36:13.2b")
def test_italy_wins_with_abyssinia():
    s = state("italy")
    assert attack_allowed(s, "italy", "abyssinia", "abyssinia").how == "war"
    assert attack_allowed(s, "abyssinia", "italy", "eritrea").how == "war"
    assert attack_allowed(s, "abyssinia", "great_britain", "kenya").how == ""
    run(s, lambda g: possess(g, "abyssinia", "italy", "captured"))
    assert s.abyssinia == "italy"


@pytest.mark.rule("gw36:13.2f")
def test_abyssinia_wins_with_eritrea_and_aligns_once_france_fights_a_major_power():
    s = state("france", units={"abyssinia": {"abyssinia": "infantry"}})
    run(s, lambda g: possess(g, "eritrea", "abyssinia", "captured"))
    assert s.abyssinia == "abyssinia" and "abyssinia" not in s.aligned
    s.phase = "production"
    run(s, lambda g: go_to_war(g, "france", "ccp", declared=False))
    assert "abyssinia" not in s.aligned  # no Major Power
    run(s, lambda g: go_to_war(g, "germany", "france", declared=True))
    assert s.aligned["abyssinia"] == "france"
    assert s.possession["eritrea"] == "france"


@pytest.mark.rule("gw36:13.2f", "gw36:13.2g")
def test_without_victory_only_war_of_france_and_italy_aligns_it():
    s = state("germany", "production", units={"abyssinia": {"abyssinia": "infantry"}})
    run(s, lambda g: go_to_war(g, "germany", "france", declared=True))
    assert "abyssinia" not in s.aligned
    run(s, lambda g: go_to_war(g, "italy", "france", declared=True))
    assert s.aligned["abyssinia"] == "france"


# --- China ----------------------------------------------------------------------------------------


def phase_ends(s):
    run(s, lambda g: s.tell(News("phase", "usa", how="end of combat")))


@pytest.mark.rule("gw36:13.3b", "gw36:13.3c")
def test_the_civil_war_is_won_when_the_other_side_has_no_unit_in_continental_china():
    s = state("usa", "noncombat_move")
    s.put("nanking", Unit("kmt", "infantry"))
    s.put("shensi", Unit("ccp", "infantry"))
    phase_ends(s)
    assert s.china == "war"
    s.take("shensi", Unit("ccp", "infantry"))
    s.put("central_mongolia", Unit("ccp", "infantry"))
    s.put("formosa", Unit("ccp", "infantry"))
    phase_ends(s)
    assert s.china == "kmt"
    assert s.stack("central_mongolia") == {}
    assert s.stack("formosa") == {Unit("ccp", "infantry"): 1}  # part of the Home Country


@pytest.mark.rule("gw36:13.3b")
def test_nobody_wins_it_in_a_truce():
    s = state("usa", "noncombat_move", wars=[("japan", "kmt")], pacts=["chinese_truce"])
    s.put("nanking", Unit("kmt", "infantry"))
    phase_ends(s)
    assert s.china == "war"


@pytest.mark.rule("gw36:13.3.1a", "gw36:13.3.2a", "gw36:13.3.2c", "gw36:appB-42a")
def test_where_a_faction_may_attack_until_it_evolves():
    s = state(wars=[("great_britain", "kmt"), ("ccp", "great_britain")])
    for nation in ("kmt", "ccp"):
        for zone in ("hong_kong", "formosa", "rehe"):
            assert attack_allowed(s, nation, "great_britain", zone).how == "war"
        assert attack_allowed(s, nation, "great_britain", "burma").how == ""
        s.evolved |= {nation}
        assert attack_allowed(s, nation, "great_britain", "burma").how == "war"


@pytest.mark.rule("gw36:13.3.1d", "gw36:13.3.2d", "gw36:13.3.1c", "gw36:13.3.2c")
@pytest.mark.parametrize(("nation", "patron"), [("ccp", "ussr"), ("kmt", "usa")])
def test_an_evolved_faction_with_a_factory_builds_what_its_patron_builds(nation, patron):
    s = state(wars=[])
    s.facilities = {zone: () for zone in s.facilities}
    units, facilities = build_table(s, nation)
    assert "fighter" not in units and not facilities
    s.evolved |= {nation}
    units, facilities = build_table(s, nation)
    assert "fighter" not in units and "minor_factory" in facilities
    s.facilities["nanking" if nation == "kmt" else "shensi"] = (Facility("minor_factory"),)
    units, _ = build_table(s, nation)
    assert set(build_table(s, patron)[0]) <= set(units)


@pytest.mark.rule("gw36:13.3.1b", "gw36:13.3.2b", "gw36:13.3.1f")
@pytest.mark.parametrize("nation", ["kmt", "ccp"])
def test_a_faction_evolves_with_zones_worth_13(nation):
    s = state("usa", wars=[("japan", nation)], options={"chinese_evolution": True})
    worth = 0
    for zone, holder in s.possession.items():
        if holder == nation:
            worth += s.facts.zones[zone].ipp
    for zone in ("korea", "formosa", "tokyo", "kyushu", "northern_manchuria", "rehe", "honshu"):
        if worth >= 13:
            break
        assert nation not in s.evolved
        run(s, lambda g, zone=zone: possess(g, zone, nation, "captured"))
        worth += s.facts.zones[zone].ipp
    assert s.evolved == {nation} and is_major(s, nation)
    run(s, lambda g: possess(g, "korea", "japan", "captured"))
    assert s.evolved == {nation}  # there is no way back


@pytest.mark.rule("gw36:13.3.1b")
def test_no_evolution_without_the_optional_rule():
    s = state("usa", wars=[("japan", "kmt")])
    for zone in ("korea", "formosa", "tokyo", "kyushu"):
        run(s, lambda g, zone=zone: possess(g, zone, "kmt", "captured"))
    assert s.evolved == frozenset() and at_war(s, "kmt", "japan")


# --- what they are worth --------------------------------------------------------------------------


@pytest.mark.rule("gw36:13.1k", "gw36:13.1o")
def test_victory_in_spain_is_an_objective():
    s = state(spain="nationalist")
    assert scored(s, "germany")["Spanish Civil War"] == 1
    assert scored(s, "italy")["Triumph of Fascism"] == 1
    assert "Spanish Civil War" not in scored(s, "ussr")
    s = state(spain="republican")
    assert scored(s, "germany")["Spanish Civil War"] == 0
    assert scored(s, "ussr")["Spanish Civil War"] == 1


@pytest.mark.rule("gw36:13.1o")
def test_all_soviet_objectives_together_are_worth_15_at_most(monkeypatch):
    all_of_them = {
        name: (most, lambda s, n=most: n) for name, (most, _) in OBJECTIVES["ussr"].items()
    }
    monkeypatch.setitem(OBJECTIVES, "ussr", all_of_them)
    assert sum(scored(state(spain="republican"), "ussr").values()) == 15


@pytest.mark.rule("gw36:13.2c")
def test_lend_lease_to_abyssinia_is_open_to_those_whose_sheets_allow_it():
    s = state(income={"usa": 20})
    for sender in ("great_britain", "france", "usa"):
        check_receiver(s, sender, "abyssinia")
    for sender in ("italy", "ccp"):  # an Enemy; no lend-lease on the sheet
        with pytest.raises(IllegalDecision):
            check_receiver(s, sender, "abyssinia")
