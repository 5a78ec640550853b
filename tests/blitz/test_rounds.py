"""Factors, the Combat Chart, and the Air, Naval and Strategic Rounds (1.2, 1.8, 6, 9.5)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

import sandtable
from sandtable.bots import make_bot
from sandtable.games.blitz.model import Combat, State, Strike
from sandtable.games.blitz.rules import rounds
from sandtable.games.blitz.rules.bases import ChooseBase, Return
from sandtable.games.blitz.rules.combat import fight
from sandtable.games.blitz.rules.damage import LoseCargo, ReduceCargo
from sandtable.games.blitz.rules.factors import (
    air_factors,
    land_factors,
    naval_factors,
    printed,
    snow_at,
    strategic_factors,
    triangles,
)
from sandtable.games.blitz.rules.land_combat import AnnounceAttack
from sandtable.games.blitz.rules.land_round import Pick
from sandtable.games.blitz.rules.rounds import Damage, Withdraw
from sandtable.games.blitz.rules.steps import Done
from sandtable.games.blitz.tables import Commander
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.events import Event
from tests.blitz.table import Play, position, run

WARS = [["germany", "afa"], ["germany", "usa"], ["germany", "ussr"], ["japan", "usa"]]


def state(units: dict[str, tuple[int, str] | str], **given: Any) -> State:
    """A position in the Axis Activities; units as (Size, place) or place."""
    placed = {
        id: {"size": where[0], "at": where[1]} if isinstance(where, tuple) else {"at": where}
        for id, where in units.items()
    }
    s: State = position(
        given.pop("scenario", "campaign"),
        given.pop("options", None),
        **{
            "phase": "axis_activities",
            "step": "F",
            "wars": WARS,
            "turn": 5,
            **given,
        },
        units=placed,
    )
    return s


def fought(
    s: State,
    combat: tuple[str, str],
    attackers: list[str],
    defenders: list[str],
    steps: tuple[str, ...],
    dice: list[int],
    answers: list[tuple[str, Decision]] | None = None,
    **more: Any,
) -> list[Event]:
    """Steps of a combat of a kind in an area; both sides' lists keep those who are left in it."""
    sides = s.sized(attackers), s.sized(defenders)
    s.combat = Combat(*combat, *sides, steps, tuple(defenders), **more)
    events = run(s, fight, dice, answers or [], let=("choose_base",))
    assert s.combat is None
    gone = {e.data["unit"] for e in events if e.kind in ("returned", "turned_back")}
    for side in (attackers, defenders):
        here = [id for id in side if id in s.units]
        side[:] = [id for id in here if gone.isdisjoint((id, s.units[id].aboard))]
    return events


def air(
    s: State,
    area: str,
    attackers: list[str],
    defenders: list[str],
    dice: list[int],
    answers: list[tuple[str, Decision]] | None = None,
    *,
    last: bool = False,
    aa_alone: bool = True,
    **more: Any,
) -> list[Event]:
    """An Air Round by itself."""
    kind = "sea" if last else "port" if aa_alone else "ground"
    return fought(s, (kind, area), attackers, defenders, ("air",), dice, answers, **more)


def naval(
    s: State,
    area: str,
    attackers: list[str],
    defenders: list[str],
    dice: list[int],
    answers: list[tuple[str, Decision]] | None = None,
    **more: Any,
) -> list[Event]:
    """A Naval Round by itself."""
    kind = "port" if "port" in more else "sea"
    return fought(s, (kind, area), attackers, defenders, ("naval",), dice, answers, **more)


def strategic(s: State, area: str, attackers: list[str], dice: list[int]) -> list[Event]:
    """A Strategic Round by itself."""
    return fought(s, ("factory", area), attackers, [], ("strategic",), dice)


def assign(
    s: State,
    area: str,
    units: list[str],
    points: int,
    enemy: str,
    answers: list[tuple[str, Decision]] | None = None,
    dice: list[int] | None = None,
    convoy: str = "",
) -> list[Event]:
    """Points of damage by themselves; the list keeps those who are left."""
    strike = Strike(area, tuple(units), enemy, points, convoy=convoy)
    events = run(s, lambda g: rounds.suffer(g, strike), dice or [], answers or [])
    units[:] = [id for id in units if id in s.units]
    return events


def send_back(
    s: State,
    area: str,
    units: list[str],
    letter: str,
    enemy: str,
    answers: list[tuple[str, Decision]] | None = None,
    convoy: str = "",
) -> list[Event]:
    """What a letter does by itself."""
    strike = Strike(area, tuple(units), enemy, letter=letter, convoy=convoy)
    return run(s, lambda g: rounds.suffer(g, strike), [], answers or [], let=("choose_base",))


def fired(events: list[Event]) -> list[tuple[str, int, int, str]]:
    """Side, factors, damage and letter of each fire."""
    return [
        (e.data["side"], e.data["factors"], e.data["damage"], e.data["letter"])
        for e in events
        if e.kind == "fired"
    ]


def kinds(events: list[Event]) -> list[str]:
    return [event.kind for event in events]


# --- numbers --------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:1.8a")
@pytest.mark.rule("blitz:D.2b")
def test_halves_round_up_once_at_the_end() -> None:
    assert rounds.final_factors(Fraction(19, 2)) == 10
    assert rounds.final_factors(Fraction(9, 4)) == 2
    assert rounds.final_factors(Fraction(1, 2)) == 1
    assert rounds.final_factors(Fraction(5, 4)) == 1


@pytest.mark.rule("blitz:1.8a")
@pytest.mark.rule("blitz:6.3a")
def test_fractions_of_several_units_are_added_before_rounding() -> None:
    # Halves of 3 and 3 are 1.5 each: 3 in all, but 4 if each were rounded.
    s = state(
        {
            "ger_luftwaffe": (2, "north_sea"),
            "ger_me_109s": (4, "north_sea"),
            "afa_home_fleet": (1, "north_sea"),
        }
    )
    own = ["ger_luftwaffe", "ger_me_109s"]
    assert [naval_factors(s, id) for id in own] == [Fraction(3, 2), Fraction(3, 2)]
    assert rounds.naval_fire(s, "north_sea", own, ["afa_home_fleet"])[0] == 3 + 1


@pytest.mark.rule("blitz:data.combat-chart")
@pytest.mark.parametrize(
    ("factors", "die", "result"),
    [
        (3, 3, (0, "S")),
        (6, 4, (1, "")),
        (4, 2, (0, "S")),
        (10, 4, (1, "L")),
        (13, 2, (1, "S")),
        (19, 4, (2, "L")),
        (3, 6, (1, "S")),
        (1, 1, (0, "")),
    ],
)
def test_chart(factors: int, die: int, result: tuple[int, str]) -> None:
    assert rounds.chart_result(state({}), factors, die) == result


