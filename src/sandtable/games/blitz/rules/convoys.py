"""Convoys: when they are Destroyed (3.5), and how much of one is left."""

from __future__ import annotations

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.sides import areas_of, enemy_held, friendly


def convoy_destroyed(s: State, sea: str) -> bool:
    """Whether the convoy of a sea area is out of play now.

    Rules: 3.5a, 3.5b, 3.5c, 3.5d, 3.5e, 3.5f, E.3b, C.map-c
    """
    if sea in s.scenario.own.get("destroyed_convoys", ()):
        return True
    convoy = s.facts.convoys[sea]
    if convoy.destroyed == "conquered":
        return convoy.country in s.conquered
    if convoy.destroyed == "no_coast":
        return not any(
            sea in s.facts.lands[area].seas and friendly(s, area, convoy.power)
            for area in areas_of(s, convoy.country)
        )
    if convoy.destroyed == "lost":
        return enemy_held(s, convoy.area, convoy.power)
    if convoy.destroyed == "no_swedish_trade":
        north = ("norway", "sweden")
        agreements = (s.facts.trade[name] for name in s.trades)
        return not any(s.control.get(area) == convoy.power for area in north) and not any(
            each.country in north and each.to == convoy.power for each in agreements
        )
    return not any(
        s.control.get(area) == convoy.power
        and (s.facts.lands[area].oil or s.facts.lands[area].resource)
        for area in s.facts.coast[sea]
    )


def convoy_left(s: State, sea: str) -> int:
    """The Convoy Factor of a sea area less its damage; 0 if there is no convoy in play."""
    convoy = s.facts.convoys.get(sea)
    if convoy is None or sea not in s.in_play:
        return 0
    key = ("convoy_destroyed", sea)
    destroyed: bool | None = s.cached(key)
    if destroyed is None:
        destroyed = s.keep(key, convoy_destroyed(s, sea), lasting=True)
    return 0 if destroyed else convoy.factor - s.convoy_damage.get(sea, 0)


def convoy_stands(s: State, sea: str) -> bool:
    """Whether the convoy of a sea area counts as a unit of its side.

    Rules: 1.5d
    """
    return convoy_left(s, sea) > 0
