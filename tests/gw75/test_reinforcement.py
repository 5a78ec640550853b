"""The Reinforcement Phase (18.12 to 18.16, 18.21, 18.5)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.model import Unit
from sandtable.games.gw75.rules import ports, reinforcement
from sandtable.games.gw75.rules.reinforcement import Place
from tests.gw75.moves import move
from tests.gw75.table import Table, state, table

WAR = [("commonwealth", "germany"), ("france", "germany"), ("germany", "ussr")]


def due(*jobs: dict[str, Any], units: dict[str, Any] | None = None, **fields: Any) -> Table:
    """The Reinforcement Phase of Game-Turn 5 with these on the tracks, and no others."""
    track = [{"due": 5, **job} for job in jobs]
    return table("reinforcement", 5, units=units or {}, track=track, **{"wars": WAR, **fields})


def job(nation: str, type: str, number: int = 1, **more: Any) -> dict[str, Any]:
    return {"nation": nation, "type": type, "number": number, **more}


@pytest.mark.rule("gw75:18.12a", "gw75:18.0d", "gw75:18.21")
def test_land_and_air_units_appear_in_home_industrial_hexes() -> None:
    t = due(job("germany", "inf", 2), job("germany", "mech", due=6))
    for hex in ("W3120", "W3121", "W3021", "W2923"):
        assert not reinforcement.refusal(t.s, reinforcement.Job("germany", "inf", 5), hex, 1)[0]
    assert t.refused(Place("germany", "inf", "W3020"), "18.12a")
    assert t.refused(Place("germany", "inf", "W3120", 3), "18.21")
    assert t.refused(Place("germany", "mech", "W3120"), "18.21"), "it is due later"
    t.do(Place("germany", "inf", "W2923"), Place("germany", "inf", "W3120"))
    assert t.units("W2923", "germany") == {"inf": 1}
    assert t.units("W3120", "germany") == {"inf": 1}
    assert t.s.phase == "production", "all that was due has appeared"


@pytest.mark.rule("gw75:18.12a", "gw75:18.76c")
def test_commonwealth_units_appear_in_the_country_that_paid() -> None:
    t = due(job("commonwealth", "inf", country="canada"))
    assert t.units("W2905", "commonwealth") == {"inf": 1}, "there is only one place"
    t = due(job("commonwealth", "inf", country="united_kingdom"))
    wrong = Place("commonwealth", "inf", "E2302", 1, "united_kingdom")
    assert t.refused(wrong, "18.12a")
    t.do(Place("commonwealth", "inf", "W3217", 1, "united_kingdom"))


@pytest.mark.rule("gw75:18.12b", "gw75:18.78", "gw75:18.41a")
def test_nothing_appears_on_captured_hexes() -> None:
    held = {"W3019": "germany", "W3120": "commonwealth"}
    t = due(
        job("germany", "inf"),
        held=held,
        units={"W3019": {"germany": "inf"}, "W3120": {"commonwealth": "inf"}},
    )
    assert t.refused(Place("germany", "inf", "W3019"), "18.12a")
    assert t.refused(Place("germany", "inf", "W3120"), "18.12a")


@pytest.mark.rule("gw75:18.12c")
def test_an_enemy_zone_bars_a_hex_unless_a_friendly_land_unit_is_there() -> None:
    enemy, held = {"W3020": {"france": "inf"}}, {"W3020": "france"}
    mech = reinforcement.Job("germany", "mech", 5)

    def refusal(units: dict[str, Any]) -> tuple[str, str]:
        s = state("reinforcement", 5, units=units, wars=WAR, held=held)
        return reinforcement.refusal(s, mech, "W3120", 1)

    assert refusal(enemy)[1] == "18.12c"
    assert refusal({**enemy, "W3120": {"germany": "2 fort"}}) == ("", "")
    assert refusal({"W3220": {"france": "surf_b"}}) == ("", ""), "ships control no land"
    t = due(job("germany", "mech"), units=enemy, held=held)
    assert t.units("W2923", "germany") == {"mech": 1}, "the only hex that is free"


@pytest.mark.rule("gw75:18.13", "gw75:17.22")
def test_stacking_limits_hold() -> None:
    full = {"W3120": {"germany": "9 inf, 9 ad"}}
    t = due(job("germany", "inf", 2), job("germany", "ad", 2), units=full)
    assert "room for 1" in t.refused(Place("germany", "inf", "W3120", 2), "18.13")
    assert "room for 1" in t.refused(Place("germany", "ad", "W3120", 2), "18.13")
    t.do(Place("germany", "inf", "W3120"), Place("germany", "ad", "W3120"))
    assert t.refused(Place("germany", "inf", "W3120"), "18.13")


@pytest.mark.rule("gw75:18.13", "gw75:18.21")
def test_what_has_no_room_is_lost_and_can_be_rebuilt() -> None:
    t = due(job("italy", "inf", 3), units={"W2921": {"italy": "9 inf"}})
    t.do(Place("italy", "inf", "W2921", 1))
    assert t.units("W2921", "italy") == {"inf": 10}
    assert t.s.dead == {("italy", "inf"): 2}
    assert t.s.phase == "production"


@pytest.mark.rule("gw75:18.14")
def test_naval_units_need_an_industrial_hex_with_a_port() -> None:
    t = due(job("germany", "ss"))
    assert t.refused(Place("germany", "ss", "W3021"), "18.14")
    assert t.refused(Place("germany", "ss", "W3220"), "18.14")
    t.do(Place("germany", "ss", "W3121"))
    t = due(job("france", "surf_b"), units={"W2920": {"germany": "inf"}}, held={"W2920": "germany"})
    assert t.s.dead == {("france", "surf_b"): 1}, "Marseille was the only one"
    assert t.events("not_placed")[0]["units"] == {"surf_b": 1}


@pytest.mark.rule("gw75:18.16", "gw75:7.36")
def test_a_fort_appears_on_any_friendly_hex_that_is_linked() -> None:
    """Overland in Germany and Italy's area, or in a port at the end of a pipeline."""
    t = due(job("germany", "fort", 2), wars=[*WAR, ("commonwealth", "italy")])
    assert t.refused(Place("germany", "fort", "W2523", 2), "18.16"), "no pipeline"
    assert t.refused(Place("germany", "fort", "W3018", 2), "18.16"), "not Friendly"
    assert t.refused(Place("germany", "fort", "W2820", 1), "7.22")
    t.do(Place("germany", "fort", "W2820", 2))
    assert t.units("W2820", "germany") == {"fort": 2}
    ships = {"W2722": {"italy": "ms"}}
    t = due(job("germany", "fort", 2), units=ships, wars=[*WAR, ("commonwealth", "italy")])
    assert t.refused(Place("germany", "fort", "W2522", 2), "18.16"), "neither port nor area"
    t.do(Place("germany", "fort", "W2523", 2))


