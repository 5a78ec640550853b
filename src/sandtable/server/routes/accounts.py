"""Who you are."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from sandtable.server import accounts
from sandtable.server.accounts import Anybody, Person, Proof, Who
from sandtable.server.limits import GUESSES, LOGIN, NEWCOMER
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
    webhook: str | None


class Me(BaseModel):
    """Who you are: null for nobody. Send `csrf` as X-CSRF-Token with all that is not a GET."""

    account: AccountInfo | None
    csrf: str


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
    """What is left out stays; an empty e-mail or webhook is removed."""

    name: Text | None = None
    email: Annotated[str | None, Field(max_length=254)] = None
    webhook: Annotated[str | None, Field(max_length=500)] = None
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
    return _me(who)


@router.patch("/me", summary="Change my name, e-mail, webhook or password")
def change_me(request: Request, who: Who, changes: Changes) -> Me:
    state = request.app.state
    given = changes.model_dump(exclude_unset=True)
    return _me(accounts.change(state.database, who, given, state.config))


@router.post("/guests", summary="Become a guest", status_code=201)
def become_guest(request: Request, response: Response, guest: Guest) -> Me:
    state = request.app.state
    state.limits.take(NEWCOMER, address_of(request.scope))
    return _welcome(request, response, accounts.be_guest(state.database, guest.name))


@router.post("/accounts", summary="Register; a guest keeps its games", status_code=201)
def register(request: Request, response: Response, who: Anybody, given: Registration) -> Me:
    state = request.app.state
    state.limits.take(NEWCOMER, address_of(request.scope))
    proof = accounts.register(state.database, who, given.name, given.password, given.email)
    return _welcome(request, response, proof)


@router.post("/session", summary="Log in")
def log_in(request: Request, response: Response, who: Anybody, given: Login) -> Me:
    state = request.app.state
    state.limits.take(LOGIN, address_of(request.scope))
    state.limits.take(GUESSES, accounts.login_of(given.name))
    proof = accounts.log_in(state.database, who, given.name, given.password)
    return _welcome(request, response, proof)


@router.delete("/session", summary="Log out")
def log_out(request: Request, response: Response, who: Anybody) -> Me:
    if who:
        accounts.log_out(request.app.state.database, who)
    accounts.clear_cookie(response, request.app.state.config)
    return _me(None)


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
    accounts.set_cookie(response, request.app.state.config, proof.token)
    return _me(proof.person)


def _me(who: Person | None) -> Me:
    if who is None:
        return Me(account=None, csrf="")
    account = AccountInfo(
        id=who.id, name=who.name, guest=who.guest, email=who.email, webhook=who.webhook
    )
    return Me(account=account, csrf=who.csrf)
