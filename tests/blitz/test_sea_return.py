"""Returning to base: what has to, what may, and where to (4.1)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.rules.bases import Return, bases, compelled
from sandtable.games.blitz.rules.steps import Done
from tests.blitz.table import Play, position


def step_a(scenario: str = "campaign", side: str = "axis", **given: Any) -> Play:
    return Play(scenario, phase=f"{side}_activities", step="A", **given)


@pytest.mark.rule("blitz:4.1d")
@pytest.mark.rule("blitz:B.1a")
def test_a_fleet_at_sea_may_stay_or_return() -> None:
    units = {"ger_bb_fleet": "north_sea"}
    stays = step_a("B", units=units).do("germany", Done())
    assert stays.state.units["ger_bb_fleet"].at == "north_sea"
    returns = step_a("B", units=units).do(
        "germany", Return("ger_bb_fleet", "western_germany", "north_sea")
    )
    fleet = returns.state.units["ger_bb_fleet"]
    assert (fleet.at, fleet.port) == ("western_germany", "north_sea")
    assert (
        step_a("B", units=units).refused("germany", Return("ger_bb_fleet", "london", "north_sea"))
        == "1.3.stack-b"
    )


@pytest.mark.rule("blitz:4.1e")
def test_each_sea_and_the_port_cost_one() -> None:
    play = step_a(
        units={"ger_bb_fleet": "north_atlantic", "ger_u_boat_i": "usa_east_coast"}, turn=4
    )
    # The North Sea and the port: 2. The submarine has 3: two seas and the port.
    play.do("germany", Return("ger_bb_fleet", "western_germany", "north_sea"))
    play.do("germany", Return("ger_u_boat_i", "western_germany", "north_sea"))
    far = step_a(units={"ger_bb_fleet": "usa_east_coast", "ger_u_boat_i": "arctic_ocean"}, turn=4)
    assert not bases(far.state, "ger_bb_fleet", "usa_east_coast", 2)
    assert ("western_germany", "north_sea") in bases(far.state, "ger_bb_fleet", "usa_east_coast", 3)
    assert far.refused("germany", Return("ger_u_boat_i", "rome", "mediterranean_sea")) == "4.1e"


@pytest.mark.rule("blitz:4.1e")
@pytest.mark.rule("blitz:4.3b")
@pytest.mark.rule("blitz:C.3b")
def test_a_returning_fleet_is_never_blocked() -> None:
    play = step_a(
        "C",
        units={
            "ger_bb_fleet": "north_atlantic",
            "afa_home_fleet": {"at": "north_atlantic", "size": 4},
            "afa_north_atlantic_fleet": {"at": "north_sea", "size": 4},
        },
    )
    play.do("germany", Return("ger_bb_fleet", "western_germany", "north_sea"))
    assert play.state.units["ger_bb_fleet"].at == "western_germany"


@pytest.mark.rule("blitz:1.3.port-b")
@pytest.mark.rule("blitz:B.1b")
def test_a_small_port_takes_size_two() -> None:
    units = {"ger_bb_fleet": {"at": "baltic_sea", "size": 2}, "ger_baltic_trs": "baltic_sea"}
    play = step_a(units=units, control={"poland": "germany"})
    play.do("germany", Return("ger_bb_fleet", "poland", "baltic_sea"))
    assert play.refused("germany", Return("ger_baltic_trs", "poland", "baltic_sea")) == "1.3.port-b"
    play.do("germany", Return("ger_baltic_trs", "berlin", "baltic_sea"))
    full = step_a(
        units={
            "ger_bb_fleet": {"at": "baltic_sea", "size": 1},
            "ger_baltic_trs": {"at": "poland", "size": 1, "port": "baltic_sea"},
        },
        control={"poland": "germany"},
    )
    full.do("germany", Return("ger_bb_fleet", "poland", "baltic_sea"))
    assert full.state.units["ger_bb_fleet"].at == "poland"


@pytest.mark.rule("blitz:1.3.port-b")
def test_a_big_port_takes_any_number() -> None:
    fleets = ("ger_high_seas_fleet", "ger_u_boat_ii", "ger_u_boat_iii", "ger_graf_zeppelin")
    big = {id: {"at": "western_germany", "size": 2} for id in fleets}
    play = step_a(units={**big, "ger_bb_fleet": "north_sea"})
    play.do("germany", Return("ger_bb_fleet", "western_germany", "north_sea"))
    assert play.state.units["ger_bb_fleet"].at == "western_germany"


@pytest.mark.rule("blitz:1.3.port-a")
def test_a_fleet_bases_only_in_a_port_that_touches_the_sea_it_comes_from() -> None:
    """Paris lies on the North Sea, but its port does not."""
    s = position(
        units={"ger_bb_fleet": "north_sea"},
        control={"paris": "germany", "belgium_netherlands": "germany"},
    )
    assert ("paris", "western_approaches") not in bases(s, "ger_bb_fleet", "north_sea", 1)
    assert ("paris", "western_approaches") in bases(s, "ger_bb_fleet", "north_sea", 2)
    assert not [area for area, _ in bases(s, "ger_bb_fleet", "north_sea", 9) if area == "ruhr"]


@pytest.mark.rule("blitz:1.3.port-d")
def test_a_fleet_may_return_to_the_other_port_of_a_land_area() -> None:
    play = step_a(
        units={"ger_regia_marina": "mediterranean_sea", "ger_bb_fleet": "western_approaches"},
        control={"spain": "germany", "gibraltar": "germany"},
    )
    play.do("germany", Return("ger_regia_marina", "spain", "mediterranean_sea"))
    play.do("germany", Return("ger_bb_fleet", "spain", "western_approaches"))
    ports = {id: play.state.units[id].port for id in ("ger_regia_marina", "ger_bb_fleet")}
    assert ports == {
        "ger_regia_marina": "mediterranean_sea",
        "ger_bb_fleet": "western_approaches",
    }


@pytest.mark.rule("blitz:4.1f")
@pytest.mark.rule("blitz:C.1a")
def test_an_air_unit_returns_within_its_movement() -> None:
    """He 111s have movement 2: land costs 1 and sea 2, to be paid for the area entered."""
    play = step_a("D", units={"ger_he_111s": "baltic_sea"}, control={"balkans": "germany"})
    assert play.refused("germany", Return("ger_he_111s", "balkans")) == "4.1f"
    assert play.refused("germany", Return("ger_he_111s", "north_sea")) == "4.2c"
    play.do("germany", Return("ger_he_111s", "western_germany"))
    assert play.state.units["ger_he_111s"].at == "western_germany"
    s = position("D", units={"ger_he_111s": "baltic_sea"})
    assert ("berlin", "") in bases(s, "ger_he_111s", "baltic_sea", 1)
    assert ("western_germany", "") not in bases(s, "ger_he_111s", "baltic_sea", 1)


@pytest.mark.rule("blitz:C.1a")
def test_air_units_return_in_scenario_c() -> None:
    play = step_a("C", units={"ger_condors": "north_sea"})
    play.do("germany", Return("ger_condors", "norway"))
    assert play.state.units["ger_condors"].at == "norway"


@pytest.mark.rule("blitz:4.1g")
def test_land_units_return_with_their_transport() -> None:
    play = step_a(
        units={
            "ger_baltic_trs": {"at": "baltic_sea", "size": 2},
            "ger_6th_army": {"at": "baltic_sea", "aboard": "ger_baltic_trs"},
        }
    )
    play.do("germany", Return("ger_baltic_trs", "berlin", "baltic_sea"))
    army = play.state.units["ger_6th_army"]
    assert (army.at, army.aboard) == ("berlin", "")


@pytest.mark.rule("blitz:4.1g")
def test_a_transport_does_not_return_where_its_cargo_finds_no_room() -> None:
    s = position(
        units={
            "jap_central_trs": {"at": "micronesia", "size": 2},
            "jap_kwantung_army": {"at": "micronesia", "size": 2, "aboard": "jap_central_trs"},
            "jap_snlf": "marianas",
        },
        control={"marianas": "japan"},
    )
    found = bases(s, "jap_central_trs", "micronesia", 1)
    assert ("caroline_islands", "micronesia") in found
    assert ("marianas", "micronesia") not in found


@pytest.mark.rule("blitz:4.1g")
def test_a_transport_does_not_return_where_its_cargo_may_not_be() -> None:
    """India is at war with Japan and the AFA is not: only Indian units may be there."""

    def ports(**cargo: Any) -> list[str]:
        s = position(
            units={"afa_asia_trs": {"at": "bay_of_bengal", "size": 2}, **cargo},
            minor_wars=[("india", "japan")],
        )
        found = bases(s, "afa_asia_trs", "bay_of_bengal", 1)
        return [area for area, _ in found if s.facts.lands[area].country == "india"]

    assert ports()
    assert not ports(afa_2nd_army={"at": "bay_of_bengal", "aboard": "afa_asia_trs"})


@pytest.mark.rule("blitz:4.1a")
def test_without_a_base_in_range_a_unit_has_to_go_to_the_closest() -> None:
    """From the Western Approaches the German ports are 2 away; with range 2 they are in range, but
    the USA's East Coast is 3 away."""
    play = step_a(units={"ger_bb_fleet": "usa_east_coast"}, turn=4)
    assert compelled(play.state, "ger_bb_fleet")
    assert play.refused("germany", Done()) == "4.1a"
    assert play.refused("germany", Return("ger_bb_fleet", "berlin", "baltic_sea")) == "4.1e"
    play.do("germany", Return("ger_bb_fleet", "western_germany", "north_sea"))
    assert play.state.units["ger_bb_fleet"].at == "western_germany"
    near = step_a(units={"ger_bb_fleet": "western_approaches"}, turn=4)
    near.do("germany", Done())
    assert near.state.units["ger_bb_fleet"].at == "western_approaches"


