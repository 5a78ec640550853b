"""The greedy bot of this game."""

from __future__ import annotations

import random

from sandtable.games.blitz.model import State
from sandtable.kernel.decisions import Decision, Request


def decide(s: State, request: Request, rng: random.Random) -> Decision:
    """A sensible decision."""
    return request.sample(s, rng)
