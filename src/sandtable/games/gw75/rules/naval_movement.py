"""Naval movement and stacking (chapters 12 and 14): how far, where to, who has to be in port."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import pairwise

from sandtable.games.gw75.facts import Canal, pair
from sandtable.games.gw75.model import State, Unit
from sandtable.games.gw75.rules import italy, merchant_shipping, politics, ports, waters
from sandtable.games.gw75.rules.common import refuse
from sandtable.games.gw75.rules.naval_supply import escorting
from sandtable.games.gw75.rules.naval_zones import Part, enemies, fleet, flies, radius
from sandtable.games.gw75.rules.terms import (
    GROUND,
    SHIPS,
    SURFACE,
    at_war,
    cited,
    foes,
    friendly_hex,
    friends,
    holder,
    nations,
    relations,
)
from sandtable.games.gw75.rules.zones import front
from sandtable.kernel.decisions import Decision

OCEAN_GOING = frozenset({"usa", "japan"})
"""Nations whose Surface units may stay at sea between phases (12.14)."""


class Sail(Decision, frozen=True, tag="sail"):
    """Move ships of a nation from the first hex of a path to its last. `units` are type to number,
    `depleted` those of them that are Depleted, apart. Of ships that differ in what is left to them
    those with the least go that can go so far."""

    nation: str
    path: tuple[str, ...]
    units: dict[str, int] = {}
    depleted: dict[str, int] = {}


class Transfer(Decision, frozen=True, tag="transfer"):
    """Fly ASW units of a nation to another base."""

    nation: str
    start: str
    to: str
    number: int = 1
    depleted: bool = False


class Snort(Decision, frozen=True, tag="snort"):
    """So many German submarines of a hex travel in the Snort Mode in this phase."""

    hex: str
    number: int = 1


# --- allowances -----------------------------------------------------------------------------------


def number_of(s: State) -> int:
    """Which of a side's three Naval Phases it is."""
    return int(s.phase[-1]) if s.phase[-1].isdigit() else 0


def allowance(s: State, unit: Unit) -> int:
    """Hexes that a naval unit may move in this phase.

    Rules: 12.0e, 12.2, 12.31b, 12.41a, 12.51a
    """
    numbers = s.facts.numbers
    if unit.type in SURFACE:
        return numbers.surface_move
    if unit.type == "ss":
        return numbers.snort_move if unit.duty == "snort" else numbers.submarine_move
    if unit.type == "ms":
        return numbers.merchant_move if number_of(s) == 3 else 0
    if unit.type == "amph":
        return numbers.amphibious_move
    return numbers.asw_transfer * radius(s, unit.nation)


def left(s: State, hex: str, unit: Unit) -> int:
    """Hexes that are left to a naval unit in this phase; none if it may not move at all.

    Rules: 12.0a
    """
    if not unit.left or unit.idle:
        return 0
    if unit.type != "ms" and unit.nation in politics.UNBOUND:  # as mostly
        return unspent(s, unit)
    return 0 if why_still(s, hex, unit)[0] else unspent(s, unit)


def unspent(s: State, unit: Unit) -> int:
    """Hexes that are left to a naval unit if it may move."""
    return allowance(s, unit) if unit.left < 0 else unit.left


def why_still(s: State, hex: str, unit: Unit) -> tuple[str, str]:
    """Why a naval unit may not move in this phase, and the rule; empty if it may.

    Rules: 12.41a, 19.11
    """
    if unit.idle:
        return "Unactivated units do not move.", "18.10"
    if unit.type == "ms" and number_of(s) != 3:
        return "Merchant Ships move only in the third Naval Phase.", "12.41a"
    if unit.type == "ms" and not merchant_shipping.surplus(s, unit.nation, hex):
        return f"{s.facts.name(unit.nation)} is neutral and keeps up its pipelines.", "19.11"
    why = politics.frozen(s, unit.nation, unit, hex)
    return why, cited(why) if why else ""


# --- where ships may go ---------------------------------------------------------------------------


def passes(s: State, nation: str, here: str, there: str, *, fights: bool = False) -> str:
    """The name of the canal that an Enemy keeps closed between two hexes; empty if ships can pass.
    One that is a hex itself may be entered by who `fights` or lands there.

    Rules: 12.61
    """
    if here not in s.facts.locks:  # as nearly always
        return ""
    for canal in s.facts.canals.values():
        if canal.sides:
            through = pair(here, there) in canal.sides
        else:
            through = there == canal.control and not fights
        if through and _shut(s, nation, canal):
            return canal.name
    return ""


