"""More cases of combat: mixed groups, exceptions and the order of things (0.3, 9.1-9.17, 12.7)."""

import pytest

import sandtable
from sandtable.games.gw36.model import Battle, Facility, Unit
from sandtable.games.gw36.rules.blitz import Blitz, MayBlitz
from sandtable.games.gw36.rules.bombing import raiders
from sandtable.games.gw36.rules.casualties import Casualties, ChooseCasualties
from sandtable.games.gw36.rules.combat import ChooseCombat
from sandtable.games.gw36.rules.combat import Fight as FightNext
from sandtable.games.gw36.rules.retreat import Press
from sandtable.games.gw36.rules.values import FORTS, fort
from sandtable.kernel.errors import IllegalDecision
from tests.gw36.fights import Fight, attack, fortify, place, position, sea_fight

MISS = 12


@pytest.mark.rule("gw36:0.3a")
def test_a_bonus_and_a_penalty_are_added_up():
    fight = attack(
        {"infantry": 1, "artillery": 1},
        {"infantry": 1},
        [MISS, MISS, MISS],
        zone="yugoslavia",
        origin="austria",
        defender="yugoslavia",
        on=["mountains"],
        until="retreat_or_press",
    )
    assert fight.values("attack")["infantry"] == [(1, 2)]  # 2 + 1 for artillery - 1


@pytest.mark.rule("gw36:0.3e")
def test_damage_is_no_modifier():
    hurt = Unit("great_britain", "battleship", hits=1)
    fight = sea_fight(
        {"light_cruiser": 1}, {"battleship": hurt}, [MISS, MISS], until="retreat_or_press"
    )
    assert fight.values("defense") == {"battleship": [(1, 6)]}


@pytest.mark.rule("gw36:1.24dual-b")
def test_a_mountain_city():
    fight = attack(
        {"infantry": 1},
        {"infantry": 1, "mountain_infantry": 1},
        [MISS] * 3,
        zone="madrid",
        origin="catalonia",
        attacker="italy",
        defender="spain_republican",
        on=["mountains"],
        until="retreat_or_press",
    )
    assert fight.values("attack") == {"infantry": [(1, 1)]}
    assert fight.values("defense") == {"infantry": [(1, 5)], "mountain_infantry": [(1, 5)]}


@pytest.mark.rule("gw36:1.24dual-d")
def test_a_river_city():
    fight = attack(
        {"infantry": 1},
        {"infantry": 1},
        [MISS] * 2,
        zone="paris",
        origin="normandy",
        on=["rivers"],
        until="retreat_or_press",
    )
    assert fight.values("attack") == {"infantry": [(1, 1)]}
    assert fight.values("defense") == {"infantry": [(1, 5)]}


@pytest.mark.rule("gw36:9.1a")
def test_the_attacker_chooses_the_order_of_combats():
    s = position()
    s.possession["picardy"] = "germany"
    for zone in ("normandy", "alsace_lorraine"):
        place(s, zone, "germany", {"infantry": 1}, duty="attack", origin="picardy")
    s.planned = (("alsace_lorraine", "land"), ("normandy", "land"))
    fight = Fight(s, [], [FightNext("normandy", "land")])
    (asked,) = fight.asked
    assert isinstance(asked, ChooseCombat)
    assert asked.power == "germany"
    assert [e.data["space"] for e in fight.events if e.kind == "battle_began"] == [
        "normandy",
        "alsace_lorraine",
    ]
    with pytest.raises(IllegalDecision):
        asked.check(s, FightNext("paris", "land"))


@pytest.mark.rule("gw36:table-9-1f")
def test_with_double_casualties_only_one_is_selected():
    def owner(request: ChooseCasualties) -> Casualties:
        assert request.power == "germany"
        assert not request.chosen_by_enemy
        return Casualties({"germany:infantry": 1})

    s = position()
    fortify(s, "alsace_lorraine", "bavaria", "maginot")
    force = {"cavalry": 1, "infantry": 2, "medium_armor": 1}
    place(s, "alsace_lorraine", "germany", force, duty="attack", origin="bavaria")
    place(s, "alsace_lorraine", "france", {"tank_destroyer": 1})
    s.planned = (("alsace_lorraine", "land"),)
    fight = Fight(
        s,
        # The line and all attackers miss, the tank destroyer selects the armor.
        [MISS] * 6 + [1],
        [Casualties({"germany:medium_armor": 1}), owner],
        until="retreat_or_press",
    )
    assert fight.units("alsace_lorraine", "germany") == {"cavalry": 1, "infantry": 1}


