"""The board as one power sees it."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping

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
    SAIL_WORTH,
    VICTORY_WORTH,
    Counts,
    loss_rank,
)
from sandtable.games.aa1942.facts import UnitType
from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.movement import fresh
from sandtable.games.aa1942.rules.spaces import canal_open, hostile_zone, strait_closed
from sandtable.games.aa1942.rules.victory import cities_held
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision


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
        cities = s.facts.cities if s.options["cities"] == 12 else s.facts.cities_faq
        self.cities = frozenset(cities.values())
        self.spaces = sorted(s.at)
        self.planes: set[tuple[str, str]] = set()
        """Own aircraft that can still attack: space and type."""
        self.ships: list[tuple[str, Unit, int]] = []
        """Own ships that can still move."""
        for space in self.spaces:
            for unit, number in sorted(s.at[space].items()):
                if unit.power == power and fresh(unit):
                    domain = self.kinds[unit.type].domain
                    if domain == "sea":
                        self.ships.append((space, unit, number))
                    elif domain == "air":
                        self.planes.add((space, unit.type))
        self._sight = max(CONVOY_REACH + LOOKOUT, *(kind.move for kind in self.kinds.values()))
        self._worth: dict[str, float] = {}
        self._threats: dict[str, list[Counts]] = {}
        self._spare: dict[str, Counts] = {}
        self._reach: dict[str, dict[str, tuple[str, ...]]] = {}
        self._march: dict[str, float] | None = None
        self._course: dict[str, float] | None = None
        self._ports: dict[str, float] | None = None
        self._overseas: dict[str, bool] = {}
        self._alarm: bool | None = None
        self._foe_units: dict[str, list[tuple[str, UnitType, int]]] | None = None

    # Who is where.

    def hostile(self, territory: str) -> bool:
        return self.s.control.get(territory) in self.foes

    def friendly(self, territory: str) -> bool:
        return self.s.control.get(territory) in self.friends

    def count(self, space: str, wanted: Callable[[Unit], bool]) -> Counts:
        """The units in a space that are wanted, by type."""
        found: Counts = {}
        for unit, number in self.s.stack(space).items():
            if wanted(unit):
                found[unit.type] = found.get(unit.type, 0) + number
        return found

    def fresh(self, space: str, domain: str) -> Counts:
        """Own units in a space that can still move."""
        return self.count(
            space,
            lambda u: u.power == self.me and self.kinds[u.type].domain == domain and fresh(u),
        )

    def enemies(self, space: str) -> Counts:
        return self.count(space, lambda u: u.power in self.foes and u.duty != "submerged")

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
        value = self._worth.get(territory)
        if value is None:
            space = self.facts.spaces[territory]
            value = self.prize(territory) + (INCOME_WORTH - 2) * space.ipc + 0.5
            if territory in self.s.complexes:
                value += COMPLEX_WORTH
            if territory in self.cities:
                value += CITY_WORTH
            if territory == self.facts.capital.get(space.owner or ""):
                value += CAPITAL_WORTH
            self._worth[territory] = value
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
        printed = "printed" if self.s.options["cities"] == 12 else "faq"
        needed = self.facts.thresholds[printed][self.s.options["victory"]]
        side = self.facts.side[self.me]
        return cities_held(self.s)[side] + 1 >= needed[side]

    # Dangers.

    def _foes_by_power(self) -> dict[str, list[tuple[str, UnitType, int]]]:
        if self._foe_units is None:
            self._foe_units = {power: [] for power in sorted(self.foes)}
            for space in self.spaces:
                for unit, n in self.s.at[space].items():
                    if unit.power in self.foes:
                        units = self._foe_units[unit.power]
                        units.append((space, self.kinds[unit.type], n))
                        units.extend((space, self.kinds[p.type], n) for p in unit.cargo)
        return self._foe_units

    def threats(self, space: str) -> list[Counts]:
        """For each enemy power, what it could attack a space with next turn, roughly."""
        if space not in self._threats:
            near = self.facts.air_distance[space]
            sea = self.facts.spaces[space].sea
            # The fall of a city has to be seen coming: a convoy may be a turn farther away.
            convoy = CONVOY_REACH + (LOOKOUT if space in self.cities else 0)
            self._threats[space] = []
            for units in self._foes_by_power().values():
                attack: Counts = {}
                room = passengers = 0
                for at, kind, n in units:
                    distance = near[at]
                    if distance > self._sight:
                        continue
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
                            at in self.facts.land_next[space]
                            or (distance == 2 and kind.move > 1 and self._drives(at, space))
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
                    self._threats[space].append(attack)
        return self._threats[space]

    def _drives(self, here: str, there: str) -> bool:
        """Whether a tank of the enemy could drive from one territory into another by a third."""
        return any(
            via in self.facts.land_next[there] and (self.hostile(via) or not self.s.stack(via))
            for via in self.facts.land_next[here]
        )

    def danger(self, space: str, defenders: Mapping[str, int]) -> float:
        """The chance that an enemy power could take a space from these defenders next turn."""
        guard = self.force(defenders)
        return max(
            (win_chance(self.force(attack), guard) for attack in self.threats(space)), default=0.0
        )

    def alarm(self) -> bool:
        """Whether the capital is in danger, the units that are to be placed there included."""
        if self._alarm is None:
            new = {t: n for t, n in self.s.bought.items() if self.kinds[t].domain == "land"}
            guard = total(self.defenders(self.home), new)
            held = self.friendly(self.home)
            self._alarm = held and self.danger(self.home, guard) > CAPITAL_RISK
        return self._alarm

    def spare(self, territory: str) -> Counts:
        """Own units that can still move and are not needed to hold a territory."""
        if territory not in self._spare:
            able = self.fresh(territory, "land") | self.fresh(territory, "air")
            able.pop(AAA, None)
            self._spare[territory] = self._beyond_garrison(territory, able)
        return self._spare[territory]

    def _beyond_garrison(self, territory: str, able: Counts) -> Counts:
        if territory == self.home:
            risk = CAPITAL_RISK
        elif territory in self.cities or territory in self.s.complexes:
            risk = CITY_RISK
        else:
            return able
        guard = self.defenders(territory)
        for type_, number in able.items():
            guard[type_] -= number
        if territory == self.home:
            new = {t: n for t, n in self.s.bought.items() if self.kinds[t].domain == "land"}
            guard = total(guard, new)
        left = dict(able)
        for type_ in [t for t in LOSS_ORDER if left.get(t)]:
            while left[type_]:
                men = sum(n for t, n in guard.items() if self.kinds[t].captures)
                if men >= LEAST_GARRISON and self.danger(territory, guard) <= risk:
                    return {t: n for t, n in left.items() if n}
                left[type_] -= 1
                guard[type_] = guard.get(type_, 0) + 1
        return {}

    # Ways.

    def march(self) -> dict[str, float]:
        """How far it is by land from each territory to the enemy: to the nearest territory, or
        to a city somewhat farther away. Infinite where only ships lead there."""
        if self._march is None:
            goals = {t: -self._pull(t) for t in self.facts.territories if self.hostile(t)}
            self._march = distances(goals, self.facts.land_next)
        return self._march

    def _pull(self, territory: str) -> float:
        return min(MOST_PULL, self.worth(territory) / MARCH_WORTH)

    def course(self) -> dict[str, float]:
        """How far it is by sea from each zone to a coast that is worth a landing."""
        if self._course is None:
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
            self._course = distances(goals, self.facts.sea_next)
        return self._course

    def ports(self) -> dict[str, float]:
        """How far it is from each territory to the enemy by a port and the sea."""
        if self._ports is None:
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
            self._ports = distances(goals, self.facts.land_next)
        return self._ports

    def reach(self, zone: str) -> dict[str, tuple[str, ...]]:
        """The zones that ships in a zone can sail to, each with a path; the zone itself first."""
        if zone not in self._reach:
            paths: dict[str, tuple[str, ...]] = {zone: (zone,)}
            for here in [(zone,), *self._next_zones((zone,), paths)]:
                if len(here) == 2 and not hostile_zone(self.s, here[-1], self.me):
                    self._next_zones(here, paths)
            self._reach[zone] = paths
        return self._reach[zone]

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
        if territory not in self._overseas:
            land = {territory}
            edge = [territory]
            while edge:
                edge = [n for here in edge for n in self.facts.land_next[here] if n not in land]
                land.update(edge)
            value = sum(self.worth(t) for t in land if self.hostile(t))
            self._overseas.update(dict.fromkeys(land, value < CITY_WORTH))
        return self._overseas[territory]


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


def is_legal(s: State, request: Request, decision: Decision) -> bool:
    """Whether the request takes that decision."""
    try:
        request.check(s, decision)
    except IllegalDecision:
        return False
    return True
