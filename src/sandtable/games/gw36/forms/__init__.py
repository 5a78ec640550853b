"""Requests as clients show them: forms, where units can go, and the odds of battles."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sandtable.games.gw36.forms import affairs, diplomacy, economy, fighting, moves
from sandtable.kernel.decisions import Decision, Legal
from sandtable.kernel.display import Form, NoQuestion, Odds, Reach
from sandtable.kernel.game import Game
from sandtable.kernel.ruleset import plain_form

FORMS: dict[str, Callable[[Legal], Form]] = {
    "produce": economy.produce,
    "place_units": economy.place_units,
    "divide_income": economy.divide_income,
    "combat_move": moves.combat_move,
    "noncombat_move": moves.noncombat_move,
    "choose_combat": fighting.choose_combat,
    "choose_fire": fighting.choose_fire,
    "choose_casualties": fighting.choose_casualties,
    "retreat_or_press": fighting.retreat_or_press,
    "may_dive": fighting.may_dive,
    "may_blitz": fighting.may_blitz,
    "may_intercept": fighting.may_intercept,
    "may_scramble": fighting.may_scramble,
    "intercept": fighting.intercept,
    "spread_raid": fighting.spread_raid,
    "diplomacy": diplomacy.diplomacy,
    **affairs.FORMS,
}


def form(legal: Legal) -> Form:
    """A request as a client shows it."""
    return FORMS.get(legal.asked.kind, plain_form)(legal)


def reach(legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
    """Where the units that are chosen in `space` can go; NoQuestion if they cannot be chosen so."""
    if legal.asked.kind not in ("combat_move", "noncombat_move"):
        raise NoQuestion("There is nothing to move now.")
    return moves.find_ways(legal, space, chosen)


def odds(game: Game, space: str, decision: Decision | None, power: str) -> Odds:
    """The odds of the battle in `space` as it stands, or as it would be after `decision`."""
    from sandtable.games.gw36.forms import chances

    return chances.odds(game, space, decision, power)
