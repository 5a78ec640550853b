"""Ships: landings, fleets that attack, submarines that raid, and where all of them go."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw36.bot.draw import draw, pull
from sandtable.games.gw36.bot.odds import outlook
from sandtable.games.gw36.bot.worth import can_act, fair_game, name_of, price
from sandtable.games.gw36.facts import UnitType
from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.movement import Move, points, sea_paths
from sandtable.games.gw36.rules.sea_duties import prey
from sandtable.games.gw36.rules.sharing import hostile_sea
from sandtable.games.gw36.rules.transports import Load, Sail
from sandtable.games.gw36.rules.zones import barred, commanded, side, step_closed
from sandtable.kernel.decisions import Decision

GOOD = 1.6
"""The ratio of strengths that a fleet wants before it attacks."""


def landings(s: State) -> dict[str, list[Sail]]:
    """Land zone to the transports that could land somebody there this turn."""
    facts = s.facts
    found: dict[str, list[Sail]] = {}
    for nation in commanded(s, s.mover):
        if not side(s, nation).foes:
            continue
        wanted: dict[str, bool] = {}
        for zone in s.presence.get(nation, ()):
            if zone in s.possession:
                continue
            for unit, count in s.at[zone].items():
                if unit.nation != nation or not facts.units[unit.type].transport:
                    continue
                if not can_act(unit):
                    continue
                _landings_of(s, nation, zone, unit, count, wanted, found)
    return found


def _landings_of(
    s: State,
    nation: str,
    zone: str,
    ship: Unit,
    count: int,
    wanted: dict[str, bool],
    found: dict[str, list[Sail]],
) -> None:
    facts = s.facts
    aboard: dict[str, int] = {}
    for piece in ship.cargo:
        aboard[piece.type] = aboard.get(piece.type, 0) + 1
    loads = [()] * count if ship.cargo else _loads(s, nation, zone, count)
    if not loads:
        return
    reached: set[str] = set()
    for path in open_ways(s, nation, facts.units[ship.type], zone, points(s, ship, zone)):
        for shore in facts.coast[path[-1]]:
            if shore in reached:
                continue
            reached.add(shore)
            if shore not in wanted:
                wanted[shore] = fair_game(s, nation, shore) and not barred(s, shore)
            if wanted[shore]:
                found.setdefault(shore, []).extend(
                    Sail(path, load, shore, ship=ship.type, nation=name_of(s, nation), cargo=aboard)
                    for load in loads
                )


def _loads(s: State, nation: str, zone: str, ships: int) -> list[tuple[Load, ...]]:
    """What so many transports can take aboard beside a sea zone, two units each."""
    found: list[tuple[Load, ...]] = []
    for land in s.facts.coast[zone]:
        if land in s.presence.get(nation, ()):
            pool = cargo_pool(s, nation, land)
            while len(found) < ships and (units := take_two(s, pool)):
                found.append((Load(land, units, zone, name_of(s, nation)),))
    return found


def cargo_pool(s: State, nation: str, land: str) -> dict[str, int]:
    """Land units that may be shipped from a zone: all but a garrison where it is needed."""
    kinds = s.facts.units
    pool: dict[str, int] = {}
    for unit, count in s.stack(land).items():
        kind = kinds[unit.type]
        able = kind.land and kind.attack is not None and not kind.anti_air
        if able and unit.nation == nation and unit.type != "militia" and can_act(unit):
            pool[unit.type] = pool.get(unit.type, 0) + count
    if land == s.facts.nations[nation].capital and sum(pool.values()) <= 2:
        return {}
    return pool


def take_two(s: State, pool: dict[str, int]) -> dict[str, int]:
    """The best load of one transport, taken out of the pool: infantry, and one of another class."""
    kinds = s.facts.units
    infantry = sorted(
        (t for t in pool if kinds[t].class_ == "infantry"),
        key=lambda t: (t != "marine", -(kinds[t].attack or 0), t),
    )
    others = sorted(
        (t for t in pool if kinds[t].class_ != "infantry"),
        key=lambda t: (-(kinds[t].attack or 0), t),
    )
    chosen: dict[str, int] = {}
    for type_ in (infantry[:1] + others[:1]) or infantry[:1]:
        chosen[type_] = 1
        pool[type_] -= 1
        if not pool[type_]:
            del pool[type_]
    if len(chosen) == 1 and infantry and not others and pool.get(infantry[0]):
        chosen[infantry[0]] += 1
        pool[infantry[0]] -= 1
        if not pool[infantry[0]]:
            del pool[infantry[0]]
    return chosen


def open_ways(
    s: State, nation: str, kind: UnitType, zone: str, reach: int
) -> Iterator[tuple[str, ...]]:
    """A shortest way to each sea zone within reach on which no Enemy is."""
    facts = s.facts
    seen = {zone}
    edge: list[tuple[str, ...]] = [(zone,)]
    if not hostile_sea(s, nation, zone):
        yield (zone,)
    for _ in range(reach):
        after: list[tuple[str, ...]] = []
        for path in edge:
            for there in facts.sea_next[path[-1]]:
                if there in seen:
                    continue
                seen.add(there)
                if hostile_sea(s, nation, there) or step_closed(s, nation, kind, path[-1], there):
                    continue
                after.append((*path, there))
        yield from after
        edge = after


# --- attacks at sea -------------------------------------------------------------------------------


def combat(s: State) -> Iterator[Decision]:
    """Fleets against weaker ones, then submarines against convoys, escorts for one's own."""
    for nation in commanded(s, s.mover):
        if side(s, nation).foes:
            yield from _battles(s, nation)
            yield from _raids(s, nation)
            yield from _escorts(s, nation)


