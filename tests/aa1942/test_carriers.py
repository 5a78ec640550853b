"""Aircraft carriers: launching, guests, defence, stranded fighters (p.13, p.20, p.27-29)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.aa1942.table import Casualties, Dive, Divert, Done, Fight, Retreat, Table, move, table
from tests.aa1942.turns import pass_to, pass_turns

# --- launching ----------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:carrier.launch-first", "aa1942:unit.air.count.carrier")
def test_fighters_count_from_the_carriers_first_zone() -> None:
    """A carrier's combat move carries no own fighter forward."""
    t = table(
        "japan",
        units={
            "sz60": {"japan": "aircraft_carrier, 2 fighter"},
            "sz57": {"united_states": "transport"},
            "sz59": {"united_states": "transport"},
        },
    )
    t.do(move("aircraft_carrier", "sz60 > sz59 > sz57"))
    assert t.units("sz60", "japan") == {"fighter": 2}
    t.do(move("fighter", "sz60 > sz59"))
    (flying,) = (u for u in t.s.stack("sz59") if u.power == "japan")
    assert flying.used == 1


@pytest.mark.rule("aa1942:carrier.fighters-wait")
def test_a_fighter_may_wait_and_fly_in_noncombat_movement() -> None:
    t = table(
        "japan",
        units={
            "sz60": {"japan": "aircraft_carrier, 2 fighter"},
            "sz59": {"united_states": "transport"},
        },
    )
    t.do(move("aircraft_carrier", "sz60 > sz59"), Done())
    assert t.asked == "japan noncombat_move"
    assert t.units("sz60", "japan") == {"fighter": 2}
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("fighter", "sz60 > sz59"))
    t.do(move("fighter", "sz60 > japan"), Done())
    assert t.units("sz59", "japan") == {"aircraft_carrier": 1, "fighter": 1}
    assert t.units("japan", "japan") == {"fighter": 1}


@pytest.mark.rule("aa1942:carrier.fighters-wait", "aa1942:unit.fighter.launch")
def test_a_waiting_fighter_is_in_no_battle_of_its_carrier() -> None:
    t = table(
        "japan",
        units={
            "sz60": {"japan": "aircraft_carrier, fighter"},
            "sz59": {"united_states": "destroyer"},
        },
    )
    t.do(move("aircraft_carrier", "sz60 > sz59"), Done())
    assert t.rolling == "attack in sz59: 1 aircraft_carrier at 1"


@pytest.mark.rule("aa1942:unit.fighter.own-carrier-attacks")
def test_fighters_of_a_sunk_attacking_carrier_are_in_the_air() -> None:
    """One fought and one waited: neither goes down with the carrier, both land elsewhere."""
    t = table(
        "japan",
        units={
            "sz60": {"japan": "aircraft_carrier, 2 fighter"},
            "sz59": {"united_states": "cruiser"},
        },
    )
    t.do(move("aircraft_carrier", "sz60 > sz59"), move("fighter", "sz60 > sz59"), Done())
    t.dice(3, 6).dice(3).do(Casualties({"japan": {"aircraft_carrier": 1}}))
    assert t.units("sz59", "japan") == {"fighter": 1}
    assert t.units("sz60", "japan") == {"fighter": 1}
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("fighter", "sz59 > iwo_jima"), move("fighter", "sz60 > japan"), Done())
    assert t.s.lost.get(("japan", "fighter"), 0) == 0


@pytest.mark.rule("aa1942:carrier.landing-zone")
@pytest.mark.parametrize("phase", ["combat_move", "noncombat_move"])
def test_a_carrier_takes_fighters_only_where_its_move_ends(phase: str) -> None:
    t = table(
        "japan",
        phase,
        units={
            "sz60": {"japan": "aircraft_carrier"},
            "sz59": {"united_states": "transport"} if phase == "combat_move" else {},
            "japan": {"japan": "fighter"},
        },
    )
    t.do(move("aircraft_carrier", "sz60 > sz59"))
    if phase == "combat_move":
        t.do(Done())
    t.refused(move("fighter", "japan > sz60"), "noncombat.air.carrier-required")
    t.do(move("fighter", "japan > sz60 > sz59"), Done())
    assert t.units("sz59", "japan") == {"aircraft_carrier": 1, "fighter": 1}


