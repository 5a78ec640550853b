"""The Production Phase (section 7), without research and lend-lease."""

import random

import pytest

from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.model import Job
from sandtable.games.gw36.rules.early_fighters import Convert
from sandtable.games.gw36.rules.production import (
    Advance,
    Build,
    Buy,
    Deny,
    Outfit,
    Upgrade,
)
from sandtable.games.gw36.rules.repairs import Dock, Repair
from tests.gw36.table import Done, state, table

WAR = [("germany", "great_britain")]


def produce(turn="germany", date="1936-07", ipp=50, **fields):
    """The Production Phase of a nation with so many IPPs, at peace."""
    nations = ("germany", "ussr", "japan", "great_britain", "france", "italy", "usa", "kmt", "ccp")
    fields.setdefault("wars", [])
    fields.setdefault("income", {"usa": 63, "great_britain": 25, "france": 18, "ussr": 46})
    t = table(turn, "production", date, treasury=dict.fromkeys(nations, ipp), **fields)
    while t.asked == "chance roll":
        t.dice(*[1] * t.request.dice)
    return t


def track(t, nation="germany"):
    return [(job.what, job.left) for job in t.s.track if job.nation == nation]


# --- buying ---------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:7.1a", "gw36:7.1b", "gw36:7.0a", "gw36:table-7-1a")
def test_units_are_paid_for_and_stand_on_the_chart():
    t = produce(ipp=10, production=[])
    t.do(Buy("infantry", 2))
    assert t.s.treasury["germany"] == 4
    assert track(t) == [("infantry", 0)] * 2
    assert t.units("berlin", "germany") == {}
    t.refused(Buy("infantry", 2), "7.0a")
    t.refused(Buy("infantry", 0), "7.0a")


@pytest.mark.rule("gw36:7.1a")
def test_a_nation_buys_what_is_on_its_sheet():
    t = produce()
    t.refused(Buy("t34"), "7.1a")
    t.refused(Buy("coastal_defense_ship"), "7.1a")
    t.refused(Buy("minor_port"), "7.1a")
    t = produce("great_britain")
    t.refused(Buy("tiger"), "7.1a")
    t.do(Done())
    assert t.asked == "fec produce"
    t.refused(Buy("battleship"), "7.1a")


@pytest.mark.rule("gw36:7.2a")
def test_dates_of_availability():
    t = produce(date="1939-01")
    t.refused(Buy("strategic_bomber"), "7.2a")
    produce(date="1939-07").do(Buy("strategic_bomber"))
    produce(date="1938-07").do(Buy("medium_armor"))
    produce("italy", date="1939-07").refused(Buy("medium_armor"), "7.2a")
    produce("italy", date="1940-01").do(Buy("medium_armor"))


@pytest.mark.rule("gw36:7.1a")
def test_special_units_are_limited_by_the_turn():
    t = produce(date="1937-01")
    t.refused(Buy("mountain_infantry", 3), "7.1a")
    t.do(Buy("mountain_infantry"), Buy("mountain_infantry"))
    t.refused(Buy("mountain_infantry"), "7.1a")


@pytest.mark.rule(
    "gw36:7.8a",
    "gw36:7.8.advanced-artillery-d",
    "gw36:7.8.advanced-artillery-a",
    "gw36:7.8.advanced-artillery-b",
)
def test_units_of_a_technology_and_what_they_replace():
    t = produce(date="1941-01", tech={"germany": {"advanced_artillery": 2}})
    t.refused(Buy("advanced_artillery"), "7.8a")
    t.do(Buy("artillery"))
    t = produce(date="1941-01", tech={"germany": {"advanced_artillery": 3}})
    t.refused(Buy("artillery"), "7.8.advanced-artillery-d")
    t.refused(Buy("self_propelled_artillery"), "7.8.advanced-artillery-d")
    t.do(Buy("advanced_artillery"), Buy("advanced_self_propelled_artillery"))
    assert t.s.treasury["germany"] == 41


@pytest.mark.rule("gw36:1.17f")
def test_the_kmt_buys_guns_only_over_the_burma_road():
    war = [("japan", "kmt")]
    t = produce("usa", "1940-01", wars=war, possession={"yunnan": "kmt"}, burma_road=False)
    t.do(Done())
    t.refused(Buy("artillery"), "1.17f")
    t.refused(Buy("anti_aircraft_artillery"), "1.17f")
    t.do(Buy("infantry"))
    t = produce("usa", "1940-01", wars=war, possession={"yunnan": "kmt"}, burma_road=True)
    t.do(Done(), Buy("artillery"), Buy("anti_aircraft_artillery"))


