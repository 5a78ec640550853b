"""Verifying a save that somebody has sent: in a process of its own, which is ended when it takes
too long, and which leaves the processors to those who play."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress

import msgspec
from msgspec import Struct

from sandtable.kernel.errors import SaveError
from sandtable.kernel.saves import verify

SECONDS = 120
"""After that a save is too long to be verified here; the command line has no limit."""
LOADING_SECONDS = 10
"""After that a save is too long to go on with here: the server runs it again whenever it takes the
game into memory."""


class Verified(Struct, frozen=True):
    """What re-running a save has shown; `problem` is "" if all is well."""

    ok: bool
    game: str
    decisions: int
    rolls: int
    dice: str
    commitment: str
    problem: str


async def verified(content: bytes, turn: asyncio.Semaphore, seconds: float) -> Verified:
    """What is found about a save; SaveError if `content` is none, or takes longer. `turn` is waited
    for."""
    async with turn:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "sandtable.server.verifying",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(seconds):
                said, _ = await process.communicate(content)
        except TimeoutError:
            raise SaveError(
                "This save takes too long to be checked here. Try: sandtable verify FILE."
            ) from None
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
    if process.returncode == 2:
        raise SaveError(said.decode())
    if process.returncode:
        raise RuntimeError(f"the verifying process ended with {process.returncode}")
    return msgspec.json.decode(said, type=Verified)


def main() -> None:
    """Verify what comes by stdin; the answer, or why it is no save, goes to stdout."""
    if hasattr(os, "nice"):
        os.nice(10)
    try:
        found = verify(sys.stdin.buffer.read())
    except SaveError as error:
        sys.stdout.buffer.write(str(error).encode())
        sys.exit(2)
    answer = Verified(
        found.ok,
        found.game,
        found.decisions,
        found.rolls,
        found.dice,
        found.commitment,
        found.problem,
    )
    sys.stdout.buffer.write(msgspec.json.encode(answer))


if __name__ == "__main__":
    main()
