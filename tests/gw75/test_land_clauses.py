"""Clauses of chapters 5 to 9 where they meet: mixed groups, exceptions, the other side's phases."""

from __future__ import annotations

from itertools import islice, product
from typing import Any

import pytest

from sandtable.games.gw75.model import Unit
from sandtable.games.gw75.rules import attacks, supply, zones
from sandtable.games.gw75.rules.advance import Advance
from sandtable.games.gw75.rules.amphibious import ways
from sandtable.games.gw75.rules.counter_attack import Stack
from sandtable.games.gw75.rules.declaring import Declare
from sandtable.games.gw75.rules.land_combat import Fight
from sandtable.games.gw75.rules.land_movement import reach, violated
from sandtable.games.gw75.rules.losses import Lose
from sandtable.games.gw75.rules.retreat import Retreat
from sandtable.games.gw75.rules.retreat import options as retreats
from sandtable.games.gw75.rules.stand_fast import StandFast
from sandtable.games.gw75.rules.strategic import sea_ways
from sandtable.games.gw75.rules.terms import shares
from sandtable.kernel.kits import Choose
from tests.gw75.happenings import phase
from tests.gw75.moves import invade, move, parts, redeploy, remove
from tests.gw75.table import Done, Table, state, table

BERLIN, DANZIG, WARSAW, SILESIA, BAVARIA, RUHR = (
    "W3121",
    "W3122",
    "W3123",
    "W3021",
    "W3020",
    "W3120",
)
PARIS, BREST, BORDEAUX, ANTWERP, LONDON, GLASGOW = (
    "W3019",
    "W3018",
    "W2919",
    "W3119",
    "W3118",
    "W3217",
)
BUDAPEST, BELGRADE, MILAN, RIGA, VILNA, LVOV, MINSK, KIEV = (
    "W3022",
    "W2922",
    "W2921",
    "W3222",
    "W3223",
    "W3023",
    "W3124",
    "W3024",
)
WINTER, SPRING, SUMMER, FALL = 2, 3, 4, 5
WAR = [("germany", "poland"), ("germany", "ussr"), ("commonwealth", "germany")]
WEST = [("commonwealth", "germany"), ("france", "germany"), ("commonwealth", "italy")]


def moving(turn: int = SUMMER, which: str = "axis", **fields: Any) -> Table:
    fields.setdefault("wars", WAR)
    return table(f"{which}_land_movement", turn, **fields)


def fighting(turn: int = SUMMER, which: str = "axis", **fields: Any) -> Table:
    fields.setdefault("wars", WAR)
    return table(f"{which}_land_combat", turn, **fields)


def attack(target: str | tuple[str, ...], *force: tuple[str, str, str, int]) -> Declare:
    return Declare((target,) if isinstance(target, str) else target, tuple(force))


def from_(hex: str, **types: int) -> tuple[tuple[str, str, str, int], ...]:
    return tuple((hex, "germany", type, number) for type, number in types.items())


def face(t: Table, losses: int, column: int = 0) -> int:
    return t.s.facts.tables.land[column].index(losses) + 1


def landing(number: int, origin: str, duty: str = "assault", type: str = "inf") -> dict[str, Any]:
    """A landing party and its ships, as a position has them."""
    party = [{"count": number, "duty": duty, "origin": origin if duty == "assault" else ""}]
    return {type: party, "amph": party}


# --- overruns -------------------------------------------------------------------------------------


@pytest.mark.rule("gw75:5.66", "gw75:8.51e")
def test_the_counter_attack_takes_those_who_overrun_not_those_who_rest_there() -> None:
    """Two who have moved to Silesia before, then nine that march through it."""
    t = moving(
        units={
            BAVARIA: {"germany": "9 inf"},
            BERLIN: {"germany": "2 inf"},
            DANZIG: {"poland": "inf"},
        }
    )
    t.do(move(f"{BERLIN} > {BAVARIA} > {SILESIA}", "2 inf"))
    t.do(move(f"{BAVARIA} > {SILESIA} > {DANZIG}", "9 inf")).dice(face(t, 2))
    assert t.units(SILESIA, "germany") == {"inf": 2}
    assert t.units(DANZIG, "germany") == {"inf": 7}


@pytest.mark.rule("gw75:5.66", "gw75:8.51e")
def test_nor_those_who_have_landed_there() -> None:
    units = {
        BREST: {"commonwealth": {**landing(2, LONDON, "landed")}},
        ANTWERP: {"commonwealth": "8 inf"},
        PARIS: {"germany": "inf"},
    }
    t = moving(16, "allies", units=units, wars=WEST)
    t.do(move(f"{ANTWERP} > {BREST} > {PARIS}", "8 inf", "commonwealth")).dice(face(t, 1))
    assert t.units(BREST, "commonwealth") == {"inf": 2, "amph": 2}
    assert t.units(PARIS, "commonwealth") == {"inf": 7}


@pytest.mark.rule("gw75:5.61b", "gw75:10.14")
def test_a_soviet_point_counts_double_against_an_overrun_in_the_first_winter() -> None:
    units = {WARSAW: {"germany": "10 inf"}, MINSK: {"ussr": "inf"}}
    t = moving(10, units=units, counts={"invaded_ussr": 8}, held={WARSAW: "germany"})
    t.refused(move(f"{WARSAW} > {MINSK}", "8 inf"), "5.61a")
    t.do(move(f"{WARSAW} > {MINSK}", "9 inf")).dice(1)
    assert t.units(MINSK, "germany") == {"inf": 9}


@pytest.mark.rule("gw75:9.34", "gw75:10.14")
def test_soviet_points_that_overrun_count_at_face_value_in_the_first_winter_too() -> None:
    units = {WARSAW: {"germany": "inf"}, MINSK: {"ussr": "8 inf"}}
    t = moving(10, "allies", units=units, counts={"invaded_ussr": 8}, held={WARSAW: "germany"})
    t.refused(move(f"{MINSK} > {WARSAW}", "7 inf", "ussr"), "5.61a")
    t.do(move(f"{MINSK} > {WARSAW}", "8 inf", "ussr")).dice(1)
    assert t.units(WARSAW, "ussr") == {"inf": 8}


@pytest.mark.rule("gw75:5.61a", "gw75:7.34")
def test_units_of_two_nations_overrun_together() -> None:
    t = moving(
        units={SILESIA: {"germany": "4 inf", "italy": "4 inf"}, DANZIG: {"poland": "mech"}},
        wars=[*WAR, ("italy", "poland"), ("commonwealth", "italy")],
    )
    t.refused(move(f"{SILESIA} > {DANZIG}", "4 inf", italy="3 inf"), "5.61a")
    t.do(move(f"{SILESIA} > {DANZIG}", "4 inf", italy="4 inf"))
    t.dice(face(t, 1)).do(Lose(((SILESIA, "italy", "inf", 1),)))
    assert t.units(DANZIG, "italy") == {"inf": 3}
    assert t.units(DANZIG, "germany") == {"inf": 4}


@pytest.mark.rule("gw75:5.61c", "gw75:8.64", "gw75:8.65")
def test_an_overrun_takes_what_is_based_in_the_hex() -> None:
    units = {SILESIA: {"germany": "8 inf"}, DANZIG: {"poland": "inf, asw, lrb, ss"}}
    t = moving(units=units)
    t.do(move(f"{SILESIA} > {DANZIG}", "8 inf")).dice(1)
    while "put_to_sea" in t.asked:
        t.do(Choose(t.request.options[0]))
    assert t.units(DANZIG, "poland") == {}
    assert t.s.lost["poland", "asw"] == t.s.lost["poland", "lrb"] == 1
    assert ("poland", "ss") not in t.s.lost


