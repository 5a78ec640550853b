"""Transporting cargo by sea and by air (8.4, 12.2, 7.8, 9.15)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from sandtable.games.gw36.facts import UnitType
from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.air import (
    check_flight,
    landing_land,
    nearest_land,
    relocate,
)
from sandtable.games.gw36.rules.movement import (
    Group,
    carries,
    check_area,
    check_reach,
    check_single_passage,
    check_voyage,
    check_zones,
    free,
    mover_of,
    pick,
    points,
    spent,
)
from sandtable.games.gw36.rules.sharing import hostile_sea, may_stay
from sandtable.games.gw36.rules.terms import on, power_of
from sandtable.games.gw36.rules.zones import barred, enemies_in, has_base, side
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision

MAJOR_HARBOURS = ("major_port", "major_shipyard", "major_dockyard")


class Load(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Take units aboard: where they are, and from which zone of the path (by default the first).
    `nation` is whose they are, if not the acting nation's own."""

    zone: str
    units: dict[str, int]
    at: str = ""
    nation: str = ""


class Sail(Decision, frozen=True, tag="sail"):
    """One transport sails along a path, taking cargo aboard and landing it.

    A path of one zone is for a transport that stays. `offload` names the land zone to land in: in
    combat movement that announces an amphibious assault. `units` limits what is landed (by default
    all that the acting nation has aboard). `ship` is the type of ship, `nation` whose it is, if not
    the acting nation's own, `cargo` picks it by what it carries before. `follow` is the next sea
    zone, into which it follows a screening force that fights where the path ends.
    """

    path: tuple[str, ...]
    load: tuple[Load, ...] = ()
    offload: str = ""
    units: dict[str, int] | None = None
    ship: str = "naval_transport"
    nation: str = ""
    cargo: dict[str, int] | None = None
    follow: str = ""


class Airlift(Decision, frozen=True, tag="airlift"):
    """One aircraft takes a unit aboard on its way and brings it to the end of its path: in combat
    movement that is an Airborne Assault. `load.zone` lies on the path."""

    path: tuple[str, ...]
    load: Load
    aircraft: str = "air_transport"
    nation: str = ""


class Voyage(NamedTuple):
    """A checked Sail: the transport as it is, what it takes aboard, and what it lands."""

    nation: str
    transport: Unit
    taken: tuple[tuple[str, Group], ...]
    aboard: tuple[Unit, ...]
    """What stays aboard."""
    landed: tuple[Unit, ...]


# --- room -----------------------------------------------------------------------------------------


def carrier_of_cargo(kind: UnitType, nation: str) -> bool:
    """Whether such a ship carries land units: transports, and destroyers of Japan."""
    return kind.transport or (kind.id == "destroyer" and nation == "japan")


def fits(s: State, ship: Unit, cargo: Sequence[Unit]) -> bool:
    """Whether a ship can carry this: two infantry-class units, or one and any other land or air
    unit; a Japanese destroyer one marine.

    Rules: 12.2.naval-transport-b, 7.8.attack-transport-a, 7.8.rockets-e
    """
    kinds = s.facts.units
    if not kinds[ship.type].transport:
        return len(cargo) <= 1 and all(piece.type == "marine" for piece in cargo)
    bulky = sum(kinds[piece.type].class_ != "infantry" for piece in cargo)
    return len(cargo) <= 2 and bulky <= 1


# --- by sea ---------------------------------------------------------------------------------------


def plan_voyage(s: State, sail: Sail, forcing: Callable[[str, str], bool] | None = None) -> Voyage:
    """What a Sail does; IllegalDecision if it may not be done. Whether the landing may be an attack
    is asked elsewhere; `forcing` says which closed straits may be forced.

    Rules: 8.4a, 8.4c, 8.4e, 8.4g, 12.2.naval-transport-b, 2.3f
    """
    nation = _owner(s, sail)
    path = sail.path
    kind = s.facts.units.get(sail.ship)
    if kind is None or not carrier_of_cargo(kind, nation):
        raise IllegalDecision(f"{s.facts.name(sail.ship)} carries no cargo.", "8.4a")
    if not path:
        raise IllegalDecision("A path names at least the zone of the transport.", "0.8a")
    check_voyage(s, nation, (kind,), path, forcing=forcing)
    check_area(s, nation, path[1:])
    if len(path) > 1 and power_of(s, nation) != power_of(s, s.mover):
        raise IllegalDecision(
            f"Only {s.facts.name(nation)} moves its transports, in its own turn.", "8.4g"
        )
    check_single_passage(s, nation, path, 1)
    _check_way(s, nation, sail)
    taken = _loads(s, sail, nation)
    problem: tuple[str, str] | None = None
    for transport in _candidates(s, sail, nation):
        try:
            return _embark(s, sail, nation, transport, taken)
        except IllegalDecision as error:
            # Not the refusal itself: it would hold this frame, and the frame it.
            problem = problem or (error.reason, error.rule)
    assert problem is not None
    reason, rule = problem
    raise IllegalDecision(reason, rule)


