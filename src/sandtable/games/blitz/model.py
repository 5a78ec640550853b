"""The state of a game: plain records, nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from sandtable.games.blitz.facts import Facts
from sandtable.games.blitz.tables import Domain, Profile, Scenario
from sandtable.kernel import state as kernel
from sandtable.kernel.state import declared, own, shared

PHASES = ("axis_activities", "allied_activities", "axis_blitzes", "allied_blitzes", "turn_end")


NEUTRAL = ""
"""The power of neutral areas and of neutral countries' units."""

_FLIGHTS = ("flights",)

_UNHELD = (_FLIGHTS[0], "areas")
"""What is kept under these keys does not depend on who holds an area, only on whether it is
neutral, and on flags."""


class Unit(Struct, frozen=True, gc=False):
    """A unit on the map."""

    power: str
    """The major power that runs it; NEUTRAL for a neutral country's own."""
    size: int
    at: str
    """The land or sea area."""
    port: str = ""
    """Of a naval unit in a land area: the port (the id of its first sea)."""
    aboard: str = ""
    """The transport that carries it, in the same area; of an A-Bomb, the air unit."""
    done: tuple[str, ...] = ()
    """What it did in this phase, sorted: returned (to base), sailed (to sea), rebased, moved,
    landed (from a transport), carried (by one), fought (in a sea area combat)."""


class Attack(Struct, frozen=True, gc=False):
    """A land area combat that has been announced."""

    kind: str
    """ground, factory or port; `disputed` bars a land area over which allies fell out"""
    target: str
    powers: tuple[str, ...]
    """Who attacks, the one who announced it first."""
    units: tuple[str, ...]
    """The attacking units, in the order of commitment."""
    port: str = ""
    """The port that is attacked."""
    flying: tuple[str, ...] = ()
    """The PARAs among `units` that use their air movement."""
    defenders: tuple[str, ...] = ()
    """Air and naval units committed to the defence."""
    defended: bool = False
    """The other side has committed what it wants to."""
    resolved: bool = False


class Strike(Struct, frozen=True, gc=False):
    """What units that are under fire have to suffer yet: points of damage, or a letter's effect."""

    at: str
    units: tuple[str, ...]
    enemy: str
    """The power of the other side: it and the units' owner choose in turn, the owner first."""
    number: int = -1
    """So many points of damage; so many units that return to base, -1 until they are counted."""
    letter: str = ""
    """What sends units back to base: S, L or B."""
    convoy: str = ""
    """The sea area whose convoy is among them."""
    given: int = 0
    """How many of them have been given out."""


class Combat(Struct, frozen=True, gc=False):
    """The combat that is being fought: all that its procedures know; they keep only their place."""

    kind: str
    """ground, factory, port or sea"""
    at: str
    attackers: tuple[tuple[str, str, int], ...]
    """Unit, power and Size with which each began."""
    defenders: tuple[tuple[str, str, int], ...]
    steps: tuple[str, ...]
    """What is yet to come, in order: Rounds, and what follows from them."""
    guards: tuple[str, ...] = ()
    """The air and naval units that defend: at sea all of them, on land those committed."""
    powers: tuple[str, ...] = ()
    """Who attacks a land area, the one who announced it first."""
    convoy: str = ""
    """The power whose convoy takes part."""
    port: str = ""
    """The port that is attacked."""
    flying: tuple[str, ...] = ()
    """The PARAs among the attackers that use their air movement."""
    based: tuple[str, ...] = ()
    """The guards that have their base in the land area."""
    armour: bool = False
    """The attackers had more ARM when the combat began."""
    round: str = ""
    """The Round that was fired last: air, naval, land or strategic."""
    factors: tuple[int | None, int | None] = (None, None)
    """What the attackers and the defenders fired with in it."""
    results: tuple[tuple[int, str], tuple[int, str]] = ((0, ""), (0, ""))
    """Points of damage and letter, done by the attackers and by the defenders."""
    leaders: tuple[str, str] = ("", "")
    """The powers that speak for the attackers and for the defenders in it."""
    strikes: tuple[Strike, ...] = ()
    """What the results have yet to do, in order."""
    left: tuple[str, ...] = ()
    """Those who had to leave the combat."""
    blocked: tuple[str, ...] = ()
    """The attackers that may not advance."""
    home: tuple[str, ...] = ()
    """The air units that have returned to base after it."""


