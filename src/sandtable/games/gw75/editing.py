"""The position changed by hand. Production Tracks and Production Points are secret, and stay as
they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from sandtable.games.gw75 import audit
from sandtable.games.gw75.facts import MAJORS, pair
from sandtable.games.gw75.model import State, Unit
from sandtable.games.gw75.rules import indochina, ussr
from sandtable.games.gw75.rules.terms import SHIPS, friends, holder, points, side
from sandtable.games.gw75.setup import note_captures
from sandtable.games.gw75.view import SYMBOLS
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
"""Units of a type in a hex."""
PEACE = {"war": "at war", "peace": "at peace"}
SECRET = "The position can be edited again when production is over: its orders are secret."

_Count = Annotated[int, Meta(ge=0, le=MOST)]


class Edit(msgspec.Struct, forbid_unknown_fields=True):
    """What is otherwise: the fields are those of custom positions, each naming only what it
    changes."""

    units: dict[str, dict[str, dict[str, _Count]]] = {}
    held: dict[str, str] = {}
    wars: dict[str, dict[str, Literal["war", "peace"]]] = {}
    """Of two Major Powers: whether they are at war."""
    ports: dict[str, Annotated[int, Meta(ge=0, le=1)]] = {}
    """Coastal hex to 1 if a Port was built there, 0 if not."""
    bombs: dict[str, _Count] = {}
    bombed: dict[str, _Count] = {}


def edit(s: State, patch: Mapping[str, Any]) -> tuple[Change, ...]:
    """Change the position; what has changed. PositionError if it cannot be."""
    if s.phase == "production":
        raise PositionError(SECRET)
    given = read_edit(patch, Edit)
    facts = s.facts
    before, faulty = _units(s), {*_faults(s)}
    changes = _politics(s, given)
    for hex, nations in given.units.items():
        known(hex, facts.hexes, "hex")
        for nation, types in nations.items():
            known(nation, facts.nations, "nation")
            if any(types.values()):
                _standing(s, nation)
            for type_, count in types.items():
                _put(s, hex, nation, type_, count)
    changes += units_changed(
        before,
        _units(s),
        Names(lambda type_, count: f"{count} {facts.name(type_)}", facts.name, facts.name),
    )
    changes += _works(s, given)
    _conserve(s)
    s.changed()
    for hex in given.units:
        for which in ("axis", "allies"):
            if points(s, hex, which) > facts.numbers.stack:
                raise PositionError(
                    f"At most {facts.numbers.stack} Strength Points of a side are in "
                    f"{facts.name(hex)}."
                )
    refuse(faulty, _faults(s), {})
    return tuple(changes)


def editor(s: State, space: str, power: str) -> Editor:
    """What can be changed."""
    facts = s.facts
    if s.phase == "production":
        raise NoQuestion(SECRET)
    if space and space not in facts.hexes:
        raise NoQuestion("There is no such hex.")
    if power and power not in facts.nations:
        raise NoQuestion("There is no such nation.")
    rows: list[Row] = []
    picks: list[Pick] = []
    names = {id: nation.name for id, nation in facts.nations.items()}
    here = {key[1:]: count for key, count in _units(s).items() if key[0] == space}
    owner = holder(s, space) if space and facts.hexes[space].dry else ""
    there = {nation for nation, _ in here}
    power = power or next(
        (each for each in (owner, s.mover, *sorted(there)) if each in there),
        owner or s.mover or MAJORS[0],
    )
    if space:
        place = facts.hexes[space]
        kinds = (
            Kind(type_, kind.name, SYMBOLS[type_])
            for type_, kind in facts.types.items()
            if kind.domain != "marker"
            and (place.wet if type_ in SHIPS else place.dry)
            and (type_ != "ad" or place.industry)
        )
        owners = (power, *sorted(there - {power}))
        rows += unit_rows(space, here, owners, kinds, names.__getitem__, MOST)
        if place.dry:
            picks.append(Pick("Held by", ("held", space), owner, names))
        for field, label, value, most, there_is in (
            ("ports", "Port", int(space in s.ports), 1, place.dry and place.wet and not place.port),
            ("bombed", "Lost to bombing", s.bombed.get(space, 0), MOST, place.industry),
            ("bombs", "Atomic bombs", s.bombs.get(space, 0), MOST, place.dry),
        ):
            if there_is:
                key = f"{field}:{space}"
                rows.append(
                    Row(
                        *(key, label, (field, space), most),
                        value=value,
                        group="In the hex",
                        space=space,
                    )
                )
    if power in MAJORS:
        picks += [
            Pick(
                names[other],
                ("wars", power, other),
                "war" if pair(power, other) in s.wars else "peace",
                PEACE,
                group=f"Wars of {names[power]}",
            )
            for other in MAJORS
            if other != power and side(s, other) != side(s, power)
        ]
    title = facts.name(space) if space else "The whole position"
    return Editor(title, space, power, names, tuple(rows), tuple(picks))


def _faults(s: State) -> Iterator[str]:
    """Why the position cannot be: beside what never holds, units on land that is not Friendly to
    them, but for those that assault it."""
    yield from audit.broken_invariants(s)
    for hex, unit, _ in s.units():
        if s.facts.hexes[hex].dry and not unit.duty and unit.type not in SHIPS:
            owner = holder(s, hex)
            if owner != unit.nation and not friends(s, unit.nation, owner):
                yield (
                    f"{s.facts.name(unit.type)} of {s.facts.name(unit.nation)} cannot be in "
                    f"{s.facts.name(hex)}, which {s.facts.name(owner)} holds."
                )


def _politics(s: State, given: Edit) -> list[Change]:
    """Who is at war, and who holds what."""
    facts, changes, before = s.facts, [], s.wars
    for one, others in given.wars.items():
        for other, which in others.items():
            for nation in (one, other):
                known(nation, MAJORS, "Major Power")
            both = pair(one, other)
            names = " and ".join(facts.name(nation) for nation in both)
            if which == "war" and side(s, one) == side(s, other):
                raise PositionError(f"{names} are on one side: they cannot be at war.")
            for nation in s.fallen.intersection(both):
                raise PositionError(f"{facts.name(nation)} has fallen.")
            if (both in s.wars) != (which == "war"):
                s.wars ^= {both}
                s.limited -= {both}
    s.changed()
    ussr.bring_mongolia(s)
    for war in sorted(before ^ s.wars):
        names = " and ".join(facts.name(nation) for nation in war)
        which = "war" if war in s.wars else "peace"
        changes.append(Change(f"{names} are {PEACE[which]}", war[0]))
    for hex, nation in given.held.items():
        if not facts.hexes[known(hex, facts.hexes, "hex")].dry:
            raise PositionError(f"Nobody holds the sea in {facts.name(hex)}.")
        _standing(s, known(nation, facts.nations, "nation"))
        if holder(s, hex) != nation:
            s.hold(hex, nation)
            s.captured.pop(hex, None)
            changes.append(
                Change(f"{facts.name(hex)} is held by {facts.name(nation)}", nation, hex)
            )
    note_captures(s)
    return changes


def _standing(s: State, nation: str) -> None:
    """PositionError if there is no such nation any more, or not yet."""
    name = s.facts.name(nation)
    if nation in s.fallen.intersection(MAJORS):
        raise PositionError(f"{name} has fallen.")
    if nation == "vichy" and s.vichy not in indochina.CONTROLS:
        raise PositionError(f"There is no {name} now.")


def _works(s: State, given: Edit) -> list[Change]:
    """Ports, bombs and what was bombed."""
    facts, changes = s.facts, []
    for hex, built in given.ports.items():
        place = facts.hexes[known(hex, facts.hexes, "hex")]
        if not (place.dry and place.wet) or place.port:
            raise PositionError(f"{facts.name(hex)} is no place for a new Port.")
        if built != (hex in s.ports):
            s.ports ^= {hex}
            what = "built in" if built else "removed from"
            changes.append(Change(f"A Port was {what} {facts.name(hex)}", holder(s, hex), hex))
    for field, number, what in (
        ("bombs", given.bombs, "atomic bombs wait in"),
        ("bombed", given.bombed, "Production Points were lost to bombing in"),
    ):
        table: dict[str, int] = getattr(s, field)
        for hex, count in number.items():
            place = facts.hexes[known(hex, facts.hexes, "hex")]
            if not (place.dry if field == "bombs" else place.industry):
                need = "land" if field == "bombs" else "industry"
                raise PositionError(f"{facts.name(hex)} has no {need}.")
            if table.get(hex, 0) != count:
                table.pop(hex, None)
                if count:
                    table[hex] = count
                changes.append(Change(f"{count} {what} {facts.name(hex)}", holder(s, hex), hex))
    return changes


def _units(s: State) -> dict[tuple[str, str, str], int]:
    """All units by hex, nation and type."""
    found: Counter[tuple[str, str, str]] = Counter()
    for hex, unit, count in s.units():
        found[hex, unit.nation, unit.type] += count
    return dict(found)


def _put(s: State, hex: str, nation: str, type_: str, count: int) -> None:
    """Let so many units of a type be in a hex."""
    facts = s.facts
    if facts.types[known(type_, facts.types, "unit")].domain == "marker":
        raise PositionError(f"{facts.name(type_)}: that is no unit.")
    place = facts.hexes[hex]
    if not (place.wet if type_ in SHIPS else place.dry):
        raise PositionError(f"{facts.name(type_)} cannot be in {facts.name(hex)}.")
    adjust(
        s,
        hex,
        Unit(nation, type_),
        count,
        lambda unit: (unit.nation, unit.type) == (nation, type_),
    )


def _conserve(s: State) -> None:
    """What is on the map now has come about as if it had been there from the start."""
    present: Counter[tuple[str, str]] = Counter()
    for _, unit, count in s.units():
        present[unit.nation, unit.type] += count
    s.opening = opening(present, s.built, s.lost)
