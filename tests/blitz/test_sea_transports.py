"""Transports: what they carry, from where, and whose (4.2)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.rules.move_to_sea import Embark, Sail
from sandtable.kernel.decisions import Pass
from tests.blitz.table import Play

WAR = [("germany", "afa"), ("germany", "usa"), ("japan", "usa"), ("japan", "afa")]


def step_b(scenario: str = "campaign", side: str = "allied", **given: Any) -> Play:
    return Play(scenario, phase=f"{side}_activities", step="B", **given)


@pytest.mark.rule("blitz:B.2c")
@pytest.mark.rule("blitz:B.2d")
@pytest.mark.rule("blitz:4.2.trs-b")
def test_ex_B_2() -> None:
    """8th Army from Scotland, then Royal Marines and 2nd Army from London: 4 of 4."""
    play = step_b(
        "B",
        units={
            "afa_europe_trs": {"at": "scotland", "size": 2},
            "afa_8th_army": "scotland",
            "afa_royal_marines": "london",
            "afa_2nd_army": {"at": "london", "size": 2},
            "afa_home_guard": "london",
        },
    )
    voyage = Sail("afa_europe_trs", ("north_sea",), load=("afa_8th_army",))
    play.do("western_allies", voyage)
    more = ("afa_royal_marines", "afa_2nd_army", "afa_home_guard")
    assert play.refused("western_allies", Embark(more)) == "4.2.trs-a"
    play.do("western_allies", Embark(more[:2]))
    s = play.state
    assert s.cargo("afa_europe_trs") == ("afa_2nd_army", "afa_8th_army", "afa_royal_marines")
    assert all(s.units[each].at == "north_sea" for each in s.cargo("afa_europe_trs"))


@pytest.mark.rule("blitz:4.2.trs-a")
def test_ex_4_2_size() -> None:
    """A Size 1 TRS carries one land unit of Size 2, or two of Size 1."""
    units = {
        "afa_europe_trs": {"at": "london", "size": 1},
        "afa_2nd_army": {"at": "london", "size": 2},
        "afa_royal_marines": "london",
        "afa_home_guard": "london",
        "afa_8th_army": {"at": "london", "size": 3},
    }

    def sail(*load: str) -> Sail:
        return Sail("afa_europe_trs", ("western_approaches", "north_atlantic"), load=load)

    play = step_b(units=units)
    assert play.refused("afa", sail("afa_8th_army")) == "4.2.trs-a"
    assert play.refused("afa", sail("afa_2nd_army", "afa_home_guard")) == "4.2.trs-a"
    assert play.refused("afa", sail("afa_home_guard", "afa_home_guard")) == "4.2.trs-a"
    play.do("afa", sail("afa_2nd_army"))
    assert play.state.cargo("afa_europe_trs") == ("afa_2nd_army",)
    two = step_b(units=units)
    two.do("afa", sail("afa_royal_marines", "afa_home_guard"))
    assert len(two.state.cargo("afa_europe_trs")) == 2


@pytest.mark.rule("blitz:4.2.trs-a")
def test_units_elsewhere_are_not_carried() -> None:
    play = step_b(units={"afa_europe_trs": "scotland", "afa_2nd_army": "london"})
    voyage = Sail("afa_europe_trs", ("north_sea", "north_atlantic"), load=("afa_2nd_army",))
    assert play.refused("afa", voyage) == "4.2.trs-b"


@pytest.mark.rule("blitz:4.2.trs-b")
def test_ex_4_2_trs() -> None:
    """The Central TRS sails on into the Marshall Islands' port, or embarks the SNLF at sea."""
    units = {"jap_central_trs": "caroline_islands", "jap_snlf": "marshall_islands"}
    into = step_b(side="axis", units=units)
    into.do("japan", Sail("jap_central_trs", ("micronesia", "marshall_islands"), "micronesia"))
    assert into.state.units["jap_central_trs"].at == "marshall_islands"
    assert into.state.units["jap_snlf"].aboard == ""
    stop = step_b(side="axis", units=units)
    stop.do("japan", Sail("jap_central_trs", ("micronesia",)), Embark(("jap_snlf",)))
    marines = stop.state.units["jap_snlf"]
    assert (marines.at, marines.aboard) == ("micronesia", "jap_central_trs")
    assert "midway_islands" in stop.state.facts.coast["micronesia"]


@pytest.mark.rule("blitz:4.2.trs-b")
def test_embarking_is_offered_only_where_the_move_ends() -> None:
    """On its way through the North Sea it does not pick up the army in London."""
    play = step_b(units={"afa_europe_trs": "scotland", "afa_2nd_army": "london"})
    play.do("afa", Sail("afa_europe_trs", ("north_sea", "arctic_ocean")))
    assert play.state.step != "B" or not play.state.queue
    assert play.state.units["afa_2nd_army"].at == "london"


@pytest.mark.rule("blitz:4.2.trs-b")
def test_a_blocked_transport_may_embark_where_it_stays() -> None:
    play = step_b(
        units={
            "afa_europe_trs": {"at": "scotland", "size": 1},
            "afa_2nd_army": "london",
            "ger_bb_fleet": "north_sea",
        }
    )
    play.do("afa", Sail("afa_europe_trs", ("north_sea", "arctic_ocean")))
    play.dice(1).do("afa", Embark(("afa_2nd_army",)))
    assert play.state.units["afa_2nd_army"].aboard == "afa_europe_trs"
    assert play.state.units["afa_europe_trs"].at == "north_sea"


