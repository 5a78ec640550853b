"""The odds of combats: known cases, the book's examples, and agreement with combats fought by the
rules."""

from __future__ import annotations

import json
import math
import os
import random
from typing import Any

import pytest
from typer.testing import CliRunner

import sandtable
from sandtable import odds
from sandtable.cli.app import app
from sandtable.games.gw75.facts import load_facts
from sandtable.games.gw75.odds import answer, question
from sandtable.games.gw75.odds.outcome import Course, _end, _labels, totals
from sandtable.games.gw75.rules.air import Raid
from sandtable.games.gw75.rules.declaring import Declare
from sandtable.games.gw75.rules.land_combat import Fight
from sandtable.games.gw75.rules.naval_combat import Engage, Stand
from sandtable.games.gw75.rules.naval_movement import Sail
from sandtable.games.gw75.rules.tables import column
from sandtable.games.gw75.rules.transit import Strike
from sandtable.kernel.display import NoQuestion, Reckoning
from sandtable.odds import OddsError, walk
from sandtable.odds.text import percent
from tests.gw75.moves import invade, move
from tests.gw75.table import Done, table

FULL = os.environ.get("SANDTABLE_FULL") == "1"
RUNS = 5000 if FULL else 200

COMBATS: dict[str, dict[str, Any]] = {
    "infantry": {"attack": "6 inf", "defend": "4 inf"},
    "two stacks": {"attack": "10 inf / 6 inf", "defend": "10 inf"},
    "mechanized": {"attack": "4 inf, 4 mech", "defend": "3 inf, 1 mech"},
    "strongest stack is answered": {
        "attack": "8 mech / 3 mech",
        "defend": "6 inf",
        "counter": "strongest",
    },
    "fort inland": {"attack": "10 inf / 3 mech", "defend": "3 inf, 2 fort"},
    "fort on the coast": {"attack": "9 inf", "defend": "3 inf, 2 fort", "terrain": "coast"},
    "mountains": {"attack": "10 inf", "defend": "4 inf", "terrain": "mountain"},
    "spring": {"attack": "9 mech", "defend": "4 inf", "season": "spring"},
    "Russian winter": {
        "attack": "8 inf",
        "defend": "9 inf",
        "season": "first_winter",
        "attacker": "ussr",
    },
    "stand fast": {"attack": "9 mech", "defend": "5 inf", "stand_fast": True},
    "surrounded": {"attack": "7 mech", "defend": "5 inf", "surrounded": True},
    "two hexes": {"attack": "9 mech / 5 inf", "defend": "4 inf / 3 inf"},
    "landing": {"attack": "9 inf", "defend": "3 inf, 2 fort", "landing": True},
    "self-defense": {"attack": "8 mech", "defend": "2 sd, 2 inf", "defend_order": "inf"},
    "overrun": {"attack": "6 inf, 2 mech", "defend": "1 inf", "kind": "overrun"},
    "fleets": {"attack": "2 surf_a, 2 surf_b", "defend": "1 surf_a, 2 surf_b"},
    "fleets that stop": {"attack": "3 surf_a", "defend": "2 surf_b", "close": "stop"},
    "fleets that retreat": {"attack": "3 surf_a", "defend": "2 surf_b", "respond": "retreat"},
    "two fleets, ASW": {"attack": "2 surf_a / 2 surf_b, 1 ss", "defend": "2 surf_b, 1 asw"},
    "convoy": {"attack": "4 ss", "defend": "6 ms, 1 surf_b, 1 asw", "port": 8, "turn": 10},
    "transit": {"attack": "3 asw, 1 surf_a", "defend": "3 ss", "kind": "transit"},
    "bombing": {"attack": "4 lrb / 3 lrb", "defend": "4 ad"},
    "atomic bomb": {"attack": "1 lrb", "defend": "3 ad", "bomb": True},
}


