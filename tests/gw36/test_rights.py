"""Diplomacy: what nations may do at any time (rights)."""

from __future__ import annotations

import random

import pytest

from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.model import News, Unit
from sandtable.games.gw36.rules.capture import possess
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.rights import (
    AgreeToPact,
    AskReturn,
    ClosePassage,
    DeclareWar,
    Diplomacy,
    EndPact,
    MoveCapitalBack,
    OpenPassage,
    Permit,
    ReturnZone,
    Withdraw,
    WithdrawOffer,
    rights,
    use,
)
from sandtable.games.gw36.rules.submarines import Engage
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.kits import Answer
from tests.gw36.procedures import run
from tests.gw36.table import state, table


def do(s, power, decision, **more):
    Diplomacy(power).check(s, decision)
    return run(s, lambda g: use(g, power, decision), **more)


def refused(s, power, decision):
    with pytest.raises(IllegalDecision) as error:
        Diplomacy(power).check(s, decision)
    return error.value.rule


@pytest.mark.rule("gw36:5.5a", "gw36:8.1b")
def test_every_nation_in_play_may_conduct_diplomacy():
    s = state(wars=[])
    powers = {right.power for right in rights(s)}
    assert powers == set(s.facts.powers) - {"free_france"}
    s.surrendered = frozenset({"france", "italy"})
    assert {right.power for right in rights(s)} == set(s.facts.powers) - {"france", "italy"}
    s.news = (News("war", "germany", "poland"),)
    assert rights(s) == ()


@pytest.mark.rule("gw36:5.5a", "gw36:5.5b", "gw36:8.1b")
def test_war_is_declared_in_another_nations_turn_and_takes_effect_at_once():
    t = table(
        "germany",
        wars=[],
        income={"great_britain": 25},
        units={"berlin": {"germany": "infantry"}},
    )
    t.do(DeclareWar("germany"), by="great_britain")
    assert pair("germany", "great_britain") in t.s.wars
    assert t.asked.startswith("germany")
    assert t.refused(DeclareWar("italy"), "5.5a", by="france")


@pytest.mark.rule("gw36:14.1a", "gw36:14.2a")
def test_a_pact_is_signed_when_both_have_agreed():
    s = state("japan", date="1939-07", wars=[])
    assert refused(s, "italy", AgreeToPact("molotov_ribbentrop")) == "14.1a"
    do(s, "germany", AgreeToPact("molotov_ribbentrop"))
    assert s.pacts == frozenset() and s.offers == {("molotov_ribbentrop", "germany")}
    do(s, "germany", WithdrawOffer("molotov_ribbentrop"))
    assert refused(s, "germany", WithdrawOffer("molotov_ribbentrop")) == "14.1a"
    do(s, "ussr", AgreeToPact("molotov_ribbentrop"))
    assert s.pacts == frozenset()
    do(s, "germany", AgreeToPact("molotov_ribbentrop"))
    assert s.pacts == {"molotov_ribbentrop"} and s.offers == frozenset()
    do(s, "ussr", EndPact("molotov_ribbentrop"))
    assert s.pacts == frozenset()
    assert refused(s, "germany", AgreeToPact("molotov_ribbentrop")) == "14.2m"


@pytest.mark.rule("gw36:13.3d", "gw36:13.3h")
def test_the_chinese_factions_agree_on_a_truce_and_break_it():
    s = state("japan", wars=[("ccp", "kmt"), ("japan", "kmt")])
    do(s, "kmt", AgreeToPact("chinese_truce"))
    do(s, "ccp", AgreeToPact("chinese_truce"))
    assert "chinese_truce" in s.pacts
    do(s, "kmt", EndPact("chinese_truce"))
    assert pair("ccp", "kmt") in s.wars


# --- passages -------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:1.15b", "gw36:table-1-1c", "gw36:table-1-2b")
def test_gibraltar_and_suez_are_closed_to_enemies_only():
    s = state(wars=[("germany", "great_britain")], closed=[])
    for passage in ("strait_of_gibraltar", "suez_canal"):
        assert refused(s, "great_britain", ClosePassage(passage, "italy")) == "1.15b"
        do(s, "great_britain", ClosePassage(passage, "germany"))
        assert (passage, "germany") in s.closed
        assert refused(s, "germany", OpenPassage(passage, "germany")) == "1.15b"
        do(s, "great_britain", OpenPassage(passage, "germany"))
        assert (passage, "germany") not in s.closed
    s.possession["eastern_egypt"] = "italy"
    assert refused(s, "great_britain", ClosePassage("suez_canal", "germany")) == "1.15b"


