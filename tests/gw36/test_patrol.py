"""Maritime Air Patrol (8.7)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw36.model import Facility, State, Unit
from sandtable.games.gw36.rules import combat_move, noncombat_move
from sandtable.games.gw36.rules.air import patrol_range
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.patrol import eliminate, resume
from tests.gw36.hand import Hand, allowed, facts, of, refused, state, way

WAR = [("germany", "great_britain")]
HOME = "noncombat_move"


def patrol(type_: str, path: str, count: int = 1) -> Move:
    return Move({type_: count}, way(path), "patrol")


def flying(nation: str, zone: str, type_: str, **fields: Any) -> State:
    others = fields.pop("others", {})
    fields.setdefault("wars", WAR)
    units: dict[str, list[Any]] = {zone: [of(nation, type_)]}
    for where, pieces in others.items():
        units.setdefault(where, []).extend(pieces)
    return state(nation, units=units, **fields)


@pytest.mark.rule("gw36:8.7a")
@pytest.mark.rule("gw36:8.2b")
@pytest.mark.rule("gw36:8.7j")
def test_a_patrol_is_flown_within_range_of_a_landing_place() -> None:
    # sz_038 is two zones from the British Isles, sz_025 lies at them.
    s = flying("great_britain", "southern_england", "fighter")
    allowed(s, patrol("fighter", "southern_england > sz_025"))
    refused(s, patrol("fighter", "southern_england > sz_025 > sz_038"), "8.7a")
    sea = flying("great_britain", "southern_england", "seaplane")
    allowed(sea, patrol("seaplane", "southern_england > sz_025 > sz_038"))
    refused(sea, patrol("seaplane", "southern_england > sz_025 > sz_038 > sz_047"), "8.7a")
    refused(s, patrol("fighter", "southern_england > london"), "8.7a")
    Hand(s).run(combat_move.phase, patrol("fighter", "southern_england > sz_025"), Done())
    assert [u.duty for u in s.stack("sz_025")] == ["patrol"]
    assert s.planned == ()


@pytest.mark.rule("gw36:8.7a")
@pytest.mark.parametrize(
    ("type_", "able"),
    [
        ("fighter", True),
        ("jet_fighter", True),
        ("tactical_bomber", True),
        ("medium_bomber", True),
        ("seaplane", True),
        ("strategic_bomber", False),
        ("heavy_strategic_bomber", False),
        ("air_transport", False),
    ],
)
def test_who_patrols(type_: str, able: bool) -> None:
    s = flying("great_britain", "southern_england", type_)
    if able:
        allowed(s, patrol(type_, "southern_england > sz_025"))
    else:
        refused(s, patrol(type_, "southern_england > sz_025"), "8.7a")


@pytest.mark.rule("gw36:8.7j")
@pytest.mark.rule("gw36:7.8.long-range-b")
@pytest.mark.rule("gw36:12.2.seaplane-d")
@pytest.mark.rule("gw36:12.5.air-base-c")
@pytest.mark.rule("gw36:12.5.seaplane-base-b")
@pytest.mark.rule("gw36:appB-27a")
def test_patrol_ranges() -> None:
    units = facts().units

    def reach(type_: str, **fields: Any) -> int:
        return patrol_range(state(**fields), "germany", units[type_])

    tech = {("germany", "long_range_aircraft"): 3}
    assert [reach(t) for t in ("fighter", "medium_bomber", "seaplane")] == [1, 1, 2]
    assert [reach(t, tech=tech) for t in ("fighter", "medium_bomber", "seaplane")] == [1, 2, 2]
    bases = {"southern_england": [Facility("air_base"), Facility("seaplane_base")]}
    s = flying("great_britain", "southern_england", "fighter", facilities=bases)
    refused(s, patrol("fighter", "southern_england > sz_025 > sz_038"), "8.7a")
    s = flying("great_britain", "southern_england", "seaplane", facilities=bases)
    refused(s, patrol("seaplane", "southern_england > sz_025 > sz_038 > sz_047"), "8.7a")


@pytest.mark.rule("gw36:8.7i")
def test_carrier_aircraft_patrol_one_zone_from_their_carrier() -> None:
    deck = of("great_britain", "light_carrier", cargo=(Unit("great_britain", "fighter"),))
    s = state("great_britain", units={"sz_037": [deck]}, wars=WAR)
    allowed(s, patrol("fighter", "sz_037 > sz_038"))
    allowed(s, patrol("fighter", "sz_037"))
    refused(s, patrol("fighter", "sz_037 > sz_038 > sz_048"), "8.7a")


@pytest.mark.rule("gw36:8.7c")
@pytest.mark.rule("gw36:8.7b")
def test_a_patrol_may_engage_and_is_on_patrol_again_afterwards() -> None:
    on_duty = of("great_britain", "fighter", 2, duty="patrol")
    s = state(
        "great_britain",
        units={
            "sz_025": [on_duty, of("germany", "submarine")],
            "sz_026": [of("great_britain", "fighter", duty="patrol")],
        },
        wars=WAR,
    )
    refused(s, Move({"fighter": 1}, ("sz_026",), "attack"), "8.7c")
    quiet = s.copy()
    Hand(quiet).run(combat_move.phase, Done())
    assert quiet.planned == ()
    Hand(s).run(combat_move.phase, Move({"fighter": 1}, ("sz_025",), "attack"), Done())
    assert s.planned == (("sz_025", "naval"),)
    engaged = Unit("great_britain", "fighter", duty="attack", target="patrol")
    assert s.stack("sz_025")[engaged] == 1
    resume(s)
    assert s.stack("sz_025")[Unit("great_britain", "fighter", duty="patrol")] == 2


@pytest.mark.rule("gw36:8.7g")
def test_a_patrol_does_nothing_else_before_it_has_ended() -> None:
    s = state(
        "great_britain",
        units={
            "sz_025": [of("great_britain", "fighter", duty="patrol")],
            "sz_026": [of("germany", "destroyer")],
        },
        wars=WAR,
    )
    refused(s, Move({"fighter": 1}, ("sz_025", "sz_026")))
    refused(s, patrol("fighter", "sz_025 > sz_026"), "8.7g")


@pytest.mark.rule("gw36:8.7g")
@pytest.mark.rule("gw36:10.3c")
def test_a_patrol_ends_within_its_range() -> None:
    s = state(
        "great_britain",
        HOME,
        units={"sz_025": [of("great_britain", "fighter", duty="patrol")]},
        wars=WAR,
    )
    refused(s, Move({"fighter": 1}, way("sz_025 > southern_england > london")), "10.3a")
    Hand(s).run(
        noncombat_move.phase, Move({"fighter": 1}, way("sz_025 > southern_england")), Done()
    )
    assert [u.duty for u in s.stack("southern_england")] == ["moved"]
    deck = state(
        "great_britain",
        HOME,
        units={
            "sz_038": [of("great_britain", "fighter", duty="patrol")],
            "sz_037": [of("great_britain", "light_carrier")],
        },
        wars=WAR,
    )
    allowed(deck, Move({"fighter": 1}, way("sz_038 > sz_037")))


@pytest.mark.rule("gw36:8.7b")
def test_a_patrol_need_not_end() -> None:
    s = state(
        "great_britain",
        HOME,
        units={"sz_025": [of("great_britain", "fighter", duty="patrol")]},
        wars=WAR,
    )
    Hand(s).run(noncombat_move.phase, Done())
    assert [u.duty for u in s.stack("sz_025")] == ["patrol"]


@pytest.mark.rule("gw36:8.7h")
@pytest.mark.rule("gw36:8.7i")
def test_a_patrol_without_a_landing_place_is_lost() -> None:
    def after(**fields: Any) -> State:
        s = state("germany", wars=WAR, **fields)
        eliminate(Hand(s).table)
        return s

    flown = of("great_britain", "fighter", duty="patrol")
    assert "sz_025" in after(units={"sz_025": [flown]}).at
    lost = dict.fromkeys(facts().coast["sz_025"], "germany")
    assert "sz_025" not in after(units={"sz_025": [flown]}, owners=lost).at
    carrier = of("great_britain", "light_carrier")
    assert "sz_038" not in after(units={"sz_038": [flown]}).at
    assert "sz_038" in after(units={"sz_038": [flown], "sz_037": [carrier]}).at
    full = of("great_britain", "light_carrier", cargo=(Unit("great_britain", "fighter"),))
    assert "sz_038" not in after(units={"sz_038": [flown], "sz_037": [full]}).at


@pytest.mark.rule("gw36:8.7h")
def test_enemy_fighters_block_the_way_home_of_a_seaplane() -> None:
    def alive(*blockers: Any) -> bool:
        units: dict[str, list[Any]] = {"sz_038": [of("great_britain", "seaplane", duty="patrol")]}
        for zone in ("sz_024", "sz_025", "sz_039"):
            units[zone] = list(blockers)
        s = state("germany", units=units, wars=WAR)
        eliminate(Hand(s).table)
        return "sz_038" in s.at

    assert alive()
    assert alive(of("germany", "destroyer"))
    assert not alive(of("germany", "fleet_carrier", cargo=(Unit("germany", "fighter"),)))


@pytest.mark.rule("gw36:9.14a")
@pytest.mark.rule("gw36:12.2.seaplane-b")
def test_aircraft_on_patrol_raid_with_the_option() -> None:
    units = {
        "sz_026": [
            of("germany", type_, duty="patrol")
            for type_ in ("tactical_bomber", "fighter", "seaplane")
        ]
    }
    owners = {"belgium": "germany"}
    raid = Move({"tactical_bomber": 1}, ("sz_026",), "raid")
    refused(state(units=units, wars=WAR, owners=owners), raid, "9.14a")
    s = state(
        units=units, wars=WAR, owners=owners, switches={"raiding_aircraft": True, "mines": True}
    )
    refused(s, Move({"fighter": 1}, ("sz_026",), "raid"), "9.14a")
    allowed(s, Move({"seaplane": 1}, ("sz_026",), "mine"))
    Hand(s).run(combat_move.phase, raid, Done())
    assert s.planned == (("sz_026", "raid"),)
