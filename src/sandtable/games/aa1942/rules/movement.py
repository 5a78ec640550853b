"""Movement: what both movement phases share (p.8-13, p.21)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import NoReturn

from sandtable.games.aa1942.facts import Facts
from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.spaces import (
    canal_open,
    enemy_destroyer,
    hostile_zone,
    strait_closed,
)
from sandtable.games.aa1942.words import counted
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision

Group = tuple[Unit, int]


class Move(Decision, frozen=True, tag="move"):
    """Move units of one space along a path, from that space to the last one, space by space.

    `raid` sends bombers (and, with the optional rule, escorts) to bomb the complex. `cargo`
    picks ships by what they carry, type to number; without it, those with the least cargo move.
    """

    units: dict[str, int]
    path: tuple[str, ...]
    raid: bool = False
    cargo: dict[str, int] | None = None


class Done(Decision, frozen=True, tag="done"):
    """Nothing more in this phase."""


def domain_of(s: State, move: Move) -> str:
    """The domain (land, air, sea) that all units of a move share; only ships are told by cargo.

    Rules: unit.ic.stats, unit.land.scope, unit.sea.scope
    """
    units = move.units
    if not units:
        raise IllegalDecision("A move names at least one unit.", "map.spaces")
    domain: str = ""
    for type_, count in units.items():
        kind = s.facts.units.get(type_)
        if kind is None:
            raise IllegalDecision(f"There is no unit {s.facts.name(type_)}.", "map.spaces")
        if count < 1:
            raise IllegalDecision(
                f"{count} is no number of units to move ({s.facts.name(type_)}).", "map.spaces"
            )
        if kind.domain == "facility":
            raise IllegalDecision("An industrial complex never moves.", "unit.ic.stats")
        if domain and kind.domain != domain:
            raise IllegalDecision("Land, air and sea units move separately.", "unit.land.scope")
        domain = kind.domain
    if move.cargo is not None and domain != "sea":
        raise IllegalDecision("Only ships are picked by their cargo.", "unit.sea.carry")
    return domain


def check_space(s: State, space: str) -> None:
    """The space exists and is not neutral.

    Rules: map.spaces, neutral.impassable, island.unnamed, island.no-split
    """
    known = s.facts.spaces.get(space)
    if known is None:
        raise IllegalDecision(
            f"There is no space {s.facts.name(space)} on the board.", "map.spaces"
        )
    if known.neutral:
        raise IllegalDecision(
            f"{known.name} is neutral: no unit may enter or fly over it.", "neutral.impassable"
        )


def check_path(s: State, path: tuple[str, ...]) -> None:
    """Every step leads to a neighbouring space, and none into a neutral territory.

    Rules: map.adjacency, map.spaces, map.wrap.horizontal, map.wrap.listed-pairs,
        map.wrap.no-vertical, neutral.impassable, island.unnamed, island.territory,
        canal.land-movement, canal.air, unit.air.count.island, unit.air.count.carrier
    """
    neighbours = s.facts.neighbours
    if len(path) < 2:
        raise IllegalDecision(
            "A path names the space the units are in and those they enter.", "map.adjacency"
        )
    for here, there in pairwise(path):
        if there not in neighbours.get(here, ()):
            _refuse_step(s, here, there)


def _refuse_step(s: State, here: str, there: str) -> NoReturn:
    """Say what is wrong with a step that no unit can make."""
    for space in (here, there):
        check_space(s, space)
    raise IllegalDecision(
        f"{s.facts.name(here)} and {s.facts.name(there)} are not neighbours.", "map.adjacency"
    )


def pick(
    s: State,
    space: str,
    wanted: dict[str, int],
    able: Callable[[Unit], bool],
    order: Callable[[Unit], object] | None = None,
    *,
    rule: str,
    why_not: str = "is free to move there",
) -> list[Group]:
    """The units to take from a space: `wanted` of each type among those `able`, first in `order`.

    Raises IllegalDecision if there are not enough.
    """
    power = s.turn
    groups: list[Group] = []
    stack = s.at.get(space, {})
    for type_, count in wanted.items():
        left = count
        found = [u for u in stack if u.type == type_ and u.power == power and able(u)]
        if len(found) > 1:
            found.sort(key=order or _plainest)  # type: ignore[arg-type]
        for unit in found:
            there = stack[unit]
            if there >= left:
                groups.append((unit, left))
                left = 0
                break
            groups.append((unit, there))
            left -= there
        if left:
            there = sum(n for u, n in stack.items() if u.type == type_ and u.power == power)
            free = count - left
            if there < count:
                raise IllegalDecision(
                    f"{s.facts.power_name(power)} has {counted(s.facts, type_, there)} in "
                    f"{s.facts.name(space)}, not {count}.",
                    "map.spaces",
                )
            raise IllegalDecision(
                f"Only {free} of the {counted(s.facts, type_, there)} in {s.facts.name(space)} "
                f"{why_not}.",
                rule,
            )
    return groups


def _plainest(unit: Unit) -> object:
    """Ships with the least cargo first."""
    return (len(unit.cargo), unit)


def carries(unit: Unit, cargo: dict[str, int] | None) -> bool:
    """Whether a ship carries exactly that cargo (type to number); any ship if None."""
    if cargo is None:
        return True
    aboard: dict[str, int] = {}
    for piece in unit.cargo:
        aboard[piece.type] = aboard.get(piece.type, 0) + 1
    return aboard == {type_: count for type_, count in cargo.items() if count}


def movers(s: State, move: Move, why_not: str, rule: str) -> list[Group]:
    """The land or sea units that make a move: those that have done nothing yet this turn."""
    if move.cargo is None:
        return pick(s, move.path[0], move.units, fresh, why_not=why_not, rule=rule)
    return pick(
        s,
        move.path[0],
        move.units,
        lambda unit: fresh(unit) and carries(unit, move.cargo),
        why_not=why_not,
        rule=rule,
    )


def fresh(unit: Unit) -> bool:
    """Whether a land or sea unit has neither moved nor fought nor done anything else this turn."""
    return not unit.used and not unit.duty


def random_units(s: State, rng: random.Random, tries: int) -> Iterator[tuple[str, Unit, int]]:
    """Some of the acting power's units that have done nothing yet, with their space and number."""
    power, at, draw = s.turn, s.at, rng.random
    spaces = list(s.presence[power])
    number = len(spaces)
    for _ in range(tries if spaces else 0):
        space = spaces[int(draw() * number)]
        stack = at[space]
        free = [u for u in stack if not u.duty and not u.used and u.power == power]
        if free:
            unit = free[int(draw() * len(free))]
            yield space, unit, stack[unit]


