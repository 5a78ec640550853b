"""The verbs that rules use: ask, ask_all, ask_any, offer, roll, emit; and how a game ends."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sandtable
from sandtable import IllegalDecision, Pass, RuleError
from sandtable.kernel import registry
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.dice import SeededDice
from sandtable.kernel.game import Decided, Game, Rolled
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table
from tests.conformance.driver import advance, picture
from tests.kernel.toy import (
    POWERS,
    Bid,
    Challenge,
    Done,
    Help,
    Lose,
    MakeBid,
    Place,
    PlaceStones,
    Press,
    Retreat,
    Stance,
    ToyRules,
    ToyState,
)

pytestmark = pytest.mark.usefixtures("toy")

STONES = {"stones": {"north": dict.fromkeys(POWERS, 2), "south": dict.fromkeys(POWERS, 1)}}


def at_bidding(**arguments: Any) -> Game:
    game = sandtable.new("toy", **{"seed": 1, **arguments})
    for power in POWERS:
        game.submit(power, Done())
    return game


def at_offer(**arguments: Any) -> Game:
    """Red has challenged green; blue and white may help."""
    game = at_bidding(**{"position": STONES, **arguments})
    for power in POWERS:
        game.submit(power, Bid(1 if power == "red" else 0))
    game.submit("red", Challenge("green"))
    return game


def at_stances(**arguments: Any) -> Game:
    game = at_offer(**arguments)
    game.submit("blue", Pass())
    game.submit("white", Pass())
    return game


def powers_asked(game: Game) -> list[str]:
    return [request.power for request in game.pending]


# --- ask -----------------------------------------------------------------------------------


def test_ask_waits_for_one_power_and_goes_on_with_its_answer() -> None:
    game = sandtable.new("toy", seed=1)
    assert game.pending == (PlaceStones("red", 2),)
    assert game.pending[0].kind == "place_stones"
    assert game.pending[0].prompt == "Place up to 2 stones."
    game.submit("red", Place("north"))
    assert game.state.stones["north"]["red"] == 1
    assert game.pending == (PlaceStones("red", 1),)
    assert list(game.journal) == [Decided("red", Place("north"))]


def test_a_plain_decision_is_as_good_as_a_typed_one() -> None:
    typed, plain = sandtable.new("toy", seed=1), sandtable.new("toy", seed=1)
    typed.submit("red", Place("east"))
    plain.submit("red", {"kind": "place", "field": "east"})
    assert picture(typed) == picture(plain)


def test_the_decisions_of_a_request_are_listed() -> None:
    game = sandtable.new("toy", seed=1)
    legal = game.legal(game.pending[0])
    assert list(legal) == [Done(), Place("north"), Place("east"), Place("south")]
    assert Place("north") in legal
    assert {"kind": "place", "field": "north"} in legal
    assert Place("moon") not in legal
    assert None not in legal
    assert legal.sample(random.Random(1)) in legal


# --- ask_all -------------------------------------------------------------------------------


def test_ask_all_asks_everybody_at_once() -> None:
    game = at_bidding()
    assert game.pending == tuple(MakeBid(power, 5) for power in POWERS)


def test_who_has_answered_is_asked_no_more() -> None:
    game = at_bidding()
    game.submit("blue", Bid(3))
    assert powers_asked(game) == ["red", "green", "white"]
    with pytest.raises(IllegalDecision, match="Nothing waits for Blue"):
        game.submit("blue", Bid(2))


def test_nobody_sees_an_answer_until_all_are_in() -> None:
    game = at_bidding()
    before = picture(game)
    twin = game.clone()
    game.submit("blue", Bid(3))
    twin.submit("blue", Bid(4))
    assert game.state.plain() == before["state"]
    assert len(game.events) == len(before["events"])
    assert game.pending == twin.pending
    for power in POWERS:
        assert game.observe(power) == twin.observe(power)
        assert game.observe(power)["state"] == before["seen"][power]["state"]
    assert game.hash != twin.hash  # The answer is part of the game, though unseen.


def test_answers_become_known_together() -> None:
    game = at_bidding()
    for power, coins in (("white", 1), ("blue", 3), ("green", 0), ("red", 2)):
        game.submit(power, Bid(coins))
    assert game.state.coins == {"red": 3, "green": 5, "blue": 2, "white": 4}
    assert game.state.leader == "blue"


@pytest.mark.parametrize("order", [POWERS, tuple(reversed(POWERS)), POWERS[2:] + POWERS[:2]])
def test_the_order_of_simultaneous_answers_does_not_matter(order: tuple[str, ...]) -> None:
    bids = {"red": 2, "green": 2, "blue": 2, "white": 2}  # A tie, so that dice are rolled too.
    reference, game = at_bidding(), at_bidding()
    for power in POWERS:
        reference.submit(power, Bid(bids[power]))
    for power in order[:2]:
        game.submit(power, Bid(bids[power]))
    other = at_bidding()
    for power in reversed(order[:2]):
        other.submit(power, Bid(bids[power]))
    assert game.hash == other.hash
    for power in order[2:]:
        game.submit(power, Bid(bids[power]))
    assert game.hash == reference.hash
    assert list(game.events) == list(reference.events)
    assert game.pending == reference.pending


class OwnPace(ToyRules):
    """Each bids until it bids nothing; when all have, it is over."""

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        while asked := [power for power in POWERS if g.state.coins[power]]:
            g.checkpoint()
            power, bid = yield from g.ask_any(MakeBid(power, 5) for power in asked)
            g.state.coins[power] = bid.coins
            g.emit("bid", to=(power,), coins=bid.coins)
        return Result((), "Over.")


def test_ask_any_goes_on_with_whoever_answers() -> None:
    registry.add(OwnPace())
    game = sandtable.new("toy", seed=1)
    assert game.asked.any and powers_asked(game) == list(POWERS)
    for coins in (3, 2, 0):
        twin = game.clone()
        game.submit("blue", Bid(coins))
        assert game.state.coins["blue"] == coins
        twin.submit("red", Bid(1))
        twin.submit("blue", Bid(coins))
        assert powers_asked(twin) == powers_asked(game), "the others are still asked"
    assert powers_asked(game) == ["red", "green", "white"]
    game.undo()
    assert game.state.coins["blue"] == 2
    for power in POWERS:
        game.submit(power, Bid(0))
    assert game.result is not None


def test_ask_all_inside_a_strict_procedure() -> None:
    game = at_stances()
    assert powers_asked(game) == ["red", "green"]
    game.submit("green", Stance(True))
    assert powers_asked(game) == ["red"]
    rolls = sum(isinstance(entry, Rolled) for entry in game.journal)
    game.submit("red", Stance(False))
    assert sum(isinstance(entry, Rolled) for entry in game.journal) == rolls + 2
    assert game.pending[0].kind == "choose_losses"


# --- offer ---------------------------------------------------------------------------------


def test_an_offer_may_be_used_or_passed() -> None:
    game = at_offer()
    assert powers_asked(game) == ["blue", "white"]
    blue = game.pending[0]
    assert Pass() in game.legal(blue)
    assert next(iter(game.legal(blue))) == Pass()
    game.submit("white", Help("green", 2))
    assert game.state.coins["white"] == 5
    game.submit("blue", Pass())
    assert game.state.coins == {"red": 4, "green": 5, "blue": 5, "white": 3}
    assert powers_asked(game) == ["red", "green"]


def test_pass_is_no_answer_where_nothing_is_offered() -> None:
    game = sandtable.new("toy", seed=1)
    assert Pass() not in game.legal(game.pending[0])
    with pytest.raises(IllegalDecision, match="place"):
        game.submit("red", Pass())


def test_nobody_sees_who_helps_until_all_have_decided() -> None:
    game = at_offer()
    twin = game.clone()
    game.submit("blue", Pass())
    twin.submit("blue", Help("red", 5))
    assert all(game.observe(power) == twin.observe(power) for power in POWERS)


def test_sampling_an_offer_gives_both_use_and_pass() -> None:
    game = at_offer()
    rng = random.Random(3)
    kinds = {game.legal(game.pending[0]).sample(rng).kind for _ in range(50)}
    assert kinds == {"pass", "help"}


def test_a_standing_order_answers_the_pending_offer() -> None:
    game = at_offer()
    game.standing_order("blue", "offer_help", Pass())
    assert powers_asked(game) == ["white"]
    game.standing_order("white", "offer_help", Help("red"))
    assert powers_asked(game) == ["red", "green"]
    assert list(game.journal)[-2:] == [Decided("blue", Pass()), Decided("white", Help("red"))]


def test_a_standing_order_answers_later_offers() -> None:
    game = at_bidding(position=STONES)
    game.standing_order("blue", "offer_help", Pass())
    game.standing_order("white", "offer_help", Pass())
    for power in POWERS:
        game.submit(power, Bid(1 if power == "red" else 0))
    game.submit("red", Challenge("green"))
    assert powers_asked(game) == ["red", "green"]
    plain = at_stances()
    assert game.hash == plain.hash
    assert list(game.journal) == list(plain.journal)


def test_a_standing_order_that_is_not_legal_waits() -> None:
    game = at_offer()
    game.standing_order("blue", "offer_help", Help("white"))
    assert powers_asked(game) == ["blue", "white"]


def test_a_standing_order_is_for_its_window_only() -> None:
    game = at_offer()
    game.standing_order("blue", "scramble", Pass())
    assert powers_asked(game) == ["blue", "white"]


def test_a_standing_order_does_not_answer_what_is_not_offered() -> None:
    game = sandtable.new("toy", seed=1)
    game.standing_order("red", "place_stones", Done())
    assert powers_asked(game) == ["red"]


@pytest.mark.parametrize("order", [None, {"kind": "pass"}, "pass"])
def test_a_standing_order_is_typed(order: object) -> None:
    with pytest.raises(IllegalDecision, match="standing order"):
        at_offer().standing_order("blue", "offer_help", order)


def test_a_standing_order_is_for_a_power_of_the_game() -> None:
    with pytest.raises(IllegalDecision, match="no power 'purple'"):
        at_offer().standing_order("purple", "offer_help", Pass())


@pytest.mark.parametrize("make", [at_offer, at_bidding])
def test_a_clone_takes_standing_orders(make: Any) -> None:
    game = make()
    copy = game.clone()
    copy.standing_order("blue", "offer_help", Pass())
    assert game.standing == {}
    game.standing_order("blue", "offer_help", Pass())
    assert picture(copy) == picture(game)


def test_an_undone_standing_answer_can_be_given_otherwise() -> None:
    game = at_offer()
    game.standing_order("blue", "offer_help", Pass())
    game.undo()
    assert powers_asked(game) == ["blue", "white"]
    game.submit("blue", Help("green", 5))
    assert game.journal[-1] == Decided("blue", Help("green", 5))


def test_a_standing_order_is_used_again_after_undo() -> None:
    game = at_offer()
    game.standing_order("blue", "offer_help", Pass())
    game.undo()
    game.submit("white", Pass())
    assert powers_asked(game) == ["red", "green"]


# --- roll and emit -------------------------------------------------------------------------


def test_a_roll_is_drawn_and_recorded_with_its_kind() -> None:
    game = at_bidding()
    for power in POWERS:
        game.submit(power, Bid(0))
    roll = game.journal[-1]
    assert isinstance(roll, Rolled)
    assert (len(roll.faces), roll.sides, roll.kind) == (4, 20, "lead")
    assert roll.faces == SeededDice(1).roll(0, 4, 20)


def test_events_are_seen_by_those_they_are_for() -> None:
    game = at_offer()
    for power in POWERS:
        seen = [e for e in game.observe(power)["events"] if e["kind"] == "paid"]
        assert [e["data"]["power"] for e in seen] == [power]
        assert any(e["kind"] == "challenged" for e in game.observe(power)["events"])


def test_events_can_be_seen_from_a_number_on() -> None:
    game = at_offer()
    every = game.observe("red")
    assert every["events_in_all"] == len(every["events"]) < len(game.events), "secrets count not"
    for since in (0, 1, len(every["events"]) - 1, len(every["events"]), 1000):
        seen = game.observe("red", since=since)
        assert seen["events"] == every["events"][since:]
        assert seen["events_in_all"] == every["events_in_all"]
    with pytest.raises(sandtable.SandtableError, match="numbered from 0"):
        game.observe("red", since=-1)


def test_each_power_sees_its_own_coins() -> None:
    game = at_offer()
    assert game.observe("red")["state"]["coins"] == {"red": 4}
    assert game.observe("white")["state"]["coins"] == {"white": 5}


def test_each_power_sees_its_own_requests_and_who_else_decides() -> None:
    game = at_offer()
    blue, red = game.observe("blue"), game.observe("red")
    assert [request["kind"] for request in blue["pending"]] == ["offer_help"]
    assert blue["waiting_for"] == ["white"]
    assert red["pending"] == []
    assert red["waiting_for"] == ["blue", "white"]


def test_an_unknown_power_sees_nothing() -> None:
    with pytest.raises(sandtable.SandtableError, match="no power 'purple'"):
        sandtable.new("toy", seed=1).observe("purple")


# --- the strict procedure and the end ------------------------------------------------------


def test_a_duel_is_fought_to_its_end() -> None:
    game = at_stances(chance="explicit")
    game.submit("red", Stance(True))
    game.submit("green", Stance(False))
    game.submit("chance", {"kind": "dice", "faces": [6, 1]})
    game.submit("chance", {"kind": "dice", "faces": [5, 4]})
    assert powers_asked(game) == ["green"]
    game.submit("green", Lose(("south",)))
    assert game.state.stones["south"]["green"] == 0
    game.submit("red", Press())
    game.submit("red", Stance(True))
    game.submit("green", Stance(True))
    game.submit("chance", {"kind": "dice", "faces": [1, 1]})
    game.submit("chance", {"kind": "dice", "faces": [2, 1]})
    game.submit("red", Lose(("north", "south")))
    game.submit("red", Retreat())
    assert game.state.duel is None
    assert game.state.round == 2
    assert game.pending == (PlaceStones("red", 2),)


def test_the_end_has_a_result_and_asks_nothing() -> None:
    game = advance(sandtable.new("toy", seed=4), random.Random(4), 1000)
    assert game.pending == ()
    assert isinstance(game.result, Result)
    assert set(game.result.winners) <= set(POWERS)
    assert game.observe("red")["result"]["winners"] == game.result.winners
    with pytest.raises(IllegalDecision, match="over"):
        game.submit("red", Done())


# --- rules that misuse the verbs -----------------------------------------------------------


def broken(procedure: Any) -> Any:
    """The toy, played by another procedure after red's first decision."""

    class Broken(ToyRules):
        def play(self, g: Table[ToyState]) -> Procedure[Result]:
            yield from g.ask(PlaceStones("red", 2))
            yield from procedure(g)
            return Result((), "over")

    rules = Broken()
    return Game(rules, {}, rules.start(rules.read_options({}), None, None), SeededDice(1))


