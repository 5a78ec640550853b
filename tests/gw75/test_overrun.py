"""Overrun attacks (5.6)."""

from __future__ import annotations

from typing import Any

import pytest

import sandtable
from sandtable.games.gw75.rules import overrun
from sandtable.games.gw75.rules.land_movement import reach
from sandtable.games.gw75.rules.losses import Lose
from sandtable.kernel.kits import Choose
from sandtable.kernel.staging import Staging
from tests.gw75.moves import move, parts
from tests.gw75.table import Done, Table, position, state, table

BERLIN, DANZIG, WARSAW, SILESIA, BAVARIA, RUHR = (
    "W3121",
    "W3122",
    "W3123",
    "W3021",
    "W3020",
    "W3120",
)
SPRING, SUMMER = 3, 4
WAR = [("germany", "poland"), ("france", "germany"), ("germany", "ussr")]
NO_LOSS, LOSS = 1, 6


def phase(turn: int = SUMMER, **fields: Any) -> Table:
    fields.setdefault("wars", WAR)
    return table("axis_land_movement", turn, **fields)


def face(t: Table, losses: int) -> int:
    """A face of the die with which the Counter-Attack at +0 takes so many."""
    return t.s.facts.tables.land[0].index(losses) + 1


def against(units: dict[str, Any], force: str, turn: int = SUMMER, here: str = SILESIA) -> str:
    s = state(turn=turn, units={here: {"germany": force}, DANZIG: units}, wars=WAR)
    return overrun.why_not(s, parts(force), here, DANZIG)[0]


@pytest.mark.rule("gw75:5.61a", "gw75:5.61c", "gw75:5.66", "gw75:5.15")
def test_eight_points_overrun_one_and_undergo_the_counter_attack() -> None:
    t = phase(units={SILESIA: {"germany": "8 inf"}, DANZIG: {"poland": "inf"}})
    t.do(move(f"{SILESIA} > {DANZIG}", "8 inf"))
    assert t.units(DANZIG, "poland") == {}
    assert t.rolling.startswith("land_counter_attack")
    t.dice(face(t, 1))
    assert t.units(DANZIG, "germany") == {"inf": 7}
    assert t.s.held[DANZIG] == "germany"
    assert t.s.lost["poland", "inf"] == 1
    assert t.s.march is None


@pytest.mark.rule("gw75:5.66")
def test_the_counter_attack_is_told_as_a_part_of_the_overrun() -> None:
    units = {SILESIA: {"germany": "8 inf"}, DANZIG: {"poland": "inf"}}
    given = position("axis_land_movement", SUMMER, units=units, wars=WAR)
    game = sandtable.new("gw75", seed=1, position=given)
    staging, before = Staging(game.rules), len(game.events)
    game.watch(staging.look)
    game.submit("germany", move(f"{SILESIA} > {DANZIG}", "8 inf"))
    lines = staging.lines(before, game.events.since(before), game.state)
    first = next(line for line in lines if line.kind == "overrun")
    assert first.fight and first.battle is not None
    fought = [line.kind for line in lines if line.fight == first.fight]
    assert fought[:2] == ["overrun", "counter_attack"]
    assert fought[-1] == "land_move"


@pytest.mark.rule("gw75:5.61a")
@pytest.mark.parametrize(
    ("defender", "force", "fits"),
    [
        ({"poland": "inf"}, "8 inf", True),
        ({"poland": "inf"}, "7 inf", False),
        ({"poland": "2 inf"}, "10 inf", False),
        ({"poland": "inf", "france": "inf"}, "10 inf", False),
        ({"poland": "sd"}, "4 inf, 4 mech", True),
    ],
)
def test_it_takes_plus_seven_against_one_point_in_all(defender, force, fits) -> None:
    assert (against(defender, force) == "") is fits


