"""Combat movement: what is attacked, on land and at sea, and what becomes of it (8.1, 8.2, 8.8)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw36.model import Facility, State, Unit
from sandtable.games.gw36.rules.combat_move import phase
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.movement import Move
from sandtable.kernel.decisions import Decision
from tests.gw36.hand import Hand, allowed, facts, of, refused, request_of, state, way

FRANCE = [("france", "germany")]
BRITAIN = [("germany", "great_britain")]


def move(units: dict[str, int], path: str, duty: str = "", target: str = "", **fields: Any) -> Move:
    return Move(units, way(path), duty, target, **fields)


def germany(units: dict[str, dict[str, int]], **fields: Any) -> State:
    """Germany's turn, with its own units by zone."""
    others = fields.pop("others", {})
    placed: dict[str, list[Any]] = {
        zone: [of("germany", type_, n) for type_, n in some.items()] for zone, some in units.items()
    }
    for zone, pieces in others.items():
        placed.setdefault(zone, []).extend(pieces)
    return state("germany", units=placed, **fields)


def play(s: State, *answers: Decision | None, faces: tuple[int, ...] = ()) -> Hand:
    hand = Hand(s, faces)
    hand.run(phase, *answers)
    return hand


# --- land


@pytest.mark.rule("gw36:8.2a")
@pytest.mark.rule("gw36:8.2b")
def test_land_units_attack_an_enemy_zone() -> None:
    s = germany({"bavaria": {"infantry": 2}}, wars=FRANCE)
    refused(s, move({"infantry": 1}, "bavaria > western_germany"), "8.2a")
    play(s, move({"infantry": 2}, "bavaria > alsace_lorraine"), Done())
    unit = Unit("germany", "infantry", used=1, origin="bavaria", duty="attack")
    assert s.stack("alsace_lorraine") == {unit: 2}
    assert s.planned == (("alsace_lorraine", "land"),)


@pytest.mark.rule("gw36:8.1a")
def test_an_attack_on_another_nation_declares_war_or_is_refused() -> None:
    s = germany({"western_germany": {"infantry": 1}})
    hand = play(s, move({"infantry": 1}, "western_germany > belgium"), Done())
    assert any(event.kind == "war_declared" for event in hand.events)
    assert any("germany" in war for war in s.wars)
    usa = state("usa", units={"quebec": [of("usa", "infantry")]}, owners={"quebec": "usa"})
    usa.income["usa"] = 6
    refused(usa, move({"infantry": 1}, "quebec > ottawa"))
    friend = germany({"bavaria": {"infantry": 1}}, owners={"austria": "germany"})
    refused(friend, move({"infantry": 1}, "bavaria > austria"), "8.2a")


@pytest.mark.rule("gw36:0.9.annexation-a")
@pytest.mark.rule("gw36:8.2b")
def test_an_annexation_takes_a_zone_without_battle_or_war() -> None:
    s = germany({"bavaria": {"infantry": 1}}, owners={"austria": "austria"}, date="1938-01")
    play(s, move({"infantry": 1}, "bavaria > austria"), Done())
    assert s.possession["austria"] == "germany"
    assert not s.wars
    assert s.planned == ()


@pytest.mark.rule("gw36:7.8.rockets-a")
def test_rockets_do_not_attack_on_foot() -> None:
    s = germany({"bavaria": {"strategic_rocket": 1}}, wars=FRANCE)
    refused(s, move({"strategic_rocket": 1}, "bavaria > alsace_lorraine"), "7.8.rockets-a")


# --- blitzing through


def blitzing(units: dict[str, int], **fields: Any) -> State:
    fields.setdefault("owners", {"western_germany": "germany", "belgium": "france"})
    return germany({"western_germany": units}, wars=FRANCE, **fields)


THROUGH = "western_germany > belgium > picardy"


@pytest.mark.rule("gw36:8.2b")
@pytest.mark.rule("gw36:12.2.medium-armor-b")
@pytest.mark.rule("gw36:7.8.heavy-armor-a")
def test_armor_blitzes_through_an_empty_enemy_zone_and_takes_it() -> None:
    s = blitzing({"medium_armor": 1, "heavy_armor": 1})
    play(s, move({"medium_armor": 1, "heavy_armor": 1}, THROUGH), Done())
    assert s.possession["belgium"] == "germany"
    assert s.planned == (("picardy", "land"),)
    assert s.stack("picardy")[Unit("germany", "medium_armor", 0, 2, "belgium", "attack")] == 1


