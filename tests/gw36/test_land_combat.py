"""Land combat: rounds, first strike, casualties, retreat (0.3, 9.1-9.5, 12.2)."""

import pytest

from sandtable.games.gw36.model import Unit
from sandtable.games.gw36.rules.casualties import Casualties, ChooseCasualties
from sandtable.games.gw36.rules.retreat import Press, Retreat, RetreatOrPress
from sandtable.games.gw36.rules.rounds import ChooseFire, Fire
from sandtable.kernel.errors import IllegalDecision
from tests.gw36.fights import Fight, attack, fortify, place, position

MISS = 12


@pytest.mark.rule("gw36:9.1b", "gw36:12.2.infantry-a", "gw36:9.19b", "gw36:9.5a")
def test_a_roll_of_the_value_or_less_hits():
    fight = attack({"infantry": 2}, {"infantry": 1}, [2, 3, 5])
    assert fight.units("normandy", "france") == {}
    assert fight.units("normandy", "germany") == {"infantry": 2}
    assert fight.s.possession["normandy"] == "germany"
    missed = attack({"infantry": 1}, {"infantry": 1}, [3, 4])
    assert missed.units("normandy", "germany") == {}
    assert missed.s.possession["normandy"] == "france"


@pytest.mark.rule("gw36:9.1d", "gw36:table-9-2d", "gw36:table-9-2e")
def test_ordinary_casualties_of_the_defender_still_fire():
    fight = attack({"infantry": 1}, {"infantry": 1}, [1, 4])
    assert fight.units("normandy", "france") == {}
    assert fight.units("normandy", "germany") == {}
    assert fight.s.possession["normandy"] == "france"  # nobody is left to capture it


@pytest.mark.rule("gw36:9.1f", "gw36:table-9-1a", "gw36:table-9-2a", "gw36:12.2.artillery-b")
def test_first_strike_removes_its_casualties_before_they_fire():
    fight = attack({"artillery": 1}, {"infantry": 1}, [3])
    assert [kind for kind, _, _ in fight.rolls] == ["attack"]
    assert fight.units("normandy", "germany") == {"artillery": 1}


@pytest.mark.rule("gw36:table-9-1b")
def test_first_strikes_of_both_sides_are_simultaneous():
    fight = attack({"artillery": 1}, {"artillery": 1}, [3, 3])
    assert fight.units("normandy", "germany") == {}
    assert fight.units("normandy", "france") == {}


@pytest.mark.rule("gw36:table-9-1a", "gw36:12.2.artillery-b")
def test_first_strike_is_of_the_first_round_only():
    # Round 1: the artillery misses, the infantry misses. Round 2: both hit, at the same time.
    fight = attack({"artillery": 1}, {"infantry": 1}, [MISS, MISS, 3, 4])
    assert fight.units("normandy", "germany") == {}
    assert fight.units("normandy", "france") == {}


@pytest.mark.rule("gw36:9.1d", "gw36:9.1f")
def test_the_example_of_the_book():
    """Italy attacks 4 Soviet infantry in Yugoslavia with 4 infantry, 2 medium armor, an artillery
    and a fighter, which misses."""
    fight = attack(
        {"infantry": 4, "medium_armor": 2, "artillery": 1, "fighter": 1},
        {"infantry": 4},
        # artillery; fighter; infantry (paired one first); armor; three Soviet infantry fire.
        [1, MISS, 1, MISS, MISS, MISS, 6, MISS, 4, 4, MISS],
        [Casualties({"italy:infantry": 2})],
        zone="yugoslavia",
        origin="northern_italy",
        attacker="italy",
        defender="ussr",
        until="retreat_or_press",
    )
    defended = [lines for kind, lines, _ in fight.rolls if kind == "defense"]
    assert sum(line.count for line in defended[0]) == 3
    assert fight.units("yugoslavia", "ussr") == {"infantry": 1}


@pytest.mark.rule("gw36:12.2.artillery-c", "gw36:0.3b")
def test_each_artillery_gives_one_infantry_a_bonus():
    fight = attack(
        {"infantry": 3, "artillery": 1}, {"infantry": 9}, [MISS] * 13, until="retreat_or_press"
    )
    assert fight.values("attack")["infantry"] == [(1, 3), (2, 2)]
    assert fight.values("attack")["artillery"] == [(1, 3)]


