"""A game whose requests are answered by typing, in a test."""

from __future__ import annotations

from sandtable.cli.names import Lexicon
from sandtable.cli.reading import Reader
from sandtable.kernel.decisions import Decision, Request
from sandtable.kernel.game import Game


class Typist:
    """Reads lines as answers to a game's first request, and submits them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        spaces = game.rules.picture(game.state, ()).spaces
        self.lexicon = Lexicon(game.rules.about(game.state), spaces, game.rules.verbs())

    def reader(self, request: Request | None = None) -> Reader:
        return Reader(self.game, request or self.game.pending[0], self.lexicon)

    def read(self, line: str, request: Request | None = None) -> Decision:
        """The first decision of a line, as the rules allow it."""
        reader = self.reader(request)
        return reader.legal.read(next(iter(reader.read(line))))

    def say(self, *lines: str) -> None:
        """Submit the decisions of all lines."""
        for line in lines:
            power = self.game.pending[0].power
            for decision in self.reader().read(line):
                self.game.submit(power, decision)