@pytest.mark.rule("gw36:8.2b")
def test_an_occupied_zone_ends_the_move() -> None:
    s = blitzing({"medium_armor": 1}, others={"belgium": [of("france", "infantry")]})
    refused(s, move({"medium_armor": 1}, THROUGH), "8.2b")


@pytest.mark.rule("gw36:12.2.light-armor-b")
@pytest.mark.rule("gw36:12.2.mechanized-b")
@pytest.mark.rule("gw36:12.2.sp-artillery-b")
@pytest.mark.rule("gw36:7.8.advanced-mech-b")
def test_others_blitz_paired_with_armor_or_not_at_all() -> None:
    s = blitzing(
        {
            "medium_armor": 2,
            "mechanized_infantry": 3,
            "self_propelled_artillery": 1,
            "advanced_mechanized_infantry": 5,
            "light_armor": 1,
            "motorized_infantry": 1,
            "cavalry": 1,
            "tank_destroyer": 1,
        }
    )
    for type_ in ("light_armor", "motorized_infantry", "cavalry", "tank_destroyer"):
        refused(s, move({"medium_armor": 2, type_: 1}, THROUGH), "12.2.light-armor-b")
    refused(s, move({"mechanized_infantry": 1}, THROUGH), "12.2.mechanized-b")
    allowed(s, move({"medium_armor": 2, "mechanized_infantry": 2}, THROUGH))
    refused(s, move({"medium_armor": 2, "mechanized_infantry": 3}, THROUGH), "12.2.mechanized-b")
    allowed(
        s,
        move({"medium_armor": 2, "mechanized_infantry": 1, "self_propelled_artillery": 1}, THROUGH),
    )
    allowed(s, move({"medium_armor": 2, "advanced_mechanized_infantry": 4}, THROUGH))
    refused(
        s,
        move({"medium_armor": 2, "advanced_mechanized_infantry": 5}, THROUGH),
        "12.2.mechanized-b",
    )
    allowed(
        s,
        move(
            {"medium_armor": 2, "mechanized_infantry": 1, "advanced_mechanized_infantry": 2},
            THROUGH,
        ),
    )


@pytest.mark.rule("gw36:1.8d")
@pytest.mark.rule("gw36:1.16g")
@pytest.mark.rule("gw36:1.23d")
def test_terrain_cities_and_fortifications_stop_a_blitz() -> None:
    s = blitzing({"medium_armor": 1}, rules="recommended")
    assert ("western_germany", "belgium") in facts().border_terrain
    refused(s, move({"medium_armor": 1}, THROUGH), "1.7a")
    fort = blitzing(
        {"medium_armor": 1}, facilities={"belgium": [Facility("fortification", "western_germany")]}
    )
    refused(fort, move({"medium_armor": 1}, THROUGH), "1.8d")
    behind = blitzing(
        {"medium_armor": 1}, facilities={"picardy": [Facility("fortification", "belgium")]}
    )
    refused(behind, move({"medium_armor": 1}, THROUGH), "1.8d")
    other_side = blitzing(
        {"medium_armor": 1}, facilities={"picardy": [Facility("fortification", "paris")]}
    )
    allowed(other_side, move({"medium_armor": 1}, THROUGH))
    city = germany(
        {"alsace_lorraine": {"medium_armor": 1}}, wars=FRANCE, owners={"alsace_lorraine": "germany"}
    )
    refused(city, move({"medium_armor": 1}, "alsace_lorraine > paris > normandy"), "1.8d")
    start = germany(
        {"berlin": {"medium_armor": 1}}, wars=FRANCE, owners={"western_germany": "france"}
    )
    allowed(start, move({"medium_armor": 1}, "berlin > western_germany > netherlands"))


@pytest.mark.rule("gw36:8.2b")
def test_a_blitz_may_end_in_a_friendly_zone_and_passes_no_neutral() -> None:
    s = blitzing({"medium_armor": 1})
    play(s, move({"medium_armor": 1}, "western_germany > belgium > western_germany"), Done())
    assert s.possession["belgium"] == "germany"
    assert s.planned == ()
    neutral = germany({"western_germany": {"medium_armor": 1}}, wars=FRANCE)
    refused(neutral, move({"medium_armor": 1}, THROUGH), "8.2b")


# --- rockets and attrition


