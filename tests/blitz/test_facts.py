"""The data of Blitz!: what the rulebook says about it, and how broken data is reported."""

import ast
from functools import partial
from pathlib import Path

import pytest

from sandtable.board.graphs import reach
from sandtable.games.blitz import checks
from sandtable.games.blitz.facts import DATA, Facts, load_facts
from tests import datafiles
from tests.blitz.table import position
from tests.datafiles import check_complaint, complaint, first_change

changed = partial(datafiles.changed, DATA)


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_facts()


# The errata at the head of the rulebook.


def worth(facts: Facts, *countries: str) -> tuple[int, int]:
    """Oil and Resources of all areas of some countries."""
    areas = [facts.lands[area] for country in countries for area in facts.countries[country].areas]
    return sum(area.oil for area in areas), sum(area.resource for area in areas)


@pytest.mark.rule(
    "blitz:errata.afa-poland-resource",
    "blitz:errata.ger-france-resources",
    "blitz:errata.ussr-near-east-oil",
)
def test_worth_of_countries_in_the_errata(facts: Facts) -> None:
    assert worth(facts, "poland") == (0, 1)
    assert facts.countries["poland"].owner == "afa"
    assert worth(facts, "france") == (0, 2)
    assert worth(facts, "near_east") == (2, 0)


@pytest.mark.rule("blitz:errata.malta", "blitz:errata.west-coast-factory")
def test_malta_is_the_afas_and_the_west_coast_has_a_factory(facts: Facts) -> None:
    assert facts.countries[facts.lands["malta"].country].owner == "afa"
    assert facts.lands["west_coast"].factory == 2


@pytest.mark.rule("blitz:errata.manila-seas", "blitz:errata.norway-arctic")
def test_coasts_of_the_errata(facts: Facts) -> None:
    assert {"south_china_sea", "east_china_sea"} <= set(facts.coast["manila"])
    assert "manila" in facts.coast["east_china_sea"]
    assert [port.seas for port in facts.ports["manila"].values()] == [("south_china_sea",)]
    assert "arctic_ocean" in facts.coast["norway"] and "norway" in facts.coast["arctic_ocean"]


@pytest.mark.rule("blitz:errata.iceland-snow")
def test_snow_lies_in_iceland_and_not_on_the_north_sea(facts: Facts) -> None:
    assert facts.countries["iceland"].snow
    assert not facts.seas["north_sea"].snow


@pytest.mark.rule(
    "blitz:errata.seasia-canton", "blitz:errata.austria-cz-mountain", "blitz:errata.seasia-mountain"
)
def test_terrain_and_borders_of_the_errata(facts: Facts) -> None:
    assert "canton" in facts.land_next["south_east_asia"]
    assert "south_east_asia" in facts.land_next["canton"]
    for area in ("austria_czechoslovakia", "south_east_asia"):
        assert facts.lands[area].terrain == "mountain"


@pytest.mark.rule("blitz:errata.polish-army")
def test_the_polish_army_has_2_factors_at_size_1(facts: Facts) -> None:
    assert facts.profiles["afa_polish_army", 1].land == 2
    assert facts.profiles["afa_polish_army", 2].land == 3


@pytest.mark.rule("blitz:errata.fortress-europa")
def test_fortress_europa_passes_over_iceland_and_french_west_africa(facts: Facts) -> None:
    areas = facts.awards["germany"]["fortress_europa"].areas
    assert not {"iceland", "french_west_africa"} & set(areas)


# What the text forces about the map and its charts.


def seas_within(facts: Facts, port: str, moves: int) -> set[str]:
    """The seas that a ship from a port can enter, passages that are open at the start included."""
    closed = {"baltic_sea", "black_sea"}
    found: set[str] = set()
    for each in facts.ports[port].values():
        for sea in each.seas:
            found |= set(
                reach(
                    sea,
                    lambda at: ((s, 1) for s in facts.sea_next[at] if s not in closed),
                    moves - 1,
                )
            )
    return found


@pytest.mark.rule("blitz:F.map-a", "blitz:C.map-a")
def test_scenario_f_names_only_seas_beyond_two_moves_of_london(facts: Facts) -> None:
    named = set(facts.scenarios["F"].in_play.seas)
    near = seas_within(facts, "london", 2)
    assert not named & near
    assert near | named == {area for area in facts.areas_in_play["F"] if area in facts.seas}
    assert near == {area for area in facts.areas_in_play["C"] if area in facts.seas}
    assert near == {
        "arctic_ocean",
        "cape_verde_basin",
        "mediterranean_sea",
        "north_atlantic",
        "north_sea",
        "usa_east_coast",
        "western_approaches",
    }


@pytest.mark.rule("blitz:E.map-a")
def test_scenario_e_adds_two_seas_to_those_within_four_moves_of_tokyo(facts: Facts) -> None:
    near = seas_within(facts, "tokyo", 4)
    assert "arabian_sea" in near
    assert not {"cape_naturaliste", "tasman_sea"} & near
    seas = {area for area in facts.areas_in_play["E"] if area in facts.seas}
    assert seas == near | {"cape_naturaliste", "tasman_sea"}


