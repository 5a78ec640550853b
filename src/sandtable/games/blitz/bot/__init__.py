"""The greedy bot: a sensible decision for every request, one at a time.

It keeps nothing between decisions. Resources are the measure of everything (see `worth`). What it
returns has passed the request's own check; where no idea of its own does, it takes a legal
decision at random.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from sandtable.games.blitz.bot import attack, economy, march, picks, politics, sea
from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.steps import StepRequest
from sandtable.kernel.decisions import Decision, Pass, Request
from sandtable.kernel.errors import passes

_IDEAS: dict[str, Callable[[State, Any], Iterator[Decision]]] = {
    "return_to_base": sea.return_home,
    "move_to_sea": sea.put_to_sea,
    "embark_units": sea.embark,
    "choose_sea": sea.choose_sea,
    "call_combat": sea.call_combat,
    "join_sea_combat": sea.join_sea_combat,
    "avoid_sea_combat": sea.avoid_sea_combat,
    "rebase_units": sea.rebase,
    "move_land": march.march,
    "land_area_combat": attack.announce,
    "commit_defence": attack.defend,
    "choose_next_attack": picks.choose_attack,
    "assign_damage": picks.assign_damage,
    "choose_returning": picks.choose_returning,
    "reduce_cargo": picks.reduce_cargo,
    "pick_retreating": picks.pick,
    "pick_blocked": picks.pick,
    "choose_retreat": picks.choose_retreat,
    "choose_base": picks.choose_base,
    "choose_blitz": economy.choose_blitz,
    "develop_weapons": economy.develop,
    "keep_goods": economy.keep,
    "lend_lease": economy.lend,
    "partisan": economy.place_partisan,
    "spend": economy.spend,
    "japans_entry": politics.announce_japan,
    "offer_extra": politics.decline,
}
"""For each kind of request what comes to mind, the best first; the first that is legal is taken."""


def decide(state: State, request: Request, rng: random.Random) -> Decision:
    """A legal and sensible answer to `request`; `rng` only serves where no idea is left."""
    for decision in _thoughts(state, request):
        if isinstance(decision, Pass) or passes(request.check, state, decision):
            return decision
    return request.sample(state, rng)


def _thoughts(state: State, request: Request) -> Iterator[Decision]:
    """Wars first, in the steps where they can be declared; then whatever the request is about."""
    if isinstance(request, StepRequest):
        yield from politics.declare(state, request.power)
    ideas = _IDEAS.get(request.kind)
    if ideas is not None:
        yield from ideas(state, request)