@pytest.mark.rule("blitz:6.5a")
def test_more_than_30_factors_use_the_last_column() -> None:
    s = state({})
    assert [rounds.chart_result(s, 47, die) for die in range(1, 7)] == [
        (2, "L"),
        (2, "B"),
        (3, "S"),
        (3, "L"),
        (3, "B"),
        (4, "B"),
    ]
    assert rounds.chart_result(s, 29, 2) == (2, "B")
    assert rounds.chart_result(s, 29, 6) == (3, "B")


@pytest.mark.rule("blitz:6.5.letter-b")
@pytest.mark.rule("blitz:A.6g")
def test_parts_of_units_that_letters_strike() -> None:
    assert [rounds.part("S", n) for n in range(1, 7)] == [0, 1, 1, 1, 2, 2]
    assert [rounds.part("L", n) for n in range(1, 7)] == [1, 1, 2, 3, 3, 4]
    assert [rounds.part("B", n) for n in range(4)] == [0, 1, 2, 3]
    assert rounds.part("", 5) == 0


@pytest.mark.rule("blitz:errata.iceland-snow")
def test_snow_lies_on_iceland_but_not_on_the_north_sea() -> None:
    winter, summer = state({}, turn=4), state({}, turn=5)
    assert snow_at(winter, "iceland") == "snow"
    assert snow_at(summer, "iceland") == ""
    assert snow_at(winter, "north_sea") == ""
    assert snow_at(winter, "baltic_sea") == "snow"
    assert snow_at(winter, "poland") == "snowflake"
    assert snow_at(winter, "moscow") == "snow"


# --- factors --------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:data.unit-types")
def test_every_type_of_unit_and_each_air_units_primary_kind() -> None:
    facts = state({}).facts
    land = {"GAR", "INF", "ARM", "MAR", "PARA", "AA", "FORT"}
    naval_ = {"BB", "CV", "SUB", "TRS", "LL"}
    assert {t for t, type_ in facts.types.items() if type_.domain == "land"} == land
    assert {t for t, type_ in facts.types.items() if type_.domain == "naval"} == naval_
    assert {t for t, type_ in facts.types.items() if type_.domain == "air"} == {
        "AIR",
        "VWEAPON",
        "ABOMB",
    }
    for id, kind in facts.kinds.items():
        assert (kind.bombing is not None) == (facts.domain[id] == "air"), id
        for profile in kind.sizes:
            if kind.type == "AIR":
                assert profile.air and profile.bomb, id
            if kind.type in ("VWEAPON", "ABOMB"):
                assert not profile.air and kind.bombing == "strategic", id


@pytest.mark.rule("blitz:1.2f")
@pytest.mark.rule("blitz:6.0d")
def test_secondary_bombing_is_half_of_the_primary() -> None:
    s = state({"ger_luftwaffe": (2, "berlin"), "jap_naval_air": (2, "tokyo")})
    assert air_factors(s, "ger_luftwaffe") == 3
    assert land_factors(s, "ger_luftwaffe") == 3
    assert naval_factors(s, "ger_luftwaffe") == Fraction(3, 2)
    assert strategic_factors(s, "ger_luftwaffe") == Fraction(3, 2)
    assert naval_factors(s, "jap_naval_air") == 3
    assert land_factors(s, "jap_naval_air") == Fraction(3, 2)


@pytest.mark.rule("blitz:1.2f")
def test_v_weapons_and_bombs_have_no_secondary_factors() -> None:
    s = state({"ger_v_2": (1, "berlin"), "usa_a_bomb_usa": (1, "central_plains")})
    assert strategic_factors(s, "ger_v_2") == 4
    assert land_factors(s, "ger_v_2") == naval_factors(s, "ger_v_2") == 0
    assert strategic_factors(s, "usa_a_bomb_usa") == 8
    assert land_factors(s, "usa_a_bomb_usa") == 0


def test_ships_support_with_one_or_two() -> None:
    s = state(
        {
            "ger_high_seas_fleet": (3, "north_sea"),
            "ger_bb_fleet": (2, "north_sea"),
            "ger_u_boat_i": (2, "north_sea"),
        }
    )
    assert land_factors(s, "ger_high_seas_fleet") == 2
    assert land_factors(s, "ger_bb_fleet") == 1
    assert land_factors(s, "ger_u_boat_i") == 0


@pytest.mark.rule("blitz:A.6p")
def test_triangles_may_be_ignored_altogether() -> None:
    s = state({"ger_stukas": (2, "berlin"), "ger_waffen_ss_army": (2, "berlin")})
    assert triangles(s, "ger_stukas", "air") == (1, 0)
    assert triangles(s, "ger_waffen_ss_army", "land") == (0, 3)
    s = state(
        {"ger_stukas": (2, "berlin"), "ger_waffen_ss_army": (2, "berlin")},
        options={"no_triangles": True},
    )
    assert triangles(s, "ger_stukas", "air") == (0, 0)
    assert triangles(s, "ger_waffen_ss_army", "land") == (0, 0)


# --- who fires ------------------------------------------------------------------------------------


@pytest.mark.rule("blitz:6.0b")
@pytest.mark.rule("blitz:6.0c")
def test_at_least_one_factor_if_any_is_printed_and_none_otherwise() -> None:
    assert rounds.fires_with(Fraction(-2), True) == 1
    assert rounds.fires_with(Fraction(0), False) is None
    assert rounds.fires_with(Fraction(-2), False) is None
    assert rounds.fires_with(Fraction(3), False) == 3


@pytest.mark.rule("blitz:6.0b")
def test_a_secondary_factor_that_is_reduced_to_nothing_does_not_roll() -> None:
    # 2 Strategic Factors are 1 Naval Factor; three red triangles of the submarines are more.
    units = {
        "afa_canadian_air_force": (1, "north_atlantic"),
        "ger_u_boat_ii": (2, "north_atlantic"),
    }
    s = state(units)
    own, enemy = ["afa_canadian_air_force"], ["ger_u_boat_ii"]
    assert rounds.naval_fire(s, "north_atlantic", own, enemy)[0] is None
    s = state(units | {"afa_coastal_command": (1, "north_atlantic")})
    own.append("afa_coastal_command")
    assert rounds.naval_fire(s, "north_atlantic", own, enemy)[0] == 1


