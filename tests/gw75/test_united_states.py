"""The United States: 19.3."""

from __future__ import annotations

import pytest

from sandtable.games.gw75.facts import load_facts
from sandtable.games.gw75.model import News, State
from sandtable.games.gw75.rules import neutrals, politics, united_states
from sandtable.games.gw75.rules.rights import EnterWar, Politics, rights, use
from sandtable.games.gw75.rules.terms import at_war
from sandtable.kernel.errors import IllegalDecision
from tests.gw75.happenings import enter, happen, run, violate
from tests.gw75.table import Unit, state, table


@pytest.mark.rule("gw75:19.31")
def test_manila_is_american() -> None:
    """Example philippines."""
    assert load_facts().hexes["E2007"].nation == "usa"


@pytest.mark.rule("gw75:19.31")
def test_a_point_stays_in_manila_in_peace_time() -> None:
    s = state(units={"E2007": {"usa": "2 inf"}, "E2222": {"usa": "inf"}})
    assert politics.may_leave(s, "usa", "E2007", 1) == ""
    assert "19.31" in politics.may_leave(s, "usa", "E2007", 2)
    assert politics.may_leave(s, "usa", "E2222", 1) == ""
    violate(s, "japan", "usa", "E2007")
    assert politics.may_leave(s, "usa", "E2007", 2) == ""


@pytest.mark.rule("gw75:19.32a", "gw75:19.32b")
def test_ships_wait_for_the_war_but_new_ones_may_move() -> None:
    s = state()
    assert "19.32" in politics.frozen(s, "usa", Unit("usa", "surf_a"), "E2222")
    assert politics.frozen(s, "usa", Unit("usa", "surf_a", duty="new"), "E2629") == ""
    assert politics.frozen(s, "usa", Unit("usa", "ms"), "W2811") == ""
    assert politics.frozen(s, "usa", Unit("usa", "inf"), "W2705") == ""
    violate(s, "germany", "usa", "W2811")
    assert politics.frozen(s, "usa", Unit("usa", "surf_a"), "E2222") == ""


@pytest.mark.rule("gw75:19.33a", "gw75:19.34", "gw75:19.36")
@pytest.mark.parametrize("attacker", ["germany", "japan"])
def test_an_attack_on_the_usa_brings_it_into_the_whole_war(attacker: str) -> None:
    s = state()
    assert politics.production_mode(s, "usa") == 1
    violate(s, attacker, "usa", "E2007")
    assert at_war(s, "usa", "germany") and at_war(s, "usa", "japan")
    assert at_war(s, "commonwealth", "japan") and at_war(s, "france", "japan")
    assert not at_war(s, "usa", "italy") and not at_war(s, "ussr", "germany")
    assert not at_war(s, "china", "germany")
    assert politics.production_mode(s, "usa") == 4
    assert united_states.surprised(s)
    s.turn += 1
    assert not united_states.surprised(s)


@pytest.mark.rule("gw75:19.33a")
def test_a_belligerent_italy_is_an_enemy_too() -> None:
    s = state(wars=[("commonwealth", "germany"), ("commonwealth", "italy"), ("china", "japan")])
    violate(s, "germany", "usa", "E2007")
    assert at_war(s, "usa", "italy") and at_war(s, "italy", "japan") is False


@pytest.mark.rule("gw75:19.33b")
@pytest.mark.parametrize("victim", ["commonwealth", "low_countries", "france"])
def test_a_japanese_attack_on_its_wards_brings_it_in(victim: str) -> None:
    s = state()
    violate(s, "japan", victim, "E1705")
    assert at_war(s, "usa", "japan") and at_war(s, "usa", "germany")
    assert united_states.surprised(s)


@pytest.mark.rule("gw75:19.33b")
def test_a_japanese_attack_on_siam_does_not() -> None:
    s = state()
    violate(s, "japan", "siam", "E2104")
    assert not at_war(s, "usa", "japan") and not at_war(s, "commonwealth", "japan")


@pytest.mark.rule("gw75:19.33c", "gw75:19.36")
def test_it_enters_by_itself_in_the_first_quarter_of_1942() -> None:
    """Example us_auto_entry."""
    s = state(turn=9)
    turn = s.facts.turns[s.facts.numbers.usa_enters]
    assert (turn.year, turn.season, s.facts.numbers.usa_enters) == (1942, "winter", 10)
    happen(s, News("turn", number=9))
    assert not at_war(s, "usa", "germany")
    s.turn = 10
    happen(s, News("turn", number=10))
    assert at_war(s, "usa", "germany") and at_war(s, "usa", "japan")
    assert not united_states.surprised(s)


