"""Automatic alliances of minor countries (3.3, F.2)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import astuple

from sandtable.games.blitz.model import Attack
from sandtable.games.blitz.rules.alignment import settle
from sandtable.games.blitz.rules.consequences import declare_war, take_control
from sandtable.games.blitz.rules.neutral_entry import go_to_war
from sandtable.games.blitz.rules.set_aside import CallUp
from tests.blitz.table import position, run

ALLIED = "allied_activities"


def at(phase: str = "axis_activities", scenario: str = "campaign", **given: Any) -> Any:
    return position(scenario, phase=phase, step="E", **given)


def settled(s: Any) -> dict[str, str]:
    """The countries that allied, with their powers."""
    events = run(s, settle)
    return {e.data["country"]: e.data["power"] for e in events if e.kind == "allied"}


@pytest.mark.rule("blitz:3.3a")
@pytest.mark.rule("blitz:F.2a")
@pytest.mark.parametrize("scenario", ["F", "campaign"])
def test_alliances_come_by_themselves_and_only_when_due(scenario: str) -> None:
    s = at(scenario=scenario)
    assert settled(s) == {}
    s.set_control("gibraltar", "germany")
    assert settled(s) == {"iberia": "germany"}
    assert settled(s) == {}, "once"


@pytest.mark.rule("blitz:F.2a")
def test_earlier_scenarios_have_no_alliances() -> None:
    s = at(scenario="D", allied={"balkans": ""}, control={"balkans": "", "egypt": "germany"})
    assert settled(s) == {}


@pytest.mark.rule("blitz:3.3b")
def test_a_new_ally_is_set_up_and_governed_at_once() -> None:
    s = at(control={"gibraltar": "germany"})
    settled(s)
    assert s.control["spain"] == s.control["portugal"] == "germany"
    assert astuple(s.units["min_spanish_army"])[:3] == ("germany", 2, "spain")
    assert astuple(s.units["min_portuguese_army"])[:3] == ("germany", 1, "portugal")
    assert not s.units["min_spanish_army"].done, "it may be used at once"


@pytest.mark.rule("blitz:3.3b")
def test_counters_set_aside_for_want_of_the_alliance_come_in() -> None:
    s = at(control={"gibraltar": "germany"})
    s.aside["min_czech_army"] = "iberia"
    settled(s)
    assert "min_czech_army" in s.pool["germany"] and not s.aside


@pytest.mark.rule("blitz:3.3.argentina-a")
@pytest.mark.rule("blitz:3.3.paraguay-a")
def test_a_major_powers_land_unit_near_argentina_aligns_it() -> None:
    control = {"recife": "germany", "sao_paulo": "germany"}
    s = at(control=control, allied={"brazil": "germany"})
    assert settled(s) == {}, "nobody is there"
    near = {"argentina", "paraguay_uruguay"}
    s = at(control=control, units={"min_brazilian_army": {"at": "sao_paulo", "power": "germany"}})
    assert not near & set(settled(s)), "an aligned minor's unit"
    s = at(control=control, units={"ger_stukas": "sao_paulo"})
    assert not near & set(settled(s)), "no land unit"
    s = at(control=control, units={"ger_18th_army": "sao_paulo"})
    found = settled(s)
    assert found["argentina"] == found["paraguay_uruguay"] == "germany"
    s = at(ALLIED, control={"sao_paulo": "afa"}, units={"afa_bef": "sao_paulo"})
    assert not near & set(settled(s)), "an Axis power only"


@pytest.mark.rule("blitz:3.3.argentina-a")
@pytest.mark.rule("blitz:3.3.paraguay-a")
def test_four_aircraft_moves_are_near_enough_and_five_are_not() -> None:
    for country in ("argentina", "paraguay_uruguay"):
        distances: dict[str, int] = {}
        s = at()
        ring = {country: 0}
        while ring:
            here = min(ring, key=lambda area: ring[area])
            distances[here] = ring.pop(here)
            for other, cost in s.facts.air_steps[here]:
                if other not in distances and distances[here] + cost < ring.get(other, 99):
                    ring[other] = distances[here] + cost
        for area, moves in distances.items():
            if area in s.control and area != country and moves in (4, 5):
                t = at(control={area: "japan"}, units={"jap_southern_army": area})
                assert (settled(t).get(country) == "japan") == (moves == 4), area


@pytest.mark.rule("blitz:3.3.balkans-a")
def test_the_balkans_join_whoever_alone_has_the_mediterranean() -> None:
    s = at()
    coast = s.facts.coast["mediterranean_sea"]
    held = {area: s.control[area] for area in coast}
    allied = {area: "germany" for area, power in held.items() if power == "afa"}
    axis = {area: "afa" for area, power in held.items() if power == "germany"}
    assert "balkans" in coast
    last = next(iter(allied))
    assert "balkans" not in settled(at(control={**allied, last: "afa"}))
    assert settled(at(control=allied))["balkans"] == "germany"
    assert settled(at(ALLIED, control=axis)) == {"balkans": "afa"}
    last = next(iter(axis))
    assert settled(at(ALLIED, control={**axis, last: "germany"})) == {}


@pytest.mark.rule("blitz:3.3.brazil-a")
@pytest.mark.rule("blitz:3.3.mexico-a")
def test_brazil_and_mexico_join_the_usa_at_war_with_their_armies_in_the_pool() -> None:
    s = at(ALLIED)
    assert settled(s) == {}
    run(s, lambda g: go_to_war(g, "germany", "usa"))
    assert s.allied["brazil"] == s.allied["mexico"] == "usa"
    assert not s.units
    assert {"min_brazilian_army", "min_mexican_army"} <= set(s.pool["usa"])


@pytest.mark.rule("blitz:3.3.brazil-a")
@pytest.mark.rule("blitz:3.3.mexico-a")
@pytest.mark.parametrize(
    ("country", "army"), [("brazil", "min_brazilian_army"), ("mexico", "min_mexican_army")]
)
def test_attacked_they_set_up(country: str, army: str) -> None:
    s = at()
    run(s, lambda g: declare_war(g, "germany", country))
    assert s.units[army].power == "usa"
    assert army not in s.pool["usa"]


@pytest.mark.rule("blitz:3.3.centraleurope-a")
@pytest.mark.rule("blitz:3.3.finland-a")
def test_central_europe_and_finland_join_germany_against_the_ussr() -> None:
    s = at(turn=5)
    assert settled(s) == {}
    run(s, lambda g: declare_war(g, "germany", "ussr"))
    assert s.allied["finland"] == s.allied["central_europe"] == "germany"
    assert s.units["min_finnish_army"].power == "germany"
    assert s.units["min_bulgarian_hungarian_rumanian_army"].power == "germany"


@pytest.mark.rule("blitz:3.3.centraleurope-a")
@pytest.mark.rule("blitz:3.3.finland-a")
@pytest.mark.parametrize(
    "wars",
    [
        [("germany", "afa"), ("germany", "usa")],
        [("germany", "afa"), ("japan", "ussr")],
        [("germany", "afa"), ("japan", "usa"), ("japan", "ussr")],
    ],
)
def test_no_other_war_of_germany_or_the_ussr_makes_them_join(
    wars: list[tuple[str, str]],
) -> None:
    joined = settled(at(wars=wars))
    assert "finland" not in joined and "central_europe" not in joined
    both = settled(at(wars=[*wars, ("germany", "ussr")]))
    assert both["finland"] == both["central_europe"] == "germany"


@pytest.mark.rule("blitz:3.3.iberia-a")
def test_iberia_joins_germany_with_gibraltar() -> None:
    assert settled(at(control={"gibraltar": "japan"})) == {}
    assert settled(at(control={"gibraltar": "germany"})) == {"iberia": "germany"}


@pytest.mark.rule("blitz:3.3.neareast-a")
def test_the_near_east_joins_germany_with_two_supplied_areas_beside_it() -> None:
    # Egypt and Ankara touch the Levant; supply runs over the Mediterranean.
    assert settled(at(control={"egypt": "germany"})) == {}
    two = {"egypt": "germany", "ankara": "germany"}
    assert settled(at(control=two)) == {"near_east": "germany"}
    assert settled(at(control={"egypt": "germany", "ankara": "japan"})) == {}
    cut = {"afa_home_fleet": "mediterranean_sea"}
    assert settled(at(control=two, units=cut)) == {}, "without supply"


@pytest.mark.rule("blitz:3.3.seasia-a")
def test_south_east_asia_joins_japan_at_war_with_the_afa_or_when_paris_falls() -> None:
    s = at()
    assert settled(s) == {}
    run(s, lambda g: declare_war(g, "japan", "afa"))
    assert s.allied["south_east_asia"] == "japan"
    assert s.units["min_thai_army"].at == "south_east_asia"
    assert settled(at(control={"paris": "germany"})) == {"south_east_asia": "japan"}


@pytest.mark.rule("blitz:3.3.turkey-a")
def test_turkey_joins_germany_with_the_caucasus() -> None:
    s = at(control={"caucasus_mountains": "germany"})
    assert settled(s)["turkey"] == "germany"
    assert s.units["min_1st_army"].at == "ankara"
    assert settled(at(control={"caucasus_mountains": "japan"})) == {}


@pytest.mark.rule("blitz:3.3.austria-a")
def test_an_allied_power_in_austria_liberates_and_allies_it() -> None:
    s = at(ALLIED)
    run(s, lambda g: take_control(g, "austria_czechoslovakia", "ussr"))
    assert s.allied["austria_czechoslovakia"] == "ussr"
    assert "austria_czechoslovakia" not in s.conquered
    s = at(ALLIED, flags=["road_to_war"])
    run(s, lambda g: take_control(g, "austria_czechoslovakia", "ussr"))
    assert s.conquered["austria_czechoslovakia"] == "allies", "an ordinary minor"


@pytest.mark.rule("blitz:3.3.iberia-b")
def test_the_allies_liberate_iberia() -> None:
    s = at(control={"gibraltar": "germany"})
    settled(s)
    s.phase = ALLIED
    run(s, lambda g: take_control(g, "portugal", "usa"))
    assert s.allied["iberia"] == "germany"
    run(s, lambda g: take_control(g, "spain", "usa"), answers=[("usa", CallUp("min_spanish_army"))])
    assert s.allied["iberia"] == "usa" and "iberia" not in s.conquered
    assert "min_spanish_army" in s.pool["usa"]
    assert s.aside == {"min_portuguese_army": "iberia"}


@pytest.mark.rule("blitz:3.3c")
def test_ex_3_3_iberia() -> None:
    pending = Attack("ground", "vichy_france", ("germany",), ("ger_18th_army",))
    s = position(
        "campaign",
        phase="axis_activities",
        step="F",
        units={"ger_18th_army": "paris"},
        control={"paris": "germany"},
    )
    s.attacks = (pending,)
    run(s, lambda g: take_control(g, "gibraltar", "germany"))
    assert s.units["min_spanish_army"].at == "spain"
    assert s.attacks == (pending,), "those who take part were announced before"


def test_after_the_road_to_war_some_rules_depend_on_its_options() -> None:
    war = [("germany", "ussr"), ("germany", "usa")]
    s = at(wars=war, flags=["road_to_war"])
    assert settled(s) == {}
    s = at(wars=war, flags=["road_to_war", "anti_comintern_expanded"])
    assert settled(s) == {"central_europe": "germany", "finland": "germany"}
    s = at(ALLIED, wars=war, flags=["road_to_war"])
    assert settled(s) == {}
    s = at(ALLIED, wars=war, flags=["road_to_war", "monroe_doctrine"])
    assert settled(s) == {"brazil": "usa", "mexico": "usa"}
    assert settled(at(control={"gibraltar": "germany"}, flags=["road_to_war"])) == {
        "iberia": "germany"
    }
