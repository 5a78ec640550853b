"""Amphibious Assault (5.5)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sandtable.games.gw75.rules.advance import Advance
from sandtable.games.gw75.rules.amphibious import Invade, ways
from sandtable.games.gw75.rules.declaring import Declare
from sandtable.games.gw75.rules.ports import PlacePort
from sandtable.games.gw75.rules.transit import Strike
from tests.gw75.moves import invade, move, parts
from tests.gw75.table import Done, Table, table

LONDON, GLASGOW, BREST, ANTWERP, PARIS = "W3118", "W3217", "W3018", "W3119", "W3019"
WINTER, SPRING, SUMMER = 14, 15, 16
WAR = [("commonwealth", "germany"), ("germany", "usa"), ("commonwealth", "italy")]
HELD = {BREST: "germany", ANTWERP: "germany", PARIS: "germany", "W2919": "germany"}
FLEET = {LONDON: {"commonwealth": "4 inf, mech, 3 amph"}}


def phase(turn: int = SUMMER, **fields: Any) -> Table:
    fields.setdefault("wars", WAR)
    fields.setdefault("held", HELD)
    fields.setdefault("units", FLEET)
    return table("allies_land_movement", turn, **fields)


def duties(t: Table, hex: str) -> set[tuple[str, str]]:
    return {(unit.type, unit.duty) for unit in t.s.stack(hex)}


@pytest.mark.rule("gw75:5.5a", "gw75:5.56b", "gw75:5.42")
def test_units_land_on_an_empty_enemy_coast_and_take_it() -> None:
    t = phase()
    t.do(invade(f"{LONDON} > {BREST}", "2 inf, mech"))
    assert t.units(BREST, "commonwealth") == {"inf": 2, "mech": 1, "amph": 3}
    assert duties(t, BREST) == {("inf", "landed"), ("mech", "landed"), ("amph", "landed")}
    assert t.s.held[BREST] == "commonwealth"
    assert t.units(LONDON, "commonwealth") == {"inf": 2}
    assert {unit.left for unit in t.s.stack(BREST) if unit.type == "inf"} == {4}


@pytest.mark.rule("gw75:5.5b")
def test_an_amphibious_unit_carries_one_point() -> None:
    t = phase()
    t.refused(invade(f"{LONDON} > {BREST}", "4 inf"), "5.5b")
    t.do(invade(f"{LONDON} > {BREST}", "2 inf"))
    assert t.units(LONDON, "commonwealth") == {"inf": 2, "mech": 1, "amph": 1}
    t.refused(invade(f"{LONDON} > {BREST}", "2 inf"), "5.5b")


@pytest.mark.rule("gw75:5.5b", "gw75:5.51a")
def test_ships_of_an_ally_of_the_same_player_carry_too() -> None:
    units = {LONDON: {"commonwealth": "3 inf", "usa": "2 amph"}}
    t = phase(units=units)
    t.do(invade(f"{LONDON} > {BREST}", "2 inf"))
    assert t.units(BREST, "usa") == {"amph": 2}
    t = phase(units=units, options={"players": 5})
    t.refused(invade(f"{LONDON} > {BREST}", "inf"), "5.5b")


@pytest.mark.rule("gw75:5.5b", "gw75:12.12a")
def test_the_way_is_open_to_the_ships_of_every_nation_that_carries() -> None:
    """From Pearl Harbor past German ships: the United States are at peace with Germany."""
    t = phase(
        units={
            "E2222": {"usa": "3 inf, 2 amph", "commonwealth": "2 amph"},
            "E2122": {"germany": "surf_b"},
        },
        held={"E2121": "japan"},
        wars=[("japan", "usa"), ("commonwealth", "japan"), ("commonwealth", "germany")],
    )
    t.refused(invade("E2222 > E2122 > E2121", "3 inf", "usa"), "12.12b")
    t.do(invade("E2222 > E2122 > E2121", "2 inf", "usa"))


@pytest.mark.rule("gw75:5.51a")
def test_the_amphibious_unit_is_in_a_friendly_port() -> None:
    t = phase(
        units={"W2919": {"commonwealth": "2 inf"}, "W3017": {"commonwealth": "2 amph"}, **FLEET}
    )
    t.refused(invade(f"W2919 > W2918 > W3017 > {BREST}", "inf"), "5.51a")
    assert t.s.facts.hexes["W2522"].port == ""
    t = phase(
        units={"W2522": {"commonwealth": "2 inf, 2 amph"}, **FLEET},
        held={**HELD, "W2522": "commonwealth"},
    )
    t.refused(invade("W2522 > W2521", "inf"), "5.51a")
    t = phase(
        units={"W2522": {"commonwealth": "2 inf, 2 amph"}, **FLEET},
        held={**HELD, "W2522": "commonwealth"},
        ports=["W2522"],
    )
    t.do(invade("W2522 > W2622 > W2523", "inf"))


@pytest.mark.rule("gw75:5.51a")
def test_it_was_so_when_the_phase_began() -> None:
    """Ships off Bordeaux do not set out from it in the phase in which it is taken."""
    bordeaux = "W2919"
    units = {PARIS: {"commonwealth": "2 inf"}, bordeaux: {"commonwealth": "2 amph"}, **FLEET}
    t = phase(units=units, held={BREST: "germany", bordeaux: "germany"})
    t.do(move(f"{PARIS} > {bordeaux}", "2 inf", "commonwealth"))
    t.refused(invade(f"{bordeaux} > {BREST}", "inf"), "5.51a")
    t = phase(units=units, held={BREST: "germany", bordeaux: "commonwealth"})
    t.do(move(f"{PARIS} > {bordeaux}", "2 inf", "commonwealth"))
    t.do(invade(f"{bordeaux} > {BREST}", "inf"))


@pytest.mark.rule("gw75:5.51a", "gw75:18.53")
def test_nor_from_a_port_that_is_built_in_the_phase() -> None:
    sirte = "W2522"
    t = phase(
        units={sirte: {"commonwealth": "2 inf, 2 amph"}, **FLEET},
        held={**HELD, sirte: "commonwealth"},
        stock={"commonwealth": 1},
    )
    t.do(PlacePort("commonwealth", sirte), by="commonwealth")
    t.refused(invade(f"{sirte} > W2622 > W2523", "inf"), "5.51a")


@pytest.mark.rule("gw75:5.51b")
def test_units_may_move_into_the_port_with_a_point_left() -> None:
    units = {LONDON: {"commonwealth": "2 amph"}, GLASGOW: {"commonwealth": "2 inf"}}
    t = phase(units=units)
    t.do(move(f"{GLASGOW} > {LONDON}", "2 inf", "commonwealth"))
    t.do(invade(f"{LONDON} > {BREST}", "inf"))
    assert {unit.left for unit in t.s.stack(BREST) if unit.type == "inf"} == {3}
    t = phase(units={LONDON: {"commonwealth": {"amph": 2, "inf": [{"left": 0}], "mech": 1}}})
    t.refused(invade(f"{LONDON} > {BREST}", "inf"), "5.51b")


@pytest.mark.rule("gw75:5.51b", "gw75:5.24")
def test_who_was_stopped_in_the_port_by_a_zone_does_not_embark() -> None:
    units = {
        LONDON: {"commonwealth": {"amph": 2, "inf": [{"left": 3}], "mech": 1}},
        GLASGOW: {"germany": "inf"},
    }
    t = phase(units=units)
    assert "been stopped" in t.refused(invade(f"{LONDON} > {BREST}", "inf"), "5.51b")
    t.do(invade(f"{LONDON} > {BREST}", "mech"))


@pytest.mark.rule("gw75:5.51c")
def test_thirteen_hexes_at_most() -> None:
    t = phase(held={**HELD, "W2521": "italy", "W2522": "italy"})
    found = ways(t.s, LONDON, "commonwealth")
    assert max(len(path) - 1 for path in found.values()) == 13
    far = next(path for path in found.values() if len(path) == 14)
    onward = next(hex for hex in t.s.facts.sea[far[-1]] if hex not in far)
    t.refused(Invade((*far, onward), parts("inf", "commonwealth")), "5.51c")
    thirteen = f"{LONDON} > " + "W3017 > W2918 > " * 6 + BREST
    t.refused(invade(thirteen.replace(f" > {BREST}", f" > W3017 > {BREST}"), "inf"), "5.51c")
    t.do(invade(thirteen, "inf"))


@pytest.mark.rule("gw75:5.52")
@pytest.mark.parametrize(
    ("ship", "lands"),
    [
        ("ms", True),
        ("ss", True),
        ("amph", True),
        ("surf_a", False),
        ("surf_b", False),
        ("asw", False),
    ],
)
def test_only_some_enemy_ships_keep_them_off(ship: str, lands: bool) -> None:
    t = phase(units={**FLEET, BREST: {"germany": ship}})
    decision = invade(f"{LONDON} > {BREST}", "inf")
    if lands:
        t.request.check(t.s, decision)
    else:
        t.refused(decision, "5.52")


@pytest.mark.rule("gw75:5.52")
def test_escorts_keep_them_off_too() -> None:
    t = phase(units={**FLEET, BREST: {"germany": "ms, surf_b"}})
    t.refused(invade(f"{LONDON} > {BREST}", "inf"), "5.52")


@pytest.mark.rule("gw75:5.55")
def test_no_landing_in_the_weather_area_in_winter() -> None:
    t = phase(
        WINTER,
        units={**FLEET, "W2524": {"commonwealth": "2 inf, 2 amph"}},
        held={**HELD, "W2523": "italy"},
    )
    t.refused(invade(f"{LONDON} > {BREST}", "inf"), "5.55")
    t.do(invade("W2524 > W2523", "inf"))  # Libya is outside
    phase(SPRING).do(invade(f"{LONDON} > {BREST}", "inf"))


@pytest.mark.rule("gw75:5.57a", "gw75:5.57d", "gw75:5.42")
def test_among_enemies_they_wait_for_the_attack_with_their_ships() -> None:
    t = phase(units={**FLEET, BREST: {"germany": "inf"}})
    t.do(invade(f"{LONDON} > {BREST}", "3 inf"))
    assert t.units(BREST, "commonwealth") == {"inf": 3, "amph": 3}
    assert duties(t, BREST) == {("inf", "assault"), ("amph", "assault"), ("inf", "")}
    assert {unit.origin for unit in t.s.stack(BREST) if unit.nation == "commonwealth"} == {LONDON}
    assert t.s.held[BREST] == "germany"


@pytest.mark.rule("gw75:5.58", "gw75:5.0c")
def test_who_has_landed_moves_no_more_in_this_phase() -> None:
    t = phase()
    t.do(invade(f"{LONDON} > {BREST}", "inf"))
    t.refused(move(f"{BREST} > {PARIS}", "inf", "commonwealth"), "5.58")
    t.refused(invade(f"{BREST} > W2919", "inf"))


@pytest.mark.rule("gw75:5.58")
@pytest.mark.parametrize(
    ("units", "hex"),
    [({"duty": "landed"}, BREST), ({"duty": "assault", "origin": LONDON}, BREST)],
)
def test_nor_do_those_who_have_landed_where_a_position_says_so(
    units: dict[str, str], hex: str
) -> None:
    enemies = {"germany": "inf"} if "origin" in units else {}
    t = phase(units={**FLEET, hex: {"commonwealth": {"inf": [{"count": 2, **units}]}, **enemies}})
    t.refused(move(f"{hex} > {PARIS}", "inf", "commonwealth"), "5.58")


@pytest.mark.rule("gw75:5.51a")
def test_ships_that_have_landed_somebody_land_nobody_else() -> None:
    t = phase(units={**FLEET, PARIS: {"commonwealth": "inf"}})
    t.do(invade(f"{LONDON} > {BREST}", "inf"))
    t.do(move(f"{PARIS} > {BREST}", "inf", "commonwealth"))
    t.refused(invade(f"{BREST} > W2919", "inf"), "5.5b")


@pytest.mark.rule("gw75:5.5a")
def test_the_coast_is_not_friendly() -> None:
    t = phase()
    t.refused(invade(f"{LONDON} > {GLASGOW}", "inf"), "5.5a")
    t.refused(invade(f"{LONDON} > W3017", "inf"), "5.5a")
    t.do(invade(f"{LONDON} > {BREST}", "inf"))
    t.do(invade(f"{LONDON} > {BREST}", "inf"))  # others may follow
    assert t.units(BREST, "commonwealth") == {"inf": 2, "amph": 2}


@pytest.mark.rule("gw75:12.12a", "gw75:12.61")
def test_the_way_is_one_for_ships() -> None:
    t = phase(units={**FLEET, "W3017": {"germany": "surf_b"}, ANTWERP: {"germany": "inf"}})
    t.refused(invade(f"{LONDON} > W3017 > {BREST}", "inf"), "12.12b")
    t.refused(invade(f"{LONDON} > {ANTWERP} > {BREST}", "inf"))
    t.refused(invade(f"{LONDON} > {PARIS}", "inf"), "12.61")


@pytest.mark.rule("gw75:19.9c")
def test_axis_minor_allies_do_not_go_by_sea() -> None:
    t = table(
        "axis_land_movement",
        SUMMER,
        units={"W2823": {"bulgaria": "inf"}, "W2924": {"germany": "amph, inf", "rumania": "inf"}},
        wars=[("germany", "ussr")],
    )
    t.refused(invade("W2924 > W2925", "inf", "rumania"), "19.9c")
    t.refused(invade("W2924 > W2925", "inf", "germany", rumania="inf"), "19.9c")


@pytest.mark.rule("gw75:6.51", "gw75:5.26")
def test_self_defense_units_and_forts_do_not_go_by_sea() -> None:
    t = phase(units={LONDON: {"commonwealth": "sd, 2 fort, inf, 3 amph"}})
    t.refused(invade(f"{LONDON} > {BREST}", "sd"), "6.51")
    t.refused(invade(f"{LONDON} > {BREST}", "2 fort"), "5.26")


@pytest.mark.rule("gw75:11.3a", "gw75:6.52")
def test_a_landing_on_a_neutral_coast_violates_it() -> None:
    t = table(
        "axis_land_movement",
        SUMMER,
        units={"W3120": {"germany": "2 inf, 2 amph"}, "W3320": {"norway": "sd"}},
        wars=[("commonwealth", "germany")],
    )
    near = ways(t.s, "W3120", "germany")
    t.do(Invade(near["W3320"], parts("2 inf")))
    assert t.s.joined["norway"] == "allies"
    assert ("inf", "assault") in duties(t, "W3320")


@pytest.mark.rule("gw75:5.56a", "gw75:5.53a", "gw75:4.2g")
def test_the_marks_of_a_landing_go_with_time() -> None:
    """Landed by the Allies: ashore in the next Game-Turn, nothing after the Axis Land Combat."""
    t = phase(units={**FLEET, "W3021": {"germany": "inf"}})
    t.do(invade(f"{LONDON} > {BREST}", "inf"))
    turn, seen = t.s.turn, set()
    rng = random.Random(1)
    while not (t.s.turn > turn and t.s.phase == "axis_strategic_movement"):
        seen.add((t.s.turn - turn, frozenset(duties(t, BREST))))
        request = t.game.pending[0]
        answer = Done() if Done in request.answers else request.sample(t.s, rng)
        t.do(answer, by=request.power)
    landed = frozenset({("inf", "landed"), ("amph", "landed")})
    assert (0, landed) in seen
    assert (1, frozenset({("inf", "ashore"), ("amph", "")})) in seen
    assert ("inf", "") in duties(t, BREST)


@pytest.mark.rule("gw75:5.5a", "gw75:5.51c")
def test_what_is_listed_and_drawn_is_legal() -> None:
    t = phase()
    listed = [each for each in t.game.legal(t.request) if isinstance(each, Invade)]
    assert any(each.path[-1] == BREST for each in listed)
    for decision in listed:
        t.request.check(t.s, decision)
    rng = random.Random(3)
    drawn = [t.request.sample(t.s, rng) for _ in range(400)]
    assert any(isinstance(each, Invade) for each in drawn)
    for decision in drawn:
        t.request.check(t.s, decision)


@pytest.mark.rule("gw75:12.52", "gw75:12.42b")
def test_a_transit_attack_sinks_ships_with_what_they_carry() -> None:
    t = phase(units={**FLEET, "W3017": {"germany": "2 ss"}})
    t.do(invade(f"{LONDON} > W3017 > {BREST}", "inf, mech"))
    assert t.asked == "germany transit_attack"
    copy = Table(t.game.clone())
    for each in (t, copy):
        each.do(Strike())
        each.dice(6)
    lost = 2 - sum(t.units(BREST, "commonwealth").get(type, 0) for type in ("inf", "mech"))
    assert lost == 1
    assert t.units(BREST, "commonwealth") == {"mech": 1, "amph": 1}  # infantry first
    assert t.units(LONDON, "commonwealth") == {"inf": 3, "amph": 1}
    assert t.s.lost == {("commonwealth", "amph"): 1, ("commonwealth", "inf"): 1}
    assert copy.game.hash == t.game.hash


@pytest.mark.rule("gw75:12.52")
def test_who_loses_everything_on_the_way_lands_nowhere() -> None:
    t = phase(units={LONDON: {"commonwealth": "3 inf, amph"}, "W3017": {"germany": "4 ss"}})
    t.do(invade(f"{LONDON} > W3017 > {BREST}", "inf")).do(Strike()).dice(6)
    assert t.units(BREST, "commonwealth") == {}
    assert t.s.held[BREST] == "germany"
    assert t.s.march is None


@pytest.mark.rule("gw75:4.2f")
@pytest.mark.rule("gw75:5.57b")
def test_who_lands_among_enemies_has_to_attack_them() -> None:
    t = phase(units={**FLEET, BREST: {"germany": "inf"}, PARIS: {"germany": "inf"}})
    t.do(invade(f"{LONDON} > {BREST}", "2 inf"), Done())
    assert t.s.phase == "allies_land_combat"
    t.refused(Done(), "5.57b")


@pytest.mark.rule("gw75:5.57b")
def test_all_who_landed_among_enemies_attack_them() -> None:
    units = {**FLEET, BREST: {"germany": "inf"}, PARIS: {"france": "2 inf"}}
    t = phase(units=units, held={BREST: "germany"}, wars=[*WAR, ("france", "germany")])
    t.do(invade(f"{LONDON} > {BREST}", "2 inf, mech"), Done())
    landed = ((BREST, "commonwealth", "inf", 2), (BREST, "commonwealth", "mech", 1))
    others = (PARIS, "france", "inf", 2)
    t.refused(Declare((BREST,), landed[:1]), "5.57b")
    t.refused(Declare((BREST,), (others,)), "5.57b")
    t.do(Declare((BREST,), (*landed, others)))


@pytest.mark.rule("gw75:5.56b", "gw75:8.61a")
def test_mechanized_units_advance_from_an_empty_beach() -> None:
    t = phase(units={LONDON: {"commonwealth": "4 mech, 4 amph"}, PARIS: {"germany": "inf"}})
    t.do(invade(f"{LONDON} > {BREST}", "4 mech"))
    t.do(Declare((PARIS,), ((BREST, "commonwealth", "mech", 3),)), Done())
    t.dice(6).dice(6)  # two of the three are lost in the Counter-Attack at +0
    assert t.request.mech == ((BREST, "commonwealth", 1),)
    t.do(Advance(((BREST, "commonwealth", 1, PARIS),)))
    assert t.units(PARIS, "commonwealth") == {"mech": 1}
    assert t.units(BREST, "commonwealth") == {"mech": 1, "amph": 4}


@pytest.mark.rule("gw75:19.81b", "gw75:5.5a")
def test_soviet_units_land_inside_the_baltic() -> None:
    t = table(
        "allies_land_movement",
        SUMMER,
        units={"W3324": {"ussr": "2 inf, 2 amph"}},
        wars=[("germany", "ussr")],
        held={"W3122": "germany"},
    )
    t.refused(invade("W3324 > W3323 > W3322 > W3221 > W3220 > W3120", "inf", "ussr"), "19.81b")
    assert "W3122" in ways(t.s, "W3324", "ussr")
    t.do(invade("W3324 > W3323 > W3222 > W3122", "2 inf", "ussr"))
    assert t.units("W3122", "ussr") == {"inf": 2, "amph": 2}


@pytest.mark.rule("gw75:5.57a", "gw75:9.33a", "gw75:8.51c")
def test_a_landing_does_not_cut_off_the_defenders_of_the_hex() -> None:
    units = {LONDON: {"commonwealth": "3 inf, 3 amph"}, BREST: {"germany": "3 inf"}}
    t = phase(units=units)
    t.do(invade(f"{LONDON} > {BREST}", "3 inf"))
    assert t.game.observe("germany")["derived"]["supply"] == {}
    t.do(Declare((BREST,), ((BREST, "commonwealth", "inf", 3),)), Done())
    t.dice(1).dice(1)
    assert dict(each[1:] for each in t.events("counter_attack")[-1]["sum"])["survivors"] == 3
