"""The server under load, what an idle game costs, and how soon questions are answered.

A real server process on an SQLite file, over loopback, on the machine that also plays all clients.
Half of the games are `aa1942`, half the campaign of `blitz`, with two persons each, both connected.
The time of a decision runs from before it is sent until both clients have been told.
"""

from __future__ import annotations

import asyncio
import math
import os
import random
import secrets
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

import sandtable
from bench.rows import Row
from sandtable.bots import play_out, seat
from sandtable.kernel.decisions import plain
from sandtable.kernel.savefile import save_text
from tests.server.network import Player, Server

GAMES = 200
EVERY = 2.0
"""Seconds between two decisions of a game."""
SECONDS = 20.0
MORE = (300, 400, 500, 650, 800, 1000)
"""With so many games the load is tried next, until the 95th percentile passes a second."""
TRY_SECONDS = 8.0
PLAYED = 40
"""Decisions that a game has behind it when the load begins."""
SCRIPT = 200
VARIANTS = 4
LATE = 3000
LATE_GAMES = 8
HOSTS = 20
"""Accounts; each has many games."""
POSITIONS = 6

KINDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("aa1942", {}),
    ("blitz", {"scenario": "campaign"}),
)
ASKED = (*KINDS, ("gw75", {}))
"""Games whose questions are timed; the first of them are played under load."""


class Told(msgspec.Struct):
    """What the load needs of a message."""

    type: str
    version: int = 0


_TOLD = msgspec.json.Decoder(Told)


class Script:
    """A game with seeded dice, and how it goes on: the server's dice will fall alike."""

    def __init__(self, kind: int, seed: int, played: int, more: int) -> None:
        id, options = KINDS[kind]
        game = sandtable.new(id, seed=seed, options=options)
        rng = random.Random(seed)
        while played and game.pending:
            self._step(game, rng)
            played -= 1
        self.save = save_text(game)
        self.seats = [list(powers) for powers in game.rules.seats(game.options)]
        self.decisions = [self._step(game, rng) for _ in range(more)]

    @staticmethod
    def _step(game: sandtable.Game, rng: random.Random) -> tuple[str, Any]:
        request = game.pending[0]
        decision = game.legal(request).sample(rng)
        game.submit(request.power, decision)
        return request.power, plain(decision)