def income(scenario: str, power: str) -> tuple[int, int]:
    """Oil and Resources in the areas in play that a power controls at the start."""
    s = position(scenario)
    areas = [s.facts.lands[area] for area, holder in s.control.items() if holder == power]
    return sum(area.oil for area in areas), sum(area.resource for area in areas)


@pytest.mark.rule("blitz:B.7d")
def test_incomes_that_scenario_b_states(facts: Facts) -> None:
    assert sum(income("B", "germany")) == 6
    more = facts.scenarios["B"].own["extra_resources"]["western_allies"]
    assert sum(income("B", "western_allies")) + more == 7


def test_incomes_that_the_text_states(facts: Facts) -> None:
    usa = facts.countries["usa"].areas
    assert sum(facts.lands[area].oil for area in usa) == 4
    assert sum(facts.lands[area].resource for area in usa) == 8
    assert income("E", "western_allies")[1] == 7
    s = position("E")
    oil = {area for area, holder in s.control.items() if facts.lands[area].oil and holder}
    # Mexico's is the Western Allies' too, as an ally from the start of the scenario.
    assert oil | {"mexico"} >= {"borneo", "mexico", "western_canada", "west_coast"}
    f = position("F")
    american = {area for area, holder in f.control.items() if holder == "usa"}
    assert {
        area: facts.lands[area].resource for area in american if facts.lands[area].resource
    } == {
        "central_plains": 2,
        "atlantic_seaboard": 3,
    }
    assert {area: facts.lands[area].oil for area in american if facts.lands[area].oil} == {
        "central_plains": 3
    }
    assert facts.lands["venezuela"].oil == 1 and "venezuela" in facts.scenarios["F"].trades
    assert facts.lands["western_germany"].resource == 2


def test_afa_countries_with_resources_are_those_of_the_example_in_9_3(facts: Facts) -> None:
    holders = {
        land.country
        for land in facts.lands.values()
        if land.resource and facts.countries[land.country].owner == "afa"
    }
    assert holders - {"poland"} == {
        "australia",
        "canada",
        "france",
        "french_north_africa",
        "great_britain",
        "india",
        "south_africa",
    }


def test_the_options_of_a_victory_card_are_alphabetical(facts: Facts) -> None:
    for power, card in facts.awards.items():
        if power != "every_power":
            names = [award.name for award in sorted(card.values(), key=lambda a: a.option)]
            assert names == sorted(names)
            assert [award.option for award in card.values()] == list(range(1, len(card) + 1))


@pytest.mark.rule("blitz:data.combat-chart")
@pytest.mark.parametrize(
    ("factors", "die", "result"),
    [
        (3, 3, "S"),
        (6, 4, "1"),
        (3, 6, "1S"),
        (4, 2, "S"),
        (10, 4, "1L"),
        (13, 2, "1S"),
        (19, 4, "2L"),
    ],
)
def test_cells_of_the_combat_chart_that_examples_prove(
    facts: Facts, factors: int, die: int, result: str
) -> None:
    assert facts.chart[factors][die] == result


def test_the_combat_chart_never_falls(facts: Facts) -> None:
    def strength(result: str) -> tuple[int, int]:
        points = int(result[0]) if result[0].isdigit() else 0
        return points, " SLB".index(result[-1]) if result[-1] in "SLB" else 0

    rows = [[strength(cell) for cell in row[1:]] for row in facts.chart[1:]]
    assert len(rows) == 30
    for row in rows:
        assert row == sorted(row)
    for column in zip(*rows, strict=True):
        assert list(column) == sorted(column)


def test_the_board_has_all_its_areas(facts: Facts) -> None:
    assert (len(facts.lands), len(facts.seas), len(facts.kinds)) == (112, 36, 266)
    assert sum(len(kind.sizes) > 2 for kind in facts.kinds.values()) == 71
    assert len(facts.commanders) == 20
    for power in ("germany", "japan", "afa", "usa", "ussr"):
        four = [c for c in facts.commanders.values() if c.power == power]
        assert sorted(c.counter for c in four) == [1, 1, 2, 2]


def test_names_are_unambiguous_among_areas_and_among_units(facts: Facts) -> None:
    areas = [area.name for area in (*facts.lands.values(), *facts.seas.values())]
    assert len(set(areas)) == len(areas)
    for power in ("germany", "japan", "afa", "usa", "ussr", ""):
        names = [kind.name for kind in facts.kinds.values() if kind.power == power]
        assert len(set(names)) == len(names)


# The user's own files.


