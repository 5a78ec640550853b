"""Guests, accounts, sessions and tokens."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from sandtable.server import accounts
from sandtable.server.accounts import LASTS, hash_of, now
from sandtable.server.app import create_app
from sandtable.server.config import Config
from sandtable.server.tables import Account, Session
from tests.server.conftest import EITHER, Player, TestClient, guest

SECRET = "correct horse"


def register(app: FastAPI, name: str) -> Player:
    player = Player(app)
    player.adopt(player.post("/api/accounts", {"name": name, "password": SECRET}, 201))
    return player


def test_nobody_is_nobody(web: TestClient) -> None:
    assert web.get("/api/me").json() == {"account": None, "csrf": "", "mail": False}


@EITHER
def test_a_guest_is_known_again_by_its_cookie(anna: Player) -> None:
    me = anna.get("/api/me")
    assert me["account"] == {
        "id": anna.id,
        "name": "Anna",
        "guest": True,
        "email": None,
        "confirmed": False,
        "webhook": None,
    }
    assert me["csrf"] == anna.http.headers["X-CSRF-Token"]


@EITHER
def test_a_guest_who_registers_stays_the_same_account(anna: Player, app: FastAPI) -> None:
    before = anna.id
    old_cookie = anna.http.cookies["sandtable"]
    me = anna.post("/api/accounts", {"name": "Anna", "password": SECRET, "email": "a@b.example"})
    assert (me["account"]["id"], me["account"]["guest"]) == (before, False)
    assert me["account"]["email"] == "a@b.example"
    assert anna.http.cookies["sandtable"] != old_cookie
    stranger = Player(app)
    stranger.http.cookies["sandtable"] = old_cookie
    assert stranger.get("/api/me")["account"] is None


def test_who_is_registered_does_not_register_again(app: FastAPI, web: TestClient) -> None:
    anna = register(app, "Anna")
    answer = anna.post("/api/accounts", {"name": "Anne", "password": SECRET}, 409)
    assert "Log out first" in answer["error"]


@pytest.mark.parametrize("name", ["Anna", "ANNA", " anna ", "\uff21nna"])
def test_names_of_accounts_are_unique_whatever_their_case(
    app: FastAPI, web: TestClient, name: str
) -> None:
    register(app, "Anna")
    answer = Player(app).post("/api/accounts", {"name": name, "password": SECRET}, 409)
    assert answer["field"] == "name"
    assert Player(app).post("/api/guests", {"name": name}, 409)["field"] == "name"


def test_guests_may_share_a_name(app: FastAPI, anna: Player) -> None:
    assert guest(app, "Anna").id != anna.id


@pytest.mark.parametrize(
    ("name", "shown"),
    [("  Anna  ", "Anna"), ("Anna\t von  K", "Anna von K"), ("安娜", "安娜"), ("x" * 40, "x" * 40)],
)
def test_names_are_trimmed(web: TestClient, name: str, shown: str) -> None:
    assert web.post("/api/guests", json={"name": name}).json()["account"]["name"] == shown


@pytest.mark.parametrize(
    "name", ["", "   ", "x" * 41, "a\0b", "a\x1b[31mb", "a\u202eb", "a\u200bb", "\u2028"]
)
def test_bad_names_are_refused(web: TestClient, name: str) -> None:
    answer = web.post("/api/guests", json={"name": name})
    assert (answer.status_code, answer.json()["field"]) == (422, "name")


def test_a_name_that_grows_when_folded_is_refused_whole(web: TestClient) -> None:
    body = {"name": "ß" * 30, "password": SECRET}
    answer = web.post("/api/accounts", json=body)
    assert (answer.status_code, answer.json()["field"]) == (422, "name")


@pytest.mark.parametrize("password", ["", "short", "x" * 201])
def test_bad_passwords_are_refused(web: TestClient, password: str) -> None:
    answer = web.post("/api/accounts", json={"name": "Anna", "password": password})
    assert answer.status_code in (400, 422)
    assert answer.json()["field"] == "password"
    assert not password or password not in answer.text


@EITHER
def test_logging_in_and_out(app: FastAPI, web: TestClient) -> None:
    id = register(app, "Anna").id
    anna = Player(app)
    anna.adopt(anna.post("/api/session", {"name": "ANNA", "password": SECRET}, 200))
    assert anna.id == id
    cookie = anna.http.cookies["sandtable"]
    assert anna.delete("/api/session") == {"account": None, "csrf": "", "mail": False}
    assert "sandtable" not in anna.http.cookies
    anna.http.cookies["sandtable"] = cookie
    assert anna.get("/api/me")["account"] is None


def test_a_wrong_password_and_an_unknown_name_look_alike(
    app: FastAPI, web: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(app, "Anna")
    compared: list[str] = []
    fits = accounts._fits

    def spy(hashed: str, password: str) -> bool:
        compared.append(hashed)
        return fits(hashed, password)

    monkeypatch.setattr(accounts, "_fits", spy)
    wrong = web.post("/api/session", json={"name": "Anna", "password": "wrong horse"})
    unknown = web.post("/api/session", json={"name": "Otto", "password": "wrong horse"})
    assert (wrong.status_code, wrong.json()) == (unknown.status_code, unknown.json())
    assert wrong.status_code == 401
    # The same work in both cases: one comparison, with the same costs.
    costs = [hashed.rsplit("$", 2)[0] for hashed in compared]
    assert len(costs) == 2 and costs[0] == costs[1]


def test_a_guest_cannot_log_in_without_a_password(anna: Player, web: TestClient) -> None:
    answer = web.post("/api/session", json={"name": "Anna", "password": ""})
    assert answer.status_code == 401


def test_the_database_does_not_know_passwords_nor_tokens(app: FastAPI, web: TestClient) -> None:
    anna = register(app, "Anna")
    token = anna.post("/api/tokens", {"label": "bot"})["token"]
    with app.state.database.reading() as session:
        account = session.scalars(select(Account)).one()
        hashes = set(session.scalars(select(Session.hash)))
    assert account.password and account.password.startswith("$argon2id$")
    assert hashes == {hash_of(token), hash_of(anna.http.cookies["sandtable"])}


def test_an_expired_session_is_nobodys(app: FastAPI, anna: Player) -> None:
    with app.state.database.transaction() as session:
        session.scalars(select(Session)).one().expires = now() - timedelta(seconds=1)
    assert anna.get("/api/me")["account"] is None
    assert "guest" in anna.patch("/api/me", {"name": "X"}, 401)["error"]


def test_a_session_lasts_on_with_every_visit(app: FastAPI, anna: Player) -> None:
    soon = now() + timedelta(days=3)
    with app.state.database.transaction() as session:
        session.scalars(select(Session)).one().expires = soon
    answer = anna.http.get("/api/me")
    assert "sandtable=" in answer.headers["set-cookie"]
    with app.state.database.reading() as session:
        assert session.scalars(select(Session)).one().expires > now() + LASTS - timedelta(hours=1)
    assert "set-cookie" not in anna.http.get("/api/me").headers


def test_the_cookie_is_kept_from_scripts_and_other_sites(app: FastAPI, web: TestClient) -> None:
    cookie = web.post("/api/guests", json={"name": "Anna"}).headers["set-cookie"]
    assert cookie.startswith("sandtable=")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie and "Domain" not in cookie


def test_with_tls_the_cookie_is_for_tls_only(database_url: str) -> None:
    config = Config(database_url, rate=0, public_url="https://sand.example")
    with TestClient(create_app(config), base_url="https://sand.example") as web:
        answer = web.post("/api/guests", json={"name": "Anna"})
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-sandtable=")
        assert "Secure" in cookie.split("; ")
        assert answer.headers["Strict-Transport-Security"]
        assert web.get("/api/me").json()["account"]["name"] == "Anna"


def test_changing_oneself(app: FastAPI, web: TestClient) -> None:
    anna = register(app, "Anna")
    change = {"name": "Anne", "email": "anne@example.org", "webhook": "https://example.org/hook"}
    account = anna.patch("/api/me", {**change, "current": SECRET})["account"]
    assert {name: account[name] for name in change} == change
    assert anna.patch("/api/me", {**change, "name": "Anne"})["account"] == account, "as it is"
    gone = {"email": "", "webhook": None, "current": SECRET}
    assert anna.patch("/api/me", gone)["account"] == {
        **account,
        "email": None,
        "webhook": None,
    }
    assert Player(app).post("/api/session", {"name": "anne", "password": SECRET})
    register(app, "Ben")
    assert anna.patch("/api/me", {"name": "BEN"}, 409)["field"] == "name"
    assert anna.get("/api/me")["account"]["name"] == "Anne"


@pytest.mark.parametrize(
    "change",
    [
        {"email": "anna"},
        {"email": "anna@"},
        {"email": "a b@c.example"},
        {"email": "a@b.example\nBcc: x@y.example"},
        {"webhook": "http://example.org"},
        {"webhook": "ftp://example.org"},
        {"webhook": "https://"},
        {"webhook": "https://a:b@example.org"},
        {"webhook": "https://example.org:99999"},
        {"webhook": "https://exa mple.org"},
        {"password": SECRET},
        {"guest": False},
    ],
)
def test_bad_changes_are_refused(anna: Player, change: dict[str, object]) -> None:
    answer = anna.http.patch("/api/me", json=change)
    assert answer.status_code in (400, 422)
    assert answer.json()["field"] in change


@pytest.mark.parametrize("change", [{"password": "another horse"}, {"email": "x@y.example"}])
def test_whoever_finds_a_browser_open_does_not_take_the_account_over(
    app: FastAPI, web: TestClient, change: dict[str, str]
) -> None:
    anna = register(app, "Anna")
    assert anna.patch("/api/me", change, 403)["field"] == "current"
    assert anna.patch("/api/me", {**change, "current": "a guess"}, 403)["field"] == "current"
    assert anna.get("/api/me")["account"]["email"] is None
    anna.patch("/api/me", {**change, "current": SECRET}, 200)


def test_a_new_password_ends_all_other_sessions(app: FastAPI, web: TestClient) -> None:
    anna = register(app, "Anna")
    token = anna.post("/api/tokens", {"label": "bot"})["token"]
    elsewhere = Player(app)
    elsewhere.post("/api/session", {"name": "Anna", "password": SECRET})
    anna.patch("/api/me", {"password": "another horse", "current": SECRET})
    assert anna.get("/api/me")["account"]
    assert elsewhere.get("/api/me")["account"] is None
    bearer = {"Authorization": f"Bearer {token}"}
    assert web.get("/api/me", headers=bearer).status_code == 401
    Player(app).post("/api/session", {"name": "Anna", "password": SECRET}, 401)
    Player(app).post("/api/session", {"name": "Anna", "password": "another horse"}, 200)


@EITHER
def test_a_program_is_its_person_by_a_token(anna: Player, web: TestClient) -> None:
    token = anna.post("/api/tokens", {"label": "my bot"}, 201)["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    assert web.get("/api/me", headers=bearer).json()["account"]["id"] == anna.id
    changed = web.patch("/api/me", headers=bearer, json={"name": "Robot"})
    assert changed.json()["account"]["name"] == "Robot"
    (listed,) = anna.get("/api/tokens")["tokens"]
    assert listed["label"] == "my bot"
    assert token not in str(listed) and hash_of(token) != listed["id"]
    anna.delete(f"/api/tokens/{listed['id']}", 204)
    assert web.get("/api/me", headers=bearer).status_code == 401
    anna.delete(f"/api/tokens/{listed['id']}", 404)


def test_a_token_makes_no_tokens_and_no_password(anna: Player, web: TestClient) -> None:
    token = anna.post("/api/tokens", {"label": "bot"})["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    assert web.post("/api/tokens", headers=bearer, json={"label": "b"}).status_code == 403


def test_tokens_of_others_are_not_there(anna: Player, ben: Player) -> None:
    anna.post("/api/tokens", {"label": "bot"})
    (listed,) = anna.get("/api/tokens")["tokens"]
    assert ben.get("/api/tokens") == {"tokens": []}
    ben.delete(f"/api/tokens/{listed['id']}", 404)
    assert anna.get("/api/tokens")["tokens"]


def test_tokens_are_bounded(anna: Player) -> None:
    for number in range(accounts.MOST_TOKENS):
        anna.post("/api/tokens", {"label": f"bot {number}"}, 201)
    assert "Delete one first" in anna.post("/api/tokens", {"label": "one more"}, 409)["error"]


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer ", "Bearer x", "Basic YTpi", "x", "Bearer " + "x" * 5000]
)
def test_a_wrong_token_is_401(web: TestClient, header: str) -> None:
    answer = web.get("/api/me", headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer.json()["error"]


def test_a_cookie_is_no_token_and_a_token_no_cookie(anna: Player, web: TestClient) -> None:
    cookie = anna.http.cookies["sandtable"]
    answer = web.get("/api/me", headers={"Authorization": f"Bearer {cookie}"})
    assert answer.status_code == 401
    token = anna.post("/api/tokens", {"label": "bot"})["token"]
    web.cookies["sandtable"] = token
    assert web.get("/api/me").json()["account"] is None


def test_who_changes_something_else_leaves_the_address_as_it_is_by_then(
    app: FastAPI, config: Config, anna: Player
) -> None:
    """Another browser has changed it since the request came."""
    anna.patch("/api/me", {"email": "old@example.org"})
    who = accounts.person_of(app.state.database, anna.http.cookies["sandtable"])
    assert who is not None
    anna.patch("/api/me", {"email": "new@example.org"})
    accounts.change(app.state.database, who, {"name": "Anne"}, config)
    me = anna.get("/api/me")["account"]
    assert (me["name"], me["email"]) == ("Anne", "new@example.org")
