"""Surrender and its reversal, capitals, defeat of Minor Powers (9.22 to 9.24)."""

from __future__ import annotations

import pytest

from sandtable.games.gw36.model import Job, News, Unit
from sandtable.games.gw36.rules.capture import capital, possess
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.surrender import beaten, may_move_back, move_capital, seats
from sandtable.kernel.kits import Choose
from tests.gw36.procedures import kinds, run
from tests.gw36.table import state, table


def take(s, zone, nation, how="captured", **more):
    return run(s, lambda g: possess(g, zone, nation, how), **more)


def turn_ends(s, who, **more):
    return run(s, lambda g: s.tell(News("phase", who, how="end of place_units")), **more)


@pytest.mark.rule("gw36:9.22a", "gw36:9.22d")
@pytest.mark.parametrize(
    ("nation", "city"), [("italy", "rome"), ("germany", "berlin"), ("japan", "tokyo")]
)
def test_an_axis_power_surrenders_if_its_capital_is_lost_as_its_turn_ends(nation, city):
    s = state(nation, wars=[(nation, "ussr")], control={})
    s.control.clear()
    s.put("tripolitania", Unit(nation, "infantry"))
    take(s, city, "ussr")
    assert nation not in s.surrendered
    other = "usa" if nation == "italy" else "italy"
    turn_ends(s, other)
    assert nation not in s.surrendered
    turn_ends(s, nation)
    assert nation in s.surrendered
    assert not s.presence.get(nation)
    assert s.income[nation] == 0


@pytest.mark.rule("gw36:9.22a")
def test_a_capital_in_the_hands_of_no_enemy_is_no_surrender():
    s = state("italy", wars=[("italy", "ussr")])
    take(s, "rome", "great_britain")
    turn_ends(s, "italy")
    assert "italy" not in s.surrendered


@pytest.mark.rule("gw36:nrs-usa-g")
def test_the_usa_surrenders_when_its_four_cities_are_lost():
    s = state("usa", wars=[("germany", "usa"), ("japan", "usa")])
    for city in ("washington_dc", "chicago", "new_york"):
        s.possession[city] = "germany"
    turn_ends(s, "usa")
    assert "usa" not in s.surrendered
    s.possession["san_francisco"] = "japan"
    turn_ends(s, "usa")
    assert "usa" in s.surrendered


@pytest.mark.rule("gw36:9.22a")
def test_britain_falls_with_its_last_capital_and_takes_the_far_east_along():
    s = state(wars=[("germany", "great_britain"), ("great_britain", "japan")])
    for city in ("ottawa", "south_african_union", "calcutta", "sydney"):
        s.possession[city] = "japan"
    s.put("burma", Unit("fec", "infantry"))
    take(s, "london", "germany")
    assert s.surrendered >= {"great_britain", "fec"} and "anzac" not in s.surrendered
    assert s.stack("burma") == {}


@pytest.mark.rule("gw36:9.22a")
def test_anzac_has_a_condition_of_its_own():
    s = state("japan", wars=[("great_britain", "japan")])
    s.possession["sydney"] = s.possession["north_island"] = "japan"
    take(s, "south_island", "japan")
    assert "anzac" in s.surrendered and "great_britain" not in s.surrendered


@pytest.mark.rule("gw36:9.22b")
def test_a_surrender_is_reversed_when_its_conditions_no_longer_hold():
    s = state(
        "germany",
        wars=[("great_britain", "italy"), ("germany", "great_britain")],
        surrendered=["italy"],
        possession={"rome": "great_britain"},
    )
    assert beaten(s, "italy")
    events = take(s, "rome", "italy", "recaptured")
    assert "italy" not in s.surrendered and "surrender_reversed" in kinds(events)
    assert s.income["italy"] == 10


