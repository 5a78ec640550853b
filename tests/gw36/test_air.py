"""Flights, what blocks them, and the proof that aircraft can land (8.3, 8.5, 10.3)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw36.model import Facility, Job, State, Unit
from sandtable.games.gw36.rules import combat_move, noncombat_move
from sandtable.games.gw36.rules.air import landing_places, range_left, stranded
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.movement import Move
from tests.gw36.hand import Hand, allowed, facts, of, refused, state, way

FRANCE = [("france", "germany")]
HOME = "noncombat_move"


def fly(type_: str, path: str, duty: str = "", target: str = "", count: int = 1) -> Move:
    return Move({type_: count}, way(path), duty, target)


def air(*types: str, zone: str = "western_germany", **fields: Any) -> State:
    """Germany's turn: such aircraft in a zone, French infantry in Picardy and Paris."""
    others = fields.pop("others", {})
    fields.setdefault("wars", FRANCE)
    phase = fields.pop("phase", "combat_move")
    units: dict[str, list[Any]] = {
        zone: [of("germany", type_, 3) for type_ in types],
        "picardy": [of("france", "infantry")],
        "paris": [of("france", "infantry")],
    }
    for where, pieces in others.items():
        units.setdefault(where, []).extend(pieces)
    return state("germany", phase, units=units, **fields)


NEAR = "western_germany > bavaria > alsace_lorraine > paris"


@pytest.mark.rule("gw36:8.3a")
def test_aircraft_fly_over_enemies_unless_fighters_are_there() -> None:
    allowed(air("medium_bomber"), fly("medium_bomber", NEAR))
    land = {"alsace_lorraine": [of("france", "infantry"), of("france", "tactical_bomber")]}
    allowed(air("medium_bomber", others=land), fly("medium_bomber", NEAR))
    for fighter in ("fighter", "jet_fighter", "early_fighter"):
        guarded = {"alsace_lorraine": [of("france", fighter)]}
        refused(air("medium_bomber", others=guarded), fly("medium_bomber", NEAR), "8.3a")
    target = {"paris": [of("france", "fighter")]}
    allowed(air("medium_bomber", others=target), fly("medium_bomber", NEAR))


@pytest.mark.rule("gw36:8.3a")
def test_fighters_on_carriers_and_patrols_bar_the_sky_over_the_sea() -> None:
    over = "western_germany > sz_027 > sz_026 > picardy"
    allowed(air("medium_bomber"), fly("medium_bomber", over))
    deck = {"sz_026": [of("france", "light_carrier", cargo=(Unit("france", "fighter"),))]}
    refused(air("medium_bomber", others=deck), fly("medium_bomber", over), "8.3a")
    patrol = {"sz_026": [of("france", "fighter", duty="patrol")]}
    refused(air("medium_bomber", others=patrol), fly("medium_bomber", over), "8.3a")
    ships = {"sz_026": [of("france", "battleship")]}
    allowed(air("medium_bomber", others=ships), fly("medium_bomber", over))


@pytest.mark.rule("gw36:8.3b")
def test_nobody_flies_over_neutrals_or_nations_at_peace() -> None:
    s = air("medium_bomber")
    path = "western_germany > belgium > picardy"
    refused(s, fly("medium_bomber", path), "8.3b")
    s.wars |= {("belgium", "germany")}
    allowed(s, fly("medium_bomber", path))
    s = air("medium_bomber")
    s.possession["belgium"] = "great_britain"  # of no Alliance with Germany, and not at war
    refused(s, fly("medium_bomber", path), "8.3b")


@pytest.mark.rule("gw36:1.15d")
def test_aircraft_fly_over_a_neutral_strait_but_not_over_a_neutral_canal() -> None:
    s = air(
        "medium_bomber",
        others={"sz_012": [of("france", "destroyer")]},
        owners={"denmark": "denmark"},
    )
    allowed(s, fly("medium_bomber", "western_germany > sz_014 > sz_013 > sz_012"))
    assert "sz_069" not in facts().neighbours["sz_052"]
    assert "sz_027" not in facts().neighbours["sz_014"]


