"""More rule cases: the opposites, the neighbours and the combinations of the reference cases.

Each docstring names the page of the rulebook that decides the case.
"""

from __future__ import annotations

from typing import Any

import pytest

import sandtable
from tests.aa1942.battles import land, line, sea, step
from tests.aa1942.table import (
    Bombard,
    Buy,
    Casualties,
    Dive,
    Divert,
    Done,
    Engage,
    Fight,
    Intercept,
    Place,
    Press,
    Retreat,
    Table,
    move,
    sail,
    table,
)
from tests.aa1942.turns import pass_to, pass_turn, pass_turns

ALLIED_CITIES = (
    "eastern_united_states",
    "united_kingdom",
    "karelia_ssr",
    "russia",
    "india",
    "western_united_states",
)


def aboard(zone: str, owner: str, *loads: dict[str, dict[str, int]]) -> dict[str, Any]:
    """The `cargo` field of a position: one transport of `owner` per load."""
    return {zone: {owner: [{"ship": "transport", "load": load} for load in loads]}}


# --- victory, sequence, purchase, income -------------------------------------------------------


@pytest.mark.rule("aa1942:victory.check", "aa1942:order.round.end")
def test_nine_cities_in_the_middle_of_a_round_win_nothing() -> None:
    """p.6, p.23: nine cities after the Japanese turn are only counted after the American one."""
    t = table("japan", "collect_income", control=dict.fromkeys(ALLIED_CITIES[2:5], "germany"))
    assert t.game.result is None
    assert t.asked == "united_states purchase"


@pytest.mark.rule("aa1942:victory.standard")
def test_eight_cities_are_not_enough() -> None:
    """p.6: with eight cities at the end of the American turn a new round begins."""
    t = table(
        "united_states", "collect_income", control=dict.fromkeys(ALLIED_CITIES[2:4], "germany")
    )
    assert t.game.result is None
    assert (t.s.round, t.asked) == (2, "soviet_union combat_move")


@pytest.mark.rule("aa1942:victory.total", "aa1942:setup.victory-choice")
def test_total_victory_needs_all_twelve() -> None:
    """p.6: with the total condition eleven cities do not win, twelve do."""
    eleven = dict.fromkeys(ALLIED_CITIES[:5], "germany")
    t = table("united_states", "collect_income", options={"victory": "total"}, control=eleven)
    assert t.game.result is None
    twelve = dict.fromkeys(ALLIED_CITIES, "japan")
    t = table("united_states", "collect_income", options={"victory": "total"}, control=twelve)
    assert t.game.result is not None
    assert set(t.game.result.winners) == {"germany", "japan"}


@pytest.mark.rule("aa1942:victory-city.capture", "aa1942:victory.check")
def test_a_city_taken_in_the_last_turn_of_the_round_counts() -> None:
    """p.19, p.23: the United States take the ninth city of the Allies and win at once."""
    t = table(
        "united_states",
        units={"sz61": {"united_states": "transport"}, "kiangsu": {}},
        cargo=aboard("sz61", "united_states", {"united_states": {"infantry": 2}}),
        control={"france": "united_kingdom", "italy": "united_kingdom"},
    )
    t.do(sail("sz61", offload="kiangsu"), Done())
    assert t.s.control["kiangsu"] == "united_states"
    t.do(Done())
    assert t.game.result is not None
    assert "united_states" in t.game.result.winners


@pytest.mark.rule("aa1942:purchase.afford", "aa1942:purchase.carry-over")
def test_spending_everything_and_spending_nothing() -> None:
    """p.10: 41 IPCs buy 5 tanks and 1 destroyer with 3 left; a power may also save it all."""
    t = table("germany", "purchase").do(Buy({"tank": 5, "destroyer": 1}))
    assert t.s.treasury["germany"] == 3
    t = table("germany", "purchase").do(Buy())
    assert t.s.treasury["germany"] == 41


@pytest.mark.rule("aa1942:purchase.repair.cost", "aa1942:purchase.afford")
def test_repairs_and_units_share_one_treasury() -> None:
    """p.10: 10 IPCs do not pay for 8 points of repair and an infantry."""
    t = table("germany", "purchase", treasury={"germany": 10}, damage={"germany": 10})
    t.refused(Buy({"infantry": 1}, {"germany": 8}), "purchase.afford")
    t.do(Buy({"infantry": 1}, {"germany": 7}))
    assert (t.s.treasury["germany"], t.s.complexes["germany"]) == (0, 3)


@pytest.mark.rule("aa1942:purchase.repair.cost")
def test_more_repair_than_damage_is_refused() -> None:
    """p.10: only damage that is there can be removed."""
    t = table("germany", "purchase", damage={"italy": 2})
    t.refused(Buy({}, {"italy": 3}), "purchase.repair.cost")
    t.refused(Buy({}, {"germany": 1}), "purchase.repair.cost")


@pytest.mark.rule("aa1942:purchase.repair.cost")
def test_an_allys_complex_is_not_ones_own_to_repair() -> None:
    """p.10, p.23: the United Kingdom does not pay for Moscow's complex."""
    t = table("united_kingdom", "purchase", damage={"russia": 4})
    t.refused(Buy({}, {"russia": 1}), "purchase.repair.cost")


@pytest.mark.rule("aa1942:purchase.availability")
def test_a_captured_complex_is_repaired_by_its_new_owner() -> None:
    """p.10, p.18: damage stays when a complex changes hands, and its new owner may repair it."""
    t = table(
        "germany",
        "purchase",
        control={"caucasus": "germany"},
        damage={"caucasus": 4},
    )
    t.do(Buy({"infantry": 2}, {"caucasus": 2}))
    pass_to(t, "mobilize").do(Place("caucasus", {"infantry": 2}))
    assert t.units("caucasus", "germany") == {"infantry": 2}


@pytest.mark.rule("aa1942:income.collect")
def test_damage_does_not_lower_income() -> None:
    """p.14, p.23: a damaged complex brings in fewer units, but the territory pays in full."""
    t = table("germany", "collect_income", damage={"germany": 20}, treasury={"germany": 0})
    assert t.s.treasury["germany"] == 41


@pytest.mark.rule("aa1942:income.collect", "aa1942:purchase.carry-over")
def test_income_is_added_to_what_was_saved() -> None:
    """p.23: 12 IPCs saved and 30 collected make 42."""
    t = table("japan", "collect_income", treasury={"japan": 12})
    assert t.s.treasury["japan"] == 42


@pytest.mark.rule("aa1942:income.capital", "aa1942:capital.lost.phases")
def test_a_power_without_its_capital_keeps_its_turn() -> None:
    """p.19: without Moscow the Soviets neither buy nor place nor collect, but they attack."""
    t = table(
        "united_states",
        "collect_income",
        units={"archangel": {"soviet_union": "infantry"}},
        control={"russia": "germany"},
        treasury={"soviet_union": 0},
    )
    assert t.asked == "soviet_union combat_move"
    t.do(move("infantry", "archangel > west_russia"), Done(), Done())
    assert t.s.control["west_russia"] == "soviet_union"
    assert t.asked == "germany purchase"
    assert t.s.treasury["soviet_union"] == 0


@pytest.mark.rule("aa1942:capital.liberate.resume")
def test_a_power_that_frees_its_own_capital_collects_in_that_turn() -> None:
    """p.19: the Soviets retake Moscow themselves and can once again collect income."""
    t = table(
        "soviet_union",
        units={"archangel": {"soviet_union": "infantry"}},
        control={"russia": "germany"},
        treasury={"soviet_union": 0, "germany": 9},
    )
    t.do(move("infantry", "archangel > russia"), Done(), Done())
    assert t.s.control["russia"] == "soviet_union"
    assert t.s.treasury == {**t.s.treasury, "soviet_union": 24, "germany": 9}


# --- mobilize ----------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:mobilize.limit.value", "aa1942:mobilize.limit.damage")
def test_damage_counts_against_ships_next_door() -> None:
    """p.22: Italy with 2 damage brings in one unit, on land or in sea zone 15, not both."""
    t = table("germany", "mobilize", bought={"infantry": 1, "destroyer": 1}, damage={"italy": 2})
    t.do(Place("sz15", {"destroyer": 1}))
    t.refused(Place("italy", {"infantry": 1}), "mobilize.limit.damage")


@pytest.mark.rule("aa1942:mobilize.limit.damage", "aa1942:mobilize.ic.indestructible")
def test_damage_beyond_capacity_stops_production_only() -> None:
    """p.22: with as much damage as income nothing enters; the complex is still there."""
    t = table("germany", "mobilize", bought={"infantry": 1}, damage={"italy": 6, "germany": 10})
    t.refused(Place("italy", {"infantry": 1}), "mobilize.limit.damage")
    t.refused(Place("germany", {"infantry": 1}), "mobilize.limit.damage")
    t.do(Done())
    assert t.events("refunded")[0]["ipcs"] == 3
    assert "italy" in t.s.complexes


@pytest.mark.rule("aa1942:mobilize.ic.place")
def test_no_complex_where_there_is_no_income() -> None:
    """p.22: Gibraltar has no income value, so it gets no complex; neither does an ally's land."""
    t = table("united_kingdom", "mobilize", bought={"industrial_complex": 1})
    t.refused(Place("gibraltar", {"industrial_complex": 1}), "mobilize.ic.place")
    t.refused(Place("archangel", {"industrial_complex": 1}), "mobilize.ic.place")
    t.do(Place("egypt", {"industrial_complex": 1}))
    assert t.s.complexes["egypt"] == 0


@pytest.mark.rule("aa1942:mobilize.ic.not-new")
def test_a_new_complex_works_from_the_next_turn() -> None:
    """p.22, p.25: the complex placed this turn brings in as many units as the income next turn."""
    t = table(
        "united_kingdom",
        "mobilize",
        bought={"industrial_complex": 1, "infantry": 1},
        treasury={"united_kingdom": 9},
    )
    t.do(Place("union_of_south_africa", {"industrial_complex": 1}))
    t.refused(Place("union_of_south_africa", {"infantry": 1}), "mobilize.ic.not-new")
    t.do(Place("united_kingdom", {"infantry": 1}))
    pass_turns(t, "united_kingdom").do(Buy({"infantry": 3}))
    pass_to(t, "mobilize")
    t.refused(Place("union_of_south_africa", {"infantry": 3}), "mobilize.limit.value")
    t.do(Place("union_of_south_africa", {"infantry": 2}))


@pytest.mark.rule("aa1942:mobilize.fighter", "aa1942:unit.carrier.capacity")
def test_new_fighters_on_an_old_carrier_need_free_decks() -> None:
    """p.22: an own carrier next to the complex takes new fighters as long as it has room."""
    t = table(
        "japan",
        "mobilize",
        {"sz60": {"japan": "aircraft_carrier, fighter"}},
        bought={"fighter": 2},
    )
    t.refused(Place("sz60", {"fighter": 2}), "mobilize.fighter")
    t.do(Place("sz60", {"fighter": 1}), Place("japan", {"fighter": 1}))
    assert t.units("sz60", "japan") == {"aircraft_carrier": 1, "fighter": 2}


@pytest.mark.rule("aa1942:mobilize.fighter")
def test_a_new_fighter_on_a_new_carrier_in_a_hostile_zone() -> None:
    """p.22: both are placed beside an enemy battleship; no combat occurs, both count."""
    t = table(
        "germany",
        "mobilize",
        {"sz5": {"united_kingdom": "battleship"}},
        bought={"fighter": 2, "aircraft_carrier": 1},
        damage={"germany": 7},
    )
    t.refused(Place("sz5", {"fighter": 1}), "mobilize.fighter")
    t.do(Place("sz5", {"fighter": 2, "aircraft_carrier": 1}))
    assert t.units("sz5", "germany") == {"fighter": 2, "aircraft_carrier": 1}
    assert t.asked == "united_kingdom purchase"


@pytest.mark.rule("aa1942:mobilize.fighter.no-ally-carrier")
def test_no_new_fighter_on_an_allys_carrier() -> None:
    """p.22: a new British fighter cannot be placed on an American carrier in sea zone 7."""
    t = table(
        "united_kingdom",
        "mobilize",
        {"sz7": {"united_states": "aircraft_carrier"}},
        bought={"fighter": 1},
    )
    t.refused(Place("sz7", {"fighter": 1}), "mobilize.fighter.no-ally-carrier")


@pytest.mark.rule("aa1942:mobilize.fighter")
def test_no_new_fighter_on_a_carrier_far_from_any_complex() -> None:
    """p.22: the carrier must lie next to the complex."""
    t = table("japan", "mobilize", {"sz50": {"japan": "aircraft_carrier"}}, bought={"fighter": 1})
    t.refused(Place("sz50", {"fighter": 1}), "mobilize.sea")


@pytest.mark.rule("aa1942:mobilize.land-bomber")
def test_land_units_and_bombers_only_beside_a_complex() -> None:
    """p.22: neither a tank nor a bomber goes to a territory without a complex, or to sea."""
    t = table("germany", "mobilize", bought={"tank": 1, "bomber": 1})
    t.refused(Place("france", {"tank": 1}), "mobilize.where")
    t.refused(Place("france", {"bomber": 1}), "mobilize.where")
    t.refused(Place("sz5", {"bomber": 1}), "mobilize.land-bomber")
    t.do(Place("italy", {"tank": 1, "bomber": 1}))


@pytest.mark.rule("aa1942:mobilize.sea")
def test_ships_enter_a_zone_with_enemies_and_do_not_fight() -> None:
    """p.22: a new British destroyer joins a German cruiser in sea zone 6; the next German turn
    has to deal with it."""
    t = table(
        "united_kingdom",
        "mobilize",
        {"sz6": {"germany": "cruiser"}},
        bought={"destroyer": 1},
    )
    t.do(Place("sz6", {"destroyer": 1}))
    assert t.units("sz6", "united_kingdom") == {"destroyer": 1}
    assert t.units("sz6", "germany") == {"cruiser": 1}


