"""The data of Global War (1975): what it says, and how broken data is reported."""

from __future__ import annotations

from collections import Counter, deque
from pathlib import Path

import pytest

from sandtable.games.gw75.facts import DATA, MAJORS, Facts, load_facts, number, place
from tests.datafiles import check_complaint


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_facts()


# The map.


@pytest.mark.rule("gw75:3.1a")
def test_every_hex_of_the_globe_has_one_coding(facts: Facts) -> None:
    assert len(facts.hexes) == 66 * 39
    kinds = Counter(hex.kind for hex in facts.hexes.values())
    assert kinds == {"sea": 1455, "land": 550, "coast": 519, "island": 50}
    for hex in facts.hexes.values():
        assert bool(hex.country) == bool(hex.area) == hex.dry
        assert hex.wet == (hex.kind != "land")


@pytest.mark.rule("gw75:3.1e")
def test_hexes_are_numbered_by_section_row_and_column(facts: Facts) -> None:
    assert place("W3901") == (0, 0)
    assert place("W0133") == (32, 38)
    assert place("E0101") == (33, 38)
    assert place("E3933") == (65, 0)
    assert all(number(*place(id)) == id == hex.id for id, hex in facts.hexes.items())
    assert facts.hexes["W2821"].row == 28
    # Ceylon is in the hex that the seam of the two sections bisects.
    assert facts.hexes["W1833"].country == "ceylon"
    assert {"W1832", "E1801", "W1933", "E1901", "W1733", "E1701"} == {*facts.near["W1833"]}


@pytest.mark.rule("gw75:3.1c", "gw75:3.1d")
def test_the_map_goes_round_the_globe_and_ends_at_the_poles(facts: Facts) -> None:
    assert "E2033" in facts.near["W2001"]
    assert facts.distance("E2033", "W2001") == 1
    assert facts.distance("E2030", "W2003") == 6
    assert {len(facts.near[id]) for id in facts.hexes if id[1:3] in ("39", "01")} <= {4}
    assert {len(near) for id, near in facts.near.items() if id[1:3] not in ("39", "01")} == {6}
    for hex, others in facts.near.items():
        assert all(hex in facts.near[other] for other in others)


@pytest.mark.rule("gw75:3.1b")
def test_hexsides_tell_who_may_cross(facts: Facts) -> None:
    assert facts.land["W2921"]["W3021"] is True  # the Alps
    assert facts.land["W3120"]["W3121"] is False
    for one, other in facts.contra_land:
        assert other not in facts.land[one]
        assert one not in facts.land[other]
    for tables in (facts.land, facts.sea):
        for hex, others in tables.items():
            assert all(hex in tables[other] for other in others)
    canals = {side for canal in facts.canals.values() for side in canal.sides}
    for one, other in facts.contra_naval - canals:
        assert other not in facts.sea[one]
    assert "W2525" in facts.sea["W2424"]  # Suez
    assert all(not others for hex, others in facts.sea.items() if facts.hexes[hex].kind == "land")
    assert all(not others for hex, others in facts.land.items() if not facts.hexes[hex].dry)


def test_islands_have_no_neighbours_by_land(facts: Facts) -> None:
    for id, hex in facts.hexes.items():
        if hex.kind == "island":
            assert not facts.land[id], id


@pytest.mark.rule("gw75:5.14a")
def test_the_weather_area_is_north_of_row_28(facts: Facts) -> None:
    assert not any(hex.weather for hex in facts.hexes.values() if hex.row <= 28)
    assert all(hex.weather for hex in facts.hexes.values() if hex.row >= 29)


@pytest.mark.rule("gw75:5.31", "gw75:5.14b")
def test_movement_allowances(facts: Facts) -> None:
    assert facts.numbers.seasons == {"winter": 3, "spring": 2, "summer": 5, "fall": 4}
    assert facts.numbers.fair_allowance == 5


@pytest.mark.rule("gw75:19.41")
def test_the_commonwealth(facts: Facts) -> None:
    for country in (
        *("united_kingdom", "australia", "canada", "new_zealand", "india", "south_africa"),
        *("burma", "british_africa", "hong_kong", "egypt", "nigeria", "british_somaliland"),
        *("aden", "gibraltar", "caribbean", "pacific_islands", "ceylon", "malaya"),
    ):
        assert facts.countries[country].nation == "commonwealth"
        assert facts.country_hexes[country]


