"""The Production Preparation Phase (18.0 to 18.3, 18.5, 18.9): both sides order in secret."""

from __future__ import annotations

import random
from bisect import insort
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from sandtable.games.gw75.facts import MAJORS
from sandtable.games.gw75.model import Job, State, Unit
from sandtable.games.gw75.rules import industry, lend_lease, ports, ussr
from sandtable.games.gw75.rules.common import Done, in_turn, refuse
from sandtable.games.gw75.rules.lend_lease import LENDING, Send
from sandtable.games.gw75.rules.terms import (
    DEPLETABLE,
    OTHER,
    at_war,
    commander,
    foes,
    friendly_hex,
    players,
    relations,
)
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

ORDERS = "orders"
"""The step in which orders are given."""


class Build(Decision, frozen=True, tag="build"):
    """Put units of a type on the Production Track of a power, new ones or (`rebuilt`) such as were
    destroyed, with the points of a country; Fortifications by units of two Strength Points."""

    nation: str
    type: str
    number: int = 1
    country: str = ""
    rebuilt: bool = False


class Undeplete(Decision, frozen=True, tag="undeplete"):
    """Have depleted units of a power in a hex restored."""

    nation: str
    type: str
    space: str
    number: int = 1
    country: str = ""


class Production(Request, frozen=True, tag="production"):
    """What a player orders for the powers that are his."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Build, Undeplete, Send, Done)

    def check(self, state: State, decision: Decision) -> None:
        if isinstance(decision, Build):
            check_build(state, self.power, decision)
        elif isinstance(decision, Undeplete):
            check_undeplete(state, self.power, decision)
        elif isinstance(decision, Send):
            lend_lease.check(state, self.power, decision)

    def decisions(self, state: State) -> Iterator[Decision]:
        """Every order for one unit, and for as many as there may be; Production Points one by one
        and as many as can go."""
        yield from _builds(state, self.power)
        yield from _undepletions(state, self.power)
        yield from lend_lease.options(state, self.power)
        yield Done()

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        """A few orders at random, seldom points to others, then none."""
        pots = [key for key, points in state.points.items() if points]
        commanders = relations(state).commander
        pots = sorted([key for key in pots if commanders[key[0]] == self.power])
        if pots and rng.random() < _SENDING:
            pot, other = rng.choice(pots), rng.choice(sorted(state.points))
            yield Send(pot[0], other[0], 1, pot[1], other[1])
        types = _TYPES
        for _ in range(_TRIES if pots else 0):
            nation, country = pots[int(rng.random() * len(pots))]
            type = types[int(rng.random() * len(types))]
            rebuilt = state.dead.get((nation, type), 0) > 0
            known = state.facts.types[type]
            cost = known.rebuilt if rebuilt else known.new
            if cost and cost[0] <= state.points[nation, country] and limit(state, nation, type) > 0:
                yield Build(nation, type, 1, country, rebuilt)
        yield from _undepletions(state, self.power)
        yield Done()


class Lend(Request, frozen=True, tag="lend"):
    """Production Points that a player's powers give to those of other players, openly and before
    the orders; or be done.

    Rules: 18.81
    """

    answers: ClassVar[tuple[type[Decision], ...]] = (Send, Done)

    def check(self, state: State, decision: Decision) -> None:
        if isinstance(decision, Send):
            lend_lease.check(state, self.power, decision)

    def decisions(self, state: State) -> Iterator[Decision]:
        yield Done()
        yield from lend_lease.options(state, self.power)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        if rng.random() < _SENDING:
            yield rng.choice(list(lend_lease.options(state, self.power)))
        yield Done()


_SENDING = 0.1
_TRIES = 8
_TYPES = (
    *("inf", "mech", "fort", "ad", "lrb", "asw", "ss", "surf_a", "surf_b"),
    *("ms", "amph", "port", "abomb"),
)
"""What can be built."""


def price(s: State, type: str, rebuilt: bool) -> tuple[int, int]:
    """Production Points and Game-Turns that a unit takes.

    Rules: 18.0c, 18.22b
    """
    found = s.facts.types[type].rebuilt if rebuilt else s.facts.types[type].new
    assert found is not None
    return found


def limit(s: State, nation: str, type: str) -> int:
    """How many more units of a type a power may start in this Game-Turn: one more than in the one
    before, and one always; in the first Game-Turn one of each. The Commonwealth is one.

    Rules: 18.91a, 18.91b, 18.92, 23.1
    """
    numbers = s.facts.numbers
    most = numbers.build_first_turn
    if s.turn > 1:
        most = s.started_before.get((nation, type), 0) + numbers.build_more
    return most - s.started.get((nation, type), 0)


def no_forts(s: State, nation: str) -> tuple[str, str]:
    """Why a power may not build Fortifications, and the rule: it counts as neutral, or it is the
    USSR in a limited war. Empty if it may.

    Rules: 18.94, 19.72d
    """
    if nation in ("usa", "ussr"):
        neutral = not at_war(s, nation, "germany")
    elif nation == "japan":
        neutral = not at_war(s, "japan", "usa")
    else:
        neutral = not foes(s, nation)
    if neutral:
        return f"{s.facts.name(nation)} is neutral, and builds no Fortifications.", "18.94"
    if nation == "ussr" and ussr.limited(s):
        return "In a limited war the USSR builds no Fortifications.", "19.72d"
    return "", ""


def check_build(s: State, player: str, decision: Build) -> None:
    """Rules: 18.0c, 18.0e, 18.22a, 18.51, 18.76c, 18.91a, 18.91b, 18.94, 19.72d, 19.9a"""
    name = s.facts.name
    nation, type, number = decision.nation, decision.type, decision.number
    if nation not in MAJORS or commander(s, nation) != player:
        raise refuse(f"{name(player)} does not produce for {name(nation)}.", "18.0a")
    known = s.facts.types.get(type)
    if known is None or (known.rebuilt if decision.rebuilt else known.new) is None:
        how = "rebuilt" if decision.rebuilt else "built"
        raise refuse(f"{name(type)} cannot be {how}.", "18.0c")
    if (nation, decision.country) not in s.points:
        raise refuse(f"{name(nation)} has no Production Points there.", "18.76c")
    if number < 1:
        raise refuse("At least one unit is built.", "18.22a")
    why, rule = no_forts(s, nation) if type == "fort" else ("", "")
    if why:
        raise refuse(why, rule)
    most = limit(s, nation, type)
    if number > most:
        raise refuse(
            f"{name(nation)} may start {most or 'no'} more of {name(type)} in this Game-Turn"
            f"{f', not {number}' if most else ''}.",
            "18.91a",
        )
    dead = s.dead.get((nation, type), 0)
    if decision.rebuilt and number > dead:
        raise refuse(f"{name(nation)} can rebuild {dead} of {name(type)}, not {number}.", "18.0c")
    cost = price(s, type, decision.rebuilt)[0] * number
    have = s.points[nation, decision.country]
    if cost > have:
        raise refuse(_too_dear(cost, have), "18.22a")


def _too_dear(cost: int, have: int) -> str:
    points = f"{cost} Production Point{'' if cost == 1 else 's'}"
    return f"That costs {points}, and there {'is' if have == 1 else 'are'} {have}."


def build(g: Table[State], decision: Build) -> None:
    """Put units on the Production Track. They appear in the country that has paid for them.

    Rules: 18.0d, 18.0c, 18.22b, 18.76c
    """
    s = g.state
    nation, type, number = decision.nation, decision.type, decision.number
    cost, time = price(s, type, decision.rebuilt)
    s.points[nation, decision.country] -= cost * number
    key = (nation, type)
    s.started[key] = s.started.get(key, 0) + number
    if decision.rebuilt:
        s.dead[key] -= number
        if not s.dead[key]:
            del s.dead[key]
    points = s.facts.numbers.fort_points if type == "fort" else 1
    job = Job(nation, type, s.turn + time, number * points, decision.country)
    track = list(s.track)
    insort(track, job)
    s.track = tuple(track)
    g.emit(
        "ordered",
        to=(commander(s, nation),),
        power=nation,
        units={type: number * points},
        cost=cost * number,
        turn=job.due,
        rebuilt=decision.rebuilt,
    )


def restorable(s: State, nation: str, hex: str, type: str) -> str:
    """Why depleted units cannot be restored in a hex; empty if they can: in a Friendly Industrial
    Hex, which for ships has a port.

    Rules: 18.32a, 18.33
    """
    name = s.facts.name
    if type not in s.facts.types or s.facts.types[type].undepletion is None:
        return f"{name(type)} is never depleted."
    if hex not in s.facts.industry or hex in s.destroyed or not friendly_hex(s, nation, hex):
        return f"{name(hex)} is no Friendly Industrial Hex."
    if type == "surf_a" and not ports.there(s, hex):
        return f"{name(hex)} has no port."
    return ""


def depleted(s: State, nation: str, hex: str, type: str) -> list[tuple[Unit, int]]:
    """The depleted units of a type of a power in a hex."""
    return [
        (unit, count)
        for unit, count in s.stack(hex).items()
        if unit.depleted and unit.nation == nation and unit.type == type
    ]


def worn_out(s: State, nation: str, hex: str, type: str) -> int:
    """How many of them are there whose restoration has not been ordered yet."""
    there = sum(count for _, count in depleted(s, nation, hex, type))
    return there - sum(
        job.number for job in _refits(s) if (job.nation, job.type, job.hex) == (nation, type, hex)
    )


def _refits(s: State) -> list[Job]:
    """The restorations that were ordered in this phase."""
    return [job for job in s.track if job.hex and job.due == s.turn + _restoring(s, job.type)[1]]


def check_undeplete(s: State, player: str, decision: Undeplete) -> None:
    """Rules: 18.32a, 18.33"""
    name = s.facts.name
    nation, type, hex = decision.nation, decision.type, decision.space
    if nation not in MAJORS or commander(s, nation) != player:
        raise refuse(f"{name(player)} does not produce for {name(nation)}.", "18.0a")
    rule = "18.33" if type == "asw" else "18.32a"
    why = restorable(s, nation, hex, type)
    if why:
        raise refuse(why, rule)
    there = worn_out(s, nation, hex, type)
    if not 0 < decision.number <= there:
        raise refuse(
            f"{name(nation)} has {there} of {name(type)} to be restored in {name(hex)}, "
            f"not {decision.number}.",
            rule,
        )
    if (nation, decision.country) not in s.points:
        raise refuse(f"{name(nation)} has no Production Points there.", "18.76c")
    own = s.facts.hexes[hex].country
    if (nation, own) in s.points and own != decision.country:
        raise refuse(f"In {name(own)} its own Production Points are used.", "18.76c")
    cost = _restoring(s, type)[0] * decision.number
    have = s.points[nation, decision.country]
    if cost > have:
        raise refuse(_too_dear(cost, have), rule)


def _restoring(s: State, type: str) -> tuple[int, int]:
    found = s.facts.types[type].undepletion
    assert found is not None
    return found


def undeplete(g: Table[State], decision: Undeplete) -> None:
    """Order depleted units to be restored. They leave the map when everybody has ordered: before
    that it would tell of the order.

    Rules: 18.32a, 18.33, 4.2i
    """
    s = g.state
    nation, type, hex = decision.nation, decision.type, decision.space
    cost, time = _restoring(s, type)
    s.points[nation, decision.country] -= cost * decision.number
    s.track = tuple(sorted([*s.track, Job(nation, type, s.turn + time, decision.number, hex=hex)]))
    g.emit(
        "restoring",
        to=(commander(s, nation),),
        power=nation,
        space=hex,
        units={type: decision.number},
        cost=cost * decision.number,
        turn=s.turn + time,
    )


def _withdraw(s: State) -> None:
    """Units that are to be restored leave the map.

    Rules: 18.32a, 18.33
    """
    for job in _refits(s):
        key, left = (job.nation, job.type), job.number
        for unit, count in depleted(s, job.nation, job.hex, job.type):
            number = min(left, count)
            if number:
                s.take(job.hex, unit, number)
                s.lost[key] = s.lost.get(key, 0) + number
                left -= number


def _builds(s: State, player: str) -> Iterator[Build]:
    for (nation, country), points in sorted(s.points.items()):
        if not points or commander(s, nation) != player:
            continue
        for type in _TYPES:
            most = limit(s, nation, type)
            if most < 1 or (type == "fort" and no_forts(s, nation)[0]):
                continue
            dead = s.dead.get((nation, type), 0)
            for rebuilt, there in ((False, most), (True, min(most, dead))):
                if there and (not rebuilt or s.facts.types[type].rebuilt is not None):
                    number = min(there, points // price(s, type, rebuilt)[0])
                    if number:
                        yield Build(nation, type, 1, country, rebuilt)
                    if number > 1:
                        yield Build(nation, type, number, country, rebuilt)


def _undepletions(s: State, player: str) -> Iterator[Undeplete]:
    for (nation, country), points in sorted(s.points.items()):
        if not points or commander(s, nation) != player:
            continue
        for hex, unit, _ in s.units_of(nation, DEPLETABLE):
            if unit.depleted and not restorable(s, nation, hex, unit.type):
                own = s.facts.hexes[hex].country
                if (nation, own) in s.points and own != country:
                    continue
                if _restoring(s, unit.type)[0] > points:
                    continue
                if worn_out(s, nation, hex, unit.type):
                    yield Undeplete(nation, unit.type, hex, 1, country)


def phase(g: Table[State]) -> Procedure[None]:
    """The Production Points of all powers are counted, for all to see; players lend some to each
    other's powers, openly; then all order in secret, each at its own pace. What is not spent is
    lost, and what is to be restored leaves the map.

    Rules: 18.0b, 18.22a, 18.51, 4.2h
    """
    s = g.state
    if s.step == "":
        _count(g)
        s.step = LENDING
    if s.step == LENDING:
        for which in OTHER:
            yield from in_turn(g, which, _lending, _lend)
        s.step, s.finished = ORDERS, frozenset()
    every = [player for which in OTHER for player in players(s, which)]
    while True:
        commanders = relations(s).commander
        rich = {commanders[nation] for (nation, _), points in s.points.items() if points}
        open_ = [player for player in every if player in rich and player not in s.finished]
        if not open_:
            break
        g.checkpoint()
        player, decision = yield from g.ask_any(Production(player) for player in open_)
        if isinstance(decision, Build):
            build(g, decision)
        elif isinstance(decision, Undeplete):
            undeplete(g, decision)
        elif isinstance(decision, Send):
            lend_lease.send(g, decision)
        else:
            s.finished |= {player}
    _withdraw(s)
    s.points.clear()
    s.bombed.clear()


def _lending(s: State, player: str) -> Request | None:
    return Lend(player) if next(lend_lease.options(s, player), None) is not None else None


def _lend(g: Table[State], player: str, decision: Send) -> Procedure[None]:
    lend_lease.send(g, decision)
    yield from ()


def _count(g: Table[State]) -> None:
    """The points of each power; one to which a custom position gives some has those. Ships that
    bring what captured industry gives transfer so much less.

    Rules: 18.0b, 18.22a, 18.10a, 18.64b, 18.78
    """
    s = g.state
    given = {nation for nation, _ in s.points}
    for nation in MAJORS:
        if nation in given:
            found = {each: s.points.get((nation, each), 0) for each in industry.pots(s, nation)}
        else:
            sources = industry.sources(s, nation)
            found = industry.totals(s, nation, sources)
            for source in sources:
                for area in source.areas:
                    key = f"transfer:{area}"
                    s.done[key] = s.done.get(key, 0) + source.points
        s.capacity[nation] = sum(found.values())
        if nation in s.fallen:
            continue
        for country, points in found.items():
            s.points[nation, country] = points
        g.emit("production_counted", power=nation, points=sum(found.values()))


class Sheet(NamedTuple):
    """The production of a power, for its owner to read."""

    points: dict[str, int]
    """Production Points by country: those that are left in the Production Preparation Phase,
    otherwise what there would be now."""
    sources: tuple[industry.Source, ...]
    track: tuple[Job, ...]
    limits: dict[str, int]
    """Type to the units that may still be started."""
    dead: dict[str, int]
    """Type to destroyed units that can be rebuilt."""
    stock: int
    """Ports that are ready."""


def sheet(s: State, nation: str) -> Sheet:
    """What a power produces, has under construction and may still order.

    Rules: 18.22a
    """
    counted = s.phase == "production" and s.step == ORDERS
    sources = industry.sources(s, nation)
    left = {country: n for (who, country), n in s.points.items() if who == nation}
    return Sheet(
        left if counted else industry.totals(s, nation, sources),
        sources,
        tuple(job for job in s.track if job.nation == nation),
        {type: max(0, limit(s, nation, type)) for type in _TYPES},
        {type: number for (who, type), number in sorted(s.dead.items()) if who == nation},
        s.stock.get(nation, 0),
    )
