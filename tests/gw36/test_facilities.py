"""Facilities (12.3-12.10, Table 12-2)."""

import pytest

from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.model import Facility, Job, Unit
from sandtable.games.gw36.rules.facilities import (
    capacity,
    check_site,
    has_factory,
    max_damage,
    may_use,
    movement_bonus,
    output,
    place,
    prices,
    upgrade_of,
    usable,
    yard_slots,
)
from sandtable.games.gw36.rules.supply import harbours
from sandtable.games.gw36.rules.yards import berths, repair_slots, serves
from sandtable.games.gw36.rules.zones import start_bonus
from sandtable.kernel.errors import IllegalDecision
from tests.gw36.table import state


def refused(s, nation, type_, zone, border="", rule=""):
    with pytest.raises(IllegalDecision) as refusal:
        check_site(s, nation, type_, zone, border)
    if rule:
        assert refusal.value.rule == rule, refusal.value.reason


TABLE = {
    # production, improved, damage, cost, upgrade
    "major_factory": (5, 3, 20, (6, 6, 6), None),
    "medium_factory": (3, 2, 10, (7, 7), ("major_factory", 6)),
    "minor_factory": (1, 1, 5, (8,), ("medium_factory", 7)),
    "minor_port": (0, 0, 3, (3,), ("major_port", 4)),
    "major_port": (0, 0, 5, (3, 3), None),
    "minor_shipyard": (0, 1, 8, (3, 3), ("major_shipyard", 5)),
    "major_shipyard": (0, 3, 10, (5, 5), None),
    "minor_dockyard": (0, 0, 3, (2, 2), ("major_dockyard", 5)),
    "major_dockyard": (0, 0, 6, (4, 4), None),
    "seaplane_base": (0, 0, 1, (2,), None),
    "submarine_base": (0, 0, 3, (2,), None),
    "air_base": (0, 0, 5, (3, 3), None),
    "fortification": (0, 0, 0, (5, 5), None),
    "coastal_artillery": (0, 0, 0, (6,), None),
}


@pytest.mark.rule(
    "gw36:table-12-2a",
    "gw36:table-12-2c",
    "gw36:table-12-2e",
    "gw36:table-12-2i",
    "gw36:12.5.minor-port-a",
    "gw36:12.5.major-port-a",
    "gw36:12.5.minor-shipyard-a",
    "gw36:12.5.major-shipyard-a",
    "gw36:12.5.minor-dockyard-a",
    "gw36:12.5.major-dockyard-a",
    "gw36:12.5.seaplane-base-a",
    "gw36:12.5.submarine-base-a",
    "gw36:12.5.air-base-a",
    "gw36:12.7a",
    "gw36:12.9a",
)
@pytest.mark.parametrize("type_", sorted(TABLE))
def test_the_numbers_of_the_tables(type_):
    kind = state().facts.facilities[type_]
    found = (kind.production, kind.improved, kind.max_damage, kind.cost, kind.upgrade)
    assert found == TABLE[type_]


@pytest.mark.rule(
    "gw36:12.3b", "gw36:12.5b", "gw36:12.10c", "gw36:table-12-2h", "gw36:12.7c", "gw36:12.9b"
)
def test_which_facilities_have_guns_and_can_be_damaged():
    kinds = state().facts.facilities
    for kind in kinds.values():
        border = kind.id in ("fortification", "maginot", "coastal_artillery")
        assert kind.anti_air is not (border or kind.id == "railroad")
        assert bool(kind.max_damage) is not border or kind.id == "railroad"


@pytest.mark.rule(
    "gw36:12.5.minor-port-a", "gw36:12.5.minor-shipyard-a", "gw36:12.5.minor-dockyard-a"
)
def test_minor_naval_facilities_let_three_points_through():
    kinds = state().facts.facilities
    for kind in ("port", "shipyard", "dockyard"):
        assert kinds[f"minor_{kind}"].supply_limit == 3
        assert kinds[f"major_{kind}"].supply_limit is None


# --- use ------------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:12.5a")
def test_a_base_is_its_owners_and_of_those_aligned_with_it():
    s = state("usa", "production", "1942-01", wars=[])
    assert may_use(s, "great_britain", "london")
    assert may_use(s, "anzac", "london")
    assert not may_use(s, "usa", "london")
    s.wars = frozenset({("germany", "usa"), ("germany", "great_britain")})
    assert may_use(s, "usa", "london")
    assert not may_use(s, "germany", "london")


