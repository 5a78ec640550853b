"""Cargo by sea and by air (8.4, 12.2, 9.15, 10.2)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw36.model import Facility, State, Unit
from sandtable.games.gw36.rules import combat, combat_move, noncombat_move
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.submarines import Engage
from sandtable.games.gw36.rules.transports import Airlift, Load, Sail, fits
from tests.gw36.hand import Hand, allowed, of, refused, state, way

WAR = [("germany", "great_britain")]
HOME = "noncombat_move"
SHIP = Unit("germany", "naval_transport")


def sail(path: str, *loads: Load, offload: str = "", **fields: Any) -> Sail:
    return Sail(way(path), loads, offload, **fields)


def load(zone: str, at: str = "", nation: str = "", **units: int) -> Load:
    return Load(zone, units, at, nation)


def port(phase: str = "combat_move", **fields: Any) -> State:
    """Germany's turn: a transport off Western Germany, troops ashore; London is British."""
    ships = fields.pop("ships", [of("germany", "naval_transport")])
    others = fields.pop("others", {})
    units: dict[str, list[Any]] = {
        "sz_027": list(ships),
        "western_germany": [
            of("germany", type_, 3)
            for type_ in ("infantry", "marine", "medium_armor", "artillery", "militia", "fighter")
        ],
    }
    for where, pieces in others.items():
        units.setdefault(where, []).extend(pieces)
    fields.setdefault("wars", WAR)
    return state("germany", phase, units=units, **fields)


# --- room


@pytest.mark.rule("gw36:12.2.naval-transport-b")
@pytest.mark.rule("gw36:7.8.attack-transport-a")
@pytest.mark.rule("gw36:7.8.rockets-e")
@pytest.mark.parametrize("ship", ["naval_transport", "attack_transport"])
@pytest.mark.parametrize(
    ("cargo", "fit"),
    [
        (("infantry",), True),
        (("infantry", "marine"), True),
        (("infantry", "medium_armor"), True),
        (("infantry", "fighter"), True),
        (("artillery", "airborne"), True),
        (("strategic_rocket", "infantry"), True),
        (("medium_armor",), True),
        (("medium_armor", "artillery"), False),
        (("medium_armor", "fighter"), False),
        (("cavalry", "motorized_infantry"), False),
        (("infantry", "infantry", "infantry"), False),
    ],
)
def test_a_transport_carries_two_units_one_of_them_infantry(
    ship: str, cargo: tuple[str, ...], fit: bool
) -> None:
    assert fits(state(), Unit("germany", ship), [Unit("germany", t) for t in cargo]) is fit


def test_a_japanese_destroyer_carries_one_marine() -> None:
    units = {
        "sz_055": [of("japan", "destroyer")],
        "honshu": [of("japan", "marine", 2), of("japan", "infantry")],
    }
    sea = "sz_055"
    s = state("japan", HOME, units=units)
    zone = next(z for z in s.facts.coast[sea] if s.possession[z] == "japan")
    s.put(zone, Unit("japan", "marine"), 2)
    s.put(zone, Unit("japan", "infantry"))
    allowed(s, Sail((sea,), (Load(zone, {"marine": 1}),), ship="destroyer"))
    refused(
        s, Sail((sea,), (Load(zone, {"marine": 2}),), ship="destroyer"), "12.2.naval-transport-b"
    )
    refused(
        s, Sail((sea,), (Load(zone, {"infantry": 1}),), ship="destroyer"), "12.2.naval-transport-b"
    )
    german = state(
        "germany",
        HOME,
        units={
            "sz_027": [of("germany", "destroyer")],
            "western_germany": [of("germany", "marine")],
        },
    )
    refused(
        german,
        Sail(("sz_027",), (Load("western_germany", {"marine": 1}),), ship="destroyer"),
        "8.4a",
    )


# --- assaults


