"""The server's end of a socket: what is to be sent waits in a short queue, so that nobody has to
wait for a slow client."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from sandtable.server.past import Powers

MOST_MESSAGES = 200
MOST_CHARACTERS = 4_000_000
"""What may wait for a client. One that is slower is cut off, and catches up when it returns."""

SEND_SECONDS = 30
"""How long a client may take to accept a message."""

UNWANTED = 1008
TOO_LARGE = 1009
DEFECT = 1011
STOPPING = 1012
AGAIN = 1013
"""Why a socket is closed, as the standard numbers it."""


class Connection:
    """Somebody who watches a game: an account (None: nobody known) by a session of its, as one of
    its players."""

    def __init__(
        self,
        account: str | None,
        player: str | None,
        session: str | None = None,
        address: str = "",
    ) -> None:
        self.account = account
        self.player = player
        self.session = session
        self.address = address
        self.powers: Powers = frozenset()
        self._queue: deque[str] = deque()
        self._size = 0
        self._ready = asyncio.Event()
        self._end: tuple[int, str] | None = None

    @property
    def ended(self) -> bool:
        return self._end is not None

    def send(self, text: str) -> None:
        """Send a message soon. A client that is too slow for that is cut off."""
        if self.ended:
            return
        if len(self._queue) >= MOST_MESSAGES or self._size > MOST_CHARACTERS:
            self._queue.clear()
            self.end(AGAIN, "Too slow. Connect again to catch up.")
            return
        self._queue.append(text)
        self._size += len(text)
        self._ready.set()

    def end(self, code: int, reason: str) -> None:
        """Close the socket once what waits has been sent."""
        if self._end is None:
            self._end = code, reason
            self._ready.set()

    async def pump(self, socket: WebSocket) -> None:
        """Send what is to be sent until the connection ends."""
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            while True:
                while self._queue:
                    text = self._queue.popleft()
                    self._size -= len(text)
                    try:
                        async with asyncio.timeout(SEND_SECONDS):
                            await socket.send_text(text)
                    except TimeoutError:
                        self._queue.clear()
                        self.end(AGAIN, "Too slow. Connect again to catch up.")
                if self._end is not None:
                    await socket.close(*self._end)
                    return
                self._ready.clear()
                await self._ready.wait()
