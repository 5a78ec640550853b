"""Phase 2, Combat Move: what may move where, and why (p.11-13)."""

from __future__ import annotations

import random
from itertools import combinations, permutations
from typing import Any

import pytest

import sandtable
from sandtable.games.aa1942.rules.spaces import production
from sandtable.kernel.decisions import Decision
from tests.aa1942.table import (
    Consent,
    Done,
    Engage,
    Fight,
    Retreat,
    Table,
    move,
    sail,
    table,
)

SIDES = {
    "allies": ["soviet_union", "united_kingdom", "united_states"],
    "axis": ["germany", "japan"],
}
TWO = {"players": SIDES}
FIVE = {"players": {power: [power] for powers in SIDES.values() for power in powers}}


def hold(ship: str = "transport", **load: dict[str, int]) -> dict[str, Any]:
    """The cargo of one ship, power to type to number."""
    return {"ship": ship, "load": load}


# --- purpose ------------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat-move.purpose")
def test_a_combat_move_leads_to_combat() -> None:
    """Units of no kind may use the phase just to change their place."""
    t = table(
        "united_kingdom",
        units={
            "egypt": {"united_kingdom": "infantry, tank, fighter, bomber"},
            "sz17": {
                "united_kingdom": "destroyer, submarine, aircraft_carrier, transport, cruiser"
            },
        },
    )
    t.refused(move("infantry", "egypt > trans_jordan"), "combat-move.purpose")
    t.refused(move("tank", "egypt > trans_jordan > persia"), "combat-move.purpose")
    t.refused(move("tank", "egypt > trans_jordan > egypt"), "combat-move.purpose")
    for plane in ("fighter", "bomber"):
        t.refused(move(plane, "egypt > trans_jordan"), "combat-move.purpose")
        t.refused(move(plane, "egypt > sz17"), "combat-move.purpose")
        t.refused(move(plane, "egypt > libya"), "combat-move.purpose")  # nobody to attack
    for ship in ("destroyer", "submarine", "aircraft_carrier", "transport", "cruiser"):
        t.refused(move(ship, "sz17 > sz15"), "combat-move.purpose")


@pytest.mark.rule("aa1942:combat-move.hostile-territory", "aa1942:combat-move.purpose")
@pytest.mark.parametrize("unit", ["infantry", "artillery", "tank"])
def test_occupying_empty_hostile_land_is_a_purpose(unit: str) -> None:
    t = table("united_kingdom", units={"egypt": {"united_kingdom": unit}})
    t.do(move(unit, "egypt > libya"), Done())
    assert t.s.control["libya"] == "united_kingdom"
    t.refused(move(unit, "libya > egypt"), "noncombat.eligible")


@pytest.mark.rule("aa1942:combat-move.multiple-origins")
def test_units_converge_from_several_spaces_on_several_targets() -> None:
    t = table(
        "soviet_union",
        units={
            "russia": {"soviet_union": "infantry"},
            "archangel": {"soviet_union": "infantry, tank"},
            "karelia_ssr": {"soviet_union": "infantry"},
            "west_russia": {"germany": "infantry"},
            "baltic_states": {"germany": "infantry"},
        },
    )
    t.do(
        move("infantry", "russia > west_russia"),
        move("infantry", "archangel > west_russia"),
        move("tank", "archangel > karelia_ssr > west_russia"),
        move("infantry", "karelia_ssr > baltic_states"),
        Done(),
    )
    assert t.units("west_russia", "soviet_union") == {"infantry": 2, "tank": 1}
    assert t.request.battles == ("baltic_states", "west_russia")


@pytest.mark.rule("aa1942:combat-move.transit-friendly")
def test_ships_and_tanks_pass_friendly_spaces_on_their_way() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz9": {"united_kingdom": "destroyer"},
            "sz7": {"united_states": "cruiser"},
            "sz6": {"germany": "cruiser"},
            "karelia_ssr": {"united_kingdom": "tank"},
        },
    )
    t.do(move("destroyer", "sz9 > sz7 > sz6"))
    t.do(move("tank", "karelia_ssr > archangel > west_russia"))
    assert t.units("sz6", "united_kingdom") == {"destroyer": 1}
    assert t.units("west_russia", "united_kingdom") == {"tank": 1}


@pytest.mark.rule("aa1942:combat-move.end-friendly.sub-transport-attack")
@pytest.mark.parametrize("prey", ["submarine", "transport", "submarine, transport"])
def test_ships_may_go_to_attack_submarines_and_transports(prey: str) -> None:
    t = table(
        "united_kingdom",
        units={"sz9": {"united_kingdom": "destroyer"}, "sz12": {"germany": prey}},
    )
    t.refused(move("destroyer", "sz9 > sz13"), "combat-move.purpose")
    t.do(move("destroyer", "sz9 > sz12"), Done())
    if prey == "transport":
        assert t.units("sz12", "germany") == {}
    else:
        t.do(Fight("sz12"))
        assert t.rolling.startswith("attack in sz12")


