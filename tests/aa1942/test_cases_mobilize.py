"""Edge cases: mobilization."""

from __future__ import annotations

from typing import Any

import pytest

from tests.aa1942.table import Buy, Done, Place, Table, move, table
from tests.aa1942.turns import pass_to, pass_turns


def placing(power: str, bought: dict[str, int], units: Any = None, **position: Any) -> Table:
    return table(power, "mobilize", units, bought=bought, **position)


@pytest.mark.rule("aa1942:mobilize.limit.value")
def test_mobilize_01() -> None:
    """Two infantry in Italy and a transport beside it are exactly Italy's three."""
    t = placing("germany", {"infantry": 3, "transport": 1}, damage={"germany": 10})
    t.do(Place("italy", {"infantry": 2}), Place("sz15", {"transport": 1}))
    assert t.units("italy", "germany") == {"infantry": 2}
    assert t.units("sz15", "germany") == {"transport": 1}
    t.refused(Place("italy", {"infantry": 1}), "mobilize.limit.value")


@pytest.mark.rule("aa1942:mobilize.limit.value")
def test_mobilize_02() -> None:
    """A fourth unit does not come through Italy, at sea either."""
    t = placing("germany", {"infantry": 3, "transport": 1})
    t.do(Place("italy", {"infantry": 3}))
    t.refused(Place("sz15", {"transport": 1}), "mobilize.limit.value")


@pytest.mark.rule("aa1942:mobilize.sea")
def test_mobilize_03() -> None:
    """Only landlocked Russia has capacity left: no place for a submarine."""
    t = placing("soviet_union", {"submarine": 1}, damage={"karelia_ssr": 2, "caucasus": 4})
    t.refused(Place("russia", {"submarine": 1}), "mobilize.sea")
    for zone in t.s.facts.sea_zones:
        t.refused(Place(zone, {"submarine": 1}))
    t.do(Done())
    assert t.events("refunded")[-1]["units"] == {"submarine": 1}


@pytest.mark.rule(
    "aa1942:mobilize.ic.not-new", "aa1942:mobilize.where", "aa1942:combat.conclude.ic"
)
def test_mobilize_04() -> None:
    """Caucasus, captured this turn, serves Germany next turn, four units less its damage."""
    t = table(
        "germany",
        "purchase",
        {"ukraine_ssr": {"germany": "infantry"}},
        damage={"caucasus": 1},
    )
    t.do(Buy({"tank": 1}), move("infantry", "ukraine_ssr > caucasus"), Done(), Done())
    t.refused(Place("caucasus", {"tank": 1}), "mobilize.ic.not-new")
    pass_turns(t, "germany")
    t.do(Buy({"infantry": 4}))
    pass_to(t, "mobilize")
    t.refused(Place("caucasus", {"infantry": 4}), "mobilize.limit.damage")
    t.do(Place("caucasus", {"infantry": 3}))


@pytest.mark.rule("aa1942:mobilize.ic.not-new", "aa1942:mobilize.ic.place")
def test_mobilize_05() -> None:
    """A new complex in South Africa stands, but brings in nothing in the turn it was bought."""
    t = placing("united_kingdom", {"industrial_complex": 1, "infantry": 1})
    t.do(Place("union_of_south_africa", {"industrial_complex": 1}))
    assert t.s.complexes["union_of_south_africa"] == 0
    t.refused(Place("union_of_south_africa", {"infantry": 1}), "mobilize.ic.not-new")
    t.do(Place("india", {"infantry": 1}))
    # Not in one decision either.
    t = placing("united_kingdom", {"industrial_complex": 1, "infantry": 1})
    t.refused(Place("union_of_south_africa", {"industrial_complex": 1, "infantry": 1}))
    t.refused(Place("union_of_south_africa", {"infantry": 1, "industrial_complex": 1}))


