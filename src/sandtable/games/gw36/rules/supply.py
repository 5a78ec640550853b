"""Supply paths (1.5): traced over railways and rivers, and once across the sea between harbours."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import lru_cache

from sandtable.games.gw36.facts import Facts, Pair, pair
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.terms import commander, power_of
from sandtable.games.gw36.rules.zones import (
    blockaded,
    burma_road_open,
    passage_closed,
    side,
)

Goals = Collection[str] | Callable[[str], bool]

ASHORE, AT_SEA, LANDED = range(3)
"""Where a path is: it has not left the land yet, is at sea, or has come ashore again."""


def permitted(s: State, nation: str, owner: str, what: str = "supply") -> bool:
    """Whether a nation may use what another Possesses: its own, that of whom it is Aligned with
    unless refused, and what anybody else has allowed it to use.

    Rules: 1.5c, 1.5e
    """
    if owner == nation or power_of(s, owner) == power_of(s, nation):
        return True
    giver = commander(s, owner) or owner
    if giver == nation:
        return True
    if owner in side(s, nation).friends:
        return (what, giver, nation) not in s.refused
    return (what, giver, nation) in s.permits


def land_ways(s: State, zone: str, *, rivers: bool = True) -> Iterator[str]:
    """The zones to which an undamaged railway leads from a zone, or a river (with the canals and
    lakes that count as one), the Burma Road, or a Channel Port.

    Rules: 1.5b, 1.15k, 1.15l, 1.17d, 1.21c, 12.10b, 12.10e
    """
    facts = s.facts
    railways, damage = s.railways, s.rail_damage
    for near, border, river in _borders(facts)[zone]:
        if (rivers and river) or (border in railways and not damage.get(border)):
            yield near
    if rivers:
        yield from _waterways(facts).get(zone, ())
        if zone in facts.burma_road and burma_road_open(s):
            yield facts.burma_road[facts.burma_road[0] == zone]
        yield from _channel_ports(facts).get(zone, ())


@lru_cache(maxsize=8)
def _borders(facts: Facts) -> dict[str, tuple[tuple[str, Pair, bool], ...]]:
    """Land zone to its neighbours, each with their border and whether that is a river's."""
    return {
        zone: tuple((near, pair(zone, near), pair(zone, near) in facts.rivers) for near in nearby)
        for zone, nearby in facts.land_next.items()
    }


@lru_cache(maxsize=8)
def _channel_ports(facts: Facts) -> dict[str, tuple[str, ...]]:
    """Land zones joined by a Channel crossing, which serves as if it were a railway."""
    joined: dict[str, tuple[str, ...]] = {}
    for crossing in facts.crossings.values():
        if crossing.channel:
            one, other = crossing.between
            joined[one] = (*joined.get(one, ()), other)
            joined[other] = (*joined.get(other, ()), one)
    return joined


@lru_cache(maxsize=8)
def _waterways(facts: Facts) -> dict[str, tuple[str, ...]]:
    """Land zones joined by the canals and lakes that count as rivers: those along the Baltic-White
    Sea Canal, and those on the Great Lakes and the seaway."""
    joined: dict[str, tuple[str, ...]] = {}
    white, seaway = facts.passages[facts.white_sea], facts.passages[facts.seaway]
    lakes = {
        land
        for sea in seaway.between
        if set(facts.sea_next[sea]) <= set(seaway.between)
        for land in facts.coast[sea]
    }
    for group in (set(white.zones), lakes | set(seaway.zones)):
        for zone in group:
            joined[zone] = (*joined.get(zone, ()), *sorted(group - {zone}))
    return joined


def harbours(s: State, zone: str) -> Iterator[str]:
    """The sea zones that supply can enter from a land zone: those of undamaged Ports, Shipyards and
    Dockyards that no Enemy blockades.

    Rules: 1.5d, 1.5f, 8.11a, 8.11b, 12.6a
    """
    kinds = s.facts.facilities
    for f in s.facilities.get(zone, ()):
        if kinds[f.type].naval and not f.damage:
            for sea in (f.at,) if f.at else s.facts.coast[zone]:
                if not blockaded(s, sea, s.possession[zone]):
                    yield sea


