"""Whatever is sent, the game is advanced legally or exactly as it was."""

from __future__ import annotations

import random
from typing import Any, ClassVar

import pytest

import sandtable
from sandtable import Decision, IllegalDecision, Pass, Request, RuleError
from sandtable.kernel.dice import SeededDice
from sandtable.kernel.game import Decided, Game
from sandtable.kernel.ruleset import Procedure, Result
from sandtable.kernel.table import Table
from tests.conformance.driver import advance, picture, step
from tests.kernel.toy import (
    POWERS,
    Bid,
    Challenge,
    Curse,
    Done,
    Help,
    Place,
    PlaceStones,
    Press,
    Retreat,
    ToyRules,
    ToyState,
)

pytestmark = pytest.mark.usefixtures("toy")


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


def circular() -> Any:
    value: dict[str, Any] = {"kind": "place"}
    value["field"] = value
    return value


def circular_list() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


class Unknown(Decision, frozen=True, tag="unknown"):
    pass


class Impostor(Place, frozen=True, tag="impostor"):
    pass


GARBAGE: list[Any] = [
    None,
    True,
    0,
    3.5,
    float("nan"),
    10**5000,
    "",
    "place",
    "x" * 1_000_000,
    b"place",
    [],
    ["place", "north"],
    ("place", "north"),
    {},
    {"field": "north"},
    {"kind": None, "field": "north"},
    {"kind": "", "field": "north"},
    {"kind": "no such kind"},
    {"kind": "k" * 1_000_000},
    {"kind": 10**5000},
    {"kind": ["place"], "field": "north"},
    {"kind": {"place": 1}, "field": "north"},
    {"kind": nested(100_000)},
    {"kind": "place"},
    {"kind": "place", "field": None},
    {"kind": "place", "field": 3},
    {"kind": "place", "field": ["north"]},
    {"kind": "place", "field": nested(100_000)},
    {"kind": "place", "field": "north", "extra": 1},
    {"kind": "place", "field": "north", 3: 4},
    {"kind": "place", "field": "north", None: None},
    {"kind": "place", "field": object()},
    {"kind": "place", "field": "nörth\ud800"},
    {"kind": "bid", "coins": 1},
    circular(),
    object(),
    Place,
    Place(3),
    Place(None),
    Place(["north"]),
    Place(nested(100_000)),
    Place(circular_list()),
    Place(object()),
    Unknown(),
    Impostor("north"),
    Bid(1),
    Pass(),
    PlaceStones("red", 2),
]


@pytest.mark.parametrize("number", range(len(GARBAGE)))
def test_garbage_is_refused_in_a_sentence(number: int) -> None:
    garbage = GARBAGE[number]
    game = sandtable.new("toy", seed=1)
    before = picture(game)
    with pytest.raises(IllegalDecision) as caught:
        game.submit("red", garbage)
    assert caught.value.reason.endswith(".")
    assert len(str(caught.value)) < 500
    assert picture(game) == before
    assert garbage not in game.legal(game.pending[0])
    game.submit("red", Place("north"))


