"""One game in memory: where its journal has led, who sits at the table, and what each viewer may
see. Synchronous, and used by one thread at a time (see `rooms`)."""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from sys import intern
from typing import Any, NamedTuple
from weakref import ref

import msgspec
import structlog
from msgspec import Raw, Struct
from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.orm import Session

from sandtable.kernel import registry
from sandtable.kernel.decisions import Decision, Pass, Request, plain
from sandtable.kernel.dice import ContinuedDice, Dice, VerifiedDice, dice_from_header
from sandtable.kernel.display import Line, Picture
from sandtable.kernel.errors import IllegalDecision, PositionError, SandtableError
from sandtable.kernel.game import Decided, Edited, Entry, Game, JournalMismatch, Noted, Rolled
from sandtable.kernel.log import Log
from sandtable.kernel.report import Standing, standing
from sandtable.kernel.ruleset import Asked
from sandtable.kernel.saves import entry_from_plain
from sandtable.kernel.snapshots import Misfit, Past
from sandtable.kernel.staging import Staging
from sandtable.server import patience, snapshots
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.marks import Mark, Marks
from sandtable.server.past import Moment, Powers, Scenes, Since, Story, again, difference, whole
from sandtable.server.patience import OutOfTime, limited
from sandtable.server.snapshots import Added, Left, Note, Sample
from sandtable.server.tables import GameRow, Row, Seat, Table

_log = structlog.get_logger("sandtable.rooms")

_ENCODER = msgspec.json.Encoder()
_LINE = msgspec.json.Decoder(Line)
_STANDING = msgspec.json.Decoder(Standing)

_AT_HAND = 32
"""Lines of the log, events and entries of the journal that stay as they are. Older ones are packed:
they are needed only by a client that comes new to a long game, by bots that have not had a turn for
so long, and by who looks at the past."""

MOST_VERSIONS = 100_000
"""Changes of a game, those that were taken back included: twenty times a long game. All of its log
is told to whoever comes new to it."""

_TAKEABLE = 100
"""How many of the last decisions can be taken back at most, one out of the others."""

_games, _seats, _rows = (Table.metadata.tables[name] for name in ("games", "seats", "rows"))
# Made once: to make them costs more than to run them.
_MOVE = update(_games).where(
    _games.c.id == bindparam("of"),
    _games.c.version == bindparam("before"),
    _games.c.status == "running",
)
_ADD = insert(_rows)
CHANGE_SEAT = update(_seats).where(
    _seats.c.game == bindparam("of"), _seats.c.number == bindparam("seat")
)

Stored = Callable[[Session, "Room"], None]
"""Called inside the transaction that stores a change, when the room is already as it will be."""


class Stale(Problem):
    """A change that was made for another version than the game is at."""

    def __init__(self) -> None:
        super().__init__(409, "The game has moved on since. Look again, then decide.")


class Overtaken(Stale):
    """Another process has stored a change first: the room has to be opened anew."""


class _Ended(NamedTuple):
    """A turn that has ended: what is to be known of the position as it was then. It is packed: a
    game has many of them, and they are looked at once in a turn at most."""

    power: str
    version: int
    events: int
    standing: bytes


