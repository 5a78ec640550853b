"""Where land units are drawn to: the worth of what they can reach, less the way to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from heapq import heapify, heappop, heappush

from sandtable.games.gw75.bot import landing
from sandtable.games.gw75.bot.plans import covets, eager, hostile, prizes, strength, threat, worth
from sandtable.games.gw75.facts import Facts
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import pipelines, ports, strategic
from sandtable.games.gw75.rules.terms import GROUND, enemy_ground, foes, friends, holder

WAY = 1.0
"""What a hex of way costs, in worth."""
SEA = 2.0
"""What a voyage over a pipeline costs, in worth."""
EASY = 2.0
"""What a prize is worth beside if nobody defends it."""
SPARE = 0.35
"""What a prize is worth to others where enough are near."""
EMBARK = 6.0
"""What it is worth to be where ships wait for a landing."""
DEFENSE = 0.8
"""What it is worth to guard a hex, as a part of what it is worth to take it."""


def pull(s: State, nation: str, *, spare: bool = False, sea: bool = True) -> dict[str, float]:
    """Hex to how much land units of a nation are drawn there; hexes out of reach are not in it.
    Who is to `spare` goes where others do not do already; without `sea` by land alone."""
    key = f"pull:{nation}:{spare}:{sea}"
    found: dict[str, float] | None = s.memo.get(key)
    if found is None:
        wanted = goals(s, nation, spare=spare)
        closed = _closed(s, nation)
        ways = lanes(s, nation) if sea else ()
        found = s.memo[key] = _spread(_Shared(s.facts), wanted, closed, ways)
    return found


def lanes(s: State, nation: str) -> tuple[tuple[str, ...], ...]:
    """The Friendly ports between which pipelines carry units of a nation, net by net."""
    if nation not in strategic.CAPABLE:
        return ()
    key = f"lanes:{nation}"
    found: tuple[tuple[str, ...], ...] | None = s.lines.get(key)
    if found is None:
        found = s.lines[key] = tuple(_lanes(s, nation))
    return found


def _lanes(s: State, nation: str) -> Iterator[tuple[str, ...]]:
    net = pipelines.net(s, nation)
    left = dict.fromkeys(net.ships)
    every = ports.of(s, nation)
    while left:
        todo = [next(iter(left))]
        areas = set()
        while todo:
            area = todo.pop()
            if area in left:
                del left[area]
                areas.add(area)
                todo += net.links[area]
        found = tuple(port for port in every if not areas.isdisjoint(net.areas(port)))
        if len(found) > 1:
            yield found


def engaged(s: State, nation: str, hex: str) -> bool:
    """Whether hostile land units are next to a hex."""
    return any(
        unit.type in GROUND and hostile(s, nation, unit.nation)
        for near in s.facts.land[hex]
        for unit in s.stack(near)
    )


def goals(s: State, nation: str, *, spare: bool = False) -> tuple[tuple[str, float], ...]:
    """The hexes that a nation wants to take or to guard, with what they are worth to it."""
    key = f"goals:{nation}:{spare}"
    found: tuple[tuple[str, float], ...] | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = tuple(sorted(_goals(s, nation, spare)))
    return found


def _goals(s: State, nation: str, spare: bool) -> Iterator[tuple[str, float]]:
    ours, theirs = _relations(s, nation)
    for hex in prizes(s):
        owner = holder(s, hex)
        if owner in theirs or (hex in s.at and enemy_ground(s, nation, hex)):
            yield hex, _prize(s, nation, hex, spare)
        elif owner in ours:
            danger = threat(s, nation, hex)
            if danger and strength(s, nation, hex) < danger:
                yield hex, DEFENSE * worth(s, hex)
    for other in sorted(theirs):
        for hex in s.presence.get(other, ()):
            if s.facts.hexes[hex].dry and any(
                unit.type in GROUND and unit.nation == other for unit in s.stack(hex)
            ):
                yield hex, 1.0 if not spare or not _enough(s, nation, hex) else 0.2
    for hex in embarking(s, nation):
        yield hex, EMBARK


def _relations(s: State, nation: str) -> tuple[set[str], set[str]]:
    """The friends of a nation, and those whom it fights or gathers against."""
    key = f"relations:{nation}"
    found: tuple[set[str], set[str]] | None = s.memo.get(key)
    if found is None:
        ours = {other for other in s.facts.nations if friends(s, nation, other)}
        theirs = {other for other in s.facts.nations if covets(s, nation, other)}
        found = s.memo[key] = ours, theirs
    return found


def _prize(s: State, nation: str, hex: str, spare: bool) -> float:
    """What it is worth to take a hex: more where few defend it, less where enough are near."""
    value = worth(s, hex, nation) + EASY * max(0.0, 1 - _defense(s, nation, hex) / 10)
    value *= eager(s, nation, hex)
    return value * SPARE if spare and _enough(s, nation, hex) else value


def _defense(s: State, nation: str, hex: str) -> int:
    return sum(
        count
        for unit, count in s.stack(hex).items()
        if unit.type in GROUND and covets(s, nation, unit.nation)
    )


def _enough(s: State, nation: str, hex: str) -> bool:
    """Whether enough of a side stand round a hex to take it."""
    return strength(s, nation, hex) >= 2 * threat(s, nation, hex, 0) + 6


def embarking(s: State, nation: str) -> Iterator[str]:
    """Ports in which Amphibious units of a nation wait for land units, or will."""
    fleet: Counter[str] = Counter()
    for hex, unit, count in s.units_of(nation) if foes(s, nation) else ():
        if unit.type == "amph":
            fleet[landing.theatre(s, nation, hex)] += count
    for where, count in sorted(fleet.items()):
        hex = landing.base(s, nation, where)
        troops = sum(
            number
            for other, number in s.stack(hex).items()
            if other.type in ("inf", "mech") and other.nation == nation
        )
        if hex and troops < count + 1:
            yield hex


def _closed(s: State, nation: str) -> frozenset[str]:
    """Nations whose hexes a nation does not enter."""
    ours, theirs = _relations(s, nation)
    return frozenset(
        other for other in s.facts.nations if other not in ours and other not in theirs
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
    shared: _Shared,
    goals: tuple[tuple[str, float], ...],
    closed: frozenset[str],
    lanes: tuple[tuple[str, ...], ...],
) -> dict[str, float]:
    lanes_of: dict[str, list[int]] = {}
    for number, lane_ports in enumerate(lanes):
        for port in lane_ports:
            lanes_of.setdefault(port, []).append(number)
    sailed: set[int] = set()
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
        for lane in lanes_of.get(hex, ()):
            if lane not in sailed:
                sailed.add(lane)
                for port in lanes[lane]:
                    if port not in found:
                        heappush(heap, (low + SEA, port))
        for near, mountain in facts.land[hex].items():
            if near in found:
                continue
            there = facts.hexes[near]
            if held.get(near, there.nation) in closed:
                continue
            way = WAY * (2 if there.area == "undeveloped" else 1) + (WAY if mountain else 0)
            heappush(heap, (low + way, near))
    return found
