"""Where chosen units can go: every way that is offered has passed the rules' own check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sandtable.board.words import listed
from sandtable.games.aa1942.facts import Facts
from sandtable.games.aa1942.forms.moves import (
    TRANSPORT,
    Chosen,
    available,
    cargo_of,
    read_key,
)
from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.routes import walks
from sandtable.games.aa1942.rules.landing import decks_in, landing_territory, range_left
from sandtable.games.aa1942.rules.movement import Move, air_route, fresh, sea_paths
from sandtable.games.aa1942.rules.spaces import (
    aim_of_attack,
    enemies_in,
    hostile_territory,
    hostile_zone,
)
from sandtable.games.aa1942.rules.transports import Load, Sail, fits_aboard
from sandtable.games.aa1942.words import counted, one_stop, units_in_words
from sandtable.kernel.decisions import Decision, Legal, plain
from sandtable.kernel.display import Choice, NoQuestion, Reach, Refusal, Way
from sandtable.kernel.errors import IllegalDecision

Path = tuple[str, ...]

_CAPACITY = "it carries one land unit of any kind plus one infantry."


class Picked(NamedTuple):
    """The units that are chosen in a space: what moves, and what a transport takes aboard."""

    space: str
    units: dict[str, int]
    cargo: dict[str, int] | None = None
    """What tells the ships from others of their type there; None if that is not needed."""
    aboard: tuple[str, ...] = ()
    """What the only ship carries already."""
    owner: str = ""
    loads: dict[str, dict[str, int]] = {}

    @property
    def only_transport(self) -> bool:
        return self.units == {TRANSPORT: 1}


def find_ways(legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
    """Every space that the chosen units can reach, and why not those near them."""
    s: State = legal.state
    picked = _pick(s, space, chosen)
    search = _Search(legal, picked)
    domain = s.facts.units[next(iter(picked.units))].domain
    if picked.loads or picked.owner:
        search.voyages()
    elif domain == "land":
        search.marches()
        search.passages()
    elif domain == "air":
        search.flights()
    else:
        search.cruises()
        if picked.only_transport and picked.aboard:
            search.voyages()
    return search.result()


# --- what is chosen ------------------------------------------------------------------------------


def _pick(s: State, space: str, chosen: Mapping[str, int]) -> Picked:
    """The chosen units as a decision can name them; NoQuestion if none can."""
    if space not in s.facts.neighbours:
        raise NoQuestion("Choose units on the board first.")
    there = available(s, space)
    units: dict[str, int] = {}
    ships: dict[Chosen, int] = {}
    loads: dict[str, dict[str, int]] = {}
    owner = ""
    for key, count in chosen.items():
        if not count:
            continue
        what = read_key(key)
        if type(count) is not int or not 0 < count <= there.get(what, 0):
            if what in there and what.load:
                raise NoQuestion(f"No more of them are in {s.facts.name(what.load)} to be loaded.")
            raise NoQuestion("These units cannot be chosen here; they may have moved already.")
        if what.load:
            loads.setdefault(what.load, {})[what.type] = count
            continue
        units[what.type] = units.get(what.type, 0) + count
        owner = owner or what.owner
        if s.facts.units[what.type].domain == "sea":
            ships[what] = ships.get(what, 0) + count
    if loads and not units:
        raise NoQuestion("Choose a transport for this cargo.")
    if not units:
        raise NoQuestion("Choose at least one unit.")
    if len({s.facts.units[type_].domain for type_ in units}) > 1:
        raise NoQuestion("Land units, aircraft and ships move separately: choose one of them.")
    if (loads or owner) and units != {TRANSPORT: 1}:
        raise NoQuestion("A transport that loads or lands goes by itself: choose just one.")
    aboard = next(iter(ships)).cargo if len(ships) == 1 else ()
    loaded = [type_ for some in loads.values() for type_, n in some.items() for _ in range(n)]
    if loads and not fits_aboard(s, [Unit(s.turn, type_) for type_ in (*aboard, *loaded)]):
        full = "is full" if len(aboard) + len(loaded) > _places(s) else "has no room for that"
        raise NoQuestion(f"The transport {full}: {_CAPACITY}")
    return Picked(space, units, _told_by_cargo(s, space, ships, loads), aboard, owner, loads)


def _places(s: State) -> int:
    """How many units a transport carries."""
    return s.facts.numbers.transport_any + s.facts.numbers.transport_infantry


def _told_by_cargo(
    s: State, space: str, ships: Mapping[Chosen, int], loads: Mapping[str, Any]
) -> dict[str, int] | None:
    """The cargo by which a decision has to pick these ships, if it has to; NoQuestion if they
    cannot be picked together.

    Rules pick the ships with the least cargo, and of transports that only land those with most.
    """
    cargoes = {what.cargo for what in ships}
    rivals = {
        (unit.type, cargo_of(unit))
        for unit in s.stack(space)
        if fresh(unit)
        and any(unit.type == what.type and unit.power == (what.owner or s.turn) for what in ships)
    }
    if len(rivals) == len({type_ for type_, _ in rivals}):
        return None
    if len(cargoes) == 1:
        tally: dict[str, int] = {}
        for type_ in next(iter(cargoes)):
            tally[type_] = tally.get(type_, 0) + 1
        return tally
    for type_ in {what.type for what in ships}:
        wanted = sum(n for what, n in ships.items() if what.type == type_)
        for unit, there in sorted(
            ((u, n) for u, n in s.stack(space).items() if u.type == type_ and fresh(u)),
            key=lambda item: (len(item[0].cargo), item[0]),
        ):
            if unit.power != s.turn:
                continue
            taken = min(wanted, there)
            wanted -= taken
            if ships.get(Chosen(type_, cargo_of(unit)), 0) < taken:
                raise NoQuestion("Ships with different cargo move one after the other.")
    return None


# --- the search ----------------------------------------------------------------------------------


class _Search:
    """What is found out about the chosen units, space by space."""

    def __init__(self, legal: Legal, picked: Picked) -> None:
        self.legal = legal
        self.s: State = legal.state
        self.facts: Facts = self.s.facts
        self.picked = picked
        self.attacks = self.s.phase == "combat_move"
        self.choices: dict[str, list[Choice]] = {}
        self.paths: dict[str, Path] = {}
        self.battles: dict[str, bool] = {}
        self.notes: dict[str, str] = {}
        self.refused: dict[str, Refusal] = {}
        self.landings: dict[str, None] = {}
        self.elsewhere = ""
        self.ends: set[str] = set()
        """Spaces in which something ends its move, or lands."""
        self.voyaged: set[tuple[str, str]] = set()
        """Ends of voyages that have been found: a zone, and a territory to land in or ""."""

    def result(self) -> Reach:
        ways = {
            goal: Way(
                tuple(choices),
                self.paths[goal],
                self.battles.get(goal, False),
                self.notes.get(goal, ""),
                goal not in self.ends,
            )
            for goal, choices in self.choices.items()
        }
        refused = {goal: why for goal, why in self.refused.items() if goal not in ways}
        for space in self.facts.spaces.values():
            if space.neutral:
                refused[space.id] = Refusal(
                    f"{space.name} is neutral: no unit may enter or fly over it.",
                    "neutral.impassable",
                )
        refused.pop(self.picked.space, None)
        return Reach(ways, refused, self.elsewhere, tuple(self.landings))

    def name(self, space: str) -> str:
        return self.facts.name(space)

    def allowed(self, decision: Decision, goal: str) -> bool:
        """Whether the rules allow it; else the reason is kept, if it is the first for the goal."""
        try:
            self.legal.asked.check(self.s, decision)
        except IllegalDecision as error:
            if goal not in self.refused:
                self.refused[goal] = Refusal(error.reason, error.rule)
            return False
        return True

    def add(self, goal: str, path: Path, decision: Decision, label: str, detail: str = "") -> None:
        self.ends.add(goal)
        self.mention(goal, path, decision, label, detail)

    def mention(self, goal: str, path: Path, decision: Decision, label: str, detail: str) -> None:
        """Offer a decision in a space that is not its goal."""
        self.paths.setdefault(goal, path)
        self.choices.setdefault(goal, []).append(
            Choice(label, plain(decision), detail, spaces=(goal,))
        )

    def move(self, path: Path, **fields: Any) -> Move:
        return Move(self.picked.units, path, cargo=self.picked.cargo, **fields)

    def too_far(self) -> str:
        """Why all spaces that were not looked at are out of reach."""
        kinds = self.facts.units
        slow = min(self.picked.units, key=lambda type_: kinds[type_].move)
        name = counted(self.facts, slow, 2).removeprefix("2 ")
        steps = kinds[slow].move
        return f"Too far: {name} move {steps} {'space' if steps == 1 else 'spaces'}."

    # --- on land -------------------------------------------------------------------------

    def marches(self) -> None:
        """Land units: the shortest way first; others where they take territory on the way or
        leave another retreat."""
        s, start = self.s, self.picked.space
        steps = min(self.facts.units[type_].move for type_ in self.picked.units)
        by_goal: dict[str, list[Path]] = {}
        for way in walks(self.facts.land_next, start, steps, back=self.attacks):
            by_goal.setdefault(way[-1], []).append(way)
        for goal, ways in by_goal.items():
            ways.sort(key=lambda way: (len(way), self._taken(way), way))
            battle = self.attacks and bool(enemies_in(s, goal, s.turn))
            first: Path | None = None
            for way in ways:
                if first and not (
                    self._taken(way) != self._taken(first) or (battle and len(way) == len(first))
                ):
                    continue
                if not self.allowed(self.move(way), goal):
                    continue
                first = first or way
                self.add(goal, way, self.move(way), *self._march_in_words(way))
                if not self.attacks:
                    break
            self.battles[goal] = battle
            if first and self.attacks and not battle and hostile_territory(s, goal, s.turn):
                self.notes[goal] = "Nobody defends it."
        for zone in self.facts.coast[start]:
            self.allowed(self.move((start, zone)), zone)
        self.elsewhere = self.too_far()

    def _taken(self, way: Path) -> tuple[str, ...]:
        """What a blitz takes on the way."""
        return tuple(land for land in way[1:-1] if hostile_territory(self.s, land, self.s.turn))

    def _march_in_words(self, way: Path) -> tuple[str, str]:
        goal = self.name(way[-1])
        if not self.attacks:
            label = f"Move to {goal}"
        elif way[-1] == way[0]:
            label = f"Blitz and return to {goal}"
        elif not aim_of_attack(self.s, way[-1]):
            label = f"Blitz to {goal}"
        elif not hostile_territory(self.s, way[-1], self.s.turn):
            label = f"Follow to {goal}"
        elif enemies_in(self.s, way[-1], self.s.turn):
            label = f"Attack {goal}"
        else:
            label = f"Take {goal}"
        taken = self._taken(way)
        if taken:
            return label, f"taking {listed(map(self.name, taken))} on the way"
        between = way[1:-1]
        return label, f"by way of {listed(map(self.name, between))}" if between else ""

    # --- in the air ----------------------------------------------------------------------

    def flights(self) -> None:
        """Aircraft: the shortest way to wherever they attack or land."""
        start = self.picked.space
        distance = self.facts.air_distance[start]
        reach = self._range()
        near = sorted(
            (space for space, far in distance.items() if 0 < far <= reach), key=distance.__getitem__
        )
        for goal in near:
            path = air_route(self.facts, start, goal)
            if self.attacks:
                self._fly_to_attack(goal, path)
            elif self.allowed(self.move(path), goal):
                self.add(goal, path, self.move(path), *self._landing_in_words(goal))
        if self.attacks:
            self._plan_landings(reach)
        fly = "can fly" if self.attacks else "can still fly"
        self.elsewhere = f"Too far: they {fly} {reach} {'space' if reach == 1 else 'spaces'}."

    def _landing_in_words(self, goal: str) -> tuple[str, str]:
        s, name = self.s, self.name(goal)
        if not self.facts.spaces[goal].sea:
            return f"Land in {name}", ""
        there = sum(n for u, n in s.stack(goal).items() if (u.power, u.type) == (s.turn, "fighter"))
        if there + self.picked.units["fighter"] <= decks_in(s, goal):
            return f"Land on a carrier in {name}", ""
        return f"Wait for a carrier in {name}", "one has to move there, or to be placed there"

    def _range(self) -> int:
        """How far all of the chosen aircraft together can fly."""
        s = self.s
        if self.attacks:
            return min(self.facts.units[type_].move for type_ in self.picked.units)
        ranges: list[int] = []
        for type_, count in self.picked.units.items():
            left = sorted(
                (
                    range_left(s, unit)
                    for unit, n in s.stack(self.picked.space).items()
                    if (unit.power, unit.type) == (s.turn, type_)
                    for _ in range(n)
                ),
                reverse=True,
            )
            ranges.append(left[count - 1])
        return min(ranges)

    def _fly_to_attack(self, goal: str, path: Path) -> None:
        s = self.s
        enemies = bool(enemies_in(s, goal, s.turn))
        if self.allowed(self.move(path), goal):
            if enemies:
                self.add(goal, path, self.move(path), f"Attack in {self.name(goal)}")
            else:
                self.add(goal, path, self.move(path), f"Withdraw to {self.name(goal)}")
            self.battles[goal] = enemies
        if goal in s.complexes and hostile_territory(s, goal, s.turn):
            raid = self.move(path, raid=True)
            if self.allowed(raid, goal):
                label = f"Bomb the industrial complex in {self.name(goal)}"
                self.add(goal, path, raid, label, "a raid, apart from any battle there")
                self.battles[goal] = True

    def _plan_landings(self, reach: int) -> None:
        """Where the aircraft could land after each attack; a carrier that has still to come is not
        among them."""
        s, distance = self.s, self.facts.air_distance
        fighters = set(self.picked.units) == {"fighter"}
        places = [land for land in self.facts.territories if landing_territory(s, land)]
        decks = [zone for zone in self.facts.sea_zones if fighters and decks_in(s, zone) > 0]
        for goal in self.choices:
            left = reach - distance[self.picked.space][goal]
            far = distance[goal]
            near = sorted(
                (place for place in (*places, *decks) if far[place] <= left), key=far.__getitem__
            )
            self.landings |= dict.fromkeys(near)
            if near:
                some = [self.name(place) for place in near[:3]]
                if len(near) > 3:
                    more = len(near) - 3
                    some.append(f"{more} more {'place' if more == 1 else 'places'}")
                self.notes[goal] = one_stop(f"Can land in {listed(some)}.")
            else:
                self.notes[goal] = "Relies on a carrier that comes to meet it."

    # --- at sea --------------------------------------------------------------------------

    def cruises(self) -> None:
        """Ships: every way that leaves another retreat in a battle, else the shortest."""
        s, start = self.s, self.picked.space
        types = tuple(self.picked.units)
        steps = min(self.facts.units[type_].move for type_ in types)
        by_goal: dict[str, list[Path]] = {}
        for way in walks(self.facts.sea_next, start, steps):
            by_goal.setdefault(way[-1], []).append(way)
        for goal, ways in by_goal.items():
            battle = self.attacks and bool(enemies_in(s, goal, s.turn))
            first: Path | None = None
            for way in ways:
                if first and len(way) > len(first):
                    break
                if not self.allowed(self.move(way), goal):
                    continue
                between = way[1:-1]
                detail = f"by way of {listed(map(self.name, between))}" if between else ""
                first = first or way
                self.add(goal, way, self.move(way), self._cruise_in_words(goal, battle), detail)
                if not battle:
                    break
            self.battles[goal] = battle
        for land in self.facts.coast[start]:
            self.allowed(self.move((start, land)), land)
        self.elsewhere = self.too_far()
        if self.attacks and set(types) == {TRANSPORT} and not self.choices:
            self.elsewhere = "Choose one transport and what it takes aboard to land in an attack."

    def _cruise_in_words(self, goal: str, battle: bool) -> str:
        if battle:
            return f"Attack in {self.name(goal)}"
        if not self.attacks:
            return f"Sail to {self.name(goal)}"
        if any(unit.duty == "landing" for unit in self.s.stack(goal)):
            return f"Support the landing from {self.name(goal)}"
        return f"Withdraw to {self.name(goal)}"

    # --- transports ----------------------------------------------------------------------

    def voyages(self) -> None:
        """The whole move of the chosen transport: loading on the way, landing at the end."""
        p = self.picked
        paths: list[Path] = [(p.space,)]
        if not p.owner:
            paths += sea_paths(self.s, p.space, (TRANSPORT,))
        loads = [(land, units) for land, units in p.loads.items()]
        self._voyages(paths, loads, p.cargo, p.aboard, p.owner)
        if not self.choices and not self.refused:
            self.elsewhere = "The transport cannot come to load there."
        elif not self.elsewhere:
            self.elsewhere = self.too_far()

    def passages(self) -> None:
        """Land units: over the sea on a transport that can come to take them, to where they
        cannot walk."""
        s, p = self.s, self.picked
        near = self.facts.coast[p.space]
        if not near:
            return
        new = [Unit(s.turn, type_) for type_, count in p.units.items() for _ in range(count)]
        if not fits_aboard(s, new):
            for zone in near:
                if any(unit.type == TRANSPORT and unit.power == s.turn for unit in s.stack(zone)):
                    self.refused[zone] = Refusal(
                        f"A transport has no room for all of them: {_CAPACITY}",
                        "unit.transport.capacity",
                    )
                    self.elsewhere = one_stop(
                        f"{self.too_far()} By sea not all of them fit aboard: {_CAPACITY}"
                    )
            return
        on_foot = set(self.choices)
        for zone in sorted(self.facts.sea_next, key=lambda zone: zone not in near):
            if zone not in s.presence[s.turn]:
                continue
            ships = [
                unit
                for unit in s.stack(zone)
                if unit.type == TRANSPORT and unit.power == s.turn and fresh(unit)
            ]
            if not ships:
                continue
            paths = [
                path
                for path in [(zone,), *sea_paths(s, zone, (TRANSPORT,))]
                if any(there in near for there in path)
            ]
            several = len({cargo_of(ship) for ship in ships}) > 1
            for ship in sorted(ships, key=lambda ship: (len(ship.cargo), ship)):
                if fits_aboard(s, [*ship.cargo, *new]):
                    told = _tally(cargo_of(ship)) if several else None
                    load = [(p.space, p.units)]
                    self._voyages(paths, load, told, cargo_of(ship), "", on_foot)
                    break

    def _voyages(
        self,
        paths: Iterable[Path],
        loads: Sequence[tuple[str, dict[str, int]]],
        cargo: dict[str, int] | None,
        aboard: tuple[str, ...],
        owner: str,
        skip: Iterable[str] = (),
    ) -> None:
        """Voyages along these paths, the shortest to each end: sail there, and land beside it."""
        known, found = set(skip), self.voyaged
        for path in paths:
            loading = self._loading(path, loads)
            if loading is None:
                continue
            zone = path[-1]
            if loads and not self.attacks and (zone, "") not in found:
                sail = Sail(path, loading, owner=owner, cargo=cargo)
                if self.allowed(sail, zone):
                    found.add((zone, ""))
                    self.add(zone, path, sail, self._aboard_in_words(path))
            for land in self.facts.coast[zone]:
                if (zone, land) in found or land in known:
                    continue
                sail = Sail(path, loading, land, owner=owner, cargo=cargo)
                if not self.allowed(sail, land):
                    continue
                found.add((zone, land))
                self._add_landing(sail, path, land)
                for part in self._parts(loads, aboard):
                    some = Sail(path, loading, land, part, owner, cargo)
                    if self.allowed(some, land):
                        self._add_landing(some, path, land, part)

    def _loading(
        self, path: Path, loads: Sequence[tuple[str, dict[str, int]]]
    ) -> tuple[Load, ...] | None:
        """Where on the path each load comes aboard; None if that cannot be."""
        loading = []
        for land, units in loads:
            for zone in path:
                if zone in self.facts.coast[land] and not hostile_zone(self.s, zone, self.s.turn):
                    loading.append(Load(land, zone, units))
                    break
            else:
                return None
        return tuple(loading)

    def _parts(
        self, loads: Sequence[tuple[str, dict[str, int]]], aboard: tuple[str, ...]
    ) -> Iterator[dict[str, int]]:
        """Parts of the cargo that could be landed alone, where some was aboard before."""
        if not aboard:
            return
        every = [
            *aboard,
            *(type_ for _, units in loads for type_, n in units.items() for _ in range(n)),
        ]
        if len(every) > 1:
            for type_ in sorted(set(every)):
                yield {type_: 1}

    def _aboard_in_words(self, path: Path) -> str:
        if len(path) == 1:
            return f"Take them aboard in {self.name(path[0])}"
        return f"Take them aboard and sail to {self.name(path[-1])}"

    def _add_landing(
        self, sail: Sail, path: Path, land: str, part: dict[str, int] | None = None
    ) -> None:
        s, zone = self.s, path[-1]
        what = f"Land {units_in_words(self.facts, part)}" if part else "Land"
        if self.attacks:
            what = f"Assault {self.name(land)}" if not part else f"{what} for an assault"
        label = f"{what} in {self.name(land)}" if not self.attacks or part else what
        detail = f"from {self.name(zone)}"
        if len(path) > 2:
            detail += f", by way of {listed(map(self.name, path[1:-1]))}"
        self.add(land, (*path, land), sail, label, detail)
        self.mention(zone, path, sail, label, detail)
        if self.attacks:
            fought = hostile_zone(s, zone, s.turn)
            battle = fought or bool(enemies_in(s, land, s.turn))
            self.battles[land] = self.battles.get(land, False) or battle
            self.battles[zone] = self.battles.get(zone, False) or battle
            if not battle:
                self.notes.setdefault(land, "Nobody defends it.")


def _tally(types: Iterable[str]) -> dict[str, int]:
    tally: dict[str, int] = {}
    for type_ in types:
        tally[type_] = tally.get(type_, 0) + 1
    return tally
