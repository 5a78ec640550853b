"""The socket of a game: docs/protocol.md says what goes over it."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Annotated

import msgspec
import structlog
from fastapi import APIRouter, Query, WebSocket
from starlette.websockets import WebSocketDisconnect

from sandtable.server import metrics
from sandtable.server.accounts import Anybody, one_of
from sandtable.server.errors import Problem
from sandtable.server.limits import ADDRESS, SOCKETS, Limits
from sandtable.server.room import Room
from sandtable.server.rooms import Rooms
from sandtable.server.security import address_of
from sandtable.server.sockets import AGAIN, DEFECT, TOO_LARGE, UNWANTED, Connection

router = APIRouter(prefix="/api/games")

_log = structlog.get_logger("sandtable.socket")

LONGEST = 10_000
"""Characters of a message from a client."""
BURST = 30
PER_SECOND = 5
"""How many messages a client may send."""

Count = Annotated[int, Query(ge=0, le=2**31 - 1)]


class Ping(msgspec.Struct, tag="ping", tag_field="type"):
    """Are you there?"""


class Sync(msgspec.Struct, tag="sync", tag_field="type"):
    """Say hello again: I am at this version, and have so many lines of the log."""

    version: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0
    log: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0


_READER = msgspec.json.Decoder(Ping | Sync)


@router.websocket("/{id}/socket")
async def socket(
    websocket: WebSocket,
    id: str,
    who: Anybody,
    player: Annotated[str | None, Query(alias="as")] = None,
    version: Count = 0,
    log: Count = 0,
) -> None:
    rooms: Rooms = websocket.app.state.rooms
    account, session = (who.id, who.session) if who else (None, None)
    address = address_of(websocket.scope)
    connection = Connection(account, player, session, address)

    def may(room: Room) -> None:
        room.must_see(connection.account)
        room.powers_of(connection.account, player)

    asker = one_of(who, address)
    async with rooms.turn(asker):
        await rooms.run(id, may)
    limits: Limits = websocket.app.state.limits
    with limits.hold(SOCKETS, address), metrics.SOCKETS.track_inprogress():
        try:
            await websocket.accept()
        except OSError:
            return  # whoever knocked has gone
        pump = asyncio.create_task(connection.pump(websocket))
        listen = asyncio.create_task(_listen(websocket, id, asker, connection, version, log))
        try:
            # Whichever ends first: the client has gone, or we have closed.
            await asyncio.wait({pump, listen}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            listen.cancel()
            connection.end(1000, "")
            with suppress(TimeoutError, asyncio.CancelledError):
                await asyncio.wait_for(pump, 5)
            await rooms.disconnect(id, connection)


async def _listen(
    websocket: WebSocket, id: str, asker: str, connection: Connection, version: int, log: int
) -> None:
    """Say hello, then answer what the client sends until it goes or is sent away."""
    rooms: Rooms = websocket.app.state.rooms
    try:
        async with rooms.turn(asker):
            await rooms.connect(id, connection, version, log)
        tokens, since = float(BURST), time.monotonic()
        while not connection.ended:
            try:
                text = await _receive(websocket)
            except WebSocketDisconnect:
                return
            now = time.monotonic()
            tokens, since = min(BURST, tokens + (now - since) * PER_SECOND) - 1, now
            if tokens < 0:
                connection.end(UNWANTED, "Too many messages.")
            elif len(text) > LONGEST:
                connection.end(TOO_LARGE, "The message is too large.")
            else:
                await _answer(websocket, id, asker, connection, text)
    except Problem as problem:
        connection.send(_error(problem.error))
        later = problem.status in (429, 503)
        connection.end(AGAIN if later else UNWANTED, problem.error[:100])
    except Exception:
        _log.exception("socket failed", game=id)
        connection.end(DEFECT, "The server has a defect here. It has been logged.")


async def _receive(websocket: WebSocket) -> str | bytes:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text: str | bytes = message.get("text") or message.get("bytes") or ""
    return text


async def _answer(
    websocket: WebSocket, id: str, asker: str, connection: Connection, text: str | bytes
) -> None:
    try:
        message = _READER.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        connection.send(_error('That is no message: send {"type": "ping"} or {"type": "sync", …}.'))
        return
    if isinstance(message, Ping):
        connection.send('{"type":"pong"}')
    else:
        # As much work as a request, from however many sockets.
        websocket.app.state.limits.take(ADDRESS, address_of(websocket.scope))
        rooms: Rooms = websocket.app.state.rooms
        async with rooms.turn(asker):
            await rooms.greet(id, connection, message.version, message.log)


def _error(words: str) -> str:
    return msgspec.json.encode({"type": "error", "error": words}).decode()
