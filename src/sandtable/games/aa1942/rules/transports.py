"""Transports: loading, sailing and offloading, in both movement phases (p.13, p.20, p.30)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from sandtable.games.aa1942.facts import UnitType
from sandtable.games.aa1942.model import State, Unit
from sandtable.games.aa1942.rules.movement import (
    Group,
    carries,
    check_path,
    check_sea_goal,
    check_sea_path,
    check_space,
    fresh,
    pick,
)
from sandtable.games.aa1942.rules.spaces import (
    aim_of_attack,
    enemies_in,
    friendly_territory,
    hostile_zone,
)
from sandtable.games.aa1942.words import counted
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision


class Load(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take land units aboard from a territory while the transport is in a zone of its path."""

    territory: str
    zone: str
    units: dict[str, int]


class Sail(Decision, frozen=True, tag="sail"):
    """The whole move of one transport: load on the way, sail, and offload at the end.

    `path` starts with the transport's zone (alone, if it stays). `offload` names the territory to
    land in: in combat movement that announces an amphibious assault. `units` limits what is
    landed (default: all of the acting power's units aboard). `owner` names an ally's transport.
    `cargo` picks the transport by what it carries before, type to number.
    """

    path: tuple[str, ...]
    load: tuple[Load, ...] = ()
    offload: str = ""
    units: dict[str, int] | None = None
    owner: str = ""
    cargo: dict[str, int] | None = None


class Voyage(msgspec.Struct, frozen=True):
    """A checked Sail: the transport as it is, what it takes aboard, and what it lands."""

    transport: Unit
    taken: tuple[tuple[str, Group], ...]
    aboard: tuple[Unit, ...]
    landed: tuple[Unit, ...]


def plan_voyage(s: State, sail: Sail) -> Voyage:
    """What a Sail does; IllegalDecision if it may not be done.

    Rules: transport.load.friendly-zone, unit.transport.hostile, unit.transport.load-two,
        unit.transport.land-move-used, unit.transport.bridge, unit.transport.one-territory,
        amphib.land.single-territory, combat-move.start-hostile.load, multi.transport.three-step,
        multi.land-ally-transport, unit.transport.offload-final, noncombat.transport,
        unit.transport.retreat-no-offload, unit.sea.carry, combat-move.share-spaces,
        noncombat.sea
    """
    power = s.turn
    owner = sail.owner or power
    if owner not in s.facts.allies[power]:
        raise IllegalDecision(
            f"{s.facts.power_name(owner)} is no power of the same side.",
            "multi.land-ally-transport",
        )
    if not sail.path:
        raise IllegalDecision(
            "A path names at least the zone that the transport is in.", "map.adjacency"
        )
    if len(sail.path) > 1:
        check_path(s, sail.path)
        check_sea_path(s, sail.path, ("transport",))
        if s.phase == "noncombat_move":
            check_sea_goal(s, sail.path[-1], ("transport",))
        if owner != power:
            raise IllegalDecision(
                f"Only {s.facts.power_name(owner)} moves its transports, in its own turn.",
                "multi.transport.three-step",
            )
    elif sail.path[0] not in s.facts.sea_next:
        raise IllegalDecision(f"{s.facts.name(sail.path[0])} is no sea zone.", "unit.sea.scope")
    taken = _loads(s, sail, owner)
    problem: tuple[str, str] | None = None
    for transport in _candidates(s, sail, owner):
        try:
            return _embark(s, sail, transport, taken)
        except IllegalDecision as error:
            # Not the refusal itself: it would hold this frame, and the frame it.
            problem = problem or (error.reason, error.rule)
    assert problem is not None
    reason, rule = problem
    raise IllegalDecision(reason, rule)


_SPENT = {
    "offloaded": "unit.transport.offload-final",
    "retreated": "unit.transport.retreat-no-offload",
}
"""What a transport did to the rule that ends its turn with it."""


def _candidates(s: State, sail: Sail, owner: str) -> list[Unit]:
    """The transports that could make the voyage, the most fitting first."""
    there = [
        unit
        for unit in s.stack(sail.path[0])
        if unit.type == "transport" and unit.power == owner and carries(unit, sail.cargo)
    ]
    if not there:
        which = "" if sail.cargo is None else " with that cargo"
        raise IllegalDecision(
            f"{s.facts.power_name(owner)} has no transport{which} in {s.facts.name(sail.path[0])}.",
            "map.spaces",
        )
    free = [unit for unit in there if fresh(unit)]
    if not free:
        usual = "noncombat.transport" if s.phase == "noncombat_move" else "combat-move.simultaneous"
        raise IllegalDecision(
            f"The transports in {s.facts.name(sail.path[0])} have already moved, fought, loaded or "
            "offloaded.",
            _SPENT.get(there[0].duty, usual),
        )
    sign = 1 if sail.load else -1
    return sorted(free, key=lambda unit: (sign * len(unit.cargo), unit))


