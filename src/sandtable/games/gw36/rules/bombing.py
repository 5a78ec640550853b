"""Strategic and carpet bombing, rockets, attrition (9.16-9.18, Table 9-9, 7.8)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.model import Facility, Stack, State, Unit
from sandtable.games.gw36.rules.battle import choosers, conclude, forces, labelled
from sandtable.games.gw36.rules.casualties import lose
from sandtable.games.gw36.rules.consequences import settle
from sandtable.games.gw36.rules.facilities import max_damage
from sandtable.games.gw36.rules.rounds import roll
from sandtable.games.gw36.rules.terms import acting, enemies, has_tech
from sandtable.games.gw36.rules.values import ANTI_AIR, Shots
from sandtable.games.gw36.rules.zones import ground
from sandtable.kernel.decisions import Decision, Request, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

DAMAGE_SIDES = 6
CANAL_DAMAGE = 10
WORKS_DAMAGE = 4
"""What a facility under construction takes; with more it is thrown back a turn."""


class Intercept(Decision, frozen=True, tag="intercept"):
    """These fighters rise against the bombers; none if it names none."""

    units: dict[str, int] = {}


class MayIntercept(Request, frozen=True, tag="may_intercept"):
    """Which aircraft meet bombers, or aircraft that raid a convoy."""

    space: str
    units: dict[str, int]

    answers: ClassVar[tuple[type[Decision], ...]] = (Intercept,)

    def check(self, state: State, decision: Intercept) -> None:
        """Rules: table-9-9b"""
        for name, count in decision.units.items():
            if not 1 <= count <= self.units.get(name, 0):
                raise IllegalDecision("There are no such fighters to intercept.", "table-9-9b")

    def decisions(self, state: State) -> Iterator[Decision]:
        yield Intercept()
        yield Intercept(dict(self.units))
        for name in sorted(self.units):
            if len(self.units) > 1 or self.units[name] > 1:
                yield Intercept({name: 1})

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        yield Intercept({n: c for n in sorted(self.units) if (c := rng.randint(0, self.units[n]))})


def raiders(s: State, zone: str, duty: str) -> Stack:
    """The acting nations' units over a zone with that duty."""
    return {
        unit: count
        for unit, count in s.stack(zone).items()
        if unit.duty == duty and unit.nation in acting(s)
    }


def interception(s: State, unit: Unit) -> int:
    """The value with which an aircraft fights over a bombing; Radar adds to that of fighters.

    Rules: 9.16b, 7.8.radar-c, 7.8.jet-fighter-a, 12.2.fighter-a, 12.2.medium-bomber-a
    """
    kind = s.facts.units[unit.type]
    value = kind.interception
    if kind.air_superiority and value and has_tech(s, unit.nation, "radar"):
        value += 1
    return value


def rise(g: Table[State], zone: str, able: Stack) -> Procedure[Stack]:
    """Ask the owners of these aircraft which of them intercept.

    Rules: table-9-9b, 9.14c
    """
    s = g.state
    rising: Stack = {}
    for power in choosers(s, able):
        rows = labelled(s, {u: n for u, n in able.items() if choosers(s, [u]) == (power,)})
        names = {name: sum(n for _, n in some) for name, some in rows.items()}
        answer: Intercept = yield from g.ask(MayIntercept(power, zone, names))
        for name, number in answer.units.items():
            left = number
            for unit, count in rows[name]:
                some = min(left, count)
                left -= some
                if some:
                    rising[unit] = some
    return rising


def intercepted(g: Table[State], zone: str, duty: str) -> Procedure[None]:
    """One round between interceptors and the bombers with their escorts; losses leave at its end.

    Rules: table-9-9a, table-9-9b, table-9-9c, 12.2.fighter-c, 9.17b
    """
    s = g.state
    bombers = {**raiders(s, zone, duty), **raiders(s, zone, "escort_bombers")}
    able = {
        unit: count
        for unit, count in s.stack(zone).items()
        if s.facts.units[unit.type].air_superiority
        and unit.duty in ("", "scrambled")
        and any(enemies(s, unit.nation, other.nation) for other in bombers)
    }
    rising = yield from rise(g, zone, able)
    if not rising:
        return
    g.emit("intercepted", space=zone, defenders=forces(sorted(rising.items())))
    hits = {"attack": 0, "defense": 0}
    for side, units in (("attack", bombers), ("defense", rising)):
        for unit, count in sorted(units.items()):
            shots = [Shots(unit.nation, count, interception(s, unit), 0)]
            for scored in (yield from roll(g, zone, side, unit.type, shots)):
                hits[side] += scored.plain
    yield from lose(g, zone, rising, hits["attack"], "interception")
    yield from lose(g, zone, bombers, hits["defense"], "interception")