@lru_cache(maxsize=8)
def _straits(facts: Facts) -> frozenset[str]:
    """The sea zones at a strait or canal."""
    return frozenset(sea for ends in facts.passage for sea in ends)


def sea_ways(s: State, nation: str, sea: str) -> tuple[str, ...]:
    """The sea zones next to one into which a nation's supply can go on: not through a strait or
    canal that is closed to it, nor through those that count as rivers.

    Rules: 1.5a, 1.5e, 1.5f
    """
    facts = s.facts
    if sea not in _straits(facts):
        return facts.sea_next[sea]
    ship = facts.units["naval_transport"]
    found = []
    for near in facts.sea_next[sea]:
        known = facts.passage.get(pair(sea, near))
        if known is None or (
            known not in (facts.white_sea, facts.seaway)
            and not passage_closed(s, nation, ship, facts.passages[known])
        ):
            found.append(near)
    return tuple(found)


def path(s: State, nation: str, start: str, goals: Goals) -> tuple[str, ...] | None:
    """A supply path from a land zone to a land zone that is a goal: the zones on it, land and sea,
    or None. Whatever lies between has to be open to the nation, start and end as well.

    Rules: 1.5a, 1.5b, 1.5c, 1.5d, 1.5e, 1.5f, 1.5h
    """
    reached = goals if callable(goals) else set(goals).__contains__
    before = _walk(s, nation, start, reached)
    if isinstance(before, dict):
        return None
    return before


def reachable(s: State, nation: str, start: str) -> frozenset[str]:
    """All land zones that a supply path from a land zone leads to; with itself, if it is open."""
    seen = _walk(s, nation, start, lambda zone: False)
    assert isinstance(seen, dict)
    return frozenset(zone for zone, stage in seen if stage != AT_SEA)


Step = tuple[str, int]


def _walk(
    s: State, nation: str, start: str, reached: Callable[[str], bool]
) -> tuple[str, ...] | dict[Step, Step | None]:
    """The shortest path to the first zone that is reached; or all steps, with those before them."""
    friends = side(s, nation).friends
    can: dict[str, bool] = {}

    def opened(zone: str) -> bool:
        known = can.get(zone)
        if known is None:
            owner = s.possession[zone]
            known = can[zone] = (
                owner == nation or owner in friends or bool(s.permits) or owner in s.control
            ) and permitted(s, nation, owner)
        return known

    if not opened(start):
        return {}
    first: Step = (start, ASHORE)
    before: dict[Step, Step | None] = {first: None}
    if reached(start):
        return (start,)
    queue: list[Step] = [first]
    for step in queue:
        zone, stage = step
        steps: list[Step] = []
        if stage == AT_SEA:
            steps += ((near, AT_SEA) for near in sea_ways(s, nation, zone))
            for land in s.facts.coast[zone]:
                if opened(land) and zone in harbours(s, land):
                    steps.append((land, LANDED))
        else:
            for near in land_ways(s, zone):
                if opened(near) and (near, ASHORE) not in before:
                    steps.append((near, stage))
            if stage == ASHORE:
                steps += ((sea, AT_SEA) for sea in harbours(s, zone))
        for there in steps:
            if there not in before:
                before[there] = step
                if there[1] != AT_SEA and reached(there[0]):
                    return _trace(before, there)
                queue.append(there)
    return before


def _trace(before: dict[Step, Step | None], end: Step) -> tuple[str, ...]:
    zones = []
    at: Step | None = end
    while at is not None:
        zones.append(at[0])
        at = before[at]
    return tuple(reversed(zones))


def rail_reach(s: State, nation: str, start: str) -> Iterator[str]:
    """The zones that undamaged railways connect with a zone, through zones open to the nation, the
    nearest first.

    Rules: 11.1f, 11.1g, 12.10b, 12.10e
    """
    seen = {start}
    queue = [start]
    for zone in queue:
        yield zone
        for near in land_ways(s, zone, rivers=False):
            if near not in seen and permitted(s, nation, s.possession[near]):
                seen.add(near)
                queue.append(near)
