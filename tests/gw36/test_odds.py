"""The odds of battles: known cases, and agreement with battles fought by the rules."""

from __future__ import annotations

import math
import os
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from sandtable import odds
from sandtable.games.gw36.odds import answer, question
from sandtable.games.gw36.odds.outcome import Course, Row, ended
from sandtable.games.gw36.rules.movement import Move
from sandtable.games.gw36.rules.rounds import Fire
from sandtable.kernel.display import NoQuestion
from sandtable.odds import OddsError, walk
from sandtable.odds.result import ATTACKER, DEFENDER, RETREAT
from tests.gw36.table import NONE, Done, Table, table

FULL = os.environ.get("SANDTABLE_FULL") == "1"
RUNS = 5000 if FULL else 250

BATTLES: dict[str, dict[str, Any]] = {
    "infantry": {"attack": "4 infantry", "defend": "3 infantry"},
    "artillery supports and strikes first": {
        "attack": "4 infantry, 2 artillery",
        "defend": "4 infantry, 1 artillery",
    },
    "air superiority": {
        "attack": "4 infantry, 1 medium_armor, 2 fighter",
        "defend": "4 infantry, 1 fighter",
    },
    "anti-aircraft": {
        "attack": "3 infantry, 1 fighter, 1 tactical_bomber, 1 medium_bomber",
        "defend": "3 infantry, 2 anti_aircraft_artillery",
    },
    "target selection": {
        "attack": "2 infantry, 2 tank_destroyer, 1 tactical_bomber",
        "defend": "2 infantry, 2 medium_armor, 1 tank_destroyer",
    },
    "city": {
        "attack": "3 infantry, 3 medium_armor, 1 light_armor",
        "defend": "4 infantry, 1 militia",
        "terrain": "city",
    },
    "surrounded city": {
        "attack": "3 infantry, 1 medium_armor",
        "defend": "4 infantry, 1 fighter",
        "terrain": "city",
        "surrounded": True,
    },
    "fortification": {
        "attack": "5 infantry, 1 artillery",
        "defend": "3 infantry",
        "fort": "fortification",
    },
    "double casualties at the Maginot line": {
        "attack": "6 infantry, 1 artillery, 1 fighter",
        "defend": "2 infantry",
        "fort": "maginot",
    },
    "mountains": {
        "attack": "4 infantry, 2 mountain_infantry",
        "defend": "2 infantry, 1 mountain_infantry",
        "terrain": "mountain",
    },
    "breakdowns in the desert": {
        "attack": "2 infantry, 3 light_armor",
        "defend": "3 infantry",
        "terrain": "desert",
    },
    "jungle": {
        "attack": "3 infantry, 2 medium_armor",
        "defend": "2 infantry, 1 light_armor",
        "terrain": "jungle",
    },
    "landing": {
        "attack": "1 fighter",
        "landing": "4 infantry, 2 marine, 1 artillery",
        "bombard": "1 battleship, 1 heavy_cruiser",
        "defend": "2 infantry, 1 militia",
        "guns": 1,
    },
    "landing beside an attack by land": {
        "attack": "2 infantry, 1 artillery",
        "landing": "2 infantry",
        "defend": "3 infantry",
    },
    "a landing that the guns leave without resistance": {
        "landing": "1 infantry, 1 artillery",
        "bombard": "2 battleship",
        "defend": "1 militia",
    },
    "airborne": {
        "attack": "2 infantry",
        "drop": "2 airborne",
        "defend": "2 infantry, 1 anti_aircraft_artillery",
    },
    "retreat of what is weaker": {
        "attack": "4 infantry, 1 medium_armor, 1 fighter",
        "defend": "4 infantry, 1 artillery",
        "retreat": "weaker",
    },
    "fleets": {
        "attack": "1 battleship, 2 destroyer, 1 heavy_cruiser, 1 submarine",
        "defend": "1 battleship, 1 light_cruiser, 2 destroyer, 1 naval_transport",
    },
    "carriers": {
        "attack": "1 fleet_carrier, 2 fighter, 1 tactical_bomber, 1 destroyer",
        "defend": "1 light_carrier, 1 fighter, 2 light_cruiser, 1 submarine",
        "retreat": "rounds:3",
    },
    "submarines that submerge": {
        "attack": "2 submarine, 1 destroyer",
        "defend": "2 submarine, 1 light_cruiser, 2 naval_transport",
        "defend_subs": "submerge",
        "attack_subs": "last",
    },
    "Advanced Submarines that aircraft hunt": {
        "attack": "2 destroyer, 1 fighter",
        "defend": "2 advanced_submarine, 1 light_carrier, 1 fighter",
    },
    "alternate damage": {
        "attack": "2 battleship, 1 destroyer",
        "defend": "1 heavy_battleship, 1 destroyer, 1 seaplane",
        "alternate_damage": True,
    },
}


