"""The position changed by hand. Books in which builds are ordered are secret: while they are open,
nothing is changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from sandtable.games.blitz.facts import BIG
from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.pieces import SYMBOLS
from sandtable.games.blitz.setup import Piece, faults, place
from sandtable.games.blitz.words import goods
from sandtable.kernel.display import Change, Editor, NoQuestion, Pick, Row
from sandtable.kernel.editing import known, refuse
from sandtable.kernel.errors import PositionError
from sandtable.kernel.package import read_edit

MOST = 99
PEACE = {"war": "at war", "peace": "at peace"}
SECRET = "The position can be edited again when all have built: what they order is secret."

_Count = Annotated[int, Meta(ge=0, le=MOST)]


class Edit(msgspec.Struct, forbid_unknown_fields=True):
    """What is otherwise: the fields are those of custom positions, but for units and wars."""

    units: dict[str, dict[str, Annotated[int, Meta(ge=0, le=4)]]] = {}
    """Area to the units that are there, with their Sizes: from elsewhere, or from the Force Pool,
    into which a unit of Size 0 goes."""
    control: dict[str, str] = {}
    oil: dict[str, _Count] = {}
    resources: dict[str, _Count] = {}
    vp: dict[str, _Count] = {}
    factory_damage: dict[str, _Count] = {}
    convoy_damage: dict[str, _Count] = {}
    wars: dict[str, dict[str, Literal["war", "peace"]]] = {}
    """Of two powers: whether they are at war."""


def edit(s: State, patch: Mapping[str, Any]) -> tuple[Change, ...]:
    """Change the position; what has changed. PositionError if it cannot be."""
    if s.books:
        raise PositionError(SECRET)
    given = read_edit(patch, Edit)
    facts, powers = s.facts, s.scenario.powers
    faulty = {*faults(s)}
    changes: list[Change] = []
    for one, others in given.wars.items():
        for other, which in others.items():
            for power in (one, other):
                known(power, powers, "power")
            if ((one, other) in s.wars) != (which == "war"):
                s.set_wars(s.wars ^ {(one, other), (other, one)})
                what = f"{facts.name(one)} and {facts.name(other)}"
                changes.append(Change(f"{what} are {PEACE[which]}", one))
    for area, power in given.control.items():
        known(area, s.control, "land area")
        known(power, (*powers, NEUTRAL), "power")
        if s.control[area] != power:
            s.set_control(area, power)
            whose = f"belongs to {facts.name(power)}" if power else "is neutral"
            changes.append(Change(f"{facts.name(area)} {whose}", power, area))
    # Those that leave make room for those that come.
    wanted = [(a, id, size) for a, units in given.units.items() for id, size in units.items()]
    for area, id, size in sorted(wanted, key=lambda each: each[2] > 0):
        known(area, s.in_play, "area")
        known(id, facts.kinds, "unit")
        changes += _unit(s, area, id, size)
    changes += _numbers(s, given)
    s.drop_derived()
    ids = (*facts.powers, *facts.kinds, *s.in_play, *facts.commanders)
    refuse(faulty, faults(s), {id: facts.name(id) for id in ids})
    return tuple(changes)


def editor(s: State, space: str, power: str) -> Editor:
    """What can be changed."""
    facts, powers = s.facts, s.scenario.powers
    if s.books:
        raise NoQuestion(SECRET)
    if space and space not in s.in_play:
        raise NoQuestion("There is no such area in play.")
    if power and power not in powers:
        raise NoQuestion("There is no such power.")
    rows: list[Row] = []
    picks: list[Pick] = []
    names = {each: facts.short_name(each) for each in powers}
    here = s.units_at(space) if space else ()
    there = {s.units[id].power for id in here}
    owner = s.control.get(space, NEUTRAL)
    power = power or next(
        (each for each in (owner, *sorted(there)) if each in there and each in powers),
        owner or powers[0],
    )
    if space:
        elsewhere = [id for id, unit in s.of(power) if unit.at != space]
        pool = [id for id in s.pool[power] if not id.endswith(BIG)]
        groups = (
            *((names.get(each, "Neutral"), _of(s, here, each)) for each in sorted(there)),
            ("Elsewhere", elsewhere),
            ("Force Pool", pool),
        )
        sea = space in facts.seas
        rows += [
            Row(
                f"units:{space}:{id}",
                facts.names[id],
                ("units", space, id),
                _largest(s, id),
                value=s.units[id].size if id in here else 0,
                symbol=SYMBOLS[facts.type_at[id, s.units[id].size if id in s.units else 1]],
                power=s.units[id].power if id in s.units else power,
                size=s.units[id].size if id in s.units else 0,
                group=group,
                space=space,
                note=f"in {facts.names[s.units[id].at]}" if group == "Elsewhere" else "",
            )
            for group, ids in groups
            for id in ids
            if id in here or not (sea and facts.domain[id] == "land")
        ]
    if space in s.control:
        owners = {**names, NEUTRAL: "nobody"}
        picks.append(Pick("Belongs to", ("control", space), owner, owners))
        if facts.lands[space].factory:
            rows.append(
                Row(
                    *(f"factory_damage:{space}", "Damage", ("factory_damage", space)),
                    facts.lands[space].factory,
                    value=s.factory_damage.get(space, 0),
                    group="Factory",
                    space=space,
                )
            )
    if space in facts.convoys:
        rows.append(
            Row(
                *(f"convoy_damage:{space}", "Damage", ("convoy_damage", space)),
                facts.convoys[space].factor,
                value=s.convoy_damage.get(space, 0),
                group="Convoy",
                space=space,
            )
        )
    picks += [
        Pick(
            names[other],
            ("wars", power, other),
            "war" if (power, other) in s.wars else "peace",
            PEACE,
            group=f"Wars of {names[power]}",
        )
        for other in powers
        if facts.side[other] != facts.side[power]
    ]
    rows += [
        Row(
            *(f"{field}:{each}", names[each], (field, each), MOST),
            value=max(0, getattr(s, field)[each]),
            power=each,
            group=title,
        )
        for field, title in (("oil", "Saved Oil"), ("resources", "Saved Resources"), ("vp", "VP"))
        for each in powers
    ]
    title = facts.names[space] if space else "The whole position"
    return Editor(title, space, power, names, tuple(rows), tuple(picks))


def _of(s: State, ids: tuple[str, ...], power: str) -> list[str]:
    return [id for id in ids if s.units[id].power == power]


def _largest(s: State, id: str) -> int:
    """The largest Size that a unit can have: beyond 2 it needs its Big counter, on the map or from
    a Force Pool."""
    sizes = len(s.facts.kinds[id].sizes)
    unit = s.units.get(id)
    big = unit is not None and unit.size > 2
    return sizes if big or any(id + BIG in pool for pool in s.pool.values()) else min(2, sizes)


def _unit(s: State, area: str, id: str, size: int) -> list[Change]:
    """Let a unit be in an area, with a Size; what it carries comes along."""
    facts, old = s.facts, s.units.get(id)
    there = old is not None and old.at == area
    if (old.size if old is not None and there else 0) == size:
        return []
    if old is None and not any(id in pool for pool in s.pool.values()):
        raise PositionError(f"{facts.name(id)} is not in a Force Pool.")
    if size > (most := _largest(s, id)):
        raise PositionError(f"{facts.name(id)} can have Size {most} here, not {size}.")
    cargo = s.cargo(id) if old is not None and not (there and size) else ()
    if not size:
        assert old is not None
        for other in (*cargo, id):
            _dismiss(s, other)
        place(s, id, None)
        for other in cargo:
            place(s, other, None)
        what = f"removed from {facts.name(area)}"
    elif old is not None and there:
        place(s, id, Piece(area, size, old.power or "neutral", old.port, old.aboard))
        s.change(id, done=old.done)
        what = f"has Size {size}"
    else:
        power = "" if old is None else old.power or "neutral"
        place(s, id, Piece(area, size, power))
        ashore = area in facts.lands
        for other in cargo:
            s.change(other, at=area, aboard="" if ashore else id)
        was = "" if old is None else f" from {facts.name(old.at)}"
        what = f"{'moved' if was else 'added'}{was} to {facts.name(area)} with Size {size}"
    power = s.units[id].power if id in s.units else old.power if old is not None else ""
    return [Change(f"{facts.name(id)} {what}", power, area)]


def _dismiss(s: State, id: str) -> None:
    """A unit leaves the map: whoever commands it stays, alone."""
    for commander, (area, led) in list(s.commanders.items()):
        if led == id:
            s.commanders[commander] = (area, "")


def _numbers(s: State, given: Edit) -> list[Change]:
    """What has been saved, victory points, and damage."""
    facts, changes = s.facts, []
    for field in ("oil", "resources", "vp"):
        table: dict[str, int] = getattr(s, field)
        for power, number in getattr(given, field).items():
            known(power, s.scenario.powers, "power")
            if table[power] != number:
                table[power] = number
                amount = {
                    "oil": goods(number, 0) if number else "no Oil",
                    "resources": goods(0, number) if number else "no Resources",
                    "vp": f"{number} victory points",
                }[field]
                saved = "" if field == "vp" else " saved"
                name = facts.name(power)
                text = f"{name[:1].upper()}{name[1:]} has {amount}{saved}"
                changes.append(Change(text, power))
    for area, points in given.factory_damage.items():
        if not facts.lands[known(area, s.control, "land area")].factory:
            raise PositionError(f"There is no Factory in {facts.name(area)}.")
        if s.factory_damage.get(area, 0) != points:
            s.factory_damage[area] = points
            text = f"The Factory in {facts.name(area)} has {points} damage"
            changes.append(Change(text, s.control[area], area))
    for sea, points in given.convoy_damage.items():
        known(sea, facts.convoys, "convoy")
        if s.convoy_damage.get(sea, 0) != points:
            s.convoy_damage[sea] = points
            text = f"The convoy in {facts.name(sea)} has {points} damage"
            changes.append(Change(text, facts.convoys[sea].power, sea))
    return changes
