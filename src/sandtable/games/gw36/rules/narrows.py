"""Coastal Artillery at narrow crossings fires at ships that pass (12.9)."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from sandtable.games.gw36.facts import Facts
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.movement import Group
from sandtable.games.gw36.rules.zones import coastal_artillery, side
from sandtable.kernel.decisions import RollLine
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

SHOTS, VALUE = 3, 3


def batteries(s: State, nation: str, path: tuple[str, ...]) -> list[tuple[str, str, int]]:
    """The Enemy land zones whose guns a path passes: zone, sea zone and shots left this turn. A
    crossing is passed by leaving its sea zone again, or by sailing from one of its sea zones into
    another.

    Rules: 12.9d
    """
    foes = side(s, nation).foes
    if not foes or _narrows(s.facts).isdisjoint(path):
        return []
    found: dict[tuple[str, str], int] = {}
    for known in s.facts.crossings.values():
        if not any(s.possession[land] in foes for land in known.between):
            continue
        passed = {zone for zone in path[1:-1] if zone in known.sea_zones}
        for here, there in pairwise(path):
            if here in known.sea_zones and there in known.sea_zones:
                passed |= {here, there}
        for sea in sorted(passed):
            for land in known.between:
                if s.possession[land] in foes and (guns := coastal_artillery(s, sea, land)):
                    left = guns * SHOTS - s.done.get(f"guns:{land}", 0)
                    if left > 0:
                        found.setdefault((land, sea), left)
    once: dict[str, tuple[str, str, int]] = {}
    for (land, sea), left in found.items():
        once.setdefault(land, (land, sea, left))
    return sorted(once.values())


@lru_cache(maxsize=8)
def _narrows(facts: Facts) -> frozenset[str]:
    """The sea zones of all crossings."""
    return frozenset(sea for known in facts.crossings.values() for sea in known.sea_zones)


def run_the_guns(
    g: Table[State], nation: str, groups: list[Group], path: tuple[str, ...]
) -> Procedure[list[Group]]:
    """Guns fire at each surface ship that passes, as long as they have shots; the ships that are
    left. Of ships that are hit the cheapest are lost first.

    Rules: 12.9d
    """
    s = g.state
    kinds = s.facts.units
    for land, sea, left in batteries(s, nation, path):
        ships = sum(group.count for group in groups if kinds[group.unit.type].surface)
        shots = min(left, ships)
        if shots:
            hits = yield from _fire(g, land, sea, shots)
            groups = suffer(s, path[0], groups, hits)
    return groups


def sunk_at(g: Table[State], nation: str, path: tuple[str, ...]) -> Procedure[str]:
    """A transport sails past guns, one shot each: the sea zone in which it is hit; empty if it gets
    through.

    Rules: 12.9d
    """
    for land, sea, _ in batteries(g.state, nation, path):
        if (yield from _fire(g, land, sea, 1)):
            return sea
    return ""


def _fire(g: Table[State], land: str, sea: str, shots: int) -> Procedure[int]:
    """The guns of a zone fire so often; their hits."""
    s = g.state
    s.done[f"guns:{land}"] = s.done.get(f"guns:{land}", 0) + shots
    lines = (RollLine(s.possession[land], "coastal_artillery", shots, VALUE, 12),)
    faces = yield from g.roll("guns", lines)
    g.emit("guns_fired", power=s.possession[land], space=sea, lines=lines, dice=faces)
    return sum(face <= VALUE for face in faces)


def suffer(s: State, zone: str, groups: list[Group], hits: int) -> list[Group]:
    """Picked ships take hits before they sail, the cheapest first; who can take another hit is
    damaged."""
    kinds = s.facts.units
    kept: list[Group] = []
    for group in sorted(groups, key=lambda group: (sum(kinds[group.unit.type].cost), group.unit)):
        struck = min(hits, group.count) if kinds[group.unit.type].surface else 0
        hits -= struck
        kept += strike(s, zone, group, struck)
    return kept


def strike(s: State, zone: str, group: Group, hits: int) -> list[Group]:
    """Of these ships so many are hit once: who cannot take another hit sinks."""
    unit, count, _ = group
    found = [Group(unit, count - hits)] if count > hits else []
    if hits:
        if s.facts.units[unit.type].hits - unit.hits > 1:
            found.append(Group(s.change(zone, unit, hits, hits=unit.hits + 1), hits))
        else:
            s.destroy(zone, unit, hits)
    return found
