"""Finland, Hungary, Rumania and Bulgaria: 19.9."""

from __future__ import annotations

import random

import pytest

from sandtable.games.gw75.facts import load_facts
from sandtable.games.gw75.model import Job
from sandtable.games.gw75.rules import (
    axis_minors,
    industry,
    neutrals,
    politics,
    retreat,
    supply,
    zones,
)
from sandtable.games.gw75.rules.declaring import Declare
from sandtable.games.gw75.rules.terms import at_war, friends
from tests.gw75.happenings import enter, phase, told, violate
from tests.gw75.moves import move, redeploy
from tests.gw75.table import Unit, state, table

EAST = [("commonwealth", "germany"), ("germany", "ussr")]


@pytest.mark.rule("gw75:19.92b")
def test_leningrad_is_soviet_and_next_to_finland() -> None:
    """Example finland_trigger."""
    facts = load_facts()
    assert facts.places["leningrad"] == ("W3324",)
    assert facts.hexes["W3324"].country == "ussr"
    assert "finland" in {facts.hexes[near].country for near in facts.near["W3324"]}


@pytest.mark.rule("gw75:19.9a")
def test_they_have_no_production_of_their_own() -> None:
    s = state(base="setup")
    assert industry.production(s, "rumania") == {}
    assert s.facts.hexes["W2923"].industry == "germany"


@pytest.mark.rule("gw75:19.9b")
def test_at_home_they_are_always_in_defense_supply() -> None:
    s = state(units={"W3423": {"finland": "inf"}})
    assert supply.of(s, "W3423", Unit("finland", "inf")) == "defense"
    s = state(units={"W3022": {"hungary": "inf"}})
    assert supply.of(s, "W3022", Unit("hungary", "inf")) == "attack"


@pytest.mark.rule("gw75:19.91")
def test_they_attack_together_with_each_other_and_with_germany() -> None:
    units = {
        "W3022": {"hungary": "inf", "germany": "2 inf"},
        "W2924": {"rumania": "inf"},
        "W3023": {"ussr": "inf"},
    }
    t = table("axis_land_combat", 9, wars=EAST, units=units, held={"W3023": "ussr"}, base="empty")
    force = (("W2924", "rumania", "inf", 1), ("W3022", "germany", "inf", 2))
    assert friends(t.s, "hungary", "rumania") and friends(t.s, "germany", "finland")
    assert t.asked.endswith("land_attacks")
    t.do(Declare(("W3023",), force))


@pytest.mark.rule("gw75:19.92a")
def test_finns_never_leave_finland() -> None:
    s = state(turn=9, wars=EAST)
    assert "19.92" in neutrals.barred(s, "finland", "W3324")
    assert neutrals.barred(s, "finland", "W3423") == ""
    assert neutrals.barred(s, "germany", "W3423") == ""
    s.hold("W3423", "ussr")
    assert neutrals.barred(s, "finland", "W3423") == ""
    assert politics.may_attack(s, "finland", "ussr", "W3423") == ""


@pytest.mark.rule("gw75:19.92b", "gw75:19.97")
def test_finns_cross_their_border_the_turn_after_leningrad_was_entered() -> None:
    s = state(turn=9, wars=EAST, units={"W3423": {"finland": "inf"}})
    assert "19.92" in politics.may_attack(s, "finland", "ussr", "W3424")
    assert politics.may_attack(s, "hungary", "ussr", "W3424") == ""
    enter(s, "germany", "W3324")
    assert politics.may_attack(s, "finland", "ussr", "W3424")
    assert not zones.controlled(s, "ussr", "W3424")
    s.turn = 10
    s.changed()
    assert politics.may_attack(s, "finland", "ussr", "W3424") == ""
    assert zones.controlled(s, "ussr", "W3424")
    enter(s, "ussr", "W3324")
    assert politics.may_attack(s, "finland", "ussr", "W3424") == ""
    assert neutrals.closed(s, "finland", "W3424") == ""


