"""Nothing that was acknowledged is lost: the server, or the database under it, is killed in the
middle of play, again and again."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import select

import sandtable
from sandtable.kernel.decisions import Decision, read_decision
from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.savefile import save_text
from sandtable.server.config import Config
from sandtable.server.database import Database
from sandtable.server.room import Room
from sandtable.server.tables import GameRow, Row
from tests.server.network import SECONDS, Player, Server
from tests.server.postgres import Postgres

FULL = os.environ.get("SANDTABLE_FULL") == "1"
KILLS = int(os.environ.get("SANDTABLE_KILLS", "500" if FULL else "50"))
CRASHES = int(os.environ.get("SANDTABLE_CRASHES", "500" if FULL else "9"))
"""Of the server on SQLite; of servers, workers and the database with two servers on PostgreSQL.
With SANDTABLE_FULL=1 a thousand together."""

TABLES = [
    # Two persons each, by turns; in some games bots play as well.
    ("aa1942", {}, [["germany", "japan"], ["soviet_union", "united_kingdom", "united_states"]], []),
    ("aa1942", {}, [["germany"], ["soviet_union", "united_states"]], ["japan", "united_kingdom"]),
    ("blitz", {"scenario": "A"}, [["germany"], ["afa"]], []),
    ("blitz", {"scenario": "campaign"}, [["germany", "usa"], ["japan", "afa"]], ["ussr"]),
    (
        "gw36",
        {"scenario": "1939"},
        [
            ["germany", "italy", "japan", "usa", "great_britain", "fec", "anzac"],
            ["france", "free_france", "ussr", "ccp", "kmt"],
        ],
        [],
    ),
    ("gw75", {}, [["germany", "italy", "japan"], ["commonwealth", "france", "usa", "ussr"]], []),
]


async def seat_everybody(servers: list[Server], rng: random.Random) -> list[Player]:
    """Players at all tables, and the games started."""
    players: list[Player] = []
    for game, options, persons, bots in TABLES:
        host = await Player(servers, f"Host {len(players)}", rng).be_guest()
        guest = await Player(servers, f"Guest {len(players)}", rng).be_guest()
        seats = [
            {"powers": persons[0], "kind": "me"},
            {"powers": persons[1], "kind": "open"},
            *({"powers": [power], "kind": "bot", "bot": "random"} for power in bots),
        ]
        table = {"game": game, "options": options, "access": "link", "seats": seats}
        id = (await host.ask("POST", "/api/games", json=table))["id"]
        await guest.ask("POST", f"/api/games/{id}/join", json={"seat": 1})
        await host.ask("POST", f"/api/games/{id}/start", json={})
        for player in (host, guest):
            player.game = id
            players.append(player)
    return players


@asynccontextmanager
async def playing(players: list[Player]) -> AsyncIterator[None]:
    """All play as fast as they can; in the end they only listen."""
    tasks = [asyncio.create_task(player.play()) for player in players]
    try:
        yield
        for task in tasks:
            if task.done():
                task.result()
        assert not [problem for player in players for problem in player.problems]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def decided(players: list[Player], more: int) -> None:
    """Wait until so many more decisions have been acknowledged."""
    acknowledged = sum(len(player.acknowledged) for player in players) + more
    until = time.monotonic() + SECONDS
    while sum(len(player.acknowledged) for player in players) < acknowledged:
        assert time.monotonic() < until, f"nobody decides any more: {players[0].server.log()}"
        await asyncio.sleep(0.01)


def tell(crashes: int, players: list[Player]) -> None:
    """How far it has come, for who runs all of them with `-s`."""
    acknowledged = sum(len(player.acknowledged) for player in players)
    reconnections = sum(player.reconnections for player in players)
    print(
        f"{time.strftime('%H:%M:%S')} crashes {crashes}, acknowledged and compared {acknowledged}, "
        f"reconnections {reconnections}",
        flush=True,
    )


def missing(database: Database, players: list[Player]) -> list[str]:
    """The acknowledged decisions that the journals do not have, or not as they were made: power,
    every field, and in their place. What was taken back since may be one row by now."""
    lost = []
    rooms: dict[str, Room] = {}
    with database.reading() as session:
        for player in players:
            # Columns, not objects: a session keeps those as it has first seen them.
            columns = select(Row.version, Row.kind, Row.power, Row.entries)
            rows = session.execute(columns.where(Row.game == player.game))
            journal = {row.version: row for row in rows}
            gone = [
                range(json.loads(row.entries), row.version + 1)
                for row in journal.values()
                if row.kind == "gone"
            ]
            if player.game not in rooms:
                rooms[player.game] = Room.open(database, player.game)
            room = rooms[player.game]
            mine = room.viewer(room.powers_of(player.account))
            for number, (power, decision) in player.acknowledged.items():
                # Of what others write in secret a player counts nothing.
                version = room.marks.version(mine, number)
                if any(version in span for span in gone):
                    continue
                row = journal.get(version)
                stored = json.loads(row.entries)[:1] if row else None
                wanted = [] if decision is None else [{"by": power, **decision}]
                if not _alike(stored, wanted) or (
                    row and decision is not None and row.power != power
                ):
                    lost.append(f"{player.name} at {version}: {wanted}, stored {stored}")
    return lost


def _alike(stored: list[Any] | None, wanted: list[Any]) -> bool:
    """Whether they are the same as the rules read them: what is not said is what it is by
    default."""
    return (
        stored is not None
        and len(stored) == len(wanted)
        and all(
            one["by"] == other["by"]
            and any(
                (read := _read(one, shape)) is not None and read == _read(other, shape)
                for shape in _shapes(one["kind"])
            )
            for one, other in zip(stored, wanted, strict=True)
        )
    )


def _read(entry: dict[str, Any], shape: type[Decision]) -> Decision | None:
    with suppress(IllegalDecision):
        return read_decision({key: entry[key] for key in entry if key != "by"}, (shape,))
    return None


@cache
def _shapes(kind: str) -> list[type[Decision]]:
    for game, *_ in TABLES:
        sandtable.new(game)
    found: list[type[Decision]] = [Decision]
    for shape in found:
        found += shape.__subclasses__()
    fitting = [shape for shape in found if shape.__struct_config__.tag == kind]
    assert fitting, kind
    return fitting


async def all_caught_up(players: list[Player]) -> None:
    """The persons decide nothing more, and each client has what one has that comes anew. Bots may
    still play."""
    for player in players:
        player.playing = False
    for player in players:
        while True:
            fresh = await player.fresh()
            await player.told(lambda p=player, f=fresh: p.mirror.version >= f.version)  # type: ignore[misc]
            if player.mirror.version == fresh.version:
                assert player.mirror.seen() == fresh.seen()
                break


def check_stored(database: Database, players: list[Player]) -> None:
    """Everything that was acknowledged is there, and every game verifies."""
    assert missing(database, players) == []
    for id in {player.game for player in players}:
        room = Room.open(database, id)
        report = sandtable.verify(save_text(room.game).encode())
        assert report.ok, report.problem
        with database.reading() as session:
            assert session.get_one(GameRow, id).version == room.version


def test_a_server_that_is_killed_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    async def scene() -> None:
        moments = random.Random(1942)
        server = Server(f"sqlite:///{tmp_path}/games.db", tmp_path / "log")
        try:
            server.start()
            await server.up()
            players = await seat_everybody([server], random.Random(1))
            database = Database(Config(f"sqlite:///{tmp_path}/games.db"))
            async with playing(players):
                for number in range(KILLS):
                    if number % 2:
                        # At any time, whatever is going on.
                        await asyncio.sleep(moments.uniform(0, 0.4))
                    else:
                        # Somewhere among the next few decisions, or before the first.
                        await decided(players, moments.randrange(8))
                        await asyncio.sleep(moments.uniform(0, 0.05))
                    server.kill()
                    assert missing(database, players) == []
                    tell(number + 1, players)
                    server.start()
                    await server.up()
                await all_caught_up(players)
            assert all(player.reconnections >= KILLS / 2 for player in players)
        finally:
            status = server.stop()
        assert status == 0
        check_stored(database, players)
        database.close()

    asyncio.run(scene())


def workers_of(server: Server) -> list[int]:
    """The processes in which the bots of a server think."""
    assert server.process is not None
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            if (
                parent == server.process.pid
                and b"sandtable.server.workers" in (path.parent / "cmdline").read_bytes()
            ):
                found.append(int(path.parent.name))
    return found


def test_servers_workers_and_databases_that_crash_lose_nothing(
    postgres: Postgres, tmp_path: Path
) -> None:
    """Two servers on one PostgreSQL: one of them is killed, or a process in which bots think, or
    the database crashes, by turns."""

    async def scene(url: str) -> None:
        moments = random.Random(1945)
        servers = [Server(url, tmp_path / f"log {number}") for number in range(2)]
        try:
            for server in servers:
                server.start()
            for server in servers:
                await server.up()
            players = await seat_everybody(servers, random.Random(1))
            for number, player in enumerate(players):
                player.server = servers[number % 2]
            database = Database(Config(url))
            async with playing(players):
                for number in range(CRASHES):
                    await decided(players, moments.randrange(5, 20))
                    await asyncio.sleep(moments.uniform(0, 0.05))
                    if number % 3 == 0:
                        how = "immediate" if number % 2 else "fast"
                        await asyncio.to_thread(postgres.restart, how)
                    elif number % 3 == 1:
                        killed = moments.choice(servers)
                        killed.kill()
                        killed.start()
                    else:
                        for worker in workers_of(moments.choice(servers)):
                            with suppress(ProcessLookupError):
                                os.kill(worker, signal.SIGKILL)
                    for server in servers:
                        await server.up()
                    assert missing(database, players) == []
                    tell(number + 1, players)
                await decided(players, 10)
                await all_caught_up(players)
        finally:
            statuses = [server.stop() for server in servers]
        assert statuses == [0, 0]
        check_stored(database, players)
        database.close()

    with postgres.database() as url:
        asyncio.run(scene(url))
