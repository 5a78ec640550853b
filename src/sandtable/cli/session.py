"""A game at the terminal: people and bots take turns until it is over or somebody leaves."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from sandtable.cli.errors import Unclear
from sandtable.cli.form import tag
from sandtable.cli.grammar import Grammar, visible
from sandtable.cli.printing import print_lines
from sandtable.kernel.decisions import Request
from sandtable.kernel.errors import IllegalDecision, SandtableError
from sandtable.kernel.game import Game, Rolled
from sandtable.kernel.rules import Rule, load_index

if TYPE_CHECKING:
    from sandtable.bots import Bot

COMMANDS = {
    "help": "what may be answered now, with examples",
    "board": "the whole board",
    "show": "a part of it, by its name: show egypt",
    "moves": "what is legal now: moves, or moves and a name",
    "hint": "what a bot would do",
    "why": "the rule that refused your last order",
    "undo": "take back your last decision, if no die has been rolled since",
    "log": "what happened: log, or log 100 for the last hundred lines",
    "save": "write the game to a file: save my-game.json",
    "quit": "leave the game",
}

LOGGED = 30


class _Left(Exception):
    """The player leaves the game."""


class Session:
    """One sitting: the game, who is at the terminal, and what has been told so far."""

    def __init__(
        self,
        game: Game,
        grammar: Grammar,
        bots: Mapping[str, Bot],
        console: Console,
        *,
        file: Path | None = None,
    ) -> None:
        """`bots` play the powers that they are named for, people all others."""
        self.game = game
        self.grammar = grammar
        self.bots = bots
        self.console = console
        self.file = file
        self.seats = tuple(power for power in game.rules.powers if power not in bots)
        self._told = len(game.events)
        self._saved = game.version
        self._due = ""
        self._heading: object = None
        self._opened: object = None
        self._asked: Request | None = None
        self._asked_at = 0
        self._refused_by = ""

    # --- the course of the game ----------------------------------------------------------------

    def run(self) -> bool:
        """Play until the game is over; False if the player left before."""
        turn = ""
        try:
            while self.game.pending:
                request = self._next()
                if self.grammar.turn(request) != turn:
                    turn = self.grammar.turn(request)
                    self._tell()
                    self._due = self.grammar.heading(turn) if turn in self.bots else ""
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
        lines = self.grammar.tell(events, self.seats)
        if lines and self._due:
            self.console.print(self._due)
            self._due = ""
        self._print(lines)

    def _converse(self, request: Request) -> None:
        """Ask a person until the request is answered."""
        self._announce(request)
        before = self.game.version
        while self.game.version == before:
            line = self._ask(f"{self.grammar.power(request.power)}> ")
            try:
                self._obey(request, line)
            except IllegalDecision as error:
                self._refuse(error)
            except Unclear as error:
                self._say(str(error), "yellow")
            except SandtableError as error:
                self._say(str(error), "red")

    def _announce(self, request: Request) -> None:
        """Heading, board and question, as far as they are new."""
        title, note = self.grammar.title(request)
        round_ = self.game.rules.rounds(self.game.state)
        turn = (round_, self.grammar.turn(request), request.power)
        if title != self._heading:
            self._heading, self._asked = title, None
            self.console.print()
            self.console.rule(f"[bold]{escape(title)}[/]", align="left")
            if turn != self._opened and self.grammar.turn(request) == request.power:
                self._opened = turn
                self._print([self.grammar.opening()])
            elif note:
                self.console.print(f"[dim]{note}[/]")
        if request != self._asked or self._rolled_since():
            self._asked, self._asked_at = request, self.game.version
            self.console.print()
            self._print(self.grammar.prompt(request))

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
        kinds = {tag(answer) for answer in request.answers} if rest else set()
        if not line:
            self._take_default(request)
        elif command in COMMANDS and command not in kinds:
            getattr(self, f"_{command}")(request, rest.strip())
        else:
            self._decide(request, self.grammar.orders(request, line))

    def _take_default(self, request: Request) -> None:
        decision = self.grammar.default(request)
        if decision is None:
            raise Unclear("Type an answer, or help to see what may be answered.")
        self._say(self.grammar.phrase(request, decision), "dim")
        self.game.submit(request.power, decision)

    def _decide(self, request: Request, lines: list[str]) -> None:
        """Submit the decisions of a line: all of them, or none."""
        before = self.game.version
        try:
            for line in lines:
                self.game.submit(request.power, self.grammar.read(request, line))
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
        self._say(self.grammar.plainly(error.reason), "yellow")
        if error.rule:
            self._say(f"(why shows the rule: {error.rule})", "dim")

    def _print(self, lines: Iterable[str]) -> None:
        print_lines(self.console, lines)

    def _say(self, text: str, style: str = "") -> None:
        self.console.print(escape(text), style=style)

    # --- commands ------------------------------------------------------------------------------

    def _help(self, request: Request, rest: str) -> None:
        self._print(self.grammar.help(request))
        self.console.print("\n[bold]At any time[/]")
        for command, does in COMMANDS.items():
            self.console.print(f"  [bold]{command:<6}[/] {escape(does)}")

    def _board(self, request: Request, rest: str) -> None:
        self._print([self.game.rules.board(self.game.state)])

    def _show(self, request: Request, rest: str) -> None:
        self._print(self.grammar.show(rest))

    def _moves(self, request: Request, rest: str) -> None:
        lines = self.grammar.moves(request, rest)
        self._print(lines or ["[yellow]There is nothing legal to list there.[/]"])

    def _hint(self, request: Request, rest: str) -> None:
        from sandtable.bots import make_bot

        decision = make_bot("greedy", 0).decide(self.game, request)
        self.console.print(
            f"A bot would say: [bold]{escape(self.grammar.phrase(request, decision))}[/]"
        )

    def _why(self, request: Request, rest: str) -> None:
        rule = self._index.get(self._refused_by)
        if rule is None:
            raise Unclear("No rule has refused anything yet.")
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
        if isinstance(last, Rolled):
            raise Unclear("Dice have been rolled since your last decision, so it stands.")
        if last.power != request.power:
            raise Unclear(f"{self.grammar.power(last.power)} has decided since; that stands.")
        self.game.undo()
        self._told = min(self._told, len(self.game.events))
        self._heading = self._asked = None
        asked = next(r for r in self.game.pending if r.power == last.power)
        self._say(f"Taken back: {self.grammar.phrase(asked, last.decision)}", "dim")

    def _log(self, request: Request, rest: str) -> None:
        if rest and not rest.isdigit():
            raise Unclear("Type log, or log and a number of lines.")
        events = visible(list(self.game.events), self.seats)
        for event in events[-int(rest or LOGGED) :]:
            self._say(self.grammar.sentence(event))

    def _save(self, request: Request, rest: str) -> None:
        if not rest and self.file is None:
            raise Unclear("Name a file: save my-game.json")
        self._write(Path(rest).expanduser() if rest else self.file or Path())

    def _write(self, path: Path) -> None:
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
