"""Telling absent people: what is put into the outbox, and how it is sent."""

from __future__ import annotations

import http.server
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from sandtable.server import notices
from sandtable.server.config import Config
from sandtable.server.database import Database
from sandtable.server.notices import Message, NotSent, check_webhook, is_public, post, send_mail
from sandtable.server.tables import Account, GameRow, Notice, Row, Seat
from tests.server.absent import change, waiting_game
from tests.server.mailbox import mail_server, serving

__all__ = ["mail_server"]  # a fixture

MESSAGE = Message("turn", "g", "Sunday", "It is your turn in “Sunday”.", "http://x/game/g")


class Hook(http.server.BaseHTTPRequestHandler):
    """Remembers what it was sent, and answers as it is told to."""

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.calls.append((self.path, json.loads(content)))  # type: ignore[attr-defined]
        self.send_response(self.server.status)  # type: ignore[attr-defined]
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hook() -> Iterator[Any]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    server.calls, server.status = [], 204  # type: ignore[attr-defined]
    with serving(server):
        yield server


@pytest.fixture
def config(tmp_path: Path, mail_server: Any) -> Config:
    return Config(
        database_url=f"sqlite:///{tmp_path}/test.db",
        public_url="https://play.example.org",
        smtp_url=f"smtp://127.0.0.1:{mail_server.server_address[1]}",
        mail_from="table@example.org",
        local_webhooks=True,
    )


@pytest.fixture
def database(config: Config) -> Iterator[Database]:
    """A game in which it is the turn of Anna, who went away an hour ago."""
    database = waiting_game(config)
    yield database
    database.close()


def outbox(database: Database) -> list[tuple[str, str]]:
    with database.reading() as session:
        return [(n.account, n.kind) for n in session.scalars(select(Notice)).all()]


def decide(database: Database, power: str, version: int) -> None:
    with database.transaction() as session:
        session.add(
            Row(
                game="g",
                version=version,
                kind="decide",
                power=power,
                entries=b"[]",
                at=datetime.now(UTC),
            )
        )
        session.execute(update(GameRow).values(version=version))


def make_due(database: Database) -> None:
    change(database, Notice, due=datetime.now(UTC) - timedelta(seconds=1))


def test_whoever_is_away_at_their_turn_is_told_once(
    database: Database, config: Config, mail_server: Any
) -> None:
    assert notices.find_absent(database, config) == 1
    assert notices.find_absent(database, config) == 0
    assert outbox(database) == [("anna", "turn")]
    assert notices.send_due(database, config) == 1
    assert outbox(database) == []
    (mail,) = mail_server.mails
    assert "To: anna@example.org" in mail
    assert "Subject: Sunday: your turn" in mail
    assert "https://play.example.org/game/g" in mail
    # Ben decides something meanwhile: for Anna it is still the same turn.
    decide(database, "japan", 4)
    assert notices.find_absent(database, config) == 0
    # Anna decides; the game comes back to her, and she has gone again.
    decide(database, "germany", 5)
    decide(database, "japan", 6)
    assert notices.find_absent(database, config) == 1


def test_whoever_is_here_or_has_just_gone_is_not_told(database: Database, config: Config) -> None:
    change(database, Seat, seen=datetime.now(UTC))
    assert notices.find_absent(database, config) == 0


def test_nobody_is_told_whom_nothing_waits_for_or_a_bot_plays_for(
    database: Database, config: Config
) -> None:
    change(database, GameRow, waiting=["united_kingdom"])
    assert notices.find_absent(database, config) == 0
    change(database, GameRow, waiting=["germany"])
    change(database, Seat, bot="greedy")
    assert notices.find_absent(database, config) == 0


def test_who_has_no_address_is_not_told(database: Database, config: Config) -> None:
    without_mail = replace(config, smtp_url="")
    assert notices.find_absent(database, without_mail) == 0
    change(database, Account, email=None)
    assert notices.find_absent(database, config) == 0


def test_all_who_are_away_are_told_that_the_game_is_over(
    database: Database, config: Config, mail_server: Any
) -> None:
    change(
        database, GameRow, status="over", waiting=[], result={"winners": [], "reason": "A draw."}
    )
    assert notices.find_absent(database, config) == 2
    assert notices.find_absent(database, config) == 0
    assert notices.send_due(database, config) == 2
    assert all("A draw." in mail for mail in mail_server.mails)


