"""Maintenance and resource allocation (18.10)."""

from __future__ import annotations

import time
from typing import Any

import pytest

from sandtable.bots import make_bot
from sandtable.games.gw75.facts import load_facts
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


@pytest.mark.rule("gw75:18.10e", "gw75:21.11c", "gw75:4.2b")
def test_each_power_is_asked_of_its_player_the_axis_first() -> None:
    units: dict[str, Any] = {
        "W3120": {"germany": {"mech": 3}},
        "W2921": {"italy": {"mech": 3}},
        "E2611": {"japan": {"mech": 3}},
        "W3118": {"commonwealth": {"mech": 3}},
        "W3019": {"france": {"mech": 3}},
        "W2805": {"usa": {"mech": 3}},
        "W3225": {"ussr": {"mech": 3}},
    }
    powers = ("germany", "italy", "japan", "commonwealth", "france", "usa", "ussr")
    capacity = {power: 1 for power in powers}
    t = maintain(units, capacity=capacity, options={"players": 5})
    asked = []
    for hex in units:
        asked.append((t.request.power, t.request.nation))
        t.refused(Idle(((hex, "mech", 1),)), "18.10a")
        t.do(Idle(((hex, "mech", 2),)))
    assert asked == [
        ("germany", "germany"),
        ("germany", "italy"),
        ("japan", "japan"),
        ("commonwealth", "commonwealth"),
        ("commonwealth", "france"),
        ("usa", "usa"),
        ("ussr", "ussr"),
    ]


@pytest.mark.rule("gw75:18.10a", "gw75:17.32")
def test_points_that_bombs_cost_are_lacking_for_maintenance_in_the_turn_after() -> None:
    units: dict[str, Any] = {"W3118": {"commonwealth": {"inf": 1}}}
    units |= {hex: {"germany": {"mech": 5}} for hex in ("W3120", "W3121")}
    for bombed, asked in (({}, False), ({"W3120": 4, "W3121": 4, "W3021": 4}, True)):
        t = table("production", 5, units=units, wars=WAR, bombed=bombed, track=[])
        for power in ("germany", "commonwealth"):
            t.do({"kind": "done"}, by=power)
        assert t.s.turn == 6
        assert (t.asked == "germany maintain") == asked, t.s.capacity


@pytest.mark.rule("gw75:18.10b")
def test_units_of_nations_without_production_need_no_maintenance() -> None:
    units: dict[str, Any] = {"W2924": {"rumania": {"mech": 5}}, "W3123": {"poland": {"mech": 5}}}
    t = maintain(units, capacity={"germany": 0, "commonwealth": 0})
    assert t.s.phase != "maintenance"
    assert not any(unit.idle for _, unit, _ in t.s.units())


@pytest.mark.rule("gw75:18.10a", "gw75:18.10c")
def test_no_more_stay_idle_than_have_to() -> None:
    """Whatever is left idle is needed: with one unit less of the last kind it costs too much."""
    units: dict[str, Any] = {
        "W3120": {"germany": {"mech": 5, "lrb": 3, "asw": 3, "ss": 5}},
        "W3121": {"germany": {"mech": 4, "ss": 2, "surf_a": 2}},
        "W3220": {"germany": {"surf_b": 3, "ss": 1}},
    }
    for capacity in range(38):
        t = maintain(units, turn=5, capacity={"germany": capacity})
        have = maintenance.units(t.s, "germany")
        for order in (sorted(have), sorted(have)[::-1]):
            kept = dict(have)
            left = {}
            for key in order:
                while kept[key] and maintenance.upkeep(t.s, kept) > capacity:
                    kept[key] -= 1
                    left[key] = left.get(key, 0) + 1
            found = maintenance.excess(t.s, "germany", capacity, order)
            assert {(hex, type): n for hex, type, n in found.units} == left


def test_a_thousand_units_in_every_hex_are_looked_through_at_once() -> None:
    """What takes time is hexes, not the units in them: it took minutes."""
    fleets = {type: 999 for type in ("ss", "surf_a", "surf_b")}
    units = {hex: {"japan": fleets} for hex, at in load_facts(None).hexes.items() if at.wet}
    t = maintain(units, capacity={"japan": 7})
    game, bots = t.game, [make_bot(name, 7) for name in ("greedy", "random")]
    began = time.thread_time()
    decisions = list(game.legal(t.request))
    decisions += [bot.decide(game, t.request) for bot in bots]
    assert time.thread_time() - began < 4
    for decision in decisions:
        assert isinstance(decision, Idle)
        assert sum(number for _, _, number in decision.units) > 999 * len(units)
    t.do(decisions[-1])


@pytest.mark.rule("gw75:18.10d")
def test_of_two_carriers_the_depleted_one_stays_idle() -> None:
    carriers = {"surf_a": [{"depleted": True}, {"count": 1}]}
    t = maintain({"W3120": {"germany": carriers}}, turn=5, capacity={"germany": 3})
    t.do(Idle((("W3120", "surf_a", 1),)))
    assert {unit.depleted: unit.idle for unit in t.s.stack("W3120")} == {True: True, False: False}
