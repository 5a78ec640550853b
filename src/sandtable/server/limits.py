"""How fast anybody may ask: buckets of tokens that refill with time, per address and account."""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sandtable.server.errors import Problem

_KEPT = 20_000
"""Buckets in memory; the longest untouched go first, and they are full again anyway."""


@dataclass(frozen=True)
class Limit:
    """So many at once, and so many a second in the long run."""

    burst: float
    per_second: float


ADDRESS = Limit(300, 60)
"""All requests of one address."""
ACCOUNT = Limit(120, 20)
"""All requests of one account."""
LOGIN = Limit(10, 1 / 6)
"""Tries to log in, per address."""
GUESSES = Limit(60, 1 / 10)
"""Tries to log in under one name, from wherever: more than its owner needs."""
NEWCOMER = Limit(20, 1 / 30)
"""Guests and registrations, per address."""
UPLOAD = Limit(6, 1 / 10)
"""Saves to verify or to go on with, per address."""
REMARKS = Limit(20, 1 / 2)
"""Remarks in chats, per account."""
SOCKETS = 200
"""Open at the same time, per address."""


class Limits:
    """The buckets. `rate` multiplies every limit; 0 is no limits."""

    def __init__(self, rate: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._lock = threading.Lock()
        self._held: Counter[tuple[int, str]] = Counter()
        self._buckets: OrderedDict[tuple[Limit, str], tuple[float, float]] = OrderedDict()

    def take(self, limit: Limit, who: str) -> None:
        """Take a token out of somebody's bucket; Problem 429 if it is empty."""
        if not self._rate:
            return
        now = self._clock()
        burst, refill = limit.burst * self._rate, limit.per_second * self._rate
        # Some requests are handled in threads.
        with self._lock:
            tokens, since = self._buckets.pop((limit, who), (burst, now))
            tokens = min(burst, tokens + (now - since) * refill)
            enough = tokens >= 1
            self._buckets[limit, who] = (tokens - 1 if enough else tokens, now)
            if len(self._buckets) > _KEPT:
                self._buckets.popitem(last=False)
        if not enough:
            wait = math.ceil((1 - tokens) / refill)
            seconds = "a second" if wait == 1 else f"{wait} seconds"
            raise Problem(
                429, f"That was too fast. Wait {seconds}.", headers={"Retry-After": str(wait)}
            )

    @contextmanager
    def hold(self, most: int, who: str) -> Iterator[None]:
        """Be one of at most so many at the same time; Problem 429 if there are as many already."""
        held = self._held[most, who]
        if self._rate and held >= most * self._rate:
            raise Problem(
                429, "Too many games are open from here. Close some.", headers={"Retry-After": "10"}
            )
        self._held[most, who] += 1
        try:
            yield
        finally:
            self._held[most, who] -= 1
            if not self._held[most, who]:
                del self._held[most, who]


def neighbourhood(address: str) -> str:
    """What counts as one address: a whole network of IPv6, which is what a household has."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return address
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, 64), strict=False))
