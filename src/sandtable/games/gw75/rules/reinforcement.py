"""The Reinforcement Phase (18.12 to 18.16, 18.21, 18.5): what is due appears, or is lost."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import ClassVar

from sandtable.games.gw75.model import Job, State, Unit
from sandtable.games.gw75.rules import industry, italy, pipelines, ports, stacking, tracing, zones
from sandtable.games.gw75.rules.common import refuse
from sandtable.games.gw75.rules.occupation import lose_job
from sandtable.games.gw75.rules.terms import (
    GROUND,
    NAVAL,
    OTHER,
    cited,
    commander,
    friendly_ground,
    friendly_hex,
    players,
    relations,
    side,
)
from sandtable.games.gw75.rules.wars import at_peace
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

PLACE = "place"
"""The step in which players place what is due."""


class Place(Decision, frozen=True, tag="place"):
    """Put units that are due into a hex; Fortifications by Strength Points."""

    nation: str
    type: str
    space: str
    number: int = 1
    country: str = ""
    """Where they have to appear, if they were ordered so."""


class Reinforce(Request, frozen=True, tag="reinforce"):
    """Where the units that are due appear. All that can appear has to."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Place,)

    def check(self, state: State, decision: Place) -> None:
        """Rules: 18.12a, 18.12b, 18.12c, 18.13, 18.14, 18.16, 18.21"""
        name = state.facts.name
        due = waiting(state, self.power, decision)
        if not 0 < decision.number <= due:
            raise refuse(
                f"{due} of {name(decision.type)} of {name(decision.nation)} are due, "
                f"not {decision.number}.",
                "18.21",
            )
        if decision.space not in state.facts.hexes:
            raise refuse(f"There is no hex {name(decision.space)}.", "18.12a")
        why, rule = refusal(state, _job(decision), decision.space, decision.number)
        if why:
            raise refuse(why, rule)

    def decisions(self, state: State) -> Iterator[Decision]:
        for job in _due(state, self.power):
            for hex in places(state, job):
                for number in range(_step(state, job), job.number + 1, _step(state, job)):
                    if not refusal(state, job, hex, number)[0]:
                        yield Place(job.nation, job.type, hex, number, job.country)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        """As many as fit into a hex at random."""
        jobs = list(_due(state, self.power))
        rng.shuffle(jobs)
        for job in jobs:
            hexes = list(candidates(state, job))
            rng.shuffle(hexes)
            for hex in hexes:
                for number in (job.number, _step(state, job)):
                    yield Place(job.nation, job.type, hex, number, job.country)


def _job(decision: Place) -> Job:
    return Job(decision.nation, decision.type, 0, decision.number, decision.country)


def _step(s: State, job: Job) -> int:
    return s.facts.numbers.fort_points if job.type == "fort" else 1


def _due(s: State, player: str) -> Iterator[Job]:
    """What a player has to place and can, each kind with its number."""
    found: dict[tuple[str, str, str], int] = {}
    commanders = relations(s).commander
    for job in s.due:
        if commanders[job.nation] == player:
            key = (job.nation, job.type, job.country)
            found[key] = found.get(key, 0) + job.number
    for (nation, type, country), number in sorted(found.items()):
        yield Job(nation, type, s.turn, number, country)


def waiting(s: State, player: str, decision: Place) -> int:
    """How many of what a decision names are due to a player."""
    return sum(
        job.number
        for job in s.due
        if commander(s, job.nation) == player
        and (job.nation, job.type, job.country)
        == (decision.nation, decision.type, decision.country)
    )


def candidates(s: State, job: Job) -> tuple[str, ...]:
    """The hexes in which units may appear by what they are: Industrial Hexes of the Home Country,
    with a port for naval units; Fortifications any Friendly hex that a pipeline joins to one; minor
    nations their Home Country.

    Rules: 18.12a, 18.12b, 18.14, 18.16, 18.76c, 19.93, 19.98a
    """
    kind = job.type if job.type == "fort" else "naval" if job.type in NAVAL else ""
    key = f"appear:{job.nation}:{job.country}:{kind}"
    found: tuple[str, ...] = tracing.remembered(s, key, _candidates, job)
    return found


