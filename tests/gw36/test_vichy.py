"""The French surrender, Vichy France and Free France (14.4)."""

from __future__ import annotations

import pytest

from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.model import Job, News, Unit
from sandtable.games.gw36.rules.capture import possess
from sandtable.games.gw36.rules.relations import go_to_war
from sandtable.games.gw36.rules.terms import aligned, commander
from sandtable.kernel.kits import Answer, Choose
from tests.gw36.procedures import kinds, run
from tests.gw36.table import state

VICHY, FREE = "vichy_france", "free_france"


def wars():
    return [("france", "germany"), ("germany", "great_britain"), ("great_britain", "italy")]


def before(turn="germany", units=None, **fields):
    fields = {
        "treasury": {"france": 7, "germany": 1},
        "date": "1940-07",
        "production": [],
        **fields,
    }
    return state(turn, wars=fields.pop("wars", wars()), units=units or {}, **fields)


def fall(s, by="germany", **more):
    """Paris is captured."""
    return run(s, lambda g: possess(g, "paris", by, "captured"), **more)


def rolls(default=12, **zones):
    """The faces for the groups of colonies, then for those that roll alone, by name."""
    first = ("annam", "somaliland", "guiana", "algeria", "mauritania", "dahomey")
    alone = ("french_morocco", "syria", "tunisia")
    return [zones.get(name, default) for name in (*first, *alone)]


@pytest.mark.rule("gw36:14.4.2a", "gw36:14.4.1b")
def test_in_another_turn_there_is_no_vichy():
    s = before("italy", wars=[("france", "italy")], units={"syria": {"france": "infantry"}})
    s.put("picardy", Unit("france", "infantry"))
    fall(s, "italy")
    assert s.vichy == "refused" and "france" in s.surrendered
    assert s.possession["syria"] == FREE and s.stack("syria") == {Unit(FREE, "infantry"): 1}
    assert s.stack("picardy") == {} and s.possession["picardy"] == "france"
    assert pair(FREE, "italy") in s.wars


@pytest.mark.rule("gw36:14.4.2a", "gw36:14.4.1b")
def test_germany_may_do_without():
    s = before()
    s.put("picardy", Unit("germany", "infantry"))  # it has still to fight there
    s.track = (Job("france", "battleship", 1), Job("france", "infantry", 0))
    fall(s, answers=[Answer(False)])
    assert s.vichy == "refused"
    assert s.possession["southern_france"] == "france" and s.possession["corsica"] == FREE
    assert s.track == (Job("germany", "battleship", 1),)
    assert s.stack("picardy") == {Unit("germany", "infantry"): 1}


@pytest.mark.rule("gw36:14.4.1a")
def test_french_cash_goes_to_the_conqueror_even_if_paris_is_only_encircled():
    s = before()
    for zone in s.facts.land_next["paris"]:
        s.possession[zone] = "germany"
    s.possession["picardy"] = "france"
    run(
        s,
        lambda g: possess(g, "picardy", "germany", "captured"),
        answers=[Answer(True)],
        dice=rolls(),
    )
    assert "france" in s.surrendered and s.possession["paris"] == "germany"
    assert (s.treasury["france"], s.treasury["germany"]) == (0, 8)


@pytest.mark.rule("gw36:14.4.2c", "gw36:14.4.2d", "gw36:14.4.2i", "gw36:14.4.2b", "gw36:14.4.3a")
def test_vichy_france_is_set_up():
    s = before()
    for zone in ("normandy", "corsica", "southern_france"):
        s.put(zone, Unit("france", "infantry"), 2)
    s.put("normandy", Unit("france", "fighter"))
    fall(s, answers=[Answer(True)], dice=rolls())
    assert s.vichy == "active"
    assert s.possession["corsica"] == s.possession["southern_france"] == VICHY
    for zone in ("picardy", "alsace_lorraine", "normandy", "aquitaine", "paris"):
        assert s.possession[zone] == "germany"
    assert s.stack("normandy") == s.stack("corsica") == {}
    assert s.stack("southern_france") == {
        Unit(VICHY, "artillery"): 1,
        Unit(VICHY, "fighter"): 1,
        Unit(VICHY, "infantry"): 3,
    }
    assert s.control[VICHY] == "germany" and commander(s, VICHY) == "germany"
    assert not aligned(s, VICHY, "germany")
    assert not any(VICHY in war for war in s.wars)


