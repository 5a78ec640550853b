"""The browser client: the files of its build, and the page for every address it knows."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

FOLDER = Path(__file__).with_name("static")

_NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sandtable</title>
<body style="font: 1.1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto">
<h1>Sandtable is running, but its page has not been built.</h1>
<p>In the source folder run <code>make play</code>, which builds it, or by hand:
<code>cd web &amp;&amp; npm ci &amp;&amp; npm run build</code>. Then load this page again.</p>
<p>Programs can play meanwhile: <a href="/docs">the reference of the API</a>.</p>
"""


def built() -> bool:
    """Whether there is a client to serve."""
    return (FOLDER / "index.html").is_file()


class Client:
    """Answers every path that no route has: a file of the client, or else its page."""

    def __init__(self) -> None:
        self._files = StaticFiles(directory=FOLDER, check_dir=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            raise HTTPException(404)
        path = scope["path"]
        if path == "/api" or path.startswith("/api/"):
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        response = await self._response(path, scope)
        await response(scope, receive, send)

    async def _response(self, path: str, scope: Scope) -> Response:
        if not built():
            return HTMLResponse(_NOT_BUILT, 503, headers={"Cache-Control": "no-store"})
        page = "." not in path.rsplit("/", 1)[-1]
        name = "index.html" if page else self._files.get_path({**scope, "path": path})
        response = await self._files.get_response(name, scope)
        # The build puts a hash of the content into the names of these.
        lasting = path.startswith("/assets/") and response.status_code == 200
        response.headers["Cache-Control"] = (
            "public, max-age=31536000, immutable" if lasting else "no-cache"
        )
        return response
