"""Second clauses and exceptions of rules, each by itself: what `make mutants` found untested."""

from __future__ import annotations

from typing import Any

import pytest

import sandtable
from sandtable.games.blitz.rules.before import Auction, Bid
from sandtable.games.blitz.rules.control import at_start
from sandtable.games.blitz.rules.counters import biggest, is_big
from sandtable.games.blitz.rules.factors import land_factors, printed
from sandtable.games.blitz.rules.lend_lease import Lend, LendRequest, deliveries
from sandtable.games.blitz.rules.move_to_sea import (
    Fly,
    Sail,
    blockade_value,
    check_flight,
    check_mover,
)
from sandtable.games.blitz.rules.movement import port_seas
from sandtable.games.blitz.rules.neutral_entry import only_limits_production
from sandtable.games.blitz.rules.rounds import air_fire
from sandtable.games.blitz.rules.spend import check_place
from sandtable.games.blitz.rules.stacking import must_stay
from sandtable.games.blitz.rules.victory import _mediterranean_influence, _second_front
from sandtable.games.blitz.setup import seats
from tests.blitz.table import Play, position


def rule_of(check: Any, *arguments: Any) -> str:
    """The rule by which a check refuses; "" if it does not."""
    try:
        check(*arguments)
    except sandtable.IllegalDecision as refusal:
        return refusal.rule
    return ""


# --- counters --------------------------------------------------------------------------------


@pytest.mark.rule("blitz:1.2e")
def test_a_big_counter_begins_with_size_3() -> None:
    assert [is_big(size) for size in (1, 2, 3, 4)] == [False, False, True, True]


@pytest.mark.rule("blitz:7.8.build-d")
def test_how_far_a_unit_may_be_built() -> None:
    s = position(units={"ger_6th_army": {"at": "berlin", "size": 2}}, pool={"germany": []})
    assert biggest(s, "germany", "ger_6th_army") == 2
    assert biggest(s, "germany", "ger_6th_army", ("ger_6th_army.big",)) > 2
    (small, *_) = (id for id, kind in s.facts.kinds.items() if len(kind.sizes) == 1)
    assert biggest(s, "germany", small) == 1
    (two, *_) = (id for id, kind in s.facts.kinds.items() if len(kind.sizes) == 2)
    assert biggest(s, "germany", two) == 2


# --- factors ---------------------------------------------------------------------------------


@pytest.mark.rule("blitz:6.0d")
def test_battleships_and_carriers_support_by_their_size() -> None:
    s = position(
        units={
            "ger_bb_fleet": {"at": "north_sea", "size": 2},
            "ger_high_seas_fleet": {"at": "north_sea", "size": 4},
            "ger_u_boat_i": {"at": "north_sea", "size": 1},
        }
    )
    assert {s.type(id) for id in ("ger_bb_fleet", "ger_high_seas_fleet")} <= {"BB", "CV"}
    numbers = s.facts.numbers
    assert land_factors(s, "ger_bb_fleet") == numbers.small_naval_support
    assert land_factors(s, "ger_high_seas_fleet") == numbers.big_naval_support
    assert land_factors(s, "ger_u_boat_i") == 0
    assert printed(s, "ger_bb_fleet", "strategic") == 0
    assert printed(s, "ger_bb_fleet", "naval") == s.profile("ger_bb_fleet").naval > 0


@pytest.mark.rule("blitz:6.1a")
def test_a_side_fires_in_an_air_round_if_any_of_its_units_can() -> None:
    s = position(
        units={
            "ger_luftwaffe": {"at": "berlin", "size": 2},
            "ger_6th_army": {"at": "berlin", "size": 2},
        }
    )
    assert printed(s, "ger_luftwaffe", "air") and not printed(s, "ger_6th_army", "air")
    assert air_fire(s, ["ger_luftwaffe", "ger_6th_army"], [])[0] is not None
    assert air_fire(s, ["ger_6th_army"], [])[0] is None


# --- to sea ----------------------------------------------------------------------------------


