"""Second clauses and exceptions of rules, each by itself: what `make mutants` found untested."""

from __future__ import annotations

import pytest

import sandtable
from sandtable.games.aa1942.facts import load_facts
from sandtable.games.aa1942.model import Unit
from sandtable.games.aa1942.rules.landing import _may_still_move, unlanded
from sandtable.games.aa1942.rules.order import begin_turn
from sandtable.games.aa1942.rules.production import room_left
from sandtable.games.aa1942.rules.spaces import friendly_territory, hostile_territory
from sandtable.games.aa1942.rules.transports import may_ignore_submarines
from tests.aa1942.table import Buy, Done, Engage, Intercept, Place, Retreat, Sail, move, sail, table

# --- territories -----------------------------------------------------------------------------


@pytest.mark.rule(
    "aa1942:def.territory.friendly", "aa1942:def.territory.hostile", "aa1942:def.territory.neutral"
)
def test_a_territory_is_friendly_hostile_or_neither() -> None:
    s = table("germany").s
    for power in ("germany", "japan"):
        assert friendly_territory(s, "italy", power) and not hostile_territory(s, "italy", power)
        assert friendly_territory(s, "manchuria", power)
        assert hostile_territory(s, "egypt", power) and not friendly_territory(s, "egypt", power)
        assert not friendly_territory(s, "spain", power) and not hostile_territory(
            s, "spain", power
        )


# --- combat movement -------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat-move.purpose", "aa1942:unit.air.scope")
def test_aircraft_go_where_an_enemy_is_and_nowhere_else() -> None:
    t = table(
        "germany",
        units={
            "libya": {"germany": "2 fighter, bomber"},
            "egypt": {"united_kingdom": "infantry"},
            "sz17": {"united_kingdom": "destroyer"},
        },
    )
    t.refused(move("fighter", "libya > algeria"), "combat-move.purpose")
    t.refused(move("fighter", "libya > egypt > trans_jordan"), "combat-move.purpose")
    t.refused(move("fighter", "libya > sz15"), "combat-move.purpose")
    t.do(move("fighter", "libya > egypt"), move("fighter", "libya > sz15 > sz17"))
    assert t.units("egypt", "germany") == t.units("sz17", "germany") == {"fighter": 1}


@pytest.mark.rule("aa1942:combat-move.range")
def test_a_refusal_says_how_far_it_was() -> None:
    t = table(
        "germany", units={"libya": {"germany": "infantry"}, "egypt": {"united_kingdom": "tank"}}
    )
    said = t.refused(move("infantry", "libya > egypt > trans_jordan"), "combat-move.range")
    assert said == "2 spaces are too far; these units move 1."


@pytest.mark.rule("aa1942:unit.air.landing-proof")
def test_a_refusal_says_that_there_is_no_place_to_land() -> None:
    facts = load_facts()
    (between, *_) = (zone for zone in facts.sea_next["sz60"] if "sz52" in facts.sea_next[zone])
    t = table(
        "japan",
        units={"japan": {"japan": "fighter"}, "sz52": {"united_states": "transport"}},
        control=dict.fromkeys(facts.coast["sz52"], "united_states"),
    )
    route = move("fighter", f"japan > sz60 > {between} > sz52")
    said = t.refused(route, "unit.air.landing-proof")
    assert said == "After this move an aircraft would have no place to land that it could reach."


@pytest.mark.rule("aa1942:amphib.declare")
def test_a_transport_without_an_assault_moves_and_does_not_sail() -> None:
    t = table("united_kingdom", units={"sz7": {"united_kingdom": "transport"}})
    t.refused(sail("sz7 > sz6"), "amphib.declare")


@pytest.mark.rule("aa1942:unit.transport.assault-cargo", "aa1942:unit.transport.load-two")
def test_no_more_are_landed_than_are_aboard_and_from_no_territory() -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "infantry"},
            "sz7": {"united_kingdom": "transport"},
            "norway": {"germany": "infantry"},
        },
    )
    load = "infantry from united_kingdom in sz7"
    t.refused(
        sail("sz7 > sz6", load, offload="norway", units={"infantry": 2}),
        "unit.transport.assault-cargo",
    )
    t.refused(
        sail("sz7 > sz6", load, offload="norway", units={"infantry": 0}),
        "unit.transport.assault-cargo",
    )
    t.refused(Sail(("united_kingdom", "sz7"), (), "norway"), "unit.sea.scope")
    t.do(sail("sz7 > sz6", load, offload="norway", units={"infantry": 1}))
    assert t.units("united_kingdom", "united_kingdom") == {}


@pytest.mark.rule("aa1942:amphib.land.condition", "aa1942:transport.assault.ignored-sub")
def test_a_submarine_that_was_ignored_keeps_nobody_from_landing() -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "infantry"},
            "sz7": {"united_kingdom": "transport, cruiser"},
            "sz6": {"germany": "submarine"},
        },
        control={"norway": "germany"},
    )
    t.do(move("cruiser", "sz7 > sz6"))
    t.do(sail("sz7 > sz6", "infantry from united_kingdom in sz7", offload="norway"), Done())
    t.do(Engage(False))
    assert t.s.control["norway"] == "united_kingdom"