def check_sea_path(s: State, path: tuple[str, ...], types: Iterable[str]) -> None:
    """Whether ships can sail along a path of sea zones, wherever it ends.

    They stop in the first hostile zone they enter (the one they start in does not count);
    submarines stop only for destroyers. Canals and the closed strait are minded.

    Rules: combat-move.range, combat-move.stop-hostile, combat-move.sub-transport.no-block,
        sub.move.pass, sub.move.destroyer-stops, unit.sub.no-block, unit.transport.no-block,
        transport.encounter.stop, noncombat.hostile-pass, noncombat.sub, unit.sea.scope
    """
    facts, power = s.facts, s.turn
    for space in path:
        if space not in facts.sea_next:
            raise IllegalDecision(
                f"Ships cannot enter {s.facts.name(space)}: it is land.", "unit.sea.scope"
            )
    reach = min([facts.units[type_].move for type_ in types])
    if len(path) - 1 > reach:
        raise IllegalDecision(
            f"{len(path) - 1} spaces are too far; these ships move {reach}.", "combat-move.range"
        )
    canals, straits = facts.canals, s.options["dardanelles"]
    for here, there in pairwise(path):
        if (here, there) in canals and not canal_open(s, here, there, power):
            raise IllegalDecision(
                f"The canal between {s.facts.name(here)} and {s.facts.name(there)} is closed: the "
                "side must have held its shores at the start of the turn.",
                "canal.timing",
            )
        if straits and strait_closed(s, here, there):
            raise IllegalDecision(
                f"The straits are closed: no ship moves between {s.facts.name(here)} and "
                f"{s.facts.name(there)}.",
                "option.straits-closed",
            )
    for zone in path[1:-1]:
        if any(type_ != "submarine" for type_ in types) and hostile_zone(s, zone, power):
            if s.phase == "noncombat_move":
                check_sea_goal(s, zone, types)
            raise IllegalDecision(
                f"{s.facts.name(zone)} is hostile: ships that enter it end their move there.",
                "transport.encounter.stop"
                if set(types) == {"transport"}
                else "combat-move.stop-hostile",
            )
        if enemy_destroyer(s, zone, power):
            raise IllegalDecision(
                f"An enemy destroyer in {s.facts.name(zone)} stops every submarine that enters.",
                "sub.move.destroyer-stops",
            )


def check_sea_goal(s: State, zone: str, types: Iterable[str]) -> None:
    """Whether ships may end a noncombat move in a zone: a hostile one is for submarines only.

    Rules: noncombat.sea, noncombat.sub
    """
    if hostile_zone(s, zone, s.turn) and any(type_ != "submarine" for type_ in types):
        raise IllegalDecision(
            f"{s.facts.name(zone)} is hostile: ships cannot enter it in noncombat movement.",
            "noncombat.sea",
        )


def sea_paths(s: State, zone: str, types: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The paths that such ships can sail from a zone, shortest first; also there and back."""
    types = tuple(types)
    paths: list[tuple[str, ...]] = [(zone,)]
    for _ in range(min(s.facts.units[type_].move for type_ in types)):
        longer = []
        for path in paths:
            for there in s.facts.sea_next[path[-1]]:
                try:
                    check_sea_path(s, (*path, there), types)
                except IllegalDecision:
                    continue
                longer.append((*path, there))
        yield from longer
        paths = longer


@cache
def air_route(facts: Facts, here: str, there: str) -> tuple[str, ...]:
    """A shortest path for an air unit, both ends included."""
    path = [here]
    while path[-1] != there:
        left = facts.air_distance[path[-1]][there]
        path.append(
            min(n for n in facts.neighbours[path[-1]] if facts.air_distance[n][there] == left - 1)
        )
    return tuple(path)