@pytest.mark.rule("gw75:5.65", "gw75:7.22")
def test_a_fortification_that_is_down_to_one_point_can_be_overrun() -> None:
    assert against({"poland": "fort"}, "8 inf") == ""
    assert "2 Strength Points" in against({"poland": "2 fort"}, "10 inf")


@pytest.mark.rule("gw75:5.61b", "gw75:10.0b", "gw75:10.13a")
def test_weather_and_terrain_help_the_defender() -> None:
    assert "+6" in against({"poland": "inf"}, "8 inf", SPRING)
    assert against({"poland": "inf"}, "9 inf", SPRING) == ""
    budapest = "W3022"  # mountains between
    s = state(turn=SUMMER)
    assert s.facts.land[budapest][DANZIG]
    assert "+6" in against({"poland": "inf"}, "8 inf", here=budapest)
    assert against({"poland": "inf"}, "9 inf", here=budapest) == ""
    assert "+6" in against({"poland": "inf"}, "10 inf", SPRING, here=budapest)


@pytest.mark.rule("gw75:5.61e")
def test_overruns_need_no_supply_and_cost_nothing_more() -> None:
    t = phase(
        units={
            SILESIA: {"germany": {"inf": [{"count": 8, "cut": 1}]}},
            DANZIG: {"poland": "inf"},
        }
    )
    t.do(move(f"{SILESIA} > {DANZIG}", "8 inf")).dice(face(t, 0))
    assert {unit.left for unit in t.s.stack(DANZIG)} == {4}


@pytest.mark.rule("gw75:5.61e", "gw75:9.34")
def test_self_defense_units_overrun_at_face_value_at_home() -> None:
    t = phase(units={SILESIA: {"germany": "5 inf, 3 sd"}, BERLIN: {"poland": "inf"}})
    t.do(move(f"{SILESIA} > {BERLIN}", "5 inf, 3 sd")).dice(face(t, 0))
    assert t.units(BERLIN, "germany") == {"inf": 5, "sd": 3}


@pytest.mark.rule("gw75:5.61d")
def test_stacking_holds_in_an_overrun() -> None:
    """A landing party is in the hex already."""
    t = phase(
        units={
            SILESIA: {"germany": "10 inf"},
            DANZIG: {
                "poland": "inf",
                "germany": {"inf": [{"count": 2, "duty": "assault", "origin": BERLIN}]},
            },
        }
    )
    t.refused(move(f"{SILESIA} > {DANZIG}", "9 inf"), "5.61d")
    t.do(move(f"{SILESIA} > {DANZIG}", "8 inf")).dice(face(t, 0))
    assert t.units(DANZIG, "germany") == {"inf": 10}


@pytest.mark.rule("gw75:5.57b")
def test_who_has_landed_there_need_not_attack_after_an_overrun() -> None:
    t = phase(
        units={
            SILESIA: {"germany": "8 inf"},
            DANZIG: {
                "poland": "inf, ms",
                "germany": {"mech": [{"duty": "assault", "origin": BERLIN}]},
            },
        }
    )
    t.do(move(f"{SILESIA} > {DANZIG}", "8 inf")).dice(face(t, 0)).do(Choose("W3222"))
    assert {unit.duty for unit in t.s.stack(DANZIG) if unit.type == "mech"} == {"landed"}
    assert [unit.type for _, unit, _ in t.s.units() if unit.duty] == ["mech"]


@pytest.mark.rule("gw75:5.63")
def test_all_begin_in_the_same_hex() -> None:
    """Eight points in two hexes: neither force is enough, and who has moved does not move again."""
    t = phase(
        units={
            SILESIA: {"germany": "4 inf"},
            BAVARIA: {"germany": "4 inf"},
            DANZIG: {"poland": "inf"},
        }
    )
    t.refused(move(f"{SILESIA} > {DANZIG}", "4 inf"), "5.61a")
    t.do(move(f"{BAVARIA} > {SILESIA}", "4 inf"))
    t.refused(move(f"{SILESIA} > {DANZIG}", "8 inf"), "5.0c")


