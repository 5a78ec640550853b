"""Play in the air: raids on the industry that is least defended, Air Defense where raids come."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw75.bot.plans import legal, threat
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import bombing, industry
from sandtable.games.gw75.rules.air import AirMovement, FlyTo, Raid, reach_of, ready
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.naval_movement import no_base
from sandtable.games.gw75.rules.tables import column
from sandtable.games.gw75.rules.terms import at_war, friendly_hex, holder, nations, side
from sandtable.kernel.decisions import Decision

BOMBER = 3.0
"""What a bomber is worth, in Production Points of the Enemy."""


def phase(s: State, request: AirMovement) -> Decision:
    """The first that comes to mind and is allowed."""
    for decision in _ideas(s, request.power):
        if legal(request, s, decision):
            return decision
    return Done()


def _ideas(s: State, player: str) -> Iterator[Decision]:
    for nation in nations(s, player):
        for hex in s.presence[nation]:
            number = ready(s, nation, "lrb", hex, attack=True)
            if number:
                yield from _raids(s, nation, hex, number)
        for hex in s.presence[nation]:
            number = ready(s, nation, "lrb", hex)
            if number:
                yield from _forward(s, nation, hex, number)
            if ready(s, nation, "ad", hex):
                yield from _cover(s, nation, hex)


def _raids(s: State, nation: str, base: str, number: int) -> Iterator[Raid]:
    """Where each bomber costs the Enemy most, beside those that fly there already; all with an
    atomic bomb, to where most is made."""
    far = reach_of(s, nation)
    near = [hex for hex in targets(s, nation) if s.facts.distance(base, hex) <= far]
    if bombing.loadable(s, base):
        for target in sorted(near, key=lambda hex: (-_makes(s, hex), hex)):
            if number > bombing.defense(s, nation, target):
                yield Raid(nation, base, target, number, bomb=True)
    found = []
    for target in near:
        flying = sum(each.number for each in s.missions if each.target == target)
        before = _promise(s, nation, target, flying)
        for some in range(1, number + 1):
            gain = _promise(s, nation, target, flying + some) - before
            if gain > 0:
                found.append((gain / some, some, target))
    for _, some, target in sorted(found, reverse=True):
        yield Raid(nation, base, target, some)


def targets(s: State, nation: str) -> list[str]:
    """The industry of a nation's Enemies."""
    return [
        hex
        for hex in s.facts.industry
        if hex not in s.destroyed and at_war(s, nation, holder(s, hex))
    ]


def _makes(s: State, hex: str) -> int:
    """The Production Points of an Industrial Hex."""
    owner = holder(s, hex)
    if s.facts.industry[hex] != owner:
        return s.facts.numbers.captured_points
    return industry.multiple(s, owner, hex)


def _promise(s: State, nation: str, target: str, number: int) -> float:
    """What so many bombers over a hex promise: Production Points, less the bombers shot down."""
    lost = stopped = 0.0
    defense = bombing.defense(s, nation, target)
    if not number:
        return 0.0
    if defense:
        row = column(s.facts.tables.air_defense, defense - number)
        lost = sum(min(each[1], number) for each in row) / 6
        stopped = sum(min(each[1] + each[2], number) for each in row) / 6
    left = round(number - stopped)
    most = _makes(s, target)
    damage = column(s.facts.tables.bombing, left) if left > 0 else ()
    return sum(min(each, most) for each in damage) / 6 - BOMBER * lost


def away(s: State, nation: str, hex: str) -> int:
    """How far a hex is from the nearest industry of an Enemy."""
    return min((s.facts.distance(hex, target) for target in targets(s, nation)), default=99)


def _forward(s: State, nation: str, hex: str, number: int) -> Iterator[FlyTo]:
    """Bombers with nothing in range fly to where there is something."""
    far = reach_of(s, nation)
    here = away(s, nation, hex)
    if here <= far or here == 99:
        return
    enemy = targets(s, nation)
    goals = []
    for to in s.facts.within(hex, s.facts.numbers.lrb_transfer * far):
        if s.facts.hexes[to].dry and friendly_hex(s, nation, to):
            there = min(s.facts.distance(to, each) for each in enemy)
            if there < here and not threat(s, nation, to, 1):
                goals.append((-_offers(s, nation, to), there, to))
    for _, _, to in sorted(goals):
        if not no_base(s, nation, to):
            yield FlyTo(nation, "lrb", hex, to, number, bombs=bombing.loadable(s, hex))
            return


def _offers(s: State, nation: str, base: str) -> int:
    """What is made in range of a base; where bombers of a nation are already it counts twice."""
    far = reach_of(s, nation)
    made = sum(_makes(s, hex) for hex in targets(s, nation) if s.facts.distance(base, hex) <= far)
    here = any(unit.type == "lrb" and unit.nation == nation for unit in s.stack(base))
    return 2 * made if here else made


def _cover(s: State, nation: str, hex: str) -> Iterator[FlyTo]:
    """An Air Defense unit to the industry that Enemy bombers threaten most."""
    here = _danger(s, nation, hex) - _defense(s, nation, hex) + 1
    best = (here + 1.0, "")
    for to, whose in s.facts.industry.items():
        if to != hex and whose == nation and friendly_hex(s, nation, to):
            best = max(best, (_danger(s, nation, to) - _defense(s, nation, to), to))
    if best[1]:
        yield FlyTo(nation, "ad", hex, best[1])


def _danger(s: State, nation: str, hex: str) -> float:
    """Enemy bombers that could raid a hex."""
    total = 0
    for near in s.facts.within(hex, 7):
        for unit, count in s.stack(near).items():
            if (
                unit.type == "lrb"
                and at_war(s, nation, unit.nation)
                and s.facts.distance(near, hex) <= reach_of(s, unit.nation)
            ):
                total += count
    return float(total)


def _defense(s: State, nation: str, hex: str) -> int:
    return sum(
        count
        for unit, count in s.stack(hex).items()
        if unit.type == "ad" and side(s, unit.nation) == side(s, nation)
    )
