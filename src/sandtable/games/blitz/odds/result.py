"""The answer to a question about a combat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from sandtable.games.blitz.model import Combat, State
from sandtable.games.blitz.odds.tree import Course, Tree
from sandtable.games.blitz.rules.convoys import convoy_stands
from sandtable.games.blitz.rules.sides import OTHER, acting_side, side_of
from sandtable.kernel.events import Event
from sandtable.odds.errors import OddsError

ATTACKER, DEFENDER, DRAW = "attacker", "defender", "draw"

Sizes = dict[str, int]


class NoCombat(OddsError):
    """Nothing is fought."""


class End(NamedTuple):
    """One way in which a combat can end."""

    probability: Fraction
    attacker: Sizes
    """The Sizes left of the attacking units, by id; those destroyed are missing."""
    defender: Sizes
    winner: str
    """ATTACKER if what was attacked is taken, or hurt in this combat, or if the sea area is the
    attacker's alone; at sea DRAW if both sides are left there, or neither; otherwise DEFENDER."""
    taken: bool
    control: str
    """The power that has the land area in the end."""
    advanced: tuple[str, ...]
    retreated: tuple[tuple[str, str], ...]
    """Defending land units that were driven out, with the area they went to."""
    blocked: tuple[str, ...]
    """Attacking land units that may not advance."""
    returned: tuple[str, ...]
    """Units that a letter sent home before a further Round, or from the sea."""
    factory: int
    """Points of damage to the Factory, and to the convoy."""
    convoy: int
    rounds: tuple[str, ...]
    over: bool
    """The game ends with it."""


