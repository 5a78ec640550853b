"""People: guests and registered accounts, their sessions, and who stands behind a request."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import threading
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Annotated
from urllib.parse import urlsplit

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from fastapi import Depends
from sqlalchemy import Select, bindparam, delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session as Transaction
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.responses import Response

from sandtable.server.config import Config
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.limits import ACCOUNT, Limits
from sandtable.server.tables import Account, Device, Letter, Moment, Seat, Session

LASTS = timedelta(days=180)
"""A browser's session; it starts anew with every visit."""
TOKEN_LASTS = timedelta(days=365)
MOST_TOKENS = 20
MOST_DEVICES = 20
"""Browsers of an account that are known."""
LONGEST_NAME = 200
"""Characters of a name as it may be typed; some of them join."""

_SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
_hasher = PasswordHasher(time_cost=3, memory_cost=32 * 1024, parallelism=1)
# Each takes 32 MB: many at once must not use up the memory.
_hashing = threading.BoundedSemaphore(2)


@dataclass(frozen=True)
class Person:
    """Who makes a request."""

    id: str
    name: str
    guest: bool
    email: str | None
    confirmed: bool
    """Whether the e-mail address is known to be theirs."""
    webhook: str | None
    session: str
    """The hash of the token that proves it."""
    csrf: str
    """Empty if the proof is a program's token."""
    expires: datetime


@dataclass(frozen=True)
class Proof:
    """A new session: its token goes to the browser or program, once."""

    token: str
    person: Person


# --- accounts ------------------------------------------------------------------------------------


def new_id() -> str:
    """An id that nobody can guess: 128 bits in 22 characters."""
    return secrets.token_urlsafe(16)


def now() -> datetime:
    return datetime.now(UTC)


def clean_name(text: str, field: str = "name") -> str:
    """A name as it is shown: trimmed, 1 to 40 characters, none of them invisible."""
    if len(text) > LONGEST_NAME:
        # Before anything is done with it: to normalise a long text takes for ever.
        raise Problem(422, "A name has at most 40 characters.", field=field)
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise Problem(422, "A name is needed.", field=field)
    if len(name) > 40:
        raise Problem(422, "A name has at most 40 characters.", field=field)
    if not printable(name):
        raise Problem(422, "A name has visible characters only.", field=field)
    return name


def printable(text: str) -> bool:
    """Whether there are no control characters, nor any that change how others are read."""
    return not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for c in text)


def be_guest(database: Database, name: str) -> Proof:
    """A new guest with a session."""
    name = clean_name(name)
    with database.transaction() as session:
        _leave_to_owner(session, name)
        account = Account(id=new_id(), name=name, created=now())
        session.add(account)
        session.flush()
        return prove(session, account)


def register(
    database: Database, who: Person | None, name: str, password: str, email: str | None
) -> Proof:
    """A registered account; a guest becomes it, and keeps its games."""
    if who and not who.guest:
        raise Problem(409, f"You are registered as {who.name} already. Log out first.")
    if who:
        browser_only(who)
    name = clean_name(name)
    taken = Problem(409, "That name is taken. Choose another, or log in.", field="name")
    if login_of(name) in RESERVED:
        raise taken
    secret = hashed(password)
    email = clean_email(email)
    try:
        with database.transaction() as session:
            account = to_change(session, who.id) if who else None
            if account is None or account.login is not None:
                account = Account(id=new_id(), created=now())
                session.add(account)
            account.name, account.login = name, _login(name)
            account.password = secret
            if email != account.email:
                _move(session, account, email)
            session.flush()
            if who:
                session.execute(delete(Session).where(Session.hash == who.session))
                for seat in session.scalars(select(Seat).where(Seat.account == who.id)):
                    seat.registered = login_of(seat.player) == account.login
            return prove(session, account)
    except IntegrityError:
        raise taken from None


def log_in(database: Database, who: Person | None, name: str, password: str) -> Proof:
    """A session of the account with that name. Unknown names take as long as wrong passwords."""
    with database.reading() as session:
        account = session.scalar(select(Account).where(Account.login == login_of(name)))
    hashed = account.password if account else None
    right = _fits(hashed or _decoy(), password)
    if account is None or hashed is None or not right:
        raise Problem(401, "Name or password is wrong.")
    with database.transaction() as session:
        if who and who.csrf:
            session.execute(delete(Session).where(Session.hash == who.session))
        return prove(session, account)


