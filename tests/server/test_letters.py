"""Mails that prove who reads them: confirming an address, and choosing a new password."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from email import message_from_string, policy
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from sandtable.server import accounts, letters, notices
from sandtable.server.accounts import now
from sandtable.server.app import create_app
from sandtable.server.config import Config
from sandtable.server.errors import Problem
from sandtable.server.limits import LETTERS
from sandtable.server.tables import Account, Letter
from tests.server.conftest import EITHER, Player, TestClient
from tests.server.mailbox import mail_server

__all__ = ["mail_server"]  # a fixture

SECRET = "correct horse"


@pytest.fixture
def config(database_url: str, mail_server: Any) -> Config:
    """Settings with mail and without rate limits."""
    return Config(
        database_url,
        rate=0,
        public_url="http://play.example.org",
        smtp_url=f"smtp://127.0.0.1:{mail_server.server_address[1]}",
        mail_from="table@example.org",
    )


def registered(app: FastAPI, name: str = "Anna", **more: str) -> Player:
    player = Player(app)
    player.adopt(player.post("/api/accounts", {"name": name, "password": SECRET, **more}, 201))
    return player


def account(player: Player) -> Any:
    return player.get("/api/me")["account"]


def token_of(mail: str, kind: str) -> str:
    """The token of the link in a mail."""
    text = message_from_string(mail, policy=policy.default).get_content()
    found = re.search(rf"^http://play\.example\.org/account#{kind}=(\S+)\s*$", text, re.M)
    assert found, text
    return found[1]


@EITHER
def test_an_address_is_confirmed_by_the_link_that_was_sent_there(
    app: FastAPI, web: TestClient, mail_server: Any
) -> None:
    anna = registered(app, email="anna@example.org")
    assert account(anna)["confirmed"] is False and anna.get("/api/me")["mail"] is True
    (mail,) = mail_server.mails
    assert "To: anna@example.org" in mail
    token = token_of(mail, "confirm")
    stranger = Player(app)
    assert stranger.post("/api/email", {"token": "x" + token}, 410)["error"]
    assert stranger.post("/api/email", {"token": token}) == {"email": "anna@example.org"}
    assert account(anna)["confirmed"] is True
    assert "has been used" in stranger.post("/api/email", {"token": token}, 410)["error"]
    anna.post("/api/me/email", status=409)


def test_the_database_does_not_hold_the_token(
    app: FastAPI, web: TestClient, mail_server: Any
) -> None:
    registered(app, email="anna@example.org")
    token = token_of(mail_server.mails[0], "confirm")
    with app.state.database.reading() as session:
        letter = session.scalars(select(Letter)).one()
    assert token not in str(vars(letter))


def test_another_address_has_to_be_confirmed_anew(
    app: FastAPI, web: TestClient, mail_server: Any
) -> None:
    anna = registered(app, email="anna@example.org")
    first = token_of(mail_server.mails[0], "confirm")
    anna.patch("/api/me", {"email": "new@example.org", "current": SECRET})
    anna.post("/api/email", {"token": first}, 410)
    assert "To: new@example.org" in mail_server.mails[1]
    anna.post("/api/email", {"token": token_of(mail_server.mails[1], "confirm")})
    assert account(anna)["confirmed"]
    anna.patch("/api/me", {"name": "Anne", "email": "new@example.org"})
    assert account(anna)["confirmed"], "it is the same address"
    anna.patch("/api/me", {"email": "third@example.org", "current": SECRET})
    assert not account(anna)["confirmed"]
    assert len(mail_server.mails) == 3


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_link_confirms_no_address_that_comes_in_its_place_meanwhile(
    app: FastAPI, web: TestClient, mail_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link is used while the account gets another address: SQLite has one writer at a time."""
    anna = registered(app, email="anna@example.org")
    token = token_of(mail_server.mails[0], "confirm")
    confirmed: list[str] = []

    def confirm() -> None:
        with suppress(Problem):
            confirmed.append(letters.confirm(app.state.database, token))

    using = threading.Thread(target=confirm)
    move = accounts._move

    def moving(*arguments: Any) -> None:
        using.start()
        # It waits for us; if it did not, it would be done by then.
        using.join(0.5)
        move(*arguments)

    monkeypatch.setattr(accounts, "_move", moving)
    anna.patch("/api/me", {"email": "victim@example.org", "current": SECRET})
    using.join()
    assert (account(anna)["email"], account(anna)["confirmed"]) == ("victim@example.org", False)
    assert confirmed == []


