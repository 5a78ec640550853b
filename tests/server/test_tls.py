"""Behind TLS: cookies that only travel encrypted and belong to this host, and sockets."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
from pathlib import Path

import httpx
from websockets.asyncio.client import connect

from tests.server.network import SECONDS, Server
from tests.server.ports import free_port
from tests.server.proxy import needs_nginx, proxied


def certificate(folder: Path) -> ssl.SSLContext:
    """Put a key and a certificate for localhost into the folder; what trusts it."""
    chain = folder / "fullchain.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-keyout", folder / "privkey.pem", "-out", chain),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
        ],
        check=True,
        capture_output=True,
    )
    return ssl.create_default_context(cafile=str(chain))


@needs_nginx
def test_cookies_and_sockets_behind_tls(tmp_path: Path) -> None:
    async def scene() -> None:
        port = free_port()
        url = f"https://localhost:{port}"
        trust = certificate(tmp_path)
        server = Server(
            f"sqlite:///{tmp_path}/games.db",
            tmp_path / "log",
            public_url=url,
            proxies="127.0.0.0/8",
        )
        server.start()
        try:
            await server.up()
            async with (
                proxied(port, server, tmp_path, tls=True),
                httpx.AsyncClient(
                    base_url=url, verify=trust, timeout=SECONDS, trust_env=False
                ) as http,
            ):
                body = {"name": "Anna", "password": "a good password"}
                answer = await http.post("/api/accounts", json=body)
                assert answer.status_code == 201
                assert "max-age=" in answer.headers["Strict-Transport-Security"]
                cookies = answer.headers.get_list("set-cookie")
                names = {cookie.split("=", 1)[0] for cookie in cookies}
                assert names == {"__Host-sandtable", "__Host-sandtable-device"}
                for cookie in cookies:
                    parts = {part.strip().lower() for part in cookie.split(";")[1:]}
                    assert {"secure", "httponly", "path=/"} <= parts
                    assert not any(part.startswith("domain") for part in parts)
                # They come back over TLS, and prove who it is.
                me = (await http.get("/api/me")).json()
                assert me["account"]["name"] == "Anna"
                seats = [{"powers": ["germany"], "kind": "me"}, {"powers": ["afa"], "kind": "open"}]
                table = {"game": "blitz", "seats": seats, "access": "private"}
                headers = {"X-CSRF-Token": me["csrf"], "Origin": url}
                made = await http.post("/api/games", json=table, headers=headers)
                assert made.status_code == 201, made.text
                cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
                async with connect(
                    f"wss://localhost:{port}/api/games/{made.json()['id']}/socket",
                    ssl=trust,
                    origin=url,  # type: ignore[arg-type]
                    additional_headers={"Cookie": cookie},
                    max_size=None,
                    proxy=None,
                    open_timeout=SECONDS,
                ) as socket:
                    assert '"type":"hello"' in str(await socket.recv())
                # Without TLS they are not sent: whoever listens there learns nothing.
                async with httpx.AsyncClient(trust_env=False, verify=False) as plain:
                    plain.cookies = http.cookies
                    told = await plain.get(f"{server.url}/api/me")
                    assert told.json()["account"] is None
        finally:
            assert await asyncio.to_thread(server.stop) == 0

    asyncio.run(scene())