@pytest.mark.rule("gw36:12.5c", "gw36:12.5d")
def test_several_bases_give_no_more_than_one_and_a_damaged_one_nothing():
    s = state("germany", "production", "1940-01", wars=[])
    ship = s.facts.units["destroyer"]
    s.facilities["western_germany"] = (
        Facility("major_port", "sz_027"),
        Facility("major_shipyard", "sz_027"),
    )
    assert start_bonus(s, "germany", ship, "sz_027") == 1
    s.facilities["western_germany"] = (
        Facility("major_port", "sz_027", damage=1),
        Facility("major_shipyard", "sz_027", damage=1),
    )
    assert start_bonus(s, "germany", ship, "sz_027") == 0
    assert not usable(s, "western_germany", Facility("minor_factory", damage=1))


@pytest.mark.rule(
    "gw36:12.5.seaplane-base-b",
    "gw36:12.5.air-base-b",
    "gw36:12.5.submarine-base-a",
    "gw36:12.5.seaplane-base-a",
)
def test_whom_the_bases_help():
    s = state("germany", "production", "1940-01", wars=[])
    units = s.facts.units
    s.facilities = {"berlin": (Facility("air_base"),)}
    assert start_bonus(s, "germany", units["fighter"], "berlin") == 1
    s.facilities = {"western_germany": (Facility("submarine_base", "sz_027"),)}
    assert start_bonus(s, "germany", units["submarine"], "sz_027") == 1
    assert start_bonus(s, "germany", units["destroyer"], "sz_027") == 0
    s.facilities = {"western_germany": (Facility("seaplane_base", "sz_027"),)}
    assert start_bonus(s, "germany", units["seaplane"], "western_germany") == 1
    assert start_bonus(s, "germany", units["fighter"], "western_germany") == 0
    assert not list(harbours(s, "western_germany"))  # no supply path


@pytest.mark.rule("gw36:13.1m", "gw36:13.1q")
def test_spanish_ports_help_the_winners_patron():
    s = state("germany", "production", "1940-01", wars=[], options={"scenario": "1936"})
    land = next(
        z for z in s.facts.land if s.possession[z] == "spain_nationalist" and s.facts.coast[z]
    )
    sea = s.facts.coast[land][0]
    s.facilities = {land: (Facility("major_port", sea),)}
    ship = s.facts.units["destroyer"]
    assert movement_bonus(s, "germany", ship, sea) == 0
    s.spain = "nationalist"
    assert movement_bonus(s, "germany", ship, sea) == 1
    assert movement_bonus(s, "italy", ship, sea) == 0
    assert may_use(s, "germany", land)
    s.spain = "republican"
    assert not may_use(s, "germany", land)


@pytest.mark.rule("gw36:14.2j")
def test_basis_nord_serves_german_submarines_alone():
    s = state("germany", "production", "1940-01", wars=[])
    s.pacts = frozenset({"molotov_ribbentrop"})
    s.facilities = {"murmansk": (Facility("submarine_base", "sz_005", was="basis_nord"),)}
    submarine, ship = s.facts.units["submarine"], s.facts.units["destroyer"]
    assert movement_bonus(s, "germany", submarine, "sz_005") == 1
    assert movement_bonus(s, "germany", ship, "sz_005") == 0
    assert berths(s, "ussr", "murmansk", "sz_005", submarine) == 0


# --- factories ------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:table-12-2a", "gw36:table-12-2c", "gw36:table-12-2e")
def test_damage_stops_a_minor_factory_and_slows_a_major_one():
    s = state("germany", "production", "1940-01", wars=[])
    for type_, damage, units in (
        ("major_factory", 0, 5),
        ("major_factory", 2, 3),
        ("major_factory", 20, 0),
        ("medium_factory", 0, 3),
        ("medium_factory", 1, 0),
        ("minor_factory", 0, 1),
        ("minor_factory", 1, 0),
    ):
        assert capacity(s, "germany", Facility(type_, damage=damage)) == units
    assert has_factory(s, "berlin", "major_factory")


