"""Exact odds of battles: distributions of survivors, best play, plans of several battles.

>>> from sandtable import odds
>>> result = odds.battle("aa1942", attack="2 infantry, 1 tank", defend="2 infantry")
>>> print(f"{result.takes_territory:.3f}")
0.811

What a game's battles are like is told by the package `odds` of the game. It has `question`, which
reads what is asked, and `answer`; and where the game has such a thing `best`, `raid`,
`in_progress`, `part` (of a question's attack), `job` and `from_head` (many battles in one call).
Its module `command` has the function `odds`, which is `sandtable odds GAME`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from sandtable.odds.asking import adapter, asked, battles, knows
from sandtable.odds.errors import OddsError

if TYPE_CHECKING:
    from sandtable.kernel.game import Game
    from sandtable.odds.several import Plan, Smallest

__all__ = ["OddsError", "battle", "battles", "best", "in_progress", "plan", "raid", "smallest"]


@cache
def _loading() -> list[float]:
    """What `compiled` counts; found once, because an import takes its time each time."""
    from sandtable.odds.compiled import loading

    return loading


def battle(game: str, /, attack: Any = "", defend: Any = "", **options: Any) -> Any:
    """The exact outcome of a battle.

    For `aa1942` forces are text ("3 infantry, 1 art") or mappings from unit types to numbers; the
    options are those of `sandtable.games.aa1942.odds.questions.question` and of its
    `odds.policy.Policy`, and the result is a `sandtable.odds.result.Result`. For `blitz` forces are
    units by name, and options and result are those of
    `sandtable.games.blitz.odds.question.question` and `sandtable.games.blitz.odds.result.Result`.
    """
    game_odds, loading = adapter(game), _loading()
    territory = options.get("territory")
    if isinstance(territory, float) and not math.isfinite(territory):
        raise OddsError(f"A territory is worth a number, not {territory}.")
    try:
        q = game_odds.question(attack, defend, **options)
    except TypeError:
        q = asked(game_odds.question, attack, defend, **options)  # says what is wrong
    # Loading compiled code is no part of the time that an answer takes.
    began = time.perf_counter() - loading[0]
    result = game_odds.answer(q)
    result.elapsed_ms = 1000 * (time.perf_counter() - loading[0] - began)
    return result


def best(game: str, /, attack: Any = "", defend: Any = "", **options: Any) -> Any:
    """The best play of one `side` ("attacker", "defender") for a `goal` ("win", "take", "swing"
    or a function of what is left), against the stated policy of the other; and its gain over the
    default. Other options as for `battle`. See `sandtable.games.aa1942.odds.optimum`.
    """
    return asked(knows(game, "best"), attack, defend, **options)


def raid(game: str, /, *args: Any, **options: Any) -> Any:
    """The exact outcome of a bombing raid: see `sandtable.games.aa1942.odds.bombing.raid`."""
    return asked(knows(game, "raid"), *args, **options)


def in_progress(game: Game, /, **options: Any) -> Any:
    """The odds of the battle in which a game rests, from here on; the options say how both sides
    play, as for `battle`."""
    return asked(knows(game.rules.id, "in_progress"), game, **options)


def plan(game: str, questions: Sequence[Mapping[str, Any]], goal: str = "win") -> Plan:
    """Several battles: the chance to win all, the number won, the expected swing."""
    from sandtable.odds import several

    return several.plan(game, questions, goal)


def smallest(game: str, pool: Any, defend: Any, *, chance: float, **options: Any) -> Smallest:
    """The smallest part of a pool that reaches a chance: see `sandtable.odds.several.smallest`."""
    from sandtable.odds import several

    return several.smallest(game, pool, defend, chance=chance, **options)
