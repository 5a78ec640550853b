"""Commanders (9.5): counters with a person on each side who lead a unit."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.opening import power_in_play
from sandtable.games.blitz.rules.sides import acting_side, areas_of, friendly, introduced
from sandtable.games.blitz.rules.supply import network
from sandtable.games.blitz.tables import Commander
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Command(Decision, frozen=True, tag="command"):
    """Where a commander's counter goes, which side is up, and which unit he commands, if any."""

    commander: str
    at: str
    unit: str = ""


class OrderCommander(Request, frozen=True, tag="order_commander"):
    """Flip, move and assign a commander as the first action of the phase; or pass."""

    commander: str
    """The side of the counter that is up now."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Command,)

    def check(self, state: State, decision: Command) -> None:
        """Either side of the counter, at any location in supply, with a unit of his kind there.

        Rules: 9.5a, 9.5c, 9.5d
        """
        if decision.commander not in sides_of(state, self.commander):
            raise IllegalDecision(
                f"{state.facts.name(decision.commander)!r} is no side of the counter of "
                f"{state.facts.name(self.commander)}.",
                "9.5a",
            )
        if decision.at not in locations(state, self.power):
            raise IllegalDecision(
                f"{state.facts.name(decision.at)!r} is no place in supply for him.", "9.5c"
            )
        _check_unit(state, self.power, decision.commander, decision.at, decision.unit)

    def decisions(self, state: State) -> Iterator[Decision]:
        for commander in sides_of(state, self.commander):
            for at in locations(state, self.power):
                yield from _commands(state, self.power, commander, at)

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        sides = sides_of(state, self.commander)
        places = locations(state, self.power)
        for _ in range(4):
            some = list(_commands(state, self.power, rng.choice(sides), rng.choice(places)))
            if some:
                yield rng.choice(some)
        yield from self.decisions(state)


def owner(s: State, commander: str) -> str:
    """The power in play that has a commander."""
    return power_in_play(s.facts, s.scenario, s.facts.commanders[commander].power)


def _counter(s: State, commander: str) -> tuple[str, int]:
    found: Commander = s.facts.commanders[commander]
    return found.power, found.counter


def sides_of(s: State, commander: str) -> list[str]:
    """The two commanders on a counter.

    Rules: 9.5a
    """
    counter = _counter(s, commander)
    return [id for id in s.facts.commanders if _counter(s, id) == counter]


def locations(s: State, power: str) -> list[str]:
    """Where a power's commander may be: friendly land, and seas with units of its own, in supply.

    Rules: 9.5c
    """
    found: list[str] | None = s.cached(("commanders", power))
    if found is None:
        supplied = network(s, power) if introduced(s, "D") else s.in_play
        found = s.keep(
            ("commanders", power),
            sorted(
                area
                for area in supplied & s.in_play
                if (
                    friendly(s, area, power)
                    if area in s.control
                    else any(s.units[id].power == power for id in s.units_at(area))
                )
            ),
        )
    return found


def _commands(s: State, power: str, commander: str, at: str) -> Iterator[Command]:
    """The orders that put a commander in an area: at each unit of his kind, or alone on land."""
    if at in s.control:
        yield Command(commander, at)
    kind = s.facts.commanders[commander].commands
    for id in s.units_at(at):
        if (
            s.units[id].power == power
            and s.domain(id) == kind
            and _leader(s, id, commander) is None
        ):
            yield Command(commander, at, id)


def _leader(s: State, unit: str, but: str) -> str | None:
    """Who commands a unit already, other than the counter of `but`."""
    sides = sides_of(s, but)
    return next(
        (id for id, (_, led) in s.commanders.items() if led == unit and id not in sides), None
    )


def _check_unit(s: State, power: str, commander: str, at: str, unit: str) -> None:
    """Raise IllegalDecision if a commander cannot command a unit in an area.

    Rules: 9.5d
    """
    if not unit:
        if at not in s.control:
            raise IllegalDecision("At sea a commander has to command a unit.", "9.5d")
        return
    found = s.units.get(unit)
    if found is None or found.at != at or found.power != power:
        raise IllegalDecision(
            f"There is no {s.facts.name(unit)!r} of {s.facts.name(power)} in {s.facts.name(at)}.",
            "9.5d",
        )
    if s.domain(unit) != s.facts.commanders[commander].commands:
        kind = s.facts.commanders[commander].commands
        raise IllegalDecision(f"{s.facts.name(commander)} commands {kind} units only.", "9.5d")
    other = _leader(s, unit, commander)
    if other is not None:
        raise IllegalDecision(
            f"{s.facts.name(unit)} is commanded by {s.facts.name(other)} already.", "9.5d"
        )


def move_commanders(g: Table[State]) -> Procedure[None]:
    """Commanders of the acting side out of supply return; the others may be given orders.

    Rules: 9.5c, 9.5d
    """
    s = g.state
    side = acting_side(s)
    mine = sorted(id for id in s.commanders if s.facts.side[owner(s, id)] == side)
    for id in mine:
        at = s.commanders[id][0]
        if at in s.control and at not in locations(s, owner(s, id)):
            send_back(g, id)
    mine = [id for id in mine if id in s.commanders]
    if mine:
        g.checkpoint(strict=True)
    for id in mine:
        power = owner(s, id)
        if not locations(s, power):
            continue
        answers = yield from g.offer([OrderCommander(power, id)])
        if answers:
            _put(g, id, answers[power])


def _put(g: Table[State], old: str, order: Command) -> None:
    s = g.state
    del s.commanders[old]
    s.commanders[order.commander] = (order.at, order.unit)
    g.emit("commander_moved", commander=order.commander, was=old, space=order.at, unit=order.unit)


def send_back(g: Table[State], commander: str) -> None:
    """Return a commander to his Force Pool."""
    at, _ = g.state.commanders.pop(commander)
    g.emit("commander_returned", commander=commander, space=at)


# --- placing one when units are built ---------------------------------------------------------


def placements(s: State, power: str) -> Iterator[Command]:
    """Every way to place a commander from the Force Pool."""
    if not s.options["commanders"] or not _may_place(s, power):
        return
    for id in s.facts.commanders:
        if owner(s, id) == power and not _on_map(s, id):
            for at in _arrivals(s, id):
                yield from _commands(s, power, id, at)


def check_placement(s: State, power: str, commander: str, at: str, unit: str = "") -> None:
    """Raise IllegalDecision if a commander cannot be placed; that he is the first this turn is
    for the caller to see.

    Rules: 9.5a, 9.5b
    """
    if not s.options["commanders"]:
        raise IllegalDecision("This game is played without commanders.", "9.5b")
    if commander not in s.facts.commanders or owner(s, commander) != power:
        raise IllegalDecision(
            f"{s.facts.name(power)} has no commander {s.facts.name(commander)!r}.", "9.5a"
        )
    if _on_map(s, commander):
        raise IllegalDecision(
            f"The counter of {s.facts.name(commander)} is on the map already.", "9.5a"
        )
    if not _may_place(s, power):
        raise IllegalDecision(f"{s.facts.name(power)} is at war with no enemy power.", "9.5b")
    if at not in _arrivals(s, commander):
        raise IllegalDecision(
            f"{s.facts.name(commander)} cannot be placed in {s.facts.name(at)!r}, only at home.",
            "9.5b",
        )
    _check_unit(s, power, commander, at, unit)


def place(g: Table[State], power: str, commander: str, at: str, unit: str = "") -> None:
    """Place a commander from the Force Pool; without his unit, if that has gone meanwhile.

    Rules: 9.5b
    """
    if unit not in g.state.units:
        unit = ""
    g.state.commanders[commander] = (at, unit)
    g.emit("commander_placed", power=power, commander=commander, space=at, unit=unit)


def _may_place(s: State, power: str) -> bool:
    return any(one == power for one, _ in s.wars)


def _on_map(s: State, commander: str) -> bool:
    return any(side in s.commanders for side in sides_of(s, commander))


def _arrivals(s: State, commander: str) -> list[str]:
    """The land areas of a commander's home countries that are friendly; in some scenarios those of
    another country.

    Rules: 9.5b
    """
    power = s.facts.commanders[commander].power
    elsewhere = s.scenario.own.get("arrival", {}).get(power)
    homes = (elsewhere,) if elsewhere else s.facts.homes[power]
    return [
        area
        for home in homes
        for area in areas_of(s, home)
        if friendly(s, area, owner(s, commander))
    ]
