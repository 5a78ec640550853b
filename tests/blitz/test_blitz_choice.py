"""Choosing a Blitz: when, which, and for what (2.2, 9.7, and the scenarios' own)."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.games.blitz.rules.bases import Return
from sandtable.games.blitz.rules.blitz import check_blitz, takes_part, use_blitz
from sandtable.games.blitz.rules.choose_blitz import AnnounceBlitz, cost, kinds
from sandtable.games.blitz.rules.move_to_sea import Fly, Sail
from sandtable.games.blitz.rules.order import steps_of
from sandtable.games.blitz.rules.sea_combat import CallCombat, Engage, FightAt
from sandtable.games.blitz.rules.steps import Done
from sandtable.kernel.decisions import Pass
from sandtable.kernel.errors import IllegalDecision
from tests.blitz.table import Play, position

WAR = [("germany", "afa"), ("germany", "usa"), ("japan", "usa"), ("japan", "afa")]


def choosing(scenario: str = "campaign", side: str = "axis", **given: Any) -> Play:
    return Play(scenario, phase=f"{side}_blitzes", step="blitz", **given)


def blitzing(kind: str, step: str = "A", **given: Any) -> Play:
    """Germany has a Blitz of a kind; Japan has a free one, and nothing to move."""
    blitz = {"germany": kind, "japan": "free"}
    return Play(phase="axis_blitzes", step=step, blitz=blitz, **given)


def allowed(s: Any, id: str, step: str, **how: Any) -> str:
    """The rule that keeps a unit from acting in a step; nothing if none does."""
    try:
        check_blitz(s, id, step, **how)
    except IllegalDecision as refusal:
        return refusal.rule
    return ""


# --- announcing -----------------------------------------------------------------------------------


@pytest.mark.rule("blitz:2.2a")
def test_all_powers_of_a_side_announce_before_any_acts() -> None:
    play = choosing(oil={"germany": 2, "japan": 2}, units={"ger_bb_fleet": "north_sea"})
    assert {request.power for request in play.game.pending} == {"germany", "japan"}
    play.do("germany", AnnounceBlitz("total"))
    assert not play.state.blitz
    assert play.state.step == "blitz"
    play.do("japan", AnnounceBlitz("naval"))
    assert play.state.blitz == {"germany": "total", "japan": "naval"}
    assert play.state.step == "A"


@pytest.mark.rule("blitz:2.2b")
@pytest.mark.rule("blitz:2.2c")
@pytest.mark.rule("blitz:D.4a")
def test_what_a_blitz_costs() -> None:
    s = position("D")
    assert {kind: cost(s, kind) for kind in kinds(s)} == {
        "free": (0, 0),
        "air": (1, 0),
        "land": (1, 0),
        "naval": (1, 0),
        "total": (2, 0),
    }
    units = {"ger_bb_fleet": "north_sea"}
    poor = choosing("D", oil={"germany": 1}, units=units)
    assert poor.refused("germany", AnnounceBlitz("total")) == "2.2b"
    assert poor.refused("germany", AnnounceBlitz("lightning")) == "2.2b"
    poor.do("germany", AnnounceBlitz("naval"))
    assert (poor.state.oil["germany"], poor.state.blitz["germany"]) == (0, "naval")
    rich = choosing("D", oil={"germany": 3}, units=units).do("germany", AnnounceBlitz("total"))
    assert rich.state.oil["germany"] == 1
    saves = choosing("D", oil={"germany": 3}, units=units).do("germany", AnnounceBlitz("free"))
    assert saves.state.oil["germany"] == 3


@pytest.mark.rule("blitz:2.2b")
def test_without_oil_a_power_has_the_free_blitz() -> None:
    play = choosing("D", oil={"germany": 0}, units={"ger_bb_fleet": "north_sea"})
    assert play.state.blitz == {"germany": "free"}
    assert play.events("blitz_announced") == [
        {"power": "germany", "blitz": "free", "oil": 0, "resources": 0}
    ]


@pytest.mark.rule("blitz:C.5a")
@pytest.mark.rule("blitz:C.5b")
@pytest.mark.rule("blitz:C.5c")
def test_scenario_c_has_free_and_naval_blitzes() -> None:
    units = {"ger_bb_fleet": "north_sea"}
    play = choosing("C", oil={"germany": 1}, units=units)
    for kind in ("air", "land", "total"):
        assert play.refused("germany", AnnounceBlitz(kind)) == "2.2b"
    play.do("germany", AnnounceBlitz("naval"))
    assert play.state.oil["germany"] == 0
    none = choosing("C", oil={"germany": 0}, units=units)
    assert none.state.blitz == {"germany": "free"}
    # Every action a second time but rebasing.
    s = play.state
    letters = [step for step in steps_of(s) if len(step) == 1]
    assert [step for step in letters if takes_part(s, "germany", step)] == ["A", "B", "C"]
    allies = choosing("C", "allied", oil={"western_allies": 1}, units={"afa_home_fleet": "london"})
    allies.do("western_allies", AnnounceBlitz("naval"))


@pytest.mark.rule("blitz:A.8b")
@pytest.mark.rule("blitz:C.5c")
def test_germanys_land_blitz_in_scenario_a_is_free() -> None:
    play = choosing("A", units={"ger_6th_army": "berlin", "ger_stukas": "berlin"})
    assert play.state.blitz == {"germany": "land"}
    assert play.state.oil["germany"] == 0
    s = play.state
    letters = [step for step in steps_of(s) if len(step) == 1]
    # All actions again, but air units do not rebase.
    assert letters == ["D", "E", "F"]
    assert [step for step in letters if takes_part(s, "germany", step)] == ["E", "F"]
    assert s.step == "E"


@pytest.mark.rule("blitz:A.8c")
@pytest.mark.rule("blitz:A.chart-a")
def test_the_afas_free_blitz_in_scenario_a_repeats_rebasing_and_moving() -> None:
    play = choosing(
        "A",
        "allied",
        units={
            "afa_royal_air_force": {"at": "london", "size": 2},
            "afa_2nd_army": {"at": "london", "size": 3},
        },
    )
    assert play.state.blitz == {"afa": "free"}
    s = play.state
    acts = [step for step in steps_of(s) if len(step) == 1 and takes_part(s, "afa", step)]
    assert acts == ["D", "E"]
    use_blitz(s, "afa_royal_air_force", "D")
    assert allowed(s, "afa_2nd_army", "E") == "2.2.free-a"
    assert allowed(s, "afa_2nd_army", "F", attack="ground") == "2.2d"


@pytest.mark.rule("blitz:B.6a")
def test_the_blitzes_of_scenario_b_are_given_and_cost_nothing() -> None:
    axis = choosing("B", units={"ger_6th_army": "berlin"})
    assert axis.state.blitz == {"germany": "land"}
    allies = choosing("B", "allied", units={"afa_home_fleet": "london"})
    assert allies.state.blitz == {"western_allies": "total"}
    s = allies.state
    assert s.oil["western_allies"] == 0
    letters = [step for step in steps_of(s) if len(step) == 1]
    assert all(takes_part(s, "western_allies", step) for step in letters)


# --- what each one lets act -----------------------------------------------------------------------


@pytest.mark.rule("blitz:2.2d")
@pytest.mark.rule("blitz:D.4a")
def test_the_steps_of_each_blitz() -> None:
    steps = {"air": "ABCDEF", "land": "EF", "naval": "ABC", "total": "ABCDEF", "free": "ABDE"}
    for kind, letters in steps.items():
        s = position(phase="axis_blitzes", step="A", blitz={"germany": kind})
        assert "".join(x for x in "ABCDEF" if takes_part(s, "germany", x)) == letters
    s = position(phase="axis_activities", step="A", blitz={"germany": "land"})
    assert all(takes_part(s, "germany", x) for x in "ABCDEF")


@pytest.mark.rule("blitz:2.2d")
def test_blitzes_follow_the_ordinary_order_of_steps() -> None:
    s = position(phase="axis_blitzes", step="A")
    assert [step for step in steps_of(s) if len(step) == 1] == list("ABCDEF")


@pytest.mark.rule("blitz:2.2d")
def test_units_may_be_attacked_whatever_their_power_chose() -> None:
    """The AFA's Free Blitz of the enemy's phase before does not matter to its fleet."""
    play = blitzing(
        "naval",
        "B",
        units={
            "ger_bb_fleet": {"at": "western_germany", "size": 2},
            "afa_north_sea_fleet": {"at": "north_sea", "size": 2},
        },
        turn=4,
    )
    play.do("germany", Sail("ger_bb_fleet", ("north_sea",)))
    assert play.events("sea_combat")[0]["defenders"] == {"afa": ("afa_north_sea_fleet",)}


@pytest.mark.rule("blitz:2.2.air-a")
def test_in_an_air_blitz_only_air_units_act() -> None:
    units = {
        "ger_he_111s": "north_sea",
        "ger_bb_fleet": "north_sea",
        "ger_graf_zeppelin": "north_sea",
        "ger_u_boat_i": "western_germany",
        "ger_6th_army": "berlin",
    }
    play = blitzing("air", units=units)
    home = Return("ger_bb_fleet", "western_germany", "north_sea")
    assert play.refused("germany", home) == "2.2.air-a"
    carrier = Return("ger_graf_zeppelin", "western_germany", "north_sea")
    assert play.refused("germany", carrier) == "2.2.air-a"
    # What is not at sea is told that, whatever the Blitz.
    army = Return("ger_6th_army", "western_germany")
    assert play.refused("germany", army) == "4.1d"
    play.do("germany", Return("ger_he_111s", "western_germany"))
    s = play.state
    assert allowed(s, "ger_u_boat_i", "B") == "2.2.air-a"
    assert allowed(s, "ger_6th_army", "E") == "2.2.air-a"
    assert allowed(s, "ger_6th_army", "F", attack="ground") == "2.2.air-a"
    assert allowed(s, "ger_he_111s", "F", attack="factory") == ""
    # But CVs at sea join a Port Attack.
    assert allowed(s, "ger_graf_zeppelin", "F", attack="port") == ""
    assert allowed(s, "ger_graf_zeppelin", "F", attack="ground") == "2.2.air-a"
    assert allowed(s, "ger_bb_fleet", "F", attack="port") == "2.2.air-a"


@pytest.mark.rule("blitz:2.2.land-a")
def test_in_a_land_blitz_the_only_combat_is_a_ground_attack() -> None:
    s = position(
        phase="axis_blitzes",
        step="F",
        blitz={"germany": "land"},
        units={"ger_he_111s": "berlin", "ger_6th_army": "berlin", "ger_bb_fleet": "north_sea"},
    )
    for id in ("ger_he_111s", "ger_6th_army", "ger_bb_fleet"):
        assert allowed(s, id, "F", attack="ground") == ""
    assert allowed(s, "ger_he_111s", "F", attack="factory") == "2.2.land-a"
    assert allowed(s, "ger_he_111s", "F", attack="port") == "2.2.land-a"
    assert allowed(s, "ger_he_111s", "D") == "2.2d"
    assert allowed(s, "ger_6th_army", "E") == ""


@pytest.mark.rule("blitz:2.2.naval-a")
def test_a_naval_blitz_has_the_three_steps_at_sea_for_any_unit() -> None:
    play = blitzing(
        "naval",
        "B",
        units={
            "ger_baltic_trs": "western_germany",
            "ger_6th_army": "western_germany",
            "ger_he_111s": "western_germany",
        },
    )
    play.do(
        "germany", Sail("ger_baltic_trs", ("north_sea", "arctic_ocean"), load=("ger_6th_army",))
    )
    assert play.state.units["ger_6th_army"].aboard == "ger_baltic_trs"
    s = play.state
    assert allowed(s, "ger_he_111s", "B") == ""
    assert allowed(s, "ger_he_111s", "D") == "2.2d"
    assert allowed(s, "ger_he_111s", "F", attack="factory") == "2.2d"
    play.do("germany", Done())
    assert "germany" not in play.state.queue


@pytest.mark.rule("blitz:2.2.total-a")
def test_a_total_blitz_lets_everything_act() -> None:
    s = position(
        phase="axis_blitzes",
        step="F",
        blitz={"germany": "total"},
        units={"ger_he_111s": "berlin", "ger_6th_army": "berlin", "ger_bb_fleet": "north_sea"},
    )
    for id in s.units:
        for step in "ABCDEF":
            assert allowed(s, id, step) == ""
        for attack in ("ground", "factory", "port"):
            assert allowed(s, id, "F", attack=attack) == ""


@pytest.mark.rule("blitz:2.2e")
@pytest.mark.rule("blitz:2.2f")
def test_ex_2_2_land() -> None:
    """The USA's Total Blitz brings a fleet to the North Atlantic; the AFA's, with its Land Blitz,
    fights there too."""
    units: dict[str, Any] = {
        "usa_atlantic_fleet": {"at": "atlantic_seaboard", "size": 2},
        "afa_home_fleet": {"at": "north_atlantic", "size": 2},
        "ger_bb_fleet": {"at": "north_atlantic", "size": 2},
    }

    def phase(usa: str) -> Play:
        return Play(
            phase="allied_blitzes",
            step="B",
            blitz={"usa": usa, "afa": "land", "ussr": "free"},
            units=units,
            wars=WAR,
            turn=8,
        )

    play = phase("total")
    play.do("usa", Sail("usa_atlantic_fleet", ("usa_east_coast", "north_atlantic")))
    fight = play.events("sea_combat")[0]
    assert (fight["space"], fight["attackers"], fight["defenders"]) == (
        "north_atlantic",
        {"afa": ("afa_home_fleet",), "usa": ("usa_atlantic_fleet",)},
        {"germany": ("ger_bb_fleet",)},
    )
    # Nobody whose Blitz has step C: no combat.
    assert not phase("land").events("sea_combat")


# --- the Free Blitz -------------------------------------------------------------------------------


def free(step: str, units: dict[str, Any], **given: Any) -> Play:
    return blitzing("free", step, units=units, **given)


@pytest.mark.rule("blitz:2.2.free-a")
@pytest.mark.rule("blitz:D.4b")
def test_a_free_blitz_moves_size_four() -> None:
    play = free(
        "A",
        {
            "ger_bb_fleet": {"at": "north_sea", "size": 2},
            "ger_high_seas_fleet": {"at": "north_sea", "size": 3},
            "ger_u_boat_i": {"at": "north_sea", "size": 2},
            "ger_u_boat_ii": {"at": "north_sea", "size": 1},
            "jap_combined_fleet": {"at": "japanese_coast", "size": 1},
        },
    )

    def home(id: str) -> Return:
        return Return(id, "western_germany", "north_sea")

    play.do("germany", home("ger_bb_fleet"))
    assert play.refused("germany", home("ger_high_seas_fleet")) == "2.2.free-a"
    play.do("germany", home("ger_u_boat_i"))
    assert play.state.free_used["germany"] == 4
    assert play.state.units["ger_u_boat_ii"].at == "north_sea"


@pytest.mark.rule("blitz:2.2.free-b")
def test_returning_and_sailing_counts_twice() -> None:
    play = free(
        "A",
        {
            "ger_bb_fleet": {"at": "north_sea", "size": 2},
            "ger_u_boat_i": {"at": "western_germany", "size": 1},
        },
    )
    play.do("germany", Return("ger_bb_fleet", "western_germany", "north_sea"))
    assert play.state.free_used["germany"] == 2
    play.do("germany", Sail("ger_bb_fleet", ("north_sea", "north_atlantic")))
    assert play.state.free_used["germany"] == 4
    assert play.state.units["ger_u_boat_i"].at == "western_germany"
    big = free(
        "A",
        {
            "ger_high_seas_fleet": {"at": "north_sea", "size": 3},
            "ger_u_boat_i": {"at": "western_germany", "size": 1},
        },
    )
    big.do("germany", Return("ger_high_seas_fleet", "western_germany", "north_sea"))
    twice = Sail("ger_high_seas_fleet", ("north_sea",))
    assert big.refused("germany", twice) == "2.2.free-a"


@pytest.mark.rule("blitz:2.2.free-b")
@pytest.mark.rule("blitz:2.2.free-c")
@pytest.mark.rule("blitz:D.4b")
def test_ex_2_2_free() -> None:
    """Kamikazes (1) count twice, Zeroes 2: 4 in all. The USA declines in the Bismarck Sea and has
    its combat in the East China Sea."""
    play = Play(
        phase="axis_blitzes",
        step="A",
        blitz={"germany": "free", "japan": "free"},
        wars=WAR,
        turn=12,
        control={"hollandia": "japan"},
        units={
            "jap_kamikazes": {"at": "japanese_coast", "size": 1},
            "jap_zeroes": {"at": "hollandia", "size": 2},
            "jap_combined_fleet": {"at": "bismarck_sea", "size": 2},
            "usa_8th_fleet": {"at": "bismarck_sea", "size": 2},
            "usa_3rd_fleet": {"at": "east_china_sea", "size": 1},
        },
    )
    play.do("japan", Return("jap_kamikazes", "tokyo"), Done())
    play.do("japan", Fly("jap_kamikazes", "east_china_sea"), Fly("jap_zeroes", "bismarck_sea"))
    assert play.state.free_used == {"japan": 4}
    play.do("japan", FightAt("bismarck_sea"))
    assert isinstance(play.request_of("usa"), CallCombat)
    play.do("usa", Pass()).do("usa", Engage())
    assert [fight["space"] for fight in play.events("sea_combat")] == ["east_china_sea"]


@pytest.mark.rule("blitz:2.2.free-d")
def test_in_a_free_blitz_air_units_rebase_and_naval_units_do_not() -> None:
    s = free("D", {"ger_he_111s": "berlin", "ger_bb_fleet": "western_germany"}).state
    assert allowed(s, "ger_he_111s", "D") == ""
    assert allowed(s, "ger_bb_fleet", "D") == "2.2.free-d"


@pytest.mark.rule("blitz:2.2.free-e")
def test_cargo_counts_too_and_each_unit_once() -> None:
    play = free(
        "B",
        {
            "ger_baltic_trs": {"at": "western_germany", "size": 2},
            "ger_6th_army": {"at": "western_germany", "size": 2},
            "ger_army_group_center": {"at": "western_germany", "size": 1},
        },
    )
    other = "ger_army_group_center"
    both = Sail("ger_baltic_trs", ("north_sea",), load=("ger_6th_army", other))
    assert play.refused("germany", both) == "2.2.free-a"
    play.do("germany", Sail("ger_baltic_trs", ("north_sea",), load=("ger_6th_army",)))
    s = play.state
    assert s.free_used["germany"] == 4
    # Landing the army is a second move of the same unit, and adds nothing.
    assert allowed(s, "ger_6th_army", "E") == ""
    assert allowed(s, other, "E") == "2.2.free-a"


@pytest.mark.rule("blitz:2.2.free-e")
def test_a_partners_cargo_counts_for_its_own_power() -> None:
    play = Play(
        phase="allied_blitzes",
        step="B",
        blitz={"afa": "naval", "usa": "free", "ussr": "free"},
        wars=WAR,
        turn=8,
        units={
            "afa_europe_trs": {"at": "london", "size": 2},
            "usa_1st_us_army": {"at": "london", "size": 2},
        },
    )
    load = ("usa_1st_us_army",)
    play.do("afa", Sail("afa_europe_trs", ("north_sea", "arctic_ocean"), load=load))
    assert play.state.free_used == {"usa": 2}


def test_a_free_blitz_makes_no_unit_return() -> None:
    play = free("A", {"ger_bb_fleet": "usa_east_coast"})
    play.do("germany", Done())
    assert play.state.units["ger_bb_fleet"].at == "usa_east_coast"


# --- the Non-Motorized Land Blitz -----------------------------------------------------------------

FOOT = {"non_motorized_blitz": True}


@pytest.mark.rule("blitz:9.7a")
def test_a_land_blitz_may_be_paid_with_a_resource() -> None:
    given: dict[str, Any] = {
        "units": {"ger_6th_army": "berlin"},
        "oil": {"germany": 1},
        "resources": {"germany": 1},
    }
    plain = choosing("D", **given)
    assert plain.refused("germany", AnnounceBlitz("foot")) == "2.2b"
    play = choosing("D", options=FOOT, **given).do("germany", AnnounceBlitz("foot"))
    assert (play.state.oil["germany"], play.state.resources["germany"]) == (1, 0)
    assert play.state.blitz["germany"] == "foot"
    poor = choosing("D", options=FOOT, **{**given, "resources": {"germany": 0}})
    assert poor.refused("germany", AnnounceBlitz("foot")) == "9.7a"


@pytest.mark.rule("blitz:9.7a")
def test_on_foot_one_armour_air_or_naval_unit_acts_in_all() -> None:
    s = position(
        options=FOOT,
        phase="axis_blitzes",
        step="E",
        blitz={"germany": "foot"},
        units={
            "ger_waffen_ss_army": "berlin",
            "ger_6th_army": "berlin",
            "ger_luftwaffe": "berlin",
            "ger_bb_fleet": "baltic_sea",
        },
    )
    assert s.type("ger_waffen_ss_army") == "ARM"
    assert s.type("ger_6th_army") == "INF"
    assert "".join(x for x in "ABCDEF" if takes_part(s, "germany", x)) == "EF"
    use_blitz(s, "ger_waffen_ss_army", "E")
    use_blitz(s, "ger_6th_army", "E")
    assert allowed(s, "ger_waffen_ss_army", "F", attack="ground") == ""
    assert allowed(s, "ger_6th_army", "F", attack="ground") == ""
    for id in ("ger_luftwaffe", "ger_bb_fleet"):
        assert allowed(s, id, "F", attack="ground") == "9.7a"
    assert allowed(s, "ger_6th_army", "F", attack="factory") == "2.2.land-a"


@pytest.mark.rule("blitz:3.4.conq-c")
def test_a_power_that_is_out_of_the_game_announces_no_blitz() -> None:
    allied = position().allied
    out = {country: "allies" for country, owner in allied.items() if owner == "japan"}
    oil = {"germany": 2, "japan": 2}
    play = Play(phase="axis_blitzes", step="blitz", conquered=out, oil=oil)
    assert [request.power for request in play.game.pending] == ["germany"]
    play.do("germany", AnnounceBlitz("free"))
    assert "japan" not in [each["power"] for each in play.events("blitz_announced")]
