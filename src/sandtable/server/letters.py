"""Mails with a link that proves who reads them: to confirm an address, or to choose a new password.

A link works once and for a short time; the database knows its token by its hash only. It leads to a
page of the client with the token behind a `#`, which browsers send to no server: the page sends it
when its reader says so, and programs that look at mails beforehand use nothing up.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

import structlog
from sqlalchemy import delete, select
from sqlalchemy.orm import Session as Transaction

from sandtable.server import accounts
from sandtable.server.accounts import Person, Proof
from sandtable.server.config import Config
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.limits import LETTERS, Limits
from sandtable.server.notices import NotSent, send_mail
from sandtable.server.tables import Account, Letter, Session

LASTS = {"confirm": timedelta(days=3), "password": timedelta(hours=1)}

_SUBJECTS = {"confirm": "confirm your e-mail address", "password": "choose a new password"}
_TEXTS = {
    "confirm": (
        "{name} on {host} has named this as their e-mail address. If that is you, confirm it "
        "within three days, and mails about your games come here:"
    ),
    "password": (
        "Somebody, probably you, has asked for a new password for {name} on {host}. Choose it "
        "within an hour:"
    ),
}
_OTHERWISE = "If this is not about you, do nothing: no more mail will come of it."

_log = structlog.get_logger("sandtable.letters")


def must_have_mail(config: Config) -> None:
    """Problem 409 if this server sends no mail."""
    if not config.smtp_url:
        raise Problem(409, "This server sends no mail: its host has not set that up.")


def ask_to_confirm(database: Database, config: Config, limits: Limits, who: Person) -> None:
    """Send the link that confirms the address of an account. Problem 409 if there is nothing to
    confirm, 503 if the mail is not taken."""
    must_have_mail(config)
    if who.email is None or who.confirmed:
        raise Problem(409, "There is no e-mail address to confirm.", field="email")
    limits.take_everywhere(database, LETTERS, who.id)
    try:
        _send(database, config, limits, who.id, who.name, who.email, "confirm")
    except NotSent as problem:
        _log.warning("letter not sent", problem=str(problem))
        raise Problem(
            503, "The mail could not be sent just now. Try again later.", field="email"
        ) from None


def offer_to_confirm(database: Database, config: Config, limits: Limits, who: Person) -> None:
    """The same for an address that is new, if mail can be sent. The owner can ask for another."""
    if config.smtp_url and who.email and not who.confirmed:
        try:
            ask_to_confirm(database, config, limits, who)
        except Problem as problem:
            _log.warning("letter not sent", problem=str(problem))


def confirm(database: Database, token: str) -> str:
    """Use the link that confirms an address; the address. Problem 410 if it is used or too old."""
    with database.transaction() as session:
        account, letter = _opened(session, token, "confirm")
        account.confirmed = True
        return letter.email


def offer_password(database: Database, config: Config, limits: Limits, name: str) -> None:
    """Send the link for a new password to whoever is registered by that name, if they have
    confirmed their address. Nobody is told whether."""
    login = accounts.login_of(name)
    with database.reading() as session:
        account = session.scalar(select(Account).where(Account.login == login))
    if account is None or account.email is None or not account.confirmed:
        return
    try:
        _send(database, config, limits, account.id, account.name, account.email, "password")
    except (NotSent, Problem) as problem:
        _log.warning("letter not sent", problem=str(problem))


def renew_password(database: Database, who: Person | None, token: str, password: str) -> Proof:
    """Use the link for a new password: all sessions of the account end, but for a new one."""
    hashed = accounts.hashed(password)
    with database.transaction() as session:
        account, _ = _opened(session, token, "password")
        account.password = hashed
        session.execute(delete(Session).where(Session.account == account.id))
        if who and who.csrf:
            session.execute(delete(Session).where(Session.hash == who.session))
        return accounts.prove(session, account)


def _send(
    database: Database,
    config: Config,
    limits: Limits,
    account: str,
    name: str,
    email: str,
    kind: str,
) -> None:
    # Whoever types the address of somebody else does not fill their mailbox, with many accounts.
    limits.take_everywhere(database, LETTERS, email.lower())
    token = secrets.token_urlsafe(32)
    with database.transaction() as session:
        session.execute(delete(Letter).where(Letter.account == account, Letter.kind == kind))
        session.add(
            Letter(
                hash=accounts.hash_of(token),
                account=account,
                kind=kind,
                email=email,
                expires=accounts.now() + LASTS[kind],
            )
        )
    text = _TEXTS[kind].format(name=name, host=config.address)
    link = f"{config.address}/account#{kind}={token}"
    send_mail(config, email, f"Sandtable: {_SUBJECTS[kind]}", f"{text}\n\n{link}\n\n{_OTHERWISE}")


def _opened(session: Transaction, token: str, kind: str) -> tuple[Account, Letter]:
    """The letter with a token, which is used up, and its account, which nobody else changes
    meanwhile: it must not get another address that then counts as confirmed."""
    used = Problem(410, "This link has been used, or is too old. Ask for a new one.")
    letter = session.get(Letter, accounts.hash_of(token))
    if letter is None or letter.kind != kind or letter.expires < accounts.now():
        raise used
    account = accounts.to_change(session, letter.account)
    # Somebody may have used it while we waited for the account.
    found = session.connection().execute(delete(Letter).where(Letter.hash == letter.hash))
    if not found.rowcount or letter.email != account.email:
        raise used
    return account, letter
