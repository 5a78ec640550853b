"""What is based in a hex that Enemy land units enter, and its industry: 8.64, 8.65, 18.4."""

from __future__ import annotations

import pytest

from sandtable.games.gw75.rules import occupation
from sandtable.games.gw75.rules.terms import holder
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.kits import Choose
from tests.gw75.happenings import enter, told
from tests.gw75.moves import move
from tests.gw75.table import Unit, state, table


@pytest.mark.rule("gw75:8.65")
def test_air_and_asw_units_are_destroyed() -> None:
    s = state(units={"W3019": {"france": "ad, lrb"}, "W2920": {"france": "asw"}})
    enter(s, "germany", "W3019")
    enter(s, "germany", "W2920")
    assert not s.stack("W3019") and not s.stack("W2920")


@pytest.mark.rule("gw75:8.64")
def test_ships_put_out_to_a_hex_of_their_owners_choice() -> None:
    s = state(units={"W3018": {"france": "surf_b, ms", "usa": "ms"}})
    options = occupation.ways_out(s, "france", "W3018", "surf_b")
    assert len(options) > 1
    events = enter(s, "germany", "W3018", [Choose(options[1])])
    assert told(events, "put_to_sea")[0]["path"] == ("W3018", options[1])
    assert s.stack(options[1]) == {Unit("france", "ms"): 1, Unit("france", "surf_b"): 1}
    assert s.stack("W3018") == {Unit("usa", "ms"): 1}
    request = occupation.PutToSea("commonwealth", "france", "W3018", options)
    with pytest.raises(IllegalDecision, match="cannot put out to"):
        request.check(s, Choose("W3219"))


@pytest.mark.rule("gw75:8.64")
def test_ships_that_cannot_put_out_are_lost() -> None:
    s = state(
        turn=9,
        wars=[("germany", "ussr")],
        units={"W3324": {"ussr": "ss"}, "W3323": {"finland": "inf"}, "W3223": {"germany": "inf"}},
    )
    ways = occupation.ways_out(s, "ussr", "W3324", "ss")
    for hex in ways:
        s.put(hex, Unit("germany", "inf"))
    events = enter(s, "germany", "W3324")
    assert told(events, "ships_trapped") and not s.stack("W3324")


@pytest.mark.rule("gw75:8.64", "gw75:19.75a")
def test_ships_do_not_put_out_to_where_those_are_who_are_drawn_into_the_same_war() -> None:
    riga, danzig = "W3222", "W3122"
    t = table(
        turn=8,
        wars=[("commonwealth", "germany"), ("commonwealth", "italy")],
        units={
            "W3123": {"germany": "4 inf"},
            danzig: {"italy": "inf"},
            riga: {"ussr": "amph"},
        },
        held={"W3123": "germany", danzig: "germany"},
    )
    assert danzig in t.s.facts.sea[riga]
    t.do(move(f"W3123 > {riga}", "4 inf"))
    assert t.asked == "commonwealth put_to_sea"
    assert danzig not in t.request.options


@pytest.mark.rule("gw75:8.64", "gw75:12.12a", "gw75:14.11")
def test_surface_ships_do_not_put_out_among_enemy_fleets_but_submarines_do() -> None:
    units = {"W3018": {"france": "surf_b, ss, ms"}}
    fleets = occupation.ways_out(state(units=units), "france", "W3018", "ss")
    foes = {hex: {"germany": "surf_b" if hex != "W3118" else "asw"} for hex in fleets[1:]}
    s = state(units=units | foes, held={"W3118": "germany"})
    events = enter(s, "germany", "W3018", [Choose(fleets[1])])
    assert s.stack(fleets[0]) == {Unit("france", "ms"): 1, Unit("france", "surf_b"): 1}
    assert Unit("france", "ss") in s.stack(fleets[1])
    s = state(units=units | foes | {fleets[0]: {"germany": "surf_a"}}, held={"W3118": "germany"})
    events = enter(s, "germany", "W3018", [Choose(fleets[1])])
    assert told(events, "ships_trapped")[0]["losses"] == {"france": {"ms": 1, "surf_b": 1}}
    assert Unit("france", "ss") in s.stack(fleets[1])


@pytest.mark.rule("gw75:18.41a", "gw75:18.42")
def test_industry_is_captured_and_recaptured() -> None:
    s = state(turn=3)
    enter(s, "germany", "W3019")
    assert s.captured == {"W3019": 3}
    s.turn = 7
    enter(s, "commonwealth", "W3019")
    assert holder(s, "W3019") == "france"
    assert s.captured == {} and s.recaptured == {"W3019"}
    s.turn = 8
    enter(s, "germany", "W3019")
    assert s.captured == {"W3019": 8} and s.recaptured == frozenset()


@pytest.mark.rule("gw75:18.41a")
def test_rumanian_industry_is_germanys_own() -> None:
    s = state(turn=9, wars=[("germany", "ussr")])
    enter(s, "ussr", "W2923")
    assert s.captured == {"W2923": 9}
    enter(s, "germany", "W2923")
    assert s.captured == {} and holder(s, "W2923") == "rumania"


def test_passing_through_ones_own_hex_changes_nothing() -> None:
    s = state(units={"W3120": {"germany": "ss, ad"}})
    enter(s, "germany", "W3120")
    assert s.stack("W3120") == {Unit("germany", "ad"): 1, Unit("germany", "ss"): 1}
    assert s.captured == {}
