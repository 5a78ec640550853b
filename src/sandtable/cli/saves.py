"""`sandtable replay` and `sandtable verify`."""

from __future__ import annotations

from pathlib import Path

import typer

import sandtable


def replay_save(file: Path, until: int | None, data: Path | None) -> None:
    """Print what happened, the position, and who has to decide."""
    from rich.console import Console
    from rich.markup import escape

    from sandtable.cli.printing import print_lines
    from sandtable.cli.session import Session

    game = sandtable.replay(file, until, data=data)
    rules, state = game.rules, game.state
    console = Console(highlight=False)
    screen = Session(game, {}, console).screen
    print_lines(console, (escape(rules.sentence(state, e)) for e in game.events if e.to is None))
    picture = rules.picture(state, ())
    print_lines(console, ["", *screen.board(picture)])
    console.print(f"\n[bold]After {game.version} decisions and rolls[/]")
    for request in game.pending:
        form = rules.form(game.legal(request))
        console.print(f"{screen.power(request.power)}: {escape(f'{form.title}. {form.prompt}')}")
    if game.result is not None:
        console.print(f"The game is over. {escape(game.result.reason)}")


def verify_save(file: Path, data: Path | None) -> int:
    """Print what was checked and whether all is as recorded; 1 if it is not."""
    found = sandtable.verify(file, data=data)
    if not found.ok:
        typer.echo(f"sandtable: {file} does not hold: {found.problem}", err=True)
        return 1
    dice = {
        "seeded": "from its seed",
        "verified": "from the secret that the dice were committed to",
        "explicit": "as the players gave them",
    }.get(found.dice, found.dice)
    typer.echo(
        f"{file} holds: {found.decisions} decisions of {found.game} are legal, "
        f"and {found.rolls} rolls are {dice}."
    )
    if found.edits:
        typer.echo("But the position was changed by hand, beside the rules:")
        for edit in found.edits:
            typer.echo(f"  {edit}")
    if found.commitment:
        typer.echo(f"commitment: {found.commitment}")
    return 0
