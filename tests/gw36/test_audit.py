"""The invariants: a sound position has none broken, and each kind of fault is seen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandtable.games.gw36.audit import broken_invariants
from sandtable.games.gw36.model import Facility, Job, State, Unit
from tests.gw36.table import state


def put(zone: str, unit: Unit) -> Callable[[State], None]:
    """Build a unit, which is counted."""
    return lambda s: s.build(zone, unit)


def sneak(s: State) -> None:
    s.put("berlin", Unit("germany", "infantry"))


def unmarked(s: State) -> None:
    s.aligned["belgium"] = "france"


def forgotten(s: State) -> None:
    del s.possession["paris"]


def unsorted_war(s: State) -> None:
    s.wars = frozenset({("germany", "france")})


def war_of_a_part(s: State) -> None:
    s.wars = frozenset({("fec", "japan")})


def debts(s: State) -> None:
    s.treasury["usa"] = -1


def too_many_instalments(s: State) -> None:
    s.track = (Job("usa", "battleship", 4),)


def too_much_damage(s: State) -> None:
    s.facilities["berlin"] = (Facility("major_factory", damage=21),)


def port_inland(s: State) -> None:
    s.facilities["bohemia"] = (Facility("minor_port", "sz_014"),)


def railway_nowhere(s: State) -> None:
    s.railways["berlin", "paris"] = "regular"


def twice(s: State) -> None:
    s.control["belgium"] = s.aligned["belgium"] = "germany"


ARTILLERY = Unit("germany", "artillery")
INFANTRY = Unit("germany", "infantry")
FAULTS: list[tuple[Callable[[State], None], str]] = [
    (sneak, "Germany Infantry: 7 are on the board, and 6 should be."),
    (put("berlin", Unit("germany", "destroyer")), "ships are at sea."),
    (put("sz_014", INFANTRY), "land units are at sea only aboard ships."),
    (put("sz_014", Unit("germany", "fighter")), "aircraft at sea are on carriers or on patrol."),
    (put("greenland", Unit("denmark", "infantry")), "the zone is impassable."),
    (put("sz_014", Unit("germany", "battleship", hits=2)), "2 hits are too many."),
    (
        put("sz_014", Unit("germany", "naval_transport", cargo=(ARTILLERY, ARTILLERY))),
        "cannot carry Germany Artillery, Germany Artillery.",
    ),
    (
        put("sz_014", Unit("germany", "naval_transport", cargo=(INFANTRY, INFANTRY, INFANTRY))),
        "cannot carry",
    ),
    (put("sz_014", Unit("germany", "light_carrier", cargo=(INFANTRY,))), "cannot carry"),
    (put("sz_014", Unit("germany", "destroyer", cargo=(INFANTRY,))), "cannot carry"),
    (put("paris", INFANTRY), "Germany Infantry is in Paris, which is France's."),
    (unmarked, "Belgium Infantry in Belgium: Belgium is part of France."),
    (forgotten, "Paris is possessed by nobody who is known."),
    (unsorted_war, "germany and france are no pair of nations at war."),
    (war_of_a_part, "Far East Command has no wars of its own."),
    (debts, "United States has a treasury of -1."),
    (too_many_instalments, "United States's Battleship has 4 instalments left."),
    (too_much_damage, "The Major Factory in Berlin has 21 damage."),
    (port_inland, "The Minor Port in Bohemia is at no sea zone."),
    (railway_nowhere, "A railway between Berlin and Paris has no border."),
    (twice, "Belgium is Aligned, and Controlled as well."),
]


def sound() -> State:
    return state(
        phase="production",
        units={
            "berlin": {"germany": "3 infantry"},
            "belgium": {"belgium": "infantry"},
            "sz_014": {
                "germany": {
                    "naval_transport": [
                        {"cargo": ["infantry", "artillery"]},
                        {"cargo": ["infantry", "infantry"]},
                        {"cargo": ["fighter"]},
                    ],
                    "fleet_carrier": [{"cargo": ["fighter", "tactical_bomber"]}],
                }
            },
        },
        wars=[("germany", "france")],
        options={"tundra": True},
    )


@pytest.mark.parametrize(("fault", "sentence"), FAULTS)
def test_faults_are_seen(fault: Callable[[State], None], sentence: str) -> None:
    s = sound()
    assert broken_invariants(s) == []
    fault(s)
    found = broken_invariants(s)
    assert any(sentence in each for each in found), found
