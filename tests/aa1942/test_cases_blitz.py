"""Rule cases: blitzing tanks."""

from __future__ import annotations

import pytest

from sandtable.games.aa1942.rules.spaces import production
from tests.aa1942.table import Done, move, table


@pytest.mark.rule(
    "aa1942:combat-move.blitz.basic",
    "aa1942:combat-move.blitz.return",
    "aa1942:combat-move.blitz.control",
    "aa1942:combat-move.end-friendly.blitz",
)
def test_blitz_01() -> None:
    """Out and back: the empty territory changes hands at once, the tank is where it was."""
    t = table("germany", units={"libya": {"germany": "tank"}})
    t.do(move("tank", "libya > egypt > libya"))
    assert t.s.control["egypt"] == "germany"
    assert t.units("libya", "germany") == {"tank": 1}
    assert t.units("egypt", "germany") == {}


@pytest.mark.rule("aa1942:combat-move.blitz.basic", "aa1942:combat-move.blitz.control")
def test_blitz_02() -> None:
    """Through an empty territory into a defended one: the first is taken, the second fought for."""
    t = table(
        "germany",
        units={"libya": {"germany": "tank"}, "trans_jordan": {"united_kingdom": "infantry"}},
    )
    ours, theirs = production(t.s, "germany"), production(t.s, "united_kingdom")
    t.do(move("tank", "libya > egypt > trans_jordan"))
    assert t.s.phase == "combat_move"
    assert t.s.control["egypt"] == "germany"
    assert production(t.s, "germany") == ours + 2
    assert production(t.s, "united_kingdom") == theirs - 2
    assert t.s.control["trans_jordan"] == "united_kingdom"
    t.do(Done())
    assert t.rolling.startswith("attack in trans_jordan")


@pytest.mark.rule("aa1942:combat-move.blitz.blocked-by-aaa")
def test_blitz_04() -> None:
    """An industrial complex alone stops a tank."""
    t = table("japan", units={"burma": {"japan": "tank"}}, control={"burma": "japan"})
    t.refused(move("tank", "burma > india > persia"), "combat-move.blitz.blocked-by-aaa")
    t.do(move("tank", "burma > india"), Done())
    assert t.s.control["india"] == "japan"


@pytest.mark.rule("aa1942:noncombat.land", "aa1942:combat-move.blitz.basic")
def test_blitz_06() -> None:
    """There is no blitz in noncombat movement."""
    t = table("japan", "noncombat_move", {"kwangtung": {"japan": "tank"}})
    t.refused(
        move("tank", "kwangtung > yunnan > french_indo_china_thailand"),
        "noncombat.land",
    )


@pytest.mark.rule("aa1942:combat-move.transit-friendly")
def test_blitz_08() -> None:
    """Through friendly land into a battle is an ordinary two-space attack."""
    t = table(
        "germany",
        units={"poland": {"germany": "tank"}, "west_russia": {"soviet_union": "2 infantry"}},
        control={"west_russia": "soviet_union"},
    )
    t.do(move("tank", "poland > belorussia > west_russia"), Done())
    assert t.rolling.startswith("attack in west_russia")


@pytest.mark.rule("aa1942:combat-move.range", "aa1942:combat-move.stop-hostile")
def test_blitz_09() -> None:
    """Infantry neither moves two spaces nor blitzes, with or without a tank beside it."""
    t = table("germany", units={"libya": {"germany": "infantry, tank"}})
    t.refused(move("infantry, tank", "libya > egypt > trans_jordan"), "combat-move.range")
    t.refused(move("infantry", "libya > egypt > trans_jordan"), "combat-move.range")
    t.do(move("tank", "libya > egypt > trans_jordan"))


@pytest.mark.rule("aa1942:combat-move.blitz.blocked-by-units")
def test_blitz_11() -> None:
    """A single infantry in the first territory stops the tank there."""
    t = table(
        "germany",
        units={"belorussia": {"germany": "tank"}, "west_russia": {"soviet_union": "infantry"}},
        control={"west_russia": "soviet_union"},
    )
    t.refused(
        move("tank", "belorussia > west_russia > russia"), "combat-move.blitz.blocked-by-units"
    )
    t.do(move("tank", "belorussia > west_russia"), Done())
    assert t.rolling.startswith("attack in west_russia")
