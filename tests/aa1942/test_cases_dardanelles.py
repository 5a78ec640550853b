"""Edge cases: the optional rule that closes the Turkish straits."""

import pytest

from tests.aa1942.table import Done, move, table

CLOSED = {"dardanelles": True}


@pytest.mark.rule("aa1942:option.straits-closed")
def test_dardanelles_01() -> None:
    """With the option no ship enters the Black Sea."""
    units = {"sz15": {"germany": "battleship"}}
    t = table("germany", "noncombat_move", units, options=CLOSED)
    t.refused(move("battleship", "sz15 > sz16"), "option.straits-closed")


@pytest.mark.rule("aa1942:option.straits-closed")
def test_dardanelles_02() -> None:
    """Without it the straits are open sea."""
    t = table("germany", "noncombat_move", {"sz15": {"germany": "battleship"}})
    t.do(move("battleship", "sz15 > sz16"))
    assert t.units("sz16", "germany") == {"battleship": 1}


@pytest.mark.rule("aa1942:option.straits-closed")
def test_dardanelles_04() -> None:
    """A fighter attacks across the closed straits and lands in the Ukraine with its last move."""
    t = table(
        "germany",
        units={"southern_europe": {"germany": "fighter"}, "caucasus": {"soviet_union": "infantry"}},
        options=CLOSED,
    )
    t.do(move("fighter", "southern_europe > sz15 > sz16 > caucasus"), Done()).dice(1).dice(6)
    t.refused(move("fighter", "caucasus > ukraine_ssr > poland"), "noncombat.air-remaining")
    t.do(move("fighter", "caucasus > ukraine_ssr"), Done())
    assert t.units("ukraine_ssr", "germany") == {"fighter": 1}
