"""Large bodies: only from somebody who is known, one at a time from an address, and on the disk
while they come. What they hold is read in a process of its own (see `verifying`)."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import BinaryIO

from fastapi import Request
from starlette.concurrency import run_in_threadpool

from sandtable.server.accounts import Person
from sandtable.server.errors import Problem
from sandtable.server.limits import ALL_UPLOADS, UPLOADS, Limits
from sandtable.server.security import BODY, address_of


class Upload:
    """A body that has come: in memory if it is a small one."""

    def __init__(self, file: BinaryIO, small: bytes | None) -> None:
        self.file = file
        self.small = small
        """All of it, unless it is on the disk only."""


@asynccontextmanager
async def received(request: Request, who: Person | None) -> AsyncIterator[Upload]:
    """The body of a request; Problem 401 if a large one comes from nobody knows whom."""
    limits: Limits = request.app.state.limits
    address = address_of(request.scope)
    with ExitStack() as stack:
        file = stack.enter_context(tempfile.TemporaryFile(prefix="sandtable-"))
        parts: list[bytes] = []
        size = 0
        async for part in request.stream():
            if size <= BODY < size + len(part):
                if who is None:
                    raise Problem(
                        401,
                        "Say who you are first: play as a guest, or log in.",
                        headers={"Connection": "close"},
                    )
                stack.enter_context(limits.hold(UPLOADS, address))
                stack.enter_context(limits.hold(ALL_UPLOADS, ""))
                await run_in_threadpool(file.write, b"".join(parts))
                parts = []
            size += len(part)
            if size <= BODY:
                parts.append(part)
            else:
                await run_in_threadpool(file.write, part)
        small = b"".join(parts) if size <= BODY else None
        file.write(small or b"")
        file.seek(0)
        yield Upload(file, small)
