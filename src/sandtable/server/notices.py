"""Telling absent people by e-mail or webhook that the game waits for them.

Notices stand in the database until they are sent, so that none is lost when the server stops; any
process may send them, and each one is claimed before. What cannot be sent is tried again, later and
later, and given up after a day.
"""

from __future__ import annotations

import asyncio
import http.client
import ipaddress
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec
import structlog
from fastapi import FastAPI
from sqlalchemy import ColumnElement, delete, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from sandtable.server.config import Config
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.tables import Account, GameRow, Notice, Row, Seat

LOOK_EVERY = 15.0
"""In seconds."""

TRIES = 6
"""Over 1 + 4 + 16 + 64 + 256 + 1024 minutes: a day, if nothing helps."""

AT_ONCE = 16
"""Targets to which notices are sent at the same time."""
TARGET_SECONDS = 20.0
"""For so long at a time one target is told; the rest waits for the next look."""
_SECONDS = 5.0
_LONGEST = 10.0
"""How long we wait for each part of an answer, and for a webhook altogether."""

_log = structlog.get_logger("sandtable.notices")


class NotSent(Exception):
    """The other side did not take it; the sentence says why."""


class Message(msgspec.Struct):
    """A notice, ready to be sent."""

    event: str
    """turn, over, takeover."""
    game: str
    title: str
    text: str
    url: str


# --- what is to be sent ----------------------------------------------------------------------


def add(session: Session, game: str, account: str, version: int, kind: str) -> None:
    """Put a notice into the outbox, once, in the transaction of `session`."""
    try:
        with session.begin_nested():
            session.add(
                Notice(game=game, account=account, version=version, kind=kind, due=_now(), tries=0)
            )
    except IntegrityError:
        pass


def find_absent(database: Database, config: Config) -> int:
    """Put a notice into the outbox for everybody who is away while the game waits for them, or
    while it ended; once for each time that they are waited for. The number of new notices."""
    before = _now() - timedelta(seconds=config.away_seconds)
    lately = _now() - timedelta(days=1)
    reachable: ColumnElement[bool] = Account.webhook.is_not(None)
    if config.smtp_url:
        reachable = or_(reachable, Account.email.is_not(None) & Account.confirmed)
    away = or_(Seat.seen.is_(None), Seat.seen < before)
    found = 0
    with database.reading() as session:
        waited_for = session.execute(
            select(Seat, GameRow)
            .join(GameRow, GameRow.id == Seat.game)
            .join(Account, Account.id == Seat.account)
            .where(reachable, away, Seat.kind == "person", Seat.warned < GameRow.version)
            .where(
                or_(
                    (GameRow.status == "running") & (Seat.bot == "") & (Seat.since < before),
                    (GameRow.status == "over")
                    & (GameRow.updated > lately)
                    & (GameRow.updated < before),
                )
            )
            .limit(1000)
        ).all()
        due = []
        for seat, game in waited_for:
            kind = "over" if game.status == "over" else "turn"
            if kind == "over" or _is_new(session, seat, game):
                due.append((seat, game, kind))
    for seat, game, kind in due:
        with database.transaction() as session:
            claimed = session.execute(
                update(Seat)
                .where(
                    Seat.game == seat.game, Seat.number == seat.number, Seat.warned == seat.warned
                )
                .values(warned=game.version)
            )
            if claimed.rowcount == 1 and seat.account is not None:  # type: ignore[attr-defined]
                add(session, game.id, seat.account, game.version, kind)
                found += 1
    return found


def _is_new(session: Session, seat: Seat, game: GameRow) -> bool:
    """Whether the game waits for this seat and its person has decided something since the last
    notice: nobody is told twice of the same turn."""
    if not set(seat.powers) & set(game.waiting):
        return False
    if seat.warned < 0:
        return True
    last = session.scalar(
        select(func.max(Row.version)).where(Row.game == seat.game, Row.power.in_(seat.powers))
    )
    return last is not None and last > seat.warned


# --- sending ---------------------------------------------------------------------------------


def send_due(database: Database, config: Config, most: int = 200) -> int:
    """Send what is due; the number of messages that were taken. Slow: call it in a thread.

    Each target has a thread of its own, mail one for all: somebody whose webhook answers slowly
    delays nobody else's notices.
    """
    with database.reading() as session:
        due = session.execute(
            select(Notice, Account.webhook)
            .join(Account, Account.id == Notice.account)
            .where(Notice.due <= _now())
            .order_by(Notice.due)
            .limit(most)
        ).all()
    targets: dict[str, list[Notice]] = {}
    for notice, webhook in due:
        targets.setdefault(_target(webhook), []).append(notice)
    if not targets:
        return 0
    # Those that have failed least come first: with very many targets some have to wait.
    order = sorted(targets.values(), key=lambda notices: min(each.tries for each in notices))
    with ThreadPoolExecutor(min(len(order), AT_ONCE), "notices") as pool:
        return sum(pool.map(lambda notices: _send_all(database, config, notices), order))


