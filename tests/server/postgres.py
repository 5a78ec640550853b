"""A real PostgreSQL server for tests, in a folder of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from tests.server.ports import free_port

# Nothing here is kept, so nothing need be on the disk: that alone would be half of the test's time.
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "60",
    "shared_buffers": "16MB",
    "log_min_messages": "fatal",
}

WAIT = ("-w", "-t", "120")
"""How long starting and stopping may take, in seconds."""


class Postgres:
    """A PostgreSQL server on a port of its own; stopped and started at will."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self._binaries = binaries
        self._folder = folder
        self.port = free_port()
        self._number = 0

    def create(self) -> None:
        """Make the data folder."""
        self._run("initdb", "-D", "data", "-U", "sandtable", "-A", "trust", "-N", "-E", "UTF8",
                  "--locale=C")  # fmt: skip

    def start(self) -> None:
        """Start, and wait until it answers."""
        options = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
        sockets = f"-p {self.port} -k {self._folder}"
        self._run("pg_ctl", "-D", "data", *WAIT, "-l", "log", "-o", f"{options} {sockets}", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop: "fast" ends all connections, "immediate" is as if it had crashed."""
        self._run("pg_ctl", "-D", "data", *WAIT, "-m", mode, "stop")

    def restart(self, mode: str = "immediate") -> None:
        """Stop and start."""
        self.stop(mode)
        self.start()

    @contextmanager
    def database(self) -> Iterator[str]:
        """The URL of a new empty database, which is dropped afterwards."""
        self._number += 1
        name = f"test_{self._number}"
        self.do(f"CREATE DATABASE {name}")
        try:
            yield f"postgresql+psycopg://sandtable@127.0.0.1:{self.port}/{name}"
        finally:
            self.do(f"DROP DATABASE {name} WITH (FORCE)")

    def do(self, statement: str) -> None:
        """A statement outside every test's database."""
        address = f"postgresql://sandtable@127.0.0.1:{self.port}/postgres"
        with psycopg.connect(address, autocommit=True, connect_timeout=60) as connection:
            connection.execute(statement.encode())

    def _run(self, program: str, *arguments: str) -> None:
        # PostgreSQL refuses to run as root.
        as_postgres = {"user": "postgres", "group": "postgres", "extra_groups": []}
        done = subprocess.run(
            [self._binaries / program, *arguments],
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE if program == "initdb" else None,
            check=False,
            timeout=180,
            **(as_postgres if os.geteuid() == 0 else {}),  # type: ignore[arg-type]
        )
        if done.returncode:
            log = self._folder / "log"
            said = log.read_text()[-3000:] if log.exists() else ""
            raise RuntimeError(f"{program} failed: {(done.stderr or b'').decode()} {said}")


def binaries() -> Path | None:
    """Where PostgreSQL's programs are; None if they are not installed or cannot be run."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for place in places:
        if (place / "initdb").exists() and (place / "pg_ctl").exists():
            break
    else:
        return None
    if os.geteuid() == 0:
        try:
            pwd.getpwnam("postgres")
        except KeyError:
            return None
    return place


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """A server. Where PostgreSQL is missing the test is skipped, or fails where all must run."""
    place = binaries()
    if place is None:
        reason = "PostgreSQL (initdb, pg_ctl) is not installed here."
        if os.environ.get("CI") == "true" or os.environ.get("SANDTABLE_INSIST") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    folder = Path(tempfile.mkdtemp(prefix="sandtable-pg-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        server = Postgres(place, folder)
        server.create()
        server.start()
        try:
            yield server
        finally:
            with suppress(RuntimeError):
                server.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
