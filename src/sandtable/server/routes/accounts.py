"""Who you are."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from sandtable.server import accounts, leaving, letters
from sandtable.server.accounts import Anybody, Person, Proof, Who
from sandtable.server.limits import GUESSES, LOGIN, NEWCOMER
from sandtable.server.live import News
from sandtable.server.security import address_of

router = APIRouter(prefix="/api", tags=["accounts"])

Text = Annotated[str, Field(max_length=200)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class AccountInfo(BaseModel):
    """An account as its owner sees it."""

    id: str
    name: str
    guest: bool
    email: str | None
    confirmed: bool
    """Whether the owner has confirmed the address; only then mail goes there."""
    webhook: str | None


class Me(BaseModel):
    """Who you are: null for nobody. Send `csrf` as X-CSRF-Token with all that is not a GET."""

    account: AccountInfo | None
    csrf: str
    mail: bool
    """Whether this server sends mail."""


class Guest(_Body):
    name: Text


class Registration(_Body):
    name: Text
    password: Text
    email: Annotated[str | None, Field(max_length=254)] = None


class Login(_Body):
    name: Text
    password: Text


class Changes(_Body):
    """What is left out stays; an empty e-mail or webhook is removed. `current` is the password so
    far, which is needed for a new one and for another e-mail address."""

    name: Text | None = None
    email: Annotated[str | None, Field(max_length=254)] = None
    webhook: Annotated[str | None, Field(max_length=500)] = None
    password: Text | None = None
    current: Text | None = None


class Link(_Body):
    """The token of a link that came by mail."""

    token: Text


class Confirmed(BaseModel):
    """The e-mail address that is confirmed now."""

    email: str


class Forgotten(_Body):
    name: Text


class NewPassword(_Body):
    token: Text
    password: Text


class Farewell(_Body):
    """The password of the account; a guest has none."""

    password: Text | None = None


class Label(_Body):
    label: Text


class Token(BaseModel):
    """A new token. It is shown this once."""

    token: str


class TokenInfo(BaseModel):
    id: str
    label: str
    created: datetime
    expires: datetime


class Tokens(BaseModel):
    tokens: list[TokenInfo]


@router.get("/me", summary="Who am I?")
def me(request: Request, response: Response, who: Anybody) -> Me:
    state = request.app.state
    if who and accounts.renew(state.database, who):
        accounts.set_cookie(
            response, state.config, request.cookies[accounts.cookie_name(state.config)]
        )
    return _me(request, who)


@router.patch("/me", summary="Change my name, e-mail, webhook or password")
def change_me(request: Request, who: Who, changes: Changes, later: BackgroundTasks) -> Me:
    """A new e-mail address gets a mail with a link that confirms it."""
    state = request.app.state
    given = changes.model_dump(exclude_unset=True)
    if changes.current is not None:
        state.limits.take_everywhere(state.database, LOGIN, who.id)
    changed = accounts.change(state.database, who, given, state.config)
    if changed.email != who.email:
        _offer_to_confirm(request, changed, later)
    return _me(request, changed)


@router.post("/me/email", summary="Send the mail again that confirms my address", status_code=204)
def confirm_again(request: Request, who: Who) -> None:
    state = request.app.state
    letters.ask_to_confirm(state.database, state.config, state.limits, who)


@router.post("/me/delete", summary="Delete my account", status_code=204)
async def delete_me(request: Request, response: Response, who: Who, given: Farewell) -> None:
    """Seats in running games with others are given up. Games of mine alone are deleted; those with
    others stay, without my name."""
    state = request.app.state
    accounts.browser_only(who)
    if not who.guest:
        await run_in_threadpool(state.limits.take_everywhere, state.database, LOGIN, who.id)
    known = accounts.must_know_password
    await run_in_threadpool(known, state.database, who, given.password)
    await leaving.resign_everywhere(state.database, state.live, state.rooms, who)
    touched = await run_in_threadpool(leaving.remove, state.database, state.live, who)
    for id in touched:
        await state.rooms.heard(News("info", id))
    accounts.clear_cookie(response, state.config)


@router.post("/email", summary="Confirm an e-mail address")
def confirm(request: Request, link: Link) -> Confirmed:
    """With the token of the link that was sent there. Nobody has to be logged in."""
    state = request.app.state
    state.limits.take_everywhere(state.database, LOGIN, address_of(request.scope))
    return Confirmed(email=letters.confirm(state.database, link.token))


@router.post("/password", summary="Have a link for a new password sent", status_code=202)
def forgot(request: Request, forgotten: Forgotten, later: BackgroundTasks) -> None:
    """To the confirmed e-mail address of a registered player. The answer is the same whether there
    is one or not."""
    state = request.app.state
    letters.must_have_mail(state.config)
    state.limits.take_everywhere(state.database, LOGIN, address_of(request.scope))
    arguments = state.database, state.config, state.limits, forgotten.name
    later.add_task(letters.offer_password, *arguments)


@router.put("/password", summary="Choose a new password with the link that was sent")
def renew_password(request: Request, response: Response, who: Anybody, given: NewPassword) -> Me:
    """Logs in, and ends all other sessions of the account."""
    state = request.app.state
    state.limits.take_everywhere(state.database, LOGIN, address_of(request.scope))
    proof = letters.renew_password(state.database, who, given.token, given.password)
    return _welcome(request, response, proof)


@router.post("/guests", summary="Become a guest", status_code=201)
def become_guest(request: Request, response: Response, guest: Guest) -> Me:
    state = request.app.state
    state.limits.take_everywhere(state.database, NEWCOMER, address_of(request.scope))
    return _welcome(request, response, accounts.be_guest(state.database, guest.name))


@router.post("/accounts", summary="Register; a guest keeps its games", status_code=201)
def register(
    request: Request,
    response: Response,
    who: Anybody,
    given: Registration,
    later: BackgroundTasks,
) -> Me:
    """The e-mail address gets a mail with a link that confirms it."""
    state = request.app.state
    state.limits.take_everywhere(state.database, NEWCOMER, address_of(request.scope))
    proof = accounts.register(state.database, who, given.name, given.password, given.email)
    _offer_to_confirm(request, proof.person, later)
    return _welcome(request, response, proof)


@router.post("/session", summary="Log in")
def log_in(request: Request, response: Response, who: Anybody, given: Login) -> Me:
    state = request.app.state
    state.limits.take_everywhere(state.database, LOGIN, address_of(request.scope))
    login = accounts.login_of(given.name)
    device = request.cookies.get(accounts.device_cookie(state.config), "")
    # Whoever guesses elsewhere does not lock out a browser that has been here before.
    known = accounts.known_device(state.database, device, login)
    guesser = f"{login} {accounts.hash_of(device)}" if known else login
    state.limits.take_everywhere(state.database, GUESSES, guesser)
    proof = accounts.log_in(state.database, who, given.name, given.password)
    return _welcome(request, response, proof)


@router.delete("/session", summary="Log out")
def log_out(request: Request, response: Response, who: Anybody) -> Me:
    if who:
        accounts.log_out(request.app.state.database, who)
    accounts.clear_cookie(response, request.app.state.config)
    return _me(request, None)


@router.get("/tokens", summary="The tokens of my programs")
def list_tokens(request: Request, who: Who) -> Tokens:
    rows = accounts.tokens(request.app.state.database, who)
    return Tokens(
        tokens=[
            TokenInfo(
                id=accounts.token_id(row), label=row.label, created=row.created, expires=row.expires
            )
            for row in rows
        ]
    )


@router.post("/tokens", summary="A token for a program", status_code=201)
def make_token(request: Request, who: Who, given: Label) -> Token:
    return Token(token=accounts.new_token(request.app.state.database, who, given.label))


@router.delete("/tokens/{id}", summary="Delete a token", status_code=204)
def delete_token(request: Request, who: Who, id: str) -> None:
    accounts.delete_token(request.app.state.database, who, id)


def _welcome(request: Request, response: Response, proof: Proof) -> Me:
    state = request.app.state
    accounts.set_cookie(response, state.config, proof.token)
    if not proof.person.guest:
        device = request.cookies.get(accounts.device_cookie(state.config), "")
        if not accounts.known_device(state.database, device, accounts.login_of(proof.person.name)):
            device = accounts.new_device(state.database, proof.person)
            accounts.set_device(response, state.config, device)
    return _me(request, proof.person)


def _offer_to_confirm(request: Request, who: Person, later: BackgroundTasks) -> None:
    state = request.app.state
    later.add_task(letters.offer_to_confirm, state.database, state.config, state.limits, who)


def _me(request: Request, who: Person | None) -> Me:
    mail = bool(request.app.state.config.smtp_url)
    if who is None:
        return Me(account=None, csrf="", mail=mail)
    account = AccountInfo(
        id=who.id,
        name=who.name,
        guest=who.guest,
        email=who.email,
        confirmed=who.confirmed,
        webhook=who.webhook,
    )
    return Me(account=account, csrf=who.csrf, mail=mail)
