"""Destroyed convoys (3.5, E.3)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.rules.convoys import convoy_destroyed, convoy_left, convoy_stands
from tests.blitz.table import position


def at(scenario: str = "campaign", **given: Any) -> Any:
    return position(scenario, phase="axis_activities", step="C", **given)


@pytest.mark.rule("blitz:3.5a")
def test_the_marker_comes_and_goes_with_its_condition() -> None:
    s = at(convoy_damage={"tasman_sea": 0, "north_atlantic": 1})
    assert not convoy_destroyed(s, "tasman_sea") and convoy_stands(s, "tasman_sea")
    s.set_control("canberra", "japan")
    assert convoy_destroyed(s, "tasman_sea") and not convoy_stands(s, "tasman_sea")
    s.set_control("canberra", "usa")
    assert not convoy_destroyed(s, "tasman_sea")
    assert convoy_left(s, "north_atlantic") == 1
    assert convoy_left(s, "baltic_sea") == 1 and convoy_left(s, "arctic_ocean") == 0


@pytest.mark.rule("blitz:3.5b")
@pytest.mark.rule("blitz:E.3b")
@pytest.mark.parametrize(
    ("sea", "country"),
    [
        ("north_atlantic", "canada"),
        ("cape_verde_basin", "great_britain"),
        ("cape_basin", "great_britain"),
    ],
)
def test_canada_and_britain_by_conquest(sea: str, country: str) -> None:
    s = at()
    areas = {area: "germany" for area in s.facts.countries[country].areas}
    assert not convoy_destroyed(at(control=areas), sea), "held, but not conquered"
    assert convoy_destroyed(at(conquered={country: "axis"}), sea)


@pytest.mark.rule("blitz:3.5c")
@pytest.mark.parametrize(
    ("sea", "country", "foe", "friend"),
    [
        ("western_approaches", "france", "germany", "usa"),
        ("usa_east_coast", "usa", "germany", "afa"),
        ("mexican_coast", "usa", "japan", "afa"),
        ("east_china_sea", "japan", "usa", "germany"),
        ("japanese_coast", "japan", "usa", "germany"),
    ],
)
def test_france_japan_and_the_usa_by_their_coast(
    sea: str, country: str, foe: str, friend: str
) -> None:
    s = at()
    coast = [a for a in s.facts.countries[country].areas if sea in s.facts.lands[a].seas]
    assert coast and not convoy_destroyed(s, sea)
    lost = dict.fromkeys(coast, foe)
    assert convoy_destroyed(at(control=lost), sea)
    assert not convoy_destroyed(at(control={**lost, coast[0]: friend}), sea), "friendly is enough"


@pytest.mark.rule("blitz:3.5d")
@pytest.mark.parametrize(
    ("sea", "area"), [("tasman_sea", "canberra"), ("bay_of_bengal", "hyderabad")]
)
def test_australia_and_india_by_one_area(sea: str, area: str) -> None:
    country = at().facts.lands[area].country
    others = {a: "japan" for a in at().facts.countries[country].areas if a != area}
    assert not convoy_destroyed(at(control=others), sea)
    assert convoy_destroyed(at(control={area: "japan"}), sea)


@pytest.mark.rule("blitz:3.5e")
def test_the_swedish_convoy_needs_a_resource_from_sweden_or_norway() -> None:
    assert not convoy_destroyed(at(), "baltic_sea"), "Sweden trades"
    assert convoy_destroyed(at(trades=[]), "baltic_sea")
    assert not convoy_destroyed(at(trades=["norway_to_germany"]), "baltic_sea")
    assert convoy_destroyed(at(trades=["sweden_to_ussr"]), "baltic_sea")
    for area in ("norway", "sweden"):
        assert not convoy_destroyed(at(trades=[], control={area: "germany"}), "baltic_sea")
        assert convoy_destroyed(at(trades=[], control={area: "afa"}), "baltic_sea")


@pytest.mark.rule("blitz:3.5f")
@pytest.mark.rule("blitz:E.3b")
@pytest.mark.parametrize("scenario", ["E", "campaign"])
def test_the_south_china_convoy_needs_goods_on_its_coast(scenario: str) -> None:
    s = at(scenario)
    lands = s.facts.lands
    coast = [area for area in s.facts.coast["south_china_sea"] if area in s.control]
    rich = [area for area in coast if lands[area].oil or lands[area].resource]
    poor = [area for area in coast if area not in rich]
    assert rich and poor
    for area in coast:
        s.set_control(area, "japan" if area in poor else next(iter(s.scenario.powers[-1:])))
    assert convoy_destroyed(s, "south_china_sea")
    s.set_control(rich[0], "japan")
    assert not convoy_destroyed(s, "south_china_sea")


def test_a_scenario_may_have_one_destroyed_throughout() -> None:
    assert convoy_destroyed(position("C"), "western_approaches")