@pytest.mark.rule("gw36:7.8.rockets-c")
@pytest.mark.rule("gw36:7.8.rockets-d")
@pytest.mark.rule("gw36:0.8a")
def test_rockets_strike_within_their_range() -> None:
    s = germany(
        {"belgium": {"strategic_rocket": 1}},
        owners={"belgium": "germany"},
        wars=BRITAIN,
        facilities={"london": [Facility("major_factory")], "scotland": [Facility("air_base")]},
        others={"london": [of("great_britain", "infantry")]},
    )
    allowed(s, move({"strategic_rocket": 1}, "belgium", "rocket", "london/units"))
    refused(s, move({"strategic_rocket": 1}, "belgium", "rocket", "london/air_base"), "9.16a")
    refused(s, move({"strategic_rocket": 1}, "belgium", "rocket", "paris/units"), "8.1a")
    far = next(
        z
        for z in facts().land
        if facts().scenarios["1939"].owners[z] == "great_britain"
        and "africa" in facts().zones[z].region
    )
    refused(s, move({"strategic_rocket": 1}, "belgium", "rocket", f"{far}/units"), "7.8.rockets-c")
    play(s, move({"strategic_rocket": 1}, "belgium", "rocket", "london/major_factory"), Done())
    assert s.planned == (("london", "rocket"),)
    refused(s, move({"strategic_rocket": 1}, "belgium", "rocket", "london/units"), "10.1a")


@pytest.mark.rule("gw36:7.8.advanced-artillery-c")
def test_advanced_artillery_fires_into_a_neighbouring_zone() -> None:
    s = germany(
        {"bavaria": {"advanced_artillery": 1, "artillery": 1}},
        wars=FRANCE,
        others={"alsace_lorraine": [of("france", "infantry")], "paris": [of("france", "infantry")]},
    )
    rule = "7.8.advanced-artillery-c"
    refused(s, move({"artillery": 1}, "bavaria", "attrition", "alsace_lorraine"), rule)
    refused(s, move({"advanced_artillery": 1}, "bavaria", "attrition", "paris"), rule)
    play(s, move({"advanced_artillery": 1}, "bavaria", "attrition", "alsace_lorraine"), Done())
    assert s.planned == (("alsace_lorraine", "attrition"),)


# --- ships


@pytest.mark.rule("gw36:8.2a")
@pytest.mark.rule("gw36:8.2b")
def test_ships_attack_where_enemies_are() -> None:
    s = germany(
        {"sz_027": {"destroyer": 1, "naval_transport": 1}},
        wars=BRITAIN,
        others={"sz_012": [of("great_britain", "destroyer")], "sz_026": [of("usa", "destroyer")]},
    )
    refused(s, move({"destroyer": 1}, "sz_027 > sz_026"), "8.2a")
    refused(s, move({"naval_transport": 1}, "sz_027 > sz_012"), "8.4a")
    play(s, move({"destroyer": 1}, "sz_027 > sz_012"), Done())
    assert s.planned == (("sz_012", "naval"),)


@pytest.mark.rule("gw36:8.10a")
@pytest.mark.rule("gw36:9.11o")
def test_enemy_ships_end_a_move_but_escorts_do_not() -> None:
    def meets(duty: str) -> State:
        return germany(
            {"sz_027": {"destroyer": 1}},
            wars=BRITAIN,
            others={
                "sz_026": [of("great_britain", "light_cruiser", duty=duty)],
                "sz_025": [of("great_britain", "destroyer")],
            },
        )

    refused(meets(""), move({"destroyer": 1}, "sz_027 > sz_026 > sz_025"), "8.10a")
    allowed(meets("convoy"), move({"destroyer": 1}, "sz_027 > sz_026 > sz_025"))
    allowed(meets(""), move({"destroyer": 1}, "sz_027 > sz_026"))


@pytest.mark.rule("gw36:0.5d")
@pytest.mark.rule("gw36:0.5e")
@pytest.mark.rule("gw36:0.5f")
def test_ships_that_share_a_zone_when_war_breaks_out_fight_only_if_one_wants_to() -> None:
    units = {"sz_014": [of("germany", "destroyer"), of("ussr", "destroyer")]}
    wars = [("germany", "ussr")]
    s = state(units=units, wars=wars)
    play(s, Done())
    assert s.planned == ()
    s = state(units=units, wars=wars)
    play(s, move({"destroyer": 1}, "sz_014"), Done())
    assert s.planned == (("sz_014", "naval"),)


