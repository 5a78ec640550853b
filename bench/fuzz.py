"""Wrong decisions by the million, over all games, through the public face.

Each is a legal decision that was changed somewhere, or garbage. It either advances the game legally
or is refused with a sentence, and then the position is what it was; after each that is accepted
what must always hold is checked. `SANDTABLE_FUZZ` is the number of decisions: ten million take an
hour on one core.
"""

from __future__ import annotations

import os
import random
import time

import sandtable
from bench.rows import Row
from sandtable.kernel.decisions import plain
from sandtable.kernel.errors import IllegalDecision
from tests.conformance.driver import advance, cases, new
from tests.conformance.mutation import garbage, mutated, names_in

DECISIONS = int(os.environ.get("SANDTABLE_FUZZ", "60000"))
AT_A_POINT = 100
"""Wrong decisions at one position."""
STRIDE = 30
"""Fewer than so many decisions from one such position to the next."""
AT_A_TIME = 5000
LONGEST = 1500
"""Decisions after which a new game is begun."""


class Broken(AssertionError):
    """What must never happen has happened; the words say how to see it again."""


def fuzz(case: str, seed: int, most: int) -> tuple[int, int]:
    """Play one game at random, with wrong decisions at every position: how many were sent, and how
    many of them were legal after all."""
    rng = random.Random(f"{case} {seed}")
    game = new(case, seed=seed)
    sent = accepted = 0
    while game.pending and game.version < LONGEST and sent < most:
        request = rng.choice(game.pending)
        if (rights := game.may) and rng.random() < 0.2:
            request = rng.choice(rights)
        original = plain(game.legal(request).sample(rng))
        words = sorted(names_in(plain(request)) | names_in(original)) or ["x"]
        before, version = game.hash, game.version
        copy = game.clone()
        for _ in range(AT_A_POINT):
            wrong = mutated(original, words, rng) if rng.random() < 0.8 else garbage(rng)
            sent += 1
            try:
                copy.submit(request.power, wrong)
            except IllegalDecision as refusal:
                _must(bool(refusal.reason), case, seed, version, wrong, "no reason is given")
                _must(copy.version == version, case, seed, version, wrong, "refused, yet moved")
            else:
                accepted += 1
                wrong_now = game.rules.audit(copy.state)
                _must(not wrong_now, case, seed, version, wrong, str(wrong_now))
                copy = game.clone()
        _must(copy.hash == before, case, seed, version, None, "refused, yet another hash")
        _must(game.hash == before, case, seed, version, None, "the hash has changed")
        advance(game, rng, rng.randrange(1, STRIDE))
    return sent, accepted


def _must(true: bool, case: str, seed: int, version: int, decision: object, words: str) -> None:
    if not true:
        raise Broken(f"{case}, seed {seed}, version {version}: {words} ({decision!r})")


def run() -> list[Row]:
    """So many decisions over all games, by turns."""
    began = time.perf_counter()
    sent: dict[str, int] = dict.fromkeys(cases(), 0)
    legal, seed = 0, 0
    while (total := sum(sent.values())) < DECISIONS:
        # The game that has had least.
        case = min(sent, key=lambda each: sent[each])
        seed += 1
        number, accepted = fuzz(case, seed, min(AT_A_TIME, DECISIONS - total))
        sent[case] += number
        legal += accepted
    seconds = time.perf_counter() - began
    each = min(sent.values())
    return [
        Row(
            f"fuzz: {total:,} wrong decisions over {len(sent)} games and scenarios",
            f"{legal:,} legal after all, no crash, no changed hash, nothing broken",
            f"{seconds:.0f} s, at least {each:,} for each",
            target="none broken",
            met=True,
        )
    ]


if __name__ == "__main__":
    print(run(), sandtable.__version__)