@pytest.mark.rule("blitz:6.0c")
@pytest.mark.rule("blitz:6.3c")
def test_transports_and_lend_lease_never_fire() -> None:
    s = state(
        {
            "afa_europe_trs": (2, "north_sea"),
            "usa_western_approaches_ll": (1, "north_sea"),
            "ger_seelowe_trs": (2, "north_sea"),
            "afa_coastal_command": (1, "north_sea"),
        }
    )
    # The white triangle of the enemy's transport would make it one Factor.
    idle = ["afa_europe_trs", "usa_western_approaches_ll"]
    assert rounds.naval_fire(s, "north_sea", idle, ["ger_seelowe_trs"])[0] is None
    idle.append("afa_coastal_command")
    assert rounds.naval_fire(s, "north_sea", idle, ["ger_seelowe_trs"])[0] == 3
    assert rounds.naval_fire(s, "north_sea", [], ["ger_seelowe_trs"])[0] is None


@pytest.mark.rule("blitz:6.0c")
def test_a_unit_without_printed_factors_rolls_with_those_it_gains() -> None:
    # A PARA that flew has no Air Factors; the Stukas' white triangle gives it one.
    s = state({"usa_82nd_airborne": (1, "london"), "ger_stukas": (1, "berlin")})
    assert rounds.air_fire(s, ["usa_82nd_airborne"], ["ger_stukas"])[0] == 1
    s = state({"usa_82nd_airborne": (1, "london"), "ger_me_109s": (1, "berlin")})
    assert rounds.air_fire(s, ["usa_82nd_airborne"], ["ger_me_109s"])[0] is None


# --- the Air Round --------------------------------------------------------------------------------


@pytest.mark.rule("blitz:A.6e")
@pytest.mark.rule("blitz:A.6f")
@pytest.mark.rule("blitz:A.6g")
@pytest.mark.rule("blitz:6.1a")
def test_ex_a_6_2() -> None:
    s = state(
        {
            "ger_luftwaffe": (2, "western_germany"),
            "ger_stukas": (2, "western_germany"),
            "afa_royal_air_force": (2, "paris"),
        }
    )
    attackers, defenders = ["ger_luftwaffe", "ger_stukas"], ["afa_royal_air_force"]
    events = air(
        s,
        "paris",
        attackers,
        defenders,
        [4, 3],
        [
            ("germany", Withdraw("ger_luftwaffe")),
        ],
    )
    assert fired(events) == [("axis", 6, 1, ""), ("allies", 3, 0, "S")]
    assert s.units["afa_royal_air_force"].size == 1
    assert attackers == ["ger_stukas"]
    assert s.units["ger_luftwaffe"].at == "western_germany"
    assert defenders == ["afa_royal_air_force"]


@pytest.mark.rule("blitz:6.1c")
@pytest.mark.rule("blitz:6.0b")
def test_ex_6_1() -> None:
    s = state({"afa_bomber_command": (2, "london"), "ger_me_109s": (1, "berlin")})
    assert rounds.air_fire(s, ["afa_bomber_command"], ["ger_me_109s"])[0] == 1
    assert rounds.air_fire(s, ["ger_me_109s"], ["afa_bomber_command"])[0] == 5


@pytest.mark.rule("blitz:6.1a")
def test_neither_snow_nor_terrain_changes_air_factors() -> None:
    s = state({"ger_luftwaffe": (2, "berlin"), "afa_polish_army": (2, "poland")}, turn=4)
    assert snow_at(s, "poland") == "snowflake"
    s.put("sov_lra", replace(s.units["afa_polish_army"], power="ussr", size=1))
    events = air(s, "poland", ["ger_luftwaffe"], ["sov_lra"], [1, 1])
    assert fired(events)[0][1] == 3 + triangles(s, "sov_lra", "air")[0]


@pytest.mark.rule("blitz:6.1a")
@pytest.mark.rule("blitz:6.0a")
def test_all_air_units_and_carriers_of_a_side_fire_together() -> None:
    s = state(
        {
            "jap_zeroes": (2, "east_china_sea"),
            "jap_2nd_strike_fleet": (2, "east_china_sea"),
            "jap_combined_fleet": (2, "east_china_sea"),
            "usa_12th_fleet": (2, "east_china_sea"),
        }
    )
    attackers = ["jap_zeroes", "jap_2nd_strike_fleet", "jap_combined_fleet"]
    events = air(s, "east_china_sea", attackers, ["usa_12th_fleet"], [1, 1])
    # 4 + 2, and the white triangle of the 12th Fleet; its 2 with one white and one red.
    assert fired(events) == [("axis", 7, 0, "S"), ("allies", 2, 0, "")]


def test_there_is_no_air_round_without_air_units_on_both_sides() -> None:
    s = state(
        {"ger_6th_army": (2, "berlin"), "afa_bomber_command": (2, "london")},
        phase="allied_activities",
    )
    assert air(s, "berlin", ["afa_bomber_command"], [], []) == []
    assert air(s, "berlin", [], ["afa_bomber_command"], []) == []


@pytest.mark.rule("blitz:6.1d")
def test_aa_alone_fires_at_bombers_and_is_not_fired_at() -> None:
    s = state(
        {"ger_berlin_flak": "berlin", "afa_bomber_command": (2, "london")},
        phase="allied_activities",
    )
    # Against a Ground Attack it takes part only beside air units.
    assert air(s, "berlin", ["afa_bomber_command"], [], [], aa_alone=False) == []
    events = air(s, "berlin", ["afa_bomber_command"], [], [1])
    assert fired(events) == [("axis", 2 + 3, 0, "")]


@pytest.mark.rule("blitz:6.1b")
def test_v_weapons_stay_out_of_the_air_round() -> None:
    s = state(
        {"ger_v_2": "berlin", "ger_luftwaffe": (2, "berlin"), "afa_royal_air_force": "london"}
    )
    attackers = ["ger_v_2", "ger_luftwaffe"]
    assert air(s, "london", ["ger_v_2"], ["afa_royal_air_force"], []) == []
    events = air(s, "london", attackers, ["afa_royal_air_force"], [1, 5])
    assert fired(events)[0][1] == 3
    # The Royal Air Force's fire falls on the Luftwaffe, and on nothing else: nobody is asked.
    assert "ger_v_2" in attackers
    assert attackers == ["ger_v_2", "ger_luftwaffe"]


