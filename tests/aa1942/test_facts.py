"""The data of Axis & Allies 1942: what it says, and how broken data is reported."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sandtable.games.aa1942.facts import DATA, Facts, load_facts
from sandtable.kernel.data import DataError, load
from sandtable.kernel.rules import load_index
from tests import datafiles
from tests.datafiles import check_complaint, first_change


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load_facts()


def pairs(borders: dict[str, tuple[str, ...]]) -> set[frozenset[str]]:
    return {frozenset((here, there)) for here, others in borders.items() for there in others}


# The board.


@pytest.mark.rule("aa1942:game.sides")
def test_powers_stand_in_turn_order_on_two_sides(facts: Facts) -> None:
    assert facts.powers == ("soviet_union", "germany", "united_kingdom", "japan", "united_states")
    axis = frozenset({"germany", "japan"})
    allies = frozenset({"soviet_union", "united_kingdom", "united_states"})
    for power in facts.powers:
        ours, theirs = (axis, allies) if power in axis else (allies, axis)
        assert facts.side[power] == ("axis" if power in axis else "allies")
        assert (facts.allies[power], facts.enemies[power]) == (ours, theirs)


@pytest.mark.rule("aa1942:capital.list")
def test_capitals(facts: Facts) -> None:
    assert {facts.capital_city[power]: facts.capital[power] for power in facts.powers} == {
        "Moscow": "russia",
        "Berlin": "germany",
        "London": "united_kingdom",
        "Tokyo": "japan",
        "Washington": "eastern_united_states",
    }
    assert all(facts.spaces[facts.capital[power]].owner == power for power in facts.powers)


@pytest.mark.rule("aa1942:map.spaces")
def test_the_board_has_all_its_spaces(facts: Facts) -> None:
    land = [space for space in facts.spaces.values() if not space.sea]
    assert (len(land), len(facts.territories), len(facts.sea_zones)) == (96, 80, 65)
    assert facts.sea_zones == tuple(f"sz{number}" for number in range(1, 66))
    assert [space.id for space in land if not space.neutral] == list(facts.territories)
    assert sum(space.neutral for space in land) == 16
    assert all((space.owner is None) == space.neutral for space in land)
    assert all(id == space.id for id, space in facts.spaces.items())


@pytest.mark.rule("aa1942:setup.income")
def test_incomes(facts: Facts) -> None:
    income: Counter[str | None] = Counter()
    for space in facts.spaces.values():
        income[space.owner] += space.ipc
    assert income == {
        "soviet_union": 24,
        "germany": 41,
        "united_kingdom": 31,
        "japan": 30,
        "united_states": 42,
        None: 0,
    }
    assert income.total() == 168
    assert facts.spaces["gibraltar"].ipc == 0
    assert max(space.ipc for space in facts.spaces.values()) == 12


def test_the_board_as_drawn_has_145_land_115_coast_and_143_sea_borders() -> None:
    """Neutral territories included, which the rules never see."""
    board = load(DATA / "map.yaml", dict[str, Any])
    territories, zones = board["territories"], board["sea_zones"]
    assert len(pairs({id: space.get("land", []) for id, space in territories.items()})) == 145
    assert len(pairs({id: space.get("sea", []) for id, space in territories.items()})) == 115
    assert len(pairs({id: zone["sea"] for id, zone in zones.items()})) == 143


def test_borders_go_both_ways_and_never_into_neutral_land(facts: Facts) -> None:
    playable = {*facts.territories, *facts.sea_zones}
    for borders in (facts.neighbours, facts.land_next, facts.sea_next, facts.coast):
        for here, others in borders.items():
            assert here in playable
            assert len(set(others)) == len(others)
            assert here not in others
            for there in others:
                assert here in borders[there]
    assert set(facts.neighbours) == set(facts.coast) == playable
    assert set(facts.land_next) == set(facts.territories)
    assert set(facts.sea_next) == set(facts.sea_zones)
    parts = [pairs(facts.land_next), pairs(facts.sea_next), pairs(facts.coast)]
    assert set.union(*parts) == pairs(facts.neighbours)
    assert [len(part) for part in parts] == [98, 143, 95]


@pytest.mark.rule("aa1942:map.wrap.horizontal", "aa1942:map.wrap.listed-pairs")
def test_the_edges_are_joined(facts: Facts) -> None:
    assert set(facts.wrap) == {
        ("western_canada", "eastern_canada"),
        ("western_united_states", "central_united_states"),
        ("mexico", "east_mexico"),
        ("sz55", "sz19"),
        ("sz42", "sz20"),
        ("sz41", "sz21"),
    }
    assert all(right in facts.neighbours[left] for left, right in facts.wrap)


@pytest.mark.rule("aa1942:canal.land-movement")
def test_canals(facts: Facts) -> None:
    assert facts.canals == {
        ("sz18", "sz19"): ("central_america",),
        ("sz19", "sz18"): ("central_america",),
        ("sz17", "sz34"): ("egypt", "trans_jordan"),
        ("sz34", "sz17"): ("egypt", "trans_jordan"),
    }
    assert all(there in facts.sea_next[here] for here, there in facts.canals)
    assert facts.air_distance["sz17"]["sz34"] == 1
    assert "trans_jordan" in facts.land_next["egypt"]
    assert facts.straits == {"sz16"}


@pytest.mark.rule("aa1942:island.territory")
def test_islands_lie_in_the_sea(facts: Facts) -> None:
    islands = [id for id in facts.territories if facts.spaces[id].island]
    assert len(islands) == 19
    assert all(facts.coast[id] and not facts.land_next[id] for id in islands)
    mainland = set(facts.territories) - set(islands)
    assert {id for id in mainland if not facts.land_next[id]} == {"brazil", "gibraltar"}
    for zone in facts.sea_zones:
        assert len(set(facts.coast[zone]) & set(islands)) <= 1


@pytest.mark.parametrize(
    ("here", "there", "distance"),
    [
        ("germany", "germany", 0),
        ("germany", "united_kingdom", 3),  # by way of Northwestern Europe
        ("hawaiian_islands", "sz53", 1),
        ("hawaiian_islands", "eastern_australia", 4),
        ("gibraltar", "france", 2),  # not across Spain
        ("caucasus", "trans_jordan", 2),  # by way of Persia, not across Turkey
        ("manchuria", "evenki_national_okrug", 3),  # not across Mongolia
        ("sz55", "sz19", 1),
        ("western_canada", "eastern_united_states", 2),
        ("japan", "sz60", 1),
    ],
)
def test_air_distances(facts: Facts, here: str, there: str, distance: int) -> None:
    assert facts.air_distance[here][there] == distance
    assert facts.air_distance[there][here] == distance


def test_air_distances_know_every_pair(facts: Facts) -> None:
    assert len(facts.neighbours) == 145
    for here in facts.neighbours:
        distances = facts.air_distance[here]
        assert len(distances) == 145
        assert {there for there, far in distances.items() if far == 1} == set(
            facts.neighbours[here]
        )


@pytest.mark.rule("aa1942:setup.victory-cities")
def test_victory_cities(facts: Facts) -> None:
    allied = ["Washington", "London", "Leningrad", "Moscow", "Calcutta", "San Francisco"]
    axis = ["Berlin", "Paris", "Rome", "Shanghai", "Manila", "Tokyo"]
    assert sorted(facts.cities) == sorted(allied + axis)
    for city, territory in facts.cities.items():
        owner = facts.spaces[territory].owner
        assert owner is not None
        assert facts.side[owner] == ("axis" if city in axis else "allies")
    assert facts.cities_faq == facts.cities | {"Honolulu": "hawaiian_islands"}


def test_victory_thresholds(facts: Facts) -> None:
    assert facts.thresholds == {
        "printed": {"standard": {"axis": 9, "allies": 9}, "total": {"axis": 12, "allies": 12}},
        "faq": {"standard": {"axis": 9, "allies": 10}, "total": {"axis": 13, "allies": 13}},
    }


# The units.


def stats(facts: Facts, id: str) -> tuple[int, int, int, int, int, int]:
    unit = facts.units[id]
    return unit.cost, unit.attack, unit.defense, unit.move, unit.hits, unit.bombard


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        pytest.param(
            "infantry", (3, 1, 2, 1, 1, 0), marks=pytest.mark.rule("aa1942:unit.infantry.stats")
        ),
        pytest.param(
            "artillery", (4, 2, 2, 1, 1, 0), marks=pytest.mark.rule("aa1942:unit.artillery.stats")
        ),
        pytest.param("tank", (6, 3, 3, 2, 1, 0), marks=pytest.mark.rule("aa1942:unit.tank.stats")),
        pytest.param(
            "antiaircraft_artillery",
            (5, 0, 0, 1, 1, 0),
            marks=pytest.mark.rule("aa1942:unit.aaa.stats"),
        ),
        pytest.param(
            "industrial_complex",
            (15, 0, 0, 0, 0, 0),
            marks=pytest.mark.rule("aa1942:unit.ic.stats"),
        ),
        pytest.param(
            "fighter", (10, 3, 4, 4, 1, 0), marks=pytest.mark.rule("aa1942:unit.fighter.stats")
        ),
        pytest.param(
            "bomber", (12, 4, 1, 6, 1, 0), marks=pytest.mark.rule("aa1942:unit.bomber.stats")
        ),
        pytest.param(
            "battleship",
            (20, 4, 4, 2, 2, 4),
            marks=pytest.mark.rule("aa1942:unit.battleship.stats"),
        ),
        pytest.param(
            "aircraft_carrier",
            (14, 1, 2, 2, 1, 0),
            marks=pytest.mark.rule("aa1942:unit.carrier.stats"),
        ),
        pytest.param(
            "cruiser", (12, 3, 3, 2, 1, 3), marks=pytest.mark.rule("aa1942:unit.cruiser.stats")
        ),
        pytest.param(
            "destroyer", (8, 2, 2, 2, 1, 0), marks=pytest.mark.rule("aa1942:unit.destroyer.stats")
        ),
        pytest.param(
            "submarine", (6, 2, 1, 2, 1, 0), marks=pytest.mark.rule("aa1942:unit.sub.stats")
        ),
        pytest.param(
            "transport", (7, 0, 0, 2, 1, 0), marks=pytest.mark.rule("aa1942:unit.transport.stats")
        ),
    ],
)
def test_unit_profiles(facts: Facts, unit: str, expected: tuple[int, ...]) -> None:
    assert stats(facts, unit) == expected


@pytest.mark.rule("aa1942:def.surface-warship")
def test_classes_of_units(facts: Facts) -> None:
    def having(flag: str) -> set[str]:
        return {id for id, unit in facts.units.items() if getattr(unit, flag)}

    surface = {"battleship", "aircraft_carrier", "cruiser", "destroyer"}
    assert len(facts.units) == 13
    assert having("surface") == surface
    assert having("warship") == surface | {"submarine"}
    assert having("captures") == {"infantry", "artillery", "tank"}
    assert having("blitzes") == {"tank"}
    assert Counter(unit.domain for unit in facts.units.values()) == {
        "land": 4,
        "air": 2,
        "sea": 6,
        "facility": 1,
    }


def test_numbers_of_the_rules(facts: Facts) -> None:
    numbers = facts.numbers
    assert (numbers.die, numbers.supported_attack, numbers.infantry_per_artillery) == (6, 2, 1)
    assert (numbers.aaa_dice_per_gun, numbers.aaa_hits_on) == (3, 1)
    assert (numbers.raid_defense_hits_on, numbers.raid_dice_per_bomber) == (1, 1)
    assert (numbers.damage_cap_factor, numbers.repair_cost, numbers.complex_min_ipc) == (2, 1, 1)
    assert (numbers.air_battle_attack, numbers.air_battle_defense) == (1, 2)
    assert (numbers.fighters_per_carrier, numbers.stranded_move) == (2, 1)
    assert (numbers.transport_any, numbers.transport_infantry) == (1, 1)


# The set-ups.

TYPES = (
    "infantry",
    "artillery",
    "tank",
    "antiaircraft_artillery",
    "fighter",
    "bomber",
    "battleship",
    "aircraft_carrier",
    "cruiser",
    "destroyer",
    "submarine",
    "transport",
    "industrial_complex",
)
BOXED = {
    "soviet_union": (21, 3, 4, 2, 2, 0, 0, 0, 0, 0, 1, 0, 3),
    "germany": (29, 4, 12, 3, 6, 1, 1, 0, 1, 0, 4, 2, 2),
    "united_kingdom": (15, 2, 3, 2, 4, 1, 1, 1, 3, 2, 1, 4, 2),
    "japan": (25, 4, 1, 1, 6, 1, 2, 2, 1, 2, 1, 2, 1),
    "united_states": (14, 1, 1, 2, 5, 1, 1, 1, 1, 3, 1, 3, 2),
}


def totals(facts: Facts, setup: str) -> dict[str, tuple[int, ...]]:
    count: Counter[tuple[str, str]] = Counter()
    for forces in facts.setups[setup].values():
        for power, units in forces.items():
            for unit, number in units.items():
                count[power, unit] += number
    return {power: tuple(count[power, unit] for unit in TYPES) for power in facts.powers}


def test_the_boxed_set_up_has_all_its_units(facts: Facts) -> None:
    assert totals(facts, "boxed") == BOXED
    assert sum(map(sum, BOXED.values())) == 227
    assert facts.setups["boxed"]["sz37"] == {
        "japan": {"fighter": 2, "battleship": 1, "aircraft_carrier": 1}
    }
    assert "gibraltar" not in facts.setups["boxed"]


def test_complexes_of_the_boxed_set_up(facts: Facts) -> None:
    complexes = {
        space: power
        for space, forces in facts.setups["boxed"].items()
        for power, units in forces.items()
        if units.get("industrial_complex")
    }
    assert complexes == {
        "caucasus": "soviet_union",
        "karelia_ssr": "soviet_union",
        "russia": "soviet_union",
        "germany": "germany",
        "italy": "germany",
        "india": "united_kingdom",
        "united_kingdom": "united_kingdom",
        "japan": "japan",
        "eastern_united_states": "united_states",
        "western_united_states": "united_states",
    }


def test_the_tournament_set_up_differs_in_seven_places(facts: Facts) -> None:
    boxed, tournament = facts.setups["boxed"], facts.setups["tournament"]
    changed = {id for id in facts.spaces if boxed.get(id) != tournament.get(id)}
    assert changed == {"germany", "ukraine_ssr", "sz5", "india", "sz7", "sz13", "sz14"}
    assert "bomber" not in tournament["germany"]["germany"]
    assert tournament["ukraine_ssr"]["germany"]["bomber"] == 1
    assert tournament["sz5"]["germany"]["submarine"] == 1
    assert tournament["india"]["united_kingdom"]["infantry"] == 5
    assert tournament["sz7"]["united_kingdom"]["destroyer"] == 1
    assert tournament["sz13"] == {"united_kingdom": {"cruiser": 1}}
    assert "sz14" not in tournament


def test_treasuries(facts: Facts) -> None:
    rest = {"soviet_union": 24, "japan": 30, "united_states": 42}
    assert facts.treasury == {
        "corrected": {"germany": 41, "united_kingdom": 31, **rest},
        "printed": {"germany": 40, "united_kingdom": 30, **rest},
    }


# The user's own files.


changed = partial(datafiles.changed, DATA)


def test_facts_are_read_once() -> None:
    assert load_facts() is load_facts()


def test_an_override_changes_the_facts(tmp_path: Path) -> None:
    mine = load_facts(changed(tmp_path, "units.yaml", "cost: 6, attack: 3", "cost: 5, attack: 3"))
    assert (mine.units["tank"].cost, load_facts().units["tank"].cost) == (5, 6)
    assert mine.spaces == load_facts().spaces


def test_an_override_has_to_be_one_of_our_files(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such folder"):
        load_facts(tmp_path / "nowhere")
    (tmp_path / "rules.yaml").write_text("")
    with pytest.raises(DataError, match=r"which has map\.yaml, setup\.yaml, units\.yaml"):
        load_facts(tmp_path)


M, U, S = "map.yaml", "units.yaml", "setup.yaml"


@pytest.mark.parametrize(
    ("file", "old", "new", "field", "problem"),
    [
        # Shape.
        (M, "ipc: 12", "ipc: twelve", "territories.eastern_united_states.ipc", 'got "twelve"'),
        (M, "ipc: 12", "ipc: -1", "territories.eastern_united_states.ipc", "expected int >= 0"),
        (M, "ipc: 12", "ipc: 100", "territories.eastern_united_states.ipc", "expected int <= 99"),
        (M, "ipc: 12", "icp: 12", "territories.eastern_united_states.icp", "unknown field"),
        (M, "[64.5, -152.0]", "[95, -152.0]", "territories.alaska.at[0]", "expected float <= 90"),
        (
            M,
            "side: axis, colour: gray",
            "side: middle, colour: gray",
            "powers.germany.side",
            "not one of",
        ),
        (M, "\nsea_zones:", "\nturn_order: []\nsea_zones:", "turn_order", "stands twice"),
        (U, "cost: 20", "cost: 0", "units.battleship.cost", "expected int >= 1"),
        (S, "sz4: {submarine: 1}", "sz4: {submarine: 0}", "boxed.soviet_union.sz4.submarine", ""),
        (
            S,
            "united_states: 42}\n  printed",
            "united_states: 0.5}\n  printed",
            "treasury.corrected.united_states",
            "got 0.5",
        ),
        # Provenance.
        (M, "  straits: rules\n", "  straits: hearsay\n", "provenance.straits", '"hearsay"'),
        # Powers.
        (M, "[soviet_union, germany,", "[soviet_union, italy,", "turn_order[1]", "unknown power"),
        (M, "[soviet_union, germany,", "[soviet_union,", "turn_order", "exactly once"),
        (M, "capital: russia", "capital: rusia", "powers.soviet_union.capital", "perhaps russia?"),
        (M, "capital: russia", "capital: poland", "powers.soviet_union.capital", "not belong"),
        # Spaces and borders.
        (
            M,
            "12, owner: united_states",
            "12",
            "territories.eastern_united_states.owner",
            "missing (or",
        ),
        (
            M,
            "12, owner: united_states",
            "12, owner: us",
            "territories.eastern_united_states.owner",
            "unknown power",
        ),
        (M, "Eire, neutral: true", "Eire, neutral: true, ipc: 1", "territories.eire", "neither"),
        (M, "land: [western_canada]", "land: [canada]", "territories.alaska.land[0]", '"canada"'),
        (
            M,
            "land: [western_canada]",
            "land: [western_canada, alaska]",
            "territories.alaska.land[1]",
            "its own neighbour",
        ),
        (
            M,
            "land: [western_canada]",
            "land: [western_canada, western_canada]",
            "territories.alaska.land[1]",
            "stands twice",
        ),
        (M, "sea: [sz64, sz65]", "sea: [sz64, sz66]", "territories.alaska.sea[1]", '"sz66"'),
        (M, "sea: [sz64, sz65]", "sea: [sz64, sz64]", "territories.alaska.sea[1]", "twice"),
        (M, "island: true, sea: [sz47]", "island: true", "territories.borneo", "cut off"),
        # Canals, straits and edges.
        (M, "[sz18, sz19], c", "[sz18, sz20], c", "canals.panama.zones", "not neighbours"),
        (M, "[sz18, sz19], c", "[sz18, sz99], c", "canals.panama.zones[1]", 'sea zone "sz99"'),
        (M, "[egypt, trans_jordan]}", "[egypt, turkey]}", "canals.suez.controllers[1]", "neutral"),
        (M, "straits: [sz16]", "straits: [turkey]", "straits[0]", 'unknown sea zone "turkey"'),
        (M, "- [sz55, sz19]", "- [sz55, sz18]", "wrap[3]", "sz55 and sz18 are not neighbours"),
        # Victory.
        (M, "Paris: france", "Paris: frence", "victory_cities.Paris", "perhaps france?"),
        (M, "Paris: france", "Paris: eire", "victory_cities.Paris", "eire is neutral"),
        (M, "  Honolulu:", "  Tokyo:", "victory_cities_faq.Tokyo", "a printed city as well"),
        (M, "axis: 12,", "axis: 13,", "victory.printed.total.axis", "only 12 cities"),
        # Units.
        (U, "{name: Tank, domain: land", "{name: Tank, domain: air", "units.tank.domain", "land"),
        (U, "cost: 20, attack: 4", "cost: 20, attack: 7", "units.battleship.attack", "6 sides"),
        (
            U,
            "cost: 7, attack: 0, defense: 0, move: 2",
            "cost: 7, attack: 0, defense: 0, move: 0",
            "units.transport.move",
            "expected 0 for a facility",
        ),
        (U, "move: 6, hits: 1}", "move: 6, hits: 1, surface: true}", "units.bomber.surface", "sea"),
        (U, "aaa_hits_on: 1", "aaa_hits_on: 7", "numbers.aaa_hits_on", "6 sides"),
        # Set-ups.
        (S, "  soviet_union:\n", "  ussr:\n", "boxed.ussr", 'unknown power "ussr"'),
        (S, "sz4: {s", "sz400: {s", "boxed.soviet_union.sz400", 'unknown space "sz400"'),
        (S, "sz9: {submarine", "sz9: {submarin", "boxed.germany.sz9.submarin", "submarine?"),
        (S, "sz9: {submarine", "poland2: {submarine", "boxed.germany.poland2", "perhaps poland?"),
        (S, "sz9: {submarine", "sz9: {tank", "boxed.germany.sz9.tank", "cannot be at sea"),
        (S, "sz9: {submarine", "sz9: {bomber", "boxed.germany.sz9.bomber", "cannot be at sea"),
        (S, "finland: {infantry", "finland: {cruiser", "boxed.germany.finland.cruiser", "on land"),
        (S, "finland: {inf", "sweden: {inf", "boxed.germany.sweden.infantry", "neutral"),
        (S, "finland: {inf", "russia: {inf", "boxed.germany.russia.infantry", "an enemy"),
        (S, "sz37: {fighter: 2", "sz37: {fighter: 3", "boxed.japan.sz37.fighter", "room for 2"),
        (
            S,
            "egypt: {infantry: 1",
            "russia: {industrial_complex: 1",
            "boxed.united_kingdom.russia.industrial_complex",
            "belongs to soviet_union, not to united_kingdom",
        ),
        (
            S,
            "fighter: 1, industrial_complex: 1}\n    kazakh",
            "fighter: 1, industrial_complex: 2}\n    kazakh",
            "boxed.soviet_union.karelia_ssr.industrial_complex",
            "more than one",
        ),
        (
            S,
            "iwo_jima: {infantry: 1}",
            "iwo_jima: {industrial_complex: 1}",
            "boxed.japan.iwo_jima.industrial_complex",
            "no income",
        ),
        (S, "{submarine: -1}", "{submarine: -3}", "tournament.germany.sz5.submarine", "takes away"),
        (S, "sz13: {c", "sz9: {c", "tournament.united_kingdom.sz9", "an enemy of"),
        (
            S,
            "  corrected: {soviet_union: 24, ",
            "  corrected: {",
            "treasury.corrected.soviet_union",
            "missing",
        ),
        (S, "  corrected: {soviet_union", "  corrected: {ussr", "treasury.corrected.ussr", "power"),
    ],
)
def test_broken_data_is_reported_with_file_line_and_field(
    tmp_path: Path, file: str, old: str, new: str, field: str, problem: str
) -> None:
    change = (file, old, new)
    error = check_complaint(DATA, load_facts, tmp_path, change, field, problem)
    assert error.line == first_change(DATA, tmp_path, file)


@pytest.mark.parametrize(
    ("file", "old", "new", "field", "problem", "on"),
    [
        (
            M,
            "  straits: rules\n",
            "",
            "provenance",
            "does not say where straits comes from",
            "provenance:",
        ),
        (
            M,
            "land: [western_canada], sea: [sz64, sz65]",
            "sea: [sz64, sz65]",
            "territories.western_canada.land[0]",
            "alaska does not name western_canada in return",
            "land: [alaska, eastern_canada, western_united_states]",
        ),
        (
            M,
            "sea: [sz2, sz10]",
            "sea: [sz2]",
            "sea_zones.sz10.sea[0]",
            "sz1 does not name sz10 in return",
            "sea: [sz1, sz2, sz9, sz11, sz12]",
        ),
        (
            M,
            "  sz1: {",
            "  one: {",
            "territories.eastern_canada.sea[0]",
            'unknown sea zone "sz1"',
            "sea: [sz1, sz10]",
        ),
        (U, "  tank: {", "  panzer: {", "units.tank", "missing", "units:"),
        (
            S,
            "sz9: {submarine: 2}",
            "sz7: {submarine: 2}",
            "boxed.united_kingdom.sz7",
            "sz7 holds units of germany too, an enemy of united_kingdom",
            "    sz7: {battleship: 1, transport: 1}",
        ),
    ],
)
def test_data_broken_by_a_change_elsewhere_is_reported_where_it_stands(
    tmp_path: Path, file: str, old: str, new: str, field: str, problem: str, on: str
) -> None:
    change = (file, old, new)
    error = check_complaint(DATA, load_facts, tmp_path, change, field, problem)
    assert error.line is not None
    line = (tmp_path / file).read_text(encoding="utf-8").splitlines()[error.line - 1]
    assert on in line


def test_errors_read_as_one_sentence(tmp_path: Path) -> None:
    folder = changed(tmp_path, M, "land: [western_canada]", "land: [wester_canada]")
    line = next(
        number
        for number, text in enumerate((folder / M).read_text().splitlines(), start=1)
        if "wester_canada" in text
    )
    with pytest.raises(DataError) as caught:
        load_facts(folder)
    assert str(caught.value) == (
        f"map.yaml, line {line}, territories.alaska.land[0]: "
        'unknown neighbour "wester_canada" (perhaps western_canada?)'
    )


# The rule index.


def test_the_rule_index_is_complete() -> None:
    rules = load_index(DATA.parent / "rules.yaml")
    assert len(rules) == 300
    assert {rule.kind for rule in rules.values()} == {
        "setup",
        "definition",
        "movement",
        "combat",
        "economy",
        "politics",
        "sequence",
        "victory",
        "option",
    }
    assert all(rules[id].optional for id in rules if id.startswith("option."))


def test_decisions_stand_in_the_rule_index() -> None:
    rules = load_index(DATA.parent / "rules.yaml")
    for id in ("canal.suez", "canal.suez.split", "canal.land-movement"):
        assert "Egypt" in rules[id].rule and "Sudan" not in rules[id].rule
    assert "Mexico/East Mexico" in rules["map.wrap.listed-pairs"].rule
    assert "41 for Germany, 31 for the United Kingdom" in rules["setup.income"].rule
    decided = ["canal.suez", "map.wrap.listed-pairs", "setup.income", "setup.treasury"]
    assert all(rules[id].ruling for id in decided)
