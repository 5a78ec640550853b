"""Combat moves to list and to draw at random; whether they are legal is asked elsewhere."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sandtable.games.gw36.facts import UnitType
from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.air import route
from sandtable.games.gw36.rules.movement import (
    FREE,
    Move,
    base_points,
    distances,
    one_of,
    sea_paths,
)
from sandtable.games.gw36.rules.sea_duties import DUTIES
from sandtable.games.gw36.rules.sharing import hostile_sea
from sandtable.games.gw36.rules.transports import Airlift, Load, Sail, shiploads
from sandtable.games.gw36.rules.zones import bombable, commanded, foes_at, side
from sandtable.kernel.decisions import Decision


def able(unit: Unit) -> bool:
    """Whether a unit may still do something in combat movement."""
    return not unit.used and (unit.duty in FREE or unit.duty == "patrol")


def candidates(s: State) -> Iterator[Decision]:
    """Moves that could be legal: of each type in a zone any number, by one way to each goal."""
    for nation in commanded(s, s.mover):
        name = "" if nation == s.mover else nation
        for zone in list(s.presence.get(nation, ())):
            for type_, most in _movable(s, nation, zone).items():
                kind = s.facts.units[type_]
                for path, duty, target in ways(s, nation, zone, kind):
                    for count in range(1, most + 1):
                        yield Move({type_: count}, path, duty, target, name)
                    for whom in () if duty else bystanders(s, nation, path[-1]):
                        for count in range(1, most + 1):
                            yield Move({type_: count}, path, nation=name, against=whom)
                if kind.transport or (type_ == "destroyer" and nation == "japan"):
                    yield from _voyages(s, nation, zone, type_, name)
                if kind.airborne:
                    yield from _drops(s, nation, zone, kind, name)


def bystanders(s: State, nation: str, zone: str) -> list[str]:
    """The nations with units in a sea zone that are neither friends nor Enemies: to attack them
    there is to declare war.

    Rules: 8.1a
    """
    if zone not in s.facts.sea_next or zone not in s.at:
        return []
    known = side(s, nation).friends | foes_at(s, nation, zone)
    return sorted({unit.nation for unit in s.at[zone]} - known)


def _movable(s: State, nation: str, zone: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for unit, count in s.at[zone].items():
        if unit.nation == nation and able(unit):
            found[unit.type] = found.get(unit.type, 0) + count
        if unit.cargo and s.facts.units[unit.type].decks:
            for piece in unit.cargo:
                if piece.nation == nation and able(piece):
                    found[piece.type] = found.get(piece.type, 0) + count
    return found


def ways(
    s: State, nation: str, zone: str, kind: UnitType
) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Paths, duties and targets that come into question for a type of unit in a zone."""
    facts = s.facts
    reach = base_points(s, nation, kind) + 1
    if kind.land:
        near: list[tuple[str, ...]] = [(zone, there) for there in facts.land_next[zone]]
        for known in facts.crossings.values():
            if zone in known.between:
                near.append((zone, known.between[known.between[0] == zone]))
        for path in near:
            yield path, "", ""
            if nation in ("ussr", "japan"):
                yield path, "clash", ""
        if kind.move > 1:
            for path in near:
                via = path[-1]
                for there in facts.land_next[via]:
                    yield (zone, via, there), "", ""
        if kind.range or kind.attrition:
            for there, distance in distances(facts)[zone].items():
                if distance <= max(kind.range, 1) and there in s.possession:
                    yield (zone,), "attrition", there
                    for what in ("units", *bombable(s, there)):
                        yield (zone,), "rocket", f"{there}/{what}"
        return
    if kind.air:
        for there, distance in distances(facts)[zone].items():
            if distance > reach:
                continue
            way = route(s, nation, zone, there, reach) if distance else (zone,)
            if way is None:
                continue
            yield way, "", ""
            if there in facts.sea_next:
                for duty in ("patrol", "raid", "mine"):
                    yield way, duty, ""
            else:
                for duty in ("carpet", "escort_bombers"):
                    yield way, duty, ""
                for what in bombable(s, there) if kind.strategic_dice else ():
                    yield way, "bomb", what
        return
    for path in sea_paths(s, zone, reach):
        goal = path[-1]
        for duty in ("", *DUTIES, "screen", "declined"):
            yield path, duty, ""
        for there in facts.sea_next[goal]:
            yield path, "follow", there
        if kind.bombard:
            for shore in facts.coast[goal]:
                yield path, "bombard", shore


def _voyages(s: State, nation: str, zone: str, type_: str, name: str) -> Iterator[Sail]:
    """Assaults of one transport: with what it has aboard, or what it loads in one place."""
    kind = s.facts.units[type_]
    for path in sea_paths(s, zone, base_points(s, nation, kind) + 1):
        for shore in s.facts.coast[path[-1]]:
            yield Sail(path, offload=shore, ship=type_, nation=name)
            for at in path:
                for land in s.facts.coast[at]:
                    for units in shiploads(s, nation, land, Unit(nation, type_)):
                        load = Load(land, units, at, name)
                        yield Sail(path, (load,), shore, ship=type_, nation=name)