def test_a_users_file_takes_the_place_of_ours(tmp_path: Path) -> None:
    folder = changed(
        tmp_path, "charts.yaml", "  8: [S, L, '1', 1S, 1S, 1L]", "  8: [S, L, '1', 1S, 1S, 2B]"
    )
    assert (load_facts(folder).chart[8][6], load_facts().chart[8][6]) == ("2B", "1L")


def test_a_chart_may_have_more_columns(tmp_path: Path) -> None:
    last = "  30: [2L, 2B, 3S, 3L, 3B, 4B]\n"
    folder = changed(tmp_path, "charts.yaml", last, last + last.replace("30", "31"))
    assert len(load_facts(folder).chart) == 32


R = "road_to_war.yaml"
M, U, C, W, V, S = (
    "map.yaml",
    "units.yaml",
    "charts.yaml",
    "weapons.yaml",
    "victory.yaml",
    "scenarios.yaml",
)
SPAIN = (
    "ports: [{size: big,\n"
    "      seas: [western_approaches]}, {size: big, seas: [mediterranean_sea]}]"
)
HOMES = "homes: [germany, italy]"
RAF = "{unit: afa_royal_air_force, size: 2, at: london}\n    own"
GUARD = f"{{unit: afa_home_guard, size: 1, at: london}}\n        - {RAF}"
FLEET = "{unit: ger_bb_fleet, size: 1, at: norway, port: north_sea}"


