"""Land Zones of Control (chapter 6)."""

import pytest

from sandtable.games.gw75.model import Unit
from sandtable.games.gw75.rules import pipelines, retreat, supply, waters, zones
from tests.gw75.table import Done, state, table

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
def test_the_home_country_is_the_country_that_they_are_in() -> None:
    """Suez and Transjordan are both the Commonwealth's, but two countries."""
    suez, transjordan, cairo = "W2525", "W2526", "W2524"
    s = state(units={suez: {"commonwealth": "sd"}}, wars=[("commonwealth", "italy")])
    assert s.facts.hexes[transjordan].nation == "commonwealth"
    assert zones.controlled(s, "italy", cairo)
    assert not zones.controlled(s, "italy", transjordan)


@pytest.mark.rule("gw75:6.52", "gw75:11.11a")
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
        units={
            "W3018": {
                "commonwealth": {"inf": [{"duty": "assault", "origin": "W3118"}]},
                "germany": "inf",
            }
        },
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


# --- what zones do, and what they do not ----------------------------------------------------------


@pytest.mark.rule("gw75:6.0b")
def test_nobody_has_to_attack_out_of_a_zone() -> None:
    t = table(
        "axis_land_combat",
        4,
        units={BAVARIA: {"germany": "9 inf"}, PARIS: {"france": "inf"}},
        wars=WAR,
    )
    assert zones.controlled(t.s, "germany", BAVARIA)
    assert t.asked == "germany land_attacks"
    t.do(Done())
    assert t.units(PARIS, "france") == {"inf": 1}
    assert t.s.phase != "axis_land_combat"


@pytest.mark.rule("gw75:6.13")
def test_ships_and_pipelines_pass_land_zones() -> None:
    """Brest and Antwerp are in German zones: ships may be there, and the line holds."""
    s = state(
        "allies_naval_3",
        units={PARIS: {"germany": "5 inf"}, "W3017": {"commonwealth": "3 ms"}},
        held={"W3018": "commonwealth"},
        wars=WAR,
    )
    assert zones.controlled(s, "commonwealth", "W3018")
    for type in ("surf_a", "surf_b", "ms", "amph", "ss"):
        assert waters.closed(s, "commonwealth", type, "W3018") == ("", "")
    assert pipelines.capacity(s, "commonwealth", "W3118", "W3018") == 3


@pytest.mark.rule("gw75:6.31")
def test_no_retreat_into_a_zone_even_if_a_friendly_one_covers_it() -> None:
    units = {
        PARIS: {"france": "inf"},
        RUHR: {"germany": "inf"},
        "W2819": {"germany": "inf"},  # next to Bordeaux
        "W3018": {"france": "inf"},  # a friend, whose zone covers Bordeaux too
    }
    s = state("axis_land_combat", 4, units=units, wars=WAR)
    assert zones.controlled(s, "france", "W2919")
    assert zones.controlled(s, "germany", "W2919")
    assert "W2919" not in retreat.options(s, Unit("france", "inf"), PARIS)


@pytest.mark.rule("gw75:6.32a", "gw75:6.32b")
@pytest.mark.parametrize(
    ("friends", "shields"),
    [("inf", True), ("10 mech", True), ("sd", True), ("2 fort", True), ("lrb, asw, surf_b", False)],
)
def test_only_ground_units_and_forts_make_a_hex_in_a_zone_fit_for_a_retreat(friends, shields):
    """Every hex round Paris is in a German zone or held by Germans; friends are in Brest."""
    units = {PARIS: {"france": "inf"}, "W3018": {"france": friends}, RUHR: {"germany": "inf"}}
    units |= {hex: {"germany": "inf"} for hex in ("W3119", "W2919", BAVARIA)}
    s = state("axis_land_combat", 4, units=units, wars=WAR)
    assert zones.controlled(s, "france", "W3018")
    assert retreat.options(s, Unit("france", "inf"), PARIS) == (("W3018",) if shields else ())


@pytest.mark.rule("gw75:6.41")
@pytest.mark.parametrize(
    ("guard", "grade"), [(None, "defense"), ("inf", "attack"), ("lrb", "defense")]
)
def test_supply_does_not_pass_a_zone_unless_a_friendly_land_unit_is_there(guard, grade) -> None:
    """A German corps in Warsaw, a Supply Center; the way to German industry leads by Danzig, which
    is in a Soviet zone."""
    units = {
        "W3123": {"germany": "inf"},
        "W3222": {"ussr": "inf"},
        "W3022": {"ussr": "inf"},
        "W3023": {"ussr": "inf"},
        "W3223": {"ussr": "inf"},
    }
    if guard:
        units[DANZIG] = {"germany": guard}
    s = state(
        "axis_land_combat",
        4,
        units=units,
        held={DANZIG: "germany", "W3123": "germany"},
        wars=[("germany", "ussr")],
    )
    assert zones.controlled(s, "germany", DANZIG)
    assert supply.state(s, "germany", "W3123") == grade


ROME = "W2820"
ITALY = [("commonwealth", "italy")]


@pytest.mark.rule("gw75:5.53a", "gw75:5.53b")
@pytest.mark.parametrize(
    ("duty", "grade"), [("landed", "attack"), ("ashore", "none"), ("", "none")]
)
def test_landed_units_are_supplied_in_that_game_turn_only(duty, grade) -> None:
    s = state(
        "axis_land_combat",
        16,
        units={ROME: {"commonwealth": {"inf": [{"duty": duty}]}}},
        held={ROME: "commonwealth"},
        wars=ITALY,
    )
    (found,) = s.stack(ROME)
    assert supply.of(s, ROME, found) == grade


@pytest.mark.rule("gw75:5.53b")
@pytest.mark.parametrize(("beach", "ports"), [(ROME, []), ("W2822", ["W2822"])])
def test_a_port_on_the_beach_captured_or_built_supplies_them_afterwards(beach, ports) -> None:
    ships = {hex: {"commonwealth": "ms"} for hex in ("W2716", "W2719", "W2722")}
    s = state(
        "axis_land_combat",
        16,
        units={beach: {"commonwealth": {"inf": [{"duty": "ashore"}]}}, **ships},
        held={beach: "commonwealth"},
        joined={"yugoslavia": "axis"},
        ports=ports,
        wars=[*ITALY, ("commonwealth", "yugoslavia")],
    )
    (found,) = s.stack(beach)
    assert supply.of(s, beach, found) == "attack"
