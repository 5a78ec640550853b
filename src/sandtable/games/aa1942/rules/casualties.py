"""Choosing casualties: which hits may fall on which units, and who chooses (p.16-20, p.30)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import ClassVar

import msgspec

from sandtable.games.aa1942.model import Stack, State, Unit
from sandtable.games.aa1942.words import counted
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Hits(msgspec.Struct, frozen=True):
    """Hits scored in one step, by what they can strike: `any` unit; `air` not submarines
    (aircraft without a destroyer beside them); `sub` not aircraft."""

    any: int = 0
    air: int = 0
    sub: int = 0

    @property
    def total(self) -> int:
        return self.any + self.air + self.sub


class Casualties(Decision, frozen=True, tag="casualties"):
    """The units that are lost, power to unit to number; and battleships that take a first hit,
    power to number.

    A unit is named as the request lists it (`infantry (seaborne)`). A type that is not listed by
    itself stands for all its names.
    """

    lost: dict[str, dict[str, int]] = {}
    damaged: dict[str, int] = {}


class ChooseCasualties(Request, frozen=True, tag="choose_casualties"):
    """Assign the hits of one step to units that they can strike, as many as possible."""

    space: str
    hits: Hits
    units: dict[str, dict[str, int]]
    """Power to unit as named in the answer to number."""
    of: str
    """Whose losses these are: attacker or defender."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Casualties,)

    def check(self, state: State, decision: Casualties) -> None:
        _check_choice(state, self, decision)

    def decisions(self, state: State) -> Iterator[Decision]:
        """Every legal choice, exact names only; no branch is a dead end, so that each takes a time
        that grows with the number of names only."""
        return _choices(state, self)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        yield _choose(state, self, rng)


def label(s: State, unit: Unit) -> str:
    """How casualties name a unit: its type, and what tells it from others of the type."""
    kind = s.facts.units[unit.type]
    if unit.cargo:
        load = ", ".join(
            piece.type if piece.power == unit.power else f"{piece.power} {piece.type}"
            for piece in unit.cargo
        )
        return f"{unit.type} ({load})"
    if unit.duty in ("seaborne", "damaged"):
        return f"{unit.type} ({unit.duty})"
    if kind.domain == "air" and unit.used:
        return f"{unit.type} (range {kind.move - unit.used})"
    return unit.type


def names_of(s: State, units: Stack) -> dict[Unit, str]:
    """The labels of some units; transports alike in cargo but not in goal get that added."""
    names = {unit: label(s, unit) for unit in units}
    goals: dict[tuple[str, str], set[str]] = {}
    for unit, name in names.items():
        goals.setdefault((unit.power, name), set()).add(unit.target)
    for unit, name in names.items():
        if unit.target and len(goals[unit.power, name]) > 1:
            names[unit] = f"{name.removesuffix(')')} for {unit.target})"
    return names


def target_class(s: State, type_: str) -> str:
    """The kind of target that a unit is: air, sub, transport or other."""
    if type_ == "transport":
        return "transport"
    if type_ == "submarine":
        return "sub"
    return "air" if s.facts.units[type_].domain == "air" else "other"


def assignable(hits: Hits, air: int, sub: int, other: int) -> int:
    """How many hits can be assigned to that many aircraft, submarines and other hit points.

    Rules: combat.fire.max-hits, unit.sub.cannot-hit-air, unit.sub.air-immune
    """
    if not hits.air and not hits.sub:
        return min(hits.any, air + sub + other)
    # Maximum flow from three kinds of hits to three kinds of targets: the smallest cut.
    reach = {"any": air + sub + other, "air": air + other, "sub": sub + other}
    best = hits.total
    for with_any, with_air, with_sub in product((False, True), repeat=3):
        cut = 0 if with_any else hits.any
        cut += 0 if with_air else hits.air
        cut += 0 if with_sub else hits.sub
        if with_any or (with_air and with_sub):
            cut += reach["any"]
        elif with_air:
            cut += reach["air"]
        elif with_sub:
            cut += reach["sub"]
        best = min(best, cut)
    return best


def _points(s: State, type_: str, name: str) -> int:
    """Hits that a unit named `name` takes before it is lost."""
    hits = s.facts.units[type_].hits
    return hits - 1 if name.endswith("(damaged)") else hits


def _type_of(name: str) -> str:
    return name.split(" (", 1)[0]


