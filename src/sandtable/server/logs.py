"""Structured logs on stderr: a line for every request, and whatever else happens.

Never in them: bodies, query strings, headers, tokens; of a path only its template.
"""

from __future__ import annotations

import logging
import secrets
import sys
import time
from typing import Any

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandtable.server.config import Config
from sandtable.server.metrics import LATENCY, REQUESTS

_log = structlog.get_logger("sandtable.requests")


def set_up(config: Config) -> None:
    """Send all logs, those of libraries included, to stderr: JSON lines, or text for people."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    # The default one shows the values of variables, and some of them are secret.
    console = structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
    )
    render: list[Any] = [console]
    if config.log_format == "json":
        render = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(config.log_level.upper())
    # At info these tell of every connection; our own line for each request says more.
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "websockets", "alembic"):
        logging.getLogger(name).handlers = []
        logging.getLogger(name).setLevel(max(root.level, logging.WARNING))


class RequestLog:
    """Logs and counts every request, with an id that also goes back to the client."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        id = secrets.token_hex(8)
        status = 500 if scope["type"] == "http" else 101
        began = time.perf_counter()

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"].endswith("http.response.start"):
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", id.encode())]
            await send(message)

        with structlog.contextvars.bound_contextvars(request=id):
            try:
                await self._app(scope, receive, answer)
            finally:
                seconds = time.perf_counter() - began
                method = scope.get("method", "SOCKET")
                path = _template(scope)
                REQUESTS.labels(method, path, status).inc()
                if scope["type"] == "http":
                    LATENCY.labels(path).observe(seconds)
                _log.info(
                    "request",
                    method=method,
                    path=path,
                    status=status,
                    ms=round(seconds * 1000, 1),
                    account=scope.get("sandtable.account"),
                )


def _template(scope: Scope) -> str:
    """The path with names instead of values: values may be secret, and are too many to count."""
    route = scope.get("route")
    found = getattr(route, "path", None)
    return found if isinstance(found, str) else "other"
