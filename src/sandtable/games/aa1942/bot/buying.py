"""Phase 1: what to buy."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sandtable.games.aa1942.bot.board import Board, total
from sandtable.games.aa1942.bot.weights import (
    AIR_FLEET,
    BACKLOG,
    CAPITAL_RISK,
    CITY_RISK,
    DOOMED,
    FLEET_RISK,
    MOST_ESCORTS,
    MOST_TRANSPORTS,
    TRANSPORTS_PER_TURN,
    TROOPS,
    Counts,
)
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.production import complexes
from sandtable.games.aa1942.rules.purchase import Buy, Purchase
from sandtable.kernel.decisions import Decision


def purchase(s: State, request: Purchase) -> Iterator[Decision]:
    """Repairs that are needed, defenders of a threatened capital, ships to get across, troops."""
    b = Board(s, request.power)
    money = request.treasury
    repairs: Counts = {}
    units: Counts = {}
    room = complexes(s)
    # Only what a turn's money can fill is worth repairing, the complexes near the enemy first.
    for territory in sorted(request.damaged, key=lambda t: (b.march()[t], t)):
        short = money // 4 - sum(room.values())
        points = min(request.damaged[territory], short, money)
        points = max(0, points) // s.facts.numbers.repair_cost
        if points:
            repairs[territory] = points
            money -= points * s.facts.numbers.repair_cost
            room[territory] += points
    slots = sum(room.values())

    def buy(type_: str, most: int = 1) -> int:
        nonlocal money, slots
        number = max(0, min(most, slots, money // b.kinds[type_].cost))
        if number:
            units[type_] = units.get(type_, 0) + number
            money -= number * b.kinds[type_].cost
            slots -= 0 if type_ == "industrial_complex" else number
        return number

    for post in sorted(room, key=lambda t: (t != b.home, t not in b.cities, -b.worth(t), t)):
        risk = CAPITAL_RISK if post == b.home else CITY_RISK
        guard = b.defenders(post)
        needed = 0
        while needed < room[post] and b.danger(post, guard) > risk:
            guard = total(guard, {"infantry": 1})
            needed += 1
        if post == b.home or b.danger(post, guard) < DOOMED:
            buy("infantry", needed)
    if b.overseas(b.home) and b.facts.coast[b.home]:
        _buy_across(b, buy)
    _buy_troops(b, buy, units, lambda: money, lambda: slots)
    yield Buy(units, repairs)


def _buy_across(b: Board, buy: Callable[..., int]) -> None:
    """A power that the sea parts from the enemy: a complex over there, transports, escorts."""
    if site(b) and buy("industrial_complex"):
        return
    lift = waiting = 0
    for space in b.spaces:
        for unit, number in b.s.at[space].items():
            if unit.power == b.me:
                if unit.type == "transport":
                    lift += number
                    waiting += number * len(unit.cargo)
                elif b.kinds[unit.type].captures and b.overseas(space):
                    waiting += number
    wanted = min(MOST_TRANSPORTS, (waiting + 3) // 2) - lift
    port = harbours(b)[0]
    fleet = total(b.count(port, lambda u: u.power in b.friends), {"transport": 1})
    escorts = 0
    while escorts < MOST_ESCORTS and b.danger(port, fleet) > FLEET_RISK:
        fleet = total(fleet, {"destroyer": 1})
        escorts += 1
    if b.danger(port, fleet) > DOOMED:
        # Whatever is launched there would be sunk: aircraft first have to make the sea safe.
        buy("fighter", AIR_FLEET)
    elif wanted > 0 or b.fresh(port, "sea"):
        buy("destroyer", escorts)
        buy("transport", min(TRANSPORTS_PER_TURN, wanted))
    if waiting > BACKLOG * max(lift, TRANSPORTS_PER_TURN):
        # There are more troops than ships for them; bombers get across by themselves.
        buy("bomber", AIR_FLEET)


def harbours(b: Board) -> list[str]:
    """The sea zones in which a power gathers its ships: those of its capital, its fleet first."""
    return sorted(
        b.facts.coast[b.home],
        key=lambda z: (
            bool(b.enemies(z)),
            -b.price(b.count(z, lambda u: u.power in b.friends)),
            b.course()[z],
            z,
        ),
    )


def site(b: Board) -> str:
    """Where a complex beyond the sea should be built: "" if one is there or no place is good."""
    places = [
        t
        for t in b.facts.territories
        if b.s.control[t] == b.s.start_control.get(t) == b.me and not b.overseas(t)
    ]
    if any(t in b.s.complexes for t in places):
        return ""
    good = [t for t in places if b.facts.spaces[t].ipc >= 2 and b.risk(t) <= CITY_RISK]
    return max(good, key=lambda t: (b.facts.spaces[t].ipc, -b.march()[t], t), default="")


def _buy_troops(
    b: Board,
    buy: Callable[..., int],
    units: Counts,
    money: Callable[[], int],
    slots: Callable[[], int],
) -> None:
    """Land units in a fixed mix; money for which there is no room makes them better ones."""
    prices = {type_: kind.cost for type_, kind in b.kinds.items()}
    bought = True
    while bought:
        bought = False
        for type_ in TROOPS:
            # What cannot be placed as cheap units is better spent on aircraft.
            if slots() and money() >= slots() * (prices["fighter"] + prices["infantry"]) // 2:
                type_ = "fighter"
            if not buy(type_):
                type_ = "infantry"
                if not buy(type_):
                    continue
            bought = True
    rest = money()
    for old, new in (("infantry", "tank"), ("artillery", "tank"), ("tank", "fighter")):
        while units.get(old) and rest >= prices[new] - prices[old]:
            rest -= prices[new] - prices[old]
            units[old] -= 1
            units[new] = units.get(new, 0) + 1
        if old in units and not units[old]:
            del units[old]