@pytest.mark.rule("aa1942:combat-move.end-friendly.amphibious", "aa1942:amphib.move-is-combat-move")
def test_ships_join_an_announced_assault_from_an_empty_zone() -> None:
    """Transport and bombarding ships move now; they are not free to move later."""
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport, battleship, cruiser, destroyer, submarine"},
            "united_kingdom": {"united_kingdom": "2 infantry"},
            "norway": {"germany": "infantry"},
        },
    )
    for ship in ("battleship", "cruiser"):
        t.refused(move(ship, "sz7 > sz6"), "combat-move.purpose")  # no assault there yet
    t.do(sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"))
    t.do(move("battleship, cruiser", "sz7 > sz6"))
    for ship in ("destroyer", "submarine"):
        t.refused(move(ship, "sz7 > sz6"), "combat-move.purpose")  # they cannot bombard
    t.refused(move("transport", "sz6 > sz7"))
    t.do(Done())
    assert t.asked == "united_kingdom choose_bombardment"
    assert t.request.ships == {"sz6": {"battleship": 1, "cruiser": 1}}


@pytest.mark.rule("aa1942:amphib.move-is-combat-move", "aa1942:combat-move.end-friendly.amphibious")
@pytest.mark.parametrize(
    "group",
    [
        "battleship, destroyer, aircraft_carrier",
        "battleship, destroyer",
        "cruiser, aircraft_carrier",
        "battleship, submarine",
    ],
)
def test_a_group_joins_an_assault_only_if_all_of_it_can_bombard(group: str) -> None:
    """A battleship does not take a destroyer along; an enemy in the zone changes that."""

    def landing(**guards: str) -> Table:
        t = table(
            "united_kingdom",
            units={
                "sz7": {"united_kingdom": f"transport, {group}"},
                "sz6": {"united_kingdom": "cruiser", **guards},
                "united_kingdom": {"united_kingdom": "2 infantry"},
                "norway": {"germany": "infantry"},
            },
        )
        return t.do(sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"))

    t = landing()
    t.refused(move(group, "sz7 > sz6"), "combat-move.purpose")
    bombarding = group.partition(", ")[0]
    t.do(move(bombarding, "sz7 > sz6"))
    assert t.units("sz6", "united_kingdom")[bombarding] == 1 + (bombarding == "cruiser")
    t = landing(germany="destroyer")
    t.do(move(group, "sz7 > sz6"))


@pytest.mark.rule("aa1942:combat-move.end-friendly.amphibious", "aa1942:amphib.bombard.limit")
def test_no_more_ships_join_a_landing_than_units_land() -> None:
    """Two land in Norway from two zones, so two ships may come to either; those that are there do
    not count, a gun that stays aboard lands nobody."""
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "2 transport, 2 battleship, 2 cruiser"},
            "sz6": {"united_kingdom": "cruiser"},
            "united_kingdom": {"united_kingdom": "2 infantry"},
            "norway": {"germany": "infantry"},
        },
        cargo={
            "sz7": {
                "united_kingdom": [
                    {
                        "ship": "transport",
                        "load": {"united_kingdom": {"infantry": 1, "antiaircraft_artillery": 1}},
                    }
                ]
            }
        },
    )
    t.do(sail("sz7 > sz6", offload="norway"))
    reason = t.refused(
        move("battleship, cruiser", "sz7 > sz6"), "combat-move.end-friendly.amphibious"
    )
    assert "1 more may join" in reason
    t.do(move("battleship", "sz7 > sz6"))
    reason = t.refused(move("cruiser", "sz7 > sz6"), "combat-move.end-friendly.amphibious")
    assert "0 more may join" in reason
    # One more lands, from another zone: it is the territory's units that count.
    t.do(sail("sz7 > sz3", "infantry from united_kingdom in sz7", offload="norway"))
    t.refused(move("2 cruiser", "sz7 > sz6"), "combat-move.end-friendly.amphibious")
    t.do(move("cruiser", "sz7 > sz6"), Done())
    assert t.request.limit == 2
    assert t.request.ships == {"sz6": {"battleship": 1, "cruiser": 2}}


@pytest.mark.rule("aa1942:amphib.move-is-combat-move", "aa1942:unit.transport.assault-only-hostile")
def test_no_landing_on_hostile_coast_in_noncombat_movement() -> None:
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "sz7": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "infantry"},
        },
    )
    t.refused(
        sail("sz7 > sz6", "infantry from united_kingdom in sz7", offload="norway"),
        "unit.transport.assault-only-hostile",
    )


# --- range and stops ----------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat-move.range")
@pytest.mark.parametrize(
    ("units", "path"),
    [
        ("infantry", "russia > archangel > west_russia"),
        ("artillery", "russia > archangel > west_russia"),
        ("tank, infantry", "russia > archangel > west_russia"),
        ("tank", "vologda > russia > caucasus > ukraine_ssr"),
        ("destroyer", "sz10 > sz2 > sz3 > sz6"),
        ("submarine", "sz10 > sz2 > sz3 > sz6"),
    ],
)
def test_nobody_moves_farther_than_its_move_value(units: str, path: str) -> None:
    start = path.split(" > ")[0]
    t = table(
        "soviet_union",
        units={
            start: {"soviet_union": units},
            "west_russia": {"germany": "infantry"},
            "ukraine_ssr": {"germany": "infantry"},
            "sz6": {"germany": "transport"},
        },
    )
    t.refused(move(units, path), "combat-move.range")


@pytest.mark.rule("aa1942:combat-move.stop-hostile")
@pytest.mark.parametrize("warship", ["battleship", "aircraft_carrier", "cruiser", "destroyer"])
def test_every_surface_warship_stops_ships(warship: str) -> None:
    t = table(
        "united_kingdom",
        units={
            "sz9": {"united_kingdom": "cruiser"},
            "sz12": {"germany": warship},
            "sz11": {"germany": "destroyer"},
        },
    )
    t.refused(move("cruiser", "sz9 > sz12 > sz11"), "combat-move.stop-hostile")
    t.do(move("cruiser", "sz9 > sz12"))


@pytest.mark.rule("aa1942:combat-move.stop-hostile")
def test_a_ship_is_not_stopped_by_the_zone_it_starts_in() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz9": {"united_kingdom": "cruiser", "germany": "destroyer"},
            "sz11": {"germany": "destroyer"},
        },
    )
    t.do(move("cruiser", "sz9 > sz12 > sz11"))


@pytest.mark.rule("aa1942:combat-move.simultaneous")
def test_a_unit_moves_once_and_nothing_is_fought_before_all_have_moved() -> None:
    t = table(
        "germany",
        units={
            "libya": {"germany": "tank, fighter"},
            "egypt": {"united_kingdom": "infantry"},
            "sz9": {"germany": "submarine"},
            "sz7": {"united_kingdom": "transport"},
            "sz6": {"united_kingdom": "transport"},
        },
        control={"trans_jordan": "germany"},
    )
    t.do(move("tank", "libya > egypt"), move("fighter", "libya > egypt"))
    t.do(move("submarine", "sz9 > sz7"))
    assert t.asked == "germany combat_move"
    assert t.units("sz7", "united_kingdom") == {"transport": 1}
    t.refused(move("tank", "egypt > anglo_egyptian_sudan"), "combat-move.simultaneous")
    t.refused(move("fighter", "egypt > libya"))
    t.refused(move("submarine", "sz7 > sz6"), "combat-move.simultaneous")


