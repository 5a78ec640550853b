"""A small made-up game that uses every verb of the kernel.

Four powers place stones (a free loop), bid in secret for the lead (`ask_all`), and the leader may
challenge a rival to a duel (a strict procedure whose progress lives in local variables), in which
the other two may help (`offer`). Coins are secret. At any moment a power with coins to spare may
offer some to another (a right), who is asked whether to accept them. With the option `cursed`, two
requests accept a curse, which changes the state, tells about it, rolls, and then fails deep inside
the rules.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from sandtable.kernel.decisions import Decision, Request, RollLine
from sandtable.kernel.errors import IllegalDecision, PositionError
from sandtable.kernel.events import Event
from sandtable.kernel.ruleset import Option, Procedure, Result, RuleSet
from sandtable.kernel.state import State, declared, own
from sandtable.kernel.table import Table

POWERS = ("red", "green", "blue", "white")
FIELDS = ("north", "east", "south")
STONES_A_TURN = 2
MOST_BOUTS = 3


@declared
class ToyState(State):
    round: int = 1
    phase: str = "place"
    turn: int = 0
    placed: int = 0
    leader: str | None = None
    duel: tuple[str, str] | None = None
    stones: dict[str, dict[str, int]] = own()
    coins: dict[str, int] = own()

    def add_stones(self, field: str, power: str, count: int) -> None:
        stones = self.stones[field]
        self.stones[field] = {**stones, power: stones[power] + count}

    def total(self, power: str) -> int:
        return sum(stones[power] for stones in self.stones.values())


class Place(Decision, frozen=True, tag="place"):
    field: str


class Done(Decision, frozen=True, tag="done"):
    pass


class Curse(Decision, frozen=True, tag="curse"):
    pass


class Bid(Decision, frozen=True, tag="bid"):
    coins: int


class Challenge(Decision, frozen=True, tag="challenge"):
    rival: str


class Help(Decision, frozen=True, tag="help"):
    side: str
    coins: int = 1


class Stance(Decision, frozen=True, tag="stance"):
    bold: bool


class Lose(Decision, frozen=True, tag="lose"):
    fields: tuple[str, ...]


class Press(Decision, frozen=True, tag="press"):
    pass


class Retreat(Decision, frozen=True, tag="retreat"):
    pass


class Gift(Decision, frozen=True, tag="gift"):
    to: str
    coins: int = 1


class Accept(Decision, frozen=True, tag="accept"):
    pass


class Decline(Decision, frozen=True, tag="decline"):
    pass


class PlaceStones(Request, frozen=True, tag="place_stones"):
    left: int
    answers: ClassVar = (Place, Done, Curse)

    @property
    def prompt(self) -> str:
        return f"Place up to {self.left} stones."

    def check(self, state: ToyState, decision: Decision) -> None:
        if isinstance(decision, Place):
            if self.left == 0:
                raise IllegalDecision("You have no stone left this turn.", "toy:place.limit")
            if decision.field not in FIELDS:
                raise IllegalDecision(f"There is no field {decision.field}.", "toy:place.field")
        if isinstance(decision, Curse) and not state.options["cursed"]:
            raise IllegalDecision("Nobody may curse.", "toy:curse")

    def decisions(self, state: ToyState) -> Iterator[Decision]:
        yield Done()
        if self.left:
            yield from (Place(field) for field in FIELDS)


class MakeBid(Request, frozen=True, tag="make_bid"):
    coins: int
    answers: ClassVar = (Bid,)

    def check(self, state: ToyState, decision: Bid) -> None:
        if not 0 <= decision.coins <= self.coins:
            raise IllegalDecision(f"You have {self.coins} coins.", "toy:bid")

    def decisions(self, state: ToyState) -> Iterator[Decision]:
        return (Bid(coins) for coins in range(self.coins + 1))


class ChooseRival(Request, frozen=True, tag="choose_rival"):
    rivals: tuple[str, ...]
    answers: ClassVar = (Challenge, Done)

    def check(self, state: ToyState, decision: Decision) -> None:
        if isinstance(decision, Challenge) and decision.rival not in self.rivals:
            raise IllegalDecision(f"{decision.rival} cannot be challenged.", "toy:challenge")

    def decisions(self, state: ToyState) -> Iterator[Decision]:
        yield Done()
        yield from (Challenge(rival) for rival in self.rivals)


class OfferHelp(Request, frozen=True, tag="offer_help"):
    sides: tuple[str, str]
    answers: ClassVar = (Help,)

    def check(self, state: ToyState, decision: Help) -> None:
        if decision.side not in self.sides:
            raise IllegalDecision(f"{decision.side} is not in this duel.", "toy:help.side")
        if not 1 <= decision.coins <= state.coins[self.power]:
            raise IllegalDecision("Help costs coins that you have.", "toy:help.coins")

    def decisions(self, state: ToyState) -> Iterator[Decision]:
        for side in self.sides:
            for coins in range(1, state.coins[self.power] + 1):
                yield Help(side, coins)


class TakeStance(Request, frozen=True, tag="take_stance"):
    answers: ClassVar = (Stance,)

    def decisions(self, state: ToyState) -> Iterator[Decision]:
        return iter((Stance(True), Stance(False)))


class ChooseLosses(Request, frozen=True, tag="choose_losses"):
    count: int
    answers: ClassVar = (Lose,)

    def check(self, state: ToyState, decision: Lose) -> None:
        if len(decision.fields) != self.count:
            raise IllegalDecision(f"You lose {self.count} stones.", "toy:losses.count")
        for field in decision.fields:
            if field not in FIELDS:
                raise IllegalDecision(f"There is no field {field}.", "toy:losses.field")
            if decision.fields.count(field) > state.stones[field][self.power]:
                raise IllegalDecision("You have not so many there.", "toy:losses.stones")

    def decisions(self, state: ToyState) -> Iterator[Decision]:
        for fields in combinations_with_replacement(FIELDS, self.count):
            if all(fields.count(f) <= state.stones[f][self.power] for f in fields):
                yield Lose(fields)

    def propose(self, state: ToyState, rng: random.Random) -> Iterator[Decision]:
        stones = [f for f in FIELDS for _ in range(state.stones[f][self.power])]
        yield Lose(tuple(rng.sample(stones, self.count)))


class PressOrRetreat(Request, frozen=True, tag="press_or_retreat"):
    answers: ClassVar = (Press, Retreat, Curse)

    def check(self, state: ToyState, decision: Decision) -> None:
        if isinstance(decision, Curse) and not state.options["cursed"]:
            raise IllegalDecision("Nobody may curse.", "toy:curse")

    def decisions(self, state: ToyState) -> Iterator[Decision]:
        return iter((Press(), Retreat()))


class MakeGift(Request, frozen=True, tag="make_gift"):
    """A right: to offer coins to another power; one has to be left."""

    answers: ClassVar = (Gift,)

    def check(self, state: ToyState, decision: Gift) -> None:
        if decision.to not in POWERS or decision.to == self.power:
            raise IllegalDecision("A gift is for another power.", "toy:gift.to")
        if not 1 <= decision.coins < state.coins[self.power]:
            raise IllegalDecision("You can give all coins but one.", "toy:gift.coins")

    def decisions(self, state: ToyState) -> Iterator[Decision]:
        for power in POWERS:
            if power != self.power:
                yield from (Gift(power, n) for n in range(1, state.coins[self.power]))


class AcceptGift(Request, frozen=True, tag="accept_gift"):
    giver: str
    coins: int
    answers: ClassVar = (Accept, Decline)

    def decisions(self, state: ToyState) -> Iterator[Decision]:
        return iter((Accept(), Decline()))


class ToyRules(RuleSet[ToyState]):
    id: ClassVar[str] = "toy"
    title: ClassVar[str] = "Stones"
    version: ClassVar[str] = "1.2"
    powers: ClassVar[tuple[str, ...]] = POWERS
    options: ClassVar[Mapping[str, Option]] = {
        "rounds": Option(3, "How many rounds are played.", (1, 2, 3, 5, 40)),
        "cursed": Option(False, "Whether curses are allowed.", (False, True)),
        "note": Option("", "Anything."),
    }
    folder: ClassVar[Path] = Path(__file__).parent

    def start(
        self, options: Mapping[str, Any], position: Mapping[str, Any] | None, data: Path | None
    ) -> ToyState:
        position = position or {}
        for name in position:
            if name not in ("coins", "stones"):
                raise PositionError(f"A position of toy has no field {name!r}.")
        try:
            coins = msgspec.convert(position.get("coins", {}), dict[str, int])
            stones = msgspec.convert(position.get("stones", {}), dict[str, dict[str, int]])
        except msgspec.ValidationError as error:
            raise PositionError(f"The position does not fit: {error}.") from None
        return ToyState(
            None,
            options,
            stones={f: {p: stones.get(f, {}).get(p, 0) for p in POWERS} for f in FIELDS},
            coins={p: coins.get(p, 5) for p in POWERS},
        )

    def play(self, g: Table[ToyState]) -> Procedure[Result]:
        while g.state.round <= g.state.options["rounds"]:
            if g.state.phase == "place":
                yield from place(g)
            if g.state.phase == "bid":
                yield from bid(g)
            if g.state.phase == "challenge":
                yield from challenge(g)
            if g.state.phase == "duel":
                yield from duel(g)
        most = max(g.state.total(power) for power in POWERS)
        return Result(
            tuple(p for p in POWERS if g.state.total(p) == most), f"{most} stones are the most."
        )

    def rights(self, state: ToyState) -> tuple[Request, ...]:
        return tuple(MakeGift(power) for power in POWERS if state.coins[power] > 1)

    def use(self, g: Table[ToyState], power: str, decision: Decision) -> Procedure[None]:
        assert isinstance(decision, Gift)
        yield from give(g, power, decision.to, decision.coins)

    def audit(self, state: ToyState) -> list[str]:
        broken = [f"{p} has {n} coins." for p, n in state.coins.items() if n < 0]
        for field, stones in state.stones.items():
            broken += [f"{p} has {n} stones in the {field}." for p, n in stones.items() if n < 0]
        if (state.duel is not None) != (state.phase == "duel"):
            broken.append("A duel is fought in its phase only.")
        return broken

    def rounds(self, state: ToyState) -> int:
        return min(state.round, state.options["rounds"])

    def sentence(self, state: ToyState, event: Event) -> str:
        data = ", ".join(f"{name} {value}" for name, value in event.data.items())
        return f"{event.kind.replace('_', ' ').capitalize()}: {data}."

    def board(self, state: ToyState, powers: Collection[str]) -> str:
        return "\n".join(f"{f}: {state.stones[f]}" for f in FIELDS)

    def observe(self, state: ToyState, power: str) -> dict[str, Any]:
        return {**state.plain(), "coins": {power: state.coins[power]}}


def place(g: Table[ToyState]) -> Procedure[None]:
    state = g.state
    while state.turn < len(POWERS):
        power = POWERS[state.turn]
        g.checkpoint()
        answer = yield from g.ask(PlaceStones(power, STONES_A_TURN - state.placed))
        if isinstance(answer, Place):
            state.add_stones(answer.field, power, 1)
            state.placed += 1
            g.emit("placed", power=power, space=answer.field)
        elif isinstance(answer, Curse):
            yield from curse(g, power)
        else:
            state.turn += 1
            state.placed = 0
    state.turn = 0
    state.phase = "bid"


def bid(g: Table[ToyState]) -> Procedure[None]:
    state = g.state
    g.checkpoint()
    bids = yield from g.ask_all(MakeBid(power, state.coins[power]) for power in POWERS)
    for power, answer in bids.items():
        state.coins[power] -= answer.coins
        g.emit("paid", to=(power,), power=power, coins=answer.coins)
    best = max(answer.coins for answer in bids.values())
    leaders = [power for power, answer in bids.items() if answer.coins == best]
    if len(leaders) > 1:
        lines = tuple(RollLine(power, "bid", 1, 0, sides=20) for power in leaders)
        faces = yield from g.roll("lead", lines)
        state.leader = leaders[faces.index(max(faces))]
    else:
        state.leader = leaders[0]
    state.phase = "challenge"
    g.emit("took_the_lead", power=state.leader)


def challenge(g: Table[ToyState]) -> Procedure[None]:
    state = g.state
    assert state.leader is not None
    rivals = tuple(p for p in POWERS if p != state.leader and state.total(p))
    if state.total(state.leader) and rivals:
        g.checkpoint()
        answer = yield from g.ask(ChooseRival(state.leader, rivals))
        if isinstance(answer, Challenge):
            state.duel = (state.leader, answer.rival)
            state.phase = "duel"
            g.emit("challenged", power=state.leader, against=answer.rival)
            return
    end_round(g)


def duel(g: Table[ToyState]) -> Procedure[None]:
    state = g.state
    assert state.duel is not None
    leader, rival = state.duel
    g.checkpoint(strict=True)
    helpers = yield from g.offer(
        OfferHelp(p, state.duel) for p in POWERS if p not in state.duel and state.coins[p]
    )
    strength = {leader: 2, rival: 2}
    for power, answer in helpers.items():
        state.coins[power] -= answer.coins
        strength[answer.side] += answer.coins
        g.emit("helped", power=power, recipient=answer.side)
    for bout in range(1, MOST_BOUTS + 1):
        stances = yield from g.ask_all(TakeStance(p) for p in (leader, rival))
        points = {}
        for power in (leader, rival):
            line = RollLine(power, "strength", strength[power], 0)
            faces = yield from g.roll("bout", (line,))
            points[power] = max(faces) if stances[power].bold else sorted(faces)[1]
        loser = leader if points[leader] < points[rival] else rival
        lost = min(state.total(loser), 1 + stances[loser].bold)
        losses = yield from g.ask(ChooseLosses(loser, lost))
        for field in losses.fields:
            state.add_stones(field, loser, -1)
        strength[loser] = max(2, strength[loser] - 1)
        g.emit("lost", power=loser, fields=list(losses.fields), bout=bout)
        if not state.total(loser) or bout == MOST_BOUTS:
            break
        answer = yield from g.ask(PressOrRetreat(leader))
        if isinstance(answer, Curse):
            yield from curse(g, leader)
        elif isinstance(answer, Retreat):
            break
    state.duel = None
    end_round(g)


def give(g: Table[ToyState], power: str, to: str, coins: int) -> Procedure[None]:
    """The coins are paid at once. One that is declined is lost unless a die shows 4 or more."""
    state = g.state
    state.coins[power] -= coins
    g.emit("offered_coins", to=(power, to), power=power, coins=coins)
    answer = yield from g.ask(AcceptGift(to, power, coins))
    if isinstance(answer, Accept):
        state.coins[to] += coins
    else:
        faces = yield from g.roll("refund", (RollLine(power, "coin", coins, 3),))
        state.coins[power] += sum(face > 3 for face in faces)
    g.emit("gift_ended", power=power)


def end_round(g: Table[ToyState]) -> None:
    g.state.round += 1
    g.state.phase = "place"
    g.emit("round_ended", round=g.state.round - 1)


def curse(g: Table[ToyState], power: str) -> Procedure[None]:
    g.state.add_stones("north", power, 100)
    g.emit("cursed", power=power)
    faces = yield from g.roll("curse", (RollLine(power, "curse", 3, 0),))
    g.state.coins[power] += deep_inside(sum(faces))


def deep_inside(points: int) -> int:
    return points // (points - points)
