"""Tracing supply paths (9.2, 9.4): overland, and from port to port along pipelines."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from sandtable.games.gw75.facts import Facts
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import pipelines, zones
from sandtable.games.gw75.rules.terms import at_war, friendly_ground, friends


class Ways:
    """Where paths of a nation can lead, worked out hex by hex as it is asked."""

    def __init__(
        self,
        facts: Facts,
        standing: Mapping[str, str],
        barred: frozenset[str],
        held: dict[str, str],
    ) -> None:
        self.hexes = facts.hexes
        self.standing, self.barred, self.held = standing, barred, held
        self.known: dict[str, int] = {}
        self.reached: dict[tuple[str, ...], dict[str, int]] = {}
        """What `overland` has found from some seeds."""

    def of(self, hex: str) -> int:
        """0: no path leads through the hex; 1: it is outside the Communications Area; 2: it is in
        that of the nation or a friend. Enemy land units, their Zones of Control (unless a Friendly
        land unit is there) and countries that are neither Friendly nor Enemy bar it.

        Rules: 9.21, 9.41, 9.42a, 9.42b, 6.41, 18.62
        """
        found = self.known.get(hex)
        if found is None:
            found = self.known[hex] = self._of(hex)
        return found

    def _of(self, hex: str) -> int:
        if hex in self.barred:
            return 0
        place = self.hexes[hex]
        standing = self.standing[self.held.get(hex) or place.nation]
        if standing == "-":
            return 0
        return 2 if standing == "f" and place.area == "communications" else 1


def camp(s: State, nation: str) -> str:
    """A nation that has the same friends and Enemies, the first of all: what is traced for it holds
    for the others."""
    found: dict[str, str] | None = s.paths.get("camps")
    if found is None:
        found = s.paths["camps"] = {}
    known = found.get(nation)
    if known is None:
        known = found[nation] = found.setdefault(_standing(s, nation), nation)
    return known


def _standing(s: State, nation: str) -> str:
    """What each nation is to a nation, in their order: f (a friend), e (an Enemy), - (neither)."""
    kept = s.facts.kept("standing", 500)
    key = (nation, s.wars, frozenset(s.joined.items()))
    found: str | None = kept.get(key)
    if found is None:
        found = kept[key] = "".join(
            "f" if friends(s, nation, one) else "e" if at_war(s, nation, one) else "-"
            for one in s.facts.nations
        )
    return found


def ways(s: State, nation: str) -> Ways:
    """Where paths of a nation can lead now."""
    nation = camp(s, nation)
    key = f"ways:{nation}"
    found: Ways | None = s.paths.get(key)
    if found is None:
        found = s.paths[key] = _ways(s, nation)
    return found


def _ways(s: State, nation: str) -> Ways:
    """The same for every position with the same fronts."""
    enemies = pipelines.enemies(s, nation)
    land = s.facts.land
    near = {hex for enemy in enemies for hex in land[enemy]} - enemies
    barred = enemies.union(
        hex
        for hex in near
        if zones.controlled(s, nation, hex) and not friendly_ground(s, nation, hex)
    )
    standing = _standing(s, nation)
    kept = s.facts.kept("ways", 32)
    key = (standing, barred, frozenset(s.held.items()))
    found: Ways | None = kept.get(key)
    if found is None:
        by_nation = dict(zip(s.facts.nations, standing, strict=True))
        found = kept[key] = Ways(s.facts, by_nation, barred, dict(s.held))
    return found


def overland(s: State, nation: str, seeds: Iterable[str]) -> dict[str, int]:
    """The hexes from which a path leads overland to one of the seeds (supply sources, ports), each
    with its distance. It is of any length in the Communications Area; every stretch outside has at
    most three hexes. Between its ends there are at most two Undeveloped hexes, and on its way at
    most one mountain hexside.

    Rules: 9.21, 9.22, 9.25a, 9.25b, 9.41
    """
    numbers, hexes, land = s.facts.numbers, s.facts.hexes, s.facts.land
    longest, roughest, highest = (
        numbers.supply_hexes,
        numbers.supply_undeveloped,
        numbers.supply_mountains,
    )
    of = ways(s, nation).of
    found = {seed: 0 for seed in seeds if of(seed)}
    sources = frozenset(found)
    easy = set(found)
    """Hexes with a path without any burden: no other can be better."""
    labels: dict[str, list[tuple[int, int, int]]] = {}
    first = deque((seed, 0, 0, 0) for seed in found)
    later: deque[tuple[str, int, int, int]] = deque()
    while first or later:
        here, outside, rough, high = first.popleft() if first else later.popleft()
        if outside == longest:
            continue
        if here not in sources and hexes[here].area == "undeveloped":
            rough += 1
            if rough > roughest:
                continue
        far = found[here] + 1
        for there, mountain in land[here].items():
            if there in easy:
                continue
            way = of(there)
            if way == 0:
                continue
            steep = high + mountain
            if steep > highest:
                continue
            stretch = 0 if way == 2 else outside + 1
            if there not in found:
                found[there] = far
            if not stretch and not rough and not steep:
                easy.add(there)
                first.append((there, 0, 0, 0))
                continue
            known = labels.setdefault(there, [])
            for a, b, c in known:
                if a <= stretch and b <= rough and c <= steep:
                    break
            else:
                known.append((stretch, rough, steep))
                later.append((there, stretch, rough, steep))
    return found


def linked(s: State, nation: str, seeds: Iterable[str], ports: Iterable[str]) -> dict[str, int]:
    """The hexes from which a path leads to one of the seeds overland and by pipelines between the
    ports, however often they alternate; one ship in each Holding Area is enough. The numbers are
    distances overland to a seed or a port.

    Rules: 9.0d, 9.23, 9.25a, 16.23, 17.42c, 18.61
    """
    nation = camp(s, nation)
    found = dict(reached(s, nation, tuple(seeds)))
    net = pipelines.net(s, nation)
    ashore = {port: net.areas(port) for port in ports}
    seen: set[str] = set()
    landed: set[str] = set()
    while True:
        todo = [area for port, areas in ashore.items() if port in found for area in areas]
        while todo:
            area = todo.pop()
            if area not in seen:
                seen.add(area)
                todo.extend(net.links[area])
        fresh = [
            port
            for port, areas in ashore.items()
            if port not in found and port not in landed and not seen.isdisjoint(areas)
        ]
        if not fresh:
            return found
        landed.update(fresh)
        for port in fresh:
            for hex, far in reached(s, nation, (port,)).items():
                found.setdefault(hex, far)


def reached(s: State, nation: str, seeds: tuple[str, ...]) -> dict[str, int]:
    """The hexes from which a path of a nation leads overland to one of the seeds, as `overland`
    finds them; do not change it."""
    known = ways(s, nation).reached
    found = known.get(seeds)
    if found is None:
        found = known[seeds] = overland(s, nation, seeds)
    return found


def communications(s: State, nations: Iterable[str], seeds: Iterable[str]) -> dict[str, None]:
    """The hexes that Communications Area Pipelines of these nations join to one of the seeds.

    Rules: 18.62
    """
    every = [ways(s, nation).of for nation in nations]
    found = {seed: None for seed in seeds if any(of(seed) == 2 for of in every)}
    todo = deque(found)
    while todo:
        for there in s.facts.land[todo.popleft()]:
            if there not in found and any(of(there) == 2 for of in every):
                found[there] = None
                todo.append(there)
    return found


def remembered(s: State, key: str, work: Any, *args: Any) -> Any:
    """What was worked out about pipelines or supply under this key, or is now."""
    found = s.lines.get(key)
    if found is None:
        found = s.lines[key] = work(s, *args)
    return found