@pytest.mark.rule("gw36:15.6a")
@pytest.mark.rule("gw36:15.6b")
def test_a_closed_strait_may_be_forced_under_fire() -> None:
    units = {
        "sz_013": [of("great_britain", "battleship"), of("great_britain", "destroyer", 2)],
        "sz_014": [of("germany", "destroyer")],
    }
    owners = {"denmark": "germany"}
    closed = frozenset({("danish_straits", "great_britain")})
    force = move({"battleship": 1, "destroyer": 2}, "sz_013 > sz_014")
    plain = state("great_britain", units=units, owners=owners, wars=BRITAIN, closed=closed)
    refused(plain, force, "1.15b")
    s = state(
        "great_britain",
        units=units,
        owners=owners,
        wars=BRITAIN,
        closed=closed,
        switches={"forcing_straits": True},
    )
    play(s, force, Done(), faces=(3, 3, 4))
    mine = {
        u.type: (u.hits, n) for u, n in s.stack("sz_014").items() if u.nation == "great_britain"
    }
    assert mine == {"battleship": (1, 1), "destroyer": (0, 1)}
    canal = state(
        "italy",
        units={"sz_070": [of("italy", "destroyer")], "sz_079": [of("great_britain", "destroyer")]},
        wars=[("great_britain", "italy")],
        closed=frozenset({("suez_canal", "italy")}),
        switches={"forcing_straits": True},
    )
    refused(canal, move({"destroyer": 1}, "sz_070 > sz_079"), "1.15b")


@pytest.mark.rule("gw36:15.6b")
def test_forcing_a_neutral_strait_declares_war() -> None:
    units = {"sz_013": [of("great_britain", "destroyer")], "sz_014": [of("germany", "destroyer")]}
    s = state(
        "great_britain",
        units=units,
        owners={"denmark": "denmark"},
        wars=BRITAIN,
        switches={"forcing_straits": True},
        treasury=dict.fromkeys(facts().powers, 50),
    )
    hand = play(s, move({"destroyer": 1}, "sz_013 > sz_014"), Done(), faces=(12,))
    assert [e.data["against"] for e in hand.events if e.kind == "war_declared"] == ["denmark"]


@pytest.mark.rule("gw36:8.10b")
@pytest.mark.rule("gw36:6.2d")
def test_controlled_minors_move_in_their_controllers_turn() -> None:
    s = germany(
        {},
        others={"hungary": [of("hungary", "infantry")], "romania": [of("romania", "infantry")]},
        control={"hungary": "germany"},
        wars=[("hungary", "romania")],
    )
    allowed(s, move({"infantry": 1}, "hungary > romania", nation="hungary"))
    refused(s, move({"infantry": 1}, "romania > hungary", nation="romania"), "4.5a")


@pytest.mark.rule("gw36:14.3a")
def test_a_border_clash_is_announced_and_brings_no_war() -> None:
    units = {"chita": [of("ussr", "infantry")], "northern_manchuria": [of("japan", "infantry")]}
    clash = move({"infantry": 1}, "chita > northern_manchuria", "clash")
    s = state("ussr", units=units)
    refused(s, clash, "14.3a")
    s.options = {**s.options, "scenario": "1936"}
    play(s, clash, Done())
    assert not s.wars
    assert s.attacked == {("japan", "ussr")}
    assert s.planned == (("northern_manchuria", "land"),)
    assert [u.target for u in s.stack("northern_manchuria") if u.nation == "ussr"] == ["clash"]
    assert any(d == clash for d in request_of(state_1936(units)).decisions(state_1936(units)))


def state_1936(units: Any) -> State:
    s = state("ussr", units=units)
    s.options = {**s.options, "scenario": "1936"}
    return s


@pytest.mark.rule("gw36:8.2b")
def test_listed_combat_moves_are_of_all_kinds() -> None:
    s = germany(
        {
            "western_germany": {"fighter": 1, "strategic_bomber": 1, "infantry": 1, "airborne": 1},
            "sz_027": {"submarine": 1, "destroyer": 1, "naval_transport": 1},
        },
        wars=BRITAIN,
        facilities={"london": [Facility("major_factory"), Facility("major_port", "sz_027")]},
        others={
            "london": [of("great_britain", "infantry")],
            "sz_026": [of("great_britain", "destroyer")],
        },
        switches={"screening": True},
    )
    found = list(request_of(s).decisions(s))
    for decision in found:
        allowed(s, decision)
    kinds = {(d.kind, getattr(d, "duty", "")) for d in found}
    assert kinds >= {
        ("done", ""),
        ("move", ""),
        ("move", "patrol"),
        ("move", "bomb"),
        ("move", "carpet"),
        ("move", "raid"),
        ("move", "blockade"),
        ("move", "screen"),
        ("move", "declined"),
        ("sail", ""),
        ("airlift", ""),
    }
