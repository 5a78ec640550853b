"""Maintenance and resource allocation (18.10)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.model import Unit
from sandtable.games.gw75.rules import maintenance
from sandtable.games.gw75.rules.maintenance import Idle
from tests.gw75.table import Table, table

WAR = [("commonwealth", "germany")]


def upkeep_of(**units: int) -> int:
    t = maintain({"W3120": {"germany": units}})
    return maintenance.upkeep(t.s, maintenance.units(t.s, "germany"))


def maintain(units: dict[str, Any], **fields: Any) -> Table:
    return table("maintenance", units=units, **{"wars": WAR, **fields})


@pytest.mark.rule("gw75:18.10a", "gw75:18.10c", "gw75:18.10d")
def test_the_example_of_the_book() -> None:
    """maintenance_gt1: 15 points keep 12 mech, one LRB and 3 submarines; two Surf-B stand idle."""
    t = table("maintenance", base="setup")
    assert t.request.nation == "germany"
    assert t.request.capacity == 15
    assert "costs 17" in t.refused(Idle((("W3120", "surf_b", 1),)), "18.10a")
    t.do(Idle((("W3120", "surf_b", 2),)))
    assert t.s.stack("W3120")[Unit("germany", "surf_b", idle=True)] == 2
    active = {
        key: number
        for key, number in maintenance.units(t.s, "germany").items()
        if key[1] != "surf_b"
    }
    assert maintenance.upkeep(t.s, active) == 15
    assert sum(number for (_, type), number in active.items() if type == "mech") == 12


@pytest.mark.rule("gw75:18.10b", "gw75:18.10c")
def test_the_prices() -> None:
    assert upkeep_of(inf=9, ad=4, ms=5, amph=3, fort=2) == 0
    assert upkeep_of(mech=5) == 5
    assert upkeep_of(lrb=3) == 3
    assert [upkeep_of(ss=number) for number in (1, 2, 3)] == [1, 1, 2]
    assert upkeep_of(asw=3) == 2
    assert upkeep_of(ss=1, asw=1) == 2, "each type is rounded by itself"
    assert upkeep_of(surf_a=2) == 6
    assert upkeep_of(surf_b=3) == 6


@pytest.mark.rule("gw75:18.10a", "gw75:18.10e")
def test_capacity_is_the_production_of_the_turn_before_and_each_power_has_its_own() -> None:
    units = {"W3120": {"germany": "4 mech"}, "W2921": {"italy": "4 mech"}}
    t = maintain(units, turn=5, capacity={"germany": 99, "italy": 3})
    assert t.request.nation == "italy"
    assert t.request.capacity == 3
    t.do(Idle((("W2921", "mech", 1),)))
    assert t.s.stack("W2921") == {
        Unit("italy", "mech"): 3,
        Unit("italy", "mech", idle=True): 1,
    }
    assert t.s.stack("W3120") == {Unit("germany", "mech"): 4}


@pytest.mark.rule("gw75:18.10d", "gw75:18.10e")
def test_units_are_activated_again_in_the_next_turn_if_they_can_be() -> None:
    units = {"W3120": {"germany": {"mech": [{"count": 2, "idle": True}]}}}
    t = maintain(units, turn=5, capacity={"germany": 2})
    assert t.s.stack("W3120") == {Unit("germany", "mech"): 2}
    assert t.s.phase != "maintenance", "nothing had to be asked"


@pytest.mark.rule("gw75:18.10d")
def test_only_own_units_that_cost_something_are_left_idle() -> None:
    t = maintain({"W3120": {"germany": "3 mech, 2 inf"}}, turn=5, capacity={"germany": 1})
    assert t.refused(Idle((("W3120", "inf", 2),)), "18.10d")
    assert t.refused(Idle((("W3120", "mech", 4),)), "18.10d")
    assert t.refused(Idle((("W3120", "mech", 2), ("W3120", "mech", 2))), "18.10d")
    for decision in t.game.legal(t.request):
        t.request.check(t.s, decision)
    t.do(Idle((("W3120", "mech", 2),)))
