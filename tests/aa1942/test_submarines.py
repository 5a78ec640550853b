"""Submarines and destroyers in battle: strikes, submerging, aircraft (p.16-17, p.26-29)."""

from __future__ import annotations

import pytest

from tests.aa1942.battles import land, line, sea, step
from tests.aa1942.table import Casualties, Dive, Done, Fight, Press, Retreat, move, table


@pytest.mark.rule("aa1942:combat.sub.step2.choice", "aa1942:combat.sub.submerge.before-dice")
def test_both_sides_decide_before_any_die_the_attacker_first() -> None:
    t = sea("2 submarine", "2 submarine, cruiser")
    assert t.asked == "germany submerge_or_strike"
    assert t.request.submarines == 2
    t.refused(Dive(3), "combat.sub.step2.choice")
    t.refused(Dive(-1), "combat.sub.step2.choice")
    t.do(Dive(1))
    assert t.asked == "united_kingdom submerge_or_strike"
    assert not t.events("fired")
    t.do(Dive(1))
    assert t.rolling == "strike in sz8: 1 submarine at 2"
    t.dice(6)
    assert t.rolling == "strike_back in sz8: 1 submarine at 1"


@pytest.mark.rule("aa1942:combat.sub.step2.choice")
def test_each_submarine_strikes_or_submerges_and_does_nothing_else() -> None:
    t = sea("2 submarine, cruiser", "2 cruiser").do(Dive(1))
    assert line(t) == "1 submarine at 2"
    t.dice(6)
    # Neither the one that struck nor the one that submerged fires in step 3.
    assert line(t) == "1 cruiser at 3"


@pytest.mark.rule("aa1942:combat.sub.submerge.before-dice")
def test_every_defending_power_decides_for_its_own_submarines() -> None:
    t = sea("cruiser", {"germany": "submarine", "japan": "2 submarine"}, "united_kingdom")
    assert (t.asked, t.request.submarines) == ("germany submerge_or_strike", 1)
    t.do(Dive(1))
    assert (t.asked, t.request.submarines) == ("japan submerge_or_strike", 2)
    t.do(Dive(0))
    assert line(t) == "2 submarine at 1"


@pytest.mark.rule("aa1942:combat.sub.step2.destroyer-cancels", "aa1942:unit.destroyer.cancel")
def test_a_defending_destroyer_takes_step_2_from_the_attackers_submarines_only() -> None:
    t = sea("2 submarine, cruiser", "destroyer, submarine")
    # The attacker has no destroyer: the defender's submarine may strike or submerge.
    assert t.asked == "united_kingdom submerge_or_strike"
    t.do(Dive(0))
    assert step(t) == "strike_back in sz8"
    t.dice(6)
    assert line(t) == "1 cruiser at 3, 2 submarine at 2"
    t.dice(6, 6, 6)
    assert line(t) == "1 destroyer at 2"


@pytest.mark.rule("aa1942:combat.sub.step2.destroyer-cancels", "aa1942:unit.destroyer.cancel")
def test_an_attacking_destroyer_takes_step_2_from_the_defenders_submarines_only() -> None:
    t = sea("submarine, destroyer", "cruiser, 2 submarine")
    assert t.asked == "germany submerge_or_strike"
    t.do(Dive(0))
    assert step(t) == "strike in sz8"
    t.dice(6)
    assert line(t) == "1 destroyer at 2"
    t.dice(6)
    assert line(t) == "1 cruiser at 3, 2 submarine at 1"


@pytest.mark.rule(
    "aa1942:unit.sub.no-step2",
    "aa1942:combat.sub.step2.destroyer-cancels",
    "aa1942:unit.destroyer.cancel",
)
def test_with_destroyers_on_both_sides_there_is_no_step_2() -> None:
    t = sea("submarine, destroyer", "submarine, destroyer")
    assert t.rolling == "attack in sz8: 1 destroyer at 2, 1 submarine at 2"
    t.dice(6, 6)
    assert t.rolling == "defence in sz8: 1 destroyer at 2, 1 submarine at 1"


@pytest.mark.rule("aa1942:unit.sub.no-step2")
def test_without_submarines_there_is_no_step_2() -> None:
    assert step(sea("cruiser", "cruiser")) == "attack in sz8"


