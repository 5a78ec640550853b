"""Moving land units (5.2)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.blitz import blitz_of, check_blitz, use_blitz, used_up
from sandtable.games.blitz.rules.consequences import take_control
from sandtable.games.blitz.rules.control import claimant
from sandtable.games.blitz.rules.leave import ask_leave, make_room
from sandtable.games.blitz.rules.sides import enemy_held, may_attack, same_player
from sandtable.games.blitz.rules.stacking import (
    Refusal,
    closed_to,
    confined,
    must_stay,
    no_room,
    open_to,
    refused,
)
from sandtable.games.blitz.rules.steps import (
    DeclareWar,
    Done,
    StepRequest,
    Wait,
    each_in_turn,
    skip_idle,
    some_units,
)
from sandtable.games.blitz.rules.supply import in_supply
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class March(Decision, frozen=True, tag="march"):
    """Move a land unit from area to area; enemy areas on the way are taken."""

    unit: str
    path: tuple[str, ...]


class Land(Decision, frozen=True, tag="land"):
    """Put a land unit ashore from its transport at sea, in a friendly land area."""

    unit: str
    to: str


class Claim(Decision, frozen=True, tag="claim"):
    """Move a land unit into the area that an ally is about to take, by this path."""

    unit: str
    path: tuple[str, ...]


# --- what is allowed ------------------------------------------------------------------------------


def bars_entry(s: State, id: str, area: str) -> Refusal | None:
    """Why a land unit may not move into a land area, to stay or to go on; None if it may.

    Rules: 5.2c, 5.2d, 5.2.china-a, 2.2.free-e, 3.2.align-e, A.4c, A.4d, D.1d, 1.3.route-b, 1.6a
    """
    if not enemy_held(s, area, s.units[id].power):
        return refused(s, id, area)
    name = s.facts.names[area]
    if any(s.domain(other) == "land" for other in s.units_at(area)):
        return Refusal(f"There are enemy land units in {name}.", "5.2d")
    if not may_attack(s, id, area):
        return Refusal(f"{s.facts.names[id]} is not at war with who holds {name}.", "5.2c")
    if blitz_of(s, s.units[id].power) == "free":
        return Refusal("In a Free Blitz nothing moves into enemy land areas.", "2.2.free-e")
    return closed_to(s, id, area) or no_room(s, id, area)


def _overseas(s: State, id: str, here: str, area: str) -> bool:
    """Whether the scenario lets a land unit cross from one area to another.

    Rules: A.5a
    """
    rule = s.scenario.own.get("overseas_move")
    return (
        rule is not None
        and (here, area) == (rule["from"], rule["to"])
        and s.units[id].power == rule["power"]
    )


def entry_cost(s: State, area: str) -> int:
    """The movement that it takes a land unit to enter a land area.

    Rules: 5.2e, A.4b, errata.seasia-mountain
    """
    return s.facts.terrain[s.facts.lands[area].terrain].move


def next_areas(s: State, id: str, here: str) -> Iterator[tuple[str, bool]]:
    """The land areas next to one for a land unit, and whether its move ends with the step.

    Rules: 1.3.adj-a, 1.3.route-a, 5.2f, A.5a, D.1d, errata.seasia-canton
    """
    for area in s.facts.land_next[here]:
        yield area, False
    for area in s.facts.land_routes[here]:
        yield area, True
    rule = s.scenario.own.get("overseas_move")
    if rule is not None and _overseas(s, id, here, rule["to"]):
        yield rule["to"], True


def _check_way(s: State, id: str, path: tuple[str, ...]) -> None:
    """Raise IllegalDecision if a land unit cannot go from area to area like that.

    Rules: 5.2e, 5.2f, A.4a, A.4b, A.5a
    """
    here, left, ended = s.units[id].at, s.facts.kinds[id].move, False
    if not path:
        raise IllegalDecision("Name the areas that it moves through.", "5.2e")
    for area in path:
        if ended:
            raise IllegalDecision(f"Its move ends in {s.facts.names[here]}.", "5.2f")
        if area not in s.facts.land_next[here]:
            ended = area in s.facts.land_routes[here] or _overseas(s, id, here, area)
            if not ended:
                raise IllegalDecision(
                    "A land unit moves from land area to adjacent land area.", "5.2e"
                )
        left -= entry_cost(s, area)
        if left < 0:
            raise IllegalDecision(
                f"{s.facts.names[id]} has movement {s.facts.kinds[id].move}: too little.", "5.2e"
            )
        here = area


def _bars_path(s: State, id: str, path: tuple[str, ...]) -> Refusal | None:
    """Why one of the areas of a path is closed to a land unit, or the last has no room for it."""
    for area in path:
        if (refusal := bars_entry(s, id, area)) is not None:
            return refusal
    return no_room(s, id, path[-1]) or confined(s, id, path[-1])


def _check_ready(s: State, power: str, id: str) -> None:
    """Raise IllegalDecision if a power may not move a land unit now, wherever it goes.

    Rules: 5.2a, A.4e, B.4b, 1.7g, D.3c
    """
    unit = s.units.get(id)
    if unit is None or unit.power != power:
        raise IllegalDecision("You have no such unit.")
    if s.domain(id) != "land":
        raise IllegalDecision("Only land units move in this step.", "5.2a")
    if s.type(id) == "FORT":
        raise IllegalDecision("A FORT never moves.", "5.2a")
    if _has_moved(unit.done):
        raise IllegalDecision(f"{s.facts.names[id]} has moved already.", "5.2a")
    check_blitz(s, id, "E")


def _has_moved(done: tuple[str, ...]) -> bool:
    return "moved" in done or "landed" in done


def check_march(s: State, power: str, id: str, path: tuple[str, ...]) -> None:
    """Raise IllegalDecision if a power may not move a land unit along a path.

    Rules: 5.2a, 5.2c, 5.2d, 5.2e, 5.2f, 5.2.neutral-a, 5.2.china-a, A.5b, 1.7g
    """
    _check_ready(s, power, id)
    if s.units[id].aboard:
        raise IllegalDecision(f"{s.facts.names[id]} is aboard a transport: it lands.", "5.2b")
    if not in_supply(s, id):
        raise IllegalDecision(f"{s.facts.names[id]} is out of supply.", "1.7g")
    _check_way(s, id, path)
    if (refusal := must_stay(s, id) or _bars_path(s, id, path)) is not None:
        raise IllegalDecision(*refusal)


def check_landing(s: State, power: str, id: str, to: str) -> None:
    """Raise IllegalDecision if a power may not put a land unit ashore.

    Rules: 5.2b, B.4a
    """
    _check_ready(s, power, id)
    unit = s.units[id]
    if not unit.aboard:
        raise IllegalDecision(f"{s.facts.names[id]} is not aboard a transport.", "5.2b")
    if to not in s.facts.lands or unit.at not in s.facts.lands[to].seas:
        raise IllegalDecision("It can only land on a coast of the sea where it is.", "5.2b")
    if enemy_held(s, to, power):
        raise IllegalDecision("An enemy coast is entered from the sea by attack only.", "5.2b")
    refusal = refused(s, id, to) or no_room(s, id, to) or confined(s, id, to)
    if refusal is not None:
        raise IllegalDecision(*refusal)


# --- step E ---------------------------------------------------------------------------------------


def _able(s: State, power: str) -> Iterator[str]:
    """The land units of a power that have not moved, if its Blitz lets them."""
    if blitz_of(s, power) == "air":
        return
    units, domains, kinds = s.units, s.facts.domain, s.facts.kinds
    for id in s.owned.get(power, ()):
        if domains[id] == "land" and kinds[id].move:
            done = units[id].done
            if not (done and _has_moved(done)) and not used_up(s, id):
                yield id


def paths(s: State, id: str) -> Iterator[tuple[str, ...]]:
    """Every way on which a land unit can enter areas, as far as it can go; it comes back to an
    area only where it took one in between."""
    return _paths(s, id, (s.units[id].at,), s.facts.kinds[id].move, False)


def _paths(
    s: State, id: str, walk: tuple[str, ...], left: int, taken: bool
) -> Iterator[tuple[str, ...]]:
    for area, ends in next_areas(s, id, walk[-1]):
        rest = left - entry_cost(s, area)
        if rest < 0 or (area in walk and not taken) or bars_entry(s, id, area) is not None:
            continue
        longer = (*walk, area)
        yield longer[1:]
        if rest and not ends:
            takes = taken or enemy_held(s, area, s.units[id].power)
            yield from _paths(s, id, longer, rest, takes)


class MoveLand(StepRequest, frozen=True, tag="move_land"):
    """Step E: move land units, one at a time."""

    answers: ClassVar[tuple[type[Decision], ...]] = (March, Land, Done, Wait, DeclareWar)

    def refuse(self, state: State, decision: March | Land) -> None:
        if isinstance(decision, March):
            check_march(state, self.power, decision.unit, decision.path)
        else:
            check_landing(state, self.power, decision.unit, decision.to)

    def actions(self, state: State) -> Iterator[Decision]:
        for id in _able(state, self.power):
            unit = state.units[id]
            choices: Iterator[March | Land]
            if unit.aboard:
                choices = (Land(id, area) for area in state.facts.coast[unit.at])
            else:
                choices = (March(id, path) for path in paths(state, id))
            for decision in choices:
                if passes(self.refuse, state, decision):
                    yield decision

    def suggest(self, state: State, rng: random.Random) -> Iterator[Decision]:
        domains = state.facts.domain
        for id in some_units(state, self.power, rng):
            if domains[id] != "land":
                continue
            unit = state.units[id]
            if _has_moved(unit.done):
                continue
            if unit.aboard:
                coast = state.facts.coast[unit.at]
                yield Land(id, coast[int(rng.random() * len(coast))])
                continue
            left, here = state.facts.kinds[id].move, unit.at
            path: list[str] = []
            safe = open_to(state, unit.power, state.facts.kinds[id].home)
            occupied = state.at
            while left > 0:
                near = [
                    step
                    for step in next_areas(state, id, here)
                    if step[0] in safe or step[0] not in occupied
                ]
                if not near:
                    break
                here, ends = near[int(rng.random() * len(near))]
                path.append(here)
                left -= entry_cost(state, here)
                if ends or rng.random() < 0.4:
                    break
            if path:
                yield March(id, tuple(path))


def move_land_units(g: Table[State]) -> Procedure[None]:
    """Step E: the powers of the side move their land units; who has none to move is not asked.

    Rules: 5.2a
    """
    yield from each_in_turn(g, lambda s, power: MoveLand(power), _act, _prepare)


def _prepare(g: Table[State]) -> None:
    s = g.state
    skip_idle(s, lambda power: next(_able(s, power), "") != "")


def _act(g: Table[State], power: str, decision: March | Land) -> Procedure[None]:
    if isinstance(decision, March):
        if (yield from _let_in(g, decision.unit, decision.path)):
            yield from _march(g, decision.unit, decision.path)
    else:
        yield from _land(g, decision.unit, decision.to)


def _let_in(g: Table[State], id: str, path: tuple[str, ...]) -> Procedure[bool]:
    """Whether every ally through whose land areas a path leads lets a unit in.

    Rules: 1.3.stack-e
    """
    for area in dict.fromkeys(path):
        if not (yield from ask_leave(g, id, area)):
            return False
    return True


def _march(
    g: Table[State], id: str, path: tuple[str, ...], *, sure: bool = False
) -> Procedure[None]:
    """Move a land unit along a path and take the enemy areas on it.

    It stops early where an ally takes the next area before it (unless its right is `sure`), and
    where what follows from taking one closes the rest of its way.

    Rules: 5.2c, 5.2g, 1.3.stack-f, A.4d, 1.5f
    """
    s, power = g.state, g.state.units[id].power
    origin, left = s.units[id].at, s.facts.kinds[id].move
    walked: list[str] = []
    for number, area in enumerate(path, 1):
        left -= entry_cost(s, area)
        taken = enemy_held(s, area, power)
        if taken and not sure and not (yield from _wins(g, id, area, number, left)):
            break
        if number == 1:
            use_blitz(s, id, "E")
            s.mark(id, "moved")
        s.change(id, at=area)
        walked.append(area)
        if not taken:
            yield from make_room(g, id, area)
            continue
        g.emit("marched", unit=id, path=(origin, *walked))
        origin, walked = area, []
        yield from take_control(g, area, power)
        if id not in s.units or s.units[id].at != area:
            return
        rest = path[number:]
        if rest and (_bars_path(s, id, rest) or not (yield from _let_in(g, id, rest))):
            return
    if walked:
        g.emit("marched", unit=id, path=(origin, *walked))


def _land(g: Table[State], id: str, to: str) -> Procedure[None]:
    """Put a land unit ashore.

    Rules: 5.2b, B.4a, 1.3.stack-e, 1.3.stack-f
    """
    s, sea = g.state, g.state.units[id].at
    if (yield from _let_in(g, id, (to,))):
        use_blitz(s, id, "E")
        s.mark(id, "landed")
        s.change(id, at=to, aboard="")
        g.emit("landed", unit=id, path=(sea, to))
        yield from make_room(g, id, to)


# --- two powers want the same area ----------------------------------------------------------------


class ContestArea(Request, frozen=True, tag="contest_area"):
    """An ally is about to take an area that you could move into as well; or pass."""

    area: str
    unit: str
    """The ally's."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Claim,)

    def check(self, state: State, decision: Claim) -> None:
        if not decision.path or decision.path[-1] != self.area:
            raise IllegalDecision("The move has to end in the area in question.", "5.2g")
        check_march(state, self.power, decision.unit, decision.path)

    def decisions(self, state: State) -> Iterator[Decision]:
        return _claims(state, self.power, self.area)