def _loads(s: State, sail: Sail, owner: str) -> tuple[tuple[str, Group], ...]:
    """The land units that are loaded, each with its territory."""
    if len({load.territory for load in sail.load}) > 2:
        raise IllegalDecision(
            "A transport loads from two territories at most.", "unit.transport.load-two"
        )
    wanted: dict[str, dict[str, int]] = {}
    for load in sail.load:
        if load.zone not in sail.path:
            raise IllegalDecision(
                f"{s.facts.name(load.zone)} is not on the transport's path.",
                "transport.load.friendly-zone",
            )
        if load.zone not in s.facts.coast.get(load.territory, ()):
            check_space(s, load.territory)
            raise IllegalDecision(
                f"{s.facts.name(load.territory)} does not border {s.facts.name(load.zone)}.",
                "map.adjacency",
            )
        if hostile_zone(s, load.zone, s.turn):
            raise IllegalDecision(
                f"{s.facts.name(load.zone)} is hostile: nothing can be loaded there.",
                "unit.transport.hostile",
            )
        if not load.units:
            raise IllegalDecision("A loading names at least one unit.", "unit.transport.capacity")
        for type_, count in load.units.items():
            kind = s.facts.units.get(type_)
            if kind is None or kind.domain != "land":
                raise IllegalDecision(
                    f"A transport cannot carry {counted(s.facts, type_, count)}.", "unit.sea.carry"
                )
            if count < 1:
                raise IllegalDecision(
                    f"{count} is no number of units to load ({s.facts.name(type_)}).",
                    "unit.transport.capacity",
                )
            held = wanted.setdefault(load.territory, {})
            held[type_] = held.get(type_, 0) + count
    if s.phase == "combat_move":
        if any("antiaircraft_artillery" in units for units in wanted.values()):
            raise IllegalDecision(
                "Antiaircraft artillery cannot be loaded in combat movement.", "unit.aaa.move"
            )
        if wanted and owner != s.turn:
            raise IllegalDecision(
                "An ally's transport is loaded in one turn and lands its cargo in a later one.",
                "multi.transport.three-step",
            )
        if wanted and not sail.offload:
            raise IllegalDecision(
                "What is loaded in combat movement has to land in an amphibious assault.",
                "transport.load.combat-must-assault",
            )
    return tuple(
        (territory, group)
        for territory, units in wanted.items()
        for group in pick(
            s,
            territory,
            units,
            fresh,
            why_not="can be loaded: loading is a land unit's whole move",
            rule="unit.transport.land-move-used",
        )
    )


def _embark(s: State, sail: Sail, transport: Unit, taken: tuple[tuple[str, Group], ...]) -> Voyage:
    """The voyage with this transport: capacity, and what is landed."""
    new = [
        Unit(unit.power, unit.type, duty="loaded")
        for _, (unit, count) in taken
        for _ in range(count)
    ]
    aboard = sorted([*transport.cargo, *new])
    if not fits_aboard(s, aboard):
        raise IllegalDecision(
            "A transport carries one land unit of any kind plus one infantry.",
            "unit.transport.capacity",
        )
    if not sail.offload:
        if not sail.load:
            raise IllegalDecision(
                "Nothing is loaded or offloaded: use a move instead.", "noncombat.transport"
            )
        return Voyage(transport, taken, tuple(aboard), ())
    landed = _landing_party(s, sail, transport, aboard)
    check_landing_place(s, sail.path[-1], sail.offload)
    left = list(aboard)
    for piece in landed:
        left.remove(piece)
    return Voyage(transport, taken, tuple(left), tuple(landed))


def fits_aboard(s: State, cargo: Sequence[Unit]) -> bool:
    """Whether one transport can carry these land units: any one, and one infantry more.

    Rules: unit.transport.capacity
    """
    numbers = s.facts.numbers
    bulky = sum(piece.type != "infantry" for piece in cargo)
    return (
        bulky <= numbers.transport_any
        and len(cargo) <= numbers.transport_any + numbers.transport_infantry
    )


def _landing_party(s: State, sail: Sail, transport: Unit, aboard: list[Unit]) -> list[Unit]:
    """Which of the units aboard are landed.

    Rules: unit.transport.assault-cargo, unit.transport.noncombat-offload, unit.aaa.never-attack,
        multi.transport.three-step
    """
    power = s.turn
    attack = s.phase == "combat_move"
    usual = "unit.transport.assault-cargo" if attack else "unit.transport.noncombat-offload"
    mine = [
        piece
        for piece in aboard
        if piece.power == power and not (transport.power != power and piece.duty == "loaded")
    ]
    if sail.units is None:
        landed = [p for p in mine if not (attack and p.type == "antiaircraft_artillery")]
    else:
        landed = []
        pool = sorted(mine, key=lambda piece: piece.duty != "loaded")
        for type_, count in sail.units.items():
            found = [piece for piece in pool if piece.type == type_][:count]
            if len(found) < count or count < 1:
                raise IllegalDecision(
                    f"{counted(s.facts, type_, count)} cannot be landed: {len(found)} can.",
                    "multi.transport.three-step" if transport.power != power else usual,
                )
            landed.extend(found)
    if attack:
        if any(piece.type == "antiaircraft_artillery" for piece in landed):
            raise IllegalDecision(
                "Antiaircraft artillery never attacks; it stays aboard.", "unit.aaa.never-attack"
            )
        if sum(p.duty == "loaded" for p in landed) < sum(p.duty == "loaded" for p in mine):
            raise IllegalDecision(
                "Everything loaded in this phase has to be landed in the assault.",
                "unit.transport.assault-cargo",
            )
    if not landed:
        raise IllegalDecision(
            f"{s.facts.power_name(power)} has nothing aboard that can be landed.", usual
        )
    return landed