@pytest.mark.rule("blitz:6.1c")
@pytest.mark.rule("blitz:6.5.elig-a")
def test_paras_that_fly_give_their_triangles_and_take_results() -> None:
    units = {
        "ger_1st_para": "western_germany",
        "ger_me_109s": (1, "western_germany"),
        "afa_royal_air_force": (2, "paris"),
    }
    s = state(units)
    both = ["ger_1st_para", "ger_me_109s"]
    events = air(s, "paris", list(both), ["afa_royal_air_force"], [1, 1], flying=("ger_1st_para",))
    # 2 Air Factors, one white triangle of the PARA, one red of the Me-109s.
    assert fired(events)[1][:2] == ("allies", 2)
    s = state(units)
    events = air(s, "paris", list(both), ["afa_royal_air_force"], [1, 1])
    assert fired(events)[1][:2] == ("allies", 1)
    s = state(units)
    attackers = list(both)
    air(
        s,
        "paris",
        attackers,
        ["afa_royal_air_force"],
        [1, 6],
        [("germany", Damage("ger_1st_para"))],
        flying=("ger_1st_para",),
    )
    assert attackers == ["ger_me_109s"]


@pytest.mark.rule("blitz:6.1d")
@pytest.mark.rule("blitz:6.5.elig-a")
def test_aa_adds_its_factors_and_takes_no_damage() -> None:
    s = state(
        {
            "afa_bomber_command": (2, "london"),
            "ger_me_109s": (1, "berlin"),
            "ger_berlin_flak": "berlin",
        },
        phase="allied_activities",
    )
    defenders = ["ger_me_109s"]
    events = air(s, "berlin", ["afa_bomber_command"], defenders, [6, 1])
    # 2 of the Me-109s, 2 of the flak and three white triangles of Bomber Command.
    assert fired(events) == [("allies", 1, 1, ""), ("axis", 7, 0, "S")]
    assert defenders == []
    assert s.units["ger_berlin_flak"].size == 1


@pytest.mark.rule("blitz:6.1d")
def test_aa_elsewhere_stays_out() -> None:
    s = state(
        {
            "afa_bomber_command": (2, "london"),
            "ger_me_109s": (1, "berlin"),
            "ger_ruhr_flak": "western_germany",
        },
        phase="allied_activities",
    )
    events = air(s, "berlin", ["afa_bomber_command"], ["ger_me_109s"], [1, 1])
    assert fired(events)[1][1] == 5


@pytest.mark.rule("blitz:6.1e")
@pytest.mark.rule("blitz:6.5.dmg-d")
def test_an_a_bomb_goes_the_way_of_its_carrier() -> None:
    def bombed() -> State:
        s = state(
            {"usa_20th_air_force": (1, "chungking"), "jap_zeroes": (2, "tokyo")},
            phase="allied_activities",
            wars=WARS,
        )
        carrier = s.units["usa_20th_air_force"]
        s.put("usa_a_bomb_usa", replace(carrier, aboard="usa_20th_air_force", size=1))
        return s

    s = bombed()
    attackers = ["usa_20th_air_force", "usa_a_bomb_usa"]
    events = air(s, "tokyo", attackers, ["jap_zeroes"], [1, 6])
    # The bomb has no part in the fire, and is lost with the air unit that carries it.
    assert attackers == []
    assert "usa_a_bomb_usa" not in s.units
    assert kinds(events).count("destroyed") == 2

    s = bombed()
    attackers = ["usa_20th_air_force", "usa_a_bomb_usa"]
    faces = next(
        die
        for die in range(1, 7)
        if rounds.chart_result(s, rounds.air_fire(s, ["jap_zeroes"], attackers[:1])[0] or 1, die)
        == (0, "L")
    )
    air(s, "tokyo", attackers, ["jap_zeroes"], [1, faces])
    assert attackers == []
    assert s.units["usa_a_bomb_usa"].aboard == "usa_20th_air_force"


@pytest.mark.rule("blitz:6.5.letter-f")
def test_a_carrier_that_became_a_battleship_may_be_sent_home() -> None:
    s = state(
        {"usa_pacific_fleet": (2, "east_china_sea"), "jap_zeroes": (4, "east_china_sea")}
        | {"jap_naval_air": (4, "east_china_sea")},
    )
    defenders = ["usa_pacific_fleet"]
    strength = rounds.air_fire(s, ["jap_zeroes", "jap_naval_air"], defenders)[0]
    assert strength == 11
    assert rounds.chart_result(s, 11, 4) == (1, "L")
    air(s, "east_china_sea", ["jap_zeroes", "jap_naval_air"], defenders, [4, 1])
    assert s.type("usa_pacific_fleet") == "BB"
    assert defenders == []
    assert s.units["usa_pacific_fleet"].at != "east_china_sea"


# --- damage and letters ---------------------------------------------------------------------------


@pytest.mark.rule("blitz:6.5.dmg-a")
@pytest.mark.rule("blitz:6.5.dmg-b")
@pytest.mark.rule("blitz:A.6f")
def test_the_owner_and_the_enemy_assign_points_in_turn() -> None:
    s = state({"ger_luftwaffe": (2, "berlin"), "ger_stukas": (2, "berlin")})
    units = ["ger_luftwaffe", "ger_stukas"]
    assign(
        s,
        "berlin",
        units,
        3,
        "afa",
        [
            ("germany", Damage("ger_luftwaffe")),
            ("afa", Damage("ger_stukas")),
            ("germany", Damage("ger_luftwaffe")),
        ],
    )
    assert "ger_luftwaffe" not in s.units
    assert s.units["ger_stukas"].size == 1
    assert units == ["ger_stukas"]


@pytest.mark.rule("blitz:6.5.dmg-b")
def test_only_the_units_concerned_can_be_chosen() -> None:
    s = state(
        {"ger_luftwaffe": (2, "berlin"), "ger_stukas": (2, "berlin"), "ger_me_109s": "berlin"}
    )
    request = rounds.AssignDamage("germany", "berlin", ("ger_luftwaffe", "ger_stukas"))
    for unit in ("ger_me_109s", "nobody", "convoy", ""):
        with pytest.raises(IllegalDecision) as refusal:
            request.check(s, Damage(unit))
        assert refusal.value.rule == "6.5.dmg-b"
    assert list(request.decisions(s)) == [Damage("ger_luftwaffe"), Damage("ger_stukas")]


@pytest.mark.rule("blitz:6.5.dmg-b")
def test_the_enemy_power_with_the_most_factors_chooses() -> None:
    s = state({"afa_royal_air_force": (2, "london"), "usa_1st_tactical_air_force": (2, "london")})
    units = ["afa_royal_air_force", "usa_1st_tactical_air_force"]
    assert rounds.leader(s, units, air_factors) == "usa"
    s.change("usa_1st_tactical_air_force", size=1)
    assert rounds.leader(s, units, air_factors) == "afa"