@pytest.mark.rule("gw75:5.25", "gw75:5.61e")
def test_the_one_hex_that_is_always_open_may_be_an_overrun() -> None:
    """Spring: two points, and three for a mountain hexside into undeveloped country."""
    s = state(turn=SPRING)
    here, there = next(
        (one, other)
        for one, others in s.facts.land.items()
        for other, mountain in others.items()
        if mountain
        and s.facts.hexes[one].weather
        and s.facts.hexes[other].weather
        and s.facts.hexes[other].area == "undeveloped"
        and s.facts.hexes[one].country == s.facts.hexes[other].country == "ussr"
    )
    t = moving(
        SPRING,
        units={here: {"germany": "10 inf"}, there: {"ussr": "inf"}},
        held={here: "germany"},
    )
    # doubled by Spring and by the mountains: 4, so that ten are +6
    assert "+6" in t.refused(move(f"{here} > {there}", "10 inf"), "5.61a")
    t = moving(
        2, units={here: {"germany": "10 inf"}, there: {"ussr": "inf"}}, held={here: "germany"}
    )
    t.do(move(f"{here} > {there}", "9 inf")).dice(1)
    assert t.units(there, "germany") == {"inf": 9}


@pytest.mark.rule("gw75:5.61e", "gw75:9.34", "gw75:6.51")
def test_self_defense_units_do_not_overrun_beyond_their_border() -> None:
    t = moving(units={SILESIA: {"germany": "8 inf, 2 sd"}, DANZIG: {"poland": "inf"}})
    t.refused(move(f"{SILESIA} > {DANZIG}", "8 inf, 2 sd"), "6.51")


@pytest.mark.rule("gw75:5.61e", "gw75:18.10d")
def test_an_overrun_is_no_business_of_unactivated_units() -> None:
    t = moving(
        units={
            SILESIA: {"germany": {"inf": 7, "mech": [{"count": 3, "idle": True}]}},
            DANZIG: {"poland": "inf"},
        }
    )
    t.refused(move(f"{SILESIA} > {DANZIG}", "7 inf, mech"), "18.10d")
    t.refused(move(f"{SILESIA} > {DANZIG}", "7 inf"), "5.61a")


# --- movement and zones ---------------------------------------------------------------------------


@pytest.mark.rule("gw75:6.0a", "gw75:18.10d")
def test_unactivated_units_have_their_zone() -> None:
    t = moving(units={SILESIA: {"germany": "inf"}, WARSAW: {"poland": {"mech": [{"idle": True}]}}})
    t.refused(move(f"{SILESIA} > {DANZIG} > {BERLIN}", "inf"), "5.24")


@pytest.mark.rule("gw75:5.22", "gw75:7.34")
def test_a_zone_that_stops_one_of_a_mixed_force_stops_all() -> None:
    """Italy is not at war with Poland: Italians alone pass."""
    t = moving(
        units={
            SILESIA: {"germany": "inf", "italy": "2 inf"},
            BERLIN: {"germany": "inf"},
            DANZIG: {"poland": "2 inf"},
        },
        turn=8,
        wars=[*WAR, ("commonwealth", "italy")],
    )
    t.refused(move(f"{SILESIA} > {BERLIN}", "inf", italy="inf"), "5.22")
    t.do(move(f"{SILESIA} > {BERLIN}", "inf", "italy"))


@pytest.mark.rule("gw75:6.53", "gw75:5.24")
def test_a_zone_does_not_reach_over_mountains_so_that_a_unit_passes() -> None:
    """Budapest lies behind mountains from Warsaw and Danzig."""
    t = moving(
        units={SILESIA: {"germany": "inf"}, WARSAW: {"poland": "3 inf"}, DANZIG: {"poland": "2 sd"}}
    )
    t.do(move(f"{SILESIA} > {BUDAPEST} > {BELGRADE}", "inf"))


@pytest.mark.rule("gw75:5.14c", "gw75:5.4a", "gw75:5.41a")
def test_unused_points_of_the_movement_phase_serve_strategic_movement() -> None:
    """Spring: who has spent both points stays, who has one left goes."""
    t = moving(
        SPRING, units={SILESIA: {"germany": "2 inf"}, DANZIG: {"poland": "2 inf"}}, wars=WEST + WAR
    )
    t.do(move(f"{SILESIA} > {BAVARIA} > {RUHR}", "inf"), move(f"{SILESIA} > {BAVARIA}", "inf"))
    assert t.asked == "germany strategic_movement"
    t.refused(redeploy("inf", land=f"{RUHR} > {BERLIN}"), "5.41a")
    t.do(redeploy("inf", land=f"{BAVARIA} > {RUHR}"))


@pytest.mark.rule("gw75:5.41a", "gw75:8.63")
def test_who_has_attacked_may_still_move_strategically() -> None:
    t = fighting(units={SILESIA: {"germany": "6 inf"}, DANZIG: {"poland": "inf"}})
    t.do(attack(DANZIG, *from_(SILESIA, inf=6)), Done())
    t.dice(6).dice(1)
    while t.s.phase != "axis_strategic_movement":
        t.do(Done())
    t.do(redeploy("2 inf", land=f"{SILESIA} > {BAVARIA}"))
    assert t.units(BAVARIA, "germany") == {"inf": 2}


@pytest.mark.rule("gw75:5.42", "gw75:5.41b")
def test_a_hex_that_the_enemy_has_left_is_not_friendly() -> None:
    """Danzig was German, a Pole has passed through it."""
    t = table(
        "axis_strategic_movement",
        SUMMER,
        units={SILESIA: {"germany": "inf"}, BERLIN: {"germany": "inf"}},
        held={DANZIG: "germany"},
        wars=WAR,
    )
    t.do(redeploy("inf", land=f"{SILESIA} > {DANZIG}"))
    t = table("axis_strategic_movement", SUMMER, units={SILESIA: {"germany": "inf"}}, wars=WAR)
    t.refused(redeploy("inf", land=f"{SILESIA} > {DANZIG}"), "5.41b")


@pytest.mark.rule("gw75:7.37", "gw75:7.34")
def test_of_an_overstacked_hex_units_of_any_nation_may_go() -> None:
    t = moving(units={BERLIN: {"germany": "8 inf", "hungary": "4 inf"}}, wars=WAR)
    t.do(Done())
    assert t.request.number == 2
    t.do(remove("inf", hungary="inf"))
    assert t.units(BERLIN, "germany") == {"inf": 7}


# --- landings -------------------------------------------------------------------------------------


@pytest.mark.rule("gw75:5.57a", "gw75:8.65")
def test_a_coast_with_aircraft_only_is_unoccupied() -> None:
    t = moving(
        16,
        "allies",
        units={LONDON: {"commonwealth": "2 inf, 2 amph"}, BREST: {"germany": "lrb, ss"}},
        held={BREST: "germany"},
        wars=WEST,
    )
    t.do(invade(f"{LONDON} > {BREST}", "2 inf")).do(Choose("W2918"))
    assert t.units(BREST, "germany") == {}
    assert t.s.held.get(BREST, "france") == "france"


@pytest.mark.rule("gw75:5.57c", "gw75:8.64")
def test_ships_put_out_of_a_port_when_the_landing_has_won() -> None:
    units = {BREST: {"germany": {"inf": 1, "ms": 2}, "commonwealth": landing(6, LONDON)}}
    t = fighting(16, "allies", units=units, held={BREST: "germany"}, wars=WEST)
    t.do(attack(BREST, (BREST, "commonwealth", "inf", 6)), Done())
    t.dice(6).dice(1)
    assert t.asked == "germany put_to_sea"
    t.do(Choose("W2918"))
    assert t.units("W2918", "germany") == {"ms": 2}
    assert BREST not in t.s.held  # it is French again


