"""Placing new units: the form of the fifth phase."""

from __future__ import annotations

from typing import Any

from sandtable.games.aa1942.forms.rules import ask
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.rules.mobilize import Place, decks_for_new
from sandtable.games.aa1942.rules.movement import Done
from sandtable.games.aa1942.rules.production import can_place, complexes
from sandtable.games.aa1942.view import symbol
from sandtable.games.aa1942.words import one_stop, units_in_words
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form, Limit, Row

COMPLEX = "industrial_complex"


def mobilize(legal: Legal, request: Any, s: State) -> Form:
    """A choice for each space where something can be placed, with as much as fits proposed."""
    facts = s.facts
    rooms = complexes(s)
    choices = [_place(legal, land) for land in rooms]
    zones = sorted({zone for land in rooms for zone in facts.coast[land]}, key=_number)
    choices += [_place(legal, zone) for zone in zones]
    if COMPLEX in s.bought:
        lands = sorted(
            (t for t in facts.territories if Place(t, {COMPLEX: 1}) in legal),
            key=lambda land: (-facts.spaces[land].ipc, land),
        )
        choices += [
            Choice(
                facts.name(land),
                plain(Place(land, {COMPLEX: 1})),
                f"Places up to {_units(facts.spaces[land].ipc)} a turn, from your next turn on",
                spaces=(land,),
                symbol=symbol(COMPLEX),
                power=request.power,
                group="New industrial complex",
            )
            for land in lands
        ]
    offered = tuple(choice for choice in choices if choice is not None)
    problem = legal.why_not(Done())
    if problem and offered:
        place = facts.name(offered[0].spaces[0])
        problem = one_stop(f"You can still place units, for example in {place}.")
    return ask(
        request,
        "choose",
        title="Mobilize new units",
        prompt=(
            "Place the units that you bought: choose a space, and what is placed there. "
            "Land units and aircraft go to industrial complexes, ships to the sea beside them."
        ),
        choices=offered,
        done=None if problem else plain(Done()),
        done_label="Give back the rest",
        done_problem=problem,
        done_warning=one_stop(f"You give back {units_in_words(facts, s.bought)}."),
        notes=(f"Still to be placed: {units_in_words(facts, s.bought)}.",),
    )


def _units(count: int, more: str = "") -> str:
    return f"{count} {more}{'unit' if count == 1 else 'units'}"


def _number(zone: str) -> int:
    return int(zone.removeprefix("sz"))


def _place(legal: Legal, space: str) -> Choice | None:
    """What can be placed in a space; None if nothing can."""
    s: State = legal.state
    facts = s.facts
    sea = facts.spaces[space].sea
    room = 0
    while can_place(s, {space: room + 1}) and room < sum(s.bought.values()):
        room += 1
    carriers = s.bought.get("aircraft_carrier", 0)
    per = facts.numbers.fighters_per_carrier
    decks = max(0, decks_for_new(s, space)) if sea else 0
    most: dict[str, int] = {}
    for type_, count in s.bought.items():
        domain = facts.units[type_].domain
        if type_ == COMPLEX or ((domain == "sea") != sea and not (sea and type_ == "fighter")):
            continue
        if sea and type_ == "fighter":
            count = min(count, decks + per * carriers)
        if min(count, room):
            most[type_] = min(count, room)
    if not most:
        return None
    proposed = _proposal(legal, space, most, room)
    if not proposed:
        return None
    limits = [Limit("Units placed here", room, least=1)]
    if sea and "fighter" in most:
        weights = {"fighter": 1, "aircraft_carrier": -per}
        limits.append(
            Limit("Fighters on your own carriers", decks, -per * carriers, weights, quiet=True)
        )
    return Choice(
        f"Place in {facts.name(space)}",
        {"kind": "place", "space": space},
        f"Room for {_units(room, 'more ')}",
        spaces=(space,),
        group="Sea zones" if sea else "Industrial complexes",
        rows=tuple(
            Row(
                key=type_,
                label=facts.units[type_].name,
                path=("units", type_),
                most=count,
                value=proposed.get(type_, 0),
                symbol=symbol(type_),
                power=s.turn,
                space=space,
            )
            for type_, count in most.items()
        ),
        limits=tuple(limits),
    )


def _proposal(legal: Legal, space: str, most: dict[str, int], room: int) -> dict[str, int]:
    """As much as fits, the dearest first; what is waited for elsewhere is left out."""
    units = legal.state.facts.units
    proposed: dict[str, int] = {}
    # Carriers before the fighters that need them.
    for type_ in sorted(most, key=lambda type_: -units[type_].cost):
        for count in range(min(most[type_], room), 0, -1):
            if Place(space, {**proposed, type_: count}) in legal:
                proposed[type_] = count
                room -= count
                break
    return proposed
