"""The games there are, their maps and rules, and verifying saves."""

from __future__ import annotations

import asyncio
import gzip
import json
import tempfile
from pathlib import Path
from typing import BinaryIO

import msgspec
import pytest

import sandtable
from sandtable.bots import BOT_NAMES, make_bot, play_out
from sandtable.kernel import registry
from sandtable.kernel.errors import SaveError
from sandtable.server import verifying
from tests.server.conftest import Player, TestClient

SAVES = Path(__file__).parent.parent / "saves"
GAMES = ["aa1942", "blitz"]


def test_the_catalogue_has_every_game_and_bot(web: TestClient) -> None:
    found = web.get("/api/catalogue").json()
    assert [game["id"] for game in found["games"]] == registry.game_ids()
    assert [bot["name"] for bot in found["bots"]] == list(BOT_NAMES)
    assert all(bot["help"] for bot in found["bots"])
    for game in found["games"]:
        rules = registry.find(game["id"])
        assert (game["title"], game["rules_version"]) == (rules.title, rules.version)
        assert [option["name"] for option in game["options"]] == list(rules.options)
        assert all({"help", "default", "choices"} <= set(option) for option in game["options"])


@pytest.mark.parametrize("game", GAMES)
def test_the_seats_hold_every_power_that_plays(web: TestClient, game: str) -> None:
    found = web.post(f"/api/catalogue/{game}/seats", json={}).json()
    assert found["options"] == registry.find(game).read_options({})
    seated = [power for seat in found["seats"] for power in seat["powers"]]
    assert sorted(seated) == sorted(power["id"] for power in found["about"]["powers"])


def test_seats_follow_the_options(web: TestClient) -> None:
    seats = [
        web.post("/api/catalogue/blitz/seats", json={"options": {"scenario": scenario}}).json()
        for scenario in registry.find("blitz").options["scenario"].choices or ()
    ]
    assert len({json.dumps(found["seats"]) for found in seats}) > 1


@pytest.mark.parametrize(
    ("options", "status"),
    [({"victory": "sometimes"}, 422), ({"colour": 1}, 422), ([], 422), ("total", 422)],
)
def test_bad_options_are_refused(web: TestClient, options: object, status: int) -> None:
    answer = web.post("/api/catalogue/aa1942/seats", json={"options": options})
    assert answer.status_code == status
    assert answer.json()["error"]


def test_an_unknown_game_is_404_with_a_hint(web: TestClient) -> None:
    answer = web.post("/api/catalogue/blits/seats", json={})
    assert answer.status_code == 404
    assert "Did you mean blitz?" in answer.json()["error"]


@pytest.mark.parametrize("game", GAMES)
def test_a_map_is_sent_compressed_and_once(web: TestClient, game: str) -> None:
    answer = web.get(f"/api/maps/{game}")
    assert answer.headers["Content-Encoding"] == "gzip"
    assert int(answer.headers["Content-Length"]) <= 250_000
    stored = (registry.find(game).folder / "map" / "map.topojson").read_bytes()
    assert answer.content == stored
    again = web.get(f"/api/maps/{game}", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = web.get(f"/api/maps/{game}", headers={"Accept-Encoding": "identity"})
    assert plain.content == stored and "Content-Encoding" not in plain.headers


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_have_our_words(web: TestClient, game: str) -> None:
    rules = web.get(f"/api/rules/{game}").json()
    assert len(rules) > 100
    for rule in rules.values():
        assert set(rule) == {"ref", "rule", "ruling", "optional", "left_out"}
        assert rule["ref"] and rule["rule"]


# --- verifying -----------------------------------------------------------------------------------


def finished() -> str:
    game = sandtable.new("aa1942", seed=5)
    bots = {power: make_bot("random", seed=5) for power in game.rules.powers}
    play_out(game, bots, max_rounds=1)
    from sandtable.kernel.savefile import save_text

    return save_text(game)


def test_a_sound_save_is_verified(web: TestClient) -> None:
    found = web.post("/api/verify", content=finished()).json()
    assert found["ok"] and found["problem"] == ""
    assert found["game"] == "aa1942"
    assert found["decisions"] > 0 and found["rolls"] > 0


def test_a_forged_roll_is_found(web: TestClient) -> None:
    from sandtable.kernel.savefile import checksum, written

    save = json.loads(finished())
    save.pop("snapshot", None)  # droppable, and of the true journal
    roll = next(entry for entry in save["journal"] if "roll" in entry)
    roll["roll"][0] = roll["roll"][0] % 6 + 1
    head = {
        key: save[key] for key in save if key not in ("journal", "hash", "checksum", "snapshot")
    }
    save["checksum"] = checksum([head, save["hash"]], map(written, save["journal"]))
    answer = web.post("/api/verify", json=save)
    assert answer.status_code == 200
    found = answer.json()
    assert not found["ok"] and "is not what the dice give" in found["problem"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[1, 2",
        b"\x00\xff",
        b"[" * 200_000,
        b'{"format": "sandtable save", "format_version": 99}',
        gzip.compress(b"{}", mtime=0),
    ],
)
def test_what_is_no_save_is_said_to_be_none(anna: Player, content: bytes) -> None:
    answer = anna.http.post("/api/verify", content=content)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("The save ")


def saved(content: bytes) -> BinaryIO:
    """A file with that content."""
    file = tempfile.TemporaryFile()  # noqa: SIM115
    file.write(content)
    file.seek(0)
    return file


def test_verifying_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "SECONDS", 0.05)
    with pytest.raises(SaveError, match="too long to be checked here"):
        asyncio.run(verifying.Checker().verify(saved(finished().encode()), "anna"))


def test_whoever_has_many_saves_verified_does_not_keep_out_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[bytes] = []

    async def scene() -> None:
        go_on = asyncio.Event()

        async def run(what: str, content: bytes, seconds: float) -> bytes:
            begun.append(content)
            await go_on.wait()
            return msgspec.json.encode(verifying.Verified(True, "", 0, 0, "", "", "", ()))

        monkeypatch.setattr(verifying, "_run", run)
        checker = verifying.Checker()
        async with asyncio.TaskGroup() as tasks:
            for number in range(5):
                tasks.create_task(checker.verify(f"mallory {number}".encode(), "mallory"))
            await asyncio.sleep(0)
            tasks.create_task(checker.verify(b"anna", "anna"))
            for _ in range(10):
                await asyncio.sleep(0)
            assert begun == [b"mallory 0", b"anna"]
            go_on.set()

    asyncio.run(scene())
    assert len(begun) == 6