@pytest.mark.rule("blitz:4.2e", "blitz:C.2a")
def test_what_flies_to_sea() -> None:
    units = {"ger_luftwaffe": {"at": "berlin", "size": 2}, "ger_6th_army": {"at": "berlin"}}
    s = position(units=units, phase="axis_activities", step="B")
    assert rule_of(check_flight, s, Fly("ger_6th_army", "north_sea")) == "4.2e"
    assert rule_of(check_flight, s, Fly("ger_luftwaffe", "berlin")) == "4.2c"
    assert rule_of(check_flight, s, Fly("ger_luftwaffe", "coral_sea")) == "4.2e"


@pytest.mark.rule("blitz:9.8b", "blitz:4.2b")
@pytest.mark.parametrize(("done", "rule"), [("sailed", "4.2b"), ("repelled", "4.2b"), ("", "")])
def test_a_ship_moves_once_though_it_was_repelled(done: str, rule: str) -> None:
    s = position(units={"ger_bb_fleet": "western_germany"}, phase="axis_activities", step="B")
    if done:
        s.mark("ger_bb_fleet", done)
    assert rule_of(check_mover, s, "ger_bb_fleet") == rule


@pytest.mark.rule("blitz:4.3a")
def test_a_convoy_blocks_only_those_at_war_with_its_owner() -> None:
    sea = "usa_east_coast"
    s = position(units={"ger_bb_fleet": sea, "afa_home_fleet": "north_sea"})
    assert s.facts.convoys[sea].power == "usa"
    table = s.facts.blockade
    assert blockade_value(s, "ger_bb_fleet", sea) == 0  # the USA is neutral
    s = position(units={"ger_bb_fleet": sea}, wars=[["germany", "afa"], ["germany", "usa"]])
    assert blockade_value(s, "ger_bb_fleet", sea) == table["convoy"][0] > 0


@pytest.mark.rule("blitz:1.3.port-a", "blitz:4.2d")
def test_a_ship_leaves_port_to_seas_in_play_only() -> None:
    for scenario in ("B", "campaign"):
        s = position(scenario, units={"afa_home_fleet": "london"})
        unit = s.units["afa_home_fleet"]
        seas = s.facts.ports["london"][unit.port].seas
        assert port_seas(s, "afa_home_fleet") == tuple(sea for sea in seas if sea in s.in_play)


# --- on land ---------------------------------------------------------------------------------


@pytest.mark.rule("blitz:A.5b")
def test_the_garrison_of_london_is_one_land_unit_of_the_afa() -> None:
    two = {"afa_bef": "london", "afa_home_guard": "london"}
    assert must_stay(position("A", units=two), "afa_bef") is None
    one = position("A", units={"afa_bef": "london", "afa_royal_air_force": "london"})
    refusal = must_stay(one, "afa_bef")
    assert refusal is not None and refusal.rule == "A.5b"
    assert must_stay(one, "afa_royal_air_force") is None
    assert must_stay(position("A", units={"afa_bef": "paris"}), "afa_bef") is None


@pytest.mark.rule("blitz:9.2m", "blitz:8.industry-a")
def test_whose_austria_was_at_the_start() -> None:
    area = "austria_czechoslovakia"
    s = position()
    assert at_start(s, area) == "germany"
    assert at_start(s, "london") == "afa"
    s.flag("road_to_war")
    assert at_start(s, area) == ""
    assert at_start(s, "london") == "afa"
    s.flag("austria_annexed")
    assert at_start(s, area) == "germany"


# --- turn end --------------------------------------------------------------------------------


@pytest.mark.rule("blitz:7.8.build-e")
def test_nothing_is_built_for_a_conquered_country() -> None:
    s = position(control={"poland": "germany"}, conquered={"poland": "axis"})
    assert rule_of(check_place, s, "afa", "afa_polish_army", "poland", "") == "3.4.conq-e"
    assert rule_of(check_place, s, "germany", "ger_6th_army", "nowhere", "") == "7.8.build-e"
    assert rule_of(check_place, s, "germany", "ger_6th_army", "berlin", "") == ""
    assert (
        rule_of(check_place, s, "germany", "ger_6th_army", "berlin", "north_sea") == "7.8.build-e"
    )


