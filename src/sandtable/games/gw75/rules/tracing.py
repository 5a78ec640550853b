"""Tracing supply paths (9.2, 9.4): overland, and from port to port along pipelines."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any, NamedTuple

from sandtable.games.gw75.facts import Facts
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import pipelines, zones
from sandtable.games.gw75.rules.terms import relations


class Land(NamedTuple):
    """What `overland` has found from a hex."""

    found: dict[str, int]
    easy: frozenset[str]
    """The hexes in the Communications Area from which it finds the same."""


class Local(NamedTuple):
    """Where paths lead from a hex outside the Communications Area, up to that."""

    found: frozenset[str]
    gates: tuple[str, ...]
    """Hexes of the Communications Area that they come to first."""


class Goals(NamedTuple):
    """Hexes to which paths may lead (supply sources, ports)."""

    hexes: frozenset[str]
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
        self,
        facts: Facts,
        bonds: Bonds,
        barred: int,
        held: frozenset[tuple[str, str]],
        holders: Mapping[str, str],
        before: Ways | None,
    ) -> None:
        """`holders` is `held` as in the state."""
        self.facts, self.bonds, self.barred, self.held = facts, bonds, barred, held
        self.memo: dict[tuple[Any, ...], Any] = {}
        """What else was worked out from it, by all that it depends on beside."""
        self.area: dict[str, int] = {}
        """Hex to 0: no path leads through it; 1: it is outside the Communications Area; 2: it is in
        that of the nation or a friend. All-sea hexes are not there."""
        self.part: dict[str, int] = {}
        """Hex in the Communications Area to a number, the same for those that hang together without
        a mountain hexside between them."""
        self.lands: dict[str, Land] = {}
        self.locals: dict[str, Local] = {}
        self.goals: dict[tuple[str, ...], Goals] = {}
        self.before: Ways | None = None
        """As it was before fronts have moved, and the hexes on whose paths that bears."""
        self.touched: frozenset[str] = frozenset()
        self.depth = 0
        if before is None:
            self._mark({hex: self._way(hex, holders) for hex in facts.land_hexes})
            return
        since = ((hex, self._way(hex, holders)) for hex in self._since(before))
        changed = {hex: way for hex, way in since if before.area.get(hex, way) != way}
        self.area, self.part = before.area, before.part
        if not changed:
            self.lands, self.locals, self.goals = before.lands, before.locals, before.goals
            self.before, self.touched = before.before, before.touched
            self.depth = before.depth
            return
        self.area, self.part = self.area.copy(), self.part.copy()
        self._mark(changed)
        if len(changed) < _FAR:
            near = (each for hex in changed for each in facts.land[hex])
            self.before, self.touched = before, frozenset((*changed, *near))
            self.depth = before.depth + 1
            if self.depth == _DEEP:
                self._settle()

    def _since(self, before: Ways) -> set[str]:
        """The hexes that may be different from before."""
        found = {*self.facts.members(self.barred ^ before.barred)}
        if self.held is not before.held:
            found.update(hex for hex, _ in self.held ^ before.held)
        if self.bonds != before.bonds:
            others = {
                nation
                for one, other in zip(self.bonds, before.bonds, strict=True)
                for nation in one ^ other
            }
            found.update(hex for hex, nation in self.held if nation in others)
            for nation in others:
                found.update(self.facts.lands[nation])
        return found

    def _way(self, hex: str, holders: Mapping[str, str]) -> int:
        """How paths lead through a hex, as in `area`."""
        if self.facts.bits[hex] & self.barred:
            return 0
        place = self.facts.hexes[hex]
        friends, enemies = self.bonds
        holder = holders.get(hex) or place.nation
        if holder in friends:
            return 2 if place.area == "communications" else 1
        return 1 if holder in enemies else 0

    def _mark(self, changed: dict[str, int]) -> None:
        """Take over how paths lead through hexes now, and number the parts of the Communications
        Area anew."""
        self.area.update(changed)
        self._divide(changed)

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

    def _settle(self) -> None:
        """Take over all that still holds, and forget what was before."""
        earlier = self.before
        while earlier is not None:
            for hex in earlier.lands:
                self._land(hex)
            for hex in earlier.locals:
                self._local(hex)
            earlier = earlier.before
        self.before, self.depth = None, 0

    def _land(self, hex: str) -> Land | None:
        """What was found from a hex, here or before, if it still holds."""
        found = self.lands.get(hex)
        if found is None and self.before is not None:
            found = self.before._land(hex)
            if found is not None:
                if hex in self.touched or not found.found.keys().isdisjoint(self.touched):
                    return None
                self.lands[hex] = found
        return found

    def _local(self, hex: str) -> Local | None:
        found = self.locals.get(hex)
        if found is None and self.before is not None:
            found = self.before._local(hex)
            if found is not None:
                if not found.found.isdisjoint(self.touched):
                    return None
                self.locals[hex] = found
        return found

    def land(self, hex: str) -> Land:
        """What `overland` finds from a hex; distances may be those from another hex in the same
        part of the Communications Area."""
        found = self._land(hex)
        if found is None:
            found = overland(self.facts, self.area, hex)
            assert found is not None
            self._keep(hex, found)
        return found

    def _keep(self, hex: str, found: Land) -> None:
        self.lands[hex] = found
        for each in found.easy:
            self.lands.setdefault(each, found)

    def paths(self, hex: str) -> dict[str, int]:
        """The hexes to which a path leads overland from a hex, with their distances; do not change
        it."""
        found = self._land(hex)
        if found is None or next(iter(found.found), hex) != hex:
            found = overland(self.facts, self.area, hex)
            assert found is not None
            self.lands[hex] = found
        return found.found

    def seek(self, hexes: Iterable[str]) -> Goals:
        """Hexes as goals: those to which paths can lead at all."""
        key = tuple(hexes)
        found = self.goals.get(key)
        if found is None:
            open_ = frozenset(hex for hex in key if self.area.get(hex))
            part, mass = self.part, self.facts.masses
            found = self.goals[key] = Goals(
                open_,
                frozenset(part[hex] for hex in open_ if hex in part),
                frozenset(mass[hex] for hex in open_),
                dict.fromkeys(open_, True),
                {},
            )
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
        part = self.part
        if way == 2:
            number = part[hex]
            if number in goals.parts:
                return True
            found = goals.joined.get(number)
            if found is None:
                found = goals.joined[number] = self._leads(hex, goals)
            return found
        local = self._local(hex)
        if local is None:
            local = self.locals[hex] = _explore(self.facts, self.area, hex)
        if not local.found.isdisjoint(goals.hexes):
            return True
        if not local.gates:
            return False
        for gate in local.gates:
            if part[gate] in goals.parts:
                return True
        return self._leads(hex, goals)

    def _leads(self, hex: str, goals: Goals) -> bool:
        land = self._land(hex)
        if land is None:
            land = overland(self.facts, self.area, hex, (goals, self.part))
            if land is None:
                return True
            self._keep(hex, land)
        return not land.found.keys().isdisjoint(goals.hexes)


_numbers = count(1)
_FAR = 150
"""If so many hexes have changed, little that was found before still holds."""
_DEEP = 16
"""How long it is worth while to look back."""

Bonds = tuple[frozenset[str], frozenset[str]]
"""The friends and the Enemies of a nation."""


_NO_GOALS = Goals(frozenset(), frozenset(), frozenset(), {}, {})
_NO_PARTS: dict[str, int] = {}


def camp(s: State, nation: str) -> str:
    """A nation that has the same friends and Enemies, the first of all: what is traced for it holds
    for the others."""
    return relations(s).camp[nation]


def ways(s: State, nation: str) -> Ways:
    """Where paths of a nation can lead now."""
    nation = camp(s, nation)
    key = f"ways:{nation}"
    found: Ways | None = s.paths.get(key)
    if found is None:
        found = s.paths[key] = _ways(s, nation)
    return found


def _ways(s: State, nation: str) -> Ways:
    """Enemy land units, their Zones of Control (unless a Friendly land unit is there) and countries
    that are neither Friendly nor Enemy bar paths.

    Rules: 9.21, 9.41, 9.42a, 9.42b, 6.41, 18.62
    """
    front = zones.front(s, nation)
    barred = front.enemies | (front.zones & ~front.friends)
    held: frozenset[tuple[str, str]] | None = s.realm.get("held")
    if held is None:
        held = s.realm["held"] = frozenset(s.held.items())
    known = relations(s)
    bonds = (known.friends[nation], known.enemies[nation])
    kept = s.facts.kept("ways", 60)
    key = (bonds, front.enemies, barred, held)
    found: Ways | None = kept.get(key)
    if found is None:
        latest = s.facts.kept("latest ways", 60)
        found = Ways(s.facts, bonds, barred, held, s.held, latest.get(nation))
        kept[key] = latest[nation] = found
    return found


def _explore(facts: Facts, area: dict[str, int], start: str) -> Local:
    """Paths from a hex outside the Communications Area, up to where they enter that."""
    numbers, hexes, land = facts.numbers, facts.hexes, facts.land
    longest, roughest, highest = (
        numbers.supply_hexes,
        numbers.supply_undeveloped,
        numbers.supply_mountains,
    )
    found = {start}
    gates: dict[str, None] = {}
    labels: dict[str, list[tuple[int, int]]] = {}
    edge = [(start, 0, 0)]
    for _ in range(longest):
        further = []
        for here, rough, high in edge:
            if here != start and hexes[here].area == "undeveloped":
                rough += 1
                if rough > roughest:
                    continue
            for there, mountain in land[here].items():
                way = area[there]
                steep = high + mountain
                if way == 0 or there == start or steep > highest:
                    continue
                if way == 2:
                    gates[there] = None
                    continue
                found.add(there)
                known = labels.setdefault(there, [])
                for a, b in known:
                    if a <= rough and b <= steep:
                        break
                else:
                    known.append((rough, steep))
                    further.append((there, rough, steep))
        edge = further
    return Local(frozenset(found), tuple(gates))


def overland(
    facts: Facts,
    area: dict[str, int],
    seed: str,
    until: tuple[Goals, dict[str, int]] | None = None,
) -> Land | None:
    """The hexes from which a path leads overland to a hex (a supply source, a port), each with its
    distance. It is of any length in the Communications Area; every stretch outside has at most
    three hexes. Between its ends there are at most two Undeveloped hexes, and on its way at most
    one mountain hexside. With `until`, None as soon as it is seen that a path leads to one of the
    goals, or into a part of the Communications Area in which there is one.

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
    goals, part = until or (_NO_GOALS, _NO_PARTS)
    ends, parts = goals.hexes, goals.parts
    first = deque(found)
    later: deque[tuple[str, int, int, int]] = deque()
    while first or later:
        if first:
            here, outside, rough, high = first.popleft(), 0, 0, 0
        else:
            here, outside, rough, high = later.popleft()
            if outside == longest:
                continue
            if hexes[here].area == "undeveloped":
                rough += 1
                if rough > roughest:
                    continue
        far = found[here] + 1
        for there, mountain in land[here].items():
            if there in easy:
                continue
            way = area[there]
            if way == 0:
                continue
            steep = high + mountain
            if steep == rough == 0 and way == 2:
                easy.add(there)
                first.append(there)
                if there not in found:
                    found[there] = far
                    if there in ends or part.get(there) in parts:
                        return None
                continue
            if steep > highest:
                continue
            stretch = 0 if way == 2 else outside + 1
            if there not in found:
                found[there] = far
                if there in ends or part.get(there) in parts:
                    return None
            known = labels.setdefault(there, [])
            for a, b, c in known:
                if a <= stretch and b <= rough and c <= steep:
                    break
            else:
                known.append((stretch, rough, steep))
                later.append((there, stretch, rough, steep))
    return Land(found, frozenset(easy) if area.get(seed) == 2 else frozenset())


