"""Step E of the greedy bot: take what is empty, bring units to the front, keep garrisons."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.blitz.bot.worth import (
    area_worth,
    best_first,
    distance_to_enemy,
    land_units,
    threat,
)
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.move_land import (
    Land,
    March,
    MoveLand,
    bars_entry,
    entry_cost,
    next_areas,
)
from sandtable.games.blitz.rules.sides import enemy_held, friendly
from sandtable.games.blitz.rules.steps import Done
from sandtable.games.blitz.rules.supply import in_supply
from sandtable.kernel.decisions import Decision


def march(s: State, request: MoveLand) -> Iterator[Decision]:
    """The best move of a unit that has not moved, or done."""
    power = request.power
    found: list[tuple[float, str, Decision]] = []
    for id, unit in s.of(power):
        if s.domain(id) != "land" or "moved" in unit.done or "landed" in unit.done:
            continue
        if unit.at in s.facts.seas:
            found += _landings(s, power, id)
        elif s.facts.kinds[id].move and s.type(id) != "FORT" and in_supply(s, id):
            found += _marches(s, power, id)
    yield from best_first(found, 0.0)
    yield Done()


def _landings(s: State, power: str, id: str) -> Iterator[tuple[float, str, Decision]]:
    """Ashore if nothing is to be attacked from this sea."""
    at = s.units[id].at
    if any(enemy_held(s, area, power) for area in s.facts.coast[at] if area in s.control):
        return
    for area in s.facts.coast[at]:
        if area in s.control and friendly(s, area, power):
            yield area_worth(s, area) * 0.1, id, Land(id, area)


def _marches(s: State, power: str, id: str) -> Iterator[tuple[float, str, Decision]]:
    """Where a unit could go, and how much better that is than to stay."""
    here = s.units[id].at
    alone = [other for other in land_units(s, here) if other != id] == []
    stay = station(s, power, id, here)
    if alone and threat(s, here, power):
        stay += area_worth(s, here)
    for path in ways(s, id):
        goal = path[-1]
        taken = sum(area_worth(s, area) for area in path if enemy_held(s, area, power))
        gain = taken + station(s, power, id, goal) - stay - 0.02 * len(path)
        if gain > 0:
            yield gain, id, March(id, path)


def station(s: State, power: str, id: str, area: str) -> float:
    """How much use a unit is in an area: near the enemy, where much is at stake."""
    distance = distance_to_enemy(s, power).get(area)
    if distance is None or distance > 12:
        return 0.0
    near = 0.5 * (12 - distance)
    menace = threat(s, area, power)
    guard = sum(s.units[other].size for other in land_units(s, area) if other != id)
    if distance > 1:
        open_ = menace > 0 and not guard
        return near + (0.4 + 0.35 * area_worth(s, area) if open_ else 0.0)
    need = max(0.0, menace - guard) * 0.25 + (1.5 if menace and not guard else 0.0)
    prize = max(
        (
            area_worth(s, other) / (1 + sum(s.units[e].size for e in land_units(s, other)))
            for other in s.facts.land_next[area]
            if other in s.control and enemy_held(s, other, power)
        ),
        default=0.0,
    )
    at_stake = 0.15 * area_worth(s, area)
    return near + need * (1 + at_stake) + 0.3 * prize


def ways(s: State, id: str) -> Iterator[tuple[str, ...]]:
    """Cheapest paths of a land unit to everywhere it can go."""
    origin, limit = s.units[id].at, s.facts.kinds[id].move
    best = {origin: 0}
    ring: list[tuple[str, tuple[str, ...], int]] = [(origin, (), 0)]
    while ring:
        after: list[tuple[str, tuple[str, ...], int]] = []
        for here, path, cost in ring:
            for area, ends in next_areas(s, id, here):
                total = cost + entry_cost(s, area)
                if total > limit or best.get(area, 99) <= total:
                    continue
                if area not in s.control or bars_entry(s, id, area) is not None:
                    continue
                best[area] = total
                yield (*path, area)
                if not ends:
                    after.append((area, (*path, area), total))
        ring = after