@pytest.mark.rule("gw75:5.57c", "gw75:8.8d", "gw75:8.8c")
def test_a_landing_against_a_stack_that_stands_fast() -> None:
    """If anybody is left the party goes back; if nobody is, it need not advance: it is there."""
    given = {"held": {BREST: "germany"}, "wars": WEST, "counts": {"first_battle:germany": 1}}
    for number, ashore in ((5, False), (2, True)):
        units = {BREST: {"germany": f"{number} inf", "commonwealth": landing(6, LONDON)}}
        t = fighting(16, "allies", units=units, **given)
        t.do(attack(BREST, (BREST, "commonwealth", "inf", 6)), Done())
        t.do(StandFast((BREST,)))
        t.each(5, 1)  # +1, die 5: two, and one more; at +4 all
        assert bool(t.units(BREST, "commonwealth")) is ashore
        assert bool(t.units(BREST, "germany")) is not ashore


@pytest.mark.rule("gw75:5.57b", "gw75:8.23")
def test_a_landing_party_attacks_nothing_beside_its_hex() -> None:
    units = {
        BREST: {"germany": "inf", "commonwealth": landing(6, LONDON)},
        BORDEAUX: {"germany": "inf"},
    }
    held = {BREST: "germany", BORDEAUX: "germany"}
    t = fighting(16, "allies", units=units, held=held, wars=WEST)
    t.refused(attack((BREST, BORDEAUX), (BREST, "commonwealth", "inf", 6)), "5.57b")
    t.refused(attack(BORDEAUX, (BREST, "commonwealth", "inf", 3)), "5.57b")


@pytest.mark.rule("gw75:5.57b", "gw75:8.25")
def test_those_who_land_take_the_mountains_from_the_defender() -> None:
    """Marseille lies behind mountains from Bavaria: not if others land in it."""
    units = {
        "W2920": {"germany": "2 inf", "commonwealth": landing(2, LONDON)},
        BAVARIA: {"commonwealth": "4 inf"},
    }
    held = {"W2920": "germany", BAVARIA: "commonwealth"}
    s = state("allies_land_combat", 16, units=units, held=held, wars=WEST)
    assert attacks.defense(s, ("W2920",), (BAVARIA,), "commonwealth") == 4
    assert attacks.defense(s, ("W2920",), (BAVARIA, "W2920"), "commonwealth") == 2


# --- what the browser is told ---------------------------------------------------------------------

NEUTRALS = {SILESIA: {"germany": "3 inf"}, "W2822": {"yugoslavia": "2 inf"}}


def told(t: Table, space: str, **chosen: int) -> Any:
    return t.game.rules.reach(
        t.game.legal(t.request), space, {f"germany:{type}": n for type, n in chosen.items()}
    )


@pytest.mark.rule("gw75:5.0a", "gw75:11.3a")
def test_to_enter_an_empty_neutral_hex_is_a_violation_and_no_overrun() -> None:
    way = told(moving(units=NEUTRALS), SILESIA, inf=3).ways[BELGRADE]
    assert not way.battle
    assert way.note == "1 of 5 Movement Points; violates the peace of Yugoslavia"
    assert way.decisions[0].tone == "danger"


@pytest.mark.rule("gw75:5.0a", "gw75:11.3a")
def test_of_two_ways_the_one_that_violates_nobody_is_offered() -> None:
    """To Ploesti by Budapest, and not through Yugoslavia; to Marseille straight, not by Italy."""
    ways = told(moving(units=NEUTRALS), SILESIA, inf=3).ways
    assert ways["W2923"].path == (SILESIA, BUDAPEST, "W2923")
    assert ways["W2923"].note == "2 of 5 Movement Points"
    assert ways["W2920"].note.endswith("violates the peace of France")
    assert ways["W2818"].note.endswith("violates the peace of France and Spain")
    # A longer way that keeps the peace comes before a shorter one that does not.
    s = moving(units={BUDAPEST: {"germany": "inf"}}, held={BELGRADE: "germany"}).s
    found = reach(s, BUDAPEST, parts("inf"))
    assert found[MILAN][1][-2] in (BELGRADE, SILESIA)
    peaceful = {hex for hex, (_, path) in found.items() if not violated_on(s, path)}
    for hex, (_, path) in found.items():
        assert (hex in peaceful) is not violated_on(s, path)


def violated_on(s: Any, path: tuple[str, ...]) -> bool:
    return any(violated(s, ["germany"], hex) for hex in path[1:])


@pytest.mark.rule("gw75:5.0a", "gw75:5.12", "gw75:5.24", "gw75:5.61a", "gw75:3.1b")
def test_a_hex_out_of_reach_names_the_rule_that_bars_it() -> None:
    t = moving(units={SILESIA: {"germany": "3 inf"}, WARSAW: {"poland": "2 inf"}})
    refused = told(t, SILESIA, inf=3).refused
    rules = {WARSAW: "5.61a", RIGA: "5.24", "W3221": "3.1b"}
    assert {hex: refused[hex].rule for hex in rules} == rules
    far = told(moving(units={SILESIA: {"germany": "inf"}}, turn=WINTER, wars=WAR), SILESIA, inf=1)
    assert far.refused["W3024"].rule == "5.12"


@pytest.mark.rule("gw75:11.3a", "gw75:7.34")
def test_whoever_of_a_mixed_force_breaks_a_peace_it_is_said() -> None:
    """Germany is at war with the Soviet Union, Italy is not yet."""
    t = moving(
        8,
        units={WARSAW: {"germany": "2 inf", "italy": "2 inf"}},
        held={WARSAW: "germany"},
        wars=[*WAR, ("commonwealth", "italy")],
    )
    legal = t.game.legal(t.request)
    way = t.game.rules.reach(legal, WARSAW, {"germany:inf": 1, "italy:inf": 1}).ways[MINSK]
    assert way.note.endswith("violates the peace of the Soviet Union")
    assert "violates" not in t.game.rules.reach(legal, WARSAW, {"germany:inf": 1}).ways[MINSK].note


@pytest.mark.rule("gw75:5.5a", "gw75:11.3a")
def test_a_landing_on_a_neutral_coast_says_what_it_violates() -> None:
    t = moving(16, units={RUHR: {"germany": "2 inf, 2 amph"}}, wars=WEST)
    way = told(t, RUHR, inf=2).ways["W3320"]
    assert way.note == "Amphibious Assault; violates the peace of Norway"
    assert way.decisions[0].tone == "danger"
    assert not way.battle


@pytest.mark.rule("gw75:5.12", "gw75:5.21")
@pytest.mark.parametrize("turn", [WINTER, SPRING, SUMMER, FALL])
def test_what_a_way_costs_is_what_it_takes(turn: int) -> None:
    units = {BUDAPEST: {"germany": "2 inf"}, WARSAW: {"poland": "inf"}}
    t = moving(turn, units=units, wars=[("germany", "poland")])
    for hex, way in told(t, BUDAPEST, inf=1).ways.items():
        copy = Table(t.game.clone())
        total = {WINTER: 3, SPRING: 2, SUMMER: 5, FALL: 4}[turn]
        copy.do(way.decisions[0].decision)
        (left,) = {u.left for u in copy.s.stack(hex) if u.nation == "germany" and u.left >= 0}
        assert left == max(0, total - way.cost)
        assert way.note.startswith(f"{way.cost} of {total} ")