@pytest.mark.rule("aa1942:combat-move.amphib-exception")
def test_seaborne_troops_land_after_the_sea_battle() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz9": {"united_kingdom": "cruiser, transport"},
            "sz8": {"germany": "destroyer"},
            "france": {"germany": "infantry"},
        },
        cargo={"sz9": {"united_kingdom": [hold(united_kingdom={"infantry": 2})]}},
    )
    t.do(move("cruiser", "sz9 > sz8"), sail("sz9 > sz8", offload="france"), Done())
    assert t.units("france", "united_kingdom") == {}
    assert t.rolling.startswith("attack in sz8")
    t.dice(3).dice(6)
    assert t.rolling == "attack in france: 2 infantry at 1"
    assert t.units("france", "united_kingdom") == {"infantry": 2}


# --- submarines and transports do not block -----------------------------------------------------


@pytest.mark.rule(
    "aa1942:combat-move.sub-transport.no-block",
    "aa1942:unit.sub.no-block",
    "aa1942:unit.transport.no-block",
)
@pytest.mark.parametrize("enemy", ["submarine", "transport", "2 submarine, 3 transport"])
def test_submarines_and_transports_stop_nobody(enemy: str) -> None:
    """Neither moves nor loading nor offloading."""
    units = {
        "sz7": {"united_kingdom": "destroyer, transport", "germany": enemy},
        "sz6": {"germany": enemy},
        "sz5": {"germany": "cruiser"},
        "united_kingdom": {"united_kingdom": "2 infantry"},
    }
    t = table("united_kingdom", units=units)
    t.do(move("destroyer", "sz7 > sz6 > sz5"))
    t = table("united_kingdom", "noncombat_move", units, control={"norway": "united_kingdom"})
    t.do(sail("sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"))
    t.do(move("destroyer", "sz7 > sz6 > sz3"), Done())
    assert t.units("norway", "united_kingdom") == {"infantry": 2}
    assert t.units("sz6", "united_kingdom") == {"transport": 1}


@pytest.mark.rule("aa1942:combat-move.sub-transport.attack-option")
@pytest.mark.parametrize("enemy", ["submarine", "transport"])
def test_units_that_begin_beside_them_attack_or_not(enemy: str) -> None:
    t = table("united_kingdom", units={"sz7": {"united_kingdom": "destroyer", "germany": enemy}})
    t.do(Done())
    assert t.asked == "united_kingdom choose_battle"
    assert (t.request.battles, t.request.optional) == ((), ("sz7",))
    again = table(
        "united_kingdom", units={"sz7": {"united_kingdom": "destroyer", "germany": enemy}}
    ).do(Done(), Fight("sz7"))
    if enemy == "submarine":
        again.dice(2).dice(6)
    assert again.units("sz7", "germany") == {}
    t.do(Done())
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("sz7", "germany") == {enemy: 1}
    t.do(move("destroyer", "sz7 > sz8"))  # it did not fight