@pytest.mark.rule("blitz:6.5.dmg-b")
@pytest.mark.rule("blitz:6.5.letter-b")
@pytest.mark.rule("blitz:6.6.adv-c")
def test_of_powers_with_equal_factors_or_size_the_first_of_the_scenario_chooses() -> None:
    units = ["usa_1st_tactical_air_force", "afa_royal_air_force"]
    s = state({units[0]: (1, "london"), units[1]: (2, "london")})
    assert rounds.leader(s, units, lambda _, id: 1.0) == "afa"
    answers: list[tuple[str, Decision]] = [("afa", Damage(units[1])), ("germany", Damage(units[1]))]
    assign(s, "london", list(units), 2, "germany", answers)
    s = state({units[0]: (2, "london"), units[1]: (2, "london")})
    assign(s, "london", list(units), 2, "germany", answers)
    # The power with more Size, if there is one; and so it is with those who have to go home.
    s = state({units[0]: (2, "london"), units[1]: (1, "london")})
    assign(s, "london", list(units), 1, "germany", [("usa", Damage(units[1]))])
    s = state({units[0]: (2, "london"), units[1]: (2, "london")})
    send_back(s, "london", list(units), "S", "germany", [("afa", Withdraw(units[1]))])


@pytest.mark.rule("blitz:6.5.dmg-c")
def test_a_unit_shrinks_step_by_step() -> None:
    s = state({"ger_luftwaffe": (4, "berlin")})
    sizes, pools = [], []
    for _ in range(4):
        assign(s, "berlin", ["ger_luftwaffe"], 1, "afa")
        sizes.append(s.units["ger_luftwaffe"].size if "ger_luftwaffe" in s.units else 0)
        pools.append([c for c in s.pool["germany"] if c.startswith("ger_luftwaffe")])
    assert sizes == [3, 2, 1, 0]
    big = "ger_luftwaffe.big"
    assert pools == [[], [big], [big], ["ger_luftwaffe", big]]


@pytest.mark.rule("blitz:6.5c")
def test_numbers_of_both_sides_come_before_letters() -> None:
    s = state(
        {
            "ger_luftwaffe": (4, "western_germany"),
            "ger_me_109s": (4, "western_germany"),
            "afa_royal_air_force": (4, "paris"),
            "afa_bomber_command": (4, "paris"),
        }
    )
    attackers = ["ger_luftwaffe", "ger_me_109s"]
    defenders = ["afa_royal_air_force", "afa_bomber_command"]
    events = air(
        s,
        "paris",
        attackers,
        defenders,
        [4, 6],
        [
            ("afa", Damage("afa_royal_air_force")),
            ("germany", Damage("afa_royal_air_force")),
            ("germany", Damage("ger_luftwaffe")),
            ("afa", Withdraw("afa_bomber_command")),
            ("germany", Withdraw("ger_me_109s")),
        ],
    )
    told = [kind for kind in kinds(events) if kind in ("damaged", "returned")]
    assert told == ["damaged"] * 3 + ["returned"] * 2
    assert [e.data["unit"] for e in events if e.kind == "damaged"] == [
        "afa_royal_air_force",
        "afa_royal_air_force",
        "ger_luftwaffe",
    ]


@pytest.mark.rule("blitz:6.5.letter-a")
@pytest.mark.rule("blitz:6.5.letter-b")
def test_a_letter_counts_those_who_survived_the_numbers() -> None:
    # 1L against two units of which one is destroyed: two thirds of the one that is left.
    s = state(
        {
            "jap_zeroes": (4, "east_china_sea"),
            "jap_naval_air": (4, "east_china_sea"),
            "usa_naval_patrol": (1, "east_china_sea"),
            "usa_pacific_air_force": (1, "east_china_sea"),
        }
    )
    attackers = ["jap_zeroes", "jap_naval_air"]
    defenders = ["usa_naval_patrol", "usa_pacific_air_force"]
    strength = rounds.air_fire(s, attackers, defenders)[0] or 0
    die = next(d for d in range(1, 7) if rounds.chart_result(s, strength, d) == (1, "L"))
    air(
        s,
        "east_china_sea",
        attackers,
        defenders,
        [die, 1],
        [("usa", Damage("usa_naval_patrol"))],
    )
    assert defenders == []


@pytest.mark.rule("blitz:6.5.letter-b")
def test_owner_and_enemy_choose_in_turn_who_returns() -> None:
    s = state(
        {
            "jap_zeroes": (4, "east_china_sea"),
            "jap_naval_air": (4, "east_china_sea"),
            "jap_bettys": (2, "east_china_sea"),
        },
        phase="allied_activities",
    )
    defenders = ["jap_bettys", "jap_naval_air", "jap_zeroes"]
    answers = [("japan", Withdraw("jap_bettys")), ("usa", Withdraw("jap_zeroes"))]
    events = send_back(s, "east_china_sea", defenders, "L", "usa", answers)
    assert [e.data["unit"] for e in events] == ["jap_bettys", "jap_zeroes"]
    request = rounds.ChooseReturning("japan", "east_china_sea", tuple(defenders))
    with pytest.raises(IllegalDecision) as refusal:
        request.check(s, Withdraw("jap_combined_fleet"))
    assert refusal.value.rule == "6.5.letter-b"


@pytest.mark.rule("blitz:6.5b")
def test_a_one_use_unit_fires_in_its_last_round_and_is_gone_before_the_results() -> None:
    units = {
        "jap_kamikazes": "east_china_sea",
        "jap_combined_fleet": (2, "east_china_sea"),
        "usa_7th_fleet": (2, "east_china_sea"),
    }
    s = state(units)
    attackers = ["jap_kamikazes", "jap_combined_fleet"]
    events = naval(s, "east_china_sea", attackers, ["usa_7th_fleet"], [1, 1])
    # 5 and 4 Naval Factors, and a white triangle.
    assert fired(events)[0][:2] == ("axis", 10)
    assert attackers == ["jap_combined_fleet"]
    assert "jap_kamikazes" not in s.units
    # Before an Air Round that another follows it stays; in one that is the last it is used up.
    s = state({"jap_kamikazes": "east_china_sea", "usa_naval_patrol": "east_china_sea"})
    attackers = ["jap_kamikazes"]
    air(s, "east_china_sea", attackers, ["usa_naval_patrol"], [1, 1])
    assert attackers == ["jap_kamikazes"]
    events = air(s, "east_china_sea", attackers, ["usa_naval_patrol"], [1, 1], last=True)
    assert attackers == []


@pytest.mark.rule("blitz:6.5b")
def test_a_one_use_unit_that_a_letter_strikes_is_used_up() -> None:
    s = state({"jap_kamikazes": "japanese_coast"}, phase="allied_activities")
    send_back(s, "japanese_coast", ["jap_kamikazes"], "B", "usa")
    assert "jap_kamikazes" not in s.units
    assert "jap_kamikazes" in s.pool["japan"]


