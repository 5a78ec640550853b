"""The combat procedure in plain Python and exact fractions, to test the engine against.

Written from the rulebook, unit by unit, without any of the engine's ideas: a state is a list of
units in the order in which their owner gives them up, a round is played out for every possible
number of hits of each unit, and hits are matched to units one by one. Slow; for small battles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache

ATTACK = {
    "infantry": 1, "artillery": 2, "tank": 3, "fighter": 3, "bomber": 4, "battleship": 4,
    "aircraft_carrier": 1, "cruiser": 3, "destroyer": 2, "submarine": 2,
}  # fmt: skip
DEFENSE = {
    "infantry": 2, "artillery": 2, "tank": 3, "fighter": 4, "bomber": 1, "battleship": 4,
    "aircraft_carrier": 2, "cruiser": 3, "destroyer": 2, "submarine": 1,
}  # fmt: skip
AIR = {"fighter", "bomber"}
LAND = {"infantry", "artillery", "tank"}

Side = tuple[str, ...]
"""Units on the strip in the order of loss. A whole battleship is there twice: its "damage" comes
before it. Seaborne units have an asterisk, submerged submarines are not on the strip."""
Ends = dict[tuple[Side, Side], Fraction]


def kind(unit: str) -> str:
    return unit.rstrip("*")


@cache
def hits(values: tuple[int, ...]) -> dict[int, Fraction]:
    """The chances of each number of hits for dice with these values."""
    chances = {0: Fraction(1)}
    for value in values:
        new: dict[int, Fraction] = {}
        for n, p in chances.items():
            new[n] = new.get(n, Fraction(0)) + p * Fraction(6 - value, 6)
            new[n + 1] = new.get(n + 1, Fraction(0)) + p * Fraction(value, 6)
        chances = {n: p for n, p in new.items() if p}
    return chances


def matched(targets: list[str], shots: list[str]) -> bool:
    """Whether every target can be struck by a shot of its own (augmenting paths)."""
    taken: dict[int, int] = {}

    def place(t: int, seen: set[int]) -> bool:
        for k, shot in enumerate(shots):
            if k not in seen and may_strike(shot, targets[t]):
                seen.add(k)
                if k not in taken or place(taken[k], seen):
                    taken[k] = t
                    return True
        return False

    return all(place(t, set()) for t in range(len(targets)))


def may_strike(shot: str, target: str) -> bool:
    if shot == "sub":
        return target not in AIR
    if shot == "air":  # aircraft without a destroyer beside them
        return target != "submarine"
    return True


def suffer(side: Side, shots: list[str]) -> Side:
    """What is left: as many hits as possible, by the order of loss, transports last."""
    chosen: list[int] = []
    for k, unit in enumerate(side):
        if unit == "transport" or (unit == "battleship" and not _damaged(side, k, chosen)):
            continue
        if matched([kind(side[c]) for c in chosen] + [kind(unit)], shots):
            chosen.append(k)
    spare = len(shots) - len(chosen)
    for k, unit in enumerate(side):
        if unit == "transport" and spare:
            chosen.append(k)
            spare -= 1
    return tuple(unit for k, unit in enumerate(side) if k not in chosen)


def _damaged(side: Side, at: int, chosen: list[int]) -> bool:
    """Whether this battleship has had its first hit: there are more ships than first hits."""
    whole = sum(u == "damage" for k, u in enumerate(side) if k not in chosen)
    ships = sum(u == "battleship" for k, u in enumerate(side) if k not in chosen)
    return ships > whole


def fighting(side: Side) -> bool:
    return any(unit not in ("transport", "damage", "aaa") for unit in side)


def attack_values(side: Iterable[str]) -> tuple[int, ...]:
    units = [kind(u) for u in side]
    guns = units.count("artillery")
    values = []
    for unit in units:
        value = ATTACK.get(unit, 0)
        if unit == "infantry" and guns:
            guns -= 1
            value = 2
        values.append(value)
    return tuple(v for v in values if v)


def defense_values(side: Iterable[str]) -> tuple[int, ...]:
    return tuple(DEFENSE[kind(u)] for u in side if kind(u) in DEFENSE)


State = tuple[Side, Side, int]
"""Attacker, defender, rounds fought: exactly if they are limited, else 0 or 1 (any number)."""


def chain(
    start: dict[State, Fraction],
    step: Callable[[Side, Side], Ends],
    over: Callable[[Side, Side], bool],
    stop: Callable[[Side, Side], bool],
    limit: int = 0,
) -> Ends:
    """All ends; the attacker retreats where `stop` says so, or after `limit` rounds."""
    ends: Ends = {}
    open_ = dict(start)
    while open_:
        # The state with most units, and most of them afloat, cannot be reached from any other.
        state = max(open_, key=_height)
        weight = open_.pop(state)
        a, d, rounds = state
        if over(a, d) or (rounds and (stop(a, d) or rounds == limit)):
            ends[a, d] = ends.get((a, d), Fraction(0)) + weight
            continue
        after = step(a, d)
        if rounds and not limit:
            same = after.pop((a, d), Fraction(0))
            weight /= 1 - same
        for (x, y), p in after.items():
            key = (x, y, rounds + 1 if limit else 1)
            open_[key] = open_.get(key, Fraction(0)) + weight * p
    return ends


def _height(state: State) -> tuple[int, int, int]:
    units = state[0] + state[1]
    return len(units), units.count("submarine"), -state[2]


# --- land -----------------------------------------------------------------------------------------


def land_battle(
    attacker: Side,
    defender: Side,
    *,
    bombard: tuple[int, ...] = (),
    stop: Callable[[Side, Side], bool] = lambda a, d: False,
    limit: int = 0,
) -> Ends:
    """A land battle from antiaircraft fire to the end."""

    def over(a: Side, d: Side) -> bool:
        return not a or not fighting(d)

    def step(a: Side, d: Side) -> Ends:
        return exchange(a, d, d)

    def exchange(a: Side, d: Side, firing: Side) -> Ends:
        ends: Ends = {}
        for x, p in hits(attack_values(a)).items():
            for y, q in hits(defense_values(firing)).items():
                key = (suffer(a, ["any"] * y), suffer(d, ["any"] * x))
                ends[key] = ends.get(key, Fraction(0)) + p * q
        return ends

    if not fighting(defender):
        return {(attacker, ()): Fraction(1)}
    planes = [u for u in attacker if u in AIR]
    dice = min(3 * defender.count("aaa"), len(planes))
    begin: dict[State, Fraction] = {}
    for shot, p in hits((1,) * dice).items():
        gone = list(planes[:shot])
        left = []
        for unit in attacker:
            if unit in gone:
                gone.remove(unit)
            else:
                left.append(unit)
        a = tuple(left)
        if not a:
            begin[a, defender, 1] = begin.get((a, defender, 1), Fraction(0)) + p
            continue
        for b, q in hits(bombard).items():
            standing = suffer(defender, ["any"] * b)
            for (x, y), r in exchange(a, standing, defender).items():
                key = (x, y, 1)
                begin[key] = begin.get(key, Fraction(0)) + p * q * r
    ends = chain(begin, step, over, stop, limit)
    final: Ends = {}
    for (a, d), p in ends.items():
        key = (a, d) if fighting(d) or not a else (a, ())
        final[key] = final.get(key, Fraction(0)) + p
    return final


# --- sea ------------------------------------------------------------------------------------------


def deadlocked(a: Side, d: Side) -> bool:
    """Whether the fighting units of the two sides cannot hit each other."""

    def can(one: Side, other: Side) -> bool:
        helped = "destroyer" in one
        for unit in one:
            for target in other:
                if {unit, target} & {"transport", "damage"}:
                    continue
                shot = "sub" if unit == "submarine" else "any"
                if unit in AIR and not helped:
                    shot = "air"
                if may_strike(shot, target):
                    return True
        return False

    return not can(a, d) and not can(d, a)


def sea_battle(
    attacker: Side,
    defender: Side,
    *,
    dive: tuple[str, str] = ("strike", "strike"),
    can_retreat: bool = True,
    stop: Callable[[Side, Side], bool] = lambda a, d: False,
    limit: int = 0,
) -> Ends:
    """A sea battle; the ends have submerged submarines as "submerged"."""

    def over(a: Side, d: Side) -> bool:
        return deadlocked(*(tuple(u for u in s if u != "submerged") for s in (a, d)))

    def shots(
        units: list[str], values: dict[str, int], helped: bool
    ) -> dict[tuple[str, ...], Fraction]:
        groups: dict[str, list[int]] = {"sub": [], "air": [], "any": []}
        for unit in units:
            if unit in values:
                group = "sub" if unit == "submarine" else "any"
                if unit in AIR and not helped:
                    group = "air"
                groups[group].append(values[unit])
        result: dict[tuple[str, ...], Fraction] = {(): Fraction(1)}
        for group, dice in groups.items():
            new: dict[tuple[str, ...], Fraction] = {}
            for had, p in result.items():
                for n, q in hits(tuple(dice)).items():
                    new[had + (group,) * n] = p * q
            result = new
        return result

    def submerge(side: Side, how: str) -> Side:
        alone = all(u in ("submarine", "transport", "submerged") for u in side)
        if how == "submerge" or (how == "last" and alone):
            return tuple("submerged" if u == "submarine" else u for u in side)
        return side

    def hit(side: Side, what: tuple[str, ...]) -> Side:
        down = tuple(u for u in side if u == "submerged")
        return suffer(tuple(u for u in side if u != "submerged"), list(what)) + down

    def step(a: Side, d: Side) -> Ends:
        ours, theirs = "destroyer" in a, "destroyer" in d
        if not theirs:
            a = submerge(a, dive[0])
        if not ours:
            d = submerge(d, dive[1])
        striking = [u for u in a if u == "submarine"] if not theirs else []
        lurking = [u for u in d if u == "submarine"] if not ours else []
        ends: Ends = {}
        for x, p in shots(striking, ATTACK, False).items():
            for y, q in shots(lurking, DEFENSE, False).items():
                a2, d2 = hit(a, y), hit(d, x)
                firing_a = [u for u in a2 if theirs or u != "submarine"]
                firing_d = [u for u in d2 if ours or u != "submarine"]
                for v, r in shots(firing_a, ATTACK, ours).items():
                    for w, s in shots(firing_d, DEFENSE, theirs).items():
                        key = (hit(a2, w), hit(d2, v))
                        ends[key] = ends.get(key, Fraction(0)) + p * q * r * s
        return ends

    first: dict[State, Fraction] = {(attacker, defender, 0): Fraction(1)}
    caught = "transport" in attacker and can_retreat and fighting(defender)
    if over(attacker, defender) and caught:
        # Transports cannot flee before the first round.
        first = {(*k, 1): p for k, p in step(attacker, defender).items()}
    final: Ends = {}
    for (a, d), p in chain(first, step, over, stop, limit).items():
        live_a, live_d = (tuple(u for u in s if u != "submerged") for s in (a, d))
        if over(a, d):
            if fighting(live_a):
                d = tuple(u for u in d if u != "transport")
            if fighting(live_d) and not can_retreat:
                a = tuple(u for u in a if u != "transport")
        final[a, d] = final.get((a, d), Fraction(0)) + p
    return final
