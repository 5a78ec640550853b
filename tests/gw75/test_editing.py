"""The position changed by hand: what follows from an edit, and what it cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.editing import edit
from sandtable.games.gw75.rules.terms import at_war, side
from sandtable.kernel.errors import PositionError
from tests.gw75.table import state


@pytest.mark.rule("gw75:19.76a")
def test_mongolia_follows_the_ussr_into_a_war_and_out_of_it() -> None:
    s = state(turn=8, wars=[("germany", "commonwealth")])
    changes = edit(s, {"wars": {"germany": {"ussr": "war"}}})
    assert at_war(s, "germany", "mongolia") and side(s, "mongolia") == "allies"
    assert [each.change for each in changes] == [
        "Germany and Mongolia are at war",
        "Germany and Soviet Union are at war",
    ]
    edit(s, {"wars": {"ussr": {"germany": "peace"}}})
    assert not at_war(s, "germany", "mongolia") and not at_war(s, "germany", "ussr")


@pytest.mark.parametrize(
    ("patch", "sentence"),
    [
        ({"wars": {"italy": {"usa": "war"}}}, "Italy has fallen."),
        ({"held": {"W2921": "italy"}}, "Italy has fallen."),
        ({"units": {"W2722": {"italy": {"ms": 1}}}}, "Italy has fallen."),
        ({"held": {"W2517": "vichy"}}, "There is no Vichy France now."),
        ({"units": {"W2517": {"vichy": {"inf": 1}}}}, "There is no Vichy France now."),
    ],
)
def test_who_has_fallen_or_is_not_there_gets_nothing(patch: dict[str, Any], sentence: str) -> None:
    s = state(turn=12, fallen=["italy"])
    with pytest.raises(PositionError) as caught:
        edit(s, patch)
    assert str(caught.value) == sentence