@pytest.mark.rule(
    "gw36:7.8.improved-factories-a",
    "gw36:7.8.improved-factories-b",
    "gw36:table-12-2i",
    "gw36:12.4c",
)
def test_improved_factories_are_the_owners():
    s = state(
        "germany", "production", "1942-01", wars=[], tech={"germany": {"improved_factories": 3}}
    )
    units = [
        capacity(s, "germany", Facility(f"{size}_factory")) for size in ("minor", "medium", "major")
    ]
    assert units == [2, 5, 8]
    assert capacity(s, "italy", Facility("major_factory")) == 5
    captured = Facility("minor_factory", was="major_factory")
    assert capacity(s, "germany", captured) == 2
    assert capacity(s, "italy", captured) == 1


@pytest.mark.rule("gw36:12.4a", "gw36:12.4b", "gw36:11.1a", "gw36:11.1b")
def test_new_and_newly_taken_factories_produce_nothing():
    s = state("germany", "place_units", "1940-01", wars=[])
    s.facilities["bavaria"] = (Facility("minor_factory"), Facility("minor_factory"))
    assert output(s, "germany", "bavaria") == 2  # a zone holds more than one
    s.facilities["bavaria"] = (Facility("minor_factory"), Facility("minor_factory", since=s.date))
    assert output(s, "germany", "bavaria") == 1
    s.possession["paris"] = "germany"
    s.start_possession = {**s.possession, "paris": "france"}
    s.facilities["paris"] = (Facility("minor_factory", was="major_factory"),)
    assert output(s, "germany", "paris") == 0
    s.start_possession = dict(s.possession)
    assert output(s, "germany", "paris") == 1
    assert output(s, "france", "paris") == 0


@pytest.mark.rule("gw36:11.1c", "gw36:12.4b", "gw36:11.3b")
def test_an_upgraded_factory_has_its_old_capacity_this_turn():
    s = state("germany", "place_units", "1940-01", wars=[])
    s.facilities["western_germany"] = (Facility("medium_factory"),)
    place(s, Job("germany", "major_factory", 0, "western_germany", upgrade=True))
    assert s.facilities["western_germany"] == (Facility("major_factory"),)
    assert output(s, "germany", "western_germany") == 3
    s.done.clear()
    assert output(s, "germany", "western_germany") == 5


@pytest.mark.rule("gw36:table-12-2b", "gw36:table-12-2d", "gw36:table-12-2f")
def test_where_factories_are_built():
    s = state("great_britain", "production", "1936-07", wars=[])
    check_site(s, "great_britain", "major_factory", "scotland")
    refused(s, "great_britain", "major_factory", "ottawa", rule="table-12-2b")
    refused(s, "great_britain", "medium_factory", "ottawa", rule="table-12-2d")
    check_site(s, "great_britain", "minor_factory", "nova_scotia")
    refused(s, "great_britain", "minor_factory", "malta", rule="table-12-2f")  # no value
    s.facilities["london"] = tuple(f for f in s.facilities["london"] if f.type != "major_factory")
    refused(s, "great_britain", "minor_factory", "nova_scotia", rule="table-12-2f")  # no supply
    refused(s, "great_britain", "minor_factory", "paris", rule="12.3a")


@pytest.mark.rule("gw36:12.4c", "gw36:table-12-2g", "gw36:table-12-2d")
def test_a_captured_factory_is_not_upgraded():
    s = state("germany", "production", "1940-01", wars=[])
    with pytest.raises(IllegalDecision):
        upgrade_of(s, "germany", "berlin", Facility("minor_factory", was="major_factory"))
    assert upgrade_of(s, "germany", "berlin", Facility("minor_factory")) == ("medium_factory", 7)


# --- ports, yards, bases --------------------------------------------------------------------------


@pytest.mark.rule(
    "gw36:12.5.minor-port-a", "gw36:12.5.major-dockyard-a", "gw36:12.6a", "gw36:12.3a"
)
def test_ports_and_dockyards_stand_in_any_coastal_zone():
    s = state("great_britain", "production", "1936-07", wars=[])
    for type_ in ("minor_port", "major_port", "minor_dockyard", "major_dockyard", "submarine_base"):
        check_site(s, "great_britain", type_, "malta", "sz_067")
        refused(s, "great_britain", type_, "malta", rule="12.6a")
        refused(s, "great_britain", type_, "malta", "sz_001", rule="12.6a")
    check_site(s, "great_britain", "air_base", "malta")
    refused(s, "great_britain", "air_base", "malta", "sz_067")


