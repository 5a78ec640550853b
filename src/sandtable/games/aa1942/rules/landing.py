"""Where air units can land: the proof before battle, and the duty after it (p.12, p.21, p.26-28).

Everything here rests on one number, the *deficit*: how many air units of the acting power cannot
land any more, whatever it does, if all its battles go well. A move is legal only if it does not
raise the deficit; the noncombat move phase may end only when no more air units are unlanded than
the deficit. That covers every way in which the book states the duty: existing carriers, carriers
that move, carriers bought this turn, decks for which several fighters compete, planned pick-ups.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

from sandtable.games.aa1942.facts import Facts
from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.matching import most_assigned
from sandtable.games.aa1942.rules.production import can_place, new_decks, zones_served
from sandtable.games.aa1942.rules.spaces import canal_open, hostile_zone, strait_closed

_FAR = 99


def landing_territory(s: State, territory: str) -> bool:
    """Whether the acting power's air units may land there: friendly since the turn began.

    Rules: noncombat.air.landing-territory, noncombat.air.no-captured
    """
    return s.start_control.get(territory) in s.facts.allies[s.turn]


class NearestLand(dict[str, int]):
    """Space to the distance of the nearest of some territories; worked out when asked for."""

    def __init__(self, facts: Facts, places: list[str]) -> None:
        super().__init__()
        self._distance = facts.air_distance
        self._places = places

    def __missing__(self, space: str) -> int:
        found = min(map(self._distance[space].__getitem__, self._places), default=_FAR)
        self[space] = found
        return found


def nearest_land(s: State) -> dict[str, int]:
    """From each space, how far the nearest territory is on which air units may land."""
    if s.reach is None:
        allies, before = s.facts.allies[s.turn], s.start_control
        places = [t for t in s.facts.territories if before[t] in allies]
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
        (space, unit, count)
        for space in s.presence[power]
        for unit, count in at[space].items()
        if unit.type in air and unit.power == power
    ]


def deficit(s: State) -> int:
    """How many air units of the acting power cannot land this turn, at best.

    Rules: unit.air.landing-proof, unit.air.landing-proof.assume,
        unit.air.landing-proof.no-retreat, unit.air.landing-proof.carrier-still,
        unit.air.landing-proof.commit-move, unit.air.landing-proof.commit-new,
        unit.air.landing-duty, combat-move.air.reserve, combat-move.air.fighter-full-range,
        noncombat.carrier.must-move, noncombat.air.same-zone, carrier.landing-zone
    """
    lost, needy = _without_land(s)
    return lost + len(needy) - _seated(s, needy) if needy else lost


def relies_on_carriers(s: State) -> bool:
    """Whether some fighter of the acting power has no territory in range to land on."""
    return bool(_without_land(s)[1])


def _without_land(s: State) -> tuple[int, list[tuple[str, int]]]:
    """Air units with no landing territory in range: how many bombers, which fighters."""
    nearest = nearest_land(s)
    lost = 0
    needy: list[tuple[str, int]] = []
    for space, unit, count in own_air_units(s):
        left = range_left(s, unit)
        if nearest[space] <= left:
            continue
        if unit.type == "fighter":
            needy.extend([(space, left)] * count)
        else:
            lost += count
    return lost, needy


def _seated(s: State, needy: list[tuple[str, int]]) -> int:
    """The greatest number of these fighters (space, range left) that carriers can take.

    Zones are told apart only by which of the fighters can reach them, and a carrier need consider
    only those that the most can reach; so the search stays small.
    """
    distance = s.facts.air_distance
    cover: dict[str, frozenset[int]] = {}

    def reached_by(zone: str) -> frozenset[int]:
        found = cover.get(zone)
        if found is None:
            near = [i for i, (space, left) in enumerate(needy) if distance[space][zone] <= left]
            found = cover[zone] = frozenset(near)
        return found

    room: dict[frozenset[int], int] = {}
    mobile: list[tuple[int, list[frozenset[int]]]] = []
    for ally in s.facts.powers:
        if ally not in s.facts.allies[s.turn]:
            continue
        for zone, unit, count in s.units_of(ally):
            if ally != s.turn and zone in s.refused:
                continue
            if unit.type == "aircraft_carrier":
                decks = deck_room(s, unit)
                if ally == s.turn and _may_still_move(s, zone, unit):
                    goals = {reached_by(goal) for goal in _carrier_goals(s, zone)}
                    best = [g for g in goals if g and not any(g < h for h in goals)]
                    if best:
                        mobile.extend([(decks, sorted(best, key=sorted))] * count)
                else:
                    place = reached_by(zone)
                    room[place] = room.get(place, 0) + decks * count
            elif unit.type == "fighter" and ally != s.turn and zone in s.facts.sea_next:
                place = reached_by(zone)
                room[place] = room.get(place, 0) - count
    carriers = min(s.bought.get("aircraft_carrier", 0), len(needy))
    zones = [zone for zone in s.facts.sea_zones if reached_by(zone)] if carriers else []
    new_places = [
        [reached_by(zone) for zone in places] for places in _new_carrier_places(s, zones, carriers)
    ]
    most = 0
    for placing in product(*(goals for _, goals in mobile)):
        for new in new_places:
            total = dict(room)
            for (decks, _), place in zip(mobile, placing, strict=True):
                total[place] = total.get(place, 0) + decks
            for place in new:
                total[place] = total.get(place, 0) + s.facts.numbers.fighters_per_carrier
            reach = [[place for place in total if i in place] for i in range(len(needy))]
            most = max(most, most_assigned(reach, total))
            if most == len(needy):
                return most
    return most


def room_at_sea(s: State, zone: str) -> bool:
    """Whether all the acting power's fighters in a zone could find a deck right there.

    Rules: unit.carrier.capacity, noncombat.air.carrier
    """
    here = sum(n for u, n in s.stack(zone).items() if u.power == s.turn and u.type == "fighter")
    return _seated(s, [(zone, 0)] * here) == here


def keeps_promises(s: State, zone: str) -> bool:
    """Whether combat that need not be fought in a zone keeps no carrier from saving aircraft.

    Rules: unit.air.landing-proof.commit-move
    """
    after = s.copy()
    for unit, count in s.stack(zone).items():
        if unit.power == s.turn and unit.type == "aircraft_carrier" and not unit.duty:
            after.change(zone, unit, count, duty="fought")
    return deficit(after) <= deficit(s)


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


def _new_carrier_places(s: State, zones: list[str], carriers: int) -> Iterator[tuple[str, ...]]:
    """The ways to mobilise up to that many carriers bought this turn in some of these zones.

    Rules: noncombat.air.new-carrier, mobilize.sea
    """
    near = zones_served(s)
    served = [zone for zone in zones if zone in near]
    for places in combinations_with_replacement(("", *served), carriers):
        used = tuple(zone for zone in places if zone)
        if can_place(s, {zone: used.count(zone) for zone in used}):
            yield used


def unlanded(s: State) -> list[tuple[str, Unit, int]]:
    """Air units of the acting power that are where they cannot stay.

    At sea, decks are filled with as many fighters as fit, carriers still to be mobilised there
    included.

    Rules: noncombat.air.carrier, noncombat.air.crash, noncombat.air.carrier-required
    """
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
    excess = {zone: n - decks_in(s, zone) for zone, n in waiting.items() if n > decks_in(s, zone)}
    if excess:
        for zone, room in new_decks(s, excess).items():
            excess[zone] -= room
    for zone, over in excess.items():
        for unit, count in sorted(s.stack(zone).items(), key=lambda item: -item[0].used):
            if over > 0 and unit.power == s.turn and unit.type == "fighter":
                found.append((zone, unit, min(over, count)))
                over -= count
    return found
