"""Italy: 19.2."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.gw75.facts import load_facts
from sandtable.games.gw75.model import Job, State
from sandtable.games.gw75.rules import italy, neutrals, politics, reinforcement
from sandtable.games.gw75.rules.air import FlyTo, Raid
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.declaring import DeclareAttacks
from sandtable.games.gw75.rules.naval_combat import Engage, Stand
from sandtable.games.gw75.rules.naval_movement import Transfer
from sandtable.games.gw75.rules.naval_zones import strikers
from sandtable.games.gw75.rules.rights import EnterWar, Politics, rights, use
from sandtable.games.gw75.rules.terms import at_war, friends, holder
from sandtable.kernel.errors import IllegalDecision
from tests.gw75.happenings import enter, phase, run, told
from tests.gw75.moves import invade, move, redeploy
from tests.gw75.table import Unit, state, table

WAR = [
    ("commonwealth", "germany"),
    ("commonwealth", "italy"),
    ("france", "germany"),
    ("france", "italy"),
]


@pytest.mark.rule("gw75:19.21a", "gw75:11.3e")
def test_the_window_of_entry_is_game_turns_3_to_10() -> None:
    """Example italy_window."""
    facts = load_facts()
    first, last = facts.turns[facts.numbers.italy_from], facts.turns[facts.numbers.italy_until]
    assert (first.year, first.season) == (1940, "spring")
    assert (last.year, last.season) == (1942, "winter")


@pytest.mark.rule("gw75:19.21a")
def test_the_axis_player_brings_italy_in_when_it_wants() -> None:
    s = state("axis_land_movement", 3, units={"E2808": {"japan": "2 inf"}})
    assert rights(s) == (Politics("germany"),)
    run(s, lambda g: use(g, "germany", EnterWar("italy", "allies")))
    assert at_war(s, "italy", "commonwealth") and at_war(s, "italy", "france")
    assert friends(s, "italy", "germany")
    assert not at_war(s, "italy", "usa")
    assert rights(s) == ()


@pytest.mark.rule("gw75:19.21a", "gw75:19.21b")
@pytest.mark.parametrize(("turn", "word"), [(2, "before the second quarter"), (11, "at all")])
def test_not_before_the_second_quarter_of_1940_nor_after_winter_1942(turn: int, word: str) -> None:
    s = state("axis_land_movement", turn)
    assert Politics("germany") not in rights(s)
    with pytest.raises(IllegalDecision, match=word):
        Politics("germany").check(s, EnterWar("italy", "allies"))
    with pytest.raises(IllegalDecision, match="does not decide for Italy"):
        Politics("commonwealth").check(s, EnterWar("italy", "allies"))


@pytest.mark.rule("gw75:19.22")
def test_neutral_italy_moves_within_itself_and_others_may_not() -> None:
    s = state(turn=2)
    assert politics.frozen(s, "italy", Unit("italy", "inf"), "W2921") == ""
    assert neutrals.barred(s, "italy", "W2820") == ""
    assert neutrals.barred(s, "italy", "W2521") == ""
    assert "19.22" in neutrals.barred(s, "italy", "W2920")
    assert neutrals.barred(s, "germany", "W2921")


@pytest.mark.rule("gw75:19.23")
@pytest.mark.parametrize("type", ["surf_b", "ss", "ms", "amph"])
def test_ships_of_neutral_italy_do_not_move(type: str) -> None:
    s = state(turn=4)
    assert politics.frozen(s, "italy", Unit("italy", type), "W2721")
    s.wars |= {("commonwealth", "italy")}
    s.changed()
    assert politics.frozen(s, "italy", Unit("italy", type), "W2721") == ""


def _driven_out() -> State:
    s = state(
        "allies_land_combat",
        8,
        wars=WAR,
        units={
            "W2523": {"italy": "inf"},
            "W2921": {"italy": "2 inf"},
            "W2721": {"italy": "ss"},
            "W2922": {"italy": "inf"},
            "W2722": {"italy": "ms"},
        },
    )
    phase(s, "end of axis_land_combat")
    assert not italy.only_defends(s)
    s.destroy("W2523", Unit("italy", "inf"))
    phase(s, "end of allies_land_combat")
    return s


@pytest.mark.rule("gw75:19.24a")
def test_after_the_loss_of_africa_italians_only_defend() -> None:
    s = _driven_out()
    assert italy.only_defends(s)
    assert "19.24" in politics.may_attack(s, "italy", "france", "W2920")


@pytest.mark.rule("gw75:19.24a", "gw75:5.61a", "gw75:5.5a")
def test_after_the_loss_of_africa_italians_neither_overrun_nor_land() -> None:
    units = {
        "W2921": {"italy": "5 inf", "germany": "5 inf"},
        "W2920": {"france": "inf"},
        "W2721": {"italy": "3 inf, 3 amph"},
        "W2621": {"commonwealth": "inf"},
    }
    overrun = move("W2921 > W2920", "5 inf", italy="5 inf")
    for way in ("W2721 > W2621", "W2721 > W2720 > W2620"):
        t = table(turn=9, wars=WAR, units=units, counts={italy.DRIVEN_OUT: 9})
        assert "only defend" in t.refused(invade(way, "3 inf", "italy"), "19.24a")
        t.refused(overrun, "19.24a")
        t = table(turn=9, wars=WAR, units=units)
        t.do(invade(way, "3 inf", "italy"))
        t.do(overrun).dice(1)


@pytest.mark.rule("gw75:19.24a")
def test_after_the_loss_of_africa_italians_make_no_transit_attacks_but_counter_attack() -> None:
    units = {"W2720": {"italy": "surf_b"}, "W2719": {"commonwealth": "3 surf_b"}}
    units["W2721"] = {"italy": "surf_a"}
    for counts, attacked in (({}, True), ({"italy:driven_out": 11}, False)):
        t = table("allies_naval_2", 12, wars=WAR, units=units, counts=counts)
        assert bool(strikers(t.s, "commonwealth", "W2720", "surf_b")) == attacked
        assert bool(strikers(t.s, "commonwealth", "W2721", "ss")) == attacked
    t.do(Engage("W2720", (("W2719", "commonwealth", "surf_b", 3),)), Stand()).dice(1)
    assert t.asked == "germany naval_counter_attack"


@pytest.mark.rule("gw75:19.24a")
def test_a_german_in_africa_is_enough_to_hold_on() -> None:
    s = state("allies_land_combat", 8, wars=WAR, units={"W2523": {"italy": "inf"}})
    phase(s, "end of axis_land_combat")
    s.destroy("W2523", Unit("italy", "inf"))
    s.put("W2521", Unit("germany", "mech"))
    phase(s, "end of allies_land_combat")
    assert not italy.only_defends(s)


@pytest.mark.rule("gw75:19.24a")
def test_vichy_in_africa_does_not_hold_it_for_the_axis() -> None:
    s = state("allies_land_combat", 8, wars=WAR, units={"W2523": {"italy": "inf"}})
    phase(s, "end of axis_land_combat")
    s.destroy("W2523", Unit("italy", "inf"))
    s.joined["vichy"] = "axis"
    s.put("W2521", Unit("vichy", "inf"))
    phase(s, "end of allies_land_combat")
    assert italy.only_defends(s)


@pytest.mark.rule("gw75:19.24a")
def test_who_was_never_in_africa_is_not_driven_out() -> None:
    s = state("allies_land_combat", 8, wars=WAR, units={"W2921": {"italy": "inf"}})
    phase(s, "end of allies_land_combat")
    assert not italy.only_defends(s)


@pytest.mark.rule("gw75:19.24a")
def test_italians_come_home_within_the_next_game_turn_or_are_lost() -> None:
    s = _driven_out()
    phase(s, "end of turn_record")
    assert s.stack("W2922")
    s.turn += 1
    assert neutrals.barred(s, "italy", "W2922") == "" or not neutrals.violates(s, "italy", "W2922")
    phase(s, "end of turn_record")
    assert not s.stack("W2922")
    assert s.stack("W2921") and s.stack("W2721") and s.stack("W2722")
    s.turn += 1
    assert "19.24" in neutrals.barred(s, "italy", "W3020")
    assert neutrals.barred(s, "italy", "W2820") == ""
    assert politics.frozen(s, "italy", Unit("italy", "ss"), "W2721")


@pytest.mark.rule("gw75:19.24a", "gw75:5.4a", "gw75:5.44a")
def test_at_home_for_good_italians_do_not_leave_it_by_strategic_movement_either() -> None:
    units = {"W2921": {"italy": "3 inf"}, "W2820": {"italy": "2 inf"}, "W2722": {"italy": "5 ms"}}
    held = {"W2723": "italy"}
    wars = [*WAR, ("germany", "greece"), ("italy", "greece")]
    out = (
        redeploy("inf", "italy", land="W2921 > W3021"),
        redeploy("inf", "italy", sea="W2820 > W2721 > W2722 > W2723"),
    )
    for turn, home in ((7, False), (8, True)):
        t = table(
            "axis_strategic_movement",
            turn,
            units=units,
            held=held,
            wars=wars,
            counts={italy.DRIVEN_OUT: 6},
        )
        if home:
            for decision in out:
                t.refused(decision, "19.24a")
            t.do(redeploy("inf", "italy", land="W2921 > W2820"))
        else:
            t.do(*out)


@pytest.mark.rule("gw75:19.24a", "gw75:18.16")
def test_at_home_for_good_italians_appear_nowhere_else() -> None:
    for turn, able in ((7, True), (8, False)):
        s = state(
            "reinforcement",
            turn,
            units={"W2820": {"italy": "2 ms"}},
            held={"W3020": "italy"},
            wars=WAR,
            counts={italy.DRIVEN_OUT: 6},
        )
        fort = Job("italy", "fort", turn, 2)
        assert (reinforcement.refusal(s, fort, "W3020", 2)[1] == "") == able
        assert reinforcement.refusal(s, fort, "W2921", 2) == ("", "")


@pytest.mark.rule("gw75:19.24b", "gw75:19.24d")
def test_an_invasion_of_italy_after_that_is_its_surrender_before_any_combat() -> None:
    s = _driven_out()
    s.put("W2921", Unit("commonwealth", "inf", duty="assault"), 2)
    s.put("W2820", Unit("germany", "inf"))
    assert told(phase(s, "start of allies_land_combat"), "surrendered")
    assert "italy" in s.fallen
    assert not list(s.units_of("italy"))
    assert holder(s, "W2921") == "commonwealth" and s.captured["W2921"] == s.turn
    assert holder(s, "W2820") == "germany" and holder(s, "W2521") == "germany"
    assert [unit.duty for unit in s.stack("W2921")] == ["landed"]
    assert not any("italy" in war for war in s.wars)


@pytest.mark.rule("gw75:19.24d")
def test_who_landed_in_italy_owes_no_attack_after_its_surrender() -> None:
    s = _driven_out()
    for type in ("inf", "amph"):
        s.put("W2921", Unit("commonwealth", type, duty="assault", origin="W2617"), 2)
    phase(s, "start of allies_land_combat")
    assert {unit.type: unit.duty for unit in s.stack("W2921")} == {"inf": "landed", "amph": ""}
    s.phase = "allies_land_combat"
    DeclareAttacks("commonwealth").check(s, Done())


@pytest.mark.rule("gw75:19.24b")
def test_an_invasion_is_no_surrender_while_the_axis_is_in_africa() -> None:
    s = state("allies_land_movement", 8, wars=WAR, units={"W2523": {"italy": "inf"}})
    phase(s, "end of axis_land_combat")
    s.put("W2820", Unit("commonwealth", "inf"))
    enter(s, "commonwealth", "W2820")
    assert "italy" not in s.fallen and holder(s, "W2820") == "commonwealth"


@pytest.mark.rule("gw75:19.24b")
def test_entering_italy_overland_is_an_invasion() -> None:
    s = _driven_out()
    s.phase = "allies_land_movement"
    s.put("W2820", Unit("france", "inf"))
    enter(s, "france", "W2820")
    assert "italy" in s.fallen


@pytest.mark.rule("gw75:19.24c", "gw75:19.24d")
def test_italy_surrenders_with_the_last_german_industrial_hex() -> None:
    held = {"W3120": "commonwealth", "W3121": "commonwealth", "W3021": "commonwealth"}
    s = state(
        "allies_land_movement",
        20,
        wars=WAR,
        held=held,
        units={"W2921": {"italy": "inf"}},
    )
    phase(s, "start of allies_land_movement")
    assert "italy" not in s.fallen
    s.put("W2923", Unit("commonwealth", "inf"))
    enter(s, "commonwealth", "W2923")
    assert "italy" in s.fallen and holder(s, "W2921") == "germany"
    assert s.captured["W2921"] == 20


@pytest.mark.rule("gw75:19.24a")
def test_after_the_loss_of_africa_bombers_and_asw_units_neither_attack_nor_leave_italy() -> None:
    """They bomb nothing at once; from the end of the next Game-Turn on they stay in Italy."""
    units = {
        "W2921": {"italy": "inf, 2 lrb, ad, asw"},
        "W3021": {"germany": "lrb"},
        "W2920": {"france": "inf"},
    }
    fields: dict[str, Any] = {"wars": WAR, "units": units}
    raid = Raid("italy", "W2921", "W2920")
    flights = (
        FlyTo("italy", "lrb", "W2921", "W3021"),
        FlyTo("italy", "ad", "W2921", "W3021"),
    )
    transfer = Transfer("italy", "W2921", "W3021")
    for turns, stays in ((1, False), (2, True)):
        fields["counts"] = {italy.DRIVEN_OUT: 12 - turns}
        t = table("axis_air_movement", 12, **fields)
        assert "only defend" in t.refused(raid, "19.24a")
        t.do(Raid("germany", "W3021", "W2920"))
        for flight in flights:
            if stays:
                assert "stay in Italy" in t.refused(flight, "19.24a")
            else:
                t.do(flight)
        t = table("axis_naval_2", 12, **fields)
        if stays:
            t.refused(transfer, "19.24a")
            t.do(Transfer("italy", "W2921", "W2820"))
        else:
            t.do(transfer)


@pytest.mark.rule("gw75:19.23", "gw75:15.47")
def test_asw_units_of_neutral_italy_do_not_move() -> None:
    units = {"W2921": {"italy": "asw, lrb"}, "W3120": {"germany": "ss"}}
    t = table("axis_naval_1", 2, wars=[("commonwealth", "germany")], units=units)
    assert "neutral" in t.refused(Transfer("italy", "W2921", "W2820"), "19.23")
    t = table("axis_air_movement", 2, wars=[("commonwealth", "germany")], units=units)
    t.do(FlyTo("italy", "lrb", "W2921", "W2820"))  # air forces may (19.22)