def forgetful(g: Table[ToyState]) -> Procedure[None]:
    """Asks, and does not wait for the answer."""
    g.ask(MakeBid("red", 1))
    yield from g.ask(PlaceStones("red", 1))


@pytest.mark.parametrize(
    ("procedure", "reason"),
    [
        (lambda g: g.ask_all([MakeBid("red", 1), MakeBid("red", 2)]), "one thing at a time"),
        (lambda g: g.offer([MakeBid("red", 1), MakeBid("red", 2)]), "one thing at a time"),
        (lambda g: g.roll("x", (RollLine("red", "x", -1, 1),)), "no roll of -1 dice"),
        (lambda g: g.roll("x", (RollLine("red", "x", 1, 1, 0),)), "no roll of 1 dice with 0"),
        (lambda g: g.roll("x", (RollLine("red", "x", 1, 1, 1),)), "no roll of 1 dice with 1"),
        (lambda g: g.roll("x", (RollLine("red", "x", 1, 1, 257),)), "no roll of 1 dice with 257"),
        (
            lambda g: g.roll("x", (RollLine("red", "x", 1, 1), RollLine("red", "y", 1, 1, 12))),
            "no roll of 1 dice with 12",
        ),
        (lambda g: g.ask(MakeBid("purple", 1)), "make_bid is asked of 'purple': no such power"),
        (lambda g: g.ask_all([MakeBid("red", 1), MakeBid("", 1)]), "asked of '': no such power"),
        (forgetful, "called without yield from"),
    ],
)
def test_a_verb_refuses_what_cannot_be_answered(procedure: Any, reason: str) -> None:
    game = broken(procedure)
    with pytest.raises(RuleError, match=reason):
        game.submit("red", Done())
    assert game.pending == (PlaceStones("red", 2),)


