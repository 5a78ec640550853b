"""Checking a save that somebody has sent, and taking it apart: in a process of its own, which is
ended when it takes too long, and which leaves the processors to those who play."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from sandtable.kernel.decisions import plain
from sandtable.kernel.errors import OptionError, PositionError, SaveError
from sandtable.kernel.game import Decided, Game, Rolled
from sandtable.kernel.saves import load, verify, wrong_roll
from sandtable.server.turns import Turns

SECONDS = 60
"""After that a save is too long to be verified here; the command line has no limit."""
LOADING_SECONDS = 30
"""After that a save is too long to go on with here: the server runs it again when it takes the game
into memory for the first time, and when somebody looks at its past."""
AT_ONCE = 2
"""Saves that are looked at; of each person one at a time, so that nobody keeps out all others."""

T = TypeVar("T")


class Verified(Struct, frozen=True):
    """What re-running a save has shown; `problem` is "" if all is well."""

    ok: bool
    game: str
    decisions: int
    rolls: int
    dice: str
    commitment: str
    problem: str


class Loaded(Struct, frozen=True):
    """What a table needs of a save, to go on with it."""

    game: str
    options: dict[str, Any]
    position: dict[str, Any] | None
    parts: list[list[dict[str, Any]]]
    """The journal: each decision with the dice that followed it."""
    powers: list[str]
    """Who decided each part."""
    rolls: int
    dice: dict[str, Any]
    """The header of the save's dice, which have made so many rolls."""
    waiting: list[str]
    result: dict[str, Any] | None


class Checker:
    """The processes that look at saves."""

    def __init__(self) -> None:
        self._turns = Turns()
        self._room = asyncio.Semaphore(AT_ONCE)

    async def verify(self, content: bytes, who: str) -> Verified:
        """What is found about a save; SaveError if `content` is none, or takes too long."""
        return await self._ask("verify", content, who, SECONDS, Verified)

    async def load(self, content: bytes, who: str) -> Loaded:
        """A save taken apart; SaveError if it cannot be gone on with here."""
        return await self._ask("load", content, who, LOADING_SECONDS, Loaded)

    async def _ask(self, what: str, content: bytes, who: str, seconds: float, kind: type[T]) -> T:
        async with self._turns.of(who), self._room:
            said = await _run(what, content, seconds)
        return msgspec.json.decode(said, type=kind)


async def _run(what: str, content: bytes, seconds: float) -> bytes:
    """What a new process says about a save."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "sandtable.server.verifying",
        what,
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
    return said


# --- in that process -------------------------------------------------------------------------


def main() -> None:
    """Look at what comes by stdin; the answer, or why it is no save, goes to stdout."""
    if hasattr(os, "nice"):
        os.nice(10)
    look = {"verify": look_at, "load": take_apart}[sys.argv[1]]
    try:
        answer = look(sys.stdin.buffer.read())
    except (SaveError, OptionError, PositionError) as error:
        sys.stdout.buffer.write(str(error).encode())
        sys.exit(2)
    sys.stdout.buffer.write(msgspec.json.encode(answer))


def look_at(content: bytes) -> Verified:
    """What re-running a save shows."""
    found = verify(content)
    return Verified(
        found.ok,
        found.game,
        found.decisions,
        found.rolls,
        found.dice,
        found.commitment,
        found.problem,
    )


def take_apart(content: bytes) -> Loaded:
    """A save as a table needs it; SaveError if a game cannot go on from it."""
    game = load(content, whole=True)
    if game.dice is None:
        raise SaveError("The dice of this save were entered by hand: it cannot go on here.")
    rolls = [entry for entry in game.journal if isinstance(entry, Rolled)]
    if wrong := wrong_roll(game.dice, rolls):
        raise SaveError(wrong)
    powers, parts = _parts(game)
    return Loaded(
        game.rules.id,
        game.options,
        None if game.position is None else dict(game.position),
        parts,
        powers,
        len(rolls),
        game.dice.header(),
        [request.power for request in game.pending],
        plain(game.result),
    )


def _parts(game: Game) -> tuple[list[str], list[list[dict[str, Any]]]]:
    """The journal in parts: each decision with the dice that followed it, and who made it. What was
    rolled before the first decision is rolled again when the game is opened."""
    powers: list[str] = []
    parts: list[list[dict[str, Any]]] = []
    for entry in game.journal:
        if isinstance(entry, Decided):
            powers.append(entry.power)
            parts.append([])
        if parts:
            parts[-1].append(entry.plain())
    return powers, parts


if __name__ == "__main__":
    main()
