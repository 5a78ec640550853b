"""Rule cases: how submarines move, and how others move past them."""

from __future__ import annotations

import pytest

from tests.aa1942.table import Dive, Done, Engage, move, sail, table


@pytest.mark.rule("aa1942:sub.move.pass", "aa1942:noncombat.hostile-pass")
def test_submarine_01() -> None:
    """Without an enemy destroyer a submarine passes a hostile zone, in either phase."""
    units = {
        "sz9": {"germany": "submarine"},
        "sz7": {"united_kingdom": "battleship, cruiser"},
        "sz6": {"united_kingdom": "transport"},
    }
    t = table("germany", units=units)
    t.do(move("submarine", "sz9 > sz7 > sz6"))
    assert t.units("sz6", "germany") == {"submarine": 1}
    del units["sz6"]
    t = table("germany", "noncombat_move", units)
    t.do(move("submarine", "sz9 > sz7 > sz6"))
    assert t.units("sz6", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:sub.move.destroyer-stops")
def test_submarine_02() -> None:
    """A destroyer stops it, and there is a battle."""
    t = table(
        "germany",
        units={
            "sz9": {"germany": "submarine"},
            "sz7": {"united_kingdom": "destroyer"},
            "sz6": {"united_kingdom": "transport"},
        },
    )
    t.refused(move("submarine", "sz9 > sz7 > sz6"), "sub.move.destroyer-stops")
    t.do(move("submarine", "sz9 > sz7"), Done())
    assert t.rolling.startswith("attack in sz7")


@pytest.mark.rule("aa1942:noncombat.sub", "aa1942:noncombat.sea")
def test_submarine_03() -> None:
    """Only submarines enter a hostile zone in noncombat movement; nobody fights."""
    t = table(
        "germany",
        "noncombat_move",
        {"sz5": {"germany": "submarine, cruiser, transport"}, "sz6": {"united_kingdom": "cruiser"}},
    )
    for ship in ("cruiser", "transport", "submarine, cruiser"):
        t.refused(move(ship, "sz5 > sz6"), "noncombat.sea")
    t.do(move("submarine", "sz5 > sz6"), Done())
    assert t.asked == "united_kingdom purchase"
    assert t.units("sz6", "germany") == {"submarine": 1}
    assert t.units("sz6", "united_kingdom") == {"cruiser": 1}


@pytest.mark.rule("aa1942:noncombat.sub", "aa1942:sub.move.destroyer-stops")
def test_submarine_04() -> None:
    """A destroyer stops it in noncombat movement too, without a battle."""
    t = table(
        "germany",
        "noncombat_move",
        {"sz5": {"germany": "submarine"}, "sz6": {"united_kingdom": "destroyer"}},
    )
    t.refused(move("submarine", "sz5 > sz6 > sz7"), "sub.move.destroyer-stops")
    t.do(move("submarine", "sz5 > sz6"), Done())
    assert t.asked == "united_kingdom purchase"
    assert t.units("sz6", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:combat-move.sub-transport.attack-option", "aa1942:unit.sub.no-block")
def test_submarine_18() -> None:
    """An escorted landing may ignore a lone submarine and goes ahead."""
    t = table(
        "united_kingdom",
        units={
            "sz6": {"germany": "submarine"},
            "sz7": {"united_kingdom": "cruiser, transport"},
            "united_kingdom": {"united_kingdom": "2 infantry"},
            "norway": {"germany": "infantry"},
        },
    )
    t.do(
        move("cruiser", "sz7 > sz6"),
        sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"),
        Done(),
    )
    assert t.asked == "united_kingdom engage_or_ignore"
    t.do(Engage(False))
    assert t.units("sz6", "germany") == {"submarine": 1}
    assert t.units("norway", "united_kingdom") == {"infantry": 2}


@pytest.mark.rule("aa1942:unit.sub.end-hostile")
def test_submarine_19() -> None:
    """A submarine that ends beside a battleship has to fight, but may dive before the dice."""
    t = table(
        "germany",
        units={"sz9": {"germany": "submarine"}, "sz7": {"united_kingdom": "battleship"}},
    )
    t.do(move("submarine", "sz9 > sz7"), Done())
    assert t.asked == "germany submerge_or_strike"
    t.refused(Done())
    t.do(Dive(1))
    assert t.asked == "germany noncombat_move"
    assert t.units("sz7", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:unit.sub.no-block", "aa1942:noncombat.sea")
def test_submarine_20() -> None:
    """Ships may end a noncombat move beside a lone submarine; nobody fights."""
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"sz9": {"germany": "submarine"}, "sz10": {"united_kingdom": "destroyer"}},
    )
    t.do(move("destroyer", "sz10 > sz9"), Done())
    assert t.units("sz9", "united_kingdom") == {"destroyer": 1}
    assert t.units("sz9", "germany") == {"submarine": 1}
    assert t.asked == "japan purchase"


@pytest.mark.rule(
    "aa1942:combat-move.sub-transport.no-block",
    "aa1942:unit.sub.no-block",
    "aa1942:unit.transport.no-block",
)
def test_submarine_27() -> None:
    """A submarine and a transport together still do not stop a cruiser."""
    units = {
        "sz13": {"united_kingdom": "cruiser"},
        "sz14": {"germany": "submarine, transport"},
        "sz15": {"germany": "destroyer"},
    }
    t = table("united_kingdom", units=units)
    t.do(move("cruiser", "sz13 > sz14 > sz15"))
    assert t.units("sz15", "united_kingdom") == {"cruiser": 1}
    del units["sz15"]
    t = table("united_kingdom", "noncombat_move", units)
    t.do(move("cruiser", "sz13 > sz14 > sz15"))
    assert t.units("sz15", "united_kingdom") == {"cruiser": 1}
