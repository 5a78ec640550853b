"""A real server with the limits of a real one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.network import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server process that strangers may use, on an SQLite file; all tests of a module attack it
    one after the other."""
    folder: Path = tmp_path_factory.mktemp("attacked")
    running = Server(f"sqlite:///{folder / 'sandtable.db'}", folder / "log", rate="1", workers="1")
    running.start()
    try:
        asyncio.run(running.up())
        yield running
    finally:
        assert running.stop() == 0
