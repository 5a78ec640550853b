"""Games of three to five players: 21.1."""

from __future__ import annotations

import pytest

from sandtable.games.gw75 import RULES
from sandtable.games.gw75.rules.terms import commander, players
from tests.gw75.happenings import violate
from tests.gw75.table import state


@pytest.mark.rule("gw75:21.11a", "gw75:21.11b", "gw75:21.11c")
@pytest.mark.parametrize(
    ("number", "axis", "allies"),
    [
        (2, ("germany",), ("commonwealth",)),
        (3, ("germany", "japan"), ("commonwealth",)),
        (4, ("germany", "japan"), ("commonwealth", "ussr")),
        (5, ("germany", "japan"), ("commonwealth", "usa", "ussr")),
    ],
)
def test_who_plays_what_in_which_order(
    number: int, axis: tuple[str, ...], allies: tuple[str, ...]
) -> None:
    s = state(options={"players": number})
    assert players(s, "axis") == axis and players(s, "allies") == allies
    assert [seat[0] for seat in RULES.seats({"players": number})] == [*axis, *allies]
    assert commander(s, "italy") == "germany" and commander(s, "france") == "commonwealth"


@pytest.mark.rule("gw75:21.12")
def test_who_decides_for_the_others() -> None:
    s = state(options={"players": 5})
    assert commander(s, "finland") == "germany" and commander(s, "china") == "commonwealth"
    assert commander(s, "norway") == ""
    violate(s, "germany", "norway", "W3320")
    violate(s, "japan", "siam", "E2104")
    assert commander(s, "norway") == "commonwealth" and commander(s, "siam") == "commonwealth"
