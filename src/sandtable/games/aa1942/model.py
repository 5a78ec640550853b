"""The state of a game: plain records, nothing else."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.games.aa1942.facts import Facts
from sandtable.kernel import state as kernel
from sandtable.kernel.state import declared, own, shared

PHASES = (
    "purchase",
    "combat_move",
    "conduct_combat",
    "noncombat_move",
    "mobilize",
    "collect_income",
)


class Unit(msgspec.Struct, frozen=True, order=True, cache_hash=True, gc=False):
    """A piece, with all that tells it from others of its type in the same space this turn."""

    power: str
    type: str
    used: int = 0
    """Movement points spent this turn."""
    origin: str = ""
    """The space from which it entered the present one in combat movement."""
    duty: str = ""
    """What it did or is committed to this turn: raid, bombed, escort, intercept, landing (a
    transport in an assault), assault (cargo to be landed), loaded, seaborne, submerged, damaged,
    fought, retreated, offloaded, bombarded, moved, landed, new (a fighter just mobilised). Empty:
    free to act."""
    target: str = ""
    """The territory that a transport's assault is aimed at."""
    cargo: tuple[Unit, ...] = ()
    """Land units aboard a transport, guest fighters aboard a carrier; sorted."""


Stack = dict[Unit, int]


Force = tuple[tuple[Unit, int], ...]
"""Units with their numbers, in a record."""


def with_more(force: Force, units: Stack) -> Force:
    """A force of a record with some units more."""
    if not units:
        return force
    total = dict(force)
    for unit, count in units.items():
        total[unit] = total.get(unit, 0) + count
    return tuple(sorted(total.items()))


class Combat(msgspec.Struct, frozen=True, gc=False):
    """How the combat stands that is being fought. Who fights in it is on the board: the units in
    `at` that nothing keeps out. A record is replaced, never changed."""

    at: str
    step: str = ""
    """bombardment, antiaircraft, submarines, strike, strike_back, attack, defence, retreat; of a
    raid: air_battle, interceptors, complex, bombs. Empty before the first round."""
    round: int = 0
    """0 before the first."""
    origins: tuple[str, ...] = ()
    """Where the attackers by land or sea came from."""
    condemned: Force = ()
    """Defenders behind the casualty strip: they were hit and still fire before they go."""
    aided: tuple[bool, bool] = (False, False)
    """At sea: whether attacker and defender had a destroyer when the round began."""
    struck: tuple[bool, bool] = (False, False)
    """At sea: whose submarines make a surprise strike in this round."""
    lost: Force = ()
    """What was destroyed in it so far, on both sides."""


@declared
class State(kernel.State):
    """A position. Stacks and the start-of-turn records are shared between copies: they are
    replaced, never changed in place."""

    facts: Facts
    round: int = 1
    turn: str = ""
    phase: str = PHASES[0]
    step: str = ""
    """Within a phase: where its procedure is."""
    battle: str = ""
    """The space whose battle is being fought."""
    combat: Combat | None = None
    """The combat that is being fought, from its first step to its last."""
    at: dict[str, Stack] = own()
    """Stacks are sorted, as whatever looks for something to do goes through them in their order."""
    presence: dict[str, dict[str, None]] = own(plain=False)
    """Power to the spaces in which it has units, sorted: an index of `at`."""
    control: dict[str, str] = own()
    treasury: dict[str, int] = own()
    complexes: dict[str, int] = own()
    """Territory to damage on its industrial complex."""
    start_control: dict[str, str] = shared({})
    hostile_at_start: frozenset[str] = frozenset()
    reach: dict[str, int] | None = shared(None, plain=False)
    """Cache of the landing rules; derived from `start_control`."""
    bought: dict[str, int] = own()
    """The mobilization zone."""
    placed: dict[str, int] = own()
    """Units mobilised this turn, by space."""
    new_complexes: frozenset[str] = frozenset()
    fought: frozenset[str] = frozenset()
    """Spaces in which this turn's combat has been fought."""
    ignored: frozenset[str] = frozenset()
    """Sea zones whose submarines and transports are left alone this turn."""
    refused: frozenset[str] = frozenset()
    """Sea zones in which an ally has not taken fighters aboard this turn."""
    touched: frozenset[str] = frozenset()
    """Spaces in which units of other powers did something this turn without combat."""
    opening: dict[tuple[str, str], int] = shared({})
    built: dict[tuple[str, str], int] = own()
    lost: dict[tuple[str, str], int] = own()
    """Power and type to number: on the board at the start, mobilised, destroyed."""

    def derive(self) -> None:
        self.presence = {power: {} for power in self.facts.powers}
        for space, stack in sorted(self.at.items()):
            for unit in stack:
                self.presence[unit.power][space] = None

    def put(self, space: str, unit: Unit, count: int = 1) -> None:
        """Add units to a space."""
        stack = self.at.get(space)
        if stack is None:
            self.at[space] = {unit: count}
        elif unit in stack:
            self.at[space] = {**stack, unit: stack[unit] + count}
        else:
            new = {**stack, unit: count}
            for other in stack:
                if other > unit:  # goes behind it
                    new[other] = new.pop(other)
            self.at[space] = new
        spaces = self.presence[unit.power]
        if space not in spaces:
            names = [*spaces]
            insort(names, space)
            self.presence[unit.power] = dict.fromkeys(names)

    def take(self, space: str, unit: Unit, count: int = 1) -> None:
        """Remove units from a space; KeyError if they are not there."""
        stack = self.at[space]
        left = stack[unit] - count
        if left < 0:
            raise KeyError(unit)
        new = stack.copy()
        if left:
            new[unit] = left
        else:
            del new[unit]
        if new:
            self.at[space] = new
        else:
            del self.at[space]
        if not left:
            for other in new:
                if other.power == unit.power:
                    return
            spaces = self.presence[unit.power].copy()
            del spaces[space]
            self.presence[unit.power] = spaces

    def change(self, space: str, unit: Unit, count: int, **fields: Any) -> Unit:
        """Give `count` of these units other attributes; the changed unit."""
        changed = replace(unit, **fields)
        if changed != unit:
            self.take(space, unit, count)
            self.put(space, changed, count)
        return changed

    def destroy(self, space: str, unit: Unit, count: int = 1) -> None:
        """Remove destroyed units, with whatever they carry."""
        self.take(space, unit, count)
        for piece in (unit, *unit.cargo):
            key = (piece.power, piece.type)
            self.lost[key] = self.lost.get(key, 0) + count

    def stack(self, space: str) -> Stack:
        """The units in a space; do not change it."""
        return self.at.get(space, _NOTHING)

    def units(self) -> Iterator[tuple[str, Unit, int]]:
        """Every unit on the board that is not cargo, with its space and number."""
        for space, stack in self.at.items():
            for unit, count in stack.items():
                yield space, unit, count

    def units_of(self, power: str) -> Iterator[tuple[str, Unit, int]]:
        """The units of a power that are not cargo, each kind with its space and number."""
        for space in self.presence[power]:
            for unit, count in self.at[space].items():
                if unit.power == power:
                    yield space, unit, count


_NOTHING: Stack = {}
