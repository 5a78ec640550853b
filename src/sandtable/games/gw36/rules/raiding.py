"""Convoy raiding and escorts (9.11-9.14, Tables 9-7 and 9-8)."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.gw36.facts import ConvoyLine
from sandtable.games.gw36.model import News, Stack, State, Unit
from sandtable.games.gw36.rules.battle import conclude, forces
from sandtable.games.gw36.rules.bombing import interception, rise
from sandtable.games.gw36.rules.casualties import lose
from sandtable.games.gw36.rules.consequences import settle
from sandtable.games.gw36.rules.movement import Group, lift
from sandtable.games.gw36.rules.rounds import roll
from sandtable.games.gw36.rules.sea_duties import raid_key
from sandtable.games.gw36.rules.terms import (
    aligned,
    at_war,
    enemies,
    enemy_zone,
    has_tech,
    on,
    power_of,
)
from sandtable.games.gw36.rules.values import Shots, printed_defense
from sandtable.games.gw36.rules.zones import on_patrol
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.kits import Assign
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

RAIDING: frozenset[str] = frozenset({"raid", "mine"})
ASW_VALUE = 2


class SpreadRaid(Assign, frozen=True, tag="spread_raid"):
    """Over which of its lines the raided nation spreads the loss."""

    space: str
    total: int
    most: dict[str, int]

    rule: ClassVar[str] = "9.11h"


def value_left(s: State, line: ConvoyLine, nation: str) -> int:
    """What a nation can still lose on a line in this calendar turn; nothing on a line that is
    closed to it because an Enemy holds one of its ends.

    Rules: 9.11d, 9.11i, 15.2a
    """
    worth = dict(line.values).get(nation, 0) + _rerouted(s, line, nation)
    if worth <= 0:
        return 0
    for end in line.ends:
        if not s.facts.zones[end].sea and enemy_zone(s, nation, end):
            return 0
    return max(worth - s.raided.get((line.id, nation), 0), 0)


def _rerouted(s: State, line: ConvoyLine, nation: str) -> int:
    """With the Suez re-route British trade leaves the Mediterranean while an Enemy holds Gibraltar
    or Eastern Egypt.

    Rules: 15.2a
    """
    if nation != "great_britain" or not on(s, "suez_reroute"):
        return 0
    if not any(enemy_zone(s, nation, zone) for zone in ("gibraltar", "eastern_egypt")):
        return 0
    if line.id == "mediterranean":
        return -dict(line.values).get(nation, 0)
    return 3 if line.id in ("east_african", "west_african") else 0


def victims(s: State, raider: str, zone: str) -> list[tuple[int, str, str]]:
    """What the raider's Enemies can lose in a sea zone: value, nation, line; most first.

    Rules: 9.11a, 9.11e, 9.11g
    """
    found = []
    for id in s.facts.lines_at.get(zone, ()):
        line = s.facts.lines[id]
        for nation in s.facts.powers:
            if enemies(s, raider, nation) and (left := value_left(s, line, nation)):
                found.append((left, nation, id))
    return sorted(found, key=lambda each: (-each[0], each[1], each[2]))


def raider_modifier(s: State, unit: Unit) -> int:
    """Rules: table-9-8a, table-9-8b, table-9-8c, table-9-8d, 9.12c, 9.13a, 9.14a,
    7.8.advanced-sub-b"""
    if unit.duty == "mine":
        return 0
    return s.facts.units[unit.type].raid or 0


def escorts(s: State, zone: str, nation: str) -> Stack:
    """The ships on escort duty in a sea zone that protect a nation's convoys.

    Rules: 9.11m
    """
    return {
        unit: count
        for unit, count in s.stack(zone).items()
        if unit.duty == "convoy" and aligned(s, unit.nation, nation)
    }


def patrols(s: State, zone: str, nation: str, raider: str) -> Stack:
    """The aircraft on patrol that fight the raider over the convoy; those on carriers count as
    such.

    Rules: 9.11k, 8.7k
    """
    found: Stack = {}
    for unit, count in s.stack(zone).items():
        if not on_patrol(s, unit) or not aligned(s, unit.nation, nation):
            continue
        for piece in (unit,) if s.facts.units[unit.type].air else unit.cargo:
            if s.facts.units[piece.type].patrol and at_war(s, piece.nation, raider):
                found[piece] = found.get(piece, 0) + count
    return found


def convoy_modifier(s: State, zone: str, nation: str, raider: str) -> int:
    """What is added to the convoy's roll; all of it adds up.

    Rules: table-9-8e, table-9-8f, table-9-8g, table-9-8h, table-9-8i, 7.8.asw-a, 7.8.radar-a
    """
    guard = escorts(s, zone, nation)
    total = sum(guard.values())
    if patrols(s, zone, nation, raider):
        total += 2
    if any(has_tech(s, unit.nation, "radar") for unit in guard):
        total += 2
    if has_tech(s, nation, "advanced_asw"):
        total += 1
    return total


def begin(g: Table[State], zone: str) -> Procedure[None]:
    """All raids in a sea zone: each raider rolls against the convoy, then the escorts fire.

    Rules: 9.11b, 9.11e, 9.11f, 9.11k, 9.11l, table-9-7a, 9.13a, 9.14b, 9.14c, 7.8.asw-b
    """
    s = g.state
    raiders = {u: n for u, n in s.stack(zone).items() if u.duty in RAIDING}
    hunted: dict[Unit, int] = {}
    defended: set[str] = set()
    for unit, count in sorted(raiders.items()):
        for _ in range(count):
            nation = yield from _raid(g, zone, unit)
            if nation and unit.duty != "mine":
                defended.add(nation)
                hunted[unit] = hunted.get(unit, 0) + 1
    yield from _defend(g, zone, hunted, sorted(defended))
    for unit, count in list(s.stack(zone).items()):
        if unit.duty in RAIDING:
            duty = "patrol" if s.facts.units[unit.type].air else "fought"
            s.change(zone, unit, count, duty=duty, target="")
    conclude(s, zone, "raid")
    yield from settle(g)


def _raid(g: Table[State], zone: str, unit: Unit) -> Procedure[str]:
    """One raider's roll and what it costs; the nation that was raided, if any could be.

    Rules: 9.11e, 9.11f, 9.11g, 9.11h, 9.11i
    """
    s = g.state
    found = victims(s, unit.nation, zone)
    if not found:
        return ""
    totals: dict[str, int] = {}
    for left, nation, line in found:
        totals[nation] = totals.get(nation, 0) + left
        s.counts[raid_key(line, power_of(s, unit.nation))] = 1
    # Whoever has most to lose here rolls; of equals the first in the order of play.
    order = sorted(totals, key=lambda each: (-totals[each], s.facts.powers.index(each)))
    target = order[0]
    lines = (RollLine(unit.nation, unit.type, 1, 0, 6), RollLine(target, "convoy", 1, 0, 6))
    faces = yield from g.roll("raid", lines)
    ours = faces[0] + raider_modifier(s, unit)
    theirs = faces[1] + convoy_modifier(s, zone, target, unit.nation)
    damage = max(ours - theirs, 0)
    g.emit(
        "convoy_raided",
        space=zone,
        power=unit.nation,
        against=target,
        lines=lines,
        dice=faces,
        damage=damage,
    )
    for nation in order:
        if damage:
            damage -= yield from _lose(g, zone, unit.nation, nation, damage)
    return target


def _lose(g: Table[State], zone: str, raider: str, nation: str, damage: int) -> Procedure[int]:
    """A nation loses what it can of the damage, on lines of its choice; how much.

    Rules: 9.11f, 9.11h, 9.11i
    """
    s = g.state
    most = {id: left for left, each, id in victims(s, raider, zone) if each == nation}
    number = min(damage, sum(most.values()))
    if not number:
        return 0
    spread = {min(most): number}
    if len(most) > 1 and number < sum(most.values()):
        answer = yield from g.ask(SpreadRaid(nation, zone, number, most))
        spread = answer.numbers
    elif len(most) > 1:
        spread = most
    for id, lost in sorted(spread.items()):
        s.raided[id, nation] = s.raided.get((id, nation), 0) + lost
        s.tell(News("raided", who=raider, whom=nation, where=id, number=lost))
    s.treasury[nation] = max(s.treasury.get(nation, 0) - number, 0)
    return number


def _defend(g: Table[State], zone: str, hunted: Stack, nations: list[str]) -> Procedure[None]:
    """Escorts and patrols each roll once against the raiders, the convoy itself with Advanced ASW
    once against each submarine. Raiders do not fire back, but for aircraft that are intercepted.

    Rules: 9.11k, 9.11l, 9.14b, 9.14c, 7.8.asw-b, 9.6d
    """
    s = g.state
    if not hunted:
        return
    raider = next(iter(hunted)).nation
    guards: Stack = {}
    aircraft: Stack = {}
    for nation in nations:
        guards.update(escorts(s, zone, nation))
        aircraft.update(patrols(s, zone, nation, raider))
    hits = 0
    if aircraft and all(s.facts.units[unit.type].air for unit in hunted):
        hits = yield from _intercept(g, zone, hunted, aircraft)
    else:
        guards.update(aircraft)
    for unit, count in sorted(guards.items()):
        value = printed_defense(s.facts.units[unit.type], unit)
        if value:
            shots = [Shots(unit.nation, count, value, 0)]
            for scored in (yield from roll(g, zone, "defense", unit.type, shots)):
                hits += scored.plain
    asw = [nation for nation in nations if has_tech(s, nation, "advanced_asw")]
    for unit, count in sorted(hunted.items()):
        if asw and s.facts.units[unit.type].submarine:
            shots = [Shots(asw[0], count, ASW_VALUE, 0)]
            for scored in (yield from roll(g, zone, "defense", "convoy", shots)):
                yield from lose(g, zone, {unit: count}, scored.plain, "convoy")
    left = {unit: n for unit, n in s.stack(zone).items() if unit in hunted}
    yield from lose(g, zone, left, hits, "escort")


def _intercept(g: Table[State], zone: str, raiders: Stack, able: Stack) -> Procedure[int]:
    """One round of interception between patrols and raiding aircraft, both with their values for
    it; what the patrols hit. Whether they engage is asked where the raiders can hit back.

    Rules: 9.14c, 9.16b
    """
    s = g.state
    rising = able
    if any(interception(s, unit) for unit in raiders):
        rising = yield from rise(g, zone, able)
    hits = {"attack": 0, "defense": 0}
    for side, units in (("attack", raiders if rising else {}), ("defense", rising)):
        for unit, count in sorted(units.items()):
            if value := interception(s, unit):
                shots = [Shots(unit.nation, count, value, 0)]
                for scored in (yield from roll(g, zone, side, unit.type, shots)):
                    hits[side] += scored.plain
    flying = {unit: count for unit, count in rising.items() if unit in s.stack(zone)}
    struck = min(hits["attack"], sum(flying.values()))
    yield from lose(g, zone, flying, struck, "interception")
    for unit, count in rising.items():
        if unit not in flying and (lost := min(count, hits["attack"] - struck)):
            struck += lost
            lift(s, zone, Group(unit, lost, aboard=True))
            key = (unit.nation, unit.type)
            s.lost[key] = s.lost.get(key, 0) + lost
            g.emit("units_hit", space=zone, unit="interception", losses=forces([(unit, lost)]))
    return hits["defense"]
