"""What the system allows a process: descriptors and memory."""

from __future__ import annotations

from contextlib import suppress

try:
    import resource
except ImportError:  # not on every system
    resource = None  # type: ignore[assignment]

UNKNOWN = 1024
"""Descriptors that a process has where the system does not say."""


def descriptors() -> int | None:
    """How many files and connections this process may have open; None is as many as it likes."""
    if resource is None:
        return UNKNOWN
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if soft == resource.RLIM_INFINITY else soft


def raise_descriptors(wanted: int) -> None:
    """Allow this process so many descriptors, or as many as the system lets us."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def limit_memory(most: int) -> None:
    """Let this process have so many bytes of data at most; more is a MemoryError."""
    if resource is not None:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))
