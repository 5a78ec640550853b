"""Step A: returning to base (4.1)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.bases import (
    ANY_DISTANCE,
    Return,
    bases,
    cannot_base,
    choices,
    compelled,
    go_home,
    stranded,
)
from sandtable.games.blitz.rules.blitz import blitz_of, check_blitz, use_blitz, used_up
from sandtable.games.blitz.rules.counters import destroy
from sandtable.games.blitz.rules.movement import air_reach, sea_reach
from sandtable.games.blitz.rules.sides import friendly
from sandtable.games.blitz.rules.steps import (
    DeclareWar,
    Done,
    StepRequest,
    Wait,
    each_in_turn,
    skip_idle,
)
from sandtable.kernel.decisions import Decision
from sandtable.kernel.errors import IllegalDecision, passes
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

# --- where a unit can go --------------------------------------------------------------------------


def _in_range(s: State, decision: Return) -> bool:
    """Whether a unit may return to a base in its range, without a look at all of them."""
    id, area, port = decision.unit, decision.to, decision.port
    if area not in s.control or not friendly(s, area, s.units[id].power):
        return False
    origin, move = s.units[id].at, s.facts.kinds[id].move
    if s.domain(id) == "air":
        near = not port and area in air_reach(s, origin, move)
    else:
        seas = s.facts.ports[area][port].seas if port in s.facts.ports[area] else ()
        reached = sea_reach(s, id, origin, move - 1, force=True) if move else {}
        near = any(sea in reached for sea in seas)
    return near and cannot_base(s, id, area, port, s.cargo(id)) is None


def at_sea(s: State, power: str) -> Iterator[str]:
    """A power's air and naval units at sea that may return now, and have not tried in vain."""
    air_only = blitz_of(s, power) == "air"
    units, seas, domains = s.units, s.facts.seas, s.facts.domain
    for id in s.owned.get(power, ()):
        unit = units[id]
        if unit.at in seas and not unit.aboard and "repelled" not in unit.done:
            domain = domains[id]
            if domain == "air" or (domain == "naval" and not air_only):
                yield id


# --- going there ----------------------------------------------------------------------------------


# --- step A ---------------------------------------------------------------------------------------


class ReturnToBase(StepRequest, frozen=True, tag="return_to_base"):
    """Step A: bring units at sea home, or leave them there."""

    answers: ClassVar[tuple[type[Decision], ...]] = (Return, Done, Wait, DeclareWar)

    def refuse(self, state: State, decision: Return) -> None:
        unit = state.units.get(decision.unit)
        if unit is None or unit.power != self.power:
            raise IllegalDecision("You have no such unit.", "4.1d")
        if unit.at not in state.facts.seas or unit.aboard or state.domain(decision.unit) == "land":
            raise IllegalDecision("Only air and naval units at sea return to base.", "4.1d")
        check_blitz(state, decision.unit, "A", state.cargo(decision.unit))
        if "repelled" in unit.done:
            raise IllegalDecision("It was repelled, and does not try again in this phase.", "9.8b")
        if _in_range(state, decision):
            return
        if (decision.to, decision.port) not in choices(state, decision.unit, unit.at):
            raise _why_not(state, decision)

    def unfinished(self, state: State) -> None:
        if blitz_of(state, self.power) == "free":
            return
        for id in at_sea(state, self.power):
            if compelled(state, id) and passes(check_blitz, state, id, "A", state.cargo(id)):
                raise IllegalDecision(
                    f"{state.facts.names[id]} has to return to base first.", "4.1a"
                )

    def actions(self, state: State) -> Iterator[Decision]:
        for id in at_sea(state, self.power):
            if passes(check_blitz, state, id, "A", state.cargo(id)):
                for area, port in choices(state, id, state.units[id].at):
                    yield Return(id, area, port)

    def suggest(self, state: State, rng: random.Random) -> Iterator[Decision]:
        units = list(at_sea(state, self.power))
        if not units:
            return
        id = units[int(rng.random() * len(units))]
        origin, move = state.units[id].at, state.facts.kinds[id].move
        for _ in range(4 if move else 0):
            if state.domain(id) == "air":
                near = [(area, "") for area in air_reach(state, origin, move)]
            else:
                seas = list(sea_reach(state, id, origin, move - 1, force=True))
                near = list(state.facts.havens[seas[int(rng.random() * len(seas))]])
            if near:
                decision = Return(id, *near[int(rng.random() * len(near))])
                if _in_range(state, decision):
                    yield decision
        open_ = choices(state, id, origin)
        if open_:
            yield Return(id, *open_[int(rng.random() * len(open_))])


def _why_not(s: State, decision: Return) -> IllegalDecision:
    """Why a unit cannot return to a base."""
    id, area, port = decision.unit, decision.to, decision.port
    if area not in s.facts.lands:
        return IllegalDecision("A unit returns to base in a land area.", "4.2c")
    if s.domain(id) == "air" and port:
        return IllegalDecision("An air unit bases in a land area, not in a port.", "4.1f")
    if (refusal := cannot_base(s, id, area, port, s.cargo(id))) is not None:
        return IllegalDecision(refusal.reason, refusal.rule)
    if (area, port) in bases(s, id, s.units[id].at, ANY_DISTANCE):
        rule = "4.1f" if s.domain(id) == "air" else "4.1e"
        return IllegalDecision(f"{s.facts.names[area]} is out of its range.", rule)
    return IllegalDecision(f"It cannot return to {s.facts.names[area]}.", "4.1e")


def return_to_base(g: Table[State]) -> Procedure[None]:
    """Step A: units without any base are lost; the others return, if they have to or want to.

    Rules: 4.1a, 4.1b, 4.1c, 4.1d, B.1a, C.1a
    """
    yield from each_in_turn(g, lambda s, power: ReturnToBase(power), _act, _prepare)


def _prepare(g: Table[State]) -> None:
    """Destroy what has no base, and leave out who has nothing at sea that may return.

    A Free Blitz lets units return and makes none, so it destroys none either.
    """
    s = g.state

    def has_to_be_asked(power: str) -> bool:
        free, asked = blitz_of(s, power) == "free", False
        for id in sorted(at_sea(s, power)):
            if not free and stranded(s, id):
                destroy(g, id)
            else:
                asked = asked or not used_up(s, id)
        return asked

    skip_idle(s, has_to_be_asked)


def _act(g: Table[State], power: str, decision: Return) -> Procedure[None]:
    s = g.state
    id, origin = decision.unit, s.units[decision.unit].at
    cargo = s.cargo(id)
    went = yield from go_home(g, id, origin, decision.to, decision.port)
    if went and id in s.units:
        use_blitz(s, id, "A", [each for each in cargo if each in s.units])
        if s.units[id].at == decision.to:
            s.mark(id, "returned")