@pytest.mark.rule("gw75:5.5a", "gw75:5.55")
def test_a_coast_out_of_reach_says_why_nobody_lands_there() -> None:
    units = {LONDON: {"commonwealth": "inf, amph"}}
    t = moving(14, "allies", units=units, held={BREST: "germany"}, wars=WEST)
    found = t.game.rules.reach(t.game.legal(t.request), LONDON, {"commonwealth:inf": 1})
    assert found.refused[BREST].rule == "5.55"
    t = moving(16, "allies", units=units, held={BREST: "germany"}, wars=WEST)
    found = t.game.rules.reach(t.game.legal(t.request), LONDON, {"commonwealth:inf": 1})
    assert BREST in found.ways
    assert BREST not in found.refused


@pytest.mark.rule("gw75:5.0a", "gw75:5.61b", "gw75:8.25")
def test_a_victim_behind_mountains_is_reached_by_a_way_round_them() -> None:
    """Eight points against one in Budapest: +6 from Warsaw, +7 from Silesia."""
    given = {"held": {WARSAW: "germany", DANZIG: "germany"}, "wars": WAR}
    s = state(
        turn=SUMMER, units={WARSAW: {"germany": "10 inf"}, BUDAPEST: {"ussr": "inf"}}, **given
    )
    assert reach(s, WARSAW, parts("8 inf"))[BUDAPEST] == (3, (WARSAW, DANZIG, SILESIA, BUDAPEST))
    assert reach(s, WARSAW, parts("9 inf"))[BUDAPEST] == (2, (WARSAW, BUDAPEST))
    s = state(
        turn=SPRING, units={WARSAW: {"germany": "10 inf"}, BUDAPEST: {"ussr": "inf"}}, **given
    )
    assert BUDAPEST not in reach(s, WARSAW, parts("10 inf"))


@pytest.mark.rule("gw75:5.0a", "gw75:5.64b")
def test_what_lies_behind_a_victim_in_the_zone_of_another_is_out_of_reach() -> None:
    """In the steppe: one weak point, its hex in the zone of a strong stack."""
    start, victim, behind = "W2827", "W3126", "W3225"
    units = {start: {"germany": "10 inf"}, victim: {"ussr": "inf"}, "W3025": {"ussr": "3 inf"}}
    t = moving(units=units, held={start: "germany"})
    found = reach(t.s, start, parts("10 inf"))
    assert victim in found
    assert behind not in found
    for _, path in found.values():
        t.request.check(t.s, move(" > ".join(path), "10 inf"))


# --- combat: mixed stacks -------------------------------------------------------------------------


@pytest.mark.rule("gw75:5.56a", "gw75:8.9a")
def test_a_landed_unit_that_retreats_is_still_a_landed_one() -> None:
    """Driven out of Brest in the Enemy's Land Combat Phase it has no zone there
    until that phase is over."""
    units = {
        BREST: {"commonwealth": {"inf": [{"count": 4, "duty": "ashore"}]}},
        BORDEAUX: {"germany": "10 inf"},
        SILESIA: {"germany": "inf"},
        BAVARIA: {"commonwealth": "inf"},
    }
    t = fighting(
        17,
        units=units,
        held={BORDEAUX: "germany", PARIS: "germany", ANTWERP: "commonwealth"},
        wars=[*WEST, ("germany", "low_countries")],
        joined={"low_countries": "allies"},
    )
    t.do(attack(BREST, *from_(BORDEAUX, inf=10)), attack(BAVARIA, *from_(SILESIA, inf=1)), Done())
    t.do(Fight(BREST)).dice(2).dice(1)
    assert t.units(ANTWERP, "commonwealth") == {"inf": 2}
    assert t.s.phase == "axis_land_combat"
    assert not zones.controlled(t.s, "germany", BREST)
    t.dice(1).dice(1)
    assert t.s.phase != "axis_land_combat"
    assert zones.controlled(t.s, "germany", BREST)


@pytest.mark.rule("gw75:8.51c", "gw75:19.24a")
def test_italians_who_only_defend_add_nothing_to_a_counter_attack() -> None:
    units = {
        MILAN: {"italy": "4 inf"},
        BELGRADE: {"commonwealth": "5 inf"},
        "W2920": {"commonwealth": "inf"},
    }
    for counts, differential in (({}, 3), ({"italy:driven_out": 15}, 0)):
        t = fighting(
            16,
            "allies",
            units=units,
            held={BELGRADE: "commonwealth", "W2920": "commonwealth"},
            wars=WEST,
            counts=counts,
        )
        force = ((BELGRADE, "commonwealth", "inf", 5), ("W2920", "commonwealth", "inf", 1))
        t.do(attack(MILAN, *force), Done())
        t.dice(1)
        t.do(Stack("W2920")).dice(1)
        assert t.events("counter_attack")[-1]["differential"] == differential


@pytest.mark.rule("gw75:10.14", "gw75:7.34", "gw75:8.31")
def test_only_soviet_points_of_a_mixed_stack_count_double_in_the_first_winter() -> None:
    units = {MINSK: {"ussr": "3 inf", "poland": "2 inf"}, WARSAW: {"germany": "10 inf"}}
    t = fighting(10, units=units, held={WARSAW: "germany"}, counts={"invaded_ussr": 8})
    t.refused(attack(MINSK, *from_(WARSAW, inf=7)), "8.0b")
    t.do(attack(MINSK, *from_(WARSAW, inf=8)), Done())
    t.dice(1)  # +0, nothing
    t.dice(1)
    assert t.events("counter_attack")[-1]["differential"] == 0  # 8 against 8


@pytest.mark.rule("gw75:10.14", "gw75:8.51c")
def test_soviet_survivors_counter_attack_with_double_strength() -> None:
    units = {MINSK: {"ussr": "4 inf"}, WARSAW: {"germany": "2 inf"}, VILNA: {"germany": "8 inf"}}
    held = {WARSAW: "germany", VILNA: "germany"}
    t = fighting(10, units=units, held=held, counts={"invaded_ussr": 8})
    t.do(attack(MINSK, *from_(WARSAW, inf=2), *from_(VILNA, inf=8)), Done())
    t.dice(1).do(Stack(WARSAW)).dice(1)
    assert t.events("counter_attack")[-1]["differential"] == 6  # 8 against 2


@pytest.mark.rule("gw75:8.21", "gw75:18.10d", "gw75:9.33a")
def test_unactivated_and_unsupplied_units_defend_with_all_they_have() -> None:
    units = {
        SILESIA: {"germany": "6 inf"},
        DANZIG: {"poland": {"mech": [{"count": 3, "idle": True}], "inf": [{"count": 3, "cut": 2}]}},
    }
    t = fighting(units=units)
    assert "defense is 6" in t.refused(attack(DANZIG, *from_(SILESIA, inf=5)), "8.0b")


@pytest.mark.rule("gw75:8.91c", "gw75:8.92a", "gw75:8.91b")
def test_self_defense_units_stay_at_home_and_the_infantry_with_them_need_not() -> None:
    """Riga: the way into Eastern Poland is open to the infantry only."""
    units = {DANZIG: {"germany": "10 inf"}, RIGA: {"ussr": "3 inf, 3 sd"}}
    t = fighting(8, units=units, held={DANZIG: "germany", WARSAW: "germany", VILNA: "ussr"})
    t.do(attack(RIGA, *from_(DANZIG, inf=10)), Done())
    t.dice(1)  # +4, one point
    t.do(Lose(((RIGA, "ussr", "sd", 1),))).dice(1)
    assert t.s.facts.hexes[VILNA].country == "poland"
    assert t.events("no_retreat")[-1]["losses"] == {"ussr": {"sd": 2}}
    assert t.units(VILNA, "ussr") == {"inf": 3}


