"""The Land Movement Phase (5.0 to 5.3): moves along a path, with overruns on their way.

A move is checked as a whole before it begins (`walk`). It is carried out up to the next hex in
which it violates somebody's neutrality or overruns Enemies; what follows from that is drawn, and
the rest of the path goes on as far as it still can. Until then it stands in the state (`March`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import ClassVar, NamedTuple

from sandtable.games.gw75.facts import number
from sandtable.games.gw75.model import March, News, State, Unit
from sandtable.games.gw75.rules import (
    amphibious,
    attacks,
    indochina,
    italy,
    land_combat,
    neutrals,
    overrun,
    politics,
    rights,
    ussr,
)
from sandtable.games.gw75.rules.amphibious import Invade
from sandtable.games.gw75.rules.common import Done, in_turn
from sandtable.games.gw75.rules.consequences import settle
from sandtable.games.gw75.rules.mobility import (
    MOVERS,
    allowance,
    by_nation,
    check_units,
    cost,
    fresh,
    kinds,
    pick,
    somewhere,
)
from sandtable.games.gw75.rules.stacking import Part, remove_overstacks
from sandtable.games.gw75.rules.terms import (
    GROUND,
    cited,
    commander,
    enters,
    friends,
    nations,
    phase_side,
)
from sandtable.games.gw75.rules.zones import at_home, sources
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

OVERSTACK = "overstack"
"""The step in which what is too much in a hex is removed."""


class Move(Decision, frozen=True, tag="move"):
    """Move land units together along a path, from the hex where they are to the last one."""

    path: tuple[str, ...]
    units: tuple[Part, ...]
    """Nation, type and number of Strength Points."""


class LandMovement(Request, frozen=True, tag="land_movement"):
    """Move land units, or be done."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Move, Invade, Done)

    def check(self, state: State, decision: Decision) -> None:
        if isinstance(decision, Move):
            check_move(state, self.power, decision)
        elif isinstance(decision, Invade):
            amphibious.check(state, self.power, decision)
        elif isinstance(decision, Done):
            for move in _partition(state, self.power):
                raise IllegalDecision(
                    f"The Soviet army has to enter {state.facts.name(move.path[-1])}.", "19.71b"
                )

    def decisions(self, state: State) -> Iterator[Decision]:
        """To be done; each kind of units that can move, one of them and all of them, to each hex
        within reach by a cheapest way; whole stacks too; and landings."""
        if next(_partition(state, self.power), None) is None:
            yield Done()
        for hex in _hexes(state, self.power):
            found = kinds(state, self.power, hex, fresh)
            forces: set[tuple[Part, ...]] = {
                ((nation, type, number),)
                for (nation, type), count in found.items()
                for number in (1, count)
            }
            if found:
                forces.add(tuple(sorted((*key, count) for key, count in found.items())))
            for units in sorted(forces):
                for _, path in reach(state, hex, units).values():
                    if not _held_back(state, hex, path[-1], units):
                        yield Move(path, units)
        yield from amphibious.decisions(state, self.power)

    def sample(self, state: State, rng: random.Random) -> Decision:
        """Some units somewhere, on a random way; now and then a landing, or to be done."""
        for _ in range(4):
            chance = rng.random()
            if chance < 0.05:
                break
            if chance < 0.08:
                found: Decision | None = amphibious.at_random(state, self.power, rng)
            else:
                found = self._stroll(state, rng)
            if found is not None:
                return found
        return next(_partition(state, self.power), Done())

    def _stroll(self, s: State, rng: random.Random) -> Move | None:
        """A random way of random units; None if it leads nowhere."""
        hex, found = somewhere(s, self.power, rng, fresh)
        if not found:
            return None
        if rng.random() < 0.5:
            key = rng.choice(list(found))
            found = {key: rng.randint(1, found[key])}
        units = tuple(sorted((*key, count) for key, count in found.items()))
        path = [hex]
        left = allowance(s, hex)
        while left > 0:
            near = s.facts.land[path[-1]]
            there = list(near)[int(rng.random() * len(near))] if near else path[-1]
            if there in path:
                break
            mountain = near[there]
            path.append(there)
            left -= cost(s, there, mountain)
            if rng.random() < 0.2:
                break
        way = passable(s, units, tuple(path), allowance(s, hex), first=True)
        if len(way) == 1 or _held_back(s, hex, way[-1], units):
            return None
        return Move(way, units)


