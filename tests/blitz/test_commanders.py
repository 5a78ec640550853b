"""Commanders (9.5)."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sandtable
from sandtable.games.blitz.facts import load_facts
from sandtable.games.blitz.rules.commanders import (
    Command,
    check_placement,
    locations,
    placements,
    sides_of,
)
from sandtable.games.blitz.rules.factors import air_factors, printed, strategic_factors, triangles
from sandtable.kernel.decisions import Pass
from sandtable.kernel.errors import IllegalDecision
from tests.blitz.table import Play, position

FACTS = load_facts()
ON = {"commanders": True}


def refused(s: Any, power: str, *order: str) -> str:
    with pytest.raises(IllegalDecision) as refusal:
        check_placement(s, power, *order)
    return refusal.value.rule


@pytest.mark.rule("blitz:9.5a")
def test_each_power_has_two_counters_with_two_sides() -> None:
    for power in ("germany", "japan", "afa", "usa", "ussr"):
        own = [c for c in FACTS.commanders.values() if c.power == power]
        assert sorted(c.counter for c in own) == [1, 1, 2, 2]
    s = position("campaign", ON, commanders={"manstein": ("berlin", "")})
    assert sides_of(s, "manstein") == ["manstein", "rommel"]
    assert refused(s, "germany", "rommel", "berlin") == "9.5a"
    assert refused(s, "germany", "zhukov", "berlin") == "9.5a"
    with pytest.raises(sandtable.PositionError, match="two sides of one counter"):
        position("campaign", ON, commanders={"manstein": ("berlin", ""), "rommel": ("berlin", "")})


@pytest.mark.rule("blitz:9.5b")
def test_a_commander_is_placed_at_home_by_a_power_at_war() -> None:
    units = {"ger_18th_army": "berlin", "ger_luftwaffe": "berlin", "ger_6th_army": "poland"}
    s = position("campaign", ON, units=units, control={"poland": "germany"})
    check_placement(s, "germany", "manstein", "berlin")
    check_placement(s, "germany", "manstein", "rome")
    check_placement(s, "germany", "manstein", "berlin", "ger_18th_army")
    check_placement(s, "germany", "kesselring", "berlin", "ger_luftwaffe")
    assert refused(s, "germany", "manstein", "poland") == "9.5b"
    assert refused(s, "germany", "manstein", "berlin", "ger_6th_army") == "9.5d"
    assert refused(s, "germany", "manstein", "berlin", "ger_luftwaffe") == "9.5d"
    assert refused(s, "usa", "patton", "west_coast") == "9.5b", "at peace"
    assert refused(position(), "germany", "manstein", "berlin") == "9.5b", "no option"
    found = list(placements(s, "germany"))
    assert Command("rommel", "berlin", "ger_18th_army") in found
    for each in found:
        check_placement(s, "germany", each.commander, each.at, each.unit)


@pytest.mark.rule("blitz:9.5b")
def test_a_lost_home_takes_no_commander() -> None:
    s = position("campaign", ON, control={"berlin": "ussr"})
    assert refused(s, "germany", "manstein", "berlin") == "9.5b"


CUT_OFF = {
    "phase": "axis_activities",
    "step": "commanders",
    "wars": [["germany", "afa"], ["germany", "ussr"]],
    "control": {"moscow": "germany", "poland": "germany"},
    "units": {
        "ger_18th_army": {"at": "moscow"},
        "ger_6th_army": {"at": "poland"},
        "ger_luftwaffe": {"at": "berlin"},
    },
}


@pytest.mark.rule("blitz:9.5c")
def test_out_of_supply_he_returns() -> None:
    play = Play("campaign", ON, commanders={"manstein": ("moscow", "ger_18th_army")}, **CUT_OFF)
    assert play.state.commanders == {}
    assert play.events("commander_returned")


@pytest.mark.rule("blitz:9.5c")
@pytest.mark.rule("blitz:9.5d")
def test_in_supply_he_may_turn_over_and_go_anywhere() -> None:
    play = Play("campaign", ON, commanders={"manstein": ("berlin", "")}, **CUT_OFF)
    assert play.request_of("germany").kind == "order_commander"
    assert play.refused("germany", Command("rommel", "moscow", "ger_18th_army")) == "9.5c"
    assert play.refused("germany", Command("kesselring", "berlin")) == "9.5a"
    assert play.refused("germany", Command("rommel", "berlin", "ger_luftwaffe")) == "9.5d"
    assert play.refused("germany", Command("rommel", "poland", "ger_18th_army")) == "9.5d"
    assert play.refused("germany", Command("rommel", "nowhere", "nobody")) == "9.5c"
    play.do("germany", Command("rommel", "poland", "ger_6th_army"))
    assert play.state.commanders == {"rommel": ("poland", "ger_6th_army")}
    stays = Play("campaign", ON, commanders={"manstein": ("berlin", "")}, **CUT_OFF)
    stays.do("germany", Pass())
    assert stays.state.commanders == {"manstein": ("berlin", "")}


@pytest.mark.rule("blitz:9.5c")
def test_he_is_asked_at_the_start_of_activities_and_of_blitzes() -> None:
    for phase in ("axis_activities", "axis_blitzes"):
        given = {**CUT_OFF, "phase": phase}
        play = Play("campaign", ON, commanders={"manstein": ("berlin", "")}, **given)
        assert play.request_of("germany").kind == "order_commander"
    allied = {**CUT_OFF, "phase": "allied_activities"}
    play = Play("campaign", ON, commanders={"manstein": ("berlin", "")}, **allied)
    assert all(request.kind != "order_commander" for request in play.game.pending)


@pytest.mark.rule("blitz:9.5d")
def test_a_unit_has_one_commander_of_its_own_kind() -> None:
    led = {"manstein": ("poland", "ger_6th_army"), "kesselring": ("berlin", "ger_luftwaffe")}
    play = Play("campaign", ON, commanders=led, **CUT_OFF)
    play.do("germany", Command("kesselring", "berlin", "ger_luftwaffe"))
    assert play.refused("germany", Command("rommel", "berlin", "ger_luftwaffe")) == "9.5d"
    with pytest.raises(sandtable.PositionError, match="cannot command"):
        position(
            "campaign",
            ON,
            units={"ger_luftwaffe": "berlin"},
            commanders={"manstein": ("berlin", "ger_luftwaffe")},
        )


def test_at_sea_he_needs_a_ship() -> None:
    given = {**CUT_OFF, "units": {"ger_high_seas_fleet": {"at": "north_sea", "size": 2}}}
    play = Play("campaign", ON, commanders={"donitz": ("berlin", "")}, **given)
    assert "north_sea" in locations(play.state, "germany")
    assert play.refused("germany", Command("donitz", "north_sea")) == "9.5d"
    play.do("germany", Command("donitz", "north_sea", "ger_high_seas_fleet"))
    assert play.state.commanders["donitz"] == ("north_sea", "ger_high_seas_fleet")


@pytest.mark.rule("blitz:9.5i")
def test_he_returns_when_his_unit_is_destroyed_or_his_area_lost() -> None:
    from sandtable.games.blitz.rules.counters import destroy

    class Silent:
        def __init__(self, state: Any) -> None:
            self.state = state

        def emit(self, kind: str, **data: Any) -> None:
            pass

    s = position(
        "campaign",
        ON,
        units={"ger_18th_army": "berlin"},
        commanders={"manstein": ("berlin", "ger_18th_army"), "donitz": ("rome", "")},
    )
    destroy(Silent(s), "ger_18th_army", "ussr")  # type: ignore[arg-type]
    assert s.commanders == {"donitz": ("rome", "")}


@pytest.mark.rule("blitz:9.5i")
def test_he_returns_when_the_enemy_takes_his_area() -> None:
    play = Play(
        "campaign",
        ON,
        phase="allied_activities",
        step="E",
        units={"afa_2nd_army": "paris"},
        commanders={"manstein": ("western_germany", ""), "donitz": ("berlin", "")},
    )
    from sandtable.games.blitz.rules.consequences import take_control

    class Quiet:
        state = play.state

        def emit(self, kind: str, **data: Any) -> None:
            pass

    for _ in take_control(Quiet(), "western_germany", "afa"):  # type: ignore[arg-type]
        raise AssertionError("nothing is asked")
    assert play.state.commanders == {"donitz": ("berlin", "")}


def test_ex_9_5_manstein() -> None:
    """In a Ground Attack his red triangles do not count: the 1st Para keeps its white one."""
    s = position(
        "campaign",
        ON,
        units={"ger_1st_para": "berlin"},
        commanders={"manstein": ("berlin", "ger_1st_para")},
    )
    white, red = triangles(s, "ger_1st_para", "land", attacking=True)
    assert (white, red) == (1, 0)


def test_ex_9_5_novikov() -> None:
    s = position(
        "campaign",
        ON,
        units={"sov_lra": {"at": "moscow", "size": 2}},
        commanders={"novikov": ("moscow", "sov_lra")},
    )
    assert air_factors(s, "sov_lra") == 4
    assert printed(s, "sov_lra", "land") == 2
    assert printed(s, "sov_lra", "strategic") == 4
    assert strategic_factors(s, "sov_lra") == 5
    white, red = triangles(s, "sov_lra", "air")
    assert white == red


@pytest.mark.parametrize("seed", [1, 2])
def test_random_play_with_commanders_is_sound(seed: int) -> None:
    options = {"scenario": "campaign", "commanders": True}
    game = sandtable.new("blitz", options=options, seed=seed)
    rng = random.Random(seed)
    for _ in range(200):
        request = game.pending[0]
        game.submit(request.power, game.legal(request).sample(rng))
        assert game.rules.audit(game.state) == []
