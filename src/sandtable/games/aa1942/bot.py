"""The greedy bot: a sensible decision for every request, one at a time.

It keeps nothing between decisions. In a movement phase it looks at the board anew each time: what
it has sent already tells it which attack to complete first. Every move uses up units that can
still move, so that a phase always ends. What it returns has passed the request's own check; where
no idea of its own does, it takes a legal decision at random.

Money is the measure of everything: units are worth their price, territories what `worth` says.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from sandtable.games.aa1942.facts import UnitType
from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.assault import (
    Bombard,
    ChooseBombardment,
    Engage,
    EngageOrIgnore,
)
from sandtable.games.aa1942.rules.casualties import Casualties, ChooseCasualties, target_class
from sandtable.games.aa1942.rules.combat import (
    Dive,
    Press,
    PressOrRetreat,
    Retreat,
    SubmergeOrStrike,
)
from sandtable.games.aa1942.rules.combat_move import CombatMove
from sandtable.games.aa1942.rules.conduct_combat import ChooseBattle, Fight
from sandtable.games.aa1942.rules.landing import (
    decks_in,
    landing_territory,
    nearest_land,
    range_left,
    unlanded,
)
from sandtable.games.aa1942.rules.mobilize import Mobilize, Place, complexes
from sandtable.games.aa1942.rules.movement import Done, Move, air_route, fresh
from sandtable.games.aa1942.rules.noncombat_move import (
    Consent,
    Divert,
    LandStranded,
    NoncombatMove,
    ShareSpace,
)
from sandtable.games.aa1942.rules.purchase import Buy, Purchase
from sandtable.games.aa1942.rules.raids import CommitInterceptors, Intercept
from sandtable.games.aa1942.rules.spaces import canal_open, hostile_zone, strait_closed
from sandtable.games.aa1942.rules.transports import Load, Sail
from sandtable.games.aa1942.rules.victory import cities_held
from sandtable.kernel.decisions import Decision, Pass, Request
from sandtable.kernel.errors import IllegalDecision

# --- weights ------------------------------------------------------------------------------------

# What things are worth, in IPCs.
INCOME_WORTH = 3.0
"""Of one IPC of income: the turns for which one may hope to collect it."""
CITY_WORTH = 12.0
CAPITAL_WORTH = 15.0
COMPLEX_WORTH = 4.0
VICTORY_WORTH = 100.0
"""Of a city that wins the game."""

# Chances of winning a battle, or of losing a place in the enemy's next turn.
ATTACK_FROM = 0.66
"""With less, no attack is begun."""
ENOUGH = 0.93
"""With so much, nothing more is sent."""
RETREAT_BELOW = 0.3
HOLD_RISK = 0.05
"""Of losing a captured territory again: with so little, nothing more is sent there."""
CAPITAL_RISK = 0.1
"""Of losing the capital: with more, units are held back or brought in."""
CITY_RISK = 0.3
"""The same for other cities and for complexes."""
FLEET_RISK = 0.4
"""Of losing a fleet: with more, it is given escorts."""
DOOMED = 0.6
"""With more, a post is not reinforced; if it is no city, it is given up."""
LOST = 0.9
"""With more, nothing is placed there any more."""
WORTH_MOVING = 0.25
"""How much safer a refuge has to be."""

# Distances, in spaces.
MARCH_WORTH = 12.0
"""The worth for which troops march a space farther; so many IPCs of defenders cost a zone."""
SAIL_WORTH = 6.0
"""The worth for which ships sail a zone farther."""
MOST_PULL = 3.0
MOST_SAIL = 4.0
"""So many spaces at most do troops and ships go farther, or less far, for what awaits them."""
NEAR_FRONT = 3.0
"""From so near the front, landed troops march on."""
FAR_FROM_FRONT = 5.0
"""From farther away, troops on the same continent go by ship if they can."""
CONVOY_REACH = 3
"""From so far a transport can land troops."""
LOOKOUT = 2
"""So much farther away does a city see convoys coming."""
SEA_FEAR = 6.0
"""The detour that a transport makes rather than be sunk for certain."""
FAR_ENOUGH = 50.0
"""More than any way on the board is long."""

# Numbers of units.
LEAST_GARRISON = 2
"""Land units that stay in a city in any case, so that nobody just walks in."""
MOST_ESCORTS = 3
"""Destroyers bought in a turn."""
MOST_TRANSPORTS = 12
TRANSPORTS_PER_TURN = 3
BACKLOG = 4
"""Troops per transport that wait for a passage: if there are more, aircraft are bought."""
AIR_FLEET = 2
"""Aircraft bought in a turn on such grounds."""
RAID_DAMAGE = 4
"""What one bomber does to a complex, rounded up."""
MOST_SUITORS = 6
"""Landing places that are compared closely."""

# The estimate of the odds.
SPREAD = 1.25
"""How much wider battles scatter than the dice of their expected course."""
MOST_ROUNDS = 12

TROOPS = ("infantry", "infantry", "artillery", "infantry", "tank")
"""The order in which new land units are bought, again and again."""
LOSS_ORDER = (
    "antiaircraft_artillery",
    "infantry",
    "artillery",
    "submarine",
    "tank",
    "destroyer",
    "fighter",
    "cruiser",
    "bomber",
    "aircraft_carrier",
    "battleship",
    "transport",
)
"""Who is lost first, as long as there is a choice."""
_LOSS_RANK = {type_: rank for rank, type_ in enumerate(LOSS_ORDER)}.__getitem__

Counts = dict[str, int]
"""Units by type."""

FAR = math.inf

_AAA = "antiaircraft_artillery"


# --- the decision -------------------------------------------------------------------------------


def decide(state: State, request: Request, rng: random.Random) -> Decision:
    """A legal and sensible answer to `request`; `rng` only serves where no idea is left."""
    if isinstance(request, CommitInterceptors):
        return _intercept(state, request)
    ideas = _IDEAS.get(type(request))
    if ideas is not None:
        for decision in ideas(state, request):
            if _is_legal(state, request, decision):
                return decision
    return request.sample(state, rng)


def _is_legal(s: State, request: Request, decision: Decision) -> bool:
    try:
        request.check(s, decision)
    except IllegalDecision:
        return False
    return True


# --- the odds of a battle -----------------------------------------------------------------------

Force = tuple[tuple[UnitType, int], ...]
"""Units in a battle, in the order in which they are lost. Ships beside land units bombard."""


class Outlook(NamedTuple):
    """What to expect of a battle that is fought to the end."""

    chance: float
    """That the attackers win."""
    lost: float
    """The price of the attackers' losses."""
    killed: float
    """The price of the defenders' losses."""


