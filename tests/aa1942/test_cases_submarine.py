"""Rule cases: submarines in battle."""

from __future__ import annotations

import pytest

from tests.aa1942.battles import line, sea, step
from tests.aa1942.table import Casualties, Dive, Done, Fight, Press, move, table


@pytest.mark.rule("aa1942:combat.sub.strike.attacker", "aa1942:combat.sub.strike.casualty-removal")
def test_submarine_05() -> None:
    """A surprise strike sinks a cruiser before it can fire."""
    t = sea("submarine", "cruiser").do(Dive(0))
    assert t.rolling == "strike in sz8: 1 submarine at 2"
    t.dice(2)
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "united_kingdom") == {}
    assert t.units("sz8", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:combat.sub.step2.destroyer-cancels", "aa1942:unit.sub.no-step2")
def test_submarine_06() -> None:
    """Against a destroyer there is no surprise: both fire, both sink."""
    t = sea("submarine", "destroyer")
    assert t.rolling == "attack in sz8: 1 submarine at 2"
    t.dice(1)
    assert t.rolling == "defence in sz8: 1 destroyer at 2"
    t.dice(2)
    assert t.units("sz8", "united_kingdom") == t.units("sz8", "germany") == {}


@pytest.mark.rule("aa1942:combat.reevaluate", "aa1942:combat.sub.strike.repeat")
def test_submarine_09() -> None:
    """The destroyer is lost in round 1; from round 2 on submarines strike or submerge again."""
    t = sea("2 submarine", "destroyer, battleship")
    assert step(t) == "attack in sz8"
    t.dice(1, 6).do(Casualties({"united_kingdom": {"destroyer": 1}})).dice(6, 6).do(Press())
    assert t.asked == "germany submerge_or_strike"
    t.do(Dive(1))
    assert t.rolling == "strike in sz8: 1 submarine at 2"


@pytest.mark.rule("aa1942:combat.sub.submerge.before-dice")
def test_submarine_10() -> None:
    """Attacker, then defender, decide on submerging before any die."""
    t = sea("submarine", "submarine")
    order = []
    while t.asked != "chance roll":
        order.append(t.asked)
        t.do(Dive(0))
    assert order == ["germany submerge_or_strike", "united_kingdom submerge_or_strike"]


@pytest.mark.rule("aa1942:combat.sub.submerge.effect", "aa1942:combat.fire.max-hits")
def test_submarine_11() -> None:
    """A submerged submarine cannot be a casualty; the second hit is lost."""
    t = sea("2 cruiser", "submarine, cruiser", "united_kingdom")
    assert t.asked == "germany submerge_or_strike"
    t.do(Dive(1)).dice(1, 1)
    assert t.rolling == "defence in sz8: 1 cruiser at 3"
    t.dice(6)
    assert t.units("sz8", "germany") == {"submarine": 1}
    assert t.s.lost == {("germany", "cruiser"): 1}


@pytest.mark.rule("aa1942:unit.sub.air-immune", "aa1942:unit.sub.cannot-hit-air")
def test_submarine_12() -> None:
    """Bombers without a destroyer and submarines do each other no harm."""
    t = table(
        "united_states",
        units={
            "united_kingdom": {"united_states": "3 bomber"},
            "sz8": {"japan": "2 submarine"},
        },
    ).do(move("3 bomber", "united_kingdom > sz8"), Done(), Fight("sz8"))
    assert t.asked == "united_states noncombat_move"
    assert t.units("sz8", "united_states") == {"bomber": 3}
    assert t.units("sz8", "japan") == {"submarine": 2}


@pytest.mark.rule(
    "aa1942:combat.sub.strike.casualty-removal",
    "aa1942:unit.sub.cannot-hit-air",
    "aa1942:unit.sub.air-immune",
    "aa1942:combat.transports.stalemate",
)
def test_submarine_15() -> None:
    """Of two strikes on a carrier one sinks it and one is lost; its fighters hit nothing."""
    t = table(
        "japan",
        units={
            "sz52": {"japan": "2 submarine"},
            "sz53": {"united_states": "aircraft_carrier, 2 fighter"},
        },
    ).do(move("2 submarine", "sz52 > sz53"), Done(), Dive(0))
    assert t.rolling == "strike in sz53: 2 submarine at 2"
    t.dice(1, 1)
    assert t.units("sz53", "united_states") == {"fighter": 2}
    assert line(t) == "2 fighter at 4"
    t.dice(1, 1)
    assert t.asked == "japan noncombat_move"
    assert t.units("sz53", "japan") == {"submarine": 2}
    assert t.s.lost == {("united_states", "aircraft_carrier"): 1}
    assert t.units("hawaiian_islands", "united_states") == {"fighter": 2}


@pytest.mark.rule("aa1942:unit.battleship.two-hits", "aa1942:unit.battleship.repair")
def test_submarine_21() -> None:
    """A strike damages a battleship, which sinks the submarine and is whole again."""
    t = sea("submarine", "battleship").do(Dive(0)).dice(1)
    assert [u.duty for u in t.s.stack("sz8") if u.type == "battleship"] == ["damaged"]
    t.dice(4)
    assert t.units("sz8", "germany") == {}
    assert [(u.type, u.duty) for u in t.s.stack("sz8")] == [("battleship", "")]


@pytest.mark.rule("aa1942:combat.transports.defenseless")
def test_submarine_25() -> None:
    """A submarine destroys transports that lie alone, without dice."""
    t = table(
        "germany",
        units={"sz10": {"germany": "submarine"}, "sz11": {"united_states": "2 transport"}},
    ).do(move("submarine", "sz10 > sz11"), Done())
    assert t.asked == "germany noncombat_move"
    assert t.units("sz11", "united_states") == {}
    assert not t.events("fired")
