"""Unit profiles (p.24-30): what units cost, roll and move, and where they can be."""

from __future__ import annotations

import pytest

from sandtable.kernel.errors import IllegalDecision
from tests.aa1942.table import Bombard, Buy, Dive, Done, Place, Table, move, sail, table

PROFILES = [
    # type, cost, attack, defense, move
    pytest.param("infantry", 3, 1, 2, 1, marks=pytest.mark.rule("aa1942:unit.infantry.stats")),
    pytest.param("artillery", 4, 2, 2, 1, marks=pytest.mark.rule("aa1942:unit.artillery.stats")),
    pytest.param("tank", 6, 3, 3, 2, marks=pytest.mark.rule("aa1942:unit.tank.stats")),
    pytest.param(
        "antiaircraft_artillery", 5, 0, 0, 1, marks=pytest.mark.rule("aa1942:unit.aaa.stats")
    ),
    pytest.param("fighter", 10, 3, 4, 4, marks=pytest.mark.rule("aa1942:unit.fighter.stats")),
    pytest.param("bomber", 12, 4, 1, 6, marks=pytest.mark.rule("aa1942:unit.bomber.stats")),
    pytest.param("battleship", 20, 4, 4, 2, marks=pytest.mark.rule("aa1942:unit.battleship.stats")),
    pytest.param(
        "aircraft_carrier", 14, 1, 2, 2, marks=pytest.mark.rule("aa1942:unit.carrier.stats")
    ),
    pytest.param("cruiser", 12, 3, 3, 2, marks=pytest.mark.rule("aa1942:unit.cruiser.stats")),
    pytest.param("destroyer", 8, 2, 2, 2, marks=pytest.mark.rule("aa1942:unit.destroyer.stats")),
    pytest.param("submarine", 6, 2, 1, 2, marks=pytest.mark.rule("aa1942:unit.sub.stats")),
    pytest.param("transport", 7, 0, 0, 2, marks=pytest.mark.rule("aa1942:unit.transport.stats")),
]
LAND = ("infantry", "artillery", "tank", "antiaircraft_artillery")
AIR = ("fighter", "bomber")
SEA = ("battleship", "aircraft_carrier", "cruiser", "destroyer", "submarine", "transport")


@pytest.mark.parametrize(("unit", "cost", "attack", "defense", "reach"), PROFILES)
def test_price(unit: str, cost: int, attack: int, defense: int, reach: int) -> None:
    t = table("germany", "purchase", treasury={"germany": cost})
    t.do(Buy({unit: 1}))
    assert t.s.treasury["germany"] == 0
    t = table("germany", "purchase", treasury={"germany": cost - 1})
    t.refused(Buy({unit: 1}), "purchase.afford")


def attacked_by(unit: str) -> Table:
    """A German unit attacks Soviet infantry, or a British destroyer at sea; two of each."""
    if unit in SEA:
        t = table(
            "germany",
            units={"sz15": {"germany": unit}, "sz14": {"united_kingdom": "2 destroyer"}},
        )
        return t.do(move(unit, "sz15 > sz14"), Done())
    t = table(
        "germany",
        units={"ukraine_ssr": {"germany": unit}, "caucasus": {"soviet_union": "2 infantry"}},
    )
    return t.do(move(unit, "ukraine_ssr > caucasus"), Done())


@pytest.mark.parametrize(("unit", "cost", "attack", "defense", "reach"), PROFILES)
def test_attack(unit: str, cost: int, attack: int, defense: int, reach: int) -> None:
    if not attack:
        with pytest.raises(IllegalDecision, match=r"only in noncombat|by themselves"):
            attacked_by(unit)
        return
    for face, hits in ((attack, 1), (attack + 1, 0)):
        t = attacked_by(unit)
        assert t.request.dice == 1
        t.dice(face)
        assert t.events("fired")[-1]["hits"] == hits


def defended_by(unit: str) -> Table:
    """A unit defends beside another that rolls, against an attack that has just missed."""
    if unit in SEA:
        units = {
            "sz15": {"germany": "destroyer"},
            "sz14": {"united_kingdom": f"{unit}, cruiser" if unit != "cruiser" else "2 cruiser"},
        }
        return table("germany", units=units).do(move("destroyer", "sz15 > sz14"), Done()).dice(6)
    beside = f"{unit}, infantry" if unit != "infantry" else "2 infantry"
    units = {"ukraine_ssr": {"germany": "infantry"}, "caucasus": {"soviet_union": beside}}
    return (
        table("germany", units=units).do(move("infantry", "ukraine_ssr > caucasus"), Done()).dice(6)
    )