def play(name: str, runs: int) -> list[Row]:
    """The battle through the rules, so many times."""
    q = question(**BATTLES[name])
    q.state.lost = {}
    return [ended(float(p), run) for p, run in walk.sampled(lambda: Course(q, whole=True), runs)]


@pytest.mark.parametrize("name", BATTLES)
def test_the_odds_agree_with_battles_through_the_rules(name: str) -> None:
    result = odds.battle("gw36", **BATTLES[name])
    assert result.exact
    assert math.isclose(sum(result.probability), 1.0, abs_tol=1e-9)
    rows = play(name, RUNS)
    for how, chance in (
        (ATTACKER, result.attacker_wins),
        (DEFENDER, result.defender_wins - result.retreats),
        (RETREAT, result.retreats),
    ):
        found = sum(row.how == how for row in rows) / RUNS
        error = math.sqrt(max(chance * (1 - chance), 1 / RUNS) / RUNS)
        assert abs(found - chance) < 4 * error, (name, how, found, chance)
    taken = sum(row.takes for row in rows) / RUNS
    chance = result.takes_territory
    assert abs(taken - chance) < 4 * math.sqrt(max(chance * (1 - chance), 1 / RUNS) / RUNS)
    cost = result.cost
    for mean, losses in (
        (result.attacker_loss, [row.ours for row in rows]),
        (result.defender_loss, [row.theirs for row in rows]),
    ):
        values = [sum(cost[t] * n for t, n in lost.items()) for lost in losses]
        average = sum(values) / RUNS
        spread = math.sqrt(sum((v - average) ** 2 for v in values) / RUNS)
        assert abs(average - mean) < 4 * max(spread, 0.1) / math.sqrt(RUNS), (name, average, mean)
    rounds = [row.rounds for row in rows]
    average = sum(rounds) / RUNS
    spread = math.sqrt(sum((n - average) ** 2 for n in rounds) / RUNS)
    assert abs(average - result.rounds) < 4 * max(spread, 0.1) / math.sqrt(RUNS)


def test_two_infantry_meet() -> None:
    """Attack 2 against Defense 4: the attacker alone hits in 1/9 of the rounds, the defender alone
    in 5/18, both in 1/18."""
    result = odds.battle("gw36", "1 infantry", "1 infantry")
    some = Fraction(1, 9) + Fraction(5, 18) + Fraction(1, 18)
    assert result.attacker_wins == pytest.approx(float(Fraction(1, 9) / some))
    assert result.defender_wins == pytest.approx(float(Fraction(5, 18) / some))
    assert result.draw == pytest.approx(float(Fraction(1, 18) / some))
    assert result.rounds == pytest.approx(float(1 / some))
    assert result.takes_territory == result.attacker_wins


def test_artillery_strikes_first_in_the_first_round_only() -> None:
    """One artillery (3, first strike) against one infantry (4): in the first round it fires, and
    only if it misses the infantry fires; later both fire."""
    first, both = Fraction(1, 4), Fraction(1, 3)
    rest = first * (1 - both) / (1 - (1 - first) * (1 - both))
    wins = first + (1 - first) * (1 - both) * rest
    result = odds.battle("gw36", "1 artillery", "1 infantry")
    assert result.attacker_wins == pytest.approx(float(wins))