def test_the_hexes_that_the_rules_name(facts: Facts) -> None:
    """19.71, 19.81, 19.82, 19.92, 19.31, 18.74, 20.17, 19.37."""
    assert [facts.hexes[id].country for id in facts.places["eastern_poland"]] == ["poland"] * 2
    assert {facts.hexes[id].water for id in ("W3220", "W3221")} == {"baltic"}
    assert facts.waters["adriatic"] == {"W2821"}
    (leningrad,) = facts.places["leningrad"]
    assert facts.hexes[leningrad].country == "ussr"
    assert any(facts.hexes[near].country == "finland" for near in facts.near[leningrad])
    for name, country in (
        ("manila", "philippines"),
        ("batavia", "dutch_east_indies"),
        ("new_caledonia", "new_caledonia"),
        ("gibraltar", "gibraltar"),
        ("suez", "egypt"),
    ):
        (hex,) = facts.places[name]
        assert facts.hexes[hex].country == country
    assert facts.hexes["E2007"].nation == "usa"


@pytest.mark.rule("gw75:18.0a", "gw75:18.72c", "gw75:18.76d")
def test_industry_is_where_the_rules_have_it(facts: Facts) -> None:
    home = Counter(hex.country for hex in facts.hexes.values() if hex.industry)
    assert (home["germany"], home["rumania"], home["italy"]) == (3, 1, 1)
    assert (home["japan"], home["manchukuo"]) == (3, 1)
    assert (home["canada"], home["india"], home["united_kingdom"]) == (1, 1, 2)
    assert home["ussr"] >= facts.numbers.militia
    assert {hex.industry for hex in facts.hexes.values()} - {""} == {*MAJORS}
    assert {hex.industry for hex in facts.hexes.values() if hex.country == "rumania"} == {
        "",
        "germany",
    }


def test_every_port_can_be_reached_by_sea(facts: Facts) -> None:
    reached = {"W3118"}
    todo = deque(reached)
    while todo:
        for near in facts.sea[todo.popleft()]:
            if near not in reached:
                reached.add(near)
                todo.append(near)
    assert not [hex.id for hex in facts.hexes.values() if hex.port and hex.id not in reached]


# Units, turns, tables.


@pytest.mark.rule("gw75:18.22b")
def test_a_mechanized_point_costs_three_points_and_six_turns(facts: Facts) -> None:
    assert facts.types["mech"].new == (3, 6)


@pytest.mark.rule("gw75:18.10b")
def test_maintenance_is_per_two_points(facts: Facts) -> None:
    upkeep = {id: type.upkeep for id, type in facts.types.items() if type.upkeep}
    assert upkeep == {"mech": 2, "lrb": 2, "ss": 1, "asw": 1, "surf_a": 6, "surf_b": 4}


def test_the_calendar(facts: Facts) -> None:
    """19.21, 19.33, 12.21, 23.0; one turn is a quarter (3.5)."""
    numbers = facts.numbers
    for turn, quarter in (
        (1, (1939, "fall")),
        (numbers.italy_from, (1940, "spring")),
        (numbers.italy_until, (1942, "winter")),
        (numbers.usa_enters, (1942, "winter")),
        (12, (1942, "summer")),
        (numbers.snort_from, (1944, "winter")),
        (23, (1945, "spring")),
    ):
        assert (facts.turns[turn].year, facts.turns[turn].season) == quarter
    assert facts.turns[1].multiples["germany"] == 5
    assert facts.turns[5].multiples["commonwealth"] == 4


def test_what_the_book_says_of_its_tables(facts: Facts) -> None:
    """8.51, 8.72."""
    assert facts.tables.land[6][3] == 4
    assert min(facts.tables.land) == min(facts.tables.naval) == 0


# Set-ups.