def _held_back(s: State, hex: str, to: str, units: Sequence[Part]) -> bool:
    """Whether some of these units may not leave their hex for another, as a garrison has to
    stay."""
    return any(
        politics.may_leave(s, nation, hex, sum(types.values()), to)
        for nation, types in by_nation(units).items()
    )


def _hexes(s: State, player: str) -> list[str]:
    """The hexes in which a player has units."""
    return sorted({hex for nation in nations(s, player) for hex in s.presence[nation]})


# --- what a path may do ---------------------------------------------------------------------------


class Walk(NamedTuple):
    """How far units come on a path."""

    steps: int
    left: int
    """Movement Points."""
    reason: str = ""
    """Why not farther; empty if they come to its end."""
    rule: str = ""


def walk(
    s: State,
    units: Sequence[Part],
    path: Sequence[str],
    left: int,
    *,
    first: bool = False,
    free: bool = False,
) -> Walk:
    """How far units that have so many Movement Points come together on a path; as the `first` hex
    of their move they may enter one that costs more than they have. They stop in an Enemy Zone of
    Control and never go from one directly to another. The zones of who is overrun on the way do not
    matter. Those of a neutral come alive when its border is crossed: that hex itself (or the next
    one, if it is `free`) is entered without regard to them.

    Rules: 5.0a, 5.12, 5.21, 5.22, 5.23, 5.24, 5.25, 5.57d, 6.52, 5.64a, 5.64b, 6.0c
    """
    name, land = s.facts.name, s.facts.land
    own = sorted({nation for nation, _, _ in units})
    led = neutrals.led(own)
    bound = any(type == "sd" for _, type, _ in units)
    victims = frozenset(hex for hex in path[1:] if strangers(s, own, hex))
    also: frozenset[str] = frozenset()
    stopped = False
    for step in range(1, len(path)):
        here, hex = path[step - 1], path[step]
        if hex not in land[here]:
            return Walk(step - 1, left, *_no_way(s, here, hex))
        if bound and not at_home(s, path[0], hex):
            return Walk(
                step - 1, left, "Self-Defense units never leave their Home Country.", "6.51"
            )
        for nation in own:
            why = neutrals.barred(s, nation, hex, led=nation in led)
            if why:
                return Walk(step - 1, left, why, cited(why))
        price = cost(s, hex, land[here][hex])
        if price > left and not (first and step == 1):
            points = "Movement Point" if price == 1 else "Movement Points"
            return Walk(
                step - 1, left, f"{name(hex)} costs {price} {points}, and {left} are left.", "5.12"
            )
        if stopped:
            return Walk(
                step - 1, left, f"Units stop in the Enemy Zone of Control in {name(here)}.", "5.24"
            )
        under = _under(s, own, hex, victims, also)
        if under and _under(s, own, here, victims, also) and not (free and step == 1):
            return Walk(
                step - 1,
                left,
                f"{name(here)} and {name(hex)} are both in Enemy Zones of Control.",
                "5.22",
            )
        whom = violated(s, own, hex)
        if hex in victims:
            why, rule = _blocked(s, units, own, here, hex)
            if why:
                return Walk(step - 1, left, why, rule)
        also |= {each for _, each in whom}
        stopped = under and not (free and step == 1)
        left = max(0, left - price)
    return Walk(len(path) - 1, left)


def passable(
    s: State,
    units: Sequence[Part],
    path: tuple[str, ...],
    left: int,
    *,
    first: bool = False,
    free: bool = False,
) -> tuple[str, ...]:
    """The part of a path that units can go: without Enemies to be overrun behind its end, whose
    zones count then."""
    while True:
        steps = walk(s, units, path, left, first=first, free=free).steps
        if steps == len(path) - 1:
            return path
        path = path[: steps + 1]


