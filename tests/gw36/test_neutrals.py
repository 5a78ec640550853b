"""Neutral forces that come later (6.1)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw36.facts import half_year
from sandtable.games.gw36.model import News, State, Unit
from sandtable.games.gw36.rules.neutrals import follow
from sandtable.kernel.table import Table
from tests.gw36.table import state


def infantry_after(date: str, **fields: Any) -> int:
    """Belgian infantry in Belgium, empty before, as the calendar turn has begun."""
    s = state(date=date, **fields)
    g: Table[State] = Table(s, lambda *_: (), lambda event: None, lambda strict: None)
    list(follow(g, News("calendar", number=half_year(date))))
    return s.stack("belgium").get(Unit("belgium", "infantry"), 0)


@pytest.mark.rule("gw36:6.1g")
def test_forces_come_on_their_date_while_their_nation_is_neutral() -> None:
    assert infantry_after("1939-01") == 1
    assert infantry_after("1939-07") == 0
    assert infantry_after("1939-01", aligned={"belgium": "france"}) == 0
    assert infantry_after("1939-01", control={"belgium": "france"}) == 0
    assert infantry_after("1939-01", wars=[("belgium", "germany")]) == 0
    assert infantry_after("1939-01", possession={"belgium": "germany"}) == 0