@pytest.mark.rule("blitz:4.2.trs-c")
@pytest.mark.rule("blitz:1.7g")
def test_a_transport_out_of_supply_carries_and_embarks_nothing() -> None:
    units = {
        "afa_europe_trs": {"at": "malta", "size": 1},
        "afa_royal_marines": "malta",
        "afa_2nd_army": "algeria",
        "afa_home_fleet": {"at": "london", "size": 1},
    }
    cut = {"ger_regia_marina": "mediterranean_sea"}
    play = step_b(units={**units, **cut}, turn=4)
    loaded = Sail("afa_europe_trs", ("mediterranean_sea",), load=("afa_royal_marines",))
    assert play.refused("afa", loaded) == "4.2.trs-c"
    play.do("afa", Sail("afa_europe_trs", ("mediterranean_sea",)))
    assert play.game.pending[0].kind == "move_to_sea"
    free = step_b(units=units, turn=4)
    free.do("afa", loaded)
    assert free.game.pending[0].kind == "embark_units"


@pytest.mark.rule("blitz:4.2.trs-d")
def test_whose_units_a_transport_carries() -> None:
    units = {
        "afa_europe_trs": {"at": "london", "size": 2},
        "usa_1st_us_army": "london",
        "afa_royal_air_force": "london",
        "afa_maginot_line": "london",
    }

    def sail(*load: str) -> Sail:
        return Sail("afa_europe_trs", ("north_sea", "arctic_ocean"), load=load)

    peace = step_b(units=units)
    assert peace.refused("afa", sail("usa_1st_us_army")) == "4.2.trs-d"
    assert peace.refused("afa", sail("afa_royal_air_force")) == "4.2.trs-d"
    assert peace.refused("afa", sail("afa_maginot_line")) == "4.2.trs-d"
    war = step_b(units=units, wars=WAR)
    war.do("afa", sail("usa_1st_us_army"))
    assert war.state.units["usa_1st_us_army"].aboard == "afa_europe_trs"


@pytest.mark.rule("blitz:4.2.trs-d")
def test_chinese_units_are_never_carried() -> None:
    play = step_b(units={"usa_pacific_trs": "manila", "usa_warlords": "manila"}, wars=WAR, turn=8)
    voyage = Sail("usa_pacific_trs", ("south_china_sea",), load=("usa_warlords",))
    assert play.refused("usa", voyage) == "4.2.trs-d"


@pytest.mark.rule("blitz:4.2.trs-d")
def test_allies_do_not_carry_each_other() -> None:
    play = step_b(
        units={"afa_europe_trs": "leningrad", "sov_cavalry": "leningrad"},
        wars=[("germany", "afa"), ("germany", "ussr")],
        turn=6,
    )
    voyage = Sail("afa_europe_trs", ("baltic_sea",), load=("sov_cavalry",))
    assert play.refused("afa", voyage) == "4.2.trs-d"


def test_of_a_power_at_war_with_nobody_only_garrisons_embark() -> None:
    play = step_b(
        units={
            "usa_atlantic_trs": {"at": "atlantic_seaboard", "size": 2},
            "usa_1st_us_army": "atlantic_seaboard",
        }
    )
    voyage = Sail("usa_atlantic_trs", ("usa_east_coast",), load=("usa_1st_us_army",))
    assert play.refused("usa", voyage) == "5.2.neutral-a"
    play.do("usa", Sail("usa_atlantic_trs", ("usa_east_coast",)))
    assert all(request.kind != "embark_units" for request in play.game.pending)


@pytest.mark.rule("blitz:4.2b")
def test_a_land_unit_is_carried_once() -> None:
    play = step_b(
        units={
            "afa_europe_trs": {"at": "london", "size": 2},
            "afa_africa_trs": {"at": "scotland", "size": 2},
            "afa_royal_marines": "london",
        }
    )
    play.do(
        "afa",
        Sail("afa_europe_trs", ("north_sea", "scotland"), "north_sea", ("afa_royal_marines",)),
    )
    assert play.state.units["afa_royal_marines"].at == "scotland"
    again = Sail("afa_africa_trs", ("north_sea",), load=("afa_royal_marines",))
    assert play.refused("afa", again) == "4.2b"
    play.do("afa", Sail("afa_africa_trs", ("north_sea",)))
    assert all(request.kind != "embark_units" for request in play.game.pending)


def test_the_listed_loads_fit() -> None:
    play = step_b(
        units={
            "afa_europe_trs": {"at": "scotland", "size": 1},
            "afa_royal_marines": "london",
            "afa_home_guard": "london",
            "afa_2nd_army": {"at": "london", "size": 2},
            "afa_8th_army": {"at": "london", "size": 3},
        }
    )
    play.do("afa", Sail("afa_europe_trs", ("north_sea",)))
    request = play.request_of("afa")
    listed = list(request.decisions(play.state))
    assert len(listed) == 4
    for decision in listed:
        request.check(play.state, decision)
    assert play.refused("afa", Embark(("nobody",)))
    assert play.refused("afa", Embark()) == "4.2.trs-b"  # to take nobody is to pass
    play.do("afa", Pass())
