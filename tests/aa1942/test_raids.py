"""Strategic bombing raids, escorts and interceptors, antiaircraft artillery (p.14, p.25, p.27)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.aa1942.model import Unit
from sandtable.kernel.decisions import Pass
from tests.aa1942.battles import land, line, step
from tests.aa1942.table import (
    Casualties,
    Divert,
    Done,
    Fight,
    Intercept,
    Move,
    Press,
    Retreat,
    Table,
    counts,
    move,
    sail,
    table,
)


def raid(
    bombers: int,
    *,
    target: str = "germany",
    escorts: int = 0,
    attackers: str = "",
    defenders: str = "",
    option: bool = False,
    also: dict[str, dict[str, str]] | None = None,
    **more: Any,
) -> Table:
    """British bombers from Northwestern Europe (held by the British) are sent against Germany."""
    air = f"{bombers} bomber" + (f", {escorts} fighter" if escorts else "")
    units = {
        "northwestern_europe": {"united_kingdom": ", ".join(filter(None, [air, attackers]))},
        target: {"germany": defenders} if defenders else {},
        **(also or {}),
    }
    if escorts and "fighter" in attackers:
        raise ValueError("fighters either escort or attack")
    t = table(
        "united_kingdom",
        units=units,
        control={"northwestern_europe": "united_kingdom", **more.pop("control", {})},
        options={"interceptors": option},
        **more,
    )
    t.do(move(air, f"northwestern_europe > {target}", raid=True))
    for type_, count in counts(attackers).items() if attackers else ():
        t.do(Move({type_: count}, ("northwestern_europe", target)))
    return t.do(Done())


# --- the raid -------------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:sbr.target", "aa1942:sbr.damage-roll")
def test_a_raid_damages_the_complex_and_harms_no_unit() -> None:
    t = raid(2, defenders="3 infantry, fighter").dice(6, 6)
    assert t.rolled == "bombs in germany"
    t.dice(3, 4)
    assert t.s.complexes["germany"] == 7
    assert t.units("germany", "germany") == {"infantry": 3, "fighter": 1}
    assert t.asked == "united_kingdom noncombat_move"


@pytest.mark.rule("aa1942:sbr.target")
def test_only_bombers_raid_and_only_enemy_complexes() -> None:
    t = table(
        "united_kingdom",
        units={
            "northwestern_europe": {"united_kingdom": "bomber, fighter, tank"},
            "france": {"germany": "infantry"},
            "sz8": {"germany": "transport", "united_kingdom": "cruiser"},
        },
        control={"northwestern_europe": "united_kingdom"},
    )
    t.refused(move("bomber", "northwestern_europe > france", raid=True), "sbr.target")
    t.refused(move("tank", "northwestern_europe > germany", raid=True), "sbr.target")
    t.refused(move("bomber", "northwestern_europe > sz8 > united_kingdom", raid=True), "sbr.target")
    t.refused(
        move("fighter", "northwestern_europe > germany", raid=True), "option.air-battle.escort"
    )
    t.do(move("bomber", "northwestern_europe > germany", raid=True))


@pytest.mark.rule("aa1942:sbr.ic-fire")
@pytest.mark.parametrize(("faces", "left"), [((1, 2, 6), 2), ((1, 1, 1), 0), ((2, 3, 4), 3)])
def test_the_complex_rolls_a_die_per_bomber_and_a_1_removes_one_at_once(faces, left):
    t = raid(3)
    assert t.rolled == "complex in germany"
    t.dice(*faces)
    assert t.units("germany", "united_kingdom").get("bomber", 0) == left
    if left:
        t.dice(*[1] * left)
    assert t.s.complexes["germany"] == left


@pytest.mark.rule("aa1942:sbr.aaa-none")
def test_guns_do_not_fire_at_raiders() -> None:
    t = raid(2, defenders="3 antiaircraft_artillery, infantry").dice(6, 6).dice(1, 1)
    assert t.asked == "united_kingdom noncombat_move"
    assert not t.events("antiaircraft")


@pytest.mark.rule("aa1942:sbr.cap")
@pytest.mark.parametrize(
    ("before", "faces", "after"),
    [(0, (6, 6, 6), 18), (10, (6, 6), 20), (19, (1,), 20), (19, (6,), 20), (20, (6,), 20)],
)
def test_damage_never_exceeds_twice_the_income(before, faces, after):
    t = raid(len(faces), damage={"germany": before}).dice(*[6] * len(faces)).dice(*faces)
    assert t.s.complexes["germany"] == after
    bombed = t.events("bombed")[-1]
    assert (bombed["against"], bombed["damage"]) == ("germany", after - before)


@pytest.mark.rule("aa1942:sbr.damage-roll")
def test_each_survivor_rolls_one_die_and_the_sum_is_the_damage() -> None:
    t = raid(3, damage={"germany": 2}).dice(6, 1, 6)
    assert t.request.dice == 2
    t.dice(5, 2)
    assert t.s.complexes["germany"] == 9


@pytest.mark.rule("aa1942:sbr.bomber-committed")
def test_raiders_stay_out_of_the_battle_in_the_same_territory() -> None:
    t = raid(2, attackers="2 infantry", defenders="infantry").dice(6, 6).dice(1, 1)
    assert t.rolling == "attack in germany: 2 infantry at 1"
    t.dice(6, 6).dice(1)
    assert t.units("germany", "united_kingdom") == {"bomber": 2, "infantry": 1}


@pytest.mark.rule("aa1942:sbr.bomber-committed")
def test_raiders_alone_start_no_battle_and_fly_home_to_friendly_land() -> None:
    t = raid(1, defenders="infantry").dice(6).dice(1)
    assert t.asked == "united_kingdom noncombat_move"
    t.refused(Done(), "unit.air.landing-duty")
    t.refused(move("bomber", "germany > poland"), "noncombat.air.no-captured")
    t.do(move("bomber", "germany > northwestern_europe"), Done())


@pytest.mark.rule("aa1942:sbr.bomber-committed")
def test_a_raider_cannot_land_in_the_territory_captured_under_it() -> None:
    t = raid(1, attackers="infantry", defenders="").dice(6).dice(1)
    assert t.s.control["germany"] == "united_kingdom"
    t.refused(Done(), "unit.air.landing-duty")


@pytest.mark.rule("aa1942:sbr.bomber-committed", "aa1942:sbr.target")
def test_a_bomber_is_sent_to_raid_or_to_fight_never_both() -> None:
    t = table(
        "united_kingdom",
        units={
            "northwestern_europe": {"united_kingdom": "bomber"},
            "germany": {"germany": "infantry"},
        },
        control={"northwestern_europe": "united_kingdom"},
    )
    t.do(move("bomber", "northwestern_europe > germany", raid=True))
    t.refused(move("bomber", "germany > poland"))
    t.do(Done()).dice(6).dice(2)
    assert t.asked == "united_kingdom noncombat_move"


@pytest.mark.rule("aa1942:combat.sequence", "aa1942:combat.general.order")
def test_of_several_raids_the_attacker_chooses_the_next() -> None:
    t = table(
        "united_kingdom",
        units={"united_kingdom": {"united_kingdom": "2 bomber"}},
    )
    t.do(
        move("bomber", "united_kingdom > sz8 > france > italy", raid=True),
        move("bomber", "united_kingdom > sz6 > northwestern_europe > germany", raid=True),
        Done(),
    )
    assert t.request.battles == ("germany", "italy")
    t.do(Fight("italy"))
    assert t.rolled == "complex in italy"
    t.dice(6).dice(6)
    assert t.rolled == "complex in germany"
    assert t.s.complexes["italy"] == 6


@pytest.mark.rule("aa1942:sbr.ic-fire")
def test_the_owner_chooses_among_bombers_of_different_range() -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "bomber"},
            "northwestern_europe": {"united_kingdom": "bomber"},
        },
        control={"northwestern_europe": "united_kingdom"},
    )
    t.do(
        move("bomber", "united_kingdom > sz6 > northwestern_europe > germany", raid=True),
        move("bomber", "northwestern_europe > germany", raid=True),
        Done(),
    )
    t.dice(1, 6)
    assert t.asked == "united_kingdom choose_casualties"
    assert t.request.units == {"united_kingdom": {"bomber (range 3)": 1, "bomber (range 5)": 1}}
    t.do(Casualties({"united_kingdom": {"bomber (range 3)": 1}}))
    assert t.request.dice == 1


# --- escorts and interceptors ---------------------------------------------------------------------


@pytest.mark.rule("aa1942:option.air-battle.intercept", "aa1942:option.air-battle.commit-timing")
def test_interceptors_are_committed_after_combat_movement_and_before_any_combat() -> None:
    t = raid(
        1,
        defenders="3 fighter, infantry",
        option=True,
        attackers="infantry",
        also={"poland": {"germany": "2 fighter"}},
    )
    assert t.asked == "germany commit_interceptors"
    assert t.request.fighters == {"germany": 3}
    assert (t.s.phase, t.events("battle_began")) == ("conduct_combat", [])
    t.refused(Intercept({"poland": 1}), "option.air-battle.intercept")
    t.refused(Intercept({"germany": 4}), "option.air-battle.intercept")
    t.refused(Intercept({"germany": 0}), "option.air-battle.intercept")
    t.refused(Intercept({}), "option.air-battle.intercept")
    t.do(Intercept({"germany": 2}))
    assert t.rolled == "air_battle in germany"


@pytest.mark.rule("aa1942:option.air-battle.intercept")
def test_interceptors_rise_without_escorts_and_of_every_defending_power() -> None:
    t = raid(1, option=True, also={"germany": {"germany": "fighter", "japan": "2 fighter"}})
    assert t.asked == "germany commit_interceptors, japan commit_interceptors"
    t.do(Pass(), by="germany").do(Intercept({"germany": 2}), by="japan")
    t.dice(6)
    assert t.rolled == "interceptors in germany"
    assert t.request.dice == 2


@pytest.mark.rule("aa1942:option.air-battle.commit-timing")
def test_the_decision_falls_before_the_raids_of_all_territories() -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "2 bomber"},
            "germany": {"germany": "fighter"},
            "italy": {"germany": "fighter"},
        },
        options={"interceptors": True},
    )
    t.do(
        move("bomber", "united_kingdom > sz8 > france > italy", raid=True),
        move("bomber", "united_kingdom > sz6 > northwestern_europe > germany", raid=True),
        Done(),
    )
    assert t.request.fighters == {"germany": 1, "italy": 1}
    t.do(Intercept({"germany": 1, "italy": 1}))
    assert t.asked == "united_kingdom choose_battle"


@pytest.mark.rule("aa1942:option.air-battle.intercept")
def test_without_the_option_nobody_is_asked() -> None:
    assert raid(1, defenders="2 fighter").rolled == "complex in germany"


@pytest.mark.rule("aa1942:option.air-battle.when", "aa1942:option.air-battle.raid-continues")
def test_the_air_battle_lasts_one_round_and_comes_before_the_fire_of_the_complex() -> None:
    t = raid(2, defenders="2 fighter", option=True).do(Intercept({"germany": 2}))
    assert t.rolled == "air_battle in germany"
    t.dice(6, 6)
    assert t.rolled == "interceptors in germany"
    t.dice(6, 6)
    assert t.rolled == "complex in germany"
    t.dice(6, 6)
    assert t.rolled == "bombs in germany"
    t.dice(2, 3)
    assert t.s.complexes["germany"] == 5


@pytest.mark.rule("aa1942:option.air-battle.when")
def test_without_interceptors_there_is_no_air_battle() -> None:
    t = raid(1, escorts=1, defenders="2 fighter", option=True).do(Pass())
    assert t.rolled == "complex in germany"


@pytest.mark.rule("aa1942:option.air-battle.attacker-fire")
def test_bombers_and_escorts_hit_on_1_and_interceptors_fall_before_they_fire() -> None:
    t = raid(2, escorts=1, defenders="3 fighter", option=True).do(Intercept({"germany": 3}))
    assert t.request.dice == 3
    t.dice(1, 2, 1)
    assert t.units("germany", "germany") == {"fighter": 1}
    assert t.request.dice == 1
    t.dice(6)


@pytest.mark.rule("aa1942:option.air-battle.attacker-fire")
def test_fighters_that_stayed_on_the_ground_are_not_hit() -> None:
    t = raid(2, defenders="3 fighter", option=True).do(Intercept({"germany": 1})).dice(1, 1)
    assert t.units("germany", "germany") == {"fighter": 2}
    assert t.rolled == "complex in germany"


@pytest.mark.rule("aa1942:option.air-battle.defender-fire")
@pytest.mark.parametrize(("face", "hit"), [(1, True), (2, True), (3, False)])
def test_surviving_interceptors_hit_on_2_and_the_attacker_chooses(face, hit):
    t = raid(1, escorts=1, defenders="fighter", option=True).do(Intercept({"germany": 1}))
    t.dice(6, 6).dice(face)
    if not hit:
        assert t.rolled == "complex in germany"
        return
    assert t.asked == "united_kingdom choose_casualties"
    t.do(Casualties({"united_kingdom": {"fighter": 1}}))
    assert t.units("germany", "united_kingdom") == {"bomber": 1}
    assert t.rolled == "complex in germany"


@pytest.mark.rule("aa1942:option.air-battle.raid-continues")
def test_bombers_lost_in_the_air_battle_bomb_nothing() -> None:
    t = raid(2, defenders="fighter", option=True).do(Intercept({"germany": 1})).dice(6, 6).dice(1)
    assert t.request.dice == 1
    t.dice(6).dice(4)
    assert t.s.complexes["germany"] == 4
    t = raid(1, defenders="fighter", option=True).do(Intercept({"germany": 1})).dice(6).dice(2)
    assert t.asked == "united_kingdom noncombat_move"
    assert t.s.complexes["germany"] == 0


@pytest.mark.rule("aa1942:option.air-battle.escort")
def test_escorts_come_from_any_space_in_range_and_need_a_bomber() -> None:
    t = table(
        "united_kingdom",
        units={
            "northwestern_europe": {"united_kingdom": "fighter"},
            "united_kingdom": {"united_kingdom": "bomber"},
            "sz5": {"united_kingdom": "aircraft_carrier, fighter"},
        },
        control={"northwestern_europe": "united_kingdom"},
        options={"interceptors": True},
    )
    escort = move("fighter", "northwestern_europe > germany", raid=True)
    t.refused(escort, "option.air-battle.escort")
    t.do(move("bomber", "united_kingdom > sz6 > northwestern_europe > germany", raid=True))
    t.do(escort, move("fighter", "sz5 > germany", raid=True), Done())
    assert t.units("germany", "united_kingdom") == {"bomber": 1, "fighter": 2}
    assert t.request.dice == 1  # the complex fires at the bomber only


@pytest.mark.rule("aa1942:option.air-battle.escort-retire", "aa1942:option.air-battle.excluded")
@pytest.mark.parametrize("intercepted", [True, False])
def test_escorts_neither_bomb_nor_are_shot_at_nor_fight_and_wait_to_land(intercepted):
    t = raid(1, escorts=2, attackers="2 infantry", defenders="infantry, fighter", option=True)
    if intercepted:
        t.do(Intercept({"germany": 1})).dice(6, 6, 6).dice(6)
    else:
        t.do(Pass())
    assert t.request.dice == 1
    t.dice(6)
    assert t.request.dice == 1
    t.dice(3)
    assert line(t) == "2 infantry at 1"
    t.dice(6, 6).dice(6) if intercepted else t.dice(6, 6).dice(6, 6)
    t.do(Retreat("northwestern_europe"))
    assert t.units("germany", "united_kingdom") == {"bomber": 1, "fighter": 2}
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("bomber, 2 fighter", "germany > northwestern_europe"), Done())


@pytest.mark.rule("aa1942:option.air-battle.excluded")
def test_interceptors_do_not_defend_the_territory_nor_take_its_hits() -> None:
    t = raid(1, attackers="2 infantry", defenders="2 infantry, 2 fighter", option=True)
    t.do(Intercept({"germany": 1})).dice(6).dice(6).dice(6).dice(1)
    t.dice(1, 1)
    assert t.asked == "germany choose_casualties"
    assert t.request.units == {"germany": {"infantry": 2, "fighter": 1}}
    t.do(Casualties({"germany": {"infantry": 2}}))
    assert line(t) == "2 infantry at 2, 1 fighter at 4"


@pytest.mark.rule("aa1942:option.air-battle.interceptor-return")
def test_interceptors_return_to_their_territory_and_are_ready_again() -> None:
    t = raid(1, defenders="2 fighter", option=True).do(Intercept({"germany": 2}))
    t.dice(6).dice(6, 6).dice(6).dice(1)
    assert t.asked == "united_kingdom noncombat_move"
    t.do(move("bomber", "germany > northwestern_europe"), Done())
    assert t.s.turn == "japan"
    assert dict(t.s.stack("germany")) == {Unit("germany", "fighter"): 2}


def captured_under_interceptors(**more: Any) -> Table:
    """Germany falls while two interceptors are in the air."""
    t = raid(1, attackers="2 infantry", defenders="2 fighter", option=True, **more)
    return t.do(Intercept({"germany": 2})).dice(6).dice(6, 6).dice(6).dice(1)


@pytest.mark.rule("aa1942:option.air-battle.interceptor-return")
def test_interceptors_over_a_captured_base_land_one_space_away_before_the_attacker_moves() -> None:
    t = captured_under_interceptors()
    assert t.s.control["germany"] == "united_kingdom"
    assert t.asked == "germany land_stranded"
    assert "poland" in t.request.to
    assert "northwestern_europe" not in t.request.to
    t.refused(Divert("ukraine_ssr"), "noncombat.stranded")
    t.do(Divert("poland"))
    assert t.asked == "germany land_stranded"
    t.do(Divert("italy"))
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("poland", "germany") == t.units("italy", "germany") == {"fighter": 1}


SURROUNDED = {
    place: "united_kingdom"
    for place in (
        "baltic_states",
        "bulgaria_romania",
        "france",
        "italy",
        "poland",
        "southern_europe",
    )
}


@pytest.mark.rule("aa1942:option.air-battle.interceptor-return")
def test_interceptors_without_a_landing_place_are_lost() -> None:
    t = captured_under_interceptors(control=SURROUNDED)
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("germany", "germany") == {}
    assert t.s.lost["germany", "fighter"] == 2


@pytest.mark.rule("aa1942:option.air-battle.interceptor-return")
def test_interceptors_land_on_a_carrier_as_far_as_there_is_room() -> None:
    t = captured_under_interceptors(
        control=SURROUNDED, also={"sz5": {"germany": "aircraft_carrier, fighter"}}
    )
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("sz5", "germany") == {"aircraft_carrier": 1, "fighter": 2}
    assert t.s.lost["germany", "fighter"] == 1


# --- antiaircraft artillery -----------------------------------------------------------------------


@pytest.mark.rule("aa1942:unit.aaa.fire.dice")
@pytest.mark.parametrize(
    ("guns", "planes", "dice"), [(1, 1, 1), (1, 3, 3), (1, 4, 3), (2, 4, 4), (2, 6, 6), (3, 10, 9)]
)
def test_three_dice_a_gun_but_one_per_aircraft(guns, planes, dice):
    t = land(f"{planes} fighter", f"{guns} antiaircraft_artillery, infantry")
    assert t.rolled == "antiaircraft in west_russia"
    assert t.request.dice == dice


@pytest.mark.rule("aa1942:unit.aaa.fire.dice")
def test_bombers_and_fighters_count_alike_and_land_units_do_not() -> None:
    t = land("fighter, bomber, 5 infantry", "antiaircraft_artillery, infantry")
    assert t.request.dice == 2


@pytest.mark.rule("aa1942:unit.aaa.fire.when")
def test_guns_fire_once_before_the_first_round() -> None:
    t = land("infantry, 2 fighter", "antiaircraft_artillery, 2 infantry").dice(6, 6)
    assert step(t) == "attack in west_russia"
    t.dice(6, 6, 6).dice(6, 6).do(Press())
    assert step(t) == "attack in west_russia"


@pytest.mark.rule("aa1942:unit.aaa.fire.when")
def test_guns_do_not_fire_at_land_units_or_from_the_neighbourhood() -> None:
    t = land("2 tank", "antiaircraft_artillery, infantry")
    assert step(t) == "attack in west_russia"
    t = land("fighter", "infantry")
    assert step(t) == "attack in west_russia"


@pytest.mark.rule("aa1942:unit.aaa.fire.when")
def test_guns_that_are_only_flown_over_do_not_fire() -> None:
    t = table(
        "soviet_union",
        units={
            "russia": {"soviet_union": "bomber"},
            "west_russia": {"germany": "antiaircraft_artillery, infantry"},
            "belorussia": {"germany": "infantry"},
        },
    ).do(move("bomber", "russia > west_russia > belorussia"), Done())
    assert t.rolling == "attack in belorussia: 1 bomber at 4"


@pytest.mark.rule("aa1942:unit.aaa.fire.casualty")
@pytest.mark.parametrize("face", [1, 2])
def test_only_a_1_hits_and_the_aircraft_is_gone_before_it_fires(face):
    t = land("infantry, fighter", "antiaircraft_artillery, infantry").dice(face)
    assert line(t) == ("1 infantry at 1" if face == 1 else "1 infantry at 1, 1 fighter at 3")


@pytest.mark.rule("aa1942:unit.aaa.fire.casualty")
def test_the_attacker_chooses_which_aircraft_are_lost() -> None:
    t = land("2 fighter, bomber", "antiaircraft_artillery, infantry").dice(1, 6, 1)
    assert t.asked == "soviet_union choose_casualties"
    t.refused(Casualties({"soviet_union": {"fighter": 1}}), "combat.fire.max-hits")
    t.do(Casualties({"soviet_union": {"fighter": 1, "bomber": 1}}))
    assert line(t) == "1 fighter at 3"


@pytest.mark.rule("aa1942:unit.aaa.fire.casualty")
def test_land_units_cannot_be_given_for_antiaircraft_hits() -> None:
    t = land("3 infantry, fighter, bomber", "antiaircraft_artillery, infantry").dice(1, 6)
    assert t.request.units == {"soviet_union": {"fighter (range 3)": 1, "bomber (range 5)": 1}}


@pytest.mark.rule("aa1942:unit.aaa.fire.casualty")
def test_a_battle_is_over_if_antiaircraft_fire_destroys_the_whole_attack() -> None:
    t = land("fighter", "antiaircraft_artillery, infantry").dice(1)
    assert t.asked == "soviet_union noncombat_move"
    assert t.units("west_russia", "germany") == {"antiaircraft_artillery": 1, "infantry": 1}


@pytest.mark.rule("aa1942:unit.aaa.alone")
def test_guns_alone_are_destroyed_by_aircraft_without_fire_and_without_capture() -> None:
    t = land("2 fighter", "2 antiaircraft_artillery")
    assert t.asked == "soviet_union noncombat_move"
    assert t.units("west_russia", "germany") == {}
    assert t.s.control["west_russia"] == "germany"
    assert not t.events("antiaircraft")


@pytest.mark.rule("aa1942:unit.aaa.never-attack")
def test_guns_never_attack_by_land_or_from_a_transport() -> None:
    t = table(
        "united_kingdom",
        units={
            "karelia_ssr": {"united_kingdom": "antiaircraft_artillery, infantry"},
            "sz5": {"united_kingdom": "transport"},
            "finland": {"germany": "infantry"},
        },
        cargo={
            "sz5": {
                "united_kingdom": [
                    {
                        "ship": "transport",
                        "load": {"united_kingdom": {"antiaircraft_artillery": 1, "infantry": 1}},
                    }
                ]
            }
        },
    )
    t.refused(move("antiaircraft_artillery", "karelia_ssr > finland"), "unit.aaa.move")
    t.refused(
        sail("sz5", offload="finland", units={"antiaircraft_artillery": 1, "infantry": 1}),
        "unit.aaa.never-attack",
    )
    t.do(sail("sz5", offload="finland"), Done())
    assert line(t) == "1 infantry at 1"
    assert t.cargo("sz5", "united_kingdom") == [["united_kingdom antiaircraft_artillery"]]


@pytest.mark.rule("aa1942:sbr.aaa-none", "aa1942:unit.aaa.fire.dice")
def test_raid_and_battle_in_one_territory_are_shot_at_separately() -> None:
    t = raid(2, attackers="infantry, 2 fighter", defenders="antiaircraft_artillery, 2 infantry")
    assert (t.rolled, t.request.dice) == ("complex in germany", 2)
    t.dice(1, 6).dice(3)
    assert (t.rolled, t.request.dice) == ("antiaircraft in germany", 2)
    t.dice(1, 6)
    assert line(t) == "1 infantry at 1, 1 fighter at 3"
    assert t.units("germany", "united_kingdom") == {"bomber": 1, "infantry": 1, "fighter": 1}
