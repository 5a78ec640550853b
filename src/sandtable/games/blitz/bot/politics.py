"""Declarations of war and other politics of the greedy bot."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.games.blitz.model import State
from sandtable.games.blitz.rules.scenarios import AnnounceJapan, JapansEntry
from sandtable.games.blitz.rules.steps import DeclareWar
from sandtable.kernel.decisions import Decision, Pass, Request

_PLAN = {
    "germany": {"belgium_netherlands": 1, "ussr": 3},
    "japan": {"afa": 4, "usa": 4},
    "ussr": {"germany": 5},
    "afa": {"japan": 6},
    "usa": {"japan": 1, "germany": 1},
}
"""Power to those on whom it declares war, and from which turn on, as soon as the rules allow."""


def declare(s: State, power: str) -> Iterator[Decision]:
    """The wars that a power wants by now."""
    for on, turn in _PLAN.get(power, {}).items():
        if s.turn >= turn and (power, on) not in s.wars:
            yield DeclareWar(on)


def announce_japan(s: State, request: JapansEntry) -> Iterator[Decision]:
    """Japan comes in when it costs nothing any more."""
    yield Pass() if request.points else AnnounceJapan()


def decline(s: State, request: Request) -> Iterator[Decision]:
    """Victory points are worth more than what is offered for them."""
    yield Pass()
