"""Amphibious assaults: sea combat, bombardment, land combat (p.12, p.15-16, p.28)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandtable.games.aa1942 import RULES
from tests.aa1942.battles import line, step
from tests.aa1942.table import (
    Bombard,
    Casualties,
    Dive,
    Done,
    Engage,
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


def hold(**units: int) -> dict[str, Any]:
    return {"ship": "transport", "load": {"united_kingdom": units}}


def assault(
    *,
    escort: str = "",
    guards: str = "",
    defenders: str = "2 infantry",
    overland: str = "",
    air: str = "",
    cargo: tuple[dict[str, Any], ...] = (hold(infantry=2),),
    **more: Any,
) -> Table:
    """The British assault Finland from sz3, with an escort from sz7; others come from Karelia.

    `air` flies from the United Kingdom into sz3.
    """
    transports = f"{len(cargo)} transport"
    units = {
        "sz7": {"united_kingdom": ", ".join(filter(None, [escort, transports]))},
        "sz3": {"germany": guards} if guards else {},
        "finland": {"germany": defenders} if defenders else {},
        "karelia_ssr": {"united_kingdom": overland} if overland else {},
        "united_kingdom": {"united_kingdom": air} if air else {},
    }
    for space, powers in more.pop("also", {}).items():
        units.setdefault(space, {}).update(powers)
    t = table("united_kingdom", units=units, cargo={"sz7": {"united_kingdom": list(cargo)}}, **more)
    if escort and guards:
        t.do(move(escort, "sz7 > sz3"))
    if air:
        t.do(move(air, "united_kingdom > sz6 > sz3"))
    for _ in cargo:
        t.do(sail("sz7 > sz3", offload="finland"))
    if escort and not guards:
        t.do(move(escort, "sz7 > sz3"))
    for type_, count in counts(overland).items() if overland else ():
        t.do(Move({type_: count}, ("karelia_ssr", "finland")))
    return t


# --- the sea battle -------------------------------------------------------------------------------


@pytest.mark.rule(
    "aa1942:amphib.sequence",
    "aa1942:amphib.sea-zone.clear-first",
    "aa1942:amphib.sea-combat.required",
)
def test_surface_warships_are_fought_before_anybody_lands() -> None:
    t = assault(escort="cruiser", guards="destroyer").do(Done())
    assert t.rolling == "attack in sz3: 1 cruiser at 3"
    assert t.units("finland", "united_kingdom") == {}
    t.dice(6).dice(6).do(Press()).dice(1).dice(6)
    assert step(t) == "attack in finland"
    assert t.units("finland", "united_kingdom") == {"infantry": 2}
    assert t.cargo("sz3", "united_kingdom") == [[]]


@pytest.mark.rule("aa1942:amphib.sequence")
def test_without_enemies_at_sea_bombardment_comes_first_then_the_land_battle() -> None:
    t = assault(escort="cruiser").do(Done())
    assert t.asked == "united_kingdom choose_bombardment"
    t.do(Bombard({"sz3": {"cruiser": 1}}))
    assert t.rolling == "bombardment in finland: 1 cruiser at 3"
    t.dice(6)
    assert t.rolling == "attack in finland: 2 infantry at 1"


@pytest.mark.rule("aa1942:amphib.sea-combat.required")
@pytest.mark.parametrize("guards", ["submarine", "transport", "submarine, 2 transport"])
@pytest.mark.parametrize("attack", [True, False])
def test_submarines_and_transports_are_fought_only_if_the_attacker_wants_it(guards, attack):
    t = assault(escort="destroyer", guards=guards).do(Done())
    assert t.asked == "united_kingdom engage_or_ignore"
    t.do(Engage(attack))
    if not attack:
        assert step(t) == "attack in finland"
        assert t.units("sz3", "germany") == counts(guards)
    elif "submarine" in guards:
        assert t.rolling == "attack in sz3: 1 destroyer at 2"
    else:
        assert step(t) == "attack in finland"
        assert t.units("sz3", "germany") == {}


@pytest.mark.rule("aa1942:amphib.sea-combat.required", "aa1942:combat.general.where")
def test_ignored_units_are_not_fought_later_in_the_phase_either() -> None:
    t = assault(escort="destroyer", guards="transport", defenders="").do(Done(), Engage(False))
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("sz3", "germany") == {"transport": 1}
    assert t.s.control["finland"] == "united_kingdom"


@pytest.mark.rule("aa1942:amphib.sea-combat.required")
def test_a_mixed_force_with_one_surface_warship_has_to_be_fought() -> None:
    t = assault(escort="destroyer", guards="submarine, transport, aircraft_carrier").do(Done())
    assert step(t) == "attack in sz3"


@pytest.mark.rule("aa1942:amphib.sea-combat.all-participate")
def test_every_ship_of_both_sides_takes_part() -> None:
    t = assault(
        escort="cruiser, submarine, battleship, destroyer, aircraft_carrier",
        guards="cruiser, submarine, transport",
    ).do(Done(), Dive(0))
    assert line(t) == "1 submarine at 2"
    t.dice(6)
    assert line(t) == "1 battleship at 4, 1 aircraft_carrier at 1, 1 cruiser at 3, 1 destroyer at 2"
    t.dice(6, 6, 6, 6)
    assert line(t) == "1 cruiser at 3, 1 submarine at 1"
    t.dice(1, 1)
    assert t.request.units["united_kingdom"]["transport (infantry, infantry)"] == 1


@pytest.mark.rule("aa1942:amphib.sea-combat.all-participate", "aa1942:amphib.bombard.condition")
def test_after_a_sea_battle_nobody_bombards() -> None:
    t = assault(escort="battleship, cruiser", guards="destroyer").do(Done()).dice(1, 6).dice(6)
    assert step(t) == "attack in finland"


@pytest.mark.rule("aa1942:amphib.bombard.condition")
def test_a_battle_fought_by_aircraft_alone_rules_bombardment_out_too() -> None:
    t = assault(escort="cruiser", guards="transport", air="fighter").do(Done(), Engage(True))
    assert step(t) == "attack in finland"


@pytest.mark.rule("aa1942:amphib.bombard.ignored-units")
@pytest.mark.parametrize("guards", ["submarine", "transport"])
def test_attacking_submarines_or_transports_costs_the_bombardment(guards):
    t = assault(escort="battleship, destroyer", guards=guards).do(Done(), Engage(True))
    if guards == "submarine":
        t.dice(1, 6).dice(6)
    assert step(t) == "attack in finland"
    t = assault(escort="battleship, destroyer", guards=guards).do(Done(), Engage(False))
    assert t.asked == "united_kingdom choose_bombardment"


@pytest.mark.rule("aa1942:amphib.air.defender-land-only")
def test_aircraft_in_the_territory_do_not_defend_the_sea_zone() -> None:
    t = assault(escort="cruiser", guards="destroyer", defenders="2 fighter, bomber").do(Done())
    t.dice(6)
    assert line(t) == "1 destroyer at 2"
    t.dice(6).do(Press()).dice(1).dice(6)
    t.dice(6, 6)
    assert line(t) == "2 fighter at 4, 1 bomber at 1"


@pytest.mark.rule("aa1942:amphib.air.one-battle", "aa1942:amphib.air.assign")
def test_aircraft_fight_at_sea_or_on_land_as_they_were_sent() -> None:
    t = assault(
        escort="destroyer", guards="destroyer", overland="fighter, infantry", air="bomber"
    ).do(Done())
    assert line(t) == "1 bomber at 4, 1 destroyer at 2"
    t.dice(1, 6).dice(6)
    assert line(t) == "3 infantry at 1, 1 fighter at 3"
    assert t.units("sz3", "united_kingdom")["bomber"] == 1
    t.dice(1, 1, 6, 6).dice(6, 6)
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("sz3", "united_kingdom")["bomber"] == 1
    assert t.units("finland", "united_kingdom")["fighter"] == 1


@pytest.mark.rule("aa1942:amphib.air.assign")
def test_an_assignment_of_aircraft_cannot_be_changed() -> None:
    t = assault(escort="destroyer", guards="destroyer", air="bomber")
    t.refused(move("bomber", "sz3 > finland"), "combat-move.simultaneous")


# --- bombardment ----------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:amphib.bombard.limit")
def test_no_more_ships_bombard_than_units_land() -> None:
    t = assault(
        escort="battleship, cruiser",
        cargo=(hold(infantry=1, tank=1),),
        also={"sz3": {"united_kingdom": "battleship"}},
    ).do(Done())
    assert t.request.limit == 2
    t.refused(Bombard({"sz3": {"battleship": 2, "cruiser": 1}}), "amphib.bombard.limit")
    t.do(Bombard({"sz3": {"battleship": 1, "cruiser": 1}}))
    assert t.rolling == "bombardment in finland: 1 battleship at 4, 1 cruiser at 3"


@pytest.mark.rule("aa1942:amphib.bombard.limit")
def test_overland_units_do_not_raise_the_limit() -> None:
    t = assault(
        escort="cruiser",
        cargo=(hold(infantry=1),),
        overland="5 infantry",
        also={"sz3": {"united_kingdom": "cruiser"}},
    ).do(Done())
    assert t.request.limit == 1


@pytest.mark.rule("aa1942:amphib.bombard.limit")
def test_ships_may_be_fewer_or_none_but_not_invented() -> None:
    t = assault(escort="cruiser").do(Done())
    t.refused(Bombard({"sz3": {"cruiser": 2}}), "amphib.bombard.one-target")
    t.refused(Bombard({"sz3": {"battleship": 1}}), "amphib.bombard.one-target")
    t.refused(Bombard({"sz6": {"cruiser": 1}}), "amphib.bombard.one-target")
    t.refused(Bombard({"sz3": {"cruiser": 0}}))
    t.do(Bombard())
    assert step(t) == "attack in finland"


@pytest.mark.rule("aa1942:amphib.bombard.roll")
@pytest.mark.parametrize(("ship", "value"), [("battleship", 4), ("cruiser", 3)])
@pytest.mark.parametrize("over", [0, 1])
def test_battleships_hit_on_4_and_cruisers_on_3(ship, value, over):
    t = assault(escort=ship).do(Done(), Bombard({"sz3": {ship: 1}})).dice(value + over)
    t.dice(6, 6).dice(6, 6)
    assert t.units("finland", "germany") == {"infantry": 1 + over}


@pytest.mark.rule("aa1942:amphib.bombard.roll")
@pytest.mark.parametrize("ship", ["destroyer", "submarine", "aircraft_carrier"])
def test_other_ships_do_not_bombard(ship):
    t = assault(escort=ship, guards="transport").do(Done(), Engage(False))
    assert step(t) == "attack in finland"


@pytest.mark.rule("aa1942:amphib.bombard.casualties-fire")
def test_what_bombardment_hits_fires_once_and_is_then_removed() -> None:
    t = assault(escort="cruiser", defenders="infantry, tank")
    t.do(Done(), Bombard({"sz3": {"cruiser": 1}})).dice(1)
    assert t.asked == "germany choose_casualties"
    t.do(Casualties({"germany": {"tank": 1}}))
    t.dice(6, 6)
    assert line(t) == "1 infantry at 2, 1 tank at 3"
    t.dice(6, 6)
    assert t.units("finland", "germany") == {"infantry": 1}
    assert line(t) == "2 infantry at 1"


@pytest.mark.rule("aa1942:amphib.bombard.casualties-fire")
def test_a_unit_hit_by_bombardment_cannot_take_another_hit() -> None:
    t = assault(escort="cruiser").do(Done(), Bombard({"sz3": {"cruiser": 1}})).dice(1)
    t.dice(1, 1)  # one of the two hits finds no target any more
    assert line(t) == "2 infantry at 2"
    t.dice(6, 6)
    assert t.units("finland", "germany") == {}
    assert t.s.control["finland"] == "united_kingdom"


@pytest.mark.rule("aa1942:amphib.bombard.casualties-fire")
def test_defenders_that_are_all_hit_by_bombardment_still_fight_their_round() -> None:
    t = assault(escort="2 cruiser").do(Done(), Bombard({"sz3": {"cruiser": 2}})).dice(1, 1)
    t.dice(6, 6)
    assert line(t) == "2 infantry at 2"
    t.dice(1, 2)
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("finland", "united_kingdom") == t.units("finland", "germany") == {}
    assert t.s.control["finland"] == "germany"


@pytest.mark.rule("aa1942:amphib.bombard.casualties-fire", "aa1942:unit.aaa.fire.when")
def test_a_gun_hit_by_bombardment_still_fires_at_aircraft() -> None:
    t = assault(escort="cruiser", defenders="infantry, antiaircraft_artillery", overland="fighter")
    t.do(Done(), Bombard({"sz3": {"cruiser": 1}})).dice(1)
    t.do(Casualties({"germany": {"antiaircraft_artillery": 1}}))
    assert t.rolled == "antiaircraft in finland"
    t.dice(6).dice(6, 6, 6).dice(6)
    assert t.units("finland", "germany") == {"infantry": 1}


@pytest.mark.rule("aa1942:amphib.bombard.one-target")
def test_ships_are_divided_between_two_assaults_each_bombarding_once() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "2 battleship, cruiser, 2 transport"},
            "norway": {"germany": "infantry"},
            "northwestern_europe": {"germany": "infantry"},
        },
        cargo={"sz6": {"united_kingdom": [hold(infantry=2), hold(infantry=1)]}},
    )
    t.do(
        sail("sz6", offload="norway", cargo={"infantry": 2}),
        sail("sz6", offload="northwestern_europe", cargo={"infantry": 1}),
        Done(),
        Fight("northwestern_europe"),
    )
    assert (t.request.limit, t.request.ships) == (1, {"sz6": {"battleship": 2, "cruiser": 1}})
    t.refused(Bombard({"sz6": {"battleship": 2}}), "amphib.bombard.limit")
    t.do(Bombard({"sz6": {"battleship": 1}})).dice(1).dice(6).dice(6)
    assert t.asked == "united_kingdom choose_bombardment"
    assert (t.request.limit, t.request.ships) == (2, {"sz6": {"battleship": 1, "cruiser": 1}})
    t.refused(Bombard({"sz6": {"battleship": 2}}), "amphib.bombard.one-target")
    t.do(Bombard({"sz6": {"battleship": 1, "cruiser": 1}}))


def two_zones(guards: str = "", fleet: str = "battleship, transport") -> Table:
    """Finland is assaulted from sz3 (one infantry) and from sz5 (one infantry)."""
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "destroyer, cruiser, transport"},
            "sz3": {"germany": guards} if guards else {},
            "sz5": {"united_kingdom": fleet},
            "finland": {"germany": "3 infantry"},
        },
        cargo={
            "sz7": {"united_kingdom": [hold(infantry=1)]},
            "sz5": {"united_kingdom": [hold(infantry=1)]},
        },
    )
    if guards:
        t.do(move("destroyer", "sz7 > sz3"))
    t.do(sail("sz7 > sz3", offload="finland"), sail("sz5", offload="finland"))
    return t.do(move("cruiser", "sz7 > sz3"))


@pytest.mark.rule("aa1942:amphib.bombard.limit", "aa1942:amphib.land.overland-join")
def test_ships_of_two_zones_share_the_limit_of_the_territory() -> None:
    t = two_zones(fleet="2 battleship, transport").do(Done())
    assert (t.request.limit, t.request.ships) == (
        2,
        {"sz3": {"cruiser": 1}, "sz5": {"battleship": 2}},
    )
    t.refused(Bombard({"sz3": {"cruiser": 1}, "sz5": {"battleship": 2}}), "amphib.bombard.limit")
    t.do(Bombard({"sz3": {"cruiser": 1}, "sz5": {"battleship": 1}}))
    t.dice(6, 6)
    assert line(t) == "2 infantry at 1"


@pytest.mark.rule("aa1942:amphib.bombard.condition")
def test_a_battle_in_one_zone_does_not_silence_ships_in_the_other() -> None:
    t = two_zones(guards="destroyer").do(Done()).dice(1, 6).dice(6)
    assert t.asked == "united_kingdom choose_bombardment"
    assert (t.request.limit, t.request.ships) == (2, {"sz5": {"battleship": 1}})


@pytest.mark.rule("aa1942:amphib.land.condition", "aa1942:amphib.bombard.limit")
def test_a_fleet_beaten_in_one_zone_does_not_stop_the_landing_from_the_other() -> None:
    t = two_zones(guards="2 cruiser").do(Done()).dice(6, 6).dice(6, 6).do(Retreat("sz7"))
    assert t.cargo("sz7", "united_kingdom") == [["united_kingdom infantry"]]
    assert (t.request.limit, t.request.ships) == (1, {"sz5": {"battleship": 1}})
    t.do(Bombard())
    assert line(t) == "1 infantry at 1"


# --- who lands ------------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:amphib.land.condition")
@pytest.mark.parametrize("guards", ["cruiser, transport", "cruiser, submarine, transport"])
def test_transports_and_submerged_submarines_do_not_stop_the_landing(guards):
    t = assault(escort="cruiser", guards=guards).do(Done())
    if "submarine" in guards:
        t.do(Dive(1))
    t.dice(1).dice(6)
    assert step(t) == "attack in finland"
    assert t.units("finland", "united_kingdom") == {"infantry": 2}


@pytest.mark.rule("aa1942:amphib.land.condition")
def test_enemy_transports_alone_with_ours_do_not_stop_the_landing() -> None:
    t = assault(escort="cruiser", guards="cruiser, transport").do(Done()).dice(1).dice(1)
    assert t.asked == "united_kingdom press_or_retreat"
    t.do(Press())
    assert step(t) == "attack in finland"
    assert t.units("sz3", "germany") == {"transport": 1}


@pytest.mark.rule("aa1942:amphib.land.condition", "aa1942:amphib.land.over")
def test_a_fleet_that_retreats_takes_the_troops_along_and_ends_the_assault() -> None:
    t = assault(escort="cruiser", guards="cruiser").do(Done()).dice(6).dice(6).do(Retreat("sz7"))
    assert t.asked == "united_kingdom noncombat_move"
    assert t.cargo("sz7", "united_kingdom") == [["united_kingdom infantry"] * 2]
    assert t.units("finland", "united_kingdom") == {}
    t.refused(sail("sz7", offload="united_kingdom"), "unit.transport.retreat-no-offload")


@pytest.mark.rule("aa1942:amphib.land.over")
def test_an_assault_whose_troops_all_drown_is_over() -> None:
    t = assault(escort="cruiser", guards="2 cruiser").do(Done()).dice(6).dice(1, 1)
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("sz3", "united_kingdom") == {}
    assert t.s.control["finland"] == "germany"


@pytest.mark.rule("aa1942:amphib.land.failed-sea")
@pytest.mark.parametrize("withdraw", [True, False])
def test_overland_units_fight_a_round_although_the_sea_battle_is_lost(withdraw):
    t = assault(escort="cruiser", guards="2 cruiser", overland="infantry, fighter").do(Done())
    t.dice(6)
    if withdraw:
        t.dice(6, 6).do(Retreat("sz7"))
    else:
        t.dice(1, 1)
    assert t.rolling == "attack in finland: 1 infantry at 1, 1 fighter at 3"
    t.refused(Retreat("karelia_ssr"), by="united_kingdom")
    t.dice(6, 6).dice(6, 6)
    assert t.request.to == ("karelia_ssr",)
    t.do(Retreat("karelia_ssr"))
    assert t.units("karelia_ssr", "united_kingdom") == {"infantry": 1}
    assert t.units("finland", "united_kingdom") == {"fighter": 1}


@pytest.mark.rule("aa1942:amphib.land.failed-sea")
def test_aircraft_alone_fight_a_round_although_the_sea_battle_is_lost() -> None:
    t = assault(escort="cruiser", guards="cruiser", overland="2 fighter").do(Done())
    t.dice(6).dice(6).do(Retreat("sz7"))
    assert t.rolling == "attack in finland: 2 fighter at 3"
    t.dice(6, 6).dice(6, 6).do(Retreat())
    assert t.asked == "united_kingdom noncombat_move"


@pytest.mark.rule("aa1942:amphib.land.failed-sea")
def test_of_two_assaults_from_a_lost_zone_both_overland_attacks_are_fought() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "cruiser, 2 transport"},
            "sz5": {"germany": "cruiser"},
            "finland": {"germany": "infantry"},
            "baltic_states": {"germany": "infantry"},
            "karelia_ssr": {"united_kingdom": "2 infantry"},
        },
        cargo={"sz6": {"united_kingdom": [hold(infantry=1), hold(infantry=1)]}},
    )
    t.do(
        move("cruiser", "sz6 > sz5"),
        sail("sz6 > sz5", offload="finland"),
        sail("sz6 > sz5", offload="baltic_states"),
        move("infantry", "karelia_ssr > finland"),
        move("infantry", "karelia_ssr > baltic_states"),
        Done(),
        Fight("finland"),
    )
    t.dice(6).dice(6).do(Retreat("sz6"))
    assert t.rolling == "attack in finland: 1 infantry at 1"
    t.dice(1).dice(6)
    assert t.rolling == "attack in baltic_states: 1 infantry at 1"


@pytest.mark.rule("aa1942:amphib.land.overland-join")
def test_overland_and_seaborne_units_fight_one_battle() -> None:
    t = assault(overland="tank, artillery").do(Done())
    assert line(t) == "1 infantry at 2, 1 infantry at 1, 1 artillery at 2, 1 tank at 3"


# --- retreat --------------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:amphib.land.seaborne-no-retreat")
def test_seaborne_units_alone_are_not_even_asked() -> None:
    t = assault().do(Done()).dice(6, 6).dice(6, 6)
    assert t.rolling == "attack in finland: 2 infantry at 1"


@pytest.mark.rule(
    "aa1942:amphib.land.seaborne-no-retreat",
    "aa1942:amphib.land.retreat-overland",
    "aa1942:amphib.land.retreat-together",
)
def test_overland_units_and_aircraft_leave_together_and_seaborne_units_fight_on() -> None:
    t = assault(overland="infantry, tank, fighter").do(Done()).dice(6, 6, 6, 6, 6).dice(6, 6)
    assert t.request.to == ("karelia_ssr",)
    t.refused(Retreat("sz3"), "combat.retreat.destination")
    t.refused(Retreat("norway"), "combat.retreat.destination")
    t.refused(Retreat(), "combat.retreat.destination")
    t.do(Retreat("karelia_ssr"))
    assert t.units("karelia_ssr", "united_kingdom") == {"infantry": 1, "tank": 1}
    assert t.rolling == "attack in finland: 2 infantry at 1"
    t.dice(1, 1).dice(6, 6)
    assert t.s.control["finland"] == "united_kingdom"
    assert t.units("finland", "united_kingdom") == {"infantry": 2, "fighter": 1}


@pytest.mark.rule("aa1942:amphib.land.retreat-overland")
def test_overland_units_may_leave_after_any_round_to_where_one_of_them_came_from() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz5": {"united_kingdom": "transport"},
            "karelia_ssr": {"united_kingdom": "infantry"},
            "poland": {"united_kingdom": "tank"},
            "baltic_states": {"germany": "2 infantry"},
        },
        control={"poland": "united_kingdom"},
        cargo={"sz5": {"united_kingdom": [hold(infantry=1)]}},
    )
    t.do(
        sail("sz5", offload="baltic_states"),
        move("infantry", "karelia_ssr > baltic_states"),
        move("tank", "poland > baltic_states"),
        Done(),
    )
    t.dice(6, 6, 6).dice(6, 6)
    assert t.request.to == ("karelia_ssr", "poland")
    t.do(Press()).dice(6, 6, 6).dice(6, 6).do(Retreat("poland"))
    assert t.units("poland", "united_kingdom") == {"infantry": 1, "tank": 1}
    assert t.rolling == "attack in baltic_states: 1 infantry at 1"


@pytest.mark.rule("aa1942:amphib.land.retreat-together")
def test_aircraft_may_break_off_while_seaborne_units_fight_on() -> None:
    t = assault(overland="fighter").do(Done()).dice(6, 6, 6).dice(6, 6)
    assert t.request.to == ()
    t.do(Retreat())
    assert t.rolling == "attack in finland: 2 infantry at 1"
    t.dice(6, 6).dice(6, 6)
    assert t.rolling == "attack in finland: 2 infantry at 1"


@pytest.mark.rule("aa1942:amphib.land.seaborne-no-retreat")
def test_the_attacker_chooses_between_seaborne_and_overland_casualties() -> None:
    t = assault(overland="infantry").do(Done()).dice(6, 6, 6).dice(1, 6)
    assert t.request.units == {"united_kingdom": {"infantry": 1, "infantry (seaborne)": 2}}
    other = t.game.clone()
    t.do(Casualties({"united_kingdom": {"infantry": 1}}))
    # Nobody is left who could retreat.
    assert t.rolling == "attack in finland: 2 infantry at 1"
    other.submit("united_kingdom", Casualties({"united_kingdom": {"infantry (seaborne)": 1}}))
    assert other.pending[0].kind == "press_or_retreat"


# --- an ally's transport --------------------------------------------------------------------------


def from_an_allys_transport(guards: str, **more: Any) -> Table:
    """British infantry aboard an American transport in sz3, beside British ships."""
    return table(
        "united_kingdom",
        units={
            "sz3": {"united_states": "transport, destroyer", "germany": guards},
            "sz7": {"united_kingdom": "cruiser"},
            "finland": {"germany": "infantry"},
            **more,
        },
        cargo={"sz3": {"united_states": [hold(infantry=2)]}},
    ).do(
        move("cruiser", "sz7 > sz3"), sail("sz3", offload="finland", owner="united_states"), Done()
    )


@pytest.mark.rule("aa1942:multi.ally-excluded")
def test_an_allys_transport_lands_the_attackers_troops_but_takes_no_part_at_sea() -> None:
    t = from_an_allys_transport("cruiser")
    assert line(t) == "1 cruiser at 3"
    t.dice(1)
    t.dice(1)  # the only target is the British cruiser
    assert t.units("sz3", "united_states") == {"transport": 1, "destroyer": 1}
    assert step(t) == "attack in finland"
    assert t.units("finland", "united_kingdom") == {"infantry": 2}


@pytest.mark.rule(
    "aa1942:amphib.land.condition",
    "aa1942:amphib.sea-zone.clear-first",
    "aa1942:multi.ally-excluded",
)
def test_an_allys_transport_lands_nobody_if_the_zone_is_not_cleared() -> None:
    t = from_an_allys_transport("cruiser").dice(6).dice(1)
    assert t.asked == "united_kingdom noncombat_move"
    assert t.cargo("sz3", "united_states") == [["united_kingdom infantry"] * 2]
    assert t.units("finland", "united_kingdom") == {}


@pytest.mark.rule("aa1942:amphib.land.condition")
def test_a_submarine_that_fought_and_did_not_submerge_bars_the_landing() -> None:
    t = from_an_allys_transport("submarine").do(Engage(True)).do(Dive(0)).dice(1)
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("finland", "united_kingdom") == {}
    t = from_an_allys_transport("submarine").do(Engage(True)).do(Dive(1))
    assert step(t) == "attack in finland"


@pytest.mark.rule("aa1942:multi.ally-excluded", "aa1942:multi.no-joint-attack")
def test_an_allys_ships_do_not_bombard() -> None:
    t = assault(escort="cruiser", also={"sz3": {"united_states": "2 battleship"}}).do(Done())
    assert t.request.ships == {"sz3": {"cruiser": 1}}
    t.refused(Bombard({"sz3": {"battleship": 1}}), "amphib.bombard.one-target")
    t = assault(also={"sz3": {"united_states": "2 battleship"}}).do(Done())
    assert step(t) == "attack in finland"


@pytest.mark.rule(
    "aa1942:combat.transports.counts-as-combat", "aa1942:amphib.bombard.ignored-units"
)
def test_sinking_defenceless_transports_is_a_combat_that_costs_the_bombardment() -> None:
    t = assault(escort="2 cruiser", guards="2 transport").do(Done(), Engage(True))
    assert t.units("sz3", "germany") == {}
    assert step(t) == "attack in finland"


@pytest.mark.rule("aa1942:combat.general.where")
def test_ships_that_retreated_into_a_launching_zone_stay_out_of_its_battle() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "cruiser, 2 transport, destroyer", "germany": "submarine"},
            "sz5": {"germany": "2 cruiser"},
            "northwestern_europe": {"germany": "infantry"},
        },
        cargo={"sz6": {"united_kingdom": [hold(infantry=1), hold(infantry=1)]}},
    )
    t.do(
        move("cruiser", "sz6 > sz5"),
        sail("sz6 > sz5", offload="northwestern_europe"),
        sail("sz6", offload="northwestern_europe"),
        Done(),
    )
    assert step(t) == "attack in sz5"
    t.dice(6).dice(6, 6).do(Retreat("sz6"))
    assert t.asked == "united_kingdom engage_or_ignore"
    t.do(Engage(True))
    assert t.rolling == "attack in sz6: 1 destroyer at 2"


@pytest.mark.rule("aa1942:amphib.land.seaborne-no-retreat", "aa1942:combat.general.no-resistance")
def test_an_undefended_coast_is_taken_without_bombardment_or_dice() -> None:
    t = assault(escort="battleship", defenders="antiaircraft_artillery").do(Done())
    assert t.asked == "united_kingdom noncombat_move"
    assert t.s.control["finland"] == "united_kingdom"
    assert t.units("finland", "germany") == {}


@pytest.mark.rule("aa1942:combat.fire.defender.casualties")
def test_the_owner_chooses_which_assault_loses_its_transport() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "cruiser, 2 transport", "germany": "2 cruiser"},
            "norway": {"germany": "infantry"},
            "northwestern_europe": {"germany": "infantry"},
        },
        cargo={"sz6": {"united_kingdom": [hold(infantry=1), hold(infantry=1)]}},
    )
    t.do(sail("sz6", offload="norway"), sail("sz6", offload="northwestern_europe"), Done())
    t.do(Fight("norway")).dice(1).dice(1, 1)
    assert t.request.units["united_kingdom"] == {
        "cruiser": 1,
        "transport (infantry for northwestern_europe)": 1,
        "transport (infantry for norway)": 1,
    }
    t.do(
        Casualties(
            {
                "united_kingdom": {
                    "cruiser": 1,
                    "transport (infantry for northwestern_europe)": 1,
                }
            }
        )
    )
    # Left alone with a cruiser and nowhere to go, the other transport is lost too.
    assert t.units("sz6", "united_kingdom") == {}


@pytest.mark.rule("aa1942:combat.transports.attacker", "aa1942:amphib.land.failed-sea")
def test_transports_that_began_in_the_lost_zone_drown_and_the_overland_attack_goes_on() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz5": {"united_kingdom": "cruiser, transport", "germany": "cruiser"},
            "karelia_ssr": {"united_kingdom": "2 infantry"},
            "finland": {"germany": "infantry"},
        },
        cargo={"sz5": {"united_kingdom": [hold(infantry=2)]}},
    )
    t.do(sail("sz5", offload="finland"), move("infantry", "karelia_ssr > finland"), Done())
    t.dice(6).dice(1)
    assert t.s.lost["united_kingdom", "transport"] == 1
    assert t.s.lost["united_kingdom", "infantry"] == 2
    assert t.rolling == "attack in finland: 1 infantry at 1"


@pytest.mark.rule("aa1942:amphib.land.condition", "aa1942:combat.retreat.together")
def test_transports_from_two_zones_retreat_to_one_and_keep_what_they_carry() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "cruiser, transport"},
            "sz6": {"united_kingdom": "transport"},
            "sz3": {"germany": "cruiser"},
            "finland": {"germany": "infantry"},
        },
        cargo={
            "sz7": {"united_kingdom": [hold(infantry=2)]},
            "sz6": {"united_kingdom": [hold(tank=1)]},
        },
    )
    t.do(
        move("cruiser", "sz7 > sz3"),
        sail("sz7 > sz3", offload="finland"),
        sail("sz6 > sz3", offload="finland"),
        Done(),
    )
    t.dice(6).dice(6)
    assert t.request.to == ("sz6", "sz7")
    t.do(Retreat("sz6"))
    assert t.cargo("sz6", "united_kingdom") == [
        ["united_kingdom infantry", "united_kingdom infantry"],
        ["united_kingdom tank"],
    ]
    assert t.units("sz3", "united_kingdom") == t.units("finland", "united_kingdom") == {}


# --- every roll -----------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat.strip.hit-number")
def test_the_die_of_the_data_is_rolled_in_every_roll(tmp_path: Path) -> None:
    units = (RULES.folder / "data" / "units.yaml").read_text()
    (tmp_path / "units.yaml").write_text(units.replace("die: 6\n", "die: 12\n"))
    t = assault(
        escort="cruiser",
        defenders="infantry, antiaircraft_artillery",
        overland="fighter",
        also={
            "northwestern_europe": {"united_kingdom": "bomber, fighter"},
            "germany": {"germany": "2 fighter"},
            "sz10": {"united_kingdom": "submarine"},
            "sz9": {"germany": "submarine, cruiser"},
        },
        control={"northwestern_europe": "united_kingdom"},
        options={"interceptors": True},
        data=tmp_path,
    )
    t.do(move("bomber, fighter", "northwestern_europe > germany", raid=True))
    t.do(move("submarine", "sz10 > sz9"), Done())
    seen = {}
    for _ in range(40):
        if t.s.phase != "conduct_combat":
            break
        request = t.request
        if request.kind == "roll":
            seen[request.roll] = request.sides
            # All miss, but for the landing: it is not to last for ever.
            ashore = request.roll == "attack" and t.rolled.endswith("finland")
            t.dice(*[1 if ashore else 12] * request.dice)
        elif request.kind == "commit_interceptors":
            t.do(Intercept({"germany": 1}))
        elif request.kind == "choose_bombardment":
            t.do(Bombard({"sz3": {"cruiser": 1}}))
        elif request.kind == "submerge_or_strike":
            t.do(Dive(0))
        elif request.kind == "press_or_retreat":
            t.do(Retreat(request.to[0]))
        else:
            t.do(next(iter(t.game.legal(request))))
    kinds = ["bombardment", "antiaircraft", "attack", "defence", "strike", "strike_back"]
    assert seen == dict.fromkeys((*kinds, "air_battle", "interceptors", "complex", "bombs"), 12)