@pytest.mark.parametrize(
    "coins",
    [-1, 6, 10**30, -(10**30), 2**63, 1.0, "1", None, True, [1], float("inf"), 10**5000],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("typed", [True, False])
def test_numbers_that_are_no_bid(coins: Any, typed: bool) -> None:
    game = sandtable.new("toy", seed=1)
    for power in POWERS:
        game.submit(power, Done())
    before = picture(game)
    with pytest.raises(IllegalDecision):
        game.submit("green", Bid(coins) if typed else {"kind": "bid", "coins": coins})
    assert picture(game) == before


def test_a_refusal_names_its_rule() -> None:
    game = sandtable.new("toy", seed=1)
    with pytest.raises(IllegalDecision) as caught:
        game.submit("red", Place("moon"))
    assert caught.value.rule == "toy:place.field"
    assert caught.value.reason == "There is no field moon."
    assert str(caught.value) == "There is no field moon. [toy:place.field]"
    with pytest.raises(IllegalDecision) as caught:
        game.submit("red", None)
    assert caught.value.rule == ""


@pytest.mark.parametrize(
    ("power", "reason"),
    [
        ("green", "Nothing waits for Green; it is for Red to decide"),
        ("chance", "Nothing waits for chance"),
        ("purple", "no power 'purple'; there are: red, green, blue, white"),
        ("", "no power ''"),
        ("r" * 1_000_000, "no power 'rrr"),
        (None, "no power NoneType"),
        (["red"], "no power list"),
        (nested(100_000), "no power list"),
        (10**5000, "no power int"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_power_that_is_not_asked(power: Any, reason: str) -> None:
    game = sandtable.new("toy", seed=1)
    before = picture(game)
    with pytest.raises(IllegalDecision, match=reason) as caught:
        game.submit(power, Place("north"))
    assert len(str(caught.value)) < 200
    assert picture(game) == before


@pytest.mark.parametrize("version", [0, 2, -1, "1"])
def test_a_decision_for_another_version(version: Any) -> None:
    game = sandtable.new("toy", seed=1)
    game.submit("red", Place("north"), version=0)
    before = picture(game)
    with pytest.raises(IllegalDecision, match="the game is at 1"):
        game.submit("red", Place("north"), version=version)
    assert picture(game) == before
    game.submit("red", Place("north"), version=1)


def test_a_decision_is_kept_as_it_was_sent() -> None:
    """Changing what was sent afterwards changes nothing."""
    sent = {"kind": "place", "field": "north"}
    game = sandtable.new("toy", seed=1)
    game.submit("red", sent)
    sent["field"] = "south"
    assert game.journal[0] == Decided("red", Place("north"))


class Spread(Decision, frozen=True, tag="spread"):
    where: dict[int, tuple[str, ...]]


class Either(Request, frozen=True, tag="either"):
    """Passing is among the answers here, but not always allowed."""

    answers: ClassVar = (Spread, Pass)

    def check(self, state: ToyState, decision: Decision) -> None:
        if isinstance(decision, Pass):
            raise IllegalDecision("You must not pass.", "toy:must")
        assert isinstance(decision, Spread)
        if 13 in decision.where:
            raise ZeroDivisionError("13")


class Odd(ToyRules):
    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        while True:
            g.checkpoint()
            answer = yield from g.ask(Either("red"))
            g.state.placed += len(answer.where)


def odd() -> Game:
    rules = Odd()
    return Game(rules, {}, rules.start(rules.read_options({}), None, None), SeededDice(1))


def test_pass_is_checked_where_a_request_names_it_itself() -> None:
    game = odd()
    assert Pass() not in game.legal(game.pending[0])
    with pytest.raises(IllegalDecision, match="must not pass"):
        game.submit("red", Pass())
    assert game.version == 0


def test_numbers_as_keys_survive_json() -> None:
    typed, plain = odd(), odd()
    typed.submit("red", Spread({1: ("a", "b")}))
    plain.submit("red", {"kind": "spread", "where": {"1": ["a", "b"]}})
    assert picture(typed) == picture(plain)
    assert plain.journal[0] == Decided("red", Spread({1: ("a", "b")}))
    mutable = Spread({1: ["a"]})  # type: ignore[dict-item]
    typed.submit("red", mutable)
    mutable.where[1].append("b")  # type: ignore[attr-defined]
    assert typed.journal[1] == Decided("red", Spread({1: ("a",)}))


def test_a_check_that_fails_is_a_rule_error_everywhere() -> None:
    game = odd()
    before = picture(game)
    with pytest.raises(RuleError, match="ZeroDivisionError"):
        game.submit("red", Spread({13: ()}))
    with pytest.raises(RuleError, match="ZeroDivisionError"):
        _ = Spread({13: ()}) in game.legal(game.pending[0])
    assert picture(game) == before
    game.submit("red", Spread({1: ()}))


# --- an error deep inside a rule -----------------------------------------------------------


def cursed(kind: str, chance: Any = "drawn") -> Game:
    """A game in which a curse is possible at a request of `kind`."""
    for seed in range(100):
        game = sandtable.new("toy", seed=seed, chance=chance, options={"cursed": True, "rounds": 5})
        rng = random.Random(seed)
        advance(game, rng, 12)
        while game.pending:
            if game.pending[0].kind == kind:
                return game
            step(game, rng)
    raise AssertionError(kind)


@pytest.mark.parametrize("kind", ["place_stones", "press_or_retreat"])
@pytest.mark.parametrize("cloned", [False, True])
def test_an_error_in_a_rule_leaves_the_game_as_it_was(kind: str, cloned: bool) -> None:
    game = cursed(kind)
    twin = game.clone()
    if cloned:
        game = game.clone()
    before = picture(game)
    for _ in range(3):
        with pytest.raises(RuleError, match="ZeroDivisionError") as caught:
            game.submit(game.pending[0].power, Curse())
        assert isinstance(caught.value.__cause__, ZeroDivisionError)
        assert picture(game) == before
    assert picture(game.clone()) == before
    advance(game, random.Random(5), 30)
    assert picture(game) == picture(advance(twin, random.Random(5), 30))
    while game.version > before["version"]:
        game.undo()
    assert picture(game) == before


@pytest.mark.parametrize("kind", ["place_stones", "press_or_retreat"])
def test_an_error_after_an_explicit_roll_leaves_the_roll_pending(kind: str) -> None:
    game = cursed(kind, "explicit")
    game.submit(game.pending[0].power, Curse())
    before = picture(game)
    assert game.pending[0].kind == "roll"
    with pytest.raises(RuleError):
        game.submit("chance", {"kind": "dice", "faces": [1, 2, 3]})
    assert picture(game) == before
    game.undo()
    assert game.pending[0].kind == kind
    advance(game, random.Random(2), 10)


def test_an_interruption_leaves_the_game_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even Ctrl-C in the middle of a rule."""
    game = cursed("press_or_retreat")
    before = picture(game)

    def interrupted(points: int) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("tests.kernel.toy.deep_inside", interrupted)
    with pytest.raises(KeyboardInterrupt):
        game.submit(game.pending[0].power, Curse())
    assert picture(game) == before
    game.submit(game.pending[0].power, Retreat())


def test_an_error_in_what_a_standing_order_sets_off(monkeypatch: pytest.MonkeyPatch) -> None:
    stones = {"stones": {"north": dict.fromkeys(POWERS, 2)}}
    game = sandtable.new("toy", seed=1, position=stones)
    for power in POWERS:
        game.submit(power, Done())
    for power in POWERS:
        game.submit(power, Bid(1 if power == "red" else 0))
    game.standing_order("blue", "offer_help", Pass())
    before = picture(game)

    def failing(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("tests.kernel.toy.TakeStance", failing)
    game.submit("red", Challenge("green"))
    waiting = picture(game)
    assert [request.power for request in game.pending] == ["white"]
    with pytest.raises(RuleError, match="standing order"):
        game.standing_order("white", "offer_help", Help("red"))
    assert picture(game) == waiting
    assert ("white", "offer_help") not in game.standing
    game.undo()
    game.undo()
    assert picture(game) == before
    game.standing["white", "offer_help"] = Pass()
    with pytest.raises(RuleError):
        game.submit("red", Challenge("green"))
    assert picture(game) == before
    monkeypatch.undo()
    game.submit("red", Challenge("green"))
    assert [request.power for request in game.pending] == ["red", "green"]


def test_a_decision_of_another_kind_of_request() -> None:
    game = cursed("press_or_retreat")
    before = picture(game)
    for decision in (Place("north"), Done(), Bid(1), Help("red"), Pass()):
        with pytest.raises(IllegalDecision, match="curse or press or retreat is asked for"):
            game.submit(game.pending[0].power, decision)
    assert picture(game) == before
    game.submit(game.pending[0].power, Press())
