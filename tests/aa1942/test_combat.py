"""General combat: the sequence, the dice, the end of a battle and retreats (p.14-18)."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandtable
from sandtable.games.aa1942 import RULES
from tests.aa1942.battles import land, line, sea, step
from tests.aa1942.table import (
    Casualties,
    Dive,
    Done,
    Fight,
    Press,
    Retreat,
    Table,
    move,
    sail,
    table,
)

# --- the phase ------------------------------------------------------------------------------------


def three_kinds_of_combat():
    """A British raid on Germany, an assault on Northwestern Europe and two attacks overland."""
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "bomber, 2 infantry"},
            "sz6": {"united_kingdom": "transport"},
            "karelia_ssr": {"united_kingdom": "2 infantry"},
            "northwestern_europe": {"germany": "infantry"},
            "belorussia": {"germany": "infantry"},
            "baltic_states": {"germany": "infantry"},
        },
    )
    return t.do(
        move("infantry", "karelia_ssr > belorussia"),
        move("infantry", "karelia_ssr > baltic_states"),
        sail("sz6", "2 infantry from united_kingdom in sz6", offload="northwestern_europe"),
        move("bomber", "united_kingdom > sz6 > northwestern_europe > germany", raid=True),
        Done(),
    )


@pytest.mark.rule("aa1942:combat.sequence")
def test_raids_come_before_assaults_and_assaults_before_other_battles() -> None:
    t = three_kinds_of_combat()
    assert step(t) == t.rolled == "complex in germany"
    t.dice(6).dice(3)
    assert step(t) == "attack in northwestern_europe"
    t.dice(1, 6).dice(6)
    assert t.asked == "united_kingdom choose_battle"
    assert t.request.battles == ("baltic_states", "belorussia")


@pytest.mark.rule("aa1942:combat.general.order", "aa1942:combat.general.where")
def test_the_attacker_chooses_the_next_battle_and_cannot_leave_one_out() -> None:
    t = three_kinds_of_combat().dice(6).dice(3).dice(1, 6).dice(6)
    t.refused(Done(), "combat.general.where")
    t.refused(Fight("germany"), "combat.sequence")
    t.do(Fight("belorussia"))
    assert step(t) == "attack in belorussia"
    t.dice(6).dice(6).do(Press())
    assert step(t) == "attack in belorussia"
    t.dice(1).dice(6)
    assert step(t) == "attack in baltic_states"
    t.dice(1).dice(1)
    assert t.asked == "united_kingdom noncombat_move"


@pytest.mark.rule("aa1942:combat.general.where")
def test_a_battle_is_fought_wherever_both_sides_are_but_not_against_ignored_submarines() -> None:
    t = table(
        "germany",
        units={
            "sz7": {"germany": "cruiser", "united_kingdom": "submarine"},
            "sz8": {"germany": "cruiser", "united_kingdom": "destroyer"},
            "sz9": {"germany": "cruiser", "united_kingdom": "transport"},
        },
    ).do(Done())
    assert (t.request.battles, t.request.optional) == (("sz8",), ("sz7", "sz9"))
    t.do(Fight("sz8")).dice(1).dice(6)
    t.do(Done())
    assert t.asked == "germany noncombat_move"
    assert t.units("sz7", "united_kingdom") == {"submarine": 1}
    assert t.units("sz9", "united_kingdom") == {"transport": 1}


@pytest.mark.rule("aa1942:combat.general.where", "aa1942:combat.retreat.together")
def test_ships_that_retreated_fight_no_second_battle() -> None:
    t = sea("cruiser", "destroyer", also={"sz9": {"united_kingdom": "transport"}})
    t.dice(6).dice(6).do(Retreat("sz9"))
    assert t.asked == "germany noncombat_move"
    assert t.units("sz9", "united_kingdom") == {"transport": 1}
    assert t.units("sz9", "germany") == {"cruiser": 1}


# --- the dice -------------------------------------------------------------------------------------

LAND_VALUES = [
    ("infantry", 1, 2),
    ("artillery", 2, 2),
    ("tank", 3, 3),
    ("fighter", 3, 4),
    ("bomber", 4, 1),
]
SEA_VALUES = [
    ("battleship", 4, 4),
    ("aircraft_carrier", 1, 2),
    ("cruiser", 3, 3),
    ("destroyer", 2, 2),
]


@pytest.mark.rule("aa1942:combat.strip.hit-number", "aa1942:combat.fire.attacker")
@pytest.mark.parametrize(("unit", "attack", "defense"), LAND_VALUES)
@pytest.mark.parametrize("over", [0, 1])
def test_an_attacker_hits_on_its_attack_value_or_less(unit, attack, defense, over):
    t = land(unit, "2 infantry")
    assert line(t) == f"1 {unit} at {attack}"
    t.dice(attack + over).dice(6, 6)
    assert t.units("west_russia", "germany") == {"infantry": 1 + over}


@pytest.mark.rule("aa1942:combat.strip.hit-number", "aa1942:combat.fire.defender")
@pytest.mark.parametrize(("unit", "attack", "defense"), LAND_VALUES)
@pytest.mark.parametrize("over", [0, 1])
def test_a_defender_hits_on_its_defence_value_or_less(unit, attack, defense, over):
    t = land("2 infantry", unit).dice(6, 6)
    assert line(t) == f"1 {unit} at {defense}"
    t.dice(defense + over)
    assert t.units("west_russia", "soviet_union") == {"infantry": 1 + over}


@pytest.mark.rule("aa1942:combat.strip.hit-number")
@pytest.mark.parametrize(("unit", "attack", "defense"), SEA_VALUES)
@pytest.mark.parametrize("over", [0, 1])
def test_ships_hit_on_their_values_or_less(unit, attack, defense, over):
    t = sea(unit, "3 destroyer")
    assert line(t) == f"1 {unit} at {attack}"
    t.dice(attack + over).dice(6, 6, 6)
    assert t.units("sz8", "united_kingdom") == {"destroyer": 2 + over}
    t = sea("3 destroyer", unit).dice(6, 6, 6)
    assert line(t) == f"1 {unit} at {defense}"
    t.dice(defense + over)
    assert t.units("sz8", "germany") == {"destroyer": 2 + over}


@pytest.mark.rule(
    "aa1942:combat.general.sequence", "aa1942:combat.fire.attacker", "aa1942:combat.fire.defender"
)
def test_rounds_of_attack_and_defence_follow_each_other_until_the_end() -> None:
    t = land("2 infantry, tank", "2 infantry, artillery")
    seen = []
    for faces in ((6, 6, 6), (6, 6, 6)):
        seen.append(t.rolling)
        t.dice(*faces)
    assert t.asked == "soviet_union press_or_retreat"
    t.do(Press())
    seen.append(t.rolling)
    t.dice(1, 6, 6)
    assert t.asked == "germany choose_casualties"
    t.do(Casualties({"germany": {"artillery": 1}}))
    seen.append(t.rolling)
    t.dice(6, 6, 6).do(Press())
    t.dice(1, 6, 1)
    seen.append(t.rolling)
    t.dice(1, 6)
    assert t.asked == "soviet_union choose_casualties"
    t.do(Casualties({"soviet_union": {"infantry": 1}}))
    assert seen == [
        "attack in west_russia: 2 infantry at 1, 1 tank at 3",
        "defence in west_russia: 2 infantry at 2, 1 artillery at 2",
        "attack in west_russia: 2 infantry at 1, 1 tank at 3",
        "defence in west_russia: 2 infantry at 2, 1 artillery at 2",
        "defence in west_russia: 2 infantry at 2",
    ]
    assert t.asked == "soviet_union noncombat_move"
    assert t.units("west_russia", "soviet_union") == {"infantry": 1, "tank": 1}
    assert t.s.control["west_russia"] == "soviet_union"


@pytest.mark.rule(
    "aa1942:combat.general.simultaneous",
    "aa1942:combat.fire.attacker.casualties",
    "aa1942:combat.fire.defender",
    "aa1942:combat.casualties.remove",
)
def test_a_casualty_of_normal_fire_shoots_back_and_is_then_removed() -> None:
    t = land("2 tank", "infantry, artillery").dice(1, 6)
    t.do(Casualties({"germany": {"artillery": 1}}))
    assert t.units("west_russia", "germany") == {"infantry": 1, "artillery": 1}
    assert line(t) == "1 infantry at 2, 1 artillery at 2"
    t.dice(6, 2)
    assert t.units("west_russia", "soviet_union") == {"tank": 1}
    assert t.units("west_russia", "germany") == {"infantry": 1}


@pytest.mark.rule("aa1942:combat.fire.defender.casualties")
def test_attackers_casualties_are_chosen_after_all_defenders_have_rolled_and_go_at_once() -> None:
    t = land("2 infantry, tank", "2 infantry").dice(6, 6, 6)
    assert t.units("west_russia", "soviet_union") == {"infantry": 2, "tank": 1}
    t.dice(1, 2)
    assert t.asked == "soviet_union choose_casualties"
    assert (t.request.of, t.request.hits.total) == ("attacker", 2)
    t.do(Casualties({"soviet_union": {"infantry": 1, "tank": 1}}))
    assert t.units("west_russia", "soviet_union") == {"infantry": 1}


@pytest.mark.rule("aa1942:combat.fire.attacker.casualties", "aa1942:combat.fire.max-hits")
def test_the_defender_chooses_exactly_one_unit_per_hit() -> None:
    t = land("3 tank", "2 infantry, tank").dice(1, 1, 6)
    assert t.asked == "germany choose_casualties"
    t.refused(Casualties({"germany": {"infantry": 1}}), "combat.fire.max-hits")
    t.refused(Casualties({"germany": {"infantry": 2, "tank": 1}}), "combat.fire.max-hits")
    t.refused(Casualties({"germany": {"infantry": 3}}))
    t.refused(Casualties({"soviet_union": {"tank": 2}}))
    t.do(Casualties({"germany": {"infantry": 1, "tank": 1}}))
    assert line(t) == "2 infantry at 2, 1 tank at 3"


# --- artillery ------------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:unit.artillery.support")
@pytest.mark.parametrize(
    ("attackers", "listed"),
    [
        ("infantry, artillery", "1 infantry at 2, 1 artillery at 2"),
        ("3 infantry, artillery", "1 infantry at 2, 2 infantry at 1, 1 artillery at 2"),
        ("infantry, 3 artillery", "1 infantry at 2, 3 artillery at 2"),
        ("2 infantry, tank", "2 infantry at 1, 1 tank at 3"),
    ],
)
def test_each_artillery_supports_one_attacking_infantry(attackers, listed):
    assert line(land(attackers, "infantry")) == listed


@pytest.mark.rule("aa1942:unit.artillery.support")
def test_artillery_supports_infantry_from_another_territory_and_from_the_sea() -> None:
    t = land({"russia": "infantry", "caucasus": "artillery", "archangel": "infantry"}, "infantry")
    assert line(t) == "1 infantry at 2, 1 infantry at 1, 1 artillery at 2"
    t = table(
        "united_kingdom",
        units={
            "sz5": {"united_kingdom": "transport"},
            "karelia_ssr": {"united_kingdom": "infantry, artillery"},
            "baltic_states": {"germany": "infantry"},
        },
    )
    t.do(
        sail("sz5", "artillery from karelia_ssr in sz5", offload="baltic_states"),
        move("infantry", "karelia_ssr > baltic_states"),
        Done(),
    )
    assert line(t) == "1 infantry at 2, 1 artillery at 2"


@pytest.mark.rule("aa1942:unit.artillery.support", "aa1942:combat.reevaluate")
def test_support_ends_in_the_round_after_the_artillery_is_lost() -> None:
    t = land("2 infantry, artillery", "2 infantry")
    assert line(t) == "1 infantry at 2, 1 infantry at 1, 1 artillery at 2"
    t.dice(6, 6, 6).dice(1, 6).do(Casualties({"soviet_union": {"artillery": 1}})).do(Press())
    assert line(t) == "2 infantry at 1"


@pytest.mark.rule("aa1942:unit.artillery.support")
def test_artillery_gives_no_support_in_defence_whatever_the_numbers_are(tmp_path: Path) -> None:
    # As printed, supported infantry attack as well as any infantry defends: other numbers show it.
    units = (RULES.folder / "data" / "units.yaml").read_text()
    (tmp_path / "units.yaml").write_text(
        units.replace("supported_attack: 2 ", "supported_attack: 4 ")
    )
    position = {
        "base": "empty",
        "turn": "soviet_union",
        "phase": "combat_move",
        "units": {
            "russia": {"soviet_union": {"infantry": 2, "artillery": 1}},
            "west_russia": {"germany": {"infantry": 2, "artillery": 1}},
        },
    }
    t = Table(sandtable.new("aa1942", position=position, chance="explicit", data=tmp_path))
    t.do(move("2 infantry, artillery", "russia > west_russia"), Done())
    assert line(t) == "1 infantry at 4, 1 infantry at 1, 1 artillery at 2"
    t.dice(6, 6, 6)
    assert line(t) == "2 infantry at 2, 1 artillery at 2"


# --- no resistance --------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat.general.no-resistance")
@pytest.mark.parametrize("guns", ["", "2 antiaircraft_artillery"])
def test_land_units_take_an_undefended_territory_without_dice(guns):
    t = land("infantry", guns)
    assert t.asked == "soviet_union noncombat_move"
    assert t.s.control["west_russia"] == "soviet_union"
    assert t.units("west_russia", "germany") == {}
    assert not t.events("fired")


@pytest.mark.rule("aa1942:combat.general.no-resistance", "aa1942:combat.strip.ic")
def test_a_complex_and_guns_offer_no_resistance() -> None:
    t = land(
        "infantry, fighter",
        "antiaircraft_artillery",
        turn="germany",
        target="karelia_ssr",
        origin="baltic_states",
        damage={"karelia_ssr": 3},
    )
    assert t.asked == "germany noncombat_move"
    assert t.s.control["karelia_ssr"] == "germany"
    assert t.units("karelia_ssr", "germany") == {"infantry": 1, "fighter": 1}
    assert t.s.complexes["karelia_ssr"] == 3
    assert not t.events("antiaircraft")


@pytest.mark.rule("aa1942:combat.strip.ic")
def test_a_complex_neither_rolls_nor_takes_a_hit() -> None:
    t = land(
        "2 tank", "infantry, artillery", turn="germany", target="karelia_ssr", origin="belorussia"
    )
    t.dice(1, 6)
    assert t.request.units == {"united_kingdom": {"infantry": 1, "artillery": 1}}
    t.refused(Casualties({"united_kingdom": {"industrial_complex": 1}}))
    t.do(Casualties({"united_kingdom": {"infantry": 1}}))
    assert line(t) == "1 infantry at 2, 1 artillery at 2"
    t.dice(6, 6).do(Press()).dice(1, 1).dice(6)
    assert t.s.complexes["karelia_ssr"] == 0


# --- cargo ----------------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat.strip.cargo")
def test_cargo_does_not_fight_takes_no_hit_and_sinks_with_its_transport() -> None:
    t = sea(
        "destroyer, transport",
        "2 cruiser",
        cargo={
            "sz9": {
                "germany": [{"ship": "transport", "load": {"germany": {"tank": 1, "infantry": 1}}}]
            }
        },
    )
    assert line(t) == "1 destroyer at 2"
    t.dice(6).dice(1, 6).do(Press())
    assert t.units("sz8", "germany") == {"transport": 1}
    t.dice(1, 6)
    assert t.units("sz8", "germany") == {}
    assert {k: n for k, n in t.s.lost.items() if n} == {
        ("germany", "destroyer"): 1,
        ("germany", "transport"): 1,
        ("germany", "tank"): 1,
        ("germany", "infantry"): 1,
    }


@pytest.mark.rule("aa1942:combat.strip.cargo")
def test_cargo_is_never_listed_as_a_target_and_the_owner_chooses_the_transport_by_its_load() -> (
    None
):
    t = sea(
        "destroyer, 2 transport",
        "2 cruiser",
        cargo={"sz9": {"germany": [{"ship": "transport", "load": {"germany": {"tank": 1}}}]}},
    )
    t.dice(6).dice(1, 1)
    assert t.request.units == {"germany": {"destroyer": 1, "transport": 1, "transport (tank)": 1}}
    t.refused(Casualties({"germany": {"destroyer": 1, "tank": 1}}))
    t.do(Casualties({"germany": {"destroyer": 1, "transport": 1}}))
    assert t.cargo("sz8", "germany") == [["germany tank"]]


# --- defenceless transports -----------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat.transports.defenseless")
@pytest.mark.parametrize("attackers", ["submarine", "destroyer", "fighter", "aircraft_carrier"])
def test_transports_alone_are_destroyed_without_dice_with_their_cargo(attackers):
    t = sea(
        attackers,
        "2 transport",
        cargo={
            "sz8": {
                "united_kingdom": [
                    {"ship": "transport", "load": {"united_states": {"infantry": 2}}}
                ]
            }
        },
    )
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "united_kingdom") == {}
    assert t.s.lost["united_states", "infantry"] == 2
    assert not t.events("fired")


@pytest.mark.rule("aa1942:combat.transports.defenseless", "aa1942:combat.end.elimination")
def test_transports_are_destroyed_when_their_last_escort_is_sunk() -> None:
    t = sea("2 destroyer", "destroyer, 3 transport").dice(1, 1)
    # The second hit goes on a transport, the rest are lost when the escort has fired.
    assert line(t) == "1 destroyer at 2"
    t.dice(1)
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "united_kingdom") == {}
    assert t.units("sz8", "germany") == {"destroyer": 1}


@pytest.mark.rule("aa1942:combat.transports.defenseless")
def test_transports_survive_if_nobody_is_left_to_sink_them() -> None:
    t = sea("destroyer", "destroyer, transport").dice(1).dice(1)
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "united_kingdom") == {"transport": 1}
    assert t.units("sz8", "germany") == {}


@pytest.mark.rule("aa1942:combat.transports.stalemate")
def test_aircraft_destroy_transports_beside_submarines_that_they_cannot_hit() -> None:
    t = sea("fighter, bomber", "2 submarine, 2 transport")
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "united_kingdom") == {"submarine": 2}
    assert not t.events("fired")


@pytest.mark.rule("aa1942:combat.transports.stalemate")
def test_aircraft_alone_against_submarines_alone_end_in_place() -> None:
    t = sea("2 bomber", "2 submarine")
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "united_kingdom") == {"submarine": 2}
    assert t.units("sz8", "germany") == {"bomber": 2}
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("2 bomber", "sz8 > france"), Done())
    assert t.units("france", "germany") == {"bomber": 2}


@pytest.mark.rule("aa1942:combat.transports.stalemate")
def test_a_deadlock_that_arises_in_battle_sinks_the_transports_too() -> None:
    t = sea("fighter, destroyer", "destroyer, submarine, transport").dice(1, 6)
    t.do(Casualties({"united_kingdom": {"destroyer": 1}}))
    assert line(t) == "1 destroyer at 2, 1 submarine at 1"
    t.dice(1, 1)  # destroyer and fighter take a hit each: the submarine cannot strike the fighter
    assert t.units("sz8", "germany") == {}
    t = sea("2 fighter, destroyer", "destroyer, submarine, transport").dice(1, 6, 6)
    t.do(Casualties({"united_kingdom": {"destroyer": 1}})).dice(6, 1)
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "germany") == {"fighter": 2}
    assert t.units("sz8", "united_kingdom") == {"submarine": 1}


@pytest.mark.rule("aa1942:combat.transports.stalemate", "aa1942:combat.transports.attacker")
def test_attacking_aircraft_with_a_transport_fight_on_against_a_submarine() -> None:
    t = sea("fighter, transport", "submarine")
    assert t.asked == "united_kingdom submerge_or_strike"
    t.do(Dive(0))
    assert step(t) == "strike_back in sz8"
    t.dice(6)
    assert line(t) == "1 fighter at 3"
    t.dice(1)
    assert t.units("sz8", "united_kingdom") == {"submarine": 1}
    assert t.request.to == ("sz9",)
    t.do(Press()).do(Dive(0)).dice(1)
    assert t.units("sz8", "germany") == {"fighter": 1}
    t.dice(1)  # the round is fought to its end, to no effect
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "united_kingdom") == {"submarine": 1}


@pytest.mark.rule("aa1942:combat.transports.attacker", "aa1942:combat.end.elimination")
def test_attacking_transports_may_retreat_when_their_escort_is_lost() -> None:
    t = sea("destroyer, transport", "cruiser").dice(6).dice(1)
    assert t.asked == "germany press_or_retreat"
    assert t.units("sz8", "germany") == {"transport": 1}
    again = t.game.clone()
    t.do(Retreat("sz9"))
    assert t.units("sz9", "germany") == {"transport": 1}
    again.submit("germany", Press())
    assert Table(again).rolling == "defence in sz8: 1 cruiser at 3"


@pytest.mark.rule("aa1942:combat.transports.attacker")
def test_attacking_transports_that_cannot_retreat_are_lost() -> None:
    t = sea({"sz8": "destroyer, 2 transport"}, "cruiser").dice(6).dice(1)
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "germany") == {}
    assert t.s.lost["germany", "transport"] == 2


@pytest.mark.rule("aa1942:combat.transports.attacker")
def test_one_ship_from_a_friendly_zone_opens_the_retreat_for_transports_that_were_there() -> None:
    t = sea({"sz8": "transport", "sz9": "destroyer"}, "cruiser").dice(6).dice(1)
    assert t.request.to == ("sz9",)
    t.do(Retreat("sz9"))
    assert t.units("sz9", "germany") == {"transport": 1}


@pytest.mark.rule("aa1942:combat.end.only-transports")
@pytest.mark.parametrize("stay", [True, False])
def test_transports_alone_on_both_sides_stay_or_retreat(stay):
    t = sea("cruiser, transport", "cruiser, transport").dice(1).dice(1)
    assert t.asked == "germany press_or_retreat"
    t.do(Press() if stay else Retreat("sz9"))
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8" if stay else "sz9", "germany") == {"transport": 1}
    assert t.units("sz8", "united_kingdom") == {"transport": 1}


@pytest.mark.rule("aa1942:combat.end.only-transports")
def test_transports_alone_on_both_sides_without_retreat_stay() -> None:
    t = sea({"sz8": "cruiser, transport"}, "cruiser, transport").dice(1).dice(1)
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "germany") == {"transport": 1}
    assert t.units("sz8", "united_kingdom") == {"transport": 1}


@pytest.mark.rule("aa1942:combat.transports.counts-as-combat")
def test_ships_that_destroyed_transports_have_fought() -> None:
    t = sea("cruiser", "transport")
    assert t.s.fought == {"sz8"}
    assert t.refused(move("cruiser", "sz8 > sz9"), "noncombat.eligible")


# --- the end of a battle --------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat.end.order", "aa1942:combat.end.elimination")
def test_a_battle_without_defenders_is_over_before_the_attacker_could_retreat() -> None:
    t = land("2 tank", "infantry").dice(1, 6).dice(1)
    assert t.asked == "soviet_union noncombat_move"
    assert t.units("west_russia", "soviet_union") == {"tank": 1}
    assert t.s.control["west_russia"] == "soviet_union"


@pytest.mark.rule("aa1942:combat.end.elimination")
def test_a_battle_without_attackers_is_over() -> None:
    t = land("infantry", "2 infantry").dice(6).dice(1, 6)
    assert t.asked == "soviet_union noncombat_move"
    assert t.units("west_russia", "germany") == {"infantry": 2}
    assert t.s.control["west_russia"] == "germany"


@pytest.mark.rule("aa1942:combat.end.elimination", "aa1942:unit.aaa.alone")
def test_guns_left_over_do_not_prolong_a_battle() -> None:
    t = land("2 tank", "infantry, antiaircraft_artillery").dice(1, 6)
    t.do(Casualties({"germany": {"infantry": 1}})).dice(6)
    assert t.asked == "soviet_union noncombat_move"
    assert t.units("west_russia", "germany") == {}
    assert t.s.control["west_russia"] == "soviet_union"


# --- retreat --------------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat.retreat.who")
def test_nobody_retreats_before_the_first_round_and_the_defender_never() -> None:
    t = land("2 infantry", "2 infantry")
    t.refused(Retreat("russia"), by="soviet_union")
    t.refused(Retreat("belorussia"), by="germany")
    t.dice(6, 6)
    t.refused(Retreat("russia"), by="soviet_union")
    t.dice(6, 6)
    t.refused(Retreat("belorussia"), by="germany")
    t.do(Retreat("russia"))
    assert t.units("russia", "soviet_union") == {"infantry": 2}
    assert t.asked == "soviet_union noncombat_move"


@pytest.mark.rule("aa1942:combat.retreat.destination", "aa1942:combat.retreat.together")
def test_land_units_retreat_together_to_one_space_that_some_came_from() -> None:
    attack = {"russia": "infantry", "caucasus": "tank"}
    t = land(attack, "infantry").dice(6, 6).dice(6)
    assert t.request.to == ("caucasus", "russia")
    t.refused(Retreat("archangel"), "combat.retreat.destination")
    t.refused(Retreat("west_russia"), "combat.retreat.destination")
    t.refused(Retreat(), "combat.retreat.destination")
    t.do(Retreat("caucasus"))
    assert t.units("caucasus", "soviet_union") == {"infantry": 1, "tank": 1}
    assert t.units("west_russia", "soviet_union") == {}
    assert t.units("russia", "soviet_union") == {}


@pytest.mark.rule("aa1942:combat.retreat.destination")
def test_the_origin_of_a_fallen_unit_still_counts_and_that_of_aircraft_never_does() -> None:
    attack = {"russia": "infantry", "caucasus": "tank", "archangel": "fighter"}
    t = land(attack, "2 infantry").dice(6, 6, 6).dice(1, 6)
    t.do(Casualties({"soviet_union": {"infantry": 1}}))
    assert t.request.to == ("caucasus", "russia")


@pytest.mark.rule("aa1942:combat.retreat.destination")
def test_the_space_that_counts_is_the_last_one_before_the_battle() -> None:
    t = table(
        "soviet_union",
        units={"kazakh_ssr": {"soviet_union": "2 tank"}, "west_russia": {"germany": "infantry"}},
    )
    t.do(move("2 tank", "kazakh_ssr > caucasus > west_russia"), Done()).dice(6, 6).dice(6)
    assert t.request.to == ("caucasus",)


@pytest.mark.rule("aa1942:combat.retreat.destination")
def test_a_blitzing_tank_retreats_to_the_territory_it_has_just_taken() -> None:
    t = table(
        "soviet_union",
        units={"caucasus": {"soviet_union": "tank"}, "bulgaria_romania": {"germany": "infantry"}},
    )
    t.do(move("tank", "caucasus > ukraine_ssr > bulgaria_romania"), Done()).dice(6).dice(6)
    assert t.request.to == ("ukraine_ssr",)
    t.do(Retreat("ukraine_ssr"))
    assert t.units("ukraine_ssr", "soviet_union") == {"tank": 1}
    assert t.s.control["ukraine_ssr"] == "soviet_union"


@pytest.mark.rule("aa1942:combat.retreat.destination")
def test_ships_that_were_there_from_the_start_have_nowhere_to_retreat() -> None:
    t = sea({"sz8": "2 cruiser"}, "2 cruiser").dice(6, 6).dice(6, 6)
    assert step(t) == "attack in sz8"


@pytest.mark.rule("aa1942:combat.retreat.destination")
def test_aircraft_stay_with_ships_that_cannot_retreat() -> None:
    t = sea({"sz8": "cruiser", "sz9": "fighter"}, "2 cruiser").dice(6, 6).dice(6, 6)
    assert step(t) == "attack in sz8"


@pytest.mark.rule("aa1942:combat.retreat.destination", "aa1942:combat.retreat.together")
def test_ships_from_two_zones_and_from_the_start_retreat_together() -> None:
    t = sea({"sz8": "cruiser", "sz9": "destroyer", "sz13": "transport"}, "2 cruiser")
    t.dice(6, 6).dice(6, 6)
    assert t.request.to == ("sz13", "sz9")
    t.refused(Retreat("sz7"), "combat.retreat.destination")
    t.do(Retreat("sz13"))
    assert t.units("sz13", "germany") == {"cruiser": 1, "destroyer": 1, "transport": 1}
    assert t.units("sz8", "germany") == {}


@pytest.mark.rule("aa1942:combat.retreat.sea-friendly-start")
def test_a_submarine_that_passed_a_hostile_zone_cannot_retreat_there() -> None:
    t = table(
        "germany",
        units={
            "sz2": {"germany": "2 submarine"},
            "sz7": {"united_kingdom": "cruiser"},
            "sz8": {"united_kingdom": "destroyer"},
        },
    )
    t.do(move("2 submarine", "sz2 > sz7 > sz8"), Done())
    t.dice(6, 6).dice(6)
    assert step(t) == "attack in sz8"


@pytest.mark.rule("aa1942:combat.retreat.sea-friendly-start")
def test_a_zone_that_was_hostile_at_the_start_stays_closed_after_it_is_cleared() -> None:
    t = table(
        "germany",
        units={
            "sz7": {"germany": "cruiser", "united_kingdom": "destroyer"},
            "sz9": {"germany": "2 battleship"},
            "sz8": {"united_kingdom": "cruiser"},
        },
    )
    t.do(
        move("cruiser", "sz7 > sz8"),
        move("battleship", "sz9 > sz7"),
        move("battleship", "sz9 > sz8"),
        Done(),
    )
    t.do(Fight("sz7")).dice(1).dice(6)
    t.dice(6, 6).dice(6)
    assert t.request.to == ("sz9",)


@pytest.mark.rule("aa1942:combat.retreat.together")
def test_a_submerged_submarine_stays_when_the_others_retreat() -> None:
    t = sea("2 submarine, cruiser", "2 cruiser").do(Dive(1)).dice(6).dice(6).dice(6, 6)
    t.do(Retreat("sz9"))
    assert t.units("sz9", "germany") == {"submarine": 1, "cruiser": 1}
    assert t.units("sz8", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:combat.retreat.air")
def test_retreating_aircraft_stay_until_they_land() -> None:
    t = land({"russia": "infantry", "caucasus": "2 fighter"}, "infantry").dice(6, 6, 6).dice(6)
    t.do(Retreat("russia"))
    assert t.units("russia", "soviet_union") == {"infantry": 1}
    assert t.units("west_russia", "soviet_union") == {"fighter": 2}
    t.refused(Done(), "unit.air.landing-duty")
    t.do(move("2 fighter", "west_russia > caucasus"), Done())
    assert t.units("caucasus", "soviet_union") == {"fighter": 2}


@pytest.mark.rule("aa1942:combat.retreat.air")
def test_aircraft_alone_retreat_to_no_space_but_can_break_off() -> None:
    t = land({"russia": "2 bomber"}, "2 infantry").dice(6, 6).dice(6, 6)
    assert t.request.to == ()
    t.refused(Retreat("russia"), "combat.retreat.air")
    t.do(Retreat())
    assert t.units("west_russia", "soviet_union") == {"bomber": 2}
    assert t.asked == "soviet_union noncombat_move"


@pytest.mark.rule("aa1942:combat.retreat.air")
def test_aircraft_fly_no_farther_after_a_retreat_than_their_range() -> None:
    t = table(
        "soviet_union",
        units={
            "russia": {"soviet_union": "infantry"},
            "novosibirsk": {"soviet_union": "fighter"},
            "west_russia": {"germany": "infantry"},
        },
    ).do(
        move("infantry", "russia > west_russia"),
        move("fighter", "novosibirsk > russia > west_russia"),
        Done(),
    )
    t.dice(6, 6).dice(6).do(Retreat("russia"))
    t.refused(
        move("fighter", "west_russia > russia > novosibirsk > evenki_national_okrug"),
        "noncombat.air-remaining",
    )
    t.do(move("fighter", "west_russia > russia > novosibirsk"))


@pytest.mark.rule("aa1942:combat.unit-overrides")
def test_what_a_profile_says_goes_before_the_general_procedure() -> None:
    # The sequence knows no fire before step 2 and no hit that removes nothing: the profiles do.
    t = land("infantry, fighter", "infantry, antiaircraft_artillery")
    assert t.rolled == "antiaircraft in west_russia"
    t = sea("cruiser", "battleship").dice(1)
    assert line(t) == "1 battleship at 4"
    t.dice(6)
    assert t.asked == "germany press_or_retreat"
