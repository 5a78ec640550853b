"""The proxy of the compose file in front of a server of the tests: nginx with the very text that
stands there, at another address."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import yaml

from sandtable.server import limits
from tests.server.network import SECONDS, Server

ROOT = Path(__file__).resolve().parents[2]
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")

needs_nginx = pytest.mark.skipif(
    NGINX is None and os.environ.get("CI") != "true", reason="no nginx here"
)


def text(server: Server, port: int, folder: Path, *, tls: bool) -> str:
    """The proxy's configuration as compose would write it, for this machine; beyond the burst it
    takes one request a second, so that a slow machine is a flood as well."""
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    content: str = compose["configs"]["proxy"]["content"].replace("$$", "$")
    changes = {
        "http://sandtable:8000": server.url,
        f"rate={limits.ADDRESS.per_second:.0f}r/s": "rate=1r/s",
        "listen 80;": "" if tls else f"listen 127.0.0.1:{port};",
        "events {": f"pid {folder}/pid; events {{",
        "server_tokens off;": "server_tokens off; access_log off;"
        + "".join(
            f" {kind}_temp_path {folder}/{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        ),
    }
    if tls:
        changes |= {
            "# listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
            "# ssl_": "ssl_",
            "/etc/nginx/tls": str(folder),
        }
    for old, new in changes.items():
        assert old in content, f"the compose file has no {old!r}"
        content = content.replace(old, new)
    return content


@asynccontextmanager
async def proxied(
    port: int, server: Server, folder: Path, *, tls: bool = False
) -> AsyncIterator[None]:
    """nginx takes requests for the server, until the end of the block. With TLS the key and the
    certificate lie in the folder, under the names of the compose file."""
    assert NGINX is not None, "the tests want nginx: tests/tools.sh installs it"
    file, log = folder / "nginx.conf", folder / "nginx.log"
    file.write_text(text(server, port, folder, tls=tls), encoding="utf-8")
    command = [NGINX, "-c", str(file), "-p", str(folder), "-e", str(log), "-g", "daemon off;"]
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    process = subprocess.Popen(command)
    try:
        for _ in range(SECONDS * 20):
            try:
                (await asyncio.open_connection("127.0.0.1", port))[1].close()
                break
            except OSError:
                assert process.poll() is None, log.read_text()
                await asyncio.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(SECONDS)
