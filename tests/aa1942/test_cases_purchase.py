"""Edge cases: purchase."""

import pytest

from tests.aa1942.table import Buy, Done, Place, move, table
from tests.aa1942.turns import pass_to


@pytest.mark.rule("aa1942:purchase.afford")
def test_purchase_01() -> None:
    """Germany cannot pay 42 out of 41, and then has bought nothing."""
    t = table("germany", "purchase", treasury={"germany": 41})
    assert "42" in t.refused(Buy({"tank": 5, "bomber": 1}), "purchase.afford")
    assert (t.s.bought, t.s.treasury["germany"]) == ({}, 41)


@pytest.mark.rule("aa1942:purchase.repair.immediate", "aa1942:purchase.repair.cost")
def test_purchase_03() -> None:
    """A wrecked complex is repaired for 10 and takes six infantry in the same turn."""
    t = table(
        "germany",
        "purchase",
        {"italy": {"germany": "0 industrial_complex"}},
        damage={"germany": 10},
        treasury={"germany": 30},
    )
    t.do(Buy({"infantry": 6}, {"germany": 10}))
    assert (t.s.complexes["germany"], t.s.treasury["germany"]) == (0, 2)
    pass_to(t, "mobilize")
    t.do(Place("germany", {"infantry": 6}))
    assert t.units("germany", "germany") == {"infantry": 6}
    # The capacity of the turn is ten.
    t = table("germany", "purchase", damage={"germany": 10}, treasury={"germany": 43})
    t.do(Buy({"infantry": 11}, {"germany": 10}))
    pass_to(t, "mobilize")
    t.refused(Place("germany", {"infantry": 11}), "mobilize.limit.value")
    t.do(Place("germany", {"infantry": 10}))


@pytest.mark.rule("aa1942:purchase.repair.cost", "aa1942:mobilize.limit.damage")
def test_purchase_05() -> None:
    """Three of five points repaired leave two, and Italy, worth 3, can bring in one unit."""
    t = table("germany", "purchase", damage={"italy": 5, "germany": 10}, treasury={"germany": 9})
    t.do(Buy({"infantry": 2}, {"italy": 3}))
    assert (t.s.complexes["italy"], t.s.treasury["germany"]) == (2, 0)
    pass_to(t, "mobilize")
    t.refused(Place("italy", {"infantry": 2}), "mobilize.limit.damage")
    t.do(Place("italy", {"infantry": 1}))
    t.refused(Place("italy", {"infantry": 1}), "mobilize.limit.damage")
    t.refused(Place("sz15", {"infantry": 1}))


@pytest.mark.rule("aa1942:purchase.hold")
def test_purchase_06() -> None:
    """A destroyer bought this turn is in the mobilization zone until phase 5."""
    units = {"sz61": {"united_states": "submarine"}}
    t = table("japan", "purchase", units)
    t.do(Buy({"destroyer": 1}))
    assert t.s.bought == {"destroyer": 1}
    for zone in ("sz60", "sz62"):
        t.refused(move("destroyer", f"{zone} > sz61"))
    t.refused(Place("sz60", {"destroyer": 1}))
    t.do(Done())
    t.refused(move("destroyer", "sz60 > sz61"))
    t.do(Done())
    assert t.asked == "japan mobilize"
    t.do(Place("sz60", {"destroyer": 1}))
    assert t.units("sz60", "japan") == {"destroyer": 1}
