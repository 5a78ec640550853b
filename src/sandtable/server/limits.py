"""How fast anybody may ask: buckets of tokens that refill with time, per address and account.

They are in the memory of each process. Those against guessing passwords and against floods of
accounts or mails are in the database as well, and so hold for all processes together.
"""

from __future__ import annotations

import hashlib
import ipaddress
import math
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import delete, text
from sqlalchemy.orm import Session

from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.tables import Bucket

_KEPT = 20_000
"""Buckets in memory; the longest untouched go first, and they are full again anyway."""


@dataclass(frozen=True)
class Limit:
    """So many at once, and so many a second in the long run."""

    burst: float
    per_second: float


@dataclass(frozen=True)
class Room:
    """So many at the same time, and what somebody is told for whom there is no room."""

    most: int
    full: str


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
SAVES = Limit(60, 1 / 1200)
"""Saves to go on with, per address: each is kept."""
REMARKS = Limit(20, 1 / 2)
"""Remarks in chats, per account."""
EDITS = Limit(60, 1 / 2)
"""Changes of positions by hand, per account: each may be many lines of the log."""
LETTERS = Limit(3, 1 / 1200)
"""Mails about an account, per account and per e-mail address."""
SOCKETS = Room(200, "Too many games are open from here. Close some.")
"""Sockets, per address."""
UPLOADS = Room(1, "A save is on its way from here already. Wait until it has come.")
"""Saves that are on their way, per address."""
ALL_UPLOADS = Room(8, "Many saves are being sent just now. Try again in a minute.")
"""The same from everywhere."""


class Limits:
    """The buckets. `rate` multiplies every limit; 0 is no limits."""

    def __init__(self, rate: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._lock = threading.Lock()
        self._held: Counter[tuple[Room, str]] = Counter()
        self._buckets: OrderedDict[tuple[Limit, str], tuple[float, float]] = OrderedDict()

    def take(self, limit: Limit, who: str) -> None:
        """Take a token out of somebody's bucket; Problem 429 if it is empty."""
        if not self._rate:
            return
        now = self._clock()
        # Some requests are handled in threads.
        with self._lock:
            tokens, since = self._buckets.pop((limit, who), (limit.burst * self._rate, now))
            tokens, left = self._taken(limit, tokens, now - since)
            self._buckets[limit, who] = (left, now)
            if len(self._buckets) > _KEPT:
                self._buckets.popitem(last=False)
        self._must_have_one(limit, tokens)

    def take_everywhere(self, database: Database, limit: Limit, who: str) -> None:
        """The same for something rare, of which all processes on the database together allow no
        more than one would. Slow: call it in a thread."""
        # A flood is turned away here, and does not get to the database.
        self.take(limit, who)
        if not self._rate:
            return
        key = hashlib.sha256(f"{limit.burst} {limit.per_second} {who}".encode()).hexdigest()
        now = time.time()
        with database.transaction() as session:
            full = {"key": key, "tokens": limit.burst * self._rate, "at": now}
            session.execute(_FILL, full)
            bucket = session.get_one(Bucket, key, with_for_update=True)
            tokens, left = self._taken(limit, bucket.tokens, max(0.0, now - bucket.at))
            bucket.tokens, bucket.at = left, now
        self._must_have_one(limit, tokens)

    def _taken(self, limit: Limit, tokens: float, seconds: float) -> tuple[float, float]:
        """How many tokens there are when so many have been refilled for so long, and how many are
        left when one is taken out, if there is one."""
        refill = limit.per_second * self._rate
        tokens = min(limit.burst * self._rate, tokens + seconds * refill)
        return tokens, tokens - 1 if tokens >= 1 else tokens

    def _must_have_one(self, limit: Limit, tokens: float) -> None:
        if tokens >= 1:
            return
        wait = math.ceil((1 - tokens) / (limit.per_second * self._rate))
        raise Problem(
            429, f"That was too fast. Wait {_long(wait)}.", headers={"Retry-After": str(wait)}
        )

    @contextmanager
    def hold(self, room: Room, who: str) -> Iterator[None]:
        """Be one of at most so many at the same time; Problem 429 if there are as many already."""
        if self._rate and self._held[room, who] >= max(1, room.most * self._rate):
            raise Problem(429, room.full, headers={"Retry-After": "10"})
        self._held[room, who] += 1
        try:
            yield
        finally:
            self._held[room, who] -= 1
            if not self._held[room, who]:
                del self._held[room, who]


_FILL = text(
    "INSERT INTO buckets (key, tokens, at) VALUES (:key, :tokens, :at) ON CONFLICT DO NOTHING"
)


def forget_full_buckets(session: Session) -> None:
    """Remove what is in the database of those who have not come for a day: all is full again."""
    session.execute(delete(Bucket).where(Bucket.at < time.time() - 86400))


def _long(seconds: int) -> str:
    if seconds >= 120:
        return f"{math.ceil(seconds / 60)} minutes"
    return "a second" if seconds == 1 else f"{seconds} seconds"


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