def _target(webhook: str | None) -> str:
    """To whose server a notice goes; "" for mail alone."""
    with suppress(ValueError):
        return urlsplit(webhook or "").hostname or ""
    return ""


def _send_all(database: Database, config: Config, notices: Sequence[Notice]) -> int:
    """Send notices to one target, one after the other, for a while; the number that were taken."""
    until = time.monotonic() + TARGET_SECONDS
    sent = 0
    for notice in notices:
        if time.monotonic() > until:
            break
        try:
            sent += _send(database, config, notice)
        except Problem as problem:
            _log.warning("notices wait", problem=str(problem))
            break
    return sent


def _send(database: Database, config: Config, notice: Notice) -> bool:
    """Send a notice, if nobody else does; whether it was taken."""
    claim = (
        update(Notice)
        .where(Notice.id == notice.id, Notice.tries == notice.tries)
        .values(tries=notice.tries + 1, due=_now() + timedelta(minutes=4**notice.tries))
    )
    with database.transaction() as session:
        if session.execute(claim).rowcount != 1:  # type: ignore[attr-defined]
            return False
        account = session.get(Account, notice.account)
        game = session.get(GameRow, notice.game)
        seats = session.scalars(
            select(Seat).where(Seat.game == notice.game, Seat.account == notice.account)
        ).all()
    if account is None or game is None or _is_stale(notice, game, seats):
        _drop(database, notice)
        return False
    try:
        deliver(config, account, _message(notice, game, config))
    except NotSent as problem:
        last = notice.tries + 1 >= TRIES
        _log.warning("notice not sent", game=game.id, problem=str(problem), given_up=last)
        if last:
            _drop(database, notice)
        return False
    _drop(database, notice)
    return True


def deliver(config: Config, account: Account, message: Message) -> None:
    """Send a message the ways that the account names; NotSent if none of them worked."""
    problems = []
    taken = False
    if account.email and account.confirmed and config.smtp_url:
        subject = f"{message.title}: {_SUBJECTS[message.event]}"
        try:
            send_mail(config, account.email, subject, f"{message.text}\n\n{message.url}")
            taken = True
        except NotSent as problem:
            problems.append(str(problem))
    if account.webhook:
        try:
            post(account.webhook, msgspec.json.encode(message), local=config.local_webhooks)
            taken = True
        except NotSent as problem:
            problems.append(str(problem))
    if not taken and problems:
        raise NotSent(" ".join(problems))


def send_mail(config: Config, to: str, subject: str, text: str) -> None:
    """One e-mail. smtp:// uses STARTTLS where the server offers it, smtps:// TLS from the start."""
    mail = EmailMessage()
    try:
        mail["From"] = config.mail_from
        mail["To"] = to
        mail["Subject"] = subject
        mail["Date"] = formatdate()
        mail["Message-ID"] = make_msgid(domain="sandtable")
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content(f"{text}\n")
    except Exception as error:
        # Whatever the library makes of an odd address.
        raise NotSent(f"The mail cannot be written: {error!r}.") from None
    server = urlsplit(config.smtp_url)
    host = server.hostname or ""
    context = ssl.create_default_context()
    try:
        if server.scheme == "smtps":
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(
                host, server.port or 465, timeout=_SECONDS, context=context
            )
        else:
            smtp = smtplib.SMTP(host, server.port or 25, timeout=_SECONDS)
        with smtp:
            smtp.ehlo_or_helo_if_needed()
            secure = server.scheme == "smtps"
            if not secure and smtp.has_extn("starttls"):
                smtp.starttls(context=context)
                secure = True
            if server.username:
                if not secure:
                    raise NotSent("The mail server offers no TLS; it does not get our password.")
                smtp.login(unquote(server.username), unquote(server.password or ""))
            smtp.send_message(mail)
    except (smtplib.SMTPException, OSError, ValueError) as error:
        raise NotSent(f"The mail server did not take it: {error}.") from None


