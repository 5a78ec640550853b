"""The commands and their options. What they do is imported when they run: start-up stays quick."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import sandtable
from sandtable.cli.odds import Odds
from sandtable.kernel.errors import SandtableError


class _Sandtable(TyperGroup):
    """The command line: whatever goes wrong is one sentence on stderr and an exit code."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["standalone_mode"] = False
        try:
            code = super().main(*args, **kwargs)
        except SandtableError as error:
            _fail(str(error))
        except OSError as error:
            if error.errno == errno.EPIPE:
                # Whoever read our output has gone, for instance `head`.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                sys.exit(1)
            _fail(f"{error.filename or 'The file'}: {error.strerror or error}.")
        except Exception as error:
            # Typer's own errors: a wrong option, a missing argument.
            if not hasattr(error, "format_message"):
                raise
            problem = " ".join(error.format_message().split()).removesuffix(".")
            context = getattr(error, "ctx", None)
            command = context.command_path if context is not None else "sandtable"
            _fail(f"{problem}. Try: {command} --help")
        sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str) -> None:
    """End with the first line of the message; a failed simulation has a whole traceback."""
    typer.echo(f"sandtable: {message.splitlines()[0]}", err=True)
    sys.exit(2)


def _command(module: str, name: str) -> Callable[..., Any]:
    """What a command does."""
    function: Callable[..., Any] = getattr(import_module(f"sandtable.cli.{module}"), name)
    return function


app = typer.Typer(
    cls=_Sandtable,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="World War II grand-strategy board games, with every rule enforced.",
    context_settings={
        "help_option_names": ["-h", "--help"],
        # A help option without a value makes Typer import pydantic, which costs 0.1 s.
        "default_map": {"help": False, "games": {"help": False}, "odds": {"help": False}},
    },
)

Game = Annotated[str, typer.Argument(help="The game; sandtable games lists them.")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="NAME=VALUE", help="A game option; may be given several times."
    ),
]
Data = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="A folder whose data files replace the game's own."),
]
File = Annotated[Path, typer.Argument(metavar="FILE", help="A saved game.")]


@app.callback(invoke_without_command=True)
def _sandtable(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        typer.echo(f"sandtable {sandtable.__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def games() -> None:
    """List the games, their powers and their options."""
    _command("games", "list_games")()


@app.command()
def play(
    game: Annotated[
        str | None, typer.Argument(help="The game; sandtable games lists them.")
    ] = None,
    seats: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="POWERS",
            help="The powers you play: names parted by commas, a side (axis, allies), all or none. "
            "Without it you play Germany: in aa1942 the Soviet Union moves first, so that you see "
            "a turn before you take one.",
        ),
    ] = None,
    bots: Annotated[str, typer.Option(help="Who plays the others: greedy or random.")] = "greedy",
    seed: Annotated[
        int | None, typer.Option(help="Repeatable dice and bots; without it the dice are fresh.")
    ] = None,
    load: Annotated[
        Path | None, typer.Option("--load", metavar="FILE", help="Go on with a saved game.")
    ] = None,
    option: Options = None,
    data: Data = None,
) -> None:
    """Play a game in the terminal, against bots or on one screen.

    The game asks, you answer in a line of text; help says at any time what may be answered.
    """
    raise typer.Exit(
        _command("play", "play_game")(game, seats, bots, seed, load, option or [], data)
    )


@app.command()
def simulate(
    game: Game,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 10,
    bots: Annotated[
        str,
        typer.Option(
            metavar="BOTS",
            help="random or greedy for all, or by power or side: axis=greedy,allies=random.",
        ),
    ] = "greedy",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 0,
    jobs: Annotated[
        int, typer.Option(min=0, help="Processes to use; 0 is as many as there are cores.")
    ] = 1,
    max_rounds: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="A game counts as not finished after so many rounds; by default after more than "
            "sensible play needs.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
    option: Options = None,
    data: Data = None,
) -> None:
    """Let bots play many games, and sum up how they went."""
    _command("simulate", "simulate_games")(
        game, games, bots, seed, jobs, max_rounds, option or [], data, as_json=json
    )