@pytest.mark.rule("gw75:7.36")
def test_there_is_one_fort_in_a_hex() -> None:
    t = due(
        job("germany", "fort", 2),
        units={"W3020": {"germany": "2 fort"}} and {"W3020": {"germany": "2 fort"}},
    )
    assert "room for 0" in t.refused(Place("germany", "fort", "W3020", 2), "18.13")


@pytest.mark.rule("gw75:18.32b", "gw75:18.33")
def test_a_restored_carrier_comes_back_to_its_hex_or_is_lost_with_it() -> None:
    back = job("commonwealth", "surf_a", hex="W3217")
    t = due(back)
    assert t.s.stack("W3217") == {Unit("commonwealth", "surf_a"): 1}
    t = due(back, units={"W3217": {"germany": "inf"}}, held={"W3217": "germany"})
    assert t.units("W3217", "commonwealth") == {}
    assert t.s.dead == {("commonwealth", "surf_a"): 1}


@pytest.mark.rule("gw75:18.32b")
def test_a_carrier_is_lost_when_its_hex_is_captured_though_that_is_retaken() -> None:
    wars = [("japan", "usa")]
    t = table(
        "allies_land_movement",
        8,
        wars=wars,
        held={"E2610": "usa"},
        units={"E2610": {"usa": "3 inf"}},
        track=[job("japan", "surf_a", due=9, hex="E2611"), job("japan", "inf", due=9)],
    )
    t.do(move("E2610 > E2611", "3 inf", "usa"))
    assert t.s.dead == {("japan", "surf_a"): 1}
    assert [each.type for each in t.s.track] == ["inf"]


