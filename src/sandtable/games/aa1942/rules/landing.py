"""Where air units can land: the proof before battle, and the duty after it (p.12, p.21, p.26-28).

Everything here rests on one number, the *deficit*: how many air units of the acting power cannot
land any more, whatever it does, if all its battles go well. A move is legal only if it does not
raise the deficit; the noncombat move phase may end only when no more air units are unlanded than
the deficit. That covers every way in which the book states the duty: existing carriers, carriers
that move, carriers bought this turn, decks for which several fighters compete, planned pick-ups.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.matching import most_assigned
from sandtable.games.aa1942.rules.spaces import canal_open, hostile_zone, strait_closed

_FAR = 99


def landing_territory(s: State, territory: str) -> bool:
    """Whether the acting power's air units may land there: friendly since the turn began.

    Rules: noncombat.air.landing-territory, noncombat.air.no-captured
    """
    return s.start_control.get(territory) in s.facts.allies[s.turn]


def nearest_land(s: State) -> dict[str, int]:
    """From each space, how far the nearest territory is on which air units may land."""
    if s.reach is None:
        places = [t for t in s.facts.territories if landing_territory(s, t)]
        distance = dict.fromkeys(s.facts.neighbours, _FAR)
        for place in places:
            distance[place] = 0
        edge = places
        steps = 0
        while edge:
            steps += 1
            edge = [n for here in edge for n in s.facts.neighbours[here] if distance[n] > steps]
            for space in edge:
                distance[space] = steps
        s.reach = distance
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
    """Free places for the acting power's fighters on its own and its allies' carriers there."""
    allies = s.facts.allies[s.turn]
    room = 0
    for unit, count in s.stack(zone).items():
        if unit.power not in allies:
            continue
        if unit.type == "aircraft_carrier":
            room += count * deck_room(s, unit)
        elif unit.type == "fighter" and unit.power != s.turn:
            room -= count
    return room


def deficit(s: State) -> int:
    """How many air units of the acting power cannot land this turn, at best.

    Rules: unit.air.landing-proof, unit.air.landing-proof.assume,
        unit.air.landing-proof.no-retreat, unit.air.landing-proof.carrier-still,
        unit.air.landing-proof.commit-move, unit.air.landing-proof.commit-new,
        unit.air.landing-duty, combat-move.air.reserve, combat-move.air.fighter-full-range,
        noncombat.carrier.must-move, noncombat.air.same-zone, carrier.landing-zone
    """
    nearest = nearest_land(s)
    lost = 0
    needy: list[tuple[str, int]] = []
    for space, unit, count in s.units():
        if unit.power != s.turn or s.facts.units[unit.type].domain != "air":
            continue
        left = range_left(s, unit)
        if nearest[space] <= left:
            continue
        if unit.type == "fighter":
            needy.extend([(space, left)] * count)
        else:
            lost += count
    return lost + len(needy) - _seated(s, needy) if needy else lost


def _seated(s: State, needy: list[tuple[str, int]]) -> int:
    """The greatest number of these fighters (space, range left) that carriers can take.

    Zones are told apart only by which of the fighters can reach them, and a carrier need consider
    only those that the most can reach; so the search stays small.
    """
    distance = s.facts.air_distance
    cover: dict[str, frozenset[int]] = {}
    for zone in s.facts.sea_zones:
        near = [i for i, (space, left) in enumerate(needy) if distance[space][zone] <= left]
        if near:
            cover[zone] = frozenset(near)
    fixed = dict.fromkeys(cover.values(), 0)
    mobile: list[tuple[int, list[frozenset[int]]]] = []
    for zone, unit, count in s.units():
        if unit.power not in s.facts.allies[s.turn]:
            continue
        if unit.type == "aircraft_carrier":
            room = deck_room(s, unit)
            if unit.power == s.turn and _may_still_move(s, zone, unit):
                goals = {cover[z] for z in _carrier_goals(s, zone) if z in cover}
                best = sorted((g for g in goals if not any(g < h for h in goals)), key=sorted)
                mobile.extend([(room, best)] * (count if best else 0))
            elif zone in cover:
                fixed[cover[zone]] += room * count
        elif unit.type == "fighter" and unit.power != s.turn and zone in cover:
            fixed[cover[zone]] -= count
    reach = [[place for place in fixed if i in place] for i in range(len(needy))]
    most = 0
    for placing in product(*(goals for _, goals in mobile)):
        room_by_cover = dict(fixed)
        for (room, _), goal in zip(mobile, placing, strict=True):
            room_by_cover[goal] += room
        for new in _new_carrier_places(s, list(cover)):
            total = dict(room_by_cover)
            for zone in new:
                total[cover[zone]] += s.facts.numbers.fighters_per_carrier
            most = max(most, most_assigned(reach, total))
            if most == len(needy):
                return most
    return most


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


def _new_carrier_places(s: State, zones: list[str]) -> Iterator[tuple[str, ...]]:
    """The ways to mobilise the carriers bought this turn in some of these zones.

    Rules: noncombat.air.new-carrier, mobilize.sea
    """
    from sandtable.games.aa1942.rules.mobilize import can_place, zones_served

    count = s.bought.get("aircraft_carrier", 0)
    served = [zone for zone in zones if zone in zones_served(s)]
    if not count or not served:
        yield ()
        return
    seen = set()
    for places in product(("", *served), repeat=count):
        used = tuple(sorted(zone for zone in places if zone))
        if used not in seen:
            seen.add(used)
            wanted: dict[str, int] = {}
            for zone in used:
                wanted[zone] = wanted.get(zone, 0) + 1
            if can_place(s, wanted):
                yield used


def unlanded(s: State) -> list[tuple[str, Unit, int]]:
    """Air units of the acting power that are where they cannot stay.

    At sea, decks are filled with as many fighters as fit, carriers still to be mobilised there
    included.

    Rules: noncombat.air.carrier, noncombat.air.crash, noncombat.air.carrier-required
    """
    from sandtable.games.aa1942.rules.mobilize import new_decks

    found: list[tuple[str, Unit, int]] = []
    waiting: dict[str, int] = {}
    for space, unit, count in sorted(s.units()):
        if unit.power != s.turn or s.facts.units[unit.type].domain != "air":
            continue
        if not s.facts.spaces[space].sea:
            if not landing_territory(s, space):
                found.append((space, unit, count))
        elif unit.type != "fighter":
            found.append((space, unit, count))
        else:
            waiting[space] = waiting.get(space, 0) + count
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
