"""Naval combat: submarines, transports, capital ships, carriers, screens (9.4, 9.6, 9.7, 9.10)."""

import pytest

from sandtable.games.gw36.model import Unit
from sandtable.games.gw36.rules.casualties import Casualties, ChooseCasualties
from sandtable.games.gw36.rules.follow_up import Land
from sandtable.games.gw36.rules.retreat import Dive, MayDive, Press, Retreat
from tests.gw36.fights import Fight, place, position, sea_fight

MISS = 12


@pytest.mark.rule("gw36:table-9-4a", "gw36:12.2.heavy-cruiser-a", "gw36:12.2.light-cruiser-a")
def test_ships_fight_with_their_values():
    fight = sea_fight(
        {"heavy_cruiser": 1},
        {"light_cruiser": 2},
        [6, 5, MISS],
        until="retreat_or_press",
    )
    assert fight.values("attack") == {"heavy_cruiser": [(1, 6)]}
    assert fight.values("defense") == {"light_cruiser": [(2, 5)]}
    assert fight.units("sz_025", "great_britain") == {"light_cruiser": 1}
    assert fight.units("sz_025", "germany") == {}


@pytest.mark.rule("gw36:9.10b", "gw36:table-9-1a")
def test_submarines_strike_first_where_no_destroyer_is():
    fight = sea_fight({"submarine": 1}, {"light_cruiser": 1}, [3])
    assert fight.units("sz_025", "great_britain") == {}
    assert fight.units("sz_025", "germany") == {"submarine": 1}


@pytest.mark.rule("gw36:9.10b", "gw36:12.2.destroyer-b", "gw36:12.2.tbd-a")
def test_a_destroyer_takes_first_strike_from_submarines_a_torpedo_boat_does_not():
    fight = sea_fight({"submarine": 1}, {"destroyer": 1}, [3, 4])
    assert fight.units("sz_025", "germany") == {}
    assert fight.units("sz_025", "great_britain") == {}
    boats = sea_fight({"submarine": 1}, {"torpedo_boat_destroyer": 1}, [3])
    assert boats.units("sz_025", "germany") == {"submarine": 1}


@pytest.mark.rule("gw36:9.10b")
def test_first_strike_of_submarines_is_of_the_first_round():
    fight = sea_fight({"submarine": 1}, {"light_cruiser": 1}, [MISS, MISS, 3, 5])
    assert fight.units("sz_025", "germany") == {}
    assert fight.units("sz_025", "great_britain") == {}


@pytest.mark.rule("gw36:9.10d")
def test_submarines_never_hit_aircraft():
    fight = sea_fight(
        {"submarine": 1},
        {"light_carrier": 1, "fighter": 1},
        [3, MISS],
        until="may_dive",
    )
    # The fighter is left; the only battle that goes on is the fighter's.
    assert fight.units("sz_025", "great_britain") == {"fighter": 1}


@pytest.mark.rule("gw36:9.6a", "gw36:12.2.naval-transport-c")
def test_transports_are_the_last_to_be_lost():
    fight = sea_fight(
        {"light_cruiser": 1},
        {"naval_transport": 1, "destroyer": 2},
        [5, MISS, MISS],
        until="retreat_or_press",
    )
    assert fight.units("sz_025", "great_britain") == {"naval_transport": 1, "destroyer": 1}


@pytest.mark.rule("gw36:9.6a", "gw36:12.2.tactical-bomber-b")
def test_target_selection_picks_a_transport_earlier():
    fight = sea_fight(
        {"tactical_bomber": 1},
        {"naval_transport": 1, "destroyer": 1},
        [3, MISS],
        [Casualties({"great_britain:naval_transport": 1})],
        until="retreat_or_press",
    )
    assert fight.units("sz_025", "great_britain") == {"destroyer": 1}


@pytest.mark.rule("gw36:9.6b", "gw36:9.6c")
def test_transports_alone_are_eliminated_with_their_cargo():
    loaded = Unit(
        "great_britain", "naval_transport", cargo=(Unit("great_britain", "infantry"),) * 2
    )
    fight = sea_fight({"destroyer": 1}, {"naval_transport": loaded}, [])
    assert fight.units("sz_025", "great_britain") == {}
    assert fight.s.lost["great_britain", "infantry"] == 2


@pytest.mark.rule("gw36:7.8.asw-c")
def test_transports_with_advanced_asw_fire_at_submarines():
    tech = {("great_britain", "advanced_asw"): 3}
    fight = sea_fight({"submarine": 1}, {"naval_transport": 1}, [MISS, 1], tech=tech)
    assert fight.values("defense") == {"naval_transport": [(1, 1)]}
    assert fight.units("sz_025", "germany") == {}
    with_cruiser = sea_fight(
        {"submarine": 1, "light_cruiser": 1}, {"naval_transport": 1}, [], tech=tech
    )
    assert with_cruiser.units("sz_025", "great_britain") == {}


