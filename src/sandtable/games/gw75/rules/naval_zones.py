"""Naval Zones of Control (chapter 13): which units have one, and how far it reaches."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from typing import NamedTuple

from sandtable.games.gw75.model import State, Unit
from sandtable.games.gw75.rules import italy, united_states, waters
from sandtable.games.gw75.rules.terms import (
    FLEET,
    NAVAL,
    at_war,
    friends,
    holder,
    nations,
    relations,
)

CARRIERS = frozenset({"ms", "amph"})
"""Ships that carry land units: no combat units."""
SWEEPERS = frozenset({"surf_a", "asw"})
"""Units that can attack submarines in transit (13.11)."""


class Part(NamedTuple):
    """Units of a hex that take part in a naval combat."""

    hex: str
    unit: Unit
    count: int  # type: ignore[assignment]  # not the method of tuples


def strong(unit: Unit) -> bool:
    """Whether a naval unit has its Attack Strength and its Zone of Control: it is neither Depleted
    nor Unactivated, and in Attack Supply.

    Rules: 13.0a, 15.52b, 16.12b, 16.22, 15.77
    """
    return unit.type in FLEET and not (unit.depleted or unit.idle or unit.supply)


def radius(s: State, nation: str) -> int:
    """How far the zone of a nation's ASW units reaches in this Game-Turn.

    Rules: 13.41
    """
    return s.facts.turns[s.turn].asw.get(nation, 1)


def covers(s: State, hex: str, unit: Unit, target: str) -> bool:
    """Whether the zone that a unit in a hex has, or would have, reaches a hex: of a Surf-A unit the
    adjacent ones, through all hexsides; of ASW units by nation and Game-Turn; of others their own.

    Rules: 13.0b, 13.21, 13.31, 13.41, 13.43, 15.41, 12.32
    """
    if hex == target:
        return True
    if unit.type == "surf_a":
        return s.facts.distance(hex, target) <= s.facts.numbers.carrier_zone
    if unit.type == "asw":
        return flies(s, unit.nation, hex, target, radius(s, unit.nation))
    return False


def strikers(s: State, nation: str, hex: str, type: str) -> list[Part]:
    """Enemies of a nation in whose zone a hex is, and that may attack its units of a type in
    transit; submarines are attacked by Surf-A and ASW units only. Italians who only defend and
    inactive Americans attack nobody.

    Rules: 13.0c, 12.23, 13.31, 19.24a, 19.37a, 19.82b
    """
    found = [
        part
        for foe in enemies(s, nation).armed
        for part in _zones(s, foe).get(hex, ())
        if not (s.facts.hexes[hex].water and waters.no_attack(s, foe, hex))
        and (type != "ss" or part.unit.type in SWEEPERS)
        and (part.unit.type != "asw" or covers(s, part.hex, part.unit, hex))
        and not (foe == "italy" and italy.only_defends(s))
        and not united_states.inactive(s, foe, part.hex)
    ]
    return sorted(found) if found else found


def watched(s: State, nation: str, path: tuple[str, ...]) -> frozenset[str]:
    """The hexes of a path that may be in the zone of an Enemy of a nation. There will be no others
    while it moves."""
    there, bits = enemies(s, nation).within, s.facts.bits
    return frozenset([hex for hex in path if there & bits[hex]]) if there else _SAFE


_SAFE: frozenset[str] = frozenset()


class Sea(NamedTuple):
    """What the Enemies of a nation have at sea; hexes as bits (`Facts.bits`)."""

    enemies: frozenset[str]
    armed: tuple[str, ...]
    """Those of them that have naval units."""
    within: int
    """Hexes that the zone of some of them may reach."""
    others: int
    """Hexes with ships, but for submarines, and ASW units that Merchant Ships or Amphibious units
    of the same nation are not with."""
    convoys: int
    """Hexes with Merchant Ships that their waters do not shelter, or Amphibious units."""


def enemies(s: State, nation: str) -> Sea:
    """What the Enemies of a nation have at sea."""
    found: Sea | None = s.seas.get(nation)
    if found is None:
        foes = relations(s).enemies[nation]
        for same in s.seas.values():
            if same.enemies == foes:
                s.seas[nation] = same
                return same  # type: ignore[no-any-return]
        armed = tuple(each for each in s.presence if each in foes and fleet(s, each).units)
        within = others = convoys = 0
        for foe in armed:
            _zones(s, foe)
            known = fleet(s, foe)
            within |= known.within
            others |= known.others
            convoys |= known.convoys
        found = s.seas[nation] = Sea(foes, armed, within, others, convoys)
    return found


Ships = tuple[str, Unit, int]
"""Naval units of a kind, with their hex and number."""


class Fleet(NamedTuple):
    """The naval units of a nation."""

    units: list[Ships]
    """Each kind with its hex and number, sorted; it is replaced, never changed."""
    zones: dict[str, list[Part]] | None = None
    """Hex to those whose zone may reach it, once that was asked for; with it the rest, as in
    `Sea`."""
    within: int = 0
    others: int = 0
    convoys: int = 0


def fleet(s: State, nation: str) -> Fleet:
    """The naval units of a nation."""
    known: tuple[Fleet, tuple[str, ...]] | None = s.fleets.get(nation)
    if known is None:
        found = Fleet(s.units_of(nation, NAVAL))
    elif known[1]:
        at, units = s.at, known[0].units.copy()
        for hex in dict.fromkeys(known[1]):
            start = end = bisect_left(units, (hex,))
            while end < len(units) and units[end][0] == hex:
                end += 1
            units[start:end] = [
                (hex, unit, number)
                for unit, number in (at[hex].items() if hex in at else ())
                if unit.nation == nation and unit.type in NAVAL
            ]
        found = Fleet(units)
    else:
        return known[0]
    s.fleets[nation] = found, ()
    return found


def fleets(s: State, player: str) -> list[Ships]:
    """The naval units of the nations that a player decides for."""
    key = f"fleets of {player}"
    found: list[Ships] | None = s.memo.get(key)
    if found is None:
        found = []
        for nation in nations(s, player):
            known = s.fleets.get(nation)
            one = known[0] if known is not None and not known[1] else fleet(s, nation)
            found += one.units
        s.memo[key] = found
    return found


def _zones(s: State, nation: str) -> dict[str, list[Part]]:
    """Hex to the units of a nation whose zone may reach it: neutral countries still may lie
    between."""
    known = fleet(s, nation)
    found = known.zones
    if found is None:
        found, bits = {}, s.facts.bits
        others = convoys = 0
        for hex, unit, count in known.units:
            if unit.type in CARRIERS:
                if unit.type != "ms" or not waters.sheltered(s, nation, (hex,)):
                    convoys |= bits[hex]
            elif unit.type != "ss":
                others |= bits[hex]
            if not strong(unit):
                continue
            part = Part(hex, unit, count)
            if unit.type in SWEEPERS:
                far = s.facts.numbers.carrier_zone
                for each in s.facts.within(
                    hex, far if unit.type == "surf_a" else radius(s, unit.nation)
                ):
                    found.setdefault(each, []).append(part)
            else:
                found.setdefault(hex, []).append(part)
        within = s.facts.set_of(found)
        others &= ~convoys
        s.fleets[nation] = Fleet(known.units, found, within, others, convoys), ()
    return found


# --- flight, of ASW units and of bombers ----------------------------------------------------------


def neutral(s: State, nation: str, hex: str) -> bool:
    """Whether a hex is of a country that is neutral to a nation: held by neither friend nor Enemy.

    Rules: 12.33, 17.16
    """
    found = holder(s, hex)
    return bool(found) and found in _neutrals(s, nation)


def _neutrals(s: State, nation: str) -> frozenset[str]:
    key = f"neutral to {nation}"
    found: frozenset[str] | None = s.realm.get(key)
    if found is None:
        found = s.realm[key] = frozenset(
            other
            for other in s.facts.nations
            if not friends(s, nation, other) and not at_war(s, nation, other)
        )
    return found


def flies(s: State, nation: str, start: str, target: str, limit: int) -> bool:
    """Whether a path of at most so many hexes leads from a hex to another, and none of its hexes
    after the first is of a neutral country. Hexsides, terrain and Enemies do not matter.

    Rules: 12.33, 13.43, 15.47, 17.15, 17.16, 17.51
    """
    facts = s.facts
    if facts.distance(start, target) > limit or neutral(s, nation, target):
        return False
    here = start
    while here != target:  # straight ahead, as nearly always
        left = facts.distance(here, target)
        for near in facts.near[here]:
            if facts.distance(near, target) < left and not neutral(s, nation, near):
                here = near
                break
        else:
            break
    else:
        return True
    found = {start: 0}
    todo = deque([start])
    while todo:
        here = todo.popleft()
        if here == target:
            return True
        far = found[here] + 1
        for near in facts.near[here]:
            if (
                near not in found
                and far + facts.distance(near, target) <= limit
                and not neutral(s, nation, near)
            ):
                found[near] = far
                todo.append(near)
    return False
