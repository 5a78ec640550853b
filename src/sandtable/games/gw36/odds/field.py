"""A battle taken apart: what the rules make of each side by itself.

The dice of a side depend on its own units and in the first round on a few things about the other
side (`aspect`); hits change only the side that they fall on. So the state of a battle is a pair of
forces, and each step of the rules is asked about one force at a time, with the other one as it was
at the start, and remembered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache, wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from sandtable.games.gw36.model import Force, Stack, State, Unit
from sandtable.games.gw36.odds.policy import Policy
from sandtable.games.gw36.rules import land_combat, naval_combat
from sandtable.games.gw36.rules.amphibious import go_ashore, landing
from sandtable.games.gw36.rules.battle import attackers, defenders, running, update
from sandtable.games.gw36.rules.casualties import Hits, bury, suffer
from sandtable.games.gw36.rules.retreat import may_dive, may_retreat
from sandtable.games.gw36.rules.rounds import can_hit
from sandtable.games.gw36.rules.values import (
    SIDES,
    Shots,
    attack_shots,
    defense_shots,
    fort,
    strikes_first,
)
from sandtable.games.gw36.rules.zones import border, ground
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table
from sandtable.odds import walk

ATTACK, DEFENSE = "attack", "defense"
OTHER = {ATTACK: DEFENSE, DEFENSE: ATTACK}
MOST_COURSES = 20_000


class Side(NamedTuple):
    """What is left of a side, and what became of the rest."""

    units: Force
    marks: tuple[Any, ...] = ()
    """The defender's units behind the line; the attacker's vehicles that rolled a 12."""
    offshore: tuple[tuple[str, Force], ...] = ()
    """Sea zone to the transports of a landing."""
    gone: tuple[tuple[tuple[str, str], int], ...] = ()
    """Nation and type to number: what it has lost."""


class Salvo(NamedTuple):
    """What the dice of one type show, as far as it matters."""

    hits: tuple[Hits, ...] = ()
    broken: int = 0
    """Dice that show a 12, where vehicles can break down."""


Ways = tuple[tuple[float, int], ...]
"""Probabilities and the numbers of sides."""


P = ParamSpec("P")
T = TypeVar("T")


def remembered(
    method: Callable[Concatenate[Field, P], T],
) -> Callable[Concatenate[Field, P], T]:
    """Asked once for each set of arguments, all of which are given by position."""

    @wraps(method)
    def ask(self: Field, /, *args: P.args, **none: P.kwargs) -> T:
        key = (method, self.facing, *args)
        if key not in self.memory:
            self.memory[key] = method(self, *args, **none)
        found: T = self.memory[key]
        return found

    return ask


class Step(walk.Run[State]):
    """One step of the rules, run for all that the dice can show."""

    def __init__(
        self, start: State, steps: Callable[[Table[State]], Procedure[Any]], policy: Policy
    ) -> None:
        super().__init__(start)
        self._steps = steps
        self._policy = policy

    def play(self, g: Table[State]) -> Procedure[Any]:
        return self._steps(g)

    def decide(self, request: Request) -> Decision:
        return self._policy.decide(self.state, request)


class Field:
    """Where a battle is fought, how, and what each step does to a side. Sides have numbers."""

    def __init__(self, start: State, policy: Policy) -> None:
        self.base = start.copy()
        self.policy = policy
        self._leaving = replace(policy, retreat=1, attack_subs="submerge", defend_subs="submerge")
        self.memory: dict[Any, Any] = {}
        self._alike: dict[Any, int] = {}
        self.facing = 0
        """The attacker that the defender is asked about with: see `hunting`."""
        self.zone = running(start).at
        self.land = running(start).kind == "land"
        self.sides: dict[str, list[Side]] = {ATTACK: [], DEFENSE: []}
        self._numbers: dict[str, dict[Side, int]] = {ATTACK: {}, DEFENSE: {}}
        self._seas = {
            sea: {u: n for u, n in start.stack(sea).items() if u not in ships}
            for sea, ships in (landing(start, self.zone) if self.land else {}).items()
        }
        self.number(start)

    def number(self, s: State) -> tuple[int, int]:
        """The numbers of the two sides in a position."""
        return self._read(s, ATTACK, ()), self._read(s, DEFENSE, ())

    def _read(self, s: State, side: str, gone: Any) -> int:
        """The number of a side as it is in a position, with what it had lost before."""
        battle = running(s)
        ours = side == ATTACK
        units = tuple(
            (u, n) for u, n in s.stack(self.zone).items() if (u.nation in battle.attackers) == ours
        )
        lost = tuple(
            sorted((k, n) for k, n in s.lost.items() if (k[0] in battle.attackers) == ours)
        )
        offshore: tuple[tuple[str, Force], ...] = ()
        if ours and self._seas:
            found = landing(s, self.zone)
            offshore = tuple((sea, tuple(found[sea].items())) for sea in found)
        marks = battle.broken_down if ours else battle.condemned
        return self._enter(side, Side(units, marks, offshore, _sum(gone, lost)))

    def _enter(self, side: str, what: Side) -> int:
        numbers = self._numbers[side]
        if what not in numbers:
            numbers[what] = len(self.sides[side])
            self.sides[side].append(what)
        return numbers[what]

    def position(self, attack: int, defense: int, round_: int) -> State:
        """The position with these sides; nothing is lost in it yet."""
        s = self.base.copy()
        ours, theirs = self.sides[ATTACK][attack], self.sides[DEFENSE][defense]
        stacks = {self.zone: dict(sorted((*ours.units, *theirs.units)))}
        for sea, others in self._seas.items():
            stacks[sea] = dict(sorted((*others.items(), *dict(ours.offshore).get(sea, ()))))
        for zone, units in stacks.items():
            s.at[zone] = units
            if not units:
                del s.at[zone]
            for nation in {unit.nation for unit in units}:
                if zone not in s.presence.get(nation, ()):
                    s.presence[nation] = dict.fromkeys(sorted((*s.presence.get(nation, ()), zone)))
        s.lost = {}
        update(s, round=round_, broken_down=ours.marks, condemned=theirs.marks, fired=())
        return s

    def _one(self, side: str, number: int, round_: int) -> State:
        """A position with this side; the other is as at the start, or what it is `facing`."""
        return self.position(*((number, 0) if side == ATTACK else (self.facing, number)), round_)

    @remembered
    def hunting(self, attack: int) -> bool:
        """Whether the attacker has aircraft at sea: what can be hit there may depend on it."""
        kinds = self.base.facts.units
        return not self.land and any(kinds[u.type].air for u in self.units(ATTACK, attack))

    def _ways(
        self,
        side: str,
        number: int,
        round_: int,
        steps: Callable[[Table[State]], Procedure[Any]],
    ) -> Ways:
        """What becomes of a side by a step of the rules."""
        gone = self.sides[side][number].gone
        s = self._one(side, number, round_)
        try:
            self._play(s, steps)
            return ((1.0, self._read(s, side, gone)),)
        except _Dice:
            s = self._one(side, number, round_)
        found: dict[int, float] = {}
        for share, run in walk.courses(lambda: Step(s, steps, self._leaving), MOST_COURSES):
            to = self._read(run.state, side, gone)
            found[to] = found.get(to, 0.0) + float(share)
        return tuple((p, to) for to, p in found.items())

    def _play(self, s: State, steps: Callable[[Table[State]], Procedure[Any]]) -> None:
        """Run a step that rolls nothing, as most do, in the position itself."""
        playing = steps(Table(s, _no_dice, _nothing, _nothing))
        try:
            asked = next(playing)
            while True:
                asked = playing.send({r.power: self._leaving.decide(s, r) for r in asked.requests})
        except StopIteration:
            return

    # --- dice -----------------------------------------------------------------------------------

    @remembered
    def units(self, side: str, number: int) -> Stack:
        """The units of a side that fight."""
        s = self._one(side, number, 1)
        return attackers(s) if side == ATTACK else defenders(s)

    @remembered
    def like(self, side: str, number: int, round_: int) -> int:
        """The first side that is the same in all on which the other's dice can depend: how many
        aircraft anti-aircraft artillery can fire at, and which borders its land units cross."""
        if round_ > 1:
            return 0
        kinds = self.base.facts.units
        units = self.sides[side][number].units
        flying = sum(n for u, n in units if kinds[u.type].air)
        origins = frozenset(u.origin for u, _ in units if kinds[u.type].land)
        return self._alike.setdefault((side, flying, origins), number)

    @remembered
    def strikers(self, side: str, attack: int, defense: int) -> frozenset[Unit]:
        """Who has first strike."""
        s = self.position(attack, defense, 1)
        units = attackers(s) if side == ATTACK else defenders(s)
        return frozenset(unit for unit in units if strikes_first(s, unit, side))

    @remembered
    def shots(
        self, side: str, number: int, other: int, round_: int, done: frozenset[Unit]
    ) -> dict[str, tuple[Shots, ...]]:
        """The dice of a side by type, without those who are `done`; `other` is one of those that
        are `like` the other side."""
        pair = (number, other) if side == ATTACK else (other, number)
        s = self.position(*pair, round_)
        units = attackers(s) if side == ATTACK else defenders(s)
        able = {u: n for u, n in units.items() if u not in done}
        rows = (attack_shots if side == ATTACK else defense_shots)(s, able)
        return {type_: tuple(some) for type_, some in rows.items()}

    def works(self, attack: int, defense: int) -> tuple[Shots, ...]:
        """The dice of a fortification."""
        s = self.position(attack, defense, 1)
        guns = fort(s)
        return (Shots(s.possession[self.zone], guns.dice, guns.value, 0),) if guns.dice else ()

    @remembered
    def can_hit(self, side: str, type_: str, target: int) -> bool:
        """Whether units of a type of a side find anything to hit on the other."""
        return can_hit(self._one(OTHER[side], target, 1), side, type_)

    def salvos(
        self, side: str, type_: str, rows: tuple[Shots, ...], round_: int
    ) -> dict[Salvo, float]:
        """What the dice of a type can show."""
        deserts = side == ATTACK and self._breaks(type_, round_)
        return _salvos(side, type_, rows, deserts)

    def _breaks(self, type_: str, round_: int) -> bool:
        """Whether a 12 can matter: see `land_combat.break_down`."""
        s = self.base
        if not self.land or s.facts.units[type_].class_ != "vehicle":
            return False
        if ground(s, self.zone) == "desert":
            return True
        return round_ == 1 and any(
            border(s, origin, self.zone) == "desert" for origin in running(s).origins
        )

    # --- what becomes of a side -----------------------------------------------------------------

    @remembered
    def suffers(
        self, side: str, number: int, hits: tuple[Hits, ...], first: bool, at_once: bool
    ) -> Ways:
        """The side takes hits of the other, in the first round or a later one. Who is behind the
        line takes none, and what was lost before does not matter."""
        before = self.sides[side][number]
        front = before._replace(marks=(), gone=())
        if side == DEFENSE and before.marks:
            units = Counter(dict(before.units)) - Counter(dict(before.marks))
            front = front._replace(units=tuple(sorted(units.items())))
        ways = self._front_suffers(side, self._enter(side, front), hits, first, at_once)
        return tuple((p, self._joined(side, before, self.sides[side][to])) for p, to in ways)

    @remembered
    def _front_suffers(
        self, side: str, number: int, hits: tuple[Hits, ...], first: bool, at_once: bool
    ) -> Ways:
        def steps(g: Table[State]) -> Procedure[None]:
            for each in hits:
                yield from suffer(g, each, at_once=at_once)

        return self._ways(side, number, 1 if first else 2, steps)

    def _joined(self, side: str, before: Side, front: Side) -> int:
        """The number of a side whose front has become another."""
        units = front.units
        if side == DEFENSE and before.marks:
            units = _sum(units, before.marks)
        joined = front._replace(
            units=units,
            marks=_sum(front.marks, before.marks),
            gone=_sum(front.gone, before.gone),
        )
        return self._enter(side, joined)

    def breaks(self, number: int, type_: str, broken: int) -> int:
        """The attacker with dice of a type that showed a 12."""
        if not broken:
            return number
        side = self.sides[ATTACK][number]
        return self._enter(
            ATTACK, side._replace(marks=tuple(sorted((*side.marks, (type_, broken)))))
        )

    @remembered
    def after(self, what: str, side: str, number: int, round_: int) -> Ways:
        """What a step between rounds makes of a side: bury (defenders behind the line go),
        break_down (vehicles in the desert; nobody is marked any more), ashore (the second wave),
        unopposed (both waves land where nobody is left to fight), fall_back (who cannot stay),
        dive (all submarines leave), retreat (all who can)."""

        def steps(g: Table[State]) -> Procedure[None]:
            if what == "bury":
                bury(g.state)
            elif what == "break_down":
                land_combat.break_down(g)
                update(g.state, broken_down=())
            elif what in ("ashore", "unopposed"):
                if landing(g.state, self.zone):
                    go_ashore(g, unopposed=what == "unopposed")
            elif what == "fall_back":
                land_combat.fall_back(g)
            elif what == "dive":
                yield from may_dive(g, side)
            else:
                yield from may_retreat(g)

        return self._ways(side, number, round_, steps)

    # --- pairs ----------------------------------------------------------------------------------

    @remembered
    def kinds(self, side: str, number: int) -> frozenset[tuple[str, str, str]]:
        """The kinds of units of a side."""
        return frozenset((u.nation, u.type, u.duty) for u, _ in self.sides[side][number].units)

    @remembered
    def clash(self, attack: int) -> bool:
        """Whether it is a border clash, which lasts one round."""
        return self.land and land_combat.clash(self._one(ATTACK, attack, 2))

    def contested(self, attack: int, defense: int) -> bool:
        """Whether the battle goes on."""
        s = self.position(attack, defense, 2)
        return land_combat.contested(s) if self.land else naval_combat.contested(s)

    def swept(self, attack: int, defense: int) -> tuple[int, int]:
        """The pair without rockets or transports that were left alone."""
        s = self.position(attack, defense, 2)
        g: Table[State] = Table(s, _no_dice, _nothing, _nothing)
        (land_combat.doomed_rockets if self.land else naval_combat.helpless_transports)(g)
        ours, theirs = self.sides[ATTACK][attack], self.sides[DEFENSE][defense]
        return self._read(s, ATTACK, ours.gone), self._read(s, DEFENSE, theirs.gone)


def _sum(one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    """Two lists of things with numbers as one."""
    if not one or not other:
        return one or other
    found = dict(one)
    for key, count in other:
        found[key] = found.get(key, 0) + count
    return tuple(sorted(found.items()))


class _Dice(Exception):
    """Something is rolled."""


def _no_dice(*roll: Any) -> tuple[int, ...]:
    raise _Dice


def _nothing(*what: Any) -> None:
    pass


@cache
def _salvos(side: str, type_: str, rows: tuple[Shots, ...], breaking: bool) -> dict[Salvo, float]:
    """What dice of one type can show, by what `rounds.roll` makes of it."""
    found: dict[tuple[tuple[tuple[str, int, int], ...], int], float] = {((), 0): 1.0}
    for row in rows:
        after: dict[tuple[tuple[tuple[str, int, int], ...], int], float] = {}
        for (scored, broken), p in found.items():
            for (plain, selected, more), q in _dice(*row[1:], breaking).items():
                by = {nation: (a, b) for nation, a, b in scored}
                a, b = by.get(row.nation, (0, 0))
                by[row.nation] = (a + plain, b + selected)
                key = tuple((nation, *n) for nation, n in by.items()), broken + more
                after[key] = after.get(key, 0.0) + p * q
        found = after
    salvos: dict[Salvo, float] = {}
    for (scored, broken), p in found.items():
        hits = tuple(Hits(type_, side, a, b, nation) for nation, a, b in scored if a or b)
        salvo = Salvo(hits, broken)
        salvos[salvo] = salvos.get(salvo, 0.0) + p
    return salvos


@cache
def _dice(count: int, value: int, target: int, breaking: bool) -> dict[tuple[int, int, int], float]:
    """The chances of so many plain hits, selected hits and 12s of alike dice."""
    faces = Counter(
        (target < face <= value, face <= min(target, value), breaking and face == SIDES)
        for face in range(1, SIDES + 1)
    )
    found = {(0, 0, 0): 1.0}
    for _ in range(count):
        after: dict[tuple[int, int, int], float] = {}
        for (a, b, c), p in found.items():
            for (x, y, z), n in faces.items():
                key = (a + x, b + y, c + z)
                after[key] = after.get(key, 0.0) + p * n / SIDES
        found = after
    return found
