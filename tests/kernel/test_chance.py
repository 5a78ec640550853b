"""Explicit chance: rolls as requests of the chance player."""

from __future__ import annotations

import random
from itertools import islice
from math import isclose
from typing import Any

import pytest

import sandtable
from sandtable import IllegalDecision
from sandtable.kernel.decisions import CHANCE, ChanceRequest, Roll
from sandtable.kernel.game import Game, Rolled
from tests.conformance.driver import advance, picture
from tests.kernel.toy import POWERS, Bid, Done

pytestmark = pytest.mark.usefixtures("toy")


def tied(chance: Any = "explicit") -> Game:
    game = sandtable.new("toy", chance=chance, seed=6)
    for power in POWERS:
        game.submit(power, Done())
    for power in POWERS:
        game.submit(power, Bid(2 if power in ("green", "white") else 1))
    return game


def test_a_roll_waits_for_its_outcome() -> None:
    game = tied()
    assert game.pending == (ChanceRequest(CHANCE, 2, 20, "the lead"),)
    assert game.pending[0].prompt == "Roll 2d20 for the lead."
    assert game.observe("red")["waiting_for"] == [CHANCE]
    game.submit(CHANCE, Roll((4, 19)))
    assert game.journal[-1] == Rolled((4, 19), 20, "the lead")
    assert game.state.leader == "white"


def test_outcomes_are_complete_and_their_probabilities_sum_to_one() -> None:
    request = ChanceRequest(CHANCE, 3, 6, "fire")
    outcomes = list(request.outcomes())
    assert len(outcomes) == len(set(outcomes)) == 216
    assert isclose(sum(probability for _, probability in outcomes), 1.0)
    assert outcomes[0] == (Roll((1, 1, 1)), 1 / 216)
    assert outcomes[-1][0] == Roll((6, 6, 6))
    ten = sum(probability for roll, probability in outcomes if sum(roll.faces) == 10)
    assert isclose(ten, 27 / 216)
    assert [roll for roll, _ in outcomes] == list(request.decisions(None))


def test_outcomes_of_very_many_dice_are_lazy() -> None:
    request = ChanceRequest(CHANCE, 1000, 6, "fire")
    (roll, probability), *_ = islice(request.outcomes(), 2)
    assert roll == Roll((1,) * 1000)
    assert probability >= 0.0


def test_every_outcome_is_accepted() -> None:
    game = tied()
    for roll in islice(game.legal(game.pending[0]), 0, None, 37):
        game.clone().submit(CHANCE, roll)


@pytest.mark.parametrize(
    ("decision", "reason"),
    [
        (Roll((1,)), "2 dice, but 1"),
        (Roll((1, 2, 3)), "2 dice, but 3"),
        (Roll(()), "2 dice, but 0"),
        (Roll((0, 1)), "cannot show 0"),
        (Roll((1, 21)), "cannot show 21"),
        (Roll((1, -5)), "cannot show -5"),
        (Roll((True, 2)), "malformed"),
        (Roll((1.0, 2)), "malformed"),
        ({"kind": "dice", "faces": [1, "2"]}, "malformed"),
        ({"kind": "dice"}, "malformed"),
        (Done(), "dice"),
    ],
)
def test_wrong_faces_are_refused(decision: object, reason: str) -> None:
    game = tied()
    before = picture(game)
    with pytest.raises(IllegalDecision, match=reason):
        game.submit(CHANCE, decision)
    assert picture(game) == before


def test_a_list_of_faces_becomes_the_same_journal() -> None:
    one, two = tied(), tied()
    one.submit(CHANCE, Roll([3, 4]))
    two.submit(CHANCE, Roll((3, 4)))
    assert picture(one) == picture(two)


def test_chance_decides_nothing_when_dice_are_drawn() -> None:
    game = tied("drawn")
    with pytest.raises(IllegalDecision, match="Nothing waits for chance"):
        game.submit(CHANCE, Roll((1, 2)))


def test_a_power_cannot_answer_for_chance() -> None:
    game = tied()
    with pytest.raises(IllegalDecision, match="Nothing waits for green"):
        game.submit("green", Roll((20, 1)))


def test_undo_takes_back_a_roll_alone() -> None:
    game = tied()
    before = picture(game)
    game.submit(CHANCE, Roll((4, 19)))
    game.undo()
    assert picture(game) == before
    game.submit(CHANCE, Roll((19, 4)))
    assert game.state.leader == "green"


@pytest.mark.parametrize("seed", range(5))
def test_the_same_faces_give_the_same_game_either_way(seed: int) -> None:
    drawn = advance(sandtable.new("toy", seed=seed), random.Random(seed), 1000)
    explicit = sandtable.new("toy", chance="explicit")
    for entry in drawn.journal:
        if isinstance(entry, Rolled):
            explicit.submit(CHANCE, Roll(entry.faces))
        else:
            explicit.submit(entry.power, entry.decision)
    assert picture(explicit) == picture(drawn)
