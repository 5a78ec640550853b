"""The invariants: a sound position has none broken, and each kind of fault is seen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandtable.games.gw75.audit import broken_invariants
from sandtable.games.gw75.model import Job, State, Unit
from tests.gw75.table import state

INF = Unit("germany", "inf")


def build(hex: str, unit: Unit, count: int = 1) -> Callable[[State], None]:
    """Build units, which are counted."""
    return lambda s: s.build(hex, unit, count)


def sneak(s: State) -> None:
    s.put("W3121", INF)


def vanish(s: State) -> None:
    s.take("W3121", INF)


def hold_the_sea(s: State) -> None:
    s.held["W2410"] = "germany"


def hold_ones_own(s: State) -> None:
    s.held["W3121"] = "germany"


def unsorted_war(s: State) -> None:
    s.wars = frozenset({("germany", "france")})


def war_of_a_minor(s: State) -> None:
    s.wars = frozenset({("finland", "ussr")})


def limited_peace(s: State) -> None:
    s.limited = frozenset({("japan", "usa")})


def unsorted_track(s: State) -> None:
    s.track = (Job("usa", "inf", 9), Job("germany", "inf", 9))


def late(s: State) -> None:
    s.track = (Job("usa", "inf", 3),)


def debts(s: State) -> None:
    s.points = {("usa", ""): -1}


def captured_meadow(s: State) -> None:
    s.captured = {"W3020": 2}


def desert_in_ruins(s: State) -> None:
    s.destroyed = frozenset({"W3020"})


def port_inland(s: State) -> None:
    s.ports = frozenset({"W3020"})


def no_bomb(s: State) -> None:
    s.bombs = {"W2805": 0}


FAULTS: list[tuple[Callable[[State], None], str]] = [
    (sneak, "Germany Infantry: 5 are on the map, and 4 should be."),
    (vanish, "Germany Infantry: 3 are on the map, and 4 should be."),
    (build("W3020", Unit("germany", "ss")), "ships are at sea or in coastal hexes."),
    (build("W2410", INF), "it needs land."),
    (build("W2410", Unit("germany", "asw")), "it needs land."),
    (build("W3020", Unit("germany", "ad")), "Air Defense units are in industrial hexes only."),
    (build("W3324", Unit("finland", "inf")), "Finnish units never leave Finland."),
    (build("W3020", Unit("italy", "sd")), "Self-Defense units stay in their Home Country."),
    (build("W3121", Unit("germany", "ss", True)), "only Surface-A and ASW units are depleted."),
    (
        build("W3121", Unit("france", "inf")),
        "Germany Infantry are both in Berlin (W3121).",
    ),
    (build("W3121", INF, 8), "11 Strength Points are in Berlin (W3121)."),
    (build("W3121", Unit("germany", "fort"), 3), "3 Strength Points of Fortifications are in"),
    (build("W3121", Unit("germany", "ad"), 11), "11 Air Defense units are in Berlin (W3121)."),
    (hold_the_sea, "W2410 cannot be held by Germany."),
    (hold_ones_own, "Berlin (W3121) is noted as held by the nation whose it is."),
    (unsorted_war, "germany and france are no pair of nations at war."),
    (war_of_a_minor, "Axis minor allies have Germany's wars."),
    (limited_peace, "Japan and United States have no war that could be limited."),
    (unsorted_track, "The Production Track is not sorted."),
    (late, "The Production Track has 1 United States Infantry of Game-Turn 3, which is over."),
    (debts, "United States has -1 Production Points."),
    (captured_meadow, "Bavaria (W3020) is no industrial hex."),
    (desert_in_ruins, "Bavaria (W3020) is no industrial hex and no supply center."),
    (port_inland, "Bavaria (W3020) is no place for a port."),
    (no_bomb, "There are 0 atomic bombs in"),
]


@pytest.mark.rule("gw75:7.0a", "gw75:7.36", "gw75:17.22", "gw75:17.12")
@pytest.mark.parametrize(("fault", "sentence"), FAULTS)
def test_faults_are_seen(fault: Callable[[State], None], sentence: str) -> None:
    s = state(
        "axis_land_combat",
        4,
        units={
            "W3121": {"germany": "3 inf"},
            "W3019": {
                "france": {"fort": 2, "inf": 6},
                "germany": {"inf": [{"duty": "assault", "origin": "W3120"}]},
            },
        },
        track=[],
        wars=[("germany", "france")],
    )
    # Who assaults a hex is in it with its defenders.
    assert broken_invariants(s) == []
    fault(s)
    found = broken_invariants(s)
    assert any(sentence in each for each in found), found


def test_a_retreat_may_exceed_the_stacking_limit() -> None:
    """7.12: only when the attacks of a side begin has it to be met."""
    s = state("allies_land_combat", units={"W3121": {"germany": "12 inf"}})
    assert broken_invariants(s) == []