@pytest.mark.parametrize("name", COMBATS)
def test_odds_agree_with_combats_fought_by_the_rules(name: str) -> None:
    """Losses of both sides and the chance to win, within four standard errors."""
    q = question(**COMBATS[name])
    exact = answer(q)
    assert exact.probability.sum() == pytest.approx(1, abs=1e-12)
    start = totals(q.state)
    value = {
        side: [exact.cost[label] for label in _labels(q, number)]
        for number, side in enumerate(("ours", "theirs"))
    }
    before = [
        sum(exact.cost[label] * n for label, n in side.items())
        for side in (exact.attacker_start, exact.defender_start)
    ]
    seen: dict[str, list[float]] = {"win": [], "takes": [], "ours": [], "theirs": []}
    chance = random.Random(name)
    for _ in range(RUNS):
        run = Course(q, (), set())
        run._chance = chance
        run._go()
        end = _end(q, run, start)
        seen["win"].append(end.how == 0)
        seen["takes"].append(end.takes)
        for side, left, had in zip(("ours", "theirs"), end[:2], before, strict=True):
            seen[side].append(had - sum(a * b for a, b in zip(value[side], left, strict=True)))
    for what, expected in (
        ("win", exact.attacker_wins),
        ("takes", exact.takes_territory),
        ("ours", exact.attacker_loss),
        ("theirs", exact.defender_loss),
    ):
        mean = sum(seen[what]) / RUNS
        spread = math.sqrt(sum((each - mean) ** 2 for each in seen[what]) / RUNS)
        error = max(spread, 1 / math.sqrt(RUNS)) / math.sqrt(RUNS)
        assert abs(mean - expected) <= 4 * error, (what, mean, expected)


def test_courses_that_meet_are_the_same_as_those_that_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = COMBATS["two fleets, ASW"]
    met = odds.battle("gw75", **asked)
    monkeypatch.setattr(Course, "meets", lambda self, kind: False)
    alone = odds.battle("gw75", **asked)
    assert met.likeliest("defender") == [
        (pytest.approx(p), units) for p, units in alone.likeliest("defender")
    ]
    assert met.attacker_wins == pytest.approx(alone.attacker_wins)
    assert met.attacker_loss == pytest.approx(alone.attacker_loss)


def lost(result: Any, side: str) -> float:
    """How many Strength Points or fleets a side loses on average."""
    start = result.attacker_start if side == "attacker" else result.defender_start
    return float(sum(start.values()) - sum(result.expected_left(side).values()))


# --- tables by hand -------------------------------------------------------------------------------


@pytest.mark.rule("gw75:8.31")
@pytest.mark.parametrize("differential", sorted(load_facts().tables.land))
def test_every_column_of_the_land_table(differential: int) -> None:
    """Each face is a sixth: the defender's losses are those of the column."""
    if differential > 18:
        attack = "10 inf / 10 inf / 2 inf"
        defend = f"{22 - differential} inf"
    else:
        attack, defend = f"10 inf / {10} inf", f"{20 - differential} inf"
        if differential < 10:
            attack, defend = f"{min(10, differential + 1)} inf", "1 inf"
    result = odds.battle("gw75", attack, defend)
    faces = column(load_facts().tables.land, differential)
    have = result.defender_start["inf"]
    expected: dict[int, float] = {}
    for loss in faces:
        left = max(0, have - loss)
        expected[left] = expected.get(left, 0) + 1 / 6
    found = {units.get("inf", 0): p for p, units in result.likeliest("defender")}
    assert found == pytest.approx(expected)


@pytest.mark.rule("gw75:8.51c")
def test_example_of_the_counter_attack() -> None:
    """Stacks of 10 and 6 attack 10: +6, a 4 costs four points. The six that are left
    Counter-Attack the stack of six at +0, which loses what that column says."""
    result = odds.battle("gw75", "10 inf / 6 inf", "10 inf")
    assert any("16 Strength Points against 10: +6." in note for note in result.notes)
    land = load_facts().tables.land
    assert land[6][3] == 4
    expected: dict[tuple[int, int], float] = {}
    for loss in land[6]:
        for counter in column(land, max(0, 10 - loss - 6)):
            key = (16 - counter, 10 - loss)
            expected[key] = expected.get(key, 0) + 1 / 36
    found: dict[tuple[int, int], float] = {}
    for p, ours, theirs in zip(result.probability, result.attacker, result.defender, strict=True):
        key = (int(ours.sum()), int(theirs.sum()))
        found[key] = found.get(key, 0) + float(p)
    assert found == pytest.approx(expected)


@pytest.mark.rule("gw75:8.31")
def test_example_of_the_differential() -> None:
    """Seven against four is +3."""
    result = odds.battle("gw75", "7 inf", "4 inf")
    assert any("+3." in note for note in result.notes)
    some = sum(loss > 0 for loss in load_facts().tables.land[3]) / 6
    assert result.attacker_wins == pytest.approx(some)