class Linked:
    """Where paths lead from to some seeds overland and by pipelines between ports, however often
    they alternate; one ship in each Holding Area is enough. It is worked out as far as it is asked
    for: first come the ports from which a path leads to the seeds overland, then those to which
    pipelines lead from these, and so on."""

    def __init__(
        self, ways: Ways, net: pipelines.Net, seeds: tuple[str, ...], ports: tuple[str, ...]
    ) -> None:
        self.ways = ways
        first = ways.seek(seeds)
        self.ashore = net.moored(ports).copy() if first.hexes else {}
        """The ports with pipelines of which it is not known whether they are joined overland to a
        goal, with the groups of Holding Areas near them."""
        self.goals = [first]
        """The seeds, and the ports that pipelines have led to so far."""
        self.landed: set[str] = set()
        self.seen: set[int] = set()
        """The groups of Holding Areas that pipelines lead to."""
        self.masses = {ways.facts.masses[port] for port in self.ashore}
        """The land masses on which paths can lead on from pipelines."""
        self.done = False

    def joins(self, hex: str) -> bool:
        """Whether a path leads there from a hex."""
        ways = self.ways
        if not ways.area.get(hex):
            return False
        if hex in self.landed or any(ways.joins(hex, goals) for goals in self.goals):
            return True
        if ways.facts.masses[hex] in self.masses:
            while not self.done:
                self._go_on()
                if hex in self.landed or ways.joins(hex, self.goals[-1]):
                    return True
        return False

    def _go_on(self) -> None:
        """Land where pipelines lead to from the ports that are joined to the latest goals."""
        ways, latest, seen = self.ways, self.goals[-1], self.seen
        masses, near = ways.facts.masses, latest.masses
        for port in [each for each in self.ashore if masses[each] in near]:
            if ways.joins(port, latest):
                seen |= self.ashore.pop(port)
        fresh = tuple(
            port
            for port, groups in self.ashore.items()
            if port not in self.landed and not seen.isdisjoint(groups)
        )
        self.landed.update(fresh)
        self.goals.append(self.ways.seek(fresh))
        self.done = not fresh


