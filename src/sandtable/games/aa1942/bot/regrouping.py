"""Phase 4: landing aircraft, reserves, ferries, escorts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sandtable.games.aa1942.bot.board import Board, Idea, distances, shipload, total
from sandtable.games.aa1942.bot.weights import (
    CAPITAL_RISK,
    CITY_RISK,
    DOOMED,
    FAR,
    FAR_FROM_FRONT,
    MOST_SUITORS,
    NEAR_FRONT,
    SEA_FEAR,
    WORTH_MOVING,
    Counts,
)
from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.landing import decks_in, landing_territory, range_left, unlanded
from sandtable.games.aa1942.rules.movement import Done, Move, air_route
from sandtable.games.aa1942.rules.noncombat_move import (
    Consent,
    Divert,
    LandStranded,
    NoncombatMove,
    ShareSpace,
)
from sandtable.games.aa1942.rules.spaces import hostile_zone
from sandtable.games.aa1942.rules.transports import Load, Sail
from sandtable.kernel.decisions import Decision


def noncombat_move(s: State, request: NoncombatMove) -> Iterator[Decision]:
    """Land what flies, bring reserves to the front, ship them across, gather the fleet."""
    b = Board(s, request.power)
    flying = unlanded(s)
    if flying:
        for space, unit, _ in flying:
            yield from _landing_places(b, space, unit)
        return
    yield from _relieve(b)
    yield from _fall_back(b)
    yield from _reserves(b)
    yield from _ferries(b)
    yield from _escorts(b)
    yield from _rebase(b)
    yield Done()


def _landing_places(b: Board, space: str, unit: Unit) -> Iterator[Decision]:
    """Where an air unit lands: the safest of the likely places, near the enemy if that is equal."""
    near, left = b.facts.air_distance[space], range_left(b.s, unit)
    places = [t for t in b.facts.territories if near[t] <= left and landing_territory(b.s, t)]
    places.sort(key=lambda t: (-b.price(b.defenders(t)), t))
    march = b.march()
    rated = sorted(
        (b.danger(t, total(b.defenders(t), {unit.type: 1})), march[t], t)
        for t in places[:MOST_SUITORS]
    )
    for _, _, place in rated:
        yield Move({unit.type: 1}, air_route(b.facts, space, place))
    if unit.type == "fighter" and not places:
        for zone in b.facts.sea_zones:
            waiting = b.count(zone, lambda u: u.power == b.me and u.type == "fighter")
            if 0 < near[zone] <= left and decks_in(b.s, zone) > waiting.get("fighter", 0):
                yield Move({"fighter": 1}, air_route(b.facts, space, zone))


def _relieve(b: Board) -> Iterator[Decision]:
    """Bring neighbouring units into the capital or a city that would fall otherwise."""
    for post in b.posts():
        yield from b.ideas("relieve", post, _relief)


def _relief(b: Board, post: str) -> list[Idea]:
    risk = CAPITAL_RISK if post == b.home else CITY_RISK
    if not b.friendly(post) or b.risk(post) <= risk:
        return []
    guard = b.defenders(post)
    help_: list[Idea] = []
    for near in b.facts.land_next[post]:
        if b.friendly(near) and near != b.home:
            units = {t: n for t, n in b.spare(near).items() if b.kinds[t].domain == "land"}
            if units and b.danger(post, guard) > risk:
                help_.append((units, (near, post)))
                guard = total(guard, units)
    return help_ if post == b.home or b.danger(post, guard) < DOOMED else []


def _fall_back(b: Board) -> Iterator[Decision]:
    """Leave posts that would be overrun for a neighbouring one that then holds."""
    for here in b.spaces:
        if b.friendly(here) and here != b.home and here not in b.cities:
            yield from b.ideas("fall back", here, _refuge)


def _refuge(b: Board, here: str) -> list[Idea]:
    units = {t: n for t, n in b.spare(here).items() if b.kinds[t].domain == "land"}
    if not units:
        return []
    risk = b.risk(here)
    if risk < DOOMED:
        return []
    if units.get("infantry"):
        # One stays: an empty territory would let tanks through.
        units["infantry"] -= 1
        units = {t: n for t, n in units.items() if n}
    refuges = [
        (b.danger(there, total(b.defenders(there), units)), there)
        for there in b.facts.land_next[here]
        if b.friendly(there)
    ]
    return [
        (units, (here, there))
        for danger, there in sorted(refuges)[:1]
        if units and danger < risk - WORTH_MOVING
    ]


def _reserves(b: Board) -> Iterator[Decision]:
    """Move land units that are not needed where they are toward the enemy, or to a port."""
    for here in b.spaces:
        if b.friendly(here):
            yield from b.ideas("reserves", here, _advance)


def _advance(b: Board, here: str) -> Iterator[Idea]:
    spare = {t: n for t, n in b.spare(here).items() if b.kinds[t].domain == "land"}
    borders = any(b.hostile(t) for t in b.facts.land_next[here])
    if borders and spare.get("infantry"):
        spare["infantry"] -= 1
    field = b.ports() if b.overseas(here) else b.march()
    near: list[tuple[str, ...]]
    near = [(here, t) for t in b.facts.land_next[here] if b.friendly(t)]
    far = [
        (*path, t)
        for path in near
        for t in b.facts.land_next[path[-1]]
        if b.friendly(t) and t != here
    ]
    groups = [({t: n for t, n in spare.items() if t != "tank" and n}, near)]
    if spare.get("tank"):
        groups.insert(0, ({"tank": spare["tank"]}, near + far))
    for units, paths in groups:
        better = [p for p in paths if units and field[p[-1]] < field[here]]
        for path in sorted(better, key=lambda p: (field[p[-1]], len(p), p)):
            there = path[-1]
            if b.danger(there, total(b.defenders(there), units)) < DOOMED:
                yield units, path
                break


def _ferries(b: Board) -> Iterator[Decision]:
    """Transports: to a coast from which the cargo can march, else nearer to a coast to assault;
    empty ones to where units wait."""
    for zone, unit in [(zone, unit) for zone, fleet in b.ships.items() for unit, _ in fleet]:
        if unit.type == "transport" and all(piece.power == b.me for piece in unit.cargo):
            paths = {
                end: path for end, path in b.reach(zone).items() if not hostile_zone(b.s, end, b.me)
            }
            if unit.cargo:
                yield from _deliver(b, unit, zone, paths)
            else:
                yield from _collect(b, zone, paths)


def _beachheads(b: Board, zone: str) -> list[tuple[float, str]]:
    """Friendly coasts at a zone from which it is not far to the enemy, the nearest first."""
    march = b.march()
    return sorted(
        (march[land], land)
        for land in b.facts.coast[zone]
        if b.friendly(land) and march[land] <= NEAR_FRONT and not b.overseas(land)
    )


def _deliver(
    b: Board, transport: Unit, zone: str, paths: Mapping[str, tuple[str, ...]]
) -> Iterator[Decision]:
    cargo: Counts = {}
    for piece in transport.cargo:
        cargo[piece.type] = cargo.get(piece.type, 0) + 1
    ends = [(far, land, end) for end in paths for far, land in _beachheads(b, end)]
    for _, land, end in sorted(ends)[:1]:
        yield Sail(paths[end], offload=land, cargo=cargo)
    for end in _approach(b, paths):
        if end != zone:
            yield Move({"transport": 1}, paths[end], cargo=cargo)


def _approach(b: Board, paths: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The zone from which the way to an assault is shortest, minding the enemy's fleet."""
    course = b.course()

    def cost(end: str) -> float:
        ships = b.count(end, lambda u: u.power in b.friends)
        return course[end] + SEA_FEAR * b.danger(end, total(ships, {"transport": 1}))

    return [min(paths, key=lambda end: (cost(end), end))] if paths else []