@pytest.mark.rule("gw36:0.8a")
@pytest.mark.rule("gw36:8.3c")
@pytest.mark.rule("gw36:12.2.fighter-a")
@pytest.mark.rule("gw36:12.2.tactical-bomber-a")
@pytest.mark.rule("gw36:12.2.medium-bomber-a")
def test_aircraft_keep_enough_movement_to_return() -> None:
    # Paris is three zones from Western Germany and two from Bavaria, the nearest way back.
    s = air("fighter", "medium_bomber", "tactical_bomber")
    refused(s, fly("fighter", NEAR), "8.3c")
    refused(s, fly("tactical_bomber", NEAR), "8.3c")
    allowed(s, fly("medium_bomber", NEAR))
    base = {"western_germany": [Facility("air_base")]}
    allowed(air("fighter", facilities=base), fly("fighter", NEAR))
    damaged = {"western_germany": [Facility("air_base", damage=1)]}
    refused(air("fighter", facilities=damaged), fly("fighter", NEAR), "8.3c")
    near = air("fighter", zone="bavaria")
    allowed(near, fly("fighter", "bavaria > alsace_lorraine > paris"))


@pytest.mark.rule("gw36:8.3c")
@pytest.mark.rule("gw36:12.5.air-base-b")
def test_what_a_base_adds_is_still_there_on_the_way_back() -> None:
    s = air("fighter", facilities={"western_germany": [Facility("air_base")]})
    Hand(s).run(combat_move.phase, fly("fighter", NEAR), Done())
    (unit,) = (u for u in s.stack("paris") if u.nation == "germany")
    assert range_left(s, unit, "paris") == 2


@pytest.mark.rule("gw36:7.8.long-range-a")
@pytest.mark.rule("gw36:7.8.long-range-c")
def test_long_range_aircraft_fly_further() -> None:
    tech = {("germany", "long_range_aircraft"): 3}
    allowed(air("fighter", tech=tech), fly("fighter", NEAR))
    s = air(tech=tech)
    for type_, reach in (
        ("fighter", 5),
        ("medium_bomber", 6),
        ("strategic_bomber", 8),
        ("heavy_strategic_bomber", 8),
        ("air_transport", 7),
        ("seaplane", 7),
    ):
        assert range_left(s, Unit("germany", type_), "berlin") == reach, type_


@pytest.mark.rule("gw36:8.2a")
@pytest.mark.rule("gw36:12.2.strategic-bomber-a")
@pytest.mark.rule("gw36:12.2.air-transport-a")
def test_aircraft_attack_units_and_need_an_attack_value() -> None:
    s = air("medium_bomber", "strategic_bomber", "air_transport")
    refused(s, fly("medium_bomber", "western_germany > bavaria > alsace_lorraine"), "8.2a")
    refused(s, fly("medium_bomber", "western_germany > bavaria"), "8.2a")
    for type_ in ("strategic_bomber", "air_transport"):
        refused(s, fly(type_, NEAR), "12.2.strategic-bomber-a")


# --- bombing


@pytest.mark.rule("gw36:8.5a")
@pytest.mark.rule("gw36:9.16a")
@pytest.mark.rule("gw36:0.9.stratbomb-a")
@pytest.mark.rule("gw36:12.2.medium-bomber-b")
@pytest.mark.rule("gw36:12.2.strategic-bomber-b")
def test_bombers_go_for_facilities_and_for_units_with_their_escorts() -> None:
    plant = {
        "paris": [Facility("major_factory"), Facility("fortification", "picardy")],
        "western_germany": [Facility("air_base")],
    }
    types = ("medium_bomber", "strategic_bomber", "fighter", "tactical_bomber")
    s = air(*types, facilities=plant)
    for type_ in ("medium_bomber", "strategic_bomber"):
        allowed(s, fly(type_, NEAR, "bomb", "major_factory"))
    for type_ in ("fighter", "tactical_bomber"):
        refused(s, fly(type_, NEAR, "bomb", "major_factory"), "9.16a")
    refused(s, fly("strategic_bomber", NEAR, "bomb", "fortification:picardy"), "9.16a")
    refused(s, fly("strategic_bomber", NEAR, "bomb", "air_base"), "9.16a")
    allowed(s, fly("strategic_bomber", NEAR, "bomb", "railroad:picardy"))
    allowed(s, fly("strategic_bomber", NEAR, "carpet"))
    refused(s, fly("medium_bomber", NEAR, "carpet"), "9.17a")
    refused(s, fly("fighter", NEAR, "escort_bombers"), "8.5a")
    Hand(s).run(
        combat_move.phase,
        fly("strategic_bomber", NEAR, "bomb", "major_factory"),
        fly("fighter", NEAR, "escort_bombers"),
        fly("strategic_bomber", NEAR, "carpet"),
        Done(),
    )
    assert s.planned == (("paris", "bombing"), ("paris", "carpet"))
    refused(
        air(*types, facilities=plant),
        fly("tactical_bomber", NEAR, "escort_bombers"),
        "12.2.fighter-c",
    )


