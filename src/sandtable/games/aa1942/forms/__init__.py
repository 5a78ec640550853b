"""Requests as clients show them: forms, where units can go, and the odds of battles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sandtable.games.aa1942.forms import battle, bid, mobilize, moves, purchase
from sandtable.games.aa1942.forms.ways import find_ways
from sandtable.games.aa1942.model import State
from sandtable.kernel.decisions import Decision, Legal
from sandtable.kernel.display import Form, NoQuestion, Odds, Reach
from sandtable.kernel.ruleset import plain_form

if TYPE_CHECKING:
    from sandtable.kernel.game import Game

_FORMS: dict[str, Callable[[Legal, Any, State], Form]] = {
    "bid": bid.bid,
    "purchase": purchase.purchase,
    "combat_move": moves.combat_move,
    "noncombat_move": moves.noncombat_move,
    "land_stranded": moves.land_stranded,
    "share_space": moves.share_space,
    "commit_interceptors": battle.commit_interceptors,
    "choose_battle": battle.choose_battle,
    "engage_or_ignore": battle.engage_or_ignore,
    "choose_bombardment": battle.choose_bombardment,
    "submerge_or_strike": battle.submerge_or_strike,
    "choose_casualties": battle.choose_casualties,
    "press_or_retreat": battle.press_or_retreat,
    "mobilize": mobilize.mobilize,
}


def form(legal: Legal) -> Form:
    """A request as a client shows it."""
    builder = _FORMS.get(legal.asked.kind)
    return builder(legal, legal.asked, legal.state) if builder else plain_form(legal)


def reach(legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
    """Where the units that are chosen in `space` can go; NoQuestion if they cannot be chosen so."""
    if legal.asked.kind not in ("combat_move", "noncombat_move"):
        raise NoQuestion("There is nothing to move now.")
    return find_ways(legal, space, chosen)


def odds(game: Game, space: str, decision: Decision | None, power: str) -> Odds:
    """The odds of the battle in `space` as it stands, or as it would be after `decision`."""
    from sandtable.games.aa1942.forms import chances

    return chances.odds(game, space, decision, power)
