"""All games that are in memory: work on each is done in a thread, one piece at a time; what comes
of it is told to those who are connected; and bots are given their turn.

What moves games has threads of its own. Whatever takes long, opening a game and answering questions
about it, is done in others, and of each person one piece at a time."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import msgspec
import structlog
from fastapi import FastAPI
from sqlalchemy import select
from sqlalchemy.orm import Session

from sandtable.kernel.errors import IllegalDecision
from sandtable.kernel.game import Game, Rolled
from sandtable.kernel.log import Log
from sandtable.server import lobby, metrics, openings, patience, snapshots
from sandtable.server.accounts import Person, valid_sessions
from sandtable.server.database import Database
from sandtable.server.errors import Problem
from sandtable.server.live import Live, News
from sandtable.server.patience import OutOfTime, limited
from sandtable.server.room import CHANGE_SEAT, Room, Stale, Turn, may_see, nothing_there
from sandtable.server.schemas import GameInfo, RemarkInfo
from sandtable.server.shares import Shares
from sandtable.server.snapshots import Note
from sandtable.server.sockets import AGAIN, STOPPING, UNWANTED, Connection
from sandtable.server.tables import Account, GameRow, Remark, Seat
from sandtable.server.turns import Turns
from sandtable.server.workers import BotFailed, Workers

T = TypeVar("T")
A = TypeVar("A")
Tell = Callable[[], None]
"""Sends something to a connection, or ends it; called in the loop, which connections belong to."""

MOST = 400
"""Games in memory to which nobody is connected."""
MOST_VERSIONS = 500_000
"""Of all these together: a long game takes more room."""
IDLE_SECONDS = 600
"""After that a game to which nobody is connected leaves the memory."""
CHAT_SHOWN = 100
MOST_SPECTATORS = 250
"""Of one game, in this process. Whoever has a seat is not counted, and always gets in."""
MOST_OF_ONE = 20
"""Connections of one player, or of the spectators at one address, to one game."""

BOTS_REST = 10.0
"""Seconds after which bots that have failed try again; twice as many each time."""

TOGETHER = 500
"""Tables whose presence is noted in one transaction."""

_THREADS = 2
_SLOW_THREADS = 1
_OPENING = 2
_QUESTIONS = 3
_SLOW_QUESTIONS = 3
"""Threads for what moves games, for what of that takes long, for taking games into memory, and for
what is asked about them. More of them would only wait for each other: at 200 games, eight take five
times as long as two."""
_SLOW_FOR = 60.0
"""For so many seconds a game in which something took long gives way to the others."""
_PAUSE = 0.08
_PAUSE_AFTER_DICE = 0.25
"""Between the decisions of bots while somebody watches, in seconds: so that people can follow."""

_log = structlog.get_logger("sandtable.rooms")


@dataclass
class _Table:
    """A game in this process: its room while it is in memory, and who is connected."""

    id: str
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    room: Room | None = None
    creator: str = ""
    connections: list[Connection] = field(default_factory=list)
    told: int = 0
    """The version that all connections know."""
    status: str = ""
    """The status that all connections know."""
    edited: bool = False
    """And whether the position was changed by hand."""
    changed: bool = False
    """Seats or the like have changed, and the connections do not know it yet."""
    presence: tuple[tuple[int, ...], int] = ((), 0)
    elsewhere: dict[str, tuple[tuple[int, ...], int]] = field(default_factory=dict)
    """The seats and the number of spectators that are connected to other processes."""
    bots: asyncio.Task[None] | None = None
    bots_rest: float = 0.0
    """Until when bots that have failed are left alone."""
    bots_failed: int = 0
    """How often in a row."""
    used: float = 0.0
    slow_until: float = 0.0
    """Until when what concerns it is done apart from what moves other games."""

    @property
    def ready(self) -> bool:
        """Whether the game is in memory as it is stored."""
        return self.room is not None and self.room.sound


class Rooms:
    """The games of this process. What concerns one game is done under its lock; messages are put
    into the connections' queues under it as well, and so are in order."""

    def __init__(self, database: Database, live: Live, workers: Workers) -> None:
        self._database = database
        self._live = live
        self._workers = workers
        self._tables: OrderedDict[str, _Table] = OrderedDict()
        self._threads = anyio.CapacityLimiter(_THREADS)
        self._slow_threads = anyio.CapacityLimiter(_SLOW_THREADS)
        self._moves = Turns()
        self._opening = Shares(_OPENING), anyio.CapacityLimiter(_OPENING)
        self._questions = Turns(), Shares(_QUESTIONS), anyio.CapacityLimiter(_QUESTIONS)
        self._slow_questions = (
            Turns(),
            Shares(_SLOW_QUESTIONS),
            anyio.CapacityLimiter(_SLOW_QUESTIONS),
        )
        self._openings = openings.Openings()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    # --- working on a game -------------------------------------------------------------------

    async def run(self, id: str, work: Callable[[Room], T]) -> T:
        """Do `work` on a game in a thread, nobody else being at it, and tell everybody what has
        changed. Once begun it is finished, whether or not the caller still waits."""
        return await self._finish(self._run(id, work))

    async def ask(
        self,
        id: str,
        who: str,
        look: Callable[[Room], A],
        answer: Callable[[A], T],
        *,
        where: str = "",
        slow: bool = False,
        seconds: float | None = None,
    ) -> T:
        """Take from a game what is needed, then find an answer, for which the game need not wait.
        Few are answered at a time, one of each person, not all of one address (`where`); those that
        may take long do not hold up the others, and none takes longer than `seconds`."""
        turns, shares, limiter = self._slow_questions if slow else self._questions
        async with turns.of(who):
            taken = await self.run(id, look)
            async with shares.of(who, where):
                most = patience.QUESTION_SECONDS if seconds is None else seconds
                try:
                    return await self._thread(limited, most, answer, taken, limiter=limiter)
                except OutOfTime:
                    # What was shared with the game may be half done.
                    if (table := self._tables.get(id)) and table.room:
                        table.room.sound = False
                    raise

    def turn(self, who: str) -> AbstractAsyncContextManager[None]:
        """What `ask` waits for, for whoever else comes to a game: one at a time of each person."""
        return self._questions[0].of(who)

    async def decide(
        self, id: str, account: str | None, power: str, decision: object, version: int
    ) -> int:
        """A decision of a person, or (`account` is None) of a bot; the new version, as the person
        counts."""
        began = time.perf_counter()

        def work(room: Room) -> int:
            room.decide(account, power, decision, version, self._moved)
            metrics.DECISIONS.labels(room.rules.id, "person" if account else "bot").inc()
            return room.number(frozenset((power,)))

        reached = await (self.run(id, work) if account is None else self._move(id, account, work))
        metrics.TELLING.observe(time.perf_counter() - began)
        return reached

    async def edit(
        self, id: str, account: str, power: str, patch: dict[str, Any], version: int
    ) -> int:
        """Change a position by hand; the new version."""

        def work(room: Room) -> int:
            room.edit(account, power, patch, version, self._moved)
            return room.number(frozenset((power,)))

        return await self._move(id, account, work)

    async def undo(
        self, id: str, account: str, power: str, version: int, of: Collection[int] = ()
    ) -> tuple[int, int]:
        """Take decisions back, the last or those of some versions; the new version, and how many
        later ones went with them."""

        def work(room: Room) -> tuple[int, int]:
            lost = room.undo(account, power, version, self._moved, of=of)
            return room.number(frozenset((power,))), lost

        return await self._move(id, account, work)

    async def _move(self, id: str, account: str, work: Callable[[Room], T]) -> T:
        """Of each person one thing at a time, at however many tables: the threads that move games
        are for all."""
        async with self._moves.of(account):
            return await self.run(id, work)

    async def refresh(self, id: str) -> None:
        """The table (seats, status, standing orders) has been changed in the database: look again,
        and tell everybody here. A table in the lobby at which nobody looks is not opened."""
        if id not in self._tables and await self._thread(self._in_lobby, id):
            return
        table = self._table(id)

        def work(room: Room) -> None:
            table.changed = True
            room.catch_up()
            table.creator = self._creator(room)
            if room.sound:
                room.use_standing_orders(self._moved)

        await self.run(id, work)

    async def catch_up(self, id: str) -> None:
        """Another process may have moved the game on: follow it, if it is in memory here."""
        if id in self._tables:
            await self.run(id, Room.catch_up)

    def removed(self, id: str) -> None:
        """The game is not in the database any more."""
        table = self._tables.pop(id, None)
        if table is not None:
            for connection in table.connections:
                connection.end(UNWANTED, "The table was given up.")

    async def info(
        self, id: str, account: str | None, invite: str | None = None, *, left: bool = False
    ) -> GameInfo:
        """What an account is told about a table; Problem 404 if it may not see it, unless it has
        just `left`."""
        table = self._tables.get(id)
        if table is None:
            # Not worth taking the whole game into memory.
            return await self._thread(self._stored_info, id, account, invite, left)

        def work(room: Room) -> GameInfo:
            if not left:
                room.must_see(account, invite)
            return self._info(table, room, account, invite)

        return await self.run(id, work)

    def present(self, id: str) -> tuple[tuple[int, ...], int]:
        """The seats whose persons are connected, and the number of spectators."""
        table = self._tables.get(id)
        return table.presence if table is not None else ((), 0)

    # --- connections -------------------------------------------------------------------------

    async def connect(self, id: str, connection: Connection, version: int, lines: int) -> None:
        """Say hello to a new connection, which from then on is told everything."""
        table = self._table(id)

        def joined(text: str) -> None:
            connection.send(text)
            # It may have gone while it was greeted.
            if not connection.ended:
                table.connections.append(connection)

        await self._greet(id, connection, self._greeting(table, connection, version, lines), joined)
        await self._finish(self._notice_presence(table))

    async def greet(self, id: str, connection: Connection, version: int, lines: int) -> None:
        """Say hello once more to a connection that has lost track."""
        table = self._table(id)
        work = self._greeting(table, connection, version, lines)
        await self._greet(id, connection, work, connection.send)

    async def _greet(
        self,
        id: str,
        connection: Connection,
        work: Callable[[Room], str],
        done: Callable[[str], None],
    ) -> None:
        """Greet among those who ask: the log of a long game is large, and whoever comes back to it
        again and again does not hold up those who decide."""
        _, shares, limiter = self._questions
        where = connection.address
        async with shares.of(connection.account or where, where):
            await self._finish(self._run(id, work, done, limiter))

    async def disconnect(self, id: str, connection: Connection) -> None:
        """A connection has ended."""
        table = self._tables.get(id)
        if table is None or connection not in table.connections:
            return
        table.connections.remove(connection)
        await self._finish(self._notice_presence(table, connection.account))

    async def say(self, id: str, who: Person, text: str) -> RemarkInfo:
        """Add a remark to a game's chat, and tell everybody."""
        table = self._table(id)

        def store(room: Room) -> RemarkInfo:
            room.must_see(who.id)
            seat = next((s for s in room.seats if s.account == who.id and s.player), None)
            with self._database.transaction() as session:
                remark = Remark(
                    game=id,
                    account=who.id,
                    name=seat.player if seat else who.name,
                    registered=seat.registered if seat else not who.guest,
                    text=text,
                    at=datetime.now(UTC),
                )
                session.add(remark)
                session.flush()
                self._live.tell(session, News("chat", id, number=remark.id))
                return _remark(remark)

        def told(remark: RemarkInfo) -> None:
            _send_all(table, {"type": "chat", "remark": remark})

        return await self._finish(self._run(id, store, told))

    async def pulse(self) -> None:
        """Note in the database that those who are connected still are, and send those away whose
        session has ended; every 20 seconds or so."""
        everybody = [each for table in self._tables.values() for each in table.connections]
        sessions = {each.session for each in everybody if each.session is not None}
        valid = await self._thread(valid_sessions, self._database, sessions)
        for connection in everybody:
            if connection.session is not None and connection.session not in valid:
                connection.end(AGAIN, "Your session has ended. Connect again.")
        tables = [each for each in self._tables.values() if each.connections and each.room]
        for start in range(0, len(tables), TOGETHER):
            await self._thread(self._note_presence, tables[start : start + TOGETHER], None)

    def tidy(self) -> None:
        """Let games leave the memory that nobody has used for a while."""
        before = time.monotonic() - IDLE_SECONDS
        idle = [table for table in self._tables.values() if _unused(table)]
        spare = len(idle) - MOST
        versions = sum(_versions(table) for table in idle)
        for number, table in enumerate(idle):
            if table.used < before or number < spare or versions > MOST_VERSIONS:
                versions -= _versions(table)
                del self._tables[table.id]
        metrics.ROOMS.set(len(self._tables))

    # --- other processes ---------------------------------------------------------------------

    async def heard(self, news: News) -> None:
        """Another process tells something."""
        if news.what == "stopped":
            for each in list(self._tables.values()):
                if each.elsewhere.pop(news.process, None) is not None:
                    self._tell_presence(each)
            return
        table = self._tables.get(news.game)
        if table is None:
            return
        if news.what == "info":
            try:
                await self.refresh(news.game)
            except Problem as problem:
                if problem.status != 404:
                    raise
                self.removed(news.game)
        elif news.what == "moved":
            if table.room is None or not table.ready or table.room.version < news.version:
                await self.catch_up(news.game)
        elif news.what == "presence":
            table.elsewhere[news.process] = (news.seats, news.spectators)
            self._tell_presence(table)
        elif news.what == "chat":
            # Nobody is greeted meanwhile, and so misses it.
            async with table.lock:
                remark = await self._thread(self._stored_remark, news.number)
                if remark is not None:
                    _send_all(table, {"type": "chat", "remark": remark})

    async def missed(self) -> None:
        """Other processes could not be heard for a while: look at everything again."""
        for id in list(self._tables):
            await self.heard(News("info", id))

    async def close(self) -> None:
        """The server stops: what has begun is finished, nobody is told anything more."""
        self._closed = True
        for table in self._tables.values():
            if table.bots is not None:
                table.bots.cancel()
            for connection in table.connections:
                connection.end(STOPPING, "The server is stopping. Connect again in a moment.")
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- bots --------------------------------------------------------------------------------

    async def drive(self, id: str) -> None:
        """Let the bots of a game decide if it is their turn and nobody sees to it."""
        await self.run(id, lambda room: None)

    def _wake_bots(self, table: _Table) -> None:
        """Let bots play if it is their turn, unless nobody would see it, neither a player nor a
        spectator, or they have failed a short while ago."""
        room = table.room
        if table.bots is not None or self._closed or room is None or not _followed(table, room):
            return
        if time.monotonic() >= table.bots_rest and room.bots_turn():
            table.bots = self._kept(self._play_bots(table))

    async def _play_bots(self, table: _Table) -> None:
        """Decide for the bots of a game, one decision after the other, until a person has to."""

        def look(room: Room) -> Turn | None:
            return room.bots_turn() if _followed(table, room) else None

        def looked(turn: Turn | None) -> None:
            if turn is None:
                # Here, under the lock: whoever changes the game next wakes the bots anew.
                table.bots = None

        try:
            while turn := await self._finish(self._run(table.id, look, looked)):
                began = time.monotonic()
                decision = await self._think(table, turn)
                if table.connections:
                    pause = _pause(turn.game)
                    await asyncio.sleep(max(0.0, began + pause - time.monotonic()))
                try:
                    await self.decide(table.id, None, turn.power, decision, turn.version)
                except Stale:
                    continue
                table.bots_failed = 0
        except (Problem, BotFailed, IllegalDecision) as error:
            # A later sweep, or whoever looks at the game then, wakes them again.
            table.bots_rest = time.monotonic() + BOTS_REST * 2 ** min(table.bots_failed, 8)
            table.bots_failed += 1
            _log.warning("bots stopped", game=table.id, problem=str(error))
        except Exception:
            _log.exception("bots stopped", game=table.id)
        finally:
            if table.bots is asyncio.current_task():
                table.bots = None

    async def _think(self, table: _Table, turn: Turn) -> dict[str, Any]:
        # Not to be foreseen: people could find out what the bot is going to decide in secret.
        seed = secrets.randbits(32)
        with metrics.THINKING.labels(turn.game.rules.id, turn.bot).time():
            return await self._workers.think(
                table.id, turn.game, turn.power, turn.bot, seed, turn.owner
            )

    # --- inside ------------------------------------------------------------------------------

    def _table(self, id: str) -> _Table:
        table = self._tables.get(id)
        if table is None:
            table = self._tables[id] = _Table(id)
            metrics.ROOMS.set(len(self._tables))
        self._tables.move_to_end(id)
        table.used = time.monotonic()
        return table

    async def _run(
        self,
        id: str,
        work: Callable[[Room], T],
        done: Callable[[T], None] | None = None,
        limiter: anyio.CapacityLimiter | None = None,
    ) -> T:
        """As `run`; `done` is called with the result while the game is still locked."""
        table = self._table(id)
        async with table.lock:
            if not table.ready:
                try:
                    await self._opened(table)
                except Problem as problem:
                    if problem.status == 404 and not table.connections:
                        self._tables.pop(id, None)
                    raise
            if limiter is None and time.monotonic() < table.slow_until:
                limiter = self._slow_threads
            result, error, messages = await self._thread(self._work, table, work, limiter=limiter)
            if isinstance(error, OutOfTime) and not table.ready:
                # Once more with more time, where nobody waits for it but who wants the same.
                await self._opened(table)
                assert table.room is not None
                table.room.seconds = patience.DECISION_SECONDS
                result, error, messages = await self._thread(
                    self._work, table, work, limiter=self._slow_threads
                )
                table.room.seconds = patience.QUICK_SECONDS
            for tell in messages:
                tell()
            if not table.ready:
                try:
                    await self._opened(table)
                except Exception as raised:
                    error = error or raised
            if error is not None:
                raise error
            answer: T = result
            if done is not None:
                done(answer)
            self._wake_bots(table)
            return answer

    def _work(
        self, table: _Table, work: Callable[[Room], T]
    ) -> tuple[T, Exception | None, list[Tell]]:
        """In a thread: the result of `work` or what it raised, and what tells the connections,
        unless the room is not sound any more."""
        room = table.room
        assert room is not None
        began = time.thread_time()
        result: Any = None
        error: Exception | None = None
        try:
            result = work(room)
        except Exception as raised:
            error = raised
        messages = self._news(table, room) if room.sound else []
        if room.sound and (note := room.note()):
            messages.append(lambda: self._write_later(table.id, *note))
        if time.thread_time() - began > patience.QUICK_SECONDS:
            # Not for the decision alone: to draw such a position takes long as well.
            table.slow_until = time.monotonic() + _SLOW_FOR
        return result, error, messages

    def _write_later(self, id: str, note: Note, lines: Log[bytes]) -> None:
        """Store a snapshot, for which nobody waits."""

        async def write() -> None:
            try:
                await self._thread(
                    snapshots.write, self._database, id, note, lines, limiter=self._opening[1]
                )
            except Problem as problem:
                _log.warning("snapshot not stored", game=id, problem=problem.error)

        self._kept(write())

    async def _opened(self, table: _Table) -> None:
        """Take a game into memory, and tell the connections what they do not know yet. A long one
        without a snapshot gets one first, in a process of its own; and whoever has had many games
        opened lately lets others go before."""
        creator, rows = await self._thread(self._to_run, table.id)
        if rows > openings.LONG:
            await self._openings.prepare(self._database.url, table.id, creator)
        try:
            messages = await self._open_for(creator, table)
        except OutOfTime:
            await self._openings.prepare(self._database.url, table.id, creator)
            messages = await self._open_for(creator, table)
        for tell in messages:
            tell()

    async def _open_for(self, creator: str, table: _Table) -> list[Tell]:
        shares, limiter = self._opening
        async with shares.of(creator):
            return await self._thread(self._open, table, limiter=limiter)

    def _to_run(self, id: str) -> tuple[str, int]:
        """Who has made a table, and how many rows have to be run to open it."""
        with self._database.reading() as session:
            head = session.get(GameRow, id)
            if head is None:
                raise nothing_there()
            if head.version <= openings.LONG:
                return head.creator, head.version
            note = snapshots.read(session, head)
            return head.creator, head.version - (note.version if note else 0)

    def _open(self, table: _Table) -> list[Tell]:
        room = limited(patience.OPENING_SECONDS, Room.open, self._database, table.id)
        table.creator = self._creator(room)
        table.room = room
        if not table.connections:
            table.told, table.status, table.changed = room.version, room.head.status, False
            table.edited = room.head.edited
        return self._news(table, room)

    def _creator(self, room: Room) -> str:
        """The name of who made a table."""
        creator = room.head.creator
        return lobby.names_of(self._database, [creator]).get(creator, "")

    def _news(self, table: _Table, room: Room) -> list[Tell]:
        """What the connections do not know yet. Never fails: the game has moved on already."""
        try:
            return self._unknown(table, room)
        except Exception:
            _log.exception("nobody could be told", game=table.id)
            again = AGAIN, "Something went wrong. Connect again."
            return [partial(connection.end, *again) for connection in list(table.connections)]
        finally:
            table.told, table.status, table.changed = room.version, room.head.status, False
            table.edited = room.head.edited

    def _unknown(self, table: _Table, room: Room) -> list[Tell]:
        moved = room.version != table.told
        started = table.status == "lobby" != room.head.status
        changed = table.changed or room.head.status != table.status
        changed = changed or room.head.edited != table.edited
        messages: list[Tell] = []
        updates: dict[frozenset[str], str] = {}
        if moved and not started:
            # Before anybody is greeted: that counts as told to all who see the same.
            for powers in {each.powers for each in table.connections}:
                if room.moved_for(powers, table.told):
                    updates[powers] = _text({"type": "update", **room.update(powers, table.told)})
        for connection in list(table.connections) if moved or changed else ():
            news = connection.powers in updates
            if changed:
                now = _powers(room, connection)
                if now is None:
                    unwanted = UNWANTED, "You may not see this game any more."
                    messages.append(partial(connection.end, *unwanted))
                    continue
                if started or now != connection.powers:
                    connection.powers = now
                    hello = self._hello(table, room, connection, 0, 0)
                    messages.append(partial(connection.send, hello))
                    continue
            if news:
                messages.append(partial(connection.send, updates[connection.powers]))
            if changed or (news and room.head.clock is not None):
                info = self._info(table, room, connection.account)
                messages.append(partial(connection.send, _text({"type": "info", "info": info})))
        return messages

    def _greeting(
        self, table: _Table, connection: Connection, version: int, lines: int
    ) -> Callable[[Room], str]:
        def work(room: Room) -> str:
            room.must_see(connection.account)
            connection.powers = room.powers_of(connection.account, connection.player)
            _must_find_room(table, room, connection)
            return self._hello(table, room, connection, version, lines)

        return work

    def _hello(
        self, table: _Table, room: Room, connection: Connection, version: int, lines: int
    ) -> str:
        latest = select(Remark).where(Remark.game == table.id).order_by(Remark.id.desc())
        with self._database.reading() as session:
            chat = [_remark(remark) for remark in session.scalars(latest.limit(CHAT_SHOWN))]
        info = self._info(table, room, connection.account)
        known = room.hello(connection.powers, version, lines)
        return _text({"type": "hello", "info": info, **known, "chat": chat[::-1]})

    def _info(
        self, table: _Table, room: Room, account: str | None, invite: str | None = None
    ) -> GameInfo:
        return lobby.info(
            room.head,
            room.seats,
            table.creator,
            account,
            *table.presence,
            invite,
            version=room.number(room.powers_of(account)),
        )

    def _stored_info(
        self, id: str, account: str | None, invite: str | None, left: bool
    ) -> GameInfo:
        with self._database.reading() as session:
            head = session.get(GameRow, id)
            if head is None:
                raise nothing_there()
            chosen = select(Seat).where(Seat.game == id).order_by(Seat.number)
            seats = session.scalars(chosen).all()
            creator = session.get(Account, head.creator)
            session.expunge_all()
        if not left and not may_see(head, seats, account, invite):
            raise nothing_there()
        return lobby.info(head, seats, creator.name if creator else "", account, invite=invite)

    def _in_lobby(self, id: str) -> bool:
        with self._database.reading() as session:
            return session.scalar(select(GameRow.status).where(GameRow.id == id)) == "lobby"

    def _stored_remark(self, number: int) -> RemarkInfo | None:
        with self._database.reading() as session:
            remark = session.get(Remark, number)
            return _remark(remark) if remark is not None else None

    # --- presence ----------------------------------------------------------------------------

    async def _notice_presence(self, table: _Table, gone: str | None = None) -> None:
        """Somebody has come or gone: tell those who are here, and the other processes."""
        async with table.lock:
            room = table.room
            if room is not None:
                for powers in room.shown - {each.powers for each in table.connections}:
                    room.forget(powers)
            self._tell_presence(table)
        try:
            await self._thread(self._note_presence, [table], gone)
        except Problem as problem:
            # Nobody need go for that: it is noted again soon.
            _log.warning("presence not noted", game=table.id, problem=problem.error)

    def _tell_presence(self, table: _Table) -> None:
        seats, spectators = self._here(table)
        for others, more in table.elsewhere.values():
            seats = tuple(sorted({*seats, *others}))
            spectators += more
        if table.presence != (seats, spectators):
            table.presence = seats, spectators
            _send_all(table, {"type": "presence", "online": seats, "spectators": spectators})

    def _here(self, table: _Table) -> tuple[tuple[int, ...], int]:
        """The seats whose persons are connected to this process, and how many others are."""
        accounts = {each.account for each in table.connections if each.account is not None}
        seats = table.room.seats if table.room is not None else []
        return (
            tuple(seat.number for seat in seats if seat.account in accounts),
            sum(not each.powers for each in table.connections),
        )

    def _note_presence(self, tables: Sequence[_Table], gone: str | None) -> None:
        """In a thread: who is here, in the database and for the other processes. All at once: with
        a transaction for each of many tables, decisions would wait for them."""
        now = datetime.now(UTC)
        present: list[Seat] = []
        news: list[News] = []
        for table in tables:
            here, spectators = self._here(table)
            seats = table.room.seats if table.room is not None else []
            present += [s for s in seats if s.number in here or (gone and s.account == gone)]
            news.append(News("presence", table.id, seats=here, spectators=spectators))
        if not present and not self._live.several:
            return
        with self._database.transaction() as session:
            if present:
                seen = [{"of": s.game, "seat": s.number, "seen": now} for s in present]
                session.connection().execute(CHANGE_SEAT, seen)
            for each in news:
                self._live.tell(session, each)
        for seat in present:
            seat.seen = now

    # --- threads and tasks -------------------------------------------------------------------

    def _moved(self, session: Session, room: Room) -> None:
        self._live.tell(session, News("moved", room.id, version=room.version))

    async def _thread(
        self, work: Callable[..., T], *arguments: Any, limiter: anyio.CapacityLimiter | None = None
    ) -> T:
        return await anyio.to_thread.run_sync(work, *arguments, limiter=limiter or self._threads)

    def _kept(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """A task that is not lost before it ends."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Do `work` to its end, even if whoever waits for it goes away."""
        return await asyncio.shield(self._kept(work))


@asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[None]:
    """`app.state.rooms` as long as the application runs."""
    state = app.state
    state.rooms = rooms = Rooms(state.database, state.live, state.workers)
    state.live.call(rooms.heard, rooms.missed)
    try:
        yield
    finally:
        await rooms.close()


def _powers(room: Room, connection: Connection) -> frozenset[str] | None:
    """Through whose eyes a connection looks; None if it may not look at all."""
    if not may_see(room.head, room.seats, connection.account):
        return None
    try:
        return room.powers_of(connection.account, connection.player)
    except Problem:
        return frozenset()


def _must_find_room(table: _Table, room: Room, connection: Connection) -> None:
    """Problem 503 if too many are connected to a game already: seats go before spectators."""
    others = [each for each in table.connections if each is not connection]
    seated = {seat.account for seat in room.seats if seat.account is not None}
    if connection.account in seated:
        if sum(each.account == connection.account for each in others) >= MOST_OF_ONE:
            raise Problem(503, "You have this game open too often. Close some of its pages.")
        return
    watching = [each for each in others if each.account not in seated]
    here = sum(each.address == connection.address for each in watching)
    if len(watching) >= MOST_SPECTATORS or (connection.address and here >= MOST_OF_ONE):
        raise Problem(503, "Too many people watch this game just now. Try again later.")


def _pause(game: Game) -> float:
    """How long people look at a position before a bot changes it, in seconds."""
    last = game.journal[-1] if game.version > game.journal.at_hand else None
    # Where each decides in secret at its own pace, a pause would tell that a die has fallen.
    rolled = isinstance(last, Rolled) and not game.asked.any
    return _PAUSE_AFTER_DICE if rolled else _PAUSE


def _followed(table: _Table, room: Room) -> bool:
    """Whether anybody is concerned by what bots do."""
    return bool(table.connections or table.elsewhere) or room.persons


def _versions(table: _Table) -> int:
    return table.room.version if table.room is not None else 0


def _unused(table: _Table) -> bool:
    return not table.connections and not table.lock.locked() and table.bots is None


def _remark(remark: Remark) -> RemarkInfo:
    return RemarkInfo(remark.id, remark.name, remark.registered, remark.text, remark.at)


def _text(message: dict[str, Any]) -> str:
    return msgspec.json.encode(message).decode()


def _send_all(table: _Table, message: dict[str, Any]) -> None:
    text = _text(message)
    for connection in table.connections:
        connection.send(text)