@pytest.mark.parametrize(
    ("file", "old", "new", "field", "problem"),
    [
        # Shape.
        (
            M,
            "terrain: swamp, factory: 1",
            "terrain: marsh, factory: 1",
            "land_areas.leningrad.terrain",
            "not one of",
        ),
        (M, "colour: gray", "color: gray", "powers.germany.color", "unknown field"),
        (C, "last_turn: 15", "lastturn: 15", "numbers.lastturn", "unknown field"),
        (
            C,
            "  29: [2L, 2B, 3S, 3L, 3L, 3B]",
            "  29: [2L, 2B, 3S, 3L, 3L]",
            "combat_chart[29]",
            "length",
        ),
        # Provenance.
        (M, "  passages: rules\n", "", "provenance", "passages"),
        (C, "  numbers: rules\n", "", "provenance", "numbers"),
        # Powers and countries.
        (M, HOMES, "homes: [germany, itally]", "powers.germany.homes[1]", "perhaps italy?"),
        (M, HOMES, "homes: [germany, poland]", "powers.germany.homes[1]", "not a major country"),
        (M, HOMES, "homes: []", "powers.germany", "either home countries or members"),
        (
            M,
            "members: [afa, usa]",
            "members: [afa, us]",
            "powers.western_allies.members[1]",
            "unknown power",
        ),
        (
            M,
            "  poland: {name: Poland, code: Pol, owner: afa}",
            "  poland: {name: Poland, owner: af}",
            "countries.poland.owner",
            "perhaps afa?",
        ),
        (
            M,
            "follows: belgium_netherlands",
            "follows: belgium",
            "countries.netherlands_east_indies.follows",
            "unknown country",
        ),
        (
            M,
            "areas: [ukraine]",
            "areas: [ukrain]",
            "countries.ukraine.areas[0]",
            "perhaps ukraine?",
        ),
        (
            M,
            "  malta: {name: Malta, owner: afa}\n",
            "  malta: {name: Malta, owner: afa}\n  elba: {name: Elba}\n",
            "countries.elba",
            "no land area",
        ),
        # Areas.
        (
            M,
            "adjacent: [north_sea], snow: true",
            "adjacent: [], snow: true",
            "sea_areas.north_sea.adjacent[1]",
            "baltic_sea does not name north_sea",
        ),
        (
            M,
            "country: iceland, at",
            "country: island, at",
            "land_areas.iceland.country",
            "unknown country",
        ),
        (
            M,
            "adjacent: [scotland], covers",
            "adjacent: [scotland, paris], covers",
            "land_areas.london.adjacent[1]",
            "paris does not name london",
        ),
        (
            M,
            "adjacent: [scotland], covers",
            "adjacent: [scotland, london], covers",
            "land_areas.london.adjacent[1]",
            "own neighbour",
        ),
        (
            M,
            "resource: 1, owner: japan",
            "resource: 1, owner: jap",
            "land_areas.peking.owner",
            "perhaps japan?",
        ),
        (
            M,
            SPAIN,
            "ports: [{size: big,\n      seas: [baltic_sea]}]",
            "land_areas.spain.ports[0].seas",
            "spain does not touch baltic_sea",
        ),
        (
            M,
            SPAIN,
            SPAIN.replace("mediterranean_sea", "western_approaches"),
            "land_areas.spain.ports[1]",
            "stands twice",
        ),
        # Routes, passages, convoys, trade.
        (
            M,
            "areas: [paris, spain], provenance",
            "areas: [paris, spane], provenance",
            "land_routes[0].areas[1]",
            "perhaps spain?",
        ),
        (
            M,
            "  - {areas: [london, belgium_netherlands]}",
            "  - {areas: [paris, london]}",
            "air_routes[2].areas",
            "joined twice",
        ),
        (
            M,
            "  - {areas: [darwin, perth]}",
            "  - {areas: [paris, vichy_france]}",
            "land_routes[7].areas",
            "share a border",
        ),
        (
            M,
            "  suez: {seas: [mediterranean_sea, arabian_sea]",
            "  suez: {seas: [mediterranean_sea, red_sea]",
            "passages.suez.seas[1]",
            "unknown sea area",
        ),
        (
            M,
            "  suez: {seas: [mediterranean_sea, arabian_sea], areas: [egypt]",
            "  suez: {seas: [mediterranean_sea, arabian_sea], areas: [sinai]",
            "passages.suez.areas[0]",
            "unknown land area",
        ),
        (
            M,
            "  baltic_sea: {name: Ger-Swe",
            "  baltic: {name: Ger-Swe",
            "convoys.baltic",
            "perhaps baltic_sea?",
        ),
        (
            M,
            "destroyed: lost, area: canberra",
            "destroyed: lost, area: sydney",
            "convoys.tasman_sea.area",
            "unknown land area",
        ),
        (
            M,
            "  venezuela: {country: venezuela, to: usa, gives: oil}",
            "  venezuela: {to: usa, gives: oil}",
            "trade.venezuela",
            "either a country or a power",
        ),
        (
            M,
            "  venezuela: {country: venezuela, to: usa, gives: oil}",
            "  venezuela: {country: venezuela, to: us, gives: oil}",
            "trade.venezuela.to",
            "unknown power",
        ),
        # Charts.
        (C, "  12: ['1', '1', 1S, 1L, '2', 2S]\n", "", "combat_chart[12]", "missing"),
        (
            C,
            "  1: ['-', '-', '-', '-', S, '1']",
            "  0: ['-', '-', '-', '-', S, '1']",
            "combat_chart[0]",
            "the rules know nothing of it",
        ),
        (
            C,
            "  2: ['-', '-', '-', S, S, '1']",
            "  2: ['-', '-', '-', S, Q, '1']",
            "combat_chart[2][4]",
            '"Q" is no result',
        ),
        (
            C,
            "  TRS: {name: Transport Fleet, domain: naval}",
            "  TRS: {name: Transport Fleet, domain: land}",
            "types.TRS.domain",
            "the rules need naval",
        ),
        (
            C,
            "exempt: [ussr, finland]",
            "exempt: [ussr, suomi]",
            "snow.exempt[1]",
            "unknown country",
        ),
        (C, "  convoy: [1, 1]\n", "", "blockade.convoy", "missing"),
        (
            C,
            "  2: {country: balkans}",
            "  2: {country: balkan}",
            "partisans[2].country",
            "perhaps balkans?",
        ),
        (C, "  2: {country: balkans}", "  2: {}", "partisans[2]", "either a country or a side"),
        (
            C,
            "  ussr_declares_on_japan: {usa: -1}\n",
            "",
            "neutral_entry.ussr_declares_on_japan",
            "missing",
        ),
        (C, "  7: {from: 1943-06, to: 1943-11}\n", "", "turns[7]", "missing"),
        (C, "naval: 1, total: 2}", "naval: 1}", "numbers.blitz_oil.total", "missing"),
        # Units.
        (
            U,
            "V-1, power: germany, home: germany, type: VWEAPON",
            "V-1, power: germany, home: germany, type: ROCKET",
            "units.ger_v_1.type",
            "unknown type of unit",
        ),
        (
            U,
            "18th Army, power: germany, home: germany",
            "18th Army, power: germany, home: prussia",
            "units.ger_18th_army.home",
            "unknown country",
        ),
        (
            U,
            "18th Army, power: germany",
            "18th Army, power: western_allies",
            "units.ger_18th_army.power",
            "one of its members",
        ),
        (
            U,
            "1st Para, power: germany, home: germany, type: PARA, move: 2, air_move: 2",
            "1st Para, power: germany, home: germany, type: INF, move: 2, air_move: 2",
            "units.ger_1st_para.air_move",
            "for a PARA",
        ),
        (
            U,
            "Luftwaffe, power: germany, home: germany, type: AIR, move: 1, bombing: land",
            "Luftwaffe, power: germany, home: germany, type: AIR, move: 1",
            "units.ger_luftwaffe.bombing",
            "air unit",
        ),
        (
            U,
            "manstein: {name: Manstein, power: germany",
            "manstein: {name: Manstein, power: prussia",
            "commanders.manstein.power",
            "unknown power",
        ),
        # Weapons Development Charts.
        (
            W,
            "{unit: ger_18th_army, size: 1, at",
            "{unit: ger_18th_army, size: 3, at",
            "powers.germany.setup[3].size",
            "Sizes 1 to 2",
        ),
        (
            W,
            "{unit: ger_18th_army, size: 1, at: western_germany}",
            "{unit: ger_18th_army, size: 1, at: bavaria}",
            "powers.germany.setup[3].at",
            "unknown land area",
        ),
        (
            W,
            "{unit: ger_18th_army, size: 1, at: western_germany}",
            "{unit: ger_18th_army, size: 1, at: western_germany, port: north_sea}",
            "powers.germany.setup[3].port",
            "only for naval units",
        ),
        (
            W,
            "{unit: ger_high_seas_fleet, size: 1, at: western_germany, port: north_sea}",
            "{unit: ger_high_seas_fleet, size: 1, at: western_germany}",
            "powers.germany.setup[9].port",
            "unknown port",
        ),
        (
            W,
            "pool: [ger_wehrkreis_iii,",
            "pool: [ger_luftwaffe,",
            "powers.germany.pool[0]",
            "stands twice",
        ),
        (
            W,
            "pool: [ger_wehrkreis_iii,",
            "pool: [afa_bef,",
            "powers.germany.pool[0]",
            "unknown counter",
        ),
        (
            W,
            "pool: [ger_wehrkreis_iii,",
            "pool: [ger_wehrkreis_iii.big,",
            "powers.germany.pool[0]",
            "unknown counter",
        ),
        (
            W,
            "country: mexico, size: 1, at: mexico",
            "country: mexiko, size: 1, at: mexico",
            "minors[21].country",
            "perhaps mexico?",
        ),
        (W, "{unit: min_irish_army,", "{unit: min_swedish_army,", "minors[6].unit", "stands twice"),
        # Victory.
        (V, "    lebensraum: {name", "    raum: {name", "cards.germany.raum", "know nothing"),
        (
            V,
            "areas: [burma],",
            "areas: [birma],",
            "cards.japan.victory_in_the_cbi.areas[0]",
            "perhaps burma?",
        ),
        (
            V,
            "sea: mediterranean_sea,",
            "sea: mediterranean,",
            "cards.afa.mediterranean_influence.sea",
            "unknown sea area",
        ),
        (
            V,
            "all_of: china",
            "all_of: chine",
            "cards.usa.bring_democracy_to_asia.all_of",
            "perhaps china?",
        ),
        # Scenarios.
        (S, "    turns: [1, 2]", "    turns: [1, 20]", "scenarios.A.turns", "from 1 to 15"),
        (
            S,
            "declarable: [belgium_netherlands]",
            "declarable: [belgium]",
            "scenarios.A.declarable[0]",
            "unknown country",
        ),
        (
            S,
            "minor_wars: [[china, japan]]",
            "minor_wars: [[japan, china]]",
            "scenarios.campaign.minor_wars[0][1]",
            "unknown power",
        ),
        (
            S,
            "conquered: {poland: germany, ",
            "conquered: {polen: germany, ",
            "scenarios.D.conquered.polen",
            "unknown country",
        ),
        (
            S,
            "port: tokyo, moves: 4",
            "port: chungking, moves: 4",
            "scenarios.E.in_play.within.port",
            "chungking has no port",
        ),
        (
            S,
            "trades: [sweden, ussr_oil, venezuela]",
            "trades: [sweden, oil]",
            "scenarios.F.trades[1]",
            "unknown trade agreement",
        ),
        (
            M,
            "  venezuela: {country: venezuela, to: usa, gives: oil}",
            "  peru: {country: venezuela, to: usa, gives: oil}",
            "trade.peru",
            "know nothing",
        ),
        (M, "  japan: {name: Japan, adj", "  nippon: {name: Japan, adj", "powers.nippon", ""),
        (
            M,
            "seas: [japanese_coast], adjacent: [], covers: [JPN]",
            "seas: [], adjacent: [], covers: [JPN]",
            "land_areas.iwo_jima",
            "cut off",
        ),
        (C, "  LL: {name: Lend Lease, domain: naval}\n", "", "types.LL", "missing"),
        (
            M,
            "seas: [japanese_coast], adjacent: [], covers: [JPN]",
            "seas: [nippon_coast], adjacent: [], covers: [JPN]",
            "land_areas.iwo_jima.seas[0]",
            "unknown sea area",
        ),
        (
            M,
            "name: Ger-Swe, power: germany",
            "name: Ger-Swe, power: reich",
            "convoys.baltic_sea.power",
            "unknown power",
        ),
        (
            C,
            "  jungle: {move: 2, halves: attackers, armour: 4}\n",
            "",
            "terrain.jungle",
            "missing",
        ),
        (C, "  6: {country: france}", "  7: {country: france}", "partisans[7]", "know nothing"),
        (C, "entry_box: 15", "entry_box: 16", "numbers.entry_box", "ends at 15"),
        (W, "  ussr:\n    adds", "  russia:\n    adds", "powers.russia", "know nothing"),
        (
            W,
            "country: ireland, size: 1, at: ireland",
            "country: ireland, size: 3, at: ireland",
            "minors[6].size",
            "Sizes 1 to 1",
        ),
        (V, "  join_atomic_club: {", "  join_club: {", "every_power.join_club", "know nothing"),
        (
            V,
            "places: [3, 3, 2, 1]",
            "places: [3, 3, 2, 1], sea: aral",
            "every_power.join_atomic_club.sea",
            "unknown sea area",
        ),
        (V, "  ussr:\n    annihil", "  russia:\n    annihil", "cards.russia", "know nothing"),
        (S, "  campaign:\n", "  whole:\n", "scenarios.whole", "know nothing"),
        (
            S,
            "powers: [germany, afa]\n    seats: {2: [[germany], [afa]]}",
            "powers: [germany, affa]\n    seats: {2: [[germany], [afa]]}",
            "scenarios.A.powers[1]",
            "perhaps afa?",
        ),
        (
            S,
            "powers: [germany, afa]\n    seats: {2: [[germany], [afa]]}",
            "powers: [germany, afa]\n    seats: {2: [[germany], [germany]]}",
            "scenarios.A.seats[2]",
            "2 players",
        ),
        (
            S,
            "seas: [arabian_sea, arctic_ocean,",
            "seas: [red_sea, arctic_ocean,",
            "scenarios.D.in_play.seas[0]",
            "unknown sea area",
        ),
        (
            S,
            "neutral: [usa, ussr]\n    trades: [sweden, ussr_oil",
            "neutral: [usa, russia]\n    trades: [sweden, ussr_oil",
            "scenarios.F.neutral[1]",
            "unknown power",
        ),
        (
            S,
            "- {unit: ger_18th_army, size: 2, at: western_germany}",
            "- {unit: ger_19th_army, size: 2, at: western_germany}",
            "scenarios.A.setup.germany[4].unit",
            "perhaps ger_18th_army?",
        ),
        (
            S,
            "lands: [harbin, chungking",
            "lands: [harbn, chungking",
            "scenarios.E.in_play.lands[0]",
            "perhaps harbin?",
        ),
        (
            S,
            "germany, great_britain, poland]}",
            "germany, great_britain, pollen]}",
            "scenarios.A.in_play.countries[4]",
            "perhaps poland?",
        ),
        (
            S,
            "port: tokyo, moves: 4",
            "port: tokio, moves: 4",
            "scenarios.E.in_play.within.port",
            "perhaps tokyo?",
        ),
        (
            S,
            "wars: [[germany, afa]]\n    declarable",
            "wars: [[germany, usa]]\n    declarable",
            "scenarios.A.wars[0][1]",
            "unknown power",
        ),
        (
            S,
            "minor_wars: [[china, japan]]",
            "minor_wars: [[chine, japan]]",
            "scenarios.campaign.minor_wars[0][0]",
            "perhaps china?",
        ),
        (
            S,
            "declarable: [belgium_netherlands]",
            "control: {reich: [paris]}",
            "scenarios.A.control.reich",
            "unknown power",
        ),
        (
            S,
            "declarable: [belgium_netherlands]",
            "control: {germany: [pariss]}",
            "scenarios.A.control.germany[0]",
            "perhaps paris?",
        ),
        (
            S,
            "saved: {japan: {oil: 2},",
            "saved: {nippon: {oil: 2},",
            "scenarios.E.saved.nippon",
            "unknown power",
        ),
        (
            M,
            "destroyed: conquered, country: canada",
            "destroyed: conquered, country: kanada",
            "convoys.north_atlantic.country",
            "perhaps canada?",
        ),
        (
            M,
            "  sweden: {country: sweden, to",
            "  sweden: {country: svealand, to",
            "trade.sweden.country",
            "unknown country",
        ),
        (
            M,
            "  usa_oil: {power: usa,",
            "  usa_oil: {power: texas,",
            "trade.usa_oil.power",
            "unknown power",
        ),
        (
            M,
            "  caucasus_mountains: {name",
            "  black_sea: {name: Sea, country: ussr, at: [0, 0], adjacent: []}\n"
            "  caucasus_mountains: {name",
            "land_areas.black_sea",
            "sea area as well",
        ),
        (
            M,
            "{name: Poland, code: Pol, owner: afa}",
            "{name: Poland, code: Pol, owner: afa, areas: [paris]}",
            "countries.poland.areas",
            "cannot list others",
        ),
        (
            M,
            "  suez: {seas: [mediterranean_sea, arabian_sea]",
            "  suez: {seas: [mediterranean_sea, black_sea]",
            "passages.bosporus.seas",
            "another passage",
        ),
        (R, "  5:\n    power: japan", "  15:\n    power: japan", "steps", "numbered from 1"),
        (R, "  5:\n    power: japan", "  5:\n    power: nippon", "steps[5].power", "unknown"),
        (
            R,
            "trade: iberia_to_afa",
            "trade: iberia_to_us",
            "steps[2].options.aid_the_republic.trade",
            "unknown trade agreement",
        ),
        (
            R,
            "allies: poland",
            "allies: polen",
            "steps[2].options.guarantee_poland.allies",
            "unknown country",
        ),
        (
            R,
            "entry: {usa: 1}",
            "entry: {texas: 1}",
            "steps[10].options.oil_to_japan.entry.texas",
            "unknown power",
        ),
        (
            R,
            "develops: [jap_2nd_strike_fleet]",
            "develops: [jap_9th_strike_fleet]",
            "steps[5].options.strike_south_planning.develops[0]",
            "unknown unit",
        ),
        (
            R,
            "{unit: afa_home_fleet, size: 3, at: scotland, port: north_sea}",
            "{unit: afa_home_fleet, size: 5, at: scotland, port: north_sea}",
            "steps[6].options.naval_estimates.sets_up[0].size",
            "<= 4",
        ),
        (
            R,
            "{unit: usa_corregidor, size: 1, at: manila}",
            "{unit: usa_corregidor, size: 1, at: bataan}",
            "steps[3].options.fortify_the_philippines.sets_up[0].at",
            "unknown land area",
        ),
        (
            M,
            SPAIN,
            SPAIN.replace("[western_approaches]", "[western_approaches, western_approaches]"),
            "land_areas.spain.ports[0].seas[1]",
            "stands twice",
        ),
        (
            U,
            "  ger_stukas: {name",
            "  ger_stukas.big: {name",
            "units.ger_stukas.big",
            "only the name of a Big counter",
        ),
        (
            U,
            "18th Army, power: germany",
            "18th Army, power: reich",
            "units.ger_18th_army.power",
            "unknown power",
        ),
        (
            U,
            "18th Army, power: germany, home: germany, type: INF, move: 3",
            "18th Army, power: germany, home: germany, type: LL, move: 3",
            "units.ger_18th_army",
            "Lend Lease",
        ),
        (
            U,
            "sea: arctic_ocean",
            "sea: arctic",
            "units.afa_arctic_ocean_ll.sea",
            "perhaps arctic_ocean?",
        ),
        (
            U,
            "recipient: china",
            "recipient: chine",
            "units.usa_bay_of_bengal_ll.recipient",
            "unknown recipient",
        ),
        (
            U,
            "type: INF, move: 3,\n      sizes: [{land: 2}, {land: 3}], provenance: rules}",
            "type: INF, move: 3,\n      sizes: [{land: 2}, {land: 3}, {land: 4}]}",
            "units.ger_18th_army.sizes",
            "Sizes 3 and 4",
        ),
        (
            W,
            "  - {unit: min_irish_army, country: ireland, size: 1, at: ireland}\n",
            "",
            "minors",
            "min_irish_army is nowhere",
        ),
        (
            W,
            "pool: [ger_wehrkreis_iii, ",
            "pool: [",
            "powers.germany",
            "ger_wehrkreis_iii is nowhere",
        ),
        (
            S,
            "      ussr: {less: [sov_polish",
            "      finland: {less: [sov_polish",
            "scenarios.D.charts.finland",
            "unknown power",
        ),
        (
            S,
            "      ussr: {less: [sov_polish",
            "      western_allies: {less: [sov_polish",
            "scenarios.D.charts.western_allies",
            "unknown chart",
        ),
        (
            S,
            "conquered: {poland: germany, ",
            "conquered: {poland: reich, ",
            "scenarios.D.conquered.poland",
            "unknown power",
        ),
        (
            U,
            "{type: BB, air_w: 1, naval: 2, naval_w: 1}, {air: 2,",
            "{type: XX, air_w: 1, naval: 2, naval_w: 1}, {air: 2,",
            "units.usa_pacific_fleet.sizes[0].type",
            "unknown type of unit",
        ),
        (
            U,
            "{type: BB, air_w: 1, naval: 2, naval_w: 1}, {air: 2,",
            "{type: INF, air_w: 1, naval: 2, naval_w: 1}, {air: 2,",
            "units.usa_pacific_fleet.sizes[0].type",
            "another naval unit",
        ),
        (
            W,
            "{unit: ger_luftwaffe, size: 2, at: berlin}",
            "{unit: ger_luftwaffe, size: 3, at: berlin}",
            "powers.germany.pool[8]",
            "ger_luftwaffe.big stands twice",
        ),
        (
            S,
            "      western_allies: [afa_8th_army.big",
            "      allies: [afa_8th_army.big",
            "scenarios.B.pool.allies",
            "unknown power",
        ),
        (
            S,
            "      western_allies: [afa_8th_army.big, afa_2nd_army.big,",
            "      western_allies: [afa_8th_army.big, afa_8th_army.big,",
            "scenarios.B.pool.western_allies[1]",
            "stands twice",
        ),
        (
            S,
            "      ussr: {less: [sov_polish",
            "      ussr: {less: [polish",
            "scenarios.D.charts.ussr.less[0]",
            "unknown counter",
        ),
        (
            R,
            "      aid_china: {name",
            "      baltic_bases_: {name: X, effect: Y}\n      stockpile: {name",
            "steps[8].options.stockpile",
            "another option already",
        ),
        (
            S,
            "      winning_areas: [paris, poland]\n",
            "",
            "scenarios.A.own.winning_areas",
            "missing",
        ),
        (
            R,
            "{unit: afa_indian_army, add: 1}",
            "{unit: afa_indian_navy, add: 1}",
            "steps[12].options.imperial_conference.sets_up[1].unit",
            "unknown unit",
        ),
        (R, "  stockpile: {", "  hoard: {", "standard.hoard", "know nothing"),
        (R, "  balkans: resource", "  balkan: resource", "partners.balkan", "perhaps balkans?"),
        (
            S,
            "winning_areas: [paris, poland]",
            "winning_areas: [paris, polen]",
            "scenarios.A.own.winning_areas[1]",
            "perhaps poland?",
        ),
        (
            S,
            "{unit: ger_army_group_a, size: 2, at: western_germany},",
            "{unit: ger_army_group_a, size: 5, at: western_germany},",
            "scenarios.A.own.reinforcements[1][0]",
            "<= 4",
        ),
        (
            S,
            "{unit: afa_division_cuirassee, size: 1, at: paris}",
            "{unit: afa_division_cuirassee, size: 4, at: paris}",
            "scenarios.A.own.reinforcements[1][4].size",
            "Sizes 1 to 2",
        ),
        (
            U,
            "  usa_corregidor: {name: Corregidor",
            "  usa_bataan: {name: Corregidor",
            "units.usa_corregidor",
            "missing",
        ),
        (
            S,
            FLEET,
            FLEET.replace("norway", "berlin"),
            "scenarios.C.setup.germany[1].port",
            "unknown port of berlin",
        ),
        (S, RAF, RAF.replace("london", "moscow"), "scenarios.A.setup.afa[7].at", "not in play"),
        (
            S,
            GUARD,
            GUARD.replace("home_guard", "bef"),
            "scenarios.A.setup.afa[6].unit",
            "stands twice",
        ),
    ],
)
def test_broken_data_is_reported_with_file_line_and_field(
    tmp_path: Path, file: str, old: str, new: str, field: str, problem: str
) -> None:
    check_complaint(DATA, load_facts, tmp_path, (file, old, new), field, problem)


