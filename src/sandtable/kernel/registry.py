"""Finding the installed games. A game is a package in `sandtable.games` with a `RULES` object."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from typing import Any

from sandtable.kernel.errors import BrokenGame, UnknownGame
from sandtable.kernel.ruleset import RuleSet

_added: dict[str, RuleSet[Any]] = {}
_loaded: dict[str, RuleSet[Any]] = {}
_broken: dict[str, BrokenGame] = {}


def add(rules: RuleSet[Any]) -> None:
    """Make a rule set from outside the package known (tests, plug-ins)."""
    _added[rules.id] = rules


def game_ids() -> list[str]:
    """The ids of all installed games, sorted."""
    package = importlib.import_module("sandtable.games")
    found = {module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg}
    return sorted(found | set(_added))


def find(game: str) -> RuleSet[Any]:
    """The rule set with that id; UnknownGame with a hint if there is none, BrokenGame if its
    package fails."""
    if not isinstance(game, str):
        raise UnknownGame(f"A game is named by its id, not by {type(game).__name__}.")
    if game in _added:
        return _added[game]
    if game in _loaded:
        return _loaded[game]
    if game in _broken:
        raise _broken[game]
    if game not in game_ids():
        close = difflib.get_close_matches(game, game_ids(), n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise UnknownGame(f"There is no game {game!r}; there are: {', '.join(game_ids())}.{hint}")
    try:
        _loaded[game] = _load(game)
    except BrokenGame as error:
        _broken[game] = error
        raise
    return _loaded[game]


def give_up(game: str, error: Exception) -> None:
    """Nobody can play this game in this process: it failed when it was tried."""
    _broken[game] = BrokenGame(f"{game} cannot be played: it fails at the start ({error!r}).")
    _loaded.pop(game, None)


def playable() -> tuple[list[RuleSet[Any]], dict[str, str]]:
    """The games that can be played, and what is wrong with each of the others, by id."""
    games: list[RuleSet[Any]] = []
    broken: dict[str, str] = {}
    for game in game_ids():
        try:
            games.append(find(game))
        except BrokenGame as error:
            broken[game] = str(error)
    return games, broken


def _load(game: str) -> RuleSet[Any]:
    name = f"sandtable.games.{game}"
    try:
        rules = importlib.import_module(name).RULES
    except Exception as error:
        raise BrokenGame(f"{game} cannot be played: its package fails ({error!r}).") from error
    if not isinstance(rules, RuleSet):
        raise BrokenGame(f"{game} cannot be played: RULES of its package is not a rule set.")
    if rules.id != game:
        raise BrokenGame(f"{game} cannot be played: its rule set calls itself {rules.id!r}.")
    return rules