@pytest.mark.rule("gw36:8.4a")
@pytest.mark.rule("gw36:8.4e")
@pytest.mark.rule("gw36:8.2b")
def test_a_transport_loads_on_its_way_and_announces_an_assault() -> None:
    s = port()
    go = sail(
        "sz_027 > sz_026", load("western_germany", infantry=1, medium_armor=1), offload="london"
    )
    Hand(s).run(combat_move.phase, go, Done())
    (ship,) = s.stack("sz_026")
    assert (ship.duty, ship.target, ship.used, ship.origin) == ("landing", "london", 1, "sz_027")
    assert [(p.type, p.duty) for p in ship.cargo] == [
        ("infantry", "assault"),
        ("medium_armor", "assault"),
    ]
    assert s.planned == (("london", "land"),)


@pytest.mark.rule("gw36:8.4e")
def test_units_are_loaded_where_the_path_touches_their_zone() -> None:
    far = {"picardy": [of("germany", "infantry")]}
    s = port(others=far, owners={"picardy": "germany"})
    allowed(
        s,
        sail("sz_027 > sz_026", load("picardy", "sz_026", infantry=1), offload="southern_england"),
    )
    refused(s, sail("sz_027 > sz_026", load("picardy", infantry=1), offload="london"), "0.8b")
    refused(
        s, sail("sz_027 > sz_026", load("picardy", "sz_025", infantry=1), offload="london"), "8.4e"
    )
    refused(s, sail("sz_027", load("western_germany", infantry=1)), "8.4e")
    refused(
        s,
        sail("sz_027 > sz_026", load("western_germany", militia=1), offload="london"),
        "12.2.militia-b",
    )
    refused(
        s, sail("sz_027 > sz_026", load("western_germany", fighter=1), offload="london"), "8.4a"
    )


@pytest.mark.rule("gw36:8.1a")
@pytest.mark.rule("gw36:8.4e")
def test_an_assault_needs_an_enemy_shore() -> None:
    s = port()
    refused(
        s, sail("sz_027", load("western_germany", infantry=1), offload="western_germany"), "8.4e"
    )
    refused(s, sail("sz_027", load("western_germany", infantry=1), offload="picardy"), "0.8b")
    hand = Hand(s)
    hand.run(
        combat_move.phase,
        sail("sz_027", load("western_germany", infantry=1), offload="netherlands"),
        Done(),
    )
    assert [e.data["against"] for e in hand.events if e.kind == "war_declared"] == ["netherlands"]


@pytest.mark.rule("gw36:9.8b")
def test_enemy_warships_have_to_be_fought_before_a_landing() -> None:
    go = sail("sz_027 > sz_026", load("western_germany", infantry=1), offload="london")
    for type_, hinders in (("destroyer", True), ("submarine", False), ("naval_transport", False)):
        s = port(others={"sz_026": [of("great_britain", type_)]})
        if hinders:
            refused(s, go, "9.8b")
        else:
            allowed(s, go)
    ships = [of("germany", "naval_transport"), of("germany", "battleship")]
    s = port(ships=ships, others={"sz_026": [of("great_britain", "destroyer")]})
    Hand(s).run(combat_move.phase, Move({"battleship": 1}, way("sz_027 > sz_026")), go, Done())
    assert s.planned == (("london", "land"), ("sz_026", "naval"))
    escort = {"sz_026": [of("great_britain", "destroyer", duty="convoy")]}
    refused(port(others=escort), go, "9.8b")


@pytest.mark.rule("gw36:8.10a")
def test_a_transport_does_not_pass_enemy_ships() -> None:
    s = port(others={"sz_026": [of("great_britain", "destroyer")]})
    go = sail("sz_027 > sz_026 > sz_025", load("western_germany", infantry=1), offload="scotland")
    refused(s, go, "8.10a")