@pytest.mark.rule("gw75:5.66")
def test_an_overrun_is_counter_attacked_at_zero() -> None:
    """Eight against one is +7: the point is gone, and column +0 is rolled."""
    result = odds.battle("gw75", "8 inf", "1 inf", kind="overrun")
    zero = load_facts().tables.land[0]
    assert result.attacker_wins == result.takes_territory == 1
    assert lost(result, "defender") == pytest.approx(1)
    assert lost(result, "attacker") == pytest.approx(sum(zero) / 6)


@pytest.mark.rule("gw75:8.8b")
def test_stand_fast_costs_a_point_and_holds() -> None:
    plain_ = odds.battle("gw75", "6 mech", "5 inf")
    stands = odds.battle("gw75", "6 mech", "5 inf", stand_fast=True)
    assert lost(stands, "defender") == pytest.approx(lost(plain_, "defender") + 1)
    assert plain_.attacker_wins > 0
    assert stands.attacker_wins == 0


@pytest.mark.rule("gw75:8.45")
def test_fortifications_do_not_retreat() -> None:
    """Inland what is lost is the defender's choice; on the coast the fort goes first (7.14)."""
    inland = odds.battle("gw75", "10 inf", "3 inf, 2 fort", defend_order="inf")
    coast = odds.battle("gw75", "10 inf", "3 inf, 2 fort", terrain="coast")
    chosen = odds.battle("gw75", "10 inf", "3 inf, 2 fort", defend_order="fort, inf")
    two = sum(loss >= 2 for loss in column(load_facts().tables.land, 5)) / 6
    assert coast.attacker_wins == chosen.attacker_wins == pytest.approx(two)
    five = sum(loss >= 5 for loss in column(load_facts().tables.land, 5)) / 6
    assert inland.attacker_wins == pytest.approx(five)


@pytest.mark.rule("gw75:8.91b")
def test_who_is_surrounded_is_eliminated() -> None:
    result = odds.battle("gw75", "7 mech", "5 inf", surrounded=True)
    some = sum(loss > 0 for loss in column(load_facts().tables.land, 2)) / 6
    assert result.happenings["no_retreat"] == pytest.approx(some)
    assert result.attacker_wins == pytest.approx(some)
    assert result.takes_territory == pytest.approx(some)
    assert lost(result, "defender") == pytest.approx(5 * some)


@pytest.mark.rule("gw75:8.61a")
def test_only_mechanized_points_advance() -> None:
    assert odds.battle("gw75", "8 inf", "4 inf").takes_territory == 0
    mech = odds.battle("gw75", "8 mech", "4 inf")
    assert mech.takes_territory == mech.attacker_wins > 0
    assert odds.battle("gw75", "8 mech", "4 inf", advance="none").takes_territory == 0


@pytest.mark.rule("gw75:15.23")
@pytest.mark.parametrize(("port", "less"), [(0, 0), (5, 0), (6, 1), (10, 1), (11, 2), (20, 3)])
def test_submarines_far_from_port(port: int, less: int) -> None:
    """The die is lowered by the distance, never below 1."""
    result = odds.battle("gw75", "8 ss", "9 ms", port=port)
    faces = column(load_facts().tables.naval, 8)
    mean = sum(int(faces[max(1, face - less) - 1].rstrip("D")) for face in range(1, 7)) / 6
    assert 9 - result.expected_left("defender")["ms"] == pytest.approx(mean)


@pytest.mark.rule("gw75:15.72")
def test_escorts_strike_back_at_zero_without_superiority() -> None:
    """Four submarines attack a Surf-B escort (3 against 4): its Counter-Attack is at +0."""
    result = odds.battle("gw75", "4 ss", "5 ms, 1 surf_b")
    zero = load_facts().tables.naval[0]
    mean = sum(int(face.rstrip("D")) for face in zero) / 6
    assert 4 - result.expected_left("attacker")["ss"] == pytest.approx(mean)


