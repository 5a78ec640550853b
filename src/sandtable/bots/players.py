"""The players: one interface, and the bots that every game has."""

from __future__ import annotations

import difflib
import random
from collections.abc import Callable
from typing import Protocol

from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.errors import SandtableError
from sandtable.kernel.game import Game

USE_A_RIGHT = 1 / 16
"""How often a bot that decides at random uses a right instead of answering."""


class UnknownBot(SandtableError):
    """There is no bot of that name, or no such power or side for it to play."""


class Bot(Protocol):
    """A player that is a program."""

    @property
    def name(self) -> str:
        """The name by which `make_bot` knows it."""

    def decide(self, game: Game, request: Request, budget: float | None = None) -> Decision:
        """A legal answer to a pending request of `game`, or the use of a right that the same power
        has now; the game is not changed.

        A pure function of what the power may see, of the bot's seed and of the budget: the same
        bot answers the same position alike, whatever it was asked before. `budget` is the time in
        seconds that it may take; None is as long as it likes.
        """


class RandomBot:
    """Decides at random among the legal decisions that the request samples; now and then it uses a
    right."""

    name = "random"

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def decide(self, game: Game, request: Request, budget: float | None = None) -> Decision:
        rng = _rng(self.seed, game, request)
        rights = _rights(game, request)
        if rights and rng.random() < USE_A_RIGHT:
            request = rng.choice(rights)
        return game.legal(request).sample(rng)


class GreedyBot:
    """Decides by the game's own knowledge of what is sensible, one decision at a time.

    It answers within milliseconds, whatever the budget. Only the very first answer on a machine
    may take longer, if the game's odds have to be compiled (see `sandtable.odds.compiled`).
    """

    name = "greedy"

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def decide(self, game: Game, request: Request, budget: float | None = None) -> Decision:
        rng = _rng(self.seed, game, request)
        for right in _rights(game, request):
            if (decision := game.rules.greedy_right(game.state, right, rng)) is not None:
                return decision
        return game.rules.greedy(game.state, request, rng)


MISTAKES = 1 / 4
"""How often a bot that makes mistakes decides at random."""


class CasualBot:
    """Decides as the greedy bot does, but every now and then at random: between the two."""

    name = "casual"

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def decide(self, game: Game, request: Request, budget: float | None = None) -> Decision:
        mistaken = _rng(self.seed + 1, game, request).random() < MISTAKES
        bot = RandomBot(self.seed) if mistaken else GreedyBot(self.seed)
        return bot.decide(game, request, budget)


_BOTS: dict[str, Callable[[int], Bot]] = {
    "random": RandomBot,
    "casual": CasualBot,
    "greedy": GreedyBot,
}

LEVELS: dict[str, tuple[str, str]] = {
    "random": ("Easy", "Does anything that is legal, at random: to learn how the game goes."),
    "casual": ("Normal", "Plays sensibly, but every fourth decision is a mistake."),
    "greedy": ("Hard", "Plays every decision as well as it can: the strongest there is."),
}
"""The bots for people: a level, and a sentence about it."""

BOT_NAMES = tuple(_BOTS)
"""The names that `make_bot` takes."""


def make_bot(name: str, seed: int = 0) -> Bot:
    """The bot of that name; UnknownBot with the known names if there is none."""
    make = _BOTS.get(name)
    if make is None:
        close = difflib.get_close_matches(str(name), BOT_NAMES, n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise UnknownBot(f"There is no bot {name!r}; there are: {', '.join(BOT_NAMES)}.{hint}")
    return make(seed)


def _rights(game: Game, request: Request) -> list[Request]:
    """What the power of a request may do beside answering it."""
    return [right for right in game.may if right.power == request.power]


def _rng(seed: int, game: Game, request: Request) -> random.Random:
    """Randomness for one decision. The length of the journal stands for the moment: a bot that
    kept a generator would depend on what it was asked before."""
    return random.Random(f"{seed} {game.version} {request.power}")
