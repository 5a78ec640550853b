"""Edge cases: the sequence of play."""

import pytest

from tests.aa1942.table import Buy, Done, table
from tests.aa1942.turns import pass_turn


@pytest.mark.rule("aa1942:order.voluntary", "aa1942:order.round.end", "aa1942:income.collect")
def test_sequence_01() -> None:
    """A power passes every phase; its income comes all the same, and the next power begins."""
    t = table("soviet_union", "purchase", {"russia": {"soviet_union": "tank"}})
    t.do(Buy(), Done(), Done())
    assert t.s.treasury["soviet_union"] == 48
    assert t.asked == "germany purchase"
    # And if it cannot collect, it does not.
    t = table("soviet_union", "purchase", control={"russia": "germany"})
    t.do(Done(), Done())
    assert t.s.treasury["soviet_union"] == 24
    assert t.asked == "germany purchase"


@pytest.mark.rule("aa1942:order.round", "aa1942:victory.check")
def test_sequence_02() -> None:
    """After the British come Japan, the United States, the check, and the Soviet Union."""
    nine = dict.fromkeys(("karelia_ssr", "india", "western_united_states"), "japan")
    for control in ({}, nine):
        t = table("united_kingdom", "collect_income", round=2, control=control)
        assert (t.s.round, t.s.turn) == (2, "japan")
        pass_turn(t)
        assert (t.s.round, t.s.turn) == (2, "united_states")
        assert t.game.result is None
        pass_turn(t)
        if control:
            assert t.game.result is not None
        else:
            assert (t.s.round, t.s.turn) == (3, "soviet_union")