@pytest.mark.rule("gw36:8.9h")
def test_a_transport_that_is_stopped_keeps_its_cargo_aboard() -> None:
    s = port(others={"sz_026": [of("great_britain", "submarine")]})
    go = sail("sz_027 > sz_026 > sz_025", load("western_germany", infantry=1), offload="scotland")
    Hand(s).run(combat_move.phase, go, Engage({"submarine": 1}), Done())
    (ship,) = (u for u in s.stack("sz_026") if u.nation == "germany")
    assert (ship.duty, [p.type for p in ship.cargo]) == ("attack", ["infantry"])
    assert s.planned == (("sz_026", "naval"),)


@pytest.mark.rule("gw36:8.4c")
def test_a_transport_does_not_move_on_after_it_has_landed_its_cargo() -> None:
    s = port(HOME, ships=[of("germany", "naval_transport", cargo=(Unit("germany", "infantry"),))])
    Hand(s).run(noncombat_move.phase, sail("sz_027", offload="western_germany"), Done())
    refused(s, Move({"naval_transport": 1}, way("sz_027 > sz_026")), "10.1a")


@pytest.mark.rule("gw36:8.4c")
def test_cargo_is_landed_in_one_or_more_zones() -> None:
    cargo = (Unit("germany", "infantry"), Unit("germany", "marine"))
    owners = {"netherlands": "germany"}
    s = port(HOME, ships=[of("germany", "naval_transport", cargo=cargo)], owners=owners)
    Hand(s).run(
        noncombat_move.phase,
        sail("sz_027", offload="netherlands", units={"marine": 1}),
        sail("sz_027", offload="western_germany"),
        Done(),
    )
    assert [u.type for u in s.stack("netherlands")] == ["marine"]
    assert all(not u.cargo for u in s.stack("sz_027"))


@pytest.mark.rule("gw36:8.4c")
def test_one_transport_assaults_two_zones() -> None:
    cargo = (Unit("germany", "infantry"), Unit("germany", "marine"))
    owners = {"belgium": "great_britain"}
    s = port(ships=[of("germany", "naval_transport", cargo=cargo)], owners=owners)
    Hand(s).run(
        combat_move.phase,
        sail("sz_027 > sz_026", offload="southern_england", units={"marine": 1}),
        sail("sz_026", offload="belgium"),
        Done(),
    )
    assert s.planned == (("belgium", "land"), ("southern_england", "land"))
    Hand(s, [12] * 9).run(combat.phase, combat.Fight("southern_england", "land"))
    assert s.possession["southern_england"] == s.possession["belgium"] == "germany"
    assert [u.type for u in s.stack("southern_england")] == ["marine"]
    assert [u.type for u in s.stack("belgium")] == ["infantry"]


@pytest.mark.rule("gw36:8.4b")
def test_cargo_is_lost_with_its_transport() -> None:
    ship = Unit("germany", "naval_transport", cargo=(Unit("germany", "infantry"),))
    s = port(ships=[(ship, 1)])
    s.destroy("sz_027", ship)
    assert s.lost == {("germany", "naval_transport"): 1, ("germany", "infantry"): 1}


@pytest.mark.rule("gw36:9.9a")
@pytest.mark.rule("gw36:9.9b")
def test_ships_bombard_in_support_of_a_landing_one_for_each_unit() -> None:
    ships = [
        of("germany", "naval_transport"),
        of("germany", "battleship", 2),
        of("germany", "destroyer"),
    ]
    s = port(ships=ships)
    guns = Move({"battleship": 1}, way("sz_027 > sz_026"), "bombard", "london")
    refused(s, guns, "9.9a")
    hand = Hand(s)
    go = sail("sz_027 > sz_026", load("western_germany", infantry=1), offload="london")
    hand.run(combat_move.phase, go, guns, Done())
    assert [u.duty for u in s.stack("sz_026") if u.type == "battleship"] == ["bombard"]
    refused(s, guns, "9.9b")
    refused(s, Move({"destroyer": 1}, way("sz_027 > sz_026"), "bombard", "london"), "9.9a")