@pytest.mark.rule("gw36:13.3.1a", "gw36:13.3.2a", "gw36:13.3.2c", "gw36:13.3.2d")
def test_the_chinese_factions_build_from_their_own_table_until_they_evolve():
    t = produce("usa", wars=[])
    t.do(Done())
    assert t.asked == "kmt produce"
    t.refused(Buy("fighter"), "7.1a")
    t.refused(Build("air_base", "nanking"), "7.1a")
    t = produce("usa", wars=[], evolved=["kmt"], facilities={"nanking": []})
    t.do(Done())
    t.refused(Buy("fighter"), "7.1a")
    t.do(Build("air_base", "nanking"))
    t = produce("usa", wars=[], evolved=["kmt"], facilities={"nanking": ["minor_factory"]})
    t.do(Done(), Buy("fighter"))


# --- several turns --------------------------------------------------------------------------------


@pytest.mark.rule("gw36:7.3a", "gw36:7.3c", "gw36:7.3d", "gw36:table-7-1a")
def test_instalments_are_paid_turn_by_turn():
    t = produce(ipp=20, production=[])
    t.do(Buy("battleship"))
    assert t.s.treasury["germany"] == 15
    assert track(t) == [("battleship", 2)]
    t.refused(Advance("battleship", 2), "7.3c")  # once a turn
    t = produce(ipp=20, production=[{"nation": "germany", "what": "battleship", "left": 2}])
    t.do(Advance("battleship", 2))
    assert (t.s.treasury["germany"], track(t)) == (15, [("battleship", 1)])
    t.refused(Advance("battleship", 1), "7.3c")
    t.refused(Advance("cruiser", 1), "7.3c")
    t = produce(ipp=4, production=[{"nation": "germany", "what": "battleship", "left": 1}])
    t.refused(Advance("battleship", 1), "7.0a")
    t.do(Done())
    assert track(t) == [("battleship", 1)]  # what is not paid for stays


@pytest.mark.rule("gw36:7.3b")
def test_to_start_a_ship_its_yard_has_to_be_there():
    t = produce("great_britain", facilities={"southern_england": ["minor_factory"]})
    t.refused(Buy("battleship"), "7.3b")
    t.do(Buy("light_cruiser"))  # a minor shipyard will do
    t = produce("italy")
    t.do(Buy("fleet_carrier"))
    borders = [b for b in state("italy").railways if "northern_italy" in b]
    cut = [{"between": list(border), "damage": 1} for border in borders]
    produce("italy", railways=cut).refused(Buy("fleet_carrier"), "7.3b")


@pytest.mark.rule("gw36:15.8a")
def test_a_capital_ship_is_tied_to_its_yard_if_that_option_is_in_use():
    t = produce(options={"ships_under_construction": True})
    t.refused(Buy("battleship"), "15.8a")
    t.refused(Buy("battleship", at="berlin"), "7.3b")
    t.refused(Buy("light_cruiser", at="western_germany"), "15.8a")
    t.do(Buy("battleship", at="western_germany"))
    assert any(job.what == "battleship" and job.at == "western_germany" for job in t.s.track)
    produce().refused(Buy("battleship", at="western_germany"), "15.8a")


@pytest.mark.rule("gw36:7.8.improved-construction-a", "gw36:7.8.improved-construction-b")
def test_improved_construction_saves_money_or_time():
    tech = {"germany": {"improved_construction": 3}}
    t = produce(ipp=50, tech=tech, production=[])
    t.do(Buy("battleship"))
    assert t.s.treasury["germany"] == 46
    t.do(Buy("infantry"))
    assert t.s.treasury["germany"] == 43  # ships and facilities only
    t.do(Build("minor_port", "eastern_germany", "sz_014"))
    assert t.s.treasury["germany"] == 41
    t.do(Buy("battleship", fast=True))
    assert t.s.treasury["germany"] == 31
    assert sorted(track(t)) == [
        ("battleship", 1),
        ("battleship", 2),
        ("infantry", 0),
        ("minor_port", 0),
    ]
    t.refused(Buy("infantry", fast=True), "7.8.improved-construction-b")
    t.refused(Buy("destroyer", fast=True), "7.8.improved-construction-b")
    produce().refused(Buy("battleship", fast=True), "7.8.improved-construction-b")
    hurried = [{"nation": "germany", "what": "battleship", "left": 1, "fast": True}]
    t = produce(ipp=50, tech=tech, production=hurried)
    t.do(Advance("battleship", 1))
    assert t.s.treasury["germany"] == 45  # 10/5, nothing saved


# --- facilities -----------------------------------------------------------------------------------


