"""What is asked in the course of fights at sea."""

from __future__ import annotations

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.naval_combat import (
    CloseIn,
    CounterAttack,
    Decline,
    FallBack,
    Pursue,
    Respond,
    Stand,
)
from sandtable.games.gw75.rules.terms import FLEET, side
from sandtable.games.gw75.rules.transit import Spare, Strike, TransitAttack
from sandtable.kernel.decisions import Decision
from sandtable.kernel.kits import Choose


def respond(s: State, request: Respond) -> Decision:
    """Who would be beaten gets away."""
    if s.sea is None:
        return Stand()
    types = s.facts.types
    attack = sum(types[type].attack * number for _, _, type, number in s.sea.force)
    defense = sum(
        types[unit.type].defense * count
        for unit, count in s.stack(request.space).items()
        if unit.type in FLEET and unit.type != "ss" and side(s, unit.nation) != _side(s)
    )
    if attack <= defense + 2:
        return Stand()
    if request.decline:
        return Decline()
    return FallBack(request.hexes[0]) if request.hexes else Stand()


def _side(s: State) -> str:
    assert s.sea is not None
    return side(s, s.sea.force[0][1])


def transit(s: State, request: TransitAttack) -> Decision:
    """Strike whenever it can be done: nobody answers."""
    strength = sum(request.hexes.values()) + request.others
    return Strike() if strength >= request.defense else Spare()


def pursue(s: State, request: Pursue) -> Choose:
    """Whatever can be attacked."""
    return Choose(request.options[0])


def close_in(s: State, request: CloseIn) -> Choose:
    """With those that have to; not at all if they need not."""
    options = request.options
    return Choose(next((each for each in ("stop", "stay") if each in options), options[0]))


def counter(s: State, request: CounterAttack) -> Choose:
    """Some hex of theirs."""
    return Choose(max(request.options))
