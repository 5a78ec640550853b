"""Aircraft: flights, and the proof that they can land (8.3, 10.3).

A flight is legal only if afterwards no more aircraft are without a landing place than before. Land
is looked for first; aircraft that find none within reach need a deck, and decks are assigned by a
plan: carriers that still may move go, one after the other, where most of these aircraft could land.
A plan that exists is good enough; that there is no better one is never shown, so the work grows
with aircraft times carriers, whatever the position.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from sandtable.board.matching import most_assigned
from sandtable.games.gw36.facts import UnitType, pair
from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.movement import (
    Group,
    base_points,
    check_path,
    free,
    lift,
    points,
    spent,
)
from sandtable.games.gw36.rules.sharing import hostile_sea
from sandtable.games.gw36.rules.terms import on
from sandtable.games.gw36.rules.zones import (
    Side,
    barred,
    enemy_fighters,
    has_base,
    side,
    step_closed,
)
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

FAR = 99


# --- flying ---------------------------------------------------------------------------------------


def open_sky(s: State, nation: str, sides: Side, zone: str) -> bool:
    """Whether a nation's aircraft may fly over a zone: not over neutrals, nor over nations with
    which it is neither at war nor Aligned, nor over Enemy fighters.

    Rules: 8.3a, 8.3b, 1.15d, 1.18a, 10.3b
    """
    owner = s.possession.get(zone)
    if owner is not None and owner not in sides.friends and owner not in sides.foes:
        return False
    return zone not in s.at or not enemy_fighters(s, nation, zone)


def check_flight(s: State, nation: str, path: tuple[str, ...]) -> None:
    """Aircraft can fly along a path; where it ends is another matter.

    Rules: 0.8a, 0.8b, 0.8c, 8.3a, 8.3b, 1.1c, 1.7d, 1.15d
    """
    check_path(s, path, s.facts.neighbours)
    sides = side(s, nation)
    for zone in path[1:-1]:
        owner = s.possession.get(zone)
        if owner is not None and owner not in sides.friends and owner not in sides.foes:
            raise IllegalDecision(
                f"{s.facts.name(nation)} is neither at war nor Aligned with {s.facts.name(owner)}: "
                f"its aircraft may not fly over {s.facts.name(zone)}.",
                "8.3b",
            )
        if zone in s.at and enemy_fighters(s, nation, zone):
            raise IllegalDecision(
                f"Enemy fighters in {s.facts.name(zone)} let no aircraft pass.", "8.3a"
            )


def over_himalayas(s: State, path: tuple[str, ...]) -> bool:
    """Whether a flight leads over the Himalayas."""
    return any(pair(here, there) in s.facts.himalayas for here, there in pairwise(path))


def hump(
    g: Table[State], nation: str, path: tuple[str, ...], units: dict[str, int]
) -> Procedure[dict[str, int]]:
    """Roll for aircraft that fly the Himalayan Air Hump; those that get through, by type.

    Rules: 1.24hump-a
    """
    s = g.state
    if not on(s, "himalayan_hump") or not over_himalayas(s, path):
        return units
    lines = tuple(RollLine(nation, type_, count, 10, 12) for type_, count in units.items())
    dice = iter((yield from g.roll("hump", lines)))
    through = {type_: sum(next(dice) <= 10 for _ in range(count)) for type_, count in units.items()}
    g.emit("hump", power=nation, path=path, units=units, through=through)
    return through


def route(s: State, nation: str, here: str, there: str, limit: int) -> tuple[str, ...] | None:
    """A shortest flight between two zones, at most `limit` long; None if there is none."""
    sides = side(s, nation)
    neighbours = s.facts.neighbours
    came: dict[str, str] = {here: ""}
    edge = [here]
    for _ in range(limit):
        after: list[str] = []
        for zone in edge:
            for near in neighbours[zone]:
                if near in came:
                    continue
                came[near] = zone
                if near == there:
                    path = [near]
                    while came[path[-1]]:
                        path.append(came[path[-1]])
                    return tuple(reversed(path))
                if open_sky(s, nation, sides, near):
                    after.append(near)
        edge = after
    return None


# --- landing --------------------------------------------------------------------------------------


def landing_land(s: State, friends: frozenset[str], kind: UnitType, zone: str) -> bool:
    """Whether an aircraft may land in a land zone: a Friendly one that was not captured this turn,
    unless a base was captured with it and that option is used.

    Rules: 10.2b, 10.3a, 10.3b, 1.7d, 1.13a, 12.2.seaplane-e
    """
    if s.possession.get(zone) not in friends or barred(s, zone):
        return False
    if zone not in s.captured:
        return True
    if not on(s, "captured_bases"):
        return False
    if kind.id == "seaplane":
        kinds = s.facts.facilities
        return has_base(s, zone, "seaplane_base", *(k for k, v in kinds.items() if v.naval))
    return has_base(s, zone, "air_base")


def deck_room(s: State, carrier: Unit) -> int:
    """Free decks of a ship: none on a damaged carrier.

    Rules: 12.2.fleet-carrier-b, 12.2.fleet-carrier-c, 12.2.light-carrier-a
    """
    if carrier.hits or carrier.duty == "repair":
        return 0
    return s.facts.units[carrier.type].decks - len(carrier.cargo)


def free_decks(s: State, friends: frozenset[str], zone: str) -> int:
    """Free decks on Friendly carriers in a sea zone."""
    decks = s.facts.units
    room = 0
    for unit, count in s.stack(zone).items():
        if decks[unit.type].decks and unit.nation in friends:
            room += count * deck_room(s, unit)
    return room


def _within(s: State, nation: str, zone: str, limit: int) -> Iterator[tuple[str, int]]:
    """The zones to which a nation's aircraft can fly from a zone, nearest first, with distances."""
    yield zone, 0
    sides = side(s, nation)
    neighbours = s.facts.neighbours
    seen = {zone}
    edge = [zone]
    for distance in range(1, limit + 1):
        after: list[str] = []
        for here in edge:
            for near in neighbours[here]:
                if near not in seen:
                    seen.add(near)
                    yield near, distance
                    if open_sky(s, nation, sides, near):
                        after.append(near)
        edge = after