def _no_way(s: State, here: str, hex: str) -> tuple[str, str]:
    name = s.facts.name
    if hex not in s.facts.hexes:
        return f"There is no hex {name(hex)}.", "5.0c"
    if hex not in s.facts.near[here]:
        return f"{name(here)} and {name(hex)} are not adjacent.", "5.0c"
    if not s.facts.hexes[hex].dry:
        return f"{name(hex)} is all sea.", "3.1b"
    return f"Land units cannot cross from {name(here)} to {name(hex)}.", "3.1b"


def _under(
    s: State, own: Sequence[str], hex: str, victims: frozenset[str], also: frozenset[str]
) -> bool:
    """Whether a hex is in a Zone of Control of an Enemy who is not overrun."""
    return any(source not in victims for nation in own for source in sources(s, nation, hex, also))


def strangers(s: State, own: Sequence[str], hex: str) -> bool:
    """Whether there are land units in a hex that are not friends of all of these nations, nor come
    to be if they enter it."""
    stack = s.at.get(hex)
    return bool(stack) and any(
        unit.type in GROUND
        and not friends(s, nation, unit.nation)
        and not italy.comes_in(s, nation, unit.nation)
        and not indochina.beside(s, nation, unit.nation, hex)
        for unit in stack or ()
        for nation in own
    )


def violated(s: State, own: Sequence[str], hex: str) -> list[tuple[str, str]]:
    """Who of these nations would violate whom by entering a hex.

    Rules: 11.3a, 19.94
    """
    led = neutrals.led(own)
    found = ((nation, neutrals.violates(s, nation, hex)) for nation in own if nation not in led)
    return [(nation, whom) for nation, whom in found if whom]


def _blocked(
    s: State,
    units: Sequence[Part],
    own: Sequence[str],
    here: str,
    hex: str,
) -> tuple[str, str]:
    """Why units cannot enter a hex with land units in it, unless they overrun them."""
    name = s.facts.name
    for unit in s.stack(hex):
        if unit.type not in GROUND:
            continue
        for nation in own:
            enemy = attacks.opposed(s, nation, unit.nation, hex)
            if not friends(s, nation, unit.nation) and not enemy:
                return f"{name(unit.nation)} is in {name(hex)} and no ally.", "5.57d"
    return overrun.why_not(s, units, here, hex)


def check_move(s: State, player: str, decision: Move) -> None:
    """IllegalDecision if a player cannot move units so.

    Rules: 5.0a, 5.0c, 5.11
    """
    path = decision.path
    if len(path) < 2:
        raise IllegalDecision("A move leads along at least two hexes.", "5.0c")
    if path[0] not in s.facts.hexes:
        raise IllegalDecision(f"There is no hex {s.facts.name(path[0])}.", "5.0c")
    check_units(s, player, path[0], path[-1], decision.units, fresh, "5.0c")
    found = walk(s, decision.units, path, allowance(s, path[0]), first=True)
    if found.reason:
        raise IllegalDecision(found.reason, found.rule)


def _partition(s: State, player: str) -> Iterator[Move]:
    """Moves by which the Soviet army enters hexes of Eastern Poland that it has to.

    Rules: 19.71b
    """
    if player == commander(s, "ussr"):
        for hex in ussr.to_enter(s):
            for near in s.facts.near[hex]:
                for nation, type in kinds(s, player, near, fresh):
                    move = Move((near, hex), ((nation, type, 1),))
                    if nation == "ussr" and passes(check_move, s, player, move):
                        yield move


# --- where units can go ---------------------------------------------------------------------------


def reach(s: State, hex: str, units: Sequence[Part]) -> dict[str, tuple[int, tuple[str, ...]]]:
    """The hexes that units can move to together, each with its cost in Movement Points and a
    cheapest way there: one that violates nobody, where there is one, and without an overrun, where
    there is none with one.

    Rules: 5.0a
    """
    own = sorted({nation for nation, _, _ in units})
    found = _within(s, units, own, hex, peaceful=True)
    around = {near for each in (hex, *found) for near in s.facts.land[each]}
    if any(near not in found and violated(s, own, near) for near in around):
        found = {**_within(s, units, own, hex, peaceful=False), **found}
    return found