@pytest.mark.rule("gw36:9.22e", "gw36:9.22a")
def test_kmt_surrenders_without_land_and_comes_back_with_a_zone():
    s = state("japan", wars=[("japan", "kmt")])
    for zone, holder in s.possession.items():
        if holder == "kmt" and zone != "kweichow":
            s.possession[zone] = "japan"
    s.put("yunnan", Unit("kmt", "infantry"))
    take(s, "kweichow", "japan")
    assert "kmt" in s.surrendered and s.stack("yunnan") == {}
    take(s, "hunan", "kmt", "recaptured")
    assert "kmt" not in s.surrendered


@pytest.mark.rule("gw36:9.22c")
def test_minor_powers_pass_to_a_member_of_the_alliance_of_ones_choice():
    s = state(
        "germany",
        wars=[("germany", "ussr"), ("turkey", "ussr")],
        control={"turkey": "germany"},
        aligned={"hungary": "germany"},
        possession={"berlin": "ussr"},
    )
    s.control.pop("spain_nationalist")
    turn_ends(s, "germany", answers=[Choose("italy")])
    assert s.control["turkey"] == "italy"
    assert s.possession["hungary"] == "italy" and s.aligned["hungary"] == "italy"
    assert s.possession["bavaria"] == "germany"


@pytest.mark.rule("gw36:9.22c")
@pytest.mark.parametrize(
    "fields",
    [
        {"wars": [("italy", "ussr"), ("turkey", "ussr")], "control": {"turkey": "italy"}},
        {"wars": [("italy", "ussr")], "aligned": {"turkey": "italy"}},
    ],
)
def test_they_pass_on_whether_controlled_or_aligned(fields):
    s = state("italy", possession={"rome": "ussr"}, **fields)
    turn_ends(s, "italy", answers=[Choose("germany")])
    assert s.control.get("turkey", s.aligned.get("turkey")) == "germany"


@pytest.mark.rule("gw36:9.22b")
def test_the_far_east_comes_back_with_britain():
    s = state(
        wars=[("germany", "great_britain"), ("italy", "ussr")],
        surrendered=["great_britain", "fec", "italy"],
        possession={"london": "germany", "rome": "ussr", "sydney": "germany"},
    )
    for zone in ("ottawa", "south_african_union", "calcutta"):
        s.possession[zone] = "germany"
    take(s, "rome", "italy", "recaptured")
    assert s.surrendered == {"great_britain", "fec"}
    take(s, "calcutta", "fec", "recaptured")
    assert s.surrendered == frozenset()


@pytest.mark.rule("gw36:9.22c", "gw36:9.22d")
def test_its_zones_stay_until_somebody_comes():
    s = state("italy", wars=[("italy", "ussr")], possession={"rome": "ussr"})
    turn_ends(s, "italy")
    assert s.possession["sicily"] == "italy"


@pytest.mark.rule("gw36:7.3g")
def test_the_conqueror_takes_the_ships_on_the_chart():
    s = state("italy", wars=[("great_britain", "italy")], possession={"rome": "great_britain"})
    s.track = (
        Job("italy", "battleship", 2),
        Job("italy", "fighter", 0),
        Job("japan", "infantry", 0),
    )
    turn_ends(s, "italy")
    assert s.track == (Job("great_britain", "battleship", 2), Job("japan", "infantry", 0))


# --- capitals -------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:9.23b")
def test_the_ussr_moves_its_capital_and_may_move_it_back():
    s = state(wars=[("germany", "ussr")])
    assert "leningrad" in seats(s, "ussr") and "kalmytskaya" not in seats(s, "ussr")
    take(s, "stalingrad", "germany")
    take(s, "moscow", "germany", answers=[Choose("novosibirsk")])
    assert capital(s, "ussr") == "novosibirsk" and "ussr" not in s.surrendered
    assert not may_move_back(s, "ussr")
    take(s, "moscow", "ussr", "recaptured")
    assert may_move_back(s, "ussr")
    run(s, lambda g: move_capital(g, "ussr", "moscow"))
    assert capital(s, "ussr") == "moscow" and s.capital == {}


