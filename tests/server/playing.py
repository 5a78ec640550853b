"""Players at a table of the application under test, each with its sockets."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import anyio

from sandtable.kernel.dice import commitment_to
from tests.server.conftest import Player
from tests.server.network import SECONDS, Mirror

MINE, THEIRS = "a0" * 16, "b0" * 16
"""The shares in the dice: of who makes the table, and of all others."""


class Watcher:
    """A socket and what its client has put together from it."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.mirror = Mirror()
        self.told: list[str] = []

    def next(self) -> dict[str, Any]:
        """Take the next message."""
        text = self._receive()
        self.told.append(text)
        message: dict[str, Any] = json.loads(text)
        self.mirror.take(message)
        return message

    def _receive(self) -> str:
        async def soon() -> dict[str, Any]:
            with anyio.fail_after(SECONDS):
                message: dict[str, Any] = await self.socket._send_rx.receive()
                return message

        message = self.socket.portal.call(soon)
        self.socket._raise_on_close(message)
        return str(message["text"])

    def until(self, version: int) -> Mirror:
        """Listen until the game has come to a version."""
        while self.mirror.version < version:
            self.next()
        return self.mirror

    def meanwhile(self) -> list[dict[str, Any]]:
        """All that has been told until now."""
        self.socket.send_text('{"type": "ping"}')
        told = []
        while (message := self.next())["type"] != "pong":
            told.append(message)
        self.told.pop()
        return told

    def until_type(self, kind: str) -> dict[str, Any]:
        """Listen until a message of that type comes."""
        while (message := self.next())["type"] != kind:
            pass
        return message


@contextmanager
def watching(player: Player, id: str, **query: Any) -> Iterator[Watcher]:
    """A socket of a player, which has been said hello to."""
    asked = "&".join(f"{key}={value}" for key, value in query.items())
    with player.http.websocket_connect(f"/api/games/{id}/socket?{asked}") as socket:
        watcher = Watcher(socket)
        watcher.mirror.log = [None] * int(query.get("log", 0))
        assert watcher.next()["type"] == "hello"
        yield watcher


def soon(true: Callable[[], Any]) -> None:
    """Wait until something is true that the server does by itself."""
    until = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < until, "it does not happen"
        time.sleep(0.02)


def table(
    creator: Player, game: str, seats: Iterable[tuple[Player | str, list[str]]], **more: Any
) -> str:
    """A started game; a seat is a player's or (a name) that of a bot."""
    taken = list(seats)
    asked = []
    for who, powers in taken:
        if isinstance(who, str):
            asked.append({"powers": powers, "kind": "bot", "bot": who})
        else:
            asked.append({"powers": powers, "kind": "me" if who is creator else "invited"})
    if "save" not in more:
        more["game"] = game
    info = creator.post("/api/games", {"seats": asked, **more}, 201)
    for (who, _), seat in zip(taken, info["seats"], strict=True):
        if isinstance(who, Player) and who is not creator:
            commitment = commitment_to(THEIRS)
            body = {"invite": seat["invite"], "commitment": commitment}
            who.post(f"/api/games/{info['id']}/join", body)
    seated = {who for who, _ in taken if isinstance(who, Player)}
    commitment = commitment_to(MINE) if creator in seated else ""
    creator.post(f"/api/games/{info['id']}/start", {"commitment": commitment})
    for who in seated:
        share = MINE if who is creator else THEIRS
        who.post(f"/api/games/{info['id']}/reveal", {"entropy": share})
    return str(info["id"])


def places(player: Player, game: str, options: dict[str, Any] | None = None) -> list[list[str]]:
    """The places at the table of a game."""
    asked = player.post(f"/api/catalogue/{game}/seats", {"options": options or {}})
    return [seat["powers"] for seat in asked["seats"]]


def decide(player: Player, id: str, power: str, version: int, rng: random.Random) -> int:
    """Decide at random; the new version."""
    legal = player.get(f"/api/games/{id}/legal", power=power, limit=20)
    decision = rng.choice(legal["decisions"])
    body = {"power": power, "decision": decision, "version": version}
    return int(player.post(f"/api/games/{id}/decisions", body)["version"])