@pytest.mark.parametrize(
    "procedure",
    [
        lambda g: g.ask_all([]),
        lambda g: g.offer([]),
        lambda g: g.roll("x", ()),
        lambda g: g.roll("x", (RollLine("red", "x", 0, 1),)),
    ],
)
def test_asking_nobody_and_rolling_nothing_take_no_time(procedure: Any) -> None:
    game = broken(procedure)
    game.submit("red", Done())
    assert game.result == Result((), "over")
    assert game.version == 1


def test_rules_that_fail_before_the_first_request() -> None:
    class Stillborn(ToyRules):
        def play(self, g: Table[ToyState]) -> Procedure[Result]:
            raise KeyError("nothing")
            yield

    rules = Stillborn()
    with pytest.raises(RuleError, match="KeyError"):
        Game(rules, {}, rules.start(rules.read_options({}), None, None), SeededDice(1))


def test_a_game_says_in_a_line_where_it_stands(toy: ToyRules) -> None:
    game = sandtable.new("toy", seed=1)
    assert repr(game) == "<Game toy, round 1, after 0 entries, red decides place_stones>"
    rng = random.Random(1)
    while game.pending:
        request = game.pending[0]
        game.submit(request.power, game.legal(request).sample(rng))
    assert game.result is not None
    assert repr(game).endswith(f"over: {game.result.reason}>")