@pytest.mark.rule("aa1942:unit.sub.no-block", "aa1942:combat-move.sub-transport.attack-option")
def test_ships_that_stop_beside_submarines_need_not_attack() -> None:
    t = table(
        "united_kingdom",
        units={"sz9": {"united_kingdom": "destroyer"}, "sz7": {"germany": "submarine"}},
    )
    t.do(move("destroyer", "sz9 > sz7"), Done())
    assert t.request.optional == ("sz7",)
    t.do(Done())
    assert t.units("sz7", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:unit.transport.auto-destroy")
@pytest.mark.parametrize(
    ("unit", "path"),
    [
        ("submarine", "sz9 > sz7"),
        ("aircraft_carrier", "sz9 > sz7"),
        ("fighter", "norway > sz6 > sz7"),
        ("bomber", "norway > sz6 > sz7"),
    ],
)
def test_whoever_stops_beside_lone_transports_sinks_them(unit: str, path: str) -> None:
    start = path.split(" > ")[0]
    t = table("germany", units={start: {"germany": unit}, "sz7": {"united_kingdom": "2 transport"}})
    t.do(move(unit, path), Done())
    assert t.asked == "germany noncombat_move"
    assert t.units("sz7", "united_kingdom") == {}
    assert t.s.lost == {("united_kingdom", "transport"): 2}


@pytest.mark.rule("aa1942:unit.transport.auto-destroy")
def test_ships_that_support_an_assault_may_ignore_transports() -> None:
    for attack in (True, False):
        t = table(
            "united_kingdom",
            units={
                "sz7": {"united_kingdom": "transport, cruiser"},
                "sz6": {"germany": "transport"},
                "united_kingdom": {"united_kingdom": "infantry"},
                "norway": {"germany": "infantry"},
            },
        )
        t.do(sail("sz7 > sz6", "infantry from united_kingdom in sz7", offload="norway"))
        t.do(move("cruiser", "sz7 > sz6"), Done(), Engage(attack))
        assert t.units("sz6", "germany") == ({} if attack else {"transport": 1})
        # Sinking them is a sea combat and costs the bombardment.
        assert t.asked == ("chance roll" if attack else "united_kingdom choose_bombardment")


@pytest.mark.rule("aa1942:combat-move.transport-sink.stop", "aa1942:combat-move.split-force")
def test_a_warship_that_sails_on_sinks_nothing() -> None:
    t = table(
        "united_states",
        units={
            "sz11": {"united_states": "2 cruiser"},
            "sz12": {"germany": "transport"},
            "sz13": {"germany": "destroyer"},
        },
    )
    t.do(move("2 cruiser", "sz11 > sz12 > sz13"), Done())
    assert t.rolling.startswith("attack in sz13: 2 cruiser")
    t.dice(1, 6).dice(6)
    assert t.asked == "united_states noncombat_move"
    assert t.units("sz12", "germany") == {"transport": 1}


# --- submarines ---------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:sub.move.pass")
@pytest.mark.parametrize("warship", ["battleship", "aircraft_carrier", "cruiser"])
def test_submarines_pass_warships_but_take_no_others_along(warship: str) -> None:
    t = table(
        "japan",
        units={
            "sz60": {"japan": "submarine, cruiser"},
            "sz59": {"united_states": warship},
            "sz57": {"united_states": "transport"},
        },
    )
    t.refused(move("submarine, cruiser", "sz60 > sz59 > sz57"), "combat-move.stop-hostile")
    t.do(move("submarine", "sz60 > sz59 > sz57"))
    assert t.units("sz57", "japan") == {"submarine": 1}


@pytest.mark.rule("aa1942:sub.move.destroyer-stops")
def test_only_enemy_destroyers_in_entered_zones_stop_submarines() -> None:
    t = table(
        "japan",
        units={
            "sz60": {"japan": "submarine", "united_states": "destroyer"},
            "sz59": {"germany": "destroyer"},
            "sz58": {"united_states": "destroyer, cruiser"},
            "sz57": {"united_states": "transport"},
        },
    )
    t.refused(move("submarine", "sz60 > sz58 > sz57"), "sub.move.destroyer-stops")
    t.do(move("submarine", "sz60 > sz59 > sz57"))
    t.do(Done())
    assert t.units("sz57", "united_states") == {}


@pytest.mark.rule("aa1942:unit.sub.end-hostile")
def test_a_submarine_fights_where_it_ends_its_combat_move() -> None:
    t = table(
        "japan",
        units={"sz60": {"japan": "submarine"}, "sz59": {"united_states": "cruiser, destroyer"}},
    )
    t.do(move("submarine", "sz60 > sz59"), Done())
    assert t.rolling == "attack in sz59: 1 submarine at 2"


# --- starting in a hostile zone -----------------------------------------------------------------


def shared_zone(**more: Any) -> Any:
    """British ships in sz6 beside a German cruiser that was built there."""
    units = {
        "sz6": {"united_kingdom": "destroyer, cruiser, transport", "germany": "cruiser"},
        "united_kingdom": {"united_kingdom": "2 infantry"},
        **more,
    }
    return table("united_kingdom", units=units)


@pytest.mark.rule(
    "aa1942:combat-move.start-hostile.options", "aa1942:combat-move.start-hostile.trigger"
)
def test_who_stays_in_a_hostile_zone_fights() -> None:
    t = shared_zone().do(Done())
    assert t.rolling == "attack in sz6: 1 cruiser at 3, 1 destroyer at 2"


@pytest.mark.rule("aa1942:combat-move.start-hostile.options")
def test_who_leaves_may_fight_elsewhere_while_others_stay() -> None:
    t = shared_zone(sz8={"germany": "destroyer"})
    t.do(move("cruiser", "sz6 > sz8"), Done())
    assert t.request.battles == ("sz6", "sz8")


@pytest.mark.rule(
    "aa1942:combat-move.end-friendly.escape", "aa1942:combat-move.start-hostile.options"
)
def test_all_may_leave_without_fighting() -> None:
    t = shared_zone()
    t.do(move("destroyer, cruiser, transport", "sz6 > sz7 > sz9"), Done())
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("sz9", "united_kingdom") == {"destroyer": 1, "cruiser": 1, "transport": 1}


@pytest.mark.rule(
    "aa1942:combat-move.end-friendly.escape", "aa1942:combat-move.start-hostile.options"
)
@pytest.mark.parametrize("enemy", ["submarine", "transport"])
def test_a_transport_flees_to_a_zone_that_only_submarines_or_transports_share(enemy: str) -> None:
    """Such a zone is friendly, so it is no attack and needs no escort."""
    t = shared_zone(sz7={"germany": enemy})
    t.do(move("transport", "sz6 > sz7"))
    t.do(move("destroyer", "sz6 > sz7 > sz9"))
    assert t.units("sz7", "united_kingdom") == {"transport": 1}


@pytest.mark.rule("aa1942:combat-move.start-hostile.options")
def test_a_transport_that_stays_alone_is_lost() -> None:
    t = shared_zone()
    t.do(move("destroyer, cruiser", "sz6 > sz7"), Done())
    assert t.asked == "united_kingdom noncombat_move"  # without any roll
    assert t.s.lost == {("united_kingdom", "transport"): 1}


@pytest.mark.rule("aa1942:combat-move.start-hostile.trigger")
@pytest.mark.parametrize("enemy", ["submarine", "transport"])
def test_submarines_and_transports_give_no_right_to_leave(enemy: str) -> None:
    t = table("united_kingdom", units={"sz6": {"united_kingdom": "destroyer", "germany": enemy}})
    t.refused(move("destroyer", "sz6 > sz7"), "combat-move.purpose")


@pytest.mark.rule("aa1942:combat-move.start-hostile.trigger")
def test_fighters_leave_a_hostile_zone_with_their_carrier() -> None:
    """The options are for fighters on carriers too: they need not stay and fight alone."""
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "aircraft_carrier, 2 fighter", "germany": "cruiser"},
            "egypt": {"united_kingdom": "fighter"},
        },
    )
    t.refused(move("fighter", "egypt > trans_jordan"), "combat-move.purpose")
    t.do(move("aircraft_carrier", "sz6 > sz7"))
    t.do(move("fighter", "sz6 > sz7"), move("fighter", "sz6 > united_kingdom"), Done())
    assert t.asked == "united_kingdom noncombat_move"
    t.do(Done())
    assert t.units("sz7", "united_kingdom") == {"aircraft_carrier": 1, "fighter": 1}
    assert t.units("united_kingdom", "united_kingdom") == {"fighter": 1}


