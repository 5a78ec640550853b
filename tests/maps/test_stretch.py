"""The stretch of an axis: smooth, monotone, invertible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.maps.board import board_of
from sandtable.maps.plan import plan_of
from sandtable.maps.stretch import Stretch

KNOTS = [(-100.0, 1.0), (-10.0, 2.5), (40.0, 2.5), (260.0, 1.0)]
ROUND = Stretch(KNOTS, 10.0, 360.0)
FLAT = Stretch([(-60.0, 0.5), (40.0, 3.0), (80.0, 1.0)], 7.0)


@pytest.mark.parametrize("stretch", [ROUND, FLAT])
@given(degree=st.floats(-400, 700))
def test_a_place_leads_back_to_its_degree(stretch: Stretch, degree: float) -> None:
    assert stretch.degree(stretch.place(degree)) == pytest.approx(degree, abs=1e-6)


@pytest.mark.parametrize("stretch", [ROUND, FLAT])
@given(degree=st.floats(-400, 700), step=st.floats(1e-3, 100))
def test_what_is_farther_east_is_farther_right(
    stretch: Stretch, degree: float, step: float
) -> None:
    assert stretch.place(degree + step) > stretch.place(degree)


def test_the_globe_goes_round() -> None:
    assert ROUND.place(120.0 + 360.0) == pytest.approx(ROUND.place(120.0) + ROUND.length)
    assert ROUND.place(-100.0) == 0


def test_the_weight_is_the_length_of_a_degree() -> None:
    assert ROUND.place(21.0) - ROUND.place(20.0) == pytest.approx(25.0)


@pytest.mark.parametrize(
    ("knots", "period"),
    [
        ([(0.0, 1.0)], None),
        ([(0.0, 1.0), (0.0, 2.0)], None),
        ([(0.0, 1.0), (1.0, 0.0)], None),
        ([(0.0, 1.0), (360.0, 2.0)], 360.0),
        ([(0.0, 1.0), (350.0, 1.0)], 360.0),
    ],
)
def test_an_unsound_stretch_is_refused(
    knots: list[tuple[float, float]], period: float | None
) -> None:
    with pytest.raises(ValueError):
        Stretch(knots, 1.0, period)


@pytest.mark.parametrize("game", ["aa1942", "blitz"])
def test_europe_has_two_to_three_times_its_size(game: str) -> None:
    sheet = plan_of(board_of(game)).sheet
    x = Stretch(sheet.longitude, 1.0, 360.0)
    y = Stretch(sheet.latitude)
    wide = (x.place(30) - x.place(-5)) / 35 / (x.length / 360)
    high = (y.place(60) - y.place(37)) / 23 / (y.length / (y.degrees[-1] - y.degrees[0]))
    assert 1.9 <= wide <= 3
    assert 1.5 <= high <= 3