def _totals(s: State, units: dict[str, dict[str, int]]) -> dict[str, int]:
    """Hit points by kind of target."""
    totals = {"air": 0, "sub": 0, "other": 0, "transport": 0}
    for named in units.values():
        for name, count in named.items():
            type_ = _type_of(name)
            totals[target_class(s, type_)] += count * _points(s, type_, name)
    return totals


def due(s: State, hits: Hits, units: dict[str, dict[str, int]]) -> tuple[int, int]:
    """How many hits have to be taken by other units, and how many by transports.

    Rules: combat.casualty.transport-last, combat.fire.max-hits
    """
    return _due(hits, _totals(s, units))


def _due(hits: Hits, totals: dict[str, int]) -> tuple[int, int]:
    fighting = assignable(hits, totals["air"], totals["sub"], totals["other"])
    return fighting, min(totals["transport"], hits.total - fighting)


def resolve_names(
    s: State, request: ChooseCasualties, choice: Casualties
) -> dict[str, dict[str, int]]:
    """The choice with every unit named exactly: a bare type stands for the first of its names
    (damaged before whole, seaborne before overland, least cargo, shortest range).

    Rules: combat.fire.attacker.casualties, combat.fire.defender.casualties
    """
    rule = f"combat.fire.{request.of}.casualties"
    exact: dict[str, dict[str, int]] = {}
    for power, named in choice.lost.items():
        have = request.units.get(power)
        if have is None:
            raise IllegalDecision(f"{s.facts.power_name(power)} has no units in this battle.", rule)
        taken: dict[str, int] = {}
        for name, count in named.items():
            if count < 1:
                raise IllegalDecision(f"{_said(s, name, count)} cannot be lost.", rule)
            options = [name] if name in have else _named(have, name)
            left = count
            for option in options:
                free = min(left, have[option] - taken.get(option, 0))
                if free > 0:
                    taken[option] = taken.get(option, 0) + free
                    left -= free
            if left:
                raise IllegalDecision(
                    f"{s.facts.power_name(power)} does not have {_said(s, name, count)} to lose "
                    "here.",
                    rule,
                )
        exact[power] = taken
    return exact


def _said(s: State, name: str, count: int) -> str:
    """Units as a sentence names them: `2 aircraft carriers (fighter)`."""
    type_, bracket, rest = name.partition(" (")
    return f"{counted(s.facts, type_, count)}{bracket}{rest.replace('_', ' ')}"


def _named(have: dict[str, int], type_: str) -> list[str]:
    def rank(name: str) -> tuple[bool, bool, int, str]:
        return ("(damaged)" not in name, "(seaborne)" not in name, name.count(","), name)

    return sorted((name for name in have if _type_of(name) == type_), key=rank)


def quotas(s: State, request: ChooseCasualties) -> dict[str, int]:
    """How many hits may fall on each kind of target; `all` of them on any but transports.

    Rules: unit.sub.cannot-hit-air, unit.sub.air-immune, combat.casualty.transport-last
    """
    hits = request.hits
    fighting, transports = due(s, hits, request.units)
    return {
        "air": hits.any + hits.air,
        "sub": hits.any + hits.sub,
        "other": fighting,
        "transport": transports,
        "all": fighting,
    }


def _check_choice(s: State, request: ChooseCasualties, choice: Casualties) -> None:
    """Whether a choice takes every hit that can be taken, on units that it can strike.

    Rules: combat.fire.max-hits, combat.casualty.transport-last, combat.fire.attacker.casualties,
        combat.fire.defender.casualties, combat.sub.strike.attacker, combat.sub.strike.defender,
        unit.battleship.two-hits, unit.aaa.casualty, combat.strip.cargo
    """
    exact = resolve_names(s, request, choice)
    for power, count in choice.damaged.items():
        whole = request.units.get(power, {}).get("battleship", 0)
        if not 1 <= count <= whole - exact.get(power, {}).get("battleship", 0):
            raise IllegalDecision(
                f"{s.facts.power_name(power)} has no {count} whole battleships to damage here.",
                "unit.battleship.two-hits",
            )
    chosen = _totals(s, exact)
    chosen["other"] += sum(choice.damaged.values())
    quota = quotas(s, request)
    fighting, transports = quota["all"], quota["transport"]
    taken = chosen["air"] + chosen["sub"] + chosen["other"]
    if chosen["air"] > quota["air"]:
        raise IllegalDecision("Submarines cannot hit aircraft.", "unit.sub.cannot-hit-air")
    if chosen["sub"] > quota["sub"]:
        raise IllegalDecision(
            "Aircraft cannot hit submarines without a destroyer beside them.", "unit.sub.air-immune"
        )
    if taken < fighting and chosen["transport"]:
        raise IllegalDecision(
            "Transports are chosen last: other units can still take these hits.",
            "combat.casualty.transport-last",
        )
    if taken != fighting or chosen["transport"] != transports:
        raise IllegalDecision(
            f"{fighting + transports} hits have to be assigned, not {taken + chosen['transport']}.",
            "combat.fire.max-hits",
        )


