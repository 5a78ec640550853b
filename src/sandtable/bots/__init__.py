"""Bots: players that are programs, playing games out, and simulating many of them.

>>> import sandtable
>>> from sandtable.bots import make_bot, play_out
>>> game = sandtable.new("aa1942", seed=7)
>>> bots = {power: make_bot("greedy", seed=7) for power in game.rules.powers}
>>> play_out(game, bots, max_rounds=1)
>>> game.rules.rounds(game.state)
2
"""

from sandtable.bots.players import (
    BOT_NAMES,
    LEVELS,
    Bot,
    CasualBot,
    GreedyBot,
    RandomBot,
    UnknownBot,
    make_bot,
)
from sandtable.bots.playing import play_out, seat
from sandtable.bots.simulation import (
    MOST_ROUNDS,
    GameReport,
    SimulationError,
    Summary,
    play_one,
    seed_of_game,
    simulate,
)

__all__ = [
    "BOT_NAMES",
    "LEVELS",
    "MOST_ROUNDS",
    "Bot",
    "CasualBot",
    "GameReport",
    "GreedyBot",
    "RandomBot",
    "SimulationError",
    "Summary",
    "UnknownBot",
    "make_bot",
    "play_one",
    "play_out",
    "seat",
    "seed_of_game",
    "simulate",
]
