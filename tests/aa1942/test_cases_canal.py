"""Edge cases: canals."""

import pytest

import sandtable
from tests.aa1942.table import Buy, Done, Table, move, table
from tests.aa1942.turns import pass_turns


@pytest.mark.rule("aa1942:canal.panama", "aa1942:canal.timing")
def test_canal_01() -> None:
    """A British destroyer uses the Panama Canal, which the Americans hold for the side."""
    t = table("united_kingdom", "noncombat_move", {"sz18": {"united_kingdom": "destroyer"}})
    t.do(move("destroyer", "sz18 > sz19"))
    assert t.units("sz19", "united_kingdom") == {"destroyer": 1}


@pytest.mark.rule("aa1942:canal.panama")
def test_canal_02() -> None:
    """A German submarine is a ship like any other and does not slip through Panama."""
    for phase in ("combat_move", "noncombat_move"):
        units = {"sz18": {"germany": "submarine"}, "sz19": {"united_states": "transport"}}
        t = table("germany", phase, units)
        t.refused(move("submarine", "sz18 > sz19"), "canal.timing")


@pytest.mark.rule("aa1942:canal.timing", "aa1942:canal.suez")
def test_canal_04() -> None:
    """Germany takes Egypt in its turn; Japan, later in the round, sails through Suez."""
    t = table(
        "germany",
        units={"libya": {"germany": "infantry"}, "sz34": {"japan": "cruiser"}},
        control={"trans_jordan": "japan"},
    )
    t.do(move("infantry", "libya > egypt"), Done())
    assert t.s.control["egypt"] == "germany"
    pass_turns(t, "japan")
    t.do(Buy(), Done(), move("cruiser", "sz34 > sz17"))
    assert t.units("sz17", "japan") == {"cruiser": 1}


@pytest.mark.rule("aa1942:canal.suez.split")
def test_canal_05() -> None:
    """With Egypt German and Trans-Jordan British nobody sails through Suez."""
    units = {"sz34": {"united_kingdom": "destroyer"}, "sz17": {"germany": "cruiser"}}
    control = {"egypt": "germany"}
    t = table("united_kingdom", units=units, control=control)
    t.refused(move("destroyer", "sz34 > sz17"), "canal.timing")
    t = table("germany", units=units, control=control)
    t.refused(move("cruiser", "sz17 > sz34"), "canal.timing")
    calm = {"sz34": {"united_kingdom": "destroyer"}}
    t = table("united_kingdom", "noncombat_move", calm, control=control)
    t.refused(move("destroyer", "sz34 > sz17"), "canal.timing")


@pytest.mark.rule("aa1942:canal.air")
def test_canal_06() -> None:
    """An American fighter crosses an Axis Suez for one move."""
    position = {
        "base": "empty",
        "turn": "united_states",
        "phase": "noncombat_move",
        "control": {"egypt": "germany", "trans_jordan": "germany"},
        "units": {
            "sz17": {"united_states": {"fighter": [{"used": 3}]}},
            "sz34": {"united_states": {"aircraft_carrier": 1}},
        },
    }
    t = Table(sandtable.new("aa1942", position=position, chance="explicit"))
    t.do(move("fighter", "sz17 > sz34"))
    assert t.units("sz34", "united_states") == {"aircraft_carrier": 1, "fighter": 1}
    t.do(Done())


@pytest.mark.rule("aa1942:canal.land-movement")
def test_canal_07() -> None:
    """British infantry walks from Egypt to Trans-Jordan between two enemy fleets."""
    units = {
        "egypt": {"united_kingdom": "infantry"},
        "sz17": {"germany": "battleship"},
        "sz34": {"japan": "battleship"},
    }
    t = table("united_kingdom", "noncombat_move", units)
    t.do(move("infantry", "egypt > trans_jordan"))
    assert t.units("trans_jordan", "united_kingdom") == {"infantry": 1}


@pytest.mark.rule("aa1942:canal.land-movement")
def test_canal_09() -> None:
    """One step brings infantry into Central America, on both sides of its canal at once."""
    t = table("united_states", "noncombat_move", {"east_mexico": {"united_states": "infantry"}})
    t.do(move("infantry", "east_mexico > central_america"))
    assert t.units("central_america", "united_states") == {"infantry": 1}
    assert t.s.facts.coast["central_america"] == ("sz18", "sz19")