def _drops(s: State, nation: str, zone: str, kind: UnitType, name: str) -> Iterator[Airlift]:
    reach = base_points(s, nation, kind) + 1
    for there, distance in distances(s.facts)[zone].items():
        if there in s.possession and 0 < distance <= reach:
            path = route(s, nation, zone, there, reach)
            for stop in path[:-1] if path else ():
                if any(u.type == "airborne" and u.nation == nation for u in s.stack(stop)):
                    assert path is not None
                    yield Airlift(path, Load(stop, {"airborne": 1}, "", name), kind.id, name)


def at_random(s: State, zone: str, unit: Unit, most: int, rng: random.Random) -> Decision | None:
    """A plausible combat move of such units; None if nothing comes to mind."""
    facts, nation = s.facts, unit.nation
    kind = facts.units[unit.type]
    name = "" if nation == s.mover else nation
    count = 1 + int(rng.random() * most)
    sides = side(s, nation)
    if kind.land:
        path: tuple[str, ...] = (zone,)
        near = facts.land_next[zone]
        if not near or kind.attack is None:
            return None
        if kind.move > 1 and rng.random() < 0.3:
            path = (zone, near[int(rng.random() * len(near))])
        goals = [
            t
            for t in facts.land_next[path[-1]]
            if (owner := s.possession[t]) in sides.foes
            or (owner not in sides.friends and rng.random() < 0.1)
        ]
        if not goals:
            return None
        return Move({unit.type: count}, (*path, one_of(goals, rng)), nation=name)
    if kind.air:
        return _random_flight(s, zone, unit, kind, count, rng)
    if kind.transport and rng.random() < 0.8:
        return _random_assault(s, zone, unit, rng)
    path = (zone,)
    for _ in range(int(rng.random() * (kind.move + 1))):
        path = (*path, one_of(facts.sea_next[path[-1]], rng))
    goal = path[-1]
    duty = ""
    if not (goal in s.at and sides.foes and hostile_sea(s, nation, goal)):
        choices = []
        if goal in facts.lines_at and sides.foes:
            choices += ["raid"] if kind.submarine else ["convoy", "raid"]
        if sides.foes and kind.warship:
            choices.append("blockade")
        if not choices:
            return None
        duty = one_of(choices, rng)
    elif rng.random() < 0.2:
        duty = "declined" if kind.submarine else "screen"
    return Move({unit.type: count}, path, duty, nation=name)


def _random_flight(
    s: State, zone: str, unit: Unit, kind: UnitType, count: int, rng: random.Random
) -> Decision | None:
    """A patrol over a neighbouring sea zone, or a strike at somebody."""
    facts, nation = s.facts, unit.nation
    name = "" if nation == s.mover else nation
    if unit.duty == "patrol":
        return Move({unit.type: count}, (zone,), "attack", nation=name)
    sides = side(s, nation)
    if not sides.foes:
        return None
    if kind.patrol and rng.random() < 0.2:
        near = [z for z in facts.neighbours[zone] if z in facts.sea_next]
        return (
            Move({unit.type: count}, (zone, one_of(near, rng)), "patrol", nation=name)
            if near
            else None
        )
    prey = [foe for foe in sides.foes if s.presence.get(foe)]
    if not prey:
        return None
    there = one_of(list(s.presence[one_of(sorted(prey), rng)]), rng)
    reach = kind.move
    if not 0 < distances(facts)[zone].get(there, 99) <= reach:
        return None
    path = route(s, nation, zone, there, reach)
    if path is None:
        return None
    if kind.attack is None or rng.random() < 0.2:
        if there in facts.sea_next:
            return None
        if kind.carpet_dice and rng.random() < 0.5:
            return Move({unit.type: count}, path, "carpet", nation=name)
        targets = bombable(s, there) if kind.strategic_dice else []
        if targets:
            return Move({unit.type: count}, path, "bomb", one_of(targets, rng), nation=name)
        return None
    return Move({unit.type: count}, path, nation=name)


def _random_assault(s: State, zone: str, unit: Unit, rng: random.Random) -> Decision | None:
    facts, nation = s.facts, unit.nation
    sides = side(s, nation)
    path: tuple[str, ...] = (zone,)
    for _ in range(int(rng.random() * 3)):
        path = (*path, one_of(facts.sea_next[path[-1]], rng))
    shores = [t for t in facts.coast[path[-1]] if s.possession[t] in sides.foes]
    if not shores:
        return None
    load: tuple[Load, ...] = ()
    name = "" if nation == s.mover else nation
    if rng.random() < 0.8:
        at = one_of(path, rng)
        lands = [t for t in facts.coast[at] if t in s.presence.get(nation, ())]
        if lands:
            land = one_of(lands, rng)
            loads = list(shiploads(s, nation, land, unit))
            if loads:
                load = (Load(land, one_of(loads, rng), at, name),)
    if not load and not unit.cargo:
        return None
    return Sail(path, load, one_of(shores, rng), ship=unit.type, nation=name)