@pytest.mark.rule("blitz:9.2i")
def test_the_marker_of_the_ussr_only_limits_production_after_the_road_to_war() -> None:
    s = position()
    assert not only_limits_production(s, "ussr")
    s.flag("road_to_war")
    assert only_limits_production(s, "ussr")
    assert not only_limits_production(s, "usa")
    s.flag("secret_soviet_pact")
    assert not only_limits_production(s, "ussr")


@pytest.mark.rule("blitz:7.4b")
def test_lend_lease_goes_to_powers_of_the_scenario_only() -> None:
    unit = {"usa_bering_sea_ll": {"at": "bering_sea", "size": 2}}
    assert deliveries(position("D", units=unit), "western_allies") == {"ussr": 2}
    assert deliveries(position("E", units={}), "western_allies") == {}


# --- before the game -------------------------------------------------------------------------


@pytest.mark.rule("blitz:9.1b")
def test_bids_go_down_to_minus_three() -> None:
    s = position()
    asked = Auction("germany", ("afa",), 1)
    assert list(asked.allowed(s)) == [0, -1, -2, -3]
    assert rule_of(asked.check, s, Bid(-3)) == ""
    assert rule_of(asked.check, s, Bid(-4)) == rule_of(asked.check, s, Bid(1)) == "9.1b"


@pytest.mark.rule("blitz:1.10a", "blitz:F.sides")
def test_a_scenario_has_seats_for_so_many() -> None:
    for players in (2, 3, 4):
        assert len(seats({"scenario": "F", "players": players})) == players
    assert len(seats({"scenario": "F", "players": None})) == 4
    with pytest.raises(sandtable.OptionError, match="seats for 2, 3, 4 players, not 5"):
        seats({"scenario": "F", "players": 5})


@pytest.mark.rule("blitz:4.2d")
def test_a_voyage_is_told_with_every_sea() -> None:
    play = Play(units={"ger_u_boat_i": "western_germany"}, phase="axis_activities", step="B")
    play.do("germany", Sail("ger_u_boat_i", ("north_sea", "western_approaches")))
    (told,) = play.events("sailed")
    assert told["path"] == ("western_germany", "north_sea", "western_approaches")


# --- lend lease and Victory Points -----------------------------------------------------------


@pytest.mark.rule("blitz:7.4d")
def test_a_recipient_gets_from_none_to_all_of_it_in_oil() -> None:
    asked, s = LendRequest("usa", {"afa": 2}, oil=3, resources=5), position()
    assert [rule_of(asked.check, s, Lend({"afa": oil})) for oil in (-1, 0, 1, 2, 3)] == [
        "7.4d",
        "",
        "",
        "",
        "7.4d",
    ]


@pytest.mark.rule("blitz:8.sample-a")
def test_a_second_front_is_one_of_land_units() -> None:
    s = position(control={"paris": "usa"})
    award = s.facts.awards["usa"]["second_front"]
    army = {"usa_1st_us_army": {"at": "paris", "size": award.size - 1}}
    wings = {"usa_8th_air_force": {"at": "paris", "size": 2}}
    for units, points in (
        ({**army, **wings}, 0),
        ({"usa_1st_us_army": {"at": "paris", "size": award.size}}, award.points),
    ):
        s = position(control={"paris": "usa"}, units=units)
        assert _second_front(s, "usa", award) == points


@pytest.mark.rule("blitz:8.sample-a")
def test_influence_in_the_mediterranean_takes_just_so_many_coasts() -> None:
    ((power, award),) = (
        (power, awards["mediterranean_influence"])
        for power, awards in position().facts.awards.items()
        if "mediterranean_influence" in awards
    )
    s = position()
    coast = [area for area in s.facts.coast[award.sea] if area in s.control]
    friend = "ussr" if power != "ussr" else "afa"
    held = dict.fromkeys(coast[: award.areas_held], friend)
    for own, points in ((award.own - 1, 0), (award.own, award.points)):
        held |= dict.fromkeys(coast[:own], power)
        rest = dict.fromkeys(coast[award.areas_held :], "germany")
        s = position(control={**held, **rest})
        assert _mediterranean_influence(s, power, award) == points
