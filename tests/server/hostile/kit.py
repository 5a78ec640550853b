"""A hostile client: raw connections from an address of its own, and a friend who watches whether
the server still answers everybody else."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from tests.server.network import SECONDS, Server

FULL = os.environ.get("SANDTABLE_FULL") == "1"
"""Long proofs, and figures instead of bounds that hold on any machine."""

ANSWERS_WITHIN = 0.25 if FULL else 5.0
"""In seconds: what `/healthz` may take during an attack. On a machine that runs other tests beside,
only that it is not stopped can be told."""

ATTACKER = "127.0.0.66"
"""All of 127.0.0.0/8 is this machine, and each address of it has limits of its own."""


def connection(server: Server, address: str = ATTACKER) -> socket.socket:
    """A connection of the attacker."""
    return socket.create_connection(
        ("127.0.0.1", server.port), timeout=SECONDS, source_address=(address, 0)
    )


def status(answer: bytes) -> int:
    """The status of a raw answer; 0 if the server has closed without one."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def read_all(raw: socket.socket) -> bytes:
    """All that comes until the server closes."""
    parts = []
    try:
        while part := raw.recv(65536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def flood(raw: socket.socket, data: bytes, most: int) -> int:
    """Send the same again and again until the server will not have it; the number of bytes."""
    sent = 0
    raw.settimeout(10)
    try:
        while sent < most:
            sent += raw.send(data)
    except (ConnectionError, TimeoutError):
        pass
    return sent


class Guest:
    """Somebody with an account, over HTTP, at an address of its own."""

    def __init__(self, server: Server, name: str, address: str = ATTACKER) -> None:
        transport = httpx.HTTPTransport(local_address=address, verify=False)
        self.http = httpx.Client(base_url=server.url, transport=transport, timeout=SECONDS)
        answer = self.http.post("/api/guests", json={"name": name})
        assert answer.status_code == 201, answer.text
        self.http.headers["X-CSRF-Token"] = answer.json()["csrf"]

    def post(self, path: str, body: Any) -> httpx.Response:
        return self.http.post(path, json=body)

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())


@contextmanager
def answering(server: Server) -> Iterator[list[float]]:
    """While this is open, somebody asks `/healthz` again and again; it has to be answered in time.
    The times."""
    times: list[float] = []
    problems: list[str] = []
    done = threading.Event()

    def ask() -> None:
        with httpx.Client(trust_env=False, verify=False, timeout=SECONDS) as http:
            over = False
            while not over:  # at least once: an attack may be over before the first answer
                began = time.perf_counter()
                try:
                    answer = http.get(f"{server.url}/healthz")
                    if answer.status_code != 200:
                        problems.append(answer.text)
                except httpx.TransportError as error:
                    problems.append(repr(error))
                times.append(time.perf_counter() - began)
                over = done.wait(0.05)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield times
    finally:
        done.set()
        asking.join()
    assert not problems, problems[:3]
    assert max(times) < ANSWERS_WITHIN, f"/healthz took {max(times):.2f} s"


def memory(server: Server) -> float:
    """Of the server process, in MB."""
    assert server.process is not None
    with open(f"/proc/{server.process.pid}/status") as file:
        for line in file:
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
    raise RuntimeError("The system does not say how much memory a process has.")