def _within(
    s: State, units: Sequence[Part], own: Sequence[str], hex: str, *, peaceful: bool
) -> dict[str, tuple[int, tuple[str, ...]]]:
    """What units can reach, violating nobody or whomever they may."""
    points = allowance(s, hex)
    found = _spread(s, units, (hex,), points, frozenset(), peaceful=peaceful)
    for victim in _prey(s, units, own, hex, points):
        prey = frozenset({victim})
        ways = _spread(s, units, (hex,), points, prey, peaceful=peaceful)
        if victim in ways:
            spent, path = ways[victim]
            beyond = _spread(s, units, path, points - spent, prey, peaceful=peaceful)
            found.setdefault(victim, ways[victim])
            for there, (more, way) in beyond.items():
                if there not in found and there != hex:
                    found[there] = (spent + more, way)
    return found


def _prey(
    s: State, units: Sequence[Part], own: Sequence[str], hex: str, points: int
) -> Iterator[str]:
    """Hexes not too far away with what units may be able to overrun."""
    if sum(count for _, _, count in units) <= s.facts.numbers.overrun_differential:
        return
    for there in s.facts.within(hex, points):
        if there != hex and strangers(s, own, there):
            for near in s.facts.land[there]:
                if not overrun.why_not(s, units, near, there)[0]:
                    yield there
                    break


def _spread(
    s: State,
    units: Sequence[Part],
    start: tuple[str, ...],
    points: int,
    victims: frozenset[str],
    *,
    peaceful: bool,
) -> dict[str, tuple[int, tuple[str, ...]]]:
    """The hexes within so many Movement Points of the end of a path, without further overruns but
    of `victims`, nor further violations if it is `peaceful`; each with its cost and the whole path,
    of those that cost the same one that violates the fewest."""
    own = sorted({nation for nation, _, _ in units})
    led = neutrals.led(own)
    bound = any(type == "sd" for _, type, _ in units)
    land = s.facts.land
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    also = frozenset(whom for each in start[1:-1] for _, whom in violated(s, own, each))
    stopped = len(start) > 1 and _under(s, own, start[-1], victims, also)
    also = also.union(whom for _, whom in violated(s, own, start[-1]))
    heap: list[tuple[int, int, tuple[str, ...], frozenset[str], bool]]
    heap = [(0, len(also), start, also, stopped)]
    seen: set[tuple[str, frozenset[str]]] = set()
    while heap:
        spent, _, path, also, stopped = heappop(heap)
        here = path[-1]
        if (here, also) in seen:
            continue
        seen.add((here, also))  # whom a dearer way leaves at peace has no zones on it
        if here != start[-1]:
            found.setdefault(here, (spent, path))
        if stopped or (here in victims and path != start):
            continue
        under = _under(s, own, here, victims, also)
        for there, mountain in land[here].items():
            price = cost(s, there, mountain)
            if (there, also) in seen or (spent + price > points and len(path) > 1):
                continue
            if there in victims:
                if overrun.why_not(s, units, here, there)[0]:
                    continue
            elif strangers(s, own, there):
                continue
            if any(neutrals.barred(s, nation, there, led=nation in led) for nation in own):
                continue
            if bound and not at_home(s, start[0], there):
                continue
            news = also.union(whom for _, whom in violated(s, own, there))
            if peaceful and news != also:
                continue
            entering = _under(s, own, there, victims, also)
            if under and entering:
                continue
            heappush(heap, (spent + price, len(news), (*path, there), news, entering))
    return found


def why_not(s: State, hex: str, units: Sequence[Part], there: str) -> tuple[str, str]:
    """Why units cannot move together to a hex, and the rule: what stops them on a straight way;
    empty if it does not."""
    grid, hexes = s.facts.grid, s.facts.hexes
    line = [number(*at) for at in grid.line(hexes[hex].at, hexes[there].at)]
    found = walk(s, units, line, allowance(s, hex), first=True)
    return found.reason, found.rule


# --- carrying it out ------------------------------------------------------------------------------


def phase(g: Table[State]) -> Procedure[None]:
    """The Land Movement Phase of a side. What is overstacked at its end is removed.

    Rules: 5.0a, 5.0b, 5.11, 5.15, 7.37
    """
    s = g.state
    which = phase_side(s.phase)
    if s.step == "":
        yield from _go_on(g)
        yield from settle(g)
        yield from in_turn(g, which, asked, act)
        s.step = OVERSTACK
    yield from remove_overstacks(g, which)