def _owner(s: State, sail: Sail) -> str:
    """The nation whose transport sails: one that the acting nation commands, or another with whom
    it is Aligned.

    Rules: 8.4g, 2.3f
    """
    if not sail.nation or sail.nation == s.mover:
        return s.mover
    if sail.nation in side(s, s.mover).friends:
        return sail.nation
    return mover_of(s, sail.nation)


def _check_way(s: State, nation: str, sail: Sail) -> None:
    """Nobody is in the way of a transport: it does not fight its way, and enters a zone of the
    Enemy only behind ships that fight there.

    Rules: 8.10a, 9.8b, 8.2c
    """
    path = sail.path
    kinds = s.facts.units
    for zone in path[1:]:
        if not hostile_sea(s, nation, zone):
            continue
        if s.phase != "combat_move":
            raise IllegalDecision(
                f"Enemies are in {s.facts.name(zone)}: that takes a combat move.", "8.2a"
            )
        if zone != path[-1] and any(
            kinds[u.type].surface and u.duty != "convoy" for u in enemies_in(s, nation, zone)
        ):
            raise IllegalDecision(f"Enemy ships in {s.facts.name(zone)} stop it.", "8.10a")
    if sail.offload and s.phase == "combat_move":
        check_covered(s, nation, path[-1])


def check_covered(s: State, nation: str, zone: str) -> None:
    """Where Enemy surface warships are, an assault needs own ships that fight them first;
    submarines and transports do not hinder it.

    Rules: 9.8b
    """
    kinds = s.facts.units
    if any(kinds[u.type].warship for u in enemies_in(s, nation, zone)) and not any(
        u.duty in ("attack", "screen") and kinds[u.type].attack is not None
        for u in s.stack(zone)
        if u.nation in side(s, nation).friends
    ):
        raise IllegalDecision(
            f"Enemy warships are in {s.facts.name(zone)}: ships have to fight them first.", "9.8b"
        )


def _candidates(s: State, sail: Sail, nation: str) -> list[Unit]:
    """The transports that could make the voyage, the most fitting first."""
    there = [
        unit
        for unit in s.stack(sail.path[0])
        if unit.type == sail.ship and unit.nation == nation and carries(unit, sail.cargo)
    ]
    again = len(sail.path) == 1 and not sail.load
    ashore = "moved" if s.phase == "noncombat_move" else "landing"
    able = [
        unit
        for unit in there
        if (free(unit) and points(s, unit, sail.path[0]) >= len(sail.path) - 1 + bool(sail.follow))
        or (again and unit.duty == ashore)
    ]
    if not able:
        raise IllegalDecision(
            f"No {s.facts.name(sail.ship)} of {s.facts.name(nation)} in "
            f"{s.facts.name(sail.path[0])} can do this.",
            "8.4c",
        )
    sign = 1 if sail.load else -1
    return sorted(able, key=lambda unit: (sign * len(unit.cargo), unit))


