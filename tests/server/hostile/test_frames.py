"""What comes over an open socket or connection and is no request and no message: pings, pieces that
never end, compressed nothing, requests upon requests; and clients that never read."""

from __future__ import annotations

import asyncio
import socket
import struct
import time
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import pytest

from sandtable.server import wire
from tests.server.hostile.kit import Guest, answering, connection, flood, memory, read_all, status
from tests.server.network import Server

MB = 1_000_000
ADDRESS = "127.0.0.73"
TEXT, CONTINUATION, PING = 1, 0, 9


@pytest.fixture(scope="module")
def game(server: Server) -> str:
    """A game at which anybody may look."""
    owner = Guest(server, "Anna", "127.0.0.74")
    places = owner.post("/api/catalogue/aa1942/seats", {}).json()["seats"]
    powers = [power for place in places for power in place["powers"]]
    seats = [{"powers": powers, "kind": "me"}]
    made = owner.post("/api/games", {"game": "aa1942", "seats": seats, "access": "public"})
    id = str(made.json()["id"])
    assert owner.post(f"/api/games/{id}/start", {}).status_code == 200
    return id


@contextmanager
def opened(server: Server, game: str, more: bytes = b"") -> Iterator[socket.socket]:
    """A socket of a stranger, over which `more` comes together with the handshake."""
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
    deflate = "Sec-WebSocket-Extensions: permessage-deflate\r\n"
    upgrade = f"Connection: Upgrade\r\nUpgrade: websocket\r\n{key}{deflate}"
    with connection(server, ADDRESS) as raw:
        head = f"GET /api/games/{game}/socket HTTP/1.1\r\nHost: x\r\n{upgrade}\r\n"
        raw.sendall(head.encode() + more)
        if not more:
            answer = b""
            while b"\r\n\r\n" not in answer:
                answer += raw.recv(1)
            assert status(answer) == 101
        yield raw


def frame(kind: int, data: bytes, *, last: bool = True, compressed: bool = False) -> bytes:
    first = kind | 0x80 * last | 0x40 * compressed
    size = struct.pack("!B", 0x80 | len(data))
    if len(data) > 125:
        size = struct.pack("!BH", 0x80 | 126, len(data))
    return bytes([first]) + size + b"\0\0\0\0" + data