@pytest.mark.rule("blitz:2.2.free-e")
def test_a_transport_that_a_partners_blitz_holds_back_need_not_return() -> None:
    """Malta, out of supply, is the only base. The USA's Land Blitz does not let the American
    marines aboard return, and so not the ship."""
    lost = ("gibraltar", "egypt", "algeria", "vichy_france", "paris")
    for theirs, held in (("land", True), ("naval", False)):
        play = Play(
            phase="allied_blitzes",
            step="A",
            blitz={"afa": "naval", "usa": theirs, "ussr": "free"},
            wars=[("germany", "afa"), ("germany", "usa")],
            units={
                "afa_europe_trs": "mediterranean_sea",
                "usa_marines": {"at": "mediterranean_sea", "aboard": "afa_europe_trs"},
                "ger_u_boat_i": "western_approaches",
            },
            control=dict.fromkeys(lost, "germany"),
        )
        home = ("malta", "mediterranean_sea")
        assert compelled(play.state, "afa_europe_trs")
        if held:
            assert play.refused("afa", Return("afa_europe_trs", *home)) == "2.2d"
            play.do("afa", Done())
        else:
            assert play.refused("afa", Done()) == "4.1a"
            play.do("afa", Return("afa_europe_trs", *home))


@pytest.mark.rule("blitz:4.1b")
def test_a_unit_whose_only_base_is_out_of_supply_has_to_go_there() -> None:
    """The Italian fleet has Libya only, and no supply line leads there."""
    taken = {
        area: "afa"
        for area in ("milan", "rome", "balkans", "sicily", "sardinia", "crete")
        if area in position().control
    }
    given: dict[str, Any] = {
        "units": {
            "ger_regia_marina": {"at": "mediterranean_sea", "size": 1},
            "afa_home_fleet": {"at": "north_sea", "size": 1},
        },
        "turn": 4,
    }
    play = step_a(control=taken, **given)
    reached = {area for area, _ in bases(play.state, "ger_regia_marina", "mediterranean_sea", 2)}
    assert reached == {"libya"}
    # Its own presence keeps the Mediterranean friendly, but no line leads there by land or sea.
    assert play.refused("germany", Done()) == "4.1a"
    play.do("germany", Return("ger_regia_marina", "libya", "mediterranean_sea"))
    free = step_a(control={**taken, "balkans": "germany"}, **given)
    free.do("germany", Done())
    assert free.state.units["ger_regia_marina"].at == "mediterranean_sea"


