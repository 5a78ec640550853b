"""Many live games for a while: two sockets each, and in each a decision every ten seconds.

The time of a decision runs from before it is sent until both clients have been told. Memory and
descriptors of the server rise and fall by the second: the most in the second minute (the first has
what it takes to open so many games at once) is held against the most in the last one.
`SANDTABLE_SOAK` is the number of minutes, `SANDTABLE_LIVE` that of games: 30 and 1,000 are what
docs/hosts.md promises.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from bench import server as load
from bench.rows import Row
from tests.server.network import Player, Server

GAMES = int(os.environ.get("SANDTABLE_LIVE", "200"))
MINUTES = float(os.environ.get("SANDTABLE_SOAK", "2"))
EVERY = 10.0
PLAYED = 500
"""Decisions that a game has behind it. From a few hundred on what is past is packed: a younger game
grows into its memory, and that is no leak."""
PER_SCRIPT = 2000
"""Decisions that are played beforehand: what the clients send."""


def descriptors(server: Server) -> int:
    assert server.process is not None
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


class Watch:
    """The most memory and descriptors that the server has had while this was open."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.memory, self.descriptors = load.memory(server), descriptors(server)

    async def __aenter__(self) -> Watch:
        self._looking = asyncio.create_task(self._look())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._looking.cancel()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(1)
            self.memory = max(self.memory, load.memory(self._server))
            self.descriptors = max(self.descriptors, descriptors(self._server))


async def soak() -> list[Row]:
    wanted = int(MINUTES * 60 / EVERY) + 30
    scripts = [
        load.Script(kind % 2, seed=kind, played=PLAYED, more=min(PER_SCRIPT, wanted))
        for kind in range(2 * load.VARIANTS)
    ]
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "soak.db"
        server = Server(f"sqlite:///{database}", Path(folder) / "log", log_level="warning")
        server.start()
        try:
            await server.up()
            hosts: list[Player] = []
            matches = await load.open_matches(server, database, scripts, GAMES, hosts)
            seconds = MINUTES * 60
            minute = min(60.0, seconds)
            await load.load(matches, minute, EVERY)
            async with Watch(server) as before:
                await load.load(matches, minute, EVERY)
            times = await load.load(matches, seconds - minute, EVERY)
            async with Watch(server) as after:
                times += await load.load(matches, minute, EVERY)
            for match in matches:
                await match.close()
        finally:
            server.stop()
    p95 = load.percentile(times, 0.95)
    grown = after.memory - before.memory
    return [
        Row(
            f"soak: {GAMES} games, {2 * GAMES} sockets, {len(times)} decisions in "
            f"{MINUTES:g} minutes, p95",
            f"{p95:.0f} ms (p50 {load.percentile(times, 0.5):.0f}, "
            f"p99 {load.percentile(times, 0.99):.0f})",
            target="≤ 250 ms",
            met=p95 <= 250,
        ),
        Row(
            "soak: memory of the server",
            f"{after.memory:.0f} MB ({grown:+.0f})",
            f"{before.memory:.0f} MB in the second minute",
            after.memory / before.memory,
            "≤ 1.1",
            after.memory <= 1.1 * before.memory,
        ),
        Row(
            "soak: descriptors of the server",
            f"{after.descriptors} ({after.descriptors - before.descriptors:+d})",
            target="none more",
            met=after.descriptors <= before.descriptors + 16,
        ),
    ]


def run() -> list[Row]:
    """All figures."""
    return asyncio.run(soak())
