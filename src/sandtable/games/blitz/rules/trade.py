"""Trade agreements (7.5)."""

from __future__ import annotations

from sandtable.games.blitz.model import NEUTRAL, State
from sandtable.games.blitz.rules.sides import at_war
from sandtable.games.blitz.rules.supply import network
from sandtable.games.blitz.tables import Trade


def end_by_war(s: State) -> None:
    """End for good the trade agreements whose time is over.

    To be called whenever a war begins, a country aligns or a marker of neutral entry moves.

    Rules: 7.5a, 7.5b, 7.5c, 7.5d, F.6a
    """
    going_on = tuple(name for name in s.trades if not _over(s, s.facts.trade[name]))
    if going_on != s.trades:
        s.trades = going_on
        s.forget()


def _over(s: State, trade: Trade) -> bool:
    if trade.country:
        return s.allied.get(trade.country, NEUTRAL) != NEUTRAL or trade.country in s.conquered
    return at_war(s, trade.power, trade.to) or s.entry.get(trade.power, 0) >= trade.until_box


def delivered(s: State, name: str) -> bool:
    """Whether the goods of a trade agreement reach the power that they are for.

    It needs a supply line to the country, or to the border or coast of the power, that gives them.

    Rules: 7.6e
    """
    trade = s.facts.trade[name]
    if trade.to not in s.scenario.powers:
        return False
    lines = network(s, trade.to, shared=False, across_neutrals=True)
    if trade.country:
        sources = s.facts.countries[trade.country].areas
        return any(
            area in lines or (area not in s.control and not lines.isdisjoint(s.facts.coast[area]))
            for area in sources
        )
    return any(
        holder == trade.power
        and not lines.isdisjoint((*s.facts.land_next[area], *s.facts.coast[area]))
        for area, holder in s.control.items()
    )
