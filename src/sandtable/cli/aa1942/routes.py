"""Finding the way: the path of a move, and the transport and path of a voyage."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product

from sandtable.cli.errors import Unclear
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.routes import Path, walks
from sandtable.games.aa1942.rules.movement import Move, air_route, fresh, sea_paths
from sandtable.games.aa1942.rules.spaces import hostile_territory
from sandtable.games.aa1942.rules.transports import Load, Sail
from sandtable.games.aa1942.words import counted, space_name
from sandtable.kernel.decisions import Decision, Legal
from sandtable.kernel.errors import IllegalDecision


def find_move(
    legal: Legal,
    s: State,
    units: dict[str, int],
    start: str,
    goal: str,
    via: Sequence[str] = (),
    *,
    raid: bool = False,
    cargo: dict[str, int] | None = None,
) -> Move:
    """The move along the first legal way; IllegalDecision of the first way if none is legal.

    Shorter ways go before longer ones, and ways through friendly territory before a blitz.
    """
    kinds = [s.facts.units[type_] for type_ in units]
    reach = min(kind.move for kind in kinds)
    domain = kinds[0].domain
    if domain == "air":
        ways: Iterable[Path] = [_flight(s, [start, *via, goal])]
    else:
        neighbours = s.facts.land_next if domain == "land" else s.facts.sea_next
        ways = sorted(
            (
                way
                for way in walks(neighbours, start, max(reach, len(via) + 1), crossing=bool(via))
                if way[-1] == goal and passes(way[1:-1], via)
            ),
            key=lambda way: (
                len(way),
                sum(hostile_territory(s, land, s.turn) for land in way[1:-1]),
                way,
            ),
        )
        if not ways:
            raise _no_way(s, domain, neighbours, start, goal, units, reach)
    found = _first_legal(legal, (Move(units, way, raid, cargo) for way in ways))
    assert isinstance(found, Move)
    return found


def _flight(s: State, stops: Sequence[str]) -> Path:
    """The shortest flight that touches all the stops."""
    way: Path = (stops[0],)
    for here, there in pairwise(stops):
        for space in (here, there):
            if s.facts.spaces[space].neutral:
                return tuple(stops)  # The rules say what is wrong with it.
        way += air_route(s.facts, here, there)[1:]
    return way


def passes(way: Sequence[str], stops: Sequence[str]) -> bool:
    """Whether a way touches all the stops, in order."""
    rest = iter(way)
    return all(stop in rest for stop in stops)


def _no_way(
    s: State,
    domain: str,
    neighbours: Mapping[str, Sequence[str]],
    start: str,
    goal: str,
    units: Mapping[str, int],
    reach: int,
) -> Unclear:
    """Why there is no way for these units."""
    here, there = space_name(s.facts, start), space_name(s.facts, goal)
    if s.facts.spaces[goal].neutral:
        return Unclear(f"{there} is neutral: no unit may enter it.")
    if start == goal:
        return Unclear(f"The units are in {there} already.")
    if s.facts.spaces[start].sea != (domain == "sea"):
        which = "Ships are in sea zones" if domain == "sea" else "Land units are in territories"
        return Unclear(f"{which}, not in {here}.")
    if s.facts.spaces[goal].sea != (domain == "sea"):
        if domain == "sea":
            return Unclear(f"Ships stay at sea; {there} is land.")
        return Unclear(f"{there} is sea; ship takes land units across: see help.")
    steps = _steps(neighbours, start, goal)
    if steps is None:
        return Unclear(
            f"There is no way by {domain} from {here} to {there}."
            + (" ship takes land units across the sea: see help." if domain == "land" else "")
        )
    slow = min(units, key=lambda type_: s.facts.units[type_].move)
    name = counted(s.facts, slow, 2).removeprefix("2 ")
    return Unclear(f"{there} is {steps} spaces from {here}; {name} move {reach}.")


def _steps(neighbours: Mapping[str, Sequence[str]], start: str, goal: str) -> int | None:
    distance = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if here == goal:
            return distance[here]
        for there in neighbours.get(here, ()):
            if there not in distance:
                distance[there] = distance[here] + 1
                queue.append(there)
    return None


Loading = tuple[dict[str, int], str, str]
"""What is loaded, in which territory, and in which zone ("": wherever it can be)."""


def find_voyage(
    legal: Legal,
    s: State,
    loads: Sequence[Loading],
    stops: Sequence[str],
    offload: str,
    *,
    units: dict[str, int] | None = None,
    owner: str = "",
    cargo: dict[str, int] | None = None,
) -> Sail:
    """The voyage of the first transport that can make it, the shortest way."""
    ship = owner or s.turn
    starts = [
        zone
        for zone in s.facts.sea_zones
        if any(u.type == "transport" and u.power == ship and fresh(u) for u in s.stack(zone))
    ]
    if not starts:
        name = s.facts.names[ship]
        raise Unclear(f"{name} has no transport that can still load, sail or land this turn.")
    voyages = []
    for start in starts:
        ways: list[Path] = [(start,)]
        if ship == s.turn:
            ways += sea_paths(s, start, ("transport",))
        for way in ways:
            if stops and (way[-1] != stops[-1] or not passes(way, stops)):
                continue
            if offload and way[-1] not in s.facts.coast.get(offload, ()):
                continue
            zones = [
                [zone for zone in way if zone in s.facts.coast.get(land, ()) and at in ("", zone)]
                for _, land, at in loads
            ]
            for chosen in product(*zones):
                loading = tuple(
                    Load(land, zone, goods)
                    for (goods, land, _), zone in zip(loads, chosen, strict=True)
                )
                voyages.append(Sail(way, loading, offload, units, owner, cargo))
    if not voyages:
        raise _no_voyage(s, loads, stops, offload, starts)
    voyages.sort(key=lambda sail: (len(sail.path), -_cargo_there(s, sail)))
    found = _first_legal(legal, voyages)
    assert isinstance(found, Sail)
    return found


def _cargo_there(s: State, sail: Sail) -> int:
    """Without loading, a transport with something aboard goes first."""
    if sail.load:
        return 0
    return max(len(u.cargo) for u in s.stack(sail.path[0]) if u.type == "transport")


def _no_voyage(
    s: State, loads: Sequence[Loading], stops: Sequence[str], offload: str, starts: Sequence[str]
) -> Unclear:
    def name(space: str) -> str:
        return space_name(s.facts, space)

    for _, land, at in loads:
        if not s.facts.coast.get(land):
            return Unclear(f"{name(land)} has no coast.")
        if at and at not in s.facts.coast[land]:
            return Unclear(f"{name(at)} is not on the coast of {name(land)}.")
    if offload and not s.facts.coast.get(offload):
        return Unclear(f"{name(offload)} has no coast.")
    if offload and stops and stops[-1] not in s.facts.coast[offload]:
        return Unclear(f"{name(stops[-1])} is not on the coast of {name(offload)}.")
    where = ", ".join(name(zone) for zone in starts)
    return Unclear(f"No transport can do that this turn; transports that can move are in {where}.")


def _first_legal(legal: Legal, decisions: Iterable[Decision]) -> Decision:
    """The first that is legal; the objection to the first of all if none is."""
    objection: IllegalDecision | None = None
    for decision in decisions:
        try:
            return legal.read(decision)
        except IllegalDecision as error:
            objection = objection or error
    assert objection is not None
    raise objection
