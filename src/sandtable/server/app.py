"""The application: everything the server consists of, put together in one place."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import structlog
from fastapi import FastAPI, WebSocket
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response
from starlette.websockets import WebSocketDisconnect, WebSocketState

from sandtable.kernel import registry
from sandtable.kernel.display import NoQuestion
from sandtable.kernel.errors import (
    IllegalDecision,
    OptionError,
    PositionError,
    SandtableError,
    SaveError,
    UnknownGame,
)
from sandtable.server import clocks, live, logs, metrics, notices, records, rooms, wire, workers
from sandtable.server.client import Client
from sandtable.server.config import Config
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.limits import Limits
from sandtable.server.openapi import PROBLEMS, openapi
from sandtable.server.routes import (
    absence,
    accounts,
    catalogue,
    games,
    operation,
    play,
    socket,
)
from sandtable.server.security import DEFECT, Shield
from sandtable.server.verifying import Checker

ROUTES = (catalogue, accounts, games, play, socket, absence, operation)

PARTS = (workers, live, rooms, notices, clocks)
"""What runs as long as the application does, in this order; it ends in the opposite one. Each has
`running(app)`, an async context manager, which puts what others need into `app.state`: `config`,
`database` and `limits` are there before it."""

_log = structlog.get_logger("sandtable")


def create_app(config: Config) -> FastAPI:
    """The application with these settings; its database is opened when it starts."""
    limits = Limits(config.rate)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        database = Database(config)
        async with AsyncExitStack() as stack:
            stack.callback(metrics.forget_process)
            stack.callback(database.close)
            database.prepare()
            records.prepare()
            app.state.database = database
            app.state.checker = Checker()
            for part in PARTS:
                await stack.enter_async_context(part.running(app))
            yield

    app = FastAPI(
        title="Sandtable",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=PROBLEMS,
    )
    app.state.config = config
    app.state.limits = limits
    for routes in ROUTES:
        app.include_router(routes.router)
    app.router.default = Client()
    app.openapi = lambda: openapi(app)  # type: ignore[method-assign]

    for kind in (SandtableError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _answer)  # type: ignore[arg-type]  # for both kinds
    app.add_exception_handler(WebSocketRequestValidationError, _answer)  # type: ignore[arg-type]
    # The last one added is the first that a request meets.
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    app.add_middleware(Shield, config=config, limits=limits)
    app.add_middleware(logs.RequestLog)
    return app


def from_environment() -> FastAPI:
    """The application with the settings of the environment; what uvicorn starts."""
    clocks.one_heap()
    config = Config.read()
    logs.set_up(config)
    wire.set_up(config)
    # Begun now, and not when the first player waits for odds.
    for rules in registry.playable()[0]:
        rules.prepare(wait=False)
    return create_app(config)


async def _answer(connection: HTTPConnection, error: Exception) -> Response | None:
    """Any error as an answer in the one form that errors have; None if it has been sent."""
    problem = problem_of(error)
    if problem is DEFECT:
        _log.error("defect", exc_info=error)
    elif problem.status == 503:
        _log.warning("unavailable", error=problem.error, cause=str(error.__cause__ or ""))
    response = JSONResponse(problem.plain(), problem.status, headers=problem.headers)
    if not isinstance(connection, WebSocket):
        return response
    # Who has gone meanwhile need not be told.
    with suppress(OSError, WebSocketDisconnect):
        if connection.application_state is WebSocketState.CONNECTED:
            await connection.close(1011 if problem.status >= 500 else 1008, problem.error[:120])
        elif "websocket.http.response" in connection.scope.get("extensions", {}):
            await connection.send_denial_response(response)
        else:
            await connection.close(1008, problem.error[:120])
    return None


def problem_of(error: Exception) -> Problem:
    """What the person concerned is told about an error."""
    match error:
        case Problem():
            return error
        case IllegalDecision():
            return Problem(422, error.reason, rule=error.rule)
        case UnknownGame():
            return Problem(404, str(error))
        case OptionError() | PositionError() | SaveError() | NoQuestion():
            return Problem(422, str(error))
        case RequestValidationError() | WebSocketRequestValidationError():
            return _malformed(error)
        case HTTPException():
            words = _STATUS.get(error.status_code, str(error.detail))
            return Problem(error.status_code, words, headers=error.headers)
    return DEFECT


_STATUS = {
    400: "The request cannot be read: it is not valid JSON.",
    404: "There is nothing here.",
    405: "That cannot be done here.",
}


def _malformed(error: RequestValidationError | WebSocketRequestValidationError) -> Problem:
    """The first thing that is wrong with the form of a request; 400, as nobody looked at what it
    means."""
    first = error.errors()[0]
    where = [str(part) for part in first["loc"] if part not in ("body", "query", "path")]
    field = ".".join(where)
    if first["type"] == "json_invalid":
        return Problem(400, "The request is not valid JSON.")
    if not field:
        return Problem(400, "The request has to be a JSON object (Content-Type: application/json).")
    said = str(first["msg"])
    said = said[0].lower() + said[1:]
    return Problem(400, f"{field}: {said}.", field=field)
