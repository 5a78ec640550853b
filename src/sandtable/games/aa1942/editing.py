"""The position changed by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from sandtable.games.aa1942 import audit
from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.noncombat_move import seat_guests
from sandtable.games.aa1942.rules.spaces import hostile_zone
from sandtable.games.aa1942.setup import faults
from sandtable.games.aa1942.view import symbol
from sandtable.games.aa1942.words import counted, power_name
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
"""Units of a type in a space."""
RICHEST = 999

_Count = Annotated[int, Meta(ge=0, le=MOST)]


class Edit(msgspec.Struct, forbid_unknown_fields=True):
    """What is otherwise: the fields are those of custom positions. Units are counted without those
    aboard transports, which go where their ship goes."""

    units: dict[str, dict[str, dict[str, _Count]]] = {}
    control: dict[str, str] = {}
    treasury: dict[str, Annotated[int, Meta(ge=0, le=RICHEST)]] = {}
    complexes: dict[str, Annotated[int, Meta(ge=0, le=1)]] = {}
    """Territory to 1 if it has an industrial complex, 0 if not."""
    damage: dict[str, _Count] = {}


def edit(s: State, patch: Mapping[str, Any]) -> tuple[Change, ...]:
    """Change the position; what has changed. PositionError if it cannot be."""
    given = read_edit(patch, Edit)
    facts = s.facts
    before, faulty = _units(s), {*faults(s), *audit.broken_invariants(s)}
    changes: list[Change] = []
    for territory, power in given.control.items():
        known(territory, facts.territories, "territory")
        known(power, facts.powers, "power")
        if s.control[territory] != power:
            s.control[territory] = power
            # As if it had been so when the turn began.
            s.start_control = {**s.start_control, territory: power}
            owner = f"{facts.name(territory)} belongs to {power_name(facts, power)}"
            changes.append(Change(owner, power, territory))
    for space, powers in given.units.items():
        known(space, (*facts.territories, *facts.sea_zones), "space")
        _unseat(s, space)
        for power, units in powers.items():
            known(power, facts.powers, "power")
            for type_, count in units.items():
                _put(s, space, power, type_, count)
        _settle(s, space)
    changes += units_changed(
        before,
        _units(s),
        Names(
            lambda type_, count: counted(facts, type_, count),
            lambda power: power_name(facts, power),
            facts.name,
        ),
    )
    changes += _build(s, given)
    for power, money in given.treasury.items():
        known(power, facts.powers, "power")
        if s.treasury[power] != money:
            s.treasury[power] = money
            name = power_name(facts, power, start=True)
            ipcs = "IPC" if money == 1 else "IPCs"
            changes.append(Change(f"{name} has {money} {ipcs}", power))
    _conserve(s)
    names = {id: facts.name(id) for id in (*facts.powers, *facts.spaces, *facts.units)}
    refuse(faulty, (*faults(s), *audit.broken_invariants(s)), names)
    return tuple(changes)


def editor(s: State, space: str, power: str) -> Editor:
    """What can be changed."""
    facts = s.facts
    if space and space not in (*facts.territories, *facts.sea_zones):
        raise NoQuestion("Nothing can be changed there.")
    if power and power not in facts.powers:
        raise NoQuestion("There is no such power.")
    rows: list[Row] = []
    picks: list[Pick] = []
    names = {power: facts.names[power] for power in facts.powers}
    if space:
        present = Counter(
            {key[1:]: count for key, count in _units(s).items() if key[0] == space and count}
        )
        there = {owner for owner, _ in present}
        power = power or next(
            (each for each in (s.control.get(space, ""), s.turn, *there) if each in there),
            s.control.get(space, s.turn),
        )
        shut = "land" if facts.spaces[space].sea else "sea"
        owners = sorted(facts.powers, key=lambda each: each != power)
        kinds = (
            Kind(type_, kind.name, symbol(type_))
            for type_, kind in facts.units.items()
            if kind.domain in {"land", "air", "sea"} - {shut}
        )
        rows += unit_rows(space, present, owners, kinds, names.__getitem__, MOST)
    if space in s.control:
        picks.append(Pick("Belongs to", ("control", space), s.control[space], names))
        if facts.spaces[space].ipc >= facts.numbers.complex_min_ipc:
            cap = facts.numbers.damage_cap_factor * facts.spaces[space].ipc
            built = space in s.complexes
            rows.append(
                Row(
                    *(f"complexes:{space}", "Industrial complex", ("complexes", space), 1),
                    value=int(built),
                    symbol="complex",
                    group="Industry",
                    space=space,
                )
            )
            if built:
                rows.append(
                    Row(
                        *(f"damage:{space}", "Damage", ("damage", space), cap),
                        value=s.complexes[space],
                        group="Industry",
                        space=space,
                    )
                )
    rows += [
        Row(
            *(f"treasury:{each}", names[each], ("treasury", each), RICHEST),
            value=s.treasury[each],
            power=each,
            group="IPCs in hand",
        )
        for each in facts.powers
    ]
    title = facts.name(space) if space else "The whole position"
    return Editor(title, space, power or s.turn, names, tuple(rows), tuple(picks))


def _build(s: State, given: Edit) -> list[Change]:
    """Industrial complexes, and damage on them."""
    facts, changes = s.facts, []
    for territory, built in given.complexes.items():
        known(territory, facts.territories, "territory")
        name = facts.name(territory)
        if facts.spaces[territory].ipc < facts.numbers.complex_min_ipc:
            raise PositionError(f"{name} has no income value: no industrial complex stands there.")
        if built != (territory in s.complexes):
            if built:
                s.complexes[territory] = 0
            else:
                del s.complexes[territory]
            what = "built" if built else "removed"
            text = f"Industrial complex {what} in {name}"
            changes.append(Change(text, s.control[territory], territory))
    for territory, points in given.damage.items():
        known(territory, facts.territories, "territory")
        name = facts.name(territory)
        if territory not in s.complexes:
            raise PositionError(f"There is no industrial complex in {name}.")
        if s.complexes[territory] != points:
            s.complexes[territory] = points
            text = f"The complex in {name} has {points} damage"
            changes.append(Change(text, s.control[territory], territory))
    return changes


def _units(s: State) -> dict[tuple[str, str, str], int]:
    """All units by space, power and type: guests on carriers, but not what transports carry."""
    found: Counter[tuple[str, str, str]] = Counter()
    for space, unit, count in s.units():
        guests = unit.cargo if unit.type == "aircraft_carrier" else ()
        for piece in (unit, *guests):
            found[space, piece.power, piece.type] += count
    return found


def _put(s: State, space: str, power: str, type_: str, count: int) -> None:
    """Let so many units of a type be in a space."""
    facts = s.facts
    if type_ not in facts.units or facts.units[type_].domain not in ("land", "air", "sea"):
        raise PositionError(f"There is no unit {type_!r}.")
    domain, sea = facts.units[type_].domain, facts.spaces[space].sea
    if domain == ("land" if sea else "sea"):
        raise PositionError(f"{facts.units[type_].name} cannot be in {facts.name(space)}.")
    adjust(
        s,
        space,
        Unit(power, type_),
        count,
        lambda unit: (unit.power, unit.type) == (power, type_),
    )


def _unseat(s: State, space: str) -> None:
    """Guests leave the carriers of a zone, to be counted with the others."""
    for carrier, count in list(s.stack(space).items()):
        if carrier.type == "aircraft_carrier" and carrier.cargo:
            s.change(space, carrier, count, cargo=())
            for guest in carrier.cargo:
                s.put(space, guest, count)


def _settle(s: State, space: str) -> None:
    """Guests go aboard again, and the zone is hostile in this turn if it is now."""
    if space not in s.facts.sea_next:
        return
    flying = s.turn if s.phase not in ("purchase", "combat_move") else ""
    seat_guests(s, space, [power for power in s.facts.powers if power != s.turn], flying)
    if s.phase in ("purchase", "combat_move"):
        s.hostile_at_start -= {space}
        if hostile_zone(s, space, s.turn):
            s.hostile_at_start |= {space}


def _conserve(s: State) -> None:
    """What is on the board now has come about as if it had been there from the start."""
    present: Counter[tuple[str, str]] = Counter()
    for _, unit, count in s.units():
        for piece in (unit, *unit.cargo):
            present[piece.power, piece.type] += count
    s.opening = opening(present, s.built, s.lost)
