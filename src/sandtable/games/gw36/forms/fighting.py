"""Forms of combat: its order, fire, casualties, retreats, blitzes, interception."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.games.gw36 import words
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.casualties import ChooseCasualties, cheapest, choose
from sandtable.games.gw36.view import symbol, zone_name
from sandtable.kernel.decisions import Legal, plain
from sandtable.kernel.display import Choice, Form, Help, Limit, Row

_COMBATS = {
    "land": "Battle of",
    "naval": "Naval battle in",
    "raid": "Raid in",
    "bombing": "Bombing of",
    "carpet": "Carpet bombing of",
    "rocket": "Rockets on",
    "attrition": "Attrition attack on",
}


def unit_rows(s: State, units: Mapping[str, int], path: tuple[str, ...]) -> tuple[Row, ...]:
    """A row for each unit as battles name them."""
    return tuple(_unit_row(s, name, most, path) for name, most in units.items())


def _unit_row(s: State, name: str, most: int, path: tuple[str, ...]) -> Row:
    nation, _, rest = name.partition(":")
    body, _, load = rest.partition("+")
    landed = body.endswith("~")
    body, _, flown = body.rstrip("~").partition("@")
    type_, _, hits = body.partition(":")
    kind = s.facts.units[type_]
    notes = []
    if landed:
        notes.append("landed")
    if flown:
        notes.append(f"{flown} movement used")
    if load:
        notes.append("with " + words.units(s.facts, _counts(load.split("+"))))
    return Row(
        key=name,
        label=kind.name,
        path=(*path, name),
        most=most,
        symbol=symbol(kind),
        power=nation,
        note=", ".join(notes),
        states=("damaged",) if hits else ("loaded",) if load else (),
    )


def _counts(types: list[str]) -> dict[str, int]:
    return {type_: types.count(type_) for type_ in dict.fromkeys(types)}


def choose_combat(legal: Legal) -> Form:
    """Which combat is resolved next."""
    s: State = legal.state
    asked: Any = legal.asked
    return Form(
        kind=asked.kind,
        power=asked.power,
        component="choose",
        title="Combat",
        prompt="Choose the combat that is resolved next.",
        choices=tuple(
            Choice(
                f"{_COMBATS[kind]} {zone_name(s.facts, zone)}",
                {"kind": "fight", "space": zone, "combat": kind},
                spaces=(zone,),
            )
            for zone, kind in asked.combats
        ),
        help=(Help("9.1a", "Order of combats"),),
    )


def choose_fire(legal: Legal) -> Form:
    """Roll all, or one type first."""
    s: State = legal.state
    asked: Any = legal.asked
    ours = "attack" if asked.side == "attack" else "defend"
    return Form(
        kind=asked.kind,
        power=asked.power,
        component="choose",
        title=f"Your units {ours}",
        prompt=f"Roll for your units in {zone_name(s.facts, asked.space)}. The order of types "
        "matters only if you want to see some results before others.",
        choices=(
            Choice("Roll for all", {"kind": "fire_all"}, tone="primary"),
            *(
                Choice(
                    f"{s.facts.name(type_)} first",
                    {"kind": "fire", "type": type_},
                    symbol=symbol(s.facts.units[type_]),
                )
                for type_ in asked.types
            ),
        ),
        auto={"kind": "fire_all"},
        battle=asked.space,
        help=(Help("9.1c", "Order of fire"),),
    )


def choose_casualties(legal: Legal) -> Form:
    """What is hit."""
    s: State = legal.state
    asked = legal.asked
    assert isinstance(asked, ChooseCasualties)
    units = {name: most for tier in asked.tiers for name, most in tier.items()}
    proposed = choose(asked, cheapest(s))
    rows = tuple(
        Row(
            key=row.key,
            label=row.label,
            path=row.path,
            most=row.most,
            value=proposed.get(row.key, 0),
            symbol=row.symbol,
            power=row.power,
            note=row.note,
            states=row.states,
        )
        for row in unit_rows(s, units, ("units",))
    )
    scorer = s.facts.name(asked.by) if asked.by in s.facts.names else asked.by.replace("_", " ")
    hits = "one hit" if asked.hits == 1 else f"{asked.hits} hits"
    whose = "You select the target" if asked.chosen_by_enemy else "You lose"
    prompt = f"{whose}: {hits} by {scorer or 'the enemy'} in {zone_name(s.facts, asked.space)}."
    if asked.double:
        prompt += " Of units that suffer double casualties a hit costs two."
    total = sum(proposed.values())
    return Form(
        kind=asked.kind,
        power=asked.power,
        component="assign",
        title="Casualties",
        prompt=prompt,
        base={"kind": "casualties", "units": {}},
        rows=rows,
        limits=() if asked.double else (Limit("Hits", total, total),),
        auto={"kind": "casualties", "units": proposed},
        battle=asked.space,
        help=(Help("9.1c", "Casualties"), Help("9.2a", "Double casualties")),
    )


def retreat_or_press(legal: Legal) -> Form:
    """Fight on, or go back."""
    s: State = legal.state
    asked: Any = legal.asked
    choices = [Choice("Fight on", {"kind": "press"}, tone="primary")]
    if asked.units:
        choices += [
            Choice(
                f"Retreat to {zone_name(s.facts, zone)}",
                {"kind": "retreat", "to": zone},
                spaces=(zone,),
            )
            for zone in asked.zones
        ]
    else:
        choices.append(Choice("Break off", {"kind": "retreat"}))
    return Form(
        kind=asked.kind,
        power=asked.power,
        component="choose",
        title="Fight on or retreat",
        prompt=f"Another round in {zone_name(s.facts, asked.space)}?",
        choices=tuple(choices),
        battle=asked.space,
        help=(Help("9.4a", "Retreat"),),
    )


def may_dive(legal: Legal) -> Form:
    """Submarines stay or leave."""
    s: State = legal.state
    asked: Any = legal.asked
    everyone = dict(asked.units)
    choices = [
        Choice("Stay in the battle", {"kind": "dive"}, tone="primary"),
        Choice("Submerge with all", {"kind": "dive", "units": everyone}),
        *(
            Choice(
                f"Slip away to {zone_name(s.facts, zone)}",
                {"kind": "dive", "units": everyone, "to": zone},
                spaces=(zone,),
            )
            for zone in asked.zones
        ),
    ]
    if sum(everyone.values()) > 1:
        rows = unit_rows(s, everyone, ("units",))
        choices.append(Choice("Submerge with some", {"kind": "dive", "units": {}}, rows=rows))
    return Form(
        kind=asked.kind,
        power=asked.power,
        component="choose",
        title="Submarines",
        prompt=f"Your submarines in {zone_name(s.facts, asked.space)} may leave the battle.",
        choices=tuple(choices),
        battle=asked.space,
        help=(Help("9.4h", "Submerging"),),
    )


def may_blitz(legal: Legal) -> Form:
    """Go on into the next zone."""
    s: State = legal.state
    asked: Any = legal.asked
    rows = unit_rows(s, asked.units, ("units",))
    return Form(
        kind=asked.kind,
        power=asked.power,
        component="choose",
        title="Blitz",
        prompt=f"Armor that has won in {zone_name(s.facts, asked.space)} may attack the next zone; "
        "others go with it, one to one.",
        choices=(
            Choice("Halt", {"kind": "halt"}),
            *(
                Choice(
                    f"Blitz to {s.facts.name(zone)}",
                    {"kind": "blitz", "units": {}, "to": zone},
                    spaces=(zone,),
                    rows=rows,
                )
                for zone in asked.zones
            ),
        ),
        battle=asked.space,
        help=(Help("table-9-3a", "Blitz"),),
    )


def may_intercept(legal: Legal) -> Form:
    """Which fighters meet bombers."""
    s: State = legal.state
    asked: Any = legal.asked
    return Form(
        kind=asked.kind,
        power=asked.power,
        component="assign",
        title="Interception",
        prompt=f"Which fighters rise against the bombers over {zone_name(s.facts, asked.space)}?",
        base={"kind": "intercept", "units": {}},
        rows=unit_rows(s, asked.units, ("units",)),
        pass_label="None",
        auto={"kind": "intercept", "units": dict(asked.units)},
        battle=asked.space,
        help=(Help("table-9-9b", "Interception"),),
    )


def may_scramble(legal: Legal) -> Form:
    """Which fighters leave their bases to help."""
    s: State = legal.state
    choices = []
    for decision in legal:
        given = plain(decision)
        choices.append(Choice(_scramble_label(s, given), given))
        if len(choices) > 40:
            break
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        component="choose",
        title="Scramble",
        prompt="Fighters at air bases may join battles next door in which you defend.",
        choices=tuple(choices),
        help=(Help("8.6a", "Scramble"),),
    )


def _scramble_label(s: State, given: dict[str, Any]) -> str:
    parts = []
    for key, value in given.items():
        if key == "kind":
            continue
        if isinstance(value, dict):
            parts.append(words.units(s.facts, value))
        else:
            parts.append(words.zone(s.facts, str(value)))
    return ", ".join(parts) or "Nobody"