@pytest.mark.rule("gw75:8.9b", "gw75:7.12b")
def test_a_retreat_keeps_to_the_limit_where_there_is_room_elsewhere() -> None:
    units = {
        SILESIA: {"germany": "9 inf"},
        DANZIG: {"poland": "4 inf"},
        WARSAW: {"poland": "9 inf"},
    }
    t = fighting(units=units, held={RIGA: "poland"})
    t.do(attack(DANZIG, *from_(SILESIA, inf=9)), Done())
    t.dice(1).dice(1)
    t.refused(Retreat((("poland", "inf", 3, WARSAW),)), "7.12b")
    t.do(Retreat((("poland", "inf", 1, WARSAW), ("poland", "inf", 2, RIGA))))
    assert t.units(WARSAW, "poland") == {"inf": 10}


@pytest.mark.rule("gw75:7.12b", "gw75:7.37")
def test_what_a_retreat_has_crowded_is_put_right_in_the_owners_next_movement_phase() -> None:
    units = {
        SILESIA: {"germany": "9 inf"},
        BUDAPEST: {"germany": "inf"},
        VILNA: {"germany": "inf"},
        DANZIG: {"poland": "4 inf"},
        WARSAW: {"poland": "9 inf"},
    }
    t = fighting(units=units, held={VILNA: "germany"}, wars=WAR[:1])
    t.do(attack(DANZIG, *from_(SILESIA, inf=9)), Done())
    t.dice(1).dice(1)
    assert t.units(WARSAW, "poland") == {"inf": 12}
    while t.s.phase != "allies_land_movement":
        t.do(Done())
    t.do(Done())
    assert (t.request.space, t.request.number) == (WARSAW, 2)
    t.do(remove("2 inf", "poland"))
    assert t.s.phase != "allies_land_movement"


@pytest.mark.rule("gw75:9.2b", "gw75:8.0c")
def test_an_attack_whose_supply_is_cut_before_it_is_fought_does_not_take_place() -> None:
    """Deep in Russia: those who retreat from Minsk to Lvov control Kiev, the only way back."""
    deep, target = "W3128", "W3227"
    units = {
        VILNA: {"germany": "10 inf"},
        MINSK: {"ussr": "3 inf"},
        deep: {"germany": "6 inf"},
        target: {"ussr": "2 inf"},
        "W3125": {"ussr": "inf"},
        "W3226": {"ussr": "inf"},
    }
    s = state()
    east = (hex for hex in s.facts.land_hexes if "W2800" < hex < "W3329" and int(hex[3:]) < 29)
    held = {hex: "germany" for hex in east if s.facts.hexes[hex].nation in ("ussr", "poland")}
    held |= dict.fromkeys((MINSK, LVOV, target), "ussr")
    t = fighting(8, units=units, held=held, wars=[*WAR, ("poland", "ussr")])
    t.do(attack(MINSK, *from_(VILNA, inf=10)))
    t.do(attack(target, *from_(deep, inf=6)), Done())
    t.do(Fight(MINSK)).dice(1).dice(1)
    t.do(Retreat((("ussr", "inf", 1, LVOV),)))
    assert supply.state(t.s, "germany", deep) == "defense"  # only Kiev itself
    assert t.events("attack_called_off") == [{"power": "germany", "space": target}]
    assert t.units(target, "ussr") == {"inf": 2}


@pytest.mark.rule("gw75:8.8f", "gw75:7.34")
def test_a_mixed_stack_stands_fast_only_if_all_in_it_may() -> None:
    units = {SILESIA: {"germany": "8 inf"}, DANZIG: {"poland": "inf", "ussr": "inf"}}
    t = fighting(8, units=units, counts={"first_battle:poland": 1})
    t.do(attack(DANZIG, *from_(SILESIA, inf=8)), Done())
    assert "stand_fast" not in t.asked
    t = fighting(8, units=units, counts={"first_battle:poland": 1, "first_battle:ussr": 5})
    t.do(attack(DANZIG, *from_(SILESIA, inf=8)), Done())
    assert "stand_fast" in t.asked


@pytest.mark.rule("gw75:8.8b", "gw75:7.14", "gw75:8.8g")
def test_on_a_coast_the_fort_of_a_stack_that_stands_fast_is_lost_first_too() -> None:
    units = {SILESIA: {"germany": "8 inf"}, DANZIG: {"poland": "2 inf, 2 fort"}}
    t = fighting(units=units, counts={"first_battle:poland": 1})
    t.do(attack(DANZIG, *from_(SILESIA, inf=8)), Done())
    t.do(StandFast((DANZIG,))).dice(1)  # +4: one, and one more
    t.refused(Lose(((DANZIG, "poland", "fort", 1), (DANZIG, "poland", "inf", 1))), "7.14")
    t.do(Lose(((DANZIG, "poland", "fort", 2),))).dice(1)
    assert t.units(DANZIG, "poland") == {"inf": 2}
    assert ("poland", "fort") not in t.s.dead


@pytest.mark.rule("gw75:8.45", "gw75:6.32a", "gw75:8.9b")
def test_a_fort_that_is_left_alone_shelters_those_who_retreat_later() -> None:
    units = {
        SILESIA: {"germany": "10 inf"},
        BUDAPEST: {"germany": "8 inf"},
        DANZIG: {"poland": "3 inf"},
        WARSAW: {"poland": "2 fort"},
        VILNA: {"germany": "inf"},
    }
    s = state("axis_land_combat", SUMMER, units=units, held={VILNA: "germany"}, wars=WAR)
    assert zones.controlled(s, "poland", WARSAW)
    assert retreats(s, Unit("poland", "inf"), DANZIG) == (WARSAW,)


@pytest.mark.rule("gw75:8.61a", "gw75:7.34")
def test_mechanized_units_of_every_nation_that_attacked_advance() -> None:
    units = {SILESIA: {"germany": "4 inf", "italy": "4 mech"}, BERLIN: {"germany": "2 mech"}}
    t = fighting(
        8,
        units=units | {DANZIG: {"poland": "inf"}},
        wars=[*WAR, ("italy", "poland"), ("commonwealth", "italy")],
    )
    t.do(attack(DANZIG, (SILESIA, "italy", "mech", 4), *from_(BERLIN, mech=1)), Done())
    t.dice(6).do(Stack(BERLIN)).dice(1)
    t.do(Advance(((SILESIA, "italy", 3, DANZIG), (BERLIN, "germany", 1, DANZIG))))
    assert t.units(DANZIG, "italy") == {"mech": 3}
    assert t.units(DANZIG, "germany") == {"mech": 1}


@pytest.mark.rule("gw75:8.92b", "gw75:8.9b")
def test_nobody_has_to_break_a_peace_where_friends_take_him_in() -> None:
    """Berlin's garrison: Denmark is open, friends are in the Ruhr, in a zone."""
    units = {
        BERLIN: {"germany": "3 inf"},
        SILESIA: {"commonwealth": "9 inf"},
        RUHR: {"germany": "inf"},
        PARIS: {"commonwealth": "inf"},
        DANZIG: {"commonwealth": "inf"},
    }
    s = state("allies_land_combat", 16, units=units, wars=WEST, held={SILESIA: "commonwealth"})
    assert retreats(s, Unit("germany", "inf"), BERLIN) == (RUHR, "W3220")
    t = fighting(16, "allies", units=units, wars=WEST, held={SILESIA: "commonwealth"})
    t.do(attack(BERLIN, (SILESIA, "commonwealth", "inf", 9)), Done())
    t.dice(1).dice(1)
    rows = {row.space: row for row in t.game.rules.form(t.game.legal(t.request)).rows}
    assert (rows[RUHR].value, rows["W3220"].value) == (2, 0)
    assert rows["W3220"].note == "violates the peace of Denmark"
    t.do(Retreat((("germany", "inf", 2, RUHR),)))
    assert "denmark" not in t.s.joined


