"""A game: its journal, the position derived from it, and the public face over both."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from sandtable.kernel.decisions import (
    CHANCE,
    ChanceRequest,
    Decision,
    Legal,
    Pass,
    Request,
    Roll,
    RollLine,
    is_one_of,
    plain,
    shown,
)
from sandtable.kernel.dice import MOST_SIDES, Dice
from sandtable.kernel.display import Change
from sandtable.kernel.errors import IllegalDecision, PositionError, RuleError, SandtableError
from sandtable.kernel.events import EDITED, NOTES, Event
from sandtable.kernel.log import Log
from sandtable.kernel.ruleset import Asked, Procedure, Result, RuleSet
from sandtable.kernel.savefile import write_save
from sandtable.kernel.snapshots import Past, Snapshot
from sandtable.kernel.table import Table

_KEEP_EVERY = 128
"""Journal entries between two kept positions: what an undo has to run again at most, roughly."""

_MOST_KEPT = 12
"""Positions kept of a game, however long it is: the older, the fewer."""


_LONGEST_EDIT = 20_000
"""Characters of JSON: a save is refused whose entries are longer than any game's."""
_MOST_CHANGES = 100
"""Lines of the log that come of an edit."""


class Decided(msgspec.Struct, frozen=True, gc=False):
    """A journal entry: what a power decided."""

    power: str
    decision: Decision

    def plain(self) -> dict[str, Any]:
        """As a save has it."""
        return {"by": self.power, **plain(self.decision)}


class Rolled(msgspec.Struct, frozen=True, gc=False):
    """A journal entry: what the dice showed, and in what kind of roll."""

    faces: tuple[int, ...]
    sides: Annotated[int, msgspec.Meta(ge=2, le=MOST_SIDES)]
    kind: str

    def fits(self, kind: str, dice: int, sides: int) -> bool:
        """Whether the rules' roll is this one."""
        return (len(self.faces), self.sides, self.kind) == (dice, sides, kind)

    def plain(self) -> dict[str, Any]:
        """As a save has it."""
        return {"roll": list(self.faces), "sides": self.sides, "for": self.kind}


class Noted(msgspec.Struct, frozen=True, gc=False):
    """A journal entry: what happened at the table, beside the rules, to those who run powers."""

    note: str
    """A word of `events.NOTES`."""
    powers: tuple[str, ...]

    def plain(self) -> dict[str, Any]:
        """As a save has it."""
        return {"note": self.note, "powers": list(self.powers)}


class Edited(msgspec.Struct, frozen=True, gc=False):
    """A journal entry: how somebody has changed the position by hand, beside the rules."""

    patch: dict[str, Any]
    """What is otherwise now, in the words of custom positions."""

    def plain(self) -> dict[str, Any]:
        """As a save has it."""
        return {"edit": self.patch}


Entry = Decided | Rolled | Noted | Edited
Given = Rolled | Noted | Edited | tuple[str, object]
"""An entry as it comes from elsewhere: a decision is still plain data, with its power."""
Watcher = Callable[[int, Any], None]
"""Gets the number of an event and the position in which it is told."""


class _Kept(msgspec.Struct, frozen=True):
    """A position from which play can be taken up again."""

    length: int
    rolls: int
    events: int
    state: Any
    """The state, or what is packed of it."""

    def packed(self) -> _Kept:
        """The same in little memory."""
        if isinstance(self.state, bytes):
            return self
        return _Kept(self.length, self.rolls, self.events, self.state.packed())

    def copy(self, like: Any) -> Any:
        """The state to go on from; `like` is any state of the game."""
        packed = isinstance(self.state, bytes)
        return like.unpacked(self.state) if packed else self.state.copy()


class _Waiting(NamedTuple):
    """What was asked when somebody used a right, until that has been carried out."""

    play: Procedure[Any] | None
    """None in a clone that has not been woken."""
    asked: Asked
    answers: dict[str, Decision]
    at_rest: bool


class Coming:
    """Entries that are to come, by their numbers in the journal, which has `start` so far."""

    def __init__(self, start: int, entries: Sequence[Any]) -> None:
        self._start = start
        self._entries = entries

    def __len__(self) -> int:
        return self._start + len(self._entries)

    def __getitem__(self, number: int) -> Any:
        return self._entries[number - self._start]


