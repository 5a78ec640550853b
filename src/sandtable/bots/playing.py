"""Playing a game out with bots, and seating them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sandtable.bots.players import Bot, UnknownBot, make_bot
from sandtable.kernel.decisions import CHANCE, Decision, Request
from sandtable.kernel.game import Game

OnDecision = Callable[[Game, Request, Decision], None]

EVERYBODY = "*"
"""In a mapping of bots: whoever is not named otherwise."""


def play_out(
    game: Game,
    bots_by_power: Mapping[str, Bot],
    max_rounds: int | None = None,
    on_decision: OnDecision | None = None,
) -> None:
    """Let bots play `game` to its end, or until `max_rounds` rounds have been completed.

    `game.result` says how it ended; it is None if the limit came first. `on_decision` is called
    with each decision just before it is submitted; whatever it raises ends the play. With explicit
    chance, the power "chance" needs a bot as well.
    """
    while game.pending:
        if max_rounds is not None and game.rules.rounds(game.state) > max_rounds:
            return
        request = game.pending[0]
        bot = bots_by_power.get(request.power)
        if bot is None:
            raise UnknownBot(f"{request.power} has to decide, but no bot plays it.")
        decision = bot.decide(game, request)
        if on_decision is not None:
            on_decision(game, request, decision)
        game.submit(request.power, decision)


def seat(game: Game, bots: str | Mapping[str, str], seed: int) -> dict[str, Bot]:
    """The bots at a game's table: one name for all, or names by power or side ("*" for the rest).

    A power's own name goes before that of its side. Every power has its own random numbers,
    which depend on `seed` and on the power only. UnknownBot if a name is not known or a power is
    left without a bot.
    """
    by_name = {EVERYBODY: bots} if isinstance(bots, str) else dict(bots)
    sides = game.rules.sides(game.state)
    places = (*game.rules.powers, *sorted(set(sides.values()) - set(sides)), EVERYBODY)
    for place in by_name:
        if place not in places:
            raise UnknownBot(
                f"There is no power or side {place!r}; there are: {', '.join(places)}."
            )
    seated: dict[str, Bot] = {}
    for number, power in enumerate(game.rules.powers, start=1):
        name = by_name.get(power) or by_name.get(sides[power]) or by_name.get(EVERYBODY)
        if name is None:
            raise UnknownBot(f"No bot is named for {power}.")
        seated[power] = make_bot(name, seed=(seed + number) & 0xFFFF_FFFF_FFFF_FFFF)
    if game.dice is None:
        seated[CHANCE] = make_bot("random", seed)
    return seated