@pytest.mark.rule("gw36:12.2.artillery-c")
def test_artillery_supports_infantry_class_only_and_only_in_attack():
    fight = attack(
        {"motorized_infantry": 1, "artillery": 1},
        {"infantry": 1, "artillery": 1},
        [MISS] * 4,
        until="retreat_or_press",
    )
    assert fight.values("attack")["motorized_infantry"] == [(1, 2)]
    assert fight.values("defense")["infantry"] == [(1, 4)]


@pytest.mark.rule("gw36:table-9-1c", "gw36:table-9-2b", "gw36:12.2.fighter-b")
def test_air_superiority_hits_aircraft_first_and_then_others():
    """The example of 9.3: three fighters hit, France has two aircraft and two infantry."""
    fight = attack(
        {"fighter": 3},
        {"fighter": 1, "tactical_bomber": 1, "infantry": 2},
        [6, 6, 6, MISS, MISS, MISS, MISS],
        until="retreat_or_press",
    )
    assert fight.units("normandy", "france") == {"infantry": 1}


@pytest.mark.rule("gw36:table-9-1c")
def test_air_superiority_is_of_the_first_round_only():
    fight = attack(
        {"fighter": 1},
        {"fighter": 1, "infantry": 1},
        [MISS, MISS, MISS, 6, MISS, MISS],
        [Press(), Casualties({"france:infantry": 1})],
        until="retreat_or_press",
    )
    assert fight.units("normandy", "france") == {"fighter": 1}


@pytest.mark.rule("gw36:table-9-1d", "gw36:12.2.tactical-bomber-b", "gw36:table-9-1e")
def test_target_selection_within_its_range():
    def choose(request: ChooseCasualties) -> Casualties:
        assert request.power == "germany"
        assert request.chosen_by_enemy
        assert set(request.tiers[0]) == {"france:infantry", "france:medium_armor"}
        return Casualties({"france:medium_armor": 1})

    fight = attack(
        {"tactical_bomber": 1},
        {"infantry": 1, "medium_armor": 1, "fighter": 1},
        [3, MISS, MISS, MISS],
        [choose],
        until="retreat_or_press",
    )
    assert fight.units("normandy", "france") == {"infantry": 1, "fighter": 1}


@pytest.mark.rule("gw36:table-9-1d")
def test_a_hit_above_the_range_is_the_owner_s_choice():
    def choose(request: ChooseCasualties) -> Casualties:
        assert request.power == "france"
        return Casualties({"france:infantry": 1})

    attack(
        {"tactical_bomber": 1},
        {"infantry": 1, "medium_armor": 1},
        [4, MISS, MISS],
        [choose],
        until="retreat_or_press",
    )


@pytest.mark.rule("gw36:table-9-1e", "gw36:12.2.tank-destroyer-b")
def test_without_a_legal_target_it_is_an_ordinary_hit():
    fight = attack(
        {"tank_destroyer": 1}, {"infantry": 2}, [1, MISS, MISS], until="retreat_or_press"
    )
    assert fight.units("normandy", "france") == {"infantry": 1}


@pytest.mark.rule("gw36:9.1c", "gw36:9.1e")
def test_the_attacker_chooses_which_type_rolls_next():
    fight = attack(
        {"infantry": 1, "light_armor": 1},
        {"infantry": 1},
        [MISS, MISS, MISS],
        [Fire("light_armor")],
        until="retreat_or_press",
    )
    assert [lines[0].type for _, lines, _ in fight.rolls] == ["light_armor", "infantry", "infantry"]
    request = ChooseFire("germany", "normandy", "attack", ("infantry",))
    with pytest.raises(IllegalDecision):
        request.check(fight.s, Fire("fighter"))


@pytest.mark.rule("gw36:12.2.aa-a", "gw36:12.2.aa-b", "gw36:12.2.aa-c", "gw36:12.2.aa-d")
def test_anti_aircraft_artillery_fires_at_up_to_three_aircraft_in_the_first_round():
    fight = attack(
        {"fighter": 4, "infantry": 1},
        {"anti_aircraft_artillery": 1, "infantry": 1},
        [MISS] * 5 + [3, 3, 4, MISS],
        until="retreat_or_press",
    )
    assert fight.values("defense")["anti_aircraft_artillery"] == [(3, 3)]
    assert fight.units("normandy", "germany") == {"fighter": 2, "infantry": 1}