@pytest.mark.rule("aa1942:combat-move.start-hostile.load")
def test_a_transport_leaves_loads_and_comes_back_or_assaults_elsewhere() -> None:
    t = shared_zone()
    load = "2 infantry from united_kingdom in sz7"
    t.refused(
        sail("sz6 > sz7", "2 infantry from united_kingdom in sz6", offload="norway"),
        "unit.transport.hostile",
    )
    t.do(sail("sz6 > sz7 > sz3", load, offload="finland"))
    t = shared_zone()
    t.do(sail("sz6 > sz7 > sz6", load, offload="norway"), Done())
    t.dice(3, 6).dice(6)  # cruiser and destroyer fight the German cruiser
    assert t.asked == "united_kingdom noncombat_move"
    assert t.s.control["norway"] == "united_kingdom"
    assert t.units("norway", "united_kingdom") == {"infantry": 2}


@pytest.mark.rule("aa1942:combat-move.start-hostile.load", "aa1942:unit.transport.escort-needed")
def test_a_transport_does_not_come_back_without_somebody_to_fight() -> None:
    t = shared_zone()
    t.do(move("destroyer, cruiser", "sz6 > sz7"))
    t.refused(
        sail("sz6 > sz7 > sz6", "2 infantry from united_kingdom in sz7", offload="norway"),
        "unit.transport.escort-needed",
    )


@pytest.mark.rule("aa1942:combat-move.start-hostile.no-noncombat")
def test_ships_that_fled_or_fought_are_done_for_the_turn() -> None:
    t = shared_zone()
    t.do(move("transport, destroyer", "sz6 > sz7"), Done()).dice(3).dice(6)
    assert t.asked == "united_kingdom noncombat_move"
    t.refused(move("cruiser", "sz6 > sz5"), "noncombat.eligible")
    t.refused(move("destroyer", "sz7 > sz8"), "noncombat.eligible")
    t.refused(move("transport", "sz7 > sz8"), "noncombat.eligible")
    t.refused(sail("sz7", "infantry from united_kingdom in sz7"), "noncombat.transport")


# --- blitzing -----------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat-move.blitz.blocked-by-aaa")
def test_a_lone_gun_stops_a_blitz() -> None:
    t = table(
        "germany",
        units={"libya": {"germany": "tank"}, "egypt": {"united_kingdom": "antiaircraft_artillery"}},
    )
    t.refused(move("tank", "libya > egypt > trans_jordan"))
    t.do(move("tank", "libya > egypt"), Done())
    assert t.s.control["egypt"] == "germany"


@pytest.mark.rule("aa1942:combat-move.blitz.blocked-by-units")
@pytest.mark.parametrize("unit", ["infantry", "fighter", "bomber"])
def test_any_unit_of_any_enemy_stops_a_blitz(unit: str) -> None:
    t = table(
        "germany",
        units={"libya": {"germany": "tank"}, "egypt": {"united_states": unit}},
    )
    t.refused(move("tank", "libya > egypt > trans_jordan"), "combat-move.blitz.blocked-by-units")


@pytest.mark.rule("aa1942:combat-move.end-friendly.blitz", "aa1942:combat-move.blitz.basic")
def test_a_blitz_may_end_in_another_friendly_territory() -> None:
    t = table(
        "germany",
        units={"libya": {"germany": "tank"}},
        control={"trans_jordan": "japan"},
    )
    t.do(move("tank", "libya > egypt > trans_jordan"), Done())
    assert t.s.control["egypt"] == "germany"
    assert t.units("trans_jordan", "germany") == {"tank": 1}
    t.refused(move("tank", "trans_jordan > egypt"), "noncombat.eligible")


@pytest.mark.rule("aa1942:combat-move.blitz.control")
def test_a_blitz_frees_an_allys_territory_for_the_ally() -> None:
    t = table(
        "united_kingdom",
        units={"karelia_ssr": {"united_kingdom": "tank"}},
        control={"archangel": "germany"},
    )
    ours, theirs = production(t.s, "united_kingdom"), production(t.s, "soviet_union")
    t.do(move("tank", "karelia_ssr > archangel > russia"))
    assert t.s.control["archangel"] == "soviet_union"
    assert production(t.s, "united_kingdom") == ours
    assert production(t.s, "soviet_union") == theirs + 1


@pytest.mark.rule(
    "aa1942:combat-move.simultaneous",
    "aa1942:combat-move.blitz.control",
    "aa1942:combat-move.purpose",
)
def test_a_blitzed_territory_stays_an_aim_for_others() -> None:
    """All combat movement is simultaneous; what was friendly before is no aim because of it."""
    t = table(
        "germany",
        units={
            "libya": {"germany": "4 tank, 2 infantry"},
            "trans_jordan": {"united_kingdom": "infantry"},
        },
    )
    t.do(move("tank", "libya > egypt > libya"))
    assert t.s.control["egypt"] == "germany"
    t.do(move("infantry", "libya > egypt"), move("tank", "libya > egypt"))
    t.do(move("tank", "libya > egypt > libya"))
    t.do(move("tank", "libya > egypt > trans_jordan"))
    t.refused(move("infantry", "libya > algeria"), "combat-move.purpose")
    t.do(Done())
    assert t.events("battle_ended") == []  # nothing is left to fight for in Egypt
    t.dice(6).dice(6).do(Retreat("egypt"))
    t.refused(move("infantry, tank", "egypt > libya"), "noncombat.eligible")
    t.do(move("infantry", "libya > egypt"))
    assert t.units("egypt", "germany") == {"tank": 2, "infantry": 2}