@pytest.mark.rule("aa1942:mobilize.overproduction")
def test_the_player_chooses_what_is_returned() -> None:
    """p.22: with 3 places in Italy and none in Germany, the tanks stay and the infantry go."""
    t = table(
        "germany",
        "mobilize",
        bought={"tank": 3, "infantry": 2},
        damage={"germany": 10},
        treasury={"germany": 0},
    )
    t.do(Place("italy", {"tank": 3}), Done())
    assert t.events("refunded")[0] == {
        "power": "germany",
        "units": {"infantry": 2},
        "ipcs": 6,
    }


@pytest.mark.rule("aa1942:mobilize.overproduction")
def test_a_ship_without_a_place_is_refunded() -> None:
    """p.22: Soviet ships find no complex at sea when Karelia and Caucasus are lost."""
    t = table(
        "soviet_union",
        "mobilize",
        bought={"submarine": 1},
        control={"karelia_ssr": "germany", "caucasus": "germany"},
        treasury={"soviet_union": 0},
    )
    t.do(Done())
    assert t.events("refunded")[0]["ipcs"] == 6


@pytest.mark.rule("aa1942:mobilize.ic.not-ally", "aa1942:unit.ic.liberated")
def test_a_liberated_complex_serves_its_owner_only_from_its_own_turn() -> None:
    """p.19, p.25: Britain frees Karelia; Britain cannot use it, the Soviets can in their turn."""
    t = table(
        "united_kingdom",
        units={"finland": {"united_kingdom": "tank"}},
        control={"finland": "united_kingdom", "karelia_ssr": "germany"},
        bought={"infantry": 1},
    )
    t.do(move("tank", "finland > karelia_ssr"), Done(), Done())
    assert t.s.control["karelia_ssr"] == "soviet_union"
    t.refused(Place("karelia_ssr", {"infantry": 1}), "mobilize.ic.not-ally")
    t.do(Place("united_kingdom", {"infantry": 1}))
    pass_turns(t, "soviet_union").do(Buy({"infantry": 2}))
    pass_to(t, "mobilize").do(Place("karelia_ssr", {"infantry": 2}))


@pytest.mark.rule("aa1942:mobilize.where")
def test_units_wait_for_no_later_turn() -> None:
    """p.22: what can be placed has to be placed now."""
    t = table("japan", "mobilize", bought={"infantry": 1})
    t.refused(Done(), "mobilize.overproduction")


# --- canals, straits, the board ------------------------------------------------------------------


@pytest.mark.rule("aa1942:canal.timing")
def test_a_canal_taken_this_turn_is_closed() -> None:
    """p.9: Germany blitzes Egypt and holds Trans-Jordan, but no ship passes Suez this turn."""
    t = table(
        "germany",
        units={"libya": {"germany": "tank"}, "sz17": {"germany": "cruiser"}},
        control={"trans_jordan": "germany"},
    )
    t.do(move("tank", "libya > egypt > libya"), Done())
    t.refused(move("cruiser", "sz17 > sz34"), "canal.timing")
    pass_turns(t, "germany").do(Buy())
    pass_to(t, "noncombat_move").do(move("cruiser", "sz17 > sz34"))


@pytest.mark.rule("aa1942:canal.timing")
def test_a_position_says_who_held_a_canal_when_the_turn_began() -> None:
    """p.9: both shores are German now, but one was British at the start of the turn."""
    t = table(
        "germany",
        "noncombat_move",
        {"sz17": {"germany": "cruiser"}},
        control={"egypt": "germany", "trans_jordan": "germany"},
        control_at_start={"trans_jordan": "united_kingdom"},
    )
    t.refused(move("cruiser", "sz17 > sz34"), "canal.timing")


@pytest.mark.rule("aa1942:canal.suez", "aa1942:canal.timing")
def test_suez_is_open_to_every_power_of_the_side() -> None:
    """p.9: the United States pass between British shores, in either direction."""
    t = table("united_states", "noncombat_move", {"sz15": {"united_states": "2 cruiser"}})
    t.do(move("cruiser", "sz15 > sz17 > sz34"))
    t = table("united_states", "noncombat_move", {"sz34": {"united_states": "submarine"}})
    t.do(move("submarine", "sz34 > sz17"))


@pytest.mark.rule("aa1942:canal.panama")
def test_an_axis_central_america_closes_panama_to_the_allies() -> None:
    """p.9: with Japan in Central America, Germans pass and Americans do not."""
    control = {"central_america": "japan"}
    t = table(
        "united_states", "noncombat_move", {"sz18": {"united_states": "cruiser"}}, control=control
    )
    t.refused(move("cruiser", "sz18 > sz19"), "canal.timing")
    t = table("germany", "noncombat_move", {"sz18": {"germany": "cruiser"}}, control=control)
    t.do(move("cruiser", "sz18 > sz19"))


@pytest.mark.rule("aa1942:canal.panama")
def test_a_transport_needs_the_canal_like_any_ship() -> None:
    """p.9: no cargo goes through a closed canal either, by `sail` or by `move`."""
    t = table(
        "japan",
        "noncombat_move",
        {"sz19": {"japan": "transport"}},
        cargo=aboard("sz19", "japan", {"japan": {"infantry": 1}}),
    )
    t.refused(move("transport", "sz19 > sz18"), "canal.timing")
    t.refused(sail("sz19 > sz18", offload="west_indies"), "canal.timing")


@pytest.mark.rule("aa1942:option.straits-closed")
def test_the_straits_close_both_ways() -> None:
    """p.9 option: no ship leaves sea zone 16 either, submarines and transports included."""
    t = table(
        "soviet_union",
        "noncombat_move",
        {"sz16": {"soviet_union": "submarine, transport"}},
        options={"dardanelles": True},
    )
    t.refused(move("submarine", "sz16 > sz15"), "option.straits-closed")
    t.refused(move("transport", "sz16 > sz15"), "option.straits-closed")


@pytest.mark.rule("aa1942:map.wrap.listed-pairs")
def test_the_other_edges_of_the_board() -> None:
    """p.8: sea zones 42-20 and 41-21, Mexico-East Mexico, Western-Eastern Canada are neighbours."""
    t = table(
        "united_states",
        "noncombat_move",
        {
            "sz42": {"united_states": "destroyer"},
            "sz41": {"united_states": "destroyer"},
            "mexico": {"united_states": "infantry"},
            "western_canada": {"united_states": "tank"},
        },
    )
    t.do(move("destroyer", "sz42 > sz20"), move("destroyer", "sz41 > sz21 > sz22"))
    t.do(move("infantry", "mexico > east_mexico"), move("tank", "western_canada > eastern_canada"))


@pytest.mark.rule("aa1942:neutral.impassable")
def test_a_fighter_cannot_cross_neutral_land() -> None:
    """p.9: no aircraft over Turkey, Sahara or Mongolia, even on the way between friends."""
    t = table("united_kingdom", "noncombat_move", {"trans_jordan": {"united_kingdom": "fighter"}})
    t.refused(move("fighter", "trans_jordan > turkey > caucasus"), "neutral.impassable")
    t = table("germany", "noncombat_move", {"algeria": {"germany": "fighter"}})
    t.refused(move("fighter", "algeria > sahara"), "neutral.impassable")


# --- moving ------------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat-move.multiple-origins")
def test_units_attack_one_space_from_several() -> None:
    """p.11: infantry from Russia, Caucasus and Karelia meet in West Russia."""
    t = table(
        "soviet_union",
        units={
            "russia": {"soviet_union": "infantry"},
            "caucasus": {"soviet_union": "artillery"},
            "karelia_ssr": {"soviet_union": "infantry"},
            "west_russia": {"germany": "infantry"},
        },
    )
    t.do(
        move("infantry", "russia > west_russia"),
        move("artillery", "caucasus > west_russia"),
        move("infantry", "karelia_ssr > west_russia"),
        Done(),
    )
    # One infantry of the two is supported, wherever it came from.
    assert line(t) == "1 infantry at 2, 1 infantry at 1, 1 artillery at 2"
    t.dice(6, 6, 6).dice(6)
    t.refused(Retreat("archangel"), "combat.retreat.destination")
    t.do(Retreat("caucasus"))
    assert t.units("caucasus", "soviet_union") == {"infantry": 2, "artillery": 1}


@pytest.mark.rule("aa1942:combat-move.stop-hostile", "aa1942:combat-move.range")
def test_a_land_unit_stops_in_the_first_hostile_territory() -> None:
    """p.11: no second step for infantry, and none through enemies for a tank."""
    t = table(
        "germany",
        units={
            "ukraine_ssr": {"germany": "infantry, tank"},
            "caucasus": {"soviet_union": "infantry"},
        },
    )
    t.refused(move("infantry", "ukraine_ssr > caucasus > persia"), "combat-move.range")
    t.refused(move("tank", "ukraine_ssr > caucasus > persia"), "combat-move.blitz.blocked-by-units")


@pytest.mark.rule("aa1942:combat-move.simultaneous")
def test_no_unit_makes_two_combat_moves() -> None:
    """p.11: a tank that has made one step of attack does not make another."""
    t = table("germany", units={"libya": {"germany": "tank"}})
    t.do(move("tank", "libya > egypt"))
    t.refused(move("tank", "egypt > trans_jordan"), "combat-move.simultaneous")


@pytest.mark.rule(
    "aa1942:combat-move.end-friendly.escape", "aa1942:combat-move.start-hostile.options"
)
def test_leaving_a_hostile_zone_to_attack_another() -> None:
    """p.12: the second option: leave and conduct combat elsewhere."""
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "destroyer", "germany": "cruiser"},
            "sz5": {"germany": "transport"},
        },
    )
    t.do(move("destroyer", "sz6 > sz5"), Done())
    assert t.units("sz5", "germany") == {}
    assert t.units("sz6", "germany") == {"cruiser": 1}


@pytest.mark.rule("aa1942:combat-move.start-hostile.options", "aa1942:combat.general.where")
def test_staying_in_a_hostile_zone_means_combat() -> None:
    """p.12: the first option: who remains beside a surface warship fights it."""
    t = table(
        "united_kingdom", units={"sz6": {"united_kingdom": "destroyer", "germany": "cruiser"}}
    )
    t.do(Done())
    assert step(t) == "attack in sz6"


@pytest.mark.rule("aa1942:combat-move.start-hostile.no-noncombat")
def test_who_escaped_does_not_move_again() -> None:
    """p.12: ships that left a hostile zone in combat movement stay where they went."""
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "transport", "germany": "cruiser"},
            "united_kingdom": {"united_kingdom": "infantry"},
        },
    )
    t.do(move("transport", "sz6 > sz7"), Done())
    t.refused(move("transport", "sz7 > sz2"), "noncombat.eligible")
    t.refused(sail("sz7", "infantry from united_kingdom in sz7"), "noncombat.transport")


@pytest.mark.rule("aa1942:combat-move.start-hostile.load")
def test_leaving_loading_and_returning_to_fight() -> None:
    """p.12: the third option, with the landing that what was loaded has to make."""
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "transport, destroyer", "germany": "cruiser"},
            "united_kingdom": {"united_kingdom": "2 infantry"},
            "norway": {"germany": "infantry"},
        },
    )
    t.refused(
        sail("sz6", "2 infantry from united_kingdom in sz6", offload="norway"),
        "unit.transport.hostile",
    )
    t.do(sail("sz6 > sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"))
    t.do(Done())
    t.dice(2).dice(6)
    assert line(t) == "2 infantry at 1"


@pytest.mark.rule(
    "aa1942:combat-move.sub-transport.no-block", "aa1942:combat-move.transport-sink.stop"
)
def test_a_cruiser_that_sinks_a_transport_has_ended_its_move() -> None:
    """p.11: having stopped in sea zone 12 to sink the transport, it does not sail on."""
    t = table(
        "united_states",
        units={"sz11": {"united_states": "cruiser"}, "sz12": {"germany": "transport"}},
    )
    t.do(move("cruiser", "sz11 > sz12"))
    t.refused(move("cruiser", "sz12 > sz13"), "combat-move.purpose")
    t.do(Done())
    assert t.units("sz12", "germany") == {}
    t.refused(move("cruiser", "sz12 > sz13"), "noncombat.eligible")


@pytest.mark.rule("aa1942:combat-move.purpose")
def test_ships_and_aircraft_need_an_enemy_too() -> None:
    """p.11: neither a destroyer nor a fighter ends a combat move in an empty sea zone."""
    t = table("japan", units={"sz60": {"japan": "destroyer, aircraft_carrier, fighter"}})
    t.refused(move("destroyer", "sz60 > sz59"), "combat-move.purpose")
    t.refused(move("fighter", "sz60 > sz59"), "combat-move.purpose")
    t.refused(move("fighter", "sz60 > japan"), "combat-move.purpose")


# --- blitz -------------------------------------------------------------------------------------


@pytest.mark.rule(
    "aa1942:combat-move.blitz.blocked-by-aaa", "aa1942:combat-move.blitz.blocked-by-units"
)
def test_a_lone_gun_stops_a_blitz() -> None:
    """p.13: an antiaircraft gun in the first territory stops the tank, which destroys it."""
    t = table(
        "germany",
        units={
            "libya": {"germany": "tank"},
            "egypt": {"united_kingdom": "antiaircraft_artillery"},
        },
    )
    t.refused(move("tank", "libya > egypt > trans_jordan"), "combat-move.blitz.blocked-by-units")
    t.do(move("tank", "libya > egypt"), Done())
    assert t.s.control["egypt"] == "germany"
    assert t.units("egypt", "united_kingdom") == {}


@pytest.mark.rule("aa1942:combat-move.blitz.basic", "aa1942:combat-move.blitz.control")
def test_a_blitz_through_one_empty_territory_into_another() -> None:
    """p.13: the first turns at once, the second when combat is conducted; both pay."""
    t = table("germany", units={"libya": {"germany": "tank"}})
    t.do(move("tank", "libya > egypt > trans_jordan"))
    assert t.s.control["egypt"] == "germany"
    assert t.s.control["trans_jordan"] == "united_kingdom"
    t.do(Done(), Done())
    assert t.s.control["trans_jordan"] == "germany"
    assert t.events("collected")[0]["ipcs"] == 44