@pytest.mark.parametrize(("unit", "cost", "attack", "defense", "reach"), PROFILES)
def test_defense(unit: str, cost: int, attack: int, defense: int, reach: int) -> None:
    t = defended_by(unit)
    if not defense:
        assert t.request.dice == 1
        t.dice(6)
        assert unit not in {row[1] for row in t.events("fired")[-1]["lines"]}
        return
    t.dice(6, 6)
    line = t.events("fired")[-1]["lines"]
    assert [row[3] for row in line if row[1] == unit] == [defense]
    # On the number itself it hits, on the next it does not.
    for face, hits in ((defense, 1), (defense + 1, 0)):
        t = defended_by(unit)
        faces = [face if row[1] == unit else 6 for row in line for _ in range(row[2])]
        if len(line) == 1:
            faces = [face, 6]
        t.dice(*faces)
        assert t.events("fired")[-1]["hits"] == hits


ROADS = {
    "land": "germany > poland > ukraine_ssr > belorussia",
    "fighter": "germany > france > sz14 > algeria > libya > algeria",
    "bomber": "germany > france > sz14 > algeria > libya > sz15 > italy > germany",
    "sea": "sz5 > sz6 > sz7 > sz2",
}


@pytest.mark.parametrize(("unit", "cost", "attack", "defense", "reach"), PROFILES)
def test_move(unit: str, cost: int, attack: int, defense: int, reach: int) -> None:
    domain = "sea" if unit in SEA else "land" if unit in LAND else unit
    road = ROADS[domain].split(" > ")
    t = table("germany", "noncombat_move", {road[0]: {"germany": unit}})
    t.refused(move(unit, " > ".join(road[: reach + 2])))
    t.do(move(unit, " > ".join(road[: reach + 1])))
    assert t.units(road[reach], "germany") == {unit: 1}


@pytest.mark.parametrize(
    ("ship", "value"),
    [
        pytest.param("battleship", 4, marks=pytest.mark.rule("aa1942:unit.battleship.stats")),
        pytest.param("cruiser", 3, marks=pytest.mark.rule("aa1942:unit.cruiser.stats")),
    ],
)
def test_bombardment(ship: str, value: int) -> None:
    for face, hits in ((value, 1), (value + 1, 0)):
        t = table(
            "united_kingdom",
            units={
                "united_kingdom": {"united_kingdom": "infantry"},
                "sz6": {"united_kingdom": f"{ship}, transport"},
                "norway": {"germany": "2 infantry"},
            },
        )
        t.do(sail("sz6", "infantry from united_kingdom in sz6", offload="norway"), Done())
        t.do(Bombard({"sz6": {ship: 1}})).dice(face)
        assert t.events("bombarded")[-1]["hits"] == hits


@pytest.mark.rule("aa1942:unit.destroyer.stats", "aa1942:unit.transport.stats")
def test_other_ships_do_not_bombard() -> None:
    t = table(
        "united_kingdom",
        units={
            "united_kingdom": {"united_kingdom": "infantry"},
            "sz6": {"united_kingdom": "destroyer, aircraft_carrier, submarine, transport"},
            "norway": {"germany": "2 infantry"},
        },
    )
    t.do(sail("sz6", "infantry from united_kingdom in sz6", offload="norway"), Done())
    assert "attack in norway" in t.rolling


# Where units can be, and what carries what.


@pytest.mark.rule("aa1942:unit.land.scope")
@pytest.mark.parametrize("phase", ["combat_move", "noncombat_move"])
@pytest.mark.parametrize("unit", LAND)
def test_land_units_do_not_enter_the_sea(unit: str, phase: str) -> None:
    t = table("germany", phase, {"germany": {"germany": unit}})
    rule = "unit.land.scope"
    if unit == "antiaircraft_artillery" and phase == "combat_move":
        rule = "unit.aaa.move"
    t.refused(move(unit, "germany > sz5"), rule)


@pytest.mark.rule("aa1942:unit.land.scope", "aa1942:unit.sea.carry")
@pytest.mark.parametrize("unit", LAND)
def test_every_land_unit_can_be_carried(unit: str) -> None:
    units = {"germany": {"germany": unit}, "sz5": {"germany": "transport"}}
    t = table("germany", "noncombat_move", units)
    t.do(sail("sz5", f"{unit} from germany in sz5", offload="norway"))
    assert t.units("norway", "germany") == {unit: 1}


@pytest.mark.rule("aa1942:unit.land.scope")
def test_land_units_aboard_take_no_part_in_a_battle_at_sea() -> None:
    hold = {"ship": "transport", "load": {"united_kingdom": {"tank": 1, "infantry": 1}}}
    t = table(
        "germany",
        units={
            "sz5": {"germany": "cruiser"},
            "sz6": {"united_kingdom": "destroyer, transport"},
        },
        cargo={"sz6": {"united_kingdom": [hold]}},
    )
    t.do(move("cruiser", "sz5 > sz6"), Done()).dice(6)
    assert t.request.dice == 1