@pytest.mark.rule("aa1942:transport.assault.ignored-sub")
def test_submarines_are_ignored_under_the_guns_of_a_warship_only() -> None:
    for own, enemies, ignored in (
        ("transport", "submarine", False),
        ("transport, cruiser", "submarine", True),
        ("transport", "transport", True),
        ("transport", "", True),
    ):
        s = table("united_kingdom", units={"sz6": {"united_kingdom": own, "germany": enemies}}).s
        assert may_ignore_submarines(s, "sz6") is ignored, (own, enemies)


# --- combat ----------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:unit.aaa.fire.dice")
def test_the_guns_owner_rolls_for_them() -> None:
    t = table(
        "germany",
        units={
            "germany": {"germany": "3 fighter"},
            "belorussia": {
                "soviet_union": "2 infantry",
                "united_kingdom": "antiaircraft_artillery",
            },
        },
        control={"belorussia": "soviet_union"},
    )
    t.do(move("3 fighter", "germany > poland > belorussia"), Done())
    (line,) = t.request.lines
    assert (line.power, line.type, line.count) == ("united_kingdom", "antiaircraft_artillery", 3)


@pytest.mark.rule("aa1942:option.air-battle.intercept")
def test_all_fighters_may_rise_or_one_of_them_but_none_is_a_pass() -> None:
    for number in (1, 2):
        t = table(
            "united_kingdom",
            units={
                "northwestern_europe": {"united_kingdom": "bomber"},
                "germany": {"germany": "2 fighter"},
            },
            control={"northwestern_europe": "united_kingdom"},
            options={"interceptors": True},
        )
        t.do(move("bomber", "northwestern_europe > germany", raid=True), Done())
        t.refused(Intercept({}), "option.air-battle.intercept")
        t.refused(Intercept({"germany": 3}), "option.air-battle.intercept")
        t.do(Intercept({"germany": number}))
        assert t.events("intercepting") == [{"power": "germany", "fighters": {"germany": number}}]


# --- landing ---------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat-move.start-hostile.no-noncombat")
def test_which_carriers_have_their_noncombat_move_before_them() -> None:
    units = {"sz60": {"japan": "aircraft_carrier", "united_states": "destroyer"}}
    fresh, spent = Unit("japan", "aircraft_carrier"), Unit("japan", "aircraft_carrier", used=1)
    fought = Unit("japan", "aircraft_carrier", duty="fought")
    for phase, hostile in (("combat_move", False), ("noncombat_move", True)):
        s = table("japan", phase, units).s
        assert _may_still_move(s, "sz60", fresh) is hostile
        assert _may_still_move(s, "sz62", fresh)
        assert not _may_still_move(s, "sz62", spent)
        assert not _may_still_move(s, "sz62", fought)
    assert not _may_still_move(table("japan", "mobilize", units).s, "sz62", fresh)


@pytest.mark.rule("aa1942:noncombat.air.carrier-required")
def test_fighters_beyond_the_decks_cannot_stay_at_sea() -> None:
    flown = {"fighter": [{"count": 3, "used": 1, "duty": "fought"}]}
    s = table(
        "japan",
        "noncombat_move",
        {"sz60": {"japan": {"aircraft_carrier": 1, **flown}}, "japan": {"japan": "fighter"}},
    ).s
    ((zone, unit, count),) = unlanded(s)
    assert (zone, unit.type, count) == ("sz60", "fighter", 1)


# --- the turn --------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat.retreat.sea-friendly-start")
def test_only_zones_are_noted_as_hostile_at_the_start() -> None:
    s = table(
        "germany",
        units={
            "egypt": {"united_kingdom": "infantry"},
            "sz17": {"united_kingdom": "destroyer"},
            "sz15": {"united_kingdom": "transport"},
        },
    ).s.copy()
    begin_turn(s)
    assert s.hostile_at_start == {"sz17"}


@pytest.mark.rule("aa1942:order.phases")
@pytest.mark.parametrize(("order", "placing"), [({}, False), ({"infantry": 1}, True)])
def test_phases_are_told_as_they_begin(order: dict[str, int], placing: bool) -> None:
    t = table("germany", "purchase", treasury={"germany": 10})
    t.do(Buy(order), Done(), Done())
    told = [event["phase"] for event in t.events("phase_began")]
    assert told == ["combat_move", "noncombat_move", *(["mobilize"] if placing else [])]


@pytest.mark.rule("aa1942:mobilize.limit.value", "aa1942:mobilize.limit.damage")
def test_what_a_complex_can_still_bring_in() -> None:
    t = table(
        "germany",
        "mobilize",
        bought={"infantry": 9},
        damage={"germany": 4},
    )
    assert room_left(t.s) == {"germany": 6, "italy": 3}
    t.do(Place("germany", {"infantry": 4}), Place("italy", {"infantry": 3}))
    assert room_left(t.s) == {"germany": 2, "italy": 0}