ORDERS: dict[str, tuple[str, dict[str, Any], list[Decision]]] = {
    "infantry enters what a tank blitzes": (
        "germany",
        {"libya": {"germany": "tank, infantry"}},
        [move("infantry", "libya > egypt"), move("tank", "libya > egypt > libya")],
    ),
    "two tanks blitz through the same land and back": (
        "germany",
        {"libya": {"germany": "2 tank"}},
        [
            move("tank", "libya > egypt > libya"),
            move("tank", "libya > egypt > anglo_egyptian_sudan"),
        ],
    ),
    "troops land where a tank has passed": (
        "germany",
        {
            "libya": {"germany": "tank, infantry"},
            "italy": {"germany": "2 infantry"},
            "sz15": {"germany": "transport"},
            "sz17": {"germany": "cruiser"},
        },
        [
            move("tank", "libya > egypt > trans_jordan"),
            sail("sz15 > sz17", "2 infantry from italy in sz15", offload="egypt"),
            move("infantry", "libya > egypt"),
        ],
    ),
    "a blitz ends where another unit attacks": (
        "germany",
        {"libya": {"germany": "2 tank"}, "anglo_egyptian_sudan": {"united_kingdom": "infantry"}},
        [
            move("tank", "libya > egypt > anglo_egyptian_sudan"),
            move("tank", "libya > egypt > libya"),
        ],
    ),
}


@pytest.mark.rule("aa1942:combat-move.simultaneous", "aa1942:combat-move.blitz.control")
@pytest.mark.parametrize("case", ORDERS)
def test_combat_moves_can_be_made_in_any_order(case: str) -> None:
    power, units, decisions = ORDERS[case]
    ends = {table(power, units=units).do(*order).game.hash for order in permutations(decisions)}
    assert len(ends) == 1


@pytest.mark.rule("aa1942:combat-move.simultaneous")
@pytest.mark.parametrize("case", ["infantry", "escape"])
def test_what_a_blitz_takes_opens_no_way(case: str) -> None:
    """Neither order lets others pass through it, or flee to it."""
    units: dict[str, Any] = {"libya": {"germany": "tank, infantry"}}
    late: Decision = move("infantry", "libya > egypt > trans_jordan")
    rule = "combat-move.range"
    if case == "escape":
        units["sz17"] = {
            "germany": "aircraft_carrier, fighter",
            "united_kingdom": "destroyer",
        }
        late, rule = move("fighter", "sz17 > egypt"), "combat-move.purpose"
    t = table("germany", units=units)
    t.refused(late, rule)
    t.do(move("tank", "libya > egypt > libya"))
    t.refused(late, rule)


@pytest.mark.rule("aa1942:combat-move.simultaneous")
def test_whatever_two_moves_are_legal_together_are_so_in_either_order() -> None:
    """In positions of random games: if both are legal now and the second after the first, then
    also the first after the second, and the position is the same."""
    rng = random.Random(5)
    tried = 0
    for seed in range(3):
        game = sandtable.new("aa1942", seed=seed)
        while game.state.round < 5:
            request = game.pending[0]
            legal = game.legal(request)
            if request.kind == "combat_move" and rng.random() < 0.6:
                found = [legal.sample(rng) for _ in range(6)]
                for first, second in combinations([d for d in found if d != Done()], 2):
                    there = after(game, first, second)
                    back = after(game, second, first)
                    assert (there and there.hash) == (back and back.hash), (first, second)
                    tried += there is not None
            game.submit(request.power, legal.sample(rng))
    assert tried > 300


def after(game: sandtable.Game, *decisions: Decision) -> sandtable.Game | None:
    """The game after these decisions; None if one of them is refused."""
    clone = game.clone()
    try:
        for decision in decisions:
            clone.submit(clone.pending[0].power, decision)
    except sandtable.IllegalDecision:
        return None
    return clone


@pytest.mark.rule("aa1942:combat-move.blitz.basic", "aa1942:combat-move.blitz.control")
def test_a_second_tank_blitzes_through_the_territory_where_the_first_stopped() -> None:
    t = table("germany", units={"libya": {"germany": "2 tank"}})
    t.do(move("tank", "libya > egypt"))
    assert t.s.control["egypt"] == "united_kingdom"
    t.do(move("tank", "libya > egypt > anglo_egyptian_sudan"))
    assert t.s.control["egypt"] == "germany"
    t.do(Done())
    assert t.units("egypt", "germany") == {"tank": 1}
    t.refused(move("tank", "egypt > libya"), "noncombat.eligible")


@pytest.mark.rule("aa1942:combat-move.blitz.basic", "aa1942:combat-move.transit-friendly")
def test_a_tank_enters_empty_hostile_land_through_friendly_land_and_stops() -> None:
    t = table("germany", units={"algeria": {"germany": "tank"}})
    t.do(move("tank", "algeria > libya > egypt"))
    assert t.s.control["egypt"] == "united_kingdom"  # until Conduct Combat
    t.refused(move("tank", "egypt > trans_jordan"), "combat-move.simultaneous")
    t.do(Done())
    assert t.s.control["egypt"] == "germany"


@pytest.mark.rule("aa1942:noncombat.air.no-captured")
def test_nobody_lands_in_a_blitzed_territory() -> None:
    t = table("germany", units={"libya": {"germany": "tank, fighter"}})
    t.do(move("tank", "libya > egypt > libya"), Done())
    t.refused(move("fighter", "libya > egypt"), "noncombat.air.no-captured")


# --- antiaircraft artillery ---------------------------------------------------------------------


@pytest.mark.rule("aa1942:unit.aaa.move")
def test_guns_stand_still_in_combat_movement() -> None:
    t = table(
        "united_kingdom",
        units={
            "egypt": {"united_kingdom": "antiaircraft_artillery, infantry"},
            "sz17": {"united_kingdom": "transport"},
        },
    )
    t.refused(move("antiaircraft_artillery", "egypt > libya"), "unit.aaa.move")
    t.refused(move("antiaircraft_artillery, infantry", "egypt > libya"), "unit.aaa.move")
    t.refused(
        sail("sz17 > sz15", "antiaircraft_artillery from egypt in sz17", offload="libya"),
        "unit.aaa.move",
    )


