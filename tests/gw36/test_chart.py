"""What becomes of things on the Production Chart when zones change hands or are bombed (7.3)."""

import pytest

from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.model import Facility, Job
from sandtable.games.gw36.rules.bombing import damage
from sandtable.games.gw36.rules.capture import possess
from sandtable.games.gw36.rules.income import value
from sandtable.games.gw36.rules.production import Advance
from sandtable.games.gw36.rules.surrender import surrender
from tests.gw36.hand import Hand
from tests.gw36.table import state, table

WAR = [("france", "germany")]


def taken(s, zone, by):
    possess(Hand(s).table, zone, by, "captured")
    return s


@pytest.mark.rule("gw36:7.3g")
def test_the_captor_completes_a_facility_under_construction():
    s = state("germany", "combat", "1940-01", wars=WAR)
    s.track = (Job("france", "air_base", 1, "picardy"), Job("france", "infantry", 0))
    taken(s, "picardy", "germany")
    assert s.track == (Job("france", "infantry", 0), Job("germany", "air_base", 1, "picardy"))
    order = {"nation": "germany", "what": "air_base", "left": 1, "at": "picardy"}
    t = table(
        "germany",
        "production",
        "1940-07",
        wars=WAR,
        possession={"picardy": "germany"},
        production=[order],
    )
    t.do(Advance("air_base", 1, "picardy"))
    assert [job.left for job in t.s.track] == [0]


@pytest.mark.rule("gw36:15.8b")
@pytest.mark.parametrize("option", [True, False])
def test_a_capital_ship_at_a_captured_yard_is_the_captors(option):
    s = state(
        "germany", "combat", "1940-01", wars=WAR, options={"ships_under_construction": option}
    )
    s.track = (Job("france", "battleship", 2, "southern_france" if option else ""),)
    taken(s, "southern_france", "germany")
    assert [job.nation for job in s.track] == ["germany" if option else "france"]


@pytest.mark.rule("gw36:7.3i")
def test_the_conqueror_goes_on_building_the_ships_of_who_surrendered():
    s = state("great_britain", "combat", "1943-01", wars=[("great_britain", "italy")])
    s.track = (
        Job("italy", "air_base", 1, "rome"),
        Job("italy", "battleship", 1),
        Job("italy", "infantry", 0),
        Job("italy", "submarine", 0),
    )
    Hand(s).run(lambda g: surrender(g, "italy", "great_britain"))
    assert s.track == (Job("great_britain", "battleship", 1), Job("great_britain", "submarine", 0))


@pytest.mark.rule("gw36:7.3j", "gw36:7.3k")
def test_a_building_site_takes_four_points_and_is_thrown_back_by_five():
    s = state("great_britain", "combat", "1943-01", options={"damaging_construction": True})
    s.track = (Job("germany", "major_factory", 1, "bavaria"),)
    g = Hand(s).table
    damage(g, "bavaria", "site:major_factory", 4)
    assert s.track == (Job("germany", "major_factory", 1, "bavaria", damage=4),)
    damage(g, "bavaria", "site:major_factory", 1)
    assert s.track == (Job("germany", "major_factory", 2, "bavaria"),)
    damage(g, "bavaria", "site:major_factory", 6)
    damage(g, "bavaria", "site:major_factory", 6)
    assert s.track == ()


@pytest.mark.rule("gw36:12.10e", "gw36:12.10f")
def test_a_railroad_takes_one_point_or_two_in_difficult_terrain():
    s = state("great_britain", "combat", "1943-01")
    g = Hand(s).table
    plain = next(
        border
        for border in sorted(s.railways)
        if all(s.facts.zones[zone].terrain == "normal" for zone in border)
        and not {border, border[::-1]} & set(s.facts.border_terrain)
    )
    hills = next(
        border
        for border in sorted(s.railways)
        if any(s.facts.zones[zone].terrain == "mountain" for zone in border)
    )
    for border, most in ((plain, 1), (hills, 2)):
        damage(g, border[0], f"railroad:{border[1]}", 6)
        assert s.rail_damage[pair(*border)] == most


@pytest.mark.rule("gw36:12.7g", "gw36:12.9b", "gw36:12.4c")
def test_what_conquest_does_to_facilities():
    s = state("germany", "combat", "1940-01", wars=WAR)
    s.facilities["picardy"] = (
        Facility("coastal_artillery", "sz_026"),
        Facility("fortification", "belgium"),
        Facility("major_factory"),
    )
    taken(s, "picardy", "germany")
    assert s.facilities["picardy"] == (Facility("minor_factory", was="major_factory"),)
    taken(s, "picardy", "france")
    assert [f.type for f in s.facilities["picardy"]] == ["major_factory"]


@pytest.mark.rule("gw36:appB-2a", "gw36:0.9.income-c", "gw36:5.3a")
def test_a_zone_takes_its_value_along_in_peace_and_in_war():
    s = state("germany", "combat", "1938-01", wars=[])
    worth = s.facts.zones["romania"].ipp
    possess(Hand(s).table, "romania", "germany", "aligned")
    assert s.income["germany"] == 20 + worth
    s = state("germany", "combat", "1940-01", wars=WAR)
    s.income = {"germany": value(s, "germany"), "france": value(s, "france")}
    taken(s, "picardy", "germany")
    assert s.income == {"germany": value(s, "germany"), "france": value(s, "france")}
