"""Blocking (4.3), forced passages (9.8) and units that have to return (4.1)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.rules.bases import Return, choices
from sandtable.games.blitz.rules.move_to_sea import Sail, blockade_value
from sandtable.games.blitz.rules.steps import Done
from tests.blitz.table import Play, position

FRANCE = {"paris": "germany", "belgium_netherlands": "germany", "vichy_france": "germany"}


def step_b(scenario: str = "campaign", side: str = "axis", **given: Any) -> Play:
    return Play(scenario, phase=f"{side}_activities", step="B", **given)


def breakout(**units: Any) -> Play:
    """The High Seas Fleet sails from Paris to the North Atlantic."""
    play = step_b(
        units={"ger_high_seas_fleet": {"at": "paris", "size": 4}, **units},
        control=FRANCE,
        conquered={"france": "axis"},
        turn=4,
    )
    return play.do("germany", Sail("ger_high_seas_fleet", ("western_approaches", "north_atlantic")))


@pytest.mark.rule("blitz:4.3a")
@pytest.mark.rule("blitz:4.3c")
@pytest.mark.rule("blitz:data.blockade-table")
@pytest.mark.parametrize("die", range(1, 7))
def test_ex_4_3(die: int) -> None:
    """Coastal Command's Blockade Value is 2: on 1-2 the fleet stays, on 3-6 it goes on."""
    play = breakout(afa_coastal_command="western_approaches").dice(die)
    where = "western_approaches" if die <= 2 else "north_atlantic"
    assert play.state.units["ger_high_seas_fleet"].at == where
    assert play.events("blockaded")[0] == {
        "unit": "ger_high_seas_fleet",
        "space": "western_approaches",
        "value": 2,
        "lines": (("germany", "ger_high_seas_fleet", 1, 2, 6),),
        "dice": (die,),
        "passed": die > 2,
    }


@pytest.mark.rule("blitz:4.3b")
def test_entering_is_free_and_an_empty_sea_does_not_block() -> None:
    play = breakout(afa_home_fleet={"at": "north_atlantic", "size": 4})
    assert play.state.units["ger_high_seas_fleet"].at == "north_atlantic"
    assert not play.events("blockaded")


@pytest.mark.rule("blitz:4.3c")
def test_every_sea_that_is_left_asks_for_a_die() -> None:
    """A submarine is never blocked, a surface ship is in each sea, for each ship anew."""
    play = step_b(
        units={
            "ger_bb_fleet": "western_germany",
            "ger_high_seas_fleet": "western_germany",
            "afa_coastal_command": "north_sea",
        },
        turn=4,
    )
    play.do("germany", Sail("ger_bb_fleet", ("north_sea", "north_atlantic"))).dice(6)
    play.do("germany", Sail("ger_high_seas_fleet", ("north_sea", "arctic_ocean"))).dice(2)
    assert play.state.units["ger_bb_fleet"].at == "north_atlantic"
    assert play.state.units["ger_high_seas_fleet"].at == "north_sea"


@pytest.mark.rule("blitz:4.3c")
def test_a_ship_that_goes_on_into_a_port_leaves_a_sea_too() -> None:
    play = step_b(
        units={"ger_bb_fleet": "western_germany", "afa_coastal_command": "north_sea"},
        control={"norway": "germany"},
        turn=4,
    )
    play.do("germany", Sail("ger_bb_fleet", ("north_sea", "norway"), "north_sea")).dice(1)
    assert play.state.units["ger_bb_fleet"].at == "north_sea"


@pytest.mark.rule("blitz:4.3b")
@pytest.mark.rule("blitz:C.3b")
def test_submarines_are_never_blocked() -> None:
    play = step_b(
        "C",
        units={
            "ger_u_boat_i": "western_germany",
            "afa_home_fleet": {"at": "north_sea", "size": 4},
            "afa_coastal_command": {"at": "north_sea", "size": 2},
        },
    )
    play.do("germany", Sail("ger_u_boat_i", ("north_sea", "north_atlantic")))
    assert play.state.units["ger_u_boat_i"].at == "north_atlantic"


@pytest.mark.rule("blitz:C.3a")
@pytest.mark.rule("blitz:4.3a")
def test_values_of_enemy_ships_and_air_units_add_up() -> None:
    s = position(
        "C",
        units={
            "ger_bb_fleet": "north_sea",
            "ger_high_seas_fleet": {"at": "north_sea", "size": 4},
            "afa_home_fleet": {"at": "north_sea", "size": 4},
            "afa_north_sea_fleet": {"at": "north_sea", "size": 2},
            "afa_coastal_command": {"at": "north_sea", "size": 1},
            "afa_bomber_command": {"at": "north_sea", "size": 2},
            "afa_europe_trs": {"at": "north_sea", "size": 2},
        },
    )
    # A Big BB 2, a Small one 1, Naval air 2, other air 1, and transports nothing.
    assert blockade_value(s, "ger_bb_fleet", "north_sea") == 2 + 1 + 2 + 1 + 0


@pytest.mark.rule("blitz:data.blockade-table")
def test_the_blockade_table() -> None:
    """Small and Big; a convoy is in the table too."""
    table = position().facts.blockade
    assert table["air_naval"] == (2, 3)
    assert set(table) == {
        "air_naval", "air_other", "BB", "CV", "SUB", "TRS", "LL", "convoy",
    }  # fmt: skip
    s = position(units={"ger_bb_fleet": "north_atlantic"}, turn=4)
    assert blockade_value(s, "ger_bb_fleet", "north_atlantic") == table["convoy"][0]
    for size, value in ((2, table["BB"][0]), (3, table["BB"][1])):
        s = position(
            units={
                "ger_bb_fleet": "south_atlantic",
                "afa_home_fleet": {"at": "south_atlantic", "size": size},
            },
            turn=4,
        )
        assert blockade_value(s, "ger_bb_fleet", "south_atlantic") == value
    assert table["BB"][0] < table["BB"][1]
    sunk = position(
        units={"ger_bb_fleet": "north_atlantic"}, turn=4, convoy_damage={"north_atlantic": 2}
    )
    assert blockade_value(sunk, "ger_bb_fleet", "north_atlantic") == 0