def test_capital_ships_take_damage_before_others_are_lost() -> None:
    result = odds.battle("gw36", "1 battleship, 1 destroyer", "1 destroyer", retreat=1)
    # One round: the only hit that can fall damages the battleship.
    assert result.attacker_loss == 0
    last = odds.battle(
        "gw36", "1 battleship, 1 destroyer", "1 destroyer", retreat=1,
        attack_order="destroyer, damage",
    )  # fmt: skip
    assert last.attacker_loss == pytest.approx(7 * 4 / 12)


def test_an_order_of_loss_decides_who_is_left() -> None:
    asked = {"attack": "2 infantry, 1 medium_armor", "defend": "2 infantry", "retreat": 1}
    cheap = odds.battle("gw36", **asked)
    dear = odds.battle("gw36", **asked, attack_order=["medium_armor"])
    assert cheap.expected_left()["medium_armor"] == 1
    assert dear.expected_left()["medium_armor"] == pytest.approx((8 / 12) ** 2)


def test_what_cannot_be_exact_is_refused_or_estimated() -> None:
    asked = {"attack": "6 infantry, 2 fighter", "defend": "6 infantry, 1 fighter", "most": 20}
    with pytest.raises(OddsError, match="too much for exact odds"):
        odds.battle("gw36", **asked)
    result = odds.battle("gw36", **asked, sample=100)
    assert not result.exact and result.error > 0


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"attack": "", "defend": "1 infantry"}, "attacker has no units"),
        ({"attack": "1 infantry", "defend": ""}, "defender has no units"),
        ({"attack": "1 infantry", "defend": "1 hussar"}, "no unit"),
        ({"attack": "1 infantry", "defend": "1 destroyer"}, "no part in a naval battle"),
        ({"attack": "1 infantry", "defend": "1 infantry", "retreat": "soon"}, "Retreat rules"),
        ({"attack": "1 infantry", "defend": "1 infantry", "zone": "atlantis"}, "no zone"),
        ({"attack": "1 infantry", "defend": "1 infantry", "mood": 1}, "no option"),
        ({"attack": "1 infantry", "defend": "1 infantry", "attack_order": "elephant"}, "elephant"),
    ],
)
def test_questions_that_cannot_be_asked(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(OddsError, match=message):
        odds.battle("gw36", **asked)


def test_a_border_clash_lasts_one_round() -> None:
    """Attackers go back after the round, whatever is left of the defenders."""
    q = question("3 infantry, 1 fighter", "1 infantry", attacker="ussr", defender="japan")
    for unit, count in list(q.state.stack(q.zone).items()):
        if unit.nation == "ussr":
            q.state.change(q.zone, unit, count, target="clash")
    result = answer(q)
    assert result.takes_territory == 0
    assert result.rounds == 1
    assert result.retreats == pytest.approx(1)
    misses = (10 / 12) ** 3 * 6 / 12
    assert result.defender_loss == pytest.approx(3 * (1 - misses))


def test_guns_that_can_hit_nobody_fall_back() -> None:
    """Anti-aircraft artillery against anti-aircraft artillery: nobody can hit."""
    result = odds.battle("gw36", "1 anti_aircraft_artillery", "1 anti_aircraft_artillery")
    assert result.retreats == 1
    assert result.attacker_loss == result.defender_loss == 0


# --- in a game


UNITS = {
    "bavaria": {"germany": "4 infantry, artillery, medium_armor, fighter"},
    "alsace_lorraine": {"france": "3 infantry, artillery, fighter"},
}
ALL = Move({"infantry": 4, "artillery": 1, "medium_armor": 1}, ("bavaria", "alsace_lorraine"))


def game_before_the_battle() -> Table:
    return table("germany", units=UNITS, wars=[("france", "germany")])


def test_the_odds_of_a_move_that_is_thought_about() -> None:
    t = game_before_the_battle()
    before = t.game.hash
    with pytest.raises(NoQuestion, match="Nobody attacks"):
        t.game.rules.odds(t.game, "alsace_lorraine", None, "germany")
    found = t.game.rules.odds(t.game, "alsace_lorraine", ALL, "germany")
    plain = odds.battle(
        "gw36", "4 infantry, artillery, medium_armor", "3 infantry, artillery, fighter",
        zone="alsace_lorraine", origin="bavaria", fort="maginot", rules="basic",
        **{name: value for name, value in NONE.items() if name != "rules"},
    )  # fmt: skip
    assert found.exact and found.win == pytest.approx(plain.attacker_wins)
    assert found.title == "Germany attacks in Alsace-Lorraine"
    assert t.game.hash == before
    t.do(ALL)
    planned = t.game.rules.odds(t.game, "alsace_lorraine", None, "germany")
    assert planned.win == found.win


def test_a_zone_that_nobody_defends_is_taken() -> None:
    t = table("germany", units={"bavaria": {"germany": "infantry"}}, wars=[("france", "germany")])
    move = Move({"infantry": 1}, ("bavaria", "alsace_lorraine"))
    found = t.game.rules.odds(t.game, "alsace_lorraine", move, "germany")
    assert found.win == 1 and "Nobody defends" in found.lines[0]


def rests(t: Table, seed: int) -> Iterator[str]:
    """Play a battle with dice at random, and say where it rests."""
    rng = random.Random(seed)
    while not t.game.result and t.asked != "germany noncombat_move":
        request: Any = t.game.pending[0]
        if t.asked == "chance roll":
            t.dice(
                *(rng.randint(1, line.sides) for line in request.lines for _ in range(line.count))
            )
            continue
        if t.s.battle is not None:
            yield request.kind
        t.do(Done() if request.kind == "combat_move" else t.game.legal(request).sample(rng))


def test_the_odds_of_a_running_battle_count_what_has_fallen() -> None:
    """Wherever a battle rests, the exact odds are those of battles at random from there."""
    kinds = {"choose_fire", "choose_casualties", "retreat_or_press"}
    seen: Counter[str] = Counter()
    seed = 0
    while not kinds <= set(seen):
        seed += 1
        t = game_before_the_battle()
        t.do(ALL)
        for kind in rests(t, seed):
            seen[kind] += 1
            if seen[kind] > 2:
                continue
            exact = odds.in_progress(t.game)
            some = odds.in_progress(t.game, most=0, sample=RUNS)
            assert exact.exact and not some.exact
            chance = exact.attacker_wins
            error = math.sqrt(max(chance * (1 - chance), 1 / RUNS) / RUNS)
            assert abs(chance - some.attacker_wins) < 4 * error, kind
            shown = t.game.rules.odds(t.game, "alsace_lorraine", None, "germany")
            assert shown.win == chance
        with pytest.raises(OddsError, match="does not rest in a battle"):
            odds.in_progress(t.game)


def test_hits_that_have_been_scored_count() -> None:
    """One round before its end: the French infantry that was hit fires once more."""
    t = table(
        "germany",
        units={
            "bavaria": {"germany": "infantry, fighter"},
            "alsace_lorraine": {"france": "infantry"},
        },
        wars=[("france", "germany")],
    )
    t.do(Move({"infantry": 1}, ("bavaria", "alsace_lorraine")))
    t.do(Move({"fighter": 1}, ("bavaria", "alsace_lorraine")), Done())
    t.dice(12, 12)  # the Maginot Line
    t.do(Fire("fighter")).dice(1)
    # The infantry is behind the line; the German infantry finds nobody to hit. It is hit by 4, and
    # by 3 more because of the Maginot Line.
    result = odds.in_progress(t.game)
    assert result.attacker_wins == 1
    assert result.takes_territory == pytest.approx(1 - 7 / 12)