@pytest.mark.rule("gw36:table-9-2c", "gw36:table-9-2f", "gw36:table-9-2h", "gw36:9.1e")
def test_attackers_that_are_hit_are_gone_at_once_and_rounds_repeat():
    fight = attack(
        {"infantry": 2},
        {"infantry": 2},
        [MISS, MISS, 4, MISS, 2, MISS, MISS],
        [Press()],
        until="retreat_or_press",
    )
    attacked = [lines[0].count for kind, lines, _ in fight.rolls if kind == "attack"]
    assert attacked == [2, 1]
    assert fight.units("normandy", "france") == {"infantry": 1}


@pytest.mark.rule("gw36:9.15c")
def test_airborne_infantry_dies_with_its_aircraft_in_the_first_round():
    def ready(*more: Unit):
        s = position()
        s.possession["picardy"] = "germany"
        s.put("normandy", Unit("germany", "airborne", duty="assault", target="airborne"))
        s.put("normandy", Unit("germany", "air_transport", duty="assault", target="airborne"))
        for unit in more:
            s.put("normandy", unit)
        place(s, "normandy", "france", {"infantry": 1})
        s.planned = (("normandy", "land"),)
        return s

    first = ready()
    fight = Fight(first, [MISS, 4], [Casualties({"germany:air_transport~": 1})])
    assert fight.units("normandy", "germany") == {}
    second = ready(Unit("germany", "infantry", duty="attack", origin="picardy"))
    later = Fight(
        second,
        [MISS, MISS, MISS, MISS, 2, 4],
        [Casualties({"germany:air_transport~": 1})],
    )
    assert later.units("normandy", "germany") == {"airborne": 1, "infantry": 1}


@pytest.mark.rule("gw36:12.2.air-transport-c")
def test_an_air_transport_in_an_assault_is_no_last_casualty():
    s = position()
    s.put("normandy", Unit("germany", "airborne", duty="assault", target="airborne"))
    s.put("normandy", Unit("germany", "air_transport", duty="assault", target="airborne"))
    place(s, "normandy", "france", {"infantry": 1})
    s.planned = (("normandy", "land"),)
    fight = Fight(s, [MISS, 4], until="choose_casualties")
    (asked,) = [r for r in fight.asked if isinstance(r, ChooseCasualties)]
    assert len(asked.tiers) == 1


@pytest.mark.rule("gw36:9.4j")
def test_aircraft_of_a_sunken_carrier_fly_one_zone_or_are_lost():
    planes = (Unit("great_britain", "fighter"),)
    carrier = Unit("great_britain", "light_carrier", cargo=planes)
    s = position(wars=[("germany", "great_britain")], on=["carrier_retreat"])
    place(s, "sz_025", "germany", {"battleship": 1}, duty="attack", origin="sz_026")
    s.put("sz_025", carrier)
    s.planned = (("sz_025", "naval"),)
    done = Fight(
        s,
        [8, MISS, MISS],
        [Casualties({"great_britain:light_carrier": 1})],
        until="retreat_or_press",
    )
    # The fighter is still there to fight; after the battle it goes home.
    assert done.units("sz_025", "great_britain") == {"fighter": 1}


@pytest.mark.rule("gw36:9.11n")
def test_escorts_defend_when_their_zone_is_attacked():
    s = position(wars=[("germany", "great_britain")])
    place(s, "sz_025", "germany", {"light_cruiser": 1}, duty="attack", origin="sz_026")
    place(s, "sz_025", "great_britain", {"destroyer": 1}, duty="convoy")
    s.planned = (("sz_025", "naval"),)
    fight = Fight(s, [MISS, 4])
    assert fight.values("defense") == {"destroyer": [(1, 4)]}


@pytest.mark.rule("gw36:table-9-9a", "gw36:table-9-9g", "gw36:12.2.aa-e")
def test_escorts_fly_along_and_aa_units_leave_strategic_bombers_alone():
    s = position()
    s.facilities["paris"] = (Facility("major_factory"),)
    place(s, "paris", "germany", {"medium_bomber": 1}, duty="bomb", target="major_factory")
    place(s, "paris", "germany", {"fighter": 1}, duty="escort_bombers", target="major_factory")
    place(s, "paris", "france", {"anti_aircraft_artillery": 2})
    s.planned = (("paris", "bombing"),)
    assert raiders(s, "paris", "escort_bombers")
    fight = Fight(s, [2, MISS])
    assert fight.values("defense") == {"anti_aircraft": [(1, 3)]}  # the factory's own
    assert {unit.duty for unit in s.stack("paris") if unit.nation == "germany"} == {"fought"}


