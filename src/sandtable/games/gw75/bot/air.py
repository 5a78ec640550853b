"""Play in the air: raids on the industry that is least defended, Air Defense where raids come."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw75.bot.plans import legal
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import bombing
from sandtable.games.gw75.rules.air import AirMovement, Raid, Redeploy, reach_of, ready
from sandtable.games.gw75.rules.common import Done
from sandtable.games.gw75.rules.terms import at_war, friendly_hex, holder, nations, side
from sandtable.kernel.decisions import Decision


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
    """Where fewer Air Defense units are than bombers; an atomic bomb wherever it can go."""
    far = reach_of(s, nation)
    found = []
    for target in s.facts.industry:
        if s.facts.distance(base, target) > far or target in s.destroyed:
            continue
        if not at_war(s, nation, holder(s, target)):
            continue
        margin = number - bombing.defense(s, nation, target)
        found.append((margin, target))
    for margin, target in sorted(found, reverse=True):
        if s.bombs.get(base) and margin >= 0:
            yield Raid(nation, base, target, number, bomb=True)
        elif margin > 0:
            yield Raid(nation, base, target, number)


def _forward(s: State, nation: str, hex: str, number: int) -> Iterator[Redeploy]:
    """Bombers with nothing in range fly to where there is something."""
    far = reach_of(s, nation)
    enemy = [
        target
        for target in s.facts.industry
        if target not in s.destroyed and at_war(s, nation, holder(s, target))
    ]
    if not enemy or any(s.facts.distance(hex, target) <= far for target in enemy):
        return
    within = s.facts.within(hex, s.facts.numbers.lrb_transfer * far)
    goals = sorted(
        (min(s.facts.distance(to, target) for target in enemy), to)
        for to in within
        if s.facts.hexes[to].dry and to != hex and friendly_hex(s, nation, to)
    )
    here = min(s.facts.distance(hex, target) for target in enemy)
    for away, to in goals[:3]:
        if away < here:
            yield Redeploy(nation, "lrb", hex, to, number, bombs=s.bombs.get(hex, 0))


def _cover(s: State, nation: str, hex: str) -> Iterator[Redeploy]:
    """An Air Defense unit to the industry that Enemy bombers threaten most."""
    here = _danger(s, nation, hex) - _defense(s, nation, hex) + 1
    best = (here + 1.0, "")
    for to, whose in s.facts.industry.items():
        if to != hex and whose == nation and friendly_hex(s, nation, to):
            best = max(best, (_danger(s, nation, to) - _defense(s, nation, to), to))
    if best[1]:
        yield Redeploy(nation, "ad", hex, best[1])


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
