"""Getting the games and all records ready for threads.

msgspec works a record type out when it first reads one, and two threads that do so at the same time
crash the interpreter. So one thread reads everything once, before there are others.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
import structlog

from sandtable.kernel import registry
from sandtable.kernel.start import new

_log = structlog.get_logger("sandtable.records")

_lock = threading.Lock()
_ready: set[str] = set()


def prepare() -> None:
    """Load every installed game with all that its players see, and work out all record types. A
    game that fails is given up, and logged."""
    with _lock:
        for rules in registry.playable()[0]:
            if rules.id not in _ready:
                try:
                    _load(rules.id)
                except Exception as error:
                    # One unfinished game does not stop the others.
                    registry.give_up(rules.id, error)
                _ready.add(rules.id)
        for problem in registry.playable()[1].values():
            _log.error("broken game", problem=problem)
        for kind in _records(msgspec.Struct):
            # Some are bases that no decoder can be made for; those are never read.
            with suppress(TypeError, NameError):
                msgspec.json.Decoder(kind)


def _load(id: str) -> None:
    game = new(id, seed=0)
    rules, state = game.rules, game.state
    rules.about(state)
    rules.picture(state, ())
    rules.figures(state)
    for request in game.pending:
        rules.form(game.legal(request))


def _records(base: type[Any]) -> Iterator[type[Any]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _records(kind)
