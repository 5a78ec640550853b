"""Strategic naval movement (10.6)."""

from __future__ import annotations

from itertools import pairwise

from sandtable.games.gw36.model import State, Unit
from sandtable.games.gw36.rules.movement import (
    Group,
    carries,
    check_area,
    check_path,
    free,
    mover_of,
    pick,
)
from sandtable.games.gw36.rules.narrows import sunk_at
from sandtable.games.gw36.rules.terms import on
from sandtable.games.gw36.rules.transports import Load, check_cargo, check_shore, drown, fits
from sandtable.games.gw36.rules.zones import (
    enemies_in,
    naval_bases,
    on_patrol,
    side,
    step_closed,
)
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

FARTHEST = 5
SHIPS = ("naval_transport", "attack_transport")


class StrategicMove(Decision, frozen=True, tag="strategic_move"):
    """One transport with cargo sails up to five sea zones, from harbour to harbour; it takes units
    aboard at harbours on its way, and may land what it carries at the last one."""

    path: tuple[str, ...]
    load: tuple[Load, ...] = ()
    offload: str = ""
    ship: str = "naval_transport"
    cargo: dict[str, int] | None = None
    nation: str = ""


def allowance(s: State, nation: str) -> tuple[str, int]:
    """Under whose name a nation's strategic naval moves are counted, and how many it has a turn.

    Rules: 10.6a, 13.3.1e, 13.3.2e, 2.3e
    """
    sheets = s.facts.sheets
    if nation not in sheets:
        return nation, 0
    holder = sheets[nation].naval_moves_of or nation
    moves = sheets[holder].naval_moves
    return holder, moves + (1 if not moves and nation in s.evolved else 0)


def check_strategic(
    s: State, move: StrategicMove
) -> tuple[str, Group, list[tuple[str, Group]], tuple[Unit, ...]]:
    """Whether the move may be made: whose transport, which, what it takes aboard from where, and
    all that it carries then.

    Rules: 10.6a, 10.6b, 10.6c, 10.6d, 10.6e, 10.6f
    """
    facts, path = s.facts, move.path
    if not on(s, "strategic_naval"):
        raise IllegalDecision("Strategic naval movement is not used in this game.", "10.6a")
    nation = mover_of(s, move.nation)
    if move.ship not in SHIPS:
        raise IllegalDecision("Only transports with cargo move strategically.", "10.6c")
    if len(path) < 2 or len(path) - 1 > FARTHEST:
        raise IllegalDecision("A strategic naval move leads up to five sea zones.", "10.6d")
    check_path(s, path, facts.sea_next)
    check_area(s, nation, path[1:])
    friends = side(s, nation).friends
    for zone in (path[0], path[-1]):
        if not naval_bases(s, zone, friends):
            raise IllegalDecision(
                f"No Friendly Shipyard, Dockyard or Port is at {facts.name(zone)}.", "10.6e"
            )
    kind = facts.units[move.ship]
    for here, there in pairwise(path):
        reason = step_closed(s, nation, kind, here, there)
        if reason:
            raise IllegalDecision(reason, "10.6d")
        for unit in enemies_in(s, nation, there):
            other = facts.units[unit.type]
            if other.warship or other.submarine or on_patrol(s, unit):
                raise IllegalDecision(f"Enemies are in {facts.name(there)}.", "10.6d")
    (ship,) = pick(s, nation, path[0], {move.ship: 1}, lambda u: free(u) and carries(u, move.cargo))
    taken = _loads(s, nation, move, friends)
    aboard = [*ship.unit.cargo]
    for _, (unit, count, _) in taken:
        aboard += [Unit(unit.nation, unit.type, duty="moved")] * count
    if not aboard:
        raise IllegalDecision("An empty transport does not move strategically.", "10.6c")
    if not fits(s, ship.unit, aboard):
        raise IllegalDecision("So much does not fit aboard.", "12.2.naval-transport-b")
    holder, moves = allowance(s, nation)
    if s.done.get(f"naval_moves:{holder}", 0) + 1 + len(aboard) > moves:
        raise IllegalDecision(
            f"{facts.name(nation)} has {moves} strategic naval moves a turn; each unit counts.",
            "10.6b",
        )
    if move.offload:
        if not any(
            facts.facilities[f.type].naval and not f.damage
            for f in s.facilities.get(move.offload, ())
        ):
            raise IllegalDecision(f"{facts.name(move.offload)} has no harbour.", "10.6e")
        check_shore(s, path[-1], move.offload, aboard)
    return nation, ship, taken, tuple(sorted(aboard))


def _loads(
    s: State, nation: str, move: StrategicMove, friends: frozenset[str]
) -> list[tuple[str, Group]]:
    """What is taken aboard, at harbours on the way.

    Rules: 10.6f
    """
    found: list[tuple[str, Group]] = []
    wanted: dict[str, dict[str, int]] = {}
    for load in move.load:
        at = load.at or move.path[0]
        if at not in move.path or load.zone not in s.facts.coast[at]:
            raise IllegalDecision(f"{s.facts.name(load.zone)} is not on the way.", "10.6f")
        if not naval_bases(s, at, friends):
            raise IllegalDecision(f"No Friendly harbour is at {s.facts.name(at)}.", "10.6f")
        check_cargo(s, load.units, "land", "air")
        held = wanted.setdefault(load.zone, {})
        for type_, count in load.units.items():
            held[type_] = held.get(type_, 0) + count
    for zone, units in wanted.items():
        found += [(zone, group) for group in pick(s, nation, zone, units, free)]
    return found


def sail_strategically(g: Table[State], move: StrategicMove) -> Procedure[str]:
    """Carry out a checked move; whose transport it is.

    Rules: 10.6b, 12.9d
    """
    s = g.state
    nation, ship, taken, aboard = check_strategic(s, move)
    holder, _ = allowance(s, nation)
    key = f"naval_moves:{holder}"
    s.done[key] = s.done.get(key, 0) + 1 + len(aboard)
    if sea := (yield from sunk_at(g, nation, move.path)):
        s.destroy(move.path[0], ship.unit)
        drown(s, move.path, move.load, taken, sea)
        return nation
    for zone, group in taken:
        s.take(zone, group.unit, group.count)
    s.take(move.path[0], ship.unit)
    cargo = () if move.offload else aboard
    s.put(
        move.path[-1],
        ship.unit._replace(used=FARTHEST, duty="moved", target="", cargo=cargo),
    )
    for piece in aboard if move.offload else ():
        s.put(move.offload, Unit(piece.nation, piece.type, used=1, duty="moved"))
    return nation