# --- non-combat


@pytest.mark.rule("gw36:8.4a")
@pytest.mark.rule("gw36:10.1b")
@pytest.mark.rule("gw36:10.2a")
def test_cargo_lands_in_friendly_zones_and_in_captured_harbours_with_the_option() -> None:
    go = sail("sz_027 > sz_026", load("western_germany", infantry=1, fighter=1), offload="picardy")
    allowed(port(HOME, owners={"picardy": "germany"}), go)
    refused(port(HOME), go, "0.5a")

    def captured(*built: str, **fields: Any) -> State:
        return port(
            HOME,
            owners={"picardy": "germany"},
            captured=frozenset({"picardy"}),
            facilities={"picardy": [Facility(each, "sz_026") for each in built]},
            **fields,
        )

    option = {"captured_bases": True}
    refused(captured("major_port"), go, "10.1b")
    allowed(captured("major_port", switches=option), go)
    refused(captured("minor_port", switches=option), go, "10.1b")


@pytest.mark.rule("gw36:8.4g")
def test_an_allys_units_board_on_their_turn_and_land_on_their_next() -> None:
    wars = [("germany", "great_britain"), ("germany", "france")]
    owners = {"picardy": "france"}
    units = {
        "sz_026": [of("great_britain", "naval_transport")],
        "picardy": [of("france", "infantry", 2)],
    }
    s = state("france", HOME, units=units, wars=wars, owners=owners)
    board = Sail(("sz_026",), (Load("picardy", {"infantry": 1}),), nation="great_britain")
    refused(
        s,
        Sail(way("sz_026 > sz_025"), (Load("picardy", {"infantry": 1}),), nation="great_britain"),
        "8.4g",
    )
    Hand(s).run(noncombat_move.phase, board, Done())
    (ship,) = s.stack("sz_026")
    assert (ship.duty, [p.nation for p in ship.cargo]) == ("", ["france"])
    s.mover = "france"
    ashore = Sail(("sz_026",), offload="picardy", nation="great_britain")
    refused(s, ashore, "8.4c")  # not in the turn in which it boarded
    s.change("sz_026", ship, 1, cargo=(Unit("france", "infantry"),))
    allowed(s, ashore)
    peace = state("france", HOME, units=units, owners=owners)
    refused(peace, board)


@pytest.mark.rule("gw36:2.3f")
def test_the_commonwealth_ships_its_units_as_one_power() -> None:
    units = {
        "sz_026": [of("great_britain", "naval_transport")],
        "southern_england": [of("anzac", "infantry")],
    }
    s = state("great_britain", HOME, units=units)
    allowed(
        s, Sail(("sz_026", "sz_025"), (Load("southern_england", {"infantry": 1}, "", "anzac"),))
    )


# --- by air


def airfield(phase: str = "combat_move", **fields: Any) -> State:
    units = {
        "western_germany": [
            of("germany", type_, 2)
            for type_ in (
                "air_transport",
                "strategic_bomber",
                "airborne",
                "infantry",
                "medium_armor",
                "medium_bomber",
            )
        ],
        "bavaria": [of("germany", "airborne")],
        "alsace_lorraine": [of("france", "infantry")],
    }
    return state("germany", phase, units=units, wars=[("france", "germany")], **fields)


DROP = way("western_germany > bavaria > alsace_lorraine")


