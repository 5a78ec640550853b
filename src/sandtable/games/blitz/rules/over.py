"""The end of the game in the middle of a turn."""

from __future__ import annotations

from sandtable.kernel.ruleset import Result


class GameOver(Exception):
    """Raised when the game ends there and then."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.reason)
        self.result = result
