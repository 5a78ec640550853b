"""What every request has to pass, and what every answer says to the browser."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandtable.server.config import Config
from sandtable.server.errors import Problem
from sandtable.server.limits import ADDRESS, Limits, neighbourhood
from sandtable.server.schemas import UPLOAD

BODY = 100_000
"""Bytes that a request may bring."""
UPLOAD_PATHS = ("/api/verify", "/api/games", "/api/games/saves")
"""Where a save may be brought, of UPLOAD bytes. Such a body is not read here: the route knows who
sends it (see `uploads`)."""
BODY_SECONDS = 30
UPLOAD_SECONDS = 120
"""For how long a body may trickle in."""

_CHANGING = ("POST", "PUT", "PATCH", "DELETE")

POLICY = "; ".join(
    (
        "default-src 'self'",
        # Svelte writes positions and colours into style attributes.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)


DEFECT = Problem(500, "The server has a defect here. It has been logged; nothing was changed.")

_log = structlog.get_logger("sandtable")


class Shield:
    """Refuses what comes from foreign pages, comes too fast or is too large; sets the headers.

    The body of a request is read here and handed on whole. A defect in what lies behind is logged
    and answered here, so that this answer has the headers as well.
    """

    def __init__(self, app: ASGIApp, config: Config, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._own = urlsplit(config.public_url).netloc.lower()
        self._headers = {
            "Content-Security-Policy": POLICY,
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        }
        if config.https:
            self._headers["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return

        begun = False

        async def answer(message: Message) -> None:
            nonlocal begun
            begun = True
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            self._admit(scope)
            if scope["type"] == "http":
                receive = await _with_body(scope, receive)
        except Problem as problem:
            await refuse(problem, scope, receive, answer)
            return
        try:
            await self._app(scope, receive, answer)
        except Exception:
            _log.exception("defect")
            if begun:
                raise
            await refuse(DEFECT, scope, receive, answer)

    def _admit(self, scope: Scope) -> None:
        if scope["path"].startswith("/api/"):
            self._limits.take(ADDRESS, address_of(scope))
        socket = scope["type"] == "websocket"
        if (socket or scope["method"] in _CHANGING) and self._foreign(Headers(scope=scope)):
            raise Problem(403, "That came from a page of another site.", field="Origin")

    def _foreign(self, headers: Headers) -> bool:
        """Whether a browser says that the request was made by a page of another site. Programs
        send neither header."""
        site = headers.get("sec-fetch-site")
        if site in ("same-origin", "none"):
            return False
        origin = headers.get("origin")
        if origin is None:
            return site is not None
        host = urlsplit(origin).netloc.lower()
        return not host or host not in (headers.get("host", "").lower(), self._own)


def address_of(scope: Scope) -> str:
    """Where a request comes from, for limits."""
    client = scope.get("client")
    return neighbourhood(client[0]) if client else ""


async def refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a problem; a socket that is not open yet is not opened."""
    if scope["type"] == "websocket" and "websocket.http.response" not in (
        scope.get("extensions") or {}
    ):
        await send({"type": "websocket.close", "code": 1008, "reason": problem.error[:120]})
        return
    kind = "websocket." if scope["type"] == "websocket" else ""
    response = JSONResponse(problem.plain(), problem.status, headers=problem.headers)

    async def answer(message: Message) -> None:
        await send({**message, "type": kind + message["type"]})

    # As an HTTP answer: to a socket Starlette would add the prefix once more.
    with suppress(OSError):  # who has gone meanwhile need not be told
        await response({**scope, "type": "http"}, receive, answer)


async def _with_body(scope: Scope, receive: Receive) -> Receive:
    """The body of a request, read whole; Problem 413 if it is too large. Of an upload only the
    bounds are seen to, while it is read."""
    upload = scope["method"] == "POST" and scope["path"] in UPLOAD_PATHS
    most, seconds = (UPLOAD, UPLOAD_SECONDS) if upload else (BODY, BODY_SECONDS)
    length = Headers(scope=scope).get("content-length", "0")
    if length.isdigit() and int(length) > most:
        raise too_large(most)
    bounded = _Bounded(receive, most, seconds)
    if upload:
        return bounded
    parts: list[bytes] = []
    while True:
        message = await bounded()
        if message["type"] != "http.request":
            return _replayed([message], receive)
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            break
    body: Message = {"type": "http.request", "body": b"".join(parts), "more_body": False}
    return _replayed([body], receive)


class _Bounded:
    """What a request brings, up to so many bytes and for so many seconds."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self._receive = receive
        self._most = most
        self._left = most
        self._until = time.monotonic() + seconds
        self._whole = False

    async def __call__(self) -> Message:
        if self._whole:
            # From now on it is waited for whether the client goes away, and for as long as it is
            # there.
            return await self._receive()
        try:
            async with asyncio.timeout(self._until - time.monotonic()):
                message = await self._receive()
        except TimeoutError:
            raise Problem(
                408, "The request did not arrive in time. Try again.", headers=_CLOSE
            ) from None
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise too_large(self._most)
        self._whole = not message.get("more_body")
        return message


_CLOSE = {"Connection": "close"}


def too_large(most: int) -> Problem:
    """For a body of more bytes than are taken."""
    return Problem(413, f"That is too large: at most {most / 1_000_000:g} MB.", headers=_CLOSE)


def _replayed(messages: Iterable[Message], receive: Receive) -> Receive:
    waiting = list(messages)

    async def again() -> Message:
        return waiting.pop(0) if waiting else await receive()

    return again