@pytest.mark.rule("gw36:12.5.minor-shipyard-b", "gw36:12.5.major-shipyard-b")
def test_where_shipyards_are_built():
    s = state("great_britain", "production", "1936-07", wars=[])
    check_site(s, "great_britain", "major_shipyard", "scotland", "sz_012")
    refused(s, "great_britain", "major_shipyard", "nova_scotia", "sz_035", "12.5.major-shipyard-b")
    check_site(s, "great_britain", "minor_shipyard", "scotland", "sz_012")
    refused(s, "great_britain", "minor_shipyard", "malta", "sz_067", "12.5.minor-shipyard-b")
    for border in [b for b in s.railways if "nova_scotia" in b]:
        s.rail_damage[border] = 1
    refused(s, "great_britain", "minor_shipyard", "nova_scotia", "sz_035", "12.5.minor-shipyard-b")


@pytest.mark.rule("gw36:7.4c", "gw36:7.8.improved-construction-c")
def test_slots_of_yards():
    s = state("germany", "production", "1942-01", wars=[])
    slots = {
        f"{size}_{kind}": yard_slots(s, "germany", Facility(f"{size}_{kind}"))
        for kind in ("shipyard", "dockyard")
        for size in ("minor", "major")
    }
    assert slots == {
        "minor_shipyard": 1,
        "major_shipyard": 5,
        "minor_dockyard": 1,
        "major_dockyard": 5,
    }
    s.tech["germany", "improved_construction"] = 3
    assert yard_slots(s, "germany", Facility("minor_shipyard")) == 2
    assert yard_slots(s, "germany", Facility("major_shipyard")) == 8
    assert yard_slots(s, "germany", Facility("major_dockyard")) == 5
    assert yard_slots(s, "germany", Facility("major_shipyard", damage=1)) == 0


@pytest.mark.rule("gw36:11.1f", "gw36:11.1g")
def test_a_yard_needs_its_factory():
    s = state("germany", "place_units", "1940-01", wars=[])
    assert serves(s, "germany", "western_germany", capital=True)
    s.facilities["berlin"] = (Facility("medium_factory"),)
    assert not serves(s, "germany", "western_germany", capital=True)
    assert serves(s, "germany", "western_germany", capital=False)
    s.facilities = {"bavaria": (Facility("minor_factory"),)}
    s.railways.clear()
    assert serves(s, "germany", "western_germany", capital=False)  # adjacent
    s.facilities = {"east_prussia": (Facility("minor_factory"),)}
    assert not serves(s, "germany", "western_germany", capital=False)


@pytest.mark.rule("gw36:11.1h", "gw36:12.5.dockyard-a", "gw36:11.1f", "gw36:8.11c")
def test_how_many_ships_a_yard_takes():
    s = state("germany", "place_units", "1940-01", wars=[("germany", "great_britain")])
    units = s.facts.units
    at = ("western_germany", "sz_027")
    s.facilities["western_germany"] = (
        Facility("major_dockyard", "sz_027"),
        Facility("medium_factory"),
        Facility("minor_shipyard", "sz_027"),
        Facility("submarine_base", "sz_027"),
    )
    assert berths(s, "germany", *at, units["destroyer"]) == 1
    assert berths(s, "germany", *at, units["submarine"]) == 3
    assert berths(s, "germany", *at, units["battleship"]) == 0
    s.facilities["western_germany"] += (Facility("major_shipyard", "sz_027"),)
    assert berths(s, "germany", *at, units["battleship"]) == 5
    s.put("sz_027", Unit("great_britain", "destroyer", duty="blockade"), 5)
    assert berths(s, "germany", *at, units["battleship"]) == 5  # a blockade stops no building
    s.done["ships:western_germany:sz_027"] = 2
    assert berths(s, "germany", *at, units["battleship"]) == 4
    assert berths(s, "germany", *at, units["destroyer"]) == 4
    s.done["repairs:western_germany:sz_027"] = 8  # five in the dockyard, three in shipyards
    assert berths(s, "germany", *at, units["battleship"]) == 1
    assert repair_slots(s, "germany", *at) == 1


# --- borders --------------------------------------------------------------------------------------


@pytest.mark.rule("gw36:12.7a")
def test_a_fortification_stands_on_one_border_and_there_is_one_on_each():
    s = state("france", "production", "1936-07", wars=[])
    check_site(s, "france", "fortification", "picardy", "belgium")
    refused(s, "france", "fortification", "picardy", rule="12.7a")
    refused(s, "france", "fortification", "picardy", "moscow", "12.7a")
    refused(s, "france", "fortification", "alsace_lorraine", "bavaria", "12.7a")
    s.track = (Job("france", "fortification", 1, "picardy", "belgium"),)
    refused(s, "france", "fortification", "picardy", "belgium", "12.7a")
    check_site(s, "france", "fortification", "picardy", "sz_026")


