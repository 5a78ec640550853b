"""Checking a save that somebody has sent, and taking it apart: in a process of its own, which is
ended when it takes too long, and which leaves the processors to those who play."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from typing import Any, BinaryIO, TypeVar

import msgspec
from msgspec import Raw, Struct
from starlette.concurrency import run_in_threadpool

from sandtable.kernel import registry
from sandtable.kernel.decisions import plain
from sandtable.kernel.errors import OptionError, PositionError, SaveError
from sandtable.kernel.game import Decided, Game, Rolled
from sandtable.kernel.saves import load, verify, wrong_roll
from sandtable.server.allowance import limit_memory
from sandtable.server.errors import Problem
from sandtable.server.schemas import NewGame, read
from sandtable.server.shares import Shares

SECONDS = 30
"""After that a save is too long to be verified here; the command line has no limit."""
LOADING_SECONDS = 30
"""After that a save is too long to go on with here: the server runs it again when it takes the game
into memory for the first time, and when somebody looks at its past."""
AT_ONCE = 2
"""Saves that are looked at; one at a time of each address, so that nobody keeps out all others."""
MEMORY = 2 * 2**30
"""Bytes that such a process may use."""

MOST_ENTRIES = 25_000
"""Decisions and rolls of a save that a game goes on from: five times a long game."""
LONGEST_ENTRY = 50_000
MOST_DICE = 20_000
MOST_POSITION = 100_000
MOST_OPTIONS = 10_000
"""Characters of JSON, of each entry and of the header: they are kept in memory, and told to bots
and in lists of tables. What no game needs is refused."""

MOST_EDITS = 200
"""Changes by hand that are told one by one."""

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
    edits: tuple[str, ...]
    """Where the position was changed by hand, and how, a sentence each."""


class Looked(Struct, frozen=True):
    """What a save is that a game can go on from here."""

    game: str
    title: str
    options: dict[str, Any]
    decisions: int
    result: dict[str, Any] | None
    """How it ended, if it has."""
    edited: bool
    """Whether its position was changed by hand."""


class Loaded(Struct, frozen=True):
    """What a table needs of a save, to go on with it."""

    game: str
    options: dict[str, Any]
    position: dict[str, Any] | None
    parts: list[Raw]
    """The journal: each decision with the dice that followed it, in JSON, as the rows have it."""
    powers: list[str]
    """Who decided each part."""
    rolls: int
    dice: dict[str, Any]
    """The header of the save's dice, which have made so many rolls."""
    waiting: list[str]
    result: dict[str, Any] | None
    edited: bool
    """Whether the position was changed by hand."""


class Wanted(Struct, frozen=True):
    """A table that somebody wants to go on with a save."""

    new: NewGame
    """Without the save."""
    saved: Loaded


class Checker:
    """The processes that look at saves, and that make long games ready to be opened."""

    def __init__(self) -> None:
        self._shares = Shares(AT_ONCE)

    async def verify(self, save: BinaryIO, where: str) -> Verified:
        """What is found about a save; SaveError if the file is none, or takes too long."""
        return await self._ask("verify", save, where, SECONDS, Verified)

    async def look(self, save: BinaryIO, where: str) -> Looked:
        """What a save is; SaveError if it cannot be gone on with here."""
        return await self._ask("look", save, where, LOADING_SECONDS, Looked)

    async def load(self, request: BinaryIO, where: str) -> Wanted:
        """A table and its save, taken apart; SaveError if it cannot be gone on with here, Problem
        if the request has another form."""
        return await self._ask("load", request, where, LOADING_SECONDS, Wanted)

    async def _ask(self, what: str, file: BinaryIO, where: str, seconds: float, kind: type[T]) -> T:
        async with self._shares.of(where):
            said = await _run(what, file, seconds)
        return await run_in_threadpool(msgspec.json.decode, said, type=kind)


