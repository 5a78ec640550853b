"""The bid, a custom of players and no rule of the book: one side gets units before the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.movement import Done
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

STEP = "bid"
"""How `step` of the position begins while the bid is placed: then come the power, and the spaces in
which a unit has been placed."""


class PlaceUnit(Decision, frozen=True, tag="place_bid"):
    """A unit of the bid."""

    space: str
    type: str


class PlaceBid(Request, frozen=True, tag="bid"):
    """Place a unit of the bid where the power has units, or leave the rest."""

    left: int

    answers: ClassVar[tuple[type[Decision], ...]] = (PlaceUnit, Done)

    def check(self, state: State, decision: Decision) -> None:
        if isinstance(decision, PlaceUnit) and decision not in places(state, self.power):
            raise IllegalDecision(
                "A unit of the bid goes where the power has units already, one to a space, "
                f"for what is left: {self.left} IPCs.",
                "setup.units",
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        yield from places(state, self.power)
        yield Done()


def places(s: State, power: str) -> list[PlaceUnit]:
    """What a power can place of the bid now."""
    facts, left = s.facts, money(s)
    used = s.step.split()[2:]
    return [
        PlaceUnit(space, kind.id)
        for space in s.presence[power]
        if space not in used
        for kind in facts.units.values()
        if kind.cost <= left
        and kind.domain in (("sea",) if facts.spaces[space].sea else ("land", "air"))
    ]


def money(s: State) -> int:
    """What is left of the bid."""
    ours = bidders(s)
    spent = sum(
        s.facts.units[type_].cost * count
        for (power, type_), count in s.built.items()
        if power in ours
    )
    return int(s.options["bid"]) - spent


def bidders(s: State) -> list[str]:
    """The powers that place the bid, in the order of their turns."""
    return [power for power in s.facts.powers if s.facts.side[power] == s.options["bid_side"]]


def first_step(s: State) -> str:
    """The step with which a game with a bid begins."""
    return f"{STEP} {bidders(s)[0]}" if s.options["bid"] else ""


def is_bidding(s: State) -> bool:
    return s.step.startswith(STEP)


def place_bid(g: Table[State]) -> Procedure[None]:
    """Each power of the side places units in turn, one to a space in which it has units. What is
    left goes into the treasury of the last of them."""
    s = g.state
    while is_bidding(s):
        power = s.step.split()[1]
        g.checkpoint()
        answer = yield from g.ask(PlaceBid(power, money(s)))
        if isinstance(answer, PlaceUnit):
            s.put(answer.space, Unit(power, answer.type))
            key = power, answer.type
            s.built[key] = s.built.get(key, 0) + 1
            s.step = f"{s.step} {answer.space}"
            units = {answer.type: 1}
            g.emit("bid_placed", power=power, space=answer.space, units=units, left=money(s))
            if places(s, power):
                continue
        _next(g, power)


def _next(g: Table[State], power: str) -> None:
    """Let the next power place something, if any can."""
    s = g.state
    ours = bidders(s)
    used = s.step.split()[2:]
    for other in ours[ours.index(power) + 1 :]:
        s.step = " ".join((STEP, other, *used))
        if places(s, other):
            return
    left = money(s)
    s.step = ""
    if left:
        s.treasury[ours[-1]] += left
        g.emit("bid_kept", power=ours[-1], ipcs=left)
