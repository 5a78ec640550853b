"""Where new units may be placed (11.1): at factories, at yards, or without either."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sandtable.games.gw36.facts import UnitType
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.facilities import output
from sandtable.games.gw36.rules.terms import at_war_with_major, enemies
from sandtable.games.gw36.rules.yards import berths, held, yards
from sandtable.games.gw36.rules.zones import barred
from sandtable.kernel.errors import IllegalDecision

COLONIAL = ("colonial_infantry", "foreign_legion")
"""Units that come to a nation's overseas zones without a factory."""
FACTIONS = ("kmt", "ccp")


def needs_factory(s: State, nation: str, kind: UnitType) -> bool:
    """Whether a land or air unit comes from a factory: not Militia, Colonial Infantry and their
    like, nor what is on the own sheets of the Chinese factions.

    Rules: 11.1a, 11.1i, 11.1l
    """
    if kind.free:
        return False
    return nation not in FACTIONS or kind.id not in s.facts.sheets[nation].units


def captured_land(s: State, nation: str, zone: str) -> bool:
    """Whether a zone counts as captured: another's roundel is printed on it, and it came neither by
    Alignment nor by annexation. French roundels are those of Free France.

    Rules: 11.1j
    """
    owner = s.facts.zones[zone].owner
    ours = (nation, printed(nation))
    return owner not in ours and s.aligned.get(owner) != nation and zone not in s.annexed


def printed(nation: str) -> str:
    """The nation whose roundels on the map are those of a nation."""
    return "france" if nation == "free_france" else nation


def militia_room(s: State, nation: str, zone: str) -> int:
    """How many Militia a zone can still take this turn: its value, at least one; one if captured.

    Rules: 11.1i, 11.1j, 11.1k
    """
    if not held(s, nation, zone):
        return 0
    most = 1 if captured_land(s, nation, zone) else max(1, s.facts.zones[zone].ipp)
    return most - s.done.get(f"militia:{zone}", 0)


def room(s: State, nation: str, kind: UnitType, zone: str) -> int:
    """How many land or air units of a type can be placed in a land zone now.

    Rules: 1.13a, 7.8a, 11.1a, 11.1e, 11.1i, 11.1l, 13.3.1a, 13.3.2a
    """
    facts = s.facts
    known, home = facts.zones[zone], facts.nations[nation].home
    if known.sea or not held(s, nation, zone) or barred(s, zone):
        return 0
    if kind.tech and zone not in home:
        return 0
    if kind.id == "militia":
        return militia_room(s, nation, zone)
    if kind.id in COLONIAL:
        ours = known.owner == printed(nation) and zone not in facts.nations[printed(nation)].home
        return UNLIMITED if ours and known.ipp else 0
    if kind.id == "gurkha":
        return UNLIMITED if _himalayan(s, nation, zone) else 0
    if not needs_factory(s, nation, kind):
        return UNLIMITED if zone in home or nation in s.evolved else 0
    return output(s, nation, zone)


UNLIMITED = 99
"""No limit by zone."""


def _himalayan(s: State, nation: str, zone: str) -> bool:
    """Whether Gurkhas come to a zone: it borders the Himalayas, and Nepal is neutral or of the
    Commonwealth."""
    nepal = s.possession.get("nepal", "nepal")
    if enemies(s, nation, nepal) or (nepal == "nepal" and at_war_with_major(s, nepal)):
        return False
    return any(zone in border for border in s.facts.himalayas)


def yard_at(s: State, nation: str, kind: UnitType, sea: str, tied: str = "") -> str:
    """The land zone whose yard can place a ship of a type in a sea zone (in a certain zone, if the
    ship is tied to it), the one with most room; empty if there is none.

    Rules: 11.1f, 11.1g, 11.1h, 15.8a
    """
    best, most = "", 0
    for zone, at in yards(s, nation):
        if at == sea and tied in ("", zone):
            free = berths(s, nation, zone, sea, kind)
            if free > most:
                best, most = zone, free
    return best


def places(s: State, nation: str, type_: str, rng: random.Random | None = None) -> Iterator[str]:
    """The zones in which a unit of a type can be placed now; with `rng` in a random order."""
    kind = s.facts.units[type_]
    if kind.naval:
        found: set[str] = set()
        berthing = list(yards(s, nation))
        if rng:
            rng.shuffle(berthing)
        for zone, sea in berthing:
            if sea not in found and berths(s, nation, zone, sea, kind):
                found.add(sea)
                yield sea
        return
    possession, land = s.possession, s.facts.land
    if needs_factory(s, nation, kind):
        ours = [zone for zone in land if zone in s.facilities and possession[zone] == nation]
    else:
        ours = [zone for zone in land if possession[zone] == nation]
    if rng:
        rng.shuffle(ours)
    for zone in ours:
        if room(s, nation, kind, zone) > 0:
            yield zone


def check_room(s: State, nation: str, type_: str, zone: str, count: int) -> None:
    """Refuse to place so many land or air units in a zone.

    Rules: 11.1a, 11.1b, 11.1e, 11.1i, 11.1j, 11.1k, 11.1l
    """
    facts = s.facts
    kind, name = facts.units[type_], facts.name
    if facts.zones[zone].sea != kind.naval:
        where = "at sea" if kind.naval else "on land"
        raise IllegalDecision(f"{kind.name} is placed {where}.", "11.1a")
    if not held(s, nation, zone):
        raise IllegalDecision(
            f"{name(nation)} has not possessed {name(zone)} since the start of the turn.",
            "11.1k" if type_ == "militia" else "11.1a",
        )
    if kind.tech and zone not in facts.nations[nation].home:
        raise IllegalDecision(f"{kind.name} has to be placed in the Home Country.", "11.1e")
    free = room(s, nation, kind, zone)
    if count > free:
        rule = "11.1a"
        if type_ == "militia":
            rule = "11.1j" if captured_land(s, nation, zone) else "11.1i"
        elif type_ in COLONIAL:
            rule = "11.1l"
        raise IllegalDecision(f"{name(zone)} can take {max(0, free)} more {kind.name}.", rule)