def linked(s: State, nation: str, seeds: Iterable[str], ports: Iterable[str]) -> Linked:
    """The hexes from which a path of a nation leads to one of the seeds overland and by pipelines
    between the ports.

    Rules: 9.0d, 9.23, 9.25a, 16.23, 17.42c, 18.61
    """
    known = ways(s, nation)
    net = pipelines.net(s, camp(s, nation))
    ends, ports = tuple(seeds), tuple(ports)
    key = ("linked", ends, ports, net.shape.number)
    found: Linked | None = known.memo.get(key)
    if found is None:
        found = known.memo[key] = Linked(known, net, ends, ports)
    return found


def communications(s: State, nations: Iterable[str], seeds: Iterable[str]) -> dict[str, None]:
    """The hexes that Communications Area Pipelines of these nations join to one of the seeds.

    Rules: 18.62
    """
    camps = dict.fromkeys(camp(s, each) for each in nations)
    first, *others = (ways(s, each) for each in camps)
    key = ("communications", tuple(seeds))
    if others:
        return _communications(s.facts, (first, *others), key[1])
    if key not in first.memo:
        first.memo[key] = _communications(s.facts, (first,), key[1])
    found: dict[str, None] = first.memo[key]
    return found


def _communications(
    facts: Facts, every: tuple[Ways, ...], seeds: tuple[str, ...]
) -> dict[str, None]:
    areas = [each.area for each in every]
    found = {seed: None for seed in seeds if any(area.get(seed) == 2 for area in areas)}
    todo = deque(found)
    land = facts.land
    for area in areas if len(areas) == 1 else ():
        while todo:
            for there in land[todo.popleft()]:
                if there not in found and area[there] == 2:
                    found[there] = None
                    todo.append(there)
    while todo:
        for there in land[todo.popleft()]:
            if there not in found and any(area[there] == 2 for area in areas):
                found[there] = None
                todo.append(there)
    return found


def remembered(s: State, key: str, work: Any, *args: Any) -> Any:
    """What was worked out about pipelines or supply under this key, or is now."""
    found = s.lines.get(key)
    if found is None:
        found = s.lines[key] = work(s, *args)
    return found