def check_webhook(url: str, *, local: bool = False) -> tuple[str, str, int, bool]:
    """The address, host, port and TLS of a webhook; NotSent if it may not be called.

    https only, and only to addresses of the public network: the server must not be made to call
    what only it can reach. `local` lifts both, for tests and home networks.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise NotSent("The webhook's address cannot be read.") from None
    host = parts.hostname
    tls = parts.scheme == "https"
    if not host or parts.username or not (tls or (local and parts.scheme == "http")):
        raise NotSent("A webhook's address starts with https://.")
    port = port or (443 if tls else 80)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotSent(f"There is no {host}.") from None
    addresses = [str(entry[4][0]) for entry in found]
    for address in addresses:
        if not local and not is_public(address):
            raise NotSent(f"{host} is not on the public network.")
    return addresses[0], host, port, tls


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public network, also if it wraps an IPv4 address."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is not None:
            return is_public(str(inner))
        if ip in _NAT64:
            return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)))
    if any(ip in network for network in _NOT_PUBLIC):
        return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


_NOT_PUBLIC = [
    ipaddress.ip_network(network)
    # Some versions of Python call these global.
    for network in ("192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "64:ff9b:1::/48", "5f00::/16")
]
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def post(url: str, content: bytes, *, local: bool = False) -> None:
    """Call a webhook with JSON. Redirects are not followed; only 2xx counts as taken."""
    address, host, port, tls = check_webhook(url, local=local)
    parts = urlsplit(url)
    connection = _Pinned(address, host, port, tls)
    # The socket's own limit is for each part: somebody who sends a byte now and then would keep
    # all other notices waiting.
    deadline = threading.Timer(_LONGEST, connection.end)
    deadline.start()
    try:
        connection.request(
            "POST",
            (parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
            content,
            {"Content-Type": "application/json", "User-Agent": "Sandtable"},
        )
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NotSent(f"The webhook did not answer: {error}.") from None
    finally:
        deadline.cancel()
        connection.close()
    if not 200 <= status < 300:
        raise NotSent(f"The webhook answered {status}.")


class _Pinned(http.client.HTTPConnection):
    """A connection to the very address that was checked: asked again, the name could lead
    elsewhere."""

    def __init__(self, address: str, host: str, port: int, tls: bool) -> None:
        # The Host header has a port only if it is not the usual one.
        usual = port == (443 if tls else 80)
        super().__init__(host, 80 if usual else port, timeout=_SECONDS)
        self._address = address, port
        self._tls = tls

    def connect(self) -> None:
        self.sock: Any = socket.create_connection(self._address, _SECONDS)
        if self._tls:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(self.sock, server_hostname=self.host)

    def end(self) -> None:
        """Give it up, from another thread."""
        with suppress(OSError, AttributeError):
            self.sock.shutdown(socket.SHUT_RDWR)


@asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[None]:
    """Look for the absent and send what is due as long as the application runs."""
    looking = asyncio.create_task(_look(app.state.database, app.state.config))
    try:
        yield
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking


async def _look(database: Database, config: Config) -> None:
    while True:
        await asyncio.sleep(LOOK_EVERY)
        try:
            await asyncio.to_thread(find_absent, database, config)
            await asyncio.to_thread(send_due, database, config)
        except Problem as problem:
            _log.warning("notices wait", problem=str(problem))
        except Exception:
            _log.exception("notices failed")


# --- words -----------------------------------------------------------------------------------

_SUBJECTS = {"turn": "your turn", "over": "the game is over", "takeover": "a bot plays for you"}


def _message(notice: Notice, game: GameRow, config: Config) -> Message:
    text = {
        "turn": f"It is your turn in “{game.title}”.",
        "over": f"“{game.title}” is over. {(game.result or {}).get('reason', '')}".strip(),
        "takeover": f"A bot plays for you in “{game.title}” until you return to the table.",
    }[notice.kind]
    url = f"{config.address}/game/{game.id}"
    return Message(notice.kind, game.id, game.title, text, url)


def _is_stale(notice: Notice, game: GameRow, seats: Sequence[Seat]) -> bool:
    """Whether a notice that could not be sent so far says nothing true any more."""
    if notice.kind == "takeover":
        return not any(seat.bot for seat in seats)
    waiting = any(not seat.bot and set(seat.powers) & set(game.waiting) for seat in seats)
    return notice.kind == "turn" and not (game.status == "running" and waiting)


def _drop(database: Database, notice: Notice) -> None:
    with database.transaction() as session:
        session.execute(delete(Notice).where(Notice.id == notice.id))


def _now() -> datetime:
    return datetime.now(UTC)
