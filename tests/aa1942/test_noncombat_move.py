"""Phase 4, Noncombat Move: who may still move, and where (p.21)."""

from __future__ import annotations

import random

import pytest

from tests.aa1942.table import Done, Fight, Retreat, move, table


@pytest.mark.rule("aa1942:noncombat.eligible")
def test_who_moved_or_fought_stays_and_who_did_not_has_its_full_move() -> None:
    t = table(
        "germany",
        units={
            "ukraine_ssr": {"germany": "2 infantry, 2 tank, artillery"},
            "caucasus": {"soviet_union": "infantry"},
            "sz5": {"germany": "2 cruiser"},
            "sz6": {"united_kingdom": "transport"},
        },
    )
    t.do(move("infantry, tank", "ukraine_ssr > caucasus"), move("cruiser", "sz5 > sz6"), Done())
    t.do(Fight("sz6")).dice(1, 6).dice(6)
    assert t.asked == "germany noncombat_move"
    t.refused(move("infantry", "caucasus > ukraine_ssr"), "noncombat.eligible")
    t.refused(move("tank", "caucasus > ukraine_ssr"), "noncombat.eligible")
    t.refused(move("cruiser", "sz6 > sz7"), "noncombat.eligible")
    t.do(move("infantry", "ukraine_ssr > caucasus"), move("artillery", "ukraine_ssr > poland"))
    t.do(move("tank", "ukraine_ssr > poland > germany"), move("cruiser", "sz5 > sz6 > sz7"))
    t.refused(move("infantry", "caucasus > ukraine_ssr"), "noncombat.eligible")
    t.refused(move("tank", "germany > poland"), "noncombat.eligible")


@pytest.mark.rule("aa1942:noncombat.eligible")
def test_who_retreated_stays() -> None:
    t = table(
        "germany",
        units={
            "ukraine_ssr": {"germany": "2 tank"},
            "caucasus": {"soviet_union": "3 infantry"},
        },
    )
    t.do(move("tank", "ukraine_ssr > caucasus"), Done()).dice(6).dice(6, 6, 6)
    t.do(Retreat("ukraine_ssr"))
    t.do(move("tank", "ukraine_ssr > poland"))  # the one that did not fight
    t.refused(move("tank", "ukraine_ssr > poland"), "noncombat.eligible")


@pytest.mark.rule("aa1942:noncombat.land", "aa1942:combat-move.range")
@pytest.mark.parametrize(
    ("unit", "path"),
    [
        ("infantry", "germany > poland > ukraine_ssr"),
        ("artillery", "germany > poland > ukraine_ssr"),
        ("antiaircraft_artillery", "germany > poland > ukraine_ssr"),
        ("tank", "france > germany > poland > ukraine_ssr"),
        ("destroyer", "sz5 > sz6 > sz7 > sz9"),
    ],
)
def test_nobody_moves_farther_than_its_move_value(unit: str, path: str) -> None:
    spaces = path.split(" > ")
    t = table("germany", "noncombat_move", {spaces[0]: {"germany": unit}})
    t.refused(move(unit, path), "combat-move.range")
    t.do(move(unit, " > ".join(spaces[:-1])))


@pytest.mark.rule("aa1942:noncombat.land")
def test_land_units_go_through_captured_and_allied_land_but_not_hostile() -> None:
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"karelia_ssr": {"united_kingdom": "3 tank"}},
        control={"west_russia": "united_kingdom"},
        control_at_start={"west_russia": "germany"},
    )
    t.do(move("tank", "karelia_ssr > west_russia > caucasus"))
    t.do(move("tank", "karelia_ssr > archangel > russia"))
    t.refused(move("tank", "karelia_ssr > belorussia > west_russia"), "noncombat.land")
    t.refused(move("tank", "karelia_ssr > finland"), "noncombat.land")


@pytest.mark.rule("aa1942:noncombat.aaa", "aa1942:unit.aaa.move")
def test_antiaircraft_artillery_moves_now_and_not_before() -> None:
    units = {"germany": {"germany": "antiaircraft_artillery"}}
    t = table("germany", units=units)
    t.refused(move("antiaircraft_artillery", "germany > poland"), "unit.aaa.move")
    t.do(Done(), move("antiaircraft_artillery", "germany > poland"))
    assert t.units("poland", "germany") == {"antiaircraft_artillery": 1}
    t.refused(move("antiaircraft_artillery", "poland > ukraine_ssr"), "noncombat.eligible")