@pytest.mark.rule("gw75:19.92b")
def test_entry_by_a_minor_ally_does_not_release_the_finns() -> None:
    s = state(turn=9, wars=EAST)
    enter(s, "hungary", "W3324")
    s.turn = 10
    assert politics.may_attack(s, "finland", "ussr", "W3424")


@pytest.mark.rule("gw75:19.93")
def test_finland_gets_a_point_when_a_german_or_italian_enters_it() -> None:
    s = state(turn=5)
    enter(s, "germany", "W3423")
    enter(s, "italy", "W3323")
    assert [job for job in s.track if job.nation == "finland"] == [
        Job("finland", "inf", 5, 1, "finland")
    ]


@pytest.mark.rule("gw75:19.93")
def test_germans_who_come_to_finland_by_sea_bring_it_a_point() -> None:
    t = table(
        "axis_strategic_movement",
        7,
        wars=[("commonwealth", "germany")],
        units={"W3121": {"germany": "2 inf"}, "W3221": {"germany": "3 ms"}},
    )
    t.do(redeploy("inf", sea="W3121 > W3221 > W3322 > W3323"))
    assert Job("finland", "inf", 7, 1, "finland") in t.s.track


@pytest.mark.rule("gw75:19.93", "gw75:19.98b")
def test_the_invasion_of_the_ussr_brings_reinforcements() -> None:
    s = state(turn=8)
    violate(s, "germany", "ussr", "W3124")
    found = {job.nation: job.number for job in s.track if job.due == 8}
    assert found == {"finland": 2, "hungary": 1, "rumania": 1}


@pytest.mark.rule("gw75:19.98a")
def test_the_violation_of_yugoslavia_brings_reinforcements() -> None:
    s = state(turn=5)
    violate(s, "italy", "yugoslavia", "W2922")
    found = {job.nation: job.number for job in s.track if job.country}
    assert found == {"hungary": 1, "rumania": 1, "bulgaria": 1}


@pytest.mark.rule("gw75:19.98a")
def test_violations_by_others_bring_none() -> None:
    s = state(turn=5)
    violate(s, "japan", "ussr", "E2810")
    assert not [job for job in s.track if job.due == 5 and job.nation in ("finland", "hungary")]


@pytest.mark.rule("gw75:19.94")
def test_they_violate_nobody_by_themselves() -> None:
    s = state(turn=5)
    assert "19.94" in neutrals.barred(s, "bulgaria", "W2723")
    assert "19.94" in politics.may_attack(s, "hungary", "yugoslavia", "W2922")
    violate(s, "germany", "yugoslavia", "W2922")
    assert at_war(s, "hungary", "yugoslavia")
    assert politics.may_attack(s, "hungary", "yugoslavia", "W2922") == ""
    assert neutrals.barred(s, "bulgaria", "W2922") == ""


@pytest.mark.rule("gw75:19.94", "gw75:19.91")
def test_they_attack_a_neutral_together_with_germany_which_violates_it() -> None:
    units = {
        "W2923": {"germany": "3 inf", "rumania": "inf"},
        "W2921": {"italy": "2 inf"},
        "W2922": {"yugoslavia": "sd"},
    }
    rumanians, germans = ("W2923", "rumania", "inf", 1), ("W2923", "germany", "inf", 3)
    t = table("axis_land_combat", 5, units=units, wars=[("germany", "commonwealth")])
    t.refused(Declare(("W2922",), (rumanians,)), "19.94")
    italians = ("W2921", "italy", "inf", 2)
    t.refused(Declare(("W2922",), (rumanians, italians)), "19.22")
    t.do(Declare(("W2922",), (germans, rumanians)))
    assert [event["power"] for event in t.events("violated")] == ["germany"]
    assert [event["power"] for event in t.events("mobilised")] == ["hungary", "rumania", "bulgaria"]


