"""Real server processes, and players who talk to them over the network."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import multiprocessing.context
import os
import random
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.server.ports import free_port

# Server processes are forked from one in which everything is loaded: a test starts dozens, and all
# but the first seconds of a start are what it wants to see.
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.server.loaded"])

SECONDS = 120
"""How long anything is waited for that has to come: with other programs beside it may take long."""


def _serve(arguments: list[str], settings: dict[str, str], log: Path) -> None:
    """The command `sandtable serve`, in a new process."""
    os.environ.update(settings)
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.argv = ["sandtable", "serve", *arguments]
    from sandtable.cli import main

    main()


class Server:
    """`sandtable serve` in a process of its own, started, killed and started again on one port."""

    def __init__(self, database_url: str, log: Path, **settings: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = log
        self._settings = {
            "SANDTABLE_DATABASE_URL": database_url,
            "SANDTABLE_RATE": "0",
            "SANDTABLE_LOG": "json",
            **{f"SANDTABLE_{name.upper()}": value for name, value in settings.items()},
        }
        self.process: multiprocessing.context.ForkServerProcess | None = None

    def start(self) -> None:
        """Start the process; `up` says when it answers."""
        arguments = (["--port", str(self.port)], self._settings, self._log)
        # A daemon: whatever a test has left behind does not keep the tests from ending.
        self.process = _FORKS.Process(target=_serve, args=arguments, daemon=True)
        self.process.start()

    async def up(self) -> None:
        """Wait until the server answers."""
        until = time.monotonic() + SECONDS
        async with httpx.AsyncClient(trust_env=False, verify=False) as http:
            while True:
                try:
                    if (await http.get(f"{self.url}/healthz")).status_code == 200:
                        return
                except httpx.TransportError:
                    pass
                assert self.process is not None
                assert self.process.is_alive(), f"the server has ended: {self.log()}"
                assert time.monotonic() < until, f"the server does not answer: {self.log()}"
                await asyncio.sleep(0.02)

    def kill(self) -> None:
        """Kill the process where it stands."""
        assert self.process is not None
        self.process.kill()
        self.process.join(SECONDS)
        assert not self.process.is_alive(), f"the server cannot be killed: {self.log()}"

    def stop(self) -> int | None:
        """End the process as a host does; its exit status, None if it was never started. In a
        thread where somebody is connected, who has to say goodbye meanwhile."""
        if self.process is None:
            return None
        self.process.terminate()
        self.process.join(SECONDS)
        if self.process.is_alive():
            self.kill()
            raise AssertionError(f"the server does not end: {self.log()}")
        return self.process.exitcode

    def log(self) -> str:
        """The last that the server has said."""
        return self._log.read_text()[-5000:] if self._log.exists() else "(nothing)"


@dataclass
class Mirror:
    """What a client has put together from what its socket told."""

    version: int = 0
    picture: dict[str, Any] = field(default_factory=dict)
    log: list[Any] = field(default_factory=list)
    pending: list[Any] = field(default_factory=list)
    undo: str = ""
    info: dict[str, Any] = field(default_factory=dict)
    chat: list[str] = field(default_factory=list)
    online: list[int] = field(default_factory=list)

    def take(self, told: dict[str, Any]) -> None:
        """Bring it up to date with a message."""
        match told["type"]:
            case "hello":
                self.picture = told["picture"]
                self.info = told["info"]
                self.chat = [remark["text"] for remark in told["chat"]]
                self.online = [s["number"] for s in self.info["seats"] if s.get("online")]
            case "update":
                changes = dict(told["changes"])
                spaces = changes.pop("spaces", {})
                self.picture = {
                    **self.picture,
                    **changes,
                    "spaces": {**self.picture["spaces"], **spaces},
                }
            case "info":
                self.info = told["info"]
            case "chat":
                self.chat.append(told["remark"]["text"])
            case "presence":
                self.online = told["online"]
            case _:
                return
        if told["type"] in ("hello", "update"):
            self.version = told["version"]
            keep = told["log"]["keep"]
            assert keep <= len(self.log)
            self.log = self.log[:keep] + told["log"]["add"]
            self.pending = told["pending"]
            self.undo = told["undo"]

    def seen(self) -> tuple[Any, ...]:
        """What has to be the same for everybody who looks through the same eyes. A space that is
        empty again may be left out or be there without content."""
        spaces = {name: what for name, what in self.picture["spaces"].items() if what}
        return self.version, {**self.picture, "spaces": spaces}, self.log, self.pending


class Player:
    """A guest with one socket, who decides at random whenever asked to."""

    def __init__(self, servers: list[Server], name: str, rng: random.Random) -> None:
        self.servers = servers
        self.server = servers[0]
        self.name = name
        self.rng = rng
        # Without TLS certificates, which take long to load.
        self.http = httpx.AsyncClient(
            trust_env=False,
            verify=False,
            timeout=SECONDS,
            # Before the server closes them.
            limits=httpx.Limits(keepalive_expiry=2),
        )
        self.csrf = self.account = ""
        self.game = ""
        self.mirror = Mirror()
        self.acknowledged: dict[int, tuple[str, Any]] = {}
        """Version to power and decision, None for an undo: what the server said is stored."""
        self.reconnections = 0
        self.playing = True
        self.changed = asyncio.Event()
        self.problems: list[str] = []

    async def ask(self, method: str, path: str, **request: Any) -> Any:
        """What the server answers; it must not be an error."""
        response = await self.request(method, path, **request)
        assert response.is_success, f"{response.status_code} {response.text}"
        return response.json() if response.content else None

    async def request(self, method: str, path: str, **request: Any) -> httpx.Response:
        headers = {"X-CSRF-Token": self.csrf}
        return await self.http.request(method, self.server.url + path, headers=headers, **request)

    async def be_guest(self) -> Player:
        """Get an account."""
        await self.ask("POST", "/api/guests", json={"name": self.name})
        me = await self.ask("GET", "/api/me")
        self.csrf, self.account = me["csrf"], me["account"]["id"]
        return self

    async def decide(self) -> None:
        """Answer one open request, or take the last decision back."""
        mirror = self.mirror
        path = f"/api/games/{self.game}"
        version = mirror.version
        if mirror.undo and self.rng.random() < 0.1:
            body: dict[str, Any] = {"power": mirror.undo, "version": version}
            answer = await self.request("POST", f"{path}/undo", json=body)
            said: tuple[str, Any] = (mirror.undo, None)
        else:
            power = self.rng.choice(mirror.pending)["power"]
            legal = await self.request(
                "GET", f"{path}/legal", params={"power": power, "limit": "8"}
            )
            if legal.status_code != 200:
                self._refused(legal)
                return
            decision = self.rng.choice(legal.json()["decisions"])
            body = {"power": power, "decision": decision, "version": version}
            answer = await self.request("POST", f"{path}/decisions", json=body)
            said = (power, decision)
        if answer.status_code == 200:
            self.acknowledged[answer.json()["version"]] = said
        else:
            self._refused(answer)

    def _refused(self, response: httpx.Response) -> None:
        # Somebody was faster, or the database is away: both are said, and no harm.
        if response.status_code not in (409, 503):
            self.problems.append(f"{response.status_code} {response.text}")

    async def play(self, pause: float = 0.0) -> None:
        """Listen and decide for ever; reconnect whenever the connection breaks."""
        while True:
            try:
                await self.connected(pause)
            except (OSError, WebSocketException, httpx.TransportError, TimeoutError):
                self.reconnections += 1
                self.server = self.rng.choice(self.servers)
                await asyncio.sleep(0.05)

    async def connected(self, pause: float) -> None:
        mirror = self.mirror
        address = (
            f"ws://127.0.0.1:{self.server.port}/api/games/{self.game}/socket"
            f"?version={mirror.version}&log={len(mirror.log)}"
        )
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        async with connect(
            address,
            additional_headers={"Cookie": cookies},
            max_size=None,
            proxy=None,
            open_timeout=SECONDS,
            compression=None,
        ) as socket:
            listening = asyncio.create_task(self._listen(socket))
            try:
                while not listening.done():
                    if self.playing and mirror.pending:
                        version = mirror.version
                        await self.decide()
                        # Until we are told of it: else we would decide for a past version.
                        await self.until(lambda v=version: mirror.version > v, 0.5)  # type: ignore[misc]
                        await asyncio.sleep(pause)
                    else:
                        await self.until(lambda: self.playing and bool(mirror.pending), 0.2)
                await listening
            finally:
                listening.cancel()

    async def _listen(self, socket: Any) -> None:
        async for message in socket:
            self.mirror.take(json.loads(message))
            self.changed.set()

    async def told(self, true: Callable[[], bool]) -> None:
        """Wait until something has been told that makes it true, as it has to."""
        assert await self.until(true, SECONDS), f"{self.name} is not told: {self.server.log()}"

    async def until(self, true: Callable[[], bool], seconds: float) -> bool:
        """Wait for so long at most; whether it is true in the end."""
        # Not by `wait_for`, which in Python 3.11 may swallow that it is cancelled.
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not true():
                    self.changed.clear()
                    await self.changed.wait()
        return true()

    async def fresh(self) -> Mirror:
        """What a client of the same person sees that connects for the first time."""
        other = Player(self.servers, self.name, self.rng)
        other.server, other.game = self.server, self.game
        other.http.cookies = self.http.cookies
        other.playing = False
        listening = asyncio.create_task(other.play())
        try:
            await other.told(lambda: bool(other.mirror.picture))
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
        return other.mirror
