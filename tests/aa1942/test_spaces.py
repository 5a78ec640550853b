"""Spaces on the game board (p.8-9): borders, who holds what, neutrals, canals, islands."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.aa1942.facts import load_facts
from sandtable.games.aa1942.rules.spaces import production
from tests.aa1942.table import Buy, Done, Place, Table, move, sail, table
from tests.aa1942.turns import pass_turns

FACTS = load_facts()
NEUTRALS = sorted(space.id for space in FACTS.spaces.values() if space.neutral)
SURFACE = ["battleship", "aircraft_carrier", "cruiser", "destroyer"]
OTHERS = ["submarine", "transport"]


# Spaces and borders.


@pytest.mark.rule("aa1942:map.spaces")
@pytest.mark.parametrize("nowhere", ["atlantis", "sz0", "sz66", "", "Russia"])
def test_there_is_nothing_but_spaces(nowhere: str) -> None:
    t = table("soviet_union", "noncombat_move", {"russia": {"soviet_union": "infantry"}})
    assert "no space" in t.refused(move("infantry", f"russia > {nowhere}"), "map.spaces")


@pytest.mark.rule("aa1942:map.spaces")
def test_a_unit_is_in_one_space_at_a_time() -> None:
    t = table("soviet_union", "noncombat_move", {"russia": {"soviet_union": "2 infantry"}})
    t.do(move("infantry", "russia > archangel"))
    assert t.units("russia", "soviet_union") == t.units("archangel", "soviet_union")
    assert t.units("russia", "soviet_union") == {"infantry": 1}
    t.refused(move("2 infantry", "russia > vologda"))


@pytest.mark.rule("aa1942:map.adjacency")
@pytest.mark.parametrize(
    ("unit", "path"),
    [
        ("infantry", "russia > karelia_ssr"),
        ("infantry", "russia > russia"),
        ("tank", "russia > karelia_ssr > archangel"),
        ("tank", "russia > archangel > caucasus"),
        ("fighter", "russia > karelia_ssr"),
        ("fighter", "russia > archangel > sz3 > united_kingdom"),
    ],
)
def test_a_step_goes_to_a_neighbouring_space(unit: str, path: str) -> None:
    t = table("soviet_union", "noncombat_move", {"russia": {"soviet_union": unit}})
    t.refused(move(unit, path), "map.adjacency")


@pytest.mark.rule("aa1942:map.adjacency")
def test_ships_step_only_to_neighbouring_zones() -> None:
    t = table("germany", "noncombat_move", {"sz5": {"germany": "cruiser"}})
    t.refused(move("cruiser", "sz5 > sz3"), "map.adjacency")
    t.do(move("cruiser", "sz5 > sz6 > sz3"))
    assert t.units("sz3", "germany") == {"cruiser": 1}


@pytest.mark.rule("aa1942:map.wrap.horizontal", "aa1942:map.wrap.listed-pairs")
@pytest.mark.parametrize(
    ("unit", "here", "there"),
    [
        ("infantry", "western_canada", "eastern_canada"),
        ("infantry", "western_united_states", "central_united_states"),
        ("infantry", "mexico", "east_mexico"),
        ("destroyer", "sz55", "sz19"),
        ("destroyer", "sz42", "sz20"),
        ("destroyer", "sz41", "sz21"),
        ("fighter", "western_canada", "eastern_canada"),
    ],
)
def test_the_left_and_right_edges_are_joined(unit: str, here: str, there: str) -> None:
    for start, end in [(here, there), (there, here)]:
        t = table("united_states", "noncombat_move", {start: {"united_states": unit}})
        t.do(move(unit, f"{start} > {end}"))
        assert t.units(end, "united_states") == {unit: 1}


@pytest.mark.rule("aa1942:map.wrap.horizontal")
def test_a_fighter_counts_one_move_across_the_edge() -> None:
    units = {"western_united_states": {"united_states": "fighter"}}
    t = table("united_states", "noncombat_move", units)
    t.do(
        move(
            "fighter",
            "western_united_states > central_united_states > eastern_united_states"
            " > eastern_canada > western_canada",
        )
    )
    assert t.units("western_canada", "united_states") == {"fighter": 1}


TOP = ["sz1", "sz2", "sz3", "sz4", "sz63", "sz64", "sz65", "archangel", "alaska", "greenland"]
BOTTOM = ["sz21", "sz25", "sz26", "sz30", "sz31", "sz38", "sz39", "sz40", "sz41", "new_zealand"]


@pytest.mark.rule("aa1942:map.wrap.no-vertical")
def test_the_upper_and_lower_edges_are_not_joined() -> None:
    for top in TOP:
        for bottom in BOTTOM:
            assert FACTS.air_distance[top][bottom] > 2, (top, bottom)
    t = table("united_states", "noncombat_move", {"sz64": {"united_states": "destroyer"}})
    for bottom in BOTTOM[:-1]:
        t.refused(move("destroyer", f"sz64 > {bottom}"), "map.adjacency")


@pytest.mark.rule("aa1942:map.income-value")
def test_territories_are_worth_1_to_12_or_nothing() -> None:
    values = {land: FACTS.spaces[land].ipc for land in FACTS.territories}
    assert max(values.values()) == values["eastern_united_states"] == 12
    assert {land for land, value in values.items() if not value} == {
        "anglo_egyptian_sudan",
        "caroline_islands",
        "east_mexico",
        "formosa",
        "gibraltar",
        "greenland",
        "iceland",
        "iwo_jima",
        "midway",
        "okinawa",
        "solomon_islands",
        "wake_island",
    }
    assert not any(FACTS.spaces[land].ipc for land in NEUTRALS)


@pytest.mark.rule("aa1942:map.income-value")
@pytest.mark.parametrize(
    ("land", "value"),
    [("gibraltar", 0), ("egypt", 2), ("india", 3), ("caucasus", 4), ("eastern_united_states", 12)],
)
def test_a_territory_pays_its_controller_its_value(land: str, value: int) -> None:
    t = table("germany", "collect_income", control={land: "germany"}, treasury={"germany": 0})
    assert t.s.treasury["germany"] == 41 + value


# Friendly, hostile, neutral.


@pytest.mark.rule("aa1942:def.territory.friendly")
@pytest.mark.parametrize("holder", ["united_kingdom", "soviet_union", "united_states"])
def test_territory_of_the_own_side_is_friendly(holder: str) -> None:
    units = {"india": {"united_kingdom": "infantry, tank"}}
    t = table("united_kingdom", "noncombat_move", units, control={"burma": holder})
    t.do(move("infantry", "india > burma"))
    t.do(move("tank", "india > burma > yunnan"))
    t = table("united_kingdom", "combat_move", units, control={"burma": holder})
    t.refused(move("infantry", "india > burma"), "combat-move.purpose")


@pytest.mark.rule("aa1942:def.territory.hostile")
@pytest.mark.parametrize("holder", ["germany", "japan"])
@pytest.mark.parametrize("garrison", [{}, {"infantry": 1}])
def test_territory_of_the_other_side_is_hostile_even_if_empty(
    holder: str, garrison: dict[str, int]
) -> None:
    units = {"india": {"united_kingdom": "infantry, tank"}}
    if garrison:
        units["burma"] = {holder: "infantry"}
    t = table("united_kingdom", "noncombat_move", units, control={"burma": holder})
    t.refused(move("infantry", "india > burma"), "noncombat.land")
    t.refused(move("tank", "india > burma > yunnan"), "noncombat.land")
    t = table("united_kingdom", "combat_move", units, control={"burma": holder})
    t.do(move("infantry", "india > burma"))


@pytest.mark.rule("aa1942:def.territory.neutral")
def test_nobody_controls_neutral_territory() -> None:
    t = table("germany")
    assert len(NEUTRALS) == 16
    assert not set(NEUTRALS) & set(t.s.control)
    assert {"turkey", "mongolia", "sahara"} <= set(NEUTRALS)


BORDERS = [
    ("germany", "infantry", "bulgaria_romania", "turkey"),
    ("germany", "tank", "germany", "switzerland"),
    ("germany", "fighter", "france", "spain_portugal"),
    ("germany", "infantry", "norway", "sweden"),
    ("germany", "tank", "libya", "sahara"),
    ("soviet_union", "infantry", "yakut_ssr", "mongolia"),
    ("united_kingdom", "infantry", "india", "himalaya"),
    ("united_kingdom", "tank", "persia", "afghanistan"),
    ("united_kingdom", "bomber", "united_kingdom", "eire"),
    ("united_kingdom", "infantry", "belgian_congo", "angola"),
    ("united_kingdom", "infantry", "rhodesia", "mozambique"),
    ("united_kingdom", "tank", "trans_jordan", "saudi_arabia"),
    ("united_states", "infantry", "brazil", "venezuela"),
    ("united_states", "infantry", "brazil", "peru_argentina"),
    ("united_states", "infantry", "central_america", "colombia_ecuador"),
    ("united_states", "fighter", "brazil", "chile"),
]


@pytest.mark.rule("aa1942:neutral.impassable", "aa1942:def.territory.neutral")
@pytest.mark.parametrize("phase", ["combat_move", "noncombat_move"])
@pytest.mark.parametrize(("power", "unit", "here", "neutral"), BORDERS)
def test_no_unit_enters_neutral_territory(
    power: str, unit: str, here: str, neutral: str, phase: str
) -> None:
    t = table(power, phase, {here: {power: unit}})
    t.refused(move(unit, f"{here} > {neutral}"), "neutral.impassable")
    assert neutral not in t.s.control


@pytest.mark.rule("aa1942:neutral.impassable")
@pytest.mark.parametrize("phase", ["combat_move", "noncombat_move"])
def test_no_unit_crosses_or_flies_over_neutral_territory(phase: str) -> None:
    units = {
        "bulgaria_romania": {"germany": "tank"},
        "france": {"germany": "fighter, bomber"},
        "caucasus": {"soviet_union": "infantry"},
        "gibraltar": {"united_kingdom": "infantry"},
    }
    t = table("germany", phase, units)
    t.refused(move("tank", "bulgaria_romania > turkey > caucasus"), "neutral.impassable")
    t.refused(move("fighter", "france > spain_portugal > gibraltar"), "neutral.impassable")
    t.refused(move("bomber", "france > switzerland > italy"), "neutral.impassable")
    t.refused(
        move("bomber", "france > spain_portugal > sz13 > gibraltar", raid=True),
        "neutral.impassable",
    )


@pytest.mark.rule("aa1942:neutral.impassable")
@pytest.mark.parametrize("phase", ["combat_move", "noncombat_move"])
def test_nothing_lands_in_neutral_territory(phase: str) -> None:
    units = {"sz15": {"germany": "transport"}, "italy": {"germany": "infantry"}}
    t = table("germany", phase, units)
    t.refused(sail("sz15", "infantry from italy in sz15", offload="turkey"), "neutral.impassable")
    t.refused(sail("sz15", "infantry from turkey in sz15", offload="libya"), "neutral.impassable")


@pytest.mark.rule("aa1942:def.sea-zone.hostile", "aa1942:def.surface-warship")
@pytest.mark.parametrize("enemy", SURFACE)
@pytest.mark.parametrize("own", ["cruiser", "transport", "submarine"])
def test_a_surface_warship_makes_a_zone_hostile(enemy: str, own: str) -> None:
    units = {"sz7": {"united_kingdom": own}, "sz6": {"germany": enemy}}
    t = table("united_kingdom", "noncombat_move", units)
    if own == "submarine":
        if enemy == "destroyer":
            t.refused(move(own, "sz7 > sz6 > sz5"), "sub.move.destroyer-stops")
        else:
            t.do(move(own, "sz7 > sz6 > sz5"))
        return
    t.refused(move(own, "sz7 > sz6"), "noncombat.sea")
    t.refused(move(own, "sz7 > sz6 > sz5"))
    t = table("united_kingdom", "combat_move", {"sz7": {"united_kingdom": "cruiser"}, **units})
    t.refused(move(own, "sz7 > sz6 > sz5"))


@pytest.mark.rule(
    "aa1942:def.sea-zone.friendly", "aa1942:def.sea-zone.hostile", "aa1942:def.surface-warship"
)
@pytest.mark.parametrize("enemy", [*OTHERS, ""])
@pytest.mark.parametrize("own", ["cruiser", "transport", "aircraft_carrier"])
def test_submarines_and_transports_do_not(enemy: str, own: str) -> None:
    units = {"sz7": {"united_kingdom": f"2 {own}"}}
    if enemy:
        units["sz6"] = {"germany": enemy}
    t = table("united_kingdom", "noncombat_move", units)
    t.do(move(own, "sz7 > sz6"))
    t.do(move(own, "sz7 > sz6 > sz5"))


@pytest.mark.rule("aa1942:def.sea-zone.friendly")
def test_ships_of_allies_do_not_make_a_zone_hostile() -> None:
    units = {"sz7": {"united_kingdom": "cruiser"}, "sz6": {"united_states": "battleship"}}
    t = table("united_kingdom", "noncombat_move", units)
    t.do(move("cruiser", "sz7 > sz6 > sz5"))


@pytest.mark.rule("aa1942:def.sea-zone.hostile")
def test_nothing_is_loaded_in_a_hostile_zone_but_beside_submarines_it_is() -> None:
    for enemy, legal in [("destroyer", False), ("submarine", True), ("transport", True)]:
        units = {
            "united_kingdom": {"united_kingdom": "infantry"},
            "sz6": {"united_kingdom": "transport", "germany": enemy},
        }
        t = table("united_kingdom", "noncombat_move", units)
        voyage = sail("sz6", "infantry from united_kingdom in sz6")
        if legal:
            t.do(voyage)
            assert t.cargo("sz6", "united_kingdom") == [["united_kingdom infantry"]]
        else:
            t.refused(voyage, "unit.transport.hostile")


@pytest.mark.rule("aa1942:def.surface-warship")
def test_a_submarine_is_a_warship_and_a_transport_is_none() -> None:
    """Past enemy submarines only a warship can cover a landing (p.13)."""
    units = {
        "united_kingdom": {"united_kingdom": "2 infantry"},
        "sz6": {"united_kingdom": "transport", "germany": "submarine"},
    }
    landing = sail("sz6", "2 infantry from united_kingdom in sz6", offload="norway")
    t = table("united_kingdom", units=units)
    t.refused(landing, "transport.assault.ignored-sub")
    units["sz6"] = {"united_kingdom": "2 transport", "germany": "submarine"}
    table("united_kingdom", units=units).refused(landing, "transport.assault.ignored-sub")
    units["sz6"] = {"united_kingdom": "transport, submarine", "germany": "submarine"}
    table("united_kingdom", units=units).do(landing)


# The Turkish straits.


@pytest.mark.rule("aa1942:option.straits-closed")
@pytest.mark.parametrize("phase", ["combat_move", "noncombat_move"])
@pytest.mark.parametrize(
    "unit", ["battleship", "aircraft_carrier", "cruiser", "destroyer", "submarine", "transport"]
)
def test_no_ship_enters_or_leaves_the_black_sea_if_the_straits_are_closed(
    unit: str, phase: str
) -> None:
    options = {"dardanelles": True}
    enemy = {"soviet_union": "submarine, destroyer"} if phase == "combat_move" else {}
    t = table("germany", phase, {"sz15": {"germany": unit}, "sz16": enemy}, options=options)
    t.refused(move(unit, "sz15 > sz16"), "option.straits-closed")
    t = table("germany", phase, {"sz16": {"germany": unit}, "sz15": enemy}, options=options)
    t.refused(move(unit, "sz16 > sz15"), "option.straits-closed")


@pytest.mark.rule("aa1942:option.straits-closed")
def test_no_transport_sails_through_the_closed_straits() -> None:
    units = {
        "sz15": {"germany": "transport"},
        "sz16": {"germany": "transport"},
        "italy": {"germany": "2 infantry"},
        "ukraine_ssr": {"germany": "2 infantry"},
    }
    through = sail("sz15 > sz16", "2 infantry from italy in sz15", offload="caucasus")
    t = table("germany", units=units, options={"dardanelles": True})
    t.refused(through, "option.straits-closed")
    t.do(sail("sz16", "2 infantry from ukraine_ssr in sz16", offload="caucasus"), Done())
    assert t.s.control["caucasus"] == "germany"
    t = table("germany", units=units)
    t.do(through, Done())
    assert t.s.control["caucasus"] == "germany"


@pytest.mark.rule("aa1942:option.straits-closed")
def test_aircraft_cross_the_closed_straits() -> None:
    units = {"southern_europe": {"germany": "fighter"}, "sz16": {"soviet_union": "submarine"}}
    t = table("germany", "noncombat_move", units, options={"dardanelles": True})
    t.do(move("fighter", "southern_europe > sz15 > sz16 > ukraine_ssr"))


@pytest.mark.rule("aa1942:option.straits-closed")
def test_new_ships_may_be_placed_in_the_closed_black_sea() -> None:
    t = table("soviet_union", "mobilize", bought={"submarine": 1}, options={"dardanelles": True})
    t.do(Place("sz16", {"submarine": 1}))
    assert t.units("sz16", "soviet_union") == {"submarine": 1}


# Canals.


def canal(power: str, path: str, **position: Any) -> Table:
    """A cruiser of a power at the start of a path, in noncombat movement."""
    start = path.split(" > ")[0]
    return table(power, "noncombat_move", {start: {power: "cruiser"}}, **position)


@pytest.mark.rule("aa1942:canal.panama")
@pytest.mark.parametrize(
    ("holder", "power", "legal"),
    [
        ("united_states", "united_states", True),
        ("united_states", "united_kingdom", True),
        ("united_states", "soviet_union", True),
        ("united_states", "germany", False),
        ("united_states", "japan", False),
        ("japan", "japan", True),
        ("japan", "germany", True),
        ("japan", "united_states", False),
        ("germany", "united_kingdom", False),
    ],
)
@pytest.mark.parametrize("path", ["sz18 > sz19", "sz19 > sz18"])
def test_panama_is_open_to_the_side_of_central_america(
    holder: str, power: str, legal: bool, path: str
) -> None:
    t = canal(power, path, control={"central_america": holder})
    if legal:
        t.do(move("cruiser", path))
    else:
        assert "canal" in t.refused(move("cruiser", path), "canal.timing")


SUEZ = [
    ("united_kingdom", "united_kingdom", "united_kingdom", True),
    ("united_kingdom", "united_kingdom", "united_states", True),
    ("united_kingdom", "soviet_union", "united_states", True),
    ("united_kingdom", "united_kingdom", "germany", False),
    ("germany", "germany", "germany", True),
    ("germany", "japan", "japan", True),
    ("japan", "germany", "germany", True),
    ("germany", "germany", "united_kingdom", False),
    # Split between the sides: closed to both.
    ("germany", "united_kingdom", "united_kingdom", False),
    ("germany", "united_kingdom", "germany", False),
    ("united_kingdom", "japan", "united_states", False),
    ("united_kingdom", "japan", "japan", False),
]


@pytest.mark.rule("aa1942:canal.suez", "aa1942:canal.suez.split")
@pytest.mark.parametrize(("egypt", "trans_jordan", "power", "legal"), SUEZ)
@pytest.mark.parametrize("path", ["sz17 > sz34", "sz34 > sz17"])
def test_suez_is_open_to_the_side_that_holds_both_shores(
    egypt: str, trans_jordan: str, power: str, legal: bool, path: str
) -> None:
    t = canal(power, path, control={"egypt": egypt, "trans_jordan": trans_jordan})
    if legal:
        t.do(move("cruiser", path))
    else:
        assert "canal" in t.refused(move("cruiser", path), "canal.timing")


@pytest.mark.rule("aa1942:canal.suez")
def test_anglo_egyptian_sudan_has_no_part_in_suez() -> None:
    control = {"anglo_egyptian_sudan": "germany"}
    canal("united_kingdom", "sz17 > sz34", control=control).do(move("cruiser", "sz17 > sz34"))


@pytest.mark.rule("aa1942:canal.panama", "aa1942:canal.suez")
@pytest.mark.parametrize(
    "unit", ["battleship", "aircraft_carrier", "destroyer", "submarine", "transport"]
)
def test_no_kind_of_ship_passes_a_closed_canal(unit: str) -> None:
    units = {"sz18": {"germany": unit}, "sz34": {"germany": unit}}
    t = table("germany", "noncombat_move", units)
    t.refused(move(unit, "sz18 > sz19"), "canal.timing")
    t.refused(move(unit, "sz34 > sz17"), "canal.timing")
    t.refused(move(unit, "sz34 > sz17 > sz15"), "canal.timing")


@pytest.mark.rule("aa1942:canal.panama")
def test_no_attack_and_no_landing_goes_through_a_closed_canal() -> None:
    units = {
        "sz19": {"japan": "transport, cruiser"},
        "sz18": {"united_states": "destroyer"},
        "mexico": {"japan": "infantry"},
    }
    t = table("japan", units=units, control={"mexico": "japan"})
    t.refused(move("cruiser", "sz19 > sz18"), "canal.timing")
    t.refused(
        sail("sz19 > sz18", "infantry from mexico in sz19", offload="west_indies"), "canal.timing"
    )
    t = table("japan", units=units, control={"mexico": "japan", "central_america": "japan"})
    t.do(move("cruiser", "sz19 > sz18"))


@pytest.mark.rule("aa1942:canal.timing")
@pytest.mark.parametrize(
    ("taken", "here", "path", "power"),
    [
        ("egypt", "libya", "sz17 > sz34", "germany"),
        ("trans_jordan", "egypt", "sz34 > sz17", "germany"),
        ("central_america", "east_mexico", "sz19 > sz18", "japan"),
    ],
)
def test_a_canal_taken_this_turn_stays_shut_until_the_next(
    taken: str, here: str, path: str, power: str
) -> None:
    other = {"egypt": "trans_jordan", "trans_jordan": "egypt"}
    control = {here: power}
    if taken in other:
        control[other[taken]] = power
    start = path.split(" > ")[0]
    ally = "japan" if power == "germany" else "germany"
    units = {here: {power: "infantry"}, start: {power: "cruiser", ally: "cruiser"}}
    t = table(power, units=units, control=control)
    t.do(move("infantry", f"{here} > {taken}"), Done())
    assert t.s.control[taken] == power
    t.refused(move("cruiser", path), "canal.timing")
    # An ally whose turn comes later may use it.
    pass_turns(t, ally)
    t.do(Buy(), Done(), move("cruiser", path))


@pytest.mark.rule("aa1942:canal.timing")
def test_a_canal_held_at_the_start_of_the_turn_may_be_used_in_its_combat_move() -> None:
    units = {"sz17": {"united_kingdom": "cruiser"}, "sz34": {"japan": "submarine"}}
    t = table("united_kingdom", units=units)
    t.do(move("cruiser", "sz17 > sz34"))


@pytest.mark.rule("aa1942:canal.suez")
@pytest.mark.parametrize("shore", ["germany", "united_kingdom"])
def test_no_fighter_relies_on_a_carrier_beyond_a_closed_canal(shore: str) -> None:
    """Its last move would bring it only to where the carrier could come through Suez."""
    t = table(
        "germany",
        units={
            "sz17": {"germany": "aircraft_carrier, fighter"},
            "sz31": {"united_kingdom": "destroyer"},
        },
        control={"egypt": "germany", "trans_jordan": shore},
    )
    attack = move("fighter", "sz17 > sz34 > sz32 > sz31")
    if shore == "germany":
        t.do(attack)
    else:
        t.refused(attack, "unit.air.landing-proof")


@pytest.mark.rule("aa1942:canal.land-movement")
@pytest.mark.parametrize("phase", ["combat_move", "noncombat_move"])
def test_land_units_cross_suez_whoever_sails_there(phase: str) -> None:
    holder = "germany" if phase == "combat_move" else "united_kingdom"
    units = {
        "egypt": {"united_kingdom": "infantry"},
        "sz17": {"germany": "battleship"},
        "sz34": {"japan": "battleship"},
    }
    t = table("united_kingdom", phase, units, control={"trans_jordan": holder})
    t.do(move("infantry", "egypt > trans_jordan"))
    t = table("united_kingdom", phase, {"egypt": {"united_kingdom": "tank"}})
    if phase == "noncombat_move":
        t.do(move("tank", "egypt > trans_jordan > persia"))


@pytest.mark.rule("aa1942:canal.land-movement")
@pytest.mark.parametrize("zone", ["sz18", "sz19"])
def test_central_america_is_one_territory_on_both_oceans(zone: str) -> None:
    units = {
        "east_mexico": {"united_states": "infantry"},
        "central_america": {"united_states": "infantry"},
        zone: {"united_states": "transport"},
    }
    t = table("united_states", "noncombat_move", units)
    t.do(move("infantry", "east_mexico > central_america"))
    t.do(sail(zone, f"infantry from central_america in {zone}"))
    assert t.cargo(zone, "united_states") == [["united_states infantry"]]


@pytest.mark.rule("aa1942:canal.air")
@pytest.mark.parametrize("holder", ["united_states", "japan"])
def test_aircraft_cross_panama_whoever_holds_it(holder: str) -> None:
    units = {
        "sz18": {"united_states": "aircraft_carrier, fighter"},
        "sz19": {"united_states": "aircraft_carrier"},
    }
    t = table("united_states", "noncombat_move", units, control={"central_america": holder})
    t.do(move("fighter", "sz18 > sz19"))
    assert t.units("sz19", "united_states")["fighter"] == 1


@pytest.mark.rule("aa1942:canal.air")
def test_aircraft_attack_across_a_closed_suez() -> None:
    units = {"sz17": {"germany": "aircraft_carrier, fighter"}, "sz34": {"japan": "submarine"}}
    t = table(
        "germany",
        units={**units, "sz34": {"united_kingdom": "destroyer"}},
    )
    t.do(move("fighter", "sz17 > sz34"))


# Islands.


@pytest.mark.rule("aa1942:island.territory")
def test_a_zone_holds_one_group_of_islands_at_most() -> None:
    islands = {land for land in FACTS.territories if FACTS.spaces[land].island}
    for zone in FACTS.sea_zones:
        assert len(islands & set(FACTS.coast[zone])) <= 1
    assert FACTS.coast["french_madagascar"] == ("sz28", "sz29", "sz32", "sz33")
    assert all(not FACTS.land_next[island] and FACTS.coast[island] for island in islands)


@pytest.mark.rule("aa1942:island.territory")
def test_an_island_is_reached_only_by_sea_and_air() -> None:
    units = {
        "japan": {"japan": "infantry, fighter"},
        "sz61": {"japan": "transport"},
        "kiangsu": {"japan": "infantry"},
    }
    t = table("japan", "noncombat_move", units)
    t.refused(move("infantry", "japan > okinawa"), "map.adjacency")
    t.refused(move("infantry", "kiangsu > sz61 > formosa"), "unit.land.scope")
    t.do(sail("sz61", "infantry from kiangsu in sz61", offload="formosa"))
    assert t.units("formosa", "japan") == {"infantry": 1}


@pytest.mark.rule("aa1942:island.no-split")
def test_all_units_on_an_island_group_defend_together() -> None:
    units = {
        "sz50": {"united_states": "transport"},
        "caroline_islands": {"japan": "4 infantry"},
    }
    t = table(
        "united_states",
        units=units,
        cargo={
            "sz50": {
                "united_states": [{"ship": "transport", "load": {"united_states": {"infantry": 2}}}]
            }
        },
    )
    t.do(sail("sz50", offload="caroline_islands"), Done())
    t.dice(6, 6)
    assert t.request.dice == 4
    t.dice(6, 6, 6, 6)


@pytest.mark.rule("aa1942:island.no-split")
def test_units_land_on_the_group_and_not_on_one_of_its_islands() -> None:
    units = {"sz50": {"japan": "transport"}}
    t = table(
        "japan",
        "noncombat_move",
        units,
        cargo={"sz50": {"japan": [{"ship": "transport", "load": {"japan": {"infantry": 2}}}]}},
    )
    for part in ("caroline_islands_1", "truk", "palau"):
        t.refused(sail("sz50", offload=part), "map.spaces")
    t.do(sail("sz50", offload="caroline_islands"))
    assert t.units("caroline_islands", "japan") == {"infantry": 2}


@pytest.mark.rule("aa1942:island.unnamed")
@pytest.mark.parametrize("phase", ["combat_move", "noncombat_move"])
@pytest.mark.parametrize("name", ["sicily", "crete", "sardinia"])
def test_unnamed_islands_are_no_spaces(name: str, phase: str) -> None:
    units = {"sz15": {"germany": "transport"}, "italy": {"germany": "infantry, fighter"}}
    t = table("germany", phase, units)
    t.refused(sail("sz15", "infantry from italy in sz15", offload=name), "map.spaces")
    t.refused(move("fighter", f"italy > sz15 > {name}"), "map.spaces")
    assert FACTS.coast["sz15"] == ("italy", "libya", "southern_europe")


@pytest.mark.rule("aa1942:island.unnamed", "aa1942:unit.land.scope")
def test_land_units_do_not_stay_in_a_zone_with_islands() -> None:
    t = table("germany", "noncombat_move", {"italy": {"germany": "infantry"}})
    t.refused(move("infantry", "italy > sz15"), "unit.land.scope")
    t = table("germany", "mobilize", bought={"infantry": 1})
    t.refused(Place("sz15", {"infantry": 1}), "mobilize.land-bomber")


# Control.


@pytest.mark.rule("aa1942:combat-move.vacated-territory")
def test_a_territory_left_empty_stays_with_its_controller() -> None:
    units = {
        "poland": {"germany": "2 infantry"},
        "ukraine_ssr": {"soviet_union": "infantry"},
        "belorussia": {"soviet_union": "infantry"},
    }
    control = dict.fromkeys(("ukraine_ssr", "belorussia"), "soviet_union")
    t = table("germany", units=units, control=control)
    t.do(move("2 infantry", "poland > ukraine_ssr"))
    assert t.s.control["poland"] == "germany"
    t.do(Done()).dice(1, 6).dice(6)
    before = production(t.s, "germany")
    pass_turns(t, "soviet_union")
    assert (t.s.control["poland"], production(t.s, "germany")) == ("germany", before)
    t.do(Buy(), move("infantry", "belorussia > poland"), Done())
    assert t.s.control["poland"] == "soviet_union"
