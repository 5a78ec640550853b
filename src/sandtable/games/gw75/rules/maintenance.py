"""Maintenance and resource allocation (18.10): what a power cannot maintain stands idle."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar

from msgspec import Meta

from sandtable.games.gw75.facts import MAJORS
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import industry
from sandtable.games.gw75.rules.common import refuse
from sandtable.games.gw75.rules.terms import OTHER, commander, players
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

Part = tuple[str, str, Annotated[int, Meta(ge=1)]]
"""Hex, type and number."""


class Idle(Decision, frozen=True, tag="idle"):
    """The units of a power that are not activated in this Game-Turn: hex, type and number."""

    units: tuple[Part, ...]


class Maintain(Request, frozen=True, tag="maintain"):
    """Which units a power that cannot maintain all of them leaves Unactivated."""

    nation: str
    capacity: int

    answers: ClassVar[tuple[type[Decision], ...]] = (Idle,)

    def check(self, state: State, decision: Idle) -> None:
        """Rules: 18.10a, 18.10b, 18.10c, 18.10d"""
        name = state.facts.name
        have = units(state, self.nation)
        left = dict(have)
        for hex, type, number in decision.units:
            there = left.get((hex, type), 0)
            left[hex, type] = there - number
            if not 0 < number <= there:
                raise refuse(
                    f"{name(self.nation)} has {there} of {name(type)} in {name(hex)} to be left "
                    f"idle, not {number}.",
                    "18.10d",
                )
        cost = upkeep(state, left)
        if cost > self.capacity:
            raise refuse(
                f"What is left costs {cost} to maintain, and {name(self.nation)} has "
                f"{self.capacity}.",
                "18.10a",
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        """Choices that leave no more idle than has to be: by type, the dearest or the cheapest
        first, from the first hex on or from the last."""
        have = units(state, self.nation)
        types = state.facts.types
        by_price = sorted(have, key=lambda key: (types[key[1]].upkeep, key))
        seen = set()
        for order in (by_price[::-1], by_price, sorted(have), sorted(have)[::-1]):
            decision = excess(state, self.nation, self.capacity, order)
            if decision not in seen:
                seen.add(decision)
                yield decision

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        every = sorted(units(state, self.nation))
        rng.shuffle(every)
        yield excess(state, self.nation, self.capacity, every)


def units(s: State, nation: str) -> dict[tuple[str, str], int]:
    """The units of a power that have to be maintained, by hex and type; do not change it."""
    kept = f"units of {nation}"
    found: dict[tuple[str, str], int] | None = s.memo.get(kept)
    if found is None:
        found = {}
        types = s.facts.types
        for hex, unit, count in s.units_of(nation):
            if types[unit.type].upkeep:
                key = (hex, unit.type)
                found[key] = found.get(key, 0) + count
        s.memo[kept] = found
    return found


def upkeep(s: State, kept: dict[tuple[str, str], int]) -> int:
    """What it costs to maintain units: by type, fractions rounded up.

    Rules: 18.10b, 18.10c
    """
    return sum(_price(s, type, number) for type, number in _by_type(kept).items())


def excess(s: State, nation: str, capacity: int, order: Iterable[tuple[str, str]]) -> Idle:
    """The units of a power that are left idle if they are so in this order of hexes and types, and
    no more than has to be for the rest to be maintained."""
    have = units(s, nation)
    kept = _by_type(have)
    over = upkeep(s, have) - capacity
    idle = []
    for hex, type in order:
        if over <= 0:
            break
        price = _price(s, type, kept[type])
        affordable = max(0, 2 * (price - over) // s.facts.types[type].upkeep)
        number = min(have[hex, type], kept[type] - affordable)
        kept[type] -= number
        over -= price - _price(s, type, kept[type])
        idle.append((hex, type, number))
    return Idle(tuple(sorted(idle)))


def _by_type(kept: dict[tuple[str, str], int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for (_, type), number in kept.items():
        found[type] = found.get(type, 0) + number
    return found


def _price(s: State, type: str, number: int) -> int:
    return -(-s.facts.types[type].upkeep * number // 2)


def capacity(s: State, nation: str) -> int:
    """What a power can maintain: its production of the Game-Turn before; in the first Game-Turn
    its production now.

    Rules: 18.10a
    """
    found = s.capacity.get(nation)
    return sum(industry.production(s, nation).values()) if found is None else found


def phase(g: Table[State]) -> Procedure[None]:
    """All units are activated again. A power that can maintain all of them does; another one
    decides which are not, for the whole Game-Turn, the Axis powers first.

    Rules: 18.10a, 18.10d, 18.10e, 4.2b
    """
    s = g.state
    if not s.step:
        for hex, unit, count in s.with_marks():
            if unit.idle:
                s.change(hex, unit, count, idle=False)
        s.step = "maintain"
    for which in OTHER:
        for player in players(s, which):
            for nation in MAJORS:
                if commander(s, nation) == player and nation not in s.finished:
                    yield from _maintain(g, player, nation)
    s.finished = frozenset()


def _maintain(g: Table[State], player: str, nation: str) -> Procedure[None]:
    s = g.state
    limit = capacity(s, nation)
    if upkeep(s, units(s, nation)) > limit:
        g.checkpoint()
        decision = yield from g.ask(Maintain(player, nation, limit))
        idle: dict[str, dict[str, int]] = {}
        for hex, type, number in decision.units:
            _leave_idle(s, hex, nation, type, number)
            there = idle.setdefault(hex, {})
            there[type] = there.get(type, 0) + number
        for hex, counts in idle.items():
            g.emit("unactivated", power=nation, space=hex, units=counts)
    s.finished |= {nation}


def _leave_idle(s: State, hex: str, nation: str, type: str, number: int) -> None:
    """Of units of the same type the depleted ones first: they cannot attack anyway."""
    for unit, count in sorted(s.stack(hex).items(), key=lambda part: not part[0].depleted):
        if unit.nation == nation and unit.type == type and not unit.idle:
            part = min(number, count)
            if part:
                s.change(hex, unit, part, idle=True)
                number -= part
