"""The National Reference Sheets as data."""

import pytest

from sandtable.games.gw36.dates import half_year
from sandtable.games.gw36.facts import DATA, load_facts
from tests.datafiles import check_complaint


@pytest.fixture(scope="module")
def sheets():
    return load_facts().sheets


@pytest.mark.rule("gw36:7.1a", "gw36:2.4a")
def test_each_player_nation_has_its_build_table(sheets):
    assert set(sheets) == set(load_facts().powers)
    assert "tiger" in sheets["germany"].units
    assert "battleship" in sheets["usa"].units
    assert "battleship" not in sheets["anzac"].units
    assert sheets["ccp"].facilities == ()
    assert sheets["kmt"].evolved == "usa"
    for nation, sheet in sheets.items():
        for unit in sheet.units:
            builders = load_facts().units[unit].builders
            assert not builders or nation in builders, (nation, unit)


@pytest.mark.rule("gw36:7.2a")
def test_dates_are_half_years_and_a_nations_own_come_first(sheets):
    assert sheets["germany"].available["medium_armor"] == half_year("1938-07")
    assert sheets["usa"].available["medium_armor"] == half_year("1940-01")
    assert sheets["germany"].available["strategic_bomber"] == half_year("1939-07")
    assert "infantry" not in sheets["usa"].available
    assert "medium_armor" not in sheets["kmt"].available


@pytest.mark.rule("gw36:nrs-usa-h", "gw36:13.3.1e", "gw36:13.3.2e")
def test_strategic_naval_moves(sheets):
    moves = {nation: sheet.naval_moves for nation, sheet in sheets.items()}
    assert moves == {
        **dict.fromkeys(("great_britain", "usa", "japan"), 4),
        **dict.fromkeys(("germany", "italy", "france", "free_france", "ussr"), 2),
        **dict.fromkeys(("fec", "anzac", "kmt", "ccp"), 0),
    }
    assert sheets["fec"].naval_moves_of == sheets["anzac"].naval_moves_of == "great_britain"


@pytest.mark.parametrize(
    ("old", "new", "field", "problem"),
    [
        pytest.param(
            "also: [tiger, panzergrenadier]",
            "also: [tigre]",
            "sheets.germany.also[0]",
            'unknown unit "tigre" (perhaps tiger?)',
            id="unit",
        ),
        pytest.param(
            "possesses: [romania]",
            "possesses: [rumania]",
            "sheets.germany.bonuses[1].possesses[0]",
            'unknown zone "rumania"',
            id="zone",
        ),
        pytest.param(
            "who: [japan], once: game",
            "who: [nippon], once: game",
            "sheets.ussr.increases[2].who[0]",
            'unknown nation "nippon"',
            id="nation",
        ),
        pytest.param(
            "line: soviet_arctic",
            "line: arctic",
            "sheets.ussr.bonuses[1].line[0]",
            'unknown convoy line "arctic"',
            id="line",
        ),
        pytest.param(
            "    table: ccp\n",
            "    table: prc\n",
            "sheets.ccp.table",
            'unknown build table "prc"',
            id="table",
        ),
        pytest.param(
            "  dates: public\n",
            "",
            "provenance",
            "does not say where dates comes from",
            id="provenance",
        ),
    ],
)
def test_broken_sheets_are_reported(tmp_path, old, new, field, problem):
    check_complaint(DATA, load_facts, tmp_path, ("sheets.yaml", old, new), field, problem)