# --- guests -------------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:carrier.guest.cargo")
def test_a_guest_travels_with_the_carrier() -> None:
    t = table(
        "united_states",
        units={"sz53": {"united_states": "aircraft_carrier", "united_kingdom": "fighter"}},
    )
    assert t.cargo("sz53", "united_states") == [["united_kingdom fighter"]]
    t.do(Done(), move("aircraft_carrier", "sz53 > sz52 > sz50"))
    assert t.cargo("sz50", "united_states") == [["united_kingdom fighter"]]
    t = table(
        "united_states",
        units={
            "sz53": {"united_states": "aircraft_carrier", "united_kingdom": "fighter"},
            "sz52": {"japan": "transport"},
        },
    )
    t.do(move("aircraft_carrier", "sz53 > sz52"), Done())
    assert t.cargo("sz52", "united_states") == [["united_kingdom fighter"]]


@pytest.mark.rule("aa1942:unit.carrier.guest-turn")
def test_a_guest_flies_only_in_its_own_powers_turn() -> None:
    units = {
        "sz53": {"united_states": "aircraft_carrier", "united_kingdom": "fighter"},
        "sz52": {"japan": "transport"},
    }
    for phase in ("combat_move", "noncombat_move"):
        t = table("united_states", phase, units)
        t.refused(move("fighter", "sz53 > sz52"))
        t.refused(move("fighter", "sz53 > hawaiian_islands"))
    t = table("united_kingdom", units=units)
    t.do(move("fighter", "sz53 > sz52"), Done())
    assert t.cargo("sz53", "united_states") == [[]]
    t.do(move("fighter", "sz52 > sz53 > hawaiian_islands"))
    t = table("united_kingdom", "noncombat_move", units)
    t.do(move("fighter", "sz53 > hawaiian_islands"))


@pytest.mark.rule("aa1942:carrier.guest.cargo")
def test_guests_choose_which_carrier_moves() -> None:
    """Of two carriers, the one named by its cargo sails."""
    t = table(
        "united_states",
        "noncombat_move",
        {"sz53": {"united_states": "2 aircraft_carrier", "united_kingdom": "fighter"}},
    )
    t.do(move("aircraft_carrier", "sz53 > sz52", cargo={"fighter": 1}))
    assert t.cargo("sz52", "united_states") == [["united_kingdom fighter"]]
    assert t.cargo("sz53", "united_states") == [[]]


