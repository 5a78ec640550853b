"""What a power sees depends on nothing that it may not know."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

import sandtable
from sandtable import VerifiedDice
from sandtable.kernel import registry
from sandtable.kernel.decisions import Decision, Request, plain
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table
from tests.conformance.driver import first, new, seeds_of, step, steps_of, walk
from tests.kernel.toy import Bid, MakeBid, ToyRules, ToyState


def simultaneous(game_id: str) -> Iterator[tuple[sandtable.Game, Request, random.Random]]:
    """Points at which one of several powers answers and others have yet to."""
    for seed in seeds_of(game_id):
        game = new(game_id, seed=seed)
        rng = random.Random(seed)
        for number in range(3 * steps_of(game_id)):
            if not game.pending:
                break
            if len(game.pending) > 1:
                luck = random.Random(f"{seed} {number}")
                yield game, luck.choice(game.pending), luck
            step(game, rng)


def different(
    game: sandtable.Game, request: Request, rng: random.Random
) -> list[sandtable.Decision]:
    """Some legal decisions, no two alike."""
    legal = game.legal(request)
    found = first(legal, 3) + [legal.sample(rng) for _ in range(3)]
    texts = {json.dumps(plain(decision), sort_keys=True): decision for decision in found}
    return list(texts.values())


def seen(game: sandtable.Game, power: str) -> dict[str, object]:
    """What a power sees; where each goes on at its own pace, but for who is done and how often
    somebody has decided or rolled."""
    open_secrets = ("waiting_for", "version") if game.asked.any else ()
    return {key: value for key, value in game.observe(power).items() if key not in open_secrets}


def check_unseen_answers(game_id: str) -> int:
    """Assert that nobody sees an answer before all are in; the number of pairs compared."""
    compared = 0
    for game, request, rng in simultaneous(game_id):
        clones = []
        for decision in different(game, request, rng):
            clone = game.clone()
            clone.submit(request.power, decision)
            clones.append(clone)
        for one, two in pairwise(clones):
            for power in game.rules.powers:
                if power != request.power:
                    assert seen(one, power) == seen(two, power)
            if not game.asked.any:
                assert one.pending == two.pending
                assert list(one.events) == list(two.events)
            compared += 1
    return compared


def test_nobody_sees_an_answer_before_all_are_in(game_id: str) -> None:
    compared = check_unseen_answers(game_id)
    if game_id == "toy":
        assert compared > 100


def test_private_events_are_seen_by_those_they_are_for(game_id: str) -> None:
    game = new(game_id, seed=31)
    for _ in walk(game, random.Random(31), steps_of(game_id)):
        pass
    for power in game.rules.powers:
        seen = game.observe(power)["events"]
        assert seen == [plain(e) for e in game.events if e.to is None or power in e.to]
    for event in game.events:
        assert event.to is None or set(event.to) <= set(game.rules.powers)


def test_a_power_sees_its_own_requests_only(game_id: str) -> None:
    game = new(game_id, seed=32)
    for number in walk(game, random.Random(32), steps_of(game_id)):
        if number % 5:
            continue
        for power in game.rules.powers:
            seen = game.observe(power)
            own = [request for request in game.pending if request.power == power]
            assert seen["pending"] == [plain(request) for request in own]
            assert seen["waiting_for"] == [r.power for r in game.pending if r.power != power]


def test_the_secret_of_the_dice_is_seen_by_nobody(game_id: str) -> None:
    game = new(game_id)
    assert isinstance(game.dice, VerifiedDice)
    for _ in walk(game, random.Random(33), 40):
        pass
    for power in game.rules.powers:
        assert game.dice.secret not in json.dumps(game.observe(power))


# --- the tests above can fail --------------------------------------------------------------


class TellingBid(MakeBid, frozen=True, tag="make_bid"):
    """Writes down the bid when it is checked, where everybody sees it."""

    def check(self, state: ToyState, decision: Bid) -> None:
        super().check(state, decision)
        state.placed = decision.coins

    def decisions(self, state: ToyState) -> Iterator[Decision]:
        return (Bid(coins) for coins in range(self.coins + 1))


class Telling(ToyRules):
    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        for _ in range(5):
            g.checkpoint()
            yield from g.ask_all(TellingBid(power, 5) for power in self.powers)
        return Result((), "Over.")


def test_a_leak_is_found() -> None:
    registry.add(Telling())
    with pytest.raises(AssertionError):
        check_unseen_answers("toy")


def test_the_toy_hides_its_coins() -> None:
    """What the toy means to hide: a change of it is seen by its owner alone."""
    poor = sandtable.new("toy", position={"coins": {"red": 1}})
    rich = sandtable.new("toy", position={"coins": {"red": 9}})
    assert poor.observe("red") != rich.observe("red")
    for power in ("green", "blue", "white"):
        assert poor.observe(power) == rich.observe(power)
