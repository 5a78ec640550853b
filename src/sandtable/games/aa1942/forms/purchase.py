"""Buying: the form of the first phase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandtable.board.words import listed
from sandtable.games.aa1942.bot.buying import purchase as sensible
from sandtable.games.aa1942.facts import UnitType
from sandtable.games.aa1942.forms.rules import ask
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.production import complexes
from sandtable.games.aa1942.rules.purchase import Buy, Purchase
from sandtable.games.aa1942.view import symbol
from sandtable.games.aa1942.words import power_name, units_in_words
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form, Limit, Row
from sandtable.kernel.errors import passes

DOMAINS = {
    "land": "Land units",
    "air": "Aircraft",
    "sea": "Ships",
    "facility": "Buildings",
}
"""The headings under which units stand."""


def purchase(legal: Legal, request: Any, s: State) -> Form:
    """Units with their prices, repairs, and what can be placed."""
    facts, money = s.facts, request.treasury
    rows = [
        Row(
            key=kind.id,
            label=kind.name,
            path=("units", kind.id),
            most=money // kind.cost,
            symbol=symbol(kind.id),
            power=request.power,
            cost=kind.cost,
            group=DOMAINS[kind.domain],
            note=_profile(kind),
        )
        for kind in sorted(facts.units.values(), key=lambda kind: list(DOMAINS).index(kind.domain))
    ]
    each = facts.numbers.repair_cost
    rows += [
        Row(
            key=f"repair:{land}",
            label=f"Damage in {facts.name(land)}",
            path=("repairs", land),
            most=min(damage, money // each),
            symbol="damage",
            cost=each,
            group="Repairs",
            space=land,
            note=f"{damage} damage; each point repaired lets one more unit be placed here.",
        )
        for land, damage in request.damaged.items()
    ]
    limits, notes = _placement(s, request.damaged)
    return ask(
        request,
        "buy",
        title="Purchase units",
        prompt=(
            f"{power_name(facts, request.power, start=True)} has {money} "
            f"{'IPC' if money == 1 else 'IPCs'}, the money of this game. "
            "New units are placed at the end of the turn; what is not spent is kept."
        ),
        base={"kind": "buy"},
        rows=tuple(rows),
        limits=(
            Limit("IPCs", money, by_cost=True, spare=min(k.cost for k in facts.units.values()) - 1),
            *limits,
        ),
        choices=tuple(_proposal(s, request)),
        done_label="Buy",
        notes=notes,
    )


def _proposal(s: State, request: Purchase) -> Iterator[Choice]:
    """What a bot would buy, for whoever does not know yet."""
    buy = next((each for each in sensible(s, request) if passes(request.check, s, each)), None)
    if isinstance(buy, Buy) and buy.units:
        what = units_in_words(s.facts, buy.units)
        yield Choice("Buy as proposed", plain(buy), what)


def _profile(kind: UnitType) -> str:
    if kind.domain == "facility":
        return "New units come in here from your next turn on"
    if not kind.attack and not kind.defense:
        use = "Carries land units" if kind.domain == "sea" else "Fires at attacking aircraft"
        return f"{use}, does not fight otherwise, move {kind.move}"
    return f"Attack {kind.attack}, defense {kind.defense}, move {kind.move}"


def _placement(s: State, damaged: dict[str, int]) -> tuple[tuple[Limit, ...], tuple[str, ...]]:
    """How many units can be placed this turn: as a limit (of a purchase it only warns), and in
    words."""
    facts = s.facts
    rooms = complexes(s)
    total = sum(rooms.values())
    if not rooms:
        return (), ("No industrial complex can place units this turn; they would be given back.",)
    weights = dict.fromkeys(facts.units, 1) | {"industrial_complex": 0}
    for land, damage in damaged.items():
        # Only the last points that are repaired count where there is more damage than value.
        if land in rooms and damage <= facts.spaces[land].ipc:
            weights[f"repair:{land}"] = -1
    limit = Limit("Units that can be placed", total, least=-99, weights=weights)
    places = listed(f"{room} in {facts.name(land)}" for land, room in rooms.items())
    return (limit,), (
        f"There is room for {places}, ships in the sea beside. More is given back for its price.",
    )
