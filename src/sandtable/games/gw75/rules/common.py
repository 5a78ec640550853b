"""What the phases share: the decision that ends one, and the players who act in it in turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.consequences import settle
from sandtable.games.gw75.rules.terms import players
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class Done(Decision, frozen=True, tag="done"):
    """The player is done with this phase."""


def refuse(reason: str, rule: str) -> IllegalDecision:
    """A refusal to be raised."""
    return IllegalDecision(reason, rule)


def in_turn(
    g: Table[State],
    side: str,
    request: Callable[[State, str], Request | None],
    act: Callable[[Table[State], str, Any], Procedure[None]],
) -> Procedure[None]:
    """A free loop: the players of a side decide one after the other, each until it is done, or
    until there is nothing to ask it. What follows from a decision is drawn before the next.

    Rules: 21.11a
    """
    s = g.state
    for player in players(s, side):
        while player not in s.finished:
            s.mover = player
            asked = request(s, player)
            if asked is None:
                s.finished |= {player}
                break
            g.checkpoint()
            decision = yield from g.ask(asked)
            if isinstance(decision, Done):
                s.finished |= {player}
                break
            yield from act(g, player, decision)
            if s.news:
                yield from settle(g)
    s.mover = ""