def bomb(g: Table[State], zone: str) -> Procedure[None]:
    """Strategic bombing of the facilities of a zone.

    Rules: 9.16a, table-9-9a, table-9-9b, table-9-9c, table-9-9d, table-9-9e, table-9-9f, 9.16c,
        9.16e, 9.18a
    """
    s = g.state
    yield from intercepted(g, zone, "bomb")
    targets = sorted({unit.target for unit in raiders(s, zone, "bomb")})
    for target in targets:
        units = {u: n for u, n in raiders(s, zone, "bomb").items() if u.target == target}
        lines = tuple(
            RollLine(u.nation, u.type, n * s.facts.units[u.type].strategic_dice, 0, DAMAGE_SIDES)
            for u, n in sorted(units.items())
        )
        faces = yield from g.roll("bombs", lines)
        if defended(s, zone, target):
            shots = [Shots(s.possession[zone], sum(units.values()), ANTI_AIR, 0)]
            for scored in (yield from roll(g, zone, "defense", "anti_aircraft", shots)):
                yield from lose(g, zone, units, scored.plain, "anti_aircraft")
        g.emit("bombed", space=zone, target=target, lines=lines, dice=faces)
        damage(g, zone, target, sum(faces))
    yield from _over(g, zone, "bombing", ("bomb", "escort_bombers"))


def defended(s: State, zone: str, target: str) -> bool:
    """Whether a target has anti-aircraft guns of its own: railways and what is being built have
    none.

    Rules: table-9-9e, 9.16e, 12.5b, 15.10a, 7.3j
    """
    kind, _, _ = target.partition(":")
    if kind == "canal":
        return True
    found = s.facts.facilities.get(kind)
    return found is not None and found.anti_air


def damage(g: Table[State], zone: str, target: str, points: int) -> None:
    """Mark damage on a facility, a railway, a canal or a building site, up to what it can take.

    Rules: 9.18a, 12.10e, 12.10f, 15.10a, 7.3j, 7.3k
    """
    s = g.state
    kind, _, where = target.partition(":")
    if kind == "railroad":
        border = pair(zone, where)
        most = max_damage(s, zone, "railroad", where)
        s.rail_damage[border] = min(s.rail_damage.get(border, 0) + points, most)
    elif kind == "canal":
        s.canal_damage[where] = min(s.canal_damage.get(where, 0) + points, CANAL_DAMAGE)
    elif kind == "site":
        _throw_back(s, zone, where, points)
    else:
        _hurt(s, zone, kind, where, points)
    g.emit("damaged", space=zone, against=s.possession[zone], target=target, damage=points)


def _hurt(s: State, zone: str, kind: str, where: str, points: int) -> None:
    most = s.facts.facilities[kind].max_damage
    rows: list[Facility] = []
    hit = False
    for facility in s.facilities.get(zone, ()):
        if not hit and facility.type == kind and facility.at == where:
            facility = facility._replace(damage=min(facility.damage + points, most))
            hit = True
        rows.append(facility)
    s.facilities[zone] = tuple(sorted(rows))


def _throw_back(s: State, zone: str, what: str, points: int) -> None:
    """A building site takes up to four points; with five or more it is thrown back a turn, and gone
    when it is thrown back past its beginning.

    Rules: 7.3j, 7.3k
    """
    for job in s.track:
        if job.at == zone and job.what == what and what in s.facts.facilities:
            total = job.damage + points
            others = list(s.track)
            others.remove(job)
            if total <= WORKS_DAMAGE:
                others.append(job._replace(damage=total))
            elif job.left + 1 <= len(s.facts.facilities[what].cost):
                others.append(job._replace(left=job.left + 1, damage=0))
            s.track = tuple(sorted(others))
            return