# --- positions -------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:unit.carrier.capacity")
def test_aircraft_at_sea_in_a_position() -> None:
    enemy = {"united_kingdom": "destroyer"}
    flown = {"bomber": [{"used": 2}], "fighter": [{"used": 2}]}
    t = table("germany", units={"sz7": {**enemy, "germany": flown}, "germany": {"germany": "tank"}})
    assert t.units("sz7", "germany") == {"bomber": 1, "fighter": 1}
    for units in ("bomber", "fighter", "aircraft_carrier, 3 fighter"):
        with pytest.raises(sandtable.PositionError, match=r"units\.sz7"):
            table("germany", units={"sz7": {"germany": units}})
    # Decks of the other side are of no use.
    with pytest.raises(sandtable.PositionError, match="more fighters than decks"):
        table(
            "germany", units={"sz7": {"germany": "fighter", "united_kingdom": "aircraft_carrier"}}
        )
    both = {"germany": "fighter", "japan": "aircraft_carrier"}
    assert table("germany", units={"sz7": both}).asked == "germany combat_move"


@pytest.mark.rule("aa1942:noncombat.stranded")
def test_a_fighter_at_its_base_is_not_stranded() -> None:
    t = table(
        "germany",
        "noncombat_move",
        {
            "egypt": {"united_kingdom": "fighter"},
            "sz17": {"united_kingdom": "aircraft_carrier, fighter"},
            "germany": {"germany": "infantry"},
        },
    )
    assert t.s.fought == frozenset()
    assert t.asked == "germany noncombat_move"


@pytest.mark.rule("aa1942:combat.general.sequence")
def test_a_position_in_a_battle_needs_both_sides_and_the_phase() -> None:
    both = {"germany": {"infantry": [{"used": 1, "origin": "libya"}]}, "united_kingdom": "infantry"}
    for phase, units in (
        ("combat_move", both),
        ("conduct_combat", {"germany": "infantry"}),
        ("conduct_combat", {"united_kingdom": "infantry"}),
    ):
        with pytest.raises(sandtable.PositionError, match=r"no battle is fought in egypt"):
            table(
                "germany",
                phase,
                {"egypt": units},
                control={"egypt": "united_kingdom"},
                battle={"at": "egypt", "rounds": 1},
            )


# --- refusals --------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:map.adjacency", "aa1942:map.spaces")
def test_a_path_has_two_spaces_at_least() -> None:
    t = table("germany", units={"libya": {"germany": "infantry"}})
    said = t.refused(move("infantry", "libya"), "map.adjacency")
    assert said == "A path names the space the units are in and those they enter."


@pytest.mark.rule("aa1942:unit.land.scope", "aa1942:unit.sea.scope")
def test_only_ships_are_told_apart_by_their_cargo() -> None:
    t = table(
        "germany",
        units={"libya": {"germany": "infantry"}, "egypt": {"united_kingdom": "infantry"}},
    )
    t.refused(move("infantry", "libya > egypt", cargo={}), "unit.sea.carry")
    t.do(move("infantry", "libya > egypt"))


@pytest.mark.rule("aa1942:mobilize.fighter", "aa1942:mobilize.fighter.no-ally-carrier")
def test_new_fighters_fill_own_decks_to_the_last_and_no_allied_ones() -> None:
    bought = {"aircraft_carrier": 1, "fighter": 3}
    t = table("japan", "mobilize", bought=bought)
    t.refused(Place("sz60", bought), "mobilize.fighter")
    t.do(Place("sz60", {"aircraft_carrier": 1, "fighter": 2}))
    assert t.units("sz60", "japan") == {"aircraft_carrier": 1, "fighter": 2}
    t = table("japan", "mobilize", {"sz60": {"germany": "aircraft_carrier"}}, bought={"fighter": 3})
    t.refused(Place("sz60", {"fighter": 2}), "mobilize.fighter.no-ally-carrier")
    t.refused(Place("sz60", {"fighter": 3}), "mobilize.fighter")


@pytest.mark.rule("aa1942:combat.retreat.together", "aa1942:combat.retreat.who")
def test_a_retreat_is_told_with_where_it_led() -> None:
    t = table(
        "germany",
        units={"libya": {"germany": "3 infantry"}, "egypt": {"united_kingdom": "3 infantry"}},
    )
    t.do(move("3 infantry", "libya > egypt"), Done())
    t.dice(6, 6, 6).dice(6, 6, 6)
    t.refused(Retreat(""), "combat.retreat.destination")
    t.do(Retreat("libya"))
    assert t.events("retreated") == [{"power": "germany", "path": ("egypt", "libya")}]
    assert t.units("libya", "germany") == {"infantry": 3}
