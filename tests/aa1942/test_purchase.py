"""Phase 1: Purchase Units (p.10)."""

from __future__ import annotations

import pytest

from tests.aa1942.table import Buy, Done, Intercept, Place, move, table
from tests.aa1942.turns import pass_phase, pass_to, pass_turn

PRICES = {
    "infantry": 3,
    "artillery": 4,
    "tank": 6,
    "antiaircraft_artillery": 5,
    "industrial_complex": 15,
    "fighter": 10,
    "bomber": 12,
    "battleship": 20,
    "aircraft_carrier": 14,
    "cruiser": 12,
    "destroyer": 8,
    "submarine": 6,
    "transport": 7,
}


@pytest.mark.rule("aa1942:purchase.availability")
@pytest.mark.parametrize("power", ["soviet_union", "germany", "japan"])
def test_every_power_can_buy_every_type_of_unit(power: str) -> None:
    t = table(power, "purchase", treasury={power: sum(PRICES.values())})
    t.do(Buy(dict.fromkeys(PRICES, 1)))
    assert t.s.bought == dict.fromkeys(PRICES, 1)
    assert t.s.treasury[power] == 0


@pytest.mark.rule("aa1942:purchase.availability")
def test_only_money_limits_a_purchase() -> None:
    """More than all complexes of Japan together could ever place."""
    t = table("japan", "purchase", treasury={"japan": 900})
    t.do(Buy({"battleship": 45}))
    assert (t.s.bought, t.s.treasury["japan"]) == ({"battleship": 45}, 0)


@pytest.mark.rule("aa1942:purchase.availability")
@pytest.mark.parametrize(
    "order", [Buy({"elephant": 1}), Buy({"infantry": 0}), Buy({"infantry": -3}), Buy({"": 1})]
)
def test_orders_that_make_no_sense(order: Buy) -> None:
    table("germany", "purchase").refused(order)


@pytest.mark.rule("aa1942:purchase.afford")
@pytest.mark.parametrize("type_", PRICES)
def test_the_treasury_has_to_cover_the_order(type_: str) -> None:
    price = PRICES[type_]
    t = table("germany", "purchase", treasury={"germany": 3 * price - 1})
    assert str(3 * price) in t.refused(Buy({type_: 3}), "purchase.afford")
    t.do(Buy({type_: 2}))
    assert t.s.treasury["germany"] == price - 1


@pytest.mark.rule("aa1942:purchase.afford")
def test_units_and_repairs_are_paid_from_one_treasury() -> None:
    t = table("germany", "purchase", damage={"germany": 6, "italy": 6}, treasury={"germany": 20})
    t.refused(Buy({"infantry": 3}, {"germany": 6, "italy": 6}), "purchase.afford")
    t.do(Buy({"infantry": 3}, {"germany": 6, "italy": 5}))
    assert t.s.treasury["germany"] == 0
    assert (t.s.complexes["germany"], t.s.complexes["italy"]) == (0, 1)


@pytest.mark.rule("aa1942:purchase.afford")
def test_the_price_is_paid_at_once() -> None:
    """Before combat: what a captor of the capital finds is what is left."""
    t = table("germany", "purchase", treasury={"germany": 20})
    t.do(Buy({"tank": 3}))
    assert (t.asked, t.s.treasury["germany"]) == ("germany combat_move", 2)


@pytest.mark.rule("aa1942:purchase.carry-over")
def test_money_that_is_not_spent_is_kept() -> None:
    t = table("germany", "purchase", treasury={"germany": 20})
    t.do(Buy({"infantry": 1}))
    pass_turn(t)
    assert t.s.treasury["germany"] == 17 + 41
    while t.s.turn != "germany":
        pass_turn(t)
    assert t.request.treasury == 58
    t.do(Buy({"bomber": 4, "fighter": 1}))
    assert t.s.treasury["germany"] == 0


@pytest.mark.rule("aa1942:purchase.repair.cost")
@pytest.mark.parametrize("points", [1, 4, 5])
def test_a_point_of_damage_costs_one_ipc(points: int) -> None:
    t = table("germany", "purchase", damage={"italy": 5}, treasury={"germany": 9})
    t.do(Buy(repairs={"italy": points}))
    assert (t.s.treasury["germany"], t.s.complexes["italy"]) == (9 - points, 5 - points)


@pytest.mark.rule("aa1942:purchase.repair.cost")
def test_repairs_need_damage_and_money() -> None:
    t = table("germany", "purchase", damage={"italy": 5}, treasury={"germany": 4})
    for bad in ({"italy": 6}, {"italy": 0}, {"italy": -1}, {"germany": 1}, {"poland": 1}):
        t.refused(Buy(repairs=bad), "purchase.repair.cost")
    t.refused(Buy(repairs={"italy": 5}), "purchase.afford")


@pytest.mark.rule("aa1942:purchase.repair.cost", "aa1942:income.no-transfer")
@pytest.mark.parametrize(
    ("power", "land"), [("united_kingdom", "karelia_ssr"), ("united_kingdom", "germany")]
)
def test_nobody_repairs_the_complex_of_another_power(power: str, land: str) -> None:
    t = table(power, "purchase", damage={land: 2})
    assert t.request.damaged == {}
    t.refused(Buy(repairs={land: 1}), "purchase.repair.cost")


