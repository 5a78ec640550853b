"""What Prometheus can ask for, at `/metrics`."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder in which several processes add up their numbers; it has to be
set before this module is imported."""

_TIMES = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

_registry = CollectorRegistry()

REQUESTS = Counter(
    "sandtable_requests", "Requests answered.", ("method", "path", "status"), registry=_registry
)
LATENCY = Histogram(
    "sandtable_request_seconds",
    "From a request to the end of its answer.",
    ("path",),
    registry=_registry,
    buckets=_TIMES,
)
DECISIONS = Counter(
    "sandtable_decisions",
    "Decisions stored, by person or bot.",
    ("game", "by"),
    registry=_registry,
)
TELLING = Histogram(
    "sandtable_told_seconds",
    "From a submitted decision until every socket of this process has been told.",
    registry=_registry,
    buckets=_TIMES,
)
SOCKETS = Gauge(
    "sandtable_sockets", "Connected sockets.", registry=_registry, multiprocess_mode="livesum"
)
ROOMS = Gauge(
    "sandtable_games_in_memory",
    "Games held in memory.",
    registry=_registry,
    multiprocess_mode="livesum",
)
THINKING = Histogram(
    "sandtable_bot_seconds",
    "How long bots think about a decision.",
    ("game", "bot"),
    registry=_registry,
    buckets=_TIMES,
)


def exposition() -> bytes:
    """All numbers in Prometheus' text format, those of all processes together."""
    if SHARED_FOLDER not in os.environ:
        return generate_latest(_registry)
    together = CollectorRegistry()
    MultiProcessCollector(together)  # type: ignore[no-untyped-call]
    return generate_latest(together)


def forget_process() -> None:
    """Take this process's gauges out of the common numbers; it ends."""
    if SHARED_FOLDER in os.environ:
        mark_process_dead(os.getpid())  # type: ignore[no-untyped-call]
