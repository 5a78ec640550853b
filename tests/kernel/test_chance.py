"""Explicit chance: rolls as requests of the chance player."""

from __future__ import annotations

import random
from itertools import islice
from math import isclose
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable import IllegalDecision
from sandtable.kernel import registry
from sandtable.kernel.decisions import CHANCE, ChanceRequest, Roll, RollLine, plain
from sandtable.kernel.game import Game, Rolled
from sandtable.kernel.savefile import save_text
from tests.conformance.driver import advance, picture
from tests.kernel.toy import POWERS, Bid, Done, ToyRules, ToyState

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
    lines = (RollLine("green", "bid", 1, 0, 20), RollLine("white", "bid", 1, 0, 20))
    assert game.pending == (ChanceRequest(CHANCE, "lead", lines),)
    request: Any = game.pending[0]
    assert (request.dice, request.sides) == (2, 20)
    assert request.prompt == "Roll 2d20 for lead: 1 bid, 1 bid."
    assert plain(request) == {
        "kind": "roll",
        "power": CHANCE,
        "roll": "lead",
        "lines": (("green", "bid", 1, 0, 20), ("white", "bid", 1, 0, 20)),
    }
    assert game.observe("red")["waiting_for"] == [CHANCE]
    game.submit(CHANCE, Roll((4, 19)))
    assert game.journal[-1] == Rolled((4, 19), 20, "lead")
    assert game.state.leader == "white"


def test_outcomes_are_complete_and_their_probabilities_sum_to_one() -> None:
    request = ChanceRequest(
        CHANCE, "fire", (RollLine("red", "x", 1, 2), RollLine("red", "y", 2, 3))
    )
    outcomes = list(request.outcomes())
    assert len(outcomes) == len(set(outcomes)) == 216
    assert isclose(sum(probability for _, probability in outcomes), 1.0)
    assert outcomes[0] == (Roll((1, 1, 1)), 1 / 216)
    assert outcomes[-1][0] == Roll((6, 6, 6))
    ten = sum(probability for roll, probability in outcomes if sum(roll.faces) == 10)
    assert isclose(ten, 27 / 216)
    assert [roll for roll, _ in outcomes] == list(request.decisions(None))


def test_outcomes_of_very_many_dice_are_lazy() -> None:
    request = ChanceRequest(CHANCE, "fire", (RollLine("red", "x", 1000, 2),))
    (roll, probability), *_ = islice(request.outcomes(), 2)
    assert roll == Roll((1,) * 1000)
    assert probability >= 0.0


def hits(lines: tuple[RollLine, ...], faces: tuple[int, ...]) -> tuple[object, ...]:
    """What tells the outcomes of a roll apart: hits where there is a value to hit at, or faces."""
    found: list[object] = []
    for line in lines:
        part, faces = faces[: line.count], faces[line.count :]
        found.append(sum(f <= line.value for f in part) if line.value else tuple(sorted(part)))
    return tuple(found)


@pytest.mark.parametrize(
    "lines",
    [
        (RollLine("red", "x", 4, 1),),
        (RollLine("red", "x", 2, 3), RollLine("red", "y", 1, 5), RollLine("green", "x", 2, 2)),
        (RollLine("red", "x", 2, 0), RollLine("red", "y", 2, 4)),
        (RollLine("red", "x", 2, 6), RollLine("red", "y", 2, 9)),
        (RollLine("red", "x", 3, 7, 12),),
        (RollLine("red", "x", 0, 3), RollLine("red", "y", 1, 0, 6)),
    ],
)
def test_merged_outcomes_are_the_outcomes_put_together_by_their_hits(
    lines: tuple[RollLine, ...],
) -> None:
    request = ChanceRequest(CHANCE, "fire", lines)
    expected: dict[tuple[object, ...], float] = {}
    for roll, probability in request.outcomes():
        key = hits(lines, roll.faces)
        expected[key] = expected.get(key, 0.0) + probability
    merged = list(request.merged_outcomes())
    for roll, _ in merged:
        request.check(None, roll)
    found = {hits(lines, roll.faces): probability for roll, probability in merged}
    assert len(found) == len(merged)
    assert found == pytest.approx(expected)


def test_merged_outcomes_of_many_dice_are_few() -> None:
    lines = (RollLine("red", "x", 40, 2, 12), RollLine("red", "y", 20, 5, 12))
    merged = list(ChanceRequest(CHANCE, "fire", lines).merged_outcomes())
    assert len(merged) == 41 * 21
    assert isclose(sum(probability for _, probability in merged), 1.0)
    best, worst = merged[0], merged[-1]
    assert best[0].faces == (1,) * 60
    assert worst[0].faces == (12,) * 60
    assert isclose(worst[1], (10 / 12) ** 40 * (7 / 12) ** 20)


def test_words_are_no_part_of_what_a_roll_is_judged_by(tmp_path: Path) -> None:
    class Wordy(ToyRules):
        def caption(self, state: ToyState, kind: str, lines: tuple[RollLine, ...]) -> str:
            return "luck " * 3

    game = tied("drawn")
    game.save(tmp_path / "game.json")
    registry.add(Wordy())
    again = sandtable.load(tmp_path / "game.json")
    assert again.hash == game.hash
    pending = tied()
    (request,) = pending.pending
    assert pending.rules.prompt(pending.state, request) == "Roll 2d20 for luck luck luck ."
    assert pending.rules.form(pending.legal(request)).prompt == "Roll 2d20 for luck luck luck ."
    assert "luck" not in save_text(pending)


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
    with pytest.raises(IllegalDecision, match="Nothing waits for Green"):
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
