"""Shipyards, dockyards and submarine bases: where ships are placed and repaired (7.4, 11.1)."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw36.facts import UnitType
from sandtable.games.gw36.model import Facility, State
from sandtable.games.gw36.rules.facilities import (
    at_sea,
    equipped,
    has_factory,
    may_use,
    usable,
    yard_slots,
)
from sandtable.games.gw36.rules.supply import rail_reach


def held(s: State, nation: str, zone: str) -> bool:
    """Whether a nation has possessed a zone since the start of the turn.

    Rules: 11.1a, 11.1k
    """
    return s.possession[zone] == nation and s.start_possession.get(zone, nation) == nation


def serves(s: State, nation: str, zone: str, *, capital: bool) -> bool:
    """Whether a yard in a zone has its factory: for Capital Ships a Major Factory in the Home
    Country connected by undamaged railway, for others any factory, adjacent or so connected.

    Rules: 11.1f, 11.1g
    """
    home = s.facts.nations[nation].home

    def feeds(end: str) -> bool:
        if capital:
            works = end in home and has_factory(s, end, "major_factory")
        else:
            works = has_factory(s, end)
        return works and held(s, nation, end)

    near = (zone,) if capital else (zone, *s.facts.land_next[zone])
    return any(map(feeds, near)) or any(map(feeds, rail_reach(s, nation, zone)))


def yards(s: State, nation: str) -> Iterator[tuple[str, str]]:
    """Land zone and sea zone of each place where a nation could bring in ships of some kind: a zone
    held since the start of the turn with a shipyard or submarine base."""
    kinds = s.facts.facilities
    for zone in equipped(s, nation):
        if held(s, nation, zone):
            seas = {
                sea: None
                for f in s.facilities[zone]
                if kinds[f.type].ships or kinds[f.type].submarines
                for sea in at_sea(s, zone, f)
            }
            for sea in seas:
                yield zone, sea


def _here(s: State, zone: str, sea: str) -> Iterator[Facility]:
    for f in s.facilities.get(zone, ()):
        if usable(s, zone, f) and sea in at_sea(s, zone, f):
            yield f


def berths(s: State, nation: str, zone: str, sea: str, kind: UnitType) -> int:
    """How many ships of a kind can still be placed at a sea zone from the yards of a land zone.
    Repairs that dockyards have no room for take slots of shipyards; Capital Ships need a Major
    Shipyard; submarines have the slots of submarine bases beside.

    Rules: 7.4c, 11.1f, 11.1g, 11.1h, 12.5.dockyard-a, 8.11c
    """
    facts = s.facts
    minor = major = docks = bases = 0
    for f in _here(s, zone, sea):
        type_ = facts.facilities[f.type]
        if type_.ships:
            slots = yard_slots(s, nation, f)
            if type_.capital:
                major += slots
            else:
                minor += slots
        elif type_.repairs:
            docks += yard_slots(s, nation, f)
        bases += type_.submarines
    key = f"{zone}:{sea}"
    capitals, others = s.done.get(f"capitals:{key}", 0), s.done.get(f"ships:{key}", 0)
    repairs = max(0, s.done.get(f"repairs:{key}", 0) - docks)
    submarines = s.done.get(f"submarines:{key}", 0)
    others += repairs + max(0, submarines - bases)
    if kind.capital:
        free = max(0, major - capitals - max(0, others - minor))
    else:
        free = max(0, minor + major - capitals - others)
        if kind.submarine:
            free += max(0, bases - submarines)
    return free if free and serves(s, nation, zone, capital=kind.capital) else 0


def use(s: State, zone: str, sea: str, kind: UnitType, count: int = 1) -> None:
    """Note that ships have been placed."""
    what = "capitals" if kind.capital else "submarines" if kind.submarine else "ships"
    key = f"{what}:{zone}:{sea}"
    s.done[key] = s.done.get(key, 0) + count


def repair_slots(s: State, nation: str, zone: str, sea: str) -> int:
    """How many hits the yards of a land zone can still repair this turn on ships in a sea zone;
    they are open to whoever may use the zone's facilities.

    Rules: 7.4b, 7.4c, 12.5a
    """
    if not may_use(s, nation, zone):
        return 0
    slots = sum(
        yard_slots(s, s.possession[zone], f)
        for f in _here(s, zone, sea)
        if s.facts.facilities[f.type].repairs
    )
    key = f"{zone}:{sea}"
    return max(0, slots - sum(s.done.get(f"{what}:{key}", 0) for what in ("repairs", "ships")))


def most_hits(s: State, zone: str, sea: str) -> int:
    """How many hits on one ship the best yard of a zone can repair in a turn.

    Rules: 7.4c, 15.5c
    """
    return max(
        (
            yard_slots(s, s.possession[zone], f)
            for f in _here(s, zone, sea)
            if s.facts.facilities[f.type].repairs
        ),
        default=0,
    )
