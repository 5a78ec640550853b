"""Attacks at sea on nations with whom there is no war: they declare it (8.1), or are made under the
Monroe Doctrine (5.7)."""

import pytest

from sandtable.games.gw36.forms.moves import find_ways
from sandtable.games.gw36.rules.combat_choices import candidates
from sandtable.games.gw36.rules.movement import Move
from tests.gw36.table import Done, table

MISS = 12


def fleets(turn: str = "japan", **fields):
    """A Japanese and an American cruiser side by side, and a British one."""
    ships = {"japan": "light_cruiser", "usa": "light_cruiser", "great_britain": "light_cruiser"}
    fields = {"wars": [], "date": "1941-07"} | fields
    return table(turn, units={"sz_061": {turn: "submarine"}, "sz_060": ships}, **fields)


def at_sea(type_: str, path: str, duty: str = "", against: str = "") -> Move:
    return Move({type_: 1}, tuple(path.split(" > ")), duty, against=against)


@pytest.mark.rule("gw36:8.1a", "gw36:8.2a")
def test_a_move_at_sea_that_attacks_units_declares_war_on_their_nation():
    t = fleets()
    t.refused(at_sea("light_cruiser", "sz_060"), "8.2a")  # nobody there is an Enemy
    t.do(at_sea("light_cruiser", "sz_060", "attack", against="usa"))
    assert ("japan", "usa") in t.s.wars and ("great_britain", "japan") not in t.s.wars
    t.do(Done())
    assert t.rolling == "attack: 1 light_cruiser at 5"
    t.dice(5)
    assert t.rolling == "defense: 1 light_cruiser at 4"  # a surprise; the British one stays out
    t.dice(MISS)
    assert t.units("sz_060", "usa") == {} and t.units("sz_060", "great_britain") != {}


@pytest.mark.rule("gw36:8.1a", "gw36:5.5a")
def test_who_may_not_declare_war_does_not_attack_at_sea_either():
    t = table(
        "great_britain",
        units={"sz_025": {"great_britain": "light_cruiser", "germany": "light_cruiser"}},
        wars=[],
        income={"great_britain": 11},
    )
    assert "25" in t.refused(at_sea("light_cruiser", "sz_025", against="germany"), "5.5a")
    t.refused(at_sea("light_cruiser", "sz_025", against="france"), "8.2a")  # no unit of France
    t.refused(at_sea("light_cruiser", "sz_025", against="nobody"), "8.1a")


@pytest.mark.rule("gw36:8.1a", "gw36:9.11a", "gw36:8.11b")
def test_a_raid_declares_war_and_a_blockade_does_not():
    wars = [("germany", "france")]
    t = table(units={"sz_025": {"germany": "submarine, 3 light_cruiser"}}, wars=wars)
    t.refused(at_sea("submarine", "sz_025", "raid"), "9.11a")
    blockade = Move({"light_cruiser": 3}, ("sz_025",), "blockade", against="great_britain")
    t.refused(blockade, "8.1a")
    t.do(at_sea("submarine", "sz_025", "raid", against="great_britain"))
    assert ("germany", "great_britain") in t.s.wars
    while t.asked == "chance roll":  # incomes that the war raises
        t.dice(*[1] * sum(line.count for line in t.request.lines), kind="income")
    t.do(Done())
    assert t.request.roll == "raid"


@pytest.mark.rule("gw36:8.1a", "gw36:8.3a")
def test_aircraft_declare_war_by_striking_ships():
    carrier = {"fleet_carrier": [{"cargo": ["tactical_bomber"]}]}
    t = table(
        "japan",
        units={"sz_060": {"japan": carrier}, "sz_044": {"usa": "battleship"}},
        wars=[],
        date="1941-07",
    )
    t.do(at_sea("tactical_bomber", "sz_060 > sz_044", against="usa"), Done())
    assert ("japan", "usa") in t.s.wars
    assert t.rolling == "attack: 1 tactical_bomber at 7"


@pytest.mark.rule("gw36:5.7a", "gw36:5.7c")
def test_the_usa_attacks_ships_off_its_coast_without_a_war():
    t = fleets("usa", income={"usa": 20})
    t.refused(at_sea("light_cruiser", "sz_060", against="great_britain"), "table-4-2b")
    t.do(at_sea("light_cruiser", "sz_060", against="japan"), Done())
    assert t.s.wars == frozenset() and t.s.income["usa"] == 20
    assert t.rolling == "attack: 1 light_cruiser at 5"
    t.dice(MISS).dice(MISS).dice(5).dice(MISS)
    assert t.units("sz_060", "japan") == {}
    assert t.s.wars == frozenset() and t.s.income["usa"] == 20


@pytest.mark.rule("gw36:5.7a")
def test_the_doctrine_allows_no_raid_and_ends_with_the_turn():
    t = table(
        "usa",
        units={"sz_056": {"usa": "submarine", "japan": "light_cruiser"}},
        wars=[],
        income={"usa": 62},
        date="1941-07",
    )
    t.refused(at_sea("submarine", "sz_056", "raid", against="japan"), "nrs-usa-d")
    t.refused(at_sea("submarine", "sz_056", against="japan"), "nrs-usa-d")  # off Japan


@pytest.mark.rule("gw36:8.1a")
def test_such_attacks_are_listed_and_offered_in_the_browser():
    t = fleets()
    listed = [d for d in candidates(t.s) if isinstance(d, Move) and d.against]
    assert {d.against for d in listed if d.path == ("sz_060",)} == {"usa", "great_britain"}
    legal = t.game.legal(t.request)
    reach = find_ways(legal, "sz_060", {"japan:light_cruiser": 1})
    labels = [choice.label for choice in reach.ways["sz_060"].decisions]
    assert "Declare war on United States and attack in sea zone 60 (California Coast)" in labels
    assert [c.tone for c in reach.ways["sz_060"].decisions] == ["", "danger", "danger"]


@pytest.mark.rule("gw36:8.1a", "gw36:8.10a")
def test_non_combat_moves_attack_nobody():
    t = fleets(phase="noncombat_move")
    t.refused(at_sea("light_cruiser", "sz_060 > sz_061", against="usa"), "8.2b")
