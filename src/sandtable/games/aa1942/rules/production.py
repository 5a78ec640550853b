"""What industrial complexes can bring into play this turn (p.22)."""

from __future__ import annotations

from sandtable.board.matching import most_assigned
from sandtable.games.aa1942.model import State


def complexes(s: State) -> dict[str, int]:
    """The complexes that the acting power may use, with the units each can bring in.

    They have stood, under its own control, since the turn began; damage lowers the limit.

    Rules: mobilize.where, mobilize.ic.not-new, mobilize.ic.not-ally, mobilize.limit.value,
        mobilize.limit.damage, unit.ic.entry-point, unit.ic.liberated, combat.conclude.ic,
        mobilize.ic.indestructible
    """
    power, control, before = s.turn, s.control, s.start_control
    spaces, new = s.facts.spaces, s.new_complexes
    return {
        territory: max(0, spaces[territory].ipc - damage)
        for territory, damage in s.complexes.items()
        if control[territory] == power and before[territory] == power and territory not in new
    }


def zones_served(s: State) -> frozenset[str]:
    """The sea zones next to a usable complex."""
    return frozenset(zone for land in complexes(s) for zone in s.facts.coast[land])


def can_place(s: State, more: dict[str, int], served: dict[str, int] | None = None) -> bool:
    """Whether the complexes can bring in what was placed this turn and `more`, space to number.

    A zone may be served by several complexes; any assignment will do. `served` is what
    `complexes` gives, where that is at hand.

    Rules: mobilize.limit.value, mobilize.limit.damage
    """
    limits = complexes(s) if served is None else served.copy()
    shared: list[list[str]] = []
    numbers: list[int] = []
    for placed in (s.placed, more):
        for space, count in placed.items():
            if s.facts.spaces[space].sea:
                sources = [land for land in s.facts.coast[space] if land in limits]
            else:
                sources = [space] if space in limits else []
            if len(sources) > 1:
                shared.append(sources)
                numbers.append(count)
            elif not sources or limits[sources[0]] < count:
                return False
            else:
                limits[sources[0]] -= count
    return not shared or most_assigned(shared, limits, numbers) == sum(numbers)


def room_left(s: State) -> dict[str, int]:
    """How many units each complex of the acting power can still bring in, if the others bring in
    nothing more.

    Rules: mobilize.limit.value, mobilize.limit.damage
    """
    limits = complexes(s)
    return {
        land: next(n for n in range(most, -1, -1) if can_place(s, {land: n}, limits))
        for land, most in limits.items()
    }


def new_decks(s: State, wanted: dict[str, int], first: str = "") -> dict[str, int]:
    """The best use of carriers still to be placed for fighters that wait at sea, zone to number.

    Among uses that save as many it is the one that saves most in the zone `first`. (What complexes
    can bring in is a matroid, so it is enough to place carriers one by one, full ones first.)

    Rules: noncombat.air.new-carrier, unit.air.landing-proof.commit-new
    """
    carriers = s.bought.get("aircraft_carrier", 0)
    served = zones_served(s) if carriers else frozenset()
    zones = sorted((zone for zone in wanted if zone in served), key=lambda z: (z != first, z))
    rooms: dict[str, int] = {}
    placed: dict[str, int] = {}
    for fighters in range(s.facts.numbers.fighters_per_carrier, 0, -1):
        for zone in zones:
            while carriers and wanted[zone] - rooms.get(zone, 0) >= fighters:
                more = {**placed, zone: placed.get(zone, 0) + 1}
                if not can_place(s, more):
                    break
                placed = more
                rooms[zone] = rooms.get(zone, 0) + fighters
                carriers -= 1
    return rooms