@pytest.mark.rule("gw36:14.4.2e")
def test_germany_has_the_income_of_vichy_zones():
    s = before()
    fall(s, answers=[Answer(True)], dice=rolls(syria=6))
    zones = [z for z, holder in s.possession.items() if holder in ("germany", VICHY)]
    assert "syria" in zones and "southern_france" in zones
    assert s.income["germany"] == sum(s.facts.zones[zone].ipp for zone in zones)
    free = [z for z, holder in s.possession.items() if holder == FREE]
    assert s.income[FREE] == sum(s.facts.zones[zone].ipp for zone in free)


@pytest.mark.rule("gw36:14.4.2j", "gw36:14.4.2l", "gw36:14.4.2m")
def test_colonies_roll_singly_or_in_groups():
    s = before(units={"syria": {"france": "infantry"}, "tunisia": {"france": "infantry"}})
    events = fall(
        s,
        answers=[Answer(True)],
        dice=rolls(syria=6, tunisia=7, french_morocco=1, algeria=6, dahomey=1, somaliland=3),
    )
    roll = next(event for event in events if event.kind == "vichy_colonies")
    assert len(roll.data["dice"]) == 9
    assert {line.value for line in roll.data["lines"]} == {6}
    for zone in (
        *("syria", "french_morocco", "northern_algeria", "western_algeria", "southern_algeria"),
        *("dahomey", "niger", "chad", "cameroon", "oubangui_chari"),
        *("french_somaliland", "madagascar", "reunion"),
    ):
        assert s.possession[zone] == VICHY
    for zone in (
        *("tunisia", "french_guiana", "st_pierre_island"),
        *("mauritania", "french_guinea", "french_sudan", "ivory_coast"),
        *("annam_tonkin", "cochinchina", "gambier_islands", "new_caledonia"),
    ):
        assert s.possession[zone] == FREE
    assert s.stack("syria") == {Unit(VICHY, "infantry"): 1}
    assert s.stack("tunisia") == {Unit(FREE, "infantry"): 1}


@pytest.mark.rule("gw36:14.4.2j")
def test_a_colony_that_france_has_lost_does_not_roll():
    s = before(possession={"syria": "italy"})
    dice = rolls()
    fall(s, answers=[Answer(True)], dice=dice[:-1])
    assert s.possession["syria"] == "italy"


@pytest.mark.rule("gw36:9.22a", "gw36:9.22b")
def test_france_does_not_come_back_while_paris_is_encircled():
    s = before()
    for zone in {*s.facts.land_next["paris"]} - {"picardy"}:
        s.possession[zone] = "germany"
    events = run(s, lambda g: possess(g, "picardy", "germany", "captured"), answers=[Answer(False)])
    assert s.possession["paris"] == "france"
    events += run(s, lambda g: possess(g, "belgium", "germany", "captured"))
    assert kinds(events).count("surrendered") == 1
    assert "surrender_reversed" not in kinds(events) and "france" in s.surrendered
    run(s, lambda g: possess(g, "picardy", "great_britain", "captured"))
    assert "france" not in s.surrendered


@pytest.mark.rule("gw36:14.4.2k", "gw36:14.4.2n")
def test_indochina_turns_japanese_instead_of_vichy():
    s = before(units={"cochinchina": {"france": "infantry"}})
    fall(s, answers=[Answer(True)], dice=rolls(annam=6))
    for zone in ("annam_tonkin", "cochinchina", "gambier_islands", "new_caledonia"):
        assert s.possession[zone] == "japan"
    assert s.stack("cochinchina") == {Unit("japan", "infantry"): 1}
    assert not any("japan" in war for war in s.wars)


