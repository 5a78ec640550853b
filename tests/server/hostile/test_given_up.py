"""Work that takes too long is given up in the middle, whatever it was doing. What all games of the
server share is then as if it had never been begun: nobody else plays by the half of it."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

import sandtable
from sandtable.games.gw75.model import State
from sandtable.games.gw75.rules import (
    attacks,
    naval,
    naval_zones,
    pipelines,
    ports,
    supply,
    tracing,
)
from sandtable.games.gw75.rules.terms import nations
from sandtable.server.patience import TooLong
from tests.gw75.test_caches import afresh

KEEPERS = {
    "near", "_convoys", "_further", "joins", "to", "_zones", "_able", "nations", "seek", "within"
}  # fmt: skip
"""Functions that keep what they find."""
LATER = 3
"""Work is given up when a line is come to so often: in the middle of a loop."""


def position() -> State:
    """The first, of which nothing is known yet."""
    game = sandtable.new("gw75", seed=1)
    return afresh(game.state)


def asked(s: State) -> list[Any]:
    """What rests on what is kept for all games."""
    found: list[Any] = []
    for nation in sorted(s.presence):
        net = pipelines.net(s, nation)
        found.append((nation, net.links, net.closed))
        found.append({port: net.areas(port) for port in ports.of(s, nation)})
        found.append([supply.state(s, nation, hex) for hex in sorted(s.at)[::25]])
        found.append(naval_zones._zones(s, nation))
        linked = tracing.linked(s, nation, ports.of(s, nation)[:2], ports.of(s, nation))
        found.append([linked.joins(hex) for hex in sorted(s.at)[::25]])
    for player in ("germany", "commonwealth"):
        found.append((nations(s, player), attacks._able(s, player)))
    found.append([naval._route(s.facts, "W2215", end) for end in ("W2325", "W2105")])
    return found


def given_up(work: Callable[[], Any], at: tuple[str, int] | None = None) -> set[tuple[str, int]]:
    """Do some work and give it up at a line. All lines of functions that keep something."""
    found: Counter[tuple[str, int]] = Counter()

    def watch(frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code.co_name not in KEEPERS or "/gw75/" not in code.co_filename:
            return None
        if event == "line":
            line = code.co_filename, frame.f_lineno
            found[line] += 1
            if line == at and found[line] == LATER:
                raise TooLong
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        work()
    except TooLong:
        pass
    finally:
        sys.settrace(before)
    return {line for line, times in found.items() if times >= LATER}


def test_what_is_given_up_leaves_nothing_behind() -> None:
    """Neither for other games, which share what follows from the map, nor for those who look at the
    same position."""
    s = position()
    whole = asked(afresh(s))
    lines = sorted(given_up(lambda: asked(afresh(s))))
    assert len(lines) > 30
    for line in lines:
        this = afresh(s)
        given_up(lambda state=this: asked(state), line)  # type: ignore[misc]
        other = this.copy()
        other.changed()
        for seen in (other, this):
            for now, then in zip(asked(seen), whole, strict=True):
                assert now == then, line


def test_what_is_kept_for_all_games_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ports that are built and removed by hand, again and again, while the fronts stay."""
    monkeypatch.setattr(tracing, "_REMEMBERED", 40)
    s = position()
    coasts = [id for id, hex in s.facts.hexes.items() if hex.dry and hex.wet and not hex.port]
    for number in range(30):
        s.ports = frozenset(coasts[number : number + 3])
        s.changed()
        asked(s)
    kept = s.facts.kept("ways", 60).values()
    assert 0 < max(len(each.memo) for each in kept) <= 40
    for now, then in zip(asked(s), asked(afresh(s)), strict=True):
        assert now == then


ENDLESS = """
import sys
from sandtable.server import patience

def endless():
    while True:
        pass

for _ in range(3):
    try:
        patience.limited(0.1, endless)
    except patience.OutOfTime:
        pass
sys.settrace(lambda *_: None)
print(len(str(patience.limited(60.0, sum, (1, 2)))))
"""


def test_a_thread_that_has_given_up_is_as_before() -> None:
    """The interpreter went on looking for what had been raised: for ever, if somebody traced it."""
    done = subprocess.run(
        [sys.executable, "-c", ENDLESS], capture_output=True, timeout=120, check=True
    )
    assert done.stdout == b"1\n"