class Result:
    """All ends of a combat with their probabilities, and what follows from them.

    Probabilities are fractions inside, so that they add up to one; figures are floats.
    """

    def __init__(
        self,
        kind: str,
        target: str,
        names: Mapping[str, str],
        attacker: Sizes,
        defender: Sizes,
        ends: Iterable[End],
        factors: Mapping[str, Mapping[str, tuple[int, int]]],
        *,
        territory: float = 0.0,
        notes: tuple[str, ...] = (),
        samples: int = 0,
    ) -> None:
        self.kind = kind
        """ground, factory, port or sea"""
        self.target = target
        self.names = names
        self.attacker_start = attacker
        self.defender_start = defender
        self.ends = tuple(sorted(ends, key=lambda end: -end.probability))
        self.factors = factors
        """Of each Round, the least and the most that the sides fire with."""
        self.territory = territory
        self.notes = notes
        self.samples = samples
        """The number of courses that were drawn at random; 0 if all were counted."""
        self.elapsed_ms = 0.0

    @property
    def exact(self) -> bool:
        """Whether every course was counted."""
        return not self.samples

    @property
    def standard_error(self) -> float:
        """Of the attacker's chance to win; 0 if it is exact."""
        p = self.attacker_wins
        return float((p * (1 - p) / self.samples) ** 0.5) if self.samples else 0.0

    # --- chances --------------------------------------------------------------------------------

    def chance(self, of: Callable[[End], object]) -> float:
        """The chance of whatever can be told of an end."""
        return float(sum((end.probability for end in self.ends if of(end)), Fraction(0)))

    def mean(self, of: Callable[[End], float]) -> float:
        """The mean of a number that an end has."""
        return float(sum((end.probability * Fraction(of(end)) for end in self.ends), Fraction(0)))

    @property
    def attacker_wins(self) -> float:
        """The chance that the land area is taken (Ground Attack), that the Factory or a ship in
        port is damaged, or that only the attacker is left in the sea area."""
        return self.chance(lambda end: end.winner == ATTACKER)

    @property
    def defender_wins(self) -> float:
        """The chance that it is held, comes to no harm, or that only the defender is left."""
        return self.chance(lambda end: end.winner == DEFENDER)

    @property
    def draw(self) -> float:
        """The chance that both sides are left in the sea area, or neither."""
        return self.chance(lambda end: end.winner == DRAW)

    @property
    def takes_territory(self) -> float:
        """The chance that the attacker takes the land area."""
        return self.chance(lambda end: end.taken)

    @property
    def retreats(self) -> float:
        """The chance that a defending land unit is driven out."""
        return self.chance(lambda end: end.retreated)

    @property
    def blocked(self) -> float:
        """The chance that an attacking land unit may not advance."""
        return self.chance(lambda end: end.blocked)

    @property
    def ends_game(self) -> float:
        """The chance that the game is over with it."""
        return self.chance(lambda end: end.over)

    @property
    def rounds(self) -> float:
        """The mean number of Rounds that are fought."""
        return self.mean(lambda end: len(end.rounds))

    # --- losses ---------------------------------------------------------------------------------

    @property
    def attacker_loss(self) -> float:
        """The mean Size that the attacker loses: what it costs in Resources to build again."""
        return sum(self.attacker_start.values()) - self.mean(lambda e: sum(e.attacker.values()))

    @property
    def defender_loss(self) -> float:
        """The mean Size that the defender loses."""
        return sum(self.defender_start.values()) - self.mean(lambda e: sum(e.defender.values()))

    @property
    def swing(self) -> float:
        """The defender's loss less the attacker's, and the territory's value if it is taken."""
        gain = self.territory * self.takes_territory
        return self.defender_loss - self.attacker_loss + gain

    def expected_left(self, side: str = ATTACKER) -> dict[str, float]:
        """The mean Size left of each unit."""
        start, left = self._side(side)
        return {id: self.mean(lambda end, id=id: left(end).get(id, 0)) for id in start}  # type: ignore[misc]

    def sizes(self, id: str) -> dict[int, float]:
        """The chances of each Size that a unit can have in the end, 0 if it is destroyed."""
        _, left = self._side(ATTACKER if id in self.attacker_start else DEFENDER)
        return self._shares(lambda end: [left(end).get(id, 0)])

    def likeliest(self, side: str) -> list[tuple[float, Sizes]]:
        """What is left of a side, with its chance, the likeliest first."""
        _, left = self._side(side)
        found = self._shares(lambda end: [tuple(sorted(left(end).items()))])
        return [(p, dict(units)) for units, p in sorted(found.items(), key=lambda row: -row[1])]

    def advances(self) -> dict[str, float]:
        """The chance of each attacking unit to advance into the land area."""
        return self._shares(lambda end: end.advanced)

    def driven_out(self) -> dict[tuple[str, str], float]:
        """The chance of each defending unit to retreat, by unit and area."""
        return self._shares(lambda end: end.retreated)

    def stopped(self) -> dict[str, float]:
        """The chance of each attacking unit to be kept from advancing."""
        return self._shares(lambda end: end.blocked)

    def sent_home(self) -> dict[str, float]:
        """The chance of each air or naval unit to be sent home by a letter: see `End.returned`."""
        return self._shares(lambda end: end.returned)

    def _shares(self, of: Callable[[End], Iterable[Any]]) -> dict[Any, float]:
        found: dict[Any, Fraction] = {}
        for end in self.ends:
            for each in of(end):
                found[each] = found.get(each, Fraction(0)) + end.probability
        return {each: float(p) for each, p in sorted(found.items())}

    def _side(self, side: str) -> tuple[Sizes, Callable[[End], Sizes]]:
        if side == ATTACKER:
            return self.attacker_start, lambda end: end.attacker
        return self.defender_start, lambda end: end.defender

    # --- plain data -----------------------------------------------------------------------------

    def to_dict(self, most: int = 12) -> dict[str, Any]:
        """The answer as plain data, with the `most` likeliest survivors of each side."""
        retreats: dict[str, dict[str, float]] = {}
        for (unit, area), p in self.driven_out().items():
            retreats.setdefault(unit, {})[area] = p
        return {
            "combat": self.kind,
            "target": self.target,
            "attacker": self.attacker_start,
            "defender": self.defender_start,
            "attacker_wins": self.attacker_wins,
            "defender_wins": self.defender_wins,
            "draw": self.draw,
            "takes_territory": self.takes_territory,
            "control": self._shares(lambda end: [end.control] if end.control else []),
            "advances": self.advances(),
            "blocked": self.blocked,
            "blocked_units": self.stopped(),
            "retreats": self.retreats,
            "retreat_areas": retreats,
            "returned": self.sent_home(),
            "damage": {
                "factory": _by_points(self._shares(lambda end: [end.factory])),
                "convoy": _by_points(self._shares(lambda end: [end.convoy])),
            },
            "rounds": self.rounds,
            "factors": {
                round_: {side: list(span) for side, span in sides.items()}
                for round_, sides in self.factors.items()
            },
            "attacker_left": self._likely(ATTACKER, most),
            "defender_left": self._likely(DEFENDER, most),
            "attacker_loss": self.attacker_loss,
            "defender_loss": self.defender_loss,
            "swing": self.swing,
            "ends_game": self.ends_game,
            "exact": self.exact,
            "standard_error": self.standard_error,
            "notes": list(self.notes),
            "elapsed_ms": self.elapsed_ms,
        }

    def _likely(self, side: str, most: int) -> dict[str, Any]:
        start, _ = self._side(side)
        return {
            "expected": {id: round(mean, 6) for id, mean in self.expected_left(side).items()},
            "sizes": {id: _by_points(self.sizes(id)) for id in start},
            "likeliest": [
                {"probability": p, "units": units} for p, units in self.likeliest(side)[:most]
            ],
        }

    def __repr__(self) -> str:
        return (
            f"<Result of a {self.kind} combat in {self.target}: attacker "
            f"{self.attacker_wins:.1%}, swing {self.swing:+.1f}>"
        )


def _by_points(shares: Mapping[int, float]) -> dict[str, float]:
    return {str(points): p for points, p in shares.items()}


# --- from courses to ends -------------------------------------------------------------------------