def _candidates(s: State, job: Job) -> tuple[str, ...]:
    if s.facts.nations[job.nation].kind == "minor":
        return tuple(
            hex
            for hex in s.facts.country_hexes.get(job.country or job.nation, ())
            if friendly_hex(s, job.nation, hex)
        )
    if job.type == "fort":
        return linked(s, job.nation)
    found = industry.home(s, job.nation, job.country)
    if job.type in NAVAL:
        return tuple(hex for hex in found if ports.there(s, hex))
    return found


def linked(s: State, nation: str) -> tuple[str, ...]:
    """The Friendly hexes that Communications Areas, Merchant Ship Pipelines or both join to an
    Industrial Hex of the Home Country, sorted.

    Rules: 18.16, 18.61
    """
    home, net = industry.home(s, nation), pipelines.net(s, nation)
    known = tracing.ways(s, nation)
    key = ("forts", home, s.ports, net.shape.number)
    found: tuple[str, ...] = known.remembered(key, _linked, s, nation, home, net)
    return found


def _linked(s: State, nation: str, home: tuple[str, ...], net: pipelines.Net) -> tuple[str, ...]:
    found = dict(tracing.communications(s, (nation,), home))
    ashore = {
        port: tuple(net.areas(port))
        for port in ports.of(s, nation)
        if port not in ports.guest(s, nation)
    }
    seen: set[str] = set()
    while True:
        todo = [area for port, areas in ashore.items() if port in found for area in areas]
        while todo:
            area = todo.pop()
            if area not in seen:
                seen.add(area)
                todo.extend(net.links[area])
        landed = [
            port
            for port, areas in ashore.items()
            if port not in found and not seen.isdisjoint(areas)
        ]
        if not landed:
            return tuple(sorted(found))
        found.update(dict.fromkeys(landed))
        found.update(tracing.communications(s, (nation,), landed))


def refusal(s: State, job: Job, hex: str, number: int) -> tuple[str, str]:
    """Why so many of what is due cannot appear in a hex, with the rule; empty if they can. Enemy
    land Zones of Control bar an Industrial Hex unless a Friendly land unit is in it; stacks have
    their limits.

    Rules: 18.12b, 18.12c, 18.13, 7.0a, 7.36, 17.22
    """
    if hex not in candidates(s, job):
        name = s.facts.name
        rule = {True: "18.14", False: "18.12a"}[job.type in NAVAL]
        rule = "18.16" if job.type == "fort" else rule
        return f"{name(job.type)} of {name(job.nation)} cannot appear in {name(hex)}.", rule
    return _full(s, job, hex, number)


def _full(s: State, job: Job, hex: str, number: int) -> tuple[str, str]:
    """The same for a hex in which units of the kind may appear.

    Rules: 18.12c, 18.13, 19.24a, 7.0a, 7.22, 7.36, 17.22
    """
    name = s.facts.name
    why = italy.bound(s, job.nation, hex)
    if why:
        return why, cited(why)
    if (
        hex in s.facts.industry
        and zones.controlled(s, job.nation, hex)
        and not friendly_ground(s, job.nation, hex)
    ):
        return f"{name(hex)} is in an Enemy Zone of Control.", "18.12c"
    room = _room(s, job, hex)
    if job.type == "fort":
        room = min(room, stacking.fort_room(s, hex))
        if number % s.facts.numbers.fort_points:
            return "A fortification is a unit of two Strength Points.", "7.22"
    if number > room:
        return f"There is room for {max(0, room)} in {name(hex)}.", "18.13"
    return "", ""


def _room(s: State, job: Job, hex: str) -> int:
    """How many units that stack as these do a hex has room for; of those without a limit for all
    that are due."""
    if job.type in GROUND:
        return stacking.room(s, hex, side(s, job.nation))
    if job.type == "ad":
        there = sum(count for unit, count in s.stack(hex).items() if unit.type == "ad")
        return s.facts.numbers.air_defense_stack - there
    return sum(each.number for each in s.due)


