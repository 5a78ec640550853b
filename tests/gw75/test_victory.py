"""The end of the game and its winner: 4.3, 21.14, 23.0."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import victory
from sandtable.kernel.ruleset import Result
from sandtable.kernel.table import Table
from tests.gw75.table import Unit, state


def ended(s: State) -> Result | None:
    found: list[Result | None] = []

    def procedure(g: Table[State]) -> Any:
        found.append((yield from victory.over(g)))

    g = Table(s, lambda kind, lines, count, sides: None, lambda event: None, lambda strict: None)
    assert list(procedure(g)) == []
    return found[0]


def hexes(s: State, *powers: str) -> list[str]:
    return [id for id, hex in s.facts.hexes.items() if hex.industry in powers]


@pytest.mark.rule("gw75:23.0")
def test_industry_and_centers_are_counted_by_their_holders() -> None:
    s = state()
    before = victory.score(s)
    assert before == {"axis": 34, "allies": 96}
    s.hold("W2524", "germany")
    assert victory.score(s) == {"axis": 35, "allies": 95}
    s.hold("W3322", "germany")
    assert victory.score(s) == {"axis": 36, "allies": 95}


@pytest.mark.rule("gw75:23.0", "gw75:18.41a")
def test_captured_industry_needs_its_garrison() -> None:
    s = state()
    s.hold("W3019", "germany")
    s.captured["W3019"] = 3
    assert victory.counts_for(s, "W3019") == ""
    s.put("W3019", Unit("germany", "inf"))
    assert victory.counts_for(s, "W3019") == "axis"
    assert victory.score(s) == {"axis": 37, "allies": 93}


@pytest.mark.rule("gw75:23.0")
def test_destroyed_hexes_count_for_nobody_and_neutrals_neither() -> None:
    s = state()
    s.destroyed = frozenset({"W3120"})
    assert victory.counts_for(s, "W3120") == ""
    assert victory.counts_for(s, "W2817") == ""


@pytest.mark.rule("gw75:11.0b")
def test_a_hex_that_was_paid_counts_for_the_axis() -> None:
    s = state()
    s.penalties = ("W3118",)
    assert victory.counts_for(s, "W3118") == "axis"
    assert victory.score(s) == {"axis": 37, "allies": 93}


@pytest.mark.rule("gw75:4.3")
def test_the_game_ends_with_the_last_game_turn_of_its_scenario() -> None:
    assert ended(state("turn_record", 22)) is None
    result = ended(state("turn_record", 23))
    assert result is not None
    assert result.winners == ("germany", "italy", "japan")
    assert result.reason == (
        "A marginal victory of the Axis: the Axis has 34 Victory Points, the Allies 96."
    )


@pytest.mark.rule("gw75:23.0", "gw75:21.14")
@pytest.mark.parametrize(
    ("axis", "level"),
    [
        (60, ("axis", "decisive")),
        (59, ("axis", "substantive")),
        (41, ("axis", "marginal")),
        (29, ("axis", "marginal")),
        (28, ("allies", "marginal")),
        (19, ("allies", "substantive")),
        (10, ("allies", "decisive")),
        (0, ("allies", "decisive")),
    ],
)
def test_the_level_follows_from_the_points_of_the_axis(axis: int, level: tuple[str, str]) -> None:
    assert victory.reached(state(), axis) == level


@pytest.mark.rule("gw75:21.14")
def test_all_powers_of_the_winning_side_win() -> None:
    s = state("turn_record", 23, options={"players": 5})
    for hex in hexes(s, "germany", "italy"):
        s.hold(hex, "usa")
    result = ended(s)
    assert result is not None and result.winners == ("commonwealth", "france", "usa", "ussr")
    assert s.scores == {"axis": 19, "allies": 111}


@pytest.mark.rule("gw75:23.0")
def test_the_axis_wins_at_once_without_allied_industry_outside_north_america() -> None:
    s = state("turn_record", 9)
    for hex in hexes(s, "commonwealth", "france", "ussr"):
        if hex != "W2905":
            s.hold(hex, "germany")
    result = ended(s)
    assert result is not None and result.winners == ("germany", "italy", "japan")
    assert "decisive" in result.reason
    s.hold("E3010", "ussr")
    assert ended(s) is None


@pytest.mark.rule("gw75:23.0")
def test_the_allies_win_at_once_with_all_german_and_japanese_industry() -> None:
    s = state("turn_record", 20)
    for hex in hexes(s, "germany", "japan"):
        s.hold(hex, "usa")
    result = ended(s)
    assert result is not None and result.winners == ("commonwealth", "france", "usa", "ussr")