@pytest.mark.rule("gw36:7.3f", "gw36:12.3a")
def test_a_facility_is_begun_where_it_will_stand():
    t = produce(production=[])
    t.do(Build("air_base", "bavaria"))
    assert t.s.track == (Job("germany", "air_base", 1, "bavaria", paid=True),)
    assert not any(f.type == "air_base" for f in t.s.facilities.get("bavaria", ()))
    t.refused(Build("air_base", "paris"), "12.3a")


@pytest.mark.rule(
    "gw36:7.3h",
    "gw36:table-12-2d",
    "gw36:table-12-2g",
    "gw36:12.5.minor-port-b",
    "gw36:12.5.minor-shipyard-b",
)
def test_upgrades_go_straight_to_the_place_units_box():
    t = produce(production=[])
    t.do(Upgrade("medium_factory", "western_germany"))
    assert t.s.treasury["germany"] == 44
    t.refused(Upgrade("medium_factory", "western_germany"), "7.3h")  # it is under way
    t.do(Upgrade("minor_factory", "eastern_germany"))
    t.do(Upgrade("minor_shipyard", "western_germany", "sz_014"))
    t.do(Upgrade("minor_port", "east_prussia", "sz_014"))
    assert t.s.treasury["germany"] == 44 - 7 - 5 - 4
    assert {what for what, left in track(t) if not left} == {
        "major_factory",
        "medium_factory",
        "major_shipyard",
        "major_port",
    }
    t.refused(Upgrade("major_factory", "berlin"), "7.3h")
    t.refused(Upgrade("minor_port", "berlin"), "7.3h")


@pytest.mark.rule("gw36:table-12-2g", "gw36:12.5.minor-shipyard-b", "gw36:12.5.minor-dockyard-b")
def test_factories_and_shipyards_are_upgraded_at_home_only():
    t = produce("great_britain", ipp=50)
    t.refused(Upgrade("minor_factory", "ottawa"), "table-12-2g")
    t.refused(Upgrade("minor_shipyard", "quebec", "sz_022"), "12.5.minor-shipyard-b")
    t.do(Upgrade("minor_dockyard", "malta", "sz_067"))
    assert t.s.treasury["great_britain"] == 45


# --- repairs --------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:7.4a")
def test_damage_is_repaired_at_once_for_a_point_each():
    harm = {"berlin": [{"type": "major_factory", "damage": 6}]}
    t = produce(ipp=5, facilities=harm)
    t.refused(Repair("major_factory", 6, "berlin"), "7.0a")
    t.refused(Repair("major_factory", 7, "berlin"), "7.4a")
    t.do(Repair("major_factory", 4, "berlin"))
    assert t.s.treasury["germany"] == 1
    assert t.damage("berlin", "major_factory") == 2
    t.refused(Repair("major_factory", 1, "paris"), "7.4a")


@pytest.mark.rule("gw36:7.4a", "gw36:12.10g")
def test_railroads_cost_a_point_for_each_damage():
    border = {"between": ["bavaria", "western_germany"], "damage": 1}
    t = produce(ipp=5, railways=[border])
    t.do(Repair("railroad", 1, "bavaria", "western_germany"))
    assert t.s.treasury["germany"] == 4
    assert pair("bavaria", "western_germany") not in t.s.rail_damage


@pytest.mark.rule("gw36:7.4b", "gw36:7.4c", "gw36:7.4d")
def test_ships_are_repaired_free_of_charge_while_there_are_slots():
    ships = {"sz_027": {"germany": {"battleship": [{"hits": 1, "count": 7}]}}}
    t = produce(ipp=0, units=ships)
    for _ in range(5):
        t.do(Dock("battleship", "sz_027", "western_germany", 1))
    t.refused(Dock("battleship", "sz_027", "western_germany", 1), "7.4c")
    assert t.s.treasury["germany"] == 0
    docked = [u for u in t.s.stack("sz_027") if u.duty == "repair"]
    assert [t.s.stack("sz_027")[u] for u in docked] == [5]
    assert all(u.hits == 1 for u in docked)  # not before units are placed


@pytest.mark.rule("gw36:7.4b", "gw36:7.4c")
def test_a_minor_yard_repairs_one_hit_and_a_port_none():
    ships = {"sz_014": {"germany": {"heavy_battleship": [{"hits": 2, "count": 2}]}}}
    t = produce(units=ships)
    t.do(Dock("heavy_battleship", "sz_014", "western_germany", 2))
    t.refused(Dock("heavy_battleship", "sz_014", "western_germany", 2), "7.4c")
    t.refused(Dock("heavy_battleship", "sz_014", "eastern_germany", 2), "7.4c")
    t.refused(Dock("heavy_battleship", "sz_014", "berlin", 2), "7.4b")
    t.refused(Dock("heavy_battleship", "sz_014", "western_germany", 1), "7.4b")