@pytest.mark.rule("gw36:14.4.2g", "gw36:14.4.2n")
def test_allied_units_leave_indochina_when_it_turns_japanese():
    s = before(units={"annam_tonkin": {"fec": "infantry"}, "cochinchina": {"fec": "infantry"}})
    fall(s, answers=[Answer(True)], dice=rolls(annam=6))
    assert s.stack("annam_tonkin") == s.stack("cochinchina") == {}
    assert s.stack("burma") == {Unit("fec", "infantry"): 1}


@pytest.mark.rule("gw36:14.4.2o", "gw36:13.2h")
def test_minor_powers_and_captured_zones_of_france_become_free_french():
    s = before(
        aligned={"belgium": "france"},
        control={"abyssinia": "france"},
        possession={"sardinia": "france"},
        units={"abyssinia": {"abyssinia": "infantry"}},
    )
    fall(s, answers=[Answer(True)], dice=rolls())
    assert s.aligned["abyssinia"] == s.aligned["belgium"] == FREE
    assert s.possession["sardinia"] == s.possession["belgian_congo"] == FREE
    assert s.stack("abyssinia") == {Unit(FREE, "infantry"): 1}


@pytest.mark.rule("gw36:14.4.2p", "gw36:14.4.2q", "gw36:14.4.2r")
def test_the_navy_scatters():
    s = before(
        units={
            "sz_050": {"france": "2 destroyer, submarine"},
            "sz_085": {"france": "light_cruiser"},
            "sz_097": {"france": "destroyer"},
        }
    )
    fall(
        s,
        answers=[Answer(True), Choose("sz_085"), Choose("sz_097")],
        dice=[*rolls(), 3, 4, 7, 11, 12],
    )
    assert s.stack("sz_050") == {Unit(FREE, "destroyer"): 1}
    assert s.lost["france", "destroyer"] == 3  # one scuttled, two under another flag
    assert s.stack("sz_049") == {Unit(VICHY, "submarine"): 1}
    assert s.stack("sz_085") == {Unit("japan", "light_cruiser"): 1}
    assert s.stack("sz_097") == {Unit("japan", "destroyer"): 1}


@pytest.mark.rule("gw36:14.4.2r", "gw36:14.4.2s")
def test_ships_that_join_germany_may_sail_home_past_all_enemies():
    s = before(units={"sz_026": {"france": "battleship", "great_britain": "2 battleship"}})
    home = sorted(
        facility.at
        for zone in s.facts.nations["germany"].home
        for facility in s.facilities.get(zone, ())
        if s.facts.facilities[facility.type].naval
    )[0]
    fall(s, answers=[Answer(True), Choose(home)], dice=[*rolls(), 11])
    assert Unit("germany", "battleship") in s.stack(home)
    assert s.stack("sz_026") == {Unit("great_britain", "battleship"): 2}
    s = before(units={"sz_026": {"france": "battleship"}})
    fall(s, answers=[Answer(True), Choose("sz_026")], dice=[*rolls(), 12])
    assert s.stack("sz_026") == {Unit("germany", "battleship"): 1}


@pytest.mark.rule("gw36:14.4.2t", "gw36:14.4.2u", "gw36:14.4.2v")
def test_ships_on_the_chart_are_scuttled_or_stay_or_become_german():
    s = before()
    s.track = (
        Job("france", "battleship", 1),
        Job("france", "destroyer", 1),
        Job("france", "fighter", 0),
        Job("france", "light_cruiser", 2),
        Job("italy", "destroyer", 1),
    )
    fall(s, answers=[Answer(True)], dice=[*rolls(), 7, 10, 11])
    assert s.track == (
        Job("germany", "light_cruiser", 2),
        Job("italy", "destroyer", 1),
        Job(VICHY, "destroyer", 1),
    )


