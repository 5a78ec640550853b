"""Rule cases: antiaircraft artillery."""

from __future__ import annotations

import pytest

from tests.aa1942.battles import land, line, step
from tests.aa1942.table import Casualties, Done, Move, Press, counts, move, table


@pytest.mark.rule("aa1942:unit.aaa.fire.dice")
@pytest.mark.parametrize(
    ("guns", "planes", "dice"), [(1, 2, 2), (1, 3, 3), (1, 5, 3), (2, 5, 5), (2, 7, 6), (3, 4, 4)]
)
def test_aaa_01(guns: int, planes: int, dice: int) -> None:
    """Three dice per gun, never more than there are aircraft."""
    t = land(f"{planes} fighter", f"{guns} antiaircraft_artillery, infantry")
    assert (t.rolled, t.request.dice) == ("antiaircraft in west_russia", dice)


@pytest.mark.rule("aa1942:unit.aaa.fire.when")
def test_aaa_02() -> None:
    """A gun does not fire again in the second round."""
    t = land("infantry, fighter", "antiaircraft_artillery, infantry").dice(6)
    t.dice(6, 6).dice(6).do(Press())
    assert step(t) == "attack in west_russia"
    t.dice(6, 6)
    assert t.rolling == "defence in west_russia: 1 infantry at 2"
    assert len(t.events("antiaircraft")) == 1
    assert t.units("west_russia", "germany")["antiaircraft_artillery"] == 1


@pytest.mark.rule("aa1942:unit.aaa.fire.casualty")
def test_aaa_03() -> None:
    """The attacker picks two of three aircraft; they are gone before they fire."""
    t = land("2 fighter, bomber", "antiaircraft_artillery, infantry").dice(1, 5, 1)
    assert t.asked == "soviet_union choose_casualties"
    assert {
        tuple(sorted((name.split()[0], n) for name, n in choice.lost["soviet_union"].items()))
        for choice in t.game.legal(t.request)
    } == {(("bomber", 1), ("fighter", 1)), (("fighter", 2),)}
    t.do(Casualties({"soviet_union": {"fighter": 2}}))
    assert t.units("west_russia", "soviet_union") == {"bomber": 1}
    assert line(t) == "1 bomber at 4"


@pytest.mark.rule("aa1942:sbr.aaa-none", "aa1942:sbr.ic-fire")
def test_aaa_04() -> None:
    """At raiders only the complex shoots, one die per bomber."""
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "2 bomber"},
            "germany": {"germany": "antiaircraft_artillery"},
        },
    ).do(
        move("2 bomber", "united_kingdom > sz6 > northwestern_europe > germany", raid=True), Done()
    )
    assert t.rolled == "complex in germany"
    assert t.request.dice == 2
    t.dice(6, 6)
    assert t.rolled == "bombs in germany"
    t.dice(1, 1)
    assert t.asked == "united_kingdom noncombat_move"


@pytest.mark.rule("aa1942:sbr.aaa-none", "aa1942:sbr.ic-fire", "aa1942:unit.aaa.fire.dice")
def test_aaa_05() -> None:
    """Raid and attack at once: two dice of the complex, three of the gun against four fighters."""
    t = table(
        "united_kingdom",
        units={
            "northwestern_europe": {"united_kingdom": "2 bomber, 4 fighter, 2 infantry"},
            "germany": {"germany": "antiaircraft_artillery, 3 infantry"},
        },
        control={"northwestern_europe": "united_kingdom"},
    )
    t.do(move("2 bomber", "northwestern_europe > germany", raid=True))
    for type_, count in counts("4 fighter, 2 infantry").items():
        t.do(Move({type_: count}, ("northwestern_europe", "germany")))
    t.do(Done())
    assert (t.rolled, t.request.dice) == ("complex in germany", 2)
    t.dice(6, 6).dice(1, 1)
    assert (t.rolled, t.request.dice) == ("antiaircraft in germany", 3)
    t.dice(1, 1, 1)
    assert t.units("germany", "united_kingdom") == {"bomber": 2, "fighter": 1, "infantry": 2}


@pytest.mark.rule("aa1942:unit.aaa.alone", "aa1942:combat.general.no-resistance")
def test_aaa_07() -> None:
    """A gun alone is removed, not captured, and the territory taken without a battle."""
    t = land(
        "infantry",
        "antiaircraft_artillery",
        turn="united_kingdom",
        target="libya",
        origin="egypt",
    )
    assert t.asked == "united_kingdom noncombat_move"
    assert not t.events("fired")
    assert t.s.control["libya"] == "united_kingdom"
    assert t.units("libya", "united_kingdom") == {"infantry": 1}
    assert t.units("libya", "germany") == {}


@pytest.mark.rule("aa1942:unit.aaa.move", "aa1942:unit.aaa.never-attack")
@pytest.mark.parametrize("holder", ["germany", "soviet_union"])
def test_aaa_08(holder: str) -> None:
    """A gun does not move by land in combat movement, to attack or otherwise."""
    t = table(
        "soviet_union",
        units={"russia": {"soviet_union": "antiaircraft_artillery"}},
        control={"west_russia": holder},
    )
    t.refused(move("antiaircraft_artillery", "russia > west_russia"), "unit.aaa.move")


@pytest.mark.rule("aa1942:noncombat.aaa")
def test_aaa_10() -> None:
    """In noncombat movement a gun goes one space into friendly territory."""
    t = table("germany", "noncombat_move", {"germany": {"germany": "antiaircraft_artillery"}})
    t.refused(move("antiaircraft_artillery", "germany > poland > ukraine_ssr"))
    t.do(move("antiaircraft_artillery", "germany > poland"))
    assert t.units("poland", "germany") == {"antiaircraft_artillery": 1}
