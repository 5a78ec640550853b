"""The position changed by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from sandtable.games.gw36 import audit
from sandtable.games.gw36.facts import Facts, pair
from sandtable.games.gw36.model import Facility, State, Unit
from sandtable.games.gw36.rules import passages
from sandtable.games.gw36.rules.income import value
from sandtable.games.gw36.rules.terms import acting, alliance, at_war_with_major, friendly
from sandtable.games.gw36.setup import load_decks
from sandtable.games.gw36.view import symbol, zone_name
from sandtable.games.gw36.words import counted, zone
from sandtable.kernel.display import Change, Editor, NoQuestion, Pick, Row
from sandtable.kernel.editing import (
    Kind,
    Names,
    adjust,
    known,
    opening,
    refuse,
    unit_rows,
    units_changed,
)
from sandtable.kernel.errors import PositionError
from sandtable.kernel.package import read_edit

MOST = 99
"""Units of a type in a zone."""
RICHEST = 999
PEACE = {"war": "at war", "peace": "at peace"}

_Count = Annotated[int, Meta(ge=0, le=MOST)]


class Edit(msgspec.Struct, forbid_unknown_fields=True):
    """What is otherwise: the fields are those of custom positions, but for wars and damage. Units
    are counted without those aboard transports, which go where their ship goes."""

    units: dict[str, dict[str, dict[str, _Count]]] = {}
    possession: dict[str, str] = {}
    treasury: dict[str, Annotated[int, Meta(ge=0, le=RICHEST)]] = {}
    tech: dict[str, dict[str, _Count]] = {}
    wars: dict[str, dict[str, Literal["war", "peace"]]] = {}
    """Of two nations, each without wars of another's: whether they are at war."""
    damage: dict[str, dict[str, _Count]] = {}
    """Land zone and facility (as custom positions name it: type, and the zone that it is at)."""


def edit(s: State, patch: Mapping[str, Any]) -> tuple[Change, ...]:
    """Change the position; what has changed. PositionError if it cannot be."""
    given = read_edit(patch, Edit)
    facts = s.facts
    before, faulty = _units(s), {*_faults(s)}
    changes = _politics(s, given)
    for place, nations in given.units.items():
        known(place, facts.zones, "zone")
        _unload(s, place)
        for nation, types in nations.items():
            known(nation, facts.nations, "nation")
            for type_, count in types.items():
                known(type_, facts.units, "unit")
                _put(s, place, nation, type_, count)
    load_decks(s)
    for place in given.units:
        for unit in s.stack(place) if facts.zones[place].sea else ():
            if facts.units[unit.type].air and not unit.duty and not unit.used:
                kind = facts.units[unit.type].name
                raise PositionError(f"{kind} cannot be in {zone(facts, place)} without a carrier.")
    changes += units_changed(
        before,
        _units(s),
        Names(
            lambda type_, count: counted(facts, type_, count),
            facts.name,
            lambda id: zone(facts, id),
        ),
    )
    for power, ipp in given.treasury.items():
        known(power, facts.powers, "nation")
        if s.treasury[power] != ipp:
            s.treasury[power] = ipp
            changes.append(Change(f"{facts.name(power)} has {ipp} IPP", power))
    changes += _research(s, given)
    changes += _repair(s, given)
    _conserve(s)
    refuse(faulty, _faults(s), {})
    return tuple(changes)


def editor(s: State, space: str, power: str) -> Editor:
    """What can be changed."""
    facts = s.facts
    if space and space not in facts.zones:
        raise NoQuestion("There is no such zone.")
    if power and power not in facts.nations:
        raise NoQuestion("There is no such nation.")
    rows: list[Row] = []
    picks: list[Pick] = []
    here = {key[1:]: count for key, count in _units(s).items() if key[0] == space}
    owner = s.possession.get(space, "")
    there = {nation for nation, _ in here}
    power = power or next(
        (each for each in (owner, *acting(s), *sorted(there)) if each in there),
        owner or acting(s)[0],
    )
    # An Aligned Minor Power is part of another.
    names = {id: facts.name(id) for id in facts.nations if id not in s.aligned}
    if space:
        sea = facts.zones[space].sea
        kinds = (
            Kind(type_, kind.name, symbol(kind))
            for type_, kind in facts.units.items()
            if not (kind.land if sea else kind.naval)
        )
        owners = (power, *sorted(there - {power}))
        rows += unit_rows(space, here, owners, kinds, facts.name, MOST)
        if space in s.possession:
            picks.append(Pick("Belongs to", ("possession", space), owner, names))
        rows += [
            Row(
                f"damage:{space}:{_key(facility)}",
                f"{kind.name}{f' at {zone(facts, facility.at)}' if facility.at else ''}",
                ("damage", space, _key(facility)),
                kind.max_damage,
                value=facility.damage,
                group="Damage",
                space=space,
            )
            for facility in s.facilities.get(space, ())
            if (kind := facts.facilities[facility.type]).max_damage
        ]
    if power in facts.powers:
        rows += [
            Row(
                *(f"tech:{power}:{id}", technology.name, ("tech", power, id)),
                len(technology.stages),
                value=s.tech.get((_researcher(facts, power), id), 0),
                group=f"Technology of {facts.name(power)}",
            )
            for id, technology in facts.technologies.items()
        ]
    if power in _warring(facts):
        picks += [
            Pick(
                facts.name(other),
                ("wars", power, other),
                "war" if pair(power, other) in s.wars else "peace",
                PEACE,
                group=f"Wars of {facts.name(power)}",
            )
            for other in _warring(facts)
            if other != power
        ]
    rows += [
        Row(
            *(f"treasury:{each}", facts.name(each), ("treasury", each), RICHEST),
            value=s.treasury[each],
            power=each,
            group="IPP in hand",
        )
        for each in facts.powers
    ]
    title = zone_name(facts, space) if space else "The whole position"
    return Editor(title, space, power, names, tuple(rows), tuple(picks))