def win_chance(attackers: Force, defenders: Force) -> float:
    """The chance that the attackers destroy all defenders that can fight."""
    return outlook(attackers, defenders).chance


class _Line(NamedTuple):
    """Hit points that are lost together: how many, the chance that each hits, their price."""

    points: float
    hit: float
    price: float


@lru_cache(maxsize=1 << 16)
def outlook(attackers: Force, defenders: Force) -> Outlook:
    """A quick estimate: both sides score what they can expect until one is gone, and what the
    winner has left, measured by how much the dice scatter, gives the chance."""
    sea = all(kind.domain != "land" for kind, _ in (*attackers, *defenders))
    landed = sum(count for kind, count in attackers if kind.domain == "land")
    bombarding = 0.0
    if not sea:
        ships = [kind.bombard for kind, n in attackers for _ in range(n) if kind.domain == "sea"]
        bombarding = sum(sorted(ships)[-landed:]) / 6 if landed else 0.0
        attackers = tuple(item for item in attackers if item[0].domain != "sea")
    if sea and all(kind.domain == "air" for kind, _ in attackers):
        # Aircraft alone and submarines cannot hit each other.
        defenders = tuple(item for item in defenders if item[0].id != "submarine")
    ours = _lines(attackers, attacking=True, guns=0 if sea else _number(defenders, _AAA))
    theirs = _lines(defenders, attacking=False)
    price = sum(kind.cost * count for kind, count in defenders)
    if not any(line.hit for line in theirs):
        return Outlook(1.0 if any(line.hit for line in ours) else 0.0, 0.0, price)
    if not any(line.hit for line in ours):
        return Outlook(0.0, sum(line.points * line.price for line in ours), 0.0)
    a_all, d_all = sum(line.points for line in ours), sum(line.points for line in theirs)
    a_lost = silent = scatter = 0.0
    d_lost = min(bombarding, d_all)
    for _ in range(MOST_ROUNDS):
        a_hits, a_scatter = _fire(ours, a_lost)
        # What the bombardment hit still fires in the first round.
        d_hits, d_scatter = _fire(theirs, silent)
        part = min(1.0, (a_all - a_lost) / max(d_hits, 1e-9), (d_all - d_lost) / max(a_hits, 1e-9))
        a_lost += part * d_hits
        d_lost += part * a_hits
        silent = d_lost
        scatter += part * (a_scatter + d_scatter)
        if part < 1.0:
            break
    margin = (a_all - a_lost) - (d_all - d_lost)
    chance = 0.5 * (1 + math.erf(margin / SPREAD / math.sqrt(2 * scatter + 0.4)))
    return Outlook(chance, _price(ours, a_lost), _price(theirs, d_lost))


def _number(force: Force, type_: str) -> int:
    return sum(count for kind, count in force if kind.id == type_)


def _lines(force: Force, *, attacking: bool, guns: int = 0) -> list[_Line]:
    """A side's hit points in the order of loss; antiaircraft fire has thinned the aircraft."""
    planes = sum(count for kind, count in force if kind.domain == "air")
    thinned = 1 - min(3 * guns, planes) / 6 / planes if planes and guns else 1.0
    supported = _number(force, "artillery") if attacking else 0
    lines: list[_Line] = []
    spare_hits = sum(count * (kind.hits - 1) for kind, count in force if kind.hits > 1)
    if spare_hits:
        lines.append(_Line(spare_hits, 0.0, 0.0))
    for kind, count in force:
        if kind.id == "transport":
            continue
        value = kind.attack if attacking else kind.defense
        points = count * thinned if kind.domain == "air" else float(count)
        if kind.id == "infantry" and supported:
            helped = min(supported, count)
            if count > helped:
                lines.append(_Line(count - helped, value / 6, kind.cost))
            lines.append(_Line(helped, 2 / 6, kind.cost))
        else:
            lines.append(_Line(points, value / 6, kind.cost))
    return lines


def _fire(lines: list[_Line], lost: float) -> tuple[float, float]:
    """Expected hits of what is left, and their variance."""
    hits = scatter = 0.0
    for points, hit, _ in lines:
        if lost >= points:
            lost -= points
            continue
        left = points - lost
        lost = 0.0
        hits += left * hit
        scatter += left * hit * (1 - hit)
    return hits, scatter


def _price(lines: list[_Line], lost: float) -> float:
    """The price of the first `lost` hit points."""
    total = 0.0
    for points, _, price in lines:
        taken = min(lost, points)
        total += taken * price
        lost -= taken
        if lost <= 0:
            break
    return total


# --- the board as one power sees it -------------------------------------------------------------


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
        return tuple([(kinds[t], units[t]) for t in sorted(units, key=_LOSS_RANK) if units[t]])

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
            guard = _total(self.defenders(self.home), new)
            held = self.friendly(self.home)
            self._alarm = held and self.danger(self.home, guard) > CAPITAL_RISK
        return self._alarm

    def spare(self, territory: str) -> Counts:
        """Own units that can still move and are not needed to hold a territory."""
        if territory not in self._spare:
            able = self.fresh(territory, "land") | self.fresh(territory, "air")
            able.pop(_AAA, None)
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
            guard = _total(guard, new)
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
            self._march = _distances(goals, self.facts.land_next)
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
            self._course = _distances(goals, self.facts.sea_next)
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
            self._ports = _distances(goals, self.facts.land_next)
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