@pytest.mark.rule("gw36:9.17a")
def test_carpet_bombing_needs_land_units_below() -> None:
    s = air("strategic_bomber")
    refused(
        s, fly("strategic_bomber", "western_germany > bavaria > alsace_lorraine", "carpet"), "9.17a"
    )


@pytest.mark.rule("gw36:15.10a")
def test_canals_are_bombed_with_the_option() -> None:
    wars = [("germany", "great_britain")]
    owners = {"cyrenaica": "germany", "tobruk": "germany", "western_egypt": "germany"}
    raid = fly("strategic_bomber", "western_egypt > eastern_egypt", "bomb", "canal:suez_canal")
    refused(air("strategic_bomber", zone="western_egypt", wars=wars, owners=owners), raid, "9.16a")
    s = air(
        "strategic_bomber",
        zone="western_egypt",
        wars=wars,
        owners=owners,
        switches={"bombing_canals": True},
    )
    allowed(s, raid)


# --- decks


def carriers(**fields: Any) -> State:
    """Japan's carriers east of Midway, US ships further on, no land to return to."""
    units: dict[str, list[Any]] = fields.pop("units")
    return state(
        "japan", fields.pop("phase", "combat_move"), units=units, wars=[("japan", "usa")], **fields
    )


def _pacific() -> tuple[str, str, str]:
    """Three sea zones in a row without land at them."""
    known = facts()
    far = [
        zone for zone in known.sea if known.zones[zone].ocean == "pacific" and not known.coast[zone]
    ]
    for one in far:
        for two in known.sea_next[one]:
            for three in known.sea_next[two]:
                if (
                    two in far
                    and three in far
                    and three != one
                    and three not in known.sea_next[one]
                ):
                    return one, two, three
    raise AssertionError


PACIFIC = _pacific()
FIGHTER = Unit("japan", "fighter")
OWN_NOTHING = {
    zone: "usa" for zone, owner in facts().scenarios["1939"].owners.items() if owner == "japan"
}


@pytest.mark.rule("gw36:8.3c")
@pytest.mark.rule("gw36:0.8c")
@pytest.mark.rule("gw36:12.2.light-carrier-a")
def test_aircraft_from_a_carrier_return_to_its_deck() -> None:
    one, two, three = PACIFIC
    s = carriers(
        units={
            one: [of("japan", "light_carrier", cargo=(FIGHTER,))],
            two: [of("usa", "destroyer")],
            three: [of("usa", "destroyer")],
        },
        owners=OWN_NOTHING,
    )
    allowed(s, Move({"fighter": 1}, (one, two)))
    allowed(s, Move({"fighter": 1}, (one, two, three)))
    same = carriers(
        units={one: [of("japan", "light_carrier", cargo=(FIGHTER,)), of("usa", "destroyer")]},
        owners=OWN_NOTHING,
    )
    allowed(same, Move({"fighter": 1}, (one,)))


