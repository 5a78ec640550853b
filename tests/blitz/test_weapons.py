"""New weapons development (7.3, C.6, D.7)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.facts import load_facts
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.weapons import Develop
from sandtable.kernel.decisions import Pass
from tests.blitz.table import Play, position


def weapons(scenario: str = "campaign", turn: int = 3, **given: Any) -> Play:
    return Play(scenario, phase="turn_end", step="weapons", turn=turn, **given)


def rest(play: Play) -> State:
    """Let all others add nothing; the state then."""
    while play.state.step == "weapons":
        play.do(play.game.pending[0].power, Pass())
    return play.state


@pytest.mark.rule("blitz:7.3a")
@pytest.mark.rule("blitz:1.9a")
def test_powers_add_what_their_charts_allow_all_at_once() -> None:
    play = weapons(base="setup")
    powers = ["germany", "japan", "afa", "usa", "ussr"]
    assert [request.power for request in play.game.pending] == powers
    adds = {power: load_facts().weapons[power].adds for power in powers}
    assert adds == {"germany": 2, "japan": 2, "afa": 2, "usa": 3, "ussr": 2}
    group = play.state.groups["germany"][0]
    assert play.refused("germany", Develop(group[:3])) == "7.3a"
    assert play.refused("germany", Develop(("usa_5th_army",))) == "7.3a"
    assert play.refused("germany", Develop(("nonsense", "nonsense"))) == "7.3a"
    assert play.refused("germany", Develop()) == "7.3a"  # to add nothing is to pass
    play.do("germany", Develop(group[:2]))
    # Nothing is to be seen until all have chosen.
    assert group[0] not in play.state.pool["germany"]
    state = rest(play)
    assert set(group[:2]) <= set(state.pool["germany"])
    assert state.groups["germany"][0] == group[2:]
    assert [e["unit"] for e in play.events("developed")] == list(group[:2])


@pytest.mark.rule("blitz:7.3b")
def test_the_next_group_opens_when_the_current_one_is_used_up() -> None:
    groups = [["ger_army_group_south"], ["ger_6th_army", "ger_ju_88s"]]
    play = weapons(groups={"germany": groups})
    assert play.refused("germany", Develop(("ger_6th_army",))) == "7.3b"
    play.do("germany", Develop(("ger_army_group_south", "ger_ju_88s")))
    state = rest(play)
    assert state.groups["germany"] == ((), ("ger_6th_army",))


@pytest.mark.rule("blitz:7.3c")
def test_japan_and_the_ussr_add_one_from_group_4_on() -> None:
    groups = [[], [], [], ["sov_steppe_front", "sov_naval_infantry"]]
    play = weapons(groups={"ussr": groups, "germany": [[], [], [], ["ger_v_1", "ger_v_2"]]})
    assert play.refused("ussr", Develop(("sov_steppe_front", "sov_naval_infantry"))) in (
        "7.3a",
        "7.3c",
    )
    play.do("ussr", Develop(("sov_steppe_front",)))
    play.do("germany", Develop(("ger_v_1", "ger_v_2")))
    assert "sov_steppe_front" in rest(play).pool["ussr"]


@pytest.mark.rule("blitz:7.3c")
@pytest.mark.rule("blitz:7.3g")
def test_ex_7_3() -> None:
    groups = [[], [], ["sov_polish_air_force"], ["sov_steppe_front", "sov_naval_infantry"]]
    play = weapons(turn=8, groups={"ussr": groups})
    both = Develop(("sov_polish_air_force", "sov_steppe_front"))
    assert play.refused("ussr", both) == "7.3c"
    play.do("ussr", Develop(("sov_polish_air_force",)))
    state = rest(play)
    assert "sov_polish_air_force" in state.pool["afa"]
    assert "sov_polish_air_force" not in state.pool["ussr"]
    assert play.events("developed") == [
        {"power": "ussr", "unit": "sov_polish_air_force", "owner": "afa"}
    ]


@pytest.mark.rule("blitz:7.3e")
def test_counters_of_lost_countries_may_be_removed_without_using_the_allowance() -> None:
    groups = [["afa_1st_army_group.big", "afa_raaf", "afa_1st_airborne", "afa_chindits"]]
    play = weapons(conquered={"france": "axis"}, groups={"afa": groups})
    assert play.refused("afa", Develop((), ("afa_raaf",))) == "7.3e"
    play.do("afa", Develop(("afa_raaf", "afa_chindits"), ("afa_1st_army_group.big",)))
    state = rest(play)
    assert "afa_1st_army_group.big" in state.removed
    assert state.groups["afa"] == (("afa_1st_airborne",),)


@pytest.mark.rule("blitz:7.3e")
@pytest.mark.rule("blitz:7.3f")
@pytest.mark.parametrize(
    "given",
    [
        {"conquered": {"poland": "axis"}},
        {"allied": {"poland": ""}},
        {"allied": {"poland": "germany"}},
    ],
)
def test_an_added_counter_of_no_friendly_country_is_set_aside(given: dict[str, Any]) -> None:
    play = weapons(groups={"ussr": [["sov_polish_air_force"]]}, **given)
    play.do("ussr", Develop(("sov_polish_air_force",)))
    state = rest(play)
    assert state.aside == {"sov_polish_air_force": "poland"}
    assert "sov_polish_air_force" not in (*state.pool["ussr"], *state.pool["afa"])


@pytest.mark.rule("blitz:7.3f")
def test_a_counter_set_aside_enters_the_pool_with_the_alliance() -> None:
    from sandtable.games.blitz.rules import alignment

    play = weapons(groups={"ussr": [["sov_polish_air_force"]]}, allied={"poland": ""})
    play.do("ussr", Develop(("sov_polish_air_force",)))
    state = rest(play)
    alignment._call_up(state, "poland", "ussr")
    assert "sov_polish_air_force" in state.pool["ussr"] and not state.aside


@pytest.mark.rule("blitz:7.8.abomb-b")
@pytest.mark.rule("blitz:E.5b")
def test_a_selected_bomb_goes_to_box_5_and_not_to_the_pool() -> None:
    play = weapons(groups={"usa": [["usa_a_bomb_usa"]]}, pool={"usa": []})
    play.do("usa", Develop(("usa_a_bomb_usa",)))
    state = rest(play)
    assert state.bombs == {"usa": 5}
    assert "usa_a_bomb_usa" not in state.pool["usa"]


@pytest.mark.rule("blitz:C.6a")
def test_scenario_c_adds_one_of_the_choice_of_each() -> None:
    play = weapons("C")
    group = play.state.groups["germany"][0]
    assert play.refused("germany", Develop(group[:2])) == "7.3a"
    play.do("germany", Develop(group[-1:]))
    # The Western Allies have no Oil yet, so they cannot take two; a USA unit is as good as another.
    assert play.refused("western_allies", Develop(("usa_12th_fleet", "usa_8th_fleet"))) == "7.3a"
    play.do("western_allies", Develop(("usa_12th_fleet",)))
    assert "usa_12th_fleet" in play.state.pool["western_allies"]
    assert group[-1] in play.state.pool["germany"]


@pytest.mark.rule("blitz:C.6b")
def test_twice_in_scenario_c_an_oil_buys_the_western_allies_a_second_unit() -> None:
    two = Develop(("usa_12th_fleet", "usa_8th_fleet"))
    play = weapons("C", oil={"western_allies": 1})
    play.do("germany", Pass()).do("western_allies", two)
    assert play.state.oil["western_allies"] == 0
    assert {"usa_12th_fleet", "usa_8th_fleet"} <= set(play.state.pool["western_allies"])
    once = weapons("C", oil={"western_allies": 1}, flags=["double_pick:1"])
    once.do("western_allies", two)
    never = weapons("C", oil={"western_allies": 1}, flags=["double_pick:1", "double_pick:2"])
    assert never.refused("western_allies", two) == "7.3a"


@pytest.mark.rule("blitz:C.6b")
def test_one_unit_in_scenario_c_costs_no_oil() -> None:
    play = weapons("C", oil={"western_allies": 1})
    play.do("germany", Pass()).do("western_allies", Develop(("usa_12th_fleet",)))
    assert play.state.oil["western_allies"] == 1
    assert not any(flag.startswith("double_pick") for flag in play.state.flags)


@pytest.mark.rule("blitz:C.8b")
def test_italian_units_selected_after_italys_fall_are_out_of_the_game() -> None:
    play = weapons("C", turn=8, flags=["italy_out"])
    play.do("germany", Develop(("ger_regia_marina.big",)))
    state = rest(play)
    assert "ger_regia_marina.big" in state.removed
    assert "ger_regia_marina.big" not in state.pool["germany"]


ITALIAN, ITALIAN_BIG = "ger_regia_marina", "ger_regia_marina.big"


@pytest.mark.rule("blitz:3.4.conq-f")
@pytest.mark.rule("blitz:7.3f")
@pytest.mark.parametrize("scenario", ["F", "campaign"])
def test_italian_units_selected_while_italy_is_conquered_wait_for_its_liberation(
    scenario: str,
) -> None:
    play = weapons(
        scenario,
        groups={"germany": [[ITALIAN_BIG, "ger_6th_army"]]},
        flags=["italy_fell"],
        conquered={"italy": "allies"},
        control={"rome": "usa" if scenario == "campaign" else "western_allies"},
    )
    play.do("germany", Develop((ITALIAN_BIG,)))
    state = rest(play)
    assert state.aside == {ITALIAN_BIG: "italy"}
    assert ITALIAN_BIG not in state.removed


@pytest.mark.rule("blitz:7.3f")
def test_italian_units_selected_after_italys_liberation_enter_the_force_pool() -> None:
    flags = ["italy_fell", "italy_freed"]
    play = weapons(groups={"germany": [[ITALIAN_BIG, "ger_6th_army"]]}, flags=flags)
    assert play.refused("germany", Develop((), (ITALIAN_BIG,))) == "7.3e"
    play.do("germany", Develop((ITALIAN_BIG,)))
    state = rest(play)
    assert ITALIAN_BIG in state.pool["germany"]
    assert not state.removed and not state.aside


@pytest.mark.rule("blitz:D.7a")
def test_scenario_d_uses_the_soviet_chart_and_charts_of_its_own() -> None:
    play = weapons("D", base="setup")
    facts, groups = play.state.facts, play.state.groups
    less = {"sov_polish_air_force", "sov_polish_people_s_army"}
    chart = facts.weapons["ussr"].groups
    # Less what the scenario leaves out, and what it has on the map already.
    for mine, printed in zip(groups["ussr"], chart, strict=True):
        assert set(mine) <= set(printed) - less
    assert set(chart[3]) == set(groups["ussr"][3])
    assert groups["germany"] == facts.scenarios["D"].groups["germany"]
    assert play.refused("germany", Develop(groups["germany"][1][:1])) == "7.3b"
    play.do("germany", Develop(groups["germany"][0][:2]))


@pytest.mark.rule("blitz:3.4.conq-c")
def test_a_power_that_is_out_of_the_game_develops_nothing() -> None:
    play = weapons(base="setup", conquered=JAPAN_OUT, units=NO_JAPAN)
    assert "japan" not in [request.power for request in play.game.pending]


@pytest.mark.rule("blitz:7.8.abomb-b")
@pytest.mark.rule("blitz:3.4.lib-g")
def test_the_bomb_of_a_conquered_germany_is_in_its_box_as_well() -> None:
    """It does not come back untested with the country's other counters."""
    play = weapons(
        groups={"germany": [["ger_a_bomb_germany"]]},
        conquered={"germany": "allies"},
        control={"berlin": "ussr", "western_germany": "ussr"},
    )
    play.do("germany", Develop(("ger_a_bomb_germany",)))
    state = rest(play)
    assert state.bombs == {"germany": 5}
    assert state.aside == {}


def japanese() -> list[str]:
    return [country for country, owner in position().allied.items() if owner == "japan"]


JAPAN_OUT = dict.fromkeys(japanese(), "allies")
NO_JAPAN = {id: None for id, unit in position(base="setup").units.items() if unit.power == "japan"}