@pytest.mark.rule("blitz:4.1c")
@pytest.mark.rule("blitz:4.1a")
def test_ex_4_1_baltic() -> None:
    """Leningrad is lost and the way to the North Sea is closed: the Baltic Sea Fleet is lost."""
    fleet = {"sov_baltic_sea_fleet": "baltic_sea"}
    wars = [("germany", "afa"), ("germany", "ussr")]
    poland = {"poland": "germany"}
    lost = step_a(
        side="allied",
        units=fleet,
        wars=wars,
        control={**poland, "leningrad": "germany"},
        turn=6,
    )
    assert "sov_baltic_sea_fleet" not in lost.state.units
    assert lost.events("destroyed")[0]["losses"] == {"ussr": ("sov_baltic_sea_fleet",)}
    held = step_a(side="allied", units=fleet, wars=wars, control=poland, turn=6)
    held.do("ussr", Done())
    assert held.state.units["sov_baltic_sea_fleet"].at == "baltic_sea"


@pytest.mark.rule("blitz:4.1c")
def test_cargo_is_lost_with_its_transport() -> None:
    play = step_a(
        side="allied",
        units={
            "sov_black_sea_trs": "baltic_sea",
            "sov_western_front": {"at": "baltic_sea", "aboard": "sov_black_sea_trs"},
        },
        wars=[("germany", "afa"), ("germany", "ussr")],
        control={"poland": "germany", "leningrad": "germany"},
        turn=6,
    )
    assert not play.state.units