@pytest.mark.rule("gw36:12.2.fleet-carrier-c")
def test_no_aircraft_takes_off_from_a_damaged_carrier() -> None:
    one, two, _ = PACIFIC
    for hits in (0, 1):
        s = carriers(
            units={
                one: [of("japan", "fleet_carrier", hits=hits, cargo=(FIGHTER, FIGHTER))],
                two: [of("usa", "destroyer")],
            },
            owners=OWN_NOTHING,
        )
        if hits:
            refused(s, Move({"fighter": 1}, (one, two)))
        else:
            allowed(s, Move({"fighter": 2}, (one, two)))


@pytest.mark.rule("gw36:8.3c")
@pytest.mark.rule("gw36:12.2.fleet-carrier-b")
def test_a_deck_is_promised_once_and_a_carrier_may_come_to_meet_aircraft() -> None:
    one, two, three = PACIFIC
    flown = Unit("japan", "fighter", used=4, duty="attack", origin=two)
    units = {
        three: [(flown, 1), of("usa", "destroyer")],
        one: [of("japan", "light_carrier")],
    }
    s = carriers(units=units, owners=OWN_NOTHING)
    assert stranded(s, "japan") == 1  # the carrier cannot enter a zone that the Enemy holds
    s.take(three, Unit("usa", "destroyer"))
    assert stranded(s, "japan") == 0
    s.put(three, flown)
    assert stranded(s, "japan") == 1
    s.put(one, Unit("japan", "fleet_carrier"))
    assert stranded(s, "japan") == 0
    moved = carriers(
        units={three: [(flown, 1)], one: [of("japan", "light_carrier", used=1, duty="moved")]},
        owners=OWN_NOTHING,
    )
    assert stranded(moved, "japan") == 1


@pytest.mark.rule("gw36:8.3c")
@pytest.mark.rule("gw36:10.3a")
def test_a_carrier_that_aircraft_rely_on_does_not_sail_away() -> None:
    one, two, three = PACIFIC
    flown = Unit("japan", "fighter", used=3, duty="fought")
    away = next(
        z
        for z in facts().sea_next[one]
        if z != two and z not in facts().sea_next[three] and z not in facts().sea_next[two]
    )
    s = carriers(
        phase=HOME,
        units={three: [(flown, 1)], two: [of("japan", "light_carrier")]},
        owners=OWN_NOTHING,
    )
    far = Move({"light_carrier": 1}, (two, one, away))
    refused(s, far, "10.3a")
    allowed(s, Move({"light_carrier": 1}, (two, three)))


@pytest.mark.rule("gw36:10.3a")
@pytest.mark.rule("gw36:12.2.fleet-carrier-b")
def test_aircraft_land_on_decks_and_the_phase_waits_for_them() -> None:
    one, two, _ = PACIFIC
    flown = Unit("japan", "fighter", used=3, duty="fought")
    s = carriers(
        phase=HOME,
        units={
            two: [(flown, 2)],
            one: [of("japan", "light_carrier"), of("japan", "light_carrier", hits=0)],
        },
        owners=OWN_NOTHING,
    )
    refused(s, Done(), "10.3a")
    Hand(s).run(noncombat_move.phase, Move({"fighter": 2}, (two, one)), Done())
    assert sorted(len(u.cargo) for u in s.stack(one) for _ in range(s.stack(one)[u])) == [1, 1]
    assert two not in s.at


@pytest.mark.rule("gw36:10.3a")
@pytest.mark.rule("gw36:9.4g")
def test_aircraft_that_reach_no_landing_place_are_lost() -> None:
    one, two, _ = PACIFIC
    flown = Unit("japan", "fighter", used=4, duty="fought")
    s = carriers(
        phase=HOME,
        units={two: [(flown, 1)], one: [of("japan", "light_carrier", used=1, duty="moved")]},
        owners=OWN_NOTHING,
    )
    hand = Hand(s)
    hand.run(noncombat_move.phase, Done())
    assert two not in s.at
    assert [e.kind for e in hand.events] == ["crashed"]