class Order(Struct, frozen=True, order=True, gc=False):
    """Something ordered in secret at the end of a turn, carried out when all have finished."""

    unit: str
    size: int
    """The Size that it is to have (0: it is destroyed)."""
    at: str = ""
    """For a unit from the Force Pool: where it is placed."""
    port: str = ""


class Account(Struct, frozen=True, gc=False):
    """Oil and Resources that only the units of some countries can have: of an isolated ally (with
    those that it can reach), or of China. They cannot be saved."""

    countries: tuple[str, ...]
    oil: int
    resources: int


class Book(Struct, frozen=True, gc=False):
    """A power's secret accounts while the turn's builds are made."""

    oil: int = 0
    """Not yet spent, what was saved included."""
    resources: int = 0
    passing: int = 0
    """Of the Resources, those that cannot be saved."""
    minors: tuple[Account, ...] = ()
    orders: tuple[Order, ...] = ()
    free_gar: bool = True
    """The free GAR of this turn is still to be had."""
    free_unit: str = ""
    """The only GAR that can be the free one, if a saboteur chose it."""
    drawn: tuple[str, ...] = ()
    """The counters that research found."""
    bomb: int = -1
    """The box of the A-Bomb; 0 once tested, -1 before it is selected."""
    bomb_developed: bool = False
    bomb_tested: bool = False
    sabotaged: tuple[tuple[str, int], ...] = ()
    """Victims of sabotage with the die rolled."""
    duties: tuple[str, ...] = ()
    """Countries whose units have yet to get a Resource (9.3)."""
    commander: tuple[str, str, str] | None = None
    """The commander placed this turn, with his area and the unit that he commands, if any."""
    done: bool = False


