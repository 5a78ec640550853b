"""The battle calculator: both sides as somebody thinks of them.

Imported when it is asked for, because it brings NumPy along.
"""

from __future__ import annotations

from sandtable import odds
from sandtable.games.blitz.forms.chances import MOST, SAMPLES
from sandtable.games.blitz.model import State
from sandtable.games.blitz.pieces import SYMBOLS
from sandtable.games.blitz.rules.sides import OTHER
from sandtable.kernel.display import Calculator, NoQuestion, Odds, Reckoning, Row, Setting
from sandtable.kernel.game import Game
from sandtable.odds.errors import OddsError
from sandtable.odds.shown import shown

ORDERS = {
    "cheapest": "where it costs least",
    "weakest": "the fewest factors first",
    "units": "so that most units are left",
    "bot": "as a bot would",
}
KINDS = {
    "ground": "is a Ground Attack",
    "factory": "is a Factory Attack",
    "port": "is a Port Attack",
}


def calculator(game: Game, space: str, power: str) -> Calculator:
    """The units of both sides that stand there or next to it, with their Sizes. Units have names
    and places, so there is no combat nowhere in particular."""
    s: State = game.state
    if not space:
        raise NoQuestion("In Blitz! units stand somewhere: open it from the card of an area.")
    if space not in s.in_play:
        raise NoQuestion("There is no such area in play.")
    sea = space in s.facts.seas
    mine = s.facts.side.get(power, "")
    sides = {s.facts.side.get(s.units[id].power, "") for id in s.units_at(space)}
    held = s.facts.side.get(s.control.get(space, ""), "")
    defends = OTHER[mine] if OTHER[mine] in sides or held != mine else mine
    attacks = OTHER[defends]
    rows: tuple[list[Row], list[Row]] = ([], [])
    for id, unit in sorted(s.units.items(), key=lambda each: (each[1].power, each[0])):
        side = s.facts.side.get(unit.power, "")
        there = unit.at == space
        domain = s.facts.domain[id]
        if side not in (attacks, defends) or (sea and domain == "land"):
            continue
        if side == defends and not there and domain != "air":
            continue
        kind = s.facts.kinds[id]
        rows[side == defends].append(
            Row(
                id,
                s.facts.names[id],
                (),
                len(kind.sizes),
                value=unit.size if there else 0,
                symbol=SYMBOLS[s.facts.type_at[id, unit.size]],
                power=unit.power,
                group=s.facts.short_name(unit.power),
                note="" if there else f"from {s.facts.names[unit.at]}" if unit.at else "",
            )
        )
    settings = [
        Setting("attack_order", "The attacker takes damage", ORDERS),
        Setting("defend_order", "The defender takes damage", ORDERS),
    ]
    if sea:
        subs = {"stay": "stay", "evade": "return to base first"}
        settings.append(Setting("defend_subs", "Defending submarines", subs))
    else:
        settings.append(Setting("combat", "It", KINDS))
    title = f"What if: {s.facts.names[space]}"
    return Calculator(title, space, tuple(rows[0]), tuple(rows[1]), tuple(settings))


def reckon(game: Game, asked: Calculator, reckoning: Reckoning) -> Odds:
    """The odds of the combat that is thought of."""
    try:
        result = odds.battle(
            "blitz",
            reckoning.attack,
            reckoning.defend,
            target=asked.space,
            game=game,
            most=MOST,
            sample=SAMPLES,
            **reckoning.settings,
        )
        damage = result.kind in ("factory", "port")
        return shown(
            result,
            "Size",
            land=result.kind == "ground",
            outcome="to do damage" if damage else "",
        )
    except OddsError as error:
        raise NoQuestion(str(error)) from None