@pytest.mark.rule("aa1942:unit.sea.scope")
@pytest.mark.parametrize("phase", ["combat_move", "noncombat_move"])
@pytest.mark.parametrize("unit", SEA)
def test_ships_do_not_enter_land(unit: str, phase: str) -> None:
    t = table("germany", phase, {"sz5": {"germany": unit}})
    for land in ("germany", "karelia_ssr"):
        t.refused(move(unit, f"sz5 > {land}"), "unit.sea.scope")


@pytest.mark.rule("aa1942:unit.sea.scope")
@pytest.mark.parametrize("unit", SEA)
def test_every_ship_moves_two_zones_and_no_more(unit: str) -> None:
    t = table("germany", "noncombat_move", {"sz9": {"germany": unit}})
    t.refused(move(unit, "sz9 > sz12 > sz22 > sz21"), "combat-move.range")
    t.do(move(unit, "sz9 > sz12 > sz22"))


@pytest.mark.rule("aa1942:unit.sea.carry")
@pytest.mark.parametrize("unit", ["fighter", "bomber", "submarine", "industrial_complex"])
def test_transports_carry_land_units_only(unit: str) -> None:
    units = {"germany": {"germany": "fighter, bomber"}, "sz5": {"germany": "transport, submarine"}}
    t = table("germany", "noncombat_move", units)
    t.refused(sail("sz5", f"{unit} from germany in sz5", offload="norway"), "unit.sea.carry")


@pytest.mark.rule("aa1942:unit.sea.carry")
def test_carriers_carry_fighters_only() -> None:
    units = {
        "germany": {"germany": "bomber, infantry, fighter"},
        "sz5": {"germany": "aircraft_carrier"},
    }
    t = table("germany", "noncombat_move", units)
    t.refused(move("bomber", "germany > sz5"), "noncombat.air.carrier")
    t.refused(move("infantry", "germany > sz5"), "unit.land.scope")
    t.refused(sail("sz5", "infantry from germany in sz5"))
    t.do(move("fighter", "germany > sz5"))
    assert t.units("sz5", "germany") == {"aircraft_carrier": 1, "fighter": 1}


@pytest.mark.rule("aa1942:unit.sea.carry")
@pytest.mark.parametrize("ship", ["battleship", "cruiser", "destroyer", "submarine"])
def test_other_ships_carry_nothing(ship: str) -> None:
    units = {"germany": {"germany": "infantry, fighter"}, "sz5": {"germany": ship}}
    t = table("germany", "noncombat_move", units)
    t.refused(sail("sz5", "infantry from germany in sz5"))
    t.refused(move("fighter", "germany > sz5"), "noncombat.air.carrier-required")
    t = table("germany", "mobilize", {"sz5": {"germany": ship}}, bought={"fighter": 1})
    t.refused(Place("sz5", {"fighter": 1}), "mobilize.fighter")


@pytest.mark.rule("aa1942:unit.tank.stats")
def test_a_tank_may_blitz_and_infantry_may_not() -> None:
    units = {"ukraine_ssr": {"germany": "tank, infantry"}}
    control = {"west_russia": "soviet_union"}
    t = table("germany", units=units, control=control)
    t.refused(move("infantry", "ukraine_ssr > west_russia > archangel"), "combat-move.range")
    t.do(move("tank", "ukraine_ssr > west_russia > archangel"))
    assert t.s.control["west_russia"] == "germany"


@pytest.mark.rule("aa1942:unit.transport.stats")
def test_an_attacking_transport_never_rolls() -> None:
    t = table(
        "germany",
        units={
            "sz15": {"germany": "2 transport, destroyer"},
            "sz14": {"united_kingdom": "cruiser"},
        },
    )
    t.do(move("2 transport, destroyer", "sz15 > sz14"), Done())
    assert t.request.dice == 1


@pytest.mark.rule("aa1942:unit.aaa.stats")
def test_a_gun_takes_no_part_in_the_rounds_of_a_battle() -> None:
    t = defended_by("antiaircraft_artillery").dice(6)
    assert t.asked == "germany press_or_retreat"
    assert t.units("caucasus", "soviet_union") == {"infantry": 1, "antiaircraft_artillery": 1}


@pytest.mark.rule("aa1942:unit.sub.stats")
def test_a_submarine_alone_strikes_at_2_and_defends_at_1() -> None:
    for face, hits in ((2, 1), (3, 0)):
        t = table(
            "germany",
            units={"sz5": {"germany": "submarine"}, "sz6": {"united_kingdom": "2 cruiser"}},
        )
        t.do(move("submarine", "sz5 > sz6"), Done())
        t.do(Dive(0)).dice(face)
        assert t.events("fired")[-1]["hits"] == hits
