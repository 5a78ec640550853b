"""Weather (chapter 10)."""

import pytest

from sandtable.games.gw75.rules import weather
from tests.gw75.table import state

PARIS, ALGIERS = "W3019", "W2619"
SPRING_40, SUMMER_40, WINTER_40 = 3, 4, 2


@pytest.mark.rule("gw75:10.0a", "gw75:10.13a")
def test_spring_doubles_the_defense_in_the_weather_area():
    s = state(turn=SPRING_40)
    assert weather.defense(s, PARIS, 3) == 6
    assert weather.defense(s, ALGIERS, 3) == 3


@pytest.mark.rule("gw75:10.0a", "gw75:10.13a")
@pytest.mark.parametrize("turn", [1, WINTER_40, SUMMER_40])
def test_no_other_season_does(turn: int):
    assert weather.defense(state(turn=turn), PARIS, 3) == 3


@pytest.mark.rule("gw75:10.0b")
def test_the_weather_of_the_defenders_hex_counts():
    """The hexes on both sides of the line: the attacker's is not even asked for."""
    s = state(turn=SPRING_40)
    north, south = "W2922", "W2822"
    assert south in s.facts.land[north]
    assert (weather.defense(s, north, 2), weather.defense(s, south, 2)) == (4, 2)


@pytest.mark.rule("gw75:5.14a", "gw75:10.0a")
def test_the_weather_area_begins_north_of_row_28():
    hexes = state().facts.hexes
    assert [hexes[each].weather for each in ("W2801", "W2901", "E2833", "E2933", "W3930")] == [
        False,
        True,
        False,
        True,
        True,
    ]


@pytest.mark.rule("gw75:10.14")
@pytest.mark.parametrize(
    ("invaded", "turn", "points"),
    [
        (8, 10, 8),  # summer of 1941, the winter after it
        (8, 14, 4),  # the second winter
        (10, 10, 4),  # invaded in a winter: not in this one
        (10, 14, 8),  # but in the next
        (8, 9, 4),  # fall
        (0, 10, 4),  # not invaded
    ],
)
def test_the_ussr_doubles_in_the_first_winter_after_the_invasion(
    invaded: int, turn: int, points: int
):
    s = state(turn=turn, counts={"invaded_ussr": invaded} if invaded else {})
    assert weather.strength(s, "ussr", 4) == points


@pytest.mark.rule("gw75:10.14")
def test_nobody_else_doubles():
    s = state(turn=10, counts={"invaded_ussr": 8})
    assert weather.strength(s, "germany", 4) == 4
    assert weather.strength(s, "commonwealth", 4) == 4
