"""What nations may do though nobody asks them."""

from __future__ import annotations

import pytest

from sandtable.games.gw75.rules.rights import EnterWar, rights
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
