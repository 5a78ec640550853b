"""Non-combat movement: aircraft home, land units to the front, ships after them."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw36.bot.draw import pull
from sandtable.games.gw36.bot.sea import voyages
from sandtable.games.gw36.bot.worth import guard, name_of, ready_units, threat
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.advanced_carriers import headings
from sandtable.games.gw36.rules.air import range_left, route, savable
from sandtable.games.gw36.rules.common import Done
from sandtable.games.gw36.rules.movement import Move, distances
from sandtable.games.gw36.rules.noncombat_move import NoncombatMove
from sandtable.games.gw36.rules.rail import Rail, journeys
from sandtable.games.gw36.rules.zones import barred, commanded, side, slows
from sandtable.kernel.decisions import Decision

BETTER = 1.15
"""A zone has to draw units so much more than where they are for them to go."""
BY_RAIL = 1.6
"""And so much more for a journey by rail."""

SAFETY = 1.5
"""How much stronger than the Enemy beside it the garrison of a zone at home should be."""


def noncombat_move(s: State, request: NoncombatMove) -> Iterator[Decision]:
    """Aircraft land; land units march or take the train; ships sail; done."""
    for nation in commanded(s, s.mover):
        yield from _land_aircraft(s, nation)
    for nation in commanded(s, s.mover):
        yield from _march(s, nation)
    yield from voyages(s)
    for nation in commanded(s, s.mover):
        yield from _rebase(s, nation)
    for nation in commanded(s, s.mover):
        yield from headings(s, nation)
    yield Done()


def _land_aircraft(s: State, nation: str) -> Iterator[Decision]:
    """Aircraft land where they are safest: with most defenders, rather near the front."""
    drawn = pull(s, nation)
    for zone, unit, places in savable(s, nation):
        left = range_left(s, unit, zone)

        def safety(place: str) -> tuple[float, float, str]:
            if place in s.facts.sea_next:
                return 50.0, 0.0, place
            gap = guard(s, nation, place) - threat(s, nation, place)
            return min(gap, 20.0), drawn.get(place, 0.0), place

        for place in sorted(places, key=safety, reverse=True):
            path = route(s, nation, zone, place, left) if place != zone else (zone,)
            if path is not None:
                yield Move({unit.type: 1}, path, nation=name_of(s, nation))


def _march(s: State, nation: str) -> Iterator[Decision]:
    """Land units go where they are drawn, and leave a garrison where the Enemy stands."""
    facts = s.facts
    drawn = pull(s, nation)
    friends = side(s, nation).friends
    name = name_of(s, nation)
    home = facts.nations[nation].home
    capital = facts.nations[nation].capital
    for zone in s.presence.get(nation, ()):
        if zone not in s.possession:
            continue
        ready = {
            type_: n
            for type_, n in ready_units(s.at[zone], nation).items()
            if facts.units[type_].land
        }
        if not ready:
            continue
        peril = threat(s, nation, zone)
        surplus = guard(s, nation, zone) - peril * (SAFETY if zone in home else 1.0)
        if peril and surplus <= 0:
            continue
        if zone == capital:
            surplus -= 8
        here = drawn.get(zone, 0.0)
        goals = sorted(
            (
                (drawn.get(near, 0.0), near)
                for near in facts.land_next[zone]
                if s.possession[near] in friends and near not in s.captured and not barred(s, near)
            ),
            reverse=True,
        )
        units = _spare(s, ready, surplus, all_of_them=not peril and zone != capital)
        units = {t: n for t, n in units.items() if t != "militia"}
        if not units:
            continue
        for path in _far(s, nation, zone, here):
            by_rail = {t: n for t, n in units.items() if t != "militia" or zone in home}
            while by_rail:
                total = sum(by_rail.values())
                yield Rail(by_rail, path, name)
                if total <= 2:
                    break
                by_rail = _fewer(by_rail, min(total - 1, 4))
        fast = {t: n for t, n in units.items() if facts.units[t].move > 1}
        if fast:
            for _, near in goals[:2]:
                for value, far in sorted(
                    (
                        (drawn.get(far, 0.0), far)
                        for far in facts.land_next[near]
                        if s.possession[far] in friends
                        and far not in s.captured
                        and far != zone
                        and not barred(s, far)
                    ),
                    reverse=True,
                )[:1]:
                    able = {
                        t: n
                        for t, n in fast.items()
                        if not slows(s, facts.units[t], zone, near)
                        and not slows(s, facts.units[t], near, far)
                    }
                    if able and value > BETTER * max(here, drawn.get(near, 0.0), 0.05):
                        yield Move(able, (zone, near, far), nation=name)
        for value, near in goals[:2]:
            if value > BETTER * max(here, 0.05) or _endangered(s, nation, near, value, here):
                yield Move(units, (zone, near), nation=name)


def _endangered(s: State, nation: str, zone: str, value: float, here: float) -> bool:
    """Whether a zone beside one needs help more than the one in which the units are."""
    if value < 0.6 * here:
        return False
    return threat(s, nation, zone) > 1.2 * guard(s, nation, zone)


def _spare(s: State, ready: dict[str, int], surplus: float, *, all_of_them: bool) -> dict[str, int]:
    """The units that may leave: all, or as many as the defenders are stronger than the Enemy, those
    that attack best first."""
    if all_of_them:
        return dict(ready)
    kinds = s.facts.units
    chosen: dict[str, int] = {}
    for type_ in sorted(ready, key=lambda t: (-(kinds[t].attack or 0), t)):
        value = kinds[type_].defense or 1
        count = min(ready[type_], int(surplus / value))
        if count > 0:
            chosen[type_] = count
            surplus -= count * value
    return chosen


def _far(s: State, nation: str, zone: str, here: float) -> Iterator[tuple[str, ...]]:
    """The best journeys by rail from a zone."""
    drawn = pull(s, nation)
    best = sorted(
        (
            (drawn.get(path[-1], 0.0), path)
            for path in journeys(s, nation, zone)
            if len(path) > 2 and drawn.get(path[-1], 0.0) > BY_RAIL * max(here, 0.05)
        ),
        key=lambda each: (-each[0], len(each[1]), each[1]),
    )
    yield from (path for _, path in best[:2])


def _fewer(units: dict[str, int], most: int) -> dict[str, int]:
    """At most so many of them."""
    chosen: dict[str, int] = {}
    for type_, count in sorted(units.items()):
        some = min(count, most)
        if some:
            chosen[type_] = some
            most -= some
    return chosen


def _rebase(s: State, nation: str) -> Iterator[Decision]:
    """Aircraft that have not flown go to bases near the front."""
    facts = s.facts
    drawn = pull(s, nation)
    friends = side(s, nation).friends
    for zone in s.presence.get(nation, ()):
        if zone not in s.possession:
            continue
        here = drawn.get(zone, 0.0)
        for type_, count in ready_units(s.at[zone], nation).items():
            kind = facts.units[type_]
            if not kind.air or kind.attack is None:
                continue
            far = distances(facts)[zone]
            goals = [
                (drawn.get(place, 0.0), place)
                for place in s.presence.get(nation, ())
                if place in s.possession
                and 0 < far.get(place, 99) <= kind.move
                and s.possession[place] in friends
                and place not in s.captured
                and guard(s, nation, place) > 6
            ]
            for value, place in sorted(goals, reverse=True)[:1]:
                if value > BY_RAIL * max(here, 0.1):
                    path = route(s, nation, zone, place, kind.move)
                    if path is not None:
                        yield Move({type_: count}, path, nation=name_of(s, nation))
