"""Collect income, and winning the game (p.6, p.23)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.aa1942.rules.victory import cities_held
from tests.aa1942.table import Buy, Done, Table, move, table
from tests.aa1942.turns import pass_turn

AXIS = ("germany", "japan")
ALLIES = ("soviet_union", "united_kingdom", "united_states")
AXIS_CITIES = ["germany", "france", "italy", "kiangsu", "philippine_islands", "japan"]
ALLIED_CITIES = [
    "karelia_ssr",
    "india",
    "western_united_states",
    "russia",
    "united_kingdom",
    "eastern_united_states",
]


def axis_with(count: int, **more: Any) -> Table:
    """The American turn is about to end, and the Axis hold that many of the twelve cities."""
    control = dict.fromkeys(ALLIED_CITIES[: count - 6], "japan")
    return table("united_states", "collect_income", control=control, **more)


def allies_with(count: int, **more: Any) -> Table:
    """The same for the Allies."""
    control = dict.fromkeys(AXIS_CITIES[: count - 6], "united_kingdom")
    return table("united_states", "collect_income", control=control, **more)


@pytest.mark.rule("aa1942:setup.victory-cities")
def test_each_side_holds_six_cities_at_the_start() -> None:
    t = table("germany")
    assert cities_held(t.s) == {"allies": 6, "axis": 6}
    for city in AXIS_CITIES:
        assert cities_held(table("germany", control={city: "soviet_union"}).s)["axis"] == 5
    for city in ALLIED_CITIES:
        assert cities_held(table("germany", control={city: "japan"}).s)["axis"] == 7
    for land in ("hawaiian_islands", "poland", "caucasus", "western_canada", "burma"):
        other = "japan" if t.s.control[land] != "germany" else "soviet_union"
        assert cities_held(table("germany", control={land: other}).s)["axis"] == 6


@pytest.mark.rule("aa1942:setup.victory-cities")
def test_honolulu_counts_only_by_the_option() -> None:
    control = {"hawaiian_islands": "japan"}
    assert cities_held(table("germany", control=control).s) == {"allies": 6, "axis": 6}
    faq = {"cities": 13}
    assert cities_held(table("germany", options=faq).s) == {"allies": 7, "axis": 6}
    t = table("germany", control=control, options=faq)
    assert cities_held(t.s) == {"allies": 6, "axis": 7}


@pytest.mark.rule("aa1942:victory.standard", "aa1942:setup.victory-choice")
@pytest.mark.parametrize("count", [6, 8, 9, 10, 12])
def test_nine_cities_win_by_default(count: int) -> None:
    t = axis_with(count)
    assert t.game.result is None if count < 9 else t.game.result is not None
    if t.game.result is not None:
        assert t.game.result.winners == AXIS
        assert str(count) in t.game.result.reason
        assert not t.game.pending
        t.refused(Buy(), by="soviet_union")
    else:
        assert (t.s.round, t.asked) == (2, "soviet_union purchase")


@pytest.mark.rule("aa1942:victory.standard")
@pytest.mark.parametrize("count", [8, 9, 11])
def test_the_allies_need_nine_as_well(count: int) -> None:
    t = allies_with(count)
    if count < 9:
        assert t.game.result is None
    else:
        assert t.game.result is not None
        assert t.game.result.winners == ALLIES


@pytest.mark.rule("aa1942:victory.total", "aa1942:setup.victory-choice")
@pytest.mark.parametrize("count", [9, 11, 12])
def test_total_victory_needs_all_twelve(count: int) -> None:
    for t, winners in (
        (axis_with(count, options={"victory": "total"}), AXIS),
        (allies_with(count, options={"victory": "total"}), ALLIES),
    ):
        if count < 12:
            assert t.game.result is None
        else:
            assert t.game.result is not None
            assert t.game.result.winners == winners


def thirteen(side: str, count: int, victory: str = "standard") -> Table:
    """The end of a round in which a side holds that many of thirteen cities."""
    own, other = (AXIS_CITIES, [*ALLIED_CITIES, "hawaiian_islands"])
    if side == "allies":
        own, other = other, own
    taken = dict.fromkeys(other[: count - len(own)], "japan" if side == "axis" else "soviet_union")
    return table(
        "united_states",
        "collect_income",
        control=taken,
        options={"cities": 13, "victory": victory},
    )


@pytest.mark.rule("aa1942:victory.standard")
@pytest.mark.parametrize(
    ("side", "count", "wins"),
    [
        ("axis", 8, False),
        ("axis", 9, True),
        ("axis", 13, True),
        ("allies", 9, False),
        ("allies", 10, True),
        ("allies", 11, True),
    ],
)
def test_with_thirteen_cities_the_axis_need_nine_and_the_allies_ten(
    side: str, count: int, wins: bool
) -> None:
    t = thirteen(side, count)
    assert cities_held(t.s)[side] == count
    assert (t.game.result is not None) == wins
    if t.game.result is not None:
        assert t.game.result.winners == (AXIS if side == "axis" else ALLIES)


@pytest.mark.rule("aa1942:victory.total")
@pytest.mark.parametrize("side", ["axis", "allies"])
def test_with_thirteen_cities_total_victory_needs_them_all(side: str) -> None:
    assert thirteen(side, 12, "total").game.result is None
    assert thirteen(side, 13, "total").game.result is not None


@pytest.mark.rule("aa1942:victory.check")
@pytest.mark.parametrize("power", ["soviet_union", "germany", "united_kingdom", "japan"])
def test_cities_are_counted_only_after_the_american_turn(power: str) -> None:
    t = table(power, "collect_income", control=dict.fromkeys(ALLIED_CITIES[:3], "japan"))
    assert cities_held(t.s)["axis"] == 9
    while t.s.turn != "united_states":
        assert t.game.result is None
        pass_turn(t)
    assert t.game.result is None
    t.do(Buy(), Done())
    assert t.game.result is None
    t.do(Done())
    assert t.game.result is not None
    assert t.game.result.winners == AXIS
    assert t.events("won") == [{"winners": AXIS, "reason": t.game.result.reason}]


@pytest.mark.rule("aa1942:victory.check", "aa1942:victory-city.capture")
def test_cities_held_and_lost_within_the_round_do_not_count() -> None:
    t = table(
        "germany",
        units={
            "finland": {"germany": "infantry"},
            "archangel": {"united_kingdom": "infantry"},
        },
        control=dict.fromkeys(("india", "western_united_states"), "japan"),
    )
    t.do(move("infantry", "finland > karelia_ssr"), Done())
    assert cities_held(t.s)["axis"] == 9
    t.do(Done(), Buy(), move("infantry", "archangel > karelia_ssr"), Done()).dice(1).dice(6)
    assert cities_held(t.s)["axis"] == 8
    while t.s.turn != "soviet_union":
        pass_turn(t)
    assert (t.game.result, t.s.round) == (None, 2)


@pytest.mark.rule("aa1942:victory.check")
def test_income_is_collected_before_the_check() -> None:
    t = axis_with(9, treasury={"united_states": 0})
    assert t.game.result is not None
    assert t.s.treasury["united_states"] == 42 - 10


# Income.


@pytest.mark.rule("aa1942:income.collect")
def test_income_is_the_level_at_the_moment_of_collecting() -> None:
    t = table(
        "germany",
        "purchase",
        {"ukraine_ssr": {"germany": "infantry"}},
        treasury={"germany": 10},
    )
    t.do(Buy({"infantry": 1}), move("infantry", "ukraine_ssr > caucasus"), Done(), Done())
    assert t.s.treasury["germany"] == 7
    pass_turn(t)
    assert t.s.treasury["germany"] == 7 + 45
    assert t.events("collected")[-1] == {"power": "germany", "ipcs": 45}


@pytest.mark.rule("aa1942:income.collect")
def test_only_the_acting_power_collects() -> None:
    t = table("germany", "noncombat_move")
    before = dict(t.s.treasury)
    t.do(Done())
    assert t.s.treasury == {**before, "germany": 82}


@pytest.mark.rule("aa1942:income.capital")
@pytest.mark.parametrize(("holder", "income"), [("germany", 0), ("japan", 0), ("soviet_union", 24)])
def test_no_income_while_an_enemy_holds_the_capital(holder: str, income: int) -> None:
    t = table(
        "soviet_union",
        "collect_income",
        control={"russia": holder},
        treasury={"soviet_union": 5},
    )
    assert t.s.treasury["soviet_union"] == 5 + income


@pytest.mark.rule("aa1942:income.collect")
def test_damage_to_a_complex_costs_no_income() -> None:
    t = table("germany", "collect_income", damage={"germany": 20}, treasury={"germany": 0})
    assert t.s.treasury["germany"] == 41


@pytest.mark.rule("aa1942:income.no-transfer")
def test_powers_of_one_side_keep_their_money_apart_for_a_whole_round() -> None:
    t = table("soviet_union", "purchase", treasury=dict.fromkeys((*AXIS, *ALLIES), 100))
    for _ in range(5):
        pass_turn(t)
    assert t.s.treasury == {
        "soviet_union": 124,
        "germany": 141,
        "united_kingdom": 131,
        "japan": 130,
        "united_states": 142,
    }
