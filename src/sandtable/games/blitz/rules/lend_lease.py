"""Lend lease (7.4)."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.income import Goods, before_lend_lease
from sandtable.games.blitz.rules.opening import power_in_play
from sandtable.games.blitz.rules.sides import areas_of, friendly, home_of, out_of_game
from sandtable.games.blitz.rules.supply import lines
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.kits import Assign
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

CHINA = "china"
_LANDFALL, _ROAD_END = "burma", "chungking"


class Lend(Decision, frozen=True, tag="lend"):
    """How much of the lend lease to each recipient is Oil; the rest is Resources."""

    oil: dict[str, int] = {}


class LendRequest(Assign, frozen=True, tag="lend_lease"):
    """Choose between Oil and Resources for the lend lease that has to be delivered."""

    amounts: dict[str, int]
    """What each recipient gets."""
    oil: int
    """What there is to give."""
    resources: int

    answers: ClassVar[tuple[type[Decision], ...]] = (Lend,)

    def check(self, state: State, decision: Lend) -> None:
        """Oil for recipients other than China, as much of either as there is.

        Rules: 7.4c, 7.4d, 7.4e, D.8b
        """
        for recipient, oil in decision.oil.items():
            amount = self.amounts.get(recipient, 0)
            if recipient == CHINA and oil:
                raise IllegalDecision("China gets no Oil.", "7.4e")
            if not 0 <= oil <= amount:
                raise IllegalDecision(
                    f"{state.facts.name(recipient)!r} gets {amount}, not {oil} Oil.", "7.4d"
                )
        oil = sum(decision.oil.values())
        if oil > self.oil:
            raise IllegalDecision(f"There are {self.oil} Oil to give, not {oil}.", "7.4d")
        if sum(self.amounts.values()) - oil > self.resources:
            raise IllegalDecision(f"There are {self.resources} Resources to give.", "7.4c")

    def limits(self, state: State) -> dict[str, int]:
        return {to: amount for to, amount in self.amounts.items() if to != CHINA}

    def totals(self, state: State) -> range:
        return range(max(0, sum(self.amounts.values()) - self.resources), self.oil + 1)


def deliver_lend_lease(g: Table[State]) -> Procedure[None]:
    """Every lend lease unit that can deliver does; the giver chooses between Oil and Resources.

    A power lends no more than it has this turn. What is lent counts with the income.

    Rules: 1.9a, 7.4a, 7.4b, 7.4c, 7.4d, 7.4e, D.8a, D.8b
    """
    s = g.state
    g.checkpoint(strict=True)
    requests = []
    for power in s.scenario.powers:
        delivered = deliveries(s, power)
        if not delivered:
            continue
        goods = before_lend_lease(s, power)
        amounts = _within(delivered, goods)
        if amounts:
            requests.append(LendRequest(power, amounts, *goods))
    asked = [request for request in requests if len(list(request.decisions(s))) > 1]
    answers = yield from g.ask_all(asked)
    for request in requests:
        answer = answers.get(request.power) or next(request.decisions(s))
        assert isinstance(answer, Lend)
        for recipient, amount in request.amounts.items():
            _lend(g, request.power, recipient, amount, answer.oil.get(recipient, 0))


def _lend(g: Table[State], giver: str, recipient: str, amount: int, oil: int) -> None:
    s = g.state
    s.count(f"lent_oil:{giver}:{recipient}", oil)
    s.count(f"lent_resources:{giver}:{recipient}", amount - oil)
    s.count(f"lend_lease:{giver}", amount)
    s.count(f"lend_lease_to:{recipient}", amount)
    g.emit("lend_leased", power=giver, recipient=recipient, oil=oil, resources=amount - oil)


def _within(amounts: dict[str, int], goods: Goods) -> dict[str, int]:
    """The deliveries, cut to what there is: China's Resource first."""
    left = sum(goods)
    found = {}
    for recipient in sorted(amounts, key=lambda name: name != CHINA):
        amount = min(amounts[recipient], left)
        if recipient == CHINA:
            amount = min(amount, goods.resources)
        if amount:
            found[recipient] = amount
            left -= amount
    return found


def deliveries(s: State, power: str) -> dict[str, int]:
    """Recipient to the Sizes of the lend lease units that deliver to it.

    Rules: 7.4a, 7.4b, 7.4e
    """
    found: dict[str, int] = {}
    for id, unit in sorted(s.of(power)):
        kind = s.facts.kinds[id]
        if kind.type != "LL" or unit.at != kind.sea or not _arrives(s, id):
            continue
        recipient = CHINA
        if kind.recipient != CHINA:
            recipient = power_in_play(s.facts, s.scenario, kind.recipient)
            if recipient == power or recipient not in s.scenario.powers:
                continue
            if out_of_game(s, recipient):
                continue
        found[recipient] = found.get(recipient, 0) + unit.size
    if CHINA in found:
        found[CHINA] = 1
    return found


def _arrives(s: State, id: str) -> bool:
    """Whether lines run from the unit's home to its sea, and on from there to the recipient; only
    the second may cross neutral land.

    Rules: 7.4a, 7.4e, D.8a
    """
    unit, kind = s.units[id], s.facts.kinds[id]
    home = home_of(s, id)
    start = [area for area in areas_of(s, home) if friendly(s, area, unit.power)]
    if home in s.scenario.own.get("supply_from", ()):
        start += [area for area in s.facts.countries[home].areas if area not in s.control]
    if unit.at not in lines(s, unit.power, start, across_neutrals=False):
        return False
    if kind.recipient == CHINA:
        return all(
            area in s.control and friendly(s, area, unit.power) for area in (_LANDFALL, _ROAD_END)
        )
    goal = [
        area
        for country in s.facts.homes[power_in_play(s.facts, s.scenario, kind.recipient)]
        for area in areas_of(s, country)
        if friendly(s, area, unit.power)
    ]
    reached = lines(s, unit.power, goal, across_neutrals=True)
    return any(
        area in reached and area in s.control and friendly(s, area, unit.power)
        for area in s.facts.coast[unit.at]
    )
