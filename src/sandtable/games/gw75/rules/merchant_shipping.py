"""Neutral Merchant Fleets (19.1): what a power at peace may move or give away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.gw75.facts import MAJORS
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules.terms import side
from sandtable.games.gw75.rules.wars import at_peace
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.table import Table


class LendShips(Decision, frozen=True, tag="lend_ships"):
    """The USA hands Merchant Ships in a hex over to an Allied nation."""

    space: str
    to: str
    number: int = 1


class Shipping(Request, frozen=True, tag="shipping"):
    """The Merchant Ships that the USA may lend, while it is at peace and has more than it needs."""

    answers: ClassVar[tuple[type[Decision], ...]] = (LendShips,)

    @property
    def prompt(self) -> str:
        return "Lend Merchant Ships."

    def check(self, state: State, decision: LendShips) -> None:
        """Rules: 19.12a"""
        why, rule = unloanable(state, decision.space, decision.to, decision.number)
        if why:
            raise IllegalDecision(why, rule)

    def decisions(self, state: State) -> Iterator[Decision]:
        for hex in spare(state):
            for to in MAJORS:
                for number in range(1, surplus(state, "usa", hex) + 1):
                    if not unloanable(state, hex, to, number)[0]:
                        yield LendShips(hex, to, number)


def spare(s: State) -> tuple[str, ...]:
    """The hexes in which the USA has Merchant Ships to lend; at war it keeps them.

    Rules: 19.12a
    """
    if not at_peace(s, "usa"):
        return ()
    found: tuple[str, ...] | None = s.lines.get("spare")
    if found is None:
        found = s.lines["spare"] = tuple(
            hex for hex in s.presence.get("usa", ()) if surplus(s, "usa", hex)
        )
    return found


def ships(s: State, nation: str, hex: str) -> int:
    """The Merchant Ships of a nation in a hex."""
    return sum(
        count for unit, count in s.stack(hex).items() if unit.nation == nation and unit.type == "ms"
    )


def surplus(s: State, nation: str, hex: str) -> int:
    """How many Merchant Ships of a nation may leave a Holding Area. While it is at peace, as many
    stay as the scenario has there: its pipelines are kept at their level.

    Rules: 19.11
    """
    have = ships(s, nation, hex)
    if not at_peace(s, nation):
        return have
    scenario = s.facts.scenarios[s.options["scenario"]]
    level = scenario.units.get(nation, {}).get(hex, {}).get("ms", 0)
    return max(0, have - level)


def unloanable(s: State, hex: str, to: str, number: int) -> tuple[str, str]:
    """Why the USA cannot lend so many Merchant Ships in a hex to a nation, with the rule; empty if
    it can: its surplus, to any Allied nation.

    Rules: 19.12a
    """
    name = s.facts.name
    if to == "usa" or to not in s.facts.nations or side(s, to) != "allies" or to in s.fallen:
        return f"{name(to)} is no Allied nation that could take ships.", "19.12a"
    most = surplus(s, "usa", hex) if at_peace(s, "usa") else 0
    if not 0 < number <= most:
        return (
            f"The USA can spare {most} Merchant Ships in {name(hex)}, not {number}.",
            "19.12a",
        )
    return "", ""


def loan(g: Table[State], hex: str, to: str, number: int) -> None:
    """The USA hands Merchant Ships over: they are the other nation's from now on, and no longer
    American if they are attacked.

    Rules: 19.12a, 19.12b
    """
    s = g.state
    left = number
    for unit, count in list(s.stack(hex).items()):
        if unit.nation == "usa" and unit.type == "ms" and left:
            part = min(left, count)
            left -= part
            s.change(hex, unit, part, nation=to)
    s.lost["usa", "ms"] = s.lost.get(("usa", "ms"), 0) + number
    s.built[to, "ms"] = s.built.get((to, "ms"), 0) + number
    g.emit("ships_lent", power="usa", recipient=to, space=hex, units={"ms": number})
