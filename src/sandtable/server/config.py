"""What a host can set, by environment variables; docs/hosts.md lists them."""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from sandtable.kernel.errors import SandtableError

_LEVELS = ("debug", "info", "warning", "error")


class ConfigError(SandtableError):
    """A setting that cannot be used; the sentence names the variable."""


@dataclass(frozen=True)
class Config:
    """The settings of a server."""

    database_url: str
    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str = ""
    """Where people reach the server, without a slash at the end; "" if nobody has said."""
    processes: int = 1
    workers: int = 1
    """Processes in which bots think, for each server process."""
    smtp_url: str = ""
    mail_from: str = ""
    away_seconds: int = 120
    """For how long a person has to be gone before it is told by mail that it is its turn."""
    local_webhooks: bool = False
    """Whether notifications may go to this machine and its neighbours, and without TLS."""
    log_format: str = "text"
    log_level: str = "warning"
    rate: float = 1.0
    """What the rate limits are multiplied by; 0 is no limits."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of reverse proxies whose X-Forwarded-For is believed."""
    metrics_token: str = ""

    @property
    def sqlite(self) -> bool:
        return self.database_url.startswith("sqlite")

    @property
    def https(self) -> bool:
        return self.public_url.startswith("https://")

    @property
    def address(self) -> str:
        """Where people reach the server."""
        if self.public_url:
            return self.public_url
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> Config:
        """The settings in the environment; ConfigError for one that cannot be used."""
        given = _Given(os.environ if environment is None else environment)
        log_format = given.one_of("LOG", ("text", "json"), "text" if _terminal() else "json")
        config = cls(
            database_url=_database_url(given),
            host=given.text("HOST", "127.0.0.1"),
            port=given.number("PORT", 8000, 0, 65535),
            public_url=_public_url(given),
            processes=given.number("PROCESSES", 1, 1, 64),
            workers=given.number("WORKERS", max(1, min(4, (os.cpu_count() or 1) - 1)), 1, 64),
            smtp_url=_smtp_url(given),
            mail_from=given.text("MAIL_FROM", ""),
            away_seconds=given.number("AWAY_SECONDS", 120, 0, 86400),
            local_webhooks=given.one_of("LOCAL_WEBHOOKS", ("0", "1"), "0") == "1",
            log_format=log_format,
            log_level=given.one_of(
                "LOG_LEVEL", _LEVELS, "warning" if log_format == "text" else "info"
            ),
            rate=given.factor("RATE", 1.0),
            proxies=_proxies(given),
            metrics_token=given.text("METRICS_TOKEN", ""),
        )
        if config.processes > 1 and config.sqlite:
            raise ConfigError(
                "Several server processes need a PostgreSQL database: "
                "set SANDTABLE_DATABASE_URL=postgresql://…, or start one process."
            )
        if config.smtp_url and not config.mail_from:
            raise ConfigError("SANDTABLE_SMTP_URL needs SANDTABLE_MAIL_FROM, the sender's address.")
        return config


class _Given:
    """The variables that start with SANDTABLE_; an empty one counts as not set."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def text(self, name: str, default: str) -> str:
        return self._environment.get(f"SANDTABLE_{name}", "").strip() or default

    def one_of(self, name: str, values: tuple[str, ...], default: str) -> str:
        value = self.text(name, default).lower()
        if value not in values:
            _refuse(name, f"is one of {', '.join(values)}", value)
        return value

    def number(self, name: str, default: int, least: int, most: int) -> int:
        value = self.text(name, str(default))
        if not value.isascii() or not value.isdigit() or not least <= int(value) <= most:
            _refuse(name, f"is a whole number from {least} to {most}", value)
        return int(value)

    def factor(self, name: str, default: float) -> float:
        value = self.text(name, str(default))
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not 0 <= number <= 1e6:
            _refuse(name, "is a number from 0 to 1000000", value)
        return number


def _refuse(name: str, wanted: str, value: str) -> NoReturn:
    raise ConfigError(f"SANDTABLE_{name} {wanted}, not {value!r}.")


def _terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _database_url(given: _Given) -> str:
    """As SQLAlchemy writes it. The default is a file in the folder of the user's data."""
    url = given.text("DATABASE_URL", "")
    if not url:
        return f"sqlite:///{_home(given) / 'sandtable.db'}"
    scheme, _, rest = url.partition("://")
    if scheme in ("postgres", "postgresql") and rest:
        return f"postgresql+psycopg://{rest}"
    if scheme == "postgresql+psycopg" and rest:
        return url
    if scheme == "sqlite" and rest.startswith("/") and len(rest) > 1:
        return url
    # The rest of the address may hold a password, and so is not repeated.
    raise ConfigError(
        "SANDTABLE_DATABASE_URL is postgresql://USER:PASSWORD@HOST/NAME or sqlite:///FILE; "
        f"what is set starts with {scheme!r}."
    )


def _home(given: _Given) -> Path:
    """The folder of the database, made if it is not there."""
    if home := given.text("HOME", ""):
        folder = Path(home).expanduser()
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "Sandtable"
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support" / "Sandtable"
    else:
        data = os.environ.get("XDG_DATA_HOME", "")
        base = Path(data) if data.startswith("/") else Path.home() / ".local" / "share"
        folder = base / "sandtable"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"The folder {folder} for the database cannot be made ({error.strerror}): "
            "name another one with SANDTABLE_HOME."
        ) from None
    if not os.access(folder, os.W_OK):
        raise ConfigError(
            f"The folder {folder} cannot be written to: name another one with SANDTABLE_HOME."
        )
    return folder.absolute()


def _public_url(given: _Given) -> str:
    url = given.text("PUBLIC_URL", "").rstrip("/")
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname or parts.path):
        _refuse("PUBLIC_URL", "looks like https://sandtable.example.org", url)
    return url


def _smtp_url(given: _Given) -> str:
    url = given.text("SMTP_URL", "")
    parts = urlsplit(url)
    if url and (parts.scheme not in ("smtp", "smtps") or not parts.hostname):
        raise ConfigError(
            "SANDTABLE_SMTP_URL is smtp://USER:PASSWORD@HOST:PORT (STARTTLS) or smtps://… (TLS)."
        )
    return url


def _proxies(given: _Given) -> tuple[str, ...]:
    proxies = tuple(part.strip() for part in given.text("PROXIES", "").split(",") if part.strip())
    for proxy in proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            _refuse("PROXIES", "is a list of addresses and networks parted by commas", proxy)
    return proxies
