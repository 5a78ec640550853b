"""Collect income, and winning the game (p.6, p.23)."""

from __future__ import annotations

from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.spaces import capital_lost, production
from sandtable.kernel.ruleset import Result
from sandtable.kernel.table import Table


def collect_income(g: Table[State]) -> None:
    """Phase 6: add the production level to the treasury; nothing while the capital is lost.

    Rules: income.collect, income.capital, capital.lost.phases, capital.liberate.resume
    """
    s = g.state
    if capital_lost(s, s.turn):
        g.emit("no_income", power=s.turn)
        return
    income = production(s, s.turn)
    s.treasury[s.turn] += income
    g.emit("collected", power=s.turn, ipcs=income)


def cities_held(s: State) -> dict[str, int]:
    """The number of victory cities that each side controls.

    Rules: setup.victory-cities, victory-city.capture
    """
    cities = s.facts.cities if s.options["cities"] == 12 else s.facts.cities_faq
    held = dict.fromkeys(sorted(set(s.facts.side.values())), 0)
    for territory in cities.values():
        held[s.facts.side[s.control[territory]]] += 1
    return held


def check_victory(s: State) -> Result | None:
    """The winner at the end of a round, if a side holds enough cities.

    Rules: victory.check, victory.standard, victory.total, setup.victory-choice
    """
    printed = "printed" if s.options["cities"] == 12 else "faq"
    needed = s.facts.thresholds[printed][s.options["victory"]]
    for side, count in cities_held(s).items():
        if count >= needed[side]:
            winners = tuple(p for p in s.facts.powers if s.facts.side[p] == side)
            return Result(winners, f"The {side.capitalize()} hold {count} victory cities.")
    return None