@pytest.mark.rule("aa1942:mobilize.ic.place")
def test_mobilize_07() -> None:
    """No complex in Burma in the turn in which Japan took it."""
    units = {"french_indo_china_thailand": {"japan": "infantry"}}
    t = table("japan", "purchase", units)
    t.do(Buy({"industrial_complex": 1}), move("infantry", "french_indo_china_thailand > burma"))
    t.do(Done(), Done())
    assert t.s.control["burma"] == "japan"
    t.refused(Place("burma", {"industrial_complex": 1}), "mobilize.ic.place")


@pytest.mark.rule("aa1942:mobilize.ic.one")
def test_mobilize_09() -> None:
    """India has a complex and takes no second one."""
    t = placing("united_kingdom", {"industrial_complex": 1})
    t.refused(Place("india", {"industrial_complex": 1}), "mobilize.ic.one")


@pytest.mark.rule("aa1942:mobilize.overproduction", "aa1942:mobilize.limit.value")
def test_mobilize_11() -> None:
    """Of 24 infantry the Americans place 22 and get the price of two back."""
    t = placing("united_states", {"infantry": 24}, treasury={"united_states": 0})
    t.do(Place("eastern_united_states", {"infantry": 12}))
    t.do(Place("western_united_states", {"infantry": 10}))
    for land in ("eastern_united_states", "western_united_states"):
        t.refused(Place(land, {"infantry": 1}), "mobilize.limit.value")
    t.do(Done())
    assert t.events("refunded") == [{"power": "united_states", "units": {"infantry": 2}, "ipcs": 6}]
    assert t.s.treasury["united_states"] == 6 + 42
    # Which units go back is the owner's choice.
    for back in ("infantry", "tank"):
        t = placing("united_states", {"infantry": 12, "tank": 12}, treasury={"united_states": 0})
        kept = {"infantry": 12, "tank": 12}
        kept[back] -= 2
        t.do(Place("eastern_united_states", {"infantry": 6, "tank": 6}))
        t.do(Place("western_united_states", {u: n - 6 for u, n in kept.items()}))
        t.do(Done())
        assert t.events("refunded")[-1]["units"] == {back: 2}


@pytest.mark.rule("aa1942:mobilize.ic.not-ally")
def test_mobilize_13() -> None:
    """Karelia's complex is Soviet and of no use to the British, even if they freed it."""
    t = placing("united_kingdom", {"fighter": 1})
    t.refused(Place("karelia_ssr", {"fighter": 1}), "mobilize.ic.not-ally")
    units = {"archangel": {"united_kingdom": "infantry"}}
    t = table("united_kingdom", "purchase", units, control={"karelia_ssr": "germany"})
    t.do(Buy({"fighter": 1}), move("infantry", "archangel > karelia_ssr"), Done(), Done())
    assert t.s.control["karelia_ssr"] == "soviet_union"
    t.refused(Place("karelia_ssr", {"fighter": 1}), "mobilize.ic.not-ally")


@pytest.mark.rule("aa1942:mobilize.land-bomber")
def test_mobilize_14() -> None:
    """New infantry does not start aboard a transport, only in the territory of a complex."""
    t = placing("united_kingdom", {"infantry": 1}, {"sz6": {"united_kingdom": "transport"}})
    t.refused(Place("sz6", {"infantry": 1}), "mobilize.land-bomber")
    t.refused(Place("egypt", {"infantry": 1}), "mobilize.where")
    t.do(Place("united_kingdom", {"infantry": 1}))


@pytest.mark.rule("aa1942:mobilize.land-bomber")
def test_mobilize_18() -> None:
    """A bomber is not placed on a carrier."""
    t = placing("japan", {"bomber": 1}, {"sz60": {"japan": "aircraft_carrier"}})
    t.refused(Place("sz60", {"bomber": 1}), "mobilize.land-bomber")
    t.do(Place("japan", {"bomber": 1}))


@pytest.mark.rule("aa1942:mobilize.sea")
def test_mobilize_21() -> None:
    """Gibraltar in German hands has no complex, so no German ship is built in the Atlantic."""
    t = placing("germany", {"destroyer": 1}, control={"gibraltar": "germany"})
    t.refused(Place("sz13", {"destroyer": 1}), "mobilize.sea")
    t.do(Place("sz5", {"destroyer": 1}))