@pytest.mark.rule("gw75:8.92b", "gw75:7.12b")
@pytest.mark.parametrize("room", [0, 1, 2])
def test_nobody_has_to_break_a_peace_for_want_of_room_with_friends(room: int) -> None:
    """Two go to the Ruhr however many are there; some may go to Denmark all the same."""
    units = {
        BERLIN: {"germany": "3 inf"},
        SILESIA: {"commonwealth": "9 inf"},
        RUHR: {"germany": {"inf": 10 - room}},
        PARIS: {"commonwealth": "inf"},
        DANZIG: {"commonwealth": "inf"},
    }
    t = fighting(16, "allies", units=units, wars=WEST, held={SILESIA: "commonwealth"})
    t.do(attack(BERLIN, (SILESIA, "commonwealth", "inf", 9)), Done()).dice(1).dice(1)
    both, one = ("germany", "inf", 2, RUHR), ("germany", "inf", 1, RUHR)
    assert Retreat((both,)) in list(t.request.decisions(t.s))
    t.request.check(t.s, Retreat((one, ("germany", "inf", 1, "W3220"))))
    t.do(Retreat((both,)))
    assert t.units(RUHR, "germany") == {"inf": 12 - room}
    assert "denmark" not in t.s.joined


# --- supply ---------------------------------------------------------------------------------------

TOBRUK = "W2523"
LIBYA = [("commonwealth", "italy")]


@pytest.mark.rule("gw75:9.24", "gw75:9.33b")
def test_a_pipeline_keeps_alive_as_many_as_it_carries_and_no_more() -> None:
    """Six points in Tobruk, two Merchant Ships, Tripoli destroyed: four go without, the same four
    in both phases."""
    s = state(
        "axis_land_combat",
        16,
        units={TOBRUK: {"italy": "6 inf"}, "W2622": {"italy": "2 ms"}},
        wars=LIBYA,
        destroyed=["W2521"],
    )
    assert supply.fed(s, "italy", TOBRUK) == (2, 0)
    for which in ("axis", "allies"):
        phase(s, f"start of {which}_land_combat")
        phase(s, f"end of {which}_land_combat")
    assert sum(n for u, n in s.stack(TOBRUK).items() if u.type == "inf") == 2


@pytest.mark.rule("gw75:9.41", "gw75:9.0b", "gw75:6.41")
@pytest.mark.parametrize(
    ("guard", "grade"), [("", "defense"), ("sd", "attack"), ("2 fort", "attack")]
)
def test_a_source_in_an_enemy_zone_serves_only_if_friends_stand_in_it(guard, grade) -> None:
    """London, with Germans in Scotland."""
    units = {
        GLASGOW: {"germany": "inf"},
        BREST: {"commonwealth": "inf"},
        "W3017": {"commonwealth": "ms"},
    }
    if guard:
        units[LONDON] = {"commonwealth": guard}
    s = state(
        "allies_land_combat",
        16,
        units=units,
        wars=WEST,
        held={GLASGOW: "germany", PARIS: "germany", "W2920": "germany"},
    )
    assert supply.state(s, "commonwealth", BREST) == grade


@pytest.mark.rule("gw75:9.15", "gw75:9.33b")
def test_a_fort_is_not_lost_for_want_of_supply_but_those_with_it_are() -> None:
    s = state(
        "axis_land_combat",
        16,
        units={"W2621": {"germany": {"fort": 2, "inf": 2}}},
        held={"W2621": "germany"},
        wars=WEST,
    )
    for which in ("axis", "allies"):
        phase(s, f"start of {which}_land_combat")
        phase(s, f"end of {which}_land_combat")
    assert {u.type: n for u, n in s.stack("W2621").items()} == {"fort": 2}


@pytest.mark.rule("gw75:9.11", "gw75:9.33b")
def test_units_of_a_nation_without_a_source_are_lost_abroad_at_once() -> None:
    s = state(
        "axis_land_combat",
        4,
        units={BERLIN: {"denmark": "inf"}, "W3220": {"denmark": "inf"}},
        joined={"denmark": "axis"},
        wars=[("commonwealth", "denmark"), ("commonwealth", "germany")],
    )
    phase(s, "start of axis_land_combat")
    assert BERLIN not in s.at
    assert "W3220" in s.at


@pytest.mark.rule("gw75:5.0a", "gw75:6.52")
def test_a_dearer_way_that_leaves_a_neutral_asleep_leads_farther() -> None:
    """To Warsaw by Danzig is nearer, but in the zone of Poles who are at war then."""
    s = state(
        "axis_land_movement",
        SUMMER,
        units={SILESIA: {"italy": "inf"}, LVOV: {"poland": "inf"}},
        held={WARSAW: "germany"},
        wars=[("commonwealth", "italy"), ("commonwealth", "germany"), ("germany", "poland")],
    )
    ways = reach(s, SILESIA, parts("inf", "italy"))
    assert ways[WARSAW] == (3, (SILESIA, BUDAPEST, WARSAW))
    assert ways[MINSK] == (4, (SILESIA, BUDAPEST, WARSAW, MINSK))


@pytest.mark.rule("gw75:9.11", "gw75:19.9b", "gw75:9.33b")
def test_rumanians_abroad_are_no_worse_off_than_other_axis_minor_allies() -> None:
    """Deep in the Soviet Union: two Land Combat Phases without supply, and a retreat."""
    steppe = "W3227"
    units = {steppe: {"rumania": "inf", "hungary": "inf"}}
    s = state("axis_land_combat", 8, units=units, held={steppe: "germany"}, wars=WAR)
    rumanians, hungarians = Unit("rumania", "inf"), Unit("hungary", "inf")
    assert set(retreats(s, rumanians, steppe)) == set(retreats(s, hungarians, steppe)) != set()
    for step in ("start", "end"):
        phase(s, f"{step} of axis_land_combat")
    assert set(s.stack(steppe)) == {rumanians._replace(cut=2), hungarians._replace(cut=2)}
    for step in ("start", "end"):
        phase(s, f"{step} of allies_land_combat")
    assert steppe not in s.at


# --- strategic movement ---------------------------------------------------------------------------

LINE = {"W2716": {"commonwealth": "2 ms"}, "W2722": {"commonwealth": "3 ms"}}
ALEXANDRIA = "W2524"


def egypt(s: Any, start: str = LONDON, end: str = ALEXANDRIA) -> str:
    return " > ".join(sea_ways(s, "commonwealth", start)[end])


def redeploying(turn: int = 16, which: str = "allies", **fields: Any) -> Table:
    fields.setdefault("wars", WEST)
    return table(f"{which}_strategic_movement", turn, **fields)


@pytest.mark.rule("gw75:5.43", "gw75:5.44a")
def test_from_a_port_in_a_zone_a_unit_goes_by_sea_but_not_overland_first() -> None:
    units = {LONDON: {"commonwealth": "2 inf"}, GLASGOW: {"germany": "inf"}, **LINE}
    t = redeploying(units=units, held={GLASGOW: "germany"})
    t.do(redeploy("inf", "commonwealth", sea=egypt(t.s)))
    units = {ALEXANDRIA: {"commonwealth": "2 inf"}, "W2523": {"italy": "inf"}, **LINE}
    t = redeploying(units=units)
    back = " > ".join(reversed(egypt(t.s).split(" > ")))
    t.refused(
        redeploy("inf", "commonwealth", land=f"{ALEXANDRIA} > W2525 > {ALEXANDRIA}", sea=back),
        "5.43",
    )
    t.do(redeploy("inf", "commonwealth", sea=back, land=f"{LONDON} > {GLASGOW}"))