def _shut(s: State, nation: str, canal: Canal) -> bool:
    held = holder(s, canal.control)
    return bool(held) and at_war(s, nation, held)


def shut_canals(s: State, nation: str) -> frozenset[str]:
    """The canals that Enemies keep closed, by their id, or their hex if they are one.

    Rules: 12.61
    """
    return frozenset(
        canal.id if canal.sides else canal.control
        for canal in s.facts.canals.values()
        if _shut(s, nation, canal)
    )


def check_path(s: State, nation: str, types: set[str], path: tuple[str, ...]) -> None:
    """Every step leads from a sea or coastal hex to an adjacent one that ships can enter.

    Rules: 12.0d, 12.61, 12.24
    """
    facts, at = s.facts, s.at
    sea, locks, narrows = facts.sea, facts.locks, facts.narrows
    hostile = relations(s).enemies[nation]
    if len(path) < 2:
        raise refuse("A path has at least two hexes.", "12.0d")
    here = path[0]
    if here not in sea:
        raise refuse(f"There is no hex {facts.name(here)}.", "12.0d")
    for there in path[1:]:
        if there not in sea[here]:
            if there not in sea:
                raise refuse(f"There is no hex {facts.name(there)}.", "12.0d")
            raise refuse(
                f"Ships cannot go from {facts.name(here)} to {facts.name(there)}.", "12.61"
            )
        canal = here in locks and passes(s, nation, here, there)
        if canal:
            raise refuse(f"The Enemy holds the {canal}.", "12.61")
        met = there in at and not hostile.isdisjoint([unit.nation for unit in at[there]])
        if met or there in narrows or here in narrows:
            for type in types:
                why, rule = waters.closed(s, nation, type, there, here)
                if why:
                    raise refuse(why, rule)
        here = there
    if "ss" in types:
        _check_range(s, nation, path)


def _check_range(s: State, nation: str, path: tuple[str, ...]) -> None:
    """A submarine is never more than twenty hexes from a Friendly port; one that is goes nearer.

    Rules: 12.24
    """
    most, bits = s.facts.numbers.submarine_range, s.facts.bits
    near = ports.around(s, nation, most)
    for here, there in pairwise(path):
        if near & bits[there]:  # as nearly always
            continue
        far = from_port(s, nation, there)
        if far > most and far >= from_port(s, nation, here):
            raise refuse(
                f"{s.facts.name(there)} is more than {most} hexes from every Friendly port.",
                "12.24",
            )


def from_port(s: State, nation: str, hex: str) -> int:
    """Hexes to the nearest Friendly port of a nation, whatever lies between; 99 if it is farther
    than submarines go.

    Rules: 12.24, 15.23
    """
    far = ports.nearest(s, nation, hex)
    return far if far <= s.facts.numbers.submarine_range else 99


# --- picking units --------------------------------------------------------------------------------


def pick(s: State, decision: Sail) -> list[tuple[Unit, int]]:
    """The ships that a move takes; IllegalDecision if there are not so many that can go so far.
    Whoever carries the move out finds here what its check has found.

    Rules: 12.0a, 12.51b
    """
    known: tuple[Sail, list[tuple[Unit, int]]] | None = s.memo.get("picked")
    if known is None or known[0] != decision:
        known = s.memo["picked"] = decision, _picked(s, decision)
    return known[1]


def _picked(s: State, decision: Sail) -> list[tuple[Unit, int]]:
    start, steps = decision.path[0], len(decision.path) - 1
    found: list[tuple[Unit, int]] = []
    for wanted, depleted in ((decision.units, False), (decision.depleted, True)):
        for type, count in wanted.items():
            if type not in SHIPS:
                raise refuse(f"{s.facts.name(type)} units do not put to sea.", "12.31a")
            if count < 1:
                raise refuse(f"{count} is no number of ships.", "12.0a")
            found += _pick(s, decision.nation, start, type, depleted, count, steps)
    if not found:
        raise refuse("A move names at least one ship.", "12.0a")
    if len(found) > 1 and len({unit.type == "ss" for unit, _ in found}) > 1:
        raise refuse("Submarines and other ships move separately.", "15.63")
    return found


