"""The battle calculator: both sides as somebody thinks of them.

Imported when it is asked for, because it brings NumPy along.
"""

from __future__ import annotations

from typing import Any

from sandtable.games.gw36 import RULES
from sandtable.games.gw36.forms.chances import MOST, SAMPLE, hopeless
from sandtable.games.gw36.model import State
from sandtable.games.gw36.odds import answer, question
from sandtable.games.gw36.rules.terms import foes
from sandtable.games.gw36.view import symbol, zone_name
from sandtable.kernel.display import Calculator, NoQuestion, Odds, Reckoning, Row, Setting
from sandtable.kernel.game import Game
from sandtable.odds.errors import OddsError
from sandtable.odds.shown import orders, shown, submarines

UNITS = 20
"""Units of a type."""
ALL = 60
"""Units of both sides: more take longer than anybody waits."""

RETREAT = {
    "never": "never",
    "air": "when only aircraft are left",
    "weaker": "when it is weaker",
    "rounds:1": "after one round",
    "rounds:2": "after two rounds",
}
TERRAIN = {name: name for name in ("normal", "mountain", "desert", "jungle", "marsh", "city")}


def calculator(game: Game, space: str, power: str) -> Calculator:
    """Whoever stands there against whoever has come; without a zone, nobody yet."""
    s: State = game.state
    if space and space not in s.facts.zones:
        raise NoQuestion("There is no such zone.")
    ours, theirs = _nations(s, space, power)
    numbers: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for unit, count in (s.stack(space) if space else {}).items():
        if unit.nation in (ours, theirs):
            side = numbers[unit.nation == theirs]
            side[unit.type] = side.get(unit.type, 0) + count
    sea = s.facts.zones[space].sea if space else None
    inuse = {unit.type for _, unit, _ in s.units()}
    rows = [
        tuple(
            Row(
                type_,
                kind.name,
                (),
                UNITS,
                value=min(side.get(type_, 0), UNITS),
                symbol=symbol(kind),
                power=nation,
            )
            for type_, kind in s.facts.units.items()
            if type_ in inuse
            and (kind.attack if nation == ours else kind.defense) is not None
            and not (kind.land if sea else kind.naval and sea is not None)
        )
        for side, nation in ((numbers[0], ours), (numbers[1], theirs))
    ]
    settings = [*orders(), Setting("retreat", "The attacker retreats", RETREAT)]
    if sea is not False:
        settings += submarines()
    if not space:
        settings.append(Setting("terrain", "On land the terrain is", TERRAIN))
    title = f"What if: {zone_name(s.facts, space)}" if space else "What if?"
    return Calculator(title, space, rows[0], rows[1], tuple(settings))


def _nations(s: State, space: str, power: str) -> tuple[str, str]:
    """Who attacks and who defends: Enemies that are there are attacked by the power, and what it
    has there by one of them."""
    enemies = sorted(nation for nation in foes(s, power) if nation in s.facts.powers)
    other = "germany" if power != "germany" else "great_britain"
    there = [unit.nation for unit in s.stack(space)] if space else []
    owner = s.possession.get(space, "")
    for nation in (*there, owner):
        if nation and nation != power and nation in foes(s, power):
            return power, nation
    if power in (*there, owner):
        return (enemies or [other])[0], power
    strange = next((nation for nation in (*there, owner) if nation and nation != power), "")
    return power, strange or (enemies or [other])[0]


def reckon(game: Game, asked: Calculator, reckoning: Reckoning) -> Odds:
    """The odds of the battle that is thought of."""
    s: State = game.state
    units = s.facts.units
    naval = any(
        units[type_].naval for side in (reckoning.attack, reckoning.defend) for type_ in side
    )
    if asked.space:
        naval = s.facts.zones[asked.space].sea
    play: dict[str, Any] = dict(reckoning.settings)
    if naval:
        play.pop("terrain", None)
    switches: dict[str, Any] = {
        name: s.options[name]
        for name, option in RULES.options.items()
        if option.default is None and s.options.get(name) is not None
    }
    try:
        q = question(
            reckoning.attack,
            reckoning.defend,
            kind="naval" if naval else "land",
            zone=asked.space,
            attacker=asked.attack[0].power,
            defender=asked.defend[0].power,
            rules=s.options["rules"],
            most=MOST,
            sample=SAMPLE,
            **switches,
            **play,
        )
        why = hopeless(s.facts, reckoning.attack, reckoning.defend) if naval else ""
        return shown(answer(q), "IPP", land=not naval, why=why)
    except OddsError as error:
        raise NoQuestion(str(error)) from None
