"""The greedy bot: a sensible decision for every request, one at a time.

Nothing depends on what it was asked before. In a movement phase what it has sent already tells it
which attack to complete first; what it thought of for an earlier decision serves again only where
nothing has changed on which that rests. Every move uses up units that can
still move, so that a phase always ends. What it returns has passed the request's own check; where
no idea of its own does, it takes a legal decision at random.

Money is the measure of everything: units are worth their price, territories what `worth` says.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from sandtable.games.aa1942.bot.attacking import combat_move
from sandtable.games.aa1942.bot.buying import purchase
from sandtable.games.aa1942.bot.casualties import choose_casualties
from sandtable.games.aa1942.bot.fighting import (
    bombard,
    choose_battle,
    engage,
    intercept,
    press_or_retreat,
    submerge_or_strike,
)
from sandtable.games.aa1942.bot.odds import Force, win_chance
from sandtable.games.aa1942.bot.placing import mobilize
from sandtable.games.aa1942.bot.regrouping import land_stranded, noncombat_move, share_space
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.assault import ChooseBombardment, EngageOrIgnore
from sandtable.games.aa1942.rules.bid import PlaceBid, places
from sandtable.games.aa1942.rules.casualties import ChooseCasualties
from sandtable.games.aa1942.rules.combat import PressOrRetreat, SubmergeOrStrike
from sandtable.games.aa1942.rules.combat_move import CombatMove
from sandtable.games.aa1942.rules.conduct_combat import ChooseBattle
from sandtable.games.aa1942.rules.mobilize import Mobilize
from sandtable.games.aa1942.rules.movement import Done
from sandtable.games.aa1942.rules.noncombat_move import LandStranded, NoncombatMove, ShareSpace
from sandtable.games.aa1942.rules.purchase import Purchase
from sandtable.games.aa1942.rules.raids import CommitInterceptors
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import passes

__all__ = ["Force", "decide", "win_chance"]


def decide(state: State, request: Request, rng: random.Random) -> Decision:
    """A legal and sensible answer to `request`; `rng` only serves where no idea is left."""
    if isinstance(request, CommitInterceptors):
        return intercept(state, request)
    ideas = _IDEAS.get(type(request))
    if ideas is not None:
        for decision in ideas(state, request):
            if passes(request.check, state, decision):
                return decision
    return request.sample(state, rng)


def _bid(state: State, request: PlaceBid) -> Iterator[Decision]:
    """Tanks first, then what is cheaper, where most stand already."""
    able = places(state, request.power)
    crowd = {p.space: sum(state.stack(p.space).values()) for p in able}
    wanted = ("tank", "artillery", "infantry", "submarine")
    yield from sorted(
        (p for p in able if p.type in wanted),
        key=lambda p: (wanted.index(p.type), -crowd[p.space], p.space),
    )
    yield Done()


_IDEAS: dict[type[Request], Callable[[State, Any], Iterator[Decision]]] = {
    PlaceBid: _bid,
    Purchase: purchase,
    CombatMove: combat_move,
    ChooseBattle: choose_battle,
    EngageOrIgnore: engage,
    ChooseBombardment: bombard,
    PressOrRetreat: press_or_retreat,
    SubmergeOrStrike: submerge_or_strike,
    ChooseCasualties: choose_casualties,
    NoncombatMove: noncombat_move,
    LandStranded: land_stranded,
    ShareSpace: share_space,
    Mobilize: mobilize,
}
"""For each kind of request what comes to mind, the best first; the first that is legal is taken."""
