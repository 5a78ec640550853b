"""The state of a game: plain records, nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sandtable.games.aa1942.facts import Facts

PHASES = (
    "purchase",
    "combat_move",
    "conduct_combat",
    "noncombat_move",
    "mobilize",
    "collect_income",
)


class Unit(NamedTuple):
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


class Combat(NamedTuple):
    """How the combat stands that is being fought. Who fights in it is on the board: the units in
    `at` that nothing keeps out. A record is replaced, never changed."""

    at: str
    step: str = ""
    """bombardment, antiaircraft, submarines, surprise strike, surprise strike of the defender,
    attack, defence, retreat; of a raid: air battle, interceptors, complex, bombs. Empty before the
    first round."""
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


class State:
    """A position. Stacks and the start-of-turn records are shared between copies: they are
    replaced, never changed in place."""

    __slots__ = (
        "at",
        "battle",
        "bought",
        "built",
        "combat",
        "complexes",
        "control",
        "facts",
        "fought",
        "hostile_at_start",
        "ignored",
        "lost",
        "new_complexes",
        "opening",
        "options",
        "phase",
        "placed",
        "presence",
        "reach",
        "refused",
        "round",
        "start_control",
        "step",
        "touched",
        "treasury",
        "turn",
    )

    def __init__(self, facts: Facts, options: Mapping[str, Any]) -> None:
        self.facts = facts
        self.options = options
        self.round = 1
        self.turn = facts.powers[0]
        self.phase = PHASES[0]
        self.step = ""
        """Within a phase: where its procedure is."""
        self.battle = ""
        """The space whose battle is being fought."""
        self.combat: Combat | None = None
        """The combat that is being fought, from its first step to its last."""
        self.at: dict[str, Stack] = {}
        self.presence: dict[str, dict[str, None]] = {power: {} for power in facts.powers}
        """Power to the spaces in which it has units: an index of `at`."""
        self.control: dict[str, str] = {}
        self.treasury: dict[str, int] = {}
        self.complexes: dict[str, int] = {}
        """Territory to damage on its industrial complex."""
        self.start_control: dict[str, str] = {}
        self.hostile_at_start: frozenset[str] = frozenset()
        self.reach: dict[str, int] | None = None
        """Cache of the landing rules; derived from `start_control`."""
        self.bought: dict[str, int] = {}
        """The mobilization zone."""
        self.placed: dict[str, int] = {}
        """Units mobilised this turn, by space."""
        self.new_complexes: frozenset[str] = frozenset()
        self.fought: frozenset[str] = frozenset()
        """Spaces in which this turn's combat has been fought."""
        self.ignored: frozenset[str] = frozenset()
        """Sea zones whose submarines and transports are left alone this turn."""
        self.refused: frozenset[str] = frozenset()
        """Sea zones in which an ally has not taken fighters aboard this turn."""
        self.touched: frozenset[str] = frozenset()
        """Spaces in which units of other powers did something this turn without combat."""
        self.opening: dict[tuple[str, str], int] = {}
        self.built: dict[tuple[str, str], int] = {}
        self.lost: dict[tuple[str, str], int] = {}
        """Power and type to number: on the board at the start, mobilised, destroyed."""

    def copy(self) -> State:
        """An independent copy; cost: a handful of shallow dictionary copies."""
        new = State.__new__(State)
        new.facts = self.facts
        new.options = self.options
        new.round = self.round
        new.turn = self.turn
        new.phase = self.phase
        new.step = self.step
        new.battle = self.battle
        new.combat = self.combat
        new.at = self.at.copy()
        new.presence = self.presence.copy()
        new.control = self.control.copy()
        new.treasury = self.treasury.copy()
        new.complexes = self.complexes.copy()
        new.start_control = self.start_control
        new.hostile_at_start = self.hostile_at_start
        new.reach = self.reach
        new.bought = self.bought.copy()
        new.placed = self.placed.copy()
        new.new_complexes = self.new_complexes
        new.fought = self.fought
        new.ignored = self.ignored
        new.refused = self.refused
        new.touched = self.touched
        new.opening = self.opening
        new.built = self.built.copy()
        new.lost = self.lost.copy()
        return new

    def put(self, space: str, unit: Unit, count: int = 1) -> None:
        """Add units to a space."""
        stack = self.at.get(space)
        new = {} if stack is None else stack.copy()
        new[unit] = new.get(unit, 0) + count
        self.at[space] = new
        spaces = self.presence[unit.power]
        if space not in spaces:
            self.presence[unit.power] = {**spaces, space: None}

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
        changed = unit._replace(**fields)
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

    def plain(self) -> dict[str, Any]:
        """The whole position as JSON data."""
        return {
            "round": self.round,
            "turn": self.turn,
            "phase": self.phase,
            "step": self.step,
            "battle": self.battle,
            **({"combat": _combat_plain(self.combat)} if self.combat else {}),
            "units": {
                space: [
                    {"count": count, **_unit_plain(unit)} for unit, count in sorted(stack.items())
                ]
                for space, stack in sorted(self.at.items())
            },
            "control": self.control,
            "treasury": self.treasury,
            "complexes": self.complexes,
            "start_control": self.start_control,
            "hostile_at_start": sorted(self.hostile_at_start),
            "bought": self.bought,
            "placed": self.placed,
            "new_complexes": sorted(self.new_complexes),
            "fought": sorted(self.fought),
            "ignored": sorted(self.ignored),
            **({"refused": sorted(self.refused)} if self.refused else {}),
            "touched": sorted(self.touched),
            "lost": _by_power(self.lost),
            "built": _by_power(self.built),
        }


_NOTHING: Stack = {}


def _unit_plain(unit: Unit) -> dict[str, Any]:
    plain: dict[str, Any] = {"power": unit.power, "type": unit.type}
    for field in ("used", "origin", "duty", "target"):
        if getattr(unit, field):
            plain[field] = getattr(unit, field)
    if unit.cargo:
        plain["cargo"] = [_unit_plain(piece) for piece in unit.cargo]
    return plain


def _combat_plain(combat: Combat) -> dict[str, Any]:
    plain = combat._asdict()
    for field in ("condemned", "lost"):
        plain[field] = [{"count": count, **_unit_plain(unit)} for unit, count in plain[field]]
    return plain


def _by_power(tally: dict[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for (power, type_), count in sorted(tally.items()):
        if count:
            table.setdefault(power, {})[type_] = count
    return table