@pytest.mark.parametrize("file", sorted(path.name for path in DATA.glob("*.yaml")))
def test_every_table_says_where_it_comes_from(tmp_path: Path, file: str) -> None:
    text = (DATA / file).read_text(encoding="utf-8")
    start = text.index("\nprovenance:\n") + len("\nprovenance:\n")
    table = text[start:].split(":", 1)[0].strip()
    end = text.index("\n", start) + 1
    (tmp_path / file).write_text(text[:start] + text[end:], encoding="utf-8")
    error = complaint(load_facts, tmp_path)
    assert (error.file, error.field) == (file, "provenance")
    assert f"where {table} comes from" in error.problem


def test_a_renamed_area_that_the_rules_name_is_missed(tmp_path: Path) -> None:
    text = (DATA / M).read_text(encoding="utf-8")
    (tmp_path / M).write_text(text.replace("port_arthur", "dairen"), encoding="utf-8")
    assert complaint(load_facts, tmp_path).field == "land_areas.port_arthur"


def test_a_combat_chart_has_columns(tmp_path: Path) -> None:
    text = (DATA / C).read_text(encoding="utf-8")
    start, end = text.index("combat_chart:\n  1:"), text.index("\n\n# `domain`")
    (tmp_path / C).write_text(text[:start] + "combat_chart: {}" + text[end:], encoding="utf-8")
    error = complaint(load_facts, tmp_path)
    assert (error.field, error.problem) == ("combat_chart", "has no column")


def test_what_the_rules_ask_for_by_name_cannot_be_left_out(facts: Facts) -> None:
    """Every id in the code of the rules is one that a data file has to have."""
    tables = {"land_areas": facts.lands, "sea_areas": facts.seas, "units": facts.kinds}
    tables["countries"] = facts.countries
    known = {id for table in checks._NAMED.values() for id in table}
    for path in sorted((DATA.parent / "rules").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                id = node.value
                named = any(id in table for table in tables.values())
                assert not named or id in known, f"{path.name}:{node.lineno}: {id}"


def test_errors_name_the_line(tmp_path: Path) -> None:
    folder = changed(tmp_path, M, HOMES, "homes: [germany, itally]")
    error = complaint(load_facts, folder)
    line = first_change(DATA, folder, M)
    assert str(error) == (
        f'map.yaml, line {line}, powers.germany.homes[1]: unknown country "itally" (perhaps italy?)'
    )