def known_device(database: Database, token: str, login: str) -> bool:
    """Whether the owner of a registered name has logged in with this browser before."""
    if not token or len(token) > 100:
        return False
    with database.reading() as session:
        found = session.scalar(
            select(Account.login)
            .join(Device, Device.account == Account.id)
            .where(Device.hash == hash_of(token), Device.expires > now())
        )
    return found == login


def new_device(database: Database, who: Person) -> str:
    """A token by which a browser is known again; of each account the newest few are kept."""
    token = secrets.token_urlsafe(32)
    with database.transaction() as session:
        session.add(Device(hash=hash_of(token), account=who.id, expires=now() + TOKEN_LASTS))
        session.flush()
        newest = select(Device.hash).where(Device.account == who.id)
        for hash in session.scalars(newest.order_by(Device.expires.desc()).offset(MOST_DEVICES)):
            session.execute(delete(Device).where(Device.hash == hash))
    return token


def log_out(database: Database, who: Person) -> None:
    """End a browser's session."""
    browser_only(who)
    with database.transaction() as session:
        session.execute(delete(Session).where(Session.hash == who.session))


def change(
    database: Database,
    who: Person,
    changes: dict[str, str | None],
    config: Config,
) -> Person:
    """Change the name, e-mail, webhook or password of an account; a new password ends its other
    sessions, those of programs included. For a new password or e-mail address the `current`
    password is needed: whoever finds a browser open must not take the account over."""
    email = clean_email(changes["email"]) if "email" in changes else who.email
    if (password := changes.get("password")) is not None:
        if who.guest:
            raise Problem(422, "Register first: a guest has no password.", field="password")
        browser_only(who)
    if password is not None or email != who.email:
        must_know_password(database, who, changes.get("current"))
    secret = hashed(password) if password is not None else None
    try:
        with database.transaction() as session:
            account = to_change(session, who.id)
            if (name := changes.get("name")) is not None:
                account.name = clean_name(name)
                mine = update(Seat).where(Seat.account == who.id)
                session.execute(mine.values(registered=False))
                if account.login is None:
                    _leave_to_owner(session, account.name)
                elif login_of(account.name) in RESERVED:
                    raise Problem(409, "That name is taken. Choose another.", field="name")
                else:
                    account.login = _login(account.name)
            if "email" in changes and email != account.email:
                _move(session, account, email)
            if "webhook" in changes:
                account.webhook = _clean_webhook(changes["webhook"], config)
            if secret:
                account.password = secret
                others = Session.account == who.id, Session.hash != who.session
                session.execute(delete(Session).where(*others))
            session.flush()
            return _person(account, who.session, who.csrf, who.expires)
    except IntegrityError:
        raise Problem(409, "That name is taken. Choose another.", field="name") from None


def must_know_password(database: Database, who: Person, password: str | None) -> None:
    """Problem 403 unless this is the password of who asks; a guest has none."""
    if who.guest:
        return
    if not password:
        raise Problem(403, "Give your present password as well.", field="current")
    with database.reading() as session:
        known = session.get_one(Account, who.id).password
    if not _fits(known or _decoy(), password):
        raise Problem(403, "That is not your password.", field="current")


def to_change(session: Transaction, id: str) -> Account:
    """An account that nobody else changes until the transaction ends; rows that only belong to it
    can be added meanwhile."""
    return session.get_one(Account, id, with_for_update={"key_share": True})


def _move(session: Transaction, account: Account, email: str | None) -> None:
    """Another e-mail address, which has to be confirmed; links that were sent to the old one are
    worth nothing."""
    account.email, account.confirmed = email, False
    session.execute(delete(Letter).where(Letter.account == account.id))


def clean_email(text: str | None) -> str | None:
    """An address that could be one; None for an empty one."""
    email = (text or "").strip()
    if not email:
        return None
    if len(email) > 254 or not _EMAIL.fullmatch(email):
        raise Problem(422, "That is not an e-mail address.", field="email")
    return email


_WORD = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_EMAIL = re.compile(rf"(?=.{{1,64}}@){_WORD}(\.{_WORD})*@{_LABEL}(\.{_LABEL})*")
"""What mail servers take without quoting; what is stranger they, or we, might choke on."""