def test_what_cannot_be_sent_is_tried_again_and_given_up_in_the_end(
    database: Database, config: Config, mail_server: Any
) -> None:
    mail_server.refuse = True
    notices.find_absent(database, config)
    assert notices.send_due(database, config) == 0
    # Not at once.
    mail_server.refuse = False
    assert notices.send_due(database, config) == 0
    make_due(database)
    assert notices.send_due(database, config) == 1
    mail_server.refuse = True
    decide(database, "germany", 4)
    notices.find_absent(database, config)
    for _ in range(notices.TRIES - 1):
        make_due(database)
        notices.send_due(database, config)
    assert outbox(database) == [("anna", "turn")]
    make_due(database)
    notices.send_due(database, config)
    assert outbox(database) == []


def test_a_notice_that_is_no_longer_true_is_not_sent(
    database: Database, config: Config, mail_server: Any
) -> None:
    notices.find_absent(database, config)
    change(database, GameRow, waiting=["japan"])
    assert notices.send_due(database, config) == 0
    assert (outbox(database), mail_server.mails) == ([], [])


def test_a_webhook_is_called_with_json(database: Database, config: Config, hook: Any) -> None:
    url = f"http://127.0.0.1:{hook.server_address[1]}/told?by=sandtable"
    change(database, Account, email=None, webhook=url)
    notices.find_absent(database, config)
    assert notices.send_due(database, config) == 1
    ((path, content),) = hook.calls
    assert path == "/told?by=sandtable"
    assert content["event"] == "turn"
    assert content["url"] == "https://play.example.org/game/g"


def test_a_webhook_that_trickles_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "_LONGEST", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def trickle() -> None:
            with suppress(OSError):
                caller, _ = listening.accept()
                with caller:
                    for _ in range(1000):
                        caller.sendall(b"H")
                        time.sleep(0.1)
                    waited.set()

        waited = threading.Event()
        threading.Thread(target=trickle, daemon=True).start()
        with pytest.raises(NotSent):
            post(f"http://127.0.0.1:{listening.getsockname()[1]}", b"{}", local=True)
        assert not waited.is_set()


@pytest.mark.parametrize("status", [302, 404, 500])
def test_a_webhook_that_answers_anything_but_2xx_has_not_taken_it(hook: Any, status: int) -> None:
    hook.status = status
    with pytest.raises(NotSent, match=str(status)):
        post(f"http://127.0.0.1:{hook.server_address[1]}/", b"{}", local=True)
    assert len(hook.calls) == 1


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/",
        "https://localhost:8000/",
        "https://[::1]/",
        "https://10.0.0.7/",
        "https://192.168.1.1/admin",
        "https://169.254.169.254/latest/meta-data",
        "https://[::ffff:127.0.0.1]/",
        "https://0x7f000001/",
        "https://2130706433/",
        "http://93.184.216.34/",
        "ftp://93.184.216.34/",
        "https://anna:secret@93.184.216.34/",
        "https://",
        "https://example.org:99999/",
        "nonsense",
    ],
)
def test_a_webhook_cannot_make_the_server_call_what_only_it_can_reach(url: str) -> None:
    with pytest.raises(NotSent):
        check_webhook(url)


def test_the_address_that_was_checked_is_the_one_that_is_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    called = []
    answers = iter(["93.184.216.34", "127.0.0.1"])

    def resolve(*_: object, **__: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), 443))]

    def connect(address: tuple[str, int], *_: object) -> None:
        called.append(address)
        raise OSError("that is far enough")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(NotSent, match="far enough"):
        post("https://rebinding.example.org/", b"{}")
    assert called == [("93.184.216.34", 443)]


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("0.0.0.0", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
    ],
)
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_a_password_is_not_sent_without_encryption(config: Config, mail_server: Any) -> None:
    port = mail_server.server_address[1]
    with pytest.raises(NotSent, match="no TLS"):
        url = f"smtp://me:secret@127.0.0.1:{port}"
        send_mail(replace(config, smtp_url=url), "a@b.c", "Sunday", "Hello")
    assert mail_server.mails == []


def test_a_title_cannot_add_headers_to_a_mail(config: Config, mail_server: Any) -> None:
    with pytest.raises(NotSent):
        send_mail(config, "a@example.org", "Sunday\r\nBcc: all@example.org", "")
    assert mail_server.mails == []
