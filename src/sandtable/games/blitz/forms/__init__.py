"""Requests as clients show them: forms, where units can go, and the odds of combats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sandtable.games.blitz.forms import affairs, attacks, combat, steps, turn_end, ways
from sandtable.games.blitz.model import State
from sandtable.kernel.decisions import Decision, Legal
from sandtable.kernel.display import Form, NoQuestion, Odds, Reach
from sandtable.kernel.ruleset import plain_form

if TYPE_CHECKING:
    from sandtable.kernel.game import Game

FORMS: dict[str, Callable[[Legal, Any, State], Form]] = {
    builder.__name__: builder
    for builder in (
        steps.return_to_base,
        steps.move_to_sea,
        steps.rebase_units,
        steps.move_land,
        steps.contest_area,
        attacks.land_area_combat,
        attacks.settle_dispute,
        attacks.commit_defence,
        attacks.choose_next_attack,
        combat.embark_units,
        combat.choose_sea,
        combat.call_combat,
        combat.join_sea_combat,
        combat.avoid_sea_combat,
        combat.assign_damage,
        combat.choose_returning,
        combat.reduce_cargo,
        combat.pick_retreating,
        combat.pick_blocked,
        combat.choose_retreat,
        combat.choose_base,
        turn_end.partisan,
        turn_end.develop_weapons,
        turn_end.lend_lease,
        turn_end.keep_goods,
        turn_end.spend,
        turn_end.sabotage_spending,
        turn_end.sabotage_gar,
        turn_end.sabotage_development,
        turn_end.withdraw_armour,
        affairs.choose_blitz,
        affairs.order_commander,
        affairs.give_leave,
        affairs.choose_home,
        affairs.choose_control,
        affairs.liberate_foe,
        affairs.choose_return,
        affairs.place_unit,
        affairs.loot_factory,
        affairs.auction,
        affairs.road_choice,
        affairs.japans_entry,
        affairs.choose_soviet_target,
        affairs.offer_extra,
    )
}
"""Kind of request to what makes its form; the functions are named after the kinds."""


def form(legal: Legal) -> Form:
    """A request as a client shows it."""
    builder = FORMS.get(legal.asked.kind)
    return builder(legal, legal.asked, legal.state) if builder else plain_form(legal)


def reach(legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
    """Where the unit that is chosen in `space` can go, with what it takes aboard.

    NoQuestion if it cannot be chosen so.
    """
    return ways.reach(legal, space, chosen)


def draft(legal: Legal, decision: Decision) -> None:
    """Enter a decision into the secret book of a copy of the position."""
    if legal.asked.kind != "spend":
        raise NoQuestion("Only spending is drafted.")
    turn_end.draft(legal, decision)


def odds(game: Game, space: str, decision: Decision | None, power: str) -> Odds:
    """The odds of the combat in `space` as it stands, or as it would be after `decision`."""
    from sandtable.games.blitz.forms.chances import chances

    return chances(game, space, decision, power)
