"""The option of a bid: one side gets units before the game begins."""

from __future__ import annotations

from typing import Any

import pytest

import sandtable
from sandtable.games.aa1942.decisions import Buy, Done, PlaceUnit
from sandtable.kernel.errors import IllegalDecision


def game(**options: Any) -> sandtable.Game:
    return sandtable.new("aa1942", seed=1, options={"bid": 9, "bid_side": "axis", **options})


def test_a_side_places_units_one_to_a_space_where_the_power_has_units_already() -> None:
    g = game()
    assert [(r.power, r.kind, r.left) for r in g.pending] == [("germany", "bid", 9)]
    before = g.hash
    for space, type_ in (
        ("russia", "infantry"),
        ("japan", "infantry"),
        ("libya", "submarine"),
        ("sz5", "infantry"),
        ("libya", "bomber"),
        ("libya", "industrial_complex"),
        ("sz12", "submarine"),
    ):
        with pytest.raises(IllegalDecision):
            g.submit("germany", PlaceUnit(space, type_))
    assert g.hash == before
    count = sum(n for u, n in g.state.stack("libya").items() if u.type == "infantry")
    g.submit("germany", PlaceUnit("libya", "infantry"))
    assert sum(n for u, n in g.state.stack("libya").items() if u.type == "infantry") == count + 1
    with pytest.raises(IllegalDecision):
        g.submit("germany", PlaceUnit("libya", "infantry"))
    g.submit("germany", Done())
    # What is left is for the other power of the side.
    assert [(r.power, r.left) for r in g.pending] == [("japan", 6)]
    g.submit("japan", PlaceUnit("manchuria", "artillery"))
    # Two IPCs buy nothing: they are kept, and the game begins.
    assert [(r.power, r.kind) for r in g.pending] == [("soviet_union", "purchase")]
    assert g.state.treasury["japan"] == game(bid=0).state.treasury["japan"] + 2
    assert not g.rules.audit(g.state)
    told = [g.rules.sentence(g.state, event) for event in g.events]
    assert told[0] == "Germany placed 1 infantry of the bid in Libya; 6 IPCs left."
    assert told[2] == "Japan kept 2 IPCs of the bid."
    g.undo()
    assert [(r.power, r.left) for r in g.pending] == [("japan", 6)]


def test_without_a_bid_the_game_begins_at_once() -> None:
    g = game(bid=0)
    assert [r.kind for r in g.pending] == ["purchase"]
    g.submit("soviet_union", Buy())


def test_the_form_offers_what_is_legal_and_says_what_is_left() -> None:
    g = game(bid_side="allies")
    legal = g.legal(g.pending[0])
    form = g.rules.form(legal)
    assert "9 IPCs are left" in form.prompt
    assert form.notes == ("What is not spent goes to the United States.",)
    assert form.choices and all(legal.why_not(each.decision) == "" for each in form.choices)