def nearest_land(s: State, nation: str, kind: UnitType, zone: str, limit: int) -> int:
    """How far the nearest land zone is on which such an aircraft may land; FAR beyond `limit`."""
    friends = side(s, nation).friends
    for near, distance in _within(s, nation, zone, limit):
        if landing_land(s, friends, kind, near):
            return distance
    return FAR


def landing_places(s: State, unit: Unit, zone: str, points: int) -> list[str]:
    """The zones within so many points in which an aircraft could land: Friendly land, or a sea zone
    with a free deck.

    Rules: 8.3c, 10.3a, 9.4f
    """
    kind = s.facts.units[unit.type]
    friends = side(s, unit.nation).friends
    return [
        near
        for near, _ in _within(s, unit.nation, zone, points)
        if landing_land(s, friends, kind, near)
        or (
            kind.on_deck
            and near in s.at
            and near in s.facts.sea_next
            and free_decks(s, friends, near) > 0
        )
    ]


def range_left(s: State, unit: Unit, zone: str) -> int:
    """How far an aircraft can still fly this turn. One that patrols has its patrol range, one that
    has landed nothing.

    Rules: 8.3c, 8.7g, 10.3a, 10.3c
    """
    if unit.duty in ("moved", "repair"):
        return 0
    if unit.duty == "patrol" or unit.target == "patrol":
        return patrol_range(s, unit.nation, s.facts.units[unit.type])
    return points(s, unit, zone)


