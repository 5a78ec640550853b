"""Requests as clients show them: forms, where units can go, and the odds of battles."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sandtable.games.gw75.forms import air, combat, economy, land, pipelines, questions, sea
from sandtable.kernel.decisions import Decision, Legal
from sandtable.kernel.display import Form, NoQuestion, Odds, Plan, Reach
from sandtable.kernel.game import Game
from sandtable.kernel.ruleset import plain_form

FORMS: dict[str, Callable[[Legal], Form]] = {
    "naval": sea.naval_phase,
    "transit_attack": sea.transit_attack,
    "respond": sea.respond,
    "air": air.movement,
    "land_movement": land.land_movement_form,
    "strategic_movement": land.strategic_form,
    **combat.FORMS,
    **economy.FORMS,
    **questions.FORMS,
}

REACHES: dict[str, Callable[[Legal, str, Mapping[str, int]], Reach]] = {
    "naval": sea.reach,
    "air": air.reach,
    "land_movement": land.reach_by_land,
    "strategic_movement": land.reach_strategically,
}


def form(legal: Legal) -> Form:
    """A request as a client shows it."""
    return FORMS.get(legal.asked.kind, plain_form)(legal)


def reach(legal: Legal, space: str, chosen: Mapping[str, int]) -> Reach:
    """Where the units that are chosen in a hex can go; NoQuestion if they cannot be chosen so."""
    found = REACHES.get(legal.asked.kind)
    if found is None:
        raise NoQuestion("There is nothing to move now.")
    if space not in legal.state.facts.hexes:
        raise NoQuestion("There is no such hex.")
    return found(legal, space, chosen)


def plan(legal: Legal, wanted: Mapping[tuple[str, str], int]) -> Plan:
    """What it takes to give pipelines another capacity, or to lay them."""
    if legal.asked.kind != "naval":
        raise NoQuestion("Merchant Ships do not move now.")
    return pipelines.plan(legal, wanted)


def draft(legal: Legal, decision: Decision) -> None:
    """Enter a decision into the production sheet of a copy of the position."""
    if legal.asked.kind != "production":
        raise NoQuestion("Only production is drafted.")
    economy.draft(legal, decision)


def odds(game: Game, space: str, decision: Decision | None, power: str) -> Odds:
    """The odds of the combat in a hex as it stands, or as it would be after a decision."""
    from sandtable.games.gw75.forms import chances

    return chances.odds(game, space, decision, power)
