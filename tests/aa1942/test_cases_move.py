"""Rule cases: movement in general."""

from __future__ import annotations

import pytest

from tests.aa1942.table import Done, Fight, move, sail, table


@pytest.mark.rule("aa1942:combat-move.purpose")
def test_move_01() -> None:
    """A land unit does not end a combat move in a friendly, quiet territory."""
    t = table("soviet_union", units={"russia": {"soviet_union": "infantry"}})
    t.refused(move("infantry", "russia > archangel"), "combat-move.purpose")


@pytest.mark.rule("aa1942:combat-move.hostile-territory")
def test_move_02() -> None:
    """Walking into empty hostile land is a combat move, won in Conduct Combat without dice."""
    t = table("japan", units={"french_indo_china_thailand": {"japan": "infantry"}})
    t.do(move("infantry", "french_indo_china_thailand > burma"))
    assert t.s.control["burma"] == "united_kingdom"
    t.do(Done())
    assert t.asked == "japan noncombat_move"  # no roll in between
    assert t.s.control["burma"] == "japan"
    assert t.units("burma", "japan") == {"infantry": 1}


@pytest.mark.rule("aa1942:noncombat.land", "aa1942:combat-move.hostile-territory")
def test_move_03() -> None:
    """Empty hostile land is closed in noncombat movement."""
    t = table("japan", "noncombat_move", {"french_indo_china_thailand": {"japan": "infantry"}})
    t.refused(move("infantry", "french_indo_china_thailand > burma"), "noncombat.land")


def test_move_04() -> None:
    """A bomber cannot cross a neutral country, but the way round over the sea is open."""
    t = table(
        "united_kingdom",
        units={"united_kingdom": {"united_kingdom": "bomber"}, "morocco": {"germany": "infantry"}},
    )
    t.refused(
        move("bomber", "united_kingdom > sz8 > france > spain_portugal > sz13 > morocco"),
        "neutral.impassable",
    )
    t.do(move("bomber", "united_kingdom > sz8 > sz13 > morocco"))
    assert t.units("morocco", "united_kingdom") == {"bomber": 1}


@pytest.mark.rule("aa1942:combat-move.vacated-territory")
def test_move_07() -> None:
    """A territory that everybody has left stays with its power and pays until it is captured."""
    t = table(
        "germany",
        units={
            "poland": {"germany": "2 infantry, tank"},
            "belorussia": {"soviet_union": "infantry"},
        },
        control={"belorussia": "soviet_union"},
        treasury={"germany": 0},
    )
    t.do(Done(), move("2 infantry, tank", "poland > germany"), Done())
    assert t.units("poland", "germany") == {}
    assert t.s.control["poland"] == "germany"
    assert t.s.treasury["germany"] == 41 - 2  # all but Belorussia, Poland's 2 included
    t = table(
        "soviet_union",
        units={"belorussia": {"soviet_union": "infantry"}},
        control={"belorussia": "soviet_union"},
    )
    t.do(move("infantry", "belorussia > poland"), Done())
    assert t.s.control["poland"] == "soviet_union"


@pytest.mark.rule(
    "aa1942:combat-move.end-friendly.escape",
    "aa1942:combat-move.start-hostile.options",
    "aa1942:combat-move.start-hostile.no-noncombat",
)
def test_move_08() -> None:
    """A ship may flee from a hostile zone as its combat move, and then has moved."""
    t = table(
        "united_kingdom", units={"sz6": {"united_kingdom": "destroyer", "germany": "cruiser"}}
    )
    t.do(move("destroyer", "sz6 > sz7"), Done())
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("sz7", "united_kingdom") == {"destroyer": 1}
    t.refused(move("destroyer", "sz7 > sz8"), "noncombat.eligible")


@pytest.mark.rule(
    "aa1942:unit.transport.hostile",
    "aa1942:combat-move.start-hostile.load",
    "aa1942:combat-move.start-hostile.options",
)
def test_move_09() -> None:
    """No loading beside an enemy cruiser; but go out, load and come back to fight."""
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "transport, destroyer", "germany": "cruiser"},
            "united_kingdom": {"united_kingdom": "2 infantry"},
        },
    )
    t.refused(
        sail("sz6", "2 infantry from united_kingdom in sz6", offload="norway"),
        "unit.transport.hostile",
    )
    t.do(sail("sz6 > sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"))
    assert t.cargo("sz6", "united_kingdom") == [["united_kingdom infantry"] * 2]
    t.do(Done())
    assert t.rolling.startswith("attack in sz6")