@pytest.mark.rule("gw36:12.8a", "gw36:12.8b", "gw36:12.9a")
def test_in_special_zones_one_covers_all_borders():
    s = state("great_britain", "production", "1936-07", wars=[])
    for zone in ("malta", "gibraltar", "london"):
        check_site(s, "great_britain", "fortification", zone)
    refused(s, "great_britain", "fortification", "malta", "sz_067")
    check_site(s, "great_britain", "coastal_artillery", "malta")
    assert "scotland" not in s.facts.special_fortification
    for zone in ("panama", "british_malaya", "crimea", "crete", "paris"):
        assert zone in s.facts.special_fortification
    assert "hokkaido" not in s.facts.special_fortification  # an island of a Home Country


@pytest.mark.rule("gw36:12.9a")
def test_coastal_artillery_stands_on_the_coast_as_often_as_one_likes():
    s = state("great_britain", "production", "1936-07", wars=[])
    check_site(s, "great_britain", "coastal_artillery", "scotland", "sz_012")
    s.facilities["scotland"] = (Facility("coastal_artillery", "sz_012"),)
    check_site(s, "great_britain", "coastal_artillery", "scotland", "sz_012")
    refused(s, "great_britain", "coastal_artillery", "scotland", "northern_england", "12.9a")


@pytest.mark.rule("gw36:12.10a", "gw36:12.10b", "gw36:12.10d", "gw36:12.10f")
def test_railroads():
    s = state("germany", "production", "1936-07", wars=[])
    border = pair("berlin", "western_germany")
    refused(s, "germany", "railroad", *border, rule="12.10a")
    del s.railways[border]
    check_site(s, "germany", "railroad", *border)
    refused(s, "germany", "railroad", "berlin", "paris", "12.10a")
    refused(s, "germany", "railroad", "berlin", "", "12.10a")
    assert prices(s, "germany", "railroad", *border) == (2,)
    assert max_damage(s, "berlin", "railroad", "western_germany") == 1
    rough = next(
        pair(one, other)
        for one in s.facts.land
        for other in s.facts.land_next[one]
        if s.facts.zones[other].terrain == "mountain"
    )
    assert prices(s, "germany", "railroad", *rough) == (4,)
    assert max_damage(s, rough[0], "railroad", rough[1]) == 2
    place(s, Job("germany", "railroad", 0, *border))
    assert s.railways[border] == "regular"
    s.track = (Job("germany", "railroad", 1, "berlin", "western_germany"),)
    del s.railways[border]
    refused(s, "germany", "railroad", "western_germany", "berlin", "12.10a")


@pytest.mark.rule("gw36:12.10a")
def test_no_railroad_leads_into_a_zone_that_is_not_friendly():
    s = state("germany", "production", "1936-07", wars=[])
    s.railways.clear()
    refused(s, "germany", "railroad", "bavaria", "austria", "12.10a")


@pytest.mark.rule("gw36:1.10f", "gw36:1.11e", "gw36:12.10d")
@pytest.mark.parametrize("terrain, switch", [("jungle", "jungles"), ("marsh", "marshes")])
def test_jungle_and_marsh_cost_a_point_more_with_the_first_instalment(terrain, switch):
    for on in (True, False):
        s = state("japan", "production", "1936-07", wars=[], options={switch: on})
        zone = next(z for z in s.facts.land if s.facts.zones[z].terrain == terrain)
        assert prices(s, "japan", "air_base", zone) == ((4, 3) if on else (3, 3))
        other = s.facts.neighbours[zone][0]
        if not s.facts.zones[other].sea:
            assert prices(s, "japan", "railroad", zone, other) == (4,)


@pytest.mark.rule("gw36:11.1f")
def test_a_major_factory_abroad_feeds_no_yard_for_capital_ships():
    s = state(
        "germany",
        "place_units",
        wars=[("france", "germany")],
        possession={"picardy": "germany"},
        facilities={"picardy": ["major_factory", "major_shipyard sz_026"]},
    )
    assert serves(s, "germany", "picardy", capital=False)
    assert not serves(s, "germany", "picardy", capital=True)