def _collect(b: Board, zone: str, paths: Mapping[str, tuple[str, ...]]) -> Iterator[Decision]:
    march, course = b.march(), b.course()
    shuttles: list[tuple[float, Sail]] = []
    loads: list[tuple[Load, tuple[str, ...]]] = []
    for end, path in paths.items():
        for stop in path:
            for land in b.facts.coast[stop]:
                near = march[land] <= FAR_FROM_FRONT and not b.overseas(land)
                if near or not b.friendly(land) or hostile_zone(b.s, stop, b.me):
                    continue
                load = shipload(b.spare(land))
                if not load:
                    continue
                loading = Load(land, stop, load)
                loads.append((loading, path))
                for far, beach in _beachheads(b, end)[:1]:
                    value = far - 0.1 * sum(load.values())
                    shuttles.append((value, Sail(path, (loading,), beach, cargo={})))
    for _, sail in sorted(shuttles, key=lambda option: option[0])[:1]:
        yield sail
    if loads and _hops(b, zone) > 2:
        for loading, path in sorted(loads, key=lambda option: (course[option[1][-1]], option[1])):
            yield Sail(path, (loading,), cargo={})
    if loads:
        return
    waiting = distances(_waiting(b), b.facts.sea_next)
    best = min(paths, key=lambda end: (waiting[end], end), default=zone)
    if waiting[best] < waiting[zone]:
        yield Move({"transport": 1}, paths[best], cargo={})


