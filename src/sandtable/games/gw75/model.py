"""The state of a game: plain records, nothing else."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterator
from typing import Any, NamedTuple

import msgspec

from sandtable.games.gw75.facts import AXIS_MINORS, Facts, Pair
from sandtable.kernel import state as kernel
from sandtable.kernel.state import declared, own, shared

PHASES = (
    "maintenance",
    "axis_naval_1",
    "allies_naval_1",
    "axis_naval_2",
    "allies_naval_2",
    "axis_naval_3",
    "allies_naval_3",
    "axis_air_movement",
    "axis_air_combat",
    "allies_air_movement",
    "allies_air_combat",
    "axis_land_movement",
    "axis_land_combat",
    "axis_strategic_movement",
    "allies_land_movement",
    "allies_land_combat",
    "allies_strategic_movement",
    "reinforcement",
    "production",
    "turn_record",
)
"""The twenty Phases of a Game-Turn (4.2)."""


class Unit(NamedTuple):
    """Strength Points or fleets that are alike in everything. A hex has so many of them: counters
    are change only, split and merged as it comes, but never with those of another type.

    Rules: 7.0b, 7.21
    """

    nation: str
    type: str
    depleted: bool = False
    """Of a Surf-A or ASW unit (15.5)."""
    idle: bool = False
    """Unactivated in this Game-Turn (18.10)."""
    left: int = -1
    """Movement Points that are left to it in this phase (a land unit keeps them for its Strategic
    Movement Phase); -1: it has not moved."""
    duty: str = ""
    """What it does or did: march (its move is under way, see `March`; landed march if it had
    landed), assault (in a hex with Enemies, to attack them), landed (it came by Amphibious Assault
    in this Game-Turn: supplied, no Zone of Control in the next Enemy Land Movement and Combat
    Phases), ashore (it did so in the
    Game-Turn before: the same but for supply), attacked (in this Land Combat Phase), retreated
    (into a hex that it does not defend in this phase; ships that did are not attacked again), snort
    (a submarine's mode in this phase), support (an ASW unit that escorts or defends the hex
    `origin` in this phase), flown (an aircraft that has moved), new (a US ship that was built in
    peace-time). Empty: nothing."""
    origin: str = ""
    """The port from which it came to an Amphibious Assault; the hex that an ASW unit supports, or
    from which ships were driven in this phase."""
    supply: str = ""
    """Of naval and air units, as judged when their stage began: empty is Attack Supply, defense,
    none. Land units are judged when it matters."""
    cut: int = 0
    """Of land units: 1 if it was Unsupplied as a Land Combat Phase began, and one more for every
    one that has ended since without a supply path (9.33)."""
    shot: tuple[str, ...] = ()
    """Who made a Transit Attack on it in this phase (13.15), sorted: hex, nation and type."""
    met: tuple[str, ...] = ()
    """Hexes whose naval units it has attacked in this phase (15.12), sorted."""

    def moved(self, left: int) -> Unit:
        """The same, with so many Movement Points left."""
        return Unit._make((*self[:4], left, *self[5:]))

    def rested(self, duty: str) -> Unit:
        """The same in a new phase, with this duty: it has not moved, nor been shot at or met."""
        return Unit(*self[:4], -1, duty, "", *self[7:9])


def worn(unit: Unit) -> bool:
    """Whether a unit is marked with what it did in a phase."""
    return unit[4:7] != _FRESH or bool(unit.shot or unit.met)


_FRESH = Unit("", "")[4:7]


def marked(unit: Unit) -> bool:
    """Whether a unit is marked with anything but its supply and its losses."""
    return unit[3:7] != _UNMARKED[3:7] or unit[8:] != _UNMARKED[8:]


_UNMARKED = Unit("", "")

Stack = dict[Unit, int]

Force = tuple[tuple[str, str, str, int], ...]
"""Hex, nation, type and number: parts of a force, sorted."""


class Attack(NamedTuple):
    """A land attack that was declared (8.8: all of them before any is resolved)."""

    targets: tuple[str, ...]
    force: Force


class March(NamedTuple):
    """A move of land units that is under way, because what follows from a step of it is drawn
    before the next. Its units have the duty march and stand in the first hex of the path."""

    path: tuple[str, ...]
    """From where they are to where they go."""
    sea: bool = False
    """Whether they go by sea: on Amphibious or Merchant Ships."""
    begun: bool = False
    """Whether they have left the hex where they began; of a voyage, whether the Transit Attacks on
    it are over."""
    free: bool = False
    """Whether the next hex is entered without regard to Zones of Control (6.52)."""
    then: tuple[str, ...] = ()
    """The way overland after a voyage, from its last hex."""
    bombs: int = 0
    """Atomic bombs on a voyage."""
    areas: tuple[str, ...] = ()
    """The Holding Areas whose Merchant Ships carry them."""


class Job(NamedTuple):
    """Units on the Production Track."""

    nation: str
    type: str
    due: int
    """The Game-Turn in which they appear."""
    number: int = 1
    country: str = ""
    """Where they have to appear, if not in any of the home countries (18.76)."""
    hex: str = ""
    """The hex from which a depleted unit was taken, and to which it comes back (18.32)."""


class Mission(NamedTuple):
    """A bombing mission (17.31). The LRB units stay at their base on the map."""

    nation: str
    base: str
    target: str
    number: int
    bomb: bool = False
    """Whether it carries an atomic bomb."""


class News(NamedTuple):
    """Something that has happened and whose consequences are still to be drawn."""

    kind: str
    who: str = ""
    whom: str = ""
    where: str = ""
    how: str = ""
    number: int = 0


class LandBattle(msgspec.Struct, frozen=True):
    """How the land combat stands that is being fought. Replaced, never changed."""

    targets: tuple[str, ...]
    force: Force
    step: str = ""
    """losses, counter_attack, retreat, advance; empty before the die is rolled."""
    differential: int = 0
    loss: int = 0
    """What the table says, and later what was lost."""


class SeaBattle(msgspec.Struct, frozen=True):
    """How the naval combat stands that is being fought. Replaced, never changed."""

    target: str
    force: Force = ()
    """The attackers, as they were announced."""
    step: str = ""
    """first, second: the segment (15.0)."""
    lost: tuple[int, int] = (0, 0)
    """Fleets and ASW units that attacker and defender have lost."""


@declared
class State(kernel.State):
    """A position. Stacks are shared between copies: they are replaced, never changed in place."""

    facts: Facts
    turn: int = 1
    phase: str = PHASES[0]
    step: str = ""
    """Within a phase: where its procedure is."""
    mover: str = ""
    """Of the players of a side that act in a phase one after the other, the one that does."""
    finished: frozenset[str] = frozenset()
    """Players who are done with this phase."""
    news: tuple[News, ...] = ()

    at: dict[str, Stack] = own()
    """Hex to the units in it, sorted."""
    presence: dict[str, tuple[str, ...]] = own(plain=False)
    """Nation to the hexes in which it has units, sorted: an index of `at`."""
    domains: dict[str, int] = own(plain=False)
    """Nation to the land hexes that it holds, as bits (`Facts.bits`): an index of `held`."""
    marked: dict[str, None] = own(plain=False)
    """The hexes in which units are `marked`; also some in which none is any more."""
    memo: dict[str, Any] = own(plain=False)
    """What was worked out from the position and holds until it changes (`State.changed`)."""
    paths: dict[str, Any] = own(plain=False)
    """What was worked out about paths overland: it holds until land units move."""
    lines: dict[Any, Any] = own(plain=False)
    """What was worked out about pipelines, and supply along them: it holds until land units or
    Merchant Ships move; "fed", to whom they carry it, until the number of land units changes."""

    fleets: dict[str, Any] = own(plain=False)
    """Nation to what was worked out about its naval units, and the hexes in which they have changed
    since."""
    seas: dict[str, Any] = own(plain=False)
    """Nation to what was worked out about the naval units of its Enemies: it holds until some of
    them move."""
    armies: dict[str, Any] = own(plain=False)
    """Nation to what was worked out about its land units, and the hexes in which they have changed
    since."""
    convoys: dict[str, Any] = own(plain=False)
    """Nation to its Merchant Ships by hex, and "all" to those that somebody can use: it holds until
    they move."""
    realm: dict[Any, Any] = own(plain=False)
    """What was worked out about who holds what: it holds until that changes."""
    bonds: Any = shared(None, plain=False)
    """What was worked out about sides and wars: it holds until those change."""

    held: dict[str, str] = own()
    """Hex to the nation that holds it, where that is not the nation of its country (5.42)."""
    wars: frozenset[Pair] = frozenset()
    """Pairs of nations at war, each sorted. Axis minor allies have Germany's wars."""
    joined: dict[str, str] = own()
    """Nation that was neutral to the side that it has joined: axis, allies."""
    violated: dict[str, int] = own()
    """Nation to the Game-Turn in which its neutrality was violated."""
    fallen: frozenset[str] = frozenset()
    """Nations that have surrendered or were conquered."""
    limited: frozenset[Pair] = frozenset()
    """Wars that are limited: the USA's and the USSR's (19.37, 19.72)."""
    vichy: str = ""
    """open (it may still be declared), declared, axis, allies, gone; empty if not in use."""
    marks: frozenset[str] = frozenset()
    """What happens once in a game and is remembered by name."""
    counts: dict[str, int] = own()
    """Numbers that rules remember by name (lost:usa, first_battle:germany, …)."""
    penalties: tuple[str, ...] = ()
    """Hexes that count for the Axis because the Allies violated a neutral (11.0)."""

    ports: frozenset[str] = frozenset()
    """Hexes in which ports were built."""
    destroyed: frozenset[str] = frozenset()
    """Hexes destroyed by an atomic bomb."""
    captured: dict[str, int] = own()
    """Industrial hex that is not held by its own power to the Game-Turn of its capture."""
    recaptured: frozenset[str] = frozenset()
    """Industrial hexes that their own power has taken back: they produce on mode one (18.42)."""
    bombed: dict[str, int] = own()
    """Industrial hex to the Production Points that it has lost in this Game-Turn."""
    bombs: dict[str, int] = own()
    """Hex to the atomic bombs that wait in it."""

    capacity: dict[str, int] = own()
    """Major power to its production of the Game-Turn before: its maintenance capacity."""
    track: tuple[Job, ...] = ()
    """The Production Tracks, sorted."""
    started: dict[tuple[str, str], int] = own()
    """Nation and type to the units put under construction in this Game-Turn."""
    started_before: dict[tuple[str, str], int] = shared({})
    """The same of the Game-Turn before (18.91)."""
    dead: dict[tuple[str, str], int] = own()
    """Nation and type to destroyed units that can be rebuilt."""
    points: dict[tuple[str, str], int] = own()
    """Nation and country (empty: anywhere) to the Production Points that are left to spend."""
    stock: dict[str, int] = own()
    """Nation to the Ports that it has ready and not placed (18.53)."""
    due: tuple[Job, ...] = ()
    """Reinforcements of this Game-Turn that are still to be placed."""

    march: March | None = None
    missions: tuple[Mission, ...] = ()
    attacks: tuple[Attack, ...] = ()
    stand_fast: frozenset[str] = frozenset()
    """Hexes with a Stand Fast order in this Land Combat Phase."""
    fought: frozenset[str] = frozenset()
    """Hexes that were attacked in this Land Combat Phase; in a Naval Phase those whose defenders
    may not be attacked again."""
    land: LandBattle | None = None
    sea: SeaBattle | None = None
    done: dict[str, int] = own()
    """What is limited per phase, by name: strategic:germany, escort:…"""

    opening: dict[tuple[str, str], int] = shared({})
    built: dict[tuple[str, str], int] = own()
    lost: dict[tuple[str, str], int] = own()
    """Nation and type to number: on the map at the start, come later, gone for whatever reason."""
    scores: dict[str, int] = shared({})
    """Side to Victory Points, when the game has ended."""

    def derive(self) -> None:
        self.presence, self.marked, self.armies = {}, {}, {}
        where: dict[str, dict[str, None]] = {}
        self.changed()
        for hex, stack in sorted(self.at.items()):
            self.at[hex] = stack = dict(sorted(stack.items()))
            for unit in stack:
                where.setdefault(unit.nation, {})[hex] = None
                if marked(unit):
                    self.marked[hex] = None
        self.presence = {nation: tuple(hexes) for nation, hexes in where.items()}

        self.domains = self.facts.domains.copy()
        for hex, nation in self.held.items():
            self._hand_over(hex, self.facts.hexes[hex].nation, nation)

    def _hand_over(self, hex: str, before: str, nation: str) -> None:
        """A hex is another nation's now."""
        bit, domains = self.facts.bits[hex], self.domains
        if before in domains:
            domains[before] &= ~bit
        domains[nation] |= bit

    def changed(self) -> None:
        """Whatever was worked out from the position holds no longer."""
        self.memo, self.paths, self.lines = {}, {}, {}
        self.fleets, self.seas, self.convoys, self.realm = {}, {}, {}, {}
        self.armies = {
            nation: known
            for nation, known in self.armies.items()
            if nation not in AXIS_MINORS and not known[0].ashore
        }  # only of those Zones of Control depend on more than where they are
        self.bonds = None

    def _moved(self, hex: str, unit: Unit, others: Stack) -> None:
        """Units have come to a hex, or left it, in which these others are."""
        self.memo = {}
        if unit.type in _GROUND:
            self.lines.pop("fed", None)
            landing = unit.duty if unit.duty in _LANDING else ""
            for other in others:
                if (
                    other.nation == unit.nation
                    and (other.type == unit.type or other.type in _MOBILE)
                    and (other.duty if other.duty in _LANDING else "") == landing
                ):
                    return  # paths go by where there are any, not by which or how many
            self.paths = {}
            self.lines = {}
            army = self.armies.get(unit.nation)
            if army is not None:
                self.armies[unit.nation] = army[0], (*army[1], hex)
        elif unit.type in _NAVAL:
            self._afloat(unit.nation, hex)
            if unit.type == "ms":
                self._convoyed(unit.nation)

    def _convoyed(self, nation: str) -> None:
        """Merchant Ships of a nation are elsewhere, or others."""
        self.lines = {}
        self.convoys.pop(nation, None)
        self.convoys.pop("all", None)

    def _afloat(self, nation: str, *hexes: str) -> None:
        """Naval units of a nation in some hexes are others now."""
        known = self.fleets.get(nation)
        if known is not None:
            self.fleets[nation] = known[0], (*known[1], *hexes)
        for sea in self.seas.values():
            if nation in sea.enemies:
                self.seas = {
                    each: sea for each, sea in self.seas.items() if nation not in sea.enemies
                }
                return

    def put(self, hex: str, unit: Unit, count: int = 1) -> None:
        """Add units to a hex."""
        self._moved(hex, unit, self._add(hex, unit, count))

    def take(self, hex: str, unit: Unit, count: int = 1) -> None:
        """Remove units from a hex; KeyError if they are not there."""
        self._moved(hex, unit, self._remove(hex, unit, count))

    def sail(self, start: str, to: str, unit: Unit, gone: Unit, count: int) -> None:
        """Naval units go from a hex to another, and are marked with it."""
        self._remove(start, unit, count)
        self._add(to, gone, count)
        self.memo = {}
        self._afloat(unit.nation, start, to)
        if unit.type == "ms":
            self._convoyed(unit.nation)

    def _add(self, hex: str, unit: Unit, count: int) -> Stack:
        """Add units to a hex; what was there before."""
        stack = self.at.get(hex, _NOTHING)
        nation = unit.nation
        if unit in stack:
            self.at[hex] = {**stack, unit: stack[unit] + count}
        else:
            self.at[hex] = _with(stack, unit, count)
            for other in stack:
                if other.nation == nation:
                    break
            else:
                hexes = self.presence.get(nation, ())
                if not hexes:
                    self.realm.pop("nations", None)
                at = bisect_left(hexes, hex)
                self.presence[nation] = (*hexes[:at], hex, *hexes[at:])
        if marked(unit):
            self.marked[hex] = None
        return stack

    def _remove(self, hex: str, unit: Unit, count: int) -> Stack:
        """Remove units from a hex; what is left there."""
        stack = self.at[hex]
        left = stack[unit] - count
        if left < 0:
            raise KeyError(unit)
        new = stack.copy()
        if left:
            new[unit] = left
        else:
            del new[unit]
        if new:
            self.at[hex] = new
        else:
            del self.at[hex]
        if not left:
            nation = unit.nation
            for other in new:
                if other.nation == nation:
                    return new
            hexes = self.presence[nation]
            if len(hexes) > 1:
                at = bisect_left(hexes, hex)
                self.presence[nation] = hexes[:at] + hexes[at + 1 :]
            else:
                del self.presence[nation]
                self.realm.pop("nations", None)
        return new

    def change(self, hex: str, unit: Unit, count: int, **fields: Any) -> Unit:
        """Give `count` of these units other attributes; the changed unit."""
        changed = unit._replace(**fields)
        if changed == unit:
            return changed
        if changed.nation != unit.nation or not _LANDING.isdisjoint((unit.duty, changed.duty)):
            self.take(hex, unit, count)
            self.put(hex, changed, count)
            return changed
        stack = self.at[hex].copy()  # nobody is elsewhere
        left = stack[unit] - count
        if left < 0:
            raise KeyError(unit)
        if left:
            stack[unit] = left
        else:
            del stack[unit]
        if changed in stack:
            stack[changed] += count
        else:
            stack = _with(stack, changed, count)
        self.at[hex] = stack
        if marked(changed):
            self.marked[hex] = None
        self.memo = {}
        if unit.type in _NAVAL:
            self._afloat(unit.nation, hex)
        return changed

    def renew(self, hex: str, fresh: dict[Unit, Unit]) -> None:
        """Give all of some kinds of naval units in a hex other attributes."""
        stack: Stack = {}
        for unit, count in self.at[hex].items():
            renewed = fresh.get(unit, unit)
            stack[renewed] = stack.get(renewed, 0) + count
        self.at[hex] = dict(sorted(stack.items())) if len(stack) > 1 else stack
        self.memo = {}
        for nation in {unit.nation: None for unit in fresh}:
            self._afloat(nation, hex)

    def destroy(self, hex: str, unit: Unit, count: int = 1, *, forever: bool = False) -> None:
        """Remove destroyed units; they can be rebuilt unless it is said to be for ever (8.8)."""
        self.take(hex, unit, count)
        key = (unit.nation, unit.type)
        self.lost[key] = self.lost.get(key, 0) + count
        if not forever and self.facts.types[unit.type].rebuilt is not None:
            self.dead[key] = self.dead.get(key, 0) + count
        self.tell(News("lost", unit.nation, where=hex, how=unit.type, number=count))

    def build(self, hex: str, unit: Unit, count: int = 1) -> None:
        """Put units on the map that were not there."""
        self.put(hex, unit, count)
        key = (unit.nation, unit.type)
        self.built[key] = self.built.get(key, 0) + count

    def hold(self, hex: str, nation: str) -> None:
        """A nation holds a hex from now on."""
        self._hand_over(hex, self.held.get(hex) or self.facts.hexes[hex].nation, nation)
        if nation == self.facts.hexes[hex].nation:
            self.held.pop(hex, None)
        else:
            self.held[hex] = nation
        self.memo, self.paths, self.lines, self.realm = {}, {}, {}, {}

    def join(self, nation: str, side: str) -> None:
        """A nation that was neutral joins a side."""
        self.joined[nation] = side
        self.changed()

    def stack(self, hex: str) -> Stack:
        """The units in a hex; do not change it."""
        return self.at.get(hex, _NOTHING)

    def units(self) -> Iterator[tuple[str, Unit, int]]:
        """Every unit on the map, with its hex and number, in a fixed order."""
        for hex in sorted(self.at):
            for unit, count in self.at[hex].items():
                yield hex, unit, count

    def on_duty(self, *which: str) -> list[tuple[str, Unit, int]]:
        """The units that have one of these duties, in the same order."""
        at = self.at
        return [
            (hex, unit, count)
            for hex in sorted(self.marked)
            if hex in at
            for unit, count in at[hex].items()
            if unit.duty in which
        ]

    def with_marks(self) -> list[tuple[str, Unit, int]]:
        """The units that are `marked`, in the same order."""
        found = []
        for hex in sorted(self.marked):
            stack = self.stack(hex)
            here = [(hex, unit, count) for unit, count in stack.items() if marked(unit)]
            if here:
                found += here
            else:
                del self.marked[hex]
        return found

    def units_of(
        self, nation: str, types: Container[str] | None = None
    ) -> list[tuple[str, Unit, int]]:
        """The units of a nation (of some types), sorted, each kind with its hex and number."""
        at, hexes = self.at, self.presence.get(nation, ())
        if types is None:
            return [
                (hex, unit, count)
                for hex in hexes
                for unit, count in at[hex].items()
                if unit.nation == nation
            ]
        return [
            (hex, unit, count)
            for hex in hexes
            for unit, count in at[hex].items()
            if unit.type in types and unit.nation == nation
        ]

    def tell(self, *news: News) -> None:
        """Note what has happened, so that its consequences are drawn (`consequences.settle`)."""
        self.news = (*self.news, *news)


def _with(stack: Stack, unit: Unit, count: int) -> Stack:
    """A stack with units of another kind. Where they come last nothing is sorted anew."""
    if not stack or unit > next(reversed(stack)):
        return {**stack, unit: count}
    return dict(sorted([*stack.items(), (unit, count)]))


_NOTHING: Stack = {}
_GROUND = frozenset({"inf", "mech", "sd", "fort"})
"""Types of units on whose places paths overland depend."""
_MOBILE = frozenset({"inf", "mech"})
"""Those whose Zones of Control are as large as any."""
_NAVAL = frozenset({"surf_a", "surf_b", "ss", "asw", "ms", "amph"})
"""Types of naval units."""
_LANDING = frozenset({"assault", "landed", "ashore", "repelled"})
"""Duties on which supply and Zones of Control depend."""