@pytest.mark.rule("gw36:12.7c", "gw36:12.7g", "gw36:12.9b", "gw36:1.22b")
def test_works_on_borders_are_no_casualties_and_fall_with_their_zone():
    s = position()
    s.possession["picardy"] = "germany"
    fortify(s, "normandy", "picardy")
    fortify(s, "normandy", "sz_026", "coastal_artillery")
    place(s, "normandy", "germany", {"infantry": 2}, duty="attack", origin="picardy")
    place(s, "normandy", "france", {"infantry": 1})
    s.planned = (("normandy", "land"),)
    fight = Fight(s, [MISS, MISS, 2, MISS, MISS], until="choose_casualties")
    assert not any(isinstance(request, ChooseCasualties) for request in fight.asked)
    assert s.possession["normandy"] == "germany"
    assert s.facilities.get("normandy", ()) == ()


@pytest.mark.rule("gw36:7.8.heavy-armor-b", "gw36:7.8.heavy-armor-a")
def test_heavy_armor_selects_vehicles_with_a_one():
    def choose(request: ChooseCasualties) -> Casualties:
        assert request.power == "germany"
        assert set(request.tiers[0]) == {"france:cavalry", "france:light_armor"}
        return Casualties({"france:light_armor": 1})

    fight = attack(
        {"heavy_armor": 1},
        {"infantry": 1, "cavalry": 1, "light_armor": 1},
        [1, MISS, MISS, MISS],
        [choose],
        until="retreat_or_press",
    )
    assert fight.values("attack") == {"heavy_armor": [(1, 8)]}
    assert fight.units("normandy", "france") == {"infantry": 1, "cavalry": 1}


@pytest.mark.rule("gw36:7.8.advanced-sub-d", "gw36:7.8.advanced-sub-a")
def test_units_defend_normally_against_advanced_submarines():
    fight = sea_fight({"advanced_submarine": 1}, {"light_cruiser": 1}, [MISS, 5])
    assert fight.values("defense") == {"light_cruiser": [(1, 5)]}
    assert fight.values("attack") == {"advanced_submarine": [(1, 4)]}
    assert fight.units("sz_025", "germany") == {}


@pytest.mark.rule("gw36:12.2.fighter-d", "gw36:12.2.tactical-bomber-c", "gw36:table-9-3f")
def test_aircraft_follow_a_blitz_paired_with_armor_if_they_can_still_land():
    s = position()
    s.possession["picardy"] = "germany"
    place(
        s,
        "normandy",
        "germany",
        {"medium_armor": 1, "fighter": 1},
        duty="attack",
        origin="picardy",
        used=1,
    )
    place(s, "normandy", "germany", {"tactical_bomber": 1}, duty="attack", origin="picardy", used=3)
    place(s, "normandy", "france", {"infantry": 1})
    s.planned = (("normandy", "land"),)
    fight = Fight(s, [MISS, 6, MISS, MISS], until="may_blitz")
    (asked,) = [r for r in fight.asked if isinstance(r, MayBlitz)]
    armor = {"germany:medium_armor": 1}
    asked.check(s, Blitz(armor | {"germany:fighter@1": 1}, "aquitaine"))
    with pytest.raises(IllegalDecision) as pairs:
        asked.check(
            s, Blitz(armor | {"germany:fighter@1": 1, "germany:tactical_bomber@3": 1}, "aquitaine")
        )
    assert pairs.value.rule == "table-9-3c"
    with pytest.raises(IllegalDecision) as lands:
        asked.check(s, Blitz(armor | {"germany:tactical_bomber@3": 1}, "aquitaine"))
    assert lands.value.rule == "table-9-3f"


@pytest.mark.rule("gw36:1.23b", "gw36:1.23c", "gw36:1.22a")
def test_the_maginot_line_stands_at_the_start_of_both_scenarios():
    for scenario in ("1936", "1939"):
        game = sandtable.new("gw36", options={"scenario": scenario})
        s = game.state
        s.wars |= {("france", "germany")}
        s.slot, s.phase, s.battle = 0, "combat", None
        place(s, "alsace_lorraine", "germany", {"infantry": 1}, duty="attack", origin="bavaria")
        s.battle = Battle("alsace_lorraine", "land", ("germany",), ("france",), round=1)
        assert fort(s) == FORTS["maginot"]