class _Drawn:
    """What has been drawn of a version for those who are connected; most of them see the same."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.pictures: dict[Powers, Picture] = {}
        self._changes: dict[tuple[int, int], Raw] = {}

    def changes_of(self, before: Picture | None, now: Picture) -> Raw:
        """What differs in `now`, which is one of `pictures`, encoded."""
        # `now` lives as long as this, so no two of them have the same id.
        key = id(before), id(now)
        if key not in self._changes:
            self._changes[key] = Raw(_ENCODER.encode(difference(before, now)))
        return self._changes[key]


class Turn(Struct):
    """A decision that a bot has to make. `game` is a copy that stays as it is."""

    game: Game
    power: str
    bot: str
    version: int
    owner: str
    """Who has made the table, for whom the bot thinks."""


class _Rows(Past):
    """The rows that led to the snapshot from which a room was opened."""

    def __init__(self, room: Room, note: Note) -> None:
        self._database, self._id = database, id = room._database, room.id
        super().__init__(
            note.game, lambda _: Room.open(database, id, upto=note.version).game, (), note.edits
        )
        # The room holds its game, and the game this.
        self._room = ref(room)

    @property
    def game(self) -> Game:
        try:
            return super().game
        except (Misfit, SandtableError):
            # The rows lead elsewhere, or nowhere.
            _log.warning("snapshot does not fit", game=self._id)
            snapshots.drop(self._database, self._id)
            if room := self._room():
                room.sound = False
            raise Problem(503, "The game has to be read anew. Try again.") from None


class Room:
    """A game with its table. Made by `Room.open`.

    Versions are counted for each viewer (see `Marks`): what persons name and are told are their own
    numbers, translated where they come in and go out.
    """

    def __init__(
        self, database: Database, head: GameRow, seats: Sequence[Seat], note: Note | None = None
    ) -> None:
        self._database = database
        self.id = head.id
        self.head = head
        self.seats = list(seats)
        self.rules = registry.find(head.game)
        self._staging = Staging(self.rules)
        self.game = self._begin(note)
        self.marks = Marks()
        self.stands = array("i")
        """The versions that decided something and have not been taken back."""
        self._asked_at = 0
        """The version since which what is asked has been asked."""
        self.samples: list[Sample] = []
        self._private: dict[int, tuple[str, ...]] = {}
        """The events that not everybody may see, by their numbers: who may."""
        self._ended = [_Ended("", 0, 0, self._stood())]
        """The turns of persons that have ended, the last two of each power; first, for those who
        have had none yet, the start."""
        self._lines: Log[bytes] = Log()
        """The log: for each event its line, encoded."""
        self._pictures: dict[Powers, Picture] = {}
        """As they were last told to those who are connected."""
        self._drawn = _Drawn(0)
        self._copy: tuple[int, Game] | None = None
        self._about: bytes | None = None
        self.seconds = patience.QUICK_SECONDS
        """For how long the rules may think about a decision."""
        self.sound = True
        """Whether what is here is what is stored. If not, the room has to be opened anew."""
        self._last: Added | None = None
        """The newest row."""
        self._snapshot_at = 0
        """The version of which there is a snapshot."""
        if note is None:
            self.marks.append(Mark(self.game.version, len(self.game.events)))
            self._noted(0)
        else:
            self._recall(note)

    @classmethod
    def open(cls, database: Database, id: str, *, upto: int | None = None) -> Room:
        """The game with that id as the database has it; Problem 404 if there is none. With `upto`
        as it was at that version, all of it run from the start."""
        with database.reading() as session:
            head = session.get(GameRow, id)
            if head is None:
                raise nothing_there()
            seats = session.scalars(select(Seat).where(Seat.game == id).order_by(Seat.number)).all()
            version = head.version if upto is None else upto
            note = snapshots.read(session, head) if upto is None else None
            room = None if note is None else cls._taken_up(database, head, seats, note, session)
            if room is None:
                room = cls(database, head, seats)
                room._follow(_rows_between(session, id, 0, version))
            session.expunge_all()
        room.game.standing = room._standing()
        return room

    @classmethod
    def _taken_up(
        cls,
        database: Database,
        head: GameRow,
        seats: Sequence[Seat],
        note: Note,
        session: Session,
    ) -> Room | None:
        """The game from its snapshot on; None if that does not fit."""
        try:
            room = cls(database, head, seats, note)
            last, *rows = _rows_between(session, head.id, note.version - 1, head.version)
            room._last = Added.of(last)
            room._follow(rows)
        except Exception as error:
            # Whatever is wrong with it: the rows are the truth, and are run from the start.
            _log.warning("snapshot ignored", game=head.id, problem=str(error))
            return None
        return room

    # --- who is who --------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The number of changes that the game has had."""
        return len(self.marks) - 1

    @property
    def persons(self) -> bool:
        """Whether anybody plays but bots."""
        return any(seat.kind == "person" and not seat.bot for seat in self.seats)

    @property
    def running(self) -> bool:
        return self.head.status == "running"

    @property
    def waiting(self) -> list[str]:
        """The powers that have to decide."""
        return [request.power for request in self.game.pending] if self.running else []

    def viewer(self, powers: Powers) -> Powers:
        """Who counts the versions: all powers of whoever runs `powers`, at one screen too."""
        accounts = {seat.account for seat in self.seats if not powers.isdisjoint(seat.powers)}
        known = accounts - {None}
        same = (seat.powers for seat in self.seats if seat.account in known)
        return powers.union(*same)

    def number(self, powers: Powers) -> int:
        """The number of changes that those who run `powers` may know of."""
        return self.marks.number(self.viewer(powers), self.version)

    def _version(self, powers: Powers, number: int) -> int:
        """The version that has a number for those who run `powers`; one that is not there if none
        has."""
        return self.marks.version(self.viewer(powers), number)

    def seat_of(self, power: str) -> Seat | None:
        """The seat that runs a power."""
        return next((seat for seat in self.seats if power in seat.powers), None)

    def powers_of(self, account: str | None, player: str | None = None) -> Powers:
        """The powers through whose eyes an account looks; Problem 403 if `player` is not its."""
        mine = [seat for seat in self.seats if account is not None and seat.account == account]
        if player is not None:
            mine = [seat for seat in mine if seat.player == player]
            if not mine:
                raise Problem(403, "None of your seats at this table has that name.", field="as")
        return frozenset(power for seat in mine for power in seat.powers)

    def must_see(self, account: str | None, invite: str | None = None) -> None:
        """Problem 404 unless somebody may look at the table and the board."""
        if not may_see(self.head, self.seats, account, invite):
            raise nothing_there()

    def must_run(self, account: str, power: str) -> Seat:
        """The seat of a power; Problem 403 unless the account has it."""
        self.must_see(account)
        seat = self.seat_of(power)
        if seat is None or seat.account != account:
            raise Problem(403, "That is not for you to decide.", field="power")
        return seat

    def must_edit(self, account: str, power: str) -> None:
        """Problem 403 unless the account runs the power and plays alone, with nobody's clock: who
        has resigned was another, too."""
        if self.must_run(account, power).bot:
            raise Problem(409, "A bot plays for you. Take your seat back first.")
        others = any(
            seat.account not in (None, account) or seat.kind in ("open", "invited")
            for seat in self.seats
        )
        if others or self.head.clock is not None:
            raise Problem(
                403, "The position can be edited only in a game that one person plays, untimed."
            )

    # --- changing ----------------------------------------------------------------------------

    def decide(
        self,
        account: str | None,
        power: str,
        decision: object,
        version: int,
        stored: Stored | None = None,
    ) -> None:
        """Let the rules take a decision, and store it with what the dice showed. `account` is None
        for a bot, which knows all versions.

        Problem (not allowed, wrong moment), Stale and IllegalDecision change nothing. If it cannot
        be stored, nothing has happened either, but the room is no longer `sound`.
        """
        if account is not None:
            seat = self.must_run(account, power)
            if seat.bot:
                raise Problem(409, "A bot plays for you. Take your seat back first.")
            version = self._version(frozenset((power,)), version)
        elif (held := self.seat_of(power)) is None or not held.bot:
            # Its person has come back while the bot thought.
            raise Stale
        self._must_be_running()
        self._must_not_be_endless()
        if not self._current(power, version):
            raise Stale
        before, asked, pending = self.game.version, self.game.asked, self.game.pending
        free = self.game.at_rest
        right = self.game.request_for(power, decision) not in pending
        try:
            limited(self.seconds, self.game.submit, power, _shared(decision))
        except OutOfTime:
            self.sound = False
            raise
        entries = self.game.journal.since(before)
        self._add(power, account, entries, asked, free=free and not right)
        self._store(power, account, [("decide", entries)], stored, right=right)

    def edit(
        self,
        account: str,
        power: str,
        patch: dict[str, Any],
        version: int,
        stored: Stored | None = None,
    ) -> None:
        """Change the position by hand. Problem, Stale, IllegalDecision (not now) and PositionError
        change nothing."""
        self.must_edit(account, power)
        self._must_be_running()
        self._must_not_be_endless()
        if version != self.number(frozenset((power,))):
            raise Stale
        before, asked = self.game.version, self.game.asked
        try:
            limited(self.seconds, self.game.edit, _shared(patch))
        except OutOfTime:
            self.sound = False
            raise
        entries = self.game.journal.since(before)
        self._add(power, account, entries, asked)
        # Nothing that was asked has been answered with it.
        self._store(power, account, [("decide", entries)], stored, right=True)

    def _current(self, power: str, version: int) -> bool:
        """Whether a decision of a power that was made for `version` is one for now: the same, or
        since then only others have answered what was asked of all of them at once."""
        if not self._asked_at <= version <= self.version:
            return False
        return power not in self.marks.decided_since(version)

    def record(self, note: str, powers: Sequence[str], stored: Stored | None = None) -> None:
        """Let the game's journal and log say what has become of the person who runs `powers`. What
        was decided before stands from then on."""
        self._must_be_running()
        before, asked = self.game.version, self.game.asked
        self.game.note(note, powers)
        entries = self.game.journal.since(before)
        self._add("", None, entries, asked)
        self._store("", None, [("decide", entries)], stored)
        # Seats have changed with it.
        self.catch_up()

    def undo(
        self,
        account: str,
        power: str,
        version: int,
        stored: Stored | None = None,
        *,
        of: Collection[int] = (),
    ) -> int:
        """Take back the last decision, or those of the versions `of`, if they were this power's and
        nothing has come of them. Those after them are made again, all in one step; how many of
        these could not be without them. What others have decided in secret since stays."""
        self.must_run(account, power)
        self._must_be_running()
        mine = frozenset((power,))
        if version != self.number(mine):
            raise Stale
        open_to = self._takeable(mine)
        if not open_to:
            raise Problem(
                409,
                "Only your own last decision can be taken back, before a die has fallen, before "
                "anybody else has decided, and before anything secret was shown.",
            )
        chosen = {self._version(mine, number) for number in of}
        if not chosen <= set(open_to):
            raise Problem(409, "That decision cannot be taken back any more.", field="of")
        touched = open_to[open_to.index(min(chosen)) :] if of else open_to[-1:]
        later = [version for version in touched[1:] if version not in chosen]
        starts = [self.marks[self._before(each)].length for each in later]
        again = [self.game.journal[start] for start in starts]
        try:
            # All of it together: each by itself could take as long.
            made = limited(self.seconds, self._made_again, power, account, len(touched), again)
        except OutOfTime:
            self.sound = False
            raise
        undone: list[tuple[str, Sequence[Entry]]] = [("undo", []) for _ in touched]
        self._store(power, account, undone + [("decide", entries) for entries in made], stored)
        return len(later) - len(made)

    def _made_again(
        self, power: str, account: str, undone: int, again: Sequence[Entry]
    ) -> list[Sequence[Entry]]:
        """Take so many decisions back, and make some again as far as they are still possible; what
        came of each of these."""
        try:
            self._take_back(power, undone)
        except (IllegalDecision, JournalMismatch):
            raise Problem(409, "What others have decided since builds on it.") from None
        made: list[Sequence[Entry]] = []
        for entry in again:
            before, asked = self.game.version, self.game.asked
            try:
                if isinstance(entry, Edited):
                    self.game.edit(entry.patch)
                else:
                    assert isinstance(entry, Decided)
                    self.game.submit(power, entry.decision)
            except (IllegalDecision, PositionError):
                continue
            entries = self.game.journal.since(before)
            if any(isinstance(one, Rolled) for one in entries):
                # Nobody has asked for dice now.
                self.game = self.game.at(before)
                self.game.standing = self._standing()
                break
            self._add(power, account, entries, asked)
            made.append(entries)
        return made

    def undoable(self, powers: Powers) -> str:
        """The power among `powers` whose last decision could be taken back, or ""."""
        open_to = self._takeable(powers)
        return self.marks[open_to[-1]].power if open_to else ""

    def _takeable(self, powers: Powers) -> list[int]:
        """The versions whose decisions could be taken back, the oldest first: the last ones that
        `powers` may know of, all of the same power among them."""
        found: list[int] = []
        for version in reversed(self.stands if self.running else ()):
            if not self.marks.knows(powers, version):
                continue
            mark = self.marks[version]
            seat = self.seat_of(mark.power)
            if mark.final or mark.power not in powers or mark.account is None or seat is None:
                break
            if seat.account != mark.account or seat.bot:
                break
            if found and mark.power != self.marks[found[-1]].power:
                break
            found.append(version)
            if len(found) == _TAKEABLE:
                break
        return found[::-1]

    def _before(self, version: int) -> int:
        """The version that one of those that stand came after."""
        at = bisect_left(self.stands, version)
        return self.stands[at - 1] if at else 0

    def _back(self, powers: Powers) -> list[dict[str, Any]]:
        """What could be taken back, and where its lines stand in the log of those who run
        `powers`."""
        hidden = sorted(self._hidden(powers))
        viewer = self.viewer(powers)
        told = [
            (version, self.marks[self._before(version)].events, self.marks[version].events)
            for version in self._takeable(powers)
        ]
        return [
            {
                "version": self.marks.number(viewer, version),
                "lines": (start - bisect_left(hidden, start), end - bisect_left(hidden, end)),
            }
            for version, start, end in told
        ]

    def use_standing_orders(self, stored: Stored | None = None) -> bool:
        """Give the seats' standing orders to the game; whether they have answered something, which
        then is stored."""
        self.game.standing = self._standing()
        if not self.running or not self.game.standing:
            return False
        before, asked = self.game.version, self.game.asked
        (power, window), order = next(iter(self.game.standing.items()))
        try:
            limited(self.seconds, self.game.standing_order, power, window, order)
        except OutOfTime:
            self.sound = False
            raise
        entries = self.game.journal.since(before)
        if not entries:
            return False
        power = next(entry.power for entry in entries if isinstance(entry, Decided))
        self._add(power, None, entries, asked)
        self._store(power, None, [("decide", entries)], stored)
        return True

    def catch_up(self) -> None:
        """Follow what others have stored since. With the start everything may change: then the room
        has to be opened anew, and is not `sound`."""
        lobby = self.head.status == "lobby"
        with self._database.reading() as session:
            head = session.get(GameRow, self.id)
            if head is None:
                raise nothing_there()
            seats = session.scalars(
                select(Seat).where(Seat.game == self.id).order_by(Seat.number)
            ).all()
            rows = _rows_between(session, self.id, self.version, head.version)
            session.expunge_all()
        self.head = head
        self.seats = list(seats)
        self._follow(rows)
        self.game.standing = self._standing()
        if lobby and head.status != "lobby":
            self.sound = False

    @classmethod
    def last_note(cls, database: Database, id: str) -> tuple[Note, Log[bytes]] | None:
        """Run a game from its start; the last snapshot that can be taken on the way."""
        last = None
        with database.reading() as session:
            head = session.get_one(GameRow, id)
            seats = session.scalars(select(Seat).where(Seat.game == id).order_by(Seat.number)).all()
            room = cls(database, head, seats)
            for start in range(0, head.version, snapshots.EVERY):
                upto = min(head.version, start + snapshots.EVERY)
                room._follow(_rows_between(session, id, start, upto))
                last = room.note() or last
        return last

    def note(self) -> tuple[Note, Log[bytes]] | None:
        """A snapshot and the lines of the log, to be stored, if it is time for one and all of the
        position is in the state."""
        if self.version - self._snapshot_at < snapshots.EVERY:
            return None
        taken = self.game.snapshot_now()
        if taken is None:
            return None
        self._snapshot_at = self.version
        note = Note(
            self.version,
            snapshots.origin(self.head, self._last),
            self.game.hash,
            taken,
            self.marks.columns(),
            self.stands.tolist(),
            self._asked_at,
            self.samples[:],
            self._private.copy(),
            [self._left(ended) for ended in self._ended],
            [],
            self.game.edits,
        )
        return note, self._lines.fork()

    def bots_turn(self) -> Turn | None:
        """A decision that waits for a bot, if one does."""
        if not self.running:
            return None
        for request in self.game.pending:
            seat = self.seat_of(request.power)
            if seat is not None and seat.bot:
                return Turn(self.look(), request.power, seat.bot, self.version, self.head.creator)
        return None

    # --- seeing ------------------------------------------------------------------------------

    def look(self) -> Game:
        """A copy of the game as it stands, for whoever takes long to look at it. Read it only."""
        if self._copy is None or self._copy[0] != self.version:
            self._copy = self.version, self.game.clone()
        return self._copy[1]

    def request_of(self, power: str, kind: str = "") -> Request:
        """The request that waits for a power, or (with `kind`) the one or the right of that kind;
        Problem 409 if there is none."""
        rights = self.game.may if kind else ()
        for request in (*self.game.pending, *rights) if self.running else ():
            if request.power == power and kind in ("", request.kind):
                return request
        raise Problem(409, "Nothing waits for you just now.")

    def request_for(self, power: str, decision: object) -> Request:
        """What a decision of a power would be for, a right included; Problem 409 if nothing is."""
        if self.running:
            with suppress(IllegalDecision):
                return self.game.request_for(power, decision)
        raise Problem(409, "Nothing waits for you just now.")

    @property
    def about(self) -> Raw:
        """What does not change during the game, encoded."""
        if self._about is None:
            self._about = _ENCODER.encode(self.rules.about(self.game.state))
        return Raw(self._about)

    def asks(self, powers: Powers) -> dict[str, list[dict[str, Any]]]:
        """The open requests and the rights of these powers, as plain data."""

        def of(requests: Iterable[Request]) -> list[dict[str, Any]]:
            return [
                {**plain(request), "kind": request.kind, "prompt": request.prompt}
                for request in requests
                if request.power in powers
            ]

        if not self.running:
            return {"pending": [], "may": []}
        return {"pending": of(self.game.pending), "may": of(self.game.may)}

    def hello(self, powers: Powers, version: int, lines: int) -> dict[str, Any]:
        """Everything for a client that has `lines` lines of the log and was at `version`."""
        visible = self._visible(0, powers) if self.head.status != "lobby" else []
        known = self._version(powers, version)
        common = self.marks.events_since(known) if 0 <= known <= self.version else 0
        keep = min(max(lines, 0), sum(number < common for number in visible))
        self._pictures[powers] = picture = self._draw(powers)
        return {
            "version": self.number(powers),
            "about": self.about,
            "picture": whole(picture),
            "log": {"keep": keep, "add": self._some_lines(visible[keep:])},
            "steps": len(self._steps(powers)),
            **self.asks(powers),
            "undo": self.undoable(powers),
            "back": self._back(powers),
        }

    def update(self, powers: Powers, since: int) -> dict[str, Any]:
        """What is new for those who run `powers` and were told everything up to version `since`, by
        the count of all."""
        common = self.marks.events_since(since)
        before = self._pictures.get(powers)
        self._pictures[powers] = picture = self._draw(powers)
        return {
            "version": self.number(powers),
            "changes": self._drawn.changes_of(before, picture),
            "log": {
                "keep": common - sum(number < common for number in self._hidden(powers)),
                "add": self._some_lines(self._visible(common, powers)),
            },
            "steps": len(self._steps(powers)),
            **self.asks(powers),
            "waiting": self.waiting,
            "undo": self.undoable(powers),
            "back": self._back(powers),
        }

    def moved_for(self, powers: Powers, since: int) -> bool:
        """Whether there is anything new for those who run `powers` since a version, by the count
        of all."""
        viewer = self.viewer(powers)
        return self.marks.number(viewer, since) != self.marks.number(viewer, self.version)

    def _steps(self, powers: Powers) -> Sequence[int]:
        """The versions that stand of which those who run `powers` may know."""
        if not self.marks.secret:
            return self.stands
        return [version for version in self.stands if self.marks.knows(powers, version)]

    @property
    def shown(self) -> set[Powers]:
        """Through whose eyes there are pictures in memory, as they were last told."""
        return set(self._pictures)

    def forget(self, powers: Powers) -> None:
        """Nobody is connected any more who looks through the eyes of `powers`."""
        self._pictures.pop(powers, None)
        if not self._pictures:
            self._drawn = _Drawn(0)

    def moment(self, powers: Powers, at: int | None) -> Moment:
        """The game now, or as it was at version `at`, for `view`; Problem 404 if it never was so,
        or that has been taken back."""
        mark = self.marks[self.version if at is None else self._stood_at(powers, at, "at")]
        number = self.number(powers) if at is None else at
        return Moment(self.look(), mark.length, number, powers, self.about)

    def _stood_at(self, powers: Powers, number: int, field: str) -> int:
        """The version that those who run `powers` name."""
        version = self._version(powers, number)
        if not 0 <= version <= self.version or self.marks[version].gone:
            raise Problem(404, "The game has no such version, or it was taken back.", field=field)
        return version

    def past(self, powers: Powers) -> Story:
        """The game so far as those who run `powers` may see it, for `history`."""
        return Story(
            self.marks.copy(),
            self._steps(powers)[:],
            self.viewer(powers),
            self._lines.fork(),
            self._hidden(powers),
            {power.id: power.name for power in self.rules.about(self.game.state).powers},
            self.samples[:],
        )

    def since(self, powers: Powers) -> Since | None:
        """What has to be known for a report about what happened to those who run `powers` since
        their last turn; None unless a turn of theirs begins."""
        # Notes of the journal are nobody's decisions.
        deciders = (
            self.marks[version].power
            for version in reversed(self.stands)
            if self.marks.knows(powers, version)
        )
        last = next(filter(None, deciders), "")
        begins = self.game.at_rest and any(power in powers for power in self.waiting)
        if not begins or last in ("", *powers):
            return None
        ended = max(
            (each for each in self._ended if each.power in ("", *powers)),
            key=lambda each: each.version,
        )
        left = self._left(ended)
        numbers = self._visible(left.events, powers)
        return Since(
            powers,
            left.standing,
            self.look(),
            [bytes(line) for line in self._some_lines(numbers)],
            len(self._visible(0, powers)) - len(numbers),
        )

    def scenes(self, powers: Powers, after: int, most: int) -> Scenes:
        """What has to be known to show some steps after a version again; Problem 404 if it never
        was so, or that has been taken back."""
        start = self._stood_at(powers, after, "after")
        stands, viewer = self._steps(powers), self.viewer(powers)
        first = bisect_right(stands, start)
        steps = [
            (self.marks.number(viewer, version), self.marks[version].length)
            for version in stands[first : first + most]
        ]
        return Scenes(self.look(), powers, self.marks[start].length, steps)

    # --- inside ------------------------------------------------------------------------------

    def _stood(self) -> bytes:
        """What a report has to know of the position as it is now, packed."""
        state = self.game.state
        return _packed(standing(self.rules.picture(state, ()), self.rules.figures(state)))

    @staticmethod
    def _left(ended: _Ended) -> Left:
        known = _STANDING.decode(zlib.decompress(ended.standing))
        return Left(ended.power, ended.version, ended.events, known)

    def _begin(self, note: Note | None) -> Game:
        """The game before its first decision, or as it was when it was noted."""
        head = self.head
        options = self.rules.read_options(head.options)
        state = self.rules.start(options, head.position, None)
        past = None if note is None else _Rows(self, note)
        game = Game(self.rules, options, state, dice_of(head), setup=head.position, past=past)
        game.watch(self._staging.look)
        return game

    def _recall(self, note: Note) -> None:
        """Be as at the version that was noted."""
        if self.game.hash != note.hash:
            raise Misfit("it is another position")
        self.marks = Marks.of(note.marks)
        self.stands.extend(note.stands)
        self._asked_at = note.asked_at
        self.samples = note.samples
        self._private = note.private
        self._ended = [
            _Ended(left.power, left.version, left.events, _packed(left.standing))
            for left in note.left
        ]
        for line in note.lines:
            self._lines.append(bytes(line))
        self._lines.pack(_AT_HAND)
        self._snapshot_at = note.version
        here = self.marks[-1]
        told = len(self.game.events)
        if (self.version, here.length, here.events, len(self._lines)) != (
            note.version,
            self.game.version,
            told,
            told,
        ):
            raise Misfit("it stands elsewhere")

    def _standing(self) -> dict[tuple[str, str], Decision]:
        return {
            (power, window): Pass()
            for seat in self.seats
            if not seat.bot
            for power in seat.powers
            for window in seat.standing
        }

    def _must_not_be_endless(self) -> None:
        if self.version >= MOST_VERSIONS:
            raise Problem(409, "This game has become too long to go on here. Save it.")

    def _must_be_running(self) -> None:
        if self.head.status == "lobby":
            raise Problem(409, "The game has not been started yet.")
        if self.head.status == "over":
            raise Problem(409, "The game is over.")

    def _add(
        self,
        power: str,
        account: str | None,
        entries: Sequence[Entry],
        asked: Asked,
        *,
        free: bool = False,
    ) -> None:
        """Mark a new version: the game, which had `asked`, has just taken `entries`. `free`: it was
        a decision in a free loop, as turns are made of."""
        self.sound = False
        now = self.game.asked
        told = [event.to for event in self.game.events.since(self.marks[-1].events)]
        # Each goes on at its own pace, and nothing has been shown yet.
        secret = asked.any and now.any and None not in told
        answered = now is not asked and not secret
        edited = any(isinstance(entry, Edited) for entry in entries)
        shown = answered and not edited and (asked.any or len(asked.requests) > 1)
        final = any(isinstance(entry, Rolled | Noted) for entry in entries)
        known = None
        if secret and _powers_of(now) == _powers_of(asked):
            # Not even that there was anything.
            known = tuple(sorted({power}.union(*filter(None, told))))
        length, events = self.game.version, len(self.game.events)
        mark = Mark(length, events, power, account, shown or final, known=known)
        self.marks.append(mark)
        self.stands.append(self.version)
        if answered:
            self._asked_at = self.version
        self._noted(self.marks[-2].events)
        if (
            free
            and not edited
            and account is not None
            and all(each.power != power for each in now.requests)
        ):
            before = [each for each in self._ended if each.power == power][:-1]
            self._ended = [each for each in self._ended if each not in before]
            self._ended.append(_Ended(power, self.version, self.marks[-1].events, self._stood()))

    def _take_back(self, power: str, times: int) -> None:
        """Go back behind the last decisions of a power that stand; what others have decided in
        secret since is then done again as it was. Where nothing was secret it takes as long for
        several of them as for one."""
        self.sound = False
        last = [self.marks[version] for version in self.stands[-times:]]
        if times > 1 and all(mark.power == power and mark.known is None for mark in last):
            for _ in range(times):
                self.stands.pop()
                before = self.marks[self.stands[-1] if self.stands else 0]
                self.marks.take_back(before.length)
                self.marks.append(Mark(before.length, before.events, power))
            self._return_to(before)
            self._asked_at = self.version
        else:
            for _ in range(times):
                self._take_one_back(power)
        self.samples = [s for s in self.samples if not self.marks[s.version].gone]
        self._ended = [each for each in self._ended if not self.marks[each.version].gone]

    def _take_one_back(self, power: str) -> None:
        at = len(self.stands) - 1
        while self.marks[self.stands[at]].power != power:
            at -= 1
        version = self.stands.pop(at)
        mark, before = self.marks[version], self.marks[self.stands[at - 1] if at else 0]
        entries = self.game.journal.since(mark.length)
        self._return_to(before)
        if mark.known is None and at == len(self.stands):
            self.marks.take_back(before.length)
        else:
            # No version of anybody else's becomes another one by it.
            self.marks.take_out(version, mark.length - before.length, mark.events - before.events)
            for later in self.stands[at:]:
                start, taken = len(self.game.events), self.marks[later].length - self.game.version
                self.game.follow([again(entry) for entry in entries[:taken]])
                entries = entries[taken:]
                self._noted(start)
        length, events = self.game.version, len(self.game.events)
        self.marks.append(Mark(length, events, power, known=mark.known))
        if mark.known is None:
            self._asked_at = self.version

    def _return_to(self, before: Mark) -> None:
        """Let the game be as it was at a version."""
        if before.length < self.marks[self._snapshot_at].length:
            # It would have to be run from the start again: a new one is due.
            self._snapshot_at = 0
        standing = self.game.standing
        self.game = self.game.at(before.length)
        self.game.standing = standing
        self._lines = self._lines.upto(before.events)
        self._staging.resume(_LINE.decode(self._lines[-1]) if len(self._lines) else None)
        self.game.watch(self._staging.look)
        self._private = {n: to for n, to in self._private.items() if n < before.events}

    def _pass_over(self, version: int) -> None:
        """Come to a version by decisions that were all taken back."""
        here = self.marks[-1]
        while self.version < version:
            gone = self.version + 1 < version
            self.marks.append(Mark(here.length, here.events, gone=gone))
        self._asked_at = self.version

    def _follow(self, rows: Iterable[Row]) -> None:
        """Take what is stored."""
        undone = 0
        by = ""
        for row in rows:
            first = msgspec.json.decode(row.entries) if row.kind == "gone" else row.version
            if first != self.version + undone + 1:
                self.sound = False
                raise Problem(503, "The game could not be read from the database. Try again.")
            if undone and (row.kind, row.power) != ("undo", by):
                self._take_back(by, undone)
                undone = 0
            self._last = Added.of(row)
            if row.kind == "undo":
                undone, by = undone + 1, row.power
                continue
            if row.kind == "gone":
                self._pass_over(row.version)
                continue
            before, asked, free = self.game.version, self.game.asked, self.game.at_rest
            plain_entries = _shared(msgspec.json.decode(row.entries))
            name = f"{row.version} of {self.id}"
            self.game.follow([entry_from_plain(entry, name) for entry in plain_entries])
            account = None if row.account is None else intern(row.account)
            entries = self.game.journal.since(before)
            free &= any(each.power == row.power for each in asked.requests)
            self._add(intern(row.power), account, entries, asked, free=free)
        if undone:
            self._take_back(by, undone)
        self.sound = True

    def _store(
        self,
        power: str,
        account: str | None,
        added: Sequence[tuple[str, Sequence[Entry]]],
        stored: Stored | None,
        *,
        right: bool = False,
    ) -> None:
        """Store the newest versions, each by its kind and entries, in one transaction, unless
        another process was first. Who has used a right has answered nothing yet, and waits no
        shorter for it; and of what is secret no time tells."""
        now = datetime.now(UTC)
        before = self.version - len(added)
        secret = all(self.marks[version + 1].known for version in range(before, self.version))
        result = self.game.result
        waiting = [request.power for request in self.game.pending]
        changed = {
            "version": self.version,
            "secrets": self.marks.counts(),
            "waiting": waiting,
            "result": plain(result),
            "status": "over" if result is not None else "running",
            "edited": bool(self.game.edits),
            "updated": self.head.updated if secret else now,
        }
        rows = [
            Added(version, kind, power, account, _ENCODER.encode([one.plain() for one in entries]))
            for version, (kind, entries) in enumerate(added, before + 1)
        ]
        with self._database.transaction() as session:
            connection = session.connection()
            found = connection.execute(_MOVE, {**changed, "of": self.id, "before": before})
            if found.rowcount != 1:
                raise Overtaken
            connection.execute(
                _ADD, [{"game": self.id, **row._asdict(), "at": now} for row in rows]
            )
            self._last = rows[-1]
            for name, value in changed.items():
                setattr(self.head, name, value)
            for seat in self.seats:
                since = seat.since
                if not any(each in waiting for each in seat.powers):
                    since = None
                elif since is None or (power in seat.powers and not right and not secret):
                    since = now
                if since != seat.since:
                    seat.since = since
                    connection.execute(
                        CHANGE_SEAT, {"of": self.id, "seat": seat.number, "since": since}
                    )
            if stored is not None:
                stored(session, self)
        self.sound = True

    def _noted(self, start: int) -> None:
        """Draw the newest events, from `start` on, and take the figures if a round has begun."""
        begun = not self.samples
        events = self.game.events.since(start)
        lines = self._staging.lines(start, events, self.game.state)
        for number, (event, line) in enumerate(zip(events, lines, strict=True), start):
            self._lines.append(_ENCODER.encode(line))
            if event.to is not None:
                self._private[number] = event.to
            begun = begun or line.level == 0
        if begun:
            state = self.game.state
            title = self.rules.picture(state, ()).moment.title
            figures = Raw(_ENCODER.encode(self.rules.figures(state)))
            self.samples.append(Sample(self.version, title, figures))
        self._lines.pack(_AT_HAND)
        self.game.pack(_AT_HAND)

    def _draw(self, powers: Powers) -> Picture:
        """The position as those who run `powers` see it: one picture for all who see the same."""
        if self._drawn.version != self.version:
            self._drawn = _Drawn(self.version)
        pictures = self._drawn.pictures
        eyes = powers.intersection(self.rules.secrets(self.game.state))
        if eyes not in pictures:
            pictures[eyes] = self.rules.picture(self.game.state, eyes)
        return pictures[eyes]

    def _hidden(self, powers: Powers) -> set[int]:
        """The numbers of the events that those who run `powers` may not see."""
        return {number for number, to in self._private.items() if powers.isdisjoint(to)}

    def _visible(self, start: int, powers: Powers) -> list[int]:
        """The numbers of the events from `start` on that those who run `powers` may see."""
        hidden = self._hidden(powers)
        return [number for number in range(start, len(self._lines)) if number not in hidden]

    def _some_lines(self, numbers: Sequence[int]) -> list[Raw]:
        """The lines of events; `numbers` go up."""
        if not numbers:
            return []
        first = numbers[0]
        lines = self._lines.since(first)
        return [Raw(lines[number - first]) for number in numbers]