def _faults(s: State) -> Iterator[str]:
    """Why the position cannot be: beside what never holds, units that do nothing in a zone which is
    not Friendly to them."""
    yield from audit.broken_invariants(s)
    for place, unit, _ in s.units():
        if place in s.possession and not (
            unit.duty or unit.used or friendly(s, unit.nation, place)
        ):
            kind, owner = s.facts.units[unit.type].name, s.facts.name(s.possession[place])
            yield (
                f"{kind} of {s.facts.name(unit.nation)} cannot be in {zone(s.facts, place)}, which "
                f"is {owner}'s."
            )


def _politics(s: State, given: Edit) -> list[Change]:
    """Who is at war, and who possesses what; an income that follows from both is as it has to
    be."""
    facts = s.facts
    changes = []
    for one, others in given.wars.items():
        for other, which in others.items():
            for nation in (one, other):
                known(nation, _warring(facts), "nation with wars of its own")
            if one == other:
                raise PositionError(f"{facts.name(one)} cannot be at war with itself.")
            if which == "war" and alliance(s, one) == alliance(s, other):
                names = f"{facts.name(one)} and {facts.name(other)}"
                raise PositionError(f"{names} are of one Alliance: they cannot be at war.")
            both = pair(one, other)
            if (both in s.wars) == (which == "war"):
                continue
            s.wars ^= {both}
            if which == "war":
                passages.close_to_enemies(s, *both)
            what = " and ".join(facts.name(nation) for nation in both)
            changes.append(Change(f"{what} are {PEACE[which]}", both[0]))
    for place, nation in given.possession.items():
        known(place, facts.land, "land zone")
        known(nation, facts.nations, "nation")
        if s.possession[place] != nation:
            s.possession[place] = nation
            # As if it had been so when the turn began.
            s.start_possession = {**s.start_possession, place: nation}
            passages.change_hands(s, place)
            text = f"{zone(facts, place)} belongs to {facts.name(nation)}"
            changes.append(Change(text, nation, place))
    for power in facts.powers if changes else ():
        if at_war_with_major(s, power) and power not in s.surrendered:
            s.income[power] = value(s, power)
    return changes


def _research(s: State, given: Edit) -> list[Change]:
    facts, changes = s.facts, []
    for nation, stages in given.tech.items():
        known(nation, facts.powers, "nation")
        for id, reached in stages.items():
            technology = facts.technologies[known(id, facts.technologies, "technology")]
            key = _researcher(facts, nation), id
            if reached > len(technology.stages):
                raise PositionError(f"{technology.name} has {len(technology.stages)} stages.")
            if s.tech.get(key, 0) != reached:
                s.tech[key] = reached
                text = f"{facts.name(nation)} has {reached} of {len(technology.stages)} stages of "
                changes.append(Change(f"{text}{technology.name}", nation))
    return changes


def _repair(s: State, given: Edit) -> list[Change]:
    facts, changes = s.facts, []
    for place, damages in given.damage.items():
        known(place, facts.land, "land zone")
        standing = list(s.facilities.get(place, ()))
        keys = [_key(facility) for facility in standing]
        for key, points in damages.items():
            number = keys.index(known(key, keys, "facility"))
            facility = standing[number]
            if facility.damage != points:
                standing[number] = facility._replace(damage=points)
                kind = facts.facilities[facility.type]
                text = f"The {kind.name} in {zone(facts, place)} has {points} damage"
                changes.append(Change(text, s.possession[place], place))
                s.facilities[place] = tuple(sorted(standing))
    return changes


def _key(facility: Facility) -> str:
    """A facility of a zone as custom positions name it."""
    return f"{facility.type} {facility.at}".strip()


def _researcher(facts: Facts, nation: str) -> str:
    """The nation for which its technologies are noted."""
    return facts.nations[nation].major or nation


def _warring(facts: Facts) -> tuple[str, ...]:
    """The player nations that have wars of their own."""
    return tuple(id for id in facts.powers if facts.nations[id].major in ("", id))


def _units(s: State) -> dict[tuple[str, str, str], int]:
    """All units by zone, nation and type: those on decks, but not what transports carry."""
    found: Counter[tuple[str, str, str]] = Counter()
    for place, unit, count in s.units():
        for piece in (unit, *(unit.cargo if s.facts.units[unit.type].decks else ())):
            found[place, piece.nation, piece.type] += count
    return dict(found)


def _put(s: State, place: str, nation: str, type_: str, count: int) -> None:
    """Let so many units of a type be in a zone."""
    kind, where = s.facts.units[type_], s.facts.zones[place]
    if kind.land if where.sea else kind.naval:
        raise PositionError(f"{kind.name} cannot be in {zone(s.facts, place)}.")
    adjust(
        s,
        place,
        Unit(nation, type_),
        count,
        lambda unit: (unit.nation, unit.type) == (nation, type_),
    )


def _unload(s: State, place: str) -> None:
    """Aircraft leave the decks of a zone, to be counted with the others."""
    for ship, count in list(s.stack(place).items()):
        if ship.cargo and s.facts.units[ship.type].decks:
            s.change(place, ship, count, cargo=())
            for aircraft in ship.cargo:
                s.put(place, aircraft, count)


def _conserve(s: State) -> None:
    """What is on the board now has come about as if it had been there from the start."""
    present: Counter[tuple[str, str]] = Counter()
    for _, unit, count in s.units():
        for piece in (unit, *unit.cargo):
            present[piece.nation, piece.type] += count
    s.opening = opening(present, s.built, s.lost)
