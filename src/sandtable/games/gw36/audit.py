"""What holds in every position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sandtable.games.gw36.model import PHASES, State, Unit
from sandtable.games.gw36.rules.terms import acting, enemies, on


def broken_invariants(s: State) -> list[str]:
    """What is wrong with a position, a sentence each; empty for a sound one."""
    return [
        *_conservation(s),
        *_places(s),
        *_holds(s),
        *_sharing(s),
        *_politics(s),
        *_money(s),
        *_facilities(s),
    ]


def _conservation(s: State) -> Iterator[str]:
    """Opening, built and lost units add up to what is on the board, cargo included."""
    found: Counter[tuple[str, str]] = Counter()
    for _, unit, count in s.units():
        if count < 1:
            yield f"There are {count} of {_words(s, unit)}."
        for piece in (unit, *unit.cargo):
            found[piece.nation, piece.type] += count
    for key in sorted({*found, *s.opening, *s.built, *s.lost}):
        due = s.opening.get(key, 0) + s.built.get(key, 0) - s.lost.get(key, 0)
        if due != found[key]:
            nation, type = key
            name = f"{s.facts.nations[nation].name} {s.facts.units[type].name}"
            yield f"{name}: {found[key]} are on the board, and {due} should be."


def _places(s: State) -> Iterator[str]:
    """Ships are at sea, land units on land that they can enter; aircraft rest on land or decks."""
    facts = s.facts
    turn = acting(s)
    for zone, unit, _ in s.units():
        kind, place = facts.units[unit.type], facts.zones[zone]
        name = f"{_words(s, unit)} in {place.name}"
        if kind.naval and not place.sea:
            yield f"{name}: ships are at sea."
        elif kind.land and place.sea:
            yield f"{name}: land units are at sea only aboard ships."
        elif kind.land and (place.impassable or (place.terrain == "tundra" and on(s, "tundra"))):
            yield f"{name}: the zone is impassable."
        elif (
            kind.air
            and place.sea
            and not unit.duty
            and not unit.used
            and (s.phase == PHASES[0] or (s.phase == PHASES[1] and unit.nation not in turn))
        ):
            yield f"{name}: aircraft at sea are on carriers or on patrol."
        if unit.hits and unit.hits >= kind.hits:
            yield f"{name}: {unit.hits} hits are too many."
        if unit.nation in s.aligned:
            major = facts.name(s.aligned[unit.nation])
            yield f"{name}: {facts.name(unit.nation)} is part of {major}."


def _holds(s: State) -> Iterator[str]:
    """Nothing carries more than it can."""
    for zone, unit, _ in s.units():
        if unit.cargo and not fits_aboard(s, unit):
            load = ", ".join(_words(s, piece) for piece in unit.cargo)
            yield f"{_words(s, unit)} in {s.facts.name(zone)} cannot carry {load}."


def fits_aboard(s: State, ship: Unit) -> bool:
    """Whether a unit's cargo is within its capacity: a carrier's decks, a transport's two units of
    which one is of the infantry class, an aircraft's soldier, a destroyer's Marine (Japan)."""
    kind = s.facts.units[ship.type]
    load = [s.facts.units[piece.type] for piece in ship.cargo]
    if any(piece.cargo for piece in ship.cargo):
        return False
    if kind.decks:
        return all(each.on_deck for each in load) and len(load) <= kind.decks
    if kind.transport:
        infantry = sum(each.class_ == "infantry" for each in load)
        return len(load) <= 2 and infantry >= len(load) - 1 and not any(x.naval for x in load)
    if kind.lift or kind.airborne:
        return len(load) <= 1 and all(each.class_ == "infantry" for each in load)
    return ship.type == "destroyer" and [each.id for each in load] in ([], ["marine"])


def _sharing(s: State) -> Iterator[str]:
    """Enemies are in one land zone only where they fight or have fought. The Chinese factions can
    come to be at war where they are guests, or hosts: when a truce ends, or a friend of one attacks
    the other (4.9)."""
    for zone in s.facts.land:
        owner = s.possession.get(zone, "")
        if zone in s.fought or owner not in s.facts.nations:
            continue
        for unit in s.stack(zone):
            if unit.duty or unit.used or {"kmt", "ccp"} & {unit.nation, owner}:
                continue
            if enemies(s, unit.nation, owner):
                name = s.facts.name(zone)
                yield f"{_words(s, unit)} is in {name}, which is {s.facts.name(owner)}'s."


def _politics(s: State) -> Iterator[str]:
    """Land zones are possessed, and nothing else; wars and Minor Powers are as they can be.

    Rules: 0.9.possession-b
    """
    facts = s.facts
    for zone in facts.land:
        owner = s.possession.get(zone)
        if owner not in facts.nations:
            yield f"{facts.name(zone)} is possessed by nobody who is known."
        elif owner in s.aligned:
            yield f"{facts.name(zone)} is {facts.name(owner)}'s, which is Aligned."
    if len(s.possession) != len(facts.land):
        yield "Something else than land zones is possessed."
    for one, other in s.wars:
        if one >= other or one not in facts.nations or other not in facts.nations:
            yield f"{one} and {other} are no pair of nations at war."
        for nation in (one, other):
            if nation in s.aligned or facts.nations[nation].major not in ("", nation):
                yield f"{facts.name(nation)} has no wars of its own."
    for minor, power in (*s.control.items(), *s.aligned.items()):
        if facts.nations[minor].player or power not in facts.powers:
            yield f"{facts.name(minor)} cannot belong to {facts.name(power)}."
    for minor in s.control:
        if minor in s.aligned:
            yield f"{facts.name(minor)} is Aligned, and Controlled as well."


def _money(s: State) -> Iterator[str]:
    """Money, production and research are within their limits. Minor Powers have what was lent to
    them."""
    facts = s.facts
    for name, table in (("income", s.income), ("treasury", s.treasury)):
        if (
            not {*facts.powers}
            <= {*table}
            <= {*(facts.powers if name == "income" else facts.nations)}
        ):
            yield f"Not every nation has its {name}."
        for nation, ipp in table.items():
            if ipp < 0:
                yield f"{facts.name(nation)} has a {name} of {ipp}."
    if list(s.track) != sorted(s.track):
        yield "The Production Chart is not sorted."
    for job in s.track:
        kind = facts.units.get(job.what) or facts.facilities.get(job.what)
        if kind is not None and job.left > len(kind.cost):
            yield f"{facts.name(job.nation)}'s {kind.name} has {job.left} instalments left."
        if job.nation not in facts.nations:
            yield f"{job.nation} is on the Production Chart."
    for (nation, technology), stages in s.tech.items():
        if stages > len(facts.technologies[technology].stages):
            yield f"{facts.name(nation)} has {stages} stages of {facts.name(technology)}."
    for (line, nation), lost in s.raided.items():
        if lost > dict(facts.lines[line].values).get(nation, 0):
            yield f"{facts.name(nation)} lost {lost} on the {facts.name(line)}."


def _facilities(s: State) -> Iterator[str]:
    facts = s.facts
    for zone, standing in s.facilities.items():
        if list(standing) != sorted(standing) or not standing:
            yield f"The facilities of {facts.name(zone)} are not sorted."
        for facility in standing:
            kind = facts.facilities[facility.type]
            name = f"The {kind.name} in {facts.name(zone)}"
            if facility.damage > kind.max_damage:
                yield f"{name} has {facility.damage} damage."
            if kind.naval and facility.at not in facts.coast[zone]:
                yield f"{name} is at no sea zone."
    for one, other in s.railways:
        if other not in facts.land_next[one] or one >= other:
            yield f"A railway between {facts.name(one)} and {facts.name(other)} has no border."
    for border in s.rail_damage:
        if border not in s.railways:
            yield f"There is damage on no railway between {' and '.join(border)}."


def _words(s: State, unit: Unit) -> str:
    """A unit in words, `Germany Infantry`."""
    return f"{s.facts.name(unit.nation)} {s.facts.units[unit.type].name}"
