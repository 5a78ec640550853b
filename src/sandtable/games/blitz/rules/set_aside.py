"""Counters that are set aside, and how they come back (3.4)."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.blitz.facts import BIG
from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.rules.counters import (
    MAGINOT,
    destroy,
    from_pool,
    is_big,
    lift,
    nation_of,
    small_name,
    to_pool,
)
from sandtable.kernel.decisions import Decision
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class CallUp(Decision, frozen=True, tag="call_up"):
    """The counter that enters the Force Pool."""

    counter: str


class ChooseReturn(ChooseOne, frozen=True, tag="choose_return"):
    """Which set-aside counter of a liberated country enters the Force Pool.

    Rules: 3.4.lib-g
    """

    country: str
    counters: tuple[str, ...]

    answers: ClassVar[tuple[type[Decision], ...]] = (CallUp,)
    among: ClassVar[str] = "counters"
    rule: ClassVar[str] = "3.4.lib-g"
    refusal: ClassVar[str] = "{asked} is not set aside, or a Small one comes first."


def empty_pools(s: State, country: str) -> None:
    """Set aside a country's counters in Force Pools.

    Rules: 3.4.conq-e
    """
    for power in s.scenario.powers:
        for counter in s.pool[power]:
            if nation_of(s, counter) == country:
                from_pool(s, power, counter)
                s.aside[counter] = country


def set_aside(g: Table[State], id: str) -> None:
    """Take a unit off the map until its country is free; what it carries for others is lost.

    Rules: 3.4.conq-c, 3.4.france-b, 3.4.lib-h
    """
    s = g.state
    for aboard in s.cargo(id):
        if s.units[aboard].power == s.units[id].power:
            set_aside(g, aboard)
        else:
            destroy(g, aboard)
    unit = lift(g, id)
    for counter in (id, id + BIG) if is_big(unit.size) else (id,):
        if id == MAGINOT:
            s.removed |= {counter}
        else:
            s.aside[counter] = nation_of(s, counter)
    g.emit("set_aside", unit=id, space=unit.at)


def release(g: Table[State], country: str) -> Procedure[None]:
    """One set-aside counter of a free country enters the Force Pool, a Small one if there is one.

    Rules: 3.4.lib-g, 3.4.lib-h, F.3b
    """
    s = g.state
    ally = s.allied[country]
    counters = [
        counter
        for counter, home in sorted(s.aside.items())
        if home == country and _may_have(s, ally, counter)
    ]
    small = tuple(counter for counter in counters if not counter.endswith(BIG))
    choices = small or tuple(counters)
    if not choices:
        return
    counter = choices[0]
    if len(choices) > 1:
        answer = yield from g.ask(ChooseReturn(ally, country, choices))
        counter = answer.counter
    del s.aside[counter]
    to_pool(s, ally, counter)
    g.emit("called_up", unit=counter, power=ally, country=country)


def _may_have(s: State, power: str, counter: str) -> bool:
    chart = s.facts.kinds[small_name(counter)].power
    return not chart or s.facts.side[chart] == s.facts.side[power]


def start_of_turn(g: Table[State]) -> Procedure[None]:
    """Liberated countries get back one set-aside unit each.

    Rules: 3.4.lib-g
    """
    s = g.state
    for country in sorted(set(s.aside.values())):
        if s.allied.get(country, NEUTRAL) != NEUTRAL and country not in s.conquered:
            yield from release(g, country)
