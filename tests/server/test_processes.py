"""Several server processes on one database, and programs that play over the network."""

from __future__ import annotations

import asyncio
import os
import random
import runpy
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

import httpx
import pytest

from tests.server.network import SECONDS, Player, Server
from tests.server.postgres import Postgres

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "network_bot.py"
AXIS = ["germany", "japan"]
ALLIES = ["soviet_union", "united_kingdom", "united_states"]


@asynccontextmanager
async def serving(*servers: Server) -> AsyncIterator[None]:
    try:
        for server in servers:
            server.start()
        for server in servers:
            await server.up()
        yield
    finally:
        statuses = [await asyncio.to_thread(server.stop) for server in servers]
    assert not any(statuses)


@asynccontextmanager
async def watching(*players: Player) -> AsyncIterator[None]:
    """The players are connected, each to its own server, and decide nothing by themselves."""
    for player in players:
        player.playing = False
    tasks = [asyncio.create_task(player.connected(0)) for player in players]
    try:
        for player in players:
            await player.told(lambda p=player: bool(p.mirror.info))  # type: ignore[misc]
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def test_players_at_different_processes_see_each_other(postgres: Postgres, tmp_path: Path) -> None:
    async def scene(url: str) -> None:
        one, two = (Server(url, tmp_path / name) for name in ("one", "two"))
        rng = random.Random(1)
        async with serving(one, two):
            anna, ben = Player([one], "Anna", rng), Player([two], "Ben", rng)
            await anna.be_guest()
            await ben.be_guest()
            seats = [{"powers": AXIS, "kind": "me"}, {"powers": ALLIES, "kind": "open"}]
            table = {"game": "aa1942", "access": "link", "seats": seats}
            id = (await anna.ask("POST", "/api/games", json=table))["id"]
            anna.game = ben.game = id
            async with watching(anna):
                # The lobby: taking a seat at one process is seen at the other, and so is the start.
                await ben.ask("POST", f"/api/games/{id}/join", json={"seat": 1})
                mirror = anna.mirror
                await anna.told(lambda: mirror.info["seats"][1]["player"] == "Ben")
                async with watching(ben):
                    await anna.told(lambda: sorted(mirror.online) == [0, 1])
                    await anna.ask("POST", f"/api/games/{id}/start", json={})
                    await ben.told(lambda: bool(ben.mirror.pending))
                    # Decisions; whatever they are, the Soviet Union has at least three.
                    for version in range(1, 4):
                        await ben.decide()
                        await ben.told(lambda v=version: ben.mirror.version == v)  # type: ignore[misc]
                        await anna.told(lambda v=version: mirror.version == v)  # type: ignore[misc]
                    assert ben.problems == []
                    assert mirror.log == ben.mirror.log
                    assert mirror.picture == ben.mirror.picture
                    # Chat.
                    await ben.ask("POST", f"/api/games/{id}/chat", json={"text": "Hello there"})
                    await anna.told(lambda: mirror.chat == ["Hello there"])
                    # Each asks its own process, which knows all.
                    info = await anna.ask("GET", f"/api/games/{id}")
                    assert [seat["online"] for seat in info["seats"]] == [True, True]
                # Ben has gone.
                await anna.told(lambda: mirror.online == [0])
                # Resigning at one process ends the game at the other.
                await ben.ask("POST", f"/api/games/{id}/resign", json={"power": ALLIES[0]})
                await anna.told(lambda: mirror.info["status"] == "over")

    with postgres.database() as url:
        asyncio.run(scene(url))


def test_who_was_connected_to_a_process_that_died_is_not_shown_for_ever(
    postgres: Postgres, tmp_path: Path
) -> None:
    async def scene(url: str) -> None:
        one, two = (Server(url, tmp_path / name) for name in ("one", "two"))
        rng = random.Random(1)
        async with serving(one, two):
            anna = await Player([one], "Anna", rng).be_guest()
            ben = await Player([two], "Ben", rng).be_guest()
            seats = [{"powers": AXIS, "kind": "me"}, {"powers": ALLIES, "kind": "open"}]
            table = {"game": "aa1942", "access": "link", "seats": seats}
            id = (await anna.ask("POST", "/api/games", json=table))["id"]
            await ben.ask("POST", f"/api/games/{id}/join", json={"seat": 1})
            anna.game = ben.game = id
            async with watching(anna), watching(ben):
                await anna.told(lambda: sorted(anna.mirror.online) == [0, 1])
                # Ended in an orderly way: it says so.
                assert await asyncio.to_thread(two.stop) == 0
                await anna.told(lambda: anna.mirror.online == [0])

    with postgres.database() as url:
        asyncio.run(scene(url))


