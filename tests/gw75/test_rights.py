"""What nations may do though nobody asks them."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.rules.rights import EnterWar, rights
from tests.gw75.moves import move
from tests.gw75.table import table


@pytest.mark.rule("gw75:19.21a")
def test_italy_enters_in_the_middle_of_a_phase() -> None:
    t = table("axis_land_movement", 3, base="setup")
    t.do(EnterWar("italy", "allies"), by="germany")
    assert ("commonwealth", "italy") in t.s.wars
    assert t.asked == "germany land_movement"
    t.refused(EnterWar("italy", "france"), by="commonwealth")


def test_there_are_no_rights_in_a_combat_phase() -> None:
    t = table("axis_land_movement", 3, base="setup")
    assert rights(t.s)
    t.s.phase = "axis_land_combat"
    assert rights(t.s) == ()


@pytest.mark.rule("gw75:19.37a", "gw75:19.72a")
@pytest.mark.parametrize(
    ("position", "nations"),
    [
        ({"held": {"W2617": "germany"}}, {"usa"}),
        ({"held": {"W2525": "italy"}}, {"usa", "ussr"}),
        ({"wars": [("germany", "turkey")]}, {"usa", "ussr"}),
        ({"wars": [("germany", "sweden")]}, {"ussr"}),
        ({"wars": [("italy", "turkey")]}, {"usa"}),
        ({"units": {"W3118": {"germany": "inf"}}, "held": {"W3118": "germany"}}, {"ussr"}),
        ({}, set()),
    ],
)
def test_what_the_map_shows_gives_the_right_to_a_limited_war(
    position: dict[str, Any], nations: set[str]
) -> None:
    """For Suez the Axis is enough, for Sweden and Britain it has to be Germany."""
    wars = [("commonwealth", "germany"), ("commonwealth", "italy"), *position.pop("wars", [])]
    units = {"W3014": {"commonwealth": "ms"}, **position.pop("units", {})}
    t = table("allies_naval_1", 2, wars=wars, units=units, **position)
    options = {each for right in t.game.may for each in t.game.legal(right)}
    assert {
        nation for nation in ("usa", "ussr") if EnterWar(nation, "germany") in options
    } == nations


@pytest.mark.rule("gw75:19.72a", "gw75:19.37a")
def test_turkey_violated_by_italy_gives_the_right_to_the_usa_only() -> None:
    """Of the USSR the book says that Germany has to do it, of the USA that the Axis does."""
    wars = [("commonwealth", "germany"), ("commonwealth", "italy")]
    units = {"W2625": {"italy": "2 inf"}, "E2808": {"japan": "2 inf"}}
    t = table("axis_land_movement", 5, wars=wars, units=units, held={"W2625": "italy"})
    t.do(move("W2625 > W2726", "inf", "italy"))
    assert ("germany", "turkey") in t.s.wars
    t.refused(EnterWar("ussr", "germany"), "19.72a", by="commonwealth")
    t.do(EnterWar("usa", "germany"), by="commonwealth")


@pytest.mark.rule("gw75:19.61a", "gw75:19.61b")
def test_the_ussr_is_asked_for_its_army_where_it_may_go_to_war_with_japan() -> None:
    """Nothing of it can move before; then it may attack Japan, and nobody else."""
    units = {"E2808": {"japan": "inf"}, "E3009": {"ussr": "3 inf"}, "W3124": {"ussr": "inf"}}
    t = table("allies_land_movement", 11, wars=[("commonwealth", "germany")], units=units)
    t.refused(move("E3009 > E3008", "3 inf", "ussr"), "19.71a")
    t.do(EnterWar("ussr", "japan"), by="commonwealth")
    t.do(move("E3009 > E3008", "3 inf", "ussr"))
    t.refused(move("W3124 > W3123", "inf", "ussr"), "19.61b")
    units["E2808"] = {"japan": "2 inf"}
    t = table("allies_land_movement", 11, wars=[("commonwealth", "germany")], units=units)
    assert t.asked != "commonwealth land_movement"