def _powers_of(asked: Asked) -> list[str]:
    return [request.power for request in asked.requests]


def _packed(value: Any) -> bytes:
    return zlib.compress(_ENCODER.encode(value))


def _shared(value: Any, depth: int = 8) -> Any:
    """Plain data whose strings are shared: the same few names come in thousands of decisions."""
    if isinstance(value, str):
        return intern(value)
    if isinstance(value, list) and depth:
        return [_shared(each, depth - 1) for each in value]
    if isinstance(value, dict) and depth:
        return {intern(key): _shared(each, depth - 1) for key, each in value.items()}
    return value


def _rows_between(session: Session, id: str, after: int, upto: int) -> Sequence[Row]:
    """The rows of a game after a version and up to another."""
    chosen = select(Row).where(Row.game == id, Row.version > after, Row.version <= upto)
    return session.scalars(chosen.order_by(Row.version)).all()


def dice_of(head: GameRow) -> Dice:
    """The dice of a game: our own; after those of the save, if it goes on from one."""
    own = VerifiedDice(head.secret, tuple(head.entropy), head.id, tuple(head.commitments or ()))
    if head.dice is None:
        return own
    return ContinuedDice.after(dice_from_header(head.dice["dice"]), head.dice["rolls"], own)


def at_table(head: GameRow, seats: Sequence[Seat], account: str) -> bool:
    """Whether an account has made the table, or sits at it."""
    return head.creator == account or any(seat.account == account for seat in seats)


def may_see(
    head: GameRow, seats: Sequence[Seat], account: str | None, invite: str | None = None
) -> bool:
    """Whether somebody may look at a table and its board."""
    if head.access != "private" or (account is not None and at_table(head, seats, account)):
        return True
    return invite is not None and any(s.kind == "invited" and s.invite == invite for s in seats)


def nothing_there() -> Problem:
    """For games that are not there, and for those that somebody may not know about."""
    return Problem(404, "There is no such game, or you may not see it.")