def _hops(b: Board, zone: str) -> int:
    """How many zones it is to the coast to assault."""
    course = b.course()
    hops = 0
    while hops < 9:
        nearer = [z for z in b.facts.sea_next[zone] if course[z] == course[zone] - 1]
        if not nearer:
            break
        zone = nearer[0]
        hops += 1
    return hops


def _waiting(b: Board) -> dict[str, float]:
    """The zones where own units wait for a ship, or where new ones are going to."""
    goals: dict[str, float] = {}
    for land in b.facts.territories:
        if b.s.control[land] in b.friends and b.overseas(land):
            if sum(n for t, n in b.spare(land).items() if b.kinds[t].captures) > 1:
                offset = 0.0
            elif b.s.control[land] == b.me and land in b.s.complexes:
                offset = 0.5
            else:
                continue
            for zone in b.facts.coast[land]:
                goals[zone] = min(offset, goals.get(zone, FAR))
    return goals


def _escorts(b: Board) -> Iterator[Decision]:
    """Warships join the transports near them, else go where the next assault is."""

    def convoy(end: str) -> int:
        return sum(
            n * (1 + len(u.cargo))
            for u, n in b.s.stack(end).items()
            if u.type == "transport" and u.power == b.me
        )

    for zone in b.ships:
        ships = {
            type_: n
            for type_, n in b.fresh(zone, "sea").items()
            if b.kinds[type_].warship and type_ != "aircraft_carrier"
        }
        if not ships:
            continue
        paths = {
            end: path for end, path in b.reach(zone).items() if not hostile_zone(b.s, end, b.me)
        }
        best = max(paths, key=lambda end: (convoy(end), end == zone, end), default=zone)
        if convoy(best):
            if best != zone:
                yield Move(ships, paths[best])
        else:
            for end in _approach(b, paths):
                if end != zone:
                    yield Move(ships, paths[end])


def _rebase(b: Board) -> Iterator[Decision]:
    """Aircraft far from the enemy fly to a safe territory from which they can fight."""
    fronts = [t for t in b.facts.territories if b.hostile(t)]
    found: dict[str, int] = {}

    def far(space: str) -> int:
        if space not in found:
            found[space] = min(map(b.facts.air_distance[space].__getitem__, fronts), default=0)
        return found[space]

    for here in b.spaces:
        if b.facts.spaces[here].sea or not b.friendly(here) or far(here) <= 2:
            continue
        for type_, number in b.spare(here).items():
            if b.kinds[type_].domain != "air":
                continue
            places = [
                (far(t), t)
                for t in b.facts.territories
                if b.facts.air_distance[here][t] <= b.kinds[type_].move
                and landing_territory(b.s, t)
                and b.friendly(t)
                and far(t) < far(here)
            ]
            for _, there in sorted(places)[:MOST_SUITORS]:
                if b.danger(there, total(b.defenders(there), {type_: number})) <= CITY_RISK:
                    yield Move({type_: number}, air_route(b.facts, here, there))
                    break


def land_stranded(s: State, request: LandStranded) -> Iterator[Decision]:
    """The safest place."""
    b = Board(s, request.power)
    rated = [
        (
            b.danger(space, total(b.count(space, lambda u: u.power in b.friends), {"fighter": 1})),
            space,
        )
        for space in request.to
    ]
    yield from (Divert(space) for _, space in sorted(rated))


def share_space(s: State, request: ShareSpace) -> Iterator[Decision]:
    """Friends are welcome."""
    yield Consent(True)
