"""Land Zones of Control (chapter 6)."""

import pytest

from sandtable.games.gw75.model import Unit
from sandtable.games.gw75.rules import zones
from tests.gw75.table import state

BERLIN, DANZIG, SILESIA, BAVARIA, RUHR = "W3121", "W3122", "W3021", "W3020", "W3120"
COPENHAGEN, GOTHENBURG, PARIS = "W3220", "W3221", "W3019"
WAR = [("france", "germany"), ("commonwealth", "germany")]


def german(hex: str, units: str = "inf", **fields):
    return state(units={hex: {"germany": units}}, wars=WAR, **fields)


@pytest.mark.rule("gw75:6.0a")
def test_the_zone_is_the_six_hexes_around():
    s = german(BAVARIA)
    found = {hex for hex in s.facts.near[BAVARIA] if zones.controlled(s, "france", hex)}
    assert found == {hex for hex, mountain in s.facts.land[BAVARIA].items() if not mountain}
    assert {PARIS, SILESIA, BERLIN, RUHR} <= found
    assert not zones.controlled(s, "france", BAVARIA)
    assert not zones.controlled(s, "france", "W3122")  # two hexes away


@pytest.mark.rule("gw75:6.0d")
def test_several_zones_are_as_one():
    s = state(
        units={BAVARIA: {"germany": "inf"}, RUHR: {"germany": "inf"}, "W3018": {"france": "inf"}},
        wars=WAR,
    )
    assert zones.controlled(s, "france", PARIS)
    assert zones.controlled(s, "germany", PARIS)
    assert list(zones.sources(s, "france", PARIS)) == [BAVARIA, RUHR]


@pytest.mark.rule("gw75:6.53")
def test_no_zone_across_mountains_and_prohibited_hexsides_nor_into_the_sea():
    s = german(SILESIA)
    assert s.facts.land[SILESIA]["W2921"]  # the Alps
    assert not zones.controlled(s, "france", "W2921")
    s = german(BERLIN)
    assert GOTHENBURG in s.facts.near[BERLIN]
    assert not zones.controlled(s, "france", GOTHENBURG)
    assert zones.controlled(s, "france", COPENHAGEN)
    s = german("W2619")
    assert s.facts.hexes["W2719"].kind == "sea"
    assert not zones.controlled(s, "france", "W2719")


@pytest.mark.rule("gw75:6.54")
def test_a_fortification_has_no_zone_and_takes_none_away():
    assert not zones.controlled(german(BAVARIA, "2 fort"), "france", PARIS)
    assert zones.controlled(german(BAVARIA, "2 fort, mech"), "france", PARIS)


@pytest.mark.rule("gw75:6.13", "gw75:6.0a")
def test_air_and_naval_units_have_no_land_zone():
    assert not zones.controlled(german(RUHR, "lrb, ad, asw, surf_b, ss"), "france", PARIS)


@pytest.mark.rule("gw75:6.51")
def test_self_defense_units_control_hexes_of_their_country_only():
    s = state(units={"W3023": {"poland": "sd"}}, wars=[("germany", "poland")])
    hexes = s.facts.hexes
    near = [hex for hex, mountain in s.facts.land["W3023"].items() if not mountain]
    inside = [hex for hex in near if hexes[hex].country == "poland"]
    outside = [hex for hex in near if hexes[hex].country != "poland"]
    assert inside
    assert outside
    assert all(zones.controlled(s, "germany", hex) for hex in inside)
    assert not any(zones.controlled(s, "germany", hex) for hex in outside)


@pytest.mark.rule("gw75:6.51")
def test_self_defense_units_abroad_control_their_own_hex_at_most():
    """Hong Kong lies in a hex of China."""
    s = state(units={"E2206": {"commonwealth": "sd"}}, wars=[("commonwealth", "japan")])
    assert not any(zones.controlled(s, "japan", hex) for hex in s.facts.near["E2206"])


@pytest.mark.rule("gw75:6.52", "gw75:11.11")
def test_who_is_no_enemy_has_no_zone():
    s = state(units={"W3019": {"france": "inf"}}, wars=[("commonwealth", "germany")])
    assert not zones.controlled(s, "germany", BAVARIA)


@pytest.mark.rule("gw75:6.52")
def test_zones_of_who_is_about_to_become_an_enemy_can_be_asked_for():
    s = state(units={"W3023": {"poland": "sd"}, BAVARIA: {"germany": "inf"}}, wars=WAR)
    inside = [hex for hex in s.facts.land["W3023"] if s.facts.hexes[hex].country == "poland"]
    assert inside
    for hex in inside:
        assert not zones.controlled(s, "germany", hex)
        assert list(zones.sources(s, "germany", hex, frozenset({"poland"}))) == ["W3023"]


@pytest.mark.rule("gw75:5.56a")
@pytest.mark.parametrize(
    ("phase", "controls"),
    [
        ("allies_land_combat", True),
        ("axis_land_movement", False),
        ("axis_land_combat", False),
        ("axis_naval_1", True),
    ],
)
@pytest.mark.parametrize("duty", ["landed", "ashore"])
def test_landed_units_have_no_zone_in_the_enemys_next_land_phases(phase, controls, duty):
    s = state(
        phase,
        units={"W3018": {"commonwealth": {"inf": [{"duty": duty}]}}},
        held={PARIS: "germany"},
        wars=WAR,
    )
    assert zones.controlled(s, "germany", PARIS) is controls


@pytest.mark.rule("gw75:5.56a")
def test_others_in_the_hex_have_theirs():
    s = state(
        units={"W3018": {"commonwealth": {"inf": [{"duty": "landed"}]}, "france": "inf"}}, wars=WAR
    )
    assert zones.controlled(s, "germany", PARIS)


@pytest.mark.rule("gw75:5.56a", "gw75:5.57b")
def test_who_is_landing_among_enemies_has_none():
    s = state(
        "allies_land_combat",
        units={"W3018": {"commonwealth": {"inf": [{"duty": "assault"}]}, "germany": "inf"}},
        wars=WAR,
    )
    assert not zones.controlled(s, "germany", PARIS)


@pytest.mark.rule("gw75:19.92b")
def test_finnish_zones_stay_in_finland_until_the_turn_after_leningrad_is_entered():
    given = {"units": {"W3323": {"finland": "inf"}}, "wars": [("germany", "ussr")], "turn": 9}
    s = state(**given)
    assert zones.controlled(s, "ussr", "W3422")
    assert not zones.controlled(s, "ussr", "W3324")
    assert not zones.controlled(state(**given, counts={"leningrad_entered": 9}), "ussr", "W3324")
    assert zones.controlled(state(**given, counts={"leningrad_entered": 8}), "ussr", "W3324")


@pytest.mark.rule("gw75:6.0d")
def test_a_zone_of_one_kind_is_enough():
    s = german(BAVARIA, "fort, lrb")
    assert not zones.controlled(s, "france", PARIS)
    s.put(BAVARIA, Unit("germany", "inf", left=0))
    assert zones.controlled(s, "france", PARIS)
