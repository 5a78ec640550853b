"""Placing the bid: the form before the game."""

from __future__ import annotations

from sandtable.games.aa1942.forms.rules import ask
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.bid import PlaceBid, bidders, places
from sandtable.games.aa1942.rules.movement import Done
from sandtable.games.aa1942.view import symbol
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form


def bid(legal: Legal, request: PlaceBid, s: State) -> Form:
    """A choice for each unit in each space where one can be placed."""
    facts, power = s.facts, request.power
    return ask(
        request,
        "choose",
        title="Bid",
        prompt=(
            f"The {s.options['bid_side'].capitalize()} have a bid: {request.left} IPCs are left "
            f"for units of {facts.power_name(power)}, one to a space, where it has units already."
        ),
        choices=tuple(
            Choice(
                facts.name(place.type)[:1].upper() + facts.name(place.type)[1:],
                plain(place),
                f"{facts.units[place.type].cost} IPCs",
                spaces=(place.space,),
                symbol=symbol(place.type),
                power=power,
                group=facts.name(place.space),
            )
            for place in places(s, power)
        ),
        done=plain(Done()),
        done_label="Place nothing more",
        notes=(f"What is not spent goes to {facts.power_name(bidders(s)[-1])}.",),
    )
