"""The driver for rule tests, on the toy game."""

from __future__ import annotations

import pytest

from sandtable.testing import Driver, counts
from tests.kernel.toy import Done, Place

pytestmark = pytest.mark.usefixtures("toy")


def test_units_are_said_in_words() -> None:
    assert counts("2 infantry, tank") == {"infantry": 2, "tank": 1}
    assert counts("") == {}


def test_who_is_asked_what_and_what_happened() -> None:
    d = Driver("toy")
    assert d.asked == "red place_stones"
    assert d.request is d.request_of("red")
    d.do(Place("north"), {"kind": "place", "field": "east"})
    assert [event["space"] for event in d.events("placed")] == ["north", "east"]
    with pytest.raises(AssertionError, match="nothing waits for red, but: green place_stones"):
        d.request_of("red")


def test_what_leaves_no_choice_is_answered_unless_one_wants_to_be_asked() -> None:
    """After its two stones a power can only be done."""
    needed, always = Driver("toy"), Driver("toy", ask="always")
    for d in (needed, always):
        d.do(Place("north"), Place("east"))
    assert needed.asked == "green place_stones"
    assert always.asked == "red place_stones"
    always.do(Done())
    assert always.game.hash == needed.game.hash


def test_a_refusal_is_an_illegal_decision_that_changes_nothing() -> None:
    d = Driver("toy")
    assert d.refused(Place("moon")) == "There is no field moon."
    with pytest.raises(AssertionError, match="is allowed"):
        d.refused(Place("north"))
    with pytest.raises(AssertionError, match="refused by"):
        Driver("toy").refused(Place("moon"), rule="another.rule")


def test_dice_are_chosen_when_they_are_asked_for() -> None:
    d = Driver("toy")
    with pytest.raises(AssertionError, match="no roll is pending, but: red place_stones"):
        d.dice(1)
    with pytest.raises(AssertionError, match="no roll is pending"):
        _ = d.rolling
