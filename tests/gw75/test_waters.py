"""The Baltic and the Adriatic: 19.8."""

from __future__ import annotations

import pytest

from sandtable.games.gw75.facts import load_facts
from sandtable.games.gw75.rules import waters
from sandtable.games.gw75.rules.naval_combat import Engage, Stand
from sandtable.games.gw75.rules.naval_movement import Sail
from sandtable.kernel.kits import Numbers
from tests.gw75.happenings import enter, violate
from tests.gw75.moves import redeploy
from tests.gw75.table import state, table

ADRIATIC = "W2821"


@pytest.mark.rule("gw75:19.81a", "gw75:19.82a")
def test_the_hexes_of_the_two_seas() -> None:
    """Examples baltic_west and adriatic."""
    facts = load_facts()
    assert facts.hexes["W3220"].water == facts.hexes["W3221"].water == "baltic"
    assert facts.hexes["W3219"].water == ""
    assert facts.waters["adriatic"] == {ADRIATIC}


@pytest.mark.rule("gw75:19.81a")
@pytest.mark.parametrize("type", ["surf_a", "surf_b", "ss", "amph", "ms"])
def test_the_baltic_is_closed_to_allied_ships_while_denmark_is_neutral(type: str) -> None:
    s = state()
    assert "19.81" in waters.barred(s, "commonwealth", type, "W3221", "W3219")
    assert waters.barred(s, "commonwealth", "asw", "W3221", "W3219") == ""
    assert waters.barred(s, "germany", type, "W3221", "W3219") == ""
    assert waters.barred(s, "usa", type, "W3221", "W3219") == ""
    assert waters.barred(s, "commonwealth", type, "W3219", "W3218") == ""


@pytest.mark.rule("gw75:19.81a")
def test_who_holds_denmark_holds_the_entrance() -> None:
    s = state()
    violate(s, "germany", "denmark", "W3220")
    assert waters.barred(s, "commonwealth", "ss", "W3221", "W3219") == ""
    enter(s, "germany", "W3220")
    assert waters.barred(s, "commonwealth", "ss", "W3221", "W3219")
    enter(s, "commonwealth", "W3220")
    assert waters.barred(s, "commonwealth", "ss", "W3221", "W3219") == ""


@pytest.mark.rule("gw75:19.81b")
def test_soviet_ships_pass_in_peace_and_are_shut_in_by_war() -> None:
    s = state()
    assert waters.barred(s, "ussr", "ss", "W3221", "W3219") == ""
    assert waters.barred(s, "ussr", "ss", "W3219", "W3220") == ""
    violate(s, "germany", "ussr", "W3124")
    assert waters.barred(s, "ussr", "ss", "W3322", "W3323") == ""
    assert "may not leave" in waters.barred(s, "ussr", "ss", "W3219", "W3220")
    assert waters.barred(s, "ussr", "ss", "W3220", "W3219")


@pytest.mark.rule("gw75:19.81a")
def test_allied_ships_that_are_in_the_baltic_already_move_there_and_out() -> None:
    s = state()
    assert waters.barred(s, "poland", "ss", "W3122", "W3219")
    assert waters.barred(s, "poland", "ss", "W3221", "W3122") == ""
    assert waters.barred(s, "poland", "ss", "W3219", "W3220") == ""


@pytest.mark.rule("gw75:19.82a")
def test_the_adriatic_is_italian() -> None:
    s = state()
    assert waters.barred(s, "italy", "surf_b", ADRIATIC) == ""
    assert waters.barred(s, "germany", "amph", ADRIATIC) == ""
    assert waters.barred(s, "germany", "ms", ADRIATIC) == ""
    assert "19.82" in waters.barred(s, "germany", "ss", ADRIATIC)
    assert "19.82" in waters.barred(s, "commonwealth", "ms", ADRIATIC)
    s.fallen = frozenset({"italy"})
    assert waters.barred(s, "commonwealth", "surf_b", ADRIATIC) == ""
    assert waters.barred(s, "germany", "ss", ADRIATIC) == ""


@pytest.mark.rule("gw75:19.82b")
def test_the_allies_do_not_attack_into_the_adriatic() -> None:
    """Neither ships that are in it nor those that leave it; they attack those outside."""
    wars = [("italy", "commonwealth")]
    units = {
        ADRIATIC: {"italy": "surf_b"},
        "W2722": {"commonwealth": "2 surf_a"},
        "W2721": {"italy": "surf_b"},
    }
    t = table("allies_naval_2", 8, wars=wars, units=units)
    attack = Engage(ADRIATIC, (("W2722", "commonwealth", "surf_a", 2),))
    assert "Adriatic" in t.refused(attack, "19.82b")
    t.do(Engage("W2721", (("W2722", "commonwealth", "surf_a", 2),)))
    t = table("axis_naval_2", 8, wars=wars, units=units)
    t.do(Sail("italy", (ADRIATIC, "W2721"), {"surf_b": 1}))
    assert t.asked == "germany naval"
    t.do(Sail("italy", ("W2721", "W2620"), {"surf_b": 2}))
    assert t.asked == "commonwealth transit_attack"
    german = {**units, ADRIATIC: {"germany": "surf_b"}, "W2721": {}}
    wars = [("germany", "commonwealth")]
    table("allies_naval_2", 8, wars=wars, units=german, fallen=["italy"]).do(attack)


@pytest.mark.rule("gw75:19.81c", "gw75:19.83", "gw75:15.32a")
def test_merchant_ships_in_these_waters_are_safe() -> None:
    """The Allies attack those who are with them into the Baltic, from adjacent hexes, and not the
    Merchant Ships; outside these waters they attack both."""
    wars = [("germany", "commonwealth")]
    for convoy, outside, lost in (("W3220", "W3219", {"ms": 2}), ("W3219", "W3218", {"ms": 1})):
        t = table(
            "allies_naval_2",
            8,
            wars=wars,
            held={"W3220": "germany"},
            units={
                convoy: {"germany": "2 ms, surf_b"},
                outside: {"commonwealth": "surf_a, ss"},
                "W3317": {"commonwealth": "surf_a"},
                "W3322": {"germany": "ms"},
            },
        )
        far = Engage(convoy, (("W3317", "commonwealth", "surf_a", 1),))
        if convoy == "W3220":
            t.refused(far, "15.0b")
            t.refused(Engage("W3322", (("W3219", "commonwealth", "ss", 1),)), "19.83")
        t.do(Engage(convoy, ((outside, "commonwealth", "surf_a", 1),)), Stand()).dice(6)
        if convoy == "W3219":
            t.do(Numbers({"W3219 germany ms": 1, "W3219 germany surf_b": 1}))
        assert t.units(convoy, "germany") == lost


@pytest.mark.rule("gw75:19.83")
def test_transports_inside_the_baltic_are_not_attacked() -> None:
    """On a way that stays in it; a Soviet carrier is there."""
    for sea, attacked in (("W3121 > W3221 > W3322 > W3323", 0), ("W3121 > W3220 > W3320", 1)):
        t = table(
            "axis_strategic_movement",
            8,
            wars=[("germany", "ussr"), ("germany", "norway"), ("germany", "denmark")],
            held={"W3220": "germany", "W3320": "germany"},
            units={
                "W3121": {"germany": "inf"},
                "W3221": {"germany": "ms"},
                "W3222": {"ussr": "surf_a"},
                "W3122": {"ussr": "surf_a"},
                "W3220": {"germany": "ms"},
            },
            options={"players": 5},
        )
        t.do(redeploy("inf", sea=sea))
        assert (t.asked == "ussr transit_attack") == attacked