@pytest.mark.rule("aa1942:multi.fighter-ally-carrier", "aa1942:unit.carrier.guest-turn")
def test_a_guest_lands_rides_and_attacks_over_three_turns() -> None:
    """Britain lands on an American carrier, America sails, Britain attacks from there."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "hawaiian_islands": {"united_kingdom": "fighter"},
            "sz53": {"united_states": "aircraft_carrier"},
            "sz50": {"japan": "transport"},
        },
    )
    t.do(move("fighter", "hawaiian_islands > sz53"))
    t.refused(move("aircraft_carrier", "sz53 > sz52"))  # not in the British turn
    pass_turns(t, "united_states")
    assert t.cargo("sz53", "united_states") == [["united_kingdom fighter"]]
    pass_to(t, "noncombat_move")
    t.do(move("aircraft_carrier", "sz53 > sz52"))
    pass_turns(t, "united_kingdom")
    assert t.units("sz52", "united_kingdom") == {"fighter": 1}
    pass_to(t, "combat_move")
    t.do(move("fighter", "sz52 > sz50"), Done())
    assert t.units("sz50", "japan") == {}
    t.do(move("fighter", "sz50 > sz52"))
    pass_turns(t, "japan")
    assert t.cargo("sz52", "united_states") == [["united_kingdom fighter"]]


@pytest.mark.rule("aa1942:unit.carrier.capacity")
@pytest.mark.parametrize(
    ("there", "room"),
    [
        ({"united_kingdom": "aircraft_carrier"}, 2),
        ({"united_kingdom": "aircraft_carrier, fighter"}, 1),
        ({"united_kingdom": "aircraft_carrier, 2 fighter"}, 0),
        ({"united_kingdom": "aircraft_carrier", "united_states": "fighter"}, 1),
        ({"united_kingdom": "aircraft_carrier", "united_states": "2 fighter"}, 0),
        ({"united_kingdom": "aircraft_carrier, fighter", "united_states": "fighter"}, 0),
        ({"united_states": "aircraft_carrier"}, 2),
        ({"united_states": "aircraft_carrier, fighter"}, 1),
        ({"united_states": "aircraft_carrier, fighter", "united_kingdom": "aircraft_carrier"}, 3),
        ({"united_kingdom": "cruiser"}, 0),
        ({"germany": "aircraft_carrier"}, 0),
    ],
)
def test_two_fighters_on_a_carrier_own_and_allied(there: dict[str, str], room: int) -> None:
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"united_kingdom": {"united_kingdom": "4 fighter"}, "sz7": there},
    )
    t.refused(move(f"{room + 1} fighter", "united_kingdom > sz7"), "noncombat.air.carrier-required")
    if room:
        t.do(move(f"{room} fighter", "united_kingdom > sz7"), Done())
        assert t.asked == "japan purchase"


@pytest.mark.rule("aa1942:unit.carrier.capacity")
def test_whoever_leaves_the_deck_makes_room() -> None:
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "united_kingdom": {"united_kingdom": "fighter"},
            "sz7": {"united_kingdom": "aircraft_carrier, 2 fighter"},
        },
    )
    t.refused(move("fighter", "united_kingdom > sz7"), "noncombat.air.carrier-required")
    t.do(move("fighter", "sz7 > sz3 > iceland"), move("fighter", "united_kingdom > sz7"), Done())
    assert t.units("sz7", "united_kingdom") == {"aircraft_carrier": 1, "fighter": 2}


# --- defence and stranded fighters --------------------------------------------------------------


@pytest.mark.rule("aa1942:unit.carrier.fighter-defense")
def test_fighters_defend_even_against_submarines_and_cannot_be_hit_by_them() -> None:
    t = table(
        "germany",
        units={
            "sz7": {
                "united_kingdom": "aircraft_carrier, fighter, destroyer",
                "united_states": "fighter",
            },
            "sz9": {"germany": "submarine"},
        },
    )
    t.do(move("submarine", "sz9 > sz7"), Done()).dice(2)
    assert set(t.request.units["united_kingdom"]) >= {"aircraft_carrier", "destroyer"}
    t.refused(Casualties({"united_kingdom": {"fighter": 1}}))
    t.refused(Casualties({"united_states": {"fighter": 1}}))
    t.do(Casualties({"united_kingdom": {"destroyer": 1}}))
    assert t.rolling == (
        "defence in sz7: 2 fighter at 4, 1 aircraft_carrier at 2, 1 destroyer at 2"
    )


@pytest.mark.rule("aa1942:unit.carrier.fighter-defense")
def test_without_a_destroyer_fighters_still_fly_against_submarines() -> None:
    t = table(
        "germany",
        units={
            "sz7": {"united_kingdom": "aircraft_carrier", "united_states": "fighter"},
            "sz9": {"germany": "submarine"},
        },
    )
    t.do(move("submarine", "sz9 > sz7"), Done(), Dive(0)).dice(2)
    # The carrier is gone without firing; the fighter is in the air and lives.
    assert t.units("sz7", "united_kingdom") == {}
    assert t.s.lost == {("united_kingdom", "aircraft_carrier"): 1}


def strand(**units: Any) -> Table:
    """Japan sinks a British carrier in sz35 whose fighters live, and withdraws."""
    control = units.pop("control", {})
    board = {
        "sz35": {"united_kingdom": "aircraft_carrier, fighter"},
        "sz36": {"japan": "2 cruiser"},
        **units,
    }
    t = table("japan", units=board, control=control)
    t.do(move("2 cruiser", "sz36 > sz35"), Done()).dice(3, 6)
    t.do(Casualties({"united_kingdom": {"aircraft_carrier": 1}}))
    t.dice(*[6] * t.request.dice)
    return t.do(Retreat("sz36"))


@pytest.mark.rule("aa1942:unit.fighter.defend-return")
def test_a_fighter_returns_to_the_carrier_it_defended() -> None:
    t = table(
        "japan",
        units={
            "sz35": {"united_kingdom": "aircraft_carrier, fighter", "united_states": "fighter"},
            "sz36": {"japan": "2 cruiser"},
        },
    )
    t.do(move("2 cruiser", "sz36 > sz35"), Done()).dice(6, 6).dice(6, 6, 6).do(Retreat("sz36"))
    assert t.asked == "japan noncombat_move"
    assert t.units("sz35", "united_kingdom") == {"aircraft_carrier": 1, "fighter": 1}
    assert t.cargo("sz35", "united_kingdom") == [["united_states fighter"]]


@pytest.mark.rule("aa1942:unit.fighter.defend-return")
def test_another_carrier_in_the_zone_takes_the_stranded_first() -> None:
    t = strand(
        sz35={"united_kingdom": "aircraft_carrier, fighter", "united_states": "aircraft_carrier"}
    )
    assert t.asked == "japan noncombat_move"  # nobody is asked, though India is near
    assert t.cargo("sz35", "united_states") == [["united_kingdom fighter"]]
    assert t.units("india", "united_kingdom") == {}


@pytest.mark.rule("aa1942:noncombat.stranded", "aa1942:unit.fighter.defend-return")
def test_only_as_many_are_stranded_as_find_no_deck() -> None:
    """Two carriers with four fighters, one carrier sunk: two fighters have to go."""
    t = strand(sz35={"united_kingdom": "2 aircraft_carrier, 4 fighter"})
    assert t.asked == "japan noncombat_move"
    assert t.units("sz35", "united_kingdom") == {"aircraft_carrier": 1, "fighter": 2}
    assert t.units("india", "united_kingdom") == {"fighter": 2}


@pytest.mark.rule("aa1942:noncombat.stranded")
def test_a_stranded_fighter_flies_one_space_only() -> None:
    """India is lost: the fighter goes down, though Persia is two spaces away."""
    t = strand(control={"india": "japan"})
    assert t.asked == "japan noncombat_move"
    assert t.units("sz35", "united_kingdom") == {}
    assert t.units("persia", "united_kingdom") == {}
    assert t.s.lost["united_kingdom", "fighter"] == 1


@pytest.mark.rule("aa1942:noncombat.stranded")
def test_a_stranded_fighter_lands_on_a_carrier_with_room_next_door() -> None:
    full = {"united_states": "aircraft_carrier, 2 fighter"}
    t = strand(control={"india": "japan"}, sz34=full)
    assert t.s.lost["united_kingdom", "fighter"] == 1
    room = {"united_states": "aircraft_carrier, fighter"}
    t = strand(control={"india": "japan"}, sz34=room)
    assert t.cargo("sz34", "united_states") == [["united_kingdom fighter"]]
    hostile = {"united_states": "aircraft_carrier, fighter", "germany": "battleship"}
    t = strand(control={"india": "japan"}, sz32=hostile)
    assert t.cargo("sz32", "united_states") == [["united_kingdom fighter"]]


@pytest.mark.rule("aa1942:noncombat.stranded")
def test_the_owner_chooses_among_refuges_one_fighter_at_a_time() -> None:
    t = strand(
        sz35={"united_kingdom": "aircraft_carrier, 2 fighter"},
        sz34={"united_states": "aircraft_carrier, fighter"},
    )
    assert t.asked == "united_kingdom land_stranded"
    assert t.request.to == ("india", "sz34")
    t.refused(Divert("sz32"), "noncombat.stranded")
    t.refused(Divert("persia"), "noncombat.stranded")
    t.refused(Done(), by="japan")
    t.do(Divert("sz34"))  # that deck is full now: the second goes to India by itself
    assert t.asked == "japan noncombat_move"
    assert t.cargo("sz34", "united_states") == [["united_kingdom fighter"]]
    assert t.units("india", "united_kingdom") == {"fighter": 1}


@pytest.mark.rule("aa1942:noncombat.stranded")
def test_land_captured_in_this_turn_is_no_refuge() -> None:
    t = table(
        "japan",
        units={
            "sz35": {"united_kingdom": "aircraft_carrier, fighter"},
            "sz36": {"japan": "2 cruiser"},
            "burma": {"japan": "infantry"},
        },
        control={"burma": "japan"},
    )
    t.do(move("2 cruiser", "sz36 > sz35"), move("infantry", "burma > india"), Done())
    t.do(Fight("india")).dice(3, 6)
    t.do(Casualties({"united_kingdom": {"aircraft_carrier": 1}})).dice(6, 6).do(Retreat("sz36"))
    assert t.s.control["india"] == "japan"
    assert t.s.lost["united_kingdom", "fighter"] == 1