def collect(
    tree: Tree, *, territory: float = 0.0, notes: tuple[str, ...] = (), samples: int = 0
) -> Result:
    """The result of all courses of a combat, or of so many `samples`; OddsError without any."""
    before: State | None = None
    sides: tuple[Sizes, Sizes] = ({}, {})
    kind = target = ""
    ends: dict[Any, End] = {}
    factors: dict[str, dict[str, tuple[int, int]]] = {}
    for course in tree.sampled(samples) if samples else tree.courses():
        if course.combat is None:
            raise NoCombat("There is no combat: neither side can hurt the other.")
        if before is None:
            before = tree.now or tree.start
            kind, target = course.combat.kind, course.combat.at
            sides = _forces(before, course.combat)
        end = _end(before, kind, target, sides, course)
        # Dicts are no keys; their items are.
        key = (frozenset(end.attacker.items()), frozenset(end.defender.items()), *end[3:])
        if key in ends:
            end = end._replace(probability=end.probability + ends[key].probability)
        ends[key] = end
        _note_factors(factors, acting_side(before), course.events)
    assert before is not None
    names = before.facts.names
    return Result(
        kind,
        target,
        names,
        *sides,
        ends.values(),
        factors,
        territory=territory,
        notes=notes,
        samples=samples,
    )


def _forces(s: State, combat: Combat) -> tuple[Sizes, Sizes]:
    """The units of both sides in the position from which the odds are asked for."""
    attackers = [id for id, _, _ in combat.attackers]
    defenders = [id for id, _, _ in combat.defenders]
    if combat.kind == "ground":
        other = OTHER[acting_side(s)]
        defenders += [id for id in s.units_at(combat.at) if side_of(s, s.units[id].power) == other]
    found = []
    for units in (attackers, defenders):
        here = [id for id in units if id in s.units]
        here += [cargo for id in here for cargo in s.cargo(id)]
        found.append({id: s.units[id].size for id in dict.fromkeys(here)})
    return found[0], found[1]


def _end(before: State, kind: str, target: str, sides: tuple[Sizes, Sizes], course: Course) -> End:
    s, side = course.state, acting_side(before)
    attacker, defender = _left(s, sides[0], side), _left(s, sides[1], OTHER[side])
    told: dict[str, list[Event]] = {}
    for event in course.events:
        told.setdefault(event.kind, []).append(event)
    control = s.control.get(target, "")
    taken = kind == "ground" and side_of(s, control) == side
    factory = s.factory_damage.get(target, 0) - before.factory_damage.get(target, 0)
    convoy = s.convoy_damage.get(target, 0) - before.convoy_damage.get(target, 0)
    if kind == "sea":
        winner = _holds_sea(s, target, side, attacker, defender)
    else:
        harm = {"ground": taken, "factory": "factory_damaged" in told}.get(kind)
        if harm is None:
            hurt = [event.data["unit"] for event in told.get("damaged", ())]
            for event in told.get("destroyed", ()):
                hurt += [id for units in event.data["losses"].values() for id in units]
            harm = any(_is_ship_of(s, id, OTHER[side]) for id in hurt)
        winner = ATTACKER if harm else DEFENDER
    return End(
        course.probability,
        attacker,
        defender,
        winner,
        taken,
        control,
        tuple(sorted(id for event in told.get("advanced", ()) for id in event.data["units"])),
        tuple(sorted((e.data["unit"], e.data["path"][-1]) for e in told.get("retreated", ()))),
        tuple(sorted(id for event in told.get("blocked", ()) for id in event.data["units"])),
        _sent_home(kind, course.events),
        factory,
        convoy,
        tuple(dict.fromkeys(event.data["round"] for event in told.get("fired", ()))),
        course.over,
    )


def _is_ship_of(s: State, id: str, side: str) -> bool:
    return s.facts.domain[id] == "naval" and s.facts.side.get(s.facts.kinds[id].power) == side


def _left(s: State, units: Sizes, side: str) -> Sizes:
    """What is left; a ship that changed sides is lost."""
    return {
        id: s.units[id].size
        for id in units
        if id in s.units and side_of(s, s.units[id].power) == side
    }


def _holds_sea(s: State, sea: str, side: str, attacker: Sizes, defender: Sizes) -> str:
    """Who is left in a sea area, convoys included."""
    there = [any(s.units[id].at == sea for id in units) for units in (attacker, defender)]
    if convoy_stands(s, sea):
        there[s.facts.side[s.facts.convoys[sea].power] != side] = True
    if there[0] == there[1]:
        return DRAW
    return ATTACKER if there[0] else DEFENDER


def _sent_home(kind: str, events: list[Event]) -> tuple[str, ...]:
    """The units that a letter sent home; after a combat on land all air units return anyway."""
    fired = [k for k, event in enumerate(events) if event.kind == "fired"]
    last = len(events) if kind == "sea" else (fired[-1] if fired else 0)
    return tuple(
        sorted(
            event.data["unit"]
            for k, event in enumerate(events)
            if event.kind == "turned_back" or (event.kind == "returned" and k < last)
        )
    )


def _note_factors(
    factors: dict[str, dict[str, tuple[int, int]]], side: str, events: list[Event]
) -> None:
    for event in events:
        if event.kind == "fired":
            who = ATTACKER if event.data["side"] == side else DEFENDER
            spans = factors.setdefault(event.data["round"], {})
            number = event.data["factors"]
            least, most = spans.get(who, (number, number))
            spans[who] = min(least, number), max(most, number)
