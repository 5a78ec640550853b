"""The file of a save: versioned JSON that a person can read."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Raw

from sandtable.kernel.decisions import plain
from sandtable.kernel.errors import SaveError

if TYPE_CHECKING:
    from sandtable.kernel.game import Game

FORMAT = "sandtable save"
FORMAT_VERSION = 2


def write_save(game: Game, path: Path) -> None:
    """Write `game` to `path`. The file appears whole or not at all."""
    if not path.name:
        raise SaveError("A save needs the name of a file.")
    text = save_text(game)
    beside = path.with_name(path.name + ".part")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise SaveError(f"The game cannot be saved as {path}: {error.strerror}.") from None


def save_text(game: Game) -> str:
    """What `game.save` writes: JSON with one journal entry a line."""
    head = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "game": game.rules.id,
        "rules_version": game.rules.version,
        "options": game.rules.written_options(game.options),
        "position": game.position,
        "data": data_digest(game.data),
        "dice": game.dice.header() if game.dice else {"kind": "explicit"},
    }
    if game.edits:
        head["edited"] = list(game.edits)
    # What led to the snapshot that the game was opened from is not run for the sake of a save.
    journal = [bytes(entry) for entry in game.past.entries] if game.past is not None else []
    journal += [written(entry.plain()) for entry in game.journal.since(len(journal))]
    tail: dict[str, Any] = {"hash": game.hash, "checksum": checksum([head, game.hash], journal)}
    if (snapshot := game.snapshot()) is not None:
        check = checksum([tail["checksum"], snapshot])
        tail["snapshot"] = {"checksum": check, **plain(snapshot)}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    entries = ",\n".join("    " + entry.decode() for entry in journal)
    ends = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in tail.items())
    return "{\n" + "\n".join(lines) + f'\n  "journal": [\n{entries}\n  ],\n{ends}\n}}\n'


def canonical(content: Any) -> bytes:
    return msgspec.json.encode(content, order="deterministic")


def written(entry: Any) -> bytes:
    """A journal entry as it stands in the file."""
    return json.dumps(entry).encode()


class _Edit(msgspec.Struct, forbid_unknown_fields=True):
    edit: Raw


def edited_entries(journal: Iterable[bytes | Raw]) -> tuple[int, ...]:
    """The numbers of the journal entries by which the position was changed by hand."""

    def is_edit(entry: bytes | Raw) -> bool:
        # Looked for first, as nearly all entries have it nowhere.
        if b'"edit"' not in bytes(entry):
            return False
        try:
            msgspec.json.decode(entry, type=_Edit)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return False
        return True

    return tuple(number for number, entry in enumerate(journal) if is_edit(entry))


def checksum(content: Any, journal: Iterable[bytes | Raw] = ()) -> str:
    """Of some content, and of journal entries as they are written."""
    digest = hashlib.sha256(canonical(content))
    digest.update(b"\n".join(journal))
    return digest.hexdigest()


def data_digest(folder: str | Path | None) -> str | None:
    """A fingerprint of the user's own data files, without which the game cannot be re-run."""
    if folder is None:
        return None
    digest = hashlib.sha256()
    try:
        for file in sorted(Path(folder).iterdir()):
            if file.is_file():
                content = file.read_bytes()
                digest.update(f"{file.name}\0{len(content)}\0".encode() + content)
    except OSError as error:
        raise SaveError(f"The data files in {folder} cannot be read: {error.strerror}.") from None
    return digest.hexdigest()
