"""Phase 1: Purchase Units (p.10)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.spaces import capital_lost
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Buy(Decision, frozen=True, tag="buy"):
    """An order: units by type, and points of damage to repair by territory."""

    units: dict[str, int] = {}
    repairs: dict[str, int] = {}


class Purchase(Request, frozen=True, tag="purchase"):
    """Order units and repairs, all at once; an empty order buys nothing."""

    treasury: int
    damaged: dict[str, int]

    answers: ClassVar[tuple[type[Decision], ...]] = (Buy,)

    def check(self, state: State, decision: Buy) -> None:
        """Any units that the treasury can pay, and repairs of own complexes.

        Rules: purchase.availability, purchase.afford, purchase.repair.cost, income.no-transfer
        """
        kinds = state.facts.units
        for type_, count in decision.units.items():
            if type_ not in kinds:
                raise IllegalDecision(
                    f"There is no unit {state.facts.name(type_)}.", "purchase.availability"
                )
            if count < 1:
                raise IllegalDecision(
                    f"{count} is no number of units to buy ({state.facts.name(type_)}).",
                    "purchase.availability",
                )
        for territory, points in decision.repairs.items():
            if territory not in self.damaged:
                raise IllegalDecision(
                    f"{state.facts.power_name(self.power)} has no damaged industrial complex in "
                    f"{state.facts.name(territory)}.",
                    "purchase.repair.cost",
                )
            if not 1 <= points <= self.damaged[territory]:
                raise IllegalDecision(
                    f"{state.facts.name(territory)} has {self.damaged[territory]} damage, not "
                    f"{points} to repair.",
                    "purchase.repair.cost",
                )
        total = cost(state, decision)
        if total > self.treasury:
            raise IllegalDecision(
                f"The order costs {total} IPCs, but {state.facts.power_name(self.power)} has "
                f"{self.treasury}.",
                "purchase.afford",
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        """Every affordable order of units, without repairs first, then with each repair."""
        prices = [(unit.id, unit.cost) for unit in state.facts.units.values()]

        def orders(at: int, money: int) -> Iterator[dict[str, int]]:
            if at == len(prices):
                yield {}
                return
            type_, price = prices[at]
            for count in range(money // price + 1):
                for rest in orders(at + 1, money - count * price):
                    yield {type_: count, **rest} if count else rest

        def repairs(lands: list[str], money: int) -> Iterator[dict[str, int]]:
            if not lands:
                yield {}
                return
            for points in range(min(money, self.damaged[lands[0]]) + 1):
                for rest in repairs(lands[1:], money - points):
                    yield {lands[0]: points, **rest} if points else rest

        each = state.facts.numbers.repair_cost
        for fix in repairs(sorted(self.damaged), self.treasury // each):
            for units in orders(0, self.treasury - each * sum(fix.values())):
                yield Buy(units, fix)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        money = self.treasury
        repairs: dict[str, int] = {}
        for territory, damage in self.damaged.items():
            points = rng.randint(0, min(damage, money // state.facts.numbers.repair_cost))
            if points:
                repairs[territory] = points
                money -= points * state.facts.numbers.repair_cost
        units: dict[str, int] = {}
        kinds = list(state.facts.units.values())
        cheapest = min(kind.cost for kind in kinds)
        while money >= cheapest:
            kind = kinds[int(rng.random() * len(kinds))]
            if kind.cost > money:
                if rng.random() < 0.2:
                    break
                continue
            count = 1 + int(rng.random() * (money // kind.cost))
            units[kind.id] = units.get(kind.id, 0) + count
            money -= count * kind.cost
        yield Buy(units, repairs)


def cost(s: State, order: Buy) -> int:
    """What an order costs."""
    kinds = s.facts.units
    return (
        sum(kinds[type_].cost * count for type_, count in order.units.items())
        + sum(order.repairs.values()) * s.facts.numbers.repair_cost
    )


def purchase_units(g: Table[State]) -> Procedure[None]:
    """Order, pay, and put the units into the mobilization zone, where they can do nothing yet.

    Repairs count at once. What is not spent is kept. A power without its capital buys nothing.

    Rules: purchase.afford, purchase.carry-over, purchase.repair.immediate, purchase.hold,
        capital.lost.phases, def.bank, def.units.no-piece-limit, order.voluntary
    """
    s = g.state
    if capital_lost(s, s.turn):
        return
    damaged = {
        territory: damage
        for territory, damage in sorted(s.complexes.items())
        if damage and s.control[territory] == s.turn
    }
    g.checkpoint()
    order: Buy = yield from g.ask(Purchase(s.turn, s.treasury[s.turn], damaged))
    s.treasury[s.turn] -= cost(s, order)
    for territory, points in order.repairs.items():
        s.complexes[territory] -= points
    s.bought = dict(order.units)
    g.emit("bought", power=s.turn, units=order.units, repairs=order.repairs)