def places(s: State, job: Job) -> Iterator[str]:
    """The hexes in which at least one of the units can appear."""
    step = _step(s, job)
    return (hex for hex in candidates(s, job) if not _full(s, job, hex, step)[0])


def _fit(s: State, player: str, job: Job, hex: str) -> bool:
    """Whether there is room in a hex for units that are due, with all others of the player that
    stack as they do and can appear there."""
    kinds = GROUND if job.type in GROUND else {job.type}
    rivals = (each for each in _due(s, player) if each.type in kinds)
    crowd = sum(each.number for each in rivals if hex in candidates(s, each))
    return not _full(s, job, hex, job.number)[0] and crowd <= _room(s, job, hex)


def _put(g: Table[State], job: Job, hex: str, number: int) -> None:
    """Put units on the map. An American ship that appears in peace-time may move once.

    Rules: 18.12a, 18.21, 19.32b
    """
    s = g.state
    left = number
    kept = []
    for each in s.due:
        if left and each[:2] == job[:2] and each.country == job.country:
            used = min(left, each.number)
            left -= used
            each = each._replace(number=each.number - used)
        if each.number:
            kept.append(each)
    s.due = tuple(kept)
    if job.type == "abomb":
        s.bombs[hex] = s.bombs.get(hex, 0) + number
    else:
        new = job.nation == "usa" and job.type in NAVAL and at_peace(s, "usa")
        s.build(hex, Unit(job.nation, job.type, duty="new" if new else ""), number)
    g.emit("appeared", power=job.nation, space=hex, units={job.type: number})


def phase(g: Table[State]) -> Procedure[None]:
    """What is due this Game-Turn appears: restored units where they were taken from, ports in
    stock, all else where its owner says, first the Axis. What cannot appear is lost.

    Rules: 18.0d, 18.14, 18.21, 18.32b, 18.53, 4.2g
    """
    s = g.state
    if s.step != PLACE:
        _collect(g)
        s.step = PLACE
    for player in (player for which in OTHER for player in players(s, which)):
        while True:
            s.mover = player
            if not _place_forced(g, player):
                break
            g.checkpoint()
            decision = yield from g.ask(Reinforce(player))
            _put(g, _job(decision), decision.space, decision.number)
    for job in s.due:
        lose_job(g, job)
    s.due = ()


def _collect(g: Table[State]) -> None:
    s = g.state
    now = [*s.due, *(job for job in s.track if job.due <= s.turn)]
    s.track = tuple(job for job in s.track if job.due > s.turn)
    due = []
    for job in now:
        if job.type == "port":
            s.stock[job.nation] = s.stock.get(job.nation, 0) + job.number
            g.emit("port_ready", to=(commander(s, job.nation),), power=job.nation)
        elif job.hex:
            _restore(g, job)
        else:
            due.append(job)
    s.due = tuple(sorted(due))
    s.memo = {}


def _restore(g: Table[State], job: Job) -> None:
    """A restored unit comes back to the hex from which it was taken, or is lost if that is not
    Friendly any more.

    Rules: 18.32b, 18.33
    """
    s = g.state
    if friendly_hex(s, job.nation, job.hex):
        s.build(job.hex, Unit(job.nation, job.type), job.number)
        g.emit("restored", power=job.nation, space=job.hex, units={job.type: job.number})
    else:
        lose_job(g, job)


def _place_forced(g: Table[State], player: str) -> bool:
    """Place what can appear in one hex only, if that has room for all that can appear there;
    whether there is anything else that can appear."""
    s = g.state
    placed = left = False
    for job in list(_due(s, player)):
        hexes = list(islice(places(s, job), 2))
        if len(hexes) == 1 and _fit(s, player, job, hexes[0]):
            _put(g, job, hexes[0], job.number)
            placed = True
        elif hexes:
            left = True
    if placed:
        return any(True for job in _due(s, player) for _ in places(s, job))
    return left