@pytest.mark.rule("gw36:9.6d", "gw36:12.2.seaplane-c")
def test_a_seaplane_hits_submarines_and_lone_transports_only():
    void = sea_fight({"seaplane": 1}, {"destroyer": 1}, [MISS], until="retreat_or_press")
    assert void.values("attack") == {}
    assert void.units("sz_025", "great_britain") == {"destroyer": 1}
    submarine = sea_fight(
        {"seaplane": 1}, {"submarine": 1, "destroyer": 1}, [3, MISS, MISS], until="retreat_or_press"
    )
    assert submarine.units("sz_025", "great_britain") == {"destroyer": 1}


@pytest.mark.rule("gw36:0.9.capital-b", "gw36:12.2.battleship-a", "gw36:12.2.battleship-b")
def test_a_battleship_is_damaged_first_and_weaker_then():
    fight = sea_fight(
        {"heavy_cruiser": 1},
        {"battleship": 1},
        [6, MISS, 6, MISS],
        [Press()],
    )
    assert fight.values("defense") == {"battleship": [(1, 6), (1, 6)]}
    assert fight.units("sz_025", "great_britain") == {}
    assert fight.units("sz_025", "germany") == {"heavy_cruiser": 1}


@pytest.mark.rule("gw36:0.9.capital-b", "gw36:7.8.heavy-battleship-b", "gw36:12.2.battlecruiser-a")
def test_a_heavy_battleship_sinks_on_the_third_hit_a_battlecruiser_on_the_first():
    fight = sea_fight(
        {"heavy_cruiser": 3},
        {"heavy_battleship": 1, "battlecruiser": 1},
        [6, 6, 6] + [MISS] * 2,
        [Casualties({"great_britain:battlecruiser": 1, "great_britain:heavy_battleship": 2})],
        until="retreat_or_press",
    )
    (ship,) = fight.s.stack("sz_025").keys() - {
        u for u in fight.s.stack("sz_025") if u.nation == "germany"
    }
    assert (ship.type, ship.hits) == ("heavy_battleship", 2)
    assert fight.values("defense")["heavy_battleship"] == [(1, 6)]  # 10 - 2 - 2


@pytest.mark.rule("gw36:15.5a", "gw36:15.5b")
def test_alternate_damage_is_rolled_for():
    sunk = sea_fight(
        {"heavy_cruiser": 1},
        {"battleship": 1, "destroyer": 1},
        [6, 9, MISS, MISS],
        [Casualties({"great_britain:battleship": 1})],
        on=["alternate_damage"],
        until="retreat_or_press",
    )
    assert sunk.units("sz_025", "great_britain") == {"destroyer": 1}
    light = sea_fight(
        {"heavy_cruiser": 1},
        {"battleship": 1},
        [6, 8, MISS],
        on=["alternate_damage"],
        until="retreat_or_press",
    )
    assert {u.hits for u in light.s.stack("sz_025") if u.type == "battleship"} == {1}
    heavy = sea_fight(
        {"heavy_cruiser": 1},
        {"heavy_carrier": 1},
        [6, 11, MISS],
        on=["alternate_damage"],
        until="retreat_or_press",
    )
    assert {u.hits for u in heavy.s.stack("sz_025") if u.type == "heavy_carrier"} == {2}


@pytest.mark.rule("gw36:9.4h", "gw36:9.10c", "gw36:table-9-4b", "gw36:9.4i")
def test_a_submarine_submerges_after_the_round_that_it_had_to_fight():
    fight = sea_fight(
        {"submarine": 1},
        {"tactical_bomber": 1},
        [MISS],
        [Dive({"germany:submarine": 1})],
    )
    (submarine,) = [u for u in fight.s.stack("sz_025") if u.nation == "germany"]
    assert submarine.duty == "submerged"
    assert fight.values("attack") == {}  # it cannot hit the aircraft


@pytest.mark.rule("gw36:9.4h")
def test_defending_submarines_may_leave_one_by_one():
    fight = sea_fight(
        {"light_cruiser": 1},
        {"submarine": 2},
        [MISS, MISS, MISS],
        [Dive({"great_britain:submarine": 1})],
        until="retreat_or_press",
    )
    assert sorted(u.duty for u in fight.s.stack("sz_025") if u.nation == "great_britain") == [
        "",
        "submerged",
    ]
    assert isinstance(fight.asked[-2], MayDive)


@pytest.mark.rule("gw36:9.4e", "gw36:9.4b", "gw36:9.4c")
def test_ships_retreat_to_the_zone_they_came_from():
    fight = sea_fight({"light_cruiser": 2}, {"light_cruiser": 1}, [MISS] * 3, [Retreat("sz_026")])
    assert fight.s.stack("sz_026") == {Unit("germany", "light_cruiser", duty="retreated"): 2}


