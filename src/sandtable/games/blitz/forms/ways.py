"""Where a chosen unit can go, how, and why not elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from sandtable.board.graphs import route
from sandtable.games.blitz import words
from sandtable.games.blitz.forms.parts import place_name
from sandtable.games.blitz.forms.steps import LOAD
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.bases import Base, Return, choices
from sandtable.games.blitz.rules.move_land import Land, March, MoveLand, next_areas, paths
from sandtable.games.blitz.rules.move_to_sea import Fly, MoveToSea, Sail, blockade_value
from sandtable.games.blitz.rules.movement import (
    air_range,
    air_reach,
    capacity,
    closed_between,
    next_seas,
    port_seas,
    sea_route,
)
from sandtable.games.blitz.rules.rebase import (
    Rebase,
    RebaseUnits,
    Stop,
    allowance,
    barred_seas,
    bases_in_reach,
    leg,
    passengers,
)
from sandtable.games.blitz.rules.return_to_base import ReturnToBase
from sandtable.games.blitz.rules.rounds import convoy_owner
from sandtable.games.blitz.rules.sides import enemies, enemy_held, fights, introduced
from sandtable.games.blitz.rules.stacking import open_to
from sandtable.games.blitz.rules.steps import StepRequest
from sandtable.games.blitz.rules.supply import in_supply
from sandtable.kernel.decisions import Decision, Legal, plain
from sandtable.kernel.display import Choice, NoQuestion, Reach, Refusal, Way
from sandtable.kernel.errors import IllegalDecision

_FAR = 60
_MOST_WAYS, _MOST_TRIPS = 8, 24
"""So many decisions are offered for one goal, and under each heading of their own."""

_MOST_REFUSED = 40
"""So many places are told why they cannot be reached."""


class _Try(NamedTuple):
    """A decision that brings the unit to `end`, if it is legal."""

    end: str
    decision: Decision
    label: str
    path: Callable[[], tuple[str, ...]]
    """From where it is to the end."""
    note: str = ""
    battle: bool = False
    group: str = ""
    """The heading under which it stands, if it is not among the usual ones."""


def reach(legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
    """Where the unit that is chosen in `space` can go, with what it takes aboard."""
    request, s = legal.asked, legal.state
    if not isinstance(request, ReturnToBase | MoveToSea | RebaseUnits | MoveLand):
        raise NoQuestion("There is nothing to move now.")
    id, load = _chosen(s, request, space, chosen)
    if isinstance(request, ReturnToBase):
        tries, near, else_ = _returns(s, id), _around(s, id), _range(s, id)
    elif isinstance(request, MoveToSea):
        tries, near, else_ = _to_sea(s, id, load), _seas_around(s, id), _range(s, id)
    elif isinstance(request, RebaseUnits):
        tries, near, else_ = _rebases(s, id, load), _around(s, id), _range(s, id, allowance(s, id))
    else:
        tries, near, else_ = _marches(s, id), _lands_around(s, id), _range(s, id)
    return _answer(s, request, tries, near, else_)


def _chosen(
    s: State, request: StepRequest, space: str, chosen: Mapping[str, int]
) -> tuple[str, tuple[str, ...]]:
    """The unit that is to move, and what it is to take aboard."""
    named = [key for key, number in chosen.items() if number > 0]
    movers = [key for key in named if not key.startswith(LOAD)]
    load = tuple(key.removeprefix(LOAD) for key in named if key.startswith(LOAD))
    if not movers:
        raise NoQuestion("Choose the unit that moves." if not load else "Choose the ship as well.")
    if len(movers) > 1:
        raise NoQuestion("Units move one at a time: choose one of them.")
    (id,) = movers
    for each in (id, *load):
        if each not in s.units or s.units[each].at != space:
            raise NoQuestion("That unit is not there any more.")
    if s.units[id].power != request.power:
        raise NoQuestion("That unit is not yours.")
    if load and not capacity(s, id) and s.domain(id) != "air":
        raise NoQuestion(f"{s.facts.names[id]} carries nothing.")
    if load and not isinstance(request, MoveToSea | RebaseUnits):
        raise NoQuestion("Nothing is taken aboard in this step.")
    return id, load


def _answer(
    s: State,
    request: StepRequest,
    tries: Iterable[_Try],
    near: Iterable[tuple[str, Decision]],
    elsewhere: str,
) -> Reach:
    """The legal ones of the decisions by their ends, and why neighbours are out of reach."""
    ways: dict[str, list[_Try]] = {}
    refused: dict[str, Refusal] = {}
    for one in tries:
        alike = [each for each in ways.get(one.end, ()) if each.group == one.group]
        if len(alike) == (_MOST_TRIPS if one.group else _MOST_WAYS):
            continue
        try:
            request.refuse(s, one.decision)
        except IllegalDecision as error:
            refused.setdefault(one.end, Refusal(error.reason, error.rule))
            continue
        ways.setdefault(one.end, []).append(one)
    for area, decision in near:
        if area in ways or area in refused or len(refused) >= _MOST_REFUSED:
            continue
        try:
            request.refuse(s, decision)
        except IllegalDecision as error:
            refused[area] = Refusal(error.reason, error.rule)
    return Reach(
        ways={end: _way(found) for end, found in ways.items()},
        refused={
            area: why for area, why in refused.items() if area not in ways and area in s.in_play
        },
        elsewhere=elsewhere,
    )


def _way(found: list[_Try]) -> Way:
    first = found[0]
    return Way(
        decisions=tuple(
            Choice(one.label, plain(one.decision), detail=one.note, group=one.group)
            for one in found
        ),
        path=first.path(),
        battle=first.battle,
        note=first.note,
    )


def _along(origin: str, areas: tuple[str, ...], *more: str) -> tuple[str, ...]:
    return (origin, *areas, *more)


def _range(s: State, id: str, limit: int | None = None) -> str:
    """Why every other place is out of the question."""
    name, move = s.facts.names[id], s.facts.kinds[id].move if limit is None else limit
    return f"{name} cannot get there now: it has {words.number(move, 'point')} of movement."


# --- flights -------------------------------------------------------------------------------------


def _flight(s: State, id: str, goal: str, limit: int) -> tuple[str, ...]:
    """The areas that an air unit flies over, from its own to the goal."""
    origin = s.units[id].at
    near = air_reach(s, origin, limit)
    way = route(
        origin,
        goal,
        lambda area: (step for step in s.facts.air_steps[area] if step[0] in near),
        limit,
    )
    return (origin, *(way or (goal,)))


# --- A: return to base ---------------------------------------------------------------------------


def _returns(s: State, id: str) -> Iterator[_Try]:
    origin = s.units[id].at
    for area, port in choices(s, id, origin):
        yield _Try(
            area,
            Return(id, area, port),
            f"Return to {place_name(s, area, port)}",
            partial(_way_home, s, id, area, port),
        )


def _way_home(s: State, id: str, area: str, port: str) -> tuple[str, ...]:
    origin = s.units[id].at
    if s.domain(id) == "air":
        return _flight(s, id, area, _FAR)
    ways = []
    for force in (False, True):
        for sea in s.facts.ports[area][port].seas:
            way = sea_route(s, id, origin, sea, _FAR, force=force) if sea in s.in_play else None
            if way is not None:
                ways.append(way)
        if ways:
            break
    return (origin, *min(ways, key=len, default=()), area)


def _around(s: State, id: str) -> Iterator[tuple[str, Decision]]:
    """Bases near a unit that a player would try."""
    at, step = s.units[id].at, s.step
    naval = s.domain(id) == "naval"
    areas = [area for area, _ in s.facts.air_steps[at]]
    areas += [area for near in areas for area, _ in s.facts.air_steps[near]]
    for area in dict.fromkeys(areas):
        if area in s.control and area != at:
            ports = tuple(s.facts.ports[area]) if naval else ("",)
            for port in ports or ("",):
                decision: Decision = (
                    Return(id, area, port) if step == "A" else Rebase(id, area, port)
                )
                yield area, decision
                break


# --- B: move to sea ------------------------------------------------------------------------------


class _Course(NamedTuple):
    """A way of a ship: passages to be forced, the blockades to be run, and the seas."""

    forced: int
    risk: int
    seas: tuple[str, ...]

    @property
    def rank(self) -> tuple[int, int, int]:
        return self.forced, self.risk, len(self.seas)


def _courses(s: State, id: str, limit: int) -> dict[str, dict[int, _Course]]:
    """Sea area to the safest ways there, by their length."""
    values: dict[str, int] = {}

    def value(sea: str) -> int:
        if sea not in values:
            values[sea] = blockade_value(s, id, sea)
        return values[sea]

    layer = {sea: _Course(0, 0, (sea,)) for sea in port_seas(s, id)}
    found: dict[str, dict[int, _Course]] = {sea: {1: way} for sea, way in layer.items()}
    for length in range(2, limit + 1):
        longer: dict[str, _Course] = {}
        for sea, way in layer.items():
            for other in next_seas(s, id, sea, force=True):
                if other in way.seas:
                    continue
                force = way.forced + (closed_between(s, id, sea, other) is not None)
                course = _Course(force, way.risk + value(sea), (*way.seas, other))
                if other not in longer or course.rank < longer[other].rank:
                    longer[other] = course
        for sea, way in longer.items():
            found.setdefault(sea, {})[length] = way
        layer = longer
    return found


def _to_sea(s: State, id: str, load: tuple[str, ...]) -> Iterator[_Try]:
    facts, origin = s.facts, s.units[id].at
    if s.domain(id) == "air":
        limit = air_range(s, id)
        for area in air_reach(s, origin, limit):
            if area in facts.seas and area in s.in_play:
                yield _Try(
                    area,
                    Fly(id, area),
                    f"Fly to {facts.names[area]}",
                    partial(_flight, s, id, area, limit),
                    battle=_enemy_at_sea(s, id, area),
                )
        return
    if origin not in facts.lands:
        return
    limit = facts.kinds[id].move if in_supply(s, id) else 1
    courses = _courses(s, id, limit)
    for sea, ways in courses.items():
        safest = min(ways.values(), key=lambda way: way.rank)
        shortest = ways[min(ways)]
        for way in dict.fromkeys((safest, shortest)):
            yield _Try(
                sea,
                Sail(id, way.seas, load=load),
                _label("Sail to", s, sea, "", way.seas[:-1] if way is not safest else ()),
                partial(_along, origin, way.seas),
                _risks(s, id, way.seas[:-1]),
                _enemy_at_sea(s, id, sea),
            )
    into: dict[Base, _Course] = {}
    for sea, ways in courses.items():
        for way in ways.values():
            if len(way.seas) == limit:
                continue
            leaving = _Course(way.forced, way.risk + blockade_value(s, id, sea), way.seas)
            for base in facts.havens[sea]:
                if base[0] in s.control and (base not in into or leaving.rank < into[base].rank):
                    into[base] = leaving
    for (area, port), way in into.items():
        if area == origin or enemy_held(s, area, s.units[id].power) or not s.control[area]:
            continue
        yield _Try(
            area,
            Sail(id, (*way.seas, area), port, load),
            _label("Sail into", s, area, port, ()),
            partial(_along, origin, way.seas, area),
            _risks(s, id, way.seas),
        )


def _label(verb: str, s: State, area: str, port: str, via: Iterable[str]) -> str:
    way = words.names(s.facts, via)
    return f"{verb} {place_name(s, area, port)}" + (f" by way of {way}" if way else "")


def _risks(s: State, id: str, seas: Iterable[str]) -> str:
    """The blockades on a way, in words."""
    run = [(sea, value) for sea in seas if (value := blockade_value(s, id, sea))]
    return " ".join(
        f"Blockade in {s.facts.names[sea]}: "
        + (f"a die of {value} or less stops it there." if value < 6 else "nobody gets through.")
        for sea, value in run
    )


def _enemy_at_sea(s: State, id: str, sea: str) -> bool:
    """Whether a unit would meet an enemy unit or convoy in a sea area, and fight it."""
    if not introduced(s, "C"):
        return False
    if any(s.domain(other) != "land" and enemies(s, id, other) for other in s.units_at(sea)):
        return True
    owner = convoy_owner(s, sea) if sea in s.facts.convoys else ""
    return bool(owner) and fights(s, id, owner)


def _seas_around(s: State, id: str) -> Iterator[tuple[str, Decision]]:
    at = s.units[id].at
    if at not in s.facts.lands:
        return
    if s.domain(id) == "air":
        near = [area for area, _ in s.facts.air_steps[at]]
        near += [sea for area in near for sea, _ in s.facts.air_steps[area]]
        for sea in dict.fromkeys(near):
            if sea in s.facts.seas and sea in s.in_play:
                yield sea, Fly(id, sea)
        return
    for sea in s.facts.coast[at]:
        if sea in s.in_play:
            yield sea, Sail(id, (sea,))
    for sea in port_seas(s, id):
        for other in s.facts.sea_next[sea]:
            if other in s.in_play:
                yield other, Sail(id, (sea, other))
        for area, port in s.facts.havens[sea]:
            if area in s.control and area != at:
                yield area, Sail(id, (sea, area), port)


# --- D: rebase -----------------------------------------------------------------------------------


def _rebases(s: State, id: str, load: tuple[str, ...]) -> Iterator[_Try]:
    unit = s.units[id]
    own = (unit.at, unit.port)
    carries = s.type(id) == "TRS" or s.domain(id) == "air"
    for area, port in bases_in_reach(s, id):
        path = partial(_lane, s, id, area, port)
        name = place_name(s, area, port)
        if (area, port) != own:
            with_ = f" with {words.names(s.facts, load)}" if load else ""
            yield _Try(area, Rebase(id, area, port, load), f"Rebase to {name}{with_}", path)
        if carries and area != unit.at:
            for rebase, label, group in _trips(s, id, load, (area, port)):
                yield _Try(area, rebase, label, path, group=group)


_ON, _TWICE = "And then go on", "In two trips"


def _trips(
    s: State, id: str, load: tuple[str, ...], stop: Base
) -> Iterator[tuple[Rebase, str, str]]:
    """Rebases that call at a base: to land there what is aboard, or to fetch what is there. They
    come back, or go on under a heading of their own; of whatever else waits at home some may
    follow in a second trip."""
    unit, names, (area, port) = s.units[id], s.facts.names, stop
    own, name = (unit.at, unit.port), place_name(s, *stop)
    left = allowance(s, id) - (leg(s, id, own, stop) or 0)

    def near(to: Base) -> bool:
        cost = leg(s, id, stop, to)
        return cost is not None and cost <= left

    further = [
        to
        for to in bases_in_reach(s, id)
        if to not in (own, stop) and to[0] != unit.at and near(to)
    ]
    if load:
        calls = (Stop(area, port, land=load),)
        with_ = words.names(s.facts, load)
        yield Rebase(id, *own, load, calls), f"Bring {with_} to {name} and come back", ""
        for more in _fetched(s, id, unit.at, load):
            again = (*calls, Stop(*own, embark=more))
            label = f"Bring {with_} to {name}, then {words.names(s.facts, more)}"
            yield Rebase(id, *stop, load, again), label, _TWICE
        for to in further:
            label = f"Bring {with_} to {name}, then go on to {place_name(s, *to)}"
            yield Rebase(id, *to, load, calls), label, _ON
        return
    for some in _fetched(s, id, area):
        calls, with_ = (Stop(area, port, embark=some),), words.names(s.facts, some)
        yield Rebase(id, *own, (), calls), f"Fetch {with_} from {name}", ""
        for to in further:
            label = f"Fetch {with_} from {names[area]} and bring it to {place_name(s, *to)}"
            yield Rebase(id, *to, (), calls), label, _ON


def _fetched(s: State, id: str, area: str, but: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """What a unit could fetch from a land area: all that fits, and single ones."""
    if s.domain(id) == "air":
        # It carries A-Bombs only, if it can.
        yield from ((each,) for each in passengers(s, id, area))
        return
    room = capacity(s, id)
    fitting: list[str] = []
    there = [
        each for each in passengers(s, id, area) if s.units[each].size <= room and each not in but
    ]
    for each in there:
        if sum(s.units[other].size for other in (*fitting, each)) <= room:
            fitting.append(each)
    if len(fitting) > 1:
        yield tuple(fitting)
    for each in there:
        yield (each,)


def _lane(s: State, id: str, area: str, port: str) -> tuple[str, ...]:
    """The way of a rebase: seas without enemies, and own ports."""
    unit = s.units[id]
    if s.domain(id) != "naval":
        return _flight(s, id, area, allowance(s, id))
    barred, safe = barred_seas(s, id), open_to(s, unit.power, s.facts.kinds[id].home)

    def steps(node: str) -> Iterator[tuple[str, int]]:
        if node in s.facts.seas:
            for sea in next_seas(s, id, node):
                if sea not in barred:
                    yield sea, 1
            for base in s.facts.havens[node]:
                if base == (area, port) or base[0] in safe:
                    yield f"{base[0]}/{base[1]}", 1
            return
        land, _, berth = node.partition("/")
        for sea in s.facts.ports[land][berth].seas:
            if sea in s.in_play and sea not in barred:
                yield sea, 1

    start, goal = f"{unit.at}/{unit.port}", f"{area}/{port}"
    way = route(start, goal, steps, allowance(s, id)) or (goal,)
    return (unit.at, *(node.partition("/")[0] for node in way))


# --- E: move land units --------------------------------------------------------------------------


def _marches(s: State, id: str) -> Iterator[_Try]:
    unit, facts = s.units[id], s.facts
    if unit.aboard:
        for area in facts.coast[unit.at]:
            if area in s.control and not enemy_held(s, area, unit.power):
                yield _Try(
                    area,
                    Land(id, area),
                    f"Land in {facts.names[area]}",
                    partial(_along, unit.at, (area,)),
                )
        return
    if unit.at not in facts.lands:
        return
    found: dict[tuple[str, frozenset[str]], tuple[str, ...]] = {}
    for path in paths(s, id):
        taken = frozenset(area for area in path if enemy_held(s, area, unit.power))
        key = (path[-1], taken)
        if key not in found or len(path) < len(found[key]):
            found[key] = path
    for (end, taken), path in sorted(
        found.items(), key=lambda item: (len(item[1]), len(item[0][1]), item[1])
    ):
        if end == unit.at and not taken:
            continue
        via = words.names(facts, path[:-1])
        takes = [area for area in dict.fromkeys(path) if enemy_held(s, area, unit.power)]
        yield _Try(
            end,
            March(id, path),
            f"Move to {facts.names[end]}" + (f" by way of {via}" if via else ""),
            partial(_along, unit.at, path),
            f"Takes {words.names(facts, takes)}." if takes else "",
        )


def _lands_around(s: State, id: str) -> Iterator[tuple[str, Decision]]:
    at = s.units[id].at
    if s.units[id].aboard:
        for area in s.facts.coast[at]:
            if area in s.control:
                yield area, Land(id, area)
    elif at in s.facts.lands:
        near = [area for area, _ in next_areas(s, id, at)]
        for area in near:
            yield area, March(id, (area,))
        for middle in near:
            for area, _ in next_areas(s, id, middle):
                if area != at:
                    yield area, March(id, (middle, area))
