"""How far things go: air units over land and sea, ships through seas and passages (4.2, 5.1)."""

from __future__ import annotations

from sandtable.board.graphs import reach, route
from sandtable.games.blitz.facts import Facts
from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.rules.sides import enemy_held, friendly, partners
from sandtable.games.blitz.tables import Passage

_MOST_FLIGHTS = 20_000
"""So many answers about aircraft are remembered."""


def air_reach(s: State, origin: str, limit: int) -> dict[str, int]:
    """Every area that an air unit can fly to from `origin` with `limit` movement, with the cost.

    Land areas cost 1 and sea areas 2; air routes and land routes count as borders. Neutral land
    and land that is not in play cannot be flown over; seas that are not in play can.

    Rules: 1.6a, 1.3.route-c, 4.2e, 5.1.air-c, 5.1.air-d, A.3b, A.3d, A.map-a, C.2a
    """
    flights = s.flights()
    found = flights.get((origin, limit))
    if found is None:
        facts, control = s.facts, s.control
        all_open = _air_reach(facts, origin, limit, frozenset())
        closed = frozenset(
            area
            for area in all_open
            if area in facts.lands and area != origin and control.get(area, NEUTRAL) == NEUTRAL
        )
        found = flights[origin, limit] = _air_reach(facts, origin, limit, closed)
    return found


def _air_reach(facts: Facts, origin: str, limit: int, closed: frozenset[str]) -> dict[str, int]:
    """Every area in reach of aircraft, with the cost, if they cannot enter the closed ones."""
    key = (origin, limit, closed)
    found = facts.flights.get(key)
    if found is None:
        if len(facts.flights) > _MOST_FLIGHTS:
            facts.flights.clear()
        steps = facts.air_steps
        found = facts.flights[key] = reach(
            origin, lambda area: (step for step in steps[area] if step[0] not in closed), limit
        )
    return found


def air_range(s: State, id: str) -> int:
    """The air movement of an air unit, or of a PARA."""
    kind = s.facts.kinds[id]
    return kind.move if s.domain(id) == "air" else kind.air_move


def passage_open(s: State, id: str, passage: Passage) -> bool:
    """Whether a ship may use a passage.

    Rules: data.naval-restrictions, 1.3.sea-a, 4.2f
    """
    if passage.submarines_pass and s.type(id) == "SUB":
        return True
    power = s.units[id].power
    if passage.open == "all_friendly":
        return all(
            friendly(s, area, power) if area in s.control else _friendly_at_start(s, area, power)
            for area in passage.areas
        )
    return not all(enemy_held(s, area, power) for area in passage.areas)


def _friendly_at_start(s: State, area: str, power: str) -> bool:
    """Of an area that is not in play: whether its owner on the map is on the power's side."""
    land = s.facts.lands[area]
    owner = land.owner or s.facts.countries[land.country].owner
    return bool(owner) and s.facts.side[owner] == s.facts.side[power]


def forceable(s: State, passage: Passage) -> bool:
    """Whether ships may force a passage that is closed to them.

    Rules: 9.8a, 9.8c
    """
    return bool(s.options["forced_passage"]) and passage.can_be_forced


def closed_between(s: State, id: str, sea: str, other: str) -> Passage | None:
    """The passage between two seas, if it is closed to a ship."""
    passage = s.facts.passages.get((sea, other))
    return None if passage is None or passage_open(s, id, passage) else passage


def next_seas(s: State, id: str, sea: str, *, force: bool = False) -> tuple[str, ...]:
    """The seas in play that a ship may sail to from `sea`, with `force` by force too."""
    key = ("next_seas", s.units[id].power, s.type(id) == "SUB", sea, force)
    found: tuple[str, ...] | None = s.cached(key)
    if found is None:
        found = tuple(
            other
            for other in s.facts.sea_next[sea]
            if other in s.in_play
            and (
                (closed := closed_between(s, id, sea, other)) is None
                or (force and forceable(s, closed))
            )
        )
        s.keep(key, found, lasting=True)
    return found


def sea_reach(s: State, id: str, origin: str, limit: int, *, force: bool = False) -> dict[str, int]:
    """Every sea that a ship in the sea `origin` can sail to with `limit` movement, with the cost.

    Rules: 4.2d, B.2b
    """
    key = ("sea", s.units[id].power, s.type(id) == "SUB", origin, limit, force)
    found: dict[str, int] | None = s.cached(key)
    if found is None:
        found = s.keep(
            key,
            reach(
                origin,
                lambda sea: ((other, 1) for other in next_seas(s, id, sea, force=force)),
                limit,
            ),
            lasting=True,
        )
    return found


def sea_route(
    s: State, id: str, origin: str, goal: str, limit: int, *, force: bool = False
) -> tuple[str, ...] | None:
    """A shortest way of a ship from one sea to another, without `origin`; None if there is none."""
    return route(
        origin,
        goal,
        lambda sea: ((other, 1) for other in next_seas(s, id, sea, force=force)),
        limit,
    )


def port_seas(s: State, id: str) -> tuple[str, ...]:
    """The seas in play that a ship in port can leave to.

    Rules: 1.3.port-a, 1.3.port-c, 1.3.port-d, errata.manila-seas
    """
    unit = s.units[id]
    return tuple(sea for sea in s.facts.ports[unit.at][unit.port].seas if sea in s.in_play)


def capacity(s: State, id: str) -> int:
    """The total Size of the land units that a transport can carry.

    Rules: 4.2.trs-a, B.2c
    """
    return s.facts.numbers.transport_size_factor * s.units[id].size if s.type(id) == "TRS" else 0


def may_carry(s: State, transport: str, id: str) -> bool:
    """Whether a transport carries a unit at all: a land unit of its power or of its partner's.

    Rules: 4.2.trs-d
    """
    unit = s.units[id]
    return (
        s.domain(id) == "land"
        and s.type(id) != "FORT"
        and s.facts.kinds[id].home != "china"
        and unit.power in partners(s, s.units[transport].power)
    )
