"""Forms of combat: its order, fire, casualties, retreats, blitzes, interception."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from sandtable.games.gw36 import words
from sandtable.games.gw36.model import State
from sandtable.games.gw36.rules.battle import type_of
from sandtable.games.gw36.rules.casualties import ChooseCasualties, cheapest, choose
from sandtable.games.gw36.rules.scramble import Scramble
from sandtable.games.gw36.rules.terms import commander, enemy_zone
from sandtable.games.gw36.view import symbol, zone_name
from sandtable.kernel.decisions import Legal
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
    landed = "~" in body
    doubled = body.endswith("!")
    body, _, flown = body.rstrip("~!").partition("@")
    type_, _, hits = body.partition(":")
    kind = s.facts.units[type_]
    notes = []
    if landed:
        notes.append("landed")
    if doubled:
        notes.append("suffers double casualties")
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


CLEAR = 0.9
"""With such a chance a battle is as good as won."""


def _clear(s: State, zone: str, kind: str) -> bool:
    """Whether an attacker can let a battle be fought out: it is as good as won. What is no battle
    leaves nothing to decide."""
    from sandtable.games.gw36.forms.chances import quick_chance

    if kind not in ("land", "naval"):
        return True
    chance = quick_chance(s, zone, kind)
    return chance is not None and chance >= CLEAR


def choose_combat(legal: Legal) -> Form:
    """Which combat is resolved next; one that is as good as won can be chosen at once."""
    s: State = legal.state
    asked: Any = legal.asked
    clear = next((each for each in asked.combats if _clear(s, *each)), None)
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
                detail=forces(s, zone) if kind in ("land", "naval") else "",
                spaces=(zone,),
                battle=zone if kind in ("land", "naval") else "",
            )
            for zone, kind in asked.combats
        ),
        auto={"kind": "fight", "space": clear[0], "combat": clear[1]} if clear else None,
        help=(Help("9.1a", "Order of combats"),),
    )


def forces(s: State, zone: str) -> str:
    """Who meets whom in a zone: `3 Infantry against 2 Militia`."""
    group = s.facts.order[s.slot]
    ours: dict[str, int] = {}
    theirs: dict[str, int] = {}
    landing = [
        (piece, count)
        for shore in s.facts.coast.get(zone, ())
        for ship, count in s.stack(shore).items()
        if (ship.duty, ship.target) == ("landing", zone)
        for piece in ship.cargo
    ]
    for unit, count in (*s.stack(zone).items(), *landing):
        side = ours if commander(s, unit.nation) in group else theirs
        side[unit.type] = side.get(unit.type, 0) + count
    against = words.units(s.facts, theirs) if theirs else "nobody"
    return f"{words.units(s.facts, ours)} against {against}"


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
        structs.replace(row, value=proposed.get(row.key, 0))
        for row in unit_rows(s, units, ("units",))
    )
    scorer = s.facts.name(asked.by) if asked.by in s.facts.names else asked.by.replace("_", " ")
    hits = "one hit" if asked.hits == 1 else f"{asked.hits} hits"
    what = "select the target" if asked.chosen_by_enemy else "choose what is lost"
    where = words.zone(s.facts, asked.space)
    prompt = f"{hits.capitalize()} by {scorer or 'the enemy'} in {where}: {what}."
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
    kind = "naval" if s.facts.zones[asked.space].sea else "land"
    choices = [Choice("Fight on", {"kind": "press"}, battle=asked.space, tone="primary")]
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
        prompt=f"Another round in {zone_name(s.facts, asked.space)}? "
        "The odds are those of fighting on to the end.",
        choices=tuple(choices),
        auto={"kind": "press"} if _clear(s, asked.space, kind) else None,
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
    rows = tuple(
        structs.replace(row, value=row.most)
        if s.facts.units[type_of(row.key)].blitz == "alone"
        else row
        for row in unit_rows(s, asked.units, ("units",))
    )
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
                    detail="" if enemy_zone(s, asked.power, zone) else "A declaration of war.",
                    spaces=(zone,),
                    rows=rows,
                    tone="" if enemy_zone(s, asked.power, zone) else "danger",
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
    """Which fighters leave their bases to help: as many of a kind as can are filled in."""
    s: State = legal.state
    most: dict[tuple[str, str, str], int] = {}
    for decision in legal:
        if isinstance(decision, Scramble):
            (flight,) = decision.flights
            ((type_, count),) = flight.units.items()
            key = (flight.base, flight.zone, type_)
            most[key] = max(most.get(key, 0), count)
    choices = tuple(
        Choice(
            f"{words.counted(s.facts, type_, number)} from {s.facts.name(base)}",
            {
                "kind": "scramble",
                "flights": [{"base": base, "zone": zone, "units": {type_: number}}],
            },
            spaces=(base, zone),
            symbol=symbol(s.facts.units[type_]),
            power=legal.asked.power,
            group=f"To {words.zone(s.facts, zone)}",
        )
        for (base, zone, type_), highest in most.items()
        for number in range(highest, 0, -1)
    )
    return Form(
        kind=legal.asked.kind,
        power=legal.asked.power,
        component="choose",
        title="Scramble",
        prompt="Fighters at air bases, and seaplanes at theirs, may join battles next door in "
        "which your side defends. They return to their bases afterwards.",
        choices=choices,
        help=(Help("8.6a", "Scramble"),),
    )


def intercept(legal: Legal) -> Form:
    """Which submarines and patrols fight ships that come by."""
    s: State = legal.state
    asked: Any = legal.asked
    coming = words.units(s.facts, asked.against)
    return Form(
        kind=asked.kind,
        power=asked.power,
        component="assign",
        title="Enemy ships",
        prompt=f"{coming} of the enemy come to {words.zone(s.facts, asked.zone)}. Which of your "
        "submarines and patrols fight them? The others let them pass.",
        base={"kind": "engage", "units": {}},
        rows=tuple(
            Row(
                type_,
                s.facts.name(type_),
                ("units", type_),
                most,
                symbol=symbol(s.facts.units[type_]),
                power=asked.power,
                space=asked.zone,
            )
            for type_, most in asked.most.items()
        ),
        pass_label="Let them pass",
        help=(Help("8.10c", "Intercepting"), Help("8.9a", "Submarines")),
    )


def spread_raid(legal: Legal) -> Form:
    """Over which lines a loss is spread: those worth most first are filled in."""
    s: State = legal.state
    asked: Any = legal.asked
    rest = asked.total
    rows = []
    for line, most in sorted(asked.most.items(), key=lambda item: (-item[1], item[0])):
        taken = min(rest, most)
        rest -= taken
        rows.append(Row(line, s.facts.name(line), ("numbers", line), most, value=taken))
    return Form(
        kind=asked.kind,
        power=asked.power,
        component="assign",
        title="Convoys raided",
        prompt=f"Raiders in {words.zone(s.facts, asked.space)} cost you {asked.total} IPP. Which "
        "of your convoy lines bear the loss?",
        base={"kind": "numbers", "numbers": {}},
        rows=tuple(rows),
        limits=(Limit("IPP lost", asked.total, asked.total),),
        auto={"kind": "numbers", "numbers": {row.key: row.value for row in rows if row.value}},
        help=(Help("9.11h", "Raids on convoys"),),
    )