# --- the Naval Round ------------------------------------------------------------------------------


@pytest.mark.rule("blitz:6.3a")
@pytest.mark.rule("blitz:6.3d")
@pytest.mark.rule("blitz:6.3e")
@pytest.mark.rule("blitz:C.4d")
def test_ex_6_3() -> None:
    s = state(
        {
            "ger_u_boat_ii": (2, "north_atlantic"),
            "afa_canadian_air_force": (2, "north_atlantic"),
            "afa_north_sea_fleet": (2, "north_atlantic"),
        },
        convoy_damage={"north_atlantic": 1},
    )
    attackers = ["ger_u_boat_ii"]
    defenders = ["afa_canadian_air_force", "afa_north_sea_fleet"]
    assert air(s, "north_atlantic", list(attackers), list(defenders), []) == []
    events = naval(s, "north_atlantic", attackers, defenders, [1, 1], convoy="afa")
    assert fired(events) == [("axis", 5, 0, ""), ("allies", 4, 0, "")]


@pytest.mark.rule("blitz:6.3b")
@pytest.mark.rule("blitz:6.5.letter-d")
def test_a_port_attack_halves_carriers_and_nobody_fires_back() -> None:
    s = state(
        {
            "jap_2nd_strike_fleet": (2, "hawaiian_islands"),
            "usa_7th_fleet": (2, "hawaii"),
            "usa_asiatic_fleet": (1, "hawaii"),
        }
    )
    attackers, defenders = ["jap_2nd_strike_fleet"], ["usa_7th_fleet", "usa_asiatic_fleet"]
    port = s.units["usa_7th_fleet"].port
    # 4 halved, and two white triangles.
    assert rounds.naval_fire(s, "hawaii", attackers, defenders, port_attack=True)[0] == 4
    assert rounds.naval_fire(s, "hawaii", attackers, defenders)[0] == 6
    events = naval(s, "hawaii", attackers, defenders, [4], port=port)
    # An L, but nobody returns.
    assert fired(events) == [("axis", 4, 0, "L")]
    assert defenders == ["usa_7th_fleet", "usa_asiatic_fleet"]


@pytest.mark.rule("blitz:6.3c")
@pytest.mark.rule("blitz:4.4g")
def test_snow_at_sea_halves_air_units_and_carriers() -> None:
    units = {
        "afa_coastal_command": (2, "baltic_sea"),
        "afa_north_atlantic_fleet": (2, "baltic_sea"),
        "afa_home_fleet": (2, "baltic_sea"),
        "ger_high_seas_fleet": (1, "baltic_sea"),
    }
    own = [id for id in units if id.startswith("afa")]
    enemy = ["ger_high_seas_fleet"]
    winter, summer = state(units, turn=4), state(units, turn=5)
    assert rounds.naval_fire(summer, "baltic_sea", own, enemy)[0] == 3 + 3 + 4
    assert rounds.naval_fire(winter, "baltic_sea", own, enemy)[0] == 3 + 4
    north = {id: (size, "north_sea") for id, (size, _) in units.items()}
    assert rounds.naval_fire(state(north, turn=4), "north_sea", own, enemy)[0] == 10


@pytest.mark.rule("blitz:6.5.elig-c")
@pytest.mark.rule("blitz:C.4e")
def test_naval_rounds_do_not_touch_air_units() -> None:
    s = state(
        {
            "usa_naval_patrol": "east_china_sea",
            "usa_asiatic_fleet": "east_china_sea",
            "jap_combined_fleet": (4, "east_china_sea"),
        }
    )
    defenders = ["usa_asiatic_fleet", "usa_naval_patrol"]
    events = naval(s, "east_china_sea", ["jap_combined_fleet"], defenders, [6, 1])
    # 8 and a white triangle: 2 points, and only one ship to take them.
    assert fired(events)[0] == ("axis", 9, 2, "")
    assert defenders == ["usa_naval_patrol"]
    assert s.units["usa_naval_patrol"].size == 1


@pytest.mark.rule("blitz:C.4e")
def test_carriers_take_results_of_a_naval_round() -> None:
    s = state(
        {"usa_12th_fleet": (2, "east_china_sea"), "jap_combined_fleet": (4, "east_china_sea")}
    )
    naval(s, "east_china_sea", ["jap_combined_fleet"], ["usa_12th_fleet"], [3, 1])
    assert s.units["usa_12th_fleet"].size == 1


@pytest.mark.rule("blitz:6.5.convoy-a")
@pytest.mark.rule("blitz:E.3a")
def test_a_convoy_takes_damage_up_to_its_factor() -> None:
    s = state({"afa_north_sea_fleet": (2, "north_atlantic")})
    units = ["afa_north_sea_fleet"]
    assign(
        s,
        "north_atlantic",
        units,
        3,
        "germany",
        [("afa", Damage("convoy")), ("germany", Damage("convoy"))],
        convoy="north_atlantic",
    )
    # The third point can only go to the fleet.
    assert s.convoy_damage == {"north_atlantic": 2}
    assert s.units["afa_north_sea_fleet"].size == 1


@pytest.mark.rule("blitz:6.5.convoy-b")
@pytest.mark.rule("blitz:C.4e")
@pytest.mark.rule("blitz:E.3a")
def test_a_convoy_counts_for_letters_and_takes_a_point_instead_of_returning() -> None:
    def back(damage: int, answers: list[tuple[str, Decision]]) -> State:
        s = state(
            {"afa_north_sea_fleet": (2, "north_atlantic")},
            convoy_damage={"north_atlantic": damage},
        )
        fleet = ["afa_north_sea_fleet"]
        send_back(s, "north_atlantic", fleet, "S", "germany", answers, "north_atlantic")
        return s

    # A third of fleet and convoy is one of them; a third of the fleet alone is nothing.
    s = back(1, [("afa", Withdraw("convoy"))])
    assert s.convoy_damage == {"north_atlantic": 2}
    assert s.units["afa_north_sea_fleet"].at == "north_atlantic"
    s = back(2, [])
    assert s.units["afa_north_sea_fleet"].at == "north_atlantic"


@pytest.mark.rule("blitz:6.5.convoy-b")
def test_all_of_fleet_and_convoy() -> None:
    s = state({"ger_bb_fleet": (2, "baltic_sea")}, trades=["sweden"], phase="allied_activities")
    answers = [("germany", Withdraw("convoy"))]
    send_back(s, "baltic_sea", ["ger_bb_fleet"], "B", "afa", answers, "baltic_sea")
    assert s.convoy_damage == {"baltic_sea": 1}
    assert s.units["ger_bb_fleet"].at != "baltic_sea"