@pytest.mark.rule("gw75:12.21b")
def test_submarines_in_the_snort_mode_are_harder_to_hit() -> None:
    """Six against two is +4, against four +2."""
    naval = load_facts().tables.naval
    for snort, number in ((False, 4), (True, 2)):
        result = odds.battle("gw75", "3 asw", "2 ss", kind="transit", snort=snort, turn=18)
        losses = [min(2, int(face.rstrip("D"))) for face in column(naval, number)]
        assert 2 - result.expected_left("defender")["ss"] == pytest.approx(sum(losses) / 6)


@pytest.mark.rule("gw75:17.31a")
@pytest.mark.rule("gw75:17.31b")
def test_bombing_by_hand() -> None:
    """Five bombers against three Air Defense units: -2, then those that got through bomb."""
    tables = load_facts().tables
    damage: dict[int, float] = {}
    for _, destroyed, aborted in column(tables.air_defense, -2):
        for points in column(tables.bombing, 5 - destroyed - aborted):
            damage[points] = damage.get(points, 0) + 1 / 36
    result = odds.battle("gw75", "5 lrb", "3 ad")
    assert result.damage == pytest.approx(damage)
    assert result.attacker_wins == pytest.approx(1 - damage.get(0, 0))
    alone = odds.battle("gw75", "5 lrb")
    assert alone.damage == pytest.approx(
        {n: tables.bombing[5].count(n) / 6 for n in sorted(set(tables.bombing[5]))}
    )


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"attack": "", "defend": "1 inf"}, "The attacker has no units"),
        ({"attack": "1 inf", "defend": ""}, "The defender has no units"),
        ({"attack": "3 tnk", "defend": "1 inf"}, "There is no unit 'tnk'"),
        ({"attack": "-1 inf", "defend": "1 inf"}, "There cannot be -1"),
        ({"attack": "3 inf", "defend": "8 inf"}, "too few: the defense is 8"),
        ({"attack": "12 inf", "defend": "8 inf"}, "A hex holds 10"),
        ({"attack": "8 inf", "defend": "3 fort"}, "2 points of Fortifications"),
        ({"attack": "8 fort", "defend": "3 inf"}, "Fortification units do not attack"),
        ({"attack": "3 inf", "defend": "1 surf_a"}, "no part in naval"),
        ({"attack": "3 inf", "defend": "1 inf", "hex": "Nowhere"}, "There is no hex 'Nowhere'"),
        ({"attack": "3 inf", "defend": "1 inf", "hex": "W2821/W2821"}, "named once"),
        ({"attack": "3 inf", "defend": "1 inf", "terrain": "swamp"}, "A terrain is one of"),
        ({"attack": "3 inf", "defend": "1 inf", "season": "rain"}, "A season is one of"),
        ({"attack": "3 inf", "defend": "1 inf", "turn": 99}, "Game-Turns are"),
        ({"attack": "3 inf", "defend": "1 inf", "attacker": "mars"}, "There is no nation"),
        ({"attack": "3 inf", "defend": "1 inf", "defender": "italy"}, "of one side"),
        ({"attack": "3 inf", "defend": "1 inf", "counter": "x"}, "choice of counter"),
        ({"attack": "3 inf", "defend": "1 inf", "attack_order": "tank"}, "An order is"),
        ({"attack": "3 inf", "defend": "1 inf", "wind": 1}, "no option 'wind'"),
        ({"attack": "3 inf", "defend": "1 inf", "kind": "x"}, "A question is about"),
        ({"attack": "3 inf", "defend": "1 inf", "bomb": True}, "no atomic bomb"),
        ({"attack": "6 inf", "defend": "1 inf", "kind": "overrun"}, "differential of"),
        ({"attack": "9 inf", "defend": "2 inf", "kind": "overrun"}, "can be overrun"),
        ({"attack": "2 inf/2 inf", "defend": "1 inf", "landing": True}, "one stack in one hex"),
        ({"attack": "2 surf_a", "defend": "1 ss"}, "in transit only"),
        ({"attack": "1 surf_b", "defend": "2 surf_a"}, "cannot attack"),
        ({"attack": "2 surf_a", "defend": "3 ms", "kind": "transit"}, "Holding Areas"),
        ({"attack": "2 ss", "defend": "3 ms", "port": 30}, "at most 20"),
        ({"attack": "2 lrb", "defend": "11 ad"}, "A hex holds 10"),
        ({"attack": "2 ad", "defend": "1 ad"}, "do not attack"),
        ({"attack": "1 inf / 1 inf", "defend": "1 inf", "hex": "W0101"}, "There is no land"),
        ({"attack": "3 inf", "defend": "1 inf", "hex": "eastern poland"}, "could be Vilna"),
        ({"attack": "2 surf_a", "defend": "1 asw", "kind": "transit"}, "no Transit Attack"),
        ({"attack": "3 lrb", "defend": "", "origin": "Ruhr"}, "no origin in a question"),
        ({"attack": "5 inf", "defend": "1 inf", "landing": True, "season": "winter"}, "in Winter"),
        ({"attack": "3 inf", "defend": "1 inf", "territory": math.nan}, "worth a number"),
        ({"attack": "9" * 5000 + " inf", "defend": "1 inf"}, "More than 1000 units"),
        (
            {"attack": "3 inf", "defend": "1 inf", "hex": "Paris", "origin": "Ruhr/Bavaria"},
            "2 for 1",
        ),
    ],
)
def test_bad_questions_are_refused_in_a_sentence(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(OddsError, match=said):
        odds.battle("gw75", **asked)


def test_a_combat_with_too_many_courses_is_refused() -> None:
    with pytest.raises(walk.TooMany):
        odds.battle("gw75", **COMBATS["fleets"], most=5)


def test_places_are_known_by_parts_of_their_names() -> None:
    """Paris-Lorraine; on islands far from everything one can land, in every season."""
    for place in ("W3019", "Paris-Lorraine", "paris", "lorraine"):
        result = odds.battle("gw75", "5 inf", "2 inf, 2 fort", hex=place)
        assert result.attacker_wins == odds.battle("gw75", "5 inf", "2 inf, 2 fort").attacker_wins
    for island in ("Guam", "Midway", "Easter Island"):
        found = odds.battle("gw75", "5 inf", "2 inf", landing=True, hex=island, season="winter")
        assert found.attacker_wins == odds.battle("gw75", "5 inf", "2 inf").attacker_wins


@pytest.mark.rule("gw75:8.25")
def test_nobody_comes_across_mountains_who_need_not() -> None:
    """Budapest has mountains on one side: three against two is +1 there."""
    assert True in load_facts().land["W3022"].values()
    plain_ = odds.battle("gw75", "3 inf", "2 inf", hex="Budapest", defender="ussr")
    assert any("+1." in note for note in plain_.notes)


@pytest.mark.rule("gw75:15.34", "gw75:15.0a")
def test_ships_of_others_in_the_hex_do_not_keep_an_attack_from_winning() -> None:
    """Six submarines attack two Merchant Ships; Japanese ones are in the same hex."""
    t = table(
        "axis_naval_2",
        units={"W2810": {"usa": "2 ms", "japan": "2 ms"}, "W2809": {"germany": "6 ss"}},
        wars=[("germany", "usa")],
        held={"W3018": "germany"},
    )
    engage = Engage("W2810", (("W2809", "germany", "ss", 6),))
    found = t.game.rules.odds(t.game, "W2810", engage, "germany")
    less = 1  # 6 to 10 hexes from Brest
    faces = [max(1, face - less) for face in range(1, 7)]
    losses = [int(column(load_facts().tables.naval, 6)[face - 1].rstrip("D")) for face in faces]
    assert found.win == pytest.approx(sum(loss >= 1 for loss in losses) / 6)
    cleared = sum(loss >= 2 for loss in losses) / 6
    assert f"Nobody who was attacked is left there: {percent(cleared)}." in found.lines


@pytest.mark.rule("gw75:13.15b")
def test_odds_of_a_transit_attack_by_some() -> None:
    """Fifteen against three; ten or five, if those of one hex attack alone."""
    near = "W2709"
    other = next(
        hex
        for hex in load_facts().sea["W2809"]
        if hex not in (near, "W2810") and load_facts().hexes[hex].kind == "sea"
    )
    t = table(
        "axis_naval_2",
        units={"W2809": {"japan": "surf_b"}, near: {"usa": "2 surf_a"}, other: {"usa": "surf_a"}},
        wars=[("japan", "usa")],
    )
    t.do(Sail("japan", ("W2809", "W2810", "W2811"), {"surf_b": 1}))
    naval = load_facts().tables.naval
    for strike, strength in ((Strike(), 15), (Strike((near,)), 10), (Strike((other,)), 5)):
        found = t.game.rules.odds(t.game, "W2809", strike, "commonwealth")
        losses = [int(face.rstrip("D")) for face in column(naval, strength - 3)]
        assert found.win == pytest.approx(sum(loss >= 1 for loss in losses) / 6)


def test_odds_of_the_attack_that_is_resolved_next_are_not_in_doubt() -> None:
    units = {
        "W3019": {"france": "3 inf"},
        "W3119": {"france": "2 inf"},
        "W3020": {"germany": "8 mech"},
        "W3120": {"germany": "8 mech"},
    }
    t = table("axis_land_combat", 4, units=units, wars=[("germany", "france")])
    for target, origin in (("W3019", "W3020"), ("W3119", "W3120")):
        t.do(Declare((target,), ((origin, "germany", "mech", 8),)))
    t.do(Done())
    doubt = "If no other attack is resolved first."
    first = t.game.rules.odds(t.game, "W3119", Fight("W3119"), "germany")
    assert doubt not in first.lines
    assert doubt in t.game.rules.odds(t.game, "W3119", None, "germany").lines
    t.do(Fight("W3119"))
    assert doubt in t.game.rules.odds(t.game, "W3019", None, "germany").lines


@pytest.mark.rule("gw75:10.14")
def test_the_calculator_of_a_game_knows_the_winter_of_the_invasion() -> None:
    """Three Russians count for six: three Germans are too few."""
    units = {"W3124": {"ussr": "3 inf"}, "W3123": {"germany": "8 inf"}}
    wars = [("germany", "ussr")]
    told = []
    for counts in ({}, {"invaded_ussr": 8}):
        t = table("axis_land_combat", 10, units=units, wars=wars, counts=counts)
        asked = t.game.rules.calculator(t.game, "W3124", "germany")
        reckoning = Reckoning(attack={"inf": 8}, defend={"inf": 3}, settings={})
        told.append(t.game.rules.reckon(t.game, asked, reckoning).note)
    assert "8 Strength Points against 3: +5." in told[0]
    assert "8 Strength Points against 6: +2." in told[1]


# --- the command ----------------------------------------------------------------------------------


def test_the_command_prints_and_has_json() -> None:
    run = CliRunner().invoke(
        app, ["odds", "gw75", "--attack", "10 inf / 6 inf", "--defend", "10 inf", "--json"]
    )
    assert run.exit_code == 0, run.output
    found = json.loads(run.output)
    assert found["attacker_wins"] == 1
    assert found["chances"]["retreated"] == 1
    shown = CliRunner().invoke(app, ["odds", "gw75", "--attack", "5 lrb", "--defend", "3 ad"])
    damage = odds.battle("gw75", "5 lrb", "3 ad").damage
    mean = sum(points * share for points, share in damage.items())
    assert f"Production Points lost: {mean:.2f}" in shown.output


# --- a game ---------------------------------------------------------------------------------------


def _duel() -> Any:
    """Germans before a French hex, in the German land combat phase."""
    facts = load_facts()
    target = next(
        hex
        for hex in facts.country_hexes["france"]
        if any(facts.hexes[near].nation == "germany" for near in facts.land[hex])
    )
    origin = next(near for near in facts.land[target] if facts.hexes[near].nation == "germany")
    t = table(
        "axis_land_combat",
        units={target: {"france": "4 inf"}, origin: {"germany": "6 inf, 2 mech"}},
        wars=[("germany", "france")],
    )
    return t, target, origin


def test_odds_of_an_attack_that_is_being_thought_about() -> None:
    t, target, origin = _duel()
    force = ((origin, "germany", "inf", 6), (origin, "germany", "mech", 2))
    declare = Declare((target,), force)
    found = t.game.rules.odds(t.game, target, declare, "germany")
    some = sum(loss > 0 for loss in column(load_facts().tables.land, 4)) / 6
    assert found.win == pytest.approx(some)
    assert found.lose == pytest.approx(1 - some)
    assert "advance" in found.note
    few = Declare((target,), (force[0],))
    fewer = t.game.rules.odds(t.game, target, few, "germany")
    assert fewer.win < found.win
    with pytest.raises(NoQuestion, match="too few"):
        t.game.rules.odds(t.game, target, Declare((target,), (force[1],)), "germany")
    with pytest.raises(NoQuestion, match="Nobody attacks"):
        t.game.rules.odds(t.game, target, None, "germany")


def test_odds_of_a_declared_attack_and_of_a_battle_in_progress() -> None:
    t, target, origin = _duel()
    force = ((origin, "germany", "inf", 6), (origin, "germany", "mech", 2))
    t.do(Declare((target,), force))
    declared = t.game.rules.odds(t.game, target, None, "germany")
    assert declared.win == pytest.approx(
        sum(loss > 0 for loss in column(load_facts().tables.land, 4)) / 6
    )
    t.do(Done())
    t.dice(6)  # four are lost: nobody is left, and the Counter-Attack is at +0
    going = t.game.rules.odds(t.game, target, None, "germany")
    assert going.win == 1
    rest = odds.in_progress(t.game)
    assert lost(rest, "attacker") == pytest.approx(sum(load_facts().tables.land[0]) / 6)
    assert sum(rest.defender_start.values()) == 0


def test_no_odds_where_nobody_fights() -> None:
    t, _, _ = _duel()
    with pytest.raises(OddsError, match="does not rest in a combat"):
        odds.in_progress(t.game)
    with pytest.raises(NoQuestion, match="no combat here"):
        t.game.rules.odds(t.game, "nowhere", None, "germany")


def test_odds_of_an_engagement_say_what_they_take_for_granted_where_the_enemy_chooses() -> None:
    facts = load_facts()
    hex = next(
        id
        for id, each in facts.hexes.items()
        if not facts.hexes[id].dry and all(not facts.hexes[n].dry for n in facts.within(id, 3))
    )
    near = facts.sea[hex][0]
    t = table(
        "axis_naval_1",
        units={hex: {"commonwealth": "2 surf_b"}, near: {"germany": "3 surf_a"}},
        wars=[("germany", "commonwealth")],
    )
    supplied = {
        (at, unit): unit.supply for at, unit, _ in t.s.units() if unit.type.startswith("surf")
    }
    for (at, unit), mark in supplied.items():
        if mark:  # far from any port: as if they had just come
            t.s.change(at, unit, t.s.stack(at)[unit], supply="")
    engage = Engage(hex, ((near, "germany", "surf_a", 3),))
    found = t.game.rules.odds(t.game, hex, engage, "germany")
    assert found.given
    assert "retreat before combat" in found.note
    assert found.win + found.lose + found.draw == pytest.approx(1)


def test_odds_at_sea_are_those_of_doing_harm() -> None:
    """Three Submarines can sink none of many convoys as a whole, but they can sink ships."""
    t = table(
        "axis_naval_2",
        units={"W3014": {"commonwealth": "5 ms", "germany": "3 ss"}},
        wars=[("germany", "commonwealth")],
    )
    engage = Engage("W3014", (("W3014", "germany", "ss", 3),))
    found = t.game.rules.odds(t.game, "W3014", engage, "germany")
    assert found.outcome == "to sink or damage ships"
    assert 0 < found.win <= 1 and found.lose == pytest.approx(1 - found.win)
    assert "Nobody who was attacked is left there: 0.0 %." in found.lines


def test_odds_of_a_counter_attack_at_sea_are_those_of_the_attackers() -> None:
    t = table(
        "axis_naval_2",
        units={"W2812": {"germany": "4 surf_a"}, "W2813": {"commonwealth": "surf_b"}},
        wars=[("commonwealth", "germany")],
    )
    t.do(Engage("W2813", (("W2812", "germany", "surf_a", 4),)))
    t.do(Stand())
    t.dice(1)
    assert t.asked == "commonwealth naval_counter_attack"
    found = t.game.rules.odds(t.game, "W2813", None, "commonwealth")
    assert (found.title, found.outcome) == (
        "The Counter-Attack on Germany",
        "to come off unharmed",
    )
    idle = t.game.rules.odds(t.game, "W2813", {"kind": "choose", "option": ""}, "commonwealth")
    assert idle.win == 1.0 > found.win


def test_odds_of_a_raid() -> None:
    facts = load_facts()
    target = next(hex for hex, whose in facts.industry.items() if whose == "germany")
    base = min(
        (hex for hex, whose in facts.industry.items() if whose == "commonwealth"),
        key=lambda hex: facts.distance(hex, target),
    )
    t = table(
        "allies_air_movement",
        turn=12,
        units={target: {"germany": "3 ad"}, base: {"commonwealth": "5 lrb"}},
        wars=[("germany", "commonwealth")],
    )
    raid = Raid("commonwealth", base, target, 5)
    found = t.game.rules.odds(t.game, target, raid, "commonwealth")
    assert found.outcome == "to do damage"
    assert found.win == pytest.approx(odds.battle("gw75", "5 lrb", "3 ad").attacker_wins)
    with pytest.raises(NoQuestion):
        t.game.rules.odds(t.game, target, Raid("commonwealth", base, target, 9), "commonwealth")
    t.do(raid)
    assert t.game.rules.odds(t.game, target, None, "commonwealth").win == found.win


def test_every_combat_of_a_game_in_which_it_rests_has_odds() -> None:
    """Wherever a choice is open in it, and whatever is decided: they change nothing."""
    game, rng = sandtable.new("gw75", seed=2, options={"scenario": "watermark"}), random.Random(2)
    seen: set[str] = set()
    combats = 0
    while combats < 12 and game.pending:
        request = next(iter(game.pending))
        decision = request.sample(game.state, rng)
        fight = game.state.land or game.state.sea
        if fight is not None:
            combats += 1
            seen.add(request.kind)
            before = game.state.plain()
            hex = fight.targets[0] if game.state.land else game.state.sea.target
            for then in (None, decision):
                if request.kind in ("retreat", "advance"):
                    with pytest.raises(NoQuestion, match="is decided"):
                        game.rules.odds(game, hex, then, request.power)
                    continue
                found = game.rules.odds(game, hex, then, request.power)
                assert found.win + found.lose + found.draw == pytest.approx(1)
            assert game.state.plain() == before
        game.submit(request.power, decision)
    assert combats == 12
    assert len(seen) >= 2


@pytest.mark.rule("gw75:5.57c")
def test_odds_of_a_landing_that_is_being_thought_about() -> None:
    """Three points land among one German: +2, and they are ashore if he is lost or retreats."""
    london, brest = "W3118", "W3018"
    t = table(
        "allies_land_movement",
        16,
        units={
            london: {"commonwealth": "4 inf, 3 amph"},
            brest: {"germany": "inf"},
        },
        wars=[("commonwealth", "germany")],
        held={brest: "germany"},
    )
    found = t.game.rules.odds(t.game, brest, invade(f"{london} > {brest}", "3 inf"), "commonwealth")
    some = sum(loss > 0 for loss in column(load_facts().tables.land, 2)) / 6
    assert found.win == pytest.approx(some)
    assert found.lines[0].startswith("Takes the hex: ")
    assert any("If all of them get ashore" in line for line in found.lines)
    assert found.given
    assert t.units(brest, "commonwealth") == {}


@pytest.mark.rule("gw75:5.66")
def test_odds_of_an_overrun_that_is_being_thought_about() -> None:
    _, target, origin = _duel()
    t = table(
        "axis_land_movement",
        4,
        units={target: {"france": "inf"}, origin: {"germany": "9 inf"}},
        wars=[("germany", "france")],
    )
    found = t.game.rules.odds(t.game, target, move(f"{origin} > {target}", "8 inf"), "germany")
    assert found.win == 1
    assert found.outcome == "to overrun"
    mean = sum(load_facts().tables.land[0]) / 6
    assert f"The attacker loses {mean:.1f} of 8 on average." in found.lines
    with pytest.raises(NoQuestion, match="differential"):
        t.game.rules.odds(t.game, target, move(f"{origin} > {target}", "7 inf"), "germany")


@pytest.mark.rule("gw75:8.8a")
def test_odds_tell_what_a_stand_fast_order_would_change() -> None:
    _, target, origin = _duel()
    t = table(
        "axis_land_combat",
        6,
        units={target: {"france": "4 inf"}, origin: {"germany": "8 inf"}},
        wars=[("germany", "france")],
        counts={"first_battle:france": 1},
    )
    attack = Declare((target,), ((origin, "germany", "inf", 8),))
    found = t.game.rules.odds(t.game, target, attack, "germany")
    stands = odds.battle("gw75", "8 inf", "4 inf", stand_fast=True)
    assert any("stand fast" in line for line in found.lines)
    chance = f"{100 * stands.attacker_wins:.1f} % to clear it"
    assert any(chance in line for line in found.lines)
    assert found.given
    assert found.win > stands.attacker_wins