@pytest.mark.rule("aa1942:combat-move.blitz.return", "aa1942:noncombat.eligible")
def test_a_tank_that_blitzed_does_not_move_again() -> None:
    """p.13, p.21: back in Libya, it has moved."""
    t = table("germany", units={"libya": {"germany": "tank"}})
    t.do(move("tank", "libya > egypt > libya"), Done())
    t.refused(move("tank", "libya > algeria"), "noncombat.eligible")


@pytest.mark.rule("aa1942:combat-move.end-friendly.blitz")
def test_a_blitz_may_end_in_another_friendly_territory() -> None:
    """p.11, p.13: through empty West Russia from Ukraine to Belorussia."""
    t = table(
        "germany",
        units={"ukraine_ssr": {"germany": "tank"}},
        control={"west_russia": "soviet_union"},
    )
    t.do(move("tank", "ukraine_ssr > west_russia > belorussia"))
    assert t.s.control["west_russia"] == "germany"


@pytest.mark.rule("aa1942:unit.transport.land-move-used", "aa1942:combat-move.blitz.basic")
def test_a_landed_tank_does_not_blitz() -> None:
    """p.30: offloading is a tank's whole move; it takes the empty beach and stays."""
    t = table(
        "germany",
        units={"sz17": {"germany": "transport"}},
        cargo=aboard("sz17", "germany", {"germany": {"tank": 1}}),
    )
    t.refused(move("tank", "sz17 > egypt > trans_jordan"))
    t.do(sail("sz17", offload="egypt"), Done())
    assert t.units("egypt", "germany") == {"tank": 1}
    t.refused(move("tank", "egypt > libya"), "noncombat.eligible")


@pytest.mark.rule("aa1942:combat-move.blitz.control", "aa1942:liberate.original-controller")
def test_a_blitz_frees_an_allys_territory() -> None:
    """p.13, p.19: a British tank that passes through German-held Archangel frees it."""
    t = table(
        "united_kingdom",
        units={"karelia_ssr": {"united_kingdom": "tank"}},
        control={"archangel": "germany"},
    )
    t.do(move("tank", "karelia_ssr > archangel > karelia_ssr"))
    assert t.s.control["archangel"] == "soviet_union"


@pytest.mark.rule("aa1942:combat.retreat.destination", "aa1942:combat-move.blitz.control")
def test_a_blitzing_tank_retreats_to_what_it_blitzed() -> None:
    """p.18: Egypt is friendly by then and is where the tank came from; Libya is not adjacent."""
    t = table(
        "germany",
        units={
            "libya": {"germany": "tank"},
            "trans_jordan": {"united_kingdom": "2 infantry"},
        },
    )
    t.do(move("tank", "libya > egypt > trans_jordan"), Done())
    t.dice(6).dice(6, 6)
    t.refused(Retreat("libya"), "combat.retreat.destination")
    t.do(Retreat("egypt"))
    assert t.units("egypt", "germany") == {"tank": 1}


# --- air units ---------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:noncombat.air.no-captured")
def test_no_landing_in_a_territory_liberated_this_turn() -> None:
    """p.21: Karelia freed for the Soviets this turn was hostile at its start."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"norway": {"united_kingdom": {"fighter": [{"used": 2, "duty": "fought"}]}}},
        control={"norway": "united_kingdom", "finland": "united_kingdom"},
        control_at_start={"karelia_ssr": "germany"},
    )
    t.refused(move("fighter", "norway > finland > karelia_ssr"), "noncombat.air.no-captured")
    t.do(move("fighter", "norway > finland"))


@pytest.mark.rule("aa1942:unit.air.landing-proof.carrier-still")
def test_a_carrier_that_attacks_elsewhere_picks_nobody_up() -> None:
    """p.26: a carrier that moves in combat is where it goes; it makes no noncombat move."""
    t = table(
        "united_states",
        units={
            "sz52": {"united_states": "aircraft_carrier, fighter"},
            "sz51": {"japan": "transport"},
            "philippine_islands": {"japan": "infantry"},
        },
    )
    t.do(move("aircraft_carrier", "sz52 > sz51"))
    # Three spaces out leave one; the carrier in sea zone 51 is two away.
    t.refused(move("fighter", "sz52 > sz50 > sz48 > philippine_islands"), "unit.air.landing-proof")


@pytest.mark.rule("aa1942:unit.air.landing-proof.carrier-still")
def test_a_carrier_on_which_a_fighter_relies_does_not_attack() -> None:
    """p.26: the same in the other order: the fighter is out, so the carrier has to stay."""
    t = table(
        "united_states",
        units={
            "sz52": {"united_states": "aircraft_carrier, fighter"},
            "sz51": {"japan": "transport"},
            "philippine_islands": {"japan": "infantry"},
        },
    )
    t.do(move("fighter", "sz52 > sz50 > sz48 > philippine_islands"))
    t.refused(move("aircraft_carrier", "sz52 > sz51"), "unit.air.landing-proof")


@pytest.mark.rule("aa1942:unit.air.landing-proof.assume")
def test_a_hostile_zone_that_nobody_attacks_is_no_landing_place() -> None:
    """p.26: the carrier could not enter sea zone 48 past a cruiser that is left alone."""
    t = table(
        "united_states",
        units={
            "sz52": {"united_states": "aircraft_carrier, fighter"},
            "sz48": {"japan": "cruiser"},
            "philippine_islands": {"japan": "infantry"},
        },
    )
    t.refused(move("fighter", "sz52 > sz50 > sz48 > philippine_islands"), "unit.air.landing-proof")


@pytest.mark.rule("aa1942:unit.air.landing-proof.assume")
def test_a_fighter_may_clear_its_own_landing_zone() -> None:
    """p.26: alone against a cruiser, it is assumed to win, and the carrier comes to it."""
    t = table(
        "united_states",
        units={
            "sz52": {"united_states": "aircraft_carrier"},
            "midway": {"united_states": "fighter"},
            "sz48": {"japan": "cruiser"},
        },
    )
    t.do(move("fighter", "midway > sz57 > sz52 > sz50 > sz48"), Done())
    t.dice(3).dice(6)
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("aircraft_carrier", "sz52 > sz50 > sz48"), Done())
    assert t.units("sz48", "united_states") == {"aircraft_carrier": 1, "fighter": 1}


@pytest.mark.rule("aa1942:unit.carrier.capacity", "aa1942:unit.air.landing-proof")
def test_three_fighters_cannot_rely_on_one_carrier() -> None:
    """p.26-27: there is room for two; the third may not join."""
    t = table(
        "united_states",
        units={
            "sz52": {"united_states": "aircraft_carrier, 2 fighter"},
            "hawaiian_islands": {"united_states": "fighter"},
            "philippine_islands": {"japan": "infantry"},
            "sz50": {"japan": "transport"},
        },
    )
    t.do(move("2 fighter", "sz52 > sz50 > sz48 > philippine_islands"))
    # From sea zone 50 it could still reach no land with its last move.
    t.refused(move("fighter", "hawaiian_islands > sz53 > sz52 > sz50"), "unit.air.landing-proof")


@pytest.mark.rule("aa1942:combat-move.air.fighter-full-range", "aa1942:noncombat.air.new-carrier")
def test_a_carrier_bought_this_turn_lets_a_fighter_fly_its_full_range() -> None:
    """p.12, p.26: four spaces into sea zone 62, where the new carrier will be; then it must be."""
    t = table(
        "japan",
        units={
            "caroline_islands": {"japan": "fighter"},
            "sz62": {"united_states": "destroyer"},
        },
        bought={"aircraft_carrier": 1, "infantry": 1},
        control={"manchuria": "soviet_union"},
    )
    t.do(move("fighter", "caroline_islands > sz50 > sz51 > sz60 > sz62"), Done())
    t.dice(3).dice(6)
    t.do(Done())
    t.refused(Place("sz60", {"aircraft_carrier": 1}), "unit.air.landing-proof.commit-new")
    t.do(Place("sz62", {"aircraft_carrier": 1}), Place("japan", {"infantry": 1}))
    assert t.units("sz62", "japan") == {"aircraft_carrier": 1, "fighter": 1}


@pytest.mark.rule("aa1942:noncombat.air.new-carrier", "aa1942:mobilize.limit.damage")
def test_a_carrier_that_cannot_be_placed_is_no_landing_place() -> None:
    """p.21-22: with the complex of Germany damaged to nothing no carrier comes to sea zone 5."""
    t = table(
        "germany",
        "noncombat_move",
        {"norway": {"germany": "fighter"}},
        bought={"aircraft_carrier": 1},
        damage={"germany": 10},
    )
    t.refused(move("fighter", "norway > sz5"), "noncombat.air.carrier-required")
    t = table(
        "germany",
        "noncombat_move",
        {"norway": {"germany": "fighter"}},
        bought={"aircraft_carrier": 1},
        damage={"germany": 9},
    )
    t.do(move("fighter", "norway > sz5"), Done())
    t.do(Place("sz5", {"aircraft_carrier": 1}))


@pytest.mark.rule("aa1942:noncombat.air.new-carrier")
def test_a_new_carrier_beside_a_complex_taken_this_turn_does_not_count() -> None:
    """p.21-22: Karelia's complex, taken this turn, brings no carrier to sea zone 4."""
    t = table(
        "germany",
        "noncombat_move",
        {"norway": {"germany": "fighter"}},
        control={"karelia_ssr": "germany"},
        control_at_start={"karelia_ssr": "soviet_union"},
        bought={"aircraft_carrier": 1},
    )
    t.refused(move("fighter", "norway > sz3 > sz4"), "noncombat.air.carrier-required")


@pytest.mark.rule("aa1942:unit.air.landing-proof.no-guarantee", "aa1942:noncombat.air.crash")
def test_a_carrier_may_retreat_from_its_fighters() -> None:
    """p.26: the carrier may leave the battle though its fighter, its range spent, is lost."""
    t = table(
        "japan",
        units={
            "sz50": {"japan": "aircraft_carrier, fighter"},
            "sz44": {"united_states": "cruiser"},
        },
        control={"solomon_islands": "united_states"},
    )
    t.do(
        move("aircraft_carrier", "sz50 > sz44"), move("fighter", "sz50 > sz49 > sz45 > sz40 > sz44")
    )
    t.do(Done())
    t.dice(6, 6).dice(6)
    t.do(Retreat("sz50"), Done())
    assert t.units("sz44", "japan") == {}
    assert t.events("crashed")[0]["losses"] == {"japan": {"fighter": 1}}


@pytest.mark.rule("aa1942:noncombat.stranded", "aa1942:unit.fighter.defend-return")
def test_a_stranded_fighter_without_refuge_is_lost() -> None:
    """p.21, p.27: its carrier sunk in the middle of the ocean, no land or deck within one space."""
    t = table(
        "japan",
        units={
            "sz52": {"japan": "2 submarine"},
            "sz53": {},
            "sz54": {"united_states": "aircraft_carrier, fighter"},
            "sz43": {"japan": "submarine"},
        },
    )
    t.do(move("submarine", "sz43 > sz54"), Done(), Dive(0))
    t.dice(1).dice(6)
    assert t.units("sz54", "united_states") == {}
    assert list(t.events("crashed")[0]["losses"]) == ["united_states"]


@pytest.mark.rule("aa1942:noncombat.stranded", "aa1942:unit.fighter.defend-return")
def test_a_stranded_fighter_goes_to_another_deck_in_its_zone() -> None:
    """p.27: of two British carriers with three fighters one is sunk; two fighters stay, one has
    to fly; with two fighters nobody would."""
    t = sea("2 submarine", "2 aircraft_carrier, 2 fighter")
    t.do(Dive(0)).dice(1, 6).dice(6, 6, 6)
    assert "press_or_retreat" in t.asked
    t.do(Retreat("sz9"))
    assert t.units("sz8", "united_kingdom") == {"aircraft_carrier": 1, "fighter": 2}
    assert not t.events("diverted")


@pytest.mark.rule("aa1942:noncombat.stranded")
def test_a_stranded_fighter_chooses_between_refuges() -> None:
    """p.27: with land on one side and an ally's carrier on the other its owner decides."""
    t = sea(
        "submarine",
        "aircraft_carrier, fighter",
        also={"sz7": {"united_states": "aircraft_carrier"}},
    )
    t.do(Dive(0)).dice(1).dice(6)
    assert t.asked == "united_kingdom land_stranded"
    assert t.request.to == ("sz7", "united_kingdom")
    t.do(Divert("sz7"))
    assert t.cargo("sz7", "united_states") == [["united_kingdom fighter"]]


@pytest.mark.rule("aa1942:unit.carrier.guest-turn", "aa1942:carrier.guest.cargo")
def test_guests_do_not_fly_in_their_hosts_turn() -> None:
    """p.13, p.28: a British fighter aboard an American carrier is no American unit to move."""
    t = table(
        "united_states",
        units={
            "sz52": {"united_states": "aircraft_carrier", "united_kingdom": "fighter"},
            "sz51": {"japan": "transport"},
        },
    )
    t.refused(move("fighter", "sz52 > sz51"))
    t.do(move("aircraft_carrier", "sz52 > sz51"), Done())
    assert t.cargo("sz51", "united_states") == [["united_kingdom fighter"]]


@pytest.mark.rule("aa1942:carrier.guest.cargo", "aa1942:unit.carrier.capacity")
def test_two_guests_leave_no_room() -> None:
    """p.28: an American carrier with two British fighters takes no American one."""
    t = table(
        "united_states",
        "noncombat_move",
        {
            "sz53": {"united_states": "aircraft_carrier", "united_kingdom": "2 fighter"},
            "hawaiian_islands": {"united_states": "fighter"},
        },
    )
    t.refused(move("fighter", "hawaiian_islands > sz53"), "noncombat.air.carrier-required")


@pytest.mark.rule("aa1942:unit.air.count.island")
def test_an_island_costs_two_moves() -> None:
    """p.26: from Japan over sea zone 60 and 51 to Okinawa is three, and as much as back."""
    t = table("japan", "noncombat_move", {"japan": {"japan": "fighter"}})
    t.refused(move("fighter", "japan > okinawa"), "map.adjacency")
    t.do(move("fighter", "japan > sz60 > sz51 > okinawa"))


