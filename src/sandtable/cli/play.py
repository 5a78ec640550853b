"""`sandtable play`: a game at the terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

import sandtable
from sandtable.bots import seat
from sandtable.cli.bots import make_ready
from sandtable.cli.errors import Unclear
from sandtable.cli.names import Lexicon, simple
from sandtable.cli.options import read_options
from sandtable.cli.seats import seats_named
from sandtable.cli.session import COMMANDS, Session
from sandtable.kernel import registry
from sandtable.kernel.decisions import CHANCE


def play_game(
    game_id: str | None,
    seats: str | None,
    bots: str,
    seed: int | None,
    load: Path | None,
    options: list[str],
    data: Path | None,
) -> int:
    """Play until the game is over or the player leaves; the exit code."""
    game = _open(game_id, seed, load, options, data)
    about, verbs = game.rules.about(game.state), game.rules.verbs()
    lexicon = Lexicon(about, game.rules.picture(game.state, ()).spaces, verbs)
    people = seats_named(about, lexicon, seats or verbs.newcomer or about.powers[0].id)
    seated = seat(game, bots, 0 if seed is None else seed)
    # Where chance is explicit, people roll their own dice and type what they show.
    rolling = {CHANCE} if people else set()
    players = {p: bot for p, bot in seated.items() if p not in {*people, *rolling}}
    console = Console(highlight=False)
    subtitle = f" [dim]{about.subtitle}[/]" if about.subtitle else ""
    console.print(f"[bold]{game.rules.title}[/]{subtitle}")
    _greet(console, [lexicon.power(power) for power in people], len(about.powers), bots)
    if players:
        make_ready(game.rules, bots)
    session = Session(game, players, console, file=load)
    _edit_lines(session)
    try:
        over = session.run()
    except EOFError:
        console.print("\nEnd of input: the game is left, and not saved.")
        return 0
    except KeyboardInterrupt:
        console.print("\nStopped: the game is left, and not saved.")
        return 130
    if over and game.result is not None:
        winners = ", ".join(lexicon.power(power) for power in game.result.winners) or "nobody"
        console.print(f"\n[bold]The game is over.[/] {game.result.reason} Winners: {winners}.")
    return 0


def _open(
    game_id: str | None,
    seed: int | None,
    load: Path | None,
    options: list[str],
    data: Path | None,
) -> sandtable.Game:
    """A new game, or the one in a file."""
    if load is None:
        if game_id is None:
            raise Unclear(f"Name a game: sandtable play {registry.game_ids()[0]}")
        rules = registry.find(game_id)
        return sandtable.new(game_id, seed=seed, options=read_options(rules, options), data=data)
    if options:
        raise Unclear("A saved game has its options already: leave --option away.")
    game = sandtable.load(load, data=data)
    if game_id not in (None, game.rules.id):
        raise Unclear(f"{load} holds a game of {game.rules.id}, not of {game_id}.")
    return game


def _greet(console: Console, people: list[str], powers: int, bots: str) -> None:
    if not people:
        console.print(f"Bots ({bots}) play every power. Ctrl-C stops.")
        return
    others = f" Bots ({bots}) play the others." if len(people) < powers else ""
    console.print(f"You play {', '.join(people)}.{others}")
    console.print("[dim]Type[/] [cyan]help[/] [dim]at any time,[/] [cyan]quit[/] [dim]to leave.[/]")


def _edit_lines(session: Session) -> None:
    """History and Tab completion, where the terminal has them."""
    if not sys.stdin.isatty():
        return
    try:
        import readline
    except ImportError:
        return
    names = [*session.lexicon.spaces.shown.values(), *session.lexicon.powers.shown.values()]
    names += [type_.name for type_ in session.screen.about.types]
    spaces = session.game.rules.picture(session.game.state, ()).spaces.values()
    names += [piece.name for s in spaces for stack in s.stacks for piece in stack.pieces]
    words = sorted({*COMMANDS, *(word for name in names for word in simple(name).split())})

    def complete(text: str, number: int) -> str | None:
        fitting = [word for word in words if word.startswith(text.lower())]
        return f"{fitting[number]} " if number < len(fitting) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ,;>")
    readline.parse_and_bind("tab: complete")