def nothing(size: int, most: int) -> bytes:
    """Compressed messages of so many characters each."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -12)
    frames = b""
    while len(frames) < most:
        packed = packer.compress(b"a" * size) + packer.flush(zlib.Z_SYNC_FLUSH)
        frames += frame(TEXT, packed[:-4], compressed=True)
    return frames


FLOODS = {
    "pings": frame(PING, b"x" * 125) * 500,
    "pieces of a message that never ends": frame(CONTINUATION, b"", last=False) * 5000,
    "messages": frame(TEXT, b"{}") * 5000,
    "compressed messages": nothing(60_000, 100_000),
}


@pytest.mark.parametrize("what", FLOODS)
def test_a_flood_of_frames_ends_the_socket(server: Server, game: str, what: str) -> None:
    """Of somebody who never reads. The pings were all answered into our memory, 150 MB in seconds;
    the pieces kept the server busy for ten seconds; 250 kB of compressed messages became 240 MB."""
    before = memory(server)
    with answering(server), opened(server, game) as raw:
        raw.sendall(frame(TEXT, b"{", last=False) if "pieces" in what else b"")
        sent = flood(raw, FLOODS[what], 60 * MB)
    # What the system's own buffers take is all that was sent.
    assert sent < 20 * MB
    assert memory(server) - before < 30


def test_one_piece_of_the_network_is_not_taken_at_once(server: Server, game: str) -> None:
    """All of it comes before anything of it is read: twenty times."""
    before = memory(server)
    with ExitStack() as stack:
        with answering(server):
            for _ in range(20):
                raw = stack.enter_context(opened(server, game))
                with suppress(ConnectionError):
                    raw.sendall(FLOODS["compressed messages"] * 2)
            time.sleep(0.5)
        # Now that it has answered all that came before.
        assert memory(server) - before < 100


def test_frames_before_the_handshake_has_been_answered(server: Server, game: str) -> None:
    with answering(server), opened(server, game, frame(PING, b"x") * 10_000) as raw:
        read_all(raw)
    assert "Traceback" not in server.log()


def test_what_is_no_text_leaves_no_trace_in_the_log(server: Server, game: str) -> None:
    with opened(server, game) as raw:
        raw.sendall(frame(TEXT, b"\xff\xfe"))
        # The status 1007 and the words, in a frame that closes.
        assert b"\x03\xefThat is no text." in read_all(raw)
    assert "Traceback" not in server.log()


def test_what_clients_send_passes(server: Server, game: str) -> None:
    """A message in pieces, pings, and as many messages as the server allows."""
    with opened(server, game) as raw:
        for piece in (b'{"type": ', b'"pi', b"ng", b'"'):
            kind = TEXT if piece.startswith(b"{") else CONTINUATION
            raw.sendall(frame(kind, piece, last=False))
        raw.sendall(frame(CONTINUATION, b"}"))
        for _ in range(20):
            raw.sendall(frame(TEXT, b'{"type": "ping"}') + frame(PING, b"are you there?"))
        found = b""
        while found.count(b"are you there?") < 20:
            part = raw.recv(65536)
            assert part, found[-200:]
            found += part


def test_requests_upon_requests_on_one_connection(server: Server) -> None:
    """30 connections brought 360,000 of them, which waited in 850 MB of our memory."""
    before = memory(server)
    requests = b"GET /x HTTP/1.1\r\nHost: x\r\n\r\n" * 12_000
    with ExitStack() as stack:
        with answering(server):
            for _ in range(30):
                raw = stack.enter_context(connection(server, ADDRESS))
                raw.settimeout(1)
                with suppress(OSError):
                    raw.sendall(requests)
            time.sleep(0.5)
        assert memory(server) - before < 100


# --- who does not read ---------------------------------------------------------------------------


class Transport:
    """What waits for a client."""

    def __init__(self) -> None:
        self.waiting = 1_000_000
        self.aborted = False

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def abort(self) -> None:
        self.aborted = True


@pytest.mark.parametrize(("taken", "aborted"), [(0, True), (wire.STALLED, False)])
def test_who_takes_nothing_is_cut_off(
    monkeypatch: pytest.MonkeyPatch, taken: int, aborted: bool
) -> None:
    """Else it would be kept for as long as the client likes: maps, saves, whole games."""
    looks: list[tuple[float, object]] = []

    class Loop:
        def call_later(self, seconds: float, look: object) -> object:
            looks.append((seconds, look))
            return asyncio.Event()

    monkeypatch.setattr(wire.asyncio, "get_running_loop", Loop)
    transport = Transport()
    reader = wire._Reader(transport)  # type: ignore[arg-type]
    reader.must_read()
    ((seconds, look),) = looks
    assert seconds == wire.STALLED_SECONDS
    transport.waiting -= taken
    look()  # type: ignore[operator]
    assert transport.aborted == aborted
    assert len(looks) == (1 if aborted else 2), "who reads slowly is looked at again"


def test_an_answer_that_nobody_takes_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the network, in this process, with less patience."""
    monkeypatch.setattr(wire, "STALLED_SECONDS", 0.2)

    async def scene() -> bool:
        gone = asyncio.get_running_loop().create_future()

        class Answering(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                assert isinstance(transport, asyncio.Transport)
                self.reader = wire._Reader(transport)
                transport.write(b"x" * 20 * MB)
                transport.close()

            def pause_writing(self) -> None:
                self.reader.must_read()

            def connection_lost(self, error: Exception | None) -> None:
                gone.set_result(True)

        loop = asyncio.get_running_loop()
        listening = await loop.create_server(Answering, "127.0.0.1", 0)
        with socket.create_connection(listening.sockets[0].getsockname()):
            async with asyncio.timeout(60):
                return bool(await gone)

    assert asyncio.run(scene())