@pytest.mark.rule("gw36:9.23b")
def test_britain_moves_it_to_a_place_that_the_commonwealth_holds():
    s = state(wars=[("germany", "great_britain")], possession={"ottawa": "germany"})
    assert seats(s, "great_britain") == ("south_african_union", "calcutta", "sydney")
    take(s, "london", "germany", answers=[Choose("calcutta")])
    assert capital(s, "great_britain") == "calcutta"


@pytest.mark.rule("gw36:9.23b")
def test_others_do_not_move_theirs():
    s = state("italy", wars=[("great_britain", "italy")])
    assert seats(s, "italy") == ()
    take(s, "rome", "great_britain")
    assert capital(s, "italy") == "rome"


# --- Minor Powers ---------------------------------------------------------------------------------


@pytest.mark.rule("gw36:9.24a")
def test_a_minor_power_is_defeated_with_the_last_unit_in_its_home_country():
    s = state(
        wars=[("poland", "germany")],
        control={"poland": "great_britain"},
        units={"warsaw": {"poland": "infantry"}},
    )
    take(s, "west_poland", "germany")
    assert "poland" not in s.defeated
    s.take("warsaw", Unit("poland", "infantry"))
    take(s, "warsaw", "germany")
    assert "poland" in s.defeated


@pytest.mark.rule("gw36:9.24a")
def test_units_in_colonies_do_not_save_it():
    s = state(
        wars=[("belgium", "germany")],
        control={"belgium": "great_britain"},
        units={"belgian_congo": {"belgium": "militia"}},
    )
    take(s, "belgium", "germany")
    assert "belgium" in s.defeated and s.control["belgium"] == "great_britain"


@pytest.mark.rule("gw36:9.24c")
def test_an_aligned_one_is_not_defeated_apart():
    s = state(wars=[("germany", "great_britain")], aligned={"belgium": "great_britain"})
    take(s, "belgium", "germany")
    assert "belgium" not in s.defeated


@pytest.mark.rule("gw36:9.22d")
def test_a_partner_claims_an_unoccupied_zone_by_moving_a_land_unit_in():
    fields = {
        "wars": [("germany", "great_britain"), ("great_britain", "italy")],
        "possession": {"rome": "great_britain", "austria": "germany"},
        "units": {"austria": {"germany": "infantry, fighter"}},
    }
    t = table("germany", "noncombat_move", "1944-01", surrendered=["italy"], **fields)
    income, worth = t.s.income["germany"], t.s.facts.zones["northern_italy"].ipp
    t.do(Move({"infantry": 1}, ("austria", "northern_italy")))
    assert t.s.possession["northern_italy"] == "germany"
    assert t.s.income["germany"] == income + worth
    t = table("germany", "noncombat_move", "1944-01", surrendered=["italy"], **fields)
    t.do(Move({"fighter": 1}, ("austria", "northern_italy")))
    assert t.s.possession["northern_italy"] == "italy"
    t = table("germany", "noncombat_move", "1944-01", **fields)
    t.do(Move({"infantry": 1}, ("austria", "northern_italy")))
    assert t.s.possession["northern_italy"] == "italy"


@pytest.mark.rule("gw36:9.22b")
def test_a_surrender_stands_while_another_alliance_has_the_capital():
    """Also where the nation that surrendered is not (or no longer) at war with the holder."""
    s = state(
        date="1942-01",
        wars=[("free_france", "germany"), ("germany", "great_britain")],
        surrendered=["france"],
        possession={"paris": "germany", "syria": "germany"},
    )
    take(s, "syria", "free_france", "recaptured")
    assert "france" in s.surrendered
    take(s, "paris", "ussr")
    assert "france" in s.surrendered
    take(s, "paris", "free_france", "recaptured")
    assert "france" not in s.surrendered and s.possession["syria"] == "france"