@pytest.mark.rule("gw75:5.61e", "gw75:5.64a", "gw75:5.22")
def test_a_force_overruns_several_times_and_ignores_their_zones() -> None:
    """Both Poles control the hexes of the way; the force passes them all."""
    t = phase(
        units={SILESIA: {"germany": "10 inf"}, DANZIG: {"poland": "inf"}, WARSAW: {"poland": "inf"}}
    )
    t.do(move(f"{SILESIA} > {DANZIG} > {WARSAW} > {DANZIG}", "10 inf"))
    t.dice(face(t, 0)).dice(face(t, 0))
    assert t.units(DANZIG, "germany") == {"inf": 10}
    assert t.s.held[WARSAW] == "germany"
    assert len(t.events("overrun")) == 2


@pytest.mark.rule("gw75:5.66", "gw75:5.61a")
def test_losses_may_be_too_many_for_the_next_overrun() -> None:
    t = phase(
        units={SILESIA: {"germany": "8 inf"}, DANZIG: {"poland": "inf"}, WARSAW: {"poland": "inf"}}
    )
    t.do(move(f"{SILESIA} > {DANZIG} > {WARSAW}", "8 inf")).dice(face(t, 1))
    assert t.units(DANZIG, "germany") == {"inf": 7}
    assert t.units(WARSAW, "poland") == {"inf": 1}
    assert t.s.march is None


@pytest.mark.rule("gw75:5.66", "gw75:8.51e")
def test_the_owner_chooses_what_the_counter_attack_takes() -> None:
    t = phase(units={SILESIA: {"germany": "4 inf, 4 mech"}, DANZIG: {"poland": "inf"}})
    t.do(move(f"{SILESIA} > {DANZIG}", "4 inf, 4 mech")).dice(face(t, 1))
    t.do(Lose(((SILESIA, "germany", "mech", 1),)))
    assert t.units(DANZIG, "germany") == {"inf": 4, "mech": 3}


@pytest.mark.rule("gw75:5.64b")
def test_zones_of_others_still_stop_the_overrunning_force() -> None:
    """Warsaw is too strong to be overrun, and its zone lies on Danzig."""
    t = phase(
        units={
            SILESIA: {"germany": "10 inf"},
            DANZIG: {"poland": "inf"},
            WARSAW: {"poland": "3 inf"},
        }
    )
    t.refused(move(f"{SILESIA} > {DANZIG} > {BERLIN}", "10 inf"), "5.24")
    t.do(move(f"{SILESIA} > {DANZIG}", "10 inf")).dice(face(t, 0))
    assert t.units(DANZIG, "germany") == {"inf": 10}


@pytest.mark.rule("gw75:5.64b", "gw75:5.22")
def test_no_overrun_from_one_zone_of_others_into_another() -> None:
    """Both Silesia and Danzig are in the zone of a strong stack in Berlin."""
    t = phase(
        units={
            SILESIA: {"germany": "10 inf"},
            DANZIG: {"poland": "inf"},
            BERLIN: {"poland": "3 inf"},
        }
    )
    t.refused(move(f"{SILESIA} > {DANZIG}", "10 inf"), "5.22")


@pytest.mark.rule("gw75:5.64b")
def test_who_does_not_overrun_ignores_no_zone() -> None:
    t = phase(
        units={
            SILESIA: {"germany": "10 inf"},
            BERLIN: {"germany": "inf"},
            DANZIG: {"poland": "inf"},
        }
    )
    t.refused(move(f"{BERLIN} > {SILESIA}", "inf"), "5.22")
    t.do(move(f"{SILESIA} > {DANZIG}", "10 inf")).dice(face(t, 0))
    t.do(move(f"{BERLIN} > {SILESIA} > {BAVARIA}", "inf"))  # it is gone now