@pytest.mark.rule("gw36:12.2.aa-b", "gw36:12.2.aa-d")
def test_anti_aircraft_artillery_fires_at_no_land_unit_and_not_in_later_rounds():
    fight = attack(
        {"infantry": 1, "fighter": 1},
        {"anti_aircraft_artillery": 1},
        [MISS, MISS, MISS, 2],
        [Casualties({"france:anti_aircraft_artillery": 1})] * 0,
    )
    assert fight.units("normandy", "france") == {}
    alone = attack(
        {"infantry": 1},
        {"anti_aircraft_artillery": 1, "infantry": 1},
        [MISS, MISS],
        until="retreat_or_press",
    )
    assert "anti_aircraft_artillery" not in alone.values("defense")


@pytest.mark.rule("gw36:9.4a", "gw36:9.4b", "gw36:9.4c", "gw36:9.4d", "gw36:table-9-2g")
def test_land_units_retreat_together_to_where_they_came_from():
    fight = attack({"infantry": 2, "fighter": 1}, {"infantry": 1}, [MISS] * 4, [Retreat("picardy")])
    assert fight.s.stack("picardy") == {Unit("germany", "infantry", duty="retreated"): 2}
    assert (
        fight.s.stack("normandy")[Unit("germany", "fighter", origin="picardy", duty="fought")] == 1
    )
    assert fight.s.possession["normandy"] == "france"


@pytest.mark.rule("gw36:9.4d")
def test_no_retreat_to_where_nobody_came_from():
    request = RetreatOrPress("germany", "normandy", ("picardy",), {"germany:infantry": 1})
    s = position()
    request.check(s, Retreat("picardy"))
    with pytest.raises(IllegalDecision):
        request.check(s, Retreat("paris"))
    with pytest.raises(IllegalDecision):
        request.check(s, Retreat("picardy", {"paris": {"germany:infantry": 1}}))


@pytest.mark.rule("gw36:9.4d")
def test_a_retreat_may_split_among_several_zones():
    s = position()
    s.possession |= {"picardy": "germany", "aquitaine": "germany"}
    place(s, "normandy", "germany", {"infantry": 2}, duty="attack", origin="picardy")
    place(s, "normandy", "germany", {"light_armor": 1}, duty="attack", origin="aquitaine")
    place(s, "normandy", "france", {"infantry": 1})
    s.planned = (("normandy", "land"),)
    Fight(s, [MISS] * 4, [Retreat("picardy", {"aquitaine": {"germany:infantry": 1}})])
    assert s.stack("aquitaine") == {Unit("germany", "infantry", duty="retreated"): 1}
    assert sum(s.stack("picardy").values()) == 2


@pytest.mark.rule("gw36:9.4d")
def test_a_zone_that_is_no_longer_friendly_takes_no_retreat():
    s = position()
    place(s, "normandy", "germany", {"infantry": 1}, duty="attack", origin="picardy")
    place(s, "normandy", "france", {"infantry": 1})
    s.planned = (("normandy", "land"),)
    fight = Fight(s, [MISS, MISS, MISS, 4])  # Picardy is French: nobody is asked
    assert not any(isinstance(request, RetreatOrPress) for request in fight.asked)


@pytest.mark.rule("gw36:0.3d", "gw36:1.12c", "gw36:1.8b", "gw36:1.24dual-c")
def test_river_and_mountain_together_cost_one():
    fight = attack(
        {"infantry": 1, "marine": 1, "mountain_infantry": 1, "artillery": 1, "medium_armor": 1},
        {"infantry": 9},
        [MISS] * 14 + [MISS] * 14,
        [Press()],
        zone="yugoslavia",
        origin="hungary",
        defender="yugoslavia",
        on=["mountains", "rivers"],
        until="retreat_or_press",
    )
    values = fight.values("attack")
    # The artillery's support goes where it does most.
    assert values["artillery"] == [(1, 2), (1, 2)]  # mountains, no river
    assert values["medium_armor"] == [(1, 5), (1, 5)]
    assert (
        values["mountain_infantry"][0][1] + values["infantry"][0][1] + values["marine"][0][1] == 4
    )
    assert values["mountain_infantry"][1][1] == 2  # no river in the second round


