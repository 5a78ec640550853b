"""Snapshots of rooms: a long game is taken into memory from where it stood at one of its last
versions. They are derived from the journal, and can be deleted at any time."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Collection
from typing import NamedTuple

import msgspec
from msgspec import Raw, Struct
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

import sandtable
from sandtable.kernel import registry
from sandtable.kernel.log import Log
from sandtable.kernel.report import Standing
from sandtable.kernel.snapshots import Snapshot
from sandtable.server.database import Database
from sandtable.server.marks import Columns
from sandtable.server.tables import GameRow, Row, SnapshotRow

EVERY = 250
"""Versions between two snapshots of a game: what has to be run again at most, roughly."""


class Sample(Struct):
    """The figures of a version, for the charts; `values` are encoded."""

    version: int
    title: str
    values: Raw


class Left(Struct):
    """Where a power stood when its turn had ended: with this its next report begins."""

    power: str
    version: int
    events: int
    standing: Standing


class Added(NamedTuple):
    """A row, as far as it says what the game came to."""

    version: int
    kind: str
    power: str
    account: str | None
    entries: bytes

    @classmethod
    def of(cls, row: Row) -> Added:
        return cls(row.version, row.kind, row.power, row.account, row.entries)


class Note(Struct):
    """A room at a version: the position, and what is derived from the way there."""

    version: int
    made_by: str
    """The program and the rules, the set-up and the last row that it was made from: if one of them
    is another now, it does not fit."""
    hash: str
    game: Snapshot
    marks: Columns
    stands: list[int]
    asked_at: int
    samples: list[Sample]
    private: dict[int, tuple[str, ...]]
    left: list[Left]
    lines: list[Raw]
    edits: tuple[int, ...] = ()
    """The journal entries by which the position was changed by hand."""


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Note)


def origin(head: GameRow, last: Added | None) -> str:
    """A fingerprint of what a position comes from, as far as it can be seen without running all
    rows: program, rules, set-up, and the last row."""
    rules = registry.find(head.game)
    what = (sandtable.__version__, rules.version, head.game, head.options, head.position, head.dice)
    content = msgspec.json.encode((what, last), order="deterministic")
    return hashlib.sha256(content).hexdigest()


def read(session: Session, head: GameRow) -> Note | None:
    """The snapshot of a game, if it has one that fits."""
    stored = session.get(SnapshotRow, head.id)
    if stored is None or not 0 < stored.version <= head.version:
        return None
    try:
        note = _DECODER.decode(zlib.decompress(stored.content))
    except (zlib.error, msgspec.MsgspecError):
        return None
    row = session.get(Row, (head.id, stored.version))
    if row is None or (note.version, note.made_by) != (stored.version, origin(head, Added.of(row))):
        return None
    for sample in note.samples:
        # Not to keep all that was decoded in memory.
        sample.values = sample.values.copy()
    return note


def write(database: Database, id: str, note: Note, lines: Log[bytes]) -> None:
    """Store the snapshot of a game, with the lines of its log, in place of the one before."""
    note.lines = [Raw(line) for line in lines]
    content = zlib.compress(_ENCODER.encode(note), 3)
    try:
        with database.transaction() as session:
            session.execute(delete(SnapshotRow).where(SnapshotRow.game == id))
            row = {"game": id, "version": note.version, "content": content}
            session.execute(insert(SnapshotRow).values(row))
            secret = [version for version, known in enumerate(note.marks.known) if known]
            compact(session, id, note.version, secret)
    except IntegrityError:
        pass  # Another process was faster, or the game has been removed.


def compact(session: Session, id: str, before: int, secret: Collection[int] = ()) -> None:
    """Put one row in the place of each series of decisions before a version that were all taken
    back: nothing came of them, and nobody has to run or keep them. Those of the `secret` versions
    stay: each viewer counts other ones, and others' stand between them."""
    known = Row.game == id, Row.version < before
    if session.scalar(select(Row.version).where(*known, Row.kind == "undo").limit(1)) is None:
        return
    chosen = select(Row.version, Row.kind, Row.power, Row.entries).where(*known)
    stands: list[tuple[int, str]] = []
    gone: list[tuple[int, int]] = []
    """First and last version of each series; those that touch are joined."""
    for version, kind, power, entries in session.execute(chosen.order_by(Row.version)):
        if kind == "decide":
            stands.append((version, power))
            continue
        if kind == "undo":
            first = next(each for each, who in reversed(stands) if who == power)
            stands.remove((first, power))
        else:
            first = msgspec.json.decode(entries)
        if any(first <= each <= version for each in secret):
            continue
        while gone and gone[-1][1] >= first - 1:
            first = min(first, gone.pop()[0])
        gone.append((first, version))
    for first, last in gone:
        inside = Row.game == id, Row.version >= first, Row.version <= last
        session.execute(delete(Row).where(*inside, Row.version < last))
        values = {"kind": "gone", "power": "", "account": None, "entries": b"%d" % first}
        session.execute(update(Row).where(*inside).values(values))


def drop(database: Database, id: str) -> None:
    """Delete the snapshot of a game."""
    with database.transaction() as session:
        session.execute(delete(SnapshotRow).where(SnapshotRow.game == id))
