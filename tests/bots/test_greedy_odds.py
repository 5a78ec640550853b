"""The odds that the greedy bot goes by: exact where that is quick, and quick to get at."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable import odds
from sandtable.bots import play_one
from sandtable.games.aa1942 import bot
from sandtable.games.aa1942.bot import odds as bot_odds
from sandtable.games.aa1942.bot.board import Board
from sandtable.games.aa1942.bot.weights import LOSS_ORDER
from sandtable.games.aa1942.facts import DATA, Facts, Numbers, load_facts

BOARD = Board(sandtable.new("aa1942", seed=1).state, "germany")
NUMBERS = BOARD.facts.numbers


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
    found = bot_odds.outlook(NUMBERS, force(attack), force(defend))
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
    assert bot_odds.outlook(NUMBERS, force(attack), force(defend)).toll == pytest.approx(24 - left)


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
    assert bot.win_chance(NUMBERS, attack, force("2 infantry, 1 fighter")) == pytest.approx(
        said.takes_territory
    )


@pytest.mark.usefixtures("no_estimate")
def test_guns_fire_once() -> None:
    attack, defend = "2 infantry, 4 fighter", "4 infantry, 1 antiaircraft_artillery"
    fresh = bot_odds.outlook(NUMBERS, force(attack), force(defend))
    begun = bot_odds.outlook(NUMBERS, force(attack), force(defend), begun=True)
    assert begun.chance > fresh.chance + 0.02
    assert begun.lost < fresh.lost


@pytest.mark.usefixtures("no_estimate")
@pytest.mark.parametrize(("attack", "defend"), SEA)
def test_battles_at_sea_are_exact(attack: str, defend: str) -> None:
    found = bot_odds.outlook(NUMBERS, force(attack), force(defend))
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
    chances = [
        bot.win_chance(NUMBERS, force(f"{n * more} {attack}"), force(defend)) for n in range(1, 7)
    ]
    assert chances[0] < 0.05
    assert chances[-1] > 0.95
    assert all(fewer <= many for fewer, many in pairwise(chances))


@pytest.mark.parametrize(
    ("attack", "defend"),
    [*LAND[1:], *SEA[1:]],
)
def test_the_estimate_is_not_far_off(attack: str, defend: str) -> None:
    guns = NUMBERS.aaa_dice_per_gun * bot_odds._number(force(defend), "antiaircraft_artillery")
    guess = bot_odds._estimate(NUMBERS, force(attack), force(defend), guns)
    assert guess.chance == pytest.approx(
        bot.win_chance(NUMBERS, force(attack), force(defend)), abs=0.25
    )


CHANGES = {
    "die": (12, "3 infantry, 1 tank", "2 infantry, 1 fighter"),
    "supported_attack": (4, "3 infantry, 3 artillery", "4 infantry"),
    "infantry_per_artillery": (2, "4 infantry, 2 artillery", "4 infantry"),
    "aaa_dice_per_gun": (1, "2 infantry, 3 fighter", "2 infantry, 1 antiaircraft_artillery"),
    "aaa_hits_on": (3, "2 infantry, 3 fighter", "2 infantry, 1 antiaircraft_artillery"),
}


def with_number(folder: Path, name: str, value: int) -> Facts:
    """The facts of a data folder in which a number is another one."""
    text = (DATA / "units.yaml").read_text(encoding="utf-8")
    text, count = re.subn(rf"\b{name}: \d+", f"{name}: {value}", text)
    assert count == 1
    (folder / "units.yaml").write_text(text, encoding="utf-8")
    return load_facts(folder)


@pytest.mark.usefixtures("no_estimate")
@pytest.mark.parametrize("name", CHANGES)
def test_the_numbers_of_a_data_folder_count(name: str, tmp_path: Path) -> None:
    value, attack, defend = CHANGES[name]
    numbers = with_number(tmp_path, name, value).numbers
    found = bot_odds.outlook(numbers, force(attack), force(defend))
    said = odds.battle("aa1942", attack, defend, keep_land=True, data=tmp_path)
    assert found.chance == pytest.approx(said.takes_territory)
    assert found.lost == pytest.approx(said.attacker_loss)
    assert found != bot_odds.outlook(NUMBERS, force(attack), force(defend))


@pytest.mark.usefixtures("no_estimate")
def test_ships_roll_the_die_of_a_data_folder(tmp_path: Path) -> None:
    numbers = with_number(tmp_path, "die", 12).numbers
    attack, defend, order = "2 cruiser, 1 fighter", "2 destroyer", list(LOSS_ORDER)
    said = odds.battle(
        "aa1942", attack, defend, attack_order=order, defend_order=order, data=tmp_path
    )
    found = bot_odds.outlook(numbers, force(attack), force(defend))
    assert found.lost == pytest.approx(said.attacker_loss)
    shelling = bot_odds.outlook(numbers, force("2 infantry, 2 battleship"), force("2 infantry"))
    said = odds.battle(
        "aa1942",
        defend="2 infantry",
        landing="2 infantry",
        fleet="2 battleship",
        keep_land=True,
        data=tmp_path,
    )
    assert shelling.chance == pytest.approx(said.takes_territory)


@pytest.mark.parametrize("name", CHANGES)
def test_the_estimate_goes_by_the_numbers_of_a_data_folder(name: str, tmp_path: Path) -> None:
    value, attack, defend = CHANGES[name]
    numbers = with_number(tmp_path, name, value).numbers

    def guess(by: Numbers) -> bot_odds.Outlook:
        guns = by.aaa_dice_per_gun * bot_odds._number(force(defend), "antiaircraft_artillery")
        return bot_odds._estimate(by, force(attack), force(defend), guns)

    exact = bot_odds.outlook(numbers, force(attack), force(defend))
    assert guess(numbers) != guess(NUMBERS)
    assert guess(numbers).chance == pytest.approx(exact.chance, abs=0.25)


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
