"""Assaults from the sea and from the air, and the guns (9.8, 9.9, 9.15, 12.9)."""

from typing import Any

import pytest

from sandtable.games.gw36.model import Unit
from sandtable.games.gw36.rules.casualties import Casualties, ChooseCasualties
from sandtable.games.gw36.rules.retreat import Retreat, RetreatOrPress
from tests.gw36.fights import Fight, fortify, place, position

MISS = 12


def transport(*types: str, ship: str = "naval_transport", nation: str = "japan") -> Unit:
    """A ship with units that are to be landed."""
    cargo = tuple(sorted(Unit(nation, type_, duty="assault") for type_ in types))
    return Unit(nation, ship, duty="landing", target="peking", cargo=cargo)


def assault(
    ships: list[Unit],
    defenders: dict[str, Any],
    dice: list[int],
    answers: list[Any] | None = None,
    *,
    overland: dict[str, Any] | None = None,
    guns: dict[str, Any] | None = None,
    until: str = "",
    artillery: int = 0,
    air: dict[str, Any] | None = None,
    **fields: Any,
) -> Fight:
    """Japan lands in Peking, from sea zone 54."""
    s = position(turn="japan", wars=[("japan", "kmt")], **fields)
    s.possession |= {"peking": "kmt", "rehe": "japan"}
    for ship in ships:
        s.put("sz_054", ship)
    place(s, "sz_054", "japan", guns or {}, duty="bombard", target="peking")
    place(s, "peking", "japan", overland or {}, duty="attack", origin="rehe")
    place(s, "peking", "japan", air or {}, duty="attack", origin="sz_054")
    place(s, "peking", "kmt", defenders)
    for _ in range(artillery):
        fortify(s, "peking", "sz_054", "coastal_artillery")
    s.planned = (("peking", "land"),)
    return Fight(s, dice, answers or [], until=until)


@pytest.mark.rule("gw36:9.8c", "gw36:9.8d", "gw36:9.8e", "gw36:9.8j", "gw36:9.2a")
def test_the_example_of_the_book():
    """Four motorized infantry from Rehe, two infantry and two artillery by sea; one casualty."""
    fight = assault(
        [transport("infantry", "artillery"), transport("infantry", "artillery")],
        {"infantry": 1},
        # infantry twice, motorized four times, the defender hits.
        [MISS] * 6 + [2],
        overland={"motorized_infantry": 4},
        until="retreat_or_press",
    )
    assert "artillery" not in fight.values("attack")
    assert fight.units("peking", "japan") == {"motorized_infantry": 4}
    cargo = [piece.type for ship in fight.s.stack("sz_054") for piece in ship.cargo]
    assert cargo == ["artillery"]  # on both ships: neither could land
    assert sum(fight.s.stack("sz_054").values()) == 2


@pytest.mark.rule("gw36:9.8c", "gw36:9.8g")
def test_other_units_land_in_the_second_round_without_first_strike():
    fight = assault(
        [transport("infantry", "artillery")],
        {"infantry": 1},
        [MISS, MISS, 3, MISS],
    )
    # Second round: the artillery hits and the defender still fires.
    assert fight.values("attack") == {"infantry": [(1, 2)], "artillery": [(1, 3)]}
    assert [kind for kind, _, _ in fight.rolls][-1] == "defense"
    assert fight.s.possession["peking"] == "japan"


@pytest.mark.rule("gw36:9.8d", "gw36:12.2.marine-b")
def test_a_marine_costs_one_and_others_two():
    def choose(request: ChooseCasualties) -> Casualties:
        assert request.double == ("japan:infantry~",)
        return Casualties({"japan:marine~": 1})

    fight = assault(
        [transport("infantry", "marine")],
        {"militia": 1},
        [MISS, MISS, 1, 2, MISS],
        [choose],
    )
    assert fight.units("peking", "japan") == {"infantry": 1}


@pytest.mark.rule("gw36:9.8d")
def test_double_casualties_end_with_the_first_round():
    fight = assault(
        [transport("infantry", "infantry")],
        {"infantry": 1},
        [MISS, MISS, MISS, MISS, 2, 4],
    )
    assert fight.units("peking", "japan") == {"infantry": 1}
    first = assault([transport("infantry", "infantry")], {"infantry": 1}, [MISS, 2, 4])
    assert first.units("peking", "japan") == {}


@pytest.mark.rule("gw36:7.8.attack-transport-b", "gw36:7.8.attack-transport-c")
def test_from_an_attack_transport_everybody_lands_at_once_and_counts_once():
    fight = assault(
        [transport("infantry", "artillery", ship="attack_transport")],
        {"infantry": 1},
        [MISS, MISS, 4, 1, MISS],
        [Casualties({"japan:infantry~": 1})],
    )
    assert fight.values("attack")["artillery"] == [(1, 3), (1, 3)]
    assert fight.units("peking", "japan") == {"artillery": 1}