@declared
class State(kernel.State):
    """A position. Tuples, frozensets and named tuples are shared between copies; the dicts of a
    state are its own, and their values are replaced, never changed in place."""

    facts: Facts
    scenario_id: str = shared(plain=False)
    scenario: Scenario = shared(plain=False)
    in_play: frozenset[str] = shared(plain=False)
    players: tuple[tuple[str, ...], ...] = ()
    """The powers that each player runs."""
    turn: int = 0
    phase: str = ""
    """One of PHASES; before the first turn: what the players settle beforehand."""
    step: str = ""
    """Within a phase: where its procedure is. A to F in activities and blitzes."""
    queue: tuple[str, ...] = ()
    """The powers that have yet to finish the present step, the one to act first."""
    waited: int = 0
    """How many in the queue have let the others go first since anything was done."""
    units: dict[str, Unit] = own()
    at: dict[str, tuple[str, ...]] = own(plain=False)
    """Area to the units there, sorted: an index of `units`."""
    owned: dict[str, tuple[str, ...]] = own(plain=False)
    """Power to its units on the map, sorted: an index of `units`."""
    control: dict[str, str] = own()
    """Land area in play to the power that controls it, or NEUTRAL."""
    allied: dict[str, str] = own()
    """Country to the power that governs it, or NEUTRAL. A conquered country keeps the one
    that lost it."""
    original: dict[str, str] = own()
    """Country to the power that first had it, if any had."""
    conquered: dict[str, str] = own()
    """Conquered country to the side that conquered it."""
    new_home: dict[str, str] = own()
    """Conquered country to the country that is now home to its units on the map."""
    wars: frozenset[tuple[str, str]] = frozenset()
    """Pairs of powers at war, in both orders."""
    minor_wars: frozenset[tuple[str, str]] = frozenset()
    """Country and enemy power, where the country's own power is not at war with it."""
    entry: dict[str, int] = own()
    """Power whose entry into the war is limited (7.2) to the box of its marker."""
    trades: tuple[str, ...] = ()
    """The trade agreements in force."""
    oil: dict[str, int] = own()
    resources: dict[str, int] = own()
    """Saved."""
    vp: dict[str, int] = own()
    pool: dict[str, tuple[str, ...]] = own()
    """Power to the counters in its Force Pool, sorted; Big ones end in `.big`. The Big counter
    of a unit is there also while its Small one is on the map."""
    groups: dict[str, tuple[tuple[str, ...], ...]] = own()
    """Power to its Groups of counters still to be developed."""
    aside: dict[str, str] = own()
    """Counter set aside to the country that has to be free or allied for it."""
    removed: frozenset[str] = frozenset()
    """Counters out of the game for good."""
    factory_damage: dict[str, int] = own()
    convoy_damage: dict[str, int] = own()
    """By land area, and by sea area."""
    partisans: tuple[str, ...] = ()
    """Areas with a Partisan."""
    blitz: dict[str, str] = own()
    """The Blitz that each power of the acting side chose this phase."""
    free_used: dict[str, int] = own()
    """Size moved in a Free Blitz."""
    attacks: tuple[Attack, ...] = ()
    combat: Combat | None = None
    fought: frozenset[str] = frozenset()
    """Sea areas whose combat has been fought in this step."""
    bombs: dict[str, int] = own()
    """Power to the box of its A-Bomb while that is developed; 0 once tested."""
    atomic: tuple[tuple[str, int], ...] = ()
    """Powers that have tested an A-Bomb with success, with the turn, in order."""
    books: dict[str, Book] = own()
    """Empty but in the secret part of the turn's end."""
    commanders: dict[str, tuple[str, str]] = own()
    """Commander on the map to his area and the unit that he commands, if any."""
    sabotage: tuple[tuple[str, str, str], ...] = ()
    """Saboteur, victim and what the saboteur does next turn: spend, gar or develop."""
    factory_points: dict[str, tuple[str, bool]] = own()
    """Area whose Factory a power took to that power, and whether it looted instead."""
    taken: dict[str, tuple[str, bool]] = own()
    """Area taken from the Axis by Ground Attack this turn to the power that took it, and
    whether without loss."""
    deeds: dict[str, int] = own()
    """What happened this turn and victory cards ask about, counted."""
    flags: frozenset[str] = frozenset()
    """What has happened in this game once and for all."""
    bids: dict[str, int] = own()
    """First power of a player's group to the bid that is added to the player's points."""
    _cache: dict[Any, Any] = own(plain=False)
    """Derived from the rest; emptied by whatever could change it."""
    _lasting: dict[Any, Any] = own(plain=False)
    """The same of what units have no part in."""

    def derive(self) -> None:
        self.scenario_id = self.options["scenario"]
        self.scenario = self.facts.scenarios[self.scenario_id]
        self.in_play = self.facts.areas_in_play[self.scenario_id].union(self.control)
        for id, unit in sorted(self.units.items()):
            self.at[unit.at] = (*self.at.get(unit.at, ()), id)
            self.owned[unit.power] = (*self.owned.get(unit.power, ()), id)

    # --- units -------------------------------------------------------------------------------

    def put(self, id: str, unit: Unit) -> None:
        """Place a unit on the map, or change whatever about one that is there."""
        old = self.units.get(id)
        self.units[id] = unit
        if old is None or old.power != unit.power:
            if old is not None:
                self._leave_power(id, old.power)
            self.owned[unit.power] = tuple(sorted((*self.owned.get(unit.power, ()), id)))
        if old is None or old.at != unit.at:
            if old is not None:
                self._leave(id, old.at)
            self.at[unit.at] = tuple(sorted((*self.at.get(unit.at, ()), id)))
            if self.commanders:
                for commander, (_, led) in list(self.commanders.items()):
                    if led == id:
                        self.commanders[commander] = (unit.at, id)
        elif old.power == unit.power and old.size == unit.size:
            return
        self._cache.clear()

    def change(self, id: str, **fields: Any) -> Unit:
        """Change something about a unit on the map; the changed unit."""
        unit = replace(self.units[id], **fields)
        self.put(id, unit)
        return unit

    def mark(self, id: str, deed: str) -> None:
        """Note what a unit did in this phase."""
        unit = self.units[id]
        if deed not in unit.done:
            self.units[id] = replace(unit, done=tuple(sorted((*unit.done, deed))))

    def take(self, id: str) -> Unit:
        """Remove a unit from the map; the counter goes nowhere (see rules.counters)."""
        unit = self.units.pop(id)
        self._leave(id, unit.at)
        self._leave_power(id, unit.power)
        self._cache.clear()
        return unit

    def _leave_power(self, id: str, power: str) -> None:
        self.owned[power] = tuple(other for other in self.owned[power] if other != id)

    def _leave(self, id: str, area: str) -> None:
        left = tuple(other for other in self.at[area] if other != id)
        if left:
            self.at[area] = left
        else:
            del self.at[area]

    def units_at(self, area: str) -> tuple[str, ...]:
        """The units in an area, those aboard others included."""
        return self.at.get(area, ())

    def of(self, power: str) -> Iterator[tuple[str, Unit]]:
        """The units of a power on the map, in the order of their names."""
        units = self.units
        for id in self.owned.get(power, ()):
            yield id, units[id]

    def cargo(self, id: str) -> tuple[str, ...]:
        """What is aboard a unit."""
        there, units = self.at[self.units[id].at], self.units
        if len(there) == 1:
            return ()
        return tuple([other for other in there if units[other].aboard == id])

    def profile(self, id: str) -> Profile:
        """The factors of a unit at its present Size."""
        return self.facts.profiles[id, self.units[id].size]

    def type(self, id: str) -> str:
        """The type of a unit at its present Size."""
        return self.facts.type_at[id, self.units[id].size]

    def domain(self, id: str) -> Domain:
        """land, air or naval."""
        return self.facts.domain[id]

    def sized(self, ids: Iterable[str]) -> tuple[tuple[str, str, int], ...]:
        """Units on the map with their powers and Sizes."""
        return tuple((id, self.units[id].power, self.units[id].size) for id in ids)

    def by_power(self, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Units on the map by the powers that have them, as events tell of them."""
        found: dict[str, tuple[str, ...]] = {}
        for id in ids:
            power = self.units[id].power
            found[power] = (*found.get(power, ()), id)
        return found

    # --- control ------------------------------------------------------------------------------

    def set_control(self, area: str, power: str) -> None:
        """Give a land area to a power; nothing else (see rules.control)."""
        if (self.control.get(area, NEUTRAL) == NEUTRAL) != (power == NEUTRAL):
            self._lasting.clear()
        self.control[area] = power
        self.forget()

    def flights(self) -> dict[tuple[str, int], dict[str, int]]:
        """Where aircraft get to, as far as it was looked up since neutral land last changed."""
        found: dict[tuple[str, int], dict[str, int]] | None = self._lasting.get(_FLIGHTS)
        if found is None:
            found = self._lasting[_FLIGHTS] = {}
        return found

    def set_ally(self, country: str, power: str) -> None:
        """Give the government of a country to a power; nothing else (see rules.alignment)."""
        self.allied[country] = power
        self.forget()

    def set_convoy_damage(self, damage: dict[str, int]) -> None:
        """Change the damage on convoys, by sea area."""
        self.convoy_damage = damage
        self._cache.clear()

    def set_wars(self, wars: frozenset[tuple[str, str]]) -> None:
        """Change who is at war."""
        self.wars = wars
        self.forget()

    def cached(self, key: Any) -> Any:
        """Something derived that was kept, or None. Keys begin with the name of their module."""
        found = self._lasting.get(key)
        return self._cache.get(key) if found is None else found

    def keep(self, key: Any, value: Any, *, lasting: bool = False) -> Any:
        """Keep something derived until units, control, wars, convoys or flags change; the value.

        What is `lasting` depends on no unit, and outlives their moves.
        """
        (self._lasting if lasting else self._cache)[key] = value
        return value

    def forget(self) -> None:
        """Drop what was derived, after a change that put, take and set_control do not see."""
        self._cache.clear()
        self._lasting = {key: kept for key, kept in self._lasting.items() if key[0] in _UNHELD}

    def drop_derived(self) -> None:
        """Drop all that was derived."""
        self._cache.clear()
        self._lasting.clear()

    def flag(self, name: str) -> None:
        """Note what has happened once and for all."""
        self.flags |= {name}
        self.drop_derived()

    def unflag(self, name: str) -> None:
        """Take back what was noted."""
        self.flags -= {name}
        self.drop_derived()

    def count(self, deed: str, number: int = 1) -> None:
        """Count something that victory cards ask about."""
        self.deeds[deed] = self.deeds.get(deed, 0) + number
