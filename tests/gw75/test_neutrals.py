"""Neutral countries: chapter 11."""

from __future__ import annotations

import pytest

from sandtable.games.gw75.rules import neutrals, politics
from tests.gw75.table import Unit, state


@pytest.mark.rule("gw75:11.0a")
def test_who_is_given_to_no_side_is_neutral() -> None:
    s = state()
    assert neutrals.violates(s, "germany", "W3320") == "norway"
    assert neutrals.violates(s, "germany", "W3122") == ""


@pytest.mark.rule("gw75:11.0c")
def test_the_axis_may_violate_a_neutral() -> None:
    assert neutrals.barred(state(), "germany", "W3119") == ""


@pytest.mark.rule("gw75:11.11a")
def test_neutral_units_do_not_move() -> None:
    s = state(units={"W3320": {"norway": "sd"}})
    assert politics.frozen(s, "norway", Unit("norway", "sd"), "W3320")
    assert politics.may_attack(s, "norway", "germany", "W3220")


@pytest.mark.rule("gw75:11.3b")
def test_flights_over_land_and_contra_naval_hexsides_violate() -> None:
    s = state()
    assert neutrals.flown_over(s, "germany", "W3320", "W3321") == "sweden"
    assert neutrals.flown_over(s, "germany", "W3320", "W3420") == "norway"
    assert neutrals.flown_over(s, "germany", "W3120", "W3220") == ""


@pytest.mark.rule("gw75:19.35")
def test_the_allies_may_not_enter_the_neutral_usa() -> None:
    s = state()
    assert "19.35" in neutrals.barred(s, "commonwealth", "W2805")
    assert neutrals.barred(s, "japan", "E2007") == ""