@pytest.mark.rule("gw75:18.10c")
def test_germany_begins_with_the_units_of_the_example(facts: Facts) -> None:
    total: Counter[str] = Counter()
    for stack in facts.scenarios["standard"].units["germany"].values():
        total.update(stack)
    assert (total["mech"], total["lrb"], total["ss"], total["surf_b"]) == (12, 1, 3, 2)


@pytest.mark.rule("gw75:19.31", "gw75:19.73", "gw75:19.61a")
@pytest.mark.parametrize("scenario", ["standard", "watermark"])
def test_garrisons_of_the_set_up(facts: Facts, scenario: str) -> None:
    units = facts.scenarios[scenario].units
    border = {
        hex
        for hex in facts.country_hexes["ussr"]
        if any(facts.hexes[near].country == "manchukuo" for near in facts.near[hex])
    }
    assert points(units["ussr"], border) >= facts.numbers.border_garrison
    manchukuo = {*facts.country_hexes["manchukuo"]}
    assert points(units["japan"], manchukuo) >= facts.numbers.manchukuo_garrison
    if scenario == "standard":
        assert points(units["usa"], {"E2007"}) >= facts.numbers.manila_garrison


def points(units: dict[str, dict[str, int]], hexes: set[str]) -> int:
    return sum(
        count
        for hex, stack in units.items()
        for type, count in stack.items()
        if hex in hexes and type in ("inf", "mech", "sd")
    )


@pytest.mark.rule("gw75:18.63a")
@pytest.mark.parametrize("scenario", ["standard", "watermark"])
@pytest.mark.parametrize(
    ("nation", "one", "other"),
    [
        ("usa", "usa", "india"),
        ("usa", "usa", "united_kingdom"),
        ("germany", "germany", "sweden"),
        ("commonwealth", "canada", "united_kingdom"),
        ("commonwealth", "india", "united_kingdom"),
        ("japan", "japan", "korea"),
    ],
)
def test_the_pipelines_that_industry_needs_are_there_at_the_start(
    facts: Facts, scenario: str, nation: str, one: str, other: str
) -> None:
    """18.71 to 18.77, with the nation's own Merchant Ships."""
    units = facts.scenarios[scenario].units[nation]
    ships = [hex for hex, stack in units.items() if "ms" in stack]
    far = {hex: sea_distances(facts, hex) for hex in ships}
    ports = [
        {hex for hex in facts.country_hexes[country] if facts.hexes[hex].port}
        for country in (one, other)
    ]
    end = facts.numbers.pipeline_end
    linked = {hex for hex in ships if any(far[hex].get(port, 99) <= end for port in ports[0])}
    todo = deque(linked)
    while todo:
        here = todo.popleft()
        for hex in ships:
            if hex not in linked and far[here].get(hex, 99) <= facts.numbers.pipeline_step:
                linked.add(hex)
                todo.append(hex)
    assert any(far[hex].get(port, 99) <= end for hex in linked for port in ports[1])


def sea_distances(facts: Facts, hex: str) -> dict[str, int]:
    found = {hex: 0}
    todo = deque([hex])
    while todo:
        here = todo.popleft()
        for near in facts.sea[here]:
            if near not in found:
                found[near] = found[here] + 1
                todo.append(near)
    return found


# Broken data.

M, N, U, T, C, S, Z = (
    *("map.yaml", "nations.yaml", "units.yaml", "turns.yaml"),
    *("tables.yaml", "scenarios.yaml", "numbers.yaml"),
)
FIRST = "  W3901: {kind: coast, country: canada"
FRANCE = "  france: {name: France, side: allies, kind: major, colour: blue}"
ALLIES_OF_FRANCE = "      - {nation: france, due: 2, units: {inf: 2}}"
VENICE = "        W2822: {inf: 2}\n        W2721: {inf: 1, surf_b: 2, ss: 4}"

