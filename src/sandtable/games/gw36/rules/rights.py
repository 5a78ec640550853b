"""Diplomacy: what nations may do at any time, though nobody asks them (5.5, 9.21, 9.23, 13.3, 14.1,
1.15): declare war, sign and end pacts, open and close passages, give and withdraw permissions, ask
for land zones and return them, move a capital back.

Permissions stand until they are withdrawn, so that nobody has to be asked.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from typing import ClassVar

from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules import pacts, passages
from sandtable.games.gw36.rules.capture import heir, possess, withdraw
from sandtable.games.gw36.rules.common import UNDER_WAY
from sandtable.games.gw36.rules.consequences import settle
from sandtable.games.gw36.rules.control import zones_of
from sandtable.games.gw36.rules.relations import go_to_war, is_allied_power, refusal
from sandtable.games.gw36.rules.surrender import may_move_back, move_capital
from sandtable.games.gw36.rules.terms import aligned, alliance, at_war, power_of
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.kits import YesOrNo
from sandtable.kernel.ruleset import Procedure
from sandtable.kernel.table import Table

PERMISSIONS = ("transit", "rail", "supply", "northern_route", "share_penalty", "soviet_arctic")
"""The way through land zones, their railways and supply paths; the Northern Sea Route; a share of
the penalty of 5.6; the Soviet bonus of the Arctic convoys."""


class DeclareWar(Decision, frozen=True, tag="declare_war"):
    """Declare war on a nation, in whoever's turn."""

    on: str


class AgreeToPact(Decision, frozen=True, tag="agree_to_pact"):
    """Offer a pact, or accept the other's offer: it is signed when both have agreed."""

    pact: str


class WithdrawOffer(Decision, frozen=True, tag="withdraw_offer"):
    """Take back the offer of a pact."""

    pact: str


class EndPact(Decision, frozen=True, tag="end_pact"):
    """End a pact that is in force."""

    pact: str


class ClosePassage(Decision, frozen=True, tag="close_passage"):
    """Close a strait or a canal to a nation."""

    passage: str
    to: str


class OpenPassage(Decision, frozen=True, tag="open_passage"):
    """Open a strait or a canal that is closed to a nation."""

    passage: str
    to: str


class Permit(Decision, frozen=True, tag="permit"):
    """Allow a nation something until it is withdrawn."""

    what: str
    to: str


class Withdraw(Decision, frozen=True, tag="withdraw_permission"):
    """Withdraw a permission, or refuse what partners have without asking."""

    what: str
    to: str


class AskReturn(Decision, frozen=True, tag="ask_return"):
    """Ask for a land zone that was one's own to be returned."""

    zone: str


class ReturnZone(Decision, frozen=True, tag="return_zone"):
    """Return a land zone to its original owner."""

    zone: str


class MoveCapitalBack(Decision, frozen=True, tag="move_capital_back"):
    """Move the capital back to the original one."""


class AnswerReturn(YesOrNo, frozen=True, tag="answer_return"):
    """Whether a land zone is returned to its original owner, who may declare war if it is not."""

    zone: str
    owner: str

    rule: ClassVar[str] = "9.21a"


class Diplomacy(Request, frozen=True, tag="diplomacy"):
    """What a nation may do at any time."""

    answers: ClassVar[tuple[type[Decision], ...]] = (
        DeclareWar,
        AgreeToPact,
        WithdrawOffer,
        EndPact,
        ClosePassage,
        OpenPassage,
        Permit,
        Withdraw,
        AskReturn,
        ReturnZone,
        MoveCapitalBack,
    )

    def check(self, state: State, decision: Decision) -> None:
        why, rule = _refusal(state, self.power, decision)
        if why:
            raise IllegalDecision(why, rule)

    def decisions(self, state: State) -> Iterator[Decision]:
        for kind in self.answers:
            for decision in _options(state, self.power, kind):
                if not _refusal(state, self.power, decision)[0]:
                    yield decision

    def propose(self, state: State, rng: random.Random) -> Iterator[Decision]:
        kinds = list(self.answers)
        rng.shuffle(kinds)
        for kind in kinds:
            every = list(_options(state, self.power, kind))
            rng.shuffle(every)
            yield from every