@pytest.mark.rule("blitz:4.1e")
@pytest.mark.rule("blitz:1.3.port-b")
def test_ex_4_1_pacific() -> None:
    """Darwin is a Small Port, Perth costs 3; Canberra is eligible."""
    play = step_a(
        side="allied",
        units={"usa_pacific_fleet": {"at": "timor_sea", "size": 4}},
        wars=[("germany", "afa"), ("usa", "japan"), ("afa", "japan")],
        turn=8,
    )

    def to(area: str, port: str) -> Return:
        return Return("usa_pacific_fleet", area, port)

    assert play.refused("usa", to("darwin", "timor_sea")) == "1.3.port-b"
    assert play.refused("usa", to("perth", "cape_naturaliste")) == "4.1e"
    s = play.state
    assert ("perth", "cape_naturaliste") in bases(s, "usa_pacific_fleet", "timor_sea", 3)
    play.do("usa", to("canberra", "tasman_sea"))
    assert play.state.units["usa_pacific_fleet"].at == "canberra"


@pytest.mark.rule("blitz:4.1a")
def test_only_powers_with_units_at_sea_are_asked() -> None:
    play = step_a(units={"ger_bb_fleet": "north_sea", "jap_combined_fleet": "tokyo"})
    assert [request.power for request in play.game.pending] == ["germany"]
    play.do("germany", Return("ger_bb_fleet", "western_germany", "north_sea"))
    assert play.state.step == "B"


def test_garbage_is_refused() -> None:
    play = step_a(units={"ger_bb_fleet": "north_sea", "ger_6th_army": "berlin"})
    for decision in (
        Return("nobody", "berlin"),
        Return("ger_6th_army", "berlin"),
        Return("ger_bb_fleet", "nowhere", "north_sea"),
        Return("ger_bb_fleet", "western_germany"),
        Return("ger_bb_fleet", "western_germany", "black_sea"),
        Return("ger_bb_fleet", "baltic_sea"),
        Return("afa_home_fleet", "london", "north_sea"),
    ):
        play.refused("germany", decision)


def test_everything_listed_passes_the_check() -> None:
    play = step_a(
        units={
            "ger_bb_fleet": "north_sea",
            "ger_he_111s": "baltic_sea",
            "ger_baltic_trs": {"at": "baltic_sea", "size": 2},
            "ger_6th_army": {"at": "baltic_sea", "aboard": "ger_baltic_trs"},
        }
    )
    request = play.request_of("germany")
    listed = list(request.decisions(play.state))
    assert len(listed) > 10
    for decision in listed:
        request.check(play.state, decision)