@pytest.mark.rule("aa1942:combat-move.air.aaa-only-target", "aa1942:unit.aaa.fire.when")
def test_guns_fire_at_what_attacks_them_not_at_what_lands_beside() -> None:
    """p.12, p.25: a fighter that crosses a territory with a gun on its way home is not shot at."""
    t = table(
        "germany",
        "noncombat_move",
        {
            "caucasus": {
                "germany": {"fighter": [{"used": 2, "duty": "fought"}]},
                "soviet_union": "antiaircraft_artillery",
            },
        },
    )
    t.do(move("fighter", "caucasus > ukraine_ssr"))
    assert t.asked == "germany noncombat_move"


@pytest.mark.rule("aa1942:noncombat.air-remaining")
def test_a_fighter_that_used_everything_stays_only_on_a_deck() -> None:
    """p.12: four spaces flown, no move left; the carrier has to come."""
    t = table(
        "united_states",
        "noncombat_move",
        {
            "sz51": {"united_states": {"fighter": [{"used": 4, "duty": "fought"}]}},
            "sz53": {"united_states": "aircraft_carrier"},
        },
    )
    t.refused(move("fighter", "sz51 > sz52"), "noncombat.air-remaining")
    t.refused(Done(), "unit.air.landing-duty")
    t.refused(move("aircraft_carrier", "sz53 > sz54"), "noncombat.air.carrier-required")
    t.do(move("aircraft_carrier", "sz53 > sz52 > sz51"), Done())
    assert t.units("sz51", "united_states") == {"fighter": 1, "aircraft_carrier": 1}


@pytest.mark.rule("aa1942:unit.air.landing-duty")
def test_as_many_aircraft_as_possible_have_to_land() -> None:
    """p.26: with one deck for two fighters one is lost, and the other has to be saved."""
    t = table(
        "united_states",
        "noncombat_move",
        {
            "sz51": {"united_states": {"fighter": [{"count": 2, "used": 3, "duty": "fought"}]}},
            "sz52": {"united_states": "aircraft_carrier", "united_kingdom": "fighter"},
        },
    )
    t.refused(Done(), "unit.air.landing-duty")
    t.refused(move("2 fighter", "sz51 > sz52"), "noncombat.air.carrier-required")
    t.do(move("fighter", "sz51 > sz52"), Done())
    assert t.units("sz52", "united_states") == {"aircraft_carrier": 1, "fighter": 1}
    assert t.events("crashed")[0]["losses"] == {"united_states": {"fighter": 1}}


@pytest.mark.rule("aa1942:carrier.launch-first", "aa1942:unit.fighter.own-carrier-attacks")
def test_a_fighter_left_behind_lands_on_the_carrier_it_follows() -> None:
    """p.13: the carrier attacks, its fighter waits in the old zone and follows later."""
    t = table(
        "japan",
        units={
            "sz50": {"japan": "aircraft_carrier, fighter, destroyer"},
            "sz52": {"united_states": "destroyer"},
        },
    )
    t.do(move("aircraft_carrier, destroyer", "sz50 > sz52"), Done())
    assert line(t) == "1 aircraft_carrier at 1, 1 destroyer at 2"
    t.dice(6, 1).dice(6)
    t.do(move("fighter", "sz50 > sz52"), Done())
    assert t.units("sz52", "japan") == {"aircraft_carrier": 1, "fighter": 1, "destroyer": 1}


@pytest.mark.rule("aa1942:multi.fighter-ally-carrier")
def test_a_guest_may_find_its_carrier_full_or_gone() -> None:
    """p.20, p.28: an American fighter that leaves a British carrier may land on it again, but a
    British fighter that took its place in the British turn keeps it out."""
    t = table(
        "united_states",
        "noncombat_move",
        {
            "sz7": {
                "united_kingdom": "aircraft_carrier, 2 fighter",
            },
            "united_kingdom": {"united_states": "fighter"},
        },
    )
    t.refused(move("fighter", "united_kingdom > sz7"), "noncombat.air.carrier-required")