def _loads(s: State, sail: Sail, owner: str) -> tuple[tuple[str, Group], ...]:
    """The units that are taken aboard, each with its land zone.

    Rules: 8.4e, 8.4g, 12.2.militia-b
    """
    taken: list[tuple[str, Group]] = []
    wanted: dict[tuple[str, str], dict[str, int]] = {}
    for load in sail.load:
        at = load.at or sail.path[0]
        if at not in sail.path:
            raise IllegalDecision(f"{s.facts.name(at)} is not on the path.", "8.4e")
        if load.zone not in s.facts.coast.get(at, ()):
            check_zones(s, (load.zone,))
            raise IllegalDecision(
                f"{s.facts.name(load.zone)} does not border {s.facts.name(at)}.", "0.8b"
            )
        nation = load.nation or s.mover
        if nation not in s.facts.nations or power_of(s, nation) != power_of(s, s.mover):
            nation = mover_of(s, nation)
        check_cargo(s, load.units, "land", "air")
        held = wanted.setdefault((load.zone, nation), {})
        for type_, count in load.units.items():
            held[type_] = held.get(type_, 0) + count
    if s.phase == "combat_move" and wanted and not sail.offload:
        raise IllegalDecision(
            "What is loaded in combat movement lands in an amphibious assault.", "8.4e"
        )
    for (zone, nation), units in wanted.items():
        if s.phase == "combat_move" and any(s.facts.units[type_].air for type_ in units):
            raise IllegalDecision("Aircraft are shipped in non-combat movement.", "8.4a")
        taken.extend((zone, group) for group in pick(s, nation, zone, units, free))
    return tuple(taken)


def check_cargo(s: State, units: dict[str, int], *classes: str) -> None:
    """These can be cargo."""
    if not units:
        raise IllegalDecision("A loading names at least one unit.", "8.4a")
    for type_, count in units.items():
        kind = s.facts.units.get(type_)
        if (
            kind is None
            or count < 1
            or not (("land" in classes and kind.land) or ("air" in classes and kind.air))
        ):
            raise IllegalDecision(f"{s.facts.name(type_)} cannot be carried.", "8.4a")
        if type_ == "militia":
            raise IllegalDecision("Militia does not leave its Home Country.", "12.2.militia-b")


def _embark(
    s: State,
    sail: Sail,
    nation: str,
    transport: Unit,
    taken: tuple[tuple[str, Group], ...],
) -> Voyage:
    """The voyage with this transport: room, and what is landed."""
    new = [
        Unit(group.unit.nation, group.unit.type, duty="moved")
        for _, group in taken
        for _ in range(group.count)
    ]
    aboard = sorted([*transport.cargo, *new])
    if not fits(s, transport, aboard):
        raise IllegalDecision(
            "A transport carries two infantry-class units, or one and one other land or air unit."
            if s.facts.units[sail.ship].transport
            else "A destroyer carries one marine.",
            "12.2.naval-transport-b",
        )
    if not sail.offload:
        if not sail.load:
            raise IllegalDecision("Nothing is loaded or landed: use a move instead.", "8.4a")
        return Voyage(nation, transport, taken, tuple(aboard), ())
    landed = _party(s, sail, nation, transport, aboard)
    zone = sail.follow or sail.path[-1]
    check_shore(s, zone, sail.offload, landed)
    left = list(aboard)
    for piece in landed:
        left.remove(piece)
    return Voyage(nation, transport, taken, tuple(left), tuple(landed))


def _party(s: State, sail: Sail, nation: str, transport: Unit, aboard: list[Unit]) -> list[Unit]:
    """Which of the units aboard are landed: those of the acting nation, but not what came aboard an
    ally's ship this turn.

    Rules: 8.4c, 8.4g
    """
    guest = power_of(s, nation) != power_of(s, s.mover)
    kinds = s.facts.units
    mine = [
        piece
        for piece in aboard
        if power_of(s, piece.nation) == power_of(s, s.mover)
        and piece.duty != "assault"
        and not (guest and piece.duty == "moved")
        and not (s.phase == "combat_move" and kinds[piece.type].air)
    ]
    if sail.units is None:
        landed = mine
    else:
        landed = []
        pool = sorted(mine, key=lambda piece: piece.duty != "moved")
        for type_, count in sail.units.items():
            found = [piece for piece in pool if piece.type == type_][:count]
            if count < 1 or len(found) < count:
                raise IllegalDecision(
                    f"{count} {s.facts.name(type_)} cannot be landed: {len(found)} can.", "8.4c"
                )
            landed.extend(found)
    if not landed:
        raise IllegalDecision("Nothing aboard can be landed there.", "8.4c")
    if s.phase == "combat_move" and any(
        piece.duty == "moved" for piece in mine if piece not in landed
    ):
        raise IllegalDecision("What is loaded in combat movement lands in the assault.", "8.4e")
    return landed


