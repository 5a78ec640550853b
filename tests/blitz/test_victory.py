"""Victory points, the Victory Cards and the end of the game (8)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from sandtable.games.blitz.facts import load_facts
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.consequences import take_control
from sandtable.games.blitz.rules.victory import CONDITIONS, final_result, open_to, standings
from tests.blitz.table import Play, position, run

FACTS = load_facts()


def scored(scenario: str = "campaign", **given: Any) -> dict[tuple[str, str], int]:
    """What each power gains by each award at the end of a turn."""
    play = Play(scenario, phase="turn_end", step="victory", **given)
    return {(each["power"], each["award"]): each["points"] for each in play.events("scored")}


def gained(power: str, award: str, scenario: str = "campaign", **given: Any) -> int:
    return scored(scenario, **given).get((power, award), 0)


@pytest.mark.rule("blitz:data.victory-cards")
def test_every_award_of_the_cards_has_its_condition() -> None:
    awards = {id for card in FACTS.awards.values() for id in card}
    assert awards - CONDITIONS.keys() == {"control_industrial_might"}
    assert CONDITIONS.keys() <= awards
    named = {
        "germany": {"fortress_europa", "lebensraum", "super_weapons", "long_war"},
        "japan": {"co_prosperity_sphere", "victory_in_the_cbi", "tenno_zan", "long_war"},
        "afa": {"mediterranean_influence", "no_casualties"},
        "usa": {
            "second_front",
            "pacific_domination",
            "bring_democracy_to_asia",
            "arsenal_of_democracy",
            "no_casualties",
        },
        "ussr": {"annihilate_the_wehrmacht", "buffer_zone", "five_year_plan"},
        "every_power": {"control_industrial_might", "join_atomic_club"},
    }
    for power, expected in named.items():
        assert expected <= FACTS.awards[power].keys()


# --- the awards of Germany ----------------------------------------------------------------------


def test_battle_of_the_atlantic_looks_at_the_damage_of_western_convoys() -> None:
    award = ("germany", "battle_of_the_atlantic")
    assert gained(*award, deeds={"convoy_damage:north_atlantic": 2}) == 0
    assert (
        gained(
            *award,
            deeds={"convoy_damage:north_atlantic": 2, "convoy_damage:usa_east_coast": 1},
            convoy_damage={"western_approaches": 1},
        )
        == 1
    )
    assert gained(*award, deeds={"convoy_damage:tasman_sea": 4}) == 0


@pytest.mark.rule("blitz:errata.fortress-europa")
def test_fortress_europa_does_not_count_iceland_and_french_west_africa() -> None:
    europe = {area: "germany" for area in FACTS.awards["germany"]["fortress_europa"].areas}
    award = ("germany", "fortress_europa")
    assert gained(*award, turn=3, control=europe) == 1
    assert gained(*award, turn=2, control=europe) == 0
    s = position(turn=3, control=europe)
    assert s.control["iceland"] == s.control["french_west_africa"] == "afa"
    two = {**europe, "norway": "afa", "algeria": "afa"}
    assert gained(*award, turn=3, control=two) == 1
    assert gained(*award, turn=3, control={**two, "portugal": "usa"}) == 0


def test_lebensraum_takes_four_areas_of_the_ussr() -> None:
    three = dict.fromkeys(("byelorussia", "ukraine", "leningrad"), "germany")
    assert gained("germany", "lebensraum", control=three) == 0
    assert gained("germany", "lebensraum", control={**three, "moscow": "germany"}) == 1


@pytest.mark.rule("blitz:8.longwar-a")
@pytest.mark.parametrize(("turn", "points"), [(10, 0), (11, 1), (12, 2), (13, 3), (14, 4), (15, 5)])
def test_long_war_grows_from_turn_11(turn: int, points: int) -> None:
    got = scored(turn=turn)
    assert got.get(("germany", "long_war"), 0) == got.get(("japan", "long_war"), 0) == points


@pytest.mark.rule("blitz:8.longwar-a")
def test_ex_8_longwar() -> None:
    """The country Germany is conquered, but the power still has another one."""
    conquered = {"germany": "allies", "italy": "allies"}
    assert gained("germany", "long_war", turn=11, conquered=conquered) == 1
    everything = {country: "allies" for country, at in position().allied.items() if at == "germany"}
    assert gained("germany", "long_war", turn=11, conquered=everything) == 0


def test_super_weapons_score_each() -> None:
    assert gained("germany", "super_weapons", deeds={"super_weapon:germany": 2}) == 2


# --- Japan ---------------------------------------------------------------------------------------


def test_co_prosperity_counts_goods_outside_japan_in_supply() -> None:
    award = ("japan", "co_prosperity_sphere")
    goods = {
        area: land.oil + land.resource
        for area, land in FACTS.lands.items()
        if position().control[area] == "japan" and land.country != "japan"
    }
    have = sum(goods.values())
    more = {"manila": "japan", "borneo": "japan", "south_east_asia": "japan", "chungking": "japan"}
    extra = sum(FACTS.lands[area].oil + FACTS.lands[area].resource for area in more)
    assert have < 6 <= have + extra
    assert gained(*award) == 0
    assert gained(*award, control=more, units={}) == 1
    # A ship in every sea around them cuts the supply lines.
    fleet = {"at": "south_china_sea", "size": 2}
    wars = [["japan", "usa"], ["germany", "afa"]]
    cut = {
        "usa_pacific_fleet": fleet,
        "usa_3rd_fleet": {"at": "east_china_sea"},
        "usa_12th_fleet": {"at": "japanese_coast"},
        "usa_5th_fleet": {"at": "micronesia"},
    }
    blocked = gained(
        *award,
        control=more,
        wars=wars,
        units=cut,
        convoy_damage={"south_china_sea": 2, "east_china_sea": 2, "japanese_coast": 1},
    )
    assert blocked == 0


def test_decisive_battle_takes_size_4_of_allied_ships() -> None:
    award = ("japan", "decisive_battle")
    assert gained(*award, deeds={"sunk:usa": 3}) == 0
    assert gained(*award, deeds={"sunk:usa": 3, "sunk:afa": 1}) == 1
    assert gained(*award, deeds={"sunk:japan": 9}) == 0


@pytest.mark.rule("blitz:8.sample-a")
def test_tenno_zan_counts_western_air_and_naval_units_near_tokyo() -> None:
    ships = {
        "usa_pacific_fleet": {"at": "japanese_coast", "size": 4},
        "usa_5th_fleet": {"at": "micronesia", "size": 4},
        "usa_7th_fleet": {"at": "leyte_gulf", "size": 4},
        "usa_atlantic_fleet": {"at": "east_china_sea", "size": 4},
    }
    award = ("japan", "tenno_zan")
    assert gained(*award, units=ships) == 1
    less = {**ships, "usa_atlantic_fleet": {"at": "north_sea", "size": 4}}
    assert gained(*award, units=less) == 0
    islands = {
        **less,
        "usa_pacific_air_force": {"at": "marianas", "size": 2},
        "usa_5th_air_force": {"at": "okinawa", "size": 2},
    }
    held = {"marianas": "usa", "okinawa": "usa"}
    assert gained(*award, units=islands, control=held) == 1


def test_victory_in_the_cbi() -> None:
    award = ("japan", "victory_in_the_cbi")
    assert gained(*award, control={"burma": "japan"}) == 0
    assert gained(*award, control={"burma": "japan", "calcutta": "japan"}) == 1
    assert gained(*award, control={"calcutta": "japan"}) == 0


# --- the AFA --------------------------------------------------------------------------------------


def test_maintain_the_empire() -> None:
    award = ("afa", "maintain_the_empire")
    assert gained(*award, turn=3) == 0
    assert gained(*award, turn=4) == 1
    assert gained(*award, turn=4, control={"burma": "japan"}) == 1
    assert gained(*award, turn=4, control={"burma": "japan", "singapore": "japan"}) == 0
    assert gained(*award, turn=4, control={"darwin": "japan"}) == 0


def test_maintain_the_empire_looks_at_what_is_in_play() -> None:
    award = ("afa", "maintain_the_empire")
    assert gained(*award, scenario="F", turn=4) == 1
    assert gained(*award, scenario="F", turn=4, control={"egypt": "germany"}) == 0


@pytest.mark.rule("blitz:8.sample-a")
def test_mediterranean_influence() -> None:
    award = ("afa", "mediterranean_influence")
    coast = FACTS.coast["mediterranean_sea"]
    assert sum(position().control[area] == "afa" for area in coast) == 5
    assert gained(*award) == 0
    assert gained(*award, control={"balkans": "usa"}) == 0, "six areas"
    seven = {"balkans": "usa", "istanbul": "usa"}
    assert gained(*award, control=seven) == 1
    fleet = {"ger_regia_marina": {"at": "mediterranean_sea", "size": 1}}
    assert gained(*award, control=seven, units=fleet) == 0
    assert gained(*award, control=seven, units={"ger_sommergibili": "mediterranean_sea"}) == 1
    others = {area: "usa" for area in coast if position().control[area] == "afa"}
    assert gained(*award, control={**others, **seven}) == 0


@pytest.mark.rule("blitz:8.nocas-a")
def test_ex_8_nocas() -> None:
    """The USA took Morocco and Algeria without loss and gave them back to the AFA."""
    got = scored(
        taken={"morocco": ("usa", True), "algeria": ("usa", True)},
        control={"morocco": "afa", "algeria": "afa"},
    )
    assert got["usa", "no_casualties"] == 1
    assert ("afa", "no_casualties") not in got


@pytest.mark.rule("blitz:errata.no-casualties")
def test_no_casualties_needs_the_area_still_at_the_end_of_the_turn() -> None:
    award = ("afa", "no_casualties")
    assert gained(*award, taken={"libya": ("afa", True)}, control={"libya": "afa"}) == 1
    assert gained(*award, taken={"libya": ("afa", True)}) == 0, "lost to an Axis Blitz"
    assert gained(*award, taken={"libya": ("afa", False)}, control={"libya": "afa"}) == 0


def test_rule_the_waves() -> None:
    award = ("afa", "rule_the_waves")
    assert gained(*award) == 1
    assert gained(*award, units={"ger_u_boat_i": "north_atlantic"}) == 0
    assert gained(*award, deeds={"convoy_damage:north_atlantic": 1}) == 0
    assert gained(*award, deeds={"convoy_damage:usa_east_coast": 1}) == 1


def test_strategic_bombing() -> None:
    assert gained("afa", "strategic_bombing", deeds={"factory_damage:afa": 2}) == 0
    assert gained("afa", "strategic_bombing", deeds={"factory_damage:afa": 3}) == 1


# --- the USSR -------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:8.sample-a")
def test_annihilate_the_wehrmacht() -> None:
    award = ("ussr", "annihilate_the_wehrmacht")
    assert gained(*award, deeds={"destroyed:ARM:germany:ussr": 2}) == 1
    assert gained(*award, deeds={"destroyed:INF:germany:ussr": 2}) == 0
    assert gained(*award, deeds={"destroyed:ARM:germany:usa": 1}) == 0
    assert gained(*award, deeds={"lost:ARM:germany:ussr": 1}) == 0


@pytest.mark.rule("blitz:errata.buffer-zone")
def test_the_buffer_zone_is_next_to_the_ussr() -> None:
    award = ("ussr", "buffer_zone")
    two = {"poland": "ussr", "finland": "ussr"}
    assert gained(*award, control=two) == 0
    assert gained(*award, control={**two, "central_europe": "ussr"}) == 1
    assert gained(*award, control={**two, "berlin": "ussr"}) == 0, "not next to the USSR"


def test_five_year_plan() -> None:
    assert gained("ussr", "five_year_plan", deeds={"goods:ussr": 8}) == 0
    assert gained("ussr", "five_year_plan", deeds={"goods:ussr": 9}) == 1


def test_mother_russia() -> None:
    award = ("ussr", "mother_russia")
    war = [["germany", "afa"], ["germany", "ussr"]]
    assert gained(*award, turn=4) == 0, "at peace"
    assert gained(*award, turn=3, wars=war) == 0
    assert gained(*award, turn=4, wars=war) == 1
    assert gained(*award, turn=4, wars=war, control={"moscow": "germany"}) == 0


# --- the USA --------------------------------------------------------------------------------------


def test_arsenal_of_democracy() -> None:
    award = ("usa", "arsenal_of_democracy")
    assert gained(*award, deeds={"lend_lease:usa": 3}) == 0
    assert gained(*award, deeds={"lend_lease:usa": 4}) == 1


@pytest.mark.rule("blitz:8.sample-a")
def test_bring_democracy_to_asia() -> None:
    award = ("usa", "bring_democracy_to_asia")
    assert gained(*award) == 0
    assert gained(*award, control={"harbin": "ussr"}) == 0
    assert gained(*award, control={"harbin": "ussr", "port_arthur": "usa"}) == 1
    assert gained(*award, control={"peking": "usa"}) == 1, "all of China"
    assert gained(*award, control={"south_east_asia": "usa", "harbin": "usa"}) == 0, (
        "South-East Asia was not the Axis's at the start"
    )


@pytest.mark.rule("blitz:errata.pacific-domination")
def test_every_axis_unit_spoils_pacific_domination() -> None:
    award = ("usa", "pacific_domination")
    wars = [("usa", "japan"), ("usa", "germany")]
    assert gained(*award) == 0, "nothing is dominated in peace"
    assert gained(*award, wars=wars) == 1
    assert gained(*award, wars=wars, units={"jap_i_boats": "japanese_coast"}) == 1
    assert gained(*award, wars=wars, units={"jap_i_boats": "micronesia"}) == 0
    assert gained(*award, wars=wars, units={"ger_u_boat_i": "coral_sea"}) == 0
    assert gained(*award, wars=wars, units={"jap_zeroes": "micronesia"}) == 0


@pytest.mark.rule("blitz:8.sample-a")
def test_second_front() -> None:
    award = ("usa", "second_front")
    units = {"usa_1st_us_army": {"at": "paris", "size": 2}, "usa_3rd_army": {"at": "london"}}
    war = [["germany", "usa"], ["germany", "afa"], ["japan", "usa"]]
    more = {**units, "usa_3rd_army": {"at": "london", "size": 2}}
    assert gained(*award, units=units, wars=war) == 0
    assert gained(*award, units=more, wars=war) == 1
    lost = {"paris": "germany", "vichy_france": "germany"}
    home = {**more, "usa_1st_us_army": {"at": "london", "size": 2}}
    assert gained(*award, units=home, wars=war, control=lost) == 0


# --- all powers -----------------------------------------------------------------------------------


@pytest.mark.rule("blitz:8.atomic-a")
def test_ex_8_atomic() -> None:
    """The USA was first; Germany and the AFA come second together, and both get the 3 points."""
    got = scored(turn=9, atomic=[("usa", 8), ("germany", 9), ("afa", 9)])
    assert got["germany", "join_atomic_club"] == got["afa", "join_atomic_club"] == 3
    assert ("usa", "join_atomic_club") not in got


@pytest.mark.rule("blitz:8.atomic-a")
def test_later_places_in_the_atomic_club_are_worth_less() -> None:
    assert scored(turn=9, atomic=[("usa", 9)])["usa", "join_atomic_club"] == 3
    three = [("usa", 7), ("germany", 8), ("afa", 9)]
    assert scored(turn=9, atomic=three)["afa", "join_atomic_club"] == 2
    four = [("usa", 7), ("germany", 7), ("afa", 8), ("ussr", 9)]
    assert scored(turn=9, atomic=four)["ussr", "join_atomic_club"] == 1


# --- the end --------------------------------------------------------------------------------------


TURN_12: dict[str, Any] = {
    "turn": 12,
    "vp": {"germany": 9, "japan": 12, "ussr": 12, "afa": 8, "usa": 13},
    "wars": [[a, b] for a in ("germany", "japan") for b in ("afa", "usa", "ussr")],
    "control": {
        "berlin": "ussr",
        "poland": "ussr",
        "finland": "ussr",
        "central_europe": "ussr",
        "leningrad": "germany",
        "harbin": "usa",
        "port_arthur": "usa",
        "darwin": "japan",
        "paris": "usa",
        "portugal": "usa",
        "norway": "usa",
        "balkans": "afa",
        "libya": "afa",
    },
    "deeds": {"destroyed:ARM:germany:ussr": 1, "super_weapon:germany": 1},
    "units": {
        "usa_1st_us_army": {"at": "paris", "size": 4},
        "usa_pacific_fleet": {"at": "japanese_coast", "size": 4},
        "usa_5th_fleet": {"at": "micronesia", "size": 4},
        "usa_7th_fleet": {"at": "leyte_gulf", "size": 4},
        "usa_fast_carriers": {"at": "east_china_sea", "size": 4},
        "jap_i_boats": "micronesia",
        "ger_u_boat_i": "north_atlantic",
    },
}


@pytest.mark.rule("blitz:8.sample-a")
@pytest.mark.rule("blitz:8b")
@pytest.mark.rule("blitz:8c")
@pytest.mark.rule("blitz:8d")
def test_ex_8_turn12() -> None:
    """The USSR has its 2 points for Berlin (10 + 2) at once; the rest comes with the count."""
    before = {**TURN_12["vp"], "ussr": 10}
    s = position(phase="allied_activities", step="F", wars=TURN_12["wars"], vp=before)
    run(s, lambda g: take_control(g, "berlin", "ussr"))
    assert s.vp == TURN_12["vp"]
    play = Play("campaign", {"players": 4}, phase="turn_end", step="victory", **TURN_12)
    gains = {
        power: sorted(e["award"] for e in play.events("scored") if e["power"] == power)
        for power in play.state.scenario.powers
    }
    assert gains == {
        "ussr": ["annihilate_the_wehrmacht", "buffer_zone"],
        "afa": ["mediterranean_influence"],
        "usa": ["bring_democracy_to_asia", "second_front"],
        "germany": ["long_war", "super_weapons"],
        "japan": ["long_war", "tenno_zan"],
    }
    s = play.state
    assert s.vp == {"germany": 12, "japan": 15, "ussr": 14, "afa": 9, "usa": 15}
    result = play.game.result
    assert result is not None
    assert result.winners == ("japan",)
    assert standings(s) == [
        (1, ("japan",), 15),
        (2, ("ussr",), 14),
        (3, ("germany",), 12),
        (3, ("afa", "usa"), 12),
    ]


@pytest.mark.rule("blitz:9.1d")
def test_ex_9_1_final() -> None:
    """With their bids Japan and the USSR share the first place; the bids did not end the game."""
    bids = {"germany": -3, "afa": 0, "ussr": 2, "japan": 1}
    play = Play("campaign", {"players": 4}, phase="turn_end", step="victory", bids=bids, **TURN_12)
    assert standings(play.state) == [
        (1, ("japan",), 16),
        (1, ("ussr",), 16),
        (3, ("afa", "usa"), 12),
        (4, ("germany",), 9),
    ]
    assert play.game.result is not None
    assert play.game.result.winners == ("japan", "ussr")


@pytest.mark.rule("blitz:9.1d")
def test_a_bid_does_not_end_the_game() -> None:
    play = Play(phase="turn_end", step="victory", vp={"germany": 13}, bids={"germany": 3})
    assert play.game.result is None


@pytest.mark.rule("blitz:8a")
def test_the_marker_stops_at_15() -> None:
    play = Play(phase="turn_end", step="victory", turn=15, vp={"germany": 14})
    assert play.state.vp["germany"] == 15


@pytest.mark.rule("blitz:8a")
def test_points_can_be_negative() -> None:
    s = position(vp={"germany": -2})
    assert s.vp["germany"] == -2


@pytest.mark.rule("blitz:8b")
def test_the_game_goes_on_without_a_marker_at_15_and_ends_after_turn_15() -> None:
    going = Play(phase="turn_end", step="victory", turn=9, vp={"germany": 14})
    assert going.game.result is None
    assert going.state.turn == 10
    conquered = {c: "allies" for c, p in position().allied.items() if p in ("germany", "japan")}
    ended = Play(phase="turn_end", step="victory", turn=15, conquered=conquered)
    assert ended.game.result is not None
    assert max(ended.state.vp.values()) < 15


@pytest.mark.rule("blitz:F.8a")
def test_a_player_with_a_power_at_15_may_still_lose() -> None:
    s = position("F", {"players": 2}, vp={"germany": 10, "usa": 15, "afa": 4, "ussr": 5})
    assert final_result(s).winners == ("germany",)
    assert standings(s)[1] == (2, ("afa", "usa", "ussr"), 8)


@pytest.mark.rule("blitz:8d")
def test_averages_keep_their_fractions() -> None:
    s = position("F", {"players": 3}, vp={"germany": 4, "usa": 4, "afa": 5, "ussr": 0})
    assert standings(s)[0] == (1, ("afa", "usa"), Fraction(9, 2))
    assert final_result(s).winners == ("afa", "usa")


@pytest.mark.rule("blitz:8c")
def test_equal_scores_share_the_place() -> None:
    s = position(vp={"germany": 7, "ussr": 7})
    assert final_result(s).winners == ("germany", "ussr")
    assert [place for place, _, _ in standings(s)] == [1, 1, 3, 3, 3]
    everybody = position()
    assert final_result(everybody).winners == ()
    assert "draw" in final_result(everybody).reason


def test_awards_open_to_the_powers_of_a_scenario() -> None:
    s: State = position("D")
    assert not open_to(s, "western_allies", "join_atomic_club")
    assert open_to(s, "germany", "join_atomic_club")
    assert not open_to(position("B"), "germany", "control_industrial_might")
