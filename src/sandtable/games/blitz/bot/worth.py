"""What things are worth to the greedy bot, in Resources: areas, units, and points of Size."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.sides import enemy_held, friendly
from sandtable.kernel.decisions import Decision

AREA = 1.0
RESOURCE = 2.5
OIL = 3.5
FACTORY = 5.0
"""A point of a Factory's Factor, which is a victory point to whoever takes it."""
GOAL = 4.0
"""An area that an award of one of the cards names."""
WINNER = 25.0
"""An area whose loss decides the scenario."""

SIZE = 1.0
"""A point of Size costs a Resource."""

_TYPE = {"ARM": 0.35, "CV": 0.35, "AIR": 0.25, "BB": 0.2, "TRS": 0.3, "LL": 0.4, "SUB": 0.2}
"""What a point of Size is worth above its price, by type."""


_BOLD = {("A", "germany"): 0.4, ("B", "western_allies"): 0.35}
"""Who loses by doing nothing minds his losses less: scenario and power to their weight."""


def boldness(s: State, power: str) -> float:
    """How much a power's own losses in an attack count."""
    return _BOLD.get((s.scenario_id, power), 0.9)


def area_worth(s: State, area: str) -> float:
    """What a land area is worth, whoever has it."""
    key = ("bot worth", area)
    found: float | None = s.cached(key)
    if found is None:
        land = s.facts.lands[area]
        found = AREA + RESOURCE * land.resource + OIL * land.oil + FACTORY * land.factory
        found += GOAL * (area in _goals(s))
        found += WINNER * (area in _deciding(s))
        s.keep(key, found)
    return found


def _deciding(s: State) -> tuple[str, ...]:
    """The areas that decide a scenario at once."""
    winning: tuple[str, ...] = tuple(s.scenario.own.get("winning_areas", ()))
    return winning + (("western_germany", "berlin", "paris") if s.scenario_id == "B" else ())


def _goals(s: State) -> frozenset[str]:
    """The land areas that awards name."""
    found: frozenset[str] | None = s.cached("bot goals")
    if found is None:
        facts = s.facts
        found = frozenset(
            area
            for card in facts.awards.values()
            for award in card.values()
            for area in (
                *award.areas,
                *award.any_of,
                *(facts.countries[award.country].areas if award.country else ()),
            )
        )
        s.keep("bot goals", found)
    return found


def size_worth(s: State, id: str) -> float:
    """What a point of a unit's Size is worth."""
    return SIZE + _TYPE.get(s.type(id), 0.0)


def land_units(s: State, area: str) -> list[str]:
    """The land units that stand in a land area."""
    return [id for id in s.units_at(area) if s.domain(id) == "land"]


def threat(s: State, area: str, power: str) -> float:
    """The Size of the enemy land units that could be in a land area, or attack it, in a phase.

    Those who would have to march up first count half.
    """
    return menaces(s, power).get(area, 0.0)


def menaces(s: State, power: str) -> dict[str, float]:
    """For every land area in reach of enemy land units, their Size."""
    key = ("bot menaces", power)
    found: dict[str, float] | None = s.cached(key)
    if found is None:
        found = {}
        held: dict[str, bool] = {}
        for id, unit in s.units.items():
            if s.domain(id) != "land" or (unit.power, power) not in s.wars:
                continue
            if unit.at in s.facts.seas:
                for area in s.facts.coast[unit.at]:
                    found[area] = found.get(area, 0.0) + unit.size
            elif s.type(id) not in ("FORT", "AA"):
                for area, weight in _menaced(s, id, power, held):
                    found[area] = found.get(area, 0.0) + weight * unit.size
        s.keep(key, found)
    return found


def _menaced(s: State, id: str, power: str, held: dict[str, bool]) -> Iterator[tuple[str, float]]:
    """The land areas that an enemy land unit could enter or attack, with 1 or 0.5 for the near
    and the far ones. It walks through its own side's land and through what nobody holds."""
    start, left = s.units[id].at, s.facts.kinds[id].move
    seen = {start: left}
    ring = [start]
    near = frozenset(s.facts.land_next[start])
    while ring:
        after = []
        for here in ring:
            for area in s.facts.land_next[here]:
                if area not in s.control or area in seen:
                    continue
                if friendly(s, area, power):
                    if area not in held:
                        held[area] = bool(land_units(s, area))
                    yield area, 1.0 if area in near else 0.5
                    rest = -1 if held[area] else seen[here] - _steps_into(s, area)
                elif enemy_held(s, area, power):
                    rest = seen[here] - _steps_into(s, area)
                else:
                    continue
                seen[area] = rest
                if rest > 0:
                    after.append(area)
        ring = after


def _steps_into(s: State, area: str) -> int:
    return s.facts.terrain[s.facts.lands[area].terrain].move


def distance_to_enemy(s: State, power: str) -> dict[str, int]:
    """For every land area in play, how many borders lie between it and land of an enemy at war."""
    key = ("bot distance", power)
    found: dict[str, int] | None = s.cached(key)
    if found is None:
        found = {}
        ring = []
        for area, holder in s.control.items():
            if holder and (holder, power) in s.wars:
                found[area] = 0
                ring.append(area)
        while ring:
            after = []
            for area in ring:
                for other in (*s.facts.land_next[area], *s.facts.land_routes[area]):
                    if other not in found and other in s.control and friendly(s, other, power):
                        found[other] = found[area] + 1
                        after.append(other)
            ring = after
        s.keep(key, found)
    return found


def best_first(
    found: list[tuple[float, str, Decision]], least: float, most: int = 12
) -> Iterator[Decision]:
    """The decisions that are worth more than `least`, the best first; a name settles ties."""
    found.sort(key=lambda each: (-each[0], each[1]))
    return (decision for worth, _, decision in found[:most] if worth > least)
