"""Pipelines as things: those that a player sees, and the moves that give them another capacity."""

from __future__ import annotations

from typing import Any

import pytest

import sandtable
from sandtable.games.gw75.rules import pipelines
from sandtable.kernel.display import Course, NoQuestion, Plan
from tests.gw75.table import Table, table

WAR = [("commonwealth", "germany")]
HALIFAX = "W2907"


def fleet(ships: dict[str, int], phase: str = "allies_naval_3", **fields: Any) -> Table:
    units = {hex: {"commonwealth": f"{number} ms"} for hex, number in ships.items()}
    for hex, given in fields.pop("units", {}).items():
        units.setdefault(hex, {}).update(given)
    return table(phase, units=units, wars=WAR, **fields)


def courses(t: Table) -> dict[str, Course]:
    network = t.game.rules.form(t.game.legal(t.game.pending[0])).network
    assert network is not None
    return {course.label: course for course in network.courses}


def plan(t: Table, wanted: dict[tuple[str, str], int]) -> Plan:
    return t.game.rules.plan(t.game.legal(t.game.pending[0]), wanted)


def carry_out(t: Table, found: Plan) -> None:
    assert not found.problem
    for move in found.moves:
        t.game.submit("commonwealth", move.decision)


def test_a_pipeline_is_told_from_port_to_port_with_what_it_carries() -> None:
    t = fleet({"W2910": 4, "W3014": 5})
    course = courses(t)["United Kingdom to Canada"]
    assert (course.capacity, course.left) == (4, 4)
    assert course.stations == {"W3014": 5, "W2910": 4}
    assert (course.path[0], course.path[-1]) == course.ends
    sea = t.s.facts.sea
    assert all(
        there in sea[here] for here, there in zip(course.path, course.path[1:], strict=False)
    )
    assert courses(t)["United Kingdom to India"].capacity == 0, "a need that is not met is told"


@pytest.mark.rule("gw75:18.64b")
def test_the_ships_of_the_smallest_holding_area_are_added() -> None:
    t = fleet({"W2910": 4, "W3014": 5, "W2612": 3})
    course = courses(t)["United Kingdom to Canada"]
    found = plan(t, {course.ends: 5})
    assert [move.label for move in found.moves] == ["1 from W2612 to W2910"]
    assert found.network.note == "2 Merchant Ships to spare"
    carry_out(t, found)
    assert courses(t)["United Kingdom to Canada"].capacity == 5
    # The next one takes a ship for each of both.
    assert plan(t, {course.ends: 6}).network.note == "No Merchant Ships to spare"
    problem = plan(t, {course.ends: 7}).problem
    assert "takes 4 Merchant Ships more, and the Commonwealth has 2 to spare" in problem


def test_what_is_taken_from_one_pipeline_is_there_for_another() -> None:
    t = fleet({"W2910": 4, "W3014": 4})
    canada, usa = (courses(t)[f"United Kingdom to {to}"].ends for to in ("Canada", "United States"))
    gibraltar = ("W3217", "W2617")
    assert "takes 1 Merchant Ship more" in plan(t, {gibraltar: 5}).problem
    lowered = plan(t, {canada: 2, usa: 2})
    assert not lowered.moves and lowered.network.note == "2 Merchant Ships to spare"
    found = plan(t, {canada: 2, usa: 2, gibraltar: 6})
    assert [move.label for move in found.moves] == ["2 from W2910 to North Atlantic east (W3014)"]
    carry_out(t, found)
    assert pipelines.capacity(t.s, "commonwealth", *gibraltar) == 6
    assert courses(t)["United Kingdom to Canada"].capacity == 2


@pytest.mark.rule("gw75:18.63a", "gw75:12.43b")
def test_a_new_pipeline_stands_where_its_line_is_intact() -> None:
    t = fleet({"W2612": 6})
    ends = ("W3217", "W2805")
    found = plan(t, {ends: 2})
    (course,) = [each for each in found.network.courses if each.ends == ends][:1]
    assert course.capacity == 2 and set(course.stations.values()) <= {2, 4, 6}
    carry_out(t, found)
    assert pipelines.capacity(t.s, "commonwealth", *ends) == 2


def test_it_says_why_there_can_be_no_pipeline() -> None:
    t = fleet({"W2612": 6}, units={"W2625": {"italy": "1 inf"}})
    assert "Friendly port" in plan(t, {("W3217", "W2625"): 1}).problem, "an Enemy's port"
    assert "two ends" in plan(t, {("W3217", "W3217"): 1}).problem
    with pytest.raises(NoQuestion):
        plan(t, {("W3217", "nowhere"): 1})
    early = fleet({"W2612": 6}, "allies_naval_2")
    with pytest.raises(NoQuestion, match="third Naval Phase"):
        plan(early, {("W3217", "W2805"): 1})


@pytest.mark.rule("gw75:5.45a")
def test_strategic_movement_leaves_less() -> None:
    t = fleet(
        {"W2910": 4, "W3014": 5},
        "allies_strategic_movement",
        units={"W3118": {"commonwealth": "4 inf"}},
    )
    reach = t.game.rules.reach(t.game.legal(t.game.pending[0]), "W3118", {"commonwealth:inf": 3})
    halifax = reach.ways[HALIFAX]
    assert "4 left" in halifax.note
    t.game.submit("commonwealth", halifax.decisions[0].decision)
    course = courses(t)["United Kingdom to Canada"]
    assert (course.capacity, course.left) == (4, 1)


@pytest.mark.parametrize("scenario", ["standard", "watermark"])
@pytest.mark.parametrize("phase", ["axis_naval_3", "allies_naval_3"])
def test_every_plan_does_what_it_says(scenario: str, phase: str) -> None:
    start = sandtable.new("gw75", seed=1, options={"scenario": scenario}, position={"phase": phase})
    request = start.pending[0]
    network = start.rules.form(start.legal(request)).network
    assert network is not None and network.courses
    done = 0
    for course in network.courses:
        found = start.rules.plan(start.legal(request), {course.ends: course.capacity + 1})
        if found.problem:
            continue
        game = start.clone()
        for move in found.moves:
            game.submit(request.power, move.decision)
        after = game.rules.form(game.legal(request)).network
        assert after is not None
        (now,) = [each for each in after.courses if each.label == course.label]
        (told,) = [each for each in found.network.courses if each.label == course.label]
        assert now.capacity == told.capacity == course.capacity + 1
        done += 1
    assert done
