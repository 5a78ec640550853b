"""Phase 5: Mobilize New Units (p.22), and industrial complexes (p.25)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.aa1942.table import Buy, Done, Place, Table, move, sail, table
from tests.aa1942.turns import pass_to, pass_turns


def placing(power: str, bought: dict[str, int], units: Any = None, **position: Any) -> Table:
    """A power with units to place."""
    return table(power, "mobilize", units, bought=bought, **position)


# Which complexes.


@pytest.mark.rule("aa1942:mobilize.where", "aa1942:unit.ic.entry-point")
@pytest.mark.parametrize("unit", ["infantry", "artillery", "tank", "fighter", "bomber"])
def test_units_enter_only_where_a_complex_is(unit: str) -> None:
    t = placing("germany", {unit: 2})
    for land in ("poland", "france", "norway", "russia", "japan", "turkey"):
        t.refused(Place(land, {unit: 1}))
    t.refused(Place("poland", {unit: 1}), "mobilize.where")
    t.do(Place("germany", {unit: 1}), Place("italy", {unit: 1}))
    assert t.units("germany", "germany") == t.units("italy", "germany") == {unit: 1}


@pytest.mark.rule("aa1942:mobilize.where")
def test_an_enemy_complex_serves_nobody_else() -> None:
    t = placing("germany", {"infantry": 1, "submarine": 1})
    t.refused(Place("karelia_ssr", {"infantry": 1}), "mobilize.where")
    t.refused(Place("sz4", {"submarine": 1}), "mobilize.sea")


@pytest.mark.rule("aa1942:mobilize.where", "aa1942:unit.ic.entry-point")
def test_a_complex_held_since_the_turn_began_is_used_whoever_built_it() -> None:
    t = placing(
        "germany",
        {"tank": 4, "submarine": 1},
        control={"caucasus": "germany", "karelia_ssr": "germany"},
    )
    t.do(Place("caucasus", {"tank": 4}), Place("sz4", {"submarine": 1}))
    assert t.units("caucasus", "germany") == {"tank": 4}
    assert t.units("sz4", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:unit.ic.entry-point")
def test_without_a_complex_nothing_enters() -> None:
    none = {land: {"germany": "0 industrial_complex"} for land in ("germany", "italy")}
    t = placing("germany", {"infantry": 2, "industrial_complex": 1}, none)
    assert not {"germany", "italy"} & set(t.s.complexes)
    t.refused(Place("germany", {"infantry": 1}), "mobilize.where")
    t.do(Place("poland", {"industrial_complex": 1}))
    before = t.s.treasury["germany"]
    t.do(Done())
    assert t.s.treasury["germany"] == before + 6 + 41


@pytest.mark.rule("aa1942:mobilize.ic.not-new", "aa1942:combat.conclude.ic")
def test_a_complex_captured_this_turn_is_not_used_before_the_next() -> None:
    t = table(
        "germany",
        "purchase",
        {"ukraine_ssr": {"germany": "infantry"}},
        damage={"caucasus": 1},
    )
    t.do(Buy({"infantry": 1}), move("infantry", "ukraine_ssr > caucasus"), Done(), Done())
    t.refused(Place("caucasus", {"infantry": 1}), "mobilize.ic.not-new")
    t.refused(Place("sz16", {"infantry": 1}))
    pass_turns(t, "germany")
    assert t.s.complexes["caucasus"] == 1
    t.do(Buy({"infantry": 5}))
    pass_to(t, "mobilize")
    t.refused(Place("caucasus", {"infantry": 4}), "mobilize.limit.damage")
    t.do(Place("caucasus", {"infantry": 3}))
    assert t.units("caucasus", "germany") == {"infantry": 4}


@pytest.mark.rule("aa1942:mobilize.ic.not-new", "aa1942:mobilize.sea")
def test_no_ship_enters_by_a_complex_captured_this_turn() -> None:
    t = placing(
        "germany",
        {"submarine": 1},
        control={"karelia_ssr": "germany"},
        control_at_start={"karelia_ssr": "soviet_union"},
    )
    t.refused(Place("sz4", {"submarine": 1}), "mobilize.sea")
    t.do(Place("sz5", {"submarine": 1}))


@pytest.mark.rule("aa1942:mobilize.ic.not-new", "aa1942:unit.ic.entry-point")
def test_a_complex_built_this_turn_serves_from_the_next() -> None:
    t = placing("united_kingdom", {"industrial_complex": 1, "infantry": 1, "destroyer": 1})
    t.do(Place("egypt", {"industrial_complex": 1}))
    t.refused(Place("egypt", {"infantry": 1}), "mobilize.ic.not-new")
    t.refused(Place("sz17", {"destroyer": 1}), "mobilize.sea")
    t.do(Place("india", {"infantry": 1}), Place("sz35", {"destroyer": 1}))
    pass_turns(t, "united_kingdom")
    t.do(Buy({"infantry": 1, "destroyer": 1}))
    pass_to(t, "mobilize")
    t.do(Place("egypt", {"infantry": 1}), Place("sz17", {"destroyer": 1}))
    assert t.units("egypt", "united_kingdom") == {"infantry": 1}


@pytest.mark.rule("aa1942:mobilize.ic.not-ally")
def test_an_allys_complex_is_never_used() -> None:
    t = placing("united_kingdom", {"infantry": 1, "transport": 1, "fighter": 1})
    for land in ("russia", "karelia_ssr", "eastern_united_states"):
        t.refused(Place(land, {"infantry": 1}), "mobilize.ic.not-ally")
        t.refused(Place(land, {"fighter": 1}), "mobilize.ic.not-ally")
    t.refused(Place("sz11", {"transport": 1}), "mobilize.sea")
    t.refused(Place("sz4", {"transport": 1}), "mobilize.sea")


@pytest.mark.rule("aa1942:mobilize.ic.not-ally", "aa1942:unit.ic.liberated")
def test_a_freed_complex_serves_its_owner_from_the_owners_next_turn() -> None:
    t = table(
        "united_kingdom",
        "purchase",
        {"archangel": {"united_kingdom": "infantry"}},
        control={"karelia_ssr": "germany"},
    )
    t.do(Buy({"infantry": 1}), move("infantry", "archangel > karelia_ssr"), Done(), Done())
    assert t.s.control["karelia_ssr"] == "soviet_union"
    t.refused(Place("karelia_ssr", {"infantry": 1}), "mobilize.ic.not-ally")
    pass_turns(t, "soviet_union")
    t.do(Buy({"infantry": 2}))
    pass_to(t, "mobilize")
    t.do(Place("karelia_ssr", {"infantry": 2}))
    assert t.units("karelia_ssr", "soviet_union") == {"infantry": 2}


@pytest.mark.rule("aa1942:unit.ic.liberated", "aa1942:mobilize.ic.not-new")
def test_a_power_that_frees_its_own_territory_waits_as_well() -> None:
    t = table(
        "soviet_union",
        "purchase",
        {"archangel": {"soviet_union": "infantry"}},
        control={"karelia_ssr": "germany"},
    )
    t.do(Buy({"infantry": 1}), move("infantry", "archangel > karelia_ssr"), Done(), Done())
    assert t.s.control["karelia_ssr"] == "soviet_union"
    t.refused(Place("karelia_ssr", {"infantry": 1}), "mobilize.ic.not-new")
    pass_turns(t, "soviet_union")
    t.do(Buy({"infantry": 1}))
    pass_to(t, "mobilize").do(Place("karelia_ssr", {"infantry": 1}))


@pytest.mark.rule("aa1942:capital.liberate.revert", "aa1942:mobilize.ic.not-ally")
def test_a_complex_in_custody_is_lost_to_its_keeper_when_the_capital_is_freed() -> None:
    """The United Kingdom held Karelia since the turn began, and hands it back in the turn."""
    t = table(
        "united_kingdom",
        "purchase",
        {"archangel": {"united_kingdom": "infantry"}},
        control={"russia": "germany", "karelia_ssr": "united_kingdom"},
    )
    t.do(Buy({"infantry": 2, "submarine": 1}), move("infantry", "archangel > russia"), Done())
    assert t.s.control["karelia_ssr"] == "soviet_union"
    pass_to(t, "mobilize")
    t.refused(Place("karelia_ssr", {"infantry": 1}), "mobilize.ic.not-ally")
    t.refused(Place("sz4", {"submarine": 1}), "mobilize.sea")
    t.do(Place("united_kingdom", {"infantry": 2}))


# How many.


@pytest.mark.rule("aa1942:mobilize.limit.value")
@pytest.mark.parametrize(
    ("power", "land", "limit"),
    [
        ("germany", "germany", 10),
        ("germany", "italy", 3),
        ("soviet_union", "karelia_ssr", 2),
        ("soviet_union", "caucasus", 4),
        ("united_kingdom", "india", 3),
        ("japan", "japan", 8),
        ("united_states", "eastern_united_states", 12),
    ],
)
def test_a_complex_brings_in_as_many_units_as_its_territory_is_worth(
    power: str, land: str, limit: int
) -> None:
    t = placing(power, {"infantry": 30})
    t.refused(Place(land, {"infantry": limit + 1}), "mobilize.limit.value")
    t.do(Place(land, {"infantry": limit}))
    t.refused(Place(land, {"infantry": 1}), "mobilize.limit.value")
    assert t.units(land, power) == {"infantry": limit}


@pytest.mark.rule("aa1942:mobilize.limit.value")
def test_ships_next_door_and_fighters_on_carriers_count() -> None:
    t = placing("japan", {"infantry": 4, "destroyer": 2, "fighter": 2, "aircraft_carrier": 1})
    t.do(Place("sz60", {"aircraft_carrier": 1, "fighter": 2}), Place("sz62", {"destroyer": 2}))
    t.refused(Place("japan", {"infantry": 4}), "mobilize.limit.value")
    t.do(Place("japan", {"infantry": 3}))
    for space in ("japan", "sz60", "sz62"):
        unit = "infantry" if space == "japan" else "destroyer"
        t.refused(Place(space, {unit: 1}))
    t.do(Done())
    assert t.events("refunded")[-1]["ipcs"] == 3


@pytest.mark.rule("aa1942:mobilize.limit.value")
def test_two_complexes_serve_one_zone_by_any_assignment_that_works() -> None:
    """Germany (10) and Karelia (2) share the Baltic; Karelia alone has the White Sea."""
    control = {"karelia_ssr": "germany"}
    t = placing("germany", {"submarine": 12, "infantry": 12}, control=control)
    t.do(Place("sz5", {"submarine": 10}))
    # Germany's ten are taken by the ships, or Karelia's two and eight of Germany's: still open.
    t.do(Place("germany", {"infantry": 2}))
    t.refused(Place("germany", {"infantry": 1}), "mobilize.limit.value")
    for space in ("karelia_ssr", "sz4", "sz5"):
        unit = "infantry" if space == "karelia_ssr" else "submarine"
        t.refused(Place(space, {unit: 1}), "mobilize.limit.value")


@pytest.mark.rule("aa1942:mobilize.limit.value")
def test_ships_of_a_shared_zone_give_way_to_units_that_have_no_other_door() -> None:
    control = {"karelia_ssr": "germany"}
    t = placing("germany", {"submarine": 12, "infantry": 12}, control=control)
    t.do(Place("sz5", {"submarine": 8}), Place("sz4", {"submarine": 1}))
    t.do(Place("karelia_ssr", {"infantry": 1}))
    # Karelia is full, so the eight in the Baltic came through Germany, which has two left.
    t.refused(Place("karelia_ssr", {"infantry": 1}), "mobilize.limit.value")
    t.refused(Place("sz5", {"submarine": 3}), "mobilize.limit.value")
    t.do(Place("sz5", {"submarine": 1}), Place("germany", {"infantry": 1}))
    t.refused(Place("sz5", {"submarine": 1}), "mobilize.limit.value")


@pytest.mark.rule("aa1942:mobilize.limit.value", "aa1942:mobilize.limit.damage")
def test_a_shared_zone_with_one_damaged_complex() -> None:
    t = placing(
        "germany",
        {"submarine": 12},
        control={"karelia_ssr": "germany"},
        damage={"germany": 9, "karelia_ssr": 1},
    )
    t.refused(Place("sz5", {"submarine": 3}), "mobilize.limit.damage")
    t.do(Place("sz5", {"submarine": 2}))
    t.refused(Place("sz4", {"submarine": 1}), "mobilize.limit.damage")


@pytest.mark.rule("aa1942:mobilize.limit.damage")
@pytest.mark.parametrize(("damage", "limit"), [(0, 3), (1, 2), (2, 1), (3, 0), (4, 0), (6, 0)])
def test_every_chip_lowers_the_limit_down_to_nothing(damage: int, limit: int) -> None:
    t = placing("germany", {"infantry": 20}, damage={"italy": damage})
    if limit:
        t.do(Place("italy", {"infantry": limit}))
    rule = "mobilize.limit.damage" if damage else "mobilize.limit.value"
    t.refused(Place("italy", {"infantry": 1}), rule)
    assert t.units("italy", "germany") == ({"infantry": limit} if limit else {})


@pytest.mark.rule("aa1942:mobilize.limit.damage")
def test_damage_does_not_spread_to_another_complex() -> None:
    t = placing("germany", {"infantry": 13}, damage={"italy": 6})
    t.do(Place("germany", {"infantry": 10}))
    t.refused(Place("italy", {"infantry": 1}), "mobilize.limit.damage")


@pytest.mark.rule("aa1942:mobilize.ic.indestructible")
def test_a_complex_with_all_its_damage_is_still_there() -> None:
    t = table(
        "united_kingdom",
        "purchase",
        {"united_kingdom": {"united_kingdom": "2 bomber"}},
        damage={"germany": 19},
    )
    t.do(Buy(), move("2 bomber", "united_kingdom > sz6 > northwestern_europe > germany", raid=True))
    t.do(Done()).dice(6, 6).dice(6, 6)
    assert t.s.complexes["germany"] == 20
    t.do(move("2 bomber", "germany > northwestern_europe > sz6 > united_kingdom"))
    pass_turns(t, "germany")
    t.do(Buy({"infantry": 7}, {"germany": 20}))
    pass_to(t, "mobilize").do(Place("germany", {"infantry": 7}))
    assert t.units("germany", "germany") == {"infantry": 7}


@pytest.mark.rule("aa1942:mobilize.ic.indestructible")
def test_a_battle_leaves_a_complex_alone() -> None:
    t = table(
        "germany",
        units={"ukraine_ssr": {"germany": "tank"}, "caucasus": {"soviet_union": "infantry"}},
        damage={"caucasus": 8},
    )
    t.do(move("tank", "ukraine_ssr > caucasus"), Done()).dice(1).dice(6)
    assert (t.s.control["caucasus"], t.s.complexes["caucasus"]) == ("germany", 8)


# Where each kind goes.


@pytest.mark.rule("aa1942:mobilize.land-bomber")
@pytest.mark.parametrize("unit", ["infantry", "artillery", "tank", "antiaircraft_artillery"])
def test_land_units_never_arrive_at_sea(unit: str) -> None:
    t = placing("united_kingdom", {unit: 1}, {"sz6": {"united_kingdom": "transport"}})
    t.refused(Place("sz6", {unit: 1}), "mobilize.land-bomber")
    t.do(Place("united_kingdom", {unit: 1}))
    assert t.cargo("sz6", "united_kingdom") == [[]]


@pytest.mark.rule("aa1942:mobilize.land-bomber")
def test_bombers_are_placed_on_land() -> None:
    t = placing("japan", {"bomber": 1}, {"sz60": {"japan": "aircraft_carrier"}})
    t.refused(Place("sz60", {"bomber": 1}), "mobilize.land-bomber")
    t.refused(Place("manchuria", {"bomber": 1}), "mobilize.where")
    t.do(Place("japan", {"bomber": 1}))


@pytest.mark.rule("aa1942:mobilize.sea", "aa1942:unit.sea.scope")
@pytest.mark.parametrize(
    "unit", ["battleship", "aircraft_carrier", "cruiser", "destroyer", "submarine", "transport"]
)
def test_ships_are_placed_in_zones_next_to_a_complex(unit: str) -> None:
    t = placing("united_kingdom", {unit: 4})
    t.refused(Place("united_kingdom", {unit: 1}), "mobilize.sea")
    for zone in ("sz5", "sz3", "sz9", "sz36"):
        t.refused(Place(zone, {unit: 1}), "mobilize.sea")
    for zone in ("sz6", "sz7", "sz8", "sz35"):
        t.do(Place(zone, {unit: 1}))
        assert t.units(zone, "united_kingdom") == {unit: 1}


@pytest.mark.rule("aa1942:mobilize.sea")
def test_ships_are_placed_in_a_hostile_zone_and_no_battle_is_fought() -> None:
    t = placing(
        "united_kingdom", {"transport": 1, "destroyer": 1}, {"sz6": {"germany": "2 battleship"}}
    )
    t.do(Place("sz6", {"transport": 1, "destroyer": 1}))
    assert t.asked == "japan purchase"
    assert t.units("sz6", "united_kingdom") == {"transport": 1, "destroyer": 1}
    assert t.units("sz6", "germany") == {"battleship": 2}
    assert not t.events("battle_began")


@pytest.mark.rule("aa1942:mobilize.sea")
def test_a_landlocked_complex_builds_no_ships() -> None:
    t = placing("soviet_union", {"submarine": 3}, damage={"caucasus": 4, "karelia_ssr": 2})
    for zone in ("sz4", "sz5", "sz16"):
        t.refused(Place(zone, {"submarine": 1}), "mobilize.limit.damage")
    t.refused(Place("russia", {"submarine": 1}), "mobilize.sea")
    t.do(Done())
    assert t.events("refunded")[-1]["ipcs"] == 18


@pytest.mark.rule("aa1942:mobilize.fighter")
def test_fighters_go_to_land_or_to_an_own_carrier_with_room() -> None:
    t = placing("japan", {"fighter": 5}, {"sz60": {"japan": "aircraft_carrier, fighter"}})
    t.refused(Place("sz62", {"fighter": 1}), "mobilize.fighter")
    t.refused(Place("sz60", {"fighter": 2}), "mobilize.fighter")
    t.do(Place("sz60", {"fighter": 1}))
    t.refused(Place("sz60", {"fighter": 1}), "mobilize.fighter")
    t.do(Place("japan", {"fighter": 4}))
    assert t.units("sz60", "japan") == {"aircraft_carrier": 1, "fighter": 2}


@pytest.mark.rule("aa1942:mobilize.fighter")
@pytest.mark.parametrize("together", [True, False])
def test_fighters_go_on_a_carrier_that_is_placed_with_them_or_just_before(together: bool) -> None:
    t = placing("japan", {"fighter": 3, "aircraft_carrier": 1})
    t.refused(Place("sz60", {"fighter": 1}), "mobilize.fighter")
    t.refused(Place("sz60", {"aircraft_carrier": 1, "fighter": 3}), "mobilize.fighter")
    if together:
        t.do(Place("sz60", {"fighter": 2, "aircraft_carrier": 1}))
    else:
        t.do(Place("sz60", {"aircraft_carrier": 1}), Place("sz60", {"fighter": 2}))
    t.refused(Place("sz60", {"fighter": 1}), "mobilize.fighter")
    t.do(Place("japan", {"fighter": 1}))
    assert t.units("sz60", "japan") == {"aircraft_carrier": 1, "fighter": 2}


@pytest.mark.rule("aa1942:mobilize.fighter")
def test_the_carrier_may_be_in_a_hostile_zone_but_must_be_next_to_a_complex() -> None:
    t = placing(
        "japan",
        {"fighter": 2},
        {
            "sz60": {"japan": "aircraft_carrier", "united_states": "battleship"},
            "sz61": {"japan": "aircraft_carrier"},
        },
    )
    t.refused(Place("sz61", {"fighter": 1}), "mobilize.sea")
    t.do(Place("sz60", {"fighter": 2}))
    assert t.units("sz60", "japan") == {"aircraft_carrier": 1, "fighter": 2}


@pytest.mark.rule("aa1942:mobilize.fighter", "aa1942:mobilize.ic.not-new")
def test_no_fighter_joins_a_carrier_off_a_complex_taken_this_turn() -> None:
    t = placing(
        "germany",
        {"fighter": 1},
        {"sz16": {"germany": "aircraft_carrier"}},
        control={"caucasus": "germany"},
        control_at_start={"caucasus": "soviet_union"},
    )
    t.refused(Place("sz16", {"fighter": 1}), "mobilize.sea")
    t.do(Place("germany", {"fighter": 1}))


@pytest.mark.rule("aa1942:mobilize.fighter.no-ally-carrier")
def test_a_new_fighter_does_not_go_on_an_allys_carrier() -> None:
    t = placing(
        "united_kingdom", {"fighter": 1}, {"sz6": {"united_states": "aircraft_carrier, destroyer"}}
    )
    t.refused(Place("sz6", {"fighter": 1}), "mobilize.fighter.no-ally-carrier")
    t.do(Place("united_kingdom", {"fighter": 1}))
    assert t.cargo("sz6", "united_states") == [[]]


@pytest.mark.rule("aa1942:mobilize.fighter.no-ally-carrier", "aa1942:mobilize.fighter")
def test_an_allys_deck_is_no_room_for_new_fighters_beside_an_own_carrier() -> None:
    t = placing(
        "united_kingdom",
        {"fighter": 4},
        {"sz6": {"united_states": "aircraft_carrier", "united_kingdom": "aircraft_carrier"}},
    )
    t.refused(Place("sz6", {"fighter": 3}), "mobilize.fighter.no-ally-carrier")
    t.do(Place("sz6", {"fighter": 2}))
    t.refused(Place("sz6", {"fighter": 1}), "mobilize.fighter.no-ally-carrier")
    t.do(Place("united_kingdom", {"fighter": 2}))
    assert t.cargo("sz6", "united_states") == [[]]
    assert t.units("sz6", "united_kingdom") == {"aircraft_carrier": 1, "fighter": 2}


@pytest.mark.rule("aa1942:mobilize.fighter")
def test_own_fighters_on_an_allys_carrier_leave_the_own_decks_free() -> None:
    t = placing(
        "united_kingdom",
        {"fighter": 3},
        {
            "sz6": {
                "united_states": "aircraft_carrier",
                "united_kingdom": "aircraft_carrier, 2 fighter",
            }
        },
    )
    t.refused(Place("sz6", {"fighter": 3}), "mobilize.fighter")
    t.do(Place("sz6", {"fighter": 1}), Place("sz6", {"fighter": 1}))
    t.refused(Place("sz6", {"fighter": 1}), "mobilize.fighter")
    t.do(Place("united_kingdom", {"fighter": 1}))
    assert t.game.rules.audit(t.s) == []


@pytest.mark.rule("aa1942:mobilize.fighter")
def test_guests_take_up_room_on_an_own_carrier() -> None:
    t = placing(
        "united_kingdom",
        {"fighter": 2},
        {"sz6": {"united_states": "fighter", "united_kingdom": "aircraft_carrier"}},
    )
    t.refused(Place("sz6", {"fighter": 2}), "mobilize.fighter")
    t.do(Place("sz6", {"fighter": 1}))
    t.refused(Place("sz6", {"fighter": 1}), "mobilize.fighter")


@pytest.mark.rule("aa1942:mobilize.fighter")
def test_a_fighter_that_waits_for_the_new_carrier_has_the_first_place_on_it() -> None:
    t = table(
        "japan",
        "noncombat_move",
        {"manchuria": {"japan": "fighter"}},
        bought={"aircraft_carrier": 1, "fighter": 2},
    )
    t.do(move("fighter", "manchuria > sz62"), Done())
    t.refused(Place("sz60", {"aircraft_carrier": 1}), "unit.air.landing-proof.commit-new")
    t.refused(Place("sz62", {"aircraft_carrier": 1, "fighter": 2}), "mobilize.fighter")
    t.do(Place("sz62", {"aircraft_carrier": 1, "fighter": 1}), Place("japan", {"fighter": 1}))
    assert t.units("sz62", "japan") == {"aircraft_carrier": 1, "fighter": 2}


@pytest.mark.rule("aa1942:mobilize.limit.value")
def test_the_carrier_that_a_fighter_waits_for_has_its_share_of_the_capacity() -> None:
    t = table(
        "japan",
        "noncombat_move",
        {"manchuria": {"japan": "fighter"}},
        bought={"aircraft_carrier": 1, "infantry": 8},
    )
    t.do(move("fighter", "manchuria > sz62"), Done())
    t.refused(Place("japan", {"infantry": 8}), "unit.air.landing-proof.commit-new")
    t.do(Place("japan", {"infantry": 7}), Place("sz62", {"aircraft_carrier": 1}), Done())
    assert t.events("refunded")[-1]["units"] == {"infantry": 1}
    assert t.units("sz62", "japan") == {"aircraft_carrier": 1, "fighter": 1}


# New complexes.


@pytest.mark.rule("aa1942:mobilize.ic.place")
@pytest.mark.parametrize(
    ("land", "legal"),
    [
        ("egypt", True),
        ("union_of_south_africa", True),
        ("persia", True),
        ("new_zealand", True),
        ("gibraltar", False),
        ("iceland", False),
        ("anglo_egyptian_sudan", False),
        ("burma", False),  # taken this turn
        ("france", False),  # enemy
        ("alaska", False),  # ally
        ("turkey", False),
        ("sz6", False),
    ],
)
def test_a_complex_is_built_in_territory_of_value_held_since_the_turn_began(
    land: str, legal: bool
) -> None:
    t = placing("united_kingdom", {"industrial_complex": 1}, control_at_start={"burma": "japan"})
    place = Place(land, {"industrial_complex": 1})
    if legal:
        t.do(place)
        assert t.s.complexes[land] == 0
    else:
        t.refused(place, "mobilize.ic.place")
        assert land not in t.s.complexes


@pytest.mark.rule("aa1942:mobilize.ic.place")
def test_a_complex_may_be_built_on_conquered_land_in_a_later_turn() -> None:
    t = placing("japan", {"industrial_complex": 1}, control={"burma": "japan"})
    t.do(Place("burma", {"industrial_complex": 1}))
    assert t.s.complexes["burma"] == 0


@pytest.mark.rule("aa1942:mobilize.ic.place")
def test_a_new_complex_uses_no_capacity_of_another() -> None:
    t = placing("united_kingdom", {"industrial_complex": 3, "infantry": 11})
    t.do(Place("united_kingdom", {"infantry": 8}), Place("india", {"infantry": 3}))
    for land in ("egypt", "persia", "burma"):
        t.do(Place(land, {"industrial_complex": 1}))
    assert t.asked == "japan purchase"


@pytest.mark.rule("aa1942:mobilize.ic.one")
def test_a_territory_has_one_complex() -> None:
    t = placing("united_kingdom", {"industrial_complex": 3})
    t.refused(Place("india", {"industrial_complex": 1}), "mobilize.ic.one")
    t.refused(Place("egypt", {"industrial_complex": 2}), "mobilize.ic.one")
    t.do(Place("egypt", {"industrial_complex": 1}))
    t.refused(Place("egypt", {"industrial_complex": 1}), "mobilize.ic.one")


@pytest.mark.rule("aa1942:mobilize.ic.one", "aa1942:mobilize.ic.indestructible")
def test_a_damaged_complex_is_not_replaced() -> None:
    t = placing("united_kingdom", {"industrial_complex": 1}, damage={"india": 6})
    t.refused(Place("india", {"industrial_complex": 1}), "mobilize.ic.one")


# Too many.


@pytest.mark.rule("aa1942:mobilize.overproduction")
def test_the_owner_chooses_which_units_go_back_at_their_price() -> None:
    t = placing("germany", {"infantry": 10, "tank": 10}, treasury={"germany": 1})
    t.do(Place("germany", {"tank": 4, "infantry": 6}))
    t.refused(Done(), "mobilize.overproduction")
    t.do(Place("italy", {"infantry": 1}), Place("italy", {"tank": 2}))
    t.do(Done())
    assert t.events("refunded") == [
        {"power": "germany", "units": {"infantry": 3, "tank": 4}, "ipcs": 33}
    ]
    assert t.s.treasury["germany"] == 1 + 33 + 41
    assert not t.s.bought


@pytest.mark.rule("aa1942:mobilize.overproduction")
def test_what_can_be_placed_is_not_given_back() -> None:
    t = placing("germany", {"submarine": 1, "industrial_complex": 1})
    t.refused(Done(), "mobilize.overproduction")
    t.do(Place("sz5", {"submarine": 1}))
    t.refused(Done(), "mobilize.overproduction")
    t.do(Place("poland", {"industrial_complex": 1}))
    assert t.asked == "united_kingdom purchase"
    assert not t.events("refunded")


@pytest.mark.rule("aa1942:mobilize.overproduction")
def test_units_shut_out_by_damage_are_given_back() -> None:
    t = placing(
        "germany", {"infantry": 2}, damage={"germany": 10, "italy": 3}, treasury={"germany": 0}
    )
    t.do(Done())
    assert t.s.treasury["germany"] == 6 + 41


@pytest.mark.rule("aa1942:mobilize.overproduction")
def test_without_anything_bought_nobody_is_asked() -> None:
    t = table("germany", "noncombat_move")
    t.do(Done())
    assert t.asked == "united_kingdom purchase"
    assert not t.events("refunded")


def test_placements_that_make_no_sense() -> None:
    t = placing("germany", {"infantry": 2})
    for bad in (
        Place("germany", {}),
        Place("germany", {"infantry": 0}),
        Place("germany", {"infantry": -1}),
        Place("germany", {"infantry": 3}),
        Place("germany", {"tank": 1}),
        Place("germany", {"infantry": 1, "elephant": 1}),
    ):
        t.refused(bad)
    t.refused(Place("atlantis", {"infantry": 1}), "map.spaces")
    t.refused(Place("germany", {"infantry": 1}), by="japan")


# Industrial complexes as units.


@pytest.mark.rule("aa1942:unit.ic.stats")
@pytest.mark.parametrize("phase", ["combat_move", "noncombat_move"])
def test_a_complex_does_not_move_and_is_not_carried(phase: str) -> None:
    units = {"sz5": {"germany": "transport"}, "germany": {"germany": "infantry"}}
    t = table("germany", phase, units)
    t.refused(move("industrial_complex", "germany > poland"), "unit.ic.stats")
    t.refused(
        sail("sz5", "industrial_complex from germany in sz5", offload="norway"), "unit.sea.carry"
    )
    t.refused(
        sail("sz5", "industrial_complex from germany in sz5", offload="karelia_ssr"),
        "unit.sea.carry",
    )


@pytest.mark.rule("aa1942:unit.ic.stats")
def test_a_complex_costs_15_and_neither_attacks_nor_defends() -> None:
    t = table("germany", "purchase", treasury={"germany": 14})
    t.refused(Buy({"industrial_complex": 1}), "purchase.afford")
    t = table(
        "germany",
        "purchase",
        {"ukraine_ssr": {"germany": "infantry"}, "caucasus": {"soviet_union": "infantry"}},
        treasury={"germany": 15},
    )
    t.do(Buy({"industrial_complex": 1}), move("infantry", "ukraine_ssr > caucasus"), Done())
    t.dice(6)
    assert t.request.dice == 1
    t.dice(6)


@pytest.mark.rule("aa1942:unit.ic.stats")
def test_its_only_defence_is_against_bombers_that_raid_it() -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "bomber"},
            "germany": {"germany": "infantry"},
        },
    )
    t.do(move("bomber", "united_kingdom > sz6 > northwestern_europe > germany", raid=True), Done())
    assert "complex" in t.rolling
    t.dice(1)
    assert t.units("germany", "united_kingdom") == {}
