"""Bounds on what comes before a request is one: connections, request lines, headers, and the time
they take. The application sees only what has passed here.

Uvicorn's own protocols, which bound none of that, with an account of every connection.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from sandtable.server.allowance import descriptors, raise_descriptors
from sandtable.server.config import Config
from sandtable.server.limits import SOCKETS, neighbourhood

LINE = 8_000
"""Bytes of a request's address."""
HEAD = 32_000
"""Bytes of a request before its body."""
HEADERS = 100
HEAD_SECONDS = 10.0
"""From the connection, or from the first byte of a further request, to the end of its headers."""
REQUEST_SECONDS = 150.0
"""From there to the end of its body."""
LINGER_SECONDS = 1.0
"""For so long a connection stays open whose request was answered before it had come."""
PER_ADDRESS = SOCKETS.most + 56
"""Connections of one address at the same time."""
SPARE = 256
"""Descriptors that are left for the database, for the processes of bots and for files."""
MOST = 8_000
"""Connections at the same time."""


class Connections:
    """How many there are, in all and of each address."""

    def __init__(self, config: Config | None = None) -> None:
        self._proxies = [ipaddress.ip_network(each) for each in config.proxies] if config else []
        self._each = round(PER_ADDRESS * config.rate) if config else PER_ADDRESS
        allowed = descriptors()
        self._most = MOST if allowed is None else min(MOST, max(1, allowed - SPARE))
        self.of: Counter[str] = Counter()
        self.all = 0

    def come(self, address: str) -> bool:
        """Count a connection, if there is room for it. A proxy stands for many people, and has to
        count them itself; without rate limits only the descriptors count."""
        name = neighbourhood(address)
        if self.all >= self._most or (
            self._each and self.of[name] >= self._each and not self._proxy(address)
        ):
            return False
        self.all += 1
        self.of[name] += 1
        return True

    def go(self, address: str) -> None:
        name = neighbourhood(address)
        self.all -= 1
        self.of[name] -= 1
        if not self.of[name]:
            del self.of[name]

    def _proxy(self, address: str) -> bool:
        try:
            ip = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(ip in network for network in self._proxies)


connections = Connections()
"""Of this process; made anew by `set_up`."""


def set_up(config: Config) -> None:
    """Let as many connections be open as the system allows, and count them by these settings."""
    global connections
    raise_descriptors(MOST + SPARE)
    connections = Connections(config)


class Http(HttpToolsProtocol):
    """A connection of HTTP. What passes a bound is answered with a status if anything can be, and
    the connection closed."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._counted = False
        self._size = 0
        self._in_head = True
        self._wrong = 400
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._counted = connections.come(self._address)
        if not self._counted:
            self._refuse(503)
            return
        self._wait(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._rest()
        self._gone()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._in_head and self._timer is None:
            self._wait(HEAD_SECONDS)
        # In pieces: a piece that ends within the headers is all that can be too much of them.
        for start in range(0, len(data), HEAD):
            piece = data[start : start + HEAD]
            if self._in_head:
                self._size += len(piece)
            before = self.transport.get_protocol() if start else self
            if before is not self:
                # It has become a socket meanwhile.
                before.data_received(data[start:])  # type: ignore[attr-defined]
                return
            super().data_received(piece)
            if self.transport.is_closing():
                return
            if self._in_head and self._size > 2 * HEAD:
                self._refuse(431)
                return

    def handle_websocket_upgrade(self) -> None:
        self._rest()
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        if isinstance(protocol, Socket) and self._counted:
            self._counted = False
            protocol.counted = self._address

    # What the parser finds.

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True
        self._length = 0

    def on_url(self, url: bytes) -> None:
        if len(self.url) + len(url) > LINE:
            self._wrong = 414
            raise ValueError("the request line is too long")
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._length += len(name) + len(value)
        if self._length > HEAD or len(self.headers) >= HEADERS:
            self._wrong = 431
            raise ValueError("the headers are too long")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._in_head = False
        self._size = 0
        self._wait(REQUEST_SECONDS)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_head = True
        self._rest()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.more_body and not self.transport.is_closing():
            # Answered before all of it had come: the rest is not wanted. A moment later, so that
            # the answer is read before the connection breaks.
            self._unset_keepalive_if_required()
            self.loop.call_later(LINGER_SECONDS, self.transport.close)

    def send_400_response(self, msg: str) -> None:
        self._refuse(self._wrong)

    # What time and bounds do.

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    def _wait(self, seconds: float) -> None:
        self._rest()
        self._timer = self.loop.call_later(seconds, self._late)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self._refuse(408)

    def _refuse(self, status: int) -> None:
        """Say why, unless an answer is on its way, and close. Nothing more is read."""
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete:
            words = STATUS_LINE[status]
            self.transport.write(words + b"content-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()

    def _gone(self) -> None:
        if self._counted:
            self._counted = False
            connections.go(self._address)


class Socket(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket: it is counted until it ends."""

    counted: str | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.counted is not None:
            connections.go(self.counted)
            self.counted = None
