"""Land combat (chapter 8): who attacks whom, losses, Counter-Attack, retreat, advance."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.facts import load_facts
from sandtable.games.gw75.model import Attack
from sandtable.games.gw75.rules import attacks
from sandtable.games.gw75.rules.advance import Advance
from sandtable.games.gw75.rules.counter_attack import Stack
from sandtable.games.gw75.rules.declaring import Declare, Withdraw
from sandtable.games.gw75.rules.land_combat import Fight
from sandtable.games.gw75.rules.losses import Lose
from sandtable.games.gw75.rules.retreat import Retreat
from sandtable.games.gw75.rules.retreat import options as retreats
from sandtable.games.gw75.rules.stand_fast import StandFast
from sandtable.games.gw75.rules.tables import column
from tests.gw75.table import Done, Table, Unit, state, table

WAR = [("germany", "poland"), ("germany", "ussr"), ("germany", "commonwealth")]
EAST = {"W3021": {"germany": "8 inf, 2 mech"}, "W3121": {"germany": "6 inf"}}


def fight(phase: str = "axis_land_combat", turn: int = 4, **fields: Any) -> Table:
    """A Land Combat Phase in summer, where the weather changes nothing, unless said."""
    fields.setdefault("wars", WAR)
    return table(phase, turn, **fields)


def attack(target: str | tuple[str, ...], *force: tuple[str, str, str, int]) -> Declare:
    return Declare((target,) if isinstance(target, str) else target, tuple(force))


@pytest.mark.rule("gw75:8.31", "gw75:8.0b")
def test_the_differential_is_attackers_minus_defenders() -> None:
    s = state(
        "axis_land_combat",
        4,
        units={"W3021": {"germany": "7 inf"}, "W3122": {"poland": "4 inf"}},
        wars=WAR,
    )
    assert attacks.differential(s, Attack(("W3122",), (("W3021", "germany", "inf", 7),))) == 3


@pytest.mark.rule("gw75:8.0b", "gw75:8.31")
def test_fewer_points_than_the_defense_cannot_attack() -> None:
    t = fight(units={**EAST, "W3122": {"poland": "4 inf"}})
    assert "too few" in t.refused(attack("W3122", ("W3021", "germany", "inf", 3)), "8.0b")
    t.do(attack("W3122", ("W3021", "germany", "inf", 4)))


@pytest.mark.rule("gw75:8.0c", "gw75:8.51a", "gw75:8.51c")
def test_the_example_of_the_book_sixteen_against_ten() -> None:
    """16 points in stacks of 10 and 6 against 10: +6, a 4 takes 4; six survivors counter-attack."""
    tables = load_facts().tables.land
    assert column(tables, 6)[4 - 1] == 4
    t = fight(units={**EAST, "W3122": {"poland": "10 inf"}})
    t.do(
        attack(
            "W3122",
            ("W3021", "germany", "inf", 8),
            ("W3021", "germany", "mech", 2),
            ("W3121", "germany", "inf", 6),
        )
    )
    t.do(Done())
    t.dice(4)
    assert t.units("W3122", "poland") == {"inf": 6}
    t.do(Stack("W3121"))  # 6 against 6: +0
    t.dice(6)  # column 0, die 6: 2 points
    assert t.units("W3121", "germany") == {"inf": 4}
    assert t.events("counter_attack")[-1]["differential"] == 0


@pytest.mark.rule("gw75:8.51c", "gw75:8.51d")
def test_six_survivors_counter_attack_a_stack_of_five_at_plus_one() -> None:
    t = fight(
        units={
            "W3021": {"germany": "10 inf"},
            "W3121": {"germany": "5 inf"},
            "W3122": {"poland": "9 inf"},
        }
    )
    t.do(attack("W3122", ("W3021", "germany", "inf", 10), ("W3121", "germany", "inf", 5)))
    t.do(Done())
    t.dice(3)  # +6, die 3: 3 points
    t.do(Stack("W3121"))
    t.dice(1)
    assert t.events("counter_attack")[-1]["differential"] == 1


@pytest.mark.rule("gw75:8.51b", "gw75:8.51d", "gw75:8.51e")
def test_the_counter_attack_takes_place_without_survivors_and_the_owner_chooses_the_loss() -> None:
    t = fight(units={"W3021": {"germany": "8 inf, 2 mech"}, "W3122": {"poland": "1 inf"}})
    t.do(attack("W3122", ("W3021", "germany", "inf", 6), ("W3021", "germany", "mech", 2)))
    t.do(Done())
    t.dice(6)
    assert t.units("W3122", "poland") == {}
    t.dice(4)  # column 0, die 4: one point
    t.do(Lose((("W3021", "germany", "mech", 1),)))
    assert t.units("W3021", "germany") == {"inf": 8, "mech": 1}


@pytest.mark.rule("gw75:8.51c", "gw75:8.15")
def test_self_defense_units_and_forts_add_nothing_to_a_counter_attack() -> None:
    t = fight(
        units={"W3021": {"germany": "1 inf"}, "W3121": {"germany": "9 inf"}}
        | {"W3122": {"poland": {"sd": 4, "fort": 2}}}
    )
    t.do(attack("W3122", ("W3021", "germany", "inf", 1), ("W3121", "germany", "inf", 9)))
    t.do(Done())
    t.dice(1)  # +4, die 1: one point, of the fort since it is a coast
    t.do(Lose((("W3122", "poland", "fort", 1),)))
    t.do(Stack("W3021"))
    t.dice(1)
    assert t.events("counter_attack")[-1]["differential"] == 0


@pytest.mark.rule("gw75:8.15", "gw75:7.11", "gw75:7.13")
def test_self_defense_units_and_forts_never_attack() -> None:
    t = fight(
        units={"W3021": {"germany": {"inf": 3, "sd": 3, "fort": 2}}, "W3122": {"poland": "2 inf"}}
    )
    for type in ("sd", "fort"):
        assert "never attack" in t.refused(attack("W3122", ("W3021", "germany", type, 2)), "8.15")


@pytest.mark.rule("gw75:8.14", "gw75:7.13")
def test_no_unit_attacks_twice_and_no_hex_is_attacked_twice() -> None:
    t = fight(
        units={
            "W3021": {"germany": "6 inf"},
            "W3121": {"germany": "4 inf"},
            "W3122": {"poland": "2 inf"},
            "W3022": {"poland": "2 inf"},
        },
        held={"W3022": "poland"},
    )
    t.do(attack("W3122", ("W3021", "germany", "inf", 3)))
    assert "attacked already" in t.refused(attack("W3122", ("W3121", "germany", "inf", 4)), "8.14")
    assert "3 Strength" in t.refused(attack("W3022", ("W3021", "germany", "inf", 4)), "8.14")
    t.do(attack("W3022", ("W3021", "germany", "inf", 3)))


@pytest.mark.rule("gw75:8.23", "gw75:8.61b")
def test_every_attacker_of_several_hexes_is_next_to_all_of_them() -> None:
    units = {
        "W3021": {"germany": "7 inf, 2 mech"},
        "W3121": {"germany": "4 inf"},
        "W3122": {"poland": "2 inf"},
        "W3022": {"poland": "2 inf"},
    }
    t = fight(units=units, held={"W3022": "poland"})
    both = ("W3022", "W3122")
    wide = attack(both, ("W3021", "germany", "inf", 7), ("W3121", "germany", "inf", 4))
    assert "is not next to" in t.refused(wide, "8.23")
    t.do(attack(both, ("W3021", "germany", "inf", 7), ("W3021", "germany", "mech", 2)))
    t.do(Done())
    t.dice(6)  # +5: four points, all there are
    t.dice(1)
    t.do(Advance((("W3021", "germany", 1, "W3022"), ("W3021", "germany", 1, "W3122"))))
    assert t.units("W3022", "germany") == {"mech": 1}
    assert t.units("W3122", "germany") == {"mech": 1}
    assert t.s.held["W3122"] == "germany"


@pytest.mark.rule("gw75:8.25", "gw75:8.32")
def test_a_defender_behind_mountains_is_doubled_unless_one_attack_comes_another_way() -> None:
    s = state(
        "axis_land_combat",
        4,
        units={
            "W3022": {"germany": "6 inf"},
            "W3021": {"germany": "6 inf"},
            "W3122": {"poland": "3 inf"},
        },
        wars=WAR,
    )
    over = ("W3022", "germany", "inf", 6)
    plain = ("W3021", "germany", "inf", 6)
    assert attacks.differential(s, Attack(("W3122",), (over,))) == 0
    assert attacks.differential(s, Attack(("W3122",), (over, plain))) == 9


@pytest.mark.rule("gw75:8.32", "gw75:10.13a")
def test_spring_doubles_the_defense_and_mountains_double_it_again() -> None:
    s = state(
        "axis_land_combat",
        3,
        units={"W3022": {"germany": "9 inf"}, "W3122": {"poland": "2 inf"}},
        wars=WAR,
    )
    assert attacks.differential(s, Attack(("W3122",), (("W3022", "germany", "inf", 9),))) == 1


@pytest.mark.rule("gw75:8.43", "gw75:8.32")
def test_losses_are_points_at_face_value() -> None:
    t = fight(turn=3, units={"W3021": {"germany": "10 inf"}, "W3122": {"poland": "2 inf"}})
    t.do(attack("W3122", ("W3021", "germany", "inf", 10)))
    t.do(Done())
    t.dice(1)  # 10 against 2 doubled to 4: +6, die 1: one point
    assert t.units("W3122", "poland") == {"inf": 1}


@pytest.mark.rule("gw75:8.41")
def test_the_attack_itself_costs_the_attacker_nothing() -> None:
    t = fight(units={"W3021": {"germany": "4 inf"}, "W3122": {"poland": "4 inf"}})
    t.do(attack("W3122", ("W3021", "germany", "inf", 4)))
    t.do(Done())
    t.dice(1)
    assert t.units("W3021", "germany") == {"inf": 4}
    assert t.units("W3122", "poland") == {"inf": 4}


@pytest.mark.rule("gw75:8.44", "gw75:8.9a")
def test_survivors_retreat_after_any_loss_and_stay_without_one() -> None:
    units = {"W3021": {"germany": "6 inf"}, "W3122": {"poland": "4 inf"}}
    t = fight(units=units)
    t.do(attack("W3122", ("W3021", "germany", "inf", 6)), Done())
    t.each(1, 1)  # +2, die 1: nothing
    assert t.units("W3122", "poland") == {"inf": 4}
    t = fight(units=units)
    t.do(attack("W3122", ("W3021", "germany", "inf", 6)), Done())
    t.each(2, 1)
    t.do(Retreat((("poland", "inf", 3, "W3123"),)))
    assert t.units("W3122", "poland") == {}
    assert t.units("W3123", "poland") == {"inf": 3}
    assert t.s.held.get("W3122") is None  # infantry does not advance


@pytest.mark.rule("gw75:8.42")
def test_the_defender_chooses_what_is_lost() -> None:
    t = fight(units={**EAST, "W3123": {"poland": "1 inf"}, "W3122": {"poland": "2 inf, 2 mech"}})
    t.do(attack("W3122", ("W3021", "germany", "inf", 8)), Done())
    t.dice(1)
    assert "1 Strength Point, not 2" in t.refused(Lose((("W3122", "poland", "inf", 2),)), "8.43")
    assert "has 0 of" in t.refused(Lose((("W3122", "poland", "sd", 1),)), "8.42")
    t.do(Lose((("W3122", "poland", "mech", 1),)))


@pytest.mark.rule("gw75:7.14", "gw75:8.45")
def test_on_a_coast_the_fort_is_lost_first_and_what_is_left_retreats() -> None:
    t = fight(units={**EAST, "W3122": {"poland": {"inf": 2, "fort": 2}}})
    t.do(attack("W3122", ("W3021", "germany", "inf", 8)), Done())
    t.dice(2)  # +4, die 2: one point
    assert "is lost first" in t.refused(Lose((("W3122", "poland", "inf", 1),)), "7.14")
    t.do(Lose((("W3122", "poland", "fort", 1),)))
    t.dice(1)
    t.do(Retreat((("poland", "inf", 2, "W3123"),)))
    assert t.units("W3122", "poland") == {"fort": 1}


@pytest.mark.rule("gw75:7.14", "gw75:8.42")
def test_inland_the_fort_need_not_be_lost_first() -> None:
    t = fight(units={"W3122": {"germany": "10 inf"}, "W3123": {"poland": {"inf": 2, "fort": 2}}})
    t.do(attack("W3123", ("W3122", "germany", "inf", 10)), Done())
    t.dice(1)
    t.do(Lose((("W3123", "poland", "inf", 1),)))
    assert t.units("W3123", "poland") == {"inf": 1, "fort": 2}


@pytest.mark.rule("gw75:8.45", "gw75:8.61a")
def test_a_fort_never_retreats_and_bars_the_advance() -> None:
    t = fight(units={"W3021": {"germany": "8 mech"}, "W3122": {"poland": {"fort": 2}}})
    t.do(attack("W3122", ("W3021", "germany", "mech", 8)), Done())
    t.each(1, 1)  # +6, die 1: one point
    assert t.units("W3122", "poland") == {"fort": 1}
    assert t.units("W3122", "germany") == {}
    assert not t.events("advanced")


@pytest.mark.rule("gw75:8.61a")
def test_only_mechanized_units_that_attacked_advance() -> None:
    t = fight(units={"W3021": {"germany": "8 inf, 2 mech"}, "W3122": {"poland": "1 inf"}})
    t.do(attack("W3122", ("W3021", "germany", "inf", 7), ("W3021", "germany", "mech", 1)), Done())
    t.each(6, 1)
    assert "has 1 Mechanized" in t.refused(Advance((("W3021", "germany", 2, "W3122"),)), "8.61a")
    assert "was not vacated" in t.refused(Advance((("W3021", "germany", 1, "W3123"),)), "8.61b")
    t.do(Advance((("W3021", "germany", 1, "W3122"),)))
    assert t.units("W3122", "germany") == {"mech": 1}
    assert t.units("W3021", "germany") == {"inf": 8, "mech": 1}


@pytest.mark.rule("gw75:8.62", "gw75:8.63")
def test_an_advance_goes_from_zone_to_zone_and_cuts_off_a_later_retreat() -> None:
    t = fight(
        units={
            "W3021": {"germany": "2 inf, 6 mech"},
            "W3121": {"germany": "6 inf"},
            "W3122": {"poland": "2 inf"},
            "W3123": {"poland": "1 inf"},
            "W3222": {"poland": "1 inf"},
            "W3220": {"germany": "4 inf"},
        },
        held={"W3222": "poland"},
    )
    t.do(attack("W3122", ("W3021", "germany", "mech", 6)), Done())
    t.each(6, 1)
    t.do(Advance((("W3021", "germany", 6, "W3122"),)))
    assert t.units("W3122", "germany") == {"mech": 6}


@pytest.mark.rule("gw75:8.9b", "gw75:8.91a", "gw75:8.91b")
def test_a_retreat_avoids_zones_and_mountains_and_who_has_no_way_is_eliminated() -> None:
    # Danzig: Warsaw is held by Germans, Riga is in a Zone of Control, Hungary lies over mountains.
    t = fight(
        units={
            "W3021": {"germany": "8 inf"},
            "W3123": {"germany": "2 inf"},
            "W3122": {"poland": "3 inf"},
        }
    )
    t.do(attack("W3122", ("W3021", "germany", "inf", 8)), Done())
    t.each(2, 1)
    assert t.units("W3122", "poland") == {}
    assert t.events("no_retreat")[-1]["losses"] == {"poland": {"inf": 1}}


@pytest.mark.rule("gw75:8.9b", "gw75:6.32a", "gw75:7.12b")
def test_with_no_free_hex_a_retreat_goes_to_friends_in_a_zone_even_if_they_are_too_many() -> None:
    t = fight(
        units={
            "W3021": {"germany": "8 inf"},
            "W3022": {"germany": "1 inf"},
            "W3223": {"germany": "1 inf"},
            "W3122": {"poland": "3 inf"},
            "W3123": {"poland": "9 inf"},
        },
    )
    t.do(attack("W3122", ("W3021", "germany", "inf", 8)), Done())
    t.each(2, 1)
    assert t.units("W3123", "poland") == {"inf": 10}


@pytest.mark.rule("gw75:7.12a", "gw75:8.14")
def test_units_that_retreated_into_an_attacked_hex_do_not_defend_but_suffer() -> None:
    t = fight(
        units={
            "W3021": {"germany": "8 inf"},
            "W3022": {"germany": "6 inf"},
            "W3122": {"poland": "3 inf"},
            "W3123": {"poland": "1 inf"},
        },
    )
    t.do(attack("W3122", ("W3021", "germany", "inf", 8)))
    t.do(attack("W3123", ("W3022", "germany", "inf", 6)), Done())
    t.do(Fight("W3122"))
    t.each(1, 1)  # +5, die 1: one lost
    t.do(Retreat((("poland", "inf", 2, "W3123"),)))
    assert t.units("W3123", "poland") == {"inf": 3}
    t.each(6, 1)  # 6 against 1 behind mountains: +4, die 6: four points
    assert t.events("land_attack")[-1]["differential"] == 4
    assert t.units("W3123", "poland") == {}


@pytest.mark.rule("gw75:7.12a", "gw75:8.51c")
def test_units_that_retreated_into_an_attacked_hex_do_not_counter_attack() -> None:
    t = fight(
        units={
            "W3021": {"germany": "10 inf"},
            "W3022": {"germany": "2 inf"},
            "W3122": {"poland": "7 inf"},
            "W3123": {"poland": "1 inf"},
        },
    )
    t.do(attack("W3122", ("W3021", "germany", "inf", 10)))
    t.do(attack("W3123", ("W3022", "germany", "inf", 2)), Done())
    t.do(Fight("W3122"))
    t.each(4, 1)  # +3, die 4: two points
    t.do(Retreat((("poland", "inf", 5, "W3123"),)))
    t.each(1, 1)  # 2 against 1 behind mountains: +0, die 1: nothing
    # One point against a stack of two behind mountains, not six.
    assert t.events("counter_attack")[-1]["differential"] == 0


@pytest.mark.rule("gw75:7.12a", "gw75:8.42", "gw75:8.51c")
def test_of_units_alike_those_that_retreated_into_the_hex_are_lost_first() -> None:
    t = fight(
        units={
            "W3021": {"germany": "8 inf"},
            "W3022": {"germany": "10 inf"},
            "W3122": {"poland": "2 inf"},
            "W3123": {"poland": "5 inf"},
        },
    )
    t.do(attack("W3122", ("W3021", "germany", "inf", 8)))
    t.do(attack("W3123", ("W3022", "germany", "inf", 10)), Done())
    t.do(Fight("W3122"))
    t.each(1, 1)  # +6, die 1: one point
    t.do(Retreat((("poland", "inf", 1, "W3123"),)))
    t.each(4, 1)  # 10 against 5 behind mountains: +0, die 4: one point
    assert ("", "survivors", 5) in t.events("counter_attack")[-1]["sum"]


@pytest.mark.rule("gw75:8.91c")
def test_units_of_one_hex_may_retreat_to_different_hexes() -> None:
    t = fight(units={"W3021": {"germany": "8 inf"}, "W3122": {"poland": "4 inf"}})
    t.do(attack("W3122", ("W3021", "germany", "inf", 8)), Done())
    t.each(1, 1)
    assert "All 3" in t.refused(Retreat((("poland", "inf", 2, "W3123"),)), "8.44")
    assert "mountains" in t.refused(Retreat((("poland", "inf", 3, "W3022"),)), "8.91a")


@pytest.mark.rule("gw75:8.91a", "gw75:8.92a", "gw75:8.9a")
def test_a_hex_that_is_no_place_to_retreat_to_is_refused_with_what_bars_it() -> None:
    t = fight(
        units={
            "W3021": {"germany": "8 inf"},
            "W3121": {"germany": "inf"},
            "W3122": {"poland": "2 inf, 2 sd"},
        }
    )
    t.do(attack("W3122", ("W3021", "germany", "inf", 8)), Done()).dice(1)
    t.do(Lose((("W3122", "poland", "inf", 1),))).dice(1)
    for to, rule, words in (
        ("W3121", "8.91a", "Enemies are in Berlin"),
        ("W3022", "8.91a", "mountains"),
        ("W3222", "8.92a", "Self-Defense"),
        ("W3019", "8.9a", "No retreat leads"),
    ):
        assert words in t.refused(Retreat((("poland", "sd", 2, to),)), rule)
    t.refused(Retreat((("poland", "mech", 1, "W3123"),)), "8.44")
    t.refused(Retreat((("poland", "sd", 0, "W3123"),)), "8.44")


@pytest.mark.rule("gw75:8.91a", "gw75:8.9b")
def test_a_zone_bars_a_retreat_and_friends_in_it_do_not_help_while_there_is_a_free_hex() -> None:
    t = fight(
        units={
            "W3123": {"germany": "8 inf"},
            "W3124": {"ussr": "4 inf"},
            "W2924": {"germany": "inf"},
            "W3024": {"ussr": "inf"},
        },
        held={"W3223": "ussr"},
        wars=[("germany", "ussr")],
    )
    t.do(attack("W3124", ("W3123", "germany", "inf", 8)), Done()).dice(1).dice(1)
    assert "free hexes" in t.refused(Retreat((("ussr", "inf", 3, "W3024"),)), "8.9b")
    assert "Zone of Control" in t.refused(Retreat((("ussr", "inf", 3, "W3223"),)), "8.91a")


@pytest.mark.rule("gw75:8.92b")
def test_allied_units_are_told_that_they_do_not_retreat_into_a_neutral() -> None:
    t = fight(
        units={"W3120": {"germany": "8 inf"}, "W3019": {"france": "3 inf"}},
        wars=[("france", "germany")],
    )
    t.do(attack("W3019", ("W3120", "germany", "inf", 8)), Done()).dice(1).dice(1)
    assert "neutral country" in t.refused(Retreat((("france", "inf", 2, "W3119"),)), "8.92b")
    t.do(Retreat((("france", "inf", 2, "W3018"),)))


@pytest.mark.rule("gw75:8.92b", "gw75:11.3e")
def test_germans_who_retreat_into_neutral_italy_bring_it_in_and_stand_beside_its_army() -> None:
    t = fight(
        "allies_land_combat",
        units={
            "W2919": {"france": "9 inf"},
            "W2920": {"germany": "2 inf"},
            "W2921": {"italy": "2 inf"},
        },
        held={"W2920": "germany"},
        wars=[("france", "germany")],
    )
    t.do(attack("W2920", ("W2919", "france", "inf", 9)), Done()).dice(1).dice(1)
    assert t.units("W2921", "germany") == {"inf": 1}
    assert t.units("W2921", "italy") == {"inf": 2}
    assert t.events("entered_war")


@pytest.mark.rule("gw75:8.92a")
def test_self_defense_units_do_not_retreat_out_of_their_country() -> None:
    t = fight(
        units={
            "W3021": {"germany": "8 inf"},
            "W3123": {"germany": "1 inf"},
            "W3122": {"poland": {"sd": 3}},
        }
    )
    t.do(attack("W3122", ("W3021", "germany", "inf", 8)), Done())
    t.each(1, 1)
    assert t.units("W3122", "poland") == {}
    assert t.units("W3222", "poland") == {}
    s = state("axis_land_combat", 4, units={"W3122": {"poland": {"sd": 1, "inf": 1}}}, wars=WAR)
    assert {"W3123", "W3222"} <= set(retreats(s, Unit("poland", "inf"), "W3122"))
    assert retreats(s, Unit("poland", "sd"), "W3122") == ("W3123",)


@pytest.mark.rule("gw75:8.8a", "gw75:8.8b", "gw75:8.8c", "gw75:8.8d", "gw75:8.8g")
def test_a_stack_that_stands_fast_loses_one_more_and_stays_and_bars_the_advance() -> None:
    veterans = {"first_battle:poland": 1}
    units = {"W3021": {"germany": "8 mech"}, "W3122": {"poland": "4 inf"}}
    t = fight(turn=4, units=units, counts=veterans)
    t.do(attack("W3122", ("W3021", "germany", "mech", 8)), Done())
    t.do(StandFast(("W3122",)))
    t.each(2, 1)  # +4, die 2: one, and one more
    assert t.units("W3122", "poland") == {"inf": 2}
    assert ("poland", "inf") not in t.s.dead
    t = fight(turn=4, units={**units, "W3122": {"poland": "1 inf"}}, counts=veterans)
    t.do(attack("W3122", ("W3021", "germany", "mech", 8)), Done())
    t.do(StandFast(("W3122",)))
    t.each(6, 1)
    assert t.units("W3122", "poland") == {}
    assert t.units("W3122", "germany") == {}


@pytest.mark.rule("gw75:8.8b")
def test_standing_fast_costs_a_point_even_if_the_table_says_none() -> None:
    t = fight(
        turn=4,
        units={"W3021": {"germany": "4 inf"}, "W3122": {"poland": "4 inf"}},
        counts={"first_battle:poland": 1},
    )
    t.do(attack("W3122", ("W3021", "germany", "inf", 4)), Done())
    t.do(StandFast(("W3122",)))
    t.each(1, 1)
    assert t.units("W3122", "poland") == {"inf": 3}


@pytest.mark.rule("gw75:8.8f")
def test_a_nation_stands_fast_only_after_three_full_turns_of_land_combat() -> None:
    units = {"W3021": {"germany": "4 inf"}, "W3122": {"poland": "4 inf"}}
    for first, asked in ((2, False), (1, True)):
        t = fight(turn=4, units=units, counts={"first_battle:poland": first})
        t.do(attack("W3122", ("W3021", "germany", "inf", 4)), Done())
        kinds = {type(request).__name__ for request in t.game.pending}
        assert ("OrderStandFast" in kinds) is asked
    t = fight(turn=9, units=units)
    t.do(attack("W3122", ("W3021", "germany", "inf", 4)), Done())
    assert "OrderStandFast" not in {type(request).__name__ for request in t.game.pending}


@pytest.mark.rule("gw75:8.8f", "gw75:8.8a")
def test_who_cannot_be_ordered_to_stand_fast_is_named_with_the_reason() -> None:
    t = fight(
        turn=8,
        units={
            "W3021": {"germany": "6 inf"},
            "W3122": {"poland": "3 inf"},
            "W3120": {"germany": "3 inf"},
            "W3019": {"france": "2 inf"},
        },
        wars=[("germany", "poland"), ("germany", "france"), ("germany", "commonwealth")],
        counts={"first_battle:poland": 1, "first_battle:france": 7},
    )
    t.do(
        attack("W3122", ("W3021", "germany", "inf", 6)),
        attack("W3019", ("W3120", "germany", "inf", 3)),
        Done(),
    )
    assert t.refused(StandFast(("W3019",)), rule="8.8f").startswith("France has not been in")
    assert t.refused(StandFast(("W3123",)), rule="8.8a") == "Warsaw (W3123) is not attacked."
    assert t.refused(StandFast(("W3122", "W3122")), rule="8.8a").startswith("Each stack of yours")
    t.do(StandFast(("W3122",)))
    assert t.s.stand_fast == {"W3122"}


@pytest.mark.rule("gw75:8.8a", "gw75:21.11a")
def test_nobody_calls_off_the_attack_of_another_player() -> None:
    t = fight(
        turn=12,
        options={"players": 3},
        units={
            "W3120": {"germany": "10 inf"},
            "W3019": {"commonwealth": "2 inf"},
            "E2407": {"japan": "4 inf"},
            "E2406": {"china": "1 inf"},
        },
        wars=[("germany", "commonwealth"), ("japan", "commonwealth"), ("japan", "china")],
    )
    t.do(attack("W3019", ("W3120", "germany", "inf", 10)), Done())
    (request,) = t.game.pending
    assert (request.power, type(request).__name__) == ("japan", "DeclareAttacks")
    assert t.refused(Withdraw("W3019"), rule="8.8a").startswith("You have declared no attack")
    assert Withdraw("W3019") not in list(request.decisions(t.s))


@pytest.mark.rule("gw75:8.8a")
@pytest.mark.parametrize(("usa", "player"), [(3, "usa"), (1, "commonwealth")])
def test_of_a_stack_of_two_players_the_one_with_more_points_orders_it(usa: int, player: str):
    t = fight(
        turn=12,
        options={"players": 5},
        units={
            "W3120": {"germany": "10 inf"},
            "W3019": {"commonwealth": "2 inf", "usa": f"{usa} inf"},
        },
        wars=[("germany", "commonwealth"), ("germany", "usa")],
        counts={"first_battle:commonwealth": 1, "first_battle:usa": 1},
    )
    t.do(attack("W3019", ("W3120", "germany", "inf", 10)), Done())
    (request,) = t.game.pending
    assert (request.power, type(request).__name__) == (player, "OrderStandFast")


@pytest.mark.rule("gw75:8.8e")
def test_nobody_stands_fast_on_a_small_island() -> None:
    t = fight(
        "allies_land_combat",
        12,
        units={
            "E1916": {
                "japan": "2 inf",
                "usa": {
                    "inf": [{"count": 4, "duty": "assault", "origin": "E2222"}],
                    "amph": [{"count": 4, "duty": "assault", "origin": "E2222"}],
                },
            }
        },
        wars=[("japan", "usa")],
        counts={"first_battle:japan": 1},
    )
    t.do(attack("E1916", ("E1916", "usa", "inf", 4)), Done())
    assert "OrderStandFast" not in {type(request).__name__ for request in t.game.pending}


@pytest.mark.rule("gw75:8.8e", "gw75:8.8a")
def test_of_two_attacked_stacks_the_one_on_the_small_island_is_refused() -> None:
    def landing(own: str) -> dict[str, Any]:
        party = [{"count": 4, "duty": "assault", "origin": "E2222"}]
        return {"japan": own, "usa": {"inf": party, "amph": party}}

    t = fight(
        "allies_land_combat",
        12,
        units={"E2409": landing("2 inf"), "E2308": landing("3 inf")},
        wars=[("japan", "usa")],
        counts={"first_battle:japan": 1},
    )
    for hex in ("E2409", "E2308"):
        t.do(attack(hex, (hex, "usa", "inf", 4)))
    t.do(Done())
    assert t.request.hexes == ("E2308",)
    assert "small island" in t.refused(StandFast(("E2308", "E2409")), "8.8e")
    t.do(StandFast(("E2308",)))


@pytest.mark.rule("gw75:8.8b", "gw75:8.8d", "gw75:8.44", "gw75:8.23")
@pytest.mark.parametrize(("die", "stays"), [(1, True), (4, False)])
def test_what_the_order_costs_one_stack_drives_no_other_out(die: int, stays: bool) -> None:
    """Two hexes are attacked at once and one stands fast: the other goes if the table says so."""
    t = fight(
        turn=8,
        units={
            "W3122": {"germany": "6 inf"},
            "W3123": {"ussr": "2 inf"},
            "W3222": {"ussr": "3 inf"},
        },
        counts={"first_battle:ussr": 1},
    )
    t.do(attack(("W3123", "W3222"), ("W3122", "germany", "inf", 6)), Done())
    t.do(StandFast(("W3123",)))
    t.dice(die)  # at +1: nothing, or one point
    total = t.request.total
    assert total == (1 if stays else 2)
    t.do(Lose((("W3123", "ussr", "inf", total),)))
    t.dice(1)  # from Riga there is one way only
    assert t.units("W3222", "ussr") == ({"inf": 3} if stays else {})


@pytest.mark.rule("gw75:8.9a", "gw75:8.44", "gw75:8.91a", "gw75:8.23")
def test_stacks_that_are_attacked_together_do_not_retreat_to_each_other() -> None:
    """Across mountains no zone lies on either hex: they would change places, or go two hexes."""
    t = fight(
        units={
            "W3022": {"germany": "8 mech"},
            "W3123": {"ussr": "2 inf"},
            "W3023": {"ussr": "2 inf"},
        }
    )
    t.do(attack(("W3123", "W3023"), ("W3022", "germany", "mech", 8)), Done())
    t.dice(4)
    t.do(Lose((("W3023", "ussr", "inf", 1),)))
    t.dice(1)
    assert t.request.hex == "W3123"
    t.refused(Retreat((("ussr", "inf", 2, "W3023"),)), "8.91a")
    t.do(Retreat((("ussr", "inf", 2, "W3124"),)))
    t.refused(Retreat((("ussr", "inf", 1, "W3123"),)), "8.91a")
    t.do(Retreat((("ussr", "inf", 1, "W3024"),)))
    assert t.request.hexes == ("W3123", "W3023")
    assert t.units("W3124", "ussr") == {"inf": 2}


@pytest.mark.rule("gw75:8.9b", "gw75:8.8d")
def test_they_retreat_to_one_that_stands_fast() -> None:
    t = fight(
        turn=8,
        units={
            "W3022": {"germany": "8 inf"},
            "W3123": {"ussr": "2 inf"},
            "W3023": {"ussr": "2 inf"},
        },
        counts={"first_battle:ussr": 1},
    )
    t.do(attack(("W3123", "W3023"), ("W3022", "germany", "inf", 8)), Done())
    t.do(StandFast(("W3023",)))
    t.dice(4)
    t.do(Lose((("W3023", "ussr", "inf", 1), ("W3123", "ussr", "inf", 1))))
    t.dice(1)
    t.do(Retreat((("ussr", "inf", 1, "W3023"),)))
    assert t.units("W3023", "ussr") == {"inf": 2}


@pytest.mark.rule("gw75:19.92a", "gw75:8.61a")
def test_finnish_units_do_not_advance_out_of_finland() -> None:
    t = fight(
        turn=8,
        units={
            "W3323": {"finland": "4 mech", "germany": "4 mech"},
            "W3324": {"ussr": "inf"},
            "W3221": {"germany": "10 ms"},
        },
        counts={"leningrad_entered": 5},
    )
    force = (("W3323", "finland", "mech", 4), ("W3323", "germany", "mech", 4))
    t.do(attack("W3324", *force), Done())
    t.dice(6).dice(1)
    assert t.request.mech == (("W3323", "germany", 4),)
    t.refused(Advance((("W3323", "finland", 1, "W3324"),)), "8.61a")
    t.do(Advance((("W3323", "germany", 4, "W3324"),)))


@pytest.mark.rule("gw75:5.57b", "gw75:5.57c")
def test_a_landing_attacks_only_where_it_landed_and_goes_back_if_it_fails() -> None:
    landing = {
        "inf": [{"count": 4, "duty": "assault", "origin": "E2222"}],
        "amph": [{"count": 4, "duty": "assault", "origin": "E2222"}],
    }
    t = fight(
        "allies_land_combat",
        12,
        units={"E1916": {"japan": {"fort": 2}, "usa": landing}},
        wars=[("japan", "usa")],
    )
    assert "have to attack" in t.refused(Done(), "5.57b")
    t.do(attack("E1916", ("E1916", "usa", "inf", 4)), Done())
    t.dice(1)  # +2, die 1: nothing
    t.dice(4)  # the Counter-Attack costs one
    assert t.units("E1916", "usa") == {}
    assert t.units("E2222", "usa") == {"inf": 3, "amph": 4}
    assert t.units("E1916", "japan") == {"fort": 2}


@pytest.mark.rule("gw75:5.57c", "gw75:7.14")
def test_a_landing_that_clears_its_hex_is_ashore() -> None:
    landing = {
        "inf": [{"count": 6, "duty": "assault", "origin": "E2222"}],
        "amph": [{"count": 6, "duty": "assault", "origin": "E2222"}],
    }
    t = fight(
        "allies_land_combat",
        12,
        units={"E1916": {"japan": {"fort": 2}, "usa": landing}},
        wars=[("japan", "usa")],
    )
    t.do(attack("E1916", ("E1916", "usa", "inf", 6)), Done())
    t.each(6, 1)
    assert t.events("landed") == [{"power": "usa", "space": "E1916"}]
    assert not t.events("landing_failed")
    assert t.s.held["E1916"] == "usa"
    assert set(t.s.stack("E1916")) == {Unit("usa", "inf", duty="landed"), Unit("usa", "amph")}


@pytest.mark.rule("gw75:8.24", "gw75:7.32")
def test_ships_in_an_attacked_hex_neither_defend_nor_suffer() -> None:
    t = fight(
        units={"W3021": {"germany": "4 inf"}, "W3122": {"poland": {"inf": 4, "ss": 3}}},
    )
    t.do(attack("W3122", ("W3021", "germany", "inf", 4)), Done())
    t.each(6, 1)
    t.do(Retreat((("poland", "inf", 2, "W3123"),)))
    assert t.units("W3122", "poland") == {"ss": 3}


@pytest.mark.rule("gw75:8.0a", "gw75:8.8a")
def test_attacking_is_voluntary_and_a_declared_attack_can_be_withdrawn() -> None:
    t = fight(units={"W3021": {"germany": "8 inf"}, "W3122": {"poland": "4 inf"}})
    t.do(attack("W3122", ("W3021", "germany", "inf", 8)))
    t.do(Withdraw("W3122"))
    t.do(Done())
    assert not t.events("land_attack")


@pytest.mark.rule("gw75:8.13")
def test_sixty_points_may_attack_one_hex() -> None:
    ring = {near: {"germany": "10 inf"} for near in load_facts().land["W3124"]}
    s = state("axis_land_combat", 4, units={**ring, "W3124": {"ussr": "10 inf"}}, wars=WAR, held={})
    force = tuple((hex, "germany", "inf", 10) for hex in sorted(ring))
    assert len(force) == 6
    assert attacks.strength(s, force) == 60


@pytest.mark.rule("gw75:18.10d", "gw75:8.0a")
def test_unactivated_units_do_not_attack_or_counter_attack() -> None:
    idle = {"mech": [{"count": 6, "idle": True}]}
    t = fight(units={"W3021": {"germany": {"inf": 1, **idle}}, "W3122": {"poland": "1 inf"}})
    assert "activated" in t.refused(attack("W3122", ("W3021", "germany", "mech", 2)), "18.10d")
    t = fight(
        units={"W3021": {"germany": "1 inf"}, "W3121": {"germany": "7 inf"}}
        | {"W3122": {"poland": idle}}
    )
    t.do(attack("W3122", ("W3021", "germany", "inf", 1), ("W3121", "germany", "inf", 7)), Done())
    t.dice(1)
    t.do(Stack("W3021"))
    t.dice(1)
    assert t.events("counter_attack")[-1]["differential"] == 0


@pytest.mark.rule("gw75:10.14")
def test_soviet_points_count_double_in_the_first_winter_after_the_invasion() -> None:
    units = {"W3124": {"ussr": "4 inf"}, "W3123": {"germany": "6 inf"}}
    s = state("allies_land_combat", 10, units=units, wars=WAR, counts={"invaded_ussr": 8})
    assert attacks.strength(s, (("W3124", "ussr", "inf", 4),)) == 8
    assert attacks.defense(s, ("W3124",), ("W3123",), "germany") == 8
    s = state("allies_land_combat", 14, units=units, wars=WAR, counts={"invaded_ussr": 8})
    assert attacks.strength(s, (("W3124", "ussr", "inf", 4),)) == 4


@pytest.mark.rule("gw75:8.51f")
def test_spring_and_mountains_help_the_stack_that_is_counter_attacked() -> None:
    """Nine survivors of ten against a stack of three behind mountains in spring: 3 x 2 x 2."""
    t = fight(
        turn=3,
        units={"W3021": {"germany": "10 inf"}, "W3022": {"germany": "3 inf"}}
        | {"W3121": {"germany": "8 inf"}, "W3122": {"poland": "10 inf"}},
    )
    t.do(
        attack(
            "W3122",
            ("W3021", "germany", "inf", 10),
            ("W3022", "germany", "inf", 3),
            ("W3121", "germany", "inf", 8),
        ),
        Done(),
    )
    t.dice(1)  # 21 against 20: +1, die 1: nothing
    t.do(Stack("W3022"))
    t.dice(1)
    assert t.events("counter_attack")[-1]["differential"] == 0  # 10 against 12
    t = fight(
        turn=4,
        units={"W3021": {"germany": "10 inf"}, "W3022": {"germany": "3 inf"}}
        | {"W3122": {"poland": "10 inf"}},
    )
    t.do(attack("W3122", ("W3021", "germany", "inf", 10), ("W3022", "germany", "inf", 3)), Done())
    t.dice(1)  # +3, die 1: nothing
    t.do(Stack("W3022"))
    t.dice(1)
    assert t.events("counter_attack")[-1]["differential"] == 4  # 10 against 3 x 2


@pytest.mark.rule("gw75:8.51f", "gw75:8.25")
def test_mountains_do_not_help_against_a_counter_attack_that_comes_another_way_too() -> None:
    t = fight(
        units={"W3021": {"germany": "10 inf"}, "W3022": {"germany": "3 inf"}}
        | {"W3122": {"poland": "5 inf"}, "W2922": {"yugoslavia": "5 inf"}},
        wars=[*WAR, ("germany", "yugoslavia")],
    )
    force = (("W3021", "germany", "inf", 10), ("W3022", "germany", "inf", 3))
    t.do(attack(("W3122", "W2922"), *force), Done())
    t.dice(1)  # +3, die 1: nothing
    t.do(Stack("W3022"))
    t.dice(1)
    assert t.events("counter_attack")[-1]["differential"] == 7


@pytest.mark.rule("gw75:8.8h")
def test_a_stand_fast_order_does_not_help_against_an_overrun() -> None:
    t = table(
        "axis_land_movement",
        4,
        units={"W3021": {"germany": "8 inf"}, "W3122": {"poland": "1 inf"}},
        wars=WAR,
        counts={"first_battle:poland": 1},
        stand_fast=["W3122"],
    )
    t.do({"kind": "move", "path": ["W3021", "W3122"], "units": [["germany", "inf", 8]]})
    t.dice(1)
    assert t.units("W3122", "germany") == {"inf": 8}
    assert t.s.dead["poland", "inf"] == 1


@pytest.mark.rule("gw75:8.92b")
def test_the_axis_may_retreat_into_a_neutral_and_invades_it_but_the_allies_may_not() -> None:
    beaten = {"W3021": {"commonwealth": "9 inf"}, "W3121": {"germany": "3 inf"}}
    t = fight("allies_land_combat", units=beaten, held={"W3021": "commonwealth"})
    t.do(attack("W3121", ("W3021", "commonwealth", "inf", 9)), Done())
    t.each(1, 1)  # +6, die 1: one point
    t.do(Retreat((("germany", "inf", 2, "W3220"),)))  # Denmark
    assert t.events("violated")[-1]["against"] == "denmark"
    assert t.s.joined["denmark"] == "allies"
    s = state(
        "axis_land_combat",
        4,
        units={"W3121": {"commonwealth": "3 inf"}, "W3021": {"germany": "9 inf"}},
        held={"W3121": "commonwealth"},
        wars=WAR,
    )
    assert "W3220" not in retreats(s, Unit("commonwealth", "inf"), "W3121")


@pytest.mark.rule("gw75:9.32", "gw75:9.33a", "gw75:9.31")
def test_who_is_not_in_attack_supply_is_told_so() -> None:
    units = {
        "W3123": {"germany": "inf"},
        "W3126": {"germany": "6 inf"},
        "W3226": {"ussr": "2 inf"},
        "W3124": {"ussr": "2 inf"},
        "W3025": {"ussr": "inf"},
        "W2523": {"italy": "4 inf"},
        "W2524": {"commonwealth": "inf"},
    }
    held = {"W3123": "germany", "W3126": "germany"}
    t = fight(
        units={**units, "W3122": {"poland": "inf"}},
        wars=[*WAR, ("italy", "commonwealth")],
        held=held,
    )
    assert "Attack Supply" in t.refused(attack("W3226", ("W3126", "germany", "inf", 6)), "9.33a")
    assert "Attack Supply" in t.refused(attack("W2524", ("W2523", "italy", "inf", 4)), "9.32")
    assert "1 Strength Point" in t.refused(attack("W3122", ("W3123", "germany", "inf", 2)), "8.0a")


@pytest.mark.rule("gw75:8.51c", "gw75:9.33a")
def test_survivors_without_attack_supply_add_nothing_to_a_counter_attack() -> None:
    front, ring = {"W3123": "2 inf", "W3223": "9 inf"}, {"W3125": "inf", "W3024": "inf"}
    force = (("W3123", "germany", "inf", 2), ("W3223", "germany", "inf", 9))
    for hexes, differential in ((front | ring, 0), (front, 3)):
        units = {hex: {"germany": what} for hex, what in hexes.items()}
        t = fight(units={**units, "W3124": {"ussr": "6 inf"}}, held=dict.fromkeys(hexes, "germany"))
        t.do(attack("W3124", *force), Done())
        t.dice(1)  # +5, die 1: one point
        t.do(Stack("W3123")).dice(1)
        assert t.events("counter_attack")[-1]["differential"] == differential


@pytest.mark.rule("gw75:9.11", "gw75:8.91b")
def test_units_of_a_nation_without_any_source_do_not_retreat_abroad() -> None:
    given = {"wars": [*WAR, ("germany", "afghanistan")], "units": {"W2631": {"afghanistan": "inf"}}}
    s = state("axis_land_combat", 8, **given)
    assert retreats(s, Unit("afghanistan", "inf"), "W2631") == ("W2531",)
    assert set(retreats(s, Unit("commonwealth", "inf"), "W2631")) == {"W2531", "W2532", "W2632"}


@pytest.mark.rule("gw75:8.42", "gw75:7.14")
def test_every_choice_of_losses_is_listed() -> None:
    t = fight(units={"W3021": {"germany": "9 inf"}, "W3122": {"poland": "2 inf, sd, fort"}})
    t.do(attack("W3122", ("W3021", "germany", "inf", 9)), Done())
    t.dice(2)  # +5, die 2: two points, the fort's first on the coast
    listed = {decision.losses for decision in t.game.legal(t.request)}
    fort = ("W3122", "poland", "fort", 1)
    assert listed == {(fort, ("W3122", "poland", type, 1)) for type in ("inf", "sd")}
    units = {"W3123": {"germany": "8 inf"}, "W3124": {"ussr": "2 inf, 2 mech"}}
    t = fight(units=units, held={"W3123": "germany"})
    t.do(attack("W3124", ("W3123", "germany", "inf", 8)), Done())
    t.dice(3)  # +4, die 3: two points
    assert len(list(t.game.legal(t.request))) == 3
    t.do(Lose((("W3124", "ussr", "inf", 1), ("W3124", "ussr", "mech", 1))))
    assert t.units("W3124", "ussr") == {"inf": 1, "mech": 1}