@pytest.mark.rule("gw36:1.8a", "gw36:1.12c")
def test_terrain_counts_for_nothing_where_its_rules_are_not_in_use():
    fight = attack(
        {"infantry": 1},
        {"infantry": 1},
        [MISS, MISS],
        zone="yugoslavia",
        origin="hungary",
        defender="yugoslavia",
        until="retreat_or_press",
    )
    assert fight.values("attack")["infantry"] == [(1, 2)]


@pytest.mark.rule("gw36:0.3f", "gw36:12.2.militia-a")
def test_no_attack_falls_below_one():
    fight = attack(
        {"militia": 1},
        {"infantry": 1},
        [MISS, MISS],
        zone="yugoslavia",
        origin="austria",
        defender="yugoslavia",
        on=["mountains"],
        until="retreat_or_press",
    )
    assert fight.values("attack")["militia"] == [(1, 1)]


@pytest.mark.rule("gw36:1.8a", "gw36:1.7c")
def test_border_terrain_is_of_the_first_round():
    fight = attack(
        {"infantry": 1},
        {"infantry": 1},
        [MISS] * 4,
        [Press()],
        zone="picardy",
        origin="belgium",
        on=["mountains"],
        until="retreat_or_press",
    )
    assert fight.values("attack")["infantry"] == [(1, 1), (1, 2)]


@pytest.mark.rule("gw36:12.2.mountain-b", "gw36:12.2.mountain-c")
def test_mountain_infantry_at_home_in_the_mountains():
    fight = attack(
        {"mountain_infantry": 1},
        {"mountain_infantry": 1, "infantry": 1},
        [MISS] * 3,
        zone="austria",
        origin="bavaria",
        defender="austria",
        on=["mountains"],
        until="retreat_or_press",
    )
    assert fight.values("attack")["mountain_infantry"] == [(1, 2)]
    assert fight.values("defense") == {"infantry": [(1, 4)], "mountain_infantry": [(1, 5)]}


@pytest.mark.rule("gw36:1.10a", "gw36:1.10b", "gw36:1.11b")
def test_vehicles_in_jungle_and_marsh_attack_and_defend_at_two_less():
    jungle = attack(
        {"cavalry": 1, "infantry": 1},
        {"light_armor": 1, "infantry": 1},
        [MISS] * 4,
        zone="annam_tonkin",
        origin="kwangtung",
        on=["jungles"],
        until="retreat_or_press",
    )
    assert jungle.values("attack") == {"cavalry": [(1, 1)], "infantry": [(1, 2)]}
    assert jungle.values("defense") == {"infantry": [(1, 4)], "light_armor": [(1, 1)]}
    marsh = attack(
        {"medium_armor": 1},
        {"cavalry": 1},
        [MISS] * 2,
        zone="southern_belorussia",
        origin="northern_belorussia",
        defender="ussr",
        on=["marshes"],
        until="retreat_or_press",
    )
    assert marsh.values("attack") == {"medium_armor": [(1, 4)]}
    assert marsh.values("defense") == {"cavalry": [(1, 0)]}  # no floor for Defense (0.3f)


@pytest.mark.rule("gw36:1.9a", "gw36:1.9b", "gw36:1.9c")
def test_in_the_desert_a_vehicle_that_rolls_twelve_leaves():
    fight = attack(
        {"infantry": 1, "light_armor": 2},
        {"infantry": 1},
        [12, 12, 5, MISS],
        zone="cyrenaica",
        origin="western_egypt",
        attacker="great_britain",
        defender="italy",
        on=["deserts"],
        until="retreat_or_press",
    )
    assert fight.values("attack") == {"infantry": [(1, 1)], "light_armor": [(2, 3)]}
    assert fight.units("western_egypt", "great_britain") == {"light_armor": 1}
    assert fight.units("cyrenaica", "great_britain") == {"infantry": 1, "light_armor": 1}


@pytest.mark.rule("gw36:1.9c")
def test_without_a_zone_to_go_to_the_breakdown_is_ignored():
    s = position(turn="great_britain", wars=[("great_britain", "italy")], on=["deserts"])
    place(s, "cyrenaica", "great_britain", {"light_armor": 1}, duty="attack", origin="chad")
    place(s, "cyrenaica", "italy", {"infantry": 1})
    s.planned = (("cyrenaica", "land"),)
    Fight(s, [12, MISS, MISS, 4])