@pytest.mark.rule("gw75:5.48b", "gw75:5.4b")
def test_the_land_leg_of_a_voyage_counts_against_the_two_points() -> None:
    units = {
        GLASGOW: {"commonwealth": "4 inf"},
        "W2716": {"commonwealth": "9 ms"},
        "W2722": {"commonwealth": "9 ms"},
    }
    t = redeploying(units=units)
    way = f"{GLASGOW} > {LONDON}"
    t.refused(redeploy("3 inf", "commonwealth", land=way, sea=egypt(t.s)), "5.48b")
    t.do(redeploy("2 inf", "commonwealth", land=way, sea=egypt(t.s)))
    t.refused(redeploy("inf", "commonwealth", land=way), "5.48b")
    t.do(redeploy("2 inf", "commonwealth", sea=egypt(t.s, GLASGOW)))


@pytest.mark.rule("gw75:5.48a", "gw75:5.48b")
def test_american_capacity_carries_british_points() -> None:
    units = {LONDON: {"commonwealth": "6 inf"}}
    t = redeploying(units=units, wars=[*WEST, ("germany", "usa")])
    way = f"{LONDON} > {GLASGOW}"
    t.do(
        redeploy("2 inf", "commonwealth", land=way),
        redeploy("2 inf", "commonwealth", land=way, by="usa"),
    )
    t.refused(redeploy("inf", "commonwealth", land=way, by="usa"), "5.48b")
    t.refused(redeploy("inf", "commonwealth", land=way, by="ussr"), "5.48a")


@pytest.mark.rule("gw75:5.26", "gw75:5.41a")
def test_fortifications_do_not_move_strategically() -> None:
    t = redeploying(units={LONDON: {"commonwealth": "2 fort, inf"}})
    t.refused(redeploy("2 fort", "commonwealth", land=f"{LONDON} > {GLASGOW}"), "5.26")


@pytest.mark.rule("gw75:5.44c", "gw75:5.41a")
def test_who_has_come_by_sea_does_not_go_on_by_a_second_order() -> None:
    units = {LONDON: {"commonwealth": "inf"}, ALEXANDRIA: {"commonwealth": "mech"}, **LINE}
    t = redeploying(units=units)
    t.do(redeploy("inf", "commonwealth", sea=egypt(t.s)))
    t.refused(redeploy("inf", "commonwealth", land=f"{ALEXANDRIA} > W2525"), "5.41a")


@pytest.mark.rule("gw75:7.0a", "gw75:5.23")
def test_strategic_movement_passes_full_hexes() -> None:
    units = {RUHR: {"germany": "inf"}, BERLIN: {"germany": "10 inf"}}
    t = redeploying(which="axis", units=units)
    t.do(redeploy("inf", land=f"{RUHR} > {BERLIN} > {SILESIA}"))
    assert t.units(SILESIA, "germany") == {"inf": 1}


# --- landings: several parties --------------------------------------------------------------------


@pytest.mark.rule("gw75:7.37", "gw75:5.61d", "gw75:5.5a")
def test_too_many_who_have_landed_are_removed_at_the_end_of_the_phase() -> None:
    units = {LONDON: {"commonwealth": "7 inf, 7 amph"}, GLASGOW: {"commonwealth": "5 inf, 5 amph"}}
    t = moving(16, "allies", units=units, held={BREST: "germany"}, wars=WEST)
    t.do(invade(f"{LONDON} > {BREST}", "7 inf"))
    t.do(invade(f"{GLASGOW} > {LONDON} > {BREST}", "5 inf"))
    assert (t.request.space, t.request.number) == (BREST, 2)
    t.do(remove("2 inf", "commonwealth"))
    assert t.units(BREST, "commonwealth") == {"inf": 10, "amph": 12}


@pytest.mark.rule("gw75:5.57c")
def test_parties_that_fail_go_back_each_to_its_port() -> None:
    units = {
        LONDON: {"commonwealth": "3 inf, 3 amph"},
        GLASGOW: {"commonwealth": "2 mech, 2 amph"},
        BREST: {"germany": "5 inf"},
    }
    t = moving(16, "allies", units=units, held={BREST: "germany"}, wars=WEST)
    t.do(invade(f"{LONDON} > {BREST}", "3 inf"))
    t.do(invade(f"{GLASGOW} > {LONDON} > {BREST}", "2 mech"))
    force = ((BREST, "commonwealth", "inf", 3), (BREST, "commonwealth", "mech", 2))
    t.do(attack(BREST, *force), Done())
    t.dice(1).dice(1)
    assert t.units(LONDON, "commonwealth") == {"inf": 3, "amph": 3}
    assert t.units(GLASGOW, "commonwealth") == {"mech": 2, "amph": 2}
    assert t.units(BREST, "germany") == {"inf": 5}


@pytest.mark.rule("gw75:5.57b", "gw75:5.57c", "gw75:8.0b")
def test_a_party_that_is_too_weak_to_attack_goes_back_at_the_end() -> None:
    units = {LONDON: {"commonwealth": "3 inf, 3 amph"}, BREST: {"germany": "5 inf"}}
    t = moving(16, "allies", units=units, held={BREST: "germany"}, wars=WEST)
    t.do(invade(f"{LONDON} > {BREST}", "2 inf"), Done())
    while t.s.phase == "allies_land_combat":
        t.do(Done())
    assert t.units(LONDON, "commonwealth") == {"inf": 3, "amph": 3}
    assert t.units(BREST, "commonwealth") == {}


@pytest.mark.rule("gw75:5.58", "gw75:5.41a")
def test_who_has_landed_may_move_on_strategically_with_a_point_left() -> None:
    units = {LONDON: {"commonwealth": "inf, amph"}}
    t = moving(16, "allies", units=units, held={BREST: "germany"}, wars=WEST)
    t.do(invade(f"{LONDON} > {BREST}", "inf"))
    while t.s.phase != "allies_strategic_movement":
        t.do(Done())
    t.do(redeploy("inf", "commonwealth", land=f"{BREST} > {PARIS}"))
    (unit,) = t.s.stack(PARIS)
    assert unit.duty == "landed"


# --- neutrals, players, coasts --------------------------------------------------------------------


@pytest.mark.rule("gw75:6.52", "gw75:8.9b")
def test_the_zones_of_who_is_attacked_at_peace_come_alive_with_the_declaration() -> None:
    """Yugoslavia is attacked: its army in Skoplje controls Belgrade from then on."""
    units = {BUDAPEST: {"germany": "9 inf"}, BELGRADE: {"yugoslavia": "inf"}}
    t = fighting(units=units | {"W2822": {"yugoslavia": "2 inf"}})
    assert not zones.controlled(t.s, "germany", BUDAPEST)
    t.do(attack(BELGRADE, *from_(BUDAPEST, inf=9)))
    assert t.s.joined["yugoslavia"] == "allies"
    assert zones.controlled(t.s, "germany", BUDAPEST)
    assert zones.controlled(t.s, "germany", BELGRADE)


@pytest.mark.rule("gw75:8.92b", "gw75:19.94")
def test_an_axis_minor_ally_does_not_retreat_into_a_neutral() -> None:
    units = {BUDAPEST: {"hungary": "2 inf"}, LVOV: {"ussr": "9 inf"}}
    s = state("allies_land_combat", 16, units=units, held={LVOV: "ussr"}, wars=WAR)
    assert BELGRADE not in retreats(s, Unit("hungary", "inf"), BUDAPEST)
    assert BELGRADE in retreats(s, Unit("germany", "inf"), BUDAPEST)