@pytest.mark.rule("aa1942:combat.sub.strike.attacker")
@pytest.mark.parametrize(("face", "left"), [(2, 1), (3, 2)])
def test_an_attacking_submarine_strikes_on_2(face, left):
    t = sea("submarine", "2 cruiser").do(Dive(0)).dice(face)
    assert t.units("sz8", "united_kingdom") == {"cruiser": left}


@pytest.mark.rule("aa1942:combat.sub.strike.defender")
@pytest.mark.parametrize(("face", "left"), [(1, 1), (2, 2)])
def test_a_defending_submarine_strikes_on_1(face, left):
    t = sea("2 cruiser", "submarine").do(Dive(0)).dice(face)
    assert t.units("sz8", "germany") == {"cruiser": left}
    assert line(t) == f"{left} cruiser at 3"


@pytest.mark.rule("aa1942:combat.sub.strike.attacker", "aa1942:unit.sub.cannot-hit-air")
def test_the_defender_chooses_a_sea_unit_for_a_strike() -> None:
    t = sea("submarine", "aircraft_carrier, cruiser, 2 fighter").do(Dive(0)).dice(1)
    assert t.asked == "united_kingdom choose_casualties"
    t.refused(Casualties({"united_kingdom": {"fighter": 1}}), "unit.sub.cannot-hit-air")
    t.do(Casualties({"united_kingdom": {"cruiser": 1}}))
    assert t.units("sz8", "united_kingdom") == {"aircraft_carrier": 1, "fighter": 2}


@pytest.mark.rule("aa1942:combat.sub.strike.defender", "aa1942:unit.sub.cannot-hit-air")
def test_the_attacker_chooses_a_sea_unit_for_a_strike() -> None:
    t = sea("fighter, cruiser, aircraft_carrier", "submarine").do(Dive(0)).dice(1)
    assert t.asked == "germany choose_casualties"
    # A fighter that has flown is named with the range it has left.
    assert t.request.units["germany"]["fighter (range 3)"] == 1
    t.refused(Casualties({"germany": {"fighter": 1}}), "unit.sub.cannot-hit-air")
    t.do(Casualties({"germany": {"aircraft_carrier": 1}}))
    assert line(t) == "1 fighter at 3, 1 cruiser at 3"


@pytest.mark.rule("aa1942:combat.sub.strike.casualty-removal")
def test_what_a_strike_sinks_does_not_fire() -> None:
    t = sea("2 submarine", "2 cruiser").do(Dive(0)).dice(1, 6)
    assert t.units("sz8", "united_kingdom") == {"cruiser": 1}
    assert line(t) == "1 cruiser at 3"


@pytest.mark.rule("aa1942:combat.sub.strike.casualty-removal")
def test_submarines_of_both_sides_strike_before_either_is_removed() -> None:
    t = sea("submarine", "submarine").do(Dive(0), Dive(0)).dice(1)
    assert t.units("sz8", "united_kingdom") == {"submarine": 1}
    t.dice(1)
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "united_kingdom") == t.units("sz8", "germany") == {}


@pytest.mark.rule("aa1942:combat.sub.strike.casualty-removal")
def test_an_attacker_sunk_by_a_strike_does_not_fire_in_step_3() -> None:
    t = sea("cruiser, battleship", "submarine, cruiser").do(Dive(0)).dice(1)
    t.do(Casualties({"germany": {"cruiser": 1}}))
    assert line(t) == "1 battleship at 4"


@pytest.mark.rule("aa1942:combat.fire.sub-once")
def test_a_submarine_that_struck_does_not_fire_again_in_the_round() -> None:
    t = sea("submarine, cruiser", "submarine, cruiser").do(Dive(0), Dive(0)).dice(6).dice(6)
    assert line(t) == "1 cruiser at 3"
    t.dice(6)
    assert line(t) == "1 cruiser at 3"


