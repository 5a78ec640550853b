"""The data of Global War 1936-1945: what it says, and how broken data is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.games.gw36.facts import DATA, Facts, half_year, load_facts, pair
from sandtable.kernel.rules import load_index
from tests.datafiles import check_complaint, first_change

GAME = DATA.parent


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_facts()


# The board.


@pytest.mark.rule("gw36:1.1a")
@pytest.mark.rule("gw36:1.2a")
def test_the_board_has_all_its_zones(facts: Facts) -> None:
    assert (len(facts.land), len(facts.sea), len(facts.zones)) == (343, 146, 489)
    assert [facts.zones[id].number for id in facts.sea] == list(range(1, 147))
    names = [zone.name for zone in facts.zones.values()]
    assert len({*names}) == len(names)


@pytest.mark.rule("gw36:1.1b")
def test_zones_are_worth_what_their_owners_earn(facts: Facts) -> None:
    for scenario, worth in (
        ("1936", {"germany": 20, "italy": 10, "japan": 16, "usa": 63, "kmt": 6, "ccp": 2}),
        ("1939", {"germany": 24, "italy": 10, "japan": 24, "ussr": 46, "kmt": 7, "ccp": 2}),
    ):
        owners = facts.scenarios[scenario].owners
        for nation, ipp in worth.items():
            assert sum(facts.zones[z].ipp for z, by in owners.items() if by == nation) == ipp
    assert facts.zones["gibraltar"].ipp == 0


@pytest.mark.rule("gw36:0.7a")
def test_every_land_zone_is_in_a_region_and_no_sea_zone_is(facts: Facts) -> None:
    assert facts.rail_capacity == {
        "north_america": 4,
        "south_america": 1,
        "europe": 4,
        "middle_east": 1,
        "africa": 1,
        "ussr": 2,
        "asia": 1,
    }
    assert {facts.zones[id].region for id in facts.land} == {*facts.rail_capacity}
    assert {facts.zones[id].region for id in facts.sea} == {""}


@pytest.mark.rule("gw36:1.3a")
def test_printed_owners_and_capitals(facts: Facts) -> None:
    assert facts.zones["gibraltar"].owner == "great_britain"
    assert facts.nations["great_britain"].capital == "london"
    assert facts.nations["brazil"].capital == "rio_de_janeiro"
    for nation in facts.nations.values():
        if nation.capital and nation.zones:
            assert facts.zones[nation.capital].owner == nation.id
    assert sum(len(nation.zones) for nation in facts.nations.values()) == len(facts.land)


@pytest.mark.rule("gw36:0.8b")
@pytest.mark.rule("gw36:1.1c")
def test_borders(facts: Facts) -> None:
    for tables in (facts.neighbours, facts.land_next, facts.sea_next, facts.coast):
        for zone, others in tables.items():
            assert all(zone in tables[other] for other in others)
    # Lake Chad and the Himalayas are in the way of land units, not of aircraft.
    for one, other in (("chad", "nigeria"), ("tibet", "nepal"), ("burma", "yunnan")):
        assert other in facts.neighbours[one]
        assert other not in facts.land_next[one]
    assert pair("tibet", "nepal") in facts.himalayas
    assert pair("chad", "nigeria") not in facts.himalayas
    # A narrow crossing and the ends of a canal are no borders.
    assert "picardy" not in facts.neighbours["london"]
    assert "sz_079" not in facts.neighbours["sz_070"]


@pytest.mark.rule("gw36:1.15p")
def test_canals_join_sea_zones_and_straits_lie_between_neighbours(facts: Facts) -> None:
    assert facts.passage[pair("sz_070", "sz_079")] == "suez_canal"
    assert "sz_079" in facts.sea_next["sz_070"]
    for passage in facts.passages.values():
        one, other = passage.between
        assert other in facts.sea_next[one]
        assert (other in facts.neighbours[one]) == (not passage.canal)
    assert [p.id for p in facts.passages.values() if not p.canal] == [
        "danish_straits",
        "strait_of_gibraltar",
    ]
    assert facts.passages["turkish_straits"].zones == ("istanbul",)
    assert facts.passages[facts.white_sea].between == ("sz_006", "sz_016")


def test_rivers_and_terrain_lie_on_borders(facts: Facts) -> None:
    assert ("belgium", "western_germany") in facts.river
    assert ("western_germany", "belgium") in facts.river
    assert facts.rivers[pair("paris", "normandy")] == "Seine"
    assert facts.border_terrain["picardy", "belgium"] == "mountain"
    assert facts.border_terrain["southern_belorussia", "lubelskie"] == "marsh"
    assert ("suiyuan", "hopeh") not in facts.border_terrain


@pytest.mark.rule("gw36:1.14a")
def test_railways_have_two_gauges(facts: Facts) -> None:
    assert len(facts.railways) == 285
    assert facts.railways[pair("moscow", "smolensk")] == "broad"
    assert facts.railways[pair("karjala", "leningrad")] == "change"
    assert facts.railways[pair("berlin", "western_germany")] == "regular"


@pytest.mark.rule("gw36:1.21a")
def test_channel_ports(facts: Facts) -> None:
    channel = [one for one in facts.crossings.values() if one.channel]
    assert [one.between for one in channel] == [("london", "picardy"), ("belgium", "london")]
    for zone in ("picardy", "belgium"):
        assert (zone, "minor_port", "sz_026") in facts.scenarios["1936"].facilities


@pytest.mark.rule("gw36:12.8b")
def test_special_fortification_zones(facts: Facts) -> None:
    special = facts.special_fortification
    assert {"gibraltar", "panama", "british_malaya", "crimea", "crete", "paris"} <= special
    # Islands of a Home Country are none, nor is the mainland.
    assert not {"hokkaido", "north_island", "normandy"} & special


@pytest.mark.rule("gw36:3.2a")
def test_objective_cities(facts: Facts) -> None:
    cities = {id for id in facts.land if facts.zones[id].objective}
    assert cities == {
        *("berlin", "tokyo", "rome", "london", "calcutta", "sydney", "paris"),
        *("washington_dc", "nanking", "moscow"),
    }


# Nations.


@pytest.mark.rule("gw36:6.1a")
def test_order_of_nations(facts: Facts) -> None:
    assert facts.order == (
        ("germany",),
        ("ussr", "ccp"),
        ("japan",),
        ("great_britain", "fec", "anzac"),
        ("france", "free_france"),
        ("italy",),
        ("usa", "kmt"),
    )
    assert len(facts.powers) == 12


@pytest.mark.rule("gw36:0.9.home-a")
@pytest.mark.rule("gw36:0.9.home-b")
@pytest.mark.rule("gw36:nrs-usa-c")
@pytest.mark.rule("gw36:appB-42a")
def test_home_countries(facts: Facts) -> None:
    nations = facts.nations
    assert nations["germany"].home == {"berlin", "western_germany", "eastern_germany", "bavaria"}
    assert {"alaska", "panama", "hawaiian_islands"} <= {*nations["usa"].zones}
    assert not {"alaska", "panama", "hawaiian_islands"} & nations["usa"].home
    assert "north_sakhalin" not in nations["ussr"].home
    # All of China is home to both factions, Japanese and British parts of it too.
    for one in ("kmt", "ccp"):
        assert {"shensi", "nanking", "tibet", "hong_kong", "formosa", "rehe"} <= nations[one].home
    assert nations["netherlands"].home == {"netherlands"}
    assert "java" in nations["netherlands"].colonies
    assert nations["spain_nationalist"].home == nations["spain"].home
    assert not {"rio_de_oro", "balearic_islands"} & nations["spain"].home
    # Islands are none, but a nation on an island is at home there.
    assert "crete" not in nations["greece"].home
    assert nations["cuba"].home == {"cuba"}


@pytest.mark.rule("gw36:0.9.nation-a")
@pytest.mark.rule("gw36:0.9.commonwealth-a")
def test_nations_are_their_zones(facts: Facts) -> None:
    poland = ("warsaw", "west_poland", "dolnoslaske", "lubelskie", "east_poland")
    assert {*facts.nations["poland"].zones} == {*poland}
    # Canada is part of Great Britain.
    assert {"ottawa", "nova_scotia"} <= {*facts.nations["great_britain"].zones}
    commonwealth = {id for id, one in facts.nations.items() if one.major == "great_britain"}
    assert commonwealth == {"great_britain", "fec", "anzac"}


@pytest.mark.rule("gw36:appB-41a")
def test_abyssinia_is_worth_nothing(facts: Facts) -> None:
    assert facts.zones["abyssinia"].ipp == 0


# Scenarios.


@pytest.mark.rule("gw36:2.1a")
@pytest.mark.rule("gw36:2.1b")
@pytest.mark.rule("gw36:2.1c")
def test_dates_of_the_scenarios(facts: Facts) -> None:
    for id, first, turns in (("1936", "1936-07", 18), ("1939", "1939-07", 12)):
        scenario = facts.scenarios[id]
        assert (scenario.first, scenario.turns) == (half_year(first), turns)
        assert scenario.first + turns == half_year("1945-07")


@pytest.mark.rule("gw36:2.1d")
@pytest.mark.rule("gw36:2.1e")
def test_wars_of_the_scenarios(facts: Facts) -> None:
    early, late = facts.scenarios["1936"], facts.scenarios["1939"]
    assert early.wars == (
        ("abyssinia", "italy"),
        ("ccp", "kmt"),
        ("spain_nationalist", "spain_republican"),
    )
    assert (early.spain, early.abyssinia, early.china) == ("war", "war", "war")
    assert {("france", "germany"), ("germany", "great_britain")} <= {*late.wars}
    assert {("ccp", "japan"), ("japan", "kmt")} <= {*late.wars}
    assert ("ccp", "kmt") not in late.wars
    assert late.pacts == ("chinese_truce",)


@pytest.mark.rule("gw36:table-4-1a")
@pytest.mark.rule("gw36:table-4-1b")
@pytest.mark.rule("gw36:table-4-1c")
def test_alliances_and_control_at_the_start(facts: Facts) -> None:
    alliances: dict[str, list[str]] = {}
    for id in facts.powers:
        alliances.setdefault(facts.nations[id].alliance, []).append(id)
    assert alliances == {
        "axis": ["germany", "japan", "italy"],
        "comintern": ["ussr", "ccp"],
        "allies": ["great_britain", "fec", "anzac", "france", "free_france", "usa", "kmt"],
    }
    control = facts.scenarios["1936"].control
    assert control == {
        "spain_nationalist": "germany",
        "spain_republican": "ussr",
        "abyssinia": "france",
    }
    assert not {*control} & {*facts.scenarios["1939"].control}


@pytest.mark.rule("gw36:table-4-6b")
def test_tannu_tuva_is_soviet(facts: Facts) -> None:
    for scenario in facts.scenarios.values():
        assert scenario.aligned["tannu_tuva"] == "ussr"
        assert scenario.owners["tannu_tuva"] == "ussr"


# Pieces.

UNITS = [
    # type, attack, defense, move, cost
    pytest.param("militia", 1, 2, 1, (2,), marks=pytest.mark.rule("gw36:12.2.militia-a")),
    pytest.param("infantry", 2, 4, 1, (3,), marks=pytest.mark.rule("gw36:12.2.infantry-a")),
    pytest.param("marine", 2, 4, 1, (4,), marks=pytest.mark.rule("gw36:12.2.marine-a")),
    pytest.param("airborne", 2, 2, 1, (3,), marks=pytest.mark.rule("gw36:12.2.airborne-a")),
    pytest.param(
        "mountain_infantry", 2, 4, 1, (4,), marks=pytest.mark.rule("gw36:12.2.mountain-a")
    ),
    pytest.param(
        "colonial_infantry", 2, 4, 1, (4,), marks=pytest.mark.rule("gw36:12.2.colonial-a")
    ),
    pytest.param("cavalry", 3, 2, 2, (3,), marks=pytest.mark.rule("gw36:12.2.cavalry-a")),
    pytest.param(
        "motorized_infantry", 2, 4, 2, (4,), marks=pytest.mark.rule("gw36:12.2.motorized-a")
    ),
    pytest.param(
        "mechanized_infantry", 3, 4, 2, (4,), marks=pytest.mark.rule("gw36:12.2.mechanized-a")
    ),
    pytest.param("light_armor", 4, 3, 2, (4,), marks=pytest.mark.rule("gw36:12.2.light-armor-a")),
    pytest.param("medium_armor", 6, 5, 2, (6,), marks=pytest.mark.rule("gw36:12.2.medium-armor-a")),
    pytest.param(
        "tank_destroyer", 3, 4, 2, (5,), marks=pytest.mark.rule("gw36:12.2.tank-destroyer-a")
    ),
    pytest.param("artillery", 3, 3, 1, (4,), marks=pytest.mark.rule("gw36:12.2.artillery-a")),
    pytest.param(
        "self_propelled_artillery",
        *(3, 3, 2, (5,)),
        marks=pytest.mark.rule("gw36:12.2.sp-artillery-a"),
    ),
    pytest.param(
        "anti_aircraft_artillery", 3, 3, 1, (4,), marks=pytest.mark.rule("gw36:12.2.aa-a")
    ),
    pytest.param("fighter", 6, 6, 4, (10,), marks=pytest.mark.rule("gw36:12.2.fighter-a")),
    pytest.param(
        "tactical_bomber", 7, 5, 4, (11,), marks=pytest.mark.rule("gw36:12.2.tactical-bomber-a")
    ),
    pytest.param(
        "medium_bomber", 7, 4, 5, (11,), marks=pytest.mark.rule("gw36:12.2.medium-bomber-a")
    ),
    pytest.param(
        "strategic_bomber",
        *(None, 2, 6, (12,)),
        marks=pytest.mark.rule("gw36:12.2.strategic-bomber-a"),
    ),
    pytest.param(
        "air_transport", None, None, 6, (8,), marks=pytest.mark.rule("gw36:12.2.air-transport-a")
    ),
    pytest.param("seaplane", 3, 1, 6, (7,), marks=pytest.mark.rule("gw36:12.2.seaplane-a")),
    pytest.param(
        "battleship", 8, 8, 2, (5, 5, 5), marks=pytest.mark.rule("gw36:12.2.battleship-a")
    ),
    pytest.param(
        "fast_battleship",
        *(8, 8, 3, (6, 6, 6)),
        marks=pytest.mark.rule("gw36:12.2.fast-battleship-a"),
    ),
    pytest.param(
        "coastal_defense_ship",
        *(6, 6, 1, ()),
        marks=pytest.mark.rule("gw36:12.2.coastal-defense-ship-a"),
    ),
    pytest.param(
        "fleet_carrier", 1, 2, 3, (5, 5, 5), marks=pytest.mark.rule("gw36:12.2.fleet-carrier-a")
    ),
    pytest.param(
        "light_carrier", None, 1, 3, (4, 4), marks=pytest.mark.rule("gw36:12.2.light-carrier-a")
    ),
    pytest.param(
        "battlecruiser", 7, 7, 3, (6, 6), marks=pytest.mark.rule("gw36:12.2.battlecruiser-a")
    ),
    pytest.param(
        "heavy_cruiser", 6, 6, 3, (5, 5), marks=pytest.mark.rule("gw36:12.2.heavy-cruiser-a")
    ),
    pytest.param(
        "light_cruiser", 5, 5, 3, (4, 4), marks=pytest.mark.rule("gw36:12.2.light-cruiser-a")
    ),
    pytest.param("destroyer", 4, 4, 3, (7,), marks=pytest.mark.rule("gw36:12.2.destroyer-a")),
    pytest.param("torpedo_boat_destroyer", 2, 2, 2, (), marks=pytest.mark.rule("gw36:12.2.tbd-a")),
    pytest.param("submarine", 3, 3, 3, (6,), marks=pytest.mark.rule("gw36:12.2.submarine-a")),
    pytest.param(
        "coastal_submarine",
        *(2, 2, 1, ()),
        marks=pytest.mark.rule("gw36:12.2.coastal-submarine-a"),
    ),
    pytest.param(
        "naval_transport",
        *(None, None, 2, (7,)),
        marks=pytest.mark.rule("gw36:12.2.naval-transport-a"),
    ),
]


@pytest.mark.parametrize(("type", "attack", "defense", "move", "cost"), UNITS)
def test_profiles(
    facts: Facts,
    type: str,
    attack: int | None,
    defense: int | None,
    move: int,
    cost: tuple[int, ...],
) -> None:
    unit = facts.units[type]
    assert (unit.attack, unit.defense, unit.move, unit.cost) == (attack, defense, move, cost)


@pytest.mark.rule("gw36:table-12-1a")
@pytest.mark.rule("gw36:table-12-1b")
@pytest.mark.rule("gw36:table-12-1c")
@pytest.mark.rule("gw36:table-12-1d")
@pytest.mark.rule("gw36:0.9.unitclass-a")
@pytest.mark.rule("gw36:0.9.surface-a")
@pytest.mark.rule("gw36:0.9.warship-a")
def test_classes(facts: Facts) -> None:
    classes = {id: unit.class_ for id, unit in facts.units.items()}
    for id in ("militia", "airborne", "colonial_infantry", "gurkha"):
        assert classes[id] == "infantry"
    for id in ("cavalry", "motorized_infantry", "tank_destroyer", "tiger"):
        assert classes[id] == "vehicle"
    for id in ("anti_aircraft_artillery", "self_propelled_artillery", "strategic_rocket"):
        assert classes[id] == "artillery"
    assert classes["seaplane"] == "air"
    assert classes["submarine"] == classes["naval_transport"] == "naval"
    surface = {id for id, unit in facts.units.items() if unit.surface}
    assert not {"submarine", "coastal_submarine", "advanced_submarine"} & surface
    # Transports and light carriers have no Attack value and are no warships; an Attack of 0 is one.
    warships = {id for id, unit in facts.units.items() if unit.warship}
    assert not {"naval_transport", "light_carrier", "submarine"} & warships
    assert {"heavy_carrier", "torpedo_boat_destroyer"} <= warships


@pytest.mark.rule("gw36:0.9.stratbomb-a")
def test_what_can_bomb_facilities(facts: Facts) -> None:
    assert {id: unit.strategic_dice for id, unit in facts.units.items() if unit.strategic_dice} == {
        "medium_bomber": 1,
        "strategic_bomber": 2,
        "heavy_strategic_bomber": 3,
        "strategic_rocket": 1,
    }


@pytest.mark.rule("gw36:0.9.capital-a")
@pytest.mark.rule("gw36:0.9.capital-b")
@pytest.mark.rule("gw36:appB-36a")
def test_capital_ships_take_two_hits_or_three(facts: Facts) -> None:
    hits = {id: unit.hits for id, unit in facts.units.items() if unit.capital}
    assert hits == {
        "battleship": 2,
        "fast_battleship": 2,
        "heavy_battleship": 3,
        "fleet_carrier": 2,
        "heavy_carrier": 2,
    }


@pytest.mark.rule("gw36:table-9-6a")
@pytest.mark.rule("gw36:table-9-6b")
@pytest.mark.rule("gw36:table-9-6c")
@pytest.mark.rule("gw36:table-9-6d")
@pytest.mark.rule("gw36:table-9-6e")
@pytest.mark.rule("gw36:table-9-6f")
def test_shore_bombardment_values(facts: Facts) -> None:
    assert {id: unit.bombard for id, unit in facts.units.items() if unit.bombard} == {
        "light_cruiser": 1,
        "heavy_cruiser": 2,
        "battlecruiser": 3,
        "coastal_defense_ship": 3,
        "battleship": 4,
        "fast_battleship": 4,
        "heavy_battleship": 5,
    }


def test_technologies(facts: Facts) -> None:
    assert len(facts.technologies) == 16
    assert all(len(technology.stages) == 3 for technology in facts.technologies.values())


def test_sets_of_optional_rules(facts: Facts) -> None:
    standard = {"screening", "strategic_naval", "motorized_upgrade", "chinese_evolution"}
    assert facts.sets["basic"] == standard | {"national_objectives"}
    assert len(facts.sets["everything"]) == 31
    assert facts.sets["recommended"] < facts.sets["everything"]


@pytest.mark.rule("gw36:1.6a")
def test_convoy_lines(facts: Facts) -> None:
    line = facts.lines["mediterranean"]
    assert line.values == (("great_britain", 6),)
    assert line.path[0] == "sz_064"
    assert "mediterranean" in facts.lines_at["sz_067"]
    assert facts.lines["great_lakes"].path == ("sz_034",)


def test_the_rule_index_is_whole() -> None:
    rules = load_index(GAME / "rules.yaml")
    assert len(rules) == 985
    assert sum(rule.optional for rule in rules.values()) == 87


# Broken data.

M, N, U, S, C = "map.yaml", "nations.yaml", "units.yaml", "scenarios.yaml", "convoys.yaml"


@pytest.mark.parametrize(
    ("file", "old", "new", "field", "problem"),
    [
        pytest.param(
            *(M, "  burma_road: [burma, yunnan]", "  burma_road: [burma, yunan]"),
            *("routes.burma_road", "no air border between burma and yunan"),
            id="unknown zone",
        ),
        pytest.param(
            *(M, "  paris: {name: Paris", "  paris: {nick: x, name: Paris"),
            *("land_zones.paris.nick", "unknown field"),
            id="unknown field",
        ),
        pytest.param(
            *(M, "special_fortification: [gibraltar,", "special_fortification: [gibralter,"),
            *("special_fortification[0]", 'unknown land zone "gibralter" (perhaps gibraltar?)'),
            id="perhaps",
        ),
        pytest.param(
            *(N, "  - [italy]", "  - [itally]"),
            *("order[5][0]", 'unknown player nation "itally"'),
            id="unknown nation",
        ),
        pytest.param(
            *(S, "        eritrea: {infantry: 3, artillery: 1, light_armor: 1, fighter: 1}"),
            "        eritrea: {infantry: 3, artillery: 1, lite_armor: 1, fighter: 1}",
            *("scenarios.1936.units.italy.eritrea.lite_armor", 'unknown unit "lite_armor"'),
            id="unknown unit",
        ),
        pytest.param(
            *(S, "        eritrea: {infantry: 3, artillery: 1, light_armor: 1, fighter: 1}"),
            "        eritrea: {infantry: 3, artillery: 1, destroyer: 1}",
            *("scenarios.1936.units.italy.eritrea.destroyer", "destroyer cannot be on land"),
            id="ship on land",
        ),
        pytest.param(
            *(S, "        eritrea: {infantry: 3, artillery: 1, light_armor: 1, fighter: 1}"),
            "        picardy: {infantry: 3, artillery: 1, light_armor: 1}",
            "scenarios.1936.units.italy.picardy",
            "picardy belongs to france, not to italy",
            id="units in another's zone",
        ),
        pytest.param(
            *(S, "        sz_085: {light_cruiser: 1, naval_transport: 1}"),
            "        sz_085: {light_cruiser: 1, infantry: 1}",
            *("scenarios.1936.units.fec.sz_085.infantry", "infantry cannot be at sea"),
            id="infantry at sea",
        ),
        pytest.param(
            *(S, "        sz_085: {light_cruiser: 1, naval_transport: 1}"),
            "        sz_085: {light_cruiser: 1, fighter: 1}",
            *("scenarios.1936.units.fec.sz_085", "1 aircraft at sea, and room for 0"),
            id="no deck",
        ),
        pytest.param(
            *(N, "home: [berlin, western_germany,", "home: [paris, western_germany,"),
            *("players.germany.home[0]", "paris is a zone of france"),
            id="home of others",
        ),
        pytest.param(
            *(C, "ends: [southern_italy, tripolitania], path: [sz_068,"),
            "ends: [southern_italy, tripolitania], path: [sz_001,",
            *("lines.libyan.path[1]", "sz_001 and sz_067 are not neighbours"),
            id="broken line",
        ),
        pytest.param(
            *(M, "  Seine: [[normandy, paris]]", "  Seine: [[normandy, berlin]]"),
            *("rivers.Seine[0]", "normandy and berlin are not neighbours by land"),
            id="river on no border",
        ),
        pytest.param(
            *(M, "[berlin, eastern_germany]", "[berlin, eastern_france]"),
            *("railways.regular[72]", 'unknown land zone "eastern_france"'),
            id="railway to nowhere",
        ),
        pytest.param(
            *(M, "[berlin, eastern_germany]", "[berlin, paris]"),
            *("railways.regular[72]", "berlin and paris are not neighbours by land"),
            id="railway on no border",
        ),
        pytest.param(
            *(M, "  gibraltar: [", "  gibraltar: [castle, "),
            *("facilities.gibraltar[0]", 'unknown facility "castle"'),
            id="unknown facility",
        ),
        pytest.param(
            *(U, "defense: 1, move: 6, cost: [7],", "defense: 1, move: 6, decks: 2, cost: [7],"),
            *("units.seaplane.decks", "only for ships"),
            id="flying carrier",
        ),
        pytest.param(
            *("technology.yaml", "stages: [9, 10, 11]}\n  heavy_strategic_bomber"),
            "stages: [9, 10, 13]}\n  heavy_strategic_bomber",
            *("technologies.jet_fighter.stages[2]", "expected int <= 12"),
            id="die",
        ),
    ],
)
def test_broken_data(
    tmp_path: Path, file: str, old: str, new: str, field: str, problem: str
) -> None:
    change = (file, old, new)
    error = check_complaint(DATA, load_facts, tmp_path, change, field, problem)
    assert error.line == first_change(DATA, tmp_path, file)


@pytest.mark.parametrize(
    ("file", "old", "new", "field", "problem"),
    [
        pytest.param(
            *(M, "  rivers: reconstructed\n", ""),
            *("provenance", "does not say where rivers comes from"),
            id="no provenance",
        ),
        pytest.param(
            *(M, "[french_guinea, ivory_coast, sierra_leone]", "[ivory_coast]"),
            *("land_zones.french_guinea.land[2]", "liberia does not name french_guinea in return"),
            id="one-sided border",
        ),
        pytest.param(
            *(M, "  berlin: {name: Berlin", "  paris: {name: Berlin"),
            *("land_zones.paris", "stands twice, first on line"),
            id="duplicate",
        ),
    ],
)
def test_broken_tables(
    tmp_path: Path, file: str, old: str, new: str, field: str, problem: str
) -> None:
    check_complaint(DATA, load_facts, tmp_path, (file, old, new), field, problem)
