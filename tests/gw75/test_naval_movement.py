"""Naval movement and stacking (chapters 12 and 14), and who has to be in port (16.1)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sandtable.games.gw75.rules import waters
from sandtable.games.gw75.rules.naval_movement import (
    Sail,
    Snort,
    Transfer,
    allowance,
    left,
    passes,
    reach,
    way,
)
from sandtable.games.gw75.rules.naval_zones import flies
from tests.gw75.table import Done, Table, Unit, state, table

WAR = [("commonwealth", "germany")]
LENINGRAD, HELSINKI = "W3324", "W3323"
ATLANTIC = tuple(f"W28{column:02d}" for column in range(6, 17))
"""Eleven sea hexes in a row, from off New York to off Spain."""
LONG = (*ATLANTIC, *reversed(ATLANTIC), *ATLANTIC, *reversed(ATLANTIC))


def at_sea(phase: str = "axis_naval_2", turn: int | None = None, **fields: Any) -> Table:
    fields.setdefault("wars", WAR)
    return table(phase, turn, **fields)


def back_and_forth(steps: int) -> tuple[str, ...]:
    """A path of so many steps between two hexes of the Atlantic."""
    return tuple(ATLANTIC[4 + i % 2] for i in range(steps + 1))


@pytest.mark.rule("gw75:12.0a", "gw75:12.0d", "gw75:12.0e")
@pytest.mark.parametrize("type", ["surf_a", "surf_b"])
def test_surface_units_move_thirty_hexes_a_phase(type):
    t = at_sea(
        "allies_naval_2", units={ATLANTIC[4]: {"usa": f"2 {type}"}}, wars=[("germany", "usa")]
    )
    t.refused(Sail("usa", back_and_forth(31), {type: 1}), "12.0e")
    t.do(Sail("usa", back_and_forth(20), {type: 1}))
    t.refused(Sail("usa", back_and_forth(11), {type: 2}), "12.0e")
    t.do(Sail("usa", back_and_forth(10), {type: 1}))
    assert t.s.stack(ATLANTIC[4]) == {Unit("usa", type): 1, Unit("usa", type, left=0): 1}


@pytest.mark.rule("gw75:12.0a", "gw75:12.0d")
def test_a_player_may_move_in_any_phase_or_none_and_step_by_step():
    t = at_sea(units={ATLANTIC[4]: {"japan": "surf_b"}}, wars=[("japan", "usa")])
    t.refused(Sail("japan", (ATLANTIC[4], ATLANTIC[6]), {"surf_b": 1}), "12.61")
    t.refused(Sail("japan", (ATLANTIC[4],), {"surf_b": 1}), "12.0d")
    t.refused(Sail("japan", (ATLANTIC[4], ATLANTIC[5]), {}), "12.0a")
    t.refused(Sail("usa", (ATLANTIC[4], ATLANTIC[5]), {"surf_b": 1}), "12.0a")
    t.do(Done())
    assert t.s.phase != "axis_naval_2"


@pytest.mark.rule("gw75:12.12a", "gw75:14.14")
def test_ships_do_not_enter_hexes_with_enemy_land_or_asw_units_but_submarines_do():
    s = state(wars=WAR, units={"W3217": {"commonwealth": "inf"}, "W3118": {"commonwealth": "asw"}})
    for type in ("surf_a", "surf_b", "ms", "amph"):
        assert waters.closed(s, "germany", type, "W3217")[1] == "14.14"
        assert waters.closed(s, "germany", type, "W3118")[1] == "12.12a"
    assert waters.closed(s, "germany", "ss", "W3217") == ("", "")
    assert waters.closed(s, "germany", "ss", "W3118") == ("", "")
    assert waters.closed(s, "commonwealth", "surf_a", "W3217") == ("", "")


@pytest.mark.rule("gw75:12.12b", "gw75:14.11", "gw75:14.12", "gw75:14.13", "gw75:12.62")
def test_which_enemy_ships_may_be_passed():
    there = {
        ATLANTIC[0]: {"commonwealth": "surf_b"},
        ATLANTIC[1]: {"commonwealth": "surf_b, ms"},
        ATLANTIC[2]: {"commonwealth": "ss"},
        ATLANTIC[3]: {"commonwealth": "ms, amph"},
        ATLANTIC[4]: {"commonwealth": "surf_a, amph"},
        "W3118": {"commonwealth": "lrb"},
    }
    s = state(wars=WAR, units=there)
    for type in ("surf_a", "surf_b", "ms", "amph"):
        rule = "14.11" if type.startswith("surf") else "12.12b"
        assert waters.closed(s, "germany", type, ATLANTIC[0])[1] == rule
        assert waters.closed(s, "germany", type, ATLANTIC[4])[1] == rule
        for hex in (ATLANTIC[1], ATLANTIC[2], ATLANTIC[3], "W3118"):
            assert waters.closed(s, "germany", type, hex) == ("", "")
    assert all(waters.closed(s, "germany", "ss", hex) == ("", "") for hex in there)


@pytest.mark.rule("gw75:6.13")
def test_land_zones_of_control_do_not_hinder_ships():
    t = at_sea(units={"W3118": {"commonwealth": "5 inf"}, "W3120": {"germany": "surf_b"}})
    t.do(Sail("germany", ("W3120", "W3219", "W3319", "W3219", "W3120"), {"surf_b": 1}))
    assert t.units("W3120", "germany") == {"surf_b": 1}


@pytest.mark.rule("gw75:14.0", "gw75:14.15")
def test_any_number_of_ships_and_coasts_of_neutrals():
    t = at_sea(
        units={"W3219": {"germany": "40 ss"}, "W3320": {"norway": "2 sd"}},
        held={"W3018": "germany"},
    )
    t.do(Sail("germany", ("W3219", "W3319", "W3320"), {"ss": 40}))
    assert t.units("W3320", "germany") == {"ss": 40}


@pytest.mark.rule("gw75:12.61")
def test_all_land_and_contra_naval_hexsides_stop_ships():
    s = state(wars=WAR)
    assert waters.closed(s, "germany", "ss", "W3021")[1] == "12.61"
    assert "W2525" in s.facts.sea["W2424"]  # the Suez Canal
    assert "W2424" in s.facts.sea["W2525"]
    assert "W2920" not in s.facts.sea["W2919"]


@pytest.mark.rule("gw75:12.61")
def test_canals_are_closed_to_the_enemies_of_their_holder():
    s = state(wars=[("commonwealth", "italy"), ("japan", "usa")])
    assert passes(s, "italy", "W2424", "W2525") == "Suez Canal"
    assert passes(s, "commonwealth", "W2424", "W2525") == ""
    assert passes(s, "germany", "W2424", "W2525") == ""
    s.hold("W2525", "italy")
    assert passes(s, "italy", "W2525", "W2424") == ""
    one, other = s.facts.canals["panama"].ends
    for here in sorted(one | other):
        assert passes(s, "japan", here, "W1904") == "Panama Canal"
        assert passes(s, "japan", here, "W1904", fights=True) == ""  # to attack or to land
        assert passes(s, "commonwealth", here, "W1904") == ""
        assert passes(s, "japan", "W1904", here) == ""


# --- who may stay at sea --------------------------------------------------------------------------


def home_rule(nation: str, units: str, phase: str = "allies_naval_1", **fields: Any) -> str:
    """The rule by which units of a nation off New York have to go home at the end of a phase."""
    t = at_sea(phase, units={"W2806": {nation: units}}, **fields)
    try:
        return t.refusal(Done()).rule
    except AssertionError:
        return ""


@pytest.mark.rule("gw75:12.14a", "gw75:12.0b")
@pytest.mark.parametrize("phase", ["allies_naval_1", "allies_naval_2"])
def test_american_ships_stay_at_sea_until_the_stage_ends(phase):
    war = [("germany", "usa")]
    assert home_rule("usa", "surf_a, surf_b", phase, wars=war) == ""
    assert home_rule("usa", "surf_a, surf_b", "allies_naval_3", wars=war) == "16.11"


@pytest.mark.rule("gw75:12.14a")
def test_japanese_ships_stay_at_sea_until_the_stage_ends():
    war = [("japan", "usa")]
    units = {"E2512": {"japan": "surf_a"}}
    t = at_sea("axis_naval_2", units=units, wars=war)
    t.do(Done())
    assert t.units("E2512", "japan") == {"surf_a": 1}
    t = at_sea("axis_naval_3", units=units, wars=war)
    t.refused(Done(), "16.11")


@pytest.mark.rule("gw75:12.14b")
def test_commonwealth_ships_stay_at_sea_only_with_americans():
    war = [("commonwealth", "germany"), ("germany", "usa")]
    t = at_sea("allies_naval_2", units={"W2810": {"commonwealth": "surf_b"}}, wars=war)
    t.refused(Done(), "12.14b")
    t = at_sea(
        "allies_naval_2",
        units={"W2810": {"commonwealth": "surf_b", "usa": "surf_b"}},
        wars=war,
    )
    t.do(Done())
    assert t.units("W2810", "commonwealth") == {"surf_b": 1}
    t = at_sea("allies_naval_2", units={"W2810": {"commonwealth": "surf_b", "usa": "ms"}}, wars=war)
    t.do(Done())  # it escorts an American Merchant Ship
    assert t.units("W2810", "commonwealth") == {"surf_b": 1}


@pytest.mark.rule("gw75:12.14c", "gw75:12.14d")
def test_other_surface_ships_have_to_be_in_port_or_escort():
    t = at_sea(units={"W3319": {"germany": "surf_b"}})
    t.refused(Done(), "12.14c")
    t.do(Sail("germany", ("W3319", "W3219", "W3120"), {"surf_b": 1}), Done())
    assert t.units("W3120", "germany") == {"surf_b": 1}
    t = at_sea(units={"W3319": {"germany": "surf_b, ms"}})
    t.do(Done())
    assert t.units("W3319", "germany") == {"surf_b": 1, "ms": 1}


@pytest.mark.rule("gw75:12.14c", "gw75:16.11")
def test_who_cannot_reach_a_port_is_eliminated_when_the_phase_ends():
    far = {"W2806": {"germany": {"surf_b": [{"left": 1}]}}}
    t = at_sea(units=far)
    t.do(Done())
    assert t.units("W2806", "germany") == {}
    assert t.s.lost["germany", "surf_b"] == 1
    assert t.s.dead["germany", "surf_b"] == 1


@pytest.mark.rule("gw75:12.22", "gw75:12.0b")
def test_submarines_stay_at_sea_until_the_stage_ends():
    units = {"W3319": {"germany": "ss"}}
    t = at_sea(units=units)
    t.do(Done())
    assert t.units("W3319", "germany") == {"ss": 1}
    t = at_sea("axis_naval_3", units=units)
    t.refused(Done(), "16.11")
    t.do(Sail("germany", ("W3319", "W3219", "W3120"), {"ss": 1}))
    t.do(Done())
    assert t.units("W3120", "germany") == {"ss": 1}


@pytest.mark.rule("gw75:12.0c", "gw75:12.51a", "gw75:16.0b")
def test_merchant_ships_amphibious_and_asw_units_need_no_port():
    t = at_sea(
        "axis_naval_3",
        units={"W2810": {"germany": "ms, amph"}, "W3021": {"germany": "asw"}},
    )
    t.do(Done())
    while t.s.phase.startswith(("axis_naval", "allies_naval")):
        t.do(Done())
    assert t.units("W2810", "germany") == {"ms": 1, "amph": 1}
    assert t.units("W3021", "germany") == {"asw": 1}


@pytest.mark.rule("gw75:16.11", "gw75:12.0b")
def test_at_the_end_of_the_stage_a_port_without_supply_is_none():
    # Brest is German, but cut off from Germany; a submarine there cannot get home in time.
    t = at_sea(
        "axis_naval_3",
        units={
            "W3018": {"germany": {"ss": [{"left": 1}], "inf": 1}},
            "W3118": {"commonwealth": "ss"},
        },
        held={"W3018": "germany"},
    )
    t.do(Done())
    assert t.units("W3018", "germany") == {"ss": 1, "inf": 1}
    t.do(Done())
    assert "ss" not in t.units("W3018", "germany")
    assert {"germany": {"ss": 1}} in [event["losses"] for event in t.events("unsupplied_lost")]


@pytest.mark.rule("gw75:12.14c", "gw75:16.11")
def test_who_reaches_only_a_port_without_supply_has_to_go_there_in_the_last_phase_too():
    off_brest = "W3017"
    in_port = {type: [{"left": 0}] for type in ("surf_a", "surf_b", "ss", "amph")}
    t = at_sea(
        "axis_naval_3",
        units={
            "W3018": {"germany": "inf"},
            "W3118": {"commonwealth": "ss"},
            off_brest: {"germany": {"surf_b": [{"left": 1}]}},
            "W3120": {"germany": in_port},
            "W3121": {"germany": in_port},
        },
        held={"W3018": "germany"},
    )
    t.refused(Done(), "12.14c")
    home = Sail("germany", (off_brest, "W3018"), {"surf_b": 1})
    (request,) = t.game.pending
    found = [t.game.legal(request).sample(random.Random(seed)) for seed in range(20)]
    assert home in found
    t.do(home, Done())
    assert t.units("W3018", "germany") == {"surf_b": 1, "inf": 1}


@pytest.mark.rule("gw75:16.12a", "gw75:16.12b", "gw75:16.0a")
def test_ships_whose_port_was_cut_off_have_the_first_phase_to_reach_another():
    t = at_sea(
        "axis_naval_1",
        units={"W3018": {"germany": "surf_b, inf"}, "W3120": {"germany": "ss"}},
        held={"W3018": "germany"},
    )
    (unit,) = (unit for unit in t.s.stack("W3018") if unit.type == "surf_b")
    assert unit.supply == "none"
    assert next(iter(t.s.stack("W3120"))).supply == ""
    t.refused(Done(), "16.12a")
    found = reach(t.s, "W3018", (unit,))
    t.do(Sail("germany", way(found, "W3120"), {"surf_b": 1}), Done())
    assert t.units("W3120", "germany") == {"ss": 1, "surf_b": 1}
    assert any(unit.supply == "none" for unit in t.s.stack("W3120"))  # for the whole stage


@pytest.mark.rule("gw75:16.12a")
def test_ships_that_cannot_reach_a_supplied_port_in_the_first_phase_are_eliminated():
    t = at_sea(
        "axis_naval_1",
        units={
            "W3018": {"germany": {"surf_b": [{"idle": True}], "inf": 1}},
            "W3120": {"germany": "ss"},
        },
        held={"W3018": "germany"},
    )
    t.do(Done())
    assert t.units("W3018", "germany") == {"inf": 1}


@pytest.mark.rule("gw75:16.0a", "gw75:16.0b")
def test_escorts_are_supplied_wherever_they_are():
    t = at_sea("axis_naval_1", units={"W2810": {"germany": "surf_b, ms"}})
    assert all(unit.supply == "" for unit in t.s.stack("W2810"))


# --- submarines -----------------------------------------------------------------------------------


@pytest.mark.rule("gw75:12.2", "gw75:12.21a", "gw75:12.21b")
def test_german_submarines_may_snort_from_1944_on():
    units = {"W3018": {"germany": "3 ss"}}
    t = at_sea(turn=17, units=units, held={"W3018": "germany"})
    t.refused(Snort("W3018"), "12.21a")
    t = at_sea(turn=18, units=units, held={"W3018": "germany"})
    assert (t.s.facts.turns[18].year, t.s.facts.turns[18].season) == (1944, "winter")
    t.refused(Snort("W3018", 4), "12.21a")
    t.do(Snort("W3018", 2))
    modes = {unit.duty: (count, allowance(t.s, unit)) for unit, count in t.s.stack("W3018").items()}
    assert modes == {"": (1, 20), "snort": (2, 8)}
    out = ("W3018", "W3017", "W3016")
    t.do(Sail("germany", out, {"ss": 1}))
    t.refused(Snort("W3018"), "12.21b")
    t.do(Done())
    assert all(unit.duty == "" for unit in t.s.stack("W3018"))


@pytest.mark.rule("gw75:12.21a")
def test_other_submarines_do_not_snort():
    t = at_sea("axis_naval_2", 20, units={"W2721": {"italy": "ss"}}, wars=[("italy", "usa")])
    t.refused(Snort("W2721"), "12.0a")


@pytest.mark.rule("gw75:12.24")
def test_submarines_stay_within_twenty_hexes_of_a_port():
    t = at_sea(
        units={"W2802": {"usa": "inf"}, "W2806": {"germany": "ss"}},
        held={"W3018": "germany"},
    )
    s = t.s
    assert s.facts.distance("W2806", "W3018") < 20
    ring = {hex for hex, far in s.facts.within("W3018", 21).items() if far == 21}
    edge = {hex for hex, far in s.facts.within("W3018", 20).items() if far == 20}
    start, end = next(
        (one, other)
        for one in sorted(edge)
        for other in s.facts.sea[one]
        if other in ring and all(s.facts.distance(other, p) > 20 for p in ("W3120", "W3121"))
    )
    t = at_sea(units={start: {"germany": "ss"}}, held={"W3018": "germany"})
    t.refused(Sail("germany", (start, end), {"ss": 1}), "12.24")
    t = at_sea(units={end: {"germany": "ss"}}, held={"W3018": "germany"})
    t.do(Sail("germany", (end, start), {"ss": 1}))  # nearer is always allowed


@pytest.mark.rule("gw75:15.63")
def test_submarines_sail_apart_from_other_ships():
    t = at_sea(units={"W3120": {"germany": "ss, surf_b"}})
    t.refused(Sail("germany", ("W3120", "W3219"), {"ss": 1, "surf_b": 1}), "15.63")


# --- ASW units, Merchant Ships, Amphibious units --------------------------------------------------


@pytest.mark.rule("gw75:12.31a", "gw75:12.31b", "gw75:15.46")
def test_asw_units_transfer_three_times_their_zone():
    t = at_sea(
        "allies_naval_2",
        7,
        units={"W3118": {"commonwealth": {"asw": [{}, {"depleted": True}]}, "france": "inf"}},
        wars=[("commonwealth", "germany"), ("france", "germany")],
    )
    s = t.s
    assert s.facts.turns[7].asw["commonwealth"] == 2
    assert all(allowance(s, unit) == 6 for unit in s.stack("W3118") if unit.type == "asw")
    t.refused(Transfer("commonwealth", "W3118", "W2617"), "15.46")  # Gibraltar: no pipeline
    t.refused(Transfer("commonwealth", "W3118", "W3218"), "15.46")  # at sea
    t.refused(Sail("commonwealth", ("W3118", "W3218"), {"asw": 1}), "12.31a")
    t.do(Transfer("commonwealth", "W3118", "W3217", depleted=True))
    (unit,) = t.s.stack("W3217")
    assert unit.depleted and unit.left == 5
    t.refused(Transfer("commonwealth", "W3217", "W3118"), "12.0a")  # the other one is not there


@pytest.mark.rule("gw75:12.31b")
def test_example_asw_transfer_six_hexes_and_not_seven():
    s = state("axis_naval_2", 10, units={"W3120": {"germany": "asw"}}, wars=WAR)
    assert s.facts.turns[10].asw["germany"] == 2
    (unit,) = s.stack("W3120")
    assert left(s, "W3120", unit) == 6


@pytest.mark.rule("gw75:12.33", "gw75:15.47")
def test_asw_units_fly_over_anything_but_neutral_countries():
    s = state(wars=[("germany", "commonwealth"), ("france", "germany")])
    # From the Ruhr over the Low Countries to England: a detour over the North Sea is longer.
    assert s.facts.distance("W3120", "W3118") == 2
    assert not flies(s, "germany", "W3120", "W3118", 2)
    assert flies(s, "germany", "W3120", "W3118", 3)
    assert not flies(s, "germany", "W3120", "W3221", 9)  # neutral Sweden itself
    assert flies(s, "germany", "W3120", "W3019", 3)  # over land to an Enemy


@pytest.mark.rule("gw75:12.31b", "gw75:12.33")
def test_the_way_of_asw_units_round_neutral_countries_counts():
    """From Taranto to Sofia it is three hexes over Yugoslavia or Greece, and six round them."""
    taranto, milan, sofia = "W2721", "W2921", "W2823"
    t = at_sea(
        "axis_naval_2",
        9,
        units={taranto: {"germany": "asw"}, milan: {"germany": "asw"}},
        wars=[("germany", "commonwealth"), ("commonwealth", "italy")],
    )
    assert [t.s.facts.distance(hex, sofia) for hex in (taranto, milan)] == [3, 3]
    why = t.refused(Transfer("germany", taranto, sofia), "12.33")
    assert why.startswith("Neutral countries lie on the way")
    t.do(Transfer("germany", taranto, milan))
    why = t.refused(Transfer("germany", milan, taranto, 2), "12.31b")
    assert why.startswith("1 ASW units in Milan-Turin (W2921) can still fly")


@pytest.mark.rule("gw75:12.31b", "gw75:12.33")
def test_what_is_left_after_a_flight_round_neutral_countries():
    t = at_sea(
        "axis_naval_2",
        10,
        units={"W2721": {"germany": "asw"}},
        wars=[("germany", "commonwealth"), ("commonwealth", "italy")],
    )
    t.do(Transfer("germany", "W2721", "W2823"))
    (unit,) = (unit for unit in t.s.stack("W2823") if unit.type == "asw")
    assert unit.left == 0  # of six
    why = t.refused(Transfer("germany", "W2823", "W2924"), "12.31b")
    assert "1 hex, and the ASW units there fly 0 at most" in why


@pytest.mark.rule("gw75:12.62", "gw75:14.12")
@pytest.mark.parametrize("ship", ["surf_b", "amph", "ms", "ss"])
def test_asw_units_do_not_fly_to_where_enemy_ships_are(ship):
    units = {"W3120": {"germany": "asw"}, "W3121": {"commonwealth": ship}}
    t = at_sea("axis_naval_2", 5, units=units, wars=[("germany", "commonwealth")])
    flight = Transfer("germany", "W3120", "W3121")
    if ship == "ss":
        t.do(flight)
    else:
        assert "Enemy ships are in Berlin" in t.refused(flight, "12.62")


@pytest.mark.rule("gw75:12.41a")
def test_merchant_ships_move_seventy_five_hexes_in_the_third_phase_only():
    units = {ATLANTIC[4]: {"germany": "ms"}}
    for phase in ("axis_naval_1", "axis_naval_2"):
        t = at_sea(phase, units=units)
        t.refused(Sail("germany", back_and_forth(1), {"ms": 1}), "12.41a")
    t = at_sea("axis_naval_3", units=units)
    t.refused(Sail("germany", back_and_forth(76), {"ms": 1}), "12.41a")
    t.do(Sail("germany", back_and_forth(75), {"ms": 1}))
    assert t.units(ATLANTIC[5], "germany") == {"ms": 1}


@pytest.mark.rule("gw75:12.43b", "gw75:12.41b")
def test_merchant_ships_go_anywhere_and_through_zones_unharmed():
    t = at_sea(
        "axis_naval_3",
        units={ATLANTIC[4]: {"germany": "ms"}, ATLANTIC[3]: {"commonwealth": "surf_a"}},
    )
    assert ATLANTIC[6] not in t.s.facts.holding_areas
    t.do(Sail("germany", ATLANTIC[4:7], {"ms": 1}))
    assert t.units(ATLANTIC[6], "germany") == {"ms": 1}
    assert t.asked == "germany naval"


@pytest.mark.rule("gw75:12.51a", "gw75:12.63")
def test_amphibious_units_move_twenty_five_hexes_in_every_phase():
    for phase in ("axis_naval_1", "axis_naval_2", "axis_naval_3"):
        t = at_sea(phase, units={ATLANTIC[4]: {"japan": "amph"}}, wars=[("japan", "usa")])
        t.refused(Sail("japan", back_and_forth(26), {"amph": 1}), "12.51a")
        t.do(Sail("japan", back_and_forth(25), {"amph": 1}), Done())
        (unit,) = t.s.stack(ATLANTIC[5])
        assert unit.left == -1  # nothing of it is left for the Land Stage


@pytest.mark.rule("gw75:12.51b")
def test_amphibious_units_are_no_merchant_ships():
    t = at_sea(units={"W3319": {"germany": "surf_b, amph"}})
    t.refused(Done(), "12.14c")  # nobody escorts them


def test_unactivated_ships_do_not_move():
    t = at_sea(units={"W3120": {"germany": {"surf_b": [{"idle": True}]}}})
    t.refused(Sail("germany", ("W3120", "W3219"), {"surf_b": 1}), "18.10")


def test_depleted_ships_are_named_apart():
    t = at_sea(units={"W3120": {"germany": {"surf_a": [{}, {"depleted": True}]}}})
    t.do(Sail("germany", ("W3120", "W3219", "W3120"), depleted={"surf_a": 1}))
    assert Unit("germany", "surf_a", depleted=True, left=28) in t.s.stack("W3120")
    t.refused(Sail("germany", ("W3120", "W3219"), depleted={"surf_a": 2}), "12.0a")


def test_reach_finds_hexes_by_legal_ways():
    t = at_sea(base="setup", turn=1, wars=None)
    s = t.s
    (unit,) = (unit for unit in s.stack("W3120") if unit.type == "surf_b")
    found = reach(s, "W3120", (unit,))
    assert "W2810" in found and "W3021" not in found
    assert all(len(way(found, hex)) <= 31 for hex in found)
    t.do(Sail("germany", way(found, "W3420"), {"surf_b": 1}))


@pytest.mark.rule("gw75:12.62", "gw75:14.14", "gw75:12.41a")
def test_ships_leave_a_hex_that_belongs_to_enemies_since_war_broke_out():
    units = {LENINGRAD: {"ussr": "inf", "germany": "amph, ms"}, "W3624": {"ussr": "ss"}}
    t = table("axis_naval_2", 9, units=units, wars=[("germany", "ussr")])
    t.refused(Done(), "12.62")
    t.do(Sail("germany", (LENINGRAD, HELSINKI), {"amph": 1}), Done())
    t.do(Done())  # Merchant Ships have time until the third phase
    t.refused(Done(), "12.62")
    t.do(Sail("germany", (LENINGRAD, HELSINKI), {"ms": 1}), Done())
    assert t.units(HELSINKI, "germany") == {"amph": 1, "ms": 1}


@pytest.mark.rule("gw75:12.62", "gw75:14.14", "gw75:12.14a")
@pytest.mark.parametrize("type", ["inf", "asw"])
def test_ocean_going_ships_leave_enemies_and_may_stay_at_sea(type: str):
    pearl = "E2222"
    units = {pearl: {"usa": type, "japan": "surf_b"}}
    t = table("axis_naval_2", 12, units=units, wars=[("japan", "usa")])
    t.refused(Done(), "12.62")
    t.do(Sail("japan", (pearl, next(iter(t.s.facts.sea[pearl]))), {"surf_b": 1}), Done())
    assert t.s.phase != "axis_naval_2"


@pytest.mark.rule("gw75:12.62", "gw75:12.14c")
def test_escorts_leave_enemies_and_have_to_go_to_a_port_then():
    units = {LENINGRAD: {"ussr": "sd", "germany": "surf_b, ms"}}
    t = table("axis_naval_2", 9, units=units, wars=[("germany", "ussr")])
    t.refused(Done(), "12.62")
    t.do(Sail("germany", (LENINGRAD, HELSINKI, "W3222"), {"surf_b": 1}))
    t.refused(Done(), "12.14c")


@pytest.mark.rule("gw75:12.62")
def test_ships_that_cannot_leave_enemies_are_lost():
    around = {hex: {"ussr": "inf"} for hex in state().facts.sea[LENINGRAD]}
    units = {LENINGRAD: {"ussr": "inf", "germany": "amph, ms"}, **around}
    t = table("axis_naval_2", 9, units=units, wars=[("germany", "ussr")])
    t.do(Done())
    assert t.units(LENINGRAD, "germany") == {"ms": 1}
    assert t.s.lost["germany", "amph"] == 1
