"""Rights: what powers may do while others have to decide."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

import sandtable
from sandtable import IllegalDecision, Pass, RuleError
from sandtable.kernel.decisions import CHANCE, Decision, Request, Roll
from sandtable.kernel.dice import SeededDice
from sandtable.kernel.game import Decided, Game, Rolled
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table
from tests.conformance.driver import advance, picture
from tests.kernel.test_verbs import at_bidding, at_offer, at_stances
from tests.kernel.toy import (
    POWERS,
    Accept,
    AcceptGift,
    Bid,
    Decline,
    Done,
    Gift,
    Help,
    MakeBid,
    MakeGift,
    Place,
    PlaceStones,
    Stance,
    TakeStance,
    ToyRules,
    ToyState,
)

pytestmark = pytest.mark.usefixtures("toy")


def placing(**arguments: Any) -> Game:
    """A free loop: red has placed a stone and may place another."""
    game = sandtable.new("toy", **{"seed": 1, **arguments})
    game.submit("red", Place("north"))
    return game


def bidding(**arguments: Any) -> Game:
    """`ask_all` in a free loop, with two answers in."""
    game = at_bidding(**arguments)
    game.submit("blue", Bid(4))
    game.submit("red", Bid(2))
    return game


def offered(**arguments: Any) -> Game:
    """`offer` in a strict procedure, with an answer in."""
    game = at_offer(**arguments)
    game.submit("white", Help("red", 4))
    return game


def duelling(**arguments: Any) -> Game:
    """`ask_all` in a strict procedure, with an answer in."""
    game = at_stances(**arguments)
    game.submit("green", Stance(True))
    return game


def accepting(**arguments: Any) -> Game:
    """In the procedure of another right, used in a duel."""
    game = duelling(**arguments)
    game.submit("green", Gift("white", 2))
    return game


moments = pytest.mark.parametrize("moment", [placing, bidding, offered, duelling, accepting])
chances = pytest.mark.parametrize("chance", ["drawn", "explicit"])
Moment = Callable[..., Game]


def test_rights_are_shown_beside_what_is_asked() -> None:
    game = sandtable.new("toy", seed=1, position={"coins": {"blue": 1}})
    assert game.pending == (PlaceStones("red", 2),)
    assert game.may == (MakeGift("red"), MakeGift("green"), MakeGift("white"))
    assert game.observe("white")["may"] == [{"kind": "make_gift", "power": "white"}]
    assert game.observe("white")["pending"] == []
    assert game.observe("white")["waiting_for"] == ["red"]
    assert game.observe("blue")["may"] == []
    assert Gift("red", 4) in game.legal(game.may[1])
    assert Gift("red", 5) not in game.legal(game.may[1])


class Rightless(ToyRules):
    def rights(self, state: ToyState) -> tuple[Request, ...]:
        return ()


def test_a_right_that_is_not_used_leaves_no_trace() -> None:
    games = []
    for rules in (ToyRules(), Rightless()):
        game = Game(rules, {}, rules.start(rules.read_options({}), None, None), SeededDice(4))
        rng = random.Random(4)
        while game.pending:
            request = rng.choice(game.pending)
            game.submit(request.power, game.legal(request).sample(rng))
        games.append(game)
    assert list(games[0].journal) == list(games[1].journal)
    assert games[0].hash == games[1].hash
    assert games[0].may == ()


@chances
@moments
def test_a_right_is_carried_out_and_what_was_asked_is_asked_again(
    moment: Moment, chance: Any
) -> None:
    game = moment(chance=chance)
    pending, version, coins = game.pending, game.version, dict(game.state.coins)
    game.submit("blue", Gift("white", 1))
    assert game.pending == (AcceptGift("white", "blue", 1),)
    assert game.journal[-1] == Decided("blue", Gift("white", 1))
    game.submit("white", Accept())
    assert [(r.power, r.kind) for r in game.pending] == [(r.power, r.kind) for r in pending]
    assert game.version == version + 2
    assert game.state.coins == {**coins, "blue": coins["blue"] - 1, "white": coins["white"] + 1}


@chances
@moments
@pytest.mark.parametrize("answer", [Accept(), Decline()])
def test_a_used_right_is_replayed_cloned_undone_saved_and_verified(
    moment: Moment, chance: Any, answer: Decision, tmp_path: Path
) -> None:
    game = moment(chance=chance)
    stages = [picture(game)]

    def go(by: str, decision: Decision) -> None:
        clone = game.clone()
        for one in (game, clone, clone.clone()):
            one.submit(by, decision)
        assert picture(clone) == picture(game)
        stages.append(picture(game))

    go("green", Gift("white", 2))
    go("white", answer)
    if game.pending[0].power == CHANCE:
        assert game.may == ()
        with pytest.raises(IllegalDecision, match="Nothing waits for Green"):
            game.submit("green", Gift("white", 1))
        go(CHANCE, Roll((1, 6)))

    path = tmp_path / "game.json"
    game.save(path)
    assert picture(sandtable.load(path)) == stages[-1]
    assert sandtable.verify(path).ok
    for stage in (stages[-1], stages[0]):
        at = sandtable.replay(path, until=stage["version"])
        assert picture(at) == stage
        assert picture(game.at(stage["version"])) == stage
    follower = moment(chance=chance)
    follower.follow(
        [
            entry if isinstance(entry, Rolled) else (entry.power, entry.decision)
            for entry in game.journal.since(follower.version)
        ]
    )
    assert picture(follower) == stages[-1]

    on = picture(advance(game.clone(), random.Random(3), 30))
    for stage in reversed(stages[:-1]):
        game.undo()
        assert picture(game) == stage
    follower = sandtable.load(path)
    assert picture(advance(follower, random.Random(3), 30)) == on


def test_answers_that_are_still_allowed_stay_in_hand() -> None:
    game = bidding()
    game.submit("red", Gift("green", 2))
    game.submit("green", Accept())
    # Red has 3 coins left and has bid 2; blue has bid 4 of its 5.
    assert game.pending == (MakeBid("green", 7), MakeBid("white", 5))


def test_an_answer_that_is_not_allowed_any_more_is_asked_for_again() -> None:
    game = bidding()
    game.submit("blue", Gift("green", 2))
    game.submit("green", Accept())
    assert game.pending == (MakeBid("green", 7), MakeBid("blue", 3), MakeBid("white", 5))
    game.submit("blue", Bid(3))
    game.submit("green", Bid(0))
    game.submit("white", Bid(0))
    assert game.state.leader == "blue"
    assert game.state.coins == {"red": 3, "green": 7, "blue": 0, "white": 5}


def test_the_same_in_a_strict_procedure_and_in_an_offer() -> None:
    game = offered()
    game.submit("white", Gift("green", 1))
    game.submit("green", Accept())
    assert [request.power for request in game.pending] == ["blue"]  # 4 of 4 coins are there
    game.submit("white", Gift("green", 1))
    game.submit("green", Accept())
    assert [request.power for request in game.pending] == ["blue", "white"]
    game.submit("blue", Pass())
    game.submit("blue", Gift("green", 1))
    game.submit("green", Accept())
    assert [request.power for request in game.pending] == ["white"]  # a pass stays one


def test_in_an_offer_a_right_cannot_be_passed() -> None:
    game = offered()
    assert Pass() in game.legal(game.pending[0])
    assert all(Pass() not in game.legal(right) for right in game.may)


def test_the_hash_covers_the_answers_that_wait_for_a_right() -> None:
    games = []
    for bold in (True, False):
        game = at_stances()
        game.submit("green", Stance(bold))
        game.submit("blue", Gift("white", 1))
        games.append(game)
    one, other = games
    assert one.state.plain() == other.state.plain()
    assert one.pending == other.pending
    assert one.hash != other.hash


class BidAgain(MakeBid, frozen=True, tag="bid_again"):
    """Another question, to which a bid is an answer as well."""


class Auction(ToyRules):
    """After a gift all bid again."""

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        kind = BidAgain if g.state.placed else MakeBid
        g.checkpoint()
        yield from g.ask_all(kind(power, 5) for power in POWERS)
        return Result((), "sold")

    def use(self, g: Table[ToyState], power: str, decision: Decision) -> Procedure[None]:
        g.state.placed += 1
        return
        yield


def test_an_answer_to_another_question_is_not_kept() -> None:
    game = played_by(Auction())
    game.submit("red", Bid(1))
    game.submit("blue", Gift("white", 1))
    assert game.pending == tuple(BidAgain(power, 5) for power in POWERS)


def test_others_see_that_the_position_is_another_one() -> None:
    game = duelling()
    asked = game.asked
    game.submit("green", Gift("white", 1))
    game.submit("white", Accept())
    assert game.asked == asked
    assert game.asked is not asked
    assert game.pending == (TakeStance("red"),)


def test_a_right_in_the_procedure_of_a_right() -> None:
    game = accepting()
    game.submit("white", Gift("green", 3))
    game.submit("blue", Gift("red", 1))
    assert game.pending == (AcceptGift("red", "blue", 1),)
    game.clone().submit("red", Decline())
    game.submit("red", Accept())
    assert game.pending == (AcceptGift("green", "white", 3),)
    game.submit("green", Accept())
    assert game.pending == (AcceptGift("white", "green", 2),)
    game.submit("white", Accept())
    assert game.pending == (TakeStance("red"),)
    assert game.state.coins == {"red": 5, "green": 6, "blue": 4, "white": 4}


@pytest.mark.parametrize(
    ("power", "decision", "reason"),
    [
        ("white", Gift("white", 1), "for another power"),
        ("white", Gift("red", 5), "all coins but one"),
        ("white", {"kind": "gift"}, "malformed"),
        ("white", {"kind": ["gift"]}, "Nothing waits for White"),
        ("white", Done(), "Nothing waits for White"),
        ("blue", Gift("red", 1), "Nothing waits for Blue"),
        ("red", Accept(), "A decision of kind curse or done or place is asked for"),
        (CHANCE, Gift("red", 1), "Nothing waits for chance"),
        ("purple", Gift("red", 1), "There is no power 'purple'"),
    ],
)
def test_what_is_no_right_is_refused(power: str, decision: object, reason: str) -> None:
    game = sandtable.new("toy", seed=1, position={"coins": {"blue": 1}})
    before = picture(game)
    with pytest.raises(IllegalDecision, match=reason):
        game.submit(power, decision)
    assert picture(game) == before


# --- errors of the rules ---------------------------------------------------------------------


def played_by(rules: ToyRules) -> Game:
    return Game(rules, {}, rules.start(rules.read_options({}), None, None), SeededDice(1))


class PlaceAtAnyTime(Request, frozen=True, tag="place_at_any_time"):
    answers: ClassVar = (Place,)


@pytest.mark.parametrize(
    ("rights", "sound"),
    [
        ((PlaceAtAnyTime("green"),), True),
        ((PlaceAtAnyTime("red"),), False),  # who is asked to place stones
        ((PlaceAtAnyTime("green"), PlaceAtAnyTime("green")), False),
    ],
)
def test_a_decision_that_could_be_taken_for_two_things(
    rights: tuple[Request, ...], sound: bool
) -> None:
    class Ambiguous(ToyRules):
        def rights(self, state: ToyState) -> tuple[Request, ...]:
            return rights

    game = played_by(Ambiguous())
    if sound:
        assert game.may == rights
        return
    with pytest.raises(RuleError, match="'place' for two things at once"):
        _ = game.may


def test_a_right_is_carried_out_without_a_rest() -> None:
    class Resting(ToyRules):
        def use(self, g: Table[ToyState], power: str, decision: Decision) -> Procedure[None]:
            g.state.coins[power] = 0
            g.checkpoint()
            yield from g.ask(PlaceStones(power, 1))

    game = played_by(Resting())
    before = picture(game)
    with pytest.raises(RuleError, match="without a rest"):
        game.submit("red", Gift("blue", 1))
    assert picture(game) == before


def test_a_strict_checkpoint_in_it_is_none() -> None:
    class Careful(ToyRules):
        def use(self, g: Table[ToyState], power: str, decision: Decision) -> Procedure[None]:
            g.state.coins[power] -= 1
            g.checkpoint(strict=True)
            yield from super().use(g, power, decision)

    game = played_by(Careful())
    game.submit("red", Gift("blue", 1))
    clone = game.clone()
    for one in (game, clone):
        one.submit("blue", Accept())
    assert picture(clone) == picture(game)
    assert game.state.coins["red"] == 3


def test_a_right_that_fails_has_not_been_used() -> None:
    class Broken(ToyRules):
        def use(self, g: Table[ToyState], power: str, decision: Decision) -> Procedure[None]:
            yield from super().use(g, power, decision)
            g.state.coins["nobody"] += 1

    game = played_by(Broken())
    game.submit("green", Gift("blue", 2))
    before = picture(game)
    with pytest.raises(RuleError, match=r"failed on accept .*KeyError"):
        game.submit("blue", Accept())
    assert picture(game) == before
    game.undo()
    assert game.pending == (PlaceStones("red", 2),)


class Leaving(ToyRules):
    """A gift is a farewell: who gives is asked no more, and the last that is left wins."""

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        while True:
            here = [power for power, coins in g.state.coins.items() if coins]
            if len(here) == 1:
                return Result((here[0],), "All others have left.")
            g.checkpoint()
            bids = yield from g.ask_all(MakeBid(power, g.state.coins[power]) for power in here)
            g.emit("bid", bids={power: bid.coins for power, bid in bids.items()})

    def use(self, g: Table[ToyState], power: str, decision: Decision) -> Procedure[None]:
        g.state.coins[power] = 0
        return
        yield


def test_when_the_last_who_had_not_answered_is_asked_no_more_the_answers_are_in() -> None:
    game = played_by(Leaving())
    for power in ("white", "red", "green"):
        game.submit(power, Bid(1))
    game.submit("blue", Gift("red", 1))
    assert game.events[0].data == {"bids": {"red": 1, "green": 1, "white": 1}}
    assert [request.power for request in game.pending] == ["red", "green", "white"]
    clone = game.clone()
    clone.submit("red", Bid(2))
    assert picture(game.at(game.version)) == picture(game)


def test_a_right_can_end_a_game() -> None:
    game = played_by(Leaving())
    for power in ("white", "red", "green"):
        game.submit(power, Gift("blue", 1))
    assert game.result == Result(("blue",), "All others have left.")
    assert (game.pending, game.may) == ((), ())
    with pytest.raises(IllegalDecision, match="over"):
        game.submit("blue", Gift("red", 1))