@pytest.mark.rule("aa1942:purchase.repair.cost")
def test_a_captured_complex_is_repaired_by_its_captor_and_an_ally_in_custody_by_its_keeper() -> (
    None
):
    t = table(
        "united_kingdom",
        "purchase",
        control={"russia": "germany", "karelia_ssr": "united_kingdom", "italy": "united_kingdom"},
        damage={"karelia_ssr": 4, "italy": 1, "russia": 3},
    )
    assert t.request.damaged == {"italy": 1, "karelia_ssr": 4}
    t.do(Buy(repairs={"karelia_ssr": 3, "italy": 1}))
    assert (t.s.complexes["karelia_ssr"], t.s.complexes["italy"]) == (1, 0)
    assert t.s.complexes["russia"] == 3


@pytest.mark.rule("aa1942:purchase.repair.cost")
def test_repairs_are_paid_only_in_the_purchase_phase() -> None:
    t = table("germany", "purchase", damage={"germany": 10})
    t.do(Buy({"infantry": 1}))
    while t.s.turn == "germany":
        t.refused(Buy(repairs={"germany": 1}))
        if t.s.phase == "mobilize":
            t.refused(Place("germany", {"infantry": 1}), "mobilize.limit.damage")
        pass_phase(t)
    assert t.s.complexes["germany"] == 10


@pytest.mark.rule("aa1942:purchase.repair.immediate")
def test_a_repaired_complex_takes_units_in_the_same_turn() -> None:
    t = table("germany", "purchase", damage={"italy": 3, "germany": 20})
    t.do(Buy({"infantry": 2}, {"italy": 2}))
    assert t.s.complexes["italy"] == 1
    pass_to(t, "mobilize").do(Place("italy", {"infantry": 2}))
    assert t.units("italy", "germany") == {"infantry": 2}


@pytest.mark.rule("aa1942:purchase.hold")
@pytest.mark.parametrize(
    ("unit", "here", "path"),
    [
        ("tank", "ukraine_ssr", "germany > poland"),
        ("fighter", "germany", "germany > poland > ukraine_ssr > caucasus"),
        ("submarine", "sz5", "sz5 > sz6"),
    ],
)
def test_bought_units_wait_and_cannot_move(unit: str, here: str, path: str) -> None:
    units = {"sz6": {"united_kingdom": "destroyer"}, "caucasus": {"soviet_union": "infantry"}}
    t = table("germany", "purchase", units)
    t.do(Buy({unit: 1}))
    assert t.units("germany", "germany") == t.units("sz5", "germany") == {}
    assert t.s.bought == {unit: 1}
    t.refused(move(unit, path))
    t.do(Done())
    t.refused(move(unit, path))
    t.do(Done())
    assert t.asked == "germany mobilize"


@pytest.mark.rule("aa1942:purchase.hold")
def test_bought_units_take_no_part_in_combat_and_cannot_be_lost() -> None:
    t = table(
        "germany",
        "purchase",
        {"poland": {"germany": "infantry"}, "belorussia": {"soviet_union": "infantry"}},
        control={"belorussia": "soviet_union"},
    )
    t.do(Buy({"infantry": 3}), move("infantry", "poland > belorussia"), Done())
    assert t.request.dice == 1
    t.dice(6).dice(1)
    assert t.s.bought == {"infantry": 3}
    t.do(Done(), Place("germany", {"infantry": 3}))
    assert t.units("germany", "germany") == {"infantry": 3}


@pytest.mark.rule("aa1942:purchase.hold")
def test_placed_units_do_not_act_before_the_next_turn() -> None:
    t = table("germany", "mobilize", bought={"tank": 2})
    t.do(Place("germany", {"tank": 1}))
    t.refused(move("tank", "germany > poland"))
    t.do(Place("germany", {"tank": 1}))
    assert t.asked == "united_kingdom purchase"


@pytest.mark.rule("aa1942:purchase.hold")
def test_a_bought_fighter_does_not_rise_against_a_raid() -> None:
    """It is on the board, and may intercept, only after it has been placed."""
    t = table(
        "germany",
        "purchase",
        {"united_kingdom": {"united_kingdom": "bomber"}},
        options={"interceptors": True},
    )
    t.do(Buy({"fighter": 1}))
    pass_to(t, "mobilize")
    assert t.units("germany", "germany") == {}
    t.do(Place("germany", {"fighter": 1}))
    t.do(Buy(), move("bomber", "united_kingdom > sz6 > northwestern_europe > germany", raid=True))
    t.do(Done())
    assert t.asked == "germany commit_interceptors"
    t.do(Intercept({"germany": 1}))


@pytest.mark.rule("aa1942:income.no-transfer")
def test_no_decision_gives_money_to_an_ally() -> None:
    t = table("germany", "purchase")
    for gift in (
        {"kind": "buy", "units": {}, "give": {"japan": 5}},
        {"kind": "give", "to": "japan", "ipcs": 5},
        {"kind": "buy", "units": {}, "repairs": {"japan": 1}},
    ):
        t.refused(gift)
    pass_turn(t)
    assert (t.s.treasury["germany"], t.s.treasury["japan"]) == (82, 30)
