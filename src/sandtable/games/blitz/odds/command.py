"""What `sandtable odds blitz` does."""

from __future__ import annotations

from typing import Any

from sandtable.games.blitz.odds.question import is_save, load_game
from sandtable.games.blitz.odds.result import Result
from sandtable.odds.errors import OddsError

OPTIONS = frozenset(
    {"target", "combat", "port", "flying", "scenario", "turn", "load", "territory"}
    | {"attack_order", "defend_order", "defend_subs"}
)


def from_command(attack: str, defend: str, options: dict[str, Any]) -> Result:
    """The answer to a question on the command line; `options` are those that were given.

    A saved game without a question is one that rests in a combat.
    """
    from sandtable.games.blitz.odds import battle, in_progress

    for name in options:
        if name not in OPTIONS:
            raise OddsError(f"The odds of blitz have no --{name.replace('_', '-')}.")
    if "load" in options and not (attack or defend or "target" in options):
        if not is_save(options["load"]):
            raise OddsError("The attacker has no units: name them, for instance '18th army 2'.")
        game = load_game(options.pop("load"))
        for name in sorted(options.keys() & {"combat", "port", "flying", "scenario", "turn"}):
            raise OddsError(f"A combat in progress has its {name}.")
        return in_progress(game, **options)
    return battle(attack, defend, **options)
