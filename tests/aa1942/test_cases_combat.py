"""Rule cases: general combat."""

from __future__ import annotations

import pytest

from tests.aa1942.battles import land, line, sea, step
from tests.aa1942.table import Done, Press, Retreat, move


@pytest.mark.rule("aa1942:unit.artillery.support")
def test_combat_01() -> None:
    """Two artillery lift two of five infantry to 2."""
    t = land("2 artillery, 5 infantry", "infantry")
    assert line(t) == "2 infantry at 2, 3 infantry at 1, 2 artillery at 2"


@pytest.mark.rule("aa1942:unit.artillery.support")
def test_combat_02() -> None:
    """In defence all hit on 2, with or without artillery."""
    t = land("infantry", "artillery, 3 infantry").dice(6)
    assert line(t) == "3 infantry at 2, 1 artillery at 2"


@pytest.mark.rule("aa1942:combat.general.simultaneous", "aa1942:combat.casualties.remove")
def test_combat_03() -> None:
    """Casualties of step 3 fire in step 4 and are removed in step 5."""
    t = land("2 tank", "2 infantry").dice(1, 1)
    assert t.units("west_russia", "germany") == {"infantry": 2}
    assert line(t) == "2 infantry at 2"
    t.dice(2, 6)
    assert t.units("west_russia", "germany") == {}
    assert t.units("west_russia", "soviet_union") == {"tank": 1}


@pytest.mark.rule("aa1942:combat.retreat.destination")
def test_combat_07() -> None:
    """Ships that began in the zone cannot retreat, unless one attacker came from a friendly one."""
    t = sea({"sz8": "2 cruiser"}, "2 cruiser", "united_kingdom").dice(6, 6).dice(6, 6)
    t.refused(Retreat("sz9"), by="united_kingdom")
    assert step(t) == "attack in sz8"
    t = sea({"sz8": "2 cruiser", "sz9": "destroyer"}, "2 cruiser", "united_kingdom")
    t.dice(6, 6, 6).dice(6, 6)
    assert t.request.to == ("sz9",)
    t.do(Retreat("sz9"))
    assert t.units("sz9", "united_kingdom") == {"cruiser": 2, "destroyer": 1}


@pytest.mark.rule("aa1942:combat.retreat.who")
def test_combat_08() -> None:
    """The defender is never asked to retreat, and cannot."""
    t = land("3 tank", "2 infantry").dice(1, 6, 6)
    t.refused(Retreat("belorussia"), by="germany")
    t.dice(6, 6)
    assert t.asked == "soviet_union press_or_retreat"
    t.refused(Retreat("belorussia"), by="germany")


@pytest.mark.rule("aa1942:combat.end.elimination", "aa1942:combat.conclude.capture")
def test_combat_10() -> None:
    """If both last units fall, the defender keeps the territory."""
    t = land("infantry", "infantry").dice(1).dice(1)
    assert t.asked == "soviet_union noncombat_move"
    assert dict(t.s.stack("west_russia")) == {}
    assert t.s.control["west_russia"] == "germany"


@pytest.mark.rule("aa1942:combat.retreat.air", "aa1942:combat.retreat.together")
def test_combat_11() -> None:
    """After a retreat infantry are back at once; the fighter waits for noncombat movement."""
    t = land("2 infantry, fighter", "2 infantry").dice(6, 6, 6).dice(6, 6).do(Retreat("russia"))
    assert t.asked == "soviet_union noncombat_move"
    assert t.units("russia", "soviet_union") == {"infantry": 2}
    assert t.units("west_russia", "soviet_union") == {"fighter": 1}


@pytest.mark.rule("aa1942:noncombat.eligible")
def test_combat_12() -> None:
    """What retreated does not move again; its aircraft only land."""
    t = land("2 infantry, fighter", "2 infantry").dice(6, 6, 6).dice(6, 6).do(Retreat("russia"))
    t.refused(move("infantry", "russia > caucasus"), "noncombat.eligible")
    t.do(move("fighter", "west_russia > caucasus"), Done())


@pytest.mark.rule("aa1942:unit.battleship.repair", "aa1942:unit.battleship.two-hits")
def test_combat_13() -> None:
    """A battleship hit once is undamaged after the battle."""
    t = sea("battleship", "destroyer").dice(6).dice(1).do(Press()).dice(1).dice(6)
    assert [(u.type, u.duty == "damaged") for u in t.s.stack("sz8")] == [("battleship", False)]


@pytest.mark.rule("aa1942:combat.retreat.who")
def test_combat_15() -> None:
    """No retreat before the first round."""
    t = land("2 infantry", "2 infantry")
    t.refused(Retreat("russia"), by="soviet_union")
    assert step(t) == "attack in west_russia"


@pytest.mark.rule("aa1942:combat.strip.hit-number")
def test_combat_17() -> None:
    """A bomber defends at 1, a fighter at 4."""
    t = land("infantry", "bomber, fighter").dice(6)
    assert line(t) == "1 fighter at 4, 1 bomber at 1"


@pytest.mark.rule("aa1942:combat.strip.ic", "aa1942:combat.conclude.ic")
def test_combat_18() -> None:
    """A complex neither fights nor is hit, and passes on with its damage."""
    t = land(
        "2 tank",
        {"soviet_union": "infantry"},
        turn="germany",
        target="karelia_ssr",
        origin="belorussia",
        damage={"karelia_ssr": 2},
    )
    t.dice(1, 1)
    assert line(t) == "1 infantry at 2"
    t.dice(6)
    assert t.s.control["karelia_ssr"] == "germany"
    assert t.s.complexes["karelia_ssr"] == 2
