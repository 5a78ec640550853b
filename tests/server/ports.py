"""Ports for servers of the tests."""

from __future__ import annotations

import random
import socket
from contextlib import suppress


def free_port() -> int:
    """A port on which nothing listens just now, and which no connection is given as its own end: so
    it is still free when a server comes back to it."""
    for port in random.Random().sample(range(10_000, 30_000), 1000):
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
    raise AssertionError("all ports are in use")
