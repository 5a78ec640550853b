"""What follows from a change of control or a declaration of war comes in one order (3.0)."""

from __future__ import annotations

from itertools import groupby

import pytest

from sandtable.games.blitz.rules.consequences import declare_war, take_control
from sandtable.games.blitz.rules.displaced import Place
from sandtable.kernel.events import Event
from tests.blitz.table import position, run


def kinds(events: list[Event]) -> list[str]:
    """What happened, each kind once where it happened several times in a row."""
    return [kind for kind, _ in groupby(event.kind for event in events)]


@pytest.mark.rule("blitz:3.0a", "blitz:7.2e", "blitz:3.4.conq-a", "blitz:6.6.overrun-a")
def test_all_that_follows_from_the_fall_of_paris_in_its_order() -> None:
    s = position(
        options={"commanders": True},
        phase="axis_activities",
        step="F",
        units={"afa_royal_air_force": "paris"},
        commanders={"montgomery": ("paris", "")},
        entry={"usa": 3, "ussr": 14},
    )
    assert kinds(run(s, lambda g: take_control(g, "paris", "germany"))) == [
        "control_taken",
        "commander_returned",
        # The Resource of Paris moves the markers, and the USSR's is at its last box: it is at war
        # and Germany has its allies before anything else happens to France.
        "entry_moved",
        "entered_war",
        "war_began",
        *("allied", "set_up") * 3,
        "conquered",
        "became_neutral",
        "entry_moved",
        "displaced",
        "scored",
    ]


@pytest.mark.rule("blitz:E.ussr-a", "blitz:6.6.overrun-a")
def test_what_is_lost_by_a_change_waits_until_all_that_follows_from_the_change_is_done() -> None:
    s = position(
        "E",
        phase="allied_activities",
        step="F",
        turn=5,
        units={
            "jap_kwantung_army": {"at": "harbin", "size": 1},
            "jap_zeroes": "port_arthur",
        },
    )
    events = run(
        s,
        lambda g: take_control(g, "port_arthur", "western_allies"),
        answers=[("western_allies", Place("kyushu"))],
    )
    assert [e.data["space"] for e in events if e.kind == "control_taken"] == [
        "port_arthur",
        "harbin",
    ]
    order = kinds(events)
    assert order.index("displaced") < order.index("garrison_missing")
    assert s.control["harbin"] == "ussr"


@pytest.mark.rule("blitz:3.0a", "blitz:7.2c", "blitz:3.3.seasia-a")
def test_a_war_brings_alliances_before_the_markers_move() -> None:
    s = position(phase="axis_activities", step="E", entry={"usa": 3, "ussr": 3})
    assert kinds(run(s, lambda g: declare_war(g, "japan", "afa"))) == [
        "war_declared",
        "war_began",
        "allied",
        "set_up",
        "entry_moved",
    ]