@pytest.mark.rule("aa1942:combat.sub.strike.repeat", "aa1942:combat.general.sequence")
def test_step_2_comes_again_in_every_round() -> None:
    t = sea("2 submarine", "2 cruiser").do(Dive(0)).dice(6, 6).dice(6, 6).do(Press())
    assert t.asked == "germany submerge_or_strike"
    t.do(Dive(1))
    assert t.rolling == "strike in sz8: 1 submarine at 2"


@pytest.mark.rule("aa1942:combat.sub.strike.repeat", "aa1942:unit.battleship.two-hits")
def test_a_battleship_damaged_by_a_strike_stays_so_until_the_battle_ends() -> None:
    t = sea("2 submarine", "battleship").do(Dive(0)).dice(1, 6)
    assert line(t) == "1 battleship at 4"
    t.dice(6).do(Press(), Dive(0)).dice(6, 6).dice(6).do(Press(), Dive(0)).dice(2, 6)
    assert t.units("sz8", "united_kingdom") == {}


@pytest.mark.rule("aa1942:combat.sub.submerge.effect")
def test_a_submerged_submarine_is_out_of_the_battle_for_good() -> None:
    t = sea("2 cruiser", "submarine, cruiser").do(Dive(1)).dice(1, 1)
    assert t.units("sz8", "united_kingdom") == {"submarine": 1, "cruiser": 1}
    assert line(t) == "1 cruiser at 3"
    t.dice(6)
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "united_kingdom") == {"submarine": 1}


@pytest.mark.rule("aa1942:combat.sub.submerge.effect")
def test_a_submerged_submarine_is_not_asked_again() -> None:
    t = sea("cruiser", "submarine, cruiser").do(Dive(1)).dice(6).dice(6).do(Press())
    assert t.rolling == "attack in sz8: 1 cruiser at 3"


@pytest.mark.rule("aa1942:combat.sub.submerge.effect")
@pytest.mark.parametrize("side", ["attacker", "defender"])
def test_a_battle_ends_when_a_whole_side_submerges(side):
    if side == "attacker":
        t = sea("2 submarine", "cruiser").do(Dive(2))
    else:
        t = sea("cruiser", "2 submarine").do(Dive(2))
    assert t.asked == "germany noncombat_move"
    assert not t.events("fired")
    assert (
        sum(t.units("sz8", "germany").values()) + sum(t.units("sz8", "united_kingdom").values())
        == 3
    )


@pytest.mark.rule("aa1942:combat.sub.submerge.effect", "aa1942:combat.transports.defenseless")
def test_transports_left_alone_by_their_submarines_are_destroyed_without_dice() -> None:
    t = sea("cruiser", "submarine, 2 transport").do(Dive(1))
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "united_kingdom") == {"submarine": 1}
    assert not t.events("fired")


@pytest.mark.rule("aa1942:combat.sub.submerge.effect")
def test_a_submerged_attacker_neither_moves_nor_fights_again_this_turn() -> None:
    t = sea("submarine, cruiser", "cruiser").do(Dive(1)).dice(1).dice(6)
    t.refused(move("submarine", "sz8 > sz9"), "noncombat.eligible")


@pytest.mark.rule("aa1942:combat.reevaluate", "aa1942:unit.destroyer.cancel")
def test_a_destroyer_lost_in_step_3_still_counts_in_that_round() -> None:
    # (None is ever lost in step 2: it keeps the only units from striking that could sink it.)
    t = sea("2 submarine, destroyer", "destroyer, aircraft_carrier, 2 fighter")
    assert line(t) == "1 destroyer at 2, 2 submarine at 2"
    t.dice(1, 6, 6).do(Casualties({"united_kingdom": {"destroyer": 1}}))
    assert line(t) == "2 fighter at 4, 1 aircraft_carrier at 2, 1 destroyer at 2"
    t.dice(1, 1, 6, 6)
    # Fighters with a destroyer beside them at the start of the round hit submarines.
    t.do(Casualties({"germany": {"submarine": 2}}))
    assert t.units("sz8", "germany") == {"destroyer": 1}