def test_the_example_bots_play_over_the_network(tmp_path: Path) -> None:
    async def scene() -> None:
        server = Server(f"sqlite:///{tmp_path}/games.db", tmp_path / "log")
        async with serving(server):
            host = await Player([server], "Host", random.Random(1)).be_guest()
            token = (await host.ask("POST", "/api/tokens", json={"label": "bot"}))["token"]
            # A long game: it is not over before we have seen what we want to see.
            seats = [{"powers": AXIS, "kind": "me"}, {"powers": ALLIES, "kind": "invited"}]
            table = {"game": "aa1942", "access": "link", "seats": seats}
            info = await host.ask("POST", "/api/games", json=table)
            link = f"{server.url}/game/{info['id']}"
            invite = info["seats"][1]["invite"]
            guest = _example(f"{server.url}/join/{invite}?game={info['id']}", "")
            try:
                async with asyncio.timeout(SECONDS):
                    while info["seats"][1]["kind"] != "person":
                        assert guest.poll() is None, guest.communicate()
                        await asyncio.sleep(0.1)
                        info = await host.ask("GET", f"/api/games/{info['id']}")
                assert info["seats"][1]["player"] == "Network bot"
                await host.ask("POST", f"/api/games/{info['id']}/start", json={})
                # The other one plays with a token under the host's name, and outlives a crash.
                mine = _example(link, token)
                try:
                    await _moving(host, info["id"], 3)
                    server.kill()
                    server.start()
                    await server.up()
                    await _moving(host, info["id"], 6)
                    await host.ask(
                        "POST", f"/api/games/{info['id']}/resign", json={"power": "germany"}
                    )
                    for bot in (guest, mine):
                        said = await asyncio.to_thread(bot.communicate, timeout=SECONDS)
                        assert bot.returncode == 0, said
                        assert "Germany, Japan resigned." in said[0]
                finally:
                    mine.kill()
            finally:
                guest.kill()

    asyncio.run(scene())


def test_the_example_bot_says_what_is_wrong(tmp_path: Path) -> None:
    async def scene() -> None:
        server = Server(f"sqlite:///{tmp_path}/games.db", tmp_path / "log")
        async with serving(server):
            bot = _example(f"{server.url}/join/nothing?game=here", "")
            said = await asyncio.to_thread(bot.communicate, timeout=SECONDS)
            assert bot.returncode == 1
            assert "no such game" in said[1]

    asyncio.run(scene())


@pytest.mark.parametrize(("status", "serious"), [(409, False), (422, True)])
def test_the_example_bot_goes_on_when_the_game_has_moved_meanwhile(
    monkeypatch: pytest.MonkeyPatch, status: int, serious: bool
) -> None:
    bot = runpy.run_path(str(EXAMPLE))["Player"]

    def refused(player: object, method: str, path: str, **more: object) -> None:
        response = httpx.Response(status, request=httpx.Request(method, f"http://x{path}"))
        raise httpx.HTTPStatusError("no", request=response.request, response=response)

    monkeypatch.setattr(bot, "ask", refused)
    with pytest.raises(httpx.HTTPStatusError) if serious else nullcontext():
        bot.__new__(bot).decide("/api/games/g", "germany", 3)


def _example(link: str, token: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, EXAMPLE, link],
        env={**os.environ, "SANDTABLE_TOKEN": token, "NO_PROXY": "*"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


async def _moving(host: Player, id: str, more: int) -> None:
    """Wait until so many more decisions have been made."""
    start = (await host.ask("GET", f"/api/games/{id}"))["version"]
    async with asyncio.timeout(SECONDS):
        while (await host.ask("GET", f"/api/games/{id}"))["version"] < start + more:
            await asyncio.sleep(0.1)