@pytest.mark.rule("gw75:18.53")
def test_ports_are_kept_in_stock_and_placed_at_any_time() -> None:
    t = due(job("germany", "port", 2))
    assert t.s.stock == {"germany": 2}
    s = t.s
    assert ports.unplaceable(s, "germany", "W3020")[1] == "18.53", "not at the sea"
    assert "not Friendly" in ports.unplaceable(s, "germany", "W3018")[0]
    assert "has a port" in ports.unplaceable(s, "germany", "W3120")[0]
    assert "ready" in ports.unplaceable(s, "italy", "W2522")[0]


@pytest.mark.rule("gw75:18.53")
def test_a_port_is_placed_at_any_time_by_right() -> None:
    units = {"W2721": {"italy": "surf_b"}, "W3118": {"commonwealth": "surf_b"}}
    t = table("axis_naval_1", 5, units=units, wars=WAR, stock={"commonwealth": 1})
    assert [request.power for request in t.game.may if request.kind == "harbours"] == [
        "commonwealth"
    ]
    t.do(ports.PlacePort("commonwealth", "W2424"), by="commonwealth")
    assert ports.friendly(t.s, "commonwealth", "W2424")
    assert not t.s.stock
    assert not [request for request in t.game.may if request.kind == "harbours"]
    assert t.request.power == "germany", "it is still the Axis that moves"


@pytest.mark.rule("gw75:18.53")
def test_nobody_is_offered_to_place_a_port_where_there_is_no_place_for_one() -> None:
    everywhere = [id for id, hex in state().facts.hexes.items() if hex.dry and hex.wet]
    units = {"W2721": {"italy": "surf_b"}, "W3118": {"commonwealth": "surf_b"}}
    t = table("axis_naval_1", 5, units=units, wars=WAR, stock={"germany": 1}, ports=everywhere)
    assert t.s.stock == {"germany": 1}
    assert not [request for request in t.game.may if request.kind == "harbours"]


@pytest.mark.rule("gw75:17.63a", "gw75:18.21")
def test_an_atomic_bomb_appears_in_a_home_industrial_hex() -> None:
    t = due(job("usa", "abomb"))
    t.do(Place("usa", "abomb", "W2602"))
    assert t.s.bombs == {"W2602": 1}


@pytest.mark.rule("gw75:19.32b")
def test_american_ships_that_are_built_in_peace_are_marked() -> None:
    t = due(job("usa", "surf_b"))
    t.do(Place("usa", "surf_b", "W2805"))
    assert list(t.s.stack("W2805")) == [Unit("usa", "surf_b", duty="new")]


@pytest.mark.rule("gw75:19.93", "gw75:19.98a")
def test_minor_nations_get_theirs_at_home() -> None:
    t = due(job("finland", "inf", 2, country="finland"))
    assert t.refused(Place("finland", "inf", "W3324", 1, "finland"), "18.12a")
    t.do(Place("finland", "inf", "W3323", 2, "finland"))


@pytest.mark.rule("gw75:18.12c", "gw75:19.93", "gw75:19.98a")
def test_zones_bar_industrial_hexes_only() -> None:
    """Soviet units before Helsinki, which has no industry, and before Ploesti."""
    units = {"W3324": {"ussr": "mech"}, "W3022": {"ussr": "mech"}}
    t = due(
        job("finland", "inf", 2, country="finland"),
        job("rumania", "inf", country="rumania"),
        units=units,
    )
    assert t.units("W2924", "rumania") == {"inf": 1}, "the only hex that is free"
    t.do(Place("finland", "inf", "W3323", 2, "finland"))


@pytest.mark.rule("gw75:18.76c", "gw75:18.14", "gw75:18.21")
def test_what_was_ordered_in_a_captured_country_is_lost_though_another_is_free() -> None:
    wars = [*WAR, ("commonwealth", "japan")]
    units = {"E2302": {"japan": "inf"}}
    jobs = (job("commonwealth", "inf", country="india"), job("commonwealth", "ms", country="india"))
    t = due(*jobs, units=units, wars=wars, held={"E2302": "japan"})
    assert t.s.phase == "production"
    assert t.s.dead == {("commonwealth", "inf"): 1, ("commonwealth", "ms"): 1}


