"""Where air units can land: the proof before battle, and the duty after it (p.12, p.21, p.26-28).

Everything here rests on one number, the *deficit*: how many air units of the acting power cannot
land any more, whatever it does, if all its battles go well. A move is legal only if it does not
raise the deficit; the noncombat move phase may end only when no more air units are unlanded than
the deficit. That covers every way in which the book states the duty: existing carriers, carriers
that move, carriers bought this turn, decks for which several fighters compete, planned pick-ups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from sandtable.games.aa1942.facts import Facts
from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.decks import Fleet, Place, Seats, most_seated
from sandtable.games.aa1942.rules.production import complexes, new_decks
from sandtable.games.aa1942.rules.spaces import canal_open, hostile_zone, strait_closed
from sandtable.kernel.table import Table

_FAR = 99


def landing_territory(s: State, territory: str) -> bool:
    """Whether the acting power's air units may land there: friendly since the turn began.

    Rules: noncombat.air.landing-territory, noncombat.air.no-captured
    """
    return s.start_control.get(territory) in s.facts.allies[s.turn]


class NearestLand(dict[str, int]):
    """Space to the distance of the nearest of some territories; worked out when asked for."""

    def __init__(self, facts: Facts, places: frozenset[str]) -> None:
        super().__init__()
        self._facts = facts
        self._places = places

    def __missing__(self, space: str) -> int:
        found = _FAR
        for distance, territory in _nearest_first(self._facts, space):
            if territory in self._places:
                found = distance
                break
        self[space] = found
        return found


@cache
def _nearest_first(facts: Facts, space: str) -> list[tuple[int, str]]:
    """All territories with their distances from a space."""
    far = facts.air_distance[space]
    return sorted((far[territory], territory) for territory in facts.territories)


def nearest_land(s: State) -> dict[str, int]:
    """From each space, how far the nearest territory is on which air units may land."""
    if s.reach is None:
        allies, before = s.facts.allies[s.turn], s.start_control
        places = frozenset([t for t in s.facts.territories if before[t] in allies])
        s.reach = NearestLand(s.facts, places)
    return s.reach


def range_left(s: State, unit: Unit) -> int:
    """How far an air unit can still fly this turn; nothing once it has landed.

    Rules: combat-move.air.budget, noncombat.air-remaining
    """
    return 0 if unit.duty == "landed" else s.facts.units[unit.type].move - unit.used


def deck_room(s: State, carrier: Unit) -> int:
    """Places on a carrier that no guest takes.

    Rules: unit.carrier.capacity
    """
    return s.facts.numbers.fighters_per_carrier - len(carrier.cargo)


def decks_in(s: State, zone: str) -> int:
    """Free places for the acting power's fighters on its own and its allies' carriers there; on
    its own only where an ally has refused."""
    allies = s.facts.allies[s.turn] if zone not in s.refused else (s.turn,)
    room = 0
    for unit, count in s.stack(zone).items():
        if unit.power not in allies:
            continue
        if unit.type == "aircraft_carrier":
            room += count * deck_room(s, unit)
        elif unit.type == "fighter" and unit.power != s.turn:
            room -= count
    return room


def own_air_units(s: State) -> list[tuple[str, Unit, int]]:
    """The acting power's air units, each kind with its space and number."""
    power, air, at = s.turn, s.facts.air, s.at
    return [
        (space, unit, at[space][unit])
        for space in s.presence[power]
        for unit in at[space]
        if unit.type in air and unit.power == power
    ]


class Deficit(NamedTuple):
    """Bounds for the number of air units of the acting power that cannot land this turn, at best.

    They are equal unless a great many scattered carriers could take a great many fighters; then
    what is not proved is not allowed before combat, and not demanded after it.
    """

    least: int
    most: int

    def may_exceed(self, other: Deficit) -> bool:
        """Whether it is not certain that no more are lost than in the other case."""
        return self.most > other.least

    def exceeds(self, other: Deficit) -> bool:
        """Whether it is certain that more are lost than in the other case."""
        return self.least > other.most


