"""A battle that is being played, taken over as it stands."""

from __future__ import annotations

from typing import Any

from sandtable.games.aa1942.model import State
from sandtable.games.aa1942.odds.book import SEABORNE, book
from sandtable.games.aa1942.odds.land import answer_land
from sandtable.games.aa1942.odds.questions import Question
from sandtable.games.aa1942.odds.sea import answer_sea
from sandtable.kernel.game import Game
from sandtable.odds.errors import OddsError
from sandtable.odds.policy import Policy
from sandtable.odds.result import Result

BETWEEN = ("press_or_retreat", "submerge_or_strike")
AWAY = ("raid", "escort", "bombed", "intercept", "submerged", "fought")


def in_progress(game: Game, **options: Any) -> Result:
    """The odds of the battle in which a game rests, if it is fought on from here.

    The game has to rest between two rounds, where the attacker may retreat or submarines may
    submerge: there the board shows all that matters. The options are those of `Policy`, and
    `territory`.
    """
    request: Any = next(iter(game.pending), None)
    if request is None or request.kind not in BETWEEN:
        what = f"waits for {request.kind.replace('_', ' ')}" if request else "is over"
        raise OddsError(f"The game {what}; a battle is taken over between two of its rounds.")
    s: State = game.state
    space = request.space
    units = book().units
    ours: dict[str, int] = {}
    landed: dict[str, int] = {}
    theirs: dict[str, int] = {}
    damaged = [0, 0]
    for unit, n in s.stack(space).items():
        if unit.duty in AWAY or unit.type not in units:
            continue
        if unit.power == s.turn:
            side, who = ours, 0
            if unit.duty == "seaborne":
                landed[unit.type + SEABORNE] = landed.get(unit.type + SEABORNE, 0) + n
                continue
        elif unit.power in s.facts.enemies[s.turn]:
            side, who = theirs, 1
        else:
            continue
        side[unit.type] = side.get(unit.type, 0) + n
        if unit.duty == "damaged":
            damaged[who] += n
    territory = float(options.pop("territory", 0.0))
    if request.kind == "press_or_retreat":
        on_foot = any(units[kind].domain != "air" for kind in ours)
        options.setdefault("can_retreat", bool(request.to) or not on_foot)
    sea = s.facts.spaces[space].sea
    q = Question(
        _sorted(ours),
        _sorted(theirs),
        Policy(**options),
        sea,
        damaged=(damaged[0], damaged[1]),
        territory=territory,
        begun=True,
    )
    return answer_sea(q) if sea else answer_land(q, landed)


def _sorted(force: dict[str, int]) -> dict[str, int]:
    return {kind: force[kind] for kind in book().units if kind in force}