def asked(s: State, player: str) -> LandMovement | None:
    """What a player is asked; nothing if it has no land unit that can move, nor any that could in a
    war which it may enter."""
    for nation in nations(s, player):
        for hex, unit, _ in s.units_of(nation):
            if unit.type in MOVERS and fresh(s, hex, unit):
                return LandMovement(player)
    for war in rights.wars(s, player):
        if any(unit.type in MOVERS for _, unit, _ in s.units_of(war.nation)):
            return LandMovement(player)
    if next(amphibious.decisions(s, player), None) is not None:
        return LandMovement(player)
    return None


def act(g: Table[State], player: str, decision: Decision) -> Procedure[None]:
    """Carry out a move or a landing."""
    if isinstance(decision, Invade):
        amphibious.embark(g.state, player, decision)
    elif isinstance(decision, Move):
        _set_out(g.state, decision)
    yield from _go_on(g)


def _set_out(s: State, decision: Move) -> None:
    here = decision.path[0]
    left = allowance(s, here)
    for unit, count in list(pick(s, here, decision.units, fresh)):
        s.change(here, unit, count, left=left, duty="march")
    s.march = March(decision.path)


def _go_on(g: Table[State]) -> Procedure[None]:
    """Go on with the move that is under way, if there is one, until it has ended."""
    s = g.state
    while s.march is not None:
        if s.march.sea:
            yield from amphibious.go_on(g, s.march)
        else:
            yield from _march(g, s.march)


def marching(s: State, hex: str) -> list[tuple[Unit, int]]:
    """The units in a hex whose move is under way."""
    return [(unit, count) for unit, count in s.stack(hex).items() if unit.duty == "march"]


def _march(g: Table[State], march: March) -> Procedure[None]:
    """Go on to the next hex in which something follows, or to the end; then that follows. If it
    has become impossible, the move ends.

    Rules: 5.61c, 5.66, 6.52, 5.64a, 5.64b
    """
    s = g.state
    here, *_ = march.path
    group = marching(s, here)
    units = tuple((unit.nation, unit.type, count) for unit, count in group)
    if units and (march.begun or march.free):
        left, first = group[0][0].left, not march.begun
        way = passable(s, units, march.path, left, first=first, free=march.free)
        march = march._replace(path=way)
    if not units or len(march.path) == 1:
        for unit, count in group:
            s.change(here, unit, count, duty="")
        s.march = None
        return
    own = sorted({nation for nation, _, _ in units})
    there = march.path[1]
    whom = [] if march.free else violated(s, own, there)
    for nation, other in {other: (nation, other) for nation, other in reversed(whom)}.values():
        s.tell(News("violated", nation, other, there))
    if not strangers(s, own, there):
        last = 1
        while not whom and last + 1 < len(march.path) and _plain(s, own, march.path[last + 1]):
            last += 1
        _advance(g, march, last)
    elif whom:
        s.march = march._replace(free=True)
    else:
        g.checkpoint(strict=True)
        yield from land_combat.overrun(g, there, overrun.force_in(here, units))
        amphibious.relieve(s, there)
        _advance(g, march, 1)
    yield from settle(g)


def _plain(s: State, own: Sequence[str], hex: str) -> bool:
    """Whether nothing that matters to the rest of a move follows from entering a hex."""
    return not strangers(s, own, hex) and not violated(s, own, hex)


def _advance(g: Table[State], march: March, last: int) -> None:
    """The units of a march go on so many hexes."""
    s = g.state
    leg = march.path[: last + 1]
    group = marching(s, leg[0])
    price = sum(cost(s, there, s.facts.land[here][there]) for here, there in pairwise(leg))
    for unit, count in group:
        s.take(leg[0], unit, count)
        s.put(leg[-1], unit._replace(left=max(0, unit.left - price)), count)
    forces = by_nation([(unit.nation, unit.type, count) for unit, count in group])
    for nation, units in forces.items():
        for hex in leg[1:]:
            enters(s, hex, nation)
        g.emit("land_move", power=nation, path=list(leg), units=units)
    s.march = March(march.path[last:], begun=True)
