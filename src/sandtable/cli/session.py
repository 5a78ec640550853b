"""A game at the terminal: people and bots take turns until it is over or somebody leaves."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from rich.console import Console
from rich.markup import escape

from sandtable.bots import make_bot
from sandtable.cli import form as plain_answers
from sandtable.cli.errors import Unclear
from sandtable.cli.names import Lexicon, simple
from sandtable.cli.printing import print_lines
from sandtable.cli.reading import MOVES, Reader, Several, fits, proposed, rows_in_words
from sandtable.cli.screen import LISTED, Screen
from sandtable.kernel.decisions import Decision, Request, plain
from sandtable.kernel.display import Choice, Mover, NoQuestion, Picture
from sandtable.kernel.errors import IllegalDecision, SandtableError
from sandtable.kernel.events import Event
from sandtable.kernel.game import Decided, Edited, Game, Rolled
from sandtable.kernel.rules import Rule, load_index

if TYPE_CHECKING:
    from sandtable.bots import Bot

COMMANDS = {
    "help": "what may be answered now, with examples",
    "board": "the whole board",
    "show": "a part of it: a space, a power, a unit, powers, units, pools",
    "moves": "what can be done now, with numbers: moves, or moves and a name",
    "odds": "the chances of the battles that are in question, or of a choice by its number",
    "may": "what you may do though nobody asks you: may, or may and its name",
    "hint": "what a bot would do",
    "why": "the rule that refused your last order",
    "undo": "take back your last decision, if no die has been rolled since",
    "edit": 'change the position by hand, which log and save then say: edit {"treasury": …}',
    "log": "what happened: log, or log 100 for the last hundred lines",
    "save": "write the game to a file: save my-game.json",
    "quit": "leave the game",
}

LOGGED = 30
_MOST = 60


class _Left(Exception):
    """The player leaves the game."""


class Session:
    """One sitting: the game, who is at the terminal, and what has been told so far."""

    def __init__(
        self,
        game: Game,
        bots: Mapping[str, Bot],
        console: Console,
        *,
        file: Path | None = None,
    ) -> None:
        """`bots` play the powers that they are named for, people all others."""
        self.game = game
        self.bots = bots
        self.console = console
        self.file = file
        self.seats = tuple(power for power in game.rules.powers if power not in bots)
        about = game.rules.about(game.state)
        spaces = game.rules.picture(game.state, self.seats).spaces
        self.lexicon = Lexicon(about, spaces, game.rules.verbs())
        self.screen = Screen(about, self.lexicon)
        self._told = len(game.events)
        self._saved = game.version
        self._due = ""
        self._heading: object = None
        self._opening: object = None
        self._asked: Request | None = None
        self._asked_at = 0
        self._refused_by = ""
        self._listed: tuple[Choice | Mover, ...] = ()
        """What a number stands for: the list that was shown last."""
        self._open: Choice | None = None
        """A choice that waits for numbers in its rows."""

    # --- the course of the game ----------------------------------------------------------------

    def run(self) -> bool:
        """Play until the game is over; False if the player left before."""
        turn = ""
        try:
            while self.game.pending:
                request = self._next()
                moment = self.game.rules.picture(self.game.state, ()).moment
                now = moment.power or request.power
                if now != turn:
                    turn = now
                    self._tell()
                    where = f"{self.screen.power(turn)} [dim]· {escape(moment.title)}[/]"
                    self._due = f"\n[bold]{where}[/]" if turn in self.bots else ""
                if request.power in self.bots:
                    decision = self.bots[request.power].decide(self.game, request)
                    self.game.submit(request.power, decision)
                else:
                    self._tell()
                    self._converse(request)
        except _Left:
            return False
        self._tell()
        return True

    def _next(self) -> Request:
        """The request to answer next: those of bots first, so that people wait for nobody."""
        for request in self.game.pending:
            if request.power in self.bots:
                return request
        return self.game.pending[0]

    def _tell(self) -> None:
        events = visible(self.game.events.since(self._told), self.seats)
        self._told = len(self.game.events)
        told = self.screen.told([self._line(event) for event in events], self.seats)
        if told and self._due:
            self.console.print(self._due)
            self._due = ""
        self._print(told)

    def _line(self, event: Event) -> Any:
        return self.game.rules.line(self.game.state, event)

    def _picture(self, power: str) -> Picture:
        """The position as those at the terminal may see it; of secrets only what `power` has."""
        picture = self.game.rules.picture(self.game.state, (power,))
        if picture.moment.secret:
            return picture
        return self.game.rules.picture(self.game.state, self.seats)

    def _converse(self, request: Request) -> None:
        """Ask a person until the request is answered."""
        self._announce(request)
        self._listen(request, f"{self.lexicon.power(request.power)}> ")

    def _listen(self, request: Request, prompt: str, leave: str = "") -> None:
        """Read lines until the game has gone on, or until one says that the player leaves it."""
        before = self.game.version
        while self.game.version == before:
            line = self._ask(prompt)
            if leave and line.lower() in ("", leave):
                return
            if simple(line) != "why":
                self._refused_by = ""
            try:
                self._obey(request, line)
            except Several as several:
                self._offer(several.choices, str(several))
            except IllegalDecision as error:
                self._refuse(error)
            except Unclear as error:
                self._say(str(error), "yellow")
            except SandtableError as error:
                self._say(str(error), "red")

    def _announce(self, request: Request) -> None:
        """Heading, tables and question, as far as they are new."""
        picture = self._picture(request.power)
        moment = picture.moment
        who = self.lexicon.power(request.power)
        if moment.power not in ("", request.power):
            who = f"{who} in the turn of {self.lexicon.power(moment.power)}"
        title = " · ".join(filter(None, (moment.title, who, moment.phase)))
        if title != self._heading:
            self._heading, self._asked = title, None
            self.console.print()
            self.console.rule(f"[bold]{escape(title)}[/]", align="left")
            turn = (moment.title, request.power)
            if turn != self._opening and moment.power in ("", request.power):
                self._opening = turn
                self._print(self.screen.tables(picture) or [escape(picture.text)])
            elif purse := self.screen.purse(picture, request.power):
                self._say(purse, "dim")
            if moment.secret and len(self.seats) > 1:
                self._say(f"This is secret: only {who} should look at the screen now.", "yellow")
        reader = self._reader(request)
        self._listed, self._open = (), None
        # Of choices some are gone when one has been taken; units that can move are many.
        fresh = request != self._asked or self._rolled_since()
        if fresh or reader.form.component == "choose":
            self._asked, self._asked_at = request, self.game.version
            self._show_question(request, reader)
            if rights := self._rights():
                also = ", ".join(title for title, _ in rights)
                self._say(f"  You may also: {also}. Type may.", "dim")

    def _rights(self) -> list[tuple[str, Request]]:
        """What those at the terminal may do though nobody asks them, with its title."""
        rights = [right for right in self.game.may if right.power in self.seats]
        titles = [self._reader(right).form.title for right in rights]
        if len({right.power for right in rights}) > 1:
            powers = (self.lexicon.power(right.power) for right in rights)
            titles = [f"{title} ({power})" for title, power in zip(titles, powers, strict=True)]
        return list(zip(titles, rights, strict=True))

    def _show_question(self, request: Request, reader: Reader) -> None:
        self.console.print()
        self._print(self.screen.question(reader, self._picture(request.power)))
        self._listed = (*(mover for mover, _ in reader.movers), *reader.form.choices)

    def _reader(self, request: Request) -> Reader:
        return Reader(self.game, request, self.lexicon)

    def _rolled_since(self) -> bool:
        """Whether dice have fallen since the last question: the same one is a new one then."""
        return any(isinstance(e, Rolled) for e in self.game.journal.since(self._asked_at))

    def _ask(self, prompt: str) -> str:
        line = input(prompt)
        if not sys.stdin.isatty():
            print(line)
        return line.strip()

    # --- what is typed -------------------------------------------------------------------------

    def _obey(self, request: Request, line: str) -> None:
        """A command, or an answer to the request."""
        word, _, rest = line.partition(" ")
        command = {"?": "help", "exit": "quit"}.get(word.lower(), word.lower())
        # A kind of decision may bear the name of a command; with something behind it, it is one.
        kinds = {plain_answers.tag(answer) for answer in request.answers} if rest else set()
        if not line:
            self._take_proposal(request)
        elif command in COMMANDS and command not in kinds:
            getattr(self, f"_{command}")(request, rest.strip())
        elif line.isdigit() and self._reader(request).form.component != "schema":
            self._take_number(request, int(line))
        else:
            self._decide(request, line)

    def _take_number(self, request: Request, number: int) -> None:
        """Do what the last list has under a number."""
        picked = self._numbered(number)
        if isinstance(picked, Mover):
            raise Several(self._reader(request).from_space(picked.space), MOVES)
        elif picked.rows:
            self._open = picked
            self._say(f"{picked.label}:")
            self._print(self.screen.rows(picked.rows, costs=False))
            some = rows_in_words((row, row.value) for row in picked.rows)
            self._say(f"  Enter for {some}, or type others." if some else "  Say how many.")
        else:
            self.game.submit(request.power, picked.decision)

    def _numbered(self, number: int) -> Choice | Mover:
        """What the last list has under a number."""
        if not self._listed:
            raise Unclear("The list has changed since; moves shows it as it is now.")
        if not 1 <= number <= len(self._listed):
            raise Unclear(f"Choose a number from 1 to {len(self._listed)}.")
        return self._listed[number - 1]

    def _take_proposal(self, request: Request) -> None:
        if self._open is not None:
            decision = proposed(self._open)
        else:
            reader = self._reader(request)
            if reader.proposal is None:
                end = f" done: {reader.form.done_label}." if reader.form.done is not None else ""
                raise Unclear(f"Type an answer, or help to see what may be answered.{end}")
            decision, words = reader.proposal
            self._say(words, "dim")
        self.game.submit(request.power, decision)

    def _decide(self, request: Request, line: str) -> None:
        """Submit the decisions of a line: all of them, or none."""
        before, power = self.game.version, request.power
        together = self._reader(request).form.component == "assign" or line.startswith("{")
        parts = [line] if together else [p.strip() for p in line.split(";") if p.strip()]
        try:
            for part in parts:
                right = [r for r in self.game.may if (r.power, r.kind) == (power, request.kind)]
                asked = right or [r for r in self.game.pending if r.power == power]
                now = next(iter(asked), None)
                if now is None:
                    raise Unclear("Nothing waits for you after the first part of that line.")
                for decision in self._reader(now).read(part, self._open):
                    self.game.submit(request.power, decision)
        except BaseException as error:
            done = self.game.version > before
            if done and any(isinstance(e, Rolled) for e in self.game.journal.since(before)):
                self._say("The first part of that line was done, and dice were rolled.", "yellow")
                raise
            while self.game.version > before:
                self.game.undo()
            if done and isinstance(error, SandtableError):
                self._say("Nothing of that line was done:", "yellow")
            raise

    def _refuse(self, error: IllegalDecision) -> None:
        self._refused_by = error.rule
        self._say(error.reason, "yellow")
        if error.rule:
            self._say(f"(why shows the rule: {error.rule})", "dim")

    def _offer(self, choices: Iterable[Choice], head: str) -> None:
        """Show choices with numbers to choose from."""
        listed = tuple(choices)
        self._listed, self._open = listed, None
        self._say(head)
        self._print(self.screen.choices(listed[:_MOST]))
        if len(listed) > _MOST:
            more = len(listed) - _MOST
            self._say(f"  … and {more} more: moves and a name lists some of them.", "dim")

    def _print(self, lines: Iterable[str]) -> None:
        print_lines(self.console, lines)

    def _say(self, text: str, style: str = "") -> None:
        self.console.print(escape(text), style=style)

    # --- commands ------------------------------------------------------------------------------

    def _help(self, request: Request, rest: str) -> None:
        reader = self._reader(request)
        if reader.form.component == "schema":
            self._print(escape(line) for line in plain_answers.help_text(reader.legal))
        else:
            self._show_question(request, reader)
        self.console.print("\n[bold]At any time[/]")
        for command, does in COMMANDS.items():
            self.console.print(f"  [bold]{command:<6}[/] {escape(does)}")
        self._say(
            "Names may be short: the beginnings of their words, or their initials. Several orders "
            "in a line are parted by ; and done together or not at all.",
            "dim",
        )

    def _board(self, request: Request, rest: str) -> None:
        picture = self._picture(request.power)
        self._print(self.screen.board(picture))

    def _show(self, request: Request, rest: str) -> None:
        picture = self._picture(request.power)
        if not picture.spaces:
            raise Unclear("This game has no parts to show; board shows all of it.")
        self._print(self.screen.show(picture, rest))

    def _moves(self, request: Request, rest: str) -> None:
        reader = self._reader(request)
        if reader.form.component == "schema":
            self._print(self._phrases(reader, simple(rest)))
        elif found := self._named(reader, simple(rest)):
            self._offer(found, "What can be done:")
        else:
            self._say("There is nothing to list there.", "yellow")

    def _named(self, reader: Reader, name: str) -> list[Choice]:
        """The choices, and the moves of units, that are about a name; all without one."""
        bare = name.removeprefix("to ").removeprefix("from ")
        space = self.lexicon.spaces.find(bare) if bare in self.lexicon.spaces else ""
        found = [] if name.startswith("to ") else reader.matching(reader.form.choices, bare)
        for mover in reader.form.movers:
            here = mover.space == space and not name.startswith("to ")
            there = space if not name.startswith("from ") else ""
            found += [
                choice
                for goal, choice in reader.ways(mover)
                if not bare or here or goal == there or (not space and bare in simple(choice.label))
            ]
        if not found:
            self.lexicon.spaces.find(bare)
        return found

    def _phrases(self, reader: Reader, name: str) -> list[str]:
        """Legal decisions of a request that has no form, as they are typed."""
        lines: list[str] = []
        for decision in reader.legal:
            phrase = plain_answers.phrase(decision)
            if name in simple(phrase):
                lines.append(f"  {escape(phrase)}")
            if len(lines) > LISTED:
                return [*lines[:LISTED], "  …"]
        return lines or ["[yellow]There is nothing to list there.[/]"]

    def _odds(self, request: Request, rest: str) -> None:
        form = self._reader(request).form
        if rest.isdigit():
            choices, spaces = [self._numbered(int(rest))], []
        elif rest:
            choices, spaces = [], [self.lexicon.spaces.find(rest)]
        else:
            choices = [each for each in form.choices[:LISTED] if each.battle]
            spaces = [each.space for each in form.battles]
            if form.battle and not choices and not spaces:
                spaces = [form.battle]
        asked: list[tuple[str, Decision | None]] = [(space, None) for space in spaces]
        for choice in choices:
            if isinstance(choice, Mover) or not (choice.battle or choice.spaces):
                raise Unclear("That is no battle.")
            decision = self.game.legal(request).read(proposed(choice))
            asked.append((choice.battle or choice.spaces[-1], decision))
        if not asked:
            raise Unclear("No battle is in question here; odds and a name asks about a space.")
        for space, answer in asked:
            try:
                odds = self.game.rules.odds(self.game.clone(), space, answer, request.power)
            except NoQuestion as none:
                self._say(str(none), "yellow")
            else:
                self._print(self.screen.odds(odds))

    def _may(self, request: Request, rest: str) -> None:
        """Use a right: its question is asked until it is answered, or left."""
        rights = self._rights()
        if rest:
            rights = [each for each in rights if fits(rest, each[0])]
        if not rights:
            raise Unclear("There is nothing like that which you may do now.")
        if len(rights) > 1:
            self._say("You may, and say which: may and its name.")
            self._print(f"  {escape(title)}" for title, _ in rights)
            return
        ((_, right),) = rights
        self._show_question(right, self._reader(right))
        self._say("  Enter or back leaves it.", "dim")
        before = self.game.version
        self._listen(right, f"{self.lexicon.power(right.power)} may> ", leave="back")
        self._asked = None
        if self.game.version == before:
            self._show_question(request, self._reader(request))

    def _hint(self, request: Request, rest: str) -> None:
        decision = make_bot("greedy", 0).decide(self.game, request)
        label = self._reader(request).label(plain(decision)) or self._foreseen(request, decision)
        self._offer([Choice(label, plain(decision))], "A bot would do this; 1 takes its advice:")

    def _foreseen(self, request: Request, decision: Decision) -> str:
        """A decision as the first sentence that would tell of it; no die is thrown for that."""
        copy = self.game.clone()
        copy.dice = None
        copy.submit(request.power, decision)
        events = visible(copy.events.since(len(self.game.events)), self.seats)
        sentences = [copy.rules.sentence(copy.state, event) for event in events]
        return sentences[0] if sentences else plain_answers.phrase(decision)

    def _why(self, request: Request, rest: str) -> None:
        rule = self._index.get(self._refused_by)
        if rule is None:
            raise Unclear("No rule has refused your last line.")
        self.console.print(f"[bold]{self._refused_by}[/] [dim]({escape(rule.ref)})[/]")
        self._say(rule.rule)
        if rule.ruling:
            self._say(f"Our ruling: {rule.ruling}")

    @cached_property
    def _index(self) -> dict[str, Rule]:
        file = self.game.rules.folder / "rules.yaml"
        return load_index(file) if file.is_file() else {}

    def _undo(self, request: Request, rest: str) -> None:
        """Take back the last decision: this player's own, and only with no die rolled since."""
        if not len(self.game.journal):
            raise Unclear("There is nothing to take back: this is the start of the game.")
        last = self.game.journal[-1]
        if not isinstance(last, Decided | Edited):
            raise Unclear("Dice have been rolled since your last decision, so it stands.")
        if isinstance(last, Decided) and last.power != request.power:
            raise Unclear(f"{self.lexicon.power(last.power)} has decided since; that stands.")
        events = list(self.game.events)
        self.game.undo()
        gone = visible(events[len(self.game.events) :], self.seats)
        self._told = min(self._told, len(self.game.events))
        what = [self.game.rules.sentence(self.game.state, event) for event in gone]
        said = what[0] if what else last.decision.kind if isinstance(last, Decided) else "an edit"
        self._say(f"Taken back: {said}", "dim")

    def _edit(self, request: Request, rest: str) -> None:
        """Change the position by hand: a patch in JSON."""
        try:
            patch = msgspec.json.decode(rest.encode(), type=dict[str, Any])
        except msgspec.DecodeError:
            raise Unclear(
                "Say in JSON what is to be otherwise, in the words of custom positions: "
                'edit {"treasury": {"germany": 50}}'
            ) from None
        self.game.edit(patch)
        self._asked = None

    def _log(self, request: Request, rest: str) -> None:
        if rest and not rest.isdigit():
            raise Unclear("Type log, or log and a number of lines.")
        events = visible(list(self.game.events), self.seats)
        for event in events[-int(rest or LOGGED) :]:
            self._say(self.game.rules.sentence(self.game.state, event))

    def _save(self, request: Request, rest: str) -> None:
        if not rest and self.file is None:
            raise Unclear("Name a file: save my-game.json")
        self._write(Path(rest).expanduser() if rest else self.file or Path())

    def _write(self, path: Path) -> None:
        if path.is_dir():
            raise Unclear(f"{path} is a folder; name a file: save my-game.json")
        if (
            path.exists()
            and path != self.file
            and not self._ask(f"{path} is there already. Write over it? (y/n) ")
            .lower()
            .startswith("y")
        ):
            raise Unclear("Not saved.")
        self.game.save(path)
        self.file, self._saved = path, self.game.version
        self._say(f"Saved as {path}. Go on later with: sandtable play --load {path}")

    def _quit(self, request: Request, rest: str) -> None:
        while self.game.version != self._saved:
            answer = self._ask(
                "Save the game? Type a file name, or Enter to leave without saving: "
            )
            if not answer:
                break
            try:
                self._write(Path(answer).expanduser())
            except SandtableError as error:
                self._say(str(error), "yellow")
        raise _Left


def visible(events: Iterable[Event], seats: Iterable[str]) -> list[Event]:
    """The events that somebody in `seats` may see."""
    return [e for e in events if e.to is None or any(seat in e.to for seat in seats)]