@pytest.mark.rule("gw36:table-1-2a")
def test_panama_is_closed_to_anybody_from_an_income_of_15():
    s = state(wars=[], income={"usa": 14})
    assert refused(s, "usa", ClosePassage("panama_canal", "japan")) == "1.15b"
    s.income["usa"] = 15
    do(s, "usa", ClosePassage("panama_canal", "japan"))
    assert ("panama_canal", "japan") in s.closed


@pytest.mark.rule("gw36:table-1-2c", "gw36:table-1-2e", "gw36:table-1-2f")
def test_canals_whose_owners_are_free():
    s = state(wars=[])
    do(s, "germany", ClosePassage("kaiser_wilhelm_canal", "usa"))
    do(s, "ussr", ClosePassage("baltic_white_sea_canal", "germany"))
    do(s, "usa", ClosePassage("st_lawrence_seaway", "germany"))
    do(s, "great_britain", ClosePassage("st_lawrence_seaway", "japan"))
    assert refused(s, "germany", ClosePassage("baltic_white_sea_canal", "usa")) == "1.15b"
    assert refused(s, "germany", ClosePassage("kaiser_wilhelm_canal", "germany")) == "1.15b"


@pytest.mark.rule("gw36:14.2k", "gw36:14.2l")
def test_the_pact_keeps_canal_and_route_open_to_germany():
    s = state(date="1940-01", wars=[], pacts=["molotov_ribbentrop"])
    s.permits = frozenset({("northern_route", "ussr", "germany")})
    canal = ClosePassage("baltic_white_sea_canal", "germany")
    assert refused(s, "ussr", canal) == "14.2k"
    assert refused(s, "ussr", Withdraw("northern_route", "germany")) == "14.2l"
    s.pacts = frozenset()
    do(s, "ussr", canal)
    do(s, "ussr", Withdraw("northern_route", "germany"))


@pytest.mark.rule("gw36:1.15b", "gw36:table-1-2d")
def test_a_new_owner_closes_a_passage_to_its_own_enemies():
    s = state(
        "germany",
        wars=[("germany", "great_britain"), ("germany", "ussr")],
        closed=[("suez_canal", "germany")],
    )
    run(s, lambda g: possess(g, "eastern_egypt", "germany", "captured"))
    assert ("suez_canal", "germany") not in s.closed
    assert ("suez_canal", "great_britain") in s.closed and ("suez_canal", "ussr") in s.closed
    assert ("suez_canal", "usa") not in s.closed
    run(s, lambda g: possess(g, "istanbul", "germany", "aligned"))
    assert ("turkish_straits", "ussr") in s.closed


# --- permissions ----------------------------------------------------------------------------------


@pytest.mark.rule("gw36:table-4-2c")
def test_aligned_powers_may_refuse_each_other_the_way_through():
    s = state(wars=[("germany", "ussr"), ("italy", "ussr")])
    assert refused(s, "germany", Permit("transit", "italy")) == "table-4-2c"
    do(s, "germany", Withdraw("transit", "italy"))
    assert ("transit", "germany", "italy") in s.refused
    assert refused(s, "germany", Withdraw("transit", "italy")) == "table-4-2c"
    do(s, "germany", Permit("transit", "italy"))
    assert s.refused == frozenset()


@pytest.mark.rule("gw36:1.19b")
def test_the_northern_sea_route_is_soviet():
    s = state(wars=[])
    assert refused(s, "usa", Permit("northern_route", "japan")) == "1.19b"
    do(s, "ussr", Permit("northern_route", "usa"))
    assert ("northern_route", "ussr", "usa") in s.permits
    do(s, "ussr", Withdraw("northern_route", "usa"))
    assert s.permits == frozenset()
    assert refused(s, "ussr", Withdraw("northern_route", "usa")) == "table-4-2c"


@pytest.mark.rule("gw36:nrs-usa-f")
def test_the_usa_may_deny_the_bonus_of_the_arctic_convoys():
    s = state(wars=[])
    assert refused(s, "great_britain", Withdraw("soviet_arctic", "ussr")) == "nrs-usa-f"
    do(s, "usa", Withdraw("soviet_arctic", "ussr"))
    assert ("soviet_arctic", "usa", "ussr") in s.refused
    do(s, "usa", Permit("soviet_arctic", "ussr"))
    assert s.refused == frozenset()


@pytest.mark.rule("gw36:5.6c")
def test_only_allied_powers_share_the_penalty():
    s = state(wars=[])
    assert refused(s, "germany", Permit("share_penalty", "italy")) == "5.6c"
    do(s, "france", Permit("share_penalty", "great_britain"))
    assert ("share_penalty", "france", "great_britain") in s.permits


# --- land zones -----------------------------------------------------------------------------------