def check_landing_place(s: State, zone: str, territory: str) -> None:
    """Whether units may be landed from a zone: in an assault, or on a friendly coast.

    Rules: unit.transport.assault-only-hostile, amphib.definition, amphib.declare,
        transport.assault.end-zone, amphib.sea-zone.clear-first, unit.transport.hostile,
        unit.transport.noncombat-offload
    """
    power = s.turn
    if zone not in s.facts.coast.get(territory, ()):
        check_space(s, territory)
        raise IllegalDecision(
            f"{s.facts.name(territory)} does not border {s.facts.name(zone)}.", "map.adjacency"
        )
    if s.phase == "combat_move":
        if not aim_of_attack(s, territory):
            raise IllegalDecision(
                f"{s.facts.name(territory)} is not hostile: there is nothing to assault.",
                "combat-move.purpose",
            )
        check_escort(s, zone)
        return
    if not friendly_territory(s, territory, power):
        raise IllegalDecision(
            f"{s.facts.name(territory)} is not friendly: landing there is an assault.",
            "unit.transport.assault-only-hostile",
        )
    if hostile_zone(s, zone, power):
        raise IllegalDecision(
            f"{s.facts.name(zone)} is hostile: nothing can be offloaded there.",
            "unit.transport.hostile",
        )


def check_escort(s: State, zone: str, leaving: dict[str, int] | None = None) -> None:
    """Whether transports may attack in, or land past the enemies of, a zone.

    Surface warships have to be fought, and submarines too unless a warship of the acting power
    is there; for that it takes some unit that can fight. `leaving` (type to number) is about to
    sail away.

    Rules: unit.transport.escort-needed, transport.assault.ignored-sub, amphib.sea-zone.clear-first
    """
    kinds = s.facts.units
    enemies = [kinds[unit.type] for unit in enemies_in(s, zone, s.turn)]
    if any(kind.attack for kind in _own_kinds(s, zone, leaving)):
        return
    if any(kind.surface for kind in enemies):
        raise IllegalDecision(
            f"Transports in hostile {s.facts.name(zone)} need a unit beside them that can fight.",
            "unit.transport.escort-needed",
        )
    if any(kind.warship for kind in enemies):
        raise IllegalDecision(
            f"An enemy submarine is in {s.facts.name(zone)}: a landing needs an own warship there.",
            "transport.assault.ignored-sub",
        )


def may_ignore_submarines(s: State, zone: str) -> bool:
    """Whether a landing may leave enemy submarines in its zone alone, if any are there.

    Rules: transport.assault.ignored-sub
    """
    return any(kind.warship for kind in _own_kinds(s, zone)) or not any(
        unit.type == "submarine" for unit in enemies_in(s, zone, s.turn)
    )


def _own_kinds(s: State, zone: str, leaving: dict[str, int] | None = None) -> list[UnitType]:
    """The kinds of units that the acting power has in a zone, without those about to leave."""
    mine: dict[str, int] = {}
    for unit, count in s.stack(zone).items():
        if unit.power == s.turn:
            mine[unit.type] = mine.get(unit.type, 0) + count
    for type_, count in (leaving or {}).items():
        mine[type_] = mine.get(type_, 0) - count
    return [s.facts.units[type_] for type_, count in mine.items() if count > 0]


def sail_away(s: State, sail: Sail) -> Voyage:
    """Carry out a checked Sail: in combat movement the cargo stays aboard until the assault.

    Rules: combat-move.amphib-exception, amphib.declare, unit.transport.stay-at-sea
    """
    voyage = plan_voyage(s, sail)
    transport = voyage.transport
    for territory, (unit, count) in voyage.taken:
        s.take(territory, unit, count)
    s.take(sail.path[0], transport)
    if transport.power != s.turn:
        s.touched |= {sail.path[0]}
    used = len(sail.path) - 1
    origin = sail.path[-2] if used else ""
    zone = sail.path[-1]
    if s.phase == "combat_move":
        party = [Unit(piece.power, piece.type, duty="assault") for piece in voyage.landed]
        cargo = tuple(sorted([*voyage.aboard, *party]))
        s.put(
            zone,
            replace(
                transport,
                used=used,
                origin=origin,
                duty="landing",
                target=sail.offload,
                cargo=cargo,
            ),
        )
        return voyage
    duty = "offloaded" if sail.offload else "moved"
    if transport.power != s.turn and not sail.offload:
        duty = ""
    s.put(zone, replace(transport, used=used, duty=duty, cargo=voyage.aboard))
    for piece in voyage.landed:
        s.put(sail.offload, Unit(piece.power, piece.type, used=1, duty="moved"))
    return voyage
