"""Edge cases: income."""

import pytest

from sandtable.games.aa1942.rules.spaces import production
from tests.aa1942.table import Done, move, table


@pytest.mark.rule("aa1942:income.collect", "aa1942:combat.conclude.production")
def test_income_01() -> None:
    """Egypt, captured this turn, already pays Germany: 43."""
    t = table("germany", units={"libya": {"germany": "infantry"}}, treasury={"germany": 0})
    assert production(t.s, "germany") == 41
    t.do(move("infantry", "libya > egypt"), Done(), Done())
    assert t.s.treasury["germany"] == 43


@pytest.mark.rule("aa1942:income.capital")
def test_income_03() -> None:
    """With Moscow German the Soviet Union gets nothing for the territories it still has."""
    kept = ("kazakh_ssr", "vologda", "novosibirsk", "yakut_ssr")  # worth 2, 2, 1 and 1
    lost = [land for land, by in table("germany").s.control.items() if by == "soviet_union"]
    control = {land: "germany" for land in lost if land not in kept}
    t = table(
        "soviet_union",
        "noncombat_move",
        control=control,
        treasury={"soviet_union": 0},
    )
    assert production(t.s, "soviet_union") == 6
    t.do(Done())
    assert t.s.treasury["soviet_union"] == 0


@pytest.mark.rule("aa1942:multi.income")
def test_income_04() -> None:
    """Egypt pays the British, who control it, and not the Americans who stand there too."""
    t = table(
        "united_states",
        "noncombat_move",
        {"egypt": {"united_states": "infantry", "united_kingdom": "infantry"}},
        treasury={"united_states": 0, "united_kingdom": 0},
    )
    t.do(Done())
    assert (t.s.treasury["united_states"], t.s.treasury["united_kingdom"]) == (42, 0)
    assert production(t.s, "united_kingdom") == 31