@pytest.mark.rule("aa1942:unit.aaa.move")
def test_guns_aboard_since_an_earlier_turn_travel_but_do_not_assault() -> None:
    load = {"antiaircraft_artillery": 1, "infantry": 1}
    t = table(
        "united_kingdom",
        units={"sz17": {"united_kingdom": "transport"}, "libya": {"germany": "infantry"}},
        cargo={"sz17": {"united_kingdom": [hold(united_kingdom=load)]}},
    )
    t.refused(
        sail("sz17 > sz15", offload="libya", units={"antiaircraft_artillery": 1}),
        "unit.aaa.never-attack",
    )
    t.do(sail("sz17 > sz15", offload="libya"), Done())
    assert t.rolling == "attack in libya: 1 infantry at 1"
    assert t.cargo("sz15", "united_kingdom") == [["united_kingdom antiaircraft_artillery"]]
    t = table(
        "united_kingdom",
        units={
            "sz17": {"united_kingdom": "transport, destroyer"},
            "sz15": {"germany": "destroyer"},
        },
        cargo={"sz17": {"united_kingdom": [hold(united_kingdom=load)]}},
    )
    t.do(move("transport, destroyer", "sz17 > sz15"))
    assert t.cargo("sz15", "united_kingdom") == [
        ["united_kingdom antiaircraft_artillery", "united_kingdom infantry"]
    ]


# --- aircraft -----------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat-move.air.budget", "aa1942:unit.air.count")
def test_aircraft_pay_a_point_for_every_border() -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "fighter, bomber"},
            "ukraine_ssr": {"germany": "infantry"},
            "poland": {"germany": "infantry"},
        },
    )
    t.refused(
        move("fighter", "united_kingdom > sz6 > sz5 > germany > poland > ukraine_ssr"),
        "combat-move.air.budget",
    )
    t.do(move("bomber", "united_kingdom > sz6 > sz5 > germany > poland > ukraine_ssr"))
    (bomber,) = (u for u in t.s.stack("ukraine_ssr") if u.type == "bomber")
    assert bomber.used == 5
    t.refused(
        move("fighter", "united_kingdom > sz6 > sz5 > germany > poland"), "unit.air.landing-proof"
    )


@pytest.mark.rule("aa1942:unit.air.count.island")
def test_zone_and_island_cost_a_point_each() -> None:
    """Hawaii to Wake: its zone, Wake's zone, the island; so one point is left, which is too few."""
    t = table(
        "united_states",
        units={
            "hawaiian_islands": {"united_states": "fighter, bomber"},
            "wake_island": {"japan": "infantry"},
        },
    )
    t.refused(move("fighter", "hawaiian_islands > sz53 > sz52 > wake_island"))
    t.refused(move("bomber", "hawaiian_islands > sz52 > wake_island"), "map.adjacency")
    t.do(move("bomber", "hawaiian_islands > sz53 > sz52 > wake_island"))
    (bomber,) = (u for u in t.s.stack("wake_island") if u.type == "bomber")
    assert bomber.used == 3


@pytest.mark.rule("aa1942:unit.air.scope")
def test_aircraft_attack_on_land_and_at_sea() -> None:
    t = table(
        "germany",
        units={
            "norway": {"germany": "2 fighter, 2 bomber"},
            "karelia_ssr": {"soviet_union": "fighter, bomber"},
            "sz3": {"united_kingdom": "cruiser"},
        },
    )
    t.do(move("fighter, bomber", "norway > sz3"))
    t.do(move("fighter, bomber", "norway > finland > karelia_ssr"), Done(), Fight("karelia_ssr"))
    assert t.rolling == "attack in karelia_ssr: 1 fighter at 3, 1 bomber at 4"
    t.dice(6, 6)
    assert t.rolling == "defence in karelia_ssr: 1 fighter at 4, 1 bomber at 1"
    t.dice(6, 6).do(Retreat())
    assert t.rolling == "attack in sz3: 1 fighter at 3, 1 bomber at 4"


@pytest.mark.rule("aa1942:combat-move.air-pass")
def test_aircraft_cross_hostile_zones_and_land() -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "fighter"},
            "sz8": {"germany": "battleship, aircraft_carrier, 2 fighter"},
            "france": {"germany": "3 infantry"},
            "sz14": {"germany": "transport"},
        },
    )
    t.do(move("fighter", "united_kingdom > sz8 > france > sz14"))  # and on to Gibraltar
    t.do(Done())
    assert t.units("sz14", "germany") == {}
    t.do(move("fighter", "sz14 > gibraltar"))


@pytest.mark.rule("aa1942:unit.bomber.role")
def test_a_bomber_raids_or_fights() -> None:
    units = {
        "united_kingdom": {"united_kingdom": "2 bomber"},
        "germany": {"germany": "infantry"},
    }
    way = "united_kingdom > sz6 > sz5 > germany"
    t = table("united_kingdom", units=units)
    t.do(move("bomber", way, raid=True))
    t.refused(move("bomber", "germany > sz5 > germany"))
    t.do(move("bomber", way), Done())
    assert t.rolled == "complex in germany"
    t.dice(6).dice(5)
    assert t.rolling == "attack in germany: 1 bomber at 4"  # the raider is not in it
    assert t.s.complexes["germany"] == 5
    t.dice(6).dice(6).do(Retreat())
    assert t.s.complexes["germany"] == 5
    t.do(move("2 bomber", "germany > sz5 > sz6 > united_kingdom"))


# --- sharing and assaults -----------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat-move.share-spaces")
def test_room_on_an_allys_ship_takes_the_allys_consent() -> None:
    units = {
        "sz7": {"united_states": "transport, aircraft_carrier"},
        "united_kingdom": {"united_kingdom": "infantry, fighter"},
    }
    load = sail("sz7", "infantry from united_kingdom in sz7", owner="united_states")
    for decision, guest in (
        (load, "infantry"),
        (move("fighter", "united_kingdom > sz7"), "fighter"),
    ):
        for agree in (True, False):
            t = table("united_kingdom", "noncombat_move", units, options=FIVE)
            t.do(decision)
            assert t.asked == "united_states share_space"
            assert t.request.units == {guest: 1}
            t.do(Consent(agree))
            assert t.asked == "united_kingdom noncombat_move"
            assert (guest in t.units("united_kingdom", "united_kingdom")) is not agree
        # One person who runs both powers need not be asked.
        for options in ({}, TWO):
            t = table("united_kingdom", "noncombat_move", units, options=options).do(decision)
            assert t.asked == "united_kingdom noncombat_move"
            assert guest not in t.units("united_kingdom", "united_kingdom")


