"""New weapons development (7.3)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.counters import (
    current_group,
    destination,
    put_aside,
    small_name,
    to_pool,
)
from sandtable.games.blitz.rules.sabotage import choose_developments
from sandtable.games.blitz.rules.sides import out_of_game
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

_LATE_GROUP = 4
"""From this Group on some powers add fewer units."""


class Develop(Decision, frozen=True, tag="develop"):
    """Counters added to the Force Pool, and counters removed from the game."""

    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


class DevelopRequest(Request, frozen=True, tag="develop_weapons"):
    """Choose counters of the current Group, and of the next ones when it is used up; or pass."""

    most: int
    """How many may be added; fewer if one is of a late Group."""
    first: str = ""
    """What a saboteur chose: the first to be added, if any is."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Develop,)

    def check(self, state: State, decision: Develop) -> None:
        """Counters of the current Group, as many as the chart says.

        Rules: 7.3a, 7.3b, 7.3c, 7.3e, 9.6d, C.6a, C.6b
        """
        add, remove = decision.add, decision.remove
        chosen = {*add, *remove}
        if not chosen:
            raise IllegalDecision("Name counters, or pass.", "7.3a")
        if len(chosen) < len(add) + len(remove):
            raise IllegalDecision("A counter is named twice.", "7.3a")
        groups = state.groups[self.power]
        open_ = True
        late = False
        for number, group in enumerate(groups, 1):
            here = chosen.intersection(group)
            if here and not open_:
                raise IllegalDecision(
                    f"Group {number} is open only when all of the one before it are added.", "7.3b"
                )
            open_ = open_ and len(here) == len(group)
            late = late or (number >= _LATE_GROUP and bool(here.intersection(add)))
            chosen -= here
        if chosen:
            raise IllegalDecision(f"{_name(state, min(chosen))} is in none of the Groups.", "7.3a")
        for counter in remove:
            if not removable(state, self.power, counter):
                raise IllegalDecision(
                    f"{_name(state, counter)} cannot be removed: its country is not neutral, "
                    "conquered or the enemy's.",
                    "7.3e",
                )
        most = min(self.most, allowance(state, self.power, late)) if late else self.most
        if len(add) > most:
            raise IllegalDecision(
                f"{most} may be added this turn, not {len(add)}.", "7.3c" if late else "7.3a"
            )
        if self.first and add and self.first not in add:
            raise IllegalDecision(f"A saboteur has {_name(state, self.first)} added first.", "9.6d")

    def decisions(self, state: State) -> Iterator[Decision]:
        """Every set to add; and to remove each counter that can be, or all of them."""
        for number in range(1, self.most + 1):
            for add in self._sets(state, number):
                decision = Develop(add)
                if passes(self.check, state, decision):
                    yield decision
        gone = _removable(state, self.power)
        for remove in (*((one,) for one in gone), *((gone,) if len(gone) > 1 else ())):
            decision = Develop((), remove)
            if passes(self.check, state, decision):
                yield decision

    def _sets(self, state: State, number: int) -> Iterator[tuple[str, ...]]:
        """Sets of so many counters that the Groups allow."""

        def of(groups: tuple[tuple[str, ...], ...], left: int) -> Iterator[tuple[str, ...]]:
            groups = tuple(group for group in groups if group)
            if left == 0:
                yield ()
            elif groups and left <= len(groups[0]):
                yield from combinations(groups[0], left)
            elif groups:
                for rest in of(groups[1:], left - len(groups[0])):
                    yield (*groups[0], *rest)

        return of(state.groups[self.power], number)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        group = list(current_group(state, self.power))
        if self.first:
            group.remove(self.first)
        rng.shuffle(group)
        if self.first:
            group.insert(0, self.first)
        if rng.random() < 0.3:
            gone = [c for c in group if removable(state, self.power, c) and c != self.first]
            if gone:
                yield Develop((), tuple(gone[:1]))
        yield Develop(tuple(group[: self.most]))
        yield Develop(tuple(group[:1]))


def _name(s: State, counter: str) -> str:
    return s.facts.names.get(small_name(counter)) or repr(s.facts.name(counter))


def allowance(s: State, power: str, late: bool) -> int:
    """How many counters a power may add in a turn; with `late`, if one is of a late Group.

    Rules: 7.3a, 7.3c, C.6a, D.7a
    """
    own: int | None = s.scenario.own.get("adds", {}).get(power)
    if own is not None:
        return own
    chart = s.facts.weapons[power]
    return chart.adds_late if late else chart.adds


def removable(s: State, power: str, counter: str) -> bool:
    """Whether a counter may be removed instead of added: its country is no friend's now.

    Rules: 7.3e, C.8b
    """
    return not destination(s, power, counter)


def _removable(s: State, power: str) -> tuple[str, ...]:
    return tuple(c for c in current_group(s, power) if removable(s, power, c))


def take_counter(s: State, power: str, counter: str) -> str:
    """Take a developed counter out of its Group; the power into whose Force Pool it went, if any.

    An A-Bomb goes to its box instead; a counter of a country without a friendly government is set
    aside until that changes.

    Rules: 7.3f, 7.3g, 7.8.abomb-b, E.5b, C.8b
    """
    _leave_group(s, power, counter)
    if s.facts.kinds[small_name(counter)].type == "ABOMB":
        s.bombs[power] = s.facts.numbers.bomb_box
        return power
    owner = destination(s, power, counter)
    if owner:
        to_pool(s, owner, counter)
    else:
        put_aside(s, counter)
    return owner


def _leave_group(s: State, power: str, counter: str) -> None:
    s.groups[power] = tuple(
        tuple(other for other in group if other != counter) for group in s.groups[power]
    )


def develop_weapons(g: Table[State]) -> Procedure[None]:
    """Every power adds counters of its Groups to the Force Pool, in secret and all at once.

    Rules: 1.9a, 7.3a, C.6a, C.6b, D.7a
    """
    s = g.state
    g.checkpoint(strict=True)
    first = yield from choose_developments(g)
    requests = [
        DevelopRequest(power, _most(s, power), first.get(power, ""))
        for power in s.scenario.powers
        if current_group(s, power) and not out_of_game(s, power)
    ]
    answers = yield from g.offer(requests)
    for power, decision in answers.items():
        develop(g, power, decision)


def _most(s: State, power: str) -> int:
    """The allowance of the current Group, one more where Oil can buy it."""
    group = next(number for number, group in enumerate(s.groups[power], 1) if group)
    most = allowance(s, power, group >= _LATE_GROUP)
    double = s.scenario.own.get("double_pick")
    if (
        double is not None
        and double["power"] == power
        and s.oil[power] >= double["oil"]
        and _doubled(s) < double["times"]
    ):
        most += 1
    return most


def _doubled(s: State) -> int:
    """How often two counters were taken for Oil."""
    return sum(flag.startswith("double_pick:") for flag in s.flags)


def develop(g: Table[State], power: str, decision: Develop) -> None:
    """Carry out what a power develops.

    Rules: 7.3e, 7.3f, 7.3g, C.6b
    """
    s = g.state
    if len(decision.add) > allowance(s, power, False):
        s.oil[power] -= s.scenario.own["double_pick"]["oil"]
        s.flag(f"double_pick:{_doubled(s) + 1}")
    for counter in decision.add:
        owner = take_counter(s, power, counter)
        g.emit("developed", power=power, unit=counter, owner=owner)
    for counter in decision.remove:
        _leave_group(s, power, counter)
        s.removed |= {counter}
        g.emit("counter_removed", power=power, unit=counter)