@pytest.mark.rule(
    "aa1942:combat.reevaluate", "aa1942:unit.destroyer.cancel", "aa1942:unit.sub.air-immune"
)
def test_a_destroyer_rules_the_whole_round_on_its_side_of_the_strip() -> None:
    t = sea("2 fighter, destroyer", "submarine, cruiser")
    # The defender's submarine cannot strike: a destroyer attacks.
    t.dice(1, 6, 6).do(Casualties({"united_kingdom": {"submarine": 1}}))
    assert t.units("sz8", "united_kingdom") == {"submarine": 1, "cruiser": 1}
    t = sea("2 submarine, fighter", "destroyer, submarine, cruiser").do(Dive(0)).dice(1)
    # The strike costs the attacker a submarine; its others fire in step 3, as the destroyer rules.
    assert t.units("sz8", "germany") == {"submarine": 1, "fighter": 1}
    assert line(t) == "1 fighter at 3, 1 submarine at 2"


@pytest.mark.rule("aa1942:combat.reevaluate", "aa1942:combat.sub.strike.repeat")
def test_submarines_strike_from_the_round_after_the_last_destroyer_is_gone() -> None:
    t = sea("2 submarine, cruiser", "2 destroyer, cruiser").dice(1, 6, 6)
    t.do(Casualties({"united_kingdom": {"destroyer": 1}})).dice(6, 6, 6).do(Press())
    assert step(t) == "attack in sz8"
    t.dice(1, 6, 6).do(Casualties({"united_kingdom": {"destroyer": 1}})).dice(6, 6).do(Press())
    assert t.asked == "germany submerge_or_strike"


@pytest.mark.rule("aa1942:combat.reevaluate", "aa1942:unit.sub.air-immune")
def test_aircraft_lose_submarines_as_targets_in_the_round_after_their_destroyer_is_lost() -> None:
    t = sea("2 fighter, destroyer", "2 submarine").dice(1, 6, 6)
    assert t.units("sz8", "united_kingdom") == {"submarine": 2}
    t.dice(1, 6)  # the destroyer is lost; the hit of the fighter stands
    assert t.units("sz8", "united_kingdom") == {"submarine": 1}
    assert t.asked == "germany noncombat_move"


@pytest.mark.rule("aa1942:unit.sub.air-immune", "aa1942:combat.fire.max-hits")
def test_hits_of_unaided_aircraft_pass_submarines_by() -> None:
    t = sea("2 fighter, cruiser", "2 submarine, cruiser").do(Dive(0)).dice(6, 6).dice(1, 1, 6)
    # Two hits of aircraft, one target that they can strike.
    assert t.asked == "chance roll"
    t.dice(6)
    assert t.units("sz8", "united_kingdom") == {"submarine": 2}


@pytest.mark.rule("aa1942:unit.sub.air-immune")
def test_defending_fighters_hit_submarines_only_beside_a_destroyer() -> None:
    t = sea("2 submarine, cruiser", "aircraft_carrier, 2 fighter").do(Dive(0)).dice(6, 6).dice(6)
    t.dice(1, 1, 6)
    assert t.units("sz8", "germany") == {"submarine": 2}
    t = sea("2 submarine, cruiser", "aircraft_carrier, 2 fighter, destroyer").dice(6, 6, 6)
    t.dice(1, 1, 6, 6)
    t.do(Casualties({"germany": {"submarine": 2}}))
    assert t.units("sz8", "germany") == {"cruiser": 1}


@pytest.mark.rule("aa1942:unit.sub.air-immune")
def test_the_owner_may_give_aided_hits_to_submarines_and_must_not_give_unaided_ones() -> None:
    t = sea("fighter, cruiser", "submarine, cruiser, destroyer").do(Dive(0)).dice(6).dice(1, 6)
    t.refused(Casualties({"united_kingdom": {"submarine": 1}}), "unit.sub.air-immune")
    t = sea("fighter, destroyer", "submarine, cruiser, destroyer").dice(1, 6)
    t.do(Casualties({"united_kingdom": {"submarine": 1}}))