@pytest.mark.rule("aa1942:combat-move.share-spaces", "aa1942:noncombat.air.crash")
def test_a_fighter_that_an_ally_does_not_take_aboard_is_lost() -> None:
    units = {
        "sz12": {"united_states": "aircraft_carrier"},
        "sz9": {"united_kingdom": {"fighter": [{"count": 1, "used": 3}]}},
    }
    t = table("united_kingdom", "noncombat_move", units, options=FIVE)
    t.refused(Done())
    t.do(move("fighter", "sz9 > sz12"), Consent(False))
    # Once is enough to ask. No other deck is in reach: the phase can end, without the fighter.
    t.refused(move("fighter", "sz9 > sz12"), "noncombat.air.carrier-required")
    t.do(Done())
    assert t.units("sz9", "united_kingdom") == {}


@pytest.mark.rule("aa1942:combat-move.share-spaces")
def test_units_of_one_side_stand_together() -> None:
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "egypt": {"united_kingdom": "infantry"},
            "trans_jordan": {"united_states": "infantry"},
            "sz34": {"united_kingdom": "cruiser"},
            "sz35": {"soviet_union": "destroyer"},
        },
        control={"trans_jordan": "united_states"},
    )
    t.do(move("infantry", "egypt > trans_jordan"), move("cruiser", "sz34 > sz35"), Done())
    assert t.s.control["trans_jordan"] == "united_states"


@pytest.mark.rule("aa1942:amphib.definition")
def test_an_assault_joins_units_from_sea_land_and_air() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "2 infantry, fighter"},
            "finland": {"united_kingdom": "artillery"},
            "norway": {"germany": "infantry"},
        },
        control={"finland": "united_kingdom"},
    )
    load = "2 infantry from united_kingdom in sz7"
    t.refused(sail("sz7 > sz6", load, offload="germany"), "map.adjacency")
    t.refused(sail("sz7 > sz6", load, offload="finland"), "map.adjacency")
    t.do(sail("sz7 > sz6", load, offload="norway"))
    t.do(move("artillery", "finland > norway"))
    t.do(move("fighter", "united_kingdom > sz6 > norway"), Done())
    assert t.rolling == (
        "attack in norway: 1 infantry at 2, 1 infantry at 1, 1 artillery at 2, 1 fighter at 3"
    )


@pytest.mark.rule("aa1942:amphib.definition")
def test_an_assault_is_against_hostile_land() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz7": {"united_kingdom": "transport"},
            "united_kingdom": {"united_kingdom": "infantry"},
        },
        control={"norway": "soviet_union"},
    )
    t.refused(
        sail("sz7 > sz6", "infantry from united_kingdom in sz7", offload="norway"),
        "combat-move.purpose",
    )


@pytest.mark.rule("aa1942:amphib.declare", "aa1942:unit.transport.assault-only-hostile")
def test_only_announced_assaults_are_carried_out() -> None:
    t = table(
        "united_kingdom",
        units={"sz6": {"united_kingdom": "2 transport, cruiser"}},
        cargo={
            "sz6": {
                "united_kingdom": [hold(united_kingdom={"infantry": 2}) for _ in range(2)],
            }
        },
    )
    t.do(sail("sz6", offload="northwestern_europe"), Done())
    assert t.s.control["northwestern_europe"] == "united_kingdom"
    assert t.s.control["norway"] == "germany"
    assert t.asked == "united_kingdom noncombat_move"
    t.refused(sail("sz6", offload="norway"), "unit.transport.assault-only-hostile")
    assert t.cargo("sz6", "united_kingdom") == [[], ["united_kingdom infantry"] * 2]


@pytest.mark.rule("aa1942:amphib.land.single-territory")
def test_one_transport_lands_in_one_territory_only() -> None:
    t = table(
        "united_states",
        units={"sz8": {"united_states": "2 transport"}},
        cargo={
            "sz8": {
                "united_states": [hold(united_states={"infantry": 2}) for _ in range(2)],
            }
        },
    )
    t.do(sail("sz8", offload="france", units={"infantry": 1}))
    t.do(sail("sz8", offload="northwestern_europe", units={"infantry": 1}))
    t.refused(sail("sz8", offload="northwestern_europe", units={"infantry": 1}))
    t.do(Done(), Fight("france"))
    assert t.units("france", "united_states") == {"infantry": 1}
    assert t.units("northwestern_europe", "united_states") == {"infantry": 1}


@pytest.mark.rule("aa1942:combat.same-side")
def test_an_allys_units_are_no_target_anywhere() -> None:
    t = table(
        "united_kingdom",
        units={
            "sz6": {"united_kingdom": "destroyer, transport", "soviet_union": "submarine"},
            "sz5": {"soviet_union": "cruiser"},
            "united_kingdom": {"united_kingdom": "bomber, infantry"},
            "karelia_ssr": {"soviet_union": "infantry", "united_kingdom": "tank"},
        },
    )
    t.refused(move("destroyer", "sz6 > sz5"), "combat-move.purpose")
    t.refused(move("bomber", "united_kingdom > sz6 > sz5 > karelia_ssr"), "combat-move.purpose")
    t.refused(move("bomber", "united_kingdom > sz6 > sz5 > karelia_ssr", raid=True), "sbr.target")
    t.refused(move("tank", "karelia_ssr > archangel"), "combat-move.purpose")
    t.refused(
        sail("sz6 > sz5", "infantry from united_kingdom in sz6", offload="karelia_ssr"),
        "combat-move.purpose",
    )
    t.do(Done())
    assert t.asked == "united_kingdom noncombat_move"  # nobody is asked to attack the submarine