@pytest.mark.rule("gw36:8.4f")
@pytest.mark.rule("gw36:9.15a")
@pytest.mark.rule("gw36:12.2.airborne-b")
@pytest.mark.rule("gw36:12.2.air-transport-b")
@pytest.mark.rule("gw36:12.2.strategic-bomber-b")
def test_airborne_infantry_is_dropped_by_transports_and_strategic_bombers() -> None:
    s = airfield()
    for aircraft in ("air_transport", "strategic_bomber"):
        allowed(s, Airlift(DROP, Load("western_germany", {"airborne": 1}), aircraft))
        allowed(s, Airlift(DROP, Load("bavaria", {"airborne": 1}), aircraft))  # on the way
    rule = "12.2.air-transport-b"
    refused(s, Airlift(DROP, Load("western_germany", {"airborne": 1}), "medium_bomber"), rule)
    refused(s, Airlift(DROP, Load("western_germany", {"infantry": 1})), rule)
    refused(s, Airlift(DROP, Load("western_germany", {"airborne": 2})), rule)
    refused(s, Airlift(DROP, Load("berlin", {"airborne": 1})), "8.4f")
    Hand(s).run(combat_move.phase, Airlift(DROP, Load("western_germany", {"airborne": 1})), Done())
    dropped = {
        u.type: (u.duty, u.target) for u in s.stack("alsace_lorraine") if u.nation == "germany"
    }
    assert dropped == {
        "airborne": ("assault", "airborne"),
        "air_transport": ("assault", "airborne"),
    }
    assert s.planned == (("alsace_lorraine", "land"),)


@pytest.mark.rule("gw36:8.4d")
def test_the_aircraft_has_to_fly_back() -> None:
    s = state(
        "germany",
        units={
            "berlin": [of("germany", "air_transport"), of("germany", "airborne")],
            "aquitaine": [of("france", "infantry")],
        },
        wars=[("france", "germany")],
    )
    path = way("berlin > western_germany > bavaria > alsace_lorraine > paris > aquitaine")
    refused(s, Airlift(path, Load("berlin", {"airborne": 1})), "8.4d")
    s.facilities["berlin"] = (Facility("air_base"),)
    refused(s, Airlift(path, Load("berlin", {"airborne": 1})), "8.4d")
    allowed(s, Airlift(path[:4], Load("berlin", {"airborne": 1})))


@pytest.mark.rule("gw36:12.2.air-transport-b")
def test_air_transports_lift_infantry_in_non_combat_movement() -> None:
    s = airfield(HOME)
    path = way("western_germany > bavaria")
    for type_, able in (("infantry", True), ("airborne", True), ("medium_armor", False)):
        lift = Airlift(path, Load("western_germany", {type_: 1}))
        if able:
            allowed(s, lift)
        else:
            refused(s, lift, "12.2.air-transport-b")
    refused(
        s,
        Airlift(path, Load("western_germany", {"airborne": 1}), "strategic_bomber"),
        "12.2.air-transport-b",
    )
    Hand(s).run(
        noncombat_move.phase, Airlift(path, Load("western_germany", {"infantry": 1})), Done()
    )
    assert {u.type for u in s.stack("bavaria")} == {"airborne", "infantry", "air_transport"}


@pytest.mark.rule("gw36:8.4a")
@pytest.mark.rule("gw36:8.2a")
def test_voyages_that_cannot_be_made() -> None:
    s = port(HOME)
    refused(s, Sail((), (Load("western_germany", {"infantry": 1}),)), "0.8a")
    refused(s, sail("western_germany", load("western_germany", infantry=1)), "1.2a")
    refused(s, sail("sz_026", load("picardy", infantry=1)))
    refused(s, sail("sz_027"), "8.4a")
    refused(s, sail("sz_027", load("western_germany")), "8.4a")
    refused(s, sail("sz_027", load("western_germany", zeppelin=1)), "8.4a")
    refused(s, sail("sz_027", offload="western_germany"), "8.4c")
    none = port(HOME, ships=[of("germany", "naval_transport", used=1, duty="moved")])
    refused(none, sail("sz_027", load("western_germany", infantry=1)), "8.4c")
    met = port(HOME, others={"sz_026": [of("great_britain", "submarine")]})
    refused(met, sail("sz_027 > sz_026", load("western_germany", infantry=1)), "8.2a")