def check_shore(s: State, sea_zone: str, zone: str, landed: Iterable[Unit]) -> None:
    """Whether units may be landed from a sea zone in a land zone. In non-combat movement it is a
    Friendly one that was not captured this turn, but for a Major naval base, with that option.

    Rules: 8.4c, 10.1b, 10.2a, 1.7d, 13.3.1a, 13.3.2a
    """
    if zone not in s.facts.coast.get(sea_zone, ()):
        check_zones(s, (zone,))
        raise IllegalDecision(
            f"{s.facts.name(zone)} does not border {s.facts.name(sea_zone)}.", "0.8b"
        )
    if barred(s, zone):
        raise IllegalDecision(f"{s.facts.name(zone)} cannot be entered.", "1.7d")
    for piece in landed:
        check_area(s, piece.nation, (zone,))
        if s.phase == "combat_move":
            continue
        if not may_stay(s, piece.nation, zone):
            raise IllegalDecision(f"{s.facts.name(zone)} is not Friendly.", "0.5a")
    if (
        s.phase != "combat_move"
        and zone in s.captured
        and not (on(s, "captured_bases") and has_base(s, zone, *MAJOR_HARBOURS))
    ):
        raise IllegalDecision(
            f"{s.facts.name(zone)} was captured this turn: nothing lands there.", "10.1b"
        )


def drown(
    s: State,
    path: tuple[str, ...],
    load: tuple[Load, ...],
    taken: Iterable[tuple[str, Group]],
    sea: str,
) -> None:
    """A transport has been sunk in a sea zone on its way: what it had taken aboard by then is lost
    with it.

    Rules: 8.4b
    """
    by_then = path[: path.index(sea) + 1]
    aboard = {each.zone for each in load if (each.at or path[0]) in by_then}
    for zone, group in taken:
        if zone in aboard:
            s.destroy(zone, group.unit, group.count)


def load_up(s: State, voyage: Voyage) -> None:
    """Take what a voyage loads off the land."""
    for zone, group in voyage.taken:
        s.take(zone, group.unit, group.count)


def sail_home(s: State, sail: Sail, voyage: Voyage) -> None:
    """Carry out a voyage in non-combat movement.

    Rules: 8.4c, 8.4g
    """
    load_up(s, voyage)
    if key := check_single_passage(s, voyage.nation, sail.path, 1):
        s.done[key] = 1
    transport = voyage.transport
    s.take(sail.path[0], transport)
    guest = power_of(s, voyage.nation) != power_of(s, s.mover)
    used = spent(s, transport, sail.path[0], len(sail.path) - 1)
    there = transport._replace(cargo=voyage.aboard)
    if not guest:
        there = there._replace(used=used, duty="moved", target="")
    s.put(sail.path[-1], there)
    for piece in voyage.landed:
        s.put(sail.offload, Unit(piece.nation, piece.type, used=1, duty="moved"))


def sail_to_assault(
    s: State, sail: Sail, voyage: Voyage, path: tuple[str, ...], *, stopped: bool
) -> None:
    """Bring a transport to its assault, or to where it was stopped on the way: then what it has
    aboard stays there.

    Rules: 8.4e, 8.4c
    """
    load_up(s, voyage)
    transport = voyage.transport
    s.take(sail.path[0], transport)
    used = spent(s, transport, sail.path[0], len(path) - 1) if len(path) > 1 else transport.used
    origin = path[-2] if len(path) > 1 else transport.origin
    if stopped:
        cargo = tuple(sorted([*voyage.aboard, *voyage.landed]))
        s.put(
            path[-1],
            transport._replace(used=used, origin=origin, duty="attack", target="", cargo=cargo),
        )
        return
    party = [
        Unit(piece.nation, piece.type, used=1, duty="assault", target=sail.offload)
        for piece in voyage.landed
    ]
    duty, target = ("follow", sail.follow) if sail.follow else ("landing", sail.offload)
    if transport.duty == "landing":
        target = transport.target
    s.put(
        path[-1],
        transport._replace(
            used=used,
            origin=origin,
            duty=duty,
            target=target,
            cargo=tuple(sorted([*voyage.aboard, *party])),
        ),
    )


# --- by air ---------------------------------------------------------------------------------------


