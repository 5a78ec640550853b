"""What nations may do though nobody asks them: enter the war (19.2, 19.3, 19.6, 19.7), place a Port
(18.53), lend Merchant Ships (19.12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import italy, merchant_shipping, ports, united_states, ussr
from sandtable.games.gw75.rules.consequences import settle
from sandtable.games.gw75.rules.terms import at_war, cited, commander, foes
from sandtable.games.gw75.rules.wars import declare
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table


class EnterWar(Decision, frozen=True, tag="enter_war"):
    """A nation enters the war: Italy against Germany's Enemies, the USA and the USSR on a limited
    basis against Germany and Italy, the USSR against Japan; or the USSR makes its limited war a
    full one (`full`)."""

    nation: str
    against: str


FULL = "full"
OPTIONS = (
    EnterWar("italy", "allies"),
    EnterWar("usa", "germany"),
    EnterWar("ussr", "germany"),
    EnterWar("ussr", "japan"),
    EnterWar("ussr", FULL),
)


class Politics(Request, frozen=True, tag="politics"):
    """The wars that the nations of a player may enter now."""

    answers: ClassVar[tuple[type[Decision], ...]] = (EnterWar,)

    @property
    def prompt(self) -> str:
        return "Enter a war."

    def check(self, state: State, decision: EnterWar) -> None:
        why, rule = refusal(state, self.power, decision)
        if why:
            raise IllegalDecision(why, rule)

    def decisions(self, state: State) -> Iterator[Decision]:
        yield from wars(state, self.power)


def wars(s: State, power: str) -> Iterator[EnterWar]:
    """The wars that a player may bring its nations into now."""
    for option in OPTIONS:
        if not refusal(s, power, option)[0]:
            yield option


def refusal(s: State, power: str, decision: EnterWar) -> tuple[str, str]:
    """Why a player may not bring a nation into a war now, with the rule; empty if it may.

    Rules: 19.21a, 19.21b, 19.37a, 19.61a, 19.72a, 19.72c
    """
    name = s.facts.name
    if decision not in OPTIONS:
        return f"{name(decision.nation)} has no right to enter such a war.", "19.21a"
    if commander(s, decision.nation) != power:
        return f"{name(power)} does not decide for {name(decision.nation)}.", "21.12"
    match decision.nation, decision.against:
        case "italy", _:
            why = italy.may_be_drawn_in(s)
            if not why and not foes(s, "germany"):
                why = "Germany is at war with nobody (19.21a)."
            return why, why and cited(why)
        case "usa", _:
            if not united_states.may_enter(s):
                return "Nothing has happened that lets the USA enter a limited war.", "19.37a"
            if at_war(s, "usa", "germany"):
                return "The USA is at war with Germany already.", "19.37a"
        case "ussr", "germany":
            if not ussr.may_enter(s):
                return "Nothing has happened that lets the USSR enter a limited war.", "19.72a"
            if at_war(s, "ussr", "germany"):
                return "The USSR is at war with Germany already.", "19.72a"
        case "ussr", "japan":
            if at_war(s, "ussr", "japan"):
                return "The USSR is at war with Japan already.", "19.61a"
            why = ussr.may_violate(s, "japan")
            return why, why and cited(why)
        case _:
            if not ussr.may_go_full(s):
                return "The USSR has not lost enough in a limited war.", "19.72c"
    return "", ""


def rights(state: State) -> tuple[Request, ...]:
    """The players who may bring a nation into the war now, place a Port or lend ships: at any time
    but while consequences are drawn, in the middle of a move or of a combat.

    Rules: 18.53, 19.12a, 19.21a, 19.37a, 19.61a, 19.72a, 19.72c
    """
    s = state
    if s.news or s.march is not None or s.land is not None or s.sea is not None:
        return ()
    if s.phase.endswith("_combat"):
        return ()
    key = f"rights:{s.turn}:{s.phase}"
    found: tuple[Request, ...] | None = s.memo.get(key)
    if found is None:
        powers = dict.fromkeys(
            commander(s, option.nation)
            for option in OPTIONS
            if not refusal(s, commander(s, option.nation), option)[0]
        )
        harbours = dict.fromkeys(commander(s, nation) for nation in sorted(s.stock))
        lenders = (commander(s, "usa"),) if merchant_shipping.spare(s) else ()
        found = s.memo[key] = (
            *(Politics(power) for power in powers),
            *(each for each in map(ports.Harbours, harbours) if any(each.decisions(s))),
            *(merchant_shipping.Shipping(power) for power in lenders),
        )
    return found


def use(g: Table[State], power: str, decision: Decision) -> Procedure[None]:
    """Carry out what a player does unasked."""
    match decision:
        case EnterWar():
            _enter_war(g, decision)
        case ports.PlacePort():
            ports.place(g, decision.nation, decision.space)
        case merchant_shipping.LendShips():
            merchant_shipping.loan(g, decision.space, decision.to, decision.number)
    yield from settle(g)


def _enter_war(g: Table[State], decision: EnterWar) -> None:
    match decision.nation, decision.against:
        case "italy", _:
            italy.enter(g)
        case "usa", _:
            united_states.enter_limited(g)
        case "ussr", "germany":
            ussr.enter_limited(g)
        case "ussr", "japan":
            declare(g, "ussr", "japan")
        case _:
            ussr.go_full(g)