class JournalMismatch(SandtableError):
    """A recorded roll does not fit what the rules roll at that point."""


def _asleep(*_: object) -> None:
    raise AssertionError("A clone that has not been woken does nothing.")


class Game:
    """A game in progress or finished. Made by `sandtable.new` and `sandtable.load`."""

    def __init__(
        self,
        rules: RuleSet[Any],
        options: Mapping[str, Any],
        state: Any,
        dice: Dice | None,
        *,
        setup: Mapping[str, Any] | None = None,
        data: Path | None = None,
        recorded: Coming | None = None,
        past: Past | None = None,
    ) -> None:
        """`state` is the position at the start; with `past` the game begins at its snapshot, and
        BadPlain is raised if that has not the form."""
        self.rules = rules
        self.options = dict(options)
        self.dice = dice
        self.position = setup
        self.data = data
        self.past = past
        if past is None:
            kept = _Kept(0, 0, 0, state.copy())
            self.journal: Log[Entry] = Log()
            self.events: Log[Event] = Log()
        else:
            taken = past.snapshot
            state = state.from_plain(taken.state, state.facts, state.options)
            kept = _Kept(taken.length, taken.rolls, taken.events, state.copy())
            self.journal = Log.later(taken.length, lambda: past.game.journal)
            self.events = Log.later(taken.events, lambda: past.game.events)
        self.edits: tuple[int, ...] = () if past is None else past.edits
        """The numbers of the journal entries by which the position was changed by hand."""
        self.result: Result | None = None
        self.standing: dict[tuple[str, str], Decision] = {}
        self._recorded = recorded
        self._watcher: Watcher | None = None
        self._rolls = kept.rolls
        self._askable = frozenset((*rules.powers, CHANCE))
        self._taken: list[Entry] = []
        """What the rules have been given since the last checkpoint."""
        self._asked = Asked(())
        self._answers: dict[str, Decision] = {}
        self._waiting: tuple[_Waiting, ...] = ()
        """What waits for rights that are being used; the last is asked again first."""
        self._legal: Legal | None = None
        self._kept: tuple[_Kept, ...] = (kept,)
        self._table = self._lay(state)
        self._play: Procedure[Any] | None = rules.play(self._table)
        try:
            self._advance(None)
        except JournalMismatch:
            raise
        except Exception as error:
            raise RuleError(f"The rules of {rules.id} failed at the start ({error!r}).") from error
        if past is not None:
            past.taken_up(self)

    # --- looking ---------------------------------------------------------------------------

    def __repr__(self) -> str:
        if self.result is not None:
            now = f"over: {self.result.reason}"
        else:
            now = ", ".join(f"{request.power} decides {request.kind}" for request in self.pending)
        rounds = self.rules.rounds(self.state)
        return f"<Game {self.rules.id}, round {rounds}, after {self.version} entries, {now}>"

    @property
    def state(self) -> Any:
        """The position. Read it; only decisions change it."""
        return self._table.state

    @property
    def pending(self) -> tuple[Request, ...]:
        """The requests that wait for an answer; empty when the game is over."""
        if self._answers:
            return tuple(r for r in self._asked.requests if r.power not in self._answers)
        return self._asked.requests

    @property
    def may(self) -> tuple[Request, ...]:
        """What powers may do now though nobody has asked them: rights. None while a roll waits.

        RuleError if a decision could be taken for two things, so that `submit` could not tell.
        """
        asked = self._asked.requests
        if not asked or asked[0].power == CHANCE:
            return ()
        rights = self.rules.rights(self._table.state)
        taken = {(request.power, "pass") for request in asked if self._asked.offer}
        for request in (*asked, *rights) if rights else ():
            for answer in request.answers:
                key = (request.power, str(answer.__struct_config__.tag))
                if key in taken:
                    raise RuleError(
                        f"The rules of {self.rules.id} let {key[0]} decide {key[1]!r} for two "
                        "things at once: as a right, and as another one or an answer."
                    )
                taken.add(key)
        return rights

    @property
    def asked(self) -> Asked:
        """The pending requests, and those put together with them that are answered already."""
        return self._asked

    @property
    def at_rest(self) -> bool:
        """Whether it rests in a free loop (buying, moving), not in the middle of a procedure."""
        return self._table.at_rest

    @property
    def version(self) -> int:
        """The number of decisions and rolls so far."""
        return len(self.journal)

    def legal(self, request: Request) -> Legal:
        """The decisions that `request`, a pending one or a right, allows now."""
        legal = self._legal
        if legal is None or legal.asked is not request:
            may_pass = self._asked.offer and request in self._asked.requests
            legal = self._legal = Legal(request, self._table.state, may_pass=may_pass)
        return legal

    def request_for(self, power: str, decision: object) -> Request:
        """What a decision of `power` is for, by its kind: the pending request or one of its rights.

        IllegalDecision if the power has nothing to decide.
        """
        request = self._pending_of(power)
        if request is not None and (
            is_one_of(decision, request.answers)
            or (self._asked.offer and is_one_of(decision, (Pass,)))
        ):
            return request
        for right in self.may:
            if right.power == power and is_one_of(decision, right.answers):
                return right
        if request is not None:
            return request  # which says what it asks for
        if self.result is not None:
            raise IllegalDecision("The game is over; nothing is left to decide.")
        if power not in self.rules.powers and power != CHANCE:
            raise IllegalDecision(self._no_power(power))
        names = {each.id: each.name for each in self.rules.about(self.state).powers}
        waiting = " and ".join(names.get(r.power, r.power) for r in self.pending)
        who = names.get(power, power)
        raise IllegalDecision(f"Nothing waits for {who}; it is for {waiting} to decide.")

    @property
    def hash(self) -> str:
        """SHA-256 of the position, of what is pending and, inside a strict procedure, of what was
        decided and rolled since its last checkpoint: equal hashes mean equal futures, and equal
        journals give equal hashes.

        It covers secret answers; show it to nobody who could guess at them.
        """
        content = {
            "game": self.rules.id,
            "options": self.rules.written_options(self.options),
            "state": self.state.plain(),
            "pending": [plain(request) for request in self._asked.requests],
            "answers": plain(self._answers),
            "result": plain(self.result),
        }
        if self._asked.requests and not self._table.at_rest:
            if self._taken:
                content["since"] = plain(self._taken)
            if self._waiting:
                content["waiting"] = [plain(waiting.answers) for waiting in self._waiting]
        return hashlib.sha256(msgspec.json.encode(content, order="deterministic")).hexdigest()

    def observe(self, power: str, since: int = 0) -> dict[str, Any]:
        """What `power` may see: the position and what the rules derive from it, its own requests
        and rights, who else has to decide, and events: how many it has seen, and those of them from
        number `since` on."""
        if power not in self.rules.powers:
            raise SandtableError(self._no_power(power))
        if since < 0:
            raise SandtableError(f"Events are numbered from 0 on; {since} is no number of one.")
        # Others' secrets are not counted: their number would tell of them.
        events = [e for e in self.events if e.to is None or power in e.to]
        return {
            "game": self.rules.id,
            "power": power,
            "version": self.version,
            "state": self.rules.observe(self.state, power),
            "derived": self.rules.derived(self.state),
            "pending": [plain(r) for r in self.pending if r.power == power],
            "may": [plain(r) for r in self.may if r.power == power],
            "waiting_for": [r.power for r in self.pending if r.power != power],
            "events": [plain(e) for e in events[since:]],
            "events_in_all": len(events),
            "result": plain(self.result),
        }

    # --- playing ---------------------------------------------------------------------------

    def submit(self, power: str, decision: object, *, version: int | None = None) -> None:
        """Answer the request that waits for `power`, or use one of its rights.

        Raises IllegalDecision and changes nothing if the decision is malformed, not this power's,
        forbidden by a rule, or (with `version`) made for an earlier position.
        """
        if version is not None and version != self.version:
            raise IllegalDecision(
                f"The decision was made for version {version}, but the game is at {self.version}."
            )
        answer = self.legal(self.request_for(power, decision)).read(decision)
        self._play_on(answer.kind, lambda: self._take(power, answer))

    def standing_order(self, power: str, window: str, decision: object) -> None:
        """Answer offers of kind `window` for `power` from now on, whenever that is legal.

        The order itself is not part of the game and not saved; what it answers is.
        """
        if not isinstance(decision, Decision):
            raise IllegalDecision("A standing order is a typed decision, for example Pass().")
        if power not in self.rules.powers:
            raise IllegalDecision(self._no_power(power))
        before = self.standing.get((power, window))
        self.standing[power, window] = decision
        try:
            self._play_on("a standing order")
        except RuleError:
            del self.standing[power, window]
            if before is not None:
                self.standing[power, window] = before
            raise

    def note(self, note: str, powers: Sequence[str]) -> None:
        """Let the journal and the log say what happened at the table to those who run `powers`: a
        word of `events.NOTES`. The position and what is asked stay as they are."""
        if note not in NOTES or not powers or not {*powers} <= {*self.rules.powers}:
            raise SandtableError(f"There is no note {shown(note)} about {shown(list(powers))}.")
        self._note(Noted(note, tuple(powers)))

    def _note(self, entry: Noted) -> None:
        self.journal.append(entry)
        self._telling(self._table.state)(Event(entry.note, {"powers": entry.powers}))

    @property
    def no_edit(self) -> str:
        """Why the position cannot be edited just now, in a sentence; empty if it can."""
        if self.result is not None:
            return "The game is over: its position stays as it is."
        if self._table.at_rest and not self._answers and not self._waiting:
            return ""
        if self.rules.battle(self.state) is not None:
            return "The position can be edited again when this battle is over."
        return "The position can be edited again when this step is over."

    def edit(self, patch: Mapping[str, Any]) -> None:
        """Change the position by hand, as `patch` says in the words of the game's custom positions:
        what it names is otherwise afterwards, all else stays. The rules go on from there.

        The journal and the log say so for good. IllegalDecision while a procedure runs that could
        not be taken up again (`no_edit`), PositionError for a patch that names what is not there,
        changes nothing, or gives a position that cannot be: nothing has changed then.
        """
        if self.no_edit:
            raise IllegalDecision(self.no_edit)
        try:
            entry = Edited(plain(dict(patch)))
        except (TypeError, ValueError):
            raise PositionError("An edit is a mapping of fields to what they are.") from None
        if len(msgspec.json.encode(entry.patch)) > _LONGEST_EDIT:
            raise PositionError("That is too much for one edit: make several.")
        state, changes = self._edited(entry)
        if not changes:
            raise PositionError("That changes nothing.")
        if len(changes) > _MOST_CHANGES:
            raise PositionError("That is too much for one edit: make several.")
        for fault in self.rules.audit(state):
            raise PositionError(fault)
        try:
            self._play_on("an edit", lambda: self._edit(entry, state, changes))
        except RuleError:
            raise PositionError("The game could not go on from that position.") from None

    def _edited(self, entry: Edited) -> tuple[Any, tuple[Change, ...]]:
        """The position as it is edited, with nothing in it that was derived from the one before;
        and what has changed."""
        state = self._table.state.copy()
        changes = self.rules.edit(state, entry.patch)
        return state.from_plain(state.plain(), state.facts, state.options), changes

    def _edit(self, entry: Edited, state: Any, changes: tuple[Change, ...]) -> None:
        """Write an edit down, and let the rules begin anew in its position."""
        self._legal = None
        self.edits = (*self.edits, self.journal.length)
        self.journal.append(entry)
        tell = self._telling(state)
        for change in changes:
            tell(Event(EDITED, msgspec.structs.asdict(change)))
        if self._play is not None:
            self._play.close()
        self._table = self._lay(state)
        self._keep(strict=True)
        self._play = self.rules.play(self._table)
        self._advance(None)

    def clone(self) -> Game:
        """An independent copy, dice included: one copy of the state."""
        copy = object.__new__(Game)
        copy.__dict__.update(self.__dict__)
        copy.standing = dict(self.standing)
        copy._answers = dict(self._answers)
        copy._taken = self._taken[:]
        copy._legal = None
        copy._watcher = None
        copy.journal = self.journal.fork()
        copy.events = self.events.fork()
        # Tied to the copy only when it is played on: one that is looked at and dropped is no
        # circle of references, and goes at once.
        copy._table = Table(self._table.state.copy(), _asleep, _asleep, _asleep)
        copy._table.at_rest = self._table.at_rest
        copy._play = None
        copy._waiting = tuple(each._replace(play=None) for each in self._waiting)
        return copy

    def at(self, length: int) -> Game:
        """A copy of the game as it was after its first `length` journal entries. Between a decision
        and the dice that followed it a game never rests, so there is none there."""
        if not 0 <= length <= self.version:
            raise SandtableError(f"The game has {self.version} journal entries, not {length}.")
        copy = self.clone()
        copy.standing = {}
        copy._return_to(length)
        return copy

    def follow(self, entries: Sequence[Given]) -> None:
        """Play on with what was decided (power and decision, checked as by `submit`), rolled, noted
        and edited elsewhere. JournalMismatch, IllegalDecision or PositionError if that is not how
        the game can go; what came before the wrong entry has then been played."""
        all_entries = Coming(self.version, entries)
        explicit = self._explicit
        standing, self.standing = self.standing, {}
        recorded = self._recorded
        if not explicit:
            self._recorded = all_entries
        try:
            while (at := self.version) < len(all_entries):
                entry = all_entries[at]
                if isinstance(entry, Noted):
                    self.note(entry.note, entry.powers)
                    continue
                if isinstance(entry, Edited):
                    self.edit(entry.patch)
                    continue
                if not isinstance(entry, Rolled):
                    self.submit(*entry)
                    continue
                request = next(iter(self.pending), None)
                if (
                    not explicit
                    or not isinstance(request, ChanceRequest)
                    or not entry.fits(request.roll, request.dice, request.sides)
                ):
                    raise JournalMismatch("the rules do not make this roll here.")
                self.submit(CHANCE, Roll(entry.faces))
        finally:
            self.standing = standing
            self._recorded = recorded

    def watch(self, watcher: Watcher) -> None:
        """Let `watcher` see the position as each event is told, in the midst of procedures as
        well; it only looks. A copy is not watched. What is run again is seen again."""
        self._watcher = watcher
        if self._play is not None:
            self._table.tell = self._telling(self._table.state)

    def since_checkpoint(self) -> tuple[Any, tuple[Entry, ...], Log[Event]]:
        """A copy of the last position from which the rules can be run again, what was decided and
        rolled since, and what had happened until then: for those who run them with other dice
        (`odds`)."""
        kept = self._kept[-1]
        since = tuple(e for e in self.journal.since(kept.length) if not isinstance(e, Noted))
        return kept.copy(self.state), since, self.events.upto(kept.events)

    def snapshot(self) -> Snapshot | None:
        """A position from which the game can be opened again, some decisions back, so that those
        can be taken back; None if that is the start."""
        kept = self._kept[-2:][0]
        state = kept.copy(self.state).plain()
        taken = Snapshot(kept.length, kept.rolls, kept.events, state)
        return taken if kept.length else None

    def snapshot_now(self) -> Snapshot | None:
        """The present position; None if not all of it is in the state."""
        if self._answers or self._waiting or not self._table.at_rest:
            return None
        return self._here()

    def undo(self) -> None:
        """Take back the last decision or edit, and what the dice showed and was noted after it.

        With explicit chance a roll is a step of its own.
        """
        length = len(self.journal)
        over = Noted if self._explicit else (Noted, Rolled)
        while length and isinstance(self.journal[length - 1], over):
            length -= 1
        if length == 0:
            raise IllegalDecision("There is nothing to undo: this is the start of the game.")
        self._return_to(length - 1)

    @property
    def _explicit(self) -> bool:
        return self.dice is None and self._recorded is None

    def save(self, path: str | Path) -> None:
        """Write the game to a file: readable JSON that `sandtable.load` takes up again."""
        write_save(self, Path(path))

    # --- inside ----------------------------------------------------------------------------

    def _lay(self, state: Any) -> Table[Any]:
        # The table does not hold the game: one that nobody needs any more goes at once, not when
        # the collector finds the circle.
        me = weakref.ref(self)

        def draw(
            kind: str, lines: tuple[RollLine, ...], dice: int, sides: int
        ) -> tuple[int, ...] | None:
            game = me()
            assert game is not None
            return game._draw(kind, lines, dice, sides)

        def keep(strict: bool) -> None:
            game = me()
            assert game is not None
            game._keep(strict)

        return Table(state, draw, self._telling(state), keep)

    def _telling(self, state: Any) -> Callable[[Event], None]:
        """What takes the events of a table, and shows them to whoever watches."""
        events, watcher = self.events, self._watcher
        if watcher is None:
            return events.append

        def tell(event: Event) -> None:
            events.append(event)
            watcher(events.length - 1, state)

        return tell

    def _pending_of(self, power: str) -> Request | None:
        for request in self._asked.requests:
            if request.power == power:
                return None if power in self._answers else request
        return None

    def _no_power(self, power: object) -> str:
        return f"There is no power {shown(power)}; there are: {', '.join(self.rules.powers)}."

    def _play_on(self, what: str, step: Callable[[], None] | None = None) -> None:
        """Take a step, if any, and what standing orders answer then; all of it or nothing."""
        before = self.journal.length
        try:
            if self._play is None:
                self._wake()
            if step is not None:
                step()
            if self.standing:
                self._use_standing_orders()
        except BaseException as error:
            self._return_to(before)
            if isinstance(error, JournalMismatch) or not isinstance(error, Exception):
                raise
            raise RuleError(
                f"The rules of {self.rules.id} failed on {what} ({error!r}); "
                "the game is as it was before."
            ) from error

    def _take(self, power: str, answer: Decision) -> None:
        self._legal = None
        asked = self._asked
        request: Any = self._pending_of(power)
        entry: Entry = Decided(power, answer)
        if power == CHANCE and isinstance(answer, Roll):
            entry = Rolled(answer.faces, request.sides, request.roll)
            self._rolls += 1
        self.journal.append(entry)
        if request is None or not (
            isinstance(answer, request.answers) or (asked.offer and isinstance(answer, Pass))
        ):
            self._taken.append(entry)
            waiting = _Waiting(self._play, asked, self._answers, self._table.at_rest)
            self._waiting = (*self._waiting, waiting)
            self._answers = {}
            self._play = self.rules.use(self._table, power, answer)
            self._advance(None)
        elif len(asked.requests) == 1 or asked.any:
            self._taken.append(entry)
            self._advance({power: answer})
        else:
            self._answers[power] = answer
            self._advance_if_all_are_in()

    def _advance_if_all_are_in(self) -> None:
        if self._answers and len(self._answers) == len(self._asked.requests):
            # In the order of asking, whoever answered first, so that a rule cannot tell.
            answers = {r.power: self._answers[r.power] for r in self._asked.requests}
            self._taken += [Decided(power, answer) for power, answer in answers.items()]
            self._answers = {}
            self._advance(answers)

    def _ask_again(self) -> None:
        """A right has been carried out: ask again what was asked before it, in a free loop from
        the position as it is now. Answers that were in hand and are still allowed stay in hand."""
        *waiting, last = self._waiting
        self._waiting = tuple(waiting)
        self._answers = last.answers
        assert last.play is not None
        if last.at_rest:
            last.play.close()
            self._play = self.rules.play(self._table)
            self._advance(None)
        else:
            self._play = last.play
            # Equal, but not the same: the position is another one.
            self._asked = msgspec.structs.replace(last.asked)
        before = {request.power: type(request) for request in last.asked.requests}
        state, now = self._table.state, self._asked
        self._answers = {
            request.power: answer
            for request in (() if now.any else now.requests)
            if (answer := last.answers.get(request.power)) is not None
            and type(request) is before[request.power]
            and answer in Legal(request, state, may_pass=now.offer)
        }
        self._advance_if_all_are_in()

    def _advance(self, answers: dict[str, Decision] | None) -> None:
        play, table = self._play, self._table
        assert play is not None
        table.at_rest = False
        try:
            self._asked = asked = next(play) if answers is None else play.send(answers)
            for request in asked.requests:
                if request.power not in self._askable:
                    raise RuleError(f"{request.kind} is asked of {request.power!r}: no such power.")
            if table.unheard:
                raise RuleError("a verb was called without yield from, so that nobody was asked.")
        except StopIteration as stop:
            self._asked = Asked(())
            if self._waiting:
                self._ask_again()
            else:
                self.result = stop.value

    def _draw(
        self, kind: str, lines: tuple[RollLine, ...], dice: int, sides: int
    ) -> tuple[int, ...] | None:
        self._table.at_rest = False
        if self._recorded is not None:
            at = len(self.journal)
            entry = self._recorded[at] if at < len(self._recorded) else None
            if not isinstance(entry, Rolled) or not entry.fits(kind, dice, sides):
                raise JournalMismatch(
                    f"The rules roll {dice}d{sides} for {kind} here, the journal does not."
                )
            faces = entry.faces
        elif self.dice is not None:
            faces = self.dice.roll(self._rolls, dice, sides)
        else:
            return None
        self._rolls += 1
        entry = Rolled(faces, sides, kind)
        self.journal.append(entry)
        self._taken.append(entry)
        return faces

    def _here(self) -> Snapshot:
        return Snapshot(self.version, self._rolls, len(self.events), self.state.plain())

    def _keep(self, strict: bool) -> None:
        """Remember this position: exactly for the running procedure, sparsely for undo."""
        if self._waiting:
            # From the state alone play would not come back into what is suspended.
            if not strict:
                raise RuleError("a right is carried out in a strict procedure, without a rest")
            return
        self._taken = []
        since = self.journal.length - self._kept[-1].length
        # With answers in hand a clone is waking up, or a right was used among them: they are in the
        # journal, but not in the state.
        if since < (1 if strict else _KEEP_EVERY) or self._answers:
            return
        kept = _Kept(len(self.journal), self._rolls, len(self.events), self._table.state.copy())
        older = self._kept
        if len(older) > 1 and older[-1].length - older[-2].length < _KEEP_EVERY:
            older = older[:-1]
        if not isinstance(older[-1].state, bytes):
            self.rules.lighten(older[-1].state)
        if len(older) >= _MOST_KEPT:
            older = (*older[:-4:2], *older[-4:])
        self._kept = (*older, kept)

    def pack(self, keep: int) -> None:
        """Let what is past take little memory: all but the last `keep` events and entries of the
        journal or some more, and of the positions from which play is taken up again all but two.
        Nobody else may use the game meanwhile."""
        self.events.pack(keep)
        self.journal.pack(keep)
        older, newest = self._kept[:-2], self._kept[-2:]
        if older and not isinstance(older[-1].state, bytes):
            self._kept = (*(kept.packed() for kept in older), *newest)

    def _use_standing_orders(self) -> None:
        while self._asked.offer:
            for request in self.pending:
                order = self.standing.get((request.power, request.kind))
                legal = self.legal(request)
                if order is not None and order in legal:
                    self._take(request.power, legal.read(order))
                    break
            else:
                return

    def _wake(self) -> None:
        """Bring the coroutine of a clone or of an undone game to the pending request."""
        if not self._table.at_rest:
            self._return_to(len(self.journal))
            return
        before = (self._asked, len(self.journal), len(self.events))
        self._table = self._lay(self._table.state)
        self._play = self.rules.play(self._table)
        self._advance(None)
        if (self._asked, len(self.journal), len(self.events)) != before:
            raise RuleError("taken up again from the same state, they did not come straight back")

    def _return_to(self, length: int) -> None:
        """Go to the position after the first `length` journal entries, by running them again."""
        if self.past is not None and length < self._kept[0].length:
            self._kept, self.past = self.past.game._kept, None
        if self._play is not None:
            # Now, and not whenever it is collected: a `finally` in a rule may still use the table.
            self._play.close()
        for waiting in self._waiting:
            if waiting.play is not None:
                waiting.play.close()
        self._waiting = ()
        self._taken = []
        while len(self._kept) > 1 and self._kept[-1].length > length:
            self._kept = self._kept[:-1]
        kept = self._kept[-1]
        played = self.journal.upto(length).since(kept.length)
        explicit = self._explicit
        recorded = self._recorded
        self.journal = self.journal.upto(kept.length)
        self.edits = tuple(number for number in self.edits if number < kept.length)
        self.events = self.events.upto(kept.events)
        self._rolls = kept.rolls
        self._answers = {}
        self._legal = None
        self.result = None
        self._table = self._lay(kept.copy(self.state))
        self._play = self.rules.play(self._table)
        if not explicit:
            self._recorded = Coming(kept.length, played)
        try:
            self._advance(None)
            for entry in played:
                if isinstance(entry, Decided):
                    self._take(entry.power, entry.decision)
                elif isinstance(entry, Noted):
                    self._note(entry)
                elif isinstance(entry, Edited):
                    self._edit(entry, *self._edited(entry))
                elif explicit:
                    self._take(CHANCE, Roll(entry.faces))
        finally:
            self._recorded = recorded