@pytest.mark.rule("aa1942:unit.sub.cannot-hit-air")
@pytest.mark.parametrize("attacking", [True, False])
def test_a_hit_of_a_submarine_is_lost_if_only_aircraft_are_left(attacking):
    if attacking:
        t = sea("3 submarine", "destroyer, aircraft_carrier, fighter").dice(1, 1, 1)
        assert line(t) == "1 fighter at 4, 1 aircraft_carrier at 2, 1 destroyer at 2"
        t.dice(6, 6, 6)
        # The third hit found no target; then neither side can hit the other, and the fighter lands.
        assert t.s.lost == {
            ("united_kingdom", "destroyer"): 1,
            ("united_kingdom", "aircraft_carrier"): 1,
        }
    else:
        t = sea("fighter, destroyer", "2 submarine").dice(6, 6).dice(1, 1)
        assert t.units("sz8", "germany") == {"fighter": 1}


@pytest.mark.rule("aa1942:unit.destroyer.ally-none", "aa1942:multi.ally-excluded")
def test_an_allys_destroyer_in_the_zone_changes_nothing_for_defending_submarines() -> None:
    t = sea(
        "cruiser, fighter",
        "submarine",
        "united_kingdom",
        also={"sz8": {"united_states": "2 destroyer"}},
    )
    assert t.asked == "germany submerge_or_strike"
    t.do(Dive(0)).dice(1)
    # The hit falls on the British cruiser, not on an American ship.
    assert t.units("sz8", "united_kingdom") == {"fighter": 1}
    assert t.units("sz8", "united_states") == {"destroyer": 2}
    assert line(t) == "1 fighter at 3"
    t.dice(1)
    assert t.units("sz8", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:multi.defend-together", "aa1942:unit.destroyer.cancel")
def test_a_destroyer_of_any_defending_power_cancels_the_attackers_submarines() -> None:
    t = sea("2 submarine", {"united_kingdom": "cruiser", "united_states": "destroyer"})
    assert t.rolling == "attack in sz8: 2 submarine at 2"
    t.dice(6, 6)
    assert line(t) == "1 cruiser at 3, 1 destroyer at 2"


@pytest.mark.rule("aa1942:combat.sub.submerge.effect")
def test_submarines_that_submerged_do_not_bar_the_way_to_the_winner() -> None:
    t = sea("2 destroyer", "destroyer, submarine")
    assert step(t) == "attack in sz8"  # attacking destroyers: no submerging
    t = sea("2 cruiser", "destroyer, submarine").do(Dive(1)).dice(1, 6).dice(6)
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "germany") == {"cruiser": 2}


@pytest.mark.rule("aa1942:unit.sub.air-immune")
def test_hits_on_land_know_no_such_limits() -> None:
    t = land("fighter", "2 fighter").dice(1).dice(6, 6)
    assert t.units("west_russia", "germany") == {"fighter": 1}


@pytest.mark.rule("aa1942:combat.transports.stalemate")
def test_attacking_submarines_and_stranded_fighters_part_without_further_dice() -> None:
    t = sea("submarine", "aircraft_carrier, 2 fighter, transport").do(Dive(0)).dice(1)
    # Transports still float while the fighters fire once more, then nothing defends them.
    t.dice(1, 1)
    assert t.s.lost == {
        ("united_kingdom", "aircraft_carrier"): 1,
        ("united_kingdom", "transport"): 1,
    }
    assert t.units("sz8", "germany") == {"submarine": 1}
    assert t.units("united_kingdom", "united_kingdom") == {"fighter": 2}


@pytest.mark.rule("aa1942:combat.retreat.together", "aa1942:combat.sub.submerge.before-dice")
def test_submarines_can_retreat_after_a_round_instead_of_submerging() -> None:
    t = sea("2 submarine", "destroyer").dice(6, 6).dice(6).do(Retreat("sz9"))
    assert t.units("sz9", "germany") == {"submarine": 2}


@pytest.mark.rule("aa1942:combat.general.where")
def test_submarines_alone_are_attacked_only_if_the_attacker_wants_it() -> None:
    t = table(
        "germany",
        units={"sz9": {"germany": "cruiser"}, "sz8": {"united_kingdom": "submarine"}},
    ).do(move("cruiser", "sz9 > sz8"), Done())
    assert (t.request.battles, t.request.optional) == ((), ("sz8",))
    other = t.game.clone()
    other.submit("germany", Done())
    assert other.pending[0].kind == "noncombat_move"
    t.do(Fight("sz8"))
    assert t.asked == "united_kingdom submerge_or_strike"