@pytest.mark.rule("gw36:1.16b", "gw36:0.3c", "gw36:12.7d", "gw36:12.7b", "gw36:12.7e")
def test_a_fortified_city_gives_two_and_then_one():
    s = position()
    s.possession["picardy"] = "germany"
    fortify(s, "paris", "picardy")
    place(s, "paris", "germany", {"infantry": 1}, duty="attack", origin="picardy")
    place(s, "paris", "france", {"infantry": 1, "light_armor": 1, "fighter": 1})
    s.planned = (("paris", "land"),)
    fight = Fight(s, [MISS] * 2 + [MISS] * 4 + [MISS] * 4, [Press()], until="retreat_or_press")
    assert fight.values("defense")["fortification"] == [(2, 5)]
    assert fight.values("defense")["infantry"] == [(1, 6), (1, 5)]
    assert fight.values("defense")["light_armor"] == [(1, 5), (1, 3)]
    assert fight.values("defense")["fighter"] == [(1, 6), (1, 6)]


@pytest.mark.rule("gw36:12.7a", "gw36:12.8a")
def test_a_fortification_covers_its_own_border_but_for_special_zones():
    s = position()
    s.possession["aquitaine"] = "germany"
    fortify(s, "normandy", "picardy")
    place(s, "normandy", "germany", {"infantry": 1}, duty="attack", origin="aquitaine")
    place(s, "normandy", "france", {"infantry": 1})
    s.planned = (("normandy", "land"),)
    fight = Fight(s, [MISS] * 2, until="retreat_or_press")
    assert fight.values("defense") == {"infantry": [(1, 4)]}
    city = position()
    city.possession["aquitaine"] = "germany"
    fortify(city, "paris", "picardy")
    place(city, "paris", "germany", {"infantry": 1}, duty="attack", origin="aquitaine")
    place(city, "paris", "france", {"infantry": 1})
    city.planned = (("paris", "land"),)
    assert Fight(city, [MISS] * 4, until="retreat_or_press").values("defense")["fortification"]


@pytest.mark.rule("gw36:1.23a", "gw36:1.23b", "gw36:1.23c", "gw36:9.2a")
def test_the_maginot_line():
    s = position()
    fortify(s, "alsace_lorraine", "bavaria", "maginot")
    place(s, "alsace_lorraine", "germany", {"infantry": 3}, duty="attack", origin="bavaria")
    place(s, "alsace_lorraine", "germany", {"fighter": 1}, duty="attack", origin="bavaria")
    place(s, "alsace_lorraine", "france", {"infantry": 1})
    s.planned = (("alsace_lorraine", "land"),)
    fight = Fight(
        s,
        [6, MISS] + [MISS] * 3 + [MISS] * 1,
        [Casualties({"germany:infantry": 2})],
        until="retreat_or_press",
    )
    assert fight.values("defense") == {"fortification": [(2, 6)], "infantry": [(1, 7)]}
    assert fight.units("alsace_lorraine", "germany") == {"fighter": 1, "infantry": 1}


@pytest.mark.rule("gw36:1.23a")
def test_an_aircraft_hit_at_the_maginot_line_costs_one():
    s = position()
    fortify(s, "alsace_lorraine", "bavaria", "maginot")
    place(
        s,
        "alsace_lorraine",
        "germany",
        {"infantry": 3, "fighter": 1},
        duty="attack",
        origin="bavaria",
    )
    place(s, "alsace_lorraine", "france", {"infantry": 1})
    s.planned = (("alsace_lorraine", "land"),)
    fight = Fight(
        s, [6, MISS] + [MISS] * 4, [Casualties({"germany:fighter": 1})], until="retreat_or_press"
    )
    assert fight.units("alsace_lorraine", "germany") == {"infantry": 3}


@pytest.mark.rule("gw36:1.16c")
def test_infantry_in_a_city_selects_vehicles_with_a_one():
    def choose(request: ChooseCasualties) -> Casualties:
        assert request.power == "france"
        assert set(request.tiers[0]) == {"germany:light_armor", "germany:medium_armor"}
        return Casualties({"germany:medium_armor": 1})

    fight = attack(
        {"infantry": 2, "light_armor": 1, "medium_armor": 1},
        {"infantry": 1},
        [MISS] * 4 + [1],
        [choose],
        zone="paris",
        until="retreat_or_press",
    )
    assert fight.units("paris", "germany") == {"infantry": 2, "light_armor": 1}