def rights(state: State) -> tuple[Request, ...]:
    """The nations in play may conduct diplomacy at any time but while consequences are drawn, while
    Defenders answer moves, and in the middle of a combat: units could change hands in it.

    Rules: 5.5a, 8.1b, 14.1a, table-4-2h
    """
    fighting = state.phase == "combat" and bool(state.step)
    if state.news or fighting or state.step == UNDER_WAY:
        return ()
    return _rights(state.facts.powers, state.surrendered)


@lru_cache(maxsize=256)
def _rights(powers: tuple[str, ...], surrendered: frozenset[str]) -> tuple[Request, ...]:
    absent = surrendered | (frozenset() if "france" in surrendered else {"free_france"})
    return tuple(Diplomacy(power) for power in powers if power not in absent)


def use(g: Table[State], power: str, decision: Decision) -> Procedure[None]:
    """Carry out a decision of a nation that nobody has asked, and draw its consequences."""
    s = g.state
    match decision:
        case DeclareWar():
            go_to_war(g, power, decision.on, declared=True)
        case AgreeToPact():
            _agree(g, power, decision.pact)
        case WithdrawOffer():
            s.offers -= {(decision.pact, power)}
            g.emit("offer_withdrawn", power=power, pact=decision.pact)
        case EndPact():
            pacts.break_pact(g, power, decision.pact)
        case ClosePassage():
            s.closed |= {(decision.passage, power_of(s, decision.to))}
            g.emit("passage_closed", power=power, passage=decision.passage, against=decision.to)
        case OpenPassage():
            s.closed -= {(decision.passage, power_of(s, decision.to))}
            g.emit("passage_opened", power=power, passage=decision.passage, against=decision.to)
        case Permit():
            _permit(g, power, decision.what, decision.to)
        case Withdraw():
            _withdraw(g, power, decision.what, decision.to)
        case AskReturn():
            yield from _ask_return(g, power, decision.zone)
        case ReturnZone():
            return_zone(g, decision.zone)
        case MoveCapitalBack():
            move_capital(g, power, s.facts.nations[power].capital)
    yield from settle(g)


# --- pacts ----------------------------------------------------------------------------------------


def _agree(g: Table[State], power: str, name: str) -> None:
    """Both partners have to agree.

    Rules: 14.1a, 14.2a, 14.3a, 13.3d
    """
    s = g.state
    s.offers |= {(name, power)}
    if all((name, partner) in s.offers for partner in s.facts.politics.pacts[name].partners):
        pacts.sign(g, name)
    else:
        g.emit("pact_offered", power=power, pact=name)


def _agree_refusal(s: State, power: str, decision: AgreeToPact) -> tuple[str, str]:
    if (decision.pact, power) in s.offers:
        return f"{s.facts.name(power)} has made that offer.", "14.1a"
    return pacts.sign_refusal(s, power, decision.pact)


def _withdraw_offer_refusal(s: State, power: str, decision: WithdrawOffer) -> tuple[str, str]:
    if (decision.pact, power) not in s.offers:
        return f"{s.facts.name(power)} has made no such offer.", "14.1a"
    return "", ""


# --- passages and permissions ---------------------------------------------------------------------


def _close_refusal(s: State, power: str, decision: ClosePassage) -> tuple[str, str]:
    """Owners close a passage to whom the tables let them; the pact keeps the White Sea Canal open.

    Rules: 1.15b, 14.2k
    """
    if decision.passage not in s.facts.politics.passages or decision.to not in s.facts.powers:
        return "There is no such strait, canal or nation.", "1.15b"
    if (decision.passage, power_of(s, decision.to)) in s.closed:
        return f"{s.facts.name(decision.passage)} is closed to it already.", "1.15b"
    pact = "molotov_ribbentrop" in s.pacts and decision.to == "germany"
    if pact and decision.passage == s.facts.white_sea:
        return "The Molotov-Ribbentrop Pact opens that canal to Germany.", "14.2k"
    return passages.may_close(s, power, decision.passage, decision.to), "1.15b"