def _strength(
    s: State, zone: str, nations: frozenset[str], *, attack: bool
) -> tuple[float, float, float]:
    """What the ships and aircraft of some nations in a sea zone hit with, their hits, their price.
    Of attackers only those that can still act, or that attack there already."""
    kinds = s.facts.units
    hits = number = cost = 0.0
    for unit, count in s.stack(zone).items():
        if unit.nation not in nations or unit.duty in ("submerged", "declined", "convoy"):
            continue
        kind = kinds[unit.type]
        value = kind.attack if attack else kind.defense
        hits += count * (value or 0)
        number += count * (kind.hits - unit.hits) * (0.3 if value is None else 1)
        cost += count * price(kind)
        for piece in unit.cargo if kind.decks and not attack else ():
            hits += count * (kinds[piece.type].defense or 0)
            number += count
            cost += count * price(kinds[piece.type])
    return hits, number, cost


def _battles(s: State, nation: str) -> Iterator[Decision]:
    """The best attack of the fleets of one nation on Enemy ships."""
    facts = s.facts
    foes = side(s, nation).foes
    prey_at: set[str] = set()
    for foe in sorted(foes):
        prey_at.update(
            zone
            for zone in s.presence.get(foe, ())
            if zone in facts.sea_next and hostile_sea(s, nation, zone)
        )
    if not prey_at:
        return
    fleets: dict[str, list[tuple[tuple[str, ...], dict[str, int]]]] = {}
    for zone in s.presence.get(nation, ()):
        if zone not in facts.sea_next:
            continue
        ready: dict[str, int] = {}
        reach = 9
        for unit, count in s.at[zone].items():
            kind = facts.units[unit.type]
            if unit.nation == nation and kind.naval and kind.attack and can_act(unit):
                ready[unit.type] = ready.get(unit.type, 0) + count
                reach = min(reach, points(s, unit, zone))
        if not ready:
            continue
        for path in sea_paths(s, zone, reach):
            if path[-1] in prey_at:
                fleets.setdefault(path[-1], []).append((path, ready))
    best: list[tuple[float, list[Decision]]] = []
    for goal, sent in sorted(fleets.items()):
        against, defenders, prize = _strength(s, goal, foes, attack=False)
        hits, number, cost = _strength(s, goal, frozenset({nation}), attack=True)
        here = any(path[0] == goal for path, _ in sent)
        if here:
            hits = number = cost = 0.0
        started = number > 0
        moves: list[Decision] = []
        for path, ready in sent:
            hits += sum((facts.units[t].attack or 0) * n for t, n in ready.items())
            number += sum(facts.units[t].hits * n for t, n in ready.items())
            cost += sum(price(facts.units[t]) * n for t, n in ready.items())
            moves.append(Move(dict(ready), path, "attack", nation=name_of(s, nation)))
        hopes = outlook(hits, number, against, defenders)
        gain = hopes.killed * prize - hopes.lost * cost
        gain -= _exposed(s, goal, foes, hits, number) * cost * (1 - hopes.lost)
        if started or (hopes.ratio >= GOOD and gain > 0):
            best.append((gain, moves))
    best.sort(key=lambda each: -each[0])
    for _, moves in best:
        yield from moves