# --- submarines --------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat.sub.submerge.effect", "aa1942:combat.sub.step2.choice")
def test_a_submerged_defender_leaves_the_field() -> None:
    """p.16: a cruiser attacks a lone submarine, which dives; the battle is over without a die."""
    t = sea("cruiser", "submarine", "united_kingdom")
    assert t.asked == "germany submerge_or_strike"
    t.do(Dive(1))
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("sz8", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:unit.destroyer.ally-none", "aa1942:multi.ally-excluded")
def test_an_allied_destroyer_beside_the_attack_cancels_nothing() -> None:
    """p.29: the American destroyer in the zone does not keep the German submarine from diving."""
    t = sea("cruiser", {"germany": "submarine", "united_states": "destroyer"}, "united_kingdom")
    assert t.asked == "germany submerge_or_strike"
    t.do(Dive(0))
    assert step(t) == "strike_back in sz8"
    t.dice(1)
    # The hit falls on the British cruiser, never on the American destroyer.
    assert t.units("sz8", "united_states") == {"destroyer": 1}
    assert t.units("sz8", "united_kingdom") == {}


@pytest.mark.rule("aa1942:unit.destroyer.cancel", "aa1942:unit.sub.air-immune")
def test_a_destroyer_lets_aircraft_hit_submarines() -> None:
    """p.26, p.29: destroyer and bomber against two submarines; both may be hit, none dives."""
    t = sea("destroyer, bomber", "2 submarine", "united_kingdom")
    assert line(t) == "1 bomber at 4, 1 destroyer at 2"
    t.dice(4, 2)
    assert line(t) == "2 submarine at 1"
    t.dice(6, 6)
    assert t.units("sz8", "germany") == {}


@pytest.mark.rule("aa1942:combat.reevaluate", "aa1942:unit.sub.air-immune")
def test_with_the_destroyer_gone_aircraft_hit_submarines_no_more() -> None:
    """p.17, p.26: from the next round on the surviving submarine is safe from the bomber."""
    t = sea("destroyer, bomber", "2 submarine", "united_kingdom")
    t.dice(6, 6).dice(1, 6)
    # One hit from submarines: it cannot fall on the bomber.
    assert t.units("sz8", "united_kingdom") == {"bomber": 1}
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("sz8", "germany") == {"submarine": 2}


@pytest.mark.rule("aa1942:combat.fire.max-hits", "aa1942:unit.sub.cannot-hit-air")
def test_the_books_example_of_hits_that_would_be_lost() -> None:
    """p.17: cruiser and submarine defend against destroyer and fighter and hit twice."""
    t = sea("destroyer, fighter, battleship", "cruiser, submarine", "united_kingdom")
    t.dice(6, 6, 6)
    t.dice(1, 1)
    assert t.request.hits.sub == 1
    t.refused(Casualties({"united_kingdom": {"fighter": 2}}))
    t.do(Casualties({"united_kingdom": {"fighter": 1, "destroyer": 1}}))
    assert t.units("sz8", "united_kingdom") == {"battleship": 1}


@pytest.mark.rule("aa1942:combat.fire.max-hits")
def test_a_cruisers_hit_goes_to_the_fighter_if_submarines_need_the_ships() -> None:
    """p.17: a cruiser and two submarines hit a destroyer, a carrier and its fighter three times."""
    t = sea("cruiser, 2 submarine", "destroyer, aircraft_carrier, fighter")
    t.dice(1, 1, 1)
    t.dice(6, 6, 6)
    assert t.units("sz8", "united_kingdom") == {}


@pytest.mark.rule("aa1942:combat.fire.max-hits")
def test_no_hit_is_wasted_by_choice() -> None:
    """p.17: of a cruiser's and a submarine's hit on a destroyer and a fighter both count."""
    t = sea("cruiser, submarine", "destroyer, aircraft_carrier, fighter")
    t.dice(1, 1)
    t.refused(Casualties({"united_kingdom": {"fighter": 1}}), "combat.fire.max-hits")
    t.do(Casualties({"united_kingdom": {"fighter": 1, "destroyer": 1}}))


@pytest.mark.rule("aa1942:combat.sub.strike.casualty-removal")
def test_what_a_defending_submarine_strikes_does_not_fire() -> None:
    """p.17: the attacking cruiser is gone before step 3."""
    t = sea("cruiser", "submarine, transport", "united_kingdom")
    t.do(Dive(0)).dice(1)
    assert t.units("sz8", "united_kingdom") == {}
    assert t.asked == "united_kingdom noncombat_move"


@pytest.mark.rule("aa1942:combat.sub.strike.attacker", "aa1942:combat.casualty.transport-last")
def test_a_surprise_strike_spares_transports_while_others_can_be_hit() -> None:
    """p.17: two hits on a cruiser and two transports: the cruiser and one transport."""
    t = sea("2 submarine", "cruiser, 2 transport")
    t.do(Dive(0)).dice(1, 1)
    # The cruiser and a transport go; the other is defenceless.
    assert t.units("sz8", "united_kingdom") == {}


@pytest.mark.rule("aa1942:combat.sub.step2.destroyer-cancels")
def test_each_sides_destroyer_cancels_the_other_sides_submarines_only() -> None:
    """p.16: with a destroyer on the attacking side alone, only the attacker strikes first."""
    t = sea("destroyer, submarine", "submarine, cruiser")
    assert t.asked == "germany submerge_or_strike"
    t.do(Dive(0))
    assert step(t) == "strike in sz8"
    t.dice(6)
    assert line(t) == "1 destroyer at 2"
    t.dice(6)
    assert line(t) == "1 cruiser at 3, 1 submarine at 1"


@pytest.mark.rule("aa1942:combat.fire.attacker.casualties", "aa1942:unit.sub.no-step2")
def test_a_submarine_condemned_in_step_three_still_fires_in_step_four() -> None:
    """p.17: where a destroyer cancels the surprise strike, a hit submarine fires back."""
    t = sea("destroyer", "submarine", "united_kingdom")
    t.dice(1)
    assert line(t) == "1 submarine at 1"
    t.dice(1)
    assert t.units("sz8", "germany") == {} and t.units("sz8", "united_kingdom") == {}


@pytest.mark.rule("aa1942:noncombat.eligible", "aa1942:combat.sub.submerge.effect")
def test_a_submarine_that_dived_in_an_attack_stays_there() -> None:
    """p.21: it moved into combat, so it does not move again."""
    t = sea("submarine", "cruiser").do(Dive(1))
    assert t.asked == "germany noncombat_move"
    t.refused(move("submarine", "sz8 > sz9"), "noncombat.eligible")


@pytest.mark.rule("aa1942:combat.transports.stalemate", "aa1942:unit.sub.air-immune")
def test_transports_beside_submarines_fall_to_aircraft() -> None:
    """p.17: two fighters against a submarine and a transport: the transport is lost, no dice."""
    t = sea("2 fighter", "submarine, transport", "united_kingdom")
    assert t.asked == "united_kingdom noncombat_move"
    assert not t.events("fired")
    assert t.units("sz8", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:unit.transport.no-block", "aa1942:combat.casualty.transport-last")
def test_fighters_hit_transports_where_they_cannot_hit_submarines() -> None:
    """p.30: with a cruiser there too, a fighter's hit that cannot go to the submarine goes to
    the cruiser first, then to the transport."""
    t = sea("3 fighter", "submarine, cruiser, 2 transport", "united_kingdom")
    t.do(Dive(0)).dice(6)
    assert line(t) == "3 fighter at 3"
    t.dice(1, 1, 6)
    assert line(t) == "1 cruiser at 3"
    t.dice(6)
    # The cruiser and one transport were hit; the other is defenceless beside the submarine.
    assert t.events("lost")[0]["losses"] == {"germany": {"cruiser": 1, "transport": 1}}
    assert t.units("sz8", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:sub.move.destroyer-stops")
def test_an_enemy_destroyer_built_where_the_submarine_lies_does_not_hold_it() -> None:
    """p.13, p.29: it stops submarines that enter, not one that leaves."""
    t = table(
        "germany",
        units={"sz7": {"germany": "submarine", "united_kingdom": "destroyer"}},
    )
    t.do(move("submarine", "sz7 > sz9 > sz10"), Done())
    assert t.units("sz10", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:noncombat.sub", "aa1942:noncombat.hostile-pass")
def test_submarines_pass_warships_in_noncombat_movement() -> None:
    """p.21: through a zone with a battleship into one with a carrier, without a fight."""
    t = table(
        "germany",
        "noncombat_move",
        {
            "sz9": {"germany": "submarine"},
            "sz7": {"united_kingdom": "battleship"},
            "sz6": {"united_kingdom": "aircraft_carrier"},
        },
    )
    t.do(move("submarine", "sz9 > sz7 > sz6"), Done())
    assert t.units("sz6", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:unit.sub.no-block")
def test_a_submarine_may_be_attacked_or_left_alone_after_a_move() -> None:
    """p.29: sea units ending their combat move with submarines only may attack them or not."""
    t = table(
        "united_kingdom",
        units={"sz9": {"united_kingdom": "destroyer"}, "sz8": {"germany": "submarine"}},
    )
    t.do(move("destroyer", "sz9 > sz8"), Done())
    assert t.request.optional == ("sz8",)
    t.do(Done())
    assert t.units("sz8", "germany") == {"submarine": 1}
    assert t.asked == "united_kingdom noncombat_move"


@pytest.mark.rule("aa1942:unit.sub.end-hostile")
def test_a_mixed_fleet_moves_by_its_slowest_rule() -> None:
    """p.13: submarine and cruiser together cannot pass a hostile zone; the submarine can alone."""
    t = table(
        "germany",
        units={
            "sz9": {"germany": "submarine, cruiser"},
            "sz7": {"united_kingdom": "battleship"},
            "sz6": {"united_kingdom": "transport"},
        },
    )
    t.refused(move("submarine, cruiser", "sz9 > sz7 > sz6"), "combat-move.stop-hostile")
    t.do(move("submarine", "sz9 > sz7 > sz6"), Done())
    assert t.units("sz6", "united_kingdom") == {}


# --- transports --------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:multi.transport.three-step")
def test_an_ally_loads_is_carried_and_lands_over_three_turns() -> None:
    """p.20, p.30: British infantry aboard an American transport: load, carry, assault."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "united_kingdom": {"united_kingdom": "2 infantry"},
            "sz7": {"united_states": "transport"},
            "norway": {"germany": "infantry"},
        },
    )
    load = "2 infantry from united_kingdom in sz7"
    t.refused(sail("sz7 > sz6", load, owner="united_states"), "multi.transport.three-step")
    t.do(sail("sz7", load, owner="united_states"))
    t.refused(sail("sz7", offload="united_kingdom", owner="united_states"))
    pass_turns(t, "united_states").do(Buy())
    pass_to(t, "noncombat_move")
    t.refused(sail("sz7 > sz6", offload="united_kingdom"))
    t.do(move("transport", "sz7 > sz6"))
    pass_turns(t, "united_kingdom").do(Buy())
    t.do(sail("sz6", offload="norway", owner="united_states"), Done())
    assert line(t) == "2 infantry at 1"
    t.dice(1, 6).dice(6)
    assert t.s.control["norway"] == "united_kingdom"


@pytest.mark.rule("aa1942:multi.transport.three-step")
def test_guests_stay_aboard_when_the_owner_lands_its_own() -> None:
    """p.30: an American assault lands the American infantry; the British one stays aboard."""
    t = table(
        "united_states",
        units={"sz6": {"united_states": "transport"}},
        cargo=aboard(
            "sz6",
            "united_states",
            {"united_states": {"infantry": 1}, "united_kingdom": {"tank": 1}},
        ),
    )
    t.do(sail("sz6", offload="norway"), Done())
    assert t.s.control["norway"] == "united_states"
    assert t.units("norway", "united_states") == {"infantry": 1}
    assert t.cargo("sz6", "united_states") == [["united_kingdom tank"]]


@pytest.mark.rule("aa1942:unit.transport.assault-cargo", "aa1942:unit.transport.stay-at-sea")
def test_cargo_of_an_earlier_turn_may_stay_aboard() -> None:
    """p.30: of a tank loaded last turn and an infantry loaded now, only the infantry must land."""
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "infantry"},
        },
        cargo=aboard("sz7", "united_kingdom", {"united_kingdom": {"tank": 1}}),
    )
    load = "infantry from united_kingdom in sz7"
    t.refused(
        sail("sz7 > sz6", load, offload="norway", units={"tank": 1}),
        "unit.transport.assault-cargo",
    )
    t.do(sail("sz7 > sz6", load, offload="norway", units={"infantry": 1}), Done())
    assert t.units("norway", "united_kingdom") == {"infantry": 1}
    assert t.cargo("sz6", "united_kingdom") == [["united_kingdom tank"]]
    # What was loaded earlier stays: the transport has offloaded.
    t.refused(sail("sz6", offload="united_kingdom"), "unit.transport.offload-final")


@pytest.mark.rule("aa1942:unit.transport.load-two", "aa1942:transport.load.friendly-zone")
def test_loading_in_two_zones_on_the_way_to_an_assault() -> None:
    """p.13, p.30: a tank in Eastern Canada, an infantry in the United Kingdom, ashore in France."""
    t = table(
        "united_kingdom",
        units={
            "sz9": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "infantry, tank, artillery"},
            "sz7": {},
        },
    )
    t.refused(
        sail("sz9 > sz7 > sz8", "tank, artillery from united_kingdom in sz7", offload="france"),
        "unit.transport.capacity",
    )
    t.do(
        sail(
            "sz9 > sz7 > sz8",
            "tank from united_kingdom in sz7",
            "infantry from united_kingdom in sz8",
            offload="france",
        ),
        Done(),
    )
    assert t.units("france", "united_kingdom") == {"tank": 1, "infantry": 1}
    assert t.s.control["france"] == "united_kingdom"


@pytest.mark.rule("aa1942:unit.transport.noncombat-offload")
def test_part_of_the_cargo_may_stay_aboard_in_noncombat_movement() -> None:
    """p.30: any number of units aboard can offload into a single friendly territory."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"sz7": {"united_kingdom": "transport"}},
        cargo=aboard("sz7", "united_kingdom", {"united_kingdom": {"tank": 1, "infantry": 1}}),
    )
    t.do(sail("sz7", offload="united_kingdom", units={"infantry": 1}))
    assert t.units("united_kingdom", "united_kingdom") == {"infantry": 1}
    assert t.cargo("sz7", "united_kingdom") == [["united_kingdom tank"]]
    t.refused(sail("sz7", offload="united_kingdom"), "unit.transport.offload-final")


@pytest.mark.rule("aa1942:unit.transport.land-move-used")
def test_landed_units_go_no_further() -> None:
    """p.30: neither in the phase in which they land nor, after an assault, later in the turn."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"sz6": {"united_kingdom": "transport"}},
        cargo=aboard("sz6", "united_kingdom", {"united_kingdom": {"tank": 1}}),
        control={"norway": "united_kingdom", "finland": "united_kingdom"},
    )
    t.do(sail("sz6", offload="norway"))
    t.refused(move("tank", "norway > finland"), "noncombat.eligible")


@pytest.mark.rule("aa1942:unit.transport.land-move-used")
def test_a_unit_that_attacked_is_not_loaded() -> None:
    """p.21, p.30: infantry that took a territory cannot be picked up in noncombat movement."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "norway": {"united_kingdom": {"infantry": [{"used": 1, "duty": "fought"}]}},
            "sz6": {"united_kingdom": "transport"},
        },
        control={"norway": "united_kingdom"},
    )
    t.refused(sail("sz6", "infantry from norway in sz6"), "unit.transport.land-move-used")


@pytest.mark.rule("aa1942:noncombat.transport", "aa1942:noncombat.land")
def test_reinforcements_land_in_a_territory_taken_this_turn() -> None:
    """p.21: friendly is friendly: a fresh transport offloads in Norway just captured."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "sz7": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "2 infantry"},
        },
        control={"norway": "united_kingdom"},
        control_at_start={"norway": "germany"},
    )
    t.do(sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"))
    assert t.units("norway", "united_kingdom") == {"infantry": 2}


@pytest.mark.rule("aa1942:combat.transports.attacker")
def test_attacking_transports_alone_may_choose_to_stay_and_are_hit() -> None:
    """p.17-18: they have the option of retreating; who presses on is shot at."""
    t = sea("cruiser, transport", "cruiser", "united_kingdom")
    t.dice(6).dice(1)
    assert t.asked == "united_kingdom press_or_retreat"
    t.do(Press())
    assert line(t) == "1 cruiser at 3"
    t.dice(1)
    assert t.units("sz8", "united_kingdom") == {}


@pytest.mark.rule("aa1942:combat.casualty.transport-last", "aa1942:transport.cargo")
def test_an_attackers_transports_are_chosen_last_too() -> None:
    """p.17: two hits on a cruiser and a loaded transport fall on the cruiser first."""
    t = sea("2 cruiser, transport", "2 cruiser", "united_kingdom")
    t.dice(6, 6).dice(1, 6)
    t.do(Press())
    t.dice(6).dice(1, 1)
    assert t.units("sz8", "united_kingdom") == {}


@pytest.mark.rule("aa1942:unit.transport.auto-destroy", "aa1942:combat.transports.defenseless")
def test_a_fighter_alone_sinks_all_transports_without_dice() -> None:
    """p.17, p.30: three loaded transports fall to one fighter."""
    t = sea("fighter", "3 transport", "united_kingdom")
    assert t.units("sz8", "germany") == {}
    assert not t.events("fired")


@pytest.mark.rule("aa1942:unit.transport.escort-needed")
def test_a_transport_may_join_an_attack_that_others_make() -> None:
    """p.30: accompanied by a unit with an attack value, it may sail into battle, as fodder."""
    t = table(
        "united_kingdom",
        units={"sz9": {"united_kingdom": "destroyer, transport"}, "sz8": {"germany": "cruiser"}},
    )
    t.refused(move("transport", "sz9 > sz8"), "unit.transport.escort-needed")
    t.do(move("destroyer, transport", "sz9 > sz8"), Done())
    assert line(t) == "1 destroyer at 2"


@pytest.mark.rule("aa1942:unit.transport.no-block", "aa1942:noncombat.sea")
def test_ending_a_noncombat_move_beside_enemy_transports() -> None:
    """p.30: allowed, and nobody is sunk."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"sz9": {"united_kingdom": "cruiser"}, "sz12": {"germany": "transport"}},
    )
    t.do(move("cruiser", "sz9 > sz12"), Done())
    assert t.units("sz12", "germany") == {"transport": 1}


@pytest.mark.rule("aa1942:unit.transport.capacity", "aa1942:unit.transport.load-two")
def test_no_second_bulky_unit_beside_what_is_aboard() -> None:
    """p.30: a transport with an artillery takes an infantry, but no tank."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "sz7": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "tank, infantry"},
        },
        cargo=aboard("sz7", "united_kingdom", {"united_kingdom": {"artillery": 1}}),
    )
    t.refused(sail("sz7", "tank from united_kingdom in sz7"), "unit.transport.capacity")
    t.do(sail("sz7", "infantry from united_kingdom in sz7"))
    assert t.cargo("sz7", "united_kingdom") == [
        ["united_kingdom artillery", "united_kingdom infantry"]
    ]


@pytest.mark.rule("aa1942:unit.transport.retreat-no-offload", "aa1942:unit.transport.stay-at-sea")
def test_a_transport_that_retreated_keeps_its_cargo_for_the_next_turn() -> None:
    """p.30: loaded this turn for an assault from which it retreated, the infantry stay aboard."""
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport, destroyer"},
            "united_kingdom": {"united_kingdom": "2 infantry"},
            "sz6": {"germany": "cruiser"},
        },
    )
    t.do(move("destroyer", "sz7 > sz6"))
    t.do(sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"), Done())
    t.dice(6).dice(6)
    t.do(Retreat("sz7"))
    assert t.cargo("sz7", "united_kingdom") == [["united_kingdom infantry"] * 2]
    t.refused(sail("sz7", offload="united_kingdom"), "unit.transport.retreat-no-offload")
    pass_turns(t, "united_kingdom").do(Buy())
    pass_to(t, "noncombat_move").do(sail("sz7", offload="united_kingdom"))


# --- amphibious assaults -----------------------------------------------------------------------


@pytest.mark.rule("aa1942:amphib.bombard.casualties-fire", "aa1942:amphib.bombard.roll")
def test_what_a_bombardment_hits_still_fires() -> None:
    """p.15: battleship on 4, cruiser on 3; both infantry are hit and fire back once."""
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport, battleship, cruiser"},
            "norway": {"germany": "2 infantry"},
        },
        cargo=aboard("sz7", "united_kingdom", {"united_kingdom": {"infantry": 2}}),
    )
    t.do(sail("sz7 > sz6", offload="norway"), move("battleship, cruiser", "sz7 > sz6"), Done())
    t.do(Bombard({"sz6": {"battleship": 1, "cruiser": 1}}))
    assert t.rolling == "bombardment in norway: 1 battleship at 4, 1 cruiser at 3"
    t.dice(4, 3)
    t.dice(6, 6)
    assert line(t) == "2 infantry at 2"
    t.dice(2, 6)
    assert t.units("norway", "united_kingdom") == {"infantry": 1}
    assert t.s.control["norway"] == "united_kingdom"


@pytest.mark.rule("aa1942:transport.assault.ignored-sub")
def test_an_own_submarine_is_escort_enough_an_allied_cruiser_is_not() -> None:
    """p.13: the warship has to belong to the attacking power."""
    units = {
        "sz6": {"germany": "submarine", "united_states": "cruiser"},
        "sz7": {"united_kingdom": "transport, submarine"},
    }
    cargo = aboard("sz7", "united_kingdom", {"united_kingdom": {"infantry": 1}})
    t = table("united_kingdom", units=units, cargo=cargo)
    t.refused(sail("sz7 > sz6", offload="norway"), "transport.assault.ignored-sub")
    t.do(move("submarine", "sz7 > sz6"), sail("sz7 > sz6", offload="norway"), Done())
    t.do(Engage(False))
    assert t.s.control["norway"] == "united_kingdom"


@pytest.mark.rule("aa1942:amphib.bombard.condition")
def test_no_bombardment_without_a_landing() -> None:
    """p.15: a cruiser does not sail to an undisputed coast to shell it."""
    t = table(
        "united_kingdom",
        units={"sz7": {"united_kingdom": "cruiser"}, "norway": {"germany": "infantry"}},
    )
    t.refused(move("cruiser", "sz7 > sz6"), "combat-move.purpose")


@pytest.mark.rule("aa1942:amphib.bombard.condition", "aa1942:combat.transports.counts-as-combat")
def test_sinking_a_transport_first_forgoes_the_bombardment() -> None:
    """p.15, p.17: destroying a defenceless transport is a combat too."""
    t = table(
        "united_kingdom",
        units={
            "sz6": {"germany": "transport", "united_kingdom": "battleship, transport"},
            "norway": {"germany": "infantry"},
        },
        cargo=aboard("sz6", "united_kingdom", {"united_kingdom": {"infantry": 2}}),
    )
    t.do(sail("sz6", offload="norway"), Done(), Engage(True))
    assert t.units("sz6", "germany") == {}
    assert step(t) == "attack in norway"


@pytest.mark.rule("aa1942:amphib.bombard.ignored-units")
def test_ignoring_a_transport_keeps_the_bombardment() -> None:
    """p.15: as above, but the transport is left alone."""
    t = table(
        "united_kingdom",
        units={
            "sz6": {"germany": "transport", "united_kingdom": "battleship, transport"},
            "norway": {"germany": "infantry"},
        },
        cargo=aboard("sz6", "united_kingdom", {"united_kingdom": {"infantry": 2}}),
    )
    t.do(sail("sz6", offload="norway"), Done(), Engage(False))
    assert t.asked == "united_kingdom choose_bombardment"
    t.do(Bombard({"sz6": {"battleship": 1}})).dice(6)
    t.dice(1, 1).dice(6)
    assert t.units("sz6", "germany") == {"transport": 1}
    # The battleship has bombarded and does not move in this turn.
    t.refused(move("battleship", "sz6 > sz7"), "noncombat.eligible")


@pytest.mark.rule("aa1942:amphib.land.retreat-overland", "aa1942:amphib.land.seaborne-no-retreat")
def test_overland_units_and_aircraft_leave_together_seaborne_ones_fight_on() -> None:
    """p.15: after the retreat the landed infantry go on alone, without being asked."""
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "transport"},
            "finland": {"united_kingdom": "2 infantry, fighter"},
            "norway": {"germany": "2 infantry"},
        },
        cargo=aboard("sz6", "united_kingdom", {"united_kingdom": {"infantry": 2}}),
        control={"finland": "united_kingdom"},
    )
    t.do(move("2 infantry", "finland > norway"), move("fighter", "finland > norway"))
    t.do(sail("sz6", offload="norway"), Done())
    t.dice(*[6] * 5).dice(6, 6)
    t.do(Retreat("finland"))
    assert t.units("finland", "united_kingdom") == {"infantry": 2}
    assert line(t) == "2 infantry at 1"
    t.dice(6, 6).dice(1, 1)
    assert t.s.control["norway"] == "germany"
    assert t.units("norway", "united_kingdom") == {"fighter": 1}
    t.do(move("fighter", "norway > finland"), Done())


@pytest.mark.rule("aa1942:amphib.land.failed-sea")
def test_who_came_overland_fights_a_round_though_the_sea_battle_failed() -> None:
    """p.15: the fleet retreats; the infantry from Finland still attacks Norway."""
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport, cruiser"},
            "sz6": {"germany": "cruiser"},
            "finland": {"united_kingdom": "infantry"},
            "norway": {"germany": "infantry"},
        },
        cargo=aboard("sz7", "united_kingdom", {"united_kingdom": {"infantry": 2}}),
        control={"finland": "united_kingdom"},
    )
    t.do(move("cruiser", "sz7 > sz6"), sail("sz7 > sz6", offload="norway"))
    t.do(move("infantry", "finland > norway"), Done())
    t.dice(6).dice(6)
    t.do(Retreat("sz7"))
    assert line(t) == "1 infantry at 1"
    t.dice(6).dice(6)
    t.do(Retreat("finland"))
    assert t.cargo("sz7", "united_kingdom") == [["united_kingdom infantry"] * 2]


@pytest.mark.rule("aa1942:amphib.air.one-battle", "aa1942:amphib.air.assign")
def test_aircraft_sent_to_the_beach_do_not_fight_at_sea() -> None:
    """p.12, p.16: the bomber in Norway waits for the land battle."""
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport, destroyer"},
            "sz6": {"germany": "destroyer"},
            "united_kingdom": {"united_kingdom": "bomber"},
            "norway": {"germany": "infantry"},
        },
        cargo=aboard("sz7", "united_kingdom", {"united_kingdom": {"infantry": 1}}),
    )
    t.do(move("destroyer", "sz7 > sz6"), move("bomber", "united_kingdom > sz6 > norway"))
    t.do(sail("sz7 > sz6", offload="norway"), Done())
    assert line(t) == "1 destroyer at 2"
    t.dice(1).dice(6)
    assert line(t) == "1 infantry at 1, 1 bomber at 4"


@pytest.mark.rule("aa1942:amphib.land.over", "aa1942:combat.conclude.air-no-capture")
def test_if_only_aircraft_survive_the_landing_nothing_is_taken() -> None:
    """p.15, p.18: the infantry is lost, the bomber clears the beach, Norway stays German."""
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "bomber"},
            "norway": {"germany": "infantry"},
        },
        cargo=aboard("sz6", "united_kingdom", {"united_kingdom": {"infantry": 1}}),
    )
    t.do(move("bomber", "united_kingdom > sz6 > norway"), sail("sz6", offload="norway"), Done())
    t.dice(6, 1).dice(1)
    t.do(Casualties({"united_kingdom": {"infantry (seaborne)": 1}}))
    assert t.s.control["norway"] == "germany"
    assert t.units("norway", "germany") == {}
    t.do(move("bomber", "norway > sz6 > united_kingdom"), Done())


@pytest.mark.rule("aa1942:amphib.land.single-territory", "aa1942:amphib.bombard.one-target")
def test_two_transports_two_beaches_from_one_zone() -> None:
    """p.15: a battleship that supported one landing is not there for the other."""
    t = table(
        "united_states",
        units={
            "sz8": {"united_states": "2 transport, battleship"},
            "france": {"germany": "infantry"},
            "northwestern_europe": {"germany": "infantry"},
        },
        cargo=aboard("sz8", "united_states", *[{"united_states": {"infantry": 1}}] * 2),
    )
    t.do(sail("sz8", offload="france"), sail("sz8", offload="northwestern_europe"), Done())
    t.do(Fight("france"), Bombard({"sz8": {"battleship": 1}}))
    t.dice(6).dice(6).dice(1)
    assert step(t) == "attack in northwestern_europe"


@pytest.mark.rule("aa1942:amphib.sea-zone.clear-first", "aa1942:amphib.land.condition")
def test_assaults_from_two_zones_one_of_which_is_lost() -> None:
    """p.12, p.15: Norway is assaulted from sea zones 3 and 6; the fleet in 6 retreats, 3 lands."""
    t = table(
        "united_kingdom",
        units={
            "sz3": {"united_kingdom": "transport"},
            "sz7": {"united_kingdom": "transport, destroyer"},
            "sz6": {"germany": "cruiser"},
            "norway": {"germany": "infantry"},
        },
        cargo={
            **aboard("sz3", "united_kingdom", {"united_kingdom": {"infantry": 1}}),
            **aboard("sz7", "united_kingdom", {"united_kingdom": {"infantry": 2}}),
        },
    )
    t.do(sail("sz3", offload="norway"), move("destroyer", "sz7 > sz6"))
    t.do(sail("sz7 > sz6", offload="norway"), Done())
    t.dice(6).dice(6)
    t.do(Retreat("sz7"))
    assert line(t) == "1 infantry at 1"


@pytest.mark.rule("aa1942:amphib.declare")
def test_an_assault_cannot_be_added_in_noncombat_movement() -> None:
    """p.12, p.30: hostile land is entered from the sea in an assault only."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"sz6": {"united_kingdom": "transport"}},
        cargo=aboard("sz6", "united_kingdom", {"united_kingdom": {"infantry": 1}}),
    )
    t.refused(sail("sz6", offload="norway"), "unit.transport.assault-only-hostile")