def plan_airlift(s: State, lift: Airlift) -> tuple[str, Group, Group]:
    """The nation, the aircraft and its cargo; IllegalDecision if it may not be done. Whether the
    drop may be an attack is asked elsewhere.

    Rules: 8.4a, 8.4d, 8.4f, 9.15a, 12.2.air-transport-b, 12.2.airborne-b, 12.2.strategic-bomber-b
    """
    nation = mover_of(s, lift.nation)
    path = lift.path
    kind = s.facts.units.get(lift.aircraft)
    assault = s.phase == "combat_move"
    if kind is None or not (kind.airborne if assault else kind.lift):
        raise IllegalDecision(
            f"{s.facts.name(lift.aircraft)} carries nobody.", "12.2.air-transport-b"
        )
    check_flight(s, nation, path)
    check_area(s, nation, path)
    load = lift.load
    if load.zone not in path or load.zone not in s.possession:
        raise IllegalDecision(
            "The aircraft takes its unit aboard in a land zone on its path.", "8.4f"
        )
    if not may_stay(s, nation, load.zone):
        raise IllegalDecision(f"{s.facts.name(load.zone)} is not Friendly.", "8.4f")
    check_cargo(s, load.units, "land")
    if sum(load.units.values()) != 1:
        raise IllegalDecision("One aircraft carries one unit.", "12.2.air-transport-b")
    (type_,) = load.units
    if assault and type_ != "airborne":
        raise IllegalDecision("Only Airborne Infantry is dropped.", "12.2.air-transport-b")
    if s.facts.units[type_].class_ != "infantry":
        raise IllegalDecision("Aircraft carry infantry-class units only.", "12.2.air-transport-b")
    (cargo,) = pick(s, load.nation or nation, load.zone, load.units, free)
    if cargo.unit.nation != nation and mover_of(s, cargo.unit.nation) != cargo.unit.nation:
        raise IllegalDecision("That unit is not yours to move.", "8.4f")
    (plane,) = pick(s, nation, path[0], {lift.aircraft: 1}, free)
    check_reach(s, [plane], path)
    goal = path[-1]
    if barred(s, goal):
        raise IllegalDecision(f"{s.facts.name(goal)} cannot be entered.", "1.7d")
    if assault:
        left = points(s, plane.unit, path[0]) - (len(path) - 1)
        if nearest_land(s, nation, kind, goal, left) > left:
            raise IllegalDecision("The aircraft could not fly back to a landing place.", "8.4d")
    elif not landing_land(s, side(s, nation).friends, kind, goal) or goal in s.captured:
        raise IllegalDecision(f"Nothing can land in {s.facts.name(goal)}.", "10.3b")
    return nation, plane, cargo


def fly_to_assault(s: State, lift: Airlift, plane: Group, cargo: Group) -> None:
    """Bring an aircraft with its Airborne Infantry over the zone that they attack.

    Rules: 8.4f, 9.15a
    """
    goal = lift.path[-1]
    relocate(s, lift.path, [plane], "assault", "airborne")
    s.take(lift.load.zone, cargo.unit)
    origin = lift.load.zone
    piece = cargo.unit._replace(used=1, origin=origin, duty="assault", target="airborne")
    s.put(goal, piece)


def fly_home(s: State, lift: Airlift, plane: Group, cargo: Group) -> None:
    """Bring an aircraft and its passenger to a Friendly zone.

    Rules: 12.2.air-transport-b
    """
    s.take(lift.load.zone, cargo.unit)
    s.put(lift.path[-1], Unit(cargo.unit.nation, cargo.unit.type, used=1, duty="moved"))
    relocate(s, lift.path, [plane], "moved")


# --- for lists and samples ------------------------------------------------------------------------


def shiploads(s: State, nation: str, zone: str, ship: Unit) -> Iterator[dict[str, int]]:
    """What a ship could take aboard of a nation's units in a land zone, besides its cargo."""
    kinds = s.facts.units
    here: dict[str, int] = {}
    for unit, count in s.stack(zone).items():
        if unit.nation == nation and unit.type != "militia" and free(unit):
            kind = kinds[unit.type]
            if kind.land or (kind.air and s.phase != "combat_move"):
                here[unit.type] = here.get(unit.type, 0) + count
    types = sorted(here)
    for i, type_ in enumerate(types):
        if fits(s, ship, [*ship.cargo, Unit(nation, type_)]):
            yield {type_: 1}
        for other in types[i:]:
            if other == type_ and here[type_] < 2:
                continue
            if fits(s, ship, [*ship.cargo, Unit(nation, type_), Unit(nation, other)]):
                yield {type_: 2} if other == type_ else {type_: 1, other: 1}
