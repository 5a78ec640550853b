"""The board as one power sees it."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sandtable.games.aa1942.bot.odds import Force, win_chance
from sandtable.games.aa1942.bot.weights import (
    AAA,
    CAPITAL_RISK,
    CAPITAL_WORTH,
    CITY_RISK,
    CITY_WORTH,
    COMPLEX_WORTH,
    CONVOY_REACH,
    FAR,
    FAR_ENOUGH,
    INCOME_WORTH,
    LEAST_GARRISON,
    LOOKOUT,
    LOSS_ORDER,
    MARCH_WORTH,
    MOST_PULL,
    MOST_SAIL,
    MOST_STEPS,
    SAIL_WORTH,
    VICTORY_WORTH,
    Counts,
    loss_rank,
)
from sandtable.games.aa1942.facts import UnitType
from sandtable.games.aa1942.model import Stack, State, Unit
from sandtable.games.aa1942.rules.movement import Move
from sandtable.games.aa1942.rules.spaces import canal_open, hostile_zone, strait_closed
from sandtable.games.aa1942.rules.victory import cities_held


class Threat(NamedTuple):
    """What enemy powers could attack a space with next turn."""

    attacks: list[Force]
    passages: tuple[tuple[str, bool], ...]
    """Territories of the own side through which tanks might drive: whether units bar the way."""
    dangers: dict[Force, float]
    """The chance of losing the space, for defenders that were asked about."""


Seen = tuple[tuple[str, Stack], ...]
"""Spaces that were looked at, with what was there."""

Idea = tuple[Counts, tuple[str, ...]]
"""A move that comes to mind: units and path."""


class Thoughts(NamedTuple):
    """What was thought of with certain units bought, each with what it rests on."""

    spare: dict[str, tuple[Stack, Threat | None, Counts]]
    plans: dict[str, Any]
    """By target; for the module that plans attacks."""
    ideas: dict[tuple[str, str], tuple[Seen, list[Idea]]]
    """By what they are for, and the space."""


class Theatre:
    """All of a position but the own side's units and money, and what follows from that alone. Own
    moves leave it as it is, so that the decisions of a phase share it."""

    def __init__(self, s: State, power: str) -> None:
        self.facts = s.facts
        self.options = s.options
        self.start_control = s.start_control
        self.control = s.control.copy()
        self.complexes = s.complexes.copy()
        self.foes = s.facts.enemies[power]
        self.treasury = {foe: s.treasury[foe] for foe in self.foes}
        self.stacks = {space: s.at[space] for foe in self.foes for space in s.presence[foe]}
        """The spaces in which enemies are."""
        self.hostile = frozenset(t for t, holder in s.control.items() if holder in self.foes)
        friends = s.facts.allies[power]
        self.friendly = frozenset(t for t, holder in s.control.items() if holder in friends)
        self.enemies: dict[str, Counts] = {}
        self.worth: dict[str, float] = {}
        self.threats: dict[str, Threat] = {}
        self.risks: dict[str, tuple[Stack, Threat, float]] = {}
        self.thoughts: dict[tuple[tuple[str, int], ...], Thoughts] = {}
        self.reach: dict[str, dict[str, tuple[str, ...]]] = {}
        self.march: dict[str, float] | None = None
        self.course: dict[str, float] | None = None
        self.ports: dict[str, float] | None = None
        self.overseas: dict[str, bool] = {}
        self.one_city_short: bool | None = None
        self.foe_units: dict[str, dict[str, list[tuple[UnitType, int]]]] | None = None
        self.ready: tuple[list[tuple[bool, str, str]], list[str]] = ([], [])
        self.posts: list[str] | None = None

    def fits(self, s: State) -> bool:
        """Whether a position differs in units and money of the own side at most."""
        if (
            s.facts is not self.facts
            or (s.start_control is not self.start_control and s.start_control != self.start_control)
            or s.control != self.control
            or s.complexes != self.complexes
            or any(s.treasury[foe] != money for foe, money in self.treasury.items())
            or s.options != self.options
        ):
            return False
        known, at = self.stacks, s.at
        found: set[str] = set()
        for foe in self.foes:
            found.update(s.presence[foe])
        if found != known.keys():
            return False
        for space, stack in known.items():
            # Stacks are replaced, never changed.
            now = at[space]
            if now is not stack and self._of_foes(now) != self._of_foes(stack):
                return False
        return True

    def _of_foes(self, stack: Stack) -> Stack:
        return {unit: number for unit, number in stack.items() if unit.power in self.foes}


_theatres: dict[str, Theatre] = {}
"""The last one of each power. It serves only positions that it fits: nothing depends on what was
asked before."""


def _theatre(s: State, power: str) -> Theatre:
    known = _theatres.get(power)
    if known is None or not known.fits(s):
        known = _theatres[power] = Theatre(s, power)
    return known


class Board:
    """A position as one power sees it, with what its plans look up again and again."""

    def __init__(self, s: State, power: str) -> None:
        self.s = s
        self.me = power
        self.facts = s.facts
        self.kinds = s.facts.units
        self.friends = s.facts.allies[power]
        self.foes = s.facts.enemies[power]
        self.home = s.facts.capital[power]
        self.theatre = _theatre(s, power)
        self.thoughts = self.theatre.thoughts.setdefault(
            tuple(sorted(s.bought.items())), Thoughts({}, {}, {})
        )
        cities = s.facts.cities if s.options["cities"] == 12 else s.facts.cities_faq
        self.cities = frozenset(cities.values())
        self.spaces = sorted(s.presence[power])
        """Where own units are."""
        self.planes: list[tuple[bool, str, str]] = []
        """Own aircraft that can still attack: whether it is a bomber, space and type; sorted."""
        self.ships: dict[str, list[tuple[Unit, int]]] = {}
        """Own ships that can still move, by zone."""
        self.landings: set[str] = set()
        """The territories at which own assaults from the sea are aimed."""
        planes: set[tuple[bool, str, str]] = set()
        for space in self.spaces:
            fleet = []
            for item in s.at[space].items():
                unit = item[0]
                if unit.power != power:
                    continue
                if unit.duty == "landing":
                    self.landings.add(unit.target)
                elif not unit.used and not unit.duty:
                    domain = self.kinds[unit.type].domain
                    if domain == "sea":
                        fleet.append(item)
                    elif domain == "air":
                        planes.add((unit.type == "bomber", space, unit.type))
            if fleet:
                fleet.sort()
                self.ships[space] = fleet
        self.planes = sorted(planes)
        ready = (self.planes, list(self.ships))
        if ready == self.theatre.ready:
            ready = self.theatre.ready  # the same one, so that plans need not compare
        self.ready = self.theatre.ready = ready
        self.read: set[str] = set()
        """The spaces whose units of the own side were looked at: what a plan rests on."""
        self._alarm: bool | None = None

    # Who is where.

    def hostile(self, territory: str) -> bool:
        return territory in self.theatre.hostile

    def friendly(self, territory: str) -> bool:
        return territory in self.theatre.friendly

    def stack(self, space: str) -> Stack:
        """The units in a space; do not change it."""
        self.read.add(space)
        return self.s.stack(space)

    def differs(self, seen: Iterable[tuple[str, Stack]]) -> bool:
        """Whether in one of some spaces there are not the units that were there before."""
        at, nothing = self.s.at, self.s.stack("")
        for space, stack in seen:  # noqa: SIM110 (asked for every plan: no generator)
            if at.get(space, nothing) is not stack:
                return True
        return False

    def ideas(
        self, purpose: str, space: str, think: Callable[[Board, str], Iterable[Idea]]
    ) -> Iterator[Move]:
        """The moves that come to mind for a purpose in a space: as for an earlier decision, if
        nothing has changed on which that rests."""
        key = (purpose, space)
        known = self.thoughts.ideas.get(key)
        if known is None or self.differs(known[0]):
            self.read = set()
            found = list(think(self, space))
            seen = tuple([(each, self.s.stack(each)) for each in self.read])
            known = self.thoughts.ideas[key] = seen, found
        for units, path in known[1]:
            yield Move(dict(units), path)

    def count(self, space: str, wanted: Callable[[Unit], bool]) -> Counts:
        """The units in a space that are wanted, by type."""
        found: Counts = {}
        for unit, number in self.stack(space).items():
            if wanted(unit):
                found[unit.type] = found.get(unit.type, 0) + number
        return found

    def fresh(self, space: str, domain: str) -> Counts:
        """Own units in a space that can still move."""
        found: Counts = {}
        for unit, number in self.stack(space).items():
            type_ = unit.type
            if (
                unit.power == self.me
                and not unit.used
                and not unit.duty
                and self.kinds[type_].domain == domain
            ):
                found[type_] = found.get(type_, 0) + number
        return found

    def enemies(self, space: str) -> Counts:
        """The enemy's units in a space; do not change it."""
        theatre = self.theatre
        stack = theatre.stacks.get(space)
        if stack is None:
            return _NOBODY
        found = theatre.enemies.get(space)
        if found is None:
            found = {}
            for unit, number in stack.items():
                if unit.power in self.foes and unit.duty != "submerged":
                    found[unit.type] = found.get(unit.type, 0) + number
            theatre.enemies[space] = found
        return found

    def defenders(self, territory: str) -> Counts:
        """The units of the own side in a territory, aircraft in flight left out."""
        return self.count(
            territory,
            lambda u: (
                u.power in self.friends
                and not (self.kinds[u.type].domain == "air" and u.duty == "fought")
            ),
        )

    def force(self, units: Mapping[str, int]) -> Force:
        kinds = self.kinds
        return tuple([(kinds[t], units[t]) for t in sorted(units, key=loss_rank) if units[t]])

    def price(self, units: Mapping[str, int]) -> int:
        return sum(self.kinds[type_].cost * n for type_, n in units.items())

    # What matters.

    def worth(self, territory: str) -> float:
        """What taking and holding a territory is worth to this power, in IPCs."""
        value = self.theatre.worth.get(territory)
        if value is None:
            space = self.facts.spaces[territory]
            value = self.prize(territory) + (INCOME_WORTH - 2) * space.ipc + 0.5
            if territory in self.s.complexes:
                value += COMPLEX_WORTH
            if territory in self.cities:
                value += CITY_WORTH
            if territory == self.facts.capital.get(space.owner or ""):
                value += CAPITAL_WORTH
            self.theatre.worth[territory] = value
        return value

    def prize(self, territory: str) -> float:
        """The part of that which remains even if the enemy takes the territory back: a turn's
        income won and lost, the treasury of a capital, victory."""
        space = self.facts.spaces[territory]
        value = 2.0 * space.ipc
        if self.hostile(territory):
            owner = space.owner or ""
            if territory == self.facts.capital.get(owner) and self.s.control[territory] == owner:
                value += self.s.treasury[owner]
            if territory in self.cities and self._one_city_short():
                value += VICTORY_WORTH
        return value

    def _one_city_short(self) -> bool:
        if self.theatre.one_city_short is None:
            printed = "printed" if self.s.options["cities"] == 12 else "faq"
            needed = self.facts.thresholds[printed][self.s.options["victory"]]
            side = self.facts.side[self.me]
            self.theatre.one_city_short = cities_held(self.s)[side] + 1 >= needed[side]
        return self.theatre.one_city_short

    # Dangers.

    def _foes_by_power(self) -> dict[str, dict[str, list[tuple[UnitType, int]]]]:
        """Enemy power to space to its units there, what they carry included."""
        found = self.theatre.foe_units
        if found is None:
            found = {power: {} for power in sorted(self.foes)}
            for space, stack in self.theatre.stacks.items():
                for unit, n in stack.items():
                    if unit.power in self.foes:
                        units = found[unit.power].setdefault(space, [])
                        units.append((self.kinds[unit.type], n))
                        units.extend((self.kinds[p.type], n) for p in unit.cargo)
            self.theatre.foe_units = found
        return found

    def _threat(self, space: str) -> Threat:
        """What each enemy power could attack a space with next turn, roughly."""
        threat = self.theatre.threats.get(space)
        at = self.s.at
        if threat is not None:
            for via, barred in threat.passages:
                if (via in at) != barred:
                    threat = None
                    break
        if threat is None:
            threat = self.theatre.threats[space] = self._look_out(space)
        for via, _ in threat.passages:
            self.read.add(via)
        return threat

    def _look_out(self, space: str) -> Threat:
        near = self.facts.air_distance[space]
        sea = self.facts.spaces[space].sea
        neighbours = self.facts.land_next.get(space, ())
        # The fall of a city has to be seen coming: a convoy may be a turn farther away.
        convoy = CONVOY_REACH + (LOOKOUT if space in self.cities else 0)
        sight = max(CONVOY_REACH + LOOKOUT, *(kind.move for kind in self.kinds.values()))
        attacks: list[Force] = []
        passages: dict[str, bool] = {}
        for units in self._foes_by_power().values():
            attack: Counts = {}
            room = passengers = 0
            seen = [(at, there) for at, there in units.items() if near[at] <= sight]
            for at, kind, n in [(at, kind, n) for at, there in seen for kind, n in there]:
                distance = near[at]
                if kind.domain == "air":
                    comes = distance < kind.move
                elif kind.domain == "sea":
                    comes = sea and distance <= kind.move
                    if not sea and kind.id == "transport" and distance <= convoy:
                        room += 2 * n
                elif self.facts.spaces[at].sea or sea:
                    comes = False
                    passengers += 0 if sea or distance > convoy else n
                else:
                    comes = bool(kind.attack) and (
                        at in neighbours
                        or (distance == 2 and kind.move > 1 and self._drives(at, space, passages))
                    )
                    if not comes and kind.attack and distance <= CONVOY_REACH:
                        passengers += n if self.facts.coast[at] else 0
                if comes:
                    attack[kind.id] = attack.get(kind.id, 0) + n
            landing = min(room, passengers) if self.facts.coast[space] and not sea else 0
            if landing:
                attack["infantry"] = attack.get("infantry", 0) + landing - landing // 2
                attack["tank"] = attack.get("tank", 0) + landing // 2
            if any(self.kinds[type_].captures or sea for type_ in attack):
                attacks.append(self.force(attack))
        return Threat(attacks, tuple(passages.items()), {})

    def _drives(self, here: str, there: str, passages: dict[str, bool]) -> bool:
        """Whether a tank of the enemy could drive from one territory into another by a third; notes
        those of which that depends on the own side's units."""
        open_ = False
        for via in self.facts.land_next[here]:
            if via in self.facts.land_next[there]:
                if self.hostile(via):
                    return True
                passages[via] = via in self.s.at
                open_ = open_ or not passages[via]
        return open_

    def posts(self) -> list[str]:
        """The own side's cities, and the capital whoever holds it: those to hold first, first."""
        if self.theatre.posts is None:
            posts = [
                t
                for t in self.facts.territories
                if (self.friendly(t) and t in self.cities) or t == self.home
            ]
            posts.sort(key=lambda t: (t != self.home, -self.worth(t), t))
            self.theatre.posts = posts
        return self.theatre.posts

    def danger(self, space: str, defenders: Mapping[str, int]) -> float:
        """The chance that an enemy power could take a space from these defenders next turn."""
        threat = self._threat(space)
        guard = self.force(defenders)
        danger = threat.dangers.get(guard)
        if danger is None:
            danger = max(
                [win_chance(self.facts.numbers, attack, guard) for attack in threat.attacks],
                default=0.0,
            )
            threat.dangers[guard] = danger
        return danger

    def risk(self, territory: str) -> float:
        """The chance that an enemy power could take a territory as it is defended now."""
        stack = self.stack(territory)
        threat = self._threat(territory)
        known = self.theatre.risks.get(territory)
        if known is None or known[0] is not stack or known[1] is not threat:
            danger = self.danger(territory, self.defenders(territory))
            known = self.theatre.risks[territory] = (stack, threat, danger)
        return known[2]

    def alarm(self) -> bool:
        """Whether the capital is in danger, the units that are to be placed there included."""
        self.read.add(self.home)
        self._threat(self.home)
        if self._alarm is None:
            new = {t: n for t, n in self.s.bought.items() if self.kinds[t].domain == "land"}
            guard = total(self.defenders(self.home), new)
            held = self.friendly(self.home)
            self._alarm = held and self.danger(self.home, guard) > CAPITAL_RISK
        return self._alarm

    def spare(self, territory: str) -> Counts:
        """Own units that can still move and are not needed to hold a territory; do not change
        it."""
        stack = self.stack(territory)
        guarded = (
            territory == self.home or territory in self.cities or territory in self.s.complexes
        )
        threat = self._threat(territory) if guarded else None
        known = self.thoughts.spare.get(territory)
        if known is None or known[0] is not stack or known[1] is not threat:
            able = self.fresh(territory, "land") | self.fresh(territory, "air")
            able.pop(AAA, None)
            if guarded:
                able = self._beyond_garrison(territory, able)
            known = self.thoughts.spare[territory] = (stack, threat, able)
        return known[2]

    def _beyond_garrison(self, territory: str, able: Counts) -> Counts:
        risk = CAPITAL_RISK if territory == self.home else CITY_RISK
        guard = self.defenders(territory)
        for type_, number in able.items():
            guard[type_] -= number
        if territory == self.home:
            new = {t: n for t, n in self.s.bought.items() if self.kinds[t].domain == "land"}
            guard = total(guard, new)
        left = dict(able)
        for type_ in [t for t in LOSS_ORDER if left.get(t)]:
            part = -(-left[type_] // MOST_STEPS)
            while left[type_]:
                men = sum(n for t, n in guard.items() if self.kinds[t].captures)
                if men >= LEAST_GARRISON and self.danger(territory, guard) <= risk:
                    return {t: n for t, n in left.items() if n}
                stay = min(part, left[type_])
                left[type_] -= stay
                guard[type_] = guard.get(type_, 0) + stay
        return {}

    # Ways.

    def march(self) -> dict[str, float]:
        """How far it is by land from each territory to the enemy: to the nearest territory, or
        to a city somewhat farther away. Infinite where only ships lead there."""
        if self.theatre.march is None:
            goals = {t: -self._pull(t) for t in self.facts.territories if self.hostile(t)}
            self.theatre.march = distances(goals, self.facts.land_next)
        return self.theatre.march

    def _pull(self, territory: str) -> float:
        return min(MOST_PULL, self.worth(territory) / MARCH_WORTH)

    def course(self) -> dict[str, float]:
        """How far it is by sea from each zone to a coast that is worth a landing."""
        if self.theatre.course is None:
            goals: dict[str, float] = {}
            for territory in self.facts.territories:
                if self.hostile(territory):
                    cost = self.price(self.enemies(territory)) / MARCH_WORTH
                    weight = cost - self.worth(territory) / SAIL_WORTH
                    weight = max(-MOST_SAIL, min(MOST_SAIL, weight))
                    for zone in self.facts.coast[territory]:
                        goals[zone] = min(goals.get(zone, FAR), weight)
                elif self.friendly(territory) and not self.overseas(territory):
                    # Troops are as welcome where they can march on.
                    for zone in self.facts.coast[territory]:
                        goals[zone] = min(goals.get(zone, FAR), self.march()[territory])
            self.theatre.course = distances(goals, self.facts.sea_next)
        return self.theatre.course

    def ports(self) -> dict[str, float]:
        """How far it is from each territory to the enemy by a port and the sea."""
        if self.theatre.ports is None:
            course = self.course()
            goals = {
                t: min(course[zone] for zone in self.facts.coast[t])
                for t in self.facts.territories
                if self.friendly(t) and self.facts.coast[t]
            }
            if self.friendly(self.home):
                # One harbour for all who can get there: fleets and armies that wait for each
                # other on two coasts help nobody.
                goals[self.home] = -FAR_ENOUGH
            self.theatre.ports = distances(goals, self.facts.land_next)
        return self.theatre.ports

    def reach(self, zone: str) -> dict[str, tuple[str, ...]]:
        """The zones that ships in a zone can sail to, each with a path; the zone itself first."""
        if zone not in self.theatre.reach:
            paths: dict[str, tuple[str, ...]] = {zone: (zone,)}
            for here in [(zone,), *self._next_zones((zone,), paths)]:
                if len(here) == 2 and not hostile_zone(self.s, here[-1], self.me):
                    self._next_zones(here, paths)
            self.theatre.reach[zone] = paths
        return self.theatre.reach[zone]

    def _next_zones(
        self, path: tuple[str, ...], paths: dict[str, tuple[str, ...]]
    ) -> list[tuple[str, ...]]:
        new = []
        for there in self.facts.sea_next[path[-1]]:
            if (
                there not in paths
                and canal_open(self.s, path[-1], there, self.me)
                and not strait_closed(self.s, path[-1], there)
            ):
                paths[there] = (*path, there)
                new.append(paths[there])
        return new

    def overseas(self, territory: str) -> bool:
        """Whether units there need ships to get at anything that matters of the enemy's."""
        if territory not in self.theatre.overseas:
            land = {territory}
            edge = [territory]
            while edge:
                edge = [n for here in edge for n in self.facts.land_next[here] if n not in land]
                land.update(edge)
            value = sum(self.worth(t) for t in land if self.hostile(t))
            self.theatre.overseas.update(dict.fromkeys(land, value < CITY_WORTH))
        return self.theatre.overseas[territory]


def distances(
    goals: Mapping[str, float], neighbours: Mapping[str, Iterable[str]]
) -> dict[str, float]:
    """The distance of every space to the goals, each of which counts with its own offset."""
    found = dict.fromkeys(neighbours, FAR)
    edge = [(offset, space) for space, offset in goals.items()]
    heapq.heapify(edge)
    while edge:
        distance, space = heapq.heappop(edge)
        if distance >= found[space]:
            continue
        found[space] = distance
        for there in neighbours[space]:
            if distance + 1 < found[there]:
                heapq.heappush(edge, (distance + 1, there))
    return found


def total(*many: Mapping[str, int]) -> Counts:
    total: Counts = {}
    for units in many:
        for type_, number in units.items():
            total[type_] = total.get(type_, 0) + number
    return total


_NOBODY: Counts = {}


def can_capture(b: Board, units: Counts) -> bool:
    """Whether one of these units can take a territory."""
    return any(b.kinds[type_].captures for type_ in units)


def shipload(free: Counts) -> Counts:
    """The best that one transport can carry: a strong unit and an infantry."""
    load: Counts = {}
    for type_ in ("tank", "artillery", "infantry", "infantry"):
        if free.get(type_, 0) > load.get(type_, 0) and (type_ == "infantry" or not load):
            load[type_] = load.get(type_, 0) + 1
    return load if sum(load.values()) < 3 else {**load, "infantry": 1}