@pytest.mark.rule("gw36:10.3a")
def test_aircraft_do_not_take_the_last_deck_of_others() -> None:
    one, two, _ = PACIFIC
    spent = Unit("japan", "fighter", used=4, duty="fought")
    lively = Unit("japan", "fighter", used=2, duty="fought")
    deck = of("japan", "light_carrier", used=1, duty="moved")
    s = carriers(
        phase=HOME, units={two: [(spent, 1), deck], one: [(lively, 1), deck]}, owners=OWN_NOTHING
    )
    refused(s, Move({"fighter": 1}, (one, two)), "10.3a")
    allowed(s, Move({"fighter": 1}, (one,)))
    allowed(s, Move({"fighter": 1}, (two,)))


@pytest.mark.rule("gw36:10.3b")
@pytest.mark.rule("gw36:10.2b")
def test_nobody_lands_in_a_zone_captured_this_turn_unless_a_base_was() -> None:
    def home(type_: str, *built: str, **fields: Any) -> State:
        return air(
            type_,
            phase=HOME,
            owners={"alsace_lorraine": "germany", "picardy": "germany"},
            captured=frozenset({"alsace_lorraine"}),
            facilities={"alsace_lorraine": [Facility(each) for each in built]},
            zone="bavaria",
            **fields,
        )

    land = "bavaria > alsace_lorraine"
    refused(home("fighter", "air_base"), fly("fighter", land), "10.3b")
    over = home("fighter")
    over.take("picardy", Unit("france", "infantry"))
    allowed(over, fly("fighter", "bavaria > alsace_lorraine > picardy"))
    option = {"captured_bases": True}
    allowed(home("fighter", "air_base", switches=option), fly("fighter", land))
    refused(home("fighter", "major_port", switches=option), fly("fighter", land), "10.3b")
    allowed(home("seaplane", "major_port", switches=option), fly("seaplane", land))
    allowed(home("seaplane", "seaplane_base", switches=option), fly("seaplane", land))
    refused(home("seaplane", "air_base", switches=option), fly("seaplane", land), "10.3b")


@pytest.mark.rule("gw36:1.7d")
@pytest.mark.rule("gw36:1.13a")
def test_aircraft_fly_over_tundra_but_do_not_land_there() -> None:
    near = next(z for z in facts().land_next["komi"] if facts().zones[z].terrain != "tundra")
    s = state("ussr", HOME, units={near: [of("ussr", "fighter")]}, rules="recommended")
    refused(s, fly("fighter", f"{near} > komi"), "10.3b")
    beyond = next(
        z
        for z in facts().neighbours["komi"]
        if z in facts().land_next and z != near and facts().zones[z].terrain != "tundra"
    )
    allowed(s, fly("fighter", f"{near} > komi > {beyond}"))


@pytest.mark.rule("gw36:12.2.seaplane-e")
def test_seaplanes_do_not_land_at_sea() -> None:
    s = state(
        "germany",
        HOME,
        units={
            "western_germany": [of("germany", "seaplane")],
            "sz_027": [of("germany", "fleet_carrier")],
        },
    )
    refused(s, fly("seaplane", "western_germany > sz_027"), "12.2.fleet-carrier-b")


@pytest.mark.rule("gw36:1.24hump-a")
def test_aircraft_over_the_hump_may_be_lost() -> None:
    units = {"burma": [of("fec", "fighter", 2)]}
    wars = [("japan", "great_britain"), ("japan", "kmt")]
    over = Move({"fighter": 2}, ("burma", "yunnan"))
    s = state(
        "fec",
        HOME,
        units=units,
        wars=wars,
        evolved=frozenset({"kmt"}),
        owners={"yunnan": "fec"},
        switches={"himalayan_hump": True},
    )
    Hand(s, (10, 11)).run(noncombat_move.phase, over, Done())
    assert [n for u, n in s.stack("yunnan").items()] == [1]
    assert "burma" not in s.at
    s = state("fec", HOME, units=units, wars=wars, owners={"yunnan": "fec"})
    Hand(s).run(noncombat_move.phase, over, Done())
    assert [n for u, n in s.stack("yunnan").items()] == [2]


