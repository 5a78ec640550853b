"""Oil and Resources (7.5-7.7), and the scenarios' own incomes."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.facts import load_facts
from sandtable.games.blitz.model import Account, State
from sandtable.games.blitz.rules.income import (
    Goods,
    Keep,
    accounts,
    before_lend_lease,
    chinese_goods,
    extras,
    income_of,
    isolated,
    limit,
    own_goods,
    traded,
)
from sandtable.games.blitz.rules.trade import end_by_war
from tests.blitz.table import Play, position

JAPANESE = ("harbin", "peking", "south_east_asia", "borneo")
"""Where Japan has 1 Oil and 3 Resources abroad."""


def income(scenario: str = "campaign", turn: int = 3, **given: Any) -> Play:
    return Play(scenario, phase="turn_end", step="income", turn=turn, **given)


def told(play: Play, power: str) -> tuple[int, int]:
    (event,) = [event for event in play.events("income") if event["power"] == power]
    return event["oil"], event["resources"]


def worth(country: str) -> Goods:
    facts = load_facts()
    lands = [facts.lands[area] for area in facts.countries[country].areas]
    return Goods(sum(land.oil for land in lands), sum(land.resource for land in lands))


# --- the map -------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:errata.afa-poland-resource")
def test_the_afa_starts_with_polands_resource() -> None:
    assert worth("poland") == Goods(0, 1)
    with_poland = own_goods(position(), "afa")
    without = own_goods(position(control={"poland": "germany"}), "afa")
    assert with_poland.resources == without.resources + 1


@pytest.mark.rule("blitz:errata.ger-france-resources")
def test_france_is_worth_2_resources() -> None:
    assert worth("france") == Goods(0, 2)


@pytest.mark.rule("blitz:errata.ussr-near-east-oil")
def test_the_near_east_is_worth_2_oil() -> None:
    assert worth("near_east") == Goods(2, 0)


# --- the six steps -------------------------------------------------------------------------------


@pytest.mark.rule("blitz:7.6c")
def test_ex_7_6_japan1() -> None:
    s = position(
        control=dict.fromkeys(JAPANESE, "japan"),
        convoy_damage={"south_china_sea": 1, "east_china_sea": 2},
    )
    home = worth("japan")
    assert home == Goods(0, 1)
    assert own_goods(s, "japan") == Goods(1, 0).plus(home)


@pytest.mark.rule("blitz:7.6d")
@pytest.mark.rule("blitz:7.6g")
def test_ex_7_6_japan2() -> None:
    play = income(
        control=dict.fromkeys(JAPANESE, "japan"),
        convoy_damage={"south_china_sea": 1, "east_china_sea": 2},
        trades=[],
    )
    assert told(play, "japan") == (1, 1)
    assert (play.state.books["japan"].oil, play.state.books["japan"].resources) == (1, 1)


@pytest.mark.rule("blitz:7.6a")
def test_goods_abroad_need_a_supply_line() -> None:
    control = {"algeria": "germany"}
    reached = own_goods(position(control=control), "germany")
    subs = {"afa_british_submarines": "mediterranean_sea"}
    cut_off = own_goods(position(control=control, units=subs), "germany")
    assert reached == cut_off.plus(Goods(0, 1))


@pytest.mark.rule("blitz:7.6a")
@pytest.mark.rule("blitz:7.6d")
def test_the_dominions_goods_come_over_the_sea_and_home_goods_do_not() -> None:
    s = position()
    # Everything outside Great Britain and France is lost to convoys, and nothing else.
    s.convoy_damage = {"north_atlantic": 99}
    assert own_goods(s, "afa") == worth("great_britain").plus(worth("france"))


@pytest.mark.rule("blitz:7.6c")
def test_damage_of_destroyed_convoys_and_of_others_does_not_count() -> None:
    s = position(convoy_damage={"north_atlantic": 2})
    whole = own_goods(position(), "afa")
    assert own_goods(s, "afa") == whole.less(2)
    assert own_goods(s, "usa") == own_goods(position(), "usa")
    s.conquered["canada"] = "axis"
    s.forget()
    assert own_goods(s, "afa").resources >= whole.resources - 1


@pytest.mark.rule("blitz:7.6b")
@pytest.mark.rule("blitz:7.1f")
def test_a_partisan_takes_one_of_the_areas_goods_this_turn() -> None:
    s = position(control={"paris": "germany"})
    whole = own_goods(s, "germany")
    s.partisans = ("paris",)
    assert own_goods(s, "germany") == whole.less(1)
    # One in an area without goods costs nothing.
    s.partisans = ("scotland",)
    assert own_goods(s, "afa") == own_goods(position(control={"paris": "germany"}), "afa")


@pytest.mark.rule("blitz:7.1f")
@pytest.mark.rule("blitz:7.6b")
@pytest.mark.rule("blitz:7.6c")
@pytest.mark.rule("blitz:7.6f")
@pytest.mark.rule("blitz:F.4a")
def test_partisans_and_damage_are_removed_afterwards() -> None:
    play = Play(
        phase="turn_end",
        step="partisans",
        turn=3,
        control={"paris": "germany"},
        convoy_damage={"north_atlantic": 1},
        factory_damage={"london": 1},
        groups={power: [] for power in ("germany", "japan", "afa", "usa", "ussr")},
    )
    before = own_goods(play.state, "germany")
    play.dice(6)
    assert play.events("partisan_placed") == [{"space": "paris", "power": "afa"}]
    while play.state.step != "spend":
        play.do(play.game.pending[0].power, next(iter(play.game.legal(play.game.pending[0]))))
    assert told(play, "germany")[1] == before.resources - 1 + 1  # Sweden's Resource comes to it
    state = play.state
    assert (state.partisans, state.convoy_damage, state.factory_damage) == ((), {}, {})


@pytest.mark.rule("blitz:7.6f")
def test_factory_damage_takes_resources_first_then_oil_and_never_goes_below_zero() -> None:
    s = position()
    before = before_lend_lease(s, "germany")
    s.factory_damage = {"berlin": 1}
    assert income_of(s, "germany") == before._replace(resources=before.resources - 1)
    s.factory_damage = {"berlin": before.resources + 1}
    assert income_of(s, "germany") == Goods(before.oil - 1, 0)
    s.factory_damage = {"berlin": 99}
    assert income_of(s, "germany") == Goods(0, 0)
    assert income_of(s, "afa") == before_lend_lease(s, "afa")


@pytest.mark.rule("blitz:7.6g")
@pytest.mark.rule("blitz:D.9a")
def test_income_is_added_to_what_was_saved() -> None:
    play = income("D", oil={"ussr": 2}, resources={"ussr": 3})
    oil, resources = told(play, "ussr")
    assert (oil, resources) == (2, 5)
    assert (play.state.books["ussr"].oil, play.state.books["ussr"].resources) == (4, 8)


@pytest.mark.rule("blitz:D.9a")
def test_income_in_scenario_d_loses_factory_damage_and_unsupplied_goods() -> None:
    s = position("D")
    assert income_of(s, "ussr") == Goods(2, 5)
    s.factory_damage = {"moscow": 2}
    assert income_of(s, "ussr") == Goods(2, 3)
    # Norway's neighbours apart: Belgium-Netherlands is Germany's, and next to it.
    assert income_of(s, "germany").resources == 5
    s = position("D", control={"belgium_netherlands": "western_allies"})
    assert income_of(s, "germany").resources == 4


def usa_at_the_end_of_turn_2(box: int) -> Play:
    return Play(
        phase="turn_end",
        step="lend_lease",
        turn=2,
        entry={"usa": box, "ussr": 2},
        units={
            "usa_western_approaches_ll": "western_approaches",
            "usa_bay_of_bengal_ll": "bay_of_bengal",
            "usa_warlords": "chungking",
        },
    )


@pytest.mark.rule("blitz:7.6e")
@pytest.mark.rule("blitz:7.4f")
def test_ex_7_6_usa() -> None:
    from sandtable.games.blitz.rules.lend_lease import Lend

    play = usa_at_the_end_of_turn_2(9)
    s = play.state
    assert own_goods(s, "usa") == Goods(4, 9)
    assert traded(s, "usa") == Goods(0, 0)  # one Oil to Japan, one from Venezuela
    assert chinese_goods(s, "usa") == 1
    play.do("usa", Lend({"afa": 1}))
    assert told(play, "usa") == (3, 8)
    # Chungking's Resource; the one that was lent joins it.
    asked, _ = play.game.pending
    assert (asked.minors, asked.countries) == ((1,), (("china",),))  # type: ignore[attr-defined]


@pytest.mark.rule("blitz:7.7a")
@pytest.mark.rule("blitz:7.7b")
@pytest.mark.rule("blitz:7.8.china-c")
def test_ex_7_7() -> None:
    from sandtable.games.blitz.rules.lend_lease import Lend

    play = usa_at_the_end_of_turn_2(7)
    play.do("usa", Lend({"afa": 1}))
    request = play.request_of("usa")
    # Seven in all: the Oil lent to the AFA and the Resource lent to China are used already.
    assert request.limit == 5  # type: ignore[attr-defined]
    assert request.minors == (1,)  # type: ignore[attr-defined]
    assert play.refused("usa", Keep(3, 3, (0,))) == "7.7a"
    assert play.refused("usa", Keep(4, 1, (0,))) == "7.7a"
    assert play.refused("usa", Keep(0, 5, ())) == "7.7a"
    play.do("usa", Keep(2, 2, (1,)))
    while "usa" not in play.state.books:
        pending = play.game.pending[0]
        play.do(pending.power, next(iter(play.game.legal(pending))))
    book = play.state.books["usa"]
    assert (book.oil, book.resources) == (2, 2)
    assert book.minors == (Account(("china",), 0, 2),)


@pytest.mark.rule("blitz:7.7a")
def test_a_ussr_at_war_with_japan_only_is_limited_still() -> None:
    s = position(entry={"ussr": 4}, wars=[("ussr", "japan"), ("germany", "afa")])
    assert limit(s, "ussr") == 4
    assert limit(s, "germany") is None


@pytest.mark.rule("blitz:7.7a")
def test_what_was_saved_earlier_does_not_count_against_the_limit() -> None:
    play = income(entry={"ussr": 2, "usa": 15}, oil={"ussr": 3})
    play.do("ussr", Keep(1, 1))
    book = play.state.books["ussr"]
    assert (book.oil, book.resources) == (4, 1)


@pytest.mark.rule("blitz:7.7b")
def test_oil_given_by_trade_does_not_count_but_lend_lease_does() -> None:
    s = position(entry={"ussr": 2, "usa": 7}, trades=["ussr_oil", "usa_oil"])
    assert traded(s, "ussr") == Goods(-1, 0)
    assert limit(s, "ussr") == 2
    s.count("lent_oil:usa:afa", 1)
    s.count("lent_resources:usa:afa", 1)
    assert limit(s, "usa") == 5


@pytest.mark.rule("blitz:7.7c")
def test_a_limited_power_chooses_whether_to_use_an_isolated_allys_goods() -> None:
    play = isolated_manila(entry={"usa": 3, "ussr": 15})
    request = play.request_of("usa")
    assert request.countries == (("philippines",),)  # type: ignore[attr-defined]
    play.do("usa", Keep(0, 2, (1,)))
    assert play.state.books["usa"].minors == (Account(("philippines",), 0, 1),)


def isolated_manila(**given: Any) -> Play:
    """The Philippines, with Japanese ships in all seas round them."""
    around = {
        "jap_combined_fleet": "south_china_sea",
        "jap_i_boats": "leyte_gulf",
        "jap_1st_strike_fleet": "east_china_sea",
    }
    return income(
        units={**around, "usa_philippine_army": "manila"},
        wars=[("germany", "afa"), ("usa", "japan")],
        **given,
    )


@pytest.mark.rule("blitz:F.7a")
@pytest.mark.rule("blitz:7.7b")
def test_ex_f_7() -> None:
    play = income("F", turn=1, entry={"ussr": 2, "usa": 15})
    request = play.request_of("ussr")
    assert request.limit == 2  # type: ignore[attr-defined]
    assert "ussr_oil" in play.state.trades


# --- isolated allies -----------------------------------------------------------------------------


@pytest.mark.rule("blitz:7.6a")
@pytest.mark.rule("blitz:7.6d")
@pytest.mark.rule("blitz:7.6.iso-a")
@pytest.mark.rule("blitz:7.6.iso-b")
def test_ex_7_6_canada() -> None:
    facts = load_facts()
    india, coasts = facts.countries["india"].areas, ("arabian_sea", "bay_of_bengal")
    near = [area for sea in coasts for area in facts.coast[sea]]
    near += [other for area in ("iraq", *india) for other in facts.lands[area].adjacent]
    german = {"london", "scotland", "paris", "vichy_france", *near} - {"iraq", *india}
    s = position(
        control={**dict.fromkeys(sorted(german), "germany"), "iraq": "afa"},
        conquered={"france": "axis", "great_britain": "axis"},
        new_home={"great_britain": "canada", "france": "canada"},
        # Nothing gets out of the Arabian Sea and the Bay of Bengal.
        units={
            "jap_i_boats": "south_china_sea",
            "jap_combined_fleet": "indian_ocean",
            "ger_u_boat_i": "azanian_sea",
        },
        wars=[("germany", "afa"), ("japan", "afa")],
        convoy_damage={"north_atlantic": 2, "cape_verde_basin": 1},
    )
    canada = worth("canada")
    assert canada == Goods(1, 1)
    # Step 4: Canada's goods are not shipped, and no convoy's damage touches them.
    assert own_goods(s, "afa").oil >= 1
    s.convoy_damage = {"north_atlantic": 99}
    assert own_goods(s, "afa") == canada
    found = [account for account in accounts(s, "afa") if "india" in account.countries]
    assert [(account.oil, account.resources) for account in found] == [(1, 1)]


@pytest.mark.rule("blitz:7.6.iso-a")
@pytest.mark.rule("blitz:7.6.iso-b")
@pytest.mark.rule("blitz:E.4b")
def test_an_isolated_allys_goods_are_its_own_and_its_damage_too() -> None:
    s = isolated_manila(entry={"usa": 15, "ussr": 15}).state
    assert [island.countries for island in isolated(s, "usa")] == [("philippines",)]
    assert accounts(s, "usa") == (Account(("philippines",), 0, 1),)
    assert own_goods(s, "usa") == worth("usa")
    s.partisans = ("manila",)
    assert accounts(s, "usa") == ()


@pytest.mark.rule("blitz:7.6.iso-a")
def test_an_isolated_allys_factories_hurt_itself_and_not_its_power() -> None:
    s = position(
        units={
            "jap_combined_fleet": "tasman_sea",
            "jap_i_boats": "coral_sea",
            "jap_1st_strike_fleet": "timor_sea",
            "jap_2nd_strike_fleet": "cape_naturaliste",
        },
        wars=[("germany", "afa"), ("japan", "afa")],
        convoy_damage={"tasman_sea": 1},
    )
    (australian,) = [account for account in accounts(s, "afa") if "australia" in account.countries]
    before = income_of(s, "afa")
    s.factory_damage = {"canberra": 1}
    assert income_of(s, "afa") == before
    left = [account for account in accounts(s, "afa") if "australia" in account.countries]
    assert sum(account.resources for account in left) == australian.resources - 1


@pytest.mark.rule("blitz:D.9b")
def test_ex_d_9() -> None:
    ring = load_facts().lands["central_europe"].adjacent
    s = position("D")
    whole = own_goods(s, "germany")
    for area in ring:
        if area in s.control:
            s.set_control(area, "ussr")
    assert own_goods(s, "germany").oil == whole.oil - 1
    assert Account(("central_europe",), 1, 0) in accounts(s, "germany")


# --- China ---------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:7.8.china-a")
@pytest.mark.rule("blitz:E.econ-b")
@pytest.mark.rule("blitz:E.4c")
@pytest.mark.parametrize(("scenario", "power"), [("campaign", "usa"), ("E", "western_allies")])
def test_chinas_resource_needs_a_chinese_land_unit_on_the_spot(scenario: str, power: str) -> None:
    assert chinese_goods(position(scenario), power) == 0
    assert chinese_goods(position(scenario, units={"usa_warlords": "chungking"}), power) == 1
    assert chinese_goods(position(scenario, units={"usa_warlords": "lan_chow"}), power) == 0
    for other in ("usa_flying_tigers", "usa_5th_army"):
        assert chinese_goods(position(scenario, units={other: "chungking"}), power) == 0
    # In no case do others get it.
    with_, without = (
        position(scenario, units=units) for units in ({"usa_warlords": "chungking"}, {})
    )
    assert income_of(with_, power) == income_of(without, power)


@pytest.mark.rule("blitz:7.8.china-d")
@pytest.mark.rule("blitz:E.4c")
def test_damage_in_chungking_is_chinas_and_uses_up_the_limit() -> None:
    s = position(units={"usa_warlords": "chungking"}, entry={"usa": 7})
    free = income_of(s, "usa")
    s.factory_damage = {"chungking": 1}
    assert chinese_goods(s, "usa") == 0
    assert income_of(s, "usa") == free
    assert limit(s, "usa") == 6


# --- trade ---------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:7.5a")
@pytest.mark.rule("blitz:F.6a")
def test_neutral_sweden_and_venezuela_give_their_goods() -> None:
    s = position(trades=["sweden", "venezuela"])
    assert traded(s, "germany") == Goods(0, 1)
    assert traded(s, "usa") == Goods(1, 0)


@pytest.mark.rule("blitz:7.5b")
@pytest.mark.rule("blitz:F.6a")
def test_the_campaign_starts_with_four_agreements() -> None:
    s = position(base="setup")
    assert set(s.trades) == {"sweden", "venezuela", "usa_oil", "ussr_oil"}
    assert traded(s, "japan") == Goods(1, 0)
    assert traded(s, "germany") == Goods(1, 1)
    assert traded(s, "ussr") == Goods(-1, 0)
    assert set(position("F").trades) == {"sweden", "venezuela", "ussr_oil"}


@pytest.mark.rule("blitz:7.5b")
def test_a_power_without_oil_gives_none() -> None:
    s = position(trades=["ussr_oil"])
    for area in s.facts.countries["ussr"].areas:
        if s.facts.lands[area].oil:
            s.set_control(area, "germany")
    assert traded(s, "germany") == traded(s, "ussr") == Goods(0, 0)


@pytest.mark.rule("blitz:7.5c")
def test_war_and_alliance_end_trade_for_good() -> None:
    s = position(trades=["sweden", "venezuela", "usa_oil", "ussr_oil"])
    s.set_wars(s.wars | {("usa", "japan"), ("japan", "usa")})
    s.allied["sweden"] = "afa"
    end_by_war(s)
    assert set(s.trades) == {"venezuela", "ussr_oil"}
    # The owner keeps the Oil at once.
    assert before_lend_lease(s, "usa").oil == own_goods(s, "usa").oil + 1
    s.set_wars(frozenset())
    end_by_war(s)
    assert "usa_oil" not in s.trades


@pytest.mark.rule("blitz:7.5d")
@pytest.mark.rule("blitz:F.6a")
def test_box_10_ends_the_oil_trades_for_good() -> None:
    s = position(trades=["usa_oil", "ussr_oil"], entry={"usa": 9, "ussr": 10})
    end_by_war(s)
    assert s.trades == ("usa_oil",)
    s.entry["ussr"] = 9
    end_by_war(s)
    assert s.trades == ("usa_oil",)


@pytest.mark.rule("blitz:7.6e")
def test_trade_needs_a_supply_line_to_the_goods() -> None:
    subs = {
        "afa_british_submarines": "baltic_sea",
        "afa_home_fleet": "north_sea",
        "sov_northern_fleet": "arctic_ocean",
    }
    given = {"trades": ["sweden"], "wars": [("germany", "afa"), ("germany", "ussr")]}
    # The convoy in the Baltic keeps the way to Sweden open,
    assert traded(position(units=subs, **given), "germany") == Goods(0, 1)
    # until it has taken all the damage that it can.
    s = position(units=subs, convoy_damage={"baltic_sea": 1}, **given)
    assert traded(s, "germany") == Goods(0, 0)


# --- the scenarios -------------------------------------------------------------------------------


@pytest.mark.rule("blitz:B.7b")
@pytest.mark.rule("blitz:B.7c")
def test_ex_b_7() -> None:
    play = income("B", turn=9, base="setup")
    assert sum(told(play, "western_allies")) == 7
    assert sum(told(play, "germany")) == 6


@pytest.mark.rule("blitz:B.7b")
@pytest.mark.rule("blitz:B.7c")
def test_areas_that_change_hands_change_scenario_bs_income() -> None:
    play = income("B", turn=9, control={"paris": "western_allies"})
    assert sum(told(play, "western_allies")) == 8
    assert sum(told(play, "germany")) == 5


@pytest.mark.rule("blitz:C.7a")
def test_scenario_cs_income_is_printed_and_convoys_do_not_matter() -> None:
    play = income("C", turn=4, convoy_damage={"north_atlantic": 2}, oil={"western_allies": 1})
    assert told(play, "western_allies") == (1, 3)
    assert told(play, "germany") == (1, 2)
    assert play.state.books["western_allies"].oil == 2
    # It is removed only when the points have been counted.
    assert play.state.convoy_damage == {"north_atlantic": 2}


@pytest.mark.rule("blitz:C.8a")
@pytest.mark.parametrize(("turn", "resources"), [(6, 2), (7, 1), (9, 1)])
def test_from_turn_7_germany_has_one_resource_less(turn: int, resources: int) -> None:
    assert told(income("C", turn=turn), "germany") == (1, resources)
    assert told(income("C", turn=turn), "western_allies") == (1, 3)


@pytest.mark.rule("blitz:D.wa-a")
def test_the_western_allies_of_scenario_d_get_4_resources_and_2_oil() -> None:
    for turn in (3, 8):
        assert told(income("D", turn=turn), "western_allies") == (2, 4)


@pytest.mark.rule("blitz:D.wa-b")
def test_the_balkans_resource_is_for_the_balkans() -> None:
    play = income("D")
    assert play.state.books["western_allies"].minors == (Account(("balkans",), 0, 1),)
    lost = income("D", control={"balkans": "germany"})
    assert lost.state.books["western_allies"].minors == ()


@pytest.mark.rule("blitz:D.front-a")
@pytest.mark.parametrize(("turn", "loss"), [(6, 0), (7, 1), (8, 2), (9, 3), (10, 4), (12, 4)])
def test_the_second_front_costs_germany_resources(turn: int, loss: int) -> None:
    s = position("D", turn=turn)
    assert extras(s, "germany") == Goods(0, -loss)
    assert income_of(s, "germany").resources == 5 - loss
    assert extras(s, "ussr") == Goods(0, 0)


@pytest.mark.rule("blitz:E.econ-a")
def test_the_western_allies_of_scenario_e_start_with_4_oil_and_7_resources() -> None:
    s = position("E", base="setup")
    china = chinese_goods(s, "western_allies")
    assert income_of(s, "western_allies").plus(Goods(0, china)) == Goods(4, 7)


@pytest.mark.rule("blitz:E.4a")
def test_in_scenario_e_convoys_and_supply_matter() -> None:
    whole = income_of(position("E"), "japan")
    damaged = position("E", convoy_damage={"east_china_sea": 2})
    assert income_of(damaged, "japan") == whole.less(2)
    play = income("E", turn=4, convoy_damage={"east_china_sea": 2})
    assert play.state.convoy_damage == {}
    cut = position(
        "E",
        control={"borneo": "japan"},
        units={"usa_pacific_subs": "south_china_sea", "usa_pacific_fleet": "leyte_gulf"},
        convoy_damage={"south_china_sea": 2},
    )
    assert income_of(cut, "japan").oil == 0
    assert income_of(position("E", control={"borneo": "japan"}), "japan").oil == 1


@pytest.mark.rule("blitz:E.econ-d")
@pytest.mark.parametrize(("turn", "more"), [(8, 0), (9, 2), (10, 4), (11, 6)])
def test_from_turn_9_the_western_allies_get_more_and_more(turn: int, more: int) -> None:
    s = position("E", turn=turn)
    assert extras(s, "western_allies") == Goods(0, more)
    assert income_of(s, "western_allies").resources == 6 + more
    assert extras(s, "japan") == Goods(0, 0)


@pytest.mark.rule("blitz:F.japan-b")
def test_until_japan_is_at_war_the_afa_has_more() -> None:
    s = position("F")
    assert extras(s, "afa") == Goods(1, 2)
    at_peace = income_of(s, "afa")
    s.flag("japan_at_war")
    assert at_peace == income_of(s, "afa").plus(Goods(1, 2))


@pytest.mark.rule("blitz:F.econ-a")
def test_the_usa_of_scenario_f_starts_with_4_oil_and_5_resources() -> None:
    s: State = position("F", base="setup")
    assert income_of(s, "usa") == Goods(4, 5)
    with_brazil = position("F", allied={"brazil": "usa"}, control={"sao_paulo": "usa"})
    assert income_of(with_brazil, "usa") == Goods(4, 6)
