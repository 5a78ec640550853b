"""The sequence of a turn (2.1)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from sandtable.games.blitz.rules.bases import Return
from sandtable.games.blitz.rules.move_to_sea import Sail
from sandtable.games.blitz.rules.order import advance, begin_step, steps_of
from sandtable.games.blitz.rules.over import GameOver
from sandtable.games.blitz.rules.steps import Done, Wait
from tests.blitz.table import Play, position


def walk(s: Any, until: str) -> list[str]:
    """Advance, without playing anything, to the first step of a phase; the phases gone through."""
    table: Any = SimpleNamespace(state=s, emit=lambda kind, **data: None)
    phases = [s.phase]
    while s.phase != until or len(phases) == 1:
        advance(table)
        if s.phase != phases[-1]:
            phases.append(s.phase)
    return phases


@pytest.mark.rule("blitz:2.1b")
@pytest.mark.rule("blitz:A.8a")
@pytest.mark.parametrize("scenario", ["A", "campaign"])
def test_the_phases_of_a_turn(scenario: str) -> None:
    s = position(scenario, phase="axis_activities", step="begin")
    assert walk(s, "turn_end") == [
        "axis_activities",
        "allied_activities",
        "axis_blitzes",
        "allied_blitzes",
        "turn_end",
    ]


@pytest.mark.rule("blitz:2.1a")
def test_the_turn_marker_moves_up_and_the_fifteenth_turn_is_the_last() -> None:
    s = position(phase="turn_end", step="victory", turn=3)
    walk(s, "axis_activities")
    assert s.turn == 4
    last = position(phase="turn_end", step="victory", turn=15)
    with pytest.raises(GameOver):
        walk(last, "axis_activities")
    assert position().scenario.turns == (1, 15)


@pytest.mark.rule("blitz:2.1c")
def test_the_activities_of_a_phase() -> None:
    for phase in ("axis_activities", "allied_activities"):
        s = position(phase=phase, step="A")
        assert [step for step in steps_of(s) if len(step) == 1] == list("ABCDEF")


@pytest.mark.rule("blitz:2.1d")
def test_the_turns_end() -> None:
    s = position(phase="turn_end")
    assert steps_of(s) == (
        "partisans",
        "entry",
        "weapons",
        "lend_lease",
        "income",
        "spend",
        "victory",
    )


@pytest.mark.rule("blitz:A.chart-a")
def test_scenario_a_ends_its_turns_with_reinforcements() -> None:
    s = position("A", phase="turn_end")
    assert steps_of(s)[0] == "reinforce"
    s = position("A", phase="allied_blitzes", step="D")
    assert [step for step in steps_of(s) if len(step) == 1] == ["D", "E", "F"]


@pytest.mark.rule("blitz:2.1e")
def test_only_the_named_side_acts_and_all_finish_a_step_before_the_next() -> None:
    play = Play(
        phase="axis_activities",
        step="A",
        units={
            "ger_bb_fleet": "north_sea",
            "ger_u_boat_i": "western_germany",
            "jap_combined_fleet": "japanese_coast",
            "afa_home_fleet": "north_sea",
        },
    )
    assert set(play.state.queue) == {"germany", "japan"}
    play.do("germany", Done())
    assert play.state.step == "A"
    assert play.asked == "japan return_to_base"
    play.do("japan", Return("jap_combined_fleet", "tokyo", "japanese_coast"))
    assert play.state.step == "B"
    assert set(play.state.queue) == {"germany", "japan"}


@pytest.mark.rule("blitz:2.1e")
def test_the_powers_of_a_side_act_in_any_order() -> None:
    play = Play(
        phase="axis_activities",
        step="B",
        units={"ger_bb_fleet": "western_germany", "jap_combined_fleet": "tokyo"},
    )
    play.do("germany", Wait())
    play.do("japan", Sail("jap_combined_fleet", ("japanese_coast",)))
    play.do("germany", Sail("ger_bb_fleet", ("north_sea",)))
    alone = Play(phase="axis_activities", step="B", units={"ger_bb_fleet": "western_germany"})
    assert alone.refused("germany", Wait()) == "2.1e"


def test_a_step_begins_with_the_powers_that_take_part() -> None:
    s = position(phase="axis_blitzes", step="A", blitz={"germany": "land", "japan": "naval"})
    begin_step(s, "A")
    assert s.queue == ("japan",)
    begin_step(s, "E")
    assert s.queue == ("germany",)
