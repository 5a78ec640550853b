"""Where land units are drawn to: the worth of what they can reach, less the way to it."""

from __future__ import annotations

from functools import lru_cache
from heapq import heapify, heappop, heappush

from sandtable.games.gw75.bot.plans import hostile, prizes, strength, threat, worth
from sandtable.games.gw75.facts import Facts
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import enemy_ground, friends, holder

WAY = 1.0
"""What a hex of way costs, in worth."""
DEFENSE = 0.8
"""What it is worth to guard a hex, as a part of what it is worth to take it."""


def pull(s: State, nation: str) -> dict[str, float]:
    """Hex to how much land units of a nation are drawn there; hexes out of reach are not in it."""
    return _spread(_Shared(s.facts), goals(s, nation), _closed(s, nation))


def goals(s: State, nation: str) -> tuple[tuple[str, float], ...]:
    """The hexes that a nation wants to take or to guard, with what they are worth to it."""
    key = f"goals:{nation}"
    found: tuple[tuple[str, float], ...] | None = s.memo.get(key)
    if found is None:
        wanted = []
        for hex in prizes(s):
            owner = holder(s, hex)
            if hostile(s, nation, owner) or enemy_ground(s, nation, hex):
                wanted.append((hex, worth(s, hex)))
            elif friends(s, nation, owner):
                danger = threat(s, nation, hex)
                if danger and strength(s, nation, hex) < danger:
                    wanted.append((hex, DEFENSE * worth(s, hex)))
        for hex, stack in s.at.items():
            if s.facts.hexes[hex].dry and any(
                unit.type in ("inf", "mech", "sd", "fort") and hostile(s, nation, unit.nation)
                for unit in stack
            ):
                wanted.append((hex, 1.0))
        found = s.memo[key] = tuple(sorted(wanted))
    return found


def _closed(s: State, nation: str) -> frozenset[str]:
    """Nations whose hexes a nation does not enter."""
    return frozenset(
        other
        for other in s.facts.nations
        if other != nation and not friends(s, nation, other) and not hostile(s, nation, other)
    ) | frozenset(f"={hex}:{held}" for hex, held in s.held.items())


class _Shared:
    """Facts, told apart by identity."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def __hash__(self) -> int:
        return id(self.facts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shared) and other.facts is self.facts


@lru_cache(maxsize=256)
def _spread(
    shared: _Shared, goals: tuple[tuple[str, float], ...], closed: frozenset[str]
) -> dict[str, float]:
    facts = shared.facts
    held = dict(each[1:].split(":") for each in closed if each[0] == "=")
    heap = [(-value, hex) for hex, value in goals]
    heapify(heap)
    found: dict[str, float] = {}
    while heap:
        low, hex = heappop(heap)
        if hex in found:
            continue
        found[hex] = -low
        for near, mountain in facts.land[hex].items():
            if near in found:
                continue
            there = facts.hexes[near]
            if held.get(near, there.nation) in closed:
                continue
            way = WAY * (2 if there.area == "undeveloped" else 1) + (WAY if mountain else 0)
            heappush(heap, (low + way, near))
    return found
