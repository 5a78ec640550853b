"""Tracing supply paths (9.2, 9.4): overland, and from port to port along pipelines."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import count
from typing import Any, NamedTuple

from sandtable.games.gw75.facts import Facts
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import pipelines, zones
from sandtable.games.gw75.rules.terms import Relations, domain, hostile_domain, relations


class Land(NamedTuple):
    """What `overland` has found from a hex."""

    found: dict[str, int]
    end: str = ""
    """Where it has stopped; empty if it has found all there is."""


class Trace(NamedTuple):
    """What was found from a hex once. It holds wherever the land on which it depends is as it was:
    hexes as bits (`Facts.bits`)."""

    land: int
    shut: int
    """Those of them through which no path led."""
    eased: int
    """Those of them in the Communications Area."""
    found: int
    """The hexes to which a path leads; as far as it went, if it has an `end`."""
    end: str
    """The goal, or the hex in the same part of the Communications Area as one, to which a path
    leads; empty if all hexes were found."""
    paths: dict[str, int]
    """These hexes with their distances, unless there are many."""


class Goals(NamedTuple):
    """Hexes to which paths may lead (supply sources, ports)."""

    hexes: int
    """As bits."""
    parts: frozenset[int]
    """The parts of the Communications Area in which some of them are (`Ways.part`)."""
    masses: frozenset[int]
    """The land masses on which they are."""
    known: dict[str, bool]
    """Hex to whether a path leads from it to one of them, as far as it was asked for."""
    joined: dict[int, bool]
    """The same for other parts of the Communications Area: it is so for all hexes in one."""


class Ways:
    """Where paths of nations that have the same friends and Enemies can lead, and what was found on
    them. It is the same for all positions with the same fronts; where a front has moved, what was
    found elsewhere still holds."""

    def __init__(
        self, facts: Facts, barred: int, friendly: int, hostile: int, before: Ways | None
    ) -> None:
        """`barred`: the hexes in which somebody bars paths; `friendly`, `hostile`: those that
        friends and Enemies hold; as bits."""
        self.facts = facts
        self.memo: dict[tuple[Any, ...], Any] = {}
        """What else was worked out from it, by all that it depends on beside (`remembered`)."""
        self.area: dict[str, int] = {}
        """Hex to 0: no path leads through it; 1: it is outside the Communications Area; 2: it is in
        that of the nation or a friend. All-sea hexes are not there."""
        self.part: dict[str, int] = {}
        """Hex in the Communications Area to a number, the same for those that hang together without
        a mountain hexside between them."""
        self.goals: dict[tuple[str, ...], Goals] = {}
        self._kept: dict[str, tuple[Trace, ...]] = facts.kept("traces", len(facts.hexes))
        self.shut = facts.dry & (barred | ~(friendly | hostile))
        """The hexes of 0 as bits."""
        self.eased = friendly & facts.eased & ~self.shut
        """Those of 2."""
        changed = facts.dry
        if before is not None:
            self.area, self.part = before.area, before.part
            changed = self.shut ^ before.shut | self.eased ^ before.eased
            if not changed:
                self.goals = before.goals
                return
        self.area, self.part = self.area.copy(), self.part.copy()
        every = tuple(facts.members(changed))
        for hex in every:
            bit = facts.bits[hex]
            self.area[hex] = 0 if self.shut & bit else 2 if self.eased & bit else 1
        self._divide(every)

    def remembered(self, key: tuple[Any, ...], work: Callable[..., Any], *args: Any) -> Any:
        """What was worked out under this key, or is now. Of very much all is forgotten: what it
        depends on, such as ports, may change again and again while the fronts stay."""
        found = self.memo.get(key)
        if found is None:
            found = work(*args)
            if len(self.memo) >= _REMEMBERED:
                self.memo.clear()
            self.memo[key] = found
        return found

    def _divide(self, changed: Iterable[str]) -> None:
        """Number the parts of the Communications Area anew where hexes have changed."""
        area, part, near = self.area, self.part, self.facts.open_land
        torn: dict[int, set[str]] = {}
        for hex in changed:
            if hex in part and area[hex] != 2:
                torn.setdefault(part.pop(hex), set()).add(hex)
        for number, gone in torn.items():
            rim = {each for hex in gone for each in near[hex] if part.get(each) == number}
            while len(rim) > 1:
                piece = self._piece(rim.pop(), rim)
                if rim:
                    fresh = next(_numbers)
                    part.update(dict.fromkeys(piece, fresh))
        for hex in changed:
            if area[hex] == 2 and hex not in part:
                numbers = {part[each] for each in near[hex] if each in part}
                part[hex] = number = numbers.pop() if numbers else next(_numbers)
                todo = [hex]
                while numbers and todo:
                    for each in near[todo.pop()]:
                        if part.get(each) in numbers:
                            part[each] = number
                            todo.append(each)

    def _piece(self, start: str, rim: set[str]) -> dict[str, None]:
        """The hexes that hang together with one, as far as it takes to find all of the rim; those
        are taken off it."""
        part, near = self.part, self.facts.open_land
        number = part[start]
        found = {start: None}
        todo = deque(found)
        while todo and rim:
            for each in near[todo.popleft()]:
                if each not in found and part.get(each) == number:
                    found[each] = None
                    todo.append(each)
                    rim.discard(each)
        return found

    def paths(self, hex: str) -> dict[str, int]:
        """The hexes to which a path leads overland from a hex, with their distances; do not change
        it."""
        for known in self._traces(hex):
            if known.paths:
                return known.paths
        kept = self.facts.kept("paths", 100)
        trace: Trace | None = kept.get(hex)
        if trace is None or not self._holds(trace):
            trace = kept[hex] = self._follow(hex)
        return trace.paths

    def seek(self, hexes: Iterable[str]) -> Goals:
        """Hexes as goals: those to which paths can lead at all."""
        key = tuple(hexes)
        found = self.goals.get(key)
        if found is None:
            kept = self.facts.kept("goals", 300)
            if key not in kept:
                masses = self.facts.masses
                kept[key] = self.facts.set_of(key), frozenset([masses[hex] for hex in key])
            (every, masses), part = kept[key], self.part
            parts = frozenset([part[hex] for hex in key if hex in part])
            found = self.goals[key] = Goals(every & ~self.shut, parts, masses, {}, {})
        return found

    def joins(self, hex: str, goals: Goals) -> bool:
        """Whether a path leads overland from a hex to one of the goals. Paths are as good in the
        one direction as in the other."""
        found = goals.known.get(hex)
        if found is None:
            found = goals.known[hex] = self._joins(hex, goals)
        return found

    def _joins(self, hex: str, goals: Goals) -> bool:
        way = self.area.get(hex)
        if not way or self.facts.masses[hex] not in goals.masses:
            return False
        if way == 2:
            number = self.part[hex]
            if number in goals.parts:
                return True
            found = goals.joined.get(number)
            if found is None:
                found = goals.joined[number] = self._leads(hex, goals)
            return found
        return bool(self.facts.bits[hex] & goals.hexes) or self._leads(hex, goals)

    def _leads(self, hex: str, goals: Goals) -> bool:
        bits, part = self.facts.bits, self.part
        for land, shut, eased, found, end, _ in self._kept.get(hex, ()):
            if end:
                leads = bool(bits[end] & goals.hexes) or part.get(end) in goals.parts
                if not leads:
                    continue
            else:
                leads = bool(found & goals.hexes)
            if leads:
                harder = self.shut & land | shut != shut or eased & self.eased != eased
                if not harder:
                    return True
            elif shut & self.shut == shut and self.eased & land | eased == eased:
                return False  # nothing is easier
        trace = self._trace(hex, goals)
        return bool(trace.end) or bool(trace.found & goals.hexes)

    def _traces(self, hex: str) -> Iterator[Trace]:
        """What was found from a hex before and still holds."""
        return filter(self._holds, self._kept.get(hex, ()))

    def _holds(self, trace: Trace) -> bool:
        land, shut, eased, *_ = trace
        return self.shut & land == shut and self.eased & land == eased

    def _trace(self, hex: str, goals: Goals) -> Trace:
        """Follow all paths from a hex, or until one leads to a goal."""
        trace = self._follow(hex, (goals.hexes, goals.parts, self.part))
        if trace.end or len(trace.paths) > _FEW:
            trace = trace._replace(paths={})
        self._kept[hex] = (trace, *self._kept.get(hex, ())[: _TRACES - 1])
        return trace

    def _follow(
        self, hex: str, until: tuple[int, frozenset[int], dict[str, int]] | None = None
    ) -> Trace:
        paths, end = overland(self.facts, self.area, hex, until)
        found = self.facts.set_of(paths)
        land = found | self.facts.bits[hex]
        if not end:  # that no path leads farther depends on what is round them
            for each in paths:
                land |= self.facts.shoulders[each]
        return Trace(land, self.shut & land, self.eased & land, found, end, paths)


_numbers = count(1)
_TRACES = 4
"""Of what was found from a hex so much is remembered."""
_FEW = 100
"""Hexes."""
_REMEMBERED = 2000
"""What is worked out from the same fronts and kept, at most."""


def camp(s: State, nation: str) -> str:
    """A nation that has the same friends and Enemies, the first of all: what is traced for it holds
    for the others."""
    bonds: Relations = s.bonds or relations(s)
    return bonds.camp[nation]


def ways(s: State, nation: str) -> Ways:
    """Where paths of a nation can lead now."""
    found: Ways | None = s.paths.get(nation)
    if found is None:
        first = camp(s, nation)
        found = s.paths[nation] = _ways(s, nation) if first == nation else ways(s, first)
    return found


def _ways(s: State, nation: str) -> Ways:
    """Enemy land units, their Zones of Control (unless a Friendly land unit is there) and countries
    that are neither Friendly nor Enemy bar paths.

    Rules: 9.21, 9.41, 9.42a, 9.42b, 6.41, 18.62
    """
    front = zones.front(s, nation)
    barred = front.enemies | (front.zones & ~front.friends)
    known = relations(s)
    bonds = known.friends[nation], known.enemies[nation]
    friendly, hostile = domain(s, nation), hostile_domain(s, nation)
    kept = s.facts.kept("ways", 60)
    key = (bonds, front.enemies, barred, friendly, hostile)
    found: Ways | None = kept.get(key)
    if found is None:
        latest = s.facts.kept("latest ways", 60)
        found = Ways(s.facts, barred, friendly, hostile, latest.get(nation))
        kept[key] = latest[nation] = found
    return found


def overland(
    facts: Facts,
    area: dict[str, int],
    seed: str,
    until: tuple[int, frozenset[int], dict[str, int]] | None = None,
) -> Land:
    """The hexes from which a path leads overland to a hex (a supply source, a port), each with its
    distance. It is of any length in the Communications Area; every stretch outside has at most
    three hexes. Between its ends there are at most two Undeveloped hexes, and on its way at most
    one mountain hexside. With `until` (goals as bits, parts of the Communications Area in which
    they are, and hexes to their parts) it stops as soon as a path leads to one of the goals, or
    into such a part.

    Rules: 9.21, 9.22, 9.25a, 9.25b, 9.41
    """
    numbers, hexes, land = facts.numbers, facts.hexes, facts.land
    longest, roughest, highest = (
        numbers.supply_hexes,
        numbers.supply_undeveloped,
        numbers.supply_mountains,
    )
    found = {seed: 0} if area.get(seed) else {}
    easy = set(found)
    """Hexes with a path without any burden: no other can be better."""
    labels: dict[str, list[tuple[int, int, int]]] = {}
    ends, parts, part = until or (0, frozenset(), {})
    bits = facts.bits
    first = deque(found)
    later: deque[tuple[str, int, int, int, str]] = deque()
    while first or later:
        if first:
            here, outside, rough, high, before = first.popleft(), 0, 0, 0, ""
        else:
            here, outside, rough, high, before = later.popleft()
            if outside == longest:
                continue
            if hexes[here].area == "undeveloped":
                rough += 1
                if rough > roughest:
                    continue
        far = found[here] + 1
        bare = not (rough or high)
        for there, mountain in land[here].items():
            if there in easy or there == before:
                continue
            way = area[there]
            if not way:
                continue
            if bare and way == 2 and not mountain:
                easy.add(there)
                first.append(there)
                if there not in found:
                    found[there] = far
                    if bits[there] & ends or part.get(there) in parts:
                        return Land(found, there)
                continue
            steep = high + mountain
            if steep > highest:
                continue
            stretch = 0 if way == 2 else outside + 1
            if there not in found:
                found[there] = far
                if bits[there] & ends or part.get(there) in parts:
                    return Land(found, there)
            known = labels.setdefault(there, [])
            for a, b, c in known:
                if a <= stretch and b <= rough and c <= steep:
                    break
            else:
                known.append((stretch, rough, steep))
                later.append((there, stretch, rough, steep, here))
    return Land(found)


class Landed(NamedTuple):
    """How far it is known where pipelines lead to."""

    ashore: dict[str, frozenset[int]]
    """The ports with pipelines of which it is not known whether they are joined overland to a
    goal, with the groups of Holding Areas near them."""
    goals: tuple[Goals, ...]
    """The seeds, and the ports that pipelines have led to so far."""
    seen: dict[int, str]
    """The groups of Holding Areas that pipelines lead to, with the port from which they do first;
    empty if there are several."""
    ports: frozenset[str] = frozenset()
    """The ports that pipelines have led to."""
    done: bool = False


class Landings:
    """Where paths lead from to some seeds overland and by pipelines between ports, however often
    they alternate; one ship in each Holding Area is enough. It is worked out as far as it is asked
    for: first come the ports from which a path leads to the seeds overland, then those to which
    pipelines lead from these, and so on. The `ways` are always the same: it does not hold them, as
    they hold it."""

    def __init__(
        self, ways: Ways, net: pipelines.Net, seeds: tuple[str, ...], ports: tuple[str, ...]
    ) -> None:
        first = ways.seek(seeds)
        ashore = net.moored(ports) if first.hexes else {}
        # Replaced as a whole: others look at it at the same time, and the work may be given up.
        self.landed = Landed(ashore, (first,), {})
        self.moored = ashore
        """The ports with pipelines, with the groups of Holding Areas near them."""
        self.masses = {ways.facts.masses[port] for port in ashore}
        """The land masses on which paths can lead on from pipelines."""
        self.known: dict[str, bool] = {}

    def joins(self, ways: Ways, hex: str) -> bool:
        """Whether a path leads there from a hex."""
        found = self.known.get(hex)
        if found is None:
            found = self.known[hex] = self._joins(ways, hex)
        return found

    def _joins(self, ways: Ways, hex: str) -> bool:
        landed = self.landed
        if not ways.area.get(hex) and hex not in self.moored:
            return False
        if hex in landed.ports:
            return True
        for goals in landed.goals:
            if ways.joins(hex, goals):
                return True
        if ways.facts.masses[hex] in self.masses:
            while not landed.done:
                landed = self.landed = self._further(ways, landed)
                if hex in landed.ports or ways.joins(hex, landed.goals[-1]):
                    return True
        return False

    def _further(self, ways: Ways, landed: Landed) -> Landed:
        """Land where pipelines lead to from the ports that are joined to the latest goals; none
        leads from a port to itself."""
        latest, ashore = landed.goals[-1], landed.ashore
        masses, near = ways.facts.masses, latest.masses
        part, parts = ways.part, latest.parts
        joined = [
            port
            for port in ashore
            if masses[port] in near and (part.get(port) in parts or ways.joins(port, latest))
        ]
        new: dict[int, str] = {}
        for port in joined:
            for group in ashore[port]:
                new[group] = port if new.get(group, port) == port else ""
        seen = {**new, **landed.seen}  # those who join a group later may owe it to that port
        rest = ashore.keys() - joined
        ashore = {port: groups for port, groups in ashore.items() if port in rest}
        fresh = tuple(
            [
                port
                for port, groups in self.moored.items()
                if not groups.isdisjoint(seen)
                and port not in landed.ports
                and any([seen.get(each, port) != port for each in groups])
            ]
        )
        goals = (*landed.goals, ways.seek(fresh))
        return Landed(ashore, goals, seen, landed.ports.union(fresh), not fresh)


class Linked(NamedTuple):
    """Where paths lead from overland and by pipelines, now."""

    ways: Ways
    landings: Landings

    def joins(self, hex: str) -> bool:
        """Whether a path leads there from a hex."""
        return self.landings.joins(self.ways, hex)


def linked(s: State, nation: str, seeds: Iterable[str], ports: Iterable[str]) -> Linked:
    """The hexes from which a path of a nation leads to one of the seeds overland and by pipelines
    between the ports. Enemy Zones of Control on a port bar the way overland to it, not pipelines.

    Rules: 9.0d, 9.42b, 9.23, 9.25a, 16.23, 17.42c, 18.61
    """
    known = ways(s, nation)
    net = pipelines.net(s, camp(s, nation))
    ends, ports = tuple(seeds), tuple(ports)
    key = ("linked", ends, ports, net.shape.number)
    found: Landings = known.remembered(key, Landings, known, net, ends, ports)
    return Linked(known, found)


def communications(s: State, nations: Iterable[str], seeds: Iterable[str]) -> dict[str, None]:
    """The hexes that Communications Area Pipelines of these nations join to one of the seeds.

    Rules: 18.62
    """
    camps = dict.fromkeys(camp(s, each) for each in nations)
    first, *others = (ways(s, each) for each in camps)
    key = ("communications", tuple(seeds))
    if others:
        return _communications(s.facts, (first, *others), key[1])
    found: dict[str, None] = first.remembered(key, _communications, s.facts, (first,), key[1])
    return found


def _communications(
    facts: Facts, every: tuple[Ways, ...], seeds: tuple[str, ...]
) -> dict[str, None]:
    eased, bits, land = 0, facts.bits, facts.land
    for each in every:
        eased |= each.eased
    found = {seed: None for seed in seeds if eased & bits[seed]}
    todo = deque(found)
    while todo:
        for there in land[todo.popleft()]:
            if there not in found and eased & bits[there]:
                found[there] = None
                todo.append(there)
    return found


def remembered(s: State, key: Hashable, work: Any, *args: Any) -> Any:
    """What was worked out about pipelines or supply under this key, or is now."""
    found = s.lines.get(key)
    if found is None:
        found = s.lines[key] = work(s, *args)
    return found
