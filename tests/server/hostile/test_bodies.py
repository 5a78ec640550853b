"""Large bodies: nobody knows whom are refused before they come; those of others are on the disk,
one at a time from an address, and read in another process."""

from __future__ import annotations

import json
import threading
import time
from contextlib import ExitStack

import pytest

from sandtable.server import verifying
from sandtable.server.schemas import UPLOAD
from tests.server.hostile.kit import Guest, answering, connection, memory, read_all, status
from tests.server.network import Server

HEAD = "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{more}\r\n"


def head(path: str, size: int, more: str = "") -> bytes:
    return HEAD.format(path=path, more=f"Content-Length: {size}\r\n{more}").encode()


@pytest.mark.parametrize("path", ["/api/verify", "/api/games"])
def test_a_large_body_of_nobody_is_refused_while_it_comes(server: Server, path: str) -> None:
    with connection(server) as raw:
        raw.sendall(head(path, UPLOAD) + b" " * 200_000)
        assert status(read_all(raw)) == 401


def test_withheld_bodies_take_no_memory(server: Server) -> None:
    """Sixty of them, of a guest, each all but the last byte: one comes to the disk, the others are
    refused."""
    attacker = Guest(server, "Mallory")
    csrf = attacker.http.headers["X-CSRF-Token"]
    more = f"Cookie: {attacker.cookie}\r\nX-CSRF-Token: {csrf}\r\n"
    before = memory(server)
    with answering(server), ExitStack() as stack:
        answers = []
        for _ in range(60):
            raw = stack.enter_context(connection(server))
            try:
                raw.sendall(head("/api/games", UPLOAD, more) + b" " * (UPLOAD - 1))
                raw.settimeout(0.2)
                answers.append(status(raw.recv(1000)))
            except TimeoutError:
                answers.append(-1)
            except ConnectionError:
                answers.append(429)
        assert answers.count(-1) == 1, "one is waited for"
        assert memory(server) - before < 60


def test_decoding_holds_up_nobody(server: Server) -> None:
    """Saves of eight megabytes that are dear to decode."""
    attacker = Guest(server, "Mallory", "127.0.0.68")
    small = '{"a":[' * 900 + "0" + "]}" * 900
    save = ("[" + small + ("," + small) * (UPLOAD // (len(small) + 1) - 30) + "]").encode()
    assert len(save) > 6_000_000
    with answering(server):
        for _ in range(3):
            answer = attacker.http.post("/api/verify", content=save)
            assert answer.status_code == 422, answer.text
        table = json.dumps({"seats": [{"powers": ["x"], "kind": "me"}], "save": "x" * 7_000_000})
        answer = attacker.http.post("/api/games", content=table.encode())
        assert answer.status_code == 422 and answer.json()["field"] == "save"


def test_a_large_table_without_a_save_is_refused(server: Server) -> None:
    attacker = Guest(server, "Mallory", "127.0.0.69")
    body = json.dumps({"seats": [], "title": "x" * 200_000}).encode()
    assert attacker.http.post("/api/games", content=body).status_code == 422
    body = b'{"game": "blitz", "seats": [{"powers": ["x"], "kind": "me"}]' + b" " * 200_000 + b"}"
    assert attacker.http.post("/api/games", content=body).status_code == 413


def test_one_address_does_not_hold_all_slots(server: Server) -> None:
    """Many guests of one address have saves verified that take long; somebody else need not wait
    for them."""
    content = b'{"format": "sandtable save"' + b" " * 90_000 + b"}"
    done: list[float] = []

    def attack() -> None:
        attacker = Guest(server, "Mallory", "127.0.0.70")
        attacker.http.post("/api/verify", content=content)
        done.append(time.monotonic())

    attacks = [threading.Thread(target=attack) for _ in range(6)]
    for each in attacks:
        each.start()
    time.sleep(0.3)
    friend = Guest(server, "Anna", "127.0.0.71")
    assert friend.http.post("/api/verify", content=content).status_code == 422
    friend_done = time.monotonic()
    for each in attacks:
        each.join()
    assert friend_done < max(done), "the friend was not the last"


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"journal": [1] * (verifying.MOST_ENTRIES + 1)}, "entries"),
        ({"journal": ["x" * verifying.LONGEST_ENTRY]}, "entry that is longer"),
        ({"dice": {"entropy": "x" * verifying.MOST_DICE}}, "dice take more"),
        ({"position": {"x": "y" * verifying.MOST_POSITION}}, "starts from take more"),
        ({"options": {"x": "y" * verifying.MOST_OPTIONS}}, "options take more"),
    ],
)
def test_what_no_game_needs_is_refused_before_it_is_run(part: object, words: str) -> None:
    from sandtable.kernel.errors import SaveError

    with pytest.raises(SaveError, match=words):
        verifying.take_apart(json.dumps(part).encode())
