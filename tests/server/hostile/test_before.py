"""Before the application: request lines, headers, silence, and too many connections."""

from __future__ import annotations

import resource
import socket
import time
from contextlib import ExitStack, suppress

import pytest

from sandtable.server import allowance, wire
from sandtable.server.config import Config
from tests.server.hostile.kit import (
    ATTACKER,
    answering,
    connection,
    flood,
    memory,
    read_all,
    status,
)
from tests.server.network import Server

MB = 1_000_000


def test_an_endless_request_line_is_refused_at_once(server: Server) -> None:
    before = memory(server)
    with answering(server), connection(server) as raw:
        raw.sendall(b"GET /")
        sent = flood(raw, b"a" * 65536, 100 * MB)
    # What the system's own buffers take is all that was sent.
    assert sent < 10 * MB
    assert memory(server) - before < 30


def test_a_long_request_line_is_answered(server: Server) -> None:
    with connection(server) as raw:
        raw.sendall(b"GET /" + b"a" * wire.LINE + b" HTTP/1.1\r\nHost: x\r\n\r\n")
        assert status(read_all(raw)) == 414


def test_endless_headers_are_refused(server: Server) -> None:
    before = memory(server)
    with answering(server), connection(server) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        sent = flood(raw, b"".join(b"X-%d: %s\r\n" % (n, b"b" * 60) for n in range(900)), 100 * MB)
    assert sent < 10 * MB
    assert memory(server) - before < 30


@pytest.mark.parametrize("start", [b"X-Long: ", b"X"])
def test_one_endless_header_is_refused(server: Server, start: bytes) -> None:
    with answering(server), connection(server) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n" + start)
        sent = flood(raw, b"b" * 65536, 100 * MB)
    assert sent < 10 * MB


@pytest.mark.parametrize(
    "headers",
    [b"X: y\r\n" * (wire.HEADERS + 1), b"X: %s\r\n" % (b"y" * wire.HEAD)],
)
def test_too_many_or_too_long_headers_are_answered(server: Server, headers: bytes) -> None:
    with connection(server) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\n" + headers + b"\r\n")
        assert status(read_all(raw)) == 431


def test_what_people_send_passes(server: Server) -> None:
    """Many requests on one connection, in small and in large pieces, one with a long address."""
    request = b"GET /healthz?%s HTTP/1.1\r\nHost: x\r\nCookie: %s\r\n\r\n" % (
        b"q" * (wire.LINE - 100),
        b"c" * 4000,
    )
    with connection(server) as raw:
        for size in (1000, len(request)):
            for start in range(0, len(request), size):
                raw.sendall(request[start : start + size])
            raw.settimeout(30)
            answer = b""
            while not answer.endswith(b"}"):
                answer += raw.recv(65536)
            assert status(answer) == 200
        # Pipelined.
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 20)
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert read_all(raw).count(b"HTTP/1.1 200") == 21


def test_silent_connections_use_up_nothing_for_others(server: Server) -> None:
    """1,100 of them, from one address; and after a while they are gone."""
    with answering(server), ExitStack() as stack:
        silent = [stack.enter_context(connection(server)) for _ in range(1100)]
        refused = 0
        for raw in silent:
            raw.setblocking(False)
        time.sleep(1)
        for raw in silent:
            with suppress(BlockingIOError, ConnectionError):
                refused += status(raw.recv(1000)) == 503
        assert refused == 1100 - wire.PER_ADDRESS
        # Who is there but says nothing is sent away.
        late = silent[0]
        late.settimeout(wire.HEAD_SECONDS + 20)
        assert status(read_all(late)) == 408
    with connection(server) as raw:
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert status(read_all(raw)) == 200, "the attacker's own address is free again"


def test_a_trickle_is_ended(server: Server) -> None:
    """A byte now and then does not start the clock anew, neither in the first request nor later."""
    for first in (b"", b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"):
        with connection(server) as raw:
            raw.sendall(first + b"GET / HTTP/1.1\r\n")
            began = time.monotonic()
            raw.settimeout(0.5)
            while time.monotonic() < began + wire.HEAD_SECONDS + 30:
                try:
                    raw.sendall(b"X")
                    if not raw.recv(65536):
                        break
                except TimeoutError:
                    continue
                except ConnectionError:
                    break
            assert time.monotonic() < began + wire.HEAD_SECONDS + 20


def test_a_refused_body_does_not_keep_its_connection(server: Server) -> None:
    """Whoever announces a body that is not wanted is answered, and cannot go on sending."""
    with connection(server) as raw:
        raw.sendall(b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 900000000\r\n\r\n")
        assert status(read_all(raw)) == 413


def test_every_connection_is_counted_until_it_ends() -> None:
    counted = wire.Connections(Config("sqlite://", proxies=("10.0.0.0/8",)))
    for _ in range(wire.PER_ADDRESS):
        assert counted.come("192.0.2.7")
    assert not counted.come("192.0.2.7")
    assert counted.come("192.0.2.8"), "others are not concerned"
    for _ in range(wire.PER_ADDRESS + 1):
        assert counted.come("10.1.2.3"), "a proxy stands for many"
    for _ in range(wire.PER_ADDRESS):
        counted.go("192.0.2.7")
    assert counted.come("192.0.2.7")
    assert set(counted.of) == {"192.0.2.7", "192.0.2.8", "10.1.2.3"}


def test_there_are_never_more_connections_than_descriptors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wire, "descriptors", lambda: wire.SPARE + 3)
    counted = wire.Connections(Config("sqlite://", rate=0))
    assert [counted.come("192.0.2.7") for _ in range(5)] == [True, True, True, False, False]


def test_the_limit_on_descriptors_is_raised() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, hard))
        allowance.raise_descriptors(600)
        assert allowance.descriptors() == 600
        allowance.raise_descriptors(500)
        assert allowance.descriptors() == 600, "it is never lowered"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_sockets_are_counted_as_well(server: Server) -> None:
    """A handshake that is refused, again and again, leaves nothing behind."""
    key = b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
    upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
    for _ in range(wire.PER_ADDRESS + 20):
        with connection(server, "127.0.0.67") as raw:
            raw.sendall(
                b"GET /api/games/none/socket HTTP/1.1\r\nHost: x\r\n" + upgrade + key + b"\r\n"
            )
            assert status(raw.recv(1000)) in (404, 429)


@pytest.mark.parametrize(
    ("path", "more", "expected"),
    [
        ("/api/games/none/socket", "", 404),
        ("/nothing", "", 404),
        ("/api/games/none/socket?version=-1", "", 400),
        ("/api/games/none/socket", "Origin: https://evil.example\r\n", 403),
        ("/api/games/none/socket", "Authorization: Bearer wrong\r\n", 401),
    ],
)
def test_a_refused_socket_leaves_no_trace_in_the_log(
    server: Server, path: str, more: str, expected: int
) -> None:
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
    upgrade = f"Connection: Upgrade\r\nUpgrade: websocket\r\n{key}"
    request = f"GET {path} HTTP/1.1\r\nHost: x\r\n{upgrade}{more}\r\n".encode()
    with connection(server, "127.0.0.72") as raw:
        raw.sendall(request)
        assert status(raw.recv(1000)) == expected
    with connection(server, "127.0.0.72") as raw:
        raw.sendall(request)  # and goes away at once
    time.sleep(0.2)
    assert "Traceback" not in server.log()


def test_the_attacker_has_another_address() -> None:
    with socket.socket() as raw:
        raw.bind((ATTACKER, 0))