@pytest.mark.rule("gw36:9.8h", "gw36:9.8f")
def test_nobody_retreats_from_an_assault():
    fight = assault(
        [transport("infantry", "infantry")],
        {"infantry": 1},
        [MISS] * 4 + [6, MISS],
        air={"fighter": 1},
    )
    assert not any(isinstance(request, RetreatOrPress) for request in fight.asked)


@pytest.mark.rule("gw36:9.8j")
def test_who_came_overland_may_retreat_and_leave_the_others_to_fight():
    fight = assault(
        [transport("infantry", "infantry")],
        {"infantry": 1},
        [MISS] * 4 + [2, MISS, MISS],
        [Retreat("rehe")],
        overland={"infantry": 1},
    )
    assert fight.units("rehe", "japan") == {"infantry": 1}
    assert fight.s.possession["peking"] == "japan"


@pytest.mark.rule("gw36:9.9a", "gw36:9.9c", "gw36:table-9-6b", "gw36:table-9-6e")
def test_bombardment_strikes_first():
    fight = assault(
        [transport("infantry", "infantry")],
        {"infantry": 1},
        [4, MISS],
        guns={"battleship": 1, "heavy_cruiser": 1},
    )
    assert fight.values("attack") == {"battleship": [(1, 4)], "heavy_cruiser": [(1, 2)]}
    assert fight.s.possession["peking"] == "japan"
    assert all(unit.duty == "fought" for unit in fight.s.stack("sz_054"))


@pytest.mark.rule("gw36:9.9d", "gw36:12.9c")
def test_coastal_artillery_fires_at_up_to_three_ships_and_the_attacker_chooses():
    fight = assault(
        [transport("infantry", "infantry")],
        {"infantry": 1},
        # bombardment; two ships are shot at; then the landing.
        [MISS, 3, MISS, 2, MISS, MISS],
        [Casualties({"japan:heavy_cruiser": 1})],
        guns={"heavy_cruiser": 1},
        artillery=1,
    )
    assert fight.values("defense")["coastal_artillery"] == [(2, 3)]
    assert fight.units("sz_054", "japan") == {"naval_transport": 1}
    many = assault(
        [transport("infantry", "infantry")] * 4,
        {"infantry": 1},
        [MISS] * 3 + [2] + [MISS] * 8,
        artillery=1,
    )
    assert many.values("defense")["coastal_artillery"] == [(3, 3)]


@pytest.mark.rule("gw36:9.6b", "gw36:9.9d")
def test_a_transport_sunk_by_guns_takes_its_cargo_along():
    fight = assault([transport("infantry", "infantry")], {"infantry": 1}, [3], artillery=1)
    assert fight.s.lost["japan", "infantry"] == 2
    assert fight.s.possession["peking"] == "kmt"


@pytest.mark.rule("gw36:12.2.airborne-b", "gw36:9.15b", "gw36:12.2.airborne-a")
def test_airborne_infantry_attacks_at_three_in_the_first_round_and_stays():
    s = position(turn="japan", wars=[("japan", "kmt")])
    s.possession |= {"peking": "kmt", "rehe": "japan"}
    s.put("peking", Unit("japan", "airborne", duty="assault", target="airborne"))
    place(s, "peking", "japan", {"infantry": 1}, duty="attack", origin="rehe")
    place(s, "peking", "kmt", {"militia": 1})
    s.planned = (("peking", "land"),)
    fight = Fight(s, [MISS, MISS, MISS, 2, MISS], [Retreat("rehe")])
    assert fight.values("attack")["airborne"] == [(1, 3), (1, 2)]
    assert s.possession["peking"] == "japan"
    assert fight.units("rehe", "japan") == {"infantry": 1}


@pytest.mark.rule("gw36:9.8i", "gw36:table-9-3e")
def test_no_blitz_after_an_assault():
    s = position(turn="japan", wars=[("japan", "kmt")])
    s.possession |= {"shantung": "kmt", "hopeh": "kmt"}
    armor = Unit("japan", "medium_armor", duty="assault")
    ship = Unit("japan", "attack_transport", duty="landing", target="shantung", cargo=(armor,))
    s.put(s.facts.coast["shantung"][0], ship)
    s.planned = (("shantung", "land"),)
    fight = Fight(s, [])
    assert s.possession["shantung"] == "japan"
    assert fight.asked == []


@pytest.mark.rule("gw36:9.8a", "gw36:9.8b", "gw36:9.7e")
def test_a_landing_waits_for_the_battle_at_sea():
    s = position(turn="japan", wars=[("japan", "kmt"), ("japan", "usa")])
    s.possession |= {"peking": "kmt"}
    s.put("sz_054", transport("infantry", "infantry"))
    place(s, "sz_054", "japan", {"light_cruiser": 1}, duty="screen")
    place(s, "sz_054", "usa", {"destroyer": 1})
    s.planned = (("peking", "land"), ("sz_054", "naval"))
    fight = Fight(s, [5, MISS])
    assert [kind for kind, _, _ in fight.rolls] == ["attack", "defense"]
    assert s.possession["peking"] == "japan"
