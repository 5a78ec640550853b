"""Bounds on what comes before a request or a message is one: connections, request lines, headers,
frames, and the time they take; and on what waits for somebody who does not read. The application
sees only what has passed here.

Uvicorn's own protocols, which bound none of that, with an account of every connection.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
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
PIPELINED = 50
"""Requests of a connection that wait for the answer to an earlier one."""
FRAMES, FRAMES_PER_SECOND = 100, 20
"""How many frames a client may send through a socket at once, and how many a second in the long
run, whatever is in them: messages and parts of messages, pings and pongs."""
PIECE = 4_096
"""Bytes that a socket takes at a time: of what comes in a piece, frames can still be counted before
many of them are kept."""
STALLED_SECONDS, STALLED = 20.0, 64_000
"""Who does not take so many bytes in so many seconds of what waits for them is cut off."""
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


class _Reader:
    """Watches whether a client takes what is sent to it, from when much of it waits until little
    does. Otherwise it would wait for ever, in our memory."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._waits = 0
        self._timer: asyncio.TimerHandle | None = None

    def must_read(self) -> None:
        """Much waits for the client."""
        self._waits = self._transport.get_write_buffer_size()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(STALLED_SECONDS, self._look)

    def has_read(self) -> None:
        """Little does, or the connection has ended."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        if self._waits - self._transport.get_write_buffer_size() < STALLED:
            self._transport.abort()
        else:
            self.must_read()


class _Sent(asyncio.Protocol):
    """What is sent through a connection is watched by its reader."""

    _reader: _Reader

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reader.must_read()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._reader.has_read()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._reader.has_read()


class Http(_Sent, HttpToolsProtocol):
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
        self._reader = _Reader(transport)
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
        self._reader.has_read()
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        if isinstance(protocol, Socket) and self._counted:
            self._counted = False
            protocol.counted = self._address

    # What the parser finds.

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= PIPELINED:
            self._wrong = 429
            raise ValueError("too many requests wait for their answers")
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


class Socket(_Sent, WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket: it is counted until it ends. Messages are counted
    where they are read (see `routes.socket`); here are all frames, of which a client could send
    any number without ever ending a message."""

    counted: str | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._reader = _Reader(self.transport)
        self._frames, self._since = float(FRAMES), time.monotonic()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.counted is not None:
            connections.go(self.counted)
            self.counted = None

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE):
            super().data_received(data[start : start + PIECE])
            if self.transport.is_closing():
                return

    def handle_events(self) -> None:
        now = time.monotonic()
        refill = (now - self._since) * FRAMES_PER_SECOND
        self._frames = min(FRAMES, self._frames + refill) - len(self.conn.events)
        self._since = now
        if self._frames < 0:
            self.conn.events.clear()
            self._fail(1008, "Too many messages.")
        else:
            super().handle_events()

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self._fail(1007, "That is no text.")
                return
        super().send_receive_event_to_app()

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is None:
            # Before the handshake was answered: nobody is there yet who could be told.
            self.transport.close()
        else:
            super().handle_parser_exception()

    def _fail(self, code: int, reason: str) -> None:
        """Say why, and close. Nothing more is read."""
        self.conn.fail(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()

    def handle_ping(self) -> None:
        # Who does not read what is sent gets no more of it.
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()