@pytest.mark.rule("aa1942:amphib.sea-combat.all-participate")
def test_a_transport_that_only_rides_along_is_in_the_sea_battle() -> None:
    """p.15: all sea units present participate; its cargo goes down with it."""
    t = table(
        "united_kingdom",
        units={
            "sz6": {"germany": "destroyer"},
            "sz7": {"united_kingdom": "2 transport, destroyer"},
        },
        cargo=aboard(
            "sz7",
            "united_kingdom",
            {"united_kingdom": {"infantry": 2}},
            {"united_kingdom": {"tank": 1}},
        ),
    )
    t.do(move("destroyer", "sz7 > sz6"))
    t.do(sail("sz7 > sz6", offload="norway", cargo={"infantry": 2}))
    t.do(move("transport", "sz7 > sz6", cargo={"tank": 1}), Done())
    t.dice(1).dice(1)
    # Destroyers sink each other; the transports are through and land what they announced.
    assert t.units("norway", "united_kingdom") == {"infantry": 2}
    assert t.cargo("sz6", "united_kingdom") == [[], ["united_kingdom tank"]]


# --- antiaircraft artillery --------------------------------------------------------------------


@pytest.mark.rule("aa1942:unit.aaa.casualty")
def test_a_gun_may_be_taken_as_a_casualty() -> None:
    """p.25: the defender may lose the gun instead of the infantry."""
    t = land("2 infantry", "infantry, antiaircraft_artillery")
    t.dice(1, 6)
    t.do(Casualties({"germany": {"antiaircraft_artillery": 1}}))
    assert line(t) == "1 infantry at 2"


@pytest.mark.rule("aa1942:unit.aaa.alone", "aa1942:combat.end.elimination")
def test_a_gun_left_alone_in_battle_is_destroyed() -> None:
    """p.25: once the last infantry is gone the gun goes too, and the territory is taken."""
    t = land("2 infantry", "infantry, antiaircraft_artillery")
    t.dice(1, 6)
    t.do(Casualties({"germany": {"infantry": 1}})).dice(6)
    assert t.units("west_russia", "germany") == {}
    assert t.s.control["west_russia"] == "soviet_union"


@pytest.mark.rule("aa1942:unit.aaa.move", "aa1942:unit.aaa.never-attack")
def test_a_gun_loaded_earlier_sails_along_but_does_not_land_in_an_assault() -> None:
    """p.25: carried on a transport in combat movement; the infantry beside it lands."""
    t = table(
        "united_kingdom",
        units={"sz7": {"united_kingdom": "transport"}},
        cargo=aboard(
            "sz7",
            "united_kingdom",
            {"united_kingdom": {"antiaircraft_artillery": 1, "infantry": 1}},
        ),
    )
    t.refused(
        sail("sz7 > sz6", offload="norway", units={"antiaircraft_artillery": 1}),
        "unit.aaa.never-attack",
    )
    t.do(sail("sz7 > sz6", offload="norway"), Done())
    assert t.units("norway", "united_kingdom") == {"infantry": 1}
    assert t.cargo("sz6", "united_kingdom") == [["united_kingdom antiaircraft_artillery"]]


@pytest.mark.rule("aa1942:unit.aaa.fire.dice", "aa1942:multi.defend-together")
def test_guns_of_allies_fire_together() -> None:
    """p.20, p.25: a Soviet and a British gun roll five dice at five aircraft."""
    t = table(
        "germany",
        units={
            "ukraine_ssr": {"germany": "5 fighter"},
            "caucasus": {
                "soviet_union": "antiaircraft_artillery, infantry",
                "united_kingdom": "antiaircraft_artillery",
            },
        },
    )
    t.do(move("5 fighter", "ukraine_ssr > caucasus"), Done())
    assert t.request.dice == 5
    t.dice(1, 1, 6, 6, 6)
    assert line(t) == "3 fighter at 3"


@pytest.mark.rule("aa1942:unit.aaa.fire.casualty", "aa1942:combat.end.elimination")
def test_if_the_guns_bring_down_every_attacker_the_battle_is_over() -> None:
    """p.25: the only fighter is shot down before it fires."""
    t = land("fighter", "infantry, antiaircraft_artillery")
    t.dice(1)
    assert t.asked == "soviet_union noncombat_move"
    assert t.units("west_russia", "germany") == {"infantry": 1, "antiaircraft_artillery": 1}


@pytest.mark.rule("aa1942:noncombat.aaa", "aa1942:combat-move.range")
def test_a_gun_moves_one_space_and_only_into_friendly_land() -> None:
    """p.21, p.25: neither two spaces nor into hostile territory."""
    t = table("germany", "noncombat_move", {"germany": {"germany": "antiaircraft_artillery"}})
    t.refused(move("antiaircraft_artillery", "germany > poland > ukraine_ssr"), "combat-move.range")
    t = table("germany", "noncombat_move", {"belorussia": {"germany": "antiaircraft_artillery"}})
    t.refused(move("antiaircraft_artillery", "belorussia > karelia_ssr"), "noncombat.land")
    # A territory that was taken this turn is friendly.
    t = table(
        "germany",
        "noncombat_move",
        {"belorussia": {"germany": "antiaircraft_artillery"}},
        control={"karelia_ssr": "germany"},
        control_at_start={"karelia_ssr": "soviet_union"},
    )
    t.do(move("antiaircraft_artillery", "belorussia > karelia_ssr"))


# --- strategic bombing raids -------------------------------------------------------------------


def raiders(count: int = 2, **more: Any) -> Table:
    """British bombers over Germany, the raid about to be resolved."""
    units = {"united_kingdom": {"united_kingdom": f"{count} bomber"}, **more.pop("units", {})}
    t = table("united_kingdom", units=units, **more)
    return t.do(
        move(f"{count} bomber", "united_kingdom > sz6 > northwestern_europe > germany", raid=True)
    )


@pytest.mark.rule("aa1942:sbr.cap")
def test_damage_already_there_counts_towards_the_cap() -> None:
    """p.14: with 17 of at most 20 points on Germany, dice of 6 and 5 add 3."""
    t = raiders(damage={"germany": 17}).do(Done())
    t.dice(6, 6).dice(6, 5)
    assert t.s.complexes["germany"] == 20


@pytest.mark.rule("aa1942:sbr.ic-fire", "aa1942:sbr.damage-roll")
def test_bombers_shot_down_do_no_damage() -> None:
    """p.14: both bombers are lost to the complex; no damage die is rolled."""
    t = raiders().do(Done())
    t.dice(1, 1)
    assert t.s.complexes["germany"] == 0
    assert t.asked == "united_kingdom noncombat_move"


@pytest.mark.rule("aa1942:combat.sequence", "aa1942:combat.conclude.ic")
def test_raid_first_then_capture_with_the_damage() -> None:
    """p.14, p.18: Italy is raided and taken in one turn; the damage stays on the complex."""
    t = table(
        "united_kingdom",
        units={
            "sz15": {"united_kingdom": "transport"},
            "libya": {"united_kingdom": "bomber"},
        },
        cargo=aboard("sz15", "united_kingdom", {"united_kingdom": {"infantry": 1}}),
        control={"libya": "united_kingdom"},
    )
    t.do(move("bomber", "libya > sz15 > italy", raid=True), sail("sz15", offload="italy"), Done())
    t.dice(6).dice(5)
    assert t.s.control["italy"] == "united_kingdom"
    assert t.s.complexes["italy"] == 5
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("bomber", "italy > sz15 > libya"), Done())


