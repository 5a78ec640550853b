"""Stacking of land units (chapter 7)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import ClassVar

from sandtable.games.gw75.model import State, Unit
from sandtable.games.gw75.rules.terms import (
    commander,
    ground,
    players,
    points,
    shares,
    strength_points,
    tally,
)
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

Part = tuple[str, str, int]
"""Nation, type and number of Strength Points."""


def room(s: State, hex: str, which: str) -> int:
    """Land Strength Points that a side may still add to a hex; less than none if it has too many
    there. Mobile, Self-Defense and fortification points count together, of all its nations; naval
    and air units do not count.

    Rules: 7.0a, 7.31
    """
    return s.facts.numbers.stack - points(s, hex, which)


def fort_room(s: State, hex: str) -> int:
    """Strength Points of fortifications that may still be put into a hex.

    Rules: 7.36
    """
    have = sum(count for unit, count in ground(s, hex) if unit.type == "fort")
    return max(0, s.facts.numbers.fort_stack - have)


class Remove(Decision, frozen=True, tag="remove"):
    """Strength Points that are taken off the map: nation, type and number of each."""

    units: tuple[Part, ...]


class RemoveOverstack(Request, frozen=True, tag="remove_overstack"):
    """Take off the map what is too much in a hex."""

    space: str
    number: int
    """Strength Points."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Remove,)

    def check(self, state: State, decision: Remove) -> None:
        """Own units of any type. A fortification is not broken down: it goes as a whole, even if
        that is a point more than has to go.

        Rules: 7.37, 7.22
        """
        name = state.facts.name
        have = own(state, self.power, self.space)
        if any(count < 1 for _, _, count in decision.units):
            raise IllegalDecision("Of each kind that is named at least one goes.", "7.37")
        total = forts = 0
        for (nation, type), count in _merged(decision).items():
            there = have.get((nation, type), 0)
            if count > there:
                raise IllegalDecision(
                    f"{name(nation)} has {strength_points(there)} of {name(type)} in "
                    f"{name(self.space)}, not {count}.",
                    "7.37",
                )
            if type == "fort":
                forts += count
                if count % state.facts.numbers.fort_points and count < there:
                    raise IllegalDecision("A fortification is not broken down.", "7.22")
            total += count
        least = self.number
        if total != least and not (total == least + 1 == forts):
            raise IllegalDecision(
                f"{name(self.space)} has {strength_points(least)} too many, not {total}.", "7.37"
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        """Every choice: as many as have to go, or a whole fortification more."""
        parts = list(own(state, self.power, self.space).items())
        forts = [(kind, count) for kind, count in parts if kind[1] == "fort"]
        more = shares(forts, self.number + 1)
        for chosen in chain(shares(parts, self.number), more):
            decision = Remove(tuple((*kind, count) for kind, count in chosen))
            try:
                self.check(state, decision)
            except IllegalDecision:
                continue
            yield decision

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        """The first points that come, and then every choice."""
        parts = list(own(state, self.power, self.space).items())
        rng.shuffle(parts)
        chosen, left = [], self.number
        for (nation, type), count in parts:
            if left and type != "fort":
                chosen.append((nation, type, min(left, count)))
                left -= chosen[-1][2]
        yield Remove(tuple(sorted(chosen)))
        yield from self.decisions(state)


def _merged(decision: Remove) -> Counter[tuple[str, str]]:
    """Nation and type to the number that goes."""
    return tally(((nation, type), count) for nation, type, count in decision.units)


def own(s: State, player: str, hex: str) -> dict[tuple[str, str], int]:
    """The land Strength Points that a player has in a hex, by nation and type, sorted."""
    found: dict[tuple[str, str], int] = {}
    for unit, count in ground(s, hex):
        if commander(s, unit.nation) == player:
            key = (unit.nation, unit.type)
            found[key] = found.get(key, 0) + count
    return dict(sorted(found.items()))


def overstacked(s: State, which: str) -> str:
    """The first hex in which a side has too many land Strength Points; empty if there is none."""
    limit = s.facts.numbers.stack
    full = (hex for hex, stack in s.at.items() if sum(stack.values()) > limit)
    return min((hex for hex in full if room(s, hex, which) < 0), default="")


def remove_overstacks(g: Table[State], which: str) -> Procedure[None]:
    """At the end of a Land Movement Phase, its side removes what is too much in a hex: the player
    with the most points there first. Retreats may have brought them together.

    Rules: 7.37, 7.12b
    """
    s = g.state
    while hex := overstacked(s, which):
        have = {player: own(s, player, hex) for player in players(s, which)}
        player = max(have, key=lambda each: sum(have[each].values()))
        number = min(-room(s, hex, which), sum(have[player].values()))
        g.checkpoint()
        decision = yield from g.ask(RemoveOverstack(player, hex, number))
        for (nation, type), count in _merged(decision).items():
            remove(s, hex, nation, type, count)
            g.emit("overstack_removed", power=nation, space=hex, units={type: count})


def remove(s: State, hex: str, nation: str, type: str, count: int) -> None:
    """Destroy Strength Points, those that have moved least first."""
    for unit, there in alike(s, hex, nation, type):
        number = min(count, there)
        if number:
            s.destroy(hex, unit, number)
            count -= number


def alike(s: State, hex: str, nation: str, type: str) -> list[tuple[Unit, int]]:
    """The units of a nation and type in a hex, each kind with its number."""
    return [
        (unit, count)
        for unit, count in s.stack(hex).items()
        if unit.nation == nation and unit.type == type
    ]
