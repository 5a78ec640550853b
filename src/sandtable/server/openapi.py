"""The OpenAPI file: what routes answer with, also where they hand out bytes."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute, iter_route_contexts

import sandtable
from sandtable.server.accounts import somebody
from sandtable.server.schemas import COMPONENTS, JSON, REF

_ABOUT = """\
Play over the network: make a table, join one, decide, look on. What happens is told by a WebSocket
at `/api/games/{id}/socket`, which this page cannot show: see docs/protocol.md, where all of it is
explained, and examples/network_bot.py."""

ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string", "description": "What is wrong, in a sentence."},
        "rule": {"type": "string", "description": "The id of the rule that forbids it."},
        "field": {"type": "string", "description": "What of the request it is about."},
    },
    "additionalProperties": False,
}

_PROBLEMS = {
    400: "Malformed",
    401: "Nobody is logged in, or the token is wrong",
    403: "Not yours, or without the CSRF token",
    404: "Not there",
    408: "The request did not arrive in time",
    409: "Stale, or not at this moment",
    410: "A link that is used or too old",
    413: "Too large",
    422: "An illegal decision, a bad option or value",
    429: "Too fast; Retry-After says how long to wait",
    503: "The database cannot be used just now",
}

_SCHEMES = {
    "token": {"type": "http", "scheme": "bearer", "description": "A program's token."},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "sandtable"},
    "csrf": {
        "type": "apiKey",
        "in": "header",
        "name": "X-CSRF-Token",
        "description": "`csrf` of `GET /api/me`.",
    },
}

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": words,
        "content": {JSON: {"schema": {"$ref": REF.format(name="Problem")}}},
    }
    for status, words in _PROBLEMS.items()
}
"""What every route may answer when something is wrong."""


def openapi(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI file of the application, made once."""
    if app.openapi_schema is None:
        made = get_openapi(
            title="Sandtable",
            version=sandtable.__version__,
            description=_ABOUT,
            license_info={"name": "Apache-2.0"},
            routes=app.routes,
            tags=[
                {"name": "catalogue", "description": "Games there are"},
                {"name": "accounts", "description": "Who you are"},
                {"name": "tables", "description": "Making, joining and leaving games"},
                {"name": "play", "description": "Playing"},
                {"name": "absence", "description": "Players who are not there"},
                {"name": "operation", "description": "For hosts"},
            ],
        )
        schemas = made.setdefault("components", {}).setdefault("schemas", {})
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        schemas.update(COMPONENTS)
        schemas["Problem"] = ERROR
        made["components"]["securitySchemes"] = _SCHEMES
        for route in iter_route_contexts(app.routes):
            if isinstance(route.original_route, APIRoute) and _asks_who(route.original_route):
                for method in route.methods or ():
                    operation = made["paths"][route.path][method.lower()]
                    browser: dict[str, list[str]] = {"cookie": []}
                    if method != "GET":
                        browser["csrf"] = []
                    operation["security"] = [{"token": []}, browser]
        app.openapi_schema = made
    return app.openapi_schema


def _asks_who(route: APIRoute) -> bool:
    """Whether a route refuses nobody."""
    asked = [route.dependant]
    for dependant in asked:
        asked += dependant.dependencies
    return any(dependant.call is somebody for dependant in asked)