@pytest.mark.rule(
    "aa1942:option.air-battle.attacker-fire", "aa1942:option.air-battle.defender-fire"
)
def test_an_air_battle_attackers_first() -> None:
    """p.14 option: bomber and escort hit on 1 and at once, the surviving interceptor on 2."""
    t = table(
        "united_kingdom",
        units={
            "libya": {"united_kingdom": "bomber, fighter"},
            "italy": {"germany": "2 fighter"},
        },
        control={"libya": "united_kingdom"},
        options={"interceptors": True},
    )
    t.refused(move("fighter", "libya > sz15 > italy", raid=True), "option.air-battle.escort")
    t.do(move("bomber, fighter", "libya > sz15 > italy", raid=True), Done())
    t.do(Intercept({"italy": 2}))
    t.dice(1, 2)
    assert t.request.dice == 1
    t.dice(3)
    # Nobody else is lost; the complex fires at the bomber only.
    assert t.request.dice == 1
    t.dice(6).dice(3)
    assert t.units("italy", "united_kingdom") == {"bomber": 1, "fighter": 1}
    assert t.units("italy", "germany") == {"fighter": 1}


@pytest.mark.rule("aa1942:option.air-battle.escort", "aa1942:option.air-battle.escort-retire")
def test_escorts_and_interceptors_stay_out_of_the_battle_below() -> None:
    """p.14 option: neither the escort nor the interceptor fights in the attack on Italy."""
    t = table(
        "united_kingdom",
        units={
            "libya": {"united_kingdom": "bomber, 2 fighter"},
            "france": {"united_kingdom": "infantry"},
            "italy": {"germany": "2 fighter"},
        },
        control={"libya": "united_kingdom", "france": "united_kingdom"},
        options={"interceptors": True},
    )
    t.do(move("bomber, fighter", "libya > sz15 > italy", raid=True))
    t.do(move("infantry", "france > italy"), move("fighter", "libya > sz15 > italy"), Done())
    assert t.asked == "germany commit_interceptors"
    t.refused(Intercept({"italy": 3}), "option.air-battle.intercept")
    t.do(Intercept({"italy": 1}))
    assert t.request.dice == 2
    t.dice(6, 6).dice(2)
    t.do(Casualties({"united_kingdom": {"fighter": 1}}))
    t.dice(6).dice(4)
    assert t.s.complexes["italy"] == 4
    assert line(t) == "1 infantry at 1, 1 fighter at 3"
    t.dice(6, 1)
    assert line(t) == "1 fighter at 4"
    t.dice(6)
    assert t.s.control["italy"] == "united_kingdom"
    # The interceptor lost its base and flies one space before anybody moves.
    assert t.asked == "germany land_stranded"
    t.do(Divert("southern_europe"))
    assert t.units("southern_europe", "germany") == {"fighter": 1}


@pytest.mark.rule("aa1942:sbr.bomber-committed", "aa1942:noncombat.air-remaining")
def test_a_raider_flies_home_with_what_range_is_left() -> None:
    """p.14: three spaces out, three back."""
    t = raiders(1).do(Done())
    t.dice(6).dice(1)
    t.refused(
        move("bomber", "germany > poland > baltic_states > karelia_ssr > archangel"),
        "noncombat.air-remaining",
    )
    t.do(move("bomber", "germany > baltic_states > karelia_ssr"), Done())


@pytest.mark.rule("aa1942:sbr.target")
def test_no_raid_on_ones_own_side() -> None:
    """p.14: an ally's complex is no enemy complex; fighters never raid."""
    t = table("united_kingdom", units={"united_kingdom": {"united_kingdom": "bomber, fighter"}})
    t.refused(
        move("bomber", "united_kingdom > sz7 > sz3 > sz4 > karelia_ssr", raid=True), "sbr.target"
    )
    t.refused(
        move("fighter", "united_kingdom > sz6 > northwestern_europe > germany", raid=True),
        "option.air-battle.escort",
    )


@pytest.mark.rule("aa1942:sbr.target", "aa1942:mobilize.limit.damage")
def test_a_raid_against_an_ungarrisoned_complex() -> None:
    """p.14: no unit has to be there; the damage cuts the owner's next mobilisation."""
    t = raiders(2).do(Done())
    t.dice(6, 6).dice(4, 3)
    t.do(move("2 bomber", "germany > northwestern_europe > sz6 > united_kingdom"))
    pass_turns(t, "germany").do(Buy({"infantry": 4}))
    pass_to(t, "mobilize")
    t.refused(Place("germany", {"infantry": 4}), "mobilize.limit.damage")
    t.do(Place("germany", {"infantry": 3}))


# --- combat ------------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:unit.artillery.support", "aa1942:combat.reevaluate")
def test_lost_artillery_supports_nobody_in_the_next_round() -> None:
    """p.17, p.24: with its only artillery gone the infantry attack at 1."""
    t = land("2 infantry, artillery", "2 infantry")
    assert line(t) == "1 infantry at 2, 1 infantry at 1, 1 artillery at 2"
    t.dice(6, 6, 6).dice(1, 6)
    t.do(Casualties({"soviet_union": {"artillery": 1}}))
    t.do(Press())
    assert line(t) == "2 infantry at 1"


@pytest.mark.rule("aa1942:combat.retreat.together", "aa1942:combat.retreat.destination")
def test_all_retreat_to_one_space_some_came_from() -> None:
    """p.18: forces from Russia and Karelia both go to Karelia, or both to Russia."""
    t = land({"russia": "infantry", "karelia_ssr": "tank"}, "3 infantry")
    t.dice(6, 6).dice(6, 6, 6)
    assert t.request.to == ("karelia_ssr", "russia")
    t.do(Retreat("karelia_ssr"))
    assert t.units("karelia_ssr", "soviet_union") == {"infantry": 1, "tank": 1}


@pytest.mark.rule("aa1942:combat.retreat.destination")
def test_the_space_may_be_that_of_a_unit_that_was_lost() -> None:
    """p.18: at least one attacking unit moved from Karelia, though it was destroyed."""
    t = land({"russia": "infantry", "karelia_ssr": "infantry"}, "3 infantry")
    t.dice(6, 6).dice(1, 6, 6)
    assert t.request.to == ("karelia_ssr", "russia")


@pytest.mark.rule("aa1942:combat.retreat.sea-friendly-start")
def test_no_retreat_into_a_zone_that_was_hostile_when_the_turn_began() -> None:
    """p.18: ships that escaped from a hostile zone into battle cannot go back there."""
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "2 destroyer", "germany": "cruiser"},
            "sz5": {"germany": "cruiser"},
        },
    )
    t.do(move("destroyer", "sz6 > sz5"), Done(), Fight("sz5"))
    t.dice(6).dice(6)
    # Nowhere to retreat to: the battle goes on.
    assert step(t) == "attack in sz5"


@pytest.mark.rule("aa1942:combat.retreat.sea-friendly-start")
def test_a_zone_cleared_this_turn_was_hostile_when_the_turn_began() -> None:
    """p.18: even if the battle in the zone they came from has been won meanwhile."""
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "2 destroyer", "germany": "cruiser"},
            "sz5": {"germany": "cruiser"},
        },
    )
    t.do(move("destroyer", "sz6 > sz5"), Done(), Fight("sz6"))
    t.dice(1).dice(6)
    t.dice(6).dice(6)
    assert step(t) == "attack in sz5"


@pytest.mark.rule("aa1942:unit.battleship.two-hits", "aa1942:unit.battleship.repair")
def test_two_hits_in_one_combat_sink_a_battleship() -> None:
    """p.28: one in each of two rounds; damage lasts as long as the combat."""
    t = sea("battleship, cruiser", "battleship")
    t.dice(4, 6).dice(6)
    t.do(Press())
    t.dice(4, 6)
    assert line(t) == "1 battleship at 4"
    t.dice(4)
    t.do(Casualties(damaged={"germany": 1}))
    assert t.units("sz8", "germany") == {"battleship": 1, "cruiser": 1}
    assert all(not unit.duty or unit.duty == "fought" for unit in t.s.stack("sz8"))


@pytest.mark.rule("aa1942:combat.general.order", "aa1942:combat.general.simultaneous")
def test_each_battle_is_fought_to_its_end_before_the_next() -> None:
    """p.16: the attacker chooses the order; no unit moves between them."""
    t = table(
        "germany",
        units={
            "ukraine_ssr": {"germany": "2 infantry"},
            "belorussia": {"germany": "2 infantry"},
            "caucasus": {"soviet_union": "infantry"},
            "karelia_ssr": {"soviet_union": "infantry"},
        },
    )
    t.do(
        move("2 infantry", "ukraine_ssr > caucasus"), move("2 infantry", "belorussia > karelia_ssr")
    )
    t.do(Done())
    assert t.request.battles == ("caucasus", "karelia_ssr")
    t.do(Fight("karelia_ssr"))
    assert step(t) == "attack in karelia_ssr"
    t.dice(1, 6).dice(6)
    assert step(t) == "attack in caucasus"


@pytest.mark.rule("aa1942:combat.general.no-resistance")
def test_aircraft_join_nobody_in_an_empty_territory() -> None:
    """p.16, p.18: there is nothing to attack from the air where no enemy unit is."""
    t = table("soviet_union", units={"russia": {"soviet_union": "fighter, infantry"}})
    t.refused(move("fighter", "russia > west_russia"), "combat-move.purpose")
    t.do(move("infantry", "russia > west_russia"), Done())
    assert t.s.control["west_russia"] == "soviet_union"


@pytest.mark.rule("aa1942:combat.retreat.air")
def test_aircraft_may_break_off_alone_when_no_land_unit_is_left() -> None:
    """p.18: they stay in the contested space until they land."""
    t = land("fighter", "2 infantry")
    t.dice(6).dice(6, 6)
    t.refused(Retreat("russia"), "combat.retreat.air")
    t.do(Retreat())
    assert t.units("west_russia", "soviet_union") == {"fighter": 1}
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("fighter", "west_russia > russia"), Done())


@pytest.mark.rule("aa1942:combat.casualties.remove", "aa1942:combat.fire.attacker.casualties")
def test_more_hits_than_defenders_are_lost() -> None:
    """p.17: three hits on one infantry remove it after it has fired."""
    t = land("3 tank", "infantry")
    t.dice(1, 1, 1)
    assert line(t) == "1 infantry at 2"
    t.dice(1)
    assert t.units("west_russia", "soviet_union") == {"tank": 2}


# --- multinational forces ----------------------------------------------------------------------


@pytest.mark.rule("aa1942:multi.defense.casualties")
def test_defenders_who_cannot_agree_leave_it_to_the_attacker() -> None:
    """p.20: with two persons defending Egypt and two proposals, Germany's player chooses."""
    players = {
        "A": ["germany", "japan"],
        "B": ["soviet_union", "united_kingdom"],
        "C": ["united_states"],
    }
    t = table(
        "germany",
        units={
            "libya": {"germany": "tank"},
            "egypt": {"united_kingdom": "infantry", "united_states": "infantry"},
        },
        options={"players": players},
    )
    t.do(move("tank", "libya > egypt"), Done())
    t.dice(1)
    mine, yours = (
        Casualties({"united_kingdom": {"infantry": 1}}),
        Casualties({"united_states": {"infantry": 1}}),
    )
    t.do(yours, by="united_kingdom").do(mine, by="united_states")
    assert t.asked == "germany choose_casualties"
    t.do(yours)
    t.dice(6, 6)
    assert t.units("egypt", "united_states") == {}


@pytest.mark.rule("aa1942:multi.ally-excluded", "aa1942:combat.strip.cargo")
def test_an_attackers_ally_in_the_zone_is_untouched() -> None:
    """p.16, p.20: the American fleet beside the British attack neither fires nor bleeds."""
    t = sea(
        "cruiser",
        {"germany": "cruiser", "united_states": "battleship, transport"},
        "united_kingdom",
    )
    assert line(t) == "1 cruiser at 3"
    t.dice(6).dice(1)
    assert t.units("sz8", "united_states") == {"battleship": 1, "transport": 1}
    assert t.units("sz8", "united_kingdom") == {}


@pytest.mark.rule("aa1942:multi.defend-together", "aa1942:unit.destroyer.cancel")
def test_an_allied_destroyer_in_defence_counts() -> None:
    """p.20, p.29: on the defending side every destroyer is in the battle: no surprise strike."""
    t = sea("submarine", {"united_kingdom": "cruiser", "united_states": "destroyer"})
    assert step(t) == "attack in sz8"
    t.dice(6)
    assert line(t) == "1 cruiser at 3, 1 destroyer at 2"


@pytest.mark.rule("aa1942:multi.no-joint-attack")
def test_no_power_moves_its_allys_units() -> None:
    """p.20: a German attack takes no Japanese units along."""
    t = table(
        "germany",
        units={"ukraine_ssr": {"germany": "infantry", "japan": "tank"}},
    )
    t.refused(move("tank", "ukraine_ssr > caucasus"))
    t.do(move("infantry", "ukraine_ssr > caucasus"))


# --- capture and liberation --------------------------------------------------------------------


@pytest.mark.rule("aa1942:liberate.original-controller", "aa1942:combat.conclude.production")
def test_liberating_gives_the_income_to_the_original_owner() -> None:
    """p.19: the UK frees Archangel; the Soviet level rises, the British does not."""
    t = table(
        "united_kingdom",
        units={"karelia_ssr": {"united_kingdom": "infantry"}},
        control={"archangel": "germany"},
        treasury={"united_kingdom": 0},
    )
    t.do(move("infantry", "karelia_ssr > archangel"), Done(), Done())
    assert t.s.control["archangel"] == "soviet_union"
    assert t.s.treasury["united_kingdom"] == 31


@pytest.mark.rule("aa1942:combat.conclude.capture")
def test_a_territory_of_the_enemys_ally_is_captured_not_liberated() -> None:
    """p.18-19: the UK takes Japanese-held Yunnan: American it was, American it is again."""
    t = table(
        "united_kingdom",
        units={"burma": {"united_kingdom": "infantry"}},
        control={"yunnan": "japan"},
    )
    t.do(move("infantry", "burma > yunnan"), Done())
    assert t.s.control["yunnan"] == "united_states"
    # While French Indo-China was Japanese from the start and becomes British.
    t = table("united_kingdom", units={"burma": {"united_kingdom": "infantry"}})
    t.do(move("infantry", "burma > french_indo_china_thailand"), Done())
    assert t.s.control["french_indo_china_thailand"] == "united_kingdom"