@pytest.mark.rule("gw36:14.4.2f")
def test_axis_units_leave_the_vichy_zones():
    s = before()
    s.put("southern_france", Unit("germany", "infantry"))
    s.put("southern_france", Unit("italy", "infantry"))
    s.wars |= {pair("france", "italy")}
    fall(s, answers=[Answer(True), Choose("aquitaine"), Choose("paris")], dice=rolls())
    assert s.stack("aquitaine") == {Unit("germany", "infantry"): 1}
    assert s.stack("paris") == {Unit("italy", "infantry"): 1}
    assert {unit.nation for unit in s.stack("southern_france")} == {VICHY}


@pytest.mark.rule("gw36:14.4.2g")
def test_allied_units_in_france_move_out_or_are_eliminated():
    s = before(aligned={"belgium": "great_britain"})
    s.put("picardy", Unit("great_britain", "infantry"))
    s.put("aquitaine", Unit("great_britain", "infantry"))
    fall(s, answers=[Answer(True)], dice=rolls())
    assert s.stack("belgium") == {Unit("great_britain", "infantry"): 1}
    assert s.stack("picardy") == s.stack("aquitaine") == {}
    assert s.lost["great_britain", "infantry"] == 1


@pytest.mark.rule("gw36:14.4.2g")
def test_ships_off_the_coast_take_them_aboard_as_far_as_they_have_room():
    s = before(units={"sz_025": {"great_britain": "naval_transport"}})
    assert "sz_025" in s.facts.coast["normandy"]
    s.put("normandy", Unit("great_britain", "infantry"), 2)
    s.put("normandy", Unit("great_britain", "light_armor"))
    fall(s, answers=[Answer(True)], dice=rolls())
    (ship,) = s.stack("sz_025")
    assert ship.cargo == (Unit("great_britain", "infantry"),) * 2
    assert s.stack("normandy") == {} and s.lost["great_britain", "light_armor"] == 1


@pytest.mark.rule("gw36:14.4.2h")
def test_allied_units_in_an_encircled_paris_surrender_with_it():
    s = before(aligned={"belgium": "great_britain"})
    for zone in s.facts.land_next["paris"]:
        s.possession[zone] = "germany"
    s.possession["picardy"] = "france"
    s.put("paris", Unit("great_britain", "infantry"))
    run(
        s,
        lambda g: possess(g, "picardy", "germany", "captured"),
        answers=[Answer(True)],
        dice=rolls(),
    )
    assert s.stack("paris") == {}
    assert s.lost["great_britain", "infantry"] == 1


# --- afterwards -----------------------------------------------------------------------------------


def vichy(turn="great_britain", phase="combat_move", **fields):
    return state(
        turn,
        phase,
        date="1941-01",
        wars=[("germany", "great_britain"), ("free_france", "germany"), ("france", "germany")],
        surrendered=["france"],
        vichy="active",
        control={VICHY: "germany"},
        possession={
            "paris": "germany",
            "southern_france": VICHY,
            "corsica": VICHY,
            "syria": VICHY,
            "tunisia": FREE,
        },
        units={"syria": {VICHY: "infantry"}, "sz_049": {VICHY: "destroyer"}},
        treasury={"great_britain": 20, "free_france": 20, "france": 0, "germany": 0},
        **fields,
    )


def phase_ends(s, who):
    s.phase = "noncombat_move"
    run(s, lambda g: s.tell(News("phase", who, how="end of combat")))


@pytest.mark.rule("gw36:14.4.3d", "gw36:14.4.2b")
def test_vichy_attacked_by_the_allies_aligns_with_germany():
    s = vichy()
    run(s, lambda g: go_to_war(g, "great_britain", VICHY, declared=True))
    assert s.vichy == "active"
    phase_ends(s, "great_britain")
    assert s.vichy == "aligned" and s.possession["southern_france"] == "germany"
    assert s.stack("syria") == {Unit("germany", "infantry"): 1}
    assert s.stack("sz_049") == {Unit("germany", "destroyer"): 1}