@pytest.mark.rule("gw75:19.94")
def test_at_random_they_attack_a_neutral_only_together_with_germany() -> None:
    units = {"W2923": {"germany": "inf", "rumania": "5 inf"}, "W2922": {"yugoslavia": "sd"}}
    t = table("axis_land_combat", 5, units=units, wars=[("germany", "commonwealth")])
    for seed in range(60):
        t.request.check(t.s, t.request.sample(t.s, random.Random(seed)))


@pytest.mark.rule("gw75:19.94", "gw75:19.92a")
def test_they_march_into_a_neutral_together_with_germany() -> None:
    units = {
        "W2823": {"germany": "3 inf", "bulgaria": "inf"},
        "W3422": {"germany": "inf", "finland": "inf"},
    }
    t = table(turn=5, units=units, wars=[("germany", "commonwealth")])
    t.refused(move("W3422 > W3522", "inf", finland="inf"), "19.92a")
    t.refused(move("W2823 > W2822", "inf", "bulgaria"), "19.94")
    t.do(move("W2823 > W2822", "3 inf", bulgaria="inf"))
    assert [event["power"] for event in t.events("violated")] == ["germany"]
    assert t.units("W2822", "bulgaria") == {"inf": 1}


@pytest.mark.rule("gw75:19.95")
@pytest.mark.parametrize("nation", ["hungary", "rumania"])
def test_hungarians_and_rumanians_end_at_home_or_in_the_soviet_union(nation: str) -> None:
    home = {"hungary": "W3022", "rumania": "W2924"}[nation]
    s = state(turn=9, wars=EAST, counts={"ussr:partition": 1})
    for hex in (home, "W3124", "W3023", "W3122", "W2922"):
        s.put(hex, Unit(nation, "inf"))
    events = told(phase(s, "end of axis_land_movement"), "strayed")
    assert [event["space"] for event in events] == ["W2922", "W3122"]
    assert s.stack(home) and s.stack("W3124") and s.stack("W3023")


@pytest.mark.rule("gw75:19.96")
def test_bulgarians_end_at_home_or_in_violated_yugoslavia_and_greece() -> None:
    s = state(turn=9, wars=EAST, joined={"greece": "allies"})
    for hex in ("W2823", "W2723", "W2922", "W3124"):
        s.put(hex, Unit("bulgaria", "inf"))
    events = told(phase(s, "end of axis_land_movement"), "strayed")
    assert [event["space"] for event in events] == ["W2922", "W3124"]


@pytest.mark.rule("gw75:19.95")
def test_only_the_end_of_the_land_movement_phase_counts() -> None:
    s = state(turn=9, wars=EAST, units={"W3122": {"hungary": "inf"}})
    phase(s, "end of axis_strategic_movement")
    assert s.stack("W3122")
    assert not axis_minors.may_end(s, "hungary", "W3122")


@pytest.mark.rule("gw75:19.97")
def test_their_zones_of_control_are_as_german_ones() -> None:
    s = state(turn=9, wars=EAST, units={"W3022": {"hungary": "inf"}})
    reached = {hex for hex in s.facts.near["W3022"] if zones.controlled(s, "ussr", hex)}
    s = state(turn=9, wars=EAST, units={"W3022": {"germany": "inf"}})
    assert reached == {hex for hex in s.facts.near["W3022"] if zones.controlled(s, "ussr", hex)}
    assert reached


@pytest.mark.rule("gw75:19.92a")
def test_finnish_units_do_not_retreat_out_of_finland() -> None:
    units = {"W3523": {"finland": "inf", "germany": "inf"}, "W3423": {"ussr": "2 inf"}}
    held = {"W3623": "germany", "W3423": "ussr"}
    s = state("allies_land_combat", 18, units=units, wars=[("germany", "ussr")], held=held)
    assert "W3623" in retreat.options(s, Unit("germany", "inf"), "W3523")
    assert "W3623" not in retreat.options(s, Unit("finland", "inf"), "W3523")