@pytest.mark.rule("aa1942:combat-move.start-hostile.trigger")
def test_move_10() -> None:
    """A lone enemy submarine obliges nobody to fight or leave, and does not stop loading."""
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "transport", "germany": "submarine"},
            "united_kingdom": {"united_kingdom": "2 infantry"},
        },
    )
    t.do(Done())
    assert t.asked == "united_kingdom noncombat_move"
    t.do(sail("sz6", "2 infantry from united_kingdom in sz6"))
    assert t.cargo("sz6", "united_kingdom") == [["united_kingdom infantry"] * 2]


@pytest.mark.rule(
    "aa1942:combat-move.split-force",
    "aa1942:unit.transport.auto-destroy",
    "aa1942:combat-move.transport-sink.stop",
)
def test_move_11() -> None:
    """One cruiser stops to sink a transport, the other sails on through the zone."""
    t = table(
        "united_states",
        units={
            "sz11": {"united_states": "2 cruiser"},
            "sz12": {"germany": "transport"},
            "sz13": {"germany": "submarine"},
        },
    )
    t.do(move("cruiser", "sz11 > sz12"), move("cruiser", "sz11 > sz12 > sz13"), Done())
    t.do(Fight("sz12"))
    assert t.units("sz12", "germany") == {}
    assert t.units("sz12", "united_states") == {"cruiser": 1}
    assert t.units("sz13", "united_states") == {"cruiser": 1}
    t.do(Done())  # the submarine is let alone
    t.refused(move("cruiser", "sz12 > sz13"), "noncombat.eligible")
    # A cruiser that only passes does not sink it.
    t = table(
        "united_states",
        "noncombat_move",
        {"sz11": {"united_states": "cruiser"}, "sz12": {"germany": "transport"}},
    )
    t.do(move("cruiser", "sz11 > sz12 > sz13"), Done())
    assert t.units("sz12", "germany") == {"transport": 1}


@pytest.mark.rule("aa1942:combat-move.stop-hostile", "aa1942:noncombat.hostile-pass")
def test_move_12() -> None:
    """An empty carrier is a surface warship: whoever enters its zone stops."""
    units = {
        "sz53": {"united_states": "destroyer"},
        "sz52": {"japan": "aircraft_carrier"},
        "sz51": {"japan": "transport"},
    }
    t = table("united_states", units=units)
    t.refused(move("destroyer", "sz53 > sz52 > sz51"), "combat-move.stop-hostile")
    t.do(move("destroyer", "sz53 > sz52"))
    t = table("united_states", "noncombat_move", units)
    t.refused(move("destroyer", "sz53 > sz52 > sz51"), "noncombat.sea")


@pytest.mark.rule("aa1942:combat-move.no-late-entry", "aa1942:combat-move.simultaneous")
def test_move_13() -> None:
    """No ship joins a battle that has begun."""
    t = table(
        "united_kingdom",
        units={
            "sz5": {"germany": "2 cruiser"},
            "sz6": {"united_kingdom": "2 cruiser"},
            "sz9": {"germany": "transport"},
            "sz10": {"united_kingdom": "destroyer"},
        },
    )
    t.do(move("cruiser", "sz6 > sz5"), move("destroyer", "sz10 > sz9"), Done(), Fight("sz5"))
    t.dice(6).dice(6, 6)
    assert t.asked == "united_kingdom press_or_retreat"
    t.refused(move("cruiser", "sz6 > sz5"))


@pytest.mark.rule("aa1942:combat.same-side")
def test_move_15() -> None:
    """Japan cannot attack Germans."""
    t = table(
        "japan",
        units={
            "india": {"japan": "infantry, fighter"},
            "persia": {"germany": "infantry"},
            "sz34": {"germany": "cruiser"},
            "sz35": {"japan": "cruiser"},
        },
        control={"india": "japan", "persia": "germany"},
    )
    t.refused(move("infantry", "india > persia"), "combat-move.purpose")
    t.refused(move("fighter", "india > persia"), "combat-move.purpose")
    t.refused(move("fighter", "india > sz35 > sz34"), "combat-move.purpose")
    t.refused(move("cruiser", "sz35 > sz34"), "combat-move.purpose")