@pytest.mark.rule("blitz:6.5.trs-a")
@pytest.mark.rule("blitz:C.4f")
def test_cargo_sinks_with_its_transport() -> None:
    s = state({"afa_europe_trs": (1, "north_sea")})
    at = s.units["afa_europe_trs"]
    s.put("afa_royal_marines", replace(at, aboard="afa_europe_trs"))
    assign(s, "north_sea", ["afa_europe_trs"], 1, "germany")
    assert not s.units
    assert "afa_royal_marines" in s.pool["afa"]


@pytest.mark.rule("blitz:6.5.trs-b")
@pytest.mark.rule("blitz:C.4f")
def test_a_damaged_transport_sheds_what_it_cannot_carry() -> None:
    s = state({"afa_europe_trs": (2, "north_sea")})
    at = s.units["afa_europe_trs"]
    for id, size in (("afa_royal_marines", 1), ("afa_8th_army", 2), ("afa_1st_airborne", 1)):
        s.put(id, replace(at, aboard="afa_europe_trs", size=size))
    assign(
        s,
        "north_sea",
        ["afa_europe_trs"],
        1,
        "germany",
        [("afa", LoseCargo("afa_8th_army")), ("afa", LoseCargo("afa_royal_marines"))],
    )
    assert s.units["afa_europe_trs"].size == 1
    left = {id: s.units[id].size for id in s.cargo("afa_europe_trs")}
    assert left == {"afa_8th_army": 1, "afa_1st_airborne": 1}
    request = ReduceCargo("afa", "north_sea", ("afa_8th_army",), transport="afa_europe_trs")
    with pytest.raises(IllegalDecision):
        request.check(s, LoseCargo("ger_6th_army"))


# --- the Strategic Round --------------------------------------------------------------------------


@pytest.mark.rule("blitz:6.4a")
def test_ex_6_4() -> None:
    s = state(
        {"usa_1st_tactical_air_force": (2, "london")},
        phase="allied_activities",
        factory_damage={"berlin": 1},
    )
    events = strategic(s, "berlin", ["usa_1st_tactical_air_force"], [6])
    assert fired(events) == [("allies", 3, 1, "S")]
    assert s.factory_damage["berlin"] == 2
    assert s.deeds["factory_damage:usa"] == 1


@pytest.mark.rule("blitz:6.4a")
def test_snow_halves_bombers_but_not_the_factory() -> None:
    s = state({"afa_bomber_command": (2, "london")}, phase="allied_activities", turn=4)
    units = ["afa_bomber_command"]
    assert s.facts.lands["austria_czechoslovakia"].factory == 1
    assert rounds.strategic_fire(s, "austria_czechoslovakia", units)[0] == 3
    s.turn = 5
    assert rounds.strategic_fire(s, "austria_czechoslovakia", units)[0] == 5


@pytest.mark.rule("blitz:6.5.factory-a")
@pytest.mark.rule("blitz:6.5.elig-d")
@pytest.mark.rule("blitz:6.5.letter-d")
def test_a_factory_takes_no_more_than_its_factor_and_nobody_else_anything() -> None:
    s = state(
        {"afa_bomber_command": (4, "london"), "ger_me_109s": (1, "berlin")},
        phase="allied_activities",
        factory_damage={"berlin": 1},
    )
    events = strategic(s, "berlin", ["afa_bomber_command"], [6])
    # 8 + 2 - 1 is 9, a 6 shows 2; the Factory Factor is 2, and one was gone.
    assert fired(events) == [("allies", 9, 2, "")]
    assert s.factory_damage["berlin"] == 2
    assert s.units["ger_me_109s"].size == 1
    events = strategic(s, "berlin", ["afa_bomber_command"], [6])
    assert fired(events)[0][1:] == (8, 1, "L")
    assert s.factory_damage["berlin"] == 2
    assert s.units["afa_bomber_command"].at == "london"


@pytest.mark.rule("blitz:6.1b")
@pytest.mark.rule("blitz:6.5b")
def test_v_weapons_bomb_once() -> None:
    s = state({"ger_v_1": "berlin", "ger_v_2": "berlin"})
    attackers = ["ger_v_1", "ger_v_2"]
    factory = s.facts.lands["london"].factory
    events = strategic(s, "london", attackers, [1])
    assert fired(events)[0][1] == 7 + factory
    assert attackers == [] and not s.units


@pytest.mark.rule("blitz:6.5b")
def test_an_a_bomb_is_dropped_once() -> None:
    s = state({"usa_1st_tactical_air_force": (4, "london")}, phase="allied_activities")
    carrier = s.units["usa_1st_tactical_air_force"]
    s.put("usa_a_bomb_usa", replace(carrier, aboard="usa_1st_tactical_air_force", size=1))
    attackers = ["usa_1st_tactical_air_force"]
    events = strategic(s, "berlin", attackers, [1])
    # 8 halved, 8 of the bomb, 2 of the Factory.
    assert fired(events)[0][1] == 14
    assert attackers == ["usa_1st_tactical_air_force"]
    assert "usa_a_bomb_usa" not in s.units
    assert "a_bombed:germany" in s.flags


# --- commanders -----------------------------------------------------------------------------------


@pytest.mark.rule("blitz:9.5e")
@pytest.mark.rule("blitz:9.5f")
def test_ex_9_5_novikov() -> None:
    s = state({"sov_lra": (2, "moscow")}, options={"commanders": True})
    s.commanders["novikov"] = ("moscow", "sov_lra")
    assert air_factors(s, "sov_lra") == 4
    assert printed(s, "sov_lra", "strategic") == 4
    assert printed(s, "sov_lra", "land") == 2
    assert triangles(s, "sov_lra", "air") == (0, 0)
    assert strategic_factors(s, "sov_lra") == 5
    assert land_factors(s, "sov_lra") == 4


@pytest.mark.rule("blitz:9.5f")
def test_ex_9_5_manstein() -> None:
    s = state({"ger_1st_para": "berlin"}, options={"commanders": True})
    s.commanders["manstein"] = ("berlin", "ger_1st_para")
    assert triangles(s, "ger_1st_para", "land", attacking=True) == (1, 0)
    assert triangles(s, "ger_1st_para", "land") == (0, 1)
    assert land_factors(s, "ger_1st_para") == 3