def deficit(s: State) -> Deficit:
    """How many air units of the acting power cannot land this turn, at best.

    Rules: unit.air.landing-proof, unit.air.landing-proof.assume,
        unit.air.landing-proof.no-retreat, unit.air.landing-proof.carrier-still,
        unit.air.landing-proof.commit-move, unit.air.landing-proof.commit-new,
        unit.air.landing-duty, combat-move.air.reserve, combat-move.air.fighter-full-range,
        noncombat.carrier.must-move, noncombat.air.same-zone, carrier.landing-zone
    """
    lost, needy = _without_land(s)
    if not needy:
        return Deficit(lost, lost)
    seats = _seated(s, needy)
    lost += sum(needy.values())
    return Deficit(lost - seats.most, lost - seats.least)


def relies_on_carriers(s: State) -> bool:
    """Whether some fighter of the acting power has no territory in range to land on."""
    return bool(_without_land(s)[1])


def _without_land(s: State) -> tuple[int, dict[tuple[str, int], int]]:
    """Air units with no landing territory in range: how many bombers, and the fighters, space and
    range left to number."""
    nearest = nearest_land(s)
    lost = 0
    needy: dict[tuple[str, int], int] = {}
    for space, unit, count in own_air_units(s):
        left = range_left(s, unit)
        if nearest[space] <= left:
            continue
        if unit.type == "fighter":
            needy[space, left] = needy.get((space, left), 0) + count
        else:
            lost += count
    return lost, needy


def _seated(s: State, needy: dict[tuple[str, int], int]) -> Seats:
    """The greatest number of these fighters that carriers can take.

    Zones are told apart only by which of the fighters can reach them, and a carrier need consider
    only those that the most can reach.
    """
    distance = s.facts.air_distance
    cover: dict[str, Place] = {}

    def reached_by(zone: str) -> Place:
        found = cover.get(zone)
        if found is None:
            near = [i for i, (space, left) in enumerate(needy) if distance[space][zone] <= left]
            found = cover[zone] = frozenset(near)
        return found

    def best(zones: Iterable[str]) -> tuple[Place, ...]:
        places = {reached_by(zone) for zone in zones}
        return tuple(
            sorted((p for p in places if p and not any(p < q for q in places)), key=sorted)
        )

    free: dict[str, int] = {}
    fleets: dict[tuple[int, tuple[Place, ...]], int] = {}
    for ally in s.facts.powers:
        if ally not in s.facts.allies[s.turn]:
            continue
        for zone, unit, count in s.units_of(ally):
            if ally != s.turn and zone in s.refused:
                continue
            if unit.type == "aircraft_carrier":
                decks = deck_room(s, unit)
                if ally == s.turn and _may_still_move(s, zone, unit):
                    places = best(_carrier_goals(s, zone))
                    if places and decks:
                        fleets[decks, places] = fleets.get((decks, places), 0) + count
                else:
                    free[zone] = free.get(zone, 0) + decks * count
            elif unit.type == "fighter" and ally != s.turn and zone in s.facts.sea_next:
                free[zone] = free.get(zone, 0) - count
    room: dict[Place, int] = {}
    for zone, decks in free.items():
        if decks > 0 and (place := reached_by(zone)):
            room[place] = room.get(place, 0) + decks
    ready = [Fleet(n, decks, ((n, places),)) for (decks, places), n in fleets.items()]
    bought = min(s.bought.get("aircraft_carrier", 0), sum(needy.values()))
    if bought:
        ready.extend(_new_carriers(s, bought, best))
    return most_seated(list(needy.values()), room, ready)


def room_at_sea(s: State, zone: str) -> bool:
    """Whether all the acting power's fighters in a zone could find a deck right there.

    Rules: unit.carrier.capacity, noncombat.air.carrier
    """
    here = sum(n for u, n in s.stack(zone).items() if u.power == s.turn and u.type == "fighter")
    return _seated(s, {(zone, 0): here}).least == here


def keeps_promises(s: State, zone: str) -> bool:
    """Whether combat that need not be fought in a zone keeps no carrier from saving aircraft.

    Rules: unit.air.landing-proof.commit-move
    """
    before = after = deficit(s)
    carriers = [
        (unit, count)
        for unit, count in s.stack(zone).items()
        if unit.type == "aircraft_carrier" and unit.power == s.turn and not unit.duty
    ]
    if carriers:
        fought = s.copy()
        for unit, count in carriers:
            fought.change(zone, unit, count, duty="fought")
        after = deficit(fought)
    return not after.may_exceed(before)


