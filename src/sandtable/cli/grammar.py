"""What is said between a person and a game: how answers are typed, and how things are told.

This is the plain form, which every game has by the schema of its decisions. A game that a person
should play with pleasure has its own, in a module of this package that bears the game's id.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Any

from rich.markup import escape

from sandtable.cli import form
from sandtable.cli.errors import Unclear
from sandtable.cli.names import Names
from sandtable.kernel.decisions import CHANCE, Decision, Request
from sandtable.kernel.game import Game
from sandtable.kernel.ruleset import Event, RuleSet

LISTED = 24
"""So many lines a list of legal decisions has at most."""


class Grammar:
    """The conversation about one game. Lines that are to be printed are in Rich markup."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def newcomer(self) -> str:
        """The power to play when none is named; by default the first to move."""
        return self.game.rules.powers[0]

    def seats(self, powers: tuple[str, ...]) -> tuple[str, ...]:
        """The powers that somebody plays who named these; Unclear if there are none in play."""
        return powers

    # --- telling ---------------------------------------------------------------------------

    def power(self, power: str) -> str:
        """A power's name."""
        return power.replace("_", " ").title()

    def plainly(self, text: str) -> str:
        """A text of the rules, with names instead of ids."""
        return text

    def turn(self, request: Request) -> str:
        """Whose turn it is; what bots do is told when that changes."""
        return request.power

    def heading(self, power: str) -> str:
        """The line over what a bot does in its turn."""
        rounds = self.game.rules.rounds(self.game.state)
        return f"\n[bold]{self.power(power)}[/] [dim]· round {rounds}[/]"

    def title(self, request: Request) -> tuple[str, str]:
        """The heading over a request, and a note beside it."""
        rounds = self.game.rules.rounds(self.game.state)
        return f"Round {rounds} · {self.power(request.power)}", ""

    def opening(self) -> str:
        """What a player sees as the turn begins."""
        return self.game.rules.board(self.game.state)

    def prompt(self, request: Request) -> list[str]:
        """What is asked, and how to answer it, in a few lines."""
        legal = self.game.legal(request)
        lines = [escape(self.plainly(request.prompt))]
        if listed := form.choices(legal):
            lines += [f"  {n}. {escape(form.phrase(d))}" for n, d in enumerate(listed, 1)]
        return lines

    def help(self, request: Request) -> list[str]:
        """What may be answered now, with examples."""
        return [escape(line) for line in form.help_text(self.game.legal(request))]

    def tell(self, events: Iterable[Event], seats: Collection[str]) -> list[str]:
        """What happened, as lines for the people in `seats`."""
        return [escape(self.sentence(event)) for event in events]

    def sentence(self, event: Event) -> str:
        """An event as a sentence."""
        return self.game.rules.sentence(self.game.state, event)

    def show(self, what: str) -> list[str]:
        """A part of the board; Unclear if there is none of that name."""
        raise Unclear("This game has no parts to show; board shows all of it.")

    # --- answering -------------------------------------------------------------------------

    def default(self, request: Request) -> Decision | None:
        """The answer that an empty line gives, if any."""
        return None

    def orders(self, request: Request, line: str) -> list[str]:
        """A line as one or more lines that give a decision each."""
        return [part for part in (part.strip() for part in line.split(";")) if part]

    def read(self, request: Request, line: str) -> Decision:
        """The decision that a line stands for; Unclear, or IllegalDecision."""
        return form.read(line, self.game.legal(request))

    def phrase(self, request: Request, decision: Decision) -> str:
        """A line that `read` takes for this answer to the request."""
        return form.phrase(decision)

    def moves(self, request: Request, where: str) -> list[str]:
        """Some of the decisions that are legal now, as lines to type."""
        found = list(islice(self.game.legal(request), LISTED + 1))
        lines = [escape(self.phrase(request, decision)) for decision in found[:LISTED]]
        return [*lines, "…"] if len(found) > LISTED else lines

    def words(self) -> list[str]:
        """Words that the Tab key completes."""
        return []


def grammar_of(rules: RuleSet[Any]) -> type[Grammar]:
    """The game's own grammar, or the plain one."""
    name = f"sandtable.cli.{rules.id}"
    if importlib.util.find_spec(name) is None:
        return Grammar
    own: type[Grammar] = importlib.import_module(name).GRAMMAR
    return own


def power_names(rules: RuleSet[Any]) -> Names:
    """The powers of a game, by id, by name and by initials."""
    names: dict[str, list[str]] = {}
    for power in rules.powers:
        words = power.split("_")
        initials = ["".join(word[0] for word in words)] if len(words) > 1 else []
        names[power] = [power.replace("_", " ").title(), *initials]
    for power, nicks in _NICKNAMES.items():
        if power in names:
            names[power] += nicks
    return Names("power", names)


_NICKNAMES = {
    "soviet_union": ["USSR", "Russia", "Soviets"],
    "united_kingdom": ["UK", "Britain", "England"],
    "united_states": ["US", "USA", "America"],
}


def seats_named(rules: RuleSet[Any], sides: dict[str, str], text: str) -> tuple[str, ...]:
    """The powers that `--as` names: powers, sides, all or none; in turn order."""
    chosen: set[str] = set()
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise Unclear(f"Name powers, for example --as {rules.powers[0]}, or --as none.")
    names = power_names(rules)
    for part in parts:
        word = part.lower()
        if word == "none" and len(parts) == 1:
            return ()
        if word == "all":
            chosen |= set(rules.powers)
        elif of_side := [power for power, side in sides.items() if side == word]:
            chosen |= set(of_side)
        else:
            try:
                chosen.add(names.find(part))
            except Unclear as error:
                extra = sorted(set(sides.values()) - set(rules.powers))
                known = ", ".join([*rules.powers, *extra, "all", "none"])
                raise Unclear(f"{error} There are: {known}.") from None
    return tuple(power for power in rules.powers if power in chosen)


def visible(events: Sequence[Event], seats: Collection[str]) -> list[Event]:
    """The events that somebody in `seats` may see; everybody's, if nobody sits there."""
    return [e for e in events if e.to is None or any(seat in e.to for seat in seats)]


__all__ = ["CHANCE", "Grammar", "grammar_of", "power_names", "seats_named", "visible"]