@pytest.mark.rule("blitz:9.5g")
def test_a_land_commander_gives_a_unit_without_land_factors_at_least_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    s = state({"ger_berlin_flak": "berlin"}, options={"commanders": True})
    assert land_factors(s, "ger_berlin_flak") == 0
    s.commanders["manstein"] = ("berlin", "ger_berlin_flak")
    assert land_factors(s, "ger_berlin_flak") == s.facts.commanders["manstein"].land == 2
    idle = Commander(name="Idle", power="germany", counter=1, commands="land", red=1)
    monkeypatch.setitem(s.facts.commanders, "manstein", idle)
    assert land_factors(s, "ger_berlin_flak") == printed(s, "ger_berlin_flak", "land") == 1


@pytest.mark.rule("blitz:9.5h")
def test_a_commander_may_be_lost_with_every_point_of_damage() -> None:
    s = state({"ger_luftwaffe": (4, "berlin")}, options={"commanders": True})
    s.commanders["kesselring"] = ("berlin", "ger_luftwaffe")
    assign(s, "berlin", ["ger_luftwaffe"], 2, "afa", dice=[5, 1])
    assert s.commanders == {"kesselring": ("berlin", "ger_luftwaffe")}
    events = assign(s, "berlin", ["ger_luftwaffe"], 1, "afa", dice=[6])
    assert s.commanders == {}
    assert kinds(events) == ["damaged", "commander_returned"]
    # Without a commander there is nothing to roll for.
    assign(s, "berlin", ["ger_luftwaffe"], 1, "afa")


# --- Land Rounds, and afterwards ------------------------------------------------------------------

POLAND: dict[str, tuple[int, str] | str] = {
    "ger_army_group_center": (2, "berlin"),
    "ger_army_group_north": (1, "berlin"),
    "ger_1st_para": "berlin",
    "ger_luftwaffe": (2, "berlin"),
    "afa_polish_army": (2, "poland"),
}


@pytest.mark.rule("blitz:6.5.elig-b")
def test_land_rounds_do_not_touch_supporting_units() -> None:
    s = state(POLAND)
    attackers, defenders = ["ger_army_group_center", "ger_luftwaffe"], ["afa_polish_army"]
    fought(s, ("ground", "poland"), attackers, defenders, ("land",), [1, 6])
    # The point could only go to the land unit, so nobody was asked.
    assert s.units["ger_army_group_center"].size == 1
    assert s.units["ger_luftwaffe"] == state(POLAND).units["ger_luftwaffe"]


@pytest.mark.rule("blitz:6.5.letter-c")
def test_in_a_land_round_letters_force_retreats_and_stop_advances() -> None:
    s = state(POLAND)
    attackers = ["ger_army_group_center", "ger_army_group_north", "ger_1st_para", "ger_luftwaffe"]
    defenders = ["afa_polish_army"]
    events = fought(
        s,
        ("ground", "poland"),
        attackers,
        defenders,
        ("land", "letters"),
        [4, 2],
        [("afa", Pick(("ger_army_group_north",)))],
        armour=True,
    )
    # 1L: a point, and another one instead of the retreat that is not possible; S: one is stopped.
    assert defenders == []
    (blocked,) = (e.data["units"] for e in events if e.kind == "blocked")
    assert blocked == ("ger_army_group_north",)
    assert s.units["ger_army_group_north"].at == "berlin"


@pytest.mark.rule("blitz:6.5.after-b")
def test_after_a_land_combat_ships_are_at_sea_and_air_units_return_to_base() -> None:
    units = {
        id: {"size": where[0], "at": where[1]} if isinstance(where, tuple) else {"at": where}
        for id, where in POLAND.items()
    }
    units["ger_bb_fleet"] = {"size": 2, "at": "baltic_sea"}
    play = Play(phase="axis_activities", step="F", wars=[["germany", "afa"]], turn=5, units=units)
    while play.state.queue[0] != "germany":
        play.do(play.state.queue[0], Done())
    committed = ("ger_army_group_center", "ger_army_group_north", "ger_luftwaffe", "ger_bb_fleet")
    play.do("germany", AnnounceAttack("ground", "poland", committed))
    while play.state.queue:
        play.do(play.state.queue[0], Done())
    play.dice(6).dice(1)
    # Poland is Germany's now, so the Luftwaffe may be based there.
    assert play.state.control["poland"] == "germany"
    request = play.request_of("germany")
    assert isinstance(request, ChooseBase)
    assert request.unit == "ger_luftwaffe"
    assert {area for area, _ in request.places} >= {"poland", "berlin"}
    play.do("germany", Return("ger_luftwaffe", "poland"))
    assert play.state.units["ger_luftwaffe"].at == "poland"
    assert play.state.units["ger_bb_fleet"].at == "baltic_sea"


@pytest.mark.rule("blitz:6.5c")
def test_in_a_naval_round_too_the_acting_sides_numbers_come_first() -> None:
    s = state(
        {
            "ger_bb_fleet": (2, "north_sea"),
            "ger_u_boat_ii": (2, "north_sea"),
            "afa_home_fleet": (4, "north_sea"),
            "afa_north_sea_fleet": (2, "north_sea"),
        }
    )
    events = naval(
        s,
        "north_sea",
        ["ger_bb_fleet", "ger_u_boat_ii"],
        ["afa_home_fleet", "afa_north_sea_fleet"],
        [3, 3],
        [("afa", Damage("afa_home_fleet")), ("germany", Damage("ger_bb_fleet"))],
    )
    damaged = [e.data["unit"] for e in events if e.kind == "damaged"]
    assert damaged == ["afa_home_fleet", "ger_bb_fleet"]


@pytest.mark.rule("blitz:4.1c")
def test_who_is_driven_from_the_sea_and_has_no_base_is_destroyed_by_the_enemy() -> None:
    s = position("D", units={"ger_u_boat_i": "gulf_of_alaska"})
    send_back(s, "gulf_of_alaska", ["ger_u_boat_i"], "B", "western_allies")
    assert s.deeds["destroyed:SUB:germany:western_allies"] == 1


@pytest.mark.parametrize("scenario", ["A", "C", "E"])
def test_the_terms_of_a_shot_add_up_to_its_factors(scenario: str) -> None:
    game = sandtable.new("blitz", seed=5, options={"scenario": scenario})
    bot, shots = make_bot("greedy", 5), 0
    while game.pending and shots < 25:
        request = game.pending[0]
        game.submit(request.power, bot.decide(game, request))
        shots = sum(event.kind == "fired" for event in game.events)
    assert shots > 5
    for event in game.events:
        if event.kind == "fired":
            total = sum(value for _, _, value in event.data["sum"])
            assert event.data["factors"] == max(1, math.floor(total + 0.5)), event
