"""Repairs in the Production Phase (7.4): facilities, railroads and canals at once, ships in
yards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from sandtable.games.gw36.facts import pair
from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.chart import check_money, pay
from sandtable.games.gw36.rules.facilities import put, remove
from sandtable.games.gw36.rules.terms import on
from sandtable.games.gw36.rules.yards import most_hits, repair_slots
from sandtable.kernel.decisions import Decision, RollLine
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

K = TypeVar("K")


class Repair(Decision, frozen=True, tag="repair"):
    """Repair damage of a facility, of a railroad (on the border of two zones) or of a canal."""

    facility: str
    points: int
    at: str
    border: str = ""


class Dock(Decision, frozen=True, tag="dock"):
    """Commit a damaged ship in a sea zone to the yards of a land zone until units are placed."""

    ship: str
    space: str
    at: str
    hits: int


def damage_of(s: State, type_: str, at: str, border: str) -> int:
    """The damage of a facility, a railroad or a canal; of several of a kind the most."""
    if type_ == "railroad":
        return s.rail_damage.get(pair(at, border), 0)
    if type_ in s.facts.passages:
        return s.canal_damage.get(type_, 0) if at in s.facts.passages[type_].zones else 0
    return max(
        (f.damage for f in s.facilities.get(at, ()) if (f.type, f.at) == (type_, border)), default=0
    )


def payer(s: State, nation: str, zone: str) -> str:
    """Who pays for repairs in a zone: its owner, if that is the nation or a Minor Power that it
    Controls (which has what was lent to it); nobody else's facilities are repaired.

    Rules: 7.4a, 13.1c, 13.1d, 13.1f
    """
    owner = s.possession.get(zone, "")
    return owner if owner == nation or s.control.get(owner) == nation else ""


def check_repair(s: State, nation: str, repair: Repair) -> None:
    """Rules: 7.4a, 12.10g"""
    facts = s.facts
    owner = payer(s, nation, repair.at) or payer(s, nation, repair.border)
    if not owner:
        raise IllegalDecision(
            f"{facts.name(nation)} does not possess {facts.name(repair.at)}.", "7.4a"
        )
    damage = damage_of(s, repair.facility, repair.at, repair.border)
    if not 1 <= repair.points <= damage:
        raise IllegalDecision(
            f"{facts.name(repair.facility)} in {facts.name(repair.at)} has {damage} damage, not "
            f"{repair.points} to repair.",
            "7.4a",
        )
    check_money(s, owner, repair.points)


def _ship(s: State, nation: str, dock: Dock) -> Unit:
    """The damaged ship that is meant.

    Rules: 7.4b
    """
    for unit in s.stack(dock.space):
        known = (unit.nation, unit.type, unit.hits)
        if known == (nation, dock.ship, dock.hits) and unit.hits and unit.duty != "repair":
            return unit
    raise IllegalDecision(
        f"No {s.facts.name(dock.ship)} with such damage is in {s.facts.name(dock.space)}.", "7.4b"
    )


def _docked(s: State, nation: str, dock: Dock) -> int:
    """How many hits the yards can repair on a ship.

    Rules: 7.4b, 7.4c, 15.5c
    """
    return min(dock.hits, most_hits(s, dock.at, dock.space))


def check_dock(s: State, nation: str, dock: Dock) -> None:
    """Rules: 7.4b, 7.4c, 7.4d, 15.5c"""
    facts = s.facts
    _ship(s, nation, dock)
    if dock.at not in facts.coast.get(dock.space, ()):
        raise IllegalDecision(
            f"{facts.name(dock.at)} does not border {facts.name(dock.space)}.", "7.4b"
        )
    hits = _docked(s, nation, dock)
    if hits < 1 or repair_slots(s, nation, dock.at, dock.space) < hits:
        raise IllegalDecision(
            f"No yard in {facts.name(dock.at)} has room to repair {facts.name(dock.ship)}.", "7.4c"
        )
    if on(s, "alternate_damage"):
        check_money(s, nation, 6 * hits)


def damaged(s: State, nation: str) -> Iterator[tuple[str, str, str, int]]:
    """What a nation can repair: type, zone, border and damage."""
    owners = {nation, *(minor for minor, by in s.control.items() if by == nation)}
    possession = s.possession
    harmed = [
        (zone, f)
        for zone, here in s.facilities.items()
        if possession[zone] in owners
        for f in here
        if f.damage
    ]
    for zone, f in sorted(harmed):
        yield f.type, zone, f.at, f.damage
    for (one, other), damage in sorted(s.rail_damage.items()):
        if damage and (payer(s, nation, one) or payer(s, nation, other)):
            yield "railroad", one, other, damage
    for canal, damage in sorted(s.canal_damage.items()):
        for zone in s.facts.passages[canal].zones:
            if damage and payer(s, nation, zone):
                yield canal, zone, "", damage


def docks(s: State, nation: str) -> Iterator[Dock]:
    for zone, unit, _ in s.worn_units():
        if unit.hits and unit.nation == nation and unit.duty != "repair":
            for land in s.facts.coast.get(zone, ()):
                if land in s.facilities:
                    yield Dock(unit.type, zone, land, unit.hits)


def repair_facility(g: Table[State], nation: str, repair: Repair) -> None:
    """Pay for damage that is gone at once.

    Rules: 7.4a, 7.6c, 12.10g
    """
    s = g.state
    pay(s, payer(s, nation, repair.at) or payer(s, nation, repair.border), repair.points)
    damage = damage_of(s, repair.facility, repair.at, repair.border)
    left = damage - repair.points
    if repair.facility == "railroad":
        _mend(s.rail_damage, pair(repair.at, repair.border), left)
    elif repair.facility in s.facts.passages:
        _mend(s.canal_damage, repair.facility, left)
    else:
        old = next(
            f
            for f in s.facilities[repair.at]
            if (f.type, f.at, f.damage) == (repair.facility, repair.border, damage)
        )
        remove(s, repair.at, old)
        put(s, repair.at, old._replace(damage=left))
    g.emit("repaired", power=nation, space=repair.at, unit=repair.facility, points=repair.points)


def _mend(damages: dict[K, int], key: K, left: int) -> None:
    if left:
        damages[key] = left
    else:
        del damages[key]


def dock_ship(g: Table[State], nation: str, dock: Dock) -> Procedure[None]:
    """Commit a ship to a yard. It is as good as new when units are placed, if it stays there; by
    the alternate rule each marker costs what a die shows, at once.

    Rules: 7.4b, 7.4c, 7.4d, 15.5c
    """
    s = g.state
    ship, hits = _ship(s, nation, dock), _docked(s, nation, dock)
    if on(s, "alternate_damage"):
        lines = (RollLine(nation, dock.ship, hits, 0, 6),)
        faces = yield from g.roll("ship_repair", lines)
        pay(s, nation, sum(faces))
    key = f"repairs:{dock.at}:{dock.space}"
    s.done[key] = s.done.get(key, 0) + hits
    s.change(dock.space, ship, 1, duty="repair", target=dock.at)
    g.emit("docked", power=nation, units={dock.ship: 1}, space=dock.at, port=dock.space)