@pytest.mark.rule("aa1942:noncombat.sea", "aa1942:noncombat.hostile-pass")
@pytest.mark.parametrize(
    "ship", ["battleship", "aircraft_carrier", "cruiser", "destroyer", "transport"]
)
def test_only_submarines_enter_or_cross_hostile_zones(ship: str) -> None:
    t = table(
        "germany",
        "noncombat_move",
        {"sz9": {"germany": f"{ship}, 2 submarine"}, "sz7": {"united_kingdom": "aircraft_carrier"}},
    )
    t.refused(move(ship, "sz9 > sz7"), "noncombat.sea")
    t.refused(move(ship, "sz9 > sz7 > sz6"))
    t.do(move(ship, "sz9 > sz8 > sz6"))
    t.do(move("submarine", "sz9 > sz7 > sz6"), move("submarine", "sz9 > sz7"), Done())
    assert t.units("sz7", "germany") == {"submarine": 1}
    assert t.asked == "united_kingdom purchase"


@pytest.mark.rule("aa1942:noncombat.sub", "aa1942:sub.move.destroyer-stops")
def test_a_submarine_stops_in_the_first_zone_with_a_destroyer() -> None:
    t = table(
        "germany",
        "noncombat_move",
        {
            "sz9": {"germany": "submarine", "united_kingdom": "destroyer"},
            "sz8": {"united_kingdom": "destroyer, battleship"},
        },
    )
    t.refused(move("submarine", "sz9 > sz8 > sz13"), "sub.move.destroyer-stops")
    t.do(move("submarine", "sz9 > sz13 > sz8"), Done())
    assert t.units("sz8", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:noncombat.hostile-pass")
def test_aircraft_cross_hostile_spaces() -> None:
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "united_kingdom": {"united_kingdom": "bomber"},
            "sz6": {"germany": "battleship"},
            "germany": {"germany": "antiaircraft_artillery"},
        },
    )
    t.do(
        move(
            "bomber",
            "united_kingdom > sz6 > northwestern_europe > germany > baltic_states > karelia_ssr",
        )
    )
    assert t.asked == "united_kingdom noncombat_move"  # nobody fires
    assert t.units("karelia_ssr", "united_kingdom") == {"bomber": 1}


@pytest.mark.rule("aa1942:unit.sub.no-block", "aa1942:unit.transport.no-block")
@pytest.mark.parametrize("enemy", ["submarine", "transport"])
def test_ships_end_noncombat_moves_beside_submarines_and_transports(enemy: str) -> None:
    t = table(
        "united_kingdom",
        "noncombat_move",
        {"sz10": {"united_kingdom": "cruiser, transport"}, "sz9": {"germany": enemy}},
    )
    t.do(move("cruiser, transport", "sz10 > sz9"), Done())
    assert t.asked == "japan purchase"
    assert t.units("sz9", "germany") == {enemy: 1}


@pytest.mark.rule("aa1942:noncombat.air-remaining")
def test_each_aircraft_has_what_its_combat_move_left_it() -> None:
    """Of two fighters in one place, the one with the range makes the longer flight."""
    t = table(
        "germany",
        "noncombat_move",
        {
            "france": {"germany": "fighter"},
            "sz8": {
                "germany": {
                    "fighter": [{"used": 3, "duty": "fought"}, {"used": 2, "duty": "fought"}]
                }
            },
        },
    )
    t.refused(move("fighter", "sz8 > france > italy > southern_europe"), "noncombat.air-remaining")
    t.refused(move("2 fighter", "sz8 > france > germany"), "noncombat.air-remaining")
    t.do(move("fighter", "sz8 > france > germany"), move("fighter", "sz8 > france"))
    t.do(move("fighter", "france > germany > poland > ukraine_ssr > bulgaria_romania"), Done())
    assert t.units("france", "germany") == {"fighter": 1}
    assert t.units("bulgaria_romania", "germany") == {"fighter": 1}


def test_proposals_go_on_when_nothing_flies() -> None:
    """Whoever asks for more after Done gets every legal move."""
    t = table("germany", "noncombat_move", {"germany": {"germany": "infantry"}})
    proposed = list(t.request.propose(t.s, random.Random(1)))
    assert Done() in proposed
    assert move("infantry", "germany > france") in proposed