@pytest.mark.rule("gw36:8.3c")
@pytest.mark.rule("gw36:9.4f")
def test_landing_places_are_land_and_decks_within_reach() -> None:
    s = air(others={"sz_026": [of("germany", "light_carrier")]})
    places = landing_places(s, Unit("germany", "fighter"), "sz_027", 1)
    assert sorted(places) == ["sz_026", "western_germany"]
    assert landing_places(s, Unit("germany", "medium_bomber"), "sz_027", 1) == ["western_germany"]
    assert landing_places(s, Unit("germany", "fighter"), "sz_025", 0) == []


@pytest.mark.rule("gw36:8.3c")
def test_the_proof_comes_to_an_end_in_a_crowded_ocean() -> None:
    sea = [z for z in facts().sea if facts().zones[z].ocean == "pacific"]
    units: dict[str, list[Any]] = {}
    for i, zone in enumerate(sea):
        units[zone] = [
            of("japan", "fighter", 9, used=i % 4, duty="fought"),
            of("japan", "light_carrier", 5 + i % 3),
            of("japan", "fleet_carrier", 4),
        ]
    s = carriers(phase=HOME, units=units, owners=OWN_NOTHING)
    flying = sum(n for _, u, n in s.units_of("japan") if u.type == "fighter")
    assert 0 <= stranded(s, "japan") <= flying  # a search would not come to an end


# --- advanced carrier rules


def wing(phase: str, *ships: Any, **fields: Any) -> State:
    """Japanese carriers off Tokyo's coast, with the option, in a turn begun with one aircraft."""
    sea = facts().coast["tokyo"][0]
    others = fields.pop("others", {})
    units = {sea: list(ships), **others}
    s = state("japan", phase, units=units, switches={"advanced_carriers": True}, **fields)
    s.done["decked:japan"] = 1
    return s


TOKYO_BAY = facts().coast["tokyo"][0]
LADEN = of("japan", "light_carrier", cargo=(FIGHTER,))


@pytest.mark.rule("gw36:15.3b")
@pytest.mark.rule("gw36:15.3c")
def test_aircraft_leave_their_carrier_only_if_others_take_their_place() -> None:
    ashore = Move({"fighter": 1}, (TOKYO_BAY, "tokyo"))
    refused(wing(HOME, LADEN), ashore, "15.3b")
    plain = state("japan", HOME, units={TOKYO_BAY: [LADEN]})
    allowed(plain, ashore)
    other = Unit("japan", "tactical_bomber", used=1, duty="fought")
    allowed(wing(HOME, LADEN, (other, 1)), ashore)
    box = wing(HOME, LADEN, track=(Job("japan", "fighter", 0),))
    allowed(box, ashore)
    unpaid = wing(HOME, LADEN, track=(Job("japan", "fighter", 1),))
    refused(unpaid, ashore, "15.3b")


@pytest.mark.rule("gw36:15.3b")
def test_aircraft_that_flew_from_a_carrier_return_to_one_if_there_is_room() -> None:
    flown = Unit("japan", "fighter", used=1, duty="fought")
    ashore = Move({"fighter": 1}, (TOKYO_BAY, "tokyo"))
    refused(wing(HOME, of("japan", "light_carrier"), (flown, 1)), ashore, "15.3b")
    allowed(wing(HOME, (flown, 1)), ashore)  # no deck is left
    combat = wing("combat_move", LADEN)
    combat.done.clear()
    Hand(combat).run(combat_move.phase, Done())
    assert combat.done["decked:japan"] == 1


@pytest.mark.rule("gw36:15.3d")
def test_an_empty_carrier_heads_for_the_nearest_factory() -> None:
    far = PACIFIC[1]
    plant = {"tokyo": [Facility("major_factory")]}
    s = wing(HOME, others={far: [of("japan", "light_carrier")]}, facilities=plant)
    refused(s, Done(), "15.3d")
    laden = wing(HOME, others={far: [LADEN]}, facilities=plant)
    allowed(laden, Done())
    near = wing(HOME, of("japan", "light_carrier"), facilities=plant)
    allowed(near, Done())
    moved = of("japan", "light_carrier", used=1, duty="moved")
    allowed(wing(HOME, others={far: [moved]}, facilities=plant), Done())