def _open_refusal(s: State, power: str, decision: OpenPassage) -> tuple[str, str]:
    if (decision.passage, decision.to) not in s.closed:
        return "It is not closed to that nation.", "1.15b"
    if power not in passages.owners(s, decision.passage):
        return f"{s.facts.name(power)} does not possess it.", "1.15b"
    return "", ""


def _permit_refusal(s: State, power: str, decision: Permit | Withdraw) -> tuple[str, str]:
    """Which permissions there are to give: the Northern Sea Route is Soviet, the Arctic bonus is
    for the USA to deny the USSR, the penalty is shared by the Allied powers.

    Rules: 1.19b, 5.6c, 14.2l, nrs-usa-f, table-4-2c
    """
    facts, what, to = s.facts, decision.what, decision.to
    if what not in PERMISSIONS or to not in facts.powers or power_of(s, to) == power_of(s, power):
        return "There is no such permission.", "table-4-2c"
    if what == "northern_route" and power != "ussr":
        return "Only the Soviet Union opens the Northern Sea Route.", "1.19b"
    if what == "soviet_arctic" and (power, to) != ("usa", "ussr"):
        return "Only the USA decides about the bonus of the Arctic convoys.", "nrs-usa-f"
    if what == "share_penalty" and not (is_allied_power(power) and is_allied_power(to)):
        return "Only the Allied powers share that penalty.", "5.6c"
    entry = (what, power, to)
    if isinstance(decision, Permit):
        if entry in s.permits or (_without_asking(s, entry) and entry not in s.refused):
            return "That is allowed already.", "table-4-2c"
        return "", ""
    if what == "northern_route" and to == "germany" and "molotov_ribbentrop" in s.pacts:
        return "The Molotov-Ribbentrop Pact opens the route to Germany.", "14.2l"
    if entry in s.refused or not (entry in s.permits or _without_asking(s, entry)):
        return "That is not allowed anyway.", "table-4-2c"
    return "", ""


def _without_asking(s: State, entry: tuple[str, str, str]) -> bool:
    """Whether a nation has something without a permission, unless it is refused."""
    what, giver, to = entry
    return what == "soviet_arctic" or (
        what in ("transit", "rail", "supply") and aligned(s, giver, to)
    )


def _permit(g: Table[State], power: str, what: str, to: str) -> None:
    s, entry = g.state, (what, power, to)
    if entry in s.refused:
        s.refused -= {entry}
    if not _without_asking(s, entry):
        s.permits |= {entry}
    g.emit("permitted", power=power, what=what, against=to)


def _withdraw(g: Table[State], power: str, what: str, to: str) -> None:
    s, entry = g.state, (what, power, to)
    s.permits -= {entry}
    if _without_asking(s, entry):
        s.refused |= {entry}
    g.emit("permission_withdrawn", power=power, what=what, against=to)


# --- the return of land zones ---------------------------------------------------------------------


def _owed(s: State, zone: str) -> str:
    """The player nation of another Alliance to which a land zone originally belonged.

    Rules: 9.21a
    """
    holder = s.possession.get(zone, "")
    if not holder or not s.facts.nations[holder].player:
        return ""
    owner = heir(s, s.facts.zones[zone].owner)
    if (
        owner == holder
        or not s.facts.nations[owner].player
        or owner in s.surrendered
        or alliance(s, owner) == alliance(s, holder)
        or at_war(s, owner, holder)
    ):
        return ""
    return owner


def _ask_return_refusal(s: State, power: str, decision: AskReturn) -> tuple[str, str]:
    if _owed(s, decision.zone) != power:
        return "No nation of another Alliance has taken that land zone from you.", "9.21a"
    if s.done.get(f"return:{decision.zone}"):
        return "That has been asked this turn.", "9.21a"
    return "", ""