@app.command()
def replay(
    file: File,
    until: Annotated[
        int | None, typer.Option(metavar="N", help="Stop after N decisions and rolls.")
    ] = None,
    data: Data = None,
) -> None:
    """Tell a saved game again, sentence by sentence, and show where it stands."""
    _command("saves", "replay_save")(file, until, data)


@app.command()
def verify(file: File, data: Data = None) -> None:
    """Derive every die of a saved game again, and check every decision."""
    raise typer.Exit(_command("saves", "verify_save")(file, data))


@app.command()
def rules(game: Game) -> None:
    """List the rules of a game: what each says, where it lives, and which tests hold it."""
    raise typer.Exit(_command("games", "list_rules")(game))


@app.command()
def serve(
    host: Annotated[
        str | None,
        typer.Option(help="The address to listen at; 0.0.0.0 is reachable from other machines."),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port; 8000 without it.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|URL", help="An SQLite file, or postgresql://USER:PASSWORD@HOST/NAME."
        ),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, max=64, help="Server processes; needs PostgreSQL.")
    ] = None,
    browser: Annotated[
        bool, typer.Option("--open", help="Open the page in a browser, where there is one.")
    ] = False,
) -> None:
    """Serve the games to browsers: alone, with friends, or over the network.

    More can be set by environment variables; docs/hosts.md lists them.
    """
    raise typer.Exit(_command("serve", "serve")(host, port, database, processes, browser))


_data = typer.Typer(help="A game's data files, and your own in their place.")
app.add_typer(_data, name="data")


@_data.callback()
def _data_files() -> None:
    """A command group even with a single command."""


@_data.command()
def check(
    target: Annotated[
        str, typer.Argument(metavar="GAME|DIR", help="A game, or a folder with data files.")
    ],
    game: Annotated[
        str | None, typer.Option(help="The game that the folder is for, if the names fit several.")
    ] = None,
) -> None:
    """Check data files: what they hold, and whether the game can be played with them."""
    _command("data", "check_data")(target, game)


_map = typer.Typer(help="The map of a game: build it, prove it, draw it.")
app.add_typer(_map, name="map")


@_map.command(name="build")
def map_build(game: Game) -> None:
    """Make a game's map out of its declaration, and check it. Needs the extra: sandtable[map]."""
    raise typer.Exit(_command("maps", "build_map")(game))


@_map.command(name="check")
def map_check(game: Game) -> None:
    """Prove that the borders of a map are those of the rules."""
    raise typer.Exit(_command("maps", "check_map")(game))


@_map.command(name="draw")
def map_draw(
    game: Game,
    file: Annotated[Path, typer.Argument(metavar="FILE.svg", help="The picture to write.")],
    view: Annotated[
        str | None, typer.Option(help="A part of the map, for instance europe.")
    ] = None,
) -> None:
    """Draw a map as an SVG picture, as it is at the start of the game."""
    _command("maps", "draw_map")(game, file, view)


app.add_typer(
    typer.Typer(cls=Odds, help="The exact odds of a battle; each game has its own options."),
    name="odds",
)


_game = typer.Typer(help="Games of your own.", no_args_is_help=True)
app.add_typer(_game, name="game")


@_game.command(name="new")
def game_new(
    id: Annotated[str, typer.Argument(metavar="ID", help="How the game is called in commands.")],
    title: Annotated[str, typer.Option(help="How it is called on the page.")] = "",
    folder: Annotated[
        Path, typer.Option("--in", metavar="DIR", help="The source checkout to write into.")
    ] = Path(),
) -> None:
    """Write the skeleton of a new game: a small one that can be played, tested and changed."""
    _command("new_game", "new_game")(id, title, folder.absolute())