def _claims(s: State, power: str, area: str) -> Iterator[Claim]:
    """The moves with which a power could take an area now."""
    for id in _able(s, power):
        if not s.units[id].aboard:
            for path in paths(s, id):
                if path[-1] == area and passes(check_march, s, power, id, path):
                    yield Claim(id, path)


def _could_claim(s: State, power: str, area: str) -> bool:
    return next(_claims(s, power, area), None) is not None


def _wins(g: Table[State], id: str, area: str, moved: int, unused: int) -> Procedure[bool]:
    """Whether a unit takes an area and not an ally's unit that could move there, too.

    `moved` are the areas that it enters until then, `unused` the movement that it has left. An
    ally who wins makes the move at once.

    Rules: 5.2g
    """
    s, power = g.state, g.state.units[id].power
    answers = yield from g.offer(
        ContestArea(other, area, id)
        for other in s.queue
        if other != power and not same_player(s, other, power) and _could_claim(s, other, area)
    )
    if not answers:
        return True
    claims, moves = {power: (id,)}, {power: (moved, unused)}
    for other, claim in answers.items():
        cost = sum(entry_cost(s, each) for each in claim.path)
        claims[other] = (claim.unit,)
        moves[other] = (len(claim.path), s.facts.kinds[claim.unit].move - cost)
    winner = yield from claimant(g, area, claims, moves)
    g.emit("contested", space=area, powers=tuple(claims), power=winner)
    if winner == power:
        return True
    (unit,), path = claims[winner], answers[winner].path
    if not (yield from _let_in(g, unit, path)):
        return True
    yield from _march(g, unit, path, sure=True)
    return False