def patrol_range(s: State, nation: str, kind: UnitType) -> int:
    """The range of Maritime Air Patrol: 1 for most aircraft, whatever their movement or base.

    Rules: 8.7a, 8.7j, 12.2.seaplane-d, 12.5.air-base-c, 12.5.seaplane-base-b, 7.8.long-range-b,
        appB-27a
    """
    if kind.id == "medium_bomber" and base_points(s, nation, kind) > kind.move:
        return kind.patrol + 1
    return kind.patrol


def flying(s: State, nation: str) -> Iterator[tuple[str, Unit, int]]:
    """A nation's aircraft that are where they cannot stay: over sea without a patrol, or over land
    on which they may not land."""
    kinds = s.facts.units
    friends = side(s, nation).friends
    aircraft = [each for each in s.units_of(nation) if kinds[each[1].type].air]
    for zone, unit, count in aircraft:
        if unit.duty == "patrol" or unit.target == "patrol":
            continue
        if not landing_land(s, friends, kinds[unit.type], zone):
            yield zone, unit, count


def _needy(s: State, nation: str) -> tuple[int, dict[tuple[str, int], int]]:
    """Flying aircraft that no land can take: how many that need land, and those for which a deck
    would do, zone and range left to number."""
    kinds = s.facts.units
    lost = 0
    needy: dict[tuple[str, int], int] = {}
    for zone, unit, count in flying(s, nation):
        kind = kinds[unit.type]
        left = range_left(s, unit, zone)
        if nearest_land(s, nation, kind, zone, left) <= left:
            continue
        if kind.on_deck:
            needy[zone, left] = needy.get((zone, left), 0) + count
        else:
            lost += count
    return lost, needy


def stranded(s: State, nation: str) -> int:
    """How many aircraft of a nation could not land, if the battles go well and its carriers move as
    the plan has it.

    Rules: 8.3c, 10.3a, 12.2.fleet-carrier-b, 12.2.light-carrier-a
    """
    lost, needy = _needy(s, nation)
    if not needy:
        return lost
    return lost + sum(needy.values()) - _seated(s, nation, needy)