def _pick(
    s: State, nation: str, hex: str, type: str, depleted: bool, count: int, steps: int
) -> list[tuple[Unit, int]]:
    there = [
        (unit, number)
        for unit, number in s.stack(hex).items()
        if unit.nation == nation and unit.type == type and unit.depleted == depleted
    ]
    if len(there) == 1 and type != "ms":  # as nearly always
        (unit, number), *_ = there
        if number >= count and left(s, hex, unit) >= steps:
            return [(unit, count)]
    name = s.facts.name(type)
    if sum(number for _, number in there) < count:
        kind = f"Depleted {name}" if depleted else name
        raise refuse(
            f"{s.facts.name(nation)} has no {count} {kind} in {s.facts.name(hex)}.", "12.0a"
        )
    spare = merchant_shipping.surplus(s, nation, hex) if type == "ms" else count
    if 0 < spare < count:
        raise refuse(
            f"{s.facts.name(nation)} is neutral: {spare} {name} units may leave "
            f"{s.facts.name(hex)}, not {count}.",
            "19.11",
        )
    able = sorted((left(s, hex, unit), unit, number) for unit, number in there)
    found = []
    needed = count
    for has, unit, number in able:
        if has >= steps and needed:
            taken = min(needed, number)
            found.append((unit, taken))
            needed -= taken
    if needed:
        for unit, _ in there:
            why, rule = why_still(s, hex, unit)
            if why:
                raise refuse(why, rule)
        raise refuse(
            f"Not {count} of the {name} units in {s.facts.name(hex)} can still move {steps} hexes.",
            {"ss": "12.2", "ms": "12.41a", "amph": "12.51a"}.get(type, "12.0e"),
        )
    return found


def check_sail(s: State, player: str, decision: Sail) -> None:
    """Raise IllegalDecision unless the ships may go that way."""
    check_nation(s, player, decision.nation)
    types = {*decision.units, *decision.depleted}
    if not decision.path or decision.path[0] not in s.facts.hexes:
        raise refuse("A path begins in a hex of the map.", "12.0d")
    pick(s, decision)
    check_path(s, decision.nation, types, decision.path)


def check_nation(s: State, player: str, nation: str) -> None:
    """The player decides for the nation, and it has units."""
    if nation not in nations(s, player):
        raise refuse(
            f"{s.facts.name(player)} does not move units of {s.facts.name(nation)}.", "12.0a"
        )


# --- ASW units ------------------------------------------------------------------------------------


def check_transfer(s: State, player: str, decision: Transfer) -> None:
    """An ASW unit flies to a supplied base in a Friendly hex without Enemy ships (but for
    submarines), within three times its zone, by a way that no neutral country lies on. A Depleted
    one flies as far.

    Rules: 12.31a, 12.31b, 12.33, 12.62, 15.46, 15.47, 19.23, 19.24a
    """
    facts = s.facts
    check_nation(s, player, decision.nation)
    for hex in (decision.start, decision.to):
        if hex not in facts.hexes:
            raise refuse(f"There is no hex {facts.name(hex)}.", "12.31b")
    if decision.number < 1:
        raise refuse(f"{decision.number} is no number of units.", "12.31b")
    if decision.start == decision.to:
        raise refuse("The ASW units are there.", "12.31b")
    why = italy.bound(s, decision.nation, decision.to)
    if why:
        raise refuse(why, cited(why))
    why = no_base(s, decision.nation, decision.to)
    if why:
        raise refuse(why, "15.46")
    if any(
        unit.type in SHIPS and unit.type != "ss" and at_war(s, decision.nation, unit.nation)
        for unit in s.stack(decision.to)
    ):
        raise refuse(f"Enemy ships are in {facts.name(decision.to)}.", "12.62")
    pick_asw(s, decision)


def no_base(s: State, nation: str, hex: str) -> str:
    """Why a nation cannot base ASW or LRB units in a hex; empty if it can.

    Rules: 15.46, 17.14
    """
    if not s.facts.hexes[hex].dry:
        return f"{s.facts.name(hex)} is no base: it is at sea."
    if not friendly_hex(s, nation, hex):
        return f"{s.facts.name(hex)} is not Friendly."
    if ports.home(s, nation, hex) == "none":
        return f"{s.facts.name(hex)} is out of supply."
    return ""