def syria():
    s = state("japan", wars=[], possession={"syria": "ussr"}, income={"france": 5})
    s.put("syria", Unit("ussr", "infantry"), 2)
    return s


@pytest.mark.rule("gw36:9.21a", "gw36:9.21b")
def test_a_land_zone_is_asked_for_and_returned():
    s = syria()
    assert refused(s, "great_britain", AskReturn("syria")) == "9.21a"
    do(s, "france", AskReturn("syria"), answers=[Answer(True)])
    assert s.possession["syria"] == "france" and s.stack("syria") == {}
    (place,) = s.presence["ussr"]
    assert s.possession[place] == "ussr"
    assert place == "transcaucasia"  # the nearest, with Turkey between


@pytest.mark.rule("gw36:9.21c", "gw36:9.21d")
def test_who_is_refused_may_declare_war_until_the_zone_is_returned():
    s = syria()
    assert refused(s, "france", DeclareWar("ussr")) == "5.5a"
    do(s, "france", AskReturn("syria"), answers=[Answer(False)])
    assert refused(s, "france", AskReturn("syria")) == "9.21a"  # once a turn
    Diplomacy("france").check(s, DeclareWar("ussr"))
    do(s, "ussr", ReturnZone("syria"))
    assert s.possession["syria"] == "france" and s.refused == frozenset()
    assert refused(s, "france", DeclareWar("ussr")) == "5.5a"
    s = syria()
    do(s, "france", AskReturn("syria"), answers=[Answer(False)])
    do(s, "france", DeclareWar("ussr"))
    assert pair("france", "ussr") in s.wars
    assert refused(s, "france", AskReturn("syria")) == "9.21a"  # war decides now


@pytest.mark.rule("gw36:9.21b")
def test_war_between_question_and_answer_leaves_the_zone_where_it_is():
    s = syria()

    def war_comes(g):
        procedure = use(g, "france", AskReturn("syria"))
        asked = next(procedure)
        s.wars |= {pair("france", "ussr")}
        with pytest.raises(StopIteration):
            procedure.send({request.power: Answer(True) for request in asked.requests})
        return
        yield

    run(s, war_comes)
    assert s.possession["syria"] == "ussr" and not s.refused


@pytest.mark.rule("gw36:9.21a")
def test_nothing_to_ask_for_among_friends_or_of_minor_powers():
    s = state("japan", wars=[], possession={"syria": "great_britain", "estonia": "ussr"})
    assert refused(s, "france", AskReturn("syria")) == "9.21a"
    assert refused(s, "ussr", ReturnZone("estonia")) == "9.21a"
    assert refused(s, "ussr", ReturnZone("moscow")) == "9.21a"


@pytest.mark.rule("gw36:9.23b")
def test_a_capital_moves_back():
    s = state(wars=[], capital={"ussr": "novosibirsk"})
    do(s, "ussr", MoveCapitalBack())
    assert s.capital == {}
    assert refused(s, "ussr", MoveCapitalBack()) == "9.23b"


# --- all of it ------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["1936", "1939"])
def test_what_is_listed_and_sampled_is_legal(scenario):
    s = state(base="setup", options={"scenario": scenario})
    rng = random.Random(1)
    for right in rights(s):
        assert isinstance(right, Diplomacy)
        listed = list(right.decisions(s))
        assert listed
        for decision in listed:
            right.check(s, decision)
        for _ in range(20):
            right.check(s, right.sample(s, rng))


@pytest.mark.rule("gw36:8.9e", "gw36:8.1b")
def test_there_is_no_diplomacy_while_ships_are_between_two_zones():
    t = table(
        "great_britain",
        units={
            "sz_025": {"great_britain": "destroyer"},
            "sz_026": {"germany": "submarine"},
            "sz_027": {"germany": "destroyer"},
        },
        wars=[("germany", "great_britain")],
    )
    assert t.game.may
    t.do(Move({"destroyer": 1}, ("sz_025", "sz_026", "sz_027"), "attack"))
    assert [request.kind for request in t.game.pending] == ["intercept"]
    assert not t.game.may
    t.do(Engage({"submarine": 1}))
    assert t.game.may


@pytest.mark.rule("gw36:8.1b", "gw36:9.1a")
def test_there_is_no_diplomacy_in_the_middle_of_a_combat():
    t = table(
        "kmt",
        units={"szechwan": {"kmt": "3 infantry, cavalry"}, "shensi": {"ccp": "infantry"}},
        wars=[("ccp", "kmt")],
    )
    t.do(Move({"infantry": 3, "cavalry": 1}, ("szechwan", "shensi")), Done())
    assert [request.kind for request in t.game.pending] == ["choose_fire"]
    assert not t.game.may