@pytest.mark.rule("gw36:7.4b", "gw36:12.5a")
def test_a_friendly_yard_will_do():
    ships = {"sz_025": {"usa": {"battleship": [{"hits": 1}]}}}
    wars = [("germany", "usa"), ("germany", "great_britain")]
    t = produce("usa", "1942-01", wars=wars, units=ships)
    t.do(Dock("battleship", "sz_025", "southern_england", 1))
    t = produce("usa", "1942-01", wars=[], units=ships)
    t.refused(Dock("battleship", "sz_025", "southern_england", 1), "7.4c")


@pytest.mark.rule("gw36:15.5c")
def test_by_the_alternate_rule_a_repair_costs_what_a_die_shows():
    ships = {"sz_027": {"germany": {"battleship": [{"hits": 1}]}}}
    option = {"alternate_damage": True}
    t = produce(ipp=10, units=ships, options=option)
    t.do(Dock("battleship", "sz_027", "western_germany", 1))
    t.dice(4, kind="ship_repair")
    assert t.s.treasury["germany"] == 6
    t = produce(ipp=5, units=ships, options=option)
    t.refused(Dock("battleship", "sz_027", "western_germany", 1), "7.0a")


# --- upgrades of units ----------------------------------------------------------------------------


@pytest.mark.rule("gw36:11.2a")
def test_one_militia_a_turn():
    t = produce(ipp=10, production=[])
    t.refused(Outfit("militia_upgrade", 2), "11.2a")
    t.do(Outfit("militia_upgrade"))
    assert t.s.treasury["germany"] == 8
    t.refused(Outfit("militia_upgrade"), "11.2a")


@pytest.mark.rule("gw36:11.2b")
def test_any_number_of_infantry_if_the_option_is_in_use():
    produce().refused(Outfit("motorized_upgrade"), "11.2b")
    t = produce(ipp=10, production=[], options={"motorized_upgrade": True})
    t.do(Outfit("motorized_upgrade", 4))
    assert t.s.treasury["germany"] == 6
    assert track(t) == [("motorized_upgrade", 0)] * 4


# --- the rest -------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:15.9a", "gw36:15.9b")
def test_early_war_fighters():
    option = {"early_fighters": True}
    t = produce(ipp=20, date="1939-07", options=option)
    t.refused(Buy("fighter"), "15.9b")
    t.do(Buy("early_fighter"))
    assert t.s.treasury["germany"] == 12
    t = produce(ipp=20, date="1940-01", options=option)
    t.refused(Buy("early_fighter"), "15.9b")
    t.do(Buy("fighter"))
    t = produce(ipp=20, date="1939-07")
    t.refused(Buy("early_fighter"), "15.9b")
    t.do(Buy("fighter"))


@pytest.mark.rule("gw36:15.9c")
def test_early_war_fighters_are_converted_or_scrapped_from_1940_on():
    option = {"early_fighters": True}
    planes = {
        "berlin": {"germany": "3 early_fighter"},
        "sz_014": {
            "germany": {"fleet_carrier": [{"cargo": ["early_fighter", "tactical_bomber"]}]},
        },
    }
    t = produce(ipp=20, date="1939-07", options=option, units=planes)
    t.refused(Convert("berlin", 1), "15.9b")
    t = produce(ipp=20, date="1940-01", options=option, units=planes)
    t.refused(Convert("berlin", 4), "15.9c")
    t.do(Convert("berlin", 2))
    assert t.units("berlin", "germany") == {"fighter": 2, "early_fighter": 1}
    assert t.s.treasury["germany"] == 12
    t.do(Convert("berlin", 1, scrap=True))
    assert t.units("berlin", "germany") == {"fighter": 2}
    assert t.s.treasury["germany"] == 16
    t.do(Convert("sz_014", 1))
    assert t.cargo("sz_014", "germany") == [["germany fighter", "germany tactical_bomber"]]


@pytest.mark.rule("gw36:nrs-usa-f")
def test_the_usa_denies_the_arctic_bonus():
    t = produce("usa")
    t.do(Deny(True))
    assert ("soviet_arctic", "usa", "ussr") in t.s.refused
    t.do(Deny(False))
    assert not t.s.refused
    produce("japan").refused(Deny(True), "nrs-usa-f")


@pytest.mark.parametrize("nation", ["germany", "great_britain", "usa", "ussr", "japan"])
def test_samples_are_legal_and_come_to_an_end(nation):
    t = produce(nation, "1941-01", base="setup", options={"rules": "everything"})
    rng = random.Random(5)
    for _ in range(300):
        if t.asked != f"{nation} produce":
            break
        t.do(t.request.sample(t.s, rng))
        while t.asked == "chance roll":
            t.dice(*[1] * t.request.dice)
    else:
        raise AssertionError("the phase does not end")