@pytest.mark.rule("gw36:14.4.3d")
def test_attacked_by_a_power_at_peace_with_germany_it_drags_germany_into_war():
    s = vichy("ussr", "production")
    run(s, lambda g: go_to_war(g, "ussr", VICHY, declared=True))
    assert s.vichy == "aligned" and pair("germany", "ussr") in s.wars


@pytest.mark.rule("gw36:14.4.3c", "gw36:14.4.3d")
def test_its_own_attack_on_free_france_leaves_it_neutral_but_an_answer_does_not():
    s = vichy("germany")
    run(s, lambda g: go_to_war(g, VICHY, FREE, declared=True))
    phase_ends(s, "germany")
    assert s.vichy == "active" and pair(FREE, VICHY) in s.wars
    s.slot = next(i for i, group in enumerate(s.facts.order) if FREE in group)
    s.planned = (("syria", "land"),)  # not theirs, as Free France does not attack
    s.slot = next(i for i, group in enumerate(s.facts.order) if "italy" in group)
    run(s, lambda g: s.tell(News("phase", "italy", how="end of combat_move")))
    phase_ends(s, "italy")
    assert s.vichy == "active"
    s.slot = next(i for i, group in enumerate(s.facts.order) if FREE in group)
    for planned in ((("tripolitania", "land"),), (("syria", "land"),)):
        s.planned = planned
        s.phase = "combat_move"
        run(s, lambda g: s.tell(News("phase", "france", how="end of combat_move")))
        s.planned = ()
        phase_ends(s, "france")
        assert s.vichy == ("aligned" if planned[0][0] == "syria" else "active")


@pytest.mark.rule("gw36:14.4.4a")
def test_the_conquest_of_southern_france_makes_vichy_join_free_france():
    s = vichy()
    s.track = (Job(VICHY, "destroyer", 1),)
    run(s, lambda g: go_to_war(g, "great_britain", VICHY, declared=True))
    events = run(s, lambda g: possess(g, "southern_france", FREE, "recaptured"))
    assert "vichy_surrendered" in kinds(events)
    assert s.vichy == "gone" and s.possession["syria"] == s.possession["corsica"] == FREE
    assert s.stack("syria") == {Unit(FREE, "infantry"): 1}
    assert s.stack("sz_049") == {Unit(FREE, "destroyer"): 1}
    assert s.track == (Job(FREE, "destroyer", 1),)
    phase_ends(s, "great_britain")
    assert s.possession["syria"] == FREE and not any(VICHY in war for war in s.wars)


@pytest.mark.rule("gw36:14.4.4a")
def test_another_zone_is_not_enough():
    s = vichy()
    run(s, lambda g: possess(g, "corsica", FREE, "recaptured"))
    assert s.vichy == "active" and s.possession["syria"] == VICHY


@pytest.mark.rule("gw36:14.4.1c", "gw36:9.22b")
def test_free_france_becomes_france_again_with_paris():
    s = vichy()
    s.put("tunisia", Unit(FREE, "infantry"))
    s.put("sz_050", Unit("usa", "naval_transport", cargo=(Unit(FREE, "infantry"),)))
    s.track = (Job(FREE, "infantry", 0),)
    s.aligned.update(abyssinia=FREE, hungary="germany")
    run(s, lambda g: possess(g, "paris", FREE, "recaptured"))
    assert "france" not in s.surrendered
    assert s.possession["paris"] == s.possession["tunisia"] == "france"
    assert s.stack("tunisia") == {Unit("france", "infantry"): 1}
    assert next(iter(s.stack("sz_050"))).cargo == (Unit("france", "infantry"),)
    assert s.track == (Job("france", "infantry", 0),)
    assert s.aligned["abyssinia"] == "france" and s.aligned["hungary"] == "germany"
    assert pair("france", "germany") in s.wars and pair(FREE, "germany") not in s.wars
    assert pair("germany", "great_britain") in s.wars
    assert s.treasury["france"] == 20
    assert s.income[FREE] == 0
    held = [z for z, holder in s.possession.items() if holder == "france"]
    assert s.income["france"] == sum(s.facts.zones[zone].ipp for zone in held)