class Wire:
    """A connection for decisions, one at a time: light, for there are many."""

    def __init__(self, player: Player) -> None:
        self._port = player.server.port
        cookie = "; ".join(f"{name}={value}" for name, value in player.http.cookies.items())
        self._head = (
            f"Host: 127.0.0.1:{self._port}\r\nCookie: {cookie}\r\n"
            f"X-CSRF-Token: {player.csrf}\r\nContent-Type: application/json\r\n"
        )
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: Any) -> None:
        content = msgspec.json.encode(body)
        head = f"POST {path} HTTP/1.1\r\n{self._head}Content-Length: {len(content)}\r\n\r\n"
        try:
            status, answer = await self._send(head.encode() + content)
        except (ConnectionError, asyncio.IncompleteReadError):
            # The server closes connections that are not used for some seconds.
            self._streams = None
            status, answer = await self._send(head.encode() + content)
        if status != "200":
            raise RuntimeError(f"{path}: {status} {answer.decode()}")

    async def _send(self, request: bytes) -> tuple[str, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(request)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
        fields = dict(line.split(": ", 1) for line in lines[1:] if line)
        answer = await reader.readexactly(int(fields["content-length"]))
        return lines[0].split()[1], answer


class Match:
    """A game on the server, its two persons connected. They share an account, but each looks
    through the eyes of its own powers."""

    def __init__(self, script: Script, host: Player) -> None:
        self.script = script
        self.host = host
        self.id = ""
        self.next = 0
        self.version = 0
        self.times: list[float] = []
        self._wire = Wire(host)
        self._told = [0, 0]
        self._news = asyncio.Event()
        self._sockets: list[ClientConnection] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def make(self, database: Path) -> None:
        """Make the table of a save, with its dice."""
        host = self.host
        middle = len(self.script.seats) // 2
        mine = [power for powers in self.script.seats[:middle] for power in powers]
        theirs = [power for powers in self.script.seats[middle:] for power in powers]
        seats = [
            {"powers": mine, "kind": "me", "player": "Host"},
            {"powers": theirs, "kind": "here", "player": "Guest"},
        ]
        table = {"save": self.script.save, "access": "link", "seats": seats}
        info = await host.ask("POST", "/api/games", json=table)
        self.id, self.version = info["id"], info["version"]
        with sqlite3.connect(database, timeout=30) as connection:
            # A save goes on with new dice; the script knows only its own.
            connection.execute(
                "UPDATE games SET dice = json_set(dice, '$.rolls', 1000000) WHERE id = ?",
                (self.id,),
            )

    async def begin(self, database: Path, like: Match) -> None:
        """Make a table like one that was made and not begun; start the game and connect both."""
        host = self.host
        self.id, self.version = _copied(database, like, host), like.version
        await host.ask("POST", f"/api/games/{self.id}/start", json={})
        cookie = "; ".join(f"{n}={v}" for n, v in host.http.cookies.items())
        for number, person in enumerate(("Host", "Guest")):
            socket = await connect(
                f"ws://127.0.0.1:{host.server.port}/api/games/{self.id}/socket?as={person}",
                additional_headers={"Cookie": cookie},
                compression=None,
                max_size=None,
                proxy=None,
                open_timeout=60,
            )
            self._sockets.append(socket)
            self._tasks.append(asyncio.create_task(self._listen(number, socket)))

    async def _listen(self, number: int, socket: ClientConnection) -> None:
        while True:
            told = _TOLD.decode(await socket.recv(decode=False))
            if told.type == "update":
                self._told[number] = told.version
                self._news.set()

    async def play(self, start: float, until: float, every: float) -> None:
        """A decision every so many seconds, from a random moment on."""
        due = start + random.random() * every
        while due < until and self.next < len(self.script.decisions):
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            power, decision = self.script.decisions[self.next]
            body = {"power": power, "decision": decision, "version": self.version}
            began = time.perf_counter()
            await self._wire.post(f"/api/games/{self.id}/decisions", body)
            self.next += 1
            self.version += 1
            while min(self._told) < self.version:
                self._news.clear()
                await asyncio.wait_for(self._news.wait(), 60)
            self.times.append(time.perf_counter() - began)
            due += every

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for socket in self._sockets:
            await socket.close()


def percentile(times: list[float], part: float) -> float:
    """In milliseconds."""
    ordered = sorted(times)
    return 1000 * ordered[min(len(ordered) - 1, math.ceil(part * len(ordered)) - 1)]


def memory(server: Server) -> float:
    """Of the server process, in MB."""
    assert server.process is not None
    for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("The system does not say how much memory a process has.")


def cpu(server: Server) -> float:
    """What the server process has used so far, in seconds."""
    assert server.process is not None
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def round_trips(player: Player, number: int = 200) -> list[float]:
    """Times of a request for which the server has next to nothing to do."""
    times = []
    for _ in range(number):
        began = time.perf_counter()
        await player.ask("GET", "/api/me")
        times.append(time.perf_counter() - began)
    return times


async def open_matches(
    server: Server, database: Path, scripts: list[Script], number: int, hosts: list[Player]
) -> list[Match]:
    """So many games more. A save is brought once for each script: the server checks each that is
    brought, and that is not what is timed."""
    while len(hosts) < HOSTS:
        hosts.append(await Player([server], f"Host {len(hosts)}", random.Random(1)).be_guest())
    models = [Match(script, hosts[0]) for script in scripts[:number]]
    for model in models:
        await model.make(database)
    matches = [Match(scripts[k % len(scripts)], hosts[k % len(hosts)]) for k in range(number)]
    for number, match in enumerate(matches):
        await match.begin(database, models[number % len(models)])
    return matches


def _copied(database: Path, like: Match, host: Player) -> str:
    """The id of a table like another one, of another host."""
    id = secrets.token_urlsafe(16)
    with sqlite3.connect(database, timeout=30) as connection:
        [[owner]] = connection.execute("SELECT creator FROM games WHERE id = ?", (like.id,))
        for table, key in (("games", "id"), ("seats", "game"), ("rows", "game")):
            found = connection.execute(f"SELECT * FROM {table} WHERE {key} = ?", (like.id,))
            for row in found.fetchall():
                copy = [{like.id: id, owner: host.account}.get(value, value) for value in row]
                places = ", ".join("?" * len(row))
                connection.execute(f"INSERT INTO {table} VALUES ({places})", copy)
        # As if all that is past had been played here: what a save brings was decided by nobody.
        connection.execute("UPDATE rows SET account = ? WHERE game = ?", (host.account, id))
    return id


async def load(matches: list[Match], seconds: float, every: float = EVERY) -> list[float]:
    """The times of all decisions while every game makes one every so many seconds."""
    for match in matches:
        match.times = []
    start = time.perf_counter()
    await asyncio.gather(*(match.play(start, start + seconds, every) for match in matches))
    return [spent for match in matches for spent in match.times]


async def under_load() -> list[Row]:
    """Latencies, memory, and how many games are too many."""
    scripts = [Script(k % 2, seed=k, played=PLAYED, more=SCRIPT) for k in range(2 * VARIANTS)]
    late = [Script(k % 2, seed=k, played=LATE, more=0) for k in range(2)]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "bench.db"
        server = Server(f"sqlite:///{database}", Path(folder) / "log", log_level="warning")
        server.start()
        try:
            await server.up()
            hosts: list[Player] = []
            # What the first games bring into memory is no game's own.
            matches = await open_matches(server, database, scripts, 4, hosts)
            before = memory(server)
            matches += await open_matches(server, database, scripts, GAMES - len(matches), hosts)
            each = (memory(server) - before) / (GAMES - 4)
            rows.append(
                Row(
                    f"server: idle game after {PLAYED} decisions, with 2 sockets",
                    f"{each:.2f} MB",
                    target="≤ 2 MB",
                    met=each <= 2,
                )
            )
            trip = percentile(await round_trips(hosts[0]), 0.5)
            await load(matches, 4)
            used = cpu(server)
            times = await load(matches, SECONDS)
            used = cpu(server) - used
            p95 = percentile(times, 0.95)
            rows.append(
                Row(
                    f"server: {GAMES} games, {2 * GAMES} sockets, {len(times)} decisions, p95",
                    f"{p95:.0f} ms (p50 {percentile(times, 0.5):.0f}, "
                    f"p99 {percentile(times, 0.99):.0f})",
                    f"{trip:.1f} ms (empty request)",
                    p95 / trip,
                    "≤ 250 ms",
                    p95 <= 250,
                )
            )
            rows.append(Row("server: CPU time of a decision", f"{1000 * used / len(times):.1f} ms"))
            reached = f"more than {MORE[-1]} games"
            last = f"{GAMES}: {p95:.0f} ms"
            for number in MORE:
                matches += await open_matches(
                    server, database, scripts, number - len(matches), hosts
                )
                p95 = percentile(await load(matches, TRY_SECONDS), 0.95)
                if p95 > 1000:
                    reached = f"{number} games ({p95:.0f} ms; {last})"
                    break
                last = f"{number}: {p95:.0f} ms"
            rows.append(Row("server: p95 passes one second at", reached))
            for match in matches:
                await match.close()
            matches = await open_matches(server, database, late, LATE_GAMES, hosts)
            before = memory(server)
            matches += await open_matches(server, database, late, LATE_GAMES, hosts)
            each = (memory(server) - before) / LATE_GAMES
            rows.append(
                Row(
                    f"server: idle game after {LATE} decisions",
                    f"{each:.2f} MB",
                    target="≤ 2 MB",
                    met=each <= 2,
                )
            )
            for match in matches:
                await match.close()
        finally:
            server.stop()
    return rows


def positions(kind: int) -> Iterator[sandtable.Game]:
    """Positions of a middle game between greedy bots in which units are to be moved."""
    id, options = ASKED[kind]
    game = sandtable.new(id, seed=5, options=options)
    bots = seat(game, "greedy", 5)
    play_out(game, bots, max_rounds=3)
    found, quiet = 0, 0
    while game.pending and found < POSITIONS:
        request = game.pending[0]
        if quiet <= 0 and game.rules.form(game.legal(request)).component == "move":
            found, quiet = found + 1, 20
            yield game
        quiet -= 1
        game.submit(request.power, bots[request.power].decide(game, request))


async def ask_everything(player: Player, game: sandtable.Game) -> tuple[list[float], list[float]]:
    """The times of the form of a position, and of the reach of each kind of unit in each space."""
    powers = [power for seat in game.rules.seats(game.options) for power in seat]
    table = {"save": save_text(game), "seats": [{"powers": powers, "kind": "me"}]}
    id = (await player.ask("POST", "/api/games", json=table))["id"]
    await player.ask("POST", f"/api/games/{id}/start", json={})
    power = game.pending[0].power
    forms, reaches = [], []
    form: Mapping[str, Any] = {}
    for _ in range(5):
        began = time.perf_counter()
        form = await player.ask("GET", f"/api/games/{id}/form", params={"power": power})
        forms.append(time.perf_counter() - began)
    for mover in form["movers"]:
        for row in mover["rows"]:
            if row.get("cargo"):
                continue
            chosen = {"power": power, "space": mover["space"], "chosen": {row["key"]: 1}}
            began = time.perf_counter()
            response = await player.request("POST", f"/api/games/{id}/reach", json=chosen)
            reaches.append(time.perf_counter() - began)
            assert response.status_code in (200, 422), response.text
    return forms, reaches


async def questions() -> list[Row]:
    """How soon forms and reachable spaces are there, one question at a time."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        server = Server(f"sqlite:///{folder}/bench.db", Path(folder) / "log", log_level="warning")
        server.start()
        try:
            await server.up()
            player = await Player([server], "Curious", random.Random(1)).be_guest()
            for kind, (id, _) in enumerate(ASKED):
                forms: list[float] = []
                reaches: list[float] = []
                for game in positions(kind):
                    some, more = await ask_everything(player, game)
                    forms += some
                    reaches += more
                trip = percentile(await round_trips(player), 0.5)
                for name, times, target in (
                    ("form", forms, 100),
                    ("reachable spaces", reaches, 50),
                ):
                    p95 = percentile(times, 0.95)
                    rows.append(
                        Row(
                            f"server: {name} of {id}, {len(times)} questions, p95",
                            f"{p95:.1f} ms (median {percentile(times, 0.5):.1f})",
                            f"{trip:.1f} ms (empty request)",
                            p95 / trip,
                            f"≤ {target} ms",
                            p95 <= target,
                        )
                    )
        finally:
            server.stop()
    return rows


def run() -> list[Row]:
    """All figures."""
    return asyncio.run(questions()) + asyncio.run(under_load())