@pytest.mark.rule("blitz:4.3a")
def test_only_enemies_at_war_block() -> None:
    units = {
        "jap_combined_fleet": "central_pacific",
        "usa_pacific_fleet": {"at": "central_pacific", "size": 4},
    }
    peace = position(units=units)
    assert blockade_value(peace, "jap_combined_fleet", "central_pacific") == 0
    war = position(units=units, wars=[("germany", "afa"), ("japan", "usa")])
    assert blockade_value(war, "jap_combined_fleet", "central_pacific") == 3


def test_nothing_is_blocked_before_scenario_c() -> None:
    play = step_b(
        "B",
        units={
            "ger_bb_fleet": "western_germany",
            "afa_home_fleet": {"at": "north_sea", "size": 4},
        },
    )
    play.do("germany", Sail("ger_bb_fleet", ("north_sea", "western_approaches")))
    assert play.state.units["ger_bb_fleet"].at == "western_approaches"


# --- forced passage -------------------------------------------------------------------------------

FORCED = {"forced_passage": True}
OUT = ("mediterranean_sea", "western_approaches")


def force(die: int, **fleet: Any) -> Play:
    """The Regia Marina runs the Straits of Gibraltar."""
    play = step_b(options=FORCED, units={"ger_regia_marina": {"at": "rome", **fleet}})
    return play.do("germany", Sail("ger_regia_marina", OUT)).dice(die)


def of_chart(*letters: str) -> int:
    """The highest die whose result against 7 Factors has one of the letters ("": none)."""
    row = position().facts.chart[7]
    return max(die for die in range(1, 7) if row[die].strip("-0123456789") in letters)


@pytest.mark.rule("blitz:9.8a")
def test_a_closed_passage_may_be_forced_under_fire() -> None:
    closed = step_b(units={"ger_regia_marina": "rome"})
    assert closed.refused("germany", Sail("ger_regia_marina", OUT)) == "4.2f"
    die = of_chart("", "S")
    play = force(die, size=4)
    fleet, fire = play.state.units["ger_regia_marina"], play.events("forced")[0]
    points = int(play.state.facts.chart[7][die].strip("SLB-") or 0)
    assert (fleet.at, fleet.size) == ("western_approaches", 4 - points)
    assert (fire["dice"], fire["damage"]) == ((die,), points)
    assert points > 0


@pytest.mark.rule("blitz:9.8b")
def test_an_l_throws_the_ship_back_to_where_it_began() -> None:
    die = of_chart("L")
    play = force(die, size=4)
    fleet = play.state.units["ger_regia_marina"]
    assert (fleet.at, fleet.port) == ("rome", "mediterranean_sea")
    assert fleet.size == 4 - play.events("forced")[0]["damage"]
    assert play.state.step != "B" or play.refused("germany", Sail("ger_regia_marina", OUT[:1]))


@pytest.mark.rule("blitz:9.8c")
def test_suez_stays_closed() -> None:
    play = step_b(options=FORCED, units={"ger_regia_marina": "rome"})
    east = Sail("ger_regia_marina", ("mediterranean_sea", "arabian_sea"))
    assert play.refused("germany", east) == "9.8c"


@pytest.mark.rule("blitz:9.8a")
def test_the_fire_meets_a_ship_that_returns_too() -> None:
    given: dict[str, Any] = {
        "phase": "axis_activities",
        "step": "A",
        "units": {"ger_regia_marina": {"at": "western_approaches", "size": 4}},
    }
    home = Return("ger_regia_marina", "rome", "mediterranean_sea")
    assert Play(**given).refused("germany", home) == "4.1e"
    play = Play(options=FORCED, **given).do("germany", home).dice(of_chart("", "S"))
    assert play.state.units["ger_regia_marina"].at == "rome"
    # A port that needs no force takes none.
    free = Play(options=FORCED, **given)
    free.do("germany", Return("ger_regia_marina", "western_germany", "north_sea"))
    assert free.state.units["ger_regia_marina"].at == "western_germany"
    # Thrown back, it stays in the sea where it was.
    back = Play(options=FORCED, **given).do("germany", home).dice(of_chart("L"))
    assert back.state.units["ger_regia_marina"].at == "western_approaches"
    assert all(request.kind != "return_to_base" for request in back.game.pending)


@pytest.mark.rule("blitz:9.8a")
def test_the_baltic_fleet_could_force_its_way() -> None:
    given: dict[str, Any] = {
        "units": {"sov_baltic_sea_fleet": "baltic_sea"},
        "wars": [("germany", "afa"), ("germany", "ussr")],
        "control": {"poland": "germany", "leningrad": "germany"},
    }
    assert not choices(position(**given), "sov_baltic_sea_fleet", "baltic_sea")
    assert choices(position(options=FORCED, **given), "sov_baltic_sea_fleet", "baltic_sea")


def test_a_ship_at_rest_is_asked_for_nothing() -> None:
    play = step_b(units={"ger_bb_fleet": "western_germany"}).do("germany", Done())
    assert play.state.units["ger_bb_fleet"].at == "western_germany"
