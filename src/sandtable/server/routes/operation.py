"""For hosts and programs: health, metrics, the reference of the API."""

from __future__ import annotations

import hmac
import ipaddress
from functools import lru_cache

from fastapi import APIRouter, FastAPI, Request
from pydantic import BaseModel
from starlette.responses import HTMLResponse, Response

import sandtable
from sandtable.server import metrics
from sandtable.server.errors import Problem
from sandtable.server.reference import page

router = APIRouter(tags=["operation"])


class Health(BaseModel):
    status: str
    version: str


@router.get("/healthz", summary="Does the server work?")
def health(request: Request) -> Health:
    """200 if the database answers and its tables are those of this program, else 503."""
    request.app.state.database.check()
    return Health(status="ok", version=sandtable.__version__)


@router.get("/metrics", include_in_schema=False)
def read_metrics(request: Request) -> Response:
    """For Prometheus: with the token that the host has set, or without one from this machine."""
    token = request.app.state.config.metrics_token
    if token:
        sent = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(sent.encode(), token.encode()):
            raise Problem(401, "Send the token of SANDTABLE_METRICS_TOKEN.")
    elif not _from_here(request):
        raise Problem(403, "Metrics are for this machine, or set SANDTABLE_METRICS_TOKEN.")
    return Response(metrics.exposition(), media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/docs", include_in_schema=False)
def reference(request: Request) -> HTMLResponse:
    return HTMLResponse(_reference(request.app))


@lru_cache(maxsize=1)
def _reference(app: FastAPI) -> str:
    """Made once: whoever asks for it again and again costs nothing."""
    return page(app.openapi())


def _from_here(request: Request) -> bool:
    """Whether a program on this machine asks, and not a proxy for somebody else."""
    try:
        here = request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        here = False
    return here and not any(name.startswith(_PROXIED) for name in request.headers)


_PROXIED = (
    "x-forwarded",
    "forwarded",
    "x-real-ip",
    "x-client-ip",
    "x-cluster",
    "x-envoy",
    "x-proxy",
    "true-client-ip",
    "via",
    "cf-",
    "fastly-",
)
"""What headers begin with that only proxies send."""
