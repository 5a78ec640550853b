"""The form of diplomacy: how a nation stands to the others, what it may do about that at any time,
and what keeps it from doing more."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.gw36 import words
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules import pacts, rights
from sandtable.games.gw36.rules.alignment import sphere
from sandtable.games.gw36.rules.relations import able, penalty, refusal
from sandtable.games.gw36.rules.terms import at_war, foes, power_of
from sandtable.kernel.decisions import Decision, Legal, plain
from sandtable.kernel.display import Choice, Form, Help

_PERMISSIONS = {
    "transit": "Let through your land zones",
    "rail": "Let use your railways",
    "supply": "Let supply through your land zones",
    "northern_route": "Open the Northern Sea Route",
    "share_penalty": "Share the penalty of a declaration of war",
    "soviet_arctic": "Allow the bonus of the Arctic convoys",
}

_GROUPS = ("Pacts", "Land zones", "Straits and canals", "Declare war", "Withdraw a permission")
"""Headings, in order; then the permissions."""


def diplomacy(legal: Legal) -> Form:
    """Relations in sentences, and everything that could be done now under headings."""
    s: State = legal.state
    power = legal.asked.power
    choices = [
        _choice(s, power, decision)
        for decision in legal
        if not isinstance(decision, rights.DeclareWar) or power_of(s, decision.on) == decision.on
    ]
    order = (*_GROUPS, *_PERMISSIONS.values())
    choices.sort(key=lambda choice: order.index(choice.group))
    return Form(
        kind=legal.asked.kind,
        power=power,
        component="choose",
        title="Diplomacy",
        prompt="At any time, in whoever's turn, you may declare war, offer, accept or end pacts, "
        "open and close straits and give permissions. Nothing has to be done.",
        choices=tuple(choices),
        notes=tuple(_notes(s, power)),
        help=(
            Help("5.5a", "Declaring war"),
            Help("14.1a", "Pacts"),
            Help("1.15b", "Straits and canals"),
            Help("9.21a", "Return of zones"),
        ),
    )


def _choice(s: State, power: str, decision: Decision) -> Choice:
    name = s.facts.name
    given = plain(decision)
    match decision:
        case rights.DeclareWar():
            label = f"Declare war on {name(decision.on)}"
            detail = _stakes(s, power, decision.on)
            nation = power_of(s, decision.on)
            return Choice(
                label,
                given,
                detail,
                symbol="flag",
                power=nation,
                group="Declare war",
                tone="danger",
            )
        case rights.AgreeToPact():
            others = [one for one in s.facts.politics.pacts[decision.pact].partners if one != power]
            accepts = any((decision.pact, other) in s.offers for other in others)
            what = "Accept" if accepts else "Offer"
            detail = f"{words.nations(s.facts, others)} " + (
                "has agreed: it comes into force." if accepts else "has to agree, too."
            )
            return Choice(f"{what} {words.PACTS[decision.pact]}", given, detail, group="Pacts")
        case rights.WithdrawOffer():
            return Choice(
                f"Take back the offer of {words.PACTS[decision.pact]}", given, group="Pacts"
            )
        case rights.EndPact():
            price = s.facts.politics.pacts[decision.pact].price
            return Choice(
                f"End {words.PACTS[decision.pact]}",
                given,
                f"It costs {price} IPP." if price else "",
                group="Pacts",
                tone="danger",
            )
        case rights.ClosePassage() | rights.OpenPassage():
            what = "Close" if isinstance(decision, rights.ClosePassage) else "Open"
            label = f"{what} {name(decision.passage)} to {name(decision.to)}"
            return Choice(label, given, group="Straits and canals")
        case rights.Permit():
            return Choice(name(decision.to), given, group=_PERMISSIONS[decision.what])
        case rights.Withdraw():
            label = f"{name(decision.to)}: {_PERMISSIONS[decision.what].lower()}"
            return Choice(label, given, group="Withdraw a permission")
        case rights.AskReturn():
            holder = s.possession[decision.zone]
            return Choice(
                f"Ask {name(holder)} for {name(decision.zone)}",
                given,
                "If it is refused, you may declare war.",
                (decision.zone,),
                group="Land zones",
            )
        case rights.ReturnZone():
            return Choice(
                f"Return {name(decision.zone)} to {name(s.facts.zones[decision.zone].owner)}",
                given,
                spaces=(decision.zone,),
                group="Land zones",
            )
    return Choice("Move the capital back", given, group="Land zones")


def _stakes(s: State, power: str, on: str) -> str:
    """What a declaration of war on a nation means."""
    facts = s.facts
    told = []
    owed = penalty(s, power, on)
    if owed:
        told.append(f"costs {owed} IPP")
    known = facts.nations[on]
    controller = s.control.get(on)
    if controller:
        told.append(f"Controlled by {facts.name(controller)}")
    elif not known.player:
        side = words.ALLIANCES.get(sphere(s, power, on), "")
        told.append(f"Minor Power, turns to the {side}" if side else "Minor Power")
    elif known.kind == "major":
        told.append("Major Power")
    text = ", ".join(told)
    return f"{text[:1].upper()}{text[1:]}"


def _notes(s: State, power: str) -> Iterator[str]:
    """How things stand, and why more is not to be had."""
    facts, name = s.facts, s.facts.name
    enemies = sorted(foes(s, power), key=lambda id: (not facts.nations[id].player, id))
    yield f"At war with {words.nations(facts, enemies)}." if enemies else "At war with nobody."
    minors = [minor for minor, by in sorted(s.aligned.items()) if by == power]
    if minors:
        yield f"Aligned with you: {words.nations(facts, minors)}."
    controlled = [minor for minor, by in sorted(s.control.items()) if by == power]
    if controlled:
        yield f"Controlled by you: {words.nations(facts, controlled)}."
    for id, pact in facts.politics.pacts.items():
        if power not in pact.partners:
            continue
        other = next(one for one in pact.partners if one != power)
        text = words.PACTS[id][:1].upper() + words.PACTS[id][1:]
        if id in s.pacts:
            yield f"{text} with {name(other)} is in force."
        elif (id, other) in s.offers:
            yield f"{name(other)} offers {words.PACTS[id]}."
        elif why := pacts.sign_refusal(s, power, id)[0]:
            yield why if text.removeprefix("The ") in why else f"{text}: {why}"
    yield from _hindrances(s, power)


def _hindrances(s: State, power: str) -> Iterator[str]:
    """Why the nation cannot declare war, on anybody or on some of the player nations."""
    why, _ = able(s, power)
    if why:
        yield why
        return
    for other in s.facts.powers:
        if other == power_of(s, other) and not at_war(s, power, other):
            reason, rule = refusal(s, power, other)
            if reason and rule not in ("table-4-2b", "8.1a"):
                yield reason