def carpet(g: Table[State], zone: str) -> Procedure[None]:
    """Carpet bombing of the land units in a zone: one round; only interceptors and Anti-Aircraft
    Artillery fight back.

    Rules: 9.17a, 9.17b, 9.17c, 1.10c, 7.8.heavy-bomber-b, 12.2.strategic-bomber-b
    """
    s = g.state
    yield from intercepted(g, zone, "carpet")
    bombers = raiders(s, zone, "carpet")
    hits = yield from _carpet_dice(g, zone, bombers)
    guns = {
        unit: count
        for unit, count in s.stack(zone).items()
        if s.facts.units[unit.type].anti_air
        and any(enemies(s, unit.nation, other.nation) for other in bombers)
    }
    shot = 0
    for unit, count in sorted(guns.items()):
        dice = min(s.facts.units[unit.type].anti_air, sum(bombers.values())) * count
        shots = [Shots(unit.nation, dice, ANTI_AIR, 0)]
        for scored in (yield from roll(g, zone, "defense", unit.type, shots)):
            shot += scored.plain
    yield from lose(g, zone, _ground(s, zone, bombers), hits, "carpet_bombing")
    yield from lose(g, zone, bombers, shot, "anti_aircraft_artillery")
    yield from _over(g, zone, "carpet", ("carpet", "escort_bombers"))


def _carpet_dice(g: Table[State], zone: str, units: Stack) -> Procedure[int]:
    """Rules: 9.17c, 1.10c"""
    s = g.state
    fewer = 2 if ground(s, zone) == "jungle" else 0
    hits = 0
    for unit, count in sorted(units.items()):
        kind = s.facts.units[unit.type]
        dice = max(kind.carpet_dice - fewer, 0) * count
        if dice:
            shots = [Shots(unit.nation, dice, kind.carpet_at, 0)]
            for scored in (yield from roll(g, zone, "attack", unit.type, shots)):
                hits += scored.plain
    return hits


def _ground(s: State, zone: str, bombers: Stack) -> Stack:
    """The land units that bombs can fall on."""
    return {
        unit: count
        for unit, count in s.stack(zone).items()
        if s.facts.units[unit.type].land
        and any(enemies(s, unit.nation, other.nation) for other in bombers)
    }


def aimed(s: State, zone: str, duty: str) -> list[tuple[str, Unit, int]]:
    """Units elsewhere whose duty is aimed at a zone, with theirs; the aim is `zone/…`."""
    return sorted(
        (place, unit, count)
        for nation in acting(s)
        for place, unit, count in s.units_of(nation)
        if unit.duty == duty and unit.target.partition("/")[0] == zone
    )


def rockets(g: Table[State], zone: str) -> Procedure[None]:
    """Rockets hit facilities (one die of damage each) or, as carpet bombing, land units; nothing
    fires at them.

    Rules: 9.16d, 7.8.rockets-c, 7.8.rockets-d
    """
    s = g.state
    for place, unit, count in aimed(s, zone, "rocket"):
        target = unit.target.partition("/")[2]
        if target == "units":
            hits = yield from _carpet_dice(g, zone, {unit: count})
            yield from lose(g, zone, _ground(s, zone, {unit: count}), hits, unit.type)
        else:
            dice = count * s.facts.units[unit.type].strategic_dice
            lines = (RollLine(unit.nation, unit.type, dice, 0, DAMAGE_SIDES),)
            faces = yield from g.roll("bombs", lines)
            g.emit("bombed", space=zone, target=target, lines=lines, dice=faces)
            damage(g, zone, target, sum(faces))
        s.change(place, unit, count, duty="fought", target="")
    yield from _over(g, zone, "rocket", ())


def attrition(g: Table[State], zone: str) -> Procedure[None]:
    """Advanced Artillery fires into a neighbouring zone: one round, and nobody fires back.

    Rules: 7.8.advanced-artillery-c
    """
    s = g.state
    for place, unit, count in aimed(s, zone, "attrition"):
        shots = [Shots(unit.nation, count, s.facts.units[unit.type].attrition, 0)]
        for scored in (yield from roll(g, zone, "attack", unit.type, shots)):
            yield from lose(g, zone, _ground(s, zone, {unit: count}), scored.plain, unit.type)
        s.change(place, unit, count, duty="fought", target="")
    yield from _over(g, zone, "attrition", ())


def _over(g: Table[State], zone: str, kind: str, duties: tuple[str, ...]) -> Procedure[None]:
    """The attack is over: aircraft fly home in non-combat movement.

    Rules: table-9-9g
    """
    s = g.state
    for unit, count in list(s.stack(zone).items()):
        if unit.duty in duties and unit.nation in acting(s):
            s.change(zone, unit, count, duty="fought", target="")
    conclude(s, zone, kind)
    yield from settle(g)