def _choices(s: State, request: ChooseCasualties) -> Iterator[Casualties]:
    """Every way to place the hits, unit by unit as the request lists them. A branch that the units
    to come could not complete is not entered: the first choice takes as many steps as there are
    names, and so does each further one."""
    rows: list[tuple[str, str, str, int, int]] = []
    room = [{"air": 0, "sub": 0, "other": 0, "transport": 0}]
    for power, named in reversed(request.units.items()):
        for name, count in reversed(named.items()):
            type_ = _type_of(name)
            kind, points = target_class(s, type_), _points(s, type_, name)
            rows.append((power, name, kind, points, count))
            room.append({**room[-1], kind: room[-1][kind] + points * count})

    def completes(at: int, left: dict[str, int]) -> bool:
        there = room[at]
        most = there["other"] + min(left["air"], there["air"]) + min(left["sub"], there["sub"])
        return most >= left["all"] and there["transport"] >= left["transport"]

    def place(at: int, left: dict[str, int], numbers: tuple[int, ...]) -> Iterator[Casualties]:
        """The choices for the last `at` of `rows`; `numbers` are sunk and hit of those before."""
        if at == 0:
            if not left["all"] and not left["transport"]:
                yield decided(numbers)
            return
        _, _, kind, points, count = rows[at - 1]
        quota = left[kind] if kind == "transport" else min(left[kind], left["all"])
        for sunk in range(min(count, quota // points) + 1):
            # Ships that stay afloat may take a first hit.
            scars = min(count - sunk, quota - sunk * points) if points > 1 else 0
            for hit in range(scars + 1):
                rest = left.copy()
                rest[kind] -= sunk * points + hit
                rest["all"] -= 0 if kind == "transport" else sunk * points + hit
                if completes(at - 1, rest):
                    yield from place(at - 1, rest, (*numbers, sunk, hit))

    def decided(numbers: tuple[int, ...]) -> Casualties:
        lost: dict[str, dict[str, int]] = {}
        damaged: dict[str, int] = {}
        for at, (power, name, *_) in enumerate(reversed(rows)):
            sunk, hit = numbers[2 * at : 2 * at + 2]
            if sunk:
                lost.setdefault(power, {})[name] = sunk
            if hit:
                damaged[power] = hit
        return Casualties(lost, damaged)

    return place(len(rows), quotas(s, request), ())


def _choose(s: State, request: ChooseCasualties, rng: random.Random) -> Casualties:
    """A legal choice at random, hit by hit. Whichever are chosen, the others due can be placed."""
    pool: list[tuple[str, str, str]] = []
    for power, named in request.units.items():
        for name, count in named.items():
            type_ = _type_of(name)
            for _ in range(count):
                pool.extend([(power, name, target_class(s, type_))] * _points(s, type_, name))
    rng.shuffle(pool)
    left = quotas(s, request)
    struck: dict[tuple[str, str], int] = {}
    for power, name, kind in pool:
        over = kind if kind == "transport" else "all"
        if not left[kind] or not left[over]:
            continue
        left[kind] -= 1
        if kind != "transport":
            left["all"] -= 1
        struck[power, name] = struck.get((power, name), 0) + 1
    lost: dict[str, dict[str, int]] = {}
    damaged: dict[str, int] = {}
    for (power, name), points in sorted(struck.items()):
        each = _points(s, _type_of(name), name)
        sunk, scars = divmod(points, each)
        # Scattered first hits are drawn together only as far as there are ships to bear them.
        while (
            each > 1
            and sunk
            and sunk + scars + 2 <= request.units[power][name]
            and rng.random() < 0.5
        ):
            sunk, scars = sunk - 1, scars + 2
        if sunk:
            lost.setdefault(power, {})[name] = sunk
        if scars:
            damaged[power] = damaged.get(power, 0) + scars
    return Casualties(lost, damaged)


def take_casualties(
    g: Table[State],
    space: str,
    units: Stack,
    hits: Hits,
    *,
    of: str,
    attacker: str,
) -> Procedure[Stack]:
    """The units that are lost to some hits, chosen by their owners; first hits mark battleships.

    Nobody is asked where there is nothing to choose. The caller removes the units; `units` stays.

    Rules: multi.defense.casualties, combat.fire.attacker.casualties,
        combat.fire.defender.casualties, unit.battleship.two-hits
    """
    s = g.state
    if not hits.total or not units:
        return {}
    if len(units) == 1 and hits.total == hits.any:
        ((unit, count),) = units.items()
        if s.facts.units[unit.type].hits == 1:
            return {unit: min(count, hits.total)}
    names = names_of(s, units)
    named: dict[str, dict[str, int]] = {}
    for unit, count in sorted(units.items()):
        row = named.setdefault(unit.power, {})
        row[names[unit]] = row.get(names[unit], 0) + count
    totals = _totals(s, named)
    fighting, transports = _due(hits, totals)
    if fighting + transports == sum(totals.values()):
        return dict(units)
    if not fighting + transports:
        return {}
    choice = _only_choice(s, hits, named, fighting, transports)
    if choice is None:
        choice = yield from _ask_owners(g, space, hits, named, of, attacker)
    request = ChooseCasualties(attacker, space, hits, named, of)
    whole = dict(units)
    for power, count in choice.damaged.items():
        g.emit("damaged", space=space, power=power, units={"battleship": count})
        for ship in sorted(units):
            if ship.power == power and names[ship] == "battleship" and count:
                hit = min(count, units[ship])
                s.change(space, ship, hit, duty="damaged")
                whole[ship] -= hit
                count -= hit
    dead: Stack = {}
    for power, lost in resolve_names(s, request, choice).items():
        for name, count in lost.items():
            for unit in sorted(units):
                if unit.power == power and names[unit] == name and count:
                    taken = min(count, whole[unit])
                    if taken:
                        dead[unit] = taken
                    count -= taken
    return dead


def _only_choice(
    s: State, hits: Hits, named: dict[str, dict[str, int]], fighting: int, transports: int
) -> Casualties | None:
    """The choice, where there is only one; else None."""
    eligible: dict[tuple[str, str], int] = {}
    ships: dict[tuple[str, str], int] = {}
    for power, units in named.items():
        for name, count in units.items():
            kind = target_class(s, _type_of(name))
            if kind == "transport":
                ships[power, name] = count
            elif kind == "other" or hits.any + (hits.air if kind == "air" else hits.sub):
                eligible[power, name] = count
    lost: dict[str, dict[str, int]] = {}
    for wanted, names in ((fighting, eligible), (transports, ships)):
        points = {key: count * _points(s, _type_of(key[1]), key[1]) for key, count in names.items()}
        if not wanted:
            continue
        if sum(points.values()) == wanted:
            for (power, name), count in names.items():
                lost.setdefault(power, {})[name] = count
        elif len(names) == 1:
            ((power, name), count), *_ = names.items()
            if points[power, name] > count:
                # A whole battleship that takes its first hit; with more of them there is a choice.
                return Casualties(lost, {power: 1}) if (count, transports) == (1, 0) else None
            lost.setdefault(power, {})[name] = wanted
        else:
            return None
    return Casualties(lost)


def _ask_owners(
    g: Table[State],
    space: str,
    hits: Hits,
    named: dict[str, dict[str, int]],
    of: str,
    attacker: str,
) -> Procedure[Casualties]:
    """Ask the owners. Powers of different players have to agree; else the attacker chooses.

    Rules: multi.defense.casualties
    """
    s = g.state
    players = player_of(s)
    deciders: dict[str, str] = {}
    holder = s.control.get(space)
    for power in sorted(named, key=lambda p: (p != holder, s.facts.powers.index(p))):
        deciders.setdefault(players[power], power)
    requests = [ChooseCasualties(power, space, hits, named, of) for power in deciders.values()]
    if len(requests) == 1:
        choice: Casualties = yield from g.ask(requests[0])
        return choice
    answers = yield from g.ask_all(requests)
    proposals = [
        (resolve_names(s, request, answers[request.power]), answers[request.power].damaged)
        for request in requests
    ]
    if all(proposal == proposals[0] for proposal in proposals):
        choice = answers[requests[0].power]
        return choice
    g.emit("disagreed", space=space, powers=tuple(answers))
    choice = yield from g.ask(ChooseCasualties(attacker, space, hits, named, of))
    return choice


def player_of(s: State) -> dict[str, str]:
    """Which person runs each power; by default one person runs each side."""
    given: dict[str, list[str]] | None = s.options["players"]
    if given is None:
        return s.facts.side
    return {power: player for player, powers in given.items() for power in powers}