@pytest.mark.rule("gw36:8.7k", "gw36:12.2.fleet-carrier-c", "gw36:12.2.fleet-carrier-a")
def test_aircraft_of_a_carrier_defend_it_unless_it_is_damaged():
    planes = (Unit("great_britain", "fighter"), Unit("great_britain", "tactical_bomber"))
    carrier = Unit("great_britain", "fleet_carrier", cargo=planes)
    fight = sea_fight(
        {"light_cruiser": 1}, {"fleet_carrier": carrier}, [MISS] * 4, [Retreat("sz_026")]
    )
    assert fight.values("defense") == {
        "fighter": [(1, 6)],
        "fleet_carrier": [(1, 2)],
        "tactical_bomber": [(1, 5)],
    }
    assert carrier in fight.s.stack("sz_025")  # they are aboard again
    hurt = sea_fight(
        {"light_cruiser": 1},
        {"fleet_carrier": carrier._replace(hits=1)},
        [MISS] * 2,
        until="retreat_or_press",
    )
    assert hurt.values("defense") == {"fleet_carrier": [(1, 2)]}


@pytest.mark.rule("gw36:0.5i")
def test_enemies_of_the_attacker_defend_together_whatever_their_alliance():
    s = position(wars=[("germany", "great_britain"), ("germany", "ussr")])
    place(s, "sz_025", "germany", {"light_cruiser": 1}, duty="attack", origin="sz_026")
    place(s, "sz_025", "great_britain", {"destroyer": 1})
    place(s, "sz_025", "ussr", {"destroyer": 1})
    place(s, "sz_025", "usa", {"destroyer": 1})
    s.planned = (("sz_025", "naval"),)
    fight = Fight(s, [MISS] * 3, until="retreat_or_press")
    assert [(line.power, line.count) for line in fight.rolls[1][1]] == [
        ("great_britain", 1),
        ("ussr", 1),
    ]


@pytest.mark.rule("gw36:8.9c")
def test_submarines_that_declined_take_no_part():
    s = position(wars=[("germany", "great_britain")])
    place(s, "sz_025", "germany", {"light_cruiser": 1}, duty="attack", origin="sz_026")
    place(s, "sz_025", "great_britain", {"destroyer": 1})
    place(s, "sz_025", "great_britain", {"submarine": 1}, duty="declined")
    s.planned = (("sz_025", "naval"),)
    fight = Fight(s, [4, MISS])
    assert fight.values("defense") == {"destroyer": [(1, 4)]}
    assert fight.units("sz_025", "great_britain") == {"submarine": 1}


def screened(duty: str, target: str, dice: list[int], answers: list[object] | None = None) -> Fight:
    """A cruiser screens a loaded transport and another cruiser on their way through sz_025."""
    s = position(turn="germany", wars=[("germany", "great_britain")])
    place(s, "sz_025", "germany", {"light_cruiser": 1}, duty="screen", origin="sz_026")
    troops = (Unit("germany", "infantry"), Unit("germany", "infantry"))
    ship = Unit("germany", "naval_transport", cargo=troops)
    place(
        s,
        "sz_025",
        "germany",
        {"naval_transport": ship, "heavy_cruiser": 1},
        duty=duty,
        origin="sz_026",
        target=target,
        used=1,
    )
    place(s, "sz_025", "great_britain", {"destroyer": 1})
    s.planned = (("sz_025", "naval"),)
    return Fight(s, dice, answers or [], until="choose_casualties")


@pytest.mark.rule("gw36:9.7a", "gw36:9.7b", "gw36:9.7c")
def test_behind_a_victorious_screen_the_force_goes_on():
    fight = screened("follow", "sz_024", [5, MISS], [Land()])
    moved = {unit.type: unit for unit in fight.s.stack("sz_024")}
    assert set(moved) == {"naval_transport", "heavy_cruiser"}
    assert moved["heavy_cruiser"].used == 3  # all it had
    assert fight.units("sz_025", "germany") == {"light_cruiser": 1}


@pytest.mark.rule("gw36:9.7d")
def test_behind_a_screen_that_is_lost_the_force_turns_back():
    fight = screened("follow", "sz_024", [MISS, 4])
    assert fight.units("sz_026", "germany") == {"naval_transport": 1, "heavy_cruiser": 1}
    assert all(unit.duty == "retreated" for unit in fight.s.stack("sz_026"))


@pytest.mark.rule("gw36:9.1d", "gw36:9.6b")
def test_the_owner_is_asked_only_where_there_is_a_choice():
    fight = sea_fight(
        {"light_cruiser": 1}, {"destroyer": 2}, [5, MISS, MISS], until="retreat_or_press"
    )
    assert not any(isinstance(request, ChooseCasualties) for request in fight.asked)