def _exposed(s: State, goal: str, foes: frozenset[str], hits: float, number: float) -> float:
    """How likely a fleet is lost that goes to a sea zone, by the Enemies one or two zones away."""
    near = {zone for each in s.facts.sea_next[goal] for zone in (each, *s.facts.sea_next[each])}
    against = others = 0.0
    for zone in sorted(near - {goal}):
        if zone in s.at:
            values, lives, _ = _strength(s, zone, foes, attack=True)
            against += values
            others += lives
    if not others:
        return 0.0
    return outlook(against, others, hits, number).chance


def _raids(s: State, nation: str) -> Iterator[Decision]:
    """Submarines go where convoys can be raided, most where most can be lost."""
    facts = s.facts
    subs = [
        (zone, unit, count)
        for zone, unit, count in s.units_of(nation)
        if facts.units[unit.type].submarine and can_act(unit)
    ]
    foes = side(s, nation).foes
    for zone, unit, count in subs:
        best: tuple[float, tuple[str, ...]] | None = None
        for path in sea_paths(s, zone, points(s, unit, zone)):
            goal = path[-1]
            if not facts.lines_at.get(goal) or not prey(s, nation, goal):
                continue
            loot = sum(
                max(0, value - s.raided.get((line, owner), 0))
                for line in facts.lines_at[goal]
                for owner, value in facts.lines[line].values
                if owner in foes
            )
            risk = sum(
                n
                for u, n in s.stack(goal).items()
                if u.nation in foes and (u.duty in ("convoy", "patrol") or u.type == "destroyer")
            )
            mates = sum(
                n
                for u, n in s.stack(goal).items()
                if u.nation in side(s, nation).friends and u.duty == "raid"
            )
            score = min(loot, 8) - 2.0 * risk - 2.0 * mates - 0.1 * len(path)
            if score > 0 and (best is None or score > best[0]):
                best = score, path
        if best is not None:
            yield Move({unit.type: min(count, 2)}, best[1], "raid", nation=name_of(s, nation))


def _escorts(s: State, nation: str) -> Iterator[Decision]:
    """A destroyer for the zones in which one's convoys have been raided, if none is there."""
    facts = s.facts
    raided = sorted({line for (line, owner), _ in s.raided.items() if owner == nation})
    if not raided:
        return
    friends = side(s, nation).friends
    zones = [
        zone
        for line in raided
        for zone in facts.lines[line].path
        if not any(u.duty == "convoy" and u.nation in friends for u in s.stack(zone))
    ]
    for zone, unit, _ in s.units_of(nation):
        if unit.type != "destroyer" or not can_act(unit) or unit.duty:
            continue
        for path in sea_paths(s, zone, points(s, unit, zone)):
            if path[-1] in zones and not hostile_sea(s, nation, path[-1]):
                yield Move({"destroyer": 1}, path, "convoy", nation=name_of(s, nation))


# --- voyages out of combat ------------------------------------------------------------------------


def voyages(s: State) -> Iterator[Decision]:
    """Transports bring land units to where they are wanted, or go to fetch some; fleets follow."""
    for nation in commanded(s, s.mover):
        ships = [
            (zone, unit, count)
            for zone, unit, count in s.units_of(nation)
            if zone in s.facts.sea_next and can_act(unit)
        ]
        if not ships:
            continue
        wish = draw(s, nation).sea
        stock = _stock(s, nation, wish)
        for zone, unit, _ in ships:
            if s.facts.units[unit.type].transport:
                yield from _ferry(s, nation, zone, unit, wish, stock)
        if side(s, nation).foes:
            yield from _follow(s, nation, ships)


