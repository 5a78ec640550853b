"""Movement: what all its phases share (0.8, 8.2, 10.1, 12.2, 12.5)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from sandtable.board.graphs import Distances
from sandtable.games.gw36.facts import Facts, UnitType
from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.facilities import movement_bonus
from sandtable.games.gw36.rules.terms import at_war_with_major, has_tech, is_major, power_of
from sandtable.games.gw36.rules.zones import (
    barred,
    commanded,
    crossing,
    crossing_blocked,
    northern_route,
    slows,
    step_closed,
)
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision

T = TypeVar("T")

FREE = frozenset({"", "convoy", "blockade"})
"""Duties with which a land or naval unit may still move."""


class Move(Decision, frozen=True, tag="move"):
    """Move units of one zone along a path, zone by zone, from where they are to the last one. A
    path of one zone is for units that act where they are.

    `duty` says what they do there, where that is not plain: attack, patrol, convoy (escort duty),
    raid, mine, blockade, bombard, screen, follow, bomb, carpet, escort_bombers, rocket, attrition,
    declined (submarines that pass or stay without a fight). `target` is what the duty is aimed at.
    `nation` is whose units they are, if not the acting nation's own. `cargo` picks ships by what
    they carry, type to number; without it, those with the least cargo move. `against` is a nation
    that a combat move at sea attacks though the two are not at war: with it war is declared. `used`
    picks aircraft in non-combat movement by the movement that they have spent; without it, those
    with the least left that reach the end move.
    """

    units: dict[str, int]
    path: tuple[str, ...]
    duty: str = ""
    target: str = ""
    nation: str = ""
    cargo: dict[str, int] | None = None
    against: str = ""
    used: int | None = None


class Group(NamedTuple):
    """Units that a decision picks out of a zone."""

    unit: Unit
    count: int  # type: ignore[assignment]  # not the method of tuples
    aboard: bool = False
    """They are aircraft on carriers there."""


def mover_of(s: State, nation: str) -> str:
    """The nation whose units a decision moves; IllegalDecision if the acting nation does not
    command it."""
    if not nation or nation == s.mover:
        return s.mover
    if nation not in s.facts.nations or nation not in commanded(s, s.mover):
        raise IllegalDecision(
            f"{s.facts.name(s.mover)} does not command the units of {s.facts.name(nation)}.", "4.5a"
        )
    return nation


def kinds_of(s: State, units: dict[str, int]) -> list[UnitType]:
    """The types of a move, which are all land units, all aircraft or all ships.

    Rules: table-12-1d
    """
    if not units:
        raise IllegalDecision("A move names at least one unit.", "8.2a")
    found: list[UnitType] = []
    for type_, count in units.items():
        kind = s.facts.units.get(type_)
        if kind is None:
            raise IllegalDecision(f"There is no unit {s.facts.name(type_)}.", "8.2a")
        if count < 1:
            raise IllegalDecision(f"{count} is no number of units ({kind.name}).", "8.2a")
        found.append(kind)
    if not (all(k.land for k in found) or all(k.air for k in found) or all(k.naval for k in found)):
        raise IllegalDecision("Land, air and naval units move separately.", "8.2a")
    return found


def check_zones(s: State, path: Iterable[str]) -> None:
    """All zones exist."""
    for zone in path:
        if zone not in s.facts.zones:
            raise IllegalDecision(f"There is no zone {s.facts.name(zone)} on the map.", "1.1a")


def check_path(s: State, path: tuple[str, ...], neighbours: dict[str, tuple[str, ...]]) -> None:
    """Every step crosses a border between two zones.

    Rules: 0.8a, 0.8b, 0.8c, 1.1c, 1.2a
    """
    if not path:
        raise IllegalDecision("A path names at least the zone in which the units are.", "0.8a")
    if path[0] not in s.facts.zones:
        check_zones(s, path)
    for here, there in pairwise(path):
        if there not in neighbours.get(here, ()):
            check_zones(s, (here, there))
            raise IllegalDecision(
                f"These units cannot go from {s.facts.name(here)} to {s.facts.name(there)}.", "0.8b"
            )


# --- picking units --------------------------------------------------------------------------------


def free(unit: Unit) -> bool:
    """Whether a unit has neither moved nor done anything else this turn that keeps it from moving.

    Rules: 10.1a
    """
    return not unit.used and unit.duty in FREE


def carries(unit: Unit, cargo: dict[str, int] | None) -> bool:
    """Whether a ship carries exactly that cargo (type to number); any ship if None."""
    if cargo is None:
        return True
    aboard: dict[str, int] = {}
    for piece in unit.cargo:
        aboard[piece.type] = aboard.get(piece.type, 0) + 1
    return aboard == {type_: count for type_, count in cargo.items() if count}


def pick(
    s: State,
    nation: str,
    zone: str,
    wanted: dict[str, int],
    able: Callable[[Unit], bool],
    order: Callable[[Unit], object] | None = None,
    *,
    rule: str = "10.1a",
    why_not: str = "can still do this",
) -> list[Group]:
    """The units to take from a zone: `wanted` of each type among those `able`, first in `order`.
    Aircraft may also come from carriers there. IllegalDecision if there are not enough."""
    groups: list[Group] = []
    stack = s.stack(zone)
    for type_, count in wanted.items():
        left = count
        found = [u for u in stack if u.type == type_ and u.nation == nation and able(u)]
        if len(found) > 1:
            found.sort(key=order or _plainest)  # type: ignore[arg-type]
        for unit in found:
            taken = min(left, stack[unit])
            groups.append(Group(unit, taken))
            left -= taken
            if not left:
                break
        if left and s.facts.units[type_].on_deck:
            for piece, there in sorted(aboard(s, nation, zone, type_).items()):
                if left and able(piece):
                    taken = min(left, there)
                    groups.append(Group(piece, taken, aboard=True))
                    left -= taken
        if left:
            raise IllegalDecision(
                f"Only {count - left} {s.facts.name(type_)} of {s.facts.name(nation)} in "
                f"{s.facts.name(zone)} {why_not}.",
                rule,
            )
    return groups


def _plainest(unit: Unit) -> object:
    return (len(unit.cargo), unit)


def aboard(s: State, nation: str, zone: str, type_: str) -> dict[Unit, int]:
    """A nation's aircraft of a type on carriers in a zone that can take off: not from damaged ones.

    Rules: 12.2.fleet-carrier-c
    """
    found: dict[Unit, int] = {}
    for unit, count in s.stack(zone).items():
        if unit.cargo and not unit.hits and s.facts.units[unit.type].decks:
            for piece in unit.cargo:
                if piece.type == type_ and piece.nation == nation:
                    found[piece] = found.get(piece, 0) + count
    return found


def lift(s: State, zone: str, group: Group) -> None:
    """Take picked units off the board, aircraft off their carriers."""
    unit, count, on_deck = group
    if not on_deck:
        s.take(zone, unit, count)
        return
    for _ in range(count):
        holder = next(
            u
            for u in s.stack(zone)
            if unit in u.cargo and not u.hits and s.facts.units[u.type].decks
        )
        rest = list(holder.cargo)
        rest.remove(unit)
        s.change(zone, holder, 1, cargo=tuple(rest))


# --- how far --------------------------------------------------------------------------------------


def base_points(s: State, nation: str, kind: UnitType) -> int:
    """The movement of a type of unit of a nation, without what facilities add.

    Rules: 7.8.long-range-a, 7.8.long-range-c
    """
    if kind.air and has_tech(s, nation, "long_range_aircraft"):
        return kind.move + (2 if kind.strategic_dice > 1 else 1)
    return kind.move


def points(s: State, unit: Unit, zone: str) -> int:
    """The movement that a unit has left. What a facility adds at the start of a move is taken off
    `used`, so that it stays known.

    Rules: 0.8a, 12.5d
    """
    kind = s.facts.units[unit.type]
    left = base_points(s, unit.nation, kind) - unit.used
    if not unit.used and unit.duty in FREE:
        left += movement_bonus(s, unit.nation, kind, zone)
    return left


def spent(s: State, unit: Unit, zone: str, steps: int) -> int:
    """`used` of a unit after so many steps from a zone."""
    kind = s.facts.units[unit.type]
    gain = 0
    if not unit.used and unit.duty in FREE:
        gain = movement_bonus(s, unit.nation, kind, zone)
    return max(0, unit.used + steps - gain)


def check_reach(s: State, groups: list[Group], path: tuple[str, ...]) -> None:
    """The units can go that far.

    Rules: 0.8a, 12.5d
    """
    steps = len(path) - 1
    for unit, _, _ in groups:
        if points(s, unit, path[0]) < steps:
            raise IllegalDecision(
                f"{steps} zones are too far: {s.facts.name(unit.type)} can move "
                f"{points(s, unit, path[0])}.",
                "0.8a",
            )


# --- where a nation may go at all -----------------------------------------------------------------


def check_area(s: State, nation: str, path: Iterable[str], rule: str = "8.2a") -> None:
    """The nation's units may go there: KMT and CCP stay in China until they have evolved, the USA
    where its income allows it until it is at war.

    Rules: 13.3.1a, 13.3.2a
    """
    path = tuple(path)
    check_zones(s, path)
    if nation in ("kmt", "ccp") and nation not in s.evolved:
        home = s.facts.nations[nation].home
        for zone in path:
            if zone not in home:
                raise IllegalDecision(
                    f"{s.facts.name(nation)} moves only inside the Chinese Home Country.",
                    "13.3.2a" if nation == "kmt" else "13.3.1a",
                )
    elif nation == "usa" and not at_war_with_major(s, nation):
        for zone in path:
            if not _open_to_usa(s, zone):
                raise IllegalDecision(
                    f"The USA's income does not yet allow it to move to {s.facts.name(zone)}.", rule
                )


def _open_to_usa(s: State, zone: str) -> bool:
    """Whether the income of a USA at peace allows its units to be in a zone."""
    facts = s.facts
    actions = facts.sheets["usa"].actions
    income = s.income.get("usa", 0)
    if income >= actions["anywhere"]:
        return True
    known = facts.zones[zone]
    if not known.sea:
        return s.possession[zone] == "usa" or (
            income >= actions["americas"] and known.region in ("north_america", "south_america")
        )
    if any(s.possession[land] == "usa" for land in facts.coast[zone]):
        return True
    if income < actions["americas"]:
        return False
    if known.ocean == "pacific" or (
        known.ocean == "atlantic" and income >= actions["atlantic_bases"]
    ):
        return True
    return any(
        facts.zones[land].region in ("north_america", "south_america") for land in facts.coast[zone]
    )


# --- by land --------------------------------------------------------------------------------------


def check_march(s: State, nation: str, move: Move, kinds: list[UnitType]) -> list[Group]:
    """Land units that march along a path of land zones: borders, terrain, towing, crossings.

    Rules: 0.8a, 0.8b, 1.1c, 1.7d, 1.13a, 1.8c, 1.9d, 1.10d, 1.11c, 1.15c, 1.15h, 1.17c, 1.20a,
        1.20b, 1.20c, 1.20d, 1.21b, 12.2.militia-b, 12.2.motorized-b, 12.2.artillery-d, 12.2.aa-f,
        12.2.cavalry-b
    """
    path, units = move.path, move.units
    facts = s.facts
    groups = pick(s, nation, path[0], units, free)
    ferry = len(path) == 2 and path[1] not in facts.land_next.get(path[0], ())
    if ferry and (known := crossing(facts, path[0], path[1])) is not None:
        _check_crossing(s, nation, known.id, kinds, sum(units.values()))
    else:
        check_path(s, path, facts.land_next)
    for zone in path[1:]:
        if barred(s, zone):
            raise IllegalDecision(f"{facts.name(zone)} cannot be entered.", "1.7d")
    steps = len(path) - 1
    towed = 0
    for kind in kinds:
        if kind.move < steps:
            if steps > 2 or not towable(kind):
                raise IllegalDecision(
                    f"{steps} zones are too far: {kind.name} moves {kind.move}.", "0.8a"
                )
            towed += units[kind.id]
        if steps > 1 and any(slows(s, kind, here, there) for here, there in pairwise(path)):
            raise IllegalDecision(
                f"The terrain on this way reduces the movement of {kind.name} to 1.", "1.7a"
            )
        if kind.id == "militia":
            home = facts.nations[nation].home if is_major(s, nation) else frozenset()
            if any(zone not in home for zone in path):
                raise IllegalDecision(
                    "Militia moves only inside the Home Country of its Major Power.",
                    "12.2.militia-b",
                )
    if towed > sum(units[kind.id] for kind in kinds if kind.tow):
        raise IllegalDecision(
            "Each artillery that moves two zones needs a motorized infantry that tows it.",
            "12.2.motorized-b",
        )
    return groups


def towable(kind: UnitType) -> bool:
    """Artillery and Anti-Aircraft Artillery, not rockets.

    Rules: 12.2.motorized-b, 12.2.artillery-d, 12.2.aa-f
    """
    return kind.class_ == "artillery" and kind.move == 1 and not kind.range


def _check_crossing(s: State, nation: str, id: str, kinds: list[UnitType], count: int) -> None:
    """Whether so many units may cross the sea here: Marines in combat, infantry otherwise, at
    Channel Ports every land unit.

    Rules: 1.20a, 1.20b, 1.20c, 1.20d, 1.21b
    """
    known = s.facts.crossings[id]
    if s.phase == "combat_move":
        if any(kind.id != "marine" for kind in kinds):
            raise IllegalDecision("Only Marines attack across a narrow crossing.", "1.20c")
    elif not known.channel and any(kind.class_ != "infantry" for kind in kinds):
        raise IllegalDecision(f"Only infantry crosses at {known.name}.", "1.20d")
    if crossing_blocked(s, nation, known):
        raise IllegalDecision(f"The Enemy prevents the crossing at {known.name}.", "1.20b")
    if s.done.get(_crossed(s, nation, id), 0) + count > known.units:
        raise IllegalDecision(f"{known.units} units a turn cross at {known.name}.", "1.20a")


def _crossed(s: State, nation: str, id: str) -> str:
    return f"crossing:{id}:{power_of(s, nation)}"


def note_crossing(s: State, nation: str, path: tuple[str, ...], count: int) -> None:
    """Remember how many units have used a narrow crossing this turn.

    Rules: 1.20a
    """
    if len(path) == 2 and path[1] not in s.facts.land_next.get(path[0], ()):
        known = crossing(s.facts, path[0], path[1])
        if known is not None:
            key = _crossed(s, nation, known.id)
            s.done[key] = s.done.get(key, 0) + count


# --- by sea ---------------------------------------------------------------------------------------


def check_voyage(
    s: State,
    nation: str,
    kinds: Iterable[UnitType],
    path: tuple[str, ...],
    *,
    forcing: Callable[[str, str], bool] | None = None,
) -> None:
    """Ships sail along a path of sea zones, through passages that are open to them; whoever is in
    the way is another matter.

    Rules: 0.8a, 1.15a, 1.15i, 1.15n, 1.19a, 15.6a
    """
    facts = s.facts
    if path[0] not in facts.sea_next:
        check_zones(s, path)
        raise IllegalDecision(f"{facts.name(path[0])} is no sea zone.", "1.2a")
    if len(path) == 2:
        reason = northern_route(s, nation, path[0], path[1])
        if reason is not None and path[1] not in facts.sea_next[path[0]]:
            if reason:
                raise IllegalDecision(reason, "1.19a")
            return
    check_path(s, path, facts.sea_next)
    for here, there in pairwise(path):
        known = facts.passage.get((here, there) if here < there else (there, here))
        if known is None:
            continue
        if known == facts.white_sea and len(path) > 2:
            raise IllegalDecision(
                f"{facts.name(known)}: the passage takes the whole move.", "1.15i"
            )
        for kind in kinds:
            reason = step_closed(s, nation, kind, here, there)
            if reason and not (forcing is not None and forcing(here, there)):
                raise IllegalDecision(f"{reason}", "1.15b")


def sea_key(s: State, nation: str, path: tuple[str, ...]) -> str:
    """What a voyage uses up that is there once a turn: the Northern Sea Route or the Baltic-White
    Sea Canal; empty if nothing. It also takes the whole move.

    Rules: 1.15i, 1.19a
    """
    if len(path) != 2:
        return ""
    ends = (path[0], path[1]) if path[0] < path[1] else (path[1], path[0])
    if s.facts.passage.get(ends) == s.facts.white_sea:
        return f"white_sea:{power_of(s, nation)}"
    if ends == s.facts.northern_route and path[1] not in s.facts.sea_next[path[0]]:
        return f"northern_route:{power_of(s, nation)}"
    return ""


def check_single_passage(s: State, nation: str, path: tuple[str, ...], units: int) -> str:
    """The key of a passage for one ship a turn, if the path takes one.

    Rules: 1.15i, 1.19a, 1.19b
    """
    key = sea_key(s, nation, path)
    if key and units > 1:
        raise IllegalDecision("One ship a turn takes this way.", "1.19a")
    return key


# --- ways -----------------------------------------------------------------------------------------

_DISTANCES: dict[int, tuple[Facts, Distances]] = {}


def distances(facts: Facts) -> Distances:
    """The number of borders between zones, as aircraft fly, whoever is in the way."""
    known = _DISTANCES.get(id(facts))
    if known is None:
        known = _DISTANCES[id(facts)] = facts, Distances(facts.neighbours)
    return known[1]


def sea_paths(s: State, zone: str, reach: int) -> Iterator[tuple[str, ...]]:
    """A shortest path of sea zones to each zone within reach, the first one included."""
    seen = {zone}
    edge: list[tuple[str, ...]] = [(zone,)]
    yield (zone,)
    for _ in range(reach):
        after: list[tuple[str, ...]] = []
        for path in edge:
            for there in s.facts.sea_next[path[-1]]:
                if there not in seen:
                    seen.add(there)
                    after.append((*path, there))
        yield from after
        edge = after


# --- for sampling ---------------------------------------------------------------------------------


def one_of(some: Sequence[T], rng: random.Random) -> T:
    """One of them at random."""
    return some[int(rng.random() * len(some))]


def random_units(
    s: State, rng: random.Random, tries: int, able: Callable[[Unit], bool] = free
) -> Iterator[tuple[str, Unit, int]]:
    """Some of the units that the acting nation commands and that are `able`, with zone and number;
    aircraft on carriers are among them."""
    nations = [n for n in commanded(s, s.mover) if s.presence.get(n)]
    if not nations:
        return
    at, decks = s.at, s.facts.units
    for _ in range(tries):
        nation = nations[0] if rng.random() < 0.7 else nations[int(rng.random() * len(nations))]
        zones = list(s.presence[nation])
        zone = zones[int(rng.random() * len(zones))]
        found = [(u, n) for u, n in at[zone].items() if u.nation == nation]
        unit, count = found[int(rng.random() * len(found))]
        if unit.cargo and decks[unit.type].decks and rng.random() < 0.5:
            piece = unit.cargo[int(rng.random() * len(unit.cargo))]
            if piece.nation == nation:
                unit, count = piece, 1
        if able(unit):
            yield zone, unit, count