def _clean_webhook(text: str | None, config: Config) -> str | None:
    url = (text or "").strip()
    if not url:
        return None
    schemes = ("https", "http") if config.local_webhooks else ("https",)
    try:
        parts = urlsplit(url)
        fits = parts.scheme in schemes and bool(parts.hostname) and not parts.username
        fits = fits and parts.port != 0
    except ValueError:
        fits = False
    if not fits or len(url) > 500 or not url.isascii() or not printable(url) or " " in url:
        raise Problem(422, "A webhook is an address that starts with https://.", field="webhook")
    return url


def login_of(name: str) -> str:
    """What a registered name is known by: however it is written, it is one."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


RESERVED = ("guest", "former player", "table", "bot")
"""Names that many have, or that the server itself uses: nobody can register them."""


def _login(name: str) -> str:
    login = login_of(name)
    if len(login) > 40:
        raise Problem(422, "That name is too long.", field="name")
    return login


def _leave_to_owner(session: Transaction, name: str) -> None:
    """A guest does not pass as somebody who is registered."""
    if session.scalar(select(Account.id).where(Account.login == _login(name))):
        raise Problem(
            409,
            f"{name} is a registered player. Log in, or choose another name.",
            field="name",
        )


def hashed(password: str) -> str:
    """What is stored of a password; Problem 422 for one that is too short or too long."""
    if not 8 <= len(password) <= 200:
        raise Problem(422, "A password has 8 to 200 characters.", field="password")
    with _hashing:
        return _hasher.hash(password)


def _fits(hashed: str, password: str) -> bool:
    try:
        with _hashing:
            return _hasher.verify(hashed, password[:200])
    except (Argon2Error, InvalidHashError):
        return False


@cache
def _decoy() -> str:
    """What the password of an unknown name is compared with."""
    return hashed(secrets.token_urlsafe(16))


# --- sessions ------------------------------------------------------------------------------------


def hash_of(token: str) -> str:
    """What the database knows of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token(database: Database, who: Person, label: str) -> str:
    """A token with which a program is this person."""
    browser_only(who)
    label = clean_name(label, "label")
    with database.transaction() as session:
        if len(session.scalars(_tokens_of(who)).all()) >= MOST_TOKENS:
            raise Problem(409, f"There are {MOST_TOKENS} tokens already. Delete one first.")
        return _open(session, who.id, "", TOKEN_LASTS, label)[0]


def tokens(database: Database, who: Person) -> list[Session]:
    """The tokens of a person's programs, newest first."""
    with database.reading() as session:
        return list(session.scalars(_tokens_of(who).order_by(Session.created.desc())))


def token_id(row: Session) -> str:
    """What names a token and does not give it away."""
    return row.hash[:16]


def delete_token(database: Database, who: Person, id: str) -> None:
    with database.transaction() as session:
        for row in session.scalars(_tokens_of(who)):
            if token_id(row) == id:
                session.delete(row)
                return
    raise Problem(404, "You have no such token.")


# Every request asks this, so it is written out and made once.
_WHO = (
    select(
        Account.id,
        Account.name,
        Account.login,
        Account.email,
        Account.confirmed,
        Account.webhook,
        Session.csrf,
        Session.expires,
    )
    .join(Session, Session.account == Account.id)
    .where(Session.hash == bindparam("hash"), Session.expires > bindparam("now", type_=Moment()))
)


def person_of(database: Database, token: str) -> Person | None:
    """Who has that token; None for a wrong or expired one."""
    if not token or len(token) > 100:
        return None
    hash = hash_of(token)
    with database.reading() as session:
        found = session.connection().execute(_WHO, {"hash": hash, "now": now()}).first()
    if found is None:
        return None
    id, name, login, email, confirmed, webhook, csrf, expires = found
    return Person(id, name, login is None, email, confirmed, webhook, hash, csrf, expires)


def valid_sessions(database: Database, hashes: Collection[str]) -> set[str]:
    """Those of some sessions that have not ended."""
    valid: set[str] = set()
    asked = list(hashes)
    with database.reading() as session:
        for start in range(0, len(asked), 500):
            some = Session.hash.in_(asked[start : start + 500])
            valid |= set(session.scalars(select(Session.hash).where(some, Session.expires > now())))
    return valid


def renew(database: Database, who: Person) -> bool:
    """Let a browser's session last from now on; False if it was begun or renewed a short while
    ago."""
    if not who.csrf or who.expires > now() + LASTS - timedelta(days=7):
        return False
    with database.transaction() as session:
        row = session.get(Session, who.session)
        if row is not None:
            row.expires = now() + LASTS
    return True


