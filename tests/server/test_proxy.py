"""The proxy of the compose file: people play through it, and it refuses what is too much."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
from websockets.asyncio.client import connect

from sandtable.server import limits, wire
from tests.server.network import SECONDS, Server
from tests.server.ports import free_port
from tests.server.proxy import needs_nginx, proxied

SEATS = [{"powers": ["germany"], "kind": "me"}, {"powers": ["afa"], "kind": "bot", "bot": "random"}]


@needs_nginx
def test_people_play_through_the_proxy_and_it_refuses_what_is_too_much(tmp_path: Path) -> None:
    async def scene() -> None:
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        server = Server(
            f"sqlite:///{tmp_path}/games.db", tmp_path / "log", proxies="127.0.0.0/8", rate="1"
        )
        server.start()
        try:
            await server.up()
            async with (
                proxied(port, server, tmp_path),
                httpx.AsyncClient(base_url=url, timeout=SECONDS, trust_env=False) as http,
            ):
                assert (await http.get("/healthz")).status_code == 200
                await _plays(http, url)
                await _is_refused(http)
        finally:
            assert await asyncio.to_thread(server.stop) == 0

    asyncio.run(scene())


async def _plays(http: httpx.AsyncClient, url: str) -> None:
    """A browser at this address makes a game, sits down and decides."""
    assert (await http.post("/api/guests", json={"name": "Anna"})).is_success
    me = (await http.get("/api/me")).json()
    http.headers["X-CSRF-Token"] = me["csrf"]
    http.headers["Origin"] = url
    table = {"game": "blitz", "options": {"scenario": "A"}, "seats": SEATS, "access": "private"}
    made = await http.post("/api/games", json=table)
    assert made.status_code == 201, made.text
    path = f"/api/games/{made.json()['id']}"
    assert (await http.post(f"{path}/start", json={})).is_success
    cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
    async with connect(
        f"{url.replace('http', 'ws')}{path}/socket",
        origin=url,  # type: ignore[arg-type]
        additional_headers={"Cookie": cookie},
        max_size=None,
        proxy=None,
        open_timeout=SECONDS,
    ) as socket:
        assert '"type":"hello"' in str(await socket.recv())
        power = {"power": "germany", "limit": "1"}
        legal = (await http.get(f"{path}/legal", params=power)).json()
        body = {"power": "germany", "decision": legal["decisions"][0], "version": 0}
        assert (await http.post(f"{path}/decisions", json=body)).is_success
        async with asyncio.timeout(SECONDS):
            while '"type":"update"' not in str(await socket.recv()):
                pass


async def _is_refused(http: httpx.AsyncClient) -> None:
    """Long lines, long headers, large bodies and a flood: by the proxy, not by the server."""
    by_proxy = [
        (414, await http.get("/" + "x" * (wire.LINE + 1000))),
        (400, await http.get("/healthz", headers={"X-Long": "x" * (wire.LINE + 1000)})),
        (413, await http.post("/api/guests", content=b"x" * 200_000)),
        (413, await http.post("/api/verify", content=b"x" * 8_500_000)),
    ]
    for status, answer in by_proxy:
        assert answer.status_code == status
        assert "nginx" in answer.text
    several = int(limits.ADDRESS.burst) + 100
    flood = await asyncio.gather(*(http.get("/healthz") for _ in range(several)))
    assert {answer.status_code for answer in flood} == {200, 429}