def _distances(
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


def _total(*many: Mapping[str, int]) -> Counts:
    total: Counts = {}
    for units in many:
        for type_, number in units.items():
            total[type_] = total.get(type_, 0) + number
    return total


# --- phase 1: purchase --------------------------------------------------------------------------


def _purchase(s: State, request: Purchase) -> Iterator[Decision]:
    """Repairs that are needed, defenders of a threatened capital, ships to get across, troops."""
    b = Board(s, request.power)
    money = request.treasury
    repairs: Counts = {}
    units: Counts = {}
    room = complexes(s)
    # Only what a turn's money can fill is worth repairing, the complexes near the enemy first.
    for territory in sorted(request.damaged, key=lambda t: (b.march()[t], t)):
        short = money // 4 - sum(room.values())
        points = min(request.damaged[territory], short, money)
        points = max(0, points) // s.facts.numbers.repair_cost
        if points:
            repairs[territory] = points
            money -= points * s.facts.numbers.repair_cost
            room[territory] += points
    slots = sum(room.values())

    def buy(type_: str, most: int = 1) -> int:
        nonlocal money, slots
        number = max(0, min(most, slots, money // b.kinds[type_].cost))
        if number:
            units[type_] = units.get(type_, 0) + number
            money -= number * b.kinds[type_].cost
            slots -= 0 if type_ == "industrial_complex" else number
        return number

    for post in sorted(room, key=lambda t: (t != b.home, t not in b.cities, -b.worth(t), t)):
        risk = CAPITAL_RISK if post == b.home else CITY_RISK
        guard = b.defenders(post)
        needed = 0
        while needed < room[post] and b.danger(post, guard) > risk:
            guard = _total(guard, {"infantry": 1})
            needed += 1
        if post == b.home or b.danger(post, guard) < DOOMED:
            buy("infantry", needed)
    if b.overseas(b.home) and b.facts.coast[b.home]:
        _buy_across(b, buy)
    _buy_troops(b, buy, units, lambda: money, lambda: slots)
    yield Buy(units, repairs)


def _buy_across(b: Board, buy: Callable[..., int]) -> None:
    """A power that the sea parts from the enemy: a complex over there, transports, escorts."""
    if _site(b) and buy("industrial_complex"):
        return
    lift = waiting = 0
    for space in b.spaces:
        for unit, number in b.s.at[space].items():
            if unit.power == b.me:
                if unit.type == "transport":
                    lift += number
                    waiting += number * len(unit.cargo)
                elif b.kinds[unit.type].captures and b.overseas(space):
                    waiting += number
    wanted = min(MOST_TRANSPORTS, (waiting + 3) // 2) - lift
    port = _harbours(b)[0]
    fleet = _total(b.count(port, lambda u: u.power in b.friends), {"transport": 1})
    escorts = 0
    while escorts < MOST_ESCORTS and b.danger(port, fleet) > FLEET_RISK:
        fleet = _total(fleet, {"destroyer": 1})
        escorts += 1
    if b.danger(port, fleet) > DOOMED:
        # Whatever is launched there would be sunk: aircraft first have to make the sea safe.
        buy("fighter", AIR_FLEET)
    elif wanted > 0 or b.fresh(port, "sea"):
        buy("destroyer", escorts)
        buy("transport", min(TRANSPORTS_PER_TURN, wanted))
    if waiting > BACKLOG * max(lift, TRANSPORTS_PER_TURN):
        # There are more troops than ships for them; bombers get across by themselves.
        buy("bomber", AIR_FLEET)


def _harbours(b: Board) -> list[str]:
    """The sea zones in which a power gathers its ships: those of its capital, its fleet first."""
    return sorted(
        b.facts.coast[b.home],
        key=lambda z: (
            bool(b.enemies(z)),
            -b.price(b.count(z, lambda u: u.power in b.friends)),
            b.course()[z],
            z,
        ),
    )


def _site(b: Board) -> str:
    """Where a complex beyond the sea should be built: "" if one is there or no place is good."""
    places = [
        t
        for t in b.facts.territories
        if b.s.control[t] == b.s.start_control.get(t) == b.me and not b.overseas(t)
    ]
    if any(t in b.s.complexes for t in places):
        return ""
    good = [
        t for t in places if b.facts.spaces[t].ipc >= 2 and b.danger(t, b.defenders(t)) <= CITY_RISK
    ]
    return max(good, key=lambda t: (b.facts.spaces[t].ipc, -b.march()[t], t), default="")


def _buy_troops(
    b: Board,
    buy: Callable[..., int],
    units: Counts,
    money: Callable[[], int],
    slots: Callable[[], int],
) -> None:
    """Land units in a fixed mix; money for which there is no room makes them better ones."""
    prices = {type_: kind.cost for type_, kind in b.kinds.items()}
    bought = True
    while bought:
        bought = False
        for type_ in TROOPS:
            # What cannot be placed as cheap units is better spent on aircraft.
            if slots() and money() >= slots() * (prices["fighter"] + prices["infantry"]) // 2:
                type_ = "fighter"
            if not buy(type_):
                type_ = "infantry"
                if not buy(type_):
                    continue
            bought = True
    rest = money()
    for old, new in (("infantry", "tank"), ("artillery", "tank"), ("tank", "fighter")):
        while units.get(old) and rest >= prices[new] - prices[old]:
            rest -= prices[new] - prices[old]
            units[old] -= 1
            units[new] = units.get(new, 0) + 1
        if old in units and not units[old]:
            del units[old]


# --- phase 2: combat move -----------------------------------------------------------------------


class Step(NamedTuple):
    """A move or voyage that an attack could use, and the units that it adds."""

    units: Counts
    decision: Move | Sail


class Attack(NamedTuple):
    """A planned attack: what is still to be sent, what then fights, and what to expect."""

    target: str
    steps: list[Step]
    units: Counts
    outlook: Outlook
    score: float


def _combat_move(s: State, request: CombatMove) -> Iterator[Decision]:
    """Complete what has been begun, else begin the best attack, else raid, else be done."""
    b = Board(s, request.power)
    begun: list[Attack] = []
    plans: list[Attack] = []
    for target in _targets(b):
        committed = _committed(b, target)
        attack = _plan_attack(b, target, committed)
        if attack is None:
            continue
        if committed:
            if s.facts.spaces[target].sea and attack.outlook.chance < ATTACK_FROM:
                yield from _escapes(b, target)
            elif attack.steps:
                begun.append(attack)
        elif attack.outlook.chance >= ATTACK_FROM and attack.score > 0:
            plans.append(attack)
    plans.sort(key=lambda attack: (-attack.score, attack.target))
    for attack in (*begun, *plans):
        yield from _moves(attack.steps)
    yield from _bombarding_ships(b)
    yield from _raids(b)
    yield Done()


def _targets(b: Board) -> list[str]:
    """Hostile territories, and sea zones with enemy ships."""
    lands = [t for t in b.facts.territories if b.hostile(t)]
    zones = [z for z in b.facts.sea_zones if z in b.s.at and b.enemies(z)]
    return lands + zones


def _committed(b: Board, target: str) -> Counts:
    """Own units that are going to fight in a space."""
    kinds = b.kinds
    if b.facts.spaces[target].sea:
        stays = hostile_zone(b.s, target, b.me)
        there = b.count(
            target, lambda u: u.power == b.me and bool(kinds[u.type].attack) and not u.duty
        )
        moved = any(u.power == b.me and u.used for u in b.s.stack(target))
        return there if stays or moved else {}
    units = b.count(target, lambda u: u.power == b.me and u.duty not in ("raid", "escort"))
    for zone in b.facts.coast[target]:
        for unit, number in b.s.stack(zone).items():
            if unit.duty == "landing" and unit.target == target:
                for piece in unit.cargo:
                    if piece.duty == "assault":
                        units[piece.type] = units.get(piece.type, 0) + number
    return units


def _plan_attack(b: Board, target: str, committed: Counts) -> Attack | None:
    """The best way to attack a space: with what makes the battle safe, or with what also holds
    the place afterwards. If nothing makes it safe: with everything. None if nothing can go."""
    foe = b.force(b.enemies(target))
    sea = b.facts.spaces[target].sea
    steps = _sea_steps(b, target) if sea else _land_steps(b, target, defended=bool(foe))
    if not steps and not committed:
        return None
    if not sea and not any(_captures(b, u) for u in (committed, *(s.units for s in steps))):
        return None
    guns = _shore_guns(b, target)

    def attack(number: int) -> Attack:
        units = _total(committed, *(step.units for step in steps[:number]))
        expected = outlook(b.force(_total(units, guns)), foe)
        score = _score(b, target, units, expected)
        return Attack(target, steps[:number], units, expected, score)

    best = attack(len(steps))
    if best.outlook.chance < ATTACK_FROM:
        return best if committed else None
    number = 0
    units = committed
    while number < len(steps) and not (
        (sea or _captures(b, units)) and win_chance(b.force(_total(units, guns)), foe) >= ENOUGH
    ):
        units = _total(units, steps[number].units)
        number += 1
    light = attack(number)
    if sea or best.score <= light.score:
        return light
    while number < len(steps) and _holding(b, attack(number)) > HOLD_RISK:
        number += 1
    heavy = attack(number)
    return heavy if heavy.score > light.score else light


def _holding(b: Board, attack: Attack) -> float:
    """The chance that the enemy takes a territory back from those who have taken it."""
    return b.danger(attack.target, _occupiers(b, attack.units, attack.outlook))


def _occupiers(b: Board, units: Counts, expected: Outlook) -> Counts:
    """The land units that are left after a battle."""
    land = {type_: n for type_, n in units.items() if b.kinds[type_].domain == "land"}
    return _after_losses(b, land, expected.lost)


def _captures(b: Board, units: Counts) -> bool:
    return any(b.kinds[type_].captures for type_ in units)


def _shore_guns(b: Board, target: str) -> Counts:
    """Ships that stand ready to bombard a coast."""
    ships: Counts = {}
    if not b.facts.spaces[target].sea:
        for zone in b.facts.coast[target]:
            if zone in b.s.at and not b.enemies(zone):
                ready = b.count(
                    zone,
                    lambda u: u.power == b.me and bool(b.kinds[u.type].bombard) and not u.duty,
                )
                ships = _total(ships, ready)
    return ships


def _land_steps(b: Board, target: str, *, defended: bool) -> list[Step]:
    """What could attack a territory: by land, cheap and strong units in turns, by sea, by air."""
    fodder: list[Step] = []
    punch: list[Step] = []
    for near in b.facts.land_next[target]:
        if b.friendly(near) and not _kept_for_home(b, near, target):
            for type_, number in _sent(b, near, target).items():
                if b.kinds[type_].domain == "land":
                    steps = [Step({type_: 1}, Move({type_: 1}, (near, target)))] * number
                    (fodder if type_ == "infantry" else punch).extend(steps)
    for start, path in _tank_paths(b, target):
        number = _sent(b, start, target).get("tank", 0)
        punch.extend([Step({"tank": 1}, Move({"tank": 1}, path))] * number)
    steps = []
    for at in range(max(len(fodder), len(punch))):
        steps.extend(fodder[at : at + 1] + punch[at : at + 1])
    steps.extend(_landings(b, target))
    if defended and steps:
        steps.extend(_air_steps(b, target))
    return steps


def _sent(b: Board, here: str, target: str) -> Counts:
    """What a territory can spare for an attack: all, for something that is worth more than it."""
    if here == b.home or b.worth(target) <= b.worth(here):
        return b.spare(here)
    able = b.fresh(here, "land")
    able.pop(_AAA, None)
    return able


def _kept_for_home(b: Board, here: str, target: str) -> bool:
    """Whether neighbours of a capital in danger stay to help it, instead of attacking elsewhere."""
    near = b.facts.land_next[b.home]
    return here in near and target not in (b.home, *near) and b.alarm()


def _tank_paths(b: Board, target: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """From where tanks can drive two spaces to a target, and how."""
    seen = {target, *b.facts.land_next[target]}
    for via in b.facts.land_next[target]:
        open_ = b.friendly(via) or not (b.enemies(via) or via in b.s.complexes)
        if open_:
            for start in b.facts.land_next[via]:
                if start not in seen and b.friendly(start):
                    seen.add(start)
                    if _kept_for_home(b, start, target):
                        continue
                    yield start, (start, via, target)


def _air_steps(b: Board, target: str) -> list[Step]:
    """Aircraft that can attack in a space and land afterwards."""
    steps: list[Step] = []
    home = nearest_land(b.s)[target]
    for space, type_ in sorted(b.planes, key=lambda plane: (plane[1] == "bomber", plane)):
        distance = b.facts.air_distance[space][target]
        at_sea = b.facts.spaces[space].sea
        if b.kinds[type_].move - distance < min(home, distance if at_sea else FAR):
            continue
        able = b.fresh(space, "air") if at_sea else b.spare(space)
        number = able.get(type_, 0) if distance else 0
        path = air_route(b.facts, space, target)
        steps.extend([Step({type_: 1}, Move({type_: 1}, path))] * number)
    return steps


def _sea_steps(b: Board, zone: str) -> list[Step]:
    """Warships and aircraft that could attack in a zone."""
    steps: list[Step] = []
    for start, unit, number in sorted(b.ships, key=lambda ship: _LOSS_RANK(ship[1].type)):
        fights = b.kinds[unit.type].warship and unit.type != "aircraft_carrier"
        if fights and start != zone and b.facts.air_distance[start][zone] < 3:
            path = b.reach(start).get(zone)
            if path:
                steps.extend([Step({unit.type: 1}, Move({unit.type: 1}, path))] * number)
    return steps + _air_steps(b, zone)


def _landings(b: Board, target: str) -> list[Step]:
    """Voyages of single transports to a coast, with cargo aboard or to be loaded on the way."""
    steps: list[Step] = []
    loaded: dict[str, Counts] = {}
    for zone in b.facts.coast[target]:
        if not _clear(b, zone):
            continue
        for start, unit, number in b.ships:
            if unit.type != "transport" or b.facts.air_distance[start][zone] > 2:
                continue
            path = b.reach(start).get(zone)
            for _ in range(number if path else 0):
                step = _landing(b, unit, path or (), target, loaded)
                if step is not None:
                    steps.append(step)
    return steps


def _clear(b: Board, zone: str) -> bool:
    """Whether transports may count on landing from a zone: no warships, or a battle all but won."""
    if not hostile_zone(b.s, zone, b.me):
        return True
    fleet = _committed(b, zone)
    return win_chance(b.force(fleet), b.force(b.enemies(zone))) >= ENOUGH


def _landing(
    b: Board, transport: Unit, path: tuple[str, ...], target: str, loaded: dict[str, Counts]
) -> Step | None:
    """What a transport could land; takes what it loads from what is free, in `loaded`."""
    aboard: Counts = {}
    for piece in transport.cargo:
        if piece.power != b.me:
            return None
        aboard[piece.type] = aboard.get(piece.type, 0) + 1
    if aboard:
        if not _captures(b, aboard):
            return None
        return Step(aboard, Sail(path, offload=target, cargo=aboard))
    for zone in path:
        if hostile_zone(b.s, zone, b.me):
            continue
        for land in b.facts.coast[zone]:
            if not b.friendly(land) or target in b.facts.land_next[land]:
                continue
            used = loaded.setdefault(land, {})
            load = _shipload({t: n - used.get(t, 0) for t, n in b.spare(land).items()})
            if load:
                loaded[land] = _total(used, load)
                sail = Sail(path, (Load(land, zone, load),), target, cargo={})
                return Step(load, sail)
    return None


def _shipload(free: Counts) -> Counts:
    """The best that one transport can carry: a strong unit and an infantry."""
    load: Counts = {}
    for type_ in ("tank", "artillery", "infantry", "infantry"):
        if free.get(type_, 0) > load.get(type_, 0) and (type_ == "infantry" or not load):
            load[type_] = load.get(type_, 0) + 1
    return load if sum(load.values()) < 3 else {**load, "infantry": 1}


def _moves(steps: list[Step]) -> Iterator[Decision]:
    """The steps as decisions; what goes the same way goes together."""
    together: dict[tuple[str, ...], Counts] = {}
    voyages: list[Decision] = []
    for step in steps:
        if isinstance(step.decision, Move):
            path = step.decision.path
            together[path] = _total(together.get(path, {}), step.units)
        else:
            voyages.append(step.decision)
    for path, units in together.items():
        yield Move(units, path)
    yield from voyages


def _score(b: Board, target: str, units: Counts, expected: Outlook) -> float:
    """What an attack can be expected to bring, the enemy's answer included."""
    chance, lost, killed = expected
    if b.facts.spaces[target].sea:
        return killed - lost
    stays = _occupiers(b, units, expected)
    risk = b.danger(target, stays)
    worth = (1 - risk) * b.worth(target) + risk * b.prize(target)
    return chance * (worth - risk * b.price(stays)) + killed - lost


def _after_losses(b: Board, units: Counts, lost: float) -> Counts:
    """Units that are left after losses of a price, the cheapest being lost first."""
    left = dict(units)
    for type_ in LOSS_ORDER:
        gone = min(left.get(type_, 0), round(lost / b.kinds[type_].cost))
        if gone > 0:
            left[type_] -= gone
            lost -= gone * b.kinds[type_].cost
    return {t: n for t, n in left.items() if n}


def _escapes(b: Board, zone: str) -> Iterator[Decision]:
    """Leave a zone in which enemy warships have appeared that would win."""
    ships = b.fresh(zone, "sea")
    refuges = [
        (b.danger(z, b.count(z, lambda u: u.power in b.friends)), z)
        for z in b.reach(zone)
        if z != zone and not b.enemies(z)
    ]
    for _, refuge in sorted(refuges):
        if ships:
            yield Move(ships, b.reach(zone)[refuge])


def _bombarding_ships(b: Board) -> Iterator[Decision]:
    """Battleships and cruisers join landings that somebody resists."""
    for zone in b.facts.sea_zones:
        targets = {u.target for u in b.s.stack(zone) if u.duty == "landing"}
        if not any(b.enemies(target) for target in targets) or b.enemies(zone):
            continue
        for start in b.spaces:
            if start in b.facts.sea_next and zone in b.reach(start) and start != zone:
                ships = {t: n for t, n in b.fresh(start, "sea").items() if b.kinds[t].bombard}
                if ships:
                    yield Move(ships, b.reach(start)[zone])


def _raids(b: Board) -> Iterator[Decision]:
    """Bombers with nothing better to do bomb the complex that can still be damaged most."""
    home = nearest_land(b.s)
    for space in b.spaces:
        number = b.fresh(space, "air").get("bomber", 0)
        if not number or b.facts.spaces[space].sea:
            continue
        options = []
        for target, damage in sorted(b.s.complexes.items()):
            distance = b.facts.air_distance[space][target]
            cap = b.facts.numbers.damage_cap_factor * b.facts.spaces[target].ipc
            raiding = sum(n for u, n in b.s.stack(target).items() if u.duty == "raid")
            room = cap - damage - RAID_DAMAGE * raiding
            back = distance + home[target] <= b.kinds["bomber"].move
            if b.hostile(target) and back and room >= RAID_DAMAGE:
                options.append((-room, target))
        for room, target in sorted(options):
            yield Move(
                {"bomber": min(number, max(1, -room // RAID_DAMAGE))},
                air_route(b.facts, space, target),
                raid=True,
            )


# --- phase 3: conduct combat --------------------------------------------------------------------


def _standing(b: Board, space: str, attacker: str) -> tuple[Counts, Counts]:
    """The attackers and defenders that are in a battle now."""
    foes = b.facts.enemies[attacker]
    idle = ("raid", "bombed", "escort", "submerged", "fought")
    attackers = b.count(space, lambda u: u.power == attacker and u.duty not in idle)
    defenders = b.count(
        space, lambda u: u.power in foes and u.duty not in ("intercept", "submerged")
    )
    return attackers, defenders


def _battle_outlook(b: Board, space: str, attacker: str) -> Outlook:
    attackers, defenders = _standing(b, space, attacker)
    return outlook(b.force(attackers), b.force(defenders))


def _choose_battle(s: State, request: ChooseBattle) -> Iterator[Decision]:
    """Battles at sea first, they open the way; optional ones only if they are as good as won."""
    b = Board(s, request.power)
    yield from (
        Fight(space) for space in sorted(request.battles, key=b.facts.land_next.__contains__)
    )
    for zone in request.optional:
        if _battle_outlook(b, zone, request.power).chance >= ENOUGH:
            yield Fight(zone)
    yield Done()


def _engage(s: State, request: EngageOrIgnore) -> Iterator[Decision]:
    b = Board(s, request.power)
    yield Engage(_battle_outlook(b, request.zone, request.power).chance >= ENOUGH)


def _bombard(s: State, request: ChooseBombardment) -> Iterator[Decision]:
    """As many ships as may, the heaviest first."""
    kinds = s.facts.units
    ships = [
        (-kinds[type_].bombard, zone, type_)
        for zone, row in request.ships.items()
        for type_, number in row.items()
        for _ in range(number)
    ]
    chosen: dict[str, Counts] = {}
    for _, zone, type_ in sorted(ships)[: request.limit]:
        row = chosen.setdefault(zone, {})
        row[type_] = row.get(type_, 0) + 1
    yield Bombard(chosen)


def _press_or_retreat(s: State, request: PressOrRetreat) -> Iterator[Decision]:
    """Retreat if the battle is as good as lost, or costs more than it brings."""
    b = Board(s, request.power)
    attackers, _ = _standing(b, request.space, request.power)
    chance, lost, killed = _battle_outlook(b, request.space, request.power)
    prize = 0.0
    if not b.facts.spaces[request.space].sea and _captures(b, attackers):
        prize = b.worth(request.space)
    if chance >= 1 - RETREAT_BELOW or (chance >= RETREAT_BELOW and chance * prize + killed >= lost):
        yield Press()
    refuges = sorted(request.to, key=lambda space: (-b.price(b.defenders(space)), space))
    yield from (Retreat(space) for space in refuges or ("",))


def _submerge_or_strike(s: State, request: SubmergeOrStrike) -> Iterator[Decision]:
    """Dive out of a battle that is being lost."""
    b = Board(s, request.power)
    attacker = s.turn
    chance = _battle_outlook(b, request.space, attacker).chance
    losing = chance < 0.5 if request.power == attacker else chance > 0.5
    yield Dive(request.submarines if losing else 0)


def _choose_casualties(s: State, request: ChooseCasualties) -> Iterator[Decision]:
    """First hits on battleships, then the cheapest; a unit that can take the place is kept."""
    kinds = s.facts.units
    b = Board(s, request.power)
    pool: list[tuple[str, str]] = []
    for power, named in sorted(request.units.items()):
        for name, number in named.items():
            pool.extend([(power, name)] * number)
    pool.sort(key=lambda item: (_LOSS_RANK(_type_of(item[1])), len(item[1]), item))
    on_land = request.space in s.control
    if request.of == "attacker" and on_land and b.worth(request.space) >= kinds["fighter"].cost:
        captors = [item for item in pool if kinds[_type_of(item[1])].captures]
        if captors:
            pool.remove(captors[-1])
            pool.append(captors[-1])
    scars = [
        (power, "battleship")
        for power, named in sorted(request.units.items())
        for _ in range(named.get("battleship", 0))
    ]
    for eager in (True, False):
        yield _assign(s, request, pool, scars, eager=eager)


def _type_of(name: str) -> str:
    return name.split(" (", 1)[0]


def _assign(
    s: State,
    request: ChooseCasualties,
    pool: list[tuple[str, str]],
    scars: list[tuple[str, str]],
    *,
    eager: bool,
) -> Casualties:
    """Give the hits to the units in `pool` in order; those of `scars` take a first hit before.

    Hits that cannot strike everything are given first. If not `eager`, they go to what the other
    kinds of hits cannot strike, so that as many as possible find a target.
    """
    pool, scars = list(pool), list(scars)
    lost: dict[str, Counts] = {}
    damaged: Counts = {}
    for hits, shy, own in (
        (request.hits.air, "sub", "air"),
        (request.hits.sub, "air", "sub"),
        (request.hits.any, "", ""),
    ):
        for _ in range(hits):
            targets = [item for item in pool if target_class(s, _type_of(item[1])) != shy]
            fighting = [item for item in targets if _type_of(item[1]) != "transport"]
            mine = [item for item in fighting if target_class(s, _type_of(item[1])) == own]
            if not eager and mine:
                fighting = mine
            elif scars:
                power, _ = scars.pop()
                damaged[power] = damaged.get(power, 0) + 1
                continue
            choice = next(iter(fighting or targets), None)
            if choice is None:
                continue
            power, name = choice
            if name == "battleship" and damaged.get(power):
                damaged[power] -= 1
            pool.remove(choice)
            row = lost.setdefault(power, {})
            row[name] = row.get(name, 0) + 1
    return Casualties(lost, {power: n for power, n in damaged.items() if n})


def _intercept(s: State, request: CommitInterceptors) -> Decision:
    """Rise against bombers wherever the fighters are no fewer than what comes; else pass."""
    chosen: Counts = {}
    for territory, fighters in sorted(request.fighters.items()):
        coming = sum(n for u, n in s.stack(territory).items() if u.duty in ("raid", "escort"))
        if 0 < coming <= fighters:
            chosen[territory] = fighters
    decision = Intercept(chosen)
    return decision if chosen and _is_legal(s, request, decision) else Pass()


# --- phase 4: noncombat move --------------------------------------------------------------------


def _noncombat_move(s: State, request: NoncombatMove) -> Iterator[Decision]:
    """Land what flies, bring reserves to the front, ship them across, gather the fleet."""
    b = Board(s, request.power)
    flying = unlanded(s)
    if flying:
        for space, unit, _ in flying:
            yield from _landing_places(b, space, unit)
        return
    yield from _relieve(b)
    yield from _fall_back(b)
    yield from _reserves(b)
    yield from _ferries(b)
    yield from _escorts(b)
    yield from _rebase(b)
    yield Done()


def _landing_places(b: Board, space: str, unit: Unit) -> Iterator[Decision]:
    """Where an air unit lands: the safest of the likely places, near the enemy if that is equal."""
    near, left = b.facts.air_distance[space], range_left(b.s, unit)
    places = [t for t in b.facts.territories if near[t] <= left and landing_territory(b.s, t)]
    places.sort(key=lambda t: (-b.price(b.defenders(t)), t))
    march = b.march()
    rated = sorted(
        (b.danger(t, _total(b.defenders(t), {unit.type: 1})), march[t], t)
        for t in places[:MOST_SUITORS]
    )
    for _, _, place in rated:
        yield Move({unit.type: 1}, air_route(b.facts, space, place))
    if unit.type == "fighter" and not places:
        for zone in b.facts.sea_zones:
            waiting = b.count(zone, lambda u: u.power == b.me and u.type == "fighter")
            if 0 < near[zone] <= left and decks_in(b.s, zone) > waiting.get("fighter", 0):
                yield Move({"fighter": 1}, air_route(b.facts, space, zone))


def _relieve(b: Board) -> Iterator[Decision]:
    """Bring neighbouring units into the capital or a city that would fall otherwise."""
    posts = [t for t in b.facts.territories if (b.friendly(t) and t in b.cities) or t == b.home]
    for post in sorted(posts, key=lambda t: (t != b.home, -b.worth(t), t)):
        guard = b.defenders(post)
        risk = CAPITAL_RISK if post == b.home else CITY_RISK
        if not b.friendly(post) or b.danger(post, guard) <= risk:
            continue
        help_: dict[tuple[str, ...], Counts] = {}
        for near in b.facts.land_next[post]:
            if b.friendly(near) and near != b.home:
                spare = b.spare(near)
                units = {t: n for t, n in spare.items() if b.kinds[t].domain == "land"}
                if units and b.danger(post, guard) > risk:
                    help_[near, post] = units
                    guard = _total(guard, units)
        if post == b.home or b.danger(post, guard) < DOOMED:
            yield from (Move(units, path) for path, units in help_.items())


def _fall_back(b: Board) -> Iterator[Decision]:
    """Leave posts that would be overrun for a neighbouring one that then holds."""
    for here in b.spaces:
        able = b.spare(here) if b.friendly(here) else {}
        units = {t: n for t, n in able.items() if b.kinds[t].domain == "land"}
        if not units or here == b.home or here in b.cities:
            continue
        risk = b.danger(here, b.defenders(here))
        if risk < DOOMED:
            continue
        if units.get("infantry"):
            # One stays: an empty territory would let tanks through.
            units["infantry"] -= 1
            units = {t: n for t, n in units.items() if n}
        refuges = [
            (b.danger(there, _total(b.defenders(there), units)), there)
            for there in b.facts.land_next[here]
            if b.friendly(there)
        ]
        for danger, there in sorted(refuges)[:1]:
            if units and danger < risk - WORTH_MOVING:
                yield Move(units, (here, there))


def _reserves(b: Board) -> Iterator[Decision]:
    """Move land units that are not needed where they are toward the enemy, or to a port."""
    for here in b.spaces:
        if not b.friendly(here):
            continue
        spare = {t: n for t, n in b.spare(here).items() if b.kinds[t].domain == "land"}
        borders = any(b.hostile(t) for t in b.facts.land_next[here])
        if borders and spare.get("infantry"):
            spare["infantry"] -= 1
        field = b.ports() if b.overseas(here) else b.march()
        near: list[tuple[str, ...]]
        near = [(here, t) for t in b.facts.land_next[here] if b.friendly(t)]
        far = [
            (*path, t)
            for path in near
            for t in b.facts.land_next[path[-1]]
            if b.friendly(t) and t != here
        ]
        groups = [({t: n for t, n in spare.items() if t != "tank" and n}, near)]
        if spare.get("tank"):
            groups.insert(0, ({"tank": spare["tank"]}, near + far))
        for units, paths in groups:
            better = [p for p in paths if units and field[p[-1]] < field[here]]
            for path in sorted(better, key=lambda p: (field[p[-1]], len(p), p)):
                there = path[-1]
                if b.danger(there, _total(b.defenders(there), units)) < DOOMED:
                    yield Move(units, path)
                    break


def _ferries(b: Board) -> Iterator[Decision]:
    """Transports: to a coast from which the cargo can march, else nearer to a coast to assault;
    empty ones to where units wait."""
    for zone, unit, _ in b.ships:
        if unit.type == "transport" and all(piece.power == b.me for piece in unit.cargo):
            paths = {
                end: path for end, path in b.reach(zone).items() if not hostile_zone(b.s, end, b.me)
            }
            if unit.cargo:
                yield from _deliver(b, unit, zone, paths)
            else:
                yield from _collect(b, zone, paths)


def _beachheads(b: Board, zone: str) -> list[tuple[float, str]]:
    """Friendly coasts at a zone from which it is not far to the enemy, the nearest first."""
    march = b.march()
    return sorted(
        (march[land], land)
        for land in b.facts.coast[zone]
        if b.friendly(land) and march[land] <= NEAR_FRONT and not b.overseas(land)
    )


def _deliver(
    b: Board, transport: Unit, zone: str, paths: Mapping[str, tuple[str, ...]]
) -> Iterator[Decision]:
    cargo: Counts = {}
    for piece in transport.cargo:
        cargo[piece.type] = cargo.get(piece.type, 0) + 1
    ends = [(far, land, end) for end in paths for far, land in _beachheads(b, end)]
    for _, land, end in sorted(ends)[:1]:
        yield Sail(paths[end], offload=land, cargo=cargo)
    for end in _approach(b, paths):
        if end != zone:
            yield Move({"transport": 1}, paths[end], cargo=cargo)


def _approach(b: Board, paths: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The zone from which the way to an assault is shortest, minding the enemy's fleet."""
    course = b.course()

    def cost(end: str) -> float:
        ships = b.count(end, lambda u: u.power in b.friends)
        return course[end] + SEA_FEAR * b.danger(end, _total(ships, {"transport": 1}))

    return [min(paths, key=lambda end: (cost(end), end))] if paths else []


def _collect(b: Board, zone: str, paths: Mapping[str, tuple[str, ...]]) -> Iterator[Decision]:
    march, course = b.march(), b.course()
    shuttles: list[tuple[float, Sail]] = []
    loads: list[tuple[Load, tuple[str, ...]]] = []
    for end, path in paths.items():
        for stop in path:
            for land in b.facts.coast[stop]:
                near = march[land] <= FAR_FROM_FRONT and not b.overseas(land)
                if near or not b.friendly(land) or hostile_zone(b.s, stop, b.me):
                    continue
                load = _shipload(b.spare(land))
                if not load:
                    continue
                loading = Load(land, stop, load)
                loads.append((loading, path))
                for far, beach in _beachheads(b, end)[:1]:
                    value = far - 0.1 * sum(load.values())
                    shuttles.append((value, Sail(path, (loading,), beach, cargo={})))
    for _, sail in sorted(shuttles, key=lambda option: option[0])[:1]:
        yield sail
    if loads and _hops(b, zone) > 2:
        for loading, path in sorted(loads, key=lambda option: (course[option[1][-1]], option[1])):
            yield Sail(path, (loading,), cargo={})
    if loads:
        return
    waiting = _distances(_waiting(b), b.facts.sea_next)
    best = min(paths, key=lambda end: (waiting[end], end), default=zone)
    if waiting[best] < waiting[zone]:
        yield Move({"transport": 1}, paths[best], cargo={})


def _hops(b: Board, zone: str) -> int:
    """How many zones it is to the coast to assault."""
    course = b.course()
    hops = 0
    while hops < 9:
        nearer = [z for z in b.facts.sea_next[zone] if course[z] == course[zone] - 1]
        if not nearer:
            break
        zone = nearer[0]
        hops += 1
    return hops


def _waiting(b: Board) -> dict[str, float]:
    """The zones where own units wait for a ship, or where new ones are going to."""
    goals: dict[str, float] = {}
    for land in b.facts.territories:
        if b.s.control[land] in b.friends and b.overseas(land):
            if sum(n for t, n in b.spare(land).items() if b.kinds[t].captures) > 1:
                offset = 0.0
            elif b.s.control[land] == b.me and land in b.s.complexes:
                offset = 0.5
            else:
                continue
            for zone in b.facts.coast[land]:
                goals[zone] = min(offset, goals.get(zone, FAR))
    return goals


def _escorts(b: Board) -> Iterator[Decision]:
    """Warships join the transports near them, else go where the next assault is."""

    def convoy(end: str) -> int:
        return sum(
            n * (1 + len(u.cargo))
            for u, n in b.s.stack(end).items()
            if u.type == "transport" and u.power == b.me
        )

    for zone in dict.fromkeys(zone for zone, _, _ in b.ships):
        ships = {
            type_: n
            for type_, n in b.fresh(zone, "sea").items()
            if b.kinds[type_].warship and type_ != "aircraft_carrier"
        }
        if not ships:
            continue
        paths = {
            end: path for end, path in b.reach(zone).items() if not hostile_zone(b.s, end, b.me)
        }
        best = max(paths, key=lambda end: (convoy(end), end == zone, end), default=zone)
        if convoy(best):
            if best != zone:
                yield Move(ships, paths[best])
        else:
            for end in _approach(b, paths):
                if end != zone:
                    yield Move(ships, paths[end])


def _rebase(b: Board) -> Iterator[Decision]:
    """Aircraft far from the enemy fly to a safe territory from which they can fight."""
    fronts = [t for t in b.facts.territories if b.hostile(t)]

    def far(space: str) -> int:
        return min((b.facts.air_distance[space][t] for t in fronts), default=0)

    for here in b.spaces:
        if b.facts.spaces[here].sea or not b.friendly(here) or far(here) <= 2:
            continue
        for type_, number in b.spare(here).items():
            if b.kinds[type_].domain != "air":
                continue
            places = [
                (far(t), t)
                for t in b.facts.territories
                if b.facts.air_distance[here][t] <= b.kinds[type_].move
                and landing_territory(b.s, t)
                and b.friendly(t)
                and far(t) < far(here)
            ]
            for _, there in sorted(places)[:MOST_SUITORS]:
                if b.danger(there, _total(b.defenders(there), {type_: number})) <= CITY_RISK:
                    yield Move({type_: number}, air_route(b.facts, here, there))
                    break


def _land_stranded(s: State, request: LandStranded) -> Iterator[Decision]:
    """The safest place."""
    b = Board(s, request.power)
    rated = [
        (
            b.danger(space, _total(b.count(space, lambda u: u.power in b.friends), {"fighter": 1})),
            space,
        )
        for space in request.to
    ]
    yield from (Divert(space) for _, space in sorted(rated))


def _share_space(s: State, request: ShareSpace) -> Iterator[Decision]:
    yield Consent(True)


# --- phase 5: mobilize --------------------------------------------------------------------------


def _mobilize(s: State, request: Mobilize) -> Iterator[Decision]:
    """Troops and aircraft to the capital or a city in danger, else where the enemy is near; ships
    to the own fleet."""
    b = Board(s, request.power)

    def remoteness(land: str) -> tuple[bool, bool, float, str]:
        danger = b.danger(land, b.defenders(land))
        calls = CITY_RISK < danger < LOST
        far = 2 * FAR_ENOUGH + b.ports()[land] if b.overseas(land) else b.march()[land]
        return (not (land == b.home and danger > CAPITAL_RISK), not calls, far, land)

    lands = sorted(complexes(s), key=remoteness)
    zones = _harbours(b) + [zone for land in lands for zone in b.facts.coast[land]]
    for type_, number in request.units.items():
        places = {"sea": zones, "facility": [_site(b)]}.get(b.kinds[type_].domain, [])
        for place in places:
            for most in range(number, 0, -1):
                yield Place(place, {type_: most})
    others = {t: n for t, n in request.units.items() if b.kinds[t].domain in ("land", "air")}
    for land in lands:
        for most in range(complexes(s)[land], 0, -1):
            yield Place(land, _mixed(others, most))
    yield Done()


def _mixed(units: Counts, most: int) -> Counts:
    """So many of these units, of each type its share."""
    taken: Counts = {}
    left = min(most, sum(units.values()))
    while left:
        for type_ in sorted(units, key=lambda t: (taken.get(t, 0) / units[t], t)):
            if left and taken.get(type_, 0) < units[type_]:
                taken[type_] = taken.get(type_, 0) + 1
                left -= 1
                break
    return taken


_IDEAS: dict[type[Request], Callable[[State, Any], Iterator[Decision]]] = {
    Purchase: _purchase,
    CombatMove: _combat_move,
    ChooseBattle: _choose_battle,
    EngageOrIgnore: _engage,
    ChooseBombardment: _bombard,
    PressOrRetreat: _press_or_retreat,
    SubmergeOrStrike: _submerge_or_strike,
    ChooseCasualties: _choose_casualties,
    NoncombatMove: _noncombat_move,
    LandStranded: _land_stranded,
    ShareSpace: _share_space,
    Mobilize: _mobilize,
}
"""For each kind of request what comes to mind, the best first; the first that is legal is taken."""
