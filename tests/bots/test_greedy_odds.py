"""The odds that the greedy bot goes by: exact where that is quick, and quick to get at."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from typing import Any

import pytest

import sandtable
from sandtable import odds
from sandtable.bots import play_one
from sandtable.games.aa1942 import bot
from sandtable.games.aa1942.bot import odds as bot_odds
from sandtable.games.aa1942.bot.board import Board
from sandtable.games.aa1942.bot.weights import LOSS_ORDER

BOARD = Board(sandtable.new("aa1942", seed=1).state, "germany")


def force(units: str) -> bot.Force:
    """Units, in the order in which the bot loses them."""
    numbers = {}
    for item in filter(None, units.split(", ")):
        number, _, type_ = item.partition(" ")
        numbers[type_] = int(number)
    return BOARD.force(numbers)


LAND = [
    ("1 infantry", "1 infantry"),
    ("3 infantry, 1 artillery, 2 tank", "4 infantry"),
    ("6 infantry, 2 tank, 2 fighter, 1 bomber", "5 infantry, 2 antiaircraft_artillery, 1 fighter"),
    ("2 infantry, 3 fighter", "3 infantry, 1 tank"),
    ("20 infantry, 10 tank", "25 infantry, 3 fighter"),
]
SEA = [
    ("1 battleship", "1 destroyer"),
    ("2 submarine, 1 destroyer, 2 fighter", "1 destroyer, 1 cruiser, 2 transport"),
    ("2 fighter, 1 cruiser, 1 transport", "2 submarine, 1 aircraft_carrier, 1 fighter"),
    ("3 fighter, 1 bomber", "1 destroyer, 1 battleship, 1 transport"),
]


@pytest.fixture
def no_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: Any) -> None:
        raise AssertionError("an estimate")

    bot_odds.outlook.cache_clear()
    monkeypatch.setattr(bot_odds, "_estimate", refused)


@pytest.mark.usefixtures("no_estimate")
@pytest.mark.parametrize(("attack", "defend"), LAND)
def test_battles_on_land_are_exact(attack: str, defend: str) -> None:
    found = bot_odds.outlook(force(attack), force(defend))
    said = odds.battle("aa1942", attack, defend, keep_land=True)
    assert found.chance == pytest.approx(said.takes_territory)
    assert found.lost == pytest.approx(said.attacker_loss)
    assert found.killed == pytest.approx(said.defender_loss)


@pytest.mark.usefixtures("no_estimate")
def test_what_a_victory_costs() -> None:
    attack, defend = "4 infantry, 2 tank", "3 infantry"
    said = odds.battle("aa1942", attack, defend, keep_land=True)
    ends = said.distribution
    won = ends.takes
    prices = [said.cost[type_] for type_ in said.attacker_types]
    left = (ends.attacker[won] @ prices) @ ends.probability[won] / ends.probability[won].sum()
    assert bot_odds.outlook(force(attack), force(defend)).toll == pytest.approx(24 - left)


@pytest.mark.usefixtures("no_estimate")
def test_bombardment_is_exact() -> None:
    said = odds.battle(
        "aa1942",
        defend="2 infantry, 1 fighter",
        landing="2 infantry",
        fleet="1 battleship, 2 cruiser",
        keep_land=True,
    )
    # Two landed units, two ships: the heavier ones.
    attack = force("2 infantry, 1 battleship, 2 cruiser")
    assert bot.win_chance(attack, force("2 infantry, 1 fighter")) == pytest.approx(
        said.takes_territory
    )


@pytest.mark.usefixtures("no_estimate")
def test_guns_fire_once() -> None:
    attack, defend = "2 infantry, 4 fighter", "4 infantry, 1 antiaircraft_artillery"
    fresh = bot_odds.outlook(force(attack), force(defend))
    begun = bot_odds.outlook(force(attack), force(defend), begun=True)
    assert begun.chance > fresh.chance + 0.02
    assert begun.lost < fresh.lost


@pytest.mark.usefixtures("no_estimate")
@pytest.mark.parametrize(("attack", "defend"), SEA)
def test_battles_at_sea_are_exact(attack: str, defend: str) -> None:
    found = bot_odds.outlook(force(attack), force(defend))
    order = list(LOSS_ORDER)
    said = odds.battle("aa1942", attack, defend, attack_order=order, defend_order=order)
    assert found.chance == pytest.approx(said.attacker_wins)
    assert found.lost == pytest.approx(said.attacker_loss)
    assert found.killed == pytest.approx(said.defender_loss)


@pytest.mark.parametrize(
    ("attack", "defend", "more"),
    [
        ("infantry", "400 infantry, 40 fighter", 400),
        ("destroyer", "20 submarine, 20 fighter, 20 destroyer", 40),
    ],
)
def test_what_would_take_long_is_estimated(attack: str, defend: str, more: int) -> None:
    chances = [bot.win_chance(force(f"{n * more} {attack}"), force(defend)) for n in range(1, 7)]
    assert chances[0] < 0.05
    assert chances[-1] > 0.95
    assert all(fewer <= many for fewer, many in pairwise(chances))


@pytest.mark.parametrize(
    ("attack", "defend"),
    [*LAND[1:], *SEA[1:]],
)
def test_the_estimate_is_not_far_off(attack: str, defend: str) -> None:
    guns = bot_odds.GUN_DICE * bot_odds._number(force(defend), "antiaircraft_artillery")
    guess = bot_odds._estimate(force(attack), force(defend), guns)
    assert guess.chance == pytest.approx(bot.win_chance(force(attack), force(defend)), abs=0.25)


def test_what_is_remembered_changes_nothing() -> None:
    bot_odds.outlook.cache_clear()
    first = play_one("aa1942", 8, "greedy", max_rounds=2)
    assert bot_odds.outlook.cache_info().hits
    assert play_one("aa1942", 8, "greedy", max_rounds=2) == first
    bot_odds.outlook.cache_clear()
    assert play_one("aa1942", 8, "greedy", max_rounds=2) == first


def test_only_who_asks_for_odds_waits_for_them() -> None:
    script = (
        "import sys\n"
        "from sandtable.bots import play_one\n"
        "play_one('aa1942', 1, 'random', max_rounds=1)\n"
        "print(*(name in sys.modules for name in ('numpy', 'llvmlite', 'numba')))\n"
        "play_one('aa1942', 1, 'greedy', max_rounds=1)\n"
        "print('sandtable.odds.exact' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout.split() == ["False", "False", "False", "True"]
