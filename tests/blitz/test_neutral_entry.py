"""Neutral entry of the USA and the USSR (7.2)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.rules import neutral_entry
from sandtable.games.blitz.rules.consequences import declare_war, take_control
from sandtable.games.blitz.rules.neutral_entry import go_to_war
from sandtable.games.blitz.rules.politics import check_declaration
from sandtable.games.blitz.rules.sides import at_war, is_neutral
from sandtable.kernel.errors import IllegalDecision
from tests.blitz.table import Play, position, run


def at(phase: str = "axis_activities", scenario: str = "campaign", **given: Any) -> Any:
    return position(scenario, phase=phase, step="E", **given)


def shift(s: Any, event: str, times: int = 1) -> Any:
    return run(s, lambda g: neutral_entry.shift(g, event, times))


@pytest.mark.rule("blitz:7.2a")
def test_both_powers_begin_neutral_with_a_marker_in_box_0() -> None:
    s = at()
    assert s.entry == {"usa": 0, "ussr": 0}
    assert is_neutral(s, "usa") and is_neutral(s, "ussr")


@pytest.mark.rule("blitz:7.2b")
@pytest.mark.rule("blitz:data.neutral-entry")
def test_each_turn_end_moves_both_markers_by_one() -> None:
    s = position("campaign", phase="turn_end", step="entry")
    run(s, neutral_entry.progress_to_war)
    assert s.entry == {"usa": 1, "ussr": 1}


@pytest.mark.rule("blitz:data.neutral-entry")
@pytest.mark.rule("blitz:7.2b")
def test_axis_capture_of_polands_resource_moves_both_by_one() -> None:
    s = at()
    run(s, lambda g: take_control(g, "poland", "germany"))
    assert s.entry == {"usa": 1, "ussr": 1}


@pytest.mark.rule("blitz:data.neutral-entry")
def test_german_declaration_on_a_minor_moves_the_usa_by_one() -> None:
    s = at()
    run(s, lambda g: declare_war(g, "germany", "norway"))
    assert s.entry == {"usa": 1, "ussr": 0}


@pytest.mark.rule("blitz:data.neutral-entry")
def test_declarations_on_the_borders_of_the_ussr_and_by_the_allies() -> None:
    s = at()
    run(s, lambda g: declare_war(g, "germany", "finland"))
    assert s.entry == {"usa": 1, "ussr": 1}
    s = at("allied_activities", entry={"usa": 5, "ussr": 5})
    run(s, lambda g: declare_war(g, "afa", "norway"))
    assert s.entry == {"usa": 4, "ussr": 5}


@pytest.mark.rule("blitz:data.neutral-entry")
def test_declarations_between_japan_and_the_ussr() -> None:
    s = at(entry={"usa": 5, "ussr": 5})
    run(s, lambda g: declare_war(g, "japan", "ussr"))
    assert s.entry == {"usa": 6, "ussr": 8}
    s = at("allied_activities", entry={"usa": 5, "ussr": 5})
    run(s, lambda g: declare_war(g, "ussr", "japan"))
    assert s.entry == {"usa": 4, "ussr": 5}


@pytest.mark.rule("blitz:data.neutral-entry")
def test_the_fall_of_france_alarms_both() -> None:
    s = at()
    run(s, lambda g: take_control(g, "paris", "germany"))
    assert s.entry == {"usa": 3, "ussr": 3}, "1 for the Resource, 2 for the country"


@pytest.mark.rule("blitz:7.2d")
def test_aligning_a_country_with_oil_moves_no_marker() -> None:
    s = at(wars=[("germany", "ussr")], entry={"usa": 2, "ussr": 2})
    events = run(s, lambda g: go_to_war(g, "germany", "afa"))
    assert s.allied["central_europe"] == "germany"
    assert s.facts.lands["central_europe"].oil
    assert s.entry["usa"] == 2
    assert not [event for event in events if event.kind == "entry_moved"]


@pytest.mark.rule("blitz:7.2c")
@pytest.mark.parametrize("on", ["afa", "belgium_netherlands"])
def test_japans_attack_moves_the_usa_once_more_at_the_start_of_each_turn(on: str) -> None:
    s = at()
    run(s, lambda g: declare_war(g, "japan", on))
    assert s.entry == {"usa": 2, "ussr": 0}
    for box in (3, 4):
        s.turn += 1
        run(s, neutral_entry.start_of_turn)
        assert s.entry == {"usa": box, "ussr": 0}


@pytest.mark.rule("blitz:7.2c")
def test_without_that_attack_turns_begin_with_no_move() -> None:
    s = at()
    run(s, lambda g: declare_war(g, "japan", "norway"))
    run(s, neutral_entry.start_of_turn)
    assert s.entry == {"usa": 1, "ussr": 0}


@pytest.mark.rule("blitz:7.2e")
@pytest.mark.rule("blitz:F.5a")
def test_at_box_15_the_usa_enters_against_both_the_ussr_only_against_germany() -> None:
    s = at(entry={"usa": 14, "ussr": 14})
    shift(s, "each_turn")
    assert at_war(s, "usa", "germany") and at_war(s, "usa", "japan")
    assert at_war(s, "germany", "ussr") and not at_war(s, "ussr", "japan")
    assert not is_neutral(s, "usa") and not is_neutral(s, "ussr")


@pytest.mark.rule("blitz:7.2e")
def test_box_14_is_not_enough() -> None:
    s = at(entry={"usa": 13, "ussr": 13})
    shift(s, "each_turn")
    assert s.entry == {"usa": 14, "ussr": 14}
    assert is_neutral(s, "usa") and is_neutral(s, "ussr")


@pytest.mark.rule("blitz:7.2e")
@pytest.mark.rule("blitz:F.5a")
@pytest.mark.parametrize("scenario", ["F", "campaign"])
def test_both_enter_at_the_start_of_turn_8(scenario: str) -> None:
    s = at(scenario=scenario, turn=7)
    run(s, neutral_entry.start_of_turn)
    assert is_neutral(s, "usa") and is_neutral(s, "ussr")
    s.turn = 8
    run(s, neutral_entry.start_of_turn)
    assert at_war(s, "usa", "germany") and at_war(s, "ussr", "germany")
    assert s.entry == {}


@pytest.mark.rule("blitz:7.2f")
def test_after_entry_the_marker_is_gone_for_good() -> None:
    s = at(entry={"usa": 14})
    shift(s, "each_turn")
    assert "usa" not in s.entry
    shift(s, "allies_take_goods", 3)
    assert "usa" not in s.entry and at_war(s, "usa", "germany")


@pytest.mark.rule("blitz:7.2f")
def test_a_declaration_on_the_usa_ends_its_neutrality_too() -> None:
    s = at()
    run(s, lambda g: declare_war(g, "japan", "usa"))
    assert "usa" not in s.entry and not at_war(s, "usa", "germany")
    assert "usa_oil" not in s.trades
    assert s.minor_wars == frozenset(), "China's war is the USA's now"


@pytest.mark.rule("blitz:7.2g")
def test_boxes_below_zero_are_points_for_the_axis() -> None:
    s = at("allied_activities", entry={"usa": 1, "ussr": 3})
    shift(s, "allies_take_goods", 3)
    assert s.entry == {"usa": 0, "ussr": 0}
    assert (s.vp["germany"], s.vp["japan"]) == (2, 2)


@pytest.mark.rule("blitz:7.2g")
def test_only_powers_in_play_get_those_points() -> None:
    s = at("allied_activities", scenario="F")
    shift(s, "allies_take_goods", 1)
    assert s.vp["germany"] == 2 and "japan" not in s.vp


@pytest.mark.rule("blitz:7.2h")
@pytest.mark.rule("blitz:3.2g")
def test_a_ussr_at_war_with_japan_keeps_its_marker_and_its_bar() -> None:
    s = at("allied_activities", entry={"ussr": 4})
    run(s, lambda g: declare_war(g, "ussr", "japan"))
    assert not is_neutral(s, "ussr")
    assert s.entry["ussr"] == 4
    for on in ("germany", "finland", "central_europe", "sweden"):
        with pytest.raises(IllegalDecision) as refusal:
            check_declaration(s, "ussr", on)
        assert refusal.value.rule == "3.2f"
    shift(s, "each_turn", 11)
    assert at_war(s, "ussr", "germany") and "ussr" not in s.entry


def test_ex_7_2_entry() -> None:
    s = at(
        entry={"usa": 13},
        control={"algeria": "", "morocco": ""},
        allied={"french_north_africa": ""},
        conquered={"france": "axis"},
        flags=["france_fell", "vichy"],
    )
    run(s, lambda g: declare_war(g, "germany", "french_north_africa"))
    assert s.entry["usa"] == 14 and is_neutral(s, "usa")
    run(s, lambda g: take_control(g, "algeria", "germany"))
    assert at_war(s, "usa", "germany") and at_war(s, "usa", "japan")


def test_ex_7_2_below() -> None:
    s = at()
    run(s, lambda g: take_control(g, "poland", "germany"))
    assert s.entry == {"usa": 1, "ussr": 1}
    s.phase = "allied_activities"
    before = dict(s.vp)
    run(s, lambda g: take_control(g, "western_germany", "afa"))
    assert s.entry == {"usa": 0, "ussr": 0}
    assert s.vp["germany"] - before["germany"] == 2
    assert s.vp["japan"] - before["japan"] == 2


@pytest.mark.rule("blitz:9.2i")
@pytest.mark.rule("blitz:9.2j")
def test_after_the_road_to_war_the_soviet_marker_may_only_limit_production() -> None:
    s = at("allied_activities", flags=["road_to_war"], entry={"ussr": 14})
    shift(s, "each_turn", 3)
    assert s.entry["ussr"] == 15 and is_neutral(s, "ussr")
    run(s, lambda g: declare_war(g, "ussr", "germany"))
    assert s.entry["ussr"] == 15
    run(s, lambda g: take_control(g, "ukraine", "germany"))
    assert "ussr" not in s.entry


@pytest.mark.rule("blitz:9.2j")
def test_after_the_road_to_war_turn_8_ends_the_limit_without_a_war() -> None:
    s = at(flags=["road_to_war"], turn=8)
    run(s, neutral_entry.start_of_turn)
    assert "ussr" not in s.entry and not at_war(s, "ussr", "germany")
    assert at_war(s, "usa", "germany")


@pytest.mark.rule("blitz:9.2j")
def test_after_the_road_to_war_a_german_declaration_ends_the_limit() -> None:
    s = at(flags=["road_to_war"])
    run(s, lambda g: declare_war(g, "germany", "ussr"))
    assert "ussr" not in s.entry


@pytest.mark.rule("blitz:7.2b")
def test_the_turns_end_moves_the_markers_in_play() -> None:
    play = Play("campaign", base="setup", phase="turn_end", step="entry")
    assert [event["box"] for event in play.events("entry_moved")] == [1, 1]