def _stock(s: State, nation: str, wish: dict[str, float]) -> dict[str, float]:
    """Sea zone to how worthwhile it is to fetch units there; less the farther they are."""
    facts = s.facts
    drawn = pull(s, nation)
    stock = dict.fromkeys(facts.sea, 0.0)
    for land in s.presence.get(nation, ()):
        if land not in s.possession:
            continue
        spare = sum(cargo_pool(s, nation, land).values())
        if spare < 2:
            continue
        for zone in facts.coast.get(land, ()):
            gain = wish[zone] - drawn.get(land, 0.0)
            if gain > 0.3:
                stock[zone] = max(stock[zone], min(spare, 6) * gain)
    for _ in range(6):
        for zone in facts.sea:
            for near in facts.sea_next[zone]:
                if stock[near] * 0.8 > stock[zone]:
                    stock[zone] = stock[near] * 0.8
    return stock


def _ferry(
    s: State,
    nation: str,
    zone: str,
    ship: Unit,
    wish: dict[str, float],
    stock: dict[str, float],
) -> Iterator[Decision]:
    facts = s.facts
    drawn = pull(s, nation)
    friends = side(s, nation).friends
    name = name_of(s, nation)
    ways = list(open_ways(s, nation, facts.units[ship.type], zone, points(s, ship, zone)))
    if ship.cargo:
        aboard: dict[str, int] = {}
        for piece in ship.cargo:
            aboard[piece.type] = aboard.get(piece.type, 0) + 1
        goals = []
        for path in ways:
            for land in facts.coast[path[-1]]:
                if s.possession[land] in friends and land not in s.captured:
                    goals.append((drawn.get(land, 0.0), path, land))
        goals.sort(key=lambda each: (-each[0], len(each[1]), each[2]))
        best = max((wish[path[-1]] for path in ways), default=0.0)
        for value, path, land in goals[:4]:
            if value >= 0.8 * best and value > 0.2:
                yield Sail(path, (), land, ship=ship.type, nation=name, cargo=aboard)
        for path in sorted(ways, key=lambda each: (-wish[each[-1]], len(each))):
            if len(path) > 1 and wish[path[-1]] > wish[zone]:
                yield Move({ship.type: 1}, path, nation=name, cargo=aboard)
        return
    loads = []
    for land in facts.coast[zone]:
        if land in s.presence.get(nation, ()):
            units = take_two(s, cargo_pool(s, nation, land))
            if sum(units.values()) == 2:
                loads.append((drawn.get(land, 0.0), land, units))
    for here, land, units in sorted(loads, key=lambda each: each[:2]):
        best = max((wish[path[-1]] for path in ways), default=0.0)
        if best <= here + 0.3:
            continue
        load = (Load(land, units, zone, name),)
        for path in sorted(ways, key=lambda each: (-wish[each[-1]], len(each)))[:3]:
            shores = [
                shore
                for shore in facts.coast[path[-1]]
                if s.possession[shore] in friends and shore not in s.captured and shore != land
            ]
            best_shore = max(shores, key=lambda each: (drawn.get(each, 0.0), each), default="")
            if best_shore and drawn.get(best_shore, 0.0) >= 0.8 * wish[path[-1]]:
                yield Sail(path, load, best_shore, ship=ship.type, nation=name, cargo={})
            yield Sail(path, load, ship=ship.type, nation=name, cargo={})
    for path in sorted(ways, key=lambda each: (-stock[each[-1]], len(each)))[:2]:
        if len(path) > 1 and stock[path[-1]] > stock[zone]:
            yield Move({ship.type: 1}, path, nation=name, cargo={})


def _follow(s: State, nation: str, ships: list[tuple[str, Unit, int]]) -> Iterator[Decision]:
    """Warships gather where their own transports, or most of the fleet, are."""
    facts = s.facts
    score: dict[str, float] = {}
    for zone, unit, count in s.units_of(nation):
        if zone in facts.sea_next:
            kind = facts.units[unit.type]
            score[zone] = score.get(zone, 0.0) + count * (
                4.0 * len(unit.cargo) if kind.transport else (kind.attack or 0) * 0.5
            )
    for zone, unit, count in ships:
        kind = facts.units[unit.type]
        if kind.transport or kind.submarine or unit.duty:
            continue
        best = max(
            open_ways(s, nation, kind, zone, points(s, unit, zone)),
            key=lambda path: (score.get(path[-1], 0.0), -len(path), path),
            default=(zone,),
        )
        if len(best) > 1 and score.get(best[-1], 0.0) > 1.5 * score.get(zone, 0.0):
            yield Move({unit.type: count}, best, nation=name_of(s, nation))