BROKEN = [
    (M, "  ports: reconstructed\n", "", "provenance", "does not say where ports comes from"),
    (M, "columns: 66", "columns: 60", "grid", "hexes are numbered for 66 x 39"),
    (M, "weather_above: 28", "weather_above: 39", "grid.weather_above", "no such row"),
    (M, FIRST, "  W4001: {kind: coast, country: canada", "hexes.W4001", 'unknown hex "W4001"'),
    (
        *(M, FIRST, "  W3901: {kind: coast, country: kanada"),
        *("hexes.W3901.country", 'unknown country "kanada" (perhaps canada?)'),
    ),
    (
        *(M, "  aden: {name: Aden, nation: commonwealth}", "  aden: {name: Aden, nation: aden}"),
        *("countries.aden.nation", 'unknown nation "aden"'),
    ),
    (
        *(M, "  aden: {", "  atlantis: {name: Atlantis, nation: usa}\n  aden: {"),
        *("countries.atlantis", "no hex belongs to it"),
    ),
    (
        *(M, "  Pyrenees: [[W2818, W2919]]", "  Pyrenees: [[W2818, W2920]]"),
        *("mountains.Pyrenees[0]", "W2818 and W2920 are not neighbours"),
    ),
    (
        *(M, "  Pyrenees: [[W2818, W2919]]", "  Pyrenees: [[W2819, W2719]]"),
        *("mountains.Pyrenees[0]", "W2819 and W2719 are not both hexes with land"),
    ),
    (
        *(M, "contra_land: [[W0204, W0105]", "contra_land: [[W2818, W2919], [W0204, W0105]"),
        *("contra_land[0]", "stands in mountains, too"),
    ),
    (
        *(M, "contra_duplex: []", "contra_duplex: [[W2818, W2919]]"),
        *("contra_duplex[0]", "stands in mountains, too"),
    ),
    (
        *(M, "contra_naval: [[W0205, W0305]", "contra_naval: [[W3019, W3020], [W0205, W0305]"),
        *("contra_naval[0]", "W3019 and W3020 are not both hexes with sea"),
    ),
    (
        *(M, "  W3120: germany", "  W2410: germany"),
        *("industry.W2410", "it needs land, and has none"),
    ),
    (
        *(M, "  W3120: germany", "  W3120: poland"),
        *("industry.W3120", 'unknown Major Power "poland"'),
    ),
    (
        *(M, "  E2505: china\n", "  W3019: china\n"),
        *("centers.W3019", "it is an industrial hex"),
    ),
    (M, "  W3118: London", "  W3225: London", "ports.W3225", "it needs sea, and has none"),
    (M, "  W3118: London", "  W2410: London", "ports.W2410", "it needs land, and has none"),
    (
        *(M, "  W2808: North Atlantic west", "  W3225: North Atlantic west"),
        *("holding_areas.W3225", "it needs sea, and has none"),
    ),
    (M, "adriatic: [W2821]", "adriatic: [W3019]", "waters.adriatic[0]", "it needs sea"),
    (M, "  adriatic: [W2821]\n", "", "waters.adriatic", "missing"),
    (
        *(M, "control: W2525, sides: [[W2424, W2525]]", "control: W2525, sides: [[W2424, W2526]]"),
        *("canals.suez.sides[0]", "W2424 and W2526 are not neighbours"),
    ),
    (
        *(M, "[W1803, W1804]]}", "[W1803, W1702]]}"),
        *("canals.panama.between[1][1]", 'unknown neighbour of it "W1702"'),
    ),
    (
        *(N, FRANCE, FRANCE.replace("allies", "axis")),
        *("nations.france.side", "the rules have it on the side allies"),
    ),
    (
        *(N, FRANCE, FRANCE.replace("major", "minor")),
        *("nations.france.kind", "the Major Powers are seven"),
    ),
    (N, FRANCE, FRANCE.replace("blue", "blau"), "nations.france.colour", 'unknown colour "blau"'),
    (U, "  fort: {new: [3, 4]}\n", "", "costs.fort", "missing"),
    (U, "  asw: [1, 1]", "  ss: [1, 1]", "undepletion.ss", "the rules know nothing of it"),
    (
        *(U, "sd: {name: Self-Defense, domain: land", "sd: {name: Self-Defense, domain: air"),
        *("types.sd.domain", "the rules have it as land"),
    ),
    (T, "  13:\n", "  33:\n", "turns[33]", "Game-Turn 13 should stand here"),
    (T, "{year: 1946, season: winter", "{year: 1946, season: spring", "turns[26]", "the winter of"),
    (C, "  0: [0, 0, 0, 1, 1, 2]\n", "", "land", "the first column has to be 0"),
    (C, "  12: [4, 5, 6, 7, 8, 9]", "  9: [4, 5, 6, 7, 8, 9]", "land[9]", "stands twice"),
    (C, "  12: [4, 5, 6, 7, 8, 9]", "  11: [4, 5]", "land[11]", "expected"),
    (
        *(C, '  15: ["2", "3", "4", "4", "5", "6"]', '  15: ["2", "3", "4", "4", "5", "DD"]'),
        *("naval[15][5]", "expected"),
    ),
    (
        *(C, '  15: ["2", "3",', '  7: ["2", "3",'),
        *("naval[7]", "the columns have to ascend"),
    ),
    (Z, "spring: 2, ", "", "numbers.seasons.spring", "missing"),
    (Z, "[20, 3]]", "[21, 3]]", "numbers.submarine_die", "to the range of submarines"),
    (Z, "  leningrad: [W3324]", "  leningrad: [W3399]", "places.leningrad[0]", "unknown hex"),
    (Z, "  leningrad: [W3324]", "  leningrad: [W2410]", "places.leningrad[0]", "needs land"),
    (Z, "  manila: [E2007]", "  manila: [E2007, E2008]", "places.manila", "the rules name 1"),
    (Z, "  mountain_cost: rec", "  montain_cost: rec", "provenance.montain_cost", "mountain_cost?"),
    (S, "    first: 12", "    first: 24", "scenarios.watermark.last", "ends before it begins"),
    (S, "    first: 12", "    first: 34", "scenarios.watermark.first", "no such Game-Turn"),
    (
        *(S, "- [japan, [china]]", "- [japan, [chin]]"),
        *("scenarios.standard.wars[1][1]", 'unknown nation "chin" (perhaps china?)'),
    ),
    (
        *(S, ALLIES_OF_FRANCE, ALLIES_OF_FRANCE.replace("inf", "sd")),
        *("scenarios.standard.track[0]", 'unknown unit that is built "sd"'),
    ),
    (
        *(S, "{nation: germany, due: 13", "{nation: germany, due: 11"),
        *("scenarios.watermark.track[0]", "it was due before the scenario begins"),
    ),
    (S, "{japan: [E2707,", "{japan: [E2710,", "scenarios.standard.held.japan[0]", "nobody holds"),
    (
        *(S, "W3020: {inf: 3, fort: 2}", "W3020: {inf: 3, fort: 2, abomb: 1}"),
        *("scenarios.standard.units.germany.W3020.abomb", "it is no unit of a set-up"),
    ),
    (
        *(S, "W3020: {inf: 3, fort: 2}", "W3020: {inf: 3, ad: 2}"),
        *("scenarios.standard.units.germany.W3020.ad", "in industrial hexes only"),
    ),
    (
        *(S, "W3020: {inf: 3, fort: 2}", "W3020: {inf: 3, ss: 2}"),
        *("scenarios.standard.units.germany.W3020.ss", "ships need sea"),
    ),
    (
        *(S, "W3020: {inf: 3, fort: 2}", "W2410: {inf: 3, fort: 2}"),
        *("scenarios.standard.units.germany.W2410.inf", "it needs land"),
    ),
    (
        *(S, "W3020: {inf: 3, fort: 2}", "W3019: {inf: 3, fort: 2}"),
        *("scenarios.standard.units.germany.W3019.inf", "the hex is held by France"),
    ),
    (
        *(S, "        W2728: {sd: 1}\n", "        W2626: {sd: 1}\n"),
        *("scenarios.standard.units.persia.W2626.sd", "the hex is held by Commonwealth"),
    ),
    (
        *(S, "29: axis marginal, 20:", "59: axis marginal, 20:"),
        *("victory.levels.standard", "the levels have to descend to 0"),
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "field", "problem"), BROKEN)
def test_broken_data_is_reported_with_file_line_and_field(
    tmp_path: Path, file: str, old: str, new: str, field: str, problem: str
) -> None:
    check_complaint(DATA, load_facts, tmp_path, (file, old, new), field, problem)
