"""Aircraft that still have to land: what can be done about them now, in words and as decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.landing import (
    decks_in,
    landing_territory,
    range_left,
    unlanded,
)
from sandtable.games.aa1942.rules.movement import Move, air_route, fresh, sea_paths
from sandtable.games.aa1942.rules.noncombat_move import check_noncombat_move, relocated
from sandtable.games.aa1942.rules.production import zones_served
from sandtable.games.aa1942.view import symbol
from sandtable.games.aa1942.words import counted, one_stop
from sandtable.kernel.decisions import plain
from sandtable.kernel.display import Choice
from sandtable.kernel.errors import passes

CARRIER = "aircraft_carrier"
LANDS, DECKS = 3, 2
"""So many places are named at most: the nearest territories, and zones with carriers."""


class Waiting(NamedTuple):
    """Aircraft of a type in a space that cannot stay there, and what brings them to land."""

    space: str
    type: str
    number: int
    lands: tuple[Move, ...] = ()
    decks: tuple[Move, ...] = ()
    carriers: tuple[Move, ...] = ()
    """Where they cannot land yet: carriers that could come to meet them."""
    leaving: tuple[Move, ...] = ()
    """And fighters that could make room for them on a carrier."""

    @property
    def moves(self) -> tuple[Move, ...]:
        return (*self.lands, *self.decks, *self.carriers, *self.leaving)


def waiting(s: State) -> tuple[Waiting, ...]:
    """The aircraft that still have to land. As long as one of them can, some of them have moves
    that bring that nearer."""
    groups: dict[tuple[str, str], int] = {}
    for space, unit, count in unlanded(s):
        groups[space, unit.type] = groups.get((space, unit.type), 0) + count
    return tuple(_look(s, Waiting(*key, count)) for key, count in groups.items())


def _look(s: State, group: Waiting) -> Waiting:
    near = _in_range(s, group.space, group.type)
    lands = _landings(s, group, [x for x in near if landing_territory(s, x)], LANDS)
    if group.type != "fighter":
        return group._replace(lands=lands)
    decks = _landings(s, group, [x for x in near if _may_have_decks(s, x)], DECKS)
    if lands or decks:
        return group._replace(lands=lands, decks=decks)
    # Somebody else has to move first: a carrier, or fighters on a deck that is needed; and if they
    # have nowhere to go either, whoever is in their way.
    seen: set[str] = set()
    blocked = [group]
    while blocked:
        zones = {
            each: [x for x in _in_range(s, each.space, each.type) if x in s.facts.sea_next]
            for each in blocked
        }
        hosts = {x: None for near in zones.values() for x in near if decks_in(s, x) > 0}
        carriers = [move for each, near in zones.items() for move in _meeting(s, each, near)]
        leaving = [move for zone in hosts for move in _departure(s, zone)]
        if carriers or leaving:
            return group._replace(carriers=tuple(carriers), leaving=tuple(leaving))
        blocked = [Waiting(zone, "fighter", 1) for zone in hosts if zone not in seen]
        seen |= set(hosts)
    return group


def _in_range(s: State, space: str, type_: str) -> list[str]:
    """The spaces that aircraft of a type can still fly to, the nearest first: their own is one."""
    distance = s.facts.air_distance[space]
    ranges = (range_left(s, u) for u in s.stack(space) if (u.power, u.type) == (s.turn, type_))
    reach = max(ranges, default=-1)
    return sorted((x for x, far in distance.items() if far <= reach), key=distance.__getitem__)


def _landings(s: State, group: Waiting, goals: Iterable[str], most: int) -> tuple[Move, ...]:
    """Landings in the first of these spaces that are legal: of all aircraft together, or of one."""
    found: list[Move] = []
    for goal in goals:
        if goal == group.space or len(found) == most:
            continue
        path = air_route(s.facts, group.space, goal)
        for count in dict.fromkeys((group.number, 1)):
            move = Move({group.type: count}, path)
            if passes(check_noncombat_move, s, move):
                found.append(move)
                break
    return tuple(found)


def _may_have_decks(s: State, zone: str) -> bool:
    if zone not in s.facts.sea_next:
        return False
    return decks_in(s, zone) > 0 or (CARRIER in s.bought and zone in zones_served(s))


def _meeting(s: State, group: Waiting, zones: list[str]) -> tuple[Move, ...]:
    """Moves of carriers to where the fighters can land on them; at once, if there are such."""
    now: list[Move] = []
    later: list[Move] = []
    tried: set[tuple[str, str]] = set()
    for start, carrier, _ in s.units_of(s.turn):
        if carrier.type != CARRIER or not fresh(carrier):
            continue
        for path in sea_paths(s, start, (CARRIER,)):
            move, ends = Move({CARRIER: 1}, path), (start, path[-1])
            if path[-1] not in zones or ends in tried or start == path[-1]:
                continue
            tried.add(ends)
            if passes(check_noncombat_move, s, move):
                (now if _takes(s, move, group) else later).append(move)
    best = sorted(now or later, key=lambda move: zones.index(move.path[-1]))
    return tuple(best[:LANDS])


def _takes(s: State, move: Move, group: Waiting) -> bool:
    """Whether a fighter of the group is or can be on the carrier right after its move."""
    after, goal = relocated(s, move), move.path[-1]
    if goal == group.space:
        return decks_in(after, goal) > decks_in(s, goal)
    return passes(
        check_noncombat_move, after, Move({group.type: 1}, air_route(s.facts, group.space, goal))
    )


def _departure(s: State, zone: str) -> tuple[Move, ...]:
    """The shortest flight of a fighter on a deck to another landing place, if there is one."""
    near = _in_range(s, zone, "fighter")
    goals = [x for x in near if landing_territory(s, x) or _may_have_decks(s, x)]
    return _landings(s, Waiting(zone, "fighter", 1), goals, 1)


# --- for people ----------------------------------------------------------------------------------


def who(s: State, group: Waiting) -> str:
    """`2 fighters in Sea Zone 37`."""
    return f"{counted(s.facts, group.type, group.number)} in {s.facts.name(group.space)}"


def obstacle(s: State, group: Waiting) -> str:
    """What has to happen before the aircraft can land; "" if they can at once."""
    facts = s.facts
    if group.lands or group.decks:
        return ""
    have = "has" if group.number == 1 else "have"
    if group.carriers:
        start, *_, goal = group.carriers[0].path
        return one_stop(
            f"{who(s, group)} {have} no landing place. Bring a carrier, for example from "
            f"{facts.name(start)} to {facts.name(goal)}."
        )
    if group.leaving:
        zone = facts.name(group.leaving[0].path[0])
        return one_stop(
            f"{who(s, group)} {have} no landing place. Make room: a fighter has to leave the "
            f"carrier in {zone} first."
        )
    return f"{who(s, group)} {have} no landing place in reach."


def _deck(s: State, zone: str) -> str:
    which = "a carrier" if decks_in(s, zone) > 0 else "a new carrier"
    return f"{which} in {s.facts.name(zone)}"


def choices(s: State, groups: tuple[Waiting, ...]) -> Iterator[Choice]:
    """The moves that bring aircraft to land, as decisions ready to be taken."""
    facts = s.facts
    taken: list[Move] = []
    for group in groups:
        for move in group.moves:
            if move in taken:
                continue
            taken.append(move)
            ((type_, count),) = move.units.items()
            start, goal = (facts.name(move.path[at]) for at in (0, -1))
            some = f"{count} " if count < group.number else ""
            if move in group.lands:
                label = f"Land {some}in {goal}"
            elif move in group.decks:
                label = f"Land {some}on {_deck(s, move.path[-1])}"
            elif move in group.carriers:
                label = f"Bring a carrier from {start} to {goal}"
            else:
                label = f"Make room: 1 fighter from {start} to {goal}"
            yield Choice(
                label,
                {**plain(move), "path": list(move.path)},
                spaces=move.path,
                symbol=symbol(type_),
                power=s.turn,
                group=f"To land: {who(s, group)}",
            )
