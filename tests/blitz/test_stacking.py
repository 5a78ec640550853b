"""The map, and where units may stand (1.3, D.1)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.rules.land_combat import AnnounceAttack, unfit
from sandtable.games.blitz.rules.leave import Admit, GiveLeave
from sandtable.games.blitz.rules.move_land import March, MoveLand
from sandtable.games.blitz.rules.movement import air_reach, next_seas, port_seas
from sandtable.games.blitz.rules.rebase import Rebase, harbours
from sandtable.games.blitz.rules.stacking import (
    common_enemy,
    full,
    may_enter_china,
    needs_consent,
    no_room,
    refused,
)
from tests.blitz.table import Play, position

AT_WAR = [("germany", "afa"), ("germany", "ussr")]


def _rule(refusal: Any) -> str:
    return "" if refusal is None else str(refusal.rule)


# --- the map ------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:1.3.adj-a")
def test_borders_and_coasts_stand_on_both_sides() -> None:
    facts = position().facts
    for area, near in facts.land_next.items():
        assert all(area in facts.land_next[other] for other in near)
    for sea, near in facts.seas.items():
        assert all(sea in facts.seas[other].adjacent for other in near.adjacent)
    for sea in facts.seas:
        assert all(sea in facts.lands[land].seas for land in facts.coast[sea])
    assert "poland" in facts.land_next["berlin"] and "paris" not in facts.land_next["berlin"]


@pytest.mark.rule("blitz:1.3.adj-a")
def test_land_units_do_not_cross_water_or_skip_areas() -> None:
    play = Play("campaign", phase="allied_activities", step="E", units={"afa_2nd_army": "london"})
    assert play.refused("afa", March("afa_2nd_army", ("paris",))) == "5.2e"
    assert play.refused("afa", March("afa_2nd_army", ("north_sea",))) == "5.2e"
    assert play.refused("afa", March("afa_2nd_army", ("atlantis",))) == "5.2e"


@pytest.mark.rule("blitz:1.3.named-a")
def test_only_named_areas_exist() -> None:
    s = position(units={"sov_vvs": "caucasus_mountains"})
    assert all(s.facts.names[area] for area in (*s.facts.lands, *s.facts.seas))
    # The water between the Caucasus and Samarkand has no name: the only way across is the route.
    assert not set(s.facts.coast["caucasus_mountains"]) & set(s.facts.coast["samarkand"])
    assert air_reach(s, "caucasus_mountains", 1).get("samarkand") == 1


@pytest.mark.rule("blitz:errata.seasia-canton")
def test_south_east_asia_borders_canton() -> None:
    assert "canton" in position().facts.land_next["south_east_asia"]


@pytest.mark.rule("blitz:errata.seasia-mountain")
def test_south_east_asia_is_mountain() -> None:
    s = position()
    assert s.facts.lands["south_east_asia"].terrain == "mountain"
    play = Play(
        "E",
        phase="axis_activities",
        step="E",
        turn=5,
        units={"jap_25th_army": "canton", "min_thai_army": "south_east_asia"},
        control={"canton": "japan"},
    )
    play.do("japan", March("jap_25th_army", ("south_east_asia",)))
    assert play.state.units["jap_25th_army"].at == "south_east_asia"


@pytest.mark.rule("blitz:errata.norway-arctic")
def test_norway_touches_the_arctic_ocean() -> None:
    s = position(
        units={"ger_bb_fleet": {"at": "norway", "port": "arctic_ocean"}},
        control={"norway": "germany"},
    )
    assert "arctic_ocean" in s.facts.lands["norway"].seas
    assert port_seas(s, "ger_bb_fleet") == ("arctic_ocean",)


@pytest.mark.rule("blitz:1.3.route-a")
@pytest.mark.rule("blitz:1.3.route-c")
def test_ex_1_3_routes() -> None:
    s = position(units={"sov_cavalry": "stalingrad"})
    assert "samarkand" in s.facts.land_routes["stalingrad"]
    assert "caucasus_mountains" in s.facts.air_routes["samarkand"]
    play = Play(
        "campaign",
        phase="allied_activities",
        step="E",
        units={"sov_cavalry": "stalingrad", "sov_caucasus_front": "caucasus_mountains"},
    )
    assert play.refused("ussr", March("sov_caucasus_front", ("samarkand",))) == "5.2e"
    play.do("ussr", March("sov_cavalry", ("samarkand",)))
    assert play.state.units["sov_cavalry"].at == "samarkand"


@pytest.mark.rule("blitz:D.1d")
@pytest.mark.rule("blitz:1.3.route-b")
def test_a_land_route_is_closed_by_an_enemy_land_unit_at_its_end() -> None:
    def play(**units: Any) -> Play:
        return Play(
            phase="axis_activities",
            step="E",
            units={"ger_army_group_b": "paris", **units},
            control={"paris": "germany", "spain": "afa", "portugal": "afa"},
        )

    held = play(min_spanish_army={"at": "spain", "power": "afa"})
    assert held.refused("germany", March("ger_army_group_b", ("spain",))) == "5.2d"
    empty = play(min_spanish_army={"at": "portugal", "power": "afa"})
    empty.do("germany", March("ger_army_group_b", ("spain",)))
    assert empty.state.control["spain"] == "germany"


@pytest.mark.rule("blitz:D.1d")
def test_air_units_fly_along_land_and_air_routes() -> None:
    s = position(units={"ger_luftwaffe": "paris"}, control={"paris": "germany", "spain": "germany"})
    assert air_reach(s, "paris", 1)["spain"] == 1
    assert air_reach(s, "paris", 1)["london"] == 1


def test_ex_1_3_spain() -> None:
    s = position(
        units={
            "ger_u_boat_i": {"at": "spain", "port": "western_approaches"},
            "ger_u_boat_ii": {"at": "spain", "port": "mediterranean_sea"},
        },
        control={"spain": "germany", "portugal": "germany"},
    )
    assert s.facts.countries["iberia"].areas == ("spain", "portugal")
    ports = s.facts.ports["spain"]
    assert {id: port.size for id, port in ports.items()} == {
        "western_approaches": "big",
        "mediterranean_sea": "big",
    }
    assert port_seas(s, "ger_u_boat_i") == ("western_approaches",)
    assert port_seas(s, "ger_u_boat_ii") == ("mediterranean_sea",)


@pytest.mark.rule("blitz:D.1c")
def test_a_ship_changes_ports_of_one_area_only_by_sailing_round() -> None:
    play = Play(
        phase="axis_activities",
        step="D",
        units={"ger_bb_fleet": {"at": "norway", "port": "north_sea"}},
        control={"norway": "germany"},
    )
    s = play.state
    assert s.units["ger_bb_fleet"].port == "north_sea"
    # North Sea, Arctic Ocean, port.
    assert harbours(s, "ger_bb_fleet", ("norway", "north_sea"))["norway", "arctic_ocean"] == 3
    play.do("germany", Rebase("ger_bb_fleet", "norway", "arctic_ocean"))
    assert play.state.units["ger_bb_fleet"].port == "arctic_ocean"


@pytest.mark.rule("blitz:D.1c")
def test_it_cannot_change_ports_when_the_sea_is_closed_to_it() -> None:
    play = Play(
        phase="axis_activities",
        step="D",
        units={
            "ger_bb_fleet": {"at": "norway", "port": "north_sea"},
            "afa_home_fleet": "north_sea",
        },
        control={"norway": "germany"},
    )
    assert play.refused("germany", Rebase("ger_bb_fleet", "norway", "arctic_ocean")) == "5.1.nav-b"


def test_ex_1_3_istanbul() -> None:
    for holder, open_ in (("germany", True), ("afa", False), ("", False)):
        s = position(
            units={"ger_regia_marina": "mediterranean_sea", "ger_bb_fleet": "rome"},
            control={"istanbul": holder},
        )
        assert "black_sea" not in s.facts.seas["mediterranean_sea"].adjacent
        assert ("black_sea" in set(next_seas(s, "ger_regia_marina", "mediterranean_sea"))) is open_
    s = position(units={"ger_regia_marina": {"at": "istanbul"}}, control={"istanbul": "germany"})
    assert s.facts.ports["istanbul"]["black_sea"].size == "big"
    assert set(port_seas(s, "ger_regia_marina")) == {"black_sea", "mediterranean_sea"}


# --- whose land ---------------------------------------------------------------------------------


@pytest.mark.rule("blitz:1.3.stack-b")
def test_nothing_stands_in_an_enemy_land_area() -> None:
    s = position(units={"ger_luftwaffe": "berlin"})
    assert _rule(refused(s, "ger_luftwaffe", "paris")) == "1.3.stack-b"
    assert refused(s, "ger_luftwaffe", "western_germany") is None


@pytest.mark.rule("blitz:1.3.stack-c")
def test_a_powers_own_land_is_always_open_to_it() -> None:
    s = position(units={"ger_6th_army": "berlin", "ger_po_army": "milan"})
    for area, holder in s.control.items():
        if holder == "germany":
            assert refused(s, "ger_6th_army", area) is None
            assert refused(s, "ger_po_army", area) is None


@pytest.mark.rule("blitz:1.3.stack-c")
def test_but_not_china_to_the_usa_before_its_time() -> None:
    s = position(units={"usa_1st_us_army": "west_coast", "usa_x_force": "chungking"})
    assert s.control["chungking"] == "usa"
    assert _rule(refused(s, "usa_1st_us_army", "chungking")) == "5.2.china-a"
    assert refused(s, "usa_x_force", "canton") is None


@pytest.mark.rule("blitz:1.6a")
def test_neutral_land_is_closed() -> None:
    s = position(units={"ger_luftwaffe": "berlin"})
    assert _rule(refused(s, "ger_luftwaffe", "belgium_netherlands")) == "1.6a"
    play = Play("campaign", phase="axis_activities", step="E", units={"ger_6th_army": "berlin"})
    assert (
        play.refused("germany", March("ger_6th_army", ("western_germany", "belgium_netherlands")))
        == "1.6a"
    )


@pytest.mark.rule("blitz:1.6a")
@pytest.mark.parametrize(("finland", "open_"), [("", False), ("germany", True), ("afa", True)])
def test_neutral_land_is_not_flown_over(finland: str, open_: bool) -> None:
    """Norway is three moves from Poland across Finland, and four round it; an enemy is no bar."""
    held = {"poland": "germany", "norway": "germany", "finland": finland}
    play = Play(phase="axis_activities", step="D", units={"ger_luftwaffe": "poland"}, control=held)
    assert ("norway" in air_reach(play.state, "poland", 3)) == open_
    assert "norway" in air_reach(play.state, "poland", 4)
    rebase = Rebase("ger_luftwaffe", "norway")
    if not open_:
        assert play.refused("germany", rebase) == "5.1.air-a"
    else:
        play.do("germany", rebase)
        assert play.state.units["ger_luftwaffe"].at == "norway"


@pytest.mark.rule("blitz:1.6a")
@pytest.mark.parametrize(("spain", "refusal"), [("", "5.3.commit-b"), ("germany", None)])
def test_neutral_land_is_not_flown_over_to_a_combat(spain: str, refusal: str | None) -> None:
    s = position(
        units={"ger_he_111s": "paris"},
        control={"paris": "germany", "vichy_france": "germany", "spain": spain},
        wars=AT_WAR,
    )
    assert _rule(unfit(s, "ger_he_111s", "ground", "gibraltar")) == (refusal or "")


@pytest.mark.rule("blitz:1.3.stack-d")
def test_an_allys_home_countries_are_closed() -> None:
    s = position(units={"afa_8th_army": "london", "sov_vvs": "moscow"}, wars=AT_WAR)
    assert _rule(refused(s, "afa_8th_army", "moscow")) == "1.3.stack-d"
    assert _rule(refused(s, "sov_vvs", "london")) == "1.3.stack-d"
    # Any major power's home country in an ally's hands.
    s = position(
        units={"jap_zeroes": "tokyo"},
        control={"karachi": "germany"},
        wars=[("germany", "afa"), ("japan", "afa")],
    )
    assert _rule(refused(s, "jap_zeroes", "karachi")) == "1.3.stack-d"


@pytest.mark.rule("blitz:1.3.stack-d")
@pytest.mark.rule("blitz:1.3.stack-f")
def test_afa_and_usa_share_everything_once_the_usa_is_at_war() -> None:
    units = {"usa_1st_us_army": "atlantic_seaboard", "afa_8th_army": "london"}
    peace = position(units=units)
    assert _rule(refused(peace, "usa_1st_us_army", "london")) == "1.3.stack-d"
    war = position(units=units, wars=[("germany", "afa"), ("japan", "usa")])
    assert refused(war, "usa_1st_us_army", "london") is None
    assert refused(war, "afa_8th_army", "atlantic_seaboard") is None
    assert needs_consent(war, "usa_1st_us_army", "egypt") == ""


@pytest.mark.rule("blitz:1.3.stack-e")
def test_elsewhere_allies_need_a_common_enemy_and_an_area_without_land_units() -> None:
    units: dict[str, Any] = {"afa_8th_army": "iraq"}
    near_east = {"persia": "ussr", "iraq": "afa", "levant": "afa"}
    peace = position(units=units, control=near_east)
    assert not common_enemy(peace, "afa", "ussr")
    assert _rule(refused(peace, "afa_8th_army", "persia")) == "1.3.stack-e"
    war = position(units=units, control=near_east, wars=AT_WAR)
    assert refused(war, "afa_8th_army", "persia") is None
    assert needs_consent(war, "afa_8th_army", "persia") == "ussr"
    held = position(units={**units, "sov_cavalry": "persia"}, control=near_east, wars=AT_WAR)
    assert _rule(refused(held, "afa_8th_army", "persia")) == "1.3.stack-e"


def _persia(players: int = 5) -> Play:
    return Play(
        options={"players": players},
        phase="allied_activities",
        step="E",
        units={"afa_8th_army": "iraq", "sov_vvs": "persia"},
        control={"persia": "ussr", "iraq": "afa", "levant": "afa"},
        wars=AT_WAR,
    )


@pytest.mark.rule("blitz:1.3.stack-e")
@pytest.mark.rule("blitz:1.3.stack-f")
def test_ex_1_3_persia() -> None:
    play = _persia()
    play.do("afa", March("afa_8th_army", ("persia",)))
    assert play.request_of("ussr") == GiveLeave("ussr", "afa_8th_army", "persia")
    play.do("ussr", Admit(True))
    assert play.state.units["afa_8th_army"].at == "persia"
    assert play.state.control["persia"] == "ussr", "control does not change"
    # Two areas are equally close: its owner chooses.
    choice = play.request_of("ussr")
    play.do("ussr", next(iter(play.game.legal(choice))))
    assert play.state.units["sov_vvs"].at in ("caucasus_mountains", "samarkand")


@pytest.mark.rule("blitz:1.3.stack-f")
def test_ships_of_the_controller_have_to_leave_as_well() -> None:
    play = Play(
        phase="allied_activities",
        step="E",
        units={"sov_black_sea_fleet": "istanbul", "afa_2nd_army": "ankara"},
        control={"istanbul": "ussr", "ankara": "afa"},
        wars=AT_WAR,
    )
    play.do("afa", March("afa_2nd_army", ("istanbul",))).do("ussr", Admit(True))
    assert play.request_of("ussr").kind == "place_unit"
    play.do("ussr", next(iter(play.game.legal(play.request_of("ussr")))))
    fleet = play.state.units["sov_black_sea_fleet"]
    assert fleet.at != "istanbul"


@pytest.mark.rule("blitz:1.3.stack-e")
def test_without_the_allys_leave_it_stays_out() -> None:
    play = _persia()
    play.do("afa", March("afa_8th_army", ("persia",)))
    play.do("ussr", Admit(False))
    assert play.state.units["afa_8th_army"].at == "iraq"
    assert play.state.units["sov_vvs"].at == "persia"
    assert isinstance(play.request_of("afa"), MoveLand), "and may move elsewhere"
    assert play.refused("afa", March("afa_8th_army", ("persia",))) == "1.3.stack-e"
    play.do("afa", March("afa_8th_army", ("levant",)))


@pytest.mark.rule("blitz:1.3.stack-e")
def test_one_player_who_runs_both_powers_is_not_asked() -> None:
    play = _persia(players=2)
    play.do("afa", March("afa_8th_army", ("persia",)))
    assert play.state.units["afa_8th_army"].at == "persia"


@pytest.mark.rule("blitz:1.3.stack-g")
def test_there_is_no_other_limit() -> None:
    armies = ("ger_army_group_a", "ger_army_group_b", "ger_6th_army", "ger_waffen_ss_army")
    s = position(
        units={**{id: {"at": "berlin", "size": 4} for id in armies}, "ger_luftwaffe": "milan"}
    )
    assert no_room(s, "ger_luftwaffe", "berlin") is None
    assert full(s, "berlin", "land", 40) is None and full(s, "berlin", "air", 40) is None
    assert full(s, "berlin", "naval", 40, "baltic_sea") is None


@pytest.mark.rule("blitz:3.2.align-e")
def test_a_minor_gained_by_an_enemys_declaration_is_closed_while_there_is_peace() -> None:
    s = position(
        units={
            "min_1st_army": {"at": "ankara", "power": "germany"},
            "ger_stukas": "levant",
            "ger_6th_army": "levant",
        },
        control={"istanbul": "germany", "ankara": "germany", "levant": "germany"},
        allied={"turkey": "germany"},
        minor_wars=[("turkey", "ussr")],
    )
    assert _rule(refused(s, "ger_stukas", "ankara")) == "3.2.align-e"
    assert refused(s, "min_1st_army", "istanbul") is None
    play = Play(
        phase="axis_activities",
        step="E",
        units={
            "min_1st_army": {"at": "ankara", "power": "germany"},
            "ger_20th_mountain_army": "poland",
        },
        control={"istanbul": "germany", "ankara": "germany", "poland": "germany"},
        allied={"turkey": "germany"},
        minor_wars=[("turkey", "ussr")],
    )
    assert play.refused("germany", March("ger_20th_mountain_army", ("ukraine",))) == "5.2c"
    play.do("germany", March("min_1st_army", ("caucasus_mountains",)))
    assert play.state.units["min_1st_army"].at == "caucasus_mountains"
    s.set_wars(s.wars | {("germany", "ussr"), ("ussr", "germany")})
    assert refused(s, "ger_stukas", "ankara") is None


@pytest.mark.rule("blitz:5.2.china-a")
@pytest.mark.parametrize(
    ("power", "control", "wars", "open_"),
    [
        ("ussr", {}, [], False),
        ("ussr", {"harbin": "ussr"}, [], False),
        ("ussr", {"harbin": "ussr", "port_arthur": "ussr"}, [], True),
        ("ussr", {"harbin": "usa", "port_arthur": "ussr"}, [], False),
        ("afa", {"formosa": "afa"}, [("usa", "japan")], True),
        ("afa", {"formosa": "afa"}, [], False),
        ("usa", {"manila": "japan", "formosa": "afa"}, [("usa", "japan")], False),
        ("usa", {"south_east_asia": "afa"}, [("usa", "japan")], True),
        ("usa", {"harbin": "usa", "port_arthur": "usa"}, [("usa", "japan")], False),
        ("japan", {}, [], True),
    ],
)
def test_when_china_is_open(
    power: str, control: dict[str, str], wars: list[tuple[str, str]], open_: bool
) -> None:
    assert may_enter_china(position(control=control, wars=wars), power) is open_


@pytest.mark.rule("blitz:5.2.china-a")
def test_a_conquered_china_is_open_to_all() -> None:
    s = position(conquered={"china": "axis"})
    assert may_enter_china(s, "ussr") and may_enter_china(s, "afa")


@pytest.mark.rule("blitz:E.1a")
def test_china_in_scenario_e() -> None:
    def play(**control: str) -> Play:
        return Play(
            "E",
            phase="allied_activities",
            step="E",
            turn=5,
            units={"afa_14th_army": "south_east_asia", "usa_x_force": "chungking"},
            control={"south_east_asia": "western_allies", "manila": "japan", **control},
        )

    assert play().refused("western_allies", March("afa_14th_army", ("canton",))) == "5.2.china-a"
    game = play(manila="western_allies")
    game.do("western_allies", March("afa_14th_army", ("canton",)))
    assert game.state.units["afa_14th_army"].at == "canton"


# --- islands and ports --------------------------------------------------------------------------


@pytest.mark.rule("blitz:1.3.island-a")
@pytest.mark.rule("blitz:D.1b")
def test_ex_1_3_midway() -> None:
    s = position(
        units={"usa_marines": "midway_islands", "usa_pacific_command": "hawaii"},
    )
    assert s.facts.lands["midway_islands"].island
    (port,) = s.facts.ports["midway_islands"].values()
    assert port.size == "small" and s.control["midway_islands"] == "usa"
    assert no_room(s, "usa_pacific_command", "midway_islands") is None
    s.change("usa_marines", size=2)
    assert _rule(no_room(s, "usa_pacific_command", "midway_islands")) == "1.3.island-a"


@pytest.mark.rule("blitz:1.3.island-b")
@pytest.mark.rule("blitz:D.1b")
def test_air_units_on_an_island_are_counted_apart() -> None:
    s = position(
        units={
            "usa_marines": {"at": "midway_islands", "size": 2},
            "usa_naval_patrol": {"at": "midway_islands", "size": 1},
            "usa_5th_air_force": {"at": "hawaii", "size": 1},
            "usa_8th_air_force": {"at": "west_coast", "size": 2},
        }
    )
    assert no_room(s, "usa_5th_air_force", "midway_islands") is None
    assert _rule(no_room(s, "usa_8th_air_force", "midway_islands")) == "1.3.island-b"


def test_a_small_port_takes_size_two() -> None:
    s = position(
        units={
            "usa_8th_fleet": {"at": "midway_islands", "size": 2},
            "usa_3rd_fleet": "hawaii",
            "usa_pacific_fleet": {"at": "hawaii", "size": 4},
        }
    )
    assert _rule(no_room(s, "usa_3rd_fleet", "midway_islands", "micronesia")) == "1.3.port-b"
    assert no_room(s, "usa_3rd_fleet", "hawaii", "hawaiian_islands") is None
    assert _rule(no_room(s, "usa_3rd_fleet", "hawaii", "nowhere")) == "1.3.port-a"
    s.take("usa_8th_fleet")
    assert _rule(no_room(s, "usa_pacific_fleet", "midway_islands", "micronesia")) == "1.3.port-b"


def test_a_carried_a_bomb_takes_no_room() -> None:
    s = position(
        units={
            "usa_20th_air_force": {"at": "marianas", "size": 2},
            "usa_a_bomb_usa": {"at": "marianas", "aboard": "usa_20th_air_force"},
        },
        control={"marianas": "usa"},
    )
    assert no_room(s, "usa_20th_air_force", "marianas") is None
    assert full(s, "marianas", "air", 1, without=("usa_20th_air_force",)) is None


@pytest.mark.rule("blitz:D.1a")
def test_any_number_stack_but_size_ten_attack_from_one_area_to_another() -> None:
    armies = {
        "ger_army_group_a": {"at": "poland", "size": 4},
        "ger_army_group_b": {"at": "poland", "size": 4},
        "ger_18th_army": {"at": "poland", "size": 2},
        "ger_wehrkreis_iii": {"at": "poland", "size": 1},
    }
    play = Play(
        "D",
        phase="axis_activities",
        step="F",
        turn=5,
        units={**armies, "sov_western_front": "ukraine"},
    )
    ten = ("ger_army_group_a", "ger_army_group_b", "ger_18th_army")
    eleven = AnnounceAttack("ground", "ukraine", (*ten, "ger_wehrkreis_iii"))
    assert play.refused("germany", eleven) == "5.3.limit-b"
    play.do("germany", AnnounceAttack("ground", "ukraine", ten))
    assert play.state.attacks[0].units == ten