@pytest.mark.rule("gw36:1.16c")
def test_a_city_of_a_minor_power_for_which_nobody_decides_selects_the_dearest_vehicle():
    fight = attack(
        {"infantry": 2, "light_armor": 1, "medium_armor": 1},
        {"infantry": 1},
        [MISS] * 4 + [1],
        zone="istanbul",
        origin="bulgaria",
        attacker="ussr",
        defender="turkey",
        until="retreat_or_press",
    )
    assert fight.units("istanbul", "ussr") == {"infantry": 2, "light_armor": 1}


@pytest.mark.rule("gw36:1.16d", "gw36:1.16e")
def test_a_surrounded_city_weakens_all_its_defenders():
    around = ("alsace_lorraine", "aquitaine", "normandy", "picardy", "southern_france")
    s = position()
    s.possession |= dict.fromkeys(around, "germany")
    place(s, "paris", "germany", {"infantry": 1}, duty="attack", origin="picardy")
    place(s, "paris", "france", {"infantry": 1, "fighter": 1})
    s.planned = (("paris", "land"),)
    fight = Fight(s, [MISS] * 3, until="retreat_or_press")
    assert fight.values("defense") == {"fighter": [(1, 5)], "infantry": [(1, 3)]}


@pytest.mark.rule("gw36:0.5g", "gw36:0.5h")
def test_joint_defenders_who_disagree_roll_for_it():
    s = position(wars=[("germany", "france"), ("germany", "great_britain")])
    s.possession["picardy"] = "germany"
    place(s, "normandy", "germany", {"infantry": 1}, duty="attack", origin="picardy")
    place(s, "normandy", "france", {"infantry": 1})
    place(s, "normandy", "great_britain", {"infantry": 1})
    s.planned = (("normandy", "land"),)
    fight = Fight(
        s,
        [1, 7, 7, 3, 9, MISS, MISS],
        [
            lambda r: Casualties({"france:infantry": 1}),
            lambda r: Casualties({"great_britain:infantry": 1}),
        ],
        until="retreat_or_press",
    )
    # A tie is rolled again; the second of the two in the order of play, France, rolls higher.
    assert [request.power for request in fight.asked[:2]] == ["great_britain", "france"]
    assert [kind for kind, _, _ in fight.rolls].count("dispute") == 2
    assert fight.units("normandy", "france") == {"infantry": 1}
    assert fight.units("normandy", "great_britain") == {}


@pytest.mark.rule("gw36:0.5j")
def test_partners_who_do_not_attack_are_no_casualties():
    s = position(wars=[("germany", "france"), ("france", "italy")])
    s.possession["picardy"] = "germany"
    place(s, "normandy", "germany", {"infantry": 1}, duty="attack", origin="picardy")
    place(s, "normandy", "italy", {"fighter": 1})
    place(s, "normandy", "france", {"infantry": 1})
    s.planned = (("normandy", "land"),)
    fight = Fight(s, [MISS, 4])
    assert fight.units("normandy", "italy") == {"fighter": 1}
    assert fight.units("normandy", "germany") == {}


@pytest.mark.rule("gw36:7.8.rockets-a", "gw36:7.8.rockets-b")
def test_rockets_alone_with_an_enemy_are_destroyed():
    fight = attack({"infantry": 1}, {"strategic_rocket": 1}, [])
    assert fight.units("normandy", "france") == {}
    assert fight.s.possession["normandy"] == "germany"


@pytest.mark.rule("gw36:12.2.air-transport-c", "gw36:12.2.air-transport-a")
def test_air_transports_are_taken_last():
    fight = attack(
        {"infantry": 1}, {"air_transport": 1, "infantry": 1}, [1, MISS], until="retreat_or_press"
    )
    assert fight.units("normandy", "france") == {"air_transport": 1}


@pytest.mark.rule("gw36:0.3g", "gw36:12.2.strategic-bomber-a")
def test_a_unit_without_an_attack_value_never_rolls_in_attack():
    fight = attack(
        {"infantry": 1, "air_transport": 1}, {"infantry": 1}, [MISS, MISS], until="retreat_or_press"
    )
    assert "air_transport" not in fight.values("attack")


@pytest.mark.rule("gw36:9.19b")
def test_aircraft_alone_capture_nothing():
    fight = attack({"fighter": 1}, {"infantry": 1}, [1, MISS])
    assert fight.units("normandy", "france") == {}
    assert fight.s.possession["normandy"] == "france"
