"""The course of a combat (6): Rounds, what their results do, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.bases import send_home
from sandtable.games.blitz.rules.factors import Fire
from sandtable.games.blitz.rules.land_round import (
    after_land_round,
    decide_control,
    land_fires,
    land_round,
)
from sandtable.games.blitz.rules.rounds import (
    SILENT,
    air_fires,
    air_round,
    attackers_of,
    fighting,
    naval_fires,
    naval_round,
    strategic_fires,
    strategic_round,
    suffer_next,
)
from sandtable.games.blitz.rules.sides import acting_side, side_of
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


def fight(g: Table[State]) -> Procedure[None]:
    """Fight the combat of the state from where it is to its end.

    All that it has come to is in the state before each step, and before each point of damage and
    each unit that is sent back; it can be taken up again there.

    Rules: 6.5c, 6.5.letter-a, 6.5.after-a
    """
    s = g.state
    while s.combat is not None:
        g.checkpoint(strict=True)
        c = s.combat
        if c.strikes:
            rest = yield from suffer_next(g, c.strikes[0])
            strikes = c.strikes[1:] if rest is None else (rest, *c.strikes[1:])
            s.combat = replace(s.combat, strikes=strikes)
        elif c.steps:
            s.combat = replace(c, steps=c.steps[1:])
            yield from _STEPS[c.steps[0]](g)
        else:
            s.combat = None


def _return_home(g: Table[State]) -> Procedure[None]:
    """An air unit that took part in a combat on land returns to base, and the others after it;
    one that was based in a land area which has been taken is overrun there.

    Rules: 6.5.after-b
    """
    s = g.state
    assert s.combat is not None
    c = s.combat
    taken = side_of(s, s.control[c.at]) == acting_side(s)
    for id in (*attackers_of(s), *fighting(s, c.guards)):
        if s.domain(id) != "air" or s.type(id) == "ABOMB" or id in c.home:
            continue
        if not (taken and id in c.based):
            s.combat = replace(c, home=(*c.home, id), steps=("home", *c.steps))
            yield from send_home(g, id, c.at)
            return


def _count_sunk(g: Table[State]) -> Procedure[None]:
    """Note for the victory cards what BBs and CVs lost in a combat at sea."""
    s = g.state
    assert s.combat is not None
    for id, power, size in (*s.combat.attackers, *s.combat.defenders):
        lost = size - (s.units[id].size if id in s.units else 0)
        if lost and s.facts.type_at[id, size] in ("BB", "CV"):
            s.count(f"sunk:{power}", lost)
    return
    yield


_STEPS: dict[str, Callable[[Table[State]], Procedure[None]]] = {
    "air": air_round,
    "naval": naval_round,
    "strategic": strategic_round,
    "land": land_round,
    "letters": after_land_round,
    "control": decide_control,
    "home": _return_home,
    "sunk": _count_sunk,
}
"""The steps of a combat, Rounds and others, by their names in `Combat.steps`."""

STEPS_OF: dict[str, tuple[str, ...]] = {
    "ground": ("air", "land", "letters", "control", "home"),
    "factory": ("air", "strategic", "home"),
    "port": ("air", "naval", "home"),
}
"""The steps of the combats on land."""

_FIRES: dict[str, Callable[[State], tuple[Fire, Fire]]] = {
    "air": air_fires,
    "naval": naval_fires,
    "strategic": strategic_fires,
    "land": land_fires,
}


def fires_to_come(s: State) -> Iterator[tuple[str, tuple[Fire, Fire]]]:
    """The Rounds of the combat that are to come and in which somebody fires, with what both sides
    fire with if nothing happens before."""
    assert s.combat is not None
    for step in s.combat.steps:
        fires = _FIRES[step](s) if step in _FIRES else (SILENT, SILENT)
        if any(factors is not None for factors, _ in fires):
            yield step, fires
