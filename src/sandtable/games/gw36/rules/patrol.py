"""Maritime Air Patrol (8.7)."""

from __future__ import annotations

from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.air import (
    check_flight,
    free_decks,
    landing_land,
    landing_places,
    patrol_range,
    relocate,
)
from sandtable.games.gw36.rules.movement import Group, check_reach, free, pick
from sandtable.games.gw36.rules.zones import side
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.table import Table


def check_patrol(
    s: State, nation: str, units: dict[str, int], path: tuple[str, ...]
) -> list[Group]:
    """Aircraft begin a patrol over a sea zone within patrol range of a landing place; they may fly
    there as far as they can. Strategic Bombers and Air Transports do not patrol.

    Rules: 8.7a, 8.7i, 8.7j, 8.2b, 12.2.seaplane-b
    """
    goal = path[-1]
    if goal not in s.facts.sea_next:
        raise IllegalDecision("Maritime Air Patrol is flown over a sea zone.", "8.7a")
    for type_ in units:
        if not s.facts.units[type_].patrol:
            raise IllegalDecision(f"{s.facts.name(type_)} does not patrol.", "8.7a")
    groups = pick(s, nation, path[0], units, free, rule="8.7g")
    check_flight(s, nation, path)
    check_reach(s, groups, path)
    after = s
    if any(group.aboard for group in groups):  # they leave their decks free
        after = s.copy()
        relocate(after, path, groups, "patrol")
    for type_ in units:
        if not within_range(after, Unit(nation, type_), goal):
            raise IllegalDecision(
                f"No landing place of {s.facts.name(type_)} is within patrol range of "
                f"{s.facts.name(goal)}.",
                "8.7a",
            )
    return groups


def within_range(s: State, unit: Unit, zone: str) -> bool:
    """Whether a landing place is within patrol range of an aircraft over a sea zone, with no Enemy
    fighters on the way.

    Rules: 8.7a, 8.7b, 8.7h, 8.7i
    """
    kind = s.facts.units[unit.type]
    friends = side(s, unit.nation).friends
    reach = patrol_range(s, unit.nation, kind)
    if not reach:
        return False
    for near in s.facts.neighbours[zone]:  # nearly always enough, and fast
        if landing_land(s, friends, kind, near):
            return True
    if kind.on_deck and free_decks(s, friends, zone) > 0:
        return True
    return bool(landing_places(s, unit, zone, reach))


def patrols(s: State) -> list[tuple[str, Unit, int]]:
    """All aircraft on patrol, those that fight or have declined included."""
    return [
        (zone, unit, count)
        for zone, unit, count in s.worn_units()
        if (unit.duty == "patrol" or unit.target == "patrol") and zone in s.facts.sea_next
    ]


def eliminate(g: Table[State]) -> None:
    """Patrols that can no longer reach a landing place are lost.

    Rules: 8.7b, 8.7h, 8.7i
    """
    s = g.state
    for zone, unit, count in patrols(s):
        if not within_range(s, unit, zone):
            s.destroy(zone, unit, count)
            g.emit("patrol_lost", power=unit.nation, space=zone, units={unit.type: count})


def resume(s: State) -> None:
    """After combat, aircraft that fought, raided or declined on patrol are on patrol again, ships
    that were kept out of a fight do what they did, and submarines that declined are free.

    Rules: 8.7b, 8.9c
    """
    for zone, unit, count in s.worn_units():
        if zone in s.facts.sea_next:
            if unit.target == "patrol":
                s.change(zone, unit, count, duty="patrol", target="", origin="")
            elif unit.duty == "declined":
                duty = unit.target or ("moved" if unit.used else "")
                s.change(zone, unit, count, duty=duty, target="")
