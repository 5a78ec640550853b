"""Multinational forces in battle, guest fighters, stranded defenders (p.13, p.16, p.20, p.27)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.aa1942.battles import land, line, sea
from tests.aa1942.table import (
    Bombard,
    Casualties,
    Dive,
    Divert,
    Done,
    Fight,
    Press,
    Retreat,
    Table,
    move,
    sail,
    table,
)

FOUR = {
    "players": {
        "Anna": ["soviet_union"],
        "Ben": ["united_kingdom"],
        "Cleo": ["united_states"],
        "Dora": ["germany", "japan"],
    }
}
PAIR = {
    "players": {
        "Anna": ["soviet_union", "united_kingdom"],
        "Cleo": ["united_states"],
        "Dora": ["germany", "japan"],
    }
}


def egypt(defenders: dict[str, str], attackers: str = "3 tank", **more: Any) -> Table:
    return land(attackers, defenders, turn="germany", target="egypt", origin="libya", **more)


# --- who fights -----------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:multi.defend-together")
def test_all_units_of_the_side_defend_as_one_force() -> None:
    t = egypt({"united_kingdom": "infantry", "united_states": "tank", "soviet_union": "fighter"})
    t.dice(6, 6, 6)
    assert line(t) == "1 infantry at 2, 1 tank at 3, 1 fighter at 4"
    t.dice(2, 3, 4)
    assert t.units("egypt", "germany") == {}


@pytest.mark.rule("aa1942:multi.defend-together")
def test_hits_may_fall_on_any_of_the_powers() -> None:
    t = egypt({"united_kingdom": "infantry", "united_states": "2 infantry"}).dice(1, 6, 6)
    assert t.request.units == {"united_kingdom": {"infantry": 1}, "united_states": {"infantry": 2}}
    t.do(Casualties({"united_states": {"infantry": 1}})).dice(6, 6, 6)
    assert t.units("egypt", "united_states") == {"infantry": 1}
    assert t.units("egypt", "united_kingdom") == {"infantry": 1}


@pytest.mark.rule("aa1942:multi.no-joint-attack")
def test_a_power_attacks_with_its_own_units_only() -> None:
    t = table(
        "united_kingdom",
        units={
            "karelia_ssr": {"united_kingdom": "infantry", "soviet_union": "5 infantry"},
            "sz7": {"united_kingdom": "cruiser", "united_states": "battleship"},
            "finland": {"germany": "infantry"},
            "sz8": {"germany": "destroyer"},
        },
    )
    assert "not 2" in t.refused(move("2 infantry", "karelia_ssr > finland"))
    t.refused(move("battleship", "sz7 > sz8"))
    t.refused(move("infantry", "karelia_ssr > finland"), by="soviet_union")
    t.do(move("infantry", "karelia_ssr > finland"), move("cruiser", "sz7 > sz8"), Done())
    t.do(Fight("finland"))
    assert line(t) == "1 infantry at 1"
    t.dice(6).dice(1)
    assert line(t) == "1 cruiser at 3"


@pytest.mark.rule("aa1942:multi.ally-excluded", "aa1942:multi.no-joint-attack")
def test_allies_in_the_zone_neither_fire_nor_fall_nor_retreat() -> None:
    t = sea(
        "cruiser, destroyer",
        "2 cruiser",
        "united_kingdom",
        also={"sz8": {"united_states": "battleship, transport, submarine"}},
    )
    assert line(t) == "1 cruiser at 3, 1 destroyer at 2"
    t.dice(6, 6).dice(1, 6)
    assert t.request.units == {"united_kingdom": {"cruiser": 1, "destroyer": 1}}
    t.do(Casualties({"united_kingdom": {"destroyer": 1}}), Retreat("sz9"))
    assert t.units("sz9", "united_kingdom") == {"cruiser": 1}
    assert t.units("sz8", "united_states") == {"battleship": 1, "transport": 1, "submarine": 1}


@pytest.mark.rule("aa1942:multi.ally-excluded")
def test_allies_in_the_zone_stay_when_the_attacker_is_wiped_out() -> None:
    t = sea("cruiser", "cruiser", "united_kingdom", also={"sz8": {"united_states": "2 transport"}})
    t.dice(6).dice(1)
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("sz8", "united_states") == {"transport": 2}


@pytest.mark.rule("aa1942:multi.ally-excluded")
def test_an_ally_in_the_zone_does_not_shield_attackers_from_a_stalemate() -> None:
    # An American cruiser could hit the submarine, but takes no part.
    t = sea(
        "2 fighter",
        "submarine, transport",
        "united_kingdom",
        also={"sz8": {"united_states": "cruiser"}},
    )
    assert t.asked == "united_kingdom noncombat_move"
    assert t.units("sz8", "germany") == {"submarine": 1}


@pytest.mark.rule("aa1942:multi.ally-excluded", "aa1942:combat.strip.cargo")
def test_cargo_of_an_ally_on_the_attackers_ship_is_at_risk() -> None:
    t = sea(
        "destroyer, transport",
        "2 cruiser",
        "united_kingdom",
        cargo={
            "sz9": {
                "united_kingdom": [
                    {"ship": "transport", "load": {"united_states": {"infantry": 2}}}
                ]
            }
        },
    )
    t.dice(6).dice(1, 1)
    assert t.s.lost["united_states", "infantry"] == 2


# --- casualties of several persons ----------------------------------------------------------------


@pytest.mark.rule("aa1942:multi.defense.casualties")
def test_owners_who_agree_have_their_way() -> None:
    t = egypt({"united_kingdom": "infantry", "united_states": "tank"}, options=FOUR).dice(1, 6, 6)
    assert t.asked == "united_kingdom choose_casualties, united_states choose_casualties"
    choice = Casualties({"united_kingdom": {"infantry": 1}})
    t.do(choice, by="united_states").do(choice, by="united_kingdom")
    t.dice(6, 6)
    assert t.units("egypt", "united_states") == {"tank": 1}
    assert t.units("egypt", "united_kingdom") == {}


@pytest.mark.rule("aa1942:multi.defense.casualties")
def test_without_agreement_the_attacker_chooses_freely() -> None:
    t = egypt({"united_kingdom": "infantry", "united_states": "tank, fighter"}, options=FOUR).dice(
        1, 6, 6
    )
    t.do(Casualties({"united_states": {"tank": 1}}), by="united_kingdom")
    t.do(Casualties({"united_kingdom": {"infantry": 1}}), by="united_states")
    assert t.asked == "germany choose_casualties"
    assert t.request.of == "defender"
    t.refused(Casualties({"united_states": {"tank": 1, "fighter": 1}}), "combat.fire.max-hits")
    t.do(Casualties({"united_states": {"fighter": 1}}))
    assert line(t) == "1 infantry at 2, 1 tank at 3, 1 fighter at 4"
    t.dice(6, 6, 6)
    assert t.units("egypt", "united_states") == {"tank": 1}


@pytest.mark.rule("aa1942:multi.defense.casualties")
def test_nobody_sees_the_proposal_of_another_before_all_are_in() -> None:
    t = egypt({"united_kingdom": "infantry", "united_states": "tank"}, options=FOUR).dice(1, 6, 6)
    before = t.game.observe("united_states")
    t.do(Casualties({"united_states": {"tank": 1}}), by="united_kingdom")
    after = t.game.observe("united_states")
    for view in (before, after):
        del view["version"], view["waiting_for"]
    assert after == before
    assert t.asked == "united_states choose_casualties"
    t.refused(Casualties({"united_states": {"tank": 1}}), by="united_kingdom")


@pytest.mark.rule("aa1942:multi.defense.casualties")
def test_powers_of_one_person_decide_once_and_every_other_person_too() -> None:
    t = egypt(
        {"united_kingdom": "infantry", "soviet_union": "infantry", "united_states": "tank"},
        options=PAIR,
    ).dice(1, 6, 6)
    assert t.asked == "united_kingdom choose_casualties, united_states choose_casualties"
    t = egypt({"united_kingdom": "infantry", "soviet_union": "tank"}, options=PAIR).dice(1, 6, 6)
    assert t.asked == "united_kingdom choose_casualties"
    t = egypt({"united_kingdom": "infantry", "united_states": "tank"}).dice(1, 6, 6)
    assert t.asked == "united_kingdom choose_casualties"


@pytest.mark.rule("aa1942:multi.defense.casualties")
def test_a_proposal_has_to_be_legal_and_names_count_as_the_units_they_mean() -> None:
    t = sea(
        "2 cruiser",
        {"united_kingdom": "battleship, destroyer", "united_states": "cruiser"},
        options=FOUR,
    ).dice(1, 1)
    assert t.asked == "united_kingdom choose_casualties, united_states choose_casualties"
    t.refused(Casualties(damaged={"united_kingdom": 1}), by="united_kingdom")
    same = Casualties({"united_states": {"cruiser": 1}}, {"united_kingdom": 1})
    t.do(same, by="united_kingdom").do(same, by="united_states")
    assert line(t) == "1 battleship at 4, 1 cruiser at 3, 1 destroyer at 2"


@pytest.mark.rule("aa1942:multi.defense.casualties")
def test_nobody_is_asked_where_the_hits_leave_no_choice() -> None:
    t = egypt({"united_kingdom": "infantry", "united_states": "tank"}, options=FOUR).dice(1, 1, 6)
    assert line(t) == "1 infantry at 2, 1 tank at 3"
    t = (
        sea(
            "2 submarine",
            {"united_kingdom": "aircraft_carrier", "united_states": "fighter"},
            options=FOUR,
        )
        .do(Dive(0))
        .dice(1, 6)
    )
    assert line(t) == "1 fighter at 4"


@pytest.mark.rule("aa1942:multi.defense.casualties")
def test_owners_agree_on_bombardment_and_on_interceptors_too() -> None:
    t = table(
        "germany",
        units={
            "sz15": {"germany": "battleship, transport"},
            "sz17": {},
            "egypt": {"united_kingdom": "infantry", "united_states": "infantry"},
        },
        cargo={"sz15": {"germany": [{"ship": "transport", "load": {"germany": {"infantry": 2}}}]}},
        options=FOUR,
    )
    t.do(sail("sz15 > sz17", offload="egypt"), move("battleship", "sz15 > sz17"), Done())
    t.do(Bombard({"sz17": {"battleship": 1}})).dice(1)
    assert t.asked == "united_kingdom choose_casualties, united_states choose_casualties"


# --- guest fighters -------------------------------------------------------------------------------


@pytest.mark.rule("aa1942:combat.strip.cargo")
def test_a_guest_on_an_attacking_carrier_does_not_fight_and_sinks_with_it() -> None:
    t = sea(
        "aircraft_carrier, destroyer",
        "2 cruiser",
        "united_kingdom",
        also={"sz9": {"united_states": "fighter"}},
    )
    assert t.cargo("sz8", "united_kingdom") == [["united_states fighter"]]
    assert line(t) == "1 aircraft_carrier at 1, 1 destroyer at 2"
    t.dice(6, 6).dice(1, 6)
    assert t.request.units == {
        "united_kingdom": {"aircraft_carrier (united_states fighter)": 1, "destroyer": 1}
    }
    t.do(Casualties({"united_kingdom": {"aircraft_carrier": 1}}))
    assert t.s.lost["united_states", "fighter"] == 1


@pytest.mark.rule("aa1942:combat.strip.cargo", "aa1942:combat.retreat.together")
def test_a_guest_retreats_with_the_attacking_carrier() -> None:
    t = sea(
        "aircraft_carrier", "cruiser", "united_kingdom", also={"sz9": {"united_states": "fighter"}}
    )
    t.dice(6).dice(6).do(Retreat("sz9"))
    assert t.cargo("sz9", "united_kingdom") == [["united_states fighter"]]


@pytest.mark.rule("aa1942:combat.strip.cargo")
def test_ships_are_told_apart_by_whose_units_they_carry() -> None:
    def hold(power: str) -> dict[str, Any]:
        return {"ship": "transport", "load": {power: {"infantry": 1}}}

    t = sea(
        "destroyer, 2 transport",
        "2 cruiser",
        "united_kingdom",
        cargo={"sz9": {"united_kingdom": [hold("united_kingdom"), hold("united_states")]}},
    )
    t.dice(6).dice(1, 1)
    t.do(Casualties({"united_kingdom": {"destroyer": 1, "transport (united_states infantry)": 1}}))
    assert t.cargo("sz8", "united_kingdom") == [["united_kingdom infantry"]]


@pytest.mark.rule("aa1942:multi.defend-together")
def test_guests_on_a_defending_carrier_defend_in_the_air() -> None:
    t = sea("2 cruiser", {"united_kingdom": "aircraft_carrier", "united_states": "2 fighter"})
    t.dice(1, 6)
    assert t.request.units == {
        "united_kingdom": {"aircraft_carrier": 1},
        "united_states": {"fighter": 2},
    }
    t.do(Casualties({"united_states": {"fighter": 1}}))
    assert line(t) == "2 fighter at 4, 1 aircraft_carrier at 2"
    t.dice(6, 6, 6).do(Retreat("sz9"))
    assert t.cargo("sz8", "united_kingdom") == [["united_states fighter"]]
    assert t.units("sz8", "united_states") == {}


@pytest.mark.rule("aa1942:multi.defend-together", "aa1942:unit.sub.cannot-hit-air")
def test_guests_defend_even_if_only_submarines_attack() -> None:
    t = sea("submarine", {"united_kingdom": "aircraft_carrier", "united_states": "2 fighter"})
    t.do(Dive(0)).dice(1)
    assert line(t) == "2 fighter at 4"
    t.dice(1, 1)
    # Their carrier is gone: they land in the United Kingdom, one space away.
    assert t.units("united_kingdom", "united_states") == {"fighter": 2}


@pytest.mark.rule("aa1942:multi.ally-excluded")
def test_fighters_on_a_carrier_of_the_attackers_ally_stay_out_with_it() -> None:
    t = sea(
        "cruiser",
        "cruiser",
        "united_kingdom",
        also={"sz8": {"united_states": "aircraft_carrier, 2 fighter"}},
    )
    assert line(t) == "1 cruiser at 3"
    t.dice(6).dice(1)
    assert t.units("sz8", "united_states") == {"aircraft_carrier": 1, "fighter": 2}


# --- stranded defenders ---------------------------------------------------------------------------


@pytest.mark.rule("aa1942:noncombat.stranded", "aa1942:unit.fighter.defend-return")
def test_a_fighter_whose_carrier_was_sunk_lands_on_another_in_the_zone() -> None:
    t = sea("2 cruiser", "2 aircraft_carrier, fighter").dice(1, 6)
    t.do(Casualties({"united_kingdom": {"aircraft_carrier": 1}})).dice(6, 6, 6)
    t.do(Retreat("sz9"))
    assert t.asked == "germany noncombat_move"
    assert t.units("sz8", "united_kingdom") == {"aircraft_carrier": 1, "fighter": 1}


@pytest.mark.rule("aa1942:noncombat.stranded", "aa1942:unit.fighter.defend-return")
def test_stranded_fighters_are_lost_far_from_any_friend() -> None:
    t = table(
        "germany",
        units={
            "sz9": {"germany": "2 cruiser"},
            "sz12": {"united_kingdom": "aircraft_carrier, 2 fighter"},
        },
    ).do(move("2 cruiser", "sz9 > sz12"), Done())
    t.dice(1, 6).do(Casualties({"united_kingdom": {"aircraft_carrier": 1}})).dice(6, 6, 6)
    t.do(Press()).dice(1, 6).dice(6, 6).do(Retreat("sz9"))
    assert t.asked == "germany noncombat_move"
    assert t.s.lost["united_kingdom", "fighter"] == 2


@pytest.mark.rule("aa1942:noncombat.stranded", "aa1942:unit.fighter.defend-return")
def test_stranded_fighters_choose_between_land_and_a_neighbouring_carrier() -> None:
    t = sea(
        "2 cruiser",
        {"united_kingdom": "aircraft_carrier, fighter"},
        also={"sz7": {"united_states": "aircraft_carrier"}},
    )
    t.dice(1, 6).do(Casualties({"united_kingdom": {"aircraft_carrier": 1}})).dice(6, 6)
    t.do(Retreat("sz9"))
    assert t.asked == "united_kingdom land_stranded"
    assert t.request.to == ("sz7", "united_kingdom")
    t.do(Divert("sz7"))
    assert t.cargo("sz7", "united_states") == [["united_kingdom fighter"]]


@pytest.mark.rule("aa1942:noncombat.stranded", "aa1942:combat-move.share-spaces")
@pytest.mark.parametrize("zone", ["sz35", "sz34"])
def test_a_stranded_fighter_needs_no_consent_of_another_person(zone: str) -> None:
    """It must land; the acting power's own fighter asks before it boards another person's ship."""
    persons = ["soviet_union", "united_kingdom", "united_states", "germany", "japan"]
    options = {"players": {power: [power] for power in persons}}
    sunk: dict[str, Any] = {"sz35": {"united_kingdom": "fighter"}}
    sunk[zone] = {**sunk.get(zone, {}), "united_states": "aircraft_carrier"}
    control = {"india": "japan"}
    t = table("japan", "noncombat_move", sunk, options=options, control=control)
    assert t.asked == "japan noncombat_move"
    assert t.cargo(zone, "united_states") == [["united_kingdom fighter"]]
    t = table(
        "united_kingdom",
        "noncombat_move",
        {
            "sz36": {"united_kingdom": {"fighter": [{"used": 3, "duty": "fought"}]}},
            "sz35": {"united_states": "aircraft_carrier"},
        },
        options=options,
        control=control,
    )
    t.do(move("fighter", "sz36 > sz35"))
    assert t.asked == "united_states share_space"
