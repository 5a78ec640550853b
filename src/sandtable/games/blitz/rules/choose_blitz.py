"""Choosing a Blitz (2.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, cast

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.sides import acting_side, introduced, out_of_game, powers_of
from sandtable.games.blitz.tables import BlitzKind
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

_FIXED = {
    "A": {"germany": "land", "afa": "free"},
    "B": {"germany": "land", "western_allies": "total"},
}
"""The scenarios in which the Blitzes are given, and cost nothing."""

_KINDS = {"C": ("free", "naval")}
_ALL_KINDS = ("free", "air", "land", "foot", "naval", "total")


class AnnounceBlitz(Decision, frozen=True, tag="announce_blitz"):
    """The Blitz of this phase: free, air, land, naval, total, or foot (a Land Blitz by 9.7)."""

    blitz: str


class ChooseBlitz(Request, frozen=True, tag="choose_blitz"):
    """Which Blitz to have; all powers of the side announce theirs together."""

    answers: ClassVar[tuple[type[Decision], ...]] = (AnnounceBlitz,)

    def check(self, state: State, decision: AnnounceBlitz) -> None:
        if decision.blitz not in kinds(state):
            raise IllegalDecision("There is no such Blitz here.", "2.2b")
        oil, resources = cost(state, decision.blitz)
        if oil > state.oil[self.power]:
            raise IllegalDecision(
                f"It costs {oil} saved Oil, and you have {state.oil[self.power]}.", "2.2b"
            )
        if resources > state.resources[self.power]:
            raise IllegalDecision(
                f"It costs {resources} saved Resource, and you have none.", "9.7a"
            )

    def decisions(self, state: State) -> Iterator[Decision]:
        for kind in _affordable(state, self.power):
            yield AnnounceBlitz(kind)


def kinds(s: State) -> tuple[str, ...]:
    """The Blitzes that there are in a scenario where powers choose.

    Rules: 2.2b, C.5a, D.4a, 9.7a
    """
    foot = s.options["non_motorized_blitz"]
    known = _KINDS.get(s.scenario_id, _ALL_KINDS)
    return tuple(kind for kind in known if kind != "foot" or foot)


def cost(s: State, kind: str) -> tuple[int, int]:
    """The saved Oil and the saved Resources that a Blitz costs.

    Rules: 2.2c, C.5b, C.5c, D.4a, 9.7a
    """
    oil = s.facts.numbers.blitz_oil
    if kind == "foot":
        return 0, oil["land"]
    return oil[cast(BlitzKind, kind)], 0


def _affordable(s: State, power: str) -> list[str]:
    return [
        kind
        for kind in kinds(s)
        if cost(s, kind)[0] <= s.oil[power] and cost(s, kind)[1] <= s.resources[power]
    ]


def choose_blitz(g: Table[State]) -> Procedure[None]:
    """Every power of the side announces its Blitz, all at once, and pays for it.

    Rules: 2.2a, 2.2b, 2.2c, A.8a, A.8b, A.8c, B.6a, C.5a, C.5c, D.4a
    """
    s = g.state
    powers = [power for power in powers_of(s, acting_side(s)) if not out_of_game(s, power)]
    if not introduced(s, "C"):
        for power in powers:
            s.blitz[power] = _FIXED[s.scenario_id][power]
            g.emit("blitz_announced", power=power, blitz=s.blitz[power], oil=0, resources=0)
        return
    g.checkpoint()
    answers = yield from g.ask_all(
        ChooseBlitz(power) for power in powers if len(_affordable(s, power)) > 1
    )
    for power in powers:
        kind = answers[power].blitz if power in answers else "free"
        oil, resources = cost(s, kind)
        s.oil[power] -= oil
        s.resources[power] -= resources
        s.blitz[power] = kind
        g.emit("blitz_announced", power=power, blitz=kind, oil=oil, resources=resources)