@pytest.mark.rule("gw75:18.53")
def test_a_finished_port_is_stored_whether_it_was_on_the_track_or_due() -> None:
    t = table("reinforcement", 5, units={}, due=[job("japan", "port", due=5)], track=[])
    assert t.s.stock == {"japan": 1} and not t.s.at


@pytest.mark.rule("gw75:18.53")
def test_a_port_is_placed_in_the_turn_of_the_enemy_and_on_friendly_coasts_only() -> None:
    units = {"W3014": {"usa": "ms"}, "W3120": {"germany": "ss"}}
    t = table("axis_naval_1", 5, units=units, wars=WAR, stock={"commonwealth": 1})
    assert t.asked.startswith("germany")
    place = ports.PlacePort
    for hex in ("W3121", "W3123", "W3117", "W3018x", "W2410"):
        t.refused(place("commonwealth", hex), "18.53", by="commonwealth")
    t.refused(place("germany", "W3318"), by="germany")
    t.do(place("commonwealth", "W3318"), by="commonwealth")
    assert t.s.ports == {"W3318"} and not t.s.stock
    assert t.asked.startswith("germany")


@pytest.mark.rule("gw75:18.32b")
def test_a_restored_unit_that_is_due_comes_back_to_its_hex() -> None:
    back = job("usa", "surf_a", hex="W2805", due=5)
    t = table("reinforcement", 5, units={}, due=[back], track=[])
    assert t.units("W2805", "usa") == {"surf_a": 1}


@pytest.mark.rule("gw75:18.12c", "gw75:18.14")
def test_ships_do_not_appear_in_a_port_in_an_enemy_zone() -> None:
    units = {"W3121": {"commonwealth": "inf"}, "W3120": {}}
    held = {"W3121": "commonwealth"}
    t = due(job("germany", "ss"), units=units, held=held)
    assert ("germany", "ss") in t.s.dead
    t = due(job("germany", "ss"), units={**units, "W3120": {"germany": "inf"}}, held=held)
    assert t.units("W3120", "germany") == {"inf": 1, "ss": 1}


@pytest.mark.rule("gw75:18.21", "gw75:18.13")
def test_the_owner_chooses_which_units_appear_where_there_is_not_room_for_all() -> None:
    """In Italy's only Industrial Hex there is room for two points of seven."""
    due = [
        {"nation": "italy", "type": "inf", "due": 5, "number": 5},
        {"nation": "italy", "type": "mech", "due": 5, "number": 2},
    ]
    milan, wars = "W2921", [("commonwealth", "italy")]
    units = {milan: {"italy": "8 inf"}}
    t = table("reinforcement", 5, units=units, wars=wars, track=[], due=due)
    t.refused(Place("italy", "inf", milan, 3), "18.13")
    t.do(Place("italy", "mech", milan, 1))
    t.do(Place("italy", "inf", milan, 1))
    assert t.s.dead == {("italy", "inf"): 4, ("italy", "mech"): 1}
    units = {milan: {"italy": "3 inf"}}
    t = table("reinforcement", 5, units=units, wars=wars, track=[], due=due)
    assert t.s.phase == "production", "where there is room for all nothing is asked"
    assert t.units(milan, "italy") == {"inf": 8, "mech": 2}


@pytest.mark.rule("gw75:18.16", "gw75:18.12b")
def test_a_fort_appears_on_captured_industry_and_nothing_else_does() -> None:
    due = [{"nation": "germany", "type": type, "due": 5, "number": 2} for type in ("fort", "inf")]
    t = table(
        "reinforcement",
        5,
        units={"W3019": {"germany": "inf"}},
        held={"W3019": "germany"},
        wars=[("france", "germany")],
        track=[],
        due=due,
    )
    t.refused(Place("germany", "inf", "W3019", 2), "18.12a")
    t.do(Place("germany", "fort", "W3019", 2))
