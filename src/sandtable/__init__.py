"""Sandtable: World War II grand-strategy board games, with every rule enforced.

>>> import sandtable
>>> game = sandtable.new("aa1942", seed=7)
>>> game.pending[0].power, game.pending[0].kind
('soviet_union', 'purchase')
"""

from sandtable.kernel.decisions import Decision, Legal, Pass, Request
from sandtable.kernel.dice import SeededDice, VerifiedDice
from sandtable.kernel.errors import (
    IllegalDecision,
    OptionError,
    PositionError,
    RuleError,
    SandtableError,
    SaveError,
    UnknownGame,
)
from sandtable.kernel.game import Game
from sandtable.kernel.registry import game_ids
from sandtable.kernel.saves import load, replay, verify
from sandtable.kernel.start import new

__version__ = "0.1.0"

__all__ = [
    "Decision",
    "Game",
    "IllegalDecision",
    "Legal",
    "OptionError",
    "Pass",
    "PositionError",
    "Request",
    "RuleError",
    "SandtableError",
    "SaveError",
    "SeededDice",
    "UnknownGame",
    "VerifiedDice",
    "game_ids",
    "load",
    "new",
    "replay",
    "verify",
]
