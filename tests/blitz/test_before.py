"""Before the first turn: bidding (9.1) and Blitzing the Road to War (9.2)."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sandtable
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.before import Bid
from sandtable.games.blitz.rules.politics import check_declaration, declarations
from sandtable.games.blitz.rules.road_to_war import ChooseOption
from sandtable.games.blitz.rules.steps import DeclareWar
from sandtable.kernel.decisions import Pass
from sandtable.kernel.errors import IllegalDecision
from tests.blitz.table import Play

# --- bidding ------------------------------------------------------------------------------------


def auction(players: int = 4) -> Play:
    return Play("campaign", {"players": players, "bidding": True}, base="setup")


@pytest.mark.rule("blitz:9.1a")
@pytest.mark.rule("blitz:9.1b")
@pytest.mark.rule("blitz:9.1c")
def test_ex_9_1_bids() -> None:
    """Germany goes at -3, USA and AFA at 0, the USSR at +2; so Japan has +1."""
    play = auction()
    assert play.state.players == (("germany",), ("japan",), ("afa", "usa"), ("ussr",))
    # Germany: +2, 0, -3. Nothing is lower, so the auction is over.
    play.do("germany", Bid(2)).do("japan", Bid(0)).do("afa", Bid(-3))
    # USA and AFA: +3, +2, 0.
    play.do("germany", Bid(3)).do("japan", Bid(2)).do("ussr", Bid(0))
    play.do("germany", Pass()).do("japan", Pass())
    # USSR: +3, +2.
    play.do("germany", Bid(3)).do("japan", Bid(2)).do("germany", Pass())
    awarded = {each["powers"]: (each["power"], each["points"]) for each in play.events("awarded")}
    assert awarded == {
        ("germany",): ("afa", -3),
        ("afa", "usa"): ("ussr", 0),
        ("ussr",): ("japan", 2),
        ("japan",): ("germany", 1),
    }
    assert play.state.bids == {"germany": -3, "afa": 0, "ussr": 2, "japan": 1}
    assert sum(play.state.bids.values()) == 0
    assert play.state.phase == "axis_activities"


@pytest.mark.rule("blitz:9.1a")
def test_groups_are_bid_for_in_the_order_germany_usa_afa_ussr() -> None:
    play = auction(5)
    order = []
    while any(request.kind == "auction" for request in play.game.pending):
        request = play.game.pending[0]
        group = request.group  # type: ignore[attr-defined]
        if group not in order:
            order.append(group)
        play.do(request.power, Pass())
    assert order == [("germany",), ("usa",), ("afa",), ("ussr",)]


@pytest.mark.rule("blitz:9.1b")
def test_bids_go_down_from_3_to_minus_3() -> None:
    play = auction()
    assert play.refused("germany", Bid(4)) == "9.1b"
    assert play.refused("germany", Bid(-4)) == "9.1b"
    play.do("germany", Bid(1))
    assert play.refused("japan", Bid(1)) == "9.1b"
    play.do("japan", Bid(-1))
    assert play.refused("afa", Bid(0)) == "9.1b"


@pytest.mark.rule("blitz:9.1b")
def test_the_last_one_left_has_a_group_that_nobody_bids_for() -> None:
    play = auction(2)
    play.do("germany", Pass())
    assert play.state.bids == {"germany": 3, "afa": -3}
    assert play.events("awarded")[0]["power"] == "afa"


@pytest.mark.rule("blitz:9.1c")
def test_the_last_bid_may_lie_outside() -> None:
    play = auction(3)
    play.do("germany", Bid(3)).do("afa", Pass()).do("ussr", Pass())
    play.do("afa", Bid(3)).do("ussr", Pass())
    assert play.state.bids == {"germany": 3, "afa": 3, "ussr": -6}


@pytest.mark.rule("blitz:9.0a")
def test_no_optional_rule_is_used_unless_it_is_chosen() -> None:
    game = sandtable.new("blitz", options={"scenario": "campaign"}, seed=1)
    assert game.state.phase == "axis_activities"
    assert game.state.bids == {}
    assert "road_to_war" not in game.state.flags
    switches = [name for name, value in game.options.items() if value is True]
    assert switches == []


# --- the road to war ------------------------------------------------------------------------------


def road(**given: Any) -> Play:
    return Play("campaign", {"road_to_war": True}, base="setup", **given)


STOCKPILE = ChooseOption("stockpile", "resource")

POWERS = (
    "germany",
    "afa",
    "usa",
    "ussr",
    "japan",
    "afa",
    "germany",
    "ussr",
    "germany",
    "usa",
    "japan",
    "afa",
    "germany",
)


def walked(**chosen: str) -> Play:
    """The road with these options, by step (`s5="…"`), and stockpiles at the other steps."""
    play = road()
    for number, power in enumerate(POWERS, 1):
        option = chosen.get(f"s{number}")
        play.do(power, ChooseOption(option) if option else STOCKPILE)
    return play


def closed(s: State, power: str, on: str) -> str:
    with pytest.raises(IllegalDecision) as refusal:
        check_declaration(s, power, on)
    return refusal.value.rule


@pytest.mark.rule("blitz:9.2a")
def test_thirteen_steps_each_with_own_and_standard_options() -> None:
    play = road()
    for number, power in enumerate(POWERS, 1):
        (request,) = play.game.pending
        assert (request.power, request.kind) == (power, "road_choice")
        assert request.step == number  # type: ignore[attr-defined]
        options = {d.option for d in play.game.legal(request) if isinstance(d, ChooseOption)}
        assert options >= {"stockpile", "rearmament", "mobilization", "propaganda"}
        assert play.refused(power, ChooseOption("do_not_invade_china" if number != 5 else "x"))
        play.do(power, STOCKPILE)
    assert play.state.phase == "axis_activities"
    assert play.state.resources == {"germany": 4, "japan": 2, "afa": 3, "usa": 2, "ussr": 2}


@pytest.mark.rule("blitz:9.2a")
def test_the_standard_options() -> None:
    play = road()
    play.do("germany", ChooseOption("trade_agreement", "sweden"))
    assert play.state.trades == ("sweden",)
    assert play.refused("afa", ChooseOption("trade_agreement", "sweden_to_afa")) == "9.2a"
    assert play.refused("afa", ChooseOption("alliance", "sweden")) == "9.2a"
    play.do("afa", ChooseOption("rearmament", "afa_bomber_command"))
    assert "afa_bomber_command" in play.state.pool["afa"]
    play.do("usa", ChooseOption("mobilization", "usa_1st_us_army"))
    assert play.state.units["usa_1st_us_army"].size == 2
    play.do("ussr", ChooseOption("mobilization", "sov_moscow_militia", "moscow"))
    assert play.state.units["sov_moscow_militia"].at == "moscow"
    play.do("japan", ChooseOption("stockpile", "oil"))
    assert play.state.oil["japan"] == 1
    play.do("afa", ChooseOption("propaganda", "usa", "up"))
    assert play.state.entry["usa"] == 1
    assert play.refused("germany", ChooseOption("propaganda", "ussr", "down")) == "9.2a"
    play.do("germany", ChooseOption("alliance", "sweden"))
    s = play.state
    assert s.allied["sweden"] == s.control["sweden"] == "germany"
    assert s.units["min_swedish_army"].power == "germany"
    play.do("ussr", STOCKPILE).do("germany", STOCKPILE).do("usa", STOCKPILE)
    assert play.refused("japan", ChooseOption("stockpile", "oil")) == "9.2a", "once"


@pytest.mark.rule("blitz:9.2b")
def test_poland_begins_neutral() -> None:
    s = road().state
    assert s.control["poland"] == s.allied["poland"] == ""
    assert "afa_polish_army" not in s.units
    guaranteed = walked(s2="guarantee_poland").state
    assert guaranteed.control["poland"] == "afa"
    assert guaranteed.units["afa_polish_army"].size == 2


@pytest.mark.rule("blitz:9.2b")
def test_poland_joins_the_afa_when_germany_attacks_it() -> None:
    play = Play("campaign", {"road_to_war": True}, base="setup", phase="axis_activities", step="E")
    assert play.state.allied["poland"] == ""
    play.do("germany", DeclareWar("poland"))
    assert play.state.control["poland"] == "afa"
    assert play.state.units["afa_polish_army"].at == "poland"


@pytest.mark.rule("blitz:9.2c")
def test_germany_and_the_afa_are_at_war_when_it_is_over() -> None:
    s = walked().state
    assert ("germany", "afa") in s.wars
    assert ("germany", "usa") not in s.wars


@pytest.mark.rule("blitz:9.2d")
def test_china_is_at_war_unless_japan_leaves_it_alone() -> None:
    assert ("china", "japan") in walked().state.minor_wars
    play = walked(s5="do_not_invade_china")
    s = play.state
    assert s.minor_wars == frozenset()
    assert all(s.control[area] == "" for area in s.facts.countries["china"].areas)
    assert s.units["jap_southern_army"].at == "port_arthur"
    assert "usa_warlords" not in s.units
    assert not any(s.facts.trade[id].country == "china" for id in s.facts.trade), "no trade"
    assert "china" in declarations(s, "japan")


@pytest.mark.rule("blitz:9.2d")
@pytest.mark.rule("blitz:9.2e")
@pytest.mark.parametrize(("power", "ally"), [("japan", "usa"), ("afa", "japan")])
def test_a_neutral_china_joins_those_who_do_not_attack_it(power: str, ally: str) -> None:
    from sandtable.games.blitz.rules.alignment import taker

    s = walked(s5="do_not_invade_china").state
    assert taker(s, power, "china") == ally


@pytest.mark.rule("blitz:9.2d")
def test_chinas_units_set_up_when_it_joins_the_usa() -> None:
    play = walked(s5="do_not_invade_china")
    for _ in range(30):
        if play.state.step in tuple("ABCDEF") and play.game.pending[0].power == "japan":
            break
        request = play.game.pending[0]
        play.do(request.power, next(iter(play.game.legal(request))))
    play.do("japan", DeclareWar("china"))
    s = play.state
    assert s.allied["china"] == s.control["peking"] == "usa"
    assert s.units["usa_1st_war_area"].at == "lan_chow"
    assert "usa_communist_army" in s.pool["usa"]
    assert play.game.rules.audit(s) == []


@pytest.mark.rule("blitz:9.2f")
def test_an_ally_by_these_steps_goes_with_its_power() -> None:
    s = walked(s2="guarantee_poland").state
    assert closed(s, "germany", "poland") == "3.2c"


@pytest.mark.rule("blitz:9.2g")
def test_germany_is_held_back_only_by_the_secret_german_pact() -> None:
    check_declaration(walked().state, "germany", "ussr")
    assert closed(walked(s8="secret_german_pact").state, "germany", "ussr") == "3.2d"


@pytest.mark.rule("blitz:9.2h")
def test_the_ussr_is_held_back_only_by_the_secret_soviet_pact() -> None:
    free = walked().state
    check_declaration(free, "ussr", "germany")
    check_declaration(free, "ussr", "sweden")
    play = road()
    play.do("germany", ChooseOption("trade_agreement", "norway_to_germany"))
    for number, power in enumerate(POWERS[1:], 2):
        play.do(power, ChooseOption("secret_soviet_pact") if number == 9 else STOCKPILE)
    s = play.state
    assert closed(s, "ussr", "germany") == "3.2f"
    assert closed(s, "ussr", "norway") == "3.2f", "it trades with Germany"
    check_declaration(s, "ussr", "sweden")
    assert "ussr_oil" in s.trades


@pytest.mark.rule("blitz:9.2i")
def test_soviet_production_stays_limited_after_its_own_declaration() -> None:
    play = Play(
        "campaign", {"road_to_war": True}, base="setup", phase="allied_activities", step="E"
    )
    while play.game.pending[0].power != "ussr":
        request = play.game.pending[0]
        play.do(request.power, next(iter(play.game.legal(request))))
    play.do("ussr", DeclareWar("germany"))
    assert ("ussr", "germany") in play.state.wars
    assert "ussr" in play.state.entry


@pytest.mark.rule("blitz:9.2j")
def test_the_limit_ends_when_germany_declares_war_or_turn_8_begins() -> None:
    play = Play("campaign", {"road_to_war": True}, base="setup", phase="axis_activities", step="E")
    play.do("germany", DeclareWar("ussr"))
    assert "ussr" not in play.state.entry
    later = Play("campaign", {"road_to_war": True}, turn=8, phase="axis_activities", step="begin")
    assert "ussr" not in later.state.entry
    assert ("ussr", "germany") not in later.state.wars, "only production was limited"


@pytest.mark.rule("blitz:9.2k")
def test_latin_america_is_closed_only_by_the_monroe_doctrine() -> None:
    check_declaration(walked().state, "afa", "chile")
    assert closed(walked(s3="monroe_doctrine").state, "afa", "chile") == "3.2h"


@pytest.mark.rule("blitz:9.2l")
def test_liberate_foes_is_chosen_at_step_13() -> None:
    assert "liberate_foes" in walked(s13="liberate_foes").state.flags
    assert "liberate_foes" not in walked().state.flags


@pytest.mark.rule("blitz:9.2m")
def test_austria_czechoslovakia_is_neutral_unless_annexed() -> None:
    s = walked().state
    assert s.control["austria_czechoslovakia"] == ""
    assert s.units["ger_army_group_north"].at == "western_germany"
    s = walked(s7="annex_austria_czechoslovakia").state
    assert s.control["austria_czechoslovakia"] == "germany"
    assert s.units["ger_army_group_north"].at == "austria_czechoslovakia"
    assert "austria_annexed" in s.flags


@pytest.mark.rule("blitz:9.2n")
@pytest.mark.rule("blitz:9.2o")
@pytest.mark.rule("blitz:9.2p")
def test_automatic_alliances_that_depend_on_options() -> None:
    from sandtable.games.blitz.rules.alignment import _in_force

    plain = walked().state
    for country in ("brazil", "mexico", "central_europe", "finland"):
        assert not _in_force(plain, country)
    for country in ("balkans", "iberia", "near_east", "south_east_asia", "turkey"):
        assert _in_force(plain, country)
    chosen = walked(s3="monroe_doctrine", s13="anti_comintern_pact_expanded").state
    for country in ("brazil", "mexico", "central_europe", "finland"):
        assert _in_force(chosen, country)


@pytest.mark.rule("blitz:9.2q")
def test_only_agreements_that_were_chosen_are_in_force() -> None:
    assert walked().state.trades == ()
    play = road()
    play.do("germany", ChooseOption("trade_agreement", "near_east_to_germany"))
    trade = play.state.facts.trade["near_east_to_germany"]
    assert (trade.gives, trade.to, trade.country) == ("oil", "germany", "near_east")
    assert play.state.trades == ("near_east_to_germany",), "one Oil, not both"


@pytest.mark.rule("blitz:9.2r")
def test_corregidor_belongs_to_manila() -> None:
    from sandtable.games.blitz.rules.spend import check_place

    s = walked(s3="fortify_the_philippines").state
    assert s.units["usa_corregidor"].at == "manila"
    s = walked().state
    with pytest.raises(IllegalDecision) as refusal:
        check_place(s, "usa", "usa_corregidor", "hawaii", "")
    assert refusal.value.rule == "9.2r"
    check_place(s, "usa", "usa_corregidor", "manila", "")


def test_the_other_options_of_the_steps() -> None:
    s = walked(
        s1="rearm_the_rhineland",
        s4="purge_avoided",
        s6="naval_estimates",
        s8="baltic_bases",
        s10="oil_to_japan",
        s11="hainan_bases",
        s12="imperial_conference",
        s13="pact_of_steel",
    ).state
    assert s.units["ger_westwall"].size == 2
    assert "sov_byelorussian_front" in s.pool["ussr"]
    assert s.units["afa_home_fleet"].size == 3
    assert not any("afa_home_fleet.big" in group for group in s.groups["afa"])
    assert s.units["sov_kronstadt"].at == "leningrad"
    assert s.trades == ("usa_oil",)
    assert s.entry["usa"] == 1
    assert s.units["jap_25th_army"].at == "formosa"
    assert s.units["afa_anzac"].at == "canberra"
    assert s.units["afa_indian_army"].size == 2
    assert s.units["ger_ariete"].at == "milan"
    s = walked(s4="industrialize", s5="strike_south_planning", s6="extend_the_maginot_line").state
    assert s.resources["ussr"] == 3
    assert "jap_2nd_strike_fleet" in s.pool["japan"]
    assert "maginot_extended" in s.flags
    s = walked(s1="aid_the_nationalists", s8="aid_china", s10="cash_and_carry").state
    assert s.trades == ("iberia_to_germany",)
    assert s.units["usa_flying_tigers"].at == "chungking"
    assert s.units["usa_western_approaches_ll"].at == "atlantic_seaboard"


@pytest.mark.parametrize("seed", range(12))
def test_random_roads_lead_to_sound_positions(seed: int) -> None:
    options = {"scenario": "campaign", "road_to_war": True, "bidding": True}
    game = sandtable.new("blitz", options=options, seed=seed)
    rng = random.Random(seed)
    while not game.state.phase:
        request = game.pending[0]
        listed = list(game.legal(request))
        assert all(decision in game.legal(request) for decision in listed)
        game.submit(request.power, game.legal(request).sample(rng))
        assert game.rules.audit(game.state) == []
        assert game.clone().hash == game.hash
