"""Combat movement: one attack after the other, the most promising first.

What stands in a zone with orders to attack it is part of the position, so that an attack that was
begun is completed before another one is thought of.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.games.gw36.bot import sea
from sandtable.games.gw36.bot.odds import Outlook, outlook
from sandtable.games.gw36.bot.worth import (
    defence,
    fair_game,
    foes_in,
    name_of,
    price,
    prize,
    ready_units,
    threat,
    worth,
)
from sandtable.games.gw36.facts import UnitType
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.air import route
from sandtable.games.gw36.rules.combat_move import CombatMove
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.movement import Move, aboard, distances, points
from sandtable.games.gw36.rules.relations import may_annex
from sandtable.games.gw36.rules.terms import is_major, power_of
from sandtable.games.gw36.rules.transports import Sail
from sandtable.games.gw36.rules.zones import (
    barred,
    border,
    commanded,
    covering,
    crosses_river,
    ground,
    side,
    slows,
)
from sandtable.kernel.decisions import Decision

ENOUGH = 3.0
"""A ratio of strengths beyond which nothing more is sent."""
BY_AIR = 9.0
"""Aircraft join every attack on defenders that are worth so much."""
LEAST = 1.35
"""A ratio under which no attack is begun."""
FORTS = {"fortification": (0.8, 0.75), "maginot": (0.75, 0.5)}
"""What a fortification leaves of the values and of the number of those who have to cross it."""
PRECIOUS = 12.0
"""A zone that is worth so much is left only by whom its defence does not need."""
SUPPORT = 0.5
"""What a piece of artillery adds for each infantry beside it, at most one each."""


class Party(NamedTuple):
    """Units that could be sent into an attack together, and how."""

    hits: float
    """The sum of their Attack values."""
    number: float
    cost: float
    decision: Decision
    infantry: int = 0
    guns: int = 0


def combat_move(s: State, request: CombatMove) -> Iterator[Decision]:
    """Complete what was begun, begin the best attack that is left, then the sea; or be done."""
    by_land = _parties(s)
    by_sea = sea.landings(s)
    targets = dict.fromkeys([*by_land, *by_sea, *_under_way(s)])
    begun: list[tuple[float, list[Party]]] = []
    fresh: list[tuple[float, list[Party]]] = []
    flights = _Flights(s)
    for zone in targets:
        parties = [*by_land.get(zone, ()), *(_landing(s, each) for each in by_sea.get(zone, ()))]
        found = _consider(s, zone, parties, flights)
        if found is not None:
            started, gain, chosen = found
            (begun if started else fresh).append((gain, chosen))
    for some in (begun, fresh):
        some.sort(key=lambda each: -each[0])
        for _, chosen in some:
            yield from (party.decision for party in chosen)
    yield from sea.combat(s)
    yield Done()


def _under_way(s: State) -> Iterator[str]:
    """The land zones in which an attack has begun."""
    for nation in commanded(s, s.mover):
        for zone in s.presence.get(nation, ()):
            if zone in s.possession and any(
                unit.nation == nation and unit.duty == "attack" for unit in s.at[zone]
            ):
                yield zone


def _landing(s: State, sail: Sail) -> Party:
    """What a transport lands; in the first round a hit costs two of them."""
    hits = cost = number = 0.0
    for load in sail.load:
        for type_, count in load.units.items():
            kind = s.facts.units[type_]
            hits += (kind.attack or 0) * count
            cost += price(kind) * count
            number += count * 0.75
    for type_, count in (sail.cargo or {}).items():
        kind = s.facts.units[type_]
        hits += (kind.attack or 0) * count
        cost += price(kind) * count
        number += count * 0.75
    return Party(hits, number, cost, sail)


def _attack_value(s: State, kind: UnitType, origin: str, zone: str) -> float:
    """The Attack of a land unit in such an attack, terrain included."""
    value = float(kind.attack or 0)
    if value > 1:
        here = {ground(s, zone), border(s, origin, zone)}
        rough = {"mountain": "mountain_attack", "desert": "desert"}
        if any(terrain in here and skill not in kind.ignores for terrain, skill in rough.items()):
            value -= 1
        elif kind.class_ == "vehicle" and here & {"jungle", "marsh"}:
            value -= 2
        elif crosses_river(s, origin, zone) and "river" not in kind.ignores:
            value -= 0.5
    return max(value, 1.0)


def _parties(s: State) -> dict[str, list[Party]]:
    """Land zone to the land units that could attack it, one party for each way."""
    facts = s.facts
    found: dict[str, list[Party]] = {}
    for nation in commanded(s, s.mover):
        sides = side(s, nation)
        wanted: dict[str, bool] = {}
        for zone in s.presence.get(nation, ()):
            if zone not in s.possession:
                continue
            ready = {
                type_: count
                for type_, count in ready_units(s.at[zone], nation).items()
                if facts.units[type_].land
                and facts.units[type_].attack is not None
                and not facts.units[type_].anti_air
            }
            if not ready:
                continue
            for near in facts.land_next[zone]:
                if near not in wanted:
                    wanted[near] = fair_game(s, nation, near) and not barred(s, near)
                if wanted[near]:
                    party = _party(s, nation, (zone, near), ready)
                    if party is not None:
                        found.setdefault(near, []).append(party)
            fast = {type_: n for type_, n in ready.items() if facts.units[type_].move > 1}
            if not fast:
                continue
            direct = {zone, *facts.land_next[zone]}
            for via in facts.land_next[zone]:
                if s.possession[via] not in sides.friends or barred(s, via):
                    continue
                for near in facts.land_next[via]:
                    if near in direct:
                        continue
                    if near not in wanted:
                        wanted[near] = fair_game(s, nation, near) and not barred(s, near)
                    if not wanted[near]:
                        continue
                    able = {
                        type_: n
                        for type_, n in fast.items()
                        if not slows(s, facts.units[type_], zone, via)
                        and not slows(s, facts.units[type_], via, near)
                    }
                    party = _party(s, nation, (zone, via, near), able) if able else None
                    if party is not None:
                        found.setdefault(near, []).append(party)
    return found


def _party(s: State, nation: str, path: tuple[str, ...], ready: dict[str, int]) -> Party | None:
    """All that can be spared in a zone for an attack on another, but for a garrison."""
    facts = s.facts
    zone, goal = path[0], path[-1]
    home = facts.nations[nation].home
    units = {
        type_: count
        for type_, count in ready.items()
        if type_ != "militia" or (is_major(s, nation) and zone in home and goal in home)
    }
    _leave_garrison(s, nation, zone, goal, units)
    if not units:
        return None
    hits = cost = 0.0
    infantry = guns = 0
    for type_, count in units.items():
        kind = facts.units[type_]
        hits += _attack_value(s, kind, path[-2], goal) * count
        cost += price(kind) * count
        infantry += count * (kind.class_ == "infantry")
        guns += count * kind.supports
    number = float(sum(units.values()))
    for type_, (less, fewer) in FORTS.items():
        if covering(s, goal, path[-2], type_):
            hits *= less
            number *= fewer
    move = Move(units, path, nation=name_of(s, nation))
    return Party(hits, number, cost, move, infantry, guns)


def _leave_garrison(s: State, nation: str, zone: str, goal: str, units: dict[str, int]) -> None:
    """Keep back the cheapest defender where somebody else could walk in, more in a capital."""
    facts = s.facts
    home = facts.nations[nation].home
    menace = threat(s, nation, zone, without=goal, by_sea=zone in home)
    keep = 1 if menace else 0
    if zone == facts.nations[nation].capital:
        keep = 1 + int(menace / 6)
    elif worth(s, zone) >= PRECIOUS:
        keep = int(menace / 4)
    stay = sum(
        count
        for unit, count in s.stack(zone).items()
        if facts.units[unit.type].land and unit.nation == nation
    ) - sum(units.values())
    for type_ in sorted(units, key=lambda t: (facts.units[t].attack or 0, t)):
        while keep > stay and units.get(type_):
            units[type_] -= 1
            stay += 1
            if not units[type_]:
                del units[type_]


class _Flights:
    """The aircraft that could join an attack on land, each base with what is there."""

    def __init__(self, s: State) -> None:
        self.s = s
        self.bases: list[tuple[str, str, dict[str, int], int]] = []
        kinds = s.facts.units
        for nation in commanded(s, s.mover):
            for zone in s.presence.get(nation, ()):
                ready: dict[str, int] = {}
                reach = 0
                for unit, count in s.at[zone].items():
                    if unit.nation == nation and not unit.used and not unit.duty:
                        kind = kinds[unit.type]
                        if kind.air and kind.attack is not None and not kind.hits_only:
                            ready[unit.type] = ready.get(unit.type, 0) + count
                            reach = max(reach, points(s, unit, zone))
                    if unit.cargo and kinds[unit.type].decks:
                        for type_ in ("fighter", "tactical_bomber"):
                            for piece, number in aboard(s, nation, zone, type_).items():
                                if not piece.used and piece.duty in ("", "moved"):
                                    ready[type_] = max(ready.get(type_, 0), number)
                                    reach = max(reach, kinds[type_].move)
                if ready:
                    self.bases.append((nation, zone, ready, reach))

    def to(self, goal: str) -> Iterator[Party]:
        """Those that reach a land zone and come back."""
        s = self.s
        far = distances(s.facts)[goal]
        for nation, zone, ready, reach in self.bases:
            distance = far.get(zone, 99)
            if distance * 2 > reach + 1 or not distance:
                continue
            if distance * 2 > reach and not any(
                s.possession.get(near) in side(s, nation).friends and near not in s.captured
                for near in s.facts.neighbours[goal]
            ):
                continue
            path = route(s, nation, zone, goal, reach)
            if path is None:
                continue
            kinds = s.facts.units
            yield Party(
                sum((kinds[t].attack or 0) * n for t, n in ready.items()),
                sum(ready.values()),
                sum(price(kinds[t]) * n for t, n in ready.items()),
                Move(dict(ready), path, nation=name_of(s, nation)),
            )


def _consider(
    s: State, zone: str, parties: list[Party], flights: _Flights
) -> tuple[bool, float, list[Party]] | None:
    """Whether an attack on a zone has begun, what it should bring, and who is to be sent next; None
    if nobody is."""
    nation = s.mover
    friends = side(s, nation).friends
    kinds = s.facts.units
    against, defenders, killing = defence(s, zone, foes_in(s, nation, zone))
    hits = number = cost = 0.0
    infantry = guns = 0
    for unit, count in s.stack(zone).items():
        if unit.nation in friends and unit.duty in ("attack", "assault"):
            kind = kinds[unit.type]
            hits += count * (kind.attack or 0)
            number += count
            cost += count * price(kind)
            infantry += count * (kind.class_ == "infantry")
            guns += count * kind.supports
    for near in s.facts.coast.get(zone, ()):
        for unit, count in s.stack(near).items():
            if unit.duty == "landing" and unit.target == zone and unit.nation in friends:
                for piece in unit.cargo:
                    if piece.duty == "assault":
                        hits += count * (kinds[piece.type].attack or 0)
                        number += count * 0.75
                        cost += count * price(kinds[piece.type])
    started = number > 0
    if not defenders:
        return None if started else _walk_in(s, zone, parties)
    helped = hits + SUPPORT * 2 * min(infantry, guns)
    wings = sorted(flights.to(zone), key=lambda each: -each.hits) if parties or started else []
    if started and outlook(helped, number, against, defenders).ratio >= ENOUGH:
        return (started, 0.0, wings) if wings and killing >= BY_AIR else None
    chosen: list[Party] = []
    order = sorted(parties, key=lambda each: (-each.hits, each.cost))
    for party in (*order, *wings):
        before = hits + SUPPORT * 2 * min(infantry, guns), number
        hits += party.hits
        number += party.number
        cost += party.cost
        infantry += party.infantry
        guns += party.guns
        helped = hits + SUPPORT * 2 * min(infantry, guns)
        if outlook(helped, number, against, defenders).ratio >= ENOUGH:
            chosen.append(_trimmed(s, zone, party, before, (against, defenders)))
            break
        chosen.append(party)
    if killing >= BY_AIR:
        chosen += [party for party in wings if party not in chosen]
    if not chosen:
        return None
    hopes = outlook(hits + SUPPORT * 2 * min(infantry, guns), number, against, defenders)
    gain = _gain(s, zone, hopes, cost, killing)
    if not started and (hopes.ratio < LEAST or gain <= 0):
        return None
    return started, gain, chosen


def _trimmed(
    s: State,
    zone: str,
    party: Party,
    before: tuple[float, float],
    enemy: tuple[float, float],
) -> Party:
    """Of the last party that an attack needs only as many as are enough, to win and to hold the
    zone afterwards; the best attackers and as many others."""
    move = party.decision
    kinds = s.facts.units
    if not isinstance(move, Move) or not all(kinds[type_].land for type_ in move.units):
        return party
    hits, number = before
    peril = threat(s, s.mover, zone)
    left = dict(move.units)
    units: dict[str, int] = {}
    turn = 0
    while left:
        infantry = [t for t in left if kinds[t].class_ == "infantry"]
        guns = [t for t in left if kinds[t].supports]
        some = (infantry, guns, list(left))[turn % 3] or list(left)
        turn += 1
        type_ = max(some, key=lambda t: (kinds[t].attack or 0, t))
        units[type_] = units.get(type_, 0) + 1
        left[type_] -= 1
        if not left[type_]:
            del left[type_]
        hits += _attack_value(s, kinds[type_], move.path[-2], zone)
        number += 1
        holds = sum((kinds[t].defense or 0) * n for t, n in units.items())
        if holds >= peril and outlook(hits, number, *enemy).ratio >= ENOUGH:
            break
    return party._replace(decision=Move(units, move.path, nation=move.nation))


def _gain(s: State, zone: str, hopes: Outlook, cost: float, killing: float) -> float:
    """What an attack should bring."""
    return hopes.chance * prize(s, s.mover, zone) + hopes.killed * killing - 0.9 * hopes.lost * cost


def _walk_in(s: State, zone: str, parties: list[Party]) -> tuple[bool, float, list[Party]] | None:
    """Take an empty zone with a single unit, a strong one only where the Enemy could come back."""
    if not parties:
        return None
    peril = threat(s, s.mover, zone)
    if may_annex(s, power_of(s, s.mover), zone):
        peril = 0.0
    best: list[tuple[float, Party]] = []
    for party in parties:
        decision = party.decision
        if isinstance(decision, Move):
            kinds = s.facts.units
            type_ = min(
                decision.units, key=lambda t: (price(kinds[t]), -(kinds[t].defense or 0), t)
            )
            most = decision.units[type_]
            wanted = min(most, 1 + int(peril / 8))
            small = Move({type_: wanted}, decision.path, nation=decision.nation)
            best.append((price(kinds[type_]) * wanted, party._replace(decision=small)))
        else:
            best.append((party.cost, party))
    best.sort(key=lambda each: each[0])
    gain = prize(s, s.mover, zone)
    if peril > 12 and gain < 4:
        return None
    return False, gain, [party for _, party in best]