def pick_asw(s: State, decision: Transfer) -> list[tuple[Unit, int]]:
    """The ASW units that a transfer takes."""
    needed = decision.number
    found = []
    facts = s.facts
    there = [
        (unit, number)
        for unit, number in sorted(s.stack(decision.start).items())
        if (unit.nation, unit.type, unit.depleted) == (decision.nation, "asw", decision.depleted)
    ]
    if sum(number for _, number in there) < needed:
        raise refuse(
            f"{facts.name(decision.nation)} has not so many ASW units in "
            f"{facts.name(decision.start)}.",
            "12.0a",
        )
    for unit, number in there:
        if needed and flies(
            s, unit.nation, decision.start, decision.to, left(s, decision.start, unit)
        ):
            taken = min(needed, number)
            found.append((unit, taken))
            needed -= taken
    if needed:
        for unit, _ in there:
            why, rule = why_still(s, decision.start, unit)
            if why:
                raise refuse(why, rule)
        start, to = facts.name(decision.start), facts.name(decision.to)
        far = facts.distance(decision.start, decision.to)
        most = max(left(s, decision.start, unit) for unit, _ in there)
        if far > most:
            raise refuse(
                f"{to} is too far from {start}: {far} hex{'es' * (far > 1)}, and the ASW units "
                f"there fly {most} at most.",
                "12.31b",
            )
        if found:
            able = decision.number - needed
            raise refuse(f"{able} ASW units in {start} can still fly to {to}, no more.", "12.31b")
        raise refuse(
            f"Neutral countries lie on the way of ASW units from {start} to {to}.", "12.33"
        )
    return found


# --- submarines in the Snort Mode -----------------------------------------------------------------


def check_snort(s: State, player: str, decision: Snort) -> None:
    """German submarines may snort from the first quarter of 1944 on; it is decided before any of
    them has moved in the phase.

    Rules: 12.21a, 12.21b
    """
    check_nation(s, player, "germany")
    if s.turn < s.facts.numbers.snort_from:
        raise refuse("There is no Snort Mode before the first quarter of 1944.", "12.21a")
    if any(unit.type == "ss" and unit.left >= 0 for _, unit, _ in s.units_of("germany")):
        raise refuse("The mode is chosen before the submarines move.", "12.21b")
    fast = s.stack(decision.hex).get(_in_fast_mode(s, decision.hex), 0)
    if not 1 <= decision.number <= fast:
        raise refuse(
            f"There are {fast} German submarines in the Fast Mode in {s.facts.name(decision.hex)}.",
            "12.21a",
        )


def _in_fast_mode(s: State, hex: str) -> Unit:
    for unit in s.stack(hex):
        if unit.nation == "germany" and unit.type == "ss" and not unit.duty and not unit.idle:
            return unit
    return Unit("germany", "ss")


def snort(s: State, decision: Snort) -> None:
    """Carry it out."""
    s.change(decision.hex, _in_fast_mode(s, decision.hex), decision.number, duty="snort")


# --- who has to be in port ------------------------------------------------------------------------


def due_home(s: State, hex: str, unit: Unit, *, stage: bool) -> str:
    """The rule by which a unit may not be where it is when this phase (or the stage) ends; empty
    if it may. Merchant Ships, Amphibious and ASW units and escorts may be anywhere.

    Rules: 12.0b, 12.0c, 12.14a, 12.14b, 12.14c, 12.22, 12.51a, 16.0b, 16.11, 16.12a, 12.14d
    """
    if unit.type not in _HOMING:
        return ""
    if stage:
        rule = "" if supplied_port(s, unit.nation, hex) else "16.11"
    elif unit.supply == "none" and number_of(s) == 1:
        rule = "" if supplied_port(s, unit.nation, hex) else "16.12a"
    elif unit.duty == "new" and not foes(s, unit.nation):
        rule = "" if ports.friendly(s, unit.nation, hex) else "19.32b"
    elif unit.type == "ss" or unit.nation in OCEAN_GOING or ports.friendly(s, unit.nation, hex):
        rule = ""
    elif unit.nation == "commonwealth":
        american = any(
            each.nation == "usa" and each.type in SURFACE and friends(s, each.nation, unit.nation)
            for each in s.stack(hex)
        )
        rule = "" if american else "12.14b"
    else:
        rule = "12.14c"
    return "" if rule and escorting(s, hex, unit) else rule


def supplied_port(s: State, nation: str, hex: str) -> bool:
    """Whether a hex has a Friendly port from which a supply path leads to the Home Country.

    Rules: 12.0b, 16.11
    """
    return ports.supply(s, nation, hex) != "none"


_HOMING = SURFACE | {"ss"}


