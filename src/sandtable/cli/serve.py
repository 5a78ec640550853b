"""`sandtable serve`: the server, in this process or in several."""

from __future__ import annotations

import errno
import http.client
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import typer

from sandtable.cli.errors import Unclear
from sandtable.server.config import Config

_LARGEST_MESSAGE = 64 * 1024
"""Bytes that a client may send through a socket at once."""
_SECONDS_TO_END = 10
"""For how long running requests may go on after a signal."""


def serve(
    host: str | None,
    port: int | None,
    database: str | None,
    processes: int | None,
    browser: bool,
) -> int:
    """Serve until a signal ends it. What is given here goes before the environment. With `browser`
    the page is opened where somebody sits in front of one."""
    given = {
        "HOST": host,
        "PORT": port,
        "DATABASE_URL": database and _database_url(database),
        "PROCESSES": processes,
    }
    for name, value in given.items():
        if value is not None:
            # By the environment, where all server processes find it.
            os.environ[f"SANDTABLE_{name}"] = str(value)
    try:
        import uvicorn  # noqa: F401

        from sandtable.server.database import Database
    except ModuleNotFoundError as error:
        raise Unclear(
            f"The server needs {error.name}: install it with pip install 'sandtable[server]'."
        ) from None
    config = Config.read()
    with _only_server(config), _metrics_folder(config), _listening(config) as listening:
        config = replace(config, port=listening.getsockname()[1])
        opened = Database(config)
        opened.prepare()
        opened.close()
        opens = browser and _has_browser()
        threading.Thread(target=_announce, args=(config, opens), daemon=True).start()
        return _run(config, listening)


def _database_url(given: str) -> str:
    """The address of a database, which may be given as a file."""
    return given if "://" in given else f"sqlite:///{Path(given).expanduser().absolute()}"


@contextmanager
def _only_server(config: Config) -> Iterator[None]:
    """SQLite is for one server at a time: two would not see each other's decisions in time."""
    if not config.sqlite or sys.platform == "win32":
        yield
        return
    import fcntl

    path = Path(config.database_url.removeprefix("sqlite:///") + ".lock")
    try:
        lock = path.open("w")
    except OSError as error:
        raise Unclear(
            f"The folder {path.parent} of the database cannot be used: {error.strerror}."
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Unclear(
                f"Another Sandtable server uses the database {path.with_suffix('')}: "
                "end it first, or name another one with --database."
            ) from None
        yield


@contextmanager
def _metrics_folder(config: Config) -> Iterator[None]:
    """Where several processes add up their numbers; named before the metrics are imported."""
    if config.processes == 1:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="sandtable-", ignore_cleanup_errors=True) as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        yield


@contextmanager
def _listening(config: Config) -> Iterator[socket.socket]:
    """A socket at the server's address; Unclear says why there cannot be one."""
    try:
        found = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
    except OSError:
        raise Unclear(f"There is no address {config.host!r} to serve at.") from None
    with socket.socket(family, kind, protocol) as listening:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(address)
            listening.listen(2048)
        except OSError as error:
            raise Unclear(_why_not(error, config)) from None
        yield listening


def _why_not(error: OSError, config: Config) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {config.port} is in use, perhaps by another Sandtable: "
            f"choose another one, for instance --port {min(config.port + 1, 65535)}."
        )
    if error.errno == errno.EACCES:
        return f"Port {config.port} is reserved: choose one above 1023, for instance --port 8000."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"This machine does not have the address {config.host}."
    return f"The server cannot be reached at {config.host}: {error.strerror}."


def _run(config: Config, listening: socket.socket) -> int:
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    from sandtable.server import logs, wire

    os.environ["SANDTABLE_PORT"] = str(config.port)
    logs.set_up(config)
    settings = uvicorn.Config(
        "sandtable.server.app:from_environment",
        factory=True,
        host=config.host,
        port=config.port,
        workers=config.processes,
        loop="auto",
        http=wire.Http,
        ws=wire.Socket,
        ws_max_size=_LARGEST_MESSAGE,
        # Measured: 44 kB for each socket and 0.02 to 0.04 ms a message, for a fifth of the bytes.
        ws_per_message_deflate=True,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(config.proxies),
        forwarded_allow_ips=",".join(config.proxies),
        timeout_graceful_shutdown=_SECONDS_TO_END,
    )
    # Uvicorn ends at these signals by itself, and then lets them take their old effect.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    if config.processes > 1:
        Multiprocess(settings, sockets=[listening]).run()
        return 0
    server = uvicorn.Server(settings)
    server.run(sockets=[listening])
    return 0 if server.started else 1


def _has_browser() -> bool:
    """Whether somebody sits at this terminal with a browser beside it."""
    if os.environ.get("CI") or os.environ.get("SSH_CONNECTION") or not sys.stdout.isatty():
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _announce(config: Config, opens: bool) -> None:
    """Print the address once the server answers there, as the last thing on the screen."""
    from sandtable.server.client import built
    from sandtable.server.database import shown

    local = replace(config, public_url="")
    host = local.address.removeprefix("http://").rsplit(":", 1)[0].strip("[]")
    while True:
        try:
            connection = http.client.HTTPConnection(host, config.port, timeout=5)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                break
        except OSError:
            pass
        time.sleep(0.05)
    if not built():
        typer.echo(
            "The page for browsers has not been built: run make play, or npm run build in web/.",
            err=True,
        )
    typer.echo(f"Games are kept in {shown(config.database_url)}")
    typer.echo(f"Sandtable is at {config.address} (Ctrl+C ends it)")
    sys.stdout.flush()
    if opens:
        webbrowser.open(config.address)
