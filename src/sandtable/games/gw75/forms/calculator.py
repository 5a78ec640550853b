"""The battle calculator: both sides as somebody thinks of them.

Imported when it is asked for, because it brings NumPy along.
"""

from __future__ import annotations

from typing import Any

from sandtable.games.gw75.forms.chances import MOST, WINS
from sandtable.games.gw75.model import State
from sandtable.games.gw75.odds import answer, question
from sandtable.games.gw75.rules import weather
from sandtable.games.gw75.rules.terms import GROUND, foes, holder
from sandtable.games.gw75.view import SYMBOLS
from sandtable.kernel.display import Calculator, NoQuestion, Odds, Reckoning, Row, Setting
from sandtable.kernel.game import Game
from sandtable.odds.errors import OddsError
from sandtable.odds.shown import orders, shown

FLEETS = ("surf_a", "surf_b", "ss", "asw", "ms", "amph")
POINTS = 24
"""Strength Points or fleets of a type."""

LAND = (
    Setting("stand_fast", "The defender", {"no": "may retreat", "yes": "stands fast"}),
    Setting("surrounded", "A way to retreat", {"no": "is open", "yes": "is not there"}),
)
SEA = (
    Setting(
        "respond",
        "At sea the defender",
        {
            "stand": "receives the attack",
            "retreat": "retreats before combat",
            "decline": "declines combat",
        },
    ),
    Setting(
        "close",
        "In the second segment",
        {"all": "all close in", "surf_b": "Surface-B units close in", "stop": "nobody does"},
    ),
    Setting("support", "ASW units", {"all": "support the defense", "none": "stay away"}),
)


def calculator(game: Game, space: str, power: str) -> Calculator:
    """Whoever stands there against whoever has come; without a hex, nobody yet."""
    s: State = game.state
    if space and space not in s.facts.hexes:
        raise NoQuestion("There is no such hex.")
    ours, theirs = _nations(s, space, power)
    numbers: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for unit, count in (s.stack(space) if space else {}).items():
        if unit.nation in (ours, theirs):
            side = numbers[unit.nation == theirs]
            side[unit.type] = side.get(unit.type, 0) + count
    place = s.facts.hexes[space] if space else None
    types = [type_ for type_ in s.facts.types if type_ in GROUND and (not place or place.dry)]
    types += [type_ for type_ in FLEETS if not place or place.wet]
    rows = [
        tuple(
            Row(
                type_,
                s.facts.types[type_].name,
                (),
                POINTS,
                value=min(side.get(type_, 0), POINTS),
                symbol=SYMBOLS[type_],
                power=nation,
            )
            for type_ in types
            if nation != ours or s.facts.types[type_].attack
        )
        for side, nation in ((numbers[0], ours), (numbers[1], theirs))
    ]
    settings = [*orders()]
    if not place or place.dry:
        settings += LAND
    if not place or place.wet:
        settings += SEA
    title = f"What if: {s.facts.name(space)}" if space else "What if?"
    return Calculator(title, space, rows[0], rows[1], tuple(settings))


def _nations(s: State, space: str, power: str) -> tuple[str, str]:
    """Who attacks and who defends: Enemies that are there are attacked by the power, and what it
    has there by one of them."""
    enemies = sorted(foes(s, power)) or ["commonwealth" if power == "germany" else "germany"]
    there = [unit.nation for unit in s.stack(space)] if space else []
    held = holder(s, space) if space else ""
    for nation in (*there, held):
        if nation in foes(s, power):
            return power, nation
    if power in (*there, held):
        return enemies[0], power
    strange = next((nation for nation in (*there, held) if nation and nation != power), "")
    return power, strange or enemies[0]


def reckon(game: Game, asked: Calculator, reckoning: Reckoning) -> Odds:
    """The odds of the combat that is thought of."""
    s: State = game.state
    naval = any(type_ in FLEETS for side in (reckoning.attack, reckoning.defend) for type_ in side)
    kind = "naval" if naval else "land"
    here = SEA if naval else LAND
    play: dict[str, Any] = {}
    for setting in (*orders(), *here):
        value = reckoning.settings.get(setting.id, "")
        if setting.id in ("stand_fast", "surrounded"):
            play[setting.id] = value == "yes"
        elif value:
            play[setting.id] = value
    try:
        q = question(
            _stacks(s, reckoning.attack) if not naval else reckoning.attack,
            reckoning.defend,
            kind=kind,
            hex=asked.space,
            turn=s.turn,
            season="first_winter" if weather.strength(s, "ussr", 1) > 1 and not naval else "",
            attacker=asked.attack[0].power,
            defender=asked.defend[0].power,
            most=MOST,
            **play,
        )
        return shown(answer(q), "Production Points", land=not naval, outcome=WINS.get(kind, ""))
    except OddsError as error:
        raise NoQuestion(str(error)) from None


def _stacks(s: State, force: dict[str, int]) -> list[dict[str, int]]:
    """The force in as few hexes as can hold it."""
    stacks: list[dict[str, int]] = [{}]
    room = s.facts.numbers.stack
    for type_, number in force.items():
        while number:
            if not room:
                stacks.append({})
                room = s.facts.numbers.stack
            some = min(number, room)
            stacks[-1][type_] = some
            number -= some
            room -= some
    return stacks
