"""The Stand Fast order (8.8)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import commander, ground
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision


class StandFast(Decision, frozen=True, tag="stand_fast"):
    """The stacks that hold out at all costs; none is none."""

    hexes: tuple[str, ...] = ()


class OrderStandFast(Request, frozen=True, tag="stand_fast"):
    """The defender may order stacks that are attacked to stand fast.

    Rules: 8.8a
    """

    hexes: tuple[str, ...]
    answers = (StandFast,)

    def check(self, state: State, decision: StandFast) -> None:
        for hex in decision.hexes:
            if hex not in self.hexes or decision.hexes.count(hex) > 1:
                raise IllegalDecision(
                    f"{state.facts.name(hex)} is no stack that can be ordered to stand fast.",
                    "8.8f",
                )

    def decisions(self, state: State) -> Iterator[StandFast]:
        """None, each by itself, all."""
        yield StandFast()
        for hex in self.hexes:
            yield StandFast((hex,))
        if len(self.hexes) > 1:
            yield StandFast(self.hexes)

    def sample(self, state: State, rng: random.Random) -> StandFast:
        return StandFast(tuple(hex for hex in self.hexes if rng.random() < 0.25))


def eligible(s: State, player: str) -> tuple[str, ...]:
    """The attacked stacks that a player may order to stand fast: all nations in them have been in
    land combat for three full Game-Turns, and it is no small island.

    Rules: 8.8e, 8.8f
    """
    found = []
    for attack in s.attacks:
        for hex in attack.targets:
            nations = {unit.nation for unit, _ in ground(s, hex) if unit.duty != "assault"}
            if (
                nations
                and s.facts.hexes[hex].kind != "island"
                and all(commander(s, nation) == player for nation in nations)
                and all(_seasoned(s, nation) for nation in nations)
            ):
                found.append(hex)
    return tuple(sorted(found))


def _seasoned(s: State, nation: str) -> bool:
    first = s.counts.get(f"first_battle:{nation}")
    return first is not None and s.turn - first >= s.facts.numbers.stand_fast_turns
