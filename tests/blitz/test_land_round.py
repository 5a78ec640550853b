"""The Land Round and the change of control (6.2, 6.6)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.bases import ChooseBase
from sandtable.games.blitz.rules.factors import printed
from sandtable.games.blitz.rules.land_combat import AnnounceAttack, Defend
from sandtable.games.blitz.rules.land_round import (
    Pick,
    PickBlocked,
    PickRetreating,
    attack_strength,
    defence_strength,
    more_armour,
)
from sandtable.games.blitz.rules.retreat import ChooseRetreat, Retreat, retreat_areas
from sandtable.games.blitz.rules.rounds import AssignDamage, Damage
from sandtable.games.blitz.rules.steps import Done
from tests.blitz.table import Play, position

WARS = [
    ("germany", "afa"),
    ("germany", "usa"),
    ("germany", "ussr"),
    ("japan", "afa"),
    ("japan", "usa"),
]
DON_LAND = (
    "sov_byelorussian_front",
    "sov_western_front",
    "sov_far_eastern_front",
    "sov_guards_banner_army",
    "sov_transbaikal_front",
)
DON = {
    "sov_byelorussian_front": {"at": "stalingrad", "size": 3},
    "sov_western_front": {"at": "stalingrad", "size": 4},
    "sov_far_eastern_front": {"at": "stalingrad", "size": 1},
    "sov_guards_banner_army": {"at": "stalingrad", "size": 2},
    "sov_cavalry": {"at": "stalingrad", "size": 1},
    "sov_transbaikal_front": {"at": "caucasus_mountains", "size": 2},
    "sov_1st_air_army": {"at": "stalingrad", "size": 3},
    "sov_black_sea_fleet": {"at": "black_sea", "size": 2},
    "ger_waffen_ss_army": {"at": "don_basin", "size": 2},
    "ger_army_group_b": {"at": "don_basin", "size": 2},
}
DON_HELD = {"don_basin": "germany", "ukraine": "germany", "poland": "germany"}


def war(units: dict[str, Any], **given: Any) -> State:
    """The campaign with the powers at war, on a turn without snow unless told."""
    state: State = position("campaign", units=units, wars=WARS, **{"turn": 5, **given})
    return state


def attack(
    target: str,
    committed: tuple[str, ...],
    units: dict[str, Any],
    *,
    by: str = "germany",
    flying: tuple[str, ...] = (),
    scenario: str = "campaign",
    options: dict[str, Any] | None = None,
    **given: Any,
) -> Play:
    """A game in which one Ground Attack has been announced, and all are done announcing."""
    side = "axis" if by in ("germany", "japan") else "allied"
    setting: dict[str, Any] = {"turn": 5, "phase": f"{side}_activities", "step": "F"}
    if scenario == "campaign":
        setting["wars"] = WARS
    play = Play(scenario, options, units=units, **{**setting, **given})
    while play.state.queue[0] != by:
        play.do(play.state.queue[0], Done())
    play.do(by, AnnounceAttack("ground", target, committed, flying=flying))
    phase = play.state.phase
    while play.state.queue and play.state.phase == phase:
        play.do(play.state.queue[0], Done())
    return play


def size(play: Play, id: str) -> int:
    """The Size of a unit; none if it is not on the map."""
    return play.state.units[id].size if id in play.state.units else 0


def places(play: Play, *ids: str) -> list[str]:
    return [play.state.units[id].at for id in ids]


# --- what the sides fire with ---------------------------------------------------------------------


@pytest.mark.rule("blitz:data.terrain-chart")
@pytest.mark.rule("blitz:1.4a")
@pytest.mark.rule("blitz:D.2a")
@pytest.mark.rule("blitz:A.6j")
@pytest.mark.rule("blitz:6.2c")
@pytest.mark.rule("blitz:6.2g")
@pytest.mark.parametrize(
    ("area", "attackers", "defenders", "with_air"),
    [
        ("london", 6, 3, 6),  # clear: 3 + 3
        ("canton", 5, 3, 5),  # forest: 3 + 1.5; the defenders' air support is halved, too
        ("burma", 3, 3, 6),  # jungle: 1.5 + 1.5
        ("leningrad", 3, 4, 7),  # swamp: the same, and a white triangle on the attacker
        ("morocco", 3, 4, 7),  # mountain
    ],
)
def test_terrain(area: str, attackers: int, defenders: int, with_air: int) -> None:
    s = war(
        {
            "ger_18th_army": {"at": "berlin", "size": 2},
            "ger_luftwaffe": {"at": "berlin", "size": 2},
            "usa_1st_us_army": {"at": area, "size": 2},
            "afa_royal_air_force": {"at": "london", "size": 3},
        }
    )
    mine, theirs = ["ger_18th_army"], ["usa_1st_us_army"]
    assert attack_strength(s, area, mine, ["ger_luftwaffe"], theirs) == attackers
    assert defence_strength(s, area, mine, theirs, []) == defenders
    assert defence_strength(s, area, mine, theirs, ["afa_royal_air_force"]) == with_air


@pytest.mark.rule("blitz:errata.austria-cz-mountain")
def test_austria_czechoslovakia_is_mountain() -> None:
    s = war(
        {
            "usa_1st_us_army": {"at": "western_germany", "size": 2},
            "ger_18th_army": {"at": "austria_czechoslovakia", "size": 2},
        },
        control={"western_germany": "usa"},
    )
    area, mine, theirs = "austria_czechoslovakia", ["usa_1st_us_army"], ["ger_18th_army"]
    assert attack_strength(s, area, mine, [], theirs) == 2  # 1.5
    assert defence_strength(s, area, mine, theirs, []) == 4
    assert s.facts.terrain[s.facts.lands[area].terrain].armour == 8


@pytest.mark.rule("blitz:data.snow-chart")
@pytest.mark.rule("blitz:1.4b")
@pytest.mark.rule("blitz:D.2a")
@pytest.mark.rule("blitz:6.2c")
def test_snow_halves_attackers_but_those_used_to_it() -> None:
    units = {
        "ger_waffen_ss_army": {"at": "stalingrad", "size": 2},
        "sov_western_front": {"at": "caucasus_mountains", "size": 2},
    }
    held = {**DON_HELD, "stalingrad": "germany"}
    ss, front, area = ["ger_waffen_ss_army"], ["sov_western_front"], "caucasus_mountains"
    for turn, factors in ((5, 3), (6, 1)):  # 5 / 2 = 2.5; 5 / 4 = 1.25
        s = war(units, control=held, turn=turn)
        assert attack_strength(s, area, ss, [], front) == factors
    back = war(
        {
            "sov_western_front": {"at": "moscow", "size": 2},
            "ger_18th_army": {"at": "stalingrad", "size": 2},
        },
        control=held,
        turn=6,
    )
    assert attack_strength(back, "stalingrad", front, [], ["ger_18th_army"]) == 3
    assert defence_strength(back, "stalingrad", front, ["ger_18th_army"], []) == 3


@pytest.mark.rule("blitz:D.2a")
@pytest.mark.rule("blitz:D.2b")
def test_ex_d_2() -> None:
    """5 Factors, halved by the mountains and by the snow: 1.25, and only then rounded."""
    s = position(
        "D",
        units={"ger_waffen_ss_army": {"at": "stalingrad", "size": 2}},
        control={"stalingrad": "germany"},
        turn=4,
    )
    assert attack_strength(s, "caucasus_mountains", ["ger_waffen_ss_army"], [], []) == 1
    # Rounded after each halving it would be 2; by the snow alone it is 2.5.
    assert attack_strength(s, "don_basin", ["ger_waffen_ss_army"], [], []) == 3


@pytest.mark.rule("blitz:5.3.snow-b")
def test_snowflake_halves_the_bombing_of_attackers() -> None:
    units = {
        "ger_18th_army": {"at": "berlin", "size": 2},
        "ger_luftwaffe": {"at": "berlin", "size": 2},
        "sov_western_front": {"at": "harbin", "size": 2},
        "sov_1st_air_army": {"at": "harbin", "size": 1},
    }
    mine, theirs, area = ["ger_18th_army"], ["sov_western_front"], "harbin"
    for turn, mine_factors in ((5, 6), (6, 5)):  # 3 + 3; 3 + 1.5
        s = war(units, turn=turn, control={area: "ussr"})
        assert attack_strength(s, area, mine, ["ger_luftwaffe"], theirs) == mine_factors
        assert defence_strength(s, area, mine, theirs, ["sov_1st_air_army"]) == 3 + 2


@pytest.mark.rule("blitz:6.2b")
@pytest.mark.rule("blitz:B.5b")
def test_units_off_a_transport_are_halved_but_marines() -> None:
    s = war(
        {
            "usa_3rd_fleet": {"at": "north_sea", "size": 2},
            "usa_1st_us_army": {"at": "north_sea", "size": 2, "aboard": "usa_3rd_fleet"},
            "usa_marines": {"at": "north_sea", "size": 2, "aboard": "usa_3rd_fleet"},
            "ger_18th_army": {"at": "western_germany", "size": 2},
        }
    )
    area, theirs = "western_germany", ["ger_18th_army"]
    assert attack_strength(s, area, ["usa_1st_us_army"], [], theirs) == 2  # 1.5
    assert attack_strength(s, area, ["usa_marines"], [], theirs) == 3
    assert attack_strength(s, area, ["usa_1st_us_army", "usa_marines"], [], theirs) == 5  # 4.5


@pytest.mark.rule("blitz:6.2a")
@pytest.mark.rule("blitz:B.5d")
def test_naval_support() -> None:
    s = war(
        {
            "usa_1st_us_army": {"at": "paris", "size": 4},
            "ger_18th_army": {"at": "western_germany", "size": 2},
            "afa_north_atlantic_fleet": {"at": "north_sea", "size": 4},
            "usa_pacific_fleet": {"at": "north_sea", "size": 2},
            "sov_black_sea_fleet": {"at": "north_sea", "size": 2},
            "ger_u_boat_ii": {"at": "north_sea", "size": 4},
            "usa_3rd_fleet": {"at": "north_sea", "size": 1},
        }
    )
    area, mine, theirs = "western_germany", ["usa_1st_us_army"], ["ger_18th_army"]
    for ship, added in (
        ("afa_north_atlantic_fleet", 2),  # Big CV
        ("usa_pacific_fleet", 1),  # Small CV
        ("sov_black_sea_fleet", 1),  # Small BB
        ("ger_u_boat_ii", 0),
        ("usa_3rd_fleet", 0),
    ):
        assert attack_strength(s, area, mine, [ship], theirs) == 7 + added


@pytest.mark.rule("blitz:6.2d")
@pytest.mark.rule("blitz:5.3.limit-d")
@pytest.mark.rule("blitz:A.6h")
def test_support_counts_up_to_the_land_units_before_triangles() -> None:
    s = war(
        {
            "ger_1st_para": {"at": "western_germany", "size": 1},
            "ger_luftwaffe": {"at": "western_germany", "size": 4},
            "afa_maginot_line": {"at": "paris", "size": 2},
            "afa_bomber_command": {"at": "london", "size": 4},
        }
    )
    mine, line = ["ger_1st_para"], ["afa_maginot_line"]
    # 1 + at most 1; had the cap come after the triangles, 1 + 6 - 5 would be 2.
    assert attack_strength(s, "paris", mine, ["ger_luftwaffe"], []) == 2
    assert attack_strength(s, "paris", mine, ["ger_luftwaffe"], line) == 1
    # The defenders' support: 3 + min(3, 4), and the PARA's white triangle on top.
    assert defence_strength(s, "paris", mine, line, ["afa_bomber_command"]) == 3 + 3 + 1


@pytest.mark.rule("blitz:6.2e")
@pytest.mark.rule("blitz:6.2f")
@pytest.mark.rule("blitz:A.6i")
def test_triangles() -> None:
    s = war(
        {
            "sov_transbaikal_front": {"at": "moscow", "size": 2},
            "sov_guards_banner_army": {"at": "moscow", "size": 2},
            "ger_waffen_ss_army": {"at": "ukraine", "size": 2},
            "ger_18th_army": {"at": "ukraine", "size": 2},
        },
        control={"ukraine": "germany", "poland": "germany"},
    )
    white, red = "sov_transbaikal_front", "sov_guards_banner_army"  # 2 Factors, 2 white; 4, 1 red
    # The attackers lose 1 for each red triangle of the Waffen SS, the defenders none.
    assert attack_strength(s, "ukraine", [white, red], [], ["ger_waffen_ss_army"]) == 6 - 3
    assert defence_strength(s, "ukraine", [white, red], ["ger_waffen_ss_army"], []) == 5 + 2
    # Turned round: white triangles on a defender add to the attackers' Factors.
    assert attack_strength(s, "moscow", ["ger_18th_army"], [], [white]) == 3 + 2
    assert defence_strength(s, "moscow", ["ger_18th_army"], [white], []) == 2


@pytest.mark.rule("blitz:6.2h")
def test_defenders_without_supply_have_two_more_white_triangles() -> None:
    units = {
        "sov_western_front": {"at": "moscow", "size": 2},
        "ger_18th_army": {"at": "stalingrad", "size": 2},
        "ger_army_group_b": {"at": "stalingrad", "size": 2},
    }
    defenders = ["ger_18th_army", "ger_army_group_b"]
    cut_off = war(units, control={"stalingrad": "germany"})
    assert attack_strength(cut_off, "stalingrad", ["sov_western_front"], [], defenders) == 3 + 4
    assert defence_strength(cut_off, "stalingrad", ["sov_western_front"], defenders, []) == 7
    linked = {"stalingrad": "germany", "don_basin": "germany", "ukraine": "germany"}
    supplied = war(units, control={**linked, "poland": "germany"})
    assert attack_strength(supplied, "stalingrad", ["sov_western_front"], [], defenders) == 3


@pytest.mark.rule("blitz:5.3.maginot-a")
def test_maginot_line_faces_western_germany() -> None:
    s = war(
        {
            "ger_army_group_b": {"at": "western_germany", "size": 4},
            "ger_18th_army": {"at": "belgium_netherlands", "size": 2},
            "afa_maginot_line": {"at": "paris", "size": 2},
        },
        control={"belgium_netherlands": "germany"},
    )
    line = ["afa_maginot_line"]
    assert attack_strength(s, "paris", ["ger_army_group_b"], [], line) == 7 - 5
    assert attack_strength(s, "paris", ["ger_18th_army"], [], line) == 3
    both = ["ger_army_group_b", "ger_18th_army"]
    assert attack_strength(s, "paris", both, [], line) == 7 + 3
    assert defence_strength(s, "paris", both, line, []) == 3


@pytest.mark.rule("blitz:6.6.arm-a")
@pytest.mark.rule("blitz:A.6m")
@pytest.mark.rule("blitz:data.terrain-chart")
@pytest.mark.parametrize(
    ("area", "bonus"),
    [("london", 0), ("canton", 2), ("burma", 4), ("leningrad", 6), ("morocco", 8)],
)
def test_armour_has_to_be_more(area: str, bonus: int) -> None:
    s = war(
        {
            "ger_army_group_center": {"at": "berlin", "size": 4},
            "ger_army_group_north": {"at": "berlin", "size": 4},
            "ger_waffen_ss_army": {"at": "berlin", "size": 4},
            "ger_18th_army": {"at": "berlin", "size": 2},
            "usa_corregidor": {"at": area, "size": 2},
            "sov_guards_banner_army": {"at": area, "size": 2},
            "usa_1st_us_army": {"at": area, "size": 4},
        }
    )
    armies = ["ger_army_group_center", "ger_army_group_north", "ger_waffen_ss_army"]
    # As much as terrain, FORT and ARM; the infantry of neither side counts.
    left = bonus + 2 + 2
    for id, others in zip(armies, (2, 1, 0), strict=True):
        s.change(id, size=min(4, left - others))
        left -= s.units[id].size
    assert left == 0
    defenders = ["usa_corregidor", "sov_guards_banner_army", "usa_1st_us_army"]
    attackers = [*armies, "ger_18th_army"]
    assert not more_armour(s, area, attackers, defenders)
    s.change("sov_guards_banner_army", size=1)
    assert more_armour(s, area, attackers, defenders)


@pytest.mark.rule("blitz:6.6.arm-b")
@pytest.mark.rule("blitz:B.5b")
def test_armour_off_a_transport_counts_half() -> None:
    s = war(
        {
            "ger_seelowe_trs": {"at": "north_sea", "size": 2},
            "ger_pzaa": {"at": "north_sea", "size": 2, "aboard": "ger_seelowe_trs"},
            "ger_waffen_ss_army": {"at": "north_sea", "size": 1, "aboard": "ger_seelowe_trs"},
            "afa_ghq": {"at": "london", "size": 1},
        }
    )
    assert not more_armour(s, "london", ["ger_pzaa"], ["afa_ghq"])  # 1 against 1
    assert more_armour(s, "london", ["ger_pzaa", "ger_waffen_ss_army"], ["afa_ghq"])  # 1.5


@pytest.mark.rule("blitz:6.6.arm-b")
def test_snow_does_not_halve_armour() -> None:
    s = war(
        {
            "ger_waffen_ss_army": {"at": "ukraine", "size": 3},
            "sov_western_front": {"at": "don_basin", "size": 2},
        },
        control={"ukraine": "germany"},
        turn=6,
    )
    assert more_armour(s, "don_basin", ["ger_waffen_ss_army"], ["sov_western_front"])


# --- worked examples ------------------------------------------------------------------------------


@pytest.mark.rule("blitz:6.0b")
@pytest.mark.rule("blitz:6.0c")
def test_only_printed_land_factors_give_the_least_one() -> None:
    """A Persian Army without Factors fires with what may support it: nothing, as it has none."""
    s = war(
        {
            "afa_8th_army": {"at": "egypt", "size": 2},
            "min_persian_army": {"at": "levant", "size": 1, "power": "germany"},
            "ger_stukas": {"at": "levant", "size": 2},
            "ger_he_111s": {"at": "levant", "size": 2},
            "ger_regia_marina": {"at": "mediterranean_sea", "size": 2},
        },
        control={"levant": "germany"},
        allied={"near_east": "germany"},
    )

    def fires(*support: str) -> int | None:
        return defence_strength(s, "levant", ["afa_8th_army"], ["min_persian_army"], list(support))

    assert [printed(s, id, "land") for id in ("ger_stukas", "ger_he_111s")] == [4, 0]
    assert fires() is None
    assert fires("ger_stukas") == 1
    assert fires("ger_he_111s", "ger_regia_marina") is None


@pytest.mark.rule("blitz:6.2g")
def test_ex_6_persian() -> None:
    soviets = ["sov_western_front", "sov_cavalry", "sov_byelorussian_front"]
    s = war(
        {
            **{id: {"at": "caucasus_mountains", "size": 1} for id in soviets},
            "min_persian_army": {"at": "persia", "size": 1, "power": "germany"},
        },
        control={"persia": "germany"},
        allied={"near_east": "germany"},
    )
    assert defence_strength(s, "persia", soviets, ["min_persian_army"], []) == 3


@pytest.mark.rule("blitz:6.2f")
@pytest.mark.rule("blitz:6.2g")
def test_ex_6_2_ss() -> None:
    s = war(
        {
            "ger_waffen_ss_army": {"at": "poland", "size": 2},
            "sov_western_front": {"at": "leningrad", "size": 2},
        },
        control={"poland": "germany"},
    )
    mine, theirs = ["ger_waffen_ss_army"], ["sov_western_front"]
    assert defence_strength(s, "leningrad", mine, theirs, []) == 3 + 1


@pytest.mark.rule("blitz:6.2a")
@pytest.mark.rule("blitz:6.2c")
@pytest.mark.rule("blitz:6.2e")
@pytest.mark.rule("blitz:6.2f")
@pytest.mark.rule("blitz:5.3.limit-b")
def test_ex_6_2_don() -> None:
    play = Play(units=DON, control=DON_HELD, wars=WARS, turn=5, phase="allied_activities", step="F")
    play.do("afa", Done()).do("usa", Done())
    all_of_them = (*DON_LAND, "sov_cavalry")
    assert play.refused("ussr", AnnounceAttack("ground", "don_basin", all_of_them)) == "5.3.limit-b"
    without = tuple(id for id in all_of_them if id != "sov_far_eastern_front")
    play.game.clone().submit("ussr", AnnounceAttack("ground", "don_basin", without))
    support = ["sov_1st_air_army", "sov_black_sea_fleet"]
    s = play.state
    germans = ["ger_waffen_ss_army", "ger_army_group_b"]
    assert attack_strength(s, "don_basin", list(DON_LAND), [], []) == 19
    assert attack_strength(s, "don_basin", list(DON_LAND), support, []) == 22
    assert attack_strength(s, "don_basin", list(DON_LAND), support, germans) == 19
    assert defence_strength(s, "don_basin", list(DON_LAND), germans, []) == 13


def don_basin(**held: str) -> Play:
    """The example after the die of each side: a 4 and a 2."""
    play = attack(
        "don_basin",
        (*DON_LAND, "sov_1st_air_army", "sov_black_sea_fleet"),
        DON,
        by="ussr",
        control={**DON_HELD, **held},
    )
    play.dice(4).dice(2)
    fired = play.events("fired")
    assert [(f["factors"], f["damage"], f["letter"]) for f in fired] == [
        (19, 2, "L"),
        (13, 1, "S"),
    ]
    return play


@pytest.mark.rule("blitz:6.6.arm-a")
@pytest.mark.rule("blitz:6.6.retreat-a")
def test_ex_6_6_arm() -> None:
    play = don_basin()
    assert isinstance(play.request_of("germany"), AssignDamage)
    play.do("germany", Damage("ger_army_group_b"))
    assert isinstance(play.request_of("ussr"), AssignDamage)
    play.do("ussr", Damage("ger_army_group_b"))
    assert "ger_army_group_b" in play.state.pool["germany"]
    # Two thirds of the one survivor is one: no choice, it has to retreat.
    play.do("ussr", Damage("sov_far_eastern_front"))
    assert play.events("retreated") == [
        {"unit": "ger_waffen_ss_army", "path": ("don_basin", "ukraine")}
    ]


@pytest.mark.rule("blitz:6.6.retreat-c")
@pytest.mark.rule("blitz:6.6.adv-a")
@pytest.mark.rule("blitz:6.6.adv-b")
@pytest.mark.rule("blitz:6.6.adv-c")
@pytest.mark.rule("blitz:6.6.take-a")
def test_ex_6_6_adv() -> None:
    play = don_basin(moscow="germany")
    play.do("germany", Damage("ger_army_group_b")).do("ussr", Damage("ger_army_group_b"))
    play.do("ussr", Damage("sov_far_eastern_front"))
    assert isinstance(play.request_of("germany"), ChooseRetreat)
    play.do("germany", Retreat("ukraine"))
    assert places(play, "ger_waffen_ss_army") == ["ukraine"]
    request = play.request_of("germany")
    assert isinstance(request, PickBlocked)
    assert request.count == 1
    assert len(request.units) == 4
    play.do("germany", Pick(("sov_byelorussian_front",)))
    assert places(play, "sov_byelorussian_front") == ["stalingrad"]
    moved = ("sov_western_front", "sov_guards_banner_army", "sov_transbaikal_front")
    assert places(play, *moved) == ["don_basin"] * 3
    assert play.state.control["don_basin"] == "ussr"
    assert places(play, "sov_black_sea_fleet") == ["black_sea"]


@pytest.mark.rule("blitz:6.6.retreat-b")
def test_ex_6_6_gib() -> None:
    play = attack(
        "gibraltar",
        ("ger_pzaa", "ger_luftwaffe"),
        {
            "ger_pzaa": {"at": "spain", "size": 2},
            "ger_luftwaffe": {"at": "spain", "size": 2},
            "afa_ghq": {"at": "gibraltar", "size": 1},
        },
        control={"spain": "germany", "portugal": "germany", "vichy_france": "germany"},
        allied={"iberia": "germany"},
    )
    play.dice(3)  # 4 + 3 - 1 Factors: L
    assert play.events("fired")[0]["letter"] == "L"
    play.dice(1)
    # The PzAA has more ARM, yet the FORT takes no damage instead of a retreat.
    assert size(play, "afa_ghq") == 1
    assert play.state.control["gibraltar"] == "afa"


POLAND = {
    "ger_army_group_center": {"at": "berlin", "size": 2},
    "ger_army_group_north": {"at": "berlin", "size": 1},
    "ger_1st_para": {"at": "berlin", "size": 1},
    "ger_luftwaffe": {"at": "berlin", "size": 2},
    "ger_18th_army": {"at": "berlin", "size": 2},
    "afa_polish_army": {"at": "poland", "size": 2},
}


@pytest.mark.rule("blitz:A.6k")
@pytest.mark.rule("blitz:A.6l")
@pytest.mark.rule("blitz:6.6.adv-b")
def test_ex_a_6_3() -> None:
    four = ("ger_army_group_center", "ger_army_group_north", "ger_18th_army", "ger_army_group_b")
    play = attack(
        "poland",
        (*four, "ger_luftwaffe"),
        {**POLAND, "ger_army_group_b": {"at": "berlin", "size": 2}},
        scenario="A",
        turn=1,
    )
    play.dice(6)
    play.dice(6)
    mine, theirs = play.events("fired")
    assert (theirs["factors"], theirs["damage"], theirs["letter"]) == (3, 1, "S")
    assert mine["damage"] == 2  # the Polish Army is destroyed, so the attackers may advance
    request = play.request_of("germany")
    assert isinstance(request, AssignDamage)
    assert set(request.units) == set(four)  # land units only, not the Luftwaffe
    play.do("germany", Damage("ger_18th_army"))
    blocked = play.request_of("afa")
    assert isinstance(blocked, PickBlocked)
    assert (blocked.count, len(blocked.units)) == (1, 4)
    play.do("afa", Pick(("ger_army_group_center",)))
    assert places(play, *four) == ["berlin", "poland", "poland", "poland"]


@pytest.mark.rule("blitz:A.6h")
@pytest.mark.rule("blitz:A.6i")
@pytest.mark.rule("blitz:A.6j")
@pytest.mark.rule("blitz:A.6l")
@pytest.mark.rule("blitz:A.6m")
@pytest.mark.rule("blitz:A.6n")
def test_ex_a_6_4() -> None:
    committed = ("ger_army_group_center", "ger_army_group_north", "ger_1st_para", "ger_luftwaffe")
    play = attack("poland", committed, POLAND, scenario="A", turn=1)
    play.dice(4)
    play.dice(2)
    mine, theirs = play.events("fired")
    assert (mine["factors"], mine["damage"], mine["letter"]) == (10, 1, "L")
    assert (theirs["factors"], theirs["damage"], theirs["letter"]) == (4, 0, "S")
    assert size(play, "afa_polish_army") == 0  # damaged, and once more as it cannot retreat
    request = play.request_of("afa")
    assert isinstance(request, PickBlocked)
    assert request.count == 1
    play.do("afa", Pick(("ger_army_group_north",)))
    assert places(play, *committed[:3]) == ["poland", "berlin", "poland"]
    assert play.state.control["poland"] == "germany"


# --- retreats -------------------------------------------------------------------------------------

CLEAR = {
    "ger_army_group_center": {"at": "western_germany", "size": 4},
    "ger_army_group_north": {"at": "western_germany", "size": 4},
    "afa_1st_army_group": {"at": "paris", "size": 2},
    "afa_2nd_army_group": {"at": "paris", "size": 2},
    "afa_free_french_army": {"at": "paris", "size": 2},
}
BOTH = ("ger_army_group_center", "ger_army_group_north")


@pytest.mark.rule("blitz:6.6.retreat-a")
@pytest.mark.rule("blitz:6.6.adv-c")
@pytest.mark.rule("blitz:A.6n")
def test_the_enemy_picks_who_retreats_and_the_owner_where_to() -> None:
    play = attack("paris", BOTH, CLEAR, control={"belgium_netherlands": "afa"})
    strength = attack_strength(play.state, "paris", list(BOTH), [], list(play.state.at["paris"]))
    assert strength == 17
    play.dice(2)  # 1L
    play.dice(1)
    play.do("afa", Damage("afa_1st_army_group"))
    request = play.request_of("germany")
    assert isinstance(request, PickRetreating)
    assert request.count == 2  # two thirds of three
    pair = ("afa_1st_army_group", "afa_2nd_army_group")
    assert play.refused("germany", Pick(pair[:1])) == "6.6.adv-c"
    assert play.refused("germany", Pick((pair[0], pair[0]))) == "6.6.adv-c"
    assert play.refused("germany", Pick((pair[0], "ger_pzaa"))) == "6.6.adv-c"
    play.do("germany", Pick(pair))
    where = play.request_of("afa")
    assert isinstance(where, ChooseRetreat)
    assert set(where.areas) == {"belgium_netherlands", "vichy_france"}  # Spain is neutral
    assert play.refused("afa", Retreat("london")) == "6.6.retreat-c"
    play.do("afa", Retreat("vichy_france")).do("afa", Retreat("belgium_netherlands"))
    assert places(play, *pair) == ["vichy_france", "belgium_netherlands"]
    # One defender is left, so Paris is held, and the attackers are where they were.
    assert play.state.control["paris"] == "afa"
    assert places(play, *BOTH) == ["western_germany"] * 2


@pytest.mark.rule("blitz:6.6.arm-a")
@pytest.mark.rule("blitz:A.6m")
def test_without_more_armour_the_letter_does_nothing() -> None:
    play = attack(
        "paris",
        ("ger_army_group_b",),
        {
            "ger_army_group_b": {"at": "western_germany", "size": 4},
            "afa_1st_army_group": {"at": "paris", "size": 2},
            "afa_2nd_army_group": {"at": "paris", "size": 2},
        },
    )
    play.dice(2)  # 7 Factors: L
    assert play.events("fired")[0]["letter"] == "L"
    play.dice(1)
    assert len(play.events("attack_repelled")) == 1
    assert places(play, "afa_1st_army_group", "afa_2nd_army_group") == ["paris"] * 2


@pytest.mark.rule("blitz:6.6.retreat-c")
def test_no_retreat_into_an_area_under_ground_attack() -> None:
    units = {**CLEAR, "ger_18th_army": {"at": "milan", "size": 2}}
    play = Play(units=units, wars=WARS, turn=5, phase="axis_activities", step="F")
    play.do(
        "germany",
        AnnounceAttack("ground", "paris", BOTH),
        AnnounceAttack("ground", "vichy_france", ("ger_18th_army",)),
    )
    assert retreat_areas(play.state, "paris", "afa_1st_army_group") == []
    done = replace(play.state.attacks[1], resolved=True)
    play.state.attacks = (play.state.attacks[0], done)
    assert retreat_areas(play.state, "paris", "afa_1st_army_group") == ["vichy_france"]


@pytest.mark.rule("blitz:6.6.retreat-c")
def test_retreat_over_a_land_route_and_where_there_is_room() -> None:
    s = war(
        {"afa_1st_army_group": {"at": "paris", "size": 2}},
        control={"spain": "afa", "vichy_france": "germany"},
        allied={"iberia": "afa"},
    )
    assert retreat_areas(s, "paris", "afa_1st_army_group") == ["spain"]
    full = war(
        {
            "afa_1st_army_group": {"at": "spain", "size": 2},
            "afa_ghq": {"at": "gibraltar", "size": 1},
        },
        control={"spain": "afa", "portugal": "germany", "vichy_france": "germany"},
        allied={"iberia": "afa"},
    )
    assert "gibraltar" not in retreat_areas(full, "spain", "afa_1st_army_group")


@pytest.mark.rule("blitz:6.6.retreat-d")
@pytest.mark.rule("blitz:A.6o")
def test_a_fort_stays_and_takes_damage() -> None:
    play = attack(
        "paris",
        ("ger_army_group_center", "ger_army_group_north"),
        {
            "ger_army_group_center": {"at": "belgium_netherlands", "size": 4},
            "ger_army_group_north": {"at": "belgium_netherlands", "size": 2},
            "afa_maginot_line": {"at": "paris", "size": 2},
        },
        control={"belgium_netherlands": "germany"},
    )
    play.dice(1)  # 13 Factors: 1
    play.dice(1)
    assert size(play, "afa_maginot_line") == 1
    play = attack(
        "paris",
        ("ger_army_group_center", "ger_army_group_north"),
        {
            "ger_army_group_center": {"at": "belgium_netherlands", "size": 3},
            "ger_army_group_north": {"at": "belgium_netherlands", "size": 1},
            "afa_maginot_line": {"at": "paris", "size": 2},
        },
        control={"belgium_netherlands": "germany"},
    )
    play.dice(2)  # 9 Factors: L, and no damage
    play.dice(1)
    assert play.events("fired")[0]["letter"] == "L"
    assert (places(play, "afa_maginot_line"), size(play, "afa_maginot_line")) == (["paris"], 1)


# --- control --------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:6.6.take-a")
@pytest.mark.rule("blitz:6.6.take-b")
@pytest.mark.rule("blitz:6.6.adv-b")
@pytest.mark.parametrize(("die", "letter", "holder"), [(3, "S", "germany"), (4, "L", "afa")])
def test_an_empty_area_stays_with_its_holder_if_nobody_can_advance(
    die: int, letter: str, holder: str
) -> None:
    play = attack(
        "paris",
        ("ger_army_group_b",),
        {
            "ger_army_group_b": {"at": "belgium_netherlands", "size": 4},
            "afa_polish_army": {"at": "paris", "size": 1},
            "afa_royal_air_force": {"at": "london", "size": 2},
        },
        control={"belgium_netherlands": "germany"},
    )
    play.do("afa", Defend({"0": ("afa_royal_air_force",)}))
    play.dice(4)  # 7 Factors: 1
    play.dice(die)  # 2 + 2 Factors: one third of one attacker is none, two thirds is one
    assert play.events("fired")[1]["letter"] == letter
    assert size(play, "afa_polish_army") == 0
    assert play.state.control["paris"] == holder
    where = "paris" if holder == "germany" else "belgium_netherlands"
    assert places(play, "ger_army_group_b") == [where]


@pytest.mark.rule("blitz:6.6.fail-a")
def test_after_a_failure_all_are_where_they_came_from() -> None:
    play = attack(
        "paris",
        ("usa_1st_us_army", "usa_82nd_airborne"),
        {
            "usa_3rd_fleet": {"at": "north_sea", "size": 1},
            "usa_1st_us_army": {"at": "north_sea", "size": 2, "aboard": "usa_3rd_fleet"},
            "usa_82nd_airborne": {"at": "london", "size": 1},
            "ger_army_group_b": {"at": "paris", "size": 4},
        },
        by="usa",
        flying=("usa_82nd_airborne",),
        control={"paris": "germany", "belgium_netherlands": "germany"},
    )
    play.dice(1)
    play.dice(3)  # 7 + 1 Factors: 1
    play.do("usa", Damage("usa_1st_us_army"))
    s = play.state
    assert (s.units["usa_1st_us_army"].at, s.units["usa_1st_us_army"].aboard) == (
        "north_sea",
        "usa_3rd_fleet",
    )
    assert s.units["usa_82nd_airborne"].at == "london"
    assert s.control["paris"] == "germany"
    assert play.events("attack_repelled") == [{"space": "paris", "powers": ("usa",)}]


@pytest.mark.rule("blitz:5.3.type-b")
@pytest.mark.rule("blitz:6.6.take-a")
@pytest.mark.rule("blitz:6.6.adv-a")
def test_an_empty_area_is_taken_without_a_roll() -> None:
    play = attack(
        "paris",
        ("ger_18th_army", "ger_army_group_b"),
        {
            "ger_18th_army": {"at": "western_germany", "size": 2},
            "ger_army_group_b": {"at": "belgium_netherlands", "size": 2},
            "afa_ghq": {"at": "london", "size": 1},
        },
        control={"belgium_netherlands": "germany"},
    )
    assert play.events("fired") == []
    assert play.state.control["paris"] == "germany"
    assert places(play, "ger_18th_army", "ger_army_group_b") == ["paris", "paris"]


def test_taking_an_area_from_the_axis_is_noted_with_its_losses() -> None:
    units = {
        "usa_3rd_fleet": {"at": "mediterranean_sea", "size": 1},
        "usa_1st_us_army": {"at": "mediterranean_sea", "size": 2, "aboard": "usa_3rd_fleet"},
    }
    play = attack("libya", ("usa_1st_us_army",), units, by="usa")
    assert play.state.taken["libya"] == ("usa", True)
    assert play.state.units["usa_1st_us_army"].aboard == ""
    defended = {
        "usa_1st_us_army": {"at": "western_germany", "size": 4},
        "usa_marines": {"at": "western_germany", "size": 4},
        "ger_1st_para": {"at": "berlin", "size": 1},
    }
    play = attack(
        "berlin",
        ("usa_1st_us_army", "usa_marines"),
        defended,
        by="usa",
        control={"western_germany": "usa"},
    )
    play.dice(6).dice(6)  # the defender has 1 Factor: 1
    play.do("usa", Damage("usa_marines"))
    assert play.state.taken["berlin"] == ("usa", False)


def test_one_use_aircraft_are_spent_in_the_land_round() -> None:
    play = attack(
        "canton",
        ("jap_25th_army", "jap_kamikazes"),
        {
            "jap_25th_army": {"at": "peking", "size": 2},
            "jap_kamikazes": {"at": "peking", "size": 1},
            "usa_warlords": {"at": "canton", "size": 1},
        },
        by="japan",
    )
    play.dice(1)
    play.dice(1)
    assert size(play, "jap_kamikazes") == 0
    assert not any(isinstance(r, ChooseBase) for r in play.game.pending)