def test_a_link_that_is_too_old_confirms_nothing(
    app: FastAPI, web: TestClient, mail_server: Any
) -> None:
    anna = registered(app, email="anna@example.org")
    with app.state.database.transaction() as session:
        session.execute(update(Letter).values(expires=now() - timedelta(seconds=1)))
    anna.post("/api/email", {"token": token_of(mail_server.mails[0], "confirm")}, 410)
    anna.post("/api/me/email", status=204)
    anna.post("/api/email", {"token": token_of(mail_server.mails[1], "confirm")}, 200)


def test_only_a_confirmed_address_is_told_of_turns(
    config: Config, mail_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = notices.Message("turn", "g", "Sunday", "It is your turn.", "http://x/game/g")
    anna = Account(email="anna@example.org", confirmed=False)
    notices.deliver(config, anna, message)
    assert mail_server.mails == []
    anna.confirmed = True
    notices.deliver(config, anna, message)
    assert len(mail_server.mails) == 1


def test_a_mail_that_is_not_taken_is_said_to_be_lost(
    app: FastAPI, web: TestClient, mail_server: Any
) -> None:
    mail_server.refuse = True
    anna = registered(app, email="anna@example.org")
    assert account(anna)["email"] == "anna@example.org", "registered all the same"
    assert "could not be sent" in anna.post("/api/me/email", status=503)["error"]
    mail_server.refuse = False
    anna.post("/api/me/email", status=204)
    assert len(mail_server.mails) == 1


@pytest.fixture
def without_mail(config: Config) -> Iterator[FastAPI]:
    app = create_app(replace(config, smtp_url=""))
    with TestClient(app) as web:
        app.state.portal = web.portal
        yield app


def test_without_mail_the_server_says_so(without_mail: FastAPI) -> None:
    anna = registered(without_mail, email="anna@example.org")
    assert anna.get("/api/me")["mail"] is False
    for method, path, body in (
        ("POST", "/api/me/email", {}),
        ("POST", "/api/password", {"name": "Anna"}),
    ):
        answer = anna.http.request(method, path, json=body)
        assert answer.status_code == 409
        assert "sends no mail" in answer.json()["error"]


def test_nobodys_mailbox_is_filled(config: Config, mail_server: Any) -> None:
    app = create_app(replace(config, rate=1))
    with TestClient(app) as web:
        app.state.portal = web.portal
        sent = LETTERS.burst
        anna = registered(app, email="victim@example.org")
        for _ in range(int(sent) - 1):
            anna.post("/api/me/email", status=204)
        assert "minutes" in anna.post("/api/me/email", status=429)["error"]
        # Nor with many accounts.
        registered(app, "Ben", email="Victim@example.org")
        assert len(mail_server.mails) == sent


# --- a new password ------------------------------------------------------------------------------


@pytest.fixture
def anna(app: FastAPI, web: TestClient, mail_server: Any) -> Player:
    """Registered, with a confirmed address."""
    player = registered(app, email="anna@example.org")
    player.post("/api/email", {"token": token_of(mail_server.mails.pop(), "confirm")})
    return player


@EITHER
def test_a_forgotten_password_is_renewed_by_mail(
    app: FastAPI, anna: Player, mail_server: Any
) -> None:
    elsewhere = Player(app)
    elsewhere.post("/api/password", {"name": " ANNA "}, 202)
    token = token_of(mail_server.mails.pop(), "password")
    new = {"token": token, "password": "another horse"}
    answer = elsewhere.http.put("/api/password", json={**new, "password": "short"})
    assert (answer.status_code, answer.json()["field"]) == (422, "password")
    answer = elsewhere.http.put("/api/password", json=new)
    assert answer.status_code == 200
    elsewhere.adopt(answer.json())
    assert elsewhere.id == anna.id
    assert account(anna) is None, "all sessions so far have ended"
    assert account(elsewhere)["name"] == "Anna"
    again = Player(app).http.put("/api/password", json=new)
    assert again.status_code == 410
    Player(app).post("/api/session", {"name": "Anna", "password": SECRET}, 401)
    Player(app).post("/api/session", {"name": "Anna", "password": "another horse"}, 200)


def test_a_link_is_good_for_one_thing_only(app: FastAPI, anna: Player, mail_server: Any) -> None:
    Player(app).post("/api/password", {"name": "Anna"}, 202)
    token = token_of(mail_server.mails.pop(), "password")
    Player(app).post("/api/email", {"token": token}, 410)


def test_nobody_learns_who_is_registered(app: FastAPI, anna: Player, mail_server: Any) -> None:
    registered(app, "Ben", email="ben@example.org")
    registered(app, "Cleo")
    mail_server.mails.clear()
    answers = [
        Player(app).http.post("/api/password", json={"name": name})
        for name in ("Anna", "Ben", "Cleo", "Dora")
    ]
    assert {(answer.status_code, answer.text) for answer in answers} == {(202, "null")}
    (mail,) = mail_server.mails
    assert "To: anna@example.org" in mail, "only a confirmed address gets one"