def _seated(s: State, nation: str, needy: dict[tuple[str, int], int]) -> int:
    """How many of these aircraft the plan finds a deck for."""
    kinds = list(needy)
    reach: list[set[str]] = [
        {zone for zone, _ in _within(s, nation, start, left)} for start, left in kinds
    ]
    room: dict[str, int] = {}
    fleets: list[tuple[int, int, list[str]]] = []
    for ally in sorted(side(s, nation).friends):
        for zone, unit, count in s.units_of(ally):
            if not s.facts.units[unit.type].decks or not (decks := deck_room(s, unit)):
                continue
            if ally == nation and free(unit) and not hostile_sea(s, nation, zone):
                fleets.append((count, decks, _carrier_goals(s, nation, unit, zone)))
            else:
                room[zone] = room.get(zone, 0) + decks * count
    left = list(needy.values())
    for zone in sorted(room):
        _take(left, reach, zone, room[zone])
    at: dict[str, list[int]] = {}
    for index, near in enumerate(reach):
        for zone in near:
            at.setdefault(zone, []).append(index)
    for count, decks, goals in sorted(fleets, key=lambda fleet: len(fleet[2])):
        while count:
            waiting, best = max((sum(left[i] for i in at.get(zone, ())), zone) for zone in goals)
            if not waiting:
                break
            sent = min(count, -(-waiting // decks))
            count -= sent
            room[best] = room.get(best, 0) + decks * sent
            _take(left, reach, best, decks * sent)
    options = [sorted(near & room.keys()) for near in reach]
    return most_assigned(options, room, list(needy.values()))


def _take(left: list[int], reach: list[set[str]], zone: str, decks: int) -> None:
    """Let a deck take aircraft that reach it, those with the least choice first."""
    for _, index in sorted((len(near), i) for i, near in enumerate(reach) if zone in near):
        if not decks:
            break
        taken = min(decks, left[index])
        left[index] -= taken
        decks -= taken


def _carrier_goals(s: State, nation: str, unit: Unit, zone: str) -> list[str]:
    """Zones to which a carrier could go in non-combat movement."""
    kind = s.facts.units[unit.type]
    goals = [zone]
    edge = [zone]
    for _ in range(points(s, unit, zone)):
        after: list[str] = []
        for here in edge:
            for near in s.facts.sea_next[here]:
                if (
                    near not in goals
                    and not hostile_sea(s, nation, near)
                    and not step_closed(s, nation, kind, here, near)
                ):
                    goals.append(near)
                    after.append(near)
        edge = after
    return goals


def check_landings(
    s: State, nation: str, path: tuple[str, ...], groups: list[Group], duty: str = "attack"
) -> None:
    """After a move no more aircraft are without a landing place than before.

    Rules: 8.3c
    """
    after = s.copy()
    relocate(after, path, groups, duty)
    if stranded(after, nation) > stranded(s, nation):
        raise IllegalDecision(
            "After this move an aircraft would have no landing place that it could reach.", "8.3c"
        )


def check_return(s: State, nation: str, path: tuple[str, ...], groups: list[Group]) -> None:
    """Aircraft that fly so far keep enough movement to land.

    Rules: 8.3c
    """
    steps = len(path) - 1
    for unit, _, _ in groups:
        left = points(s, unit, path[0]) - steps
        if nearest_land(s, nation, s.facts.units[unit.type], path[-1], left) > left:
            check_landings(s, nation, path, groups)
            return


def relocate(
    s: State, path: tuple[str, ...], groups: list[Group], duty: str, target: str = ""
) -> None:
    """Bring picked units to the end of a path."""
    origin = path[-2] if len(path) > 1 else ""
    for group in groups:
        unit = group.unit
        used = spent(s, unit, path[0], len(path) - 1)
        lift(s, path[0], group)
        there = unit._replace(used=used, origin=origin, duty=duty, target=target)
        s.put(path[-1], there, group.count)


def survivors(s: State, zone: str, groups: list[Group], through: dict[str, int]) -> list[Group]:
    """The picked units of which so many of each type are left; the others are lost."""
    left = dict(through)
    found: list[Group] = []
    for group in groups:
        type_ = group.unit.type
        count = min(group.count, left[type_])
        left[type_] -= count
        if count:
            found.append(group._replace(count=count))
        lost = group.count - count
        if lost:
            lift(s, zone, group._replace(count=lost))
            s.put(zone, group.unit, lost)
            s.destroy(zone, group.unit, lost)
    return found


def land_on_deck(s: State, zone: str, unit: Unit, count: int) -> None:
    """Aircraft land on Friendly carriers in a sea zone, own ones first.

    Rules: 10.3a, 12.2.fleet-carrier-b, 12.2.light-carrier-a
    """
    friends = side(s, unit.nation).friends
    piece = Unit(unit.nation, unit.type, duty="moved")
    for _ in range(count):
        carrier = min(
            (
                u
                for u in s.stack(zone)
                if u.nation in friends and s.facts.units[u.type].decks and deck_room(s, u) > 0
            ),
            key=lambda u: (u.nation != unit.nation, -len(u.cargo), u),
        )
        s.change(zone, carrier, 1, cargo=tuple(sorted([*carrier.cargo, piece])))


def savable(s: State, nation: str) -> list[tuple[str, Unit, list[str]]]:
    """Flying aircraft of a nation that can be landed right now, with the places.

    Rules: 10.3a
    """
    found = []
    for zone, unit, _ in flying(s, nation):
        places = landing_places(s, unit, zone, range_left(s, unit, zone))
        if places:
            found.append((zone, unit, places))
    return found


def crash(g: Table[State], nation: str) -> None:
    """Aircraft that have not landed are lost.

    Rules: 10.3a, 9.4g
    """
    s = g.state
    for zone, unit, count in list(flying(s, nation)):
        s.destroy(zone, unit, count)
        g.emit("crashed", power=nation, space=zone, units={unit.type: count})
