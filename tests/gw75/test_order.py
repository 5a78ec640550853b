"""The sequence of play (chapter 4) and what the pieces stand for (chapter 3)."""

from __future__ import annotations

import pytest

from sandtable.games.gw75.facts import load_facts
from sandtable.games.gw75.model import PHASES, Attack, Unit
from sandtable.games.gw75.rules import attacks, order
from sandtable.games.gw75.rules.declaring import Declare
from tests.gw75.table import Done, state, table


class Silent:
    """A table at which nothing is told."""

    def __init__(self, s: object) -> None:
        self.state = s

    def emit(self, kind: str, **data: object) -> None:
        pass


def phases(first: str) -> list[str]:
    """The phases from one on, until it comes again."""
    s = state(first)
    found = [s.phase]
    while True:
        order.next_phase(Silent(s))  # type: ignore[arg-type]
        if s.phase == first:
            return found
        found.append(s.phase)


@pytest.mark.rule("gw75:4.1", "gw75:4.2a", "gw75:4.2b", "gw75:4.2d", "gw75:4.2e")
def test_twenty_phases_in_five_stages_always_in_this_order() -> None:
    assert phases("maintenance") == [
        "maintenance",
        "axis_naval_1",
        "allies_naval_1",
        "axis_naval_2",
        "allies_naval_2",
        "axis_naval_3",
        "allies_naval_3",
        "axis_air_movement",
        "axis_air_combat",
        "allies_air_movement",
        "allies_air_combat",
        "axis_land_movement",
        "axis_land_combat",
        "axis_strategic_movement",
        "allies_land_movement",
        "allies_land_combat",
        "allies_strategic_movement",
        "reinforcement",
        "production",
        "turn_record",
    ]
    kinds = {phase.split("_", 1)[1] for phase in PHASES if phase.startswith(("axis", "allies"))}
    assert all(kind in order.KINDS for kind in kinds)
    assert order.KINDS["naval_1"] is order.KINDS["naval_2"] is order.KINDS["naval_3"]


@pytest.mark.rule("gw75:4.2j", "gw75:4.1")
def test_the_turn_marker_advances_after_the_last_phase() -> None:
    s = state("production", 7)
    order.next_phase(Silent(s))  # type: ignore[arg-type]
    assert (s.turn, s.phase) == (7, "turn_record")
    order.next_phase(Silent(s))  # type: ignore[arg-type]
    assert (s.turn, s.phase) == (8, "maintenance")


@pytest.mark.rule("gw75:4.2e")
def test_the_axis_has_moved_and_fought_before_the_allies_move() -> None:
    t = table(
        "axis_land_movement",
        4,
        units={"W3021": {"germany": "2 inf"}, "W3217": {"commonwealth": "2 inf"}},
        wars=[("germany", "commonwealth")],
    )
    assert t.asked == "germany land_movement"
    t.do(Done())
    assert t.asked == "germany strategic_movement"
    t.do(Done())
    assert t.asked == "commonwealth land_movement"


@pytest.mark.rule("gw75:3.5")
def test_a_game_turn_is_a_quarter_of_a_year_from_the_fall_of_1939_on() -> None:
    turns = load_facts().turns
    seasons = ("winter", "spring", "summer", "fall")
    for number, turn in turns.items():
        quarter = 3 + number - 1
        assert (turn.year, turn.season) == (1939 + quarter // 4, seasons[quarter % 4])
    assert (turns[10].year, turns[10].season) == (1942, "winter")
    assert (turns[18].year, turns[18].season) == (1944, "winter")


@pytest.mark.rule("gw75:3.22a")
def test_a_unit_attacks_and_defends_with_one_strength_and_some_only_defend() -> None:
    types = load_facts().types
    assert {id for id, kind in types.items() if kind.domain == "land" and not kind.attack} == {
        "sd",
        "fort",
    }
    assert all(types[id].attack == types[id].defense == 1 for id in ("inf", "mech"))
    t = table(
        "axis_land_combat",
        4,
        units={"W3021": {"germany": {"inf": 2, "sd": 4}}, "W3122": {"poland": "2 inf"}},
        wars=[("germany", "poland")],
    )
    t.refused(Declare(("W3122",), (("W3021", "germany", "sd", 4),)), "8.15")
    t.do(Declare(("W3122",), (("W3021", "germany", "inf", 2),)))


@pytest.mark.rule("gw75:3.22c")
def test_numbers_are_fleets_at_sea_and_strength_points_on_land() -> None:
    s = state(units={"W3021": {"germany": "3 inf"}, "W3120": {"germany": "2 surf_b"}})
    assert attacks.strength(s, (("W3021", "germany", "inf", 3),)) == 3
    fleets = s.stack("W3120")[Unit("germany", "surf_b")]
    assert fleets == 2
    assert fleets * s.facts.types["surf_b"].defense > fleets


@pytest.mark.rule("gw75:8.21")
def test_everybody_in_a_hex_defends_together() -> None:
    s = state(
        "axis_land_combat",
        4,
        units={
            "W3021": {"germany": "9 inf"},
            "W3122": {"poland": {"inf": 1, "sd": 1, "fort": 2}, "commonwealth": "1 mech"},
        },
        wars=[("germany", "poland"), ("germany", "commonwealth")],
    )
    assert attacks.differential(s, Attack(("W3122",), (("W3021", "germany", "inf", 9),))) == 4
