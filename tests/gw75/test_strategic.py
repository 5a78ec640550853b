"""Strategic Movement (5.4)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sandtable.games.gw75.rules.advance import Advance
from sandtable.games.gw75.rules.amphibious import beachhead
from sandtable.games.gw75.rules.declaring import Declare
from sandtable.games.gw75.rules.ports import PlacePort
from sandtable.games.gw75.rules.strategic import Redeploy, carriers, roads, sea_ways
from sandtable.games.gw75.rules.transit import Spare, Strike
from tests.gw75.moves import invade, move, parts, redeploy
from tests.gw75.table import Done, Table, state, table

BERLIN, SILESIA, BAVARIA, RUHR, PARIS, MILAN, ROME = (
    "W3121",
    "W3021",
    "W3020",
    "W3120",
    "W3019",
    "W2921",
    "W2820",
)
LONDON, BREST, GLASGOW, ALEXANDRIA = "W3118", "W3018", "W3217", "W2524"
WINTER, SUMMER = 14, 16
WAR = [
    ("germany", "ussr"),
    ("commonwealth", "germany"),
    ("commonwealth", "italy"),
    ("italy", "ussr"),
]


def phase(which: str = "axis_strategic_movement", turn: int = WINTER, **fields: Any) -> Table:
    fields.setdefault("wars", WAR)
    return table(which, turn, **fields)


@pytest.mark.rule("gw75:5.4a", "gw75:5.41a", "gw75:5.48b")
def test_two_points_move_far_overland_in_any_season() -> None:
    t = phase(units={RUHR: {"germany": "3 inf"}})
    found = roads(t.s, "germany", RUHR)
    far = max(found.values(), key=len)
    assert len(far) > 5
    t.do(Redeploy(parts("inf"), land=far))
    t.do(redeploy("inf", land=f"{RUHR} > {BERLIN}"))
    assert t.units(far[-1], "germany")["inf"] == 1
    t.refused(redeploy("inf", land=f"{RUHR} > {BERLIN}"), "5.48b")


@pytest.mark.rule("gw75:5.4a")
def test_sixteen_hexes_at_most() -> None:
    t = phase(units={RUHR: {"germany": "inf"}})
    there_and_back = f"{RUHR} > {BERLIN} > " * 8 + RUHR
    t.refused(redeploy("inf", land=f"{there_and_back} > {BAVARIA}"), "5.4a")
    t.do(redeploy("inf", land=there_and_back))


@pytest.mark.rule("gw75:5.48a", "gw75:5.48b")
def test_italian_units_use_german_capacity_too() -> None:
    """The example of the book: two points each make four Italian ones."""
    t = phase(units={MILAN: {"italy": "5 inf"}, RUHR: {"germany": "inf"}})
    way = f"{MILAN} > {ROME}"
    t.do(redeploy("2 inf", "italy", land=way), redeploy("2 inf", "italy", land=way, by="germany"))
    assert t.units(ROME, "italy") == {"inf": 4}
    t.refused(redeploy("inf", "italy", land=way), "5.48b")
    t.refused(redeploy("inf", "italy", land=way, by="germany"), "5.48b")
    t.refused(redeploy("inf", "italy", land=way, by="japan"), "5.48a")


@pytest.mark.rule("gw75:5.48a")
def test_six_countries_have_strategic_movement() -> None:
    """France has none of its own."""
    t = table(
        "allies_strategic_movement",
        WINTER,
        units={PARIS: {"france": "2 inf"}},
        wars=[("france", "germany"), ("commonwealth", "germany")],
    )
    t.refused(redeploy("inf", "france", land=f"{PARIS} > {BREST}"), "5.48a")
    t.do(redeploy("inf", "france", land=f"{PARIS} > {BREST}", by="commonwealth"))
    s = state(wars=[("commonwealth", "germany"), ("germany", "usa")])
    assert carriers(s, "commonwealth", "usa") == ["usa", "commonwealth"]
    s.fallen = frozenset({"usa"})
    assert carriers(s, "commonwealth", "usa") == ["commonwealth"]


@pytest.mark.rule("gw75:19.9c")
def test_axis_minor_allies_have_none() -> None:
    t = phase(units={SILESIA: {"hungary": "inf", "germany": "inf"}})
    t.refused(redeploy("inf", "hungary", land=f"{SILESIA} > {BERLIN}", by="germany"), "19.9c")


@pytest.mark.rule("gw75:5.41a", "gw75:5.0b")
def test_a_movement_point_has_to_be_left() -> None:
    t = phase(units={RUHR: {"germany": {"inf": [{"left": 0}], "mech": [{"left": 1}]}}})
    none = t.refused(redeploy("inf", land=f"{RUHR} > {BERLIN}"), "5.41a")
    assert "has 0 Movement Points left" in none
    t.do(redeploy("mech", land=f"{RUHR} > {BERLIN}"))


@pytest.mark.rule("gw75:5.0c", "gw75:5.44c")
def test_no_point_moves_twice_in_a_phase() -> None:
    t = phase(units={RUHR: {"germany": "inf"}, SILESIA: {"germany": "inf"}})
    t.do(redeploy("inf", land=f"{RUHR} > {BERLIN}"))
    t.refused(redeploy("inf", land=f"{BERLIN} > {RUHR}"), "5.41a")


@pytest.mark.rule("gw75:5.41b", "gw75:5.42")
def test_only_through_friendly_hexes_of_the_communications_area() -> None:
    t = phase(
        units={RUHR: {"germany": "inf"}, "W2521": {"italy": "inf"}}, held={PARIS: "commonwealth"}
    )
    t.refused(redeploy("inf", land=f"{RUHR} > {PARIS}"), "5.41b")
    t.refused(redeploy("inf", land=f"{RUHR} > {BERLIN} > W3220"), "5.41b")  # neutral Denmark
    assert t.s.facts.hexes["W2521"].area == "ordinary"
    t.refused(redeploy("inf", "italy", land="W2521 > W2522"), "5.41b")
    t = phase(units={RUHR: {"germany": "inf"}}, held={PARIS: "germany"})
    t.do(redeploy("inf", land=f"{RUHR} > {PARIS}"))  # conquered


@pytest.mark.rule("gw75:5.43")
def test_zones_are_neither_left_nor_entered_nor_passed() -> None:
    units = {
        SILESIA: {"germany": "inf"},
        RUHR: {"germany": "inf"},
        "W3022": {"ussr": "inf"},
    }
    t = phase(units=units)
    t.refused(redeploy("inf", land=f"{SILESIA} > {BAVARIA}"), "5.43")
    t.refused(redeploy("inf", land=f"{RUHR} > {BERLIN} > {SILESIA}"), "5.43")
    t.refused(redeploy("inf", land=f"{RUHR} > {BERLIN} > {SILESIA} > {BAVARIA}"), "5.43")
    t.do(redeploy("inf", land=f"{RUHR} > {BAVARIA}"))


@pytest.mark.rule("gw75:7.0a", "gw75:5.54b")
def test_stacking_holds_where_they_arrive() -> None:
    t = phase(units={RUHR: {"germany": "2 inf"}, BERLIN: {"germany": "9 inf"}})
    t.refused(redeploy("2 inf", land=f"{RUHR} > {BERLIN}"), "7.0a")
    t.do(redeploy("inf", land=f"{RUHR} > {BERLIN}"))


@pytest.mark.rule("gw75:6.51")
def test_self_defense_units_move_at_home_only() -> None:
    t = phase("allies_strategic_movement", units={LONDON: {"commonwealth": "2 sd"}, **LINE})
    t.do(redeploy("sd", "commonwealth", land=f"{LONDON} > {GLASGOW}"))
    t.refused(redeploy("sd", "commonwealth", sea=EGYPT), "6.51")


@pytest.mark.rule("gw75:18.10d")
def test_units_that_are_not_activated_stay() -> None:
    t = phase(units={RUHR: {"germany": {"mech": [{"idle": True}], "inf": 1}}})
    t.refused(redeploy("mech", land=f"{RUHR} > {BERLIN}"), "18.10d")


@pytest.mark.rule("gw75:5.0b", "gw75:4.2g")
def test_afterwards_units_have_all_their_points_again() -> None:
    t = phase(units={RUHR: {"germany": {"inf": [{"left": 2}, {"left": 0}]}}})
    t.do(redeploy("inf", land=f"{RUHR} > {BERLIN}"), Done())
    assert {unit.left for hex in (RUHR, BERLIN) for unit in t.s.stack(hex)} == {-1}


# --- by sea ---------------------------------------------------------------------------------------

LINE = {"W2716": {"commonwealth": "2 ms"}, "W2722": {"commonwealth": "3 ms"}}
"""A pipeline from England to Egypt."""


def sea(s: Any, start: str, end: str, nation: str = "commonwealth") -> str:
    return " > ".join(sea_ways(s, nation, start)[end])


EGYPT = sea(state(wars=WAR), LONDON, ALEXANDRIA)


def ships(**units: Any) -> Table:
    return phase(
        "allies_strategic_movement",
        units={LONDON: {"commonwealth": "6 inf"}, **LINE, **units},
    )


@pytest.mark.rule("gw75:5.44a", "gw75:5.44b", "gw75:5.45a", "gw75:5.45b", "gw75:5.46", "gw75:5.44c")
def test_as_many_go_by_sea_as_the_smallest_holding_area_has_ships() -> None:
    t = ships()
    t.refused(redeploy("3 inf", "commonwealth", sea=EGYPT), "5.45a")
    t.do(redeploy("inf", "commonwealth", sea=EGYPT), redeploy("inf", "commonwealth", sea=EGYPT))
    assert t.units(ALEXANDRIA, "commonwealth") == {"inf": 2}
    t.refused(redeploy("inf", "commonwealth", sea=EGYPT), "5.45a")
    t.do(redeploy("2 inf", "commonwealth", land=f"{LONDON} > {GLASGOW}"))  # apart from the two


@pytest.mark.rule("gw75:5.44b")
def test_no_pipeline_no_sea_movement() -> None:
    t = phase("allies_strategic_movement", units={LONDON: {"commonwealth": "6 inf"}})
    t.refused(redeploy("inf", "commonwealth", sea=EGYPT), "5.45a")


@pytest.mark.rule("gw75:5.44a", "gw75:5.46")
def test_from_port_to_port_only() -> None:
    t = ships(**{BREST: {"germany": "inf"}})
    short = EGYPT.rsplit(" > ", 1)[0]
    t.refused(redeploy("inf", "commonwealth", sea=short), "5.46")
    t = ships(**{"W2522": {"commonwealth": "inf"}})
    t.refused(redeploy("inf", "commonwealth", sea=f"W2522 > W2622 > W2623 > {ALEXANDRIA}"), "5.44a")


@pytest.mark.rule("gw75:5.44a", "gw75:18.53")
def test_a_port_that_is_built_in_the_phase_is_none_to_start_from() -> None:
    """Sirte gets a port: units come to it by sea, those that are in it wait."""
    sirte = "W2522"
    t = phase(
        "allies_strategic_movement",
        units={
            ALEXANDRIA: {"commonwealth": "inf"},
            sirte: {"commonwealth": "inf"},
            "W2722": {"commonwealth": "6 ms"},
        },
        held={"W2523": "commonwealth"},
        stock={"commonwealth": 1},
    )
    way = sea(t.s, ALEXANDRIA, sirte)
    t.refused(redeploy("inf", "commonwealth", sea=way), "5.46")
    t.do(PlacePort("commonwealth", sirte), by="commonwealth")
    back = " > ".join(reversed(way.split(" > ")))
    t.refused(redeploy("inf", "commonwealth", sea=back), "5.44a")
    t.do(redeploy("inf", "commonwealth", sea=way))
    assert t.units(sirte, "commonwealth") == {"inf": 2}


@pytest.mark.rule("gw75:5.44b")
def test_twenty_five_hexes_at_most() -> None:
    t = ships()
    first, second = EGYPT.split(" > ")[:2]
    assert len(EGYPT.split(" > ")) - 1 == 13
    way = f"{first} > {second} > " * 7 + EGYPT
    t.refused(redeploy("inf", "commonwealth", sea=way), "5.44b")
    t.do(redeploy("inf", "commonwealth", sea=f"{first} > {second} > " * 6 + EGYPT))


@pytest.mark.rule("gw75:5.44b", "gw75:12.12a")
def test_the_way_is_one_for_merchant_ships() -> None:
    """Enemy Surface units in the port of arrival keep them off, and ways lead round Enemies."""
    t = ships(**{ALEXANDRIA: {"italy": "surf_b"}, "W2617": {"germany": "inf"}})
    t.refused(redeploy("inf", "commonwealth", sea=EGYPT))
    assert ALEXANDRIA not in sea_ways(t.s, "commonwealth", LONDON)
    assert "W2617" not in sea_ways(t.s, "commonwealth", LONDON)
    t = ships(**{ALEXANDRIA: {"italy": "surf_b"}})
    t.refused(redeploy("inf", "commonwealth", sea=EGYPT), "12.12b")


@pytest.mark.rule("gw75:5.4b", "gw75:5.44a", "gw75:5.44c", "gw75:5.41a")
def test_by_land_to_the_port_then_by_sea() -> None:
    units = {GLASGOW: {"commonwealth": {"inf": [{"count": 2}, {"left": 1}]}}, **LINE}
    t = phase("allies_strategic_movement", units=units)
    both = redeploy("2 inf", "commonwealth", land=f"{GLASGOW} > {LONDON}", sea=EGYPT)
    t.refused(redeploy("3 inf", "commonwealth", land=f"{GLASGOW} > {LONDON}", sea=EGYPT), "5.41a")
    t.do(both)
    assert t.units(ALEXANDRIA, "commonwealth") == {"inf": 2}


@pytest.mark.rule("gw75:5.4b", "gw75:5.44c")
def test_by_sea_then_by_land() -> None:
    units = {ALEXANDRIA: {"commonwealth": "3 inf"}, **LINE}
    t = phase("allies_strategic_movement", units=units)
    back = " > ".join(reversed(EGYPT.split(" > ")))
    t.do(redeploy("inf", "commonwealth", sea=back, land=f"{LONDON} > {GLASGOW}"))
    assert t.units(GLASGOW, "commonwealth") == {"inf": 1}
    t.refused(redeploy("inf", "commonwealth", sea=back, land=f"{GLASGOW} > {LONDON}"), "5.44c")


@pytest.mark.rule("gw75:5.4b")
def test_with_a_sea_leg_twelve_hexes_overland() -> None:
    t = phase("allies_strategic_movement", units={LONDON: {"commonwealth": "3 inf"}, **LINE})
    twelve = f"{LONDON} > {GLASGOW} > " * 6 + LONDON
    fourteen = f"{LONDON} > {GLASGOW} > " * 7 + LONDON
    t.refused(redeploy("inf", "commonwealth", land=fourteen, sea=EGYPT), "5.4b")
    t.do(redeploy("inf", "commonwealth", land=twelve, sea=EGYPT))


@pytest.mark.rule("gw75:5.47", "gw75:12.42a")
def test_enemy_naval_zones_do_not_bar_the_way() -> None:
    way = EGYPT.split(" > ")
    t = ships(**{way[2]: {"germany": "ss"}})
    t.request.check(t.s, redeploy("inf", "commonwealth", sea=EGYPT))


@pytest.mark.rule("gw75:5.54a", "gw75:5.54b")
def test_a_beachhead_is_reinforced_in_the_turn_of_the_invasion_without_a_port() -> None:
    """The beach has no port: only those who landed in this Game-Turn make it one."""
    beach, gibraltar = "W2819", "W2617"
    s = state(wars=WAR)
    assert s.facts.hexes[beach].port == ""
    way = sea(s, gibraltar, beach)
    line = {"W2719": {"commonwealth": "2 ms"}}
    units = {gibraltar: {"commonwealth": "4 inf"}, **line}
    held = {beach: "commonwealth"}
    for duty, allowed in (("landed", True), ("ashore", False), ("", False)):
        t = phase(
            "allies_strategic_movement",
            units={**units, beach: {"commonwealth": {"inf": [{"count": 9, "duty": duty}]}}},
            held=held,
        )
        if allowed:
            t.refused(redeploy("2 inf", "commonwealth", sea=way), "7.0a")
            t.do(redeploy("inf", "commonwealth", sea=way))
            assert t.units(beach, "commonwealth") == {"inf": 10}
        else:
            t.refused(redeploy("inf", "commonwealth", sea=way), "5.46")


@pytest.mark.rule("gw75:5.54a", "gw75:5.46")
def test_who_retakes_an_invaded_hex_has_no_beachhead_there() -> None:
    """Italians land in Sirte, which has no port, and are overrun in the same Game-Turn."""
    sirte, tobruk = "W2522", "W2523"
    t = phase(
        "axis_land_movement",
        units={
            "W2721": {"italy": "inf, amph"},
            tobruk: {"commonwealth": "8 mech"},
            ALEXANDRIA: {"commonwealth": "inf"},
            "W2622": {"commonwealth": "9 ms"},
        },
        wars=[("commonwealth", "italy"), ("commonwealth", "germany")],
        held={tobruk: "commonwealth", sirte: "commonwealth"},
    )
    t.do(invade(f"W2721 > W2722 > W2622 > {sirte}", "inf", "italy"))
    while t.s.phase != "allies_land_movement":
        t.do(Done())
    t.do(move(f"{tobruk} > {sirte}", "8 mech", "commonwealth")).dice(1)
    t.do(next(iter(t.request.decisions(t.s))))  # the Amphibious unit puts to sea
    while t.s.phase != "allies_strategic_movement":
        t.do(Done())
    assert t.units(sirte, "commonwealth") == {"mech": 8}
    way = sea(t.s, ALEXANDRIA, sirte)
    t.refused(redeploy("inf", "commonwealth", sea=way), "5.46")


@pytest.mark.rule("gw75:17.63a")
def test_atomic_bombs_are_shipped_like_land_units() -> None:
    t = ships()
    t.s.bombs[LONDON] = 2
    t.refused(redeploy("3 abomb", "commonwealth", sea=EGYPT), "17.63a")
    t.refused(redeploy("abomb", "nobody", sea=EGYPT), "17.63a")
    t.refused(redeploy("abomb", "commonwealth", land=f"{LONDON} > {GLASGOW}"), "17.63a")
    t.do(redeploy("inf, abomb", "commonwealth", sea=EGYPT))
    assert (t.s.bombs[LONDON], t.s.bombs[ALEXANDRIA]) == (1, 1)
    t.refused(redeploy("abomb", "commonwealth", sea=EGYPT), "5.45a")


@pytest.mark.rule("gw75:5.4a")
def test_refusals_name_what_is_wrong_with_the_paths() -> None:
    t = ships()
    t.refused(redeploy("inf", "commonwealth"), "5.4a")
    t.refused(redeploy("inf", "commonwealth", land=LONDON), "5.4a")
    t.refused(redeploy("inf", "commonwealth", land=f"{LONDON} > nowhere"), "5.4a")
    t.refused(redeploy("", "commonwealth", sea=EGYPT), "5.4a")
    t.refused(redeploy("inf", "commonwealth", land=f"{LONDON} > {BREST}"), "3.1b")


@pytest.mark.rule("gw75:5.4a")
def test_what_is_listed_and_drawn_is_legal() -> None:
    t = ships()
    listed = list(t.game.legal(t.request))
    assert any(isinstance(each, Redeploy) and each.sea for each in listed)
    assert any(isinstance(each, Redeploy) and each.land for each in listed)
    for decision in listed:
        t.request.check(t.s, decision)
    rng = random.Random(2)
    drawn = [t.request.sample(t.s, rng) for _ in range(300)]
    assert any(isinstance(each, Redeploy) for each in drawn)
    for decision in drawn:
        t.request.check(t.s, decision)


@pytest.mark.rule("gw75:5.53a", "gw75:5.54a")
def test_a_landing_is_followed_by_its_reinforcements() -> None:
    """The whole of an invasion: it lands in the Land Movement Phase, others follow by sea."""
    t = table(
        "allies_land_movement",
        SUMMER,
        units={LONDON: {"commonwealth": "3 inf, amph"}, "W3017": {"commonwealth": "2 ms"}},
        held={BREST: "germany"},
        wars=WAR,
    )
    t.do(invade(f"{LONDON} > {BREST}", "inf"), Done())
    while t.s.phase != "allies_strategic_movement":
        t.do(Done())
    t.do(redeploy("2 inf", "commonwealth", sea=f"{LONDON} > {BREST}"))
    assert t.units(BREST, "commonwealth") == {"inf": 3, "amph": 1}


@pytest.mark.rule("gw75:5.54a", "gw75:8.61a")
def test_the_invaded_hex_is_reinforced_though_those_who_landed_have_advanced() -> None:
    """It is the hex that was invaded, not the one into which they went on."""
    beach, bordeaux, gibraltar = "W2819", "W2919", "W2617"
    way = sea(state(wars=WAR), gibraltar, beach)
    t = table(
        "allies_land_movement",
        SUMMER,
        units={
            gibraltar: {"commonwealth": "2 mech, 3 inf, 2 amph"},
            "W2719": {"commonwealth": "3 ms"},
            bordeaux: {"germany": "inf"},
        },
        held={beach: "germany", bordeaux: "germany"},
        wars=WAR,
    )
    t.do(invade(way, "2 mech"), Done())
    t.do(Declare((bordeaux,), ((beach, "commonwealth", "mech", 2),)), Done())
    t.dice(6).dice(1)
    t.do(Advance(((beach, "commonwealth", 2, bordeaux),)))
    assert not beachhead(t.s, "commonwealth", bordeaux)
    while t.s.phase != "allies_strategic_movement":
        t.do(Done())
    t.do(redeploy("2 inf", "commonwealth", sea=way))
    assert t.units(beach, "commonwealth") == {"inf": 2, "amph": 2}
    t.s.turn += 1
    t.refused(redeploy("inf", "commonwealth", sea=way), "5.46")


@pytest.mark.rule("gw75:12.42a", "gw75:12.42b", "gw75:5.47", "gw75:4.2g", "gw75:5.0b")
def test_a_transit_attack_sinks_a_merchant_ship_with_its_cargo() -> None:
    way = EGYPT.split(" > ")
    t = ships(**{way[4]: {"germany": "3 ss"}})
    t.do(redeploy("2 inf", "commonwealth", sea=EGYPT))
    assert t.asked == "germany transit_attack"
    copy = Table(t.game.clone())
    for each in (t, copy):
        each.do(Strike())
        each.dice(6)
    arrived = t.units(ALEXANDRIA, "commonwealth").get("inf", 0)
    assert arrived < 2
    assert t.s.lost["commonwealth", "inf"] == t.s.lost["commonwealth", "ms"] == 2 - arrived
    assert t.units(LONDON, "commonwealth") == {"inf": 4}
    assert copy.game.hash == t.game.hash


@pytest.mark.rule("gw75:5.45a", "gw75:12.42b")
def test_ships_that_have_carried_nobody_do_so_after_others_were_sunk() -> None:
    way = EGYPT.split(" > ")
    t = ships(**{way[4]: {"germany": "3 ss"}})
    t.do(redeploy("inf", "commonwealth", sea=EGYPT), Strike()).dice(6)
    assert t.s.lost["commonwealth", "ms"] == 1
    t.do(redeploy("inf", "commonwealth", sea=EGYPT), Spare())
    assert t.units(ALEXANDRIA, "commonwealth") == {"inf": 1}
    t.refused(redeploy("inf", "commonwealth", sea=EGYPT), "5.45a")


@pytest.mark.rule("gw75:17.63a", "gw75:12.42b")
def test_bombs_go_down_with_their_ship() -> None:
    way = EGYPT.split(" > ")
    t = ships(**{way[4]: {"germany": "3 ss"}})
    t.s.bombs[LONDON] = 1
    t.do(redeploy("abomb", "commonwealth", sea=EGYPT)).do(Strike()).dice(6)
    assert t.s.bombs == {}
    assert ("commonwealth", "inf") not in t.s.lost


@pytest.mark.rule("gw75:5.41a", "gw75:19.71a")
def test_units_that_politics_holds_do_not_move_strategically() -> None:
    """The Soviet Union at peace."""
    t = phase(
        "allies_strategic_movement",
        units={"W3324": {"ussr": "inf"}, LONDON: {"commonwealth": "inf"}},
        wars=[("commonwealth", "germany")],
    )
    there = next(iter(t.s.facts.land["W3324"]))
    t.refused(redeploy("inf", "ussr", land=f"W3324 > {there}"), "19.71a")


@pytest.mark.rule("gw75:17.63a")
def test_atomic_bombs_are_offered_for_shipping() -> None:
    t = ships()
    t.s.bombs[LONDON] = 1
    legal = t.game.legal(t.request)
    listed = [each for each in legal if isinstance(each, Redeploy) and each.end == ALEXANDRIA]
    assert any(each.units == (("commonwealth", "abomb", 1),) for each in listed)
    offered = t.game.rules.form(legal).choices
    assert any(choice.spaces == (ALEXANDRIA,) for choice in offered)
    for choice in offered:
        assert [tuple(part) for part in choice.decision["units"]] == [("commonwealth", "abomb", 1)]
