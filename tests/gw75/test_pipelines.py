"""Pipelines (18.6): Merchant Ships and Communications Areas."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import industry, pipelines
from tests.gw75.table import state

WAR = [("commonwealth", "germany"), ("germany", "usa"), ("commonwealth", "japan")]
NEW_YORK, LONDON, HALIFAX = "W2805", "W3118", "W2907"


def sea(ships: dict[str, Any], **fields: Any) -> State:
    units = {
        hex: {"commonwealth": f"{given} ms"} if isinstance(given, int) else given
        for hex, given in ships.items()
    }
    return state(units=units, **{"wars": WAR, **fields})


@pytest.mark.rule("gw75:18.63a", "gw75:12.43a")
def test_neighbours_are_at_most_eleven_hexes_apart() -> None:
    """pipeline_spacing: ten hexes between them will do, eleven are too many."""
    s = sea({"W2306": 1, "W2715": 1})
    assert s.facts.voyages("W2306", 12, frozenset())["W2715"] == 11
    assert pipelines.capacity(s, "commonwealth", NEW_YORK, LONDON) == 1
    s = sea({"W2306": 1, "W2616": 1})
    assert s.facts.voyages("W2306", 12, frozenset())["W2616"] == 12
    assert pipelines.capacity(s, "commonwealth", NEW_YORK, LONDON) == 0


@pytest.mark.rule("gw75:18.63a")
def test_the_last_holding_area_is_within_five_hexes_of_the_port() -> None:
    near, far = sea({"W2912": 1, "W3014": 1}), sea({"W2913": 1, "W3014": 1})
    assert pipelines.capacity(near, "commonwealth", HALIFAX, LONDON) == 1
    assert pipelines.capacity(far, "commonwealth", HALIFAX, LONDON) == 0


@pytest.mark.rule("gw75:18.63a", "gw75:18.81")
def test_from_new_york_to_london_takes_two_holding_areas() -> None:
    """us_uk_two_areas: they are 14 hexes apart, so no single one is near both."""
    s = sea({})
    open_sea: frozenset[str] = frozenset()
    around = s.facts.voyages(NEW_YORK, 5, open_sea).keys() & s.facts.voyages(LONDON, 5, open_sea)
    assert s.facts.distance(NEW_YORK, LONDON) == 14
    assert not around
    s = sea({"W2910": 4, "W3014": 2})
    assert pipelines.route(s, "commonwealth", NEW_YORK, LONDON) == ("W2910", "W3014")


@pytest.mark.rule("gw75:18.64b", "gw75:18.64a")
def test_the_smallest_holding_area_of_the_best_line_counts() -> None:
    s = sea({"W2910": 9, "W3014": 4, "W3013": 2})
    assert pipelines.capacity(s, "commonwealth", HALIFAX, LONDON) == 4
    s = sea({"W2910": 9, "W3012": 1})
    assert pipelines.capacity(s, "commonwealth", HALIFAX, LONDON) == 0, "not near London"


@pytest.mark.rule("gw75:18.64b", "gw75:18.6", "gw75:18.61")
def test_a_ship_serves_each_purpose_once() -> None:
    s = sea({"W2910": 3, "W3014": 3})
    assert pipelines.capacity(s, "commonwealth", HALIFAX, LONDON) == 3
    assert pipelines.capacity(s, "commonwealth", HALIFAX, LONDON, {"W3014": 2}) == 1
    assert pipelines.capacity(s, "commonwealth", HALIFAX, LONDON, {"W2910": 3}) == 0


@pytest.mark.rule("gw75:18.65")
def test_ships_of_allies_form_a_line_together() -> None:
    ships = {"W2910": {"usa": "2 ms"}, "W3014": {"commonwealth": "3 ms", "usa": "ms"}}
    s = sea(ships)
    assert pipelines.capacity(s, "usa", NEW_YORK, LONDON) == 2
    assert pipelines.capacity(s, "commonwealth", NEW_YORK, LONDON) == 2
    s = sea(ships, wars=[("commonwealth", "germany")])
    assert pipelines.capacity(s, "commonwealth", NEW_YORK, LONDON) == 0, "the USA is at peace"
    assert pipelines.capacity(s, "commonwealth+usa", NEW_YORK, LONDON) == 2, "if both trade"
    assert pipelines.capacity(s, "allies", NEW_YORK, LONDON) == 2


@pytest.mark.rule("gw75:18.63b", "gw75:9.42b")
def test_enemy_ships_do_not_cut_a_line_and_enemy_land_units_do() -> None:
    """Through the Strait of Gibraltar to Alexandria."""
    ships = {"W2616": 1, "W2622": 1}
    wars = [("commonwealth", "germany"), ("commonwealth", "italy")]
    s = sea({**ships, "W2619": {"italy": "3 surf_b"}}, wars=wars)
    assert pipelines.capacity(s, "commonwealth", LONDON, "W2524") == 1
    strait = {"W2617": {"germany": "inf"}}
    s = sea({**ships, **strait}, wars=wars, held={"W2617": "germany"})
    assert pipelines.capacity(s, "commonwealth", LONDON, "W2524") == 0


@pytest.mark.rule("gw75:18.63a", "gw75:19.81a")
def test_lines_do_not_go_where_ships_may_not() -> None:
    """The Baltic is closed to the Enemies of Germany; a canal to those of its holder."""
    s = sea({"W3120": 1}, wars=[("commonwealth", "germany")])
    assert pipelines.capacity(s, "commonwealth", LONDON, "W3322") == 0
    red = {"W2622": 1, "W2225": 1}
    s = sea(red, wars=[("commonwealth", "italy")])
    assert pipelines.capacity(s, "commonwealth", "W2524", "W2027") == 1
    s = sea(red, wars=[("commonwealth", "italy")], held={"W2525": "italy"})
    assert pipelines.capacity(s, "commonwealth", "W2524", "W2027") == 0


@pytest.mark.rule("gw75:18.62", "gw75:18.61")
def test_communications_areas_are_pipelines_without_a_limit() -> None:
    s = state(units={}, wars=[("commonwealth", "germany"), ("commonwealth", "italy")])
    berlin, milan = ("W3121",), ("W2921",)
    assert industry.link(s, ("germany", "italy"), berlin, milan, {}).capacity == industry.UNLIMITED
    blocked = {hex: {"commonwealth": "inf"} for hex in s.facts.land["W2921"]}
    held = dict.fromkeys(blocked, "commonwealth")
    s = state(
        units=blocked, held=held, wars=[("commonwealth", "germany"), ("commonwealth", "italy")]
    )
    assert industry.link(s, ("germany", "italy"), berlin, milan, {}).capacity == 0


@pytest.mark.rule("gw75:18.61")
def test_a_pipeline_may_be_of_both_kinds() -> None:
    """From Montreal overland to Halifax, and by sea to London."""
    s = sea({"W2910": 2, "W3014": 3})
    found = industry.link(s, ("commonwealth",), ("W2905",), ("W3118",), {})
    assert found.capacity == 2
    assert found.areas == ("W2910", "W3014")


@pytest.mark.rule("gw75:18.61", "gw75:18.64b")
def test_a_pipeline_may_lead_through_a_communications_area_on_its_way() -> None:
    """From London to Halifax, across America, and from Seattle to Vladivostok."""
    wars = [*WAR, ("germany", "ussr"), ("japan", "ussr")]
    atlantic, pacific = {"W3014": 3, "W2910": 2}, {"E2924": 4, "E2915": 3}
    both, vladivostok = ("commonwealth", "ussr"), ("E2810",)
    s = sea(atlantic | pacific, wars=wars)
    found = industry.link(s, both, (LONDON,), vladivostok, {})
    assert (found.areas, found.capacity) == (("W3014", "W2910", "E2924", "E2915"), 2)
    assert industry.link(s, both, (LONDON,), vladivostok, {"E2924": 3}).capacity == 1
    for lacking in (atlantic, pacific):
        assert not industry.link(sea(lacking, wars=wars), both, (LONDON,), vladivostok, {}).capacity
    across = [f"W{row}{column}" for row in range(24, 34) for column in ("02", "03")]
    germans = {hex: {"germany": "inf"} for hex in across if s.facts.hexes[hex].dry}
    s = sea(atlantic | pacific | germans, wars=wars)
    assert industry.link(s, both, (LONDON,), vladivostok, {}).capacity == 0, "America is cut"


def test_the_lines_of_a_side_for_the_map() -> None:
    s = sea({"W2910": 2, "W3014": 3})
    assert pipelines.lines(s, "allies", [LONDON]) == (
        pipelines.Link("W2910", "W3014", 2),
        pipelines.Link(LONDON, "W3014", 3),
    )
