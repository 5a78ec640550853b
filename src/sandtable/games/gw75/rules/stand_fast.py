"""The Stand Fast order (8.8)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import attacks
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
                raise IllegalDecision(*_why_not(state, hex))

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
    land combat for three full Game-Turns, and it is no small island. Of a stack of several players
    the one with the most points in it decides, as in all that follows from the attack.

    Rules: 8.8e, 8.8f
    """
    found = []
    for attack in s.attacks:
        attacker = attack.force[0][1]
        for hex in attack.targets:
            nations = _standing(s, hex, attacker)
            if (
                nations
                and s.facts.hexes[hex].kind != "island"
                and attacks.decider(s, (hex,), attacker) == player
                and all(_seasoned(s, nation) for nation in nations)
            ):
                found.append(hex)
    return tuple(sorted(found))


def _standing(s: State, hex: str, attacker: str) -> list[str]:
    """The nations whose land units defend a hex."""
    return sorted({unit.nation for unit, _ in attacks.defenders(s, hex, attacker)})


def _why_not(s: State, hex: str) -> tuple[str, str]:
    """Why a hex cannot be ordered to stand fast, and the rule."""
    name = s.facts.name
    attackers = [attack.force[0][1] for attack in s.attacks if hex in attack.targets]
    if not attackers:
        return f"{name(hex)} is not attacked.", "8.8a"
    if s.facts.hexes[hex].kind == "island":
        return f"{name(hex)} is a small island, where nobody stands fast.", "8.8e"
    for nation in _standing(s, hex, attackers[0]):
        if not _seasoned(s, nation):
            turns = s.facts.numbers.stand_fast_turns
            return (
                f"{name(nation)} has not been in land combat for {turns} full Game-Turns.",
                "8.8f",
            )
    return f"Each stack of yours is named once, and {name(hex)} is not one to name.", "8.8a"


def _seasoned(s: State, nation: str) -> bool:
    first = s.counts.get(f"first_battle:{nation}")
    return first is not None and s.turn - first >= s.facts.numbers.stand_fast_turns
