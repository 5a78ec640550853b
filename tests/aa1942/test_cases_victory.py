"""Edge cases: victory."""

import pytest

from sandtable.games.aa1942.rules.victory import cities_held
from tests.aa1942.table import Buy, Done, move, sail, table
from tests.aa1942.turns import pass_turn

NINE = dict.fromkeys(("karelia_ssr", "india", "western_united_states"), "japan")


@pytest.mark.rule("aa1942:victory.check", "aa1942:victory-city.capture")
def test_victory_01() -> None:
    """The Axis have nine cities until the Americans, last in the round, retake Manila."""
    hold = {"ship": "transport", "load": {"united_states": {"infantry": 1}}}
    t = table(
        "japan",
        "collect_income",
        {"sz48": {"united_states": "transport"}},
        cargo={"sz48": {"united_states": [hold]}},
        control=NINE,
        round=3,
    )
    assert cities_held(t.s)["axis"] == 9
    t.do(Buy(), sail("sz48", offload="philippine_islands"), Done())
    assert t.s.control["philippine_islands"] == "united_states"
    assert cities_held(t.s)["axis"] == 8
    pass_turn(t)
    assert t.game.result is None
    assert (t.s.round, t.asked) == (4, "soviet_union purchase")


@pytest.mark.rule("aa1942:victory.check", "aa1942:victory.standard")
def test_victory_02() -> None:
    """Nine Axis cities win at the end of the American turn and at no earlier moment."""
    t = table("soviet_union", "purchase", control=NINE)
    for _ in range(4):
        pass_turn(t)
        assert t.game.result is None
    assert t.asked == "united_states purchase"
    t.do(Buy(), Done())
    assert t.game.result is None
    t.do(Done())
    assert t.game.result is not None
    assert t.game.result.winners == ("germany", "japan")


@pytest.mark.rule("aa1942:victory.standard", "aa1942:setup.victory-choice")
def test_victory_04() -> None:
    """Without an agreement nine cities are enough for the Allies too; thirteen cities need ten."""
    control = dict.fromkeys(("france", "italy", "philippine_islands"), "united_states")
    t = table("united_states", "collect_income", control=control)
    assert t.game.result is not None
    assert t.game.result.winners == ("soviet_union", "united_kingdom", "united_states")
    faq = {"cities": 13}
    taken = {**control, "hawaiian_islands": "japan"}
    assert table("united_states", "collect_income", control=taken, options=faq).game.result is None
    t = table("united_states", "collect_income", control=control, options=faq)
    assert cities_held(t.s)["allies"] == 10
    assert t.game.result is not None


@pytest.mark.rule("aa1942:victory.check")
def test_nine_cities_taken_in_the_american_turn_itself_win() -> None:
    """The check looks at the board as it is when the turn is over."""
    t = table(
        "united_states",
        units={"northwestern_europe": {"united_states": "infantry"}},
        control={
            "italy": "united_kingdom",
            "kiangsu": "united_states",
            "northwestern_europe": "united_states",
        },
    )
    t.do(move("infantry", "northwestern_europe > france"), Done())
    assert cities_held(t.s)["allies"] == 9
    assert t.game.result is None
    t.do(Done())
    assert t.game.result is not None