@pytest.mark.rule("gw75:5.61c")
def test_the_way_to_the_victim_leads_through_its_zone() -> None:
    """From the Ruhr by Berlin: a hex of its zone in which others would have to stop."""
    t = phase(units={RUHR: {"germany": "9 inf"}, DANZIG: {"poland": "inf"}})
    t.do(move(f"{RUHR} > {BERLIN} > {DANZIG} > {WARSAW}", "8 inf")).dice(face(t, 0))
    assert t.units(WARSAW, "germany") == {"inf": 8}
    assert {unit.left for unit in t.s.stack(WARSAW)} == {2}


@pytest.mark.rule("gw75:6.52", "gw75:5.61a")
def test_a_neutral_unit_is_overrun_with_the_first_step_over_the_border() -> None:
    """Barcelona, though Cadiz comes alive before."""
    t = phase(
        units={
            "W2819": {"germany": "9 inf"},
            "W2818": {"spain": "sd"},
            "W2718": {"spain": "3 inf"},
        },
        held={"W2819": "germany"},
    )
    t.do(move("W2819 > W2818", "9 inf")).dice(face(t, 0))
    assert t.s.joined["spain"] == "allies"
    assert t.units("W2818", "germany") == {"inf": 9}


@pytest.mark.rule("gw75:6.52", "gw75:5.64b")
def test_after_it_the_force_may_go_on_out_of_the_zones_that_came_alive() -> None:
    t = phase(
        units={
            "W2819": {"germany": "9 inf"},
            "W2818": {"spain": "sd"},
            "W2718": {"spain": "3 inf"},
        },
        held={"W2819": "germany", "W2919": "germany"},
    )
    t.refused(move("W2819 > W2818 > W2817", "9 inf"), "5.22")
    t.do(move("W2819 > W2818 > W2919", "9 inf")).dice(face(t, 0))
    assert t.units("W2919", "germany") == {"inf": 9}


@pytest.mark.rule("gw75:5.0a", "gw75:5.61a")
def test_reach_prefers_a_way_without_an_overrun() -> None:
    t = phase(units={SILESIA: {"germany": "10 inf"}, DANZIG: {"poland": "inf"}})
    spent, way = reach(t.s, SILESIA, parts("10 inf"))[WARSAW]
    assert spent == 3
    assert DANZIG not in way


@pytest.mark.rule("gw75:5.0a", "gw75:5.61a")
def test_reach_shows_what_can_be_overrun_and_what_lies_behind() -> None:
    """In spring two points: Warsaw lies behind Danzig."""
    t = phase(SPRING, units={SILESIA: {"germany": "10 inf"}, DANZIG: {"poland": "inf"}})
    found = reach(t.s, SILESIA, parts("10 inf"))
    assert found[DANZIG] == (1, (SILESIA, DANZIG))
    assert found[WARSAW] == (2, (SILESIA, DANZIG, WARSAW))
    for _, way in found.values():
        t.request.check(t.s, move(" > ".join(way), "10 inf"))
    few = reach(t.s, SILESIA, parts("8 inf"))
    assert DANZIG not in few
    assert WARSAW not in few
    assert BAVARIA in few


@pytest.mark.rule("gw75:5.61c", "gw75:5.66", "gw75:5.15")
def test_a_copy_in_the_middle_of_an_overrun_goes_on_alike() -> None:
    t = phase(
        units={SILESIA: {"germany": "10 inf"}, DANZIG: {"poland": "inf"}, WARSAW: {"poland": "inf"}}
    )
    t.do(move(f"{SILESIA} > {DANZIG} > {WARSAW}", "10 inf"))
    copy = Table(t.game.clone())
    for each in (t, copy):
        each.dice(face(each, 1)).dice(face(each, 0))
    assert copy.game.hash == t.game.hash
    assert t.units(WARSAW, "germany") == {"inf": 9}
    t.do(Done())