def _return_refusal(s: State, power: str, decision: ReturnZone) -> tuple[str, str]:
    if s.possession.get(decision.zone) != power or not _owed(s, decision.zone):
        return "That land zone is nobody else's to have.", "9.21a"
    return "", ""


def _ask_return(g: Table[State], owner: str, zone: str) -> Procedure[None]:
    """The holder agrees or declines; who was declined may declare war until the zone is returned.

    Rules: 9.21a, 9.21c
    """
    s = g.state
    holder = s.possession[zone]
    s.done[f"return:{zone}"] = 1
    g.emit("return_asked", power=owner, against=holder, space=zone)
    answer = yield from g.ask(AnswerReturn(holder, zone, owner))
    if s.possession[zone] != holder or _owed(s, zone) != owner:
        return  # war has come between the question and the answer
    if answer.yes:
        return_zone(g, zone)
    else:
        s.refused |= {(f"return:{zone}", holder, owner)}
        g.emit("return_refused", power=holder, against=owner, space=zone)


def return_zone(g: Table[State], zone: str) -> None:
    """Give a land zone back: the units in it go to their nearest Friendly land zone, however far.

    Rules: 9.21b, 9.21c
    """
    s = g.state
    owner = _owed(s, zone)
    s.refused = frozenset(entry for entry in s.refused if entry[0] != f"return:{zone}")
    possess(g, zone, owner, "returned")
    for unit, count in list(s.stack(zone).items()):
        if not aligned(s, unit.nation, owner):
            withdraw(s, zone, unit, count)


# --- all of it ------------------------------------------------------------------------------------


def _refusal(s: State, power: str, decision: Decision) -> tuple[str, str]:
    """Why a nation may not do that now, with the rule; empty if it may."""
    match decision:
        case DeclareWar():
            if decision.on not in s.facts.nations:
                return "There is no such nation.", "8.1a"
            return refusal(s, power, decision.on)
        case AgreeToPact():
            return _agree_refusal(s, power, decision)
        case WithdrawOffer():
            return _withdraw_offer_refusal(s, power, decision)
        case EndPact():
            return pacts.end_refusal(s, power, decision.pact)
        case ClosePassage():
            return _close_refusal(s, power, decision)
        case OpenPassage():
            return _open_refusal(s, power, decision)
        case Permit() | Withdraw():
            return _permit_refusal(s, power, decision)
        case AskReturn():
            return _ask_return_refusal(s, power, decision)
        case ReturnZone():
            return _return_refusal(s, power, decision)
    return ("", "") if may_move_back(s, power) else ("No capital can be moved back.", "9.23b")


def _options(s: State, power: str, kind: type[Decision]) -> Iterator[Decision]:
    """Decisions of a kind, of which some are legal."""
    facts = s.facts
    if kind is DeclareWar:
        yield from (DeclareWar(nation) for nation in facts.nations)
    elif kind is AgreeToPact:
        yield from (AgreeToPact(name) for name in facts.politics.pacts)
    elif kind is WithdrawOffer:
        yield from (WithdrawOffer(name) for name, who in sorted(s.offers) if who == power)
    elif kind is EndPact:
        yield from (EndPact(name) for name in sorted(s.pacts))
    elif kind is ClosePassage:
        for passage in facts.politics.passages:
            if power in passages.owners(s, passage):
                yield from (ClosePassage(passage, to) for to in facts.powers)
    elif kind is OpenPassage:
        yield from (OpenPassage(passage, to) for passage, to in sorted(s.closed))
    elif kind is Permit:
        yield from (Permit(what, to) for what in PERMISSIONS for to in facts.powers)
    elif kind is Withdraw:
        yield from (Withdraw(what, to) for what in PERMISSIONS for to in facts.powers)
    elif kind is AskReturn:
        printed = "france" if power == "free_france" else power
        yield from (AskReturn(zone) for zone in facts.nations[printed].zones)
    elif kind is ReturnZone:
        yield from (ReturnZone(zone) for zone in zones_of(s, power))
    else:
        yield MoveCapitalBack()
