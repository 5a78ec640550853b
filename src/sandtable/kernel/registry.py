"""Finding the installed games. A game is a package in `sandtable.games` with a `RULES` object."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from typing import Any

from sandtable.kernel.errors import UnknownGame
from sandtable.kernel.ruleset import RuleSet

_added: dict[str, RuleSet[Any]] = {}
_loaded: dict[str, RuleSet[Any]] = {}


def add(rules: RuleSet[Any]) -> None:
    """Make a rule set from outside the package known (tests, plug-ins)."""
    _added[rules.id] = rules


def game_ids() -> list[str]:
    """The ids of all installed games, sorted."""
    package = importlib.import_module("sandtable.games")
    found = {module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg}
    return sorted(found | set(_added))


def find(game: str) -> RuleSet[Any]:
    """The rule set with that id; UnknownGame with a hint if there is none."""
    if not isinstance(game, str):
        raise UnknownGame(f"A game is named by its id, not by {type(game).__name__}.")
    if game in _added:
        return _added[game]
    if game in _loaded:
        return _loaded[game]
    if game not in game_ids():
        close = difflib.get_close_matches(game, game_ids(), n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise UnknownGame(f"There is no game {game!r}; there are: {', '.join(game_ids())}.{hint}")
    rules: RuleSet[Any] = importlib.import_module(f"sandtable.games.{game}").RULES
    _loaded[game] = rules
    return rules
