"""The battle calculator: both sides as somebody thinks of them.

Imported when it is asked for, because it brings NumPy along.
"""

from __future__ import annotations

from typing import Any

from sandtable.games.aa1942.forms.chances import SAMPLE, hopeless
from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.odds import answer, question
from sandtable.games.aa1942.odds.book import AAA, book_of
from sandtable.games.aa1942.view import symbol
from sandtable.kernel.display import Calculator, NoQuestion, Odds, Reckoning, Row, Setting
from sandtable.kernel.game import Game
from sandtable.odds.errors import OddsError
from sandtable.odds.shown import orders, shown, submarines

MOST = 40
"""Units of a type."""

RETREAT = {
    "never": "never",
    "air": "when only aircraft are left",
    "loss": "when it costs more than it gains",
    "rounds:1": "after one round",
    "rounds:2": "after two rounds",
    "rounds:3": "after three rounds",
}
KEEP = {"no": "like the others", "yes": "after the aircraft"}


def calculator(game: Game, space: str, power: str) -> Calculator:
    """Whoever stands there against whoever has come; without a space, nobody yet."""
    s: State = game.state
    if space and space not in s.facts.spaces:
        raise NoQuestion("There is no such space.")
    here = s.stack(space) if space else {}
    foes = s.facts.enemies[power]
    theirs = {unit.power for unit in here if unit.power in foes}
    attacked = theirs if theirs else {unit.power for unit in here}
    comes = power if theirs or not space else next(p for p in s.facts.powers if p in foes)
    numbers: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for unit, count in here.items():
        side = numbers[unit.power in attacked]
        if unit.power in attacked or unit.power == power:
            for piece in (unit, *unit.cargo) if s.facts.spaces[space].sea else (unit,):
                if s.facts.units[piece.type].domain != "land" or not s.facts.spaces[space].sea:
                    side[piece.type] = side.get(piece.type, 0) + count
    shut = "" if not space else "land" if s.facts.spaces[space].sea else "sea"
    rows = [
        tuple(
            Row(
                kind,
                unit.name,
                (),
                MOST,
                value=min(side.get(kind, 0), MOST),
                symbol=symbol(kind),
                power=comes if attacking else min(attacked, default=next(iter(foes))),
            )
            for kind, unit in s.facts.units.items()
            if unit.domain in ("land", "sea", "air")
            and unit.domain != shut
            and not (attacking and kind == AAA)
        )
        for side, attacking in ((numbers[0], True), (numbers[1], False))
    ]
    settings = [*orders(), Setting("retreat", "The attacker retreats", RETREAT)]
    if shut != "sea":
        settings += submarines()
    if shut != "land":
        settings.append(Setting("keep_land", "The last land unit is lost", KEEP))
    title = f"What if: {s.facts.name(space)}" if space else "What if?"
    return Calculator(title, space, rows[0], rows[1], tuple(settings))


def reckon(game: Game, asked: Calculator, reckoning: Reckoning) -> Odds:
    """The odds of the battle that is thought of."""
    s: State = game.state
    known = s.facts.spaces.get(asked.space)
    play: dict[str, Any] = dict(reckoning.settings)
    keep = play.pop("keep_land", "no") == "yes"
    try:
        q = question(
            reckoning.attack,
            reckoning.defend,
            sea=known.sea if known else None,
            territory=float(known.ipc) if known else 0.0,
            sample=SAMPLE,
            data=book_of(s.facts),
            keep_land=keep,
            **play,
        )
        why = hopeless(s.facts, {*reckoning.attack}, {*reckoning.defend}) if q.sea else ""
        return shown(answer(q), "IPCs", land=not q.sea, why=why)
    except OddsError as error:
        raise NoQuestion(str(error)) from None
