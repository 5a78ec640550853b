"""Order of play (p.10): rounds, turns and phases."""

from __future__ import annotations

import pytest

import sandtable
from tests.aa1942.table import Buy, Done, Place, Table, move, table
from tests.aa1942.turns import pass_turn

POWERS = ["soviet_union", "germany", "united_kingdom", "japan", "united_states"]


@pytest.mark.rule("aa1942:order.round", "aa1942:order.round.end")
def test_two_rounds() -> None:
    t = Table(sandtable.new("aa1942", chance="explicit"))
    turns = []
    for _ in range(10):
        assert t.asked == f"{t.s.turn} purchase"
        turns.append((t.s.round, t.s.turn))
        pass_turn(t)
    assert turns == [(1, power) for power in POWERS] + [(2, power) for power in POWERS]
    assert (t.s.round, t.asked) == (3, "soviet_union purchase")
    assert t.game.result is None
    assert t.events("turn_began") == [
        {"power": power, "round": round_} for round_, power in [*turns[1:], (3, "soviet_union")]
    ]


def full_turn() -> Table:
    return table(
        "germany",
        "purchase",
        {
            "ukraine_ssr": {"germany": "3 infantry"},
            "poland": {"germany": "infantry"},
            "caucasus": {"soviet_union": "infantry"},
        },
    )


@pytest.mark.rule("aa1942:order.phases")
def test_the_six_phases_of_a_turn() -> None:
    t = full_turn()
    asked = [t.asked]
    for decision in (Buy({"infantry": 1}), move("2 infantry", "ukraine_ssr > caucasus"), Done()):
        t.do(decision)
        asked.append(t.asked)
    t.dice(1, 6).dice(6)
    asked.append(t.asked)
    t.do(Done())
    asked.append(t.asked)
    assert t.s.treasury["germany"] == 38
    t.do(Place("germany", {"infantry": 1}))
    assert asked == [
        "germany purchase",
        "germany combat_move",
        "germany combat_move",
        "chance roll",
        "germany noncombat_move",
        "germany mobilize",
    ]
    assert t.s.treasury["germany"] == 38 + 45
    assert t.asked == "united_kingdom purchase"


@pytest.mark.rule("aa1942:order.phases")
def test_nothing_is_done_out_of_its_phase() -> None:
    t = full_turn()
    attack, walk = (
        move("2 infantry", "ukraine_ssr > caucasus"),
        move("infantry", "poland > germany"),
    )
    buy, place = Buy({"infantry": 1}), Place("germany", {"infantry": 1})
    for early in (attack, walk, place, Done()):
        t.refused(early)
    t.do(buy)
    for wrong in (buy, place, walk):
        t.refused(wrong)
    t.do(attack, Done())
    t.refused(Done())
    t.dice(1, 6).dice(6)
    for wrong in (buy, place, move("infantry", "ukraine_ssr > west_russia > archangel")):
        t.refused(wrong)
    t.do(walk, Done())
    for late in (buy, walk, attack):
        t.refused(late)
    t.do(place)
    for over in (buy, walk, place, Done()):
        t.refused(over, by="germany")


@pytest.mark.rule("aa1942:order.voluntary", "aa1942:income.collect")
@pytest.mark.parametrize("power", POWERS)
def test_a_power_may_do_nothing_but_has_to_take_its_income(power: str) -> None:
    t = table(power, "purchase", treasury={power: 3})
    income = {"germany": 41, "united_kingdom": 31, "japan": 30, "united_states": 42}.get(power, 24)
    t.do(Buy(), Done(), Done())
    assert t.s.turn != power
    assert t.s.treasury[power] == 3 + income
    assert t.events("collected") == [{"power": power, "ipcs": income}]


@pytest.mark.rule("aa1942:order.voluntary")
def test_nobody_has_to_attack_move_or_spend() -> None:
    t = table(
        "germany",
        "purchase",
        {"ukraine_ssr": {"germany": "9 tank, 3 fighter"}, "sz15": {"germany": "cruiser"}},
        treasury={"germany": 99},
    )
    t.do(Buy(), Done(), Done())
    assert t.asked == "united_kingdom purchase"
    assert t.units("ukraine_ssr", "germany") == {"tank": 9, "fighter": 3}
    assert t.s.control["caucasus"] == "soviet_union"
    assert t.s.treasury["germany"] == 99 + 41


@pytest.mark.rule("aa1942:order.round.end")
def test_what_units_did_is_forgotten_when_the_turn_ends() -> None:
    t = table("germany", "noncombat_move", {"poland": {"germany": "infantry"}})
    t.do(move("infantry", "poland > germany"))
    t.refused(move("infantry", "germany > poland"), "noncombat.eligible")
    while t.s.turn == "germany":
        t.do(Done())
    while t.s.turn != "germany":
        pass_turn(t)
    assert (t.s.round, t.asked) == (2, "germany purchase")
    t.do(Buy(), Done(), move("infantry", "germany > poland"))
    assert t.units("poland", "germany") == {"infantry": 1}


@pytest.mark.rule("aa1942:order.round.end", "aa1942:order.round")
def test_the_round_ends_after_the_united_states() -> None:
    t = table("japan", "collect_income", round=6)
    assert (t.s.round, t.s.turn) == (6, "united_states")
    pass_turn(t)
    assert (t.s.round, t.s.turn) == (7, "soviet_union")
