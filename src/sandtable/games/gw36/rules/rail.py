"""Strategic rail movement (10.4, 10.5), also on rivers (1.12) and over the Burma Road (1.17)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from sandtable.games.gw36.facts import Facts, pair
from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.air import landing_land
from sandtable.games.gw36.rules.movement import Group, free, mover_of, one_of, pick
from sandtable.games.gw36.rules.supply import permitted
from sandtable.games.gw36.rules.terms import is_major, on, power_of
from sandtable.games.gw36.rules.zones import barred, burma_road_open, harbours, side
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision

RIVER = "river"
ROAD = "burma_road"
YARDS = frozenset({"submarine_base", "major_port", "major_shipyard", "major_dockyard"})
"""Where a coastal submarine is loaded on a train and taken off it."""


class Rail(Decision, frozen=True, tag="rail"):
    """Move units by railway along a path of land zones. The path of a coastal submarine begins and
    ends with a sea zone."""

    units: dict[str, int]
    path: tuple[str, ...]
    nation: str = ""


def way(s: State, here: str, there: str) -> str:
    """What a train runs on between two zones: the gauge of an undamaged railway, a river where that
    rule is used, the Burma Road; empty if there is nothing.

    Rules: 1.12e, 1.12g, 1.14a, 1.15k, 1.15l, 1.17c, 1.20e, 10.4a
    """
    ends = pair(here, there)
    gauge = s.railways.get(ends)
    if gauge is not None and not s.rail_damage.get(ends):
        return gauge
    if ends in s.facts.rivers and on(s, "rivers"):
        return RIVER
    if any(here in zones and there in zones for zones in _canals(s.facts)):
        return RIVER
    if (here, there) == s.facts.burma_road and burma_road_open(s):
        return ROAD
    return ""


@lru_cache(maxsize=8)
def _canals(facts: Facts) -> tuple[frozenset[str], frozenset[str]]:
    """The land zones along each canal that serves as a river: the Baltic-White Sea Canal, and the
    St. Lawrence Seaway with the Great Lakes.

    Rules: 1.15k, 1.15l
    """
    seaway = facts.passages[facts.seaway]
    lakes = [sea for sea in seaway.between if {*facts.sea_next[sea]} <= {*seaway.between}]
    return (
        frozenset(facts.passages[facts.white_sea].zones),
        frozenset(seaway.zones).union(*(facts.coast[lake] for lake in lakes)),
    )


def open_zone(s: State, nation: str, zone: str) -> bool:
    """Whether a nation's trains run through a land zone: it, or a partner that does not refuse, has
    possessed it since the turn began, and it is not impassable.

    Rules: 10.4c, 10.4d, 1.12f, 1.13a
    """
    owner = s.possession.get(zone)
    held = s.start_possession.get(zone, "")
    friends = side(s, nation).friends
    return (
        owner is not None
        and owner in friends
        and s.aligned.get(held, held) in friends
        and not barred(s, zone)
        and permitted(s, nation, owner, "rail")
    )


def check_rail(s: State, rail: Rail) -> tuple[str, list[Group]]:
    """Whether the acting nation may move these units by rail; whose they are, and which.

    Rules: 10.4a, 10.4b, 10.4c, 10.4d, 10.4e, 10.4f, 10.4g, 10.5a, 1.12e, 1.12f, 1.17c, 1.20e,
        2.3e, appB-10a
    """
    facts = s.facts
    nation = mover_of(s, rail.nation)
    path = rail.path
    if not rail.units or len(path) < 2:
        raise IllegalDecision(
            "A journey by rail names units, and zones from first to last.", "10.4a"
        )
    for zone in path:
        if zone not in facts.zones:
            raise IllegalDecision(f"There is no zone {s.facts.name(zone)} on the map.", "1.1a")
    for type_, count in rail.units.items():
        kind = facts.units.get(type_)
        if kind is None or count < 1:
            raise IllegalDecision(f"{facts.name(type_)} is no unit to move.", "10.4a")
        if kind.naval and type_ != "coastal_submarine":
            raise IllegalDecision(f"{kind.name} does not travel by rail.", "10.4b")
        if type_ == "militia" and not (
            is_major(s, nation) and facts.nations[nation].home.issuperset(path)
        ):
            raise IllegalDecision(
                "Militia moves only inside the Home Country of its Major Power.", "12.2.militia-b"
            )
        if kind.air and not landing_land(s, side(s, nation).friends, kind, path[-1]):
            raise IllegalDecision(f"{kind.name} cannot land in {facts.name(path[-1])}.", "10.3a")
    track = _track(s, nation, rail)
    _check_track(s, nation, track)
    total = sum(rail.units.values())
    for region in regions(s, track):
        left = facts.rail_capacity[region] - s.done.get(_key(s, nation, region), 0)
        if total > left:
            raise IllegalDecision(
                f"Only {left} more units can go by rail there this turn.", "10.4f"
            )
    if ROAD in ways(s, track):
        if total + s.done.get(_road(s, nation), 0) > 1:
            raise IllegalDecision("One unit a turn takes the Burma Road.", "1.17c")
        if barred(s, track[-1]):
            raise IllegalDecision(f"{facts.name(track[-1])} cannot be entered.", "1.7d")
    return nation, pick(s, nation, path[0], rail.units, _rested)


def _rested(unit: Unit) -> bool:
    return free(unit) and not unit.duty


def _track(s: State, nation: str, rail: Rail) -> tuple[str, ...]:
    """The land zones of a journey; a coastal submarine goes from a yard at its sea zone to one at
    another.

    Rules: 10.4b
    """
    facts, path = s.facts, rail.path
    if "coastal_submarine" not in rail.units:
        return path
    if len(rail.units) > 1 or len(path) < 3:
        raise IllegalDecision("Coastal submarines travel by themselves.", "10.4b")
    friends = side(s, nation).friends
    for sea, land in ((path[0], path[1]), (path[-1], path[-2])):
        if sea not in facts.sea_next or land not in facts.coast[sea]:
            raise IllegalDecision(
                f"{facts.name(sea)} is no sea zone at {facts.name(land)}.", "10.4b"
            )
        if not YARDS & set(harbours(s, sea, friends)):
            raise IllegalDecision(
                f"No Friendly Submarine Base or Major naval facility is at {facts.name(sea)}.",
                "10.4b",
            )
    return path[1:-1]


def ways(s: State, track: tuple[str, ...]) -> list[str]:
    """What each step of a journey runs on."""
    return [way(s, here, there) for here, there in pairwise(track)]


def _check_track(s: State, nation: str, track: tuple[str, ...]) -> None:
    """All zones are open, a way leads through them, and with that option the journey ends behind a
    change of gauge.

    Rules: 10.4a, 10.4c, 10.5a
    """
    facts = s.facts
    if len(set(track)) != len(track):
        raise IllegalDecision("A journey by rail passes each zone once.", "10.4a")
    for zone in track:
        if not open_zone(s, nation, zone):
            raise IllegalDecision(
                f"{facts.name(nation)} cannot use the railways of {facts.name(zone)}: it, or a "
                "partner that allows it, has to have possessed the zone since the turn began.",
                "10.4c",
            )
    last = ""
    steps = list(pairwise(track))
    for i, (here, there) in enumerate(steps):
        gauge = way(s, here, there)
        if not gauge:
            raise IllegalDecision(
                f"No usable railway leads from {facts.name(here)} to {facts.name(there)}.", "10.4a"
            )
        if gauge in (RIVER, ROAD) or not on(s, "rail_gauge"):
            continue
        changes = gauge == "change" or (last not in ("", gauge))
        if changes and i + 1 < len(steps):
            raise IllegalDecision(
                f"The gauge changes on the way to {facts.name(there)}: the journey ends there.",
                "10.5a",
            )
        last = gauge


def regions(s: State, track: tuple[str, ...]) -> list[str]:
    """The regions whose capacity a journey uses.

    Rules: 10.4e
    """
    return sorted({s.facts.zones[zone].region for zone in track})


def _key(s: State, nation: str, region: str) -> str:
    return f"rail:{region}:{power_of(s, nation)}"


def _road(s: State, nation: str) -> str:
    return f"burma_road:{power_of(s, nation)}"


def travel(s: State, rail: Rail) -> str:
    """Carry out a checked journey; whose units they are.

    Rules: 10.4a, 10.4e, 10.4f
    """
    nation, groups = check_rail(s, rail)
    track = _track(s, nation, rail)
    total = sum(rail.units.values())
    for region in regions(s, track):
        key = _key(s, nation, region)
        s.done[key] = s.done.get(key, 0) + total
    if ROAD in ways(s, track):
        s.done[_road(s, nation)] = 1
    for unit, count, _ in groups:
        s.take(rail.path[0], unit, count)
        s.put(rail.path[-1], unit._replace(used=max(1, unit.used), duty="moved"), count)
    return nation


def journeys(s: State, nation: str, zone: str) -> Iterator[tuple[str, ...]]:
    """A shortest journey from a land zone to each that trains reach from it."""
    if not open_zone(s, nation, zone):
        return
    seen = {zone}
    edge: list[tuple[str, ...]] = [(zone,)]
    while edge:
        after: list[tuple[str, ...]] = []
        for path in edge:
            for there in s.facts.land_next[path[-1]]:
                if there not in seen and way(s, path[-1], there) and open_zone(s, nation, there):
                    seen.add(there)
                    after.append((*path, there))
        yield from after
        edge = after


def random_journey(s: State, nation: str, zone: str, rng: random.Random) -> tuple[str, ...] | None:
    """Some steps along railways."""
    path: tuple[str, ...] = (zone,)
    for _ in range(1 + int(rng.random() * 4)):
        near = [
            there
            for there in s.facts.land_next[path[-1]]
            if there not in path and way(s, path[-1], there)
        ]
        if not near:
            break
        path = (*path, one_of(near, rng))
    return path if len(path) > 1 else None