def browser_only(who: Person) -> None:
    """Problem 403 for a program's token."""
    if not who.csrf:
        raise Problem(403, "A program cannot do that. Log in with a browser.")


def _tokens_of(who: Person) -> Select[Session]:
    return select(Session).where(
        Session.account == who.id, Session.csrf == "", Session.expires > now()
    )


def prove(session: Transaction, account: Account) -> Proof:
    """A new session of an account."""
    csrf = secrets.token_urlsafe(24)
    token, row = _open(session, account.id, csrf, LASTS, "")
    return Proof(token, _person(account, row.hash, csrf, row.expires))


def _open(
    session: Transaction, account: str, csrf: str, lasts: timedelta, label: str
) -> tuple[str, Session]:
    token = secrets.token_urlsafe(32)
    created = now()
    row = Session(
        hash=hash_of(token),
        account=account,
        csrf=csrf,
        label=label,
        created=created,
        expires=created + lasts,
    )
    session.add(row)
    return token, row


def _person(account: Account, hash: str, csrf: str, expires: datetime) -> Person:
    return Person(
        account.id,
        account.name,
        account.login is None,
        account.email,
        bool(account.confirmed),
        account.webhook,
        hash,
        csrf,
        expires,
    )


# --- who makes a request -------------------------------------------------------------------------


def cookie_name(config: Config) -> str:
    """With TLS a name that browsers accept from this host only."""
    return "__Host-sandtable" if config.https else "sandtable"


def set_cookie(response: Response, config: Config, token: str) -> None:
    response.set_cookie(
        cookie_name(config),
        token,
        max_age=int(LASTS.total_seconds()),
        path="/",
        secure=config.https,
        httponly=True,
        samesite="lax",
    )


def device_cookie(config: Config) -> str:
    """The name of the cookie by which a browser is known again."""
    return "__Host-sandtable-device" if config.https else "sandtable-device"


def set_device(response: Response, config: Config, token: str) -> None:
    response.set_cookie(
        device_cookie(config),
        token,
        max_age=int(TOKEN_LASTS.total_seconds()),
        path="/",
        secure=config.https,
        httponly=True,
        samesite="strict",
    )


def clear_cookie(response: Response, config: Config) -> None:
    response.delete_cookie(
        cookie_name(config), path="/", secure=config.https, httponly=True, samesite="lax"
    )


async def anybody(connection: HTTPConnection) -> Person | None:
    """Who makes this request or opens this socket, by cookie or token; None for nobody.

    A wrong token is 401. Whatever changes something and comes with a cookie has to bring the
    session's CSRF token as well.
    """
    state = connection.app.state
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme:
        if scheme.lower() != "bearer":
            raise Problem(401, "Send the token as: Authorization: Bearer TOKEN.")
        who = await run_in_threadpool(person_of, state.database, token.strip())
        if who is None or who.csrf:
            raise Problem(401, "That token is wrong, deleted or expired.")
    else:
        cookie = connection.cookies.get(cookie_name(state.config), "")
        who = await run_in_threadpool(person_of, state.database, cookie) if cookie else None
        if who is not None and not who.csrf:
            who = None  # a program's token is no cookie
        method = connection.scope.get("method", "GET")
        if who is not None and method not in _SAFE:
            sent = connection.headers.get("x-csrf-token", "")
            if not hmac.compare_digest(sent.encode(), who.csrf.encode()):
                raise Problem(403, "The page is out of date. Load it again.", field="X-CSRF-Token")
    if who is not None:
        connection.scope["sandtable.account"] = who.id
        limits: Limits = state.limits
        limits.take(ACCOUNT, who.id)
    return who


async def somebody(who: Annotated[Person | None, Depends(anybody)]) -> Person:
    """Who makes this request; 401 for nobody."""
    if who is None:
        raise Problem(401, "Say who you are first: play as a guest, or log in.")
    return who


def one_of(who: Person | None, address: str) -> str:
    """Who counts as one person where each has a share: an account; all guests of an address, as
    one could make itself many."""
    return address if who is None or who.guest else who.id


Anybody = Annotated[Person | None, Depends(anybody)]
"""Of a route or socket: who asks, or None."""

Who = Annotated[Person, Depends(somebody)]
"""Of a route or socket: who asks; nobody is refused."""