def _may_still_move(s: State, zone: str, carrier: Unit) -> bool:
    """Whether a carrier has its noncombat move before it: it has not moved and need not fight.

    Rules: combat-move.start-hostile.no-noncombat
    """
    if carrier.used or carrier.duty:
        return False
    return s.phase == "noncombat_move" or (
        s.phase in ("combat_move", "conduct_combat") and not hostile_zone(s, zone, s.turn)
    )


def _carrier_goals(s: State, zone: str) -> list[str]:
    """Zones that a carrier could reach in noncombat movement if all attacks succeed.

    Rules: unit.air.landing-proof.assume
    """

    def clear(there: str) -> bool:
        return not hostile_zone(s, there, s.turn) or (
            s.phase != "noncombat_move" and _attacked(s, there)
        )

    goals = [zone]
    edge = [zone]
    for _ in range(s.facts.units["aircraft_carrier"].move):
        edge = [
            there
            for here in edge
            for there in s.facts.sea_next[here]
            if there not in goals
            and canal_open(s, here, there, s.turn)
            and not strait_closed(s, here, there)
            and clear(there)
        ]
        goals.extend(edge)
    return list(dict.fromkeys(goals))


def _attacked(s: State, zone: str) -> bool:
    """Whether the acting power has units in the zone that can fight."""
    kinds = s.facts.units
    return any(u.power == s.turn and kinds[u.type].attack > 0 for u in s.stack(zone))


def _new_carriers(
    s: State, bought: int, best: Callable[[Iterable[str]], tuple[Place, ...]]
) -> Iterator[Fleet]:
    """The carriers bought this turn, as far as complexes can bring them in where fighters are.

    Rules: noncombat.air.new-carrier, mobilize.sea
    """
    ways = [
        (limit, places)
        for land, limit in complexes(s).items()
        if limit and (places := best(s.facts.coast[land]))
    ]
    if ways:
        yield Fleet(bought, s.facts.numbers.fighters_per_carrier, tuple(ways))


def unlanded(s: State) -> list[tuple[str, Unit, int]]:
    """Air units of the acting power that are where they cannot stay.

    At sea, decks are filled with as many fighters as fit; so are those of carriers still to be
    mobilised, in a way that saves as many as possible.

    Rules: noncombat.air.carrier, noncombat.air.carrier-required
    """
    found, excess = _flying(s)
    if excess:
        rooms = new_decks(s, excess)
        found += _excess_fighters(s, {z: n - rooms.get(z, 0) for z, n in excess.items()})
    return found


def crashing(s: State) -> list[tuple[str, Unit, int]]:
    """Air units that nothing can save any more.

    Where carriers still to be mobilised can save either of several groups of fighters, none of
    these is lost yet: their owner chooses by placing the carriers.

    Rules: noncombat.air.crash, unit.air.landing-proof.commit-new
    """
    found, excess = _flying(s)
    lost = {z: n - new_decks(s, excess, first=z).get(z, 0) for z, n in excess.items()}
    return found + _excess_fighters(s, lost)


def crash(g: Table[State]) -> None:
    """Destroy the air units that nothing can save any more.

    Rules: noncombat.air.crash
    """
    for space, unit, count in crashing(g.state):
        g.state.destroy(space, unit, count)
        g.emit("crashed", losses={unit.power: {unit.type: count}}, space=space)


def _flying(s: State) -> tuple[list[tuple[str, Unit, int]], dict[str, int]]:
    """Air units that cannot stay where they are, and by zone the fighters for which no deck is."""
    found: list[tuple[str, Unit, int]] = []
    waiting: dict[str, int] = {}
    for space, unit, count in own_air_units(s):
        if not s.facts.spaces[space].sea:
            if not landing_territory(s, space):
                found.append((space, unit, count))
        elif unit.type != "fighter":
            found.append((space, unit, count))
        else:
            waiting[space] = waiting.get(space, 0) + count
    found.sort()
    excess = {zone: n - decks_in(s, zone) for zone, n in waiting.items()}
    return found, {zone: n for zone, n in excess.items() if n > 0}


def _excess_fighters(s: State, excess: dict[str, int]) -> list[tuple[str, Unit, int]]:
    """So many fighters of the acting power in each zone, those that have flown furthest first."""
    found: list[tuple[str, Unit, int]] = []
    for zone, over in excess.items():
        for unit, count in sorted(s.stack(zone).items(), key=lambda item: -item[0].used):
            if over > 0 and unit.power == s.turn and unit.type == "fighter":
                found.append((zone, unit, min(over, count)))
                over -= count
    return found
