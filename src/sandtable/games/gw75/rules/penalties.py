"""What the Allies pay for the violation of a neutral: a hex that counts for the Axis (11.0)."""

from __future__ import annotations

from typing import ClassVar

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import commander, holder
from sandtable.kernel.kits import ChooseOne
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class PayViolation(ChooseOne, frozen=True, tag="pay_violation"):
    """The Industrial Hex or Supply Center of the violator that counts for the Axis from now on."""

    nation: str
    whom: str
    options: tuple[str, ...]

    rule: ClassVar[str] = "11.0b"
    refusal: ClassVar[str] = "{asked} is no hex with which {nation} can pay."


def hexes(s: State, nation: str) -> tuple[str, ...]:
    """The Industrial Hexes and Supply Centers with which a nation can pay for a violation: its own,
    and not paid with before. Those that are lost or destroyed are worth nothing to the Axis.

    Rules: 11.0b
    """
    key = f"penalties:{nation}"
    found = s.memo.get(key)
    if found is None:
        found = s.memo[key] = tuple(
            id
            for id in s.facts.prizes
            if holder(s, id) == nation and id not in s.penalties and id not in s.destroyed
        )
    paid: tuple[str, ...] = found
    return paid


def lacking(s: State, nation: str) -> str:
    """Why a nation cannot pay for a violation; empty if it can."""
    if hexes(s, nation):
        return ""
    return f"{s.facts.name(nation)} has no hex to pay for a violation with (11.0b)."


def pay(g: Table[State], nation: str, whom: str) -> Procedure[None]:
    """The Allied player names the hex that counts for the Axis, for good. A hex that the violation
    has just taken is none.

    Rules: 11.0b, 11.0d
    """
    s = g.state
    options = tuple(id for id in hexes(s, nation) if s.facts.hexes[id].nation != whom)
    if not options:
        return
    answer = yield from g.ask(PayViolation(commander(s, nation), nation, whom, options))
    s.penalties = (*s.penalties, answer.option)
    s.changed()
    g.emit("violation_paid", power=nation, against=whom, space=answer.option)
