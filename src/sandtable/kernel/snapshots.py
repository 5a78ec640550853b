"""Snapshots: a game is opened from a position in its course, and what came before is run only if
somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.kernel.errors import SandtableError

if TYPE_CHECKING:
    from sandtable.kernel.game import Game


class Misfit(SandtableError):
    """A snapshot is no position that its game has come to."""


class Snapshot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position as plain data, and the journal entries, rolls and events that led to it."""

    length: int
    rolls: int
    events: int
    state: dict[str, Any]


class Past:
    """What led to the snapshot that a game was opened from.

    `run` plays the game from its start to where it has so many journal entries. `entries` are
    those before the snapshot as they are written in a save, if they are at hand; `edits` are the
    numbers of those by which the position was changed by hand.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        run: Callable[[int], Game],
        entries: Sequence[bytes | msgspec.Raw] = (),
        edits: tuple[int, ...] = (),
    ) -> None:
        self.snapshot = snapshot
        self.entries = entries
        self.edits = edits
        self._run = run
        self._rest: tuple[int, int, int, str] | None = None
        self._game: Game | None = None
        self._lock = Lock()

    def taken_up(self, game: Game) -> None:
        """The game that was opened from the snapshot has come to rest for the first time."""
        self._rest = _place(game)

    @property
    def game(self) -> Game:
        """The game as it really came there, run from its start; Misfit if that is another."""
        with self._lock:
            if self._game is None:
                assert self._rest is not None
                game = self._run(self._rest[0])
                if _place(game) != self._rest:
                    raise Misfit("The game's snapshot is not where its journal leads to.")
                self._game = game
            return self._game


def _place(game: Game) -> tuple[int, int, int, str]:
    # Equal hashes mean equal futures, so it is enough to compare once.
    return game.version, game._rolls, len(game.events), game.hash