@pytest.mark.rule("gw75:7.14", "gw75:8.23", "gw75:8.42")
def test_of_two_attacked_hexes_the_inland_one_may_lose_before_the_fort_on_the_coast() -> None:
    units = {
        SILESIA: {"germany": "10 inf"},
        DANZIG: {"poland": "2 inf, 2 fort"},
        BELGRADE: {"poland": "2 inf"},
    }
    t = fighting(units=units, held={BELGRADE: "poland"})
    t.do(attack((BELGRADE, DANZIG), *from_(SILESIA, inf=10)), Done())
    t.dice(1)  # +4: one point
    t.refused(Lose(((DANZIG, "poland", "inf", 1),)), "7.14")
    t.do(Lose(((BELGRADE, "poland", "inf", 1),)))


@pytest.mark.rule("gw75:8.14", "gw75:5.57b", "gw75:7.34", "gw75:21.11a")
def test_of_two_players_who_land_in_a_hex_one_attacks_and_both_are_ashore() -> None:
    party = landing(6, LONDON)
    t = fighting(
        16,
        "allies",
        options={"players": 5},
        units={BREST: {"germany": "inf", "commonwealth": party, "usa": landing(2, LONDON)}},
        held={BREST: "germany"},
        wars=[*WEST, ("germany", "usa")],
    )
    t.do(attack(BREST, (BREST, "commonwealth", "inf", 6)), Done())
    t.dice(6).dice(1)
    assert t.units(BREST, "usa") == {"inf": 2, "amph": 2}
    assert {unit.duty for unit in t.s.stack(BREST) if unit.type == "inf"} == {"landed"}


@pytest.mark.rule("gw75:5.55", "gw75:5.14a")
def test_the_coast_of_row_28_is_open_to_landings_in_winter() -> None:
    rome = "W2820"
    units = {"W2617": {"commonwealth": "2 inf, 2 amph"}}
    t = moving(14, "allies", units=units, wars=WEST)
    way = " > ".join(ways(t.s, "W2617", "commonwealth")[rome])
    t.do(invade(way, "inf"))
    assert t.s.held[rome] == "commonwealth"


@pytest.mark.rule("gw75:8.8f", "gw75:5.15")
def test_an_overrun_is_no_land_combat_for_the_three_turns_of_stand_fast() -> None:
    t = moving(units={SILESIA: {"germany": "8 inf"}, DANZIG: {"poland": "inf"}})
    t.do(move(f"{SILESIA} > {DANZIG}", "8 inf")).dice(1)
    assert not [key for key in t.s.counts if key.startswith("first_battle")]


@pytest.mark.rule("gw75:8.15", "gw75:8.61a", "gw75:8.45")
def test_a_fort_alone_is_worn_down_and_its_last_point_opens_the_hex() -> None:
    units = {SILESIA: {"germany": "6 mech"}, DANZIG: {"poland": "fort"}}
    t = fighting(units=units)
    t.do(attack(DANZIG, *from_(SILESIA, mech=6)), Done())
    t.dice(2)  # +5: its one point
    t.dice(4)  # the Counter-Attack at +0 all the same
    t.do(Advance(((SILESIA, "germany", 5, DANZIG),)))
    assert t.units(DANZIG, "germany") == {"mech": 5}


@pytest.mark.rule("gw75:7.37")
def test_what_goes_from_a_hex_of_many_kinds_is_found_at_once() -> None:
    """Forty kinds of units in a hex of thirty too many: no search through what does not fit."""
    s = state()
    axis = ["germany", "italy", "japan", "hungary", "rumania", "bulgaria"]
    neutrals = [n for n, each in s.facts.nations.items() if each.side == "neutral"][:14]
    t = moving(
        16,
        units={BERLIN: {nation: "inf, mech" for nation in (*axis, *neutrals)}},
        joined=dict.fromkeys(neutrals, "axis"),
        wars=[("commonwealth", nation) for nation in ("germany", "italy", "japan", *neutrals)],
    )
    t.do(Done())
    assert t.request.number == len(axis + neutrals) * 2 - 10 == 30
    assert t.game.rules.form(t.game.legal(t.request)).component == "assign"
    first = list(islice(t.game.legal(t.request), 3))
    assert {sum(part[2] for part in each.units) for each in first} == {30}


@pytest.mark.rule("gw75:8.42")
def test_shares_are_all_ways_to_take_so_many() -> None:
    parts = [("a", 2), ("b", 1), ("c", 3)]
    for total in range(8):
        expected = {
            tuple((kind, n) for kind, n in zip("abc", each, strict=True) if n)
            for each in product(range(3), range(2), range(4))
            if sum(each) == total
        }
        found = list(shares(parts, total))
        assert len(found) == len(set(found))
        assert set(found) == expected


@pytest.mark.rule("gw75:8.0a", "gw75:19.24a", "gw75:7.34")
def test_two_nations_attack_together_beside_a_third_that_only_defends() -> None:
    """Neither is strong enough by itself: they are asked all the same."""
    t = fighting(
        units={
            WARSAW: {"germany": "3 inf", "hungary": "3 inf", "italy": "inf"},
            MINSK: {"ussr": "5 inf"},
        },
        held={WARSAW: "germany"},
        wars=[*WAR, ("italy", "ussr")],
        counts={"italy:driven_out": 3},
    )
    force = ((WARSAW, "germany", "inf", 3), (WARSAW, "hungary", "inf", 3))
    assert attack(MINSK, *force) in list(t.request.decisions(t.s))
    assert "only defend" in t.refused(attack(MINSK, *force, (WARSAW, "italy", "inf", 1)), "19.24a")
    t.do(attack(MINSK, *force), Done()).dice(1)


@pytest.mark.rule("gw75:8.61b", "gw75:20.16")
def test_a_hex_whose_defenders_have_changed_sides_is_not_fought_for_nor_entered() -> None:
    """Germans in Tripoli are attacked with the Vichy French beside them, who become Free French."""
    units: dict[str, Any] = {
        "W2520": {"usa": {"mech": [{"count": 4, "duty": "landed"}]}},
        "W2521": {"germany": "inf"},
        "W2620": {"vichy": "inf"},
        "W2618": {"vichy": "inf"},
    }
    t = fighting(
        13,
        "allies",
        units=units,
        held={"W2520": "usa"},
        vichy="declared",
        options={"vichy": True},
        wars=[("usa", "germany"), ("usa", "italy")],
    )
    t.do(attack(("W2521", "W2620"), ("W2520", "usa", "mech", 4)), Done())
    assert t.units("W2620", "france") == {"inf": 1}
    t.dice(face(t, 3, 3)).dice(1)
    assert t.request.hexes == ("W2521",)
    t.refused(Advance((("W2520", "usa", 1, "W2620"),)), "8.61b")


@pytest.mark.rule("gw75:21.11b", "gw75:8.0c")
def test_players_of_a_side_fight_their_attacks_one_after_the_other() -> None:
    """Those of the western Allies first, though the hex of the Soviet one comes before theirs."""
    t = fighting(
        13,
        "allies",
        units={
            PARIS: {"france": "4 inf"},
            RUHR: {"germany": "inf"},
            KIEV: {"ussr": "4 inf"},
            LVOV: {"germany": "inf"},
        },
        held={LVOV: "germany"},
        wars=[("france", "germany"), ("germany", "ussr")],
        options={"players": 4},
    )
    t.do(attack(RUHR, (PARIS, "france", "inf", 4)), Done())
    t.do(attack(LVOV, (KIEV, "ussr", "inf", 4)), Done())
    t.dice(1).dice(1)
    assert [event["space"] for event in t.events("land_attack")] == [RUHR]