@pytest.mark.rule("gw75:19.33c", "gw75:19.34")
def test_a_position_without_wars_knows_of_the_automatic_entry() -> None:
    """Nine Industrial Hexes (the line to India is there) at 1, and in 1942 at 4."""
    for turn, points in ((9, 9), (10, 36)):
        t = table("production", turn, base="setup")
        assert t.s.points["usa", ""] == points
    t = table("production", 10, base="setup", wars=[("commonwealth", "germany")])
    assert not at_war(t.s, "usa", "germany")


@pytest.mark.rule("gw75:19.36")
def test_there_is_no_surprise_in_the_other_scenario() -> None:
    s = state(
        turn=13,
        options={"scenario": "watermark"},
        wars=[("commonwealth", "germany"), ("china", "japan")],
    )
    violate(s, "japan", "usa", "E2222")
    assert at_war(s, "usa", "japan") and not united_states.surprised(s)


@pytest.mark.rule("gw75:19.35")
def test_the_allies_may_not_enter_the_neutral_usa_nor_it_others() -> None:
    s = state()
    assert "19.35" in neutrals.barred(s, "commonwealth", "W2805")
    assert "19.35" in neutrals.barred(s, "usa", "W2304")
    assert neutrals.barred(s, "japan", "E2007") == ""
    violate(s, "germany", "usa", "W2811")
    assert neutrals.barred(s, "commonwealth", "W2805") == ""


def _limited(s: State) -> State:
    run(s, lambda g: use(g, "commonwealth", EnterWar("usa", "germany")))
    return s


@pytest.mark.rule("gw75:19.37a", "gw75:19.37b")
@pytest.mark.parametrize("hex", ["W2617", "W2525"])
def test_gibraltar_and_suez_give_the_right_to_a_limited_war(hex: str) -> None:
    s = state("allies_land_movement", 5)
    with pytest.raises(IllegalDecision, match="lets the USA enter"):
        Politics("commonwealth").check(s, EnterWar("usa", "germany"))
    enter(s, "germany", hex)
    assert Politics("commonwealth") in rights(s)
    _limited(s)
    assert at_war(s, "usa", "germany") and not at_war(s, "usa", "japan")
    assert not at_war(s, "commonwealth", "japan")
    assert politics.production_mode(s, "usa") == 1
    assert "19.37" in politics.frozen(s, "usa", Unit("usa", "inf"), "E2222")
    assert politics.frozen(s, "usa", Unit("usa", "surf_b"), "W2705") == ""


@pytest.mark.rule("gw75:19.37a")
def test_the_violation_of_turkey_gives_it_too() -> None:
    s = state("allies_land_movement", 5)
    violate(s, "italy", "turkey", "W2824")
    assert Politics("commonwealth") in rights(s)


@pytest.mark.rule("gw75:19.33c")
def test_a_limited_war_becomes_a_whole_one_in_1942() -> None:
    s = state("allies_land_movement", 5)
    enter(s, "germany", "W2617")
    _limited(s)
    s.turn = 10
    happen(s, News("turn", number=10))
    assert not s.limited and politics.production_mode(s, "usa") == 4


@pytest.mark.rule("gw75:19.37c")
def test_japan_in_siberia_is_a_limited_war_with_japan() -> None:
    s = state(turn=5)
    violate(s, "japan", "ussr", "E2911")
    enter(s, "japan", "E2911")
    assert at_war(s, "usa", "japan") and ("japan", "usa") in s.limited
    assert not at_war(s, "usa", "germany") and not at_war(s, "commonwealth", "japan")
    assert politics.frozen(s, "usa", Unit("usa", "surf_a"), "E2222") == ""
    assert politics.production_mode(s, "usa") == 1


@pytest.mark.rule("gw75:19.37c")
@pytest.mark.parametrize("hex", ["E2711", "E2810"])
def test_a_japanese_attack_on_soviet_ships_is_no_invasion(hex: str) -> None:
    """At sea or in Vladivostok."""
    s = state(turn=5)
    violate(s, "japan", "ussr", hex)
    assert at_war(s, "japan", "ussr") and not at_war(s, "usa", "japan")


@pytest.mark.rule("gw75:19.37d")
def test_ten_units_lost_bring_war_production() -> None:
    s = state("allies_land_movement", 5, units={"W2705": {"usa": "9 inf, ss, ms, mech"}})
    enter(s, "germany", "W2617")
    _limited(s)
    s.destroy("W2705", Unit("usa", "inf"), 9)
    s.destroy("W2705", Unit("usa", "ms"))
    happen(s)
    assert politics.production_mode(s, "usa") == 1
    s.destroy("W2705", Unit("usa", "ss"))
    happen(s)
    assert politics.production_mode(s, "usa") == 4
    assert s.limited
    for lost, mode in ((9, 1), (10, 4)):
        s = state(turn=7, counts={"lost:usa": lost})
        assert politics.production_mode(s, "usa") == mode