def homeless(
    s: State, whose: tuple[str, ...], *, stage: bool, able: bool = False
) -> Iterator[tuple[Part, str]]:
    """Units of these nations that may not be where they are when the phase (or stage) ends, each
    with the rule; with `able` only those that have not used up their movement."""
    bits = s.facts.bits
    for nation in whose:
        sea = enemies(s, nation)
        shared = front(s, nation).enemies | sea.others | sea.convoys
        for hex, unit, count in fleet(s, nation).units:
            if not unit.left and able:
                continue
            rule = due_home(s, hex, unit, stage=stage) if unit.type in _HOMING else ""
            if not rule and bits[hex] & shared and _shut_in(s, hex, unit):
                rule = "12.62"
            if rule:
                yield Part(hex, unit, count), rule


def _shut_in(s: State, hex: str, unit: Unit) -> bool:
    """Whether a ship is with Enemy land or ASW units and has to leave them in this phase, as all
    but submarines do, Merchant Ships in the third. That war has broken out has brought it there.

    Rules: 12.41a, 12.62, 14.14
    """
    if unit.type not in SHIPS or unit.type == "ss" or (unit.type == "ms" and number_of(s) != 3):
        return False
    return any(
        (other.type in GROUND or other.type == "asw") and at_war(s, unit.nation, other.nation)
        for other in s.stack(hex)
    )


class _Berths:
    """The Friendly ports near a hex, supplied ones if they have to be: each is judged as it is
    asked for."""

    def __init__(self, s: State, nation: str, near: int, supplied: bool) -> None:
        self.s, self.nation, self.near, self.supplied = s, nation, near, supplied

    def __contains__(self, hex: object) -> bool:
        if not isinstance(hex, str) or not self.near & self.s.facts.bits[hex]:
            return False
        return not self.supplied or supplied_port(self.s, self.nation, hex)


def way_home(s: State, part: Part, *, stage: bool) -> tuple[str, ...]:
    """A shortest path on which a unit still reaches a hex where it may be (if it need not go to a
    port, any hex); empty without one."""
    unit = part.unit
    has = left(s, part.hex, unit)
    if unit.type != "ss" and not due_home(s, part.hex, unit, stage=stage):  # to leave will do
        found = reach(s, part.hex, (unit,), ends=s.facts.sea)
        return way(found, next(reversed(found))) if len(found) > 1 else ()
    near = ports.havens(s, unit.nation) & s.facts.sailing(part.hex, has)
    if not has or not near:
        return ()
    supplied = stage or (unit.supply == "none" and number_of(s) == 1)
    ends = _Berths(s, unit.nation, near, supplied)
    found = reach(s, part.hex, (unit,), ends=ends)
    nearest = next(reversed(found))
    return way(found, nearest) if nearest in ends else ()


# --- reach ----------------------------------------------------------------------------------------


def reach(
    s: State, start: str, units: tuple[Unit, ...], ends: Container[str] = ()
) -> dict[str, str]:
    """The hexes that ships of one nation can go to together, nearest first, each with the one
    before it (the start with none); with `ends` only until one of those is found.

    Rules: 12.0d
    """
    facts, at, nation = s.facts, s.at, units[0].nation
    sea, locks, narrows, bits = facts.sea, facts.locks, facts.narrows, facts.bits
    types = {unit.type for unit in units}
    limit = min(left(s, start, unit) for unit in units)
    most = facts.numbers.submarine_range
    near = ports.around(s, nation, most) if "ss" in types else -1
    found = {start: ""}
    edge = [start]
    for _ in range(limit):
        further = []
        for here in edge:
            locked, narrow = here in locks, here in narrows
            for there in sea[here]:
                if there in found:
                    continue
                if locked and passes(s, nation, here, there):
                    continue
                if (narrow or there in at or there in narrows) and any(
                    waters.closed(s, nation, type, there, here)[0] for type in types
                ):
                    continue
                if not near & bits[there]:
                    far = from_port(s, nation, there)
                    if far > most and far >= from_port(s, nation, here):
                        continue
                found[there] = here
                if there in ends:
                    return found
                further.append(there)
        edge = further
        if not edge:
            break
    return found


def way(found: dict[str, str], hex: str) -> tuple[str, ...]:
    """The path that `reach` found to a hex."""
    path = [hex]
    while found[path[-1]]:
        path.append(found[path[-1]])
    return tuple(reversed(path))
