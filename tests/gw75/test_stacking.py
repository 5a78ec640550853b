"""Stacking of land units (chapter 7)."""

import pytest

from sandtable.games.gw75.rules import stacking
from tests.gw75.table import state

BERLIN, BAVARIA = "W3121", "W3020"


@pytest.mark.rule("gw75:7.0a")
def test_ten_points_of_all_kinds_fit_into_a_hex():
    s = state(units={BERLIN: {"germany": "3 inf, 2 mech, sd, 2 fort"}})
    assert stacking.room(s, BERLIN, "axis") == 2
    assert stacking.room(s, BAVARIA, "axis") == 10


@pytest.mark.rule("gw75:7.0a", "gw75:7.34")
def test_points_of_allies_count_together():
    s = state(units={BERLIN: {"germany": "3 inf", "italy": "4 inf", "hungary": "inf"}})
    assert stacking.room(s, BERLIN, "axis") == 2


@pytest.mark.rule("gw75:7.31")
def test_naval_and_air_units_do_not_count():
    s = state(units={BERLIN: {"germany": "3 inf, 4 surf_b, 9 ss, 5 ms, 3 amph, 2 ad, 2 lrb"}})
    assert stacking.room(s, BERLIN, "axis") == 7


@pytest.mark.rule("gw75:5.57a", "gw75:7.0a")
def test_a_landing_party_is_counted_apart_from_the_enemies_in_the_hex():
    s = state(
        units={
            "W3018": {
                "germany": "9 inf",
                "commonwealth": {"inf": [{"duty": "assault", "origin": "W3118"}]},
            }
        }
    )
    assert stacking.room(s, "W3018", "axis") == 1
    assert stacking.room(s, "W3018", "allies") == 9


@pytest.mark.rule("gw75:7.36")
def test_one_fortification_in_a_hex():
    s = state(units={BERLIN: {"germany": "2 fort"}, BAVARIA: {"germany": "fort, 3 inf"}})
    assert [stacking.fort_room(s, hex) for hex in (BERLIN, BAVARIA, "W3120")] == [0, 1, 2]


@pytest.mark.rule("gw75:8.13", "gw75:7.0a")
def test_sixty_points_can_stand_around_a_hex():
    s = state()
    around = [hex for hex in s.facts.near[BAVARIA] if hex in s.facts.land[BAVARIA]]
    assert len(around) == 6
    assert sum(stacking.room(s, hex, "allies") for hex in around) == 60