async def _run(what: str, file: BinaryIO, seconds: float) -> bytes:
    """What a new process says about a file."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "sandtable.server.verifying",
        what,
        stdin=file,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(seconds):
            said, _ = await process.communicate()
    except TimeoutError:
        raise SaveError(
            "This save takes too long to be checked here. Try: sandtable verify FILE."
        ) from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode == UNFIT:
        raise SaveError(said.decode())
    if process.returncode == MALFORMED:
        refusal = msgspec.json.decode(said, type=_Refusal)
        raise Problem(refusal.status, refusal.error)
    if process.returncode == TOO_MUCH:
        raise SaveError("This save is too large to be read here. Try: sandtable verify FILE.")
    if process.returncode:
        raise RuntimeError(f"the verifying process ended with {process.returncode}")
    return said


UNFIT, MALFORMED, TOO_MUCH = 2, 3, 4
"""How the process ends if a file cannot be used; it then says why."""


class _Refusal(Struct):
    status: int
    error: str


# --- in that process -------------------------------------------------------------------------


def main() -> None:
    """Look at what comes by stdin; the answer, or why it is no save, goes to stdout."""
    if hasattr(os, "nice"):
        os.nice(10)
    limit_memory(MEMORY)
    look = {"verify": look_at, "load": take_up, "look": summary}[sys.argv[1]]
    status, said = 0, b""
    try:
        said = msgspec.json.encode(look(sys.stdin.buffer.read()))
    except (SaveError, OptionError, PositionError) as error:
        status, said = UNFIT, str(error).encode()
    except Problem as problem:
        status, said = MALFORMED, msgspec.json.encode(_Refusal(problem.status, problem.error))
    except MemoryError:
        status = TOO_MUCH
    sys.stdout.buffer.write(said)
    sys.exit(status)


def take_up(content: bytes) -> Wanted:
    """The table that is asked for, and its save."""
    new = read(content, NewGame)
    if new.save is None:
        raise Problem(413, "That is too large for a table without a save.")
    saved = take_apart(new.save.encode())
    return Wanted(msgspec.structs.replace(new, save=None), saved)


def look_at(content: bytes) -> Verified:
    """What re-running a save shows."""
    found = verify(content)
    edits = found.edits
    if len(edits) > MOST_EDITS:
        edits = (*edits[:MOST_EDITS], f"So it was {len(edits) - MOST_EDITS} times more.")
    return Verified(
        found.ok,
        found.game,
        found.decisions,
        found.rolls,
        found.dice,
        found.commitment,
        found.problem,
        edits,
    )


def summary(content: bytes) -> Looked:
    """What a save is; SaveError if a game cannot go on from it."""
    saved = take_apart(content)
    title = registry.find(saved.game).title
    return Looked(saved.game, title, saved.options, len(saved.parts), saved.result, saved.edited)


def take_apart(content: bytes) -> Loaded:
    """A save as a table needs it; SaveError if a game cannot go on from it."""
    _check_sizes(content)
    game = load(content, whole=True)
    if game.dice is None:
        raise SaveError("The dice of this save were entered by hand: it cannot go on here.")
    rolls = [entry for entry in game.journal if isinstance(entry, Rolled)]
    if wrong := wrong_roll(game.dice, rolls):
        raise SaveError(wrong)
    return apart(game)


def apart(game: Game) -> Loaded:
    """A game as a table needs it that goes on from there."""
    assert game.dice is not None
    rolls = [entry for entry in game.journal if isinstance(entry, Rolled)]
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
        bool(game.edits),
    )


class _Sizes(Struct):
    """The parts of a save whose size is bounded, as they are written."""

    journal: list[Raw] = []
    dice: Raw = Raw(b"{}")
    position: Raw = Raw(b"null")
    options: Raw = Raw(b"{}")


def _check_sizes(content: bytes) -> None:
    """SaveError if a part of a save is larger than any game needs."""
    try:
        save = msgspec.json.decode(content, type=_Sizes)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return  # `load` says what is wrong
    if len(save.journal) > MOST_ENTRIES:
        raise SaveError(
            f"The save has {len(save.journal)} entries; here a game can go on from {MOST_ENTRIES}."
        )
    if any(len(bytes(entry)) > LONGEST_ENTRY for entry in save.journal):
        raise SaveError("The save has an entry that is longer than any game's.")
    for part, most, words in (
        (save.dice, MOST_DICE, "dice"),
        (save.position, MOST_POSITION, "position that it starts from"),
        (save.options, MOST_OPTIONS, "options"),
    ):
        if len(bytes(part)) > most:
            raise SaveError(f"The save is too large: its {words} take more than {most} characters.")


def _parts(game: Game) -> tuple[list[str], list[Raw]]:
    """The journal in parts: each decision with the dice that followed it, and who made it. What was
    rolled before the first decision is rolled again when the game is opened."""
    powers: list[str] = []
    parts: list[list[dict[str, Any]]] = []
    for entry in game.journal:
        if not isinstance(entry, Rolled):
            powers.append(entry.power if isinstance(entry, Decided) else "")
            parts.append([])
        if parts:
            parts[-1].append(entry.plain())
    return powers, [Raw(msgspec.json.encode(part)) for part in parts]


if __name__ == "__main__":
    main()