@pytest.mark.rule("aa1942:capital.capture.treasury")
def test_loot_goes_even_to_a_power_without_its_capital() -> None:
    """p.19: Germany, Berlin lost, takes Moscow and collects the Soviet treasury."""
    t = table(
        "germany",
        units={"west_russia": {"germany": "tank"}},
        control={"germany": "united_kingdom"},
        treasury={"soviet_union": 18, "germany": 0},
    )
    t.do(move("tank", "west_russia > russia"), Done(), Done())
    assert t.s.treasury["germany"] == 18
    assert t.s.treasury["soviet_union"] == 0


@pytest.mark.rule("aa1942:capital.liberate.revert")
def test_a_freed_capital_brings_back_what_allies_held() -> None:
    """p.19: Karelia and Archangel, held by the UK and the US meanwhile, become Soviet again."""
    t = table(
        "united_kingdom",
        units={"archangel": {"united_kingdom": "tank"}},
        control={
            "russia": "germany",
            "karelia_ssr": "united_kingdom",
            "archangel": "united_states",
            "caucasus": "germany",
        },
        damage={"karelia_ssr": 2},
    )
    t.do(move("tank", "archangel > russia"), Done())
    assert t.s.control["russia"] == "soviet_union"
    assert t.s.control["karelia_ssr"] == "soviet_union"
    assert t.s.control["archangel"] == "soviet_union"
    assert t.s.control["caucasus"] == "germany"
    assert t.s.complexes["karelia_ssr"] == 2


@pytest.mark.rule("aa1942:liberate.capital-lost", "aa1942:liberate.capital-lost.until")
def test_a_complex_held_for_an_ally_works_until_the_capital_is_free() -> None:
    """p.19: the UK captures Karelia while Moscow is German and builds there next turn."""
    t = table(
        "united_kingdom",
        units={"archangel": {"united_kingdom": "infantry"}},
        control={"russia": "germany", "karelia_ssr": "germany"},
        bought={"infantry": 1},
        treasury={"united_kingdom": 6},
    )
    t.do(move("infantry", "archangel > karelia_ssr"), Done(), Done())
    assert t.s.control["karelia_ssr"] == "united_kingdom"
    t.refused(Place("karelia_ssr", {"infantry": 1}), "mobilize.ic.not-new")
    t.do(Place("united_kingdom", {"infantry": 1}))
    pass_turns(t, "united_kingdom").do(Buy({"infantry": 2}))
    pass_to(t, "mobilize").do(Place("karelia_ssr", {"infantry": 2}))


@pytest.mark.rule("aa1942:capital.capture.treasury", "aa1942:capital.lost.phases")
def test_a_capital_lost_and_freed_in_one_round() -> None:
    """p.19: Germany loots Moscow, the UK frees it, the Soviets buy from nothing and collect."""
    t = table(
        "germany",
        units={
            "west_russia": {"germany": "tank"},
            "archangel": {"united_kingdom": "tank"},
        },
        treasury={"soviet_union": 20, "germany": 0},
    )
    t.do(move("tank", "west_russia > russia"), Done(), Done())
    assert t.s.treasury["germany"] == 20 + 41 + 8
    t.do(Buy(), move("tank", "archangel > russia"), Done())
    t.dice(1).dice(6)
    assert t.s.control["russia"] == "soviet_union"
    t.do(Done())
    pass_turns(t, "soviet_union")
    assert t.asked == "soviet_union purchase"
    t.refused(Buy({"infantry": 1}), "purchase.afford")
    pass_turn(t)
    assert t.s.treasury["soviet_union"] == 24


@pytest.mark.rule("aa1942:combat.conclude.ic")
def test_complexes_change_hands_with_their_damage_and_are_never_lost() -> None:
    """p.18, p.25: India with 2 damage falls to Japan; its complex stands, usable next turn."""
    t = table(
        "japan",
        units={"burma": {"japan": "infantry"}},
        control={"burma": "japan"},
        damage={"india": 2},
        bought={"infantry": 1},
        treasury={"japan": 6},
    )
    t.do(move("infantry", "burma > india"), Done(), Done())
    t.refused(Place("india", {"infantry": 1}), "mobilize.ic.not-new")
    t.do(Place("japan", {"infantry": 1}))
    assert t.s.complexes["india"] == 2
    pass_turns(t, "japan").do(Buy({"infantry": 2}))
    pass_to(t, "mobilize")
    t.refused(Place("india", {"infantry": 2}), "mobilize.limit.damage")
    t.do(Place("india", {"infantry": 1}))


# --- noncombat ---------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:noncombat.eligible")
def test_who_won_a_battle_stays() -> None:
    """p.21: neither the infantry nor the ships that fought move again."""
    t = land("2 infantry", "infantry")
    t.dice(1, 1).dice(6)
    t.refused(move("infantry", "west_russia > russia"), "noncombat.eligible")
    t = sea("cruiser", "transport", "united_kingdom")
    t.refused(move("cruiser", "sz8 > sz9"), "noncombat.eligible")


@pytest.mark.rule("aa1942:noncombat.land", "aa1942:def.territory.friendly")
def test_land_units_enter_an_allys_territory() -> None:
    """p.21: friendly is any territory of one's side."""
    t = table("united_kingdom", "noncombat_move", {"persia": {"united_kingdom": "tank"}})
    t.do(move("tank", "persia > caucasus > russia"))
    assert t.units("russia", "united_kingdom") == {"tank": 1}
    assert t.s.control["russia"] == "soviet_union"


@pytest.mark.rule("aa1942:noncombat.sea")
def test_no_surface_ship_enters_a_hostile_zone_in_noncombat_movement() -> None:
    """p.21: neither into it nor through it."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"sz9": {"united_kingdom": "battleship"}, "sz8": {"germany": "destroyer"}},
    )
    t.refused(move("battleship", "sz9 > sz8"), "noncombat.sea")
    t.refused(move("battleship", "sz9 > sz8 > sz6"), "noncombat.sea")


@pytest.mark.rule("aa1942:noncombat.sea", "aa1942:noncombat.eligible")
def test_ships_sail_through_a_zone_cleared_this_turn() -> None:
    """p.21: once the battle is won the zone is friendly for ships that have not moved."""
    t = table(
        "united_kingdom",
        units={
            "sz9": {"united_kingdom": "2 cruiser"},
            "sz8": {"germany": "destroyer"},
        },
    )
    t.do(move("cruiser", "sz9 > sz8"), Done())
    t.dice(1).dice(6)
    t.do(move("cruiser", "sz9 > sz8 > sz6"), Done())


# --- stories -----------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:unit.carrier.guest-turn", "aa1942:carrier.guest.cargo")
def test_a_guest_over_three_powers_turns() -> None:
    """p.20, p.28: a British fighter lands on an American carrier, rides in the American turn, and
    flies from there in the next British one."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "sz7": {"united_states": "aircraft_carrier"},
            "united_kingdom": {"united_kingdom": "fighter"},
            "norway": {"germany": "infantry"},
        },
    )
    t.do(move("fighter", "united_kingdom > sz7"))
    pass_turns(t, "united_states").do(Buy())
    assert t.cargo("sz7", "united_states") == [["united_kingdom fighter"]]
    pass_to(t, "noncombat_move").do(move("aircraft_carrier", "sz7 > sz6"))
    pass_turns(t, "united_kingdom").do(Buy())
    t.do(move("fighter", "sz6 > norway"), Done())
    t.dice(1).dice(6)
    t.do(move("fighter", "norway > sz6"), Done())
    assert t.asked == "japan purchase"
    assert t.cargo("sz6", "united_states") == [["united_kingdom fighter"]]


@pytest.mark.rule("aa1942:combat-move.start-hostile.trigger", "aa1942:mobilize.sea")
def test_ships_built_beside_an_enemy_fleet_force_its_hand() -> None:
    """p.12, p.22: Germany builds beside a British cruiser, which has to fight or leave."""
    t = table(
        "germany",
        "mobilize",
        {"sz5": {"united_kingdom": "cruiser"}},
        bought={"destroyer": 1, "submarine": 1},
    )
    t.do(Place("sz5", {"destroyer": 1, "submarine": 1}))
    t.do(Buy(), Done())
    assert t.asked == "germany submerge_or_strike"


@pytest.mark.rule("aa1942:combat-move.start-hostile.trigger")
def test_a_lone_submarine_built_there_forces_nobody() -> None:
    """p.12: as above, with a submarine only; the cruiser may stay and move later."""
    t = table(
        "germany", "mobilize", {"sz5": {"united_kingdom": "cruiser"}}, bought={"submarine": 1}
    )
    t.do(Place("sz5", {"submarine": 1}))
    t.do(Buy(), Done())
    assert t.request.optional == ("sz5",)
    t.do(Done(), move("cruiser", "sz5 > sz6"))


# --- what comes from outside -------------------------------------------------------------------


def test_a_load_of_nothing_is_no_assault() -> None:
    """A transport that loads nothing and lands nowhere does not move in combat movement."""
    t = table(
        "united_kingdom",
        units={"sz7": {"united_kingdom": "transport"}},
    )
    nothing = {"territory": "united_kingdom", "zone": "sz7", "units": {}}
    t.refused({"kind": "sail", "path": ["sz7", "sz6"], "load": [nothing]})
    t = table("united_kingdom", "noncombat_move", {"sz7": {"united_kingdom": "transport"}})
    t.refused({"kind": "sail", "path": ["sz7", "sz6"], "load": [nothing]})


def test_cargo_is_asked_of_ships_only() -> None:
    """A move of land or air units that names cargo is refused, not a defect."""
    t = table(
        "soviet_union",
        units={
            "russia": {"soviet_union": "infantry, fighter"},
            "west_russia": {"germany": "infantry"},
        },
    )
    for type_ in ("infantry", "fighter"):
        t.refused(move(type_, "russia > west_russia", cargo={"infantry": 1}))


@pytest.mark.parametrize("phase", ["mobilize", "collect_income"])
def test_no_fighter_hangs_over_the_sea_after_noncombat_movement(phase: str) -> None:
    """p.26: a position in a later phase has all its fighters on decks, old or new."""
    at_sea = {"sz11": {"united_states": "fighter"}}
    with pytest.raises(sandtable.PositionError):
        table("united_states", phase, at_sea)
    t = table("united_states", "mobilize", at_sea, bought={"aircraft_carrier": 1})
    t.do(Place("sz11", {"aircraft_carrier": 1}))
    assert t.units("sz11", "united_states") == {"aircraft_carrier": 1, "fighter": 1}


@pytest.mark.rule("aa1942:noncombat.stranded")
def test_stranded_defenders_can_be_set_up() -> None:
    """p.21: a position in noncombat movement may hold a defending fighter without a deck."""
    t = table("japan", "noncombat_move", {"sz35": {"united_kingdom": "fighter"}})
    assert t.asked == "japan noncombat_move"
    assert t.units("india", "united_kingdom") == {"fighter": 1}


def test_decisions_as_plain_data() -> None:
    """A whole assault given as dictionaries, as a program would."""
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport, cruiser"},
            "united_kingdom": {"united_kingdom": "infantry, tank"},
            "norway": {"germany": "infantry"},
        },
    )
    game = t.game
    game.submit(
        "united_kingdom",
        {
            "kind": "sail",
            "path": ["sz7", "sz6"],
            "load": [
                {
                    "territory": "united_kingdom",
                    "zone": "sz7",
                    "units": {"infantry": 1, "tank": 1},
                }
            ],
            "offload": "norway",
        },
    )
    game.submit("united_kingdom", {"kind": "move", "units": {"cruiser": 1}, "path": ["sz7", "sz6"]})
    game.submit("united_kingdom", {"kind": "done"})
    game.submit("united_kingdom", {"kind": "bombard", "ships": {"sz6": {"cruiser": 1}}})
    t.dice(3).dice(6, 6).dice(6)
    assert t.s.control["norway"] == "united_kingdom"


def test_own_fighters_may_be_given_as_a_carriers_load() -> None:
    """p.27: in a position a carrier's load may name its own power's fighters, guests, or both."""
    load = {"united_kingdom": {"fighter": 1}, "united_states": {"fighter": 1}}
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"sz7": {"united_kingdom": "aircraft_carrier"}},
        cargo={"sz7": {"united_kingdom": [{"ship": "aircraft_carrier", "load": load}]}},
    )
    assert t.units("sz7", "united_kingdom") == {"aircraft_carrier": 1, "fighter": 1}
    assert t.cargo("sz7", "united_kingdom") == [["united_states fighter"]]
    t.do(move("fighter", "sz7 > united_kingdom"))


@pytest.mark.rule("aa1942:noncombat.transport", "aa1942:amphib.sea-combat.all-participate")
def test_a_transport_in_a_zone_where_its_fleet_fought_was_in_the_fight() -> None:
    """p.16, p.21: the destroyer attacks a submarine beside the transport, which loads no more."""
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "destroyer, transport", "germany": "submarine"},
            "united_kingdom": {"united_kingdom": "infantry"},
        },
    )
    t.do(Done(), Fight("sz7"))
    t.dice(1).dice(6)
    t.refused(sail("sz7", "infantry from united_kingdom in sz7"), "noncombat.transport")


@pytest.mark.rule("aa1942:combat-move.blitz.control", "aa1942:amphib.land.overland-join")
def test_a_blitz_through_the_goal_of_a_landing() -> None:
    """p.13: the tank takes empty Egypt on its way; the infantry still goes ashore there."""
    t = table(
        "germany",
        units={"libya": {"germany": "tank"}, "sz17": {"germany": "transport"}},
        cargo=aboard("sz17", "germany", {"germany": {"infantry": 1}}),
    )
    t.do(sail("sz17", offload="egypt"), move("tank", "libya > egypt > trans_jordan"), Done())
    assert t.units("egypt", "germany") == {"infantry": 1}
    assert [event["space"] for event in t.events("captured")] == ["egypt", "trans_jordan"]
