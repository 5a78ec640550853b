"""Many live games for a while: two sockets each, and in each a decision every ten seconds.

The time of a decision runs from before it is sent until both clients have been told. Memory and
descriptors of the server are taken after the first minute and at the end. `SANDTABLE_SOAK` is the
number of minutes, `SANDTABLE_LIVE` that of games: 30 and 1,000 are what docs/hosts.md promises.
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


async def soak() -> list[Row]:
    wanted = int(MINUTES * 60 / EVERY) + 20
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
            await load.load(matches, min(60.0, MINUTES * 60), EVERY)
            before = load.memory(server), descriptors(server)
            times = await load.load(matches, MINUTES * 60, EVERY)
            after = load.memory(server), descriptors(server)
            for match in matches:
                await match.close()
        finally:
            server.stop()
    p95 = load.percentile(times, 0.95)
    grown = after[0] - before[0]
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
            f"{after[0]:.0f} MB ({grown:+.0f})",
            f"{before[0]:.0f} MB after a minute",
            after[0] / before[0],
            "≤ 1.1",
            after[0] <= 1.1 * before[0],
        ),
        Row(
            "soak: descriptors of the server",
            f"{after[1]} ({after[1] - before[1]:+d})",
            target="none more",
            met=after[1] <= before[1] + 16,
        ),
    ]


def run() -> list[Row]:
    """All figures."""
    return asyncio.run(soak())
